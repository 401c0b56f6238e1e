"""Pass: an entry of THE list, and what a caller adds to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from types import NoneType
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

from rlx.core.dim import Dim, Relation, Size, bind
from rlx.core.errors import RlxError, check_is
from rlx.core.precision import Precision, PrecisionPolicy
from rlx.core.quant_scheme import QuantScheme
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.graph import Graph, Node
from rlx.ir.op import Op
from rlx.ir.pattern import ValueMap, identity
from rlx.layouts.weight_layout import WeightLayout
from rlx.passes.prepared_analysis import prepared_nodes

PassResult = tuple[Graph, ValueMap]
"""The graph after a pass, and the map from the values of the graph before it."""
Function = Callable[[Graph, Any], Graph | PassResult]
"""What a pass does with a graph and the context; see `docs/levels.md`."""

NEEDED = {
    "always": "the program would have another meaning without it",
    "for kernels": "a device with a kernel for every op does not need it",
    "for speed": "no device needs it; the option `skip` takes these",
}
"""When a pass is needed, and why."""


@dataclass(frozen=True)
class Pass:
    """A compiler pass by name; `rlx.compile(graph, passes=[...])` inserts it into the list that `rlx passes` prints.

    `function(graph, context)` returns the new graph, or the graph and a map from old values to new ones. It builds graphs by
    `rlx.ir.rewrite.Rewriter` or by rules, and must not change its argument. The pass runs `after` or `before` the named pass, or
    first if both are None, also on the bodies of loops and branches. Disk cache keys contain the names and versions of such passes;
    without a version, which identifies the code, a program is not cached.

    >>> import numpy as np, rlx
    >>> from rlx.ir.pattern import Rules, op, rewrites
    >>> @rewrites(op("exp", op("log", "x")))
    ... def exp_of_log(at, x):
    ...     '''exp(log(x))  ->  x        for x > 0, which the caller knows'''
    ...     return x
    >>> tidy = rlx.Pass("exp of log", lambda graph, context: Rules(exp_of_log).apply(graph, "exp of log"), version="1", after="cse")
    >>> g = rlx.Graph("g"); x = g.input("x", (3,)); g.set_outputs({"y": g.exp(g.log(x))})
    >>> rlx.compile(g, passes=[tidy])(x=np.array([1, 2, 3], np.float32))
    array([1., 2., 3.], dtype=float32)
    """

    name: str
    function: Function
    version: str | int | None = None
    after: str | None = None
    before: str | None = None
    needed: str = "always"  # a key of NEEDED
    whole: bool = False  # runs on the full graph, not on bodies of loops and branches

    def __post_init__(self) -> None:
        check_is(self.name, str, "RLX406", "the name of a pass", "a str")
        for what, value, kinds in (
            ("version", self.version, (str, int, NoneType)),
            ("after", self.after, (str, NoneType)),
            ("before", self.before, (str, NoneType)),
        ):
            check_is(value, kinds, "RLX406", f"{what} of pass {self.name!r}", "a str, or None")
        function: Any = self.function
        if not callable(function):
            fix = "a function of a graph and the context that returns a graph"
            raise RlxError("RLX406", f"pass {self.name!r} has {function!r:.60} for a function", fix=fix)
        if self.after is not None and self.before is not None:
            message = f"pass {self.name!r} goes after {self.after!r} and before {self.before!r}"
            raise RlxError("RLX406", message, fix="one of both")
        if self.needed not in NEEDED:
            raise RlxError("RLX406", f"pass {self.name!r} is needed {self.needed!r}", fix=f"one of: {', '.join(NEEDED)}")

    @property
    def optional(self) -> bool:
        """Whether the option `skip` may leave the pass out."""
        return self.needed == "for speed"

    @property
    def docs(self) -> str:
        """The pass's effect, in one line."""
        return ((self.function.__doc__ or "").strip().splitlines() or [""])[0]

    def plain(self) -> dict[str, Any]:
        """The pass's fields except its code, as JSON data."""
        return {"name": self.name, "version": self.version, "after": self.after, "before": self.before}


def given_passes(passes: Any) -> tuple[Pass, ...]:
    """Normalizes the option `passes`: passes, functions under their own names, or the data of `Pass.plain`."""
    fix = "a list of rlx.Pass(name, function, …), or of functions of a graph and the context"
    check_is(passes, (list, tuple), "RLX406", "passes", fix)
    return tuple(_given_pass(one, fix) for one in passes)


def _given_pass(given: Any, fix: str) -> Pass:
    if isinstance(given, Pass):
        return given
    if isinstance(given, Mapping):
        return Pass(function=_gone(given["name"]), **given)
    if not callable(given):
        raise RlxError("RLX406", f"passes has {given!r:.60} in it", fix=fix)
    about: dict[str, Any] = {key: getattr(given, key, None) for key in ("name", "version", "after", "before")}
    return Pass(about.pop("name") or getattr(given, "__name__", type(given).__name__), given, **about)


