"""How kernels round: regions operation by operation, as other devices do, and f64 nowhere through f32."""

from __future__ import annotations

import re

import numpy as np
import pytest

import rlx
from rlx.backends.conformance.cases import build, in_one_type, records, rows_of, shapes_of
from rlx.backends.cuda.kernel_data import KernelSource
from rlx.passes.entry import Options
from tests.backends.cuda.compiled_forms import instructions, triton_ir
from tests.backends.cuda.device import NEEDS_TRITON
from tests.backends.cuda.test_compile import kernels

pytestmark = NEEDS_TRITON

HAVE_F32 = {
    "cast": "to f32",
    "dropout": "what it compares with a probability is drawn in f32",
    "resize": "positions are counted in f32, as torch does",
    "fake_quantize_lsq_backward_scale": "the ends of the grid, whole numbers, are f32 constants",
    "blocked_dequantize": "floats of 8 bits become f32 first, exactly",
}
"""Ops whose graphs have values in f32 although their operands or results are f64."""


@pytest.mark.parametrize(("dtype", "contracted"), [("f32", "FFMA"), ("f64", "DFMA")])
def test_a_region_rounds_products_before_it_adds(dtype: str, contracted: str):
    """a·b − c with c = a·b rounded was not 0, and positions that `resize` counts were off by a rounding."""
    g = rlx.Graph("cancelled")
    a, b, c = (g.input(name, (64, 64), dtype) for name in "abc")
    g.set_outputs({"y": a * b - c, "s": g.reduce_sum(a * b + c, axes=(-1,))})
    for kernel in kernels(g):
        code = instructions(kernel)
        assert contracted.replace("FMA", "ADD") in code and contracted not in code


def in_f32(kernel: KernelSource) -> list[str]:
    """The lines of a kernel's first form that have a value in f32, but for constants that nothing reads or that are exact there."""
    text = triton_ir(kernel)
    constants = dict(re.findall(r"(%\w+) = arith\.constant (\S+) : f32\b", text))
    harmless = {name for name, number in constants.items() if is_exact(number) or not is_read(name, text)}
    found = [line.strip() for line in text.splitlines() if re.search(r"[<x :]f32\b", line)]
    return [line for line in found if not defines(line, harmless)]


def is_exact(number: str) -> bool:
    """Whether a number as it is printed, or given as bits (an infinity, NaN), is one of f32."""
    return number.startswith("0x") or float(number) == float(np.float32(number))


def is_read(name: str, text: str) -> bool:
    return len(re.findall(re.escape(name) + r"\b", text)) > 1


def defines(line: str, constants: set[str]) -> bool:
    """Whether a line is one of these constants, or makes f64 of it."""
    wider = re.search(r"arith\.extf (%\w+) : f32 to f64", line)
    return (wider.group(1) if wider else line.split(" = ")[0]) in constants


def test_a_literal_that_becomes_f32_is_seen():
    text = "def probe(p0):\n    rate = 0.1\n    tl.store(p0, tl.load(p0) * rate)\n"
    assert in_f32(KernelSource("probe", text, ("fp64",), (True,)))
    direct = text.replace("* rate", "* 0.1").replace("    rate = 0.1\n", "")
    assert not in_f32(KernelSource("probe", direct, ("fp64",), (True,)))


def test_kernels_of_f64_have_nothing_in_f32():
    """Every row of the op table in f64 and c128: Triton makes f32 of a number that it is not told the type of."""
    wrong, seen, excused = {}, set(), set()
    for record in records():
        for row in rows_of(record):
            if row.dtype not in ("f64", "c128"):
                continue
            operands = in_one_type(record, row.case.arrays(0, row.dtype))
            for kernel in kernels(build(record, shapes_of(operands), row.case.attrs).graph):
                if kernel.key in seen or "fp64" not in kernel.pointers:
                    continue
                seen.add(kernel.key)
                found = in_f32(kernel)
                if found and record.name in HAVE_F32:
                    excused.add(record.name)
                elif found:
                    wrong[str(row)] = found[:3]
    assert not wrong, wrong
    assert len(seen) > 200 and excused == set(HAVE_F32)


@pytest.mark.parametrize("dtype", ["bf16", "f16"])
def test_without_excess_precision_each_op_is_rounded(dtype: str):
    """(x·y + x)·y − x stayed f32 until it was stored. In machine code each of the four ops is then one of 16 bits, none joined."""
    g = rlx.Graph("chain")
    x, y = (g.input(name, (64, 64), dtype) for name in "xy")
    g.set_outputs({"z": (x * y + x) * y - x})
    counts, codes = [], []
    for excess in (True, False):
        (kernel,) = kernels(g, Options(excess_precision=excess))
        counts.append(len(re.findall(r"arith\.truncf .* to tensor<\S*b?f16>", triton_ir(kernel))))
        codes.append(instructions(kernel))
    assert counts == [1, 4]
    pairs = len(re.findall(r"\bF2FP\.", codes[0]))  # two numbers of 16 bits, packed when they are stored
    low = re.findall(r"\bH(?:ADD2|MUL2|FMA2)(?!\S*\.F32)", codes[1])
    assert pairs and len(low) == 4 * pairs
