"""Quantizers: f32 numbers to the bytes that GGUF's tensor types store them in."""

from rlx.formats.quantizers.rows import WRITTEN, quantize_rows

__all__ = ["WRITTEN", "quantize_rows"]
