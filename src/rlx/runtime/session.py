"""Session: owns named params and states; executables compiled in it share them."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rlx.backends.base import DeviceArrays, Placed
from rlx.backends.registry import find_backend
from rlx.core.aligned import Array, aligned_copy, aligned_zeros, as_array, drop_pages, is_mapped, param_copy
from rlx.core.device_array import DeviceArray, host_copy, on_host
from rlx.core.dtype import DType, cast_array, f32
from rlx.core.errors import RlxError, check_by_name, check_is, check_names, did_you_mean
from rlx.core.quant_scheme import QuantScheme, part_name
from rlx.core.shape import Shape
from rlx.core.sharding import P, ShardingTable
from rlx.ir.graph import Graph
from rlx.passes.prepared_analysis import Step
from rlx.runtime.locks import RunLock
from rlx.runtime.prepared_values import PreparedValue
from rlx.runtime.run_arrays import check_sizes, placed

# -- sessionEntry: one param or state of a session, with its memory on the session's device --------------------------


@dataclass
class SessionEntry:
    """A param or state of a session: its declaration, its array on the device once allocated, and its version.

    A packed param has a scheme and the shapes it stores; `array` is then its packed numbers, and `rest` its other parts. Numbers in
    a mapped file are copied only when a program reads them in every run: prepared values are computed from the file's pages. The
    session drops its own array when programs read it only through prepared values, one of which contains it in full: `held` is that
    value and the steps that recover the array.
    """

    kind: str
    shape: Shape
    scheme: QuantScheme | None = None
    init: float = 0.0
    array: Placed | None = field(default=None, repr=False)
    version: int = 0
    storage: Mapping[str, Shape] = field(default_factory=dict)
    rest: dict[str, Placed] = field(default_factory=dict, repr=False)
    held: tuple[PreparedValue, tuple[Step, ...]] | None = field(default=None, repr=False)
    _read_in_runs: bool = False
    changes: ClassVar[int] = 0
    """A number that changes with every change of any entry, so that an executable need not compare hundreds of versions."""
    _numbers: ClassVar[Iterator[int]] = itertools.count(1)

    def note_change(self) -> None:
        """Counts a new value in the entry's version, and changes the global `changes` number that executables compare."""
        self.version += 1
        SessionEntry.changes = next(SessionEntry._numbers)

    @property
    def is_set(self) -> bool:
        """Whether the entry has a value."""
        return self.array is not None or self.held is not None

    def set(self, array: Placed, rest: Mapping[str, Placed] | None = None) -> None:
        """Stores a new value in an array that no caller can write to."""
        self.array, self.rest, self.held = array, dict(rest or {}), None
        self.note_change()

    def leaf_names(self, name: str) -> list[str]:
        """The names under which compiled graphs may read the entry's arrays."""
        return [part_name(name, part) for part in self.storage] if self.storage else [name]

    def stored_shapes(self, is_held: bool) -> list[Shape]:
        """The shapes of the arrays that the session stores; `is_held`: a prepared value holds the main one."""
        stored = self.storage or {"w": self.shape}
        return [shape for part, shape in stored.items() if part != "w" or not is_held]

    def leaves(self, name: str) -> dict[str, Placed]:
        """The entry's arrays in device memory, as they were set, by leaf name."""
        leaves = {} if self.array is None else {name: self.array}
        return leaves | {part_name(name, part): array for part, array in self.rest.items()}

    def values_as_set(self, name: str) -> dict[str, Array]:
        """The value as the user set it, by part, in host memory."""
        parts = {part_name(name, part): on_host(array) for part, array in self.rest.items()}
        return {name: self._whole(), **parts}

    def read_by(self, name: str, uses: Callable[[str], bool]) -> dict[str, Placed]:
        """The arrays that a program reads in its runs; copies a mapped file's values to session memory first."""
        if uses(name):
            self._read_in_runs = True
            self._bring_back()
            assert self.array is not None
            if is_mapped(self.array):
                pages, self.array = self.array, param_copy(self.array)
                drop_pages(pages)
        return {leaf: array for leaf, array in self.leaves(name).items() if uses(leaf)}

    def first_value(self, name: str, arrays: DeviceArrays) -> None:
        """Allocates a state of known size; RLX505 for a param that is not set, RLX509 for a state with unbound symbols."""
        if self.kind == "param":
            raise RlxError("RLX505", f"param {name!r} ({self.shape}) is not set")
        if not self.shape.is_static:
            sizes = ", ".join(sorted(f"{symbol.name}=…" for symbol in self.shape.symbols()))
            message = f"state {name!r} ({self.shape}) has no memory yet"
            raise RlxError("RLX509", message, fix=f"session.init_state({sizes})")
        self.array = first_value(name, self.shape, self.init, arrays)
        self.note_change()

    def lent(self, name: str) -> dict[str, Placed]:
        """The arrays for a program that runs only when params change; values in mapped files are not copied."""
        self._bring_back()
        return self.leaves(name)

    def take_back(self) -> None:
        """Releases the file pages of a param after a program read it once."""
        if self.array is not None:
            drop_pages(self.array)

    def leave_to(self, value: PreparedValue, steps: tuple[Step, ...]) -> None:
        """Drops the entry's array, which a prepared value contains in full, unless runs read it or it is in a mapped file."""
        if self.array is not None and not self._read_in_runs and not is_mapped(self.array):
            self.held = (value, steps)
            self.array = None

    def _bring_back(self) -> None:
        """Recovers a dropped array from the prepared value that contains it."""
        if self.held is not None:
            arrays, array = self.held[0].arrays, self._whole()
            self.array = array if arrays.is_host else arrays.upload(array)
            self.held = None

    def _whole(self) -> Array:
        if self.array is not None:
            return on_host(self.array)
        assert self.held is not None
        value, steps = self.held
        return value.holding(steps)