def _gone(name: str) -> Function:
    """A function that raises, for a pass whose code a saved executable does not contain."""

    def refuse(graph: Graph, context: Any) -> Graph:
        message = f"the code of pass {name!r} is not in the file: it cannot be lowered again"
        raise RlxError("RLX406", message, fix="compile the graph again with the pass")

    return refuse


def added_to(listed: Sequence[Pass], passes: Sequence[Pass]) -> tuple[Pass, ...]:
    """Inserts a caller's passes into the list; those with the same anchor stay in the caller's order."""
    passes_now, first = list(listed), 0
    for one in passes:
        names = [known.name for known in passes_now]
        anchor = one.after if one.after is not None else one.before
        if one.name in names:
            raise RlxError("RLX406", f"there is a pass {one.name!r} already", fix="give each pass a name of its own")
        if anchor is not None and anchor not in names:
            where = "after" if one.before is None else "before"
            raise RlxError("RLX406", f"pass {one.name!r} goes {where} {anchor!r}, which is not a pass", fix=", ".join(names))
        index = first if anchor is None else names.index(anchor)
        if one.after is not None:
            index += 1
            while index < len(passes_now) and passes_now[index] in passes and passes_now[index].after == one.after:
                index += 1
        if "plan" in names and index > names.index("plan"):
            raise RlxError("RLX406", f"pass {one.name!r} goes after 'plan', which ends the list", fix="before='plan'")
        first += anchor is None
        passes_now.insert(index, one)
    return tuple(passes_now)


def checked_result(one: Pass, graph: Graph, result: Any) -> tuple[Graph, ValueMap | None]:
    """Verifies the graph that a caller's pass returned: it must be valid and have the same interface."""
    from rlx.ir.verify import verify  # only when a pass is added

    made, mapping = result if isinstance(result, tuple) and len(result) == 2 else (result, None)
    if not isinstance(made, Graph) or not isinstance(mapping, (dict, NoneType)):
        fix = "return the graph, also where nothing changed; or it and the map that Rewriter.finish() gives"
        raise RlxError("RLX406", f"pass {one.name!r} returned {type(result).__name__}, not a graph", fix=fix)
    try:
        verify(made)
    except RlxError as error:
        raise RlxError("RLX406", f"pass {one.name!r} made a graph that is not valid: {error.message}") from error
    for what, before, after in zip(
        ("input", "param", "state", "output", "update"), _interface(graph), _interface(made), strict=True
    ):
        for name in {**before, **after}:
            if before.get(name) != after.get(name):
                change = f"{before.get(name, 'missing')} before, {after.get(name, 'missing')} after"
                raise RlxError("RLX406", f"pass {one.name!r} changed the {what} {name!r}: {change}", fix="keep names and types")
    return made, mapping


def _interface(graph: Graph) -> list[dict[str, Any]]:
    leaves = (graph.inputs, graph.params, graph.states)
    results = (graph.output_refs, graph.updates)
    return [
        *({name: node.shape for name, node in kind.items()} for kind in leaves),
        *({name: graph.shape(ref) for name, ref in kind.items()} for kind in results),
    ]


# -- what is threaded through the pipeline: options, report, backend -------------------------------------------------


if TYPE_CHECKING:
    from rlx.ir.parse_lir import Lir
    from rlx.ir.pattern import Uses
    from rlx.plan.lowerer import Lowerer


class Device(Protocol):
    """The interface of a backend that passes use."""

    name: str

    def claims(self, op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]) -> str | None:
        """Returns None if the backend has a kernel for this op, else the reason why not."""
        ...

    def layout_for(self, weights: tuple[Shape, ...], scheme: QuantScheme | None) -> WeightLayout | None:
        """The layout in which the backend's matmuls read a weight; None: row-major.

        The weight is a dense matrix `[k, n]`, experts `[e, k, n]`, two matrices that multiply the same rows, or the rows a scheme stores.
        """
        ...

    def passes(self, listed: Sequence[Pass], options: Options) -> Sequence[Pass]:
        """The pass list for this device, with passes left out or added."""
        ...

    def commands(self, options: Options) -> Lowerer:
        """The backend's lowering of ops to commands, for the plan."""
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

    `precision` takes a PrecisionPolicy or its name, `store_params` a Precision or its name; both are stored by name.

    `strict` makes each implicit choice of the compiler RLX405, with the user's line. The kinds of choices are in
    `rlx.core.report.CHOICES`: a cast by promotion or by a precision policy, a param stored in another dtype, a copy that a kernel
    needs in every run, a kernel that does not take the op unchanged, activations rounded by quant_mode="fast", Python called in a
    run, and with `rlx.jit` a version for some sizes alone. Packing weights in a device's layout is not such a choice: the numbers
    stay the same, and are packed once.

    `batch_invariant` gives each row of a matmul the same bits for every number of rows and threads, fixed or symbolic: a row's
    result does not depend on the rest of the batch. docs/performance.md lists the cost.

    `excess_precision=False` rounds the result of each op to its dtype, as a run op by op does. By default a kernel of several ops on f16 or
    bf16 computes in f32 and rounds what it stores. Sums inside an op stay f32 either way. docs/decisions/0013-numerics.md has numbers.
    """

    fuse: bool = True
    assert_fusion_clean: bool = False
    fold_elements: int = 1 << 16
    strict: bool = False  # implicit choices are errors
    trap_nan: bool = False  # stop at the first NaN or infinity; nothing is fused or runs in place
    precision: str = "always_f32"
    store_params: str = "f32"
    quant_mode: str = "fast"  # matmuls with packed weights: "fast" rounds activations to 8 bits per block, "exact" does not
    batch_invariant: bool = False  # matmuls sum along k in one order: a row's bits do not depend on the number of rows
    excess_precision: bool = True  # f16 and bf16 stay f32 between the ops of one kernel; False rounds each op's result
    skip: tuple[str, ...] = ()  # optional passes to leave out
    passes: tuple[Pass, ...] = ()  # the caller's passes: rlx.Pass, or functions of a graph and the context

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
        """All options as text, for names of cache entries."""
        return repr(sorted(self.plain().items()))

    def plain(self) -> dict[str, Any]:
        """All options as data, with a caller's passes without their code."""
        return {**asdict(replace(self, passes=())), "passes": [one.plain() for one in self.passes]}

    @property
    def unversioned(self) -> str | None:
        """The name of a pass without a version; then compiled code is not cached under its name."""
        return next((one.name for one in self.passes if one.version is None), None)

    @property
    def policy(self) -> PrecisionPolicy:
        """The precision of each kind of op."""
        return PrecisionPolicy.parse(self.precision)


