"""Optimizers: formulas on Values, as torch defines them.

In a compiled training step each keeps its moments as states of the session; on trees, in the state that `init` and `update` return.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from rlx.core.dtype import i32
from rlx.core.errors import RlxError
from rlx.ir.value import as_dtype
from rlx.trace.tree import leaves_of, map_leaves, rebuild
from rlx.trace.tree.containers import keystr
from rlx.trace.tree.functions import tree_broadcast, tree_leaves_with_path, tree_structure
from rlx.train.transformations import GradientTransformation, emitting_for
from rlx.transforms.rules.formulas import conj

# -- learning rates as formulas of the step, computed in the graph: a changing learning rate never recompiles --------


if TYPE_CHECKING:
    from rlx.ir.value import Value
    from rlx.module.graph import Graph


@dataclass(frozen=True)
class Schedule:
    """Learning rate: linear warm-up to `peak` over `warmup` steps, then down to `floor`: linearly, as half a cosine, or not.

    >>> [Schedule(1.0, warmup=4).at(step) for step in (0, 1, 3, 100)]
    [0.25, 0.5, 1.0, 1.0]
    """

    peak: float
    warmup: int = 0
    steps: int = 0
    floor: float = 0.0
    shape: str = "constant"  # "constant", "linear", "cosine"

    def __post_init__(self) -> None:
        if self.shape != "constant" and self.steps <= self.warmup:
            message = f"{self.shape} schedule of {self.steps} steps, {self.warmup} of them warm-up"
            raise RlxError("RLX105", message, fix="steps must be more than warmup")

    def rate(self, graph: Graph, step: Value) -> Value:
        """Returns the learning rate of a step, an f32 Value that counts from 0."""
        rising = graph.min((step + 1.0) / float(max(self.warmup, 1)), 1.0) if self.warmup else 1.0
        if self.shape == "constant":
            return graph.constant(self.peak) * rising
        part = graph.clamp((step - float(self.warmup)) / float(self.steps - self.warmup), 0.0, 1.0)
        down = 1.0 - part if self.shape == "linear" else (graph.cos(part * math.pi) + 1.0) * 0.5
        return (self.floor + (self.peak - self.floor) * down) * rising

    def at(self, step: int) -> float:
        """Computes the learning rate of a step in Python, for logs and plots."""
        rising = min((step + 1) / self.warmup, 1.0) if self.warmup else 1.0
        if self.shape == "constant":
            return self.peak * rising
        part = min(max((step - self.warmup) / (self.steps - self.warmup), 0.0), 1.0)
        down = 1 - part if self.shape == "linear" else (math.cos(part * math.pi) + 1) / 2
        return (self.floor + (self.peak - self.floor) * down) * rising


def constant(peak: float, warmup: int = 0) -> Schedule:
    """Builds a schedule with the same learning rate throughout, after warm-up.

    >>> [constant(0.5, warmup=2).at(step) for step in (0, 1, 2)]
    [0.25, 0.5, 0.5]
    """
    return Schedule(peak, warmup)


def linear(peak: float, steps: int, warmup: int = 0, floor: float = 0.0) -> Schedule:
    """Builds a schedule that falls linearly to `floor` at `steps`.

    >>> [linear(1.0, 100).at(step) for step in (0, 50, 100)]
    [1.0, 0.5, 0.0]
    """
    return Schedule(peak, warmup, steps, floor, "linear")


def cosine(peak: float, steps: int, warmup: int = 0, floor: float = 0.0) -> Schedule:
    """Builds a schedule that falls as half a cosine to `floor` at `steps`.

    >>> [round(cosine(1.0, 100, warmup=10).at(step), 3) for step in (0, 9, 55, 100)]
    [0.1, 1.0, 0.5, 0.0]
    """
    return Schedule(peak, warmup, steps, floor, "cosine")


Mask = Callable[[str, tuple[int, ...]], bool]


def matrices(name: str, dims: tuple[int, ...]) -> bool:
    """Selects matrices, not gains and biases: the usual mask of weight decay."""
    return len(dims) >= 2


class Slots(Protocol):
    """Values that an optimizer stores for one param, such as moments."""

    def get(self, slot: str) -> Value:
        """Returns a slot's value before the step, initially 0."""

    def set(self, slot: str, value: Value) -> None:
        """Sets a slot's value after the step."""


