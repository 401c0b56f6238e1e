"""Emitting: the only way to make nodes from Values. Literals become constants, outer values captured inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from rlx.core.aligned import as_array, in_dtype
from rlx.core.dim import Relation, Size
from rlx.core.dtype import DType, boolean, c64, f32, f64, i32, i64, promote
from rlx.core.enums import OpKind
from rlx.core.errors import LowerError, RlxError, check_is
from rlx.core.shape import Shape
from rlx.ir.attributes import ArrayValue
from rlx.ir.graph import Graph, Ref
from rlx.ir.op import OPS, Call, Op, OpDef, is_weak
from rlx.ir.questions import questions_of
from rlx.ir.value import WIDE, Value, WeakValue, check_role, literal_like, places_of_result, plain_value, taken_as, wide_dtype


def constant(graph: Graph, array: Any, dtype: DType | None = None) -> Value:
    """Emits a constant node; a graph that traces a function can make a large array a hidden param instead."""
    lift = getattr(type(graph), "lift", None)
    if lift is not None and dtype is None and isinstance(array, np.ndarray):
        lifted = lift(graph, array)
        if lifted is not None:
            return Value(graph, lifted)
    content = as_array(array, "a constant", "RLX110")
    if dtype is None:
        content = _plain(array, content)
    elif content.dtype == object:
        content = in_dtype(array, dtype, "a constant", "RLX110")
    else:
        content = content.astype(dtype.numpy)
    return Value(graph, graph.add_node(OPS["constant"].op(value=ArrayValue(content))).ref)


def add_input(graph: Graph, name: str, shape: Shape) -> Value:
    """Adds a new input to a graph; returns it as a Value."""
    return Value(graph, graph.add_node(OPS["input"].op(name=name, shape=shape)).ref)


def size_scalar(like: Value, size: Size, dtype: DType = i32) -> Value:
    """Emits a size as a scalar with the dtype of `like`: a constant, or `size_value` if it is symbolic."""
    if isinstance(size, int):
        return constant(like.graph, size, dtype)
    return emit(OPS["size_value"], (), {"size": size, "dtype": dtype}, graph=like.graph)


def _plain(given: Any, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Converts Python numbers and lists of them to f32 and i32; arrays keep their dtype."""
    if isinstance(given, (np.ndarray, np.generic)) and not isinstance(given, np.float64):
        return array
    if array.dtype == object:
        raise RlxError(
            "RLX110", f"a constant holds {array.max()}, which has more than 64 bits", fix="give the constant a float dtype"
        )
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
    """Returns the value as seen in `graph`: itself, or a captured input if an enclosing graph owns it; a Python number as a tensor."""
    if isinstance(value, WeakValue):
        value = plain_value(value)
    if value.graph is graph:
        return value
    chain = [graph]
    while chain[-1].parent is not None and chain[-1] is not value.graph:
        chain.append(chain[-1].parent)
    if chain[-1] is not value.graph:
        if value.graph.frozen:
            raise value.graph.leaked(f"in {graph.name!r}")
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
    if (questions := questions_of(graph)) is not None:
        questions.bind(graph, [inner], [Value(graph.parent, outer)])
    return inner


def literal_dtype(literal: Any, peers: Sequence[DType], role: str) -> DType:
    """The dtype a weak literal takes with these tensors."""
    if role == "index":
        return i32
    if role == "mask":
        return boolean
    common = promote(*peers) if peers else boolean
    if isinstance(literal, bool):
        return common
    if isinstance(literal, int):
        return i32 if common.is_bool else common
    if isinstance(literal, float):
        return f32 if common.is_bool or common.is_integer else common
    return promote(common, c64) if common.is_complex or common is f64 else c64


def _check_fits(literal: Any, dtype: DType, what: str) -> None:
    if isinstance(literal, (float, complex)) and dtype.is_integer:
        raise RlxError("RLX110", f"{what}: the number {literal} is not an integer", fix="pass an integer")
    if isinstance(literal, int) and not isinstance(literal, bool) and dtype.is_integer:
        info = np.iinfo(dtype.numpy)  # type: ignore[type-var]
        if not info.min <= literal <= info.max:
            raise RlxError("RLX110", f"{what}: the number {literal} does not fit {dtype}")


