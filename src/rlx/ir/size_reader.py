"""Reads sizes that were stored as text."""

from __future__ import annotations

from collections.abc import Mapping

from rlx.core.dim import Size, Symbol


class SizeReader:
    """Sizes of known symbols; each text is parsed once, since it can occur in every layer.

    >>> from rlx.core.dim import Symbol
    >>> str(SizeReader({"seq": Symbol("seq", 1, 8)}).size("2*seq"))
    '2*seq'
    """

    def __init__(self, symbols: Mapping[str, Symbol]) -> None:
        self.symbols = dict(symbols)
        self._known: dict[str, Size] = {}

    def size(self, plain: int | str) -> Size:
        """A number is itself."""
        if isinstance(plain, int):
            return plain
        if plain not in self._known:
            from rlx.ir.parse import Parser  # fixed sizes need none

            self._known[plain] = Parser(plain).size(self.symbols)
        return self._known[plain]
