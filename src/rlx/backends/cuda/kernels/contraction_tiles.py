"""Products by tiles: `tl.dot`, the elementwise nodes on the tile, and a store; a tile may split the depth among blocks.

Two products of one left operand (gate and up) are two accumulators. With few rows the weights are what counts: blocks ask for theirs
into the cache of the GPU before they wait for the kernel before them.
"""

from __future__ import annotations

from dataclasses import replace

from rlx.backends.cuda.kernel_data import CudaTensor, EarlyKernel, Launch
from rlx.backends.cuda.kernels.contraction_body import Contraction
from rlx.backends.cuda.kernels.folds import Folding
from rlx.backends.cuda.kernels.products import MatrixStrides
from rlx.backends.cuda.kernels.single_op_body import label_of
from rlx.backends.cuda.kernels.tiles import DotTile
from rlx.backends.cuda.register_types import carried
from rlx.backends.cuda.text import KernelText, power_of_two
from rlx.core.dim import Size
from rlx.core.dtype import DType

_LEAST = 16  # of every side of a tile
_FEW = 64  # rows up to which weights are asked for ahead


def write_tiles(contraction: Contraction, tile: DotTile | None = None) -> tuple[Launch, ...]:
    """One kernel; or one of shares of the depth, and one that adds them up."""
    tile = _usual(contraction) if tile is None else _fitted(contraction, tile)
    launch = _written(contraction, tile, early=False)
    if _reads_ahead(contraction, tile):
        operands = tuple(dict.fromkeys(contraction.leaves[product.right] for product in contraction.products))
        early = EarlyKernel(_written(contraction, tile, early=True).kernel, operands)
        launch = replace(launch, early=(early,))
    return (launch,) if tile.splits == 1 else (launch, _joined(contraction, tile))


def partial_sums(contraction: Contraction, tile: DotTile) -> CudaTensor | None:
    """Where the shares of the depth are written, if there are any: products, splits, rows, columns."""
    tile = _fitted(contraction, tile)
    if tile.splits == 1:
        return None
    assert isinstance(contraction.rows, int) and isinstance(contraction.columns, int)
    count = len(contraction.products) * tile.splits * contraction.rows * contraction.columns
    dtype = contraction.accumulates()
    return CudaTensor(DType.of("f32") if dtype.is_low_float else dtype, (count,), (1,))


def _usual(of: Contraction) -> DotTile:
    """By the dtype: large tiles that many rows fill."""
    by_dot = _by_dot(of)
    wide = of.dtype.size <= 2 and by_dot
    most = (128, 128, 64) if wide else (64, 64, 32) if by_dot else (16, 16, 16)
    rows, columns, depth = (
        max(_LEAST, min(power_of_two(size), limit)) if isinstance(size, int) else limit
        for size, limit in zip((of.rows, of.columns, of.depth), most, strict=True)
    )
    return DotTile(rows, columns, depth, 8 if rows * columns >= 128 * 128 else 4, 3 if wide else 2)


def _fitted(of: Contraction, tile: DotTile) -> DotTile:
    """A tile that is not larger than its problem; sums of shares are in the dtype of the accumulator, and of one batch."""
    assert isinstance(of.depth, int) and isinstance(of.columns, int)
    columns = max(_LEAST, min(tile.columns, power_of_two(of.columns)))
    depth = max(_LEAST, min(tile.depth, power_of_two(of.depth)))
    splits = tile.splits
    while splits > 1 and (of.batch or of.depth % (splits * depth) or not isinstance(of.rows, int)):
        splits //= 2
    return replace(tile, columns=columns, depth=depth, splits=splits)


def _by_dot(of: Contraction) -> bool:
    return of.dtype.is_float and of.dtype.name != "f64"


def _reads_ahead(of: Contraction, tile: DotTile) -> bool:
    """Whether a block asks for its weights before it waits: rows of whole vectors, and few rows of the result."""
    few = isinstance(of.rows, int) and of.rows <= _FEW and not of.batch
    if not few or not isinstance(of.depth, int) or not isinstance(of.columns, int) or of.columns % tile.columns:
        return False
    share = of.depth // tile.splits * of.dtype.size
    return all(one.turned and of.given[one.right].is_dense for one in of.products) and share % 16 == 0


