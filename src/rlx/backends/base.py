"""The backend protocol, and the list of backends.

A device is one object with everything the rest of RLX needs: which ops it claims, how it lowers and compiles,
where values live, the machine's peak speed. `docs/decisions/0012-backends.md` says who calls what.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy.typing as npt

from rlx.backends.knob import Knob
from rlx.core.atoms import Symbol
from rlx.core.dim import Size
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.given import check_is
from rlx.core.report import Decision, Report
from rlx.core.scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.lir import Lir
from rlx.ir.op import Op, OpDef
from rlx.ir.weight_layout import WeightLayout
from rlx.passes.context import Options
from rlx.passes.entry import Pass
from rlx.passes.prepared import Derivation

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from rlx.plan.lowerer import Lowerer

Array = npt.NDArray[Any]
Parts = tuple[bytes, ...]
"""An artifact as bytes: a manifest, and its other contents."""


# -- what runs ---------------------------------------------------------------------------------------------------
class ProgramRunner(Protocol):
    """A compiled program with the memory it runs on."""

    threads: int

    def clone(self) -> ProgramRunner:
        """The same program with its own memory; nothing is attached yet."""
        ...

    def uses(self, name: str) -> bool:
        """Whether it reads or writes a param, state or prepared value."""
        ...

    def attach(self, name: str, array: Array) -> None:
        """Give it the memory of a param, a state or a prepared value."""
        ...

    def release(self) -> None:
        """Release working memory and everything attached: it is attached again before the next run."""
        ...

    def fits(self, sizes: Mapping[str, int]) -> bool:
        """Whether every size that a run computes for these symbol values fits 64 bits."""
        ...

    def run(self, sizes: Mapping[str, int], inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """Read the inputs, write the outputs, update states and params in their memory."""
        ...

    def again(self, inputs: Sequence[object], outputs: Sequence[object]) -> bool:
        """Run on objects that may be arrays like those of the last run, except for address and content.

        False if they are not, or if that is unknown; then nothing has been done.
        """
        ...

    def profiled(
        self, sizes: Mapping[str, int], inputs: Sequence[Array], outputs: Sequence[Array]
    ) -> list[tuple[str, str, float, int, int]]:
        """Run once and time every command: (kernel, origin, seconds, operations, bytes)."""
        ...


class Preparation(Protocol):
    """The program of an artifact that computes what depends on params alone, part by part.

    `parts` are its values, those together that share something on their way; `make` computes those of some parts, and what they read is
    attached by then. The others are as in `Runner`; `detach` lets go of one param.
    """

    @property
    def parts(self) -> Sequence[Sequence[str]]: ...
    def uses(self, name: str) -> bool: ...
    def attach(self, name: str, array: Array) -> None: ...
    def make(self, outputs: Mapping[str, Array]) -> None: ...
    def detach(self, name: str) -> None: ...
    def release(self) -> None: ...


class Artifact(Protocol):
    """What a backend compiled a graph to: plain data, from which any number of runners are made.

    `prepared` are the shapes of values that depend only on params, `derivations` what each is computed from (without one it
    is never shared); `memory` the planned sizes, as expressions of the symbols; `decisions` the report's entries from
    compilation.
    """

    @property
    def prepared(self) -> Mapping[str, Shape]: ...
    @property
    def derivations(self) -> Mapping[str, Derivation]: ...
    @property
    def memory(self) -> Mapping[str, Size]: ...
    @property
    def options(self) -> Options: ...
    @property
    def decisions(self) -> tuple[Decision, ...]: ...

    @property
    def donations(self) -> Sequence[tuple[str, str]]:
        """(input, output): the output can be written into the memory of the input, which is no longer read by then."""
        ...

    @property
    def made_for(self) -> str:
        """The machine it was compiled for, as text."""
        ...

    @property
    def host_calls(self) -> tuple[str, ...]:
        """Python functions it calls: if any, it runs only in this process."""
        ...

    def summary(self) -> Mapping[str, str]:
        """A description of its programs: "main", and "prepare" if something depends only on params."""
        ...

    def pack(self) -> Parts | None:
        """As bytes that `Backend.unpack` reads, in this or another process; None if it cannot be stored."""
        ...

    def runners(self, inputs: Sequence[str], outputs: Sequence[str]) -> tuple[ProgramRunner, Preparation | None]:
        """Main and prepare, each with its own memory; the names are in the order of the arrays."""
        ...


# -- where values live -------------------------------------------------------------------------------------------
class DeviceArrays(Protocol):
    """The arrays of a device: for params and states of sessions, and for inputs and outputs of runs."""

    is_host: bool
    """Whether it is host memory: then its arrays are NumPy's, and reading them needs no copy."""

    def empty(self, dims: Sequence[int], dtype: DType) -> Any:
        """Uninitialized memory."""
        ...

    def upload(self, array: Array) -> Any:
        """A copy on the device that nobody else writes to."""
        ...

    def download(self, array: Any) -> Array:
        """A copy in host memory; the array itself if it is already there."""
        ...


