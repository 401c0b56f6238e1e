"""Paged attention beside attention on contiguous caches, on the same queries, keys and values.

    python -m bench.paged                          # every row
    python -m bench.paged smollm2 --stored f16     # some shapes, one type of keys and values
    python -m bench.paged --wall --threads 2       # time on the clock instead of CPU time

Several layers are run one after the other, so that keys and values come from where they would in a model. CPU time of one thread does
not see other processes take the core; the rounds of both alternate, and the fastest counts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import rlx
from rlx.core.dim import Dim
from rlx.core.dtype import DType

PAGE = 32
ROWS, SEQUENCES, BLOCKS, PAGES = (Dim(name, min=1) for name in ("rows", "sequences", "blocks", "pages"))
SHAPES = {"smollm2": (9, 3, 64), "254M": (16, 8, 64), "8B": (32, 8, 128)}


@dataclass(frozen=True)
class Work:
    """`rows` tokens of each of `sequences` sequences, which end at `context`."""

    name: str
    rows: int
    sequences: int
    context: int


WORKS = (
    *(Work(f"1 row at {context}", 1, 1, context) for context in (128, 512, 1024, 4096)),
    Work("16 rows of 16 at 512", 1, 16, 512),
    Work("5 rows at 1024", 5, 1, 1024),
    Work("128 rows of 128", 128, 1, 128),
    Work("512 rows of 512", 512, 1, 512),
    Work("256 rows of 2048", 256, 1, 2048),
)


def contiguous(layers: int, heads: int, kv_heads: int, dim: int, stored: str, work: Work) -> Callable[[], object]:
    """Today's attention: caches are `[sequences, kv heads, context, dim]`."""
    batch, seq, capacity = Dim("batch"), Dim("seq"), Dim("capacity")
    module = rlx.Graph("contiguous")
    q = module.input("q", (batch, heads, seq, dim))
    start, ends = (module.input(name, (batch,), "i32") for name in ("start", "ends"))
    how = {"num_heads": heads, "num_kv_heads": kv_heads, "head_dim": dim, "mask_kind": "causal", "layout": "bhsd"}
    shape = (batch, kv_heads, capacity, dim)
    outputs = {}
    for layer in range(layers):
        caches = [module.state(f"{name}{layer}", shape, stored) for name in "kv"]
        outputs[f"y{layer}"] = module.attention(q, *caches, positions=start, lengths=ends, **how)
    module.set_outputs(outputs)
    exe = rlx.compile(module)
    random = np.random.default_rng(0)
    for name in exe.session.entries:
        drawn = random.standard_normal((work.sequences, kv_heads, work.context, dim), np.float32)
        exe.session.set_state(name, drawn.astype(DType.of(stored).numpy))
    feeds = {
        "q": random.standard_normal((work.sequences, heads, work.rows, dim), np.float32),
        "start": np.full(work.sequences, work.context - work.rows, np.int32),
        "ends": np.full(work.sequences, work.context, np.int32),
    }
    return lambda: exe.run(feeds)


def paged(layers: int, heads: int, kv_heads: int, dim: int, stored: str, work: Work) -> Callable[[], object]:
    """The same in pages, in scattered order."""
    module = rlx.Graph("paged")
    q = module.input("q", (ROWS, heads * dim))
    start, sequence = (module.input(name, (ROWS,), "i32") for name in ("start", "sequence"))
    tables = module.input("tables", (SEQUENCES, BLOCKS), "i32")
    outputs = {}
    kind = "i8" if stored == "q8" else stored
    for layer in range(layers):
        kept = [
            module.state(f"k{layer}", (PAGES, kv_heads, dim, PAGE), kind),
            module.state(f"v{layer}", (PAGES, kv_heads, PAGE, dim), kind),
        ]
        scales = []
        if stored == "q8":
            scales = [
                module.state(f"ks{layer}", (PAGES, kv_heads, dim // 32, PAGE), "f16"),
                module.state(f"vs{layer}", (PAGES, kv_heads, PAGE, dim // 32), "f16"),
            ]
        outputs[f"y{layer}"] = module.paged_attention(q, *kept, start, sequence, tables, *scales, num_heads=heads)
    module.set_outputs(outputs)
    exe = rlx.compile(module)
    random = np.random.default_rng(0)
    blocks = -(-work.context // PAGE)
    count = blocks * work.sequences
    for name, entry in exe.session.entries.items():
        dims = tuple(count if isinstance(size, Dim) else size for size in entry.shape.dims)
        if entry.shape.dtype.name == "i8":
            exe.session.set_state(name, random.integers(-127, 128, dims, np.int8))
        else:
            scale = 0.02 if "s" in name else 1
            drawn = random.standard_normal(dims, np.float32) * np.float32(scale)
            exe.session.set_state(name, drawn.astype(entry.shape.dtype.numpy))
    positions = np.arange(work.context - work.rows, work.context, dtype=np.int32)
    feeds = {
        "q": random.standard_normal((work.sequences * work.rows, heads * dim), np.float32),
        "start": np.tile(positions, work.sequences),
        "sequence": np.repeat(np.arange(work.sequences, dtype=np.int32), work.rows),
        "tables": random.permutation(count).astype(np.int32).reshape(work.sequences, blocks),
    }
    return lambda: exe.run(feeds)


def fastest(calls: list[Callable[[], object]], seconds: float, clock: Callable[[], float]) -> list[float]:
    """Seconds of one call of each, by turns."""
    best = [float("inf")] * len(calls)
    for call in calls:
        call()
    begun = clock()
    while clock() - begun < seconds:
        for index, call in enumerate(calls):
            at = clock()
            call()
            best[index] = min(best[index], clock() - at)
    return best


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.paged", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("shapes", nargs="*", default=["smollm2", "254M"], metavar="SHAPE", help=f"of {', '.join(SHAPES)}")
    parser.add_argument("--stored", nargs="*", default=["f32", "f16", "q8"], help="f32, f16, bf16, q8")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each row")
    parser.add_argument("--only", default="", help="rows whose name contains this")
    parser.add_argument("--wall", action="store_true", help="time on the clock instead of CPU time")
    options = parser.parse_args()
    rlx.set_threads(options.threads)
    clock = time.perf_counter if options.wall else time.process_time
    print("| shape | stored | work | contiguous µs | paged µs | speed of contiguous | GB/s | GFLOP/s |")
    print("|---|---|---|---|---|---|---|---|")
    for shape in options.shapes:
        heads, kv_heads, dim = SHAPES[shape]
        for stored in options.stored:
            for work in WORKS:
                if options.only not in work.name:
                    continue
                size = {"f32": 4, "q8": 1 + 1 / 16}.get(stored, 2)
                read = 2 * kv_heads * dim * size * work.context * work.sequences
                layers = int(min(8, max(2, 64e6 // read)))
                other = contiguous(layers, heads, kv_heads, dim, "f16" if stored == "q8" else stored, work)
                ours = paged(layers, heads, kv_heads, dim, stored, work)
                theirs, mine = (each / layers for each in fastest([other, ours], options.seconds, clock))
                pairs = work.sequences * work.rows * (work.context - (work.rows - 1) / 2)
                flops = 4 * pairs * heads * dim
                print(
                    f"| {shape} | {stored} | {work.name} | {theirs * 1e6:.1f} | {mine * 1e6:.1f} | {theirs / mine:.2f} "
                    f"| {read / mine / 1e9:.1f} | {flops / mine / 1e9:.0f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
