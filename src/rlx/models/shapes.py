"""Shapes: selects one of a model's graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rlx.core.dim import Dim, Size

PAGE = 32
"""Tokens of a page of keys and values."""


MOST_ROWS = 1 << 16
"""Tokens of a step, at most: a bound of the symbol, the same for all graphs."""


@dataclass(frozen=True)
class Shapes:
    """Selects a graph of a model: its sizes, and its outputs. Sizes are ints or symbols.

    >>> Shapes.decode().seq, Shapes.prefill(512).seq
    (1, seq)
    """

    batch: Size = 1
    seq: Size = 1
    capacity: Size | None = None  # capacity of the caches; None: no caches, all tokens at once
    logits: str = "last"  # or "all"; "embedding": the last token's state, of length 1, instead of logits
    hidden: bool = False
    draft: bool = False  # the graph of the multi-token prediction head, which also takes `hidden`
    cache_dtype: str | None = None  # None: the model's, f32 unless a profile says otherwise
    prefix: str = ""  # prefix of the states' names
    in_pages: bool = False  # keys and values lie in pages, not in caches of `capacity`

    @staticmethod
    def decode(context: int = 1 << 20, **more: Any) -> Shapes:
        """One token after the others."""
        return Shapes(seq=1, capacity=Dim("capacity", max=context), **more)

    @staticmethod
    def prefill(chunk: int, context: int = 1 << 20, **more: Any) -> Shapes:
        """Up to `chunk` tokens after the others."""
        return Shapes(seq=Dim("seq", max=chunk), capacity=Dim("capacity", max=context), **more)

    @staticmethod
    def paged(recurrent: bool = False, seq: Size | None = None, *, cache_dtype: str | None = None, **more: Any) -> Shapes:
        """Tokens of many sequences with keys and values in pages (decision 0018): each token is a row, or in a recurrent model
        each sequence, padded to `seq`. Pages of a dtype that is not the model's are states with names of their own.

        >>> Shapes.paged().prefix, Shapes.paged(cache_dtype="q8_0").prefix
        ('paged.', 'paged.q8_0.')
        """
        rows = Dim("sequences") if recurrent else Dim("rows", max=MOST_ROWS)
        prefix, length = "paged." if cache_dtype is None else f"paged.{cache_dtype}.", 1 if seq is None else seq
        return Shapes(batch=rows, seq=length, cache_dtype=cache_dtype, prefix=prefix, in_pages=True, **more)
