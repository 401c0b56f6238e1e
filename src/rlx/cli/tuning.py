"""rlx tune: time kernel parameters on this machine and keep the best."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from rlx.backends.knob import Knob
from rlx.backends.registry import find_backend
from rlx.core import cache

_BUSY = 0.1  # the default's times vary by more than this between rounds
_WHAT = {"prefetch_distance": "prefetch distance of packed weights, in bytes", "k_block": "K block size of matrix products"}


def tune_here(console: Console, seconds: float) -> None:
    """Measure, save the choices, and show them."""
    for knob in find_backend("cpu").tune(seconds):
        console.print(_table(knob))
        console.print(_verdict(knob), soft_wrap=True, highlight=False)
    folder = cache.folder()
    if folder is None:
        console.print("The disk cache is off (RLX_CACHE=0): nothing was saved.")
    else:
        console.print(
            f"Saved in {folder}; future compilations use it. Another version of rlx needs its own run of rlx tune.", soft_wrap=True
        )


def _verdict(knob: Knob) -> str:
    """What was chosen and why, in one line."""
    count, spread = len(knob.rounds), f"{knob.spread:.0%}"
    if knob.chosen != knob.default:
        return f"Chosen: {knob.chosen}, at least {knob.gain(knob.chosen):.0%} faster than the default in each of {count} rounds.\n"
    busy = " The machine is busy: try again when it is not." if knob.spread > _BUSY else ""
    return f"Keeping the default: no value was clearly faster in all {count} rounds (noise between rounds: {spread}).{busy}\n"


def _table(knob: Knob) -> Table:
    table = Table(title=f"{knob.name}: {_WHAT[knob.name]}", title_justify="left")
    table.add_column("value", justify="right")
    table.add_column("best", justify="right")
    table.add_column("")
    for value in knob.seconds:
        notes = [note for note, holds in (("chosen", value == knob.chosen), ("default", value == knob.default)) if holds]
        table.add_row(str(value), f"{knob.rate(value):.1f} G{knob.unit}/s", ", ".join(notes))
    return table
