"""A folder's model with a loss on its outputs, trained: the losses of torch on the same folder."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest
import torch

import rlx
from rlx.core.errors import RlxError
from rlx.models import Shapes, open_model
from rlx.train import SGD, AdamW, compile_training
from tests.models.tiny_models import VOCABULARY, reference, save, token_ids

ROWS, LENGTH, STEPS = 2, 16, 4


@pytest.mark.parametrize("name", ["llama tied, linear", "qwen3moe", "gemma2"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=["f32", "bf16"])
def test_a_loss_on_a_models_outputs_trains_as_in_torch(name: str, dtype: torch.dtype, tmp_path: Path) -> None:
    """Four steps, all weights: a folder in bf16 is trained in f32 from its rounded values."""
    model = open_model(save(name, tmp_path, dtype))
    graph = model.graph(Shapes(batch=ROWS, seq=LENGTH, logits="all"), dense=True)
    labels = graph.input("labels", (ROWS * LENGTH,), "i32")
    logits = graph.outputs["logits"].reshape(ROWS * LENGTH, VOCABULARY)
    graph.set_outputs({"loss": graph.softmax_cross_entropy_with_logits(logits, labels).mean()})
    training = compile_training(graph, "loss", SGD(lr=0.02))
    training.set_params(model.values(graph))

    oracle = copy.deepcopy(reference(name)).train()
    for parameter in oracle.parameters():
        parameter.data = parameter.data.to(dtype).float()
    optimizer = torch.optim.SGD(oracle.parameters(), lr=0.02)
    ids, wanted = token_ids(ROWS, LENGTH), token_ids(ROWS, LENGTH, seed=1).reshape(-1)
    batch = {"tokens": ids, "count": np.full(ROWS, LENGTH, np.int32), "labels": wanted}
    losses, expected = [], []
    for _ in range(STEPS):
        losses.append(float(training.step(batch)["loss"]))
        scores = oracle(torch.tensor(ids).long(), use_cache=False).logits.reshape(-1, VOCABULARY)
        loss = torch.nn.functional.cross_entropy(scores, torch.tensor(wanted).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        expected.append(loss.item())
    assert expected[-1] < expected[0] - 0.1
    np.testing.assert_allclose(losses, expected, rtol=1e-5)


def test_packed_matrices_are_params_to_train_only_when_dense(tmp_path: Path) -> None:
    model = open_model(save("llama", tmp_path, torch.bfloat16))
    shapes = Shapes(batch=1, seq=4, logits="all")
    stored, dense = model.graph(shapes), model.graph(shapes, dense=True)
    matrix = "blk.0.ffn_down"
    assert str(stored.params[matrix].op["scheme"]) != "None" and dense.params[matrix].op["scheme"] is None
    assert model.values(stored)[matrix].dtype == np.uint8
    expected = reference("llama").state_dict()["model.layers.0.mlp.down_proj.weight"].bfloat16().float().numpy()
    np.testing.assert_array_equal(model.values(dense)[matrix], expected)


def test_training_a_model_says_how_to_make_its_graph(tmp_path: Path) -> None:
    model = rlx.load_model(save("llama", tmp_path))
    for give in (lambda: compile_training(model, "loss", AdamW(lr=1e-4)), lambda: rlx.compile(model)):
        with pytest.raises(RlxError, match="a LanguageModel is not a graph") as raised:
            give()
        assert raised.value.code == "RLX105" and "model.graph(Shapes(" in str(raised.value.fix)
