"""Schedule and plan: nodes become commands on places, places share slots, barriers stand only between dependent commands."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rlx.core.dim import Size
from rlx.core.errors import RlxError
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.graph import Graph, Layout, Node, Ref
from rlx.ir.op import Call, Op
from rlx.ir.parse_lir import Buffer, Lir, Place, place_bytes
from rlx.plan.lowerer import Lowerer, LoweringLike, StageLike
from rlx.plan.slots import Lifetime, Pending, assign_slots, donations, find_barriers, group_ends, prepared_early, with_barriers


@dataclass
class _Memory:
    """A buffer under construction; `same_as` is the buffer whose memory it reuses."""

    kind: str
    name: str
    size: Size
    same_as: int | None = None


@dataclass
class Planner:
    """Builds the schedule and buffers of a graph in one walk."""

    graph: Graph
    backend: Lowerer
    report: Report
    layouts: Mapping[str, Layout] = field(default_factory=dict)  # of leaves that are not dense, as in bodies
    memory: list[_Memory] = field(default_factory=list)
    places: dict[Ref, Place] = field(default_factory=dict)
    commands: list[Pending] = field(default_factory=list)
    in_place: list[tuple[int, int]] = field(default_factory=list)
    # (node, input, result): the kernel can write into that input's memory
    takes: list[tuple[int, int, int]] = field(default_factory=list)
    views: int = 0
    values: dict[int, list[Ref]] = field(default_factory=dict)  # by buffer, the values stored in it
    # by node, the (operand, result) pairs that its kernel can compute in place
    pairs: dict[int, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    # temporaries that other ops may reuse, by the stage and operands that write them
    prepared: dict[Hashable, list[Place]] = field(default_factory=dict)
    trapped: Mapping[Ref, str] | None = None  # under trap_nan, the values to check and their ops; nothing runs in place

    def run(self) -> Lir:
        """Plans the full graph and returns its LIR."""
        self.last_read = {ref: node.id for node in self.graph.nodes for ref in node.refs}
        self.escapes = {ref for _, ref in self.graph.results()}
        self.users = self.graph.users()
        self.replaced = {
            ref: self.graph.leaf("state", name) or self.graph.leaf("param", name) for name, ref in self.graph.updates.items()
        }
        for node in self.graph.nodes:
            if node.op.definition.leaf:
                self._leaf(node)
            elif not self._view(node):
                self._kernel(node)
        self._outputs()
        self._updates()
        return self._finish()

    # -- places
    def _new(self, kind: str, name: str, size: Size) -> int:
        self.memory.append(_Memory(kind, name, size))
        return len(self.memory) - 1

    def _dense(self, buffer: int, shape: Shape) -> Place:
        return Place(buffer, shape.dtype, Layout.dense(shape.dims))

    def _root(self, buffer: int) -> int:
        while (other := self.memory[buffer].same_as) is not None:
            buffer = other
        return buffer

    def _leaf(self, node: Node) -> None:
        name = node.op["value"].digest if node.op.is_constant else node.op["name"]
        buffer = self._new(node.op.name, name, node.shape.size_bytes)
        layout = self.layouts.get(name, Layout.dense(node.shape.dims))
        self._set(node.ref, Place(buffer, node.shape.dtype, layout))

    def _set(self, ref: Ref, place: Place) -> None:
        self.places[ref] = place
        self.values.setdefault(self._root(place.buffer), []).append(ref)

    def _view(self, node: Node) -> bool:
        """Aliases the operand's memory if the op only changes the layout, after a dense copy of an operand that cannot be viewed."""
        view = node.op.definition.view
        if view is None:
            return False
        call = Call(node.op, [None if ref is None else self.graph.shape(ref) for ref in node.inputs], self.graph.assumptions)
        source = self.places[node.refs[0]]
        seen = view(call, source.layout)
        if seen is None and not source.layout.is_dense:
            dense = Layout.dense(source.layout.dims)
            if view(call, dense) is None:
                return False
            source = self._make_dense(source, node)
            seen = view(call, source.layout)
        if seen is None:
            return False
        layouts = seen if isinstance(seen, tuple) else (seen,)
        for ref, layout in zip(node.outputs, layouts, strict=True):
            self._set(ref, Place(source.buffer, source.dtype, layout))
            self.views += 1
        return True

    # -- kernels
    def _kernel(self, node: Node) -> None:
        inputs = [None if ref is None else self.places[ref] for ref in node.inputs]
        outputs = [self._dense(-1 - index, shape) for index, shape in enumerate(node.results)]
        lowering = self.backend.lower(node.op, tuple(inputs), tuple(outputs))
        if isinstance(lowering, str):
            inputs = [None if place is None else self._make_dense(place, node) for place in inputs]
            lowering = self.backend.lower(node.op, tuple(inputs), tuple(outputs))
        if isinstance(lowering, str):
            raise RlxError("RLX403", f"{node.op.name} on {self.backend.name}: {lowering}", at=node.origin.location)
        able: dict[int, list[int]] = {}  # by result, the operands whose memory the kernel can reuse
        for position, result in lowering.in_place:
            able.setdefault(result, []).append(position)
        placed = []
        for index, (place, shape) in enumerate(zip(outputs, node.results, strict=True)):
            buffer = self._new("arena", "", shape.size_bytes)
            self._take_over(node, inputs, buffer, index, able.get(index, ()))
            placed.append(Place(buffer, place.dtype, place.layout))
        self._append(node.id, lowering, inputs, placed)
        self.pairs[node.id] = lowering.in_place
        for ref, place in zip(node.outputs, placed, strict=True):
            self._set(ref, place)
            scan = self.backend.trap(self.trapped[ref], place) if self.trapped is not None and ref in self.trapped else None
            if scan is not None:
                self._append(node.id, scan, [place], [])

    def _make_dense(self, place: Place, node: Node) -> Place:
        if place.layout.is_dense:
            return place
        target = Place(self._new("arena", "", place_bytes(place)), place.dtype, Layout.dense(place.layout.dims))
        self._append(node.id, self.backend.copy(place, target), [place], [target])
        self.report.add("plan", "copy", f"{node.op.name} reads {place.dtype}{list(place.layout.dims)} made dense", node.origin)
        return target

    def _append(self, node: int, lowering: LoweringLike, inputs: Sequence[Place | None], outputs: Sequence[Place]) -> None:
        temporaries = [self._dense(self._new("arena", "", t.shape.size_bytes), t.shape) for t in lowering.temporaries]
        everything: list[Place | None] = [*inputs, *outputs, *temporaries]
        first_written = len(inputs)
        for number, stage in enumerate(lowering.stages):
            made = _preparing(lowering, number, len(inputs), len(outputs))
            if made and self._reuse(stage, everything, made):
                continue
            used = tuple(everything[index] for index in stage.operands)
            reads = tuple(p.buffer for p in used if p is not None)
            written = [index >= first_written and index not in stage.reads for index in stage.operands]
            writes = tuple(p.buffer for change, p in zip(written, used, strict=True) if p is not None and change)
            self.commands.append(Pending(stage, node, used, reads, writes, len(writes), prepares=bool(made)))

    def _reuse(self, stage: StageLike, everything: list[Place | None], made: Sequence[int]) -> bool:
        """Whether an earlier op prepared the same operands equally; replaces the stage's temporaries by the earlier ones."""
        reads = tuple(everything[index] for index in stage.operands if index not in made)
        shapes = tuple((place.dtype, place.layout) for index in made if (place := everything[index]) is not None)
        known = self.prepared.setdefault((stage.name, stage.key, stage.operands, reads, shapes), [])
        if known:
            for index, place in zip(made, known, strict=True):
                everything[index] = place
            return True
        known.extend(place for index in made if (place := everything[index]) is not None)
        return False

    def _take_over(self, node: Node, inputs: Sequence[Place | None], buffer: int, index: int, able: Sequence[int]) -> None:
        """Writes result `index` into the memory of an operand that dies here, if the kernel allows it."""
        if not able or self.trapped is not None or self._replaces_a_leaf(node, index, able):
            return
        taken = {self._root(earlier) for earlier in range(buffer - index, buffer)}
        for position in able:
            root = self._sole_root(inputs, position)
            if root is None or root in taken or not self.memory[root].size == self.memory[buffer].size:
                continue
            if self.memory[root].kind == "input":
                self.takes.append((node.id, root, buffer))
            elif self.memory[root].kind == "arena" and not self._read_later(root, node.id):
                self.memory[buffer].same_as = root
                self.in_place.append((node.id, position))
                return

    def _sole_root(self, inputs: Sequence[Place | None], position: int) -> int | None:
        """The buffer that an operand fills densely and does not share with another operand; else None."""
        place = inputs[position] if position < len(inputs) else None
        if place is None or not place.layout.is_dense or not place.layout.offset == 0:
            return None
        root = self._root(place.buffer)
        others = [self._root(p.buffer) for i, p in enumerate(inputs) if i != position and p is not None]
        return None if root in others else root

    def _replaces_a_leaf(self, node: Node, index: int, able: Sequence[int]) -> bool:
        """Whether a result should be written into the state or param that it updates, which is read here for the last time."""
        leaf = self.replaced.get(Ref(node.id, index))
        if leaf is None or not any(node.inputs[position] == leaf for position in able):
            return False
        return all(reader.id <= node.id for reader in self.users.get(leaf, []))

    def _read_later(self, root: int, node: int) -> bool:
        """Whether any value in this memory is read after `node`, or leaves the graph. (A view reads its operand.)"""
        return any(ref in self.escapes or self.last_read.get(ref, -1) > node for ref in self.values.get(root, ()))

    # -- what leaves
    def _outputs(self) -> None:
        for name, ref in self.graph.output_refs.items():
            place, shape = self.places[ref], self.graph.shape(ref)
            root = self._root(place.buffer)
            memory = self.memory[root]
            fills = place.layout.is_dense and place.layout.offset == 0 and memory.size == shape.size_bytes
            if memory.kind == "arena" and fills:
                memory.kind, memory.name = "output", name
                continue
            buffer = self._new("output", name, shape.size_bytes)
            target = self._dense(buffer, shape)
            self._append(ref.node, self.backend.copy(place, target), [place], [target])

    def _updates(self) -> None:
        """Writes new values of states and params after every read of the old value; in place where the kernel allows it."""
        staged: list[tuple[Place, Place, int]] = []
        for name, ref in self.graph.updates.items():
            leaf = self.graph.leaf("state", name) or self.graph.leaf("param", name)
            assert leaf is not None
            target, source = self.places[leaf], self.places[ref]
            if source.buffer == target.buffer and source.layout == target.layout:
                continue
            if self._write_through(leaf, ref):
                continue
            kind = self.memory[self._root(source.buffer)].kind
            if kind in ("state", "param"):  # its memory may be overwritten by another update: save it first
                saved = Place(self._new("arena", "", place_bytes(source)), source.dtype, Layout.dense(source.layout.dims))
                self._append(ref.node, self.backend.copy(source, saved), [source], [saved])
                source = saved
            staged.append((source, target, ref.node))
        first = len(self.commands)
        for source, target, node in staged:
            self._append(node, self.backend.copy(source, target), [source], [target])
        if first < len(self.commands) and (self.trapped is not None or self._fails_after(0)):
            self.commands[first].waits = True  # a failed run changes nothing

    def _write_through(self, leaf: Ref, ref: Ref) -> bool:
        """Makes the kernel write a new value directly into its state, so that a cache update copies only the slice."""
        producer, place = self.graph.node(ref), self.places[ref]
        able = any(
            result == ref.index and producer.inputs[position] == leaf for position, result in self.pairs.get(producer.id, ())
        )
        if not able or self._root(place.buffer) != place.buffer or self.memory[place.buffer].kind != "arena":
            return False
        if self.trapped is not None or self._needs_old_value(leaf, producer.id) or self._fails_after(producer.id):
            return False
        self.memory[place.buffer].same_as = self._root(self.places[leaf].buffer)
        self.in_place.append((producer.id, producer.inputs.index(leaf)))
        return True

    def _needs_old_value(self, leaf: Ref, node: int) -> bool:
        """Whether a state's memory is read after (or through another value by) the node that overwrites it."""
        for ref in self.values[self._root(self.places[leaf].buffer)]:
            readers = [reader.id for reader in self.users.get(ref, [])]
            if any(reader > node for reader in readers) or ref in self.escapes or (ref != leaf and node in readers):
                return True
        return False

    def _fails_after(self, node: int) -> bool:
        return self._last_that_fails >= node

    @cached_property
    def _last_that_fails(self) -> int:
        """The last node at which a run may fail; -1 if there is none."""
        return next((node.id for node in reversed(self.graph.nodes) if _can_fail(node.op)), -1)

    # -- slots and barriers
    def _lifetimes(self, roots: Sequence[int]) -> dict[int, Lifetime]:
        """The first and last command that use each temporary; a shared temporary lives until all commands up to the barrier end."""
        lives: dict[int, Lifetime] = {}
        prepared = {roots[buffer] for command in self.commands if command.prepares for buffer in command.writes}
        ends = group_ends(find_barriers(self.commands, dict(enumerate(roots))))
        for position, command in enumerate(self.commands):
            for root in (roots[buffer] for buffer in command.reads):
                if self.memory[root].kind == "arena":
                    life = lives.setdefault(root, Lifetime(root, self.memory[root].size, position, position))
                    life.last = ends[position] if root in prepared else position
        return lives

    def _buffer(self, index: int, life: Lifetime | None, slot_of: Mapping[int, int]) -> Buffer:
        memory = self.memory[index]
        if life is None:
            return Buffer(memory.kind, memory.name, memory.size)
        return Buffer("arena", "", memory.size, slot_of[index], life.first, life.last)

    def _finish(self) -> Lir:
        roots = [self._root(index) for index in range(len(self.memory))]
        self.commands = prepared_early(self.commands, roots)
        lives = self._lifetimes(roots)
        slot_of, slots = assign_slots(list(lives.values()), self.graph.symbols)
        remaining = [
            index for index, root in enumerate(roots) if root == index and (self.memory[index].kind != "arena" or index in lives)
        ]
        number = {index: position for position, index in enumerate(remaining)}
        buffers = [self._buffer(index, lives.get(index), slot_of) for index in remaining]
        where = {index: ("slot", slot_of[index]) if index in slot_of else ("buffer", index) for index in remaining}
        commands = with_barriers(
            self.commands, roots, number, {index: where[root] for index, root in enumerate(roots) if root in where}
        )
        takes = {(node, number[source], number[roots[result]]) for node, source, result in self.takes if roots[result] in number}
        donated = donations(self.graph, buffers, commands, takes) if self.trapped is None else ()
        in_place = tuple(self.in_place)
        return Lir(
            self.graph, self.backend.name, tuple(buffers), tuple(slots), tuple(commands), in_place, self.views, donations=donated
        )


