"""jit, grad, vmap, scan, cond and the other transforms over dataclasses, attrs classes, NamedTuples, registered classes and None."""

from __future__ import annotations

import dataclasses
from collections import OrderedDict, defaultdict
from typing import Any, NamedTuple

import attrs
import numpy as np
import pytest

import rlx
from rlx import RlxError, tree, tree_util


@dataclasses.dataclass
class Plain:
    w: Any
    b: Any
    scale: int = tree.static(default=2)


@dataclasses.dataclass(frozen=True)
class Frozen:
    w: Any
    b: Any


@attrs.define
class Defined:
    w: Any
    b: Any


class Named(NamedTuple):
    w: Any
    b: Any


class Registered:
    def __init__(self, w, b):
        self.w, self.b = w, b


tree_util.register_pytree_node(Registered, lambda x: ((x.w, x.b), "name"), lambda _, parts: Registered(*parts))


KINDS = [Plain, Frozen, Defined, Named, Registered]
W, B = np.arange(6, dtype=np.float32).reshape(2, 3), np.float32([1, -1, 0.5])
X = np.float32([[1, 2], [3, -4], [0.5, 1], [2, 2]])


def loss(params, x):
    return ((x @ params.w + params.b) * (x @ params.w + params.b)).sum()


def expected_gradient(x):
    out = x @ W + B
    return 2 * x.T @ out, 2 * out.sum(0)


def close(found, expected):
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_jit_takes_and_gives_it(kind):
    double = rlx.jit(lambda params: tree.map(lambda x: x + x, params))
    found = double(kind(W, [B, None, {"z": B}]))
    assert type(found) is kind
    close(found.w, W + W)
    close(found.b[2]["z"], B + B)
    assert found.b[1] is None
    double(kind(W, [B, None, {"z": B}]))
    assert double.traces == 1


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_have_its_containers(kind):
    dw, db = expected_gradient(X)
    for function in (rlx.grad(loss), rlx.jit(rlx.grad(loss))):
        found = function(kind(W, B), X)
        assert type(found) is kind
        close(found.w, dw)
        close(found.b, db)
    value, pullback = rlx.vjp(lambda params: kind(params.w * 2, params.b * params.b), kind(W, B))
    assert type(value) is kind
    (pulled,) = pullback(kind(np.ones_like(W), np.ones_like(B)))
    assert type(pulled) is kind
    close(pulled.w, np.full_like(W, 2))
    close(pulled.b, 2 * B)
    value, slope = rlx.linearize(lambda params: (params.w * params.w).sum() + params.b.sum(), kind(W, B))
    close(slope(kind(W, B)), 2 * (W * W).sum() + B.sum())
    _, tangent = rlx.jvp(lambda p: kind(p.w * p.w, p.b), (kind(W, B),), (kind(W, B),))
    assert type(tangent) is kind
    close(tangent.w, 2 * W * W)


@pytest.mark.parametrize("kind", KINDS)
def test_vmap_over_it(kind):
    many = kind(np.stack([W, W + 1]), B)
    found = rlx.vmap(
        lambda params, x: kind(x @ params.w + params.b, params.b), in_axes=(kind(0, None), None), out_axes=kind(0, None)
    )(many, X[0])
    assert type(found) is kind
    close(found.w, np.stack([X[0] @ W + B, X[0] @ (W + 1) + B]))
    close(found.b, B)
    with pytest.raises(RlxError, match="RLX612"):
        rlx.vmap(lambda params: params.w, in_axes=({"w": 0, "b": None},))(many)


