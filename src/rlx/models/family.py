"""Family: how the models of one architecture are read and built; the table of all families."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rlx.core.errors import RlxError
from rlx.core.files import read_regular
from rlx.core.precision import Precision, PrecisionPolicy
from rlx.models.settings import Settings
from rlx.models.source import GgufSource, HfSource
from rlx.models.weights import Entry
from rlx.passes.entry import OPTIONAL

if TYPE_CHECKING:
    from rlx.models.flow import Flow


@dataclass(frozen=True)
class Config:
    """The config fields of every model family, which adds its own.

    >>> Config("llama", layers=2, width=64, vocab_size=300, context_length=128).width
    64
    """

    architecture: str
    layers: int
    width: int
    vocab_size: int
    context_length: int

    def check_heads(self, heads: int) -> None:
        """Raises RLX701 if the heads do not divide the width."""
        if min(heads, self.width) < 1 or self.width % heads:
            message = f"{self.architecture}: {heads} heads in a width of {self.width}"
            raise RlxError("RLX701", message, fix="a width that is a multiple of the heads", at=None)


@dataclass(frozen=True)
class Family:
    """A model family: its architecture names in both formats, and the functions that read and build it.

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
    """Registers your own model family for `load_model`; the latest one of an architecture wins.

    >>> from dataclasses import replace
    >>> from rlx.models.llama import FAMILY
    >>> register(replace(FAMILY, gguf=("my-llama",), hf=()))  # doctest: +SKIP
    """
    _REGISTERED.insert(0, family)


def supported(kind: str) -> list[str]:
    """The supported model architectures in `gguf` files or `hf` folders.

    >>> "llama" in supported("gguf"), "BertModel" in supported("hf")
    (True, True)
    """
    column = ("gguf", "hf").index(kind)
    own = [name for family in _REGISTERED for name in (family.gguf, family.hf)[column]]
    return sorted({*own, *(name for names in MODULES.values() for name in names[column])})


def family_of(source: GgufSource | HfSource) -> Family:
    """Finds the family that reads a model file; an unknown architecture is RLX704."""
    kind = "gguf" if isinstance(source, GgufSource) else "hf"
    for family in _REGISTERED:
        if source.architecture in getattr(family, kind):
            return family
    for module, names in MODULES.items():
        if source.architecture in names[("gguf", "hf").index(kind)]:
            loaded: Family = import_module(f"rlx.models.{module}").FAMILY
            return loaded
    message = f"{source.path}: architecture {source.architecture!r} is not supported"
    known = ", ".join(supported(kind))
    raise RlxError("RLX704", message, fix=f"supported: {known}; docs/models.md shows how to add one", at=None)


# -- profile: how a model is compiled and run, as a file `NAME.rlx.toml`. Every key has a default; an unknown one is an error


CACHES = ("auto", "f32", "f16", "bf16")


@dataclass(frozen=True)
class Profile:
    """The keys of a tuning profile for `load_model`.

    >>> Profile.parse('quant_mode = "exact"\\nskip = ["fuse attention"]').options()
    {'quant_mode': 'exact', 'skip': ('fuse attention',)}
    """

    fusion: bool | str = True  # false: every op is a kernel; "clean": a missed fusion is an error
    precision: str = "always_f32"  # a policy's name, or a table of kinds
    store_params: str = "f32"
    quant_mode: str = "fast"
    skip: tuple[str, ...] = ()  # passes
    fold_elements: int = 1 << 16  # constants up to this size are computed at compile time
    threads: int = 0  # of the process; 0: unchanged
    cache_dtype: str = "auto"  # of keys and values; auto: f16 if products round activations anyway, else f32

    @staticmethod
    def read(path: str | Path) -> Profile:
        """Reads a profile file; a missing or invalid one is RLX707."""
        path = Path(path)
        if not path.name.endswith(".rlx.toml"):
            raise RlxError("RLX707", f"{path} does not have a profile's file name", fix="NAME.rlx.toml", at=None)
        try:
            text = read_regular(path).decode()
        except (RlxError, UnicodeDecodeError) as error:
            raise RlxError(
                "RLX707", f"{path}: {getattr(error, 'message', error)}", fix="pass an existing text file", at=None
            ) from None
        return Profile.parse(text, str(path))

    @staticmethod
    def parse(text: str, place: str = "profile") -> Profile:
        """Parses the text of a profile."""
        import difflib
        import tomllib

        try:
            settings = tomllib.loads(text)
        except (ValueError, RecursionError) as error:  # TOMLDecodeError is one, and so is a number of 5000 digits
            raise RlxError("RLX707", f"{place}: {error}", fix="TOML: `key = value` on each line", at=None) from None
        known = [field.name for field in fields(Profile)]
        for key in settings:
            if key not in known:
                near = difflib.get_close_matches(key, known, 1)
                fix = f"did you mean {near[0]}?" if near else f"one of: {', '.join(known)}"
                raise RlxError("RLX707", f"{place}: unknown key {key!r}", fix=fix, at=None)
        for key, value in settings.items():
            problem = _problem(key, value)
            if problem is not None:
                raise RlxError("RLX707", f"{place}: {key} is {value!r}", fix=problem, at=None)
        if "precision" in settings:
            settings["precision"] = str(PrecisionPolicy.parse(settings["precision"]))
        if "skip" in settings:
            settings["skip"] = tuple(settings["skip"])
        return Profile(**settings)

    def options(self) -> dict[str, Any]:
        """The options of `rlx.compile` that differ from their defaults."""
        options: dict[str, Any] = {}
        if self.fusion is not True:
            options |= {"fuse": False} if self.fusion is False else {"assert_fusion_clean": True}
        for key in ("precision", "store_params", "quant_mode", "skip", "fold_elements"):
            if getattr(self, key) != getattr(Profile, key):
                options[key] = getattr(self, key)
        return options


_WORDS: dict[str, tuple[str, ...]] = {
    "quant_mode": ("fast", "exact"),
    "cache_dtype": CACHES,
    "store_params": tuple(precision.value for precision in Precision),
}


def _problem(key: str, value: Any) -> str | None:
    """The text of what a profile key accepts, if its value is invalid."""
    if key == "precision":
        try:
            PrecisionPolicy.parse(value)
        except RlxError as error:
            return error.fix or str(error)
        return None
    if key in _WORDS:
        valid, accepted = value in _WORDS[key], f"one of: {', '.join(_WORDS[key])}"
    elif key == "fusion":
        valid, accepted = isinstance(value, bool) or value == "clean", 'true, false or "clean"'
    elif key == "skip":
        valid = isinstance(value, list) and all(name in OPTIONAL for name in value)
        accepted = f"a list of passes, any of: {', '.join(OPTIONAL)}"
    else:  # threads, fold_elements
        valid, accepted = type(value) is int and 0 <= value < 1 << 31, "an integer, 0 or more"
    return None if valid else accepted
