"""Chat templates: a conversation as the tokens a model expects.

A template comes with a model file, from anyone: it runs in a sandbox, and sees the messages and the other variables passed. None of these
can end a turn: special tokens in messages, tools, documents and other variables are read as plain text.

The sandbox is a process (`template_worker`), which ends when a rendering takes too long or too much memory. Each rendering has a process
to itself while it runs, so a slow one delays no other. Idle processes are reused, up to `IDLE`. They end with this one, however it ends:
their input is closed then. A forked child closes its copies and starts processes of its own.
"""

from __future__ import annotations

import atexit
import importlib.util
import json
import marshal
import os
import re
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from rlx.core.errors import RlxError
from rlx.formats.tokenizer import Tokenizer, prompt_too_long
from rlx.runtime.locks import RunLock

DEPTH = 64  # of nested values
TEMPLATE_CHARACTERS = 1 << 16  # real ones have up to 20,000
SECONDS, MEMORY, CHARACTERS = 0.5, 256 << 20, 1 << 24  # of CPU time; bytes; of the rendered text
_SECONDS_PER_BYTE, _MEMORY_PER_BYTE, _CHARACTERS_PER_BYTE = 1e-5, 64, 16  # added for each byte of input
_PROCESSES, IDLE = 8, 2
_GUARD = "RLX_TEMPLATE_WORKER"
_ENVIRONMENT = ("TZ", "TZDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")
"""Environment variables of the process; the others may be secret."""


def render_template(template: str, values: Mapping[str, Any]) -> str:
    """Renders a chat template; an error the template raises, a forbidden operation or an exceeded limit is RLX904."""
    if len(template) > TEMPLATE_CHARACTERS:
        raise _template_error(f"has {len(template)} characters, the limit is {TEMPLATE_CHARACTERS}")
    return _workers.render(template, {name: _plain_value(value, name) for name, value in values.items()})


def start_worker(template: str | None = None, count: int = 1) -> None:
    """Starts a template process before it is needed, if there are fewer than `count`, and compiles a template there.

    Errors are reported when something is rendered.
    """
    with suppress(RlxError):
        _workers.start(template, count)


def _template_error(what: str) -> RlxError:
    return RlxError("RLX904", f"the chat template {what}", at=None)


def _start_error(reason: str) -> RlxError:
    fix = "allow this Python to start processes, or pass prompts that need no template: texts or token ids"
    return RlxError("RLX908", f"the process that renders chat templates cannot start: {reason}", fix=fix, at=None)


