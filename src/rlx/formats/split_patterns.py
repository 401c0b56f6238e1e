"""Pre-tokenizer patterns of each family, as published, by GGUF's names for them (`tokenizer.ggml.pre`)."""

from __future__ import annotations

_ENDINGS = "'s|'t|'re|'ve|'m|'ll|'d"
_SPACES = r"\s+(?!\S)|\s+"
_GPT2 = rf"{_ENDINGS}| ?\p{{L}}+| ?\p{{N}}+| ?[^\s\p{{L}}\p{{N}}]+|{_SPACES}"


def _modern(digits: str, letters: str = r"\p{L}", others: str = r"\p{L}\p{N}") -> str:
    """Llama 3 and similar: contractions in either case, a symbol before a word, line breaks with the text before them."""
    return rf"(?i:{_ENDINGS})|[^\r\n\p{{L}}\p{{N}}]?[{letters}]+|{digits}| ?[^\s{others}]+[\r\n]*|\s*[\r\n]+|{_SPACES}"


_DIGITS_ALONE = (r"\p{N}", _GPT2)
_PATTERNS: dict[str, tuple[str, ...]] = {
    "gpt-2": (_GPT2,),
    "llama-bpe": (_modern(r"\p{N}{1,3}"),),
    "qwen2": (_modern(r"\p{N}"),),
    "qwen35": (_modern(r"\p{N}", r"\p{L}\p{M}", r"\p{L}\p{M}\p{N}"),),
    "smollm": _DIGITS_ALONE,
    "starcoder": _DIGITS_ALONE,
    "refact": _DIGITS_ALONE,
    "command-r": _DIGITS_ALONE,
    "falcon": (r"[\p{P}\$\+<=>\^~\|`]+", _GPT2, r"[0-9][0-9][0-9]"),
    "default": (r"[\p{P}\$\+<=>\^~\|]+", _GPT2, r"\p{N}+", r"[0-9][0-9][0-9]"),
}
_SAME = {
    "llama3": "llama-bpe",
    "llama-v3": "llama-bpe",
    "dbrx": "llama-bpe",
    "smaug-bpe": "llama-bpe",
    "mpt": "gpt-2",
    "olmo": "gpt-2",
    "gpt-neox": "gpt-2",
    "phi-2": "gpt-2",
    "modern-bert": "gpt-2",
    "jina-es": "gpt-2",
    "exaone": "gpt-2",
    "deepseek-r1-qwen": "qwen2",
    "stablelm2": "qwen2",
    "megrez": "qwen2",
    "codeshell": "starcoder",
}


def patterns_of(name: str) -> tuple[str, ...] | None:
    """The patterns of a family, each applied to the pieces of the previous one; None for an unknown name."""
    return _PATTERNS.get(_SAME.get(name, name))
