"""Load: what many clients ask of a model at once, and how long they wait.

**Requests.** A *mix* says how long prompts and answers are. Lengths are log-uniform and stratified: n requests take the n evenly spaced
quantiles, in a random order, so that a short run has the same mix as a long one. Each round's prompts are new random ids (a prefix cache
helps only where the mix shares a prefix), of the same lengths in every round. The seed decides all: both sides get the same list.

**Arrivals.** Each client is a Poisson source that is silent while it waits for its answer: it waits an exponential time, of `THINK`
seconds in the mean, takes the next request of the list, reads the answer to its end, and waits again. A closed loop and not a fixed rate,
because at a rate that both sides can serve their throughput is the same, and at a higher one the slower side's queue grows without end.

**Measures.** Throughput counts the seconds in which at least one request was on its way. The time to the first token is from the request to
its first piece of text; the time between tokens from one piece to the next of one answer, over all answers together. Answers have a fixed
length; one that fails or has another length is an error.
"""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace

import numpy as np

THINK = 0.1  # seconds, in the mean, between an answer and the client's next request
IDS = (300, 30000)  # of prompts: words of every model here, no special tokens

Answer = Callable[["Request", Callable[[], None]], int]
"""Reads one answer to its end: calls the function at each piece of text, gives the number of tokens."""


@dataclass(frozen=True)
class Request:
    """What one client asks: a prompt of ids, an answer of exactly `answer` tokens, `think` seconds after it was free to ask."""

    prompt: list[int]
    answer: int
    think: float


@dataclass(frozen=True)
class Mix:
    """How long prompts and answers are (least, most), behind `shared` tokens that every prompt begins with."""

    prompts: tuple[int, int] = (32, 512)
    answers: tuple[int, int] = (16, 256)
    shared: int = 0
    ids: tuple[int, int] = IDS
    think: float = THINK

    @property
    def context(self) -> int:
        """Tokens the longest request has."""
        return self.shared + self.prompts[1] + self.answers[1]

    def requests(self, count: int, turn: int = 0, seed: int = 0) -> list[Request]:
        """The list of one round: lengths and waits depend on the seed, ids on the round as well."""
        random = np.random.default_rng(seed)
        prompts, answers = _lengths(random, self.prompts, count), _lengths(random, self.answers, count)
        thinks = random.exponential(self.think, count)
        common = random.integers(*self.ids, self.shared).tolist()
        own = np.random.default_rng([seed, turn])
        return [
            Request(common + own.integers(*self.ids, prompt).tolist(), int(answer), float(think))
            for prompt, answer, think in zip(prompts, answers, thinks, strict=True)
        ]


def _lengths(random: np.random.Generator, bounds: tuple[int, int], count: int) -> np.ndarray:
    """The quantiles of the log-uniform distribution in a random order."""
    least, most = bounds
    spread = least * (most / least) ** ((np.arange(count) + 0.5) / count)
    return np.rint(random.permutation(spread)).astype(int)


@dataclass(frozen=True)
class Record:
    """One request as its client saw it; times by the clock of the process it ran in."""

    begun: float
    pieces: list[float]  # when each piece of text came
    ended: float
    prompt: int
    answer: int  # tokens
    error: str = ""


def drive(answer: Answer, requests: Sequence[Request], clients: int) -> list[Record]:
    """All requests by so many clients; the records are in the order of the list."""
    found: list[Record | None] = [None] * len(requests)
    waiting = iter(range(len(requests)))
    lock = threading.Lock()

    def client() -> None:
        while True:
            with lock:
                number = next(waiting, None)
            if number is None:
                return
            time.sleep(requests[number].think)
            found[number] = _asked(answer, requests[number])

    threads = [threading.Thread(target=client, name=f"client {number}") for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [record for record in found if record is not None]


def _asked(answer: Answer, request: Request) -> Record:
    pieces: list[float] = []
    count, error = 0, ""
    begun = time.perf_counter()
    try:
        count = answer(request, lambda: pieces.append(time.perf_counter()))
        if count != request.answer:
            error = f"{count} tokens instead of {request.answer}"
    except Exception as failure:
        error = f"{type(failure).__name__}: {failure}".split("\n")[0][:160]
    return Record(begun, pieces, time.perf_counter(), len(request.prompt), count, error)


@dataclass(frozen=True)
class Measures:
    """A round in numbers; times in seconds, rates in tokens per second."""

    seconds: float = 0.0  # in which a request was on its way
    answer_rate: float = 0.0
    total_rate: float = 0.0  # prompts and answers
    first_p50: float = 0.0
    first_p95: float = 0.0
    between_p50: float = 0.0
    between_p95: float = 0.0
    errors: float = 0.0

    def plain(self) -> dict[str, float]:
        """As a dictionary."""
        return asdict(self)


def measured(records: Sequence[Record]) -> Measures:
    """The numbers of a round; a failed request counts as an error and in nothing else."""
    right = [record for record in records if not record.error]
    seconds = busy((record.begun, record.ended) for record in records)
    answers, prompts = sum(record.answer for record in right), sum(record.prompt for record in right)
    first = [record.pieces[0] - record.begun for record in right if record.pieces]
    between = [late - early for record in right for early, late in zip(record.pieces, record.pieces[1:], strict=False)]
    return Measures(
        seconds,
        answers / seconds if seconds else 0.0,
        (prompts + answers) / seconds if seconds else 0.0,
        percentile(first, 50),
        percentile(first, 95),
        percentile(between, 50),
        percentile(between, 95),
        float(len(records) - len(right)),
    )


def busy(spans: Iterable[tuple[float, float]]) -> float:
    """How long at least one of the spans lasted."""
    total, reached = 0.0, float("-inf")
    for begun, ended in sorted(spans):
        total += max(0.0, ended - max(begun, reached))
        reached = max(reached, ended)
    return total


def percentile(times: Sequence[float], share: float) -> float:
    """Interpolated between the two nearest; 0 of nothing."""
    return float(np.percentile(times, share)) if times else 0.0


@dataclass
class Rounds:
    """The rounds of one side, the first of which only warms up."""

    found: list[Measures] = field(default_factory=list)

    def summary(self) -> Measures:
        """Of the rounds that count: throughput of the best, the median of each latency; the errors of all rounds."""
        counted = self.found[1:] or self.found
        if not counted:
            return Measures()
        best = min(counted, key=lambda one: one.seconds)
        latencies = ("first_p50", "first_p95", "between_p50", "between_p95")
        medians = {name: statistics.median(getattr(one, name) for one in counted) for name in latencies}
        return replace(best, errors=sum(one.errors for one in self.found), **medians)
