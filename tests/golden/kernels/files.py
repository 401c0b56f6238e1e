"""The listings as files, `TARGET/NAME.ll`: what is written down, what is emitted now, and how they differ."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path

from .pool import POOL_TARGETS, pool_text
from .sketch import LISTINGS

FOLDER = Path(__file__).parent
POOL = "run_loop_and_pool"
FILES = [(name, target) for name, each in LISTINGS.items() for target in each.targets]
FILES += [(POOL, target) for target in POOL_TARGETS]
"""Every kernel with every target it is written down for."""

_SHOWN = 40
"""Lines of a difference that a failure shows."""


def path(name: str, target: str) -> Path:
    """Where a listing is kept."""
    return FOLDER / target / f"{name}.ll"


def emitted(name: str, target: str) -> str:
    """The text of today."""
    return pool_text(target) if name == POOL else LISTINGS[name].text(target)


def difference(name: str, target: str) -> str:
    """What has changed since it was written down, and how to write it anew; empty where nothing has."""
    file, now = path(name, target), emitted(name, target)
    kept = file.read_text() if file.exists() else ""
    if kept == now:
        return ""
    lines = list(difflib.unified_diff(kept.splitlines(), now.splitlines(), "written down", "emitted now", "", "", 2, ""))
    more = [f"... and {len(lines) - _SHOWN} more lines"] if len(lines) > _SHOWN else []
    return "\n".join(
        [
            f"{name} for {target} is emitted otherwise than {file.relative_to(FOLDER.parents[2])} says:",
            *lines[:_SHOWN],
            *more,
            "If this is meant, write it anew, read the difference, and say in the commit why:",
            f"  python -m tests.golden.kernels --write {name}",
        ]
    )


def write(names: Iterable[str]) -> list[Path]:
    """Write some anew, and remove what is no longer in the set; those that changed."""
    changed = []
    for name, target in FILES:
        if name not in names:
            continue
        file, now = path(name, target), emitted(name, target)
        if not file.exists() or file.read_text() != now:
            file.parent.mkdir(exist_ok=True)
            file.write_text(now)
            changed.append(file)
    for file in stale():
        file.unlink()
        changed.append(file)
    return changed


def stale() -> list[Path]:
    """Files of nothing in the set."""
    return sorted(set(FOLDER.rglob("*.ll")) - {path(*each) for each in FILES})
