"""Which tile is fastest for a large product or for attention: every candidate is compiled side by side, then timed one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

import rlx
from bench.cuda_timing import Lowered
from rlx.backends.cuda.backend import CudaBackend
from rlx.backends.cuda.kernels.tiles import FLASH, DotTile, FlashTile, ProductSizes, trying
from rlx.backends.cuda.program import build_program
from rlx.core.dtype import DType
from rlx.core.report import Report
from rlx.passes.entry import Options

BF16 = DType.of("bf16").numpy

PRODUCT_CANDIDATES = (
    *(DotTile(128, 256, 64, 8, stages) for stages in (3, 4)),
    *(DotTile(256, 128, 64, 8, stages) for stages in (3, 4)),
    *(DotTile(128, 128, 64, warps, stages) for warps in (4, 8) for stages in (3, 4)),
    *(DotTile(128, 128, 128, warps, 3) for warps in (4, 8)),
    *(DotTile(64, 256, 64, warps, 4) for warps in (4, 8)),
    *(DotTile(64, 128, 64, 4, stages) for stages in (4, 5)),
    *(DotTile(128, 64, 64, 4, stages) for stages in (4, 5)),
    *(DotTile(64, 64, depth, 4, stages) for depth in (64, 128) for stages in (4, 5)),
    *(DotTile(64, 32, depth, 4, 4) for depth in (128, 256)),
    *(DotTile(128, 32, 128, 4, stages) for stages in (3, 4)),
    *(DotTile(128, 16, 128, 4, stages) for stages in (3, 4)),
)
FLASH_CANDIDATES = tuple(
    FlashTile(rows, keys, warps, stages)
    for rows, warps in ((128, 8), (128, 4), (64, 4))
    for keys in (32, 64, 128)
    for stages in (2, 3, 4)
)


def _made(graphs: Sequence[tuple[str, Any]]) -> list[tuple[str, Lowered]]:
    """All compiled side by side, then each by itself; what Triton refuses is left out."""
    kernels = [kernel for _, lir in graphs for kernel in build_program(lir).kernels]
    try:
        CudaBackend.shared().driver.prepare(kernels)
    except Exception as problem:  # the others are compiled by now
        print(f"not compiled: {problem!s:.120}", flush=True)
    found = []
    for name, lir in graphs:
        try:
            found.append((name, Lowered(lir)))
        except Exception as problem:
            print(f"{name}: {problem!s:.120}", flush=True)
    return found


def _lowered(graph: rlx.Graph) -> Any:
    return CudaBackend.shared().lower(graph, Options(), Report())


def _timed(graphs: Sequence[tuple[str, Lowered]], inputs: dict[str, Any]) -> dict[str, float]:
    """Microseconds by candidate, fastest first; those that a GPU refuses are left out."""
    found = {}
    for name, one in graphs:
        try:
            found[name] = round(one.seconds(inputs) * 1e6, 2)
        except Exception as problem:  # too much shared memory, for one
            print(f"{name}: {problem!s:.120}", flush=True)
    return dict(sorted(found.items(), key=lambda item: item[1]))


def sweep_products(shapes: Iterable[tuple[int, int, int]]) -> dict[str, Any]:
    """The candidates for products of bf16 whose weight lies as rows."""
    best: dict[str, Any] = {}
    for m, n, k in shapes:
        graphs = []
        for tile in PRODUCT_CANDIDATES:
            g = rlx.Graph("product")
            w = g.input("w", (n, k), "bf16")
            g.set_outputs({"y": g.matmul(g.input("x", (m, k), "bf16"), g.transpose(w, (1, 0)))})
            with trying({ProductSizes(1 << (m - 1).bit_length(), n, k, 1, 2): tile}, library=0):
                graphs.append((_name(tile), _lowered(g)))
        arrays = CudaBackend.shared().arrays
        inputs = {name: arrays.upload(_drawn(dims)) for name, dims in (("w", (n, k)), ("x", (m, k)))}
        times = _timed(_made(graphs), inputs)
        best[f"{m} {n} {k}"] = dict(list(times.items())[:4])
    return best


REGIONS: dict[str, Callable[..., Any]] = {
    "softmax": lambda g, x: g.softmax(x, axis=-1),
    "layer norm": lambda g, x: g.layer_norm(x, *(g.input(name, x.shape[-1:], x.dtype) for name in ("gain", "bias"))),
    "gelu": lambda g, x: g.gelu(x),
}
WHOLE_ROWS = [{"rows": rows, "row_warps": warps} for rows in (1, 2) for warps in (4, 8, 16)]
FLAT_BLOCKS = [{"flat": flat, "flat_warps": warps} for flat in (1024, 2048, 4096, 8192) for warps in (4, 8)]


def sweep_regions(side: int) -> dict[str, Any]:
    """Sizes of blocks for whole rows and for elementwise code: rows, elements, warps."""
    best: dict[str, Any] = {}
    for dtype in ("f32", "bf16"):
        kind = np.float32 if dtype == "f32" else BF16
        upload = CudaBackend.shared().arrays.upload
        own = {"x": upload(_drawn((side, side)).astype(kind))}
        own |= {name: upload(_drawn((side,)).astype(kind)) for name in ("gain", "bias")}
        for name, body in REGIONS.items():
            graphs = []
            for sizes in ({}, *(FLAT_BLOCKS if name == "gelu" else WHOLE_ROWS)):
                g = rlx.Graph("region")
                g.set_outputs({"y": body(g, g.input("x", (side, side), dtype))})
                with trying({}, **sizes):
                    what = " ".join(f"{one} {size}" for one, size in sizes.items())
                    graphs.append((what or "today", _lowered(g)))
            times = _timed(_made(graphs), {each: own[each] for each in g.inputs})
            best[f"{name} {dtype}"] = {"today": times.get("today"), **dict(list(times.items())[:5])}
    return best


def sweep_attention(dims: Iterable[int], length: int) -> dict[str, Any]:
    """The candidates for each size of a head, 32 heads of 64 or what is as wide."""
    best: dict[str, Any] = {}
    for dim in dims:
        heads, kept = max(1, (2048 if length > 512 else 64) // dim), FLASH[dim]
        inputs = {name: CudaBackend.shared().arrays.upload(_drawn((4, length, heads * dim))) for name in "qkv"}
        for causal in (True, False):
            graphs = []
            for tile in FLASH_CANDIDATES:
                FLASH[dim] = tile
                g = rlx.Graph("attention")
                q, k, v = (g.input(name, (4, length, heads * dim), "bf16") for name in "qkv")
                g.set_outputs({"y": g.attention(q, k, v, num_heads=heads, head_dim=dim, causal=causal)})
                graphs.append((_name(tile), _lowered(g)))
            FLASH[dim] = kept
            times = _timed(_made(graphs), inputs)
            best[f"{dim} {'causal' if causal else 'all'}"] = dict(list(times.items())[:4])
    return best


def _name(tile: Any) -> str:
    return " ".join(f"{name}={value}" for name, value in vars(tile).items())


def _drawn(dims: tuple[int, ...]) -> np.ndarray:
    block = np.random.default_rng(0).standard_normal(min(1 << 20, int(np.prod(dims))), np.float32)
    return np.resize(block, dims).astype(BF16)
