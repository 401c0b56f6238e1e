"""A load test: 48 seeded clients alone, then the same beside hostile ones: `python -m tests.serve.hostile --seconds 150`.

Each request is asked alone first; every answer that is finished later must have the same bytes. The exit code is 1 where an innocent
request was ended or differs, where anything was answered with 500, or where the 99.9th percentile of the times between tokens is above
1.5 times that without hostile clients plus 50 ms. Hostile clients run in a process of their own, and keep to a rate.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from tests.serve.bombs import BOMBS

CHAT, COMPLETIONS = "/v1/chat/completions", "/v1/completions"
DISTINCT = 48
PERSON = {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}, "required": ["name", "age"]}
CITY = {"type": "object", "properties": {"city": {"enum": ["Rome", "Oslo"]}}, "required": ["city"]}
TOOL = {"type": "function", "function": {"name": "weather", "parameters": CITY}}
Answer = tuple[int, Any]


# -- HTTP, by hand: the clients' own time is small ------------------------------------------------------------------
async def ask(port: int, path: str, body: bytes, times: list[float] | None = None, leave_after: int | None = None) -> Answer | None:
    """Status and answer; None for a client that left. Of a stream the answer is its events, whose times are noted."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
    try:
        head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {len(body)}"
        writer.write(f"{head}\r\nconnection: close\r\n\r\n".encode() + body)
        await writer.drain()
        status = int((await reader.readline()).split()[1])
        streams = False
        while (line := await reader.readline()).strip():
            streams = streams or line.lower().startswith(b"content-type: text/event-stream")
        if not streams:
            return status, json.loads(await reader.read())
        events = []
        while line := await reader.readline():
            if line.startswith(b"data: "):
                events.append(line[6:].strip().decode())
                if times is not None:
                    times.append(time.perf_counter())
                if leave_after is not None and len(events) > leave_after:
                    return None
        return status, events
    finally:
        writer.close()


# -- innocent clients -----------------------------------------------------------------------------------------------
def requests() -> list[tuple[str, dict[str, Any]]]:
    """Path and body of each, always the same."""
    found: list[tuple[str, dict[str, Any]]] = []
    for number in range(DISTINCT):
        draw = random.Random(number)
        words = " ".join(draw.choices(["the", "house", "tree", "dog", "runs", "blue", "with", "seven"], k=draw.randrange(5, 150)))
        chat = {"messages": [{"role": "user", "content": f"Tag {number}. {words}"}], "seed": number, "temperature": 0.8}
        chat |= {"max_tokens": draw.randrange(16, 64), "stream": number % 6 < 4}
        match number % 6:
            case 0 | 1 | 4:
                found.append((CHAT, {**chat, "ignore_eos": True}))
            case 2:
                form = {"type": "json_schema", "json_schema": {"name": "p", "schema": PERSON}}
                found.append((CHAT, {**chat, "response_format": form}))
            case 3:
                found.append((CHAT, {**chat, "tools": [TOOL], "tool_choice": "required"}))
            case _:
                grammar = {"regex": "[A-Z][a-z]{2,9}( [a-z]{2,9}){12}"}
                body = {"prompt": f"{words} Once", "seed": number, "max_tokens": 40, "grammar": grammar}
                found.append((COMPLETIONS, body))
    return found


def said(answer: Answer) -> Any:
    """What must be the same: texts, calls and reasons, without ids and times; None where it was ended."""
    status, found = answer
    if status != 200:
        return None
    if isinstance(found, dict):
        return [without_ids(choice) for choice in found["choices"]]
    if not found or found[-1] != "[DONE]" or any('"error"' in event[:9] for event in found):
        return None
    deltas = [choice for event in found[:-1] for choice in json.loads(event)["choices"]]
    text = "".join(choice["delta"].get("content") or "" for choice in deltas)
    calls = [call["function"] for choice in deltas for call in choice["delta"].get("tool_calls") or ()]
    arguments = "".join(call.get("arguments") or "" for call in calls)
    return text, [call["name"] for call in calls if call.get("name")], arguments, deltas[-1]["finish_reason"]


