"""How arrays are cut over many devices, as plain data: a mesh of named axes, a spec for an array, and a table of specs by name."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from rlx.core.errors import RlxError, check_is

BATCH_AXES = ("data", "fsdp")
"""Axes of a mesh along which the rows of a batch are cut."""

AxisNames = str | tuple[str, ...] | None
"""The axes of a mesh that cut one axis of an array: one, several of them together, or none."""


@dataclass(frozen=True)
class Mesh:
    """Devices in a grid whose axes have names.

    >>> mesh = Mesh((2, 4), ("data", "model"))
    >>> mesh.size, mesh.axes
    (8, {'data': 2, 'model': 4})
    """

    shape: tuple[int, ...]
    axis_names: tuple[str, ...]

    def __init__(self, shape: Iterable[int], axis_names: Iterable[str]) -> None:
        sizes, names = tuple(int(size) for size in shape), tuple(axis_names)
        if len(sizes) != len(names) or not sizes or len(set(names)) != len(names):
            raise RlxError("RLX406", f"a mesh of {sizes} with axes {names}", fix="one name of its own for each axis")
        if min(sizes) < 1:
            raise RlxError("RLX406", f"a mesh of {sizes}", fix="sizes are at least 1")
        object.__setattr__(self, "shape", sizes)
        object.__setattr__(self, "axis_names", names)

    @staticmethod
    def parse(text: str) -> Mesh:
        """A mesh from text.

        >>> Mesh.parse("fsdp=2 model=4")
        Mesh(shape=(2, 4), axis_names=('fsdp', 'model'))
        """
        pairs = [part.partition("=") for part in text.replace(",", " ").split()]
        if not pairs or not all(name and size.isdecimal() for name, _, size in pairs):
            raise RlxError("RLX406", f"{text!r:.60} is not a mesh", fix="axes and their sizes: fsdp=2 model=4")
        return Mesh([int(size) for _, _, size in pairs], [name for name, _, _ in pairs])

    @property
    def axes(self) -> dict[str, int]:
        """Sizes by name."""
        return dict(zip(self.axis_names, self.shape, strict=True))

    @property
    def size(self) -> int:
        """The number of devices."""
        return math.prod(self.shape)

    @property
    def batch_axes(self) -> tuple[str, ...]:
        """The mesh axes that partition a batch."""
        return tuple(name for name in self.axis_names if name in BATCH_AXES)

    def parts(self, names: AxisNames) -> int:
        """The product of the sizes of mesh axes: the number of shards of an array partitioned by them."""
        given = (names,) if isinstance(names, str) else names or ()
        for name in given:
            if name not in self.axes:
                raise RlxError("RLX406", f"the mesh has no axis {name!r}", fix=f"its axes: {', '.join(self.axis_names)}")
        return math.prod(self.axes[name] for name in given)


class P(tuple[AxisNames, ...]):
    """A partition spec: the mesh axes that shard each axis of an array, in order; axes that are left out are replicated.

    >>> P("model", None), P(("data", "fsdp"))
    (P('model', None), P(('data', 'fsdp')))
    """

    __slots__ = ()

    def __new__(cls, *axes: AxisNames) -> P:
        """One entry for each axis."""
        for entry in axes:
            check_is(entry, (str, tuple, type(None)), "RLX406", "an entry of P", "the name of an axis, several, or None")
        return super().__new__(cls, axes)

    def __repr__(self) -> str:
        return f"P({', '.join(map(repr, self))})"

    def check(self, mesh: Mesh, dims: Sequence[int], what: str) -> P:
        """Returns the spec if the array's axes can be sharded by it; raises RLX406 if not."""
        if len(self) > len(dims):
            raise RlxError("RLX406", f"{what} has {len(dims)} axes, its spec is {self}", fix="an entry for each axis")
        for axis, (size, names) in enumerate(zip(dims, self, strict=False)):
            count = mesh.parts(names)
            if size % count:
                message = f"axis {axis} of {what} has {size} elements, {names!r} cuts it into {count}"
                raise RlxError("RLX406", message, fix="a size that divides, another axis, or None")
        return self


@dataclass(frozen=True)
class ShardingTable:
    """A mesh, and the spec of each array by the first pattern that matches its name (as in `fnmatch`); others are replicated.

    >>> table = ShardingTable(Mesh((4,), ("model",)), {"*.up": P(None, "model")})
    >>> table.spec("layers.0.up", (8, 16)), table.spec("norm", (8,))
    (P(None, 'model'), P())
    """

    mesh: Mesh
    patterns: Mapping[str, P] = field(default_factory=dict)

    def spec(self, name: str, dims: Sequence[int]) -> P:
        """The partition spec of a param or a state."""
        for pattern, spec in self.patterns.items():
            if fnmatchcase(name, pattern):
                return P(*spec).check(self.mesh, dims, repr(name))
        return P()

    def input_spec(self, name: str, dims: Sequence[int]) -> P:
        """The partition spec of an input: by a matching pattern, else its first axis is sharded as a batch if it divides."""
        if any(fnmatchcase(name, pattern) for pattern in self.patterns):
            return self.spec(name, dims)
        names = self.mesh.batch_axes
        return P(names) if names and dims and dims[0] % self.mesh.parts(names) == 0 else P()


