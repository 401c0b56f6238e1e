"""Fields that say how to generate, as OpenAI's, vLLM's, llama.cpp's and Ollama's clients spell them: sampling, grammars, thinking."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from rlx.generate.grammar import json_schema
from rlx.generate.sampling_settings import Sampling
from rlx.serve.errors import ApiError
from rlx.serve.fields import FieldTable, RefusedField, check_names, demand_names
from rlx.serve.models import ServedModel

_OURS = ("penalties", "temperature", "top_k", "top_p", "min_p")
_OFF: dict[str, dict[str, Any]] = {
    "penalties": {"repetition_penalty": 1.0, "presence_penalty": 0.0, "frequency_penalty": 0.0},
    "temperature": {"temperature": 1.0},
    "top_k": {"top_k": 0},
    "top_p": {"top_p": 1.0},
    "min_p": {"min_p": 0.0},
}
"""The neutral settings of samplers that the list omits."""
_LETTERS = {
    "e": "penalties", "d": "dry", "s": "top_n_sigma", "k": "top_k", "y": "typ_p", "p": "top_p", "m": "min_p", "x": "xtc",
    "t": "temperature", "a": "adaptive_p", "i": "infill",
}  # fmt: skip
_SPELLED = {"temp": "temperature", "top-k": "top_k", "top-p": "top_p", "min-p": "min_p", "nucleus": "top_p"}
_NEVER_ON = ("dry", "xtc", "typ_p", "typ-p", "typical", "typical_p", "top_n_sigma", "top-n-sigma", "adaptive_p")
"""Samplers that are not supported: a request that enables one is refused by its own field."""


def apply_samplers(sampling: Sampling, samplers: str | list[str]) -> Sampling:
    """Restricts the settings to the listed samplers; an unsupported order is refused.

    >>> apply_samplers(Sampling(temperature=0.5, top_k=40, top_p=0.9), ["temperature", "top_k"]).top_p
    1.0
    """
    names = _read_samplers(samplers)
    if sampling.temperature == 0.0 and "temperature" in names:
        names = [name for name in names if name in ("penalties", "temperature")]  # the others have a single candidate left
    absent = {name: value for sampler in _OURS if sampler not in names for name, value in _OFF[sampler].items()}
    chosen = sampling.with_settings(**absent)
    used = [name for name in names if name in _OURS and _does_something(chosen, name)]
    ours = [name for name in _OURS if name in used]
    last = sorted(ours, key="temperature".__eq__)
    if used not in (ours, last):
        orders = " or ".join(map(", ".join, (ours, last)))
        problem = f"samplers: this server does not support the order {', '.join(used)}; it supports {orders}"
        raise ApiError(400, problem, param="samplers", code="unsupported_parameter")
    return chosen.with_settings(temperature_last=used == last != ours)


def _read_samplers(samplers: str | list[str]) -> list[str]:
    """Reads the names of samplers: a list, or llama.cpp's letters."""
    names = [_LETTERS.get(letter, letter) for letter in samplers] if isinstance(samplers, str) else samplers
    names = [_SPELLED.get(name, name) for name in names]
    unknown = next((name for name in names if name not in (*_OURS, *_NEVER_ON)), None)
    if unknown is not None:
        supported = ", ".join((*_OURS, *_NEVER_ON))
        raise ApiError(400, f"samplers has {unknown[:40]!r}; supported are {supported}", param="samplers")
    return names


def _does_something(sampling: Sampling, name: str) -> bool:
    return any(getattr(sampling, setting) != value for setting, value in _OFF[name].items())


_FORMAT_FIELDS = ("type", "json_schema", "schema", "name", "description", "strict")
_SCHEMA_FIELDS = ("name", "description", "schema", "strict")
_STRUCTURED = ("json", "regex", "choice", "grammar", "json_object", "structural_tag", "disable_any_whitespace")


class GrammarFields(msgspec.Struct, kw_only=True):
    """Request fields that constrain the text; a request may have one of them."""

    grammar: str | dict[str, Any] | None = None
    json_schema: dict[str, Any] | str | None = None
    guided_regex: str | None = None
    guided_choice: list[str] | None = None
    structured_outputs: dict[str, Any] | None = None


