"""Complex arithmetic on the CPU, where it is made of real arithmetic: against NumPy in twice the precision."""

import numpy as np
import pytest

import rlx

WIDE = {np.complex64: np.complex128, np.complex128: np.clongdouble}
TYPES = [np.complex64, np.complex128]
SPECIAL = [0, 1, -1, 1j, -1j, 1 + 1e-4j, 0.999 - 0.02j, -2.5, 3j, 1e-3 + 1e-3j, 18 - 1j, -17 + 2j, 0.3 + 30j, -7 - 0.1j]


def draw(dims, dtype, seed, scale=1.0):
    random = np.random.default_rng(seed)
    return ((random.standard_normal(dims) + 1j * random.standard_normal(dims)) * scale).astype(dtype)


def run(build, **arrays):
    g = rlx.Graph("complex")
    values = {name: g.input(name, array.shape, str(rlx.DType.of(array.dtype))) for name, array in arrays.items()}
    g.set_outputs({"y": build(g, **values)})
    return rlx.compile(g, "cpu").run(arrays)["y"]


def near(found, wanted, dtype, bound):
    """Each number to so many eps of its modulus."""
    assert found.shape == wanted.shape
    eps = np.finfo(dtype).eps
    error = np.abs(found.astype(wanted.dtype) - wanted)
    assert (error <= bound * eps * np.abs(wanted) + 4 * np.finfo(dtype).tiny).all(), float((error / np.abs(wanted)).max() / eps)


UNARY = {
    "neg": np.negative,
    "abs": np.abs,
    "exp": np.exp,
    "sqrt": np.sqrt,
    "log": np.log,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "tanh": np.tanh,
    "log1p": np.log1p,
    "expm1": np.expm1,
    "rsqrt": lambda z: 1 / np.sqrt(z),
}
WITHOUT_ZERO = {"log", "rsqrt"}
POLES = {"log1p": [-1]}


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", UNARY)
def test_functions(name, dtype):
    special = [z for z in SPECIAL if not (z == 0 and name in WITHOUT_ZERO) and z not in POLES.get(name, [])]
    x = np.concatenate([draw((37,), dtype, 1), draw((23,), dtype, 2, 4.0), np.array(special, dtype)])
    wanted = UNARY[name](x.astype(WIDE[dtype]))
    near(run(lambda g, x: getattr(g, name)(x), x=x), wanted, dtype, 24)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", ["add", "sub", "mul", "div"])
def test_operations_broadcast(name, dtype):
    a, b = draw((3, 1, 7), dtype, 3), draw((5, 1), dtype, 4, 1e3)
    wanted = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide}[name](
        a.astype(WIDE[dtype]), b.astype(WIDE[dtype])
    )
    near(run(lambda g, a, b: getattr(g, name)(a, b), a=a, b=b), wanted, dtype, 8)


def test_division_does_not_overflow_on_the_way():
    a = np.array([1e30 + 1e30j, 1e-30 + 1e-30j, 1e38], np.complex64)
    b = np.array([1e30 + 1e30j, 1e-30 - 1e-30j, 1e38 - 1e38j], np.complex64)
    near(run(lambda g, a, b: a / b, a=a, b=b), a.astype(complex) / b.astype(complex), np.complex64, 8)


def test_a_modulus_does_not_overflow_or_vanish_on_the_way():
    x = np.array([3e30 + 4e30j, 3e-30 - 4e-30j, 0, np.inf - 1j, complex(1, -np.inf)], np.complex64)
    with np.errstate(all="ignore"):
        wanted = np.abs(x.astype(complex))
    found = run(lambda g, x: g.abs(x), x=x)
    np.testing.assert_allclose(found, wanted, rtol=4e-7)


@pytest.mark.parametrize("dtype", TYPES)
def test_powers(dtype):
    a = np.concatenate([draw((20,), dtype, 5), np.array([0, 0, 1, -1], dtype)])
    b = np.concatenate([draw((20,), dtype, 6), np.array([0, 2, 5, 0.5], dtype)])
    near(run(lambda g, a, b: g.pow(a, b), a=a, b=b), a.astype(WIDE[dtype]) ** b.astype(WIDE[dtype]), dtype, 64)


