"""One compilation serves every size, and many equal layers cost what one costs."""

from __future__ import annotations

import time

import numpy as np
import pytest

import rlx
from rlx.backends.cpu.compile import build
from rlx.runtime import compile as compiling
from tests.small_llama import random_params, small_llama


@pytest.fixture
def compiled(cache_dir, monkeypatch):
    """The LLVM text of everything compiled in the test, with empty caches."""
    texts: list[str] = []
    original = build.compile_object

    def counting(text, *more):
        texts.append(text)
        return original(text, *more)

    monkeypatch.setattr(build, "compile_object", counting)
    monkeypatch.setattr(compiling, "_memory", {})
    return texts


def test_fifty_sizes_through_one_executable(compiled):
    module = small_llama(layers=2, context=48)
    exe, reference = rlx.compile(module, "cpu"), rlx.compile(module, "reference")
    arrays = random_params(exe.graph)
    exe.set_params(arrays)
    reference.set_params(arrays)
    count = len(compiled)
    assert count > 0
    assert [entry.message for entry in exe.report.of("cache")] == ["compiled and stored"]
    random = np.random.default_rng(0)
    sizes = [(1, 1), (16, 48), (1, 48), (16, 1), *((int(random.integers(1, 17)), int(random.integers(1, 49))) for _ in range(46))]
    for batch, seq in sizes:
        ids = random.integers(0, 64, (batch, seq)).astype(np.int32)
        found, expected = exe(ids=ids), reference(ids=ids)
        # two layers and the head: 18 products and norms in a row, sums of at most 48 terms, on both sides
        bound = 8 * 18 * np.sqrt(48) * 2.0**-23 * np.abs(expected).max()
        assert np.abs(found - expected).max() <= bound, (batch, seq)
    assert len(sizes) == 50 and len(compiled) == count, "a new size compiled"
    again = rlx.compile(small_llama(layers=2, context=48), "cpu")
    assert len(compiled) == count and "loaded from memory" in str(again.report)
    compiling._memory.clear()
    again = rlx.compile(small_llama(layers=2, context=48), "cpu")
    assert len(compiled) == count and "loaded from disk" in str(again.report)
    again.set_params(arrays)
    ids = random.integers(0, 64, (3, 7)).astype(np.int32)
    assert again(ids=ids).tobytes() == exe(ids=ids).tobytes()


def test_thirty_two_layers_compile_the_kernels_of_one(compiled, capsys):
    seconds, counts, commands = {}, {}, {}
    for layers in (1, 2, 32):
        start = time.process_time()
        exe = rlx.compile(small_llama(layers=layers, hidden=64, ffn=96), "cpu")
        total = time.process_time() - start
        seconds[layers] = exe.report.seconds["emit kernels"] + exe.report.seconds["compile kernels"], total
        counts[layers] = len(compiled)
        commands[layers] = len(exe.lir.commands)
        compiled.clear()
    with capsys.disabled():
        print("\nlayers  kernels  commands  native code      whole compile")
        for layers, (native, total) in seconds.items():
            print(f"{layers:6}  {counts[layers]:7}  {commands[layers]:8}  {native * 1e3:8.0f} ms  {total * 1e3:8.0f} ms")
    assert counts[32] == counts[2], "a layer has code of its own"
    # a second layer may add the kernels at the seam between layers, nothing else
    assert 0 < counts[1] <= counts[2] <= counts[1] + 2
    assert commands[32] - commands[2] == 30 * (commands[2] - commands[1])
    exe.set_params(random_params(exe.graph))
    reference = rlx.compile(small_llama(layers=32, hidden=64, ffn=96), "reference")
    reference.set_params(random_params(exe.graph))
    ids = np.arange(14, dtype=np.int32).reshape(2, 7)
    found, expected = exe(ids=ids), reference(ids=ids)
    assert np.abs(found - expected).max() <= 8 * 8 * 32 * np.sqrt(96) * 2.0**-23 * np.abs(expected).max()
