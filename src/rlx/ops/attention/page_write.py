"""New keys or values into the pages of a cache that many sequences share.

A page holds `PAGE` consecutive positions of one sequence for every kv head: keys as `[kv heads, head dim, PAGE]` (transposed, so that a
vector holds one coordinate of many keys), values as `[kv heads, PAGE, head dim]`. A table says which pages a sequence has, in order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.core.dim import product
from rlx.ir.tolerance import rounded_once
from rlx.ops.inference import no_arithmetic, per_operand_element, require_integers
from rlx.ops.record import Array, Attr, Call, Case, OpKind, Sample, Shape, case, define, exact, sample
from rlx.transforms.rules.batch_formulas import one_by_one

GROUP = 32
"""Values along the head dim that share a scale in q8_0 pages."""
NO_GRADIENT = "pages are a cache, which has no gradient"
MOST_HALF, NORMAL_HALF, LEAST_HALF = 65504.0, 2.0**-14, 2.0**-24


# -- shapes -----------------------------------------------------------------------------------------------------
def check_places(call: Call, rows: Shape, first: int) -> None:
    """`start` and `sequence` have a number for each row, `tables` a row for each sequence; they are operands `first` and following."""
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
    """Kv heads, positions of a page and head dim, which are static."""
    if pages.rank != 4:
        layout = "[pages, kv_heads, head_dim, PAGE]" if transposed else "[pages, kv_heads, PAGE, head_dim]"
        raise call.error("RLX102", f"{name} has rank {pages.rank}", fix=layout)
    found = []
    for size in pages.dims[1:]:
        if not isinstance(size, int) or size < 1:
            raise call.error("RLX102", f"{name} of {pages}", fix="kv heads, head dim and PAGE are numbers, at least 1")
        found.append(size)
    heads, second, third = found
    return (heads, third, second) if transposed else (heads, second, third)


def check_row_width(call: Call, rows: Shape, width: int, name: str) -> None:
    """Each row has `width` numbers, however they are divided into axes."""
    if rows.rank < 2:
        raise call.error("RLX102", f"{name} has rank {rows.rank}", fix=f"{name} is [rows, {width}] or [rows, heads, dim]")
    call.check_same(product(rows.dims[1:]), width, f"numbers in a row of {name} and heads · head dim:")


def check_scales(call: Call, pages: Shape, scales: Shape, transposed: bool, name: str) -> None:
    """i8 pages with an f16 scale for each 32 numbers along the head dim."""
    if pages.dtype.name != "i8":
        raise call.error("RLX103", f"{name} belongs to pages of {pages.dtype}", fix="i8 pages have scales")
    if scales.dtype.name != "f16":
        raise call.error("RLX103", f"{name} is {scales.dtype}", fix="f16, as in q8_0")
    _, _, head_dim = page_dims(call, pages, transposed)
    if head_dim % GROUP:
        fix = "pages of f16 or bf16 take any head dim"
        raise call.error("RLX102", f"q8_0 pages of head dim {head_dim}, which {GROUP} does not divide", fix=fix)
    axis = 2 if transposed else 3
    wanted = [head_dim // GROUP if place == axis else size for place, size in enumerate(pages.dims)]
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


# -- what they mean ---------------------------------------------------------------------------------------------
def placed(pages: Array, rows: Array, start: Array, sequence: Array, tables: Array, transposed: bool) -> Array:
    """The pages with rows `[rows, heads, dim]` written; a row without a place (padding) is left out."""
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
    return placed(pages, rows.reshape(-1, heads, dim).astype(pages.dtype), start, sequence, tables, transposed)


def rounded_to_q8(rows: Array) -> tuple[Array, Array]:
    """i8 numbers and f16 scales of `[…, dim]` as q8_0 has them: the scale just spans 32 numbers, a denormal one is rounded up."""
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
    return placed(pages, numbers, *where), placed(scales, own.astype(scales.dtype), *where)


# -- the records ------------------------------------------------------------------------------------------------
_PLACES = """Row r goes to place `start[r] % PAGE` of page `tables[sequence[r], start[r] // PAGE]`; a row whose sequence, position or
    page does not exist (such as padding with sequence -1) is not written. No two rows have the same place. `transposed` pages are
    `[pages, kv_heads, head_dim, PAGE]` (keys), others `[pages, kv_heads, PAGE, head_dim]` (values); rows are
    `[rows, kv_heads, head_dim]` or any axes of that size, such as `[rows, 1, kv_heads·head_dim]`."""
TRANSPOSED = Attr("bool", help="keys lie transposed inside a page")


def places(start: list[int], sequence: list[int], tables: list[list[int]]) -> tuple[Sample, Sample, Sample]:
    """The index operands of a case."""
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


page_write = define(
    "page_write",
    "pages, rows, start:index, sequence:index, tables:index",
    infer=_page_write_shape,
    reference=_page_write,
    kind=OpKind.DataMovement,
    attrs={"transposed": TRANSPOSED},
    doc=f"""The pages of a cache with new keys or values in their places, rounded to the pages' dtype; in place on a state.

    {_PLACES}""",
    tolerance=rounded_once(),
    cost=no_arithmetic,
    cases=_page_write_cases,
    vjp=NO_GRADIENT,
    jvp=NO_GRADIENT,
    batch=one_by_one,
)

page_write_q8 = define(
    "page_write_q8",
    "pages, scales, rows, start:index, sequence:index, tables:index",
    infer=_page_write_q8_shape,
    reference=_page_write_q8,
    kind=OpKind.DataMovement,
    results=("pages", "scales"),
    attrs={"transposed": TRANSPOSED},
    doc=f"""i8 pages and their f16 scales, one for {GROUP} numbers along the head dim, with new rows rounded as q8_0; in place on states.

    {_PLACES} Scales have head_dim/{GROUP} in place of head_dim.""",
    tolerance=exact(),
    cost=per_operand_element(0),
    cases=_page_write_q8_cases,
    vjp=NO_GRADIENT,
    jvp=NO_GRADIENT,
    batch=one_by_one,
)
