"""vmap of graphs and functions: against loops, NumPy and jax.vmap; the traps by name."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import rlx
from rlx.core.errors import RlxError
from rlx.ir.op import OPS
from rlx.transforms.vmap import vmap
from tests.small_llama import random_params, small_llama

RANDOM = np.random.default_rng(7)


def draw(*dims):
    return RANDOM.normal(size=dims).astype(np.float32)


def loop(function, *batches, axes=None):
    """The definition: the function on each example."""
    axes = axes or [0] * len(batches)
    count = next(batch.shape[axis] for batch, axis in zip(batches, axes, strict=True) if axis is not None)
    rows = [[b if a is None else np.take(b, i, a) for b, a in zip(batches, axes, strict=True)] for i in range(count)]
    return np.stack([function(*row) for row in rows])


def on(device, function):
    return rlx.jit(function, device=device)


DEVICES = pytest.mark.parametrize("device", ["reference", "cpu"])


# -- named traps ------------------------------------------------------------------------------------------------
@DEVICES
def test_trap_softmax_of_the_last_axis(device):
    x = draw(5, 3, 7)
    found = on(device, rlx.vmap(lambda row: OPS["softmax"](row, axis=-1), in_axes=1))(x)
    np.testing.assert_allclose(found, jax.vmap(lambda row: jax.nn.softmax(row, -1), in_axes=1)(x), rtol=1e-5)


@DEVICES
def test_trap_attention(device):
    q, k, v = draw(4, 2, 5, 32), draw(4, 2, 6, 16), draw(4, 2, 6, 16)
    lengths = np.int32([[6, 3], [1, 5], [2, 2], [6, 0]])

    def attend(q, k, v, length):
        return OPS["attention"](q, k, v, None, None, length, num_heads=4, num_kv_heads=2, head_dim=8, mask_kind="causal")

    wanted = np.stack([on("reference", attend)(*row) for row in zip(q, k, v, lengths, strict=True)])
    np.testing.assert_allclose(on(device, rlx.vmap(attend))(q, k, v, lengths), wanted, rtol=2e-5, atol=2e-6)
    shared = np.stack([on("reference", attend)(q[i], k[0], v[0], lengths[0]) for i in range(4)])
    found = on(device, rlx.vmap(attend, in_axes=(0, None, None, None)))(q, k[0], v[0], lengths[0])
    np.testing.assert_allclose(found, shared, rtol=2e-5, atol=2e-6)


@DEVICES
def test_trap_rope(device):
    x, cos, sin = draw(3, 2, 5, 16), draw(3, 9, 4), draw(3, 9, 4)
    places = RANDOM.integers(-3, 12, (3, 2, 5)).astype(np.int32)

    def turn(x, cos, sin, places):
        return OPS["rope"](x, cos, sin, places, head_dim=8)

    wanted = np.stack([on("reference", turn)(*row) for row in zip(x, cos, sin, places, strict=True)])
    np.testing.assert_allclose(on(device, rlx.vmap(turn))(x, cos, sin, places), wanted, rtol=1e-5, atol=1e-6)


@DEVICES
def test_trap_scan(device):
    starts, rows, weight = draw(4, 3), draw(6, 4, 3), draw(3, 3)

    def run(start, rows, weight):
        return rlx.lax.scan(lambda c, x: (OPS["tanh"](c @ weight + x), c * x), start, rows)

    found = on(device, rlx.vmap(run, in_axes=(0, 1, None)))(starts, rows, weight)
    wanted = jax.vmap(lambda s, r: jax.lax.scan(lambda c, x: (jnp.tanh(c @ weight + x), c * x), s, r), in_axes=(0, 1))(starts, rows)
    for mine, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-5, atol=1e-6)


# -- control flow -----------------------------------------------------------------------------------------------
def test_a_counter_stays_one_number():
    body = rlx.Graph("f")
    x = body.input("x", (3,))
    last, _ = body.while_loop((x, np.int32(0)), cond=lambda x, i: i < 4, body=lambda x, i: (x * 2.0, i + 1))
    body.set_outputs({"y": last})
    (loop_node,) = [node for node in vmap(body, 0, axis_size=5).into_graph().nodes if node.op.name == "while"]
    assert [str(shape) for shape in loop_node.results] == ["f32[5, 3]", "i32[]"]


@DEVICES
def test_while_stops_for_each_example_by_itself(device):
    def collatz(n):
        return rlx.lax.while_loop(
            lambda s: s[0] > 1, lambda s: (OPS["where"](s[0] % 2 == 0, s[0] // 2, s[0] * 3 + 1), s[1] + 1), (n, np.int32(0))
        )

    ones, steps = on(device, rlx.vmap(collatz))(np.int32([1, 2, 7, 27, 6]))
    np.testing.assert_array_equal(steps, [0, 1, 16, 111, 8])
    np.testing.assert_array_equal(ones, [1] * 5)


@DEVICES
def test_a_limit_on_steps_counts_for_each_example(device):
    found = on(device, rlx.vmap(lambda n: rlx.lax.while_loop(lambda n: n < 10, lambda n: n + 1, n, max_iterations=3)))
    np.testing.assert_array_equal(found(np.int32([0, 8, 9, 20])), [3, 10, 10, 20])


@DEVICES
def test_cond_by_example_and_shared(device):
    def choose(flag, x, y):
        return rlx.lax.cond(flag, lambda x, y: (x + y, x), lambda x, y: (x * y, y), x, y)

    x, y, flags = draw(4, 3), draw(3), np.array([True, False, False, True])
    found = on(device, rlx.vmap(choose, in_axes=(0, 0, None)))(flags, x, y)
    np.testing.assert_array_equal(found[0], np.where(flags[:, None], x + y, x * y))
    np.testing.assert_array_equal(found[1], np.where(flags[:, None], x, y))
    shared = on(device, rlx.vmap(choose, in_axes=(None, 0, None)))(np.array(False), x, y)
    np.testing.assert_array_equal(shared[0], x * y)
    np.testing.assert_array_equal(shared[1], np.broadcast_to(y, x.shape))


def test_a_shared_pred_still_runs_one_branch():
    g = rlx.Graph("f")
    flag, x = g.input("flag", (), "bool"), g.input("x", (3,))
    g.set_outputs(list(g.cond(flag, lambda x: x + 1.0, lambda x: x * 2.0, [x])))
    assert [node.op.name for node in vmap(g, {"x": 0}).into_graph().nodes if node.op.name in ("if", "where")] == ["if"]


def test_a_registered_op_without_a_rule_runs_one_example_after_the_other():
    total = rlx.register_op("vmap_test_total", "x", infer=lambda call: call.given[0].with_dims(()), reference=lambda x: x.sum())
    try:
        x = draw(4, 3, 2)
        np.testing.assert_allclose(on("reference", rlx.vmap(total))(x), x.sum((1, 2)), rtol=1e-6)
    finally:
        rlx.graphs.unregister_op("vmap_test_total")


# -- positions --------------------------------------------------------------------------------------------------
@DEVICES
def test_an_index_outside_its_own_example_is_an_error_though_the_next_example_has_it(device):
    take = rlx.vmap(lambda x, i: OPS["gather"](x, i, axis=0, check_bounds=True))
    x = draw(3, 4)
    np.testing.assert_array_equal(on(device, take)(x, np.int32([3, -4, 0])), [x[0, 3], x[1, 0], x[2, 0]])
    refused("RLX508", lambda: on(device, take)(x, np.int32([4, 0, 0])))
    write = rlx.vmap(lambda x, i: OPS["scatter"](x, i, np.float32(9), axis=0, outside="fill"))
    np.testing.assert_array_equal(on(device, write)(np.zeros((2, 2), np.float32), np.int32([2, -1])), [[0, 0], [0, 9]])


# -- random numbers ---------------------------------------------------------------------------------------------
def test_a_key_of_each_example_draws_as_it_does_alone():
    keys = np.uint32([[1, 2], [3, 4], [5, 6]])

    def noise(key):
        return OPS["random_normal"](key, np.uint64(9), shape=(5,), stream=2)

    wanted = np.stack([on("reference", noise)(key) for key in keys])
    np.testing.assert_array_equal(on("reference", rlx.vmap(noise))(keys), wanted)
    np.testing.assert_array_equal(on("cpu", rlx.vmap(noise))(keys), np.stack([on("cpu", noise)(key) for key in keys]))


def test_a_shared_key_drops_the_same_elements_of_every_example():
    x = np.ones((4, 50), np.float32)
    found = on("cpu", rlx.vmap(lambda x, key: OPS["dropout"](x, key, np.uint64(0), rate=0.5), in_axes=(0, None)))(
        x, np.uint32([1, 2])
    )
    assert 0 < np.count_nonzero(found[0]) < 50
    np.testing.assert_array_equal(found, np.broadcast_to(found[0], found.shape))


# -- functions against jax --------------------------------------------------------------------------------------
FUNCTIONS = {  # the function, for jax where it is spelled otherwise, arguments, axes
    "matmul of vectors": (lambda x, y: x @ y, None, (draw(4, 3), draw(4, 3)), (0, 0), 0),
    "matmul of a vector and a batch of matrices": (lambda x, y: x @ y, None, (draw(3, 4), draw(2, 3, 5)), (1, None), 0),
    "matmul, both batched in odd places": (lambda x, y: x @ y, None, (draw(2, 3, 4, 6), draw(4, 6, 5)), (3, 1), 1),
    "matmul of a shared matrix and vectors": (lambda x, y: x @ y, None, (draw(2, 3), draw(3, 5)), (None, 1), 0),
    "a broadcast of lower rank": (lambda x, y: x * y + y, None, (draw(2, 5), draw(3, 4, 5)), (0, None), 2),
    "reductions": (
        lambda x: (x.sum(0), x.max(axes=(1,), keep_dim=True)),
        lambda x: (x.sum(0), x.max(axis=1, keepdims=True)),
        (draw(3, 4, 5),),
        (2,),
        (0, -1),
    ),
    "indexing": (lambda x, i: x[i], None, (draw(4, 6, 3), np.int32([0, 5, 2, 3])), (0, 0), 0),
    "containers": (
        lambda tree: {"a": tree["x"] + tree["y"][0], "b": [tree["y"][0]]},
        None,
        ({"x": draw(3, 2), "y": [draw(2, 3)]},),
        ({"x": 0, "y": [1]},),
        {"a": 0, "b": 1},
    ),
    "a result without the batch": (lambda x, y: (x + y, y * 2), None, (draw(3, 2), draw(2)), (0, None), (0, 0)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_as_jax_vmap(name):
    function, theirs, args, in_axes, out_axes = FUNCTIONS[name]
    wanted = jax.tree_util.tree_leaves(jax.vmap(theirs or function, in_axes, out_axes)(*args))
    transformed = rlx.vmap(function, in_axes, out_axes)
    for found in (on("reference", transformed)(*args), transformed(*args)):
        leaves = jax.tree_util.tree_leaves(found)
        assert [leaf.shape for leaf in leaves] == [leaf.shape for leaf in wanted]
        for mine, other in zip(leaves, wanted, strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-5, atol=1e-5)


@DEVICES
def test_nested_vmaps_are_all_pairs(device):
    x, y = draw(4, 3), draw(5, 3)
    pairs = rlx.vmap(lambda a: rlx.vmap(lambda b: ((a - b) * (a - b)).sum())(y))
    np.testing.assert_allclose(on(device, pairs)(x), ((x[:, None] - y) ** 2).sum(-1), rtol=1e-5)
    table = rlx.vmap(rlx.vmap(lambda a, b: a * b, in_axes=(None, 0)), in_axes=(0, None), out_axes=1)
    np.testing.assert_allclose(on(device, table)(x[:, 0], y[:, 0]), np.outer(y[:, 0], x[:, 0]), rtol=1e-6)


def test_vmap_inside_a_scan_inside_a_vmap():
    x = draw(4, 6, 3)

    def total(rows):
        return rlx.lax.scan(lambda c, row: (c + rlx.vmap(lambda e: e * e)(row), None), np.zeros(3, np.float32), rows)[0]

    np.testing.assert_allclose(on("reference", rlx.vmap(total))(x), (x * x).sum(1), rtol=1e-5)


def test_arguments_that_are_arrays_beside_closed_over_values():
    found = on("cpu", lambda x: rlx.vmap(lambda i: x[i] * 2.0)(np.int32([2, 0])))(np.float32([1, 2, 3]))
    np.testing.assert_array_equal(found, [6, 2])


def test_a_jitted_function_inside_a_trace_is_part_of_it():
    double = rlx.jit(lambda x: x * 2.0)
    x = draw(3, 2)
    np.testing.assert_allclose(rlx.vmap(double)(x), x * 2)
    np.testing.assert_allclose(rlx.grad(lambda x: double(x).sum())(x), np.full((3, 2), 2.0))
    assert double.traces == 0


def test_a_new_number_of_examples_does_not_compile_again():
    dot = rlx.jit(rlx.vmap(lambda x, y: (x * y).sum()))
    for count in (3, 4, 5, 9):
        x, y = draw(count, 4), draw(count, 4)
        np.testing.assert_allclose(dot(x, y), (x * y).sum(1), rtol=1e-5, atol=1e-6)
    assert dot.traces == 2


# -- graphs -----------------------------------------------------------------------------------------------------
def network():
    g = rlx.Graph("net")
    x, w = g.input("x", (3, 4)), g.param("w", (4, 5))
    hidden = g.gelu(x @ w)
    g.set_outputs({"y": g.layer_norm(hidden, g.param("gamma", (5,))), "w2": w * 2.0})
    return g, x, hidden


@DEVICES
def test_a_graph_with_params_for_any_number_of_examples(device):
    g, _, _ = network()
    weights = {"w": draw(4, 5), "gamma": draw(5)}
    one, many = rlx.compile(g, device), rlx.compile(vmap(g, {"x": 1}, {"y": -1, "w2": None}), device)
    for exe in (one, many):
        for name, array in weights.items():
            exe.set_param(name, array)
    for count in (1, 3, 6):
        x = draw(3, count, 4)
        found = many.run({"x": x})
        wanted = loop(lambda row: one.run({"x": row})["y"], x, axes=[1])
        np.testing.assert_allclose(found["y"], np.moveaxis(wanted, 0, -1), rtol=1e-4, atol=1e-5)
        np.testing.assert_array_equal(found["w2"], weights["w"] * 2)


def test_handles_and_lines_survive():
    g, x, hidden = network()
    made = vmap(g, 0, axis_size="batch")
    assert str(made.resolve(x).type) == "f32[batch, 3, 4]"
    assert str(made.resolve(hidden).type) == "f32[batch, 3, 5]"
    rlx.graphs.verify(made.into_graph())
    lines = {str(node.origin.location) for node in made.into_graph().nodes if node.op.name == "gelu"}
    assert lines == {str(g.node(hidden.ref).origin.location)}


def test_a_symbol_for_the_batch_that_the_graph_does_not_have():
    g = rlx.Graph("g")
    g.set_outputs([g.input("x", ("examples", 2)) + 1.0])
    assert list(vmap(vmap(g)).into_graph().inputs["x"].shape.dims[:2]) == [rlx.Dim("examples_3"), rlx.Dim("examples_2")]


def test_a_module_of_blocks_is_lowered_first():
    m = rlx.Graph.hir("ffn")
    x = m.input("x", ("rows", 8), "f32")
    up, gate, down = (m.param(name, dims, "f32") for name, dims in (("up", (8, 6)), ("gate", (8, 6)), ("down", (6, 8))))
    m.set_outputs({"y": m.swiglu_ffn(x, up, gate, down)})
    weights = {"up": draw(8, 6), "gate": draw(8, 6), "down": draw(6, 8)}
    exe = rlx.compile(vmap(m, {"x": 0}), "reference")
    for name, array in weights.items():
        exe.set_param(name, array)
    x = draw(2, 3, 8)
    gates = x @ weights["gate"]
    wanted = (x @ weights["up"] * gates / (1 + np.exp(-gates))) @ weights["down"]
    np.testing.assert_allclose(exe(x=x), wanted, rtol=1e-4, atol=1e-5)


def test_packed_params_stay_packed():
    g = rlx.Graph("embed")
    table, head = g.param("table", (16, 64), scheme="int8/32"), g.param("head", (64, 8), scheme="gguf_q8_0")
    g.set_outputs({"y": g.gather(table, g.input("ids", (3,), "i32"), axis=0) @ head})
    assert [node.op.name for node in vmap(g).into_graph().nodes if not node.op.definition.leaf] == ["gather", "matmul"]


@DEVICES
def test_a_llama_of_batches(device):
    model = small_llama()
    one, many = rlx.compile(model, device), rlx.compile(vmap(model, {"ids": 1}), device)
    for name, array in random_params(model.into_graph()).items():
        one.set_param(name, array)
        many.set_param(name, array)
    ids = RANDOM.integers(0, 64, (2, 3, 7)).astype(np.int32)
    flat = one(ids=ids.reshape(6, 7)).reshape(2, 3, 7, 64)
    np.testing.assert_allclose(many(ids=ids), np.moveaxis(flat, 1, 0), rtol=1e-4, atol=1e-4)


def test_states_are_shared_and_a_shared_update_stays():
    g = rlx.Graph("counter")
    x, count = g.input("x", ()), g.state("count", ())
    g.set_outputs({"y": x + count})
    g.update("count", count + 1.0)
    exe = rlx.compile(vmap(g), "reference")
    np.testing.assert_array_equal(exe(x=np.float32([1, 2])), [1, 2])
    np.testing.assert_array_equal(exe(x=np.float32([1, 2])), [2, 3])


# -- errors -----------------------------------------------------------------------------------------------------
def refused(code, call, *words):
    with pytest.raises(RlxError) as caught:
        call()
    assert caught.value.code == code
    for word in words:
        assert word in str(caught.value)


def test_an_update_that_differs_by_example_is_refused():
    g = rlx.Graph("g")
    x, total = g.input("x", ()), g.state("total", ())
    g.set_outputs({"y": x})
    g.update("total", total + x)
    refused("RLX611", lambda: vmap(g), "total", "out")


def test_axes_that_do_not_fit_are_refused():
    g, _, _ = network()
    refused("RLX612", lambda: vmap(g, {"x": 3}), "'x'", "rank 3")
    refused("RLX109", lambda: vmap(g, {"z": 0}), "'z'", "x")
    refused("RLX612", lambda: vmap(g, [0, 0]), "2 entries", "1 inputs")
    refused("RLX612", lambda: vmap(g, 0, {"y": None}), "'y'")
    refused("RLX402", lambda: vmap(rlx.graphs.lower(g, "reference")), "LIR")
    refused("RLX612", lambda: rlx.vmap(lambda x, y: x + y)(draw(3), draw(4)), "3", "4")
    refused("RLX612", lambda: rlx.vmap(lambda x: x, in_axes=(0, 0))(draw(3)), "2 entries")
    refused("RLX612", lambda: rlx.vmap(lambda x: x, in_axes=None)(draw(3)), "no argument")
