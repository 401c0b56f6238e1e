"""Many processes of JAX as one: they meet at a coordinator, and each sees the devices of all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import jax
import numpy as np
from jax.experimental import multihost_utils

from rlx.core.errors import RlxError
from rlx.core.processes import ProcessGroup

__all__ = ["gathered", "joined"]

_HEARTBEAT, _FAREWELL = 15, 30  # seconds


@contextmanager
def joined(group: ProcessGroup) -> Iterator[None]:
    """JAX as one of these processes. Devices that are CPUs exchange numbers by gloo; nothing of the environment is looked up again."""
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
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
    yield
    jax.distributed.shutdown()


def gathered(number: int) -> list[int]:
    """A number of every process, in their order; it is also where they wait for each other."""
    if jax.process_count() == 1:
        return [number]
    found = multihost_utils.process_allgather(np.array([number], np.int32))
    return [int(one) for one in np.asarray(found).reshape(-1)]
