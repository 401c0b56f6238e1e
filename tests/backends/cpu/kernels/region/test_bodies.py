"""Whole regions: norms, losses, several results in one pass, and random bodies."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.special

from rlx.backends.cpu.kernels.region import schedule as region_plan
from rlx.backends.cpu.target import Target
from rlx.core.shape import Shape
from rlx.ir.emit import emit
from rlx.ir.evaluate import evaluate_body
from rlx.ir.op import OPS
from tests.backends.cpu.kernels.region.region_bodies import (
    both_targets,
    check,
    close,
    compiled,
    draw,
    layer_norm,
    np_layer_norm,
    np_softmax,
    softmax,
)
from tests.backends.cpu.levels import TARGETS
from tests.backends.cpu.lowered import tensor_of

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def log_sum_exp(x: Any, axis: int = -1) -> Any:
    top = OPS["reduce_max"](x, axes=axis, keep_dim=True)
    total = OPS["log"](OPS["reduce_sum"](OPS["exp"](x - top), axes=axis, keep_dim=True)) + top
    return total.reshape([size for i, size in enumerate(x.shape) if i != axis % x.rank])


def cross_entropy(logits: Any, labels: Any) -> Any:
    """-log softmax at the label: the row's other columns are masked by an iota."""
    rows, classes = logits.shape
    position = emit(OPS["iota"], (), {"shape": (rows, classes), "axis": 1, "dtype": "i64"}, graph=logits.graph)
    shifted = logits - OPS["reduce_max"](logits, axes=1, keep_dim=True)
    picked = OPS["where"](position == labels.reshape((rows, 1)), shifted, 0.0)
    total = OPS["log"](OPS["reduce_sum"](OPS["exp"](shifted), axes=1))
    return total - OPS["reduce_sum"](picked, axes=1)


LENGTHS = [1, 2, 3, 7, 8, 9, 31, 32, 33, 64, 67, 100, 257]


@both_targets
@pytest.mark.parametrize("length", LENGTHS)
def test_softmax_of_rows(length: int, target: Target) -> None:
    check(softmax, draw((5, length)), formula=np_softmax, target=target)


@both_targets
@pytest.mark.parametrize("shape", [(4, 9), (3, 67), (2, 3, 64), (1, 1000), (700, 40)])
def test_layer_norm(shape: tuple[int, ...], target: Target) -> None:
    gamma, beta = draw(shape[-1:], seed=1), draw(shape[-1:], seed=2)
    check(layer_norm, draw(shape), gamma, beta, formula=np_layer_norm, target=target)


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
@pytest.mark.parametrize("shape", [(5, 37, 19), (3, 2, 8), (2, 300, 33), (1, 5, 1)])
def test_softmax_along_any_axis(shape: tuple[int, ...], axis: int) -> None:
    check(lambda x: softmax(x, axis), draw(shape), formula=lambda x: np_softmax(x, axis))


@pytest.mark.parametrize("axes", [(1, 2), (0, 2), (0, 1), (0,), (0, 1, 2)])
def test_layer_norm_over_several_axes(axes: tuple[int, ...]) -> None:
    shape = (6, 7, 9)
    kept = tuple(size if axis in axes else 1 for axis, size in enumerate(shape))
    gamma, beta = draw(kept, seed=1), draw(kept, seed=2)
    check(lambda x, g, b: layer_norm(x, g, b, axes), draw(shape), gamma, beta, formula=lambda x, g, b: np_layer_norm(x, g, b, axes))


@pytest.mark.parametrize("axis", [0, 1])
def test_log_sum_exp(axis: int) -> None:
    check(
        lambda x: log_sum_exp(x, axis),
        draw((33, 47)) * 30,
        formula=lambda x: np.log(np.exp(x - x.max(axis, keepdims=True)).sum(axis)) + x.max(axis),
    )


def test_cross_entropy() -> None:
    logits, labels = draw((20, 45)), np.random.default_rng(3).integers(0, 45, 20)
    check(cross_entropy, logits, labels, formula=lambda x, y: -np.log(np_softmax(x))[np.arange(20), y])


@both_targets
def test_gelu_of_a_product_and_sum(target: Target) -> None:
    check(
        lambda x, y, z: OPS["gelu"](x * y + z),
        draw((41, 70)),
        draw((70,), seed=1),
        draw((41, 1), seed=2),
        target=target,
        formula=lambda x, y, z: (x * y + z) * scipy.special.ndtr(x * y + z),
        ulps=8,
    )


