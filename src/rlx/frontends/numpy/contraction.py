"""Products and sums over shared axes."""

from __future__ import annotations

import math
import string
from collections.abc import Sequence
from typing import Any

from rlx.core.dim import Size
from rlx.core.dtype import DTypeLike, f32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value, axes_of, axis_of, emit, promote_values, size_of
from rlx.frontends.numpy.dtypes import as_dtype as named_dtype
from rlx.frontends.numpy.movement import broadcast_sizes, broadcast_to, moveaxis
from rlx.frontends.numpy.reductions import sum as sum_along
from rlx.ir.array_methods import Array
from rlx.ir.emit import constant
from rlx.ir.value import Value, as_dtype

__all__ = [
    "cross", "diag", "diagflat", "diagonal", "dot", "einsum", "inner", "kron", "matmul", "matvec", "outer", "tensordot", "trace",
    "vdot", "vecdot", "vecmat",
]  # fmt: skip


def _result(product: Value, dtype: DTypeLike | None) -> Value:
    return product if dtype is None else as_dtype(product, named_dtype(dtype))


def _conj(x: Value) -> Value:
    return emit("conjugate", x) if x.dtype.is_complex else x


@array_function
def matmul(x1: ArrayLike, x2: ArrayLike, /, *, precision: Any = None, preferred_element_type: DTypeLike | None = None) -> Value:
    """Products of matrices in the last two axes; the others are broadcast."""
    x, y = promote_values(x1, x2)
    if 0 in (x.rank, y.rank):
        raise RlxError("RLX102", f"matmul of {x.type} and {y.type}", fix="at least one axis each; x * y for numbers")
    left = x.reshape((1, *x.shape)) if x.rank == 1 else x
    right = y.reshape((*y.shape, 1)) if y.rank == 1 else y
    product = product_of("matmul", left, right)
    gone = ([-2] if x.rank == 1 else []) + ([-1] if y.rank == 1 else [])
    keep = [size for i, size in enumerate(product.shape) if i - product.rank not in gone]
    return _result(product.reshape(tuple(keep)) if gone else product, preferred_element_type)


@array_function
def dot(x1: ArrayLike, x2: ArrayLike, /, *, precision: Any = None, preferred_element_type: DTypeLike | None = None) -> Value:
    """The sum of products over the last axis of the first and the last but one of the second."""
    x, y = promote_values(x1, x2)
    if 0 in (x.rank, y.rank):
        return _result(emit("mul", x, y), preferred_element_type)
    return _result(_contract(x, y, (x.rank - 1,), (max(y.rank - 2, 0),)), preferred_element_type)


def _contract(x: Value, y: Value, left: Sequence[int], right: Sequence[int]) -> Value:
    """Sums products over pairs of axes; the remaining axes follow each other."""
    return product_of("dot_general", x, y, lhs_contract=tuple(left), rhs_contract=tuple(right), lhs_batch=(), rhs_batch=())


def product_of(op: str, x: Value, y: Value, **axes: Any) -> Value:
    """Multiplies and sums along axes; of bools, whether any product is true."""
    if not x.dtype.is_bool:
        return emit(op, x, y, **axes)
    return emit("ne", emit(op, x.astype(f32), y.astype(f32), **axes), 0)


@array_function
def vdot(x1: ArrayLike, x2: ArrayLike, /, *, precision: Any = None, preferred_element_type: DTypeLike | None = None) -> Value:
    """The sum of products of all elements, the first conjugated."""
    x, y = promote_values(x1, x2)
    product = _contract(_conj(x).reshape(size_of(x.shape)), y.reshape(size_of(y.shape)), (0,), (0,))
    return _result(product, preferred_element_type)


