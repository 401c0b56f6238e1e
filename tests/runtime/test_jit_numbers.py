"""Python numbers as arguments of rlx.jit are weak, as literals are: they take the array's dtype, and lose nothing on the way."""

from __future__ import annotations

import itertools

import jax
import ml_dtypes
import numpy as np
import pytest

import rlx
from rlx.core.errors import RlxError
from rlx.ir.op import OPS

DTYPES = [
    np.float64,
    np.float32,
    np.float16,
    ml_dtypes.bfloat16,
    np.int64,
    np.int32,
    np.int8,
    np.uint8,
    np.bool_,
    np.complex64,
    np.complex128,
]


@pytest.fixture(params=["reference", "cpu"])
def device(request):
    return request.param


def test_a_float_beside_f64_is_exact(device):
    found = rlx.jit(lambda x, k: x * k, device=device)(np.float64([1]), 0.1)
    assert found.dtype == np.float64 and found[0] == 0.1


def test_a_float_beside_f16_stays_f16(device):
    jitted = rlx.jit(lambda x, k: x * k, device=device)
    found = jitted(np.float16([1, 3]), 2.5)
    assert found.dtype == np.float16
    np.testing.assert_array_equal(found, np.float16([2.5, 7.5]))
    np.testing.assert_array_equal(jitted(np.float16([1, 3]), 0.1), np.float16([1, 3]) * np.float16(0.1))
    assert jitted.traces == 1


def test_a_whole_number_beside_i64_is_exact_and_beside_i32_refused(device):
    jitted = rlx.jit(lambda x, k: x + k, device=device)
    assert jitted(np.int64([1]), 2**40)[0] == 2**40 + 1
    with pytest.raises(RlxError) as caught:
        jitted(np.int32([1]), 2**40)
    assert (
        caught.value.code == "RLX110"
        and "k" in str(caught.value)
        and str(2**40) in str(caught.value)
        and "i32" in str(caught.value)
    )
    assert jitted(np.int32([1]), 2**30)[0] == 2**30 + 1
    with pytest.raises(RlxError):
        jitted(np.int32([1]), -(2**31) - 1)
    with pytest.raises(RlxError) as caught:
        jitted(np.int64([1]), 2**70)
    assert caught.value.code == "RLX110"
    assert jitted(np.float32([1]), 2**40)[0] == np.float32(2**40 + 1)


def test_a_whole_number_that_becomes_i32_by_itself_is_checked(device):
    jitted = rlx.jit(lambda k: k * 2 + 1, device=device)
    assert jitted(20) == 41
    with pytest.raises(RlxError):
        jitted(2**40)