def test_several_results_in_one_pass() -> None:
    def make(x: Any, y: Any) -> Any:
        both = x * y
        centered = both - OPS["reduce_mean"](both, axes=1, keep_dim=True)
        return both, OPS["reduce_sum"](both, axes=1), OPS["reduce_max"](x, axes=1, keep_dim=True), centered

    def formula(x: np.ndarray, y: np.ndarray) -> Any:
        return x * y, (x * y).sum(1), x.max(1, keepdims=True), x * y - (x * y).mean(1, keepdims=True)

    check(make, draw((30, 64)), draw((64,), seed=1), formula=formula)
    check(make, draw((3, 130)), draw((3, 1), seed=1), formula=formula)


def test_results_of_many_ranks_along_columns() -> None:
    def make(x: Any) -> Any:
        total = OPS["reduce_sum"](x, axes=(1,))
        return (total, x / (1.0 + OPS["abs"](total)).reshape((7, 1, 50)), OPS["reduce_any"](x > 2.0, axes=1, keep_dim=True))

    check(
        make,
        draw((7, 33, 50)),
        formula=lambda x: (x.sum(1), x / (1 + np.abs(x.sum(1, keepdims=True))), (x > 2).any(1, keepdims=True)),
    )


def test_a_residual_and_its_norm_share_the_sum() -> None:
    def make(x: Any, y: Any, g: Any) -> Any:
        total = x + y
        return total, total * OPS["rsqrt"](OPS["reduce_mean"](total * total, axes=-1, keep_dim=True) + 1e-6) * g

    check(
        make,
        draw((40, 96)),
        draw((40, 96), seed=1),
        draw((96,), seed=2),
        formula=lambda x, y, g: (x + y, (x + y) / np.sqrt(((x + y) ** 2).mean(-1, keepdims=True) + 1e-6) * g),
    )


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f64", "i32", "u8", "i64"])
def test_norm_like_bodies_in_other_dtypes(dtype: str) -> None:
    def make(x: Any) -> Any:
        wide = OPS["cast"](x, to="f32" if dtype != "f64" else "f64")
        return OPS["cast"](softmax(wide), to=dtype if dtype in ("f16", "bf16", "f64") else "f32")

    check(make, draw((13, 45), dtype), formula=lambda x: np_softmax(x.astype(np.float64)))


def test_masks() -> None:
    mask, x = draw((21, 50), "bool"), draw((21, 50))
    check(lambda m, x: softmax(OPS["where"](m, x, -1e30)), mask, x, formula=lambda m, x: np_softmax(np.where(m, x, -1e30)))
    check(
        lambda m: (OPS["not"](m), OPS["reduce_all"](m, axes=0), OPS["reduce_sum"](m, axes=0)),
        mask,
        formula=lambda m: (~m, m.all(0), m.sum(0)),
    )


def test_constants_inside() -> None:
    table = np.linspace(-1, 1, 30, dtype=np.float32)
    codes = np.array([[3], [-1], [2**31 - 1], [0]], np.int32)
    check(lambda x: x * table + np.float32(0.5), draw((4, 30)), formula=lambda x: x * table.astype(float) + 0.5)
    check(lambda x: x + codes, draw((4, 30), "i32"), formula=lambda x: x + codes)
    big = np.array([2**64 - 1, 5, 2**63], np.uint64)
    check(lambda x: OPS["max"](x, big), draw((7, 3), "u64"), formula=lambda x: np.maximum(x, big))


# -- random bodies ----------------------------------------------------------------------------------------------
UNARY = ["tanh", "exp", "sigmoid", "abs", "neg", "relu", "silu", "sin"]
BINARY = ["add", "sub", "mul", "max", "min"]


