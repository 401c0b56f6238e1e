"""Sizes at which every kernel splits its work: one thread and two give the same bits, and the numbers are right."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rlx
from rlx.backends.cpu.run.commands import CommandField
from rlx.backends.cpu.run.thread_pool import set_threads
from rlx.ir.op import OPS
from rlx.ir.tolerance import Case, case, sample
from tests.conformance.checking import agree, build, feed, same_bits, shapes_of

KEY, COUNTER = sample(2, dtype="u32", fixed=[5, 9]), sample(dtype="u64", fixed=3)
LENGTHS = sample(3, dtype="i32", fixed=[300, 1, 77])


def index(*dims: int, high: int) -> Any:
    return sample(*dims, dtype="i32", low=0, high=high)


ROWS: dict[str, list[Case]] = {
    "gelu": [case(sample(513, 301))],
    "add": [case(sample(300, 257), sample(257)), case(sample(300, 1), sample(1, 257), dtypes=("bf16",))],
    "cast": [case(sample(400, 301), to="bf16")],
    "where": [case(sample(300, 300, dtype="bool"), sample(300, 300), sample())],
    "reduce_sum": [
        case(sample(700, 401), axes=1),
        case(sample(700, 401), axes=0),
        case(sample(300000)),
        case(sample(30, 50, 20, 40), axes=(0, 2)),
        case(sample(2, 100001), axes=1, dtypes=("f16",)),
        case(sample(100001, 2), axes=0),
    ],
    "reduce_max": [case(sample(500, 401), axes=1), case(sample(401, 500), axes=0)],
    "reduce_mean": [case(sample(200003), keep_dim=True)],
    "reduce_any": [case(sample(900, 700, dtype="bool"), axes=0)],
    "softmax": [case(sample(300, 501)), case(sample(300, 1001), axis=0), case(sample(3, 40001))],
    "layer_norm": [case(sample(301, 700), sample(700), sample(700))],
    "rms_norm": [case(sample(40, 50, 65), sample(65), dtypes=("f32", "f16"))],
    "cumsum": [case(sample(200, 301), axis=1), case(sample(200, 301), axis=0, reverse=True)],
    "softmax_cross_entropy_with_logits": [case(sample(300, 401), index(300, high=400))],
    "matmul": [
        case(sample(131, 257), sample(257, 190), dtypes=("f32", "f16", "f64")),
        case(sample(1, 600), sample(600, 1001)),
        case(sample(16, 40, 33), sample(16, 33, 50)),
        case(sample(3, 2000), sample(2000, 403)),
        case(sample(600, 3), sample(3, 400)),
        case(sample(200, 80, dtype="i32"), sample(80, 300, dtype="i32")),
    ],
    "dot_general": [case(sample(200, 150), sample(180, 200), lhs_contract=0, rhs_contract=1)],
    "attention": [
        case(
            sample(2, 130, 128),
            sample(2, 130, 64),
            sample(2, 130, 64),
            num_heads=4,
            num_kv_heads=2,
            head_dim=32,
            mask_kind="causal",
        ),
        case(sample(3, 1, 128), sample(3, 300, 128), sample(3, 300, 128), None, None, LENGTHS, num_heads=4, head_dim=32),
        case(sample(1, 1, 128), sample(1, 3000, 32), sample(1, 3000, 32), num_heads=4, num_kv_heads=1, head_dim=32),
    ],
    "rope": [case(sample(3, 130, 128), sample(200, 16, low=-1, high=1), sample(200, 16, low=-1, high=1), head_dim=32)],
    "gather": [case(sample(500, 64), index(900, high=499), axis=0), case(sample(9, 500, 30), index(300, high=499), axis=1)],
    "take_along_axis": [case(sample(300, 200), index(300, 150, high=199), axis=1)],
    "dynamic_update_slice": [case(sample(40, 90, 32), sample(40, 7, 32), index(40, high=90), axes=1)],
    "concat": [case(sample(300, 200), sample(300, 101), axis=1)],
    "pad": [case(sample(300, 200), low=(1, 3), high=(2, 0), mode="reflect")],
    "transpose": [case(sample(301, 403), perm=(1, 0)), case(sample(31, 43, 65), perm=(2, 0, 1), dtypes=("bf16",))],
    "roll": [case(sample(300, 401), shift=77, axes=1)],
    "top_k": [case(sample(300, 500), k=5), case(sample(500, 60), k=7, axis=0)],
    "sort": [case(sample(200, 301)), case(sample(301, 100), axis=0, descending=True)],
    "argmax": [case(sample(600, 301), axis=1), case(sample(301, 600), axis=0)],
    "random_uniform": [case(KEY, COUNTER, shape=(301, 333))],
    "random_normal": [case(KEY, COUNTER, shape=(301, 333))],
    "random_bits": [case(KEY, COUNTER, shape=(301, 333)), case(sample(901, 2, dtype="u32", low=0, high=9), COUNTER, shape=(33,))],
    "dropout": [case(sample(301, 333), KEY, COUNTER, rate=0.3)],
}
TABLE = [
    pytest.param(name, row, dtype, id=f"{name}-{number}-{dtype}")
    for name, rows in ROWS.items()
    for number, row in enumerate(rows)
    for dtype in row.dtypes
]


@pytest.fixture(autouse=True)
def default_threads():
    yield
    set_threads(None)


@pytest.mark.parametrize(("name", "row", "dtype"), TABLE)
def test_the_same_bits_on_one_thread_and_on_two(name: str, row: Case, dtype: str) -> None:
    record = OPS[name]
    operands = row.arrays(seed=3, dtype=dtype)
    built = build(record, shapes_of(operands), row.attrs)
    set_threads(2)
    exe = rlx.compile(built.graph, "cpu")
    found = [tuple(array.copy() for array in exe.run(feed(operands)).values()) for _ in range(3)]
    job = exe._runner.job  # type: ignore[attr-defined]
    assert int(job.dims[job.commands[:, CommandField.UNITS]].max()) > 1, "the row is too small to split"
    agree(built.op, operands, found[0], name)
    set_threads(1)
    found.append(tuple(exe.run(feed(operands)).values()))
    for other in found[1:]:
        same_bits(found[0], other, f"{name}: threads and turns")


def test_the_same_bits_at_every_number_of_threads() -> None:
    """A deep graph on 1, 2, 3 and 5 threads: more than the machine has, so that they interleave."""
    g = rlx.Graph("deep")
    x, w = g.input("x", (150, 96)), g.param("w", (96, 96))
    y = x
    for _ in range(4):
        y = g.layer_norm(g.gelu(y @ w) + y, g.constant(np.ones(96, np.float32)))
        y = y + g.softmax(y @ y.T) @ y
    g.set_outputs({"y": y, "sum": y.sum(axes=0)})
    value = np.random.default_rng(0).standard_normal((150, 96)).astype(np.float32)
    results = []
    for threads in (1, 2, 3, 5):
        set_threads(threads)
        exe = rlx.compile(g, "cpu")
        exe.set_param("w", (np.random.default_rng(1).standard_normal((96, 96)) / 10).astype(np.float32))
        for _ in range(5):
            results.append(tuple(array.copy() for array in exe.run({"x": value}).values()))
    for other in results[1:]:
        same_bits(results[0], other, "threads")
