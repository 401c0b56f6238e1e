"""Attention against NumPy: every mask, ragged lengths, views, symbolic sizes, any split of the work.

`python -m tests.backends.cpu.kernels.attention.test_forward` measures it beside torch's scaled_dot_product_attention.
"""

import itertools
import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from rlx.backends.cpu.emit.kernel import Lowering, Tensor
from rlx.backends.cpu.kernels.attention.forward import lower
from rlx.backends.cpu.target import Target
from rlx.core.dim import Dim
from tests.backends.cpu.levels import HOST, OTHERS, TARGETS
from tests.backends.cpu.lowered import Array, Lowered, op_for, run, tensor_of

SPLITS = [{"split": 1}, {"split": 3}, {"split": 2, "threads": 2}]


def expected(q: Array, k: Array, v: Array, mask: Any = None, position: Any = None, length: Any = None, **attrs: Any) -> Array:
    """Attention head by head and row by row, in f64; operands as [B, heads, tokens, D]."""
    batch, heads, queries, head_dim = q.shape
    kv_heads, keys = k.shape[1:3]
    scale = attrs.get("score_scale") or 1 / math.sqrt(head_dim)
    cap, kind, window = attrs.get("softcap"), str(attrs.get("mask_kind", "none")), 0
    if kind.startswith("sliding"):
        window = int(kind.split("(")[1][:-1])
    causal = attrs.get("causal") or kind == "causal" or window
    out = np.zeros(q.shape)
    for b, h, i in itertools.product(range(batch), range(heads), range(queries)):
        limit = keys if length is None else int(length[b])
        place = (limit - queries if position is None else int(position[b])) + i
        seen = np.arange(keys) < limit
        if causal:
            seen &= np.arange(keys) <= place
        if window:
            seen &= np.arange(keys) > place - window
        if kind == "custom":
            seen &= mask[b]
        head = h // (heads // kv_heads)
        visible_k, visible_v = (x[b, head][seen].astype(np.float64) for x in (k, v))
        scores = visible_k @ q[b, h, i].astype(np.float64) * scale
        if cap:
            scores = cap * np.tanh(scores / cap)
        if kind == "bias":
            scores = scores + np.broadcast_to(mask.astype(np.float64), (batch, heads, queries, keys))[b, h, i][seen]
        if scores.size and scores.max() > -np.inf:
            weights = np.exp(scores - scores.max())
            out[b, h, i] = weights @ visible_v / weights.sum()
    return out


def heads_last(x: Array, layout: str) -> Array:
    """[B, heads, tokens, D] in a layout."""
    if layout == "bhsd":
        return x
    x = np.ascontiguousarray(x.transpose(0, 2, 1, 3))
    return x if layout == "bshd" else x.reshape(*x.shape[:2], x.shape[2] * x.shape[3])


def tolerance(dtype: Any) -> float:
    return {"float64": 1e-12, "float32": 4e-6, "float16": 2e-3, "bfloat16": 2e-2}[np.dtype(dtype).name]


def check(
    sizes: tuple[int, int, int, int, int, int],
    mask: Any = None,
    position: Any = None,
    length: Any = None,
    *,
    dtype: Any = np.float32,
    layout: str = "packed",
    target: Target = HOST,
    splits: list[dict[str, int]] | None = None,
    **attrs: Any,
) -> None:
    """Draw q, k, v for (B, H, Hkv, S, T, D), run, compare; every split must give the same bits."""
    batch, heads, kv_heads, queries, keys, head_dim = sizes
    random = np.random.default_rng(sum(sizes))
    q, k, v = (
        random.standard_normal((batch, h, n, head_dim)).astype(dtype)
        for h, n in ((heads, queries), (kv_heads, keys), (kv_heads, keys))
    )
    arrays = [*(heads_last(x, layout) for x in (q, k, v)), mask, position, length]
    tensors = [tensor_of(array) for array in arrays]
    op = op_for("attention", tensors, num_heads=heads, head_dim=head_dim, num_kv_heads=kv_heads, layout=layout, **attrs)
    lowered = Lowered(lower, op, tensors, target)
    (actual,) = lowered.call(arrays)
    wanted = heads_last(expected(q, k, v, mask, position, length, **attrs), layout)
    np.testing.assert_allclose(actual.astype(np.float64), wanted, rtol=tolerance(dtype), atol=tolerance(dtype))
    for split in splits if splits is not None else SPLITS[:1]:
        np.testing.assert_array_equal(lowered.call(arrays, **split)[0].view(np.uint8), actual.view(np.uint8))


