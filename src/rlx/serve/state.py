"""The state of a server: models, limits, metrics, and the running answers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response

from rlx.generate.engine.embedding import Array
from rlx.generate.grammar import SchemaNote, as_grammar
from rlx.generate.grammar_state import grammar_state
from rlx.generate.sampling_settings import end_ids
from rlx.serve.answer import Answering
from rlx.serve.engine_request import CALLER, EngineRequest
from rlx.serve.errors import ApiError
from rlx.serve.fields import ignore
from rlx.serve.limits import ServeLimits
from rlx.serve.models import ModelList, ServedModel
from rlx.serve.request_reading import BODY_SIZE, SMALL, background_thread, run_in_thread
from rlx.serve.sse import EventStream, while_connected

# -- metrics ---------------------------------------------------------------------------------------------------------
_SECONDS = (0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 320)
_GAPS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5)
_TOKENS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000)
_GAUGES = {
    "running": ("num_requests_running", "sequences that a step computes"),
    "waiting": ("num_requests_waiting", "sequences that wait for their first step"),
}
_COUNTERS = {
    "preemptions": ("num_preemptions", "sequences put back since pages ran out"),
    "prefix_hits": ("prefix_cache_hits", "prompt tokens found in the prefix cache"),
    "prefix_queries": ("prefix_cache_queries", "prompt tokens looked up in the prefix cache"),
    "tokens_in": ("prompt_tokens", "prompt tokens"),
    "tokens_out": ("generation_tokens", "generated tokens"),
}


class Metrics:
    """Prometheus metrics: histograms, which answers are recorded in, and the engines' counts, which are read on request."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry(auto_describe=False)
        self.first = self._histogram("time_to_first_token_seconds", "until the first piece", _SECONDS)
        self.gaps = self._histogram("inter_token_latency_seconds", "between pieces", _GAPS)
        self.latency = self._histogram("e2e_request_latency_seconds", "of a whole request", _SECONDS)
        self.prompts = self._histogram("request_prompt_tokens", "prompt tokens of a request", _TOKENS)
        self.texts = self._histogram("request_generation_tokens", "generated tokens of a text", _TOKENS)
        labels = ["model_name", "finished_reason"]
        self.successes = Counter("rlx:request_success", "texts by why they ended", labels, registry=self.registry)

    def _histogram(self, name: str, help_text: str, buckets: tuple[float, ...]) -> Histogram:
        return Histogram(f"rlx:{name}", help_text, ["model_name"], buckets=buckets, registry=self.registry)

    def watch(self, models: ModelList) -> None:
        """Collects the counts of these models' engines whenever metrics are requested."""
        self.registry.register(EngineCollector(models))

    def note(self, answering: Answering) -> None:
        """Records a finished answer in the histograms."""
        name = answering.request.served.name
        if answering.first is not None:
            self.first.labels(name).observe(answering.first - answering.began)
        gaps = self.gaps.labels(name)
        for gap in answering.gaps:
            gaps.observe(gap)
        self.latency.labels(name).observe(answering.last - answering.began)
        self.prompts.labels(name).observe(answering.prompt_tokens)
        for row in answering.rows:
            self.texts.labels(name).observe(len(row.ids))
            self.successes.labels(name, "abort" if row.finish in ("cancelled", "interrupted") else row.reason).inc()

    def text(self) -> bytes:
        """Formats all metrics for Prometheus."""
        return generate_latest(self.registry)


class EngineCollector(Collector):
    """Prometheus collector of the engines' own counts."""

    def __init__(self, models: ModelList) -> None:
        self.models = models

    def collect(self) -> Iterator[Metric]:
        """Yields a metric family for each count, with a sample for each model."""
        engines = {one.name: one.engine.stats() for one in self.models.models}
        for attribute, (name, help_text) in _GAUGES.items():
            gauge = GaugeMetricFamily(f"rlx:{name}", help_text, labels=["model_name"])
            for model, stats in engines.items():
                gauge.add_metric([model], getattr(stats, attribute))
            yield gauge
        usage = GaugeMetricFamily("rlx:kv_cache_usage_perc", "share of the pages in use, 0 to 1", labels=["model_name"])
        for model, stats in engines.items():
            usage.add_metric([model], stats.pages_used / max(stats.pages_total, 1))
        yield usage
        for attribute, (name, help_text) in _COUNTERS.items():
            counter = CounterMetricFamily(f"rlx:{name}", help_text, labels=["model_name"])
            for model, stats in engines.items():
                counter.add_metric([model], getattr(stats, attribute))
            yield counter


# -- the state -------------------------------------------------------------------------------------------------------
log = logging.getLogger("rlx.serve")
T = TypeVar("T")
_SHORT = 8192
"""Grammars up to so many characters do not wait for longer ones."""


