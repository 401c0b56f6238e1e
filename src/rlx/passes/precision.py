"""precision: ops are stored in 16 bits as the policy says; every cast is a node, made once and fused into its neighbours later."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from rlx.core.aligned import Array
from rlx.core.dtype import DType, cast_array, f32
from rlx.core.enums import OpKind
from rlx.core.errors import RlxError, count_of
from rlx.core.precision import Precision, PrecisionPolicy
from rlx.core.report import Report
from rlx.ir.attributes import ArrayValue
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS
from rlx.ir.pattern import Rewriter, Uses, compose, identity, op
from rlx.ir.value import Value, one
from rlx.passes.entry import Context, PassResult
from rlx.passes.prepared_analysis import prepared_nodes

STAGE = "precision"
SELECTION = op(("gather", "dynamic_slice", "narrow", "slice", "split", "take_along_axis"))
LOWERED = op("cast", to=lambda dtype: dtype.is_low_float)
JOINED, BRANCHES = op("concat"), op("if")
LOOKUP, WEIGHT_VIEWS = op("gather"), op(("transpose", "reshape", "narrow"))
WEIGHT_RANKS = {"matmul": 2, "grouped_matmul": 3}
"""The matmul ops whose weights `layout` packs, and the ranks of the weights."""
INVARIANT: Mapping[str, Callable[[Node], range]] = {
    "scan": lambda node: range(node.op["num_carry"], node.op["num_carry"] + node.op["num_bcast"]),
    "while": lambda node: range(len(node.inputs) - node.op["num_bcast"], len(node.inputs)),
}
"""By loop op, the operands that every step reads in full and does not change."""
LOOP = op(INVARIANT)
_MOVES = (OpKind.Elementwise, OpKind.DataMovement)
ORDERS = op(("sort", "top_k"))
CAST = op("cast")


# -- what the precision pass leaves in f32 whatever the policy says, and why ---------------------------------------------


@dataclass(frozen=True)
class Facts:
    """Node ids by the origin and the destination of their values, which decide their precision."""

    data: frozenset[int]  # nodes that depend on a user's float, unlike positions, angles, masks, random numbers
    states: frozenset[int]  # states, and data movement of states
    masters: frozenset[int]  # on an elementwise path from a state or an updated param to an update

    @staticmethod
    def of(graph: Graph) -> Facts:
        """Computes the facts of a graph."""

        def flow(starts: Callable[[Node], bool], passes: Callable[[Node], bool]) -> set[int]:
            """The leaves that satisfy `starts`, and every node that `passes` on a value it reads from them."""
            reached: set[int] = set()
            for node in graph.nodes:
                leaf = node.op.definition.leaf
                if starts(node) if leaf else passes(node) and any(ref.node in reached for ref in node.refs):
                    reached.add(node.id)
            return reached

        def is_stored(node: Node) -> bool:
            return node.op.is_state or (node.op.is_param and node.op["name"] in graph.updates)

        data = flow(lambda node: node.shape.dtype.is_float and not node.op.is_constant, lambda node: True)
        states = flow(lambda node: node.op.is_state, lambda node: node.op.definition.kind is OpKind.DataMovement)
        stored = flow(is_stored, lambda node: node.op.definition.kind in _MOVES)
        reach = {ref.node for ref in graph.updates.values()}
        for node in reversed(graph.nodes):
            if node.id in reach and node.op.definition.kind in _MOVES:
                reach.update(ref.node for ref in node.refs)
        return Facts(frozenset(data), frozenset(states), frozenset(stored & reach))


def keep_reason(node: Node, graph: Graph, facts: Facts) -> str | None:
    """The reason why a node keeps its dtypes; None if the policy decides, "" if there is nothing to decide."""
    record = node.op.definition
    values = _value_operands(node)
    if CAST.made_by(node) or _inexact({graph.shape(ref).dtype for _, ref in values}) != {f32}:
        return ""
    if record.keeps_f32 or record.family == "custom":
        return record.keeps_f32 or "a registered op"
    if node.id not in facts.data:
        return "computed from constants and integers alone"
    tensors = {ref.node for name, ref in values if name != "state"}
    if node.id in facts.masters or (record.kind is not OpKind.Elementwise and tensors & facts.states):
        return "it reads a state, which keeps its dtype"
    return None


def _value_operands(node: Node) -> list[tuple[str, Ref]]:
    """The operands that hold numbers, by their record names: not indices, masks or packed bytes."""
    operands = [(node.op.definition.operand(i), ref) for i, ref in enumerate(node.inputs) if ref is not None]
    return [(operand.name, ref) for operand, ref in operands if operand.role == "value"]


def _inexact(dtypes: set[DType]) -> set[DType]:
    return {dtype for dtype in dtypes if dtype.category in ("float", "complex", "f8")}


def reads_as_is(node: Node) -> bool:
    """Whether an op compares or sorts: it does not round, and rounding its operands would make ties."""
    return ORDERS.made_by(node) or not any(shape.dtype is f32 for shape in node.results)


def precision(graph: Graph, context: Context) -> PassResult:
    """add(f32 x, f32 y)  ->  add(cast(x, f16), cast(y, f16))        as the options `precision` and `store_params` ask"""
    return AutoMixedPrecision(context.options.policy, Precision.of(context.options.store_params))(graph, context)


class AutoMixedPrecision:
    """add(f32 x, f32 y)  ->  add(cast(x, f16), cast(y, f16))        for ops of a kind the policy lowers; outputs are cast back

    Inputs, params, states, outputs and carries keep their dtype, as do ints, bools, packed bytes and f64; casts of the user stay.
    `keep_reason` says what else stays f32.

    >>> import rlx
    >>> g = rlx.Graph("g"); x = g.input("x", (2, 4)); g.set_outputs({"y": x @ g.param("w", (4, 3))})
    >>> mixed = rlx.compat.AutoMixedPrecision(rlx.PrecisionPolicy.AutoMixedBf16).run(g)
    >>> [str(node.shape) for node in mixed.nodes if node.op.name == "matmul"]
    ['bf16[2, 3]']
    """

    name = "auto_mixed_precision"

    def __init__(self, policy: PrecisionPolicy | str | None, store_params: Precision = Precision.F32) -> None:
        self.policy, self.store_params = PrecisionPolicy.parse(policy), store_params

    def run(self, graph: Graph) -> Graph:
        """Rewrites the graph in mixed precision, without a context."""
        return self._lower_graph(graph, Report())[0]

    def __call__(self, graph: Graph, context: Context) -> PassResult:
        """Rewrites the graph in mixed precision; also returns the value map."""
        return self._lower_graph(graph, context.report)

    def _lower_graph(self, graph: Graph, report: Report) -> PassResult:
        total = identity(graph)
        if self.store_params is not Precision.F32:
            graph, step = store_low(graph, report, self.store_params.dtype)
            total = compose(total, step)
        if not self.policy.is_noop:
            graph, step = _Lowering(graph, self.policy, report).run()
            total = compose(total, step)
        return graph, total


class _Lowering:
    """One rewrite to mixed precision: the map holds each value in its compute dtype, `at` casts it to another."""

    def __init__(self, graph: Graph, policy: PrecisionPolicy, report: Report) -> None:
        self.graph, self.policy, self.report = graph, policy, report
        self.rewriter = Rewriter(graph, STAGE)
        self.facts = Facts.of(graph)
        self.prepared = prepared_nodes(graph)
        self.casts: dict[tuple[Ref, DType], Ref] = {}

    def run(self) -> PassResult:
        for node in self.graph.nodes:
            if node.op.definition.leaf:
                self.rewriter.copy(node)
            elif any(True for _ in node.op.graphs()):
                self._enter_bodies(node)
            else:
                self._lower(node)
        made, mapping = self.rewriter.finish()
        made.output_refs = {name: self.at(ref, self.graph.shape(ref).dtype) for name, ref in self.graph.output_refs.items()}
        made.updates = {name: self.at(ref, self.graph.shape(ref).dtype) for name, ref in self.graph.updates.items()}
        return made, mapping

    # -- one node
    def _lower(self, node: Node) -> None:
        """op(f32 x, …) -> op(cast(x, low), …) where the policy and the facts allow it, else op on the original dtypes"""
        chosen = self.policy.precision_for(node.op.definition.kind).dtype
        kind = node.op.definition.kind
        reason = keep_reason(node, self.graph, self.facts)
        if reason is None and (reads_as_is(node) or (kind is OpKind.DataMovement and chosen is f32)):
            self._emit(node, self._common(node))
        elif reason is None and self._selects_from_f32(node):
            self._emit(node, f32)
        elif reason is None and chosen is not f32 and self._accepts(node, chosen):
            self._emit(node, chosen)
        else:
            if reason:
                self.report.add(STAGE, "kept", f"{node.op.name} stays f32: {reason}", node.origin)
            self._emit(node, f32)

    def _emit(self, node: Node, dtype: DType) -> None:
        inputs = [
            None if ref is None else self.at(ref, dtype if self._changes(node, i) else self._own(ref))
            for i, ref in enumerate(node.inputs)
        ]
        same = all(
            ref is None or new is None or self._type(new) is self._own(ref) for ref, new in zip(node.inputs, inputs, strict=True)
        )
        results = node.results if same else None
        made = self.rewriter.graph.add_node(node.op, inputs, results=results, name=node.name, origin=node.origin)
        self.rewriter.replace(node, made.outputs)

    def _changes(self, node: Node, index: int) -> bool:
        """Whether an operand follows the op's precision: an f32 value that is neither a table nor a state."""
        operand, ref = node.op.definition.operand(index), node.inputs[index]
        follows = operand.role == "value" and operand.name not in ("state", "cos", "sin")
        return follows and ref is not None and self._own(ref) is f32 and not CAST.made_by(node)

    def _common(self, node: Node) -> DType:
        """The common dtype of the operands, or f32 if they differ."""
        dtypes = {
            self._type(self.rewriter.ref(ref)) for i, ref in enumerate(node.inputs) if ref is not None and self._changes(node, i)
        }
        return dtypes.pop() if len(dtypes) == 1 else f32

    def _selects_from_f32(self, node: Node) -> bool:
        """Whether the node is a gather from an f32 x that is not a weight: the result is cast instead of x."""
        selects = SELECTION.made_by(node) and node.refs[0].node not in self.prepared
        return selects and self._type(self.rewriter.ref(node.refs[0])) is f32

    def _accepts(self, node: Node, dtype: DType) -> bool:
        """Whether the op returns results of that dtype for operands of it."""
        shapes = [
            None if ref is None else self.graph.shape(ref).with_dtype(dtype if self._changes(node, i) else self._own(ref))
            for i, ref in enumerate(node.inputs)
        ]
        try:
            return node.op.infer(shapes, self.graph.assumptions)[0].dtype is dtype
        except RlxError:
            return False

    # -- dtypes and casts
    def _own(self, ref: Ref) -> DType:
        return self.graph.shape(ref).dtype

    def _type(self, ref: Ref) -> DType:
        return self.rewriter.graph.shape(ref).dtype

    def at(self, old: Ref, dtype: DType) -> Ref:
        """A value in a dtype: unchanged, a converted constant, or a cast that all readers share."""
        return self._as(self.rewriter.ref(old), dtype, old.node in self.prepared)

    def _as(self, new: Ref, dtype: DType, weight: bool) -> Ref:
        if self._type(new) is dtype:
            return new
        if (new, dtype) not in self.casts:
            self.casts[new, dtype] = self._cast(new, dtype, weight)
        return self.casts[new, dtype]

    def _cast(self, new: Ref, dtype: DType, weight: bool) -> Ref:
        producer = self.rewriter.graph.node(new)
        if weight and JOINED.made_by(producer):  # concatenated weights are split later: their parts are cast
            return self.rewriter.emit(producer.op, [self._as(ref, dtype, weight) for ref in producer.refs], producer).ref
        if producer.op.is_constant:
            op = OPS["constant"].op(value=ArrayValue(near_constant(producer.op["value"].array, dtype)))
            return self.rewriter.emit(op, (), producer).ref
        if CAST.made_by(producer) and self._type(producer.refs[0]) is dtype and dtype.is_low_float and self._type(new) is f32:
            return producer.refs[0]  # low -> f32 -> low is exact
        self.report.add(STAGE, "cast", f"{producer.op.name} {self.rewriter.graph.shape(new)} to {dtype}", producer.origin)
        return self.rewriter.emit(OPS["cast"].op(to=dtype), [new], producer).ref

    # -- bodies
    def _enter_bodies(self, node: Node) -> None:
        """scan(…){ body }  ->  scan(…){ body in mixed precision }        its inputs and outputs, and so the carries, keep their dtype

        A weight that every step would cast is cast once outside.
        """
        inner = AutoMixedPrecision(self.policy)
        bodies = {role: inner._lower_graph(body, self.report)[0] for role, body in node.op.graphs()}
        inputs = [None if ref is None else self.at(ref, self._own(ref)) for ref in node.inputs]
        first = 1 if BRANCHES.made_by(node) else 0  # of the operands that the bodies read
        for position in INVARIANT[node.op.name](node) if LOOP.made_by(node) else ():
            ref = node.inputs[position]
            if ref is None or ref.node not in self.prepared:
                continue
            dtypes = {cast_inside(body, position - first) for body in bodies.values()} - {"unused"}
            if len(dtypes) == 1 and (dtype := dtypes.pop()) is not None:
                bodies = {role: retype_input(body, position - first, DType.of(dtype)) for role, body in bodies.items()}
                inputs[position] = self.at(ref, DType.of(dtype))
        op = node.op.with_attrs(**{role: body.freeze() for role, body in bodies.items()})
        made = self.rewriter.graph.add_node(op, inputs, name=node.name, origin=node.origin)
        self.rewriter.replace(node, made.outputs)