def i32(*numbers: int) -> Array:
    return np.array(numbers, np.int32)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize("queries", [1, 3, 37])
def test_dtypes(target: Target, dtype: Any, queries: int) -> None:
    check((2, 4, 2, queries, 41, 24), dtype=dtype, mask_kind="causal", target=target)


@pytest.mark.parametrize("layout", ["packed", "bshd", "bhsd"])
@pytest.mark.parametrize("mask_kind", ["none", "causal", "sliding_window(1)", "sliding_window(19)", "sliding_window(500)"])
@pytest.mark.parametrize("sizes", [(2, 3, 3, 1, 300, 32), (1, 4, 2, 50, 50, 16), (1, 2, 1, 70, 330, 64), (2, 2, 2, 40, 23, 8)])
def test_masks_by_position(layout: str, mask_kind: str, sizes: tuple[int, int, int, int, int, int]) -> None:
    check(sizes, mask_kind=mask_kind, layout=layout)


@pytest.mark.parametrize("head_dim", [1, 3, 8, 31, 32, 67, 80, 128, 200])
@pytest.mark.parametrize("queries", [1, 29])
def test_head_sizes(head_dim: int, queries: int) -> None:
    check((1, 2, 1, queries, 45, head_dim), mask_kind="causal")


@pytest.mark.parametrize(
    "heads, kv_heads", [(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 2), (7, 1), (8, 1), (16, 1), (17, 1), (40, 1), (70, 1)]
)
@pytest.mark.parametrize("queries", [1, 2, 11])
def test_grouped_heads(heads: int, kv_heads: int, queries: int) -> None:
    check((1, heads, kv_heads, queries, 83, 16), mask_kind="causal")


@pytest.mark.parametrize("queries", [1, 2, 5, 30, 130])
@pytest.mark.parametrize("mask_kind", ["none", "causal", "sliding_window(33)"])
def test_ragged_lengths(queries: int, mask_kind: str) -> None:
    lengths = i32(0, 1, 7, 64, 65, 200)
    check((6, 4, 2, queries, 200, 32), None, None, lengths, mask_kind=mask_kind)
    check((6, 4, 2, queries, 200, 32), None, i32(0, 3, 199, -5, 40, 100), lengths, mask_kind=mask_kind)
    check((6, 4, 2, queries, 200, 32), None, i32(0, 3, 250, -5, 40, 100), None, mask_kind=mask_kind, layout="bhsd")


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("queries", [1, 40])
@pytest.mark.parametrize("causal", [False, True])
def test_custom_masks(target: Target, queries: int, causal: bool) -> None:
    random = np.random.default_rng(0)
    mask = random.random((3, 300)) < 0.5
    mask[1] = False
    mask[2, :290] = False
    check((3, 2, 2, queries, 300, 16), mask, mask_kind="custom", causal=causal, target=target)
    check((3, 2, 2, queries, 300, 16), mask, None, i32(20, 300, 295), mask_kind="custom", causal=causal, target=target)


@pytest.mark.parametrize("queries", [1, 37])
@pytest.mark.parametrize(
    "shape", [(90,), (1,), ("s", 90), ("s", 1), (1, 4, 1, 90), (2, 1, "s", 90), (2, 4, "s", 1), (2, 4, "s", 90), (2, 1, 1, 1)]
)
@pytest.mark.parametrize("causal", [False, True])
def test_bias_broadcasts(queries: int, shape: tuple[Any, ...], causal: bool) -> None:
    bias = np.random.default_rng(1).standard_normal([queries if n == "s" else n for n in shape]).astype(np.float32)
    check((2, 4, 2, queries, 90, 16), bias, mask_kind="bias", causal=causal)
    check((2, 4, 2, queries, 90, 16), bias.astype(np.float16), None, i32(90, 11), mask_kind="bias", causal=causal)


@pytest.mark.parametrize("queries", [2, 37])
def test_bias_that_hides(queries: int) -> None:
    """-inf hides a key, and a row of the lowest finite number is a uniform average, as a softmax of it is."""
    bias = np.zeros((1, 1, queries, 50), np.float32)
    bias[..., ::3] = -np.inf
    bias[0, 0, 0] = -np.inf
    bias[0, 0, 1] = np.finfo(np.float32).min
    check((1, 2, 1, queries, 50, 16), bias, mask_kind="bias")


