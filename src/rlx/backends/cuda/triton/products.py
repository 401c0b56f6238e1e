# ruff: noqa: RUF005 - a tuple display of Triton has no starred parts
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-decorators, allow-untyped-calls, disable-error-code=assignment
"""Products as Triton functions. `kernels/product_kernels.py` chooses their arguments and grids.

A matrix is a tuple: its pointer, its strides along the batch axes, along its rows and along its columns. `weights` are the right operands
of one or more products of the same left operand. What follows the sums is a generated function, `epilogue`, as is what computes rows of
the left operand (`prologue`): they take their pointers and sizes as a tuple, `..._operands`.
"""

import triton
import triton.language as tl


@triton.jit
def combine_sum(a, b):
    return a + b


@triton.jit
def matrix_at(pointer, batch_steps, row_step, column_step, batch, batch_dims, row, column):
    """The addresses of elements of the matrix whose flat number among the batches is `batch`."""
    for axis in tl.static_range(len(batch_dims) - 1, -1, -1):
        pointer += (batch % batch_dims[axis] if axis > 0 else batch) * batch_steps[axis]
        batch = batch // batch_dims[axis]
    return pointer + row * row_step + column * column_step


@triton.jit
def load_tile(address, in_rows, in_columns, EVEN_ROWS: tl.constexpr, EVEN_COLUMNS: tl.constexpr):
    """A tile whose rows or columns can stick out of the matrix: what does is 0."""
    if EVEN_ROWS:
        if EVEN_COLUMNS:
            return tl.load(address)
        else:
            return tl.load(address, mask=in_columns[None, :], other=0)
    else:
        if EVEN_COLUMNS:
            return tl.load(address, mask=in_rows[:, None], other=0)
        else:
            return tl.load(address, mask=in_rows[:, None] & in_columns[None, :], other=0)


@triton.jit
def zero_tiles(COUNT: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, dtype: tl.constexpr):
    """Accumulators."""
    tiles = ()
    for _ in tl.static_range(COUNT):
        tiles = tiles + (tl.full((ROWS, COLUMNS), 0, dtype),)
    return tiles


# -- tiles of any dtype, and shares of the depth ---------------------------------------------------------------------
@triton.jit
def multiply_add(u, w, total, BY_DOT: tl.constexpr):
    """total + u·w. f64 and integers are multiplied number by number."""
    if BY_DOT:
        return tl.dot(u, w, total, input_precision="ieee")
    else:
        products = (u[:, :, None] * w[None, :, :]).to(total.dtype)
        return (total + tl.reduce(products, 1, combine_sum)).to(total.dtype)


@triton.jit
def add_products(u, weights, sums, n, kn, in_n, in_k, batch, batch_dims, ONCE: tl.constexpr, BY_DOT: tl.constexpr):
    """The sums with the products of a tile of the left operand and one of each weight; ONCE: no other block reads that."""
    added = ()
    for place in tl.static_range(len(weights)):
        address = matrix_at(*weights[place], batch, batch_dims, kn[:, None], n[None, :])
        if ONCE:
            w = tl.load(address, mask=in_k[:, None] & in_n[None, :], other=0, eviction_policy="evict_first")
        else:
            w = tl.load(address, mask=in_k[:, None] & in_n[None, :], other=0)
        added = added + (multiply_add(u, w, sums[place], BY_DOT),)
    return added


