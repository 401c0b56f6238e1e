"""The iteration space of a region: its loops, its values and what each varies along. Axes that all operands walk alike are merged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.backends.cpu.emit.kernel import Tensor
from rlx.backends.cpu.kernels.region.elementwise import emit_cost, refusal
from rlx.core.dim import Size, product, same
from rlx.core.dtype import DType
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS, Op

COMBINES = {
    "reduce_sum": "sum",
    "reduce_mean": "sum",
    "reduce_prod": "prod",
    "reduce_max": "max",
    "reduce_min": "min",
    "reduce_any": "any",
    "reduce_all": "all",
}


class Refused(Exception):
    """Raised if a region cannot be one kernel; the message is the reason."""


@dataclass(frozen=True)
class Axis:
    """One loop of a region: its size, and whether the region's reductions fold it."""

    size: Size
    reduced: bool = False
    counted: bool = False
    """An iota runs along it, so it keeps its own index."""


@dataclass(frozen=True)
class Term:
    """One value of the body: what it is, and the axes it varies along (sorted).

    Kinds: "load" (of stage tensor `tensor`), "table" (a constant array), "number", "iota" (along axis `over[0]`),
    "size", "op" and "reduce" (`over` names the folded axes). `strides` has one entry per axis of the space.
    """

    kind: str
    dtype: DType
    axes: tuple[int, ...] = ()
    inputs: tuple[int, ...] = ()
    op: Op | None = None
    tensor: int = -1
    strides: tuple[Size, ...] = ()
    over: tuple[int, ...] = ()
    value: Any = None
    level: int = 0
    """The length of the chain of reductions it depends on."""

    @property
    def in_memory(self) -> bool:
        """Whether the term is read from memory."""
        return self.kind in ("load", "table")

    def is_contiguous(self, axis: int) -> bool:
        """Whether the term is contiguous in memory along an axis."""
        step = self.strides[axis]
        return isinstance(step, int) and step == 1

    @property
    def combine(self) -> str:
        """How a reduction folds: sum, prod, max, min, any or all."""
        if self.op is None:
            assert isinstance(self.value, str)
            return self.value
        return COMBINES[self.op.name]

    @property
    def cost(self) -> int:
        """Instructions per vector of the term, roughly."""
        return emit_cost(self.op.name) if self.kind == "op" and self.op is not None else 1


@dataclass(frozen=True)
class RegionOutput:
    """A result of a region: the term it stores, the axes it spans, and its strides along every axis of the space."""

    term: int
    tensor: int
    axes: tuple[int, ...]
    strides: tuple[Size, ...]
    dtype: DType


@dataclass(frozen=True)
class Space:
    """The iteration space of a region: axes in the order of the result's dims, outermost first; terms in the order of evaluation."""

    axes: tuple[Axis, ...]
    terms: tuple[Term, ...]
    outputs: tuple[RegionOutput, ...]

    @property
    def kept(self) -> tuple[int, ...]:
        """The axes of the results."""
        return tuple(index for index, axis in enumerate(self.axes) if not axis.reduced)

    @property
    def reduced(self) -> tuple[int, ...]:
        """The axes that the reductions fold."""
        return tuple(index for index, axis in enumerate(self.axes) if axis.reduced)

    def size(self, axes: Sequence[int]) -> Size:
        """The number of points along some axes."""
        return product(self.axes[axis].size for axis in axes)


def is_below_maximum(terms: Sequence[Term], index: int) -> bool:
    """Whether a value is x − max(x), hence at most 0 (or NaN)."""
    term = terms[index]
    if term.op is None or term.op.name != "sub":
        return False
    top = terms[term.inputs[1]]
    return top.kind == "reduce" and top.combine == "max" and top.inputs == term.inputs[:1] and top.dtype is term.dtype


# -- merging ----------------------------------------------------------------------------------------------------
def merge_axes(space: Space) -> Space:
    """Merge adjacent axes that every tensor walks as one."""
    inner = len(space.axes) - 1
    while inner > 0:
        if _alike(space, inner - 1, inner):
            space = _join_axes(space, inner - 1)
        inner -= 1
    return space


def _alike(space: Space, a: int, b: int) -> bool:
    first, second = space.axes[a], space.axes[b]
    if first.reduced != second.reduced or first.counted or second.counted:
        return False
    rows = [term.strides for term in space.terms if term.in_memory] + [output.strides for output in space.outputs]
    return all(same(row[a], row[b] * second.size) for row in rows)


