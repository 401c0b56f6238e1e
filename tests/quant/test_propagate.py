"""Propagation gives the same bits: each rule on a graph of its own, and chains of them drawn at random."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rlx
from rlx.ir.evaluate import evaluate_graph
from rlx.ir.graph import Graph
from rlx.ir.verify import verify
from rlx.quant import propagate_qdq

SCALE, ZERO = np.float32(0.05), np.int32(-20)


def ops_of(graph: Graph) -> list[str]:
    return [node.op.name for node in graph.nodes if not node.op.definition.leaf]


def drawn(graph: Graph, seed: int = 0) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    return {
        name: (random.standard_normal([int(n) for n in node.shape.dims]) * 4).astype(np.float32)
        for name, node in graph.inputs.items()
    }


def same_bits(graph: Graph) -> Graph:
    """The propagated graph, checked against the one it came from by the references of both."""
    made, mapping = propagate_qdq(graph)
    verify(made)
    arrays = drawn(graph)
    wanted, found = evaluate_graph(graph, arrays), evaluate_graph(made, arrays)
    for name in wanted:
        np.testing.assert_array_equal(found[name], wanted[name])
    assert all(ref in {r for node in made.nodes for r in node.outputs} for ref in mapping.values())
    return made


def image(g: rlx.Graph) -> Any:
    return g.input("x", (2, 3, 6, 8))


UP: dict[str, tuple[Callable[[rlx.Graph, Any], Any], list[str]]] = {
    "reshape": (lambda g, x: x.reshape(6, 48), ["quantize", "reshape"]),
    "transpose": (lambda g, x: x.transpose(0, 2, 3, 1), ["quantize", "transpose"]),
    "narrow": (lambda g, x: g.narrow(x, 3, 2, 4), ["quantize", "narrow"]),
    "slice": (lambda g, x: x[:, :, ::2], ["quantize", "slice"]),
    "flip": (lambda g, x: g.flip(x, axes=(2,)), ["quantize", "flip"]),
    "pad": (lambda g, x: g.pad(x, low=(0, 0, 1, 1), high=(0, 0, 0, 2)), ["quantize", "pad"]),
    "pad edge": (lambda g, x: g.pad(x, low=(0, 0, 1, 1), high=(0, 0, 0, 2), mode="edge"), ["quantize", "pad"]),
    "concat": (lambda g, x: g.concat(x, g.input("z", (2, 3, 6, 8)), axis=1), ["quantize", "quantize", "concat"]),
    "max pool": (lambda g, x: g.pool(x, kind="max", kernel_size=2), ["quantize", "pool"]),
    "padded max pool": (lambda g, x: g.pool(x, kind="max", kernel_size=3, stride=2, padding=1), ["quantize", "pool"]),
    "relu": (lambda g, x: g.relu(x), ["quantize", "max"]),
    "relu6": (lambda g, x: g.clamp(x, 0.0, 6.0), ["quantize", "quantize", "quantize", "clamp"]),
    "several": (lambda g, x: g.relu(g.pool(x, kind="max", kernel_size=2)).reshape(2, -1), ["quantize", "pool", "max", "reshape"]),
}


@pytest.mark.parametrize("name", UP)
def test_quantize_goes_up(name: str) -> None:
    build, wanted = UP[name]
    g = rlx.Graph("up")
    g.set_outputs({"q": g.quantize(build(g, image(g)), SCALE, ZERO)})
    assert ops_of(same_bits(g)) == wanted


@pytest.mark.parametrize("name", [name for name in UP if name not in ("relu6", "concat")])
def test_dequantize_goes_down(name: str) -> None:
    build, wanted = UP[name]
    g = rlx.Graph("down")
    g.set_outputs({"y": build(g, g.dequantize(g.quantize(image(g), SCALE, ZERO), SCALE, ZERO))})
    found = ops_of(same_bits(g))
    assert found[-1] == "dequantize" and sorted(found[1:-1]) == sorted(wanted[1:])


def test_concat_of_one_grid_and_of_two() -> None:
    for other, wanted in ((SCALE, ["quantize", "quantize", "concat", "dequantize"]), (np.float32(0.1), None)):
        g = rlx.Graph("concat")
        a, b = g.input("a", (2, 3)), g.input("b", (2, 5))
        g.set_outputs({"y": g.concat(*(g.dequantize(g.quantize(x, s), s) for x, s in ((a, SCALE), (b, other))), axis=1)})
        found = ops_of(same_bits(g))
        assert found == wanted if wanted else found[-1] == "concat"


def test_channels_move_along_with_a_transpose() -> None:
    g = rlx.Graph("channels")
    scale = np.array([0.1, 0.2, 0.3], np.float32)
    g.set_outputs({"y": g.transpose(g.dequantize(g.quantize(g.input("x", (4, 3)), scale, axis=1), scale, axis=1), (1, 0))})
    made = same_bits(g)
    assert ops_of(made) == ["quantize", "transpose", "dequantize"] and made.nodes[-1].op["axis"] == 0


def test_a_pair_that_meets_goes_and_another_grid_stays() -> None:
    for scale, wanted in ((SCALE, ["quantize", "reshape"]), (np.float32(0.06), ["quantize", "dequantize", "quantize", "reshape"])):
        g = rlx.Graph("meet")
        back = g.dequantize(g.quantize(g.input("x", (4, 6)), SCALE, ZERO), SCALE, ZERO)
        g.set_outputs({"q": g.quantize(back.reshape(24), scale, ZERO)})
        assert ops_of(same_bits(g)) == wanted


def test_what_others_read_stays() -> None:
    """A value with a second reader is needed in floats; a part of a value is not made whole."""
    g = rlx.Graph("shared")
    x = g.input("x", (4, 6))
    moved = g.relu(x)
    g.set_outputs({"q": g.quantize(moved, SCALE), "y": moved})
    assert ops_of(same_bits(g)) == ["relu", "quantize"]
    g = rlx.Graph("parts")
    x = g.exp(g.input("x", (4, 6)))
    g.set_outputs({"a": g.quantize(g.narrow(x, 1, 0, 3), SCALE), "b": g.quantize(g.narrow(x, 1, 3, 3), np.float32(0.1))})
    assert ops_of(same_bits(g)).count("narrow") == 2 and ops_of(same_bits(g))[1] == "narrow"


def test_a_relu_whose_zero_is_the_least_number_costs_nothing() -> None:
    g = rlx.Graph("relu")
    g.set_outputs({"q": g.quantize(g.relu(g.input("x", (4, 6))), SCALE, np.int32(-128))})
    assert ops_of(same_bits(g)) == ["quantize"]


def test_a_scale_that_is_not_above_zero_keeps_its_order() -> None:
    g = rlx.Graph("negative")
    g.set_outputs({"q": g.quantize(g.relu(g.input("x", (4, 6))), np.float32(-0.1), ZERO)})
    assert ops_of(same_bits(g)) == ["relu", "quantize"]


STEPS = ["relu", "clamp", "pool", "flip", "transpose", "pad", "concat", "pair", "other pair", "reshape", "share"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(STEPS), min_size=1, max_size=7), st.integers(-128, 127), st.booleans())
def test_chains_drawn_at_random(steps: list[str], zero: int, ends_in_integers: bool) -> None:
    g = rlx.Graph("chain")
    x = g.input("x", (2, 2, 4, 4))
    kept = []
    for step in steps:
        if step == "relu":
            x = g.relu(x)
        elif step == "clamp":
            x = g.clamp(x, -1.0, 3.0)
        elif step == "pool":
            x = g.pool(x, kind="max", kernel_size=3, stride=1, padding=1)
        elif step == "flip":
            x = g.flip(x, axes=(1, 3))
        elif step == "transpose":
            x = x.transpose(0, 1, 3, 2)
        elif step == "pad":
            x = g.pad(x, low=(0, 0, 1, 0), high=(0, 0, 0, 1))
        elif step == "concat":
            x = g.concat(x, x, axis=1)
        elif step == "reshape":
            x = x.reshape(*x.shape[:2], x.shape[3], x.shape[2])
        elif step == "share":
            kept.append(x)
        else:
            scale = SCALE if step == "pair" else np.float32(0.07)
            x = g.dequantize(g.quantize(x, scale, np.int32(zero)), scale, np.int32(zero))
    g.set_outputs([g.quantize(x, SCALE, np.int32(zero)) if ends_in_integers else x, *kept])
    same_bits(g)
