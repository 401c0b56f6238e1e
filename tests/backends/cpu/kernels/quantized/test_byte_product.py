"""Products of bytes on the CPU: every bit that of NumPy's integers, around the sizes at which blocks, panels and tiles end."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from rlx.backends.cpu.kernels.quantized.byte_product import LOWER
from rlx.backends.cpu.target import Target
from tests.backends.cpu.levels import OTHERS, TARGETS
from tests.backends.cpu.lowered import Lowered, op_for, tensor_of

SIZES = [
    (1, 1, 1),
    (1, 3, 15),
    (2, 4, 16),
    (3, 5, 17),
    (4, 511, 63),
    (5, 512, 64),
    (6, 513, 65),
    (7, 1030, 130),
    (95, 34, 40),
    (96, 64, 48),
    (97, 130, 33),
    (200, 515, 70),
    (1, 2050, 129),
]


def product(x: np.ndarray, w: np.ndarray, bias: np.ndarray, x_zp: int, w_zp: int, out_zp: int, mult: np.ndarray) -> np.ndarray:
    total = (x.astype(np.int64) - x_zp) @ (w.astype(np.int64) - w_zp) + bias
    return np.clip(np.rint(total * mult) + out_zp, -128, 127).astype(np.int8)


@pytest.mark.parametrize(("m", "k", "n"), SIZES)
def test_every_bit_around_the_ends_of_blocks(m: int, k: int, n: int) -> None:
    random = np.random.default_rng(m * k + n)
    x, w = (random.integers(-128, 128, dims).astype(np.int8) for dims in ((m, k), (k, n)))
    bias, mult = random.integers(-(10**6), 10**6, n).astype(np.int32), random.uniform(0.1, 3.0, n) / (k**0.5 * 128)
    attrs = {"x_zp": -7, "w_zp": 9, "out_zp": 11, "mult": tuple(mult)}
    g = rlx.Graph("product")
    y = g.q_matmul(g.input("x", (m, k), "i8"), g.param("w", (k, n), "i8"), g.param("b", (n,), "i32"), **attrs)
    g.set_outputs({"y": y})
    exe = rlx.compile(g)
    exe.set_params({"w": w, "b": bias})
    np.testing.assert_array_equal(exe.run({"x": x})["y"], product(x, w, bias, -7, 9, 11, mult))


def test_the_largest_sums_do_not_saturate() -> None:
    """Pairs of -128·-128 leave 16 bits, where the instruction for bytes would stop."""
    k = 4096
    for left, right in ((-128, -128), (-128, 127), (127, 127), (127, -128)):
        g = rlx.Graph("extreme")
        x, w = g.input("x", (9, k), "i8"), g.input("w", (k, 20), "i8")
        g.set_outputs({"y": g.q_matmul(x, w, x_zp=-128 if left > 0 else 127, w_zp=-128 if right > 0 else 127, dtype="f32")})
        found = rlx.compile(g).run({"x": np.full((9, k), left, np.int8), "w": np.full((k, 20), right, np.int8)})["y"]
        assert (found == k * 255 * 255 * (1 if (left > 0) == (right > 0) else -1)).all()


def test_one_program_for_any_number_of_rows() -> None:
    g = rlx.Graph("rows")
    x, w = g.input("x", (rlx.Dim("rows", min=0), 77), "i8"), g.param("w", (77, 50), "i8")
    g.set_outputs({"y": g.q_matmul(x, w, mult=0.001)})
    exe = rlx.compile(g)
    random = np.random.default_rng(0)
    weight = random.integers(-128, 128, (77, 50)).astype(np.int8)
    exe.set_param("w", weight)
    for rows in (0, 1, 2, 3, 5, 40, 96, 101, 300):
        given = random.integers(-128, 128, (rows, 77)).astype(np.int8)
        wanted = product(given, weight, np.zeros(50, np.int64), 0, 0, 0, np.full(50, 0.001))
        np.testing.assert_array_equal(exe.run({"x": given})["y"], wanted)


def test_layers_of_one_shape_share_their_code() -> None:
    """Factors and zero points are operands, not part of the code."""
    g = rlx.Graph("layers")
    x = g.input("x", (4, 32), "i8")
    for layer in range(3):
        mult = tuple(0.001 * (i + layer + 1) for i in range(32))
        x = g.q_matmul(x, g.param(f"w{layer}", (32, 32), "i8"), x_zp=layer, out_zp=-layer, mult=mult)
    g.set_outputs({"y": x})
    exe = rlx.compile(g)
    assert exe.report.facts["main"].startswith("1 kernel, 3 commands")
    random = np.random.default_rng(1)
    weights = [random.integers(-128, 128, (32, 32)).astype(np.int8) for _ in range(3)]
    exe.set_params({f"w{i}": w for i, w in enumerate(weights)})
    given = random.integers(-128, 128, (4, 32)).astype(np.int8)
    wanted = given
    for layer, w in enumerate(weights):
        factors = np.array([0.001 * (i + layer + 1) for i in range(32)])
        wanted = product(wanted, w, np.zeros(32, np.int64), layer, 0, -layer, factors)
    np.testing.assert_array_equal(exe.run({"x": given})["y"], wanted)


# -- the kernel alone, between guards ---------------------------------------------------------------------------
def panels_of(w: np.ndarray) -> np.ndarray:
    """[K, N] as the record stores it: panels of 16 columns, pairs along k side by side."""
    k, n = w.shape
    filled = np.zeros((-(-k // 4) * 4, -(-n // 16) * 16), np.int8)
    filled[:k, :n] = w
    return np.ascontiguousarray(filled.reshape(filled.shape[0] // 2, 2, -1, 16).transpose(2, 0, 3, 1))


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.cpu)
@pytest.mark.parametrize(("m", "k", "n"), [(1, 515, 70), (3, 7, 16), (101, 33, 130)])
@pytest.mark.parametrize("dtype", ["i8", "f32"])
def test_nothing_is_written_outside_whatever_the_order_of_units(target: Target, m: int, k: int, n: int, dtype: str) -> None:
    random = np.random.default_rng(m)
    x, w = (random.integers(-128, 128, dims).astype(np.int8) for dims in ((m, k), (k, n)))
    factors, zeros = random.uniform(0.001, 0.01, n), np.array([4, -3, 2 if dtype == "i8" else 0], np.int32)
    bias = random.integers(-999, 999, n).astype(np.int32)
    arrays = [x, panels_of(w), factors, zeros, bias]
    tensors = [tensor_of(array) for array in arrays]
    work = Lowered(LOWER["q_product"], op_for("q_product", tensors, n=n, dtype=dtype), tensors, target)
    total = (x.astype(np.int64) - 4) @ (w.astype(np.int64) + 3) + bias
    wanted = (total * factors).astype(np.float32) if dtype == "f32" else product(x, w, bias, 4, -3, 2, factors)
    for options in ({}, {"split": 1}, {"split": 1, "threads": 2}, {"shift": 1 if dtype == "i8" else 4}):
        np.testing.assert_array_equal(work.call(arrays, **options)[0], wanted)


@pytest.mark.parametrize("target", OTHERS, ids=lambda target: target.cpu)
def test_cross_compiles(target: Target) -> None:
    arrays = [np.zeros((5, 9), np.int8), panels_of(np.zeros((9, 20), np.int8)), np.ones(()), np.zeros(3, np.int32)]
    tensors = [tensor_of(array) for array in arrays]
    work = Lowered(LOWER["q_product"], op_for("q_product", tensors, n=20), tensors, target)
    assert len(work.stages[0].object) > 500
