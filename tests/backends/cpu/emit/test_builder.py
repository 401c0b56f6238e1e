"""Memory, loops, vectors, calls and atomics of the builder against NumPy, on this machine's instruction set and on the baseline."""

from collections.abc import Callable

import numpy as np
import pytest

from rlx.backends.cpu.compile.codegen import assembly, compile_object
from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.values import BF16, F16, F32, F64, I8, I16, I32, I64, PTR, Type, Value, type_of
from rlx.backends.cpu.target import Target
from tests.backends.cpu.emit.built import DTYPES, call, compiled, elementwise, every_target, numbers, same

pytestmark = every_target


@pytest.mark.parametrize("kind", list(DTYPES), ids=repr)
@pytest.mark.parametrize("lanes", [4, 8, 16])
def test_masked_tails(target: Target, kind: Type, lanes: int) -> None:
    values = (np.arange(1, 40) % 5).astype(DTYPES[kind])
    for size in (1, lanes - 1, lanes, lanes + 3, 2 * lanes + 1):
        out = elementwise(target, lambda k, x: x, values[:size], result=kind, lanes=lanes)
        same(out, values[:size])


def test_masked_fill(target: Target) -> None:
    module = Module(target)
    k = module.kernel("run")
    k.store(k.load_masked(k.argument(0, PTR), 0, k.end, F32.vector(8), fill=-1.5), k.argument(1, PTR), 0)
    x, y = np.arange(3, dtype=np.float32), np.zeros(8, np.float32)
    call(compiled(module), "run", x, y, end=3)
    assert y.tolist() == [0, 1, 2] + [-1.5] * 5


def test_loops_and_branches(target: Target) -> None:
    module = Module(target)
    k = module.kernel("run")
    out = k.argument(0, PTR)
    total = k.var(0)
    for i in k.range(k.begin, k.end, 3):
        for j in k.range(i):
            with k.when(j % 2 == 0):
                total.set(total.get() + j)
            with k.otherwise():
                with k.when(j > 5):
                    total.set(total.get() * 2)
                total.set(total.get() + 1)
    k.store(total.get(), out, 0)
    down = k.var(0)
    for i in k.range(10, 0, -3):
        down.set(down.get() * 100 + i)
    k.store(down.get(), out, 1)
    count = k.var(0)
    with k.loop() as loop:
        count.set(count.get() + 1)
        loop.skip(count.get() < 7)
        loop.stop(count.get() * count.get() > k.end)
    k.store(count.get(), out, 2)
    with k.when(k.end > 1000):
        k.ret()
    k.store(k.select(k.end > 5, 1, 2), out, 3, I64)
    loaded = compiled(module)
    for end in (0, 1, 20, 2000):
        result = np.zeros(4, np.int64)
        call(loaded, "run", result, end=end)
        expected = 0
        for i in range(0, end, 3):
            for j in range(i):
                expected = expected + j if j % 2 == 0 else (expected * 2 if j > 5 else expected) + 1
                expected = (expected + 2**63) % 2**64 - 2**63
        assert result[0] == expected
        assert result[1] == 10070401
        assert result[2] == next(c for c in range(7, 100) if c * c > end)
        assert result[3] == (0 if end > 1000 else 1 if end > 5 else 2)


