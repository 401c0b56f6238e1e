"""Memory instructions: loads, stores, masked tails, gathers, prefetch, atomics.

Indices count elements, whatever the type: `k.load(p, 3, F32.vector(8))` reads elements 3…10.
"""

from __future__ import annotations

from rlx.backends.cpu.emit.emitter import Emitter
from rlx.backends.cpu.emit.values import I1, I8, I32, I64, PTR, Operand, Type, Value


class MemoryInstructions(Emitter):
    """Instruction family of `Function`: loads, stores, prefetches and atomics."""

    def pointer(self, base: Value, index: Operand, kind: Type) -> Value:
        """The address of element `index` from `base`."""
        offset = self.index(index)
        if offset.constant == 0:
            return base
        element = "i8" if kind.name == "i1" else kind.element_text
        return self.instruction(PTR, f"getelementptr {element}, ptr {base.text}, i64 {offset.text}")

    def pointer_from(self, address: Operand) -> Value:
        """Converts an i64 to a pointer."""
        value = self.index(address)
        return self.instruction(PTR, f"inttoptr i64 {value.text} to ptr")

    def address_of(self, pointer: Value) -> Value:
        """Converts a pointer to an i64."""
        return self.instruction(I64, f"ptrtoint ptr {pointer.text} to i64")

    def load(self, base: Value, index: Operand, kind: Type, align: int | None = None) -> Value:
        """Loads one element or `kind.lanes` contiguous ones. A bool is a byte in memory, an i1 in registers."""
        address = self.pointer(base, index, kind)
        alignment = align or kind.size
        if kind.bits == 1:
            stored = I8.like(kind)
            loaded = self.instruction(stored, f"load {stored.text}, ptr {address.text}, align {alignment}")
            return self.compare("ne", loaded, 0)
        return self.instruction(kind, f"load {kind.text}, ptr {address.text}, align {alignment}")

    def store(
        self,
        value: Operand,
        base: Value,
        index: Operand,
        kind: Type | None = None,
        *,
        align: int | None = None,
        nontemporal: bool = False,
    ) -> None:
        """Stores a value; `kind` types a Python number. `nontemporal` bypasses the caches; pass the full `align`."""
        stored = self._storable(value, kind)
        address = self.pointer(base, index, stored.type)
        alignment = align or stored.type.size
        hint = f", !nontemporal !{self.module.metadata('i32 1')}" if nontemporal else ""
        self.line(f"store {stored.type.text} {stored.text}, ptr {address.text}, align {alignment}{hint}")

    def _storable(self, value: Operand, kind: Type | None) -> Value:
        if kind is not None:
            value = self.coerce(value, kind)
        if not isinstance(value, Value):
            raise TypeError("store of a Python number needs its type")
        if value.type.bits == 1:
            wide = I8.like(value.type)
            return self.instruction(wide, f"zext {value.type.text} {value.text} to {wide.text}")
        return value

    # -- tails
    def lane_mask(self, count: Operand, lanes: int) -> Value:
        """Mask that is true in the lanes below `count`."""
        limit = self.index(count)
        if limit.constant is not None:
            bits = ", ".join("i1 " + ("true" if lane < limit.constant else "false") for lane in range(lanes))
            return Value(self, I1.vector(lanes), f"<{bits}>")
        narrow = self.instruction(I32, f"trunc i64 {limit.text} to i32")
        lane_numbers = ", ".join(f"i32 {lane}" for lane in range(lanes))
        return self.compare("gt", self.splat(narrow, lanes), Value(self, I32.vector(lanes), f"<{lane_numbers}>"))

    def load_masked(self, base: Value, index: Operand, count: Operand, kind: Type, fill: Operand = 0) -> Value:
        """Loads the lanes below `count`, the others are `fill`; memory beyond them is not accessed."""
        return self.load_where(base, index, self.lane_mask(count, kind.lanes), kind, fill)

    def load_where(self, base: Value, index: Operand, mask: Value, kind: Type, fill: Operand = 0) -> Value:
        """Loads the lanes where `mask` is true, the others are `fill`."""
        stored = I8.like(kind) if kind.bits == 1 else kind
        address = self.pointer(base, index, stored)
        name = f"llvm.masked.load.{stored.suffix}.p0"
        self.module.declare(name, stored, [PTR, I32, mask.type, stored])
        passthrough = self.coerce(fill, stored)
        loaded = self.instruction(
            stored,
            f"call {stored.text} @{name}(ptr {address.text}, i32 {stored.size}, {mask.type.text} {mask.text}, "
            f"{stored.text} {passthrough.text})",
        )
        return self.compare("ne", loaded, 0) if kind.bits == 1 else loaded

    def store_masked(self, value: Value, base: Value, index: Operand, count: Operand) -> None:
        """Stores the lanes below `count`; memory beyond them is not accessed.

        One lane is stored as a scalar. LLVM 22.1 stores the whole wide element for a narrowed vector with a constant
        mask of one lane if the CPU has AVX-512: `trunc <16 x i32> to <16 x i16>`, then `llvm.masked.store` of lane 0,
        becomes `vmovss` (4 bytes, not 2). All narrowings and all lanes are affected; other masks, and masks known at run
        time only, are not (tests/backends/cpu/emit/test_masked_tails.py has the reduced case).
        """
        stored = self._storable(value, None)
        lanes = stored.type.lanes
        known = self.index(count).constant
        if known is not None and (known <= 1 or known >= lanes):
            if known >= lanes:
                self.store(stored, base, index)
            elif known == 1:
                self.store(self.extract(stored, 0), base, index)
            return
        address = self.pointer(base, index, stored.type)
        mask = self.lane_mask(count, lanes)
        name = f"llvm.masked.store.{stored.type.suffix}.p0"
        self.module.declare(name, None, [stored.type, PTR, I32, mask.type])
        self.line(
            f"call void @{name}({stored.type.text} {stored.text}, ptr {address.text}, i32 {stored.type.size}, "
            f"{mask.type.text} {mask.text})"
        )

    # -- strided lanes
    def gather_strided(self, base: Value, index: Operand, stride: Operand, kind: Type, count: int | None = None) -> Value:
        """Loads element `index + i * stride` into lane i, by scalar loads; lanes from a Python `count` on are zero."""
        start, step = self.index(index), self.index(stride)
        result = self.constant(0, kind)
        for lane in range(kind.lanes if count is None else count):
            element = self.load(base, start + step * lane, kind.element)
            result = self.insert(result, element, lane)
        return result

    def scatter_strided(self, value: Value, base: Value, index: Operand, stride: Operand, count: int | None = None) -> None:
        """Stores lane i to element `index + i * stride`, by scalar stores."""
        start, step = self.index(index), self.index(stride)
        for lane in range(value.type.lanes if count is None else count):
            self.store(self.extract(value, lane), base, start + step * lane)

    def insert(self, vector: Value, value: Operand, lane: Operand) -> Value:
        """The vector with one lane replaced."""
        kind = vector.type
        element, position = self.coerce(value, kind.element), self.coerce(lane, I64)
        return self.instruction(
            kind, f"insertelement {kind.text} {vector.text}, {element.type.text} {element.text}, i64 {position.text}"
        )

    def extract(self, vector: Value, lane: Operand) -> Value:
        """One lane as a scalar."""
        position = self.coerce(lane, I64)
        if vector.constant is not None:
            return self.constant(vector.constant, vector.type.element)
        return self.instruction(vector.type.element, f"extractelement {vector.type.text} {vector.text}, i64 {position.text}")

    def prefetch(self, base: Value, byte_offset: Operand, locality: int = 3, write: bool = False) -> None:
        """Prefetches the cache line at a byte offset. Locality 3 = keep in all caches … 0 = use once (non-temporal)."""
        address = self.pointer(base, byte_offset, I8)
        arguments = [address] + [self.constant(number, I32) for number in (int(write), locality, 1)]
        self.intrinsic("llvm.prefetch.p0", None, arguments)

    def prefetch_once(self, base: Value, byte_offset: Operand) -> None:
        """Prefetches a cache line of data that is read once, into the cache from which the target reads such data fastest."""
        self.prefetch(base, byte_offset, self.target.stream_locality)

    # -- atomics, on i64 and i32
    def fetch_add(self, base: Value, index: Operand, amount: Operand, kind: Type = I64, order: str = "acq_rel") -> Value:
        """Atomically adds to an element; returns the old value."""
        address, added = self.pointer(base, index, kind), self.coerce(amount, kind)
        return self.instruction(kind, f"atomicrmw add ptr {address.text}, {kind.text} {added.text} {order}")

    def exchange(self, base: Value, index: Operand, value: Operand, kind: Type = I64, order: str = "acq_rel") -> Value:
        """Atomically replaces an element; returns the old value."""
        address, new = self.pointer(base, index, kind), self.coerce(value, kind)
        return self.instruction(kind, f"atomicrmw xchg ptr {address.text}, {kind.text} {new.text} {order}")

    def load_atomic(self, base: Value, index: Operand, kind: Type = I64, order: str = "acquire") -> Value:
        """Atomic load of an element."""
        address = self.pointer(base, index, kind)
        return self.instruction(kind, f"load atomic {kind.text}, ptr {address.text} {order}, align {kind.size}")

    def store_atomic(self, value: Operand, base: Value, index: Operand, kind: Type = I64, order: str = "release") -> None:
        """Atomic store of an element."""
        address, stored = self.pointer(base, index, kind), self.coerce(value, kind)
        self.line(f"store atomic {kind.text} {stored.text}, ptr {address.text} {order}, align {kind.size}")

    def compare_exchange(
        self, base: Value, index: Operand, expected: Operand, desired: Operand, kind: Type = I64
    ) -> tuple[Value, Value]:
        """Stores `desired` if the element is `expected`. Returns (the old value, whether it was written)."""
        address = self.pointer(base, index, kind)
        old, new = self.coerce(expected, kind), self.coerce(desired, kind)
        pair = self.instruction(kind, f"cmpxchg ptr {address.text}, {kind.text} {old.text}, {kind.text} {new.text} acq_rel acquire")
        aggregate = f"{{ {kind.text}, i1 }} {pair.text}"
        previous = self.instruction(kind, f"extractvalue {aggregate}, 0")
        return previous, self.instruction(I1, f"extractvalue {aggregate}, 1")

    def fence(self, order: str = "seq_cst") -> None:
        """Orders this thread's memory operations."""
        self.line(f"fence {order}")

    def pause(self) -> None:
        """Emits the spin-loop hint."""
        if self.target.is_x86:
            self.intrinsic("llvm.x86.sse2.pause", None, [])
        elif self.target.is_aarch64:
            self.intrinsic("llvm.aarch64.hint", None, [self.constant(1, I32)])
