"""DTypes, shapes, schemes, kinds and errors."""

from __future__ import annotations

import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

from rlx.core.dim import Dim
from rlx.core.dtype import ALL, PROMOTION, DType, cast_array
from rlx.core.enums import Activation, MaskKind
from rlx.core.error_codes import ERRORS
from rlx.core.errors import LowerError, RlxError
from rlx.core.quant_scheme import Int4Block, Int8Block, QuantScheme
from rlx.core.shape import Shape


def test_promotion_is_total_and_commutative():
    assert len(PROMOTION) == 18 * 18
    for (a, b), result in PROMOTION.items():
        assert PROMOTION[b, a] is result


def test_promotion_rows_from_the_specification():
    expect = {
        ("u64", "i64"): "f64",
        ("i32", "f16"): "f16",
        ("f16", "bf16"): "f32",
        ("bool", "i8"): "i8",
        ("u8", "i8"): "i16",
        ("i64", "f32"): "f32",
        ("f32", "c64"): "c64",
        ("f64", "c64"): "c128",
    }
    for (a, b), result in expect.items():
        assert PROMOTION[DType.of(a), DType.of(b)] is DType.of(result), (a, b)
    for other in ALL:
        if other.name != "f8e4m3":
            assert PROMOTION[DType.of("f8e4m3"), other] is None


def test_dtype_from_every_spelling():
    assert DType.of("f32") is DType.of(np.float32) is DType.of(np.dtype("float32"))
    assert DType.of(ml_dtypes.bfloat16).name == "bf16"
    with pytest.raises(RlxError) as error:
        DType.of("f33")
    assert error.value.code == "RLX103" and "f32" in str(error.value)


@pytest.mark.parametrize("to", ["i8", "u8", "i32", "u32", "i64", "u64"])
def test_float_to_int_truncates_saturates_and_nan_is_zero(to):
    info = np.iinfo(DType.of(to).numpy)
    source = np.array([1.9, -1.9, np.nan, np.inf, -np.inf, 3e38, -3e38, 0.0], np.float32)
    expected = [1, -1 if info.min < 0 else 0, 0, info.max, info.min, info.max, info.min, 0]
    assert cast_array(source, DType.of(to)).tolist() == expected


def test_int_to_int_wraps_and_f8_follows_ml_dtypes():
    assert cast_array(np.array([300, -1], np.int32), DType.of("u8")).tolist() == [44, 255]
    assert np.array([0x7E], np.uint8).view(ml_dtypes.float8_e4m3fn).astype(np.float32)[0] == 448
    assert np.isnan(cast_array(np.array([1e6], np.float32), DType.of("f8e4m3")).astype(np.float32)[0])


def test_shape_prints_and_binds():
    shape = Shape((2, Dim("seq"), 128), "f32")
    assert str(shape) == "f32[2, seq, 128]"
    assert shape.bind({"seq": 37}) == Shape((2, 37, 128))
    assert str(shape.num_elements) == "256*seq" and str(shape.size_bytes) == "1024*seq"
    assert Shape.scalar("i32").rank == 0 and Shape((0, 3)).num_elements == 0
    assert Shape.batch_seq(1, "s", 8) == Shape((1, Dim("s"), 8))
    with pytest.raises(RlxError):
        Shape((-1,))
    with pytest.raises(RlxError):
        Shape((1.5,))


def test_schemes_print_and_parse():
    for text in ("gguf_q4k", "gguf_q8_0", "gguf_iq4_nl", "int8/32", "int8_asym/64", "int4/32", "fp8_e4m3", "nvfp4"):
        assert str(QuantScheme.parse(text)) == text
    q4k = QuantScheme.gguf("Q4_K")
    assert q4k.is_gguf() and q4k.block_size() == 256 and q4k.block_bytes() == 144 and q4k.bits_per_element() == 4.5
    assert Int8Block(32).has_scale() and not Int8Block(32).has_zero_point() and Int4Block(32).has_zero_point()
    with pytest.raises(RlxError):
        QuantScheme.parse("q9")


def test_enums_take_names_in_any_spelling():
    assert (
        Activation.parse("GeluApprox")
        == Activation.parse("gelu_approx")
        == Activation.parse(Activation.GeluApprox)
        == "gelu_approx"
    )
    assert MaskKind.parse("sliding_window(4)") == MaskKind.SlidingWindow(4)
    assert MaskKind.parse(None).kind == "none"
    with pytest.raises(RlxError) as error:
        Activation.parse("swish")
    assert "one of" in str(error.value)


def test_errors_carry_code_line_and_fix():
    with pytest.raises(RlxError) as caught:
        raise RlxError("RLX102", "two facts")
    text = str(caught.value)
    assert text.startswith("[RLX102] two facts\n  at test_types.py:")
    assert 'raise RlxError("RLX102", "two facts")' in text
    assert text.splitlines()[-1] == f"  fix: {ERRORS['RLX102'].help}"
    assert "linear takes 2 inputs, got 1" in str(LowerError("linear", 2, 1))


def test_import_is_light():
    code = "import sys, rlx; bad = [m for m in ('llvmlite', 'jax', 'torch', 'scipy', 'numpy') if m in sys.modules]; print(bad)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert found == "[]"


def test_the_reference_device_runs_where_llvmlite_is_not_installed():
    code = (
        "import sys; sys.modules['llvmlite'] = None\n"
        "import numpy as np, rlx\n"
        "g = rlx.Graph('twice'); x = g.input('x', (2,)); g.set_outputs({'y': x + x})\n"
        "print(rlx.compile(g, 'reference', session=rlx.Session('reference'))(x=np.ones(2, np.float32)).tolist())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[2.0, 2.0]\n", done.stderr