def read_grammar(given: GrammarFields, form: Any = None) -> Any:
    """Reads the grammar of a request; `form`: the grammar of another field of the endpoint. Two grammars are refused."""
    grammars: dict[str, Any] = {} if form is None else {"response_format": form}
    if given.grammar not in (None, "", {}):
        grammars["grammar"] = _grammar(given.grammar)
    if given.json_schema not in (None, "", {}):
        grammars["json_schema"] = {"json_schema": _schema(given.json_schema, "json_schema")}
    if given.guided_regex:
        grammars["guided_regex"] = {"regex": given.guided_regex}
    if given.guided_choice:
        grammars["guided_choice"] = _choice(given.guided_choice, "guided_choice")
    if given.structured_outputs:
        grammars["structured_outputs"] = _read_structured_outputs(given.structured_outputs)
    if len(grammars) > 1:
        problem = f"{' and '.join(grammars)}: only one field may constrain the text"
        raise ApiError(400, problem, param="grammar")
    return next(iter(grammars.values()), None)


def _read_structured_outputs(given: dict[str, Any]) -> Any:
    """Reads the grammar in vLLM's `structured_outputs`."""
    where = "structured_outputs"
    demand_names(given, _STRUCTURED, f"{where}.")
    asked = {name: value for name, value in given.items() if value not in (None, False)}
    compact = asked.pop("disable_any_whitespace", False) is True
    if len(asked) != 1:
        raise ApiError(400, f"{where} has {', '.join(asked) or 'nothing'}; it must have one of {', '.join(_STRUCTURED[:5])}")
    ((name, value),) = asked.items()
    match name:
        case "json":
            return json_schema(_schema(value, f"{where}.json"), compact=compact)
        case "regex":
            return {"regex": value}
        case "choice":
            return _choice(value, f"{where}.choice")
        case "grammar":
            return _grammar(value)
        case "json_object":
            return json_schema({"type": "object"}, compact=compact)
    raise ApiError(400, f"{where}.{name} is not supported", param=where, code="unsupported_parameter")


def _schema(given: Any, where: str) -> dict[str, Any]:
    """Reads a JSON schema: an object, or its text."""
    try:
        schema = json.loads(given) if isinstance(given, str) else given
    except ValueError:
        schema = None
    if not isinstance(schema, dict):
        raise ApiError(400, f"{where} is not a JSON schema", param=where)
    return schema


def _choice(given: Any, where: str) -> dict[str, str]:
    """Builds a grammar that allows only the listed strings."""
    if not isinstance(given, list) or not given or not all(isinstance(one, str) and one for one in given):
        raise ApiError(400, f"{where} must be a list of strings", param=where)
    return {"lark": "start: " + " | ".join(json.dumps(one, ensure_ascii=False) for one in given)}


def _grammar(given: Any) -> Any:
    """Reads llama.cpp's field `grammar`: `json`, Lark or GBNF as a string, or an object that names the kind."""
    if not isinstance(given, str) or given == "json":
        return given
    if "::=" not in given:
        return {"lark": given}
    from llguidance.gbnf_to_lark import gbnf_to_lark

    try:
        return {"lark": gbnf_to_lark(given)}
    except Exception as error:
        raise ApiError(400, f"grammar: {str(error)[:200]}", param="grammar") from None


