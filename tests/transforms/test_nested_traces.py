"""Transforms called on arrays inside a trace, of functions that read traced values: outer × inner × how the value is read, as in JAX."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import jax
import jax.lax
import numpy as np
import pytest

import rlx
import rlx.numpy

Fn = Callable[..., Any]
DERIVATIVES = ("grad", "value_and_grad", "vjp", "jvp", "linearize", "jacfwd", "jacrev", "hessian")
NAMES = (*DERIVATIVES, "jit", "vmap", "custom_vjp", "custom_jvp", "checkpoint")
OURS = SimpleNamespace(np=rlx.numpy, lax=rlx.lax, **{name: getattr(rlx, name) for name in NAMES})
THEIRS = SimpleNamespace(np=jax.numpy, lax=jax.lax, **{name: getattr(jax, name) for name in NAMES})
A = np.float32([0.5, 1.5, -1.0])
X = np.float32([1.0, 2.0, 3.0])
GLOBAL: dict[str, Any] = {}


# -- how a function reads the value of the trace around it ------------------------------------------------------
def through_a_cell(f: Fn, x: Any) -> Fn:
    """A variable of the enclosing function."""
    return lambda a: f(a, x)


def through_an_attribute(f: Fn, x: Any) -> Fn:
    """An attribute of an object in the closure."""
    box = SimpleNamespace(held=x)
    return lambda a: f(a, box.held)


class _Layer:
    def __init__(self, f: Fn, x: Any) -> None:
        self.f, self.x = f, x

    def call(self, a: Any) -> Any:
        """The function as a method."""
        return self.f(a, self.x)


def through_a_method(f: Fn, x: Any) -> Fn:
    """A bound method of an object that holds it."""
    return _Layer(f, x).call


def through_a_partial(f: Fn, x: Any) -> Fn:
    """An argument bound beforehand."""
    return functools.partial(lambda x, a: f(a, x), x)


def through_a_global(f: Fn, x: Any) -> Fn:
    """A global variable."""
    GLOBAL["x"] = x
    return lambda a: f(a, GLOBAL["x"])


READ: dict[str, Callable[[Fn, Any], Fn]] = {
    each.__name__: each for each in (through_a_cell, through_an_attribute, through_a_method, through_a_partial, through_a_global)
}


# -- the inner transform, called on the array A -----------------------------------------------------------------
def _custom_vjp(lib: Any, scalar: Fn) -> Any:
    f = lib.custom_vjp(lambda a: scalar(a))
    f.defvjp(lambda a: (scalar(a), a), lambda a, g: (g * lib.np.cos(a),))
    return f(A), lib.grad(f)(A)


def _custom_jvp(lib: Any, scalar: Fn) -> Any:
    f = lib.custom_jvp(lambda a: scalar(a))
    f.defjvp(lambda primals, tangents: (f(*primals), (lib.np.cos(primals[0]) * tangents[0]).sum()))
    return f(A), lib.grad(f)(A)


INNER: dict[str, Callable[[Any, Fn, Fn], Any]] = {
    "jit": lambda lib, s, v: lib.jit(s)(A),
    "jit of a number": lambda lib, s, v: lib.jit(lambda n, a: s(a) * n)(2.0, A),
    "jit of a tree": lambda lib, s, v: lib.jit(lambda t: {"y": s(t["a"])})({"a": A}),
    "grad": lambda lib, s, v: lib.grad(s)(A),
    "value_and_grad": lambda lib, s, v: lib.value_and_grad(s)(A),
    "vjp": lambda lib, s, v: (lambda found: (found[0], found[1](np.float32(2))))(lib.vjp(s, A)),
    "jvp": lambda lib, s, v: lib.jvp(s, (A,), (np.ones_like(A),)),
    "linearize": lambda lib, s, v: (lambda found: (found[0], found[1](A)))(lib.linearize(s, A)),
    "vmap": lambda lib, s, v: lib.vmap(v)(A),
    "jacfwd": lambda lib, s, v: lib.jacfwd(v)(A),
    "jacrev": lambda lib, s, v: lib.jacrev(v)(A),
    "hessian": lambda lib, s, v: lib.hessian(s)(A),
    "checkpoint": lambda lib, s, v: lib.checkpoint(s)(A),
    "grad of checkpoint": lambda lib, s, v: lib.grad(lib.checkpoint(s))(A),
    "custom_vjp": lambda lib, s, v: _custom_vjp(lib, s),
    "custom_jvp": lambda lib, s, v: _custom_jvp(lib, s),
    "jit of grad": lambda lib, s, v: lib.jit(lib.grad(s))(A),
    "grad of jit": lambda lib, s, v: lib.grad(lib.jit(s))(A),
    "vmap of grad": lambda lib, s, v: lib.vmap(lib.grad(lambda e: v(e).sum()))(A),
    "jit of vmap of jit": lambda lib, s, v: lib.jit(lib.vmap(lib.jit(v)))(A),
    "scan": lambda lib, s, v: lib.lax.scan(lambda c, a: (c + s(a), v(c)), np.float32(0), A),
    "while_loop": lambda lib, s, v: lib.lax.fori_loop(0, 3, lambda i, c: c + s(c) * 0.1, np.float32(1)),
    "map": lambda lib, s, v: lib.lax.map(lambda a: s(a), A),
    "cond": lambda lib, s, v: lib.lax.cond(True, s, lambda a: a.sum(), A),
    "switch": lambda lib, s, v: lib.lax.switch(1, [lambda a: a.sum(), s], A),
    "associative_scan": lambda lib, s, v: lib.lax.associative_scan(lambda a, b: a * b + 0 * s(a[:1]), A),
}


# -- the outer transform, of a function of x --------------------------------------------------------------------
def _total(lib: Any, tree: Any) -> Any:
    return sum((lib.np.sin(leaf).sum() for leaf in jax.tree.leaves(tree)), 0.0)


OUTER: dict[str, Callable[[Any, Fn], Any]] = {
    "jit": lambda lib, f: lib.jit(f)(X),
    "grad": lambda lib, f: lib.grad(lambda x: _total(lib, f(x)))(X),
    "vmap": lambda lib, f: lib.vmap(f)(X),
    "jvp": lambda lib, f: lib.jvp(f, (X,), (A,)),
    "vjp": lambda lib, f: (lambda found: found[1](jax.tree.map(lambda y: np.ones(np.shape(y), np.float32), found[0])))(
        lib.vjp(f, X)
    ),
    "linearize": lambda lib, f: lib.linearize(f, X)[1](A),
    "jacfwd": lambda lib, f: lib.jacfwd(f)(X),
    "jacrev": lambda lib, f: lib.jacrev(f)(X),
    "jit of grad": lambda lib, f: lib.jit(lib.grad(lambda x: _total(lib, f(x))))(X),
    "vmap of grad": lambda lib, f: lib.vmap(lib.grad(lambda x: _total(lib, f(x))))(X),
    "hessian": lambda lib, f: lib.hessian(lambda x: _total(lib, f(x)))(X),
    "scan": lambda lib, f: lib.lax.scan(lambda c, x: (c, f(x)), 0.0, X)[1],
    "grad of a scan": lambda lib, f: lib.grad(lambda x: lib.lax.scan(lambda c, r: (c + _total(lib, f(r)), None), 0.0, x)[0])(X),
}


def program(lib: Any, outer: str, inner: str, read: str) -> Any:
    """outer(x -> inner on A of a function that reads x)."""

    def f(x: Any) -> Any:
        scalar = READ[read](lambda a, x: (lib.np.sin(a) * x).sum(), x)
        vector = READ[read](lambda a, x: lib.np.sin(a) * x, x)
        return INNER[inner](lib, scalar, vector)

    return OUTER[outer](lib, f)


def same(ours: Any, theirs: Any) -> None:
    """The same numbers in the same containers."""
    mine, others = jax.tree.leaves(jax.tree.map(np.asarray, ours)), jax.tree.leaves(theirs)
    for one, other in zip(mine, others, strict=True):
        scale = np.abs(np.asarray(other)).max(initial=1.0)
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=2e-5, atol=2e-5 * scale)


REFUSED_BY_JAX = {"custom_vjp", "custom_jvp"}
"""JAX raises where a derivative by a value that a custom rule's function closes over is taken."""


