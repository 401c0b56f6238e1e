"""Session: owns named params and states; executables compiled in it share them."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from rlx.core.aligned import aligned_copy, aligned_zeros, param_copy
from rlx.core.arrays import as_array
from rlx.core.dtype import DType, cast_array
from rlx.core.errors import RlxError, did_you_mean
from rlx.core.given import check_by_name, check_is, check_names
from rlx.core.mapped import drop_pages, is_mapped
from rlx.core.packed import part_name
from rlx.core.scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.passes.prepared import Step
from rlx.runtime.binding import check_sizes
from rlx.runtime.locks import RunLock
from rlx.runtime.packed import packed_parts
from rlx.runtime.prepared import PreparedValue

if TYPE_CHECKING:
    from rlx.runtime.executable import Executable

Array = npt.NDArray[Any]


@dataclass
class SessionEntry:
    """A param or a state: its declaration, its memory once it has one, and how often it changed.

    A packed param has a scheme and the shapes it stores; `array` is then its packed numbers, and `rest` its other parts. Numbers in a
    mapped file stay there until a program reads them in every run: what is prepared of them is made from the file's pages. An array of the
    session's own is dropped once programs read it only through prepared values, one of which holds it whole: `held` says which, and how it
    is read back.
    """

    kind: str
    shape: Shape
    scheme: QuantScheme | None = None
    init: float = 0.0
    array: Array | None = field(default=None, repr=False)
    version: int = 0
    storage: Mapping[str, Shape] = field(default_factory=dict)
    rest: dict[str, Array] = field(default_factory=dict, repr=False)
    held: tuple[PreparedValue, tuple[Step, ...]] | None = field(default=None, repr=False)
    _read_in_runs: bool = False
    changes: ClassVar[int] = 0
    """Another number after every change of any entry: who has seen it need not look at each of hundreds of versions."""
    _numbers: ClassVar[Iterator[int]] = itertools.count(1)

    def changed(self) -> None:
        """Note a new value: its version counts on. The number is taken and set apart, but no two changes leave the same one."""
        self.version += 1
        SessionEntry.changes = next(SessionEntry._numbers)

    @property
    def is_set(self) -> bool:
        """Whether it has a value."""
        return self.array is not None or self.held is not None

    def set(self, array: Array, rest: Mapping[str, Array] | None = None) -> None:
        """A new value, in memory that is the entry's own or that nobody can write to."""
        self.array, self.rest, self.held = array, dict(rest or {}), None
        self.changed()

    def leaf_names(self, name: str) -> list[str]:
        """Under which names compiled graphs may read it."""
        return [part_name(name, part) for part in self.storage] if self.storage else [name]

    def leaves(self, name: str) -> dict[str, Array]:
        """What is in memory as it was set, by these names."""
        found = {} if self.array is None else {name: self.array}
        return found | {part_name(name, part): array for part, array in self.rest.items()}

    def given(self, name: str) -> dict[str, Array]:
        """The value as it was set, by part."""
        return {name: self._whole(), **{part_name(name, part): array for part, array in self.rest.items()}}

    def read_by(self, name: str, uses: Callable[[str], bool]) -> dict[str, Array]:
        """What a program reads in its runs, in memory of the session's own from here on."""
        if uses(name):
            self._read_in_runs = True
            self._bring_back()
            assert self.array is not None
            if is_mapped(self.array):
                pages, self.array = self.array, param_copy(self.array)
                drop_pages(pages)
        return {leaf: array for leaf, array in self.leaves(name).items() if uses(leaf)}

    def first_value(self, name: str) -> None:
        """Give a state of known size its memory; RLX505 or RLX509 for what has to be set first."""
        if self.kind == "param":
            raise RlxError("RLX505", f"param {name!r} ({self.shape}) is not set")
        if not self.shape.is_static:
            sizes = ", ".join(sorted(f"{symbol.name}=…" for symbol in self.shape.symbols()))
            message = f"state {name!r} ({self.shape}) has no memory yet"
            raise RlxError("RLX509", message, fix=f"session.init_state({sizes})")
        self.array = _first_value(name, self.shape, self.init)
        self.changed()

    def lent(self, name: str) -> dict[str, Array]:
        """What a program reads that runs only when params change: a param as it lies."""
        self._bring_back()
        return self.leaves(name)

    def take_back(self) -> None:
        """After it was read once: pages of a file go back to the system."""
        if self.array is not None:
            drop_pages(self.array)

    def leave_to(self, value: PreparedValue, steps: tuple[Step, ...]) -> None:
        """Drop the array, which a value holds whole, unless runs read it or it lies in a file."""
        if self.array is not None and not self._read_in_runs and not is_mapped(self.array):
            self.held = (value, steps)
            self.array = None

    def _bring_back(self) -> None:
        """Have the array again."""
        if self.array is None:
            self.array = self._whole()
            self.held = None

    def _whole(self) -> Array:
        if self.array is not None:
            return self.array
        assert self.held is not None
        value, steps = self.held
        return value.holding(steps)


def declarations(graph: Graph) -> dict[str, SessionEntry]:
    """The params and states of a graph, without memory."""
    from rlx.ir.pattern import Uses
    from rlx.passes.select_dequant import packed_storage

    uses, found = Uses(graph), {}
    for name, node in (*graph.params.items(), *graph.states.items()):
        attrs = node.op.attrs
        storage = packed_storage(node, uses) if attrs.get("scheme") is not None else {}
        found[name] = SessionEntry(
            node.op.name, node.shape, attrs.get("scheme"), attrs.get("init", 0.0), storage=storage
        )
    return found