@pytest.mark.parametrize("queries", [1, 37])
@pytest.mark.parametrize("attrs", [{"softcap": 2.0}, {"softcap": 30.0, "score_scale": 0.5}, {"score_scale": -0.7}])
def test_scale_and_softcap(queries: int, attrs: dict[str, float]) -> None:
    check((1, 2, 1, queries, 77, 32), mask_kind="causal", **attrs)
    bias = np.random.default_rng(0).standard_normal((queries, 77)).astype(np.float32)
    check((1, 2, 1, queries, 77, 32), bias, mask_kind="bias", **attrs)


@pytest.mark.parametrize(
    "sizes", [(0, 2, 1, 3, 4, 8), (2, 2, 1, 0, 4, 8), (2, 2, 1, 3, 0, 8), (2, 2, 1, 40, 0, 8), (1, 1, 1, 1, 1, 1)]
)
def test_empty_and_tiny(sizes: tuple[int, int, int, int, int, int]) -> None:
    check(sizes, mask_kind="causal")


@pytest.mark.parametrize("sizes", [(1, 2, 1, 1, 2000, 16), (2, 6, 2, 5, 700, 32), (1, 2, 2, 400, 400, 32), (3, 2, 1, 100, 260, 8)])
@pytest.mark.parametrize("mask_kind", ["none", "causal"])
def test_any_split_gives_the_same_bits(sizes: tuple[int, int, int, int, int, int], mask_kind: str) -> None:
    check(sizes, mask_kind=mask_kind, splits=SPLITS)


@pytest.mark.parametrize("queries", [1, 40])
def test_what_lies_past_the_lengths_has_no_effect(queries: int) -> None:
    """Not even NaN: a cache is larger than what is in it. The same for keys a custom mask hides."""
    random = np.random.default_rng(0)
    q, k, v = (random.standard_normal((2, n, 32)).astype(np.float32) for n in (queries, 200, 200))
    lengths = i32(150, 70)
    mask = random.random((2, 200)) < 0.7
    wanted, masked = (
        run(lower, _op(q, k, v, mask=m, mask_kind=kind), [q, k, v, m, None, lengths])[0]
        for m, kind in ((None, "causal"), (mask, "custom"))
    )
    for b, n in enumerate(lengths):
        k[b, n:] = v[b, n:] = np.nan
    actual = run(lower, _op(q, k, v, mask_kind="causal"), [q, k, v, None, None, lengths])[0]
    np.testing.assert_array_equal(actual, wanted)
    k[~mask] = v[~mask] = np.nan
    actual = run(lower, _op(q, k, v, mask=mask, mask_kind="custom"), [q, k, v, mask, None, lengths])[0]
    np.testing.assert_array_equal(actual, masked)


def _op(q: Array, k: Array, v: Array, mask: Array | None = None, **attrs: Any) -> Any:
    tensors = [tensor_of(x) for x in (q, k, v, mask)]
    return op_for("attention", tensors, num_heads=2, head_dim=16, **attrs)


def test_nan_in_what_is_seen_comes_out() -> None:
    q, k, v = (np.ones((1, n, 16), np.float32) for n in (20, 30, 30))
    k[0, 3] = np.nan
    op = op_for("attention", [tensor_of(x) for x in (q, k, v)], num_heads=1, head_dim=16)
    assert np.isnan(run(lower, op, [q, k, v])[0]).all()


