"""Optimizers: formulas on Values, as torch defines them. Each keeps its moments as states of the session."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from rlx.core.errors import RlxError
from rlx.train.schedules import Schedule

__all__ = ["SGD", "Adam", "AdamW", "Lion", "Optimizer", "Slots"]

Value = Any
Mask = Callable[[str, tuple[int, ...]], bool]


def matrices(name: str, dims: tuple[int, ...]) -> bool:
    """The usual mask of weight decay: matrices, not gains and biases."""
    return len(dims) >= 2


class Slots(Protocol):
    """What an optimizer stores for one param."""

    def get(self, slot: str) -> Value:
        """The value before the step, initially 0."""

    def set(self, slot: str, value: Value) -> None:
        """The value after it."""


def _check_number(name: str, value: object, below: float = math.inf) -> None:
    """A setting of an optimizer: a finite number, 0 or more; a schedule checks itself."""
    if isinstance(value, Schedule) and name == "lr":
        return
    number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not number or not 0 <= float(value) < below:  # type: ignore[arg-type]
        takes = "0 or more" if below == math.inf else f"from 0 to below {below:g}"
        raise RlxError(
            "RLX105", f"{name} is {value!r:.60}", fix=f"a number, {takes}" + (", or a schedule" if name == "lr" else "")
        )


@dataclass(frozen=True)
class Optimizer:
    """The base of all: a learning rate, which can be a schedule, and weight decay for the params a mask selects.

    >>> SGD(lr=0.1).schedule.at(5), AdamW().name, AdamW().weight_decay
    (0.1, 'adamw', 0.01)
    """

    lr: float | Schedule = 1e-3
    weight_decay: float = 0.0
    decays: Mask = matrices

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
        """The name, used in the names of states."""
        return type(self).__name__.lower()

    @property
    def schedule(self) -> Schedule:
        """The learning rate as a schedule."""
        return self.lr if isinstance(self.lr, Schedule) else Schedule(self.lr)

    def step(
        self, graph: Any, param: Value, gradient: Value, rate: Value, count: Value, decay: float, slots: Slots
    ) -> Value:
        """The param after a step. `count` is the number of this step, from 1; `decay` is 0 if the mask excludes the param."""
        raise NotImplementedError


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

    def step(
        self, graph: Any, param: Value, gradient: Value, rate: Value, count: Value, decay: float, slots: Slots
    ) -> Value:
        """p − lr·velocity."""
        if decay:
            gradient = gradient + decay * param
        if self.momentum:
            velocity = self.momentum * slots.get("velocity") + gradient
            slots.set("velocity", velocity)
            gradient = gradient + self.momentum * velocity if self.nesterov else velocity
        return param - rate * gradient


@dataclass(frozen=True)
class Adam(Optimizer):
    """Adam (Kingma & Ba 2015); decay is added to the gradient.

    >>> Adam(lr=3e-4).betas
    (0.9, 0.999)
    """

    betas: tuple[float, float] = (0.9, 0.999)
    eps: float = 1e-8

    def step(
        self, graph: Any, param: Value, gradient: Value, rate: Value, count: Value, decay: float, slots: Slots
    ) -> Value:
        """p − lr·m̂/(√v̂ + ε)."""
        return self._moved(graph, param, gradient + decay * param if decay else gradient, rate, count, slots)

    def _moved(self, graph: Any, param: Value, gradient: Value, rate: Value, count: Value, slots: Slots) -> Value:
        first, second = self.betas
        m = first * slots.get("m") + (1 - first) * gradient
        v = second * slots.get("v") + (1 - second) * (gradient * gradient)
        slots.set("m", m)
        slots.set("v", v)
        root = graph.sqrt(v) / graph.sqrt(_seen(graph, second, count)) if second else graph.sqrt(v)
        return param - rate / _seen(graph, first, count) * (m / (root + self.eps))


def _seen(graph: Any, beta: float, count: Value) -> Value:
    """1 − βᵗ: the bias correction of a moving average after t steps."""
    return -graph.expm1(count * math.log(beta)) if beta else 1.0


@dataclass(frozen=True)
class AdamW(Adam):
    """Adam with decoupled weight decay (Loshchilov & Hutter 2019): the param shrinks by lr·decay.

    >>> from rlx.train import cosine
    >>> AdamW(lr=cosine(3e-4, steps=100, warmup=10), weight_decay=0.1).schedule.at(9)
    0.0003
    """

    weight_decay: float = 0.01

    def step(
        self, graph: Any, param: Value, gradient: Value, rate: Value, count: Value, decay: float, slots: Slots
    ) -> Value:
        """(1 − lr·decay)·p − lr·m̂/(√v̂ + ε)."""
        shrunk = param * (1.0 - rate * decay) if decay else param
        return self._moved(graph, shrunk, gradient, rate, count, slots)


@dataclass(frozen=True)
class Lion(Optimizer):
    """Lion (Chen et al. 2023): the sign of an interpolated momentum, decoupled decay.

    >>> Lion().lr, Lion().betas
    (0.0001, (0.9, 0.99))
    """

    lr: float | Schedule = 1e-4
    betas: tuple[float, float] = (0.9, 0.99)

    def step(
        self, graph: Any, param: Value, gradient: Value, rate: Value, count: Value, decay: float, slots: Slots
    ) -> Value:
        """p − lr·(sign(β₁m + (1 − β₁)g) + decay·p)."""
        first, second = self.betas
        m = slots.get("m")
        direction = graph.sign(first * m + (1 - first) * gradient)
        slots.set("m", second * m + (1 - second) * gradient)
        return param - rate * (direction + decay * param if decay else direction)
