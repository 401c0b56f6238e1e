"""One call into an event loop wakes all who wait there."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref

from rlx.generate.engine.mailbox import LoopWaker


def test_events_that_are_set_together_cost_one_call() -> None:
    async def waits() -> int:
        loop, calls = asyncio.get_running_loop(), 0
        call = loop.call_soon_threadsafe

        def counted(*args: object, **settings: object) -> object:
            nonlocal calls
            calls += 1
            return call(*args, **settings)  # type: ignore[arg-type]

        waker, events = LoopWaker.of_running_loop(), [asyncio.Event() for _ in range(16)]
        loop.call_soon_threadsafe = counted  # type: ignore[method-assign, assignment]
        thread = threading.Thread(target=lambda: [waker.wake(event) for event in events])
        thread.start()
        thread.join()  # the loop sees none of them before
        await asyncio.gather(*(event.wait() for event in events))
        return calls

    assert asyncio.run(asyncio.wait_for(waits(), 10)) == 1


def test_no_event_is_lost_among_many_threads() -> None:
    async def waits() -> None:
        waker = LoopWaker.of_running_loop()
        there = [asyncio.Event() for _ in range(4)]
        seen = [threading.Semaphore(0) for _ in there]

        def sets(place: int) -> None:
            for _ in range(2000):
                assert waker.wake(there[place])
                assert seen[place].acquire(timeout=10), "woken, and nobody came"

        async def reads(place: int) -> None:
            for _ in range(2000):
                await there[place].wait()
                there[place].clear()
                seen[place].release()

        threads = [threading.Thread(target=sets, args=(place,)) for place in range(len(there))]
        for thread in threads:
            thread.start()
        await asyncio.gather(*(reads(place) for place in range(len(there))))
        for thread in threads:
            thread.join()

    asyncio.run(asyncio.wait_for(waits(), 60))


def test_a_closed_loop_is_said_each_time_and_not_kept() -> None:
    async def waker_of_this() -> LoopWaker:
        assert LoopWaker.of_running_loop() is LoopWaker.of_running_loop()
        return LoopWaker.of_running_loop()

    loop = asyncio.new_event_loop()
    waker = loop.run_until_complete(waker_of_this())
    loop.close()
    assert not waker.wake(asyncio.Event()) and not waker.wake(asyncio.Event())
    gone = weakref.ref(loop)
    del loop
    gc.collect()
    assert gone() is None and not waker.wake(asyncio.Event())
