"""What samplers are made of: a key as a source of words, uniform and normal numbers, and parameters as Values.

Every number comes from the record `random_bits` (`rlx.ops.random`) or one that draws from the same bits. A sampler that needs
several independent draws takes one stream after the other, from 0; the keys of `split` and `fold_in` come from streams of their
own. A sampler that tries again draws with the number of the round as counter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dim import Size
from rlx.core.dtype import DType, DTypeLike, f32, f64, i64, promote, u8, u16, u32, u64
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value, emit, sizes_of
from rlx.frontends.numpy.creation import asarray
from rlx.frontends.numpy.dtypes import as_dtype as named_dtype
from rlx.frontends.numpy.dtypes import dtype_of
from rlx.frontends.numpy.insertion import concat
from rlx.frontends.numpy.movement import broadcast_sizes, broadcast_to
from rlx.ir.array_methods import Array
from rlx.ir.emit import constant
from rlx.ir.value import Value, WeakValue, as_dtype, taken_as
from rlx.runtime.array import ConcreteArray

__all__ = ["PRNGKey", "bits", "clone", "fold_in", "key", "key_data", "key_impl", "split", "wrap_key_data"]


SPLIT_STREAM = 2**32 - 1
"""The stream whose words 2 i and 2 i + 1 are key i of `split`."""
FOLD_STREAM = 2**32 - 2
"""The stream whose first two words, at the counter `data`, are the key of `fold_in`."""


def is_key(shape: Sequence[Size], dtype: DType) -> bool:
    """Whether this is the type of one key."""
    return dtype is u32 and tuple(shape) == (2,)


class KeySource:
    """The random bits of one key in a sampler's body; `others` are arguments whose trace it belongs to where the key is an array."""

    def __init__(self, key: Any, what: str, *others: Any) -> None:
        self.key = as_value(key, next((each for each in others if isinstance(each, Value)), None))
        if not is_key(self.key.shape, self.key.dtype):
            several = self.key.rank > 1 and is_key(self.key.shape[-1:], self.key.dtype)
            fix = "rlx.vmap over several keys" if several else "rlx.random.key(seed) makes one"
            raise RlxError("RLX102", f"{what}: the key is {self.key.type}, expected one u32[2]", fix=fix)
        self._streams = 0

    def take_stream(self) -> int:
        """A stream that nothing else of this sampler draws from."""
        self._streams += 1
        return self._streams - 1

    def draw(self, op: str, shape: Sequence[Size], stream: int | None = None, counter: Any = 0, **attrs: Any) -> Value:
        """Draws words, or numbers of a dtype, from one stream."""
        number = counter if isinstance(counter, Value) else constant(self.key.graph, np.uint64(counter))
        stream = self.take_stream() if stream is None else stream
        return emit(op, self.key, number, shape=tuple(shape), stream=stream, **attrs)

    def words(self, shape: Sequence[Size], dtype: DType = u32, **where: Any) -> Value:
        """Draws random bits in an unsigned dtype: the low ones of a word; two words, the low one first, in u64."""
        if dtype is not u64:
            return as_dtype(self.draw("random_bits", shape, **where), dtype)
        pairs = self.draw("random_bits", (*shape, 2), **where).astype(u64)
        low, high = (pairs[..., half] for half in range(2))
        return low | (high << np.uint64(32))

    def uniform(self, shape: Sequence[Size], dtype: DType, **where: Any) -> Value:
        """Draws uniform numbers in [0, 1), with as many bits as the dtype has digits: never 1."""
        if dtype is f32:
            return self.draw("random_uniform", shape, dtype=f32, **where)
        if dtype is f64:
            return as_dtype(self.words(shape, u64, **where) >> np.uint64(11), f64) * 2.0**-53
        digits = {"f16": 11, "bf16": 8}[dtype.name]
        return as_dtype(as_dtype(self.words(shape, **where) >> np.uint32(32 - digits), f32) * 2.0**-digits, dtype)

    def inside(self, shape: Sequence[Size], dtype: DType, **where: Any) -> Value:
        """Draws uniform numbers in (0, 1), both ends excluded, symmetric about 1/2; f32 or f64."""
        if dtype is f64:
            return as_dtype(self.words(shape, u64, **where) >> np.uint64(12), f64) * 2.0**-52 + 2.0**-53
        return as_dtype(self.words(shape, **where) >> np.uint32(9), f32) * 2.0**-23 + 2.0**-24

    def normal(self, shape: Sequence[Size], dtype: DType, **where: Any) -> Value:
        """Draws normal numbers of mean 0 and variance 1; in f64 from uniform numbers of 52 and 53 bits."""
        if dtype is not f64:
            return self.draw("random_normal", shape, dtype=dtype, **where)
        pairs = self.words((*shape, 2), u64, **where)
        radius = emit("sqrt", -2.0 * emit("log", as_dtype(pairs[..., 0] >> np.uint64(12), f64) * 2.0**-52 + 2.0**-53))
        angle = as_dtype(pairs[..., 1] >> np.uint64(11), f64) * (2.0**-53 * 2 * math.pi)
        return radius * emit("cos", angle)


