"""What a backend is, and which there are.

A device is one object that answers everything the rest of RLX asks of it: what it claims, how it lowers, what it compiles,
where values live, what the machine can do at most. `docs/decisions/0012-backends.md` says who asks what.
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
"""An artifact as bytes: a manifest, and what else it holds."""


# -- what runs ---------------------------------------------------------------------------------------------------
class ProgramRunner(Protocol):
    """A compiled program with the memory it runs on."""

    threads: int

    def clone(self) -> ProgramRunner:
        """The same program with memory of its own; nothing is attached yet."""
        ...

    def uses(self, name: str) -> bool:
        """Whether it reads or writes a param, state or prepared value."""
        ...

    def attach(self, name: str, array: Array) -> None:
        """Give it the memory of a param, a state or a prepared value."""
        ...

    def release(self) -> None:
        """Let go of working memory and of what is attached: it is attached again before the next run."""
        ...

    def fits(self, sizes: Mapping[str, int]) -> bool:
        """Whether every size that a run computes for these symbol values can be counted in 64 bits."""
        ...

    def run(self, sizes: Mapping[str, int], inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """Read the inputs, write the outputs, update states and params in their memory."""
        ...

    def again(self, inputs: Sequence[object], outputs: Sequence[object]) -> bool:
        """Run on objects that may be arrays like those of the last run, in everything but address and content.

        False when they are not, or when that is not known; then nothing has been done.
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

    `prepared` are the shapes of what depends on params alone, `derivations` what each is made of (one that is not there
    is never shared); `memory` the sizes a plan decided, as expressions of the symbols; `decisions` what the report said
    while it was compiled.
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
        """(input, output): the output may be written into the memory of the input, which is not read any more by then."""
        ...

    @property
    def made_for(self) -> str:
        """The machine it was compiled for, in words."""
        ...

    @property
    def host_calls(self) -> tuple[str, ...]:
        """Python functions it calls: with one, it runs in this process only."""
        ...

    def summary(self) -> Mapping[str, str]:
        """Its programs in words: "main", and "prepare" where something depends on params alone."""
        ...

    def pack(self) -> Parts | None:
        """As bytes that `Backend.unpack` reads, in this or another process; None when it is not made to be kept."""
        ...

    def runners(self, inputs: Sequence[str], outputs: Sequence[str]) -> tuple[ProgramRunner, Preparation | None]:
        """Main and prepare, each with memory of its own; the names in the order that arrays come in."""
        ...


# -- where values live -------------------------------------------------------------------------------------------
class DeviceArrays(Protocol):
    """The arrays of a device: what sessions keep params and states in, and what runs read and write."""

    is_host: bool
    """Whether the memory is the host's: then its arrays are NumPy's, and nothing is copied to look at them."""

    def empty(self, dims: Sequence[int], dtype: DType) -> Any:
        """Memory with any content."""
        ...

    def upload(self, array: Array) -> Any:
        """A copy on the device that nobody else writes to."""
        ...

    def download(self, array: Any) -> Array:
        """A copy in NumPy's memory; the array itself where that is the host's already."""
        ...