@pytest.mark.parametrize("kind", KINDS)
def test_loops_and_branches_carry_it(kind):
    def steps(start, xs):
        return rlx.lax.scan(lambda carry, x: (kind(carry.w + x, carry.b), kind(carry.w.sum(), None)), start, xs)

    xs = np.float32([1, 2, 3])
    last, ys = rlx.jit(steps)(kind(W, B), xs)
    assert type(last) is kind and type(ys) is kind and ys.b is None
    close(last.w, W + 6)
    close(ys.w, [W.sum(), (W + 1).sum(), (W + 3).sum()])

    def choose(params):
        return rlx.lax.cond(params.b.sum() > 0, lambda p: kind(p.w, p.b * 2), lambda p: kind(-p.w, p.b), params)

    close(rlx.jit(choose)(kind(W, B)).b, B * 2)
    close(rlx.jit(choose)(kind(W, -B)).w, -W)

    def loop(params):
        return rlx.lax.while_loop(lambda p: p.w.sum() < 100, lambda p: kind(p.w * 2, p.b), params)

    close(rlx.jit(loop)(kind(W, B)).w, W * 8)


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_function_closes_over_may_be_in_it(kind):
    def outer(w, b):
        params = kind(w, b)
        return rlx.grad(lambda scale: (params.w * scale).sum() + params.b.sum())(np.float32(2))

    close(rlx.jit(outer)(W, B), W.sum())


def test_custom_rules_see_containers():
    @rlx.custom_vjp
    def f(params):
        return (params.w * params.b).sum()

    f.defvjp(lambda params: (f(params), params), lambda params, g: (Plain(params.b * g, params.w * g * 10),))
    found = rlx.grad(f)(Plain(B, B + 1))
    close(found.w, B + 1)
    close(found.b, B * 10)
    jacobian = rlx.jacfwd(lambda params: Named(params.w * 2, params.b.sum()))(Frozen(B, B))
    close(jacobian.w.w, np.eye(3) * 2)
    close(jacobian.b.b, np.ones(3))


def test_a_static_field_retraces_and_a_settings_class_is_static():
    f = rlx.jit(lambda params: params.w * params.scale)
    close(f(Plain(W, None, 2)), W * 2)
    close(f(Plain(W, None, 3)), W * 3)
    close(f(Plain(W, None, 2)), W * 2)
    assert f.traces == 2

    @dataclasses.dataclass(frozen=True)
    class Settings:
        layers: int = 3

    def repeated(settings, x):
        for _ in range(settings.layers):
            x = x + x
        return x

    close(rlx.jit(repeated)(Settings(), W), W * 8)
    close(rlx.jit(repeated)(Settings(1), W), W * 2)


def test_a_static_field_without_a_hash_is_an_error():
    with pytest.raises(RlxError, match=r"RLX105.*static data of Plain at .* is not hashable"):
        rlx.jit(lambda params: params.w * 1)(Plain(W, B, [np.ones(2)]))


def test_static_data_that_is_a_dict_or_a_list_is_compared():
    @tree_util.register_pytree_node_class
    class Scaled:
        def __init__(self, x, how):
            self.x, self.how = x, how

        def tree_flatten(self):
            return (self.x,), {"factors": [self.how]}

        @classmethod
        def tree_unflatten(cls, static, children):
            return cls(*children, static["factors"][0])

    f = rlx.jit(lambda one: one.x * one.how)
    close(f(Scaled(W, 2)), W * 2)
    close(f(Scaled(W, 3)), W * 3)
    close(f(Scaled(W, 2)), W * 2)
    assert f.traces == 2


def test_other_insertion_orders_of_a_dict_are_the_same_call():
    f = rlx.jit(lambda params: {"z": params["b"] - params["a"], "y": params["a"]})
    one = f({"a": np.float32(1), "b": np.float32(5)})
    two = f({"b": np.float32(5), "a": np.float32(1)})
    assert f.traces == 1 and float(one["z"]) == float(two["z"]) == 4
    assert list(one) == ["z", "y"]  # as the function made it
    g = rlx.jit(lambda **named: named["b"] - named["a"])
    assert float(g(a=np.float32(1), b=np.float32(5))) == float(g(b=np.float32(5), a=np.float32(1))) == 4
    assert g.traces == 1


