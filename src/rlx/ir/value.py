"""Value: the user's handle on a Ref, with operators; and `emit`, the one way nodes come into being from Values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rlx.core.dim import Dim, Relation, Size
from rlx.core.dtype import DType, DTypeLike, boolean, f32, i32, promote
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.attributes import ArrayValue
from rlx.ir.graph import Graph, Ref
from rlx.ir.op import OPS, Call, Op, OpDef, is_weak

if TYPE_CHECKING:
    from types import EllipsisType

    Index = int | slice | None | EllipsisType | "Value"


class Value:
    """A handle on a value of a graph. Operators emit nodes; `==` is elementwise, so Values are never dict keys."""

    __slots__ = ("graph", "ref")
    __array_ufunc__ = None  # ndarray * value reaches __rmul__
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, graph: Graph, ref: Ref) -> None:
        self.graph, self.ref = graph, ref

    @property
    def type(self) -> Shape:
        """Dims and dtype in one value."""
        return self.graph.shape(self.ref)

    @property
    def shape(self) -> tuple[Size, ...]:
        """The dims, ints or Dims."""
        return self.type.dims

    @property
    def dtype(self) -> DType:
        """The element type."""
        return self.type.dtype

    @property
    def rank(self) -> int:
        """The number of dims."""
        return self.type.rank

    ndim = rank

    @property
    def name(self) -> str | None:
        """The node's name."""
        return self.graph.node(self.ref).name

    def __repr__(self) -> str:
        return f"<Value {self.ref} : {self.type}>"

    # -- arithmetic ---------------------------------------------------------------------------------------------
    def _binary(self, op: str, other: Any, swapped: bool = False) -> Value:
        if not isinstance(other, (Value, int, float, complex, np.ndarray, np.generic)) and not hasattr(other, "__rlx_value__"):
            return NotImplemented  # type: ignore[no-any-return]
        return one(op, other, self) if swapped else one(op, self, other)

    def __add__(self, other: Any) -> Value:
        return self._binary("add", other)

    def __radd__(self, other: Any) -> Value:
        return self._binary("add", other, True)

    def __sub__(self, other: Any) -> Value:
        return self._binary("sub", other)

    def __rsub__(self, other: Any) -> Value:
        return self._binary("sub", other, True)

    def __mul__(self, other: Any) -> Value:
        return self._binary("mul", other)

    def __rmul__(self, other: Any) -> Value:
        return self._binary("mul", other, True)

    def __truediv__(self, other: Any) -> Value:
        return self._binary("div", other)

    def __rtruediv__(self, other: Any) -> Value:
        return self._binary("div", other, True)

    def __floordiv__(self, other: Any) -> Value:
        return self._binary("floor_div", other)

    def __rfloordiv__(self, other: Any) -> Value:
        return self._binary("floor_div", other, True)

    def __mod__(self, other: Any) -> Value:
        return self._binary("mod", other)

    def __rmod__(self, other: Any) -> Value:
        return self._binary("mod", other, True)

    def __pow__(self, other: Any) -> Value:
        return self._binary("pow", other)

    def __rpow__(self, other: Any) -> Value:
        return self._binary("pow", other, True)

    def __matmul__(self, other: Any) -> Value:
        return self._binary("matmul", other)

    def __rmatmul__(self, other: Any) -> Value:
        return self._binary("matmul", other, True)

    def __and__(self, other: Any) -> Value:
        return self._binary("and", other)

    def __rand__(self, other: Any) -> Value:
        return self._binary("and", other, True)

    def __or__(self, other: Any) -> Value:
        return self._binary("or", other)

    def __ror__(self, other: Any) -> Value:
        return self._binary("or", other, True)

    def __xor__(self, other: Any) -> Value:
        return self._binary("xor", other)

    def __rxor__(self, other: Any) -> Value:
        return self._binary("xor", other, True)

    def __lshift__(self, other: Any) -> Value:
        return self._binary("shl", other)

    def __rlshift__(self, other: Any) -> Value:
        return self._binary("shl", other, True)

    def __rshift__(self, other: Any) -> Value:
        return self._binary("shr", other)

    def __rrshift__(self, other: Any) -> Value:
        return self._binary("shr", other, True)

    def __eq__(self, other: object) -> Value:  # type: ignore[override]
        return self._binary("eq", other)

    def __ne__(self, other: object) -> Value:  # type: ignore[override]
        return self._binary("ne", other)

    def __lt__(self, other: Any) -> Value:
        return self._binary("lt", other)

    def __le__(self, other: Any) -> Value:
        return self._binary("le", other)

    def __gt__(self, other: Any) -> Value:
        return self._binary("gt", other)

    def __ge__(self, other: Any) -> Value:
        return self._binary("ge", other)

    def __neg__(self) -> Value:
        return one("neg", self)

    def __pos__(self) -> Value:
        return self

    def __invert__(self) -> Value:
        return one("not", self)

    def __abs__(self) -> Value:
        return one("abs", self)

    def abs(self) -> Value:
        """Elementwise absolute value."""
        return one("abs", self)

    # -- shape and reductions -----------------------------------------------------------------------------------
    @property
    def T(self) -> Value:
        """All axes reversed."""
        return one("transpose", self, perm=tuple(reversed(range(self.rank))))

    def reshape(self, *shape: Any) -> Value:
        """Another shape with the same elements; one size may be -1."""
        dims = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        return one("reshape", self, shape=tuple(dims))

    def transpose(self, *perm: Any) -> Value:
        """Axes permuted; all reversed when none is given."""
        if not perm:
            return self.T
        axes = perm[0] if len(perm) == 1 and isinstance(perm[0], (tuple, list)) else perm
        return one("transpose", self, perm=tuple(axes))

    def astype(self, dtype: DTypeLike) -> Value:
        """Cast."""
        return one("cast", self, to=dtype)

    def _reduce(self, kind: str, axes: Any, keep_dim: bool) -> Value:
        return one(kind, self, axes=tuple(range(self.rank)) if axes is None else axes, keep_dim=keep_dim)

    def sum(self, axes: Sequence[int] | int | None = None, keep_dim: bool = False) -> Value:
        """Sum over axes (all when none is given)."""
        return self._reduce("reduce_sum", axes, keep_dim)

    def mean(self, axes: Sequence[int] | int | None = None, keep_dim: bool = False) -> Value:
        """Mean over axes."""
        return self._reduce("reduce_mean", axes, keep_dim)

    def max(self, axes: Sequence[int] | int | None = None, keep_dim: bool = False) -> Value:
        """Maximum over axes."""
        return self._reduce("reduce_max", axes, keep_dim)

    def min(self, axes: Sequence[int] | int | None = None, keep_dim: bool = False) -> Value:
        """Minimum over axes."""
        return self._reduce("reduce_min", axes, keep_dim)

    def prod(self, axes: Sequence[int] | int | None = None, keep_dim: bool = False) -> Value:
        """Product over axes."""
        return self._reduce("reduce_prod", axes, keep_dim)

    def any(self, axes: Sequence[int] | int | None = None, keep_dim: bool = False) -> Value:
        """Logical or over axes."""
        return self._reduce("reduce_any", axes, keep_dim)

    def all(self, axes: Sequence[int] | int | None = None, keep_dim: bool = False) -> Value:
        """Logical and over axes."""
        return self._reduce("reduce_all", axes, keep_dim)

    def __getitem__(self, index: Any) -> Value:
        from rlx.ir.indexing import index_value

        return index_value(self, index)

    # -- what a value of the future is not ----------------------------------------------------------------------
    def __bool__(self) -> bool:
        raise RlxError("RLX108", f"{self!r} has no truth value while building")

    def __len__(self) -> int:
        if self.rank == 0 or isinstance(self.shape[0], Dim):
            raise RlxError("RLX108", f"{self!r} has no static length", fix="use .shape[0], which is a Dim")
        return int(self.shape[0])

    def __iter__(self) -> Iterator[Value]:
        if self.rank == 0:
            raise RlxError("RLX108", f"iteration over the scalar {self!r}")
        if isinstance(self.shape[0], Dim):
            raise RlxError(
                "RLX108",
                f"iteration over the symbolic axis {self.shape[0]} of {self!r}",
                fix="use rlx.scan, or index with a static position",
            )
        return (self[i] for i in range(int(self.shape[0])))

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise RlxError("RLX108", f"{self!r} is not an array while building", fix="use the builders of the graph instead of NumPy functions")

    def __float__(self) -> float:
        raise RlxError("RLX108", f"{self!r} is not a number while building")

    __int__ = __index__ = __float__