def _join_axes(space: Space, a: int) -> Space:
    """Join axes a and a + 1, with the strides of the inner one."""

    def names(axes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted({axis if axis <= a else axis - 1 for axis in axes}))

    def row(strides: tuple[Size, ...]) -> tuple[Size, ...]:
        return strides[:a] + strides[a + 1 :]

    axis = replace(space.axes[a], size=space.axes[a].size * space.axes[a + 1].size)
    terms = tuple(replace(t, axes=names(t.axes), over=names(t.over), strides=row(t.strides)) for t in space.terms)
    outputs = tuple(replace(o, axes=names(o.axes), strides=row(o.strides)) for o in space.outputs)
    return Space((*space.axes[:a], axis, *space.axes[a + 2 :]), terms, outputs)


# -- from a region's body to one iteration space: which loop axis each dim of each value is, and what varies along which
#
# Dims that are aligned in a broadcast are one axis; dims of size 1 are none; a reduction names the axes it folds. Movement
# that only inserts, drops or repeats axes (expand, reshape by ones) disappears here.


_LARGEST_TABLE = 1 << 16  # bytes of a constant array that is emitted into the code


def space_of(body: Graph, inputs: Sequence[Tensor | None], outputs: Sequence[Tensor]) -> Space:
    """The iteration space of a body, with operands and results laid out as the tensors say. Raises `Refused`."""
    return merge_axes(_Builder(body, inputs, outputs).build())


Handles = tuple["int | None", ...]  # for each dim its axis, None for size 1


