"""Kernels on a GPU beside their limits and torch: `python -m bench.cuda_kernels [SECTION…] [--out FILE]`. Prints one JSON.

Sections: limits, regions, products, attention, overhead, compile; `tiles` times the candidates for large products and attention and prints
the entries of their tables, `region_tiles` those for blocks of regions. Everything is checked against torch or NumPy before it is timed.
`RLX_CUDA=interpret … --tiny` runs on a machine without a GPU, to see that these programs work.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from typing import Any

import numpy as np

import rlx
from bench.cuda_decode import TINY, DecoderShape, decode_graph
from bench.cuda_timing import Compiled, Torch, best_seconds
from rlx.backends.cuda.backend import CudaBackend
from rlx.core.dtype import DType

BF16 = DType.of("bf16").numpy
SHAPES = ((3072, 2048), (16384, 2048), (2048, 8192))
ROWS = (1, 16, 128, 2048, 4096)
RANDOM = np.random.default_rng(0)


def drawn(*dims: int, dtype: Any = BF16) -> np.ndarray:
    """Random numbers; large arrays repeat a block."""
    block = RANDOM.standard_normal(min(1 << 20, math.prod(dims)), np.float32)
    return np.resize(block, dims).astype(dtype)


def error(found: np.ndarray, wanted: Any) -> float:
    """The norm of the difference over the norm."""
    a, b = np.asarray(found).astype(np.float64), np.asarray(wanted).astype(np.float64)
    return float(np.linalg.norm(a - b) / max(np.linalg.norm(b), 1e-30))


class Sections:
    """What is measured, each a method that returns plain data; `tiny` sizes are for a machine without a GPU."""

    def __init__(self, tiny: bool) -> None:
        self.tiny = tiny
        self.torch = Torch()
        self.driver: Any = CudaBackend.shared().driver
        self._copy = 0.0

    # -- limits
    def limits(self) -> dict[str, Any]:
        """The copy engine and a kernel that copies; the product of large matrices by torch."""
        return {"copy GB/s": round(self.copy_rate(), 1), **self._product_rate()}

    def copy_rate(self) -> float:
        """Bytes read and written per second, in 10⁹, of the better of the driver's copy and a kernel of ours."""
        if self._copy:
            return self._copy
        size = 1 << (12 if self.tiny else 28)
        source, target = (self.driver.allocate(size, "a copy") for _ in range(2))

        def copies() -> None:
            for _ in range(8):
                self.driver.copy(target, source, size)

        rates = [2e-9 * size / best_seconds(copies, self.driver.synchronize, 8)]
        self.driver.free(source)
        self.driver.free(target)
        side = 16 if self.tiny else 8192
        g = rlx.Graph("negate")
        g.set_outputs({"y": -g.input("x", (side, side))})
        rates.append(8e-9 * side**2 / Compiled(g, {"x": drawn(side, side, dtype=np.float32)}, {}).seconds())
        self._copy = max(rates)
        return self._copy

    def _product_rate(self) -> dict[str, float]:
        size = 64 if self.tiny else 8192
        x, y = (self.torch.array(drawn(size, size)) for _ in range(2))
        out = self.torch.torch.empty_like(x)
        seconds = self.torch.seconds(lambda: self.torch.torch.mm(x, y, out=out), 5)
        return {"bf16 TFLOP/s (torch, 8192³)": round(2e-12 * size**3 / seconds, 1)}

    # -- regions
    def regions(self) -> list[dict[str, Any]]:
        """Softmax, layer norm and gelu of 8192², beside the copy limit of this run."""
        side, found = (16 if self.tiny else 8192), []
        functional = self.torch.torch.nn.functional
        for dtype, kind in (("f32", np.float32), ("bf16", BF16)):
            x, gain, bias = drawn(side, side, dtype=kind), drawn(side, dtype=kind), drawn(side, dtype=kind)
            bodies: dict[str, tuple[Callable[..., Any], Callable[[Any], Any]]] = {
                "softmax": (lambda g, x: g.softmax(x, axis=-1), lambda t: functional.softmax(t, -1)),
                "layer norm": (
                    lambda g, x, kind=dtype: g.layer_norm(x, *(g.param(name, x.shape[-1:], kind) for name in ("gain", "bias"))),
                    lambda t, w=gain, b=bias: functional.layer_norm(t, t.shape[-1:], self.torch.array(w), self.torch.array(b)),
                ),
                "gelu": (lambda g, x: g.gelu(x), functional.gelu),
            }
            for name, (ours, theirs) in bodies.items():
                g = rlx.Graph("region")
                g.set_outputs({"y": ours(g, g.input("x", (side, side), dtype))})
                params = {"gain": gain, "bias": bias} if name == "layer norm" else {}
                made = Compiled(g, {"x": x}, params)
                tensor = self.torch.array(x[:64])
                wrong = error(made.result()[:64], theirs(tensor).float().cpu().numpy())
                seconds = made.seconds()
                rate = 2e-9 * x.nbytes / seconds
                share = round(rate / self.copy_rate(), 3)
                found.append({"what": f"{name} {dtype}", "us": us(seconds), "of the copy limit": share, "error": wrong})
        return found

    # -- products
    def products(self) -> dict[str, Any]:
        """bf16, the weight stored as rows of [N, K] for both."""
        found, ratios = [], []
        shapes = ((48, 32), (32, 64)) if self.tiny else SHAPES
        for n, k in shapes:
            w = drawn(n, k)
            theirs = self.torch.array(w)
            for m in (1, 16, 128) if self.tiny else ROWS:
                x = drawn(m, k)
                g = rlx.Graph("product")
                weight = g.param("w", (n, k), "bf16")
                g.set_outputs({"y": g.matmul(g.input("x", (m, k), "bf16"), g.transpose(weight, (1, 0)))})
                made = Compiled(g, {"x": x}, {"w": w})
                tensor = self.torch.array(x)
                out = self.torch.torch.mm(tensor, theirs.t())
                wrong = error(made.result(), out.float().cpu().numpy())
                seconds = made.seconds()
                peer = self.torch.seconds(lambda a=tensor, b=theirs, y=out: self.torch.torch.mm(a, b.t(), out=y))
                ratios.append(peer / seconds)
                rate = round(2e-12 * m * n * k / seconds, 1)
                row = {"m n k": [m, n, k], "us": us(seconds), "torch us": us(peer), "TFLOP/s": rate}
                found.append({**row, "of torch": round(peer / seconds, 3), "error": wrong})
        return {"rows": found, "geomean of torch": geomean(ratios)}

    # -- attention
    def attention(self) -> dict[str, Any]:
        """Forward, bf16, beside torch's flash attention."""
        found, ratios = [], []
        cases = (
            ((1, 64, 2, 32, True),)
            if self.tiny
            else ((4, 2048, 32, 64, True), (4, 2048, 32, 64, False), (4, 2048, 16, 128, True), (4, 2048, 16, 128, False))
        )
        for batch, length, heads, dim, causal in cases:
            arrays = [drawn(batch, length, heads * dim) for _ in range(3)]
            g = rlx.Graph("attention")
            q, k, v = (g.input(name, (batch, length, heads * dim), "bf16") for name in "qkv")
            g.set_outputs({"y": g.attention(q, k, v, num_heads=heads, head_dim=dim, causal=causal)})
            made = Compiled(g, dict(zip("qkv", arrays, strict=True)), {})
            tensors = [self.torch.array(a).view(batch, length, heads, dim).transpose(1, 2) for a in arrays]
            call = self._flash(tensors, causal)
            wanted = call().transpose(1, 2).reshape(batch, length, heads * dim).float().cpu().numpy()
            wrong = error(made.result(), wanted)
            seconds, peer = made.seconds(), self.torch.seconds(call)
            ratios.append(peer / seconds)
            flops = 4 * batch * heads * length**2 * dim / (2 if causal else 1)
            about = {"batch length heads dim": [batch, length, heads, dim], "causal": causal, "us": us(seconds)}
            rates = {"torch us": us(peer), "TFLOP/s": round(1e-12 * flops / seconds, 1)}
            found.append({**about, **rates, "of torch": round(peer / seconds, 3), "error": wrong})
        return {"rows": found, "geomean of torch": geomean(ratios)}

    def _flash(self, tensors: list[Any], causal: bool) -> Callable[[], Any]:
        attention, backends = self.torch.torch.nn.functional, self.torch.torch.nn.attention
        kind = backends.SDPBackend.FLASH_ATTENTION if self.torch.has_gpu else backends.SDPBackend.MATH

        def call() -> Any:
            with backends.sdpa_kernel(kind):
                return attention.scaled_dot_product_attention(*tensors, is_causal=causal)

        return call

    # -- a call
    def overhead(self) -> dict[str, float]:
        """A graph of one tiny kernel: microseconds of a call when calls follow each other, and of its kernel alone."""
        g = rlx.Graph("tiny")
        g.set_outputs({"y": g.input("x", (8,)) + 1.0})
        made = Compiled(g, {"x": np.ones(8, np.float32)}, {})
        out = made.exe.run(made.inputs)

        def calls() -> None:
            for _ in range(100):
                made.exe.run(made.inputs, out=out)

        seconds, kernel = best_seconds(calls, self.driver.synchronize, 100), made.seconds()
        return {"us per call": us(seconds), "us of the kernel": us(kernel), "us over": us(seconds - kernel)}

    # -- compiling
    def compile(self) -> dict[str, Any]:
        """The decode graph of Llama-3.2-1B's shape in new processes: with an empty cache, then from disk."""
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "RLX_CACHE_DIR": folder}
            command = [sys.executable, "-m", __name__ if __name__ != "__main__" else "bench.cuda_kernels", "--child"]
            command += ["--tiny"] if self.tiny else []
            found = {}
            for name in ("cold", "from disk"):
                answer = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
                found[name] = json.loads(answer.stdout.splitlines()[-1])
        return found

    # -- tiles
    def region_tiles(self) -> dict[str, Any]:
        """The fastest sizes of blocks for regions, in microseconds."""
        from bench.cuda_tiles import sweep_regions

        return sweep_regions(16 if self.tiny else 8192)

    def tiles(self) -> dict[str, Any]:
        """The fastest candidates for the tables of `kernels/tiles.py`."""
        from bench.cuda_tiles import sweep_attention, sweep_products

        return {
            "products": sweep_products(((128, 48, 64),) if self.tiny else [(m, *s) for s in SHAPES for m in ROWS[2:]]),
            "attention": sweep_attention((32,) if self.tiny else (64, 128), 160 if self.tiny else 2048),
        }


