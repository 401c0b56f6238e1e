"""Pass: an entry of THE list, and what a caller adds to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Any

from rlx.core.argument_checks import check_is
from rlx.core.errors import RlxError
from rlx.ir.graph import Graph
from rlx.ir.pattern import ValueMap

PassResult = tuple[Graph, ValueMap]
"""The graph after a pass, and where the values of the graph before it went."""
Function = Callable[[Graph, Any], Graph | PassResult]
"""What a pass does with a graph and the context; see `docs/levels.md`."""

NEEDED = {
    "always": "the program would mean something else without it",
    "for kernels": "a device that takes every op as it stands does without",
    "for speed": "any device does without; the option `skip` takes these",
}
"""Who needs a pass."""


@dataclass(frozen=True)
class Pass:
    """A pass by name; `rlx.compile(graph, passes=[...])` puts it into the list `rlx passes` prints.

    `function(graph, context)` returns the graph to go on with, or that and a map from its old values to new ones; it makes graphs by
    `rlx.ir.rewrite.Rewriter` or by rules, and leaves the graph it was given as it is. It goes after or before the pass of that name,
    first of all when neither is given, and also through the bodies of loops and branches. A program is kept in the disk cache by the
    names and versions of such passes; without a version, which stands for the code, it is not kept.

    >>> import numpy as np, rlx
    >>> from rlx.ir.pattern import Rules, op, rewrites
    >>> @rewrites(op("exp", op("log", "x")))
    ... def exp_of_log(at, x):
    ...     '''exp(log(x))  ->  x        for x > 0, which the caller knows'''
    ...     return x
    >>> tidy = rlx.Pass("exp of log", lambda graph, context: Rules(exp_of_log).apply(graph, "exp of log"), version="1", after="cse")
    >>> g = rlx.Graph("g"); x = g.input("x", (3,)); g.set_outputs({"y": g.exp(g.log(x))})
    >>> rlx.compile(g, passes=[tidy])(x=np.array([1, 2, 3], np.float32))
    array([1., 2., 3.], dtype=float32)
    """

    name: str
    function: Function
    version: str | int | None = None
    after: str | None = None
    before: str | None = None
    needed: str = "always"  # of NEEDED
    whole: bool = False  # for the whole graph, not for bodies of loops and branches

    def __post_init__(self) -> None:
        check_is(self.name, str, "RLX406", "the name of a pass", "a str")
        for what, value, kinds in (
            ("version", self.version, (str, int, NoneType)),
            ("after", self.after, (str, NoneType)),
            ("before", self.before, (str, NoneType)),
        ):
            check_is(value, kinds, "RLX406", f"{what} of pass {self.name!r}", "a str, or None")
        function: Any = self.function
        if not callable(function):
            fix = "a function of a graph and the context that returns a graph"
            raise RlxError("RLX406", f"pass {self.name!r} has {function!r:.60} for a function", fix=fix)
        if self.after is not None and self.before is not None:
            message = f"pass {self.name!r} goes after {self.after!r} and before {self.before!r}"
            raise RlxError("RLX406", message, fix="one of both")
        if self.needed not in NEEDED:
            raise RlxError("RLX406", f"pass {self.name!r} is needed {self.needed!r}", fix=f"one of: {', '.join(NEEDED)}")

    @property
    def optional(self) -> bool:
        """Whether the option `skip` may leave it out."""
        return self.needed == "for speed"

    @property
    def docs(self) -> str:
        """What it does, in one line."""
        return ((self.function.__doc__ or "").strip().splitlines() or [""])[0]

    def plain(self) -> dict[str, Any]:
        """All but the code."""
        return {"name": self.name, "version": self.version, "after": self.after, "before": self.before}


def given_passes(passes: Any) -> tuple[Pass, ...]:
    """What the option `passes` was given: passes, functions under their own names, or what `Pass.plain` gave, without the code."""
    fix = "a list of rlx.Pass(name, function, …), or of functions of a graph and the context"
    check_is(passes, (list, tuple), "RLX406", "passes", fix)
    return tuple(_given_pass(one, fix) for one in passes)


def _given_pass(given: Any, fix: str) -> Pass:
    if isinstance(given, Pass):
        return given
    if isinstance(given, Mapping):
        return Pass(function=_gone(given["name"]), **given)
    if not callable(given):
        raise RlxError("RLX406", f"passes has {given!r:.60} in it", fix=fix)
    about: dict[str, Any] = {key: getattr(given, key, None) for key in ("name", "version", "after", "before")}
    return Pass(about.pop("name") or getattr(given, "__name__", type(given).__name__), given, **about)


def _gone(name: str) -> Function:
    """In place of the code of a pass that a saved executable was compiled with."""

    def refuse(graph: Graph, context: Any) -> Graph:
        message = f"the code of pass {name!r} is not in the file: it cannot be lowered again"
        raise RlxError("RLX406", message, fix="compile the graph again with the pass")

    return refuse


def added_to(listed: Sequence[Pass], passes: Sequence[Pass]) -> tuple[Pass, ...]:
    """THE list with a caller's passes at their places; those of one place in the order they were given."""
    found, first = list(listed), 0
    for one in passes:
        names = [known.name for known in found]
        anchor = one.after if one.after is not None else one.before
        if one.name in names:
            raise RlxError("RLX406", f"there is a pass {one.name!r} already", fix="give each pass a name of its own")
        if anchor is not None and anchor not in names:
            where = "after" if one.before is None else "before"
            raise RlxError("RLX406", f"pass {one.name!r} goes {where} {anchor!r}, which is no pass", fix=", ".join(names))
        place = first if anchor is None else names.index(anchor)
        if one.after is not None:
            place += 1
            while place < len(found) and found[place] in passes and found[place].after == one.after:
                place += 1
        if "plan" in names and place > names.index("plan"):
            raise RlxError("RLX406", f"pass {one.name!r} goes after 'plan', which ends the list", fix="before='plan'")
        first += anchor is None
        found.insert(place, one)
    return tuple(found)


def checked_result(one: Pass, graph: Graph, result: Any) -> tuple[Graph, ValueMap | None]:
    """What a caller's pass made of a graph: a valid graph that takes and gives the same."""
    from rlx.ir.verify import verify  # when a pass is first added

    made, mapping = result if isinstance(result, tuple) and len(result) == 2 else (result, None)
    if not isinstance(made, Graph) or not isinstance(mapping, (dict, NoneType)):
        fix = "return the graph, also where nothing changed; or it and the map that Rewriter.finish() gives"
        raise RlxError("RLX406", f"pass {one.name!r} returned {type(result).__name__}, not a graph", fix=fix)
    try:
        verify(made)
    except RlxError as error:
        raise RlxError("RLX406", f"pass {one.name!r} made a graph that is not valid: {error.message}") from error
    for what, before, after in zip(
        ("input", "param", "state", "output", "update"), _interface(graph), _interface(made), strict=True
    ):
        for name in {**before, **after}:
            if before.get(name) != after.get(name):
                change = f"{before.get(name, 'missing')} before, {after.get(name, 'missing')} after"
                raise RlxError("RLX406", f"pass {one.name!r} changed the {what} {name!r}: {change}", fix="keep names and types")
    return made, mapping


def _interface(graph: Graph) -> list[dict[str, Any]]:
    leaves = (graph.inputs, graph.params, graph.states)
    results = (graph.output_refs, graph.updates)
    return [
        *({name: node.shape for name, node in kind.items()} for kind in leaves),
        *({name: graph.shape(ref) for name, ref in kind.items()} for kind in results),
    ]
