"""What every endpoint makes of its request: a prompt, how to sample, and how to read the answer."""

from __future__ import annotations

import json
import re
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import msgspec

from rlx.generate.grammar import Grammar, as_grammar
from rlx.generate.sampling_settings import Sampling
from rlx.serve.conversation import ChatInput, ToolUse
from rlx.serve.errors import ApiError
from rlx.serve.models import ServedModel
from rlx.serve.reasoning import begins_inside

__all__ = ["CALLER", "SamplingFields", "Wanted", "of_chat", "sampling_of"]

MOST_TEXTS = 128
MOST_CHANGE = 1000  # of a logit: more would leave no finite ones
CALLER: ContextVar[str] = ContextVar("caller", default="anyone")
"""Whose request is being served: the engine is fair among callers."""
_WHOLE_SEED = 1 << 63


class SamplingFields(msgspec.Struct, kw_only=True):
    """Settings of sampling that all of OpenAI's endpoints share, and those that llama.cpp's and vLLM's servers have beside."""

    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    min_p: float | None = None
    repetition_penalty: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    logit_bias: dict[str, float] | None = None
    seed: int | None = None
    stop: str | list[str] | None = None
    max_tokens: int | None = None
    min_tokens: int | None = None
    ignore_eos: bool | None = None
    grammar: str | dict[str, Any] | None = None


_PLAIN = (
    *("temperature", "top_p", "min_p", "repetition_penalty", "presence_penalty", "frequency_penalty"),
    *("max_tokens", "min_tokens", "ignore_eos"),
)


def sampling_of(served: ServedModel, given: SamplingFields, base: Sampling, **more: Any) -> Sampling:
    """The settings of a request over those of the model."""
    settings: dict[str, Any] = {name: value for name in _PLAIN if (value := getattr(given, name)) is not None}
    if given.top_k is not None:
        settings["top_k"] = max(given.top_k, 0)  # -1 is off elsewhere
    if given.seed is not None:
        settings["seed"] = given.seed % _WHOLE_SEED
    if given.stop is not None:
        settings["stop"] = tuple([given.stop] if isinstance(given.stop, str) else given.stop)
    if given.logit_bias:
        settings["logit_bias"] = _biases(served, given.logit_bias)
    if given.grammar is not None:
        settings["grammar"] = _grammar(given.grammar)
    settings |= {name: value for name, value in more.items() if value is not None}
    for name in ("presence_penalty", "frequency_penalty", "repetition_penalty"):
        if abs(settings.get(name, 0.0)) > MOST_CHANGE:
            raise ApiError(400, f"{name} is {settings[name]}; at most {MOST_CHANGE} either way", param=name)
    return base.with_settings(**settings)


def _biases(served: ServedModel, given: dict[str, float]) -> dict[int, float]:
    vocabulary, found = served.model.config.vocab_size, {}
    for key, bias in given.items():
        if not key.isascii() or not key.isdigit() or int(key) >= vocabulary:
            problem = f"logit_bias has the key {key[:40]!r}; keys are token ids, 0 to {vocabulary - 1}"
            raise ApiError(400, problem, param="logit_bias")
        if not abs(bias) <= MOST_CHANGE:
            problem = f"logit_bias of {key} is {bias}; at most {MOST_CHANGE} either way"
            raise ApiError(400, problem, param="logit_bias")
        found[int(key)] = bias
    return found


def _grammar(given: str | dict[str, Any]) -> Any:
    """`json`, Lark or llama.cpp's GBNF as a text, or an object that says which."""
    if not isinstance(given, str) or given == "json":
        return given
    if "::=" not in given:
        return {"lark": given}
    from llguidance.gbnf_to_lark import gbnf_to_lark

    try:
        return {"lark": gbnf_to_lark(given)}
    except Exception as error:
        raise ApiError(400, f"grammar: {str(error)[:200]}", param="grammar") from None


