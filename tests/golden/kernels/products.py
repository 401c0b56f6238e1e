"""Products: dense ones by where their weight comes from, with epilogues, experts, weights in blocks, bytes, convolutions."""

from __future__ import annotations

from rlx import Value

from .sketch import AVX2, Sketch, listing


# -- dense ------------------------------------------------------------------------------------------------------
@listing(AVX2, "x86_64-avx512")
def matmul_packed_with_epilogue(s: Sketch) -> Value:
    """Panels made ahead; bias, activation and residual in registers."""
    return s.x(5, 20) + s.graph.relu(s.x(5, 12) @ s.w(12, 20) + s.w(20))


@listing(prepare=True)
def pack(s: Sketch) -> Value:
    """A weight into panels."""
    return s.x(9, 12) @ s.w(12, 20)


@listing(AVX2)
def matmul_gated_pair(s: Sketch) -> Value:
    """Two products of one operand in one pass."""
    x = s.x(1, 12)
    return s.graph.relu(x @ s.w(12, 20)) * (x @ s.w(12, 20))


@listing(AVX2)
def matmul_packed_in_the_run(s: Sketch) -> Value:
    """Nothing known ahead, many rows: a command of its own packs the panels."""
    return s.x(1200, 64) @ s.x(64, 64)


@listing(AVX2)
def matmul_unpacked_columns(s: Sketch) -> Value:
    """The right operand stored the other way, in bf16, which is summed in f32."""
    return s.x(3, 24, dtype="bf16") @ s.x(20, 24, dtype="bf16").T


@listing(AVX2)
def matmul_thin(s: Sketch) -> Value:
    """Few rows: the right operand is read once, as it lies."""
    return s.x(2, 12) @ s.x(12, 40)


@listing("x86_64", AVX2, "x86_64-avx512")
def matmul_one_row(s: Sketch) -> Value:
    """A vector times a packed weight."""
    return s.x(1, 16) @ s.w(16, 40)


@listing(AVX2)
def matmul_i32_batch(s: Sketch) -> Value:
    """Sums that wrap, a batch of a symbolic size."""
    return s.x("batch", 4, 8, dtype="i32") @ s.x("batch", 8, 8, dtype="i32")


# -- experts ----------------------------------------------------------------------------------------------------
@listing(AVX2)
def experts(s: Sketch) -> Value:
    """Rows by expert, weights packed ahead."""
    return s.graph.grouped_matmul(s.x(10, 12), s.w(3, 12, 16), s.x(10, dtype="i32"))


@listing(AVX2)
def experts_as_they_lie(s: Sketch) -> Value:
    """The same with weights that are an input."""
    return s.graph.grouped_matmul(s.x(10, 12), s.x(3, 12, 16), s.x(10, dtype="i32"))


@listing(AVX2)
def experts_backward_weight(s: Sketch) -> Value:
    """The gradient of the experts' weights."""
    return s.graph.grouped_matmul_backward_weight(s.x(10, 12), s.x(10, 16), s.x(10, dtype="i32"), 3)


# -- weights in blocks ------------------------------------------------------------------------------------------
@listing(AVX2, kernel="packed_matmul")
def q4_k_stream(s: Sketch) -> Value:
    """One token: the weight is unpacked word by word."""
    return s.x(1, 256) @ s.w(256, 8, scheme="gguf_q4k")


@listing(AVX2)
def q8_0_stream(s: Sketch) -> Value:
    """With the command before it, which rounds x to integers."""
    return s.x(1, 32) @ s.w(32, 8, scheme="gguf_q8_0")


@listing(AVX2, "aarch64", kernel="packed_matmul")
def q4_0_stream(s: Sketch) -> Value:
    return s.x(1, 32) @ s.w(32, 8, scheme="gguf_q4_0")


@listing(AVX2, kernel="packed_matmul")
def q8_0_panel(s: Sketch) -> Value:
    """Many tokens: a panel of the weight is unpacked once for all of them."""
    return s.x(8, 32) @ s.w(32, 8, scheme="gguf_q8_0")


