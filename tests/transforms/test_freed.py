"""Transforms of functions made anew keep nothing of them: a loop over fresh lambdas does not grow."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.functions import derivatives as derivatives

X, T = np.float32([1, 2]), np.float32([1, 10])
Function = Callable[[Any], Any]


def own_vjp(function: Function) -> Any:
    made = rlx.custom_vjp(function)
    made.defvjp(lambda x: (function(x), x), lambda x, g: (2 * g * x,))
    return made(X), rlx.vjp(made, X)[1](T)


def own_jvp(function: Function) -> Any:
    made = rlx.custom_jvp(function)
    made.defjvp(lambda primals, tangents: (function(primals[0]), 2 * primals[0] * tangents[0]))
    return made(X), rlx.jvp(made, (X,), (T,))


CALLS: dict[str, Callable[[Function], Any]] = {
    "vjp": lambda f: rlx.vjp(f, X)[1](T),
    "jvp": lambda f: rlx.jvp(f, (X,), (T,)),
    "linearize": lambda f: rlx.linearize(f, X)[1](T),
    "jvp of grad": lambda f: rlx.jvp(rlx.grad(lambda x: f(x).sum()), (X,), (T,)),
    "grad": lambda f: rlx.grad(lambda x: f(x).sum())(X),
    "value_and_grad": lambda f: rlx.value_and_grad(lambda x: f(x).sum())(X),
    "jacfwd": lambda f: rlx.jacfwd(f)(X),
    "jacrev": lambda f: rlx.jacrev(f)(X),
    "vmap": lambda f: rlx.vmap(f)(X),
    "checkpoint": lambda f: rlx.checkpoint(f)(X),
    "jit": lambda f: rlx.jit(f)(X),
    "static jit": lambda f: rlx.jit(lambda x, n: f(x), static_argnums=1)(X, 2),
    "lower": lambda f: rlx.jit(f).lower(X).compile()(X),
    "eval_shape": lambda f: rlx.eval_shape(f, X),
    "hessian": lambda f: rlx.hessian(lambda x: f(x).sum())(X),
    "map": lambda f: rlx.lax.map(f, X),
    "cond": lambda f: rlx.lax.cond(True, f, f, X),
    "switch": lambda f: rlx.lax.switch(1, [f, lambda x: x, f], X),
    "fori_loop": lambda f: rlx.lax.fori_loop(0, 3, lambda i, x: f(x), X),
    "custom_vjp": own_vjp,
    "custom_jvp": own_jvp,
}


@pytest.mark.parametrize("name", CALLS)
def test_a_fresh_function_is_freed(name: str) -> None:
    gc.collect()
    before, alive = len(derivatives._COMPILED), []
    for _ in range(3):

        def square(x: Any) -> Any:
            return x * x

        CALLS[name](square)
        alive.append(weakref.ref(square))
        del square
    gc.collect()
    assert not [reference for reference in alive if reference() is not None]
    assert len(derivatives._COMPILED) == before


def test_a_pullback_keeps_its_function() -> None:
    _, pullback = rlx.vjp(lambda x: x * x * x, X)
    _, slope = rlx.linearize(lambda x: x * x * x, X)
    gc.collect()
    np.testing.assert_array_equal(pullback(T)[0], [3, 120])
    np.testing.assert_array_equal(slope(T), [3, 120])


def test_a_known_function_and_method_are_traced_once() -> None:
    traces = []

    class Power:
        def cube(self, x: Any) -> Any:
            traces.append("cube")
            return x * x * x

    def square(x: Any) -> Any:
        traces.append("square")
        return x * x

    power = Power()
    for _ in range(3):
        np.testing.assert_array_equal(rlx.jvp(square, (X,), (T,))[1], [2, 40])
        np.testing.assert_array_equal(rlx.jvp(power.cube, (X,), (T,))[1], [3, 120])
    assert sorted(traces) == ["cube", "square"]


def test_a_callable_without_a_hash() -> None:
    @dataclass
    class Scaled:
        factor: float

        def __call__(self, x: Any) -> Any:
            return x * x * self.factor

    np.testing.assert_array_equal(rlx.vjp(Scaled(3.0), X)[1](T)[0], [6, 120])
