"""Sampling: how the next token is chosen, as one frozen value; its defaults and the end tokens, from a model's own files."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from rlx.core.errors import RlxError, did_you_mean
from rlx.generate.grammar import Grammar, as_grammar
from rlx.models import Model

_RANGES: dict[str, tuple[Callable[[float], bool], str]] = {
    **dict.fromkeys(
        ("temperature", "top_k", "penalty_window", "top_logprobs", "prompt_logprobs", "max_tokens", "min_tokens"),
        (lambda value: value >= 0, "0 or more"),
    ),
    "top_p": (lambda value: 0 < value <= 1, "above 0, up to 1; 1 is off"),
    "min_p": (lambda value: 0 <= value <= 1, "from 0 to 1; 0 is off"),
    "repetition_penalty": (lambda value: value > 0, "above 0; 1 is off"),
    **dict.fromkeys(("presence_penalty", "frequency_penalty"), (lambda value: True, "a finite number; 0 is off")),
    "seed": (lambda value: value >= 0, "0 or more, or None for a new one each time"),
}
_WHOLE = ("top_k", "penalty_window", "top_logprobs", "prompt_logprobs", "max_tokens", "min_tokens", "seed")
_OPTIONAL = ("penalty_window", "prompt_logprobs", "max_tokens", "seed")  # None is a value of these


@dataclass(frozen=True)
class Sampling:
    """Settings of a generation. The steps, in order; all but the draw are off by default:

    0. `grammar`: tokens that cannot follow are forbidden; where only some text can, its tokens are taken without a draw.
    1. `logit_bias` is added to the logits of its ids.
    2. Penalties, over the last `penalty_window` tokens of prompt and text (None: all). A token seen c > 0 times: its logit is divided
       (if positive, else multiplied) by `repetition_penalty`, then `presence_penalty` + c·`frequency_penalty` is subtracted.
    3. `temperature` divides the logits; 0 takes the largest logit and stops here.
    4. `top_k`: keeps the k largest; ties go to the smaller ids.
    5. `top_p`: of those, normalized, keeps the smallest set of largest ones whose sum reaches p.
    6. `min_p`: keeps those at least min_p times as likely as the likeliest.
    7. The draw, with a generator seeded with `seed` (None: a new one each time).

    With `temperature_last`, step 3 comes after step 6: top-p and min-p read the probabilities of temperature 1.

    `logprobs`, `top_logprobs` and `prompt_logprobs` describe the model's own distribution, before all steps.

    >>> Sampling(temperature=0.7, top_p=0.9, seed=1).top_p
    0.9
    """

    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    penalty_window: int | None = None
    logit_bias: Mapping[int, float] = field(default_factory=dict)
    temperature_last: bool = False
    seed: int | None = None
    logprobs: bool = False
    top_logprobs: int = 0  # this many likeliest tokens besides the chosen one; implies logprobs
    prompt_logprobs: int | None = None  # the prompt's tokens too, with this many likeliest ones; max_tokens=0 gives only these
    stop: str | tuple[str, ...] = ()  # texts that end the generation; they are not part of it
    stop_ids: tuple[int, ...] = ()  # tokens that end it, besides the model's own
    max_tokens: int | None = None  # None: until the model stops or the context is full
    min_tokens: int = 0  # before this many tokens, neither an end token is drawn nor a stop text looked for
    ignore_eos: bool = False  # ignore the model's own end tokens; with a grammar: until it lets nothing more follow
    # what the text must look like: json_schema(…), regex(…), lark(…), a dict of one of these names, "json"
    grammar: Grammar | str | Mapping[str, Any] | None = None
    shown_ids: tuple[int, ...] = ()  # special tokens whose names are part of the text: marks of calls and of thoughts

    def __post_init__(self) -> None:
        for name in (*_WHOLE, *_RANGES):
            if (value := getattr(self, name)) is not None or name not in _OPTIONAL:
                object.__setattr__(self, name, _check_number(name, value))
        for name in ("logprobs", "ignore_eos", "temperature_last"):
            if not isinstance(getattr(self, name), (bool, np.bool_)):
                raise RlxError("RLX902", f"{name} is {getattr(self, name)!r}", fix="True or False")
        object.__setattr__(self, "stop", _texts(self.stop))
        for name in ("stop_ids", "shown_ids"):
            tokens = _items(getattr(self, name), name, "a list of ids")
            object.__setattr__(self, name, tuple(_token(token, name) for token in tokens))
        object.__setattr__(self, "logit_bias", _biases(self.logit_bias))
        object.__setattr__(self, "grammar", as_grammar(self.grammar))

    @property
    def penalizes(self) -> bool:
        """Whether a penalty depends on earlier tokens."""
        return self.repetition_penalty != 1.0 or self.presence_penalty != 0.0 or self.frequency_penalty != 0.0

    @property
    def runs(self) -> bool:
        """Whether there is anything to compute: a token to generate or a prompt to score."""
        return self.max_tokens != 0 or self.prompt_logprobs is not None

    @property
    def is_greedy(self) -> bool:
        """Whether the largest logit is always taken."""
        return self.temperature == 0.0

    def with_settings(self, **settings: Any) -> Sampling:
        """Replaces some settings; an unknown one is an error that lists them."""
        known = [entry.name for entry in fields(self)]
        for name in settings:
            if name not in known:
                hint = did_you_mean(name, known)
                raise RlxError("RLX902", f"there is no sampling setting {name!r}", fix=hint or f"the settings: {', '.join(known)}")
        return replace(self, **settings)


def _check_number(name: str, value: Any) -> float:
    """Converts a sampling setting to a Python number of its kind and checks its range."""
    accepts, takes = _RANGES[name]
    number = _is_number(value)
    if name in _WHOLE and not (number and (isinstance(value, (int, np.integer)) or float(value).is_integer())):
        raise RlxError("RLX902", f"{name} is {value!r}, not an integer", fix=takes)
    if not number:
        raise RlxError("RLX902", f"{name} is {value!r}, not a number", fix=takes)
    result = int(value) if name in _WHOLE else float(value)
    if not (math.isfinite(result) and accepts(result)):
        raise RlxError("RLX902", f"{name} is {value}", fix=takes)
    return result


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def _items(values: Any, name: str, takes: str) -> list[Any]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise RlxError("RLX902", f"{name} is {values!r}", fix=takes)
    return list(values)


def _texts(stop: Any) -> tuple[str, ...]:
    """Converts stop strings, one or several, to a tuple."""
    texts = [stop] if isinstance(stop, str) else _items(stop, "stop", "a text, or a list of texts")
    for text in texts:
        if not isinstance(text, str):
            raise RlxError("RLX902", f"the stop string {text!r} is not a string", fix="strings; stop_ids takes token ids")
        if not text:
            raise RlxError("RLX902", "a stop string is empty", fix="omit it")
    return tuple(texts)


def _token(number: Any, name: str) -> int:
    if isinstance(number, (bool, np.bool_)) or not isinstance(number, (int, np.integer)) or number < 0:
        raise RlxError("RLX902", f"{name} has {number!r}", fix="token ids, 0 or more")
    return int(number)


def _biases(biases: Any) -> dict[int, float]:
    """Checks the values added to logits by id; -inf forbids a token."""
    if not isinstance(biases, Mapping):
        raise RlxError("RLX902", f"logit_bias is {biases!r}", fix="a dict: {id: number}")
    for bias in biases.values():
        if not _is_number(bias) or math.isnan(bias) or bias == math.inf:
            raise RlxError("RLX902", f"logit_bias has the number {bias!r}", fix="finite numbers, or -inf to forbid a token")
    return {_token(number, "logit_bias"): float(bias) for number, bias in biases.items()}


# -- the model's own settings and end tokens -------------------------------------------------------------------------
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
    """Returns the settings for texts: generation_config.json if it sets do_sample, or a GGUF's general.sampling.*; else greedy."""
    return _sampling(model, _own_settings(model))