@triton.jit
def multiply_tiles(
    x, weights, y, partial, epilogue_operands, rows, columns, depth, batches, batch_dims, blocks_m, blocks_n,
    TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr, SPLITS: tl.constexpr, PREFETCHED: tl.constexpr,
    ONCE: tl.constexpr, BY_DOT: tl.constexpr, BOUNDED: tl.constexpr, SUMS: tl.constexpr, INDEX: tl.constexpr,
    wait: tl.constexpr, prefetch: tl.constexpr, epilogue: tl.constexpr,
):  # fmt: skip
    """A block multiplies a tile of rows with a tile of columns, or with SPLITS a share of their depth, whose sums go to `partial`.

    PREFETCHED: bytes of each column of the weights that the block asks for before it waits for the kernel before it; 0 for none.
    """
    if PREFETCHED == 0:
        wait()
    block = tl.program_id(0)
    n = (block % blocks_n).to(INDEX) * TILE_N + tl.arange(0, TILE_N)
    m = (block // blocks_n % blocks_m).to(INDEX) * TILE_M + tl.arange(0, TILE_M)
    batch = (block // blocks_n // blocks_m).to(INDEX)
    in_m, in_n = (m < rows) & (batch < batches) if BOUNDED else m < rows, n < columns
    first, end = 0, depth
    if SPLITS > 1:
        first = tl.program_id(1) * (depth // SPLITS)
        end = first + depth // SPLITS
    if PREFETCHED > 0:
        for place in tl.static_range(len(weights)):
            prefetch(matrix_at(*weights[place], batch, batch_dims, first, n), PREFETCHED)
        wait()

    sums = zero_tiles(len(weights), TILE_M, TILE_N, SUMS)
    kk = tl.arange(0, TILE_K).to(INDEX)
    for start in range(first, end, TILE_K):
        kn = start + kk
        in_k = kn < end
        address = matrix_at(*x, batch, batch_dims, m[:, None], kn[None, :])
        u = tl.load(address, mask=in_m[:, None] & in_k[None, :], other=0)
        sums = add_products(u, weights, sums, n, kn, in_n, in_k, batch, batch_dims, ONCE, BY_DOT)

    mask = in_m[:, None] & in_n[None, :]
    if SPLITS > 1:
        for place in tl.static_range(len(weights)):
            share = place * SPLITS + tl.program_id(1)
            tl.store(partial + (share * rows + m[:, None]) * columns + n[None, :], sums[place], mask=mask)
    else:
        value = epilogue(sums, (), batch, m[:, None], n[None, :], mask, epilogue_operands)
        tl.store(matrix_at(*y, batch, batch_dims, m[:, None], n[None, :]), value, mask=mask)


@triton.jit
def join_shares(
    partial, y, epilogue_operands, rows, columns, blocks_m, blocks_n,
    COUNT: tl.constexpr, SPLITS: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr, INDEX: tl.constexpr, epilogue: tl.constexpr,
):  # fmt: skip
    """The shares of each product added in order, then what follows it."""
    block = tl.program_id(0)
    n = (block % blocks_n).to(INDEX) * TILE_N + tl.arange(0, TILE_N)
    m = (block // blocks_n % blocks_m).to(INDEX) * TILE_M + tl.arange(0, TILE_M)
    mask = (m < rows)[:, None] & (n < columns)[None, :]
    sums = ()
    for place in tl.static_range(COUNT):
        total = tl.load(partial + (place * SPLITS * rows + m[:, None]) * columns + n[None, :], mask=mask, other=0)
        for split in tl.static_range(place * SPLITS + 1, place * SPLITS + SPLITS):
            total += tl.load(partial + (split * rows + m[:, None]) * columns + n[None, :], mask=mask, other=0)
        sums = sums + (total,)
    value = epilogue(sums, (), 0, m[:, None], n[None, :], mask, epilogue_operands)
    tl.store(matrix_at(*y, 0, (), m[:, None], n[None, :]), value, mask=mask)


# -- many rows in 16 bits --------------------------------------------------------------------------------------------
@triton.jit
def large_product(
    x, weights, y, epilogue_operands, rows, columns, batches, batch_dims, blocks_m, blocks_n,
    DEPTH: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr, EVEN_M: tl.constexpr, EVEN_N: tl.constexpr,
    BOUNDED: tl.constexpr, SUMS: tl.constexpr, INDEX: tl.constexpr, epilogue: tl.constexpr,
):  # fmt: skip
    """Large tiles for the tensor cores: blocks take eight rows of tiles together, column by column, so that they share operands.

    Rows past the end read the last row instead, so that loads of complete tiles have no masks. Where sizes are symbols (BOUNDED), a block
    past the actual ones walks none of the depth.
    """
    block = tl.program_id(0)
    tiles = blocks_m * blocks_n
    batch = (block // tiles).to(INDEX)
    block = block % tiles
    top = block // (blocks_n * 8) * 8
    height = tl.minimum(blocks_m - top, 8)
    block = block % (blocks_n * 8)
    m = (top + block % height).to(INDEX) * TILE_M + tl.arange(0, TILE_M)
    n = (block // height).to(INDEX) * TILE_N + tl.arange(0, TILE_N)
    in_m, in_n = (m < rows) & (batch < batches), n < columns

    EVEN_K: tl.constexpr = DEPTH % TILE_K == 0
    kk = tl.arange(0, TILE_K)
    row = m if EVEN_M else tl.minimum(m, rows - 1)
    left = matrix_at(*x, batch, batch_dims, row[:, None], kk[None, :])
    rights = ()
    for place in tl.static_range(len(weights)):
        # neighbors in memory are masked: clamped, they would be loaded one by one
        column = n if EVEN_N or weights[place][3] == 1 else tl.minimum(n, columns - 1)
        rights = rights + (matrix_at(*weights[place], batch, batch_dims, kk[:, None], column[None, :]),)
    sums = zero_tiles(len(weights), TILE_M, TILE_N, SUMS)
    for start in range(0, tl.where(batch < batches, DEPTH, 0) if BOUNDED else DEPTH, TILE_K):
        in_k = start + kk < DEPTH
        u = load_tile(left + start * x[3], None, in_k, True, EVEN_K)
        added = ()
        for place in tl.static_range(len(weights)):
            w = load_tile(rights[place] + start * weights[place][2], in_k, in_n, EVEN_K, EVEN_N or weights[place][3] != 1)
            added = added + (tl.dot(u, w, sums[place]),)
        sums = added
    mask = in_m[:, None] & in_n[None, :]
    value = epilogue(sums, (), batch, m[:, None], n[None, :], mask, epilogue_operands)
    tl.store(matrix_at(*y, batch, batch_dims, m[:, None], n[None, :]), value, mask=mask)


# -- few rows: one walk through the weights --------------------------------------------------------------------------
@triton.jit
def load_weights(weights, batch, batch_dims, n, kn, in_n, in_k, EVEN_N: tl.constexpr, EVEN_K: tl.constexpr):
    """A tile of each weight, columns × depth, read once."""
    tiles = ()
    for place in tl.static_range(len(weights)):
        address = matrix_at(*weights[place], batch, batch_dims, kn[None, :], n[:, None])
        if EVEN_N and EVEN_K:
            tile = tl.load(address, eviction_policy="evict_first")
        elif EVEN_N:
            tile = tl.load(address, mask=in_k[None, :], other=0, eviction_policy="evict_first")
        elif EVEN_K:
            tile = tl.load(address, mask=in_n[:, None], other=0, eviction_policy="evict_first")
        else:
            tile = tl.load(address, mask=in_n[:, None] & in_k[None, :], other=0, eviction_policy="evict_first")
        tiles = tiles + (tile,)
    return tiles


@triton.jit
def sum_rows(
    x, tiles, batch, batch_dims, rows, kn, in_k, known, prologue_operands,
    ROWS: tl.constexpr, BOUNDED: tl.constexpr, SUMS: tl.constexpr, prologue: tl.constexpr,
):  # fmt: skip
    """For each weight and each row of the left operand, the sums along the depth of these tiles."""
    values = ()
    for row in tl.static_range(ROWS):
        if prologue is not None:
            value = prologue(batch * rows + row, row < rows if BOUNDED else True, known, kn, in_k, prologue_operands)
        else:
            mask = in_k & (row < rows) if BOUNDED else in_k
            value = tl.load(matrix_at(*x, batch, batch_dims, row, kn), mask=mask, other=0)
        values = values + (value.to(SUMS),)
    sums = ()
    for place in tl.static_range(len(tiles)):
        wide = tiles[place].to(SUMS)
        for row in tl.static_range(ROWS):
            sums = sums + (tl.reduce(wide * values[row][None, :], 1, combine_sum),)
    return sums


@triton.jit
def every(values, first: tl.constexpr, STEP: tl.constexpr):
    """Every STEP-th of some values, from the first on."""
    chosen = ()
    for place in tl.static_range(first, len(values), STEP):
        chosen = chosen + (values[place],)
    return chosen


@triton.jit
def zero_rows(COUNT: tl.constexpr, COLUMNS: tl.constexpr, dtype: tl.constexpr):
    """Accumulators of rows."""
    rows = ()
    for _ in tl.static_range(COUNT):
        rows = rows + (tl.full((COLUMNS,), 0, dtype),)
    return rows


@triton.jit
def load_beside(batch, rows, n, in_n, operands, ROWS: tl.constexpr, BOUNDED: tl.constexpr, beside: tl.constexpr):
    """What the epilogue of each row reads."""
    known = ()
    for row in tl.static_range(ROWS):
        known = known + (beside(batch, batch * 0 + row, n, in_n & (row < rows) if BOUNDED else in_n, operands),)
    return known


@triton.jit
def walk_weights(
    x, weights, y, beside_operands, epilogue_operands, shared_operands, prologue_operands, rows, columns, batches, batch_dims, blocks,
    ROWS: tl.constexpr, DEPTH: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr, EVEN_N: tl.constexpr, BOUNDED: tl.constexpr,
    SUMS: tl.constexpr, INDEX: tl.constexpr, EARLY: tl.constexpr, wait: tl.constexpr,
    beside: tl.constexpr, epilogue: tl.constexpr, shared: tl.constexpr, prologue: tl.constexpr,
):  # fmt: skip
    """A block reads complete columns of the weights, in the order in which they lie, and multiplies each row with them.

    Columns that fit the registers are loaded before the block waits for the kernel before it (EARLY), with what all rows of the prologue
    share (`shared`); then what the epilogue reads (`beside`), so that nothing waits for it at the end. Longer ones are walked.
    """
    if not EARLY:
        wait()
    block = tl.program_id(0)
    n = (block % blocks).to(INDEX) * TILE_N + tl.arange(0, TILE_N)
    batch = (block // blocks).to(INDEX)
    in_n = (n < columns) & (batch < batches)
    kk = tl.arange(0, TILE_K).to(INDEX)
    EVEN_K: tl.constexpr = DEPTH % TILE_K == 0
    if TILE_K >= DEPTH:
        in_k = kk < DEPTH
        tiles = load_weights(weights, batch, batch_dims, n, kk, in_n, in_k, EVEN_N, EVEN_K)
        known = () if prologue is None else shared(kk, in_k, shared_operands)
        if EARLY:
            wait()
        known_beside = load_beside(batch, rows, n, in_n, beside_operands, ROWS, BOUNDED, beside)
        sums = sum_rows(x, tiles, batch, batch_dims, rows, kk, in_k, known, prologue_operands, ROWS, BOUNDED, SUMS, prologue)
    else:
        sums = zero_rows(len(weights) * ROWS, TILE_N, SUMS)
        for start in range(0, DEPTH, TILE_K):
            kn = start + kk
            tiles = load_weights(weights, batch, batch_dims, n, kn, in_n, kn < DEPTH, EVEN_N, EVEN_K)
            parts = sum_rows(x, tiles, batch, batch_dims, rows, kn, kn < DEPTH, (), (), ROWS, BOUNDED, SUMS, None)
            added = ()
            for place in tl.static_range(len(weights) * ROWS):
                added = added + ((sums[place] + parts[place]).to(SUMS),)
            sums = added
    for row in tl.static_range(ROWS):
        m = batch * 0 + row
        mask = in_n & (row < rows) if BOUNDED else in_n
        value = epilogue(every(sums, row, ROWS), known_beside[row] if TILE_K >= DEPTH else (), batch, m, n, mask, epilogue_operands)
        tl.store(matrix_at(*y, batch, batch_dims, m, n), value, mask=mask)
