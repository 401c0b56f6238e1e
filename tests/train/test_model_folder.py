"""The folder that a training run leaves is a model: for rlx.load_model, and for transformers."""

import numpy as np
import pytest
import torch
import transformers

import rlx
from rlx.core.errors import RlxError
from rlx.generate import Runner
from rlx.runtime.session import Session
from rlx.train.language_model import LlamaShape, TextSampler
from rlx.train.loop import Run, Watcher
from rlx.train.model_folder import write_model
from rlx.train.vocabulary import Vocabulary
from tests.train.runs import config

TEXT = "the cat and the hat, the_bat  and\n\n 12 cats: 'naïve café' — 東京 🙂\tx __init__ don't   \n"


@pytest.mark.parametrize("size", [256, 300])
def test_tokens_and_logits_are_those_of_transformers(tmp_path, size):
    vocabulary = Vocabulary() if size == 256 else Vocabulary.learn((TEXT * 4).encode(), size)
    shape = LlamaShape(vocabulary=len(vocabulary), layers=2, width=48, heads=4, kv_heads=2, ffn=80, positions=128)
    random = np.random.default_rng(0)
    params = {name: random.standard_normal(dims).astype(np.float32) * 0.3 for name, dims in shape.param_dims().items()}
    write_model(tmp_path, shape, vocabulary, params)
    model = rlx.load_model(tmp_path, quant_mode="exact")
    theirs = transformers.PreTrainedTokenizerFast(tokenizer_file=str(tmp_path / "tokenizer.json"))
    ids = model.tokenizer.encode(TEXT)
    assert ids == vocabulary.encode(TEXT.encode()).tolist() == theirs.encode(TEXT)
    assert (model.tokenizer.decode(ids) == TEXT and len(ids) < len(TEXT.encode())) or size == 256
    oracle = transformers.AutoModelForCausalLM.from_pretrained(tmp_path, attn_implementation="eager").eval()
    with torch.no_grad():
        expected = oracle(torch.tensor([ids])).logits[0].numpy()
    np.testing.assert_allclose(Runner(model, capacity=128).score([ids])[0], expected, atol=2e-4 * np.abs(expected).max())
    session = Session()
    decoding = session.compile(shape.decoding())
    session.set_params(params)
    found = decoding.run({"ids": np.array([ids], np.int32), "length": np.zeros(1, np.int32)})["logits"][0]
    np.testing.assert_allclose(found, expected, atol=2e-4 * np.abs(expected).max())


def test_a_run_is_opened_by_its_folder(tmp_path):
    """And says what the run's own sampler says."""
    run = Run(config(tmp_path, model__vocabulary="pairs", model__vocabulary_size=280), Watcher())
    run.go()
    sampler = TextSampler.of(run.shape, run.corpus.vocabulary, run.evaluated)
    expected = sampler.text(b"the ", 8, temperature=0)
    found = rlx.load_model(tmp_path / "run").generate("the ", max_tokens=8)
    assert ("the " + found.text).encode() == expected


@pytest.mark.parametrize("missing", [("config.json",), ("config.json", "model.safetensors")])
def test_a_run_without_its_model_says_what_to_do(tmp_path, missing):
    """One that was stopped, and one of a version that wrote weights alone."""
    Run(config(tmp_path), Watcher()).go()
    for name in missing:
        (tmp_path / "run" / name).unlink()
    with pytest.raises(RlxError, match="is the output of `rlx train`, without a finished model") as raised:
        rlx.load_model(tmp_path / "run")
    assert "rlx train" in raised.value.fix
