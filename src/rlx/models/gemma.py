"""Gemma 1, 2 and 3 (text): embeddings times √width, norms before and after attention and feed-forward, local and global layers.

Gemma 2 soft-caps scores and logits with tanh; Gemma 3 normalizes q and k instead, and its local layers have their own RoPE.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rlx.models.decoder import (
    DECODER_SETTINGS,
    DecoderConfig,
    attention,
    decoder_from_gguf,
    decoder_from_hf,
    decoder_names,
    rotary_dims,
)
from rlx.models.family import Family
from rlx.models.rope import Rope
from rlx.models.settings import Settings
from rlx.models.source import GgufSource, HfSource
from rlx.models.weights import Entry, Mapped, per_layer

if TYPE_CHECKING:
    from rlx.ir.value import Value
    from rlx.models.flow import Flow

PERIODS = {"gemma2": 2, "gemma3": 6}  # the last layer of each such period is global
LOCAL_BASE = 10000.0
GEMMA2_WINDOW = 4096
SCALED_BY_WIDTH = {("gemma2", 46), ("gemma3", 62)}  # the 27B models, by layer count: scores are divided by √(width ÷ heads)


@dataclass(frozen=True)
class GemmaConfig(DecoderConfig):
    """The config of Gemma: a decoder's with fields of its own."""

    local_rope: Rope | None = None
    score_scale: float = 1.0
    score_cap: float = 0.0  # 0: none
    logit_cap: float = 0.0


# -- from files -----------------------------------------------------------------------------------------------------
def from_gguf(source: GgufSource) -> GemmaConfig:
    """Reads Gemma's config from a GGUF file; without a pattern of windows, the version decides which layers are global."""
    base, version = decoder_from_gguf(source), source.architecture
    divisor = base.width / base.heads if (version, base.layers) in SCALED_BY_WIDTH else base.head_dim
    local_base = source.number("rope.freq_base_swa", LOCAL_BASE)
    pattern = source.get("attention.sliding_window_pattern", None)  # a period, or which layers are local
    if isinstance(pattern, np.ndarray):
        local = tuple(bool(kind) for kind in pattern)
    else:
        local = _periodic(base.layers, source.integer("attention.sliding_window_pattern", PERIODS.get(version, 1)))
    if version == "gemma2" and source.get("attention.sliding_window", None) is None:
        base = replace(base, window=GEMMA2_WINDOW)  # the first files lack the key
    return GemmaConfig(
        **vars(replace(base, activation="gelu_approx", local=local)),
        local_rope=Rope.make(base.rope.dims, local_base) if version == "gemma3" else None,
        score_scale=divisor**-0.5,
        score_cap=source.number("attn_logit_softcapping", 0.0) if version == "gemma2" else 0.0,
        logit_cap=source.number("final_logit_softcapping", 0.0),
    )


def from_hf(source: HfSource) -> GemmaConfig:
    """Reads Gemma's config from a Hugging Face folder: RoPE per kind of layer, or in older files one, and a base for local layers."""
    version = str(source.get("model_type")).removesuffix("_text")
    ropes: Mapping[str, Any] = source.rope_settings
    if "full_attention" in ropes:
        everywhere, locally = ropes["full_attention"], ropes.get("sliding_attention")
    else:
        everywhere, locally = ropes, {"rope_theta": source.number("rope_local_base_freq", LOCAL_BASE)}
    base = decoder_from_hf(source, everywhere)
    local = base.local
    if base.window and source.get("layer_types", None) is None:
        local = _periodic(base.layers, source.integer("sliding_window_pattern", PERIODS.get(version, 1)))
    local_rope = None
    if version == "gemma3" and locally is not None:
        local_rope = Rope.make(
            rotary_dims(source, locally, base.head_dim, partial=False),
            Rope.setting(locally, "rope_theta", LOCAL_BASE),
            locally,
            context=base.context_length,
        )
    return GemmaConfig(
        **vars(replace(base, local=local, activation="gelu_approx")),
        local_rope=local_rope,
        score_scale=max(source.integer("query_pre_attn_scalar", base.head_dim), 1) ** -0.5,
        score_cap=source.number("attn_logit_softcapping", 0.0) if version == "gemma2" else 0.0,
        logit_cap=source.number("final_logit_softcapping", 0.0),
    )


def _periodic(layers: int, period: int) -> tuple[bool, ...]:
    """Marks all layers local except the last of each period."""
    return tuple(layer % max(period, 1) != period - 1 for layer in range(layers))


