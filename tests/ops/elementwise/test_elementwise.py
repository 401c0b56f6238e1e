"""Elementwise ops against torch, JAX, SciPy and formulas; the promotion table; weak scalars; casts."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special
import torch
from hypothesis import given
from hypothesis import strategies as st

import rlx
from rlx.core.dim import Dim
from rlx.core.dtype import DType
from rlx.core.enums import Activation, BinaryOp, CompareOp
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.evaluate import evaluate_graph
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, OpDef
from rlx.ops.elementwise.binary import clamp, where
from tests.ops.elementwise.test_special import COMPARED
from tests.ops.running import draw, place, run, symbolic

F = torch.nn.functional
SEQ = Dim("seq", min=1, max=512)
SPECIALS = [0.0, -0.0, 0.5, -0.5, 1.0, 2.5, -2.5, 1e-6, -1e-6, 30.0, -30.0, 80.0, -80.0, np.inf, -np.inf, np.nan]


def torch_like(function: Any) -> Any:
    return lambda x: function(torch.from_numpy(x)).numpy()


def scalar(function: Any) -> Any:
    return lambda x: np.vectorize(function, otypes=[np.float64])(x)


def sign(x: float) -> float:
    return x if math.isnan(x) else (x > 0) - (x < 0)


# name: an independent function in f64, and the domain it is compared on
UNARY: dict[str, tuple[Any, float, float]] = {
    "gelu": (lambda x: x * scipy.special.ndtr(x), -6, 6),
    "gelu_approx": (lambda x: x * scipy.special.expit(math.sqrt(8 / math.pi) * (x + 0.044715 * x * x * x)), -6, 6),
    "silu": (torch_like(F.silu), -90, 90),
    "relu": (torch_like(F.relu), -9, 9),
    "sigmoid": (scipy.special.expit, -90, 90),
    "tanh": (scalar(math.tanh), -9, 9),
    "exp": (scalar(math.exp), -80, 80),
    "log": (scalar(math.log), 1e-6, 1e6),
    "sqrt": (scalar(math.sqrt), 0, 1e6),
    "rsqrt": (torch_like(torch.rsqrt), 1e-6, 1e6),
    "neg": (lambda x: 0 - x, -9, 9),
    "abs": (lambda x: np.where(x < 0, 0 - x, x), -9, 9),
    "sin": (scalar(math.sin), -100, 100),
    "cos": (scalar(math.cos), -100, 100),
    "tan": (scalar(math.tan), -1.5, 1.5),
    "atan": (scalar(math.atan), -100, 100),
    "round": (scalar(round), -9, 9),  # Python rounds halves to even too
    "erf": (scipy.special.erf, -5, 5),
    "log1p": (scalar(math.log1p), -0.99, 100),
    "expm1": (scalar(math.expm1), -9, 9),
    "floor": (scalar(math.floor), -9, 9),
    "ceil": (scalar(math.ceil), -9, 9),
    "sign": (scalar(sign), -9, 9),
    "softplus": (lambda x: -scipy.special.log_expit(-x), -90, 90),
    "elu": (torch_like(F.elu), -9, 9),
    "relu2": (lambda x: np.where(x > 0, x * x, 0), -9, 9),
    "hard_swish": (torch_like(F.hardswish), -9, 9),
}
STEP = {"f64": 2.0**-52, "f32": 2.0**-23, "f16": 2.0**-10, "bf16": 2.0**-7}


def near(found: Any, wanted: Any, dtype: str, ulps: float) -> None:
    """Within some units in the last place, tiny numbers apart; infinities where the true value does not fit."""
    assert found.dtype == DType.of(dtype).numpy and found.shape == wanted.shape
    found = found.astype(np.float64)
    floor = {"f16": 2.0**-24, "bf16": 2.0**-133, "f32": 2.0**-149, "f64": 2.0**-1074}[dtype]
    largest = {"f16": 65520.0, "bf16": 3.3e38, "f32": 3.4e38, "f64": 1.7e308}[dtype]
    with np.errstate(all="ignore"):
        fine = np.abs(found - wanted) <= ulps * STEP[dtype] * np.abs(wanted) + floor
        fine |= (found == wanted) | (np.isnan(found) & np.isnan(wanted))
        fine |= np.isinf(found) & (np.abs(wanted) >= largest)
    assert fine.all(), list(zip(found[~fine], wanted[~fine], strict=True))[:4]


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("dtype", list(STEP))
def test_unary(name: str, dtype: str) -> None:
    function, low, high = UNARY[name]
    x = np.concatenate([np.linspace(low, high, 401), np.linspace(max(low, -1), min(high, 1), 201)])
    with np.errstate(all="ignore"):
        x = x.astype(DType.of(dtype).numpy)
    x = x[(x.astype(np.float64) >= low) & (x.astype(np.float64) <= high)]
    record = OPS[name]
    assert record.tolerance is not None
    with np.errstate(all="ignore"):
        wanted = np.asarray(function(x.astype(np.float64)), np.float64)
    slack = record.tolerance.ulps + 1 if dtype in ("f32", "f64") else 1
    if name in ("gelu", "gelu_approx", "sigmoid", "silu", "softplus") and dtype == "f64":
        slack = 256  # in the tail, exp(-90) and the like magnify the rounding of their argument
    near(run(record, x), wanted, dtype, slack)


# what must hold exactly at the special numbers (None: not compared)
AT_SPECIALS: dict[str, Any] = {
    "relu": [0, 0, 0.5, 0, 1, 2.5, 0, 1e-6, 0, 30, 0, 80, 0, np.inf, 0, np.nan],
    "neg": [-v for v in SPECIALS],
    "abs": [abs(v) for v in SPECIALS],
    "round": [0, 0, 0, 0, 1, 2, -2, 0, 0, 30, -30, 80, -80, np.inf, -np.inf, np.nan],
    "floor": [0, 0, 0, -1, 1, 2, -3, 0, -1, 30, -30, 80, -80, np.inf, -np.inf, np.nan],
    "ceil": [0, 0, 1, 0, 1, 3, -2, 1, 0, 30, -30, 80, -80, np.inf, -np.inf, np.nan],
    "sign": [0, 0, 1, -1, 1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, np.nan],
}


@pytest.mark.parametrize("name", [*AT_SPECIALS, "exp", "tanh", "sigmoid", "erf", "softplus", "elu", "relu2", "sqrt", "log"])
def test_special_numbers(name: str) -> None:
    x = np.array(SPECIALS, np.float32)
    found = run(OPS[name], x)
    if name in AT_SPECIALS:
        np.testing.assert_array_equal(found, np.array(AT_SPECIALS[name], np.float32))
    else:
        t = torch.tensor(SPECIALS, dtype=torch.float64)
        wanted = {"softplus": F.softplus, "elu": F.elu, "relu2": lambda v: F.relu(v) ** 2}.get(name) or getattr(torch, name)
        np.testing.assert_allclose(found, wanted(t).numpy().astype(np.float32), rtol=1e-6, atol=1e-30)
        assert np.isnan(found[-1])


def test_round_halves_to_even() -> None:
    halves = np.array([0.5, 1.5, 2.5, -0.5, -1.5, 3.5, 4.5], np.float32)
    np.testing.assert_array_equal(run(OPS["round"], halves), [0, 2, 2, -0.0, -2, 4, 4])
    np.testing.assert_array_equal(run(OPS["round"], halves.astype(np.float16)), torch.round(torch.tensor(halves)).numpy())


def test_functions_of_ints() -> None:
    x = np.array([-3, 0, 1, 7], np.int32)
    for name in ("exp", "tanh", "sigmoid", "gelu", "erf", "sqrt"):
        assert run(OPS[name], x).dtype == np.float32
    for name, wanted in {
        "neg": -x,
        "abs": np.abs(x),
        "relu": np.maximum(x, 0),
        "relu2": [0, 0, 1, 49],
        "sign": [-1, 0, 1, 1],
        "round": x,
        "floor": x,
        "ceil": x,
        "not": ~x,
    }.items():
        found = run(OPS[name], x)
        assert found.dtype == np.int32
        np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(run(OPS["neg"], np.array([1, 0], np.uint8)), np.array([255, 0], np.uint8))
    np.testing.assert_array_equal(run(OPS["not"], np.array([True, False])), [False, True])
    np.testing.assert_array_equal(run(OPS["is_nan"], np.array(SPECIALS, np.float16)), np.isnan(SPECIALS))


def test_complex_functions() -> None:
    x = draw((7,), "c64")
    assert run(OPS["abs"], x).dtype == np.float32
    np.testing.assert_allclose(run(OPS["abs"], x), np.hypot(x.real, x.imag), rtol=1e-6)
    for name in ("exp", "log", "sqrt", "sin", "cos", "tanh"):
        np.testing.assert_allclose(run(OPS[name], x), getattr(torch, name)(torch.from_numpy(x)).numpy(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(run(OPS["mul"], x, x), x.real**2 - x.imag**2 + 2j * x.real * x.imag, rtol=1e-5, atol=1e-5)


# -- two operands -----------------------------------------------------------------------------------------------
def broadcast_shapes(data: st.DataObject) -> tuple[tuple[int, ...], tuple[int, ...]]:
    dims = data.draw(st.lists(st.integers(0, 3), max_size=3))
    pair = []
    for _ in range(2):
        cut = data.draw(st.integers(0, len(dims)))
        pair.append(tuple(data.draw(st.sampled_from([1, n])) for n in dims[cut:]))
    return pair[0], pair[1]


def elements(function: Any, x: Any, y: Any) -> Any:
    """A Python function applied to each pair of elements."""
    x, y = np.broadcast_arrays(x, y)
    result = np.empty(x.shape, object)
    for index in np.ndindex(x.shape):
        result[index] = function(x[index].item(), y[index].item())
    return result


FLOAT_BINARY: dict[str, Any] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "max": max,
    "min": min,
    "pow": lambda a, b: abs(a) ** b,
    "floor_div": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "atan2": math.atan2,
}


@given(st.sampled_from(list(FLOAT_BINARY)), st.sampled_from(list(STEP)), st.data())
def test_binary_floats(name: str, dtype: str, data: st.DataObject) -> None:
    left, right = broadcast_shapes(data)
    x, y = draw(left, dtype, -4, 4, seed=1), draw(right, dtype, 0.5, 4, seed=2)
    x = np.abs(x) if name == "pow" else x
    wanted = elements(FLOAT_BINARY[name], x.astype(np.float64), y.astype(np.float64)).astype(np.float64)
    found = run(OPS[name], x, y)
    if name == "mod" and found.size:  # a quotient near an integer rounds to either side
        keep = np.minimum(np.abs(wanted), np.abs(wanted - np.broadcast_to(y.astype(np.float64), wanted.shape))) > 1e-3
        found, wanted = found[keep], wanted[keep]
    near(found, wanted, dtype, (OPS[name].tolerance.ulps + 4) if dtype in ("f32", "f64") else 1)  # type: ignore[union-attr]


def floor_or_zero(a: int, b: int) -> int:
    return a // b if b else 0


def integer_power(a: int, b: int) -> int:
    if b >= 0:
        return a**b
    return {1: 1, -1: 1 if b % 2 == 0 else -1}.get(a, 0)


INT_BINARY: dict[str, Any] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "max": max,
    "min": min,
    "floor_div": floor_or_zero,
    "mod": lambda a, b: a % b if b else 0,
    "pow": integer_power,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}


@given(st.sampled_from(list(INT_BINARY)), st.sampled_from(["i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"]), st.data())
def test_binary_ints_wrap(name: str, dtype: str, data: st.DataObject) -> None:
    left, right = broadcast_shapes(data)
    kind = np.iinfo(DType.of(dtype).numpy)  # type: ignore[type-var]
    low, high = (-3, 5) if name == "pow" else (int(max(kind.min, -(2**40))), int(min(kind.max, 2**40)))
    x, y = draw(left, dtype, low, high, seed=1), draw(right, dtype, -3, 9, seed=2)
    wanted = elements(INT_BINARY[name], x, y)
    for index in np.ndindex(wanted.shape):
        wanted[index] = (wanted[index] - int(kind.min)) % 2**kind.bits + int(kind.min)
    found = run(OPS[name], x, y)
    assert found.dtype == x.dtype
    np.testing.assert_array_equal(found, wanted.astype(x.dtype))


@pytest.mark.parametrize("dtype", ["i32", "i64", "u8", "i8"])
def test_shifts_past_the_width(dtype: str) -> None:
    kind = np.iinfo(DType.of(dtype).numpy)  # type: ignore[type-var]
    x = np.array([1, 5, kind.max, kind.min], DType.of(dtype).numpy)
    for count in (0, 1, kind.bits - 1, kind.bits, kind.bits + 3):
        by = np.array(count, x.dtype)
        right = [int(v) >> min(count, 70) for v in x]
        left = [((int(v) << count if count < kind.bits else 0) - int(kind.min)) % 2**kind.bits + int(kind.min) for v in x]
        np.testing.assert_array_equal(run(OPS["shr"], x, by), np.array(right, x.dtype))
        np.testing.assert_array_equal(run(OPS["shl"], x, by), np.array(left, x.dtype))


def test_division_of_ints_is_f32() -> None:
    found = run(OPS["div"], np.array([7, -7, 1], np.int32), np.array([2, 2, 0], np.int32))
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, np.array([3.5, -3.5, np.inf], np.float32))


def test_max_and_min_propagate_nan() -> None:
    x, y = np.array([1, np.nan, 3], np.float32), np.array([2, 2, np.nan], np.float32)
    np.testing.assert_array_equal(run(OPS["max"], x, y), np.array(jnp.maximum(x, y)))
    np.testing.assert_array_equal(run(OPS["min"], x, y), np.array(jnp.minimum(x, y)))


COMPARE = {"eq": "__eq__", "ne": "__ne__", "lt": "__lt__", "le": "__le__", "gt": "__gt__", "ge": "__ge__"}


@given(st.sampled_from(list(COMPARE)), st.sampled_from(["f32", "bf16", "i32", "u8", "bool"]), st.data())
def test_comparisons(name: str, dtype: str, data: st.DataObject) -> None:
    left, right = broadcast_shapes(data)
    x, y = draw(left, dtype, -2, 2, seed=1), draw(right, dtype, -2, 2, seed=2)
    wanted = elements(lambda a, b: getattr(float(a), COMPARE[name])(float(b)), x, y).astype(bool)
    found = run(OPS[name], x, y)
    assert found.dtype == bool
    np.testing.assert_array_equal(found, wanted)


def test_compare_and_where_with_scalars() -> None:
    graph = Graph("test")
    x = place(graph, "x", (3,))
    graph.set_output_refs({"y": where(x > 0, x, -1).ref, "z": where(x == 2, 1.5, 0.5).ref})
    found = evaluate_graph(graph, {"x": np.array([-2, 0, 2], np.float32)})
    np.testing.assert_array_equal(found["y"], [-1, -1, 2])
    np.testing.assert_array_equal(found["z"], np.array([0.5, 0.5, 1.5], np.float32))


@given(st.data())
def test_where_and_clamp(data: st.DataObject) -> None:
    left, right = broadcast_shapes(data)
    x, y = draw(left, "f32", seed=1), draw(right, "f32", seed=2)
    condition = np.broadcast_arrays(x, y)[0] > 0
    wanted = elements(lambda a, b: a if a > 0 else b, x, y).astype(np.float32)
    np.testing.assert_array_equal(run(where, condition, x, y), wanted)
    bounded = elements(lambda a, b: min(max(a, -1.0), b), x, y).astype(np.float32)
    np.testing.assert_array_equal(run(clamp, x, np.float32(-1), y), bounded)


def test_round_to_dtype_gives_what_it_reads() -> None:
    """What it rounds is what a kernel holds in f32: tests/passes/test_rounding.py."""
    for dtype in ("f32", "bf16", "i32"):
        x = draw((3, 5), dtype, -9, 9)
        assert run(OPS["round_to_dtype"], x).tobytes() == x.tobytes()


# -- shapes, symbols, messages, coverage ------------------------------------------------------------------------
def test_every_record_is_compared_here() -> None:
    """A new elementwise record needs a row in these tests."""
    compared = {*UNARY, "not", "is_nan", *FLOAT_BINARY, *INT_BINARY, "shl", "shr", *COMPARE}
    assert {member.value for kinds in (Activation, BinaryOp, CompareOp) for member in kinds} == compared
    known = compared | COMPARED | {"round_to_dtype"}
    assert {record.name for record in OPS if record.family in ("activation", "binary", "compare")} == known


@pytest.mark.parametrize("record", [OPS[name] for name in ("gelu", "add", "lt")], ids=lambda r: r.name)
def test_symbolic_inference(record: OpDef) -> None:
    shapes = [Shape((SEQ, 1, 4)), Shape((3, 1))][: len(record.operands)]
    symbolic(record, shapes, {"seq": 5}, {})


MESSAGES = [
    (lambda x, y: x + y, "RLX102", "add of f32[4, 6] and f32[5]: sizes at axis -1 6 and 5 differ", "reshape"),
    (lambda x, y: x & x, "RLX103", "and of f32[4, 6] and f32[4, 6]: f32 is not accepted", "ints and bools"),
    (lambda x, y: where(x, x, x), "RLX103", "the condition is f32", "x != 0"),
    (lambda x, y: x.astype("c64") < 1, "RLX103", "c64 is not accepted", "numbers"),
    (lambda x, y: x.astype("f8e4m3") + 1, "RLX103", "f8e4m3 is not accepted", "numbers"),
]


@pytest.mark.parametrize(("make", "code", "fact", "fix"), MESSAGES)
def test_messages_name_the_facts_the_line_and_a_fix(make: Any, code: str, fact: str, fix: str) -> None:
    graph = Graph("test")
    with pytest.raises(RlxError) as caught:
        make(place(graph, "x", (4, 6)), place(graph, "y", (5,)))
    text = str(caught.value)
    assert caught.value.code == code and fact in text and fix in caught.value.fix
    assert "test_elementwise.py:" in text and "lambda x" in text


def test_jax_agrees_on_activations() -> None:
    x = draw((64,), low=-8, high=8)
    torch_gelu = F.gelu(torch.from_numpy(x), approximate="tanh").numpy()
    np.testing.assert_allclose(run(OPS["gelu_approx"], x), torch_gelu, rtol=2e-5, atol=1e-6)
    pairs = {
        "gelu": lambda v: jax.nn.gelu(v, approximate=False),
        "gelu_approx": jax.nn.gelu,
        "silu": jax.nn.silu,
        "softplus": jax.nn.softplus,
        "hard_swish": jax.nn.hard_swish,
        "elu": jax.nn.elu,
    }
    for name, function in pairs.items():
        np.testing.assert_allclose(run(OPS[name], x), np.asarray(function(x)), rtol=2e-5, atol=1e-6)


BY_NUMPY = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}
SIGNED = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}


@pytest.mark.parametrize("device", ["reference", "cpu"])
@pytest.mark.parametrize("options", [{}, {"fuse": False}])
def test_signed_integers_against_u64_compare_exactly(device: str, options: dict[str, bool]) -> None:
    """No dtype holds both, and f64 takes neighbours of 2**63 for equal; NumPy compares the numbers themselves."""
    unsigned = np.array([0, 1, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1], np.uint64)
    g, wanted = rlx.Graph("signs"), {}
    u = g.input("u", (6,), "u64")
    outputs, arrays = {}, {"u": unsigned}
    for name, dtype in SIGNED.items():
        s, info = g.input(name, (6, 1), name), np.iinfo(dtype)
        arrays[name] = np.array([info.min, -1, 0, 1, info.max - 1, info.max], dtype)[:, None]
        for op, numpy_op in BY_NUMPY.items():
            outputs |= {f"{name} {op} u64": OPS[op](s, u), f"u64 {op} {name}": OPS[op](u, s)}
            wanted |= {f"{name} {op} u64": numpy_op(arrays[name], unsigned), f"u64 {op} {name}": numpy_op(unsigned, arrays[name])}
    g.set_outputs(outputs)
    found = rlx.compile(g, device, **options).run(arrays)
    assert not wanted["i64 eq u64"][5, 3] and wanted["i64 eq u64"][5, 2]
    for name, array in wanted.items():
        np.testing.assert_array_equal(found[name], array, name)


@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_signed_integers_against_u64_compare_exactly_in_a_body_and_a_batch(device: str) -> None:
    s, u = np.int64([2**63 - 1, -1, 5]), np.uint64(2**63)
    carried = rlx.jit(lambda s, u: rlx.lax.scan(lambda c, row: (c, row < u), u, s)[1], device=device)(s, u)
    np.testing.assert_array_equal(carried, s < u)
    np.testing.assert_array_equal(rlx.vmap(lambda row, u: row == u, in_axes=(0, None))(s, u), s == u)
