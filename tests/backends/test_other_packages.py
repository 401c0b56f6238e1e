"""Devices of other packages: CONTRIBUTING's recipe followed to the letter, and packages that are broken in every way."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def recipe() -> tuple[str, str]:
    """The module and the entry point that CONTRIBUTING shows."""
    section = (ROOT / "CONTRIBUTING.md").read_text().partition("## Add a backend")[2].partition("\n## ")[0]
    blocks = dict(re.findall(r"```(python|toml)\n(.*?)```", section, re.DOTALL))
    (point,) = re.findall(r"^\s*(\w+) = \"(\S+)\"$", blocks["toml"], re.MULTILINE)
    return re.sub(r"^   ", "", blocks["python"], flags=re.MULTILINE), " = ".join(point)


def install(folder: Path, package: str, module: str, points: str) -> None:
    """A package as pip leaves it, without pip."""
    (folder / f"{package}.py").write_text(module)
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[rlx.backends]\n{points}\n")


def run(folder: Path, program: str) -> str:
    """What a program prints that finds the packages of a folder."""
    start = f"import sys; sys.path.insert(0, {str(folder)!r})\nimport numpy as np\nimport rlx\n"
    done = subprocess.run([sys.executable, "-c", start + program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


ECHO = """
import echo_device

assert list(rlx.devices()) == ["reference", "cpu", "null", "cuda", "xla", "echo"] and rlx.devices()["echo"] == "available", rlx.devices()
assert "echo_device" in sys.modules

# compiled, with a param, a state and symbolic sizes
g = rlx.Graph("norm")
x, w = g.input("x", ("n", 4)), g.param("w", (4,))
count = g.state("count", (), "f32")
g.update(count, count + 1.0)
g.set_outputs({"y": g.softmax(x * w)})
exe = rlx.compile(g, "echo")
exe.set_param("w", np.float32([1, 2, 3, 4]))
given = np.random.default_rng(0).standard_normal((3, 4)).astype(np.float32)
shares = np.exp(given * np.float32([1, 2, 3, 4]))
assert np.allclose(exe(given), shares / shares.sum(1, keepdims=True))
assert exe.clone()(given[:2]).shape == (2, 4) and exe.state("count") == 2
assert echo_device.said and len(exe.profile({"x": given}).lines) == len(exe.lir.commands)
assert rlx.check(exe, {"x": given}).ok
assert exe.memory(n=3)["outputs"] == 48
assert "echo" in repr(exe)

# traced
@rlx.jit(device="echo")
def double(x):
    return x + x

for n in (2, 3, 5):
    assert (double(np.ones(n, np.float32)) == 2).all()
assert double.traces == 2

# packed weights
g = rlx.Graph("packed")
g.set_outputs({"y": g.input("x", (2, 32)) @ g.param("w", (32, 8), scheme=rlx.QuantScheme.gguf("Q8_0"))})
rows = np.zeros((8, 34), np.uint8)
rows[:, :2] = np.frombuffer(np.float16(0.5).tobytes(), np.uint8)
rows[:, 2:] = 3
exe = rlx.compile(g, "echo", quant_mode="exact")
exe.set_param("w", rows)
assert (exe(np.ones((2, 32), np.float32)) == 32 * 1.5).all()

# an op it does not take and that has no decomposition
g = rlx.Graph("sums")
g.set_outputs({"y": g.cumsum(g.input("x", (3,)), axis=0)})
try:
    rlx.compile(g, "echo")
except rlx.RlxError as error:
    assert error.code == "RLX403" and "echo sums up nothing" in str(error), error
else:
    raise AssertionError("compiled an op that the device refuses")

try:
    exe.save("nowhere.rlxe")
except rlx.RlxError as error:
    assert error.code == "RLX403", error
"""


def test_the_recipe_of_contributing_makes_a_device(tmp_path):
    module, point = recipe()
    name = re.search(r"# (\w+)\.py", module)
    assert name is not None
    install(tmp_path, name[1], module, point)
    run(tmp_path, ECHO)


DECOMPOSES = """
g = rlx.Graph("norm")
g.set_outputs({"y": g.softmax(g.input("x", (2, 4)))})
exe = rlx.compile(g, "echo")
assert [entry.message for entry in exe.report.of("fallback")] == ["decomposed: softmax: no softmax here"], str(exe.report)
assert np.allclose(exe(np.zeros((2, 4), np.float32)), 0.25)
try:
    rlx.compile(g, "echo", strict=True)
except rlx.RlxError as error:
    assert error.code == "RLX405" and "no softmax here" in str(error), error
else:
    raise AssertionError("a fallback is no choice")
