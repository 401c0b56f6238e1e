"""The judge of random graphs: right results pass, whatever signs were drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.ir.value import Value
from tests.fuzz.judging import Judge
from tests.fuzz.made import Made


def judged(build: Callable[..., Value], seed: int = 0, **arrays: Any) -> None:
    """The reference device's answer of `build(g, *inputs)` passes the judge."""
    g = rlx.Graph("judged")
    values = [g.input(name, array.shape, str(rlx.DType.of(array.dtype))) for name, array in arrays.items()]
    result = build(g, *values)
    g.set_outputs({"y": result})
    judge = Judge(Made(g, {}, [{}], set(), [result.ref], seed), arrays, {})
    skipped: Counter[str] = Counter()
    for device in ("reference", "cpu"):
        judge.check(result.ref, rlx.compile(g, device).run(arrays)["y"], device, skipped)
    assert skipped["compared"] == 2, skipped


def test_a_cast_to_f32_rounds() -> None:
    judged(lambda g, x: g.cast(x, "f32"), x=np.random.default_rng(0).uniform(-1, 1, (4, 3)))


@pytest.mark.parametrize("seed", range(12))
def test_errors_of_two_ops_do_not_cancel_by_chance(seed: int) -> None:
    """One element, rounded to bf16 by two ops in turn: their bounds add, whatever signs are drawn."""
    x, y = np.asarray([0.25], rlx.DType.of("bf16").numpy), np.asarray([1.0], rlx.DType.of("bf16").numpy)
    judged(lambda g, x, y: g.narrow(g.atan2(x, y), axis=0, start=0, length=1), seed, x=x, y=y)


def test_a_loop_whose_step_cancels() -> None:
    """sin(x)/2 - x/2 of a small x: what is left is less than the rounding of either term."""
    x = np.asarray([[0.25], [1e-3], [3e-6]], np.float32)

    def build(g: Any, x: Value) -> Value:
        return g.while_loop((g.constant(0), x), cond=lambda i, v: i < 2, body=lambda i, v: (i + 1, g.sin(v) * -0.5 + v * 0.5))[1]

    judged(build, x=x[2:])
    judged(build, x=x)


def test_a_cross_entropy_near_zero() -> None:
    """Σ exp is rounded near 1; its logarithm is far smaller than that rounding."""
    logits, labels = np.asarray([[0.0, -9.1], [4.0, -6.5]], np.float32), np.asarray([0, 0], np.int32)
    judged(lambda g, x, i: g.softmax_cross_entropy_with_logits(x, i), x=logits, i=labels)
    judged(
        lambda g, x, i, dy: g.softmax_cross_entropy_backward(x, i, dy), x=logits, i=labels, dy=np.asarray([1.0, -0.5], np.float32)
    )


def test_attention_to_pages_of_8_bits_is_judged_with_scales_in_f64() -> None:
    """The judge has every float in f64; the bound of an op is found on those."""
    random = np.random.default_rng(0)
    pages = [random.integers(-90, 90, dims).astype(np.int8) for dims in ((2, 1, 32, 4), (2, 1, 4, 32))]
    scales = [random.uniform(0.01, 0.02, dims).astype(np.float16) for dims in ((2, 1, 1, 4), (2, 1, 4, 1))]
    places = [np.array(each, np.int32) for each in ([2, 5], [0, 0], [[1, 0]])]
    names = ("k", "v", "start", "sequence", "tables", "k_scales", "v_scales")
    arrays = dict(zip(names, (*pages, *places, *scales), strict=True))
    q = random.normal(size=(2, 32)).astype(np.float32)
    judged(lambda g, *xs: g.paged_attention(*xs, num_heads=1), q=q, **arrays)
