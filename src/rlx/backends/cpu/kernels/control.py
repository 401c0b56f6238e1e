"""Commands that are not kernels of an op: loops and branches, host calls, and the traps of `trap_nan`.

**scan, if and while.** Each body is planned separately, on the layouts of its operands, and becomes a part of the command
table that is executed repeatedly (docs/decisions/0003).

A body refers to the enclosing graph by position: its inputs are operands of the node, its carries are the node's
results, updated in place like states, and its own values live in one temporary of the node, the size of its arena.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided

from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import I16, I32, I64, Type
from rlx.backends.cpu.kernels.movement.runs import shares, unit_count
from rlx.backends.cpu.target import Target
from rlx.core.dim import Dim, Size, maximum, product
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.report import Report
from rlx.ir.graph import Graph, Layout, Ref
from rlx.ir.op import OPS, Op
from rlx.ir.parse_lir import ALIGNMENT, Lir, Place
from rlx.plan.lowerer import Lowerer
from rlx.plan.schedule import plan

CONTROL_OPS = ("scan", "if", "while")
ENDLESS = 1 << 62  # rounds of a while without a limit
_BYTES = DType.of("u8")


@dataclass(frozen=True)
class BodyOperand:
    """The operand of a loop or branch behind a leaf or output of its body; `moved` if each round reads or writes one row of it."""

    operand: int  # position in inputs + outputs + temporaries of the node
    moved: bool = False


@dataclass(frozen=True)
class Part:
    """The body of a loop or branch with its plan and the bindings of its buffers; its arena is temporary `arena` of the node."""

    lir: Lir
    bound: Mapping[tuple[str, str], BodyOperand]  # by (kind, name) of a buffer
    arena: int


@dataclass(frozen=True)
class Copied:
    """The copy of a carry before the first round: operand `source` copied to operand `target`."""

    lowering: Lowering
    source: int
    target: int


@dataclass(frozen=True)
class ControlStage(Stage):
    """A loop or branch as one command for planning; the table builder replaces it by its bodies' commands."""

    rounds: Size = 1
    reverse: bool = False
    copies: tuple[Copied, ...] = ()
    parts: Mapping[str, Part] = field(default_factory=dict, compare=False)
    pred: int = -1  # the operand whose byte decides


Copy = Callable[[Place, Place], Lowering]


def no_native_code(code: object) -> None:
    """Reject emitting code for a stage that consists of other commands, or calls Python."""
    raise AssertionError("this stage has no kernel of its own")


def lower_control(op: Op, inputs: tuple[Tensor, ...], outputs: tuple[Tensor, ...], backend: Lowerer, copy: Copy) -> Lowering:
    """Lower scan, while or cond: plan the node's bodies, and copy its carries."""
    planner = _Bodies(op, inputs, outputs, backend, copy)
    return {"scan": planner.scan, "if": planner.branches, "while": planner.repeat}[op.name]()