class OptimizerState(NamedTuple):
    """The state of an optimizer on trees: how many steps were made, and a tree like the params for each slot.

    >>> import numpy as np, rlx
    >>> rlx.train.SGD(momentum=0.9).init({"w": np.ones(2, np.float32)})
    OptimizerState(count=Array(0, dtype=int32), slots={'velocity': {'w': Array([0., 0.], dtype=float32)}})
    """

    count: Any
    slots: dict[str, Any]


class _TreeSlots:
    """The optimizer slots of one leaf of a params tree: Values before the step, and after it."""

    def __init__(self, before: dict[str, Value]) -> None:
        self._before = before
        self.after = dict(before)

    def get(self, slot: str) -> Value:
        return self._before[slot]

    def set(self, slot: str, value: Value) -> None:
        """Sets a slot's value after the step."""
        self.after[slot] = value


def _check_number(name: str, value: object, below: float = math.inf) -> None:
    """Checks a setting of an optimizer: a finite number, 0 or more; a schedule checks itself."""
    if isinstance(value, Schedule) and name == "lr":
        return
    number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not number or not 0 <= float(value) < below:  # type: ignore[arg-type]
        takes = "0 or more" if below == math.inf else f"from 0 to below {below:g}"
        raise RlxError("RLX105", f"{name} is {value!r:.60}", fix=f"a number, {takes}" + (", or a schedule" if name == "lr" else ""))