@array_function
def vecdot(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> Value:
    """Sums of products along one axis, the first conjugated; the others are broadcast."""
    x, y = promote_values(x1, x2)
    if axis >= 0 or -axis > min(x.rank, y.rank):
        axis = axis_of(axis, min(x.rank, y.rank), "vecdot") - max(x.rank, y.rank) if x.rank == y.rank else axis
    if x.shape[axis] != y.shape[axis]:
        raise RlxError("RLX102", f"vecdot of {x.type} and {y.type} along axis {axis}", fix="equal sizes there")
    x, y = as_value(moveaxis(x, axis, -1)), as_value(moveaxis(y, axis, -1))
    return emit("reduce_sum", _conj(x) * y, axes=(max(x.rank, y.rank) - 1,), keep_dim=False).astype(x.dtype)


@array_function
def matvec(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Products of matrices and vectors."""
    x, y = promote_values(x1, x2)
    column = matmul(x, y.reshape((*y.shape, 1)))
    return column.reshape(column.shape[:-1])


@array_function
def vecmat(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Products of vectors, conjugated, and matrices."""
    x, y = promote_values(x1, x2)
    row = matmul(_conj(x).reshape((*x.shape[:-1], 1, x.shape[-1])), y)
    return row.reshape((*row.shape[:-2], row.shape[-1]))


@array_function
def inner(x1: ArrayLike, x2: ArrayLike, /, *, precision: Any = None, preferred_element_type: DTypeLike | None = None) -> Value:
    """Sums of products over the last axes of both."""
    x, y = promote_values(x1, x2)
    plain = 0 in (x.rank, y.rank)
    product = emit("mul", x, y) if plain else _contract(x, y, (x.rank - 1,), (y.rank - 1,))
    return _result(product, preferred_element_type)


@array_function
def outer(x1: ArrayLike, x2: ArrayLike, /) -> Value:
    """All products of an element of the first and one of the second."""
    x, y = promote_values(x1, x2)
    return x.reshape((size_of(x.shape), 1)) * y.reshape((1, size_of(y.shape)))


@array_function
def tensordot(
    x1: ArrayLike, x2: ArrayLike, /, axes: Any = 2, *, precision: Any = None, preferred_element_type: DTypeLike | None = None
) -> Value:
    """Sums of products over so many last and first axes, or over pairs of axes."""
    x, y = promote_values(x1, x2)
    if isinstance(axes, int):
        left, right = tuple(range(x.rank - axes, x.rank)), tuple(range(axes))
    else:
        pairs = [each if isinstance(each, (tuple, list)) else (each,) for each in axes]
        left, right = axes_of(pairs[0], x.rank, "tensordot"), axes_of(pairs[1], y.rank, "tensordot")
    if [x.shape[i] for i in left] != [y.shape[i] for i in right]:
        raise RlxError("RLX102", f"tensordot of {x.type} and {y.type} over {axes}", fix="equal sizes of paired axes")
    if not left:
        return x.reshape(x.shape + (1,) * y.rank) * y if y.rank else x * y
    return _result(_contract(x, y, left, right), preferred_element_type)


@array_function
def kron(a: ArrayLike, b: ArrayLike) -> Value:
    """Each element of the first times the whole second, as blocks."""
    x, y = promote_values(a, b)
    rank = max(x.rank, y.rank)
    first, second = (1,) * (rank - x.rank) + x.shape, (1,) * (rank - y.rank) + y.shape
    spread = x.reshape(tuple(size for each in first for size in (each, 1)))
    blocks = spread * y.reshape(tuple(size for each in second for size in (1, each)))
    return blocks.reshape(tuple(p * q for p, q in zip(first, second, strict=True)))


@array_function
def cross(x1: ArrayLike, x2: ArrayLike, /, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Array:
    """Cross products of vectors of two or three elements."""
    x, y = promote_values(x1, x2)
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = as_value(moveaxis(x, axisa, -1)), as_value(moveaxis(y, axisb, -1))
    if not {x.shape[-1], y.shape[-1]} <= {2, 3}:
        raise RlxError("RLX102", f"cross of {x.type} and {y.type}", fix="2 or 3 elements along the axis")
    shape = broadcast_sizes(x.shape[:-1], y.shape[:-1])
    a = [x[..., i] for i in range(int(x.shape[-1]))]
    b = [y[..., i] for i in range(int(y.shape[-1]))]
    last = a[0] * b[1] - a[1] * b[0]
    if len(a) == len(b) == 2:
        return broadcast_to(last, shape)
    zero = a[0] * 0
    a2, b2 = a[2] if len(a) == 3 else zero, b[2] if len(b) == 3 else zero
    parts = [a[1] * b2 - a2 * b[1], a2 * b[0] - a[0] * b2, last]
    whole = emit("concat", *(broadcast_to(part, shape).reshape((*shape, 1)) for part in parts), axis=len(shape))
    return moveaxis(whole, -1, axisc)


# -- diagonals ----------------------------------------------------------------------------------------------------
@array_function
def diagonal(x: ArrayLike, /, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """The elements on a diagonal of two axes, as a last axis."""
    value = as_value(x)
    first, second = axes_of((axis1, axis2), value.rank, "diagonal")
    back = as_value(moveaxis(value, (first, second), (-2, -1)))
    rows, columns = back.shape[-2:]
    if not (isinstance(rows, int) and isinstance(columns, int)):
        raise RlxError("RLX202", "diagonal of symbolic sizes", fix="static sizes")
    count = max(0, min(rows + min(offset, 0), columns - max(offset, 0)))
    flat = back.reshape((*back.shape[:-2], rows * columns))
    start = offset if offset >= 0 else -offset * columns
    stop = min(start + count * (columns + 1), rows * columns)
    if count == 0:
        return flat[..., :0]
    return flat[..., start : max(stop, start + 1) : columns + 1]


@array_function
def trace(x: ArrayLike, /, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike | None = None) -> Array:
    """The sum of a diagonal."""
    return sum_along(diagonal(as_value(x), offset, axis1, axis2), axis=-1, dtype=dtype)


@array_function
def diag(v: ArrayLike, k: int = 0) -> Array:
    """A matrix with this diagonal, or the diagonal of a matrix."""
    value = as_value(v)
    if value.rank == 2:
        return diagonal(value, k)
    if value.rank != 1:
        raise RlxError("RLX102", f"diag of {value.type}", fix="one or two axes")
    return diagflat(value, k)


@array_function
def diagflat(v: ArrayLike, k: int = 0) -> Value:
    """A matrix with all elements on a diagonal."""
    value = as_value(v)
    flat = value.reshape(size_of(value.shape))
    count = flat.shape[0]
    rows = emit("iota", shape=(count, count), axis=0, dtype="i32", graph=flat.graph)
    columns = emit("iota", shape=(count, count), axis=1, dtype="i32", graph=flat.graph)
    square: Value = emit("where", rows == columns, flat.reshape((1, count)), constant(flat.graph, 0, flat.dtype))
    above, below = max(k, 0), max(-k, 0)
    return emit("pad", square, low=(below, above), high=(above, below), mode="constant", value=0.0) if k else square


# -- einsum -------------------------------------------------------------------------------------------------------
def einsum(
    subscripts: Any, /, *operands: Any, precision: Any = None, optimize: Any = True, preferred_element_type: DTypeLike | None = None
) -> Array:
    """Products summed over the letters that the result does not have. Each operand may be followed by its axes as numbers instead.

    >>> import numpy as np, rlx.numpy as rnp
    >>> x = np.float32([[1, 2], [3, 4]])
    >>> rnp.einsum("ij,kj->ik", x, x).tolist() == rnp.einsum(x, [0, 1], x, [2, 1], [0, 2]).tolist()
    True
    """
    if not isinstance(subscripts, str):
        subscripts, operands = _from_numbers((subscripts, *operands))
    return _einsum(subscripts, *operands, preferred_element_type=preferred_element_type)


def _from_numbers(given: Sequence[Any]) -> tuple[str, tuple[Any, ...]]:
    """Converts einsum's `(x, axes of x, y, axes of y, …, axes of the result)` to letters."""

    def letters(axes: Sequence[Any]) -> str:
        if not all(axis is Ellipsis or axis in range(len(string.ascii_letters)) for axis in axes):
            raise RlxError("RLX109", f"einsum with axes {axes!r}", fix="a number from 0 to 51 for each axis, or ...")
        return "".join("..." if axis is Ellipsis else string.ascii_letters[axis] for axis in axes)

    pairs = len(given) // 2 * 2
    names = ",".join(letters(axes) for axes in given[1:pairs:2])
    result = f"->{letters(given[-1])}" if len(given) % 2 else ""
    return names + result, tuple(given[:pairs:2])


@array_function
def _einsum(subscripts: str, /, *operands: ArrayLike, preferred_element_type: DTypeLike | None = None) -> Value:
    values = promote_values(*operands)
    names, result = _parse(subscripts, values)
    terms = [_without_repeats(value, letters) for value, letters in zip(values, names, strict=True)]
    while len(terms) > 1:
        first, second = _cheapest(terms) if len(terms) > 2 else (0, 1)
        (x, left), (y, right) = terms[first], terms[second]
        others = [term for i, term in enumerate(terms) if i not in (first, second)]
        remaining = set(result).union(*(letters for _, letters in others))
        terms = [_contract_pair(x, left, y, right, remaining), *others]
    value, letters = terms[0]
    gone = tuple(i for i, letter in enumerate(letters) if letter not in result)
    if gone:
        value = emit("reduce_sum", value, axes=gone, keep_dim=False).astype(value.dtype)
        letters = "".join(letter for letter in letters if letter in result)
    order = tuple(letters.index(letter) for letter in result)
    value = value if order == tuple(range(len(order))) else emit("transpose", value, perm=order)
    return _result(value, preferred_element_type)


def _parse(subscripts: str, values: Sequence[Value]) -> tuple[list[str], str]:
    """Parses einsum subscripts: the letters of each operand and of the result; an ellipsis gets letters of its own."""
    given, arrow, result = subscripts.replace(" ", "").partition("->")
    names = given.split(",")
    if len(names) != len(values):
        raise RlxError("RLX109", f"einsum {subscripts!r} of {len(values)} arrays", fix=f"{len(names)} arrays")
    unnamed = [value.rank - len(name.replace("...", "")) for name, value in zip(names, values, strict=True)]
    free = [letter for letter in string.ascii_letters if letter not in subscripts]
    dots = "".join(free[: max(0, *(count if "..." in name else 0 for name, count in zip(names, unnamed, strict=True)))])
    operands = []
    for name, value, count in zip(names, values, unnamed, strict=True):
        letters = name.replace("...", dots[len(dots) - count :] if count > 0 else "")
        if len(letters) != value.rank or (letters and not letters.isalpha()):
            raise RlxError("RLX109", f"einsum {subscripts!r}: {name!r} for {value.type}", fix="a letter for each axis")
        operands.append(letters)
    result = (result if arrow else _implicit_result(names, dots)).replace("...", dots)
    if not set(result) <= set("".join(operands)) or len(set(result)) != len(result):
        raise RlxError("RLX109", f"einsum {subscripts!r}: the result", fix="letters of the operands, each once")
    return operands, result


def _implicit_result(names: Sequence[str], dots: str) -> str:
    """The implicit result of einsum subscripts without an arrow: the ellipsis, then each letter that comes once, in alphabetical order."""
    plain = "".join(name.replace("...", "") for name in names)
    return ("..." if dots else "") + "".join(sorted(letter for letter in set(plain) if plain.count(letter) == 1))


def _without_repeats(value: Value, letters: str) -> tuple[Value, str]:
    """Takes the diagonal for each letter that comes twice in one operand."""
    for letter in dict.fromkeys(letters):
        while letters.count(letter) > 1:
            first = letters.index(letter)
            second = letters.index(letter, first + 1)
            value = as_value(diagonal(value, 0, first, second))
            letters = "".join(each for i, each in enumerate(letters) if i not in (first, second)) + letter
    return value, letters


def _cheapest(terms: Sequence[tuple[Value, str]]) -> tuple[int, int]:
    """Picks the pair of operands whose product has the fewest elements over all its letters."""

    def cost(pair: tuple[int, int]) -> float:
        sizes: dict[str, Any] = {}
        for i in pair:
            value, letters = terms[i]
            sizes |= dict(zip(letters, value.shape, strict=True))
        return math.prod(size if isinstance(size, int) else 1024 for size in sizes.values())

    pairs = [(i, j) for i in range(len(terms)) for j in range(i + 1, len(terms))]
    return min(pairs, key=cost)


def _contract_pair(x: Value, left: str, y: Value, right: str, remaining: set[str]) -> tuple[Value, str]:
    """Contracts two operands of einsum as one product: batch axes first, then what is left of either."""
    x, left = _sum_unshared(x, left, remaining | set(right))
    y, right = _sum_unshared(y, right, remaining | set(left))
    x, y = _broadcast_shared(x, left, y, right)
    shared = [letter for letter in left if letter in right]
    batch = [letter for letter in shared if letter in remaining]
    over = [letter for letter in shared if letter not in remaining]
    letters = [*batch, *(letter for letter in left + right if letter not in shared)]
    if not over:
        return _spread(x, left, letters) * _spread(y, right, letters), "".join(letters)
    product = product_of(
        "dot_general",
        x,
        y,
        lhs_contract=tuple(map(left.index, over)),
        rhs_contract=tuple(map(right.index, over)),
        lhs_batch=tuple(map(left.index, batch)),
        rhs_batch=tuple(map(right.index, batch)),
    )
    return product, "".join(letters)


def _broadcast_shared(x: Value, left: str, y: Value, right: str) -> tuple[Value, Value]:
    """Broadcasts both operands to equal sizes along the axes they share: NumPy lets a size of 1 stand for any."""
    sizes = dict(zip(right, y.shape, strict=True))
    for letter, size in zip(left, x.shape, strict=True):
        other = sizes.get(letter, size)
        if size != other and 1 in (size, other):
            wide = other if size == 1 else size
            x, y = _broadcast_letter(x, left, letter, wide), _broadcast_letter(y, right, letter, wide)
    return x, y


def _broadcast_letter(x: Value, letters: str, letter: str, size: Size) -> Value:
    return as_value(broadcast_to(x, tuple(size if each == letter else own for each, own in zip(letters, x.shape, strict=True))))


def _sum_unshared(x: Value, letters: str, remaining: set[str]) -> tuple[Value, str]:
    gone = tuple(i for i, letter in enumerate(letters) if letter not in remaining)
    if not gone:
        return x, letters
    total = emit("reduce_sum", x, axes=gone, keep_dim=False).astype(x.dtype)
    return total, "".join(letter for letter in letters if letter in remaining)


def _spread(x: Value, letters: str, wanted: Sequence[str]) -> Value:
    """Transposes an operand to the order of letters, with size 1 where it has none of them."""
    order = [letters.index(each) for each in wanted if each in letters]
    x = x if order == list(range(len(order))) else emit("transpose", x, perm=tuple(order))
    left = iter(x.shape)
    return x.reshape(tuple(next(left) if each in letters else 1 for each in wanted))
