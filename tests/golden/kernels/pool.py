"""The native code beneath all programs: the run loop, and the pool of threads."""

from __future__ import annotations

from rlx.backends.cpu.run.thread_pool_code import native_text
from rlx.backends.registry import find_backend

from .sketch import AVX2, compiling_for

POOL_TARGETS = {AVX2: "futex"}
"""How threads wait, by the target it is written down for."""


def pool_text(target: str) -> str:
    """The LLVM text, below the call that emits it."""
    platform = POOL_TARGETS[target]
    with compiling_for(target):
        text = native_text(find_backend("cpu").target, platform)  # type: ignore[attr-defined, arg-type]
    return f"; the run loop and the pool for {target} | platform={platform}\n\n{text}"
