"""Movement ops against NumPy, torch and JAX; symbolic inference; views against the reference; messages."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.emit import emit
from rlx.ir.evaluate import evaluate_graph
from rlx.ir.graph import Graph
from rlx.ir.op import OPS
from rlx.ops.movement.pad import flip, iota, pad, roll, size_value
from rlx.ops.movement.parts import concat, narrow, slice_, split
from rlx.ops.movement.shape import expand, reshape, transpose
from tests.ops.running import decomposed, draw, infer, place, run, symbolic

BATCH, SEQ = Dim("batch", min=1, max=64), Dim("seq", min=1, max=512)
SIZES = {"batch": 3, "seq": 7}
DTYPES = st.sampled_from(["f32", "f64", "f16", "bf16", "f8e4m3", "f8e5m2", "f4e2m1", "i64", "i8", "u32", "bool", "c64"])


def shapes(least: int = 0, most: int = 4, smallest: int = 0) -> Any:
    return st.lists(st.integers(smallest, 4), min_size=least, max_size=most).map(tuple)


def equal(found: Any, wanted: Any) -> None:
    """The same numbers, bit for bit."""
    wanted = np.asarray(wanted)
    assert found.shape == wanted.shape and found.dtype == wanted.dtype
    assert np.ascontiguousarray(found).tobytes() == np.ascontiguousarray(wanted).tobytes()


# -- values -----------------------------------------------------------------------------------------------------
@given(shapes(), DTYPES, st.data())
def test_reshape_transpose_flip(dims: tuple[int, ...], dtype: str, data: st.DataObject) -> None:
    x = draw(dims, dtype, seed=1)
    perm = data.draw(st.permutations(range(len(dims))))
    signed = [axis - data.draw(st.sampled_from([0, len(dims)])) for axis in perm]
    turned = np.empty([dims[axis] for axis in perm], x.dtype)
    for place_in_x in np.ndindex(dims):
        turned[tuple(place_in_x[axis] for axis in perm)] = x[place_in_x]
    equal(run(transpose, x, perm=tuple(signed)), turned)
    flat = run(reshape, x, shape=tuple(dims[axis] for axis in perm))
    assert flat.shape == turned.shape and flat.tobytes() == x.tobytes()
    axes = tuple(data.draw(st.sets(st.sampled_from(range(len(dims)))))) if dims else ()
    wanted = x[tuple(slice(None, None, -1) if axis in axes else slice(None) for axis in range(len(dims)))]
    equal(run(flip, x, axes=axes), wanted)
    equal(decomposed(flip, x, axes=axes), wanted)


@given(shapes(1), st.data())
def test_reshape_fills_the_hole_as_numpy(dims: tuple[int, ...], data: st.DataObject) -> None:
    x = draw(dims, seed=2)
    wanted = [*data.draw(st.permutations(dims))]
    wanted[data.draw(st.integers(0, len(dims) - 1))] = -1
    try:
        expected = x.reshape(wanted)
    except ValueError:  # 0 elements: -1 could be anything
        with pytest.raises(RlxError, match="RLX106"):
            run(reshape, x, shape=tuple(wanted))
    else:
        equal(run(reshape, x, shape=tuple(wanted)), expected)


@given(shapes(1), DTYPES, st.data())
def test_slice_reads_as_python(dims: tuple[int, ...], dtype: str, data: st.DataObject) -> None:
    """`x[...]` with any slices, and the canonical slice op it makes."""
    x = draw(dims, dtype, seed=3)
    ends = st.none() | st.integers(-6, 6)
    steps = st.none() | st.integers(-3, 3).filter(bool)
    index = tuple(slice(data.draw(ends), data.draw(ends), data.draw(steps)) for _ in dims)
    graph = Graph("test")
    value = place(graph, "x", dims, dtype)[index]
    graph.set_output_refs({"y": value.ref})
    equal(evaluate_graph(graph, {"x": x})["y"], x[index])
    bounds = [s.indices(n) for s, n in zip(index, dims, strict=True)]
    start, stop, step = (tuple(part) for part in zip(*bounds, strict=True))
    equal(run(slice_, x, start=start, stop=stop, step=step), x[index])


@given(shapes(1), DTYPES, st.data())
def test_narrow_split_concat(dims: tuple[int, ...], dtype: str, data: st.DataObject) -> None:
    x = draw(dims, dtype, seed=4)
    axis = data.draw(st.integers(-len(dims), len(dims) - 1))
    start = data.draw(st.integers(0, dims[axis]))
    length = data.draw(st.integers(0, dims[axis] - start))
    moved = np.moveaxis(x, axis, 0)
    equal(run(narrow, x, axis=axis, start=start, length=length), np.moveaxis(moved[start : start + length], 0, axis))
    parts = run(split, x, sizes=(start, length, dims[axis] - start - length), axis=axis)
    assert isinstance(parts, tuple) and [part.shape[axis] for part in parts] == [start, length, dims[axis] - start - length]
    equal(run(concat, *parts, axis=axis), x)
    single = run(split, x, sizes=(dims[axis],), axis=axis)
    assert isinstance(single, tuple) and len(single) == 1


@given(shapes(0, 3, 1), st.data())
def test_expand_as_torch(dims: tuple[int, ...], data: st.DataObject) -> None:
    ones = tuple(data.draw(st.sampled_from([1, size])) for size in dims)
    x = draw(ones, seed=5)
    shape = (*data.draw(shapes(0, 2, 0)), *dims)
    equal(run(expand, x, shape=shape), torch.from_numpy(x).expand(shape).numpy())


def test_concat_promotes() -> None:
    result = run(concat, draw((2,), "i32"), draw((3,), "f16"), draw((1,), "bf16"))
    assert result.dtype == np.float32 and result.shape == (6,)


@given(shapes(1, 3), st.sampled_from(["constant", "edge", "reflect", "wrap"]), st.data())
def test_pad_as_a_formula(dims: tuple[int, ...], mode: str, data: st.DataObject) -> None:
    if mode != "constant":
        dims = tuple(max(size, 1) for size in dims)
    x = draw(dims, "i32", -99, 99, seed=6)
    widths = [data.draw(st.tuples(st.integers(0, 6), st.integers(0, 6))) for _ in dims]
    low, high = (tuple(part) for part in zip(*widths, strict=True))
    found = run(pad, x, low=low, high=high, mode=mode, value=7.0)
    wanted = x
    for axis, (before, after) in enumerate(widths):
        wanted = np.moveaxis(padded_line(np.moveaxis(wanted, axis, 0), before, after, mode), 0, axis)
    equal(found, wanted)
    equal(decomposed(pad, x, low=low, high=high, mode=mode, value=7.0), wanted)


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "wrap"])
def test_pad_as_jax(mode: str) -> None:
    x = draw((3, 4))
    equal(run(pad, x, low=(1, 5), high=(4, 0), mode=mode), jnp.pad(x, ((1, 4), (5, 0)), mode=mode))


def padded_line(x: Any, before: int, after: int, mode: str) -> Any:
    """One element at a time, along axis 0."""
    size = x.shape[0]
    rows = []
    for position in range(-before, size + after):
        if mode == "constant":
            rows.append(x[position] if 0 <= position < size else np.full(x.shape[1:], 7, x.dtype))
        elif mode == "edge":
            rows.append(x[min(max(position, 0), size - 1)])
        elif mode == "wrap":
            rows.append(x[position % size])
        else:
            while size > 1 and not 0 <= position < size:
                position = -position if position < 0 else 2 * (size - 1) - position
            rows.append(x[position if size > 1 else 0])
    return np.array(rows, x.dtype).reshape(before + size + after, *x.shape[1:])


def test_pad_values_of_every_dtype() -> None:
    for dtype in ("f32", "bf16", "f8e4m3", "f4e2m1", "i8", "bool", "c64"):
        x = draw((2, 3), dtype)
        result = run(pad, x, low=(0, 1), high=(0, 0), value=1.0)
        assert (result[:, 0].astype(np.complex64) == 1).all()
        equal(result[:, 1:], x)
    assert np.isnan(run(pad, draw((2,)), low=1, high=0, value=float("nan"))[0])


@given(shapes(1, 3), st.data())
def test_roll_as_torch(dims: tuple[int, ...], data: st.DataObject) -> None:
    x = draw(dims, seed=7)
    axes = tuple(data.draw(st.lists(st.sampled_from(range(len(dims))), min_size=1, unique=True)))
    shift = tuple(data.draw(st.integers(-9, 9)) for _ in axes)
    wanted = torch.roll(torch.from_numpy(x), shift, axes).numpy()
    equal(run(roll, x, shift=shift, axes=axes), wanted)
    equal(decomposed(roll, x, shift=shift, axes=axes), wanted)
    equal(run(roll, x, shift=shift[0]), torch.roll(torch.from_numpy(x), shift[0]).numpy())
    equal(decomposed(roll, x, shift=shift[0]), torch.roll(torch.from_numpy(x), shift[0]).numpy())


def test_iota_and_size_value() -> None:
    for dtype in ("i32", "i64", "u8", "f32", "f16", "bf16", "c64"):
        found = run(iota, shape=(2, 5, 3), axis=-2, dtype=dtype)
        assert found[1, 4, 2] == 4 and (found[:, 2, :] == 2).all() and found.shape == (2, 5, 3)
    assert run(size_value, size=9, dtype="f32") == np.float32(9) and run(size_value, size=9).dtype == np.int32
    with pytest.raises(RlxError, match=r"\[RLX104\] iota: axis 2 is out of range for rank 2"):
        run(iota, shape=(2, 3), axis=2)
    with pytest.raises(RlxError, match="bool does not count"):
        run(iota, shape=(2,), dtype="bool")


# -- symbols ----------------------------------------------------------------------------------------------------
def f32(*dims: Any) -> Shape:
    return Shape(dims, "f32")


SYMBOLIC = [
    (reshape, [f32(BATCH, SEQ, 8)], {"shape": (BATCH * SEQ, 8)}),
    (reshape, [f32(BATCH, SEQ, 8)], {"shape": (BATCH, -1, 4)}),
    (reshape, [f32(BATCH * SEQ, 8)], {"shape": (-1, SEQ, 2, 4)}),
    (reshape, [f32(SEQ + 1, 2)], {"shape": (-1,)}),
    (transpose, [f32(BATCH, SEQ, 8)], {"perm": (-1, 0, 1)}),
    (expand, [f32(SEQ, 1)], {"shape": (BATCH, SEQ, SEQ)}),
    (narrow, [f32(BATCH, SEQ)], {"axis": 1, "start": SEQ - 1, "length": 1}),
    (narrow, [f32(SEQ + 4)], {"axis": 0, "start": 3, "length": SEQ}),
    (slice_, [f32(SEQ, 6)], {"start": (SEQ - 1, 5), "stop": (-1, -1), "step": (-1, -2)}),
    (slice_, [f32(2 * SEQ)], {"start": (0,), "stop": (2 * SEQ,), "step": (2,)}),
    (slice_, [f32(SEQ)], {"start": (0,), "stop": (SEQ,), "step": (2,)}),
    (split, [f32(BATCH, SEQ + 3)], {"sizes": (SEQ, 3), "axis": -1}),
    (concat, [f32(BATCH, SEQ), f32(BATCH, 2 * SEQ)], {"axis": 1}),
    (flip, [f32(BATCH, SEQ)], {"axes": (0, 1)}),
    (roll, [f32(BATCH, SEQ)], {"shift": (2, SEQ), "axes": (0, 1)}),
    (roll, [f32(BATCH, SEQ)], {"shift": (3,)}),
    (pad, [f32(BATCH, SEQ)], {"low": (0, 2), "high": (BATCH, 1)}),
    (pad, [f32(BATCH, SEQ)], {"low": (0, 2), "high": (2, 9), "mode": "reflect"}),
    (pad, [f32(BATCH, SEQ)], {"low": (0, 2), "high": (2, 9), "mode": "wrap"}),
    (iota, [], {"shape": (BATCH, SEQ + 1), "axis": 1}),
    (size_value, [], {"size": BATCH * SEQ}),
]


@pytest.mark.parametrize(("record", "given_shapes", "attrs"), SYMBOLIC, ids=lambda v: getattr(v, "name", ""))
def test_symbolic_inference_binds_to_the_static_result(record: Any, given_shapes: Any, attrs: Any) -> None:
    for sizes in (SIZES, {"batch": 1, "seq": 1}, {"batch": 5, "seq": 2}):
        symbolic(record, given_shapes, sizes, attrs)
        if record.decompose is not None:
            symbolic(record, given_shapes, sizes, attrs, decompose=True)


def test_symbolic_slices_of_values() -> None:
    graph = Graph("test")
    x = place(graph, "x", (SEQ, 4))
    found = {
        "last": x[-1],
        "tail": x[1:],
        "even": x[::2],
        "back": x[::-1],
        "odd": x[1::2, None, ::-2],
        "none": x[3:3],
        "past": x[600:900],
    }
    graph.set_output_refs({name: value.ref for name, value in found.items()})
    assert str(found["tail"].type) == "f32[seq - 1, 4]" and str(found["back"].type) == "f32[seq, 4]"
    for seq in (1, 2, 7):
        array = draw((seq, 4))
        result = evaluate_graph(graph, {"x": array}, {"seq": seq})
        wanted = [array[-1], array[1:], array[::2], array[::-1], array[1::2, None, ::-2], array[3:3], array[600:900]]
        for value, expected, answer in zip(found.values(), wanted, result.values(), strict=True):
            equal(answer, expected)
            assert value.type.bind({"seq": seq}).dims == expected.shape


def test_assumptions_decide_what_bounds_do_not() -> None:
    graph = Graph("test")
    x = place(graph, "x", (SEQ, 4))
    with pytest.raises(RlxError, match=r"\[RLX202\][\s\S]*fix: graph.assume\(5 <= seq\)"):
        narrow(x, axis=0, start=2, length=3)
    with pytest.raises(RlxError, match=r"RLX202[\s\S]*fix: graph.assume\(3 <= seq\), or give"):
        x[:3]
    graph.assume(SEQ >= 6)
    assert narrow(x, axis=0, start=2, length=3).shape == (3, 4)
    assert x[:3].shape == (3, 4) and x[-6:].shape == (6, 4)
    rows = Dim("rows")
    y = place(graph, "y", (rows,))
    with pytest.raises(RlxError, match=r"RLX202[\s\S]*fix: graph.assume\(rows == 2\*batch\)"):
        reshape(y, shape=(BATCH, 2))
    graph.assume(rows == 2 * BATCH)
    assert reshape(y, shape=(BATCH, 2)).shape == (BATCH, 2)


# -- messages ---------------------------------------------------------------------------------------------------
MESSAGES = [
    (
        lambda x: reshape(x, shape=(4, 7)),
        "RLX106",
        "reshape of f32[4, 6]: 24 elements do not fit [4, 7], which has 28",
        "one size may be -1",
    ),
    (lambda x: reshape(x, shape=(5, -1)), "RLX106", "24 elements do not divide by the other sizes of [5, -1], 5", "write the size"),
    (lambda x: reshape(x, shape=(-1, -1)), "RLX106", "two sizes of [-1, -1] are -1", "at most one"),
    (lambda x: reshape(x, shape=(-2, -12)), "RLX105", "size -2 in shape is negative", "at least 0"),
    (lambda x: transpose(x, perm=(0, 0)), "RLX104", "transpose of f32[4, 6]: perm (0, 0) has an axis twice", "once"),
    (lambda x: transpose(x, perm=(0, 2)), "RLX104", "axis 2 is out of range for rank 2", "from -2 to 1"),
    (lambda x: transpose(x, perm=(1,)), "RLX104", "perm (1,) does not name each of the 2 axes once", "Axes"),
    (lambda x: narrow(x, axis=1, start=4, length=3), "RLX115", "start + length against axis 1: 7 is more than 6", "indices"),
    (lambda x: narrow(x, axis=1, start=-1, length=3), "RLX115", "start: 0 is more than -1", "indices"),
    (lambda x: slice_(x, start=(0, 0), stop=(5, 6)), "RLX115", "positions 0 to 5 of axis 0, size 4: 5 is more than 4", "x[...]"),
    (lambda x: slice_(x, start=(-1, 0), stop=(4, 6)), "RLX115", "positions -1 to 4 of axis 0, size 4: 0 is more than -1", "x[...]"),
    (lambda x: slice_(x, start=(0, 0), stop=(4, 6), step=(1, 0)), "RLX105", "a step is 0", "positive or negative"),
    (lambda x: slice_(x, start=(0, 0, 0)), "RLX105", "start has 3 entries for 2 axes", "one entry for each axis"),
    (lambda x: x[4], "RLX115", "index 4 is out of range for size 4", "size"),
    (lambda x: x[:, -7], "RLX115", "index -7 is out of range for size 6", "size"),
    (lambda x: split(x, sizes=(3, 4), axis=1), "RLX102", "the sum of the sizes and the size of axis 1, 7 and 6 differ", "reshape"),
    (lambda x: split(x, sizes=(-1, 7), axis=1), "RLX105", "size of a part: 0 is more than -1", "values"),
    (lambda x: concat(x, x.T, axis=0), "RLX102", "sizes at axis 1 6 and 4 differ", "reshape"),
    (lambda x: concat(x, x.reshape(24), axis=0), "RLX102", "ranks 2 and 1 differ", "reshape"),
    (lambda x: concat(x, x.astype("f8e4m3")), "RLX103", "f32 does not mix with f8e4m3", "cast"),
    (lambda x: expand(x, shape=(6,)), "RLX102", "[6] has fewer axes than x", "adds axes in front"),
    (lambda x: expand(x, shape=(4, 7)), "RLX102", "sizes at axis -1 6 and 7 differ", "only an axis of size 1"),
    (lambda x: pad(x, low=(-1, 0), high=(0, 0)), "RLX105", "padding of axis 0: 0 is more than -1", "narrow"),
    (
        lambda x: pad(x[:0], low=(1, 0), high=0, mode="edge"),
        "RLX102",
        "elements of axis 0 to pad from: 1 is more than 0",
        "constant",
    ),
    (
        lambda x: pad(x.astype("i8"), low=1, high=1, value=0.5),
        "RLX110",
        "the padding value 0.5 does not fit i8",
        "takes the tensor's dtype",
    ),
    (lambda x: pad(x, low=1, high=1, mode="mirror"), "RLX105", "'mirror' is not a PadMode", "constant, edge, reflect, wrap"),
    (lambda x: roll(x, shift=(1, 2, 3), axes=(0, 1)), "RLX105", "3 shifts for 2 axes", "one shift"),
]


@pytest.mark.parametrize(
    ("make", "code", "fact", "fix"), MESSAGES, ids=lambda v: v if isinstance(v, str) and v.startswith("RLX") else ""
)
def test_messages_name_the_facts_the_line_and_a_fix(make: Any, code: str, fact: str, fix: str) -> None:
    graph = Graph("test")
    x = place(graph, "x", (4, 6))
    with pytest.raises(RlxError) as caught:
        make(x)
    text = str(caught.value)
    assert caught.value.code == code and fact in text and fix.lower() in caught.value.fix.lower()
    assert "test_shape.py:" in text and "lambda x:" in text


def test_a_symbol_is_never_one() -> None:
    graph = Graph("test")
    x = place(graph, "x", (SEQ, 4))
    with pytest.raises(RlxError, match="RLX202"):
        expand(x, shape=(BATCH, 4))
    with pytest.raises(RlxError, match="RLX202"):
        concat(x, place(graph, "y", (SEQ, Dim("n"))), axis=0)


def test_no_operand_ops_need_a_graph() -> None:
    assert emit(OPS["iota"], (), {"shape": (3,)}, graph=Graph("test")).shape == (3,)
    with pytest.raises(RlxError, match="RLX101"):
        iota(shape=(3,))
    with pytest.raises(RlxError, match="RLX101"):
        concat()
    assert infer(expand, Shape((1, SEQ), "i8"), shape=(3, SEQ)) == Shape((3, SEQ), "i8")
