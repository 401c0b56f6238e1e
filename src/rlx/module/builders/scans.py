"""Scans. Bodies are Python functions of Values, or Graphs.

A function may use any value of the graph around it: what it uses becomes an explicit operand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rlx.core.dim import Size
from rlx.core.errors import RlxError
from rlx.ir.traced_bodies import returning_twice
from rlx.ir.value import Value
from rlx.module.emitter import Body, Tensors, like, many
from rlx.ops.control import control

if TYPE_CHECKING:
    from rlx.module.builders.table import Builders


def scan(self: Builders, init: Tensors, body: Body, length: Size, *, name: str | None = None) -> Value | Any:
    """The carry after `length` steps of `body(carry) -> carry`; several carries as a tuple.

    >>> from rlx.module import Graph
    >>> g = Graph("g")
    >>> x, w = g.input("x", (4,)), g.input("w", (4, 4))
    >>> g.scan(x, lambda h: g.tanh(h @ w), 10)
    <Value %2 : f32[4]>
    """
    return _final(self, body, init, length=length, name=name)


def scan_with_xs(
    self: Builders,
    init: Tensors,
    xs: Tensors,
    body: Body,
    length: Size | None = None,
    *,
    reverse: bool = False,
    name: str | None = None,
) -> Value | Any:
    """The carry after `body(carry, x_t) -> carry` for each row of xs; a length is checked against them."""
    return _final(self, body, init, xs, length=length, reverse=reverse, name=name)


def scan_with_bcasts_and_xs(
    self: Builders,
    init: Tensors,
    bcasts: Tensors,
    xs: Tensors,
    body: Body,
    length: Size | None = None,
    *,
    reverse: bool = False,
    name: str | None = None,
) -> Value | Any:
    """The carry after `body(carry, bcasts…, x_t) -> carry` for each row of xs; bcasts are read whole by each step."""
    return _final(self, body, init, xs, bcasts, length=length, reverse=reverse, name=name)


def scan_checkpointed(
    self: Builders,
    init: Tensors,
    body: Body,
    length: Size | None = None,
    num_checkpoints: int | None = None,
    *,
    xs: Tensors = (),
    bcasts: Tensors = (),
    reverse: bool = False,
    name: str | None = None,
) -> Value | Any:
    """The same value as the scan without it; its gradient keeps `num_checkpoints` carries and computes the rest again."""
    if num_checkpoints is None:
        raise RlxError("RLX105", "scan_checkpointed without num_checkpoints", fix="num_checkpoints=…, from 1 to length")
    settings = {"length": length, "reverse": reverse, "num_checkpoints": num_checkpoints, "name": name}
    return _final(self, body, init, xs, bcasts, **settings)


def scan_trajectory(
    self: Builders,
    init: Tensors,
    body: Body,
    length: Size | None = None,
    *,
    xs: Tensors = (),
    bcasts: Tensors = (),
    reverse: bool = False,
    num_checkpoints: int | None = None,
    name: str | None = None,
) -> Value | Any:
    """Every carry: `[length, *carry]`, row t the carry after step t + 1."""
    settings = {"length": length, "reverse": reverse, "num_checkpoints": num_checkpoints, "name": name}
    return like(init, _scanned(self, returning_twice(body), init, xs, bcasts, **settings)[1])


def scan_general(
    self: Builders,
    body: Body,
    init: Tensors,
    xs: Tensors = (),
    *,
    length: Size | None = None,
    reverse: bool = False,
    bcasts: Tensors = (),
    num_checkpoints: int | None = None,
    name: str | None = None,
) -> tuple[tuple[Value, ...], tuple[Value, ...]]:
    """`lax.scan`, flat: `body(*carries, *bcasts, *rows)` returns the carries, then ys; gives (carries, stacked ys)."""
    settings = {"length": length, "reverse": reverse, "num_checkpoints": num_checkpoints, "name": name}
    return _scanned(self, body, init, xs, bcasts, **settings)


def _scanned(
    self: Builders, body: Body, init: Tensors, xs: Tensors, bcasts: Tensors, **settings: Any
) -> tuple[tuple[Value, ...], tuple[Value, ...]]:
    """The carries after the last step and the stacked ys; a setting is length, reverse, num_checkpoints or name."""
    carries, fixed, rows = many(init), many(bcasts), many(xs)
    graph = self._target((*carries, *fixed, *rows))
    found = control.scan_values(body, carries, rows, bcasts=fixed, graph=graph, **settings)
    return found[: len(carries)], found[len(carries) :]


def _final(self: Builders, body: Body, init: Tensors, xs: Tensors = (), bcasts: Tensors = (), **settings: Any) -> Value | Any:
    """The last carry of a scan whose body returns carries alone."""
    carries, ys = _scanned(self, body, init, xs, bcasts, **settings)
    if ys:
        message = f"the body returns {len(carries) + len(ys)} values for {len(carries)} carries"
        raise RlxError("RLX101", message, fix="scan_general takes bodies that also return ys")
    return like(init, carries)
