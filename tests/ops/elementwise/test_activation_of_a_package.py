"""An activation of another package, CONTRIBUTING's recipe to the letter: one record with a kernel line, and everything works with it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def install(folder: Path) -> None:
    """The module that CONTRIBUTING shows."""
    section = (ROOT / "CONTRIBUTING.md").read_text().partition("## Add an op")[2].partition("\n## ")[0]
    (module,) = re.findall(r"```python\n(# mish\.py\n.*?)```", section, re.DOTALL)
    (folder / "mish.py").write_text(module)


PROGRAM = """
import sys; sys.path.insert(0, {folder!r})
import numpy as np
import rlx
import mish
from rlx.backends.conformance.__main__ import main
from rlx.ir.parse import parse_graph
from rlx.ir.text import render

given = np.linspace(-6, 6, 40, dtype=np.float32).reshape(8, 5)
wide = given.astype(np.float64)
share = np.tanh(np.log1p(np.exp(wide)))
expected = wide * share
slope = share + wide / (1 + np.exp(-wide)) * (1 - share**2)

# fused with its neighbors into one region, and into the product before it
g = rlx.Graph("region")
x = g.input("x", ("n", 5))
g.set_outputs({{"y": g.custom("mish", x * 2.0) + 1.0}})
for device in ("reference", "cpu"):
    exe = rlx.compile(g, device)
    np.testing.assert_allclose(exe(given / 2), expected + 1, rtol=1e-5, atol=1e-6)
assert [command.kernel for command in exe.lir.commands] == ["region"], exe.report
assert [entry.message.split(";")[0] for entry in exe.report.of("fused")] == ["mul mish add"], exe.report
assert not exe.report.of("host call") and not exe.report.of("fallback"), exe.report
product = rlx.Graph("product")
product.set_outputs({{"y": product.custom("mish", product.input("x", (8, 5)) @ product.param("w", (5, 5)))}})
exe = rlx.compile(product, "cpu")
exe.set_param("w", np.eye(5, dtype=np.float32))
np.testing.assert_allclose(exe(given), expected, rtol=1e-5, atol=1e-6)
assert [command.kernel for command in exe.lir.commands] == ["matmul+mish"], exe.report

# text
again = parse_graph(render(g))
assert again.fingerprint() == g.fingerprint()
np.testing.assert_array_equal(rlx.compile(again, "cpu")(given), rlx.compile(g, "cpu")(given))

# functions, gradients of both modes and of a gradient, batches, a 16-bit policy
f = rlx.jit(lambda x: mish.mish(x))
np.testing.assert_allclose(f(given), expected, rtol=1e-5, atol=1e-6)
total = lambda x: mish.mish(x).sum()
np.testing.assert_allclose(rlx.jit(rlx.grad(total))(given), slope, rtol=1e-5, atol=1e-5)
found = rlx.jit(lambda x, t: rlx.jvp(mish.mish, (x,), (t,))[1])(given, np.ones_like(given))
np.testing.assert_allclose(found, slope, rtol=1e-5, atol=1e-5)
step = 1e-3
around = [wide + step, wide - step]
share_of = [np.tanh(np.log1p(np.exp(z))) for z in around]
up, down = (s + z / (1 + np.exp(-z)) * (1 - s**2) for z, s in zip(around, share_of))
second = rlx.jit(rlx.grad(lambda x: rlx.grad(total)(x).sum()))(given)
np.testing.assert_allclose(second, (up - down) / (2 * step), atol=1e-4)
np.testing.assert_allclose(rlx.jit(rlx.vmap(mish.mish))(given), expected, rtol=1e-5, atol=1e-6)

# the conformance program, here and by its command line
for device in ("reference", "cpu"):
    for mode in ("test", "grad", "vmap"):
        assert main(["--device", device, "--mode", mode, "--op", "mish"]) == 0, (device, mode)
"""


def test_one_record_and_one_kernel_line_make_an_activation(tmp_path):
    install(tmp_path)
    program = PROGRAM.format(folder=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith(("reference:", "cpu:"))]
    assert len(lines) == 6 and all(line.endswith("0 not supported, 0 wrong") for line in lines), done.stdout


def test_the_conformance_program_imports_the_package(tmp_path):
    install(tmp_path)
    start = [sys.executable, "-m", "rlx.backends.conformance", "--module", "mish"]
    command = [*start, "--op", "mish", "--device", "cpu", "--mode", "support"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert done.returncode == 0 and "mish" in done.stdout and "0 not supported" in done.stdout, done.stdout + done.stderr
