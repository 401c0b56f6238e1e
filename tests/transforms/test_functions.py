"""Derivatives of functions: containers, captured values, rules of one's own, nesting, and calls on plain arrays."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

import rlx
from rlx.core.errors import RlxError
from rlx.ir.op import OPS

F32 = np.float32


def draw(*dims: int, seed: int = 0) -> Any:
    return np.random.default_rng([seed, *dims]).uniform(-1, 1, dims).astype(F32)


def reference(function: Any) -> Any:
    return rlx.jit(function, device="reference")


def test_gradients_have_the_containers_of_their_arguments():
    params = {"layers": [{"w": draw(3, 3), "b": draw(3)}, {"w": draw(3, 3, seed=1), "b": draw(3, seed=1)}]}

    def loss(params, x):
        for layer in params["layers"]:
            x = OPS["tanh"](x @ layer["w"] + layer["b"])
        return x.sum()

    gradients = reference(rlx.grad(loss))(params, draw(2, 3))
    assert set(gradients) == {"layers"} and [set(layer) for layer in gradients["layers"]] == [{"w", "b"}] * 2
    x, last = draw(2, 3), params["layers"][1]
    hidden = np.tanh(x @ params["layers"][0]["w"] + params["layers"][0]["b"])
    out = np.tanh(hidden @ last["w"] + last["b"])
    np.testing.assert_allclose(gradients["layers"][1]["b"], (1 - out**2).sum(0), rtol=1e-5)


def test_aux_and_several_arguments():
    both = reference(rlx.value_and_grad(lambda x, y: ((x * y).sum(), {"x2": x * 2, "name": "aux"}), (1, 0), has_aux=True))
    (loss, aux), (dy, dx) = both(F32([1, 2]), F32([3, 4]))
    assert loss == 11 and aux["name"] == "aux"
    np.testing.assert_array_equal([aux["x2"], dy, dx], [[2, 4], [1, 2], [3, 4]])


def test_arguments_that_are_not_chosen_may_be_ints_and_keywords():
    table = draw(5, 2)
    gradient = reference(rlx.grad(lambda t, ids, scale: (OPS["gather"](t, ids, axis=0) * scale).sum()))(
        table, np.int32([1, 1, 4]), scale=F32(3)
    )
    np.testing.assert_array_equal(gradient[:, 0], [0, 6, 0, 0, 3])


def test_integer_arguments_are_refused_with_their_path():
    with pytest.raises(RlxError, match=r"argument 0\.n") as caught:
        reference(rlx.grad(lambda p: p["x"].sum()))({"x": F32([1]), "n": np.int32([1])})
    assert caught.value.code == "RLX602"


def test_a_result_that_is_no_scalar_is_refused():
    with pytest.raises(RlxError) as caught:
        reference(rlx.grad(lambda x: x * 2))(F32([1, 2]))
    assert caught.value.code == "RLX603"


def test_inner_functions_close_over_outer_arguments():
    """d/dx of (d/dy of x²·y³) = 2·x·3·y²."""

    def outer(x, y):
        return rlx.grad(lambda z: x * x * z * z * z)(y)

    assert float(reference(rlx.grad(outer))(F32(3), F32(2))) == 2 * 3 * 3 * 4


@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_third_derivative(device):
    third = rlx.grad(rlx.grad(rlx.grad(lambda x: OPS["sin"](x) * x)))
    x = 0.7
    wanted = -3 * np.sin(x) - x * np.cos(x)
    np.testing.assert_allclose(rlx.jit(third, device=device)(F32(x)), wanted, rtol=1e-5)


def test_calls_on_plain_arrays_compile_by_themselves():
    x, v = draw(4), draw(4, seed=1)
    value, pullback = rlx.vjp(lambda x: OPS["sin"](x), x)
    np.testing.assert_allclose(value, np.sin(x), rtol=1e-6)
    np.testing.assert_allclose(pullback(v)[0], np.cos(x) * v, rtol=1e-5)
    np.testing.assert_allclose(rlx.jvp(lambda x: x * x, (x,), (v,))[1], 2 * x * v, rtol=1e-6)
    np.testing.assert_allclose(rlx.jvp(rlx.grad(lambda x: (x * x * x).sum()), (x,), (v,))[1], 6 * x * v, rtol=1e-5)


def test_vjp_and_linearize_inside_a_trace():
    def both(x, u):
        value, pullback = rlx.vjp(lambda y: {"a": y * y, "b": y.sum()}, x)
        _, slope = rlx.linearize(lambda y: y * y * y, x)
        return value, pullback({"a": u, "b": F32(2)})[0], slope(u)

    x, u = draw(3), draw(3, seed=1)
    value, gradient, tangent = reference(both)(x, u)
    np.testing.assert_allclose(value["a"], x * x, rtol=1e-6)
    np.testing.assert_allclose(gradient, 2 * x * u + 2, rtol=1e-6)
    np.testing.assert_allclose(tangent, 3 * x * x * u, rtol=1e-5)


def test_cotangents_of_another_shape_are_refused():
    with pytest.raises(RlxError):
        reference(lambda x: rlx.vjp(lambda y: y * 2, x)[1](x[:1]))(F32([1, 2]))


def test_stop_gradient_and_handles():
    w = rlx.put(F32([2, 3]))
    gradient = rlx.jit(lambda x: rlx.grad(lambda y: (y * rlx.lax.stop_gradient(y) * w).sum())(x), device="cpu")(F32([5, 7]))
    np.testing.assert_array_equal(gradient, [10, 21])
    by_handle = rlx.grad(lambda p, x: (p * p * x).sum())(w, F32([5, 7]))
    np.testing.assert_array_equal(by_handle, [20, 42])


# -- rules of one's own -----------------------------------------------------------------------------------------
def clip_gradient():
    @rlx.custom_vjp
    def identity(x):
        return x * 1.0

    identity.defvjp(lambda x: (x * 1.0, x), lambda x, g: (OPS["clamp"](g, -0.5, 0.5),))
    return identity


@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_custom_vjp_replaces_the_gradient(device):
    identity = clip_gradient()
    gradient = rlx.jit(rlx.grad(lambda x: (identity(x) * F32([0.1, 3, -9])).sum()), device=device)(F32([1, 2, 3]))
    np.testing.assert_allclose(gradient, [0.1, 0.5, -0.5])


def test_custom_vjp_with_static_and_several_arguments():
    calls = []

    def bwd(power, residuals, g):
        calls.append(power)
        x, y = residuals
        return g * power * x ** (power - 1) * y, None

    raised = rlx.custom_vjp(lambda power, x, y: x**power * y, nondiff_argnums=(0,))
    raised.defvjp(lambda power, x, y: (x**power * y, (x, y)), bwd)
    dx, dy = reference(rlx.grad(lambda x, y: raised(3, x, y).sum(), (0, 1)))(F32([2.0]), F32([5.0]))
    np.testing.assert_allclose([dx[0], dy[0]], [60, 0])
    assert calls == [3]


def test_custom_vjp_without_a_rule_or_with_a_wrong_count_says_so():
    bare = rlx.custom_vjp(lambda x: x)
    with pytest.raises(RlxError, match="defvjp"):
        bare(F32([1]))
    wrong = rlx.custom_vjp(lambda x, y: x + y)
    wrong.defvjp(lambda x, y: (x + y, None), lambda _, g: (g,))
    with pytest.raises(RlxError, match="1 gradients for 2 arguments"):
        reference(rlx.grad(lambda x: wrong(x, x).sum()))(F32([1]))


def scaled_by(w, read=lambda w: w):
    """x·w with w closed over, and with a rule for x alone."""
    scale = rlx.custom_vjp(lambda x: x * read(w))
    scale.defvjp(lambda x: (x * read(w), None), lambda _, g: (g * w,))
    return scale


def test_a_rule_has_no_gradient_for_what_the_function_closes_over():
    """Silence would be a gradient of zero for w. By x alone it is fine, and with w stopped, outside or inside."""
    x, w = F32([2, 3]), F32([5, 7])
    by_x = reference(lambda x, w: rlx.grad(lambda x: scaled_by(w)(x).sum())(x))
    np.testing.assert_array_equal(by_x(x, w), w)
    with pytest.raises(RlxError, match="closes over") as caught:
        reference(rlx.grad(lambda x, w: scaled_by(w)(x).sum(), (0, 1)))(x, w)
    assert caught.value.code == "RLX601" and "an argument" in str(caught.value) and "stop_gradient" in str(caught.value)
    stop = rlx.lax.stop_gradient
    for loss in (lambda x, w: scaled_by(stop(w))(x).sum(), lambda x, w: scaled_by(w, stop)(x).sum()):
        dx, dw = reference(rlx.grad(loss, (0, 1)))(x, w)
        np.testing.assert_array_equal(dx, w)
        np.testing.assert_array_equal(dw, [0, 0])
    with pytest.raises(RlxError, match="closes over"):
        reference(lambda x, w: rlx.jvp(lambda w: scaled_by(w)(x), (w,), (w,)))(x, w)


def test_a_value_that_the_backward_rule_alone_reads_is_no_operand_of_the_function():
    def loss(x, bound):
        identity = rlx.custom_vjp(lambda x: x * 1.0)
        identity.defvjp(lambda x: (x * 1.0, None), lambda _, g: (OPS["clamp"](g, -bound, bound),))
        return (identity(x) * F32([0.1, 3])).sum()

    dx, dbound = reference(rlx.grad(loss, (0, 1)))(F32([1, 2]), F32(0.5))
    np.testing.assert_allclose(dx, [0.1, 0.5])
    assert dbound == 0


def test_a_tangent_rule_has_no_tangent_for_what_the_function_closes_over():
    def curve(w):
        scale = rlx.custom_jvp(lambda x: x * w)
        scale.defjvp(lambda primals, tangents: (primals[0] * w, tangents[0] * w))
        return scale

    for transform in (lambda w: rlx.jvp(lambda w: curve(w)(w * 2.0), (w,), (w,)), rlx.grad(lambda w: curve(w)(w * 2.0).sum())):
        with pytest.raises(RlxError, match="closes over"):
            reference(transform)(F32([5, 7]))


@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_custom_jvp_serves_both_directions(device):
    @rlx.custom_jvp
    def soft_abs(x):
        return abs(x)

    soft_abs.defjvp(lambda primals, tangents: (abs(primals[0]), OPS["tanh"](primals[0] * 4.0) * tangents[0]))
    x = F32([-0.1, 0.0, 2.0])
    wanted = np.tanh(4 * x)
    np.testing.assert_allclose(rlx.jit(rlx.grad(lambda x: soft_abs(x).sum()), device=device)(x), wanted, rtol=1e-5)
    _, tangent = rlx.jit(lambda x: rlx.jvp(soft_abs, (x,), (x * 0 + 1,)), device=device)(x)
    np.testing.assert_allclose(tangent, wanted, rtol=1e-5)


@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_checkpoint_gives_the_same_gradient_and_keeps_nothing(device):
    w = draw(6, 6, seed=4)

    def block(x, w):
        return OPS["tanh"](OPS["sin"](x @ w) @ w)

    def loss(layer):
        return lambda x, w: layer(layer(x, w), w).sum()

    x = draw(3, 6)
    plain = rlx.jit(rlx.grad(loss(block), (0, 1)), device=device)(x, w)
    kept = rlx.jit(rlx.grad(loss(rlx.checkpoint(block)), (0, 1)), device=device)(x, w)
    for mine, other in zip(kept, plain, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-4, atol=1e-5)


def test_checkpoint_of_a_function_with_captured_values_and_second_derivatives():
    def outer(x, w):
        layer = rlx.checkpoint(lambda h: OPS["sin"](h * w))
        return layer(layer(x)).sum()

    def plain(x, w):
        return OPS["sin"](OPS["sin"](x * w) * w).sum()

    x, w, v = draw(3), draw(3, seed=1), draw(3, seed=2)
    for number in (0, 1):
        mine, other = (reference(rlx.grad(f, number))(x, w) for f in (outer, plain))
        np.testing.assert_allclose(mine, other, rtol=1e-5)
    second = [reference(lambda x, w, v, f=f: rlx.jvp(rlx.grad(lambda y: f(y, w)), (x,), (v,))[1])(x, w, v) for f in (outer, plain)]
    np.testing.assert_allclose(second[0], second[1], rtol=1e-5, atol=1e-6)
    twice = [reference(rlx.grad(lambda x, w, f=f: (rlx.grad(f)(x, w) * v).sum()))(x, w) for f in (outer, plain)]
    np.testing.assert_allclose(twice[0], twice[1], rtol=1e-4, atol=1e-6)


def test_grad_of_vmap_and_vmap_of_grad():
    xs, w = draw(4, 3), draw(3, seed=1)
    per_example = reference(lambda xs, w: rlx.vmap(rlx.grad(lambda x, w: OPS["tanh"](x * w).sum()), in_axes=(0, None))(xs, w))(
        xs, w
    )
    np.testing.assert_allclose(per_example, w * (1 - np.tanh(xs * w) ** 2), rtol=1e-5)
    through = reference(rlx.grad(lambda w, xs: rlx.vmap(lambda x: OPS["sin"](x * w).sum())(xs).sum()))(w, xs)
    np.testing.assert_allclose(through, (xs * np.cos(xs * w)).sum(0), rtol=1e-5, atol=1e-6)


def test_a_pullback_may_be_used_inside_a_loop():
    """Its tape lies in the graph around the body, the cotangent inside: rules emit where the innermost of their values is."""

    def back(x):
        return rlx.vjp(lambda y: rlx.lax.scan(lambda c, _: (OPS["sin"](c) * y, c), y, length=3)[0], x)[1]

    def summed(x, us):
        pullback = back(x)
        return rlx.lax.scan(lambda c, u: (c + pullback(u)[0], None), x * 0, us)[0]

    x, us = draw(3), draw(4, 3, seed=1)
    whole = reference(lambda x, us: back(x)(us.sum(axes=0))[0])(x, us)
    np.testing.assert_allclose(reference(summed)(x, us), whole, rtol=1e-5, atol=1e-6)


def test_vjp_with_aux_is_jax_s():
    """Aux is returned beside value and pullback, takes no cotangent and gives no gradient; on arrays, in a jit, with containers."""

    def both(module):
        def function(x, y):
            hidden = module.numpy.sin(x) * y
            return {"a": hidden.sum(0), "b": hidden * 2.0}, {"hidden": hidden * hidden, "note": 3}

        return function

    random = np.random.default_rng(0)
    x, y = random.standard_normal((2, 3, 4)).astype(np.float32)
    cotangents = {"a": np.float32([1, -2, 3, 0.5]), "b": random.standard_normal((3, 4)).astype(np.float32)}
    expected, jax_pullback, jax_aux = jax.vjp(both(jax), x, y, has_aux=True)
    wanted = jax_pullback(cotangents)

    def run(x, y, cotangents):
        value, pullback, aux = rlx.vjp(both(rlx), x, y, has_aux=True)
        return value, pullback(cotangents), aux

    for found in (run(x, y, cotangents), rlx.jit(run)(x, y, cotangents)):
        for mine, other in zip(found, (expected, wanted, jax_aux), strict=True):
            assert rlx.tree.structure(mine) == rlx.tree.structure(other)
            for one, its in zip(rlx.tree.leaves(mine), rlx.tree.leaves(other), strict=True):
                np.testing.assert_allclose(one, its, rtol=1e-5, atol=1e-6)
    with pytest.raises(rlx.RlxError, match=r"RLX603.*has_aux"):
        rlx.vjp(lambda x: x * x, x, has_aux=True)
