"""SessionEntry: one param or state of a session, with its memory on the session's device."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rlx.backends.base import DeviceArrays, Placed
from rlx.core.aligned import aligned_zeros, drop_pages, is_mapped, param_copy
from rlx.core.device_array import on_host
from rlx.core.dtype import cast_array
from rlx.core.errors import RlxError
from rlx.core.quant_scheme import QuantScheme, part_name
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.passes.prepared_analysis import Step
from rlx.runtime.prepared_values import PreparedValue

Array = npt.NDArray[Any]


@dataclass
class SessionEntry:
    """A param or a state: its declaration, its memory on the device once it has some, and how often it changed.

    A packed param has a scheme and the shapes it stores; `array` is then its packed numbers, and `rest` its other parts. Numbers in a
    mapped file stay there until a program reads them in every run: what is prepared of them is made from the file's pages. An array of the
    session's own is dropped once programs read it only through prepared values, one of which holds it whole: `held` says which, and how it
    is read back.
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

    def set(self, array: Placed, rest: Mapping[str, Placed] | None = None) -> None:
        """A new value, in memory that is the entry's own or that nobody can write to."""
        self.array, self.rest, self.held = array, dict(rest or {}), None
        self.changed()

    def leaf_names(self, name: str) -> list[str]:
        """Under which names compiled graphs may read it."""
        return [part_name(name, part) for part in self.storage] if self.storage else [name]

    def stored(self, is_held: bool) -> list[Shape]:
        """The shapes of what is kept of it; `is_held`: beside the prepared value that holds it."""
        stored = self.storage or {"w": self.shape}
        return [shape for part, shape in stored.items() if part != "w" or not is_held]

    def leaves(self, name: str) -> dict[str, Placed]:
        """What is in the device's memory as it was set, by these names."""
        found = {} if self.array is None else {name: self.array}
        return found | {part_name(name, part): array for part, array in self.rest.items()}

    def given(self, name: str) -> dict[str, Array]:
        """The value as it was set, by part, in host memory."""
        parts = {part_name(name, part): on_host(array) for part, array in self.rest.items()}
        return {name: self._whole(), **parts}

    def read_by(self, name: str, uses: Callable[[str], bool]) -> dict[str, Placed]:
        """What a program reads in its runs, in memory of the session's own from here on."""
        if uses(name):
            self._read_in_runs = True
            self._bring_back()
            assert self.array is not None
            if is_mapped(self.array):
                pages, self.array = self.array, param_copy(self.array)
                drop_pages(pages)
        return {leaf: array for leaf, array in self.leaves(name).items() if uses(leaf)}

    def first_value(self, name: str, arrays: DeviceArrays) -> None:
        """Give a state of known size its memory; RLX505 or RLX509 for what has to be set first."""
        if self.kind == "param":
            raise RlxError("RLX505", f"param {name!r} ({self.shape}) is not set")
        if not self.shape.is_static:
            sizes = ", ".join(sorted(f"{symbol.name}=…" for symbol in self.shape.symbols()))
            message = f"state {name!r} ({self.shape}) has no memory yet"
            raise RlxError("RLX509", message, fix=f"session.init_state({sizes})")
        self.array = first_value(name, self.shape, self.init, arrays)
        self.changed()

    def lent(self, name: str) -> dict[str, Placed]:
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
        if self.held is not None:
            arrays, whole = self.held[0].arrays, self._whole()
            self.array = whole if arrays.is_host else arrays.upload(whole)
            self.held = None

    def _whole(self) -> Array:
        if self.array is not None:
            return on_host(self.array)
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
        found[name] = SessionEntry(node.op.name, node.shape, attrs.get("scheme"), attrs.get("init", 0.0), storage=storage)
    return found


def first_value(name: str, shape: Shape, init: float, arrays: DeviceArrays) -> Placed:
    """The initial value of a state, in memory of its own."""
    try:
        array = aligned_zeros([int(size) for size in shape.dims], shape.dtype.numpy)
    except RlxError as error:
        raise RlxError(error.code, f"state {name!r}: {error.message}") from error
    if init:
        array[...] = cast_array(np.asarray(init), shape.dtype)
    return array if arrays.is_host else arrays.upload(array)
