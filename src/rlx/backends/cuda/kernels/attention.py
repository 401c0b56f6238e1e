"""Attention: blocks of queries walk the keys with a running softmax; few queries split the keys among blocks, and a second kernel joins.

A row of a block is a query of one of the heads that share a key and value head, so these are read once for all of them. Weights of the
softmax are multiplied with the values in two parts of 16 bits where the values have 16: the result is rounded once.

Many queries in f16 and bf16 (`flash_attention`): blocks of 128 rows walk the keys in chunks, with tensor cores for both products. Chunks
that every row of a block sees entirely have no masks, and their weights are rounded to 16 bits as the second product requires; the sum is
of the rounded weights, so they add up to one. The chunks at the end (the diagonal of a causal mask, the last keys) are masked, and their
weights are multiplied in two parts of 16 bits: what sees few keys is rounded once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from rlx.backends.cuda.kernel_data import CudaLowering, CudaTensor, Launch, Lower
from rlx.backends.cuda.kernels.tiles import FLASH
from rlx.backends.cuda.text import KernelText, aligned_strides, power_of_two
from rlx.core.dim import LARGEST_SIZE, Size, ceildiv, minimum
from rlx.core.dtype import DType
from rlx.ir.op import Op
from rlx.ops.attention.reference import Setting

F32 = DType.of("f32")
LOG2_E = 1.4426950408889634
SPLITS = 16  # blocks among which few queries divide the keys


class HeadSteps(NamedTuple):
    """Strides of q, k, v or the result: batch, position, head, element."""

    batch: Size
    position: Size
    head: Size
    element: Size

    @staticmethod
    def of(tensor: CudaTensor, layout: str, head_dim: int) -> HeadSteps:
        strides = tensor.strides
        if layout == "packed":
            return HeadSteps(strides[0], strides[1], head_dim * strides[2], strides[2])
        if layout == "bshd":
            return HeadSteps(*strides)
        return HeadSteps(strides[0], strides[2], strides[1], strides[3])


class CudaAttention:
    """One attention problem: its sizes, its operands, and the arguments of the functions of `triton/attention.py`."""

    def __init__(self, op: Op, inputs: tuple[CudaTensor | None, ...], output: CudaTensor) -> None:
        self.at, self.inputs, self.output = Setting(**op.attrs), inputs, output
        q, k = inputs[0], inputs[1]
        assert q is not None and k is not None
        place = 2 if self.at.layout == "bhsd" else 1
        self.batch, self.queries, self.keys = q.dims[0], q.dims[place], k.dims[place]
        self.dtype = q.dtype
        self.rows: Size = self.queries * self.at.group
        self.wide = max(16, power_of_two(self.at.head_dim))
        self.is_causal = self.at.causal or self.at.mask_kind.is_causal
        self.splits = SPLITS
        self.index = "tl.int64"

    def heads(self, operand: int) -> HeadSteps:
        return HeadSteps.of(self._tensor(operand), self.at.layout, self.at.head_dim)

    def _tensor(self, operand: int) -> CudaTensor:
        tensor = self.output if operand == len(self.inputs) else self.inputs[operand]
        assert tensor is not None
        return tensor

    # -- arguments of the functions
    def heads_argument(self, k: KernelText, operand: int) -> tuple[Any, ...]:
        """Arguments for a tensor of heads: its pointer, then its `HeadSteps`."""
        written = operand == len(self.inputs)
        return k.pointer(operand, self._tensor(operand), written=written), *self.heads(operand)

    def entry_argument(self, k: KernelText, operand: int) -> tuple[str, Size] | None:
        """Arguments for an operand with a number for each row of the batch; None without it."""
        tensor = self.inputs[operand]
        return None if tensor is None else (k.pointer(operand, tensor), tensor.strides[0])

    def sizes(self, rows: int) -> dict[str, Any]:
        """The constant sizes that all attention functions take; `rows` are those of a block."""
        at = self.at
        return {"KV_HEADS": at.kv_heads, "GROUP": at.group, "ROWS": rows, "HEAD_DIM": at.head_dim, "WIDE": self.wide}

    def counts(self) -> dict[str, Size]:
        """The counts of batches, queries, keys and rows."""
        return {"batches": self.batch, "queries": self.queries, "key_count": self.keys, "rows": self.rows}

    @property
    def window(self) -> int | None:
        """The number of keys a query sees at most."""
        return self.at.mask_kind.window if self.at.mask_kind.kind == "sliding_window" else None

    def mask_argument(self, k: KernelText) -> tuple[Any, ...] | None:
        """Arguments for a bool mask of the keys."""
        mask = self.inputs[3]
        if mask is None or self.at.mask_kind.kind != "custom":
            return None
        return k.pointer(3, mask), *mask.strides

    def bias_argument(self, k: KernelText) -> tuple[Any, ...] | None:
        """Arguments for the bias of the scores: it broadcasts to [batch, heads, queries, keys]."""
        bias = self.inputs[3]
        if bias is None or self.at.mask_kind.kind != "bias":
            return None
        full = (self.batch, self.at.num_heads, self.queries, self.keys)
        batch, head, query, key = aligned_strides(bias.dims, bias.strides, full)
        return k.pointer(3, bias), *HeadSteps(batch, query, head, key)


_FEW_FLASH_ROWS = 64  # rows that do not fill a block


def suits_flash(problem: CudaAttention) -> bool:
    """Whether flash attention applies: 16 bits, heads of a size with a tile, a causal mask or none, known position strides."""
    at = problem.at
    plain = at.mask_kind.kind in ("none", "causal") and at.softcap is None and at.scale > 0
    steps = [step for operand in (0, 1, 2) for step in (problem.heads(operand).position, problem.heads(operand).element)]
    known = all(isinstance(step, int) for step in steps)
    many = not isinstance(problem.rows, int) or problem.rows > _FEW_FLASH_ROWS
    return problem.dtype.is_low_float and at.head_dim in FLASH and plain and known and many


def flash_attention(problem: CudaAttention) -> Launch:
    """Lowers attention of many 16-bit queries to the flash kernel."""
    tile = FLASH[problem.at.head_dim]
    k = KernelText("flash")
    blocks = ceildiv(problem.rows, tile.rows)
    q, keys, values, result = (problem.heads_argument(k, operand) for operand in (0, 1, 2, len(problem.inputs)))
    k.call(
        "attention.flash", q=q, keys=keys, values=values, result=result,
        position=problem.entry_argument(k, 4), length=problem.entry_argument(k, 5), **problem.counts(), blocks=blocks,
        **problem.sizes(tile.rows), CHUNK=tile.keys, CAUSAL=problem.is_causal, SCALE=problem.at.scale * LOG2_E,
    )  # fmt: skip
    return k.launch((blocks * problem.batch * problem.at.kv_heads,), warps=tile.warps, stages=tile.stages, name="attention")


FEW = 64  # rows up to which the keys are split among blocks
MANY_KEYS = 256  # keys from which on


def parts_of(problem: CudaAttention) -> tuple[CudaTensor, CudaTensor]:
    """Temporaries of split attention: mixed values, and (largest score, sum of weights) of each split."""
    rows = problem.rows if isinstance(problem.rows, int) else minimum(problem.rows, FEW)
    count = problem.batch * problem.at.kv_heads * rows * problem.splits
    return CudaTensor(F32, (count * problem.wide,), (1,)), CudaTensor(F32, (count * 2,), (1,))


def parts_arguments(k: KernelText, problem: CudaAttention, *, written: bool) -> dict[str, Any]:
    """Arguments of the functions that store or read the parts of the splits."""
    first = len(problem.inputs) + 1
    names = zip(("partial", "stats"), parts_of(problem), strict=True)
    return {name: k.pointer(first + place, tensor, written=written) for place, (name, tensor) in enumerate(names)}


def _walk_keys(problem: CudaAttention, name: str, rows: int, keys: int, splits: int) -> Launch:
    """Launches blocks of `rows` rows that walk all visible keys in chunks of `keys`; or with splits a share of them."""
    k, at = KernelText(name), problem.at
    blocks = ceildiv(problem.rows, rows)
    q, cached_keys, cached_values = (problem.heads_argument(k, operand) for operand in range(3))
    stores: dict[str, Any] = {"partial": None, "stats": None, "result": None}
    if splits > 1:
        stores |= parts_arguments(k, problem, written=True)
    else:
        stores["result"] = problem.heads_argument(k, len(problem.inputs))
    k.call(
        "attention.walk_keys", q=q, keys=cached_keys, values=cached_values, **stores,
        shown=problem.mask_argument(k), bias=problem.bias_argument(k),
        position=problem.entry_argument(k, 4), length=problem.entry_argument(k, 5), **problem.counts(), blocks=blocks,
        **problem.sizes(rows), CHUNK=keys, SPLITS=splits,
        CAUSAL=problem.is_causal, WINDOW=problem.window, SCALE=at.scale, SOFTCAP=at.softcap,
    )  # fmt: skip
    return k.launch((blocks * at.kv_heads * problem.batch * splits,), warps=4, name="attention")


def split(problem: CudaAttention, rows: int) -> tuple[Launch, Launch]:
    """Lowers attention with the keys split among blocks, and a second kernel that joins the parts."""
    return _walk_keys(problem, "attention_split", rows, 64, problem.splits), join(problem)


def join(problem: CudaAttention) -> Launch:
    """Launches the kernel that joins the parts of the splits: a block for each row of the result."""
    first = len(problem.inputs) + 1
    k = KernelText("attention_join")
    sizes = problem.sizes(0)
    del sizes["ROWS"]
    k.call(
        "attention.attention_join", **parts_arguments(k, problem, written=False), result=problem.heads_argument(k, len(problem.inputs)),
        batches=problem.batch, rows=problem.rows, **sizes, SPLITS=problem.splits,
    )  # fmt: skip
    launch = k.launch((problem.batch * problem.at.kv_heads * problem.rows,), warps=1, name="attention")
    return replace(launch, reads=(first, first + 1))


def _whole(problem: CudaAttention) -> Launch:
    """Lowers attention without splits: each block walks all keys that its queries see."""
    if suits_flash(problem):
        return flash_attention(problem)
    rows, keys = (max(16, min(power_of_two(size), 64)) if isinstance(size, int) else 64 for size in (problem.rows, problem.keys))
    return _walk_keys(problem, "attention_walk", rows, keys, 1)


def lower_attention(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers attention by the number of rows: all keys in a block, or keys split among blocks."""
    tensors = (*inputs, *(None,) * (6 - len(inputs)))
    reason = _reason_against(op, tensors, outputs[0])
    if reason is not None:
        return reason
    if len(inputs) < 6:
        return _lower_without(op, inputs, outputs)
    problem = CudaAttention(op, tensors, outputs[0])
    if isinstance(problem.keys, int) and problem.keys < MANY_KEYS:
        return "no keys" if problem.keys == 0 else CudaLowering((_whole(problem),))
    if isinstance(problem.rows, int):
        if problem.rows > FEW:
            return CudaLowering((_whole(problem),))
        return CudaLowering(split(problem, max(16, power_of_two(problem.rows))), temporaries=parts_of(problem))
    few = [replace(stage, only=(problem.rows, 1, FEW)) for stage in split(problem, FEW)]
    many = replace(_whole(problem), only=(problem.rows, FEW + 1, LARGEST_SIZE))
    return CudaLowering((*few, many), temporaries=parts_of(problem))


def _reason_against(op: Op, inputs: tuple[CudaTensor | None, ...], output: CudaTensor) -> str | None:
    """Why there is no attention kernel for these operands, or None."""
    q, k, v = inputs[:3]
    assert q is not None and k is not None and v is not None
    if q.dtype.name == "f64" or not q.dtype.is_float or {k.dtype, v.dtype, output.dtype} != {q.dtype}:
        return f"attention of {q.dtype} and {k.dtype}"
    return f"heads of {op['head_dim']}: at most 256" if op["head_dim"] > 256 else None


def _lower_without(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers an op whose trailing operands are absent: stages name only the operands that are present."""
    missing = 6 - len(inputs)
    lowering = lower_attention(op, (*inputs, *(None,) * missing), outputs)
    if isinstance(lowering, str):
        return lowering

    def renumber(operands: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(operand if operand < len(inputs) else operand - missing for operand in operands)

    stages = tuple(replace(stage, operands=renumber(stage.operands), reads=renumber(stage.reads)) for stage in lowering.stages)
    return replace(lowering, stages=stages)


LOWER: dict[str, Lower] = {"attention": lower_attention}
"""The ops of this file by name."""
