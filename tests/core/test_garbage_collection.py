"""The collector while much is made that stays, and while a program runs for long."""

from __future__ import annotations

import gc
import threading
import time
import weakref

import pytest

from rlx.core import this_process as garbage_collection
from rlx.core.this_process import kept_for_good, made_to_stay, pause_collection


class Ring:
    """A cycle of one."""

    def __init__(self) -> None:
        self.own = self


def test_what_is_dropped_inside_is_still_collected() -> None:
    with kept_for_good():
        dropped = weakref.ref(Ring())
        gc.collect()
        assert dropped() is None


def test_what_was_kept_is_collected_again_afterwards() -> None:
    ring = Ring()
    kept = weakref.ref(ring)
    with pytest.raises(KeyError), kept_for_good():
        del ring
        gc.collect()
        assert kept() is not None and gc.get_freeze_count() > 1000
        raise KeyError
    gc.collect()
    assert kept() is None and gc.get_freeze_count() < 1000  # Python's own immortal objects count too, from 3.12 on


def test_a_server_collects_once_in_a_while_and_in_a_thread_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage_collection, "_SECONDS", 0.01)
    threads, dropped = set[str](), weakref.ref(Ring())

    def note(phase: str, info: object) -> None:
        threads.add(threading.current_thread().name)

    with kept_for_good():
        gc.callbacks.append(note)
        try:
            dropped = weakref.ref(Ring())
            values = [[number] for number in range(200_000)]
            deadline = time.monotonic() + 10
            while dropped() is not None and time.monotonic() < deadline:
                time.sleep(0.01)
        finally:
            gc.callbacks.remove(note)
    assert len(values) == 200_000 and dropped() is None and threads == {"rlx-collector"} and gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with pause_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_what_imports_made_is_old_and_settings_stay() -> None:
    before = gc.isenabled(), gc.get_threshold()
    with made_to_stay():
        table = [[number] for number in range(5000)]
        assert not gc.isenabled()
    assert (gc.isenabled(), gc.get_threshold()) == before and gc.get_freeze_count() < 1000
    young = {id(item) for generation in (0, 1) for item in gc.get_objects(generation=generation)}
    assert len(young) < 1000 and not any(id(item) in young for item in table)


def test_what_a_program_has_frozen_stays_frozen() -> None:
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        with made_to_stay():
            pass
        assert gc.get_freeze_count() == frozen
    finally:
        gc.unfreeze()


def test_what_counts_as_old_is_collected_once_it_is_garbage() -> None:
    with made_to_stay():
        ring = Ring()
    gone = weakref.ref(ring)
    del ring
    gc.collect()
    assert gone() is None
