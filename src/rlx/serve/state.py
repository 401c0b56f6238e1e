"""The state of a server: models, limits, metrics, and the answers on their way."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from rlx.generate.defaults import end_ids
from rlx.generate.grammar import SchemaNote, as_grammar
from rlx.generate.grammar_state import grammar_state
from rlx.serve.answer import Answering
from rlx.serve.background import SMALL, background_thread, run_in_thread
from rlx.serve.errors import ApiError
from rlx.serve.fields import ignore
from rlx.serve.limits import BODY_SIZE, ServeLimits
from rlx.serve.metrics import Metrics
from rlx.serve.models import ModelList
from rlx.serve.sse import while_connected
from rlx.serve.wanted import Wanted

log = logging.getLogger("rlx.serve")
T = TypeVar("T")
_SHORT = 8192
"""Characters of a grammar that is compiled at once."""


@dataclass
class ServerState:
    """What endpoints share."""

    models: ModelList
    limits: ServeLimits = field(default_factory=ServeLimits)
    strict: bool = False  # what would be ignored is refused
    log_text: bool = False  # whether prompts may be logged
    metrics: Metrics = field(default_factory=Metrics)
    active: dict[Answering, asyncio.TimerHandle] = field(default_factory=dict)
    draining: bool = False  # shutting down: answers on their way go on
    over: bool = False  # their time is over
    compilers: tuple[Executor, Executor] = field(
        default_factory=lambda: (ThreadPoolExecutor(1, "rlx-short-grammars"), background_thread("rlx-long-grammars"))
    )

    async def begin(self, request: Request, prepare: Callable[[], Wanted]) -> Answering:
        """Prepare a request in a worker thread, and submit it."""
        return await self.submit(await self.read(request, prepare))

    async def read(self, request: Request, work: Callable[[], T]) -> T:
        """What a worker thread makes of a request: its prompt, its tokens. A large one whose client left while it waited is not read."""
        size = BODY_SIZE.get()
        reading = run_in_thread(size, work)
        return await (reading if size <= SMALL else while_connected(request.receive, reading))

    async def submit(self, wanted: Wanted) -> Answering:
        """Hand a request to its engine; it is cancelled when its time is over."""
        self.check_open()
        if self.log_text:
            log.info("prompt: %s", wanted.served.model.tokenizer.decode(wanted.prompt, special=True))
        answering = await self._submitted(wanted)
        timer = asyncio.get_running_loop().call_later(self.limits.timeout, answering.cancel, self._late())
        self.active[answering] = timer
        return answering

    async def _submitted(self, wanted: Wanted) -> Answering:
        """A request at its engine. Its grammar is compiled first, and what that does not obey is named."""
        grammar = as_grammar(wanted.sampling.grammar)
        if grammar is not None:
            size = len(grammar.text) + sum(len(part.text) for part in grammar.parts)
            compiler = self.compilers[size > _SHORT]  # short ones do not wait for long ones
            notes = await asyncio.get_running_loop().run_in_executor(compiler, _notes_of, wanted)
            for note in notes:
                ignore(f"{note.schema} {note.place}", note.what, log_it=False)
        return await asyncio.to_thread(Answering, wanted)

    def check_open(self) -> None:
        """An error once the answers on their way have been ended."""
        if self.over:
            raise ApiError(503, "the server is shutting down", retry_after=5)

    async def within_time(self, work: Coroutine[Any, Any, T]) -> T:
        """What is not a text, within the time of an answer."""
        try:
            return await asyncio.wait_for(work, self.limits.timeout)
        except TimeoutError:
            raise self._late() from None

    def _late(self) -> ApiError:
        return ApiError(504, f"the answer took longer than {self.limits.timeout:g} seconds", code="timeout")

    def ended(self, answering: Answering) -> None:
        """The answer is over, or nobody waits for it."""
        timer = self.active.pop(answering, None)
        if timer is not None:
            timer.cancel()
            answering.cancel()
            self.metrics.note(answering)

    async def whole(self, request: Request, *answerings: Answering) -> None:
        """Read answers to their end, while the client is there."""
        try:
            await while_connected(request.receive, _read(answerings))
        finally:
            for answering in answerings:
                self.ended(answering)

    def drain(self) -> None:
        """End all answers: the server is shutting down."""
        self.draining = self.over = True
        for answering in list(self.active):
            answering.cancel(ApiError(503, "the server is shutting down", retry_after=5))


def _notes_of(wanted: Wanted) -> list[SchemaNote]:
    """What the grammars of a request leave out; they are compiled here."""
    model = wanted.served.model
    asked = [wanted.sampling, *([] if wanted.budget is None or wanted.last is None else [wanted.last])]
    states = [grammar_state(sampling, model.tokenizer, end_ids(model)) for sampling in asked]
    return [note for state in states if state is not None for note in state.notes]


async def _read(answerings: Sequence[Answering]) -> None:
    for answering in answerings:  # they run together whoever is read first
        async for _ in answering.parts():
            pass


def as_json(data: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A response of JSON."""
    return Response(msgspec.json.encode(data), status, headers, "application/json")
