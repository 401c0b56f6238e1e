"""The tensors of Qwen3.5 in safetensors: our names, and theirs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from rlx.models.weights import Entry, Joined, Mapped, per_layer

if TYPE_CHECKING:
    from rlx.models.qwen35 import Qwen35Config

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


def _centred(name: str) -> Mapped:
    return Mapped(name, lambda gamma: gamma + 1)


def _layer(ours: str, theirs: str, config: Qwen35Config) -> dict[str, Entry]:
    """The tensors of one layer."""
    names: dict[str, Entry] = {f"{ours}.{mine}": f"{theirs}.{name}" for mine, name in LAYER_NAMES.items()}
    names |= {f"{ours}.{mine}": _centred(f"{theirs}.{name}") for mine, name in CENTRED_NAMES.items()}
    return names | {
        **_experts(ours, f"{theirs}.mlp.experts", config),
        f"{ours}.ssm_conv1d": Mapped(f"{theirs}.linear_attn.conv1d.weight", lambda taps: taps[:, 0], dense=True),
        f"{ours}.ssm_a": Mapped(f"{theirs}.linear_attn.A_log", lambda log: -np.exp(log)),
        f"{ours}.ffn_gate_inp_shexp": Mapped(f"{theirs}.mlp.shared_expert_gate.weight", lambda row: row[0]),
    }


def _experts(ours: str, theirs: str, config: Qwen35Config) -> dict[str, Entry]:
    """Three matrices of each expert, or two tensors of all of them, the gates before the rest."""
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
    """Our names, and theirs."""
    head = {f"blk.{config.layers}.{ours}": _centred(theirs) for ours, theirs in HEAD_NAMES.items()}
    return {
        "token_embd": "model.embed_tokens.weight",
        "output_norm": _centred("model.norm.weight"),
        "output": "lm_head.weight",
        **per_layer(config.layers, _layer("blk.{}", "model.layers.{}", config)),
        **head,
        f"blk.{config.layers}.nextn.eh_proj": "mtp.fc.weight",
        **_layer(f"blk.{config.layers}", "mtp.layers.0", config),
    }


# -- the model ------------------------------------------------------------------------------------------------------
