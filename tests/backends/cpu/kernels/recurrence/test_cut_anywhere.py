"""Recurrences of a batch-invariant program: a sequence that is cut anywhere, its states carried over, has the same bits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

import rlx

Array = np.ndarray[Any, Any]
STEPS, CUTS = 23, ((23,), (1,) * 23, (5, 18), (1, 7, 1, 14), (22, 1), (9, 9, 5))
RANDOM = np.random.default_rng(4)


def normal(*dims: int) -> Array:
    return RANDOM.standard_normal(dims).astype(np.float32)


def delta_net(size: int) -> tuple[dict[str, Array], Array, Callable[..., Any]]:
    """What comes with each step, the first state, and the graph of some steps."""
    heads = 3
    rows = {name: normal(STEPS, heads, size) for name in ("q", "k", "v")}
    rows |= {"g": -np.abs(normal(STEPS, heads)) * 20, "beta": np.abs(normal(STEPS, heads)) / 2}
    rows["g"][3] = -1e-3

    def build(graph: Any, values: Mapping[str, Any], state: Any) -> Any:
        given = (values["q"], values["k"], values["v"], values["g"], values["beta"])
        return graph.gated_delta_net_carry(*given, state, state_size=size)

    return rows, normal(heads, size, size), build


def selective_scan(size: int) -> tuple[dict[str, Array], Array, Callable[..., Any]]:
    channels = 37
    rows = {"x": normal(STEPS, channels), "delta": np.abs(normal(STEPS, channels))}
    rows |= {"write": normal(STEPS, size), "read": normal(STEPS, size)}
    rates, skip = -np.abs(normal(channels, size)), normal(channels)

    def build(graph: Any, values: Mapping[str, Any], state: Any) -> Any:
        given = (values["x"], values["delta"], graph.constant(rates), values["write"], values["read"])
        return graph.selective_scan_carry(*given, graph.constant(skip), state, state_size=size)

    return rows, normal(channels, size), build


def cut(made: tuple[dict[str, Array], Array, Callable[..., Any]], sizes: tuple[int, ...], *, fixed: bool) -> bytes:
    """All outputs and the last state, run in pieces; `fixed`: pieces of one step have a graph of their own."""
    rows, state, build = made
    compiled: dict[Any, Any] = {}

    def executable(count: int) -> Any:
        steps: Any = 1 if fixed and count == 1 else rlx.Dim("steps")
        if str(steps) not in compiled:
            graph = rlx.Graph("cut")
            values = {name: graph.input(name, (1, steps, *array.shape[1:]), "f32") for name, array in rows.items()}
            y, after = build(graph, values, graph.input("state", (1, *state.shape), "f32"))
            graph.set_outputs({"y": y, "after": after})
            compiled[str(steps)] = rlx.compile(graph, batch_invariant=True)
        return compiled[str(steps)]

    found, now, at = [], state[None], 0
    for count in sizes:
        inputs = {name: array[None, at : at + count] for name, array in rows.items()}
        result = executable(count).run({**inputs, "state": now})
        now = result["after"].copy()
        found.append(result["y"][0].copy())
        at += count
    return np.concatenate(found).tobytes() + now.tobytes()


@pytest.mark.parametrize("fixed", [False, True])
@pytest.mark.parametrize("size", [6, 16, 64])
@pytest.mark.parametrize("make", [delta_net, selective_scan])
def test_a_sequence_may_be_cut_anywhere(make: Any, size: int, fixed: bool) -> None:
    made = make(size)
    whole = cut(made, CUTS[0], fixed=fixed)
    assert all(cut(made, sizes, fixed=fixed) == whole for sizes in CUTS[1:])
