"""The distinct layers of ResNet-50 and ConvNeXt-T in f32, batch 1 and 8: convolutions, pools, and pointwise layers as products.

Images are `[N, C, H, W]`, inputs and outputs alike; weights and biases are params, which everyone may arrange ahead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np

from bench import arrays, ours, peers
from bench.harness import Contender, Settings, Workload
from bench.suites.gemm import product

BATCHES = (1, 8)
CHECKED_CHANNELS = 8


@dataclass(frozen=True)
class Layer:
    """One layer on square images; `kind` is conv, or the pool it is."""

    channels: int
    size: int
    out_channels: int
    window: int
    stride: int = 1
    padding: int = 0
    groups: int = 1
    kind: str = "conv"
    batch: int = 1

    @property
    def outputs(self) -> int:
        """Windows along a side."""
        return (self.size + 2 * self.padding - self.window) // self.stride + 1

    @property
    def x_shape(self) -> tuple[int, ...]:
        return (self.batch, self.channels, self.size, self.size)

    @property
    def w_shape(self) -> tuple[int, ...]:
        return (self.out_channels, self.channels // self.groups, self.window, self.window)

    @property
    def y_shape(self) -> tuple[int, ...]:
        return (self.batch, self.out_channels, self.outputs, self.outputs)

    @property
    def flops(self) -> float:
        """A product counts two; a step of a pool one."""
        per_output = 2 * prod(self.w_shape[1:]) if self.kind == "conv" else self.window**2
        return float(prod(self.y_shape) * per_output)

    @property
    def name(self) -> str:
        what = f"{self.window}x{self.window}" + (f" s{self.stride}" if self.stride > 1 else "")
        if self.kind != "conv":
            return f"{self.kind} pool {what}, {self.channels} @ {self.size}, batch {self.batch}"
        each = f"depthwise {self.channels}" if self.groups > 1 else f"{self.channels} -> {self.out_channels}"
        return f"{what}, {each} @ {self.size}, batch {self.batch}"


def _pool(kind: str, channels: int, size: int, window: int, stride: int, padding: int = 0) -> Layer:
    return Layer(channels, size, channels, window, stride, padding, channels, kind)


def _depthwise(channels: int, size: int) -> Layer:
    return Layer(channels, size, channels, 7, 1, 3, channels)


RESNET = (
    Layer(3, 224, 64, 7, 2, 3),
    _pool("max", 64, 112, 3, 2, 1),
    Layer(64, 56, 64, 1),
    Layer(64, 56, 64, 3, 1, 1),
    Layer(64, 56, 256, 1),
    Layer(256, 56, 64, 1),
    Layer(256, 56, 128, 1),
    Layer(128, 56, 128, 3, 2, 1),
    Layer(128, 28, 512, 1),
    Layer(256, 56, 512, 1, 2),
    Layer(512, 28, 128, 1),
    Layer(128, 28, 128, 3, 1, 1),
    Layer(512, 28, 256, 1),
    Layer(256, 28, 256, 3, 2, 1),
    Layer(256, 14, 1024, 1),
    Layer(512, 28, 1024, 1, 2),
    Layer(1024, 14, 256, 1),
    Layer(256, 14, 256, 3, 1, 1),
    Layer(1024, 14, 512, 1),
    Layer(512, 14, 512, 3, 2, 1),
    Layer(512, 7, 2048, 1),
    Layer(1024, 14, 2048, 1, 2),
    Layer(2048, 7, 512, 1),
    Layer(512, 7, 512, 3, 1, 1),
    _pool("mean", 2048, 7, 7, 7),
)
CONVNEXT = (
    Layer(3, 224, 96, 4, 4),
    *(_depthwise(channels, size) for channels, size in ((96, 56), (192, 28), (384, 14), (768, 7))),
    *(Layer(channels, size, 2 * channels, 2, 2) for channels, size in ((96, 56), (192, 28), (384, 14))),
)
POINTWISE = tuple((size * size, channels) for channels, size in ((96, 56), (192, 28), (384, 14), (768, 7)))
"""Rows and channels of ConvNeXt's pointwise layers, four times as wide inside: products on images with channels last."""
QUICK = (0, 1, 3, 4, 7, 11, 23, 24, 25, 26, 28, 30)


def workloads(settings: Settings) -> Iterator[Workload]:
    """Every layer with one image and with eight."""
    layers = (*RESNET, *CONVNEXT)
    for batch in BATCHES:
        for layer in (layers[index] for index in QUICK) if settings.quick else layers:
            yield _workload(replace(layer, batch=batch), settings)
        for rows, channels in () if settings.quick else POINTWISE:
            for n, k in ((4 * channels, channels), (channels, 4 * channels)):
                yield product(batch * rows, n, k, settings)


def _workload(layer: Layer, settings: Settings) -> Workload:
    random = np.random.default_rng(0)
    x = arrays.normal(random, *layer.x_shape)
    w = arrays.normal(random, *layer.w_shape, scale=prod(layer.w_shape[1:]) ** -0.5)
    bias = arrays.normal(random, layer.out_channels)
    checked = np.sort(random.permutation(layer.out_channels)[:CHECKED_CHANNELS])
    contenders = [
        ("rlx", lambda: ours.window(layer.kind, x, w, bias, _settings(layer), layer.y_shape)),
        ("torch", lambda: _torch(layer, x, w, bias, settings)),
        ("OpenVINO", lambda: _openvino(layer, x, w, bias, settings)),
        ("XLA", lambda: _xla(layer, x, w, bias)),
    ]
    if layer.kind == "conv":
        contenders.insert(2, ("torch, packed weight", lambda: _torch_packed(layer, x, w, bias, settings)))
    return Workload(
        layer.name,
        flops=layer.flops,
        bytes_from_memory=0.0,
        reference=lambda: _reference(layer, x, w, bias, checked),
        contenders=contenders,
        select=lambda result: result[:, checked],
    )