def hf_names(config: GemmaConfig) -> Mapping[str, Entry]:
    """Maps Gemma's tensor names: the decoder's and two more norms. The file stores every γ minus 1."""
    norms = {
        "attn_norm": "input_layernorm",
        "attn_q_norm": "self_attn.q_norm",
        "attn_k_norm": "self_attn.k_norm",
        "post_attention_norm": "post_attention_layernorm",
        "ffn_norm": "pre_feedforward_layernorm",
        "post_ffw_norm": "post_feedforward_layernorm",
    }
    if config.architecture == "GemmaForCausalLM":
        norms = {"attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm"}
    centred = {f"blk.{{}}.{ours}": _add_one(f"model.layers.{{}}.{theirs}.weight") for ours, theirs in norms.items()}
    return {**decoder_names(config.layers), **per_layer(config.layers, centred), "output_norm": _add_one("model.norm.weight")}


def _add_one(name: str) -> Mapped:
    return Mapped(name, lambda gamma: gamma + 1)


# -- the model ------------------------------------------------------------------------------------------------------
def build(flow: Flow, config: GemmaConfig) -> None:
    """Builds Gemma: x + norm(attention(norm(x))); x + norm(ffn(norm(x))), layer by layer; Gemma 1 has no norms after."""

    def normed(x: Value, name: str) -> Value:
        return flow.rms_norm(x, name, config.eps) if flow.has(name) else x

    x = flow.embed(dims=(config.vocab_size, config.width)) * math.sqrt(config.width)
    for layer in flow.layers(config.layers):
        rope = config.local_rope if config.window_of(layer) else None
        inner = flow.rms_norm(x, "attn_norm", config.eps)
        mixed = attention(flow, inner, config, layer, rope=rope, scale=config.score_scale, softcap=config.score_cap or None)
        x = x + normed(mixed, "post_attention_norm")
        x = x + normed(flow.gated_ffn(flow.rms_norm(x, "ffn_norm", config.eps), config.activation), "post_ffw_norm")
    flow.logits(flow.rms_norm(flow.last(x), "output_norm", config.eps), softcap=config.logit_cap or None)


TANH = ("gelu_pytorch_tanh",)
IMAGES = "for images, which are not supported"
SHARED = Settings.of("model_type").and_also(" ".join(DECODER_SETTINGS.read - {"hidden_act"}), harmless=DECODER_SETTINGS.harmless)
CAUSAL = SHARED.and_also(only={"use_bidirectional_attention": (False,)})
SANDWICH = CAUSAL.and_also(
    "query_pre_attn_scalar sliding_window layer_types final_logit_softcapping",
    only={"hidden_activation": TANH, "hidden_act": (*TANH, "gelu")},
    head_dim=256,
    query_pre_attn_scalar=256,
    sliding_window=GEMMA2_WINDOW,
)
GEMMA3 = SANDWICH.and_also(
    "rope_local_base_freq sliding_window_pattern",
    harmless={"_sliding_window_pattern": "layer_types says it"},
    unused="attn_logit_softcapping",
    rope_theta=1e6,
    num_attention_heads=8,
    num_key_value_heads=4,
    vocab_size=262208,
    rms_norm_eps=1e-6,
    max_position_embeddings=131072,
)
SETTINGS = {
    "GemmaForCausalLM": CAUSAL.and_also(
        only={"hidden_act": (*TANH, "gelu"), "hidden_activation": TANH},  # "gelu" means tanh in these files
        head_dim=256,
        num_key_value_heads=16,
    ),
    "Gemma2ForCausalLM": SANDWICH.and_also(
        "attn_logit_softcapping", attn_logit_softcapping=50.0, final_logit_softcapping=30.0, num_key_value_heads=4
    ),
    "Gemma3ForCausalLM": GEMMA3,
    "Gemma3ForConditionalGeneration": GEMMA3.and_also(
        harmless={
            "text_config": "its fields are read",
            "vision_config": IMAGES,
            "mm_tokens_per_image": IMAGES,
            **{f"{kind}_token_{ending}": IMAGES for kind in ("boi", "eoi", "image") for ending in ("index", "id")},
        }
    ),
}

FAMILY = Family(
    gguf=("gemma", "gemma2", "gemma3"),
    hf=("GemmaForCausalLM", "Gemma2ForCausalLM", "Gemma3ForCausalLM", "Gemma3ForConditionalGeneration"),
    from_gguf=from_gguf,
    from_hf=from_hf,
    hf_names=hf_names,
    build=build,
    settings=SETTINGS,
    unused={r"^(model\.)?(vision_tower|multi_modal_projector)\.": IMAGES},
)