def us(seconds: float) -> float:
    """Microseconds with two digits."""
    return round(seconds * 1e6, 2)


def geomean(ratios: list[float]) -> float:
    """The geometric mean."""
    return round(math.exp(sum(map(math.log, ratios)) / len(ratios)), 3)


def child(tiny: bool) -> dict[str, Any]:
    """One process: seconds to compile the decode graph, to make its graph for the GPU, and whether Triton was imported."""
    small = rlx.Graph("small")
    small.set_outputs({"y": small.input("x", (8,)) + 1.0})
    np.asarray(rlx.compile(small, "cuda").run({"x": np.ones(8, np.float32)})["y"])  # the driver is up
    before = "triton" in sys.modules
    graph = decode_graph(TINY if tiny else DecoderShape())
    start = time.perf_counter()
    exe = rlx.compile(graph, "cuda")
    compiled = time.perf_counter() - start
    kinds = {name: (tuple(map(int, node.shape.dims)), node.shape.dtype.numpy) for name, node in graph.params.items()}
    exe.session.set_params({name: np.zeros(dims, kind) for name, (dims, kind) in kinds.items()})
    inputs = {"token": np.zeros((1, 1), np.int32), "position": np.zeros(1, np.int32)}
    start = time.perf_counter()
    np.asarray(exe.run(inputs)["logits"])
    first = time.perf_counter() - start
    imported = "triton" in sys.modules
    return {"compile s": compiled, "first run s": first, "triton imported": imported, "before": before}


def main() -> None:
    """Run the sections, one JSON at the end."""
    names = ("limits", "regions", "products", "attention", "overhead", "compile", "region_tiles", "tiles")
    parser = argparse.ArgumentParser(prog="python -m bench.cuda_kernels", description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"of {', '.join(names)}; all but the tiles")
    parser.add_argument("--tiny", action="store_true", help="small sizes, for a machine without a GPU")
    parser.add_argument("--out", help="a file for the JSON")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(child(options.tiny)))
        return
    sections = Sections(options.tiny)
    found: dict[str, Any] = {"date": str(date.today()), "machine": sections.driver.describe()}
    found["peers"] = {"torch": sections.torch.torch.__version__}
    for name in options.sections or names[:-2]:
        start = time.perf_counter()
        try:
            found[name] = getattr(sections, name)()
        except Exception as problem:  # the next section may still run
            found[name] = {"failed": f"{type(problem).__name__}: {problem!s:.500}"}
        print(f"{name}: {time.perf_counter() - start:.1f} s {json.dumps(found[name])}", file=sys.stderr, flush=True)
    text = json.dumps(found, indent=1)
    if options.out:
        with open(options.out, "w") as file:
            file.write(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
