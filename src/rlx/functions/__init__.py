"""Transforms of Python functions: jit, grad, vmap, scan and their relatives, made of traces, graphs and executables."""
