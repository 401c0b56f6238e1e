"""rlx chat: a conversation in the terminal."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console

from rlx.cli.model_commands import CommandSettings, open_engine, speed_line
from rlx.cli.train import Bars
from rlx.core.config import home_folder
from rlx.core.errors import RlxError, count_of
from rlx.generate.engine import Engine
from rlx.generate.sampling_settings import Sampling
from rlx.generate.template import chat_ids

QUOTES = '"""'


def is_open(text: str) -> bool:
    '''Returns whether a message in triple quotes continues after this line.

    >>> is_open('"""one'), is_open('"""one' + chr(10) + 'two"""'), is_open("one")
    (True, False, False)
    '''
    begun = text.lstrip()
    return begun.startswith(QUOTES) and not (len(begun) >= 2 * len(QUOTES) and begun.rstrip().endswith(QUOTES))


def without_quotes(text: str) -> str:
    '''Removes the triple quotes around a message.

    >>> without_quotes('"""a' + chr(10) + 'b"""')
    'a\\nb'
    '''
    bare = text.strip()
    return bare.removeprefix(QUOTES).removesuffix(QUOTES).strip("\n") if bare.startswith(QUOTES) else text


def history_file() -> Path | None:
    """Creates the file with messages of earlier chats, readable by its owner only. None if it cannot be written."""
    home = home_folder()
    state = os.environ.get("XDG_STATE_HOME") or (str(Path(home, ".local", "state")) if home else "")
    if not state:
        return None
    file = Path(state, "rlx", "chat_history")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
    except OSError:
        return None
    return file


def reader(commands: Sequence[str]) -> Callable[[], str]:
    """Returns a function that reads the next message: with an editor in a terminal, else from stdin. EOFError at the end."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return _read_lines
    session = terminal_session(commands, history_file())
    return lambda: str(session.prompt())


def _read_lines() -> str:
    """Reads a line of stdin, or all lines from triple quotes to triple quotes."""
    text = input()
    while is_open(text):
        text += "\n" + input()
    return text


def terminal_session(commands: Sequence[str], history: Path | None, **streams: Any) -> Any:
    """Builds prompt_toolkit's session: Enter sends, Alt-Enter begins a line, a paste is one message, triple quotes hold several."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import ConditionalCompleter, WordCompleter
    from prompt_toolkit.filters import Condition
    from prompt_toolkit.history import FileHistory, InMemoryHistory
    from prompt_toolkit.key_binding import KeyBindings

    keys = KeyBindings()

    @keys.add("enter")
    def send(event: Any) -> None:
        """Sends the message on Enter, or adds a line inside triple quotes."""
        buffer = event.current_buffer
        if is_open(buffer.text):
            buffer.insert_text("\n")
        else:
            buffer.validate_and_handle()

    @keys.add("escape", "enter")
    def new_line(event: Any) -> None:
        """Adds a line on Alt-Enter."""
        event.current_buffer.insert_text("\n")

    session: Any = PromptSession(
        "> ",
        multiline=True,
        prompt_continuation=". ",
        key_bindings=keys,
        history=InMemoryHistory() if history is None else FileHistory(str(history)),
        enable_history_search=True,
        complete_while_typing=True,
        **streams,
    )
    typing_command = Condition(lambda: session.default_buffer.text.startswith("/"))
    session.completer = ConditionalCompleter(WordCompleter(list(commands), sentence=True), typing_command)
    return session


# -- the conversation ------------------------------------------------------------------------------------------------
_HELP = '''/set NAME VALUE   change a setting (temperature, top_p, seed, max_tokens, markdown on|off, …); /set lists them
/system TEXT      set a new system message and clear the conversation
/regen            answer the last message again
/clear            clear the conversation
/load NAME        go on with another model; or continue the conversation in a JSON file
/save FILE        write the conversation as JSON
/bye              quit (or Ctrl-D); Ctrl-C stops an answer
Alt-Enter begins a new line; """ holds several lines: """one
two"""'''