@listing(AVX2, quant_mode="exact")
def q8_0_exact(s: Sketch) -> Value:
    """Activations as they are, the weight as floats."""
    return s.x(3, 32) @ s.w(32, 8, scheme="gguf_q8_0")


@listing(AVX2)
def pack_stored_rows(s: Sketch) -> Value:
    """Rows of stored blocks into the layout of products."""
    return s.graph.pack(s.x(8, 34, dtype="u8"), layout="rows8_q8_0")


@listing(AVX2, kernel="packed_gather")
def packed_gather(s: Sketch) -> tuple[Value, ...]:
    """A table that is the head as well."""
    table = s.w(16, 32, scheme="gguf_q4_0")
    return s.graph.gather(table, s.x(5, dtype="i32"), axis=0), s.x(1, 32) @ table.T


@listing(AVX2)
def dequant_gather(s: Sketch) -> Value:
    """Rows of a table as it is stored."""
    return s.graph.gather(s.w(16, 32, scheme="gguf_q8_0"), s.x(5, dtype="i32"), axis=0)


@listing(AVX2)
def dequant_matmul(s: Sketch) -> Value:
    """Scales and zero points in arrays of their own."""
    return s.x(3, 32) @ s.w(32, 8, scheme="int4/32")


@listing(AVX2)
def dequant_grouped_matmul(s: Sketch) -> Value:
    """Experts in a scheme that has no order of its own."""
    return s.graph.grouped_matmul(s.x(3, 32), s.w(2, 32, 8, scheme="int8/32"), s.x(3, dtype="i32"))


@listing(AVX2)
def dequant_weights(s: Sketch) -> Value:
    """Whole matrices of experts as floats."""
    return s.graph.dequant_moe_weights(s.x(2, 8, 34, dtype="u8"), scheme="gguf_q8_0", k=32)


# -- bytes and pictures -----------------------------------------------------------------------------------------
@listing(AVX2)
def byte_product(s: Sketch) -> Value:
    """i8 in, i8 out, a factor and zero points."""
    x, w = s.x(5, 16, dtype="i8"), s.w(16, 16, dtype="i8")
    return s.graph.q_matmul(x, w, s.w(16, dtype="i32"), x_zp=3, out_zp=1, mult=0.0015)


@listing(AVX2, kernel="blocked_cast")
def blocked_cast(s: Sketch) -> tuple[Value, ...]:
    """Blocks of two rows, so wide that their vectors are a loop."""
    return s.graph.blocked_cast(s.x(5, 450), sf_block=(2, 200))


@listing(AVX2)
def blocked_dequantize(s: Sketch) -> Value:
    """Elements times the scales of their blocks."""
    return s.graph.blocked_dequantize(s.x(4, 16, dtype="f8e4m3"), s.x(2, 1), sf_block=(2, 16))


@listing(AVX2, kernel="conv")
def conv_product(s: Sketch) -> Value:
    """A product with patches that are packed on the way, windows as lanes."""
    return s.graph.conv(s.x(2, 2, 4, 8), s.w(3, 2, 2, 1), stride=(1, 2))


@listing(AVX2, kernel="depthwise_conv")
def depthwise_conv(s: Sketch) -> Value:
    """A band with its padding, and a tile of rows that share what is read of it."""
    return s.graph.conv(s.x(1, 2, 5, 6), s.w(2, 1, 3, 2), padding=1, groups=2)


@listing(AVX2)
def max_pool(s: Sketch) -> Value:
    """Columns of a band sorted by their remainder."""
    return s.graph.pool(s.x(1, 2, 6, 6), "max", (2, 3), stride=2)


@listing(AVX2)
def max_pool_backward(s: Sketch) -> Value:
    """Each window's gradient goes to its first maximum."""
    return s.graph.max_pool2d_backward(s.x(1, 2, 6, 6), s.x(1, 2, 3, 3), (2, 2))
