"""What is threaded through the pipeline: options, report, backend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from types import NoneType
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

from rlx.core.argument_checks import check_is
from rlx.core.errors import RlxError
from rlx.core.precision import Precision, PrecisionPolicy
from rlx.core.quant_scheme import QuantScheme
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.graph import Graph, Node
from rlx.ir.op import Op
from rlx.ir.pattern import ValueMap
from rlx.passes.entry import Pass, given_passes
from rlx.passes.prepared_analysis import prepared_nodes

if TYPE_CHECKING:
    from rlx.ir.parse_lir import Lir
    from rlx.ir.pattern import Uses
    from rlx.plan.lowerer import Lowerer


class Device(Protocol):
    """What passes ask of a backend."""

    name: str

    def claims(self, op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]) -> str | None:
        """None when the backend has a kernel for this op as it stands, else the reason it has not."""
        ...

    def layout_for(self, weights: tuple[Shape, ...], scheme: QuantScheme | None) -> str | None:
        """The layout in which its products read a weight; None: as it is.

        The weight is a dense matrix `[k, n]`, experts `[e, k, n]`, two matrices that multiply the same rows, or the rows a scheme stores.
        """
        ...

    def passes(self, listed: Sequence[Pass], options: Options) -> Sequence[Pass]:
        """THE list (with what the caller added) as this device runs it: some left out, some added."""
        ...

    def commands(self, options: Options) -> Lowerer:
        """Its kernels as planning sees them."""
        ...


OPTIONAL = ("fold", "cse", "fuse attention", "fuse contraction", "fuse regions", "layout", "split_prepare")
"""Passes a graph can do without: they only make it faster."""


class OptionNames(TypedDict, total=False):
    """The keyword arguments that become `Options`, for type checkers."""

    fuse: bool
    assert_fusion_clean: bool
    fold_elements: int
    strict: bool
    trap_nan: bool
    precision: str | PrecisionPolicy
    store_params: str | Precision | None
    quant_mode: str | None
    batch_invariant: bool
    excess_precision: bool
    skip: Sequence[str]
    passes: Sequence[Any]


@dataclass(frozen=True)
class Options:
    """How to compile. Plain data: part of the cache key, and written with saved executables.

    `precision` takes a PrecisionPolicy or its name, `store_params` a Precision; both are kept by name.

    `strict` takes the program at its word: what it does not say is RLX405, with the user's line. That is each kind of
    `rlx.core.report.CHOICES`: a cast by promotion or by a precision policy, a param stored in another dtype, a copy that a kernel
    needs in every run, a kernel that does not take the op as it stands, activations rounded by quant_mode="fast", Python called in
    a run, and with `rlx.jit` a version for some sizes alone. Weights in a device's layout are no such choice: the same numbers, laid
    out once.

    `batch_invariant` gives each row of a product the same bits whatever the number of rows and threads, fixed or symbolic: what a
    caller gets does not depend on who else is in the batch. docs/performance.md says what it costs.

    `excess_precision=False` rounds the result of each op to its dtype, as a run op by op does. By default a kernel of several ops on f16 or
    bf16 computes in f32 and rounds what it stores. Sums inside an op stay f32 either way. docs/decisions/0013-numerics.md has numbers.
    """

    fuse: bool = True
    assert_fusion_clean: bool = False
    fold_elements: int = 1 << 16
    strict: bool = False  # silent choices are errors
    trap_nan: bool = False  # stop at the first NaN or infinity; nothing is fused or runs in place
    precision: str = "always_f32"
    store_params: str = "f32"
    quant_mode: str = "fast"  # products of packed weights: "fast" rounds activations to 8 bits per block, "exact" does not
    batch_invariant: bool = False  # products sum along k in one order: a row's bits do not depend on how many rows there are
    excess_precision: bool = True  # f16 and bf16 stay f32 between the ops of one kernel; False rounds each op's result
    skip: tuple[str, ...] = ()  # passes left out, of those that only make a graph faster
    passes: tuple[Pass, ...] = ()  # those of the caller: rlx.Pass, or functions of a graph and the context

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = getattr(self, entry.name)
            if entry.type == "bool" and not isinstance(value, bool):
                raise RlxError("RLX406", f"{entry.name} is {value!r:.60}", fix="True or False")
            if entry.name in ("quant_mode", "store_params"):
                check_is(value, (str, Precision, NoneType), "RLX406", entry.name, f"a name, such as {entry.default!r}")
        if self.quant_mode not in ("fast", "exact"):
            fix = "'fast' (8-bit activations in products of packed weights) or 'exact'"
            raise RlxError("RLX406", f"quant_mode {self.quant_mode!r}", fix=fix)
        unknown = [name for name in self.skip if name not in OPTIONAL]
        if unknown:
            raise RlxError("RLX406", f"pass {unknown[0]!r} cannot be left out", fix=f"one of: {', '.join(OPTIONAL)}")
        object.__setattr__(self, "skip", tuple(self.skip))
        object.__setattr__(self, "passes", given_passes(self.passes))
        object.__setattr__(self, "precision", str(PrecisionPolicy.parse(self.precision)))
        object.__setattr__(self, "store_params", Precision.of(self.store_params or "f32").value)

    @property
    def key(self) -> str:
        """Everything that was chosen, for names of cache entries."""
        return repr(sorted(self.plain().items()))

    def plain(self) -> dict[str, Any]:
        """Everything that was chosen, as data: a caller's passes without their code."""
        return {**asdict(replace(self, passes=())), "passes": [one.plain() for one in self.passes]}

    @property
    def unversioned(self) -> str | None:
        """A pass whose code no version stands for: then nothing is kept by its name."""
        return next((one.name for one in self.passes if one.version is None), None)

    @property
    def policy(self) -> PrecisionPolicy:
        """The precision of each kind of op."""
        return PrecisionPolicy.parse(self.precision)


