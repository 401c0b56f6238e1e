"""Reads requests: the JSON of their bodies, and threads for the work on them.

A few threads serve small requests, and one of low priority large ones, whose work can wait while others are answered.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from rlx.core.this_process import lower_thread_priority
from rlx.serve.errors import ApiError
from rlx.serve.limits import ServeLimits
from rlx.serve.sse import ClientLeft

T = TypeVar("T")
_MOST_VALUES = 1 << 20
"""Limit of values in a request's JSON, where a list or an object counts as ten: decoding blocks all other threads."""
BODY_SIZE: ContextVar[int] = ContextVar("body_size", default=0)
"""The size of the current request in bytes."""
SMALL = 1 << 16
"""Requests up to so many bytes are read by any thread."""
_LARGE = 1 << 20
"""Requests above so many bytes have a thread of their own."""


def small_requests() -> ThreadPoolExecutor:
    """Returns the threads for small requests. They mostly run Python code: more threads would only delay the engine."""
    return ThreadPoolExecutor(2, "rlx-requests")


def background_thread(name: str) -> ThreadPoolExecutor:
    """Builds an executor of one thread with low priority.

    >>> background_thread("reader").submit(sum, [1, 2]).result()
    3
    """
    return ThreadPoolExecutor(1, name, initializer=lower_thread_priority)


_decoder = ThreadPoolExecutor(1, "rlx-bodies")
_readers = background_thread("rlx-larger-requests"), background_thread("rlx-large-requests")


async def run_in_decoder(work: Callable[[], T]) -> T:
    """Decodes a large body in a thread. It holds the interpreter lock until it ends: at low priority others would wait longer."""
    return await asyncio.get_running_loop().run_in_executor(_decoder, work)


async def run_in_thread(size: int, work: Callable[[], T]) -> T:
    """Runs work on a request of `size` bytes in a thread. Large requests wait for each other; small ones wait for none of them."""
    executor = _readers[size > _LARGE] if size > SMALL else None
    return await asyncio.get_running_loop().run_in_executor(executor, contextvars.copy_context().run, work)


# -- bodies
async def read_body(request: Request, limits: ServeLimits) -> Any:
    """Reads the JSON body of a request within the limits."""
    length = request.headers.get("content-length", "0")
    if length.isdigit() and int(length) > limits.body:
        raise _too_large(limits)
    parts, size = [], 0
    try:
        async with asyncio.timeout(limits.body_timeout):
            async for part in request.stream():
                size += len(part)
                if size > limits.body:
                    raise _too_large(limits)
                parts.append(part)
    except TimeoutError:
        raise ApiError(408, f"the body did not arrive within {limits.body_timeout:g} seconds") from None
    except ClientDisconnect:
        raise ClientLeft from None
    BODY_SIZE.set(size)
    return _decode(parts) if size <= SMALL else await run_in_decoder(lambda: _decode(parts))


def _decode(parts: list[bytes]) -> Any:
    """Parses the JSON of a body."""
    body = b"".join(parts)
    values = sum(body.count(mark) * weight for mark, weight in ((b",", 1), (b"[", 10), (b"{", 10)))
    if values > _MOST_VALUES:
        message = f"the body has some {values} values, where a list or an object counts as ten; the limit is {_MOST_VALUES}"
        raise ApiError(413, message, code="request_too_large")
    try:
        return msgspec.json.decode(body)
    except RecursionError:
        raise ApiError(400, "the body is nested too deeply") from None
    except UnicodeDecodeError as error:
        raise ApiError(400, f"the body is not valid UTF-8: {error.reason}") from None


def _too_large(limits: ServeLimits) -> ApiError:
    return ApiError(413, f"the body has more than {limits.body} bytes", code="request_too_large")
