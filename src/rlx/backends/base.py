"""The backend protocol. Which devices there are is in `rlx.backends.registry`.

A device is one object with everything the rest of RLX needs: which ops it claims, how it lowers and compiles,
where values live, the machine's peak speed. `docs/decisions/0012-backends.md` lists who calls what.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy.typing as npt

from rlx.backends.knob import Knob
from rlx.core.dim import Size, Symbol
from rlx.core.dtype import DType
from rlx.core.quant_scheme import QuantScheme
from rlx.core.report import Decision, Report
from rlx.core.shape import Shape
from rlx.core.sharding import P, ShardingTable
from rlx.ir.graph import Graph
from rlx.ir.op import Op, OpDef
from rlx.ir.parse_lir import Lir
from rlx.layouts.weight_layout import WeightLayout
from rlx.passes.entry import Options, Pass
from rlx.passes.prepared_analysis import Derivation

if TYPE_CHECKING:
    from rlx.plan.lowerer import Lowerer

Array = npt.NDArray[Any]
Placed = Any
"""An array of the device: NumPy's where its memory is the host's, else a `rlx.core.device_array.DeviceArray`."""
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
        """Whether the program reads or writes a param, state or prepared value."""
        ...

    def attach(self, name: str, array: Placed) -> None:
        """Attaches the memory of a param, a state or a prepared value."""
        ...

    def release(self) -> None:
        """Releases working memory and everything attached; what it held is attached again before the next run."""
        ...

    def fits(self, sizes: Mapping[str, int]) -> bool:
        """Whether every size that a run computes for these symbol values fits 64 bits."""
        ...

    def run(self, sizes: Mapping[str, int], inputs: Sequence[Placed], outputs: Sequence[Placed]) -> None:
        """Reads the inputs, writes the outputs, updates states and params in their memory."""
        ...

    def again(self, inputs: Sequence[object], outputs: Sequence[object]) -> bool:
        """Runs on objects that may be arrays like those of the last run, except for address and content.

        Nothing of them has been checked: neither what they are nor where, nor whether outputs and inputs have memory in common.
        False if they are not, or if that is unknown; then nothing has been done.
        """
        ...

    def profiled(
        self, sizes: Mapping[str, int], inputs: Sequence[Placed], outputs: Sequence[Placed]
    ) -> list[tuple[str, str, float, int, int]]:
        """Runs once and times every command: (kernel, origin, seconds, operations, bytes)."""
        ...


class Preparation(Protocol):
    """The program of an artifact that computes what depends on params alone, part by part.

    `parts` are its values, those together that share something on their way; `make` computes those of some parts, and what they read is
    attached by then. The others are as in `Runner`; `detach` detaches one param.
    """

    @property
    def parts(self) -> Sequence[Sequence[str]]: ...
    def uses(self, name: str) -> bool: ...
    def attach(self, name: str, array: Placed) -> None: ...
    def make(self, outputs: Mapping[str, Placed]) -> None: ...
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
        """(input, output) pairs: the output can be written into the memory of the input, which is no longer read by then."""
        ...

    @property
    def made_for(self) -> str:
        """The machine that the artifact was compiled for, as text."""
        ...

    @property
    def host_calls(self) -> tuple[str, ...]:
        """The Python functions that the artifact calls: if any, it runs only in this process."""
        ...

    def summary(self) -> Mapping[str, str]:
        """A description of the artifact's programs: "main", and "prepare" if something depends only on params."""
        ...

    def pack(self) -> Parts | None:
        """The bytes that `Backend.unpack` reads, in this or another process; None if the artifact cannot be stored."""
        ...

    def runners(self, inputs: Sequence[str], outputs: Sequence[str]) -> tuple[ProgramRunner, Preparation | None]:
        """The runners of main and prepare, each with its own memory; the names are in the order of the arrays."""
        ...


# -- where values live -------------------------------------------------------------------------------------------
class DeviceArrays(Protocol):
    """The arrays of a device: for params and states of sessions, and for inputs and outputs of runs.

    NumPy's where `is_host`, else `rlx.core.device_array.DeviceArray`s, or a subclass with `__dlpack__` where other libraries can read
    the memory. A run may return before it is done, as long as `download`, `write` and later runs wait for it.
    """

    name: str
    """The device's name, or "host"."""
    is_host: bool
    """Whether it is host memory: then its arrays are NumPy's, and reading them needs no copy."""

    def empty(self, dims: Sequence[int], dtype: DType) -> Any:
        """An array with uninitialized memory on the device."""
        ...

    def upload(self, array: Array) -> Any:
        """A copy on the device that nobody else writes to."""
        ...

    def download(self, array: Any) -> Array:
        """A copy of an array in host memory; the array itself if it is already there."""
        ...

    def write(self, target: Any, source: Any) -> None:
        """Copies into one of the device's arrays: another of them, or one of the host's, of the same sizes and dtype."""
        ...

    def shares(self, first: Any, second: Any) -> bool:
        """Whether two of the device's arrays may share memory."""
        ...

    def from_dlpack(self, value: Any) -> Any | None:
        """Another library's array in its memory, without a copy; None if it is elsewhere, not dense, or RLX lacks its dtype."""
        ...

    def on_mesh(self, table: ShardingTable) -> MeshArrays:
        """Arrays over a mesh of such devices; RLX403 if there is only one."""
        ...


