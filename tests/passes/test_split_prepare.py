"""Cutting into prepare and main."""

from __future__ import annotations

import rlx
from rlx.ir.verify import verify


def test_prepare_forgets_facts_about_symbols_it_does_not_have():
    """A fact about an input's size went to the prepare graph, whose text then named an undeclared symbol."""
    g = rlx.Graph("g")
    x, w = g.input("x", ("rows", 64)), g.param("w", (64, 64))
    g.assume(x.shape[0] <= 12)
    g.set_outputs({"y": x @ w})
    prepare = rlx.graphs.lower(g, "cpu").lir.prepare
    assert prepare is not None and prepare.graph.assumptions == []
    verify(prepare.graph)
