"""Settings: how a family handles each field of a Hugging Face config.

A field is read, documented as harmless, or rejected if it has a value that is not implemented. A field that the config class does not
have, or that its code does not read, is ignored, as in transformers, and a warning names it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rlx.core.errors import RlxError

TENSORS = "follows from the names and shapes of the tensors"
TRAINING = "for training only"
HEADS = "for heads that are not computed"
COMPUTING = "another implementation of the same computation"
EVERYWHERE: Mapping[str, str] = {  # fields of every config
    "_name_or_path": "its origin",
    "transformers_version": "the program that wrote it",
    "auto_map": "code that is not run",
    "architectures": "read before the family is known",
    "model_type": "read before the family is known",
    "dtype": "each tensor states its type",
    "torch_dtype": "each tensor states its type",
    "bos_token_id": "the tokenizer's files say it",
    "pad_token_id": "padding follows from the lengths",
    "eos_token_id": "read with the generation settings",
    "quantization_config": "read with the tensors",
    "compression_config": "read with the tensors",
    "output_hidden_states": "what a call returns",
    "output_attentions": "what a call returns",
    "return_dict": "what a call returns",
    "use_cache": "caches are always used",
    "cache_implementation": COMPUTING,
    "chunk_size_feed_forward": COMPUTING,
    "_attn_implementation": COMPUTING,
    "attn_implementation": COMPUTING,
    "_attn_implementation_autoset": COMPUTING,
    "initializer_range": TRAINING,
    "attention_dropout": TRAINING,
    "gradient_checkpointing": TRAINING,
    "tf_legacy_loss": TRAINING,
    "id2label": HEADS,
    "label2id": HEADS,
    "problem_type": HEADS,
    "num_labels": HEADS,
    "torchscript": COMPUTING,
    "transformers.js_config": "for another program",
    "is_llama_config": "the architecture says it",
    "unsloth_version": "describes the training",
    "unsloth_fixed": "describes the training",
}
EVERYWHERE_ONLY: Mapping[str, tuple[Any, ...]] = {
    "is_encoder_decoder": (False,),
    "is_decoder": (False, True),
    "add_cross_attention": (False,),
    "cross_attention_hidden_size": (None,),
    "pruned_heads": ({},),
    "rope_interleaved": (False,),
    "use_bfloat16": (False,),
}


@dataclass(frozen=True)
class Settings:
    """The fields of one config class in config.json, and of older files of that class.

    `defaults` are the class's values for missing fields, if the reader's own default would differ.

    >>> settings = Settings.of("hidden_size", only={"causal": (True,)}, harmless={"dropout": TRAINING})
    >>> settings.check_fields({"hidden_size": 64, "causal": True, "dropout": 0.1}, "folder")
    {'hidden_size': 64}
    """

    read: frozenset[str]
    harmless: Mapping[str, str] = field(default_factory=dict)
    only: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    unused: frozenset[str] = frozenset()  # fields that the class's code does not read: a warning names them
    defaults: Mapping[str, Any] = field(default_factory=dict)

    @staticmethod
    def of(
        read: str, *, harmless: Mapping[str, str] | None = None, only: Mapping[str, tuple[Any, ...]] | None = None, **defaults: Any
    ) -> Settings:
        """Builds settings from field names in one text, and other arguments by name."""
        return Settings(frozenset(read.split()), harmless or {}, only or {}, defaults=defaults)

    def and_also(
        self,
        read: str = "",
        *,
        harmless: Mapping[str, str] | None = None,
        only: Mapping[str, tuple[Any, ...]] | None = None,
        unused: str = "",
        **defaults: Any,
    ) -> Settings:
        """The settings with more fields."""
        return Settings(
            self.read | frozenset(read.split()),
            {**self.harmless, **(harmless or {})},
            {**self.only, **(only or {})},
            self.unused | frozenset(unused.split()),
            {**self.defaults, **defaults},
        )

    @property
    def known(self) -> frozenset[str]:
        """All fields that the reader knows."""
        return frozenset((*self.read, *self.harmless, *self.only, *self.unused, *EVERYWHERE, *EVERYWHERE_ONLY))

    def check_fields(self, given: Mapping[str, Any], path: str | Path) -> dict[str, Any]:
        """Returns the settings to read; a value that is not implemented is RLX702, and unknown fields give a warning."""
        for name, values in {**EVERYWHERE_ONLY, **self.only}.items():
            if name in given and given[name] is not None and given[name] not in values:
                accepted = " or ".join(repr(value) for value in values)
                message = f"{path}: {name} is {str(given[name])[:60]!r}, which is not implemented"
                raise RlxError(
                    "RLX702", message, fix=f"use a model where it is {accepted}; results would be wrong otherwise", at=None
                )
        self._tell_of_unknown(given, path)
        return {**self.defaults, **{name: value for name, value in given.items() if name in self.read}}

    def _tell_of_unknown(self, given: Mapping[str, Any], path: str | Path) -> None:
        known = self.known - self.unused
        unknown = [name for name, value in given.items() if name not in known and _says_something(value)]
        if unknown:
            shown = ", ".join(f"{name}={str(given[name])[:40]}" for name in unknown[:8])
            warnings.warn(f"rlx: {path}: fields that this architecture does not use have no effect: {shown}", stacklevel=6)


def _says_something(value: Any) -> bool:
    """Whether a setting has an effect: not None, False, 0 or empty."""
    return bool(value) if not isinstance(value, Iterable) or isinstance(value, (str, list, dict, tuple)) else True
