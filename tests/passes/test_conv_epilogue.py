"""A convolution with the elementwise work after it is one kernel: against torch, and what keeps its value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F

import rlx

Array = np.ndarray[Any, Any]


def draw(*shape: int, seed: int) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def compiled(build: Any, x: Array, w: Array, *extra: Array, **window: Any) -> tuple[Array, str]:
    graph = rlx.Graph("layer")
    leaves = [graph.input("x", x.shape), graph.param("w", w.shape)]
    leaves += [graph.input(f"e{number}", array.shape) for number, array in enumerate(extra)]
    graph.set_outputs({"y": build(graph, graph.conv(*leaves[:2], **window), *leaves[2:])})
    executable = rlx.compile(graph, device="cpu")
    executable.set_params({"w": w})
    given = {"x": x, **{f"e{number}": array for number, array in enumerate(extra)}}
    return np.array(executable.run(given)["y"]), str(executable.report)


def test_the_weight_of_a_convolution_is_packed_once() -> None:
    """Since layouts are values, the kernel compared one with a text and took no packed weight: every run packed it again."""
    graph = rlx.Graph("layer")
    graph.set_outputs({"y": graph.conv(graph.input("x", (1, 8, 16, 16)), graph.param("w", (16, 8, 3, 3)), kernel_size=3)})
    lir = rlx.compile(graph, device="cpu").lir
    assert [node.op.name for node in lir.graph.nodes if not node.op.definition.leaf] == ["packed_conv"]
    assert lir.prepare is not None
    assert "pack" in [node.op.name for node in lir.prepare.graph.nodes]


SHAPES = {
    "windows as lanes": ((2, 5, 9, 20), (7, 5, 3, 3), 1),
    "channels as lanes": ((1, 40, 5, 5), (66, 40, 3, 3), 1),
    "depthwise": ((2, 6, 9, 20), (6, 1, 3, 3), 6),
}


@pytest.mark.parametrize("kind", SHAPES)
def test_scale_residual_and_activation(kind: str) -> None:
    shape, weight, groups = SHAPES[kind]
    x, w, scale = draw(*shape, seed=0), draw(*weight, seed=1), draw(weight[0], 1, 1, seed=2)
    wanted = F.conv2d(*(torch.from_numpy(a).double() for a in (x, w)), padding=1, groups=groups)
    residual = draw(*wanted.shape, seed=3)
    found, report = compiled(lambda g, y, s, r: g.silu(y * s * 0.5 + r), x, w, scale, residual, padding=1, groups=groups)
    answer = F.silu(wanted * torch.from_numpy(scale) * 0.5 + torch.from_numpy(residual)).numpy()
    np.testing.assert_allclose(found, answer, rtol=1e-4, atol=1e-4)
    assert "conv + mul" in report


def test_a_result_that_is_read_twice_keeps_its_value() -> None:
    x, w = draw(1, 3, 6, 7, seed=0), draw(4, 3, 3, 3, seed=1)
    found, report = compiled(lambda g, y: g.relu(y) + g.reduce_sum(y, axes=(2, 3), keep_dim=True), x, w)
    wanted = F.conv2d(torch.from_numpy(x), torch.from_numpy(w))
    answer = (torch.relu(wanted) + wanted.sum((2, 3), keepdim=True)).numpy()
    np.testing.assert_allclose(found, answer, rtol=1e-4, atol=1e-4)
    assert "MultiConsumer: the result of conv is used" in report


def test_an_operand_that_varies_along_columns_stays_outside() -> None:
    x, w, row = draw(1, 3, 6, 7, seed=0), draw(4, 3, 3, 3, seed=1), draw(5, seed=2)
    found, report = compiled(lambda g, y, r: y * r, x, w, row)
    wanted = F.conv2d(torch.from_numpy(x), torch.from_numpy(w)).numpy() * row
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)
    assert "BroadcastOperand" in report
