"""Idioms of programs: jit and its arguments, trees, derivatives, batches, control flow, random numbers, debugging."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import jax
import numpy as np
import pytest

import rlx
import rlx.numpy as rnp
from rlx import lax
from tests.frontends.idiom_table import X, raises, same, works

V = np.float32([1, 2, 3])


class Pair(NamedTuple):
    w: Any
    b: Any


@dataclass
class Plain:
    w: Any
    b: Any


@rlx.tree_util.register_dataclass
@dataclass
class Registered:
    w: Any
    b: Any


# -- trees ------------------------------------------------------------------------------------------------------
@works("pytree args: params dict of lists")
def _():
    same(rlx.jit(lambda p, x: x * p["w"][0] + p["w"][1])({"w": [X, V]}, X), X * X + V)


@works("pytree: dataclass/NamedTuple")
def _():
    for kind in (Pair, Plain):
        found = rlx.jit(lambda p, kind=kind: kind(p.w * 2, p.b))(kind(X, V))
        assert isinstance(found, kind)
        same((found.w, found.b), (2 * X, V))


@works("registered dataclass pytree")
def _():
    found = rlx.jit(lambda p: Registered(p.w + 1, p.b))(Registered(X, V))
    assert isinstance(found, Registered)
    same(found.w, X + 1)


@works("None in pytree")
def _():
    found = rlx.jit(lambda p: {"w": p["w"] * 2, "b": p["b"]})({"w": X, "b": None})
    assert found["b"] is None
    same(found["w"], 2 * X)


@works("tree_map: rlx.tree.map / rlx.tree.map")
def _():
    same(rlx.tree.map(lambda leaf: leaf * 2, {"w": [X]}), {"w": [2 * X]})


@works("rlx.tree.map")
def _():
    same(rlx.jit(lambda p: rlx.tree.map(lambda a, b: a + b, p, p))({"w": [X]}), {"w": [2 * X]})


@works("jax.tree_util spelling: rlx.tree_util.tree_map")
def _():
    same(rlx.tree_util.tree_map(lambda leaf: leaf + 1, (X, [V])), (X + 1, [V + 1]))
    assert len(rlx.tree_util.tree_leaves((X, [V]))) == 2


@works("optax-like update on trees: opt.init, opt.update, apply_updates")
def _():
    optimizer = rlx.train.SGD(0.1)
    params = {"w": X}
    state = optimizer.init(params)

    @rlx.jit
    def step(params, state):
        grads = rlx.grad(lambda p: (p["w"] ** 2).sum())(params)
        updates, state = optimizer.update(grads, state, params)
        return rlx.train.apply_updates(params, updates), state

    same(step(params, state)[0], {"w": X - 0.2 * X})


# -- jit --------------------------------------------------------------------------------------------------------
@works("static_argnums")
def _():
    same(rlx.jit(lambda x, n: x * n if n > 1 else x, static_argnums=1)(X, 3), 3 * X)


@works("static_argnames")
def _():
    same(rlx.jit(lambda x, mode: x * 2 if mode == "double" else x, static_argnames="mode")(X, mode="double"), 2 * X)


@works("donate_argnums")
def _():
    same(rlx.jit(lambda x: x + 1, donate_argnums=0)(X.copy()), X + 1)


@works("keyword args")
def _():
    same(rlx.jit(lambda x, *, scale, shift=1.0: x * scale + shift)(X, scale=V), X * V + 1)


@works("Python scalar arg")
def _():
    f = rlx.jit(lambda x, s: x * s)
    same((f(X, 2.5), f(X, 3.5)), (X * 2.5, X * 3.5))
    assert f.traces == 1


@works("@rlx.jit decorator")
def _():
    @rlx.jit
    def double(x):
        """Twice."""
        return x * 2

    same(double(X), 2 * X)
    assert double.__name__ == "double" and double.__doc__ == "Twice."


@works("@partial(jit, static_argnums)")
def _():
    @partial(rlx.jit, static_argnums=(1,))
    def power(x, n):
        return x**n

    same(power(X, 3), X**3)


@works("jit as method decorator")
def _():
    class Model:
        def __init__(self):
            self.scale = 3.0

        @partial(rlx.jit, static_argnums=0)
        def __call__(self, x):
            return x * self.scale

    same(Model()(X), 3 * X)


@works("block_until_ready")
def _():
    same(rlx.jit(lambda x: x + 1)(rnp.asarray(X)).block_until_ready(), X + 1)


@works("make_jaxpr like: print(jit.lower(x))")
def _():
    assert "exp" in str(rlx.jit(lambda x: rnp.exp(x)).lower(X))


@works("jit(f).lower(x).compile()")
def _():
    lowered = rlx.jit(lambda x: x + 1).lower(X)
    same(lowered.compile()(X), X + 1)
    assert "add" in lowered.hir()


@works("f.report shows fusions")
def _():
    f = rlx.jit(lambda x: rnp.exp(x * 2) + 1)
    f(X)
    assert "fuse" in str(f.report).lower()


@works("eval_shape")
def _():
    found = rlx.eval_shape(lambda x: {"y": x.sum(0)}, X)
    assert found["y"].shape == (3,) and found["y"].dtype == np.float32


@works("dims= option")
def _():
    f = rlx.jit(lambda x: x * 2, dims={"x": ("batch", None)})
    same((f(X), f(X[:1])), (2 * X, 2 * X[:1]))
    assert f.traces == 1


raises("jit wrong dims name", lambda: rlx.jit(lambda x: x * 2, dims={"y": ("batch", None)})(X), "x")


@works("save jit?")
def _():
    import tempfile
    from pathlib import Path

    f = rlx.jit(lambda x: x + 1)
    f(X)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "f.rlx"
        f.executable.save(path)
        (found,) = rlx.load_executable(path).run({"x": X}).values()
    same(found, X + 1)


raises("error in shape: message", lambda: rlx.jit(lambda x: x @ x)(X), r"(?s)2, 3.*fix")
raises("if x.sum()>0 (python control flow)", lambda: rlx.jit(lambda x: x if x.sum() > 0 else -x)(X), "where|cond")
raises("x.item() / float(x) in jit", lambda: rlx.jit(lambda x: x * float(x[0, 0]))(X), r"(?s)fix")


@works("np.exp(x)/ufunc out of jit on Value.graph")
def _():
    graph = rlx.Graph("exponential")
    graph.set_outputs({"y": np.exp(graph.input("x", (2, 3)))})
    same(rlx.compile(graph).run({"x": X})["y"], np.exp(X))


# -- looking at values ------------------------------------------------------------------------------------------
@works("print(x) inside jit")
def _():
    seen = []
    rlx.jit(lambda x: seen.append(str(x)) or x)(X)
    assert "f32[2, 3]" in seen[0]


@works("print value at runtime (jax.debug.print)")
def _():
    seen = []
    rlx.jit(lambda x: rlx.debug.callback(seen.append, x.sum()) or x)(X)
    assert np.allclose(seen, X.sum())
    rlx.jit(lambda x: rlx.debug.print("sum {s}", s=x.sum()) or x)(X)


@works("debug.print inside scan")
def _():
    seen = []

    def body(carry, x):
        rlx.debug.print("{c}", c=carry)
        rlx.debug.callback(lambda c: seen.append(float(c)), carry)
        return carry + x, x

    same(rlx.jit(lambda v: lax.scan(body, np.float32(0), v)[0])(V), 6)
    assert seen == [0, 1, 3]


@works("pure_callback")
def _():
    def doubled(x):
        return rlx.pure_callback(lambda a: np.asarray(a) * 2, rlx.ShapeDtypeStruct(x.shape, x.dtype), x)

    same(rlx.jit(doubled)(X), 2 * X)


@works("nan trap")
def _():
    f = rlx.jit(lambda x: rnp.log(x), trap_nan=True)
    same(f(abs(X)), np.log(abs(X)))
    with pytest.raises(rlx.RlxError, match=r"(?i)nan"):
        f(X)


# -- derivatives ------------------------------------------------------------------------------------------------
def cubes(x):
    return (x**3).sum()


@works("grad argnums=(0,1)")
def _():
    same(rlx.grad(lambda a, b: (a * a * b).sum(), argnums=(0, 1))(X, V), (2 * X * V, (X * X).sum(0)))


@works("value_and_grad")
def _():
    same(rlx.value_and_grad(cubes)(X), ((X**3).sum(), 3 * X**2))


@works("value_and_grad has_aux")
def _():
    found = rlx.value_and_grad(lambda x: ((x**3).sum(), {"twice": 2 * x}), has_aux=True)(X)
    same(found, (((X**3).sum(), {"twice": 2 * X}), 3 * X**2))


@works("grad of pytree")
def _():
    same(rlx.grad(lambda p: (p["a"] * p["b"][0]).sum())({"a": X, "b": [V]}), {"a": X * 0 + V, "b": [X.sum(0)]})


@works("jit(grad(f))")
def _():
    same(rlx.jit(rlx.grad(cubes))(X), 3 * X**2)


@works("hessian")
def _():
    same(rlx.hessian(cubes)(V), np.diag(6 * V))


@works("vjp")
def _():
    value, pullback = rlx.vjp(lambda x: x**2, X)
    same((value, pullback(X)), (X**2, (2 * X * X,)))


@works("jvp")
def _():
    same(rlx.jvp(lambda x: x**2, (X,), (X,)), (X**2, 2 * X * X))


@works("linearize")
def _():
    value, linear = rlx.linearize(lambda x: x**2, X)
    same((value, linear(X)), (X**2, 2 * X * X))


@works("custom_vjp decorator")
def _():
    @rlx.custom_vjp
    def clipped(x):
        return x * 1.0

    clipped.defvjp(lambda x: (clipped(x), None), lambda _, g: (rnp.clip(g, -1, 1),))
    same(rlx.grad(lambda x: (clipped(x) * 5).sum())(X), np.ones_like(X))


@works("stop_gradient")
def _():
    same(rlx.grad(lambda x: (x * lax.stop_gradient(x)).sum())(X), X)


@works("checkpoint/remat")
def _():
    same(rlx.grad(lambda x: rlx.checkpoint(lambda y: rnp.sin(y))(x).sum())(X), np.cos(X))
    assert rlx.remat is rlx.checkpoint


@works("grad wrt python float")
def _():
    same(rlx.grad(lambda s: s**3)(2.0), 12.0)


raises("value_and_grad wrong non scalar", lambda: rlx.value_and_grad(lambda x: x * 2)(X), r"sum|vjp|jacrev")
raises("grad of int", lambda: rlx.grad(lambda i: (i * i).sum())(np.int32([1, 2])), r"(?s)fix")

# -- batches ----------------------------------------------------------------------------------------------------


@works("vmap in_axes")
def _():
    same(rlx.vmap(lambda a, b: a @ b, in_axes=(1, None))(X, X[:, 0]), X.T @ X[:, 0])


@works("vmap out_axes")
def _():
    same(rlx.vmap(lambda row: row * 2, out_axes=1)(X), 2 * X.T)


@works("vmap(grad(f))")
def _():
    same(rlx.vmap(rlx.grad(cubes))(X), 3 * X**2)


@works("vmap over dict")
def _():
    same(rlx.vmap(lambda p: p["a"] * p["b"].sum())({"a": X[:, 0], "b": X}), X[:, 0] * X.sum(1))


raises("vmap mismatched", lambda: rlx.vmap(lambda a, b: a + b)(X, V), "2.*3")


# -- control flow -----------------------------------------------------------------------------------------------
def running_sum(carry, x):
    return carry + x, carry * x


SUMS = (np.float32(6), np.float32([0, 2, 9]))


@works("jax.lax.scan signature: scan(f, init, xs)")
def _():
    same(rlx.jit(lambda v: lax.scan(running_sum, np.float32(0), v))(V), SUMS)


@works("scan eager")
def _():
    same(lax.scan(running_sum, 0.0, V), SUMS)


@works("scan length=, xs=None")
def _():
    same(rlx.jit(lambda x: lax.scan(lambda c, _: (c * 2, c.sum()), x, None, length=3))(X), (8 * X, X.sum() * V**0 * [1, 2, 4]))


@works("cond")
def _():
    f = rlx.jit(lambda x: lax.cond(x.sum() > 0, lambda x: x * 2, lambda x: -x, x))
    same((f(X), f(-X)), (2 * X, X) if X.sum() > 0 else (-X, -2 * X))


@works("lax.cond operands none")
def _():
    same(rlx.jit(lambda x: lax.cond(x[0, 0] > 0, lambda: x * 2, lambda: x))(X), 2 * X)


@works("while_loop")
def _():
    same(rlx.jit(lambda x: lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, s[1] * 2), (0, x))[1])(X), 8 * X)


@works("fori_loop")
def _():
    same(rlx.jit(lambda x: lax.fori_loop(0, 3, lambda i, s: s + i, x))(X), X + 3)


@works("lax.associative_scan")
def _():
    same(rlx.jit(lambda x: lax.associative_scan(rnp.add, x, axis=1))(X), np.cumsum(X, axis=1))


@works("scan body c.graph.sin")
def _():
    same(rlx.jit(lambda v: lax.scan(lambda c, x: (c.graph.sin(c), x), v, v)[0])(V), np.sin(np.sin(np.sin(V))))


@works("vmap over scan over cond")
def _():
    def body(lib, c, x):
        return lib.lax.cond(x > 0, lambda: c + x, lambda: c * 2), c

    def run(lib):
        return lib.jit(lib.vmap(lambda row: lib.lax.scan(partial(body, lib), np.float32(0), row)))(X)

    same(run(rlx), run(jax))


# -- random numbers ---------------------------------------------------------------------------------------------
@works("random: rlx.random.normal(key)")
def _():
    drawn = rlx.jit(lambda key: rlx.random.normal(key, (4000,)))(rlx.random.key(0))
    assert abs(np.mean(drawn)) < 0.1 and abs(np.std(drawn) - 1) < 0.1


@works("random.split, fold_in, bernoulli, categorical, permutation")
def _():
    random = rlx.random

    @rlx.jit
    def draws(key):
        first, second = random.split(key)
        third = random.fold_in(key, 7)
        coins = random.bernoulli(first, 0.25, (2000,))
        classes = random.categorical(second, rnp.log(np.float32([0.2, 0.8])), shape=(2000,))
        return coins.mean(), classes.mean(), random.permutation(third, 10)

    coins, classes, order = draws(random.key(1))
    assert abs(coins - 0.25) < 0.05 and abs(classes - 0.8) < 0.05
    assert sorted(np.asarray(order)) == list(range(10))
