"""Meshes as the command line takes them: `fsdp=64 model=8`, or sizes alone, whose names the sharding says."""

from __future__ import annotations

import re

from rlx.core.errors import RlxError
from rlx.core.sharding import Mesh

_AXIS = {"fsdp": "fsdp", "tensor": "model", "sequence": "sequence", "expert": "expert"}
"""The axis of a mesh that each preset cuts by."""


def mesh_of(text: str, sharding: str) -> Mesh:
    """A mesh from text: one size for each preset, and before them one more for `data`.

    >>> mesh_of("64x8", "fsdp+tensor")
    Mesh(shape=(64, 8), axis_names=('fsdp', 'model'))
    >>> mesh_of("4x64", "fsdp")
    Mesh(shape=(4, 64), axis_names=('data', 'fsdp'))
    """
    if "=" in text:
        return Mesh.parse(text)
    if not re.fullmatch(r"\d{1,9}(x\d{1,9})*", text):
        raise RlxError("RLX406", f"{text!r:.60} is not a mesh", fix="sizes: 64x8; or axes: fsdp=64 model=8", at=None)
    sizes = [int(size) for size in text.split("x")]
    names = [_AXIS.get(preset, preset) for preset in sharding.split("+")]
    if len(sizes) == len(names) + 1:
        names = ["data", *names]
    if len(sizes) != len(names):
        message = f"a mesh of {len(sizes)} sizes, {sharding!r} cuts by {len(names)} axes: {', '.join(names)}"
        fix = f"{'x'.join(['8'] * len(names))}, or axes by name: {' '.join(f'{name}=8' for name in names)}"
        raise RlxError("RLX406", message, fix=fix, at=None)
    return Mesh(sizes, names)
