"""`jax.device_put` and its neighbors, for a library whose arrays live on one device: the CPU."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from rlx.core.errors import RlxError
from rlx.ir.op import is_weak
from rlx.ir.value import Value
from rlx.runtime.array import ConcreteArray
from rlx.trace.tree import map_leaves

T = TypeVar("T")


class ArrayDevice(str):
    """The CPU as a JAX-like device object: its name, platform and id.

    >>> import rlx
    >>> rlx.local_devices()[0].platform
    'cpu'
    """

    __slots__ = ()
    id = 0
    process_index = 0

    @property
    def platform(self) -> str:
        """The kind of device."""
        return str(self)

    device_kind = platform


@dataclass(frozen=True)
class SingleDeviceSharding:
    """The sharding of an array on one device, as JAX names it.

    >>> import rlx.numpy as rnp
    >>> rnp.ones(3).sharding
    SingleDeviceSharding(device='cpu')
    """

    device: ArrayDevice

    @property
    def device_set(self) -> set[ArrayDevice]:
        """The set of devices that hold a part of the array."""
        return {self.device}

    @property
    def is_fully_replicated(self) -> bool:
        """Whether each device holds the full array."""
        return True


def local_devices() -> list[ArrayDevice]:
    """The devices that hold arrays: the CPU. `rlx.devices()` lists those that functions run on.

    >>> local_devices()
    ['cpu']
    """
    return [ArrayDevice("cpu")]


def device_count() -> int:
    """The number of devices that hold arrays: 1.

    >>> device_count()
    1
    """
    return 1


local_device_count = process_count = device_count


def process_index() -> int:
    """The index of this process in a multi-process run.

    >>> process_index()
    0
    """
    return 0


def default_backend() -> str:
    """The platform of the device that holds arrays.

    >>> default_backend()
    'cpu'
    """
    return "cpu"


def device_put(x: T, device: Any = None, src: Any = None, *, donate: bool = False, may_alias: bool | None = None) -> T:
    """Converts the arrays and numbers of a tree to Arrays. `device` is None, "cpu", or an object for the one device.

    >>> import numpy as np, rlx
    >>> rlx.device_put({"w": np.ones(2, np.float32)})
    {'w': Array([1., 1.], dtype=float32)}
    """
    named = getattr(device, "device", device)
    if named is not None and named != "cpu":
        raise RlxError("RLX401", f"device_put to {named!r}", fix="arrays live on 'cpu'; jit(f, device=…) runs elsewhere")
    tree: T = map_leaves(_put, x)
    return tree


def _put(leaf: Any) -> Any:
    if isinstance(leaf, (Value, ConcreteArray)) or leaf is None:
        return leaf
    if isinstance(leaf, (np.ndarray, np.generic, bool)) or is_weak(leaf) or hasattr(leaf, "__array__"):
        from rlx.core.dtype import DType

        array = np.array(leaf)
        if is_weak(leaf):
            array = array.astype({"f": np.float32, "c": np.complex64, "i": np.int32}[array.dtype.kind])
        DType.of(array.dtype)
        return ConcreteArray(array)
    raise RlxError("RLX108", f"device_put of {leaf!r:.60}", fix="arrays and numbers, in containers")


def device_get(x: T) -> T:
    """Converts the Arrays of a tree to NumPy views.

    >>> import rlx, rlx.numpy as rnp
    >>> rlx.device_get([rnp.ones(2)])
    [array([1., 1.], dtype=float32)]
    """
    tree: T = map_leaves(lambda leaf: np.asarray(leaf) if isinstance(leaf, ConcreteArray) else leaf, x)
    return tree
