"""rlx tune: try sizes of kernels on this machine and keep the best."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from rlx.backends.base import find_backend
from rlx.backends.knob import Knob
from rlx.core import cache

__all__ = ["tune_here"]

_BUSY = 0.1  # the default's times differ by more from round to round
_WHAT = {
    "weight_ahead": "bytes ahead a packed weight is asked for",
    "product_depth": "steps of k between which sums of a product rest",
}


def tune_here(console: Console, seconds: float) -> None:
    """Measure, keep, and show what was found."""
    for knob in find_backend("cpu").tune(seconds):
        console.print(_table(knob))
        console.print(_verdict(knob), soft_wrap=True, highlight=False)
    folder = cache.folder()
    if folder is None:
        console.print("The disk cache is off (RLX_CACHE=0): nothing was kept.")
    else:
        console.print(
            f"Kept in {folder}; what is compiled from now on uses it. Another version of rlx begins anew.",
            soft_wrap=True,
        )


def _verdict(knob: Knob) -> str:
    """What was chosen and why, in one line."""
    count, spread = len(knob.rounds), f"{knob.spread:.0%}"
    if knob.chosen != knob.default:
        return f"{knob.chosen} is used: faster than the default by {knob.gain(knob.chosen):.0%} or more in each of {count} rounds.\n"
    busy = " The machine is busy: try again when it is not." if knob.spread > _BUSY else ""
    return f"The default stays: no value was clearly faster in all {count} rounds, whose own times differ by {spread}.{busy}\n"


def _table(knob: Knob) -> Table:
    table = Table(title=f"{knob.name}: {_WHAT[knob.name]}", title_justify="left")
    table.add_column("value", justify="right")
    table.add_column("best", justify="right")
    table.add_column("")
    for value in knob.seconds:
        notes = [
            note for note, holds in (("chosen", value == knob.chosen), ("default", value == knob.default)) if holds
        ]
        table.add_row(str(value), f"{knob.rate(value):.1f} G{knob.unit}/s", ", ".join(notes))
    return table
