"""Coroutines as callers: several streams on one event loop, several loops, tasks that are cancelled, loops that are closed."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest

from rlx.core.errors import RlxError
from rlx.generate.engine import Engine
from rlx.generate.engine.mailbox import AHEAD
from rlx.generate.engine.step_runner import PagedRunner
from tests.generate.engine.test_engine_api import EACH, HOW, KINDS, ids_of
from tests.generate.engine.test_leaving import long_model, poison, wait_until
from tests.generate.tiny import attention_logits, attention_model, byte_tokenizer, greedy, recurrent_logits


async def read(engine: Engine, prompt: str, **how: Any) -> str:
    return "".join([piece.text async for piece in engine.submit_async(prompt, **how, **HOW)])


def text_of(formula: Any, prompt: str, count: int) -> str:
    return byte_tokenizer().decode(greedy(formula, ids_of(prompt), count))


def is_quiet(engine: Engine) -> bool:
    stats = engine.stats()
    return stats.running == stats.waiting == stats.pages_used == 0


@EACH
def test_several_streams_of_one_loop(kind: str) -> None:
    make, formula = KINDS[kind]
    engine, prompts = Engine(make(), batch=3), ["Hello", "Other", "a third one", "4", "5"]

    async def main() -> list[str]:
        return await asyncio.wait_for(asyncio.gather(*(read(engine, prompt, max_tokens=20) for prompt in prompts)), timeout=30)

    assert asyncio.run(main()) == [text_of(formula, prompt, 20) for prompt in prompts]
    assert wait_until(lambda: is_quiet(engine))
    engine.close()


def test_the_loop_is_not_blocked_meanwhile(monkeypatch: Any) -> None:
    engine, original = Engine(attention_model()), PagedRunner.run
    engine.prepare()
    monkeypatch.setattr(PagedRunner, "run", lambda self, works: (time.sleep(0.005), original(self, works))[1])  # type: ignore[func-returns-value]

    async def main() -> int:
        task, ticks = asyncio.create_task(read(engine, "Hello", max_tokens=30)), 0
        while not task.done():
            await asyncio.sleep(0.005)
            ticks += 1
        return ticks

    assert asyncio.run(main()) >= 10
    engine.close()


def test_a_task_that_is_cancelled_leaves_and_the_others_go_on() -> None:
    engine = Engine(attention_model())

    async def leave() -> None:
        task = asyncio.current_task()
        assert task is not None
        async for _ in engine.submit_async("Hello", max_tokens=85, **HOW):
            task.cancel()  # where it waits next: in ten milliseconds it may have read everything

    async def main() -> str:
        gone = asyncio.create_task(leave())
        stays = asyncio.create_task(read(engine, "Other", max_tokens=40))
        with pytest.raises(asyncio.CancelledError):
            await gone
        return await asyncio.wait_for(stays, 30)

    assert asyncio.run(main()) == text_of(attention_logits, "Other", 40)
    assert wait_until(lambda: is_quiet(engine))
    engine.close()


def test_a_reader_that_stops_or_fails() -> None:
    engine = Engine(attention_model())

    async def main() -> None:
        async for _ in engine.submit_async("Hello", max_tokens=85, **HOW):
            break
        with pytest.raises(ValueError, match="enough"):
            async for _ in engine.submit_async("Hello", max_tokens=85, **HOW):
                raise ValueError("enough")
        assert await read(engine, "Other", max_tokens=9) == text_of(attention_logits, "Other", 9)

    asyncio.run(main())
    assert wait_until(lambda: is_quiet(engine))
    engine.close()


def test_an_error_reaches_its_own_reader(monkeypatch: Any) -> None:
    engine = Engine(attention_model())
    wanted, other = (greedy(attention_logits, ids_of(text), 20) for text in ("Hello", "Other"))
    poison(monkeypatch, next(token for token in wanted if token not in other))

    async def main() -> list[Any]:
        works = (read(engine, text, max_tokens=20) for text in ("Hello", "Other"))
        return await asyncio.gather(*works, return_exceptions=True)

    found = asyncio.run(main())
    assert isinstance(found[0], RlxError) and found[1] == text_of(attention_logits, "Other", 20)
    engine.close()


def test_loops_in_several_threads_beside_callers_that_block() -> None:
    engine = Engine(attention_model(), batch=4)
    found: dict[int, Any] = {}

    async def three(number: int) -> list[str]:
        return list(await asyncio.gather(*(read(engine, f"{number} {n}", max_tokens=15) for n in range(3))))

    def loop(number: int) -> None:
        found[number] = asyncio.run(asyncio.wait_for(three(number), 30))

    def blocks(number: int) -> None:
        found[number] = [engine.generate(f"{number} {n}", max_tokens=15, **HOW).text for n in range(3)]

    threads = [threading.Thread(target=loop if n % 2 else blocks, args=(n,), daemon=True) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == {k: [text_of(attention_logits, f"{k} {n}", 15) for n in range(3)] for k in range(6)}
    engine.close()


def test_a_loop_that_is_closed_harms_nobody(monkeypatch: Any) -> None:
    """Without the clean-up of asyncio.run: the stream is still there, its loop is not."""
    engine, original = Engine(attention_model()), PagedRunner.run
    engine.prepare()
    monkeypatch.setattr(PagedRunner, "run", lambda self, works: (time.sleep(0.003), original(self, works))[1])  # type: ignore[func-returns-value]
    loop = asyncio.new_event_loop()
    stream = engine.submit_async("Hello", max_tokens=85, **HOW)
    reader = stream.__aiter__()
    loop.run_until_complete(reader.__anext__())
    loop.close()
    assert list(engine.generate("Other", max_tokens=9, **HOW).ids) == greedy(attention_logits, ids_of("Other"), 9)
    assert wait_until(lambda: is_quiet(engine)), "nobody can read it any more"
    engine.close()


def test_a_slow_reader_pauses_its_stream() -> None:
    engine = Engine(long_model(2048))

    async def main() -> tuple[int, int, str]:
        stream = engine.submit_async("Hello", max_tokens=600, **HOW)
        reader, most, text = stream.__aiter__(), 0, ""
        text += (await reader.__anext__()).text
        while len(stream._box.pieces) < AHEAD:
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.1)
        most = len(stream._box.pieces)
        async for piece in reader:
            text += piece.text
        return most, len(stream.result.ids), text

    most, count, text = asyncio.run(asyncio.wait_for(main(), 30))
    assert most == AHEAD and count == 600 and text == text_of(recurrent_logits, "Hello", 600)
    engine.close()


def test_closing_ends_readers() -> None:
    engine = Engine(attention_model())

    async def main() -> str:
        task = asyncio.create_task(read(engine, "Hello", max_tokens=85))
        await asyncio.sleep(0.005)
        await asyncio.to_thread(engine.close)
        return await asyncio.wait_for(task, 10)

    assert text_of(attention_logits, "Hello", 85).startswith(asyncio.run(main()))


def test_a_stream_is_read_once() -> None:
    engine = Engine(attention_model())

    async def main() -> None:
        stream = engine.submit_async("Hello", max_tokens=3, **HOW)
        assert [piece async for piece in stream]
        with pytest.raises(RlxError, match="read only once"):
            assert [piece async for piece in stream]

    asyncio.run(main())
    engine.close()