def _random_body(random: np.random.Generator, ranks: int) -> tuple[list[tuple[int, ...]], Callable[..., Any]]:
    """Operands that broadcast to one shape, and a body of random ops with reductions over one set of axes."""
    full = tuple(int(size) for size in random.choice([1, 2, 3, 5, 8, 17, 33, 40], ranks))
    shapes = [full]
    for _ in range(random.integers(0, 3)):
        shape = tuple(1 if random.random() < 0.4 else size for size in full)
        shapes.append(shape[random.integers(0, ranks) if all(s == 1 for s in shape[:1]) else 0 :])
    axes = tuple(sorted(random.choice(ranks, random.integers(1, ranks + 1), replace=False).tolist()))
    plan = random.integers(0, 1 << 30, 40).tolist()

    def make(*operands: Any) -> Any:
        choice = iter(plan)
        pool = list(operands)
        reduced = []
        for _ in range(next(choice) % 8 + 2):
            kind = next(choice) % 10
            a, b = pool[next(choice) % len(pool)], pool[next(choice) % len(pool)]
            if kind < 3:
                pool.append(OPS[UNARY[next(choice) % len(UNARY)]](OPS["clamp"](a, -4.0, 4.0)))
            elif kind < 7:
                pool.append(OPS[BINARY[next(choice) % len(BINARY)]](a, b))
            else:
                wide = OPS["expand"](a, shape=full)
                name = ("reduce_sum", "reduce_mean", "reduce_max", "reduce_min")[next(choice) % 4]
                made = OPS[name](wide, axes=axes, keep_dim=True)
                reduced.append(made)
                pool.append(made * 0.1)
        results = [OPS["expand"](pool[-1] + pool[0], shape=full)]
        if reduced:
            results.append(reduced[-1] + 1.0)
        return results

    return [tuple(shape) for shape in shapes], make


@pytest.mark.parametrize("seed", range(60))
def test_random_bodies(seed: int) -> None:
    random = np.random.default_rng(seed)
    shapes, make = _random_body(random, int(random.integers(1, 5)))
    arrays = []
    for index, shape in enumerate(shapes):
        x = draw(shape, seed=index)
        if random.random() < 0.4 and len(shape) > 1:
            order = random.permutation(len(shape))
            x = np.ascontiguousarray(x.transpose(order)).transpose(np.argsort(order))
        arrays.append(x)
    kernel, body = compiled(make, [Shape(shape) for shape in shapes], TARGETS[seed % len(TARGETS)], [tensor_of(x) for x in arrays])
    found = kernel.call(arrays, split=2, threads=2)
    exact, rounded = (evaluate_body(body, arrays, wide=wide) for wide in (True, False))
    for actual, expected, plain in zip(found, exact, rounded, strict=True):
        spread = np.max(np.abs(expected), initial=0.0) * 200 * 2.0**-23 + 8 * np.max(np.abs(plain - expected), initial=0.0)
        np.testing.assert_allclose(actual, expected, rtol=0, atol=spread)
    for first, second in zip(found, kernel.call(arrays), strict=True):
        np.testing.assert_array_equal(first, second)


@both_targets
@pytest.mark.parametrize("axis", [0, 1])
def test_shares_are_accurate_element_by_element(axis: int, target: Target) -> None:
    """e·(1/Σe) instead of e/Σe: within 8 units in the last place of every share, most of them from the sum of 200."""
    x = draw((200, 203)) * np.float32(20)
    x[3, 5], x[7], x[:, 9] = -np.inf, -100.0, 90.0
    kernel, _ = compiled(lambda x: softmax(x, axis), [Shape(x.shape)], target)
    (found,) = kernel.call([x])
    powers = np.exp((x - x.max(axis, keepdims=True)).astype(np.float64))  # the difference is rounded to f32
    exact = powers / powers.sum(axis, keepdims=True)
    unit = np.maximum(np.spacing(exact.astype(np.float32)), 2.0**-149)
    assert np.max(np.abs(found - exact) / unit) <= 8.0


@pytest.mark.parametrize("axis", [0, 1])
def test_values_too_long_to_keep_are_computed_again(axis: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The powers of a softmax need no room of their own then, in place or not."""
    x = draw((70, 203))
    kept, _ = compiled(lambda x: softmax(x, axis), [Shape(x.shape)])
    monkeypatch.setattr(region_plan, "_LARGEST_KEPT", 0)
    again, _ = compiled(lambda x: softmax(x, axis), [Shape(x.shape)])
    assert again.lowering.stages[0].scratch < kept.lowering.stages[0].scratch
    close(again.call([x])[0], np_softmax(x.astype(np.float64), axis))
    shared = x.copy()
    again.call([shared], into=[shared])
    np.testing.assert_array_equal(shared, again.call([x])[0])
