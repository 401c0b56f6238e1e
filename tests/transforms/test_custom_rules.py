"""custom_vjp and custom_jvp as in JAX: rules that call their own function, derivatives of derivatives, vmap, scan and jit of them."""

from __future__ import annotations

import functools

import jax
import numpy as np
import pytest

import rlx
from rlx.core.errors import RlxError
from rlx.ir.op import OPS
from tests.transforms.custom_functions import (
    FORWARD,
    JAX,
    OURS,
    RULES,
    jvp_of_its_own_value,
    stable_log1pexp,
    vjp_of_its_own_value,
    vjp_whose_backward_calls_it,
    vjp_whose_forward_differs,
)


@pytest.fixture(autouse=True)
def wide_numbers():
    """JAX in f64, here only: the setting is the process's."""
    with jax.enable_x64(True):
        yield


def scalar(m, f):
    return lambda x: m.sum(f(x) * np.float64([1.0, -2.0, 0.5]))


def first(m, f):
    return m.value_and_grad(scalar(m, f))


def second(m, f):
    """Reverse over reverse, of the gradient and of the value that comes with it."""

    def both(x):
        value, gradient = m.value_and_grad(scalar(m, f))(x)
        return value * 3.0 + m.sum(gradient * gradient)

    return m.value_and_grad(both)


def third(m, f):
    return m.grad(lambda x: m.sum(m.sin(m.grad(second_alone(m, f))(x))))


def second_alone(m, f):
    return lambda x: m.sum(m.grad(scalar(m, f))(x) ** 2)


def value_of_vjp(m, f):
    """What vjp returns as the value, differentiated again."""
    return m.grad(lambda x: m.sum(m.vjp(f, x)[0] * x))


def pullback_by_its_point(m, f):
    return m.grad(lambda x: m.sum(m.vjp(f, x)[1](x * 2.0)[0]))


def under_vmap(m, f):
    return lambda x: m.vmap(m.grad(lambda y: m.sum(f(y)) * 2.0))(x.reshape(3, 1))


def gradient_of_vmap(m, f):
    return second(m, lambda x: m.vmap(f)(x.reshape(3, 1)).reshape(3))


def vmap_of_second(m, f):
    return lambda x: m.vmap(m.grad(lambda y: m.sum(m.grad(lambda z: m.sum(f(z)))(y) ** 2)))(x.reshape(3, 1))


def in_a_scan(m, f):
    def loss(x):
        last, every = m.scan(lambda c, row: (f(c) * row, f(c)), x, np.float64([0.9, 1.1]))
        return m.sum(last) + m.sum(every * every)

    return m.value_and_grad(loss)


def second_in_a_scan(m, f):
    return m.grad(lambda x: m.sum(in_a_scan(m, f)(x)[1] ** 2))


def within_jit(m, f):
    return m.jit(m.grad(m.jit(scalar(m, m.jit(f)))))


def of_a_checkpoint(m, f):
    return second(m, m.checkpoint(f))


def rows(m, f):
    return m.jacrev(m.jacrev(f))


REVERSE = [
    first,
    second,
    third,
    value_of_vjp,
    pullback_by_its_point,
    under_vmap,
    gradient_of_vmap,
    vmap_of_second,
    in_a_scan,
    second_in_a_scan,
    within_jit,
    of_a_checkpoint,
    rows,
]


def pairs(rules, transforms, always):
    """Every rule with every transform; those but the telling ones are long."""
    return [
        pytest.param(
            rule, each, id=f"{rule.__name__}-{each.__name__}", marks=() if {rule, each} & set(always) else pytest.mark.long
        )
        for rule in rules
        for each in transforms
    ]


@pytest.mark.parametrize(("rule", "transform"), pairs(RULES, REVERSE, (vjp_of_its_own_value, vjp_whose_forward_differs, second)))
def test_reverse_is_as_in_jax(rule, transform):
    compare(rule, transform)


def compare(rule, transform):
    x = np.float64([0.3, -0.7, 1.1])
    function = transform(OURS, rule(OURS))
    ours = rlx.jit(lambda x: function(x), device="reference")(x)
    theirs = jax.jit(transform(JAX, rule(JAX)))(x)
    for mine, other in zip(leaves(ours), leaves(theirs), strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-9, atol=1e-9)


