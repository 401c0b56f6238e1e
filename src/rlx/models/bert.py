"""BERT, MiniLM and similar models: post-norm encoders with learned positions, for embeddings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from rlx.models.encoder import (
    BERT_SETTINGS,
    UNUSED_HEADS,
    EncoderConfig,
    bert_names,
    encoder_from_gguf,
    encoder_from_hf,
    give_embedding,
    position_embedding,
)
from rlx.models.family import Family
from rlx.models.source import GgufSource, HfSource
from rlx.models.weights import Entry

if TYPE_CHECKING:
    from rlx.ir.value import Value
    from rlx.models.flow import Flow


def from_gguf(source: GgufSource) -> EncoderConfig:
    """Reads BERT's config from a GGUF file."""
    return EncoderConfig(**encoder_from_gguf(source))


def from_hf(source: HfSource) -> EncoderConfig:
    """Reads BERT's config from a Hugging Face folder."""
    return EncoderConfig(**encoder_from_hf(source, eps=source.number("layer_norm_eps")))


PLACE = "encoder.layer.{}"
LAYER_NAMES = {
    "blk.{}.attn_q": f"{PLACE}.attention.self.query",
    "blk.{}.attn_k": f"{PLACE}.attention.self.key",
    "blk.{}.attn_v": f"{PLACE}.attention.self.value",
    "blk.{}.attn_output": f"{PLACE}.attention.output.dense",
    "blk.{}.attn_output_norm": f"{PLACE}.attention.output.LayerNorm",
    "blk.{}.ffn_up": f"{PLACE}.intermediate.dense",
    "blk.{}.ffn_down": f"{PLACE}.output.dense",
    "blk.{}.layer_output_norm": f"{PLACE}.output.LayerNorm",
}


def hf_names(config: EncoderConfig) -> Mapping[str, Entry]:
    """Maps our BERT tensor names to Hugging Face's."""
    return bert_names(config.layers, LAYER_NAMES, token_types="embeddings.token_type_embeddings.weight")


def layer(flow: Flow, x: Value, config: EncoderConfig, bias: Value | None = None) -> Value:
    """Builds a post-norm layer: norm(x + attention(x)); norm(x + gelu layer(x))."""
    q, k, v = (flow.linear(x, f"attn_{name}", config.width) for name in "qkv")
    mixed = flow.attention_both_ways(q, k, v, heads=config.heads, head_dim=config.head_dim, bias=bias)
    x = flow.layer_norm(x + flow.linear(mixed, "attn_output", config.width), "attn_output_norm", config.eps)
    return flow.layer_norm(x + flow.ffn(x, config.activation), "layer_output_norm", config.eps)


def build(flow: Flow, config: EncoderConfig) -> None:
    """Builds BERT: embeddings of tokens, positions and the first token type, then the layers."""
    x = flow.embed(dims=(config.vocab_size, config.width)) + position_embedding(flow, config)
    if flow.has("token_types"):
        x = x + flow.embed("token_types", flow.module.constant(np.zeros((1, 1), np.int32)))
    x = flow.layer_norm(x, "token_embd_norm", config.eps)
    for _ in flow.layers(config.layers):
        x = layer(flow, x, config)
    give_embedding(flow, x, config)


SETTINGS = BERT_SETTINGS.and_also(harmless={"type_vocab_size": "texts are of the first type"})

FAMILY = Family(
    gguf=("bert",),
    hf=("BertModel", "BertForMaskedLM"),
    from_gguf=from_gguf,
    from_hf=from_hf,
    hf_names=hf_names,
    build=build,
    embeds=True,
    settings={"BertModel": SETTINGS, "BertForMaskedLM": SETTINGS},
    unused=UNUSED_HEADS,
)
