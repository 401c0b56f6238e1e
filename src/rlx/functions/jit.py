"""rlx.jit: compile a Python function when it is called, once for all sizes of the dims that vary."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from types import MethodType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar, Unpack, overload

import numpy as np

from rlx.core.cache import Recent
from rlx.core.device_array import DeviceArray
from rlx.core.dim import Dim, equalities_taken_as_untrue
from rlx.core.errors import RlxError, check_function
from rlx.core.report import Report
from rlx.functions.jit_versions import (
    Branches,
    CallArrays,
    DimNames,
    Donated,
    Kind,
    NamedArguments,
    Pattern,
    Sizes,
    StaticArguments,
    Transformed,
    Version,
    Versions,
    arrays_or_shapes,
    as_array,
    has_symbols,
    is_array,
    taking_static,
)
from rlx.functions.lowered import Lowered
from rlx.ir.emit import traced_graph
from rlx.ir.op import is_weak
from rlx.ir.questions import questions_of
from rlx.ir.value import Value
from rlx.passes.entry import OptionNames
from rlx.runtime.array import ConcreteArray, as_arrays
from rlx.runtime.compile import compile_module
from rlx.runtime.executable import Executable
from rlx.runtime.parameters import ArgumentNames, ArgumentNumbers, ChosenArguments, Parameters
from rlx.runtime.scopes import runs_at_once
from rlx.runtime.tracebacks import hide_own_frames
from rlx.trace.references import OuterRef, Ref, holding, refs_of, thread_references
from rlx.trace.tracer import Handle, TracedFunction, trace
from rlx.trace.tree import flatten_with_structure

# -- functions that read and write references: their values are arguments, their last values results


_PROGRAMS = 64


class Stateful:
    """A compiled function that reaches references: one program for each list of them."""

    def __init__(self, jitted: Any, function: Callable[..., Any]) -> None:
        self._jitted, self._function = jitted, function
        self._closed_over: list[Ref] = []  # as far as earlier calls have shown
        self._programs: Recent[tuple[Ref, ...], Any] = Recent(_PROGRAMS)

    def __call__(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Run, and write the references."""

        def run(refs: Sequence[Ref], values: list[Any]) -> tuple[Any, Sequence[Any]]:
            return self._program(tuple(refs))(values, tuple(args), dict(kwargs))

        return thread_references(run, self._reach_references(args, kwargs), note=self._closed_over.append)

    def lower(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Traces the function for a call, with the references' values as its first argument."""

        def run(refs: Sequence[Ref], values: list[Any]) -> tuple[Any, Sequence[Any]]:
            return self._program(tuple(refs)).lower(values, tuple(args), dict(kwargs)), values

        return thread_references(run, self._reach_references(args, kwargs))

    def _reach_references(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Ref]:
        """Lists references among the arguments, and those that earlier calls have shown it to close over."""
        return list(dict.fromkeys([*refs_of(tuple(args), dict(kwargs)), *self._closed_over]))

    def _program(self, refs: tuple[Ref, ...]) -> Any:
        known = self._programs.get(refs)
        if known is not None:
            return known

        def pure(values: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, list[Any]]:
            with holding(refs, values) as last:
                return self._function(*args, **kwargs), last()

        made = type(self._jitted)(pure, *self._jitted.made_with)
        made.reaches_references = False  # this is about them
        self._programs[refs] = made
        return made


P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


@dataclass(frozen=True)
class _Last:
    """The last call of a `Jitted`: kinds and sizes of its arguments, in a short form for plain arrays, and the version it used."""

    call: Any
    plain: list[Any] | None
    entry: Version


class Jitted(Transformed[P, R_co]):
    """A function compiled on demand. `report` says what was traced and why, and what became of it; `traces` counts how often.

    At most `rlx.functions.jit_versions.VERSIONS` (64) versions are cached; the least recently used is evicted and traced again when needed.
    """

    def __init__(
        self,
        function: Callable[P, R_co],
        device: str,
        dims: DimNames | None,
        options: dict[str, Any],
        *,
        static: tuple[ArgumentNumbers, ArgumentNames] = (None, None),
        donated: tuple[ArgumentNumbers, ArgumentNames] = (None, None),
        branches: bool = False,
    ) -> None:
        check_function(function, "jit")
        functools.update_wrapper(self, function, updated=())  # the attributes of a callable stay its own
        self._device, self._options = device, options
        self._name = getattr(function, "__name__", type(function).__name__)
        parameters = Parameters.of(function)
        chosen = ChosenArguments.of(parameters, *static, "static", self._name)
        self._static = StaticArguments(chosen, self._name) if chosen else None
        self._function = taking_static(function) if chosen else function
        self._donated = ChosenArguments.of(parameters, *donated, "donate", self._name)
        if both := chosen.names & self._donated.names:
            message = f"{', '.join(sorted(both))} of {self._name} is static and donated"
            raise RlxError("RLX105", message, fix="donate arrays; static arguments have no memory")
        self._arguments = NamedArguments(parameters, dims, self._name)
        self._own_report = Report(strict=options.get("strict") is True)
        self._branches = branches  # whether Python may ask traced values for their truth and numbers, as `jit` forbids
        self._entries: Versions[Version | Branches] = Versions()
        self._last: _Last | None = None
        self._compiled: Report | None = None  # of the version compiled last
        self.traces = 0
        self._stateful: Stateful | None = None  # from the first call on that reaches references
        self.reaches_references = True
        self.made_with = device, None, options
        self.of_user = False  # made by `rlx.jit`, which `disable_jit` is about

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...
    @overload
    def __get__(self: Jitted[Concatenate[Any, Q], R], instance: object, owner: type | None = None) -> Transformed[Q, R]: ...
    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def _call(self, *args: Any, **kwargs: Any) -> Any:
        """Runs on arrays and nested containers of them; on Values, inside a trace, it inlines the function."""
        if self._stateful is not None:
            return self._stateful(*((args, kwargs) if self._static is None else self._static.wrap(args, kwargs)))
        try:
            if self.of_user and runs_at_once():
                return self._inline(args, kwargs)
            given: list[Any] = []
            plain = None if kwargs else _kinds_of_arrays(args, given)
            last = self._last
            if last is not None and plain is not None and last.plain == plain:
                return last.entry.run_positional(given)
            return self._call_by_paths(args, kwargs, plain)
        except OuterRef:
            if not self.reaches_references:
                raise
            self._stateful = Stateful(self, self._function)
            return self._call(*args, **kwargs)
        except Exception as error:
            hide_own_frames(error)
            raise

    def _call_by_paths(self, args: Sequence[Any], kwargs: Mapping[str, Any], plain: list[Any] | None) -> Any:
        """Runs a call that differs from the last one in more than dtypes and shapes: the paths of its leaves select the version."""
        last = self._last
        if self._static is not None:
            args, kwargs = self._static.wrap(args, kwargs)
        arrays: dict[str, Any] = {}
        kinds: list[Any] = []
        leaves, containers = flatten_with_structure((args, kwargs))
        for path, leaf in leaves:
            if isinstance(leaf, Value):
                return self._inline(args, kwargs)
            if isinstance(leaf, Handle):
                kinds.append((path, leaf.name))
            elif is_array(leaf):
                array = arrays[path] = as_array(leaf)
                kinds.append((path, array.dtype, array.ndim, is_weak(leaf)))
            else:
                kinds.append((path, type(leaf), leaf))
        key = (containers, tuple(kinds))
        call = key, [array.shape for array in arrays.values()]
        version = last.entry if last is not None and last.call == call else self._find(key, arrays, args, kwargs)
        if version is None:
            return self._inline(args, kwargs)
        asks = version.traced.questions is not None  # then each call has to answer
        self._last = _Last(None, None, version) if asks else _Last(call, plain, version)
        return version.run(arrays)

    @property
    def latest(self) -> Version | None:
        """The version of the last call."""
        return None if self._last is None else self._last.entry

    if not TYPE_CHECKING:  # checkers read the overloads of `Transformed`
        __call__ = _call

    def __repr__(self) -> str:
        return f"<Jitted {getattr(self, '__name__', 'function')} on {self._device}: {self.traces} traces>"

    @property
    def executable(self) -> Executable:
        """The executable of the last call.

        >>> double = jit(lambda x: x + x)
        >>> double(np.ones(2, np.float32))
        Array([2., 2.], dtype=float32)
        >>> double.executable.inputs
        {'x': f32[2]}
        """
        last = self._last
        if last is None:
            raise RlxError("RLX402", f"{self._name} has not been called", fix="call it first, or .lower(...).compile()")
        return last.entry.executable

    @property
    def report(self) -> Report:
        """What was traced and why, then the decisions about the version compiled last: what was fused, cast, packed."""
        own, last = self._own_report, self._compiled
        if last is None:
            return Report(list(own.entries), strict=own.strict)
        return Report([*own.entries, *last.entries], dict(last.seconds), dict(last.facts), strict=own.strict)

    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        """The function traced for a call, to be looked at or compiled; arguments may be `rlx.ShapeDtypeStruct`s.

        >>> lowered = jit(lambda x: x + x, device="reference").lower(np.ones(2, np.float32))
        >>> lowered.cost()["flops"], lowered.compile()(np.float32([1, 2]))
        (2, Array([2., 4.], dtype=float32))
        """
        try:
            wrapped = (args, kwargs) if self._static is None else self._static.wrap(args, kwargs)
            arrays = arrays_or_shapes(wrapped)
            self._arguments.check_static(*wrapped)
            given = self._arguments.given(arrays, *wrapped)
            traced = trace(self._function, wrapped[0], dict(wrapped[1]), given.shapes(tuple(given.sizes.items())), given.names)
            return Lowered(self._name, traced, wrapped, lambda: self._version(traced, given.names), self._device, self._options)
        except OuterRef:
            if not self.reaches_references:
                raise
            return Stateful(self, self._function).lower(*wrapped)
        except Exception as error:
            hide_own_frames(error)
            raise

    def clear_cache(self) -> None:
        """Drops all versions: the next call traces again."""
        self._entries, self._last, self._compiled = Versions(), None, None

    def _inline(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Calls the function itself on these arguments, as a part of the trace around it, or eagerly.

        While it is inlined in a trace, Python cannot read values, even where it could in the function around it.
        """
        graph = traced_graph()
        questions = None if graph is None or not self.of_user or runs_at_once() else questions_of(graph)
        with nullcontext() if questions is None else questions.unanswered():
            return self._function(*as_arrays(tuple(args)), **as_arrays(dict(kwargs)))

    def _find(self, key: Any, arrays: Mapping[str, Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Version | None:
        """Finds the version for a call of this kind and these sizes; traces and compiles one if there is none.

        A function of the user that has no version for a call inside a trace gets none: it may read values of that trace.
        """
        self._arguments.check_static(args, kwargs)
        given = self._arguments.given(arrays, args, kwargs)
        sizes = given.sizes
        kind = self._entries.kind(key, sizes)
        held = self._entries.find(key, kind, sizes)
        version = held.find(arrays) if isinstance(held, Branches) else held
        if version is not None or (self.of_user and traced_graph() is not None):
            return version
        return self._make(key, kind, given, args, dict(kwargs))

    def _make(self, key: Any, kind: Kind, given: CallArrays, args: Sequence[Any], kwargs: dict[str, Any]) -> Version:
        """Compiles a version for sizes that no version fits: with symbols for sizes that change, or specialized to these sizes.

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
            gone = self._store(key, kind, valid, entry)
            if gone:
                self._own_report.add(
                    "jit", "dropped", f"the least recently used version of {self._name}: {self._entries.limit} are kept"
                )
            return entry
        raise AssertionError("the last pattern has concrete sizes")

    def _store(self, key: Any, kind: Kind, valid: Sizes, entry: Version) -> list[Pattern]:
        """Stores a version, beside those for other answers if it asked questions; returns the evicted patterns."""
        if entry.traced.questions is None:
            return self._entries.add(key, kind, valid, entry)
        held = self._entries.find(key, kind, dict(valid.pattern))  # type: ignore[arg-type]  # its sizes are ints
        branches = held if isinstance(held, Branches) else Branches()
        branches.add(entry)
        return [] if branches is held else self._entries.add(key, kind, valid, branches)

    def _trace(
        self, pattern: Pattern, given: CallArrays, args: Sequence[Any], kwargs: dict[str, Any]
    ) -> tuple[Sizes, Version | None]:
        """Traces a version of a pattern; returns it with the sizes it is for, or no version if they exclude the sizes of this call."""
        answers = given.arrays if self._branches and not has_symbols(pattern) else None
        start = time.perf_counter()
        with equalities_taken_as_untrue() as untrue:
            traced = trace(self._function, args, kwargs, given.shapes(pattern), given.names, answers)
        spent = time.perf_counter() - start
        valid = Sizes(pattern, tuple(untrue), tuple(traced.graph.assumptions))
        if has_symbols(pattern) and not valid.fit(given.sizes):
            return valid, None
        self.traces += 1
        entry = self._version(traced, given.names)
        self._compiled = entry.executable.report
        for phase in ("trace", "total"):
            self._compiled.time(phase, spent)
        return valid, entry

    def _version(self, traced: TracedFunction, names: Mapping[str, str]) -> Version:
        """Compiles a traced function into a version."""
        executable = compile_module(traced.graph, self._device, **self._options)
        for name, array in traced.graph.lifted.items():
            executable.set_param(name, array)
        whole = traced.graph.whole_numbers
        given = {name: names[path] for path, name in traced.inputs.items() if self._donated.has(path)}
        donated = Donated(given, executable, self._own_report) if given else None
        return Version(traced, executable, whole if whole.is_checked else None, names, donated)

    def _tell(self, kind: Kind, pattern: Pattern, given: CallArrays, failure: str) -> None:
        """Reports what was traced and why; only the last lines are stored."""
        for axis, size in pattern:
            before = kind.known[axis]
            if not isinstance(size, Dim) or size == before:
                continue
            what = "no longer equals the axis it shared a symbol with" if isinstance(before, Dim) else "arrived with a second size"
            self._own_report.add("jit", "symbolic", f"{given.axis(axis)} {what} and becomes the symbol {size}")
        shown = f"{self._name}({', '.join(f'{given.names[path]}: {shape}' for path, shape in given.shapes(pattern).items())})"
        if kind.versions and not has_symbols(pattern):
            reason = f"with symbols: {failure}" if failure else "no version with symbols fits them"
            self._own_report.add("jit", "static", f"{shown} is specialized to these sizes; {reason}")
        self._own_report.add("jit", "traced", shown)
        del self._own_report.entries[: -8 * self._entries.limit]


def _kinds_of_arrays(args: Sequence[Any], arrays: list[Any]) -> list[Any] | None:
    """Dtypes and shapes if all arguments are positional arrays, the usual call, which needs no paths; None otherwise.

    The arrays themselves go to `arrays`.
    """
    kinds = []
    for value in args:
        if type(value) is ConcreteArray:
            value = value._array
        elif type(value) is not np.ndarray and not isinstance(value, DeviceArray):
            return None
        arrays.append(value)
        kinds.append((value.dtype, value.shape))
    return kinds


@overload
def jit(
    function: Callable[P, R],
    *,
    device: str = "cpu",
    dims: DimNames | None = None,
    static_argnums: ArgumentNumbers = None,
    static_argnames: ArgumentNames = None,
    donate_argnums: ArgumentNumbers = None,
    donate_argnames: ArgumentNames = None,
    inline: bool = True,
    **options: Unpack[OptionNames],
) -> Jitted[P, R]: ...
@overload
def jit(
    function: Transformed[P, R],
    *,
    device: str = "cpu",
    dims: DimNames | None = None,
    static_argnums: ArgumentNumbers = None,
    static_argnames: ArgumentNames = None,
    donate_argnums: ArgumentNumbers = None,
    donate_argnames: ArgumentNames = None,
    inline: bool = True,
    **options: Unpack[OptionNames],
) -> Jitted[P, R]: ...
@overload
def jit(
    function: None = None,
    *,
    device: str = "cpu",
    dims: DimNames | None = None,
    static_argnums: ArgumentNumbers = None,
    static_argnames: ArgumentNames = None,
    donate_argnums: ArgumentNumbers = None,
    donate_argnames: ArgumentNames = None,
    inline: bool = True,
    **options: Unpack[OptionNames],
) -> Callable[[Callable[P, R]], Jitted[P, R]]: ...
def jit(
    function: Callable[..., Any] | None = None,
    *,
    device: str = "cpu",
    dims: DimNames | None = None,
    static_argnums: ArgumentNumbers = None,
    static_argnames: ArgumentNames = None,
    donate_argnums: ArgumentNumbers = None,
    donate_argnames: ArgumentNames = None,
    inline: bool = True,
    **options: Any,
) -> Any:
    """Compile a function of arrays when it is called.

    Dims are static on the first call; the second distinct size makes that dim symbolic and traces once more; after that no size
    traces again. A function that cannot be traced that way (`x[2]`, `x.reshape(2, -1)`, sizes of 1 against others) is specialized to the
    actual sizes, and the report says why. `dims={"x": ("batch", None)}` declares symbolic dims up front. The 64 most recently used
    versions are kept.

    Static arguments (by number or name) are handed to the function as they are, and a new value traces again; they have a hash.
    Donated ones may be overwritten by results: do not use these arrays afterwards. Jitted functions are always inlined where they
    are called in another one, whatever `inline` says. The other options are those of `rlx.compile`, such as `excess_precision=False`,
    which rounds each result in f16 and bf16 as JAX does.

    >>> double = jit(lambda x: x + x, device="reference")
    >>> double(np.ones(2, np.float32))
    Array([2., 2.], dtype=float32)
    >>> power = jit(lambda x, n: x**n if n > 1 else x, static_argnames="n", device="reference")
    >>> power(np.float32([1, 2]), n=3)
    Array([1., 8.], dtype=float32)
    """
    static, donated = (static_argnums, static_argnames), (donate_argnums, donate_argnames)

    def make(inner: Callable[..., Any]) -> Jitted[..., Any]:
        jitted: Jitted[..., Any] = Jitted(inner, device, dims, options, static=static, donated=donated)
        jitted.of_user = True
        return jitted

    return make if function is None else make(function)