@pytest.mark.parametrize("queries", [1, 50])
def test_views_are_read_in_place(queries: int) -> None:
    """q, k, v as parts of a fused projection, and a cache whose heads come first inside a larger buffer."""
    random = np.random.default_rng(0)
    fused = random.standard_normal((2, queries, (4 + 2 + 2) * 16)).astype(np.float32)
    q, k, v = fused[..., :64], fused[..., 64:96], fused[..., 96:]
    op = op_for("attention", [tensor_of(x) for x in (q, k, v)], num_heads=4, num_kv_heads=2, head_dim=16, mask_kind="causal")
    (actual,) = run(lower, op, [q, k, v])
    split = [x.reshape(2, queries, -1, 16).transpose(0, 2, 1, 3) for x in (q, k, v)]
    np.testing.assert_allclose(actual, heads_last(expected(*split, mask_kind="causal"), "packed"), atol=4e-6)
    buffer = random.standard_normal((2, 3, 120, 2, 40)).astype(np.float32)
    keys, values = (buffer[:, 1, :100, :, start : start + 16].transpose(0, 2, 1, 3) for start in (3, 20))
    query = fused[..., :64].reshape(2, queries, 4, 16).transpose(0, 2, 1, 3)
    op = op_for(
        "attention",
        [tensor_of(x) for x in (query, keys, values)],
        num_heads=4,
        num_kv_heads=2,
        head_dim=16,
        layout="bhsd",
        mask_kind="sliding_window(30)",
    )
    (actual,) = run(lower, op, [query, keys, values])
    np.testing.assert_allclose(actual, expected(query, keys, values, mask_kind="sliding_window(30)"), atol=4e-6)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("mask_kind", ["causal", "custom", "bias"])
def test_symbolic_sizes_compile_once(target: Target, mask_kind: str) -> None:
    """One kernel for all batch sizes, numbers of queries and keys: few rows and many are told apart at run time."""
    dims: dict[int, Any] = {0: ("b", "s", 32), 1: ("b", "t", 16), 2: ("b", "t", 16), 5: ("b",)}
    dims[3] = {"custom": ("b", "t"), "bias": ("b", 1, "s", "t")}.get(mask_kind)
    compiled: Lowered | None = None
    random = np.random.default_rng(0)
    for batch, queries, keys in [(1, 1, 1), (2, 1, 700), (3, 8, 40), (1, 9, 300), (2, 150, 150), (1, 33, 600), (2, 0, 5)]:
        q, k, v = (random.standard_normal((batch, h, n, 8)).astype(np.float32) for h, n in ((4, queries), (2, keys), (2, keys)))
        mask = None
        if mask_kind == "custom":
            mask = random.random((batch, keys)) < 0.6
        elif mask_kind == "bias":
            mask = random.standard_normal((batch, 1, queries, keys)).astype(np.float32)
        lengths = random.integers(0, keys + 1, batch).astype(np.int32)
        arrays = [*(heads_last(x, "packed") for x in (q, k, v)), mask, None, lengths]
        if compiled is None:
            tensors = [tensor_of(array, dims.get(index)) for index, array in enumerate(arrays)]
            op = op_for("attention", tensors, num_heads=4, num_kv_heads=2, head_dim=8, mask_kind=mask_kind, causal=True)
            compiled = Lowered(lower, op, tensors, target)
        (actual,) = compiled.call(arrays)
        wanted = expected(q, k, v, mask, None, lengths, mask_kind=mask_kind, causal=True)
        np.testing.assert_allclose(actual, heads_last(wanted, "packed"), atol=4e-6)
        np.testing.assert_array_equal(compiled.call(arrays, split=1)[0], actual)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
def test_tokens_that_attend_to_each_other_take_one_kernel_for_any_number(target: Target) -> None:
    """From none to more than a block of keys."""
    compiled: Lowered | None = None
    random = np.random.default_rng(1)
    for batch, tokens in [(1, 1), (2, 0), (3, 7), (1, 8), (2, 9), (1, 200)]:
        q, k, v = (random.standard_normal((batch, heads, tokens, 20)).astype(np.float32) for heads in (4, 2, 2))
        lengths = random.integers(0, tokens + 1, batch).astype(np.int32)
        arrays = [*(heads_last(x, "packed") for x in (q, k, v)), None, None, lengths]
        if compiled is None:
            dims: list[Any] = [("b", "s", 80), ("b", "s", 40), ("b", "s", 40), None, None, ("b",)]
            tensors = [tensor_of(array, given) for array, given in zip(arrays, dims, strict=True)]
            op = op_for("attention", tensors, num_heads=4, num_kv_heads=2, head_dim=20, mask_kind="causal")
            compiled = Lowered(lower, op, tensors, target)
        (actual,) = compiled.call(arrays)
        wanted = expected(q, k, v, None, None, lengths, mask_kind="causal")
        np.testing.assert_allclose(actual, heads_last(wanted, "packed"), atol=4e-6)


