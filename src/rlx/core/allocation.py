"""A failed allocation is an error with the number of bytes and their purpose."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rlx.core.errors import RlxError


def not_enough(count: int, what: str) -> RlxError:
    """The error for bytes that the system could not allocate."""
    size = f"{count} bytes ({count / 2**30:.1f} GiB)" if count >= 1 << 30 else f"{count} bytes"
    return RlxError("RLX514", f"{what} takes {size}, which the system could not allocate")


@contextmanager
def memory_for(what: str) -> Iterator[None]:
    """Turns a MemoryError raised inside (by NumPy or others) into RLX514."""
    try:
        yield
    except MemoryError as error:
        raise RlxError("RLX514", f"{what} does not fit in memory: {error}", at=None) from error
