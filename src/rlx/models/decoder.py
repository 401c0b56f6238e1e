"""Shared by decoders: settings in both formats, tensor names, and attention with RoPE."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rlx.core.errors import RlxError
from rlx.models.family import Config
from rlx.models.rope import Rope
from rlx.models.settings import TENSORS, Settings
from rlx.models.source import GgufSource, HfSource
from rlx.models.weights import Entry, Joined, per_layer

if TYPE_CHECKING:
    from rlx.ir.value import Value
    from rlx.models.flow import Flow

ACTIVATIONS = {  # Hugging Face's names
    "silu": "silu",
    "swish": "silu",
    "gelu": "gelu",
    "gelu_new": "gelu_approx",
    "gelu_pytorch_tanh": "gelu_approx",
    "relu": "relu",
}
MOST_EXPERTS = 1 << 17


@dataclass(frozen=True)
class DecoderConfig(Config):
    """The config of a decoder with attention and gated feed-forward layers."""

    heads: int
    kv_heads: int
    head_dim: int
    eps: float
    rope: Rope
    window: int | None = None
    local: tuple[bool, ...] = ()  # which layers have the sliding window; empty: all
    activation: str = "silu"
    experts: int = 0  # in a layer; 0: no layer has experts
    experts_used: int = 0
    experts_normalized: bool = True  # the weights of the selected experts sum to 1

    def __post_init__(self) -> None:
        """Checks that the heads divide into equal groups, one per kv head."""
        if min(self.width, self.context_length) < 1:
            message = f"{self.architecture}: width {self.width}, context length {self.context_length}"
            raise RlxError("RLX701", message, fix="at least 1", at=None)
        if min(self.heads, self.kv_heads, self.head_dim) < 1 or self.heads % self.kv_heads:
            message = f"{self.architecture}: {self.heads} heads of size {self.head_dim} share {self.kv_heads} kv heads"
            raise RlxError("RLX701", message, fix="heads must be a multiple of kv heads", at=None)
        if self.layers * self.experts > MOST_EXPERTS:
            message = f"{self.architecture}: {self.experts} experts in each of {self.layers} layers"
            raise RlxError("RLX701", message, fix=f"at most {MOST_EXPERTS} in total are supported", at=None)
        if self.local and len(self.local) < self.layers:
            raise RlxError("RLX701", f"{self.architecture}: kinds for {len(self.local)} of {self.layers} layers", at=None)

    def window_of(self, layer: int) -> int | None:
        """The sliding window of a layer; None: the layer attends to all earlier keys."""
        return self.window if not self.local or self.local[layer] else None


# -- from files -----------------------------------------------------------------------------------------------------
def gguf_rope(source: GgufSource, head_dim: int, *, interleaved: bool) -> Rope:
    """Reads RoPE's frequencies and scaling from a GGUF file."""
    dims, context = source.integer("rope.dimension_count", head_dim), source.integer("context_length")
    kind = str(source.get("rope.scaling.type", "none"))
    scaling: dict[str, Any] = {
        "rope_type": kind,
        "factor": source.number("rope.scaling.factor", 1.0),
        "original_max_position_embeddings": source.integer("rope.scaling.original_context_length", context),
        "beta_fast": source.get("rope.scaling.yarn_beta_fast", None),
        "beta_slow": source.get("rope.scaling.yarn_beta_slow", None),
    }
    long, short = (source.vector(f"rope_factors_{name}") for name in ("long", "short"))
    if long is not None and short is not None:
        attention = source.get("rope.scaling.attn_factor", None)
        scaling |= {
            "rope_type": "longrope",
            "factor": None,
            "long_factor": long,
            "short_factor": short,
            "attention_factor": attention,
        }
    rope = Rope.make(dims, source.number("rope.freq_base", 10000.0), scaling, context=context, interleaved=interleaved)
    factors = source.vector("rope_freqs")
    return rope if factors is None else rope.divide(factors)


