"""The algebra of formulas as Triton text: a number is an expression with a dtype, and is named when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rlx.backends.cuda.register_types import carried, cast, divided, language_type, literal, number, rooted
from rlx.backends.cuda.text import KernelText
from rlx.core.dtype import DType
from rlx.formulas.algebra import SQUARE_LIMIT, Formula

_BOOL, _F32, _F64 = (DType.of(name) for name in ("bool", "f32", "f64"))

Emit = Callable[[KernelText, Sequence[str], Mapping[str, Any], DType], str]
"""(kernel, operands, attributes, the last operand's dtype) → an expression. The condition of `where` comes first."""


def _operator(sign: str, swapped: bool = False, dtype: DType | None = None, narrow: bool = False) -> Callable[..., Text]:
    """An operator of two numbers as Triton text; `narrow`: its result is cast back to their dtype."""

    def apply(self: Text, other: Any) -> Text:
        a, b = (self.operand(other), self.name) if swapped else (self.name, self.operand(other))
        return self.new(f"({a} {sign} {b}).to({carried(self.dtype)})" if narrow else f"({a} {sign} {b})", dtype)

    return apply


class Text:
    """A number in a Triton kernel: an expression and its dtype in registers, where f16 and bf16 are f32."""

    def __init__(self, k: KernelText, expression: str, dtype: DType) -> None:
        self.k, self.expression, self.dtype = k, expression, dtype
        self.is_named = expression.isidentifier()

    __hash__ = object.__hash__

    @property
    def name(self) -> str:
        """The name of the expression, which is assigned once."""
        if not self.is_named:
            self.expression, self.is_named = self.k.let(self.expression), True
        return self.expression

    def new(self, expression: str, dtype: DType | None = None) -> Text:
        """Another number of the kernel, of the same dtype unless given."""
        return Text(self.k, expression, dtype or self.dtype)

    def operand(self, other: Text | float) -> str:
        """Text of an operator's other operand: Python numbers as they are where Triton gives them this one's dtype."""
        if isinstance(other, Text):
            return other.name
        fits = self.dtype.is_float or -(2**31) <= other < 2**31
        return number(float(other) if self.dtype.is_float else int(other)) if fits else literal(other, self.dtype)

    def argument(self, other: Text | float) -> str:
        """Text of a function's other operand, as a literal of this number's dtype."""
        return other.name if isinstance(other, Text) else literal(other, self.dtype)

    def __truediv__(self, other: Text | float) -> Text:
        return self.new(divided(self.name, self.argument(other), self.dtype))

    def __rtruediv__(self, other: Text | float) -> Text:
        return self.new(divided(self.argument(other), self.name, self.dtype))

    __add__, __radd__, __sub__, __rsub__ = _operator("+"), _operator("+", True), _operator("-"), _operator("-", True)
    __mul__, __rmul__, __xor__ = _operator("*"), _operator("*", True), _operator("^")
    __and__, __rand__, __or__, __ror__ = _operator("&"), _operator("&", True), _operator("|"), _operator("|", True)
    __lshift__, __rshift__ = _operator("<<", narrow=True), _operator(">>", narrow=True)
    __lt__, __le__, __gt__, __ge__ = (_operator(sign, dtype=_BOOL) for sign in ("<", "<=", ">", ">="))
    __eq__, __ne__ = _operator("==", dtype=_BOOL), _operator("!=", dtype=_BOOL)  # type: ignore[assignment]

    def __neg__(self) -> Text:
        return self.new(f"-{self.name}" if self.dtype.is_float else f"{literal(0, self.dtype)} - {self.name}")

    def __invert__(self) -> Text:
        return self.new(f"{self.name} == 0" if self.dtype.is_bool else f"~{self.name}")


def _call(form: str, conditions: int = 0) -> Callable[..., Text]:
    """A primitive as a function call in Triton; Python numbers take the dtype of the first number after the conditions."""

    def apply(self: TritonAlgebra, *operands: Any) -> Text:
        first = next(operand for operand in operands[conditions:] if isinstance(operand, Text))
        return first.new(form.format(*(first.argument(operand) for operand in operands)))

    return apply


def _extreme(name: str, sign: str) -> Callable[..., Text]:
    floats = _call(f"tl.{name}({{0}}, {{1}}, propagate_nan=tl.PropagateNan.ALL)")
    integers = _call(f"tl.where({{0}} {sign} {{1}}, {{0}}, {{1}})")
    return lambda self, a, b: (floats if (a if isinstance(a, Text) else b).dtype.is_float else integers)(self, a, b)


class TritonAlgebra:
    """The formulas' primitives in Triton for one op: CUDA's library (`libdevice`) where it has the function."""

    def __init__(self, k: KernelText, dtype: DType) -> None:
        self.k, self.dtype = k, dtype

    select, fma = _call("tl.where({0}, {1}, {2})", conditions=1), _call("tl.fma({0}, {1}, {2})")
    abs, floor, ceil = _call("tl.abs({0})"), _call("tl.floor({0})"), _call("tl.ceil({0})")
    round_even, trunc = _call("libdevice.rint({0})"), _call("libdevice.trunc({0})")
    copysign, fmod, pow = (_call(f"libdevice.{name}({{0}}, {{1}})") for name in ("copysign", "fmod", "pow"))
    minimum = minimum_fast = _extreme("minimum", "<")
    maximum = maximum_fast = _extreme("maximum", ">")
    exp, exp2, expm1, log, log1p = (_call(f"libdevice.{name}({{0}})") for name in ("exp", "exp2", "expm1", "log", "log1p"))
    log2, log10, cbrt, erf, atan = (_call(f"libdevice.{name}({{0}})") for name in ("log2", "log10", "cbrt", "erf", "atan"))
    sin, cos, tan = (_call(f"libdevice.{name}({{0}})") for name in ("sin", "cos", "tan"))
    sinh, cosh, tanh = (_call(f"libdevice.{name}({{0}})") for name in ("sinh", "cosh", "tanh"))
    atan2, exp_negative = _call("libdevice.atan2({0}, {1})"), exp

    def kind(self, x: Text) -> str:
        return x.dtype.name

    def constant(self, number: float, like: Text) -> Text:
        return like.new(literal(number, like.dtype))

    def rarely(self, condition: Text, make: Callable[[], Text], otherwise: Text) -> Text:
        return self.select(condition, make(), otherwise)

    def sqrt(self, x: Text) -> Text:
        return x.new(rooted(x.name, x.dtype))

    def is_nan(self, x: Text) -> Text:
        return x.new(f"({x.name} != {x.name})", _BOOL)

    def as_is(self, x: Text) -> Text:
        return x

    def exact_product(self, a: Text, b: Text) -> tuple[Text, Text]:
        """The rounded product and its error. Such sums must not be contracted, so the kernel is compiled without contraction."""
        self.k.as_written = True
        product = a * b
        return product, self.fma(a, b, -product)

    def exp_parts(self, x: Text, tail: Text) -> Text:
        power = self.exp(x)
        return self.fma(power, tail, power)

    def exp_of_square(self, a: Text, square: Text) -> Text:
        square, lost = self.exact_product(a, a)
        return self.select(a >= SQUARE_LIMIT[self.kind(a)], 0.0, self.exp_parts(square * -0.5, lost * -0.5))

    def sigmoid(self, x: Text) -> Text:
        return 1.0 / (self.exp(-x) + 1.0)

    def in_f64(self, formula: Formula, x: Text) -> Text:
        if x.dtype is _F64:
            return formula(x)  # type: ignore[no-any-return]
        return x.new(f"{formula(x.new(f'{x.name}.to(tl.float64)', _F64)).name}.to(tl.float32)")

    # -- integers and bits
    def compare(self, name: str, x: Text, y: Text) -> Text:
        result: Text = getattr(x, f"__{name}__")(y)
        return result

    def truth(self, value: bool, like: Text) -> Text:
        return like.new(f"({like.name} {'==' if value else '!='} {like.name})", _BOOL)

    def within(self, x: Text, count: int) -> Text:
        inside = x.new(f"({x.name} < {count})", _BOOL)
        return inside if self.dtype.category == "uint" else x.new(f"(({x.name} >= 0) & {inside.expression})", _BOOL)

    def logical_shift(self, x: Text, places: Text | int) -> Text:
        signed, size = x.dtype.category == "int", x.dtype.bits
        bits = f"{x.name}.to(tl.uint{size}, bitcast=True)" if signed else x.name
        return x.new(f"({bits} >> {x.operand(places)}).to({carried(x.dtype)}" + (", bitcast=True)" if signed else ")"))

    def floor_divide(self, x: Text, y: Text) -> Text:
        quotient, rest = x.new(f"({x.name} // {y.name}).to({carried(x.dtype)})"), self.remainder(x, y)
        if x.dtype.category == "uint":
            return quotient
        return self.select((rest != 0) & ((rest < 0) ^ (y < 0)), quotient - 1, quotient)

    def floor_modulo(self, x: Text, y: Text) -> Text:
        rest = self.remainder(x, y)
        if x.dtype.category == "uint":
            return rest
        return self.select((rest != 0) & ((rest < 0) ^ (y < 0)), rest + y, rest)

    def remainder(self, x: Text, y: Text) -> Text:
        return x.new(f"({x.name} % {y.name}).to({carried(x.dtype)})")

    def multiply_high(self, x: Text, y: Text) -> Text:
        return x.new(f"tl.umulhi({x.name}, {y.name})")

    def spread(self, scalar: Text, like: Text) -> Text:
        return like.new(f"{like.name} * 0 + {scalar.name}")

    def _variables(self, *sums: str) -> list[Text]:
        """Declares numbers that a loop changes."""
        return [Text(self.k, self.k.let(each, "w"), self.dtype) for each in sums]

    def integer_pow(self, x: Text, y: Text) -> Text:
        """Integer power by squaring, for as many bits as an exponent has."""
        kind, one, zero = carried(self.dtype), literal(1, self.dtype), literal(0, self.dtype)
        spread = f"{zero} * {y.name} + {zero} * {x.name}"  # all three have the shape of the result
        result, base, left = (
            text.name for text in self._variables(f"{spread} + {one}", f"{spread} + {x.name}", f"{spread} + {y.name}")
        )
        with self.k.block(f"for _ in range({self.dtype.bits})"):
            self.k.line(f"{result} = tl.where(({left} & 1) == 0, {result}, ({result} * {base}).to({kind}))")
            self.k.line(f"{base} = ({base} * {base}).to({kind})")
            self.k.line(f"{left} = ({left} >> {one}).to({kind})")
        return x.new(result)

    def gcd(self, x: Text, y: Text) -> Text:
        """The greatest common divisor by Euclid's algorithm, with as many steps as the longest chain of remainders."""
        unsigned = f"tl.uint{self.dtype.bits}"
        sizes = [self.abs(value).name if self.dtype.category == "int" else value.name for value in (x, y)]
        zero = literal(0, self.dtype)
        large, small = (
            text.name
            for text in self._variables(*(f"({own} + {zero} * {other}).to({unsigned})" for own, other in (sizes, sizes[::-1])))
        )
        with self.k.block(f"for _ in range({self.dtype.bits * 3 // 2})"):
            active = self.k.let(f"{small} != 0")
            rest = self.k.let(f"({large} % tl.where({active}, {small}, {literal(1, self.dtype)}.to({unsigned}))).to({unsigned})")
            self.k.line(f"{large} = tl.where({active}, {small}, {large})")
            self.k.line(f"{small} = tl.where({active}, {rest}, {small})")
        return x.new(f"{large}.to({carried(self.dtype)})")

    def popcount(self, x: Text) -> Text:
        """The number of bits set, by sums of neighboring bits, pairs, nibbles, …"""
        unsigned, full, shift = f"tl.uint{x.dtype.bits}", (1 << x.dtype.bits) - 1, 1
        bits = self.k.let(f"{x.name}.to({unsigned})")
        while shift < x.dtype.bits:
            mask = f"tl.full((1,), {full // ((1 << shift) + 1)}, {unsigned})"
            bits = self.k.let(f"(({bits} & {mask}) + (({bits} >> {shift}) & {mask})).to({unsigned})")
            shift *= 2
        return x.new(f"{bits}.to({carried(x.dtype)})")

    def count_leading_zeros(self, x: Text) -> Text:
        """The number of leading zeros: sets every bit below the highest one, then counts those that are not set."""
        unsigned, shift = f"tl.uint{x.dtype.bits}", 1
        bits = self.k.let(f"{x.name}.to({unsigned})")
        while shift < x.dtype.bits:
            bits = self.k.let(f"({bits} | ({bits} >> {shift})).to({unsigned})")
            shift *= 2
        return self.popcount(x.new(f"(~{bits}).to({unsigned})"))

    def cast(self, x: Text, source: DType, to: DType) -> Text:
        return x.new(cast(self.k, x.name, source, to), _F32 if to.is_low_float or to.category == "f8" else to)

    def bits(self, x: Text) -> Text:
        return self.stored_bits(x, x.dtype)

    def stored_bits(self, x: Text, dtype: DType) -> Text:
        integer = DType.of(f"i{dtype.bits}")
        return x.new(f"{x.name}.to({language_type(dtype)}).to(tl.int{dtype.bits}, bitcast=True)", integer)

    def from_stored_bits(self, bits: Text, dtype: DType) -> Text:
        value = f"{bits.name}.to({language_type(dtype)}, bitcast=True)"
        return bits.new(f"{value}.to(tl.float32)", _F32) if dtype.is_low_float else bits.new(value, dtype)


def write_formula(formula: Formula) -> Emit:
    """Wraps a formula as an entry of the table of elementwise ops."""

    def emit(k: KernelText, xs: Sequence[str], attrs: Mapping[str, Any], dtype: DType) -> str:
        register = _F32 if dtype.is_low_float or dtype.category == "f8" else dtype
        operands = [Text(k, x, register) for x in xs]
        return formula(TritonAlgebra(k, dtype), *operands, **attrs).expression  # type: ignore[no-any-return]

    return emit
