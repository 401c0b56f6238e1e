"""Traps of identity: what differs in one byte, one attribute or one name is another graph, and another program."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import rlx


def graph_of(array, name="g"):
    g = rlx.Graph(name)
    x = g.input("x", array.shape, array.dtype)
    g.set_outputs({"y": x + g.constant(array)})
    return g


@pytest.mark.parametrize("size", [3, 5000])
@pytest.mark.parametrize("byte", [0, -1])
def test_fingerprint_of_two_constants_that_differ_in_one_byte(device, size, byte):
    one = np.random.default_rng(0).uniform(1, 2, size).astype(np.float32)
    other = one.copy()
    other.view(np.uint8)[byte] ^= 1
    assert (one != other).sum() == 1
    a, b = graph_of(one), graph_of(other)
    assert a.fingerprint() != b.fingerprint() and a != b
    assert a.fingerprint() == graph_of(one.copy()).fingerprint() and a == graph_of(one.copy())
    zeros = np.zeros(size, np.float32)
    for graph, expected in ((a, one), (b, other), (graph_of(one), one)):  # a cache that confuses them would show here
        np.testing.assert_array_equal(rlx.compile(graph, device)(x=zeros), expected)


def test_fingerprint_tells_zeros_and_nans_apart(device):
    plus, minus = np.zeros(4, np.float32), np.full(4, -0.0, np.float32)
    quiet, other = np.full(4, np.nan, np.float32), np.array([0x7FC00001] * 4, np.uint32).view(np.float32)
    prints = [graph_of(array).fingerprint() for array in (plus, minus, quiet, other)]
    assert len(set(prints)) == 4
    g = rlx.Graph("product")
    x = g.input("x", (4,))
    g.set_outputs({"plus": x * g.constant(plus), "minus": x * g.constant(minus)})
    found = rlx.compile(g, device).run({"x": np.ones(4, np.float32)})
    assert not np.signbit(found["plus"]).any() and np.signbit(found["minus"]).all()


def test_fingerprint_tells_shapes_dtypes_names_and_attributes_apart():
    def build(name="x", shape=(2, 3), dtype="f32", axis=-1, out="y", eps=1e-5, bound=8):
        g = rlx.Graph("g")
        n = rlx.Dim("n", 1, bound)
        x = g.input(name, (n, *shape), dtype)
        scale = g.param("scale", (shape[axis],), dtype)
        g.set_outputs({out: g.rms_norm(g.softmax(x, axis=axis), scale, axis=axis, eps=eps)})
        return g.fingerprint()

    changes = [
        {},
        {"name": "z"},
        {"shape": (3, 2)},
        {"shape": (3, 3)},
        {"dtype": "f64"},
        {"axis": -2},
        {"out": "z"},
        {"eps": 2e-5},
        {"bound": 9},
    ]
    assert len({build(**change) for change in changes}) == len(changes)
    assert build() == build()


def test_literals_one_and_true_and_one_half_are_different_constants(device):
    prints = set()
    for literal in (1, 1.0, True, 0.5):
        g = rlx.Graph("literal")
        x = g.input("x", (3,), "i32")
        g.set_outputs({"y": x * literal})
        prints.add(g.fingerprint())
        found = rlx.compile(g, device)(x=np.array([1, 2, 3], np.int32))
        assert found.dtype == (np.float32 if isinstance(literal, float) else np.int32)
        np.testing.assert_array_equal(found, np.array([1, 2, 3]) * float(literal))
    assert len(prints) >= 3  # True and 1 may be one i32 constant


def test_common_subexpressions_are_equal_in_every_attribute(device):
    """Two narrows, two casts, two random streams that differ in one attribute must not become one node."""
    g = rlx.Graph("alike")
    x = g.input("x", (6,))
    rng = g.rng("noise", seed=3)
    g.set_outputs(
        {
            "a": g.narrow(x, 0, 0, 3) + 0.0,
            "b": g.narrow(x, 0, 1, 3) + 0.0,
            "c": x.astype("i32"),
            "d": x.astype("i64"),
            "u": rng.uniform((6,)),
            "v": rng.uniform((6,)),
            "e": g.cumsum(x, 0),
            "f": g.cumsum(x, 0, exclusive=True),
            "h": g.clamp(x, 0.0, 1.0),
            "i": g.clamp(x, -0.0, 2.0),
        }
    )
    value = np.array([0.5, -1.5, 2.5, 3.5, -4.5, 5.5], np.float32)
    found = rlx.compile(g, device).run({"x": value})
    np.testing.assert_array_equal(found["a"], value[:3])
    np.testing.assert_array_equal(found["b"], value[1:4])
    assert found["c"].dtype == np.int32 and found["d"].dtype == np.int64 and (found["u"] != found["v"]).any()
    np.testing.assert_array_equal(found["e"] - found["f"], value)
    np.testing.assert_array_equal(found["h"], np.clip(value, 0, 1))
    np.testing.assert_array_equal(found["i"], np.clip(value, 0, 2))


def test_equal_layers_with_different_constants_keep_them(device):
    """Kernels are shared by content: the same code shape with another scalar inside is another kernel."""
    g = rlx.Graph("layers")
    x = y = g.input("x", (4, 8))
    for factor in (2.0, 3.0, 2.0, 5.0):
        y = g.tanh(y * factor) + factor
    g.set_outputs({"y": y})
    value = np.random.default_rng(0).uniform(-1, 1, (4, 8)).astype(np.float32)
    expected = value.astype(np.float64)
    for factor in (2.0, 3.0, 2.0, 5.0):
        expected = np.tanh(expected * factor) + factor
    assert x is not y
    np.testing.assert_allclose(rlx.compile(g, device)(x=value), expected, rtol=4e-6)


def test_a_constant_another_graph_also_had_still_parses():
    """Large constants are printed by content hash and found again among those alive, however many graphs had an equal one."""
    array = np.random.default_rng(0).uniform(size=100).astype(np.float32)
    kept = graph_of(array)
    for _ in range(2):
        other = graph_of(array.copy())
        assert other == kept
        del other
        gc.collect()
        assert rlx.graphs.parse(str(kept)) == kept
