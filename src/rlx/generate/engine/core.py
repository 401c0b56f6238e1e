"""The engine's core: requests come in, steps run, streams get their pieces. It knows tokens; prompts and templates are `engine.py`'s."""

from __future__ import annotations

import threading
import time
from collections.abc import Hashable
from collections.abc import Sequence as Rows
from dataclasses import fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from rlx.backends.registry import find_backend
from rlx.core.errors import RlxError, check_is
from rlx.core.this_process import free_memory
from rlx.generate.drafters import MOST, Drafter, DraftLength, run_times
from rlx.generate.engine.kv_memory import KvMemory, pages_of
from rlx.generate.engine.mailbox import Mailbox
from rlx.generate.engine.postprocess import Postprocessor
from rlx.generate.engine.schedule import Scheduler, StepLimits, StepPart
from rlx.generate.engine.sequence import Request, Sequence
from rlx.generate.engine.step_runner import OneByOneRunner, PagedRunner, StepRunner
from rlx.generate.engine.stepping import TakesTurns
from rlx.generate.results import EngineStats, SlotStats, Speculation
from rlx.generate.runner import checked_capacity
from rlx.generate.sampling_settings import Sampling, end_ids, stop_tokens
from rlx.models import Model, Rope
from rlx.models.flow import PAGE


class Drafting:
    """Drafts tokens for decoding sequences before a step. `tokens`: the draft length; None: chosen by acceptance."""

    def __init__(self, drafter: Drafter, tokens: int | None, runner: StepRunner) -> None:
        self.first, self.tokens, self.runner = drafter, tokens, runner
        self._busy: dict[Sequence, Drafter] = {}

    def prepare(self) -> None:
        """Compiles and loads the drafter for the sequences of a step."""
        self.first.prepare()

    def draft(self, running: Rows[Sequence], capacity: int) -> None:
        """Drafts tokens for the sequences that decode."""
        decoding = [one for one in running if one.decodes and one.ids]
        for gone in [one for one in self._busy if one not in running]:
            del self._busy[gone]
        if not decoding:
            return
        most = (MOST + 1) // len(decoding) - 1
        for sequence in decoding:
            sequence.draft = None
            if sequence.speculation is None:
                sequence.speculation = Speculation()
            count = self._count(sequence, most, capacity)
            if count >= 0 and (most > 0 or self.tokens is not None):
                self._propose(sequence, count)

    def _count(self, sequence: Sequence, most: int, capacity: int) -> int:
        """Returns how many tokens to draft for a sequence."""
        count = self.tokens
        if count is None:
            if sequence.draft_length is None:
                weights = self.runner.model.source.weights.values()
                sequence.draft_length = DraftLength(self.first.cost(self.runner), run_times(weights))
            count = min(sequence.draft_length.choose(), most)
        if sequence.request.sampling.max_tokens is not None:
            count = min(count, sequence.request.sampling.max_tokens - len(sequence.ids) - 1)
        return max(min(count, capacity - len(sequence.tokens)), 0)

    def _propose(self, sequence: Sequence, count: int) -> None:
        drafter = self._drafter_of(sequence)
        if drafter is None:
            return
        hidden = np.array(sequence.hidden) if drafter.wants_hidden and sequence.hidden else None
        sampler = sequence.sampler
        draft = drafter.propose(sequence.tokens, hidden, count, sampler.sampling, sampler.random_ahead())
        sequence.draft = draft
        if draft.tokens and self.runner.recurrent:
            sequence.before_draft = sequence.states or self.runner.states_of(sequence)

    def _drafter_of(self, sequence: Sequence) -> Drafter | None:
        """Returns the drafter of a sequence; None if all drafters belong to other sequences."""
        drafter = self._busy.get(sequence)
        if drafter is None and len(self._busy) <= MOST:
            taken = any(other is self.first for other in self._busy.values())
            drafter = self._busy[sequence] = self.first.fork() if taken else self.first
        return drafter


# -- the core --------------------------------------------------------------------------------------------------------
_OVERFLOWS = ("error", "shift", "stop")
_TEXTS = 8
"""KV budget by default: this many full-length sequences,"""
_SHARE = 0.25
"""but at most this fraction of free memory."""
_KNOWN_AT_REST = 16 << 20
"""Bytes of cached prefixes that stay allocated while the engine is idle."""
_MOST_STATES = 64
"""Limit of prefixes of a recurrent model whose states are cached."""


def _has_pages(model: Model) -> bool:
    """Returns whether a model's device runs ragged batches on pages: it uses host memory, and one program serves all sizes."""
    return model.session.arrays.is_host and not find_backend(model.session.device).specializes


