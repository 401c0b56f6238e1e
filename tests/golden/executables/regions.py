"""Elementwise regions, norms, reductions, movement, sorting, convolutions, Fourier transforms, random numbers."""

from __future__ import annotations

from .drawing import Drawing, Results, executable


@executable
def softmax_over_axes(d: Drawing) -> Results:
    g = d.graph
    x, cube = d.input(33, 130, low=-4, high=4), d.input(7, 33, 20, low=-4, high=4)
    return d.run(
        {
            "last": g.softmax(x),
            "first": g.softmax(x, axis=0),
            "middle": g.softmax(cube, axis=1),
            "long": g.softmax(d.input(2, 3001)),
            "log": g.log_softmax(x),
            "masked": g.softmax(g.where(d.input(33, 130, dtype="bool"), x * 0.5, -1e9)),
            "f16": g.softmax(d.input(9, 65, dtype="f16")),
            "f64": g.softmax(d.input(9, 65, dtype="f64")),
        }
    )


@executable
def norms(d: Drawing) -> Results:
    """Over one axis and several, with their gradients."""
    g = d.graph
    x, gamma, beta = d.input(37, 130), d.param(130), d.param(130)
    picture = d.input(2, 6, 5, 7)
    layer, rms = g.layer_norm(x, gamma, beta), g.rms_norm(x, gamma)
    return d.run(
        {
            "loss": (layer * rms * g.softmax(x * 2.0)).mean(),
            "layer": layer,
            "rms": rms,
            "two axes": g.layer_norm(picture, d.param(5, 7), axes=(2, 3)),
            "first": g.rms_norm(x, d.param(37), axis=0),
            "group": g.group_norm(picture, d.param(6), d.param(6), num_groups=3),
            "residual": g.rms_norm(x + d.input(37, 130), gamma) * 2.0,
            "bf16": g.layer_norm(d.input(9, 65, dtype="bf16"), d.param(65, dtype="bf16")),
        },
        wrt=(x, gamma, beta),
    )


_ACTIVATIONS = (
    "gelu",
    "gelu_approx",
    "silu",
    "sigmoid",
    "tanh",
    "exp",
    "erf",
    "expm1",
    "softplus",
    "elu",
    "hard_swish",
    "sin",
    "cos",
    "atan",
    "round",
)
_OF_POSITIVES = ("log", "log1p", "sqrt", "rsqrt")
_IN_HALVES = ("gelu", "silu", "tanh", "exp")


@executable
def activations(d: Drawing) -> Results:
    """Each in f32, a few in bf16."""
    g = d.graph
    x, positive = d.input(13, 71, low=-6, high=6), d.input(13, 71, low=2.0**-6, high=9)
    halves = d.input(13, 71, dtype="bf16", low=-6, high=6)
    found = {name: getattr(g, name)(x) for name in _ACTIVATIONS} | {name: getattr(g, name)(positive) for name in _OF_POSITIVES}
    found |= {f"bf16 {name}": getattr(g, name)(halves) for name in _IN_HALVES}
    return d.run(
        found | {"pow": g.pow(positive, x * 0.5), "mod": g.mod(x, positive), "atan2": g.atan2(x, positive), "div": x / positive}
    )


@executable
def elementwise_region(d: Drawing) -> Results:
    """A chain with broadcasts, casts, comparisons, integers and a value that is read twice."""
    g = d.graph
    x, y, row = d.input(40, 97), d.input(40, 97), d.input(97)
    h = g.gelu(x * y + row)
    whole = g.cast(g.clamp(h * 64.0, -100.0, 100.0), "i32")
    return d.run(
        {
            "h": h,
            "chosen": g.where(x > y, h - 1.0, g.abs(y)),
            "bits": g.xor(g.shl(whole, 2), 5),
            "halves": g.cast(h, "bf16"),
            "back": g.cast(whole, "f32") + d.input(40, 1),
            "f8": g.cast(g.cast(h, "f8e4m3"), "f32"),
            "any": (h > 1.5).any(axes=1),
        }
    )


@executable
def reductions(d: Drawing) -> Results:
    g = d.graph
    x, long = d.input(12, 30, 7, 11), d.input(3, 20001)
    return d.run(
        {
            "all": x.sum(),
            "last": g.mean(x, axes=3),
            "first": g.sum(x, axes=0),
            "apart": g.sum(x, axes=(0, 2)),
            "middle": g.max(x, axes=1),
            "long": g.sum(long, axes=1),
            "log": g.log_sum_exp(x, axes=(2, 3)),
            "product": g.prod(x[:, :4] + 1.5, axes=1),
            "squares": g.sum(x * x, axes=(1, 3), keep_dim=True),
            "f16": g.sum(d.input(5, 3001, dtype="f16"), axes=1),
            "f64": g.mean(d.input(5, 301, dtype="f64"), axes=1),
            "i32": g.sum(d.input(5, 301, dtype="i32")),
            "cumsum": g.cumsum(long, axis=1),
            "down": g.cumsum(x, axis=1, reverse=True),
            "cumprod": g.cumprod(x[:2, :5] + 1.0, axis=0),
        }
    )


