"""A step of decode: rope, the caches' new rows and split attention in one kernel, then the join.

`find_step` recognizes it in a graph: rope of the new query and key, key and value written to caches, attention to those.

Each block reads its share of the cached keys and values before it waits for the kernel before it: of the caches this launch writes
only the new rows, and those it computes instead of reading them. So it does with the angles of its ropes and the length, where these are
given to the graph.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from rlx.backends.cuda.kernel_data import CudaLowering, CudaTensor, EarlyKernel, Launch
from rlx.backends.cuda.kernels.attention import MANY_KEYS, CudaAttention, HeadSteps, join, parts_of, share_of_keys, store_parts
from rlx.backends.cuda.kernels.movement import copy_launch
from rlx.backends.cuda.kernels.tiles import step_keys, step_splits
from rlx.backends.cuda.register_types import language_type
from rlx.backends.cuda.text import KernelText, fits_32_bits, power_of_two
from rlx.core.dtype import DType
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import Op
from rlx.ir.pattern import op

_ROPE, _WRITE = op("rope"), op("dynamic_update_slice")
_RESHAPE, _TRANSPOSE, _ADD = op("reshape"), op("transpose"), op("add")


@dataclass(frozen=True)
class NewHeads:
    """Heads of the new token: the value they are read from, how its axes lie, and the rope that turns them."""

    ref: Ref
    layout: str
    rope: Node | None = None
    nodes: tuple[int, ...] = ()
    """What lies between `ref` and the reader: the rope, and views of its result."""


@dataclass(frozen=True)
class AttentionStep:
    """attention(turned q, write(keys, turned k), write(values, v))"""

    attention: Node
    keys: Node
    values: Node
    q: NewHeads
    k: NewHeads
    v: NewHeads
    beyond: int | None = None
    """How many keys there are after the position, where the length is computed so."""
    length: tuple[int, ...] = ()
    """The nodes that compute it; other steps may read them too."""

    @property
    def nodes(self) -> frozenset[int]:
        """All that it is made of."""
        own = (self.attention.id, self.keys.id, self.values.id)
        return frozenset((*own, *self.q.nodes, *self.k.nodes))


def find_step(graph: Graph, attention: Node, alone: Callable[[Ref], bool]) -> AttentionStep | None:
    """The step that an attention is the end of, if it is one token's; `alone`: nobody else reads a value."""
    layout = attention.op["layout"]
    q, keys, values, mask, position = (*attention.inputs, None, None)[:5]
    if q is None or keys is None or values is None or mask is not None or position is None:
        return None
    axis = 2 if layout == "bhsd" else 1
    writes = [graph.node(ref) for ref in (keys, values)]
    if graph.shape(q).dims[axis] != 1 or not all(_WRITE.made_by(node) for node in writes):
        return None
    for node in writes:
        whole, new = graph.shape(node.refs[0]), graph.shape(node.refs[1])
        others = [place for place in range(whole.rank) if place != axis]
        if [each % whole.rank for each in node.op["axes"]] != [axis] or new.dims[axis] != 1:
            return None
        if any(not bool(whole.dims[place] == new.dims[place]) for place in others):
            return None
    k, v = (node.refs[1] for node in writes)
    turned = [_find_heads(graph, ref, layout, attention.op["head_dim"], alone) for ref in (q, k)]
    found = AttentionStep(attention, writes[0], writes[1], turned[0], turned[1], NewHeads(v, layout))
    length = attention.inputs[5] if len(attention.inputs) > 5 else None
    return found if length is None else _with_length(graph, found, position, length)


def _with_length(graph: Graph, step: AttentionStep, position: Ref, length: Ref) -> AttentionStep:
    """position + n as the length is a number that the kernel adds."""
    node = graph.node(length)
    if not _ADD.made_by(node) or position not in node.refs:
        return step
    (other,) = [ref for ref in node.refs if ref != position] or [position]
    constant = graph.node(other)
    if not constant.op.is_constant or constant.shape.num_elements != 1:
        return step
    beyond = int(constant.op["value"].array.reshape(-1)[0])
    return replace(step, beyond=beyond, length=(constant.id, node.id))


