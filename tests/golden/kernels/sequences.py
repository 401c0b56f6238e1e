"""Attention, rotary positions, recurrences, and control flow."""

from __future__ import annotations

from rlx import Value

from .sketch import AVX2, Sketch, listing

HEADS = {"num_heads": 1, "head_dim": 8}


@listing(AVX2)
def attention_prefill(s: Sketch) -> Value:
    """Many rows: keys and values of a block are packed."""
    return s.graph.attention(*(s.x(1, 12, 8) for _ in range(3)), mask_kind="causal", **HEADS)


@listing(AVX2)
def attention_decode(s: Sketch) -> Value:
    """One token against a long cache that is filled to some length: parts of the keys, then all of them together."""
    q, k, v, length = s.x(1, 1, 8), s.x(1, 2000, 8), s.x(1, 2000, 8), s.x(1, dtype="i32")
    return s.graph.attention(q, k, v, None, None, length, mask_kind="causal", **HEADS)


@listing(AVX2)
def attention_in_pages(s: Sketch) -> tuple[Value, ...]:
    """Rows of several sequences written into pages, and attending to theirs."""
    graph, rows, heads, page = s.graph, 3, 2, 8
    where = (s.x(rows, dtype="i32"), s.x(rows, dtype="i32"), s.x(2, 4, dtype="i32"))
    keys = graph.page_write(s.x(5, heads, 8, page), s.x(rows, heads, 8), *where, transposed=True)
    values = graph.page_write(s.x(5, heads, page, 8), s.x(rows, heads, 8), *where, transposed=False)
    return keys, values, graph.paged_attention(s.x(rows, heads, 8), keys, values, *where, num_heads=heads)


@listing(AVX2)
def pages_of_bytes(s: Sketch) -> tuple[Value, ...]:
    """Rows rounded to bytes with a scale for each 32 of them."""
    where = (s.x(3, dtype="i32"), s.x(3, dtype="i32"), s.x(2, 4, dtype="i32"))
    pages, scales = s.x(5, 1, 32, 8, dtype="i8"), s.x(5, 1, 1, 8, dtype="f16")
    return s.graph.page_write_q8(pages, scales, s.x(3, 1, 32), *where, transposed=True)


@listing(AVX2)
def attention_backward(s: Sketch) -> tuple[Value, ...]:
    q, k, v, dy = (s.x(1, 2, 8) for _ in range(4))
    return s.graph.attention_backward(q, k, v, dy, mask_kind="none", **HEADS)


@listing()
def rope(s: Sketch) -> Value:
    """Halves of a head turned, at given positions."""
    return s.graph.rope(s.x(1, 5, 32), s.w(10, 8), s.w(10, 8), s.x(1, 5, dtype="i32"), head_dim=16)


@listing()
def rope_interleaved(s: Sketch) -> Value:
    return s.graph.rope(s.x(1, 5, 32), s.w(10, 8), s.w(10, 8), head_dim=16, interleaved=True)


@listing(AVX2)
def selective_scan(s: Sketch) -> Value:
    x, delta, a = s.x(1, 6, 8), s.x(1, 6, 8), s.x(8, 1)
    return s.graph.selective_scan(x, delta, a, s.x(1, 6, 1), s.x(1, 6, 1), s.w(8), state_size=1)


@listing(AVX2)
def selective_scan_backward(s: Sketch) -> tuple[Value, ...]:
    x, delta, a = s.x(1, 6, 8), s.x(1, 6, 8), s.x(8, 1)
    return s.graph.selective_scan_backward(x, delta, a, s.x(1, 6, 1), s.x(1, 6, 1), s.x(1, 6, 8), state_size=1)


@listing(AVX2)
def delta_net(s: Sketch) -> Value:
    q, k, v = (s.x(1, 6, 1, 8) for _ in range(3))
    return s.graph.gated_delta_net(q, k, v, s.x(1, 6, 1), s.x(1, 6, 1), state_size=8)


@listing(AVX2)
def delta_net_backward(s: Sketch) -> tuple[Value, ...]:
    q, k, v = (s.x(1, 6, 1, 8) for _ in range(3))
    return s.graph.gated_delta_net_backward(q, k, v, s.x(1, 6, 1), s.x(1, 6, 1), s.x(1, 6, 1, 8), state_size=8)


@listing(AVX2)
def scan(s: Sketch) -> Value:
    """The kernels of a loop's body."""
    (last,), _ = s.graph.scan_general(lambda h, x: (h * 0.5 + x, h), (s.x(8),), (s.x("steps", 8),))
    return last


@listing(AVX2)
def branches(s: Sketch) -> Value:
    return s.graph.cond(s.x(dtype="bool"), lambda v: v + 1.0, lambda v: v * 0.5, (s.x(20),))


@listing(AVX2)
def while_loop(s: Sketch) -> Value:
    """The kernels of a condition and a body."""
    g = s.graph
    (total,) = g.while_loop((s.x(20),), cond=lambda v: v.sum() < 100.0, body=lambda v: (v * 1.25,), max_iterations=40)
    return total
