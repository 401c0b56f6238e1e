"""A step of decode: rope, the caches' new rows and split attention in one kernel, then the join.

`find_step` recognizes it in a graph: rope of the new query and key, key and value written to caches, attention to those.

Each block reads its share of the cached keys and values before it waits for the kernel before it: of the caches this launch writes
only the new rows, and those it computes instead of reading them. So it does with the angles of its ropes and the length, where these are
given to the graph.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from rlx.backends.cuda.kernel_data import CudaLowering, CudaTensor, EarlyKernel, Launch
from rlx.backends.cuda.kernels.attention import MANY_KEYS, CudaAttention, HeadSteps, join, parts_arguments, parts_of
from rlx.backends.cuda.kernels.movement import copy_launch
from rlx.backends.cuda.kernels.tiles import step_keys, step_splits
from rlx.backends.cuda.text import KernelText, fits_32_bits, power_of_two
from rlx.core.dim import Size
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import Op
from rlx.ir.pattern import op

_ROPE, _WRITE = op("rope"), op("dynamic_update_slice")
_RESHAPE, _TRANSPOSE, _ADD = op("reshape"), op("transpose"), op("add")


@dataclass(frozen=True)
class NewHeads:
    """Heads of the new token: the value they are read from, its layout, and the rope that rotates them."""

    ref: Ref
    layout: str
    rope: Node | None = None
    nodes: tuple[int, ...] = ()
    """What lies between `ref` and the reader: the rope, and views of its result."""


@dataclass(frozen=True)
class AttentionStep:
    """A fused decode step: attention(rotated q, write(keys, rotated k), write(values, v))."""

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
        """All nodes of the step."""
        own = (self.attention.id, self.keys.id, self.values.id)
        return frozenset((*own, *self.q.nodes, *self.k.nodes))


def find_step(graph: Graph, attention: Node, alone: Callable[[Ref], bool]) -> AttentionStep | None:
    """Matches the one-token step that ends in an attention node; `alone`: nobody else reads a value."""
    layout = attention.op["layout"]
    q, keys, values, mask, position = (*attention.inputs, None, None)[:5]
    if q is None or keys is None or values is None or mask is not None or position is None:
        return None
    axis = 2 if layout == "bhsd" else 1
    writes = [graph.node(ref) for ref in (keys, values)]
    if graph.shape(q).dims[axis] != 1 or not all(_writes_one_row(graph, node, axis) for node in writes):
        return None
    k, v = (node.refs[1] for node in writes)
    q_heads, k_heads = (_find_heads(graph, ref, layout, attention.op["head_dim"], alone) for ref in (q, k))
    step = AttentionStep(attention, writes[0], writes[1], q_heads, k_heads, NewHeads(v, layout))
    length = attention.inputs[5] if len(attention.inputs) > 5 else None
    return step if length is None else _with_length(graph, step, position, length)


def _writes_one_row(graph: Graph, node: Node, axis: int) -> bool:
    """Whether a node writes one position of a cache."""
    if not _WRITE.made_by(node):
        return False
    cache, new = graph.shape(node.refs[0]), graph.shape(node.refs[1])
    others = [each for each in range(cache.rank) if each != axis]
    same = all(bool(cache.dims[each] == new.dims[each]) for each in others)
    return [each % cache.rank for each in node.op["axes"]] == [axis] and new.dims[axis] == 1 and same


def _with_length(graph: Graph, step: AttentionStep, position: Ref, length: Ref) -> AttentionStep:
    """Replaces a length of position + n by the constant n, which the kernel adds."""
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
    """The heads before a rope, through the views that put heads first; else the value itself."""
    nodes, value, at = list[int](), ref, layout
    while alone(value):
        node = graph.node(value)
        operand = node.refs[0] if node.refs else value
        if _ROPE.made_by(node) and node.op["head_dim"] == head_dim and graph.shape(operand).rank == _RANKS.get(at):
            return NewHeads(operand, at, node, (*nodes, node.id))
        before = _layout_before(graph, node, at, head_dim)
        if before is None:
            break
        nodes.append(node.id)
        value, at = operand, before
    return NewHeads(ref, layout)


_RANKS = {"packed": 3, "bshd": 4}
"""Of what a rope reads, by layout."""


def _layout_before(graph: Graph, node: Node, layout: str, head_dim: int) -> str | None:
    """The layout of heads in the operand of a view whose result has this layout; None: it is not such a view."""
    if layout == "bhsd" and _TRANSPOSE.made_by(node) and tuple(node.op["perm"]) == (0, 2, 1, 3):
        return "bshd"
    if layout == "bshd" and _RESHAPE.made_by(node) and graph.shape(node.refs[0]).rank == 3:
        before, after = graph.shape(node.refs[0]).dims, node.shape.dims
        same = all(bool(a == b) for a, b in zip(before[:2], after[:2], strict=True))
        return "packed" if same and after[3] == head_dim else None
    return None


# numbers of operands while the kernels are written: those of attention, its temporaries, then what a step has besides
KEYS, VALUES, POSITION, LENGTH, RESULT, PARTIAL = 1, 2, 4, 5, 6, 7
NEW_KEY, NEW_VALUE, KEY_START, VALUE_START, Q_ROPE, K_ROPE, KEYS_NOW, VALUES_NOW = 9, 10, 11, 12, 13, 16, 19, 20
EARLY = (POSITION, KEY_START, VALUE_START)
WARPS = 4


@dataclass(frozen=True)
class _StepRope:
    """A rope inside the step's kernel: its tables and positions."""

    op: Op
    tables: tuple[CudaTensor, CudaTensor]
    positions: CudaTensor | None
    first: int
    """The number of its first operand."""

    @property
    def operands(self) -> range:
        """The operand numbers of the rope's tables and positions."""
        return range(self.first, self.first + (2 if self.positions is None else 3))

    def argument(self, k: KernelText) -> tuple[Any, ...]:
        """The rope as an argument of the Triton function."""
        positions = None
        if self.positions is not None and len(self.tables[0].dims) == 2:
            positions = k.pointer(self.first + 2, self.positions), self.positions.strides[0]
        tables = [self._table_argument(k, number) for number in range(2)]
        rotated = self.op["head_dim"] if self.op["n_rot"] is None else self.op["n_rot"]
        return *tables, positions, rotated, bool(self.op["interleaved"])

    def _table_argument(self, k: KernelText, number: int) -> tuple[Any, ...]:
        """Arguments for a rope table: its pointer; rows, stride of the batch, stride of rows; stride of columns."""
        table = self.tables[number]
        single = len(table.dims) == 2 or (isinstance(table.dims[0], int) and table.dims[0] == 1)
        steps = (table.dims[-2], 0 if single else table.strides[0], table.strides[-2])
        return k.pointer(self.first + number, table), steps, table.strides[-1]