def grammar_of(response_format: dict[str, Any] | None, where: str = "response_format") -> Any:
    """Converts OpenAI's `response_format` to a grammar; None for plain text. A json_object may have a schema, as in llama.cpp."""
    if response_format is None:
        return None
    demand_names(response_format, _FORMAT_FIELDS, f"{where}.")
    match response_format.get("type"):
        case "text":
            return None
        case "json_object" if response_format.get("schema") is None:
            return "json"
        case "json_object":
            strict = response_format.get("strict") is True
            return json_schema(_schema(response_format["schema"], f"{where}.schema"), strict=strict)
        case "json_schema":
            inside = response_format.get("json_schema", response_format)
            if not isinstance(inside, dict) or not isinstance(inside.get("schema"), dict):
                problem = f"{where}.json_schema has no schema"
                raise ApiError(400, problem, param=f"{where}.json_schema.schema")
            if inside is not response_format:
                demand_names(inside, _SCHEMA_FIELDS, f"{where}.json_schema.")
            return json_schema(inside["schema"], strict=inside.get("strict") is True)
        case kind:
            problem = f"{where}.type is {kind!r:.40}; it must be text, json_object or json_schema"
            raise ApiError(400, problem, param=f"{where}.type")


MOST_CHANGE = 1000  # of a logit: more would leave no finite ones
_SEEDS = 1 << 63
_UNLIMITED = (-1, -2)  # max_tokens of llama.cpp's and Ollama's clients: until the text ends or the context is full


class SamplingFields(GrammarFields, kw_only=True):
    """Request fields of sampling that all endpoints share."""

    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    min_p: float | None = None
    repetition_penalty: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    repeat_last_n: int | None = None
    logit_bias: dict[str, float] | list[Any] | str | None = None
    seed: int | None = None
    stop: str | list[str] | None = None
    stop_token_ids: list[int] | None = None
    max_tokens: int | None = None
    min_tokens: int | None = None
    ignore_eos: bool | None = None
    samplers: str | list[str] | None = None
    temperature_last: bool | None = None
    cache_salt: str | None = None