def _written(of: Contraction, tile: DotTile, early: bool) -> Launch:
    k = KernelText("contraction" if tile.splits == 1 else "contraction_share", waits_later=early)
    grid: tuple[Size, ...] = of.begin(k, tile.rows, tile.columns)
    rights = [(of.right_base(k, one), of.right(one)) for one in of.products]
    first, end = "0", k.size(of.depth)
    if tile.splits > 1:
        assert isinstance(of.depth, int)
        grid = (*grid, tile.splits)
        share = of.depth // tile.splits
        first = k.let(f"tl.program_id(1) * {share}", "f")
        end = k.let(f"{first} + {share}", "e")
    if early:
        assert isinstance(of.depth, int)
        size = of.depth // tile.splits * of.dtype.size
        for pointer, matrix in rights:
            k.line(f"prefetch({pointer} + n * {k.size(matrix.columns)} + {first}, {size})")
        k.wait()
    names = _multiplied(k, of, tile, rights, first, end)
    shape, mask = f"({tile.rows}, {tile.columns})", "in_m[:, None] & in_n[None, :]"
    if tile.splits == 1:
        of.finish(k, names, shape, "m[:, None]", "n[None, :]", mask)
    else:
        pointer = k.pointer(of.target + 1, _partial(of, tile), written=True)
        for place, name in enumerate(names):
            number = f"(({place * tile.splits} + tl.program_id(1)) * {of.rows} + m[:, None]) * {of.columns} + n[None, :]"
            k.line(f"tl.store({pointer} + {number}, {name}, mask={mask})")
    return k.launch(grid, warps=tile.warps, stages=tile.stages, name=label_of(of.body, "contraction"))


def _partial(of: Contraction, tile: DotTile) -> CudaTensor:
    found = partial_sums(of, tile)
    assert found is not None
    return found


def _multiplied(
    k: KernelText, of: Contraction, tile: DotTile, rights: list[tuple[str, MatrixStrides]], first: str, end: str
) -> list[str]:
    """The accumulators after a walk along the depth: by tl.dot; f64 and integers by products and a sum."""
    accumulator, left = carried(of.accumulates()), of.left()
    x = of.base(k, of.leaves[of.products[0].left], left)
    k.line(f"kk = tl.arange(0, {tile.depth}).to({of.index})")
    names = [k.let(f"tl.full(({tile.rows}, {tile.columns}), 0, {accumulator})", "a") for _ in rights]
    few = isinstance(of.rows, int) and of.rows <= tile.rows
    once = ', eviction_policy="evict_first"' if few else ""
    with k.block(f"for start in range({first}, {end}, {tile.depth})"):
        k.line("kn = start + kk")
        k.line(f"in_k = kn < {end}")
        offset = k.offset(["m[:, None]", "kn[None, :]"], (left.rows, left.columns))
        zero = f"tl.full(({tile.rows}, {tile.depth}), 0, tl.int32)"
        k.line(f"u = tl.load({x} + {offset} + {zero}, mask=in_m[:, None] & in_k[None, :], other=0)")
        for (pointer, matrix), name in zip(rights, names, strict=True):
            offset = k.offset(["kn[:, None]", "n[None, :]"], (matrix.rows, matrix.columns))
            zero = f"tl.full(({tile.depth}, {tile.columns}), 0, tl.int32)"
            k.line(f"w = tl.load({pointer} + {offset} + {zero}, mask=in_k[:, None] & in_n[None, :], other=0{once})")
            if _by_dot(of):
                k.line(f'{name} = tl.dot(u, w, {name}, input_precision="ieee")')
                continue
            add = Folding("sum", of.accumulates()).function(k)
            summed = f"tl.reduce((u[:, :, None] * w[None, :, :]).to({accumulator}), 1, {add})"
            k.line(f"{name} = ({name} + {summed}).to({accumulator})")
    return names


def _joined(of: Contraction, tile: DotTile) -> Launch:
    """The shares of each product added up in order, then what follows it."""
    rows, columns = 4, min(128, tile.columns * 2)
    k = KernelText("contraction_join")
    grid = of.begin(k, rows, columns)
    shape, mask = f"({rows}, {columns})", "in_m[:, None] & in_n[None, :]"
    pointer = k.pointer(of.target + 1, _partial(of, tile))
    names = []
    for place in range(len(of.products)):
        total = ""
        for split in range(tile.splits):
            number = f"({(place * tile.splits + split) * of.rows} + m[:, None]) * {of.columns} + n[None, :]"
            part = k.let(f"tl.load({pointer} + {number}, mask={mask}, other=0)", "v")
            total = k.let(f"{total} + {part}", "a") if total else part
        names.append(total)
    of.finish(k, names, shape, "m[:, None]", "n[None, :]", mask)
    launch = k.launch(grid, warps=4, name=label_of(of.body, "contraction"))
    return replace(launch, reads=(of.target + 1,))
