"""Shape and dtype rules that many records of ops share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from rlx.core.dim import Size
from rlx.core.dtype import DType, boolean, f32, promote
from rlx.core.enums import OpKind
from rlx.core.quant_scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.attributes import Attr
from rlx.ir.op import Call, OpDef, define
from rlx.ir.tolerance import exact
from rlx.transforms.rules.batching import pointwise


def broadcast_dims(call: Call, *shapes: Sequence[Size]) -> tuple[Size, ...]:
    """The dims of operands broadcast as in NumPy. A symbol is never treated as 1."""
    rank = max((len(dims) for dims in shapes), default=0)
    result: list[Size] = []
    for axis in range(-rank, 0):
        size: Size = 1
        for dims in shapes:
            if len(dims) < -axis:
                continue
            mine = dims[axis]
            if isinstance(mine, int) and mine == 1:
                continue
            if isinstance(size, int) and size == 1:
                size = mine
            else:
                call.check_same(size, mine, f"sizes at axis {axis}", fix=None)
        result.append(size)
    return tuple(result)


def floating(dtype: DType) -> DType:
    """The dtype of a real function's result: f32 for ints and bools, floats stay."""
    return f32 if dtype.is_integer or dtype.is_bool else dtype


def compute_float(*dtypes: DType) -> DType:
    """Dtypes of a float op: operands are promoted, ints and bools to f32."""
    return floating(promote(*dtypes))


def compute_common(*dtypes: DType) -> DType:
    """Dtypes of an op that promotes its operands."""
    return promote(*dtypes)


def compute_comparison(*dtypes: DType) -> DType | None:
    """Dtypes of a comparison: operands are promoted. u64 and a signed integer keep their own, since no integer holds both."""
    common = promote(*dtypes)
    return None if common.is_float and all(dtype.is_integer for dtype in dtypes) else common


def require(call: Call, test: Callable[[DType], bool], what: str) -> None:
    """Checks that every value operand of an op has an accepted dtype."""
    for index, shape in enumerate(call.shapes):
        if shape is not None and call.op.definition.operand(index).role == "value" and not test(shape.dtype):
            raise call.error("RLX103", f"{shape.dtype} is not accepted", fix=f"{call.op.name} takes {what}")


def numeric(dtype: DType) -> bool:
    """Whether a dtype is int, float or complex; not bool or f8."""
    return dtype.is_integer or dtype.is_float or dtype.is_complex


def real(dtype: DType) -> bool:
    """Whether a dtype is int, float or bool; not complex or f8."""
    return dtype.is_integer or dtype.is_float or dtype.is_bool


def logical(dtype: DType) -> bool:
    """Whether a dtype is int or bool."""
    return dtype.is_integer or dtype.is_bool


def elementwise(result: Callable[[DType], DType], test: Callable[[DType], bool], what: str) -> Callable[[Call], Shape]:
    """Infers an elementwise op's result: broadcasts the operands, promotes, and maps the dtype."""

    def infer(call: Call) -> Shape:
        require(call, test, what)
        dims = broadcast_dims(call, *(shape.dims for shape in call.given))
        common = promote(*(shape.dtype for shape in call.given))
        if not test(common):
            given = " and ".join(str(shape.dtype) for shape in call.given)
            fix = f"{call.op.name} takes {what}: cast one, such as .astype({str(call.given[0].dtype)!r})"
            raise call.error("RLX103", f"the common type of {given} is {common}, which is not accepted", fix=fix)
        return Shape.make(dims, result(common))

    return infer


def to_bool(_: DType) -> DType:
    """The result dtype of comparisons: bool."""
    return boolean


def same_type(dtype: DType) -> DType:
    """The result dtype of ops that keep it."""
    return dtype


def no_arithmetic(call: Call, results: tuple[Shape, ...]) -> Size:
    """The cost of data movement: no operations."""
    return 0


def per_element(count: int) -> Callable[[Call, tuple[Shape, ...]], Size]:
    """A cost of `count` operations for each element of the first result."""
    return lambda call, results: results[0].num_elements * count


def per_operand_element(count: int) -> Callable[[Call, tuple[Shape, ...]], Size]:
    """A cost of `count` operations for each element of operand 0."""
    return lambda call, results: call.given[0].num_elements * count


def require_integers(call: Call, role: str = "index") -> None:
    """Checks that every operand of a role has an integer dtype."""
    for index, shape in enumerate(call.shapes):
        operand = call.op.definition.operand(index)
        if shape is not None and operand.role == role and not shape.dtype.is_integer:
            raise call.error("RLX103", f"{operand.name} of {shape.dtype}", fix="cast it to integers: .astype('i32')")


# -- families of ops: default arguments of their records, which each may override ------------------------------------------------
define_movement = partial(define, kind=OpKind.DataMovement, tolerance=exact(), cost=no_arithmetic)
define_pointwise = partial(define, tolerance=exact(), cost=per_element(1), compute_dtype=compute_common, batch=pointwise)
define_product = partial(define, kind=OpKind.Compute, compute_dtype=compute_common)


# -- leaves: where values enter a graph ------------------------------------------------------------------------------


_define_leaf = partial(
    define, operands="", kind=OpKind.Boundary, leaf=True, cases="a leaf has no operands", no_gradient="a leaf", batch="a leaf"
)


def _named_leaf(name: str, doc: str, **attrs: Attr) -> OpDef:
    attrs = {"name": Attr("str"), "shape": Attr("shape"), **attrs}
    return _define_leaf(name, infer=lambda call: call.op.attrs["shape"], doc=doc, attrs=attrs)


Input = _named_leaf("input", "A tensor given at each run.")
Param = _named_leaf(
    "param",
    "A weight owned by the session. With a scheme it is packed: its shape is logical, its storage the scheme's bytes.",
    scheme=Attr("tag", None, parse=QuantScheme.parse, annotation="QuantScheme | str"),
)
State = _named_leaf("state", "A tensor owned by the session that lives from run to run.", init=Attr("float", 0.0))


def _constant(call: Call) -> Shape:
    array = call.op.attrs["value"].array
    return Shape.make(array.shape, DType.of(array.dtype))


Constant = _define_leaf("constant", infer=_constant, doc="An array known while building.", attrs={"value": Attr("array")})
