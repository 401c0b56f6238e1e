"""Region kernels against the body's reference and against formulas of their own, over shapes, strides, dtypes, splits."""

import ctypes
import threading
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from rlx.backends.cpu.builder import Module, Target
from rlx.backends.cpu.codegen import compile_object, load_object
from rlx.backends.cpu.kernel import KernelCode, Lowering, Tensor
from rlx.backends.cpu.kernels import region_plan, region_streams
from rlx.backends.cpu.kernels.elementwise import EMIT
from rlx.backends.cpu.kernels.region import lower_copy, lower_elementwise, lower_reduce, lower_region
from rlx.core.dim import Dim, Size, evaluate
from rlx.core.dtype import ALL, BY_NAME, DType, cast_array
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.evaluate import evaluate_body, evaluate_op
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, Op
from rlx.ops.fused import make_body

SIGNATURE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
HOST = Target.host()
TARGETS = [HOST] + ([Target.baseline()] if HOST.is_x86 else [])
both_targets = pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


class Kernel:
    """A lowering made callable: every stage compiled for a target."""

    def __init__(
        self, lowering: Lowering | str, inputs: Sequence[Tensor], outputs: Sequence[Tensor], target: Target = HOST
    ) -> None:
        assert isinstance(lowering, Lowering), lowering
        self.lowering, self.outputs = lowering, outputs
        tensors = [*inputs, *outputs, *lowering.temporaries]
        self.stages: list[tuple[Any, KernelCode, Any]] = []
        for stage in lowering.stages:
            hash(stage.key)
            module = Module(target)
            code = KernelCode(module, "run", [tensors[position] for position in stage.operands])
            stage.emit(code)
            loaded = load_object(compile_object(module.text(), target))
            self.stages.append((stage, code, loaded))

    def units(self, sizes: dict[str, int] | None = None) -> int:
        return evaluate(self.lowering.stages[0].units, sizes or {})

    def __call__(
        self, *arrays: np.ndarray, sizes: dict[str, int] | None = None, cuts: Sequence[int] = (), threads: int = 1,
        into: Sequence[np.ndarray] | None = None,
    ) -> list[np.ndarray]:  # fmt: skip
        """Run on arrays; `cuts` are where the units are split into calls, dealt to `threads` threads in turn."""
        known = sizes or {}
        outputs = list(into) if into is not None else [_poisoned(t, known) for t in self.outputs]
        buffers = [*arrays, *outputs, *(_poisoned(t, known) for t in self.lowering.temporaries)]
        for stage, code, loaded in self.stages:
            pointers = [buffers[position].ctypes.data for position in stage.operands]
            table = np.array([*pointers, 0, 0, *(evaluate(size, known) for size in code.sizes)], np.int64)
            units, scratch = evaluate(stage.units, known), evaluate(stage.scratch, known)
            assert units >= 1
            bounds = sorted({0, units, *(cut for cut in cuts if 0 < cut < units)})
            calls = list(pairwise(bounds))

            def work(mine: Sequence[tuple[int, int]], table=table, scratch=scratch, loaded=loaded) -> None:
                memory = np.full(scratch + 64, 0xA5, np.uint8)
                place = -(-memory.ctypes.data // 64) * 64
                for begin, end in mine:
                    SIGNATURE(loaded.address("run"))(table.ctypes.data, begin, end, place)

            workers = [threading.Thread(target=work, args=(calls[i::threads],)) for i in range(threads)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
        return outputs


def _poisoned(tensor: Tensor, sizes: dict[str, int]) -> np.ndarray:
    """Memory that no test could mistake for a result."""
    array = np.empty([evaluate(size, sizes) for size in tensor.dims], tensor.dtype.numpy)
    array.view(np.uint8).fill(0x55) if array.ndim and array.size else None
    return array


def strided(array: np.ndarray, dims: Sequence[Size] | None = None) -> Tensor:
    """The tensor an array is a view of."""
    item = array.itemsize
    return Tensor(DType.of(array.dtype), tuple(dims or array.shape), tuple(step // item for step in array.strides))


def region(make: Callable[..., Any], shapes: Sequence[Shape]) -> tuple[Graph, Op]:
    body = make_body("body", {f"x{i}": shape for i, shape in enumerate(shapes)}, make)
    return body, OPS["fused"].op(kind="region", body=body)


def compiled(
    make: Callable[..., Any], shapes: Sequence[Shape], target: Target = HOST, tensors: Sequence[Tensor] | None = None
) -> tuple[Kernel, Graph]:
    body, op = region(make, shapes)
    inputs = tuple(tensors or [Tensor.dense(shape) for shape in shapes])
    outputs = tuple(Tensor.dense(body.shape(ref)) for ref in body.outputs.values())
    return Kernel(lower_region(op, inputs, outputs, target), inputs, outputs, target), body


def draw(shape: Sequence[int], dtype: str = "f32", seed: int = 0) -> np.ndarray:
    random, kind = np.random.default_rng(seed), DType.of(dtype)
    if kind.is_bool:
        return random.random(shape) < 0.4
    if kind.is_integer:
        return random.integers(0 if kind.category == "uint" else -9, 10, shape).astype(kind.numpy)
    return random.standard_normal(shape).astype(kind.numpy)


def close(actual: np.ndarray, expected: np.ndarray, ulps: float = 32.0) -> None:
    """Within some units in the last place of the largest element; exact for ints and bools."""
    assert actual.shape == expected.shape
    dtype = DType.of(actual.dtype)
    if not dtype.is_float:
        np.testing.assert_array_equal(actual, expected)
        return
    eps = {"f64": 2.0**-52, "f32": 2.0**-23, "f16": 2.0**-10, "bf16": 2.0**-7}[dtype.name]
    wide, wanted = actual.astype(np.float64), np.asarray(expected, np.float64)
    np.testing.assert_array_equal(np.isnan(wide), np.isnan(wanted))
    finite = np.isfinite(wanted)
    np.testing.assert_array_equal(wide[~finite & ~np.isnan(wanted)], wanted[~finite & ~np.isnan(wanted)])
    scale = np.max(np.abs(wanted[finite]), initial=0.0)
    bound = ulps * eps if dtype.size >= 4 else 1.01 * eps + ulps * 2.0**-23
    np.testing.assert_allclose(wide[finite], wanted[finite], rtol=0, atol=bound * max(scale, 1e-30))


def check(
    make: Callable[..., Any], *arrays: np.ndarray, formula: Callable[..., Any] | None = None, target: Target = HOST,
    views: bool = False, ulps: float = 32.0,
) -> Kernel:  # fmt: skip
    """The kernel against the body's reference, and against an independent formula in f64."""
    shapes = [Shape(array.shape, DType.of(array.dtype)) for array in arrays]
    tensors = [strided(array) for array in arrays] if views else None
    kernel, body = compiled(make, shapes, target, tensors)
    found = kernel(*arrays)
    for actual, expected in zip(found, evaluate_body(body, arrays, wide=True), strict=True):
        close(actual, expected, ulps)
    if formula is not None:
        given = [a.astype(np.float64) if DType.of(a.dtype).is_float else a for a in arrays]
        wanted = formula(*given)
        for actual, expected in zip(found, wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
            close(actual, np.asarray(expected), ulps)
    units = kernel.units()
    if units > 1:
        for cuts, threads in ((range(units), 1), (range(0, units, 3), 2)):
            again = kernel(*arrays, cuts=list(cuts), threads=threads)
            for first, second in zip(found, again, strict=True):
                assert first.tobytes() == second.tobytes()
    return kernel


# -- bodies and what they mean ----------------------------------------------------------------------------------
def softmax(x: Any, axis: int = -1) -> Any:
    powers = OPS["exp"](x - OPS["reduce_max"](x, axes=axis, keep_dim=True))
    return powers / OPS["reduce_sum"](powers, axes=axis, keep_dim=True)


def np_softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    powers = np.exp(x - x.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def layer_norm(x: Any, gamma: Any, beta: Any, axes: Any = -1) -> Any:
    centered = x - OPS["reduce_mean"](x, axes=axes, keep_dim=True)
    variance = OPS["reduce_mean"](centered * centered, axes=axes, keep_dim=True)
    return centered * OPS["rsqrt"](variance + 1e-5) * gamma + beta


def np_layer_norm(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray, axes: Any = -1) -> np.ndarray:
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + 1e-5) * gamma + beta


def log_sum_exp(x: Any, axis: int = -1) -> Any:
    top = OPS["reduce_max"](x, axes=axis, keep_dim=True)
    total = OPS["log"](OPS["reduce_sum"](OPS["exp"](x - top), axes=axis, keep_dim=True)) + top
    return total.reshape([size for i, size in enumerate(x.shape) if i != axis % x.rank])


def cross_entropy(logits: Any, labels: Any) -> Any:
    """-log softmax at the label: the row's other columns are masked by an iota."""
    rows, classes = logits.shape
    columns = OPS["iota"]  # emitted into the body through a value of it
    from rlx.ir.emit import emit

    position = emit(columns, (), {"shape": (rows, classes), "axis": 1, "dtype": "i64"}, graph=logits.graph)
    shifted = logits - OPS["reduce_max"](logits, axes=1, keep_dim=True)
    picked = OPS["where"](position == labels.reshape((rows, 1)), shifted, 0.0)
    total = OPS["log"](OPS["reduce_sum"](OPS["exp"](shifted), axes=1))
    return total - OPS["reduce_sum"](picked, axes=1)


LENGTHS = [1, 2, 3, 7, 8, 9, 31, 32, 33, 64, 67, 100, 257]


@both_targets
@pytest.mark.parametrize("length", LENGTHS)
def test_softmax_of_rows(length: int, target: Target) -> None:
    check(softmax, draw((5, length)), formula=np_softmax, target=target)


@both_targets
@pytest.mark.parametrize("shape", [(4, 9), (3, 67), (2, 3, 64), (1, 1000), (700, 40)])
def test_layer_norm(shape: tuple[int, ...], target: Target) -> None:
    gamma, beta = draw(shape[-1:], seed=1), draw(shape[-1:], seed=2)
    check(layer_norm, draw(shape), gamma, beta, formula=np_layer_norm, target=target)


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
@pytest.mark.parametrize("shape", [(5, 37, 19), (3, 2, 8), (2, 300, 33), (1, 5, 1)])
def test_softmax_along_any_axis(shape: tuple[int, ...], axis: int) -> None:
    check(lambda x: softmax(x, axis), draw(shape), formula=lambda x: np_softmax(x, axis))


@pytest.mark.parametrize("axes", [(1, 2), (0, 2), (0, 1), (0,), (0, 1, 2)])
def test_layer_norm_over_several_axes(axes: tuple[int, ...]) -> None:
    shape = (6, 7, 9)
    kept = tuple(size if axis in axes else 1 for axis, size in enumerate(shape))
    gamma, beta = draw(kept, seed=1), draw(kept, seed=2)
    check(
        lambda x, g, b: layer_norm(x, g, b, axes), draw(shape), gamma, beta,
        formula=lambda x, g, b: np_layer_norm(x, g, b, axes),
    )  # fmt: skip


@pytest.mark.parametrize("axis", [0, 1])
def test_log_sum_exp(axis: int) -> None:
    check(
        lambda x: log_sum_exp(x, axis), draw((33, 47)) * 30,
        formula=lambda x: np.log(np.exp(x - x.max(axis, keepdims=True)).sum(axis)) + x.max(axis),
    )  # fmt: skip


def test_cross_entropy() -> None:
    logits, labels = draw((20, 45)), np.random.default_rng(3).integers(0, 45, 20)
    check(cross_entropy, logits, labels, formula=lambda x, y: -np.log(np_softmax(x))[np.arange(20), y])


@both_targets
def test_gelu_of_a_product_and_sum(target: Target) -> None:
    import scipy.special

    check(
        lambda x, y, z: OPS["gelu"](x * y + z), draw((41, 70)), draw((70,), seed=1), draw((41, 1), seed=2), target=target,
        formula=lambda x, y, z: (x * y + z) * scipy.special.ndtr(x * y + z), ulps=8,
    )  # fmt: skip


def test_several_results_in_one_pass() -> None:
    def make(x: Any, y: Any) -> Any:
        both = x * y
        centered = both - OPS["reduce_mean"](both, axes=1, keep_dim=True)
        return both, OPS["reduce_sum"](both, axes=1), OPS["reduce_max"](x, axes=1, keep_dim=True), centered

    def formula(x: np.ndarray, y: np.ndarray) -> Any:
        return x * y, (x * y).sum(1), x.max(1, keepdims=True), x * y - (x * y).mean(1, keepdims=True)

    check(make, draw((30, 64)), draw((64,), seed=1), formula=formula)
    check(make, draw((3, 130)), draw((3, 1), seed=1), formula=formula)


def test_results_of_many_ranks_along_columns() -> None:
    def make(x: Any) -> Any:
        total = OPS["reduce_sum"](x, axes=(1,))
        return total, x / (1.0 + OPS["abs"](total)).reshape((7, 1, 50)), OPS["reduce_any"](x > 2.0, axes=1, keep_dim=True)

    check(
        make, draw((7, 33, 50)),
        formula=lambda x: (x.sum(1), x / (1 + np.abs(x.sum(1, keepdims=True))), (x > 2).any(1, keepdims=True)),
    )  # fmt: skip


def test_a_residual_and_its_norm_share_the_sum() -> None:
    def make(x: Any, y: Any, g: Any) -> Any:
        total = x + y
        return total, total * OPS["rsqrt"](OPS["reduce_mean"](total * total, axes=-1, keep_dim=True) + 1e-6) * g

    check(
        make, draw((40, 96)), draw((40, 96), seed=1), draw((96,), seed=2),
        formula=lambda x, y, g: (x + y, (x + y) / np.sqrt(((x + y) ** 2).mean(-1, keepdims=True) + 1e-6) * g),
    )  # fmt: skip


# -- reductions -------------------------------------------------------------------------------------------------
@both_targets
@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (0, 1, 2)])
@pytest.mark.parametrize("kind", ["sum", "max", "min", "prod", "mean", "any", "all"])
def test_reductions_over_all_axes(kind: str, axes: tuple[int, ...], target: Target) -> None:
    x = draw((6, 5, 35)) if kind not in ("any", "all") else draw((6, 5, 35), "bool")
    x = 1 + x / 50 if kind == "prod" else x
    formula = getattr(np, kind)
    check(
        lambda x: OPS[f"reduce_{kind}"](x, axes=axes), x.astype(np.float32) if kind not in ("any", "all") else x,
        formula=lambda x: formula(x, axis=axes), target=target,
    )  # fmt: skip


@pytest.mark.parametrize("dtype", ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bool", "f16", "bf16", "f64"])
@pytest.mark.parametrize("axis", [0, 1])
def test_reductions_of_every_dtype(dtype: str, axis: int) -> None:
    x = draw((19, 37), dtype)
    for kind in ("sum", "max", "min", "mean", "any", "all"):
        op = OPS[f"reduce_{kind}"].op(axes=(axis,), keep_dim=False)
        (expected,) = evaluate_op(op, [x])
        output = Tensor.dense(Shape(expected.shape, DType.of(expected.dtype)))
        kernel = Kernel(lower_reduce(op, (strided(x),), (output,), HOST), [strided(x)], [output])
        close(kernel(x)[0], expected)


def test_nan_wins_in_max_and_min() -> None:
    x = draw((9, 40))
    x[3, 17], x[5, 39] = np.nan, np.inf
    for axis in (0, 1):
        check(lambda x, axis=axis: OPS["reduce_max"](x, axes=axis), x, formula=lambda x, axis=axis: x.max(axis))
        check(lambda x, axis=axis: OPS["reduce_min"](x, axes=axis), x, formula=lambda x, axis=axis: x.min(axis))


def test_long_sums_are_accurate(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain f32 sum of so many ones and small numbers would drift by hundreds of ulps."""
    x = (np.random.default_rng(0).random(3_000_000) + 0.5).astype(np.float32)
    exact = x.astype(np.float64).sum()
    for shape, axes in (((3_000_000,), (0,)), ((1_000_000, 3), (0,)), ((3, 1_000_000), (1,)), ((1500, 2000), (0, 1))):
        kernel, _ = compiled(lambda x, axes=axes: OPS["reduce_sum"](x, axes=axes), [Shape(shape)])
        (found,) = kernel(x.reshape(shape), cuts=range(100), threads=2)
        assert len(kernel.lowering.stages) == 2
        assert abs(found.astype(np.float64).sum() / exact - 1) < 4 * 2.0**-24
        np.testing.assert_allclose(found, x.reshape(shape).astype(np.float64).sum(axes), rtol=2e-7)
    monkeypatch.setattr(region_plan, "_FEW_ROWS", 0)
    for shape, axes in (((2, 1_500_000), (1,)), ((1_500_000, 2), (0,))):
        kernel, _ = compiled(lambda x, axes=axes: OPS["reduce_sum"](x, axes=axes), [Shape(shape)])
        assert len(kernel.lowering.stages) == 1
        np.testing.assert_allclose(kernel(x.reshape(shape))[0], x.reshape(shape).astype(np.float64).sum(axes), rtol=4e-7)


@pytest.mark.parametrize("shape, axes", [((700,), (0,)), ((300, 5), (0,)), ((2, 700), (1,)), ((9, 40, 3), (0, 1)), ((50, 3, 40), (0, 2))])
def test_two_stages(shape: tuple[int, ...], axes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(region_plan, "CHUNK_ELEMENTS", 64)
    monkeypatch.setattr(region_plan, "_LEAST_STEPS", 8)

    def make(x: Any, y: Any) -> Any:
        wave = x * 2.0
        total = OPS["reduce_mean"](wave, axes=axes) * y
        return total + 1.0, OPS["reduce_max"](x, axes=axes, keep_dim=True), wave, OPS["reduce_any"](x > 2.5, axes=axes)

    kept = tuple(size for axis, size in enumerate(shape) if axis not in axes)
    kernel = check(
        make, draw(shape), draw(kept, seed=1),
        formula=lambda x, y: ((2 * x).mean(axes) * y + 1, x.max(axes, keepdims=True), 2 * x, (x > 2.5).any(axes)),
    )  # fmt: skip
    assert len(kernel.lowering.stages) == 2


# -- single records ---------------------------------------------------------------------------------------------
POINTWISE = [record for record in OPS if record.name in EMIT]


@pytest.mark.parametrize("record", POINTWISE, ids=lambda record: record.name)
def test_records_on_their_cases(record: Any) -> None:
    for case in record.cases():
        for dtype in case.dtypes if case.note == "plain" else case.dtypes[:1]:
            arrays = case.arrays(dtype=dtype)
            op = record.op(**case.attrs)
            results = op.infer([Shape(a.shape, DType.of(a.dtype)) for a in arrays])
            if any(shape.dtype.is_complex for shape in results):
                continue
            expected = evaluate_op(op, arrays, wide=True)
            inputs, outputs = tuple(strided(a) for a in arrays), tuple(Tensor.dense(shape) for shape in results)
            found = Kernel(lower_elementwise(op, inputs, outputs, HOST), inputs, outputs)(*arrays)
            for actual, wanted, shape in zip(found, expected, results, strict=True):
                bound = record.tolerance.bound(op, arrays, wanted, shape.dtype)
                if shape.dtype.name == "f64" and "gelu" in record.name:
                    bound = bound * 100  # the reference is f64 too, and far from 0 its own rounding counts (test_math)
                both = np.isfinite(wanted.astype(np.float64)) & np.isfinite(actual.astype(np.float64))
                error = np.abs(actual.astype(np.float64) - wanted.astype(np.float64))
                assert np.all(error[both] <= bound[both]), (record.name, dtype, case.note, error.max())
                np.testing.assert_array_equal(
                    actual.astype(np.float64)[~both], cast_array(wanted, shape.dtype).astype(np.float64)[~both]
                )


INTEGERS = ["i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"]


def _edges(dtype: DType, count: int, seed: int) -> np.ndarray:
    """Extremes, small numbers, and random bits."""
    random = np.random.default_rng(seed)
    if dtype.is_bool:
        return random.random(count) < 0.5
    if dtype.is_integer:
        info = np.iinfo(dtype.numpy)
        special = np.array([info.min, info.max, 0, 1, 2, 3, 7, info.max // 2, info.min + 1], dtype.numpy)
        small = random.integers(-9 if info.min else 0, 9, count // 2).astype(dtype.numpy)
        return np.concatenate([special, small, random.integers(info.min, info.max, count - 9 - count // 2, dtype.numpy)])
    special = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, 2.5, -2.5, 100.25, 1e-8, 6e4, -3e38])
    return np.concatenate([special, random.standard_normal(count - 14) * 10.0 ** random.uniform(-3, 3, count - 14)]).astype(dtype.numpy)


@both_targets
@pytest.mark.parametrize("dtype", [*INTEGERS, "bool", "f64", "f32", "f16", "bf16"])
def test_every_op_on_every_dtype(dtype: str, target: Target) -> None:
    """Everything the records accept, on extremes, in one kernel: ints and bools exactly, floats by their tolerance."""
    kind = DType.of(dtype)
    operands = [np.random.default_rng(9).permutation(_edges(kind, 67, seed)) for seed in range(3)]
    operands.append((operands[1] % 7).astype(kind.numpy) if kind.is_integer else operands[1])
    condition = operands[0] > operands[1] if not kind.is_bool else operands[0]
    accepted = []
    for record in POINTWISE:
        if record.name == "cast" or (record.name == "pow" and dtype == "u64"):  # NumPy's goes through f64: see test_math
            continue
        places = {"where": (4, 1, 2), "pow": (0, 3)}.get(record.name, tuple(range(len(record.operands))))
        arrays = [[*operands, condition][place] for place in places]
        try:
            record.op().infer([Shape(a.shape, DType.of(a.dtype)) for a in arrays])
        except RlxError:
            continue  # not a dtype of this record
        accepted.append((record, places, arrays))
    given = [*operands, condition]
    shapes = [Shape(a.shape, DType.of(a.dtype)) for a in given]
    kernel, _ = compiled(lambda *xs: [record(*(xs[i] for i in places)) for record, places, _ in accepted], shapes, target)
    for (record, _, arrays), actual in zip(accepted, kernel(*given), strict=True):
        result = DType.of(actual.dtype)
        (expected,) = evaluate_op(record.op(), arrays, wide=True)
        rounded = cast_array(expected, result)
        if not result.is_float:
            np.testing.assert_array_equal(actual, rounded, err_msg=f"{record.name} {dtype}")
            continue
        found, nearest = actual.astype(np.float64), rounded.astype(np.float64)
        bound = record.tolerance.bound(record.op(), arrays, expected, result) * (100 if dtype == "f64" else 1)
        right = (found == nearest) | (np.isnan(found) & np.isnan(nearest))
        right |= np.abs(found - expected.astype(np.float64)) <= bound
        assert right.all(), (record.name, [a[~right] for a in arrays], found[~right], expected[~right])


CASTS = [d for d in ALL if not d.is_complex]


@both_targets
@pytest.mark.parametrize("source", CASTS, ids=str)
def test_casts_between_all_dtypes(source: DType, target: Target) -> None:
    if source.category == "f8":
        x = np.arange(256, dtype=np.uint8).view(source.numpy)
    else:
        x = _edges(source, 90, 0)
        if source.name in ("f32", "f64"):  # every value of the 8-bit floats, and what lies between
            grid = np.arange(256, dtype=np.uint8)
            values = np.concatenate([grid.view(BY_NAME[n].numpy).astype(np.float64) for n in ("f8e4m3", "f8e5m2")])
            values = np.unique(values[np.isfinite(values)])
            middle = (values[1:] + values[:-1]) / 2
            x = np.concatenate([x, values, middle, middle * (1 + 1e-6), middle * (1 - 1e-6)]).astype(source.numpy)
    kernel, _ = compiled(lambda x: [OPS["cast"](x, to=to) for to in CASTS], [Shape(x.shape, source)], target)
    for to, actual in zip(CASTS, kernel(x), strict=True):
        if source.name == "f64" and to.name == "bf16":  # ml_dtypes rounds twice
            continue
        expected = cast_array(x, to).astype(np.float64)
        np.testing.assert_array_equal(actual.astype(np.float64), expected, err_msg=f"{source} to {to}")


# -- shapes, strides, symbols -----------------------------------------------------------------------------------
@pytest.mark.parametrize("shape", [(0,), (0, 5), (5, 0), (1,), (1, 1), (), (1, 7), (7, 1), (2, 1, 3)])
def test_degenerate_shapes(shape: tuple[int, ...]) -> None:
    x = draw(shape)
    check(lambda x: OPS["tanh"](x) * 2.0 + x, x, formula=lambda x: np.tanh(x) * 2 + x)
    if shape:
        check(lambda x: OPS["reduce_sum"](x, axes=-1), x, formula=lambda x: x.sum(-1))
        check(lambda x: OPS["reduce_sum"](x, axes=0, keep_dim=True), x, formula=lambda x: x.sum(0, keepdims=True))
        check(lambda x: OPS["reduce_sum"](x), x, formula=lambda x: x.sum())
        check(lambda x: x - OPS["reduce_sum"](x, axes=0, keep_dim=True), x, formula=lambda x: x - x.sum(0, keepdims=True))


def views() -> list[tuple[str, np.ndarray]]:
    base = draw((12, 40, 24))
    return [
        ("transposed", base.transpose(2, 1, 0)),
        ("swapped", base.transpose(0, 2, 1)),
        ("rotated", base.transpose(1, 2, 0)),
        ("sliced", base[1:11, 3:37, 2:20]),
        ("stepped", base[::2, ::3, ::2]),
        ("reversed", base[:, ::-1, ::-1]),
        ("repeated", np.broadcast_to(base[:, :1, :], (12, 33, 24))),
        ("repeated last", np.broadcast_to(base[:, :, :1], (12, 40, 65))),
    ]


@both_targets
@pytest.mark.parametrize("name, x", views(), ids=lambda v: v if isinstance(v, str) else "")
def test_strided_operands(name: str, x: np.ndarray, target: Target) -> None:
    y = draw(x.shape[-1:], seed=1)
    check(lambda x, y: OPS["silu"](x) * y, x, y, views=True, target=target)
    check(lambda x, y: OPS["exp"](x) + y, x.astype(np.float16), y.astype(np.float16), views=True, target=target)
    for axes in ((0,), (1,), (2,), (0, 2), (1, 2)):
        check(lambda x, axes=axes: OPS["reduce_sum"](x, axes=axes), x, views=True, target=target, formula=lambda x, axes=axes: x.sum(axes))
    for axis in (0, 1, 2):
        check(lambda x, axis=axis: softmax(x, axis), x, views=True, formula=lambda x, axis=axis: np_softmax(x, axis), target=target)


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f64", "i32", "u8", "i64"])
def test_norm_like_bodies_in_other_dtypes(dtype: str) -> None:
    def make(x: Any) -> Any:
        wide = OPS["cast"](x, to="f32" if dtype != "f64" else "f64")
        return OPS["cast"](softmax(wide), to=dtype if dtype in ("f16", "bf16", "f64") else "f32")

    check(make, draw((13, 45), dtype), formula=lambda x: np_softmax(x.astype(np.float64)))


def test_masks() -> None:
    mask, x = draw((21, 50), "bool"), draw((21, 50))
    check(
        lambda m, x: softmax(OPS["where"](m, x, -1e30)), mask, x,
        formula=lambda m, x: np_softmax(np.where(m, x, -1e30)),
    )  # fmt: skip
    check(
        lambda m: (OPS["not"](m), OPS["reduce_all"](m, axes=0), OPS["reduce_sum"](m, axes=0)), mask,
        formula=lambda m: (~m, m.all(0), m.sum(0)),
    )  # fmt: skip


def test_constants_inside() -> None:
    table = np.linspace(-1, 1, 30, dtype=np.float32)
    codes = np.array([[3], [-1], [2**31 - 1], [0]], np.int32)
    check(lambda x: x * table + np.float32(0.5), draw((4, 30)), formula=lambda x: x * table.astype(float) + 0.5)
    check(lambda x: x + codes, draw((4, 30), "i32"), formula=lambda x: x + codes)
    big = np.array([2**64 - 1, 5, 2**63], np.uint64)
    check(lambda x: OPS["max"](x, big), draw((7, 3), "u64"), formula=lambda x: np.maximum(x, big))


BATCH, SEQ = Dim("batch", min=0), Dim("seq", min=0)


@pytest.mark.parametrize(
    "make, dims, formula",
    [
        (softmax, [(BATCH, SEQ)], np_softmax),
        (lambda x: softmax(x, 1), [(BATCH, SEQ, 24)], lambda x: np_softmax(x, 1)),
        (lambda x, g: layer_norm(x, g, 0.5), [(BATCH, SEQ, 48), (48,)], lambda x, g: np_layer_norm(x, g, 0.5)),
        (lambda x, y: OPS["tanh"](x + y), [(BATCH, SEQ, 40), (SEQ, 1)], lambda x, y: np.tanh(x + y)),
        (lambda x: OPS["reduce_mean"](x, axes=(0, 1)), [(BATCH, SEQ, 10)], lambda x: x.mean((0, 1))),
        (lambda x: OPS["reduce_sum"](x), [(BATCH, SEQ)], lambda x: x.sum()),
        (lambda x: OPS["reduce_max"](x, axes=0), [(BATCH + 1, SEQ)], lambda x: x.max(0)),
        (lambda x, y: x * y, [(BATCH, 2 * SEQ + 3), (BATCH, 1)], lambda x, y: x * y),
    ],
)
@both_targets
def test_one_kernel_for_all_sizes(make: Any, dims: Any, formula: Any, target: Target) -> None:
    kernel, body = compiled(make, [Shape(d) for d in dims], target)
    for batch, seq in ((1, 1), (3, 7), (2, 64), (5, 129), (17, 33), (64, 600), (1, 3000)):
        sizes = {"batch": batch, "seq": seq}
        arrays = [draw([evaluate(size, sizes) for size in d], seed=i) for i, d in enumerate(dims)]
        (found,) = kernel(*arrays, sizes=sizes)
        close(found, formula(*(a.astype(np.float64) for a in arrays)))
        units = kernel.units(sizes)
        (again,) = kernel(*arrays, sizes=sizes, cuts=range(0, units, 2), threads=2)
        np.testing.assert_array_equal(found, again)
    if not any("max" in node.op.name for node in body.nodes):
        for batch, seq in ((0, 5), (3, 0)):
            sizes = {"batch": batch, "seq": seq}
            arrays = [draw([evaluate(size, sizes) for size in d], seed=i) for i, d in enumerate(dims)]
            (found,) = kernel(*arrays, sizes=sizes)
            close(found, formula(*(a.astype(np.float64) for a in arrays)))


def test_symbolic_strides() -> None:
    """A transposed view of [seq, batch]: strides (1, batch)."""
    shape = Shape((BATCH, SEQ))
    tensors = [Tensor(DType.of("f32"), (BATCH, SEQ), (1, BATCH)), Tensor(DType.of("f32"), (BATCH, SEQ), (SEQ + 5, 1))]
    kernel, _ = compiled(lambda x, y: (OPS["exp"](x) - y, OPS["reduce_sum"](x * y, axes=1)), [shape, shape], HOST, tensors)
    for batch, seq in ((3, 7), (65, 40), (9, 300)):
        x, y = draw((seq, batch)).T, draw((batch, seq + 5), seed=1)[:, :seq]
        found = kernel(x, y, sizes={"batch": batch, "seq": seq})
        close(found[0], np.exp(x.astype(np.float64)) - y)
        close(found[1], (x.astype(np.float64) * y).sum(1))


# -- random bodies ----------------------------------------------------------------------------------------------
UNARY = ["tanh", "exp", "sigmoid", "abs", "neg", "relu", "silu", "sin"]
BINARY = ["add", "sub", "mul", "max", "min"]


def _random_body(random: np.random.Generator, ranks: int) -> tuple[list[tuple[int, ...]], Callable[..., Any]]:
    """Operands that broadcast to one shape, and a body of random ops with reductions over one set of axes."""
    full = tuple(int(size) for size in random.choice([1, 2, 3, 5, 8, 17, 33, 40], ranks))
    shapes = [full]
    for _ in range(random.integers(0, 3)):
        shape = tuple(1 if random.random() < 0.4 else size for size in full)
        shapes.append(shape[random.integers(0, ranks) if all(s == 1 for s in shape[:1]) else 0 :])
    axes = tuple(sorted(random.choice(ranks, random.integers(1, ranks + 1), replace=False).tolist()))
    plan = random.integers(0, 1 << 30, 40).tolist()

    def make(*operands: Any) -> Any:
        choice = iter(plan)
        pool = list(operands)
        reduced = []
        for _ in range(next(choice) % 8 + 2):
            kind = next(choice) % 10
            a, b = pool[next(choice) % len(pool)], pool[next(choice) % len(pool)]
            if kind < 3:
                pool.append(OPS[UNARY[next(choice) % len(UNARY)]](OPS["clamp"](a, -4.0, 4.0)))
            elif kind < 7:
                pool.append(OPS[BINARY[next(choice) % len(BINARY)]](a, b))
            else:
                wide = OPS["expand"](a, shape=full)
                name = ("reduce_sum", "reduce_mean", "reduce_max", "reduce_min")[next(choice) % 4]
                made = OPS[name](wide, axes=axes, keep_dim=True)
                reduced.append(made)
                pool.append(made * 0.1)
        results = [OPS["expand"](pool[-1] + pool[0], shape=full)]
        if reduced:
            results.append(reduced[-1] + 1.0)
        return results

    return [tuple(shape) for shape in shapes], make


@pytest.mark.parametrize("seed", range(60))
def test_random_bodies(seed: int) -> None:
    random = np.random.default_rng(seed)
    shapes, make = _random_body(random, int(random.integers(1, 5)))
    arrays = []
    for index, shape in enumerate(shapes):
        x = draw(shape, seed=index)
        if random.random() < 0.4 and len(shape) > 1:
            order = random.permutation(len(shape))
            x = np.ascontiguousarray(x.transpose(order)).transpose(np.argsort(order))
        arrays.append(x)
    kernel, body = compiled(make, [Shape(shape) for shape in shapes], TARGETS[seed % len(TARGETS)], [strided(x) for x in arrays])
    found = kernel(*arrays, cuts=range(1, 99, 2), threads=2)
    exact, rounded = (evaluate_body(body, arrays, wide=wide) for wide in (True, False))
    for actual, expected, plain in zip(found, exact, rounded, strict=True):
        spread = np.max(np.abs(expected), initial=0.0) * 200 * 2.0**-23 + 8 * np.max(np.abs(plain - expected), initial=0.0)
        np.testing.assert_allclose(actual, expected, rtol=0, atol=spread)
    for first, second in zip(found, kernel(*arrays), strict=True):
        np.testing.assert_array_equal(first, second)


@both_targets
@pytest.mark.parametrize("axis", [0, 1])
def test_shares_are_accurate_element_by_element(axis: int, target: Target) -> None:
    """e·(1/Σe) instead of e/Σe: within 8 units in the last place of every share, most of them from the sum of 200."""
    x = draw((200, 203)) * np.float32(20)
    x[3, 5], x[7], x[:, 9] = -np.inf, -100.0, 90.0
    kernel, _ = compiled(lambda x: softmax(x, axis), [Shape(x.shape)], target)
    (found,) = kernel(x)
    powers = np.exp((x - x.max(axis, keepdims=True)).astype(np.float64))  # the difference is rounded to f32
    exact = powers / powers.sum(axis, keepdims=True)
    unit = np.maximum(np.spacing(exact.astype(np.float32)), 2.0**-149)
    assert np.max(np.abs(found - exact) / unit) <= 8.0


@pytest.mark.parametrize("axis", [0, 1])
def test_values_too_long_to_keep_are_computed_again(axis: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The powers of a softmax need no room of their own then, in place or not."""
    x = draw((70, 203))
    kept, _ = compiled(lambda x: softmax(x, axis), [Shape(x.shape)])
    monkeypatch.setattr(region_plan, "_LARGEST_KEPT", 0)
    again, _ = compiled(lambda x: softmax(x, axis), [Shape(x.shape)])
    assert again.lowering.stages[0].scratch < kept.lowering.stages[0].scratch
    close(again(x)[0], np_softmax(x.astype(np.float64), axis))
    shared = x.copy()
    again(shared, into=[shared])
    np.testing.assert_array_equal(shared, again(x)[0])


# -- placement --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("shift", [0, 1, 8])
def test_streaming_stores(shift: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results written past the caches, aligned or not, have the same numbers."""
    x = draw((37, 72))

    def results() -> list[np.ndarray]:
        found = []
        for make in (softmax, OPS["tanh"], lambda x: softmax(x, 0)):
            kernel, _ = compiled(make, [Shape((37, 72))])
            memory = np.zeros(37 * 72 + 64, np.float32)
            start = -memory.ctypes.data % 64 // 4 + shift
            out = memory[start : start + 37 * 72].reshape(37, 72)
            kernel(x, into=[out])
            assert not memory[:start].any() and not memory[start + 37 * 72 :].any()
            found.append(out.copy())
        return found

    plain = results()
    monkeypatch.setattr(region_streams, "STREAMED_BYTES", 1)
    for a, b in zip(plain, results(), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("make", [softmax, lambda x: softmax(x, 0), lambda x: OPS["gelu"](x) + 1.0, lambda x: layer_norm(x, 2.0, 0.5)])
def test_in_place(make: Any) -> None:
    x = draw((50, 70))
    kernel, _ = compiled(make, [Shape(x.shape)])
    assert (0, 0) in kernel.lowering.in_place
    (expected,) = kernel(x)
    shared = x.copy()
    kernel(shared, into=[shared])
    np.testing.assert_array_equal(shared, expected)


def test_in_place_beside_a_sum_over_long_rows() -> None:
    """Two stages: each chunk writes where it has read, and the totals come from the chunks' own sums."""

    def make(x: Any, y: Any) -> Any:
        return x * 2.0 + y, OPS["reduce_sum"](x * x, axes=(0, 1), keep_dim=True)

    x, y = draw((3, 70001)), draw((3, 70001))
    kernel, _ = compiled(make, [Shape(x.shape), Shape(y.shape)])
    assert len(kernel.lowering.stages) == 2 and kernel.lowering.in_place == ((0, 0), (1, 0))
    expected = kernel(x, y)
    np.testing.assert_allclose(expected[1], (x.astype(np.float64) ** 2).sum(keepdims=True), rtol=1e-5)
    for shared, arrays in ((x.copy(), lambda a: (a, y)), (y.copy(), lambda a: (x, a))):
        total = np.empty_like(expected[1])
        kernel(*arrays(shared), into=[shared, total])
        np.testing.assert_array_equal(shared, expected[0])
        np.testing.assert_array_equal(total, expected[1])


def test_in_place_is_not_offered_when_it_would_be_wrong() -> None:
    def early(x: Any) -> Any:  # the first result is written while x is still read
        return x * 2.0, x - OPS["reduce_sum"](x, axes=1, keep_dim=True)

    kernel, _ = compiled(early, [Shape((5, 30))])
    assert kernel.lowering.in_place == ((0, 1),)
    kernel, _ = compiled(lambda x, y: x + y, [Shape((5, 30)), Shape((30,))])
    assert kernel.lowering.in_place == ((0, 0),)
    kernel, _ = compiled(lambda x: OPS["cast"](x, to="i32"), [Shape((5, 30))])
    assert kernel.lowering.in_place == ()


def test_reasons() -> None:
    def refused(make: Any, *shapes: Shape) -> str:
        _, op = region(make, shapes)
        inputs = tuple(Tensor.dense(shape) for shape in shapes)
        outputs = tuple(Tensor.dense(op["body"].shape(ref)) for ref in op["body"].outputs.values())
        reason = lower_region(op, inputs, outputs, HOST)
        assert isinstance(reason, str)
        return reason

    x = Shape((4, 6))
    assert "different axes" in refused(lambda x: (OPS["reduce_sum"](x, axes=0), OPS["reduce_sum"](x, axes=1)), x)
    assert "some of the axes" in refused(lambda x, y: (x + y, y * 2.0), x, Shape((6,)))
    assert "reshape" in refused(lambda x: x.reshape((24,)) + 1.0, x)
    assert "not elementwise" in refused(lambda x: x.transpose(1, 0) + 1.0, x)
    assert "complex" in refused(lambda x: x * x, Shape((3,), "c64"))


# -- copies -----------------------------------------------------------------------------------------------------
@both_targets
@pytest.mark.parametrize("dtype", ["u8", "bf16", "f32", "f64", "c128", "bool"])
def test_copies(dtype: str, target: Target) -> None:
    kind = DType.of(dtype)
    random = np.random.default_rng(0)
    base = random.integers(0, 2 if kind.is_bool else 120, (3, 70, 83)).astype(kind.numpy)
    for x in (
        base, base.transpose(0, 2, 1), base.transpose(2, 1, 0), base.transpose(1, 0, 2), base[:, ::2, ::-1],
        base[:, 3:66, 1:80].transpose(0, 2, 1), np.broadcast_to(base[:, :, :1], (3, 70, 9)), base[0].T[:5], base[0, 0],
        base[:0], base[0, 0, 0],
    ):  # fmt: skip
        x = np.asarray(x)
        inputs, outputs = [strided(x)], [Tensor.dense(Shape(x.shape, kind))]
        kernel = Kernel(lower_copy(inputs[0], outputs[0], target), inputs, outputs, target)
        (found,) = kernel(x, cuts=range(20), threads=2)
        np.testing.assert_array_equal(found, x)


def test_copies_of_symbolic_size() -> None:
    source = Tensor(DType.of("f32"), (SEQ, BATCH), (1, SEQ))
    into = Tensor.dense(Shape((SEQ, BATCH)))
    kernel = Kernel(lower_copy(source, into, HOST), [source], [into])
    for batch, seq in ((1, 1), (3, 100), (64, 64), (200, 77), (0, 5)):
        x = draw((batch, seq)).T
        (found,) = kernel(x, sizes={"batch": batch, "seq": seq})
        np.testing.assert_array_equal(found, x)


def test_copies_into_a_slice() -> None:
    x, target = draw((20, 30)), np.zeros((20, 50), np.float32)
    place = target[:, 10:40]
    kernel = Kernel(lower_copy(strided(x), strided(place), HOST), [strided(x)], [strided(place)])
    kernel(x, into=[place])
    np.testing.assert_array_equal(place, x)
    assert not target[:, :10].any() and not target[:, 40:].any()


# -- other machines ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["x86_64-avx512", "x86_64-avx2", "x86_64-sse4", "aarch64", "aarch64-apple"])
def test_cross_compiles(name: str) -> None:
    target = Target.named(name)
    shapes = [Shape((BATCH, 100)), Shape((100,), "bf16")]

    def make(x: Any, g: Any) -> Any:
        return softmax(x) * OPS["cast"](g, to="f32"), OPS["reduce_any"](x > 1.0, axes=1)

    for bodies in (make, lambda x, g: softmax(x, 0) + g):
        _, op = region(bodies, shapes)
        outputs = tuple(Tensor.dense(op["body"].shape(ref)) for ref in op["body"].outputs.values())
        lowering = lower_region(op, tuple(Tensor.dense(shape) for shape in shapes), outputs, target)
        assert isinstance(lowering, Lowering)
        for stage in lowering.stages:
            module = Module(target)
            tensors = [*(Tensor.dense(shape) for shape in shapes), *outputs, *lowering.temporaries]
            stage.emit(KernelCode(module, "run", [tensors[i] for i in stage.operands]))
            assert len(compile_object(module.text(), target)) > 500
