"""Shared by encoders: settings, the pooling described by sentence-transformers folders, and the embedding itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rlx.core.errors import RlxError
from rlx.formats.safetensors import read_json, read_json_list
from rlx.models.decoder import ACTIVATIONS
from rlx.models.family import Config
from rlx.models.settings import HEADS, TENSORS, TRAINING, Settings
from rlx.models.source import GgufSource, HfSource
from rlx.models.weights import Entry, per_layer

if TYPE_CHECKING:
    from rlx.ir.value import Value
    from rlx.models.flow import Flow

ENCODER_SETTINGS = Settings.of(
    "vocab_size hidden_size num_hidden_layers num_attention_heads max_position_embeddings",
    harmless={"intermediate_size": TENSORS, "tie_word_embeddings": HEADS, "classifier_dropout": HEADS},
    only={"is_decoder": (False,)},
)
BERT_SETTINGS = ENCODER_SETTINGS.and_also(
    "hidden_act layer_norm_eps",
    harmless={"hidden_dropout_prob": TRAINING, "attention_probs_dropout_prob": TRAINING},
    only={"position_embedding_type": ("absolute",)},
)
UNUSED_HEADS = {r"^(bert\.|mpnet\.|model\.)?(pooler|cls|lm_head|head|decoder|classifier)\.": "heads that follow the embedding"}

POOLINGS = ("mean", "cls", "max")
GGUF_POOLINGS = {1: "mean", 2: "cls"}


@dataclass(frozen=True)
class Pooling:
    """How an encoder pools token vectors into one vector per text: mean, first token or maximum, optionally normalized."""

    kind: str = "mean"
    normalize: bool = True

    def __post_init__(self) -> None:
        """Checks the kind of pooling."""
        if self.kind not in POOLINGS:
            raise RlxError("RLX702", f"pooling {self.kind!r}", fix=f"one of {', '.join(POOLINGS)}", at=None)


@dataclass(frozen=True)
class EncoderConfig(Config):
    """The config of an encoder with attention and feed-forward layers."""

    heads: int
    eps: float
    activation: str
    pooling: Pooling

    def __post_init__(self) -> None:
        self.check_heads(self.heads)

    @property
    def head_dim(self) -> int:
        """The size of an attention head."""
        return self.width // self.heads


def encoder_from_gguf(source: GgufSource, **more: Any) -> dict[str, Any]:
    """Reads the encoder settings that families share from a GGUF file. Vectors are normalized, as in llama.cpp."""
    kind = source.integer("pooling_type", 1)
    return {
        "architecture": source.architecture,
        "layers": source.count("block_count"),
        "width": source.integer("embedding_length"),
        "vocab_size": source.file.tensor("token_embd.weight").dims[0],
        "context_length": source.integer("context_length"),
        "heads": source.integer("attention.head_count"),
        "eps": source.number("attention.layer_norm_epsilon"),
        "activation": "gelu",
        "pooling": Pooling(GGUF_POOLINGS.get(kind, str(kind))),
        **more,
    }


def encoder_from_hf(source: HfSource, **more: Any) -> dict[str, Any]:
    """Reads the encoder settings that families share from a Hugging Face folder, also one of sentence-transformers."""
    longest = _settings(source.path / "sentence_bert_config.json").get("max_seq_length")
    context = source.integer("max_position_embeddings")
    return {
        "architecture": source.architecture,
        "layers": source.count("num_hidden_layers"),
        "width": source.integer("hidden_size"),
        "vocab_size": source.integer("vocab_size"),
        "context_length": min(context, int(longest or context)),
        "heads": source.integer("num_attention_heads"),
        "activation": source.choice("hidden_act", ACTIVATIONS, "gelu"),
        "pooling": _pooling(source.path),
        **more,
    }


def with_bias(names: Mapping[str, str]) -> dict[str, Entry]:
    """Maps the weight and the bias of each name."""
    return {f"{ours}{end}": f"{theirs}.{end[1:] or 'weight'}" for ours, theirs in names.items() for end in ("", ".bias")}


def bert_names(layers: int, layer_names: Mapping[str, str], **more: str) -> dict[str, Entry]:
    """Maps our tensor names to Hugging Face's, for an encoder with BERT's embeddings."""
    tables = {"token_embd": "embeddings.word_embeddings.weight", "position_embd": "embeddings.position_embeddings.weight"}
    return {**tables, **more, **with_bias({"token_embd_norm": "embeddings.LayerNorm"}), **per_layer(layers, with_bias(layer_names))}


def _settings(path: Path) -> dict[str, Any]:
    return read_json(path) if path.exists() else {}


def _pooling(folder: Path) -> Pooling:
    """Reads the pooling from modules.json, or returns the default without the file. Other modules are an error."""
    kind, normalize = "mean", False
    modules = read_json_list(folder / "modules.json") if (folder / "modules.json").exists() else []
    for module in modules:
        match str(module.get("type", "")).rpartition(".")[2]:
            case "Transformer":
                pass
            case "Pooling":
                kind = _pooling_kind(_settings(folder / str(module.get("path")) / "config.json"))
            case "Normalize":
                normalize = True
            case other:
                message = f"{folder / 'modules.json'}: a module {other!r} after the model"
                raise RlxError("RLX702", message, fix="Transformer, Pooling and Normalize", at=None)
    return Pooling(kind, normalize) if modules else Pooling()


def _pooling_kind(settings: Mapping[str, Any]) -> str:
    """Reads the kind of pooling from its name in current files, or from flags in older ones."""
    named = settings.get("pooling_mode")
    marked = [key.removeprefix("pooling_mode_") for key, value in settings.items() if key.startswith("pooling_mode_") and value]
    kinds = (
        [named]
        if isinstance(named, str)
        else named or [mark.removesuffix("s").removesuffix("_token") for mark in marked] or ["mean"]
    )
    return "+".join(kinds)


def position_embedding(flow: Flow, config: EncoderConfig, first: int = 0) -> Value:
    """Embeds positions by the table `position_embd`, starting at row `first`."""
    rows = flow.weight("position_embd", (None, config.width)).dims[0]
    if rows < first + config.context_length:
        message = f"a table of {rows} positions for {config.context_length} tokens"
        raise RlxError("RLX701", message, fix="settings and tensors must belong to the same model", at=None)
    return flow.embed("position_embd", flow.positions + first)


def give_embedding(flow: Flow, x: Value, config: EncoderConfig) -> None:
    """Pools vectors `[B, S, E]` and declares the output `embedding` f32[batch, width]."""
    module, (batch, seq, width) = flow.module, x.shape
    real = flow.real.reshape(batch, seq, 1)
    match config.pooling.kind:
        case "mean":
            one = module.reduce_sum(module.where(real, x, 0.0), axes=1) / flow.count.astype("f32").reshape(batch, 1)
        case "max":
            one = module.reduce_max(module.where(real, x, float("-inf")), axes=1)
        case _:
            one = module.narrow(x, axis=1, start=0, length=1).reshape(batch, width)
    if config.pooling.normalize:
        one = flow.unit_length(one)
    flow.finish(embedding=one)
