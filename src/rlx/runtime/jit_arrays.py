"""The arrays of a jitted call: which axes are declared, and the symbols or sizes that stand for the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rlx.core.dim import Dim
from rlx.core.dtype import DType
from rlx.core.shape import Shape
from rlx.runtime.jit_versions import Pattern, Place


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