# -- the machine -------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Limits:
    """A device's peak speed, measured by loops that do nothing else."""

    gflops: float
    """Multiply-adds of f32 in registers, two operations each."""
    gigabytes: float
    """Reading memory, per second."""
    threads: int


# -- a device ----------------------------------------------------------------------------------------------------
class Backend(Protocol):
    """A device: it lowers graphs to LIR, compiles LIR to artifacts, and knows the machine they run on."""

    name: str
    arrays: DeviceArrays
    computes: bool
    """Whether it computes results; `null` only plans."""

    # for passes
    def claims(self, op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]) -> str | None:
        """None if it has a kernel for this op as it is, else the reason why not."""
        ...

    def layout_for(self, weights: tuple[Shape, ...], scheme: QuantScheme | None) -> str | None:
        """The layout in which its products read a weight; None: as it is. See `rlx.passes.context.Claims`."""
        ...

    def find_layout(self, name: str) -> WeightLayout | None:
        """What a layout is, if the name is one of its own."""
        ...

    def passes(self, listed: Sequence[Pass], options: Options) -> Sequence[Pass]:
        """THE list (with what the caller added) as this device runs it: some left out, some added. The report says which."""
        ...

    def commands(self, options: Options) -> Lowerer:
        """Its kernels as planning sees them."""
        ...

    def support(self, record: OpDef) -> str:
        """How it runs an op, as text for a table: native kernel, via decomposition …."""
        ...

    # compiling
    def lower(self, graph: Graph, options: Options, report: Report) -> Lir:
        """The graph through its list of passes, whose last is the plan."""
        ...

    def compile(self, lir: Lir, options: Options, report: Report) -> Artifact:
        """The artifact that runs the plan."""
        ...

    def compile_as_planned(self, graph: Graph) -> Artifact:
        """A graph whose ops are all kernels of this device, without any pass: for tools that inspect single values."""
        ...

    def dequantized(self, scheme: QuantScheme, rows: Array) -> Array:
        """The values of rows `[n, bytes]` of a GGUF type, f32 `[n, values]`, bit-exact."""
        ...

    # caching
    def key(self, *parts: str) -> str | None:
        """The disk cache key of an artifact made from these parts, on this machine; None if it is not cached."""
        ...

    def unpack(self, parts: Parts, symbols: Mapping[str, Symbol]) -> Artifact:
        """The inverse of `Artifact.pack`; the symbols are those of its graph."""
        ...

    def accept(self, artifact: Artifact, what: str) -> Backend:
        """The backend for the machine an artifact was made for; RLX407 if this one cannot run it."""
        ...

    # the machine
    def limits(self, seconds: float) -> Limits | None:
        """Its peak speed, measured in about this many seconds; None if unknown."""
        ...

    def describe(self) -> Mapping[str, str]:
        """A description of the machine, row by row."""
        ...

    def set_threads(self, count: int | None) -> None:
        """Set the number of threads of a run; None: all available cores."""
        ...

    def thread_count(self) -> int:
        """The number of threads of a run."""
        ...

    def tune(self, seconds: float) -> tuple[Knob, ...]:
        """Time kernel parameters on this machine and save the best; empty if there is nothing to tune."""
        ...

    def listings(self, stage: str, thing: object) -> Mapping[str, str]:
        """Texts for RLX_DUMP of a device-specific stage, by file extension."""
        ...


_BUILT_IN: Mapping[str, str] = {
    "reference": "rlx.backends.reference.backend:ReferenceBackend",
    "cpu": "rlx.backends.cpu.backend:CpuBackend.shared",
    "null": "rlx.backends.null.backend:NullBackend",
}
"""Built-in devices: the module of each, imported on first use."""

_LAYOUTS = ("rlx.backends.cpu.layouts:layout_named",)
"""What built-in devices call their layouts: functions of a name, which need no compiler."""

GROUP = "rlx.backends"
"""The entry points by which a package adds a device: a function without arguments that returns a Backend."""