@dataclass(frozen=True)
class _StepKernel:
    """The kernels of one attention step: tensors by number; `beyond` is the length less the position, where constant."""

    problem: CudaAttention
    tensors: dict[int, CudaTensor]
    ropes: tuple[_StepRope | None, _StepRope | None]
    beyond: int | None = None

    def write(self, early: str) -> Launch:
        """Writes the kernel of the splits; `early`: it reads "nothing", the "caches", or "all" that it can before it waits."""
        problem, at, k = self.problem, self.problem.at, KernelText("attention_step", waits_later=True)
        q, keys, values = (self._heads(k, number) for number in (0, KEYS, VALUES))
        position, key_start, value_start = (self._entry(k, number) for number in (POSITION, KEY_START, VALUE_START))
        q_rope, k_rope = (None if rope is None else rope.argument(k) for rope in self.ropes)
        shared = k_rope is not None and self.ropes[0] is self.ropes[1]
        k.call(
            "attention.attention_step", q=q, new_key=self._heads(k, NEW_KEY), new_value=self._heads(k, NEW_VALUE), keys=keys, values=values,
            keys_now=self._heads(k, KEYS_NOW), values_now=self._heads(k, VALUES_NOW),
            position=position, key_start=key_start, value_start=value_start, length=problem.entry_argument(k, LENGTH),
            q_rope=q_rope, k_rope='"that of q"' if shared else k_rope, **parts_arguments(k, problem, written=True),
            batches=problem.batch, key_count=problem.keys, **problem.sizes(max(16, power_of_two(at.group))),
            CHUNK=step_keys(at.head_dim, problem.keys, problem.splits), SPLITS=problem.splits, WINDOW=problem.window, BEYOND=self.beyond,
            SCALE=at.scale, SOFTCAP=at.softcap, INDEX=problem.index, EARLY=repr(early), wait="wait_for_previous",
        )  # fmt: skip
        return k.launch((problem.batch * at.kv_heads * problem.splits,), warps=WARPS, stages=1, name="attention")

    def launch(self) -> Launch:
        """The launch, with the alternative kernels that read before they wait."""
        angles = [number for rope in self.ropes if rope is not None for number in rope.operands]
        length = [LENGTH] if self.problem.inputs[LENGTH] is not None else []
        operands = {"all": (*EARLY, *dict.fromkeys((*angles, *length))), "caches": EARLY}
        launch = self.write("nothing")
        early = [
            EarlyKernel(self.write(name).kernel, tuple(number for number in own if number in launch.operands), (KEYS, VALUES))
            for name, own in operands.items()
        ]
        return replace(launch, early=tuple(early))

    def _heads(self, k: KernelText, number: int) -> tuple[Any, ...]:
        """Arguments for a tensor of heads of the step."""
        tensor, at = self.tensors[number], self.problem.at
        pointer = k.pointer(number, tensor, written=number in (KEYS_NOW, VALUES_NOW))
        return pointer, *HeadSteps.of(tensor, at.layout, at.head_dim)

    def _entry(self, k: KernelText, number: int) -> tuple[str, Size]:
        """Arguments for a number of each row of the batch, or one for all."""
        tensor = self.tensors[number]
        return k.pointer(number, tensor), tensor.strides[0] if tensor.dims else 0


