"""Random graphs from a seed: any op on values of any shape, dtype and history, kept where its numbers mean something."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlx.core.dim import Dim, evaluate
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.evaluate import evaluate_op
from rlx.ir.graph import Node, Ref
from rlx.ir.tolerance import Sample
from rlx.ir.value import Value
from rlx.module import Graph
from tests.conformance.checking import widest
from tests.fuzz.exactness import Grid, grid_of_array, grid_of_node
from tests.fuzz.made import Leaf, Made

MOST_ELEMENTS = 3000
LARGEST = {"f16": 500.0}  # numbers stay far from where their dtype ends
FLOATS = ("f32", "f64", "f16", "bf16")
INTS = ("i32", "i64", "u8", "i8")


class Maker:
    """Builds one graph, evaluating it in f64 as it grows so that each op gets operands it has a meaning for."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.graph = Graph(f"fuzz{seed}")
        self.seed = seed
        self.leaves: dict[str, Leaf] = {}
        self.done: dict[Ref, Any] = {}
        self.grids: dict[Ref, Grid | None] = {}
        self.refs: list[Ref] = []
        self.synced = 0
        self.bindings: list[dict[str, int]] = [{}, {}]
        sizes: list[Any] = [int(self.random.choice([1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33], p=_NORMALIZED)) for _ in range(4)]
        if self.chance(0.12):
            sizes[0] = 0
        for name in ("n", "m")[: int(self.random.choice([0, 1, 2], p=[0.45, 0.4, 0.15]))]:
            first, second = (int(size) for size in self.random.integers(1, 20, 2))
            sizes[1 if name == "n" else 2] = Dim(name, 1, max(first, second, 2))
            self.bindings[0][name], self.bindings[1][name] = first, second
            self.leaf((Dim(name, 1, max(first, second, 2)),), "f32")
        self.sizes = sizes

    # -- chance -------------------------------------------------------------------------------------------------
    def chance(self, p: float) -> bool:
        return bool(self.random.random() < p)

    def choose(self, items: Sequence[Any]) -> Any:
        return items[int(self.random.integers(len(items)))]

    # -- leaves -------------------------------------------------------------------------------------------------
    def dims(self, rank: int | None = None, least: int = 0) -> tuple[Any, ...]:
        rank = int(self.random.choice([0, 1, 2, 3, 4], p=[0.04, 0.2, 0.4, 0.28, 0.08])) if rank is None else rank
        while True:
            found = tuple(1 if self.chance(0.1) else self.choose(self.sizes) for _ in range(max(rank, least)))
            if self.elements(found) <= MOST_ELEMENTS:
                return found

    def elements(self, dims: Sequence[Any]) -> int:
        return max(int(np.prod([evaluate(size, sizes) for size in dims], dtype=np.int64)) for sizes in self.bindings)

    def dtype(self) -> str:
        return str(
            self.random.choice(
                ["f32", "f64", "f16", "bf16", "i32", "i64", "u8", "bool"], p=[0.62, 0.05, 0.07, 0.07, 0.08, 0.03, 0.04, 0.04]
            )
        )

    def leaf(
        self, dims: Sequence[Any], dtype: str = "f32", style: str = "", high: int = 3, kind: str = "", recipe: Sample | None = None
    ) -> Value:
        static = not any(isinstance(size, Dim) for size in dims)
        kinds = ["input", "input", "param", "constant", "state"] if static else ["input"]
        kind = kind or self.choose(kinds)
        if kind == "constant" and self.elements(dims) > 64:
            kind = "param"
        style = style or ("grid" if self.chance(0.6) else "real")
        name = f"{kind[0]}{len(self.leaves)}"
        leaf = Leaf(name, kind, Shape(dims, dtype), style, high, recipe)
        self.leaves[name] = leaf
        number = len(self.leaves) - 1
        if kind == "constant":
            content = leaf.array(np.random.default_rng([self.seed, number, 1]), {})
            value = self.graph.constant(content)
            del self.leaves[name]
            self.leaves[f"{name}!"] = Leaf(f"{name}!", "gone", Shape((0,), "u8"), "grid")  # keeps the numbers of later leaves
        elif kind == "input":
            value = self.graph.input(name, leaf.shape)
        elif kind == "param":
            value = self.graph.param(name, leaf.shape)
        else:
            value = self.graph.state(name, leaf.shape, init=1 if not DType.of(dtype).is_bool else 0)
        self.sync()
        return value

    def drawn(self, sample: Sample, dtype: str) -> Value:
        """A leaf whose contents are drawn as a case says."""
        top = int(max(abs(sample.low), abs(sample.high)))
        return self.leaf(sample.dims, dtype, "real", top, kind=self.choose(["input", "input", "param"]), recipe=sample)

    # -- bookkeeping --------------------------------------------------------------------------------------------
    def sync(self) -> None:
        """Evaluate the nodes that came, in f64 at the first binding, and follow which are exact."""
        for node in self.graph.nodes[self.synced :]:
            operands = [None if ref is None else self.done[ref] for ref in node.inputs]
            if node.op.name == "constant":
                results: tuple[Any, ...] = (node.op["value"].array,)
                grids: list[Grid | None] = [grid_of_array(results[0])]
            elif node.op.definition.leaf:
                leaf = self.leaves[node.op["name"]]
                number = list(self.leaves).index(leaf.name)
                fixed = leaf.kind in ("param", "state")
                results = (leaf.array(np.random.default_rng([self.seed, number, 0 if fixed else 1]), self.bindings[0]),)
                limit = (
                    Grid(2.0, 0.25) if leaf.style == "grid" and leaf.kind != "state" else None
                )  # a state holds anything after a run
                grids = [Grid(float(leaf.high), 1.0) if not leaf.shape.dtype.is_float else limit]
            else:
                op = node.op.bind(self.bindings[0])
                shapes = [shape.bind(self.bindings[0]) for shape in node.results]
                results = evaluate_op(op, operands, shapes, wide=True)
                types = [self.graph.shape(ref).dtype for ref in node.refs]
                computed = (
                    node.results[0].dtype.compute
                    if node.results[0].dtype.is_float
                    else (types[0].compute if types else node.results[0].dtype)
                )
                values = [
                    self.grids[r]
                    for i, r in enumerate(node.inputs)
                    if r is not None and node.op.definition.operand(i).role != "index"
                ]
                grids = grid_of_node(node, values, results, self.summed(node), computed)
            for ref, array, grid in zip(node.outputs, results, grids, strict=True):
                self.done[ref], self.grids[ref] = array, grid
                if node.op.name != "constant" and array.size <= MOST_ELEMENTS:
                    self.refs.append(ref)
        self.synced = len(self.graph.nodes)

    def summed(self, node: Node) -> int:
        """How many terms a sum has, the most over the bindings."""
        if not node.refs:
            return 1
        dims = self.graph.shape(node.refs[0]).dims
        if "axes" in node.op.attrs and node.op.name.startswith("reduce"):
            return self.elements([dims[a] for a in node.op["axes"]])
        if "axis" in node.op.attrs and node.op.name == "cumsum":
            return self.elements([dims[node.op["axis"]]])
        if node.op.name == "dot_general":
            return self.elements([dims[a] for a in node.op["lhs_contract"]])
        return self.elements(dims[-1:])

    def is_exact(self, value: Value) -> bool:
        self.sync()
        return self.grids[value.ref] is not None

    def top(self, value: Value) -> float:
        self.sync()
        array = self.done[value.ref]
        return float(np.abs(array.astype(np.float64)).max(initial=0.0))

    def varies(self, value: Value) -> bool:
        """Not the same number along some axis: the norm of equal numbers is 0, and its bound, relative to the result, is too."""
        array = widest(self.done[value.ref])
        return array.size > 0 and all(
            float(np.ptp(array, axis).max()) > 1e-2 for axis in range(array.ndim) if array.shape[axis] > 1
        )

    def outside(self, value: Value, low: float, high: float) -> bool:
        """Some number is out of the range, at the first binding."""
        self.sync()
        array = widest(self.done[value.ref])
        return bool(array.size) and not (low <= float(array.min()) and float(array.max()) <= high)

    def full(self, value: Value) -> bool:
        """It has elements at every binding."""
        return all(evaluate(size, sizes) > 0 for size in value.shape for sizes in self.bindings)

    # -- operands -----------------------------------------------------------------------------------------------
    def pick(self, test: Callable[[Value], bool] = lambda v: True) -> Value | None:
        """A value that passes, the younger the likelier."""
        fitting = [ref for ref in self.refs if test(Value(self.graph, ref))]
        if not fitting:
            return None
        place = len(fitting) - 1 - min(int(self.random.exponential(4.0)), len(fitting) - 1)
        return Value(self.graph, fitting[place])

    def find(self, test: Callable[[Value], bool], dims: Sequence[Any], dtype: str = "f32", style: str = "") -> Value:
        """A value that passes, or a leaf."""
        found = self.pick(test)
        return self.leaf(dims, dtype, style) if found is None else found

    def numbers(self, kinds: Sequence[str] = FLOATS, rank: int = 0, exact: bool = False, most: int | None = None) -> Value:
        """A value of one of the dtypes with at least this rank: found, or made."""
        if not self.chance(0.1):
            found = self.pick(
                lambda v: (
                    v.dtype.name in kinds
                    and v.rank >= rank
                    and (most is None or v.rank <= most)
                    and (not exact or self.is_exact(v))
                )
            )
            if found is not None:
                return found
        dtype = "f32" if "f32" in kinds and self.chance(0.8) else self.choose(list(kinds))
        size = None if most is None else int(self.random.integers(rank, most + 1))
        return self.leaf(self.dims(size, rank), dtype, "grid" if exact else "")

    def partner(self, x: Value, kinds: Sequence[str], exact: bool = False) -> Value:
        """A value that broadcasts with x: found, or made with some axes 1 or left out."""

        def fits(v: Value) -> bool:
            pairs = list(zip(reversed(v.shape), reversed(x.shape), strict=False))
            ones = all(_is(a, 1) or _is(b, 1) or a == b for a, b in pairs)
            longest = max(v.rank, x.rank)
            out = [
                (
                    v.shape[a]
                    if -a <= v.rank and not (-a <= x.rank and _is(v.shape[a], 1))
                    else x.shape[a]
                    if -a <= x.rank
                    else v.shape[a]
                )
                for a in range(-longest, 0)
            ]
            return ones and v.dtype.name in kinds and (not exact or self.is_exact(v)) and self.elements(out) <= MOST_ELEMENTS

        found = self.pick(fits) if self.chance(0.7) else None
        if found is not None:
            return found
        keep = x.shape[int(self.random.integers(0, x.rank + 1)) :] if self.chance(0.4) else x.shape
        dims = tuple(1 if self.chance(0.25) else size for size in keep)
        return self.leaf(
            dims, x.dtype.name if x.dtype.name in kinds and self.chance(0.8) else self.choose(list(kinds)), "grid" if exact else ""
        )

    def tame(self, value: Value, limit: float = 8.0) -> Value:
        """The value, clamped or squashed when it is large; exactness is kept by clamping."""
        limit = min(limit, LARGEST.get(value.dtype.name, limit))
        if self.top(value) <= limit:
            return value
        made = (
            self.graph.clamp(value, -int(limit), int(limit))
            if self.chance(0.7) or not value.dtype.is_float
            else self.graph.tanh(value)
        )
        self.sync()
        return made

    def positive(self, value: Value, least: float = 0.5) -> Value:
        """|value| + 1/2, at most 8.5."""
        made = self.graph.abs(self.tame(value, 8.0)) + least
        self.sync()
        return made

    def axis(self, value: Value, static: bool = False) -> int:
        axes = [a for a in range(value.rank) if not static or isinstance(value.shape[a], int)]
        chosen = self.choose(axes)
        return int(chosen - value.rank if self.chance(0.5) else chosen)

    def axes(self, value: Value) -> tuple[int, ...]:
        count = int(self.random.integers(1, value.rank + 1))
        return tuple(int(a) for a in self.random.permutation(value.rank)[:count])