def _settings(layer: Layer) -> dict[str, int]:
    found = {"stride": layer.stride, "padding": layer.padding}
    return {**found, "groups": layer.groups} if layer.kind == "conv" else {**found, "kernel_size": layer.window}


def _reference(layer: Layer, x: np.ndarray, w: np.ndarray, bias: np.ndarray, checked: np.ndarray) -> np.ndarray:
    """Some output channels in f64, tap by tap."""
    fill = -np.inf if layer.kind == "max" else 0.0
    own = layer.groups > 1  # an output channel reads one input channel
    source = x[:, checked] if own else x
    padded = np.pad(source.astype(np.float64), [(0, 0), (0, 0), *[(layer.padding,) * 2] * 2], constant_values=fill)
    found = np.full((layer.batch, len(checked), layer.outputs, layer.outputs), fill)
    reach = (layer.outputs - 1) * layer.stride + 1
    for i in range(layer.window):
        for j in range(layer.window):
            part = padded[:, :, i : i + reach : layer.stride, j : j + reach : layer.stride]
            tap = w[checked, :, i, j].astype(np.float64)
            if layer.kind == "max":
                found = np.maximum(found, part)
            elif own:
                found += part * (tap[:, 0, None, None] if layer.kind == "conv" else layer.window**-2)
            else:
                found += np.einsum("oc,nchw->nohw", tap, part, optimize=True)
    return found + bias[checked, None, None] if layer.kind == "conv" else found


# -- peers ------------------------------------------------------------------------------------------------------
def _torch(layer: Layer, x: np.ndarray, w: np.ndarray, bias: np.ndarray, settings: Settings) -> Contender:
    """oneDNN as torch calls it."""
    library = peers.torch(settings.threads)
    functional = library.nn.functional
    images, weight, offsets = (library.from_numpy(array) for array in (x, w, bias))
    window = {"stride": layer.stride, "padding": layer.padding}

    def call() -> Any:
        if layer.kind == "max":
            return functional.max_pool2d(images, layer.window, **window)
        if layer.kind == "mean":
            return functional.avg_pool2d(images, layer.window, **window)
        return functional.conv2d(images, weight, offsets, groups=layer.groups, **window)

    return peers.from_torch_function("torch", call, settings.threads)


def _torch_packed(layer: Layer, x: np.ndarray, w: np.ndarray, bias: np.ndarray, settings: Settings) -> Contender:
    """oneDNN with the weight arranged ahead, as torch.compile calls it when weights are frozen."""
    library = peers.torch(settings.threads)
    images, weight, offsets = (library.from_numpy(array) for array in (x, w, bias))
    sides = [layer.padding] * 2, [layer.stride] * 2, [1, 1]
    native = library.ops.mkldnn
    packed = native._reorder_convolution_weight(weight, *sides, layer.groups, list(layer.x_shape))

    def call() -> Any:
        found = native._convolution_pointwise(images, packed, offsets, *sides, layer.groups, "none", [], "")
        return found.contiguous()

    return peers.from_torch_function("torch, packed weight", call, settings.threads)


def _openvino(layer: Layer, x: np.ndarray, w: np.ndarray, bias: np.ndarray, settings: Settings) -> Contender:
    library = peers.need("openvino")
    ops = peers.need("openvino.opset13")
    given = ops.parameter(list(layer.x_shape), np.float32)
    stride, padding = [layer.stride] * 2, [layer.padding] * 2
    if layer.kind == "max":
        node = library.opset1.max_pool(given, stride, padding, padding, [layer.window] * 2)
    elif layer.kind == "mean":
        node = ops.avg_pool(given, stride, padding, padding, [layer.window] * 2, exclude_pad=False)
    else:
        rest = (stride, padding, padding, [1, 1])
        if layer.groups > 1:
            each = layer.out_channels // layer.groups
            node = ops.group_convolution(given, ops.constant(w.reshape(layer.groups, each, *w.shape[1:])), *rest)
        else:
            node = ops.convolution(given, ops.constant(w), *rest)
        node = ops.add(node, ops.constant(bias.reshape(1, -1, 1, 1)))
    return peers.openvino(library.Model([node], [given], "layer"), [x], settings.threads)


def _xla(layer: Layer, x: np.ndarray, w: np.ndarray, bias: np.ndarray) -> Contender:
    """A jitted function that knows the weight."""
    jax = peers.need("jax")
    weight, offsets = jax.numpy.asarray(w), jax.numpy.asarray(bias)
    sides, stride = [(layer.padding,) * 2] * 2, (layer.stride,) * 2
    window, steps = (1, 1, layer.window, layer.window), (1, 1, *stride)

    def apply(images: Any) -> Any:
        if layer.kind == "max":
            return jax.lax.reduce_window(images, -np.inf, jax.lax.max, window, steps, [(0, 0), (0, 0), *sides])
        if layer.kind == "mean":
            total = jax.lax.reduce_window(images, 0.0, jax.lax.add, window, steps, [(0, 0), (0, 0), *sides])
            return total / layer.window**2
        found = jax.lax.conv_general_dilated(images, weight, stride, sides, feature_group_count=layer.groups)
        return found + offsets[:, None, None]

    run, images = jax.jit(apply), jax.numpy.asarray(x)
    return peers.from_numpy_function("XLA", lambda: run(images).block_until_ready())
