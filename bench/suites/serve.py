"""Many clients of one model: the engine beside llama.cpp's server with as many slots, both in process, round by round in turns; and
the engine behind `rlx serve`, whose clients are another process (`bench.http_side`).

Requests, arrivals and measures are described in `bench.load`, the peer in `bench.llama_server`. A round is one call: `best` and the rate
are answers alone, of the best round; the line below each table has all tokens and the latencies (medians over the rounds). `error` is
that of the answers' lengths. The first round of each side warms up and is not counted.

- **mixed**: prompts of 32 to 512 and answers of 16 to 256 tokens, by 1, 4, 16 and 64 clients;
- **decode-heavy**: prompts of 8, answers of 128;
- **prefill 128** of the suite gguf, measured here because all tokens of the mixed load are compared with it;
- **shared prompt**: 400 tokens that all prompts begin with and 16 of their own, one client, the engine's prefix cache on and off; the
  time of a call is the median time to the first token.

At the end the ratios and the bars they must reach (`bench.serve_bars`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from bench import serve_bars
from bench.harness import Contender, Seconds, Settings, Timing, Unavailable, Workload
from bench.http_side import HttpSide, PeerHttpSide
from bench.llama_server import LlamaServer
from bench.load import Measures, Mix, Record, Request, Rounds, drive, measured
from bench.models import gguf_files
from bench.serve_bars import DECODE, HTTP, MIXED, OURS, PEER, PEER_HTTP, PREFILL, SHARED, UNCACHED
from bench.suites.gguf import Pair, print_peer, weight_counts

MIXES = {MIXED: Mix(), DECODE: Mix((8, 8), (128, 128)), SHARED: Mix((16, 16), (16, 16), shared=400)}
CLIENTS, QUICK_CLIENTS = (1, 4, 16, 64), (1, 4, 16)
DECODE_CLIENTS = (1, 16)
SPECIAL = "254M Q4_K_M"  # the model of everything but the mixed load
MODELS = (("254M", "Q4_K_M"), ("254M", "Q8_0"), ("530M", "Q4_K_M"), ("530M", "Q8_0"))
CONTEXT_STEP = 256  # contexts are whole ones of these, as the peer's are

Drive = Callable[[Sequence[Request], int], list[Record]]


def workloads(settings: Settings) -> Iterator[Workload]:
    """All loads of each file, then what they come to."""
    peer = print_peer()
    found: dict[tuple[str, str, int], dict[str, dict[str, float]]] = {}
    for name, path in _files(settings):
        served = ServedModel(name, path, settings, found, peer)
        for clients in QUICK_CLIENTS if settings.quick else CLIENTS:
            yield from served.load(MIXED, clients)
        if name == SPECIAL:
            for clients in DECODE_CLIENTS:
                yield from served.load(DECODE, clients)
            yield from served.load(SHARED, 1)
            yield from served.prefill()
    _tell(serve_bars.text(found))


def _files(settings: Settings) -> Iterator[tuple[str, Path]]:
    try:
        yield "SmolLM2-135M Q4_1", gguf_files.smollm2_file()
    except Unavailable as reason:
        print(f"  SmolLM2: {reason}\n", file=sys.stderr)
    for size, mixture in MODELS[:1] if settings.quick else MODELS:
        yield f"{size} {mixture}", gguf_files.model_file(size, mixture)


@dataclass
class ServedModel:
    """One file and the loads on it; what is measured goes into `found`."""

    name: str
    path: Path
    settings: Settings
    found: dict[tuple[str, str, int], dict[str, dict[str, float]]]
    peer: str = "best peer"  # what the peer is called in the tables

    @cached_property
    def model(self) -> Any:
        from rlx.models.model import open_model

        return open_model(self.path)

    def load(self, kind: str, clients: int) -> Iterator[Workload]:
        """One kind of load by so many clients; sides live as long as it is measured."""
        mix = MIXES[kind]
        ours = partial(EngineSide, self.model, clients, _context(mix))
        sides = [_Side(OURS, ours)]
        if kind == SHARED:
            sides.append(_Side(UNCACHED, partial(ours, prefix_cache=False)))
        else:
            sides.append(_Side(HTTP, lambda: HttpSide(self.model, EngineSide(self.model, clients, _context(mix)).engine)))
        peer = partial(LlamaServer, self.path, clients, _context(mix), self.settings.threads)
        sides.append(_Side(PEER, peer))
        if kind != SHARED:
            sides.append(_Side(PEER_HTTP, lambda: PeerHttpSide(peer())))
        race = LoadRace(mix, clients, self._count(kind, clients), sides, rounds=2 if self.settings.quick else 3)
        weights, head, _ = weight_counts(self.model)
        name = f"{self.name}, {kind}, {clients} client{'s' * (clients > 1)}"
        try:
            yield self._noted(race.workload(name, weights, head, first_token=kind == SHARED), kind, clients)
        finally:
            race.close()
        _tell(serve_bars.latencies(self.found.get((self.name, kind, clients), {})))

    def prefill(self) -> Iterator[Workload]:
        """The suite gguf's own workload, noted beside the loads."""
        pair = Pair(self.path, self.settings, self.peer)
        workload = pair.workload(f"{self.name}, {PREFILL}", pair.tokens[:128], 0)

        def rate(timing: Timing) -> dict[str, float]:
            return {"total_rate": workload.tokens / timing.best}

        yield self._noted(replace(workload, measures=rate), PREFILL, 1)
        pair.close()

    def _count(self, kind: str, clients: int) -> int:
        """Requests of a round: fewer for each client where there are many."""
        if kind == SHARED:
            return 8
        each = 2 if self.settings.quick or clients > 16 else 4
        return max(each * clients, 4 if self.settings.quick else 8)

    def _noted(self, workload: Workload, kind: str, clients: int) -> Workload:
        measures = workload.measures
        assert measures is not None

        def note(timing: Timing) -> dict[str, float]:
            seen = measures(timing)
            self.found.setdefault((self.name, kind, clients), {})[timing.name] = seen
            return seen

        return replace(workload, measures=note)


