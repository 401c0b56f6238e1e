"""rlx.jit: compile a Python function when it is called, once for all sizes of the dims that vary."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MethodType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar, overload

import numpy as np

from rlx.core.device_array import DeviceArray
from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.core.given import check_function
from rlx.core.questions import equalities_taken_as_untrue
from rlx.core.report import Report
from rlx.ir.op import is_weak
from rlx.ir.value import Value
from rlx.ir.whole import WholeNumbers
from rlx.runtime.array import Array, as_arrays
from rlx.runtime.call_arrays import CallArrays
from rlx.runtime.compile import compile_module
from rlx.runtime.executable import Executable
from rlx.runtime.transformed import Transformed
from rlx.runtime.versions import Kind, Pattern, Sizes, Versions, has_symbols
from rlx.trace.tracer import Handle, TracedFunction, trace
from rlx.trace.tree import flatten, flatten_with_structure

DimNames = Mapping[str, Sequence[str | Dim | int | None]]
P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


@dataclass
class Version:
    """One version: the traced function, the executable, and the versions of the handles whose arrays it has."""

    traced: TracedFunction
    executable: Executable
    whole: WholeNumbers | None  # those to check at each call
    names: Mapping[str, str]  # of the arguments, by path
    handles: dict[str, int] = field(default_factory=dict)

    def results(self, arrays: Mapping[str, Any]) -> dict[str, Any]:
        """Run on arrays by path, with params as they are now: results by output name."""
        if self.whole is not None:
            self.whole.check(arrays, self.names)
        for name, handle in self.traced.graph.handles.items():
            if self.handles.get(name) != handle.version:
                self.executable.set_param(name, handle.value)
                self.handles[name] = handle.version
        return self.executable.run({path: arrays[path] for path in self.traced.inputs})

    def run(self, arrays: Mapping[str, Any]) -> Any:
        """What the function returns for arrays by path."""
        return self.traced.rebuilt(list(self.results(arrays).values()))


@dataclass(frozen=True)
class _Last:
    """The last call: kinds and sizes of its arguments, in a short form if they were plain arrays, and the version it used."""

    call: Any
    plain: list[Any] | None
    entry: Version


class Jitted(Transformed[P, R_co]):
    """A function compiled on demand. `report` says what was traced and why; `traces` counts how often.

    At most `rlx.runtime.versions.VERSIONS` (64) versions are kept, the most recently used; an evicted one is traced again when needed.
    """

    def __init__(
        self, function: Callable[P, R_co], device: str, dims: DimNames | None, options: dict[str, Any]
    ) -> None:
        check_function(function, "jit")
        functools.update_wrapper(self, function, updated=())  # the attributes of a callable stay its own
        self._function, self._device, self._options = function, device, options
        self._name = getattr(function, "__name__", type(function).__name__)
        self._parameters = _parameters(function)
        self._dims = {name: tuple(names) for name, names in (dims or {}).items()}
        self._check_dims()
        self._entries: Versions[Version] = Versions()
        self._last: _Last | None = None
        self.report = Report(strict=options.get("strict") is True)
        self.traces = 0

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...
    @overload
    def __get__(
        self: Jitted[Concatenate[Any, Q], R], instance: object, owner: type | None = None
    ) -> Transformed[Q, R]: ...
    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def _call(self, *args: Any, **kwargs: Any) -> Any:
        """Run on arrays and nested containers of them; on Values, inside a trace, the function is inlined into that."""
        if args and not kwargs and all(type(each) is Array for each in args):
            return as_arrays(self._call(*(each._array for each in args)))
        plain = None if kwargs else _plain(args)
        last = self._last
        if last is not None and plain is not None and last.plain == plain:
            return last.entry.run({f"0.{index}": array for index, array in enumerate(args)})
        arrays: dict[str, Any] = {}
        kinds: list[Any] = []
        own = False  # whether an Array is among the arguments: then so are the results
        leaves, containers = flatten_with_structure((args, kwargs))
        for path, leaf in leaves:
            if isinstance(leaf, Value):
                return self._function(*args, **kwargs)
            if isinstance(leaf, Handle):
                kinds.append((path, leaf.name))
            elif _is_array(leaf):
                array = arrays[path] = as_array(leaf)
                own = own or type(leaf) is Array
                kinds.append((path, array.dtype, array.ndim, is_weak(leaf)))
            else:
                kinds.append((path, type(leaf), leaf))
        key = (containers, tuple(kinds))
        call = key, [array.shape for array in arrays.values()]
        entry = last.entry if last is not None and last.call == call else self._find(key, arrays, args, kwargs)
        self._last = _Last(call, plain, entry)
        return as_arrays(entry.run(arrays)) if own else entry.run(arrays)

    @property
    def latest(self) -> Version | None:
        """The version of the last call."""
        return None if self._last is None else self._last.entry

    if not TYPE_CHECKING:  # checkers read the overloads of `Transformed`
        __call__ = _call

    def __repr__(self) -> str:
        return f"<Jitted {getattr(self, '__name__', 'function')} on {self._device}: {self.traces} traces>"

    def _find(self, key: Any, arrays: Mapping[str, Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Version:
        """The version for a call of this kind and these sizes, traced and compiled if there is none."""
        self._check_static(args, kwargs)
        given = self._given(arrays, args, kwargs)
        sizes = given.sizes
        kind = self._entries.kind(key, sizes)
        return self._entries.find(key, kind, sizes) or self._make(key, kind, given, args, dict(kwargs))

    def _make(self, key: Any, kind: Kind, given: CallArrays, args: Sequence[Any], kwargs: dict[str, Any]) -> Version:
        """A version for sizes that no version fits: with symbols for sizes that change, or specialized to these sizes.

        A failed attempt leaves nothing behind; the error raised is that of the last attempt, with all sizes concrete.
        """
        sizes = given.sizes
        grown = kind.grown(sizes, given.symbol)
        for pattern in kind.candidates(sizes, grown):
            try:
                valid, entry = self._trace(pattern, given, args, kwargs)
            except Exception as error:
                if not has_symbols(pattern):
                    raise
                kind.fail(pattern, str(error).partition("\n")[0])
                continue
            if entry is None:
                continue
            self._tell(kind, pattern, given, kind.why_static(sizes, grown))
            if has_symbols(pattern):
                kind.known = grown
            gone = self._entries.add(key, kind, valid, entry)
            if gone:
                self.report.add(
                    "jit",
                    "dropped",
                    f"the least recently used version of {self._name}: {self._entries.limit} are kept",
                )
            return entry
        raise AssertionError("the last pattern has concrete sizes")

    def _trace(
        self, pattern: Pattern, given: CallArrays, args: Sequence[Any], kwargs: dict[str, Any]
    ) -> tuple[Sizes, Version | None]:
        """A version of a pattern, and the sizes it is for; no version if the sizes of this call are not among them."""
        with equalities_taken_as_untrue() as untrue:
            traced = trace(self._function, args, kwargs, given.shapes(pattern))
        valid = Sizes(pattern, tuple(untrue), tuple(traced.graph.assumptions))
        if has_symbols(pattern) and not valid.fit(given.sizes):
            return valid, None
        self.traces += 1
        return valid, self._version(traced, given.names)

    def _version(self, traced: TracedFunction, names: Mapping[str, str]) -> Version:
        """What was traced, compiled."""
        executable = compile_module(traced.graph, self._device, **self._options)
        for name, array in traced.graph.lifted.items():
            executable.set_param(name, array)
        whole = traced.graph.whole_numbers
        return Version(traced, executable, whole if whole.is_checked else None, names)

    def _tell(self, kind: Kind, pattern: Pattern, given: CallArrays, failure: str) -> None:
        """Report what was traced and why; only the last lines are kept."""
        for place, size in pattern:
            before = kind.known[place]
            if not isinstance(size, Dim) or size == before:
                continue
            what = (
                "no longer equals the axis it shared a symbol with"
                if isinstance(before, Dim)
                else "arrived with a second size"
            )
            self.report.add("jit", "symbolic", f"{given.axis(place)} {what} and becomes the symbol {size}")
        shown = f"{self._name}({', '.join(f'{given.names[path]}: {shape}' for path, shape in given.shapes(pattern).items())})"
        if kind.versions and not has_symbols(pattern):
            reason = f"with symbols: {failure}" if failure else "no version with symbols fits them"
            self.report.add("jit", "static", f"{shown} is specialized to these sizes; {reason}")
        self.report.add("jit", "traced", shown)
        del self.report.entries[: -8 * self._entries.limit]

    # -- arguments by name --------------------------------------------------------------------------------------
    def _given(self, arrays: Mapping[str, Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> CallArrays:
        names = self._paths(args, kwargs)
        self._check_inner_dims(set(names.values()))
        declared = {
            path: self._dims.get(names[path], self._dims.get(names[path].partition("[")[0], ())) for path in arrays
        }
        for path, dims in declared.items():
            if len(dims) > arrays[path].ndim:
                message = f"dims has {len(dims)} entries for {names[path]}, which has rank {arrays[path].ndim}"
                raise RlxError("RLX105", message, fix="a name, a Dim, an int or None for each axis")
        return CallArrays(arrays, names, declared)

    def _paths(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, str]:
        """Leaf path -> parameter name, followed by the path inside a container: `x`, `params.w`, `rest[1]` of `*rest`."""
        found = {}
        for path, _ in flatten((tuple(args), dict(kwargs))):
            place, _, rest = path.partition(".")
            head, _, inner = rest.partition(".")
            name = self._parameters.positional(int(head)) if place == "0" else head
            found[path] = f"{name}.{inner}" if inner else name
        return found

    def _check_dims(self) -> None:
        """Each name in `dims` must be a parameter."""
        for name in self._dims:
            if not self._parameters.takes(name.partition(".")[0]):
                listed = ", ".join(self._parameters.names) or "none"
                message = f"dims names {name!r}, which is not an argument of {self._name}; its arguments: {listed}"
                raise RlxError("RLX105", message, fix="an argument, or an array inside one: params.w")

    def _check_inner_dims(self, names: Collection[str]) -> None:
        """Each name in `dims` with a path must be an array, if its argument is passed."""
        given = {name.partition(".")[0] for name in names}
        for name in self._dims:
            if "." in name and name.partition(".")[0] in given and name not in names:
                listed = ", ".join(sorted(names))
                raise RlxError(
                    "RLX105", f"dims names {name!r}, not one of the arrays: {listed}", fix="one of these names"
                )

    def _check_static(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        for path, leaf in flatten((tuple(args), dict(kwargs))):
            if not _is_array(leaf) and not isinstance(leaf, Hashable):
                name = self._paths(args, kwargs)[path]
                message = f"argument {name} of {self._name} is {leaf!r:.60}, which is not hashable"
                raise RlxError(
                    "RLX105", message, fix="arrays, numbers, nested containers, or hashable values such as strings"
                )


@dataclass(frozen=True)
class _Parameters:
    """The parameters of a function, by position and by name."""

    names: tuple[str, ...]
    by_position: tuple[str, ...]
    rest: str | None  # *rest
    any_name: bool  # **options, or a function without a signature

    def positional(self, index: int) -> str:
        """The user's name of an argument."""
        if index < len(self.by_position):
            return self.by_position[index]
        return f"argument {index}" if self.rest is None else f"{self.rest}[{index - len(self.by_position)}]"

    def takes(self, name: str) -> bool:
        """Whether there is an argument with this name."""
        return self.any_name or name in self.names


