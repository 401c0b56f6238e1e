"""Regions, norms, movement, indexing, order, random numbers, transforms, equations, complex numbers."""

from __future__ import annotations

from rlx import Dim, Value

from .sketch import AVX2, Sketch, listing


# -- regions ----------------------------------------------------------------------------------------------------
@listing()
def region_elementwise(s: Sketch) -> tuple[Value, ...]:
    """A chain with a broadcast, a cast, a comparison and a value that is read twice."""
    g, x, y = s.graph, s.x(6, 21), s.x(6, 21)
    h = x * y + s.x(21)
    return g.where(x > y, h, g.abs(y)), g.cast(h, "bf16")


@listing("x86_64", AVX2)
def region_activations(s: Sketch) -> Value:
    """What the mathematical functions are made of."""
    g, x = s.graph, s.x(40)
    return g.gelu(x) + g.log(g.abs(x))


@listing(AVX2)
def region_float8(s: Sketch) -> tuple[Value, ...]:
    """What no instruction converts."""
    return s.graph.cast(s.x(40), "f8e4m3"), s.graph.cast(s.x(40, dtype="f8e4m3"), "f32")


@listing()
def region_rows_softmax(s: Sketch) -> Value:
    return s.graph.softmax(s.x(6, 37))


@listing(AVX2)
def region_rows_layer_norm(s: Sketch) -> Value:
    return s.graph.layer_norm(s.x(6, 37), s.w(37), s.w(37))


@listing(AVX2)
def region_rows_rms_norm(s: Sketch) -> Value:
    """A residual before and a symbolic number of rows."""
    return s.graph.rms_norm(s.x("rows", 37) + s.x("rows", 37), s.w(37))


@listing(AVX2)
def region_columns(s: Sketch) -> Value:
    """Folded over another axis than the last: accumulators are short arrays."""
    return s.graph.softmax(s.x(9, 37), axis=0)


@listing(AVX2)
def region_tiles(s: Sketch) -> Value:
    """An operand that is contiguous along another axis is transposed tile by tile."""
    return s.x(70, 80).T + s.x(80, 70)


@listing()
def reduce_chunks(s: Sketch) -> Value:
    """Few long rows: each is folded in parts, on several threads."""
    return s.graph.sum(s.x(2, 1 << 20), axes=1)


@listing(AVX2)
def reduce_any(s: Sketch) -> Value:
    return (s.x(6, 37) > 0.5).any(axes=1)


@listing(AVX2, trap_nan=True)
def trap(s: Sketch) -> Value:
    """Every value is looked at for NaN and infinities."""
    return s.x(6, 37) * 2.0


# -- movement ---------------------------------------------------------------------------------------------------
@listing(AVX2, "aarch64")
def copy_transposed(s: Sketch) -> Value:
    return s.graph.transpose(s.x(5, 20, 12), (2, 0, 1))


@listing(AVX2)
def concat(s: Sketch) -> Value:
    return s.graph.concat(s.x(5, 9), s.x(5, 4)[:, ::2], axis=1)


@listing(AVX2)
def pad_reflect(s: Sketch) -> Value:
    return s.graph.pad(s.x(5, 9), (1, 2), (0, 3), mode="reflect")


@listing(AVX2)
def roll(s: Sketch) -> Value:
    return s.graph.roll(s.x(5, 9), 4, axes=1)


@listing(AVX2)
def iota_and_sizes(s: Sketch) -> tuple[Value, ...]:
    """Numbers that sizes give, and the function that computes every size of a run."""
    rows = Dim("rows", min=1)
    return s.graph.iota((rows, 20), axis=1), s.graph.size_value(rows * 3), s.x(rows, 20) * 2.0


@listing()
def cumsum(s: Sketch) -> Value:
    return s.graph.cumsum(s.x(5, 40), axis=1)


@listing(AVX2)
def cumprod_down(s: Sketch) -> Value:
    return s.graph.cumprod(s.x(5, 20), axis=0)


