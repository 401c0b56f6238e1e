"""What is kept has a stated size: shapes seen, code compiled lately, and what a dropped executable leaves behind."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import rlx
from rlx import Graph
from rlx.backends.cpu.compile import codegen
from rlx.core import config
from rlx.core.cache import Recent
from rlx.functions.jit_versions import VERSIONS
from rlx.generate.template_worker import compile_template
from rlx.runtime import compile as compile_file
from rlx.runtime.executable import _BOUND
from rlx.runtime.run_arrays import _POOLED


def test_the_least_recently_used_entry_goes_first() -> None:
    known: Recent[str, int] = Recent(3)
    for name in "abc":
        known[name] = ord(name)
    known.get("a")
    known["d"] = 4
    assert [known.get(name) for name in "abcd"] == [ord("a"), None, ord("c"), 4]


def test_entries_weigh_no_more_than_the_limit() -> None:
    known: Recent[int, bytes] = Recent(100, 10, len)
    for number in range(20):
        known[number] = b"1234"
    assert len(known) == 2 and known.get(19) == b"1234"
    known[20] = b"x" * 50
    assert len(known) == 1 and known.get(20) == b"x" * 50
    known[20] = b"y"
    known[21] = b"z" * 9
    assert len(known) == 2


def test_an_executable_forgets_shapes_it_has_not_seen_for_long() -> None:
    g = Graph("shapes")
    x = g.input("x", ("n",))
    g.set_outputs({"y": x + 1})
    exe = rlx.compile(g)
    for size in range(1, 2 * _BOUND):
        exe.run({"x": np.zeros(size, np.float32)})
    assert len(exe._bound) == _BOUND
    np.testing.assert_array_equal(exe.run({"x": np.zeros(1, np.float32)})["y"], [1])


_DROPPED = """
import gc, os, sys
import numpy as np, rlx

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

def build():
    g = rlx.Graph("dropped")
    x = g.input("x", ("n", 4))
    g.set_outputs({"y": g.sum(x * 2 + 1, axes=(1,))})
    rlx.compile(g).run({"x": np.ones((3, 4), np.float32)})

for _ in range(66):
    build()
gc.collect()
before = resident()
for _ in range(160):
    build()
gc.collect()
print((resident() - before) // 160)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_dropped_executable_leaves_next_to_nothing_behind() -> None:
    """LLVM keeps ten kilobytes of every library it unloads, as long as the linker lives that had it."""
    run = subprocess.run([sys.executable, "-c", _DROPPED], capture_output=True, text=True, check=True)
    assert int(run.stdout) < 3000, f"{run.stdout} bytes for each executable"


def test_the_page_of_caches_states_the_limits() -> None:
    page = (Path(__file__).parents[2] / "docs" / "caches.md").read_text()
    for stated in (
        f"{_BOUND} sets of shapes",
        f"{_POOLED} arrays for each output",
        f"jitted function | {VERSIONS} |",
        f"{compile_file._memory._most} programs, {compile_file._memory._limit >> 20} MB",
        f"{codegen._objects._most} objects, {codegen._objects._limit >> 20} MB",
        f"up to {codegen._LIBRARIES} libraries",
        f"{config.CACHE_MEGABYTES.default} MB",
        f"templates | {compile_template.cache_parameters()['maxsize']} |",
    ):
        assert stated in page, stated
