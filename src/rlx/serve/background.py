"""Threads for requests: a few for small ones, and one of low priority for large ones, whose work can wait while others are answered."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from rlx.core.this_process import lower_thread_priority

T = TypeVar("T")
SMALL = 1 << 16
"""Bytes of a request that any thread may read."""
_LARGE = 1 << 20
"""Bytes of a request for which smaller ones do not wait."""


def small_requests() -> ThreadPoolExecutor:
    """Threads for small requests. They mostly run Python code: more of them would only keep the engine waiting for the interpreter."""
    return ThreadPoolExecutor(2, "rlx-requests")


def background_thread(name: str) -> ThreadPoolExecutor:
    """One thread, which lets all others run first.

    >>> background_thread("reader").submit(sum, [1, 2]).result()
    3
    """
    return ThreadPoolExecutor(1, name, initializer=lower_thread_priority)


_decoder = ThreadPoolExecutor(1, "rlx-bodies")
_readers = background_thread("rlx-larger-requests"), background_thread("rlx-large-requests")


async def run_in_decoder(work: Callable[[], T]) -> T:
    """The result of work on a large body that holds the interpreter to its end: at low priority others would wait for it, and longer."""
    return await asyncio.get_running_loop().run_in_executor(_decoder, work)


async def run_in_thread(size: int, work: Callable[[], T]) -> T:
    """The result of work on a request of `size` bytes: large requests wait for each other, small ones for none of them."""
    executor = _readers[size > _LARGE] if size > SMALL else None
    return await asyncio.get_running_loop().run_in_executor(executor, contextvars.copy_context().run, work)