_TRACED: ContextVar[Graph | None] = ContextVar("the graph that a function is traced into", default=None)


@contextmanager
def tracing_into(graph: Graph) -> Iterator[None]:
    """Sets the graph for ops that take no Value, while a function is traced."""
    token = _TRACED.set(graph)
    try:
        yield
    finally:
        _TRACED.reset(token)


def traced_graph() -> Graph | None:
    """The innermost body of the function that is being traced now; None outside of any trace."""
    graph = _TRACED.get()
    return None if graph is None else inside_body(graph)


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
    """The graph, or the branch inside it that is being traced: a branch's ops run only if it is taken."""
    branch = _root(graph).open_branch
    return branch if branch is not None and _depth(branch) > _depth(graph) else graph


def inside_body(graph: Graph) -> Graph:
    """The graph, or the body inside it that is being traced: a node goes there if its own bodies may use values of that body."""
    body = _root(graph).open_body
    return body if body is not None and _depth(body) > _depth(graph) else graph


def as_values(graph: Graph, record: OpDef, operands: Sequence[Any]) -> list[Value | None]:
    """Converts operands to Values of `graph`: captures outer values, makes literals constants of the dtype their role requires."""
    if all(operand is None or (type(operand) is Value and operand.graph is graph) for operand in operands):
        return list(operands)
    operands = [o.__rlx_value__(graph) if hasattr(o, "__rlx_value__") else o for o in operands]
    roles = [record.operand(i).role for i in range(len(operands))]
    peers = [_strong_dtype(operand) for operand, role in zip(operands, roles, strict=True) if role == "value"]
    dtypes = [dtype for dtype in peers if dtype is not None]
    return [_as_value(graph, record, i, operand, dtypes) for i, operand in enumerate(operands)]


def _strong_dtype(operand: Any) -> DType | None:
    """The dtype that a literal takes from an operand: a Value, an array or a NumPy scalar other than np.float64."""
    if isinstance(operand, Value):
        return None if isinstance(operand, WeakValue) else operand.dtype
    strong = isinstance(operand, (np.ndarray, np.generic)) and not is_weak(operand)
    return DType.of(operand.dtype) if strong else None


def _as_value(graph: Graph, record: OpDef, index: int, operand: Any, peers: Sequence[DType]) -> Value | None:
    """Converts one operand to a Value; a number takes the dtype that its role and its peers require."""
    if operand is None:
        return None
    if isinstance(operand, Value) and not isinstance(operand, WeakValue):
        return into(graph, operand)
    if not isinstance(operand, WeakValue) and not is_weak(operand):
        return constant(graph, operand)
    where = record.operand(index)
    what = f"{where.name} of {record.name}"
    if isinstance(operand, WeakValue):
        dtype = literal_dtype(literal_like(operand), peers, where.role)
        check_role(operand, dtype, what)
        return into(graph, taken_as(operand, dtype))
    dtype = literal_dtype(operand, peers, where.role)
    _check_fits(operand, dtype, what)
    return constant(graph, operand, dtype)


def normalize_axes(op: Op, shapes: Sequence[Shape | None]) -> Op:
    """Makes axis attributes non-negative, checked against the rank."""
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
    """Normalizes the attributes of an op for these operands: non-negative axes, then what its record normalizes."""
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


def emit(
    record: OpDef, operands: Sequence[Any], attrs: dict[str, Any], *, graph: Graph | None = None, name: str | None = None
) -> Any:
    """Append a node for `record` on `operands`; a Value, or a tuple of Values for several results."""
    operands = _check_count(record, operands)
    target = inside_branch(graph if graph is not None else find_graph(operands))
    if name is not None:
        check_is(name, str, "RLX109", f"name of {record.name}", "a str")
    if any(isinstance(operand, WeakValue) for operand in operands):
        number = _emit_numbers(record, operands, attrs, target, name)
        if number is not None:
            return number
    values = as_values(target, record, operands)
    op, results = _infer(record, attrs, values, target)
    node = target.add_node(op, [None if value is None else value.ref for value in values], results=results, name=name)
    if len(results) > 1 or len(record.results) > 1 or record.results[0].endswith("*"):
        return tuple(Value(target, ref) for ref in node.outputs)
    return Value(target, node.ref)