def _find_heads(graph: Graph, ref: Ref, layout: str, head_dim: int, alone: Callable[[Ref], bool]) -> NewHeads:
    """The heads behind a rope, looked for through the views that put heads first; else the value itself."""
    nodes, now, at = list[int](), ref, layout
    while alone(now):
        node = graph.node(now)
        if at == "bhsd" and _TRANSPOSE.made_by(node) and tuple(node.op["perm"]) == (0, 2, 1, 3):
            at = "bshd"
        elif at == "bshd" and _RESHAPE.made_by(node) and graph.shape(node.refs[0]).rank == 3:
            before, after = graph.shape(node.refs[0]).dims, node.shape.dims
            if not all(bool(a == b) for a, b in zip(before[:2], after[:2], strict=True)) or after[3] != head_dim:
                break
            at = "packed"
        elif _ROPE.made_by(node) and node.op["head_dim"] == head_dim:
            rank = graph.shape(node.refs[0]).rank
            if (at == "packed" and rank == 3) or (at == "bshd" and rank == 4):
                return NewHeads(node.refs[0], at, node, (*nodes, node.id))
            break
        else:
            break
        nodes.append(node.id)
        now = node.refs[0]
    return NewHeads(ref, layout)


# numbers of operands while the kernels are written: those of attention, its temporaries, then what a step has besides
KEYS, VALUES, POSITION, LENGTH, RESULT, PARTIAL = 1, 2, 4, 5, 6, 7
NEW_KEY, NEW_VALUE, KEY_START, VALUE_START, Q_ROPE, K_ROPE, KEYS_NOW, VALUES_NOW = 9, 10, 11, 12, 13, 16, 19, 20
EARLY = (POSITION, KEY_START, VALUE_START)
WARPS = 4


@dataclass(frozen=True)
class _Turn:
    """What a rope turns elements `d` by: names of the other element's place, cosines, signed sines, and of which elements it turns."""

    partner: str
    cosine: str
    sine: str
    turns: str


@dataclass(frozen=True)
class _StepRope:
    """A rope inside the kernel: its tables, its positions, and which elements it turns."""

    op: Op
    tables: tuple[CudaTensor, CudaTensor]
    positions: CudaTensor | None
    first: int
    """The number of its first operand."""

    def turn(self, k: KernelText) -> _Turn:
        """The angles of the token, loaded."""
        turned = self.op["head_dim"] if self.op["n_rot"] is None else self.op["n_rot"]
        half = turned // 2
        if self.op["interleaved"]:
            partner, pair, first = "d ^ 1", "d // 2", "(d % 2) == 0"
        else:
            partner = f"tl.where(d < {half}, d + {half}, d - {half})"
            pair, first = f"tl.where(d < {half}, d, d - {half})", f"d < {half}"
        turns = k.let(f"d < {turned}", "m")
        partner = k.let(f"tl.where({turns}, {partner}, d)", "c")
        pair = k.let(f"tl.where({turns}, {pair}, 0)", "c")
        cos, sin = (self._angle(k, number, pair, turns) for number in range(2))
        return _Turn(partner, cos, k.let(f"tl.where({first}, -{sin}, {sin})", "v"), turns)

    def _angle(self, k: KernelText, number: int, pair: str, turns: str) -> str:
        table = self.tables[number]
        pointer = k.pointer(self.first + number, table)
        address = f"{pointer} + {self._row(k, table)} + {pair} * {k.size(table.strides[-1])}"
        return k.let(f"tl.load({address}, mask={turns}, other=0).to(tl.float32)", "v")

    def _row(self, k: KernelText, table: CudaTensor) -> str:
        """Where the row of the token begins: at its position, or that of its place in the batch."""
        if len(table.dims) == 3:
            one = isinstance(table.dims[0], int) and table.dims[0] == 1
            return "0" if one else f"there * {k.size(table.strides[0])}"
        if self.positions is None:
            return "0"
        rows, stride = k.size(table.dims[0]), k.size(self.positions.strides[0])
        place = k.let(f"tl.load({k.pointer(self.first + 2, self.positions)} + there * {stride}).to(tl.int64)", "j")
        place = k.let(f"tl.where({place} < 0, {place} + {rows}, {place})", "j")
        return f"tl.maximum(tl.minimum({place}, {rows} - 1), 0) * {k.size(table.strides[0])}"


def _rotated(k: KernelText, turn: _Turn, row: str, elements: str, kept: DType) -> str:
    """The elements `d` of heads whose pointers are `row` and masks `elements`, turned and rounded."""
    own, other = (k.let(f"tl.load({row.format(d=d)}, mask={elements}, other=0).to(tl.float32)") for d in ("d", turn.partner))
    spread = "[None, :]" if "[None, :]" in elements else ""
    value = k.let(f"{own} * {turn.cosine}{spread} + {other} * {turn.sine}{spread}", "v")
    return k.let(f"tl.where({turn.turns}{spread}, {value}, {own}).to({language_type(kept)})", "v")


