"""Defaults for simple devices: nothing to cache, nothing to tune, one command for each node.

`Plain`, `PlainArtifact` and `PlainRunner` implement the parts of the protocol that such a device does not need; it overrides
what it does differently.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn, Self

import numpy as np

from rlx.backends.base import Array, Artifact, Limits, Parts
from rlx.backends.knob import Knob
from rlx.core.aligned import aligned_copy, aligned_empty
from rlx.core.dim import LARGEST_SIZE, Size, Symbol, evaluate
from rlx.core.dtype import DType
from rlx.core.errors import RlxError, count_of
from rlx.core.quant_scheme import QuantScheme
from rlx.core.report import Decision, Report
from rlx.core.shape import Shape
from rlx.core.sharding import ShardingTable
from rlx.ir.graph import Graph, all_shapes
from rlx.ir.op import Op, OpDef
from rlx.ir.parse_lir import Lir, Place
from rlx.layouts.weight_layout import WeightLayout
from rlx.passes.entry import Options, Pass
from rlx.passes.prepared_analysis import Derivation

# -- arrays in the host's memory: what devices use that compute there ------------------------------------------------


class HostArrays:
    """NumPy arrays as the device arrays of the host, aligned to a cache line."""

    name = "host"
    is_host = True

    def empty(self, dims: Sequence[int], dtype: DType) -> Array:
        """A NumPy array with any content."""
        return aligned_empty(dims, dtype.numpy)

    def upload(self, array: Array) -> Array:
        """A copy of an array that nobody else writes to."""
        return aligned_copy(array)

    def download(self, array: Any) -> Array:
        """The array itself: it is in the host's memory."""
        return np.asarray(array)

    def write(self, target: Array, source: Array) -> None:
        """Copies into a NumPy array."""
        np.copyto(target, source)

    def shares(self, first: Array, second: Array) -> bool:
        """Whether the memory bounds of two arrays overlap."""
        return np.may_share_memory(first, second)

    def from_dlpack(self, value: Any) -> Array | None:
        """The same memory as a NumPy array, if it is the host's and NumPy has its dtype."""
        try:
            return np.from_dlpack(value)
        except Exception:  # the object's own conversion can raise anything
            return None

    def on_mesh(self, table: ShardingTable) -> NoReturn:
        """Raises an error: the host is one device."""
        raise RlxError("RLX403", f"a mesh of {table.mesh.size} devices in the host's memory", fix="device='xla'")


class Plain:
    """A device in host memory that takes every op as it is and caches nothing."""

    name = "plain"
    arrays = HostArrays()
    computes = True
    layouts: Mapping[str, WeightLayout] = {}
    specializes = False

    def claims(self, op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]) -> str | None:
        """Every op is taken as it is."""
        return None

    def layout_for(self, weights: tuple[Shape, ...], scheme: QuantScheme | None) -> WeightLayout | None:
        """Weights are read as they are."""
        return None

    def support(self, record: OpDef) -> str:
        """How an op runs: by its reference, or lowered first."""
        return "reference" if record.reference is not None else "lowered first"

    def passes(self, listed: Sequence[Pass], options: Options) -> Sequence[Pass]:
        """The passes of a single program that computes everything: nothing is cut off for a prepare program."""
        return [one for one in listed if one.name != "split_prepare"]

    def commands(self, options: Options) -> OneCommandEach:
        """Commands for planning: each node is one command."""
        return OneCommandEach(self.name)

    def lower(self, graph: Graph, options: Options, report: Report) -> Lir:
        """Lowers a graph through the list of passes."""
        from rlx.passes.pipeline import lower

        return lower(graph, self, options, report)

    def dequantized(self, scheme: QuantScheme, rows: Array) -> Array:
        """Dequantizes with the NumPy definition of the type."""
        from rlx.layouts.gguf_blocks import dequantize_rows

        return dequantize_rows(scheme.detail, rows)

    def key(self, *parts: str) -> str | None:
        """None: compiling is quick, so nothing is cached."""
        return None

    def unpack(self, parts: Parts, symbols: Mapping[str, Symbol]) -> Artifact:
        """Raises an error: nothing is cached, so there is nothing to unpack."""
        raise RlxError("RLX403", f"an executable for {self.name!r} cannot be stored on disk", fix="compile it for 'cpu'")

    def accept(self, artifact: Artifact, what: str) -> Any:
        """The backend itself: nothing comes from another machine."""
        return self

    def limits(self, seconds: float) -> Limits | None:
        """None: the peak speed is unknown."""
        return None

    def describe(self) -> dict[str, str]:
        """No description of the machine."""
        return {}

    def set_threads(self, count: int | None) -> None:
        """Ignores the number of threads: a run has one."""

    def thread_count(self) -> int:
        """1: a run has one thread."""
        return 1

    def tune(self, seconds: float) -> tuple[Knob, ...]:
        """Nothing to tune here."""
        return ()

    def listings(self, stage: str, thing: object) -> dict[str, str]:
        """No device-specific stages to dump."""
        return {}