def lower_attention_step(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers `fused` of kind attention_step to the caches, each in the old one's memory where possible, and the mixed values."""
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
    numbers |= {RESULT: len(inputs) + 2, PARTIAL: len(inputs) + 3, PARTIAL + 1: len(inputs) + 4}
    kernel = _StepKernel(problem, tensors, _ropes(step, tensors), step.beyond)
    stages = (kernel.launch(), join(problem))
    copies = [
        replace(copy_launch(tensors[old], tensors[new], (old, new), "dynamic_update_slice"), replaces=(0, 1))
        for old, new in ((KEYS, KEYS_NOW), (VALUES, VALUES_NOW))
    ]
    pairs = ((numbers[KEYS], 0), (numbers[VALUES], 1))
    return CudaLowering(tuple(_moved(stage, numbers) for stage in (*copies, *stages)), parts_of(problem), pairs)


def _numbered(step: AttentionStep, leaves: dict[Ref, int], inputs: int) -> dict[int, int]:
    """The op's operand, an input or a result, for each tensor number."""
    refs: dict[int, Ref | None] = {0: step.q.ref, KEYS: step.keys.refs[0], VALUES: step.values.refs[0]}
    refs |= {NEW_KEY: step.k.ref, NEW_VALUE: step.v.ref, KEY_START: step.keys.refs[2], VALUE_START: step.values.refs[2]}
    refs |= dict(zip((POSITION, LENGTH), (*step.attention.inputs[4:], None), strict=False))
    if step.beyond is not None:
        refs[LENGTH] = None
    for first, heads in ((Q_ROPE, step.q), (K_ROPE, step.k)):
        if heads.rope is not None:
            refs |= {first + place: ref for place, ref in enumerate(heads.rope.inputs[1:])}
    numbers = {number: leaves[ref] for number, ref in refs.items() if ref is not None}
    return {**numbers, KEYS_NOW: inputs, VALUES_NOW: inputs + 1}


def _ropes(step: AttentionStep, tensors: dict[int, CudaTensor]) -> tuple[_StepRope | None, _StepRope | None]:
    """The ropes of the query and the key: one where both are equal, so that its angles are loaded once."""
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
    """The tensor of a value's heads, with its axes in the order of attention."""
    if heads.layout == layout:
        return tensor
    at = HeadSteps.of(tensor, heads.layout, head_dim)
    count = tensor.dims[2] // head_dim if heads.layout == "packed" else tensor.dims[2]
    dims, strides = (tensor.dims[0], tensor.dims[1], count, head_dim), (at.batch, at.position, at.head, at.element)
    order = (0, 2, 1, 3) if layout == "bhsd" else (0, 1, 2, 3)
    return replace(tensor, dims=tuple(dims[axis] for axis in order), strides=tuple(strides[axis] for axis in order))


def _refused(problem: CudaAttention, tensors: dict[int, CudaTensor]) -> str | None:
    """Why an attention step is not one kernel, or None."""
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
    """A stage renumbered to the operands of the op."""

    def moved(operands: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(numbers[number] for number in operands)

    early = tuple(EarlyKernel(one.kernel, moved(one.operands), moved(one.beside)) for one in stage.early)
    return replace(stage, operands=moved(stage.operands), reads=moved(stage.reads), early=early)