def declarations(graph: Graph) -> dict[str, SessionEntry]:
    """Session entries for the params and states of a graph, without memory."""
    from rlx.ir.pattern import Uses
    from rlx.passes.select_dequant import packed_storage

    uses, entries = Uses(graph), {}
    for name, node in (*graph.params.items(), *graph.states.items()):
        attrs = node.op.attrs
        storage = packed_storage(node, uses) if attrs.get("scheme") is not None else {}
        entries[name] = SessionEntry(node.op.name, node.shape, attrs.get("scheme"), attrs.get("init", 0.0), storage=storage)
    return entries


def first_value(name: str, shape: Shape, init: float, arrays: DeviceArrays) -> Placed:
    """A new array with the initial value of a state."""
    try:
        array = aligned_zeros([int(size) for size in shape.dims], shape.dtype.numpy)
    except RlxError as error:
        raise RlxError(error.code, f"state {name!r}: {error.message}") from error
    if init:
        array[...] = cast_array(np.asarray(init), shape.dtype)
    return array if arrays.is_host else arrays.upload(array)


# -- packed params as a session holds them: the arrays of their schemes, checked part by part ------------------------


_INT4_ZERO = 8.0  # the default zero point of int4


def packed_parts(name: str, scheme: QuantScheme, storage: Mapping[str, Shape], given: Any) -> dict[str, Array]:
    """Checks the value of a packed param and returns its stored arrays by part.
    The value is an array if the scheme stores one part, a dict, or a tuple in order.

    >>> storage = {"w": Shape((2, 34), "u8")}
    >>> packed_parts("w", QuantScheme.parse("gguf_q8_0"), storage, np.zeros((2, 34), np.uint8))["w"].shape
    (2, 34)
    """
    parts = _by_name(name, scheme, storage, given)
    if scheme.kind == "int4" and "zp" not in parts:
        parts["zp"] = np.full(_dims(storage["zp"]), _INT4_ZERO, np.float32)
    missing = [part for part in storage if part not in parts]
    if missing:
        raise RlxError("RLX513", f"param {name!r} is packed as {scheme}, {missing[0]} is not given", fix=_describe_parts(storage))
    return {
        part: _check_part(name, scheme, part, shape, as_array(parts[part], f"param {name!r}")) for part, shape in storage.items()
    }