QUICK = ("jit", "grad")


def _rows(outers: Any, *others: Any) -> list[Any]:
    """All combinations; those of other outer transforms than the quick ones are long."""
    rows = itertools.product(outers, *others)
    return [row if row[0] in QUICK else pytest.param(*row, marks=pytest.mark.long) for row in rows]


@pytest.mark.parametrize("outer, inner", _rows(OUTER, INNER))
def test_an_inner_transform_on_arrays_reads_a_traced_value(outer: str, inner: str) -> None:
    """Values, tangents and gradients are JAX's, however the function gets at the traced value."""
    try:
        theirs = program(THEIRS, outer, inner, "through_a_cell")
    except Exception:
        assert inner in REFUSED_BY_JAX
        return
    for read in READ if outer in ("jit", "grad") else ["through_a_cell"]:
        same(program(OURS, outer, inner, read), theirs)


DEEP = _rows(
    ("grad", "vmap", "jit", "jvp", "jacrev"),
    ("jit", "grad", "vmap", "jvp", "vjp", "checkpoint", "scan"),
    ("jit", "grad", "vmap", "jvp", "linearize", "checkpoint", "scan", "jit of grad", "cond"),
)


@pytest.mark.parametrize("outer, middle, inner", DEEP)
def test_two_deep(outer: str, middle: str, inner: str) -> None:
    """The innermost function reads values of both traces around it."""

    def run(lib: Any) -> Any:
        def f(x: Any) -> Any:
            def g(a: Any) -> Any:
                found = INNER[inner](
                    lib,
                    lambda b: (lib.np.sin(b) * x * 0.1 * lib.np.cos(a)).sum(),
                    lambda b: lib.np.sin(b) * x * 0.1 * lib.np.cos(a),
                )
                return _total(lib, found)

            return INNER[middle](lib, g, g)

        return OUTER[outer](lib, f)

    same(run(OURS), run(THEIRS))


