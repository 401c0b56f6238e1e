"""Movement and running sums against NumPy: all dtypes, views of views, odd sizes, symbolic sizes."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from rlx.backends.cpu.emit.kernel import Tensor
from rlx.backends.cpu.kernels.movement import copies as movement
from rlx.backends.cpu.kernels.recurrence import cumulative as scan
from rlx.backends.cpu.target import Target
from rlx.core.dim import Dim
from rlx.core.shape import Shape
from tests.backends.cpu.levels import HOST, OTHERS, TARGETS
from tests.backends.cpu.lowered import Array, Lowered, op_for, run, tensor_of

LOWER = {**movement.LOWER, **scan.LOWER}
DTYPES = [
    np.float32,
    np.float64,
    np.float16,
    ml_dtypes.bfloat16,
    ml_dtypes.float8_e4m3fn,
    np.int8,
    np.uint16,
    np.int64,
    np.bool_,
    np.complex64,
    np.complex128,
]


def call(name: str, arrays: list[Array], target: Target | None = None, **attrs: Any) -> list[Array]:
    """The results; splits give the same bits."""
    tensors = [tensor_of(array) for array in arrays]
    made = Lowered(LOWER[name], op_for(name, tensors, **attrs), tensors, target)
    results = made.call(arrays)
    for split in ({"split": 1}, {"split": 2, "threads": 2}):
        for again, first in zip(made.call(arrays, **split), results, strict=True):
            np.testing.assert_array_equal(again.reshape(-1).view(np.uint8), first.reshape(-1).view(np.uint8))
    return results


def numbers(*dims: int, dtype: Any = np.float32) -> Array:
    return (np.arange(1, 1 + np.prod(dims)) * 7 % 101).reshape(dims).astype(dtype)


def same(actual: Array, wanted: Array) -> None:
    assert actual.dtype == wanted.dtype and actual.shape == wanted.shape
    np.testing.assert_array_equal(actual.astype(np.complex128), wanted.astype(np.complex128))


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", DTYPES)
def test_views_made_dense(target: Target, dtype: Any) -> None:
    x = numbers(4, 70, 9, dtype=dtype)
    for view in (x[::2, 3:, ::-1], x.transpose(2, 0, 1)):
        rank3, last = view.shape, view.ndim - 1
        same(call("reshape", [view], target, shape=(view.size,))[0], view.reshape(-1))
        same(call("transpose", [view], target, perm=(1, 2, 0))[0], view.transpose(1, 2, 0).copy())
        same(call("flip", [view], target, axes=(0, last))[0], np.flip(view, (0, last)))
        same(call("narrow", [view], target, axis=0, start=1, length=rank3[0] - 1)[0], view[1:].copy())
        same(
            call("expand", [view[:, :1]], target, shape=(2, rank3[0], 5, rank3[2]))[0],
            np.broadcast_to(view[:, :1], (2, rank3[0], 5, rank3[2])).copy(),
        )
        parts = call("split", [view], target, sizes=(1, 0, rank3[1] - 1), axis=1)
        for part, wanted in zip(parts, np.split(view, [1, 1], axis=1), strict=True):
            same(part, wanted.copy())


def test_copies_between_layouts() -> None:
    """What the compiler inserts: any view into any other."""
    x = numbers(30, 17, 21)
    for source in (x, x.transpose(2, 0, 1), x[:, ::-1], x[::3, :, 1:]):
        for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
            place = np.zeros(source.shape, np.float32)
            place = np.ascontiguousarray(place.transpose(order)).transpose(np.argsort(order))
            into = tensor_of(place)
            assert into is not None
            made = Lowered(
                lambda op, inputs, outputs, target: movement.copy(inputs[0], outputs[0]),  # type: ignore[arg-type]
                op_for("reshape", [tensor_of(source)], shape=source.shape),
                [tensor_of(source)],
                outputs=[into],
            )
            flat = made.call([source])[0].reshape(-1)
            actual = np.lib.stride_tricks.as_strided(flat, place.shape, place.strides)
            np.testing.assert_array_equal(actual, source)


def test_a_transpose_of_many_elements() -> None:
    x = np.random.default_rng(0).standard_normal((211, 3, 190)).astype(np.float32)
    for perm in ((2, 1, 0), (1, 2, 0), (2, 0, 1)):
        same(call("transpose", [x], perm=perm)[0], x.transpose(perm).copy())


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_concat(target: Target, dtype: Any, axis: int) -> None:
    parts = [numbers(*(n if a == axis else 5 for a in range(3)), dtype=dtype) for n in (3, 0, 1, 70)]
    parts[3] = np.flip(parts[3], axis)
    same(call("concat", parts, target, axis=axis)[0], np.concatenate(parts, axis))


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "wrap"])
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int64, np.uint8, np.bool_])
def test_pad(target: Target, mode: str, dtype: Any) -> None:
    for dims, low, high in [
        ((3, 40), (0, 0), (0, 0)),
        ((3, 40), (2, 5), (1, 90)),
        ((1, 7, 2), (3, 0, 9), (0, 4, 1)),
        ((5,), (23,), (0,)),
    ]:
        x = numbers(*dims, dtype=dtype)[::-1]
        actual = call("pad", [x], target, low=low, high=high, mode=mode, value=1.0)[0]
        widths = list(zip(low, high, strict=True))
        same(actual, np.pad(x, widths, mode, constant_values=1) if mode == "constant" else np.pad(x, widths, mode))


@pytest.mark.parametrize("shift, axes", [(3, 0), (-1, 1), ((5, -70), (0, 1)), (1000, 1), (7, None), (0, None)])
def test_roll(shift: Any, axes: Any) -> None:
    x = numbers(6, 37)
    same(call("roll", [x], shift=shift, axes=axes)[0], np.roll(x, shift, axes))


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", ["f32", "f16", "i32", "u8", "i64"])
def test_iota(target: Target, dtype: str) -> None:
    from rlx.core.dtype import DType

    kind = DType.of(dtype).numpy
    for axis in range(3):
        wanted = np.indices((3, 40, 5))[axis].astype(kind)
        same(call("iota", [], target, shape=(3, 40, 5), axis=axis, dtype=dtype)[0], wanted)


def test_symbolic_sizes_compile_once() -> None:
    rows: dict[str, tuple[list[tuple[Any, ...]], dict[str, Any], Any]] = {
        "concat": ([("a", "n"), ("b", "n")], {"axis": 0}, lambda x, y: np.concatenate([x, y])),
        "transpose": ([("a", "n", 3)], {"perm": (1, 2, 0)}, lambda x: x.transpose(1, 2, 0)),
        "flip": ([("a", "n")], {"axes": (0, 1)}, lambda x: x[::-1, ::-1]),
        "pad": ([("a", "n")], {"low": (1, 2), "high": (0, 9), "mode": "constant"}, lambda x: np.pad(x, ((1, 0), (2, 9)))),
        "roll": ([("a", "n")], {"shift": 3, "axes": 1}, lambda x: np.roll(x, 3, 1)),
        "cumsum": ([("a", "n")], {"axis": 0, "reverse": True}, lambda x: np.cumsum(x[::-1], 0)[::-1]),
    }
    for name, (dims, attrs, formula) in rows.items():
        made: Lowered | None = None
        for sizes in ({"a": 1, "b": 1, "n": 1}, {"a": 5, "b": 0, "n": 300}, {"a": 200, "b": 7, "n": 101}, {"a": 0, "b": 2, "n": 4}):
            arrays = [numbers(*(sizes[n] if isinstance(n, str) else n for n in shape), dtype=np.int64) for shape in dims]
            if made is None:
                tensors = [tensor_of(array, shape) for array, shape in zip(arrays, dims, strict=True)]
                made = Lowered(LOWER[name], op_for(name, tensors, **attrs), tensors)
            same(made.call(arrays)[0], formula(*arrays))
            same(made.call(arrays, split=1)[0], formula(*arrays))


def test_symbolic_numbers() -> None:
    size = Dim("n", min=0)
    shape = Tensor.dense(Shape((2, size), "i32"))
    made = Lowered(LOWER["iota"], op_for("iota", [], shape=(2, size), axis=1), [], outputs=[shape])
    for n in (0, 1, 77):
        same(made.call([], sizes={"n": n})[0], np.indices((2, n))[1].astype(np.int32))
    made = Lowered(LOWER["size_value"], op_for("size_value", [], size=size * 2 + 1, dtype="f32"), [])
    assert made.call([], sizes={"n": 8})[0] == 17


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, np.int32, np.uint8])
def test_running(target: Target, name: str, exclusive: bool, reverse: bool, dtype: Any) -> None:
    random = np.random.default_rng(0)
    for dims in ((3, 45), (2, 20, 75), (7, 1, 2)):
        x = random.uniform(0.5, 1.5, dims) if np.dtype(dtype).kind == "f" else random.integers(0, 3, dims)
        x = x.astype(dtype)
        for axis, view in [*((a, x) for a in range(len(dims))), (0, np.flip(x))]:
            wide = np.flip(view, axis) if reverse else view
            wide = wide.astype(np.float64 if np.dtype(dtype).kind == "f" else np.int64)
            total = np.cumsum(wide, axis) if name == "cumsum" else np.cumprod(wide, axis)
            if exclusive:
                first = np.full_like(np.take(wide, [0], axis), name == "cumprod")
                total = np.concatenate([first, np.take(total, range(dims[axis] - 1), axis)], axis)
            wanted = np.flip(total, axis) if reverse else total
            (actual,) = run(
                LOWER[name], op_for(name, [tensor_of(view)], axis=axis, exclusive=exclusive, reverse=reverse), [view], target=target
            )
            if np.dtype(dtype).kind == "f":
                np.testing.assert_allclose(actual, wanted, rtol={4: 1e-5, 8: 1e-13, 2: 2e-3}[np.dtype(dtype).itemsize], atol=1e-7)
            else:
                np.testing.assert_array_equal(actual, wanted.astype(actual.dtype))


def test_running_sums_do_not_depend_on_the_split() -> None:
    x = np.random.default_rng(0).standard_normal((300, 1001)).astype(np.float32)
    for axis in (0, 1):
        call("cumsum", [x], axis=axis)


def test_what_it_refuses_says_why() -> None:
    x, whole = np.zeros((4, 4), np.float32)[:, ::2], np.zeros((4, 2), np.int32)
    results = tuple(tensor_of(a) for a in (np.zeros((4, 2), np.float32),))
    op = op_for("roll", [tensor_of(x)], shift=1)
    assert LOWER["roll"](op, (tensor_of(x),), results, HOST) == "roll of the flat elements of a view"  # type: ignore[arg-type]
    op = op_for("concat", [tensor_of(whole), tensor_of(x)], axis=0)
    out = (tensor_of(np.zeros((8, 2), np.float32)),)
    reason = LOWER["concat"](op, (tensor_of(whole), tensor_of(x)), out, HOST)  # type: ignore[arg-type]
    assert reason == "concat of i32 into f32: cast it first"


@pytest.mark.parametrize("target", OTHERS, ids=lambda t: t.cpu)
def test_cross_compiles(target: Target) -> None:
    x = numbers(4, 6)
    for name, arrays, attrs in [
        ("transpose", [x], {"perm": (1, 0)}),
        ("flip", [x], {"axes": (1,)}),
        ("concat", [x, x], {"axis": 1}),
        ("pad", [x], {"low": (1, 1), "high": (0, 3), "mode": "reflect"}),
        ("roll", [x], {"shift": 2, "axes": 1}),
        ("iota", [], {"shape": (3, 4), "axis": 1, "dtype": "bf16"}),
        ("cumsum", [x], {"axis": 1}),
        ("cumprod", [x], {"axis": 0, "exclusive": True}),
    ]:
        tensors = [tensor_of(array) for array in arrays]
        made = Lowered(LOWER[name], op_for(name, tensors, **attrs), tensors, target)
        assert all(len(stage.object) > 500 for stage in made.stages)