def leaves(tree):
    return list(tree) if isinstance(tree, tuple) else [tree]


def tangent(m, f):
    return lambda x: m.jvp(f, (x,), (x * 0.5 + 1.0,))


def tangent_of_tangent(m, f):
    return lambda x: m.jvp(lambda y: m.jvp(f, (y,), (y * y,))[1], (x,), (x + 1.0,))


def tangent_of_value(m, f):
    return lambda x: m.jvp(lambda y: m.jvp(f, (y,), (y * y,))[0], (x,), (x + 1.0,))


def columns(m, f):
    return m.jacfwd(m.jacfwd(f))


def tangent_of_gradient(m, f):
    return lambda x: m.jvp(m.grad(scalar(m, f)), (x,), (x + 1.0,))


def gradient_of_tangent(m, f):
    return m.grad(lambda x: m.sum(m.jvp(f, (x,), (x * x,))[1]))


def tangent_of_scan(m, f):
    return lambda x: m.jvp(lambda y: m.scan(lambda c, row: (f(c) * row, f(c)), y, np.float64([0.9, 1.1]))[0], (x,), (x + 1.0,))


def tangents_of_vmap(m, f):
    return lambda x: m.jvp(lambda y: m.vmap(f)(y.reshape(3, 1)), (x,), (x + 1.0,))


TANGENTS = [
    tangent,
    tangent_of_tangent,
    tangent_of_value,
    tangent_of_gradient,
    gradient_of_tangent,
    tangent_of_scan,
    tangents_of_vmap,
    columns,
]


@pytest.mark.parametrize(("rule", "transform"), pairs(FORWARD, TANGENTS, (jvp_of_its_own_value, tangent_of_tangent)))
def test_forward_is_as_in_jax(rule, transform):
    compare(rule, transform)


@pytest.mark.parametrize("rule", [vjp_whose_backward_calls_it, vjp_whose_forward_differs])
def test_forward_over_reverse_of_a_custom_vjp_is_as_in_jax(rule):
    """JAX has no tangents of a custom_vjp by itself; of its gradient it has, where bwd alone calls the function it refuses."""
    if rule is vjp_whose_forward_differs:
        compare(rule, tangent_of_gradient)
    x = np.float64([0.3, -0.7, 1.1])
    forward = rlx.jit(lambda x: rlx.jvp(rlx.grad(scalar(OURS, rule(OURS))), (x,), (x + 1.0,))[1], device="reference")(x)
    hessian = jax.jacrev(jax.grad(scalar(JAX, rule(JAX))))(x)
    np.testing.assert_allclose(forward, hessian @ (x + 1.0), rtol=1e-9)


def test_a_rule_that_calls_its_function_runs_on_arrays_and_natively():
    ours, theirs = stable_log1pexp(OURS), stable_log1pexp(JAX)
    x = np.float32([0.5, 100.0])
    np.testing.assert_allclose(ours(x[:1]), theirs(x[:1]), rtol=1e-6)
    np.testing.assert_allclose(rlx.grad(lambda x: ours(x).sum())(x), [1 / (1 + np.exp(-0.5)), 1.0], rtol=1e-6)


def product_of_two(m):
    @m.custom_jvp
    def f(x, y=3.0):
        return x * y

    f.defjvp(lambda primals, tangents: (primals[0] * primals[1], tangents[0] * 5.0 + tangents[1]))
    return f


@pytest.mark.parametrize("call", [lambda f, x: f(x, y=x), lambda f, x: f(y=2.0, x=x), lambda f, x: f(x)])
def test_keyword_arguments_and_defaults_of_a_custom_function_go_to_their_places(call):
    functions = [(m, product_of_two(m)) for m in (OURS, JAX)]
    ours, theirs = (m.grad(functools.partial(call, f))(np.float64(1.5)) for m, f in functions)
    np.testing.assert_allclose(ours, theirs)


