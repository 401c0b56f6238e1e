"""Sampling defaults and end tokens from a model's own files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlx.core.errors import RlxError
from rlx.generate.sampling_settings import Sampling
from rlx.models import Model

_GGUF = {
    "temp": "temperature",
    "top_k": "top_k",
    "top_p": "top_p",
    "min_p": "min_p",
    "penalty_repeat": "repetition_penalty",
    "penalty_last_n": "penalty_window",
}
_ENDS = frozenset(
    (
        "<|endoftext|>",
        "<|end_of_text|>",
        "<|im_end|>",
        "<|eot_id|>",
        "<|eom_id|>",
        "<|end|>",
        "<|end_of_turn|>",
        "<end_of_turn>",
        "<EOT>",
        "</s>",
        "<|return|>",
        "<|call|>",
    )
)
"""Names of special tokens that end an answer. Files often declare only one of theirs."""
_CHAT = {"temperature": 0.7, "top_p": 0.9, "min_p": 0.05}
"""For conversations with models whose files say nothing: varied, without unlikely tokens."""
_HF = ("temperature", "top_k", "top_p", "min_p", "repetition_penalty")


def default_sampling(model: Model) -> Sampling:
    """Of texts: from generation_config.json if it sets do_sample, or a GGUF's general.sampling.*; greedy if there is neither."""
    return _sampling(model, _own_settings(model))


def chat_sampling(model: Model) -> Sampling:
    """Of conversations: the same, but if there is neither, temperature 0.7, top-p 0.9, min-p 0.05.

    A generation_config.json that says `"do_sample": false` is the model's own choice: greedy.
    """
    generation: Mapping[str, Any] = getattr(model.source, "generation", {})
    found = _own_settings(model)
    return _sampling(model, found if found or generation.get("do_sample") is False else _CHAT)


def _own_settings(model: Model) -> dict[str, Any]:
    """What a model's files say."""
    generation: Mapping[str, Any] = getattr(model.source, "generation", {})
    found = {name: generation[name] for name in _HF if generation.get("do_sample") and generation.get(name) is not None}
    if generation.get("do_sample"):
        found.setdefault("temperature", 1.0)
    settings: Mapping[str, Any] = getattr(model.source, "settings", {})
    for theirs, ours in _GGUF.items():
        value = settings.get(f"general.sampling.{theirs}")
        if isinstance(value, (int, float)):
            found[ours] = value if isinstance(value, int) else float(value)
    return found


def _sampling(model: Model, found: Mapping[str, Any]) -> Sampling:
    """Settings of a file, checked; an error names the file."""
    for name, value in found.items():
        whole = name in ("top_k", "penalty_window")
        if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
            message = f"{model.source.path}: its own settings say {name} is {value!r:.60}"
            raise RlxError("RLX902", message, fix="an integer" if whole else "a number", at=None)
    try:
        return Sampling(**found)
    except RlxError as error:
        raise RlxError("RLX902", f"{model.source.path}: its own settings say {error.message}", fix=error.fix, at=None) from None


def end_ids(model: Model) -> frozenset[int]:
    """The tokens that end a text: the tokenizer's, generation_config's, and special tokens whose names say so."""
    named = getattr(model.source, "generation", {}).get("eos_token_id")
    more = (
        [named]
        if isinstance(named, int)
        else [number for number in named if isinstance(number, int)]
        if isinstance(named, list)
        else []
    )
    names = model.tokenizer.names
    inner = {"<|end|>"} if "<|return|>" in names else set()  # it ends one of several messages of an answer
    by_name = (number for name, number in names.items() if name in _ENDS - inner)
    return frozenset((*model.tokenizer.eos, *by_name, *more))


def stop_tokens(sampling: Sampling, own: frozenset[int]) -> frozenset[int]:
    """The tokens that end a text with these settings. `own`: the model's; with a grammar they always do: they come only where they may."""
    ignored = sampling.ignore_eos and sampling.grammar is None
    return frozenset(sampling.stop_ids) | (frozenset() if ignored else own)
