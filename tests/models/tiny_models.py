"""Tiny random models of each family, made and run by transformers: the oracle of the families."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
import transformers

torch.set_num_threads(1)  # models this small are slower on more
Array = npt.NDArray[Any]
VOCABULARY, CONTEXT = 96, 64
BASE: dict[str, Any] = {
    "vocab_size": VOCABULARY,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": CONTEXT,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 0,
}


def _rope(kind: str, **more: Any) -> dict[str, Any]:
    return {"rope_parameters": {"rope_theta": 10000.0, "rope_type": kind, **more}}


LLAMA3 = _rope("llama3", factor=4.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=24)
SHORT, LONG = [1.0, 1.5, 1.2, 1.1, 2.0, 1.3], [2.0, 3.0, 1.7, 5.0, 2.5, 4.0]
LONGROPE = _rope("longrope", short_factor=SHORT, long_factor=LONG, partial_rotary_factor=0.75)
GEMMA3_ROPE = {
    "full_attention": {"rope_theta": 50000.0, "rope_type": "linear", "factor": 2.0},
    "sliding_attention": {"rope_theta": 10000.0, "rope_type": "default"},
}
LOCAL, GLOBAL = "sliding_attention", "full_attention"
BIASES = {"attention_bias": True, "mlp_bias": True}
ODD = {"num_attention_heads": 3, "num_key_value_heads": 1, "hidden_size": 60, "head_dim": 20, "intermediate_size": 77}
EXPERTS = {"head_dim": 16, "moe_intermediate_size": 32, "num_experts": 6}

# name → the settings of transformers; the trained contexts are so short that the tests go beyond them
CONFIGS: dict[str, tuple[str, dict[str, Any]]] = {
    "llama": ("LlamaConfig", LLAMA3),
    "llama tied, linear": ("LlamaConfig", {"tie_word_embeddings": True, **BIASES, **ODD, **_rope("linear", factor=2.0)}),
    "llama dynamic": ("LlamaConfig", {"max_position_embeddings": 16, **_rope("dynamic", factor=2.0)}),
    "mistral": ("MistralConfig", {"sliding_window": 8}),
    "mixtral": ("MixtralConfig", {"num_local_experts": 5, "num_experts_per_tok": 2}),
    "qwen2": ("Qwen2Config", _rope("yarn", factor=4.0, original_max_position_embeddings=16)),
    "qwen2 windows": ("Qwen2Config", {"use_sliding_window": True, "sliding_window": 8, "max_window_layers": 1}),
    "qwen3": ("Qwen3Config", {"head_dim": 32}),
    "qwen3moe": ("Qwen3MoeConfig", {**EXPERTS, "num_experts_per_tok": 3, "norm_topk_prob": True}),
    "qwen3moe, one dense layer": (
        "Qwen3MoeConfig",
        {**EXPERTS, "num_experts_per_tok": 2, "norm_topk_prob": False, "mlp_only_layers": [0]},
    ),
    "gemma": ("GemmaConfig", {"head_dim": 32}),
    "gemma2": ("Gemma2Config", {"head_dim": 32, "query_pre_attn_scalar": 32, "sliding_window": 8, "attn_logit_softcapping": 5.0}),
    "gemma3": (
        "Gemma3TextConfig",
        {
            "num_hidden_layers": 3,
            "head_dim": 32,
            "query_pre_attn_scalar": 32,
            "sliding_window": 8,
            "layer_types": [LOCAL, LOCAL, GLOBAL],
            "rope_parameters": GEMMA3_ROPE,
        },
    ),
    "phi3": ("Phi3Config", {"original_max_position_embeddings": 24, **LONGROPE}),
    "gpt2": ("GPT2Config", {"n_embd": 64, "n_layer": 2, "n_head": 4, "n_positions": CONTEXT}),
}


@cache
def reference(name: str) -> Any:
    """transformers' model with random weights, biases and norms, in f32."""
    kind, more = CONFIGS[name]
    base = {key: value for key, value in BASE.items() if kind != "GPT2Config" or "token" in key or key == "vocab_size"}
    settings = {**base, **more}
    config = getattr(transformers, kind)(**copy.deepcopy(settings), attn_implementation="eager")
    model = transformers.AutoModelForCausalLM.from_config(config, attn_implementation="eager").eval()
    generator = torch.Generator().manual_seed(sum(map(ord, name)))
    with torch.no_grad():
        for place, parameter in model.named_parameters():
            numbers = torch.randn(parameter.shape, generator=generator)
            if parameter.ndim == 1:
                parameter += 0.2 * numbers
            else:
                parameter.copy_(numbers * (1.0 if "embed" in place or "wte" in place else 1.5 / parameter.shape[-1] ** 0.5))
    return model


def save(name: str, folder: Path, dtype: torch.dtype = torch.float32) -> Path:
    """A Hugging Face folder."""
    model = reference(name)
    (model if dtype == torch.float32 else copy.deepcopy(model).to(dtype)).save_pretrained(folder)
    return folder


def token_ids(rows: int, length: int, seed: int = 0) -> npt.NDArray[np.int32]:
    return np.random.default_rng(seed).integers(3, VOCABULARY, (rows, length)).astype(np.int32)


def logits(model: Any, row: Sequence[int] | Array, chunks: Sequence[int]) -> Array:
    """Of every token of one row, which is fed in chunks of so many tokens, each after the keys of those before."""
    ids, found, past, place = (torch.tensor(np.asarray(row, np.int64))[None], [], transformers.DynamicCache(config=model.config), 0)
    with torch.no_grad():
        model(ids[:, :1])  # forgets how long the rows before this one were: a dynamic rope remembers
        for size in chunks:
            positions = torch.arange(place, place + size)[None]
            result = model(ids[:, place : place + size], past_key_values=past, position_ids=positions, use_cache=True)
            found.append(result.logits[0].float().numpy())
            place += size
    return np.concatenate(found)
