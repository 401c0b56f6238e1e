"""Golden texts: the LLVM IR that is emitted for small graphs, by target, so that a change of a kernel shows.

Each file `TARGET/NAME.ll` says its target on the first line, then its graph, then every function as it is emitted, before
LLVM's own passes. A kernel's name ends in a hash of its text. Graphs stand in `products.py`, `regions.py` and
`sequences.py`; a new kernel gets a function there, and `python -m tests.golden.kernels --write NAME` writes its files.
"""

from . import products, regions, sequences
from .sketch import LISTINGS

__all__ = ["LISTINGS", "products", "regions", "sequences"]
