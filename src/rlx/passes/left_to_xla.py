"""Which passes the device `xla` does without."""

from __future__ import annotations

LEFT_TO_XLA = frozenset({"rounding", "expand", "fuse contraction", "fuse regions", "layout"})
"""Passes that XLA does better, or that make parts for kernels it does not have."""
