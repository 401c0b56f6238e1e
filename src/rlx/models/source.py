"""Source: a model's file or folder: its settings, its tensors by our names, its tokenizer."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
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
from rlx.models.fp8 import with_scales
from rlx.models.other_files import refuse_adapter, refuse_other_file, refuse_other_folder, refuse_other_gguf, refuse_training_run
from rlx.models.settings import Settings
from rlx.models.weights import Entry, FileWeights, names_of, refuse_unused, resolve, stored_weight

OF_THE_WHOLE = (
    "tie_word_embeddings",
    "quantization_config",
    "compression_config",
)  # top-level fields to ignore if a config has a text part


@dataclass
class ModelSource:
    """The interface of both formats. `get` reads a setting; `read_weights` fills `weights` for a family."""

    path: Path
    architecture: str
    settings: Mapping[str, Any]
    tensors: Mapping[str, StoredTensor]
    weights: FileWeights = field(default_factory=FileWeights)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {str(self.path)!r}: {self.architecture}, {len(self.tensors)} tensors>"

    def get(self, key: str, *default: Any) -> Any:
        """A setting; without a default, a missing one is RLX703. None counts as missing."""
        value = self.settings.get(key)
        if value is not None:
            return value
        if default:
            return default[0]
        raise RlxError(
            "RLX703", f"{self.path}: no setting {key!r}", fix=f"the architecture {self.architecture} requires it", at=None
        )

    def number(self, key: str, *default: float) -> float:
        """A setting that is a finite number; anything else is RLX701."""
        value = self.get(key, *default)
        if isinstance(value, np.ndarray) and value.size and (value == value[0]).all():  # one per layer, all equal
            value = value[0]
        if isinstance(value, (int, float, np.integer, np.floating)) and math.isfinite(value):
            return float(value)
        raise RlxError("RLX701", f"{self.path}: {key} is {str(value)[:60]}", fix="one number", at=None)

    def integer(self, key: str, *default: int) -> int:
        """A setting that is a non-negative integer; anything else is RLX701."""
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
        """The choice that a setting names; an unknown name is RLX702."""
        word = str(self.get(key, default))
        if word not in choices:
            raise RlxError("RLX702", f"{self.path}: {key} is {word!r}", fix=f"one of {', '.join(choices)}", at=None)
        return choices[word]

    def read_weights(self, table: Mapping[str, Entry], unused: Mapping[str, str]) -> None:
        """Fill `weights`, by our names. A tensor that `table` does not use is an error, unless a pattern of `unused` matches its name."""
        raise NotImplementedError

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The file's tokenizer."""
        raise NotImplementedError

    @property
    def files(self) -> list[MappedFile]:
        """The mapped files behind the tensors."""
        return list({id(tensor.file): tensor.file for tensor in self.tensors.values()}.values())

    @property
    def nbytes(self) -> int:
        """Total bytes of all stored tensors."""
        return sum(tensor.nbytes for tensor in self.tensors.values())

    def release_pages(self) -> None:
        """Release the pages of weights that were copied."""
        for file in self.files:
            file.release_pages()


@dataclass(repr=False)
class GgufSource(ModelSource):
    """A GGUF file. Settings of its architecture need no prefix: `get("block_count")`. `keys_read` records those that were read."""

    file: GgufFile = field(kw_only=True)
    keys_read: set[str] = field(default_factory=set, kw_only=True)

    @staticmethod
    def open(path: Path) -> GgufSource:
        """Read the header."""
        file = read_gguf(path)
        refuse_other_gguf(Path(path), file.metadata)
        return GgufSource(Path(path), file.architecture, file.metadata, file.tensors, file=file)

    def get(self, key: str, *default: Any) -> Any:
        """A setting, the architecture's own first."""
        self.keys_read.add(key)
        own = self.settings.get(f"{self.architecture}.{key}")
        if own is None and key not in self.settings and not default:
            return super().get(f"{self.architecture}.{key}")
        return own if own is not None else super().get(key, *default)

    def read_weights(self, table: Mapping[str, Entry], unused: Mapping[str, str]) -> None:
        """Our names are the file's; each can have a bias."""
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
        """From the file's metadata."""
        return gguf_tokenizer(self.file)


