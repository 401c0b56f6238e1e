"""Session: owns named params and states; executables compiled in it share them."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rlx.backends.base import DeviceArrays, Placed
from rlx.backends.registry import find_backend
from rlx.core.aligned import aligned_copy, as_array, drop_pages, is_mapped, param_copy
from rlx.core.argument_checks import check_by_name, check_is, check_names
from rlx.core.device_array import DeviceArray, host_copy, on_host
from rlx.core.dtype import DType, cast_array
from rlx.core.errors import RlxError, did_you_mean
from rlx.core.shape import Shape
from rlx.core.sharding import P, ShardingTable
from rlx.runtime.locks import RunLock
from rlx.runtime.packed import packed_parts
from rlx.runtime.placing import placed
from rlx.runtime.prepared_values import PreparedValue
from rlx.runtime.session_entry import SessionEntry, first_value
from rlx.runtime.symbol_binding import check_sizes

if TYPE_CHECKING:
    from rlx.runtime.executable import Executable

Array = npt.NDArray[Any]


@dataclass
class Session:
    """Params and states by name, for all executables of one device, in that device's memory.

    >>> session = Session("reference")
    >>> session.declare("w", SessionEntry("param", Shape((2,), "f32")))
    >>> session.set_param("w", np.ones(2, np.float32))
    >>> session.param("w")
    array([1., 1.], dtype=float32)
    """

    device: str = "cpu"
    sharding: ShardingTable | None = field(default=None, kw_only=True)  # over which mesh, and how
    entries: dict[str, SessionEntry] = field(default_factory=dict)
    prepared: weakref.WeakValueDictionary[Hashable, PreparedValue] = field(
        default_factory=weakref.WeakValueDictionary, repr=False, compare=False
    )  # what executables made of params, while one reads it
    # held while states or params are read and changed
    lock: RunLock = field(default_factory=RunLock, repr=False, compare=False)

    def __repr__(self) -> str:
        kinds = [entry.kind for entry in self.entries.values()]
        empty = sum(not entry.is_set for entry in self.entries.values())
        return f"<Session on {self.device}: {kinds.count('param')} params, {kinds.count('state')} states, {empty} of them not set>"

    def compile(self, module: Any, **options: Any) -> Executable:
        """Compile a graph or module into this session."""
        from rlx.runtime.compile import compile_module

        return compile_module(module, session=self, **options)

    @cached_property
    def arrays(self) -> DeviceArrays:
        """The arrays of the device, or of a mesh of them."""
        found = find_backend(self.device).arrays
        return found if self.sharding is None else found.on_mesh(self.sharding)

    def spec(self, name: str) -> P:
        """How a param or state is cut; a state that is named after a param and as large (a moment, an average) as that param is."""
        assert self.sharding is not None
        entry = self.entries[name]
        dims = [size for size in entry.shape.dims if isinstance(size, int)]
        found = self.sharding.spec(name, dims)
        if found or entry.kind == "param":
            return found
        owners = (other for other, own in self.entries.items() if own.kind == "param" and own.shape.dims == entry.shape.dims)
        owner = max((other for other in owners if name.endswith(f".{other}")), key=len, default=None)
        return P() if owner is None else self.sharding.spec(owner, dims)

    def _packed_spec(self, name: str, value: Any) -> P:
        """How stored rows of a packed param are cut: between rows, which are outputs of a product, wherever its spec cuts it at all."""
        assert self.sharding is not None
        dims = [size for size in self.entries[name].shape.dims if isinstance(size, int)]
        names = next((names for names in self.sharding.spec(name, dims) if names is not None), None)
        rows = value.shape[0] if value.ndim > 1 else 0
        return P(names) if names is not None and rows and rows % self.sharding.mesh.parts(names) == 0 else P()

    def _cut(self, value: Any, name: str) -> Placed:
        """A value in the parts that its name says, each on its device."""
        arrays: Any = self.arrays
        spec = self._packed_spec(name, value) if self.entries[name].scheme is not None else self.spec(name)
        own = arrays.cut(value, spec)
        if isinstance(value, np.ndarray):
            drop_pages(value)
        return own

    def to_device(self, array: Any) -> Array | DeviceArray:
        """An array on the device, which runs take without a copy: uploaded where the device has memory of its own, else itself.

        >>> Session("reference").to_device(np.arange(3))
        array([0, 1, 2])
        """
        value: Array | DeviceArray = self._taken(array, "the array")
        if not self.arrays.is_host and not isinstance(value, DeviceArray):
            value = self.arrays.upload(value)
        return value

    def _taken(self, given: Any, what: str) -> Any:
        """What was given as an array of the device if it is there already, else of the host."""
        found = placed(given, self.arrays, what)
        return as_array(given, what) if found is None else found

    def own(
        self, value: Any, copy: Callable[[Array], Array] = param_copy, *, stays: bool = False, name: str | None = None
    ) -> Placed:
        """A value in memory of the session's own, made by `copy` on the host. `stays`: the host reads it where it lies, in a file."""
        if self.sharding is not None and name is not None:
            return self._cut(value, name)
        if self.arrays.is_host:
            return value if stays else copy(value)
        if isinstance(value, DeviceArray):
            return value.copy()
        own = self.arrays.upload(value)
        drop_pages(value)
        return own

    # -- declarations
    def declare(self, name: str, entry: SessionEntry) -> None:
        """Add a param or state; one that is there already must agree."""
        known = self.entries.get(name)
        if known is None:
            self.entries[name] = entry
            return
        for what, mine, theirs in (
            ("kind", known.kind, entry.kind),
            ("shape", known.shape, entry.shape),
            ("scheme", known.scheme, entry.scheme),
            ("storage", known.storage, entry.storage),
        ):
            if mine != theirs:
                raise RlxError("RLX506", f"{name!r} has {what} {mine} in the session and {theirs} here")

    def declare_all(self, entries: Mapping[str, SessionEntry]) -> None:
        """Add params and states by name."""
        for name, entry in entries.items():
            self.declare(name, entry)

    def _entry(self, name: str, kind: str) -> SessionEntry:
        check_is(name, str, "RLX109", f"the name of a {kind}", "a str")
        entry = self.entries.get(name)
        if entry is None or entry.kind != kind:
            known = ", ".join(sorted(n for n, e in self.entries.items() if e.kind == kind)) or "none"
            hint = did_you_mean(name, [n for n, e in self.entries.items() if e.kind == kind])
            raise RlxError("RLX109", f"the session has no {kind} named {name!r:.60}", fix=f"{hint} its {kind}s: {known}".strip())
        return entry

    # -- params
    def set_param(self, name: str, array: Any) -> None:
        """Set a param; shape and dtype must be as declared (f32 arrays are taken for f16 and bf16 params).

        A packed param takes what its scheme stores: the bytes of a GGUF tensor, else a dict of parts or a tuple of them in order. Numbers
        that lie in a file mapped read-only are read from there and not copied: replace such a file, do not rewrite it. A device with memory
        of its own gets every value once, here.
        """
        entry = self._entry(name, "param")
        if entry.scheme is not None:
            parts = packed_parts(name, entry.scheme, entry.storage, array)
            packed = parts.pop("w")
            with self.lock:
                own = self.own(packed, stays=is_mapped(packed), name=name)
                entry.set(own, {part: self.own(value, name=name) for part, value in parts.items()})
            return
        value = self._taken(array, f"param {name!r}")
        if DType.of(value.dtype) is not entry.shape.dtype:
            if not (entry.shape.dtype.is_low_float and value.dtype == np.float32):
                raise RlxError("RLX504", f"param {name!r} is {entry.shape}, the array is {DType.of(value.dtype)}")
            value = cast_array(on_host(value), entry.shape.dtype)
        if value.shape != entry.shape.dims:
            raise RlxError("RLX503", f"param {name!r} is {entry.shape}, the array has shape {list(value.shape)}")
        with self.lock:
            entry.set(self.own(value, stays=is_mapped(value) and value.flags.aligned, name=name))

    def set_params(self, arrays: Mapping[str, Any]) -> None:
        """Set several params."""
        check_by_name(arrays, "params")
        for name, array in arrays.items():
            self.set_param(name, array)

    def param(self, name: str) -> Array | Any:
        """A copy of a param in host memory; of a packed one the bytes or, where its scheme stores several arrays, a dict by part."""
        entry = self._entry(name, "param")
        if not entry.is_set:
            raise RlxError("RLX505", f"param {name!r} is not set")
        with self.lock:
            given = entry.given(name).values()
            first, *others = (array.copy() for array in given) if self.arrays.is_host else given
            entry.take_back()
            return {"w": first, **dict(zip(entry.rest, others, strict=True))} if others else first

    # -- states
    def init_state(self, names: Iterable[str] | None = None, /, **sizes: int) -> None:
        """Give every state, or those named, its memory, with the symbols of its shape bound, filled with its initial value."""
        states = [name for name, entry in self.entries.items() if entry.kind == "state"]
        wanted = {name: self._entry(name, "state") for name in (states if names is None else check_names(names, "states"))}
        shapes = {name: _bound_shape(name, entry.shape, sizes) for name, entry in wanted.items()}
        arrays = {name: first_value(name, shape, wanted[name].init, self.arrays) for name, shape in shapes.items()}
        with self.lock:
            for name, entry in wanted.items():
                entry.array = arrays[name] if self.sharding is None else self._cut(arrays[name], name)
                entry.changed()

    def give_first_value(self, name: str) -> None:
        """Give a state of known size its memory; RLX505 or RLX509 for what has to be set first."""
        entry = self.entries[name]
        entry.first_value(name, self.arrays)
        if self.sharding is not None:
            entry.array = self._cut(entry.array, name)

    def state(self, name: str) -> Array:
        """A copy of a state, in host memory."""
        with self.lock:
            return host_copy(self._state_array(name))

    def _state_array(self, name: str) -> Placed:
        """The memory of a state."""
        entry = self._entry(name, "state")
        if entry.array is None:
            raise RlxError("RLX509", f"state {name!r} has no value yet")
        return entry.array

    def set_state(self, name: str, array: Any) -> None:
        """Replace a state's value."""
        entry = self._entry(name, "state")
        value = self._taken(array, f"state {name!r}")
        if DType.of(value.dtype) is not entry.shape.dtype or value.ndim != entry.shape.rank:
            raise RlxError("RLX503", f"state {name!r} is {entry.shape}, the array is {DType.of(value.dtype)}{list(value.shape)}")
        with self.lock:
            entry.array = self.own(value, aligned_copy, name=name)
            entry.changed()

    def use_states(self, arrays: Mapping[str, Placed]) -> None:
        """Let states lie in memory of the caller's on the device, without a copy; what they lay in before is whoever's holds it."""
        with self.lock:
            for name, array in arrays.items():
                entry = self._entry(name, "state")
                if entry.array is not array:
                    entry.array = array
                    entry.changed()

    def leaves(self, names: Iterable[str]) -> dict[str, Any]:
        """What params and states consist of, by name: a packed param has several arrays."""
        return {leaf: array for name in names for leaf, array in self.entries[name].leaves(name).items()}

    def given(self, names: Iterable[str]) -> dict[str, Array]:
        """Params as they were set, in host memory; of those that are set."""
        with self.lock:
            entries = ((name, self.entries[name]) for name in names)
            return {leaf: array for name, entry in entries if entry.is_set for leaf, array in entry.given(name).items()}

    def snapshot(self, names: Iterable[str] | None = None) -> dict[str, Any]:
        """Copies of states on the device, for `restore`."""
        wanted = [n for n, e in self.entries.items() if e.kind == "state"] if names is None else check_names(names, "states")
        with self.lock:
            return {name: self._state_array(name).copy() for name in wanted}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Bring states back to a snapshot, in their own memory."""
        check_by_name(snapshot, "states")
        with self.lock:
            for name, given in snapshot.items():
                entry, array = self._entry(name, "state"), self._taken(given, f"state {name!r}")
                own = entry.array
                if own is None or own.shape != array.shape or (own.dtype != array.dtype and not self.arrays.is_host):
                    self.set_state(name, array)
                else:
                    self.arrays.write(own, array)


def _bound_shape(name: str, shape: Shape, sizes: Mapping[str, object]) -> Shape:
    """The shape of a state with its symbols bound."""
    symbols = sorted(shape.symbols())
    missing = [symbol.name for symbol in symbols if symbol.name not in sizes]
    if missing:
        hint = did_you_mean(missing[0], sizes)
        instead = f", {hint.removeprefix('did you mean ').removesuffix('?')} was given" if hint else ""
        message = f"state {name!r} is {shape}: no value for {missing[0]}{instead}"
        raise RlxError("RLX509", message, fix=f"session.init_state({missing[0]}=…)")
    bound = shape.bind(check_sizes(symbols, {symbol.name: sizes[symbol.name] for symbol in symbols}))
    bound.check_bytes(f"state {name!r} ({shape})")
    return bound
