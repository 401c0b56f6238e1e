"""GPT-2: learned positions, layer norms, a bias everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rlx.models.decoder import ACTIVATIONS
from rlx.models.family import Config, Family
from rlx.models.settings import COMPUTING, HEADS, TENSORS, TRAINING, Settings
from rlx.models.source import GgufSource, HfSource
from rlx.models.weights import Entry, Mapped, per_layer

if TYPE_CHECKING:
    from rlx.models.flow import Flow


@dataclass(frozen=True)
class Gpt2Config(Config):
    """The config of GPT-2, a decoder without RoPE."""

    heads: int
    eps: float
    activation: str = "gelu_approx"
    scaled: bool = True  # divide scores by the square root of the head size
    scaled_by_layer: bool = False  # and by the layer number

    def __post_init__(self) -> None:
        self.check_heads(self.heads)


def from_gguf(source: GgufSource) -> Gpt2Config:
    """Reads GPT-2's config from a GGUF file."""
    return Gpt2Config(
        source.architecture,
        source.count("block_count"),
        source.integer("embedding_length"),
        source.file.tensor("token_embd.weight").dims[0],
        source.integer("context_length"),
        source.integer("attention.head_count"),
        source.number("attention.layer_norm_epsilon"),
    )


def from_hf(source: HfSource) -> Gpt2Config:
    """Reads GPT-2's config from a Hugging Face folder."""
    return Gpt2Config(
        source.architecture,
        source.count("n_layer"),
        source.integer("n_embd"),
        source.integer("vocab_size"),
        source.integer("n_positions"),
        source.integer("n_head"),
        source.number("layer_norm_epsilon", 1e-5),
        source.choice("activation_function", ACTIVATIONS, "gelu_new"),
        bool(source.get("scale_attn_weights", True)),
        bool(source.get("scale_attn_by_inverse_layer_idx", False)),
    )


def hf_names(config: Gpt2Config) -> Mapping[str, Entry]:
    """Maps GPT-2's tensor names to Hugging Face's; matrices are stored `[in, out]`."""
    parts = {
        "attn_norm": "ln_1",
        "attn_qkv": "attn.c_attn",
        "attn_output": "attn.c_proj",
        "ffn_norm": "ln_2",
        "ffn_up": "mlp.c_fc",
        "ffn_down": "mlp.c_proj",
    }
    names: dict[str, Entry] = {f"blk.{{}}.{ours}.bias": f"h.{{}}.{theirs}.bias" for ours, theirs in parts.items()}
    for ours, theirs in parts.items():
        stored = f"h.{{}}.{theirs}.weight"
        names[f"blk.{{}}.{ours}"] = stored if ours.endswith("norm") else Mapped(stored, lambda matrix: matrix.T)
    ends = {
        "token_embd": "wte.weight",
        "position_embd": "wpe.weight",
        "output_norm": "ln_f.weight",
        "output_norm.bias": "ln_f.bias",
    }
    return {**ends, "output": "lm_head.weight", **per_layer(config.layers, names)}


def build(flow: Flow, config: Gpt2Config) -> None:
    """Builds GPT-2: x + attention(norm(x)); x + ffn(norm(x)), layer by layer."""
    width, size = config.width, config.width // config.heads
    x = flow.embed(dims=(config.vocab_size, width)) + flow.embed(
        "position_embd", flow.positions, dims=(config.context_length, width)
    )
    for layer in flow.layers(config.layers):
        q, k, v = flow.linear_parts(flow.layer_norm(x, "attn_norm", config.eps), "attn_qkv", (width, width, width))
        scale = (size**-0.5 if config.scaled else 1.0) / (layer + 1 if config.scaled_by_layer else 1)
        mixed = flow.attention(q, k, v, heads=config.heads, kv_heads=config.heads, head_dim=size, scale=scale)
        x = x + flow.linear(mixed, "attn_output", width)
        x = x + flow.ffn(flow.layer_norm(x, "ffn_norm", config.eps), config.activation)
    flow.logits(flow.layer_norm(flow.last(x), "output_norm", config.eps))


SUMMARIES = ("type", "use_proj", "activation", "proj_to_labels", "first_dropout")
SETTINGS = Settings.of(
    "vocab_size n_positions n_embd n_layer n_head activation_function layer_norm_epsilon scale_attn_weights "
    "scale_attn_by_inverse_layer_idx tie_word_embeddings",
    harmless={
        "n_inner": TENSORS,
        "n_ctx": "n_positions says it",
        "reorder_and_upcast_attn": COMPUTING,
        "resid_pdrop": TRAINING,
        "embd_pdrop": TRAINING,
        "attn_pdrop": TRAINING,
        "task_specific_params": HEADS,
        **{f"summary_{name}": HEADS for name in SUMMARIES},
    },
)

FAMILY = Family(
    gguf=("gpt2",),
    hf=("GPT2LMHeadModel",),
    from_gguf=from_gguf,
    from_hf=from_hf,
    hf_names=hf_names,
    build=build,
    settings={"GPT2LMHeadModel": SETTINGS},
    unused={r"(^|\.)h\.\d+\.attn\.(masked_)?bias$": "the attention mask, computed from positions"},
)
