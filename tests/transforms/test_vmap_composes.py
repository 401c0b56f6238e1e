"""vmap with derivatives, both ways round, for every differentiable op against a loop; and with other transforms against jax."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import rlx
from rlx.ir.evaluate import evaluate_graph
from rlx.ir.op import OPS
from rlx.ir.value import Value
from tests.transforms.examples import examples, one_graph

RANDOM = np.random.default_rng(11)
NO_GRADIENT = ("while",)  # reverse mode needs a limit, which its rows do not have


def draw(*dims):
    return RANDOM.normal(size=dims).astype(np.float32)


def differentiable(record):
    return record.level == "mir" and callable(record.cases) and record.has("vjp") and record.name not in NO_GRADIENT


RECORDS = [record for record in OPS if differentiable(record)]


# -- every op ---------------------------------------------------------------------------------------------------
def weighed(graph):
    """The graph with one output: its float outputs, weighed and summed."""
    loss = None
    for index, ref in enumerate(graph.output_refs.values()):
        value = Value(graph, ref)
        if value.dtype.is_float:
            weights = np.random.default_rng(index).normal(size=value.shape).astype(np.float32)
            term = (value.astype("f32") * weights).sum()
            loss = term if loss is None else loss + term
    if loss is not None:
        graph.set_output_refs({"loss": loss.ref})
    return loss is not None


def close(found, wanted, what):
    scale = np.max(np.abs(wanted[np.isfinite(wanted)]), initial=0) + 1e-3
    np.testing.assert_allclose(found, wanted, rtol=0, atol=2e-4 * scale, err_msg=what)


def check(record, row, places):
    """vmap of the gradient is the gradient of each example; the gradient of vmap is that too, summed where it is shared."""
    batch = examples(row, 2)
    graph, _ = one_graph(record, row, batch[0])
    floats = [name for name, node in graph.inputs.items() if node.shape.dtype.is_float and has_gradient(record, name)]
    if not floats or not weighed(graph):
        return
    gradient = rlx.autodiff.grad(graph, floats)
    axes = {f"x{index}": 0 for index in places}
    shared = {f"x{index}": array for index, array in enumerate(batch[0]) if array is not None}
    leaves = {**shared, **{f"x{index}": np.stack([operands[index] for operands in batch]) for index in places}}
    alone = [evaluate_graph(gradient.into_graph(), {**shared, **{f"x{i}": operands[i] for i in places}}) for operands in batch]
    what = f"{record.name} ({row.note}), batched {places}"
    for name, found in evaluate_graph(rlx.autodiff.vmap(gradient, axes, axis_size=2).into_graph(), leaves).items():
        close(found, np.stack([one[name] for one in alone]), f"vmap of {name} of {what}")
    many = rlx.autodiff.vmap(graph, axes, axis_size=2).into_graph()
    many.set_outputs({"loss": many.outputs["loss"].sum()})
    for name, found in evaluate_graph(rlx.autodiff.grad(many, floats).into_graph(), leaves).items():
        each = np.stack([one[name] for one in alone])
        close(found, each if name.removeprefix("grad_") in axes else each.sum(0), f"{name} of vmap of {what}")


def has_gradient(record, name):
    """Operands that are part of a packed weight have no gradient."""
    return record.operand(int(name[1:])).role != "packed" or record.name.startswith("fake_quantize")


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_gradients_of_all_examples(record):
    for row in record.cases()[:2]:
        places = [index for index, sample in enumerate(row.operands) if sample is not None]
        check(record, row, places)
        if len(places) > 1:
            check(record, row, places[:1])


# -- functions --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_per_example_gradients_of_a_network(device):
    x, labels, w = draw(5, 4), np.int32([0, 2, 1, 1, 0]), draw(4, 3)

    def loss(w, x, label):
        logits = OPS["tanh"](x @ w).reshape(1, 3)
        return OPS["softmax_cross_entropy_with_logits"](logits, label.reshape(1)).sum()

    def theirs(w, x, label):
        return -jax.nn.log_softmax(jnp.tanh(x @ w))[label]

    found = rlx.jit(rlx.vmap(rlx.grad(loss), in_axes=(None, 0, 0)), device=device)(w, x, labels)
    np.testing.assert_allclose(found, jax.vmap(jax.grad(theirs), in_axes=(None, 0, 0))(w, x, labels), rtol=1e-4, atol=1e-5)


def test_a_gradient_of_its_own_survives_vmap():
    @rlx.custom_vjp
    def twice(x, scale):
        return x * scale

    twice.defvjp(lambda x, scale: (x * scale, (x, scale)), lambda kept, g: (g * 7.0, g * kept[0]))
    x, scale = draw(4, 3), draw(3)
    gradients = rlx.grad(lambda x, s: rlx.vmap(twice, in_axes=(0, None))(x, s).sum(), argnums=(0, 1))(x, scale)
    np.testing.assert_allclose(gradients[0], np.full((4, 3), 7.0))
    np.testing.assert_allclose(gradients[1], x.sum(0), rtol=1e-5)
    inside = rlx.vmap(rlx.grad(lambda x: twice(x, scale).sum()))(x)
    np.testing.assert_allclose(inside, np.full((4, 3), 7.0))


def test_gradient_of_a_scan_of_vmaps():
    x, start = draw(6, 4, 3), draw(4, 3)

    def ours(start, x):
        last, _ = rlx.lax.scan(lambda c, row: (rlx.vmap(lambda a, b: OPS["sin"](a) * b)(c, row), None), start, x)
        return last.sum()

    def theirs(start, x):
        last, _ = jax.lax.scan(lambda c, row: (jax.vmap(lambda a, b: jnp.sin(a) * b)(c, row), None), start, x)
        return last.sum()

    for mine, other in zip(rlx.grad(ours, (0, 1))(start, x), jax.grad(theirs, (0, 1))(start, x), strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-4, atol=1e-6)


def test_tangents_of_loops_that_stop_at_different_steps():
    def halved(x):
        return rlx.lax.while_loop(lambda x: x > 1.0, lambda x: x * 0.5, x)

    x = np.float32([0.5, 3.0, 9.0])
    value, tangent = rlx.jvp(rlx.vmap(halved), (x,), (np.ones(3, np.float32),))
    np.testing.assert_allclose(value, [0.5, 0.75, 0.5625])
    np.testing.assert_allclose(tangent, [1, 0.25, 0.0625])


# -- Jacobians --------------------------------------------------------------------------------------------------
MODES = pytest.mark.parametrize("mode", ["jacfwd", "jacrev"])


@MODES
def test_jacobians_as_jax(mode):
    a, x = draw(4, 3), draw(3)
    found = getattr(rlx, mode)(lambda a, x: {"y": OPS["tanh"](a @ x), "s": (x * x).sum()}, argnums=(0, 1))(a, x)
    wanted = getattr(jax, mode)(lambda a, x: {"y": jnp.tanh(a @ x), "s": (x * x).sum()}, argnums=(0, 1))(a, x)
    assert jax.tree_util.tree_structure(found) == jax.tree_util.tree_structure(wanted)
    for mine, other in zip(jax.tree_util.tree_leaves(found), jax.tree_util.tree_leaves(wanted), strict=True):
        assert mine.shape == other.shape
        np.testing.assert_allclose(mine, other, rtol=1e-4, atol=1e-6)


@MODES
def test_jacobians_of_a_graph_of_any_size(mode):
    g = rlx.Graph("g")
    a, x = g.input("a", ("rows", 3)), g.input("x", (3,))
    hidden = g.tanh(a @ x, name="hidden")
    g.set_outputs({"y": hidden * 2.0, "sign": x > 0.0})
    made = getattr(rlx.autodiff, mode)(g, [x, hidden])
    rlx.graphs.verify(made.into_graph())
    exe = rlx.compile(made, "cpu")
    for rows in (4, 7):
        array, at = draw(rows, 3), draw(3)
        found = exe.run({"a": array, "x": at})
        assert list(found) == ["jacobian_y_x", "jacobian_y_hidden"]
        np.testing.assert_allclose(found["jacobian_y_x"], 2 * (1 - np.tanh(array @ at) ** 2)[:, None] * array, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(found["jacobian_y_hidden"], 2 * np.eye(rows), rtol=1e-6)


def test_hessians_by_nesting_both_modes():
    x = draw(4)
    wanted = jax.hessian(lambda x: (jnp.sin(x) * x[0]).sum())(x)
    for outer, inner in ((rlx.jacfwd, rlx.jacrev), (rlx.jacrev, rlx.jacfwd)):
        np.testing.assert_allclose(outer(inner(lambda x: (OPS["sin"](x) * x[0]).sum()))(x), wanted, rtol=1e-4, atol=1e-5)


@MODES
def test_a_jacobian_is_one_graph_without_a_loop(mode):
    g = rlx.Graph("g")
    x = g.input("x", (50,))
    g.set_outputs({"y": g.sin(x)})
    names = [node.op.name for node in getattr(rlx.autodiff, mode)(g, x).into_graph().nodes]
    assert len(names) < 40 and "scan" not in names and "while" not in names


def test_jacobians_of_what_is_not_real_are_refused():
    for call in (
        lambda: rlx.jacrev(lambda x: x > 0.0)(draw(3)),
        lambda: rlx.jacfwd(lambda i: i * 2.0)(np.int32([1, 2])),
        lambda: rlx.jacfwd(lambda x: x, argnums=1)(draw(3)),
    ):
        with pytest.raises(rlx.RlxError) as caught:
            call()
        assert caught.value.code == "RLX602"
