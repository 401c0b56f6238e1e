"""MPNet: BERT's layers, with a relative position bias for each head."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rlx.models.bert import from_gguf, layer
from rlx.models.encoder import (
    BERT_SETTINGS,
    UNUSED_HEADS,
    EncoderConfig,
    bert_names,
    encoder_from_hf,
    give_embedding,
    position_embedding,
)
from rlx.models.family import Family
from rlx.models.source import HfSource
from rlx.models.weights import Entry

if TYPE_CHECKING:
    from rlx.ir.value import Value
    from rlx.models.flow import Flow

FIRST_POSITION = 2  # rows 0 and 1 of the table are for padding
FARTHEST = 128  # distances beyond it share a bucket


def from_hf(source: HfSource) -> EncoderConfig:
    """Reads MPNet's config from a Hugging Face folder; two of the positions are reserved."""
    config = EncoderConfig(**encoder_from_hf(source, eps=source.number("layer_norm_eps")))
    return replace(config, context_length=min(config.context_length, source.integer("max_position_embeddings") - FIRST_POSITION))


PLACE = "encoder.layer.{}"
LAYER_NAMES = {
    **{f"blk.{{}}.attn_{name}": f"{PLACE}.attention.attn.{name}" for name in "qkv"},
    "blk.{}.attn_output": f"{PLACE}.attention.attn.o",
    "blk.{}.attn_output_norm": f"{PLACE}.attention.LayerNorm",
    "blk.{}.ffn_up": f"{PLACE}.intermediate.dense",
    "blk.{}.ffn_down": f"{PLACE}.output.dense",
    "blk.{}.layer_output_norm": f"{PLACE}.output.LayerNorm",
}


def hf_names(config: EncoderConfig) -> Mapping[str, Entry]:
    """Maps MPNet's tensor names to Hugging Face's."""
    return bert_names(config.layers, LAYER_NAMES, attn_rel_b="encoder.relative_attention_bias.weight")


def distance_bias(flow: Flow, config: EncoderConfig) -> Value:
    """The relative position bias f32[B, H, S, S] by the bucket of a key's distance; -inf for padding.

    Half of the buckets are for later keys. In each half, the first half of the buckets are single distances, the others growing
    ranges.
    """
    module, (batch, seq) = flow.module, (flow.shapes.batch, flow.shapes.seq)
    half = flow.weight("attn_rel_b", (None, config.heads)).dims[0] // 2
    single = half // 2
    away = module.iota((seq, seq), axis=1) - module.iota((seq, seq), axis=0)
    distance = module.abs(away)
    growth = (half - single) / math.log(FARTHEST / single)
    ranges = module.floor(module.log(module.max(distance, single).astype("f32") / single) * growth).astype("i32") + single
    bucket = module.where(distance < single, distance, module.min(ranges, half - 1)) + module.where(away > 0, half, 0)
    bias = flow.embed("attn_rel_b", bucket).transpose(2, 0, 1).reshape(1, config.heads, seq, seq)
    return bias + module.where(flow.real.reshape(batch, 1, 1, seq), np.float32(0), np.float32(-np.inf))


def build(flow: Flow, config: EncoderConfig) -> None:
    """Builds MPNet: embeddings of tokens and positions, then layers that share one position bias."""
    x = flow.embed(dims=(config.vocab_size, config.width)) + position_embedding(flow, config, FIRST_POSITION)
    x = flow.layer_norm(x, "token_embd_norm", config.eps)
    bias = distance_bias(flow, config)
    for _ in flow.layers(config.layers):
        x = layer(flow, x, config, bias)
    give_embedding(flow, x, config)


SETTINGS = BERT_SETTINGS.and_also(
    only={"relative_attention_num_buckets": (32,)}  # transformers computes with 32, whatever its config says
)

FAMILY = Family(
    gguf=(),  # llama.cpp has no such architecture
    hf=("MPNetModel", "MPNetForMaskedLM"),
    from_gguf=from_gguf,
    from_hf=from_hf,
    hf_names=hf_names,
    build=build,
    embeds=True,
    settings={"MPNetModel": SETTINGS, "MPNetForMaskedLM": SETTINGS},
    unused=UNUSED_HEADS,
)