def test_gradients_of_a_dict_keep_its_order():
    found = rlx.grad(lambda p: (p["b"] * p["a"]).sum())({"b": B, "a": B + 1})
    assert list(found) == ["b", "a"]
    close(found["b"], B + 1)
    close(found["a"], B)


def test_ordered_and_default_dicts_keep_their_type():
    f = rlx.jit(lambda p: tree.map(lambda x: x + 1, p))
    found = f(OrderedDict(b=W, a=B))
    assert type(found) is OrderedDict and list(found) == ["b", "a"]
    found = f(defaultdict(list, b=W))
    assert type(found) is defaultdict and found.default_factory is list
    close(found["b"], W + 1)


def test_keys_whose_paths_read_alike_are_different_arrays():
    f = rlx.jit(lambda p: p["a.b"] - p["a"]["b"])
    assert float(f({"a.b": np.float32(5), "a": {"b": np.float32(1)}})) == 4
    g = rlx.jit(lambda p: p[1] - p["1"])
    assert float(g({1: np.float32(5), "1": np.float32(1)})) == 4


def test_in_axes_of_a_dict_in_another_order():
    found = rlx.vmap(lambda p: p["b"] * p["a"].sum(), in_axes=({"a": None, "b": 0},))({"b": X, "a": B})
    close(found, X * B.sum())
    strange = rlx.vmap(lambda p: p[1j] * p[2j].sum(), in_axes=({2j: None, 1j: 0},))({1j: X, 2j: B})
    close(strange, X * B.sum())


def test_a_jitted_method_of_a_dataclass_sees_its_fields_as_they_are():
    @dataclasses.dataclass
    class Scaled:
        w: Any
        power: int = tree.static(default=2)

        @rlx.jit
        def __call__(self, x):
            return x @ self.w * self.power

    model = Scaled(W)
    close(model(X), X @ W * 2)
    model.w = W + 1
    close(model(X), X @ (W + 1) * 2)
    assert Scaled.__call__.traces == 1


def test_partial_is_an_argument():
    apply = rlx.jit(lambda function, x: function(x))
    bound = tree_util.Partial(lambda w, x: x @ w, W)
    close(apply(bound, X), X @ W)
    close(apply(tree_util.Partial(bound.func, W + 1), X), X @ (W + 1))
    assert apply.traces == 1


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (
            lambda x: rlx.lax.scan(lambda c, _: ({"h": [c["h"][0]]}, None), {"h": [x, x]}, length=2),
            "at ['h']: expected a list of 2, got a list of 1",
        ),
        (lambda x: rlx.lax.cond(x.sum() > 0, lambda x: Named(x, x), lambda x: (x, x), x), "expected a Named, got a tuple of 2"),
        (lambda x: rlx.lax.while_loop(lambda c: c[0].sum() < 0, lambda c: c[0], (x,)), "expected a tuple of 1, got a leaf"),
    ],
)
def test_a_mismatch_says_where_and_what(function, message):
    with pytest.raises(RlxError, match="RLX114") as error:
        rlx.jit(function)(W)
    assert message in str(error.value)


def test_cotangents_of_another_structure_say_where():
    _, pullback = rlx.vjp(lambda x: {"a": x, "b": [x]}, B)
    with pytest.raises(RlxError, match="RLX114") as error:
        pullback({"a": B, "b": (B,)})
    assert "at ['b']: expected a list of 1, got a tuple of 1" in str(error.value)


def test_a_cycle_in_a_closure_is_looked_at_once():
    @dataclasses.dataclass
    class Node:
        parent: Any
        w: Any

    node = Node(None, W)
    node.parent = [node]
    close(rlx.grad(lambda x: (x * node.w).sum())(W), W)


def test_put_makes_handles_in_containers():
    handles = rlx.put(Plain(W, B))
    close(rlx.jit(lambda x: x @ handles.w + handles.b)(X), X @ W + B)