def _by_name(name: str, scheme: QuantScheme, storage: Mapping[str, Shape], given: Any) -> dict[str, Any]:
    if isinstance(given, Mapping):
        unknown = [part for part in given if part not in storage]
        if unknown:
            raise RlxError(
                "RLX513", f"param {name!r} is packed as {scheme}, which has no part {unknown[0]!r}", fix=_describe_parts(storage)
            )
        return dict(given)
    if isinstance(given, (tuple, list)) and len(storage) > 1:
        if len(given) > len(storage):
            message = f"param {name!r} is packed as {scheme} in {len(storage)} parts, {len(given)} are given"
            raise RlxError("RLX513", message, fix=_describe_parts(storage))
        return dict(zip(storage, given, strict=False))
    return {"w": given}


def _check_part(name: str, scheme: QuantScheme, part: str, shape: Shape, array: Array) -> Array:
    """Checks one part's dtype and shape; an fp8 scale may be a single number."""
    what = f"param {name!r}" if part == "w" else f"{part} of param {name!r}"
    if part == "scale" and scheme.kind.startswith("fp8") and array.ndim == 0:
        array = np.broadcast_to(array, _dims(shape))
    if DType.of(array.dtype) is not shape.dtype and not (shape.dtype is f32 and array.ndim == 0 and array.dtype == np.float64):
        message = f"{what} is stored by {scheme} as {shape}, the array is {DType.of(array.dtype)}{list(array.shape)}"
        raise RlxError("RLX504", message, fix=_row_fix(scheme))
    if array.shape != shape.dims:
        raise RlxError(
            "RLX503", f"{what} is stored by {scheme} as {shape}, the array has shape {list(array.shape)}", fix=_row_fix(scheme)
        )
    return array.astype(shape.dtype.numpy, copy=False)


def _row_fix(scheme: QuantScheme) -> str:
    if not scheme.is_gguf():
        return "the table of schemes: rlx.ops.quantized.dequant"
    return f"a row of bytes for each output: {scheme.block_bytes()} bytes for {scheme.block_size()} numbers"


def _dims(shape: Shape) -> tuple[int, ...]:
    return tuple(int(size) for size in shape.dims)


def _describe_parts(storage: Mapping[str, Shape]) -> str:
    return "its parts: " + ", ".join(f"{part} {shape}" for part, shape in storage.items())


