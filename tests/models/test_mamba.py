"""Mamba against transformers: prompts in chunks and in ragged batches, then token by token; from both formats."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import transformers

from rlx.core.errors import RlxError
from rlx.generate.engine import Engine
from rlx.models import open_model
from tests.models.recurrent_models import MAMBA, follow_chunks, follow_ragged_rows, logits, mamba_to_gguf, randomized, reference
from tests.models.running import Running, close, llama_cpp, normalized
from tests.models.tiny_models import token_ids


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("mamba")
    reference("mamba").save_pretrained(folder)
    yield Running.of(reference("mamba"), folder)


def test_ragged_batch_then_token_by_token(running: Running) -> None:
    follow_ragged_rows(running)


def test_prompt_in_chunks(running: Running) -> None:
    follow_chunks(running)


def test_gguf(tmp_path: Path) -> None:
    """As llama.cpp reads it, which knows no biases but those of the convolution and of the steps; then three prompts at once go on."""
    oracle = randomized(lambda: transformers.MambaForCausalLM(transformers.MambaConfig(**{**MAMBA, "use_bias": False})))
    oracle.save_pretrained(tmp_path)
    mamba_to_gguf(tmp_path, tmp_path / "model.gguf")
    running = Running.of(oracle, tmp_path / "model.gguf", decodes=False)
    ids = token_ids(1, 20, seed=2)
    running.fresh(1)
    expected = logits(oracle, ids[0])
    close(running.feed(running.prefill, ids, [0], [20])[0], expected)
    close(normalized(expected[-1]), llama_cpp(tmp_path / "model.gguf", np.asarray(ids[0])))
    prompts = [ids[0, :length].tolist() for length in (12, 3, 7)]
    found = Engine(running.model, chunk=8).generate(prompts, temperature=0.0, max_tokens=6, ignore_eos=True)
    for prompt, generation in zip(prompts, found, strict=True):
        whole = [*prompt, *generation.ids]
        assert [int(row.argmax()) for row in logits(oracle, whole)[len(prompt) - 1 : -1]] == list(generation.ids)


def test_another_activation_is_refused(tmp_path: Path) -> None:
    """Releases of transformers differ in what it would mean: of the gate as well as of the convolution, or not."""
    reference("mamba").save_pretrained(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**config, "hidden_act": "gelu"}))
    with pytest.raises(RlxError, match="hidden_act is 'gelu', which is not implemented"):
        open_model(tmp_path)
