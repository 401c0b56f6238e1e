"""Phi-3 and Phi-4-mini: q, k and v are one matrix, as are gate and up; RoPE with two lists of factors (longrope)."""

from __future__ import annotations

from collections.abc import Mapping

from rlx.models.decoder import DECODER_SETTINGS, DecoderConfig, decoder_from_gguf, decoder_from_hf, decoder_names
from rlx.models.family import Family
from rlx.models.llama import build
from rlx.models.settings import TRAINING
from rlx.models.weights import Entry


def hf_names(config: DecoderConfig) -> Mapping[str, Entry]:
    """Maps Phi-3's tensor names: a decoder's, with gate and up concatenated as `ffn_up`, as in GGUF files."""
    joined = {"attn_qkv": "self_attn.qkv_proj", "ffn_up": "mlp.gate_up_proj"}
    return decoder_names(
        config.layers, {f"blk.{{}}.{ours}": f"model.layers.{{}}.{theirs}.weight" for ours, theirs in joined.items()}
    )


SETTINGS = DECODER_SETTINGS.and_also(
    "sliding_window original_max_position_embeddings",
    original_max_position_embeddings=4096,
    harmless={"resid_pdrop": TRAINING, "embd_pdrop": TRAINING},
    only={"full_attn_mod": (1,), "interpolate_factor": (1,), "lm_head_bias": (False,)},  # of Phi-4-mini
)

FAMILY = Family(
    gguf=("phi3",),
    hf=("Phi3ForCausalLM",),
    from_gguf=decoder_from_gguf,
    from_hf=lambda source: decoder_from_hf(source, partial=True),
    hf_names=hf_names,
    build=build,
    settings={"Phi3ForCausalLM": SETTINGS},
)
