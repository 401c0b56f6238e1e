"""Presets: how the params of a model are cut, from what their names and sizes say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rlx.core.errors import RlxError
from rlx.core.sharding import AxisNames, Mesh, P

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
    """The spec of every param for one preset, or several joined by +; an axis that does not divide stays whole.

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
    found = {param: P(*_axes_of(param, dims, mesh, chosen)) for param, dims in params.items()}
    if "sequence" in chosen:
        mesh.parts("sequence")
        found |= {"ids": P(mesh.batch_axes or None, "sequence"), "labels": P((*mesh.batch_axes, "sequence"))}
    return found


def _axes_of(param: str, dims: Sequence[int], mesh: Mesh, chosen: Sequence[str]) -> list[AxisNames]:
    """What cuts each axis of a param, without whole ones at the end."""
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
    """All of these axes of the mesh together if they divide the rows, else the largest that does."""
    single = sorted(((name,) for name in names), key=lambda cut: -mesh.parts(cut))
    for cut in (tuple(names), *single):
        count = mesh.parts(cut)
        if cut and rows % count == 0 and rows >= count:
            return cut[0] if len(cut) == 1 else cut
    return None


def _matrix_axes(param: str, dims: Sequence[int]) -> list[int]:
    """The axis that the tensor preset cuts."""
    last = param.rpartition(".")[2]
    if len(dims) not in (2, 3):
        return []
    return [len(dims) - 1] if last in _BY_COLUMNS else [len(dims) - 2] if last in _BY_ROWS else []


def _cut(axes: list[AxisNames], dims: Sequence[int], mesh: Mesh, name: str, candidates: Sequence[int]) -> None:
    """Cut the first candidate that is whole so far and divides."""
    count = mesh.parts(name)
    for axis in candidates:
        if axes[axis] is None and dims[axis] % count == 0 and dims[axis] >= count:
            axes[axis] = name
            return
