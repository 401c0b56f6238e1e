"""ModernBERT: a pre-norm encoder with RoPE, gated feed-forward layers, and local attention in two of three layers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rlx.core.errors import RlxError
from rlx.models.decoder import ACTIVATIONS
from rlx.models.encoder import (
    ENCODER_SETTINGS,
    UNUSED_HEADS,
    EncoderConfig,
    encoder_from_gguf,
    encoder_from_hf,
    give_embedding,
    with_bias,
)
from rlx.models.family import Family
from rlx.models.rope import Rope
from rlx.models.settings import COMPUTING, HEADS, TENSORS, TRAINING
from rlx.models.source import GgufSource, HfSource
from rlx.models.weights import Entry, per_layer

if TYPE_CHECKING:
    from rlx.ir.value import Value
    from rlx.models.flow import Flow


@dataclass(frozen=True)
class ModernBertConfig(EncoderConfig):
    """The config of ModernBERT: in local layers, a token sees those up to half a `window` away."""

    rope: Rope
    local_rope: Rope
    window: int
    local: tuple[bool, ...]

    def __post_init__(self) -> None:
        """Checks that each layer has a kind."""
        super().__post_init__()
        if len(self.local) != self.layers:
            message = f"{self.architecture}: kinds for {len(self.local)} of {self.layers} layers"
            raise RlxError("RLX701", message, at=None)


def from_gguf(source: GgufSource) -> ModernBertConfig:
    """Reads ModernBERT's config from a GGUF file."""
    shared, base = encoder_from_gguf(source), source.number("rope.freq_base")
    size = shared["width"] // max(shared["heads"], 1)
    return ModernBertConfig(
        **shared,
        rope=Rope.make(size, base),
        local_rope=Rope.make(size, source.number("rope.freq_base_swa", base)),
        window=source.integer("attention.sliding_window"),
        local=_each(shared["layers"], source.integer("attention.sliding_window_pattern", 3)),
    )


def from_hf(source: HfSource) -> ModernBertConfig:
    """Reads ModernBERT's config from a Hugging Face folder: RoPE by kind of layer, or in older files one base for each kind."""
    activation = source.choice("hidden_activation", ACTIVATIONS, "gelu")
    shared = {**encoder_from_hf(source, eps=source.number("norm_eps")), "activation": activation}
    size, kinds = shared["width"] // max(shared["heads"], 1), source.get("layer_types", None)
    every = source.integer("global_attn_every_n_layers", 3)
    local = _each(shared["layers"], every) if kinds is None else tuple(kind == "sliding_attention" for kind in kinds)

    def rope(kind: str, key: str, usual: float) -> Rope:
        settings = source.get("rope_parameters", {}).get(kind) or {}
        return Rope.make(
            size, float(settings.get("rope_theta") or source.number(key, usual)), settings, context=shared["context_length"]
        )

    return ModernBertConfig(
        **shared,
        rope=rope("full_attention", "global_rope_theta", 160000.0),
        window=source.integer("local_attention"),
        local=local,
        local_rope=rope("sliding_attention", "local_rope_theta", 10000.0),
    )


def _each(layers: int, every: int) -> tuple[bool, ...]:
    """Marks all layers local except the first, and each `every`th after it."""
    return tuple(number % max(every, 1) != 0 for number in range(layers))


LAYER_NAMES = {
    "blk.{}.attn_norm": "layers.{}.attn_norm",
    "blk.{}.attn_qkv": "layers.{}.attn.Wqkv",
    "blk.{}.attn_output": "layers.{}.attn.Wo",
    "blk.{}.ffn_norm": "layers.{}.mlp_norm",
    "blk.{}.ffn_up": "layers.{}.mlp.Wi",
    "blk.{}.ffn_down": "layers.{}.mlp.Wo",
}
END_NAMES = {"token_embd": "embeddings.tok_embeddings", "token_embd_norm": "embeddings.norm", "output_norm": "final_norm"}


def hf_names(config: ModernBertConfig) -> Mapping[str, Entry]:
    """Maps ModernBERT's tensor names to Hugging Face's."""
    return {**with_bias(END_NAMES), **per_layer(config.layers, with_bias(LAYER_NAMES))}


def near(flow: Flow, config: ModernBertConfig) -> Value:
    """The mask bias of local layers, f32[B, 1, S, S]: 0 for real keys inside the window, else -inf."""
    module, (batch, seq) = flow.module, (flow.shapes.batch, flow.shapes.seq)
    distance = module.abs(module.iota((seq, seq), axis=1) - module.iota((seq, seq), axis=0))
    seen = flow.real.reshape(batch, 1, 1, seq) & (distance.reshape(1, 1, seq, seq) <= config.window // 2)
    return module.where(seen, np.float32(0), np.float32(-np.inf))


def attention(flow: Flow, x: Value, config: ModernBertConfig, bias: Value | None) -> Value:
    """Builds attention to all tokens, or with a bias to those inside the window."""
    q, k, v = flow.linear_parts(x, "attn_qkv", (config.width,) * 3)
    q, k = (flow.rope(part, config.rope if bias is None else config.local_rope, config.head_dim) for part in (q, k))
    mixed = flow.attention_both_ways(q, k, v, heads=config.heads, head_dim=config.head_dim, bias=bias)
    return flow.linear(mixed, "attn_output", config.width)


def build(flow: Flow, config: ModernBertConfig) -> None:
    """Builds ModernBERT: x + attention(norm(x)); x + geglu(norm(x)); the first layer's input is already normalized."""
    x = flow.layer_norm(flow.embed(dims=(config.vocab_size, config.width)), "token_embd_norm", config.eps)
    bias = near(flow, config) if any(config.local) else None
    for number in flow.layers(config.layers):
        inner = flow.layer_norm(x, "attn_norm", config.eps) if flow.has("attn_norm") else x
        x = x + attention(flow, inner, config, bias if config.local[number] else None)
        x = x + flow.gated_ffn(flow.layer_norm(x, "ffn_norm", config.eps), config.activation)
    give_embedding(flow, flow.layer_norm(x, "output_norm", config.eps), config)


SETTINGS = ENCODER_SETTINGS.and_also(
    "hidden_activation norm_eps layer_types global_attn_every_n_layers rope_parameters global_rope_theta local_rope_theta local_attention",
    harmless={
        "norm_bias": TENSORS,
        "attention_bias": TENSORS,
        "mlp_bias": TENSORS,
        "initializer_cutoff_factor": TRAINING,
        "embedding_dropout": TRAINING,
        "mlp_dropout": TRAINING,
        "sparse_prediction": TRAINING,
        "sparse_pred_ignore_index": TRAINING,
        "decoder_bias": HEADS,
        "classifier_pooling": HEADS,
        "classifier_bias": HEADS,
        "classifier_activation": HEADS,
        "cls_token_id": "the tokenizer's files say it",
        "sep_token_id": "the tokenizer's files say it",
        "layer_norm_eps": "norm_eps is used",
        "deterministic_flash_attn": COMPUTING,
        "reference_compile": COMPUTING,
        "repad_logits_with_grad": COMPUTING,
        "position_embedding_type": "always RoPE",
    },
    only={"rope_scaling": (None,)},
)

FAMILY = Family(
    gguf=("modern-bert",),
    hf=("ModernBertModel", "ModernBertForMaskedLM"),
    from_gguf=from_gguf,
    from_hf=from_hf,
    hf_names=hf_names,
    build=build,
    embeds=True,
    settings={"ModernBertModel": SETTINGS, "ModernBertForMaskedLM": SETTINGS},
    unused=UNUSED_HEADS,
)
