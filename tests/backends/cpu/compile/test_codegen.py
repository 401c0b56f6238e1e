"""Loading object code: what the process around it looks like must not matter."""

import ctypes
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from rlx.backends.cpu.compile import codegen
from rlx.backends.cpu.compile.native_code import Compilation
from rlx.backends.cpu.target import Target
from rlx.core.cache import Recent

FAR_APART = """
import mmap
import numpy as np
import rlx

# Single free pages near the top of the address space, and nothing else free within 8 GB of them: LLVM's memory manager
# would put the code into one of the pages and its constants below the big block, out of reach of a 32-bit distance.
page = mmap.PAGESIZE
flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
holes = [mmap.mmap(-1, page, flags=flags) for _ in range(4096)]
big = mmap.mmap(-1, 8 << 30, flags=flags, prot=mmap.PROT_READ)
for hole in holes[::2]:
    hole.close()
graph = rlx.Graph("far")
x = graph.input("x", (64, 48), "f32")
graph.set_outputs({"y": graph.gelu(x) + graph.softmax(x, axis=-1)})
exe = rlx.compile(graph, "cpu")
array = np.random.default_rng(0).standard_normal((64, 48)).astype(np.float32)
found = exe.run({"x": array})["y"]
expected = rlx.compile(graph, "reference").run({"x": array})["y"]
np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
print("reached")
"""


def test_code_reaches_its_constants_in_a_crowded_address_space() -> None:
    done = subprocess.run([sys.executable, "-c", FAR_APART], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "reached" in done.stdout, f"exit {done.returncode}\n{done.stdout}{done.stderr}"


def test_threads_compile_side_by_side_while_old_objects_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ever new texts through a memory of three: every object has its own function."""
    monkeypatch.setattr(codegen, "_objects", Recent(3))

    def text(number: int) -> str:
        return f"define i64 @f{number}() {{\n  ret i64 {number}\n}}\n"

    with ThreadPoolExecutor(4) as threads:
        objects = list(threads.map(lambda number: codegen.compile_object(text(number), Target.host()), range(80)))
    loaded = codegen.load_object(*objects)
    for number in range(80):
        assert ctypes.CFUNCTYPE(ctypes.c_int64)(loaded.address(f"f{number}"))() == number
    assert len(codegen._objects) <= 3


def test_threads_take_turns_more_often_while_kernels_are_compiled_and_as_before_after() -> None:
    before = sys.getswitchinterval()
    with Compilation(str.encode) as outer:
        with Compilation(str.encode) as inner:
            inner.submit("a")
            assert sys.getswitchinterval() < before
            assert inner.objects(["a"]) == (b"a",)
        outer.submit("b")
        assert sys.getswitchinterval() < before
    assert sys.getswitchinterval() == before
