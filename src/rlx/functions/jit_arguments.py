"""The arguments of a jitted function by the user's names: for the dims declared for them, for symbols and for messages."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Any, Generic, ParamSpec, TypeAlias, TypeVar, overload

from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.functions.jit_versions import CallArrays, is_array
from rlx.ir.array_methods import Array
from rlx.ir.value import Value
from rlx.runtime.parameters import ChosenArguments, Parameters
from rlx.trace.tree import flatten

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
        """What is no array is compared with that of other calls, so it needs a hash."""
        for path, leaf in flatten((tuple(args), dict(kwargs))):
            if not is_array(leaf) and not isinstance(leaf, Hashable):
                name = self.paths(args, kwargs)[path]
                message = f"argument {name} of {self._function} is {leaf!r:.60}, which is not hashable"
                raise RlxError("RLX105", message, fix="arrays, numbers, nested containers, or hashable values such as strings")


# -- static arguments of jitted functions: handed to the function as they are; a new value is a new version ----------


class Static:
    """A static argument, whole: a container in it is no container of leaves. Equal to one of the same type and value."""

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

    def wrapped(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of a call, static ones as `Static`."""
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
    """The function, for arguments some of which are `Static`."""

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