def without_ids(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_ids(part) for name, part in value.items() if name != "id"}
    return [without_ids(part) for part in value] if isinstance(value, list) else value


@dataclass
class Seen:
    """What innocent clients saw."""

    gaps: list[float] = field(default_factory=list)
    finished: int = 0
    left: int = 0
    ended: list[str] = field(default_factory=list)
    mixed: list[int] = field(default_factory=list)
    health: list[float] = field(default_factory=list)

    def percentile(self, share: float) -> float:
        """Of the times between tokens, in ms."""
        return 1e3 * sorted(self.gaps)[int(share * (len(self.gaps) - 1))] if self.gaps else 0.0

    def text(self) -> str:
        counts = f"{self.finished} finished, {self.left} left, {len(self.ended)} ended, {len(self.mixed)} differ"
        times = ", ".join(f"p{100 * share:g} {self.percentile(share):.0f}" for share in (0.5, 0.99, 0.999, 1))
        health = 1e3 * max(self.health, default=0)
        return f"{counts}; {len(self.gaps)} times between tokens in ms: {times}; /health at most {health:.0f} ms"


async def innocent(port: int, number: int, until: float, seen: Seen, alone: list[Any]) -> None:
    """One client: the same requests in the same order in every run."""
    draw = random.Random(1000 + number)
    everything = requests()
    while time.perf_counter() < until:
        place, leaves, pause = draw.randrange(DISTINCT), draw.random() < 0.2, draw.expovariate(4)
        path, body = everything[place]
        leaves = leaves and bool(body.get("stream"))
        times: list[float] = []
        try:
            answer = await ask(port, path, json.dumps(body).encode(), times, draw.randrange(1, 12) if leaves else None)
        except (OSError, ValueError, IndexError, asyncio.IncompleteReadError) as error:
            seen.ended.append(f"{path}: {error!r}")
            continue
        seen.gaps += [later - before for before, later in itertools.pairwise(times)]
        if answer is None:
            seen.left += 1
        elif (found := said(answer)) is None:
            seen.ended.append(f"{path}: {str(answer)[:80]} … {str(answer)[-300:]}")
        else:
            seen.finished += 1
            seen.mixed += [place] if found != alone[place] else []
        await asyncio.sleep(pause)


async def healthy(port: int, until: float, seen: Seen) -> None:
    """/health, ten times in a second."""
    while time.perf_counter() < until:
        began = time.perf_counter()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        if b" 200 " not in await reader.readline():
            seen.ended.append("/health")
        seen.health.append(time.perf_counter() - began)
        writer.close()
        await asyncio.sleep(0.1)


async def phase(port: int, seconds: float, clients: int, alone: list[Any]) -> Seen:
    """All clients for a while."""
    seen, until = Seen(), time.perf_counter() + seconds
    all_of_them = [innocent(port, number, until, seen, alone) for number in range(clients)]
    await asyncio.gather(healthy(port, until, seen), *all_of_them)
    return seen


# -- hostile clients ------------------------------------------------------------------------------------------------
def message(content: str, **more: Any) -> bytes:
    return json.dumps({"messages": [{"role": "user", "content": content}], "max_tokens": 30, **more}).encode()


def bombs() -> Iterator[tuple[str, bytes]]:
    for more in itertools.cycle(BOMBS.values()):
        yield CHAT, message("hi", ignore_eos=True, temperature=1.2, stream=True, **more)


def megabytes() -> Iterator[tuple[str, bytes]]:
    texts = ["1234567890" * 600_000, " x y" * 1_500_000, "<|im_end|>" * 600_000, "<" * 6_000_000, "word " * 130_000]
    paths = {CHAT: message, COMPLETIONS: lambda text: json.dumps({"prompt": text}).encode()}
    paths |= {"/tokenize": lambda text: json.dumps({"content": text}).encode()}
    paths |= {"/v1/messages/count_tokens": message, "/v1/messages": message}
    bodies = [(path, made(text)) for text in texts for path, made in paths.items()]
    yield from itertools.cycle(bodies)