def decoder_from_gguf(source: GgufSource, *, interleaved: bool = False) -> DecoderConfig:
    """Reads the decoder settings that families share from a GGUF file."""
    width, heads = source.integer("embedding_length"), source.integer("attention.head_count")
    head_dim = source.integer("attention.key_length", width // max(heads, 1))
    return DecoderConfig(
        source.architecture,
        source.count("block_count"),
        width,
        source.file.tensor("token_embd.weight").dims[0],
        source.integer("context_length"),
        heads,
        source.integer("attention.head_count_kv", heads),
        head_dim,
        source.number("attention.layer_norm_rms_epsilon"),
        gguf_rope(source, head_dim, interleaved=interleaved),
        source.integer("attention.sliding_window", 0) or None,
        experts=source.integer("expert_count", 0),
        experts_used=source.integer("expert_used_count", 0),
    )


def rotary_dims(source: HfSource, rope: Mapping[str, Any], head_dim: int, *, partial: bool) -> int:
    """The number of elements of a head that RoPE rotates.

    Most classes of transformers ignore `partial_rotary_factor` and rotate all elements; `partial` is for classes that read it. With
    a RoPE scaling, such a class fails in transformers.
    """
    factor = Rope.setting(rope, "partial_rotary_factor", source.number("partial_rotary_factor", 1.0))
    part, path = int(head_dim * factor), source.path / "config.json"
    if part == head_dim or (partial and part < head_dim):
        return part
    if partial or Rope.kind(rope) != "default":
        message = f"{path}: partial_rotary_factor is {factor:g}, which is not implemented for this architecture"
        raise RlxError("RLX702", message, fix="use a model without it; results would be wrong otherwise", at=None)
    warnings.warn(
        f"rlx: {path}: fields that this architecture does not use have no effect: partial_rotary_factor={factor:g}", stacklevel=6
    )
    return head_dim


def decoder_from_hf(source: HfSource, rope: Mapping[str, Any] | None = None, *, partial: bool = False) -> DecoderConfig:
    """Reads the decoder settings that families share from a Hugging Face folder. `partial`: RoPE may rotate a part of each head."""
    width, heads, layers = (source.integer("hidden_size"), source.integer("num_attention_heads"), source.count("num_hidden_layers"))
    head_dim, context = source.integer("head_dim", width // max(heads, 1)), source.integer("max_position_embeddings")
    rope = source.rope_settings if rope is None else rope
    dims = rotary_dims(source, rope, head_dim, partial=partial)
    window, local = _layer_windows(source, layers)
    experts = "num_experts" if source.get("num_experts", None) is not None else "num_local_experts"
    return DecoderConfig(
        source.architecture,
        layers,
        width,
        source.integer("vocab_size"),
        context,
        heads,
        source.integer("num_key_value_heads", heads),
        head_dim,
        source.number("rms_norm_eps"),
        Rope.make(dims, Rope.setting(rope, "rope_theta", 10000.0), rope, context=context),
        window,
        local,
        source.choice("hidden_act", ACTIVATIONS, "silu"),
        source.integer(experts, 0),
        source.integer("num_experts_per_tok", 0),
        bool(source.get("norm_topk_prob", True)),
    )


def _layer_windows(source: HfSource, layers: int) -> tuple[int | None, tuple[bool, ...]]:
    """Reads each layer's sliding window: from `layer_types`, or in older files for all layers from `max_window_layers` on."""
    window = source.integer("sliding_window", 0) if source.get("use_sliding_window", True) else 0
    if not window:
        return None, ()
    if isinstance(kinds := source.get("layer_types", None), list):
        return window, tuple(kind == "sliding_attention" for kind in kinds)
    first = source.integer("max_window_layers", 0)
    return window, tuple(layer >= first for layer in range(layers))


LAYER_NAMES: Mapping[str, Entry] = {
    "blk.{}.attn_norm": "model.layers.{}.input_layernorm.weight",
    "blk.{}.attn_q_norm": "model.layers.{}.self_attn.q_norm.weight",
    "blk.{}.attn_k_norm": "model.layers.{}.self_attn.k_norm.weight",
    "blk.{}.ffn_norm": "model.layers.{}.post_attention_layernorm.weight",
} | {
    f"blk.{{}}.{ours}{ending}": f"model.layers.{{}}.{theirs}.{ending[1:] or 'weight'}"
    for ours, theirs in (
        ("attn_q", "self_attn.q_proj"),
        ("attn_k", "self_attn.k_proj"),
        ("attn_v", "self_attn.v_proj"),
        ("attn_output", "self_attn.o_proj"),
        ("ffn_gate", "mlp.gate_proj"),
        ("ffn_up", "mlp.up_proj"),
        ("ffn_down", "mlp.down_proj"),
    )
    for ending in ("", ".bias")
}
ENDS: Mapping[str, Entry] = {
    "token_embd": "model.embed_tokens.weight",
    "output_norm": "model.norm.weight",
    "output": "lm_head.weight",
}


def decoder_names(layers: int, more: Mapping[str, Entry] | None = None) -> dict[str, Entry]:
    """Maps our names of a decoder's tensors to Hugging Face's; `more` are additional ones of each layer."""
    return {**ENDS, **per_layer(layers, {**LAYER_NAMES, **(more or {})})}


def expert_names(count: int, place: str, gate: str, up: str, down: str) -> dict[str, Entry]:
    """Maps the names of a layer's router and of its experts' matrices to Hugging Face's."""
    matrices = (("gate", gate), ("up", up), ("down", down))
    joined = {
        f"blk.{{}}.ffn_{ours}_exps": tuple(f"{place}.experts.{e}.{theirs}.weight" for e in range(count))
        for ours, theirs in matrices
    }
    return {"blk.{}.ffn_gate_inp": f"{place}.gate.weight", **{ours: Joined(theirs) for ours, theirs in joined.items()}}


DECODER_SETTINGS = Settings.of(
    "vocab_size hidden_size num_hidden_layers num_attention_heads num_key_value_heads head_dim hidden_act max_position_embeddings "
    "rms_norm_eps rope_parameters rope_scaling rope_theta partial_rotary_factor tie_word_embeddings",
    harmless={"intermediate_size": TENSORS, "attention_bias": TENSORS, "mlp_bias": TENSORS},
)


# -- attention ------------------------------------------------------------------------------------------------------
def attention(
    flow: Flow,
    x: Value,
    config: DecoderConfig,
    layer: int = 0,
    *,
    rope: Rope | None = None,
    scale: float | None = None,
    softcap: float | None = None,
) -> Value:
    """Builds self-attention: q, k, v, per-head norms if the file has them, RoPE, attention, the output layer."""
    size, width = config.head_dim, x.shape[-1]
    sizes = (config.heads * size, config.kv_heads * size, config.kv_heads * size)
    if flow.has("attn_qkv"):
        q, k, v = flow.linear_parts(x, "attn_qkv", sizes)
    else:
        q, k, v = (flow.linear(x, f"attn_{name}", wide) for name, wide in zip("qkv", sizes, strict=True))
    if flow.has("attn_q_norm"):
        q, k = (flow.head_norm(part, f"attn_{name}_norm", size, config.eps) for name, part in (("q", q), ("k", k)))
    q, k = (flow.rope(part, rope or config.rope, size) for part in (q, k))
    mixed = flow.attention(
        q,
        k,
        v,
        heads=config.heads,
        kv_heads=config.kv_heads,
        head_dim=size,
        window=config.window_of(layer),
        scale=scale,
        softcap=softcap,
    )
    return flow.linear(mixed, "attn_output", width)
