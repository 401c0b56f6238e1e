"""excess_precision=False: each op's result is rounded to its dtype, as where every op runs by itself. Expected: JAX, op by op."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import rlx
import rlx.lax
import rlx.nn
import rlx.numpy as rnp
from bench.low_floats import CHAINS, LOW, Chain, bits, operands

EXACT = {"x·y + x", "polynomial"}
"""Their ops have one right rounding; functions such as exp differ between libraries by a last bit now and then."""
DEVICES = ["cpu", "xla", pytest.param("cuda", marks=pytest.mark.skipif(find_spec("triton") is None, reason="no triton"))]


def compiled(chain: Chain, device: str = "cpu", **options: Any) -> Any:
    return rlx.jit(lambda x, y: chain(rnp, x, y), device=device, **options)


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RLX_CUDA", "interpret")


@pytest.mark.parametrize("dtype", list(LOW))
@pytest.mark.parametrize("name", list(CHAINS))
def test_low_floats_under_jit_round_each_op(name: str, dtype: str):
    """They stayed f32 in fused kernels: 54 to 73 % of the bits equaled those of the ops one by one, where JAX's jit has all."""
    x, y = operands(dtype, 2000)
    one_by_one = bits(CHAINS[name](jnp, jnp.asarray(x), jnp.asarray(y)))
    assert (bits(compiled(CHAINS[name], excess_precision=False)(x, y)) == one_by_one).all()
    assert (bits(compiled(CHAINS[name])(x, y)) == one_by_one).mean() < 0.9  # the default: excess precision inside


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", list(LOW))
@pytest.mark.parametrize("name", sorted(EXACT))
def test_low_floats_round_each_op_on_every_device(name: str, dtype: str, device: str):
    x, y = operands(dtype, 300)
    one_by_one = bits(CHAINS[name](jnp, jnp.asarray(x), jnp.asarray(y)))
    assert (bits(compiled(CHAINS[name], device, excess_precision=False)(x, y)) == one_by_one).all()


@pytest.mark.parametrize("device", ["cpu", "reference", *DEVICES[1:]])
def test_a_sum_beyond_the_range_of_f16_is_infinite(device: str):
    """60000 + 60000 is an infinity of f16; inside a kernel it is 120000 by default."""
    x = np.float16([60000, 1])
    found = rlx.jit(lambda x: (x + x) * 0.5, device=device, excess_precision=False)(x)
    assert np.asarray(found).tolist() == [np.inf, 1.0]


def test_sums_inside_an_op_stay_f32():
    """4096 twos in bf16: with each step rounded the sum would stop at 512."""
    x = np.ones((2, 4096), ml_dtypes.bfloat16)
    found = rlx.jit(lambda x: rnp.sum(x + x, axis=-1) + 64.0, excess_precision=False)(x)
    assert found.astype(np.float32).tolist() == [8256.0, 8256.0]  # 2**13 + 2**6, a number of bf16


def test_the_epilogue_of_a_product_rounds_each_op():
    """x·w is rounded, then + b is, then the last product: as the three kernels one by one."""
    draw = np.random.default_rng(1).standard_normal
    x, w, b = (draw(size, np.float32).astype(ml_dtypes.bfloat16) for size in ((40, 48), (48, 64), (64,)))
    g = rlx.Graph("layer")
    product = g.matmul(g.input("x", x.shape, "bf16"), g.param("w", w.shape, "bf16"))
    g.set_outputs({"y": (product + g.param("b", b.shape, "bf16")) * product})
    rounded = rlx.compile(g, excess_precision=False)
    alone = rlx.Graph("product")
    alone.set_outputs({"y": alone.matmul(alone.input("x", x.shape, "bf16"), alone.param("w", w.shape, "bf16"))})
    product_alone = rlx.compile(alone)
    for executable, params in ((rounded, {"w": w, "b": b}), (product_alone, {"w": w})):
        for name, array in params.items():
            executable.set_param(name, array)
    p = jnp.asarray(product_alone(x))
    assert (bits(rounded(x)) == bits((p + jnp.asarray(b)) * p)).all()


def test_bodies_of_loops_round_each_op():
    x, y = operands("bf16", 64)

    def run(np_: Any, scan: Any, x: Any, y: Any) -> Any:
        return scan(lambda c, _: (CHAINS["polynomial"](np_, c, y) * 0.125, None), x, None, length=3)[0]

    found = rlx.jit(lambda x, y: run(rnp, rlx.lax.scan, x, y), excess_precision=False)(x, y)
    wanted = jnp.asarray(x)
    for _ in range(3):
        wanted = CHAINS["polynomial"](jnp, wanted, jnp.asarray(y)) * 0.125
    assert (bits(found) == bits(wanted)).all()


def test_what_a_precision_policy_stores_low_is_rounded_too():
    x, y = (operand.astype(np.float32) for operand in operands("bf16", 64))
    g = rlx.Graph("policy")
    given = [g.input(name, (64,), "f32") for name in "xy"]
    g.set_outputs({"z": (given[0] * given[1] + given[0]) * given[1]})
    found = rlx.compile(g, precision="auto_mixed_bf16", excess_precision=False)(x, y)

    def low(value: Any) -> Any:
        return value.astype(ml_dtypes.bfloat16).astype(np.float32)

    assert found.tolist() == low(low(low(x * y) + x) * y).tolist()


def test_attention_written_in_ops_is_not_fused_then():
    g = rlx.Graph("attention")
    q, k, v = (g.input(name, (1, 2, 8, 16), "bf16") for name in "qkv")
    g.set_outputs({"y": g.matmul(g.softmax(g.matmul(q, g.transpose(k, (0, 1, 3, 2))) * 0.25, axis=-1), v)})
    assert rlx.compile(g).report.of("fused")
    report = rlx.compile(g, excess_precision=False).report
    assert any("RoundedOps" in entry.message for entry in report.of("not fused"))
    assert not any("attention" in entry.message for entry in report.of("fused"))


def test_what_is_rounded_is_part_of_the_cache_key(tmp_path: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RLX_CACHE_DIR", str(tmp_path))
    x, y = operands("bf16", 2000)
    chain = CHAINS["x·y + x"]
    first, second = compiled(chain), compiled(chain, excess_precision=False)
    assert (bits(first(x, y)) != bits(second(x, y))).any()
    again = compiled(chain, excess_precision=False)
    assert (bits(again(x, y)) == bits(second(x, y))).all() and again.report.of("cache")


def test_the_report_says_what_is_rounded():
    x, y = operands("bf16", 8)
    chain = compiled(CHAINS["x·y + x"], excess_precision=False)
    chain(x, y)
    assert "rounding: rounded: the results of 1 op," in str(chain.report)  # of x·y: the sum is stored
    plain = compiled(CHAINS["x·y + x"], excess_precision=False)
    plain(x.astype(np.float32), y.astype(np.float32))
    assert not plain.report.of("rounded")


def test_round_to_dtype_rounds_at_one_place():
    x = np.float16([60000, 1])
    assert rlx.jit(lambda x: (x + x) * 0.5)(x).tolist() == [60000, 1]
    g = rlx.Graph("range")
    value = g.input("x", (2,), "f16")
    g.set_outputs({"y": g.round_to_dtype(value + value) * 0.5})
    assert rlx.compile(g)(x).tolist() == [np.inf, 1]
