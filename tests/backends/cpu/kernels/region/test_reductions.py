"""Reductions as regions: every axis and dtype, NaN, long sums, and those that take two stages."""

from typing import Any

import numpy as np
import pytest

from rlx.backends.cpu.kernels.region import schedule as region_plan
from rlx.backends.cpu.kernels.region.region import lower_reduce
from rlx.backends.cpu.target import Target
from rlx.core.shape import Shape
from rlx.ir.evaluate import evaluate_op
from rlx.ir.op import OPS
from tests.backends.cpu.kernels.region.region_bodies import both_targets, check, close, compiled, draw
from tests.backends.cpu.lowered import run

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@both_targets
@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (0, 1, 2)])
@pytest.mark.parametrize("kind", ["sum", "max", "min", "prod", "mean", "any", "all"])
def test_reductions_over_all_axes(kind: str, axes: tuple[int, ...], target: Target) -> None:
    x = draw((6, 5, 35)) if kind not in ("any", "all") else draw((6, 5, 35), "bool")
    x = 1 + x / 50 if kind == "prod" else x
    formula = getattr(np, kind)
    check(
        lambda x: OPS[f"reduce_{kind}"](x, axes=axes),
        x.astype(np.float32) if kind not in ("any", "all") else x,
        formula=lambda x: formula(x, axis=axes),
        target=target,
    )


@pytest.mark.parametrize("dtype", ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bool", "f16", "bf16", "f64"])
@pytest.mark.parametrize("axis", [0, 1])
def test_reductions_of_every_dtype(dtype: str, axis: int) -> None:
    x = draw((19, 37), dtype)
    for kind in ("sum", "max", "min", "mean", "any", "all"):
        op = OPS[f"reduce_{kind}"].op(axes=(axis,), keep_dim=False)
        (expected,), (found,) = evaluate_op(op, [x]), run(lower_reduce, op, [x])
        assert found.dtype == expected.dtype
        close(found, expected)


def test_nan_wins_in_max_and_min() -> None:
    x = draw((9, 40))
    x[3, 17], x[5, 39] = np.nan, np.inf
    for axis in (0, 1):
        check(lambda x, axis=axis: OPS["reduce_max"](x, axes=axis), x, formula=lambda x, axis=axis: x.max(axis))
        check(lambda x, axis=axis: OPS["reduce_min"](x, axes=axis), x, formula=lambda x, axis=axis: x.min(axis))


def test_long_sums_are_accurate(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain f32 sum of so many ones and small numbers would drift by hundreds of ulps."""
    x = (np.random.default_rng(0).random(3_000_000) + 0.5).astype(np.float32)
    exact = x.astype(np.float64).sum()
    for shape, axes in (((3_000_000,), (0,)), ((1_000_000, 3), (0,)), ((3, 1_000_000), (1,)), ((1500, 2000), (0, 1))):
        kernel, _ = compiled(lambda x, axes=axes: OPS["reduce_sum"](x, axes=axes), [Shape(shape)])
        (found,) = kernel.call([x.reshape(shape)], split=1, threads=2)
        assert len(kernel.lowering.stages) == 2
        assert abs(found.astype(np.float64).sum() / exact - 1) < 4 * 2.0**-24
        np.testing.assert_allclose(found, x.reshape(shape).astype(np.float64).sum(axes), rtol=2e-7)
    monkeypatch.setattr(region_plan, "_FEW_ROWS", 0)
    for shape, axes in (((2, 1_500_000), (1,)), ((1_500_000, 2), (0,))):
        kernel, _ = compiled(lambda x, axes=axes: OPS["reduce_sum"](x, axes=axes), [Shape(shape)])
        assert len(kernel.lowering.stages) == 1
        np.testing.assert_allclose(kernel.call([x.reshape(shape)])[0], x.reshape(shape).astype(np.float64).sum(axes), rtol=4e-7)


@pytest.mark.parametrize(
    "shape, axes", [((700,), (0,)), ((300, 5), (0,)), ((2, 700), (1,)), ((9, 40, 3), (0, 1)), ((50, 3, 40), (0, 2))]
)
def test_two_stages(shape: tuple[int, ...], axes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(region_plan, "CHUNK_ELEMENTS", 64)
    monkeypatch.setattr(region_plan, "_LEAST_STEPS", 8)

    def make(x: Any, y: Any) -> Any:
        wave = x * 2.0
        total = OPS["reduce_mean"](wave, axes=axes) * y
        return total + 1.0, OPS["reduce_max"](x, axes=axes, keep_dim=True), wave, OPS["reduce_any"](x > 2.5, axes=axes)

    kept = tuple(size for axis, size in enumerate(shape) if axis not in axes)
    kernel = check(
        make,
        draw(shape),
        draw(kept, seed=1),
        formula=lambda x, y: ((2 * x).mean(axes) * y + 1, x.max(axes, keepdims=True), 2 * x, (x > 2.5).any(axes)),
    )
    assert len(kernel.lowering.stages) == 2
