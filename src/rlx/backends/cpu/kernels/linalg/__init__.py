"""Kernels of linear algebra: factorizations and systems of equations."""
