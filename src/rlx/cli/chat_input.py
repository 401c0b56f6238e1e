"""What a user types to `rlx chat`: messages of several lines, pasted text, history, completion of commands."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rlx.core.config import home_folder

QUOTES = '"""'


def is_open(text: str) -> bool:
    '''Whether a message in triple quotes goes on after this.

    >>> is_open('"""one'), is_open('"""one' + chr(10) + 'two"""'), is_open("one")
    (True, False, False)
    '''
    begun = text.lstrip()
    return begun.startswith(QUOTES) and not (len(begun) >= 2 * len(QUOTES) and begun.rstrip().endswith(QUOTES))


def without_quotes(text: str) -> str:
    '''The message itself.

    >>> without_quotes('"""a' + chr(10) + 'b"""')
    'a\\nb'
    '''
    bare = text.strip()
    return bare.removeprefix(QUOTES).removesuffix(QUOTES).strip("\n") if bare.startswith(QUOTES) else text


def history_file() -> Path | None:
    """Where messages of earlier conversations are kept: readable by their owner alone. None if that cannot be written."""
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
    """A function that asks for the next message: with an editor in a terminal, else line by line from stdin. EOFError at the end."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return _read_lines
    session = terminal_session(commands, history_file())
    return lambda: str(session.prompt())


def _read_lines() -> str:
    """A line of stdin, or all lines from triple quotes to triple quotes."""
    text = input()
    while is_open(text):
        text += "\n" + input()
    return text


def terminal_session(commands: Sequence[str], history: Path | None, **streams: Any) -> Any:
    """prompt_toolkit's session: Enter sends, Alt-Enter begins a new line, pasted lines are one message, triple quotes hold several."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import ConditionalCompleter, WordCompleter
    from prompt_toolkit.filters import Condition
    from prompt_toolkit.history import FileHistory, InMemoryHistory
    from prompt_toolkit.key_binding import KeyBindings

    keys = KeyBindings()

    @keys.add("enter")
    def send(event: Any) -> None:
        """Send, or go on inside triple quotes."""
        buffer = event.current_buffer
        if is_open(buffer.text):
            buffer.insert_text("\n")
        else:
            buffer.validate_and_handle()

    @keys.add("escape", "enter")
    def new_line(event: Any) -> None:
        """Alt-Enter."""
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
