"""Attention of rows of many sequences to keys and values in pages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.enums import MaskKind
from rlx.ir.evaluate import evaluate_op, shape_of
from rlx.ir.tolerance import Tolerance
from rlx.ops.attention.page_write import GROUP, NO_GRADIENT, check_places, check_row_width, check_scales, page_dims, places
from rlx.ops.record import Array, Attr, Call, Case, Op, OpKind, Shape, Size, case, define, sample
from rlx.transforms.rules.batch_formulas import one_by_one


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


# -- what it means ----------------------------------------------------------------------------------------------
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


# -- how far a result may be from f64 ---------------------------------------------------------------------------
def _score_bound(op: Op, operands: Sequence[Array | None]) -> int:
    """As that of `attention`: the square of how many eps the roundings come to, from the largest score and the number of keys."""
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


class _OfPagedValues(Tolerance):
    """Measured from the average of |v|: averages of v may cancel, their roundings do not."""

    def scale_of(self, op: Op, operands: Sequence[Array | None], expected: Array) -> Array:
        """The result on |v|, or the element itself where what is not finite makes it larger."""
        q, k, v, *rest = operands
        assert v is not None
        (size,) = evaluate_op(op, (q, k, np.abs(v), *rest), [shape_of(expected)], wide=True)
        return np.asarray(np.fmax(np.abs(size), np.abs(expected)))


def _cost(call: Call, results: tuple[Shape, ...]) -> Size:
    """As if every row saw all keys its table has room for: where rows stand is known at run time only."""
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
    """`pages` are their number, kv heads, head dim and PAGE."""
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
_PADDED = ([3, 1, 12, -1, 2], [0, -1, 0, 1, 2], [[1, 0], [2, 2], [7, 0]])
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
        _row("odd: rows without keys, pages clamped, a page of 5", 5, 2, (3, 1, 7, 5), _PADDED),
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
    tolerance=_OfPagedValues(ulps=8.0, factor=1.0, length=_score_bound),
    cost=_cost,
    integer_form="",
    cases=_paged_attention_cases,
    vjp=NO_GRADIENT,
    jvp=NO_GRADIENT,
    batch=one_by_one,
)
