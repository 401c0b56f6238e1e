"""Prepared: what depends on params alone, computed when a param changes, shared by an executable and its clones."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Mapping
from typing import Any

from rlx.backends.base import Array, Runner
from rlx.core.aligned import weights_empty
from rlx.core.shape import Shape
from rlx.runtime.locks import RunLock
from rlx.runtime.session import Entry

__all__ = ["Prepared"]


class Prepared:
    """The values of a prepare program, by name.

    `generation` counts how often the arrays were replaced or written; an executable that has seen it need not look further. While clones
    are alive, a change is written into new arrays: one of them may be reading the old ones.
    """

    def __init__(self, runner: Runner, shapes: Mapping[str, Shape]) -> None:
        self.shapes = dict(shapes)
        self.arrays: dict[str, Array] = {}
        self.generation = 0
        self._runner = runner
        self._versions: dict[str, int] = {}
        self._users: weakref.WeakSet[Any] = weakref.WeakSet()
        self._lock = RunLock()

    def add_user(self, executable: object) -> None:
        """An executable that reads these values."""
        self._users.add(executable)

    def refresh(self, entries: Mapping[str, Entry], params: Iterable[str]) -> int:
        """Compute anew if a param that is read here changed; gives the generation."""
        with self._lock:
            read = (name for name in params if any(self._runner.uses(leaf) for leaf in entries[name].leaf_names(name)))
            changed = [name for name in read if self._versions.get(name) != entries[name].version]
            if not changed and self.generation:
                return self.generation
            found = {name: entries[name].version for name in changed}
            for name in changed:
                for leaf, array in entries[name].read_by(name, self._runner.uses).items():
                    self._runner.attach(leaf, array)
            if not self.arrays or len(self._users) > 1:
                arrays = {name: weights_empty((int(size) for size in shape.dims), shape.dtype.numpy) for name, shape in self.shapes.items()}
            else:
                arrays = self.arrays
            self._versions = {name: version for name, version in self._versions.items() if name not in found}  # until the run is complete
            self._runner.run({}, (), list(arrays.values()))
            self.arrays = arrays
            self._versions.update(found)
            self.generation += 1
            return self.generation
