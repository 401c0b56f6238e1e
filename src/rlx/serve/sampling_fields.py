"""Settings of sampling as OpenAI's, vLLM's, llama.cpp's and Ollama's clients spell them: one table for all endpoints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlx.generate.sampling_settings import Sampling
from rlx.serve.errors import ApiError
from rlx.serve.fields import RefusedField
from rlx.serve.grammar_fields import GrammarFields, grammar_asked
from rlx.serve.models import ServedModel
from rlx.serve.sampler_order import in_order

MOST_CHANGE = 1000  # of a logit: more would leave no finite ones
_WHOLE_SEED = 1 << 63
_UNLIMITED = (-1, -2)  # max_tokens of llama.cpp's and Ollama's clients: until the text ends or the context is full


class SamplingFields(GrammarFields, kw_only=True):
    """Settings of sampling that all endpoints share."""

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
    "do_sample": RefusedField("temperature: 0 takes the likeliest token", (True,)),
    "penalize_nl": RefusedField("all tokens are penalized alike", (True,)),
    "penalize_newline": RefusedField("all tokens are penalized alike", (True,)),
    "ban_eos_token": RefusedField("ignore_eos goes on behind the end token", (False,)),
    "bad_words": RefusedField("logit_bias forbids single tokens", ([],)),
    "banned_strings": RefusedField("logit_bias forbids single tokens", ([],)),
    "custom_token_bans": RefusedField("logit_bias forbids single tokens", ("",)),
    "allowed_token_ids": RefusedField("a grammar allows only certain texts", ([],)),
    "logits_processors": RefusedField("nothing of a request is run as a program", ([],)),
    "min_keep": RefusedField("samplers keep at least one token", (0, 1)),
    "include_stop_str_in_output": RefusedField("stop texts are not part of the text", (False,)),
    "skip_special_tokens": RefusedField("special tokens are not part of the text", (True,)),
    "return_tokens": RefusedField("logprobs: true names the tokens of an answer", (False,)),
    "return_tokens_as_token_ids": RefusedField("logprobs name tokens by their text", (False,)),
    "truncate_prompt_tokens": RefusedField("a prompt is never cut", (0, -1)),
    "detokenize": RefusedField("answers are texts", (True,)),
    "post_sampling_probs": RefusedField("log-probabilities are those before sampling", (False,)),
    "t_max_predict_ms": RefusedField("rlx serve --timeout limits the time of an answer", (0,), off_below=0),
    "response_fields": RefusedField("answers have all their fields", ([],)),
    "n_indent": RefusedField("text is written as the model writes it", (0,)),
    "best_of": RefusedField("only one candidate is written for each text", (1,)),
    "lora": RefusedField("LoRA adapters are not served", ([],)),
    "images": RefusedField("models here read only text", ([],)),
    "image_data": RefusedField("models here read only text", ([],)),
}
NO_IDS = {"return_token_ids": RefusedField("chat completions and completions name them", (False,))}
"""For endpoints whose answers do not name their tokens."""
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
    "sampler_priority": "the order of samplers in another program; `samplers` is read",
    "sampler_order": "the order of samplers in another program; `samplers` is read",
    "sampler_seed": "the seed in another program; `seed` is read",
    "cache_prompt": "prefixes are found by content, and the text is the same without",
    "id_slot": "prefixes are found by content, not by slot",
    "slot_id": "prefixes are found by content, not by slot",
    "n_keep": "a full context ends the text; nothing is shifted",
    "n_discard": "a full context ends the text; nothing is shifted",
    "n_cache_reuse": "prefixes are found by content",
    "return_progress": "progress is not reported; the answer is the same",
    "timings_per_token": "times are not reported; the answer is the same",
    "spaces_between_special_tokens": "special tokens are not part of the text",
    "add_bos_token": "the model's file says whether a text begins with a token of its own",
    "request_id": "names the request for the caller's own records",
    "kv_transfer_params": "there is one server",
    **dict.fromkeys(
        ("speculative.n_max", "speculative.n_min", "speculative.p_min", "speculative.type"),
        "guesses of a draft do not change the text",
    ),
}

_PLAIN = (
    *("temperature", "top_p", "min_p", "repetition_penalty", "presence_penalty", "frequency_penalty"),
    *("min_tokens", "ignore_eos", "temperature_last"),
)


def sampling_of(served: ServedModel, given: SamplingFields, base: Sampling, **more: Any) -> Sampling:
    """The settings of a request over those of the model."""
    settings: dict[str, Any] = {name: value for name in _PLAIN if (value := getattr(given, name)) is not None}
    settings["max_tokens"] = limit_of(given.max_tokens)
    if given.top_k is not None:
        settings["top_k"] = max(given.top_k, 0)  # -1 is off elsewhere
    if given.repeat_last_n is not None and given.repeat_last_n >= 0:
        settings["penalty_window"] = given.repeat_last_n
    if given.seed is not None:
        settings["seed"] = None if given.seed == -1 else given.seed % _WHOLE_SEED  # -1: a new one each time
    if given.stop is not None:
        settings["stop"] = tuple([given.stop] if isinstance(given.stop, str) else given.stop)
    if given.stop_token_ids:
        settings["stop_ids"] = tuple(_token_id(served, number, "stop_token_ids") for number in given.stop_token_ids)
    if given.logit_bias:
        settings["logit_bias"] = _biases(served, given.logit_bias)
    settings["grammar"] = grammar_asked(given, more.pop("grammar", None))
    settings |= {name: value for name, value in more.items() if value is not None}
    settings = {name: value for name, value in settings.items() if value is not None}
    for name in ("presence_penalty", "frequency_penalty", "repetition_penalty"):
        if abs(settings.get(name, 0.0)) > MOST_CHANGE:
            raise ApiError(400, f"{name} is {settings[name]}; at most {MOST_CHANGE} either way", param=name)
    chosen = base.with_settings(**settings)
    return chosen if given.samplers is None else in_order(chosen, given.samplers)


def limit_of(tokens: int | None) -> int | None:
    """The longest text, in tokens; -1 is none.

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
    """By token id. A list has pairs, in which false forbids a token, as in llama.cpp's server; a text is that of Open WebUI's page."""
    pairs = list(given.items()) if isinstance(given, dict) else _pairs(given) if isinstance(given, str) else given
    found = {}
    for pair in pairs:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise ApiError(400, "logit_bias is an object, or a list of pairs [token id, bias]", param="logit_bias")
        key, bias = pair
        bias = -MOST_CHANGE if bias is False else bias
        if isinstance(bias, bool) or not isinstance(bias, (int, float)) or not abs(bias) <= MOST_CHANGE:
            problem = f"logit_bias of {str(key)[:40]} is {bias!r:.40}; at most {MOST_CHANGE} either way"
            raise ApiError(400, problem, param="logit_bias")
        found[_token_id(served, key, "logit_bias")] = float(bias)
    return found


def _pairs(text: str) -> list[Any]:
    """The pairs of a text.

    >>> _pairs("5:-10, 6:2.5")
    [('5', -10.0), ('6', 2.5)]
    """
    try:
        return [(key.strip(), float(bias)) for key, _, bias in (one.partition(":") for one in text.split(",") if one.strip())]
    except ValueError:
        problem = f"logit_bias is {text[:40]!r}; a text has pairs of a token id and a number, such as 5:-10, 6:2"
        raise ApiError(400, problem, param="logit_bias") from None
