"""Runs a step: `PagedRunner` where a device has pages, `OneByOneRunner` elsewhere.

`PagedRunner` is the one executable of a model on tokens of many sequences, and the memory of their keys, values and states. Each token is
a row of the batch. In a recurrent model each sequence is a row, padded to the longest: its states lie side by side, and a run sees those
of its own sequences. Sequences of a run are therefore neighbours: `_arrange` swaps states where they are not.

`OneByOneRunner` has a `Runner` with caches for each sequence, and they run one after another: for devices whose memory is not the host's,
or that compile a program for every set of sizes. A sequence that is new, goes back or was forked catches up by computing its tokens again.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Rows
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from rlx.core.aligned import filled_over_time, give_back
from rlx.core.dim import Dim, evaluate
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.generate.engine.schedule import StepPart
from rlx.generate.engine.sequence import Sequence
from rlx.generate.runner import Runner, common_length
from rlx.models import Model, Shapes
from rlx.models.flow import MOST_ROWS, PAGE
from rlx.runtime.session import SessionEntry


class StepRunner(Protocol):
    """Protocol of a model's graphs with memory for many sequences: `PagedRunner`, or `OneByOneRunner` on a device without pages."""

    model: Model
    recurrent: bool  # whether states are saved and restored

    @property
    def page_bytes(self) -> int:
        """Bytes of a KV page; 0 where there is no budget."""

    @property
    def state_bytes(self) -> int:
        """Bytes of a sequence's recurrent states."""

    @property
    def weight_bytes(self) -> int:
        """Bytes of weights that a run on one token reads."""

    def prepare(self, pages: int) -> None:
        """Compiles, loads and packs the model, with memory for so many pages."""

    def run(self, parts: Rows[StepPart]) -> dict[str, npt.NDArray[Any]]:
        """Runs a step: returns `logits` f32[wanted, vocab], and `hidden` if it is saved."""

    def copy_pages(self, copies: Iterable[tuple[int, int]]) -> None:
        """Copies KV pages of all layers."""

    def states_of(self, sequence: Sequence) -> dict[str, Any]:
        """Copies the recurrent states of a sequence."""

    def put_states(self, sequence: Sequence, states: dict[str, Any] | None) -> None:
        """Restores the recurrent states of a sequence; None: the initial ones."""

    def leave(self, sequence: Sequence) -> None:
        """Frees the slot or cache of a sequence."""

    def free_slots(self) -> None:
        """Frees the slots or caches of all sequences."""

    def give_back(self, pages: int) -> None:
        """Returns the memory of all but the first pages to the system, while nothing runs. The pages stay allocated."""

    def free_memory(self) -> None:
        """Frees the memory of all pages, states and caches."""


# -- one run for all sequences, on pages -----------------------------------------------------------------------------
Array = npt.NDArray[Any]


