"""`batch_invariant=True`: each row of a product has the same bits alone and among any number of others.

Every kind is compiled with M = 1 and with a symbolic number of rows, `[rows, K]` and `[rows, 1, K]`, and run with 1 and 2 threads: each
row must equal that row alone, bit for bit. `--long` takes all row counts, all schemes and static numbers of rows as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.formats.quantizers.rows import quantize_rows
from rlx.layouts.block_order import ORDERS
from rlx.layouts.gguf_blocks import dequantize_rows, random_rows

Array = np.ndarray[Any, Any]
Build = Callable[[Any, Any], Any]
COUNTS = (1, 2, 5, 8, 13, 33, 65, 129)
EVERY = (*range(1, 65), 65, 72, 73, 96, 97, 128, 129, 144, 145, 200, 512)
STATIC = (2, 4, 7, 8, 16, 32, 33, 129, 200)
BOTH = (False, True)


def long(value: str) -> Any:
    """A parameter of the long run only."""
    return pytest.param(value, marks=pytest.mark.long)


@pytest.fixture(autouse=True)
def _threads_as_before() -> Iterator[None]:
    before = rlx.thread_count()
    yield
    rlx.set_threads(before)


def normal(*dims: int, seed: int = 0) -> Array:
    """Ordinary weights of about unit gain."""
    return (np.random.default_rng(seed).standard_normal(dims) * dims[0] ** -0.5).astype(np.float32)


def rows_of(count: int, width: int) -> Array:
    """Rows of several magnitudes, some with outliers: those get second bytes where activations are rounded."""
    x = np.random.default_rng(7).standard_normal((count, width)).astype(np.float32)
    x[3::7] *= 100
    x[1::5, :: max(width // 3, 1)] *= 30
    return x


@dataclass(frozen=True)
class Product:
    """What is done to the rows x, with which params and other inputs."""

    width: int
    build: Build
    params: Mapping[str, Array]
    more: Mapping[str, Array] = field(default_factory=dict)
    by_row: Callable[[int], Mapping[str, Array]] | None = None
    """Other inputs that have an entry for each row."""
    dtype: str = "f32"
    options: Mapping[str, Any] = field(default_factory=dict)

    def compiled(self, rows: Any, three: bool = False) -> Callable[[Array, Mapping[str, Array]], Array]:
        """A call on rows x and the inputs by row."""
        graph = rlx.Graph.hir("product")
        x = graph.input("x", (rows, 1, self.width) if three else (rows, self.width), self.dtype)
        graph.set_outputs({"y": self.build(graph, x)})
        exe = rlx.compile(graph, batch_invariant=True, **self.options)
        for name, value in self.params.items():
            exe.set_param(name, value)

        def call(x: Array, by_row: Mapping[str, Array]) -> Array:
            given = x[:, None] if three else x
            result: Array = exe.run({"x": given, **self.more, **by_row})["y"]
            return result.reshape(len(x), -1)

        return call

    def rows(self, count: int) -> tuple[Array, dict[str, Array]]:
        """Rows x, and what goes with each."""
        kind = DType.of(self.dtype).numpy
        return rows_of(count, self.width).astype(kind), dict(self.by_row(count) if self.by_row is not None else {})

    def alone(self, count: int) -> Array:
        """Each row by itself, with M = 1 and one thread."""
        call, (x, more) = self.compiled(1), self.rows(count)
        rlx.set_threads(1)
        return np.concatenate([call(x[i : i + 1], _slice(more, i, i + 1)) for i in range(count)])


def _slice(given: Mapping[str, Array], start: int, stop: int) -> dict[str, Array]:
    return {name: value[start:stop] for name, value in given.items()}


def check(product: Product, counts: Sequence[int] = COUNTS, static: Sequence[int] = (), ranks: Sequence[bool] = BOTH) -> Array:
    """Every row of every count equals the row alone; returns those."""
    (x, more), alone = product.rows(max(*counts, *static)), product.alone(max(*counts, *static))
    for three in ranks:
        call = product.compiled(rlx.Dim("rows"), three)
        for threads in (1, 2):
            rlx.set_threads(threads)
            for count in counts:
                compare(call(x[:count], _slice(more, 0, count)), alone, f"{count} symbolic rows, {threads} threads")
                last = slice(max(*counts, *static) - count, None)  # at other places of a batch
                found = call(x[last], _slice(more, last.start, len(x)))
                compare(found, alone[last], f"the last {count} symbolic rows, {threads} threads")
    for count in static:
        found = product.compiled(count)(x[:count], _slice(more, 0, count))
        compare(found, alone, f"{count} static rows")
    return alone


def compare(found: Array, alone: Array, what: str) -> None:
    """Bit for bit."""
    same = (found.view(np.uint8) == alone[: len(found)].view(np.uint8)).reshape(len(found), -1).all(1)
    assert same.all(), f"{what}: rows {np.flatnonzero(~same)[:8]} differ from the same rows alone"


# -- dense weights ----------------------------------------------------------------------------------------------------
def dense(k: int, n: int, *, transposed: bool = False, stored: str = "f32", dtype: str = "f32") -> Product:
    """x @ w of a param, as it is or declared `[out, in]`."""
    w = normal(k, n, seed=1)

    def build(graph: Any, x: Any) -> Any:
        given = graph.param("w", (n, k) if transposed else (k, n), dtype)
        return x @ (given.transpose(1, 0) if transposed else given)

    kind = DType.of(dtype).numpy
    return Product(k, build, {"w": (w.T if transposed else w).astype(kind)}, {}, None, dtype, {"store_params": stored})


DENSE = ((576, 160), (5, 3))


@pytest.mark.parametrize(("k", "n"), DENSE)
@pytest.mark.parametrize("transposed", BOTH)
def test_dense_weights(k: int, n: int, transposed: bool) -> None:
    product = dense(k, n, transposed=transposed)
    alone = check(product, ranks=(transposed,), static=(4,))
    exact = product.rows(len(alone))[0].astype(np.float64) @ normal(k, n, seed=1).astype(np.float64)
    assert np.abs(alone - exact).max() <= 1e-5 * np.abs(exact).max()


@pytest.mark.parametrize("stored", ["f16", "bf16"])
def test_dense_weights_stored_in_16_bits(stored: str) -> None:
    check(dense(300, 72, stored=stored), ranks=(False,))


@pytest.mark.parametrize("dtype", ["bf16", "f64", long("f16")])
def test_rows_of_other_dtypes(dtype: str) -> None:
    check(dense(500, 40, dtype=dtype), ranks=(False,))


@pytest.mark.parametrize("transposed", BOTH)
def test_matrices_that_are_inputs(transposed: bool) -> None:
    k, n = 417, 70

    def build(graph: Any, x: Any) -> Any:
        w = graph.input("w", (n, k) if transposed else (k, n))
        return x @ (w.transpose(1, 0) if transposed else w)

    w = normal(k, n)
    check(Product(k, build, {}, {"w": np.ascontiguousarray(w.T) if transposed else w}), static=(1, 3, 16))


@pytest.mark.long
@pytest.mark.parametrize(
    ("k", "n"), [*DENSE, (1537, 33), (7, 1), (64, 96), (2048, 256), (300, 17), (385, 16), (768, 512), (384, 49)]
)
@pytest.mark.parametrize("transposed", BOTH)
@pytest.mark.parametrize("stored", ["f32", "f16", "bf16"])
def test_dense_weights_at_every_count(k: int, n: int, transposed: bool, stored: str) -> None:
    check(dense(k, n, transposed=transposed, stored=stored), EVERY, STATIC)


# -- packed weights ---------------------------------------------------------------------------------------------------
def packed(name: str, mode: str, n: int = 56) -> Product:
    """x @ w of GGUF blocks."""
    k = max(2 * ORDERS[name].size, 96) if name in ORDERS else 512
    scheme = rlx.QuantScheme.gguf(name)

    def build(graph: Any, x: Any) -> Any:
        return x @ graph.param("w", (k, n), scheme=scheme)

    return Product(k, build, {"w": random_rows(name, n, k)}, options={"quant_mode": mode})


QUICK = ("F16", "Q4_0", "Q8_0", "Q4_K")
UNORDERED = ("Q8_K",)
"""A scheme without a kernel of its own: its panels are unpacked value by value."""


@pytest.mark.parametrize("name", QUICK)
def test_packed_weights_multiplied_fast(name: str) -> None:
    check(packed(name, "fast"), ranks=(False,))


@pytest.mark.parametrize("name", ["BF16", "Q4_K", long("IQ2_XS")])
def test_packed_weights_multiplied_exactly(name: str) -> None:
    product = packed(name, "exact")
    alone = check(product, ranks=(True,), static=(3,))
    values = dequantize_rows(name, product.params["w"]).astype(np.float64)
    exact = product.rows(len(alone))[0].astype(np.float64) @ values.T
    assert np.abs(alone - exact).max() <= 1e-5 * np.abs(exact).max()


@pytest.mark.long
@pytest.mark.parametrize("name", [*ORDERS, *UNORDERED])
@pytest.mark.parametrize("mode", ["fast", "exact"])
def test_every_packed_weight_at_every_count(name: str, mode: str) -> None:
    for n in (56, 17):
        check(packed(name, mode, n), EVERY, STATIC)


# -- fused forms ------------------------------------------------------------------------------------------------------
WIDTH, INNER, VOCABULARY = 288, 352, 130


def small_rows(name: str, rows: int, width: int) -> Array:
    """Random blocks whose values are about those of a weight: layers must not overflow."""
    return quantize_rows(name, normal(width, rows, seed=width + rows).T)


@dataclass
class Weights:
    """Declares the params of a graph, dense or packed, and remembers what they hold."""

    scheme: Any
    params: dict[str, Array] = field(default_factory=dict)

    def matrix(self, graph: Any, name: str, k: int, n: int) -> Any:
        """`[k, n]`."""
        if self.scheme is None:
            self.params[name] = normal(k, n, seed=len(name))
            return graph.param(name, (k, n))
        self.params[name] = small_rows(self.scheme.detail, n, k)
        return graph.param(name, (k, n), scheme=self.scheme)

    def vector(self, graph: Any, name: str, size: int) -> Any:
        """Near 1."""
        self.params[name] = (1 + normal(size, 1, seed=3)[:, 0]).astype(np.float32)
        return graph.param(name, (size,))

    def table(self, graph: Any, name: str, rows: int, width: int) -> Any:
        """`[rows, width]`, a row for each token."""
        if self.scheme is None:
            self.params[name] = normal(width, rows, seed=4).T.copy()
            return graph.param(name, (rows, width))
        self.params[name] = small_rows(self.scheme.detail, rows, width)
        return graph.param(name, (rows, width), scheme=self.scheme)


def fused(build: Callable[[Weights, Any, Any], Any], scheme: Any, mode: str = "fast", **more: Any) -> Product:
    """A product of something built with `Weights`."""
    weights = Weights(scheme)
    probe = rlx.Graph.hir("probe")
    build(weights, probe, probe.input("x", (1, WIDTH)))
    return Product(WIDTH, lambda graph, x: build(weights, graph, x), weights.params, options={"quant_mode": mode}, **more)


def epilogue(weights: Weights, graph: Any, x: Any) -> Any:
    """A norm, a product with bias and activation, and a product with a residual."""
    inner = graph.linear(
        graph.layer_norm(x, weights.vector(graph, "g", WIDTH), weights.vector(graph, "b", WIDTH)),
        weights.matrix(graph, "up", WIDTH, INNER),
        weights.vector(graph, "bias", INNER),
        activation="gelu",
    )
    return x + graph.linear(inner, weights.matrix(graph, "down", INNER, WIDTH))


def heads(weights: Weights, graph: Any, x: Any, scope: str = "") -> Any:
    """q, k and v of one normed row."""
    x = graph.rms_norm(x, weights.vector(graph, f"{scope}g", WIDTH))
    sizes = {"q": 96, "k": 32, "v": 32}
    parts = [graph.linear(x, weights.matrix(graph, scope + name, WIDTH, size)) for name, size in sizes.items()]
    return graph.concat(parts, axis=-1)


def swiglu(weights: Weights, graph: Any, x: Any, scope: str = "") -> Any:
    """The gated feed-forward layer: gate and up are one product."""
    up, gate = (weights.matrix(graph, scope + name, WIDTH, INNER) for name in ("up", "gate"))
    down = weights.matrix(graph, f"{scope}down", INNER, WIDTH)
    return graph.swiglu_ffn(graph.rms_norm(x, weights.vector(graph, f"{scope}g", WIDTH)), up, gate, down)


def decoder(weights: Weights, graph: Any, x: Any) -> Any:
    """Two layers of everything but attention, and the logits of the rows' likeliest tokens' successors: the table is tied."""
    table = weights.table(graph, "table", VOCABULARY, WIDTH)
    for layer in range(2):
        mixed = heads(weights, graph, x, f"{layer}.attention.")
        x = x + graph.linear(mixed, weights.matrix(graph, f"{layer}.o", 160, WIDTH))
        x = x + swiglu(weights, graph, x, f"{layer}.ffn.")
    logits = graph.linear(x, table.transpose(1, 0))
    x = x + graph.gather(table, graph.argmax(logits, axis=-1), axis=0)
    x = graph.rms_norm(x, weights.vector(graph, "norm", WIDTH))
    return graph.linear(x, table.transpose(1, 0))


FUSED = {"epilogue": epilogue, "heads": heads, "swiglu": swiglu, "decoder": decoder}


@pytest.mark.parametrize("name", ["epilogue", "decoder"])
def test_fused_forms_of_dense_weights(name: str) -> None:
    check(fused(FUSED[name], None), ranks=(True,))


def test_fused_form_of_packed_weights() -> None:
    check(fused(heads, rlx.QuantScheme.gguf("Q4_0")), ranks=(True,))


@pytest.mark.long
@pytest.mark.parametrize("name", FUSED)
@pytest.mark.parametrize("scheme", [None, "F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q8_0", "IQ4_NL", "MXFP4"])
@pytest.mark.parametrize("mode", ["fast", "exact"])
def test_every_fused_form_at_every_count(name: str, scheme: str | None, mode: str) -> None:
    check(fused(FUSED[name], scheme and rlx.QuantScheme.gguf(scheme), mode), EVERY, STATIC)


@pytest.mark.parametrize("stored", ["auto_mixed_bf16", long("auto_mixed")])
def test_mixed_precision(stored: str) -> None:
    product = fused(swiglu, None)
    check(replace(product, options={"precision": stored}), ranks=(True,))


# -- experts ----------------------------------------------------------------------------------------------------------
def experts(scheme: str | None, mode: str = "fast", count: int = 5) -> Product:
    """Each row times its expert's matrix; the experts of the first rows are very uneven."""
    k, n = 256, 72
    random = np.random.default_rng(5)
    values = random.standard_normal((count, k, n)).astype(np.float32)
    stored = values if scheme is None else np.stack([random_rows(scheme, n, k) for _ in range(count)])

    def build(graph: Any, x: Any) -> Any:
        rows = x.shape[0]
        chosen = graph.input("chosen", (rows,), "i32")
        kind = None if scheme is None else rlx.QuantScheme.gguf(scheme)
        return graph.grouped_matmul(x.reshape(rows, k), graph.param("w", (count, k, n), scheme=kind), chosen)

    def by_row(rows: int) -> dict[str, Array]:
        return {"chosen": np.minimum(np.random.default_rng(6).geometric(0.6, rows) - 1, count - 1).astype(np.int32)}

    return Product(k, build, {"w": stored}, {}, by_row, options={"quant_mode": mode})


