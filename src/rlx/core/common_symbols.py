"""`rlx.sym`: symbols that most models need."""

from __future__ import annotations

from rlx.core.dim import Dim


class sym:  # a namespace, spelled as users write it: rlx.sym.SEQ
    """Ready-made symbols.

    >>> sym.SEQ + 1, sym.SEQ == Dim("seq")
    (seq + 1, True)
    """

    BATCH = Dim("batch")
    SEQ = Dim("seq")
    ROWS = Dim("rows")
    PAST_SEQ = Dim("past_seq")
