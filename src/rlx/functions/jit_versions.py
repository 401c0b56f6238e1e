"""The arguments and versions of a jitted function: the sizes each version covers, what to try for new sizes, how many are cached.

A version is traced with a pattern of sizes: static ones, and symbols for those that change between calls. Sizes that no version fits are
tried as symbols first; if the function cannot be traced that way (`x[2]`, `x.reshape(2, -1)`, sizes of 1 against others), with sizes of 1
concrete, and finally with all sizes concrete.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeAlias, TypeVar, overload

import numpy as np

from rlx.core.device_array import DeviceArray
from rlx.core.dim import Dim, Relation, Size
from rlx.core.dim import symbols as symbols_of
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.report import Report
from rlx.core.shape import Shape, ShapeDtypeStruct
from rlx.ir.array_methods import Array
from rlx.ir.op import is_weak
from rlx.ir.questions import AskedValue, CallValues
from rlx.ir.value import Value
from rlx.ir.whole import WholeNumbers
from rlx.runtime.array import ConcreteArray, as_arrays
from rlx.runtime.executable import Executable
from rlx.runtime.parameters import ChosenArguments, Parameters
from rlx.runtime.run_arrays import donation_refusal
from rlx.trace.tracer import Handle, TracedFunction
from rlx.trace.tree import flatten

VERSIONS = 64  # kept for each jitted function; the least recently used is evicted first

Place = tuple[str, int]  # an axis of an argument: path and number
Pattern = tuple[tuple[Place, Size], ...]
Held = TypeVar("Held")


@dataclass(frozen=True)
class Sizes:
    """The sizes that a version covers: its pattern, and what was assumed about the symbols while tracing."""

    pattern: Pattern
    untrue: Sequence[Relation] = ()  # equalities that the function's code took as false
    facts: Sequence[Relation] = ()  # what the graph assumes

    def fit(self, sizes: Mapping[Place, int]) -> bool:
        """Whether the version covers a call with these sizes."""
        bound: dict[str, int] = {}
        for axis, size in self.pattern:
            number = sizes[axis]
            if isinstance(size, int):
                if size != number:
                    return False
                continue
            symbol = size.symbol
            assert symbol is not None, "patterns have only sizes and symbols"
            if number < symbol.minimum or bound.setdefault(symbol.name, number) != number:
                return False
        return not any(_holds(fact, bound) for fact in self.untrue) and all(_holds(fact, bound) is not False for fact in self.facts)


def _holds(fact: Relation, bound: Mapping[str, int]) -> bool | None:
    """Whether a fact is true for these sizes; None if it also involves declared dims, which a run checks."""
    names = {symbol.name for size in (fact.left, fact.right) for symbol in symbols_of(size)}
    return fact.holds(bound) if names <= bound.keys() else None


@dataclass
class Kind:
    """The calls of one kind (containers, dtypes, static arguments): which sizes have changed so far, and what was tried for them."""

    known: dict[Place, Size]  # for each undeclared axis: its size, or the symbol it has become
    versions: dict[Pattern, Sizes] = field(default_factory=dict)
    failed: dict[Pattern, str] = field(default_factory=dict)  # patterns with symbols that could not be traced, and why

    def find(self, sizes: Mapping[Place, int]) -> Pattern | None:
        """Finds the pattern of a version for these sizes: exactly these, else one with symbols."""
        exact = tuple(sizes.items())
        if exact in self.versions:
            return exact
        return next((pattern for pattern, valid in list(self.versions.items()) if has_symbols(pattern) and valid.fit(sizes)), None)

    def candidates(self, sizes: Mapping[Place, int], grown: Mapping[Place, Size]) -> list[Pattern]:
        """Lists patterns to try for sizes that no version fits, the most general first; in the last all sizes are concrete."""
        wanted = [_with(sizes, which, kept) for which in (grown, _join_equal_sizes(sizes, grown)) for kept in ((0,), (0, 1))]
        tried = dict.fromkeys(pattern for pattern in wanted if has_symbols(pattern))
        left = [pattern for pattern in tried if pattern not in self.failed and pattern not in self.versions]
        return [*left, tuple(sizes.items())]

    def fail(self, pattern: Pattern, why: str) -> None:
        """Record that a pattern could not be traced."""
        self.failed[pattern] = why
        while len(self.failed) > VERSIONS:
            del self.failed[next(iter(self.failed))]

    def why_static(self, sizes: Mapping[Place, int], grown: Mapping[Place, Size]) -> str:
        """Why these sizes need a specialized version: what failed with symbols; empty if nothing was tried."""
        return self.failed.get(_with(sizes, grown, (0,)), "")

    def grown(self, sizes: Mapping[Place, int], symbol: Callable[[Place], Dim]) -> dict[Place, Size]:
        """Merges these sizes into the known ones: axes whose size differs from the known one get symbols.

        Sizes that were equal so far and change together get one symbol, so that what was proved about them still holds; axes of one
        symbol that arrive with different sizes are separated again. A size of 0 is a special case, and changes nothing.
        """
        after = dict(self.known)
        holders: dict[Size, int] = {}  # the value of each symbol in this call: the size of its first axis
        made: dict[tuple[Size, int], Dim] = {}
        for axis, size in sizes.items():
            before = after[axis]
            if size == 0 or size == (holders.setdefault(before, size) if isinstance(before, Dim) else before):
                continue
            if (before, size) not in made:
                made[before, size] = symbol(axis)
            after[axis] = made[before, size]
        return after


def _with(sizes: Mapping[Place, int], grown: Mapping[Place, Size], kept: Sequence[int]) -> Pattern:
    """Builds the pattern of the known sizes, with those in `kept` (0 or 1) concrete."""
    return tuple((axis, size if size in kept else grown[axis]) for axis, size in sizes.items())


def _join_equal_sizes(sizes: Mapping[Place, int], grown: Mapping[Place, Size]) -> dict[Place, Size]:
    """Gives all axes of equal size one symbol in the known sizes: separated axes can belong together again."""
    first: dict[int, Dim] = {}
    return {axis: first.setdefault(sizes[axis], size) if isinstance(size, Dim) else size for axis, size in grown.items()}


def has_symbols(pattern: Pattern) -> bool:
    """Whether a pattern covers more than one set of sizes."""
    return any(isinstance(size, Dim) for _, size in pattern)


class Versions(Generic[Held]):
    """All versions of one function, by kind of call and pattern of sizes; only the most recently used of both are kept.

    >>> versions, kind = Versions(limit=2), Kind({})
    >>> for size in (3, 4, 5):
    ...     gone = versions.add("f32", kind, Sizes(((("x", 0), size),)), f"for {size}")
    >>> gone, list(versions)
    ([((('x', 0), 3),)], ['for 4', 'for 5'])
    """

    def __init__(self, limit: int = VERSIONS) -> None:
        self.limit, self._lock = limit, Lock()
        self._kinds: dict[Any, Kind] = {}
        self._held: OrderedDict[tuple[Any, Pattern], Held] = OrderedDict()

    def kind(self, key: Any, sizes: Mapping[Place, int]) -> Kind:
        """The kind of a call; a new one is stored only once it has a version."""
        kind = self._kinds.get(key)
        return Kind(dict(sizes)) if kind is None else kind

    def find(self, key: Any, kind: Kind, sizes: Mapping[Place, int]) -> Held | None:
        """The version for a call, now the most recently used."""
        with self._lock:
            pattern = kind.find(sizes)
            if pattern is None or (key, pattern) not in self._held:
                return None
            self._held.move_to_end((key, pattern))
            return self._held[key, pattern]

    def add(self, key: Any, kind: Kind, sizes: Sizes, held: Held) -> list[Pattern]:
        """Store a version; returns the patterns of the evicted ones."""
        gone = []
        with self._lock:
            self._kinds.setdefault(key, kind).versions[sizes.pattern] = sizes
            self._held[key, sizes.pattern] = held
            while len(self._held) > self.limit:
                (key, pattern), _ = self._held.popitem(last=False)
                gone.append(pattern)
                owner = self._kinds[key]
                del owner.versions[pattern]
                if not owner.versions:
                    del self._kinds[key]
        return gone

    def __iter__(self) -> Iterator[Held]:
        return iter(self._held.values())

    def __len__(self) -> int:
        return len(self._held)


# -- one compiled version of a jitted function: how it runs, and which of its arguments it may write results into ----


class Donated:
    """The donated inputs of a version. Arrays that do not qualify are passed as usual, and the report says so once."""

    def __init__(self, inputs: Mapping[str, str], executable: Executable, report: Report) -> None:
        self._names, self._report, self._told = inputs, report, set[str]()  # by input, the user's name
        taken = {source for source, _ in executable.code.donations}
        self._inputs = [name for name in inputs if name in taken]
        for name in inputs:
            if name not in taken:
                self._tell(name, "no result of its dtype and size is written after its last read")

    def of_call(self, inputs: Mapping[str, Any]) -> list[str]:
        """The inputs of one call whose memory may be written."""
        names = []
        for donated in self._inputs:
            array = inputs[donated]
            others = [other for name, other in inputs.items() if name != donated]
            if type(array) is not np.ndarray or not array.flags.c_contiguous:
                self._tell(donated, "its array is not dense")
            elif (why_not := donation_refusal(array, others)) is not None:
                self._tell(donated, f"its array {why_not}")
            else:
                names.append(donated)
        return names

    def _tell(self, name: str, why: str) -> None:
        line = f"{self._names[name]}: {why}"
        if line not in self._told:
            self._told.add(line)
            self._report.add("jit", "not donated", line)


@dataclass
class Version:
    """One compiled version: the traced function, the executable, and the versions of the handles whose arrays it has."""

    traced: TracedFunction
    executable: Executable
    whole: WholeNumbers | None  # those to check at each call
    names: Mapping[str, str]  # of the arguments, by path
    donated: Donated | None = None
    handles: dict[str, int] = field(default_factory=dict)

    def results(self, arrays: Mapping[str, Any]) -> dict[str, Any]:
        """Runs on arrays by path, with current params; returns results by output name."""
        if self.whole is not None:
            self.whole.check(arrays, self.names)
        return self._results({name: arrays[path] for path, name in self.traced.inputs.items()})

    def _results(self, inputs: dict[str, Any]) -> dict[str, Any]:
        if self.traced.graph.handles:
            self._set_handles()
        if self.donated is not None:
            return self.executable.run(inputs, donate=self.donated.of_call(inputs))
        return self.executable.run(inputs)

    def _set_handles(self) -> None:
        for name, handle in self.traced.graph.handles.items():
            if self.handles.get(name) != handle.version:
                self.executable.set_param(name, handle.value)
                self.handles[name] = handle.version

    def run(self, arrays: Mapping[str, Any]) -> Any:
        """Runs on arrays by path; returns what the function returns, with Arrays in its containers."""
        return self._rebuilt(self.results(arrays))

    def run_positional(self, arrays: Sequence[Any]) -> Any:
        """Runs on arrays that are all the arguments, in order: the fast path of the usual call."""
        names = self.positional
        if names is None or len(names) != len(arrays):
            return self.run({f"0.{index}": array for index, array in enumerate(arrays)})
        return self._rebuilt(self._results(dict(zip(names, arrays))))  # noqa: B905

    def _rebuilt(self, results: Mapping[str, Any]) -> Any:
        if self.single:
            (array,) = results.values()
            return as_arrays(array)
        return self.traced.rebuilt([as_arrays(array) for array in results.values()])

    @cached_property
    def single(self) -> bool:
        """Whether the function returns one array, in no container."""
        return isinstance(self.traced.out_tree, Value) and not self.traced.fixed

    @cached_property
    def positional(self) -> tuple[str, ...] | None:
        """The graph's inputs in argument order, if all arguments are positional arrays and nothing else is to be checked."""
        inputs = self.traced.inputs
        alike = self.whole is None and list(inputs) == [f"0.{index}" for index in range(len(inputs))]
        return tuple(inputs.values()) if alike else None