def check_overflow(overflow: str) -> None:
    """Raises for an unknown overflow policy."""
    if overflow not in _OVERFLOWS:
        raise RlxError("RLX902", f"overflow is {overflow!r}", fix=" or ".join(map(repr, _OVERFLOWS)))


class EngineCore(TakesTurns):
    """Core of a generating engine: schedules, runs and postprocesses steps. Its methods may be called from any thread."""

    def __init__(
        self,
        model: Model,
        limits: StepLimits,
        *,
        context: int | None,
        memory: int | float | None,
        prefix_cache: bool,
        draft: Drafter | None,
        draft_tokens: int | None,
        deterministic: bool,
        cache_dtype: str | None,
    ) -> None:
        hidden = draft is not None and draft.wants_hidden
        self.model = model
        self.runner: StepRunner
        if _has_pages(model):
            self.runner = PagedRunner(
                model, slots=limits.sequences, hidden=hidden, deterministic=deterministic, cache_dtype=cache_dtype
            )
        else:
            if cache_dtype not in (None, model.cache_dtype):
                message = f"cache_dtype is {cache_dtype!r}; on {model.session.device} keys and values are {model.cache_dtype}"
                raise RlxError("RLX902", message, fix='the device "cpu", or leave it out', at=None)
            self.runner = OneByOneRunner(model, capacity=context, chunk=limits.tokens, hidden=hidden)
            limits, prefix_cache = replace(limits, block=None), False
        self._limits = limits
        self._context, self._memory, self._prefix_cache = context, memory, prefix_cache and not hidden
        self._drafting = None if draft is None else Drafting(draft, draft_tokens, self.runner)
        super().__init__()
        self._arrived: list[Sequence] = []
        self._mutex, self._preparing = threading.Lock(), threading.Lock()
        self._ready: tuple[Scheduler, Postprocessor] | None = None
        self._steps = self._tokens_in = self._tokens_out = 0
        self._closed = False

    # -- coming in --------------------------------------------------------------------------------------------------
    @property
    def capacity(self) -> int:
        """The limit of tokens in a sequence: the engine's context length."""
        return checked_capacity(self.model, self._context)

    @cached_property
    def room(self) -> int:
        """The limit of tokens in a sequence that fits the page memory: without a budget, a full context always fits."""
        if self._memory is None:
            return self.capacity
        with self.model.session.lock:
            page_bytes = self.runner.page_bytes
        return min(self._page_count(page_bytes, self.capacity) * PAGE, self.capacity)

    @cached_property
    def _own_ends(self) -> frozenset[int]:
        """The model's own end-of-text tokens."""
        return end_ids(self.model)

    @cached_property
    def _changing_ropes(self) -> list[Rope]:
        """The rotary embeddings (RoPE) whose frequencies depend on the sequence length."""
        config = self.model.config
        ropes = [value for field in fields(config) if isinstance(value := getattr(config, field.name), Rope)]
        return [rope for rope in ropes if rope.long_frequencies or rope.dynamic]

    def submit(
        self,
        prompts: Rows[list[int]],
        sampling: Sampling,
        *,
        n: int = 1,
        overflow: str = "error",
        cache_salt: Hashable = None,
        **how: Any,
    ) -> tuple[Request, list[Sequence]]:
        """Submits the sequences of one call; errors come before anything runs."""
        check_overflow(overflow)
        check_is(n, int, "RLX902", "n", "an integer, 1 or more")
        if n < 1:
            raise RlxError("RLX902", f"n is {n}", fix="an integer, 1 or more")
        check_is(how.get("priority", 0), int, "RLX902", "priority", "an integer; a higher one goes first")
        check_is(how.get("caller"), Hashable, "RLX902", "caller", "a name: anything hashable")
        check_is(cache_salt, Hashable, "RLX902", "cache_salt", "a name: anything hashable")
        self._check_open()
        self._check_sampling(sampling)
        ends, own = stop_tokens(sampling, self._own_ends), self._own_ends
        request = Request(
            sampling, ends, own_ends=own, overflow=overflow, kind_of=lambda length: (cache_salt, self._kind_of(length)), **how
        )
        fitting = [self._fit(prompt, sampling, overflow) for prompt in prompts]
        sequences = []
        for number, prompt in enumerate(fitting):
            first = Sequence(request, self.model.tokenizer, prompt, number * n)
            first.forks = [Sequence(request, self.model.tokenizer, prompt, number * n + copy, copy) for copy in range(1, n)]
            sequences += [first, *first.forks]
        if sampling.runs:
            request.mailbox.remaining = len(sequences)
            with self._mutex:
                self._check_open()
                self._arrived += [one for one in sequences if one.row % n == 0]
            self._turns.news()
        return request, sequences

    def _check_open(self) -> None:
        if self._closed:
            raise RlxError("RLX906", "the engine is closed", fix="create another: Engine(model)", at=None)

    def _check_sampling(self, sampling: Sampling) -> None:
        """Checks that ids of logit_bias exist, and that texts have a tokenizer."""
        tokenizer = self.model.tokenizer
        if (sampling.stop or sampling.grammar is not None) and not tokenizer.vocabulary:
            tokenizer.encode("")  # raises the error
        vocabulary = self.model.config.vocab_size
        wrong = next((token for token in sampling.logit_bias if token >= vocabulary), None)
        if wrong is not None:
            raise RlxError("RLX902", f"logit_bias has the id {wrong}, the model has ids 0 to {vocabulary - 1}")

    def _fit(self, prompt: list[int], sampling: Sampling, overflow: str) -> list[int]:
        """Checks a prompt's length before anything runs: one that does not fit is refused, or shortened under "shift"."""
        vocabulary, room = self.model.config.vocab_size, self.room
        if min(prompt) < 0 or max(prompt) >= vocabulary:
            wrong = next(token for token in prompt if not 0 <= token < vocabulary)
            raise RlxError("RLX903", f"the prompt has the id {wrong}, the model has ids 0 to {vocabulary - 1}")
        if len(prompt) > room and overflow == "shift":
            prompt = self.shift(prompt)
        where = "the context" if room == self.capacity else "the memory for keys and values"
        more = "raise the context" if room == self.capacity else "Engine(model, memory=…) with more bytes"
        if len(prompt) > room:
            message = f"the prompt has {len(prompt)} tokens, {where} has room for {room}"
            raise RlxError("RLX901", message, fix=f"shorten the prompt, {more}, or overflow='shift'", at=None)
        limit = sampling.max_tokens
        if limit is not None and overflow == "error" and len(prompt) + limit - 1 > room:
            message = f"the prompt has {len(prompt)} tokens, max_tokens is {limit}; {where} has room for {room}"
            raise RlxError("RLX901", message, fix=f"fewer max_tokens, {more}, or overflow='stop' or 'shift'", at=None)
        return prompt

    def shift(self, tokens: list[int]) -> list[int]:
        """Returns the newer half of a full context, after the token that every text begins with."""
        bos = self.model.tokenizer.bos
        first = tokens[:1] if bos is not None and tokens[:1] == [bos] else []
        return first + tokens[-max(self.room // 2 - len(first), 1) :]

    def _kind_of(self, length: int) -> Hashable:
        """Returns what cached keys depend on besides the tokens: the prompt's length, where a RoPE changes with it."""
        return tuple(
            length if rope.dynamic and length > rope.trained_context else length > rope.trained_context
            for rope in self._changing_ropes
        )

    # -- ending -----------------------------------------------------------------------------------------------------
    def close(self) -> None:
        """Ends all streams; releases the memory and the thread."""
        with self._mutex:
            self._closed = True
        self._turns.stop()
        self._end_all(None)
        self._ready = None
        self.runner.free_memory()

    # -- a step -----------------------------------------------------------------------------------------------------
    def prepare(self) -> tuple[Scheduler, Postprocessor]:
        """Compiles, loads and packs the model and allocates the page pool: all that the first step would do before it runs."""
        with self._preparing:
            if self._ready is not None:
                return self._ready
            self._check_open()
            with self.model.session.lock:  # first, as in `room`: the runner's cached properties have a lock of their own
                page_bytes = self.runner.page_bytes
            pages = self._page_count(page_bytes, self.capacity)
            self.runner.prepare(pages)
            if self._drafting is not None:
                self._drafting.prepare()
            states = _MOST_STATES if self.model.recurrent and self._prefix_cache else 0
            memory = KvMemory(pages, prefix_cache=self._prefix_cache, most_states=states)
            scheduler = Scheduler(memory, self._limits)
            self._ready = scheduler, Postprocessor(scheduler, self.runner, self.room, self.shift)
            return self._ready

    def _page_count(self, page_bytes: int, capacity: int) -> int:
        """Returns the number of KV pages that fit the memory budget."""
        full = pages_of(capacity)
        if not page_bytes:
            return full * self._limits.sequences
        if self._memory is not None:
            pages = self._budget // page_bytes
            if isinstance(self._memory, float):
                pages = min(pages, full * _TEXTS)
            if pages < 1:
                message = f"memory is {self._budget} bytes, a page of {PAGE} tokens takes {page_bytes}"
                raise RlxError("RLX902", message, fix=f"at least {page_bytes}; a full context takes {full * page_bytes}")
            return pages
        return max(min(full * _TEXTS, self._budget // page_bytes), full)

    @cached_property
    def _budget(self) -> int:
        """The memory budget for keys and values in bytes."""
        if isinstance(self._memory, int):
            return self._memory
        free = free_memory()
        return int((1 << 32 if free is None else free) * (_SHARE if self._memory is None else self._memory))

    def _rest(self) -> None:
        """Releases memory while the engine is idle: a few cached prefixes stay, all other memory for keys and values is freed."""
        if self._ready is not None and not self._arrived and not any(self._ready[0].sequences):
            memory = self._ready[0].memory
            pages, states = (_KNOWN_AT_REST // max(size, 1) for size in (self.runner.page_bytes, self.runner.state_bytes))
            self.runner.copy_pages(memory.shrink(pages, states))
            self.runner.give_back(memory.tree.pages)
        super()._rest()

    def _step(self) -> bool:
        """Runs one step for all sequences; False if there is nothing to do."""
        try:
            begun = time.perf_counter()
            fresh = self._ready is None
            scheduler, post = self._ready or self.prepare()
            return self._step_of(scheduler, post, time.perf_counter() - begun if fresh else 0.0)
        except BaseException as error:
            self._end_all(error)
            return True

    def _step_of(self, scheduler: Scheduler, post: Postprocessor, setup: float) -> bool:
        begun = time.perf_counter()
        self._let_in(scheduler)
        touched = [*self._let_go(scheduler, post), *post.settle()]
        if self._drafting is not None:
            self._drafting.draft(scheduler.running, self.room)
        works = scheduler.plan()
        if works:
            memory = scheduler.memory
            if memory.copies:
                self.runner.copy_pages(memory.copies)
                memory.copies = []
            touched += post.take(works, self.runner.run(works))
            self._count(works, setup, time.perf_counter() - begun)
            touched += [work.sequence.request.mailbox for work in works]
        elif post.resting and not touched:
            post.wait()
        for box in touched:
            if box.is_ready():
                box.wake()
        return bool(works or touched or post.resting)

    def _let_in(self, scheduler: Scheduler) -> None:
        """Schedules sequences that arrived since the last step."""
        with self._mutex:
            for sequence in self._arrived:
                scheduler.add(sequence)
            self._arrived.clear()

    def _let_go(self, scheduler: Scheduler, post: Postprocessor) -> list[Mailbox]:
        """Removes sequences whose caller left."""
        gone = [one for one in scheduler.sequences if one.request.mailbox.cancelled]
        for sequence in gone:
            post.leave(sequence)
            for _ in sequence.forks:
                sequence.request.mailbox.remaining -= 1
        return [one.request.mailbox for one in gone]

    def _count(self, works: Rows[StepPart], setup: float, seconds: float) -> None:
        """Records which sequences ran in the step, and the step's time."""
        self._steps += 1
        prompts: dict[Request, int] = {}
        for work in works:
            request = work.sequence.request
            tokens = max(min(work.sequence.together - work.start, len(work.tokens)), 0)
            prompts[request] = prompts.get(request, 0) + tokens
            self._tokens_in += tokens
        for request, tokens in prompts.items():
            self._tokens_out += request.chosen
            request.note_step(tokens, setup, seconds)

    def _end_all(self, error: BaseException | None) -> None:
        """Ends every stream, with the error of the step that failed, and frees all pages and slots."""
        with self._mutex:
            everybody, self._arrived = self._arrived, []
        if self._ready is not None:
            scheduler, post = self._ready
            everybody += scheduler.sequences
            scheduler.clear()
            post.resting.clear()
            self.runner.free_slots()
        for box in {sequence.request.mailbox: None for sequence in everybody}:
            box.error, box.remaining = error, 0
            box.wake()

    # -- numbers ----------------------------------------------------------------------------------------------------
    def stats(self) -> EngineStats:
        """Returns the state of the engine: sequences, pages, token counts."""
        ready = self._ready
        if ready is None:
            return EngineStats(waiting=len(self._arrived))
        scheduler, memory = ready[0], ready[0].memory
        running, waiting = list(scheduler.running), len(scheduler.waiting) + len(self._arrived)
        held = {page for one in running for page in one.table}
        slots = [SlotStats(len(one.prompt), one.computed, len(one.ids), len(one.table), one.request.priority) for one in running]
        return EngineStats(
            len(running),
            waiting,
            len(held),
            memory.pool.count - memory.pool.free_count - len(held),
            memory.pool.count,
            self.runner.page_bytes,
            memory.asked,
            memory.found,
            scheduler.put_back_count,
            self._steps,
            self._tokens_in,
            self._tokens_out,
            slots,
        )