class _Bodies:
    """Plans the bodies of one loop or branch."""

    def __init__(self, op: Op, inputs: tuple[Tensor, ...], outputs: tuple[Tensor, ...], backend: Lowerer, copy: Copy) -> None:
        self.op, self.inputs, self.outputs, self.backend, self.copy = op, inputs, outputs, backend, copy
        self.first = len(inputs)  # operands: inputs, outputs, then the arena and the answer of a condition
        self.arena = self.first + len(outputs)

    # -- the three
    def scan(self) -> Lowering:
        """Plan a scan: carries ← init; rounds × body."""
        body: Graph = self.op["body"]
        carried, fixed = self.op["num_carry"], self.op["num_carry"] + self.op["num_bcast"]
        names = list(body.inputs)
        bound = {("state", name): BodyOperand(self.first + index) for index, name in enumerate(names[:carried])}
        bound |= {("input", name): BodyOperand(index, index >= fixed) for index, name in enumerate(names) if index >= carried}
        for index, name in enumerate(list(body.output_refs)[carried:]):
            bound["output", name] = BodyOperand(self.first + carried + index, True)
        part = self._part(body, bound, carried)
        return self._lowering({"body": part}, self._copies(carried), rounds=self.op["length"], reverse=self.op["reverse"])

    def branches(self) -> Lowering:
        """Plan a branch: the byte of operand 0 selects one of two bodies."""
        parts = {}
        for role in ("then", "else"):
            branch: Graph = self.op[role]
            bound = {("input", name): BodyOperand(index + 1) for index, name in enumerate(branch.inputs)}
            bound |= {("output", name): BodyOperand(self.first + index) for index, name in enumerate(branch.output_refs)}
            parts[role] = self._part(branch, bound, 0)
        return self._lowering(parts, (), pred=0)

    def repeat(self) -> Lowering:
        """Plan a while loop: carries ← init; while cond: body."""
        carried = len(self.outputs)
        answer = self.arena + 1
        condition: Graph = self.op["cond"]
        seen = [BodyOperand(self.first + i if i < carried else i) for i in range(len(self.inputs))]
        bound_condition = {("input", name): operand for name, operand in zip(condition.inputs, seen, strict=True)}
        bound_condition |= {("output", name): BodyOperand(answer) for name in condition.output_refs}
        body: Graph = self.op["body"]
        bound = {
            ("state" if index < carried else "input", name): operand
            for index, (name, operand) in enumerate(zip(body.inputs, seen, strict=True))
        }
        parts = {"cond": self._part(condition, bound_condition, 0), "body": self._part(body, bound, carried)}
        limit = self.op["max_iterations"]
        rounds = ENDLESS if limit is None else limit
        return self._lowering(parts, self._copies(carried), rounds=rounds, pred=answer)

    # -- pieces
    def _tensor(self, bound: BodyOperand) -> Tensor | None:
        everything = (*self.inputs, *self.outputs)
        return everything[bound.operand] if bound.operand < len(everything) else None

    def _part(self, body: Graph, bound: Mapping[tuple[str, str], BodyOperand], carried: int) -> Part:
        layouts = {}
        for (_, name), operand in bound.items():
            tensor = self._tensor(operand)
            if tensor is not None:
                skip = 1 if operand.moved else 0
                layouts[name] = Layout(tensor.dims[skip:], tensor.strides[skip:])
        inputs = {name: layout for name, layout in layouts.items() if name in body.inputs}
        return Part(plan(as_program(body, carried), self.backend, Report(), inputs), bound, self.arena)

    def _copies(self, carried: int) -> tuple[Copied, ...]:
        made = []
        for index in range(carried):
            source, target = (
                Place(0, tensor.dtype, Layout(tensor.dims, tensor.strides)) for tensor in (self.inputs[index], self.outputs[index])
            )
            made.append(Copied(self.copy(source, target), index, self.first + index))
        return tuple(made)

    def _lowering(
        self, parts: Mapping[str, Part], copies: tuple[Copied, ...], rounds: Size = 1, reverse: bool = False, pred: int = -1
    ) -> Lowering:
        arena: Size = ALIGNMENT
        scratch: Size = 0
        for part in parts.values():
            arena, scratch = maximum(arena, part.lir.arena), maximum(scratch, part.lir.scratch)
        temporaries = [Tensor(_BYTES, (arena,), (1,))]
        if pred >= self.arena:
            temporaries.append(Tensor(_BYTES, (1,), (1,)))
        everything = tuple(range(self.arena + len(temporaries)))
        key: Hashable = (self.op, self.inputs, self.outputs)
        stage = ControlStage(self.op.name, key, everything, 1, no_native_code, scratch, rounds, reverse, copies, parts, pred)
        in_place = tuple((copied.source, copied.target - self.first) for copied in copies)
        return Lowering((stage,), tuple(temporaries), in_place)


def as_program(body: Graph, carried: int) -> Graph:
    """A loop body as a graph that updates states: its first inputs are the carries, its first outputs their new values."""
    made = Graph(body.name, "mir")
    made.assumptions, made.symbols = list(body.assumptions), dict(body.symbols)
    names = list(body.inputs)
    states = set(names[:carried])
    refs: dict[Ref, Ref] = {}
    for node in body.nodes:
        op = node.op
        if op.is_input and op["name"] in states:
            op = OPS["state"].op(name=op["name"], shape=op["shape"])
        inputs = [None if ref is None else refs[ref] for ref in node.inputs]
        copy = made.add_node(op, inputs, results=node.results, name=node.name, origin=node.origin)
        refs.update(zip(node.outputs, copy.outputs, strict=True))
    results = list(body.output_refs.items())
    made.updates = {name: refs[ref] for name, (_, ref) in zip(names[:carried], results, strict=False)}
    made.set_output_refs({name: refs[ref] for name, ref in results[carried:]})
    return made.freeze()


# -- host calls: a Python function as a command, for ops that have no native kernel on this device: the user's, and those that NumPy runs
#
# It runs on the calling thread, in schedule order; it is reported, and a program with one cannot be saved.


Array = npt.NDArray[Any]


