"""Matrix products and packing against NumPy: odd sizes, strides, batches, dtypes, epilogues, any split of the units.

Operands end at a page that may not be touched, scratch starts as NaN, and the gaps between rows of C must survive.
"""

import ctypes
import mmap
from dataclasses import replace

import ml_dtypes
import numpy as np
import pytest

from rlx.backends.cpu.compile.codegen import Loaded, compile_object, load_object
from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.values import F32, PTR, Value
from rlx.backends.cpu.kernels.matmul.blocking import panel_width, units
from rlx.backends.cpu.kernels.matmul.contraction import matmul
from rlx.backends.cpu.kernels.matmul.operands import scratch_bytes
from rlx.backends.cpu.kernels.matmul.pack import PackSpec, pack, pack_units
from rlx.backends.cpu.kernels.matmul.spec import Epilogue, EpiloguePlace, MatMulSpec, SizeSlot
from rlx.backends.cpu.target import Target
from rlx.core.dim import Dim
from tests.backends.cpu.levels import HOST, TARGETS
from tests.backends.cpu.lowered import SIGNATURE

NUMPY = {
    "f32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "u8": np.uint8,
}
_kept: list[mmap.mmap] = []


def guarded(values: np.ndarray) -> np.ndarray:
    """A copy whose last byte is the last one of its page; the page after it may not be touched."""
    page = mmap.PAGESIZE
    pages = -(-values.nbytes // page) + 1
    memory = mmap.mmap(-1, pages * page)
    _kept.append(memory)
    whole = np.frombuffer(memory, np.uint8)
    protect = ctypes.CDLL(None).mprotect
    protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    assert protect(whole.ctypes.data + (pages - 1) * page, page, 0) == 0
    start = (pages - 1) * page - values.nbytes
    copy = whole[start : start + values.nbytes].view(values.dtype).reshape(values.shape)
    copy[...] = values
    return copy


def numbers(shape: tuple[int, ...], dtype: str, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    if dtype[0] in "iu":
        return rng.integers(-9 if dtype[0] == "i" else 0, 10, shape).astype(NUMPY[dtype])
    return rng.standard_normal(shape).astype(NUMPY[dtype])


def panels_of(b: np.ndarray, width: int) -> np.ndarray:
    """The reference of packing: [..., K, N] to [..., ceil(N / width), K, width]."""
    *batch, depth, columns = b.shape
    count = -(-columns // width)
    padded = np.zeros((*batch, depth, count * width), b.dtype)
    padded[..., :columns] = b
    return np.ascontiguousarray(np.moveaxis(padded.reshape(*batch, depth, count, width), -2, -3))


def compiled(target: Target, spec: MatMulSpec, epilogue: Epilogue | None = None) -> Loaded:
    module = Module(target)
    matmul(module, "product", spec, epilogue)
    return load_object(compile_object(module.text(), target))


def run(loaded: Loaded, name: str, table: list[int], ranges: list[tuple[int, int]], scratch: int) -> None:
    arguments = np.array(table, np.int64)
    for begin, end in ranges:
        memory = np.full(scratch + 64, 0xFF, np.uint8)  # NaN, so that reading before writing shows
        address = memory.ctypes.data + (-memory.ctypes.data) % 64
        SIGNATURE(loaded.address(name))(arguments.ctypes.data, begin, end, address)


def splits(count: int) -> list[list[tuple[int, int]]]:
    """All units at once; each alone, backwards; and two uneven parts."""
    cut = count // 3
    return [[(0, count)], [(u, u + 1) for u in reversed(range(count))], [(cut, count), (0, cut)]]


def reference(a: np.ndarray, b: np.ndarray, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """The product in f64 (or in the integers' own arithmetic), and how far from it a sum of rounded terms may be."""
    if dtype[0] in "iu":
        exact = a.astype(np.int64) @ b.astype(np.int64)
        return exact.astype(NUMPY[dtype]), np.zeros(exact.shape)
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
    exact = wide_a @ wide_b
    accumulated = np.finfo(np.float64 if dtype == "f64" else np.float32).eps
    norms = np.linalg.norm(wide_a, axis=-1)[..., :, None] * np.linalg.norm(wide_b, axis=-2)[..., None, :]
    error = 2 * accumulated * np.sqrt(max(1, a.shape[-1])) * norms
    if dtype in ("f16", "bf16"):
        error = error + float(ml_dtypes.finfo(NUMPY[dtype]).eps) * np.abs(exact)
    return exact, error


def close(actual: np.ndarray, expected: np.ndarray, error: np.ndarray) -> None:
    difference = np.abs(actual.astype(np.float64) - expected.astype(np.float64))
    worst = np.max(difference - error, initial=-1.0)
    assert worst <= 0, f"off by up to {worst} more than rounding explains"


def check(
    target: Target,
    m: int,
    n: int,
    k: int,
    *,
    form: str = "panels",
    dtype: str = "f32",
    b_dtype: str | None = None,
    c_dtype: str | None = None,
    transposed: bool = False,
    strided: bool = False,
    gap: int = 0,
    steps: int = 1,
    in_order: bool = False,
    runtime: str = "",
) -> None:
    """One product of one layout, with every split of its units."""
    b_dtype, c_dtype = b_dtype or dtype, c_dtype or dtype
    a, b = numbers((m, k), dtype, 1), numbers((k, n), b_dtype, 2)
    stored_a = np.zeros((k, m + gap) if transposed else (m, 2 * (k + gap) if strided else k + gap), a.dtype)
    view = stored_a[:, :m].T if transposed else stored_a[:, : 2 * k : 2] if strided else stored_a[:, :k]
    view[...] = a
    if form == "panels":
        stored_b = panels_of(b, panel_width(target, dtype))
        count, depth, width = stored_b.shape
        beside = np.swapaxes(stored_b.reshape(count, depth // steps, steps, width), -1, -2)
        stored_b = np.ascontiguousarray(beside).reshape(stored_b.shape)
    else:
        matrix = b if form == "rows" else b.T
        stored_b = np.zeros((matrix.shape[0], matrix.shape[1] + gap), b.dtype)
        stored_b[:, : matrix.shape[1]] = matrix
    given_a, given_b = guarded(stored_a), guarded(stored_b)
    sizes = {"m": m, "n": n, "k": k}
    spec = MatMulSpec(
        **{name: SizeSlot(3 + "mnk".index(name)) if name in runtime else size for name, size in sizes.items()},
        a_type=dtype,
        b_type=b_dtype,
        c_type=c_dtype,
        b_form=form,
        a_row=1 if transposed else stored_a.shape[1],
        a_inner=m + gap if transposed else 2 if strided else 1,
        b_steps=steps,
        b_row=None if form == "panels" else stored_b.shape[1],
        c_row=n + gap,
        in_order=in_order,
    )
    loaded = compiled(target, spec)
    expected, error = reference(a, b, dtype)
    if c_dtype in ("f16", "bf16"):
        error = error + float(ml_dtypes.finfo(NUMPY[c_dtype]).eps) * np.abs(expected)
    results = []
    for ranges in splits(units(spec, target, m=m, n=n)):
        c = guarded(np.full((m, n + gap), 77, NUMPY[c_dtype]))
        table = [x.ctypes.data for x in (given_a, given_b, c)] + [m, n, k]
        run(loaded, "product", table, ranges, scratch_bytes(spec, target))
        assert (c[:, n:] == 77).all()
        results.append(c[:, :n].copy())
    close(results[0], expected, error)
    for other in results[1:]:
        assert results[0].tobytes() == other.tobytes()


SHAPES = [
    (1, 1, 1),
    (1, 16, 8),
    (2, 15, 3),
    (3, 17, 5),
    (4, 33, 64),
    (5, 31, 66),
    (6, 48, 7),
    (7, 8, 100),
    (8, 64, 31),
    (13, 129, 65),
    (37, 129, 65),
    (71, 40, 19),
    (72, 24, 33),
    (73, 70, 9),
    (100, 33, 901),
    (250, 100, 50),
    (1, 300, 1700),
    (3, 200, 1030),
    (5, 5, 0),
    (1, 9001, 17),
    (2, 2500, 33),
    (9, 1100, 40),
    (32, 512, 48),
    (33, 512, 20),
]


@pytest.mark.parametrize("form", ["panels", "rows", "columns"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_shapes(form: str, shape: tuple[int, int, int]) -> None:
    check(HOST, *shape, form=form)


@pytest.mark.parametrize("target", TARGETS[1:], ids=lambda t: t.cpu)
@pytest.mark.parametrize("form", ["panels", "rows", "columns"])
@pytest.mark.parametrize("shape", [(3, 17, 5), (37, 129, 65), (100, 33, 901)], ids=str)
def test_shapes_on_the_baseline(target: Target, form: str, shape: tuple[int, int, int]) -> None:
    check(target, *shape, form=form)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("form", ["panels", "rows", "columns"])
@pytest.mark.parametrize("layout", ["gap", "transposed", "strided", "runtime"])
@pytest.mark.parametrize("shape", [(3, 50, 41), (77, 45, 410)], ids=str)
def test_layouts(target: Target, form: str, layout: str, shape: tuple[int, int, int]) -> None:
    options = {
        "gap": {"gap": 5},
        "transposed": {"transposed": True, "gap": 3},
        "strided": {"strided": True, "gap": 1},
        "runtime": {"runtime": "mnk"},
    }
    check(target, *shape, form=form, **options[layout])


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("rows", [*range(5, 20), 71, 73, 146, 150])
def test_a_transposed_a_is_copied_tile_by_tile(target: Target, rows: int) -> None:
    """Whole tiles and every rest of one, a last vector that ends within the rows or past them, two chunks of k."""
    check(target, rows, 37, 390, form="panels", transposed=True, gap=1)


@pytest.mark.parametrize("dtype", ["f64", "f16", "bf16"])
@pytest.mark.parametrize("form", ["panels", "rows"])
def test_a_transposed_a_of_other_dtypes(form: str, dtype: str) -> None:
    for rows in (40, 78, 151):
        check(HOST, rows, 50, 70, form=form, transposed=True, dtype=dtype)
        check(HOST, rows, 50, 70, form=form, transposed=True, dtype=dtype, runtime="m")


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", [name for name in NUMPY if name != "f32"])
def test_dtypes(target: Target, dtype: str) -> None:
    check(target, 2, 21, 35, form="columns", dtype=dtype)
    check(target, 3, 85, 35, form="rows", dtype=dtype)
    check(target, 75, 43, 413, form="panels", dtype=dtype)


@pytest.mark.parametrize("types", [("f32", "bf16", "f32"), ("bf16", "f32", "f16"), ("f16", "f16", "f32"), ("f32", "f32", "bf16")])
@pytest.mark.parametrize("form", ["panels", "rows", "columns"])
def test_mixed_dtypes(form: str, types: tuple[str, str, str]) -> None:
    for rows in (1, 4, 50):
        check(HOST, rows, 40, 75, form=form, dtype=types[0], b_dtype=types[1], c_dtype=types[2])


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("form", ["panels", "rows", "columns"])
def test_one_kernel_serves_every_row_count(target: Target, form: str) -> None:
    n, k, most = 70, 450, 260
    spec = MatMulSpec(SizeSlot(3), n, k, b_form=form)
    loaded = compiled(target, spec)
    a, b = numbers((most, k), "f32", 1), numbers((k, n), "f32", 2)
    given = panels_of(b, panel_width(target)) if form == "panels" else np.ascontiguousarray(b if form == "rows" else b.T)
    for m in [*range(1, 20), 71, 72, 73, 144, 145, 239, 240, 241, 260]:
        c = guarded(np.full((m, n), np.nan, np.float32))
        count = units(spec, target, m=m)
        run(loaded, "product", [a.ctypes.data, given.ctypes.data, c.ctypes.data, m], [(0, count)], scratch_bytes(spec, target))
        close(c, *reference(a[:m], b, "f32"))


def test_units_of_a_symbolic_size() -> None:
    for form in ("panels", "rows"):
        spec = MatMulSpec(SizeSlot(3), 1000, 64, b_form=form)
        symbolic = units(spec, HOST, m=Dim("m"))
        for m in (1, 6, 72, 73, 240, 241, 5000):
            assert symbolic.bind({"m": m}) == units(spec, HOST, m=m) > 0
        with pytest.raises(TypeError, match="run time"):
            units(spec, HOST)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("form", ["panels", "rows", "columns"])
@pytest.mark.parametrize("m", [1, 19])
def test_batches_with_shared_operands(target: Target, form: str, m: int) -> None:
    """A [2, 3, M, K], B shared by the three (as in grouped attention), C with its batches in another order."""
    n, k = 21, 34
    a, b = numbers((2, 3, m, k), "f32", 1), numbers((2, k, n), "f32", 2)
    stored = panels_of(b, panel_width(target)) if form == "panels" else b if form == "rows" else b.transpose(0, 2, 1)
    stored = guarded(np.ascontiguousarray(stored))
    c = guarded(np.full((3, 2, m, n), np.nan, np.float32))
    spec = MatMulSpec(
        m,
        n,
        k,
        b_form=form,
        batch=(2, SizeSlot(3)),
        a_batch=(3 * m * k, m * k),
        b_batch=(stored[0].size, 0),
        c_batch=(m * n, 2 * m * n),
    )
    count = units(spec, target, batch=6)
    table = [x.ctypes.data for x in (guarded(a), stored, c)] + [3]
    run(compiled(target, spec), "product", table, splits(count)[1], scratch_bytes(spec, target))
    close(c.transpose(1, 0, 2, 3), *reference(a, b[:, None], "f32"))


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("form", ["panels", "rows", "columns"])
@pytest.mark.parametrize("shape", [(1, 37, 20), (4, 64, 33), (90, 45, 700)], ids=str)
def test_epilogue(target: Target, form: str, shape: tuple[int, int, int]) -> None:
    """relu(x + bias) + residual, with the sum before the residual as a second output, in bf16."""
    m, n, k = shape

    def epilogue(kernel: Function, values: list[Value], place: EpiloguePlace) -> list[Value]:
        bias, residual, second = (kernel.argument(index, PTR) for index in (3, 4, 5))
        results = []
        for j, value in enumerate(values):
            biased = kernel.maximum(value + place.load(kernel, bias, place.column, value.type, j), 0.0)
            at = place.row * n + place.column
            place.store(kernel, biased, second, at, j)
            results.append(biased + place.load(kernel, residual, at, value.type, j))
        return results

    spec = MatMulSpec(m, n, k, c_type="bf16", b_form=form)
    a, b = numbers((m, k), "f32", 1), numbers((k, n), "f32", 2)
    bias, residual = guarded(numbers((n,), "f32", 3)), guarded(numbers((m, n), "f32", 4))
    stored = panels_of(b, panel_width(target)) if form == "panels" else np.ascontiguousarray(b if form == "rows" else b.T)
    loaded = compiled(target, spec, epilogue)
    for ranges in splits(units(spec, target)):
        c, second = guarded(np.zeros((m, n), ml_dtypes.bfloat16)), guarded(np.zeros((m, n), np.float32))
        table = [x.ctypes.data for x in (guarded(a), guarded(stored), c, bias, residual, second)]
        run(loaded, "product", table, ranges, scratch_bytes(spec, target))
        exact, error = reference(a, b, "f32")
        close(second, np.maximum(exact + bias, 0), 2 * error + 1e-6)
        total = np.maximum(exact + bias, 0) + residual
        close(c, total, 2 * error + np.abs(total) * 2**-8 + 1e-6)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("stored", ["f32", "bf16"])
@pytest.mark.parametrize("shape", [(1, 40, 64), (3, 13, 20), (80, 29, 500)], ids=str)
def test_paired_columns(target: Target, stored: str, shape: tuple[int, int, int]) -> None:
    """gate · up, both packed into one set of panels by the packing kernel."""
    m, n, k = shape
    a, gate, up = numbers((m, k), "f32", 1), numbers((k, n), stored, 2), numbers((k, n), stored, 3)
    packing = PackSpec(n, k, source_type=stored, panel_type=stored, pair=True)
    module = Module(target)
    pack(module, "pack", packing)
    matmul(module, "product", MatMulSpec(m, n, k, b_type=stored, pair=True), lambda kernel, values, place: [values[0] * values[1]])
    loaded = load_object(compile_object(module.text(), target))
    half = panel_width(target) // 2
    packed = guarded(np.full((-(-n // half), k, 2 * half), 9, NUMPY[stored]))
    count = pack_units(packing, target)
    run(loaded, "pack", [x.ctypes.data for x in (guarded(gate), guarded(up), packed)], splits(count)[1], 0)
    expected = np.concatenate([panels_of(gate, half), panels_of(up, half)], axis=-1)
    assert packed.tobytes() == expected.tobytes()
    spec = MatMulSpec(m, n, k, b_type=stored, pair=True)
    c = guarded(np.full((m, n), np.nan, np.float32))
    table = [x.ctypes.data for x in (guarded(a), packed, c)]
    run(loaded, "product", table, splits(units(spec, target))[1], scratch_bytes(spec, target))
    (left, left_error), (right, right_error) = reference(a, gate, "f32"), reference(a, up, "f32")
    close(c, left * right, left_error * np.abs(right) + right_error * np.abs(left) + 1e-5)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("form", ["rows", "columns"])
@pytest.mark.parametrize("types", [("f32", "f32"), ("f32", "bf16"), ("f16", "f32"), ("bf16", "bf16"), ("f64", "f64")], ids=str)
def test_packing(target: Target, form: str, types: tuple[str, str]) -> None:
    source_type, panel_type = types
    for n, k in [(1, 1), (16, 8), (33, 21), (147, 64)]:
        b = numbers((2, k, n), source_type, n)
        gap = 3
        matrix = b if form == "rows" else b.transpose(0, 2, 1)
        stored = np.zeros((2, matrix.shape[1], matrix.shape[2] + gap), b.dtype)
        stored[:, :, : matrix.shape[2]] = matrix
        spec = PackSpec(
            SizeSlot(3),
            k,
            form,
            stored.shape[2],
            source_type,
            panel_type,
            compute_type="f64" if source_type == "f64" else "f32",
            batch=2,
            source_batch=stored[0].size,
        )
        module = Module(target)
        pack(module, "pack", spec)
        width = panel_width(target, spec.compute_type)
        expected = panels_of(b.astype(NUMPY[panel_type]), width)
        packed = guarded(np.full(expected.shape, 9, expected.dtype))
        loaded = load_object(compile_object(module.text(), target))
        given = guarded(stored)
        run(loaded, "pack", [given.ctypes.data, 0, packed.ctypes.data, n], splits(pack_units(spec, target, n=n))[1], 0)
        assert packed.tobytes() == expected.tobytes()


@pytest.mark.parametrize("name", ["x86_64-avx512", "aarch64", "x86_64-sse4"])
@pytest.mark.parametrize("form", ["panels", "rows", "columns"])
def test_cross_compiles(name: str, form: str) -> None:
    target = Target.named(name)
    spec = MatMulSpec(SizeSlot(3), 100, 200, b_form=form)
    for each in (spec, replace(spec, a_type="bf16", b_type="f16", c_type="bf16")):
        module = Module(target)
        matmul(module, "product", each)
        assert len(compile_object(module.text(), target)) > 1000


def test_what_cannot_be_multiplied() -> None:
    for options in ({"a_type": "i32", "b_type": "i8"}, {"a_type": "bool", "b_type": "bool"}, {"pair": True, "b_form": "rows"}):
        with pytest.raises(TypeError):
            MatMulSpec(2, 2, 2, **options)
    assert MatMulSpec(2, 2, 2).kind == F32
