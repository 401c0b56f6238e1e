"""Random ops: pure functions of a key, a counter and a stream number, with the same bits on every backend.

**The bits.** Element i (row-major) of a random tensor is lane i % 4 of the block

    Philox4x32-10(counter words (i // 4, stream, counter & 0xFFFFFFFF, counter >> 32), key words (key[0], key[1]))

so word 0 counts blocks of four elements, word 1 is the op's `stream` attribute, words 2 and 3 are the u64 `counter`
that a state advances from run to run. Nothing depends on threads, vector width or the order of evaluation. Draws take one
key u32[2] and one counter, or n of either or both, for n draws in rows, each the same as it is alone. From 32 bits come

    uniform   u = (bits >> 8) · 2⁻²⁴, in [0, 1), exact in f32
    normal    lanes (0, 1) and (2, 3): r = sqrt(-2·ln(1 - u_even)), θ = 2π·u_odd; even r·cos θ, odd r·sin θ
"""

from __future__ import annotations

import itertools
import math
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import proves_at_most
from rlx.core.dtype import DTypeLike, u32, u64
from rlx.ir.tolerance import near_max, ulps
from rlx.ir.value import one
from rlx.ops.record import OPS, Array, Attr, Call, Case, DType, OpKind, Shape, Size, Value, as_dtype, case, define, exact, sample
from rlx.transforms.rules.batching import Axis, Batched, Operands, again, batch_size, in_front, one_by_one, with_batch_axis
from rlx.transforms.rules.formulas import linear, one_result

PHILOX_ROUNDS = 10
PHILOX_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
PHILOX_KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
_LOW = np.uint64(0xFFFFFFFF)


def philox(counter: tuple[Array, Array, Array, Array], key: tuple[int, int]) -> tuple[Array, Array, Array, Array]:
    """Philox4x32-10 on arrays of u32 counter words.

    >>> zero = np.zeros((), np.uint32)
    >>> [hex(int(word)) for word in philox((zero, zero, zero, zero), (0, 0))]
    ['0x6627e8d5', '0xe169c58d', '0xbc57ac4c', '0x9b00dbd8']
    """
    c0, c1, c2, c3 = (word.astype(np.uint64) for word in counter)
    k0, k1 = key
    for _ in range(PHILOX_ROUNDS):
        first = c0 * np.uint64(PHILOX_MULTIPLIERS[0])
        second = c2 * np.uint64(PHILOX_MULTIPLIERS[1])
        shift = np.uint64(32)
        c0, c1, c2, c3 = (
            (second >> shift) ^ c1 ^ np.uint64(k0),
            second & _LOW,
            (first >> shift) ^ c3 ^ np.uint64(k1),
            first & _LOW,
        )
        k0, k1 = (k0 + PHILOX_KEY_STEPS[0]) & 0xFFFFFFFF, (k1 + PHILOX_KEY_STEPS[1]) & 0xFFFFFFFF
    return c0.astype(np.uint32), c1.astype(np.uint32), c2.astype(np.uint32), c3.astype(np.uint32)