@dataclass(frozen=True)
class _StepKernel:
    """One step under construction: tensors by number; `beyond` is the length less the position, where that is a number."""

    problem: CudaAttention
    tensors: dict[int, CudaTensor]
    ropes: tuple[_StepRope | None, _StepRope | None]
    partial: CudaTensor
    stats: CudaTensor
    beyond: int | None = None
    turns: dict[_StepRope, _Turn] = field(default_factory=dict)

    def write(self, early: str) -> Launch:
        """The kernel of the splits; `early`: whether it reads nothing, the "caches", or "all" that it can before it waits."""
        problem, rows = self.problem, max(16, power_of_two(self.problem.at.group))
        keys = step_keys(problem.at.head_dim, problem.keys, problem.splits)
        k = KernelText("attention_step", waits_later=bool(early))
        count = problem.begin_rows(k, rows, problem.splits)
        k.line(f"there = tl.minimum(batch, {k.size(problem.batch)} - 1)")
        self._reach(k)
        k.line(f"j = low + tl.arange(0, {keys})")
        cached = self._cached(k)
        if early == "caches":
            k.wait()
        self._limit(k)
        self.turns.clear()
        for rope in self.ropes:
            if rope is not None and rope not in self.turns:
                self.turns[rope] = rope.turn(k)
        if early == "all":
            k.wait()
        q, new = self._queries(k), self._new_rows(k)
        names = problem.start(k, rows)
        self._mixed(k, q, new, cached, names)
        with k.block(f"for start in range(low + {keys}, high, {keys})"):
            k.line(f"j = start + tl.arange(0, {keys})")
            self._mixed(k, q, new, self._cached(k), names)
        store_parts(k, problem, self.partial, self.stats, names)
        return k.launch((count,), warps=WARPS, stages=1, name="attention")

    def launch(self) -> Launch:
        """With the kernels that read before they wait."""
        ropes = [rope for rope in self.ropes if rope is not None]
        angles = [rope.first + place for rope in ropes for place in range(2 if rope.positions is None else 3)]
        length = [LENGTH] if self.problem.inputs[LENGTH] is not None else []
        operands = {"all": (*EARLY, *dict.fromkeys((*angles, *length))), "caches": EARLY}
        made = self.write("")
        early = [
            EarlyKernel(self.write(name).kernel, tuple(one for one in own if one in made.operands), (KEYS, VALUES))
            for name, own in operands.items()
        ]
        return replace(made, early=tuple(early))

    def _limit(self, k: KernelText) -> None:
        """How many keys there are: by the length that is given, or that follows from the position."""
        problem, lengths = self.problem, self.problem.inputs[LENGTH]
        if self.beyond is not None:
            k.line(f"limit = tl.minimum(first + {self.beyond}, {k.size(problem.keys)})")
        elif lengths is not None:
            address = f"{k.pointer(LENGTH, lengths)} + there * {k.size(lengths.strides[0])}"
            k.line(f"limit = tl.minimum(tl.load({address}).to({problem.index}), {k.size(problem.keys)})")
        else:
            k.line(f"limit = high * 0 + {k.size(problem.keys)}")

    def _reach(self, k: KernelText) -> None:
        """The keys of this block, and where the new rows of the caches are: by the position alone, without the length."""
        problem = self.problem
        position = self.tensors[POSITION]
        k.line(f"first = tl.load({k.pointer(POSITION, position)} + there * {k.size(position.strides[0])}).to({problem.index})")
        for name, number in (("key_row", KEY_START), ("value_row", VALUE_START)):
            start = self.tensors[number]
            shift = f" + there * {k.size(start.strides[0])}" if start.dims else ""
            k.line(f"{name} = tl.load({k.pointer(number, start)}{shift}).to({problem.index})")
            k.line(f"{name} = tl.maximum(tl.minimum({name}, {k.size(problem.keys)} - 1), 0)")
        k.line("low = first * 0")
        if problem.at.mask_kind.kind == "sliding_window":
            k.line(f"low = tl.maximum(low, first - {problem.at.mask_kind.window - 1})")
        k.line(f"high = tl.minimum(first + 1, {k.size(problem.keys)})")
        share_of_keys(k, problem.splits)

    def _cached(self, k: KernelText) -> tuple[str, str]:
        """Keys and values `j` from the caches, without the rows that are new."""
        keys = self.problem.load_keys(k, "(j < high) & (j != key_row)")
        return keys, self.problem.load_values(k, "(j < high) & (j != value_row)")

    def _queries(self, k: KernelText) -> str:
        rope = self.ropes[0]
        if rope is None:
            return self.problem.load_queries(k)
        q, at = self.tensors[0], self.problem.heads(0)
        place = k.tile_offset(["own[:, None]", "head[:, None]"], (at.batch, at.head))
        row = f"{k.pointer(0, q)} + {place} + {{d}}[None, :] * {k.size(at.element)}"
        return _rotated(k, self.turns[rope], row, "in_row[:, None] & in_d[None, :]", self.problem.dtype)

    def _new_rows(self, k: KernelText) -> tuple[str, str]:
        """The new key and value of this head; the last split writes them into the caches."""
        found = []
        pairs = ((NEW_KEY, self.ropes[1], KEYS_NOW, "key_row"), (NEW_VALUE, None, VALUES_NOW, "value_row"))
        k.line(f"writes = in_d & (split == {self.problem.splits - 1}) & (batch < {k.size(self.problem.batch)})")
        for number, rope, target, row in pairs:
            source, into = self.tensors[number], self.tensors[target]
            at, cache = (HeadSteps.of(t, self.problem.at.layout, self.problem.at.head_dim) for t in (source, into))
            base = k.let(f"{k.pointer(number, source)} + {k.offset(['there', 'kv_head'], (at.batch, at.head))}", "p")
            address = f"{base} + {{d}} * {k.size(at.element)}"
            if rope is None:
                value = k.let(f"tl.load({address.format(d='d')}, mask=in_d, other=0)", "v")
            else:
                value = _rotated(k, self.turns[rope], address, "in_d", into.dtype)
            place = k.offset(["there", row, "kv_head", "d"], (cache.batch, cache.position, cache.head, cache.element))
            k.line(f"tl.store({k.pointer(target, into, written=True)} + {place}, {value}, mask=writes)")
            found.append(value)
        return found[0], found[1]

    def _mixed(self, k: KernelText, q: str, new: tuple[str, str], cached: tuple[str, str], names: tuple[str, str, str]) -> None:
        """Keys `j`, with the new row where it is: scores, the running softmax, the values."""
        k.line("in_j = (j < high) & (j < limit)")
        keys = k.let(f"tl.where((j == key_row)[None, :], {new[0]}[:, None], {cached[0]})", "u")
        weights, factor = self.problem.weigh(k, q, keys, names)
        values = k.let(f"tl.where((j == value_row)[:, None], {new[1]}[None, :], {cached[1]})", "v")
        zero = f"tl.full((), 0, {language_type(self.problem.dtype)})"  # NaN past the end has no effect
        values = k.let(f"tl.where(in_j[:, None], {values}, {zero})", "v")
        self.problem.mix(k, weights, factor, values, names[2])