def test_comparisons_choices_and_nan():
    a = np.array([1 + 1j, 2, complex(np.nan, 0), complex(0, np.nan), 3j], np.complex64)
    b = np.array([1 + 1j, 2j, complex(np.nan, 0), 0, 3j], np.complex64)
    np.testing.assert_array_equal(run(lambda g, a, b: g.eq(a, b), a=a, b=b), a == b)
    np.testing.assert_array_equal(run(lambda g, a, b: g.ne(a, b), a=a, b=b), a != b)
    np.testing.assert_array_equal(run(lambda g, a: g.is_nan(a), a=a), np.isnan(a))
    mask = np.array([True, False, False, False, True])
    found = run(lambda g, a, b, mask: g.where(mask, a, b), a=a, b=b, mask=mask)
    np.testing.assert_array_equal(found, np.where(mask, a, b))


@pytest.mark.parametrize(
    ("source", "to"),
    [
        *((source, to) for source in TYPES for to in ("f32", "i32", "bool")),
        *((source, to) for source in (*TYPES, np.float32, np.int16) for to in ("c64", "c128")),
    ],
)
def test_casts(source, to):
    x = np.array([0, 1, -2.75, 3, 1e3], source)
    if np.iscomplexobj(x):
        x = (x + np.array([1j, 0, 0.5j, 0, 0])).astype(source)
    wanted = x.real if to in ("f32", "i32") else x
    np.testing.assert_array_equal(run(lambda g, x: g.cast(x, to), x=x), wanted.astype(rlx.DType.of(to).numpy))


@pytest.mark.parametrize("dtype", TYPES)
def test_reductions(dtype):
    x = draw((4, 5, 6), dtype, 7)
    wide = x.astype(WIDE[dtype])
    near(run(lambda g, x: g.sum(x, axes=(0, 2)), x=x), wide.sum((0, 2)), dtype, 64)
    near(run(lambda g, x: g.mean(x, axes=(1,), keep_dim=True), x=x), wide.mean(1, keepdims=True), dtype, 64)
    near(run(lambda g, x: g.reduce_prod(x, axes=(0, 2)), x=x), wide.prod((0, 2)), dtype, 128)
    near(run(lambda g, x: g.reduce_prod(x, axes=(1,), keep_dim=True), x=x), wide.prod(1, keepdims=True), dtype, 64)
    near(run(lambda g, x: g.cumsum(x, axis=1), x=x), wide.cumsum(1), dtype, 128)
    near(run(lambda g, x: g.cumprod(x, axis=0), x=x), wide.cumprod(0), dtype, 64)
    near(run(lambda g, x: g.cumprod(x, axis=2, reverse=True), x=x), wide[..., ::-1].cumprod(2)[..., ::-1], dtype, 64)


@pytest.mark.parametrize("dtype", TYPES)
def test_products(dtype):
    a, b = draw((2, 5, 7), dtype, 8), draw((7, 3), dtype, 9)
    found, wanted = run(lambda g, a, b: a @ b, a=a, b=b), a.astype(WIDE[dtype]) @ b.astype(WIDE[dtype])
    assert np.abs(found - wanted).max() <= 32 * np.finfo(dtype).eps * np.abs(wanted).max()


def test_a_chain_becomes_one_region_of_real_numbers():
    g = rlx.Graph("chain")
    x = g.input("x", (8, 16), "c64")
    g.set_outputs({"y": g.exp(x * x + 1.0) / (x + 2.0)})
    exe = rlx.compile(g, "cpu")
    kernels = [command.kernel for command in exe.lir.commands]
    assert kernels.count("real") <= 1 and kernels.count("imag") <= 1 and kernels.count("complex") <= 1 and len(kernels) <= 5, (
        kernels
    )
    z = draw((8, 16), np.complex64, 10)
    near(exe(x=z), np.exp(z.astype(complex) ** 2 + 1) / (z.astype(complex) + 2), np.complex64, 64)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("mode", ["clip", "fill"])
def test_elements_at_indices(dtype, mode):
    """The CPU refused to read complex numbers of 16 bytes at indices."""
    x, rows = draw((5, 3), dtype, 11), np.array([4, 0, -2, 9], np.int32)
    outside = np.array([False, False, False, True])
    taken = x[np.clip(np.where(rows < 0, rows + 5, rows), 0, 4)]
    wanted = np.where(outside[:, None], np.nan, taken) if mode == "fill" else taken
    np.testing.assert_array_equal(run(lambda g, x, i: g.gather(x, i, axis=0, mode=mode), x=x, i=rows), wanted)
    lines = np.repeat(rows[:, None], 3, 1)
    np.testing.assert_array_equal(run(lambda g, x, i: g.take_along_axis(x, i, axis=0, mode=mode), x=x, i=lines), wanted)
