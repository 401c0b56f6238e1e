"""Mamba: layers of a selective scan (Gu and Dao, 2023), with a state of fixed size instead of a cache."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rlx.models.family import Config, Family
from rlx.models.settings import COMPUTING, TENSORS, TRAINING, Settings
from rlx.models.source import GgufSource, HfSource
from rlx.models.weights import Entry, Mapped, per_layer

if TYPE_CHECKING:
    from rlx.ir.value import Value
    from rlx.models.flow import Flow

ANY_LENGTH = 1 << 20  # Mamba has no maximum context


@dataclass(frozen=True)
class MambaConfig(Config):
    """The config of Mamba: `rank` is that of the step projection, `state_size` the state size per channel."""

    state_size: int
    rank: int
    eps: float


def from_gguf(source: GgufSource) -> MambaConfig:
    """Reads Mamba's config from a GGUF file."""
    return MambaConfig(
        source.architecture,
        source.count("block_count"),
        source.integer("embedding_length"),
        source.file.tensor("token_embd.weight").dims[0],
        source.integer("context_length", ANY_LENGTH),
        source.integer("ssm.state_size"),
        source.integer("ssm.time_step_rank"),
        source.number("attention.layer_norm_rms_epsilon"),
    )


def from_hf(source: HfSource) -> MambaConfig:
    """Reads Mamba's config from a Hugging Face folder."""
    width, automatic = source.integer("hidden_size"), source.get("time_step_rank", "auto") == "auto"
    return MambaConfig(
        source.architecture,
        source.count("num_hidden_layers"),
        width,
        source.integer("vocab_size"),
        ANY_LENGTH,
        source.integer("state_size"),
        math.ceil(width / 16) if automatic else source.integer("time_step_rank"),
        source.number("layer_norm_epsilon"),
    )


MATRICES = {"ssm_in": "in_proj", "ssm_x": "x_proj", "ssm_dt": "dt_proj", "ssm_out": "out_proj"}
PLACE = "backbone.layers.{}"
LAYER_NAMES: Mapping[str, Entry] = {
    "blk.{}.attn_norm": f"{PLACE}.norm.weight",
    **{f"blk.{{}}.{ours}": f"{PLACE}.mixer.{theirs}.weight" for ours, theirs in MATRICES.items()},
    **{f"blk.{{}}.{ours}.bias": f"{PLACE}.mixer.{theirs}.bias" for ours, theirs in MATRICES.items()},
    "blk.{}.ssm_conv1d": Mapped(f"{PLACE}.mixer.conv1d.weight", lambda taps: taps[:, 0], dense=True),
    "blk.{}.ssm_conv1d.bias": f"{PLACE}.mixer.conv1d.bias",
    "blk.{}.ssm_a": Mapped(f"{PLACE}.mixer.A_log", lambda log: -np.exp(log), dense=True),
    "blk.{}.ssm_d": f"{PLACE}.mixer.D",
}


def hf_names(config: MambaConfig) -> Mapping[str, Entry]:
    """Maps Mamba's tensor names to Hugging Face's."""
    ends = {"token_embd": "backbone.embeddings.weight", "output_norm": "backbone.norm_f.weight", "output": "lm_head.weight"}
    return {**ends, **per_layer(config.layers, LAYER_NAMES)}


def mixer(flow: Flow, x: Value, config: MambaConfig) -> Value:
    """Builds Mamba's mixer: a selective scan over convolved channels, with input-dependent steps, times the silu of a gate."""
    module, size = flow.module, config.state_size
    width, inner = x.shape[-1], flow.weight("ssm_in").dims[0] // 2
    x, gate = flow.linear_parts(x, "ssm_in", (inner, inner))
    x = module.silu(flow.causal_conv(x, "ssm_conv1d"))
    steps, write, read = flow.linear_parts(x, "ssm_x", (config.rank, size, size))
    delta = module.softplus(flow.linear(steps, "ssm_dt", inner))
    state = None if flow.start is None else flow.state("state", (inner, size))
    rates, skip = flow.param("ssm_a", inner, size), flow.param("ssm_d", inner)
    y, after = module.selective_scan_carry(x, delta, rates, write, read, skip, state, flow.steps, state_size=size)
    if state is not None:
        module.update(state, after)
    return flow.linear(y * module.silu(gate), "ssm_out", width)


def build(flow: Flow, config: MambaConfig) -> None:
    """Builds Mamba: x + mixer(norm(x)), layer by layer."""
    x = flow.embed(dims=(config.vocab_size, config.width))
    for _ in flow.layers(config.layers):
        x = x + mixer(flow, flow.rms_norm(x, "attn_norm", config.eps), config)
    flow.logits(flow.rms_norm(flow.last(x), "output_norm", config.eps))


STEPS = {f"time_step_{name}": TRAINING for name in ("scale", "min", "max", "init_scheme", "floor")}
SETTINGS = Settings.of(
    "vocab_size hidden_size state_size num_hidden_layers layer_norm_epsilon time_step_rank tie_word_embeddings",
    harmless={
        "expand": TENSORS,
        "intermediate_size": TENSORS,
        "conv_kernel": TENSORS,
        "use_bias": TENSORS,
        "use_conv_bias": TENSORS,
        "residual_in_fp32": "accumulators are f32",
        "rescale_prenorm_residual": TRAINING,
        "use_mambapy": COMPUTING,
        "use_associative_scan": COMPUTING,
        "fused_add_norm": COMPUTING,
        **STEPS,
        **dict.fromkeys(
            ("d_inner", "d_model", "n_layer", "numb_hidden_layers", "pad_vocab_size_multiple", "ssm_cfg"), "earlier names"
        ),
    },
    only={
        "rms_norm": (True,),
        "hidden_act": ("silu", "swish"),
    },  # releases of transformers differ in where another one would be used
)

FAMILY = Family(
    gguf=("mamba",),
    hf=("MambaForCausalLM",),
    from_gguf=from_gguf,
    from_hf=from_hf,
    hf_names=hf_names,
    build=build,
    recurrent=True,
    settings={"MambaForCausalLM": SETTINGS},
)
