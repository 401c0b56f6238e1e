"""trap_nan: the op and the line that made the first NaN or infinity; nothing else changes."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import rlx
from rlx.core.errors import RlxError
from tests.small_llama import random_params, small_llama

F32 = np.float32


@pytest.fixture(params=["reference", "cpu"])
def device(request):
    return request.param


def trapped(exe, **inputs):
    with pytest.raises(RlxError) as error:
        exe.run(inputs)
    assert error.value.code == "RLX510"
    return str(error.value)


def test_names_the_op_and_the_line(device):
    g = rlx.Graph("chain")
    x = g.input("x", (5, 7), "f32")
    y = g.exp(x)
    z = g.log(y - 1.0)  # THE LINE
    g.set_outputs({"out": g.tanh(z) * 2.0})
    exe = rlx.compile(g, device, trap_nan=True)
    np.testing.assert_allclose(exe(x=np.ones((5, 7), F32)), np.tanh(np.log(np.e - 1)) * np.ones((5, 7)) * 2, rtol=1e-6)
    value = np.ones((5, 7), F32)
    value[3, 4] = -1
    text = trapped(exe, x=value)
    assert text.startswith("[RLX510] log ") and "THE LINE" in text and "all inputs are finite" in text
    value[3, 4] = 100
    assert trapped(exe, x=value).startswith("[RLX510] exp ")
    value[3, 4] = np.nan
    assert "x had NaN" in trapped(exe, x=value)
    assert np.isfinite(exe(x=np.ones((5, 7), F32))).all()


def test_the_user_s_op_is_named_not_what_it_was_taken_apart_into(device):
    g = rlx.Graph("softmax")
    x = g.input("x", (3, 9), "f32")
    g.set_outputs({"y": g.softmax(x, axis=-1)})
    exe = rlx.compile(g, device, trap_nan=True)
    exe(x=np.full((3, 9), -200, F32))
    assert trapped(exe, x=np.full((3, 9), np.nan, F32)).startswith("[RLX510] softmax ")


def test_a_failed_run_changes_no_state(device):
    g = rlx.Graph("states")
    x = g.input("x", (4,), "f32")
    a, b = g.state("a", (4,), "f32", init=1), g.state("b", (64, 64), "f32", init=1)
    g.update("a", a + x)
    g.update("b", b * 2.0)
    g.set_outputs({"y": g.log(x)})
    exe = rlx.compile(g, device, trap_nan=True)
    exe(x=np.ones(4, F32))
    trapped(exe, x=np.zeros(4, F32))
    np.testing.assert_array_equal(exe.state("a"), np.full(4, 2, F32))
    np.testing.assert_array_equal(exe.state("b"), np.full((64, 64), 2, F32))
    exe(x=np.ones(4, F32))
    np.testing.assert_array_equal(exe.state("a"), np.full(4, 3, F32))


def test_a_cache_written_through_stays_as_it_was(device):
    g = rlx.Graph("cache")
    x = g.input("x", (1, 2), "f32")
    cache = g.state("cache", (8, 2), "f32")
    new = g.dynamic_update_slice(cache, g.log(x), np.int32(3), axes=(0,))
    g.update("cache", new)
    g.set_outputs({"y": g.sum(new, axes=0)})
    exe = rlx.compile(g, device, trap_nan=True)
    trapped(exe, x=np.zeros((1, 2), F32))
    assert (exe.state("cache") == 0).all()
    assert exe.lir.in_place == ()


@pytest.mark.parametrize("dtype", ["f32", "f64", "f16", "bf16", "c64"])
def test_every_float_dtype_is_looked_at_to_the_last_element(dtype):
    numpy = {"bf16": ml_dtypes.bfloat16}.get(dtype) or rlx.DType.of(dtype).numpy
    for size in (1, 7, 8, 1000, 40001):
        g = rlx.Graph("double")
        x = g.input("x", (size,), dtype)
        g.set_outputs({"y": g.concat([x, x], axis=0) if dtype == "c64" else x * 2})
        exe = rlx.compile(g, trap_nan=True)
        for place in {0, size // 2, size - 1}:
            for bad in (np.nan, np.inf, -np.inf):
                value = np.ones(size, numpy)
                value[place] = bad
                trapped(exe, x=value)
        exe(x=np.ones(size, numpy))


def test_params_are_looked_at_where_they_are_prepared():
    g = rlx.Graph("prepared")
    x, w = g.input("x", (2, 3), "f32"), g.param("w", (3, 4), "f32")
    g.set_outputs({"y": x @ g.log(w)})
    exe = rlx.compile(g, trap_nan=True)
    exe.set_param("w", np.zeros((3, 4), F32))
    text = trapped(exe, x=np.ones((2, 3), F32))
    assert text.startswith("[RLX510] log ") and "test_trap.py" in text
    exe.set_param("w", np.ones((3, 4), F32))
    np.testing.assert_array_equal(exe(x=np.ones((2, 3), F32)), np.zeros((2, 4), F32))


def test_a_whole_model_runs_the_same():
    module = small_llama()
    plain, watched = rlx.compile(module, fuse=False), rlx.compile(module, trap_nan=True)
    params = random_params(plain.graph)
    plain.set_params(params), watched.set_params(params)
    ids = np.arange(12, dtype=np.int32).reshape(2, 6)
    assert plain(ids=ids).tobytes() == watched(ids=ids).tobytes()
    params["layers.0.down"][5, 5] = np.inf
    watched.set_params(params)
    text = trapped(watched, ids=ids)
    assert "matmul" in text and "llama_decoder_block/ffn" in text and "layers.0.down had NaN or infinity" in text


def test_ops_inside_loops_and_branches_are_looked_at():
    def f(xs):
        def step(carry, x):
            return carry + x, (carry / x) * 2.0  # the line inside

        return rlx.lax.scan(step, np.float32(0.5), xs)

    watched = rlx.jit(f, trap_nan=True)
    np.testing.assert_allclose(watched(np.float32([1, 2, 4]))[1], [1, 1.5, 1.75])
    with pytest.raises(RlxError) as error:
        watched(np.float32([1, 0, 4]))
    assert str(error.value).startswith("[RLX510] div ") and "the line inside" in str(error.value)
    np.testing.assert_allclose(watched(np.float32([1, 2, 4]))[1], [1, 1.5, 1.75])