# -- the arrays of a jitted call: which axes are declared, and the symbols or sizes that stand for the others --------


@dataclass(frozen=True)
class CallArrays:
    """The arrays of one call by path, their names for the user, their declared dims, and the axes that are not declared."""

    arrays: Mapping[str, Any]
    names: Mapping[str, str]
    declared: Mapping[str, Sequence[str | Dim | int | None]]

    @property
    def sizes(self) -> dict[Place, int]:
        """The sizes of axes that are not declared."""
        return {
            (path, axis): size
            for path, array in self.arrays.items()
            for axis, size in enumerate(array.shape)
            if axis >= len(self.declared[path]) or self.declared[path][axis] is None
        }

    def shapes(self, pattern: Pattern) -> dict[str, Shape]:
        """The shapes to trace with, for given sizes of the undeclared axes."""
        chosen = dict(pattern)

        def dims(path: str, rank: int) -> list[Any]:
            return [chosen[path, axis] if (path, axis) in chosen else self.declared[path][axis] for axis in range(rank)]

        return {path: Shape(dims(path, array.ndim), DType.of(array.dtype)) for path, array in self.arrays.items()}

    def symbol(self, place: Place) -> Dim:
        """A symbol for an axis, named after its argument: `x_dim0`."""
        taken = {str(size) for dims in self.declared.values() for size in dims}
        plain = {path: "".join(letter if letter.isalnum() else "_" for letter in name) for path, name in self.names.items()}
        path, axis = place
        same = [other for other in self.arrays if plain[other] == plain[path]]
        name = f"{plain[path]}_dim{axis}" if len(same) == 1 else f"{plain[path]}_{same.index(path)}_dim{axis}"
        while name in taken:
            name += "_"
        return Dim(name if name.isidentifier() else f"_{name}")

    def axis(self, place: Place) -> str:
        """An axis, for messages."""
        return f"axis {place[1]} of {self.names[place[0]]}"


