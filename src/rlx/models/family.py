"""Family: how the models of one architecture are read and built; the table of all families."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rlx.core.errors import RlxError
from rlx.models.settings import Settings
from rlx.models.source import GgufSource, HfSource
from rlx.models.weights import Entry

if TYPE_CHECKING:
    from rlx.models.flow import Flow


@dataclass(frozen=True)
class Config:
    """The config fields of every model. A family adds its own.

    >>> Config("llama", layers=2, width=64, vocab_size=300, context_length=128).width
    64
    """

    architecture: str
    layers: int
    width: int
    vocab_size: int
    context_length: int


@dataclass(frozen=True)
class Family:
    """Architecture names in both formats, and the functions that read and build them.

    >>> from rlx.models.llama import FAMILY
    >>> FAMILY.gguf, FAMILY.recurrent, FAMILY.embeds
    (('llama',), False, False)
    """

    gguf: tuple[str, ...]
    hf: tuple[str, ...]
    from_gguf: Callable[[GgufSource], Any]
    from_hf: Callable[[HfSource], Any]
    hf_names: Callable[[Any], Mapping[str, Entry]]  # our name → theirs
    build: Callable[[Flow, Any], None]
    draft: Callable[[Flow, Any], None] | None = None  # a second graph: the multi-token prediction head
    recurrent: bool = False  # has states that cannot be rewound by a smaller `start`
    embeds: bool = False  # outputs an embedding, not logits
    # by Hugging Face architecture; a missing one is not checked
    settings: Mapping[str, Settings] = field(default_factory=dict)
    unused: Mapping[str, str] = field(default_factory=dict)  # patterns of tensor names to ignore, with the reason


# module → its architectures in GGUF files, in Hugging Face folders; the module is imported on first use
MODULES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "llama": (("llama",), ("LlamaForCausalLM", "MistralForCausalLM", "MixtralForCausalLM")),
    "qwen": (("qwen2", "qwen3", "qwen3moe"), ("Qwen2ForCausalLM", "Qwen3ForCausalLM", "Qwen3MoeForCausalLM")),
    "gemma": (
        ("gemma", "gemma2", "gemma3"),
        ("GemmaForCausalLM", "Gemma2ForCausalLM", "Gemma3ForCausalLM", "Gemma3ForConditionalGeneration"),
    ),
    "phi3": (("phi3",), ("Phi3ForCausalLM",)),
    "gpt2": (("gpt2",), ("GPT2LMHeadModel",)),
    "qwen35": (
        ("qwen35", "qwen35moe"),
        ("Qwen3_5ForCausalLM", "Qwen3_5ForConditionalGeneration", "Qwen3_5MoeForCausalLM", "Qwen3_5MoeForConditionalGeneration"),
    ),
    "mamba": (("mamba",), ("MambaForCausalLM",)),
    "bert": (("bert",), ("BertModel", "BertForMaskedLM")),
    "mpnet": ((), ("MPNetModel", "MPNetForMaskedLM")),
    "modernbert": (("modern-bert",), ("ModernBertModel", "ModernBertForMaskedLM")),
}
_REGISTERED: list[Family] = []


def register(family: Family) -> None:
    """Register your own family for `load_model`; the latest one of an architecture wins.

    >>> from dataclasses import replace
    >>> from rlx.models.llama import FAMILY
    >>> register(replace(FAMILY, gguf=("my-llama",), hf=()))  # doctest: +SKIP
    """
    _REGISTERED.insert(0, family)


def supported(kind: str) -> list[str]:
    """The supported architectures in `gguf` files or `hf` folders.

    >>> "llama" in supported("gguf"), "BertModel" in supported("hf")
    (True, True)
    """
    column = ("gguf", "hf").index(kind)
    own = [name for family in _REGISTERED for name in (family.gguf, family.hf)[column]]
    return sorted({*own, *(name for names in MODULES.values() for name in names[column])})


def family_of(source: GgufSource | HfSource) -> Family:
    """The family that reads a source; an unknown architecture is RLX704."""
    kind = "gguf" if isinstance(source, GgufSource) else "hf"
    for family in _REGISTERED:
        if source.architecture in getattr(family, kind):
            return family
    for module, names in MODULES.items():
        if source.architecture in names[("gguf", "hf").index(kind)]:
            found: Family = import_module(f"rlx.models.{module}").FAMILY
            return found
    message = f"{source.path}: architecture {source.architecture!r} is not supported"
    known = ", ".join(supported(kind))
    raise RlxError("RLX704", message, fix=f"supported: {known}; docs/models.md shows how to add one", at=None)