@dataclass(frozen=True)
class Optimizer(GradientTransformation):
    """The base of all optimizers: a learning rate, which can be a schedule, and weight decay for the params a mask selects.

    The mask is a function of a param's name (in a tree, its path: `layers.0.w`) and dims; for trees it can be a tree of bools too.
    The gradient of a complex param is what `rlx.grad` gives: `update` conjugates it. Its real and imaginary parts are stepped apart, as in
    torch.

    >>> SGD(lr=0.1).schedule.at(5), AdamW().name, AdamW().weight_decay
    (0.1, 'adamw', 0.01)
    """

    lr: float | Schedule = 1e-3
    weight_decay: float = 0.0
    decays: Mask | Any = matrices

    def __post_init__(self) -> None:
        for name in ("lr", "weight_decay", "momentum", "eps"):
            _check_number(name, getattr(self, name, 0.0))
        betas = getattr(self, "betas", (0.0, 0.0))
        if not isinstance(betas, (tuple, list)) or len(betas) != 2:
            raise RlxError("RLX105", f"betas are {betas!r:.60}", fix="two numbers from 0 to below 1")
        for beta in betas:
            _check_number("a beta", beta, below=1.0)

    @property
    def name(self) -> str:
        """The optimizer's name, used in the names of states."""
        return type(self).__name__.lower()

    @property
    def schedule(self) -> Schedule:
        """The learning rate as a schedule."""
        return self.lr if isinstance(self.lr, Schedule) else Schedule(self.lr)

    @property
    def slots(self) -> tuple[str, ...]:
        """The names of the slots that the optimizer stores for each param."""
        return ()

    def shrink(self, rate: Value, decay: float) -> Value | None:
        """Returns the fraction of a param that decoupled weight decay subtracts in a step; None if nothing."""
        return None

    def amount(self, graph: Graph, param: Value, gradient: Value, rate: Value, count: Value, decay: float, slots: Slots) -> Value:
        """Computes what a step subtracts from the (shrunk) param: the optimizer's formula."""
        raise NotImplementedError

    def step(self, graph: Graph, param: Value, gradient: Value, rate: Value, count: Value, decay: float, slots: Slots) -> Value:
        """Returns the param after a step. `count` is the step's number, from 1; `decay` is 0 if the mask excludes the param."""
        shrink = self.shrink(rate, decay)
        shrunk = param if shrink is None else param * (1.0 - shrink)
        return shrunk - self._amount(graph, param, gradient, rate, count, decay, slots)

    def _amount(self, graph: Graph, param: Value, gradient: Value, rate: Value, count: Value, decay: float, slots: Slots) -> Value:
        """Computes `amount`; for a complex param its two parts apart, as in torch. The gradient is dL/dRe + i·dL/dIm."""
        if not param.dtype.is_complex:
            return self.amount(graph, param, gradient, rate, count, decay, slots)
        gradient = as_dtype(gradient, param.dtype)
        sides = (graph.real, graph.imag)
        apart = [_TreeSlots({slot: side(slots.get(slot)) for slot in self.slots}) for side in sides]
        amounts = [
            self.amount(graph, side(param), side(gradient), rate, count, decay, part)
            for side, part in zip(sides, apart, strict=True)
        ]
        for slot in self.slots:
            slots.set(slot, graph.complex(*(part.after[slot] for part in apart)))
        return graph.complex(*amounts)

    def decay_of(self, name: str, dims: tuple[int, ...]) -> float:
        """Returns the weight decay of a param: 0 if the mask excludes it."""
        if not callable(self.decays):
            message = f"decays is {self.decays!r:.60}"
            raise RlxError("RLX105", message, fix="a function of name and dims; a tree of bools is for update(…) on trees")
        return self.weight_decay if self.decays(name, dims) else 0.0

    # -- on trees -----------------------------------------------------------------------------------------------
    def _init_values(self, params: Any) -> OptimizerState:
        graph = emitting_for(params)
        slots = {slot: map_leaves(lambda leaf: graph.zeros(graph.value(leaf)), params) for slot in self.slots}
        return OptimizerState(graph.constant(0, i32), slots)

    def _update_values(self, gradients: Any, state: Any, params: Any) -> tuple[Any, Any]:
        """Updates a tree of Values, in f32 for narrower params; returns updates and slots in the dtypes of the params."""
        self._check_state(state)
        structure = tree_structure(gradients)
        graph: Any = emitting_for(gradients, state, params)
        count = graph.value(state.count)
        done = graph.cast(count, "f32")
        rate = self.schedule.rate(graph, done)
        params_given = leaves_of(gradients) if params is None else structure.flatten_up_to(params)
        before = {slot: structure.flatten_up_to(state.slots[slot]) for slot in self.slots}
        decays = self._tree_decays(gradients, params)
        updates: list[Value] = []
        after: dict[str, list[Value]] = {slot: [] for slot in self.slots}
        for index, leaf in enumerate(leaves_of(gradients)):
            param, gradient = graph.value(params_given[index]), conj(graph.wide(leaf))  # those of functions are JAX's
            slots = _TreeSlots({slot: graph.wide(before[slot][index]) for slot in self.slots})
            wide, decay = graph.wide(param), decays[index]
            change = -self._amount(graph, wide, gradient, rate, done + 1.0, decay, slots)
            shrink = self.shrink(rate, decay)
            updates.append(as_dtype(change if shrink is None else change - shrink * wide, param.dtype))
            for slot in self.slots:
                after[slot].append(as_dtype(slots.after[slot], graph.value(before[slot][index]).dtype))
        slots_after = {slot: rebuild(gradients, values) for slot, values in after.items()}
        return rebuild(gradients, updates), OptimizerState(count + 1, slots_after)

    def _check_state(self, state: Any) -> None:
        if not isinstance(state, OptimizerState) or set(state.slots) != set(self.slots):
            expected = f"OptimizerState with the slots {list(self.slots)}"
            message = f"the state of {self.name} is {tree_structure(state)}, expected an {expected}"
            raise RlxError("RLX114", message, fix="the state of this optimizer's init or its last update")

    def _tree_decays(self, gradients: Any, params: Any) -> list[float]:
        """Returns the weight decay of each leaf of a params tree."""
        leaves = tree_leaves_with_path(gradients)
        if not self.weight_decay:
            return [0.0] * len(leaves)
        if params is None:
            raise RlxError("RLX105", f"{self.name} with weight decay needs the params", fix="update(gradients, state, params)")
        if callable(self.decays):
            return [self.decay_of(keystr(path, simple=True, separator="."), leaf.shape) for path, leaf in leaves]
        return [self.weight_decay if chosen else 0.0 for chosen in leaves_of(tree_broadcast(self.decays, gradients))]


