"""Emitting LLVM text: types, values, instructions, and the interface for kernel authors."""
