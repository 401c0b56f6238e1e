"""Every elementwise op, reduction and order op in every dtype it takes, on the CPU, against NumPy: the ground the Array API stands on.

One graph for each dtype computes them all. What an op does not take it refuses when the graph is built.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.ir.op import OPS

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
UNSIGNED, SIGNED = ("u8", "u16", "u32", "u64"), ("i8", "i16", "i32", "i64")
INTEGERS = (*UNSIGNED, *SIGNED)
FLOATS, COMPLEX = ("f16", "bf16", "f32", "f64"), ("c64", "c128")
REAL = ("bool", *INTEGERS, *FLOATS)
NUMBERS = (*INTEGERS, *FLOATS, *COMPLEX)
ALL = (*REAL, *COMPLEX)
RELATIVE = {"f16": 1e-3, "bf16": 8e-3, "f32": 2e-6, "f64": 2e-14, "c64": 4e-6, "c128": 4e-14}


def _shifted(shift: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """By a number of bits within the width."""
    return lambda x, y: shift(x, (y.view(f"u{y.itemsize}") % (8 * y.itemsize)).astype(y.dtype))


# op: (NumPy's function, the dtypes it takes)
UNARY: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "neg": (np.negative, NUMBERS),
    "abs": (np.abs, ALL),
    "sign": (np.sign, NUMBERS),
    "floor": (np.floor, REAL),
    "ceil": (np.ceil, REAL),
    "trunc": (np.trunc, REAL),
    "round": (np.round, ALL),
    "not": (np.invert, ("bool", *INTEGERS)),
    "is_nan": (np.isnan, ALL),
    "is_inf": (np.isinf, ALL),
    "is_finite": (np.isfinite, ALL),
    "sign_bit": (np.signbit, FLOATS),
    **{
        name: (getattr(np, numpy), ALL)
        for name, numpy in (
            ("exp", "exp"),
            ("exp2", "exp2"),
            ("expm1", "expm1"),
            ("log", "log"),
            ("log2", "log2"),
            ("log10", "log10"),
            ("log1p", "log1p"),
            ("sqrt", "sqrt"),
            ("sin", "sin"),
            ("cos", "cos"),
            ("tan", "tan"),
            ("sinh", "sinh"),
            ("cosh", "cosh"),
            ("tanh", "tanh"),
            ("asin", "arcsin"),
            ("acos", "arccos"),
            ("atan", "arctan"),
            ("asinh", "arcsinh"),
            ("acosh", "arccosh"),
            ("atanh", "arctanh"),
        )
    },
}
BINARY: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "add": (np.add, ALL),
    "sub": (np.subtract, NUMBERS),
    "mul": (np.multiply, ALL),
    "div": (np.true_divide, ALL),
    "max": (np.maximum, REAL),
    "min": (np.minimum, REAL),
    "floor_div": (np.floor_divide, (*INTEGERS, *FLOATS)),
    "mod": (np.mod, (*INTEGERS, *FLOATS)),
    "fmod": (np.fmod, (*INTEGERS, *FLOATS)),
    "atan2": (np.arctan2, REAL),
    "hypot": (np.hypot, REAL),
    "logaddexp": (np.logaddexp, REAL),
    "copysign": (np.copysign, REAL),
    "next_after": (np.nextafter, REAL),
    "gcd": (np.gcd, INTEGERS),
    "and": (np.bitwise_and, ("bool", *INTEGERS)),
    "or": (np.bitwise_or, ("bool", *INTEGERS)),
    "xor": (np.bitwise_xor, ("bool", *INTEGERS)),
    "shl": (_shifted(np.left_shift), INTEGERS),
    "shr": (_shifted(np.right_shift), INTEGERS),
    "eq": (np.equal, ALL),
    "ne": (np.not_equal, ALL),
    "lt": (np.less, REAL),
    "le": (np.less_equal, REAL),
    "gt": (np.greater, REAL),
    "ge": (np.greater_equal, REAL),
}
LINES: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "reduce_sum": (np.sum, ALL),
    "reduce_prod": (np.prod, ALL),
    "reduce_max": (np.max, REAL),
    "reduce_min": (np.min, REAL),
    "reduce_any": (np.any, ALL),
    "reduce_all": (np.all, ALL),
    "cumsum": (np.cumsum, ALL),
    "cumprod": (np.cumprod, ALL),
    "sort": (np.sort, REAL),
    "argsort": (lambda x, axis: np.argsort(x, axis=axis, kind="stable"), REAL),
    "argmax": (np.argmax, REAL),
    "argmin": (np.argmin, REAL),
}
ELSEWHERE = [function for name, (function, kinds) in UNARY.items() if kinds == ALL and name[:3] not in ("abs", "rou", "is_")]
"""Complex functions: test_complex.py compares them at every special number."""
TABLES = ((UNARY, 1), (BINARY, 2), (LINES, 0))


def drawn(dtype: str, seed: int) -> Any:
    """[3, 13] numbers of every size with the ends of the range, for floats and complex ones with special numbers."""
    kind, random = DType.of(dtype), np.random.default_rng(seed)
    if kind.is_bool:
        return random.random((3, 13)) < 0.5
    if kind.is_integer:
        info = np.iinfo(kind.numpy)  # type: ignore[type-var]
        x = random.integers(info.min, info.max, 39, kind.numpy, endpoint=True)
        x[:6] = random.permutation(np.array([info.min, info.max, 0, 1, 2, 7], kind.numpy))
        x[6:30] = random.integers(0, 9, 24).astype(kind.numpy) * np.array(1 if kind.category == "uint" else -1, kind.numpy)
        return x.reshape(3, 13)
    if kind.is_complex:
        return (random.uniform(-2, 2, (3, 13)) + 1j * random.uniform(-2, 2, (3, 13))).astype(kind.numpy)
    x = random.uniform(-3, 3, 39)
    x[:8] = random.permutation([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.5])
    return x.astype(kind.numpy).reshape(3, 13)


def applied(name: str, count: int, x: Any, y: Any, dtype: str) -> Any:
    if count == 0:
        more = {"axes": (1,), "keep_dim": False} if name.startswith("reduce") else {"axis": 1}
        return OPS[name](x, **more)
    if name in ("shl", "shr"):
        return (
            OPS[name](x, OPS["mod"](y, DType.of(dtype).bits)) if dtype in UNSIGNED else OPS[name](x, y & (DType.of(dtype).bits - 1))
        )
    return OPS[name](x) if count == 1 else OPS[name](x, y)


def wanted(function: Callable[..., Any], count: int, x: Any, y: Any, result: Any, name: str) -> Any:
    """NumPy's answer: floats and functions of ints in f64, integers in the dtype of the result."""
    kind = DType.of(x.dtype)
    if kind.is_complex:
        x, y = x.astype(np.complex128), y.astype(np.complex128)
    elif name == "next_after":
        return function(x.astype(result.dtype), y.astype(result.dtype)).astype(np.float64)
    elif kind.is_float:
        x, y = x.astype(np.float64), y.astype(np.float64)
    elif result.dtype.kind == "f":  # ints become f32
        x, y = x.astype(np.float32).astype(np.float64), y.astype(np.float32).astype(np.float64)
    elif count == 0 and result.dtype.kind in "iu" and not name.startswith("arg"):
        x = x.astype(result.dtype)
        return function(
            x, axis=1, **({"dtype": result.dtype} if name in ("reduce_sum", "reduce_prod", "cumsum", "cumprod") else {})
        )
    if count == 0:
        return function(x, axis=1)
    return function(x) if count == 1 else function(x, y)


