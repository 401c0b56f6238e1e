"""Source: a model's file or folder: its settings, its tensors by our names, its tokenizer."""

from __future__ import annotations

import math
import struct
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from rlx.core.errors import RlxError
from rlx.formats.gguf import GgufFile, MappedFile, StoredTensor, read_gguf
from rlx.formats.gguf_tokenizer import gguf_tokenizer
from rlx.formats.safetensors import read_json, read_sharded
from rlx.formats.tokenizer import Tokenizer, folder_tokenizer
from rlx.hub import find_model
from rlx.models.settings import TENSORS, Settings
from rlx.models.weights import Entry, FileWeights, names_of, refuse_unused, resolve, stored_weight, with_scales

# -- files that are not supported models: what they are, and what to do with them ------------------------------------


SAFE = "transformers' AutoModelForCausalLM.from_pretrained(folder).save_pretrained(new_folder) writes safetensors"
BEGINNINGS = {
    b"PK\x03\x04": ("a PyTorch checkpoint", f"pickled code is not run; {SAFE}"),
    b"\x80\x02": ("a PyTorch checkpoint of an earlier release", f"pickled code is not run; {SAFE}"),
    b"\x80\x04": ("a pickle", f"pickled code is not run; {SAFE}"),
    b"lmgg": ("a GGML file, from before GGUF", "download the model as GGUF"),
    b"tjgg": ("a GGJT file, from before GGUF", "download the model as GGUF"),
    b"fmgg": ("a GGMF file, from before GGUF", "download the model as GGUF"),
    b"24ka": ("a checkpoint of llama2.c", "llama2.c's export.py writes a Hugging Face folder with --hf"),
    b"\x89HDF": ("an HDF5 file", "download the model as safetensors"),
    b"\x1f\x8b": ("a gzip archive", "unpack it"),
    b"version https://git-lfs": ("a Git LFS pointer, not the file", "git lfs pull fetches the file"),
}
ENDINGS = {
    ".safetensors": ("a weights file without its config", "pass the folder, which also has config.json and tokenizer.json"),
    ".json": ("settings", "pass the folder they are in"),
    ".onnx": ("an ONNX model", "download the model as safetensors or GGUF"),
}
MERGE = "merge it into its model with peft's merge_and_unload(), and save that"
ADAPTERS = ("adapter_config.json", "adapter_model.safetensors", "adapter_model.bin")
OTHER_GGUF = {  # by general.type
    "adapter": ("a LoRA adapter", "merge it into its model with llama.cpp's llama-export-lora, which writes one file"),
    "mmproj": ("a projector for images", "pass the language model's file: RLX reads text models"),
    "imatrix": ("an importance matrix", "it is made for quantizing; pass the model's file"),
}
RUN_FILES = ("metrics.jsonl", "checkpoints", "model.safetensors")
PICKLED = ("pytorch_model*.bin", "*.pt", "*.pth", "consolidated*.pth")
ELSE = {"tf_model.h5": "TensorFlow", "flax_model.msgpack": "Flax", "model.onnx": "ONNX"}