# -- the leaves of a call's arguments: which are arrays, and as what arrays they are taken ---------------------------


def is_array(leaf: Any) -> bool:
    """Whether a leaf is traced: an array, a number, or what converts to one; not a handle, a string or a bool."""
    if type(leaf) is np.ndarray:
        return True
    if isinstance(leaf, (Handle, str, bytes, bool)) or leaf is None:
        return False
    return isinstance(leaf, (np.ndarray, np.generic)) or is_weak(leaf) or hasattr(leaf, "__array__") or hasattr(leaf, "__dlpack__")


def as_array(leaf: Any) -> Any:
    """Converts a leaf to an array; a Python number in full width, to take the dtype of the tensors it is combined with."""
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
    """The leaves of `(args, kwargs)` that have a shape and a dtype, by path: arrays, and what stands for one."""
    leaves = {}
    for path, leaf in flatten(tree):
        if isinstance(leaf, (ShapeDtypeStruct, Value)):
            leaves[path] = leaf
        elif is_array(leaf):
            leaves[path] = as_array(leaf)
    return leaves


# -- functions whose Python code branches on traced values: one version for each row of answers


if TYPE_CHECKING:
    from rlx.functions.jit_versions import Version

_FIRST = 0  # the node of the question that every call asks


class Branches:
    """A tree of questions: an answer leads to the next question, or to a version. All calls of one kind and one set of sizes share it.

    Once it has 64 versions it begins anew.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._questions: dict[int, AskedValue] = {}
        self._next: dict[tuple[int, Hashable], int] = {}
        self._versions: dict[int, Version] = {}

    def find(self, arrays: Mapping[str, Any]) -> Version | None:
        """Finds the version for a call on these arrays; None if no trace has taken this path yet."""
        with self._lock:
            questions, after, versions = self._questions, self._next, self._versions
        evaluations: dict[int, CallValues] = {}
        node: int | None = _FIRST
        while node is not None and node in questions:
            question = questions[node]
            asked = question.questions
            known = evaluations.setdefault(id(asked), asked.evaluation(arrays))
            node = after.get((node, question.answer(known)))
        return None if node is None else versions.get(node)

    def add(self, version: Version) -> None:
        """Stores a version at the end of the path that its trace took.

        The questions along that path are now those of this trace, so that one evaluation answers them all.
        """
        asked = version.traced.questions
        assert asked is not None, "a version without questions has no branches"
        with self._lock:
            if len(self._versions) >= VERSIONS:  # a call that is under way reads the old ones
                self._questions, self._next, self._versions = {}, {}, {}
            node = _FIRST
            for question, answer in asked.asked:
                self._questions[node] = question
                node = self._next.setdefault((node, answer), len(self._next) + 1)
            self._versions[node] = version


# -- the arguments of a jitted function by the user's names: for the dims declared for them, for symbols and for messages


DimNames = Mapping[str, Sequence[str | Dim | int | None]]


class NamedArguments:
    """A function's parameters, and the dims that `jit(f, dims=…)` declares for them."""

    def __init__(self, parameters: Parameters, dims: DimNames | None, function: str) -> None:
        self._parameters, self._function = parameters, function
        self._dims = {name: tuple(names) for name, names in (dims or {}).items()}
        self._check_dims()

    def given(self, arrays: Mapping[str, Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> CallArrays:
        """The arrays of a call, by path, with their names and declared dims."""
        names = self.paths(args, kwargs)
        self._check_inner_dims(set(names.values()))
        declared = {path: self._dims.get(names[path], self._dims.get(names[path].partition("[")[0], ())) for path in arrays}
        for path, dims in declared.items():
            if len(dims) > arrays[path].ndim:
                message = f"dims has {len(dims)} entries for {names[path]}, which has rank {arrays[path].ndim}"
                raise RlxError("RLX105", message, fix="a name, a Dim, an int or None for each axis")
        return CallArrays(arrays, names, declared)

    def paths(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, str]:
        """Leaf path -> parameter name, followed by the path inside a container: `x`, `params.w`, `rest[1]` of `*rest`."""
        names = {}
        for path, _ in flatten((tuple(args), dict(kwargs))):
            group, _, rest = path.partition(".")
            head, _, inner = rest.partition(".")
            name = self._parameters.positional(int(head)) if group == "0" else head
            names[path] = f"{name}.{inner}" if inner else name
        return names

    def _check_dims(self) -> None:
        """Each name in `dims` must be a parameter."""
        for name in self._dims:
            if not self._parameters.takes(name.partition(".")[0]):
                listed = ", ".join(self._parameters.names) or "none"
                message = f"dims names {name!r}, which is not an argument of {self._function}; its arguments: {listed}"
                raise RlxError("RLX105", message, fix="an argument, or an array inside one: params.w")

    def _check_inner_dims(self, names: Collection[str]) -> None:
        """Each name in `dims` with a path must be an array, if its argument is passed."""
        given = {name.partition(".")[0] for name in names}
        for name in self._dims:
            if "." in name and name.partition(".")[0] in given and name not in names:
                listed = ", ".join(sorted(names))
                raise RlxError("RLX105", f"dims names {name!r}, not one of the arrays: {listed}", fix="one of these names")

    def check_static(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        """Checks that an argument without arrays has a hash: it is compared with that of other calls."""
        for path, leaf in flatten((tuple(args), dict(kwargs))):
            if not is_array(leaf) and not isinstance(leaf, Hashable):
                name = self.paths(args, kwargs)[path]
                message = f"argument {name} of {self._function} is {leaf!r:.60}, which is not hashable"
                raise RlxError("RLX105", message, fix="arrays, numbers, nested containers, or hashable values such as strings")


# -- static arguments of jitted functions: handed to the function as they are; a new value is a new version ----------


class Static:
    """A static argument as one leaf, its containers included. Equal to one of the same type and value."""

    __slots__ = ("_hash", "value")

    def __init__(self, value: Any, number: int) -> None:
        self.value, self._hash = value, number

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Static) and type(self.value) is type(other.value) and bool(self.value == other.value)

    def __repr__(self) -> str:
        return f"static {self.value!r}"


class StaticArguments:
    """The static arguments of one function."""

    def __init__(self, chosen: ChosenArguments, function: str) -> None:
        self.chosen, self._function = chosen, function

    def wrap(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Wraps the static arguments of a call as `Static`."""
        return self.chosen.replaced(args, kwargs, self._static)

    def _static(self, value: Any, which: int | str) -> Static:
        try:
            return Static(value, hash(value))
        except TypeError:
            if hasattr(value, "shape") and hasattr(value, "dtype"):
                what = "an array"
                fix = "arrays are traced: take it out of static_argnums, or pass a tuple of Python numbers"
            else:
                what = f"a {type(value).__name__} without a hash: {value!r:.60}"
                fix = "a tuple instead of a list, a frozen dataclass instead of a dict, or a class with __hash__"
            message = f"the static argument {which} of {self._function} is {what}; static arguments are compared"
            raise RlxError("RLX105", message, fix=fix) from None


def taking_static(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps the function for arguments some of which are `Static`."""

    def plain(value: Any) -> Any:
        return value.value if type(value) is Static else value

    @functools.wraps(function, updated=())
    def taking(*args: Any, **kwargs: Any) -> Any:
        return function(*map(plain, args), **{name: plain(value) for name, value in kwargs.items()})

    return taking


# -- the return type of `jit` and the transforms: a function that can be called on arrays as well as on Values -------


P = ParamSpec("P")
R = TypeVar("R", covariant=True)
ValueTree: TypeAlias = "Value | int | float | Sequence[ValueTree] | Mapping[Any, ValueTree] | None"
"""Values and plain numbers in containers; an Array among them is none of these."""


class Transformed(Generic[P, R]):
    """A function for type checkers: it keeps its annotated signature.

    Where the annotations say Value it can be called on arrays instead, outside a trace; its result then has arrays in place of Values.
    The overloads cover the usual containers of Values; deeper ones are `Any`.

        @rlx.jit
        def double(x: rlx.Value) -> rlx.Value:
            return x + x

        double(np.ones(3))  # an array; of a Value, in another traced function, a Value
    """

    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...
    @overload
    def __call__(self: Transformed[..., Value], *args: Any, **kwargs: Any) -> Array: ...
    @overload
    def __call__(self: Transformed[..., tuple[Value, Value]], *args: Any, **kwargs: Any) -> tuple[Array, Array]: ...
    @overload
    def __call__(self: Transformed[..., tuple[Value, ...]], *args: Any, **kwargs: Any) -> tuple[Array, ...]: ...
    @overload
    def __call__(self: Transformed[..., list[Value]], *args: Any, **kwargs: Any) -> list[Array]: ...
    @overload
    def __call__(self: Transformed[..., dict[str, Value]], *args: Any, **kwargs: Any) -> dict[str, Array]: ...
    @overload
    def __call__(
        self: Transformed[..., tuple[Value, dict[str, Value]]], *args: Any, **kwargs: Any
    ) -> tuple[Array, dict[str, Array]]: ...
    @overload
    def __call__(
        self: Transformed[..., tuple[dict[str, Value], Value]], *args: Any, **kwargs: Any
    ) -> tuple[dict[str, Array], Array]: ...
    @overload
    def __call__(self: Transformed[..., Sequence[ValueTree] | Mapping[Any, ValueTree]], *args: Any, **kwargs: Any) -> Any: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        raise NotImplementedError
