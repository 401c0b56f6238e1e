"""Permission to use the tile registers of AMX: Linux lets a process use them only after it has asked.

The state of the registers is 8 KB per thread, so the kernel allocates it on first use, and only for processes that asked. Permission
holds for all threads of the process and those of its children.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable

_ARCH_PRCTL, _REQUEST_PERMISSION, _TILE_DATA = 158, 0x1023, 18


def refusal_of_tiles(features: str, request: Callable[[], int] | None = None) -> str | None:
    """Why a CPU with these features must not use tiles; None if it may, or has none. `request` asks the system, for an errno."""
    if "+amx-tile" not in features.split(","):
        return None
    if not sys.platform.startswith("linux"):
        return "only Linux is known to grant them"
    code = (request or _request)()
    return None if code == 0 else f"the system refuses them: {os.strerror(code)}"


def _request() -> int:
    """Ask the kernel; 0 or an errno."""
    library = ctypes.CDLL(None, use_errno=True)
    arguments = (ctypes.c_long(number) for number in (_ARCH_PRCTL, _REQUEST_PERMISSION, _TILE_DATA))
    return 0 if library.syscall(*arguments) == 0 else ctypes.get_errno()
