"""Packed weights against the `gguf` package bit for bit, and the other schemes against loops over the table."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.core.quant_scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.layouts.gguf_blocks import ELEMENTS, dequantize_rows, random_rows
from rlx.ops.quantized.dequant import dequant_gather, dequant_grouped_matmul, dequant_matmul, dequant_moe_weights
from rlx.ops.quantized.stored_weights import BLOCKS, PLAIN, dequantize, random_operands, storage
from tests.ops.running import draw, infer, place, run

ROWS = Dim("rows", min=1, max=64)
gguf = pytest.importorskip("gguf")
HAVE_ORACLE = [name for name in ELEMENTS if name != "Q8_K"]  # which the package does not read


def drawn(text: str, k: int, n: int, *lead: int) -> list[Any]:
    """Operands of a scheme, None where one is not the scheme's."""
    return [None if s is None else s.array(np.random.default_rng(0)) for s in random_operands(text, k, n, *lead)]


def same_bits(found: Any, wanted: Any) -> None:
    np.testing.assert_array_equal(found.view(np.uint32), np.ascontiguousarray(wanted.astype(np.float32)).view(np.uint32))


@pytest.mark.parametrize("name", HAVE_ORACLE)
def test_gguf_blocks_bit_for_bit(name: str) -> None:
    for seed in range(4):
        rows = random_rows(name, 3, 768, seed=seed)
        same_bits(dequantize_rows(name, rows), gguf.dequantize(rows, gguf.GGMLQuantizationType[name]))


@pytest.mark.parametrize("name", HAVE_ORACLE)
def test_every_byte_pattern_of_a_block(name: str) -> None:
    """Random bytes everywhere, the scales too: NaN and infinities in the same places."""
    scheme = QuantScheme.gguf(name)
    rows = np.random.default_rng(1).integers(0, 256, (40, scheme.block_bytes()), np.uint8)
    with np.errstate(all="ignore"):
        wanted = gguf.dequantize(rows, gguf.GGMLQuantizationType[name]).astype(np.float32)
    found = dequantize_rows(name, rows)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted))
    np.testing.assert_array_equal(found[~np.isnan(found)], wanted[~np.isnan(wanted)])


@pytest.mark.parametrize("name", ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "TQ1_0", "TQ2_0", "MXFP4", "BF16"])
def test_what_the_package_quantizes(name: str) -> None:
    numbers = np.random.default_rng(2).standard_normal((4, 512)).astype(np.float32)
    kind = gguf.GGMLQuantizationType[name]
    rows = gguf.quantize(numbers, kind).view(np.uint8).reshape(4, -1)
    same_bits(dequantize_rows(name, rows), gguf.dequantize(rows, kind))


def test_q8_k_by_its_definition() -> None:
    rows = random_rows("Q8_K", 2, 256)
    scale, q = rows[:, :4].copy().view(np.float32), rows[:, 4:260].copy().view(np.int8)
    np.testing.assert_array_equal(dequantize_rows("Q8_K", rows), scale * q.astype(np.float32))


def test_q6_k_negative_sub_scales() -> None:
    block = np.zeros((1, 210), np.uint8)
    block[0, 192:208] = np.int8(-3).view(np.uint8)
    block[0, 208:210] = np.array([2.0], np.float16).view(np.uint8)
    np.testing.assert_array_equal(dequantize_rows("Q6_K", block), np.full((1, 256), 2.0 * -3 * -32, np.float32))


def test_q2_k_and_q3_k_field_order() -> None:
    """q2: scales, numbers, d, minimum; q3: high bits, numbers, scales, d."""
    second = np.zeros((1, 84), np.uint8)
    second[0, 0], second[0, 16] = 0x21, 0b11
    second[0, 80:84] = np.array([1.0, 4.0], np.float16).view(np.uint8)
    found = dequantize_rows("Q2_K", second)[0]
    assert found[0] == 1 * 3 - 4 * 2 and found[1] == -8 and (found[16:] == 0).all()
    third = np.zeros((1, 110), np.uint8)
    third[0, 0], third[0, 32], third[0, 96], third[0, 104] = 1, 0b10, 0x05, 0b10
    third[0, 108:110] = np.array([1.0], np.float16).view(np.uint8)
    found = dequantize_rows("Q3_K", third)[0]
    assert found[0] == (5 + 32 - 32) * 2 and found[1] == 5 * -4


def test_f8e4m3_0x7e_is_448() -> None:
    w = np.array([[0x7E, 0xFE, 0x01]], np.uint8).view(ml_dtypes.float8_e4m3fn)
    found = run(dequant_matmul, np.ones((1, 1), np.float32), w, np.ones(3, np.float32), scheme="fp8_e4m3")
    np.testing.assert_array_equal(found, [[448, -448, 2.0**-9]])