@dataclass
class Context:
    """Options in, report out; and how far a graph has come on the list."""

    backend: Device
    options: Options = field(default_factory=Options)
    report: Report = field(default_factory=Report)
    passes: tuple[Pass, ...] = ()  # the list for this device and these options
    claimed: dict[Any, str | None] = field(default_factory=dict)  # the backend's answers so far
    packed: set[str] = field(default_factory=set)  # params that hold the packed numbers of a scheme
    source: Graph | None = field(default=None, init=False)  # the graph that the passes began with
    map: ValueMap = field(default_factory=dict, init=False)  # where its values are now
    prepare: Graph | None = field(default=None, init=False)  # what split_prepare cut off
    lir: Lir | None = field(default=None, init=False)  # what plan made
    _uses: Uses | None = field(default=None, init=False)  # of the graph asked about last
    _prepared: tuple[Graph, set[int]] | None = field(default=None, init=False)

    def uses(self, graph: Graph) -> Uses:
        """Who reads each value of a finished graph, and which values leave it: computed once for all rules."""
        from rlx.ir.pattern import Uses  # not needed where the code comes from a cache

        if self._uses is None or self._uses.graph is not graph:
            self._uses = Uses(graph)
        return self._uses

    def prepared(self, graph: Graph) -> set[int]:
        """Ids of the nodes that depend on params and constants alone: computed once for all rules."""
        if self._prepared is None or self._prepared[0] is not graph:
            self._prepared = graph, prepared_nodes(graph)
        return self._prepared[1]

    def fused(self, stage: str, what: str, node: Node) -> None:
        """Note a fusion."""
        self.report.add(stage, "fused", what, node.origin)

    def not_fused(self, stage: str, reason: str, what: str, node: Node) -> None:
        """Note a fusion that could have been, and why it is not; an error under assert_fusion_clean."""
        self.report.add(stage, "not fused", f"{reason}: {what}", node.origin)
        if self.options.assert_fusion_clean:
            raise RlxError("RLX405", f"{what} did not fuse: {reason}", at=node.origin.location)
