"""Attention of few queries: the keys are split among blocks, and a second kernel joins what they found, each by its own largest score."""

from __future__ import annotations

from dataclasses import replace

from rlx.backends.cuda.kernel_data import CudaTensor, Launch
from rlx.backends.cuda.kernels.attention_problem import F32, LOG2_E, CudaAttention
from rlx.backends.cuda.kernels.folds import Folding
from rlx.backends.cuda.text import KernelText
from rlx.core.dim import Size, minimum
from rlx.ir.graph import dense_strides

FEW = 64  # rows up to which that pays
MANY_KEYS = 256  # keys from which on


def share_of_keys(k: KernelText, splits: int) -> None:
    """The keys from `low` up to `high` become those of this block's `split`."""
    k.line(f"share = (tl.maximum(high - low, 0) + {splits - 1}) // {splits}")
    k.line("low = low + split * share")
    k.line("high = tl.minimum(high, low + share)")


def parts_of(problem: CudaAttention) -> tuple[CudaTensor, CudaTensor]:
    """Where the splits write what they found: mixed values, and (largest score, sum of weights)."""
    rows = problem.rows if isinstance(problem.rows, int) else minimum(problem.rows, FEW)
    count = problem.batch * problem.at.kv_heads * rows * problem.splits
    return CudaTensor(F32, (count * problem.wide,), (1,)), CudaTensor(F32, (count * 2,), (1,))


def _steps(problem: CudaAttention) -> tuple[Size, ...]:
    """Strides of what the splits found: batch, key and value head, row, split."""
    return dense_strides([problem.batch, problem.at.kv_heads, problem.rows, problem.splits])


def store_parts(k: KernelText, problem: CudaAttention, partial: CudaTensor, stats: CudaTensor, names: tuple[str, str, str]) -> None:
    """Write what this block found: the mixed values, the largest score, the sum of weights."""
    total, top, mixed = names
    first = len(problem.inputs) + 1
    place = k.let(k.offset(["own", "kv_head", "row", "split"], _steps(problem)), "o")
    parts = k.let(f"{k.pointer(first, partial, written=True)} + {place}[:, None] * {problem.wide} + d[None, :]", "q")
    k.line(f"tl.store({parts}, {mixed}, mask=in_row[:, None])")
    notes = k.pointer(first + 1, stats, written=True)
    k.line(f"tl.store({notes} + {place} * 2, {top}, mask=in_row)")
    k.line(f"tl.store({notes} + {place} * 2 + 1, {total}, mask=in_row)")


def split(problem: CudaAttention, partial: CudaTensor, stats: CudaTensor, rows: int) -> tuple[Launch, Launch]:
    """Each block has a share of the keys; the join adds what they found."""
    keys = 64
    k = KernelText("attention_split")
    count = problem.begin(k, rows, problem.splits)
    share_of_keys(k, problem.splits)
    q, names = problem.load_queries(k), problem.start(k, rows)
    with k.block(f"for start in range(low, high, {keys})"):
        problem.step(k, q, keys, names)
    store_parts(k, problem, partial, stats, names)
    return k.launch((count,), warps=4, name="attention"), join(problem, partial, stats)


def join(problem: CudaAttention, partial: CudaTensor, stats: CudaTensor) -> Launch:
    """A block for each row of the result."""
    first = len(problem.inputs) + 1
    k = KernelText("attention_join")
    k.line("block = tl.program_id(0).to(tl.int64)")
    k.line(f"r = block % {k.size(problem.rows)}")
    k.line(f"kv_head = (block // {k.size(problem.rows)}) % {problem.at.kv_heads}")
    k.line(f"batch = block // ({k.size(problem.rows)} * {problem.at.kv_heads})")
    k.line("row = r + tl.arange(0, 1)")
    k.line(f"in_row = (row < {k.size(problem.rows)}) & (batch < {k.size(problem.batch)})")
    k.line("own = tl.where(in_row, batch, 0)")
    k.line(f"query = row // {problem.at.group}")
    k.line(f"head = kv_head * {problem.at.group} + row % {problem.at.group}")
    k.line(f"d = tl.arange(0, {problem.wide})")
    k.line(f"in_d = d < {problem.at.head_dim}")
    k.line(f"split = tl.arange(0, {problem.splits})")
    k.line("inside = tl.reduce(in_row.to(tl.int32), 0, combine_sum) > 0")
    add, most = Folding("sum", F32).function(k), Folding("max", F32).function(k)
    place = k.let(k.offset(["batch", "kv_head", "r", "split"], _steps(problem)), "o")
    notes, parts = k.pointer(first + 1, stats), k.pointer(first, partial)
    k.line(f'top = tl.load({notes} + {place} * 2, mask=(split >= 0) & inside, other=float("-inf"))')
    k.line(f"total = tl.load({notes} + {place} * 2 + 1, mask=(split >= 0) & inside, other=0.0)")
    k.line(f"best = tl.reduce(top, 0, {most})")
    k.line('best = tl.where(best == float("-inf"), 0.0, best)')
    k.line(f"factor = tl.exp2((top - best) * {LOG2_E})")
    k.line(
        f"part = tl.load({parts} + {place}[:, None] * {problem.wide} + d[None, :], mask=((split >= 0) & inside)[:, None], other=0.0)"
    )
    mixed = k.let(f"tl.reduce(part * factor[:, None], 0, {add}, keep_dims=True)", "a")
    total = k.let(f"tl.reduce(total * factor, 0, {add}, keep_dims=True)", "a")
    problem.store(k, mixed, total)
    made = k.launch((problem.batch * problem.at.kv_heads * problem.rows,), warps=1, name="attention")
    return replace(made, reads=(first, first + 1))
