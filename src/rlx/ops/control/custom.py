"""Ops of the user: `register_op` takes the facets of a built-in record, and kernels.

`native` kernels are commands like any other, Python ones (`kernels`) are host calls, on the calling thread, named in the
report, and refused by `save`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rlx.core.argument_checks import check_is
from rlx.core.errors import RlxError
from rlx.ir.graph import Graph
from rlx.ir.op import Infer, Operand
from rlx.ir.tolerance import Tolerance
from rlx.ops.control.custom_values import check_facets
from rlx.ops.record import OPS, Attr, OpDef, OpKind
from rlx.transforms.rules.batch_formulas import one_by_one, pointwise
from rlx.transforms.rules.formulas import by_transposition


@dataclass(frozen=True)
class UserKernels:
    """The kernels of a registered op by device: native lowerings, Python functions on arrays, and what an elementwise op writes for each
    element of any kernel it is fused into."""

    native: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    python: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    elementwise: Mapping[str, Callable[..., Any]] = field(default_factory=dict)


USER_KERNELS: dict[str, UserKernels] = {}


def register_op(
    name: str,
    operands: str,
    *,
    infer: Infer,
    reference: Callable[..., Any],
    attrs: Mapping[str, Attr] | None = None,
    kernels: Mapping[str, Callable[..., Any]] | None = None,
    native: Mapping[str, Callable[..., Any]] | None = None,
    elementwise: Mapping[str, Callable[..., Any]] | None = None,
    kind: OpKind = OpKind.Compute,
    doc: str = "An op of the user.",
    replace: bool = False,
    **facets: Any,
) -> OpDef:
    """Register an op: the facets of a built-in record, and its kernels. The record is callable on Values.

    `operands` is a signature such as "x, index:index, bias?"; `infer(call)` gives the result's Shape (or a tuple);
    `reference(*arrays, **attrs)` is its meaning in NumPy. `kernels={"cpu": function}` are Python functions of arrays and
    attributes, run as host calls; `native={"cpu": lower}` are kernel families as in `rlx.backends.cpu.kernels`.
    `elementwise={"cpu": lambda k, x: …}` is one line of such a family: what the op does to values in registers, which broadcast;
    it is fused with its neighbors like a built-in op. Without any of these, a device uses `decompose=…`. `vmap` runs one example
    after the other unless `elementwise=…`, `batch=…` (as in `rlx.transforms.rules.batching`) or `decompose=…` is given.

    >>> import numpy as np
    >>> import rlx
    >>> cube = rlx.register_op("doc_cube", "x", infer=lambda call: call.given[0], reference=lambda x: x**3)
    >>> g = rlx.Graph("g")
    >>> g.set_outputs([g.custom("doc_cube", g.input("x", (2,)))])
    >>> rlx.compile(g, "reference")(np.float32([1, 2]))
    array([1., 8.], dtype=float32)
    """
    check_is(name, str, "RLX109", "the name of an op", "a str of letters, digits, _ and dots")
    if not re.fullmatch(r"[A-Za-z_][\w.]*", name):
        raise RlxError("RLX109", f"{name!r} is not a name for an op", fix="letters, digits, _ and dots")
    if name in OPS and (name not in USER_KERNELS or not replace):
        kind_of = "a registered op" if name in USER_KERNELS else "a built-in op"
        raise RlxError("RLX109", f"{name!r} is {kind_of} already", fix="another name, or replace=True for one of your own")
    stated = {
        "operands": operands,
        "infer": infer,
        "reference": reference,
        "attrs": attrs,
        "kernels": kernels,
        "native": native,
        "elementwise": elementwise,
    }
    check_facets(name, {**stated, "kind": kind, "doc": doc, **facets})
    if elementwise or "decompose" not in facets:
        facets.setdefault("batch", pointwise if elementwise else one_by_one)
    if callable(facets.get("vjp")) and "decompose" not in facets:
        facets.setdefault("jvp", by_transposition)
    facets = {
        "tolerance": Tolerance(ulps=16.0, scale="max"),
        "cost": lambda call, results: 0,
        "cases": "an op of the user",
        **facets,
    }
    OPS.records.pop(name, None)
    places = Operand.parse(operands)
    family = ("activation", "binary", "select")[min(len(places), 3) - 1] if elementwise else "custom"
    record = OPS.add(OpDef(name, places, dict(attrs or {}), infer, reference, kind, doc, family=family, **facets))
    USER_KERNELS[name] = UserKernels(dict(native or {}), dict(kernels or {}), dict(elementwise or {}))
    return record


def unregister_op(name: str) -> None:
    """Forget a registered op; graphs that hold it cannot be compiled any more.

    >>> import rlx
    >>> same = rlx.register_op("doc_same", "x", infer=lambda call: call.given[0], reference=lambda x: x)
    >>> rlx.unregister_op("doc_same")
    >>> rlx.Graph("g").custom("doc_same")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
      ...
    rlx.core.errors.RlxError: [RLX113] 'doc_same' is not a registered op
      ...
    """
    check_is(name, str, "RLX113", "the name of an op", "a str")
    if name not in USER_KERNELS:
        raise RlxError("RLX113", f"{name!r} is not a registered op", fix=f"registered: {', '.join(USER_KERNELS) or 'none'}")
    del USER_KERNELS[name]
    OPS.records.pop(name, None)


def holds_user_op(graph: Graph) -> bool:
    """Whether a graph or one of its bodies calls code of the user, as a registered op or a callback: it is not part of any fingerprint."""
    return any(
        node.op.name in USER_KERNELS or node.op.definition.calls_user or any(holds_user_op(body) for _, body in node.op.graphs())
        for node in graph.nodes
    )