def test_stages_follow_from_shapes() -> None:
    """A known number of queries takes one way; keys that fit one chunk need no combining."""

    def names(queries: Any, keys: Any) -> list[str]:
        sizes = [(1, 2, queries, 8), (1, 2, keys, 8), (1, 2, keys, 8)]
        tensors = [Tensor.dense(s) for s in (_shape(*dims) for dims in sizes)]
        op = op_for("attention", tensors, num_heads=2, head_dim=8, layout="bhsd")
        lowering = lower(op, tuple(tensors), (tensors[0],), HOST)
        assert isinstance(lowering, Lowering)
        return [stage.name for stage in lowering.stages]

    assert names(100, 100) == ["attention"]
    assert names(1, 200) == ["attention_decode"]
    assert names(1, 2000) == ["attention_chunks", "attention_combine"]
    assert names(Dim("s"), Dim("t")) == ["attention", "attention_chunks", "attention_combine"]
    assert names(8, 8) == ["attention_decode"]
    assert names(Dim("s"), Dim("s")) == ["attention"], "few tokens among themselves need no kernel of their own"


def _shape(*dims: Any) -> Any:
    from rlx.core.shape import Shape

    return Shape(dims)


@pytest.mark.parametrize("queries", [1, 40])
@pytest.mark.parametrize("kind", [np.float16, ml_dtypes.bfloat16])
def test_a_cache_of_another_type(queries: int, kind: Any) -> None:
    """f32 queries read 16-bit keys and values as they are; lengths and positions in any integer type."""
    random = np.random.default_rng(0)
    q, k, v = (random.standard_normal((2, h, n, 16)) for h, n in ((4, queries), (2, 250), (2, 250)))
    arrays = [
        q.astype(np.float32),
        k.astype(kind),
        v.astype(kind),
        None,
        np.array([210, 3], np.uint8),
        np.array([249, 70], np.int64),
    ]
    op = op_for(
        "attention", [tensor_of(x) for x in arrays], num_heads=4, num_kv_heads=2, head_dim=16, layout="bhsd", mask_kind="causal"
    )
    (actual,) = run(lower, op, arrays)
    assert actual.dtype == np.float32
    np.testing.assert_allclose(actual, expected(*arrays, mask_kind="causal"), atol=4e-6)


def test_what_it_refuses_says_why() -> None:
    q = np.zeros((1, 4, 32), np.float32)
    strided = np.zeros((1, 4, 64), np.float32)[..., ::2]
    op = op_for("attention", [tensor_of(x) for x in (q, q, q)], num_heads=2, head_dim=16)
    tensors = tuple(tensor_of(x) for x in (q, strided, q))
    assert lower(op, tensors, (tensor_of(q),), HOST) == "the elements of a head of k are not adjacent in memory"  # type: ignore[arg-type]
    bias = np.zeros((4, 8), np.float32)[:, ::2]
    op = op_for("attention", [tensor_of(x) for x in (q, q, q, bias)], num_heads=2, head_dim=16, mask_kind="bias")
    tensors = tuple(tensor_of(x) for x in (q, q, q, bias))
    assert lower(op, tensors, (tensor_of(q),), HOST) == "the bias's last axis is not dense"  # type: ignore[arg-type]


@pytest.mark.parametrize("target", OTHERS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, ml_dtypes.bfloat16])
def test_cross_compiles(target: Target, dtype: Any) -> None:
    dims = {0: ("b", "s", 68), 1: ("b", "t", 34), 2: ("b", "t", 34), 3: ("b", "t")}
    arrays = [np.zeros((1, 1, n), dtype) for n in (68, 34, 34)] + [np.zeros((1, 1), np.bool_)]
    tensors = [tensor_of(array, dims[index]) for index, array in enumerate(arrays)]
    op = op_for("attention", tensors, num_heads=4, num_kv_heads=2, head_dim=17, mask_kind="custom", softcap=9.0)
    lowered = Lowered(lower, op, tensors, target)
    assert all(len(stage.object) > 500 for stage in lowered.stages)