@pytest.mark.parametrize("scheme", [None, "Q4_K"])
def test_experts(scheme: str | None) -> None:
    check(experts(scheme), ranks=(False,))


@pytest.mark.long
@pytest.mark.parametrize("scheme", [None, *ORDERS, *UNORDERED])
@pytest.mark.parametrize("mode", ["fast", "exact"])
def test_every_expert_at_every_count(scheme: str | None, mode: str) -> None:
    check(experts(scheme, mode), EVERY, STATIC)


# -- the option -------------------------------------------------------------------------------------------------------
def test_functions_take_the_option() -> None:
    w = normal(200, 24)
    product = rlx.jit(lambda x: x @ w, batch_invariant=True)
    x = rows_of(9, 200)
    whole = np.asarray(product(x))
    assert whole.tobytes() == np.concatenate([np.asarray(product(x[i : i + 1])) for i in range(9)]).tobytes()


def test_it_is_part_of_what_a_program_is_known_by() -> None:
    from rlx.passes.entry import Options

    assert Options(batch_invariant=True).key != Options().key


def test_a_value_that_is_no_bool_is_an_error() -> None:
    graph = rlx.Graph("nothing")
    graph.set_outputs({"y": graph.input("x", (1,))})
    with pytest.raises(RlxError, match="RLX406"):
        rlx.compile(graph, batch_invariant="yes")