_plugged: dict[EntryPoint, Backend] = {}
"""Devices of other packages, created once each."""


def devices() -> dict[str, str]:
    """Every device by name: "available", or the reason why it is not.

    Each is actually created (once; the first call takes as long as loading their libraries), so "available" is reliable. Devices of
    other packages come from the entry point group `rlx.backends`; an error in one shows in its row, and does not affect others. A package
    cannot replace a built-in device: such a name is listed as "ignored".

    >>> devices()["reference"]
    'available'
    """
    found = {name: _reason(name) or "available" for name in _names()}
    taken = {f"{point.name} ({point.value})": point.name for point in _registered() if point.name in _BUILT_IN}
    return found | {shown: f"ignored: {name!r} is a built-in device" for shown, name in taken.items()}


def find_backend(name: str) -> Backend:
    """The backend of a device, loaded on first use."""
    if type(name) is str and name in _BUILT_IN:
        return _built_in(name)
    check_is(name, str, "RLX404", "device", f"one of: {', '.join(_names())}")
    points = [point for point in _registered() if point.name == name]
    if len(points) > 1:
        message = f"device {name!r} is registered by several packages: {', '.join(point.value for point in points)}"
        raise RlxError("RLX404", message, fix="uninstall all but one of them")
    if points:
        return _plugged_in(points[0])
    raise RlxError("RLX404", f"{name!r} is not a device", fix=f"one of: {', '.join(_names())}")


def find_layout(name: str) -> WeightLayout:
    """What the layout of a weight means: a name with a dot is owned by the device before it, another by a built-in device."""
    device, dot, _ = name.partition(".")
    owners = [find_backend(device).find_layout] if dot else [_made(place) for place in _LAYOUTS]
    found: WeightLayout | None = next(filter(None, (owner(name) for owner in owners)), None)
    if found is None:
        fix = "panel16, pair16 for two matrices (an even width), rows8_q4k, or DEVICE.NAME for another device's"
        raise RlxError("RLX105", f"{name!r:.60} is not a layout of {repr(device) if dot else 'a weight'}", fix=fix)
    return found


def _names() -> list[str]:
    return [*_BUILT_IN, *dict.fromkeys(point.name for point in _registered() if point.name not in _BUILT_IN)]


def _registered() -> tuple[EntryPoint, ...]:
    return _registered_on(tuple(sys.path))


@lru_cache(maxsize=1)
def _registered_on(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """What packages on a path register; duplicates count once, packages with unreadable entry points are skipped."""
    from importlib.metadata import distributions

    found: dict[tuple[str, str], EntryPoint] = {}
    for package in distributions():
        with suppress(Exception):  # the file's parser can raise anything
            found |= {(point.name, point.value): point for point in package.entry_points.select(group=GROUP)}
    return tuple(found[key] for key in sorted(found))


def _built_in(name: str) -> Backend:
    try:
        backend: Backend = _made(_BUILT_IN[name])()
        return backend
    except ImportError as error:
        raise RlxError(
            "RLX404", f"device {name!r} is not available: {error}", fix=f"pip install {error.name}"
        ) from error


@lru_cache(maxsize=16)
def _made(place: str) -> Any:
    """What `module:path` names."""
    module, _, path = place.partition(":")
    found: Any = importlib.import_module(module)
    for attribute in path.split("."):
        found = getattr(found, attribute)
    return found


def _plugged_in(point: EntryPoint) -> Backend:
    """The device of another package. It is third-party code: whatever it raises is the reason why it is not available."""
    if point not in _plugged:
        try:
            made = point.load()()
        except (Exception, SystemExit) as error:
            raise _not_available(point, f"{type(error).__name__}: {error}") from error
        if missing := [member for member in _MEMBERS if not hasattr(made, member)]:
            raise _not_available(
                point, f"it made a {type(made).__name__}, which is not a Backend: it has no {', '.join(missing)}"
            )
        if made.name != point.name:
            raise _not_available(point, f"the backend it made is named {made.name!r}")
        _plugged[point] = made
    return _plugged[point]


_MEMBERS = [name for name in (*Backend.__annotations__, *vars(Backend)) if not name.startswith("_")]
"""The methods and attributes of the protocol."""


def _not_available(point: EntryPoint, why: str) -> RlxError:
    message = f"device {point.name!r} ({point.value}) is not available: {why}"
    return RlxError("RLX404", message, fix="fix or uninstall the package that registers it")


def _reason(name: str) -> str | None:
    try:
        find_backend(name)
    except RlxError as error:
        return error.message
    return None
