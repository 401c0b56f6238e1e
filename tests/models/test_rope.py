"""Rotary embeddings: each scaling's frequencies against transformers', and what a wrong description is told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
import transformers
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from rlx.core.errors import RlxError
from rlx.models import Rope

CONTEXT, HEAD_DIM = 4096, 64
FACTORS = {"short_factor": np.linspace(1, 2, 32).tolist(), "long_factor": np.linspace(1, 30, 32).tolist()}
SCALINGS: dict[str, dict[str, Any]] = {
    "linear": {"factor": 3.0},
    "dynamic": {"factor": 4.0},
    "yarn": {"factor": 8.0, "original_max_position_embeddings": 512},
    "yarn, own betas": {
        "factor": 8.0,
        "original_max_position_embeddings": 512,
        "beta_fast": 16.0,
        "beta_slow": 2.0,
        "truncate": False,
    },
    "yarn, deepseek": {"factor": 8.0, "original_max_position_embeddings": 512, "mscale": 0.7, "mscale_all_dim": 1.1},
    "yarn, own scale": {"factor": 8.0, "original_max_position_embeddings": 512, "attention_factor": 1.25},
    "llama3": {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 1024},
    "longrope": {"original_max_position_embeddings": 512, **FACTORS},
    "longrope, own factor": {"original_max_position_embeddings": 512, "factor": 2.0, **FACTORS},
}


@pytest.mark.parametrize("name", SCALINGS)
def test_frequencies_and_scale(name: str) -> None:
    kind = name.split(",")[0]
    settings = {"rope_type": kind, "rope_theta": 500000.0, **SCALINGS[name]}
    sizes = {"hidden_size": 2 * HEAD_DIM, "num_attention_heads": 2, "max_position_embeddings": CONTEXT}
    config = transformers.LlamaConfig(**sizes, rope_parameters=dict(settings))
    rope = Rope.make(HEAD_DIM, 500000.0, settings, context=CONTEXT)
    frequencies, scale = ROPE_INIT_FUNCTIONS[kind](config, torch.device("cpu"), seq_len=10)
    np.testing.assert_allclose(rope.frequencies, frequencies.numpy(), rtol=1e-6)
    assert rope.scale == pytest.approx(scale)
    if kind == "longrope":
        long, _ = ROPE_INIT_FUNCTIONS[kind](config, torch.device("cpu"), seq_len=513)
        np.testing.assert_allclose(rope.long_frequencies, long.numpy(), rtol=1e-6)
        assert rope.trained_context == 512


@pytest.mark.parametrize(
    ("scaling", "code", "words"),
    [
        ({"rope_type": "spiral"}, "RLX702", ("spiral", "supported", "yarn")),
        ({"type": "spiral"}, "RLX702", ("spiral",)),
        ({"rope_type": "linear"}, "RLX703", ("linear", "'factor'")),
        ({"rope_type": "linear", "factor": "two"}, "RLX701", ("factor", "'two'")),
        ({"rope_type": "yarn", "factor": 0}, "RLX701", ("yarn", "factor")),
        ({"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0}, "RLX703", ("llama3", "high_freq_factor")),
        ({"rope_type": "longrope", "long_factor": [1.0] * 32}, "RLX703", ("longrope", "short_factor")),
        ({"rope_type": "longrope", "long_factor": [1.0] * 31, "short_factor": [1.0] * 32}, "RLX703", ("31", "32")),
    ],
)
def test_a_wrong_description_is_refused(scaling: dict[str, Any], code: str, words: tuple[str, ...]) -> None:
    with pytest.raises(RlxError) as raised:
        Rope.make(HEAD_DIM, 10000.0, scaling, context=CONTEXT)
    assert raised.value.code == code
    assert all(word in str(raised.value) for word in words), str(raised.value)


@pytest.mark.parametrize("base", [0.0, 1.0, -5.0, float("nan")])
def test_a_base_that_turns_nothing_is_refused(base: float) -> None:
    with pytest.raises(RlxError, match="RLX701"):
        Rope.make(8, base)


def test_factors_of_zero_are_refused() -> None:
    with pytest.raises(RlxError, match="RLX701"):
        Rope.make(8, 10000.0).divide([1.0, 0.0, 1.0, 1.0])


def test_an_odd_number_of_turned_numbers_is_refused() -> None:
    with pytest.raises(RlxError, match="rotates 7 elements of each head"):
        Rope.make(7, 10000.0)


@pytest.mark.parametrize(
    "rope, words",
    [
        (Rope.make(64, 1e5), "64 dims, base 100000"),
        (Rope.make(64, 1e4, interleaved=True), "64 dims, base 10000, interleaved"),
        (Rope.make(64, 1e4, {"rope_type": "linear", "factor": 2.0}), "64 dims, base 10000, scaled frequencies"),
        (Rope.make(64, 1e4, {"rope_type": "dynamic", "factor": 2.0}, context=512), "64 dims, base 10000, scaled beyond 512 tokens"),
    ],
)
def test_it_says_what_it_is(rope: Rope, words: str) -> None:
    assert str(rope) == words
