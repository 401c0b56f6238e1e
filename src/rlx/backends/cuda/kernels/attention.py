"""Attention: blocks of queries walk the keys with a running softmax; few queries split the keys among blocks, and a second kernel joins.

A row of a block is a query of one of the heads that share a key and value head, so these are read once for all of them. Weights of the
softmax are multiplied with the values in two parts of 16 bits where the values have 16: the result is rounded once.

Many queries in f16 and bf16 (`flash_attention`): blocks of 128 rows walk the keys in chunks, with tensor cores for both products. Chunks
that every row of a block sees entirely have no masks, and their weights are rounded to 16 bits as the second product requires; the sum is
of the rounded weights, so they add up to one. The chunks at the end (the diagonal of a causal mask, the last keys) are masked, and their
weights are multiplied in two parts of 16 bits: what sees few keys is rounded once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rlx.backends.cuda.kernel_data import CudaLowering, CudaTensor, Launch, Lower
from rlx.backends.cuda.kernels.tiles import FLASH, FlashTile
from rlx.backends.cuda.register_types import Folding, language_type, loaded, stored
from rlx.backends.cuda.text import KernelText, aligned_strides, power_of_two
from rlx.core.dim import LARGEST_SIZE, Size, ceildiv, minimum
from rlx.core.dtype import DType
from rlx.ir.graph import dense_strides
from rlx.ir.op import Op
from rlx.ops.attention.reference import Setting

F32 = DType.of("f32")
LOG2_E = 1.4426950408889634
SPLITS = 16  # blocks among which few queries divide the keys


@dataclass(frozen=True)
class HeadSteps:
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
    """One problem: its sizes, its operands, and the text they have in common."""

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
        tensor = self.output if operand == len(self.inputs) else self.inputs[operand]
        assert tensor is not None
        return HeadSteps.of(tensor, self.at.layout, self.at.head_dim)

    # -- a block
    def begin(self, k: KernelText, rows: int, splits: int) -> Size:
        """Which batch, head, rows and keys a block has; the number of blocks."""
        count = self.begin_rows(k, rows, splits)
        self.limits(k)
        return count

    def begin_rows(self, k: KernelText, rows: int, splits: int) -> Size:
        """Which batch, head and rows a block has; the number of blocks. Nothing is read."""
        blocks = ceildiv(self.rows, rows)
        k.line(f"block = tl.program_id(0).to({self.index})")
        if splits > 1:
            k.line(f"split = block % {splits}")
            k.line(f"block = block // {splits}")
        k.line(f"row = (block % {k.size(blocks)}) * {rows} + tl.arange(0, {rows})")
        k.line(f"block = block // {k.size(blocks)}")
        k.line(f"kv_head = block % {self.at.kv_heads}")
        k.line(f"batch = block // {self.at.kv_heads}")
        k.line(f"in_row = (row < {k.size(self.rows)}) & (batch < {k.size(self.batch)})")
        self.row_positions(k)
        return blocks * self.at.kv_heads * self.batch * splits

    def row_positions(self, k: KernelText) -> None:
        """The query, the head and the batch of each row, and the elements of a head."""
        k.line(f"query = row // {self.at.group}")
        k.line(f"head = kv_head * {self.at.group} + row % {self.at.group}")
        k.line(f"d = tl.arange(0, {self.wide})")
        k.line(f"in_d = d < {self.at.head_dim}")
        k.line("own = tl.where(in_row, batch, 0)")

    def limits(self, k: KernelText) -> None:
        """`limit`: keys of this row of the batch; `first`: the position of its first query; the keys that any row of the block sees."""
        limit = k.size(self.keys)
        k.line(f"limit = batch * 0 + {limit}")
        if self.inputs[5] is not None:
            lengths = self.inputs[5]
            address = f"{k.pointer(5, lengths)} + tl.minimum(batch, {k.size(self.batch)} - 1) * {k.size(lengths.strides[0])}"
            k.line(f"limit = tl.minimum(tl.load({address}).to(tl.int64), limit)")
        if self.inputs[4] is not None:
            positions = self.inputs[4]
            address = f"{k.pointer(4, positions)} + tl.minimum(batch, {k.size(self.batch)} - 1) * {k.size(positions.strides[0])}"
            k.line(f"first = tl.load({address}).to(tl.int64)")
        else:
            k.line(f"first = limit - {k.size(self.queries)}")
        k.line("low = limit * 0")
        k.line("high = limit")
        most, least = Folding("max", DType.of("i64")).function(k), Folding("min", DType.of("i64")).function(k)
        if self.is_causal:
            k.line(f"high = tl.minimum(high, first + tl.reduce(tl.where(in_row, query, -1), 0, {most}) + 1)")
        if self.at.mask_kind.kind == "sliding_window":
            last = "tl.full((), 1073741824, tl.int64)"
            earliest = f"first + tl.reduce(tl.where(in_row, query, {last}), 0, {least})"
            k.line(f"low = tl.maximum(low, {earliest} - {self.at.mask_kind.window - 1})")

    def load_queries(self, k: KernelText) -> str:
        q, at = self.inputs[0], self.heads(0)
        assert q is not None
        place = k.tile_offset(
            ["own[:, None]", "query[:, None]", "head[:, None]", "d[None, :]"], (at.batch, at.position, at.head, at.element)
        )
        return k.let(f"tl.load({k.pointer(0, q)} + {place}, mask=in_row[:, None] & in_d[None, :], other=0)", "q")

    def step(self, k: KernelText, q: str, keys: int, names: tuple[str, str, str]) -> None:
        """One chunk of keys: scores, the running softmax, and the values it weighs."""
        k.line(f"j = start + tl.arange(0, {keys})")
        k.line("in_j = (j >= low) & (j < high)")
        seen = self._custom(k)
        u = self.load_keys(k, "in_j")
        weights, factor = self.weigh(k, q, u, names, f" & {seen}[None, :]" if seen else "")
        v = self.load_values(k, "in_j" + (f" & {seen}" if seen else ""))
        self.mix(k, weights, factor, v, names[2])

    def load_keys(self, k: KernelText, mask: str) -> str:
        """The keys `j`, one in each column."""
        place = self._cached(k, 1, ("j[None, :]", "d[:, None]"))
        return k.let(f"tl.load({place}, mask=({mask})[None, :] & in_d[:, None], other=0)", "u")

    def load_values(self, k: KernelText, mask: str) -> str:
        """The values `j`, one in each row."""
        place = self._cached(k, 2, ("j[:, None]", "d[None, :]"))
        return k.let(f"tl.load({place}, mask=({mask})[:, None] & in_d[None, :], other=0)", "v")

    def _cached(self, k: KernelText, operand: int, positions: tuple[str, str]) -> str:
        tensor, at = self.inputs[operand], self.heads(operand)
        assert tensor is not None
        safe = f"tl.minimum(batch, {k.size(self.batch)} - 1)"
        base = k.let(f"{k.pointer(operand, tensor)} + {k.offset([safe, 'kv_head'], (at.batch, at.head))}", "p")
        return f"{base} + {k.tile_offset(positions, (at.position, at.element))}"

    def weigh(self, k: KernelText, q: str, u: str, names: tuple[str, str, str], seen: str = "") -> tuple[str, str]:
        """The weights of keys `j`, by the largest score so far, and the factor of what was found before."""
        total, top, _ = names
        scores = k.let(f'tl.dot({q}, {u}, input_precision="ieee") * {self.at.scale!r}', "s")
        if self.at.softcap is not None:
            scores = k.let(f"libdevice.tanh({scores} * {1 / self.at.softcap!r}) * {self.at.softcap!r}", "s")
        scores = self._biased(k, scores)
        visible = "in_row[:, None] & in_j[None, :]" + seen
        if self.is_causal:
            visible += " & (j[None, :] <= first + query[:, None])"
        if self.at.mask_kind.kind == "sliding_window":
            visible += f" & (j[None, :] > first + query[:, None] - {self.at.mask_kind.window})"
        scores = k.let(f'tl.where({visible}, {scores}, float("-inf"))', "s")
        new = k.let(
            f"tl.maximum({top}, tl.reduce({scores}, 1, {Folding('max', F32).function(k)}), propagate_nan=tl.PropagateNan.ALL)", "n"
        )
        base_line = k.let(f'tl.where({new} == float("-inf"), 0.0, {new})', "n")
        weights = k.let(f"tl.exp2(({scores} - {base_line}[:, None]) * {LOG2_E})", "w")
        factor = k.let(f"tl.exp2(({top} - {base_line}) * {LOG2_E})", "f")
        k.line(f"{total} = {total} * {factor} + tl.reduce({weights}, 1, {Folding('sum', F32).function(k)})")
        k.line(f"{top} = {new}")
        return weights, factor

    def mix(self, k: KernelText, weights: str, factor: str, v: str, mixed: str) -> None:
        """Add the values, each by its weight."""
        k.line(f"{mixed} = {mixed} * {factor}[:, None]")
        if self.dtype.is_low_float:
            kind = language_type(self.dtype)
            large = k.let(f"{weights}.to({kind})", "w")
            small = k.let(f"({weights} - {large}.to(tl.float32)).to({kind})", "w")
            k.line(f"{mixed} = tl.dot({large}, {v}, {mixed})")
            k.line(f"{mixed} = tl.dot({small}, {v}, {mixed})")
        else:
            k.line(f'{mixed} = tl.dot({weights}, {v}, {mixed}, input_precision="ieee")')

    def _custom(self, k: KernelText) -> str:
        """Which keys a mask of bools shows."""
        mask = self.inputs[3]
        if mask is None or self.at.mask_kind.kind != "custom":
            return ""
        safe = f"tl.minimum(batch, {k.size(self.batch)} - 1)"
        place = k.tile_offset([safe, "j"], mask.strides)
        return k.let(loaded(f"tl.load({k.pointer(3, mask)} + {place}, mask=in_j, other=0)", mask.dtype), "m")

    def _biased(self, k: KernelText, scores: str) -> str:
        """Scores with a bias that broadcasts to [batch, heads, queries, keys]."""
        bias = self.inputs[3]
        if bias is None or self.at.mask_kind.kind != "bias":
            return scores
        whole = (self.batch, self.at.num_heads, self.queries, self.keys)
        strides = aligned_strides(bias.dims, bias.strides, whole)
        place = k.tile_offset(["own[:, None]", "head[:, None]", "query[:, None]", "j[None, :]"], strides)
        value = loaded(f"tl.load({k.pointer(3, bias)} + {place}, mask=in_row[:, None] & in_j[None, :], other=0)", bias.dtype)
        return k.let(f"{scores} + {value}", "s")

    def start(self, k: KernelText, rows: int) -> tuple[str, str, str]:
        """The sum, the largest score so far, and the mixed values."""
        total = k.let(f"tl.full(({rows},), 0.0, tl.float32)", "a")
        top = k.let(f'tl.full(({rows},), float("-inf"), tl.float32)', "a")
        return total, top, k.let(f"tl.full(({rows}, {self.wide}), 0.0, tl.float32)", "a")

    def store(self, k: KernelText, mixed: str, total: str) -> None:
        """Divide and write the result."""
        at = self.heads(len(self.inputs))
        target = k.pointer(len(self.inputs), self.output, written=True)
        value = k.let(f"{mixed} / tl.where({total} == 0.0, 1.0, {total})[:, None]", "y")
        place = k.tile_offset(
            ["own[:, None]", "query[:, None]", "head[:, None]", "d[None, :]"], (at.batch, at.position, at.head, at.element)
        )
        k.line(f"tl.store({target} + {place}, {stored(value, self.dtype)}, mask=in_row[:, None] & in_d[None, :])")


_FEW_FLASH_ROWS = 64  # rows that do not fill a block


def suits_flash(problem: CudaAttention) -> bool:
    """16 bits, heads of a size with a tile, a causal mask or none, and steps between positions that are known."""
    at = problem.at
    plain = at.mask_kind.kind in ("none", "causal") and at.softcap is None and at.scale > 0
    steps = [step for operand in (0, 1, 2) for step in (problem.heads(operand).position, problem.heads(operand).element)]
    known = all(isinstance(step, int) for step in steps)
    many = not isinstance(problem.rows, int) or problem.rows > _FEW_FLASH_ROWS
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


def _whole(problem: CudaAttention) -> Launch:
    """Each block walks all keys that its queries see."""
    if suits_flash(problem):
        return flash_attention(problem)
    rows = max(16, min(power_of_two(problem.rows), 64)) if isinstance(problem.rows, int) else 64
    keys = max(16, min(power_of_two(problem.keys), 64)) if isinstance(problem.keys, int) else 64
    k = KernelText("attention")
    count = problem.begin(k, rows, 1)
    q, names = problem.load_queries(k), problem.start(k, rows)
    with k.block(f"for start in range((low // {keys}) * {keys}, high, {keys})"):
        problem.step(k, q, keys, names)
    problem.store(k, names[2], names[0])
    return k.launch((count,), warps=4, stages=2)


def lower_attention(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """By the number of rows: all keys in a block, or keys split among blocks."""
    tensors = (*inputs, *(None,) * (6 - len(inputs)))
    q, k, v = tensors[:3]
    assert q is not None and k is not None and v is not None
    if q.dtype.name == "f64" or not q.dtype.is_float or {k.dtype, v.dtype, outputs[0].dtype} != {q.dtype}:
        return f"attention of {q.dtype} and {k.dtype}"
    if op["head_dim"] > 256:
        return f"heads of {op['head_dim']}: at most 256"
    problem = CudaAttention(op, tensors, outputs[0])
    if isinstance(problem.keys, int) and problem.keys == 0:
        return "no keys"
    long = not isinstance(problem.keys, int) or problem.keys >= MANY_KEYS
    if len(inputs) < 6:
        return _renumbered(op, inputs, outputs)
    known = isinstance(problem.rows, int)
    if not long or (known and problem.rows > FEW):
        return CudaLowering((_whole(problem),))
    partial, stats = parts_of(problem)
    rows = max(16, power_of_two(problem.rows)) if isinstance(problem.rows, int) else FEW
    stages = split(problem, partial, stats, rows)
    if not known:
        few = [replace(stage, only=(problem.rows, 1, FEW)) for stage in stages]
        whole = replace(_whole(problem), only=(problem.rows, FEW + 1, LARGEST_SIZE))
        return CudaLowering((*few, whole), temporaries=(partial, stats))
    return CudaLowering(stages, temporaries=(partial, stats))


def _renumbered(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Operands that are left out at the end count as missing: stages name the operands that there are."""
    missing = 6 - len(inputs)
    found = lower_attention(op, (*inputs, *(None,) * missing), outputs)
    if isinstance(found, str):
        return found

    def moved(operand: int) -> int:
        return operand if operand < len(inputs) else operand - missing

    stages = tuple(
        replace(stage, operands=tuple(map(moved, stage.operands)), reads=tuple(map(moved, stage.reads))) for stage in found.stages
    )
    return replace(found, stages=stages)


LOWER: dict[str, Lower] = {"attention": lower_attention}
"""The ops of this file by name."""