SAMPLING_RENAMED = {
    "repeat_penalty": "repetition_penalty",
    "penalty_last_n": "repeat_last_n",
    "n_predict": "max_tokens",
    "num_predict": "max_tokens",
    "min_new_tokens": "min_tokens",
    "guided_json": "json_schema",
    "guided_grammar": "grammar",
    "ebnf": "grammar",
    "regex": "guided_regex",
}
_ABSENT = "there is no such sampler"
SAMPLING_REFUSED: Mapping[str, RefusedField] = {
    "typical_p": RefusedField(_ABSENT, (1,)),
    "typical": RefusedField(_ABSENT, (1, 0)),
    "tfs_z": RefusedField(_ABSENT, (1,)),
    "tfs": RefusedField(_ABSENT, (1,)),
    "top_a": RefusedField(_ABSENT, (0,)),
    "top_n_sigma": RefusedField(_ABSENT, (0,), off_below=0),
    "nsigma": RefusedField(_ABSENT, (0,), off_below=0),
    "epsilon_cutoff": RefusedField(_ABSENT, (0,)),
    "eta_cutoff": RefusedField(_ABSENT, (0,)),
    "xtc_probability": RefusedField(_ABSENT, (0,)),
    "dry_multiplier": RefusedField(_ABSENT, (0,)),
    "dynatemp_range": RefusedField(_ABSENT, (0,)),
    "dynamic_temperature": RefusedField(_ABSENT, (False,)),
    "smoothing_factor": RefusedField(_ABSENT, (0,)),
    "adaptive_target": RefusedField(_ABSENT, off_below=0),
    "skew": RefusedField(_ABSENT, (0,)),
    "mirostat": RefusedField(_ABSENT, (0,)),
    "mirostat_mode": RefusedField(_ABSENT, (0,)),
    "penalty_alpha": RefusedField(_ABSENT, (0,)),
    "guidance_scale": RefusedField(_ABSENT, (1,)),
    "no_repeat_ngram_size": RefusedField(_ABSENT, (0,)),
    "encoder_repetition_penalty": RefusedField(_ABSENT, (1,)),
    "use_beam_search": RefusedField("there is no beam search", (False,)),
    "num_beams": RefusedField("there is no beam search", (1,)),
    "length_penalty": RefusedField("there is no beam search", (1,)),
    "early_stopping": RefusedField("there is no beam search", (False,)),
    "do_sample": RefusedField("temperature 0 takes the likeliest token", (True,)),
    "penalize_nl": RefusedField("all tokens are penalized alike", (True,)),
    "penalize_newline": RefusedField("all tokens are penalized alike", (True,)),
    "ban_eos_token": RefusedField("use ignore_eos to continue after the end token", (False,)),
    "bad_words": RefusedField("use logit_bias to forbid single tokens", ([],)),
    "banned_strings": RefusedField("use logit_bias to forbid single tokens", ([],)),
    "custom_token_bans": RefusedField("use logit_bias to forbid single tokens", ("",)),
    "allowed_token_ids": RefusedField("use a grammar to restrict the text", ([],)),
    "logits_processors": RefusedField("this server does not run code from requests", ([],)),
    "min_keep": RefusedField("samplers keep at least one token", (0, 1)),
    "include_stop_str_in_output": RefusedField("stop strings are not part of the text", (False,)),
    "skip_special_tokens": RefusedField("special tokens are not part of the text", (True,)),
    "return_tokens": RefusedField("use logprobs: true to list the tokens of an answer", (False,)),
    "return_tokens_as_token_ids": RefusedField("logprobs list tokens as text", (False,)),
    "truncate_prompt_tokens": RefusedField("prompts are never truncated", (0, -1)),
    "detokenize": RefusedField("answers are always detokenized", (True,)),
    "post_sampling_probs": RefusedField("log-probabilities are computed before sampling", (False,)),
    "t_max_predict_ms": RefusedField("rlx serve --timeout limits the time of an answer", (0,), off_below=0),
    "response_fields": RefusedField("answers always have all fields", ([],)),
    "n_indent": RefusedField("the text is not reformatted", (0,)),
    "best_of": RefusedField("one candidate is generated for each text", (1,)),
    "lora": RefusedField("LoRA adapters are not supported", ([],)),
    "images": RefusedField("this server reads only text", ([],)),
    "image_data": RefusedField("this server reads only text", ([],)),
}
NO_IDS = {"return_token_ids": RefusedField("only chat completions and completions return token ids", (False,))}
"""For endpoints whose answers do not list their tokens."""
SAMPLING_HARMLESS = {
    **dict.fromkeys(("mirostat_eta", "mirostat_tau"), "used with mirostat only"),
    **dict.fromkeys(("xtc_threshold",), "used with xtc_probability only"),
    **dict.fromkeys(
        ("dry_base", "dry_allowed_length", "dry_penalty_last_n", "dry_sequence_breakers"), "used with dry_multiplier only"
    ),
    **dict.fromkeys(
        ("dynatemp_exponent", "dynatemp_low", "dynatemp_high", "dynatemp_min", "dynatemp_max"),
        "used with a dynamic temperature only",
    ),
    **dict.fromkeys(("smoothing_curve",), "used with smoothing_factor only"),
    **dict.fromkeys(("adaptive_decay",), "used with adaptive_target only"),
    "negative_prompt": "used with guidance_scale only",
    "sampler_priority": "the sampler order of another program; use `samplers`",
    "sampler_order": "the sampler order of another program; use `samplers`",
    "sampler_seed": "the seed of another program; use `seed`",
    "cache_prompt": "the prefix cache matches by content, and the text is the same without it",
    "id_slot": "the prefix cache matches by content, not by slot",
    "slot_id": "the prefix cache matches by content, not by slot",
    "n_keep": "a full context ends the text; the context is not shifted",
    "n_discard": "a full context ends the text; the context is not shifted",
    "n_cache_reuse": "the prefix cache matches by content",
    "return_progress": "progress is not reported; the answer is the same",
    "timings_per_token": "times are not reported; the answer is the same",
    "spaces_between_special_tokens": "special tokens are not part of the text",
    "add_bos_token": "the model's file decides whether a text begins with a token of its own",
    "request_id": "names the request for the caller's own records",
    "kv_transfer_params": "there is only one server",
    **dict.fromkeys(
        ("speculative.n_max", "speculative.n_min", "speculative.p_min", "speculative.type"),
        "speculative decoding does not change the text",
    ),
}

S = TypeVar("S", bound="SamplingFields")