# -- planning ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class _Stage:
    name: str
    operands: tuple[int, ...]
    units: Size = 1
    scratch: Size = 0
    key: Hashable = None
    reads: tuple[int, ...] = ()


@dataclass(frozen=True)
class _PlainLowering:
    stages: tuple[_Stage, ...]
    temporaries: tuple[Any, ...] = ()
    in_place: tuple[tuple[int, int], ...] = ()


class OneCommandEach:
    """Planning with one command per node; traps are the runner's job."""

    traps = False

    def __init__(self, name: str) -> None:
        self.name = name

    def lower(self, op: Op, inputs: tuple[Place | None, ...], outputs: tuple[Place, ...]) -> _PlainLowering:
        """Lowers an op to one command: the op itself."""
        return _PlainLowering((_Stage(op.name, tuple(range(len(inputs) + len(outputs)))),))

    def copy(self, source: Place, target: Place) -> _PlainLowering:
        """Lowers a copy to one command."""
        return _PlainLowering((_Stage("copy", (0, 1)),))

    def trap(self, name: str, place: Place) -> None:
        """No command: the runner checks traps."""
        return


# -- running -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class PlainArtifact:
    """A plan that is run as it is, in this process; a device adds `runners`."""

    lir: Lir
    options: Options
    decisions: tuple[Decision, ...] = ()

    made_for: ClassVar[str] = "this process"
    host_calls: ClassVar[tuple[str, ...]] = ()
    prepared: ClassVar[Mapping[str, Shape]] = {}
    derivations: ClassVar[Mapping[str, Derivation]] = {}
    donations: ClassVar[tuple[tuple[str, str], ...]] = ()

    @property
    def memory(self) -> dict[str, Size]:
        """The memory of the plan that is interpreted."""
        return {"arena": self.lir.arena, "scratch": self.lir.scratch}

    def summary(self) -> dict[str, str]:
        """A summary of one program: the schedule."""
        return {"main": f"{count_of(len(self.lir.commands), 'command')}, {count_of(self.lir.views, 'view')}"}

    def pack(self) -> Parts | None:
        """None: nothing is stored."""
        return None


class PlainRunner:
    """Holds the memory of params and states by name; a device adds `run` and `profiled`."""

    threads = 1

    def __init__(self, artifact: PlainArtifact) -> None:
        self.artifact = artifact
        self.graph = artifact.lir.graph
        self.memory: dict[str, Array] = {}

    def clone(self) -> Self:
        """Another runner, with nothing attached."""
        return type(self)(self.artifact)

    def uses(self, name: str) -> bool:
        """Whether the graph has a param or state of this name."""
        return name in self.graph.params or name in self.graph.states

    def attach(self, name: str, array: Array) -> None:
        """Attaches the memory of a param or a state."""
        self.memory[name] = array

    def detach(self, name: str) -> None:
        """Detaches the memory of a name."""
        self.memory.pop(name, None)

    def release(self) -> None:
        """Releases everything attached."""
        self.memory.clear()

    def fits(self, sizes: Mapping[str, int]) -> bool:
        """Whether every value has fewer than 2**63 bytes."""
        return all(evaluate(shape.size_bytes, sizes) <= LARGEST_SIZE for shape in all_shapes(self.graph))

    def again(self, inputs: Sequence[object], outputs: Sequence[object]) -> bool:
        """False: every run is checked step by step."""
        return False
