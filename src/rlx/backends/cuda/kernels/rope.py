"""Rotary position embedding: each element with its partner, and the row of the tables at its position."""

from __future__ import annotations

from rlx.backends.cuda.kernel_data import CudaLowering, CudaTensor, Lower
from rlx.backends.cuda.kernels.movement import FlatKernel
from rlx.backends.cuda.register_types import language_type
from rlx.backends.cuda.text import KernelText
from rlx.core.dim import product
from rlx.ir.op import Op


def _row(k: KernelText, flat: FlatKernel, table: CudaTensor, positions: CudaTensor | None, batch: str, step: str) -> str:
    """The offset of a table's row, in elements: by position, or by the row of the batch."""
    if len(table.dims) == 3:
        one = isinstance(table.dims[0], int) and table.dims[0] == 1
        return k.let(k.offset(["0" if one else batch, step], table.strides[:2]), "o")
    rows = k.size(table.dims[0])
    place = step
    if positions is not None:
        address = f"{k.pointer(3, positions)} + {k.offset([batch, step], positions.strides)}"
        place = k.let(f"tl.load({address} + i * 0, mask={flat.mask}, other=0).to(tl.int64)", "j")
        place = k.let(f"tl.where({place} < 0, {place} + {rows}, {place})", "j")
    place = k.let(f"tl.maximum(tl.minimum({place}, {rows} - 1), 0)", "j")
    return k.let(f"{place} * {k.size(table.strides[0])}", "o")


def _lower(sign: str) -> Lower:
    def lower(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
        """Lowers rope: (a·cos − b·sin, b·cos + a·sin) for each pair, the rest copied."""
        x, cos, sin = inputs[:3]
        positions = inputs[3] if len(inputs) > 3 else None
        (y,) = outputs
        assert x is not None and cos is not None and sin is not None
        if any(not tensor.dtype.is_float for tensor in (x, cos, sin)):
            return f"rope of {x.dtype}"
        dim, packed = op["head_dim"], len(x.dims) == 3
        turned = dim if op["n_rot"] is None else op["n_rot"]
        heads = x.dims[2] // dim if packed else product(x.dims[2:-1])
        if not packed and len(x.dims) != 4:
            return f"rope of rank {len(x.dims)}"
        flat = FlatKernel(op.name, (x.dims[0], x.dims[1], heads, dim), (x, y))
        k = flat.k
        batch, step, head, d = flat.positions
        kind = "tl.float64" if "f64" in (x.dtype.name, cos.dtype.name) else "tl.float32"
        half = turned // 2
        if op["interleaved"]:
            partner = k.let(f"tl.where({d} < {turned}, {d} ^ 1, {d})", "c")
            pair, first = k.let(f"{d} // 2", "c"), k.let(f"({d} % 2) == 0", "m")
        else:
            shifted = f"tl.where({d} < {half}, {d} + {half}, {d} - {half})"
            partner = k.let(f"tl.where({d} < {turned}, {shifted}, {d})", "c")
            pair, first = k.let(f"tl.where({d} < {half}, {d}, {d} - {half})", "c"), k.let(f"{d} < {half}", "m")
        turns = k.let(f"{flat.mask} & ({d} < {turned})", "m")
        strides = (*x.strides[:2], dim * x.strides[2], x.strides[2]) if packed else x.strides
        zero = "i * 0"
        base = k.let(f"{k.pointer(0, x)} + {k.offset([batch, step, head], strides[:3])} + {zero}", "q")
        own, other = (
            k.let(f"tl.load({base} + {place} * {k.size(strides[3])}, mask={flat.mask}).to({kind})", "v") for place in (d, partner)
        )
        values = []
        for operand, table in ((1, cos), (2, sin)):
            row = _row(k, flat, table, positions, batch, step)
            address = f"{k.pointer(operand, table)} + {row} + {pair} * {k.size(table.strides[-1])} + {zero}"
            values.append(k.let(f"tl.load({address}, mask={turns}, other=0).to({kind})", "v"))
        c, s = values
        forward = f"tl.where({first}, {own} * {c} - {other} * ({sign}{s}), {own} * {c} + {other} * ({sign}{s}))"
        result = k.let(f"tl.where({d} < {turned}, {forward}, {own})", "v")
        k.line(f"tl.store({k.pointer(len(inputs), y, written=True)} + i, {result}.to({language_type(y.dtype)}), mask={flat.mask})")
        return CudaLowering((flat.launch(),))

    return lower


LOWER: dict[str, Lower] = {"rope": _lower(""), "rope_backward": _lower("-")}
"""The ops of this file by name."""
