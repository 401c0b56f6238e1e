"""Chat templates: a conversation as the tokens a model expects.

A template comes with a model file, from anyone: it runs in a sandbox, and sees the messages and the other variables passed. None of these
can end a turn: special tokens in messages, tools, documents and other variables are read as plain text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from rlx.core.errors import RlxError
from rlx.formats.tokenizer import Tokenizer, prompt_too_long
from rlx.generate.sandbox import DEPTH, render_template

CHATML = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""For models without a template."""

_MARK = "\uf8ff"  # inserted into special tokens that users wrote: a private-use character, removed again
_OPEN = "\uf8fe"  # where the last message stops that the answer goes on with: another such character
_ESCAPED_MARK = json.dumps(_MARK)[1:-1]
_THOUGHTS = ("reasoning_content", "thinking", "reasoning")
_TOKENS = frozenset(
    f"{kind}_token" for kind in ("bos", "eos", "unk", "sep", "pad", "cls", "mask")
)  # variables that name special tokens


def chat_ids(
    tokenizer: Tokenizer,
    template: str | None,
    messages: Sequence[Any],
    /,
    *,
    continue_final_message: bool = False,
    most_tokens: int | None = None,
    **more: Any,
) -> list[int]:
    """The tokens of a conversation, ready for the answer; `more` are other variables of the template. Without a template it is ChatML.

    They begin with BOS if the file says so, whether the template prints it or not. Content can be a list of text parts.
    With `continue_final_message` they end with the text of the last message, whose turn stays open. More than `most_tokens` are RLX901.
    """
    if not isinstance(messages, Sequence):
        raise RlxError("RLX903", f"the conversation is {messages!r:.60}", fix="[{'role': 'user', 'content': '…'}]", at=None)
    if "messages" in more:
        raise RlxError("RLX903", "the template's variable 'messages' is the conversation", fix="another name", at=None)
    for number, message in enumerate(messages):
        if not isinstance(message, Mapping) or not isinstance(message.get("role"), str):
            raise RlxError("RLX903", f"message {number} is {message!r:.60}", fix="{'role': 'user', 'content': '…'}", at=None)
    if not messages:
        raise RlxError("RLX903", "the conversation has no messages", fix="[{'role': 'user', 'content': '…'}]", at=None)
    if (
        most_tokens is not None and len(messages) > most_tokens
    ):  # each takes a token at least: rendering all of them would be in vain
        raise prompt_too_long(f"the conversation has {len(messages)} messages", most_tokens)
    ends = {"bos": tokenizer.bos, "eos": min(tokenizer.eos, default=None)}
    named = {kind: b"" if number is None else tokenizer.piece(number) for kind, number in ends.items()}
    tokens = {f"{kind}_token": piece.decode("utf-8", "replace") for kind, piece in named.items()}
    plain = [_plain(number, message) for number, message in enumerate(messages)]
    variables = {"messages": plain, **{name: value for name, value in more.items() if name not in _TOKENS}}
    texts = _Marker(tokenizer.names).mark(variables)
    named_tokens = {name: value for name, value in more.items() if name in _TOKENS}
    values = {"add_generation_prompt": True, "tools": None, **tokens, **named_tokens, **texts}
    if continue_final_message:
        *before, last = texts["messages"]
        values["messages"] = [*before, {**last, "content": f"{last.get('content') or ''}{_OPEN}"}]
        values["add_generation_prompt"] = False
    text = render(template or CHATML, **values)
    if continue_final_message:
        text = _until_open(text)
    if most_tokens is not None:  # before it is searched, which takes longer
        tokenizer.check_length((text.replace(_MARK, "").replace(_ESCAPED_MARK, ""),), most_tokens)
    parts = _split(text, tokenizer.names)
    if most_tokens is not None:
        tokenizer.check_length(parts, most_tokens)
    ids: list[int] = []
    for number, part in enumerate(parts):
        if part:
            ids += tokenizer.encode(part, add_special=False, special=number % 2 == 0, most=most_tokens)
    if tokenizer.add_bos and tokenizer.bos is not None and ids[:1] != [tokenizer.bos]:
        ids = [tokenizer.bos, *ids]
    return ids


def _until_open(text: str) -> str:
    """A rendered conversation up to the end of its last message, whatever the template prints behind it."""
    before, _, after = text.partition(_OPEN)
    if before == text or _OPEN in after:
        message = "the chat template does not print the last message once and as it is, so that it cannot be continued"
        raise RlxError("RLX904", message, fix="end the conversation with a message of the user", at=None)
    return before