def sampling_table(
    kind: type[S],
    *,
    harmless: Mapping[str, str] = {},
    named: Mapping[str, RefusedField] = {},
    refused: Mapping[str, RefusedField] = {},
    renamed: Mapping[str, str] = {},
    closed: str = "",
) -> FieldTable[S]:
    """Builds the field table of an endpoint that samples: shared fields, and its own."""
    return FieldTable(
        kind, {**SAMPLING_HARMLESS, **harmless}, {**SAMPLING_REFUSED, **refused}, named, {**SAMPLING_RENAMED, **renamed}, closed
    )


_PLAIN = (
    *("temperature", "top_p", "min_p", "repetition_penalty", "presence_penalty", "frequency_penalty"),
    *("min_tokens", "ignore_eos", "temperature_last"),
)


def sampling_of(served: ServedModel, given: SamplingFields, base: Sampling, **more: Any) -> Sampling:
    """Applies the sampling settings of a request to those of the model."""
    settings = _read_settings(served, given) | {"grammar": read_grammar(given, more.pop("grammar", None))}
    settings |= {name: value for name, value in more.items() if value is not None}
    settings = {name: value for name, value in settings.items() if value is not None}
    for name in ("presence_penalty", "frequency_penalty", "repetition_penalty"):
        if abs(settings.get(name, 0.0)) > MOST_CHANGE:
            raise ApiError(400, f"{name} is {settings[name]}; it must be from -{MOST_CHANGE} to {MOST_CHANGE}", param=name)
    chosen = base.with_settings(**settings)
    return chosen if given.samplers is None else apply_samplers(chosen, given.samplers)


def _read_settings(served: ServedModel, given: SamplingFields) -> dict[str, Any]:
    """Renames the fields of a request to those of `Sampling`; None for those that keep the model's setting."""
    window, stop, seed = given.repeat_last_n, given.stop, given.seed
    return {name: getattr(given, name) for name in _PLAIN} | {
        "max_tokens": limit_of(given.max_tokens),
        "top_k": None if given.top_k is None else max(given.top_k, 0),  # -1 is off elsewhere
        "penalty_window": None if window is None or window < 0 else window,
        "seed": None if seed in (None, -1) else seed % _SEEDS,  # -1: a new one each time
        "stop": None if stop is None else tuple([stop] if isinstance(stop, str) else stop),
        "stop_ids": tuple(_token_id(served, number, "stop_token_ids") for number in given.stop_token_ids or ()) or None,
        "logit_bias": _biases(served, given.logit_bias) if given.logit_bias else None,
    }


def limit_of(tokens: int | None) -> int | None:
    """Reads a request's limit of tokens; -1 is no limit.

    >>> limit_of(16), limit_of(-1)
    (16, None)
    """
    return None if tokens in _UNLIMITED else tokens


def _token_id(served: ServedModel, key: Any, where: str) -> int:
    vocabulary = served.model.config.vocab_size
    number = int(key) if isinstance(key, str) and key.isascii() and key.isdigit() else key
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < vocabulary:
        raise ApiError(400, f"{where} has {str(key)[:40]!r}; token ids are 0 to {vocabulary - 1}", param=where)
    return number


def _biases(served: ServedModel, given: dict[str, float] | list[Any] | str) -> dict[int, float]:
    """Reads `logit_bias` by token id. A list has pairs, where false forbids a token (llama.cpp); Open WebUI sends a string."""
    pairs = list(given.items()) if isinstance(given, dict) else _pairs(given) if isinstance(given, str) else given
    biases = {}
    for pair in pairs:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise ApiError(400, "logit_bias must be an object, or a list of pairs [token id, bias]", param="logit_bias")
        key, bias = pair
        bias = -MOST_CHANGE if bias is False else bias
        if isinstance(bias, bool) or not isinstance(bias, (int, float)) or not abs(bias) <= MOST_CHANGE:
            problem = f"logit_bias of {str(key)[:40]} is {bias!r:.40}; at most {MOST_CHANGE} either way"
            raise ApiError(400, problem, param="logit_bias")
        biases[_token_id(served, key, "logit_bias")] = float(bias)
    return biases


