"""The typed code builder: kernels are Python functions that emit LLVM text through it.

    module = Module(Target.host())
    k = module.kernel("add_one")                      # void add_one(ptr args, i64 begin, i64 end, ptr scratch)
    x, y = k.argument(0, PTR), k.argument(1, PTR)
    for unit in k.range(k.begin, k.end):              # Python loops unroll; k.range emits a loop
        k.store(k.load(x, unit * 8, F32.vector(8)) + 1, y, unit * 8)
    module.text()                                     # → codegen.compile_object

Other instructions are in `emitter` (operators, variables), `arithmetic` and `memory`; here are conversions, functions, control flow and the
module. bf16 converts by shifts everywhere, f16 in hardware or else by integer arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterator, Sequence
from contextlib import contextmanager

from rlx.backends.cpu.emit.arithmetic import Arithmetic
from rlx.backends.cpu.emit.memory import MemoryInstructions
from rlx.backends.cpu.emit.values import F32, F64, I1, I16, I32, I64, PTR, Operand, Type, Value
from rlx.backends.cpu.target import Target


# -- conversion
class Conversion(Arithmetic):
    """Instruction family of `Function`: conversions between types."""

    def convert(self, value: Value, kind: Type, *, signed: bool = True) -> Value:
        """The number in another type, with the same lanes; `signed` applies to the integer side. Rounds to nearest even;
        float to integer truncates and saturates, NaN becomes 0; as a bool, anything but zero is true."""
        source, kind = value.type, kind.element.like(value.type)
        if source == kind:
            return value
        if value.constant is not None and not source.is_low_float and not kind.is_low_float:
            return self._convert_constant(value.constant, source, kind, signed)
        if kind.bits == 1:
            return self.compare("ne", self._widen(value), 0)
        if source.is_low_float:
            return self.convert(self._widen(value), kind, signed=signed)
        if kind.is_low_float:
            return self._narrow(value, kind, signed)
        if source.is_float and kind.is_float:
            return self._cast("fpext" if kind.bits > source.bits else "fptrunc", value, kind)
        if source.is_float:
            name = f"llvm.fpto{'s' if signed else 'u'}i.sat.{kind.suffix}.{source.suffix}"
            return self.intrinsic(name, kind, [value])
        signed = signed and source.bits > 1
        if kind.is_float:
            return self._cast("sitofp" if signed else "uitofp", value, kind)
        if kind.bits < source.bits:
            return self._cast("trunc", value, kind)
        return self._cast("sext" if signed else "zext", value, kind)

    def _cast(self, name: str, value: Value, kind: Type) -> Value:
        return self.instruction(kind, f"{name} {value.type.text} {value.text} to {kind.text}")

    def _convert_constant(self, number: float, source: Type, kind: Type, signed: bool) -> Value:
        if source.is_integer and not signed:
            number = int(number) & ((1 << source.bits) - 1)
        if source.is_float and kind.is_integer and kind.bits > 1:
            low, high = (-(1 << kind.bits - 1), (1 << kind.bits - 1) - 1) if signed else (0, (1 << kind.bits) - 1)
            number = 0 if number != number else low if number <= low else high if number >= high else int(number)
        return self.constant(int(number != 0) if kind.bits == 1 else number, kind)

    def convert_fast(self, value: Value, kind: Type) -> Value:
        """Float to signed integer toward zero in one instruction; undefined unless the result fits."""
        return self._cast("fptosi", value, kind.element.like(value.type))

    def bitcast(self, value: Value, kind: Type) -> Value:
        """The same bits as another type of the same total width."""
        if value.type.text == kind.text:
            return Value(self, kind, value.text)
        return self._cast("bitcast", value, kind)

    # -- 16-bit floats
    def _widen(self, value: Value) -> Value:
        """Widens f16 and bf16 to f32; other types are returned as they are."""
        if value.type.name == "bf16":
            bits = self._cast("zext", value, I32.like(value.type)) << 16
            return self.bitcast(bits, F32.like(value.type))
        if value.type.name == "f16":
            return self._widen_f16(value)
        return value

    @property
    def _has_f16(self) -> bool:
        return self.target.is_aarch64 or self.target.has("f16c")

    def _half_text(self, kind: Type) -> str:
        return f"<{kind.lanes} x half>" if kind.lanes else "half"

    def _widen_f16(self, value: Value) -> Value:
        wide = F32.like(value.type)
        if self._has_f16:
            half = self._half_text(value.type)
            bits = self.instruction(value.type, f"bitcast {value.type.text} {value.text} to {half}")
            return self.instruction(wide, f"fpext {half} {bits.text} to {wide.text}")
        stored = self._cast("zext", value, I32.like(value.type))
        shifted = (stored & 0x7FFF) << 13
        exponent = shifted & (0x7C00 << 13)
        rebased = shifted + ((127 - 15) << 23)
        infinite_or_nan = rebased + ((128 - 16) << 23)
        subnormal = self.bitcast(rebased + (1 << 23), wide) - 2.0**-14
        finite = self.select(exponent == 0, self.bitcast(subnormal, stored.type), rebased)
        magnitude = self.select(exponent == (0x7C00 << 13), infinite_or_nan, finite)
        return self.bitcast(magnitude | ((stored & 0x8000) << 16), wide)

    def _narrow(self, value: Value, kind: Type, signed: bool) -> Value:
        if value.type.is_integer:
            value = self.convert(value, F32 if value.type.bits <= 16 else F64, signed=signed)
        elif value.type.is_low_float:
            value = self._widen(value)
        if value.type.name == "f64":
            value = self._round_to_odd(value)
        return self._narrow_bf16(value, kind) if kind.name == "bf16" else self._narrow_f16(value, kind)

    def _round_to_odd(self, value: Value) -> Value:
        """f64 to f32, rounded to odd: rounding that to 16 bits gives the same as a single rounding."""
        nearest = self._cast("fptrunc", value, F32.like(value.type))
        back = self._cast("fpext", nearest, value.type)
        bits = self.bitcast(nearest, I32.like(value.type))
        inexact_and_even = self.compare("one", back, value) & ((bits & 1) == 0)
        too_far = self.abs(back) > self.abs(value)
        adjacent = self.select(too_far, bits - 1, bits + 1)
        return self.bitcast(self.select(inexact_and_even, adjacent, bits), nearest.type)

    def _narrow_bf16(self, value: Value, kind: Type) -> Value:
        bits = self.bitcast(value, I32.like(value.type))
        rounded = (bits + 0x7FFF + (bits.ushr(16) & 1)).ushr(16)
        quiet = bits.ushr(16) | 0x40
        chosen = self.select(self.is_nan(value), quiet, rounded)
        return self.bitcast(self._cast("trunc", chosen, I16.like(kind)), kind)

    def _narrow_f16(self, value: Value, kind: Type) -> Value:
        if self._has_f16:
            half = self._half_text(kind)
            rounded = self.instruction(kind, f"fptrunc {value.type.text} {value.text} to {half}")
            return self.instruction(kind, f"bitcast {half} {rounded.text} to {kind.text}")
        bits = self.bitcast(value, I32.like(value.type))
        sign = bits & -0x80000000
        magnitude = bits ^ sign
        overflow = self.select(magnitude > (255 << 23), magnitude.ushr(13) & 0x3FF | 0x7E00, 0x7C00)
        magic = (127 - 15 + 23 - 10 + 1) << 23
        aligned = self.bitcast(magnitude, value.type) + self.bitcast(self.constant(magic, bits.type), value.type)
        denormal = self.bitcast(aligned, bits.type)
        normal = (magnitude + (((15 - 127) << 23) + 0xFFF) + (magnitude.ushr(13) & 1)).ushr(13)
        finite = self.select(magnitude < (113 << 23), denormal - magic, normal)
        result = self.select(magnitude >= ((127 + 16) << 23), overflow, finite) | sign.ushr(16)
        return self.bitcast(self._cast("trunc", result, I16.like(kind)), kind)

    def mask_to(self, mask: Value, kind: Type) -> Value:
        """i1 lanes as all-ones or zero integers."""
        return self._cast("sext", mask, kind.like(mask.type)) if mask.type.name == I1.name else mask


class Loop:
    """An endless loop under construction; see `Function.loop`."""

    def __init__(self, function: Function, head: str, end: str) -> None:
        self._function, self._head, self._end = function, head, end

    def stop(self, condition: Operand) -> None:
        """Branches out of the loop if the condition is true."""
        self._function.branch(condition, self._end, "next")

    def skip(self, condition: Operand) -> None:
        """Starts the next round if the condition is true."""
        self._function.branch(condition, self._head, "next")


class Function(MemoryInstructions, Conversion):
    """A function under construction. Parameters are values in `parameters`, in order."""

    def __init__(
        self, module: Module, name: str, parameters: Sequence[tuple[str, Type]], result: Type | None, linkage: str, attributes: str
    ) -> None:
        super().__init__(module)
        self.name = name
        self.result = result
        self._linkage = linkage
        self._attributes = attributes
        self._signature = [(f"%{parameter}", kind) for parameter, kind in parameters]
        self.parameters = [Value(self, kind, text) for text, kind in self._signature]
        self._last_when: tuple[int, str] | None = None
        self._arguments: dict[tuple[int, Type], Value] = {}

    def vector(self, kind: Type) -> Type:
        """The widest vector type of an element type that fits one register of the target."""
        return kind.element.vector(self.target.lanes(kind))

    # -- the native kernel signature
    @property
    def begin(self) -> Value:
        """The number of the first unit of a kernel call."""
        return self.parameters[1]

    @property
    def end(self) -> Value:
        """One past the number of the last unit of a kernel call."""
        return self.parameters[2]

    @property
    def scratch(self) -> Value:
        """The address of this thread's scratch memory, 64-byte aligned."""
        return self.parameters[3]

    def argument(self, index: int, kind: Type = I64) -> Value:
        """Entry `index` of the kernel's argument table, a pointer or a size. Read once, in the entry block."""
        key = (index, kind)
        if key not in self._arguments:
            name = f"%a{len(self._arguments)}"
            base = self.parameters[0].text
            self.entry_lines.append(f"{name}.p = getelementptr i64, ptr {base}, i64 {index}")
            self.entry_lines.append(f"{name} = load {kind.text}, ptr {name}.p, align 8")
            self._arguments[key] = Value(self, kind, name)
        return self._arguments[key]

    # -- control flow
    def range(self, start: Operand, stop: Operand | None = None, step: int | Value = 1) -> Generator[Value]:
        """A counted loop: `for i in k.range(n)` emits the body once. Static loops of no or one trip become straight
        code. The body must not leave early by `break`; a negative `step` must be a Python int."""
        if stop is None:
            start, stop = 0, start
        first, last, stride = self.index(start), self.index(stop), self.index(step)
        down = stride.constant is not None and stride.constant < 0
        more = "gt" if down else "lt"
        enters = self.compare(more, first, last)
        if enters.constant == 0:
            return
        if enters.constant and stride.constant is not None and not self.compare(more, first + stride, last):
            yield first
            return
        body, end = self.label("loop"), self.label("end")
        if enters.constant is None:
            guard = self.label("guard")
            self.line(f"br i1 {enters.text}, label %{guard}, label %{end}")
            self.begin_block(guard)
        before = self.block
        self.line(f"br label %{body}")
        self.begin_block(body)
        counter = self.instruction(I64, "")
        phi = len(self.lines) - 1
        yield counter
        following = counter + stride
        self.lines[phi] = f"{counter.text} = phi i64 [ {first.text}, %{before} ], [ {following.text}, %{self.block} ]"
        again = self.compare(more, following, last)
        self.line(f"br i1 {again.text}, label %{body}, label %{end}")
        self.begin_block(end)

    def opaque(self, counter: Value) -> Value:
        """Hides an i64 from LLVM: addresses that depend on a loop's counter stay as they are written. Where many do,
        loop strength reduction would take longer than all else, to the same end."""
        if counter.constant is not None:
            return counter
        return self.instruction(I64, f'call i64 asm "", "=r,0"(i64 {counter.text})')

    @contextmanager
    def loop(self) -> Iterator[Loop]:
        """`with k.loop() as loop:` repeats its body until `loop.stop(condition)`."""
        head, end = self.label("head"), self.label("end")
        self.line(f"br label %{head}")
        self.begin_block(head)
        yield Loop(self, head, end)
        self.line(f"br label %{head}")
        self.begin_block(end)

    @contextmanager
    def when(self, condition: Operand) -> Iterator[None]:
        """`with k.when(c):` runs its body if the condition is true."""
        test = self.coerce(condition, I1)
        then, otherwise, end = self.label("then"), self.label("else"), self.label("end")
        self.line(f"br i1 {test.text}, label %{then}, label %{otherwise}")
        self.begin_block(then)
        yield
        self.line(f"br label %{end}")
        self.begin_block(otherwise)
        self.line(f"br label %{end}")
        self.begin_block(end)
        self._last_when = (len(self.lines), otherwise)

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """`with k.otherwise():` directly after a `when` runs its body if the condition is false."""
        if self._last_when is None or self._last_when[0] != len(self.lines):
            raise RuntimeError("otherwise() must directly follow a when() block")
        end, block = self.block, self._last_when[1]
        del self.lines[-2:]  # the branch of the empty else block, and the label of the end
        self.block = block
        yield
        self.line(f"br label %{end}")
        self.begin_block(end)

    def branch(self, condition: Operand, target: str, hint: str) -> None:
        """Branches to a block if the condition is true, else falls through into a new one."""
        test = self.coerce(condition, I1)
        following = self.label(hint)
        self.line(f"br i1 {test.text}, label %{target}, label %{following}")
        self.begin_block(following)

    def ret(self, value: Operand | None = None) -> None:
        """Return. Code after it in the same block is unreachable."""
        if self.result is None:
            self.line("ret void")
        else:
            returned = self.coerce(0 if value is None else value, self.result)
            self.line(f"ret {self.result.text} {returned.text}")
        self.begin_block(self.label("unreachable"))

    # -- calls
    def call(self, callee: Function, *arguments: Operand) -> Value:
        """Calls a function of the same module."""
        passed = [self.coerce(item, kind) for item, (_, kind) in zip(arguments, callee._signature, strict=True)]
        return self.call_text(f"@{callee.name}", callee.result, passed)

    def call_subroutine(self, name: str, *arguments: Operand) -> None:
        """Calls a subroutine of the module (`Module.subroutine`)."""
        self.call_text(f"@{name}", None, [item if isinstance(item, Value) else self.index(item) for item in arguments])

    def call_external(self, name: str, result: Type | None, *arguments: Value) -> Value:
        """Calls a function of the process by name (such as libc's), resolved when the object is loaded."""
        return self.intrinsic(name, result, arguments)

    def call_pointer(self, pointer: Value, result: Type | None, *arguments: Value) -> Value:
        """Calls through a function pointer."""
        return self.call_text(pointer.text, result, arguments)

    def text(self) -> str:
        """The function's LLVM text."""
        parameters = ", ".join(f"{kind.text} {text}" for text, kind in self._signature)
        result = self.result.text if self.result is not None else "void"
        head = f"define {self._linkage}{result} @{self.name}({parameters}) {self._attributes}{{\nentry:\n"
        final = "ret void" if self.result is None else f"ret {self.result.text} zeroinitializer"
        if self.result is not None and not self.result.lanes:
            final = f"ret {self.result.text} {self.result.literal(0)}"
        return head + "\n".join([*self.entry_lines, *self.lines, final]) + "\n}\n"


