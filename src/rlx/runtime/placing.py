"""Where a given array lies: on the device already, or to be uploaded."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.backends.base import DeviceArrays
from rlx.core.device_array import DeviceArray
from rlx.core.errors import RlxError


def placed(value: Any, arrays: DeviceArrays, what: str) -> Any | None:
    """A value that needs no upload: an array of the device, or of another library in its memory; None for everything else.

    An array of another device is RLX515: it would go through the host, which is the caller's to decide.
    """
    if isinstance(value, DeviceArray):
        if value.arrays is not arrays:
            raise elsewhere(value, "in host memory" if arrays.is_host else f"on {arrays.name!r}", what)
        return value
    if isinstance(value, (np.ndarray, np.generic)) or not hasattr(value, "__dlpack__"):
        return None
    return arrays.from_dlpack(value)


def elsewhere(value: DeviceArray, expected: str, what: str) -> RlxError:
    """The error for an array of another device."""
    message = f"{what} is an array on {value.device!r}, expected one {expected}"
    return RlxError("RLX515", message, fix="np.asarray(array) copies it to the host")