def lower_attention_step(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """A `fused` op of kind attention_step. Its results: the caches, each in the old one's memory where it can be, and the mixed values."""
    body = op["body"]
    leaves = {node.ref: place for place, node in enumerate(body.inputs.values())}
    attention = body.node(list(body.output_refs.values())[2])
    step = find_step(body, attention, lambda ref: True)
    if step is None:
        return "not a step of decode"
    numbers = _numbered(step, leaves, len(inputs))
    tensors = {n: t for n, place in numbers.items() if (t := (*inputs, *outputs)[place]) is not None}
    for number, heads in ((0, step.q), (NEW_KEY, step.k)):
        tensors[number] = _relaid(tensors[number], heads, attention.op["layout"], attention.op["head_dim"])
    given = tuple(tensors.get(number) for number in range(6))
    problem = CudaAttention(attention.op, given, outputs[2])
    reason = _refused(problem, tensors)
    if reason is not None:
        return reason
    problem.splits = step_splits(problem.batch, problem.at.kv_heads)
    if fits_32_bits(list(tensors.values())):
        problem.index = "tl.int32"
    partial, stats = parts_of(problem)
    numbers |= {RESULT: len(inputs) + 2, PARTIAL: len(inputs) + 3, PARTIAL + 1: len(inputs) + 4}
    kernel = _StepKernel(problem, tensors, _ropes(step, tensors), partial, stats, step.beyond)
    stages = (kernel.launch(), join(problem, partial, stats))
    copies = [
        replace(copy_launch(tensors[old], tensors[new], (old, new), "dynamic_update_slice"), replaces=(0, 1))
        for old, new in ((KEYS, KEYS_NOW), (VALUES, VALUES_NOW))
    ]
    pairs = ((numbers[KEYS], 0), (numbers[VALUES], 1))
    return CudaLowering(tuple(_moved(stage, numbers) for stage in (*copies, *stages)), (partial, stats), pairs)


def _numbered(step: AttentionStep, leaves: dict[Ref, int], inputs: int) -> dict[int, int]:
    """For each number the operand of the op: an input, or a result."""
    refs: dict[int, Ref | None] = {0: step.q.ref, KEYS: step.keys.refs[0], VALUES: step.values.refs[0]}
    refs |= {NEW_KEY: step.k.ref, NEW_VALUE: step.v.ref, KEY_START: step.keys.refs[2], VALUE_START: step.values.refs[2]}
    refs |= dict(zip((POSITION, LENGTH), (*step.attention.inputs[4:], None), strict=False))
    if step.beyond is not None:
        refs[LENGTH] = None
    for first, heads in ((Q_ROPE, step.q), (K_ROPE, step.k)):
        if heads.rope is not None:
            refs |= {first + place: ref for place, ref in enumerate(heads.rope.inputs[1:])}
    found = {number: leaves[ref] for number, ref in refs.items() if ref is not None}
    return {**found, KEYS_NOW: inputs, VALUES_NOW: inputs + 1}


def _ropes(step: AttentionStep, tensors: dict[int, CudaTensor]) -> tuple[_StepRope | None, _StepRope | None]:
    """Those of the query and the key: one where both turn alike, so that its angles are loaded once."""
    q, k = (
        None
        if heads.rope is None
        else _StepRope(heads.rope.op, (tensors[first], tensors[first + 1]), tensors.get(first + 2), first)
        for first, heads in ((Q_ROPE, step.q), (K_ROPE, step.k))
    )
    q_rope, k_rope = step.q.rope, step.k.rope
    alike = q_rope is not None and k_rope is not None and q_rope.op == k_rope.op
    same = alike and q_rope is not None and k_rope is not None and q_rope.inputs[1:] == k_rope.inputs[1:]
    return q, q if same else k


def _relaid(tensor: CudaTensor, heads: NewHeads, layout: str, head_dim: int) -> CudaTensor:
    """Heads of a value, with their axes as attention has them."""
    if heads.layout == layout:
        return tensor
    at = HeadSteps.of(tensor, heads.layout, head_dim)
    count = tensor.dims[2] // head_dim if heads.layout == "packed" else tensor.dims[2]
    dims, strides = (tensor.dims[0], tensor.dims[1], count, head_dim), (at.batch, at.position, at.head, at.element)
    order = (0, 2, 1, 3) if layout == "bhsd" else (0, 1, 2, 3)
    return replace(tensor, dims=tuple(dims[axis] for axis in order), strides=tuple(strides[axis] for axis in order))


def _refused(problem: CudaAttention, tensors: dict[int, CudaTensor]) -> str | None:
    """Why a step is not one kernel."""
    kinds = {tensors[number].dtype for number in (0, KEYS, VALUES, NEW_KEY, NEW_VALUE)} | {problem.output.dtype}
    if len(kinds) > 1 or problem.dtype.name == "f64" or not problem.dtype.is_float:
        return "a step in several dtypes, or of f64"
    tables = [tensors[first + place] for first in (Q_ROPE, K_ROPE) for place in (0, 1) if first in tensors]
    if any(not table.dtype.is_float or table.dtype.name == "f64" for table in tables):
        return "rope by tables of f64"
    if not problem.is_causal or problem.at.head_dim > 256 or problem.at.group > 64:
        return "a step of another kind: causal, heads of at most 256"
    if isinstance(problem.keys, int) and problem.keys < MANY_KEYS:
        return "few keys"
    return None


def _moved(stage: Launch, numbers: dict[int, int]) -> Launch:
    """A stage whose operands are those of the op."""

    def moved(operands: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(numbers[number] for number in operands)

    early = tuple(EarlyKernel(one.kernel, moved(one.operands), moved(one.beside)) for one in stage.early)
    return replace(stage, operands=moved(stage.operands), reads=moved(stage.reads), early=early)