# -- presets: how the params of a model are cut, from what their names and sizes say ---------------------------------


PRESETS = ("fsdp", "tensor", "sequence", "expert")
"""By which presets a model is cut; `"fsdp+tensor"` is both."""

_BY_COLUMNS = ("q", "k", "v", "gate", "up", "head", "attn_q", "attn_k", "attn_v", "ffn_gate", "ffn_up", "output")
_BY_ROWS = ("o", "down", "attn_output", "ffn_down")
_TABLES = ("embedding", "embed", "token_embd")
"""What a matrix `[in, out]` is, by the last part of its name: projections into heads or features are cut by columns, those back by rows,
so that between them nothing is sent; a table of tokens by its rows."""
_CUT_BY = {"model": "tensor", "fsdp": "fsdp"}
"""The presets that cut tables, by their axis of the mesh."""


def preset_table(name: str, mesh: Mesh, params: Mapping[str, Sequence[int]]) -> dict[str, P]:
    """The spec of every param for one preset, or several joined by +; an axis that does not divide is not sharded.

    Rows that are looked up in a token table have the cut of its columns. Cut along `fsdp` these would take the place of the batch's own
    cut along it in all activations, so a table is cut by its rows, along both axes where they divide.

    >>> preset_table("fsdp+tensor", Mesh((2, 4), ("fsdp", "model")), {"layers.0.up": (8, 16), "norm": (8,)})
    {'layers.0.up': P('fsdp', 'model'), 'norm': P('fsdp')}
    """
    chosen = name.split("+")
    for one in chosen:
        if one not in PRESETS:
            fix = f"one of: {', '.join(PRESETS)}, several joined by +; or a table of patterns"
            raise RlxError("RLX406", f"{one!r:.60} is not a preset of shardings", fix=fix)
    table = {param: P(*_axes_of(param, dims, mesh, chosen)) for param, dims in params.items()}
    if "sequence" in chosen:
        mesh.parts("sequence")
        table |= {"ids": P(mesh.batch_axes or None, "sequence"), "labels": P((*mesh.batch_axes, "sequence"))}
    return table


def _axes_of(param: str, dims: Sequence[int], mesh: Mesh, chosen: Sequence[str]) -> list[AxisNames]:
    """The mesh axes that shard each axis of a param, without trailing unsharded ones."""
    axes: list[AxisNames] = [None] * len(dims)
    if "expert" in chosen:
        _cut(axes, dims, mesh, "expert", [0] if len(dims) == 3 else [])
    if len(dims) == 2 and param.rpartition(".")[2] in _TABLES:
        axes[0] = _rows_of_a_table(dims[0], mesh, [axis for axis, preset in _CUT_BY.items() if preset in chosen])
    else:
        if "tensor" in chosen:
            _cut(axes, dims, mesh, "model", _matrix_axes(param, dims))
        if "fsdp" in chosen:
            _cut(axes, dims, mesh, "fsdp", sorted(range(len(dims)), key=lambda axis: -dims[axis]))
    while axes and axes[-1] is None:
        axes.pop()
    return axes


def _rows_of_a_table(rows: int, mesh: Mesh, names: Sequence[str]) -> AxisNames:
    """The mesh axes for the rows of a table: all of them together if they divide the rows, else the largest that does."""
    single = sorted(((name,) for name in names), key=lambda cut: -mesh.parts(cut))
    for cut in (tuple(names), *single):
        count = mesh.parts(cut)
        if cut and rows % count == 0 and rows >= count:
            return cut[0] if len(cut) == 1 else cut
    return None


def _matrix_axes(param: str, dims: Sequence[int]) -> list[int]:
    """The axis of a matrix that the tensor preset shards; none for other params."""
    last = param.rpartition(".")[2]
    if len(dims) not in (2, 3):
        return []
    return [len(dims) - 1] if last in _BY_COLUMNS else [len(dims) - 2] if last in _BY_ROWS else []


def _cut(axes: list[AxisNames], dims: Sequence[int], mesh: Mesh, name: str, candidates: Sequence[int]) -> None:
    """Shards the first candidate axis that is not sharded yet and divides."""
    count = mesh.parts(name)
    for axis in candidates:
        if axes[axis] is None and dims[axis] % count == 0 and dims[axis] >= count:
            axes[axis] = name
            return
