"""rlx.jit: compile a Python function when it is called, once for all sizes of the dims that vary."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rlx.core.dim import Dim
from rlx.core.dtype import DType
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.op import is_weak
from rlx.runtime.compile import compile_module
from rlx.runtime.executable import Executable
from rlx.trace.tracer import Handle, Traced, trace
from rlx.trace.tree import flatten, map_leaves, rebuild, structure

DimNames = Mapping[str, Sequence[str | Dim | int | None]]


def put(tree: Any) -> Any:
    """Give arrays to the compiler as params: versioned handles that traced functions pack and hoist.

    >>> w = put(np.ones((2, 2), np.float32))
    >>> w.version, w.shape
    (0, (2, 2))
    """
    return map_leaves(Handle, tree)


@dataclass
class _Entry:
    """One traced version: which dims it has symbolic, and the executable."""

    traced: Traced
    executable: Executable
    versions: dict[str, int] = field(default_factory=dict)


class Jitted:
    """A function compiled on demand. `report` says what was traced and why; `traces` counts how often."""

    def __init__(self, function: Callable[..., Any], device: str, dims: DimNames | None, options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self._function, self._device, self._options = function, device, options
        self._dims = {name: tuple(names) for name, names in (dims or {}).items()}
        self._signature = inspect.signature(function)
        self._entries: dict[Any, _Entry] = {}
        self._seen: dict[Any, dict[str, tuple[Any, ...]]] = {}
        self.report = Report()
        self.traces = 0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run on arrays and nested containers of them."""
        leaves = flatten((args, kwargs))
        arrays = {path: _array(leaf) for path, leaf in leaves if _is_array(leaf)}
        static = tuple((path, leaf) for path, leaf in leaves if path not in arrays and not isinstance(leaf, Handle))
        kinds = tuple((path, str(DType.of(array.dtype)), array.ndim) for path, array in arrays.items())
        handles = tuple((path, leaf.name) for path, leaf in leaves if isinstance(leaf, Handle))
        key = (structure((args, kwargs)), kinds, static, handles)
        shapes = self._shapes(key, arrays, args, kwargs)
        entry = self._entries.get((key, tuple(shapes.items())))
        if entry is None:
            traced = trace(self._function, args, kwargs, shapes)
            executable = compile_module(traced.graph, self._device, **self._options)
            for name, array in traced.graph.lifted.items():
                executable.set_param(name, array)
            entry = _Entry(traced, executable)
            self._entries[key, tuple(shapes.items())] = entry
            self.traces += 1
            self.report.add("jit", "traced", f"{self.__name__}({', '.join(str(shape) for shape in shapes.values())})")  # type: ignore[attr-defined]
        for name, handle in entry.traced.graph.handles.items():
            if entry.versions.get(name) != handle.version:
                entry.executable.set_param(name, handle.value)
                entry.versions[name] = handle.version
        found = entry.executable.run({path: arrays[path] for path in entry.traced.inputs})
        results = list(found.values())
        flat = [entry.traced.fixed[i] if i in entry.traced.fixed else results.pop(0) for i in range(len(results) + len(entry.traced.fixed))]
        return rebuild(entry.traced.out_tree, flat)

    def _shapes(self, key: Any, arrays: Mapping[str, Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Shape]:
        """Declared dims as named; other dims static at first, symbolic once a second size came."""
        seen = self._seen.setdefault(key, {})
        shapes = {}
        names = self._paths(args, kwargs)
        for path, array in arrays.items():
            declared = self._dims.get(names.get(path, ""), ())
            known = seen.setdefault(path, array.shape)
            dims: list[Any] = []
            for axis, size in enumerate(array.shape):
                name = declared[axis] if axis < len(declared) else None
                if name is not None:
                    dims.append(name)
                    continue
                if not isinstance(known[axis], Dim) and known[axis] != size:
                    symbol = Dim(_symbol(path, axis), min=0 if 0 in (size, known[axis]) else 1)
                    known = (*known[:axis], symbol, *known[axis + 1 :])
                    self.report.add(
                        "jit", "symbolic", f"axis {axis} of argument {path} came with a second size and is symbolic from now on"
                    )
                dims.append(known[axis])
            seen[path] = known
            shapes[path] = Shape(dims, DType.of(array.dtype))
        return shapes

    def _paths(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, str]:
        """Leaf path -> parameter name (with the path inside a container behind it)."""
        found = {}
        parameters = list(self._signature.parameters)
        for path, _ in flatten((tuple(args), dict(kwargs))):
            place, _, rest = path.partition(".")
            head, _, inner = rest.partition(".")
            name = parameters[min(int(head), len(parameters) - 1)] if place == "0" else head
            found[path] = f"{name}.{inner}" if inner else name
        return found


def _symbol(path: str, axis: int) -> str:
    return "d_" + "".join(letter if letter.isalnum() else "_" for letter in path) + f"_{axis}"


def _is_array(leaf: Any) -> bool:
    if isinstance(leaf, (Handle, str, bytes)) or leaf is None or isinstance(leaf, bool):
        return False
    return isinstance(leaf, (np.ndarray, np.generic)) or is_weak(leaf) or hasattr(leaf, "__array__") or hasattr(leaf, "__dlpack__")


def _array(leaf: Any) -> Any:
    if isinstance(leaf, np.ndarray):
        return leaf
    if is_weak(leaf):
        return np.asarray(leaf, np.int32 if isinstance(leaf, int) else np.complex64 if isinstance(leaf, complex) else np.float32)
    return np.asarray(leaf) if hasattr(leaf, "__array__") else np.from_dlpack(leaf)


def jit(function: Callable[..., Any] | None = None, *, device: str = "cpu", dims: DimNames | None = None, **options: Any) -> Any:
    """Compile a function of arrays when it is called.

    Dims are static on the first call; the second distinct size makes that dim symbolic and traces once more; after that no size
    traces again. `dims={"x": ("batch", None)}` declares symbolic dims at once.

    >>> double = jit(lambda x: x + x, device="reference")
    >>> double(np.ones(2, np.float32))
    array([2., 2.], dtype=float32)
    """
    if function is None:
        return lambda inner: Jitted(inner, device, dims, options)
    return Jitted(function, device, dims, options)
