"""Quantizers: from f32 values to the bytes of GGUF's tensor types."""

from rlx.formats.quantizers.rows import WRITTEN, quantize_rows

__all__ = ["WRITTEN", "quantize_rows"]
