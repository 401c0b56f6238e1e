"""Qwen2 and 2.5 (q, k and v have a bias), Qwen3 (q and k norms), Qwen3-MoE: otherwise like Llama, and the file says which."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace

from rlx.models.decoder import DECODER_SETTINGS, DecoderConfig, decoder_from_gguf, decoder_from_hf, decoder_names, expert_names
from rlx.models.family import Family
from rlx.models.llama import build
from rlx.models.settings import TENSORS, TRAINING
from rlx.models.source import GgufSource, HfSource
from rlx.models.weights import Entry


def from_gguf(source: GgufSource) -> DecoderConfig:
    """Reads Qwen's config from a GGUF file. llama.cpp ignores a sliding window: so does RLX, with a warning."""
    base = decoder_from_gguf(source)
    if base.window:
        key = f"{source.architecture}.attention.sliding_window={base.window}"
        warnings.warn(f"rlx: {source.path}: settings without effect in this architecture: {key}", stacklevel=4)
    return replace(base, window=None)


def from_hf(source: HfSource) -> DecoderConfig:
    """Reads Qwen's config; sliding window and normalization of expert weights only if the settings enable them."""
    base = decoder_from_hf(source)
    window = base.window if source.get("use_sliding_window", False) else None
    return replace(base, window=window, experts_normalized=bool(source.get("norm_topk_prob", False)))


def hf_names(config: DecoderConfig) -> Mapping[str, Entry]:
    """Maps Qwen's tensor names: a decoder's, and a layer's experts."""
    experts = expert_names(config.experts, "model.layers.{}.mlp", "gate_proj", "up_proj", "down_proj")
    return decoder_names(config.layers, experts if config.experts else {})


WINDOWS = DECODER_SETTINGS.and_also("use_sliding_window sliding_window", use_sliding_window=False, sliding_window=4096)
SETTINGS = {
    "Qwen2ForCausalLM": WINDOWS.and_also("layer_types max_window_layers", max_window_layers=28, num_key_value_heads=32),
    "Qwen3ForCausalLM": WINDOWS.and_also(
        "layer_types max_window_layers", max_window_layers=28, num_key_value_heads=32, head_dim=128
    ),
    "Qwen3MoeForCausalLM": WINDOWS.and_also(
        "num_experts num_local_experts num_experts_per_tok norm_topk_prob",
        num_experts_per_tok=8,
        num_key_value_heads=4,
        harmless={
            "moe_intermediate_size": TENSORS,
            "decoder_sparse_step": TENSORS,
            "mlp_only_layers": TENSORS,
            "max_window_layers": "has none",
            "output_router_logits": TRAINING,
            "router_aux_loss_coef": TRAINING,
        },
    ),
}

FAMILY = Family(
    gguf=("qwen2", "qwen3", "qwen3moe"),
    hf=("Qwen2ForCausalLM", "Qwen3ForCausalLM", "Qwen3MoeForCausalLM"),
    from_gguf=from_gguf,
    from_hf=from_hf,
    hf_names=hf_names,
    build=build,
    settings=SETTINGS,
)