def _plain_value(value: Any, name: str, depth: int = 0) -> Any:
    """Converts a caller's value of the template to plain data."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if depth > DEPTH:
        raise RlxError("RLX903", f"{name} is nested deeper than {DEPTH}", at=None)
    if isinstance(value, Mapping):
        return {_plain_value(key, name, depth + 1): _plain_value(part, name, depth + 1) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        parts = [_plain_value(part, name, depth + 1) for part in value]
        return parts if isinstance(value, list) else tuple(parts)
    if isinstance(value, str):
        return str.__str__(value)  # str(value) of an enum is its name
    if isinstance(value, (int, float)):
        return int(value) if isinstance(value, int) else float(value)
    if hasattr(value, "item") and getattr(value, "shape", None) == ():  # a NumPy scalar
        return _plain_value(value.item(), name, depth + 1)
    raise RlxError("RLX903", f"{name} contains a {type(value).__name__}", fix="pass texts, numbers, lists and dicts", at=None)


class _Worker:
    """A sandboxed process that renders templates."""

    def __init__(self, memory: int) -> None:
        self.memory, self._is_ready, self._unread = memory, False, 0
        packages = [importlib.util.find_spec(name) for name in ("jinja2", "markupsafe")]
        if not all(packages):
            raise RlxError("RLX803", "chat templates need the package jinja2", fix="pip install 'rlx[formats]'", at=None)
        folders = [str(Path(str(cast(Any, package).origin)).parent.parent) for package in packages]
        if not sys.executable or getattr(sys, "frozen", False) or _GUARD in os.environ:
            raise _start_error(f"{sys.executable or 'this program'} is not a Python interpreter")
        command = [sys.executable, "-I", "-S", str(Path(__file__).with_name("template_worker.py")), str(memory), *folders]
        environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ} | {_GUARD: "1"}
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(command, bufsize=0, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, env=environment)
        except OSError as error:
            raise _start_error(str(error)) from None
        self._input, self._output = cast(Any, self._process.stdin), cast(Any, self._process.stdout)

    @property
    def is_alive(self) -> bool:
        """Whether the process can take a request."""
        return self._process.poll() is None

    def send(self, request: bytes, seconds: float, characters: int = 0) -> None:
        """Sends a render request and its limits. Several can wait: `answer` is that of the last one."""
        self._unread += 1
        rest = memoryview(struct.pack("<QdQ", len(request), seconds, characters) + request)
        with suppress(BrokenPipeError):  # the process has ended: its answer is missing
            while rest:
                rest = rest[self._input.write(rest) :]

    def answer(self, most: int) -> tuple[bytes, str] | None:
        """Reads the kind and text of the last answer; None if the process has ended, or its answer is malformed."""
        if not self._is_ready:
            self._check_ready()
        kind, blob = b"", b""
        while self._unread:
            kind, size = self._read(1), int.from_bytes(self._read(8), "little")
            if not kind or kind not in b"tem" or size > most or len(blob := self._read(size)) < size:
                return None
            self._unread -= 1
            if kind == b"m":  # it takes no other request
                break
        return kind, blob.decode("utf-8", "surrogatepass")

    def _check_ready(self) -> None:
        said = self._output.readline()
        if said != b"ready\n":
            lines = (said + self._output.read()).decode("utf-8", "replace").strip().splitlines()
            raise _start_error(lines[-1][:300] if lines else f"it ended with code {self.close()}")
        self._is_ready = True

    def _read(self, size: int) -> bytes:
        parts, missing = [], size
        while missing and (part := self._output.read(min(missing, 1 << 20))):
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)

    def close(self) -> int:
        """Ends the template process; returns its exit code."""
        self._process.kill()
        code = self._process.wait()
        self.forget()
        return code

    def forget(self) -> None:
        """Closes this side of the process's pipes."""
        self._process.returncode = 0  # a forked child cannot wait for it
        self._input.close()
        self._output.close()


class _Workers:
    """All template processes: those that render, and idle ones."""

    def __init__(self) -> None:
        self._starting = RunLock()  # so that no fork inherits the pipes of one that is not listed yet
        self._reset()

    def _reset(self) -> None:
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._rendering = threading.BoundedSemaphore(_PROCESSES)

    def start(self, template: str | None, count: int) -> None:
        """Starts a template process, if there are fewer than `count`, and compiles a template there."""
        if len(self._all) < count:
            worker = self._new(MEMORY)
            if template is not None and len(template) <= TEMPLATE_CHARACTERS:
                worker.send(marshal.dumps((template, None)), SECONDS)
            self._idle.append(worker)

    def render(self, template: str, values: dict[str, Any]) -> str:
        """Renders a template in an idle or a new process."""
        request = marshal.dumps((template, values))
        seconds, characters = SECONDS + _SECONDS_PER_BYTE * len(request), CHARACTERS + _CHARACTERS_PER_BYTE * len(request)
        with self._rendering:
            worker = self._take(max(MEMORY, _MEMORY_PER_BYTE * len(request)))
            try:
                worker.send(request, seconds, characters)
                answer = worker.answer(4 * characters)
            except BaseException:  # such as Ctrl-C: its next answer would not be the next request's
                self._end(worker)
                raise
            if answer is not None and answer[0] != b"m" and worker.memory == MEMORY and len(self._idle) < IDLE:
                self._idle.append(worker)
                code = None
            else:
                code = self._end(worker)
        if answer is None:
            answer = b"e", _explain_end(code, seconds)
        kind, text = answer
        if kind == b"t":
            return text
        if code is not None:
            start_worker(template=None)
        raise _template_error(text)

    def _take(self, memory: int) -> _Worker:
        while self._idle:
            with suppress(IndexError):  # another thread took the worker
                worker = self._idle.pop()
                if worker.is_alive and worker.memory >= memory:
                    return worker
                self._end(worker)
        return self._new(memory)

    def _new(self, memory: int) -> _Worker:
        with self._starting:
            worker = _Worker(memory)
            self._all.add(worker)
        return worker

    def _end(self, worker: _Worker) -> int:
        self._all.discard(worker)
        return worker.close()

    def close(self) -> None:
        """Ends all template processes, before Python exits."""
        for worker in list(self._all):
            self._end(worker)

    def forget(self) -> None:
        """Drops all processes in a forked child: they belong to the parent."""
        for worker in list(self._all):
            worker.forget()
        self._reset()