# -- indexing ---------------------------------------------------------------------------------------------------
@listing(AVX2)
def gather(s: Sketch) -> Value:
    return s.graph.gather(s.x(20, 24), s.x(7, dtype="i32"), axis=0, check_bounds=True)


@listing(AVX2)
def take_along_axis(s: Sketch) -> Value:
    return s.graph.take_along_axis(s.x(5, 24), s.x(5, 3, dtype="i32"), axis=1)


@listing(AVX2)
def dynamic_slice(s: Sketch) -> Value:
    return s.graph.dynamic_slice(s.x(5, 24), s.x(dtype="i32"), axes=1, sizes=8)


@listing(AVX2)
def dynamic_update_slice(s: Sketch) -> Value:
    return s.graph.dynamic_update_slice(s.x(5, 24), s.x(5, 4), s.x(5, dtype="i32"), axes=1)


@listing(AVX2)
def scatter(s: Sketch) -> Value:
    return s.graph.scatter(s.x(9, 20), s.x(30, dtype="i32"), s.x(30, 20), mode="max")


@listing(AVX2)
def scatter_add(s: Sketch) -> Value:
    return s.graph.scatter_add(s.x(30, 20), s.x(30, dtype="i32"), 9)


# -- order ------------------------------------------------------------------------------------------------------
@listing(AVX2)
def argmax(s: Sketch) -> Value:
    return s.graph.argmax(s.x(5, 40), axis=1)


@listing(AVX2)
def top_k(s: Sketch) -> tuple[Value, ...]:
    return s.graph.top_k(s.x(5, 40), 3)


@listing(AVX2)
def sort(s: Sketch) -> Value:
    return s.graph.sort(s.x(5, 40))


@listing(AVX2)
def searchsorted(s: Sketch) -> Value:
    return s.graph.searchsorted(s.x(5, 40), s.x(5, 7))


# -- random numbers ---------------------------------------------------------------------------------------------
def _stream(s: Sketch) -> tuple[Value, Value]:
    return s.x(2, dtype="u32"), s.x(dtype="u64")


@listing(AVX2)
def random_normal(s: Sketch) -> Value:
    return s.graph.random_normal(*_stream(s), (5, 20))


@listing(AVX2)
def dropout(s: Sketch) -> Value:
    return s.graph.dropout(s.x(5, 20), *_stream(s), rate=0.25)


@listing(AVX2)
def sample(s: Sketch) -> Value:
    """Tokens drawn from logits."""
    return s.graph.sample(s.x(2, 50), *_stream(s), 0.75, None, 0.875)


# -- transforms, equations, complex numbers -----------------------------------------------------------------------
@listing(AVX2)
def fft(s: Sketch) -> Value:
    """Its table of roots is NumPy's: of this length it is the same, rounded to f32, with every C library."""
    return s.graph.fft(s.x(3, 64, dtype="c64"))


@listing(AVX2)
def fft_frequencies(s: Sketch) -> Value:
    return s.graph.fftfreq(20, 0.5)


@listing(AVX2)
def solve(s: Sketch) -> Value:
    """Gaussian elimination with partial pivoting."""
    return s.graph.dense_solve(s.x(6, 6), s.x(6))


@listing(AVX2)
def factorizations(s: Sketch) -> tuple[Value, ...]:
    """Small ones in scratch: Cholesky and QR, and a triangular system."""
    g, a = s.graph, s.x(6, 6)
    return g.cholesky(a), *g.qr(a), g.triangular_solve(a, s.x(6, 3), lower=True)


@listing(AVX2)
def factorization_by_tasks(s: Sketch) -> tuple[Value, ...]:
    """LU of two blocks: load, the ordered tasks, and what finishes each block."""
    return s.graph.lu(s.x(70, 70, dtype="f64"))


@listing(AVX2)
def complex_numbers(s: Sketch) -> tuple[Value, ...]:
    g, x = s.graph, s.x(5, 9, dtype="c64")
    return g.complex(g.imag(x), g.real(x)), g.conjugate(x), g.complex_norm_sq(x)