@dataclass(frozen=True)
class Wanted:
    """A request to an engine, and how its answer is read."""

    served: ServedModel
    prompt: list[int]
    sampling: Sampling
    n: int = 1
    is_chat: bool = False
    use: ToolUse = field(default_factory=ToolUse)
    inside: bool = False  # the prompt ends inside a thought
    budget: int | None = None  # of tokens to think with
    priority: int = 0
    caller: str = field(default_factory=CALLER.get)
    last: Sampling | None = None  # of the text after thoughts, where those have a budget

    def __post_init__(self) -> None:
        if not 1 <= self.n <= MOST_TEXTS:
            raise ApiError(400, f"n is {self.n}; it is from 1 to {MOST_TEXTS}", param="n")
        if self.budget is not None and self.budget < 0:
            raise ApiError(400, f"the budget of thinking is {self.budget}; it is 0 or more")


def of_chat(
    served: ServedModel,
    chat: ChatInput,
    sampling: Sampling,
    *,
    n: int = 1,
    budget: int | None = None,
    priority: int = 0,
) -> Wanted:
    """A conversation; renders the template, so it is called in a worker thread."""
    prompt = chat.prompt(served)
    tokenizer, dialect = served.model.tokenizer, served.dialect[0]
    tags = served.tags
    inside = tags is not None and begins_inside(tags, tokenizer, prompt)
    settings: dict[str, Any] = {}
    if served.model.chat_template is None:
        settings["stop"] = (*sampling.stop, "<|im_end|>")
    marks = [*(dialect.special if chat.use.tools or dialect.framed else ()), *((tags.begin, tags.end) if tags else ())]
    shown = [tokenizer.names[mark] for mark in marks if tokenizer.names.get(mark) in tokenizer.special]
    settings["shown_ids"] = (*sampling.shown_ids, *shown)
    after: dict[str, Any] = {}  # how the text after thoughts is made
    asked = as_grammar(sampling.grammar)
    if chat.template.get("enable_thinking") is False:
        budget = None
    if budget is not None and tags is not None and not inside and (chat.use.required or asked is not None):
        prompt = [*prompt, *tokenizer.encode(f"{tags.begin}\n", add_special=False, special=True)]
        inside = True  # thoughts are begun for the model: a text that must fit cannot be cut by their budget
    if chat.use.required:
        rules = dialect.grammar(chat.use.tools, chat.use.several, lambda mark: _mark(served, mark))
        settings["grammar"] = {"lark": _with_thoughts(served, inside, f"answer: calls\n{rules}")}
        after["grammar"] = {"lark": f"start: calls\n{rules}"}
    elif asked is not None and dialect.framed is not None:
        settings["grammar"] = {"lark": dialect.framed(_answer_rule(asked), lambda mark: _mark(served, mark))}
    elif asked is not None and tags is not None:
        settings["grammar"] = {"lark": _with_thoughts(served, inside, _answer_rule(asked))}
    chosen = sampling.with_settings(**settings)
    last = chosen.with_settings(**{"grammar": asked, **after})
    return Wanted(served, prompt, chosen, n, True, chat.use, inside, budget, priority, last=last)


def _mark(served: ServedModel, mark: str) -> str:
    """A mark of a dialect in a grammar: by its id if it is a special token, else as text."""
    tokenizer = served.model.tokenizer
    number = tokenizer.names.get(mark)
    return f"<[{number}]>" if number is not None and number in tokenizer.special else json.dumps(mark)


def _answer_rule(grammar: Grammar) -> str:
    """A grammar as a rule `answer`."""
    match grammar.kind:
        case "json_schema":
            return f"answer: %json {grammar.text}\n"
        case "regex":
            return f"answer: /{grammar.text.replace('/', chr(92) + '/')}/\n"
        case _:
            return re.sub(r"^start\b", "answer", grammar.text, count=1, flags=re.M)


def _with_thoughts(served: ServedModel, inside: bool, answer: str) -> str:
    """A grammar of the answer behind thoughts, if the model thinks: those are free."""
    tags = served.tags
    if tags is None:
        return f"start: answer\n{answer}"
    end = _mark(served, tags.end)
    if end.startswith('"'):
        thoughts = f"thoughts[suffix={end}]: /(?s:.*)/\n"
    else:
        thoughts = f"thoughts: THOUGHT {end}\nTHOUGHT: /(?s:.*)/\n"
    before = "thoughts /\\s*/ " if inside else f"({_mark(served, tags.begin)} thoughts /\\s*/ )? "
    return f"start: {before}answer\n{thoughts}{answer}"