Library = Callable[[Hashable, Callable[["Module", str], None]], str]
"""A store of subroutines shared by modules: called with a key and `define(module, name)`, it returns the subroutine's name."""


class Module:
    """LLVM module under construction: functions compiled together, with their declarations and constant tables."""

    def __init__(self, target: Target, library: Library | None = None) -> None:
        """`library`: its subroutines are compiled once for all modules that call them, instead of in this module."""
        self.target = target
        self._library = library
        self._subroutines: dict[Hashable, str] = {}
        self.functions: dict[str, Function] = {}
        self._declarations: dict[str, str] = {}
        self._constants: dict[str, str] = {}
        self._metadata: dict[str, int] = {}
        self._owner = Function(self, "module", [], None, "", "")  # of the values that belong to no function

    def function(
        self,
        name: str,
        parameters: Sequence[tuple[str, Type]],
        result: Type | None = None,
        *,
        internal: bool = False,
        inline: bool = False,
        seldom: bool = False,
    ) -> Function:
        """Begins a new function. `internal`: not visible outside the object; `inline`: always inlined; `seldom`: it runs too
        seldom for LLVM to optimize it, which takes two thirds of the time."""
        if name in self.functions:
            raise ValueError(f"function {name!r} is defined twice")
        attributes = "nounwind alwaysinline " if inline else "nounwind noinline optnone " if seldom else "nounwind "
        linkage = "internal " if internal or inline else ""
        made = Function(self, name, parameters, result, linkage, attributes)
        self.functions[name] = made
        return made

    def kernel(self, name: str) -> Function:
        """Begins a new function of the native kernel signature: `void name(ptr args, i64 begin, i64 end, ptr scratch)`."""
        return self.function(name, [("args", PTR), ("begin", I64), ("end", I64), ("scratch", PTR)])

    def shared(
        self, name: str, parameters: Sequence[tuple[str, Type]], emit: Callable[[Function], None], result: Type | None = None
    ) -> Function:
        """Returns the internal function of this name, whose code `emit` writes at the first call."""
        if name not in self.functions:
            emit(self.function(name, parameters, result, internal=True))
        return self.functions[name]

    def subroutine(self, key: Hashable, parameters: Sequence[tuple[str, Type]], emit: Callable[[Function], None]) -> str:
        """Returns the name of a subroutine without a result, whose code `emit` writes. Equal keys mean equal code, emitted once."""
        if key not in self._subroutines:
            if self._library is None:
                name = f"subroutine{len(self.functions)}"
                emit(self.function(name, parameters, internal=True))
            else:
                name = self._library(key, lambda module, name: emit(module.function(name, parameters)))
                self.declare(name, None, [kind for _, kind in parameters])
            self._subroutines[key] = name
        return self._subroutines[key]

    def declare(self, name: str, result: Type | str | None, parameters: Sequence[Type], more: Sequence[str] = ()) -> None:
        """Declares an intrinsic or external function, once; types that `Type` cannot express are LLVM text."""
        if name not in self._declarations:
            returned = result if isinstance(result, str) else result.text if result is not None else "void"
            kinds = ", ".join([*(kind.text for kind in parameters), *more])
            self._declarations[name] = f"declare {returned} @{name}({kinds})"

    def constant_array(self, values: Sequence[float] | bytes, kind: Type, align: int = 64) -> Value:
        """The address of a read-only table in the object, for any function of the module; equal tables are shared."""
        element = kind.element
        number = element.literal
        stored = "i8" if element.bits == 1 else element.element_text
        items = ", ".join(f"{stored} {int(bool(v)) if element.bits == 1 else number(v)}" for v in values)
        body = f"private unnamed_addr constant [{len(values)} x {stored}] [{items}], align {align}"
        name = self._constants.setdefault(body, f"@table{len(self._constants)}")
        return Value(self._owner, PTR, name)

    def metadata(self, body: str) -> int:
        """The number of a metadata node, which is created once."""
        return self._metadata.setdefault(body, len(self._metadata))

    def text(self) -> str:
        """The module as LLVM text."""
        tables = [f"{name} = {body}" for body, name in self._constants.items()]
        nodes = [f"!{number} = !{{{body}}}" for body, number in self._metadata.items()]
        functions = [function.text() for function in self.functions.values()]
        return "\n".join([*tables, *self._declarations.values(), "", *functions, *nodes]) + "\n"
