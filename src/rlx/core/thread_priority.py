"""Threads whose work can wait."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress

_NICE = 10
"""About a tenth of what a thread of the usual priority gets on the same core: the work goes on, also where it holds the GIL."""


def lower_thread_priority() -> None:
    """Lets all other threads run before the calling one, for good. Only Linux has priorities by thread."""
    if sys.platform == "linux":
        with suppress(OSError):
            thread = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + _NICE)
