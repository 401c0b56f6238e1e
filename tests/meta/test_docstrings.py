"""Examples in docstrings run as they stand, and every public name has one."""

from __future__ import annotations

import doctest
import importlib
import inspect
from pathlib import Path
from types import ModuleType

import pytest

import rlx
from rlx.ir.op import OPS

SOURCE = Path(rlx.__file__).parent
PUBLIC = (
    "rlx",
    "rlx.autodiff",
    "rlx.compat",
    "rlx.generate",
    "rlx.graphs",
    "rlx.models",
    "rlx.module",
    "rlx.quant",
    "rlx.random",
    "rlx.train",
    "rlx.tree",
    "rlx.tree_util",
)


def module_name(path: Path) -> str:
    return ".".join(("rlx", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")


WITH_EXAMPLES = sorted(module_name(path) for path in SOURCE.rglob("*.py") if ">>> " in path.read_text())


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_give_what_they_say(name: str) -> None:
    known = {record.name for record in OPS}
    found = doctest.testmod(importlib.import_module(name))
    for added in {record.name for record in OPS} - known:  # other tests look at all ops there are
        rlx.graphs.unregister_op(added)
    assert found.attempted > 0 and found.failed == 0


def public_names(module: ModuleType) -> list[str]:
    """Classes and functions; submodules have names of their own."""
    written = getattr(module, "__all__", [name for name in vars(module) if not name.startswith("_")])
    found = ((name, getattr(module, name)) for name in (rlx._PUBLIC if module is rlx else written))
    return [name for name, thing in found if inspect.isclass(thing) or inspect.isroutine(thing)]


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_has_an_example(name: str) -> None:
    module = importlib.import_module(name)
    without = [each for each in public_names(module) if ">>> " not in (getattr(module, each).__doc__ or "")]
    assert not without, f"{name}: add a short example to the docstring of {', '.join(without)}"