def philox_bits(key: Array, counter: Array, stream: int, count: int) -> Array:
    """Returns `count` random words of 32 bits, by the layout in the module's docstring."""
    block = np.arange((count + 3) // 4, dtype=np.uint32)
    number = int(counter)
    fixed = [np.full_like(block, word) for word in (stream, number & 0xFFFFFFFF, number >> 32)]
    words = philox((block, fixed[0], fixed[1], fixed[2]), (int(key[0]), int(key[1])))
    return np.stack(words, 1).reshape(-1)[:count]


def uniform_numbers(key: Array, counter: Array, stream: int, count: int) -> Array:
    """Uniform random numbers in f64, which f32 represents exactly."""
    return (philox_bits(key, counter, stream, count) >> np.uint32(8)).astype(np.float64) * 2.0**-24


# -- shapes -----------------------------------------------------------------------------------------------------
_MOST_ELEMENTS = 2**34  # four for each value of the block word


def check_source(call: Call, first: int, elements: Size, *, several: bool = False) -> None:
    """Checks the operands of a random op: key u32[2], counter u64[] (or several), the stream's range and the number of elements."""
    for index, wanted in ((first, Shape((2,), u32)), (first + 1, Shape((), u64))):
        shape, name = call.shapes[index], call.op.definition.operands[index].name
        example = shape.with_dims(shape.dims[1:]) if several and shape and shape.rank > wanted.rank else shape
        if example != wanted:
            raise call.error("RLX102", f"{name} is {shape}", fix=f"{name} : {wanted}; graph.rng(name, seed) makes both")
    if not 0 <= call.stream < 2**32:
        raise call.error("RLX105", f"stream is {call.stream}", fix="0 to 2**32 - 1")
    if proves_at_most(_MOST_ELEMENTS + 1, elements):
        raise call.error("RLX105", f"{elements} random numbers at once", fix=f"at most {_MOST_ELEMENTS}")


def _drawn_shape(call: Call) -> Shape:
    dims, dtype = call.op.attrs["shape"], call.op.attrs.get("dtype", u32)
    for size in dims:
        if proves_at_most(size, -1):
            raise call.error("RLX105", f"the size {size} is negative", fix="sizes are at least 0")
    if not dtype.is_float and "dtype" in call.op.attrs:
        raise call.error("RLX103", f"dtype is {dtype}", fix="f32, f64, f16 or bf16")
    rows = _draw_counts(call)
    check_source(call, 0, Shape.make(dims, dtype).num_elements, several=bool(rows))
    return Shape.make((*rows, *dims), dtype)


def _draw_counts(call: Call) -> tuple[Size, ...]:
    """The number of keys and counters of a random op; empty if it has one of each."""
    key, counter = call.given
    counts = [shape.dims[0] for shape, rank in ((key, 1), (counter, 0)) if shape.rank == rank + 1]
    if len(counts) == 2:
        call.check_same(counts[0], counts[1], "number of keys and of counters:")
    return tuple(counts[:1])


def _dropout_shape(call: Call) -> Shape:
    x = call.given[0]
    if not x.dtype.is_float:
        raise call.error("RLX103", f"{x.dtype} is not accepted", fix="dropout takes floats")
    if not 0 <= call.rate <= 1:
        raise call.error("RLX105", f"rate is {call.rate}", fix="from 0 (keep all) to 1 (keep none)")
    check_source(call, 1, x.num_elements)
    return x


# -- meaning ----------------------------------------------------------------------------------------------------
Draw = Callable[[Array, Array, int, tuple[int, ...]], Array]


def _in_rows(draw: Draw) -> Callable[..., Array]:
    """Extends a draw of one key and counter to the reference of a random op, which takes several as well."""

    def reference(key: Array, counter: Array, *, shape: tuple[int, ...], stream: int, dtype: DType = u32) -> Array:
        if key.ndim == 1 and counter.ndim == 0:
            return draw(key, counter, stream, shape)
        rows = len(counter) if counter.ndim else len(key)
        sources = zip(np.broadcast_to(key, (rows, 2)), np.broadcast_to(counter, (rows,)), strict=True)
        drawn = [draw(each, number, stream, shape) for each, number in sources]
        return np.stack(drawn) if drawn else np.zeros((0, *shape), dtype.numpy)

    return reference


@_in_rows
def _random_bits(key: Array, counter: Array, stream: int, shape: tuple[int, ...]) -> Array:
    return philox_bits(key, counter, stream, math.prod(shape)).reshape(shape)


@_in_rows
def _random_uniform(key: Array, counter: Array, stream: int, shape: tuple[int, ...]) -> Array:
    return uniform_numbers(key, counter, stream, math.prod(shape)).reshape(shape)


@_in_rows
def _random_normal(key: Array, counter: Array, stream: int, shape: tuple[int, ...]) -> Array:
    count = math.prod(shape)
    u = uniform_numbers(key, counter, stream, 4 * ((count + 3) // 4))
    radius, angle = np.sqrt(-2 * np.log(1 - u[0::2])), 2 * np.pi * u[1::2]
    pairs = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
    return pairs.reshape(-1)[:count].reshape(shape)


def dropout_threshold(rate: float) -> int:
    """The dropout threshold in integers: an element stays iff `bits >> 8` is at least this, the same as u >= rate."""
    return math.ceil(rate * 2**24)


def _dropout(x: Array, key: Array, counter: Array, *, rate: float, stream: int) -> Array:
    bits = philox_bits(key, counter, stream, x.size).reshape(x.shape)
    scale = 1 / (1 - rate) if rate < 1 else 0.0
    return np.where(bits >> np.uint32(8) >= dropout_threshold(rate), x * np.asarray(scale, x.dtype), np.zeros((), x.dtype))


# -- in terms of other ops --------------------------------------------------------------------------------------
def _decompose_dropout(x: Value, key: Value, counter: Value, *, rate: float, stream: int) -> Value:
    u = random_uniform(key, counter, shape=x.shape, dtype="f32", stream=stream)
    scaled = as_dtype(x, x.dtype.compute) * (1 / (1 - rate) if rate < 1 else 0.0)
    return as_dtype(OPS["where"](u >= dropout_threshold(rate) * 2.0**-24, scaled, 0.0), x.dtype)


def _rows_of_draws(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches a random op: draws of several keys or counters are rows of one draw; draws that have rows get more rows."""
    size = batch_size(operands, axes)
    rows = _draw_counts(call)
    given = []
    for value, axis, shape, rank in zip(operands, axes, call.given, (1, 0), strict=True):
        assert value is not None
        if rows and (axis is not None or shape.rank > rank):
            whole = in_front(value, axis, size)
            if shape.rank == rank:  # the same for all rows of an example
                thin = whole.reshape(size, 1, *whole.shape[1:])
                whole = OPS["expand"](thin, shape=(size, *rows, *whole.shape[1:]))
            value = whole.reshape(size * rows[0], *shape.dims[shape.rank - rank :])
        given.append(value)
    (numbers,) = again(call, given)
    return with_batch_axis([numbers.reshape(size, *rows, *call.op.attrs["shape"])])


# -- the records ------------------------------------------------------------------------------------------------
STREAM = Attr("int", 0, "which of the independent sequences of this key and counter")
KEY = sample(2, dtype="u32", fixed=[0xDEADBEEF, 7])
COUNTER = sample(dtype="u64", fixed=np.uint64(2**33 + 5))
_SIZES = Attr("sizes", help="the sizes of the result, or of each row of it")
_DRAWN = {"shape": _SIZES, "dtype": Attr("dtype", "f32", "a float"), "stream": STREAM}
_KEYS = sample(3, 2, dtype="u32", fixed=[[1, 2], [0xFFFFFFFF, 0], [0xDEADBEEF, 7]])
_COUNTERS = sample(3, dtype="u64", fixed=np.array([0, 2**33 + 5, 2**64 - 1], np.uint64))


def _bits_cases() -> list[Case]:
    return [
        case(KEY, COUNTER, note="plain", shape=(4, 8), stream=3),
        case(KEY, COUNTER, note="odd length: not a multiple of 4", shape=(3, 7), stream=1),
        case(_KEYS, COUNTER, note="several keys", shape=(5,), stream=4),
        case(KEY, _COUNTERS, note="several counters", shape=(2, 33)),
        case(_KEYS, _COUNTERS, note="several of both", shape=(), stream=1),
        case(KEY, COUNTER, note="rank 0", shape=()),
        case(KEY, COUNTER, note="size 0", shape=(2, 0)),
        case(
            sample(2, dtype="u32", fixed=[0, 0]),
            sample(dtype="u64", fixed=0),
            note="key and counter 0, largest stream",
            shape=(6,),
            stream=2**32 - 1,
        ),
    ]


def _drawn_cases() -> list[Case]:
    return [
        *_bits_cases(),
        case(KEY, COUNTER, note="bf16", shape=(33,), dtype="bf16", stream=2),
        case(KEY, COUNTER, note="f64", shape=(5,), dtype="f64"),
        case(_KEYS, COUNTER, note="several keys, f64", shape=(3, 3), dtype="f64"),
    ]


_define_draw = partial(define, kind=OpKind.Reduction, tolerance=exact(), batch=_rows_of_draws, no_gradient="no float operand")

random_bits = _define_draw(
    "random_bits",
    "key:index, counter:index",
    infer=_drawn_shape,
    reference=_random_bits,
    attrs={"shape": _SIZES, "stream": STREAM},
    doc="Random words of 32 bits, u32, by Philox4x32-10. Their layout: `rlx.ops.random`.",
    cost=lambda call, results: results[0].num_elements * 20,
    cases=_bits_cases,
)

random_uniform = _define_draw(
    "random_uniform",
    "key:index, counter:index",
    infer=_drawn_shape,
    reference=_random_uniform,
    attrs=_DRAWN,
    doc="Uniform in [0, 1): u = (bits >> 8)·2⁻²⁴, then cast (f16 and bf16 round, up to 1). The bits: `rlx.ops.random`.",
    cost=lambda call, results: results[0].num_elements * 20,
    cases=_drawn_cases,
)

random_normal = _define_draw(
    "random_normal",
    "key:index, counter:index",
    infer=_drawn_shape,
    reference=_random_normal,
    attrs=_DRAWN,
    doc="Normal with mean 0 and variance 1, by Box–Muller on pairs of lanes. The bits: `rlx.ops.random`.",
    tolerance=near_max(8),
    cost=lambda call, results: results[0].num_elements * 40,
    cases=_drawn_cases,
)

dropout = define(
    "dropout",
    "x, key:index, counter:index",
    infer=_dropout_shape,
    reference=_dropout,
    decompose=_decompose_dropout,
    attrs={"rate": Attr("float", help="probability of 0"), "stream": STREAM},
    doc="x/(1 - rate) where u >= rate, else 0; u is what `random_uniform` of x's shape draws.",
    tolerance=ulps(2),
    cost=lambda call, results: results[0].num_elements * 22,
    cases=lambda: [
        case(sample(4, 9), KEY, COUNTER, note="plain", dtypes=("f32", "f64", "f16", "bf16"), rate=0.4, stream=1),
        case(sample(7), KEY, COUNTER, note="odd: rate 0 keeps all", rate=0.0),
        case(sample(7), KEY, COUNTER, note="odd: rate 1 keeps none", rate=1.0),
        case(sample(3, 0), KEY, COUNTER, note="size 0", rate=0.5),
    ],
    # the gradient draws the same numbers again
    vjp=one_result(lambda call, dy, x, key, counter: [call.op.definition(dy, key, counter, **call.op.attrs), None, None]),
    jvp=linear(0),
)


# -- sampling ids from logits: the filters of language models, and one number of `rlx.ops.random` for each row -------


def _sample_shape(call: Call) -> Shape:
    logits = call.given[0]
    if logits.rank != 2 or not logits.dtype.is_float:
        raise call.error("RLX102", f"logits are {logits}", fix="floats [B, V]")
    call.check_at_most(1, logits.dims[1], "the vocabulary is empty", code="RLX102", fix="logits [B, V] with V at least 1")
    check_source(call, 1, logits.dims[0])
    for index in range(3, len(call.shapes)):
        shape, name = call.shapes[index], call.op.definition.operands[index].name
        if shape is None:
            continue
        if name == "top_k" and not shape.dtype.is_integer:
            raise call.error("RLX103", f"top_k is {shape.dtype}", fix="an integer")
        if name != "top_k" and not shape.dtype.is_float:
            raise call.error("RLX103", f"{name} is {shape.dtype}", fix="a float")
        if shape.rank > 1:
            raise call.error("RLX102", f"{name} has rank {shape.rank}", fix="a scalar, or one for each row: [B]")
        if shape.rank == 1:
            call.check_same(shape.dims[0], logits.dims[0], f"size of {name} and batch:")
    return Shape((logits.dims[0],), "i32")


def _sample(
    logits: Array,
    key: Array,
    counter: Array,
    temperature: Array | None = None,
    top_k: Array | None = None,
    top_p: Array | None = None,
    min_p: Array | None = None,
    *,
    stream: int,
) -> Array:
    batch, vocabulary = logits.shape
    u = uniform_numbers(key, counter, stream, batch)
    settings = [(temperature, 1.0), (top_k, 0), (top_p, 1.0), (min_p, 0.0)]
    heat, most, mass, least = (np.broadcast_to(np.asarray(d if a is None else a), (batch,)) for a, d in settings)
    chosen: Array = np.argmax(logits, 1)
    for row in np.flatnonzero(heat > 0):
        x = logits[row].astype(np.float64)
        weights = np.exp((x - x.max()) / float(heat[row])).astype(np.float32).astype(np.float64)
        order = np.argsort(-x, kind="stable")
        if 0 < most[row] < vocabulary:
            order = order[: most[row]]
        sums = np.cumsum(weights[order])
        if mass[row] < 1:
            order = order[: int(np.searchsorted(sums, float(mass[row]) * sums[-1])) + 1]
        kept = np.zeros(vocabulary)
        kept[order] = np.where(weights[order] >= min(float(least[row]), 1.0), weights[order], 0)
        cdf = np.cumsum(kept)
        chosen[row] = np.searchsorted(cdf, u[row] * cdf[-1], side="right")
    return chosen


def _sample_cases() -> list[Case]:
    logits = sample(5, 40)
    ties = sample(2, 6, fixed=[[1.0, 3.0, 3.0, 0.0, 3.0, 2.0]] * 2)

    def rows(*numbers: float, dtype: str = "f32") -> Any:
        dims, fixed = ((len(numbers),), numbers) if len(numbers) > 1 else ((), numbers[0])
        return sample(*dims, dtype=dtype, fixed=fixed)

    def case_of_draw(note: str, logits: Any, *settings: Any, **attrs: Any) -> Case:
        return case(logits, KEY, COUNTER, *settings, note=note, **attrs)

    each = rows(0.0, 0.5, 1.0, 2.0, 9.0), rows(0, 1, 5, 40, 99, dtype="i32")
    return [
        case_of_draw("defaults", logits, stream=1),
        case_of_draw("odd: temperature 0 is argmax", logits, rows(0.0)),
        case_of_draw("odd: settings for each row", logits, *each),
        case_of_draw("all filters, temperature left out", logits, None, rows(7, dtype="i32"), rows(0.8), rows(0.05)),
        case_of_draw("odd: top-k among ties takes the lower ids", ties, rows(1.0), rows(2, dtype="i32")),
        case_of_draw("odd: argmax among ties is the first", ties, rows(0.0)),
        case_of_draw("top-p 0 leaves one", logits, rows(1.0), None, rows(0.0)),
        case_of_draw("odd: a vocabulary of one", sample(3, 1)),
        case_of_draw("size 0", sample(0, 4)),
    ]


sample_op = define(
    "sample",
    "logits, key:index, counter:index, temperature?, top_k:index?, top_p?, min_p?",
    infer=_sample_shape,
    kind=OpKind.Reduction,
    tolerance=exact(),
    reference=_sample,
    attrs={"stream": STREAM},
    keeps_f32="sampling sums over the vocabulary",
    doc="""One id for each row of logits `[B, V]`, as i32 `[B]`. The settings are scalars or `[B]`.

    A temperature of 0 or less is argmax (the first). Else weights w = exp((logit - max)/temperature) in f32, sums of
    them in f64: keep the top_k largest (ties to the lower id; 0 or less, or V and more: all), of these the shortest
    descending prefix with mass >= top_p (1 and more: all), of these the weights >= min_p·max; the id is the first in
    vocabulary order whose cumulative weight exceeds u·total, u being element b of `random_uniform`. Left out, the
    settings are 1, 0, 1 and 0.""",
    cost=lambda call, results: call.given[0].num_elements * 30,
    cases=_sample_cases,
    no_gradient="integer output",
    batch=one_by_one,
)


# -- a source of random numbers in a graph: a key, a counter, and a stream for each draw


@dataclass(frozen=True, eq=False)
class Rng:
    """A source of random numbers in a graph: a key, and a counter that advances by one each run.

    Each draw takes the next stream, so draws are independent. `graph.rng(name, seed)` makes one.

    >>> from rlx.module import Graph
    >>> graph = Graph("noisy")
    >>> noise = graph.rng("noise", seed=7).normal((2, 3))
    >>> noise
    <Value %4 : f32[2, 3]>
    """

    key: Value
    counter: Value
    streams: Iterator[int] = field(default_factory=itertools.count)

    def uniform(self, shape: Any, dtype: DTypeLike = "f32") -> Value:
        """Draws uniform numbers in [0, 1)."""
        return one("random_uniform", self.key, self.counter, shape=shape, dtype=dtype, stream=next(self.streams))

    def normal(self, shape: Any, dtype: DTypeLike = "f32") -> Value:
        """Draws normal numbers of mean 0 and variance 1."""
        return one("random_normal", self.key, self.counter, shape=shape, dtype=dtype, stream=next(self.streams))

    def dropout(self, x: Value, rate: float) -> Value:
        """Zeros elements with probability `rate` and scales the others up."""
        return one("dropout", x, self.key, self.counter, rate=rate, stream=next(self.streams))

    def sample(self, logits: Value, temperature: Any = None, top_k: Any = None, top_p: Any = None, min_p: Any = None) -> Value:
        """Samples one id for each row of logits."""
        settings = (as_setting(temperature), top_k, as_setting(top_p), as_setting(min_p))
        return one("sample", logits, self.key, self.counter, *settings, stream=next(self.streams))


def as_setting(value: Any) -> Any:
    """Converts a number of a sampling setting to f32, whatever the logits are."""
    return np.float32(value) if isinstance(value, (int, float)) else value


def key_of(seed: int, name: str = "") -> npt.NDArray[Any]:
    """The key words of a seed, low word first; the name distinguishes sources with equal seeds."""
    return np.array([seed & 0xFFFFFFFF, (seed >> 32) ^ zlib.crc32(name.encode())], np.uint32)
