"""Prepared: what depends on params alone, computed when a param changes, kept once for all executables of a session."""

from __future__ import annotations

import weakref
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rlx.backends.base import Array, Artifact, DeviceArrays, Placed, Preparation
from rlx.core.aligned import param_copy, weights_empty
from rlx.core.shape import Shape
from rlx.passes.prepared_analysis import Step, undone

if TYPE_CHECKING:
    from rlx.runtime.session import Session


class PreparedValue:
    """A value computed from params: its array, the params' versions at that time, and the executables that read it.

    The value lives as long as an executable reads it, or a param has no other copy. It is overwritten only if its sole reader is
    the executable that requests a newer value: any other reader may be running.
    """

    def __init__(self, shape: Shape, arrays: DeviceArrays) -> None:
        dims = [int(size) for size in shape.dims]
        self.arrays = arrays
        self.array: Placed = weights_empty(dims, shape.dtype.numpy) if arrays.is_host else arrays.empty(dims, shape.dtype)
        self.versions: tuple[int, ...] | None = None
        self.readers: weakref.WeakSet[Any] = weakref.WeakSet()

    def holding(self, steps: Sequence[Step]) -> Array:
        """Recovers a param from the value's array by `steps`, as a copy in host memory."""
        param = undone(self.arrays.download(self.array), steps)
        return param_copy(param) if self.arrays.is_host else param


class Prepared:
    """Runs the prepare program of an executable and its clones, which computes values from params.

    Executables of a session share values: equal computations of the params' current versions are in memory once. The session's lock
    ensures that no two executables compute the same value, and that no run changes a param meanwhile. An executable's attached
    values do not change until its next `renew`.

    If a value contains a full param, the session drops its own copy (`SessionEntry.leave_to`) after the last value is computed from
    the param.
    """

    def __init__(self, runner: Preparation, artifact: Artifact, session: Session, params: tuple[str, ...]) -> None:
        self.shapes = artifact.prepared
        self._runner = runner
        self._session = session
        entries = session.entries
        owners = {leaf: name for name in params for leaf in entries[name].leaf_names(name)}
        everything = tuple(dict.fromkeys(name for leaf, name in owners.items() if runner.uses(leaf)))
        self._keys: dict[str, Hashable] = {}
        self._made_of: dict[str, tuple[str, ...]] = {}  # params by the session's names
        self._inverse: dict[str, Mapping[str, tuple[Step, ...]]] = {}
        for name in self.shapes:
            made_of = artifact.derivations.get(name)
            self._keys[name] = object() if made_of is None else made_of.key
            self._made_of[name] = everything if made_of is None else tuple(owners[leaf] for leaf in made_of.params)
            inverse = {} if made_of is None else made_of.inverse
            self._inverse[name] = {leaf: steps for leaf, steps in inverse.items() if owners[leaf] == leaf}

    def holds(self, name: str) -> bool:
        """Whether a prepared value contains a full param, so that the session can drop its copy."""
        return any(name in inverse for inverse in self._inverse.values())

    def renew(self, reader: object, old: Mapping[str, PreparedValue]) -> dict[str, PreparedValue]:
        """Returns values for the params' current versions, and registers `reader` as their reader instead of the old ones'."""
        with self._session.lock:
            values = {name: value for name in self.shapes if (value := self._current(name)) is not None}
            missing = [part for part in self._runner.parts if not all(name in values for name in part)]
            try:
                for index, part in enumerate(missing):
                    values |= self._make(part, reader, values)
                    self._let_go(part, values, {param for later in missing[index + 1 :] for param in self._read(later)})
            finally:
                self._runner.release()
            for value in old.values():
                value.readers.discard(reader)
            for name, value in values.items():
                value.readers.add(reader)
                self._session.prepared[self._keys[name]] = value
            self._let_go(tuple(self.shapes), values, set())
            return values

    def _read(self, part: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(param for name in part for param in self._made_of[name]))

    def _versions(self, name: str) -> tuple[int, ...]:
        return tuple(self._session.entries[param].version for param in self._made_of[name])

    def _current(self, name: str) -> PreparedValue | None:
        value = self._session.prepared.get(self._keys[name])
        return value if value is not None and value.versions == self._versions(name) else None

    def _make(self, part: Sequence[str], reader: object, known: Mapping[str, PreparedValue]) -> dict[str, PreparedValue]:
        """Computes the values of one part of the prepare program; those already known are computed into new arrays and discarded."""
        entries = self._session.entries
        leaves: list[str] = []
        for param in self._read(part):  # recovered before a value that may contain it is overwritten
            for leaf, array in entries[param].lent(param).items():
                self._runner.attach(leaf, array)
                leaves.append(leaf)
        targets = {name: self._new(name) if name in known else self._target(name, reader) for name in part}
        versions = {name: self._versions(name) for name in part}
        for value in targets.values():
            value.versions = None  # until the run is complete
        try:
            self._runner.make({name: value.array for name, value in targets.items()})
        finally:
            for leaf in leaves:
                self._runner.detach(leaf)
            for param in self._read(part):
                entries[param].take_back()
        for name, value in targets.items():
            value.versions = versions[name]
        return {name: value for name, value in targets.items() if name not in known}

    def _let_go(self, part: Sequence[str], values: Mapping[str, PreparedValue], needed: set[str]) -> None:
        """Drops the session's arrays of params that prepared values contain in full, unless they are still needed."""
        for name in part:
            for param, steps in self._inverse[name].items():
                if param not in needed:
                    self._session.entries[param].leave_to(values[name], steps)

    def _target(self, name: str, reader: object) -> PreparedValue:
        """The array to compute a value into: the old one if only `reader` has it, since it is not running, else a new one."""
        known = self._session.prepared.get(self._keys[name])
        if known is not None and all(each is reader for each in known.readers):
            return known
        return self._new(name)

    def _new(self, name: str) -> PreparedValue:
        return PreparedValue(self.shapes[name], self._session.arrays)
