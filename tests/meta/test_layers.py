"""The shape of the repository: layers import only backwards, files stay small, names are honest."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "rlx"
sys.path.insert(0, str(ROOT / "scripts"))
from architecture_picture import LAYERS, imported_layers, layer_of_file  # noqa: E402

ORDER = list(LAYERS)
FILES = sorted(SOURCE.rglob("*.py"))

# the registry loads its records on first use, and methods of arrays are functions of rlx.numpy: looks forward, and lazy ones
LAZY = {
    ("ir/op.py", "ops"),
    ("ir/op.py", "blocks"),
    ("ir/array_methods.py", "frontends"),
    ("ops/__init__.py", "frontends"),  # the functions of `jax.ops`
    ("module/modules.py", "compat"),  # a module as a HirModule
    ("module/graph.py", "compat"),  # for checkers only
    ("core/dtype.py", "frontends"),
    ("core/dtype.py", "ir"),  # for checkers only
}


@pytest.mark.parametrize("path", [p for p in FILES if p.parent != SOURCE], ids=lambda p: str(p.relative_to(SOURCE)))
def test_layers_import_only_backwards(path):
    here = layer_of_file(path)
    assert here is not None, f"{path} is in no layer"
    for other in imported_layers(path):
        if (str(path.relative_to(SOURCE)), other) in LAZY:
            continue
        assert ORDER.index(other) <= ORDER.index(here), f"{path} ({here}) imports {other}"


def test_no_file_grows_without_end():
    """Files, functions, neighbours, cycles of imports: scripts/house_limits.txt has the limits, which only fall."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "house_metrics.py"), "--check"], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_vague_file_names():
    assert not [path for path in FILES if path.name in ("utils.py", "helpers.py", "common.py", "misc.py")]


# -- who may know a device ------------------------------------------------------------------------------------------
KNOWS_ALL_BACKENDS = {"backends"}  # everybody else asks the protocol
PROTOCOL = {"rlx.backends.base", "rlx.backends.knob", "rlx.backends.registry"}


def imported_modules(path: Path) -> set[str]:
    """Every module a file imports, at its top or inside a function."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module)
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_devices_are_known_by_their_protocol_alone(path):
    if path.parent != SOURCE and path.relative_to(SOURCE).parts[0] in KNOWS_ALL_BACKENDS:
        return
    others = {name for name in imported_modules(path) if name.startswith("rlx.backends") and name not in PROTOCOL}
    assert not others, f"{path} imports {sorted(others)}"
    assert not {name for name in imported_modules(path) if name.split(".")[0] == "llvmlite"}, path


def test_one_device_does_not_know_another():
    for path in FILES:
        parts = path.relative_to(SOURCE).parts
        if parts[0] == "backends" and len(parts) > 2:
            other = {name for name in imported_modules(path) if name.startswith("rlx.backends.") and name.count(".") > 2}
            assert all(name.startswith(f"rlx.backends.{parts[1]}.") for name in other), path


WITHOUT_LLVM = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "llvmlite":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
import numpy as np
import rlx

found = rlx.devices()
assert found["reference"] == found["null"] == "available", found
assert "llvmlite" in found["cpu"], found
g = rlx.Graph("double")
x = g.input("x", ("n", 3))
g.set_outputs({"y": x + x})
for device, expected in (("reference", 2.0), ("null", 0.0)):
    exe = rlx.compile(g, device)
    assert (exe.run({"x": np.ones((2, 3), np.float32)})["y"] == expected).all(), device
try:
    rlx.compile(g)
except rlx.RlxError as error:
    assert error.code == "RLX404" and "llvmlite" in str(error), error
else:
    raise AssertionError("compiled without llvmlite")
assert not any(name.split(".")[0] == "llvmlite" for name in sys.modules)
"""


def test_reference_and_null_work_without_llvm():
    done = subprocess.run([sys.executable, "-c", WITHOUT_LLVM], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