# -- the machine -------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Limits:
    """What a device can do at most, by loops that do nothing else."""

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
    """Whether its results mean something; `null` only plans."""

    # what passes ask
    def claims(self, op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]) -> str | None:
        """None when it has a kernel for this op as it stands, else the reason it has not."""
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
        """How it runs an op, in words for a table: native kernel, by decomposition …."""
        ...

    # compiling
    def lower(self, graph: Graph, options: Options, report: Report) -> Lir:
        """The graph through its list of passes, whose last is the plan."""
        ...

    def compile(self, lir: Lir, options: Options, report: Report) -> Artifact:
        """What runs the plan, as data."""
        ...

    def compile_as_planned(self, graph: Graph) -> Artifact:
        """A graph whose ops are all kernels of this device, through no pass: for tools that look at single values."""
        ...

    def dequantized(self, scheme: QuantScheme, rows: Array) -> Array:
        """The numbers in bytes of rows `[n, bytes]` of a GGUF type, f32 `[n, numbers]`, to the bit as the type is defined."""
        ...

    # keeping what was compiled
    def key(self, *parts: str) -> str | None:
        """The name in the disk cache of what is made of these parts, on this machine; None when nothing is kept."""
        ...

    def unpack(self, parts: Parts, symbols: Mapping[str, Symbol]) -> Artifact:
        """The inverse of `Artifact.pack`; the symbols are those of its graph."""
        ...

    def accept(self, artifact: Artifact, what: str) -> Backend:
        """The backend for the machine an artifact was made for; RLX407 where this one cannot run it."""
        ...

    # the machine
    def limits(self, seconds: float) -> Limits | None:
        """What it can do at most, measured in about so many seconds; None where that is unknown."""
        ...

    def describe(self) -> Mapping[str, str]:
        """The machine in words, row by row."""
        ...

    def set_threads(self, count: int | None) -> None:
        """How many threads a run takes; None: what the machine allows."""
        ...

    def thread_count(self) -> int:
        """How many threads a run takes."""
        ...

    def tune(self, seconds: float) -> tuple[Knob, ...]:
        """Try sizes of kernels on this machine and keep the best; empty where there is nothing to try."""
        ...

    def listings(self, stage: str, thing: object) -> Mapping[str, str]:
        """Texts for RLX_DUMP of a stage that only this device has, by the ending of a file."""
        ...


_BUILT_IN: Mapping[str, str] = {
    "reference": "rlx.backends.reference.backend:ReferenceBackend",
    "cpu": "rlx.backends.cpu.backend:CpuBackend.shared",
    "null": "rlx.backends.null.backend:NullBackend",
}
"""Built-in devices: where each one is made, read when it is first asked for."""

_LAYOUTS = ("rlx.backends.cpu.layouts:layout_named",)
"""What built-in devices call their layouts: functions of a name, which need no compiler."""

GROUP = "rlx.backends"
"""The entry points by which a package adds a device: a function without arguments that returns a Backend."""

_plugged: dict[EntryPoint, Backend] = {}
"""Devices of other packages that were made: one object each."""


def devices() -> dict[str, str]:
    """Every device by name: "available", or the reason why it is not.

    Each is really made (once; the first call takes as long as their libraries take to load), so "available" is no guess. Devices of
    other packages come from the entry point group `rlx.backends`; what is wrong with one is its row, and touches no other. A package
    cannot replace a built-in device: what registers such a name is in the list as "ignored".

    >>> devices()["reference"]
    'available'
    """
    found = {name: _reason(name) or "available" for name in _names()}
    taken = {f"{point.name} ({point.value})": point.name for point in _registered() if point.name in _BUILT_IN}
    return found | {shown: f"ignored: {name!r} is a built-in device" for shown, name in taken.items()}


def find_backend(name: str) -> Backend:
    """The backend of a device, loaded when first asked for."""
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
    """What packages on a path register; one that is found twice counts once, one whose entry points cannot be read is passed over."""
    from importlib.metadata import distributions

    found: dict[tuple[str, str], EntryPoint] = {}
    for package in distributions():
        with suppress(Exception):  # of the file's parser, of any kind
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
    """The device of another package. It is somebody else's code: whatever it raises is the reason why it is not available."""
    if point not in _plugged:
        try:
            made = point.load()()
        except (Exception, SystemExit) as error:
            raise _not_available(point, f"{type(error).__name__}: {error}") from error
        if missing := [member for member in _MEMBERS if not hasattr(made, member)]:
            raise _not_available(
                point, f"it made a {type(made).__name__}, which is no Backend: it has no {', '.join(missing)}"
            )
        if made.name != point.name:
            raise _not_available(point, f"the backend it made is named {made.name!r}")
        _plugged[point] = made
    return _plugged[point]


_MEMBERS = [name for name in (*Backend.__annotations__, *vars(Backend)) if not name.startswith("_")]
"""What the rest of RLX asks of a device."""


def _not_available(point: EntryPoint, why: str) -> RlxError:
    message = f"device {point.name!r} ({point.value}) is not available: {why}"
    return RlxError("RLX404", message, fix="mend or uninstall the package that registers it")


def _reason(name: str) -> str | None:
    try:
        find_backend(name)
    except RlxError as error:
        return error.message
    return None
