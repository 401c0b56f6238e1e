"""One attention problem as kernels see it: its sizes and operands, and the text that all its kernels have in common.

A row of a block is a query of one of the heads that share a key and value head, so these are read once for all of them. Weights of the
softmax are multiplied with the values in two parts of 16 bits where the values have 16: the result is rounded once.
"""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cuda.kernel_data import CudaTensor
from rlx.backends.cuda.kernels.folds import Folding
from rlx.backends.cuda.kernels.space import aligned_strides
from rlx.backends.cuda.register_types import language_type, loaded, stored
from rlx.backends.cuda.text import KernelText, power_of_two
from rlx.core.dim import Size, ceildiv
from rlx.core.dtype import DType
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
