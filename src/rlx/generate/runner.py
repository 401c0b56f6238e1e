"""The runner: a model's graphs, compiled when first needed, and the caches they share. It knows tokens and lengths, no text.

Rows of a batch are independent sequences of any length. Prompts go in by chunks of symbolic length, then one compiled step serves every
position. The caches grow up to the chosen capacity; a larger one compiles nothing anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.backends.registry import find_backend
from rlx.core.aligned import aligned_zeros
from rlx.core.dim import Dim, evaluate
from rlx.core.errors import RlxError, check_count
from rlx.core.shape import Shape
from rlx.models import Model, Shapes
from rlx.runtime.session import SessionEntry

Array = npt.NDArray[Any]
MOST_TOKENS = 1 << 20  # tokens that a cache can have: a bound of the symbol, the same for all graphs


def checked_capacity(model: Model, capacity: int | None) -> int:
    """Returns the limit of tokens in a sequence: the requested one, or that of the model's training; more than that is refused."""
    limit = min(model.config.context_length, MOST_TOKENS)
    if capacity is not None:
        check_count(capacity, "RLX901", "the context", f"1 to {limit} tokens")
    if capacity is not None and capacity > limit:
        message = f"a context of {capacity} tokens, {model.config.architecture} was trained on {model.config.context_length}"
        raise RlxError("RLX901", message, fix=f"1 to {limit}")
    return capacity or limit


class CompiledSteps:
    """A model's executables for batches of sequences, by the number of tokens (one or a chunk) and the logits they return."""

    def __init__(self, model: Model, batch: int, chunk: int, *, hidden: bool, draft: bool) -> None:
        self._model, self._batch, self._chunk, self._hidden, self._draft = model, batch, chunk, hidden, draft
        self._executables: dict[tuple[bool, str], Any] = {}

    def has(self, single: bool, logits: str) -> bool:
        """Returns whether an executable is compiled."""
        return (single, logits) in self._executables

    def executable(self, single: bool, logits: str) -> Any:
        """Compiles the executable for one token or for a chunk; `logits` is "last" or "all"."""
        key = (single, "last" if single else logits)
        if key not in self._executables:
            self._executables[key] = self._model.executable(self._shapes(single, key[1]))
        return _AllOfOne(self._executables[key]) if single and logits == "all" else self._executables[key]

    def pad_length(self, longest: int, room: int) -> int:
        """Returns the length that a run is padded to: the next power of two where every length compiles a program."""
        if longest == 1 or not getattr(find_backend(self._model.session.device), "specializes", False):
            return longest
        return max(longest, min(1 << (longest - 1).bit_length(), self._chunk, room))

    @cached_property
    def states(self) -> dict[str, Shape]:
        """The shapes of the graph's states (caches); known once something is compiled."""
        executable = next(iter(self._executables.values()), None) or self.executable(True, "last")
        return {name: entry.shape for name, entry in executable.interface.states.items()}

    def _shapes(self, single: bool, logits: str) -> Shapes:
        batched = self._batch > 1
        return Shapes(
            batch=Dim("batch") if batched else 1,
            seq=1 if single else Dim("seq", max=self._chunk),
            capacity=Dim("capacity", max=MOST_TOKENS),
            logits=logits,
            hidden=self._hidden,
            draft=self._draft,
            prefix="batched." if batched else "",
        )


@dataclass(frozen=True)
class _AllOfOne:
    """Adapts the graph of one token, which returns the last logits, to return all logits."""

    executable: Any

    def run(self, inputs: dict[str, Array]) -> dict[str, Array]:
        outputs: dict[str, Array] = self.executable.run(inputs)
        return {**outputs, "logits": np.asarray(outputs["logits"])[:, None]}


_FIRST_CAPACITY = 512  # initial capacity of the caches, in tokens


@dataclass(frozen=True)
class Snapshot:
    """A runner's recurrent states, and the tokens they have seen."""

    tokens: tuple[tuple[int, ...], ...]
    states: dict[str, Any]  # on the device