def test_an_argument_of_a_custom_function_by_name_alone_is_refused():
    f = rlx.custom_vjp(lambda x, *, shift=0.0: x + shift)
    f.defvjp(lambda x: (x, None), lambda _, g: (g,))
    with pytest.raises(RlxError, match="shift"):
        f(np.float64(1.0), shift=1.0)


def test_defjvps_gives_one_rule_for_each_argument():
    def make(m):
        @m.custom_jvp
        def f(x, y, z):
            return m.sin(x) * y + z

        f.defjvps(lambda t, value, x, y, z: m.cos(x) * t * 2.0, lambda t, value, x, y, z: value * t, None)
        return f

    x, y, z = np.float64(0.3), np.float64(1.7), np.float64(0.2)
    ours, theirs = (m.grad(make(m), argnums=(0, 1, 2))(x, y, z) for m in (OURS, JAX))
    np.testing.assert_allclose(ours, theirs)
    ours, theirs = (m.grad(m.grad(make(m), argnums=1), argnums=0)(x, y, z) for m in (OURS, JAX))
    np.testing.assert_allclose(ours, theirs)


def test_a_custom_function_of_containers_with_integers_and_residuals_of_any_kind():
    def make(m):
        @m.custom_vjp
        def f(params, index):
            return {"y": params["w"] * params["b"], "n": index}

        def fwd(params, index):
            return f(params, index), {"params": params, "note": "kept", "none": None, "index": index, "two": 2}

        def bwd(kept, g):
            assert kept["note"] == "kept" and kept["none"] is None
            return {"w": g["y"] * kept["params"]["b"] * kept["two"], "b": g["y"] * kept["params"]["w"]}, None

        f.defvjp(fwd, bwd)
        return f

    f = make(OURS)
    w, b = np.float64([1, 2]), np.float64([5, 7])

    def loss(params, index):
        return (f(params, index)["y"] ** 2).sum()

    found = rlx.grad(loss)({"w": w, "b": b}, np.int32(1))
    np.testing.assert_allclose(found["w"], 2 * w * b * b * 2)
    np.testing.assert_allclose(found["b"], 2 * w * b * w)


def test_a_higher_derivative_than_a_graph_was_traced_for_is_refused_not_wrong():
    """Transforms of a graph come after the rules were traced; what they could not know is an error that says so."""
    f = jvp_of_its_own_value(OURS)
    graph = rlx.Graph("by hand")
    x = graph.input("x", (), "f64")
    graph.set_outputs({"y": f(x)})
    point, order, wanted = np.float64(0.3), graph, np.exp(0.3) + 0.3
    for times in range(2):
        order = rlx.autodiff.grad(order, ["x"])
        wanted *= 3
        np.testing.assert_allclose(rlx.compile(order, "reference").run({"x": point})["grad_x"], wanted, rtol=1e-12)
        assert times < 2
    with pytest.raises(RlxError) as caught:
        rlx.autodiff.grad(order, ["x"])
    assert caught.value.code == "RLX601" and "f calls itself in its rule" in str(caught.value)


def test_a_rule_that_calls_its_function_with_ever_new_sizes_ends():
    @rlx.custom_jvp
    def f(x):
        return x * 2.0

    @f.defjvp
    def f_jvp(primals, tangents):
        (x,), (t,) = primals, tangents
        return f(x), f(OPS["concat"](x, x, axis=0)).sum() * t

    np.testing.assert_allclose(rlx.grad(lambda x: f(x).sum())(np.float64([1.0, 2.0])), [12.0, 12.0])


def test_a_branch_and_a_loop_of_a_custom_function_are_differentiated_through_what_fwd_computes():
    """The value's slope is that of fwd's own code, 2x, as without the cond."""
    f = vjp_whose_forward_differs(OURS)

    def both(through):
        return lambda x: rlx.value_and_grad(lambda y: through(y))(x)[0]

    for through in (
        f,
        lambda y: rlx.lax.cond(y > 0.0, f, lambda y: y, y),
        lambda y: rlx.lax.while_loop(lambda c: c[1] < 1, lambda c: (f(c[0]), c[1] + 1), (y, np.int32(0)), max_iterations=2)[0],
    ):
        assert rlx.grad(both(through))(np.float64(3.0)) == 6.0
