"""What moves in the terminal before the libraries are imported, and when the command began."""

from __future__ import annotations

import itertools
import sys
import threading
import time

LONG_COMMANDS = ("run", "chat", "embed", "serve", "bench", "train")
"""Commands that import NumPy and LLVM and read a model before they print anything."""


class Starting:
    """A spinner on stderr while a command starts, until something better is shown; nothing without a terminal.

    >>> starting = Starting()
    >>> starting.show("chat")
    >>> starting.end()
    """

    def __init__(self) -> None:
        self.begun = time.perf_counter()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def show(self, command: str) -> None:
        """Starts the spinner of a command: its times count from here, and the line appears if it takes long."""
        self.begun = time.perf_counter()
        if command not in LONG_COMMANDS or not sys.stderr.isatty():
            return
        self._ended.clear()
        self._draw("|")  # at once: the thread gets its first turn when an import lets it
        self._thread = threading.Thread(target=self._turn, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Removes the spinner, if there is one."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._ended.set()
            thread.join()

    def seconds(self) -> float:
        """Seconds since the command began."""
        return time.perf_counter() - self.begun

    def _turn(self) -> None:
        for sign in itertools.cycle("/-\\|"):
            if self._ended.wait(0.1):
                break
            self._draw(sign)
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _draw(self, sign: str) -> None:
        print(f"\r{sign} starting", end="", file=sys.stderr, flush=True)


starting = Starting()
"""Of the command that this process runs."""