"""


def test_what_it_does_not_take_is_decomposed(tmp_path):
    module, point = recipe()
    old = 'return "echo sums up nothing" if op.name == "cumsum" else None'
    assert old in module
    install(tmp_path, "echo_device", module.replace(old, 'return "no softmax here" if op.name == "softmax" else None'), point)
    run(tmp_path, DECOMPOSES)


BROKEN = {  # what a package holds, where its entry point says the device is made, and what the row says
    "a module that is not there": ("", "nowhere_at_all:make", "ModuleNotFoundError: No module named 'nowhere_at_all'"),
    "a name that is not there": ("", "{package}:make", "has no attribute 'make'"),
    "a library that is missing": (
        "import a_driver_nobody_has\nmake = None",
        "{package}:make",
        "No module named 'a_driver_nobody_has'",
    ),
    "text that is no Python": ("def make(:", "{package}:make", "SyntaxError"),
    "a module that ends the program": ("import sys\nsys.exit('no')", "{package}:make", "SystemExit: no"),
    "a function that says why not": ("def make():\n    raise OSError('no such card')", "{package}:make", "OSError: no such card"),
    "a function that wants more": ("def make(card): ...", "{package}:make", "TypeError"),
    "no function": ("make = 3", "{package}:make", "TypeError"),
    "nothing": (
        "def make(): ...",
        "{package}:make",
        "it made a NoneType, which is not a Backend: it has no name, arrays, computes, layouts, claims, ",
    ),
    "a few methods": (
        "from rlx.backends.plain import Plain\nclass make(Plain): name = 'toy'",
        "{package}:make",
        "which is not a Backend: it has no compile, compile_as_planned",
    ),
    "another name": (
        "from rlx.backends.null.backend import NullBackend as make",
        "{package}:make",
        "the backend it made is named 'null'",
    ),
}
DEVICES = {kind: f"toy{number}" for number, kind in enumerate(BROKEN)}

STILL_WORKS = """
import json
found = rlx.devices()
assert [found[name] for name in ("reference", "cpu", "null")] == ["available"] * 3, found
g = rlx.Graph("double")
x = g.input("x", (2,))
g.set_outputs({"y": x + x})
assert (rlx.compile(g, "reference")(np.ones(2, np.float32)) == 2).all()
for name, reason in found.items():
    if reason == "available":
        continue
    try:
        rlx.compile(g, name)
    except rlx.RlxError as error:
        assert error.code == "RLX404" and error.message == reason, error
    else:
        raise AssertionError("a broken device compiled")
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """`rlx.devices()` where every package is broken in its own way."""
    folder = tmp_path_factory.mktemp("broken")
    for kind, (module, made, _) in BROKEN.items():
        package = f"broken_{DEVICES[kind]}"
        install(folder, package, module, f"{DEVICES[kind]} = {made.format(package=package)}")
    return json.loads(run(folder, STILL_WORKS))


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_package_is_a_row_with_its_reason(rows, kind):
    row = rows[DEVICES[kind]]
    assert row.startswith(f"device '{DEVICES[kind]}' (") and BROKEN[kind][2] in row, row


def test_a_package_cannot_replace_a_built_in_device(tmp_path):
    install(tmp_path, "taker", "def make(): raise AssertionError('asked')", "cpu = taker:make")
    told = run(tmp_path, "print(rlx.devices())\nassert 'taker' not in sys.modules")
    assert "'cpu': 'available'" in told
    assert "'cpu (taker:make)': \"ignored: 'cpu' is a built-in device\"" in told


def test_two_packages_with_one_name_are_refused(tmp_path):
    for package in ("first", "second"):
        install(tmp_path, package, "def make(): raise AssertionError('asked')", f"toy = {package}:make")
    row = json.loads(run(tmp_path, STILL_WORKS))["toy"]
    assert row == "device 'toy' is registered by several packages: first:make, second:make"


def test_a_package_found_twice_counts_once(tmp_path):
    module, point = recipe()
    other = tmp_path / "other"
    other.mkdir()
    for folder in (tmp_path, other):
        install(folder, "echo_device", module, point)
    told = run(tmp_path, f"sys.path.append({str(other)!r})\nprint(rlx.devices()['echo'])")
    assert told == "available\n"


def test_a_device_is_made_once_and_asked_for_in_no_time(tmp_path):
    module, point = recipe()
    said = module.replace('    name = "echo"\n', '    name = "echo"\n\n    def __init__(self): print("made")\n')
    install(tmp_path, "echo_device", said, point)
    program = (
        "from rlx.backends.registry import find_backend\nfor _ in range(3): rlx.devices(); find_backend('echo')\n"
        "import time; start = time.perf_counter()\nfor _ in range(100): rlx.devices()\n"
        "assert time.perf_counter() - start < 0.5\n"
    )
    assert run(tmp_path, program) == "made\n"


def test_entry_points_that_cannot_be_read_break_nothing(tmp_path):
    for number, points in enumerate(("toy", "toy = ", "= toy", "toy = not a module", "[rlx.backends\ntoy = x:y", "\x00")):
        install(tmp_path, f"broken{number}", "", points)
    run(tmp_path, STILL_WORKS)


def test_import_looks_at_no_package(tmp_path):
    install(tmp_path, "broken", "raise AssertionError('imported')", "toy = broken:make")
    run(tmp_path, "assert 'broken' not in sys.modules and 'llvmlite' not in sys.modules")