@dataclass
class Conversation:
    """The messages of `rlx chat` so far, and how a message or a command of the user changes them."""

    engine: Engine
    settings: CommandSettings
    system: str | None = None
    markdown: bool = False
    messages: list[dict[str, str]] = field(default_factory=list)

    def all_messages(self) -> list[dict[str, str]]:
        """Returns the messages with the system message."""
        return [*([{"role": "system", "content": self.system}] if self.system is not None else []), *self.messages]

    def take(self, text: str) -> bool:
        """Runs a command or answers a message. False: quit."""
        if not text.startswith("/"):
            if message := without_quotes(text).strip("\n"):
                self.answer(message)
            return True
        command, _, rest = text.strip().partition(" ")
        if command in ("/bye", "/exit", "/quit"):
            return False
        try:
            if command in COMMANDS:
                COMMANDS[command](self, rest.strip())
            else:
                print(f"unknown command {command}\n{_HELP}", file=sys.stderr)
        except RlxError as error:
            _print_error(error)
        return True

    # -- commands ---------------------------------------------------------------------------------------------------
    def clear(self, rest: str = "") -> None:
        """Drops all messages (`/clear`)."""
        self.messages.clear()

    def set_system(self, text: str) -> None:
        """Sets another system message and clears the conversation (`/system`)."""
        self.system = text or None
        self.messages.clear()

    def set(self, rest: str) -> None:
        """Changes a setting (`/set`); without a value, back to the model's own; without a name, lists all."""
        name, _, value = rest.partition(" ")
        if name == "system":
            self.set_system(value)
        elif name == "markdown":
            self.markdown = value != "off"
        elif name and not value:
            self.settings.sampling.pop(name, None)
        elif name:
            changed = {**self.settings.sampling, name: _as_value(value)}
            self.engine.chat_sampling.with_settings(**changed)  # raises for an invalid setting
            self.settings.sampling = changed
        else:
            chosen = self.engine.chat_sampling.with_settings(**self.settings.sampling)
            for entry, default in vars(Sampling()).items():
                now = getattr(chosen, entry)
                print(f"{entry} {now!r}" + ("" if now == default else f" (off: {default!r})"), file=sys.stderr)

    def regenerate(self, rest: str = "") -> None:
        """Generates another answer to the last message (`/regen`)."""
        if not self.messages:
            print("there is no message to regenerate", file=sys.stderr)
            return
        before = list(self.messages)
        del self.messages[-2:]
        if not self.answer(before[-2]["content"]):
            self.messages = before

    def load(self, name: str) -> None:
        """Opens another model, or a saved conversation (`/load`). If that fails, nothing changes."""
        if name.endswith(".json"):
            self._load_messages(Path(name))
            return
        if not name:
            raise RlxError("RLX903", "/load without a name", fix="/load MODEL, or /load FILE.json", at=None)
        with Bars() as bars:
            engine = open_engine(name, self.settings, bars)
            engine.prepare()
        self.engine, old = engine, self.engine
        old.close()
        print(introduction(engine), file=sys.stderr)

    def _load_messages(self, file: Path) -> None:
        try:
            data = json.loads(file.read_text())
            messages = [{"role": str(one["role"]), "content": str(one["content"])} for one in data]
        except (OSError, ValueError, TypeError, KeyError) as error:
            problem = error.strerror if isinstance(error, OSError) else "no list of messages with role and content"
            raise RlxError("RLX303", f"{file}: {problem}", fix="a file that /save wrote", at=None) from None
        systems = [one["content"] for one in messages if one["role"] == "system"]
        self.system = systems[0] if systems else None
        self.messages = [one for one in messages if one["role"] != "system"]
        print(count_of(len(self.messages), "message"), file=sys.stderr)

    def save(self, file: str) -> None:
        """Writes the conversation to a file (`/save`)."""
        if not file:
            print("/save FILE", file=sys.stderr)
            return
        try:
            Path(file).write_text(json.dumps(self.all_messages(), ensure_ascii=False, indent=2))
        except OSError as error:
            print(f"{file}: {error.strerror}", file=sys.stderr)

    # -- answers ----------------------------------------------------------------------------------------------------
    def shorten(self) -> None:
        """Drops the oldest questions and answers while less than a quarter of the context is left for the answer."""
        model, room, before = self.engine.model, self.engine.capacity, len(self.messages)
        while (
            len(self.messages) > 2 and len(chat_ids(model.tokenizer, model.chat_template, self.all_messages())) > room - room // 4
        ):
            del self.messages[:2]
        if len(self.messages) < before:
            gone = before - len(self.messages)
            print(f"[the context of {room} tokens is nearly full: dropped the first {gone} messages]", file=sys.stderr)

    def answer(self, text: str) -> bool:
        """Streams the answer; Ctrl-C stops it and keeps the partial text. A message that cannot be answered is removed: False."""
        before = list(self.messages)
        self.messages.append({"role": "user", "content": text})
        try:
            self.shorten()
            stream = self.engine.stream_chat(self.all_messages(), overflow=self.settings.overflow, **self.settings.sampling)
            with contextlib.suppress(KeyboardInterrupt):
                self._show(stream)
        except RlxError as error:
            self.messages = before
            _print_error(error)
            return False
        result = stream.result
        self.messages.append({"role": "assistant", "content": result.text})
        for note in result.notes if len(self.messages) == 2 else ():
            print(note, file=sys.stderr)
        Console(stderr=True).print(f"[{speed_line(result, self.settings)}]", style="dim", markup=False, highlight=False)
        return True

    def _show(self, pieces: Any) -> None:
        if self.markdown:
            from rlx.cli.markdown import show_markdown

            show_markdown(pieces, Console())
            return
        try:
            for piece in pieces:
                print(piece, end="", flush=True)
        finally:
            print()


COMMANDS: dict[str, Callable[[Conversation, str], None]] = {
    "/set": Conversation.set,
    "/system": Conversation.set_system,
    "/regen": Conversation.regenerate,
    "/clear": Conversation.clear,
    "/reset": Conversation.clear,
    "/load": Conversation.load,
    "/save": Conversation.save,
    "/help": lambda conversation, rest: print(_HELP),
    "/?": lambda conversation, rest: print(_HELP),
}


def _as_value(text: str) -> Any:
    """Parses a value typed after `/set` in `rlx chat`: a number, true, false, null, a list; anything else is text.

    >>> _as_value("0.5"), _as_value("END")
    (0.5, 'END')
    """
    try:
        return json.loads(text)
    except ValueError:
        return text


def _print_error(error: RlxError) -> None:
    error.location = None
    print(error, file=sys.stderr)


def introduction(engine: Engine) -> str:
    """Formats the line that describes the model of a chat."""
    config = engine.model.config
    return f"{config.architecture}, {config.layers} layers, context {engine.capacity}. /help lists commands."


def chat(name: str, settings: CommandSettings, system: str | None) -> None:
    """Reads messages and answers them until the end of the input."""
    with Bars() as bars:
        conversation = Conversation(open_engine(name, settings, bars), settings, system, sys.stdout.isatty())
        conversation.engine.prepare()
    print(introduction(conversation.engine), file=sys.stderr)
    read = reader([*COMMANDS, "/bye"])
    while True:
        try:
            text = read()
        except EOFError:
            print()
            return
        except KeyboardInterrupt:
            print("Ctrl-D or /bye to leave", file=sys.stderr)
            continue
        if not conversation.take(text):
            return