def refuse_other_file(path: Path) -> None:
    """Raises RLX702 for a model file in a recognized but unsupported format."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        begin = file.read(64)
    if begin.startswith(b"GGUF"):
        return
    kind = next((what for start, what in BEGINNINGS.items() if begin.startswith(start)), None) or ENDINGS.get(path.suffix.lower())
    if kind is None and _is_llama2c(begin, path.stat().st_size):
        kind = BEGINNINGS[b"24ka"]
    if kind is not None:
        raise RlxError("RLX702", f"{path} is {kind[0]}", fix=f"{kind[1]}; supported: GGUF files, Hugging Face folders", at=None)


def refuse_other_gguf(path: Path, metadata: Mapping[str, Any]) -> None:
    """Raises RLX702 for a GGUF file whose metadata declares something else than a model."""
    kind = metadata.get("general.type", "model")
    if kind == "model":
        return
    what, fix = OTHER_GGUF.get(str(kind), (f"of the type {kind!r:.40}", "pass the model's own file"))
    raise RlxError("RLX702", f"{path} is {what}, not a model (general.type is {kind!r:.40})", fix=fix, at=None)


def refuse_adapter(folder: Path, *, beside: bool) -> None:
    """Raises RLX702 for a folder with a LoRA adapter, alone or `beside` a model, where transformers would apply it."""
    name = next((name for name in ADAPTERS if (folder / name).exists()), None)
    if name is None:
        return
    if not beside:
        raise RlxError("RLX702", f"{folder} is a LoRA adapter, not a model", fix=MERGE, at=None)
    message = f"{folder} has a LoRA adapter ({name}) beside its model; adapters are not applied"
    raise RlxError("RLX702", message, fix=f"{MERGE}; or move the adapter's files away to use the model without it", at=None)


def refuse_training_run(folder: Path) -> None:
    """Raises RLX703 for the output folder of an unfinished `rlx train`."""
    if not (folder / "vocabulary.json").exists() or not any((folder / name).exists() for name in RUN_FILES):
        return
    message = f"{folder} is the output of `rlx train`, without a finished model: it has no config.json"
    fix = "`rlx train` with the run's file goes on where it stopped, and writes the model at its end"
    raise RlxError("RLX703", message, fix=fix, at=None)


def _is_llama2c(begin: bytes, size: int) -> bool:
    """Whether a file starts with llama2.c's seven sizes and has the matching length."""
    if len(begin) < 28:
        return False
    sizes: tuple[int, ...] = struct.unpack_from("<7i", begin)
    width, inner, layers, heads, kv_heads, vocabulary, context = sizes
    if min(width, inner, layers, heads, kv_heads, abs(vocabulary), context) < 1 or width % heads:
        return False
    keys = width // heads * kv_heads
    numbers = abs(vocabulary) * width + layers * (2 * width + 2 * width * width + 2 * width * keys + 3 * width * inner) + width
    return numbers * 4 <= size <= (numbers + context * (width // heads) + abs(vocabulary) * width) * 4 + 28


def refuse_other_folder(folder: Path) -> None:
    """Raises RLX702 for a folder without supported weights, and names the files it has instead."""
    if (folder / "model.safetensors").exists() or (folder / "model.safetensors.index.json").exists():
        return
    pickled = _names(folder, PICKLED)
    if pickled:
        message = f"{folder} has its weights only in {pickled[0]}, a PyTorch checkpoint"
        raise RlxError("RLX702", message, fix=f"pickled code is not run; {SAFE}", at=None)
    other = next(((name, what) for name, what in ELSE.items() if (folder / name).exists()), None)
    if other is not None:
        raise RlxError("RLX702", f"{folder} has only {other[0]}: {other[1]}", fix="download the model's model.safetensors", at=None)
    there = _names(folder, ("*.safetensors", "*"))[:6]
    message = f"{folder} has no model.safetensors and no model.safetensors.index.json; it has {', '.join(there) or 'nothing'}"
    raise RlxError("RLX703", message, fix="download the weights too, under these names", at=None)


def _names(folder: Path, patterns: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(path.name for pattern in patterns for path in sorted(folder.glob(pattern))))


OF_THE_WHOLE = (
    "tie_word_embeddings",
    "quantization_config",
    "compression_config",
)  # top-level fields to ignore if a config has a text part


@dataclass
class ModelSource:
    """The interface of both model formats. `get` reads a setting; `read_weights` fills `weights` for a family."""

    path: Path
    architecture: str
    settings: Mapping[str, Any]
    tensors: Mapping[str, StoredTensor]
    weights: FileWeights = field(default_factory=FileWeights)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {str(self.path)!r}: {self.architecture}, {len(self.tensors)} tensors>"

    def get(self, key: str, *default: Any) -> Any:
        """Returns a setting; without a default, a missing one is RLX703. None counts as missing."""
        value = self.settings.get(key)
        if value is not None:
            return value
        if default:
            return default[0]
        raise RlxError(
            "RLX703", f"{self.path}: no setting {key!r}", fix=f"the architecture {self.architecture} requires it", at=None
        )

    def number(self, key: str, *default: float) -> float:
        """Returns a setting that is a finite number; anything else is RLX701."""
        value = self.get(key, *default)
        if isinstance(value, np.ndarray) and value.size and (value == value[0]).all():  # one per layer, all equal
            value = value[0]
        if isinstance(value, (int, float, np.integer, np.floating)) and math.isfinite(value):
            return float(value)
        raise RlxError("RLX701", f"{self.path}: {key} is {str(value)[:60]}", fix="one number", at=None)

    def integer(self, key: str, *default: int) -> int:
        """Returns a setting that is a non-negative integer; anything else is RLX701."""
        value = self.number(key, *default)
        if value < 0 or value != int(value):
            raise RlxError("RLX701", f"{self.path}: {key} is {value}", fix="an integer, 0 or more", at=None)
        return int(value)

    def count(self, key: str) -> int:
        """The number of layers: each has a tensor, so more layers than tensors is an error."""
        value = self.integer(key)
        if not 1 <= value <= len(self.tensors):
            raise RlxError("RLX701", f"{self.path}: {key} is {value}, the file has {len(self.tensors)} tensors", at=None)
        return value

    def choice(self, key: str, choices: Mapping[str, str], default: str) -> str:
        """Maps a setting's name to its choice; an unknown name is RLX702."""
        word = str(self.get(key, default))
        if word not in choices:
            raise RlxError("RLX702", f"{self.path}: {key} is {word!r}", fix=f"one of {', '.join(choices)}", at=None)
        return choices[word]

    def read_weights(self, table: Mapping[str, Entry], unused: Mapping[str, str]) -> None:
        """Fills `weights` by our names. A tensor that neither `table` nor a pattern of `unused` names is an error."""
        raise NotImplementedError

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The model's tokenizer."""
        raise NotImplementedError

    @property
    def files(self) -> list[MappedFile]:
        """The mapped files that hold the tensors."""
        return list({id(tensor.file): tensor.file for tensor in self.tensors.values()}.values())

    @property
    def nbytes(self) -> int:
        """Total bytes of all stored tensors."""
        return sum(tensor.nbytes for tensor in self.tensors.values())

    def release_pages(self) -> None:
        """Releases the file pages of weights that were copied."""
        for file in self.files:
            file.release_pages()


@dataclass(repr=False)
class GgufSource(ModelSource):
    """A model's GGUF file. Settings of its architecture need no prefix: `get("block_count")`. `keys_read` records the keys read."""

    file: GgufFile = field(kw_only=True)
    keys_read: set[str] = field(default_factory=set, kw_only=True)

    @staticmethod
    def open(path: Path) -> GgufSource:
        """Reads the header of a GGUF file."""
        file = read_gguf(path)
        refuse_other_gguf(Path(path), file.metadata)
        return GgufSource(Path(path), file.architecture, file.metadata, file.tensors, file=file)

    def get(self, key: str, *default: Any) -> Any:
        """Returns a metadata value, first with the architecture's prefix."""
        self.keys_read.add(key)
        own = self.settings.get(f"{self.architecture}.{key}")
        if own is None and key not in self.settings and not default:
            return super().get(f"{self.architecture}.{key}")
        return own if own is not None else super().get(key, *default)

    def read_weights(self, table: Mapping[str, Entry], unused: Mapping[str, str]) -> None:
        """Fills `weights`: our names are those of GGUF, each with an optional bias."""
        if table:
            known = {name.removesuffix(".bias") for name in table}
            names = {name.removesuffix(".weight").removesuffix(".bias"): name for name in self.tensors}
            refuse_unused([full for name, full in names.items() if name not in known], unused, self.path, self.architecture)
        self.weights = FileWeights({name.removesuffix(".weight"): stored_weight(tensor) for name, tensor in self.tensors.items()})

    def vector(self, name: str) -> Any:
        """The values of a small tensor, None if it is missing."""
        tensor = self.tensors.get(f"{name}.weight")
        return None if tensor is None else tensor.dequantized()

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer in the file's metadata."""
        return gguf_tokenizer(self.file)


@dataclass(repr=False)
class HfSource(ModelSource):
    """A Hugging Face folder: config.json, safetensors, tokenizer.json. `config` is the content of config.json."""

    config: Mapping[str, Any] = field(kw_only=True)

    @staticmethod
    def open(folder: Path) -> HfSource:
        """Reads config.json and the headers of the tensors."""
        config = read_json(folder / "config.json")
        names = config.get("architectures")
        if not isinstance(names, list) or not names or not isinstance(names[0], str):
            message = f"{folder / 'config.json'}: no architectures, model_type is {config.get('model_type')!r}"
            raise RlxError("RLX703", message, fix='add the class of the model: "architectures": ["LlamaForCausalLM"]', at=None)
        refuse_other_folder(folder)
        text = config.get("text_config")  # a model that also reads images
        shared = {key: config[key] for key in OF_THE_WHOLE if config.get(key) is not None}
        settings = {**config, **text, **shared} if isinstance(text, dict) else config
        tensors = with_scales(read_sharded(folder), settings, folder)
        return HfSource(folder, names[0], settings, tensors, config=config)

    def check(self, fields: Settings | None) -> None:
        """Selects the settings that the family reads; rejects values that it does not implement."""
        if fields is not None:
            self.settings = fields.check_fields(self.settings, self.path / "config.json")

    def read_weights(self, table: Mapping[str, Entry], unused: Mapping[str, str]) -> None:
        """Fills `weights` by the family's table, with or without a name prefix."""
        tensors = dict(self.tensors)
        for name, tensor in self.tensors.items():
            for other in _other_names(name):
                tensors.setdefault(other, tensor)
        known = {name for entry in table.values() for name in names_of(entry)}
        spare = [name for name in self.tensors if known.isdisjoint((name, *_other_names(name)))]
        refuse_unused(spare, unused, self.path, self.architecture)
        weights = {name: resolve(entry, tensors) for name, entry in table.items()}
        self._tie(weights)
        self.weights = FileWeights({name: weight for name, weight in weights.items() if weight is not None})
        self.weights.theirs = {name: next((n for n in names_of(entry) if n not in tensors), name) for name, entry in table.items()}

    def _tie(self, found: dict[str, Any]) -> None:
        """Reuses the embedding as the output layer if `tie_word_embeddings`, else requires an output layer."""
        tied = self.settings.get("tie_word_embeddings")
        if tied is True:
            found["output"] = None
        elif tied is False and "output" in found and found["output"] is None and "text_config" not in self.config:
            message = f"{self.path}: tie_word_embeddings is False, and there is no lm_head.weight"
            raise RlxError("RLX703", message, fix="use a folder with all its tensors", at=None)

    @property
    def rope_settings(self) -> dict[str, Any]:
        """Merges RoPE's settings: `rope_parameters` of current files, or `rope_scaling` and `rope_theta` of older ones."""
        declared = self.settings.get("rope_parameters") or self.settings.get("rope_scaling") or {}
        if not isinstance(declared, dict):
            raise RlxError("RLX701", f"{self.path}: the RoPE settings are {str(declared)[:60]}", fix="names and values", at=None)
        settings = dict(declared)
        if "rope_theta" not in settings and self.settings.get("rope_theta") is not None:
            settings["rope_theta"] = self.settings["rope_theta"]
        if self.settings.get("original_max_position_embeddings") is not None:
            settings["original_max_position_embeddings"] = self.settings["original_max_position_embeddings"]
        return settings

    @cached_property
    def generation(self) -> dict[str, Any]:
        """Reads generation_config.json; without the file, the EOS ids of config.json."""
        path = self.path / "generation_config.json"
        return read_json(path) if path.exists() else {"eos_token_id": self.config.get("eos_token_id")}

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer in tokenizer.json."""
        return folder_tokenizer(self.path)


def _other_names(name: str) -> Iterator[str]:
    """The names a tensor has in other files: with or without a prefix such as `model.`, or `language_model.` inside."""
    plain = name.replace("language_model.", "", 1)
    for prefix in ("model.", "transformer.", "bert.", "mpnet."):
        plain = plain.removeprefix(prefix)
    yield from (plain, f"model.{plain}")


def open_source(path: str | Path) -> GgufSource | HfSource:
    """Opens a GGUF file, a Hugging Face folder, or a model of an installed package by its name."""
    path = find_model(path)
    if path.is_dir():
        files = sorted(path.glob("*.gguf"))
        is_model = (path / "config.json").exists() and (not files or any(path.glob("*.safetensors")))
        refuse_adapter(path, beside=is_model or bool(files))
        if is_model:
            return HfSource.open(path)
        if len(files) == 1 or (files and "-00001-of-" in files[0].name):
            return GgufSource.open(files[0])
        refuse_training_run(path)
        raise RlxError(
            "RLX303", f"{path} has no config.json and {len(files)} GGUF files", fix="pass a model folder or one file", at=None
        )
    refuse_other_file(path)
    return GgufSource.open(path)


# -- how settings of a GGUF file that its family does not read are handled: documented as harmless, rejected, or named in a warning


HARMLESS: Mapping[str, str] = {
    "feed_forward_length": TENSORS,
    "expert_feed_forward_length": TENSORS,
    "expert_shared_feed_forward_length": TENSORS,
    "expert_shared_count": TENSORS,
    "leading_dense_block_count": TENSORS,
    "vocab_size": TENSORS,
    "attention.value_length": TENSORS,
    "attention.key_length": TENSORS,
    "attention.layer_norm_rms_epsilon": "for norms it does not have",
    "attention.layer_norm_epsilon": "for norms it does not have",
    "ssm.conv_kernel": TENSORS,
    "ssm.inner_size": TENSORS,
    "full_attention_interval": TENSORS,
    "tensor_data_layout": "the architecture says it",
    "rope.scaling.finetuned": "describes the training",
    "rope.dimension_sections": "for images: in text all sections share one position",
    "rope.dimension_count_swa": "the same as in the other layers",
    "attention.head_count_kv": "the same as the number of query heads",
    "rope.freq_base_swa": "for layers it does not have",
    "rope.dimension_count": "positions are learned",
    "rope.freq_base": "positions are learned",
}
ONLY: Mapping[str, tuple[Any, ...]] = {
    "attention.scale": (0,),
    "attention.clamp_kqv": (0,),
    "attention.max_alibi_bias": (0,),
    "logit_scale": (0, 1),
    "residual_scale": (0, 1),
    "embedding_scale": (0, 1),
    "attn_logit_softcapping": (0,),
    "final_logit_softcapping": (0,),
    "router_logit_softcapping": (0,),
    "expert_weights_scale": (0, 1),
    "expert_weights_norm": (True,),
    "expert_gating_func": (0, 1),
    "expert_group_count": (0, 1),
    "rope.scaling.attn_factor": (1,),
    "rope.scaling.yarn_log_multiplier": (0,),
    "rope.scale_linear": (1,),
    "use_parallel_residual": (False,),
    "attention.sliding_window": (0,),
    "rope.scaling.type": ("none",),
    "rope.scaling.factor": (0, 1),
    "expert_count": (0,),
}


def check_unread(source: GgufSource, *, embeds: bool) -> None:
    """Checks settings that the family did not read: RLX702 for a value that is not implemented, a warning for unknown settings."""
    prefix = f"{source.architecture}."
    unread = {key.removeprefix(prefix): value for key, value in source.settings.items() if key.startswith(prefix)}
    unread = {key: value for key, value in unread.items() if key not in source.keys_read and key not in HARMLESS}
    only = {**ONLY, "attention.causal": (not embeds,)}
    for key, value in unread.items():
        if key in only and not any(np.array_equal(value, right) for right in only[key]):
            message = f"{source.path}: {prefix}{key} is {str(value)[:60]}, which is not implemented"
            accepted = " or ".join(repr(right) for right in only[key])
            raise RlxError("RLX702", message, fix=f"use a model where it is {accepted}; results would be wrong otherwise", at=None)
    unknown = [f"{prefix}{key}={str(value)[:40]}" for key, value in unread.items() if key not in only and np.any(value)]
    if unknown:
        warnings.warn(f"rlx: {source.path}: unknown settings have no effect: {', '.join(unknown[:8])}", stacklevel=4)
