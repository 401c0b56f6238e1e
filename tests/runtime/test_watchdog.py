"""The watchdogs of three processes, here in one: who leaves, who fails and who is lost, and what the others are told."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from rlx.core.errors import RlxError
from rlx.core.processes import ProcessGroup
from rlx.runtime import processes as watchdog
from rlx.runtime.processes import Watchdog
from tests.train.test_many_processes import free_port


class Watched:
    """Three of them, and the errors each reported."""

    def __init__(self) -> None:
        self.errors: list[list[RlxError]] = [[], [], []]
        port = free_port()

        def made(index: int) -> Watchdog:
            return Watchdog(ProcessGroup(f"127.0.0.1:{port}", 3, index), self.errors[index].append)

        with ThreadPoolExecutor(3) as pool:
            self.dogs = list(pool.map(made, range(3)))

    def reported(self, *indices: int) -> list[str]:
        """What these say, as soon as all do."""
        deadline = time.monotonic() + 10
        while not all(self.errors[index] for index in indices) and time.monotonic() < deadline:
            time.sleep(0.01)
        return [str(self.errors[index][0]) for index in indices]


def test_those_that_are_done_wait_for_each_other():
    watched = Watched()
    leaving = [threading.Thread(target=dog.leave) for dog in watched.dogs]
    for thread in leaving[:2]:
        thread.start()
    time.sleep(0.3)
    assert all(thread.is_alive() for thread in leaving[:2])
    leaving[2].start()
    for thread in leaving:
        thread.join(10)
    assert not any(thread.is_alive() for thread in leaving) and watched.errors == [[], [], []]


@pytest.mark.parametrize("lost", [0, 1])
def test_a_lost_process_is_named_to_all(lost):
    watched = Watched()
    watched.dogs[lost]._tell = lambda *_, **__: None  # it says nothing any more
    for peer in watched.dogs[lost]._peers:  # as the system does when it is killed
        peer.socket.shutdown(2)
    others = [index for index in range(3) if index != lost]
    for text in watched.reported(*others):
        assert text.startswith(f"[RLX805] process {lost} of 3") and "is lost" in text and "resumes" in text


@pytest.mark.parametrize("failing", [0, 2])
def test_a_process_that_fails_says_why(failing):
    watched = Watched()
    watched.dogs[failing].fail("ended: the disk is full")
    for text in watched.reported(*(index for index in range(3) if index != failing)):
        assert f"process {failing} of 3" in text and "the disk is full" in text
    assert not watched.errors[failing]


def test_a_silent_process_is_lost(monkeypatch):
    monkeypatch.setattr(watchdog, "_SILENCE", 0.5)
    monkeypatch.setattr(watchdog, "_BEAT", 0.1)
    watched = Watched()
    time.sleep(1.0)
    assert watched.errors == [[], [], []]
    monkeypatch.setattr(watched.dogs[1], "_tell", lambda *_: None)
    (text,) = watched.reported(2)
    assert "process 1 of 3 is lost: silent for" in text


def test_a_process_that_does_not_come(monkeypatch):
    monkeypatch.setattr(watchdog, "_MEETING", 0.3)
    for index in (0, 1):
        with pytest.raises(RlxError) as caught:
            Watchdog(ProcessGroup(f"127.0.0.1:{free_port()}", 2, index))
        assert caught.value.code == "RLX805"