def common_length(first: Sequence[Any], second: Sequence[Any]) -> int:
    """Counts the tokens that two sequences begin with in common."""
    shorter = min(len(first), len(second))
    if list(first[:shorter]) == list(second[:shorter]):
        return shorter
    return next(index for index, (mine, theirs) in enumerate(zip(first, second, strict=False)) if mine != theirs)


class Runner:
    """Runs a model on `batch` sequences: `prefill`, `decode`, `score`; `truncate`, `snapshot` and `restore` rewind.

    `tokens[row]` are those in the caches of a row. `hidden=True` saves the last norm's input, `hidden[row]` f32[length, width].
    `draft=True` runs the model's draft head, which reads rows of the model's `hidden` beside the tokens.

    Each runner has its own caches, which are in the model's session while it runs. Runners of one model may run in turn, also in
    several threads. The calls of one runner must follow each other.

    >>> from rlx.models import open_model
    >>> model = open_model("smollm2")
    >>> runner = Runner(model, capacity=64)
    >>> runner.prefill([model.tokenizer.encode("Hello")]).shape  # doctest: +SKIP
    (1, 49152)
    """

    def __init__(
        self,
        model: Model,
        *,
        batch: int = 1,
        capacity: int | None = None,
        chunk: int = 512,
        hidden: bool = False,
        draft: bool = False,
    ) -> None:
        self.capacity = checked_capacity(model, capacity)
        if batch < 1 or chunk < 1:
            raise RlxError("RLX902", f"batch is {batch}, chunk is {chunk}", fix="both at least 1")
        self.model, self.batch = model, batch
        self.chunk = chunk  # a bound of the compiled graph: the same for every context
        self.keeps_hidden, self.drafts = hidden, draft
        self.tokens: list[list[int]] = [[] for _ in range(batch)]
        self._steps = CompiledSteps(model, batch, chunk, hidden=hidden, draft=draft)
        self._prepared = False
        self._room = 0  # tokens the caches have memory for
        self._caches: dict[str, Any] = {}  # the memory of our states, on the session's device
        self._seen = -1  # the session's change count when they were installed
        self._stale: set[int] = set()  # reset rows, whose recurrent states are still those of other tokens
        self._hidden: Array | None = None  # [batch, room, width]
        self._one = np.zeros((batch, 1), np.int32), np.zeros(batch, np.int32), np.ones(batch, np.int32)

    # -- reading ----------------------------------------------------------------------------------------------------
    @property
    def lengths(self) -> list[int]:
        """The number of tokens in the caches, by row."""
        return [len(row) for row in self.tokens]

    @property
    def recurrent(self) -> bool:
        """Whether the model has recurrent states, so that rewinding needs a snapshot."""
        return bool(self._recurrent)

    @property
    def hidden(self) -> list[Array]:
        """The input of the model's last norm, f32[length, width] for each row."""
        if self._hidden is None:
            return [np.zeros((0, self.model.config.width), np.float32) for _ in self.tokens]
        return [self._hidden[row, :length] for row, length in enumerate(self.lengths)]

    @property
    def has_caches(self) -> bool:
        """Whether the model has caches of keys and values."""
        return len(self._recurrent) < len(self._steps.states)

    @property
    def weight_bytes(self) -> int:
        """Bytes of weights that a run on one token reads, as the file stores them; a table for lookups only is not counted."""
        names = set(self._steps.executable(True, "last").interface.params)
        weights = self.model.source.weights
        return sum(weights[name].nbytes for name in names - ({"token_embd"} if "output" in names else set()))

    # -- running ----------------------------------------------------------------------------------------------------
    def prefill(self, rows: Sequence[Sequence[int]], hidden: Sequence[Array] | None = None) -> Array:
        """Evaluates more tokens of each row (or none), by chunks; returns the logits f32[batch, vocab] after each row's last."""
        self._check(rows, hidden)
        logits: Array | None = None
        done = [0] * self.batch
        while any(done[row] < len(ids) for row, ids in enumerate(rows)):
            parts = self._chunk(rows, done)
            beside = None if hidden is None else [given[done[row] :][: len(parts[row])] for row, given in enumerate(hidden)]
            last = self._run(parts, "last", hidden=beside)
            logits = np.zeros_like(last) if logits is None else logits
            for row, part in enumerate(parts):
                done[row] += len(part)
                if part and done[row] == len(rows[row]):
                    logits[row] = last[row]
        if logits is None:
            raise RlxError("RLX903", "every row is empty", fix="at least one token in one row")
        return logits

    def decode(self, ids: Sequence[int], active: Sequence[bool] | None = None, hidden: Sequence[Array] | None = None) -> Array:
        """Evaluates one token in each active row; returns logits f32[batch, vocab], undefined in the other rows.

        A recurrent row that is not active is lost: it restarts with its next tokens.
        """
        rows = [[int(token)] if active is None or active[row] else [] for row, token in enumerate(ids)]
        self._check(rows, hidden)
        logits = self._run(rows, "last", preserve=False, hidden=hidden)
        if self.recurrent:
            for row in (row for row, part in enumerate(rows) if not part):
                self._forget(row)
        return logits

    def score(self, rows: Sequence[Sequence[int]]) -> list[Array]:
        """Evaluates more tokens of each row; returns the logits after every one of them, f32[count, vocab] for each row."""
        self._check(rows)
        scores: list[list[Array]] = [[] for _ in rows]
        done = [0] * self.batch
        while any(done[row] < len(ids) for row, ids in enumerate(rows)):
            parts = self._chunk(rows, done)
            logits = self._run(parts, "all")
            for row, part in enumerate(parts):
                done[row] += len(part)
                scores[row].append(logits[row, : len(part)])
        empty = np.zeros((0, self.model.config.vocab_size), np.float32)
        return [parts[0] if len(parts) == 1 else np.concatenate([empty, *parts]) for parts in scores]

    # -- rewinding --------------------------------------------------------------------------------------------------
    def truncate(self, row: int, length: int) -> None:
        """Drops all but the first tokens of a row. Recurrent states can only return to the initial ones; else use `restore`."""
        have = len(self.tokens[row])
        if not 0 <= length <= have:
            raise RlxError("RLX901", f"row {row} has {have} tokens, {length} cannot be kept")
        if length == have:
            return
        if self.recurrent:
            if length:
                message = f"{length} of {have} tokens: {self.model.config.architecture} has states that do not go back"
                raise RlxError("RLX901", message, fix="take a snapshot before the tokens to drop")
            self._forget(row)
        self.tokens[row] = self.tokens[row][:length]

    def snapshot(self) -> Snapshot:
        """Copies the recurrent states, for `restore`. Keys and values stay in the caches."""
        session = self.model.session
        with session.lock:
            self._install()
            return Snapshot(tuple(tuple(row) for row in self.tokens), session.snapshot(self._recurrent if self._room else ()))

    def restore(self, snapshot: Snapshot) -> None:
        """Restores a snapshot. Its tokens must still be in the caches."""
        if self.has_caches:
            for row, (saved, have) in enumerate(zip(snapshot.tokens, self.tokens, strict=True)):
                if common_length(saved, have) < len(saved):
                    message = f"row {row}: the snapshot has {len(saved)} tokens, the caches have kept {common_length(saved, have)} of them"
                    raise RlxError("RLX901", message, fix="restore an earlier snapshot of the same text")
        with self.model.session.lock:
            self._install()
            self._stale.clear()
            self.model.session.restore(snapshot.states)
        self.tokens = [list(row) for row in snapshot.tokens]

    # -- a run ------------------------------------------------------------------------------------------------------
    def _check(self, rows: Sequence[Sequence[int]], hidden: Sequence[Array] | None = None) -> None:
        """Checks the tokens of a run: as many rows as the batch, ids of the vocabulary, and room for them."""
        if len(rows) != self.batch:
            raise RlxError("RLX903", f"{len(rows)} rows of tokens in a runner of batch {self.batch}")
        given = None if hidden is None else [len(part) for part in hidden]
        if given != ([len(ids) for ids in rows] if self.drafts else None):
            message = f"rows of {[len(ids) for ids in rows]} tokens, and hidden of {given}"
            raise RlxError("RLX903", message, fix="a drafting head takes as many hidden states as tokens; a model takes none")
        vocabulary = self.model.config.vocab_size
        for row, ids in enumerate(rows):
            wrong = next((token for token in ids if not 0 <= token < vocabulary), None)
            if wrong is not None:
                raise RlxError("RLX903", f"row {row}: id {wrong}, the model has ids 0 to {vocabulary - 1}")
            total = len(self.tokens[row]) + len(ids)
            if total > self.capacity:
                message = f"{total} tokens, the context has room for {self.capacity}"
                raise RlxError("RLX901", message, fix="shorten the text, raise the context, or overflow='shift'")

    def _chunk(self, rows: Sequence[Sequence[int]], done: Sequence[int]) -> list[Sequence[int]]:
        """Slices the next tokens of each row. All rows are written up to the longest: padding too must fit the caches."""
        longest = max(len(ids) - done[row] for row, ids in enumerate(rows))
        room = min(self.capacity - self._start(row, bool(done[row] < len(ids))) for row, ids in enumerate(rows))
        count = min(longest, self.chunk, room)
        return [ids[done[row] : done[row] + count] for row, ids in enumerate(rows)]

    def _start(self, row: int, works: bool) -> int:
        """Returns the position where a row's next token is written; an idle row at the very end writes its last token again."""
        return len(self.tokens[row]) if works else min(len(self.tokens[row]), self.capacity - 1)

    def _run(
        self, parts: Sequence[Sequence[int]], logits: str, *, preserve: bool = True, hidden: Sequence[Array] | None = None
    ) -> Array:
        """Runs a compiled graph on this runner's caches."""
        with self.model.session.lock:
            return self._run_alone(parts, logits, preserve, hidden)

    def _run_alone(self, parts: Sequence[Sequence[int]], logits: str, preserve: bool, hidden: Sequence[Array] | None) -> Array:
        starts = [self._start(row, bool(part)) for row, part in enumerate(parts)]
        longest = self._steps.pad_length(max(map(len, parts)), self.capacity - max(starts))
        executable = self._steps.executable(longest == 1, logits)
        self._install()
        self._reserve(max(starts) + longest)
        inputs = self._inputs(parts, starts, longest, hidden)
        self._refresh([row for row in self._stale if parts[row]])
        resting = [row for row, part in enumerate(parts) if not part]
        saved = self.snapshot().states if preserve and resting and self.recurrent else {}
        try:
            outputs = executable.run(inputs)
            if saved:
                self._put_back(saved, resting)
            self._keep(parts, outputs)
        except BaseException:  # Ctrl-C among them: recurrent states may have seen tokens that were not noted
            for row in range(self.batch if self.recurrent else 0):
                self._forget(row)
            raise
        return np.asarray(outputs["logits"])

    def _inputs(
        self, parts: Sequence[Sequence[int]], starts: Sequence[int], longest: int, hidden: Sequence[Array] | None
    ) -> dict[str, Array]:
        """Builds the inputs of a run: a row without tokens writes one, which is not counted."""
        tokens, start, count = self._one if longest == 1 else (np.zeros((self.batch, longest), np.int32), *self._one[1:])
        for row, part in enumerate(parts):
            at_end = not part and starts[row] < len(self.tokens[row])
            tokens[row, : max(len(part), 1)] = part or (self.tokens[row][-1] if at_end else 0)
            start[row], count[row] = starts[row], max(len(part), 1)
        inputs: dict[str, Array] = {"tokens": tokens, "start": start, "count": count}
        if hidden is not None:
            inputs["hidden"] = np.zeros((self.batch, longest, self.model.config.width), np.float32)
            for row, rows in enumerate(hidden):
                inputs["hidden"][row, : len(rows)] = rows
        return inputs

    def _keep(self, parts: Sequence[Sequence[int]], outputs: dict[str, Array]) -> None:
        """Records the tokens that the caches hold after a run."""
        hidden = np.asarray(outputs["hidden"]) if self._hidden is not None else None
        for row, part in enumerate(parts):
            if self._hidden is not None and hidden is not None:
                have = len(self.tokens[row])
                self._hidden[row, have : have + len(part)] = hidden[row, : len(part)]
            self.tokens[row].extend(int(token) for token in part)

    def _put_back(self, saved: dict[str, Any], rows: Sequence[int]) -> None:
        """Restores the recurrent states of rows without tokens."""
        session = self.model.session
        for name, old in saved.items():
            new = session.state(name)
            new[rows] = np.asarray(old)[rows]
            session.restore({name: new})

    # -- graphs and states ------------------------------------------------------------------------------------------
    def prepare(self) -> None:
        """Compiles the graphs of prompts and of single tokens, loads and packs the weights: all that the first run needs."""
        if not self._prepared:
            with self.model.session.lock:
                self._prepare()

    def _prepare(self) -> None:
        told = self.model.progress or (lambda what, done, total: None)
        executables = []
        for done, single in enumerate((True, False)):
            told("compiling", done, 2)
            executables.append(self._steps.executable(single, "last"))
        told("compiling", 2, 2)
        self._install()
        self._reserve(1)
        for done, executable in enumerate(executables):
            told("packing", done, 2)
            executable.prepare()
        told("packing", 2, 2)
        self._prepared = True

    def prepare_scores(self) -> None:
        """Compiles, loads and packs for `score`, which has a graph of its own."""
        self.prepare()
        if not self._steps.has(False, "all"):
            with self.model.session.lock:
                self._install()
                self._steps.executable(False, "all").prepare()

    @cached_property
    def _recurrent(self) -> list[str]:
        """The names of the recurrent states: those without an entry for each token."""
        return [name for name, shape in self._steps.states.items() if all(symbol.name != "capacity" for symbol in shape.symbols())]

    def _install(self) -> None:
        """Installs this runner's caches in the session, which may have another runner's."""
        if SessionEntry.changes != self._seen:
            self.model.session.use_states(self._caches)
            self._seen = SessionEntry.changes

    def _reserve(self, needed: int) -> None:
        """Grows the caches for so many tokens, to twice the size each time; copies their content."""
        if needed <= self._room:
            return
        room = min(max(_FIRST_CAPACITY, 1 << (needed - 1).bit_length()), self.capacity)
        sizes, session = {"batch": self.batch, "capacity": room}, self.model.session
        if not self._caches:
            session.init_state(self._steps.states, **sizes)  # in new memory
            self._caches = {name: array for name in self._steps.states if (array := session.entries[name].array) is not None}
        grown = {name: self._grown(name, sizes) for name in self._steps.states if name not in self._recurrent}
        self._caches = {**self._caches, **grown}
        session.use_states(self._caches)
        if self.keeps_hidden:
            hidden = np.zeros((self.batch, room, self.model.config.width), np.float32)
            if self._hidden is not None:
                hidden[:, : self._room] = self._hidden
            self._hidden = hidden
        self._room = room

    def _grown(self, name: str, sizes: dict[str, int]) -> Any:
        """Returns a cache with room for more tokens; the same one if it is large enough."""
        old, dims = self._caches[name], [evaluate(size, sizes) for size in self._steps.states[name].dims]
        if list(old.shape) == dims:
            return old
        new = aligned_zeros(dims, old.dtype)
        new[tuple(slice(size) for size in old.shape)] = np.asarray(old)
        return self.model.session.to_device(new)

    def _forget(self, row: int) -> None:
        """Resets a row: drops its tokens."""
        self.tokens[row] = []
        if self.recurrent:
            self._stale.add(row)

    def _refresh(self, rows: list[int]) -> None:
        """Clears the recurrent states of reset rows."""
        if rows and self._room:
            now = {name: self._caches[name] for name in self._recurrent}
            self._put_back({name: np.zeros(array.shape, array.dtype) for name, array in now.items()}, rows)
        self._stale.difference_update(rows)
