"""Paged attention: a cache that many sequences share, new keys and values written into it, and attention to what it holds.

A page holds `PAGE` consecutive positions of one sequence for every kv head: keys as `[kv heads, head dim, PAGE]` (transposed, so that a
vector holds one coordinate of many keys), values as `[kv heads, PAGE, head dim]`. A table says which pages a sequence has, in order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dim import product
from rlx.core.enums import MaskKind
from rlx.ir.tolerance import rounded_once
from rlx.ops.attention.reference import OfValues
from rlx.ops.inference import define_movement, per_operand_element, require_integers
from rlx.ops.record import Array, Attr, Call, Case, Op, OpKind, Sample, Shape, Size, case, define, sample
from rlx.transforms.rules.batching import one_by_one

GROUP = 32
"""Values along the head dim that share a scale in q8_0 pages."""
NO_GRADIENT = "pages are a cache, which has no gradient"
MOST_HALF, NORMAL_HALF, LEAST_HALF = 65504.0, 2.0**-14, 2.0**-24


# -- shapes -----------------------------------------------------------------------------------------------------
def check_places(call: Call, rows: Shape, first: int) -> None:
    """Checks the addressing operands of a paged KV cache: `start`, `sequence` (one entry a row), `tables` (a row a sequence)."""
    require_integers(call)
    start, sequence, tables = call.shapes[first : first + 3]
    assert start is not None and sequence is not None and tables is not None
    for name, shape in (("start", start), ("sequence", sequence)):
        if shape.rank != 1:
            raise call.error("RLX102", f"{name} has rank {shape.rank}", fix="one number for each row: i32[rows]")
        call.check_same(shape.dims[0], rows.dims[0], f"size of {name} and rows:")
    if tables.rank != 2:
        raise call.error("RLX102", f"tables has rank {tables.rank}", fix="page numbers: i32[sequences, blocks]")


def page_dims(call: Call, pages: Shape, transposed: bool, name: str = "pages") -> tuple[int, int, int]:
    """The static dims of KV cache pages: kv heads, positions of a page and head dim."""
    if pages.rank != 4:
        layout = "[pages, kv_heads, head_dim, PAGE]" if transposed else "[pages, kv_heads, PAGE, head_dim]"
        raise call.error("RLX102", f"{name} has rank {pages.rank}", fix=layout)
    dims = []
    for size in pages.dims[1:]:
        if not isinstance(size, int) or size < 1:
            raise call.error("RLX102", f"{name} of {pages}", fix="kv heads, head dim and PAGE are numbers, at least 1")
        dims.append(size)
    heads, second, third = dims
    return (heads, third, second) if transposed else (heads, second, third)


def check_row_width(call: Call, rows: Shape, width: int, name: str) -> None:
    """Checks that each row of new keys or values has `width` elements, however its axes divide them."""
    if rows.rank < 2:
        raise call.error("RLX102", f"{name} has rank {rows.rank}", fix=f"{name} is [rows, {width}] or [rows, heads, dim]")
    call.check_same(product(rows.dims[1:]), width, f"numbers in a row of {name} and heads · head dim:")


def check_scales(call: Call, pages: Shape, scales: Shape, transposed: bool, name: str) -> None:
    """Checks that quantized pages are i8, with an f16 scale for each 32 elements along the head dim."""
    if pages.dtype.name != "i8":
        raise call.error("RLX103", f"{name} belongs to pages of {pages.dtype}", fix="i8 pages have scales")
    if scales.dtype.name != "f16":
        raise call.error("RLX103", f"{name} is {scales.dtype}", fix="f16, as in q8_0")
    _, _, head_dim = page_dims(call, pages, transposed)
    if head_dim % GROUP:
        fix = "pages of f16 or bf16 take any head dim"
        raise call.error("RLX102", f"q8_0 pages of head dim {head_dim}, which {GROUP} does not divide", fix=fix)
    axis = 2 if transposed else 3
    wanted = [head_dim // GROUP if i == axis else size for i, size in enumerate(pages.dims)]
    if scales.rank != 4:
        raise call.error("RLX102", f"{name} has rank {scales.rank}", fix=f"{wanted}")
    for mine, size in zip(scales.dims, wanted, strict=True):
        call.check_same(mine, size, f"sizes of {name} and {wanted}:")


def _page_write_shape(call: Call) -> Shape:
    pages, rows = call.given[:2]
    heads, _, head_dim = page_dims(call, pages, call.transposed)
    if not pages.dtype.is_float or not rows.dtype.is_float:
        fix = "pages and rows are floats; page_write_q8 writes i8 pages"
        raise call.error("RLX103", f"rows of {rows.dtype} into pages of {pages.dtype}", fix=fix)
    check_row_width(call, rows, heads * head_dim, "rows")
    check_places(call, rows, 2)
    return pages


def _page_write_q8_shape(call: Call) -> tuple[Shape, Shape]:
    pages, scales, rows = call.given[:3]
    heads, _, head_dim = page_dims(call, pages, call.transposed)
    check_scales(call, pages, scales, call.transposed, "scales")
    if not rows.dtype.is_float:
        raise call.error("RLX103", f"rows of {rows.dtype}", fix="rows are floats")
    check_row_width(call, rows, heads * head_dim, "rows")
    check_places(call, rows, 3)
    return pages, scales


# -- NumPy references -------------------------------------------------------------------------------------------
def write_rows(pages: Array, rows: Array, start: Array, sequence: Array, tables: Array, transposed: bool) -> Array:
    """Returns the pages with rows `[rows, heads, dim]` stored in them; padding rows, which have no slot, are skipped."""
    result = pages.copy()
    size = pages.shape[3 if transposed else 2]
    for row, position, owner in zip(rows, start.tolist(), sequence.tolist(), strict=True):
        if not (0 <= owner < tables.shape[0] and 0 <= position < tables.shape[1] * size):
            continue
        page = int(tables[owner, position // size])
        if 0 <= page < len(pages):
            if transposed:
                result[page, :, :, position % size] = row
            else:
                result[page, :, position % size] = row
    return result


def _page_write(pages: Array, rows: Array, start: Array, sequence: Array, tables: Array, *, transposed: bool) -> Array:
    heads, dim = (pages.shape[axis] for axis in ((1, 2) if transposed else (1, 3)))
    return write_rows(pages, rows.reshape(-1, heads, dim).astype(pages.dtype), start, sequence, tables, transposed)


def rounded_to_q8(rows: Array) -> tuple[Array, Array]:
    """Quantizes `[…, dim]` to q8_0: i8 elements and an f16 scale for each 32. A denormal scale is rounded up."""
    blocks = np.asarray(rows, np.float32).reshape(*rows.shape[:-1], rows.shape[-1] // GROUP, GROUP)
    wanted = np.abs(blocks).max(-1) / np.float32(127)
    scales = np.clip(wanted, 0, np.float32(MOST_HALF)).astype(np.float16).astype(np.float32)
    short = (scales < wanted) & (wanted < np.float32(NORMAL_HALF))
    scales = np.where(short, scales + np.float32(LEAST_HALF), scales)
    inverse = np.float32(1) / np.where(scales == 0, np.float32(np.inf), scales)
    numbers = np.clip(np.nan_to_num(np.rint(blocks * inverse[..., None]), nan=0.0, posinf=127, neginf=-127), -127, 127)
    return numbers.astype(np.int8).reshape(rows.shape), scales.astype(np.float16)


def _page_write_q8(
    pages: Array, scales: Array, rows: Array, start: Array, sequence: Array, tables: Array, *, transposed: bool
) -> tuple[Array, Array]:
    heads, dim = (pages.shape[axis] for axis in ((1, 2) if transposed else (1, 3)))
    numbers, own = rounded_to_q8(rows.reshape(-1, heads, dim))
    where = (start, sequence, tables, transposed)
    return write_rows(pages, numbers, *where), write_rows(scales, own.astype(scales.dtype), *where)


# -- the records ------------------------------------------------------------------------------------------------
_PLACES = """Row r goes to place `start[r] % PAGE` of page `tables[sequence[r], start[r] // PAGE]`; a row whose sequence, position or
    page does not exist (such as padding with sequence -1) is not written. No two rows have the same place. `transposed` pages are
    `[pages, kv_heads, head_dim, PAGE]` (keys), others `[pages, kv_heads, PAGE, head_dim]` (values); rows are
    `[rows, kv_heads, head_dim]` or any axes of that size, such as `[rows, 1, kv_heads·head_dim]`."""
TRANSPOSED = Attr("bool", help="keys lie transposed inside a page")


def places(start: list[int], sequence: list[int], tables: list[list[int]]) -> tuple[Sample, Sample, Sample]:
    """The index operands (start, sequence, tables) of a paged test case."""
    return (
        sample(len(start), dtype="i32", fixed=start),
        sample(len(sequence), dtype="i32", fixed=sequence),
        sample(len(tables), len(tables[0]) if tables else 0, dtype="i32", fixed=tables),
    )


_WHERE = places([2, 3, 4, 5, 0, 9], [0, 0, 0, 0, 1, 2], [[4, 1, 9], [2, 0, 0], [0, 5, 3]])
_PADDED = places([3, 1, 12, -1, 2], [0, -1, 0, 1, 2], [[1, 0], [2, 2], [7, 0]])
_NOBODY = places([], [], [[1, 0]])


def _page_write_cases() -> list[Case]:
    floats = ("f32", "f64", "f16", "bf16")
    row: Any = {"transposed": True}
    return [
        case(sample(6, 2, 8, 4), sample(6, 2, 8), *_WHERE, note="keys", dtypes=floats, **row),
        case(sample(6, 2, 4, 8), sample(6, 1, 16), *_WHERE, note="values, flat rows", dtypes=floats, transposed=False),
        case(sample(6, 2, 8, 4, dtype="f16"), sample(6, 16), *_WHERE, note="rounded to f16", **row),
        case(sample(6, 1, 4, 5, dtype="bf16"), sample(6, 5), *_WHERE, note="odd: rounded to bf16", transposed=False),
        case(sample(3, 1, 7, 5), sample(5, 7), *_PADDED, note="odd: rows without a place, a page of 5", **row),
        case(sample(3, 3, 5, 33), sample(5, 99), *_PADDED, note="odd: 33 numbers", transposed=False),
        case(sample(3, 1, 7, 5), sample(0, 7), *_NOBODY, note="size 0: no row", **row),
    ]


def _page_write_q8_cases() -> list[Case]:
    def pair(transposed: bool, dim: int) -> tuple[Sample, Sample]:
        small = dim // GROUP
        if transposed:
            return sample(6, 2, dim, 4, dtype="i8"), sample(6, 2, small, 4, dtype="f16")
        return sample(6, 2, 4, dim, dtype="i8"), sample(6, 2, 4, small, dtype="f16")

    floats = ("f32", "f64", "f16", "bf16")
    return [
        case(*pair(True, 32), sample(6, 2, 32), *_WHERE, note="keys", dtypes=floats, transposed=True),
        case(*pair(False, 64), sample(6, 1, 128), *_WHERE, note="values, flat rows", dtypes=floats, transposed=False),
        case(*pair(True, 96), sample(5, 192), *_PADDED, note="odd: rows without a place", transposed=True),
        case(*pair(False, 32), sample(6, 64, fixed=[0.0] * 384), *_WHERE, note="odd: zeros", transposed=False),
        case(*pair(False, 32), sample(6, 64, high=1e-6, low=-1e-6), *_WHERE, note="odd: denormal", transposed=False),
        case(*pair(True, 32), sample(0, 64), *_NOBODY, note="size 0: no row", transposed=True),
    ]


page_write = define_movement(
    "page_write",
    "pages, rows, start:index, sequence:index, tables:index",
    infer=_page_write_shape,
    reference=_page_write,
    attrs={"transposed": TRANSPOSED},
    doc=f"""The pages of a cache with new keys or values in their places, rounded to the pages' dtype; in place on a state.

    {_PLACES}""",
    tolerance=rounded_once(),
    cases=_page_write_cases,
    no_gradient=NO_GRADIENT,
    batch=one_by_one,
)

page_write_q8 = define_movement(
    "page_write_q8",
    "pages, scales, rows, start:index, sequence:index, tables:index",
    infer=_page_write_q8_shape,
    reference=_page_write_q8,
    results=("pages", "scales"),
    attrs={"transposed": TRANSPOSED},
    doc=f"""i8 pages and their f16 scales, one for {GROUP} numbers along the head dim, with new rows rounded as q8_0; in place on states.

    {_PLACES} Scales have head_dim/{GROUP} in place of head_dim.""",
    cost=per_operand_element(0),
    cases=_page_write_q8_cases,
    no_gradient=NO_GRADIENT,
    batch=one_by_one,
)


# -- attention to keys and values in pages


# -- shapes -----------------------------------------------------------------------------------------------------
def _check_settings(call: Call, kv_heads: int) -> None:
    if call.num_heads < 1 or call.num_heads % kv_heads:
        fix = f"a multiple of {kv_heads}"
        raise call.error("RLX105", f"{call.num_heads} query heads on {kv_heads} kv heads", fix=fix)
    if not call.mask_kind.is_causal:
        raise call.error("RLX105", f"mask_kind is {call.mask_kind}", fix="'causal' or 'sliding_window(n)'")
    if call.softcap is not None and not call.softcap > 0:
        raise call.error("RLX105", f"softcap is {call.softcap}", fix="a positive number, or None")


def _paged_attention_shape(call: Call) -> Shape:
    q, k_pages, v_pages = call.given[:3]
    kv_heads, page, head_dim = page_dims(call, k_pages, True, "k_pages")
    if page_dims(call, v_pages, False, "v_pages") != (kv_heads, page, head_dim):
        fix = f"v_pages: [pages, {kv_heads}, {page}, {head_dim}]"
        raise call.error("RLX102", "keys are [pages, kv_heads, head_dim, PAGE], values have other sizes", fix=fix)
    call.check_same(k_pages.dims[0], v_pages.dims[0], "numbers of pages of keys and of values:")
    _check_settings(call, kv_heads)
    if not q.dtype.is_float:
        raise call.error("RLX103", f"q is {q.dtype}", fix="queries are floats")
    for index, name, pages, transposed in ((6, "k_scales", k_pages, True), (7, "v_scales", v_pages, False)):
        scales = call.shape(index)
        if scales is not None:
            check_scales(call, pages, scales, transposed, name)
        elif not pages.dtype.is_float:
            raise call.error("RLX103", f"pages of {pages.dtype} without {name}", fix=f"{name} as page_write_q8 made them")
    check_row_width(call, q, call.num_heads * head_dim, "q")
    check_places(call, q, 3)
    return q


# -- NumPy reference --------------------------------------------------------------------------------------------
def _floats(pages: Array, scales: Array | None, axis: int) -> Array:
    return pages if scales is None else pages * np.repeat(scales, GROUP, axis)


def _paged_attention(
    q: Array,
    k_pages: Array,
    v_pages: Array,
    start: Array,
    sequence: Array,
    tables: Array,
    k_scales: Array | None = None,
    v_scales: Array | None = None,
    *,
    num_heads: int,
    mask_kind: MaskKind,
    score_scale: float | None,
    softcap: float | None,
) -> Array:
    k_pages, v_pages = _floats(k_pages, k_scales, 2), _floats(v_pages, v_scales, 3)
    count, kv_heads, head_dim, page = k_pages.shape
    scale = 1 / math.sqrt(head_dim) if score_scale is None else score_scale
    queries = q.reshape(len(q), kv_heads, num_heads // kv_heads, head_dim)
    result = np.zeros_like(queries)
    for row, (position, owner) in enumerate(zip(start.tolist(), sequence.tolist(), strict=True)):
        stop = min(position + 1, tables.shape[1] * page)
        if not (0 <= owner < len(tables) and stop > 0 and count):
            continue
        first = max(position + 1 - mask_kind.window, 0) if mask_kind.window else 0
        owned = np.clip(tables[owner, : -(-stop // page)], 0, count - 1)
        keys = k_pages[owned].transpose(1, 2, 0, 3).reshape(kv_heads, head_dim, -1)[:, :, first:stop]
        values = v_pages[owned].transpose(1, 0, 2, 3).reshape(kv_heads, -1, head_dim)[:, first:stop]
        scores = queries[row] @ keys * scale
        if softcap is not None:
            scores = softcap * np.tanh(scores / softcap)
        weights = np.exp(scores - scores.max(-1, initial=-np.inf, keepdims=True))
        result[row] = weights @ values / weights.sum(-1, keepdims=True)
    return result.reshape(q.shape)


# -- tolerance against f64 --------------------------------------------------------------------------------------
def _score_bound(op: Op, operands: Sequence[Array | None]) -> int:
    """The error of paged attention in eps, squared as in `attention`: from the largest score and the number of keys."""
    q, k, _, start, *_ = operands
    assert q is not None and k is not None and start is not None
    heads, dim = op["num_heads"], k.shape[2]
    k_scales = operands[6] if len(operands) > 6 else None
    keys = _floats(np.asarray(k, np.float64), None if k_scales is None else np.asarray(k_scales, np.float64), 2)
    norms = [
        float(np.sqrt(np.square(np.nan_to_num(x, posinf=0.0, neginf=0.0)).sum(axis)).max(initial=0.0))
        for x, axis in ((np.asarray(q, np.float64).reshape(-1, heads, dim), 2), (keys, 2))
    ]
    scale = 1 / math.sqrt(dim) if op["score_scale"] is None else abs(op["score_scale"])
    count: float = norms[0] * norms[1] * scale + (float(start.max(initial=0)) + 1) / 2
    return math.ceil(count**2)


def _cost(call: Call, results: tuple[Shape, ...]) -> Size:
    """Operations of paged attention if every row sees all keys of its page table; positions are known only at run time."""
    _, page, head_dim = page_dims(call, call.given[1], True)
    tables = call.given[5]
    return results[0].dims[0] * int(call.num_heads) * tables.dims[1] * page * (4 * head_dim + 8)


# -- the record -------------------------------------------------------------------------------------------------
def _row(
    note: str,
    rows: int,
    heads: int,
    pages: tuple[int, int, int, int],
    where: tuple[list[int], list[int], list[list[int]]],
    dtypes: tuple[str, ...] = ("f32",),
    *,
    stored: str = "f32",
    **attrs: Any,
) -> Case:
    """A test case of paged attention; `pages` has the number of pages, kv heads, head dim and PAGE."""
    count, kv_heads, dim, page = pages
    attrs = {"mask_kind": "causal", "num_heads": heads, **attrs}
    kept = [sample(count, kv_heads, dim, page, dtype=stored), sample(count, kv_heads, page, dim, dtype=stored)]
    more = []
    if stored == "i8":
        kept = [sample(*each.dims, dtype="i8", low=-127, high=127) for each in kept]
        small = dim // GROUP
        dims = (count, kv_heads, small, page), (count, kv_heads, page, small)
        more = [sample(*each, dtype="f16", low=0.001, high=0.02) for each in dims]
    return case(sample(rows, heads * dim), *kept, *places(*where), *more, note=note, dtypes=dtypes, **attrs)


_MIXED = ([5, 6, 7, 8, 2, 11], [0, 0, 0, 0, 1, 2], [[4, 1, 6], [2, 0, 0], [0, 5, 3]])
_SOME_ROWS_PADDED = ([3, 1, 12, -1, 2], [0, -1, 0, 1, 2], [[1, 0], [2, 2], [7, 0]])
_LONG = ([70, 699, 40], [1, 2, 2], [[0] * 22, [1, 2, 0] + [0] * 19, [3, 4, 5, 6] * 5 + [0, 1]])


def _paged_attention_cases() -> list[Case]:
    floats = ("f32", "f64", "f16", "bf16")
    return [
        _row("a chunk and two decoding rows, grouped heads", 6, 4, (7, 2, 8, 4), _MIXED, floats),
        _row("one head for each kv head", 6, 2, (7, 2, 16, 4), _MIXED),
        _row("sliding window", 6, 2, (7, 1, 8, 4), _MIXED, mask_kind="sliding_window(3)"),
        _row("scale and softcap", 6, 6, (7, 2, 8, 4), _MIXED, score_scale=0.5, softcap=2.0),
        _row("odd: f16 pages beside f32 queries", 6, 3, (7, 1, 33, 4), _MIXED, stored="f16"),
        _row("odd: bf16 pages, head dim 7", 6, 3, (7, 1, 7, 4), _MIXED, stored="bf16"),
        _row("q8_0 pages", 6, 4, (7, 2, 64, 4), _MIXED, ("f32", "f16"), stored="i8"),
        _row("odd: rows without keys, pages clamped, a page of 5", 5, 2, (3, 1, 7, 5), _SOME_ROWS_PADDED),
        _row("odd: parts of the keys combined", 3, 3, (7, 1, 24, 32), _LONG),
        _row("odd: parts of the keys under a window", 3, 2, (7, 2, 16, 32), _LONG, mask_kind="sliding_window(300)"),
        _row("size 0: no row", 0, 2, (3, 1, 8, 4), ([], [], [[1, 0]])),
        _row("size 0: no table", 2, 2, (3, 1, 8, 4), ([0, 1], [0, 1], [[], []])),
    ]


paged_attention = define(
    "paged_attention",
    "q, k_pages, v_pages, start:index, sequence:index, tables:index, k_scales?, v_scales?",
    infer=_paged_attention_shape,
    reference=_paged_attention,
    kind=OpKind.Compute,
    attrs={
        "num_heads": Attr("int", help="query heads; query head h reads kv head h // group"),
        "mask_kind": Attr("tag", "causal", "causal or sliding_window(n)", parse=MaskKind.parse, annotation="MaskKind | str"),
        "score_scale": Attr("float", None, "factor of the scores; 1/sqrt(head_dim) when not given"),
        "softcap": Attr("float", None, "scores become c·tanh(s/c) before any mask"),
    },
    doc=f"""softmax(q·kᵀ·scale)·v for each head, where row r of q sees the keys 0 … start[r] of its sequence (the last n with a window).

    q is `[rows, num_heads·head_dim]`, or has these numbers in several axes; the result is like q. k_pages are
    `[pages, kv_heads, head_dim, PAGE]`, v_pages `[pages, kv_heads, PAGE, head_dim]`, written by `page_write`; key j of row r is in page
    `tables[sequence[r], j // PAGE]`, the rows of a sequence being in order. i8 pages have k_scales and v_scales for {GROUP} numbers
    along the head dim (`page_write_q8`). A row without keys (sequence -1) gives zeros.
    The bits of a row depend on its own query and keys only, not on other rows or on threads.""",
    tolerance=OfValues(ulps=8.0, factor=1.0, length=_score_bound),
    cost=_cost,
    integer_form="",
    cases=_paged_attention_cases,
    no_gradient=NO_GRADIENT,
    batch=one_by_one,
)
