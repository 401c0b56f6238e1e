"""The suite serve: its requests, its arithmetic on records made by hand, its bars, and a small engine under load."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench import environment, serve_bars, table
from bench.harness import Settings, measure
from bench.http_side import HttpClients, HttpSide
from bench.limits import Limits
from bench.llama_server import LlamaServer
from bench.load import Measures, Mix, Record, Request, Rounds, busy, drive, measured, percentile
from bench.models import gguf_files
from bench.suites import serve

TINY = gguf_files.Size("tiny", 256, 1, 4, 2, 256, vocab=320)
SMALL = Mix((4, 12), (3, 6), ids=(4, 300), think=0.002)


# -- requests ------------------------------------------------------------------------------------------------------
def test_a_seed_and_a_round_decide_the_requests() -> None:
    mix = Mix()
    assert mix.requests(9, turn=2, seed=5) == mix.requests(9, turn=2, seed=5)
    assert mix.requests(9, seed=5) != mix.requests(9, seed=6)


def test_rounds_have_other_ids_of_the_same_lengths_and_waits() -> None:
    first, second = (Mix(shared=7).requests(20, turn) for turn in (0, 1))
    for one, other in zip(first, second, strict=True):
        assert (len(one.prompt), one.answer, one.think) == (len(other.prompt), other.answer, other.think)
        assert one.prompt[:7] == first[0].prompt[:7] == other.prompt[:7] and one.prompt[7:] != other.prompt[7:]


@pytest.mark.parametrize("count", [4, 63, 500])
def test_lengths_are_log_uniform_for_every_number_of_requests(count: int) -> None:
    requests = Mix().requests(count)
    for lengths, least, most in (([len(each.prompt) for each in requests], 32, 512), ([each.answer for each in requests], 16, 256)):
        assert least <= min(lengths) and max(lengths) <= most
        assert np.exp(np.log(lengths).mean()) == pytest.approx(np.sqrt(least * most), rel=0.03)
        assert np.mean(lengths) == pytest.approx((most - least) / np.log(most / least), rel=0.06)
    assert all(300 <= token < 30000 for each in requests for token in each.prompt)


def test_waits_are_exponential() -> None:
    waits = np.array([each.think for each in Mix((1, 1), (1, 1)).requests(4000)])
    assert waits.mean() == pytest.approx(0.1, rel=0.1) and waits.std() == pytest.approx(0.1, rel=0.1)


def test_one_length_is_exact() -> None:
    assert {(len(each.prompt), each.answer) for each in serve.MIXES["decode-heavy"].requests(9)} == {(8, 128)}


# -- measures ------------------------------------------------------------------------------------------------------
def test_the_numbers_of_records_made_by_hand() -> None:
    """Two answers overlap, a third begins after a pause of 5 s, a fourth fails in that time."""
    records = [
        Record(0.0, [1.0, 1.5, 2.0], 2.0, prompt=10, answer=3),
        Record(1.0, [4.0, 4.2], 4.5, prompt=20, answer=2),
        Record(9.5, [9.7, 9.8, 9.9], 10.0, prompt=30, answer=3),
        Record(9.6, [], 9.9, prompt=40, answer=0, error="no"),
    ]
    seen = measured(records)
    assert seen.seconds == pytest.approx(5.0) and seen.errors == 1
    assert seen.answer_rate == pytest.approx(8 / 5) and seen.total_rate == pytest.approx(68 / 5)
    assert seen.first_p50 == pytest.approx(1.0)  # of 0.2, 1, 3
    assert seen.first_p95 == pytest.approx(1.0 + 0.9 * 2.0)
    assert seen.between_p50 == pytest.approx(0.2)  # of 0.1, 0.1, 0.2, 0.5, 0.5
    assert seen.between_p95 == pytest.approx(0.5)


def test_percentiles_lie_between_the_nearest_times() -> None:
    times = list(range(101))[::-1]
    assert [percentile(times, share) for share in (0, 50, 95, 100)] == [0, 50, 95, 100]
    assert percentile([1.0, 2.0], 95) == pytest.approx(1.95) and percentile([], 95) == 0.0


def test_time_in_which_nobody_waits_does_not_count() -> None:
    assert busy([(5, 6), (0, 2), (1, 3), (1.5, 1.7)]) == 4 and busy([]) == 0


def test_the_first_round_warms_up() -> None:
    rounds = Rounds([Measures(seconds=0.1, first_p95=9.0, errors=1)])
    rounds.found += [Measures(seconds=2.0, answer_rate=5, first_p95=3), Measures(seconds=1.0, answer_rate=10, first_p95=1)]
    seen = rounds.summary()
    assert (seen.seconds, seen.answer_rate, seen.first_p95, seen.errors) == (1.0, 10, 2.0, 1)


# -- clients -------------------------------------------------------------------------------------------------------
class FakeSide:
    """Answers after a while, and remembers how many it was answering at once."""

    def __init__(self, fails: int = -1) -> None:
        self.lock, self.now, self.most, self.fails = threading.Lock(), 0, 0, fails
        self.seen: list[list[int]] = []

    def __call__(self, request: Request, arrived: Callable[[], None]) -> int:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
            self.seen.append(request.prompt)
        time.sleep(0.02)
        for _ in range(request.answer):
            arrived()
        with self.lock:
            self.now -= 1
        if request.answer == self.fails:
            raise ValueError("not this one")
        return request.answer

    def drive(self, requests: list[Request], clients: int) -> list[Record]:
        return drive(self, requests, clients)

    def close(self) -> None: ...


def test_every_request_is_answered_once_by_no_more_clients_than_there_are() -> None:
    side, requests = FakeSide(), [Request([number], number % 3 + 1, 0.001) for number in range(20)]
    records = drive(side, requests, clients=4)
    assert sorted(side.seen) == [[number] for number in range(20)] and 1 < side.most <= 4
    assert [record.answer for record in records] == [request.answer for request in requests]
    assert all(len(record.pieces) == record.answer and not record.error for record in records)
    assert all(record.begun + 0.02 <= record.pieces[0] <= record.ended for record in records)


def test_a_failing_answer_is_one_error_and_the_others_go_on() -> None:
    records = drive(FakeSide(fails=2), [Request([1], number % 3 + 1, 0.0) for number in range(6)], clients=2)
    assert [record.error for record in records] == ["", "ValueError: not this one", ""] * 2


def test_an_answer_of_another_length_is_an_error() -> None:
    (record,) = drive(lambda request, arrived: 3, [Request([1], 4, 0.0)], clients=1)
    assert record.error == "3 tokens instead of 4"


# -- the suite -----------------------------------------------------------------------------------------------------
class NoMeter:
    limits = Limits(100.0, 10.0)

    def sample(self, bytes_from_memory: float = 0.0) -> None: ...


def race(*names: str) -> tuple[serve.LoadRace, dict[str, FakeSide]]:
    made = {name: FakeSide() for name in names}
    sides = [serve._Side(name, lambda name=name: made[name]) for name in names]  # type: ignore[misc]
    return serve.LoadRace(SMALL, 2, 5, sides, rounds=2), made


def test_sides_get_the_same_requests_in_every_round() -> None:
    loads, made = race("rlx", "llama.cpp")
    outcome = measure(loads.workload("load", 1e6, 1e5), NoMeter(), Settings(patience=0.0))  # type: ignore[arg-type]
    assert [len(timing.seconds) for timing in outcome.timings] == [2, 2] and not outcome.absent
    ours, theirs = (sorted(side.seen) for side in made.values())
    assert ours == theirs == sorted(each.prompt for turn in range(3) for each in SMALL.requests(5, turn))
    plain: Any = table.plain(outcome, NoMeter.limits)
    assert [each["right"] for each in plain["contenders"]] == [True, True]
    for each, timing in zip(plain["contenders"], outcome.timings, strict=True):
        assert each["measures"]["seconds"] == timing.best and each["measures"]["errors"] == 0


def test_a_lost_answer_is_a_wrong_result(capsys: pytest.CaptureFixture[str]) -> None:
    loads, made = race("rlx")
    made["rlx"].fails = SMALL.requests(5)[0].answer
    outcome = measure(loads.workload("load", 1e6, 1e5), NoMeter(), Settings(patience=0.0))  # type: ignore[arg-type]
    assert outcome.timings[0].error > 0 and "not this one" in capsys.readouterr().err


def test_bars_compare_with_the_peer_with_one_client_with_prefill_and_without_cache() -> None:
    def side(rate: float, first: float, between: float, total: float = 0.0) -> dict[str, float]:
        numbers = {"first_p50": first, "first_p95": first, "between_p50": between, "between_p95": between}
        return {"answer_rate": rate, "total_rate": total, "errors": 0.0, **numbers}

    found = {
        ("m", "mixed", 1): {"rlx": side(15, 1, 1), "llama.cpp": side(10, 1, 1)},
        ("m", "mixed", 16): {
            "rlx": side(19, 4, 6, 100),
            "llama.cpp": side(10, 10, 10),
            "rlx over HTTP": side(15.2, 4, 6),
            "llama.cpp over HTTP": side(9, 10, 10),
        },
        ("m", "decode-heavy", 1): {"rlx": side(10, 1, 1)},
        ("m", "decode-heavy", 16): {"rlx": side(26, 1, 1)},
        ("m", "prefill 128", 1): {"rlx": {"total_rate": 200.0}},
        ("m", "shared prompt", 1): {"rlx": side(1, 0.1, 1), "rlx without prefix cache": side(1, 0.6, 1)},
        ("other", "mixed", 4): {"rlx": side(1, 1, 1)},
    }
    bounded = {bar.name: (round(bar.ratio, 3), bar.met) for bar in serve_bars.bars(found) if bar.bound is not None}
    assert bounded == {
        "m, mixed, 1 clients: throughput": (1.5, True),
        "m, mixed, 16 clients: throughput": (1.9, False),
        "m, mixed, 16 clients: p95 to the first token": (0.4, True),
        "m, mixed, 16 clients: p95 between tokens": (0.6, True),
        "m, mixed, 16 clients: ratio over HTTP over the one in process": (0.889, False),
        "m, mixed, 16 clients: all tokens over prefill 128": (0.5, False),
        "m, decode-heavy: 16 clients over one": (2.6, True),
        "m, shared prompt: first token without the cache over with it": (6.0, True),
    }
    assert serve_bars.text(found).count("FAIL") == 3 and serve_bars.text({}) == ""
    assert "first token p50 100.0 p95 100.0 ms" in serve_bars.latencies(found["m", "shared prompt", 1])


@pytest.fixture
def tiny_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(gguf_files, "FOLDER", tmp_path)
    monkeypatch.setitem(gguf_files.SIZES, "tiny", TINY)
    return gguf_files.model_file("tiny", "Q8_0")


def test_an_engine_answers_the_clients(tiny_file: Path) -> None:
    from rlx.models.model import open_model

    side = serve.EngineSide(open_model(tiny_file), clients=3, context=256)
    requests = SMALL.requests(6)
    records = side.drive(requests, 3)
    side.close()
    assert [(record.answer, record.error) for record in records] == [(request.answer, "") for request in requests]
    assert measured(records).first_p50 > 0


def test_a_server_answers_clients_in_another_process(tiny_file: Path) -> None:
    pytest.importorskip("uvicorn")
    from rlx.models.model import open_model

    model = open_model(tiny_file)
    side = HttpSide(model, serve.EngineSide(model, clients=3, context=256).engine)
    requests = SMALL.requests(6)
    records = side.drive(requests, 3)
    side.close()
    assert [(record.answer, record.error) for record in records] == [(request.answer, "") for request in requests]
    assert measured(records).first_p50 > 0


@pytest.mark.long
def test_the_peer_answers_the_clients(tiny_file: Path) -> None:
    pytest.importorskip("xllamacpp")
    server = LlamaServer(tiny_file, 2, 256, 1)
    requests = SMALL.requests(4)
    clients = HttpClients(server.address)
    for records in (server.drive(requests, 2), clients.drive(requests, 2)):
        assert [(record.answer, record.error) for record in records] == [(request.answer, "") for request in requests]
    clients.close()
    spent = environment.own_seconds()
    server.close()
    assert server.process.returncode == 0 and environment.own_seconds() >= spent - 0.05, "its time counts as our own"
