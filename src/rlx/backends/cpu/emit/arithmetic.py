"""Mathematical and vector instructions: in hardware if the target has them, else generic code."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

from rlx.backends.cpu.emit.emitter import Emitter
from rlx.backends.cpu.emit.values import I1, I16, I32, Operand, Type, Value


class Arithmetic(Emitter):
    """Instruction family of `Function`: arithmetic and vector instructions."""

    def _unary(self, name: str, value: Value) -> Value:
        return self.intrinsic(f"llvm.{name}.{value.type.suffix}", value.type, [value])

    def _same(self, name: str, *operands: Operand) -> Value:
        kind = self._common(operands)
        return self.intrinsic(f"llvm.{name}.{kind.suffix}", kind, [self.coerce(item, kind) for item in operands])

    def _common(self, operands: Sequence[Operand]) -> Type:
        kinds = [item.type for item in operands if isinstance(item, Value)]
        if not kinds:
            raise TypeError("at least one operand must be a value")
        return next((kind for kind in kinds if kind.lanes), kinds[0])

    # -- products
    def fma(self, a: Operand, b: Operand, c: Operand) -> Value:
        """`a * b + c`, with one rounding if the target has it in hardware, else with two."""
        return self._same("fma" if self.target.has("fma") else "fmuladd", a, b, c)

    def multiply_high(self, a: Value, b: Operand, signed: bool = False) -> Value:
        """The upper half of the double-width product of integers."""
        x, y = self.coerce_pair(a, b)
        wide = f"i{x.type.bits * 2}"
        wide_text = f"<{x.type.lanes} x {wide}>" if x.type.lanes else wide
        extend = "sext" if signed else "zext"
        names = [self.instruction(x.type, f"{extend} {x.type.text} {v.text} to {wide_text}").text for v in (x, y)]
        product = self.instruction(x.type, f"mul {wide_text} {names[0]}, {names[1]}").text
        shift = f"splat ({wide} {x.type.bits})" if x.type.lanes else str(x.type.bits)
        high = self.instruction(x.type, f"lshr {wide_text} {product}, {shift}").text
        return self.instruction(x.type, f"trunc {wide_text} {high} to {x.type.text}")

    def with_overflow(self, name: str, a: Operand, b: Operand) -> tuple[Value, Value]:
        """The signed sum ("add") or product ("mul") of integers, and whether it did not fit."""
        x, y = self.coerce_pair(a, b)
        exact = {"add": operator.add, "mul": operator.mul}[name]
        if x.constant is not None and y.constant is not None:
            whole = exact(int(x.constant), int(y.constant))
            return self.constant(whole, x.type), self.constant(whole.bit_length() >= x.type.bits, I1)
        kind = x.type.text
        result = f"{{ {kind}, i1 }}"
        self.module.declare(f"llvm.s{name}.with.overflow.{kind}", result, [x.type, y.type])
        pair = self.instruction(x.type, f"call {result} @llvm.s{name}.with.overflow.{kind}({kind} {x.text}, {kind} {y.text})")
        number = self.instruction(x.type, f"extractvalue {result} {pair.text}, 0")
        return number, self.instruction(I1, f"extractvalue {result} {pair.text}, 1")

    # -- integer dot products, for quantized kernels
    def multiply_add_words(self, a: Value, b: Value) -> Value:
        """Of i16 vectors, i32 lane j = a[2j] b[2j] + a[2j+1] b[2j+1]: `pmaddwd` on x86."""
        lanes = a.type.lanes
        names = {8: "sse2.pmadd.wd", 16: "avx2.pmadd.wd", 32: "avx512.pmaddw.d.512"}
        result = I32.vector(lanes // 2)
        if self._has_x86(names, lanes, base="sse2"):
            return self.intrinsic(f"llvm.x86.{names[lanes]}", result, [a, b])
        wide = I32.vector(lanes)
        x, y = (self.instruction(wide, f"sext {v.type.text} {v.text} to {wide.text}") for v in (a, b))
        even, odd = self._even_and_odd(x * y)
        return even + odd

    def multiply_add_bytes(self, unsigned: Value, signed: Value) -> Value:
        """Of i8 vectors, i16 lane j = u[2j] s[2j] + u[2j+1] s[2j+1], saturating: `pmaddubsw` on x86."""
        lanes = unsigned.type.lanes
        names = {16: "ssse3.pmadd.ub.sw.128", 32: "avx2.pmadd.ub.sw", 64: "avx512.pmaddubs.w.512"}
        result = I16.vector(lanes // 2)
        if self._has_x86(names, lanes, base="ssse3"):
            return self.intrinsic(f"llvm.x86.{names[lanes]}", result, [unsigned, signed])
        wide = I16.vector(lanes)
        x = self.instruction(wide, f"zext {unsigned.type.text} {unsigned.text} to {wide.text}")
        y = self.instruction(wide, f"sext {signed.type.text} {signed.text} to {wide.text}")
        even, odd = self._even_and_odd(x * y)
        return self.intrinsic(f"llvm.sadd.sat.{result.suffix}", result, [even, odd])

    def dot_bytes(self, total: Value, unsigned: Value, signed: Value) -> Value:
        """i32 lane j of `total` plus the four products of the bytes of lane j: `vpdpbusd` with VNNI, `sdot` on Arm.

        Unsigned bytes are at most 127, since Arm's products of unsigned with signed ones came later.
        """
        lanes = total.type.lanes
        if not self.target.has_dot_products(lanes):
            return self._dot_by_lanes(total, unsigned, signed, 4)
        if self.target.is_x86:
            return self.intrinsic(f"llvm.x86.avx512.vpdpbusd.{32 * lanes}", total.type, [total, unsigned, signed])
        return self.dot_signed_bytes(total, unsigned, signed)

    def dot_signed_bytes(self, total: Value, a: Value, b: Value) -> Value:
        """Like `dot_bytes` for two signed operands: `sdot`, on Arm with dot products only."""
        given = [(total, 4), (a, 16), (b, 16)]  # registers of 16 bytes
        parts = [
            self.intrinsic(
                "llvm.aarch64.neon.sdot.v4i32.v16i8",
                I32.vector(4),
                [self.slice(value, number * each, each) for value, each in given],
            )
            for number in range(total.type.lanes // 4)
        ]
        return parts[0] if len(parts) == 1 else self.concat(*parts)

    def dot_byte_matrices(self, total: Value, left: Value, right: Value) -> Value:
        """Of 16 bytes each, two rows of eight: i32 lane 2i + j plus the product of row i of `left` and row j of `right`: `smmla`."""
        return self.intrinsic("llvm.aarch64.neon.smmla.v4i32.v16i8", total.type, [total, left, right])

    def dot_words(self, total: Value, a: Value, b: Value) -> Value:
        """i32 lane j of `total` plus the two products of the 16-bit values of lane j: `vpdpwssd` on x86 with VNNI."""
        lanes = total.type.lanes
        if not self.target.has_dot_products(lanes):
            return self._dot_by_lanes(total, a, b, 2)
        if self.target.is_x86:
            return self.intrinsic(f"llvm.x86.avx512.vpdpwssd.{32 * lanes}", total.type, [total, a, b])
        return total + self.multiply_add_words(a, b)

    def dot_bf16(self, total: Value, a: Value, b: Value) -> Value:
        """f32 lane j of `total` plus the two products of the bf16 values in the 32 bits of lane j, the upper first: `vdpbf16ps`."""
        lanes = total.type.lanes
        if self.target.has_bf16_products(lanes):
            pairs = f"<{2 * lanes} x bfloat>"
            given = [self.instruction(v.type, f"bitcast {v.type.text} {v.text} to {pairs}").text for v in (a, b)]
            name = f"llvm.x86.avx512bf16.dpbf16ps.{32 * lanes}"
            self.module.declare(name, total.type.text, [total.type], more=[pairs] * 2)
            arguments = ", ".join(f"{pairs} {text}" for text in given)
            return self.instruction(total.type, f"call {total.type.text} @{name}({total.type.text} {total.text}, {arguments})")
        for x, y in ((a & -0x10000, b & -0x10000), (a << 16, b << 16)):
            left, right = (self.instruction(total.type, f"bitcast {v.type.text} {v.text} to {total.type.text}") for v in (x, y))
            total = self.fma(left, right, total)
        return total

    def _dot_by_lanes(self, total: Value, a: Value, b: Value, each: int) -> Value:
        """Like the `dot_` instructions, in plain multiplies and adds, for targets without them."""
        lanes = total.type.lanes
        wide = I32.vector(lanes * each)
        extend = "zext" if each == 4 else "sext"
        x = self.instruction(wide, f"{extend} {a.type.text} {a.text} to {wide.text}")
        y = self.instruction(wide, f"sext {b.type.text} {b.text} to {wide.text}")
        products = x * y
        for place in range(each):
            total = total + self.shuffle(products, None, range(place, lanes * each, each))
        return total

    def _has_x86(self, names: dict[int, str], lanes: int, base: str) -> bool:
        if lanes not in names or not self.target.is_x86:
            return False
        wider = {"avx2": "avx2", "avx512": "avx512bw"}
        return self.target.has(wider.get(names[lanes].split(".")[0], base))

    def _even_and_odd(self, value: Value) -> tuple[Value, Value]:
        lanes = value.type.lanes
        return self.shuffle(value, None, range(0, lanes, 2)), self.shuffle(value, None, range(1, lanes, 2))

    # -- minimum and maximum
    def maximum(self, a: Operand, b: Operand) -> Value:
        """The greater of two values; for floats NaN if either is NaN, as NumPy's `maximum`."""
        return self._extreme("gt", "smax", a, b)

    def minimum(self, a: Operand, b: Operand) -> Value:
        """The smaller of two values; for floats NaN if either is NaN, as NumPy's `minimum`."""
        return self._extreme("lt", "smin", a, b)

    def _extreme(self, test: str, integer: str, a: Operand, b: Operand) -> Value:
        x, y = self.coerce_pair(a, b)
        if not x.type.is_float:
            if x.constant is not None and y.constant is not None:
                return x if (x.constant > y.constant) == (test == "gt") else y
            return self._same(integer, x, y)
        chosen = self.select(self.compare(test, x, y), x, y)  # the other operand if unordered: correct unless x is NaN
        return self.select(self.compare("uno", x, x), x, chosen)

    def maximum_fast(self, a: Operand, b: Operand) -> Value:
        """`a > b ? a : b`, one instruction on x86: `b` when either is NaN."""
        x, y = self.coerce_pair(a, b)
        return self.select(x > y, x, y)

    def minimum_fast(self, a: Operand, b: Operand) -> Value:
        """`a < b ? a : b`, one instruction on x86: `b` when either is NaN."""
        x, y = self.coerce_pair(a, b)
        return self.select(x < y, x, y)

    def unsigned_maximum(self, a: Operand, b: Operand) -> Value:
        """The greater of unsigned integers."""
        return self._same("umax", a, b)

    def unsigned_minimum(self, a: Operand, b: Operand) -> Value:
        """The smaller of unsigned integers."""
        return self._same("umin", a, b)

    # -- one operand
    def abs(self, value: Value) -> Value:
        """Absolute value; the most negative integer is unchanged."""
        if value.type.is_float:
            return self._unary("fabs", value)
        return self.intrinsic(f"llvm.abs.{value.type.suffix}", value.type, [value, self.constant(0, I1)])

    def copysign(self, magnitude: Operand, sign: Operand) -> Value:
        """The magnitude of the first value with the sign bit of the second."""
        return self._same("copysign", magnitude, sign)

    def sqrt(self, value: Value) -> Value:
        """Square root, correctly rounded."""
        return self._unary("sqrt", value)

    def is_nan(self, value: Value) -> Value:
        """True where the float is NaN."""
        return self.compare("uno", value, value)

    def popcount(self, value: Value) -> Value:
        """The number of bits set in each lane."""
        return self._unary("ctpop", value)

    def count_leading_zeros(self, value: Value) -> Value:
        """The number of zero bits above the highest set one; the width for zero."""
        return self.intrinsic(f"llvm.ctlz.{value.type.suffix}", value.type, [value, self.constant(0, I1)])

    def count_trailing_zeros(self, value: Value) -> Value:
        """The number of zero bits below the lowest set one; the width for zero."""
        return self.intrinsic(f"llvm.cttz.{value.type.suffix}", value.type, [value, self.constant(0, I1)])

    @property
    def _rounds_in_hardware(self) -> bool:
        return not self.target.is_x86 or self.target.has("sse4.1")

    def round_even(self, value: Value) -> Value:
        """The nearest integer, ties to even, as NumPy's `rint`."""
        if self._rounds_in_hardware:
            return self._unary("roundeven", value)
        # Adding 2^23 (2^52) drops the fraction, rounding as the hardware does; larger numbers have none.
        big = 2.0**23 if value.type.bits == 32 else 2.0**52
        magnitude, fast = self.abs(value), self.fast
        self.fast = ""
        rounded = (magnitude + big) - big
        self.fast = fast
        return self.copysign(self.select(magnitude < big, rounded, magnitude), value)

    def floor(self, value: Value) -> Value:
        """The greatest integer not above the float."""
        if self._rounds_in_hardware:
            return self._unary("floor", value)
        rounded = self.round_even(value)
        return self.copysign(self.select(rounded > value, rounded - 1.0, rounded), value)

    def ceil(self, value: Value) -> Value:
        """The least integer not below the float."""
        if self._rounds_in_hardware:
            return self._unary("ceil", value)
        rounded = self.round_even(value)
        return self.copysign(self.select(rounded < value, rounded + 1.0, rounded), value)

    def trunc(self, value: Value) -> Value:
        """The integer part of the float."""
        if self._rounds_in_hardware:
            return self._unary("trunc", value)
        return self.copysign(self.floor(self.abs(value)), value)

    # -- lanes
    def vector_of(self, numbers: Sequence[float], kind: Type) -> Value:
        """A constant vector; `kind` is the element type."""
        element = kind.element
        lanes = ", ".join(f"{element.element_text} {element.literal(number)}" for number in numbers)
        return Value(self, element.vector(len(numbers)), f"<{lanes}>")

    def iota(self, kind: Type, start: int = 0, step: int = 1) -> Value:
        """The vector start, start + step, …"""
        return self.vector_of([start + step * lane for lane in range(kind.lanes)], kind)

    def undefined(self, kind: Type) -> Value:
        """An undefined value."""
        return Value(self, kind, "poison")

    def shuffle(self, a: Value, b: Value | None, lanes: Sequence[int | None]) -> Value:
        """Lanes picked from `a` (0 … n-1) and `b` (n … 2n-1); None leaves a lane undefined."""
        picked = ", ".join("i32 poison" if lane is None else f"i32 {lane}" for lane in lanes)
        second = b.text if b is not None else "poison"
        result = a.type.vector(len(lanes))
        return self.instruction(
            result, f"shufflevector {a.type.text} {a.text}, {a.type.text} {second}, <{len(lanes)} x i32> <{picked}>"
        )

    def concat(self, a: Value, b: Value) -> Value:
        """Lanes of `a` followed by those of `b`."""
        return self.shuffle(a, b, range(2 * a.type.lanes))

    def halves(self, value: Value) -> tuple[Value, Value]:
        """The lower and the upper half of a vector."""
        half = value.type.lanes // 2
        return self.shuffle(value, None, range(half)), self.shuffle(value, None, range(half, 2 * half))

    def slice(self, value: Value, start: int, count: int) -> Value:
        """`count` lanes from `start`."""
        return self.shuffle(value, None, range(start, start + count))

    def transpose(self, rows: Sequence[Value]) -> list[Value]:
        """n vectors of n lanes (n a power of two) transposed in log n rounds of shuffles."""
        count = len(rows)
        current, distance = list(rows), 1
        while distance < count:
            following = list(current)
            for i in range(count):
                if i & distance:
                    continue
                j = i | distance
                low = [(lane & ~distance) + (count if lane & distance else 0) for lane in range(count)]
                following[i] = self.shuffle(current[i], current[j], low)
                following[j] = self.shuffle(current[i], current[j], [lane + distance for lane in low])
            current, distance = following, distance * 2
        return current

    def reduce(self, value: Value, combine: Callable[[Value, Value], Value]) -> Value:
        """Combines all lanes by halving: lane i with lane i + n/2, until one is left. The order is fixed."""
        while value.type.lanes > 1:
            if value.type.lanes % 2:
                raise ValueError(f"cannot halve {value.type!r}")
            value = combine(*self.halves(value))
        return self.instruction(value.type.element, f"extractelement {value.type.text} {value.text}, i64 0")

    def reduce_add(self, value: Value) -> Value:
        """The sum of the lanes."""
        return self.reduce(value, lambda a, b: a + b)

    def reduce_max(self, value: Value) -> Value:
        """The greatest lane; NaN if any is."""
        return self.reduce(value, self.maximum)

    def reduce_min(self, value: Value) -> Value:
        """The smallest lane; NaN if any is."""
        return self.reduce(value, self.minimum)

    def any_lane(self, mask: Value) -> Value:
        """True when any i1 lane is."""
        return self.intrinsic(f"llvm.vector.reduce.or.{mask.type.suffix}", I1, [mask])

    def all_lanes(self, mask: Value) -> Value:
        """True when all i1 lanes are."""
        return self.intrinsic(f"llvm.vector.reduce.and.{mask.type.suffix}", I1, [mask])

    def mask_bits(self, mask: Value) -> Value:
        """The i1 lanes as bits of an i32, lane 0 lowest. At most 32 lanes."""
        lanes = mask.type.lanes
        bits = self.instruction(I32, f"bitcast {mask.type.text} {mask.text} to i{lanes}")
        return bits if lanes == 32 else self.instruction(I32, f"zext i{lanes} {bits.text} to i32")