@dataclass(frozen=True)
class SGD(Optimizer):
    """Gradient descent with optional (Nesterov) momentum; decay is added to the gradient.

    >>> SGD(lr=0.1, momentum=0.9, nesterov=True).momentum
    0.9
    """

    momentum: float = 0.0
    nesterov: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.nesterov and not self.momentum:
            raise RlxError("RLX105", "nesterov without momentum", fix="a momentum above 0, such as 0.9")

    @property
    def slots(self) -> tuple[str, ...]:
        """The momentum's velocity, if there is momentum."""
        return ("velocity",) if self.momentum else ()

    def amount(self, graph: Graph, param: Value, gradient: Value, rate: Value, count: Value, decay: float, slots: Slots) -> Value:
        """Computes lr·velocity."""
        if decay:
            gradient = gradient + decay * param
        if self.momentum:
            velocity = self.momentum * slots.get("velocity") + gradient
            slots.set("velocity", velocity)
            gradient = gradient + self.momentum * velocity if self.nesterov else velocity
        return rate * gradient


@dataclass(frozen=True)
class Adam(Optimizer):
    """Adam (Kingma & Ba 2015); decay is added to the gradient.

    >>> Adam(lr=3e-4).betas
    (0.9, 0.999)
    """

    betas: tuple[float, float] = (0.9, 0.999)
    eps: float = 1e-8

    @property
    def slots(self) -> tuple[str, ...]:
        """The moving averages of the gradient and of its square."""
        return ("m", "v")

    def amount(self, graph: Graph, param: Value, gradient: Value, rate: Value, count: Value, decay: float, slots: Slots) -> Value:
        """Computes lr·m̂/(√v̂ + ε)."""
        return self._correct(graph, gradient + decay * param if decay else gradient, rate, count, slots)

    def _correct(self, graph: Graph, gradient: Value, rate: Value, count: Value, slots: Slots) -> Value:
        first, second = self.betas
        m = first * slots.get("m") + (1 - first) * gradient
        v = second * slots.get("v") + (1 - second) * (gradient * gradient)
        slots.set("m", m)
        slots.set("v", v)
        root = graph.sqrt(v) / graph.sqrt(_seen(graph, second, count)) if second else graph.sqrt(v)
        return rate / _seen(graph, first, count) * (m / (root + self.eps))


def _seen(graph: Graph, beta: float, count: Value) -> Value | float:
    """Computes 1 − βᵗ: the bias correction of a moving average after t steps."""
    return -graph.expm1(count * math.log(beta)) if beta else 1.0


@dataclass(frozen=True)
class AdamW(Adam):
    """Adam with decoupled weight decay (Loshchilov & Hutter 2019): the param shrinks by lr·decay.

    >>> from rlx.train import cosine
    >>> AdamW(lr=cosine(3e-4, steps=100, warmup=10), weight_decay=0.1).schedule.at(9)
    0.0003
    """

    weight_decay: float = 0.01

    def shrink(self, rate: Value, decay: float) -> Value | None:
        """Returns the fraction of a param that weight decay subtracts: lr·decay."""
        return rate * decay if decay else None

    def amount(self, graph: Graph, param: Value, gradient: Value, rate: Value, count: Value, decay: float, slots: Slots) -> Value:
        """Computes lr·m̂/(√v̂ + ε), of the gradient alone."""
        return self._correct(graph, gradient, rate, count, slots)


@dataclass(frozen=True)
class Lion(Optimizer):
    """Lion (Chen et al. 2023): the sign of an interpolated momentum, decoupled decay.

    >>> Lion().lr, Lion().betas
    (0.0001, (0.9, 0.99))
    """

    lr: float | Schedule = 1e-4
    betas: tuple[float, float] = (0.9, 0.99)

    @property
    def slots(self) -> tuple[str, ...]:
        """The momentum."""
        return ("m",)

    def amount(self, graph: Graph, param: Value, gradient: Value, rate: Value, count: Value, decay: float, slots: Slots) -> Value:
        """Computes lr·(sign(β₁m + (1 − β₁)g) + decay·p)."""
        first, second = self.betas
        m = slots.get("m")
        direction = graph.sign(first * m + (1 - first) * gradient)
        slots.set("m", second * m + (1 - second) * gradient)
        return rate * (direction + decay * param if decay else direction)
