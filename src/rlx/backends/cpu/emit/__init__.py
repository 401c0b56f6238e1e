"""Writing LLVM text: types, values, instructions, and what a kernel author works with."""
