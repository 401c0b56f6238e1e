"""What products prepare of one x is prepared once, before all of them, and they need no barrier between each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rlx
from rlx.layouts.gguf_blocks import dequantize_rows, random_rows

K, N = 512, 48


def products(schemes: tuple[str, ...], rows: int | str = 3, **options: Any) -> Any:
    """relu(x) times a weight of each scheme."""
    graph = rlx.Graph("products")
    x = graph.relu(graph.input("x", (rlx.Dim(rows) if isinstance(rows, str) else rows, K)))
    graph.set_outputs({f"y{i}": x @ graph.param(f"w{i}", (K, N), scheme=scheme) for i, scheme in enumerate(schemes)})
    return rlx.compile(graph, **options)


def kernels(exe: Any) -> list[tuple[str, bool]]:
    return [(command.stage.name, command.barrier) for command in exe.lir.commands]


def test_one_rounding_and_one_barrier_for_products_of_one_type() -> None:
    names = kernels(products(("gguf_q8_0",) * 3))
    assert [name for name, _ in names][-4:] == ["round", *["packed_matmul"] * 3]
    assert [barrier for _, barrier in names][-4:] == [True, True, False, False]


def test_types_that_round_differently_are_prepared_together() -> None:
    names = [name for name, _ in kernels(products(("gguf_q4k", "gguf_q8_0", "gguf_q4k")))]
    assert names[-5:] == ["round", "round", *["packed_matmul"] * 3]


@pytest.mark.parametrize("rows", [1, 3, "m"])
def test_results_are_those_of_products_alone(rows: int | str) -> None:
    """Bit for bit, on repeated runs with other values of x, and near the numbers of the file."""
    schemes = ("gguf_q4k", "gguf_q6k", "gguf_q8_0", "gguf_q4k", "gguf_q8_0")
    together, alone = products(schemes, rows), [products((scheme,), rows) for scheme in schemes]
    stored = {}
    for i, scheme in enumerate(schemes):
        stored[i] = random_rows(rlx.QuantScheme.parse(scheme).detail, N, K, seed=i)
        together.set_param(f"w{i}", stored[i])
        alone[i].set_param("w0", stored[i])
    random = np.random.default_rng(0)
    for count in [rows] * 2 if isinstance(rows, int) else [1, 9, 140]:
        x = random.standard_normal((count, K)).astype(np.float32)
        found = together.run({"x": x})
        for i, scheme in enumerate(schemes):
            np.testing.assert_array_equal(found[f"y{i}"], alone[i](x))
            wanted = np.maximum(x, 0).astype(np.float64) @ dequantize_rows(rlx.QuantScheme.parse(scheme).detail, stored[i]).T
            assert np.sqrt(np.mean((found[f"y{i}"] - wanted) ** 2)) < 0.02 * np.sqrt(np.mean(wanted**2))


def test_another_value_in_the_same_memory_is_prepared_anew() -> None:
    """x, then a value computed in its place: their roundings are two."""
    graph = rlx.Graph("chain")
    x = graph.relu(graph.input("x", (4, K)))
    first = x @ graph.param("a", (K, K), scheme="gguf_q8_0")
    second = graph.tanh(first) @ graph.param("b", (K, K), scheme="gguf_q8_0")
    third = graph.tanh(second) @ graph.param("c", (K, K), scheme="gguf_q8_0")
    graph.set_outputs({"y": third, "z": x @ graph.param("d", (K, N), scheme="gguf_q8_0")})
    exe = rlx.compile(graph)
    weights = {name: random_rows("Q8_0", N if name == "d" else K, K, seed=i) for i, name in enumerate("abcd")}
    exe.set_params(weights)
    assert sum(name == "round" for name, _ in kernels(exe)) == 3
    a, b, c, d = (dequantize_rows("Q8_0", rows).T.astype(np.float64) for rows in weights.values())
    given = np.random.default_rng(1).standard_normal((4, K)).astype(np.float32)
    top = np.maximum(given, 0)
    found = exe.run({"x": given})
    for name, wanted in (("y", np.tanh(np.tanh(top @ a) @ b) @ c), ("z", top @ d)):
        assert np.sqrt(np.mean((found[name] - wanted) ** 2)) < 0.05 * np.sqrt(np.mean(wanted**2)), name


def test_results_under_trap_nan_are_the_same() -> None:
    """There every value is looked at behind the op that made it."""
    exe = products(("gguf_q8_0",) * 2, trap_nan=True)
    rows = random_rows("Q8_0", N, K)
    exe.set_params({"w0": rows, "w1": rows})
    first, second = exe(np.ones((3, K), np.float32))
    np.testing.assert_array_equal(first, second)


def test_what_is_prepared_of_what_was_prepared_is_shared_only_where_all_of_it_is() -> None:
    """Rows by expert: products of one x share its rounding if they share the table of experts; other experts, or another x, do not."""
    graph = rlx.Graph("experts")
    x, other = (graph.relu(graph.input(name, (40, K))) for name in ("x", "other"))
    first, second = (graph.input(name, (40,), "i32") for name in ("first", "second"))
    given = [(x, first), (x, first), (x, second), (other, first)]
    weights = [graph.param(f"w{i}", (3, K, N), scheme="gguf_q4k") for i in range(len(given))]
    made = [graph.grouped_matmul(rows, w, chosen) for (rows, chosen), w in zip(given, weights, strict=True)]
    graph.set_outputs({f"y{i}": y for i, y in enumerate(made)})
    exe = rlx.compile(graph)
    names = [name for name, _ in kernels(exe)]
    assert names.count("expert rows") == 2 and names.count("round") == 3
    stored = {f"w{i}": random_rows("Q4_K", 3, N, K, seed=i) for i in range(len(given))}
    exe.set_params(stored)
    random = np.random.default_rng(0)
    inputs: dict[str, Any] = {name: random.standard_normal((40, K)).astype(np.float32) for name in ("x", "other")}
    inputs |= {name: random.integers(0, 3, 40).astype(np.int32) for name in ("first", "second")}
    found = exe.run(inputs)
    for i, (rows, chosen) in enumerate((("x", "first"), ("x", "first"), ("x", "second"), ("other", "first"))):
        w = dequantize_rows("Q4_K", stored[f"w{i}"]).astype(np.float64)[inputs[chosen]]
        wanted = np.einsum("mk,mnk->mn", np.maximum(inputs[rows], 0), w)
        assert np.sqrt(np.mean((found[f"y{i}"] - wanted) ** 2)) < 0.02 * np.sqrt(np.mean(wanted**2))