def chat_sampling(model: Model) -> Sampling:
    """Returns the settings for conversations, like `default_sampling`; if no file has any, temperature 0.7, top-p 0.9, min-p 0.05.

    A generation_config.json that says `"do_sample": false` is the model's own choice: greedy.
    """
    generation: Mapping[str, Any] = getattr(model.source, "generation", {})
    own = _own_settings(model)
    return _sampling(model, own if own or generation.get("do_sample") is False else _CHAT)


def _own_settings(model: Model) -> dict[str, Any]:
    """Reads the sampling settings in a model's files."""
    generation: Mapping[str, Any] = getattr(model.source, "generation", {})
    own = {name: generation[name] for name in _HF if generation.get("do_sample") and generation.get(name) is not None}
    if generation.get("do_sample"):
        own.setdefault("temperature", 1.0)
    settings: Mapping[str, Any] = getattr(model.source, "settings", {})
    for theirs, ours in _GGUF.items():
        value = settings.get(f"general.sampling.{theirs}")
        if isinstance(value, (int, float)):
            own[ours] = value if isinstance(value, int) else float(value)
    return own


def _sampling(model: Model, settings: Mapping[str, Any]) -> Sampling:
    """Checks the sampling settings of a model's file; an error names the file."""
    for name, value in settings.items():
        integer = name in ("top_k", "penalty_window")
        if isinstance(value, bool) or not isinstance(value, int if integer else (int, float)):
            message = f"{model.source.path}: its own settings say {name} is {value!r:.60}"
            raise RlxError("RLX902", message, fix="an integer" if integer else "a number", at=None)
    try:
        return Sampling(**settings)
    except RlxError as error:
        raise RlxError("RLX902", f"{model.source.path}: its own settings say {error.message}", fix=error.fix, at=None) from None


def end_ids(model: Model) -> frozenset[int]:
    """Returns the tokens that end a text: the tokenizer's, generation_config's, and special tokens whose names say so."""
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
    """Returns the tokens that end a text with these settings. `own`: the model's; with a grammar they always end it."""
    ignored = sampling.ignore_eos and sampling.grammar is None
    return frozenset(sampling.stop_ids) | (frozenset() if ignored else own)
