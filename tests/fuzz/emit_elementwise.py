"""Functions of single elements in random graphs, with operands tamed so that the result means something."""

from __future__ import annotations

from typing import Any

from tests.fuzz.generator import FLOATS, INTS, Maker
from tests.fuzz.registry import ANY, REAL, build, emitter


# -- functions of one operand -----------------------------------------------------------------------------------
@emitter(
    "gelu", "gelu_approx", "silu", "sigmoid", "tanh", "sin", "cos", "atan", "erf", "softplus", "elu", "hard_swish", "exp", "expm1"
)
def smooth(m: Maker, name: str) -> Any:
    return build(m, name, m.tame(m.numbers((*FLOATS, "i32") if m.chance(0.1) else FLOATS), 4.0 if "exp" in name else 8.0))


@emitter("neg", "abs", "relu", "relu2")
def simple(m: Maker, name: str) -> Any:
    return build(m, name, m.tame(m.numbers(REAL if m.chance(0.3) else FLOATS), 16.0))


@emitter("log", "sqrt", "rsqrt", "log1p")
def of_positive(m: Maker, name: str) -> Any:
    return build(m, name, m.positive(m.numbers()))


@emitter("tan")
def tangent(m: Maker, name: str) -> Any:
    return m.graph.tan(m.graph.clamp(m.numbers(), -1.25, 1.25))


@emitter("round", "floor", "ceil", "sign")
def steps(m: Maker, name: str) -> Any:
    return build(m, name, m.tame(m.numbers(FLOATS, exact=True), 64.0))


@emitter("is_nan")
def special(m: Maker, name: str) -> Any:
    return m.graph.is_nan(m.numbers())


@emitter("not")
def inverted(m: Maker, name: str) -> Any:
    return m.graph.not_(m.numbers(("bool", *INTS)))


# -- functions of several ---------------------------------------------------------------------------------------
@emitter("add", "sub", "mul", "max", "min")
def arithmetic(m: Maker, name: str) -> Any:
    kinds = REAL if m.chance(0.25) else FLOATS
    x = m.tame(m.numbers(kinds), 30.0)
    if m.chance(0.15):
        scalar = m.choose([0.5, 2.0, -1.5, 1, 3]) if x.dtype.is_float else m.choose([1, 2, 3])
        return build(m, name, x, scalar) if m.chance(0.5) else build(m, name, scalar, x)
    return build(m, name, x, m.tame(m.partner(x, kinds), 30.0))


@emitter("div", "pow", "atan2")
def quotient(m: Maker, name: str) -> Any:
    x = m.numbers()
    y = m.partner(x, FLOATS)
    if name == "pow":
        return m.graph.pow(m.positive(m.tame(x, 3.0)), m.tame(y, 3.0))
    return build(m, name, m.tame(x, 16.0), m.positive(y))


@emitter("floor_div", "mod")
def whole(m: Maker, name: str) -> Any:
    kinds = ("i32", "i64", "u8") if m.chance(0.6) else ("f32", "f64")
    x = m.tame(m.numbers(kinds, exact=True), 64.0)
    y = m.partner(x, kinds, exact=True)
    return build(m, name, x, y if not y.dtype.is_float else m.graph.floor(m.tame(m.graph.abs(y), 8.0)) + 1.0)


@emitter("and", "or", "xor")
def bits(m: Maker, name: str) -> Any:
    kinds = ("bool",) if m.chance(0.5) else ("i32", "i64", "u8")
    x = m.numbers(kinds)
    return build(m, name, x, m.partner(x, kinds))


@emitter("shl", "shr")
def shifts(m: Maker, name: str) -> Any:
    x = m.numbers(("i32", "i64", "u8"))
    return build(m, name, x, m.graph.clamp(m.partner(x, (x.dtype.name,)), 0, 40))


@emitter("eq", "ne", "lt", "le", "gt", "ge")
def compare(m: Maker, name: str) -> Any:
    x = m.numbers(ANY, exact=True)
    if m.chance(0.25) and not x.dtype.is_bool:
        return build(m, name, x, m.choose([0, 1, 2]))
    return build(m, name, x, m.partner(x, (x.dtype.name,) if x.dtype.is_bool else REAL, exact=True))


@emitter("where")
def where(m: Maker, name: str) -> Any:
    x = m.numbers(ANY)
    condition = m.partner(x, ("bool",))
    return m.graph.where(condition, x, m.choose([0, 1]) if m.chance(0.3) and not x.dtype.is_bool else m.partner(x, (x.dtype.name,)))


@emitter("clamp")
def clamp(m: Maker, name: str) -> Any:
    x = m.numbers(REAL)
    return m.graph.clamp(x, 0, 2) if m.chance(0.5) else m.graph.clamp(x, m.partner(x, (x.dtype.name,)), 2)


@emitter("cast")
def cast(m: Maker, name: str) -> Any:
    if m.chance(0.1):
        return m.graph.cast(m.graph.cast(m.tame(m.numbers(("f32", "f16", "bf16"), exact=True), 200.0), "f8e4m3"), "f32")
    if m.chance(0.5):
        return m.graph.cast(m.tame(m.numbers(ANY, exact=True), 100.0), m.choose([*FLOATS, *INTS, "bool", "u32", "i16"]))
    return m.graph.cast(m.tame(m.numbers(), 100.0), m.choose(["f32", "f32", "f64", "f16", "bf16"]))
