"""Prepared: what depends on params alone, computed when a param changes, kept once for all executables of a session."""

from __future__ import annotations

import weakref
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

from rlx.backends.base import Array, Artifact, ProgramRunner
from rlx.core.aligned import weights_empty
from rlx.core.shape import Shape

if TYPE_CHECKING:
    from rlx.runtime.session import Session

__all__ = ["Prepared", "PreparedValue"]


class PreparedValue:
    """One value: its array, the versions of the params it was made of, and the executables that read it.

    It lives as long as an executable reads it. It is written in place only when nobody but the executable that asks for a newer one
    reads it: any other may be running.
    """

    def __init__(self, shape: Shape) -> None:
        self.array: Array = weights_empty((int(size) for size in shape.dims), shape.dtype.numpy)
        self.versions: tuple[int, ...] | None = None
        self.readers: weakref.WeakSet[Any] = weakref.WeakSet()


class Prepared:
    """The prepare program of an executable and its clones.

    Values that another executable of the session has for the params as they are now are taken from it: equal computations of equal params
    are in memory once. All of this happens under the session's lock, so no two executables compute the same, and no run changes a param
    meanwhile. What an executable has attached stays as it is until that executable asks again.
    """

    def __init__(self, runner: ProgramRunner, artifact: Artifact, session: Session, params: tuple[str, ...]) -> None:
        self.shapes = artifact.prepared
        self._runner = runner
        self._session = session
        entries = session.entries
        owners = {leaf: name for name in params for leaf in entries[name].leaf_names(name)}
        # params by the session's names
        self._read = tuple(dict.fromkeys(name for leaf, name in owners.items() if runner.uses(leaf)))
        self._keys: dict[str, Hashable] = {}
        self._made_of: dict[str, tuple[str, ...]] = {}
        for name in self.shapes:
            made_of = artifact.derivations.get(name)
            self._keys[name] = object() if made_of is None else made_of.key
            self._made_of[name] = self._read if made_of is None else tuple(owners[leaf] for leaf in made_of.params)

    def renewed(self, reader: object, old: Mapping[str, PreparedValue]) -> dict[str, PreparedValue]:
        """The values of the params as they are now; `reader` reads them instead of the old ones from here on."""
        with self._session.lock:
            kept = {name: value for name in self.shapes if (value := self._current(name)) is not None}
            values = kept if len(kept) == len(self.shapes) else self._computed(reader, kept)
            for value in old.values():
                value.readers.discard(reader)
            for name, value in values.items():
                value.readers.add(reader)
                self._session.prepared[self._keys[name]] = value
            return values

    def _versions(self, name: str) -> tuple[int, ...]:
        return tuple(self._session.entries[param].version for param in self._made_of[name])

    def _current(self, name: str) -> PreparedValue | None:
        value = self._session.prepared.get(self._keys[name])
        return value if value is not None and value.versions == self._versions(name) else None

    def _computed(self, reader: object, kept: Mapping[str, PreparedValue]) -> dict[str, PreparedValue]:
        """All values, but those kept, computed anew. The program makes all of them: what is kept is not written to."""
        targets = {
            name: PreparedValue(shape) if name in kept else self._target(name, reader)
            for name, shape in self.shapes.items()
        }
        versions = {name: self._versions(name) for name in self.shapes}
        for value in targets.values():
            value.versions = None  # until the run is complete
        entries = self._session.entries
        try:
            for name in self._read:
                for leaf, array in entries[name].lent_to(name, self._runner.uses).items():
                    self._runner.attach(leaf, array)
            self._runner.run({}, (), [value.array for value in targets.values()])
        finally:
            self._runner.release()
            for name in self._read:
                entries[name].take_back()
        for name, value in targets.items():
            value.versions = versions[name]
        return {**targets, **kept}

    def _target(self, name: str, reader: object) -> PreparedValue:
        """Where a value is written: over the old one where only the reader has it, and the reader is not running."""
        known = self._session.prepared.get(self._keys[name])
        if known is not None and all(each is reader for each in known.readers):
            return known
        return PreparedValue(self.shapes[name])