if TYPE_CHECKING:
    from rlx.runtime.executable import Executable


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
    sharding: ShardingTable | None = field(default=None, kw_only=True)  # the mesh and the specs
    entries: dict[str, SessionEntry] = field(default_factory=dict)
    prepared: weakref.WeakValueDictionary[Hashable, PreparedValue] = field(
        default_factory=weakref.WeakValueDictionary, repr=False, compare=False
    )  # prepared values, while an executable reads them
    # held while states or params are read and changed
    lock: RunLock = field(default_factory=RunLock, repr=False, compare=False)

    def __repr__(self) -> str:
        kinds = [entry.kind for entry in self.entries.values()]
        empty = sum(not entry.is_set for entry in self.entries.values())
        return f"<Session on {self.device}: {kinds.count('param')} params, {kinds.count('state')} states, {empty} of them not set>"

    def compile(self, module: Any, **options: Any) -> Executable:
        """Compiles a graph or module into this session."""
        from rlx.runtime.compile import compile_module

        return compile_module(module, session=self, **options)

    @cached_property
    def arrays(self) -> DeviceArrays:
        """The array functions of the device, or of a mesh of devices."""
        arrays = find_backend(self.device).arrays
        return arrays if self.sharding is None else arrays.on_mesh(self.sharding)

    def spec(self, name: str) -> P:
        """The sharding spec of a param or state; a state named after a param of the same size (a moment, an average) takes the param's."""
        assert self.sharding is not None
        entry = self.entries[name]
        dims = [size for size in entry.shape.dims if isinstance(size, int)]
        spec = self.sharding.spec(name, dims)
        if spec or entry.kind == "param":
            return spec
        owners = (other for other, own in self.entries.items() if own.kind == "param" and own.shape.dims == entry.shape.dims)
        owner = max((other for other in owners if name.endswith(f".{other}")), key=len, default=None)
        return P() if owner is None else self.sharding.spec(owner, dims)

    def _packed_spec(self, name: str, value: Any) -> P:
        """The spec of a packed param's stored rows (the matmul's outputs), which are cut if the param's spec cuts any axis."""
        assert self.sharding is not None
        dims = [size for size in self.entries[name].shape.dims if isinstance(size, int)]
        names = next((names for names in self.sharding.spec(name, dims) if names is not None), None)
        rows = value.shape[0] if value.ndim > 1 else 0
        return P(names) if names is not None and rows and rows % self.sharding.mesh.parts(names) == 0 else P()

    def _cut(self, value: Any, name: str) -> Placed:
        """Shards a value over the mesh by the spec of its name."""
        arrays: Any = self.arrays
        spec = self._packed_spec(name, value) if self.entries[name].scheme is not None else self.spec(name)
        own = arrays.cut(value, spec)
        if isinstance(value, np.ndarray):
            drop_pages(value)
        return own

    def to_device(self, array: Any) -> Array | DeviceArray:
        """Returns the array on the session's device, uploaded if the device has its own memory; runs take it without a copy.

        >>> Session("reference").to_device(np.arange(3))
        array([0, 1, 2])
        """
        value: Array | DeviceArray = self._take(array, "the array")
        if not self.arrays.is_host and not isinstance(value, DeviceArray):
            value = self.arrays.upload(value)
        return value

    def _take(self, given: Any, what: str) -> Any:
        """Converts a value to an array: of the device if it is there already, else of the host."""
        array = placed(given, self.arrays, what)
        return as_array(given, what) if array is None else array

    def own(
        self, value: Any, copy: Callable[[Array], Array] = param_copy, *, stays: bool = False, name: str | None = None
    ) -> Placed:
        """Copies a value to memory that the session owns, on the host by `copy`. `stays`: the host reads it from its mapped file."""
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
        """Adds a param or state; an existing entry must have the same declaration."""
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
        """Adds params and states by name."""
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
        """Sets a param; shape and dtype must be as declared (f16 and bf16 params accept f32 arrays).

        A packed param takes what its scheme stores: the bytes of a GGUF tensor, else a dict of parts or a tuple of them in order. Numbers
        in a file mapped read-only are not copied: replace such a file, do not rewrite it. A device with its own memory receives
        each value once, in this call.
        """
        entry = self._entry(name, "param")
        if entry.scheme is not None:
            parts = packed_parts(name, entry.scheme, entry.storage, array)
            packed = parts.pop("w")
            with self.lock:
                own = self.own(packed, stays=is_mapped(packed), name=name)
                entry.set(own, {part: self.own(value, name=name) for part, value in parts.items()})
            return
        value = self._take(array, f"param {name!r}")
        if DType.of(value.dtype) is not entry.shape.dtype:
            if not (entry.shape.dtype.is_low_float and value.dtype == np.float32):
                raise RlxError("RLX504", f"param {name!r} is {entry.shape}, the array is {DType.of(value.dtype)}")
            value = cast_array(on_host(value), entry.shape.dtype)
        if value.shape != entry.shape.dims:
            raise RlxError("RLX503", f"param {name!r} is {entry.shape}, the array has shape {list(value.shape)}")
        with self.lock:
            entry.set(self.own(value, stays=is_mapped(value) and value.flags.aligned, name=name))

    def set_params(self, arrays: Mapping[str, Any]) -> None:
        """Sets several params."""
        check_by_name(arrays, "params")
        for name, array in arrays.items():
            self.set_param(name, array)

    def param(self, name: str) -> Array | Any:
        """A copy of a param in host memory; of a packed param the bytes, or a dict by part if its scheme stores several arrays."""
        entry = self._entry(name, "param")
        if not entry.is_set:
            raise RlxError("RLX505", f"param {name!r} is not set")
        with self.lock:
            parts = entry.values_as_set(name).values()
            first, *others = (array.copy() for array in parts) if self.arrays.is_host else parts
            entry.take_back()
            return {"w": first, **dict(zip(entry.rest, others, strict=True))} if others else first

    # -- states
    def init_state(self, names: Iterable[str] | None = None, /, **sizes: int) -> None:
        """Allocates all states, or those named, with `sizes` for the symbols of their shapes, filled with their initial values."""
        states = [name for name, entry in self.entries.items() if entry.kind == "state"]
        entries = {name: self._entry(name, "state") for name in (states if names is None else check_names(names, "states"))}
        shapes = {name: _bound_shape(name, entry.shape, sizes) for name, entry in entries.items()}
        arrays = {name: first_value(name, shape, entries[name].init, self.arrays) for name, shape in shapes.items()}
        with self.lock:
            for name, entry in entries.items():
                entry.array = arrays[name] if self.sharding is None else self._cut(arrays[name], name)
                entry.note_change()

    def give_first_value(self, name: str) -> None:
        """Allocates a state of known size; RLX505 for a param that is not set, RLX509 for a state with unbound symbols."""
        entry = self.entries[name]
        entry.first_value(name, self.arrays)
        if self.sharding is not None:
            entry.array = self._cut(entry.array, name)

    def state(self, name: str) -> Array:
        """A copy of a state, in host memory."""
        with self.lock:
            return host_copy(self._state_array(name))

    def _state_array(self, name: str) -> Placed:
        """The array of a state; RLX509 if it has no value yet."""
        entry = self._entry(name, "state")
        if entry.array is None:
            raise RlxError("RLX509", f"state {name!r} has no value yet")
        return entry.array

    def set_state(self, name: str, array: Any) -> None:
        """Replaces the value of a state."""
        entry = self._entry(name, "state")
        value = self._take(array, f"state {name!r}")
        if DType.of(value.dtype) is not entry.shape.dtype or value.ndim != entry.shape.rank:
            raise RlxError("RLX503", f"state {name!r} is {entry.shape}, the array is {DType.of(value.dtype)}{list(value.shape)}")
        with self.lock:
            entry.array = self.own(value, aligned_copy, name=name)
            entry.note_change()

    def use_states(self, arrays: Mapping[str, Placed]) -> None:
        """Makes the caller's device arrays the memory of states, without a copy."""
        with self.lock:
            for name, array in arrays.items():
                entry = self._entry(name, "state")
                if entry.array is not array:
                    entry.array = array
                    entry.note_change()

    def leaves(self, names: Iterable[str]) -> dict[str, Any]:
        """The arrays of params and states by leaf name: a packed param has several."""
        return {leaf: array for name in names for leaf, array in self.entries[name].leaves(name).items()}

    def values_as_set(self, names: Iterable[str]) -> dict[str, Array]:
        """The params that have a value, as the user set them, in host memory."""
        with self.lock:
            entries = ((name, self.entries[name]) for name in names)
            return {leaf: array for name, entry in entries if entry.is_set for leaf, array in entry.values_as_set(name).items()}

    def snapshot(self, names: Iterable[str] | None = None) -> dict[str, Any]:
        """Copies states on the device, for `restore`."""
        chosen = [n for n, e in self.entries.items() if e.kind == "state"] if names is None else check_names(names, "states")
        with self.lock:
            return {name: self._state_array(name).copy() for name in chosen}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Writes a snapshot's values into the states' existing memory."""
        check_by_name(snapshot, "states")
        with self.lock:
            for name, value in snapshot.items():
                entry, array = self._entry(name, "state"), self._take(value, f"state {name!r}")
                own = entry.array
                if own is None or own.shape != array.shape or (own.dtype != array.dtype and not self.arrays.is_host):
                    self.set_state(name, array)
                else:
                    self.arrays.write(own, array)


def _bound_shape(name: str, shape: Shape, sizes: Mapping[str, object]) -> Shape:
    """The shape of a state with its symbols bound to `sizes`."""
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