_WEIGHTS = np.array([2, 2, 3, 3, 3, 3, 2, 2, 1, 2, 1], float)
_NORMALIZED = _WEIGHTS / _WEIGHTS.sum()


def _is(size: Any, number: int) -> bool:
    return isinstance(size, int) and size == number


def generate(seed: int, focus: Sequence[str] = (), ops: tuple[int, int] = (5, 9)) -> Made:
    """A graph of so many ops and what they need (tables, clamps, casts); the ops in focus are among them."""
    from tests.fuzz.emitters import EMITTERS, KINDS, SHARES

    maker = Maker(seed)
    plan = list(focus)
    for _ in range(int(maker.random.integers(*ops)) - len(plan)):
        plan.insert(
            int(maker.random.integers(0, len(plan) + 1)), maker.choose(KINDS[int(maker.random.choice(len(KINDS), p=SHARES))])
        )
    notes = []
    for name in plan:
        for attempt in range(4):
            try:
                EMITTERS[name](maker)
                maker.sync()
                break
            except RlxError as error:
                maker.sync()
                if attempt == 3:
                    notes.append(f"{name}: {error.code} {str(error).splitlines()[0]}")
    return finish(maker, notes)


def finish(maker: Maker, notes: list[str]) -> Made:
    """Outputs: what nobody reads, some of what somebody reads; updates of the states."""
    graph = maker.graph
    read = {ref for node in graph.nodes for ref in node.refs}
    made = [ref for node in graph.nodes if not node.op.definition.leaf for ref in node.outputs]
    every = maker.chance(0.15)
    exported = [ref for ref in made if ref not in read or every or maker.chance(0.2)]
    for name, node in list(graph.states.items()):
        found = maker.pick(lambda v, node=node: v.type == node.shape and v.ref != node.ref)
        if maker.chance(0.75):
            graph.update(
                name,
                found
                if found is not None
                else maker.graph.flip(Value(graph, node.ref), 0)
                if node.shape.rank
                else Value(graph, node.ref),
            )
    maker.sync()
    if maker.chance(0.2) and graph.inputs:
        exported.append(next(iter(graph.inputs.values())).ref)
    graph.set_output_refs({f"y{i}": ref for i, ref in enumerate(exported)})
    exact = {ref for ref, grid in maker.grids.items() if grid is not None}
    return Made(graph, maker.leaves, maker.bindings, exact, exported, maker.seed, notes)
