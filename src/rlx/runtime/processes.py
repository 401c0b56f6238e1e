"""A run of many processes: they meet, a watchdog watches them, and an error in one ends all."""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from rlx.backends.registry import joined_processes
from rlx.core.errors import RlxError
from rlx.core.processes import ProcessGroup
from rlx.runtime.watchdog import Watchdog

_VERDICT = 3.0  # seconds in which the watchdog finds out which process was lost


@contextmanager
def many_processes(group: ProcessGroup) -> Iterator[None]:
    """Inside, the device `xla` has the devices of all processes, and all of them do the same.

    A process that is lost, or fails, ends all others with its word (RLX805): none of them could go on. An error inside is printed, the
    others are told, and this process ends. Around `compile_training(…, mesh=…)` it is what `rlx train --coordinator …` does.
    """
    watchdog = Watchdog(group)
    try:
        with joined_processes(group):
            yield
            watchdog.leave()
    except BaseException as error:
        _end(watchdog, error)


def _end(watchdog: Watchdog, error: BaseException) -> None:
    """Print the error and end at once: JAX would wait for the others. If a lost process is the cause, the watchdog ends first."""
    if not isinstance(error, (RlxError, KeyboardInterrupt)):
        time.sleep(_VERDICT)
    text = str(error) if isinstance(error, RlxError) else "".join(traceback.format_exception(error))
    watchdog.fail(f"ended: {error}" if str(error) else f"ended: {type(error).__name__}")
    sys.stdout.flush()
    print(text, file=sys.stderr, flush=True)
    os._exit(1)
