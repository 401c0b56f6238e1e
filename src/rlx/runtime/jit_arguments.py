"""The arguments of a jitted function by the user's names: for the dims declared for them, for symbols and for messages."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any

from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.runtime.jit_arrays import CallArrays
from rlx.runtime.jit_leaves import is_array
from rlx.runtime.parameters import Parameters
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