# -- arguments ----------------------------------------------------------------------------------------------------
def float_dtype(dtype: DTypeLike | None, what: str, *parameters: Any) -> DType:
    """The dtype of a sampler's result: what is given, else that of the parameters if they are floats, else f32."""
    if dtype is None:
        strong = [x.dtype for x in parameters if hasattr(x, "dtype") and not isinstance(x, WeakValue)]
        common = promote(*(DType.of(each) for each in strong)) if strong else f32
        return common if common.is_float else f32
    common = named_dtype(dtype)
    if common.name not in ("f32", "f64", "f16", "bf16"):
        raise RlxError("RLX103", f"{what}: dtype {common}", fix="float32, float64, float16 or bfloat16")
    return common


def wide_float(dtype: DType) -> DType:
    """The dtype that a sampler's formulas are computed in: f32, or f64 for f64."""
    return f64 if dtype is f64 else f32


def in_dtype(x: Any, dtype: DType, like: Value) -> Value:
    """Converts a parameter to a Value; a number is rounded once, to this dtype."""
    if isinstance(x, WeakValue):
        return taken_as(x, dtype)
    if isinstance(x, (int, float)) and not isinstance(x, np.generic):
        return constant(like.graph, x, dtype)
    return as_dtype(as_value(x, like), dtype)


def full_shape(what: str, shape: Any, *given: Value) -> tuple[Size, ...]:
    """The shape of a sampler's result: what is given, to which the parameters broadcast; else their common shape."""
    shapes = [value.shape for value in given]
    if shape is None:
        return broadcast_sizes(*shapes)
    sizes = sizes_of(shape)
    for each in shapes:
        pairs = zip(reversed(each), reversed(sizes), strict=False)
        if len(each) > len(sizes) or any(isinstance(m, int) and m != 1 and m != n for m, n in pairs):
            message = f"{what}: shape {list(sizes)} for a parameter of shape {list(each)}"
            raise RlxError("RLX102", message, fix="a shape that the parameters broadcast to, or none")
    return sizes


def parameters(what: str, shape: Any, dtype: DType, like: Value, *given: Any) -> list[Value]:
    """Converts parameters to a dtype, broadcast to the shape of the result."""
    values = [in_dtype(x, dtype, like) for x in given]
    sizes = full_shape(what, shape, *values)
    return [as_value(broadcast_to(value, sizes)) for value in values]


# -- keys: two words from which all random numbers follow, and how new ones are derived ------------------------------


IMPLEMENTATION = "philox4x32"


def _check_implementation(impl: Any) -> None:
    if impl not in (None, IMPLEMENTATION):
        raise RlxError("RLX109", f"a key of implementation {impl!r}", fix=f"{IMPLEMENTATION!r}, the only one, or None")


def key(seed: int | ArrayLike, *, impl: str | None = None, dtype: None = None) -> Array:
    """The key of a seed: u32[2], the high and the low word of the seed as a 64-bit integer.

    >>> import rlx
    >>> rlx.random.key(42)
    Array([ 0, 42], dtype=uint32)
    """
    _check_implementation(impl)
    if dtype is not None:
        raise RlxError("RLX109", f"a key of dtype {dtype!r}", fix="leave dtype out: keys are u32[2]")
    if isinstance(seed, Value):
        return _traced_key(as_value(seed))
    if not isinstance(seed, (int, np.integer, np.ndarray, ConcreteArray)) or np.ndim(seed) or dtype_of(seed).is_float:
        raise RlxError("RLX109", f"the seed of a key is {seed!r:.60}", fix="an integer")
    number = int(seed)
    if not -(2**63) <= number < 2**64:
        raise RlxError("RLX109", f"the seed {number} does not fit 64 bits", fix="-2**63 to 2**64 - 1")
    return ConcreteArray(np.array([number >> 32 & 0xFFFFFFFF, number & 0xFFFFFFFF], np.uint32))