def cast_inside(body: Graph, position: int) -> str | None:
    """The low dtype that all readers cast an input to; None if they do not, "unused" without readers."""
    leaf = list(body.inputs.values())[position]
    readers = body.users().get(leaf.ref, [])
    dtypes = {node.op["to"].name if LOWERED.made_by(node) else None for node in readers}
    if leaf.ref in body.output_refs.values() or leaf.shape.dtype is not f32 or len(dtypes) > 1:
        return None
    return dtypes.pop() if dtypes else "unused"


def retype_input(body: Graph, position: int, dtype: DType) -> Graph:
    """input w : f32; cast(w, bf16)  ->  input w : bf16"""
    leaf = list(body.inputs.values())[position]
    rewriter = Rewriter(body, STAGE)
    for node in body.nodes:
        if node.id == leaf.id:
            op = OPS["input"].op(name=node.op["name"], shape=leaf.shape.with_dtype(dtype))
            rewriter.replace(node, rewriter.graph.add_node(op, origin=node.origin).ref)
        elif CAST.made_by(node) and node.refs[0] == leaf.ref:
            rewriter.replace(node, rewriter.ref(leaf.ref))
        else:
            rewriter.copy(node)
    return rewriter.finish()[0]


def near_constant(array: Array, dtype: DType) -> Array:
    """-1e9 -> -65504, 1e-12 -> 6e-8 in f16: what is neither zero nor infinite does not become so."""
    rounded = np.array(cast_array(array, dtype))
    if array.dtype.kind != "f" or not dtype.is_low_float:
        return rounded
    limits: Any = ml_dtypes.finfo(dtype.numpy)  # type: ignore[no-untyped-call]
    for lost, nearest in (
        (np.isinf(rounded) & np.isfinite(array), limits.max),
        ((rounded == 0) & (array != 0), limits.smallest_subnormal),
    ):
        rounded[lost] = (np.sign(array[lost]) * float(nearest)).astype(dtype.numpy)
    return rounded


