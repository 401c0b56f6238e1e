"""Qwen3.5: three gated delta net layers per gated attention layer, and a head that predicts the token after next (MTP).

A delta net (Yang et al., 2024) has a state matrix for each head instead of a cache. A token's query, key and value come from a short causal
convolution; the token decays the matrix by exp(g), updates the value stored under its key by β, and reads the one under its query.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from rlx.core.errors import RlxError
from rlx.models.decoder import DECODER_SETTINGS, DecoderConfig, decoder_from_gguf, decoder_from_hf
from rlx.models.family import Family
from rlx.models.settings import TENSORS, TRAINING, Settings
from rlx.models.source import GgufSource, HfSource
from rlx.models.weights import Entry, Joined, Mapped, per_layer

# -- the tensors of Qwen3.5 in safetensors: our names, and theirs ----------------------------------------------------


LAYER_NAMES = {
    "attn_q": "self_attn.q_proj.weight",
    "attn_k": "self_attn.k_proj.weight",
    "attn_v": "self_attn.v_proj.weight",
    "attn_output": "self_attn.o_proj.weight",
    "attn_qkv": "linear_attn.in_proj_qkv.weight",
    "attn_gate": "linear_attn.in_proj_z.weight",
    "ssm_alpha": "linear_attn.in_proj_a.weight",
    "ssm_beta": "linear_attn.in_proj_b.weight",
    "ssm_dt.bias": "linear_attn.dt_bias",
    "ssm_norm": "linear_attn.norm.weight",
    "ssm_out": "linear_attn.out_proj.weight",
    "ffn_gate": "mlp.gate_proj.weight",
    "ffn_up": "mlp.up_proj.weight",
    "ffn_down": "mlp.down_proj.weight",
    "ffn_gate_inp": "mlp.gate.weight",
    "ffn_gate_shexp": "mlp.shared_expert.gate_proj.weight",
    "ffn_up_shexp": "mlp.shared_expert.up_proj.weight",
    "ffn_down_shexp": "mlp.shared_expert.down_proj.weight",
}
CENTRED_NAMES = {  # norms whose γ is stored less 1
    "attn_norm": "input_layernorm.weight",
    "post_attention_norm": "post_attention_layernorm.weight",
    "attn_q_norm": "self_attn.q_norm.weight",
    "attn_k_norm": "self_attn.k_norm.weight",
}
HEAD_NAMES = {
    "nextn.enorm": "mtp.pre_fc_norm_embedding.weight",
    "nextn.hnorm": "mtp.pre_fc_norm_hidden.weight",
    "nextn.shared_head_norm": "mtp.norm.weight",
}


def _add_one(name: str) -> Mapped:
    return Mapped(name, lambda gamma: gamma + 1)


def _layer(ours: str, theirs: str, config: Qwen35Config) -> dict[str, Entry]:
    """Maps the tensor names of one Qwen 3.5 layer."""
    names: dict[str, Entry] = {f"{ours}.{mine}": f"{theirs}.{name}" for mine, name in LAYER_NAMES.items()}
    names |= {f"{ours}.{mine}": _add_one(f"{theirs}.{name}") for mine, name in CENTRED_NAMES.items()}
    return names | {
        **_experts(ours, f"{theirs}.mlp.experts", config),
        f"{ours}.ssm_conv1d": Mapped(f"{theirs}.linear_attn.conv1d.weight", lambda taps: taps[:, 0], dense=True),
        f"{ours}.ssm_a": Mapped(f"{theirs}.linear_attn.A_log", lambda log: -np.exp(log)),
        f"{ours}.ffn_gate_inp_shexp": Mapped(f"{theirs}.mlp.shared_expert_gate.weight", lambda row: row[0]),
    }


def _experts(ours: str, theirs: str, config: Qwen35Config) -> dict[str, Entry]:
    """Maps a layer's experts: three matrices each, or two stacked tensors with the gates first."""
    if not config.stacked:
        each = {
            kind: tuple(f"{theirs}.{number}.{kind}_proj.weight" for number in range(config.experts))
            for kind in ("gate", "up", "down")
        }
        return {f"{ours}.ffn_{kind}_exps": Joined(names) for kind, names in each.items() if names}
    return {
        f"{ours}.ffn_gate_exps": Mapped(f"{theirs}.gate_up_proj", lambda both: both[:, : both.shape[1] // 2]),
        f"{ours}.ffn_up_exps": Mapped(f"{theirs}.gate_up_proj", lambda both: both[:, both.shape[1] // 2 :]),
        f"{ours}.ffn_down_exps": f"{theirs}.down_proj",
    }


def hf_names(config: Qwen35Config) -> Mapping[str, Entry]:
    """Maps Qwen 3.5's tensor names to Hugging Face's."""
    head = {f"blk.{config.layers}.{ours}": _add_one(theirs) for ours, theirs in HEAD_NAMES.items()}
    return {
        "token_embd": "model.embed_tokens.weight",
        "output_norm": _add_one("model.norm.weight"),
        "output": "lm_head.weight",
        **per_layer(config.layers, _layer("blk.{}", "model.layers.{}", config)),
        **head,
        f"blk.{config.layers}.nextn.eh_proj": "mtp.fc.weight",
        **_layer(f"blk.{config.layers}", "mtp.layers.0", config),
    }


# -- the model ------------------------------------------------------------------------------------------------------


# -- how Qwen3.5 handles each field of its configs -------------------------------------------------------------------


IMAGES = "for images and videos, which are not supported"
SHARED = Settings.of(
    " ".join(DECODER_SETTINGS.read - {"hidden_act"}),
    harmless={name: reason for name, reason in DECODER_SETTINGS.harmless.items() if name != "attention_bias"},
)
DENSE = SHARED.and_also(
    "linear_key_head_dim linear_value_head_dim linear_num_key_heads linear_num_value_heads",
    head_dim=256,
    harmless={
        "linear_conv_kernel_dim": TENSORS,
        "layer_types": TENSORS,
        "full_attention_interval": TENSORS,
        "mtp_num_hidden_layers": TENSORS,
        "mamba_ssm_dtype": "states are f32",
    },
    only={
        "attn_output_gate": (True,),
        "attention_bias": (False,),
        "mtp_use_dedicated_embeddings": (False,),
        "hidden_act": ("silu", "swish"),  # transformers' convolution would use another one too; its CUDA kernel would not
    },
)
EXPERTS = DENSE.and_also(
    "num_experts num_experts_per_tok",
    num_experts_per_tok=8,
    harmless={
        "moe_intermediate_size": TENSORS,
        "shared_expert_intermediate_size": TENSORS,
        "mlp_only_layers": TENSORS,
        "output_router_logits": TRAINING,
        "router_aux_loss_coef": TRAINING,
    },
)
TOKENS = ("image_token_id", "video_token_id", "vision_start_token_id", "vision_end_token_id")
WHOLE = {
    "text_config": "its fields are read",
    "vision_config": IMAGES,
    "language_model_only": IMAGES,
    **dict.fromkeys(TOKENS, IMAGES),
}
SETTINGS = {
    "Qwen3_5ForCausalLM": DENSE,
    "Qwen3_5ForConditionalGeneration": DENSE.and_also(harmless=WHOLE),
    "Qwen3_5MoeForCausalLM": EXPERTS,
    "Qwen3_5MoeForConditionalGeneration": EXPERTS.and_also(harmless=WHOLE),
}


if TYPE_CHECKING:
    from rlx.ir.value import Value
    from rlx.models.flow import Flow

UNIT_EPS = 1e-6  # epsilon of the L2 norm of queries and keys


@dataclass(frozen=True)
class Qwen35Config(DecoderConfig):
    """The config of Qwen 3.5: recurrent layers between attention layers; the file's tensors show each layer's kind."""

    key_heads: int = 0
    value_heads: int = 0
    state_size: int = 0  # of a head's key, and of its value
    tiled: bool = False  # value head i uses key head i % key_heads; else adjacent value heads share one
    drafts: bool = False  # the layer after the last is the multi-token prediction head
    stacked: bool = False  # a Hugging Face folder has all experts of a layer in one tensor

    def __post_init__(self) -> None:
        """Checks that the value heads divide into equal groups, one per key head."""
        super().__post_init__()
        if min(self.key_heads, self.value_heads, self.state_size) < 1 or self.value_heads % self.key_heads:
            message = (
                f"{self.architecture}: {self.value_heads} value heads of size {self.state_size} share {self.key_heads} key heads"
            )
            raise RlxError("RLX701", message, fix="value heads must be a multiple of key heads", at=None)


# -- from files -----------------------------------------------------------------------------------------------------
def from_gguf(source: GgufSource) -> Qwen35Config:
    """Reads Qwen 3.5's config from a GGUF file, which counts the prediction head as a layer and interleaves value heads by key head."""
    base, drafts = decoder_from_gguf(source), source.integer("nextn_predict_layers", 0)
    if drafts not in (0, 1) or base.layers == drafts:
        raise RlxError(
            "RLX702",
            f"{source.path}: {drafts} of {base.layers} layers predict further tokens",
            fix="one, after at least one other",
            at=None,
        )
    return Qwen35Config(
        **vars(replace(base, layers=base.layers - drafts)),
        key_heads=source.integer("ssm.group_count"),
        value_heads=source.integer("ssm.time_step_rank"),
        state_size=source.integer("ssm.state_size"),
        tiled=True,
        drafts=drafts > 0,
    )


def from_hf(source: HfSource) -> Qwen35Config:
    """Reads Qwen 3.5's config from a Hugging Face folder; keys and values have the same head size."""
    size, values = source.integer("linear_key_head_dim"), source.integer("linear_value_head_dim")
    if size != values:
        message = f"{source.path}: linear_key_head_dim is {size}, linear_value_head_dim is {values}"
        raise RlxError("RLX702", message, fix="both must be equal", at=None)
    rope = {"partial_rotary_factor": 0.25, **source.rope_settings}
    return Qwen35Config(
        **vars(decoder_from_hf(source, rope, partial=True)),
        key_heads=source.integer("linear_num_key_heads"),
        value_heads=source.integer("linear_num_value_heads"),
        state_size=size,
        drafts="mtp.fc.weight" in source.tensors,
        stacked=any(name.endswith(".experts.gate_up_proj") for name in source.tensors),
    )


def attention(flow: Flow, x: Value, config: Qwen35Config) -> Value:
    """Builds attention times the sigmoid of a gate, which is stored beside each head's query."""
    (batch, seq, width), size, wide = x.shape, config.head_dim, config.kv_heads * config.head_dim
    both = flow.linear(x, "attn_q", config.heads * 2 * size).reshape(batch, seq, config.heads, 2 * size)
    q, gate = flow.module.split(both, sizes=(size, size), axis=-1)
    q = flow.rms_norm(q, "attn_q_norm", config.eps).reshape(batch, seq, config.heads * size)
    k = flow.head_norm(flow.linear(x, "attn_k", wide), "attn_k_norm", size, config.eps)
    q, k = (flow.rope(part, config.rope, size) for part in (q, k))
    mixed = flow.attention(q, k, flow.linear(x, "attn_v", wide), heads=config.heads, kv_heads=config.kv_heads, head_dim=size)
    return flow.linear(mixed * flow.module.sigmoid(gate.reshape(*mixed.shape)), "attn_output", width)


def delta_net(flow: Flow, x: Value, config: Qwen35Config) -> Value:
    """Builds a gated delta net over convolved queries, keys and values; each head normalized, times the silu of a gate."""
    module, (batch, seq, width), size, heads = flow.module, x.shape, config.state_size, config.value_heads
    sizes = config.key_heads * size, config.key_heads * size, heads * size
    mixed = module.silu(flow.causal_conv(flow.linear(x, "attn_qkv", sum(sizes)), "ssm_conv1d"))
    q, k, v = module.split(mixed, sizes, axis=-1)
    q, k = (_repeat_heads(flow, _unit(flow, part.reshape(batch, seq, config.key_heads, size), size), config) for part in (q, k))
    decay = module.softplus(flow.linear(x, "ssm_alpha", heads) + flow.param("ssm_dt.bias", heads)) * flow.param("ssm_a", heads)
    beta = module.sigmoid(flow.linear(x, "ssm_beta", heads))
    state = None if flow.start is None else flow.state("state", (heads, size, size))
    operands = (q, k, v.reshape(batch, seq, heads, size), decay, beta, state, flow.steps)
    read, after = module.hir_mir("gated_delta_net", operands, state_size=size)
    if state is not None:
        module.update(state, after)
    gate = module.silu(flow.linear(x, "attn_gate", heads * size)).reshape(batch, seq, heads, size)
    gated = flow.rms_norm(read, "ssm_norm", config.eps) * gate
    return flow.linear(gated.reshape(batch, seq, heads * size), "ssm_out", width)


def _unit(flow: Flow, x: Value, size: int) -> Value:
    """Divides each head by its L2 norm: an rms_norm with γ = 1/√n."""
    return flow.module.rms_norm(x, np.full(size, size**-0.5, np.float32), eps=UNIT_EPS / size)


def _repeat_heads(flow: Flow, x: Value, config: Qwen35Config) -> Value:
    """Repeats key heads `[B, S, H, N]`, one for each value head."""
    batch, seq, heads, size = x.shape
    times = config.value_heads // config.key_heads
    if times == 1:
        return x
    axis = 2 if config.tiled else 3
    dims = [batch, seq, heads, size]
    spread = [*dims[:axis], times, *dims[axis:]]
    return flow.module.expand(x.reshape(*dims[:axis], 1, *dims[axis:]), spread).reshape(batch, seq, config.value_heads, size)


def feed_forward(flow: Flow, x: Value, config: Qwen35Config) -> Value:
    """Builds swiglu, or with experts the selected ones plus a shared expert times the sigmoid of a gate."""
    if not flow.has("ffn_gate_inp"):
        return flow.gated_ffn(x, config.activation)
    module = flow.module
    gate = module.reduce_sum(x * flow.param("ffn_gate_inp_shexp", x.shape[-1]), axes=-1, keep_dim=True)
    common = flow.gated_ffn(x, config.activation, gate="ffn_gate_shexp", up="ffn_up_shexp", down="ffn_down_shexp")
    return flow.experts(x, config.experts_used, config.activation) + common * module.sigmoid(gate)


def layer(flow: Flow, x: Value, config: Qwen35Config) -> Value:
    """Builds a layer: x + attention or delta net of norm(x); x + feed-forward of norm(x)."""
    mix = delta_net if flow.has("ssm_conv1d") else attention
    x = x + mix(flow, flow.rms_norm(x, "attn_norm", config.eps), config)
    return x + feed_forward(flow, flow.rms_norm(x, "post_attention_norm", config.eps), config)


def build(flow: Flow, config: Qwen35Config) -> None:
    """Builds Qwen 3.5. The output `hidden` is after the final norm, as the prediction head was trained."""
    x = flow.embed(dims=(config.vocab_size, config.width))
    for _ in flow.layers(config.layers):
        x = layer(flow, x, config)
    flow.logits(flow.last(flow.rms_norm(x, "output_norm", config.eps)))


def draft(flow: Flow, config: Qwen35Config) -> None:
    """Builds the multi-token prediction head: from `hidden` at a token and the next token (`tokens`), the logits of the one after.

    The output `hidden` takes the place of the model's when further tokens are drafted.
    """
    if not config.drafts:
        raise RlxError("RLX702", f"{config.architecture}: no multi-token prediction head", fix="a file with `mtp` tensors", at=None)
    hidden = flow.module.input("hidden", (flow.shapes.batch, flow.shapes.seq, config.width), "f32")
    with flow.scope(f"blk.{config.layers}"):
        table, norm, output = (
            own if flow.has(own) else shared
            for own, shared in (
                ("nextn.embed_tokens", "token_embd"),
                ("nextn.shared_head_norm", "output_norm"),
                ("nextn.shared_head_head", "output"),
            )
        )
        token = flow.rms_norm(flow.embed(table, dims=(config.vocab_size, config.width)), "nextn.enorm", config.eps)
        both = flow.module.concat(token, flow.rms_norm(hidden, "nextn.hnorm", config.eps), axis=-1)
        x = layer(flow, flow.linear(both, "nextn.eh_proj", config.width), config)
        flow.logits(flow.last(flow.rms_norm(x, norm, config.eps)), output)


FAMILY = Family(
    gguf=("qwen35", "qwen35moe"),
    hf=("Qwen3_5ForCausalLM", "Qwen3_5ForConditionalGeneration", "Qwen3_5MoeForCausalLM", "Qwen3_5MoeForConditionalGeneration"),
    from_gguf=from_gguf,
    from_hf=from_hf,
    hf_names=hf_names,
    build=build,
    draft=draft,
    recurrent=True,
    settings=SETTINGS,
    unused={
        r"^(model\.)?visual\.": IMAGES,
        r"^blk\.\d+\.nextn\.(embed_tokens|shared_head_head)": "read by the multi-token prediction head",
    },
)