@dataclass
class Context:
    """The state of one compilation that passes share: options, report, value map, and the graphs made so far."""

    backend: Device
    options: Options = field(default_factory=Options)
    report: Report = field(default_factory=Report)
    passes: tuple[Pass, ...] = ()  # the list for this device and these options
    claimed: dict[Any, str | None] = field(default_factory=dict)  # cached answers of the backend
    packed: set[str] = field(default_factory=set)  # params that hold the packed numbers of a scheme
    source: Graph | None = field(default=None, init=False)  # the graph before the first pass
    map: ValueMap = field(default_factory=dict, init=False)  # from the source's values to the current ones
    prepare: Graph | None = field(default=None, init=False)  # the prepare graph of split_prepare
    lir: Lir | None = field(default=None, init=False)  # the result of plan
    _uses: Uses | None = field(default=None, init=False)  # of the last graph
    _prepared: tuple[Graph, set[int]] | None = field(default=None, init=False)

    def uses(self, graph: Graph) -> Uses:
        """The readers of each value of a finished graph, and which values leave it; cached for all rules."""
        from rlx.ir.pattern import Uses  # not imported if the code comes from a cache

        if self._uses is None or self._uses.graph is not graph:
            self._uses = Uses(graph)
        return self._uses

    def prepared(self, graph: Graph) -> set[int]:
        """Ids of the nodes that depend on params and constants alone; cached for all rules."""
        if self._prepared is None or self._prepared[0] is not graph:
            self._prepared = graph, prepared_nodes(graph)
        return self._prepared[1]

    def report_fusion(self, stage: str, what: str, node: Node) -> None:
        """Reports a fusion."""
        self.report.add(stage, "fused", what, node.origin)

    def report_miss(self, stage: str, reason: str, what: str, node: Node) -> None:
        """Reports a missed fusion with the reason; an error under assert_fusion_clean."""
        self.report.add(stage, "not fused", f"{reason}: {what}", node.origin)
        if self.options.assert_fusion_clean:
            raise RlxError("RLX405", f"{what} did not fuse: {reason}", at=node.origin.location)


# -- assumptions: symbols that the user stated to be equal become one, so that every later comparison is plain -------


def assumptions(graph: Graph, context: Context) -> PassResult:
    """assume a == 2*b: f32[a, 4]  ->  f32[2*b, 4]        where one side is a symbol alone; the rest stays as it is"""
    for fact in graph.assumptions:
        solved = _solve(fact.left, fact.right) if fact.kind == "==" else None
        if solved is not None:
            name, size = solved
            context.report.add("assumptions", "symbol", f"{name} is {size}, as assumed")
            known = {name: size}
            others = [Relation(other.kind, bind(other.left, known), bind(other.right, known)) for other in graph.assumptions]
            graph = graph.bind(known)
            graph.assumptions = [other for other in others if not (other.kind == "==" and other.left == other.right)]
            rest, _ = assumptions(graph, context)
            return rest, identity(graph)
    return graph, identity(graph)


def _solve(left: Size, right: Size) -> tuple[str, Size] | None:
    """Solves an equation for a symbol that is alone on one side and absent from the other."""
    for one, other in ((left, right), (right, left)):
        symbol = one.symbol if isinstance(one, Dim) else None
        if symbol is not None and not (isinstance(other, Dim) and symbol in other.symbols()):
            return symbol.name, other
    return None


# -- which passes the device `xla` does without ----------------------------------------------------------------------


LEFT_TO_XLA = frozenset({"rounding", "expand", "fuse contraction", "fuse regions", "layout"})
"""Passes that XLA does better, or that make parts for kernels it does not have."""
