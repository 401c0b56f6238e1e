# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-decorators, allow-untyped-calls
"""Attention as Triton functions. `kernels/attention.py` and `kernels/attention_step.py` choose their arguments and grids.

A tensor of heads is a tuple: its pointer, then its strides along batch, position, head and element. A row of a block is a query of one of
the heads that share a key and value head, so these are read once for all of them.
"""

import triton
import triton.language as tl
from triton.language.extra import libdevice

LOG2_E = tl.constexpr(1.4426950408889634)


@triton.jit
def combine_max(a, b):
    return tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def combine_min(a, b):
    return tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def combine_larger(a, b):
    return tl.maximum(a, b)


@triton.jit
def heads_at(pointer, batch_step, position_step, head_step, element_step, batch, head, position, d):
    """The addresses of elements `d` of heads."""
    return pointer + batch * batch_step + head * head_step + position * position_step + d * element_step


@triton.jit
def entry(pointer, step, batch):
    """A number of a row of the batch: a position, a length."""
    return tl.load(pointer + batch * step)


# -- the running softmax ---------------------------------------------------------------------------------------------
@triton.jit
def score(q, keys, SCALE: tl.constexpr, SOFTCAP: tl.constexpr):
    scores = tl.dot(q, keys, input_precision="ieee") * SCALE
    if SOFTCAP is not None:
        scores = libdevice.tanh(scores * (1 / SOFTCAP)) * SOFTCAP
    return scores


@triton.jit
def empty_softmax(ROWS: tl.constexpr, WIDE: tl.constexpr):
    """Before the first chunk of keys: the sum of the weights, the largest score, the mixed values."""
    top = tl.full((ROWS,), float("-inf"), tl.float32)
    return tl.full((ROWS,), 0.0, tl.float32), top, tl.full((ROWS, WIDE), 0.0, tl.float32)


@triton.jit
def update_softmax(scores, visible, total, top):
    """The weights of a chunk of keys, the factor of all chunks before it, and the new sum and largest score."""
    scores = tl.where(visible, scores, float("-inf"))
    largest = tl.maximum(top, tl.reduce(scores, 1, combine_max), propagate_nan=tl.PropagateNan.ALL)
    base = tl.where(largest == float("-inf"), 0.0, largest)
    weights = tl.exp2((scores - base[:, None]) * LOG2_E)
    factor = tl.exp2((top - base) * LOG2_E)
    return weights, factor, total * factor + tl.sum(weights, 1), largest


@triton.jit
def add_values(weights, factor, values, mixed):
    """The mixed values with those of a chunk. Weights of 16-bit values are in two parts, so that the result is rounded once."""
    mixed = mixed * factor[:, None]
    if values.dtype == tl.float32:
        return tl.dot(weights, values, mixed, input_precision="ieee")
    else:
        large = weights.to(values.dtype)
        small = (weights - large.to(tl.float32)).to(values.dtype)
        return tl.dot(small, values, tl.dot(large, values, mixed))


@triton.jit
def store_result(result, batch, head, position, d, mask, total, mixed):
    """The mixed values divided by the sum of their weights; 0 where there are none."""
    value = mixed / tl.where(total == 0.0, 1.0, total)[:, None]
    tl.store(heads_at(*result, batch, head, position, d), value.to(result[0].dtype.element_ty), mask=mask)


# -- keys split among blocks -----------------------------------------------------------------------------------------
@triton.jit
def share_of_keys(low, high, split, SPLITS: tl.constexpr):
    """The keys from `low` up to `high` that a split has."""
    share = (tl.maximum(high - low, 0) + (SPLITS - 1)) // SPLITS
    low = low + split * share
    return low, tl.minimum(high, low + share)


@triton.jit
def part_of(batch, kv_head, row, split, rows, KV_HEADS: tl.constexpr, SPLITS: tl.constexpr):
    """Where a split stores a row: its number among all parts."""
    return ((batch * KV_HEADS + kv_head) * rows + row) * SPLITS + split