def test_static_loops_fold(target: Target) -> None:
    k = Module(target).kernel("run")
    assert [i.constant for i in k.range(0)] == []
    assert [i.constant for i in k.range(4, 8, 4)] == [4]
    assert k.lines == []
    assert (k.constant(6, I64) * 7 + 3 - (k.constant(9, I64) // 4) % 5).constant == 43
    assert k.lines == []
    with pytest.raises(TypeError, match="only known at run time"):
        if k.begin < 3:
            pass


def test_vectors(target: Target) -> None:
    x = numbers(F32, 8)
    y = numbers(F32, 8, seed=1)

    def run(build: Callable[[Function, Value, Value], list[Value]]) -> np.ndarray:
        module = Module(target)
        k = module.kernel("run")
        a, b = (k.load(k.argument(i, PTR), 0, F32.vector(8)) for i in range(2))
        at = 0
        for value in build(k, a, b):
            k.store(value, k.argument(2, PTR), at)
            at += value.type.lanes or 1
        out = np.zeros(64, np.float32)
        call(compiled(module), "run", x, y, out)
        return out[:at]

    same(run(lambda k, a, b: [k.shuffle(a, b, [0, 9, 2, 15])]), np.array([x[0], y[1], x[2], y[7]]))
    same(run(lambda k, a, b: [k.concat(a, b)]), np.concatenate([x, y]))
    same(run(lambda k, a, b: [*reversed(k.halves(a))]), np.concatenate([x[4:], x[:4]]))
    same(run(lambda k, a, b: [k.insert(a, k.extract(b, 5), 2)]), np.concatenate([x[:2], y[5:6], x[3:]]))
    same(run(lambda k, a, b: [k.splat(k.extract(a, 3), 4) + b.function.slice(b, 2, 4)]), x[3] + y[2:6])
    tree = x[:4] + x[4:]
    tree = tree[:2] + tree[2:]
    same(run(lambda k, a, b: [k.reduce_add(a), k.reduce_max(a), k.reduce_min(a)]), np.array([tree[0] + tree[1], x.max(), x.min()]))
    same(run(lambda k, a, b: [k.select(k.any_lane(a > 100), a, b), k.select(k.all_lanes(a < 100), a, b)]), np.concatenate([y, x]))
    same(run(lambda k, a, b: [k.iota(F32.vector(4), 3, 2), k.vector_of([1, 2.5], F32)]), np.array([3, 5, 7, 9, 1, 2.5], np.float32))
    bits = run(lambda k, a, b: [k.convert(k.mask_bits(a > b), F32)])
    assert int(bits[0]) == int(np.packbits(x > y, bitorder="little")[0])


@pytest.mark.parametrize("count", [2, 4, 8])
def test_transpose(target: Target, count: int) -> None:
    module = Module(target)
    k = module.kernel("run")
    rows = [k.load(k.argument(0, PTR), count * i, F32.vector(count)) for i in range(count)]
    for i, row in enumerate(k.transpose(rows)):
        k.store(row, k.argument(1, PTR), count * i)
    x = np.arange(count * count, dtype=np.float32).reshape(count, count)
    out = np.zeros_like(x)
    call(compiled(module), "run", x, out)
    same(out, x.T)


def test_memory(target: Target) -> None:
    module = Module(target)
    k = module.kernel("run")
    x, y = k.argument(0, PTR), k.argument(1, PTR)
    table = module.constant_array([3.0, 1.0, 2.0], F32)
    assert module.constant_array([3.0, 1.0, 2.0], F32).text == table.text
    k.store(k.gather_strided(x, 1, k.end, F32.vector(4)), y, 0)
    k.scatter_strided(k.load(x, 0, F32.vector(4)), y, 4, 2)
    k.store(k.load(table, k.end.urem(3), F32), y, 12)
    k.prefetch(x, 64, locality=0)
    k.store(k.load(x, 0, F32.vector(4)), y, 16, align=16, nontemporal=True)
    local = k.alloca(F32, 16)
    for i in k.range(16):
        k.store(k.convert(i, F32), local, i)
    k.store(k.load(local, 11, F32), y, 13)
    k.store(7, y, 14, F32)
    k.store(k.load(k.pointer_from(k.address_of(x) + 8), 0, F32), y, 15)
    source, out = np.arange(40, dtype=np.float32), np.zeros(64, np.float32)
    out = out[(-out.ctypes.data // 4) % 16 :]
    call(compiled(module), "run", source, out, end=7)
    assert out[:20].tolist() == [1, 8, 15, 22, 0, 0, 1, 0, 2, 0, 3, 0, 1, 11, 7, 2, 0, 1, 2, 3]


def test_atomics(target: Target) -> None:
    module = Module(target)
    k = module.kernel("run")
    x = k.argument(0, PTR)
    old = k.fetch_add(x, 0, 5)
    k.store_atomic(k.load_atomic(x, 0) + old, x, 1)
    found, written = k.compare_exchange(x, 2, 9, 10)
    k.store(found + k.convert(written, I64) * 100, x, 3)
    found, written = k.compare_exchange(x, 2, 9, 11)
    k.store(found + k.convert(written, I64) * 100, x, 4)
    k.store(k.exchange(x, 5, 3), x, 6)
    k.fence()
    k.pause()
    data = np.array([1, 0, 9, 0, 0, 8, 0], np.int64)
    call(compiled(module), "run", data)
    assert data.tolist() == [6, 7, 10, 109, 10, 3, 8]


def test_calls(target: Target) -> None:
    module = Module(target)
    square = module.function("square", [("x", F64)], F64, inline=True)
    square.ret(square.parameters[0] * square.parameters[0])
    cube = module.function("cube", [("x", F64)], F64, internal=True)
    cube.ret(cube.call(square, cube.parameters[0]) * cube.parameters[0])
    k = module.kernel("run")
    out = k.argument(0, PTR)
    value = k.convert(k.end, F64)
    k.store(k.call(cube, value), out, 0)
    k.store(k.call_pointer(Value(k, PTR, "@cube"), F64, value + 1.0), out, 1)
    k.store(k.call_external("llabs", I64, -k.end), out, 2)
    result = np.zeros(3, np.float64)
    call(compiled(module), "run", result, end=3)
    assert result[:2].tolist() == [27, 64]
    assert result[2:].view(np.int64)[0] == 3


def test_a_shared_function_is_emitted_when_first_asked_for(target: Target) -> None:
    module, emitted = Module(target), []

    def emit(f: Function) -> None:
        emitted.append(f)
        f.ret(f.parameters[0] + 1)

    k = module.kernel("run")
    value = k.constant(40, I64)
    for _ in range(2):
        value = k.call(module.shared("more", [("x", I64)], emit, I64), value)
    k.store(value, k.argument(0, PTR), 0)
    out = np.zeros(1, np.int64)
    call(compiled(module), "run", out)
    assert out.tolist() == [42] and len(emitted) == 1


def test_contract_flag_and_multiply_high(target: Target) -> None:
    module = Module(target)
    k = module.kernel("run")
    k.fast = "contract"
    v = k.load(k.argument(0, PTR), 0, k.vector(F32))
    k.store(v * v + v, k.argument(0, PTR), 0)
    listing = assembly(module.text(), target)
    assert ("vfmadd" in listing) == (target.has("fma") and target.is_x86)
    a, b = numbers(I32), numbers(I32, seed=1)
    wide = (a.view(np.uint32).astype(np.uint64) * b.view(np.uint32)) >> 32
    same(elementwise(target, lambda k, x, y: k.multiply_high(x, y), a, b, result=I32), wide.astype(np.uint32).view(np.int32))


@pytest.mark.parametrize("lanes", [8, 16, 32, 64])
def test_integer_dot_products(target: Target, lanes: int) -> None:
    module = Module(target)
    k = module.kernel("run")
    pointers = [k.argument(index, PTR) for index in range(6)]
    u, s = (k.load(pointer, 0, I8.vector(lanes)) for pointer in pointers[:2])
    x, y = (k.load(pointer, 0, I16.vector(lanes)) for pointer in pointers[2:4])
    k.store(k.multiply_add_bytes(u, s), pointers[4], 0)
    k.store(k.multiply_add_words(x, y), pointers[5], 0)
    given = [numbers(kind, lanes, seed) for seed, kind in enumerate((I8, I8, I16, I16))]
    given[0][:2], given[1][:2] = -1, 127  # 255 * 127 twice: saturates
    results = np.zeros(lanes // 2, np.int16), np.zeros(lanes // 2, np.int32)
    call(compiled(module), "run", *given, *results)
    products = given[0].view(np.uint8).astype(np.int64) * given[1]
    same(results[0], np.clip(products[::2] + products[1::2], -(2**15), 2**15 - 1).astype(np.int16))
    products = given[2].astype(np.int64) * given[3]
    same(results[1], (products[::2] + products[1::2]).astype(np.int32))


@pytest.mark.parametrize("lanes", [4, 8, 16])
def test_integer_dot_products_added_to_sums(target: Target, lanes: int) -> None:
    """All values of bytes and 16-bit values: nothing saturates, and sums of 32 bits wrap."""
    module = Module(target)
    k = module.kernel("run")
    pointers = [k.argument(index, PTR) for index in range(7)]
    u, s = (k.load(pointer, 0, I8.vector(4 * lanes)) for pointer in pointers[:2])
    x, y = (k.load(pointer, 0, I16.vector(2 * lanes)) for pointer in pointers[2:4])
    total = k.load(pointers[4], 0, I32.vector(lanes))
    k.store(k.dot_bytes(total, u, s), pointers[5], 0)
    k.store(k.dot_words(total, x, y), pointers[6], 0)
    sizes = (4 * lanes, 4 * lanes, 2 * lanes, 2 * lanes, lanes)
    kinds = (I8, I8, I16, I16, I32)
    given = [numbers(kind, size, seed) for seed, (kind, size) in enumerate(zip(kinds, sizes, strict=True))]
    given[0][:4], given[1][:4] = -1, 127
    given[2][:2], given[3][:2] = -(2**15), -(2**15)
    results = np.zeros(lanes, np.int32), np.zeros(lanes, np.int32)
    call(compiled(module), "run", *given, *results)
    products = given[0].view(np.uint8).astype(np.int64) * given[1]
    same(results[0], (given[4] + products.reshape(-1, 4).sum(1)).astype(np.int32))
    products = given[2].astype(np.int64) * given[3]
    same(results[1], (given[4] + products.reshape(-1, 2).sum(1)).astype(np.int32))


@pytest.mark.parametrize("name", ["x86_64-avx512", "x86_64-avx2", "aarch64", "aarch64-apple"])
def test_cross_compiles(target: Target, name: str) -> None:
    other = Target.named(name)
    module = Module(other)
    k = module.kernel("run")
    x = k.argument(0, PTR)
    wide = k.vector(F32)
    value = k.convert(k.load(x, 0, BF16.vector(wide.lanes)), F32) + k.convert(k.load(x, 64, F16.vector(wide.lanes)), F32)
    k.store_masked(k.convert(k.floor(value), F16), x, 0, k.end)
    k.store(k.convert(value, type_of("u8"), signed=False), x, 0)
    k.pause()
    assert len(compile_object(module.text(), other)) > 500


def test_errors_name_the_types(target: Target) -> None:
    k = Module(target).kernel("run")
    half = k.load(k.argument(0, PTR), 0, F16)
    for build in (lambda: half + 1.0, lambda: half < 1.0, lambda: k.begin / 2, lambda: k.begin + k.constant(1, I32)):
        with pytest.raises(TypeError, match=r"f16|i64|i32"):
            build()