def _parameters(function: Callable[..., Any]) -> _Parameters:
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # a builtin
        return _Parameters((), (), None, True)
    single = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    rest = next((each.name for each in found if each.kind is inspect.Parameter.VAR_POSITIONAL), None)
    any_name = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in found)
    return _Parameters(
        tuple(each.name for each in found), tuple(each.name for each in found if each.kind in single), rest, any_name
    )


def _plain(args: Sequence[Any]) -> list[Any] | None:
    """Dtypes and shapes if all arguments are positional arrays, the usual call, which needs no paths; None otherwise."""
    found = []
    for value in args:
        if type(value) is not np.ndarray and not isinstance(value, DeviceArray):
            return None
        found.append((value.dtype, value.shape))
    return found


def _is_array(leaf: Any) -> bool:
    if type(leaf) is np.ndarray:
        return True
    if isinstance(leaf, (Handle, str, bytes, bool)) or leaf is None:
        return False
    return (
        isinstance(leaf, (np.ndarray, np.generic))
        or is_weak(leaf)
        or hasattr(leaf, "__array__")
        or hasattr(leaf, "__dlpack__")
    )


def as_array(leaf: Any) -> Any:
    """A leaf as an array; a Python number in full width, to take the dtype of the tensors it is combined with."""
    if isinstance(leaf, (np.ndarray, DeviceArray)):
        return leaf
    if type(leaf) is Array:
        return leaf._array
    if is_weak(leaf):
        if isinstance(leaf, int) and not -(2**63) <= leaf < 2**63:
            raise RlxError("RLX110", f"the number {leaf} does not fit i64", fix="pass a float, or an array")
        return np.asarray(
            leaf, np.int64 if isinstance(leaf, int) else np.complex128 if isinstance(leaf, complex) else np.float64
        )
    return np.asarray(leaf) if hasattr(leaf, "__array__") else np.from_dlpack(leaf)


