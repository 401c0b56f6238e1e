"""The leaves of a call's arguments: which are arrays, and as what arrays they are taken."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.core.device_array import DeviceArray
from rlx.core.errors import RlxError
from rlx.core.shape_struct import ShapeDtypeStruct
from rlx.ir.op import is_weak
from rlx.ir.value import Value
from rlx.runtime.array import ConcreteArray
from rlx.trace.tracer import Handle
from rlx.trace.tree import flatten


def is_array(leaf: Any) -> bool:
    """Whether a leaf is traced: an array, a number, or what converts to one; not a handle, a string or a bool."""
    if type(leaf) is np.ndarray:
        return True
    if isinstance(leaf, (Handle, str, bytes, bool)) or leaf is None:
        return False
    return isinstance(leaf, (np.ndarray, np.generic)) or is_weak(leaf) or hasattr(leaf, "__array__") or hasattr(leaf, "__dlpack__")


def as_array(leaf: Any) -> Any:
    """A leaf as an array; a Python number in full width, to take the dtype of the tensors it is combined with."""
    if isinstance(leaf, (np.ndarray, DeviceArray)):
        return leaf
    if type(leaf) is ConcreteArray:
        return leaf._array
    if is_weak(leaf):
        if isinstance(leaf, int) and not -(2**63) <= leaf < 2**63:
            raise RlxError("RLX110", f"the number {leaf} does not fit i64", fix="pass a float, or an array")
        return np.asarray(leaf, np.int64 if isinstance(leaf, int) else np.complex128 if isinstance(leaf, complex) else np.float64)
    return np.asarray(leaf) if hasattr(leaf, "__array__") else np.from_dlpack(leaf)


def arrays_or_shapes(tree: Any) -> dict[str, Any]:
    """What has a shape and a dtype among the leaves of `(args, kwargs)`, by path: arrays, and what stands for one."""
    found = {}
    for path, leaf in flatten(tree):
        if isinstance(leaf, (ShapeDtypeStruct, Value)):
            found[path] = leaf
        elif is_array(leaf):
            found[path] = as_array(leaf)
    return found
