"""Sampling ids from logits: the filters of language models, and one number of `rlx.ops.random` for each row."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.enums import OpKind
from rlx.core.shape import Shape
from rlx.ir.op import Call, define
from rlx.ir.tolerance import Case, case, exact, sample
from rlx.ops.random import COUNTER, KEY, STREAM, check_source, uniform_numbers
from rlx.transforms.rules.batch_formulas import one_by_one

Array = npt.NDArray[Any]


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

    def drawn(note: str, logits: Any, *settings: Any, **attrs: Any) -> Case:
        return case(logits, KEY, COUNTER, *settings, note=note, **attrs)

    each = rows(0.0, 0.5, 1.0, 2.0, 9.0), rows(0, 1, 5, 40, 99, dtype="i32")
    return [
        drawn("defaults", logits, stream=1),
        drawn("odd: temperature 0 is argmax", logits, rows(0.0)),
        drawn("odd: settings for each row", logits, *each),
        drawn("all filters, temperature left out", logits, None, rows(7, dtype="i32"), rows(0.8), rows(0.05)),
        drawn("odd: top-k among ties takes the lower ids", ties, rows(1.0), rows(2, dtype="i32")),
        drawn("odd: argmax among ties is the first", ties, rows(0.0)),
        drawn("top-p 0 leaves one", logits, rows(1.0), None, rows(0.0)),
        drawn("odd: a vocabulary of one", sample(3, 1)),
        drawn("size 0", sample(0, 4)),
    ]


sample_op = define(
    "sample",
    "logits, key:index, counter:index, temperature?, top_k:index?, top_p?, min_p?",
    infer=_sample_shape,
    reference=_sample,
    kind=OpKind.Reduction,
    attrs={"stream": STREAM},
    keeps_f32="sampling sums over the vocabulary",
    doc="""One id for each row of logits `[B, V]`, as i32 `[B]`. The settings are scalars or `[B]`.

    A temperature of 0 or less is argmax (the first). Else weights w = exp((logit - max)/temperature) in f32, sums of
    them in f64: keep the top_k largest (ties to the lower id; 0 or less, or V and more: all), of these the shortest
    descending prefix with mass >= top_p (1 and more: all), of these the weights >= min_p·max; the id is the first in
    vocabulary order whose cumulative weight exceeds u·total, u being element b of `random_uniform`. Left out, the
    settings are 1, 0, 1 and 0.""",
    tolerance=exact(),
    cost=lambda call, results: call.given[0].num_elements * 30,
    cases=_sample_cases,
    vjp="integer output",
    jvp="integer output",
    batch=one_by_one,
)