def _check_count(record: OpDef, operands: Sequence[Any]) -> list[Any]:
    """Drops missing operands at the end; raises if a required one is missing."""
    least, most = record.arity
    given = list(operands)
    while given and given[-1] is None:
        given.pop()
    missing = any(operand is None and not record.operand(i).optional for i, operand in enumerate(given))
    if missing or len(given) < least or (most is not None and len(given) > most):
        raise _wrong_count(record, given)
    return given


def _wrong_count(record: OpDef, given: Sequence[Any]) -> RlxError:
    if record.level == "hir":
        least, most = record.arity
        expected = f"{least}" if most == least else f"{least} to {most}" if most else f"at least {least}"
        return LowerError(record.name.removeprefix("hir."), expected, sum(operand is not None for operand in given))
    signature = ", ".join(o.name + ("?" if o.optional else "*" if o.variadic else "") for o in record.operands)
    return RlxError("RLX101", f"{record.name} takes ({signature}), got {len(given)} operands")


def _infer(record: OpDef, attrs: dict[str, Any], values: Sequence[Value | None], target: Graph) -> tuple[Op, Sequence[Shape]]:
    """Infers the shapes of an op's results; returns them with the op in canonical form."""
    shapes = [None if value is None else value.type for value in values]
    op = normalize(record.op(**attrs), shapes, target.assumptions)
    _refuse_packed(record, values)
    return op, op.infer(shapes, target.assumptions)


def _emit_numbers(record: OpDef, operands: Sequence[Any], attrs: dict[str, Any], target: Graph, name: str | None) -> Any:
    """Computes an elementwise op of Python numbers only in full width; its results are numbers again. None if it is not one."""
    if record.name == "cast":
        return emit(record, (Value(operands[0].graph, operands[0].ref),), attrs, graph=target, name=name)
    numbers = _numbers(record, operands)
    if not numbers:
        return None
    widest = wide_dtype(list(numbers.values()))
    for wide in dict.fromkeys((widest, f64 if widest is i64 else widest)):
        widened = list(operands)
        for i, number in numbers.items():
            widened[i] = taken_as(number, wide) if isinstance(number, WeakValue) else constant(target, number, wide)
        values = as_values(target, record, widened)
        op, results = _infer(record, attrs, values, target)
        if all(result.dtype in WIDE or result.dtype.is_bool for result in results):
            node = target.add_node(op, [None if value is None else value.ref for value in values], results=results, name=name)
            known = places_of_result(record, operands, node, target)
            made = tuple(_number(Value(target, ref), known) for ref in node.outputs)
            return made[0] if len(record.results) == 1 else made
    return None


def _numbers(record: OpDef, operands: Sequence[Any]) -> dict[int, Any]:
    """The operands of an elementwise op by index, if all are Python numbers and one is traced; else none."""
    numbers = {i: operand for i, operand in enumerate(operands) if record.operand(i).role == "value" and operand is not None}
    traced = [isinstance(number, WeakValue) for number in numbers.values()]
    all_weak = all(known or is_weak(number) for known, number in zip(traced, numbers.values(), strict=True))
    return numbers if record.kind is OpKind.Elementwise and any(traced) and all_weak else {}


def _number(result: Value, known: Any) -> Value:
    """Converts a result of Python numbers back to a number; a bool already is one."""
    return result if result.dtype.is_bool else WeakValue(result.graph, result.ref, known)


def is_packed(value: Value) -> bool:
    """Whether a value is a param with a quantization scheme: only ops with a `packed_operand` read it."""
    node = value.graph.node(value.ref)
    return node.op.is_param and node.op["scheme"] is not None


def _refuse_packed(record: OpDef, values: Sequence[Value | None]) -> None:
    if record.level == "hir":
        return
    for index, value in enumerate(values):
        if index != record.packed_operand and value is not None and is_packed(value):
            raise RlxError("RLX112", f"{record.name} of the packed param {value.name!r}")