@dataclass(repr=False)
class HfSource(ModelSource):
    """A Hugging Face folder: config.json, safetensors, tokenizer.json. `config` is the content of config.json."""

    config: Mapping[str, Any] = field(kw_only=True)

    @staticmethod
    def open(folder: Path) -> HfSource:
        """Read config.json and the headers of the tensors."""
        config = read_json(folder / "config.json")
        names = config.get("architectures")
        if not isinstance(names, list) or not names or not isinstance(names[0], str):
            message = f"{folder / 'config.json'}: no architectures, model_type is {config.get('model_type')!r}"
            raise RlxError("RLX703", message, fix='add the class of the model: "architectures": ["LlamaForCausalLM"]', at=None)
        refuse_other_folder(folder)
        text = config.get("text_config")  # a model that also reads images
        whole = {key: config[key] for key in OF_THE_WHOLE if config.get(key) is not None}
        settings = {**config, **text, **whole} if isinstance(text, dict) else config
        tensors = with_scales(read_sharded(folder), settings, folder)
        return HfSource(folder, names[0], settings, tensors, config=config)

    def check(self, fields: Settings | None) -> None:
        """Keep the settings that the family reads; reject values that it does not implement."""
        if fields is not None:
            self.settings = fields.checked(self.settings, self.path / "config.json")

    def read_weights(self, table: Mapping[str, Entry], unused: Mapping[str, str]) -> None:
        """From the family's table, with or without a name prefix."""
        tensors = dict(self.tensors)
        for name, tensor in self.tensors.items():
            for other in _other_names(name):
                tensors.setdefault(other, tensor)
        known = {name for entry in table.values() for name in names_of(entry)}
        spare = [name for name in self.tensors if known.isdisjoint((name, *_other_names(name)))]
        refuse_unused(spare, unused, self.path, self.architecture)
        found = {name: resolve(entry, tensors) for name, entry in table.items()}
        self._tie(found)
        self.weights = FileWeights({name: weight for name, weight in found.items() if weight is not None})
        self.weights.theirs = {name: next((n for n in names_of(entry) if n not in tensors), name) for name, entry in table.items()}

    def _tie(self, found: dict[str, Any]) -> None:
        """If `tie_word_embeddings`, the embedding is the output layer, whatever the file has; otherwise the output layer must exist."""
        tied = self.settings.get("tie_word_embeddings")
        if tied is True:
            found["output"] = None
        elif tied is False and "output" in found and found["output"] is None and "text_config" not in self.config:
            message = f"{self.path}: tie_word_embeddings is False, and there is no lm_head.weight"
            raise RlxError("RLX703", message, fix="use a folder with all its tensors", at=None)

    @property
    def rope_settings(self) -> dict[str, Any]:
        """`rope_parameters` of current files, or `rope_scaling` and `rope_theta` of earlier ones, as one."""
        given = self.settings.get("rope_parameters") or self.settings.get("rope_scaling") or {}
        if not isinstance(given, dict):
            raise RlxError("RLX701", f"{self.path}: the RoPE settings are {str(given)[:60]}", fix="names and values", at=None)
        found = dict(given)
        if "rope_theta" not in found and self.settings.get("rope_theta") is not None:
            found["rope_theta"] = self.settings["rope_theta"]
        if self.settings.get("original_max_position_embeddings") is not None:
            found["original_max_position_embeddings"] = self.settings["original_max_position_embeddings"]
        return found

    @cached_property
    def generation(self) -> dict[str, Any]:
        """generation_config.json; without it, the EOS ids of config.json."""
        path = self.path / "generation_config.json"
        return read_json(path) if path.exists() else {"eos_token_id": self.config.get("eos_token_id")}

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """tokenizer.json."""
        return folder_tokenizer(self.path)


def _other_names(name: str) -> Iterator[str]:
    """A tensor's name in other files: with or without a prefix such as `model.`, with or without `language_model.` inside."""
    plain = name.replace("language_model.", "", 1)
    for prefix in ("model.", "transformer.", "bert.", "mpnet."):
        plain = plain.removeprefix(prefix)
    yield from (plain, f"model.{plain}")


def open_source(path: str | Path) -> GgufSource | HfSource:
    """A GGUF file, a Hugging Face folder, or the name of a model in an installed package."""
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
