"""`make_jaxpr`: the graph that a function is traced to, to be printed."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Literal, overload

from rlx.core.shape_struct import ShapeDtypeStruct
from rlx.functions.jit import jit
from rlx.ir.graph import Graph
from rlx.runtime.parameters import ArgumentNumbers
from rlx.trace.tracer import TracedFunction


class TracedProgram:
    """What a function was traced to, before any pass. Its text is RLX's, not a jaxpr: one line for each op.

    >>> import numpy as np, rlx
    >>> program = rlx.make_jaxpr(lambda x: x * 2)(np.ones(3, np.float32))
    >>> program.in_avals, program.out_avals
    ([ShapeDtypeStruct(shape=(3,), dtype=float32)], [ShapeDtypeStruct(shape=(3,), dtype=float32)])
    """

    def __init__(self, traced: TracedFunction) -> None:
        self.graph: Graph = traced.graph
        self._inputs = list(traced.inputs.values())

    @property
    def jaxpr(self) -> TracedProgram:
        """The program itself: its constants are part of it, so there is nothing to close over."""
        return self

    @property
    def in_avals(self) -> list[ShapeDtypeStruct]:
        """Shape and dtype of each argument."""
        shapes = [self.graph.inputs[name].shape for name in self._inputs]
        return [ShapeDtypeStruct(shape.dims, shape.dtype) for shape in shapes]

    @property
    def out_avals(self) -> list[ShapeDtypeStruct]:
        """Shape and dtype of each result."""
        shapes = [self.graph.shape(ref) for ref in self.graph.output_refs.values()]
        return [ShapeDtypeStruct(shape.dims, shape.dtype) for shape in shapes]

    def __repr__(self) -> str:
        return str(self.graph)


@overload
def make_jaxpr(
    function: Callable[..., Any], static_argnums: ArgumentNumbers = None, *, return_shape: Literal[False] = False
) -> Callable[..., TracedProgram]: ...
@overload
def make_jaxpr(
    function: Callable[..., Any], static_argnums: ArgumentNumbers = None, *, return_shape: Literal[True]
) -> Callable[..., tuple[TracedProgram, Any]]: ...
def make_jaxpr(
    function: Callable[..., Any], static_argnums: ArgumentNumbers = None, *, return_shape: bool = False
) -> Callable[..., Any]:
    """A function that traces instead of computing and returns what was traced: RLX's graph, which prints as text.

    With `return_shape` it returns (program, what the function returns as `ShapeDtypeStruct`s). Later forms of the program, down to
    assembly, are at `rlx.jit(f).lower(*args)`.

    >>> import numpy as np, rlx
    >>> print(rlx.make_jaxpr(lambda x: x * 2 + 1)(np.float32([1, 2])))  # doctest: +ELLIPSIS
    mir @"<lambda>"...
    """

    @functools.wraps(function)
    def traced(*args: Any, **kwargs: Any) -> Any:
        lowered = jit(function, static_argnums=static_argnums).lower(*args, **kwargs)
        program = TracedProgram(lowered.traced)
        return (program, lowered.out_info) if return_shape else program

    return traced
