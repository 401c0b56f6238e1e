"""Depthwise convolutions of rows with the channels last, and their gradients, are shifted products: against torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F

import rlx
from rlx.ir.evaluate import evaluate_graph
from rlx.ir.graph import Graph
from rlx.ir.pattern import Uses
from rlx.passes.layout import CHANNELS_LAST

B, S, C, K = 2, 7, 3, 4


def draw(*shape: int, seed: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def rewritten(graph: Graph) -> tuple[Graph, list[str]]:
    after, _ = CHANNELS_LAST.apply(graph, "expand", Uses(graph))
    read = {ref.node for node in after.nodes for ref in node.refs} | {ref.node for ref in after.output_refs.values()}
    return after, [node.op.name for node in after.nodes if node.id in read]


def test_the_convolution_is_shifted_products() -> None:
    graph = rlx.Graph("rows")
    x, w = graph.input("x", (B, S, C)), graph.input("w", (C, 1, K))
    y = graph.conv(x.transpose(0, 2, 1), w, groups=C, dilation=2).transpose(0, 2, 1)
    graph.set_outputs({"y": y})
    after, names = rewritten(graph)
    assert "conv" not in names and names.count("mul") == K
    arrays = {"x": draw(B, S, C, seed=0), "w": draw(C, 1, K, seed=1)}
    wanted = F.conv1d(torch.from_numpy(arrays["x"]).mT, torch.from_numpy(arrays["w"]), groups=C, dilation=2).mT
    np.testing.assert_allclose(evaluate_graph(after, arrays, {})["y"], wanted.numpy(), atol=1e-5)


@pytest.mark.parametrize(
    "settings", [{"groups": 1}, {"groups": C, "padding": 1}, {"groups": C, "stride": 2}], ids=["mixed", "padded", "strided"]
)
def test_other_convolutions_stay(settings: dict[str, int]) -> None:
    graph = rlx.Graph("rows")
    x, w = graph.input("x", (B, S, C)), graph.input("w", (C, C // settings["groups"], K))
    graph.set_outputs({"y": graph.conv(x.transpose(0, 2, 1), w, **settings).transpose(0, 2, 1)})
    assert "conv" in rewritten(graph)[1]


def test_a_convolution_whose_result_is_read_as_it_is_stays() -> None:
    graph = rlx.Graph("rows")
    x, w = graph.input("x", (B, S, C)), graph.input("w", (C, 1, K))
    y = graph.conv(x.transpose(0, 2, 1), w, groups=C)
    graph.set_outputs({"y": y.transpose(0, 2, 1), "turned": y})
    assert "conv" in rewritten(graph)[1]


def test_gradients_are_shifted_products_and_sums() -> None:
    module = rlx.Graph.hir("block")
    x, left = module.input("x", (B, S, C)), module.input("left", (B, K - 1, C))
    w = module.param("w", (C, 1, 1, K))
    y = module.depthwise_conv1d_causal(x, w, left, kernel_size=K)
    module.set_outputs({"loss": (y * y * y).sum()})
    executable = rlx.compile(rlx.autodiff.grad(module.into_graph(), wrt=["x", "left", "w"]), device="cpu")
    arrays = {"x": draw(B, S, C, seed=0), "left": draw(B, K - 1, C, seed=1)}
    weight = draw(C, 1, 1, K, seed=2)
    executable.set_params({"w": weight})
    found = executable.run(arrays)
    given = [torch.from_numpy(a.copy()).requires_grad_() for a in (arrays["x"], arrays["left"], weight)]
    padded = torch.cat((given[1], given[0]), 1).mT
    (F.conv1d(padded, given[2].reshape(C, 1, K), groups=C) ** 3).sum().backward()
    for name, tensor in zip(("x", "left", "w"), given, strict=True):
        np.testing.assert_allclose(found[f"grad_{name}"], tensor.grad.numpy(), rtol=1e-4, atol=1e-4)
    assert "conv2d_backward" not in str(executable.report)