def _pairs(text: str) -> list[Any]:
    """Splits Open WebUI's string of biases into pairs.

    >>> _pairs("5:-10, 6:2.5")
    [('5', -10.0), ('6', 2.5)]
    """
    try:
        return [(key.strip(), float(bias)) for key, _, bias in (one.partition(":") for one in text.split(",") if one.strip())]
    except ValueError:
        problem = f"logit_bias is {text[:40]!r}; a string must have pairs of a token id and a number, such as 5:-10, 6:2"
        raise ApiError(400, problem, param="logit_bias") from None


class ThinkingFields(SamplingFields, kw_only=True):
    """Fields of chat completions that control sampling and thinking."""

    reasoning_effort: str | None = None
    reasoning: dict[str, Any] | None = None
    thinking: dict[str, Any] | None = None
    thinking_token_budget: int | None = None
    enable_thinking: bool | None = None
    think: bool | str | None = None
    include_reasoning: bool | None = None


@dataclass(frozen=True)
class Thinking:
    """How to think: variables for the template, the token limit of thoughts, and whether the answer omits them."""

    template: dict[str, Any] = field(default_factory=dict)
    budget: int | None = None
    hidden: bool = False


def effort(word: str | None) -> dict[str, Any]:
    """Converts the effort of thinking to template variables.

    >>> effort("none"), effort("low")
    ({'enable_thinking': False}, {'enable_thinking': True, 'reasoning_effort': 'low'})
    """
    if word is None:
        return {}
    if word == "none":
        return {"enable_thinking": False}
    return {"enable_thinking": True, "reasoning_effort": word}


def think(given: bool | str | None) -> dict[str, Any]:
    """Converts Ollama's `think`, a flag or an effort, to template variables.

    >>> think(False), think("low")
    ({'enable_thinking': False}, {'enable_thinking': True, 'reasoning_effort': 'low'})
    """
    return {"enable_thinking": given} if isinstance(given, bool) else effort(given)


def thinking_of(given: dict[str, Any]) -> Thinking:
    """Converts Anthropic's `thinking`."""
    check_names(given, ("type", "budget_tokens", "display", "clear_thinking"), "thinking.")
    hidden = given.get("display") == "omitted"
    match given:
        case {"type": "disabled"}:
            return Thinking({"enable_thinking": False})
        case {"type": "adaptive" | "between_tools" | "auto"}:
            return Thinking({"enable_thinking": True}, hidden=hidden)
        case {"type": "enabled"}:
            budget = given.get("budget_tokens")
            if budget is not None and (not isinstance(budget, int) or isinstance(budget, bool)):
                raise ApiError(400, "thinking.budget_tokens must be an integer", param="thinking.budget_tokens")
            return Thinking({"enable_thinking": True}, budget, hidden)
    raise ApiError(400, "thinking.type must be enabled (with budget_tokens), adaptive or disabled", param="thinking")


def read_thinking(given: ThinkingFields) -> Thinking:
    """Combines all thinking fields of a request; top-level fields override those in an object."""
    base = Thinking() if given.thinking is None else thinking_of(given.thinking)
    template, budget, hidden = dict(base.template), base.budget, base.hidden
    router = given.reasoning or {}
    check_names(router, ("effort", "max_tokens", "exclude", "enabled", "summary"), "reasoning.")
    if isinstance(router.get("enabled"), bool):
        template["enable_thinking"] = router["enabled"]
    if isinstance(router.get("effort"), str):
        template |= effort(router["effort"])
    if isinstance(router.get("max_tokens"), int):
        budget = router["max_tokens"]
    if given.enable_thinking is not None:
        template["enable_thinking"] = given.enable_thinking
    template |= effort(given.reasoning_effort) | think(given.think)
    budget = budget if given.thinking_token_budget is None else given.thinking_token_budget
    hidden = hidden or router.get("exclude") is True or given.include_reasoning is False
    return Thinking(template, budget, hidden)