def _tell(text: str) -> None:
    """Beside the tables, so that JSON stays alone on the other stream."""
    if text:
        print(text, end="\n\n", file=sys.stderr, flush=True)


def _context(mix: Mix) -> int:
    return -(-mix.context // CONTEXT_STEP) * CONTEXT_STEP


class EngineSide:
    """Our engine and its clients in this process."""

    def __init__(self, model: Any, clients: int, context: int, **settings: Any) -> None:
        from rlx.generate import Engine

        memory = _page_memory(model, clients, context)
        self.engine = Engine(model, context=context, batch=clients, memory=memory, **settings)
        if clients > 1:
            self.engine.start()  # as a server does; one client steps the engine itself

    def drive(self, requests: Sequence[Request], clients: int) -> list[Record]:
        """A round."""
        return drive(self.answer, requests, clients)

    def answer(self, request: Request, arrived: Callable[[], None]) -> int:
        """Greedy, of fixed length."""
        stream = begin(self.engine, request)
        for _ in stream.pieces():
            arrived()
        return len(stream.result.ids)

    def close(self) -> None:
        """Its threads end."""
        self.engine.close()


def _page_memory(model: Any, clients: int, context: int) -> int:
    """Bytes in which every client's longest request fits at once, as it does in the peer's slots."""
    from rlx.generate import Engine
    from rlx.models.flow import PAGE

    one = Engine(model, context=context, batch=1)
    one.prepare()
    page_bytes = one.stats().page_bytes
    one.close()
    return -(-context // PAGE) * clients * int(page_bytes)


def begin(engine: Any, request: Request) -> Any:
    """The stream of a request."""
    return engine.submit(request.prompt, temperature=0.0, max_tokens=request.answer, ignore_eos=True)


@dataclass
class _Side:
    """One side: made when its contender is built, closed with the load."""

    name: str
    make: Callable[[], Any]
    made: Any = None
    rounds: Rounds = field(default_factory=Rounds)
    counts: np.ndarray = field(default_factory=lambda: np.empty(0))  # tokens of the last round's answers


@dataclass
class LoadRace:
    """One load on several sides: the same list of requests for all in each round, new ids in the next."""

    mix: Mix
    clients: int
    count: int
    sides: list[_Side]
    rounds: int

    def workload(self, name: str, weights: float, head: float, first_token: bool = False) -> Workload:
        """Its call is a round: the seconds it took, or (`first_token`) until the first token came."""
        requests = self.mix.requests(self.count)
        prompts, answers = sum(len(each.prompt) for each in requests), sum(each.answer for each in requests)
        flops = 2.0 * ((weights * prompts + head * self.count) + (weights + head) * (answers - self.count))
        return Workload(
            name,
            flops=2.0 * (weights * (prompts / self.count - self.mix.shared) + head) if first_token else flops,
            bytes_from_memory=0.0,
            reference=lambda: np.array([float(each.answer) for each in requests]),
            contenders=[(side.name, partial(self._contender, side, first_token)) for side in self.sides],
            rate="tokens/s",
            tokens=prompts / self.count if first_token else answers,
            tolerance=0.0,
            rounds=self.rounds,
            measures=lambda timing: self._summary(timing.name).plain(),
        )

    def close(self) -> None:
        """Give back what the sides hold."""
        for side in self.sides:
            if side.made is not None:
                side.made.close()
                side.made = None

    def _contender(self, side: _Side, first_token: bool) -> Contender:
        side.made = side.make()
        return Contender(side.name, lambda: self._round(side, first_token), lambda: side.counts)

    def _round(self, side: _Side, first_token: bool) -> Seconds:
        records = side.made.drive(self.mix.requests(self.count, turn=len(side.rounds.found)), self.clients)
        if failed := next((record.error for record in records if record.error), ""):
            print(f"  {side.name}: {failed}", file=sys.stderr)
        seen = measured(records)
        side.rounds.found.append(seen)
        side.counts = np.array([float(record.answer) for record in records])
        return Seconds(seen.first_p50 if first_token else seen.seconds)

    def _summary(self, name: str) -> Measures:
        return next(side for side in self.sides if side.name == name).rounds.summary()
