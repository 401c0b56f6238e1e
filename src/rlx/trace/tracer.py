"""Tracing: run a Python function on Values and record its graph."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import FunctionType
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.emit import constant as constant_node
from rlx.ir.emit import find_graph, inside_body, into, traced_graph, tracing_into
from rlx.ir.graph import Graph as BaseGraph
from rlx.ir.graph import Ref
from rlx.ir.op import OPS, is_weak
from rlx.ir.questions import Questions
from rlx.ir.value import Value, WeakValue
from rlx.ir.whole import WholeNumbers
from rlx.module.graph import Graph
from rlx.trace.tree import Template, children_of, flatten, leaves_of, map_leaves, rebuild, with_fixed

CAPTURE_BYTES = 64 << 10  # larger captured arrays become hidden params, not constants
_HIDDEN = ("captured.", "put.")  # how names of hidden params begin
_numbers = itertools.count()


class Handle:
    """A versioned array that traced functions treat as a param: packed once, not a constant. Made by `rlx.put`."""

    __array_ufunc__ = None

    def __init__(self, array: npt.ArrayLike) -> None:
        self.name = f"put.{next(_numbers)}"
        self.version = 0
        self._array = np.array(array)

    @property
    def value(self) -> npt.NDArray[Any]:
        """The array."""
        return self._array

    @property
    def shape(self) -> tuple[int, ...]:
        """The array's shape."""
        return self._array.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The array's dtype."""
        return self._array.dtype

    def set(self, array: npt.ArrayLike) -> None:
        """Replace the array; shape and dtype must stay the same."""
        new = np.asarray(array)
        if new.shape != self._array.shape or new.dtype != self._array.dtype:
            raise RlxError(
                "RLX503", f"the handle holds {self._array.dtype}{list(self.shape)}, the array is {new.dtype}{list(new.shape)}"
            )
        self._array = np.array(new)
        self.version += 1

    def __rlx_value__(self, graph: Any) -> Value:
        root = graph
        while root.parent is not None:
            root = root.parent
        if not isinstance(root, TraceGraph):
            raise RlxError(
                "RLX107",
                "a handle of rlx.put is used outside a traced function",
                fix="use graph.param(...) in graphs built by hand",
            )
        return root.handle(self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return self._array.astype(dtype) if dtype is not None else self._array

    def __repr__(self) -> str:
        return f"<put {self.name} {DType.of(self.dtype)}{list(self.shape)} version {self.version}>"

    def _binary(self, op: str, other: Any, swapped: bool = False) -> Any:
        if not isinstance(other, Value):
            return NotImplemented
        return OPS[op](other, self) if swapped else OPS[op](self, other)

    def __add__(self, other: Any) -> Any:
        return self._binary("add", other)

    def __sub__(self, other: Any) -> Any:
        return self._binary("sub", other)

    def __mul__(self, other: Any) -> Any:
        return self._binary("mul", other)

    def __truediv__(self, other: Any) -> Any:
        return self._binary("div", other)

    def __matmul__(self, other: Any) -> Any:
        return self._binary("matmul", other)


@overload
def put(tree: dict[str, npt.NDArray[Any]]) -> dict[str, Handle]: ...
@overload
def put(tree: list[npt.NDArray[Any]]) -> list[Handle]: ...
@overload
def put(tree: tuple[npt.NDArray[Any], ...]) -> tuple[Handle, ...]: ...
@overload
def put(tree: npt.NDArray[Any] | np.generic | float) -> Handle: ...
@overload
def put(tree: dict[Any, Any] | list[Any] | tuple[Any, ...]) -> Any: ...
def put(tree: Any) -> Any:
    """Makes arrays params of traced functions: versioned handles, packed once per version.

    >>> w = put(np.ones((2, 2), np.float32))
    >>> w.version, w.shape
    (0, (2, 2))
    """
    return map_leaves(Handle, tree)


class TraceGraph(Graph):
    """A graph that lifts large captured arrays and handles to params."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.lifted: dict[str, npt.NDArray[Any]] = {}
        self.handles: dict[str, Handle] = {}
        self.whole_numbers = WholeNumbers()
        self._arrays: dict[int, tuple[npt.NDArray[Any], Ref]] = {}

    def lift(self, array: npt.NDArray[Any]) -> Ref | None:
        """Lifts a large array to a hidden param; None for a small one, which stays a constant."""
        if array.nbytes <= CAPTURE_BYTES:
            return None
        if id(array) not in self._arrays:
            name = f"captured.{len(self.lifted)}"
            node = self.add_node(OPS["param"].op(name=name, shape=Shape(array.shape, DType.of(array.dtype))))
            self.lifted[name] = array
            self._arrays[id(array)] = (array, node.ref)
        return self._arrays[id(array)][1]

    def handle(self, handle: Handle) -> Value:
        """The param that stands for a handle."""
        if handle.name not in self.handles:
            self.handles[handle.name] = handle
            shape = Shape(handle.shape, DType.of(handle.dtype))
            self.add_node(OPS["param"].op(name=handle.name, shape=shape))
        ref = self.leaf("param", handle.name)
        assert ref is not None
        return Value(self, ref)


@dataclass
class TracedFunction:
    """A traced function: its graph, and how to rebuild the output containers. `inputs`: path -> the graph's input."""

    graph: TraceGraph
    inputs: dict[str, str]
    out_tree: Any
    outputs: list[str]
    fixed: dict[int, Any] = field(default_factory=dict)  # positions of outputs that are not Values
    questions: Questions | None = None  # what Python asked while it was traced, if it did

    @cached_property
    def _template(self) -> Template:
        return Template(self.out_tree)

    def rebuilt(self, results: Sequence[Any]) -> Any:
        """Rebuilds the containers that the function returned, around these results."""
        return self._template.filled(with_fixed(results, self.fixed))


def trace(
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    shapes: dict[str, Shape],
    names: Mapping[str, str] | None = None,
    answers: Mapping[str, Any] | None = None,
) -> TracedFunction:
    """Run `function` with its array leaves replaced by inputs of the given shapes (by path), and record the graph.

    Python numbers become inputs that take the dtype of the tensors they are combined with, as literals do. `names` are those of the
    inputs, by path; without them, or where two are the same, an input is named by its path. With `answers`, the arrays of the call by
    path, Python may ask values for their truth and numbers, and the result is valid for calls with the same answers.
    """
    graph = TraceGraph(getattr(function, "__name__", "traced"))
    questions = graph.questions = None if answers is None else Questions(graph, answers)
    named = {} if names is None or len(set(names.values())) < len(names) else names
    named = {path: name for path, name in named.items() if not name.startswith(_HIDDEN)}
    inputs: dict[str, str] = {}
    leaves = []
    for path, leaf in flatten((tuple(args), dict(kwargs))):
        if isinstance(leaf, Handle):
            leaf = graph.handle(leaf)
        elif path in shapes:
            name = inputs[path] = named.get(path, path)
            if questions is not None:
                questions.paths[name] = path
            leaf = _input_of_leaf(graph, leaf, path, name, shapes[path])
        leaves.append(leaf)
    new_args, new_kwargs = rebuild((tuple(args), dict(kwargs)), leaves)
    try:
        with tracing_into(graph):
            result = function(*new_args, **new_kwargs)
    finally:
        graph.questions = None
        if questions is not None:
            questions.close()
    outputs, fixed = _output_leaves(graph, result)
    graph.set_outputs(outputs)
    graph.freeze()  # a value that leaked out of the function is an error from here on
    asked = questions if questions is not None and questions.asked else None
    return TracedFunction(graph, inputs, result, list(outputs), fixed, asked)


def _input_of_leaf(graph: TraceGraph, leaf: Any, path: str, name: str, shape: Shape) -> Value:
    """Adds the graph's input for a leaf; that of a Python number is weak."""
    value = graph.input(name, shape)
    if not is_weak(leaf):
        return value
    return WeakValue(graph, value.ref, (graph.whole_numbers.input(path),) if isinstance(leaf, int) else ())


def _output_leaves(graph: TraceGraph, result: Any) -> tuple[dict[str, Value], dict[int, Any]]:
    """Splits the leaves of a function's result: outputs of the graph by name, and all others by position."""
    outputs: dict[str, Value] = {}
    fixed: dict[int, Any] = {}
    for index, (_, leaf) in enumerate(flatten(result)):
        if hasattr(leaf, "__rlx_value__"):
            leaf = leaf.__rlx_value__(graph)
        elif isinstance(leaf, (np.ndarray, np.generic)) or is_weak(leaf):
            leaf = constant_node(graph, leaf)
        if isinstance(leaf, Value):
            outputs[f"out.{index}"] = into(graph, leaf)
        else:
            fixed[index] = leaf
    return outputs, fixed


# -- which trace a call belongs to: the one it is made in, else that of the Values it is given or closes over


def values_closed_over(function: Callable[..., Any]) -> Iterator[Value]:
    """Collects the Values in a function's closure, in containers there, and in the closures of functions there."""
    seen: set[int] = set()
    waiting: list[Any] = [function]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Value):
            yield item
        elif isinstance(item, FunctionType) and id(item) not in seen:
            seen.add(id(item))
            waiting += [cell.cell_contents for cell in item.__closure__ or () if not _is_empty(cell)]
        elif (children := children_of(item)) and id(item) not in seen:
            seen.add(id(item))
            waiting += children


def _is_empty(cell: Any) -> bool:
    """Whether the variable of a closure cell has no value yet."""
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return True
    return False


def is_traced(function: Callable[..., Any], arguments: Any) -> bool:
    """Whether a call belongs to a trace: it is made inside one, or an argument is a Value, or the function closes over one.

    Inside a trace a function may read its values in ways that nobody sees from outside, such as attributes and globals.
    """
    return (
        traced_graph() is not None
        or any(isinstance(leaf, Value) for leaf in leaves_of(arguments))
        or any(True for _ in values_closed_over(function))
    )


def graph_of(functions: Sequence[Callable[..., Any]], tree: Any) -> BaseGraph:
    """The body a call belongs to: the innermost open one of the graph of its Values, else of the trace it is made in, else of the
    graph that the functions close over."""
    values = [leaf for leaf in leaves_of(tree) if isinstance(leaf, Value)]
    around = None if values else traced_graph()
    if around is not None:
        return around
    return inside_body(find_graph(values or [value for each in functions for value in values_closed_over(each)]))
