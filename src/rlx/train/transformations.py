"""Optimizers and clipping as functions of trees: `init(params)`, `update(gradients, state, params)`, `apply_updates(params, updates)`.

Inside a traced function they emit nodes; on arrays each call is compiled once and is one native call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

from rlx.core.errors import RlxError
from rlx.functions.transforms import compiled_on_arrays
from rlx.ir.emit import constant, find_graph, inside_body
from rlx.ir.graph import Graph
from rlx.ir.value import Value, as_dtype
from rlx.module.graph import Builders
from rlx.trace.tree import leaves_of, map_leaves, rebuild
from rlx.trace.tree.functions import tree_structure

Tree: TypeAlias = Any  # nested containers of arrays or Values
Params = TypeVar("Params")


class Emitting(Builders):
    """Builder methods for a graph that has none itself, such as the body of a loop."""

    def __init__(self, graph: Graph) -> None:
        self._home = graph

    def _graph(self) -> Graph:
        return self._home

    def value(self, leaf: Any) -> Value:
        """Converts a leaf to a Value."""
        return leaf if isinstance(leaf, Value) else constant(self._home, leaf)

    def wide(self, leaf: Any) -> Value:
        """Converts a leaf to the dtype that updates are computed in: f32 for narrower floats."""
        value = self.value(leaf)
        return as_dtype(value, value.dtype.compute)

    def zeros(self, like: Value) -> Value:
        """Emits zeros like a value; not value·0, which would preserve a NaN."""
        return self.expand(self.constant(0.0, like.dtype), like.shape)


def emitting_for(*trees: Tree) -> Emitting:
    """Returns the builder for the nodes of a call on these trees."""
    return Emitting(inside_body(find_graph([leaf for tree in trees for leaf in leaves_of(tree)])))


class GradientTransformation:
    """Converts gradients to updates, with a state: the interface of optimizers, of clipping, and of chains of them.

    >>> import numpy as np, rlx
    >>> optimizer = rlx.train.SGD(lr=0.5)
    >>> params = {"w": np.float32([1, 2])}
    >>> state = optimizer.init(params)
    >>> updates, state = optimizer.update({"w": np.float32([1, -1])}, state, params)
    >>> rlx.train.apply_updates(params, updates)["w"]
    Array([0.5, 2.5], dtype=float32)
    """

    def init(self, params: Tree) -> Tree:
        """Returns the state before the first step."""
        return self._compiled_init(params)

    def update(self, gradients: Tree, state: Tree, params: Tree = None) -> tuple[Tree, Tree]:
        """Returns updates, to be added to the params, and the state after this step."""
        return self._compiled_update(gradients, state, params)

    def _init_values(self, params: Tree) -> Tree:
        """Computes `init` on Values."""
        raise NotImplementedError

    def _update_values(self, gradients: Tree, state: Tree, params: Tree) -> tuple[Tree, Tree]:
        """Computes `update` on Values."""
        raise NotImplementedError

    @cached_property
    def _compiled_init(self) -> Callable[..., Tree]:
        return compiled_on_arrays(self._init_values)

    @cached_property
    def _compiled_update(self) -> Callable[..., Tree]:
        return compiled_on_arrays(self._update_values)

    def __getstate__(self) -> dict[str, Any]:
        """Returns the settings for copies and pickles, nothing that was compiled."""
        settings: Any = self  # a dataclass
        return {field.name: getattr(settings, field.name) for field in fields(settings)}


# -- clipping -----------------------------------------------------------------------------------------------------
def norm_of(graph: Any, gradients: Sequence[Value]) -> Value:
    """Emits the norm of all gradients as one vector."""
    return graph.sqrt(sum(_squares(graph, gradient).sum() for gradient in gradients))


def _squares(graph: Any, x: Value) -> Value:
    """Emits |x|² of a gradient."""
    return graph.complex_norm_sq(x) if x.dtype.is_complex else x * x


def clip_factor(graph: Any, norm: Value, max_norm: float) -> Value:
    """Emits the factor that scales gradients to a norm of at most `max_norm`, as in torch."""
    return graph.min(max_norm / (norm + 1e-6), 1.0)


@dataclass(frozen=True)
class _ClipByGlobalNorm(GradientTransformation):
    max_norm: float

    def init(self, params: Tree) -> Tree:
        """Returns an empty state."""
        return ()

    def _update_values(self, gradients: Tree, state: Tree, params: Tree) -> tuple[Tree, Tree]:
        graph = emitting_for(gradients)
        values = [graph.value(leaf) for leaf in leaves_of(gradients)]
        wide = [graph.wide(value) for value in values]
        factor = clip_factor(graph, norm_of(graph, wide), self.max_norm)
        clipped = [as_dtype(one * factor, value.dtype) for one, value in zip(wide, values, strict=True)]
        return rebuild(gradients, list(clipped)), state


def clip_by_global_norm(max_norm: float) -> GradientTransformation:
    """Scales all gradients by one factor where their norm, taken as one vector, exceeds `max_norm`.

    >>> import numpy as np, rlx
    >>> clip = rlx.train.clip_by_global_norm(1.0)
    >>> clipped, _ = clip.update({"w": np.float32([3, 4])}, clip.init(None))
    >>> clipped["w"].round(3)
    Array([0.6, 0.8], dtype=float32)
    """
    bound: Any = max_norm
    if isinstance(bound, bool) or not isinstance(bound, (int, float)) or not bound > 0:
        raise RlxError("RLX105", f"max_norm is {max_norm!r:.60}", fix="a number above 0")
    return _ClipByGlobalNorm(float(max_norm))


@compiled_on_arrays
def _global_norm_values(tree: Tree) -> Value:
    graph = emitting_for(tree)
    return norm_of(graph, [graph.wide(leaf) for leaf in leaves_of(tree)])


def global_norm(tree: Tree) -> Tree:
    """Computes the norm of all leaves as one vector.

    >>> import numpy as np, rlx
    >>> float(rlx.train.global_norm({"w": np.float32([3]), "b": np.float32([4])}))
    5.0
    """
    return _global_norm_values(tree) if leaves_of(tree) else 0.0


# -- chains -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class _Chain(GradientTransformation):
    parts: tuple[GradientTransformation, ...]

    def init(self, params: Tree) -> Tree:
        """Returns the states of the chain's parts."""
        return tuple(part.init(params) for part in self.parts)

    def _update_values(self, gradients: Tree, state: Tree, params: Tree) -> tuple[Tree, Tree]:
        if type(state) is not tuple or len(state) != len(self.parts):
            message = f"the state is {tree_structure(state)}, for a chain of {len(self.parts)}"
            raise RlxError("RLX114", message, fix="the state of this chain's init or its last update")
        states = []
        for part, before in zip(self.parts, state, strict=True):
            gradients, after = part._update_values(gradients, before, params)
            states.append(after)
        return gradients, tuple(states)