@dataclass
class Session:
    """Params and states by name, for all executables of one device.

    >>> session = Session("reference")
    >>> session.declare("w", SessionEntry("param", Shape((2,), "f32")))
    >>> session.set_param("w", np.ones(2, np.float32))
    >>> session.param("w")
    array([1., 1.], dtype=float32)
    """

    device: str = "cpu"
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
            raise RlxError(
                "RLX109", f"the session has no {kind} named {name!r:.60}", fix=f"{hint} its {kind}s: {known}".strip()
            )
        return entry

    # -- params
    def set_param(self, name: str, array: Any) -> None:
        """Set a param; shape and dtype must be as declared (f32 arrays are taken for f16 and bf16 params).

        A packed param takes what its scheme stores: the bytes of a GGUF tensor, else a dict of parts or a tuple of them in order. Numbers
        that lie in a file mapped read-only are read from there and not copied: replace such a file, do not rewrite it.
        """
        entry = self._entry(name, "param")
        if entry.scheme is not None:
            parts = packed_parts(name, entry.scheme, entry.storage, array)
            packed = parts.pop("w")
            with self.lock:
                own = packed if is_mapped(packed) else param_copy(packed)
                entry.set(own, {part: param_copy(value) for part, value in parts.items()})
            return
        value = as_array(array, f"param {name!r}")
        if DType.of(value.dtype) is not entry.shape.dtype:
            if not (entry.shape.dtype.is_low_float and value.dtype == np.float32):
                raise RlxError("RLX504", f"param {name!r} is {entry.shape}, the array is {DType.of(value.dtype)}")
            value = cast_array(value, entry.shape.dtype)
        if value.shape != entry.shape.dims:
            raise RlxError("RLX503", f"param {name!r} is {entry.shape}, the array has shape {list(value.shape)}")
        with self.lock:
            entry.set(value if is_mapped(value) and value.flags.aligned else param_copy(value))

    def set_params(self, arrays: Mapping[str, Any]) -> None:
        """Set several params."""
        check_by_name(arrays, "params")
        for name, array in arrays.items():
            self.set_param(name, array)

    def param(self, name: str) -> Array | Any:
        """A copy of a param; of a packed one the bytes or, where its scheme stores several arrays, a dict by part."""
        entry = self._entry(name, "param")
        if not entry.is_set:
            raise RlxError("RLX505", f"param {name!r} is not set")
        with self.lock:
            first, *others = (array.copy() for array in entry.given(name).values())
            entry.take_back()
            return {"w": first, **dict(zip(entry.rest, others, strict=True))} if others else first

    # -- states
    def init_state(self, names: Iterable[str] | None = None, /, **sizes: int) -> None:
        """Give every state, or those named, its memory, with the symbols of its shape bound, filled with its initial value."""
        states = [name for name, entry in self.entries.items() if entry.kind == "state"]
        wanted = {
            name: self._entry(name, "state") for name in (states if names is None else check_names(names, "states"))
        }
        shapes = {name: _bound_shape(name, entry.shape, sizes) for name, entry in wanted.items()}
        arrays = {name: _first_value(name, shape, wanted[name].init) for name, shape in shapes.items()}
        with self.lock:
            for name, entry in wanted.items():
                entry.array = arrays[name]
                entry.changed()

    def state(self, name: str) -> Array:
        """A copy of a state."""
        entry = self._entry(name, "state")
        if entry.array is None:
            raise RlxError("RLX509", f"state {name!r} has no value yet")
        with self.lock:
            return entry.array.copy()

    def set_state(self, name: str, array: Any) -> None:
        """Replace a state's value."""
        entry = self._entry(name, "state")
        value = as_array(array, f"state {name!r}")
        if DType.of(value.dtype) is not entry.shape.dtype or value.ndim != entry.shape.rank:
            raise RlxError(
                "RLX503", f"state {name!r} is {entry.shape}, the array is {DType.of(value.dtype)}{list(value.shape)}"
            )
        with self.lock:
            entry.array = aligned_copy(value)
            entry.changed()

    def use_states(self, arrays: Mapping[str, Array]) -> None:
        """Let states lie in memory of the caller's, without a copy; what they lay in before is whoever's holds it."""
        with self.lock:
            for name, array in arrays.items():
                entry = self._entry(name, "state")
                if entry.array is not array:
                    entry.array = array
                    entry.changed()

    def snapshot(self, names: Iterable[str] | None = None) -> dict[str, Array]:
        """Copies of states, for `restore`."""
        wanted = (
            [n for n, e in self.entries.items() if e.kind == "state"] if names is None else check_names(names, "states")
        )
        with self.lock:
            return {name: self.state(name) for name in wanted}

    def restore(self, snapshot: Mapping[str, Array]) -> None:
        """Bring states back to a snapshot, in their own memory."""
        check_by_name(snapshot, "states")
        with self.lock:
            for name, array in snapshot.items():
                entry = self._entry(name, "state")
                if entry.array is None or entry.array.shape != array.shape:
                    self.set_state(name, array)
                else:
                    np.copyto(entry.array, array)


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


def _first_value(name: str, shape: Shape, init: float) -> Array:
    """The initial value of a state, in memory of its own."""
    try:
        array = aligned_zeros([int(size) for size in shape.dims], shape.dtype.numpy)
    except RlxError as error:
        raise RlxError(error.code, f"state {name!r}: {error.message}") from error
    if init:
        array[...] = cast_array(np.asarray(init), shape.dtype)
    return array
