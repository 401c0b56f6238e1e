"""The selective scan and the gated delta net: their records against formulas, JAX's scan and transformers' delta rule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rlx
from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.op import OPS
from rlx.module import Graph, GraphModule
from tests.ops.running import draw, infer, run, symbolic


def scan_inputs(b: int, s: int, h: int, n: int, seed: int = 0) -> list[Any]:
    random = np.random.default_rng(seed)
    x, dt = random.standard_normal((b, s, h)), np.log1p(np.exp(random.standard_normal((b, s, h)) - 2))
    a = -np.exp(random.standard_normal((h, n)) * 0.5)
    return [array.astype(np.float32) for array in (x, dt, a, *random.standard_normal((2, b, s, n)))]


def delta_inputs(b: int, s: int, heads: int, n: int, seed: int = 0) -> list[Any]:
    random = np.random.default_rng(seed)
    q, k, v = random.standard_normal((3, b, s, heads, n))
    q, k = (x / np.linalg.norm(x, axis=-1, keepdims=True) for x in (q, k))
    g, beta = (-np.abs(random.standard_normal((b, s, heads))) * 0.1, 1 / (1 + np.exp(-random.standard_normal((b, s, heads)))))
    return [array.astype(np.float32) for array in (q, k, v, g, beta)]


def test_selective_scan_is_lax_scan() -> None:
    jax = pytest.importorskip("jax")
    x, dt, a, b, c = scan_inputs(2, 17, 6, 4)

    def step(state: Any, row: Any) -> Any:
        xt, dtt, bt, ct = row
        state = jax.numpy.exp(dtt[..., None] * a) * state + (dtt * xt)[..., None] * bt[:, None]
        return state, (state * ct[:, None]).sum(-1)

    rows = tuple(np.swapaxes(v, 0, 1) for v in (x, dt, b, c))
    last, ys = jax.lax.scan(step, np.zeros((2, 6, 4), np.float32), rows)
    y, state = run(OPS["selective_scan"], x, dt, a, b, c, state_size=4)
    np.testing.assert_allclose(y, np.swapaxes(np.asarray(ys), 0, 1), rtol=2e-5, atol=2e-5)
    np.testing.assert_allclose(state, last, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("name", ["torch_recurrent_gated_delta_rule", "torch_chunk_gated_delta_rule"])
def test_gated_delta_net_is_the_delta_rule_of_transformers(name: str) -> None:
    torch = pytest.importorskip("torch")
    modeling = pytest.importorskip("transformers.models.qwen3_next.modeling_qwen3_next")
    arrays = delta_inputs(2, 70, 3, 16)
    q, k, v, g, beta = map(torch.from_numpy, arrays)
    start = draw((2, 3, 16, 16), low=-0.3, high=0.3, seed=1)
    theirs, last = getattr(modeling, name)(q, k, v, g=g, beta=beta, initial_state=torch.from_numpy(start), output_final_state=True)
    o, state = run(OPS["gated_delta_net"], *arrays, start, state_size=16)
    np.testing.assert_allclose(o, theirs.numpy(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(state, last.numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("cut", [1, 4, 9])
def test_two_parts_with_the_state_between_them_are_the_whole(cut: int) -> None:
    inputs = scan_inputs(2, 10, 5, 3)
    whole, last = run(OPS["selective_scan"], *inputs, state_size=3)
    parts = [[v if v.ndim == 2 else v[:, at] for v in inputs] for at in (slice(cut), slice(cut, None))]
    first, state = run(OPS["selective_scan"], *parts[0], state_size=3)
    second, after = run(OPS["selective_scan"], *parts[1], None, state, state_size=3)
    np.testing.assert_allclose(np.concatenate([first, second], 1), whole, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(after, last, rtol=1e-5, atol=1e-6)


def test_length_is_what_cutting_a_row_would_give() -> None:
    inputs = delta_inputs(3, 8, 2, 4)
    o, state = run(OPS["gated_delta_net"], *inputs, None, np.int32([5, 0, 8]), state_size=4)
    for row, length in enumerate((5, 0, 8)):
        short, last = run(OPS["gated_delta_net"], *(v[row : row + 1, :length] for v in inputs), state_size=4)
        np.testing.assert_allclose(o[row, :length], short[0], rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(state[row], last[0], rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("decompose", [False, True])
def test_symbolic_batch_and_steps(decompose: bool) -> None:
    b, s = Dim("b", min=0), Dim("s", min=0)
    scan = [Shape(dims, "f32") for dims in ((b, s, 6), (b, s, 6), (6, 4), (b, s, 4), (b, s, 4))]
    delta = [Shape(dims, "f32") for dims in ((b, s, 2, 4),) * 3 + ((b, s, 2),) * 2]
    for sizes in ({"b": 2, "s": 5}, {"b": 1, "s": 1}):
        symbolic(OPS["selective_scan"], scan, sizes, {"state_size": 4}, decompose)
        symbolic(OPS["gated_delta_net"], delta, sizes, {"state_size": 4}, decompose)


def test_results_and_state_have_their_dtypes() -> None:
    low, high = Shape((1, 2, 3), "bf16"), Shape((1, 3, 4), "f32")
    shapes = [low, low, Shape((3, 4), "bf16"), Shape((1, 2, 4), "bf16"), Shape((1, 2, 4), "bf16"), None, high]
    y, state = infer(OPS["selective_scan"], *shapes, state_size=4)
    assert (str(y), str(state)) == ("bf16[1, 2, 3]", "f32[1, 3, 4]")


@pytest.mark.parametrize(
    ("name", "shapes", "attrs", "message"),
    [
        ("selective_scan", [(2, 3)] * 5, {"state_size": 4}, "x has rank 2"),
        ("selective_scan", [*[(2, 3, 4)] * 2, (4, 5), *[(2, 3, 6)] * 2], {"state_size": 6}, "A and state_size: 5 and 6 differ"),
        ("selective_scan", [*[(2, 3, 4)] * 2, (4, 5), (2, 9, 5), (2, 3, 5)], {"state_size": 5}, "B and [b, s, n]: 9 and 3 differ"),
        ("selective_scan", [(2, 3, 4)] * 5, {"state_size": 0}, "state_size is 0"),
        (
            "gated_delta_net",
            [(2, 3, 4, 5)] * 3 + [(2, 3, 4), (2, 3, 5)],
            {"state_size": 5},
            "sizes of beta and [b, s, H]: 5 and 4 differ",
        ),
        ("gated_delta_net", [(2, 3, 4, 5)] * 3 + [(2, 3, 4), (2, 3)], {"state_size": 5}, "beta has rank 2"),
    ],
)
def test_errors_say_both_facts(name: str, shapes: Any, attrs: Any, message: str) -> None:
    with pytest.raises(RlxError) as raised:
        infer(OPS[name], *(Shape(dims, "f32") for dims in shapes), **attrs)
    assert message in str(raised.value)


def test_ints_are_refused() -> None:
    with pytest.raises(RlxError, match="i32 is not accepted"):
        infer(OPS["gated_delta_net"], *(Shape((1, 2, 3, 4), "i32"),) * 3, *(Shape((1, 2, 3), "f32"),) * 2, state_size=4)


def test_builders_and_blocks_lower_to_one_record() -> None:
    module = GraphModule.hir("delta")
    heads = [module.input(name, ("batch", "seq", 2, 4)) for name in "qkv"]
    gates = [module.input(name, ("batch", "seq", 2)) for name in ("g", "beta")]
    state = module.input("state", ("batch", 2, 4, 4))
    y = module.gated_delta_net(*heads, *gates, state_size=4)
    o, after = module.gated_delta_net_carry(*heads, *gates, state, state_size=4)
    module.set_outputs({"y": y, "o": o, "after": after})
    names = [node.op.name for node in module.into_graph().nodes if not node.op.definition.leaf]
    assert names == ["gated_delta_net", "gated_delta_net"]
    g = Graph("scan")
    values = [g.input(name, array.shape) for name, array in zip(("x", "d", "a", "b", "c"), scan_inputs(1, 3, 4, 2), strict=True)]
    y, after = g.selective_scan_carry(*values, state_size=2)
    assert g.selective_scan(*values, state_size=2).type == y.type and after.shape == (1, 4, 2)
    g.set_outputs([y, after])
    assert rlx.graphs.parse(str(g)) == g