@overload
def jit(
    function: Transformed[P, R], *, device: str = "cpu", dims: DimNames | None = None, **options: Any
) -> Jitted[P, R]: ...
@overload
def jit(
    function: Callable[P, R], *, device: str = "cpu", dims: DimNames | None = None, **options: Any
) -> Jitted[P, R]: ...
@overload
def jit(
    function: None = None, *, device: str = "cpu", dims: DimNames | None = None, **options: Any
) -> Callable[[Callable[P, R]], Jitted[P, R]]: ...
def jit(
    function: Callable[..., Any] | None = None, *, device: str = "cpu", dims: DimNames | None = None, **options: Any
) -> Any:
    """Compile a function of arrays when it is called.

    Dims are static on the first call; the second distinct size makes that dim symbolic and traces once more; after that no size
    traces again. A function that cannot be traced that way (`x[2]`, `x.reshape(2, -1)`, sizes of 1 against others) is specialized to the
    actual sizes, and the report says why. `dims={"x": ("batch", None)}` declares symbolic dims up front. The 64 most recently used
    versions are kept.

    >>> double = jit(lambda x: x + x, device="reference")
    >>> double(np.ones(2, np.float32))
    array([2., 2.], dtype=float32)
    """
    if function is None:
        return lambda inner: Jitted(inner, device, dims, options)
    return Jitted(function, device, dims, options)