# -- measuring --------------------------------------------------------------------------------------------------
class Timed:
    """A lowered attention bound to arrays; calling it runs its stages on some threads, units claimed one by one."""

    def __init__(self, lowered: Lowered, arrays: list[Array], pool: Any, threads: int) -> None:
        self.lowered, self.pool, self.threads = lowered, pool, threads
        memory = [
            np.zeros([int(n) for n in tensor.dims], tensor.dtype.numpy)  # type: ignore[arg-type]
            for tensor in (*lowered.outputs, *lowered.lowering.temporaries)
        ]
        self.result, everything = memory[0], [*arrays, *memory]
        self.jobs = []
        for code in lowered.stages:
            table = np.array([everything[i].ctypes.data for i in code.stage.operands] + [0, 0], np.int64)
            scratch = [np.zeros(int(code.stage.scratch) // 8 + 16) for _ in range(threads)]  # type: ignore[arg-type]
            self.jobs.append((code.address, table, int(code.stage.units), scratch, everything))  # type: ignore[arg-type]

    def __call__(self) -> None:
        for call, table, units, scratch, _ in self.jobs:
            claim = itertools.count()
            step = max(1, units // (8 * self.threads))

            def work(
                number: int,
                call: Any = call,
                table: Any = table,
                units: int = units,
                scratch: Any = scratch,
                claim: Any = claim,
                step: int = step,
            ) -> None:
                place = scratch[number].ctypes.data + -scratch[number].ctypes.data % 64
                while (begin := next(claim) * step) < units:
                    call(table.ctypes.data, begin, min(units, begin + step), place)

            others = [self.pool.submit(work, number) for number in range(1, self.threads)]
            work(0)
            for other in others:
                other.result()


def measure(threads: int, seconds: float = 0.5) -> None:
    """Print ours, torch and the machine's limit, timed in turns; the best time counts."""
    import time
    from concurrent.futures import ThreadPoolExecutor

    import torch

    from bench.limits import LimitMeter

    torch.set_num_threads(threads)
    clock = time.thread_time if threads == 1 else time.perf_counter  # one thread: other processes do not count
    meter, pool, random = LimitMeter(threads), ThreadPoolExecutor(threads), np.random.default_rng(0)
    prefill = [
        (1, 8 if s < 2048 else 2, 8 if s < 2048 else 2, s, s, d, c)
        for d in (32, 64, 128)
        for s in (128, 512, 2048)
        for c in (False, True)
    ]
    decode = [
        (1, 32, 8, 1, 8192, 64, True),
        (1, 32, 8, 1, 4096, 128, True),
        (8, 32, 8, 1, 1024, 128, True),
        (1, 8, 8, 1, 8192, 64, True),
        (1, 8, 1, 1, 32768, 128, True),
        (8, 12, 12, 1, 1024, 64, True),
    ]
    for batch, heads, kv_heads, queries, keys, head_dim, causal in [*prefill, *decode]:
        sizes = ((heads, queries), (kv_heads, keys), (kv_heads, keys))
        arrays = [random.standard_normal((batch, h, n, head_dim)).astype(np.float32) for h, n in sizes]
        tensors = [tensor_of(x) for x in arrays]
        kind = "causal" if causal else "none"
        op = op_for("attention", tensors, num_heads=heads, num_kv_heads=kv_heads, head_dim=head_dim, layout="bhsd", mask_kind=kind)
        ours = Timed(Lowered(lower, op, tensors), arrays, pool, threads)
        q, k, v = (torch.from_numpy(x) for x in arrays)

        def peer(q: Any = q, k: Any = k, v: Any = v, c: bool = causal, g: bool = heads != kv_heads) -> Any:
            c = c and q.shape[2] > 1  # one query at the end sees everything
            return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=c, enable_gqa=g)

        np.testing.assert_allclose((ours(), ours.result)[1], peer().numpy(), atol=1e-5)
        best, end = [math.inf, math.inf], time.perf_counter() + 2 * seconds
        while time.perf_counter() < end:
            for index, call in enumerate((ours, peer)):
                start = clock()
                call()
                best[index] = min(best[index], clock() - start)
        limits = meter.sample()
        pairs = queries * keys if queries == 1 or not causal else queries * (queries + 1) / 2
        flops, bytes_read = 4 * batch * heads * pairs * head_dim, 2 * arrays[1].nbytes
        amount, unit, limit = (flops, "GFLOP/s", limits.gflops) if queries > 1 else (bytes_read, "GB/s", limits.gigabytes)
        rates = [amount / t / 1e9 for t in best]
        print(
            f"B={batch} H={heads}/{kv_heads} S={queries:4} T={keys:5} D={head_dim:3} {kind:6}  "
            f"rlx {rates[0]:6.1f}  torch {rates[1]:6.1f}  limit {limit:6.1f} {unit}  ({rates[0] / rates[1]:.2f}x)"
        )


if __name__ == "__main__":
    import sys

    measure(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
