"""scan, if and while: each body is planned separately, on the layouts of its operands, and becomes a part of the command
table that is executed repeatedly (docs/decisions/0003).

A body refers to the enclosing graph by position: its inputs are operands of the node, its carries are the node's
results, updated in place like states, and its own values live in one temporary of the node, the size of its arena.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field

from rlx.backends.cpu.emit.kernel import Lowering, Stage, Tensor
from rlx.core.dim import Size, maximum
from rlx.core.dtype import DType
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
    """The operand of the node behind a leaf or output of a body; `moved` if each round sees one row of it."""

    operand: int  # position in inputs + outputs + temporaries of the node
    moved: bool = False


@dataclass(frozen=True)
class Part:
    """A body with its plan and the bindings of its buffers; its arena is temporary `arena` of the node."""

    lir: Lir
    bound: Mapping[tuple[str, str], BodyOperand]  # by (kind, name) of a buffer
    arena: int


@dataclass(frozen=True)
class Copied:
    """A carry before the first round: operand `source` copied to operand `target`."""

    lowering: Lowering
    source: int
    target: int


@dataclass(frozen=True)
class ControlStage(Stage):
    """A node with bodies, as one command for planning; the table builder replaces it by the bodies' commands."""

    rounds: Size = 1
    reverse: bool = False
    copies: tuple[Copied, ...] = ()
    parts: Mapping[str, Part] = field(default_factory=dict, compare=False)
    pred: int = -1  # the operand whose byte decides


Copy = Callable[[Place, Place], Lowering]


def _no_code(code: object) -> None:
    raise AssertionError("a control stage has no kernel of its own")


def lower_control(op: Op, inputs: tuple[Tensor, ...], outputs: tuple[Tensor, ...], backend: Lowerer, copy: Copy) -> Lowering:
    """The node's bodies planned, and the copies of its carries."""
    planner = _Bodies(op, inputs, outputs, backend, copy)
    return {"scan": planner.scan, "if": planner.branches, "while": planner.repeat}[op.name]()


class _Bodies:
    """Plans the bodies of one node."""

    def __init__(self, op: Op, inputs: tuple[Tensor, ...], outputs: tuple[Tensor, ...], backend: Lowerer, copy: Copy) -> None:
        self.op, self.inputs, self.outputs, self.backend, self.copy = op, inputs, outputs, backend, copy
        self.first = len(inputs)  # operands: inputs, outputs, then the arena and the answer of a condition
        self.arena = self.first + len(outputs)

    # -- the three
    def scan(self) -> Lowering:
        """carries ← init; rounds × body."""
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
        """The byte of operand 0 decides between two bodies."""
        parts = {}
        for role in ("then", "else"):
            branch: Graph = self.op[role]
            bound = {("input", name): BodyOperand(index + 1) for index, name in enumerate(branch.inputs)}
            bound |= {("output", name): BodyOperand(self.first + index) for index, name in enumerate(branch.output_refs)}
            parts[role] = self._part(branch, bound, 0)
        return self._lowering(parts, (), pred=0)

    def repeat(self) -> Lowering:
        """carries ← init; while cond: body."""
        carried = len(self.outputs)
        answer = self.arena + 1
        condition: Graph = self.op["cond"]
        seen = [BodyOperand(self.first + i if i < carried else i) for i in range(len(self.inputs))]
        bound_condition = {("input", name): place for name, place in zip(condition.inputs, seen, strict=True)}
        bound_condition |= {("output", name): BodyOperand(answer) for name in condition.output_refs}
        body: Graph = self.op["body"]
        bound = {
            ("state" if index < carried else "input", name): place
            for index, (name, place) in enumerate(zip(body.inputs, seen, strict=True))
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
        for (_, name), place in bound.items():
            tensor = self._tensor(place)
            if tensor is not None:
                skip = 1 if place.moved else 0
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
        stage = ControlStage(self.op.name, key, everything, 1, _no_code, scratch, rounds, reverse, copies, parts, pred)
        in_place = tuple((copied.source, copied.target - self.first) for copied in copies)
        return Lowering((stage,), tuple(temporaries), in_place)


def as_program(body: Graph, carried: int) -> Graph:
    """The body with its first inputs as states and its first outputs as their updates: what a round does to its carries."""
    made = Graph(body.name, "mir")
    made.assumptions, made.symbols = list(body.assumptions), dict(body.symbols)
    names = list(body.inputs)
    states = set(names[:carried])
    found: dict[Ref, Ref] = {}
    for node in body.nodes:
        op = node.op
        if op.is_input and op["name"] in states:
            op = OPS["state"].op(name=op["name"], shape=op["shape"])
        inputs = [None if ref is None else found[ref] for ref in node.inputs]
        copy = made.add_node(op, inputs, results=node.results, name=node.name, origin=node.origin)
        found.update(zip(node.outputs, copy.outputs, strict=True))
    results = list(body.output_refs.items())
    made.updates = {name: found[ref] for name, (_, ref) in zip(names[:carried], results, strict=False)}
    made.set_output_refs({name: found[ref] for name, ref in results[carried:]})
    return made.freeze()