@pytest.mark.parametrize("number", [3, 2.5, 1 + 2j, np.float64(2.5)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_dtype_is_that_of_the_literal(dtype, number):
    """`jit(x·k)` is what `x·2.5` is in a function; beside floats that is JAX's dtype with 64 bits on too."""
    x = np.ones(3, dtype)
    for function in (lambda x, k: x * k, lambda x, k: k + x * x, lambda x, k: OPS["where"](np.ones(3, bool), x, k)):
        found = rlx.jit(function, device="reference")(x, number)
        literal = rlx.jit(lambda x, f=function: f(x, number), device="reference")(x)
        assert found.dtype == literal.dtype
        np.testing.assert_array_equal(found, literal)
        if np.dtype(dtype).kind in "fV" and isinstance(number, (int, float)) and not isinstance(number, np.generic):
            with jax.enable_x64(True):
                assert found.dtype == jax.jit(lambda x, k: x * k)(x, number).dtype


@pytest.mark.parametrize(
    "function",
    [
        lambda x, a, b: x * (a * b),
        lambda x, a, b: x + a / b,
        lambda x, a, b: x * -a - abs(b),
        lambda x, a, b: (a + b) * x * 2,
        lambda x, a, b: x * (2 * a) ** 2 + b,
        lambda x, a, b: x - (a + 1) // 2,
    ],
)
@pytest.mark.parametrize(("a", "b"), [(0.1, 0.7), (3, 7), (0.3, 7)])
def test_arithmetic_of_numbers_is_done_in_full_before_they_meet_an_array(function, a, b, device):
    x = np.float64([1, 2, 3])
    found = rlx.jit(function, device=device)(x, a, b)
    with jax.enable_x64(True):
        theirs = jax.jit(function)(x, a, b)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, function(x, a, b), rtol=1e-15)
    np.testing.assert_allclose(found, theirs, rtol=1e-15)


def test_functions_of_numbers_keep_their_precision(device):
    found = rlx.jit(lambda x, k: x * OPS["sin"](k) + OPS["where"](k > 0, k, 2 * k), device=device)(np.float64([1, 2]), 0.1)
    np.testing.assert_allclose(found, np.float64([1, 2]) * np.sin(0.1) + 0.1, rtol=1e-15)


def test_a_new_number_does_not_trace_again(device):
    jitted = rlx.jit(lambda x, k: x * k, device=device)
    for k in (0.1, 0.2, 1e300, float("inf")):
        np.testing.assert_array_equal(jitted(np.float64([1, 2]), k), np.float64([1, 2]) * k)
    assert jitted.traces == 1
    jitted(np.float64([1, 2]), 2)
    assert jitted.traces == 2


def test_numbers_inside_containers_by_name_and_as_defaults(device):
    def function(x, options, scale=1.5, *more, shift=0.1):
        return x * options["a"] * scale + options["b"][0] + shift + sum(more)

    x = np.float64([1, 2])
    jitted = rlx.jit(function, device=device)
    for args, kwargs in itertools.product(
        [(x, {"a": 0.1, "b": (3,)}), (x, {"a": 2, "b": [0.7]}, 0.3, 0.9, 5)], [{}, {"shift": 0.7}]
    ):
        np.testing.assert_allclose(jitted(*args, **kwargs), function(*args, **kwargs), rtol=1e-15)


def test_the_result_of_numbers_alone_is_f32_or_i32_as_a_literal_is(device):
    jitted = rlx.jit(lambda a, b: (a * b, a, [b > 1]), device=device)
    product, first, (flag,) = jitted(0.5, 3)
    assert product.dtype == np.float32 and product == 1.5 and first.dtype == np.float32 and flag.dtype == np.bool_
    assert rlx.jit(lambda a: a + 1, device=device)(3).dtype == np.int32


def test_indices_and_casts_of_numbers(device):
    x = np.float32([1, 2, 3, 4])
    np.testing.assert_array_equal(rlx.jit(lambda x, i: x[i], device=device)(x, 2), 3)
    assert rlx.jit(lambda k: k.astype("f64"), device=device)(0.1) == 0.1
    assert rlx.jit(lambda k: k.astype("i32"), device=device)(7.9) == 7


def test_numbers_through_loops_branches_and_transforms(device):
    x = np.float64([1, 2, 3])
    scanned = rlx.jit(lambda x, k: rlx.lax.scan(lambda c, row: (c + row * k, c * k), x[0], x), device=device)(x, 0.1)
    np.testing.assert_allclose(scanned[0], 1 + 0.6, rtol=1e-15)
    np.testing.assert_allclose(scanned[1], np.float64([1, 1.1, 1.3]) * 0.1, rtol=1e-14)
    chosen = rlx.jit(lambda x, k: rlx.lax.cond(x[0] > 0, lambda x: x * k, lambda x: x, x), device=device)(x, 0.1)
    np.testing.assert_allclose(chosen, x * 0.1, rtol=1e-15)
    np.testing.assert_allclose(rlx.grad(lambda x, k: (x * x * k).sum())(x, 0.1), 2 * x * 0.1, rtol=1e-15)
    np.testing.assert_allclose(rlx.vmap(lambda x, k: x * k, in_axes=(0, None))(x, 0.1), x * 0.1, rtol=1e-15)
    np.testing.assert_allclose(rlx.grad(lambda k, x: (x * k).sum())(0.1, x), 6, rtol=1e-15)
    np.testing.assert_allclose(rlx.value_and_grad(lambda k, x: (x * k * k).sum())(0.1, x), (0.06, 1.2), rtol=1e-15)
    np.testing.assert_allclose(rlx.checkpoint(lambda x, k: x * k)(x, 0.1), x * 0.1, rtol=1e-15)
    np.testing.assert_allclose(rlx.jvp(lambda x, k: x * k, (x, 0.1), (x, 0.0))[1], x * 0.1, rtol=1e-15)
    carried = rlx.jit(lambda x, k: rlx.lax.scan(lambda c, row: (c * 2, c), k, x)[0], device=device)(x, 0.5)
    assert carried == 4.0


def test_numbers_of_custom_functions_keep_their_precision():
    @rlx.custom_vjp
    def scaled(x, k=0.1):
        return x * k

    scaled.defvjp(lambda x, k: (x * k, k), lambda k, g: (g * k * 10, None))
    x = np.float64([1, 2])
    np.testing.assert_allclose(scaled(x), x * 0.1, rtol=1e-15)
    np.testing.assert_allclose(rlx.grad(lambda x: scaled(x).sum())(x), [1.0, 1.0], rtol=1e-15)

    @rlx.custom_jvp
    def shifted(x, k):
        return x + k

    shifted.defjvp(lambda primals, tangents: (primals[0] + primals[1], tangents[0] * 3.0 + tangents[1]))
    np.testing.assert_allclose(
        rlx.jit(lambda x, k: rlx.jvp(lambda x: shifted(x, k), (x,), (x,)))(x, 0.1), (x + 0.1, 3 * x), rtol=1e-15
    )


def test_bools_stay_static():
    assert rlx.jit(lambda x, flag: x if flag else -x, device="reference")(np.float32([1]), False)[0] == -1


# -- whole numbers that i64 does not hold
OVERFLOWS = {
    "product": (lambda x, k: x + k * k, 2**40),
    "sum": (lambda x, k: x + (k + 1), 2**63 - 1),
    "difference": (lambda x, k: x + (k - 1), -(2**63)),
    "negation": (lambda x, k: x + -k, -(2**63)),
    "absolute value": (lambda x, k: x + abs(k), -(2**63)),
    "power": (lambda x, k: x + k**3, 2**30),
    "a power of a huge number": (lambda x, k: x + k**k, 2**62),
    "a literal to the power": (lambda x, k: x + 2**k, 63),
    "a shift": (lambda x, k: x + (k << 40), 2**30),
    "many products": (lambda x, k: x + _squared(k, 60), 2),
    "a number nothing larger is left of": (lambda x, k: x + k * k // k, 2**40),
    "in a body": (lambda x, k: _in_a_body(x, k), 2**40),
}


def _squared(k, times):
    for _ in range(times):
        k = k * k
    return k


def _in_a_body(x, k):
    return rlx.lax.scan(lambda c, row: (c + row * (k * k), c), x[0], x)[0]


@pytest.mark.parametrize("case", OVERFLOWS)
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_arithmetic_of_whole_numbers_that_leaves_i64_is_refused(case, dtype):
    """Python's numbers do not wrap around: neither beside i64 nor beside floats may another number come out."""
    function, number = OVERFLOWS[case]
    jitted = rlx.jit(function, device="reference")
    with pytest.raises(RlxError, match=r"RLX110.*does not fit i64.*test_jit_numbers.py"):
        jitted(dtype([1, 1]), number)
    np.testing.assert_array_equal(jitted(dtype([1, 1]), 1), _by_numpy(case, function, dtype))
    assert jitted.traces == 1


def _by_numpy(case, function, dtype):
    return dtype(1 + 1 + 1) if case == "in a body" else function(dtype([1, 1]), 1)


def test_what_meets_an_array_must_fit_it_not_what_it_comes_from(device):
    x = np.int32([1])
    squared = rlx.jit(lambda x, k: x + k * k, device=device)
    with pytest.raises(RlxError, match=r"RLX110.*1099511627776 does not fit i32"):
        squared(x, 2**20)
    assert squared(x, 2**10)[0] == 2**20 + 1
    halved = rlx.jit(lambda x, k: x + k // 2**20, device=device)
    assert halved(x, 2**40)[0] == 2**20 + 1
    chosen = rlx.jit(lambda x, k: x + OPS["where"](x.sum() > 0, k, 2), device=device)
    with pytest.raises(RlxError, match=r"RLX110.*argument k.*does not fit i32"):
        chosen(x, 2**40)


@pytest.mark.parametrize(
    "function",
    [
        lambda k, j: k + j * 3,
        lambda k, j: k - j,
        lambda k, j: k // j,
        lambda k, j: k % j,
        lambda k, j: k**2 * j,
        lambda k, j: -abs(k) + j,
        lambda k, j: (k & j) + (k | j) + (k ^ j),
        lambda k, j: ~k,
        lambda k, j: k << 3,
    ],
)
@pytest.mark.parametrize(("k", "j"), [(7, 3), (-7, 3), (7, -3), (0, 5), (2**20, -(2**10))])
def test_arithmetic_of_whole_numbers_is_that_of_python(function, k, j):
    found = rlx.jit(lambda x, k, j: x + function(k, j), device="reference")(np.int64([0]), k, j)
    assert found[0] == function(k, j)
