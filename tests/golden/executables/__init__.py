"""Forty executables that cover what the CPU engine does, each with fixed numbers: their bits are kept in `bits.json`.

They use the public API only, so that they stay as they are while what is beneath it is rebuilt.
"""

from . import products, regions, sequences
from .drawing import EXECUTABLES, Drawing

__all__ = ["EXECUTABLES", "Drawing", "products", "regions", "sequences"]
