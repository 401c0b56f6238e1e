"""Every field of every family's config changed, one at a time: the model is transformers' then too, or the field is refused by name.

`make test` runs a sample, `--long` all of them.
"""

from __future__ import annotations

import copy
import functools
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch
import transformers

import rlx
from rlx.core.errors import RlxError
from rlx.generate import Runner
from rlx.models.family import MODULES, Family

Array = npt.NDArray[Any]
TOLERANCE = 2e-3  # of the largest logit, or of a vector's length
ROWS = [np.random.default_rng(length).integers(3, 96, length).tolist() for length in (40, 7)]
SAMPLE, SEED = 14, 32
SMALL: dict[str, Any] = {
    "vocab_size": 96,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "max_position_embeddings": 64,
    "pad_token_id": 0,
}
GROUPED: dict[str, Any] = {**SMALL, "num_key_value_heads": 2, "head_dim": 8}
EXPERTS: dict[str, Any] = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 24}
DELTA: dict[str, Any] = {
    "num_hidden_layers": 4,
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 4,
    "linear_key_head_dim": 8,
    "linear_value_head_dim": 8,
}
LAYERS = {"layer_types": ["sliding_attention", "full_attention", "sliding_attention"]}
FAMILIES: dict[str, tuple[str, dict[str, Any]]] = {  # name → transformers' model_type, settings
    "llama": ("llama", GROUPED),
    "mistral": ("mistral", {**GROUPED, "sliding_window": 8}),
    "mixtral": ("mixtral", {**GROUPED, "num_local_experts": 4, "num_experts_per_tok": 2}),
    "qwen2": ("qwen2", {**SMALL, "num_key_value_heads": 2, "use_sliding_window": True, "sliding_window": 8, "max_window_layers": 1}),
    "qwen3": ("qwen3", GROUPED),
    "qwen3_moe": ("qwen3_moe", {**GROUPED, **EXPERTS, "norm_topk_prob": True}),
    "qwen3_5": ("qwen3_5_text", {**GROUPED, **DELTA}),
    "qwen3_5_moe": ("qwen3_5_moe_text", {**GROUPED, **DELTA, **EXPERTS, "shared_expert_intermediate_size": 24}),
    "gemma": ("gemma", GROUPED),
    "gemma2": ("gemma2", {**GROUPED, "sliding_window": 8, "query_pre_attn_scalar": 12}),
    "gemma3": ("gemma3_text", {**GROUPED, "num_hidden_layers": 3, "sliding_window": 8, "query_pre_attn_scalar": 12, **LAYERS}),
    "phi3": ("phi3", {**SMALL, "num_key_value_heads": 2, "sliding_window": 8}),
    "gpt2": ("gpt2", {"vocab_size": 96, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64}),
    "mamba": ("mamba", {"vocab_size": 96, "hidden_size": 32, "num_hidden_layers": 2, "state_size": 4}),
    "bert": ("bert", SMALL),
    "mpnet": ("mpnet", {**SMALL, "pad_token_id": 1}),
    "modernbert": ("modernbert", {**SMALL, "num_hidden_layers": 3, "local_attention": 10}),
}  # fmt: skip
SAYS = {  # words of a refusal that mean a field
    **dict.fromkeys(("max_position_embeddings", "n_positions"), ("was trained on 1", "the model takes 1"))
}
ENCODERS = ("bert", "mpnet", "modernbert")
NAMES = {  # what says who made a file, or what a caller of transformers gets beside the numbers
    *("architectures", "model_type", "transformers_version", "dtype", "torch_dtype", "_name_or_path", "name_or_path"),
    *("id2label", "label2id", "num_labels", "problem_type", "return_dict", "output_hidden_states", "output_attentions"),
    *("chunk_size_feed_forward", "is_encoder_decoder", "bos_token_id", "eos_token_id", "cls_token_id", "sep_token_id"),
}
ACTIVATIONS = ("gelu", "relu", "silu", "gelu_pytorch_tanh", "gelu_new", "relu2", "tanh")
ROPES: tuple[dict[str, Any], ...] = (
    {"rope_theta": 500.0},
    {"partial_rotary_factor": 0.5},
    {"rope_type": "linear", "factor": 3.0},
    {"rope_type": "dynamic", "factor": 3.0},
    {"rope_type": "yarn", "factor": 3.0, "original_max_position_embeddings": 16, "beta_fast": 8},
    {"rope_type": "yarn", "factor": 3.0, "original_max_position_embeddings": 16, "attention_factor": 0.8},
    {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 16},
    {"rope_type": "linear", "factor": 3.0, "partial_rotary_factor": 0.5},
    {"rope_type": "proportional", "factor": 2.0},
)  # fmt: skip


def other_values(name: str, value: Any) -> list[Any]:
    """What a field may be instead."""
    match value:
        case bool():
            return [not value]
        case int():
            return [value * 2 if value else 3, 1 if value != 1 else 3]
        case float():
            return [value * 1.7 + 0.03]
        case str():
            return [one for one in ACTIVATIONS if one != value] if "act" in name else ["something else"]
        case None:
            return [True, 4, 0.7]
        case [_, *_]:
            return [value[::-1]] if value[::-1] != value else []
        case []:
            return [[0]]
        case dict() if "rope_theta" in value:
            return [{**value, **rope} for rope in ROPES]
        case dict():
            return [{**value, key: other} for key, inner in value.items() for other in other_values(key, inner)]
    return []