@triton.jit
def store_part(partial, stats, part, d, mask, total, top, mixed, WIDE: tl.constexpr):
    """The mixed values, the largest score and the sum of the weights of a split."""
    tl.store(partial + part[:, None] * WIDE + d[None, :], mixed, mask=mask[:, None])
    tl.store(stats + part * 2, top, mask=mask)
    tl.store(stats + part * 2 + 1, total, mask=mask)


@triton.jit
def attention_join(
    partial, stats, result, batches, rows,
    KV_HEADS: tl.constexpr, GROUP: tl.constexpr, HEAD_DIM: tl.constexpr, WIDE: tl.constexpr, SPLITS: tl.constexpr,
):  # fmt: skip
    """A block adds the parts of one row of the result."""
    block = tl.program_id(0).to(tl.int64)
    row = block % rows
    kv_head = (block // rows) % KV_HEADS
    batch = block // (rows * KV_HEADS)
    inside = batch < batches
    d = tl.arange(0, WIDE)
    own = tl.where(inside, batch, 0)
    part = part_of(batch, kv_head, row, tl.arange(0, SPLITS), rows, KV_HEADS, SPLITS)
    top = tl.load(stats + part * 2, mask=inside, other=float("-inf"))
    total = tl.load(stats + part * 2 + 1, mask=inside, other=0.0)
    best = tl.reduce(top, 0, combine_max)
    best = tl.where(best == float("-inf"), 0.0, best)
    factor = tl.exp2((top - best) * LOG2_E)
    values = tl.load(partial + part[:, None] * WIDE + d[None, :], mask=inside, other=0.0)
    mixed = tl.sum(values * factor[:, None], 0, keep_dims=True)
    total = tl.sum(total * factor, 0, keep_dims=True)
    head = kv_head * GROUP + row % GROUP
    store_result(result, own, head, row // GROUP, d[None, :], inside & (d < HEAD_DIM)[None, :], total, mixed)


# -- a step of decode ------------------------------------------------------------------------------------------------
@triton.jit
def table_row(positions, batch, rows, batch_step, row_step):
    """The offset of a row of a rope's table: that of a position, where there are any, else that of the row of the batch."""
    if positions is None:
        return batch * batch_step
    else:
        row = entry(*positions, batch).to(tl.int64)
        row = tl.where(row < 0, row + rows, row)
        return tl.maximum(tl.minimum(row, rows - 1), 0) * row_step


@triton.jit
def angles_of(cos, sin, positions, ROTATED: tl.constexpr, INTERLEAVED: tl.constexpr, batch, d):
    """For each element of a head: its cosine, its signed sine, the element it is paired with, whether it rotates."""
    HALF: tl.constexpr = ROTATED // 2
    if INTERLEAVED:
        partner, pair, first = d ^ 1, d // 2, (d % 2) == 0
    else:
        partner, pair, first = tl.where(d < HALF, d + HALF, d - HALF), tl.where(d < HALF, d, d - HALF), d < HALF
    rotates = d < ROTATED
    pair = tl.where(rotates, pair, 0)
    cosine = tl.load(cos[0] + table_row(positions, batch, *cos[1]) + pair * cos[2], mask=rotates, other=0).to(tl.float32)
    sine = tl.load(sin[0] + table_row(positions, batch, *sin[1]) + pair * sin[2], mask=rotates, other=0).to(tl.float32)
    return cosine, tl.where(first, -sine, sine), tl.where(rotates, partner, d), rotates


@triton.jit
def rotate(heads, d, cosine, sine, partner, rotates, element_step, mask, dtype: tl.constexpr):
    """Elements of heads, loaded and rotated."""
    own = tl.load(heads + d * element_step, mask=mask, other=0).to(tl.float32)
    other = tl.load(heads + partner * element_step, mask=mask, other=0).to(tl.float32)
    return tl.where(rotates, own * cosine + other * sine, own).to(dtype)


@triton.jit
def load_queries(q, batch, head, d, mask, angles, dtype: tl.constexpr):
    """The query of each head, rotated where there are angles."""
    heads = heads_at(*q, batch, head[:, None], 0, 0)
    if angles is None:
        return tl.load(heads + d[None, :] * q[4], mask=mask, other=0)
    else:
        cosine, sine, partner, rotates = angles
        return rotate(heads, d[None, :], cosine[None, :], sine[None, :], partner[None, :], rotates[None, :], q[4], mask, dtype)


@triton.jit
def step_limit(position, length, batch, key_count, BEYOND: tl.constexpr, INDEX: tl.constexpr):
    """How many keys there are: by the length, or what follows from the position."""
    if BEYOND is not None:
        return tl.minimum(position + BEYOND, key_count)
    elif length is not None:
        return tl.minimum(entry(*length, batch).to(INDEX), key_count)
    else:
        return position * 0 + key_count


@triton.jit
def load_cached(cache, batch, kv_head, j, d, mask):
    """A tile of a cache; `j` and `d` are already rows or columns of it."""
    return tl.load(heads_at(*cache, batch, kv_head, j, d), mask=mask, other=0)


@triton.jit
def load_old_rows(keys, values, batch, kv_head, j, d, in_d, high, key_row, value_row):
    """Cached keys (one in each column) and values (one in each row) up to `high`, without the rows that are new."""
    old_keys = ((j < high) & (j != key_row))[None, :] & in_d[:, None]
    old_values = ((j < high) & (j != value_row))[:, None] & in_d[None, :]
    tile = load_cached(keys, batch, kv_head, j[None, :], d[:, None], old_keys)
    return tile, load_cached(values, batch, kv_head, j[:, None], d[None, :], old_values)


@triton.jit
def store_new_rows(
    new_key, new_value, keys_now, values_now, batch, kv_head, key_row, value_row, d, in_d, writes, angles, dtype: tl.constexpr
):  # fmt: skip
    """The new key, rotated where there are angles, and the new value of this head: stored where `writes`, and returned."""
    head = heads_at(*new_key, batch, kv_head, 0, 0)
    if angles is None:
        key = tl.load(head + d * new_key[4], mask=in_d, other=0)
    else:
        key = rotate(head, d, *angles, new_key[4], in_d, dtype)
    tl.store(heads_at(*keys_now, batch, kv_head, key_row, d), key, mask=writes)
    value = tl.load(heads_at(*new_value, batch, kv_head, 0, d), mask=in_d, other=0)
    tl.store(heads_at(*values_now, batch, kv_head, value_row, d), value, mask=writes)
    return key, value


@triton.jit
def attend_step(
    q, keys, values, j, high, limit, new_rows, key_row, value_row, in_row, total, top, mixed, SCALE: tl.constexpr, SOFTCAP: tl.constexpr
):  # fmt: skip
    """A chunk of the cached keys `j`, with the new key and value in their rows."""
    new_key, new_value = new_rows
    in_j = (j < high) & (j < limit)
    keys = tl.where((j == key_row)[None, :], new_key[:, None], keys)
    visible = in_row[:, None] & in_j[None, :]
    weights, factor, total, top = update_softmax(score(q, keys, SCALE, SOFTCAP), visible, total, top)
    values = tl.where((j == value_row)[:, None], new_value[None, :], values)
    values = tl.where(in_j[:, None], values, tl.full((), 0, values.dtype))  # NaN past the length has no effect
    return total, top, add_values(weights, factor, values, mixed)


@triton.jit
def attention_step(
    q, new_key, new_value, keys, values, keys_now, values_now,
    position, key_start, value_start, length, q_rope, k_rope, partial, stats, batches, key_count,
    KV_HEADS: tl.constexpr, GROUP: tl.constexpr, ROWS: tl.constexpr, HEAD_DIM: tl.constexpr, WIDE: tl.constexpr,
    CHUNK: tl.constexpr, SPLITS: tl.constexpr, WINDOW: tl.constexpr, BEYOND: tl.constexpr, SCALE: tl.constexpr, SOFTCAP: tl.constexpr,
    INDEX: tl.constexpr, EARLY: tl.constexpr, wait: tl.constexpr,
):  # fmt: skip
    """One token of each row of the batch: rope, the new rows of the caches, and a share of the cached keys in each block.

    Before it waits for the kernel before it, a block reads its share of the caches (EARLY "caches"), and the length and the angles too
    ("all"): of the caches this launch writes only the new rows, and those it computes instead of reading them. The last split stores
    them. BEYOND is how many keys there are after the position, where the length is computed so.
    """
    if EARLY == "nothing":
        wait()
    block = tl.program_id(0).to(INDEX)
    split = block % SPLITS
    kv_head = (block // SPLITS) % KV_HEADS
    inside = block // SPLITS // KV_HEADS < batches
    batch = tl.minimum(block // SPLITS // KV_HEADS, batches - 1)
    row, d = tl.arange(0, ROWS), tl.arange(0, WIDE)
    in_row, in_d = (row < GROUP) & inside, d < HEAD_DIM

    now = entry(*position, batch).to(INDEX)
    key_row = tl.maximum(tl.minimum(entry(*key_start, batch).to(INDEX), key_count - 1), 0)
    value_row = tl.maximum(tl.minimum(entry(*value_start, batch).to(INDEX), key_count - 1), 0)
    low = now * 0 if WINDOW is None else tl.maximum(now - (WINDOW - 1), 0)
    low, high = share_of_keys(low, tl.minimum(now + 1, key_count), split, SPLITS)
    j = low + tl.arange(0, CHUNK)
    old_keys, old_values = load_old_rows(keys, values, batch, kv_head, j, d, in_d, high, key_row, value_row)
    if EARLY == "caches":
        wait()
    limit = step_limit(now, length, batch, key_count, BEYOND, INDEX)
    q_angles = None if q_rope is None else angles_of(*q_rope, batch, d)
    k_angles = q_angles if k_rope == "that of q" else None if k_rope is None else angles_of(*k_rope, batch, d)
    if EARLY == "all":
        wait()

    dtype: tl.constexpr = keys_now[0].dtype.element_ty
    x = load_queries(q, batch, kv_head * GROUP + row, d, in_row[:, None] & in_d[None, :], q_angles, dtype)
    writes = in_d & (split == SPLITS - 1) & inside
    new_rows = store_new_rows(
        new_key, new_value, keys_now, values_now, batch, kv_head, key_row, value_row, d, in_d, writes, k_angles, dtype
    )
    total, top, mixed = empty_softmax(ROWS, WIDE)
    total, top, mixed = attend_step(
        x, old_keys, old_values, j, high, limit, new_rows, key_row, value_row, in_row, total, top, mixed, SCALE, SOFTCAP
    )
    for start in range(low + CHUNK, high, CHUNK):
        i = start + tl.arange(0, CHUNK)
        more_keys, more_values = load_old_rows(keys, values, batch, kv_head, i, d, in_d, high, key_row, value_row)
        total, top, mixed = attend_step(
            x, more_keys, more_values, i, high, limit, new_rows, key_row, value_row, in_row, total, top, mixed, SCALE, SOFTCAP
        )
    part = part_of(batch, kv_head, row, split, GROUP, KV_HEADS, SPLITS)
    store_part(partial, stats, part, d, in_row, total, top, mixed, WIDE)


# -- attention of any number of queries ------------------------------------------------------------------------------
@triton.jit
def visible_keys(position, length, batch, batches, queries, key_count, query, in_row, CAUSAL: tl.constexpr, WINDOW: tl.constexpr):
    """The position of the first query, and the keys from and up to which some row of the block sees."""
    batch = tl.minimum(batch, batches - 1)
    high = batch * 0 + key_count
    if length is not None:
        high = tl.minimum(entry(*length, batch).to(tl.int64), high)
    if position is not None:
        first = entry(*position, batch).to(tl.int64)
    else:
        first = high - queries
    low = high * 0
    if WINDOW is not None:
        earliest = tl.reduce(tl.where(in_row, query, tl.full((), 1073741824, tl.int64)), 0, combine_min)
        low = tl.maximum(low, first + earliest - (WINDOW - 1))
    if CAUSAL:
        high = tl.minimum(high, first + tl.reduce(tl.where(in_row, query, -1), 0, combine_max) + 1)
    return first, low, high


@triton.jit
def attend_chunk(
    x, keys, values, shown, bias, batch, kv_head, head, query, first, j, d, in_row, in_j, in_d, total, top, mixed,
    CAUSAL: tl.constexpr, WINDOW: tl.constexpr, SCALE: tl.constexpr, SOFTCAP: tl.constexpr,
):  # fmt: skip
    """A chunk of the keys `j`: their scores, the running softmax, and the values it weighs."""
    u = load_cached(keys, batch, kv_head, j[None, :], d[:, None], in_j[None, :] & in_d[:, None])
    scores = score(x, u, SCALE, SOFTCAP)
    if bias is not None:
        address = heads_at(*bias, batch, head[:, None], query[:, None], j[None, :])
        scores += tl.load(address, mask=in_row[:, None] & in_j[None, :], other=0).to(tl.float32)
    if shown is not None:
        in_j = in_j & (tl.load(shown[0] + batch * shown[1] + j * shown[2], mask=in_j, other=0) != 0)
    visible = in_row[:, None] & in_j[None, :]
    if CAUSAL:
        visible = visible & (j[None, :] <= first + query[:, None])
    if WINDOW is not None:
        visible = visible & (j[None, :] > first + query[:, None] - WINDOW)
    weights, factor, total, top = update_softmax(scores, visible, total, top)
    v = load_cached(values, batch, kv_head, j[:, None], d[None, :], in_j[:, None] & in_d[None, :])
    return total, top, add_values(weights, factor, v, mixed)


@triton.jit
def walk_keys(
    q, keys, values, result, shown, bias, position, length, partial, stats, batches, queries, key_count, rows, blocks,
    KV_HEADS: tl.constexpr, GROUP: tl.constexpr, ROWS: tl.constexpr, HEAD_DIM: tl.constexpr, WIDE: tl.constexpr, CHUNK: tl.constexpr,
    SPLITS: tl.constexpr, CAUSAL: tl.constexpr, WINDOW: tl.constexpr, SCALE: tl.constexpr, SOFTCAP: tl.constexpr,
):  # fmt: skip
    """A block walks the keys that its queries see, or with SPLITS its share of them, which `attention_join` adds to the others.

    `shown` is a mask of keys (pointer, strides of batch and key), `bias` is added to the scores (pointer, strides of batch, query, head
    and key); both may be None, as `position`, the position of the first query, and `length`, how many keys there are.
    """
    block = tl.program_id(0).to(tl.int64)
    split = block % SPLITS
    block = block // SPLITS
    row = (block % blocks) * ROWS + tl.arange(0, ROWS)
    block = block // blocks
    kv_head = block % KV_HEADS
    batch = block // KV_HEADS
    in_row = (row < rows) & (batch < batches)
    batch = tl.minimum(batch, batches - 1)
    query = row // GROUP
    head = kv_head * GROUP + row % GROUP
    d = tl.arange(0, WIDE)
    in_d = d < HEAD_DIM
    first, low, high = visible_keys(position, length, batch, batches, queries, key_count, query, in_row, CAUSAL, WINDOW)
    begin = (low // CHUNK) * CHUNK
    if SPLITS > 1:
        low, high = share_of_keys(low, high, split, SPLITS)
        begin = low

    in_heads = in_row[:, None] & in_d[None, :]
    x = tl.load(heads_at(*q, batch, head[:, None], query[:, None], d[None, :]), mask=in_heads, other=0)
    total, top, mixed = empty_softmax(ROWS, WIDE)
    for start in range(begin, high, CHUNK):
        j = start + tl.arange(0, CHUNK)
        in_j = (j >= low) & (j < high)
        total, top, mixed = attend_chunk(
            x, keys, values, shown, bias, batch, kv_head, head, query, first, j, d, in_row, in_j, in_d, total, top, mixed,
            CAUSAL, WINDOW, SCALE, SOFTCAP,
        )  # fmt: skip
    if SPLITS > 1:
        part = part_of(batch, kv_head, row, split, rows, KV_HEADS, SPLITS)
        store_part(partial, stats, part, d, in_row, total, top, mixed, WIDE)
    else:
        store_result(result, batch, head[:, None], query[:, None], d[None, :], in_heads, total, mixed)


# -- many queries in 16 bits -----------------------------------------------------------------------------------------
@triton.jit
def flash_chunk(
    x, keys, values, start, jj, in_j, visible, total, top, mixed, key_step, value_step, SCALE: tl.constexpr, MASKED: tl.constexpr
):  # fmt: skip
    """A chunk of keys for tensor cores: scores in powers of two, the running softmax, and the values it weighs.

    Where every row sees every key there are no masks, the weights are rounded to 16 bits as the second product takes them, and the sum
    is of the rounded weights. A masked chunk has weights in two parts of 16 bits: what sees few keys is rounded once.
    """
    if MASKED:
        u = tl.load(keys + start * key_step, mask=in_j[None, :], other=0)
    else:
        u = tl.load(keys + start * key_step)
    scores = tl.dot(x, u) * SCALE
    if MASKED:
        scores = tl.where(visible, scores, float("-inf"))
    largest = tl.maximum(top, tl.reduce(scores, 1, combine_larger))
    base = tl.where(largest == float("-inf"), 0.0, largest)
    weights = tl.exp2(scores - base[:, None])
    factor = tl.exp2(top - base)
    large = weights.to(x.dtype)
    if MASKED:
        total = total * factor + tl.sum(weights, 1)
        v = tl.load(values + start * value_step, mask=in_j[:, None], other=0)
    else:
        total = total * factor + tl.sum(large.to(tl.float32), 1)
        v = tl.load(values + start * value_step)
    mixed = tl.dot(large, v, mixed * factor[:, None])
    if MASKED:
        mixed = tl.dot((weights - large.to(tl.float32)).to(x.dtype), v, mixed)
    return total, largest, mixed


@triton.jit
def flash(
    q, keys, values, result, position, length, batches, queries, key_count, rows, blocks,
    KV_HEADS: tl.constexpr, GROUP: tl.constexpr, ROWS: tl.constexpr, HEAD_DIM: tl.constexpr, WIDE: tl.constexpr, CHUNK: tl.constexpr,
    CAUSAL: tl.constexpr, SCALE: tl.constexpr,
):  # fmt: skip
    """A block walks the chunks that all its rows see without masks, then those at the diagonal and at the end.

    Blocks with the most keys of a causal mask come first. SCALE includes log2(e).
    """
    block = tl.program_id(0).to(tl.int64)
    heads = batches * KV_HEADS
    row_block = blocks - 1 - block // heads
    batch = (block % heads) // KV_HEADS
    kv_head = block % KV_HEADS
    row = row_block * ROWS + tl.arange(0, ROWS)
    in_row = (row >= 0) & (row < rows)
    query = row // GROUP
    head = kv_head * GROUP + row % GROUP
    d = tl.arange(0, WIDE)
    in_heads = in_row[:, None] & (d < HEAD_DIM)[None, :]
    first, _, high = visible_keys(position, length, batch, batches, queries, key_count, query, in_row, CAUSAL, None)
    high = tl.where(row_block >= 0, high, 0)
    full = high
    if CAUSAL:
        full = tl.minimum(high, first + (row_block * ROWS) // GROUP + 1)
    full = tl.maximum(full, 0) // CHUNK * CHUNK

    x = tl.load(heads_at(*q, batch, head[:, None], query[:, None], d[None, :]), mask=in_heads, other=0)
    jj = tl.arange(0, CHUNK)
    u = heads_at(*keys, batch, kv_head, jj[None, :], d[:, None])
    v = heads_at(*values, batch, kv_head, jj[:, None], d[None, :])
    total, top, mixed = empty_softmax(ROWS, WIDE)
    for start in range(0, full, CHUNK):
        total, top, mixed = flash_chunk(x, u, v, start, jj, None, None, total, top, mixed, keys[2], values[2], SCALE, False)
    for start in range(full, high, CHUNK):
        in_j = jj < (high - start).to(tl.int32)
        if CAUSAL:
            visible = in_j[None, :] & (jj[None, :] <= (first + query - start).to(tl.int32)[:, None])
        else:
            visible = in_j[None, :]
        total, top, mixed = flash_chunk(x, u, v, start, jj, in_j, visible, total, top, mixed, keys[2], values[2], SCALE, True)
    store_result(result, batch, head[:, None], query[:, None], d[None, :], in_heads, total, mixed)
