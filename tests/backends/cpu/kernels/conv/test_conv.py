"""Convolutions and pools against torch in f64: odd sizes, strides, padding, dilation, groups, one to three axes, symbolic sizes, dtypes."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
import torch
import torch.nn.functional as F

import rlx
from rlx.backends.cpu.emit.kernel import Tensor
from rlx.backends.cpu.kernels.conv.conv import lower
from rlx.backends.cpu.kernels.conv.planes import lower_pool
from rlx.backends.cpu.kernels.conv.product import ConvBlocking, ConvProduct
from rlx.backends.cpu.kernels.matmul.blocking import panel_width
from rlx.backends.cpu.target import Target
from rlx.core.dim import Dim
from rlx.core.dtype import DType
from rlx.layouts.panels import Panels
from rlx.passes.legalize import NO_KERNEL
from tests.backends.cpu.levels import HOST, OTHERS, TARGETS
from tests.backends.cpu.lowered import Array, Lowered, op_for, run, tensor_of

CONV = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
MAX = {1: F.max_pool1d, 2: F.max_pool2d}
MEAN = {1: F.avg_pool1d, 2: F.avg_pool2d}
BOUND = {"float64": 1e-13, "float32": 3e-6, "float16": 4e-3, "bfloat16": 3e-2, "int32": 0}


def draw(shape: tuple[int, ...], dtype: Any = np.float32, seed: int = 0) -> Array:
    random = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "i":
        return random.integers(-9, 9, shape).astype(dtype)
    return random.standard_normal(shape).astype(dtype)


def exact(array: Array | None) -> Any:
    return None if array is None else torch.from_numpy(array.astype(np.float64))


def convolved(x: Array, w: Array, bias: Array | None, **window: Any) -> Array:
    found: Array = CONV[x.ndim - 2](exact(x), exact(w), exact(bias), **window).numpy()
    return found


def close(actual: Array, wanted: Array, dtype: Any) -> None:
    scale = max(1.0, float(np.abs(wanted).max())) if wanted.size else 1.0
    np.testing.assert_allclose(actual.astype(np.float64), wanted, rtol=0, atol=BOUND[np.dtype(dtype).name] * scale)


def check(
    x: tuple[int, ...], w: tuple[int, ...], *, target: Target = HOST, bias: bool = True, dtype: Any = np.float32, **window: Any
) -> None:
    arrays = [draw(x, dtype), draw(w, dtype, 1), draw(w[:1], dtype, 2) if bias else None]
    op = op_for("conv", [tensor_of(array) for array in arrays], **window)
    (actual,) = run(lower, op, arrays, target=target, split=1, threads=2)
    close(actual, convolved(*arrays, **window), dtype)  # type: ignore[misc]


MIXING: list[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = [
    ((1, 3, 23, 21), (17, 3, 7, 7), {"stride": 2, "padding": 3}),
    ((2, 5, 9, 40), (13, 5, 3, 3), {"padding": 1}),
    ((3, 4, 7, 7), (40, 4, 3, 3), {"padding": 1}),  # windows of several images in a panel
    ((1, 40, 7, 7), (70, 40, 3, 3), {"padding": 1}),  # channels as lanes, patches ahead, several chunks
    ((5, 6, 2, 3), (9, 6, 1, 1), {}),
    ((2, 7, 12, 13), (33, 7, 1, 1), {"stride": 2}),
    ((1, 6, 20, 17), (8, 3, 3, 2), {"groups": 2, "stride": (1, 3), "dilation": (2, 1), "padding": (2, 1)}),
    ((2, 3, 16, 20), (5, 3, 4, 4), {"stride": 4}),
    ((1, 2, 33, 18), (3, 2, 6, 6), {"stride": 6}),  # beyond the strides of shuffles
    ((2, 4, 61), (6, 2, 5), {"groups": 2, "stride": 2, "padding": 4, "dilation": 2}),
    ((1, 2, 5, 6, 7), (4, 2, 2, 3, 3), {"stride": (1, 2, 1), "padding": (1, 0, 1)}),
    ((2, 3, 4, 5, 6), (3, 1, 2, 2, 2), {"groups": 3}),
]


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize(("x", "w", "window"), MIXING)
def test_channels_that_mix(target: Target, x: tuple[int, ...], w: tuple[int, ...], window: dict[str, Any]) -> None:
    check(x, w, target=target, bias=sum(x) % 2 == 0, **window)


DEPTHWISE: list[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = [
    ((2, 3, 29, 56), (3, 1, 7, 7), {"padding": 3}),
    ((1, 5, 7, 7), (5, 1, 7, 7), {"padding": 3}),
    ((1, 3, 14, 13), (6, 1, 3, 2), {"padding": (1, 0)}),  # two output channels of each input channel
    ((1, 2, 30, 21), (2, 1, 3, 4), {"stride": (2, 3), "dilation": (3, 2), "padding": (2, 3)}),
    ((1, 2, 40, 19), (2, 1, 13, 3), {"stride": 2}),  # a window too high to be unrolled
    ((2, 3, 700), (3, 1, 4), {"padding": 3}),  # rows longer than a band
    ((1, 2, 65), (2, 1, 5), {"stride": 2, "dilation": 3}),
]


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize(("x", "w", "window"), DEPTHWISE)
def test_channels_by_themselves(target: Target, x: tuple[int, ...], w: tuple[int, ...], window: dict[str, Any]) -> None:
    check(x, w, target=target, bias=sum(x) % 2 == 0, groups=x[1], **window)


@pytest.mark.parametrize("dtype", [np.float64, np.float16, ml_dtypes.bfloat16, np.int32], ids=lambda d: np.dtype(d).name)
def test_other_dtypes(dtype: Any) -> None:
    check((2, 5, 9, 11), (7, 5, 3, 3), dtype=dtype, padding=1)
    check((1, 34, 5, 5), (66, 34, 3, 3), dtype=dtype)
    check((2, 3, 9, 20), (3, 1, 3, 3), dtype=dtype, padding=1, groups=3)


def test_symbolic_sizes() -> None:
    for w, window in (((9, 4, 3, 3), {"padding": 1}), ((4, 1, 3, 3), {"groups": 4, "stride": 2}), ((5, 4, 1, 1), {})):
        arrays = [draw((3, 4, 11, 19)), draw(w, seed=1), draw(w[:1], seed=2)]
        tensors = [tensor_of(arrays[0], ("n", 4, Dim("h", min=3), Dim("w", min=3))), *(tensor_of(array) for array in arrays[1:])]
        op = op_for("conv", tensors, **window)
        (actual,) = Lowered(lower, op, tensors).call(arrays, split=2)
        close(actual, convolved(*arrays, **window), np.float32)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
def test_a_packed_weight(target: Target) -> None:
    for shape, w, groups in (((2, 6, 8, 9), (10, 3, 3, 3), 2), ((1, 32, 7, 7), (50, 32, 3, 3), 1)):
        x, weight, bias = draw(shape), draw(w, seed=1), draw(w[:1], seed=2)
        width, each = panel_width(target), w[0] // groups
        panels = np.ascontiguousarray(Panels(width, 1).pack(weight.reshape(groups, each, -1).swapaxes(1, 2)))
        tensors = [tensor_of(array) for array in (x, panels, bias)]
        attrs = {"layout": f"panel{width}", "n": each, "kernel_size": (3, 3), "padding": (1, 1), "groups": groups}
        (actual,) = Lowered(lower, op_for("packed_conv", tensors, **attrs), tensors, target).call([x, panels, bias])
        close(actual, convolved(x, weight, bias, padding=1, groups=groups), np.float32)


def test_few_windows_make_channels_the_lanes() -> None:
    """One small image leaves lanes idle; several fill panels together."""
    for batch in (1, 8):
        tensors = [tensor_of(draw((batch, 64, 7, 7))), tensor_of(draw((256, 64, 3, 3)))]
        stages = Lowered(lower, op_for("conv", tensors, padding=1), tensors).lowering.stages
        conv = next(part for part in stages[-1].key if isinstance(part, ConvProduct))  # type: ignore[attr-defined]
        assert ConvBlocking.of(conv, HOST).swapped == (batch == 1)
        assert [stage.name for stage in stages] == ["pack", "patches", "conv"]


def test_what_is_left_to_other_ways() -> None:
    """What is decomposed as a matter of course is no fallback, which `strict=True` would refuse; x with gaps is copied."""
    x, w = tensor_of(draw((1, 2, 40, 40))), tensor_of(draw((3, 2, 36, 36)))
    out = Tensor(DType.of("f32"), (1, 3, 5, 5), (75, 25, 5, 1))
    assert lower(op_for("conv", [x, w]), (x, w), (out,), HOST) == NO_KERNEL
    turned = tensor_of(draw((1, 2, 40, 40)).swapaxes(2, 3))
    small = tensor_of(draw((3, 2, 3, 3)))
    assert lower(op_for("conv", [turned, small]), (turned, small), (out,), HOST) == "columns with gaps"
    graph = rlx.Graph("ways")
    images, volume, ints = (graph.input("x", (1, 2, 6, 6)), graph.input("v", (1, 2, 6, 6, 6)), graph.input("i", (1, 2, 6), "i64"))
    weights = graph.input("w", (2, 2, 3), "i64")
    graph.set_outputs(
        {
            "whole": graph.pool(images, "mean", 6),
            "volume": graph.pool(volume, "max", 2),
            "ints": graph.conv(ints, weights),
            "conv": graph.conv(images, graph.input("f", (3, 2, 3, 3))),
        }
    )
    rlx.compile(graph, device="cpu", strict=True)


# -- pools ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize(
    ("shape", "kernel", "stride", "padding"),
    [
        ((2, 3, 29, 23), (3, 3), (2, 2), (1, 1)),
        ((1, 2, 9, 40), (2, 5), (1, 1), (1, 2)),
        ((1, 2, 40, 31), (5, 4), (3, 5), (0, 2)),
        ((2, 3, 600), (4,), (3,), (2,)),
    ],
)
def test_pools(target: Target, shape: tuple[int, ...], kernel: Any, stride: Any, padding: Any) -> None:
    x = draw(shape)
    axes = len(kernel)
    means = MEAN[axes](exact(x), kernel, stride, padding).numpy()
    wanted = {
        "max": MAX[axes](exact(x), kernel, stride, padding).numpy(),
        "min": -MAX[axes](-exact(x), kernel, stride, padding).numpy(),
        "mean": means,
        "sum": means * np.prod(kernel),
    }
    for kind, answer in wanted.items():
        op = op_for("pool", [tensor_of(x)], kind=kind, kernel_size=kernel, stride=stride, padding=padding)
        (actual,) = run(lower_pool, op, [x], target=target, split=1)
        close(actual, answer, np.float32)


def test_pools_of_ints_and_of_nan() -> None:
    x = np.random.default_rng(0).integers(0, 255, (1, 2, 9, 11)).astype(np.uint8)
    op = op_for("pool", [tensor_of(x)], kind="max", kernel_size=(3, 3), stride=(2, 2), padding=(1, 1))
    wanted = F.max_pool2d(exact(x), 3, 2, 1).numpy()
    np.testing.assert_array_equal(run(lower_pool, op, [x])[0], wanted)
    y = draw((1, 1, 5, 20))
    y[0, 0, 2, 7] = np.nan
    op = op_for("pool", [tensor_of(y)], kind="max", kernel_size=(3, 3), stride=(1, 1), padding=(0, 0))
    (actual,) = run(lower_pool, op, [y])
    holds = np.lib.stride_tricks.sliding_window_view(y, (3, 3), (2, 3)).max((-1, -2))
    np.testing.assert_array_equal(actual, holds)


@pytest.mark.parametrize("target", OTHERS, ids=lambda t: t.cpu)
def test_compiles_for_others(target: Target) -> None:
    arrays = [draw((1, 4, 9, 9)), draw((5, 4, 3, 3)), None]
    tensors = [tensor_of(array) for array in arrays]
    Lowered(lower, op_for("conv", tensors, padding=1), tensors, target)
    x = tensor_of(arrays[0])
    Lowered(lower_pool, op_for("pool", [x], kind="max", kernel_size=3, stride=2), [x], target)