# -- weights stored low -----------------------------------------------------------------------------------------
def store_low(graph: Graph, report: Report, dtype: DType) -> PassResult:
    """matmul(x, w)  ->  matmul(x, cast(cast(w, bf16), f32));  gather(w, i)  ->  cast(gather(cast(w, bf16), i), f32)

    For params that only products and gathers read, also through views. `layout` packs what lies under the outer cast, so the panels
    are low while the arithmetic stays f32.
    """
    uses = Uses(graph)

    def fits(ref: Ref) -> bool:
        """Whether every reader can take the value in low precision."""
        return ref not in uses.escapes and all(reader_fits(reader, ref) for reader in uses.of(ref))

    def reader_fits(reader: Node, ref: Ref) -> bool:
        rank = WEIGHT_RANKS.get(reader.op.name)
        if rank is not None:
            return reader.refs[1] == ref != reader.refs[0] and graph.shape(ref).rank == rank
        if LOOKUP.made_by(reader):
            return reader.refs[0] == ref
        return WEIGHT_VIEWS.made_by(reader) and fits(reader.ref)

    low: set[Ref] = set()
    rewriter = Rewriter(graph, STAGE)
    for node in graph.nodes:
        if _may_be_weight(node):
            if node.op["name"] not in graph.updates and uses.of(node.ref) and fits(node.ref):
                low.add(node.ref)
                rewriter.copy(node)
                rewriter.replace(node, rewriter.emit(OPS["cast"].op(to=dtype), [rewriter.ref(node.ref)], node).ref)
                report.add(STAGE, "stored", f"param {node.op['name']} in {dtype}", node.origin)
                continue
            report.add(
                STAGE, "kept", f"param {node.op['name']} stays f32: other ops than products and gathers read it", node.origin
            )
        if WEIGHT_VIEWS.made_by(node) and node.refs[0] in low:
            low.add(node.ref)
            rewriter.copy(node)
        elif LOOKUP.made_by(node) and node.refs[0] in low:
            rewriter.copy(node)
            rewriter.replace(node, rewriter.emit(OPS["cast"].op(to=f32), [rewriter.ref(node.ref)], node).ref)
        elif WEIGHT_RANKS.get(node.op.name) and node.refs[1] in low:
            wide = rewriter.emit(OPS["cast"].op(to=f32), [rewriter.ref(node.refs[1])], node).ref
            x, *others = (rewriter.ref(ref) for ref in (node.refs[0], *node.refs[2:]))
            made = rewriter.emit(node.op, [x, wide, *others], node, node.name)
            rewriter.replace(node, made.ref)
        else:
            rewriter.copy(node)
    return rewriter.finish()


