"""Many processes of JAX as one: they meet at a coordinator, and each sees the devices of all."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import jax
import numpy as np
from jax.experimental import multihost_utils

from rlx.core.errors import RlxError
from rlx.core.processes import ProcessGroup

_HEARTBEAT, _FAREWELL, _HELD = 15, 30, 3  # seconds
_HOLDER = f"import sys, time; sys.stdin.read(); time.sleep({_HELD})"


@contextmanager
def joined(group: ProcessGroup) -> Iterator[None]:
    """Joins these processes in JAX. CPU devices exchange numbers by gloo; the environment is not read again."""
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    before = _connections()
    try:
        jax.distributed.initialize(
            group.coordinator,
            group.count,
            group.index,
            cluster_detection_method="deactivate",
            heartbeat_timeout_seconds=_HEARTBEAT,
            shutdown_timeout_seconds=_FAREWELL,
        )
    except RuntimeError as error:
        raise RlxError("RLX404", f"JAX could not join {group.count} processes: {error}", at=None) from error
    holder = _held_open(_connections() - before) if group.index == 0 else None
    yield
    jax.distributed.shutdown()
    if holder is not None:
        holder.kill()
        holder.communicate()


def _connections() -> set[int]:
    """The TCP connections of this process to others; empty where the system does not list them."""
    sockets = set()
    with suppress(OSError):
        for number in map(int, os.listdir("/proc/self/fd")):
            with suppress(OSError), socket.socket(fileno=os.dup(number)) as copy:
                if copy.family in (socket.AF_INET, socket.AF_INET6) and copy.getpeername():
                    sockets.add(number)
    return sockets


def _held_open(connections: set[int]) -> subprocess.Popen[bytes]:
    """Starts a process that holds JAX's connections open for some seconds longer than this one lives.

    The others lose their coordinator with this process, and JAX aborts them at once. So they hear of it from the watchdog first.
    """
    return subprocess.Popen(
        [sys.executable, "-S", "-c", _HOLDER],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=sorted(connections),
        start_new_session=True,
    )


def gathered(number: int) -> list[int]:
    """Gathers one number of every process, in their order; the processes wait for each other here."""
    if jax.process_count() == 1:
        return [number]
    numbers = multihost_utils.process_allgather(np.array([number], np.int32))
    return [int(one) for one in np.asarray(numbers).reshape(-1)]