@dataclass
class ServerState:
    """State that the server's endpoints share: models, limits, metrics, running answers."""

    models: ModelList
    limits: ServeLimits = field(default_factory=ServeLimits)
    strict: bool = False  # what would be ignored is refused
    log_text: bool = False  # whether prompts may be logged
    metrics: Metrics = field(default_factory=Metrics)
    active: dict[Answering, asyncio.TimerHandle] = field(default_factory=dict)
    draining: bool = False  # shutting down: running answers continue
    over: bool = False  # the time for running answers has ended
    compilers: tuple[Executor, Executor] = field(
        default_factory=lambda: (ThreadPoolExecutor(1, "rlx-short-grammars"), background_thread("rlx-long-grammars"))
    )

    async def begin(self, request: Request, prepare: Callable[[], EngineRequest]) -> Answering:
        """Builds a request in a worker thread, and submits it."""
        return await self.submit(await self.read(request, prepare))

    async def read(self, request: Request, work: Callable[[], T]) -> T:
        """Runs work on a request in a worker thread. A large request whose client left while it waited is skipped."""
        size = BODY_SIZE.get()
        reading = run_in_thread(size, work)
        return await (reading if size <= SMALL else while_connected(request.receive, reading))

    async def submit(self, request: EngineRequest) -> Answering:
        """Submits a request to its engine; the answer is cancelled after the time limit."""
        self.check_open()
        if self.log_text:
            log.info("prompt: %s", request.served.model.tokenizer.decode(request.prompt, special=True))
        answering = await self._compile_and_submit(request)
        timer = asyncio.get_running_loop().call_later(self.limits.timeout, answering.cancel, self._late())
        self.active[answering] = timer
        return answering

    async def _compile_and_submit(self, request: EngineRequest) -> Answering:
        """Compiles the grammar of a request, reports its unenforced parts, and submits the request."""
        grammar = as_grammar(request.sampling.grammar)
        if grammar is not None:
            size = len(grammar.text) + sum(len(part.text) for part in grammar.parts)
            compiler = self.compilers[size > _SHORT]  # short ones do not wait for long ones
            notes = await asyncio.get_running_loop().run_in_executor(compiler, _notes_of, request)
            for note in notes:
                ignore(f"{note.schema} {note.place}", note.what, log_it=False)
        return await asyncio.to_thread(Answering, request)

    def check_open(self) -> None:
        """Raises once the server has ended its answers at shutdown."""
        if self.over:
            raise ApiError(503, "the server is shutting down", retry_after=5)

    async def embed(self, request: Request, served: ServedModel, texts: Sequence[Any], **options: Any) -> tuple[Array, int]:
        """Awaits the vectors of texts, and the number of their tokens."""
        self.check_open()
        call = await self.read(request, lambda: served.engine.submit_embed(texts, caller=CALLER.get(), **options))
        return await self.within_time(while_connected(request.receive, call.gathered())), call.tokens

    def stream(self, request: Request, chunks: AsyncIterator[bytes], *answerings: Answering, **options: Any) -> EventStream:
        """Builds a response that sends chunks as they come; the answers are finished when it ends, or the client leaves."""
        return EventStream(chunks, request.url.path, done=lambda: self._finish_all(answerings), **options)

    def _finish_all(self, answerings: Sequence[Answering]) -> None:
        for answering in answerings:
            self.finish(answering)

    async def within_time(self, work: Coroutine[Any, Any, T]) -> T:
        """Awaits the result of other work, within the time limit of an answer."""
        try:
            return await asyncio.wait_for(work, self.limits.timeout)
        except TimeoutError:
            raise self._late() from None

    def _late(self) -> ApiError:
        return ApiError(504, f"the answer took longer than {self.limits.timeout:g} seconds", code="timeout")

    def finish(self, answering: Answering) -> None:
        """Unregisters an answer that is complete, or whose client left."""
        timer = self.active.pop(answering, None)
        if timer is not None:
            timer.cancel()
            answering.cancel()
            self.metrics.note(answering)

    async def read_all(self, request: Request, *answerings: Answering) -> None:
        """Reads answers to their end while the client is connected."""
        try:
            await while_connected(request.receive, _read_to_ends(answerings))
        finally:
            self._finish_all(answerings)

    def drain(self) -> None:
        """Ends all answers: the server is shutting down."""
        self.draining = self.over = True
        for answering in list(self.active):
            answering.cancel(ApiError(503, "the server is shutting down", retry_after=5))


def _notes_of(request: EngineRequest) -> list[SchemaNote]:
    """Compiles the grammars of a request; returns notes on unenforced parts."""
    model = request.served.model
    asked = [request.sampling, *([] if request.budget is None or request.last is None else [request.last])]
    states = [grammar_state(sampling, model.tokenizer, end_ids(model)) for sampling in asked]
    return [note for state in states if state is not None for note in state.notes]


async def _read_to_ends(answerings: Sequence[Answering]) -> None:
    for answering in answerings:  # they run together whoever is read first
        async for _ in answering.parts():
            pass


def as_json(data: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Builds a JSON response."""
    return Response(msgspec.json.encode(data), status, headers, "application/json")
