"""rlx tune: what is chosen, where it is kept, and that every size gives right results."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from rlx.backends.cpu.backend import CpuBackend
from rlx.backends.cpu.run.runner import CpuRunner
from rlx.backends.cpu.target import Target
from rlx.backends.cpu.topology import apply, keep
from rlx.backends.cpu.tuning import tune
from rlx.backends.knob import Knob
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.op import OPS
from rlx.layouts.block_order import interleave_rows
from rlx.layouts.gguf_blocks import random_rows
from rlx.layouts.stored_rows import StoredRows

PLAIN = Target.named("x86_64-avx2")


@pytest.mark.parametrize(
    ("seconds", "chosen"),
    [({1: 1.0, 2: 0.9}, 2), ({1: 1.0, 2: 0.98}, 1), ({1: 1.0, 2: 1.2}, 1), ({1: 1.0, 2: 0.9, 3: 0.8}, 3), ({1: 1.0}, 1)],
)
def test_another_value_must_be_clearly_faster_than_the_default(seconds: dict[int, float], chosen: int) -> None:
    knob = Knob("prefetch_distance", "B", 2.0, [seconds, seconds], 1)
    assert knob.chosen == chosen and knob.rate(1) == 2.0


def test_what_is_faster_in_some_rounds_only_is_noise() -> None:
    lucky = Knob("prefetch_distance", "B", 2.0, [{1: 1.0, 2: 0.8}, {1: 1.0, 2: 1.0}], 1)
    steady = Knob("prefetch_distance", "B", 2.0, [{1: 1.0, 2: 0.8}, {1: 1.01, 2: 0.9}], 1)
    assert lucky.chosen == 1 and lucky.gain(2) == 0
    assert steady.chosen == 2 and steady.gain(2) == pytest.approx(1 - 0.9 / 1.01)


def test_a_gain_below_what_the_default_differs_from_itself_is_noise() -> None:
    busy = Knob("prefetch_distance", "B", 2.0, [{1: 1.0, 2: 0.9}, {1: 1.3, 2: 1.2}], 1)
    assert busy.chosen == 1 and busy.spread == pytest.approx(0.3)


@pytest.mark.usefixtures("cache_dir")
def test_what_is_kept_is_applied_to_this_machine_alone() -> None:
    assert apply(PLAIN) == PLAIN
    keep(PLAIN, {"prefetch_distance": 640})
    assert apply(PLAIN) == Target(PLAIN.triple, PLAIN.cpu, PLAIN.features, PLAIN.vector_bytes, prefetch_distance=640)
    assert apply(Target.baseline()) == Target.baseline()


def test_a_damaged_entry_is_as_good_as_none(cache_dir: Path) -> None:
    keep(PLAIN, {"prefetch_distance": 640})
    (entry,) = cache_dir.glob("*.rlxc")
    entry.write_bytes(entry.read_bytes()[:-1] + b"!")
    assert apply(PLAIN) == PLAIN


def test_nothing_is_kept_without_a_cache(cache_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RLX_CACHE", "0")
    keep(PLAIN, {"prefetch_distance": 640})
    assert apply(PLAIN) == PLAIN and not list(cache_dir.iterdir())


def test_new_processes_compile_for_what_was_found(cache_dir: Path) -> None:
    host = Target.host()
    keep(Target(host.triple, host.cpu, host.features, host.vector_bytes), {"prefetch_distance": 640, "k_block": 256})
    code = "from rlx.backends.cpu.target import Target; h = Target.host(); print(h.prefetch_distance, h.k_block)"
    untuned = 4096 if host.stream_locality else 1792  # Intel's servers read weights through their caches
    for cache, expected in (("1", "640 256"), ("0", f"{untuned} 384")):
        environment = {**os.environ, "RLX_CACHE_DIR": str(cache_dir), "RLX_CACHE": cache}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
        assert done.stdout.strip() == expected


def test_tuning_times_every_candidate_and_keeps_one(cache_dir: Path) -> None:
    knobs = {knob.name: knob for knob in tune(0.01)}
    assert set(knobs) == {"prefetch_distance", "k_block"}
    for knob in knobs.values():
        assert knob.default in knob.seconds and knob.chosen in knob.seconds and len(knob.seconds) >= 4
        assert all(0 < seconds < 10 for seconds in knob.seconds.values())
    assert list(cache_dir.glob("*.rlxc"))
    host = Target.host()
    found = apply(Target(host.triple, host.cpu, host.features, host.vector_bytes))
    assert (found.prefetch_distance, found.k_block) == (knobs["prefetch_distance"].chosen, knobs["k_block"].chosen)


def run(target: Target, graph: Graph, arrays: dict[str, np.ndarray], out: np.ndarray) -> np.ndarray:
    backend = CpuBackend(target)
    runner = CpuRunner(backend.build(backend.plan(graph, Report()), Report()))
    runner.order(tuple(arrays), ("y",))
    runner.run({}, list(arrays.values()), [out])
    return out


@pytest.mark.parametrize("depth", [1, 64, 192, 384, 4096])
def test_products_are_right_at_every_depth(depth: int) -> None:
    random = np.random.default_rng(0)
    a, b = random.standard_normal((67, 1000)).astype(np.float32), random.standard_normal((1000, 129)).astype(np.float32)
    graph = Graph("product", "mir")
    nodes = [graph.add_node(OPS["input"].op(name=name, shape=Shape(array.shape, "f32"))) for name, array in (("a", a), ("b", b))]
    graph.set_output_refs({"y": graph.add_node(OPS["matmul"].op(), [node.ref for node in nodes]).ref})
    found = run(Target.host().with_sizes({"k_block": depth}), graph, {"a": a, "b": b}, np.empty((67, 129), np.float32))
    np.testing.assert_allclose(found, a.astype(np.float64) @ b, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("ahead", [0, 64, 640, 1792, 8192])
@pytest.mark.parametrize("name", ["Q4_K", "Q4_0"])
def test_packed_products_have_the_same_bits_however_far_they_look_ahead(name: str, ahead: int) -> None:
    x = np.random.default_rng(0).standard_normal((1, 512)).astype(np.float32)
    blocks = interleave_rows(name, random_rows(name, 40, 512))
    graph = Graph("stream", "mir")
    given = graph.add_node(OPS["input"].op(name="x", shape=Shape(x.shape, "f32")))
    weight = graph.add_node(OPS["input"].op(name="w", shape=Shape(blocks.shape, "u8")))
    op = OPS["packed_matmul"].op(layout=StoredRows(name).name, n=40, exact=False)
    graph.set_output_refs({"y": graph.add_node(op, [given.ref, weight.ref]).ref})
    plain, other = (
        run(Target.host().with_sizes({"prefetch_distance": bytes_}), graph, {"x": x, "w": blocks}, np.empty((1, 40), np.float32))
        for bytes_ in (1024, ahead)
    )
    np.testing.assert_array_equal(plain, other)