@executable
def movement_and_indexing(d: Drawing) -> Results:
    """Shapes, borders, windows at computed places, gather and scatter with duplicates, the gradient of a table."""
    g = d.graph
    x, table, ids = d.input(13, 31, 17), d.param(50, 33), d.index(6, 20, high=50)
    rows, duplicates = g.gather(table, ids, axis=0), d.index(64, high=9)
    return d.run(
        {
            "loss": (rows * rows).sum(),
            "turned": g.transpose(x, (2, 0, 1)),
            "parts": g.concat(x[:, 3:9], x[:, ::2], axis=1),
            "border": g.pad(x, (1, 0, 2), (0, 3, 1), mode="reflect"),
            "rolled": g.roll(g.flip(x, 1), 5, axes=2),
            "shape": g.transpose(x, (1, 0, 2)).reshape(31, 221) * 2.0,
            "window": g.dynamic_slice(x, d.index(high=9), axes=1, sizes=8),
            "written": g.dynamic_update_slice(x, d.input(13, 4, 17), d.index(13, high=25), axes=1),
            "columns": g.gather(table, d.index(40, high=33), axis=1),
            "along": g.take_along_axis(table, d.index(50, 5, high=33), axis=1),
            "sums": g.scatter_add(d.input(64, 17), duplicates, 9),
            "set": g.scatter(d.input(9, 17), duplicates, d.input(64, 17)),
            "largest": g.scatter(d.input(9, 17), duplicates, d.input(64, 17), mode="max"),
        },
        wrt=(table,),
    )


@executable
def sorting(d: Drawing) -> Results:
    g = d.graph
    x, ties = d.input(21, 301), d.index(15, 40, high=7)
    values, places = g.top_k(x, 5)
    return d.run(
        {
            "sorted": g.sort(x),
            "down": g.sort(x, axis=0, descending=True),
            "order": g.argsort(ties),
            "values": values,
            "places": places,
            "largest": g.argmax(x, axis=1),
            "least": g.argmin(ties, axis=0),
            "ties": g.top_k(ties, 3, axis=0)[1],
        }
    )


@executable
def convolutions(d: Drawing) -> Results:
    """In one and two dimensions, with groups, strides and dilation, turned around, pooled, and their gradients."""
    g = d.graph
    x, line = d.input(2, 6, 17, 19), d.input(2, 8, 40)
    w = d.param(10, 6, 3, 3)
    y = g.conv(x, w, d.param(10), padding=(1, 1), stride=(2, 1))
    pooled = g.pool(y, "max", (2, 2)) + g.pool(y, "mean", (2, 2))
    return d.run(
        {
            "loss": (pooled * pooled).mean(),
            "y": y,
            "depthwise": g.conv(line, d.param(8, 1, 4), groups=8, padding=(3,)),
            "groups": g.conv(x, d.param(6, 2, 3, 3), groups=3, dilation=(2, 2)),
            "turned": g.conv_transpose(line, d.param(8, 5, 3), stride=(2,)),
            "resized": g.resize(x, (20, 25), "linear"),
        },
        wrt=(x, w),
    )


@executable
def fourier_transforms(d: Drawing) -> Results:
    """Powers of two, lengths with small factors, a prime, real ones, and one over two axes."""
    g = d.graph
    return d.run(
        {
            "power of two": g.fft(d.input(5, 64, dtype="c64")),
            "small factors": g.fft(d.input(3, 60, dtype="c64"), inverse=True),
            "prime": g.fft(d.input(3, 37, dtype="c64")),
            "real": g.rfft(d.input(4, 48)),
            "back": g.irfft(d.input(4, 17, dtype="c64"), n=32),
            "plane": g.fftn(d.input(6, 16, dtype="c64")),
            "double": g.fft(d.input(2, 32, dtype="c128")),
        }
    )


@executable
def complex_numbers(d: Drawing) -> Results:
    g = d.graph
    x, y = d.input(19, 33, dtype="c64"), d.param(33, 21, dtype="c64")
    return d.run(
        {
            "product": x @ y,
            "parts": g.complex(g.imag(x), g.real(x)) * g.conjugate(x),
            "norm": g.complex_norm_sq(x),
            "ratio": x / (x * 0.5 + 2.0),
            "sum": g.sum(x, axes=0),
            "exp": g.exp(x),
        }
    )


@executable
def random_numbers(d: Drawing) -> Results:
    """Streams by key and counter, dropout, and tokens drawn from logits with settings a row."""
    g = d.graph
    key, counter = d.given(d.integers(2, high=2**32, dtype="u32")), d.given(d.integers(high=2**40, dtype="u64"))
    logits, heat = d.input(5, 200, low=-4, high=4), d.given(d.floats(5, low=0.5, high=2.0))
    return d.run(
        {
            "uniform": g.random_uniform(key, counter, (33, 65)),
            "normal": g.random_normal(key, counter, (33, 65), stream=1),
            "half": g.random_normal(key, counter, (130,), dtype="bf16", stream=2),
            "dropout": g.dropout(d.input(40, 33), key, counter, rate=0.25, stream=3),
            "tokens": g.sample(logits, key, counter, heat, d.given(d.integers(5, low=1, high=50)), 0.875, stream=4),
            "greedy": g.sample(logits, key, counter, 0.0, stream=5),
        }
    )
