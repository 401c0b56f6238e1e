"""Sampling: what the cache gives is what the whole text gives, and tokens are drawn as their chances say."""

import numpy as np
import pytest

import rlx
from bench.models.llama import LlamaConfig, reference
from rlx.core.errors import RlxError
from rlx.train.language_model import LlamaShape, TextSampler, choose
from rlx.train.vocabulary import Vocabulary

SHAPE = LlamaShape(vocabulary=256, layers=2, width=32, heads=4, kv_heads=2, ffn=48, positions=24)


def in_f64(weights, ids):
    """The logits after the last id, by the definition in NumPy."""
    named = {name.removeprefix("layers."): array for name, array in weights.items()}
    config = LlamaConfig(hidden=32, layers=2, heads=4, kv_heads=2, ffn=48, vocab=256, max_positions=24)
    return reference(config, named, np.array([ids]))[0, -1]


def test_greedy_text_is_the_definitions_also_when_the_cache_is_full():
    weights = {
        name: array * (1 if array.ndim == 1 else 12) for name, array in SHAPE.first_weights(0).items()
    }  # so that logits lie apart
    session = rlx.Session("cpu")
    sampler = TextSampler.of(SHAPE, Vocabulary(), session)
    session.set_params(weights)
    prompt = b"0123456789"
    text = sampler.text(prompt, 40, temperature=0)
    assert text.startswith(prompt) and len(text) == 50
    begin = 0
    for at in range(len(prompt), len(text)):
        begin = at - 12 if at - begin > 24 else begin  # the newer half goes on
        logits = in_f64(weights, list(text[begin:at]))
        assert text[at] == logits.argmax(), (at, np.sort(logits)[-2:])
    long = bytes(range(60, 100))
    assert sampler.text(long, 1, temperature=0)[-1] == in_f64(weights, list(long[-24:])).argmax()


def test_tokens_come_as_often_as_their_chances():
    random = np.random.default_rng(0)
    logits = np.array([2.0, 0.5, -1.0, 1.0], np.float32)
    for temperature, top_k in ((1.0, 0), (0.5, 0), (2.0, 2)):
        scaled = logits / temperature
        if top_k:
            scaled[np.argsort(logits)[:-top_k]] = -np.inf
        wanted = np.exp(scaled) / np.exp(scaled).sum()
        counts = np.bincount([choose(logits, temperature, top_k, random) for _ in range(4000)], minlength=4) / 4000
        assert np.abs(counts - wanted).max() < 4 * 0.5 / np.sqrt(4000), (temperature, counts, wanted)
    assert choose(logits, 0, 0, random) == 0


def test_an_empty_prompt_is_refused():
    sampler = TextSampler.of(SHAPE, Vocabulary(), rlx.Session("reference"))
    with pytest.raises(RlxError, match="prompt is empty"):
        sampler.text(b"", 3)