def garbage() -> Iterator[tuple[str, bytes]]:
    deep = b'{"messages":' + b"[" * 100_000
    many = [
        b'{"messages": [' + b"[]," * 500_000 + b"1]}",
        b"[" + b"1," * 3_000_000 + b"1]",
        deep,
        b'{"a": "' + b"\\u1234" * 1_000_000 + b'"}',
    ]
    many += [b"{" + b",".join(b'"f%d": 1' % number for number in range(100_000)) + b"}"]
    many += [json.dumps({"messages": [{"role": "user", f"x{n}": 1, "content": "a"} for n in range(20_000)]}).encode()]
    many += [message("a", **more) for more in ({"n": 10**9}, {"temperature": float("nan")}, {"seed": "x"}, {"stop": [""] * 9000})]
    draw = random.Random(5)
    while True:
        for body in (*many, b"\xff\xfe", b"", b"null", b'{"messages": 5}'):
            yield draw.choice([CHAT, COMPLETIONS, "/v1/messages", "/v1/responses", "/api/chat", "/tokenize"]), body


def templates() -> Iterator[tuple[str, bytes]]:
    nested: Any = "x"
    for _ in range(90):
        nested = [nested, nested] if len(str(nested)) < 100_000 else [nested]
    for more in itertools.cycle(
        ({"x": nested}, {"range": "no"}, {"names": ["<|im_end|>"] * 100_000}, {"enable_thinking": "a" * 3_000_000})
    ):
        yield CHAT, message("hi", chat_template_kwargs=more)
        yield CHAT, json.dumps({"messages": [{"role": "user", "content": "a"}] * 50_000}).encode()


async def posting(port: int, bodies: Iterator[tuple[str, bytes]], pause: float, statuses: Counter[int]) -> None:
    for path, body in bodies:
        try:
            answer = await asyncio.wait_for(ask(port, path, body), 60)
            statuses[answer[0] if answer else 0] += 1
        except (OSError, ValueError, IndexError, asyncio.IncompleteReadError, TimeoutError):
            statuses[0] += 1
        await asyncio.sleep(pause)


async def storm(port: int) -> None:
    """Twenty at once that begin and leave, before the answer or in it."""
    draw = random.Random(6)
    while True:
        body = message(f"Tell a story {draw.random()}", stream=True, max_tokens=200, ignore_eos=True)

        async def one(body: bytes) -> None:
            with suppress(OSError, ValueError, IndexError, asyncio.IncompleteReadError, TimeoutError):
                await asyncio.wait_for(ask(port, CHAT, body, leave_after=draw.randrange(4)), draw.choice([0.01, 0.1, 2]))

        await asyncio.gather(*(one(body) for _ in range(20)))
        await asyncio.sleep(2)


RAW = [
    b"GET / HTTP/1.1\r\ncontent-length: -5\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello",
    b"POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n", b"\x00" * 4096,
    b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"".join(b"h%d: 1\r\n" % n for n in range(20_000)) + b"\r\n",
    b"GET /health HTTP/1.1\r\nhost: localhost\r\nx: " + b"b" * (1 << 20) + b"\r\n\r\n",
    b"POST /v1/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999999999\r\n\r\n",
]  # fmt: skip


async def raw(port: int, statuses: Counter[int]) -> None:
    for data in itertools.cycle(RAW):
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(data)
            line = await asyncio.wait_for(reader.readline(), 5)
            statuses[int(line.split()[1]) if line.startswith(b"HTTP") else 0] += 1
            writer.close()
        except (OSError, ValueError, TimeoutError):
            statuses[0] += 1
        await asyncio.sleep(0.1)


async def slow(port: int) -> None:
    """A byte in a second, of headers or of a body; and now and then none at all."""
    head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5000\r\n\r\n"
    for first, then in itertools.cycle(((b"", head), (head, b"{" * 60), (b"", b""))):
        with suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(first)
            for byte in then:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(1)
            await asyncio.sleep(0 if then else 20)
            writer.close()
        await asyncio.sleep(0.5)


