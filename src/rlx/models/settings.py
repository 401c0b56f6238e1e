"""Settings: what a family makes of each field of a Hugging Face config.

A field is read, harmless for a written reason, or refused where it has a value that is not implemented. What a family's config class has
no field for is not believed, as transformers does not: it is left out of what the family reads, and a warning names it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rlx.core.errors import RlxError

__all__ = ["COMPUTING", "HEADS", "TENSORS", "TRAINING", "Settings"]

TENSORS = "the file's tensors say it by their names and shapes"
TRAINING = "of training alone"
HEADS = "of heads that are not computed"
COMPUTING = "another way to compute the same"
EVERYWHERE: Mapping[str, str] = {  # fields of every config
    "_name_or_path": "where it came from",
    "transformers_version": "what wrote it",
    "auto_map": "code that is not run",
    "architectures": "read before the family is known",
    "model_type": "read before the family is known",
    "dtype": "tensors have types of their own",
    "torch_dtype": "tensors have types of their own",
    "bos_token_id": "the tokenizer's files say it",
    "pad_token_id": "rows are padded by their lengths",
    "eos_token_id": "read with the settings of generation",
    "quantization_config": "read with the tensors",
    "compression_config": "read with the tensors",
    "output_hidden_states": "what a call gives back",
    "output_attentions": "what a call gives back",
    "return_dict": "what a call gives back",
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
    "unsloth_version": "what trained it",
    "unsloth_fixed": "what trained it",
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
    """The fields of one config class, and of the files its earlier releases wrote.

    `defaults` is what the class has for a field that a file leaves out, where reading it otherwise would find another value.

    >>> settings = Settings.of("hidden_size", only={"causal": (True,)}, harmless={"dropout": TRAINING})
    >>> settings.checked({"hidden_size": 64, "causal": True, "dropout": 0.1}, "folder")
    {'hidden_size': 64}
    """

    read: frozenset[str]
    harmless: Mapping[str, str] = field(default_factory=dict)
    only: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)

    @staticmethod
    def of(
        read: str,
        *,
        harmless: Mapping[str, str] | None = None,
        only: Mapping[str, tuple[Any, ...]] | None = None,
        **defaults: Any,
    ) -> Settings:
        """Names that are read as one text, with the others by name."""
        return Settings(frozenset(read.split()), harmless or {}, only or {}, defaults)

    def and_also(
        self,
        read: str = "",
        *,
        harmless: Mapping[str, str] | None = None,
        only: Mapping[str, tuple[Any, ...]] | None = None,
        **defaults: Any,
    ) -> Settings:
        """The same with more fields."""
        return Settings(
            self.read | frozenset(read.split()),
            {**self.harmless, **(harmless or {})},
            {**self.only, **(only or {})},
            {**self.defaults, **defaults},
        )

    @property
    def known(self) -> frozenset[str]:
        """All fields that something is said about."""
        return frozenset((*self.read, *self.harmless, *self.only, *EVERYWHERE, *EVERYWHERE_ONLY))

    def checked(self, given: Mapping[str, Any], path: str | Path) -> dict[str, Any]:
        """The settings that are read; a value that is not implemented is RLX702, and fields that nobody knows are told of."""
        for name, values in {**EVERYWHERE_ONLY, **self.only}.items():
            if name in given and given[name] is not None and given[name] not in values:
                wanted = " or ".join(repr(value) for value in values)
                message = f"{path}: {name} is {str(given[name])[:60]!r}, which is not implemented"
                raise RlxError(
                    "RLX702", message, fix=f"a model where it is {wanted}; results would be wrong otherwise", at=None
                )
        self._tell_of_unknown(given, path)
        return {**self.defaults, **{name: value for name, value in given.items() if name in self.read}}

    def _tell_of_unknown(self, given: Mapping[str, Any], path: str | Path) -> None:
        unknown = [name for name, value in given.items() if name not in self.known and _says_something(value)]
        if unknown:
            shown = ", ".join(f"{name}={str(given[name])[:40]}" for name in unknown[:8])
            warnings.warn(
                f"rlx: {path}: settings that are no fields of this architecture have no effect: {shown}", stacklevel=6
            )


def _says_something(value: Any) -> bool:
    """Whether a setting asks for anything: not None, False, 0 or empty."""
    return bool(value) if not isinstance(value, Iterable) or isinstance(value, (str, list, dict, tuple)) else True
