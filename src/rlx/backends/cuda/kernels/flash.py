"""Attention of many queries in f16 and bf16: blocks of 128 rows walk the keys in chunks, with tensor cores for both products.

Chunks that every row of a block sees whole have no masks, and their weights are rounded to 16 bits as the second product wants them; the
sum is of the rounded weights, so they add up to one. The chunks at the end (the diagonal of a causal mask, the last keys) are masked, and
their weights are multiplied in two parts of 16 bits: what sees few keys is rounded once.
"""

from __future__ import annotations

from rlx.backends.cuda.kernel_data import Launch
from rlx.backends.cuda.kernels.attention_problem import F32, LOG2_E, CudaAttention
from rlx.backends.cuda.kernels.folds import Folding
from rlx.backends.cuda.kernels.tiles import FLASH, FlashTile
from rlx.backends.cuda.register_types import language_type
from rlx.backends.cuda.text import KernelText
from rlx.core.dim import ceildiv

_FEW = 64  # rows that do not fill a block


def suits_flash(problem: CudaAttention) -> bool:
    """16 bits, heads of a size with a tile, a causal mask or none, and steps between positions that are known."""
    at = problem.at
    plain = at.mask_kind.kind in ("none", "causal") and at.softcap is None and at.scale > 0
    steps = [step for operand in (0, 1, 2) for step in (problem.heads(operand).position, problem.heads(operand).element)]
    known = all(isinstance(step, int) for step in steps)
    many = not isinstance(problem.rows, int) or problem.rows > _FEW
    return problem.dtype.is_low_float and at.head_dim in FLASH and plain and known and many


def flash_attention(problem: CudaAttention) -> Launch:
    """One kernel; blocks with the most keys of a causal mask come first."""
    tile = FLASH[problem.at.head_dim]
    k = KernelText("flash")
    blocks = ceildiv(problem.rows, tile.rows)
    heads = problem.batch * problem.at.kv_heads
    k.line("block = tl.program_id(0).to(tl.int64)")
    k.line(f"top_block = {k.size(blocks)} - 1 - block // {k.size(heads)}")
    k.line(f"batch = (block % {k.size(heads)}) // {problem.at.kv_heads}")
    k.line(f"kv_head = block % {problem.at.kv_heads}")
    k.line(f"row = top_block * {tile.rows} + tl.arange(0, {tile.rows})")
    k.line(f"in_row = (row >= 0) & (row < {k.size(problem.rows)})")
    problem.row_positions(k)
    problem.limits(k)
    k.line("high = tl.where(top_block >= 0, high, 0)")
    lowest = f"first + (top_block * {tile.rows}) // {problem.at.group} + 1"
    k.line(f"full = {f'tl.minimum(high, {lowest})' if problem.is_causal else 'high'}")
    k.line(f"full = tl.maximum(full, 0) // {tile.keys} * {tile.keys}")
    q, state = problem.load_queries(k), problem.start(k, tile.rows)
    walk = _KeyWalk(problem, k, tile, q, state)
    with k.block(f"for start in range(0, full, {tile.keys})"):
        walk.step(masked=False)
    with k.block(f"for start in range(full, high, {tile.keys})"):
        walk.step(masked=True)
    problem.store(k, state[2], state[0])
    return k.launch((blocks * heads,), warps=tile.warps, stages=tile.stages, name="attention")


class _KeyWalk:
    """The steps along the keys: pointers to the first chunk, and what is carried from chunk to chunk."""

    def __init__(self, problem: CudaAttention, k: KernelText, tile: FlashTile, q: str, state: tuple[str, str, str]) -> None:
        self.problem, self.k, self.q = problem, k, q
        self.total, self.top, self.mixed = state
        k.line(f"jj = tl.arange(0, {tile.keys})")
        self.keys = self._first_chunk(1, "jj[None, :]", "d[:, None]")
        self.values = self._first_chunk(2, "jj[:, None]", "d[None, :]")

    def _first_chunk(self, operand: int, key: str, element: str) -> str:
        tensor, at = self.problem.inputs[operand], self.problem.heads(operand)
        assert tensor is not None
        base = self.k.offset(["batch", "kv_head"], (at.batch, at.head))
        place = self.k.tile_offset([key, element], (at.position, at.element))
        return self.k.let(f"{self.k.pointer(operand, tensor)} + {base} + {place}", "p")

    def step(self, *, masked: bool) -> None:
        """Scores in powers of two, the running softmax, and the values it weighs."""
        k, kind = self.k, language_type(self.problem.dtype)
        total, top, mixed = self.total, self.top, self.mixed
        scale = repr(self.problem.at.scale * LOG2_E)
        positions = [self.problem.heads(operand).position for operand in (1, 2)]
        most = k.helper("combine_larger", "@jit\ndef combine_larger(a, b):\n    return tl.maximum(a, b)\n")
        add = Folding("sum", F32).function(k)
        if masked:
            k.line("in_j = jj < (high - start).to(tl.int32)")
        key_mask, value_mask = (", mask=in_j[None, :], other=0", ", mask=in_j[:, None], other=0") if masked else ("", "")
        u = k.let(f"tl.load({self.keys} + {k.offset(['start'], positions[:1])}{key_mask})", "u")
        scores = k.let(f"tl.dot({self.q}, {u}) * {scale}", "s")
        if masked:
            visible = "in_j[None, :]"
            if self.problem.is_causal:
                visible += " & (jj[None, :] <= (first + query - start).to(tl.int32)[:, None])"
            scores = k.let(f'tl.where({visible}, {scores}, float("-inf"))', "s")
        new = k.let(f"tl.maximum({top}, tl.reduce({scores}, 1, {most}))", "n")
        base = k.let(f'tl.where({new} == float("-inf"), 0.0, {new})', "n")
        weights = k.let(f"tl.exp2({scores} - {base}[:, None])", "w")
        factor = k.let(f"tl.exp2({top} - {base})", "f")
        large = k.let(f"{weights}.to({kind})", "w")
        summed = weights if masked else f"{large}.to(tl.float32)"
        k.line(f"{total} = {total} * {factor} + tl.reduce({summed}, 1, {add})")
        k.line(f"{top} = {new}")
        v = k.let(f"tl.load({self.values} + {k.offset(['start'], positions[1:])}{value_mask})", "v")
        k.line(f"{mixed} = {mixed} * {factor}[:, None]")
        k.line(f"{mixed} = tl.dot({large}, {v}, {mixed})")
        if masked:
            small = k.let(f"({weights} - {large}.to(tl.float32)).to({kind})", "w")
            k.line(f"{mixed} = tl.dot({small}, {v}, {mixed})")
