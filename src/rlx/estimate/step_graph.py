"""The graph of a training step as XLA sees it, made without JAX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlx.core.quant_scheme import QuantScheme
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.estimate.sharding_rules import KEPT_WHOLE
from rlx.ir.graph import Graph
from rlx.ir.op import Op
from rlx.passes.canonicalize import cse, dce
from rlx.passes.entry import LEFT_TO_XLA, Context, Options, Pass
from rlx.passes.pipeline import passes_of, run_passes


class _SeenByXla:
    """The passes of the device `xla`; then composite ops become what they are made of, and what two of them compute alike is one value."""

    name = "xla"

    def claims(self, op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]) -> str | None:
        """Primitives, and those whose parts have rules of their own here."""
        return None if op.definition.decompose is None or op.definition.name in KEPT_WHOLE else "it is composite"

    def layout_for(self, weights: tuple[Shape, ...], scheme: QuantScheme | None) -> str | None:
        """Weights are read as they are."""
        return None

    def passes(self, listed: Sequence[Pass], options: Options) -> Sequence[Pass]:
        """As the device runs them up to the plan, with the sharing that XLA does after lowering."""
        found: list[Pass] = []
        for one in listed:
            if one.name not in LEFT_TO_XLA and not one.whole:
                found.append(one)
            if one.name == "legalize":
                found += [Pass("share", cse), Pass("leave out", dce)]
        return found

    def commands(self, options: Options) -> Any:
        """Nothing is planned for it."""
        raise NotImplementedError


def as_xla_sees_it(graph: Graph, precision: str) -> Graph:
    """A step in the ops that XLA compiles."""
    device, options, report = _SeenByXla(), Options(precision=precision), Report()
    found, _ = run_passes(graph, Context(device, options, report, passes=passes_of(device, options, report)))
    return found
