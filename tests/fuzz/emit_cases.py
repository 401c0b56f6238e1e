"""Ops whose operands must fit together in ways of their own: a row of their record's cases is fed with values of the graph.

The shapes, attributes and ranges are the row's. A float operand is some value of the graph, cut or repeated to the size, clamped to the
range; indices, packed numbers and fixed contents are leaves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.core.dim import Dim
from rlx.ir.emit import emit
from rlx.ir.op import OPS, OpDef
from rlx.ir.tolerance import Case, Sample
from rlx.ir.value import Value
from tests.fuzz.generator import FLOATS, Maker
from tests.fuzz.registry import EMITTERS, emitter

# choose by comparing, or round to whole numbers: only exact operands, so that no last bit decides
CHOOSING = frozenset({"max_pool2d_backward", "page_write_q8"})
# divide by the spread of a row, or leave the difference of equal numbers: rows need one
SPREAD = ("norm", "attention_backward", "psd")


def from_case(m: Maker, record: OpDef) -> Any:
    """The op on a row of its cases; rows without elements are rare."""
    rows: list[Case] = list(record.cases())  # type: ignore[operator]
    full = [row for row in rows if all(sample is None or 0 not in sample.dims for sample in row.operands)]
    row: Case = m.choose(full if full and not m.chance(0.05) else rows)
    dtype = row.dtypes[0] if m.chance(0.75) else m.choose(row.dtypes)
    operands = [None if sample is None else operand(m, record, i, sample, dtype) for i, sample in enumerate(row.operands)]
    attrs = {**row.attrs, **({"eps": 0.25} if "eps" in record.attrs else {})}  # so that no small spread is blown up
    return emit(record, operands, attrs, graph=m.graph)


def operand(m: Maker, record: OpDef, index: int, sample: Sample, dtype: str) -> Value:
    """A value of the graph that fits the sample, or a leaf drawn as the sample says."""
    kind = dtype if sample.dtype == "f32" else sample.dtype
    if sample.fixed is not None:
        return m.graph.constant(sample.array(m.random).astype(OPS["cast"].op(to=kind)["to"].numpy))
    if record.operand(index).role != "value" or kind not in (*FLOATS, "c64", "c128"):
        return m.drawn(sample, kind)
    if kind.startswith("c"):
        half = Sample(sample.dims, "f32", sample.low, sample.high)
        made = m.graph.complex(*(operand(m, record, index, half, "f64" if kind == "c128" else "f32") for _ in range(2)))
        m.sync()
        return made
    if m.chance(0.25):
        return m.drawn(sample, kind)
    found = adapted(m, sample, exact=record.name in CHOOSING)
    spread = any(word in record.name for word in SPREAD)
    low, high = (0.5 * sample.low + 0.5, 0.5 * sample.high - 0.5) if spread else (sample.low, sample.high)
    found = m.graph.clamp(found, low, high) if m.outside(found, low, high) else found
    if spread:
        found = found + m.drawn(Sample(sample.dims, "f32", 0.5 * sample.low - 0.5, 0.5 * sample.high + 0.5), "f32")
    found = found if kind == "f32" else m.graph.cast(found, kind)
    m.sync()
    return found


def adapted(m: Maker, sample: Sample, exact: bool) -> Value:
    """An f32 value of the graph with other dims: its elements in a row, cut off or repeated."""
    wanted = int(np.prod(sample.dims, dtype=np.int64))
    found = m.pick(lambda v: _usable(v) and (not exact or m.is_exact(v)))
    if found is None or wanted == 0:
        return m.leaf(sample.dims, "f32", "grid" if exact else "")
    if found.shape == sample.dims:
        return found
    held = int(np.prod(found.shape, dtype=np.int64))
    flat = found if found.rank == 1 else found.reshape(held)
    if held < wanted:
        copies = -(-wanted // held)
        flat = m.graph.expand(flat, (copies, held)).reshape(copies * held)
    flat = flat if flat.shape[0] == wanted else m.graph.narrow(flat, 0, 0, wanted)
    made = flat if len(sample.dims) == 1 else flat.reshape(*sample.dims)
    m.sync()
    return made


def _usable(v: Value) -> bool:
    return v.dtype.name == "f32" and v.rank > 0 and all(not isinstance(size, Dim) and size > 0 for size in v.shape)


# -- quantization: steps that are powers of two, so that rounding is the same in every precision ------------------------
@emitter(
    "quantize",
    "fake_quantize",
    "fake_quantize_lsq",
    "fake_quantize_lsq_backward_x",
    "fake_quantize_lsq_backward_scale",
    "fake_quantize_backward",
)
def quantized(m: Maker, name: str) -> Any:
    g = m.graph
    x = m.tame(m.find(lambda v: v.dtype.name == "f32" and v.rank >= 1 and m.is_exact(v) and m.full(v), (4, 6), style="grid"), 16.0)
    axis = m.choose([None, m.axis(x, static=True)]) if any(isinstance(size, int) for size in x.shape) else None
    dims = () if axis is None else (x.shape[axis],)
    steps = m.random.choice([0.25, 0.5, 1.0], dims)
    scale = g.constant(np.asarray(steps, np.float32))
    if name == "quantize":
        return g.quantize(x, scale, axis=axis, dtype=m.choose(["i8", "u8"]))
    if name == "fake_quantize":
        return g.fake_quantize(x, bits=2)  # steps of the largest number itself
    if name == "fake_quantize_lsq":
        return g.fake_quantize_lsq(x, scale, bits=4, axis=axis)
    dy = m.leaf(x.shape, "f32")
    if name == "fake_quantize_backward":
        return g.fake_quantize_backward(x, scale, dy, bits=4, axis=axis, ste=m.choose(["identity", "clipped_identity", "tanh"]))
    if name.endswith("_x"):
        return g.fake_quantize_lsq_backward_x(x, scale, dy, bits=4, axis=axis)
    return g.fake_quantize_lsq_backward_scale(x, scale, dy, bits=4, axis=axis, grad_scale=m.chance(0.5))


def is_hosted(record: OpDef) -> bool:
    """Calls Python: its text has no function to parse, and LAPACK's vectors change sign with the last bit of a matrix."""
    return bool(record.host) or "function" in record.attrs or record.name in ("pinv", "lstsq", "matrix_rank")


def register() -> list[str]:
    """An emitter from the cases for every op that has none of its own; their names."""
    found = [r for r in OPS if r.level == "mir" and not r.leaf and r.name not in EMITTERS and not is_hosted(r)]
    for record in found:
        EMITTERS[record.name] = lambda m, record=record: from_case(m, record)
    return [record.name for record in found]