@pytest.mark.parametrize("dtype", ALL)
def test_every_op_in_this_dtype(dtype: str) -> None:
    x, y = drawn(dtype, 1), drawn(dtype, 2)
    g = rlx.Graph("table")
    a, b = (g.input(name, x.shape, dtype) for name in "xy")
    outputs = {}
    for table, count in TABLES:
        for name, (function, kinds) in table.items():
            if dtype in kinds:
                value = applied(name, count, a, b, dtype)
                if dtype not in COMPLEX or function not in ELSEWHERE:
                    outputs[name] = value
            else:
                with pytest.raises(RlxError, match="RLX103"):
                    applied(name, count, a, b, dtype)
    g.set_outputs(outputs)
    found = rlx.compile(g, "cpu").run({"x": x, "y": y})
    for table, count in TABLES:
        for name, (function, _) in table.items():
            if name in outputs:
                compare(name, found[name], wanted(function, count, x, y, found[name], name), dtype)


def compare(name: str, found: Any, expected: Any, dtype: str) -> None:
    expected = np.asarray(expected)
    assert found.shape == expected.shape, name
    kind = DType.of(found.dtype)
    if not (kind.is_float or kind.is_complex):
        np.testing.assert_array_equal(found, expected, err_msg=f"{name} of {dtype}")
        return
    relative = RELATIVE[kind.name] * (8 if name.startswith(("reduce", "cum")) else 1)
    with np.errstate(all="ignore"):
        rounded = expected.astype(found.dtype)
    mine, other = (v.astype(np.complex128 if kind.is_complex else np.float64) for v in (found, rounded))
    small = relative if name.startswith(("reduce", "cum")) or kind.is_complex else {"f16": 6e-8}.get(kind.name, 1e-38)
    small = relative * 3 if name == "logaddexp" else small
    np.testing.assert_allclose(mine, other, rtol=relative, atol=small, err_msg=f"{name} of {dtype}")
    if name in (
        "neg",
        "abs",
        "floor",
        "ceil",
        "trunc",
        "round",
        "mul",
        "fmod",
        "mod",
        "copysign",
        "sqrt",
        "sin",
        "asin",
        "atan",
        "sinh",
    ):
        zeros = (mine == 0) & (not kind.is_complex)
        np.testing.assert_array_equal(np.signbit(mine.real[zeros]), np.signbit(other.real[zeros]), err_msg=name)