def _explain_end(code: int | None, seconds: float) -> str:
    """Explains why a template process has ended, for an error."""
    if code == (1 if sys.platform == "win32" else -signal.SIGPROF):
        return f"ran longer than {seconds:.2g} s"
    return f"crashed the process that renders it (exit code {code})"


_workers = _Workers()
atexit.register(_workers.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_workers.forget)


# -- from a conversation to tokens -----------------------------------------------------------------------------------
CHATML = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""For models without a template."""

_MARK = "\uf8ff"  # inserted into special tokens that users wrote: a private-use character, removed again
_OPEN = "\uf8fe"  # where the last message stops that the answer goes on with: another such character
_ESCAPED_MARK = json.dumps(_MARK)[1:-1]
_THOUGHTS = ("reasoning_content", "thinking", "reasoning")
_TOKENS = frozenset(f"{kind}_token" for kind in ("bos", "eos", "unk", "sep", "pad", "cls", "mask"))
"""Variables that name special tokens."""


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
    """Renders and tokenizes a conversation, ready for the answer; `more` are other template variables. Without a template: ChatML.

    They begin with BOS if the file says so, whether the template prints it or not. Content can be a list of text parts.
    With `continue_final_message` they end with the text of the last message, whose turn stays open. More than `most_tokens` are RLX901.
    """
    _check_conversation(messages, more)
    if most_tokens is not None:
        check_messages_fit(tokenizer, messages, most_tokens)
    text = render(template or CHATML, **_template_values(tokenizer, messages, more, continue_final_message))
    if continue_final_message:
        text = _until_open(text)
    if most_tokens is not None:  # before the text is searched, which takes longer
        tokenizer.check_length((text.replace(_MARK, "").replace(_ESCAPED_MARK, ""),), most_tokens)
    parts = _split_special(text, tokenizer.names)
    if most_tokens is not None:
        tokenizer.check_length(parts, most_tokens)
    ids: list[int] = []
    for number, part in enumerate(parts):
        if part:
            ids += tokenizer.encode(part, add_special=False, special=number % 2 == 0, most=most_tokens)
    if tokenizer.add_bos and tokenizer.bos is not None and ids[:1] != [tokenizer.bos]:
        ids = [tokenizer.bos, *ids]
    return ids


def check_messages_fit(tokenizer: Tokenizer, messages: Sequence[Any], most_tokens: int) -> None:
    """Raises RLX901 for more messages than tokens, and for a message whose text alone does not fit, before anything is rendered.

    Each message takes at least one token. Bytes that a tokenizer may drop do not count.
    """
    if len(messages) > most_tokens:
        raise prompt_too_long(f"the conversation has {len(messages)} messages", most_tokens)
    for number, message in enumerate(messages):
        text = message.get("content") if isinstance(message, Mapping) else None
        if isinstance(text, str) and len(text) > most_tokens:
            tokenizer.check_length((text.strip(),), most_tokens, f"message {number}")


def _check_conversation(messages: Any, more: Mapping[str, Any]) -> None:
    """Raises RLX903 for what is not a conversation."""
    if not isinstance(messages, Sequence):
        raise RlxError("RLX903", f"the conversation is {messages!r:.60}", fix="[{'role': 'user', 'content': '…'}]", at=None)
    if "messages" in more:
        raise RlxError("RLX903", "the template's variable 'messages' is the conversation", fix="another name", at=None)
    for number, message in enumerate(messages):
        if not isinstance(message, Mapping) or not isinstance(message.get("role"), str):
            raise RlxError("RLX903", f"message {number} is {message!r:.60}", fix="{'role': 'user', 'content': '…'}", at=None)
    if not messages:
        raise RlxError("RLX903", "the conversation has no messages", fix="[{'role': 'user', 'content': '…'}]", at=None)


def _template_values(
    tokenizer: Tokenizer, messages: Sequence[Any], more: Mapping[str, Any], continue_final_message: bool
) -> dict[str, Any]:
    """Returns the variables of a template. Special tokens in all but those that name them are marked as plain text."""
    ends = {"bos": tokenizer.bos, "eos": min(tokenizer.eos, default=None)}
    pieces = {kind: b"" if number is None else tokenizer.piece(number) for kind, number in ends.items()}
    tokens = {f"{kind}_token": piece.decode("utf-8", "replace") for kind, piece in pieces.items()}
    tokens |= {name: value for name, value in more.items() if name in _TOKENS}
    plain = [_plain_message(number, message) for number, message in enumerate(messages)]
    variables = {"messages": plain, **{name: value for name, value in more.items() if name not in _TOKENS}}
    marked = _Marker(tokenizer.names).mark(variables)
    values = {"add_generation_prompt": True, "tools": None, **tokens, **marked}
    if continue_final_message:
        *before, last = marked["messages"]
        values["messages"] = [*before, {**last, "content": f"{last.get('content') or ''}{_OPEN}"}]
        values["add_generation_prompt"] = False
    return values


def _until_open(text: str) -> str:
    """Cuts a rendered conversation at the end of its last message, without what the template prints after it."""
    before, _, after = text.partition(_OPEN)
    if before == text or _OPEN in after:
        message = "the chat template does not print the last message once and as it is, so that it cannot be continued"
        raise RlxError("RLX904", message, fix="end the conversation with a message of the user", at=None)
    return before


def _plain_message(number: int, message: Mapping[str, Any]) -> Mapping[str, Any]:
    """Converts a message's content to a string: parts `{"type": "text", "text": …}` joined by line breaks; others are an error.

    Its thoughts have all names that templates use, whichever name the caller used.
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
            problem = f"message {number} has a part {kind!r:.60}; this server reads only text"
            raise RlxError("RLX903", problem, fix="{'type': 'text', 'text': '…'}", at=None)
    return {**message, "content": "\n".join(part["text"] for part in content)}


