"""rlx chat: a conversation in the terminal."""

from __future__ import annotations

import contextlib
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

from rlx.cli.open_model import CommandSettings, open_engine, speed_line
from rlx.cli.progress import Bars
from rlx.core.errors import RlxError
from rlx.generate.engine import Engine
from rlx.generate.template import chat_ids

__all__ = ["chat"]

_HELP = """/reset          clear the conversation
/system TEXT    set a new system message and clear the conversation
/save FILE      write the conversation as JSON
/help           show this help
/exit           quit (or Ctrl-D); Ctrl-C stops an answer"""


@dataclass
class Conversation:
    """The messages so far, and how a line of user input changes them."""

    engine: Engine
    settings: CommandSettings
    system: str | None = None
    messages: list[dict[str, str]] = field(default_factory=list)

    def all_messages(self) -> list[dict[str, str]]:
        """Including the system message."""
        return [*([{"role": "system", "content": self.system}] if self.system is not None else []), *self.messages]

    def line(self, line: str) -> bool:
        """A line of user input: a command or a message. False: quit."""
        if not line.strip():
            return True
        if not line.startswith("/"):
            self.answer(line)
            return True
        command, _, rest = line.strip().partition(" ")
        match command:
            case "/exit" | "/quit":
                return False
            case "/reset":
                self.messages.clear()
            case "/system":
                self.system = rest.strip() or None
                self.messages.clear()
            case "/save":
                self.save(rest.strip())
            case "/help":
                print(_HELP)
            case _:
                print(f"unknown command {command}\n{_HELP}", file=sys.stderr)
        return True

    def save(self, file: str) -> None:
        """Write the conversation."""
        if not file:
            print("/save FILE", file=sys.stderr)
            return
        try:
            Path(file).write_text(json.dumps(self.all_messages(), ensure_ascii=False, indent=2))
        except OSError as error:
            print(f"{file}: {error.strerror}", file=sys.stderr)

    def shorten(self) -> None:
        """Drop the oldest questions and answers while less than a quarter of the context is left for the answer."""
        model, room, before = self.engine.model, self.engine.capacity, len(self.messages)
        while (
            len(self.messages) > 2
            and len(chat_ids(model.tokenizer, model.chat_template, self.all_messages())) > room - room // 4
        ):
            del self.messages[:2]
        if len(self.messages) < before:
            gone = before - len(self.messages)
            print(
                f"[the context of {room} tokens is nearly full: dropped the first {gone} messages]",
                file=sys.stderr,
            )

    def answer(self, text: str) -> None:
        """Stream the answer; Ctrl-C stops it and keeps the partial text. A message that cannot be answered is removed."""
        self.messages.append({"role": "user", "content": text})
        try:
            self.shorten()
            stream = self.engine.stream_chat(
                self.all_messages(), overflow=self.settings.overflow, **self.settings.sampling
            )
            with contextlib.suppress(KeyboardInterrupt):
                for piece in stream:
                    print(piece, end="", flush=True)
        except RlxError as error:
            self.messages.pop()
            error.location = None
            print(error, file=sys.stderr)
            return
        print()
        found = stream.result
        self.messages.append({"role": "assistant", "content": found.text})
        for note in found.notes if len(self.messages) == 2 else ():
            print(note, file=sys.stderr)
        print(f"[{speed_line(found, self.settings)}]", file=sys.stderr)


def chat(name: str, settings: CommandSettings, system: str | None) -> None:
    """Read messages and answer them until the end of the input."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  arrows and history in input()
    with Bars() as bars:
        conversation = Conversation(open_engine(name, settings, bars), settings, system)
        conversation.engine.prepare()
    config, room = conversation.engine.model.config, conversation.engine.capacity
    print(f"{config.architecture}, {config.layers} layers, context {room}. /help lists commands.", file=sys.stderr)
    while True:
        try:
            line = input("> " if sys.stdin.isatty() else "")
        except (EOFError, KeyboardInterrupt):
            print()
            return
        if not conversation.line(line):
            return
