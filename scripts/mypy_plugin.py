"""A plugin of mypy that only writes the stub of builders before modules are looked up, so that `mypy` needs no step before it."""

from __future__ import annotations

import runpy
from pathlib import Path

from mypy.plugin import Plugin


def plugin(version: str) -> type[Plugin]:
    """What mypy calls when it starts."""
    runpy.run_path(str(Path(__file__).with_name("builders_stub.py")))["write_stub"]()
    return Plugin