def _plain(number: int, message: Mapping[str, Any]) -> Mapping[str, Any]:
    """A message whose content is one text: parts `{"type": "text", "text": …}` joined by line breaks; other parts are an error.

    Its thoughts have all the names that templates read them by, whichever they were given by.
    """
    thoughts = next((message[name] for name in _THOUGHTS if message.get(name) is not None), None)
    if thoughts is not None:
        message = {"thinking": thoughts, **message, "reasoning_content": thoughts}
    content = message.get("content")
    if not isinstance(content, (list, tuple)):
        return message
    for part in content:
        if not isinstance(part, Mapping) or part.get("type") != "text" or not isinstance(part.get("text"), str):
            kind = part.get("type") if isinstance(part, Mapping) else part
            problem = f"message {number} has a part {kind!r:.60}; models here read only text"
            raise RlxError("RLX903", problem, fix="{'type': 'text', 'text': '…'}", at=None)
    return {**message, "content": "\n".join(part["text"] for part in content)}


def _longest_first(names: Mapping[str, int]) -> list[str]:
    return sorted((name for name in names if name), key=len, reverse=True)


def _broken(name: str) -> str:
    return f"{name[:1]}{_MARK}{name[1:]}"


def _split(text: str, names: Mapping[str, int]) -> list[str]:
    """The rendered text without the marks: at even indices the template's own text, at odd ones special tokens from the caller."""
    broken = [_broken(name) for name in _longest_first(names)]
    escaped = [json.dumps(name)[1:-1] for name in broken]  # as `tojson(ensure_ascii=true)` prints them
    guarded = [re.escape(one) for one in dict.fromkeys([*broken, *escaped])]
    longest = max(map(len, [*broken, *escaped]), default=0)
    parts = _split_at(re.compile("|".join(guarded)), text, longest) if guarded else [text]
    return [part.replace(_MARK, "").replace(_ESCAPED_MARK, "" if odd % 2 else _ESCAPED_MARK) for odd, part in enumerate(parts)]


_WINDOW = 1 << 13
"""Characters that are searched at a time: a search lets no other thread run."""


def _split_at(pattern: re.Pattern[str], text: str, longest: int) -> list[str]:
    """A text split at the matches of a pattern, none of which is longer than `longest`; those are at the odd indices.

    >>> _split_at(re.compile("b+"), "abbc", 2)
    ['a', 'bb', 'c']
    """
    found, done, start = list[str](), 0, 0
    while start < len(text):
        hit = pattern.search(text, start, start + _WINDOW + longest)
        if hit is None or hit.start() >= start + _WINDOW:
            start += _WINDOW
            continue
        found += [text[done : hit.start()], hit[0]]
        done = start = hit.end()
    return [*found, text[done:]]


class _Marker:
    """Inserts a mark into every special token of the variables, so that it is plain text."""

    def __init__(self, names: Mapping[str, int]) -> None:
        self._names = [(name, _broken(name)) for name in _longest_first(names)]
        special = [_MARK, _OPEN, *(name for name, _ in self._names)]
        self._special = re.compile("|".join(map(re.escape, special)))

    def mark(self, value: Any, depth: int = 0) -> Any:
        """The value with all texts in it marked; what is nested deeper than the sandbox accepts stays."""
        if isinstance(value, str):
            return self._mark_text(value)
        if depth > DEPTH:
            return value
        if isinstance(value, Mapping):
            return {self.mark(key, depth + 1): self.mark(part, depth + 1) for key, part in value.items()}
        if isinstance(value, (list, tuple)):
            parts = [self.mark(part, depth + 1) for part in value]
            return parts if isinstance(value, list) else tuple(parts)
        if hasattr(value, "item") and getattr(value, "shape", None) == ():  # a NumPy scalar
            return self.mark(value.item(), depth + 1)
        return value

    def _mark_text(self, text: str) -> str:
        if len(text) <= _WINDOW and not self._special.search(text):
            return text
        text = text.replace(_MARK, "").replace(_OPEN, "")
        for name, broken in self._names:
            text = text.replace(name, broken)
        return text


def render(template: str, /, **values: Any) -> str:
    """The rendered text; an error the template raises, a forbidden operation or an exceeded limit is RLX904."""
    return render_template(template, values)
