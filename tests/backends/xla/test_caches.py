"""Caches on the device `xla`: written in place, read as they lie, and what was never written has no effect."""

from __future__ import annotations

import numpy as np
import pytest

import rlx

LENGTH, CAPACITY, HEADS, KV_HEADS, WIDTH = 3, 11, 4, 2, 8


def attended(q: np.ndarray, k: np.ndarray, v: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Causal attention of `[B, heads, S, D]` in f64, the queries of a row at positions from `first` on."""
    q, k, v = (x.astype(np.float64) for x in (q, k, v))
    found = np.zeros_like(q)
    for row, head, i in np.ndindex(*q.shape[:3]):
        seen = slice(0, int(first[row]) + i + 1)
        scores = k[row, head // (HEADS // KV_HEADS), seen] @ q[row, head, i] / np.sqrt(WIDTH)
        weights = np.exp(scores - scores.max())
        found[row, head, i] = weights / weights.sum() @ v[row, head // (HEADS // KV_HEADS), seen]
    return found


@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("layout", ["bhsd", "bshd"])
def test_what_lies_behind_the_end_of_a_cache_has_no_effect(layout, rows):
    random = np.random.default_rng(rows)
    q = random.standard_normal((rows, HEADS, LENGTH, WIDTH)).astype(np.float32)
    k, v = (random.standard_normal((rows, KV_HEADS, CAPACITY, WIDTH)).astype(np.float32) for _ in "kv")
    first = random.integers(0, CAPACITY - LENGTH, rows).astype(np.int32)
    expected = attended(q, k, v, first)
    for row in range(rows):
        k[row, :, first[row] + LENGTH :], v[row, :, first[row] + LENGTH :] = np.nan, np.inf
    g = rlx.Graph("cached")
    given = {"q": q, "k": k, "v": v}
    if layout == "bshd":
        given = {name: np.ascontiguousarray(array.transpose(0, 2, 1, 3)) for name, array in given.items()}
    values = [g.input(name, array.shape) for name, array in given.items()]
    position = g.input("position", (rows,), "i32")
    sizes = {"num_heads": HEADS, "num_kv_heads": KV_HEADS, "head_dim": WIDTH}
    mixed = g.attention(*values, q_position=position, mask_kind="causal", layout=layout, **sizes)
    g.set_outputs({"y": mixed})
    found = np.asarray(rlx.compile(g, "xla").run({**given, "position": first})["y"])
    np.testing.assert_allclose(found if layout == "bhsd" else found.transpose(0, 2, 1, 3), expected, rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize("rows", [1, 3])
def test_windows_of_a_place_for_each_row(rows):
    """Starts that do not fit are moved in, as in every device; one row needs no scatter."""
    random = np.random.default_rng(rows)
    x, new = random.standard_normal((rows, 2, 9)), random.standard_normal((rows, 2, 4))
    g = rlx.Graph("windows")
    cache, update, starts = (g.input("x", x.shape, "f64"), g.input("new", new.shape, "f64"), g.input("at", (rows,), "i64"))
    written = g.dynamic_update_slice(cache, update, starts, axes=(2,))
    g.set_outputs({"written": written, "read": g.dynamic_slice(cache, starts, axes=(2,), sizes=(4,))})
    executable = rlx.compile(g, "xla")
    for first in (-3, 0, 2, 5, 8):
        at = np.arange(first, first + rows)
        found = executable.run({"x": x, "new": new, "at": at})
        expected = x.copy()
        for row in range(rows):
            start = int(np.clip(at[row], 0, 5))
            expected[row, :, start : start + 4] = new[row]
            np.testing.assert_array_equal(np.asarray(found["read"])[row], x[row, :, start : start + 4])
        np.testing.assert_array_equal(found["written"], expected)
    assert ("stablehlo.scatter" in rlx.graphs.lower(g, "xla").stablehlo()) == (rows > 1)