def _can_fail(op: Op) -> bool:
    """Whether a run may fail at this op: by its record, an index check, or the user's own code, in it or in its bodies."""
    if op.definition.can_fail or op.attrs.get("check_bounds") or op.definition.family == "custom":
        return True
    return any(_can_fail(node.op) for _, body in op.graphs() for node in body.nodes)


def _preparing(lowering: LoweringLike, number: int, inputs: int, outputs: int) -> list[int]:
    """The temporaries that a stage writes and later stages only read; empty if the stage also does other work."""
    stage = lowering.stages[number]
    made = [index for index in stage.operands if index >= inputs and index not in stage.reads]
    others = [other for place, other in enumerate(lowering.stages) if place != number]
    if not made or any(index < inputs + outputs for index in made) or not any(other.reads for other in others):
        return []
    return made if all(index in other.reads for other in others for index in other.operands if index in made) else []


def plan(
    graph: Graph,
    backend: Lowerer,
    report: Report,
    layouts: Mapping[str, Layout] | None = None,
    trapped: Mapping[Ref, str] | None = None,
) -> Lir:
    """Plans the schedule and memory of an optimized graph; `layouts` are those of non-dense leaves, `trapped` the values to check."""
    if trapped is None and backend.traps:  # a body: parts of a decomposed op may be infinite though its result is finite
        own = [node for node in graph.nodes if not node.op.definition.leaf and node.origin.made_by not in ("expand", "legalize")]
        trapped = {ref: node.op.name for node in own for ref in node.outputs}
    return Planner(graph.at_level("lir"), backend, report, layouts or {}, trapped=trapped).run()
