"""Large requests and grammars are read by threads that let all others run first."""

from __future__ import annotations

import asyncio
import os
import sys
import threading

import pytest

from rlx.generate.engine.grammar_turns import _Lanes
from rlx.serve.openai_chat import CHAT
from rlx.serve.request_reading import SMALL, run_in_thread
from rlx.serve.state import ServerState

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has priorities by thread")


def niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


@linux
def test_large_requests_are_read_at_low_priority() -> None:
    usual = niceness()
    sizes = (1, SMALL, SMALL + 1, 8 << 20)
    assert [asyncio.run(run_in_thread(size, niceness)) - usual for size in sizes] == [0, 0, 10, 10]
    assert niceness() == usual


@linux
def test_large_grammars_are_compiled_at_low_priority() -> None:
    state = ServerState([])  # type: ignore[arg-type]
    assert [compiler.submit(niceness).result() - niceness() for compiler in state.compilers] == [0, 10]


@linux
def test_slow_grammars_run_at_low_priority() -> None:
    lanes, found = _Lanes(), []
    for lane in (lanes.quick, lanes.slow):
        done = threading.Event()
        lane.put(0.0, lambda done=done: (found.append(niceness()), done.set()))  # type: ignore[misc]
        assert done.wait(10)
        lane.stop()
    assert found == [niceness(), niceness() + 10]


def test_a_request_is_read_without_evaluating_annotations(monkeypatch: pytest.MonkeyPatch) -> None:
    """That took 3 ms of the event loop for each request."""
    body = {"messages": [{"role": "user", "content": "hi"}], "unknown": 1}
    CHAT.read(body)
    monkeypatch.setattr("msgspec.structs.fields", lambda kind: pytest.fail("they are known"))
    assert CHAT.read(body).messages == body["messages"]
