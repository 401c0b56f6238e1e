"""What every endpoint makes of its request: a prompt, how to sample, and how to read the answer."""

from __future__ import annotations

import json
import re
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from rlx.generate.grammar import Grammar, as_grammar
from rlx.generate.sampling_settings import Sampling
from rlx.serve.conversation import ChatInput, ToolUse
from rlx.serve.errors import ApiError
from rlx.serve.models import ServedModel
from rlx.serve.tools import GrammarWriter
from rlx.serve.tools.parts import begins_inside

MOST_TEXTS = 128
CALLER: ContextVar[str] = ContextVar("caller", default="anyone")
"""Whose request is being served: the engine is fair among callers."""
GROUP: ContextVar[str] = ContextVar("group", default="anyone")
"""Who shares what is computed of the beginnings of prompts."""
_LONGEST_SALT = 1024


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
    continues: bool = False  # the answer goes on with the last message
    budget: int | None = None  # of tokens to think with
    hides_thoughts: bool = False  # they are not part of the answer
    splits: bool = True  # they are told from the text
    shows_ids: bool = False  # the answer names its tokens
    priority: int = 0
    caller: str = field(default_factory=CALLER.get)
    group: str = field(default_factory=GROUP.get)
    cache_salt: str | None = None  # prompts of another one share nothing with this one
    last: Sampling | None = None  # of the text after thoughts, where those have a budget

    def __post_init__(self) -> None:
        if not 1 <= self.n <= MOST_TEXTS:
            raise ApiError(400, f"n is {self.n}; it is from 1 to {MOST_TEXTS}", param="n")
        if self.cache_salt is not None and not 1 <= len(self.cache_salt) <= _LONGEST_SALT:
            problem = f"cache_salt has {len(self.cache_salt)} characters; it has 1 to {_LONGEST_SALT}"
            raise ApiError(400, problem, param="cache_salt")
        if self.budget is not None and self.budget < 0:
            raise ApiError(400, f"the budget of thinking is {self.budget}; it is 0 or more")
        if self.budget is not None and self.served.tags is not None and (self.shows_ids or not self.splits):
            what = "return_token_ids" if self.shows_ids else "reasoning_format: none"
            raise ApiError(400, f"{what}: not together with a budget of thinking", param=what.partition(":")[0])


def of_chat(
    served: ServedModel,
    chat: ChatInput,
    sampling: Sampling,
    *,
    n: int = 1,
    budget: int | None = None,
    hides_thoughts: bool = False,
    priority: int = 0,
    splits: bool = True,
    shows_ids: bool = False,
    cache_salt: str | None = None,
) -> Wanted:
    """A conversation; renders the template, so it is called in a worker thread."""
    prompt = chat.prompt(served)
    tokenizer, dialect = served.model.tokenizer, served.dialect[0]
    tags = served.tags
    inside = tags is not None and (
        chat.is_inside(tags.begin, tags.end) if chat.continues else begins_inside(tags, tokenizer, prompt)
    )
    settings: dict[str, Any] = {}
    if served.model.chat_template is None:
        settings["stop"] = (*sampling.stop, "<|im_end|>")
    marks = [*(dialect.special if chat.use.tools or dialect.framed else ()), *((tags.begin, tags.end) if tags else ())]
    shown = [tokenizer.names[mark] for mark in marks if tokenizer.names.get(mark) in tokenizer.special]
    settings["shown_ids"] = (*sampling.shown_ids, *shown)
    after: dict[str, Any] = {}  # how the text after thoughts is made
    asked = as_grammar(sampling.grammar)
    if chat.template.get("enable_thinking") is False or (chat.continues and not inside):
        budget = None
    if chat.continues and (chat.use.required or asked is not None):
        what = "tool_choice" if chat.use.required else "response_format"
        raise ApiError(400, f"{what}: an answer that goes on with the last message cannot be made to fit", param=what)
    if budget is not None and tags is not None and not inside and (chat.use.required or asked is not None):
        prompt = [*prompt, *tokenizer.encode(f"{tags.begin}\n", add_special=False, special=True)]
        inside = True  # thoughts are begun for the model: a text that must fit cannot be cut by their budget
    write = GrammarWriter(lambda mark: _mark(served, mark))
    if chat.use.required:
        rules = dialect.grammar(chat.use.tools, chat.use.several, write)
        settings["grammar"] = write.grammar(_with_thoughts(served, inside, f"answer: calls\n{rules}"))
        after["grammar"] = write.grammar(f"start: calls\n{rules}")
    elif asked is not None and dialect.framed is not None:
        settings["grammar"] = write.grammar(dialect.framed(_answer_rule(asked, write), write))
    elif asked is not None and tags is not None:
        settings["grammar"] = write.grammar(_with_thoughts(served, inside, _answer_rule(asked, write)))
    chosen = sampling.with_settings(**settings)
    last = chosen.with_settings(**{"grammar": asked, **after})
    return Wanted(
        served,
        prompt,
        chosen,
        n,
        is_chat=True,
        use=chat.use,
        inside=inside,
        continues=chat.continues,
        budget=budget,
        hides_thoughts=hides_thoughts,
        priority=priority,
        splits=splits,
        shows_ids=shows_ids,
        cache_salt=cache_salt,
        last=last,
    )


def _mark(served: ServedModel, mark: str) -> str:
    """A mark of a dialect in a grammar: by its id if it is a special token, else as text."""
    tokenizer = served.model.tokenizer
    number = tokenizer.names.get(mark)
    return f"<[{number}]>" if number is not None and number in tokenizer.special else json.dumps(mark)


def _answer_rule(grammar: Grammar, write: GrammarWriter) -> str:
    """A grammar as a rule `answer`."""
    match grammar.kind:
        case "json_schema":
            return f"answer: {write.json(grammar)}\n"
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
