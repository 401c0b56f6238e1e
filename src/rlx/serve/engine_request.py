"""What every endpoint converts its request to: a prompt, sampling settings, and how to parse the answer."""

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
"""The caller of the current request: the engine is fair among callers."""
GROUP: ContextVar[str] = ContextVar("group", default="anyone")
"""The group of the current request: its callers share cached prefixes."""
_LONGEST_SALT = 1024


@dataclass(frozen=True)
class EngineRequest:
    """A request to an engine, with what parses its answer."""

    served: ServedModel
    prompt: list[int]
    sampling: Sampling
    n: int = 1
    is_chat: bool = False
    use: ToolUse = field(default_factory=ToolUse)
    inside: bool = False  # the prompt ends inside a thought
    continues: bool = False  # the answer goes on with the last message
    budget: int | None = None  # of tokens to think with
    hides_thoughts: bool = False  # the answer omits thoughts
    splits: bool = True  # thoughts are split from the text
    shows_ids: bool = False  # the answer names its tokens
    priority: int = 0
    caller: str = field(default_factory=CALLER.get)
    group: str = field(default_factory=GROUP.get)
    cache_salt: str | None = None  # cached prefixes are shared only between requests with an equal salt
    last: Sampling | None = None  # of the text after thoughts, where those have a budget

    def __post_init__(self) -> None:
        if not 1 <= self.n <= MOST_TEXTS:
            raise ApiError(400, f"n is {self.n}; it must be from 1 to {MOST_TEXTS}", param="n")
        if self.cache_salt is not None and not 1 <= len(self.cache_salt) <= _LONGEST_SALT:
            problem = f"cache_salt has {len(self.cache_salt)} characters; it must have 1 to {_LONGEST_SALT}"
            raise ApiError(400, problem, param="cache_salt")
        if self.budget is not None and self.budget < 0:
            raise ApiError(400, f"the thinking budget is {self.budget}; it must be 0 or more")
        if self.budget is not None and self.served.tags is not None and (self.shows_ids or not self.splits):
            what = "return_token_ids" if self.shows_ids else "reasoning_format: none"
            raise ApiError(400, f"{what}: cannot be combined with a thinking budget", param=what.partition(":")[0])


def of_chat(
    served: ServedModel, chat: ChatInput, sampling: Sampling, *, budget: int | None = None, **options: Any
) -> EngineRequest:
    """Builds the request of a conversation; `options` are fields of `EngineRequest`. It renders the template: call it in a worker."""
    prompt, tags = chat.prompt(served), served.tags
    tokenizer = served.model.tokenizer
    inside = False
    if tags is not None:
        inside = chat.is_inside(tags.begin, tags.end) if chat.continues else begins_inside(tags, tokenizer, prompt)
    form = as_grammar(sampling.grammar)
    constraint = "tool_choice" if chat.use.required else "response_format" if form is not None else None
    if chat.continues and constraint is not None:
        problem = f"{constraint}: an answer that continues the last message cannot be constrained"
        raise ApiError(400, problem, param=constraint)
    if chat.template.get("enable_thinking") is False or (chat.continues and not inside):
        budget = None
    if budget is not None and tags is not None and not inside and constraint is not None:
        prompt = [*prompt, *tokenizer.encode(f"{tags.begin}\n", add_special=False, special=True)]
        inside = True  # thoughts are begun for the model: their budget cannot cut a text that a grammar constrains
    first, last = _build_grammars(served, chat, form, inside)
    stop = sampling.stop if served.model.chat_template is not None else (*sampling.stop, "<|im_end|>")
    chosen = sampling.with_settings(grammar=first, stop=stop, shown_ids=(*sampling.shown_ids, *_mark_ids(served, chat)))
    return EngineRequest(
        served,
        prompt,
        chosen,
        is_chat=True,
        use=chat.use,
        inside=inside,
        continues=chat.continues,
        budget=budget,
        last=chosen.with_settings(grammar=last),
        **options,
    )


def _mark_ids(served: ServedModel, chat: ChatInput) -> list[int]:
    """Returns the special tokens that the text includes: marks of calls and of thoughts."""
    tokenizer, dialect, tags = served.model.tokenizer, served.dialect[0], served.tags
    marks = [*(dialect.special if chat.use.tools or dialect.framed else ()), *((tags.begin, tags.end) if tags else ())]
    return [tokenizer.names[mark] for mark in marks if tokenizer.names.get(mark) in tokenizer.special]


def _build_grammars(
    served: ServedModel, chat: ChatInput, form: Grammar | None, inside: bool
) -> tuple[Grammar | None, Grammar | None]:
    """Builds the grammar of the full answer, and the grammar of the text after its thoughts."""
    dialect, write = served.dialect[0], GrammarWriter(lambda mark: _mark(served, mark))
    if chat.use.required:
        rules = dialect.grammar(chat.use.tools, chat.use.several, write)
        answer = write.grammar(_with_thoughts(served, inside, f"answer: calls\n{rules}"))
        return answer, write.grammar(f"start: calls\n{rules}")
    if form is not None and dialect.framed is not None:
        return write.grammar(dialect.framed(_answer_rule(form, write), write)), form
    if form is not None and served.tags is not None:
        return write.grammar(_with_thoughts(served, inside, _answer_rule(form, write))), form
    return form, form


def _mark(served: ServedModel, mark: str) -> str:
    """Writes a mark of a dialect in a grammar: the id of a special token, or quoted text."""
    tokenizer = served.model.tokenizer
    number = tokenizer.names.get(mark)
    return f"<[{number}]>" if number is not None and number in tokenizer.special else json.dumps(mark)


def _answer_rule(grammar: Grammar, write: GrammarWriter) -> str:
    """Rewrites a grammar as a rule `answer` of a larger one."""
    match grammar.kind:
        case "json_schema":
            return f"answer: {write.json(grammar)}\n"
        case "regex":
            return f"answer: /{grammar.text.replace('/', chr(92) + '/')}/\n"
        case _:
            return re.sub(r"^start\b", "answer", grammar.text, count=1, flags=re.M)


def _with_thoughts(served: ServedModel, inside: bool, answer: str) -> str:
    """Builds a grammar that constrains the answer after the thoughts, if the model thinks; thoughts are not constrained."""
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
