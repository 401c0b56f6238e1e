"""Shared by all attention kernels and the gradient: the problem, addresses, and which keys a query sees.

A query row is (position, query head of the group): row r of a kv head is position `r // group`, so the query heads that share a
kv head are rows of the same unit of work. A hidden key has score -inf.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.kernel import KernelCode, Tensor
from rlx.backends.cpu.emit.math import exp_between, tanh
from rlx.backends.cpu.emit.values import F32, F64, I1, I64, Type, Value, type_of
from rlx.backends.cpu.kernels.movement.indexing import load_integer
from rlx.backends.cpu.kernels.movement.runs import broadcast_strides
from rlx.core.dim import Size
from rlx.core.dtype import DType
from rlx.core.enums import MaskKind
from rlx.ir.op import Op

LOWEST = {F32: -3.4028234663852886e38, F64: -1.7976931348623157e308}
"""The initial maximum of a row: a row that sees nothing has sum 0."""
_ZERO_EXPONENT = {F32: -88.0, F64: -709.0}  # there `exp_between` is exactly 0
_NUMBERS = ("q_position", "kv_length")
_NOT_HEADS = ("mask", *_NUMBERS, "dbias")


@dataclass(frozen=True)
class HeadStrides:
    """Element strides of q, k, v or a result of attention; the elements of a head are adjacent."""

    batch: Size
    position: Size
    head: Size


@dataclass(frozen=True)
class AttentionProblem:
    """One attention op: its sizes, strides and mask rule; everything its code depends on."""

    batch: Size
    queries: Size
    keys: Size
    kv_heads: int
    group: int
    head_dim: int
    scale: float
    softcap: float | None
    causal: bool
    window: int
    mask: str  # "none", "custom" or "bias"
    mask_strides: tuple[Size, ...]  # of [B, T] for custom, of [B, H, S, T] for bias
    strides: dict[str, HeadStrides]
    lengths: dict[str, tuple[DType, Size]]  # dtype and stride of q_position and kv_length
    dtypes: dict[str, Type]
    operands: dict[str, int]  # name -> tensor of the stage; results follow the inputs, temporaries follow them

    @property
    def key(self) -> tuple[object, ...]:
        """The cache key of the kernel: what its code depends on besides the stage's tensors."""
        rule = (self.scale, self.softcap, self.causal, self.window, self.mask, tuple(self.operands))
        return (self.kv_heads, self.group, self.head_dim, *rule, tuple(self.strides.values()))

    @property
    def compute(self) -> Type:
        """The compute type of the attention."""
        return F64 if self.dtypes["q"] == F64 else F32

    @property
    def rows(self) -> Size:
        """Query rows of one kv head: row r is position `r // group` of query head `kv_head * group + r % group`."""
        return self.queries * self.group


