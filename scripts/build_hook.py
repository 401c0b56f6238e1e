"""The step of a wheel's build, editable or not, that writes the stub of builders."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Stub(BuildHookInterface):
    """Runs scripts/builders_stub.py before files are collected."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the stub into the source tree, where an editable install reads it too."""
        runpy.run_path(str(Path(self.root, "scripts", "builders_stub.py")))["write_stub"]()