class MeshArrays(DeviceArrays, Protocol):
    """Arrays that are sharded over a mesh of devices or replicated on each; the devices may be those of many processes."""

    process: int
    """Which process this is."""
    processes: int
    """How many there are."""

    def gathered(self, number: int) -> list[int]:
        """Gathers one number from every process, in order: all of them call this, and wait for each other."""
        ...

    def cut(self, array: Any, spec: P) -> Any:
        """Shards an array of the host or of the mesh as a spec says; in memory of its own."""
        ...

    def pieces(self, array: Any) -> list[tuple[tuple[int, ...], Array]]:
        """The shards of an array in this process, each once: where it begins, and a copy of it in host memory."""
        ...

    def assembled(self, dims: Sequence[int], dtype: DType, spec: P, read: Callable[[tuple[slice, ...]], Array]) -> Any:
        """Assembles an array that is sharded as a spec says, each shard as `read` returns it for its slices."""
        ...


# -- the machine -------------------------------------------------------------------------------------------------
LARGE_SPREAD = 0.2
"""A median run that is so much slower than the best says that something else uses the machine."""


@dataclass(frozen=True)
class Limits:
    """A device's peak speed, measured by loops that do nothing else: the best of many runs.

    >>> print(Limits(200.0, 40.0, 2, 0.02, 0.31))
    200 GFLOP/s (spread 2 %), 40 GB/s (spread 31 %)
    >>> Limits(200.0, 40.0, 2).warning is None
    True
    """

    gflops: float
    """Multiply-adds of f32 in registers, two operations each."""
    gigabytes: float
    """Reading memory, per second."""
    threads: int
    gflops_spread: float = 0.0
    """How far the median run was below the best, as a part of it."""
    gigabytes_spread: float = 0.0

    def __str__(self) -> str:
        arithmetic = f"{self.gflops:.0f} GFLOP/s (spread {100 * self.gflops_spread:.0f} %)"
        return f"{arithmetic}, {self.gigabytes:.0f} GB/s (spread {100 * self.gigabytes_spread:.0f} %)"

    @property
    def warning(self) -> str | None:
        """The warning where the runs differ so much that the best may not be the machine's limit."""
        spread = max(self.gflops_spread, self.gigabytes_spread)
        if spread < LARGE_SPREAD:
            return None
        return f"the speed varied by {100 * spread:.0f} %: other programs use this machine, and its limits may be higher"


# -- a device ----------------------------------------------------------------------------------------------------
class Backend(Protocol):
    """A device: it lowers graphs to LIR, compiles LIR to artifacts, and knows the machine they run on."""

    name: str
    arrays: DeviceArrays
    computes: bool
    """Whether it computes results; `null` only plans."""
    layouts: Mapping[str, WeightLayout]
    """Layouts that `rlx.layouts` does not have, by name: `DEVICE.NAME`."""
    specializes: bool
    """Whether it compiles a program for each set of sizes: whoever can keeps to a few of them. Devices that do not say it do not."""

    # for passes
    def claims(self, op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]) -> str | None:
        """None if the backend has a kernel for this op as it is, else the reason why not."""
        ...

    def layout_for(self, weights: tuple[Shape, ...], scheme: QuantScheme | None) -> WeightLayout | None:
        """The layout in which the backend's products read a weight; None: as it is. See `rlx.passes.entry.Claims`."""
        ...

    def passes(self, listed: Sequence[Pass], options: Options) -> Sequence[Pass]:
        """The list of passes (with what the caller added) as this device runs it: some left out, some added, see the report."""
        ...

    def commands(self, options: Options) -> Lowerer:
        """The backend's kernels as planning sees them."""
        ...

    def support(self, record: OpDef) -> str:
        """How the backend runs an op, as text for a table: native kernel, via decomposition …."""
        ...

    # compiling
    def lower(self, graph: Graph, options: Options, report: Report) -> Lir:
        """Lowers the graph through the backend's list of passes, whose last is the plan."""
        ...

    def compile(self, lir: Lir, options: Options, report: Report) -> Artifact:
        """Compiles the plan to an artifact."""
        ...

    def compile_as_planned(self, graph: Graph) -> Artifact:
        """Compiles a graph whose ops are all kernels of this device, without any pass: for tools that inspect single values."""
        ...

    def dequantized(self, scheme: QuantScheme, rows: Array) -> Array:
        """Dequantizes rows `[n, bytes]` of a GGUF type to f32 `[n, values]`, bit-exact."""
        ...

    # caching
    def key(self, *parts: str) -> str | None:
        """The disk cache key of an artifact made from these parts, on this machine; None if it is not cached."""
        ...

    def unpack(self, parts: Parts, symbols: Mapping[str, Symbol]) -> Artifact:
        """Reads an artifact from the bytes of `Artifact.pack`; the symbols are those of its graph."""
        ...

    def accept(self, artifact: Artifact, what: str) -> Backend:
        """The backend for the machine an artifact was made for; RLX407 if this one cannot run it."""
        ...

    # the machine
    def limits(self, seconds: float) -> Limits | None:
        """The device's peak speed, measured in about this many seconds; None if unknown."""
        ...

    def describe(self) -> Mapping[str, str]:
        """A description of the machine, row by row."""
        ...

    def set_threads(self, count: int | None) -> None:
        """Sets the number of threads of a run; None: all available cores."""
        ...

    def thread_count(self) -> int:
        """The number of threads of a run."""
        ...

    def tune(self, seconds: float) -> tuple[Knob, ...]:
        """Times kernel parameters on this machine and saves the best; empty if there is nothing to tune."""
        ...

    def listings(self, stage: str, thing: object) -> Mapping[str, str]:
        """Texts for RLX_DUMP of a device-specific stage, by file extension."""
        ...