class HeadCode:
    """Emits what all attention kernels share for one (batch row, kv head): addresses, visible keys, and scores."""

    def __init__(self, code: KernelCode, problem: AttentionProblem) -> None:
        self.code, self.k, self.problem = code, code.code, problem
        self.compute = problem.compute
        self.lanes = code.target.lanes(self.compute)
        self.vector = self.compute.vector(self.lanes)
        self.rows = self.k.index(code.size(problem.rows))
        self.heads = [(at, min(self.lanes, problem.head_dim - at)) for at in range(0, problem.head_dim, self.lanes)]

    def visible(self) -> Value:
        """The address where a subclass stores the validity of keys from a custom mask."""
        raise NotImplementedError

    # -- addresses
    def pointer(self, name: str) -> Value:
        """The address of an operand of the attention."""
        return self.code.pointer(self.problem.operands[name])

    def at(self, name: str, position: Value, head: Value) -> Value:
        """The address of the head of a token in this unit's batch row."""
        strides, size = self.problem.strides[name], self.code.size
        offset = self.batch * size(strides.batch) + position * size(strides.position) + head * size(strides.head)
        return self.k.pointer(self.pointer(name), offset, self.problem.dtypes[name])

    def query_at(self, name: str, row: Value) -> Value:
        """The address of a query row (in q or a result like it), by its index among the rows of the kv head."""
        group = self.problem.group
        return self.at(name, row // group, self.kv_head * group + row % group)

    def load_wide(self, name: str, base: Value, index: Value | int, count: int) -> Value:
        """Load a vector of an operand in the compute type; lanes from a static `count` on are zero."""
        kind = self.problem.dtypes[name].vector(self.lanes)
        full = count == self.lanes
        loaded = self.k.load(base, index, kind) if full else self.k.load_masked(base, index, count, kind)
        return self.k.convert(loaded, self.problem.compute)

    # -- visibility
    def start(self, batch: Value, kv_head: Value) -> None:
        """Start a batch row and kv head: load what the visibility of its keys depends on."""
        self.batch, self.kv_head = batch, kv_head
        keys = self.k.index(self.code.size(self.problem.keys))
        length, position = self._number("kv_length"), self._number("q_position")
        self.key_stop = keys if length is None else self.k.minimum(length, keys)
        queries = self.code.size(self.problem.queries)
        self.first_position = position if position is not None else (keys if length is None else length) - queries

    def _number(self, name: str) -> Value | None:
        if name not in self.problem.operands:
            return None
        dtype, stride = self.problem.lengths[name]
        return load_integer(self.code, self.pointer(name), self.batch * self.code.size(stride), dtype)

    def stop_of(self, row: Value) -> Value:
        """One past the last key that a query row attends to."""
        if not self.problem.causal:
            return self.key_stop
        return self.k.minimum(self.first_position + row // self.problem.group + 1, self.key_stop)

    def start_of(self, row: Value) -> Value:
        """The first key that a query row attends to."""
        if not self.problem.window:
            return self.k.constant(0, I64)
        position = self.first_position + row // self.problem.group
        return self.k.maximum(position - (self.problem.window - 1), 0)

    def read_visible(self, key: Value, count: Value) -> Value:
        """Store a custom mask's validity of the block's keys, as integers all ones or zero; returns whether any is valid."""
        k, kind, stored = self.k, self.problem.compute.integer, self.problem.dtypes["mask"]
        batch_stride, key_stride = (self.code.size(stride) for stride in self.problem.mask_strides)
        base = k.pointer(self.pointer("mask"), self.batch * batch_stride + key * key_stride, stored)
        any_valid = k.var(0, I1)
        for index in k.range(count):
            valid = k.convert(k.load(base, index * key_stride, stored), I1)
            k.store(k.select(valid, k.constant(-1, kind), 0), self.visible(), index)
            any_valid.set(any_valid.get() | valid)
        return any_valid.get()

    def seen_at(self, at: Value, limit: Value, start: Value | None) -> Value:
        """Which of the keys `at`, `at` + 1, … are in [start, limit) and valid; counted from a block's first key."""
        k, integer = self.k, self.problem.compute.integer
        lane = k.iota(integer.vector(self.lanes)) + k.convert(at, integer)
        seen = lane < limit
        seen = seen & (lane >= start) if start is not None else seen
        if self.problem.mask == "custom":
            seen = seen & (k.load(self.visible(), at, integer.vector(self.lanes)) != 0)
        return seen

    def hide(self, value: Value, index: Value) -> Value:
        """Zero a vector of the block's key `index` where a custom mask hides the key: 0 times NaN would not be zero."""
        if self.problem.mask != "custom":
            return value
        integer = self.problem.compute.integer
        mask = self.k.splat(self.k.load(self.visible(), index, integer), self.lanes)
        return self.k.bitcast(self.k.bitcast(value, integer.like(value.type)) & mask, value.type)

    # -- scores
    def bias_row(self, row: Value, key: Value) -> Value:
        """The address of a query row's bias from a key on."""
        batch, head, position, column = (self.code.size(stride) for stride in self.problem.mask_strides)
        group = self.problem.group
        token = self.batch * batch + row // group * position + (self.kv_head * group + row % group) * head
        return self.k.pointer(self.pointer("mask"), token + key * column, self.problem.dtypes["mask"])

    def bias(self, base: Value, at: Value, seen: Value | None) -> Value:
        """Load a vector of a query row's bias, only where keys are visible."""
        k, kind = self.k, self.problem.dtypes["mask"]
        if self.problem.mask_strides[-1] == 0:
            return k.splat(k.convert(k.load(base, 0, kind), self.problem.compute), self.lanes)
        wide = kind.vector(self.lanes)
        loaded = k.load(base, at, wide) if seen is None else k.load_where(base, at, seen, wide)
        return k.convert(loaded, self.problem.compute)

    def store_row(self, name: str, value: Value, target: Value, at: int, count: int) -> None:
        """Store the first `count` lanes of a vector into a row of a result."""
        stored = self.k.convert(value, self.problem.dtypes[name])
        if count == self.lanes:
            self.k.store(stored, target, at)
        else:
            self.k.store_masked(stored, target, at, count)


def apply_softcap(k: Function, score: Value, softcap: float | None) -> Value:
    """c·tanh of a score that is already divided by c; without a cap, the score unchanged."""
    return tanh(k, score) * softcap if softcap else score


def weight_of(k: Function, difference: Value) -> Value:
    """exp of a difference of scores that is not positive; 0 where the result would be denormal."""
    return exp_between(k, k.maximum_fast(_ZERO_EXPONENT[difference.type.element], difference))


def read_problem(op: Op, operands: Mapping[str, Tensor], results: Mapping[str, Tensor]) -> AttentionProblem | str:
    """The `AttentionProblem` of an op, from its tensors by name without results that are not heads; or why it is not supported."""
    attrs, tensors = op.attrs, {**operands, **results}
    heads, head_dim, layout = attrs["num_heads"], attrs["head_dim"], attrs["layout"] or "packed"
    kv_heads = attrs["num_kv_heads"] or heads
    strides = _read_heads(tensors, layout, head_dim)
    if isinstance(strides, str):
        return strides
    kind = attrs["mask_kind"]
    mask_strides = _read_mask(kind, operands["mask"]) if kind.has_operand else ()
    if isinstance(mask_strides, str):
        return mask_strides
    q, k = operands["q"], operands["k"]
    position = 2 if layout == "bhsd" else 1
    return AttentionProblem(
        q.dims[0],
        q.dims[position],
        k.dims[position],
        kv_heads,
        heads // kv_heads,
        head_dim,
        scale=score_scale(op, head_dim),
        softcap=attrs["softcap"],
        causal=kind.is_causal or attrs["causal"],
        window=kind.window,
        mask=kind.kind if kind.has_operand else "none",
        mask_strides=mask_strides,
        strides=strides,
        lengths={name: (t.dtype, t.strides[0]) for name in _NUMBERS if (t := operands.get(name)) is not None},
        dtypes={name: type_of(tensor.dtype.name) for name, tensor in tensors.items()},
        operands={name: index for index, name in enumerate(tensors)},
    )


def score_scale(op: Op, head_dim: int) -> float:
    """The factor of attention scores: an attribute, or 1 / sqrt(D)."""
    scale: float | None = op["score_scale"]
    return head_dim**-0.5 if scale is None else scale


def _read_heads(tensors: Mapping[str, Tensor], layout: str, head_dim: int) -> dict[str, HeadStrides] | str:
    """The strides of the tensors whose elements are heads; or why they are not supported."""
    strides: dict[str, HeadStrides] = {}
    q = tensors["q"]
    for name, tensor in tensors.items():
        if name in _NOT_HEADS:
            continue
        if not tensor.dtype.is_float or (tensor.dtype.name == "f64") != (q.dtype.name == "f64"):
            return f"attention of {name} in {tensor.dtype} beside q in {q.dtype}"
        of_head = _head_strides(tensor, layout, head_dim)
        if of_head is None:
            return f"the elements of a head of {name} are not adjacent in memory"
        strides[name] = of_head
    return strides


def _read_mask(kind: MaskKind, mask: Tensor) -> tuple[Size, ...] | str:
    """The strides of a mask along `[B, T]` and of a bias along `[B, H, S, T]`; or why they are not supported."""
    rank = 2 if kind.kind == "custom" else 4
    strides = (0,) * (rank - len(mask.dims)) + broadcast_strides(mask.dims, mask.strides)  # axes added in front
    return "the bias's last axis is not dense" if kind.kind == "bias" and strides[-1] not in (0, 1) else strides


def _head_strides(tensor: Tensor, layout: str, head_dim: int) -> HeadStrides | None:
    if tensor.strides[-1] != 1 and not (isinstance(tensor.dims[-1], int) and tensor.dims[-1] == 1):
        return None
    if layout == "packed":
        return HeadStrides(tensor.strides[0], tensor.strides[1], head_dim)
    batch, first, second, _ = tensor.strides
    return HeadStrides(batch, second, first) if layout == "bhsd" else HeadStrides(batch, first, second)