@dataclass(frozen=True)
class HostStage(Stage):
    """A stage that calls Python: `function(*inputs) -> outputs` on arrays."""

    function: Callable[..., Any] | None = None
    writes: int = 1  # how many of the operands, the last ones, are results
    tensors: tuple[Tensor | None, ...] = ()
    sizes: tuple[Dim, ...] = ()
    runs_in: str = "Python"
    callback: bool = False  # the program calls Python here

    def on(self, tensors: Sequence[Tensor | None], sizes: Sequence[Dim]) -> HostStage:
        """The host stage bound to its tensors; symbolic sizes follow their addresses in the arguments."""
        return replace(self, tensors=tuple(tensors), sizes=tuple(sizes))

    def __call__(self, arguments: int, begin: int, end: int) -> None:
        """Call the function from the native loop; `arguments` is the address of the stage's argument words."""
        present = [tensor for tensor in self.tensors if tensor is not None]
        words = np.ctypeslib.as_array((ctypes.c_int64 * (len(present) + 2 + len(self.sizes))).from_address(arguments))
        known = {size: int(words[len(present) + 2 + index]) for index, size in enumerate(self.sizes)}
        arrays: list[Array | None] = []
        pointers = iter(words)
        for tensor in self.tensors:
            arrays.append(None if tensor is None else _array(tensor, int(next(pointers)), known))
        results = arrays[len(arrays) - self.writes :]
        inputs = arrays[: len(arrays) - self.writes]
        for array in inputs:
            if array is not None:
                array.flags.writeable = False
        assert self.function is not None
        returned = self.function(*inputs)
        listed = returned if isinstance(returned, tuple) else (returned,)
        if len(listed) != len(results):
            message = f"the kernel of {self.name} returned {len(listed)} arrays, the op has {len(results)} results"
            raise self._failure(message)
        for target, value in zip(results, listed, strict=True):
            assert target is not None
            made = np.asarray(value)
            if made.shape != target.shape:
                message = f"the kernel of {self.name} returned shape {made.shape}, the result has {target.shape}"
                raise self._failure(message)
            np.copyto(target, made, casting="same_kind")

    def _failure(self, message: str) -> Exception:
        """The error for results whose shape or dtype differs from the op's."""
        return RlxError("RLX516", message, at=None) if self.callback else ValueError(message)


def _array(tensor: Tensor, address: int, known: dict[Dim, int]) -> Array:
    """A NumPy array over a tensor's memory."""

    def number(size: Size) -> int:
        return known[size] if isinstance(size, Dim) else int(size)

    dims, strides = [number(size) for size in tensor.dims], [number(stride) for stride in tensor.strides]
    item = tensor.dtype.size
    if 0 in dims:
        return np.zeros(dims, tensor.dtype.numpy)
    reach = sum((size - 1) * abs(stride) for size, stride in zip(dims, strides, strict=True)) + 1
    low = sum((size - 1) * stride for size, stride in zip(dims, strides, strict=True) if stride < 0)
    memory = (ctypes.c_uint8 * (reach * item)).from_address(address + low * item)
    flat: Array = np.ctypeslib.as_array(memory).view(tensor.dtype.numpy)
    return as_strided(flat[-low:], dims, [stride * item for stride in strides])


def lower_host_call(function: Callable[..., Any], runs_in: str = "Python") -> Lower:
    """A lowering that calls a Python function of arrays and attributes; any layout works. `runs_in` is for the report."""

    def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
        everything = tuple(range(len(inputs) + len(outputs)))

        def call(*arrays: Array | None) -> Any:
            return function(*arrays, **op.attrs)

        asked = op.definition.calls_user
        stage = HostStage(op.name, op, everything, 1, no_native_code, 0, call, len(outputs), runs_in=runs_in, callback=asked)
        return Lowering((stage,))

    return lower


# -- trap_nan: checks a value that a command has just written; the first NaN or infinity stops the run ----------------


NOT_FINITE = 510
_KINDS: dict[str, tuple[Type, int]] = {
    "f64": (I64, 0x7FF << 52),
    "f32": (I32, 0xFF << 23),
    "f16": (I16, 0x1F << 10),
    "bf16": (I16, 0xFF << 7),
    "c64": (I32, 0xFF << 23),
    "c128": (I64, 0x7FF << 52),
}


def lower_trap(name: str, value: Tensor) -> Lowering | None:
    """The stage that traps NaN and infinity in a dense value of op `name`; None if the dtype has no NaN."""
    layout = _KINDS.get(value.dtype.name)
    if layout is None:
        return None
    kind, exponent = layout
    count = product(value.dims) * (2 if value.dtype.is_complex else 1)
    emit = partial(_emit_trap, kind=kind, exponent=exponent, count=count)
    return Lowering((Stage(f"trap {name}", ("trap", value), (0,), unit_count(count, kind.size), emit),))


def _emit_trap(code: KernelCode, kind: Type, exponent: int, count: Size) -> None:
    """Emit the check of a NaN trap: a number is NaN or infinite when all bits of its exponent are set."""
    k = code.code
    first, last = shares(code, count, kind.size)
    source = code.pointer(0)
    vector = k.vector(kind)
    lanes = vector.lanes
    bad = k.var(0)
    end = first + k.maximum(last - first, 0) // lanes * lanes
    for at in k.range(first, end, lanes):
        with k.when(k.any_lane((k.load(source, at, vector) & exponent) == exponent)):
            bad.set(1)
    for at in k.range(end, last):
        with k.when((k.load(source, at, kind) & exponent) == exponent):
            bad.set(1)
    with k.when(bad.get() != 0):
        code.fail(NOT_FINITE)
