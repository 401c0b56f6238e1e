"""One graph serves a bucket of sizes: another size rewrites the block of sizes and touches no node; another bucket compiles nothing."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import rlx
from tests.backends.cuda.device import NEEDS_TRITON, Running

pytestmark = NEEDS_TRITON


def normalized() -> rlx.Graph:
    g = rlx.Graph("rows")
    x = g.input("x", ("n", "k"))
    g.set_outputs({"y": g.softmax(x * 3.0, axis=-1), "z": g.matmul(x, g.transpose(x, (1, 0)))})
    return g


def expected(x: np.ndarray) -> dict[str, np.ndarray]:
    wide = np.exp(3.0 * x.astype(np.float64) - (3.0 * x.astype(np.float64)).max(-1, keepdims=True))
    return {"y": wide / wide.sum(-1, keepdims=True), "z": x.astype(np.float64) @ x.astype(np.float64).T}


@pytest.fixture
def counted(monkeypatch) -> Counter[str]:
    """How often a running graph is made, and its nodes changed."""
    from rlx.backends.cuda.fake_driver import FakeDriver

    found: Counter[str] = Counter()
    for name in ("graph", "load"):
        original = getattr(FakeDriver, name)

        def counting(self, *arguments, name=name, original=original):
            found[name] += 1
            return original(self, *arguments)

        monkeypatch.setattr(FakeDriver, name, counting)
    return found


def test_sizes_of_one_bucket_share_a_graph_and_kernels_serve_all(counted):
    run = Running(normalized())
    random = np.random.default_rng(0)
    for n, k in ((5, 37), (8, 64), (7, 33), (3, 100), (5, 37)):
        x = random.normal(size=(n, k)).astype(np.float32)
        found = run({"n": n, "k": k}, x=x)
        for name, wanted in expected(x).items():
            np.testing.assert_allclose(found[name], wanted, rtol=2e-6, atol=2e-6)
    assert counted["graph"] == 2, "n to 8 and k to 64; n to 4 and k to 128"
    assert len(run.code.programs[0].kernels) * 2 == counted["load"]


def test_rows_longer_than_a_block_are_walked_in_chunks():
    run = Running(normalized())
    x = np.random.default_rng(1).normal(size=(2, 2500)).astype(np.float32)
    found = run({"n": 2, "k": 2500}, x=x)
    np.testing.assert_allclose(found["y"], expected(x)["y"], rtol=4e-6, atol=1e-7)


def test_a_graph_whose_memory_shrinks_with_a_symbol_is_right_for_every_size():
    """The sizes of a bucket that would need more than its largest get a graph of their own."""
    g = rlx.Graph("rest")
    n = rlx.Dim("n", max=16)
    x = g.input("x", (n, 2))
    full = g.input("full", (16 - n, 2))
    g.set_outputs({"y": g.exp(g.concat([g.exp(full), g.exp(full)], axis=0)), "x": x + 1.0})
    run = Running(g)
    for size in (9, 3, 16, 12):
        arrays = {"x": np.ones((size, 2), np.float32), "full": np.full((16 - size, 2), 0.5, np.float32)}
        found = run({"n": size}, **arrays)
        assert found["y"].shape == (32 - 2 * size, 2)
        np.testing.assert_allclose(found["y"], np.exp(np.exp(0.5)), rtol=1e-6)


def test_moved_inputs_and_outputs_change_only_the_nodes_that_touch_them(monkeypatch):
    from rlx.backends.cuda.fake_driver import FakeDriver

    g = rlx.Graph("chain")
    x = g.input("x", (4, 8))
    inner = g.softmax(g.reshape(g.softmax(g.transpose(x, (1, 0)), axis=-1), (4, 8)), axis=-1)
    g.set_outputs({"y": g.softmax(g.transpose(inner, (1, 0)), axis=-1)})
    run = Running(g)
    moved = []
    original = FakeDriver.update
    monkeypatch.setattr(
        FakeDriver, "update", lambda self, graph, place, node: moved.append(place) or original(self, graph, place, node)
    )
    run(x=np.ones((4, 8), np.float32))
    assert not moved
    kept = run.backend.arrays.upload(np.zeros(3, np.float32))  # so that new arrays lie elsewhere
    run(x=np.ones((4, 8), np.float32))
    last = len(run.code.programs[0].steps) - 1
    assert set(moved) <= {0, last}
    assert kept.shape == (3,)