def _traced_key(seed: Value) -> Array:
    if seed.rank or not seed.dtype.is_integer:
        raise RlxError("RLX109", f"the seed of a key is {seed.type}", fix="an integer")
    wide = as_dtype(seed if seed.dtype is u64 else as_dtype(seed, i64), u64)
    return concat([as_dtype(word, u32).reshape(1) for word in (wide >> np.uint64(32), wide)])


PRNGKey = key


@array_function
def split(key: ArrayLike, num: int | tuple[int, ...] = 2) -> Value:
    """New keys, independent of each other and of the key: u32[num, 2], or u32[*num, 2]. Key i does not depend on how many there are.

    >>> import rlx
    >>> first, second = rlx.random.split(rlx.random.key(0))
    >>> first
    Array([4130576541,  252180694], dtype=uint32)
    """
    return KeySource(key, "split").draw("random_bits", (*sizes_of(num), 2), stream=SPLIT_STREAM)


@array_function
def fold_in(key: ArrayLike, data: ArrayLike) -> Value:
    """The key that belongs to a key and a number, such as that of a layer or a step.

    >>> import rlx
    >>> rlx.random.fold_in(rlx.random.key(0), 7)
    Array([2887855138,   75728143], dtype=uint32)
    """
    source = KeySource(key, "fold_in", data)
    number = as_value(data, source.key)
    if number.rank or not number.dtype.is_integer:
        raise RlxError("RLX109", f"fold_in of {number.type}", fix="one integer; rlx.vmap for several")
    wide = as_dtype(number if number.dtype is u64 else as_dtype(number, i64), u64)
    return source.draw("random_bits", (2,), stream=FOLD_STREAM, counter=wide)


@array_function
def bits(key: ArrayLike, shape: int | Sequence[int] = (), dtype: DTypeLike | None = None) -> Value:
    """Random bits, as u32 by default, or in another unsigned dtype.

    >>> import rlx
    >>> rlx.random.bits(rlx.random.key(0), (2,))
    Array([1713891541, 3781805453], dtype=uint32)
    """
    kind = u32 if dtype is None else named_dtype(dtype)
    if kind not in (u8, u16, u32, u64):
        raise RlxError("RLX103", f"bits in dtype {kind}", fix="uint8, uint16, uint32 or uint64")
    return KeySource(key, "bits").words(sizes_of(shape), kind)


def _check_keys(keys: Any, what: str) -> Any:
    array = keys if isinstance(keys, Value) else asarray(keys)
    if not is_key(array.shape[-1:], dtype_of(array)):
        raise RlxError("RLX102", f"{what} of {dtype_of(array)}{list(array.shape)}", fix="keys are u32[…, 2]")
    return array


def key_data(keys: ArrayLike) -> Array:
    """The words of keys. A key is its words here, so they come back as they are.

    >>> import rlx
    >>> rlx.random.key_data(rlx.random.key(1))
    Array([0, 1], dtype=uint32)
    """
    return _check_keys(keys, "key_data")


def wrap_key_data(key_bits_array: ArrayLike, *, impl: str | None = None, dtype: None = None) -> Array:
    """Keys from their words, u32[…, 2].

    >>> import numpy as np, rlx
    >>> rlx.random.wrap_key_data(np.uint32([0, 1]))
    Array([0, 1], dtype=uint32)
    """
    _check_implementation(impl)
    return _check_keys(key_bits_array, "wrap_key_data")


def key_impl(keys: ArrayLike) -> str:
    """The name of the generator.

    >>> import rlx
    >>> rlx.random.key_impl(rlx.random.key(0))
    'philox4x32'
    """
    _check_keys(keys, "key_impl")
    return IMPLEMENTATION


def clone(key: ArrayLike) -> Array:
    """The same key. (JAX's checker of reuse counts it as a new one; there is none here.)

    >>> import rlx
    >>> rlx.random.clone(rlx.random.key(3))
    Array([0, 3], dtype=uint32)
    """
    return _check_keys(key, "clone")
