"""The collector while much is made that stays, and while a program runs for long."""

from __future__ import annotations

import gc
import weakref

import pytest

from rlx.core.garbage_collection import collection_paused, kept_for_good


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
        assert kept() is not None and gc.get_freeze_count() > 0
        raise KeyError
    gc.collect()
    assert kept() is None and gc.get_freeze_count() == 0


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with collection_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
