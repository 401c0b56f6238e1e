"""Tails of every length, of every narrowing and widening: written and read lane by lane, and nothing beyond."""

import re

import numpy as np
import pytest

from rlx.backends.cpu.compile.codegen import assembly, compile_object
from rlx.backends.cpu.emit.builder import Module
from rlx.backends.cpu.emit.values import BF16, F16, F32, F64, I8, I16, I32, I64, PTR, Type
from rlx.backends.cpu.target import Target
from tests.backends.cpu.emit.built import DTYPES, call, compiled, every_target, numbers
from tests.backends.cpu.levels import AVX512_CPUS, folded, one_lane_stores

NARROWED = [(I16, I8), (I32, I8), (I32, I16), (I64, I8), (I64, I16), (I64, I32), (F32, F16), (F32, BF16), (F64, F32)]


def narrowing(target: Target, wide: Type, narrow: Type, lanes: int) -> Module:
    """One function per length of tail, known while compiling; the last one takes it at run time."""
    module = Module(target)
    for count in (*range(lanes + 1), None):
        k = module.kernel("at_run_time" if count is None else f"tail_{count}")
        source, result = k.argument(0, PTR), k.argument(1, PTR)
        value = k.convert(k.load(source, 0, wide.vector(lanes)), narrow)
        k.store_masked(value, result, 0, k.argument(2) if count is None else count)
    return module


@every_target
@pytest.mark.parametrize(("wide", "narrow"), NARROWED, ids=lambda kind: kind.name)
def test_a_narrowed_tail_writes_its_lanes_and_no_byte_more(target: Target, wide: Type, narrow: Type) -> None:
    for lanes in (2, 8, 16, 32):
        loaded = compiled(narrowing(target, wide, narrow, lanes))
        source = numbers(wide, lanes)
        with np.errstate(over="ignore"):
            expected = source.astype(DTYPES[narrow])
        for count in range(lanes + 1):
            for name in (f"tail_{count}", "at_run_time"):
                found = np.full(lanes + 8, 7, DTYPES[narrow])
                call(loaded, name, source, found, count)
                wanted = np.full(lanes + 8, 7, DTYPES[narrow])
                wanted[:count] = expected[:count]
                assert found.tobytes() == wanted.tobytes(), (lanes, count, name)


@every_target
@pytest.mark.parametrize(("wide", "narrow"), NARROWED, ids=lambda kind: kind.name)
def test_a_widened_tail_reads_its_lanes(target: Target, wide: Type, narrow: Type) -> None:
    lanes = 16
    module = Module(target)
    for count in range(lanes + 1):
        k = module.kernel(f"tail_{count}")
        loaded = k.load_masked(k.argument(0, PTR), 0, count, narrow.vector(lanes))
        k.store(k.convert(loaded, wide), k.argument(1, PTR), 0)
    functions = compiled(module)
    source = numbers(narrow, lanes)
    for count in range(lanes + 1):
        found = np.zeros(lanes, DTYPES[wide])
        call(functions, f"tail_{count}", source, found)
        expected = source.astype(DTYPES[wide])
        expected[count:] = 0
        assert found.tobytes() == expected.tobytes(), count


REDUCED = """declare void @llvm.masked.store.v16i16.p0(<16 x i16>, ptr, i32, <16 x i1>)
define void @f(<16 x i32> %v, ptr %p, i64 %n) {{
  %t = trunc <16 x i32> %v to <16 x i16>
  call void @llvm.masked.store.v16i16.p0(<16 x i16> %t, ptr %p, i32 2, <16 x i1> <{mask}>)
  ret void
}}
"""


def test_the_reduced_case_is_what_the_search_for_it_finds() -> None:
    """Ours has no such store; LLVM's miscompilation of it is what `one_lane_stores` must catch."""
    target = AVX512_CPUS[0]
    lanes = ["i1 true", *["i1 false"] * 15]
    text = REDUCED.format(mask=", ".join(lanes))
    assert one_lane_stores(folded(text, target)) == ["v16i16"]
    two = REDUCED.format(mask=", ".join(["i1 true", *lanes[:-1]]))
    assert one_lane_stores(folded(two, target)) == []


@pytest.mark.parametrize("target", AVX512_CPUS, ids=lambda target: target.cpu)
@pytest.mark.parametrize(("wide", "narrow"), NARROWED, ids=lambda kind: kind.name)
def test_one_lane_is_stored_as_wide_as_it_is(target: Target, wide: Type, narrow: Type) -> None:
    """Also where the machine at hand cannot run it: the tail of one lane has no store wider than one element."""
    module = Module(target)
    k = module.kernel("run")
    k.store_masked(k.convert(k.load(k.argument(0, PTR), 0, wide.vector(16)), narrow), k.argument(1, PTR), 0, 1)
    assert one_lane_stores(folded(module.text(), target)) == []
    stores = re.findall(r"^\t(v?mov\w+|vpextr\w|vcvt\w+)\t.*, \(%r\w+\)$", assembly(module.text(), target), re.M)
    sizes = {"b": 1, "w": 2, "l": 4, "d": 4, "ss": 4}
    assert len(stores) == 1, stores
    ending = next(ending for ending in ("ss", "b", "w", "l", "d") if stores[0].endswith(ending))
    assert sizes[ending] == narrow.size, stores
    assert len(compile_object(module.text(), target)) > 100
