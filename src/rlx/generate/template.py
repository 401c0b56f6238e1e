"""Chat templates: a conversation as the tokens a model expects.

A template comes with a model file, from anyone: it runs in a sandbox, and sees the messages and nothing else. What users write cannot end
a turn: special tokens in messages are read as plain text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rlx.core.errors import RlxError
from rlx.formats.tokenizer import Tokenizer
from rlx.generate.sandbox import sandboxed

__all__ = ["CHATML", "chat_ids", "render"]

CHATML = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""For models that come without a template."""

_MARK = "\uf8ff"  # in special texts that users wrote: for private use, and taken out again


def chat_ids(tokenizer: Tokenizer, template: str | None, messages: Sequence[Any], **more: Any) -> list[int]:
    """The tokens of a conversation, ready for the answer; `more` are further names the template reads. Without a template it is ChatML.

    They begin with BOS where the file says so, whether the template prints it or not. Content may be a list of parts of text.
    """
    if not isinstance(messages, Sequence):
        raise RlxError("RLX903", f"the conversation is {messages!r:.60}", fix="[{'role': 'user', 'content': '…'}]", at=None)
    for number, message in enumerate(messages):
        if not isinstance(message, Mapping) or not isinstance(message.get("role"), str):
            raise RlxError("RLX903", f"message {number} is {message!r:.60}", fix="{'role': 'user', 'content': '…'}", at=None)
    if not messages:
        raise RlxError("RLX903", "the conversation has no messages", fix="[{'role': 'user', 'content': '…'}]", at=None)
    ends = {"bos": tokenizer.bos, "eos": min(tokenizer.eos, default=None)}
    named = {kind: b"" if number is None else tokenizer.piece(number) for kind, number in ends.items()}
    tokens = {f"{kind}_token": piece.decode("utf-8", "replace") for kind, piece in named.items()}
    values = {"add_generation_prompt": True, "tools": None, **tokens, **more}
    plain = [_plain(number, message) for number, message in enumerate(messages)]
    text = render(template or CHATML, messages=_marked(plain, tokenizer.names), **values)
    ids: list[int] = []
    guarded = "|".join(re.escape(_broken(name)) for name in _longest_first(tokenizer.names))
    for number, part in enumerate(re.split(f"({guarded})", text) if guarded else [text]):
        if part:
            ids += tokenizer.encode(part.replace(_MARK, ""), add_special=False, special=number % 2 == 0)
    if tokenizer.add_bos and tokenizer.bos is not None and ids[:1] != [tokenizer.bos]:
        ids = [tokenizer.bos, *ids]
    return ids


def _plain(number: int, message: Mapping[str, Any]) -> Mapping[str, Any]:
    """A message whose content is one text: parts `{"type": "text", "text": …}` line by line; parts of anything else are refused."""
    content = message.get("content")
    if not isinstance(content, (list, tuple)):
        return message
    for part in content:
        if not isinstance(part, Mapping) or part.get("type") != "text" or not isinstance(part.get("text"), str):
            kind = part.get("type") if isinstance(part, Mapping) else part
            problem = f"message {number} has a part {kind!r:.60}, models here read text alone"
            raise RlxError("RLX903", problem, fix="{'type': 'text', 'text': '…'}", at=None)
    return {**message, "content": "\n".join(part["text"] for part in content)}


def _longest_first(names: Mapping[str, int]) -> list[str]:
    return sorted((name for name in names if name), key=len, reverse=True)


def _broken(name: str) -> str:
    return f"{name[:1]}{_MARK}{name[1:]}"


def _marked(value: Any, names: Mapping[str, int]) -> Any:
    """Messages with a mark inside every special text, so that it is not one."""
    if isinstance(value, str):
        text = value.replace(_MARK, "")
        for name in _longest_first(names):
            text = text.replace(name, _broken(name))
        return text
    if isinstance(value, Mapping):
        return {key: _marked(part, names) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_marked(part, names) for part in value]
    return value


def render(template: str, **values: Any) -> str:
    """A template's text; what it complains of, does wrong, or does too long or too large is RLX904."""
    return sandboxed(template, values)