# ---------------------------------------------------------------------------------------------------------------
def one(op: str, *operands: Any, **attrs: Any) -> Value:
    """Emit an op of a single result by name."""
    value: Value = OPS[op](*operands, **attrs)
    return value


def constant(graph: Graph, array: Any, dtype: DType | None = None) -> Value:
    """A constant node; a graph that traces a function may take a large array as a hidden param instead."""
    lift = getattr(graph, "lift", None)
    if lift is not None and dtype is None and isinstance(array, np.ndarray):
        lifted = lift(array)
        if lifted is not None:
            return Value(graph, lifted)
    content = np.asarray(array)
    if dtype is None:
        content = _plain(array, content)
    else:
        content = content.astype(dtype.numpy)
    return Value(graph, graph.add_node(OPS["constant"].op(value=ArrayValue(content))).ref)


def _plain(given: Any, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Python numbers and lists of them become f32 and i32; arrays keep their dtype."""
    if isinstance(given, (np.ndarray, np.generic)) and not isinstance(given, np.float64):
        return array
    if array.dtype == np.float64:
        return array.astype(np.float32)
    if array.dtype == np.int64 and array.size and np.abs(array).max() < 2**31:
        return array.astype(np.int32)
    return array


def _depth(graph: Graph) -> int:
    depth, parent = 0, graph.parent
    while parent is not None:
        depth, parent = depth + 1, parent.parent
    return depth


def into(graph: Graph, value: Value) -> Value:
    """The value as seen in `graph`: itself, or a captured input when it belongs to a graph around it."""
    if value.graph is graph:
        return value
    chain = [graph]
    while chain[-1].parent is not None and chain[-1] is not value.graph:
        chain.append(chain[-1].parent)
    if chain[-1] is not value.graph:
        raise RlxError("RLX107", f"a value of graph {value.graph.name!r} is used in graph {graph.name!r}")
    ref = value.ref
    for inner in reversed(chain[:-1]):
        ref = _capture(inner, ref)
    return Value(graph, ref)


def _capture(graph: Graph, outer: Ref) -> Ref:
    for known, inner in graph.captures:
        if known == outer:
            return inner
    assert graph.parent is not None
    shape = graph.parent.shape(outer)
    name = f"captured_{len(graph.captures)}"
    inner = graph.add_node(OPS["input"].op(name=name, shape=shape)).ref
    graph.captures.append((outer, inner))
    return inner


def _literal_dtype(literal: Any, peers: Sequence[DType], role: str) -> DType:
    """The dtype a weak literal takes beside these tensors."""
    if role == "index":
        return i32
    if role == "mask":
        return boolean
    common = promote(*peers) if peers else None
    if isinstance(literal, bool):
        return common or boolean
    if isinstance(literal, int):
        return i32 if common is None or common.is_bool else common
    if isinstance(literal, float):
        return f32 if common is None or common.is_bool or common.is_integer else common
    return (
        DType.of("c64") if common is None or (not common.is_complex and common is not DType.of("f64")) else promote(common, DType.of("c64"))
    )


def _check_fits(literal: Any, dtype: DType, what: str) -> None:
    if isinstance(literal, (float, complex)) and dtype.is_integer:
        raise RlxError("RLX110", f"{what}: the number {literal} is not an integer", fix="pass an integer")
    if isinstance(literal, int) and not isinstance(literal, bool) and dtype.is_integer:
        info = np.iinfo(dtype.numpy)  # type: ignore[type-var]
        if not info.min <= literal <= info.max:
            raise RlxError("RLX110", f"{what}: the number {literal} does not fit {dtype}")


def find_graph(operands: Sequence[Any]) -> Graph:
    """The innermost graph among the Values."""
    graphs = [operand.graph for operand in operands if isinstance(operand, Value)]
    if not graphs:
        raise RlxError(
            "RLX101", "no operand is a Value of a graph", fix="make one operand an input, param or constant: graph.constant(array)"
        )
    return max(graphs, key=_depth)


def _root(graph: Graph) -> Graph:
    while graph.parent is not None:
        graph = graph.parent
    return graph


def inside_branch(graph: Graph) -> Graph:
    """The graph, or the branch inside it that is being traced: what a branch computes is computed only if it is taken."""
    branch = _root(graph).open_branch
    return branch if branch is not None and _depth(branch) > _depth(graph) else graph


def inside_body(graph: Graph) -> Graph:
    """The graph, or the body inside it that is being traced: where a node goes whose own bodies may use values of that one."""
    body = _root(graph).open_body
    return body if body is not None and _depth(body) > _depth(graph) else graph


def _is_strong(operand: Any) -> bool:
    """NumPy arrays and scalars other than np.float64 keep their dtype."""
    return isinstance(operand, (np.ndarray, np.generic)) and not is_weak(operand)


def as_values(graph: Graph, record: OpDef, operands: Sequence[Any]) -> list[Value | None]:
    """Operands as Values of `graph`: outer values captured, literals made constants of the dtype their role asks for."""
    operands = [o.__rlx_value__(graph) if hasattr(o, "__rlx_value__") else o for o in operands]
    peers = [
        operand.dtype if isinstance(operand, Value) else DType.of(operand.dtype)
        for i, operand in enumerate(operands)
        if record.operand(i).role == "value" and (isinstance(operand, Value) or _is_strong(operand))
    ]
    values: list[Value | None] = []
    for i, operand in enumerate(operands):
        if operand is None or isinstance(operand, Value):
            values.append(None if operand is None else into(graph, operand))
        elif is_weak(operand):
            dtype = _literal_dtype(operand, peers, record.operand(i).role)
            _check_fits(operand, dtype, f"{record.operand(i).name} of {record.name}")
            values.append(constant(graph, operand, dtype))
        else:
            values.append(constant(graph, operand))
    return values


def normalize_axes(op: Op, shapes: Sequence[Shape | None]) -> Op:
    """Axis attributes counted from the front, checked against the rank."""
    changes: dict[str, Any] = {}
    for name, attr in op.definition.attrs.items():
        value = op.attrs[name]
        if attr.kind not in ("axis", "axes") or value is None:
            continue
        operand = shapes[max(attr.of, 0)] if shapes else None
        if operand is None:
            continue
        rank = operand.rank + (1 if attr.of < 0 else 0)
        axes = [_axis(axis, rank, op.name, operand) for axis in (value if attr.kind == "axes" else (value,))]
        if len(set(axes)) != len(axes):
            message = f"{op.name} of {operand}: {name} {tuple(value)} has an axis twice"
            raise RlxError("RLX104", message, fix="name each axis once")
        changes[name] = (
            tuple(sorted(axes))
            if attr.kind == "axes" and op.definition.family == "reduce"
            else (tuple(axes) if attr.kind == "axes" else axes[0])
        )
    return op.with_attrs(**changes) if changes else op


def normalize(op: Op, shapes: Sequence[Shape | None], assumptions: Sequence[Relation] = ()) -> Op:
    """The op with canonical attributes for these operands: axes from the front, then what its record normalizes."""
    op = normalize_axes(op, shapes)
    return op.definition.normalize(Call(op, shapes, assumptions)) if op.definition.normalize else op


def _axis(axis: int, rank: int, op: str, shape: Shape) -> int:
    if not -rank <= axis < rank:
        raise RlxError(
            "RLX104",
            f"{op} of {shape}: axis {axis} is out of range for rank {rank}",
            fix=f"axes run from {-rank} to {rank - 1}" if rank else "a scalar has no axes",
        )
    return axis % rank


def emit(record: OpDef, operands: Sequence[Any], attrs: dict[str, Any], *, graph: Graph | None = None, name: str | None = None) -> Any:
    """Append a node for `record` on `operands`; a Value, or a tuple of Values for several results."""
    least, most = record.arity
    given = list(operands)
    while given and given[-1] is None:
        given.pop()
    present = len(given)
    if (
        present < least
        or (most is not None and present > most)
        or any(o is None and not record.operand(i).optional for i, o in enumerate(given))
    ):
        wanted = ", ".join(o.name + ("?" if o.optional else "*" if o.variadic else "") for o in record.operands)
        if record.level == "hir":
            from rlx.core.errors import LowerError

            raise LowerError(
                record.name.removeprefix("hir."),
                f"{least}" if most == least else f"{least} to {most}" if most else f"at least {least}",
                sum(o is not None for o in given),
            )
        raise RlxError("RLX101", f"{record.name} takes ({wanted}), got {present} operands")
    target = inside_branch(graph if graph is not None else find_graph(given))
    values = as_values(target, record, given)
    shapes = [None if value is None else value.type for value in values]
    op = normalize(record.op(**attrs), shapes, target.assumptions)
    _refuse_packed(target, record, values)
    results = op.infer(shapes, target.assumptions)
    node = target.add_node(op, [None if value is None else value.ref for value in values], results=results, name=name)
    found = tuple(Value(target, ref) for ref in node.outputs)
    several = len(found) > 1 or len(record.results) > 1 or record.results[0].endswith("*")
    return found if several else found[0]


# which operand of an op may be a packed param
PACKED_READERS = {
    "matmul": 1, "gather": 0, "grouped_matmul": 1, "dequant_matmul": 1, "dequant_gather": 0, "dequant_grouped_matmul": 1,
}  # fmt: skip


def _refuse_packed(graph: Graph, record: OpDef, values: Sequence[Value | None]) -> None:
    if record.level == "hir":
        return
    for index, value in enumerate(values):
        if index == PACKED_READERS.get(record.name):
            continue
        if (
            value is not None
            and value.graph.node(value.ref).op.attrs.get("scheme") is not None
            and value.graph.node(value.ref).op.name == "param"
        ):
            raise RlxError("RLX112", f"{record.name} of the packed param {value.name!r}")