# -- the table --------------------------------------------------------------------------------------------------
def by_the_table(text: str, arrays: list[Any], k: int, n: int) -> Any:
    scheme = QuantScheme.parse(text)
    w, scale = arrays[0], arrays[1].astype(np.float64)
    last = arrays[-1].astype(np.float64) if len(arrays) > 2 else None
    result = np.zeros((k, n))
    for i in range(k):
        for j in range(n):
            at = i * n + j
            if scheme.kind in ("int4", "nvfp4"):
                q = int(w[at // 2]) >> (4 * (at % 2)) & 15
            else:
                q = w[i, j].astype(np.float64)
            if scheme.kind == "nvfp4":
                number = [0, 0.5, 1, 1.5, 2, 3, 4, 6][q & 7] * (-1 if q & 8 else 1)
                result[i, j] = number * scale[i // 16, j] * last
            elif scheme.kind.startswith("fp8"):
                result[i, j] = q * scale[j]
            else:
                zero = last[i // scheme.block, j] if last is not None else (8 if scheme.kind == "int4" else 0)
                result[i, j] = (q - zero) * scale[i // scheme.block, j]
    return result


@pytest.mark.parametrize("text", PLAIN)
def test_schemes_by_the_table(text: str) -> None:
    k, n = 37, 5
    arrays = drawn(text, k, n)
    wanted = by_the_table(text, arrays, k, n)
    x = draw((3, k), "f64")
    np.testing.assert_allclose(run(dequant_matmul, x, *arrays, scheme=text), x @ wanted, rtol=1e-5, atol=1e-3)
    rows = np.array([0, 36, -1, 4])
    np.testing.assert_allclose(run(dequant_gather, arrays[0], rows, *arrays[1:], scheme=text), wanted[rows], rtol=1e-6)


@pytest.mark.parametrize("text", [*PLAIN, "gguf_q4k", "gguf_iq3_s"])
def test_experts_are_outermost(text: str) -> None:
    k, n, experts = 256, 4, 3
    first, *rest = drawn(text, k, n, experts)
    x, chosen = draw((5, k)), np.array([0, 2, 2, 1, 0], np.int32)
    weights = run(dequant_moe_weights, first, *rest, scheme=text, k=k)
    assert weights.shape == (experts, k, n)
    found = run(dequant_grouped_matmul, x, first, chosen, *rest, scheme=text)
    scheme = QuantScheme.parse(text)
    for expert in range(experts):
        own = [a if a is None or a.ndim == 0 else a[expert] for a in rest]
        single = dequantize(scheme, k, n, first[expert], *own)
        np.testing.assert_array_equal(weights[expert], single)
    for row, expert in enumerate(chosen):
        np.testing.assert_allclose(found[row], x[row] @ weights[expert], rtol=1e-4, atol=1e-3)


def test_every_scheme_prints_parses_and_has_storage() -> None:
    assert len(BLOCKS) == 25
    for text in (*PLAIN, *BLOCKS):
        scheme = QuantScheme.parse(text)
        assert str(scheme) == text and "w" in storage(scheme, 512, 6)
        assert scheme.has_scale() == ("scale" in storage(scheme, 512, 6))


def test_symbolic_rows() -> None:
    w = Shape((24, 144), "u8")
    assert infer(dequant_matmul, Shape((ROWS, 256), "bf16"), w, scheme="gguf_q4k") == Shape((ROWS, 24), "bf16")
    assert infer(dequant_gather, w, Shape((ROWS, 2), "i32"), scheme="gguf_q4k").dims == (ROWS, 2, 256)


MESSAGES = [
    (lambda x, w: dequant_matmul(x, w, scheme="gguf_q9"), "RLX105", "'gguf_q9' is not a quantization scheme", "gguf_q4k"),
    (lambda x, w: dequant_matmul(x, w, scheme="gguf_q5k"), "RLX102", "numbers and bytes of a row:", "256 numbers in 176 bytes"),
    (lambda x, w: dequant_matmul(x, w, scheme="int8/32"), "RLX101", "int8/32 needs the operand scale", "table"),
    (lambda x, w: dequant_matmul(x, w, x, scheme="gguf_q4k"), "RLX101", "gguf_q4k has no operand scale", "its operands: w"),
    (lambda x, w: dequant_matmul(x, w.astype("i8"), x, scheme="int8/32"), "RLX102", "inner sizes of x and w", ""),
    (lambda x, w: dequant_gather(w, x, scheme="gguf_q4k"), "RLX103", "indices of f32", "i32"),
]


@pytest.mark.parametrize(("make", "code", "fact", "fix"), MESSAGES)
def test_messages(make: Any, code: str, fact: str, fix: str) -> None:
    graph = Graph("test")
    with pytest.raises(RlxError) as caught:
        make(place(graph, "x", (2, 256)), place(graph, "w", (24, 144), "u8"))
    assert caught.value.code == code and fact in str(caught.value) and fix in caught.value.fix
