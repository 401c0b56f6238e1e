"""Kernels by family: each lowers ops to launches of Triton functions."""
