"""Flow: weights as the file stores them, what layers share, and what each graph is named by."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rlx.core.errors import RlxError
from rlx.core.quant_scheme import QuantScheme
from rlx.models import Flow, Rope, Shapes, Weight
from rlx.runtime.session import Session

SHAPES = Shapes(batch=1, seq=2)


def f16(array: np.ndarray[Any, Any]) -> Weight:
    """A matrix stored in f16: a packed param."""
    stored = array.astype(np.float16)
    return Weight(
        array.shape, QuantScheme.gguf("F16"), lambda: stored.view(np.uint8).reshape(*stored.shape[:-1], -1), stored.nbytes
    )


def dense(array: np.ndarray[Any, Any]) -> Weight:
    return Weight(array.shape, None, lambda: array.astype(np.float32), 4 * array.size)


def run(flow: Flow, **inputs: Any) -> Any:
    session = Session("cpu")
    executable = session.compile(flow.module)
    for name in [name for name, entry in session.entries.items() if entry.kind == "param"]:
        session.set_param(name, flow.weights[name].load())
    return executable(tokens=np.zeros((1, 2), np.int32), count=np.array([2], np.int32), **inputs)


@pytest.mark.parametrize("stored", [f16, dense])
def test_a_square_matrix_read_twice(stored: Any) -> None:
    """Whether a param lies transposed is known by how it was declared, not by its shape."""
    matrix = np.arange(32 * 32).reshape(32, 32) % 7 / 4
    flow = Flow("twice", {"w": stored(matrix)}, SHAPES)
    x = flow.module.input("x", (1, 2, 32), "f32")
    flow.finish(y=flow.linear(flow.linear(x, "w"), "w"))
    given = np.linspace(-1, 1, 64, dtype=np.float32).reshape(1, 2, 32)
    np.testing.assert_allclose(run(flow, x=given), given.astype(np.float64) @ matrix.T @ matrix.T, rtol=1e-5)


@pytest.mark.parametrize("stored", [f16, dense])
def test_a_square_table_is_multiplied_transposed(stored: Any) -> None:
    """Rows by token, and the same weight as the output layer."""
    table = np.arange(32 * 32).reshape(32, 32) % 5 / 4
    flow = Flow("tied", {"token_embd": stored(table)}, SHAPES)
    flow.logits(flow.last(flow.embed()))
    np.testing.assert_allclose(run(flow), (table[0] @ table.T)[None], rtol=1e-5)


def test_layers_share_the_tables_of_rope() -> None:
    """Made once, by the first layer, under none's name."""
    flow = Flow("turned", {}, SHAPES)
    x = flow.module.input("x", (1, 2, 8), "f32")
    for _ in flow.layers(3):
        x = flow.rope(x, Rope.make(4, 10000.0), 4)
    flow.finish(y=x)
    labels: dict[str, list[str]] = {}
    for node in flow.module.nodes():
        labels.setdefault(node.op.name.removeprefix("hir."), []).append(node.origin.label)
    assert labels["cos"] == labels["sin"] == [""]
    assert [label.split("/")[0] for label in labels["rope"]] == ["blk.0", "blk.1", "blk.2"]


def test_a_layer_of_a_name_that_is_not_there() -> None:
    flow = Flow("none", {"blk.0.attn_q": dense(np.ones((2, 3)))}, SHAPES)
    x = flow.module.input("x", (1, 2, 3), "f32")
    with flow.scope("blk.0"), pytest.raises(RlxError, match=r"RLX703.*blk\.0\.attn_k"):
        flow.linear(x, "attn_k")
    with flow.scope("blk.0"), pytest.raises(RlxError, match=r"RLX701.*blk\.0\.attn_q' is \[2, 3\].*\[4, 3\]"):
        flow.linear(x, "attn_q", 4)