class _Builder:
    """Builds a space from a region's body: assigns each dim an axis and joins aligned axes."""

    def __init__(self, body: Graph, inputs: Sequence[Tensor | None], outputs: Sequence[Tensor]) -> None:
        self.body, self.inputs, self.outputs = body, inputs, outputs
        self.terms: list[Term] = []
        self.values: dict[Ref, tuple[int, Handles]] = {}
        self.parent: list[int] = []
        self.sizes: list[Size] = []
        self.chains: list[Handles] = []
        self.counted: set[int] = set()
        self.strides: dict[int, dict[int, Size]] = {}  # of terms in memory: by axis

    # -- axes
    def axis(self, size: Size) -> int | None:
        """A new axis for a dim, None for size 1."""
        if isinstance(size, int) and size == 1:
            return None
        self.parent.append(len(self.parent))
        self.sizes.append(size)
        return len(self.parent) - 1

    def root(self, axis: int) -> int:
        """The representative of all axes joined with this one."""
        while self.parent[axis] != axis:
            axis = self.parent[axis]
        return axis

    def join(self, a: int, b: int) -> int:
        """Join two axes into one."""
        a, b = self.root(a), self.root(b)
        if not same(self.sizes[a], self.sizes[b], self.body.assumptions):
            raise Refused(f"sizes {self.sizes[a]} and {self.sizes[b]} meet in one axis")
        self.parent[max(a, b)] = min(a, b)
        return min(a, b)

    def fresh(self, dims: Sequence[Size]) -> Handles:
        """New axes for all dims."""
        return tuple(self.axis(size) for size in dims)

    # -- nodes
    def add(self, term: Term) -> int:
        """Append a term; returns its number."""
        self.terms.append(term)
        return len(self.terms) - 1

    def build(self) -> Space:
        """Build the space before merging."""
        positions = {node.id: index for index, node in enumerate(self.body.inputs.values())}
        for node in self.body.nodes:
            made = self.leaf(node, positions) or self.node(node)
            self.values[node.ref] = made
            self.chains.append(made[1])
        return self.finish()

    def leaf(self, node: Node, positions: dict[int, int]) -> tuple[int, Handles] | None:
        """Add a node without operands: a load, constant, iota or size."""
        op, shape = node.op, node.shape
        match op.name:
            case "input":
                tensor = self.inputs[positions[node.id]]
                if tensor is None:
                    raise Refused("an operand is missing")
                handles = self.fresh(tensor.dims)
                term = self.add(Term("load", tensor.dtype, tensor=positions[node.id]))
                self.strides[term] = _by_axis(handles, tensor.strides)
                return term, handles
            case "constant":
                return self.constant(op["value"].array)
            case "iota":
                handles = self.fresh(shape.dims)
                counted = handles[op["axis"]]
                if counted is None:
                    return self.add(Term("number", shape.dtype, value=0)), handles
                self.counted.add(counted)
                return self.add(Term("iota", shape.dtype, over=(counted,))), handles
            case "size_value":
                return self.add(Term("size", shape.dtype, value=op["size"])), ()
        return None

    def constant(self, array: npt.NDArray[Any]) -> tuple[int, Handles]:
        """Add a constant: a number, or a table in the code."""
        dtype = DType.of(array.dtype)
        handles = self.fresh(array.shape)
        if array.size == 1:
            bits = array.view(np.int8) if dtype.category == "f8" else array
            return self.add(Term("number", dtype, value=bits.reshape(()).item())), handles
        if array.nbytes > _LARGEST_TABLE:
            raise Refused(f"a constant of {array.nbytes} bytes inside the body")
        term = self.add(Term("table", dtype, value=array))
        dense = tuple(int(step) // array.itemsize for step in np.ascontiguousarray(array).strides)
        self.strides[term] = _by_axis(handles, dense)
        return term, handles

    def node(self, node: Node) -> tuple[int, Handles]:
        """Add a node with operands."""
        op = node.op
        operands = [self.values[ref] for ref in node.refs]
        if op.name in COMBINES:
            return self.reduction(node, *operands[0])
        if op.name == "expand":
            term, handles = operands[0]
            added = len(node.shape.dims) - len(handles)
            return term, tuple(
                handle if handle is not None else self.axis(size)
                for handle, size in zip((None,) * added + handles, node.shape.dims, strict=True)
            )
        if op.name == "reshape":
            return operands[0][0], self.reshape(operands[0][1], node.shape.dims)
        reason = refusal(op.name, [node.shape.dtype, *(self.terms[term].dtype for term, _ in operands)])
        if reason is not None:
            raise Refused(reason)
        handles = self.broadcast([handles for _, handles in operands], len(node.shape.dims))
        inputs = tuple(term for term, _ in operands)
        if op.name == "div" and self.is_share(inputs[0], inputs[1]):
            return self.share(inputs[0], inputs[1], op), handles
        level = max(self.terms[term].level for term in inputs)
        return self.add(Term("op", node.shape.dtype, inputs=inputs, op=op, level=level)), handles

    def is_share(self, part: int, total: int) -> bool:
        """Whether a quotient is a share as in softmax: e^(x − max(x)) by the sum of all of these, which is at least 1."""
        power, sum_ = self.terms[part], self.terms[total]
        return (
            sum_.kind == "reduce"
            and sum_.combine == "sum"
            and sum_.inputs == (part,)
            and sum_.dtype is power.dtype
            and sum_.value is None
            and power.op is not None
            and power.op.name == "exp"
            and is_below_maximum(self.terms, power.inputs[0])
        )

    def share(self, part: int, total: int, division: Op) -> int:
        """Compute part/total as part·(1/total): one division for all shares."""
        dtype, level = self.terms[part].dtype, self.terms[total].level
        numerator = self.add(Term("number", dtype, value=1.0))
        inverse = self.add(Term("op", dtype, inputs=(numerator, total), op=division, level=level))
        return self.add(Term("op", dtype, inputs=(part, inverse), op=OPS["mul"].op(), level=level))

    def broadcast(self, operands: Sequence[Handles], rank: int) -> Handles:
        """The axes of a result whose operands align at the right."""
        result: list[int | None] = [None] * rank
        for handles in operands:
            for position, handle in enumerate(handles, rank - len(handles)):
                if handle is not None:
                    present = result[position]
                    result[position] = handle if present is None else self.join(present, handle)
        return tuple(result)

    def reshape(self, handles: Handles, dims: Sequence[Size]) -> Handles:
        """The axes after a reshape that inserts or drops dims of size 1."""
        real = [handle for handle in handles if handle is not None]
        sizes = [size for size in dims if not (isinstance(size, int) and size == 1)]
        if len(real) != len(sizes) or not all(
            same(self.sizes[handle], size, self.body.assumptions) for handle, size in zip(real, sizes, strict=True)
        ):
            raise Refused("a reshape inside the body joins or splits axes")
        left = iter(real)
        return tuple(None if isinstance(size, int) and size == 1 else next(left) for size in dims)

    def reduction(self, node: Node, term: int, handles: Handles) -> tuple[int, Handles]:
        """Add a reduction; over axes of size 1 alone it still casts the operand to its dtype."""
        op, operand = node.op, self.terms[term]
        if operand.dtype.is_complex or operand.dtype.category == "f8":
            raise Refused(f"{op.name} of {operand.dtype}")
        axes: tuple[int, ...] = op["axes"]
        over = tuple(handle for axis in axes if (handle := handles[axis]) is not None)
        remaining = [handle for axis, handle in enumerate(handles) if axis not in axes]
        if op["keep_dim"]:
            remaining = [None if axis in axes else handle for axis, handle in enumerate(handles)]
        (source,) = node.refs
        count = product(self.body.shape(source).dims[axis] for axis in axes) if op.name == "reduce_mean" else None
        level = operand.level + (1 if over else 0)
        made = Term("reduce", node.shape.dtype, inputs=(term,), op=op, over=over, value=count, level=level)
        return self.add(made), tuple(remaining)

    # -- the space
    def finish(self) -> Space:
        """Number the axes in order and give every term its own."""
        results = [self.values[ref] for ref in self.body.output_refs.values()]
        order = self.order_axes()
        number = {root: index for index, root in enumerate(order)}
        reduced, counted = self.reduced_axes(), {self.root(axis) for axis in self.counted}
        axes = tuple(Axis(self.sizes[root], root in reduced, root in counted) for root in order)
        terms: list[Term] = []
        for index, term in enumerate(self.terms):
            over = tuple(sorted(number[self.root(axis)] for axis in term.over))
            terms.append(_with_axes(term, over, self.row(self.strides.get(index), number), terms, axes))
        outputs = tuple(
            self.output(term, handles, tensor, position, number, axes)
            for position, ((term, handles), tensor) in enumerate(zip(results, self.outputs, strict=True))
        )
        return Space(axes, tuple(terms), outputs)

    def reduced_axes(self) -> set[int]:
        """The roots of the folded axes, the same for all reductions."""
        folded = [{self.root(axis) for axis in term.over} for term in self.terms if term.kind == "reduce" and term.over]
        if any(axes != folded[0] for axes in folded):
            raise Refused("reductions over different axes")
        return folded[0] if folded else set()

    def row(self, strides: dict[int, Size] | None, number: dict[int, int]) -> tuple[Size, ...]:
        """Strides by axis number; 0 where the tensor does not have the axis."""
        row: list[Size] = [0] * len(number)
        for axis, stride in (strides or {}).items():
            row[number[self.root(axis)]] = stride
        return tuple(row)

    def output(
        self, term: int, handles: Handles, tensor: Tensor, position: int, number: dict[int, int], axes: Sequence[Axis]
    ) -> RegionOutput:
        """Add a result; it must span all kept axes, and either all folded ones or none."""
        spanned = {number[self.root(handle)] for handle in handles if handle is not None}
        if any(index not in spanned for index, axis in enumerate(axes) if not axis.reduced):
            raise Refused("a result spans only some of the axes")
        if len({index in spanned for index, axis in enumerate(axes) if axis.reduced}) > 1:
            raise Refused("a result spans only some of the reduced axes")
        if tensor.dtype.is_complex:
            raise Refused(f"a result of {tensor.dtype}")
        strides = self.row(_by_axis(handles, tensor.strides), number)
        return RegionOutput(term, len(self.inputs) + position, tuple(sorted(spanned)), strides, tensor.dtype)

    def order_axes(self) -> list[int]:
        """Order the roots consistently with every value; axes that never occur together are joined if their sizes are equal."""
        while True:
            order, twins = self.order_or_twins()
            if twins is None:
                return order
            self.join(*twins)

    def order_or_twins(self) -> tuple[list[int], tuple[int, int] | None]:
        """The order of the roots, or the first two axes that could be joined instead."""
        chains = {tuple(self.root(axis) for axis in chain if axis is not None) for chain in self.chains}
        waiting = {root for chain in chains for root in chain}
        before: dict[int, set[int]] = {root: set() for root in waiting}
        for chain in chains:
            for early, late in pairwise(chain):
                before[late].add(early)
        order: list[int] = []
        while waiting:
            ready = sorted(root for root in waiting if not before[root] & waiting)
            if not ready:
                raise Refused("values have their axes in different orders")
            twins = self.twins(ready)
            if twins is not None:
                return order, twins
            order.append(ready[0])
            waiting.discard(ready[0])
        return order, None

    def twins(self, ready: Sequence[int]) -> tuple[int, int] | None:
        """Two axes of equal size that no value has both of."""
        for position, a in enumerate(ready):
            for b in ready[position + 1 :]:
                if same(self.sizes[a], self.sizes[b], self.body.assumptions):
                    return a, b
        return None


def _by_axis(handles: Handles, strides: Sequence[Size]) -> dict[int, Size]:
    return {handle: stride for handle, stride in zip(handles, strides, strict=True) if handle is not None}


def _with_axes(term: Term, over: tuple[int, ...], strides: tuple[Size, ...], known: Sequence[Term], axes: Sequence[Axis]) -> Term:
    """The term with the axes it varies along."""
    varies = {axis for source in term.inputs for axis in known[source].axes}
    if term.kind == "reduce":
        varies = {axis for axis in varies if not axes[axis].reduced} if over else varies
    elif term.kind == "iota":
        varies = set(over)
    elif term.in_memory:
        varies = {axis for axis, stride in enumerate(strides) if not (isinstance(stride, int) and stride == 0)}
    return replace(term, axes=tuple(sorted(varies)), over=over, strides=strides)