def _longest_first(names: Mapping[str, int]) -> list[str]:
    return sorted((name for name in names if name), key=len, reverse=True)


def _broken(name: str) -> str:
    return f"{name[:1]}{_MARK}{name[1:]}"


def _split_special(text: str, names: Mapping[str, int]) -> list[str]:
    """Splits a rendered text and removes the marks: at even indices the template's text, at odd ones callers' special tokens."""
    broken = [_broken(name) for name in _longest_first(names)]
    escaped = [json.dumps(name)[1:-1] for name in broken]  # as `tojson(ensure_ascii=true)` prints them
    guarded = [re.escape(one) for one in dict.fromkeys([*broken, *escaped])]
    longest = max(map(len, [*broken, *escaped]), default=0)
    parts = _split_at(re.compile("|".join(guarded)), text, longest) if guarded else [text]
    return [part.replace(_MARK, "").replace(_ESCAPED_MARK, "" if odd % 2 else _ESCAPED_MARK) for odd, part in enumerate(parts)]


_WINDOW = 1 << 13
"""Characters that are searched at a time: a search lets no other thread run."""


def _split_at(pattern: re.Pattern[str], text: str, longest: int) -> list[str]:
    """Splits a text at the matches of a pattern, none of which is longer than `longest`; those are at the odd indices.

    >>> _split_at(re.compile("b+"), "abbc", 2)
    ['a', 'bb', 'c']
    """
    parts, done, start = list[str](), 0, 0
    while start < len(text):
        hit = pattern.search(text, start, start + _WINDOW + longest)
        if hit is None or hit.start() >= start + _WINDOW:
            start += _WINDOW
            continue
        parts += [text[done : hit.start()], hit[0]]
        done = start = hit.end()
    return [*parts, text[done:]]


class _Marker:
    """Inserts a mark into every special token of the template's variables, so that it is plain text."""

    def __init__(self, names: Mapping[str, int]) -> None:
        self._names = [(name, _broken(name)) for name in _longest_first(names)]
        special = [_MARK, _OPEN, *(name for name, _ in self._names)]
        self._special = re.compile("|".join(map(re.escape, special)))

    def mark(self, value: Any, depth: int = 0) -> Any:
        """Marks all texts in a value; what is nested deeper than the sandbox accepts is unchanged."""
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
    """Renders a chat template; an error the template raises, a forbidden operation or an exceeded limit is RLX904."""
    return render_template(template, values)