def test_jvp_with_arrays_as_primals_and_a_traced_tangent() -> None:
    """The rows of the cookbook: `vmap(lambda s: jvp(f, (W,), (s,))[1])(S)`, also under jit."""
    w = np.float32([[1, 2], [3, 4], [5, 6]])
    s = np.stack([w + 1, w * 2])
    for wrapped in (lambda lib, f: f, lambda lib, f: lib.jit(f)):

        def run(lib: Any, wrapped: Any = wrapped) -> Any:
            f = lambda w: lib.np.tanh(w @ np.float32([0.5, -0.25]))  # noqa: E731
            many = lib.vmap(lambda tangent: lib.jvp(f, (w,), (tangent,))[1])
            return wrapped(lib, many)(s), wrapped(lib, lambda x: lib.jvp(lambda q: q * q, (lib.np.arange(3.0),), (x,)))(A)

        same(run(OURS), run(THEIRS))


def test_a_jitted_function_is_compiled_once_for_calls_outside_and_inside_of_a_trace() -> None:
    """A version that exists serves calls on arrays inside a trace; one that reads traced values is never stored."""
    inner = rlx.jit(lambda a: a * GLOBAL["factor"])
    GLOBAL["factor"] = np.float32(2)
    np.testing.assert_allclose(inner(A), A * 2)
    assert inner.traces == 1
    np.testing.assert_allclose(rlx.grad(lambda x: (inner(A) * x).sum())(X), A * 2)
    assert inner.traces == 1

    def outer(x: Any) -> Any:
        GLOBAL["factor"] = x
        return rlx.jit(lambda a: a * GLOBAL["factor"])(A).sum()

    np.testing.assert_allclose(rlx.grad(outer)(X), A)
