"""Products of bf16 by pairs along k: `vdpbf16ps` and AMX tiles, as instructions where the CPU has them, and as loops on any.

A loop has the arithmetic of its instruction, so what it gives is compared bit for bit where this machine has the instruction.
"""

from __future__ import annotations

from dataclasses import replace

import ml_dtypes
import numpy as np
import pytest

import rlx
from rlx.backends.cpu.compile.codegen import assembly, compile_object, load_object
from rlx.backends.cpu.emit.builder import Module
from rlx.backends.cpu.emit.values import F32, I32, PTR
from rlx.backends.cpu.kernels.matmul.blocking import multiplies_pairs
from rlx.backends.cpu.kernels.matmul.contraction import lower_pack, matmul
from rlx.backends.cpu.kernels.matmul.spec import MatMulSpec
from rlx.backends.cpu.target import Target
from rlx.layouts.table import parse_layout
from tests.backends.cpu.kernels.matmul.test_kernel import check, close, numbers, reference
from tests.backends.cpu.levels import HOST, LEVELS
from tests.backends.cpu.lowered import SIGNATURE, op_for, tensor_of
from tests.backends.cpu.lowered import run as run_lowered

AMX, AVX512 = Target.named("x86_64-amx"), LEVELS["x86_64-avx512"]
LOOPS = replace(HOST, features=HOST.features + ",+amx-tile,+amx-int8,+amx-bf16", tiles_as_loops=True)

needs_bf16 = pytest.mark.skipif(not HOST.has("avx512bf16"), reason="this machine has no AVX512-BF16")
targets = pytest.mark.parametrize("target", [HOST, LOOPS], ids=["vectors", "tiles"])


def code_of(target: Target, **options: object) -> str:
    module = Module(target)
    spec = MatMulSpec(64, 96, 128, **{"a_type": "bf16", "b_type": "bf16", "c_type": "bf16", **options})  # type: ignore[arg-type]
    matmul(module, "product", spec)
    return assembly(module.text(), target)


def test_with_amx_products_of_bf16_are_made_of_tiles() -> None:
    code = code_of(AMX)
    for instruction in ("ldtilecfg", "tileloadd", "tdpbf16ps", "tilestored", "tilerelease"):
        assert instruction in code


def test_without_amx_they_are_made_of_vectors() -> None:
    zen = replace(AVX512, cpu="znver4", features=AVX512.features + ",+avx512bf16")
    assert "vdpbf16ps" in code_of(zen) and "tdp" not in code_of(zen)


@pytest.mark.parametrize("options", [{"a_type": "f32"}, {"b_type": "f32"}, {"in_order": True}])
def test_other_products_are_not(options: dict[str, object]) -> None:
    assert "dpbf16ps" not in code_of(AMX, **options)


def test_older_cpus_multiply_as_before() -> None:
    spec = MatMulSpec(64, 96, 128, "bf16", "bf16", "bf16")
    assert not any(multiplies_pairs(spec, level) for level in LEVELS.values())


@needs_bf16
@targets
@pytest.mark.parametrize("form", ["panels", "rows", "columns"])
@pytest.mark.parametrize("shape", [(16, 32, 32), (47, 33, 70), (250, 70, 417), (33, 31, 1), (40, 5, 0), (50, 33, 2048)], ids=str)
def test_shapes(target: Target, form: str, shape: tuple[int, int, int]) -> None:
    check(target, *shape, form=form, dtype="bf16")


@needs_bf16
@targets
@pytest.mark.parametrize("rows", [1, 2, 5, 15, 16, 47, 300])
@pytest.mark.parametrize("sizes", [(33, 32), (64, 416), (70, 1184)], ids=str)
def test_steps_of_k_side_by_side(target: Target, rows: int, sizes: tuple[int, int]) -> None:
    check(target, rows, *sizes, dtype="bf16", steps=2)