class PagedRunner:
    """Runs a model's paged graphs, compiled when first needed, with a pool of `pages` pages and `slots` recurrent states.

    `run` takes the parts of a step and returns the requested logits, f32[wanted, vocab], in order.
    """

    def __init__(
        self, model: Model, *, slots: int, hidden: bool = False, deterministic: bool = True, cache_dtype: str | None = None
    ) -> None:
        self.model, self.slots, self.keeps_hidden = model, slots, hidden
        self.deterministic = deterministic  # a row has the same bits in every batch
        self.recurrent = model.recurrent
        self.cache_dtype = None if cache_dtype == model.cache_dtype else cache_dtype  # None: the model's
        self._executables: dict[bool, Any] = {}
        self._pools: dict[str, Any] = {}  # keys and values of all pages
        self._states: dict[str, Array] = {}  # recurrent states of all slots
        self._views: dict[tuple[int, int], dict[str, Any]] = {}  # states of adjacent slots
        self._holders: list[Sequence | None] = [None] * slots
        self._view: tuple[int, int] | None = None
        self._seen = -1
        self._one = {name: np.zeros(1, np.int32) for name in ("start", "sequence", "wanted")}
        self._one |= {"tokens": np.zeros((1, 1), np.int32), "count": np.ones(1, np.int32)}

    # -- graphs -----------------------------------------------------------------------------------------------------
    def executable(self, single: bool = True) -> Any:
        """Compiles the graph of a step; a recurrent model has one for single tokens and one for several."""
        key = single or not self.recurrent
        if key not in self._executables:
            seq = None if key else Dim("seq", max=MOST_ROWS)
            shapes = Shapes.paged(self.recurrent, seq, hidden=self.keeps_hidden, cache_dtype=self.cache_dtype)
            self._executables[key] = self.model.executable(shapes, batch_invariant=self.deterministic)
        return self._executables[key]

    @cached_property
    def _shapes(self) -> dict[str, Shape]:
        """The shapes of the graph's states (KV pages and recurrent states), by name."""
        return {name: entry.shape for name, entry in self.executable().interface.states.items()}

    def _is_paged(self, name: str) -> bool:
        return any(symbol.name == "pages" for symbol in self._shapes[name].symbols())

    def _bytes(self, paged: bool) -> int:
        """Sums the bytes of a page's states, or of a slot's."""
        sizes = {"pages": 1, "sequences": 1}
        shapes = [shape for name, shape in self._shapes.items() if self._is_paged(name) == paged]
        return sum(int(np.prod([evaluate(size, sizes) for size in shape.dims])) * shape.dtype.itemsize for shape in shapes)

    @property
    def page_bytes(self) -> int:
        """Bytes of a page of all layers; 0 in a model without attention."""
        return self._bytes(True)

    @property
    def state_bytes(self) -> int:
        """Bytes of a sequence's recurrent states."""
        return self._bytes(False)

    @property
    def weight_bytes(self) -> int:
        """Bytes of weights that a run on one token reads, as in `Runner.weight_bytes`."""
        names = set(self.executable().interface.params)
        weights = self.model.source.weights
        return sum(weights[name].nbytes for name in names - ({"token_embd"} if "output" in names else set()))

    def prepare(self, pages: int) -> None:
        """Compiles, loads and packs all that the first run needs, and allocates the page pool."""
        told = self.model.progress or (lambda what, done, total: None)
        with self.model.session.lock:
            kinds = (True, False) if self.recurrent else (True,)
            for done, single in enumerate(kinds):
                told("compiling", done, len(kinds))
                self.executable(single)
            told("compiling", len(kinds), len(kinds))
            if not self._pools and not self._states:
                self._allocate(pages, self.slots)
            self._install(0, 1)
            for done, executable in enumerate(self._executables.values()):
                told("packing", done, len(kinds))
                executable.prepare()
            told("packing", len(kinds), len(kinds))

    # -- memory -----------------------------------------------------------------------------------------------------
    def _allocate(self, pages: int, slots: int) -> None:
        """Allocates the pool; the system assigns memory to pages when they are first written."""
        sizes = {"pages": max(pages, 1), "sequences": slots}
        try:
            for name, shape in self._shapes.items():
                zeros = filled_over_time([evaluate(size, sizes) for size in shape.dims], shape.dtype.numpy)
                if self._is_paged(name):
                    self._pools[name] = self.model.session.to_device(zeros)
                else:
                    self._states[name] = zeros
        except RlxError as error:
            self._pools, self._states = {}, {}
            total = self.page_bytes * max(pages, 1) + self.state_bytes * slots
            message = f"the memory for keys and values takes {total} bytes, which the system could not allocate"
            fix = "less of it: Engine(model, memory=BYTES), rlx serve --kv-memory SIZE; or a shorter context"
            raise RlxError("RLX514", message, fix=fix, at=None) from error

    def _install(self, first: int, count: int) -> None:
        """Installs the page pool, and the recurrent states of adjacent slots, in the session, which may have another runner's."""
        view = (first, count) if self._states else (0, 0)
        if SessionEntry.changes == self._seen and view == self._view:
            return
        if view not in self._views:
            self._views[view] = {name: array[first : first + count] for name, array in self._states.items()}
        self.model.session.use_states({**self._pools, **self._views[view]})
        self._seen, self._view = SessionEntry.changes, view

    def copy_pages(self, copies: Iterable[tuple[int, int]]) -> None:
        """Copies KV pages of all layers."""
        for source, target in copies:
            for pool in self._pools.values():
                pool[target] = pool[source]

    def _arrange(self, sequences: Rows[Sequence]) -> int:
        """Moves the recurrent states of these sequences to adjacent slots, in order; returns the first slot."""
        if sequences[0].slot is None or any(one.slot != sequences[0].slot + index for index, one in enumerate(sequences)):
            for index, sequence in enumerate(sequences):
                if sequence.slot is None:
                    sequence.slot = self._free_slot()
                    self._holders[sequence.slot] = sequence
                self._exchange(sequence.slot, index)
        first = sequences[0].slot
        assert first is not None
        return first

    def _free_slot(self) -> int:
        """Returns a free slot, or that of a preempted sequence, whose recurrent states are dropped."""
        for slot, holder in enumerate(self._holders):
            if holder is None:
                return slot
        slot, gone = next((slot, one) for slot, one in enumerate(self._holders) if one is not None and not one.table)
        gone.slot = None
        return slot

    def _exchange(self, one: int, other: int) -> None:
        if one == other:
            return
        holders = self._holders
        for array in self._states.values():
            array[[one, other]] = array[[other, one]]
        holders[one], holders[other] = holders[other], holders[one]
        for slot in (one, other):
            holder = holders[slot]
            if holder is not None:
                holder.slot = slot

    def states_of(self, sequence: Sequence) -> dict[str, Any]:
        """Copies the recurrent states of a sequence out of its slot."""
        return {name: array[sequence.slot].copy() for name, array in self._states.items()}

    def put_states(self, sequence: Sequence, states: dict[str, Any] | None) -> None:
        """Restores the recurrent states of a sequence; None: the initial ones."""
        for name, array in self._states.items():
            array[sequence.slot] = 0 if states is None else states[name]

    def leave(self, sequence: Sequence) -> None:
        """Frees the slot of a finished sequence."""
        if sequence.slot is not None:
            self._holders[sequence.slot] = None
            sequence.slot = None

    def free_slots(self) -> None:
        """Frees the slots of all sequences."""
        for holder in self._holders:
            if holder is not None:
                self.leave(holder)

    def give_back(self, pages: int) -> None:
        """Returns the memory of recurrent states and of all but the first pages to the system, while nothing runs."""
        with self.model.session.lock:
            for pool in self._pools.values():
                give_back(pool, pages * (pool.nbytes // len(pool)))
            for states in self._states.values():
                give_back(states)
            for executable in self._executables.values():
                executable.free_working_memory()

    def free_memory(self) -> None:
        """Frees the page pool: nothing runs any more. In the session, small states replace it."""
        with self.model.session.lock:
            session = self.model.session
            mine = {**self._pools, **(self._views[self._view] if self._view is not None else {})}
            ours = [name for name, array in mine.items() if session.entries[name].array is array]
            self._pools, self._states, self._views, self._view = {}, {}, {}, None
            if ours:
                self._allocate(1, slots=1)
                small = {**self._pools, **self._states}
                session.use_states({name: small[name] for name in ours})
                self._pools, self._states = {}, {}

    # -- a run ------------------------------------------------------------------------------------------------------
    def run(self, works: Rows[StepPart]) -> dict[str, Array]:
        """Runs a step: returns `logits`, and `hidden` f32[rows, seq, width] if it is saved."""
        with self.model.session.lock:
            first, single = 0, True
            if self.recurrent:
                first, single = self._begin_states(works), all(len(work.tokens) == 1 for work in works)
                inputs = self._padded_inputs(works)
            else:
                inputs = self._single_inputs(works[0]) if len(works) == len(works[0].tokens) == 1 else self._flat_inputs(works)
            inputs["tables"] = self._tables(works)
            self._install(first, len(works))
            outputs: dict[str, Array] = self.executable(single).run(inputs)
            return outputs

    def _begin_states(self, works: Rows[StepPart]) -> int:
        first = self._arrange([work.sequence for work in works])
        for work in works:
            sequence = work.sequence
            if sequence.states is not None or work.start == 0:
                self.put_states(sequence, sequence.states)
                sequence.states = None
        return first

    def _single_inputs(self, work: StepPart) -> dict[str, Array]:
        """Builds the graph's inputs for one token of one sequence."""
        one = self._one
        one["tokens"][0, 0], one["start"][0] = work.tokens[0], work.start
        one["count"][0] = work.sequence.deciding_length(work.start)
        return dict(one)

    def _flat_inputs(self, works: Rows[StepPart]) -> dict[str, Array]:
        """Builds the graph's inputs for all tokens of the step, concatenated."""
        tokens: list[int] = []
        start: list[int] = []
        count: list[int] = []
        wanted: list[int] = []
        for work in works:
            size = len(work.tokens)
            tokens += work.tokens
            start += range(work.start, work.start + size)
            count += work.sequence.deciding_lengths(work.start, size)
            wanted += range(len(tokens) - work.wanted, len(tokens))
        sequence = np.repeat(np.arange(len(works), dtype=np.int32), [len(work.tokens) for work in works])
        columns = {"start": _ids(start), "count": _ids(count), "sequence": sequence, "wanted": _ids(wanted)}
        return {"tokens": _ids(tokens).reshape(-1, 1), **columns}

    def _padded_inputs(self, works: Rows[StepPart]) -> dict[str, Array]:
        """Builds the inputs of a recurrent model's graph: a row for each sequence, padded at the end."""
        longest = max(len(work.tokens) for work in works)
        tokens = np.zeros((len(works), longest), np.int32)
        wanted: list[int] = []
        for row, work in enumerate(works):
            tokens[row, : len(work.tokens)] = work.tokens
            end = row * longest + len(work.tokens)
            wanted += range(end - work.wanted, end)
        return {
            "tokens": tokens,
            "start": _ids([work.start for work in works]),
            "count": _ids([len(work.tokens) for work in works]),
            "sequence": np.arange(len(works), dtype=np.int32),
            "wanted": _ids(wanted),
        }

    def _tables(self, works: Rows[StepPart]) -> Array:
        """Builds the page table: the pages of each sequence that this run reads or writes."""
        ends = [-(-(work.start + len(work.tokens)) // PAGE) for work in works]
        if len(works) == 1:
            return works[0].sequence.pages[None, : ends[0]]
        tables = np.zeros((len(works), max(ends)), np.int32)
        for row, (work, end) in enumerate(zip(works, ends, strict=True)):
            tables[row, :end] = work.sequence.pages[:end]
        return tables


def _ids(numbers: list[int]) -> Array:
    """Converts ids to an i32 array of at least one row, as the graph's sizes are at least 1; an added row is unused."""
    return np.array(numbers or [0], np.int32)


# -- one run for each sequence ---------------------------------------------------------------------------------------
class OneByOneRunner:
    """Runs a model's graphs one sequence at a time, with caches for as many sequences as run at once."""

    page_bytes = state_bytes = 0  # caches grow with their sequence: there is no budget

    def __init__(self, model: Model, *, capacity: int | None, chunk: int, hidden: bool = False) -> None:
        self.model, self.keeps_hidden = model, hidden
        self.recurrent = False  # states are rewound by recomputing the tokens
        self._capacity, self._chunk = capacity, chunk
        self._first = self._new()
        self._idle: list[Runner] = [self._first]
        self._busy: dict[Sequence, Runner] = {}

    def _new(self) -> Runner:
        return Runner(self.model, capacity=self._capacity, chunk=self._chunk, hidden=self.keeps_hidden)

    @property
    def weight_bytes(self) -> int:
        """Bytes of weights that a run on one token reads."""
        return self._first.weight_bytes

    def prepare(self, pages: int) -> None:
        """Compiles, loads and packs the graphs of one sequence."""
        self._first.prepare()

    def run(self, parts: Rows[StepPart]) -> dict[str, Array]:
        """Runs the parts of a step in order; returns the requested logits, and `hidden` of all tokens."""
        logits, hidden = [], []
        for part in parts:
            runner = self._at(part)
            if part.wanted > 1:
                logits.append(runner.score([part.tokens])[0][-part.wanted :])
            else:
                last = runner.prefill([part.tokens])
                logits += [last] if part.wanted else []
            hidden.append(runner.hidden[0][-len(part.tokens) :, None])
        empty = np.zeros((0, self.model.config.vocab_size), np.float32)
        outputs = {"logits": np.concatenate([empty, *logits])}
        return outputs | ({"hidden": np.concatenate(hidden)} if self.keeps_hidden else {})

    def _at(self, part: StepPart) -> Runner:
        """Returns the runner of a sequence, with the tokens before this part in its caches."""
        sequence = part.sequence
        if sequence not in self._busy:
            self._busy[sequence] = self._idle.pop() if self._idle else self._new()
        runner, before = self._busy[sequence], sequence.tokens[: part.start]
        common = common_length(runner.tokens[0], before)
        runner.truncate(0, 0 if runner.recurrent and common < runner.lengths[0] else common)
        if runner.lengths[0] < len(before):
            runner.prefill([before[runner.lengths[0] :]])
        return runner

    # -- methods for pages and slots, which this runner does not have
    def copy_pages(self, copies: Iterable[tuple[int, int]]) -> None:
        """Does nothing: caches are not shared."""

    def states_of(self, sequence: Sequence) -> dict[str, Any]:
        """Returns no states."""
        return {}

    def put_states(self, sequence: Sequence, states: dict[str, Any] | None) -> None:
        """Does nothing: a rewound sequence computes its tokens again."""

    def leave(self, sequence: Sequence) -> None:
        """Keeps the caches of a finished sequence for the next one."""
        runner = self._busy.pop(sequence, None)
        if runner is not None:
            self._idle.append(runner)

    def free_slots(self) -> None:
        """Keeps the caches of all sequences for others."""
        self._idle += self._busy.values()
        self._busy.clear()

    def give_back(self, pages: int) -> None:
        """Does nothing: memory stays allocated."""

    def free_memory(self) -> None:
        """Drops all runners; their caches are freed when these are collected."""
        self._busy.clear()
        self._idle.clear()
