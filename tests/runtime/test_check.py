"""rlx.check: a wrong kernel is found and named with the user's line."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import rlx
from rlx.backends.cpu.emit.values import F32 as FLOAT
from rlx.backends.cpu.kernels import KERNELS
from rlx.runtime import compile as compile_file
from tests.small_llama import random_params, small_llama

F32 = np.float32


@pytest.fixture
def no_cache(monkeypatch):
    monkeypatch.setenv("RLX_CACHE", "0")
    monkeypatch.setattr(compile_file, "_memory", {})
    yield
    compile_file._memory.clear()


@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_a_right_model_passes(device):
    exe = rlx.compile(small_llama(), device)
    exe.set_params(random_params(exe.graph))
    report = rlx.check(exe, {"ids": np.arange(12, dtype=np.int32).reshape(2, 6)})
    assert report.ok and report.first is None, str(report)
    assert "every op is within its tolerance" in str(report)
    if device == "cpu":
        assert {row.stage for row in report.rows} == {"prepare", "compiled", "op by op"}
        assert any(row.op.startswith("fused region") for row in report.rows)


def wrong(name, monkeypatch):
    """Let the kernel of an op add 1 to the first element of its result."""
    right = KERNELS[name]

    def lower(op, inputs, outputs, target):
        found = right(op, inputs, outputs, target)
        if isinstance(found, str):
            return found
        last = found.stages[-1]
        place = last.operands.index(len(inputs))

        def emit(code):
            last.emit(code)
            k = code.code
            with k.when(k.begin == 0):
                k.store(k.load(code.pointer(place), 0, FLOAT) + 1.0, code.pointer(place), 0)

        return replace(found, stages=(*found.stages[:-1], replace(last, emit=emit, key=("wrong", last.key))))

    monkeypatch.setitem(KERNELS, name, lower)


def test_a_wrong_kernel_is_named_with_its_line(no_cache, monkeypatch):
    wrong("cumsum", monkeypatch)
    g = rlx.Graph("faulty")
    x = g.input("x", ("n", 8), "f32")
    y = g.tanh(x) * 0.5
    z = g.cumsum(y, axis=1)  # the faulty line
    g.set_outputs({"out": g.exp(z) + y})
    exe = rlx.compile(g)
    report = rlx.check(exe, {"x": np.random.default_rng(0).standard_normal((4, 8)).astype(F32)})
    assert not report.ok
    assert report.first.op == "cumsum" and report.first.wrong == 1 and report.first.ratio > 1000
    node = next(node for node in g.nodes if node.op.name == "cumsum")
    assert str(node.origin.location) in report.first.where and "test_check.py" in report.first.where
    assert "first wrong: cumsum (test_check.py" in str(report)
    assert [row.op for row in report.rows if not row.ok] == ["cumsum", "cumsum"]  # what follows is judged on what it was given


def test_a_wrong_fusion_is_named_by_its_parts(no_cache, monkeypatch):
    wrong("fused", monkeypatch)
    g = rlx.Graph("fusion")
    x = g.input("x", (4, 8), "f32")
    g.set_outputs({"y": g.exp(x) * 2.0 + 1.0})
    report = rlx.check(rlx.compile(g), {"x": np.ones((4, 8), F32)})
    assert report.first.stage == "compiled" and "exp" in report.first.op and "test_check.py" in report.first.where
    assert all(row.ok for row in report.rows if row.stage == "op by op")


def test_states_and_params_are_read_not_changed():
    g = rlx.Graph("state")
    n = rlx.Dim("n")
    s = g.state("s", (n,), "f32", init=3)
    w = g.param("w", (), "f32")
    g.update("s", s * w)
    g.update("w", w + 1.0)
    g.set_outputs({"y": s + g.input("x", (n,), "f32")})
    exe = rlx.compile(g)
    exe.set_param("w", F32(2))
    exe.session.init_state(n=3)
    assert rlx.check(exe, {"x": np.ones(3, F32)}).ok
    np.testing.assert_array_equal(exe.state("s"), np.full(3, 3, F32))
    assert exe.param("w") == 2


def test_nan_and_infinity_where_the_reference_has_them_are_fine():
    g = rlx.Graph("specials")
    x = g.input("x", (5,), "f32")
    g.set_outputs({"y": g.log(x), "z": g.exp(x * 100.0)})
    report = rlx.check(rlx.compile(g), {"x": np.array([-1, 0, 1, np.inf, np.nan], F32)})
    assert report.ok, str(report)


def test_integers_and_choices_are_exact():
    g = rlx.Graph("ints")
    x = g.input("x", (6, 7), "f32")
    values, places = g.top_k(x, 3)
    g.set_outputs({"values": values, "places": places, "most": g.argmax(x, axis=1)})
    assert rlx.check(rlx.compile(g), {"x": np.random.default_rng(1).standard_normal((6, 7)).astype(F32)}).ok


def equal(*dims, value=0.1):
    return np.full(dims, value, F32)


EQUAL_SUMMANDS = {
    "matmul": (lambda g, x, w: g.matmul(x, w), equal(3, 4096), equal(4096, 5, value=0.7)),
    "sum by rows": (lambda g, x: g.sum(x, axes=(0,)), equal(4096, 3)),
    "cumsum": (lambda g, x: g.cumsum(x, axis=1), equal(3, 4096)),
    "prod": (lambda g, x: g.prod(x, axes=(0,)), equal(4096, 3, value=1.001)),
    "cumprod": (lambda g, x: g.cumprod(x, axis=1), equal(3, 4096, value=1.001)),
    "scatter_add": (lambda g, x, i: g.scatter_add(x, i, out_dim=2), equal(4096, 3), np.zeros(4096, np.int32)),
    "softmax": (lambda g, x: g.softmax(x, axis=0), equal(4096, 3)),
    "rms_norm": (lambda g, x, w: g.rms_norm(x, w, axis=1, eps=1e-6), equal(3, 4096), equal(4096, value=0.3)),
    "layer_norm": (lambda g, x, w: g.layer_norm(x, w, eps=1e-6), equal(3, 4096), equal(4096, value=0.3)),
    "attention": (
        lambda g, q, k, v: g.attention(q, k, v, num_heads=1, head_dim=128, mask_kind="none"),
        equal(1, 2, 128, value=0.3),
        equal(1, 3000, 128, value=0.3),
        equal(1, 3000, 128, value=0.7),
    ),
    "attention of values that cancel": (
        lambda g, q, k, v: g.attention(q, k, v, num_heads=1, head_dim=8, mask_kind="none"),
        equal(1, 2, 8),
        equal(1, 300, 8),
        equal(1, 300, 8, value=0.7) * np.where(np.arange(300) % 2, -1, 1).astype(F32)[:, None],
    ),
    "a region that cancels": (lambda g, x: g.sin(x) * 0.5 - x * 0.5, equal(7, value=3e-6)),
}


@pytest.mark.parametrize("device", ["reference", "cpu"])
@pytest.mark.parametrize("name", EQUAL_SUMMANDS)
def test_equal_summands_and_cancelling_ones_are_right(name, device):
    """Equal terms round the same way every time: the error grows with their number, not with its root."""
    build, *arrays = EQUAL_SUMMANDS[name]
    g = rlx.Graph("equal")
    values = [g.input(f"x{i}", array.shape, str(rlx.DType.of(array.dtype))) for i, array in enumerate(arrays)]
    g.set_outputs({"y": build(g, *values)})
    report = rlx.check(rlx.compile(g, device), {f"x{i}": array for i, array in enumerate(arrays)})
    assert report.ok, str(report)


def test_one_lost_summand_is_wrong():
    """The bound of a product of length 1000 still sees that one of its terms is missing."""
    x, w = equal(3, 1000), equal(1000, 5)
    op = rlx.ir.op.OPS["matmul"].op()
    bound = op.definition.tolerance.bound(op, [x, w], (x.astype(np.float64) @ w), rlx.DType.of("f32"))
    assert bound.max() < 0.1 * 0.1 / 10