async def attack(port: int, chosen: Sequence[str]) -> None:
    """Some kinds, or all, until the process is ended; counts of statuses are printed each second."""
    statuses: Counter[int] = Counter()
    kinds: dict[str, list[Callable[[], Awaitable[None]]]] = {
        "bombs": [lambda: posting(port, bombs(), 0.1, statuses)] * 3,
        "megabytes": [lambda: posting(port, megabytes(), 0.2, statuses)] * 2,
        "garbage": [lambda: posting(port, garbage(), 0.2, statuses)] * 2,
        "templates": [lambda: posting(port, templates(), 0.3, statuses)],
        "storm": [lambda: storm(port)],
        "raw": [lambda: raw(port, statuses)],
        "slow": [lambda: slow(port)] * 60,
    }

    async def report() -> None:
        while True:
            await asyncio.sleep(1)
            print(json.dumps(statuses), flush=True)

    await asyncio.gather(report(), *(make() for name in chosen or kinds for make in kinds[name]))


@contextmanager
def attackers(port: int, kinds: Sequence[str]) -> Iterator[Callable[[], Counter[str]]]:
    """Hostile clients in a process of their own; the function gives how often each status came."""
    command = [sys.executable, "-m", "tests.serve.hostile", "--attack", str(port), *kinds]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        lines: list[str] = ["{}"]
        assert process.stdout is not None
        threading.Thread(target=lambda: lines.extend(process.stdout or ()), daemon=True).start()
        try:
            yield lambda: Counter(json.loads(lines[-1]))
        finally:
            process.terminate()


# -- the server -----------------------------------------------------------------------------------------------------
@contextmanager
def rlx_serve() -> Iterator[int]:
    """`rlx serve smollm2` at a free port."""
    command = [sys.executable, "-c", "from rlx.cli import main; main()", "serve", "smollm2", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, "COLUMNS": "200"}) as process:
        assert process.stderr is not None
        try:
            while " at http://" not in (line := process.stderr.readline()):
                if not line:
                    raise SystemExit("the server ended")
            log: list[str] = []
            threading.Thread(target=lambda: log.extend(process.stderr or ()), daemon=True).start()
            yield int(line.rpartition(":")[2])
        finally:
            process.terminate()
            process.wait(60)
            for line in log:
                if "internal error" in line or "Traceback" in line:
                    print(line, end="")


def main() -> int:
    """Measure and print; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.serve.hostile", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seconds", type=float, default=150, help="of each of both runs (default %(default)s)")
    parser.add_argument("--clients", type=int, default=48)
    parser.add_argument("kinds", nargs="*", help="of hostile clients (default: all)")
    parser.add_argument("--attack", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.attack:
        asyncio.run(attack(options.attack, options.kinds))
        return 0
    with rlx_serve() as port:
        alone = [said(asyncio.run(ask(port, path, json.dumps(body).encode())) or (0, None)) for path, body in requests()]
        assert None not in alone, f"request {alone.index(None)} fails alone"
        calm = asyncio.run(phase(port, options.seconds, options.clients, alone))
        print(f"alone:   {calm.text()}", flush=True)
        with attackers(port, options.kinds) as statuses:
            beside = asyncio.run(phase(port, options.seconds, options.clients, alone))
            answered = statuses()
    print(f"hostile: {beside.text()}\nanswers to hostile clients by status (0: none): {dict(sorted(answered.items()))}")
    for line in (*calm.ended[:5], *beside.ended[:20]):
        print(f"  ended: {line}")
    bar = 1.5 * calm.percentile(0.999) + 50
    failures = [f"{len(beside.ended)} innocent requests were ended"] if calm.ended or beside.ended else []
    failures += [f"{len(beside.mixed) + len(calm.mixed)} answers differ from alone"] if calm.mixed or beside.mixed else []
    failures += [f"{answered['500']} answers of 500"] if answered["500"] else []
    over = beside.percentile(0.999)
    failures += [f"p99.9 is {over:.0f} ms, the bar {bar:.0f} ms"] if over > bar else []
    print("; ".join(failures) or f"passed: p99.9 {over:.0f} ms, the bar {bar:.0f} ms; load {os.getloadavg()[0]:.1f}")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