@dataclass(frozen=True)
class Case:
    """One field of one family with another value."""

    family: str
    field: str
    value: str  # as JSON

    @property
    def label(self) -> str:
        value, own = json.loads(self.value), fields_of(self.family).get(self.field)
        if isinstance(value, dict) and isinstance(own, dict):
            value = {key: each for key, each in value.items() if each != own.get(key)}
        return re.sub(r"[^\w.,:=-]+", "_", f"{self.family}-{self.field}={json.dumps(value)}")


@functools.cache
def fields_of(family: str) -> dict[str, Any]:
    kind, settings = FAMILIES[family]
    return transformers.AutoConfig.for_model(kind, **copy.deepcopy(settings)).to_dict()


@functools.cache
def foreign_values() -> dict[str, Any]:
    """Another value of each field that some family of RLX reads."""
    families: list[Family] = [import_module(f"rlx.models.{name}").FAMILY for name in MODULES]
    read = {field for family in families for settings in family.settings.values() for field in settings.read}
    found: dict[str, Any] = {}
    for family in FAMILIES:
        for field, value in fields_of(family).items():
            if field in read:
                found.update((field, other) for other in other_values(field, value)[:1])
    return found


def cases() -> Iterator[Case]:
    """All fields of a class with all their values, and one value of each field that only other families have."""
    for family, (kind, _) in FAMILIES.items():
        own = fields_of(family)
        for field, value in own.items():
            if field not in NAMES and not field.startswith("_"):
                for other in other_values(field, value):
                    yield Case(family, field, json.dumps(other))
        known = {*own, *transformers.AutoConfig.for_model(kind).attribute_map}
        for field, other in foreign_values().items():
            if field not in known:
                yield Case(family, field, json.dumps(other))


CASES = list(cases())
CHOSEN = set(random.Random(SEED).sample(CASES, SAMPLE))
EACH = [pytest.param(case, id=case.label, marks=() if case in CHOSEN else pytest.mark.long) for case in CASES]


def made(family: str, folder: Path, **changed: Any) -> Any:
    """transformers' model with random weights, saved."""
    kind, settings = FAMILIES[family]
    config = transformers.AutoConfig.for_model(kind, **copy.deepcopy({**settings, **changed}))
    maker = transformers.AutoModel if family in ENCODERS else transformers.AutoModelForCausalLM
    torch.manual_seed(0)
    model = maker.from_config(config, attn_implementation="eager").float().eval()
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            numbers = torch.randn(parameter.shape, generator=generator)
            if parameter.ndim > 1 and "A_log" not in name:
                parameter.copy_(numbers * 0.2)
            else:
                parameter += 0.1 * numbers
    model.save_pretrained(folder)
    return model


def expected_of(family: str, model: Any) -> list[Array]:
    """The logits of each row, or its vector: the mean of all tokens, of length 1."""
    found = []
    with torch.no_grad():
        for row in ROWS:
            ids = torch.tensor([row])
            if family in ENCODERS:
                mean = model(ids).last_hidden_state[0].mean(0)
                found.append((mean / mean.norm()).numpy())
            else:
                found.append(model(ids, use_cache=False).logits[0].float().numpy())
    return found


def found_of(family: str, folder: Path) -> list[Array]:
    model = rlx.load_model(folder, device="reference")
    if family in ENCODERS:
        return list(model.embed(ROWS))
    return Runner(model, batch=len(ROWS), capacity=len(ROWS[0])).score(ROWS)


def error_of(found: list[Array], expected: list[Array]) -> float:
    return max(
        float(np.abs(np.asarray(one)[..., : other.shape[-1]] - other).max() / np.abs(other).max())
        for one, other in zip(found, expected, strict=True)
    )


def changed_names(value: Any, own: Any) -> set[str]:
    """The keys that differ, of a field that has parts."""
    if not isinstance(value, dict) or not isinstance(own, dict):
        return set()
    changed = {key for key in value if value[key] != own.get(key)}
    return changed.union(*(changed_names(value[key], own.get(key)) for key in changed))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", EACH)
def test_a_changed_field_is_obeyed_or_refused_by_name(case: Case, tmp_path: Path) -> None:
    value = json.loads(case.value)
    expected: list[Array] = []
    try:
        expected = expected_of(case.family, made(case.family, tmp_path, **{case.field: value}))
    except Exception as error:  # transformers' own checks raise anything
        reason = f"transformers: {type(error).__name__}: {str(error)[:80]}"
    else:
        reason = "" if all(np.isfinite(one).all() for one in expected) else "transformers computes NaN"
    if reason:
        pytest.skip(reason)
    try:
        found = found_of(case.family, tmp_path)
    except RlxError as error:
        said = {case.field, *changed_names(value, fields_of(case.family).get(case.field)), *SAYS.get(case.field, ())}
        assert any(words in str(error) for words in said), f"refused, but not by name: {error}"
        return
    assert error_of(found, expected) < TOLERANCE