@needs_bf16
@pytest.mark.parametrize("layout", ["panel32x2", "pair32x2"])
@pytest.mark.parametrize("transposed", [False, True])
def test_weights_are_packed_side_by_side(layout: str, transposed: bool) -> None:
    sources = [numbers((416, 45), "bf16", seed) for seed in range(2 if "pair" in layout else 1)]
    given = [np.ascontiguousarray(source.T).T if transposed else source for source in sources]
    tensors = [tensor_of(source) for source in given]
    (packed,) = run_lowered(lower_pack, op_for("pack", tensors, layout=layout), given)
    assert packed.tobytes() == parse_layout(layout).pack(*sources).tobytes()


@needs_bf16
@pytest.mark.parametrize("rows", [1, 40])
def test_params_of_a_program_are_packed_so_and_read_back(rows: int) -> None:
    graph = rlx.Graph("product")
    x, w = graph.input("x", rlx.Shape((rows, 96), "bf16")), graph.param("w", rlx.Shape((96, 70), "bf16"))
    graph.set_outputs({"y": graph.matmul(x, w)})
    executable = rlx.compile(graph, device="cpu")
    assert "panel32x2" in str(executable.lir)
    given, weight = numbers((rows, 96), "bf16", 1), numbers((96, 70), "bf16", 2)
    executable.set_param("w", weight)
    close(executable.run({"x": given})["y"], *reference(given, weight, "bf16"))
    assert executable.param("w").tobytes() == weight.tobytes()


@needs_bf16
@targets
def test_other_products_read_them_too(target: Target) -> None:
    for rows in (1, 3, 40):
        check(target, rows, 45, 96, dtype="f32", b_dtype="bf16", steps=2)
        check(target, rows, 45, 416, dtype="bf16", steps=2, in_order=True)
        check(target, rows, 45, 96, dtype="bf16", steps=2, runtime="m")
        check(target, rows, 45, 96, dtype="bf16", steps=2, gap=5)


@needs_bf16
@targets
@pytest.mark.parametrize("form", ["panels", "rows", "columns"])
def test_layouts(target: Target, form: str) -> None:
    for options in ({"gap": 5}, {"transposed": True, "gap": 3}, {"strided": True, "gap": 1}):
        check(target, 61, 45, 96, form=form, dtype="bf16", **options)  # type: ignore[arg-type]
        check(target, 61, 45, 410, form=form, dtype="bf16", c_dtype="f32", **options)  # type: ignore[arg-type]


@needs_bf16
@targets
@pytest.mark.parametrize("rows", [1, 15, 16, 50])
def test_sizes_known_at_run_time(target: Target, rows: int) -> None:
    check(target, rows, 45, 96, form="panels", dtype="bf16", runtime="m")
    check(target, rows, 45, 75, form="rows", dtype="bf16", runtime="mnk")


@needs_bf16
def test_the_instruction_and_its_loop_have_the_same_bits() -> None:
    a, b = (numbers((16, 32), "bf16", seed) for seed in (3, 4))
    sums = numbers((16, 16), "f32", 5)
    found = []
    for target in (HOST, replace(HOST, features=HOST.features.replace("+avx512bf16", "-avx512bf16"))):
        module = Module(target)
        k = module.kernel("dot")
        left, right, total = (k.argument(index, PTR) for index in range(3))
        for row in k.range(16):
            pairs = [k.load(base, row * 16, I32.vector(16)) for base in (left, right)]
            k.store(k.dot_bf16(k.load(total, row * 16, F32.vector(16)), *pairs), total, row * 16)
        assert ("vdpbf16ps" in assembly(module.text(), target)) == target.has("avx512bf16")
        result, loaded = sums.copy(), load_object(compile_object(module.text(), target))
        table = np.array([array.ctypes.data for array in (a, b, result)], np.int64)
        SIGNATURE(loaded.address("dot"))(table.ctypes.data, 0, 1, 0)
        found.append(result)
    assert found[0].tobytes() == found[1].tobytes()
    wide = [array.astype(np.float64).reshape(16, 16, 2) for array in (a, b)]
    np.testing.assert_allclose(found[0], sums + (wide[0] * wide[1]).sum(-1), rtol=1e-5, atol=1e-6)
    assert a.dtype == ml_dtypes.bfloat16
