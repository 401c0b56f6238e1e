"""Attention: blocks of queries walk the keys with a running softmax; few queries split the keys among blocks, and a second kernel joins.

A row of a block is a query of one of the heads that share a key and value head, so these are read once for all of them. Weights of the
softmax are multiplied with the values in two parts of 16 bits where the values have 16: the result is rounded once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rlx.backends.cuda.carry import language_type, loaded, stored
from rlx.backends.cuda.kernel import CudaLowering, CudaTensor, Launch, Lower
from rlx.backends.cuda.kernels.folds import Folding
from rlx.backends.cuda.kernels.space import aligned_strides
from rlx.backends.cuda.text import KernelText, power_of_two
from rlx.core.dim import LARGEST_SIZE, Size, ceildiv, minimum
from rlx.core.dtype import DType
from rlx.ir.layout import dense_strides
from rlx.ir.op import Op
from rlx.ops.attention.reference import Setting

__all__ = ["LOWER"]

F32 = DType.of("f32")
SPLITS = 16  # blocks among which few queries divide the keys
FEW = 64  # rows up to which that pays
MANY_KEYS = 256  # keys from which on
LOG2_E = 1.4426950408889634


@dataclass(frozen=True)
class _HeadStrides:
    """Strides of q, k, v or the result: batch, position, head, element."""

    batch: Size
    position: Size
    head: Size
    element: Size

    @staticmethod
    def of(tensor: CudaTensor, layout: str, head_dim: int) -> _HeadStrides:
        strides = tensor.strides
        if layout == "packed":
            return _HeadStrides(strides[0], strides[1], head_dim * strides[2], strides[2])
        if layout == "bshd":
            return _HeadStrides(*strides)
        return _HeadStrides(strides[0], strides[2], strides[1], strides[3])


class _Attention:
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

    def heads(self, operand: int) -> _HeadStrides:
        tensor = self.output if operand == len(self.inputs) else self.inputs[operand]
        assert tensor is not None
        return _HeadStrides.of(tensor, self.at.layout, self.at.head_dim)

    # -- a block
    def begin(self, k: KernelText, rows: int, splits: int) -> Size:
        """Which batch, head, rows and keys a block has; the number of blocks."""
        blocks = ceildiv(self.rows, rows)
        k.line("block = tl.program_id(0).to(tl.int64)")
        if splits > 1:
            k.line(f"split = block % {splits}")
            k.line(f"block = block // {splits}")
        k.line(f"row = (block % {k.size(blocks)}) * {rows} + tl.arange(0, {rows})")
        k.line(f"block = block // {k.size(blocks)}")
        k.line(f"kv_head = block % {self.at.kv_heads}")
        k.line(f"batch = block // {self.at.kv_heads}")
        k.line(f"in_row = (row < {k.size(self.rows)}) & (batch < {k.size(self.batch)})")
        k.line(f"query = row // {self.at.group}")
        k.line(f"head = kv_head * {self.at.group} + row % {self.at.group}")
        k.line(f"d = tl.arange(0, {self.wide})")
        k.line(f"in_d = d < {self.at.head_dim}")
        self._limits(k, rows)
        return blocks * self.at.kv_heads * self.batch * splits

    def _limits(self, k: KernelText, rows: int) -> None:
        """`limit`: keys of this row of the batch; `first`: the position of its first query; the keys that any row of the block sees."""
        k.line("own = tl.where(in_row, batch, 0)")
        limit = k.size(self.keys)
        k.line(f"limit = batch * 0 + {limit}")
        if self.inputs[5] is not None:
            lengths = self.inputs[5]
            address = (
                f"{k.pointer(5, lengths)} + tl.minimum(batch, {k.size(self.batch)} - 1) * {k.size(lengths.strides[0])}"
            )
            k.line(f"limit = tl.minimum(tl.load({address}).to(tl.int64), limit)")
        if self.inputs[4] is not None:
            positions = self.inputs[4]
            address = f"{k.pointer(4, positions)} + tl.minimum(batch, {k.size(self.batch)} - 1) * {k.size(positions.strides[0])}"
            k.line(f"first = tl.load({address}).to(tl.int64)")
        else:
            k.line(f"first = limit - {k.size(self.queries)}")
        k.line("low = limit * 0")
        k.line("high = limit")
        self.is_causal = self.at.causal or self.at.mask_kind.is_causal
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
        place = k.offset(
            ["own[:, None]", "query[:, None]", "head[:, None]", "d[None, :]"],
            (at.batch, at.position, at.head, at.element),
        )
        return k.let(f"tl.load({k.pointer(0, q)} + {place}, mask=in_row[:, None] & in_d[None, :], other=0)", "q")

    def step(self, k: KernelText, q: str, keys: int, rows: int, names: tuple[str, str, str]) -> None:
        """One chunk of keys: scores, the running softmax, and the values it weighs."""
        total, top, mixed = names
        key, value = self.inputs[1], self.inputs[2]
        assert key is not None and value is not None
        k.line(f"j = start + tl.arange(0, {keys})")
        k.line("in_j = (j >= low) & (j < high)")
        seen = self._custom(k)
        at = self.heads(1)
        safe = f"tl.minimum(batch, {k.size(self.batch)} - 1)"
        base = k.let(f"{k.pointer(1, key)} + {k.offset([safe, 'kv_head'], (at.batch, at.head))}", "p")
        place = k.offset(["j[None, :]", "d[:, None]"], (at.position, at.element))
        u = k.let(f"tl.load({base} + {place}, mask=in_j[None, :] & in_d[:, None], other=0)", "u")
        scores = k.let(f'tl.dot({q}, {u}, input_precision="ieee") * {self.at.scale!r}', "s")
        if self.at.softcap is not None:
            scores = k.let(f"libdevice.tanh({scores} * {1 / self.at.softcap!r}) * {self.at.softcap!r}", "s")
        scores = self._biased(k, scores)
        visible = "in_row[:, None] & in_j[None, :]" + (f" & {seen}[None, :]" if seen else "")
        if self.is_causal:
            visible += " & (j[None, :] <= first + query[:, None])"
        if self.at.mask_kind.kind == "sliding_window":
            visible += f" & (j[None, :] > first + query[:, None] - {self.at.mask_kind.window})"
        scores = k.let(f'tl.where({visible}, {scores}, float("-inf"))', "s")
        new = k.let(
            f"tl.maximum({top}, tl.reduce({scores}, 1, {Folding('max', F32).function(k)}), propagate_nan=tl.PropagateNan.ALL)",
            "n",
        )
        base_line = k.let(f'tl.where({new} == float("-inf"), 0.0, {new})', "n")
        weights = k.let(f"tl.exp2(({scores} - {base_line}[:, None]) * {LOG2_E})", "w")
        factor = k.let(f"tl.exp2(({top} - {base_line}) * {LOG2_E})", "f")
        k.line(f"{total} = {total} * {factor} + tl.reduce({weights}, 1, {Folding('sum', F32).function(k)})")
        k.line(f"{top} = {new}")
        at = self.heads(2)
        base = k.let(f"{k.pointer(2, value)} + {k.offset([safe, 'kv_head'], (at.batch, at.head))}", "p")
        place = k.offset(["j[:, None]", "d[None, :]"], (at.position, at.element))
        known = "in_j" + (f" & {seen}" if seen else "")
        v = k.let(f"tl.load({base} + {place}, mask=({known})[:, None] & in_d[None, :], other=0)", "v")
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
        place = k.offset([safe, "j"], mask.strides)
        return k.let(loaded(f"tl.load({k.pointer(3, mask)} + {place}, mask=in_j, other=0)", mask.dtype), "m")

    def _biased(self, k: KernelText, scores: str) -> str:
        """Scores with a bias that broadcasts to [batch, heads, queries, keys]."""
        bias = self.inputs[3]
        if bias is None or self.at.mask_kind.kind != "bias":
            return scores
        whole = (self.batch, self.at.num_heads, self.queries, self.keys)
        strides = aligned_strides(bias.dims, bias.strides, whole)
        place = k.offset(["own[:, None]", "head[:, None]", "query[:, None]", "j[None, :]"], strides)
        tile = "tl.where(in_row[:, None] & in_j[None, :], 0, 0)"
        value = loaded(
            f"tl.load({k.pointer(3, bias)} + {place} + {tile}, mask=in_row[:, None] & in_j[None, :], other=0)",
            bias.dtype,
        )
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
        place = k.offset(
            ["own[:, None]", "query[:, None]", "head[:, None]", "d[None, :]"],
            (at.batch, at.position, at.head, at.element),
        )
        k.line(f"tl.store({target} + {place}, {stored(value, self.dtype)}, mask=in_row[:, None] & in_d[None, :])")


def _whole(problem: _Attention) -> Launch:
    """Each block walks all keys that its queries see."""
    rows = max(16, min(power_of_two(problem.rows), 64)) if isinstance(problem.rows, int) else 64
    keys = max(16, min(power_of_two(problem.keys), 64)) if isinstance(problem.keys, int) else 64
    k = KernelText("attention")
    count = problem.begin(k, rows, 1)
    q, names = problem.load_queries(k), problem.start(k, rows)
    with k.block(f"for start in range((low // {keys}) * {keys}, high, {keys})"):
        problem.step(k, q, keys, rows, names)
    problem.store(k, names[2], names[0])
    return k.launch((count,), warps=4, stages=2)


def _split(problem: _Attention, partial: CudaTensor, stats: CudaTensor, rows: int) -> tuple[Launch, Launch]:
    """Each block has a share of the keys; the join adds what they found, each by its own largest score."""
    keys = 64
    first = len(problem.inputs) + 1
    k = KernelText("attention_split")
    count = problem.begin(k, rows, SPLITS)
    k.line(f"share = (tl.maximum(high - low, 0) + {SPLITS - 1}) // {SPLITS}")
    k.line("low = low + split * share")
    k.line("high = tl.minimum(high, low + share)")
    q, (total, top, mixed) = problem.load_queries(k), problem.start(k, rows)
    with k.block(f"for start in range(low, high, {keys})"):
        problem.step(k, q, keys, rows, (total, top, mixed))
    dims = [problem.batch, problem.at.kv_heads, problem.rows, SPLITS]
    steps = dense_strides(dims)
    place = k.let(k.offset(["own", "kv_head", "row", "split"], steps), "o")
    parts = k.let(f"{k.pointer(first, partial, written=True)} + {place}[:, None] * {problem.wide} + d[None, :]", "q")
    k.line(f"tl.store({parts}, {mixed}, mask=in_row[:, None])")
    notes = k.pointer(first + 1, stats, written=True)
    k.line(f"tl.store({notes} + {place} * 2, {top}, mask=in_row)")
    k.line(f"tl.store({notes} + {place} * 2 + 1, {total}, mask=in_row)")
    begin = k.launch((count,), warps=4, name="attention")

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
    k.line(f"split = tl.arange(0, {SPLITS})")
    k.line("inside = tl.reduce(in_row.to(tl.int32), 0, combine_sum) > 0")
    add, most = Folding("sum", F32).function(k), Folding("max", F32).function(k)
    place = k.let(k.offset(["batch", "kv_head", "r", "split"], steps), "o")
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
    join = k.launch((problem.batch * problem.at.kv_heads * problem.rows,), warps=1, name="attention")
    return begin, replace(join, reads=(first, first + 1))


def lower_attention(
    op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]
) -> CudaLowering | str:
    """By the number of rows: all keys in a block, or keys split among blocks."""
    tensors = (*inputs, *(None,) * (6 - len(inputs)))
    q, k, v = tensors[:3]
    assert q is not None and k is not None and v is not None
    if q.dtype.name == "f64" or not q.dtype.is_float or {k.dtype, v.dtype, outputs[0].dtype} != {q.dtype}:
        return f"attention of {q.dtype} and {k.dtype}"
    if op["head_dim"] > 256:
        return f"heads of {op['head_dim']}: at most 256"
    problem = _Attention(op, tensors, outputs[0])
    if isinstance(problem.keys, int) and problem.keys == 0:
        return "no keys"
    long = not isinstance(problem.keys, int) or problem.keys >= MANY_KEYS
    if len(inputs) < 6:
        return _renumbered(op, inputs, outputs)
    known = isinstance(problem.rows, int)
    if not long or (known and problem.rows > FEW):
        return CudaLowering((_whole(problem),))
    count = problem.batch * problem.at.kv_heads * problem.rows * SPLITS
    if not known:
        count = problem.batch * problem.at.kv_heads * minimum(problem.rows, FEW) * SPLITS
    partial, stats = (CudaTensor(F32, (count * size,), (1,)) for size in (problem.wide, 2))
    rows = max(16, power_of_two(problem.rows)) if isinstance(problem.rows, int) else FEW
    stages = _split(problem, partial, stats, rows)
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
        replace(stage, operands=tuple(map(moved, stage.operands)), reads=tuple(map(moved, stage.reads)))
        for stage in found.stages
    )
    return replace(found, stages=stages)


LOWER: dict[str, Lower] = {"attention": lower_attention}
"""The ops of this file by name."""
