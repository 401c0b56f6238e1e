"""Work bound by memory on 4096 x 4096 f32: softmax, layer norm, gelu(x*y+z); everyone writes to memory it has used before."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench import arrays, ours, peers
from bench.harness import Contender, Settings, Workload

SIZE = 4096
EPS = 1e-5
CHECKED_ROWS = 16
_erf = np.vectorize(math.erf, otypes=[np.float64])


@dataclass(frozen=True)
class Region:
    """One function of x, y, z (and a gain and a bias) for each contender, and what it moves."""

    name: str
    arrays_moved: int
    flops: int  # of an element, about
    inputs: str
    reference: Callable[..., np.ndarray]
    ours: Callable[..., Any]
    torch: Callable[..., Any]  # (torch, tensors, out, room) writes out
    torch_compiled: Callable[..., Any]  # (torch, tensors) makes its result
    jax: Callable[..., Any]  # (jax, tensors) makes its result
    params: tuple[str, ...] = ()


def _normed(x: np.ndarray, gain: np.ndarray, bias: np.ndarray) -> np.ndarray:
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + EPS) * gain + bias


def _softmax(x: np.ndarray) -> np.ndarray:
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def _gelu_erf(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    u = x * y + z
    return u * 0.5 * (1 + _erf(u / math.sqrt(2)))


def _gelu_tanh(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    u = x * y + z
    return 0.5 * u * (1 + np.tanh(math.sqrt(2 / math.pi) * (u + 0.044715 * u**3)))


def _torch_gelu(kind: str) -> Callable[..., Any]:
    def run(torch: Any, tensors: list[Any], out: Any, room: Any) -> None:
        x, y, z = tensors
        torch.mul(x, y, out=room).add_(z)
        torch.ops.aten.gelu.out(room, approximate=kind, out=out)

    return run


def _torch_norm(torch: Any, tensors: list[Any], out: Any, room: Any) -> None:
    x, gain, bias = tensors
    means, scales = room[:SIZE], room[SIZE:]
    torch.ops.aten.native_layer_norm.out(x, [SIZE], gain, bias, EPS, out0=out, out1=means, out2=scales)


def _jax_norm(jax: Any, x: Any, gain: Any, bias: Any) -> Any:
    centred = x - jax.numpy.mean(x, -1, keepdims=True)
    return centred * jax.lax.rsqrt(jax.numpy.mean(centred**2, -1, keepdims=True) + EPS) * gain + bias


def _torch_functions(torch: Any) -> Any:
    return torch.nn.functional


REGIONS = (
    Region(
        "softmax",
        2,
        12,
        "x",
        _softmax,
        lambda g, x: g.softmax(x, axis=-1),
        lambda torch, tensors, out, room: torch.softmax(tensors[0], -1, out=out),
        lambda torch, x: torch.softmax(x, -1),
        lambda jax, x: jax.nn.softmax(x, -1),
    ),
    Region(
        "layer norm",
        2,
        8,
        "x",
        _normed,
        lambda g, x, gain, bias: g.layer_norm(x, gain, bias, eps=EPS),
        _torch_norm,
        lambda torch, x, gain, bias: _torch_functions(torch).layer_norm(x, (SIZE,), gain, bias, EPS),
        _jax_norm,
        params=("gain", "bias"),
    ),
    Region(
        "gelu_erf(x*y+z)",
        4,
        20,
        "xyz",
        _gelu_erf,
        lambda g, x, y, z: g.gelu(x * y + z),
        _torch_gelu("none"),
        lambda torch, x, y, z: _torch_functions(torch).gelu(x * y + z),
        lambda jax, x, y, z: jax.nn.gelu(x * y + z, approximate=False),
    ),
    Region(
        "gelu_tanh(x*y+z)",
        4,
        20,
        "xyz",
        _gelu_tanh,
        lambda g, x, y, z: g.gelu_approx(x * y + z),
        _torch_gelu("tanh"),
        lambda torch, x, y, z: _torch_functions(torch).gelu(x * y + z, approximate="tanh"),
        lambda jax, x, y, z: jax.nn.gelu(x * y + z, approximate=True),
    ),
)


def workloads(settings: Settings) -> Iterator[Workload]:
    """One workload per function."""
    random = np.random.default_rng(0)
    given = {name: arrays.normal(random, SIZE, SIZE) for name in "xyz"}
    given |= {"gain": 1 + arrays.normal(random, SIZE, scale=0.1), "bias": arrays.normal(random, SIZE, scale=0.1)}
    for region in REGIONS:
        yield _workload(region, given, settings)


def _workload(region: Region, given: dict[str, np.ndarray], settings: Settings) -> Workload:
    inputs = {name: given[name] for name in region.inputs}
    params = {name: given[name] for name in region.params}
    every = [*inputs.values(), *params.values()]
    rows = np.sort(np.random.default_rng(1).permutation(SIZE)[:CHECKED_ROWS])

    def reference() -> np.ndarray:
        wide = [array[rows].astype(np.float64) for array in inputs.values()]
        return region.reference(*wide, *(array.astype(np.float64) for array in params.values()))

    contenders = [
        ("rlx", lambda: ours.elementwise(region.ours, inputs, params)),
        ("torch, out=", lambda: _torch(region, every, settings.threads)),
        ("XLA, donated output", lambda: _xla(region, every)),
    ]
    if settings.torch_compile:
        contenders.append(("torch.compile, into out", lambda: _torch_compiled(region, every, settings.threads)))
    return Workload(
        f"{region.name}, {SIZE} x {SIZE}",
        flops=float(region.flops * SIZE * SIZE),
        bytes_from_memory=4.0 * region.arrays_moved * SIZE * SIZE,
        reference=reference,
        contenders=contenders,
        rate="GB/s",
        select=lambda result: result[rows],
    )


def _torch(region: Region, every: list[np.ndarray], threads: int) -> Contender:
    """Eager, each op into memory that stays."""
    library = peers.torch(threads)
    tensors = [library.from_numpy(array) for array in every]
    out, room = (library.from_numpy(arrays.empty((SIZE, SIZE))) for _ in range(2))
    if region.params:
        room = library.empty(2 * SIZE, 1)  # means and scales

    def run() -> None:
        with library.inference_mode():
            region.torch(library, tensors, out, room)

    return Contender("torch, out=", run, out.numpy)


def _torch_compiled(region: Region, every: list[np.ndarray], threads: int) -> Contender:
    library = peers.torch(threads)
    tensors = [library.from_numpy(array) for array in every]
    out = library.from_numpy(arrays.empty((SIZE, SIZE)))
    function = library.compile(lambda out, *given: out.copy_(region.torch_compiled(library, *given)), dynamic=False)

    def run() -> None:
        with library.no_grad():
            function(out, *tensors)

    return Contender("torch.compile, into out", run, out.numpy)


def _xla(region: Region, every: list[np.ndarray]) -> Contender:
    """The result takes the memory of the last one, which is donated."""
    jax = peers.need("jax")
    given = [jax.numpy.asarray(array) for array in every]
    function = jax.jit(lambda last, *tensors: region.jax(jax, *tensors), donate_argnums=(0,), keep_unused=True)
    last = [jax.numpy.zeros((SIZE, SIZE), jax.numpy.float32)]

    def run() -> None:
        last[0] = function(last[0], *given).block_until_ready()

    return Contender("XLA, donated output", run, lambda: np.asarray(last[0]))
