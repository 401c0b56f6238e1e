"""Matrix products `[m, k] x [k, n]` of f32: the weight once as a param of ours (packed ahead), once as an input."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from bench import arrays, ours, peers
from bench.harness import Contender, Settings, Workload

# m, n, k
SHAPES = (
    (1024, 1024, 1024),
    (4096, 4096, 4096),
    (128, 4096, 1024),
    (1, 4096, 4096),
    (8, 2048, 2048),
    (512, 384, 384),
    (128, 1536, 384),
    (37, 129, 65),
    (1000, 1000, 1000),
    (127, 511, 1023),
)
QUICK = ((1024, 1024, 1024), (1, 4096, 4096), (8, 2048, 2048), (128, 1536, 384), (37, 129, 65))
ROTATED_BYTES = 512 << 20  # a product with one row reads its weight once, so weights rotate until no cache holds them
CHECKED_ROWS = 16
THIN = 8  # up to so many rows the layout of the weight decides, and the peers get it both ways


def workloads(settings: Settings) -> Iterator[Workload]:
    """One workload per shape."""
    for m, n, k in QUICK if settings.quick else SHAPES:
        yield product(m, n, k, settings)


def product(m: int, n: int, k: int, settings: Settings) -> Workload:
    """The product of one shape; with one row it is bound by memory and counted in GB/s."""
    copies = -(-ROTATED_BYTES // (4 * k * n)) if m == 1 else 1
    random = np.random.default_rng(0)
    x = arrays.normal(random, m, k)
    weights = [arrays.normal(random, k, n) for _ in range(copies)]
    rows = np.sort(random.permutation(m)[:CHECKED_ROWS])

    def reference() -> np.ndarray:
        exact = x[rows].astype(np.float64)
        return np.stack([exact @ weight.astype(np.float64) for weight in weights])

    contenders = [
        ("rlx, weight is a param", lambda: rotating("rlx, weight is a param", *ours.product(x, weights, True), copies)),
        ("rlx, both are inputs", lambda: rotating("rlx, both are inputs", *ours.product(x, weights, False), copies)),
        ("OpenBLAS", lambda: rotating("OpenBLAS", *openblas(x, weights), copies)),
        ("torch", lambda: rotating("torch", *torch(x, weights, settings.threads), copies)),
        ("XLA", lambda: rotating("XLA", *xla(x, weights), copies)),
    ]
    if m <= THIN:
        turned = [arrays.aligned(weight.T) for weight in weights]
        for name, build in (
            ("OpenBLAS, weight [out, in]", lambda: openblas(x, [weight.T for weight in turned])),
            ("torch, weight [out, in]", lambda: torch(x, [weight.T for weight in turned], settings.threads)),
            ("XLA, weight [out, in]", lambda: xla(x, turned, transposed=True)),
        ):
            contenders.append((name, lambda name=name, build=build: rotating(name, *build(), copies)))
    return Workload(
        f"{m} x {n} x {k}" + (f", {copies} weights in turn" if copies > 1 else ""),
        flops=2.0 * m * n * k,
        bytes_from_memory=4.0 * k * n if copies > 1 else 0.0,
        reference=reference,
        contenders=contenders,
        rate="GB/s" if m == 1 else "GFLOP/s",
        select=lambda result: result[:, rows],
    )


Run = Callable[[int], None]  # multiplies by weight number i
Read = Callable[[], np.ndarray]


def rotating(name: str, run: Run, read: Read, copies: int) -> Contender:
    """A contender that takes the next weight at each call; its result holds the products with all of them."""
    position = -1

    def call() -> None:
        nonlocal position
        position = (position + 1) % copies
        run(position)

    def result() -> np.ndarray:
        products = []
        for i in range(copies):
            run(i)
            products.append(np.array(read()))
        return np.stack(products)

    return Contender(name, call, result)


def openblas(x: np.ndarray, weights: list[np.ndarray]) -> tuple[Run, Read]:
    """NumPy's matmul into a buffer that stays."""
    out = arrays.empty((x.shape[0], weights[0].shape[1]))
    return lambda i: np.matmul(x, weights[i], out=out), lambda: out


def torch(x: np.ndarray, weights: list[np.ndarray], threads: int) -> tuple[Run, Read]:
    """torch.mm into a buffer that stays."""
    library = peers.torch(threads)
    left, right = library.from_numpy(x), [library.from_numpy(weight) for weight in weights]
    out = library.empty(x.shape[0], weights[0].shape[1])

    def run(i: int) -> None:
        with library.inference_mode():
            library.mm(left, right[i], out=out)

    return run, out.numpy


def xla(x: np.ndarray, weights: list[np.ndarray], transposed: bool = False) -> tuple[Run, Read]:
    """A jitted product; XLA makes its own output."""
    jax = peers.need("jax")
    left, right = jax.numpy.asarray(x), [jax.numpy.asarray(weight) for weight in weights]
    layout = "mk,nk->mn" if transposed else "mk,kn->mn"
    multiply = jax.jit(lambda a, b: jax.numpy.einsum(layout, a, b))
    last = [None]

    def run(i: int) -> None:
        last[0] = multiply(left, right[i]).block_until_ready()

    return run, lambda: np.asarray(last[0])
