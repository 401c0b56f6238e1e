"""Llama 2 and 3, and similar models: SmolLM2, TinyLlama, Mistral with its sliding window, Mixtral with its experts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rlx.models.decoder import (
    DECODER_SETTINGS,
    DecoderConfig,
    attention,
    decoder_from_gguf,
    decoder_from_hf,
    decoder_names,
    expert_names,
)
from rlx.models.family import Family
from rlx.models.settings import COMPUTING, TRAINING
from rlx.models.weights import Entry

if TYPE_CHECKING:
    from rlx.models.flow import Flow


def hf_names(config: DecoderConfig) -> Mapping[str, Entry]:
    """Maps a decoder's tensor names to Hugging Face's, or to Mixtral's names of experts."""
    experts = expert_names(config.experts, "model.layers.{}.block_sparse_moe", "w1", "w3", "w2")
    return decoder_names(config.layers, experts if config.experts else {})


def build(flow: Flow, config: DecoderConfig) -> None:
    """Builds Llama or Mixtral: x + attention(norm(x)); x + swiglu(norm(x)), or the experts' swiglu, layer by layer."""
    x = flow.embed(dims=(config.vocab_size, config.width))
    for layer in flow.layers(config.layers):
        x = x + attention(flow, flow.rms_norm(x, "attn_norm", config.eps), config, layer)
        inner = flow.rms_norm(x, "ffn_norm", config.eps)
        if flow.has("ffn_gate_inp"):
            x = x + flow.experts(inner, config.experts_used, config.activation, normalized=config.experts_normalized)
        else:
            x = x + flow.gated_ffn(inner, config.activation)
    flow.logits(flow.rms_norm(flow.last(x), "output_norm", config.eps))


SETTINGS = {
    "LlamaForCausalLM": DECODER_SETTINGS.and_also(harmless={"pretraining_tp": COMPUTING}),
    "MistralForCausalLM": DECODER_SETTINGS.and_also("sliding_window", sliding_window=4096, num_key_value_heads=8),
    "MixtralForCausalLM": DECODER_SETTINGS.and_also(
        "sliding_window num_local_experts num_experts num_experts_per_tok",
        rope_theta=1e6,
        num_key_value_heads=8,
        num_local_experts=8,
        num_experts_per_tok=2,
        harmless={"output_router_logits": TRAINING, "router_aux_loss_coef": TRAINING, "router_jitter_noise": TRAINING},
    ),
}

FAMILY = Family(
    gguf=("llama",),
    hf=("LlamaForCausalLM", "MistralForCausalLM", "MixtralForCausalLM"),
    from_gguf=lambda source: decoder_from_gguf(source, interleaved=True),  # rows of q and k are stored in that order
    from_hf=decoder_from_hf,
    hf_names=hf_names,
    build=build,
    settings=SETTINGS,
)