def _may_be_weight(node: Node) -> bool:
    return node.op.is_param and node.shape.dtype is f32 and node.shape.rank >= 2 and node.op["scheme"] is None


# -- rounding: without excess precision each result of 16 bits is rounded, also where one kernel computes several ops
EXACT = op(
    [
        *("cast", "round_to_dtype", "neg", "abs", "relu", "max", "min", "where", "copysign"),
        *("sign", "floor", "ceil", "trunc", "round"),
    ]
)
"""Ops whose result needs no rounding when their operands are rounded; a cast rounds by itself."""


def rounding(graph: Graph, context: Context) -> PassResult:
    """add(mul(x, y), x)  ->  add(round_to_dtype(mul(x, y)), x)        f16 and bf16, under excess_precision=False

    Compositions are expanded later, so what is rounded is what the program says: a softmax is one op. Its sums, and those of products
    and reductions, stay f32.
    """
    if context.options.excess_precision or not context.options.fuse:
        return graph, identity(graph)
    uses = context.uses(graph)
    rewriter = Rewriter(graph, "rounding")
    rounded = 0
    for node in graph.nodes:
        made = rewriter.copy(node)
        if not _may_keep_f32(node) or not any(graph.shape(ref).dtype.is_low_float and uses.of(ref) for ref in node.outputs):
            continue
        results = [Value(rewriter.graph, ref) for ref in made.outputs]
        rewriter.replace(node, rewriter.build(node, list, map(_round_low, results)))
        rounded += 1
    if rounded:
        context.report.add(
            "rounding", "rounded", f"the results of {count_of(rounded, 'op')}, each to its dtype: excess_precision=False"
        )
    return rewriter.finish()


def _may_keep_f32(node: Node) -> bool:
    """Whether a kernel may keep the op's result in f32 for the next op."""
    record = node.op.definition
    moves = record.leaf or record.kind is OpKind.DataMovement or any(True for _ in node.op.graphs())
    return not moves and not EXACT.made_by(node)


def _round_low(value: Value) -> Value:
    return one("round_to_dtype", value) if value.dtype.is_low_float else value
