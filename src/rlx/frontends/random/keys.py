"""Keys: two words from which all random numbers follow, and how new ones are derived."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dtype import DTypeLike, i64, u8, u16, u32, u64
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value
from rlx.frontends.numpy.creation import asarray
from rlx.frontends.numpy.dtypes import as_dtype as named_dtype
from rlx.frontends.numpy.dtypes import dtype_of
from rlx.frontends.numpy.joining import concat
from rlx.frontends.numpy.values import sizes_of
from rlx.frontends.random.source import FOLD_STREAM, SPLIT_STREAM, KeySource, is_key
from rlx.ir.array_methods import Array
from rlx.ir.value import Value, as_dtype
from rlx.runtime.array import ConcreteArray

__all__ = ["PRNGKey", "bits", "clone", "fold_in", "key", "key_data", "key_impl", "split", "wrap_key_data"]

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


def _checked(keys: Any, what: str) -> Any:
    found = keys if isinstance(keys, Value) else asarray(keys)
    if not is_key(found.shape[-1:], dtype_of(found)):
        raise RlxError("RLX102", f"{what} of {dtype_of(found)}{list(found.shape)}", fix="keys are u32[…, 2]")
    return found


def key_data(keys: ArrayLike) -> Array:
    """The words of keys. A key is its words here, so they come back as they are.

    >>> import rlx
    >>> rlx.random.key_data(rlx.random.key(1))
    Array([0, 1], dtype=uint32)
    """
    return _checked(keys, "key_data")


def wrap_key_data(key_bits_array: ArrayLike, *, impl: str | None = None, dtype: None = None) -> Array:
    """Keys from their words, u32[…, 2].

    >>> import numpy as np, rlx
    >>> rlx.random.wrap_key_data(np.uint32([0, 1]))
    Array([0, 1], dtype=uint32)
    """
    _check_implementation(impl)
    return _checked(key_bits_array, "wrap_key_data")


def key_impl(keys: ArrayLike) -> str:
    """The name of the generator.

    >>> import rlx
    >>> rlx.random.key_impl(rlx.random.key(0))
    'philox4x32'
    """
    _checked(keys, "key_impl")
    return IMPLEMENTATION


def clone(key: ArrayLike) -> Array:
    """The same key. (JAX's checker of reuse counts it as a new one; there is none here.)

    >>> import rlx
    >>> rlx.random.clone(rlx.random.key(3))
    Array([0, 3], dtype=uint32)
    """
    return _checked(key, "clone")
