"""The parameters of modules, and of any tree, as safetensors: named by path."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from rlx.core.dtype import DType, cast_array
from rlx.core.errors import RlxError
from rlx.formats.safetensors import read_safetensors, write_safetensors
from rlx.frontends.dispatch import as_array
from rlx.frontends.numpy.dtypes import dtype_of
from rlx.runtime.array import ConcreteArray
from rlx.trace.tree import flatten
from rlx.trace.tree.functions import tree_structure, tree_unflatten

Tree = TypeVar("Tree")


def save(path: str | Path, model: Any) -> None:
    """Write the arrays of a module, or of any tree, to a safetensors file, each under its path (`layers.0.weight`).

    >>> import rlx, tempfile
    >>> path = tempfile.mkdtemp() + "/model.safetensors"
    >>> rlx.nn.save(path, rlx.nn.Linear(2, 3, key=rlx.random.key(0)))
    >>> rlx.nn.load(path, rlx.nn.Linear(2, 3, key=rlx.random.key(1)))
    Linear(weight=f32[3, 2], bias=f32[3])
    """
    write_safetensors(path, {name: as_array(leaf)._array for name, leaf in flatten(model)}, {"format": "pt"})


def load(path: str | Path, like: Tree) -> Tree:
    """A tree like one that there is, with the arrays of a safetensors file: by path, in the dtypes of `like`.

    The file has all of its arrays and no others, in these shapes; otherwise an error names those that differ.

    >>> import rlx, tempfile
    >>> path = tempfile.mkdtemp() + "/params.safetensors"
    >>> rlx.nn.save(path, {"w": rlx.numpy.ones(2)})
    >>> rlx.nn.load(path, {"w": rlx.numpy.zeros(2)})
    {'w': Array([1., 1.], dtype=float32)}
    """
    stored, wanted = read_safetensors(path), flatten(like)
    names = [name for name, _ in wanted]
    missing, extra = sorted(set(names) - stored.keys()), sorted(stored.keys() - set(names))
    if missing or extra:
        parts = [f"without {_listed(missing)}"] if missing else []
        parts += [f"with {_listed(extra)}, which the model does not have"] if extra else []
        raise RlxError("RLX703", f"{path}: a file {' and '.join(parts)}", fix="a model built with the same settings")
    leaves = []
    for name, leaf in wanted:
        shape = tuple(np.shape(leaf) if not hasattr(leaf, "shape") else leaf.shape)
        if stored[name].dims != shape:
            message = f"{path}: {name!r} has shape {list(stored[name].dims)}, the model's has {list(shape)}"
            raise RlxError("RLX703", message, fix="a model built with the same settings")
        leaves.append(ConcreteArray(cast_array(np.array(stored[name].array()), DType.of(dtype_of(leaf)))))
    found: Tree = tree_unflatten(tree_structure(like), leaves)
    return found


def _listed(names: list[str]) -> str:
    shown = ", ".join(map(repr, names[:3]))
    return shown + (f" and {len(names) - 3} more" if len(names) > 3 else "")