def chain(*parts: GradientTransformation) -> GradientTransformation:
    """Chains transformations: each gets the updates of the one before it as gradients. The state is the tuple of their states.

    >>> import numpy as np, rlx
    >>> optimizer = rlx.train.chain(rlx.train.clip_by_global_norm(1.0), rlx.train.SGD(lr=1.0))
    >>> params = np.float32([0, 0])
    >>> updates, _ = optimizer.update(np.float32([3, 4]), optimizer.init(params), params)
    >>> updates.round(3)
    Array([-0.6, -0.8], dtype=float32)
    """
    for part in parts:
        if not isinstance(part, GradientTransformation):
            raise RlxError("RLX105", f"chain of {part!r:.60}", fix="optimizers, and clip_by_global_norm(…)")
    return _Chain(parts)


# -- params -------------------------------------------------------------------------------------------------------
@compiled_on_arrays
def _apply_values(params: Tree, updates: Tree) -> Tree:
    graph = emitting_for(params, updates)
    changes = iter(tree_structure(params).flatten_up_to(updates))

    def move(leaf: Any) -> Value:
        param = graph.value(leaf)
        return as_dtype(graph.wide(param) + graph.wide(next(changes)), param.dtype)

    return map_leaves(move, params)


def apply_updates(params: Params, updates: Tree) -> Params:
    """Adds updates to params, in the dtypes of the params.

    >>> import numpy as np, rlx
    >>> rlx.train.apply_updates({"w": np.float32([1])}, {"w": np.float32([2])})
    {'w': Array([3.], dtype=float32)}
    """
    return _apply_values(params, updates)
