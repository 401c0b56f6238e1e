"""`vjp` and `linearize` on arrays: the function runs once, its residuals are kept, and the linear half runs for each call after that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.aligned import as_array
from rlx.core.dim import Dim, evaluate
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.emit import constant
from rlx.ir.traced_bodies import outer_values
from rlx.ir.value import Value, as_dtype
from rlx.runtime.array import as_arrays
from rlx.runtime.compile import compile_module
from rlx.runtime.executable import Executable
from rlx.runtime.jit import Jitted
from rlx.runtime.jit_version import Version
from rlx.runtime.session import Session
from rlx.trace.tracer import TracedFunction
from rlx.trace.tree import Template, TreeDef, leaves_of, structure, with_fixed
from rlx.transforms.partial_evaluation import Halves, split
from rlx.transforms.reference_derivatives import TakesReferences
from rlx.transforms.split_control_flow import part
from rlx.transforms.traced_derivatives import check_containers

Array = npt.NDArray[Any]


class Halved(Jitted[..., Any]):
    """A function that gives (value, linear results, names of unknown inputs), compiled as two halves.

    A call runs the first half, and gives the value and what a LinearHalf is made of, which runs the second.
    """

    def _version(self, traced: TracedFunction, names: Mapping[str, str]) -> Version:
        value = len(leaves_of(traced.out_tree[0]))
        linear = [name for name in traced.outputs if int(name.removeprefix("out.")) >= value]
        graph = traced.graph
        unknown = [name for name in graph.inputs if name not in traced.inputs.values()]
        halves = split(graph, unknown, linear, graph.handles)
        session = Session(self._device)
        executable = compile_module(halves.known, session=session, **self._options)
        for name, array in graph.lifted.items():
            executable.set_param(name, array)
        whole = graph.whole_numbers
        return _Halves(traced, executable, whole if whole.is_checked else None, names, halves=halves)


@dataclass(kw_only=True)
class _Halves(Version):
    """One version: the executable of the known half, and from the first call on that of the linear half."""

    halves: Halves
    positional = None  # each call needs its arrays by path

    def run(self, arrays: Mapping[str, Any]) -> Any:
        """The value for arrays by path; version, residuals and sizes of the linear half there."""
        found = self.results(arrays)
        leaves = {name: self._leaf(source, arrays) for name, source in self.halves.leaves.items()}
        residuals = {name: found.pop(name) for name in list(found) if name.startswith("residual.")}
        sizes = {name: arrays[path].shape[axis] for name, (path, axis) in self._symbols.items()}
        return self.rebuilt(0, [as_arrays(array) for array in found.values()]), (self, {**leaves, **residuals}, sizes)

    def _leaf(self, source: str, arrays: Mapping[str, Any]) -> Array:
        """An argument, or the array of a handle, as it is now and stays."""
        path = self.paths.get(source)
        return self.traced.graph.handles[source].value if path is None else _unchanging(arrays[path])

    @cached_property
    def paths(self) -> dict[str, str]:
        """Where each input is among the arguments."""
        return {name: path for path, name in self.traced.inputs.items()}

    @cached_property
    def _symbols(self) -> dict[str, tuple[str, int]]:
        """Each symbol with an argument that tells it: path and axis."""
        return {
            size.symbol.name: (self.paths[name], axis)
            for name, node in self.halves.known.inputs.items()
            for axis, size in enumerate(node.shape.dims)
            if isinstance(size, Dim) and size.symbol is not None
        }

    @cached_property
    def linear(self) -> Executable:
        """The linear half, with the params of the known one."""
        return compile_module(self.halves.linear, session=self.executable.session)

    @cached_property
    def unknown(self) -> list[tuple[int, str, Shape]]:
        """The unknown inputs: the place of each among the leaves a call is given, its name and its type."""
        inputs = self.halves.linear.inputs
        _, names = self.traced.out_tree[2]
        return [(place, name, inputs[name].shape) for place, name in enumerate(names) if name]

    @property
    def structure(self) -> TreeDef:
        """The containers of what a call is given."""
        found: TreeDef = self.traced.out_tree[2][0]
        return found

    def rebuilt(self, half: int, results: list[Any]) -> Any:
        """The value (0) or the linear results (1) in their containers."""
        return self._templates[half].filled(with_fixed(results, self._fixed[half]))

    @cached_property
    def _templates(self) -> list[Template]:
        """The containers of each of the two."""
        return [Template(tree) for tree in self.traced.out_tree[:2]]

    @cached_property
    def _fixed(self) -> list[dict[int, Any]]:
        """For each of the two, the leaves that are no arrays."""
        first, found = 0, []
        for tree in self.traced.out_tree[:2]:
            places = range(first, first + len(leaves_of(tree)))
            found.append({place - first: self.traced.fixed[place] for place in places if place in self.traced.fixed})
            first = places.stop
        return found


def _unchanging(array: Array) -> Array:
    """The array itself where nobody can write to it, else a copy: the linear part is that at the values of the call."""
    view: Any = array
    while isinstance(view, np.ndarray):
        if view.flags.writeable:
            return array.copy()
        view = view.base
    return array


class LinearHalf:
    """The linear half of a function at one point: `residuals` is all that it keeps of it, and a call runs nothing else."""

    def __init__(self, version: _Halves, residuals: Mapping[str, Any], sizes: Mapping[str, int]) -> None:
        self._version, self._sizes = version, sizes
        self._kept = {name: np.asarray(array) for name, array in residuals.items()}

    @property
    def residuals(self) -> tuple[Array, ...]:
        """The arrays that are kept."""
        return tuple(self._kept.values())

    def _apply(self, tree: Any, what: str) -> Any:
        """The linear results for cotangents or tangents in their containers."""
        version = self._version
        check_containers(structure(tree), version.structure, what)
        leaves = leaves_of(tree)
        given = {name: leaves[place] for place, name, _ in version.unknown}
        if any(isinstance(leaf, Value) for leaf in given.values()):
            return self._on_values(given, what)
        inputs = {**self._kept, **{name: np.empty((self._sizes[name], 0), bool) for name in version.halves.sizes}}
        for _, name, shape in version.unknown:
            array = as_array(given[name], f"one of {what}", "RLX110")
            self._check(array.shape, array.dtype, shape, what)
            inputs[name] = array.astype(shape.dtype.numpy, copy=False)
        found = version.rebuilt(1, list(version.linear.run(inputs).values()))
        return as_arrays(found)

    def _on_values(self, given: Mapping[str, Any], what: str) -> Any:
        """Inside a trace: the linear half emitted there, its residuals as constants."""
        version = self._version
        graph = version.halves.linear.bind(self._sizes)
        outer, values = outer_values(list(given.values()), None)
        arrays = {**self._kept, **{name: version.linear.param(name) for name in graph.params}}
        nodes = {**graph.inputs, **graph.params}
        leaves = {nodes[name].ref: constant(outer, array) for name, array in arrays.items()}
        for value, (_, name, shape) in zip(values, version.unknown, strict=True):
            self._check(value.shape, value.dtype, shape, what)
            leaves[nodes[name].ref] = as_dtype(value, shape.dtype)
        return version.rebuilt(1, part(graph, leaves, list(graph.output_refs.values()), values[0]))

    def _check(self, dims: Sequence[Any], dtype: object, shape: Shape, what: str) -> None:
        wanted = tuple(evaluate(size, self._sizes) for size in shape.dims)
        if tuple(dims) != wanted:
            message = f"one of {what} is {dtype}{list(dims)} for a value of {shape.dtype}{list(wanted)}"
            raise RlxError("RLX102", message, fix="the same shape")


class Pullback(LinearHalf, TakesReferences):
    """Cotangents of a function's value to gradients of its arguments, at the point `vjp` was called with."""

    def __call__(self, cotangents: Any) -> tuple[Any, ...]:
        """One gradient for each argument."""
        found: tuple[Any, ...] = self._apply(cotangents, "the cotangents")
        return found


class Pushforward(LinearHalf):
    """Tangents of a function's arguments to the tangent of its value, at the point `linearize` was called with."""

    def __call__(self, *tangents: Any) -> Any:
        """The tangent of the value."""
        return self._apply(tangents, "the tangents")
