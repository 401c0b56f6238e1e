"""rlx.jit: compile a Python function when it is called, once for all sizes of the dims that vary."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rlx.core.dim import Dim, Size
from rlx.core.dtype import DType
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.op import is_weak
from rlx.ir.value import Value
from rlx.runtime.compile import compile_module
from rlx.runtime.executable import Executable
from rlx.trace.tracer import Handle, Traced, trace
from rlx.trace.tree import flatten, map_leaves, rebuild, structure

Place = tuple[str, int]  # an axis of an argument: path and number
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


@dataclass(frozen=True)
class _Last:
    """The last call: kinds and sizes of its arguments, in a short form where they were plain arrays, and the version it took."""

    call: Any
    plain: list[Any] | None
    entry: _Entry


class Jitted:
    """A function compiled on demand. `report` says what was traced and why; `traces` counts how often."""

    def __init__(self, function: Callable[..., Any], device: str, dims: DimNames | None, options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self._function, self._device, self._options = function, device, options
        self._dims = {name: tuple(names) for name, names in (dims or {}).items()}
        self._signature = inspect.signature(function)
        self._entries: dict[Any, _Entry] = {}
        self._last: _Last | None = None
        self._seen: dict[Any, dict[Place, Size]] = {}  # by key: for each axis that is not declared, its size or symbol
        self.report = Report()
        self.traces = 0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run on arrays and nested containers of them; on Values, inside a trace, the function becomes part of that."""
        plain = None if kwargs else _plain(args)
        last = self._last
        if last is not None and plain is not None and last.plain == plain:
            return _run(last.entry, {f"0.{index}": array for index, array in enumerate(args)})
        leaves = flatten((args, kwargs))
        if any(isinstance(leaf, Value) for _, leaf in leaves):
            return self._function(*args, **kwargs)
        arrays = {path: _array(leaf) for path, leaf in leaves if _is_array(leaf)}
        static = tuple((path, leaf) for path, leaf in leaves if path not in arrays and not isinstance(leaf, Handle))
        kinds = tuple((path, str(DType.of(array.dtype)), array.ndim) for path, array in arrays.items())
        handles = tuple((path, leaf.name) for path, leaf in leaves if isinstance(leaf, Handle))
        key = (structure((args, kwargs)), kinds, static, handles)
        call = key, tuple(array.shape for array in arrays.values())
        entry = last.entry if last is not None and last.call == call else self._find(key, arrays, args, kwargs)
        self._last = _Last(call, plain, entry)
        return _run(entry, arrays)

    def _find(self, key: Any, arrays: Mapping[str, Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> _Entry:
        """The version for a call of this kind and these sizes, traced and compiled where there is none."""
        shapes = self._shapes(key, arrays, args, kwargs)
        entry = self._entries.get((key, tuple(shapes.items())))
        if entry is None:
            traced = trace(self._function, args, dict(kwargs), shapes)
            executable = compile_module(traced.graph, self._device, **self._options)
            for name, array in traced.graph.lifted.items():
                executable.set_param(name, array)
            entry = _Entry(traced, executable)
            self._entries[key, tuple(shapes.items())] = entry
            self.traces += 1
            self.report.add("jit", "traced", f"{self.__name__}({', '.join(str(shape) for shape in shapes.values())})")  # type: ignore[attr-defined]
        return entry

    def _shapes(self, key: Any, arrays: Mapping[str, Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Shape]:
        """Declared dims as named; other dims static at first, symbolic once a second size came."""
        names = self._paths(args, kwargs)
        declared = {path: self._dims.get(names.get(path, ""), ()) for path in arrays}
        free = [
            (path, axis)
            for path, array in arrays.items()
            for axis in range(array.ndim)
            if axis >= len(declared[path]) or declared[path][axis] is None
        ]
        known = self._seen.setdefault(key, {place: arrays[place[0]].shape[place[1]] for place in free})
        self._follow(known, {place: arrays[place[0]].shape[place[1]] for place in free})
        shapes = {}
        for path, array in arrays.items():
            dims = [known[path, axis] if (path, axis) in known else declared[path][axis] for axis in range(array.ndim)]
            shapes[path] = Shape(dims, DType.of(array.dtype))
        return shapes

    def _follow(self, known: dict[Place, Size], sizes: Mapping[Place, int]) -> None:
        """Give new symbols to places whose size is not what is known of them.

        Sizes that were equal so far and change together get one symbol, so that what was proved of them still is; those of one symbol
        that come with different sizes part again.
        """
        holders: dict[Size, int] = {}  # what each symbol is in this call: the size at its first place
        made: dict[tuple[Size, int], Dim] = {}
        for place, size in sizes.items():
            before = known[place]
            if size == (holders.setdefault(before, size) if isinstance(before, Dim) else before):
                continue
            path, axis = place
            if (before, size) not in made:
                made[before, size] = Dim(_symbol(path, axis), min=0 if 0 in (size, before) else 1)
            known[place] = made[before, size]
            what = f"axis {axis} of argument {path} came with a second size and is symbolic from now on"
            if isinstance(before, Dim):
                what = f"axis {axis} of argument {path} came with another size than what it was equal to so far"
            self.report.add("jit", "symbolic", what)

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


def _plain(args: Sequence[Any]) -> list[Any] | None:
    """Dtypes and shapes of positional arguments that are all arrays, the usual call, which needs no paths; None for others."""
    found = []
    for value in args:
        if type(value) is not np.ndarray:
            return None
        found.append((value.dtype, value.shape))
    return found


def _run(entry: _Entry, arrays: Mapping[str, Any]) -> Any:
    """Run a version on arrays by path, with its params as they are now."""
    traced = entry.traced
    for name, handle in traced.graph.handles.items():
        if entry.versions.get(name) != handle.version:
            entry.executable.set_param(name, handle.value)
            entry.versions[name] = handle.version
    found = entry.executable.run({path: arrays[path] for path in traced.inputs})
    results = list(found.values())
    flat = [traced.fixed[i] if i in traced.fixed else results.pop(0) for i in range(len(results) + len(traced.fixed))]
    return rebuild(traced.out_tree, flat)


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
