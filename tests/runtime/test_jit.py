"""rlx.jit: containers, dims that become symbolic, captured arrays, handles."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from rlx.core.errors import RlxError

F32 = np.float32


@pytest.fixture(params=["reference", "cpu"])
def device(request):
    return request.param


def test_containers_in_and_out(device):
    @rlx.jit(device=device)
    def f(params, x, *, scale):
        return {"y": x @ params["w"] * scale, "parts": (x.sum(), [x[0], None])}

    w, x = np.arange(6, dtype=F32).reshape(3, 2), np.ones((4, 3), F32)
    found = f({"w": w}, x, scale=2.0)
    np.testing.assert_allclose(found["y"], x @ w * 2)
    assert found["parts"][0] == 12
    np.testing.assert_array_equal(found["parts"][1][0], np.ones(3, F32))
    assert found["parts"][1][1] is None


def test_second_size_traces_once_more_and_no_more(device):
    seen = []

    def f(x):
        seen.append(x.shape)
        return x.mean(axes=0) * x.shape[0] if isinstance(x.shape[0], int) else x.sum(axes=0)

    jitted = rlx.jit(f, device=device)
    for n in (3, 3, 5, 7, 100, 3):
        x = np.random.default_rng(n).standard_normal((n, 4)).astype(F32)
        np.testing.assert_allclose(jitted(x), x.sum(axis=0), rtol=2e-5, atol=1e-5)
    assert jitted.traces == 2 and len(seen) == 2
    assert "second size" in str(jitted.report)


def test_declared_dims_trace_once(device):
    jitted = rlx.jit(lambda x, y: x @ y, device=device, dims={"x": ("batch", None), "y": (None, None)})
    for n in (1, 2, 9):
        assert jitted(np.ones((n, 3), F32), np.ones((3, 2), F32)).shape == (n, 2)
    assert jitted.traces == 1


def test_static_leaves_and_dtypes_retrace(device):
    jitted = rlx.jit(lambda x, kind: x + x if kind == "double" else x * 1, device=device)
    assert jitted(np.ones(2, F32), "double")[0] == 2
    assert jitted(np.ones(2, F32), "same")[0] == 1
    assert jitted(np.ones(2, np.int32), "double").dtype == np.int32
    assert jitted.traces == 3


def test_large_captured_arrays_are_params_small_ones_constants(device):
    large, small = np.ones((256, 256), F32), np.ones(4, F32)
    jitted = rlx.jit(lambda x: (x @ large)[:4] + small, device=device)
    np.testing.assert_array_equal(jitted(np.ones(256, F32)), np.full(4, 257, F32))
    (entry,) = jitted._entries
    assert list(entry.traced.graph.params) == ["captured.0"]


def test_put_makes_versioned_params(device):
    w = rlx.put({"a": np.full((2, 2), 3, F32)})
    jitted = rlx.jit(lambda x, w: x @ w["a"], device=device)
    np.testing.assert_array_equal(jitted(np.ones((1, 2), F32), w), [[6, 6]])
    w["a"].set(np.eye(2, dtype=F32))
    np.testing.assert_array_equal(jitted(np.ones((1, 2), F32), w), [[1, 1]])
    assert jitted.traces == 1
    with pytest.raises(RlxError):
        w["a"].set(np.ones(3, F32))
    captured = rlx.jit(lambda x: x * w["a"] + (w["a"] @ x), device=device)
    np.testing.assert_array_equal(captured(np.ones((2, 2), F32)), np.eye(2) + 1)


def test_values_refuse_to_be_numbers(device):
    def branches(x):
        return x if x.sum() > 0 else -x

    with pytest.raises(RlxError) as error:
        rlx.jit(branches, device=device)(np.ones(2, F32))
    assert error.value.code == "RLX108" and "return x if x.sum() > 0 else -x" in str(error.value)


def test_sizes_that_change_together_stay_equal(device):
    """x + y of 3, then of 4 elements: the two axes are one symbol, or the sum could not be proved to fit."""
    jitted = rlx.jit(lambda x, y: x + y, device=device)
    for size in (3, 4, 7, 5):
        x, y = np.arange(size, dtype=np.float32), np.ones(size, np.float32)
        np.testing.assert_array_equal(jitted(x, y), x + 1)
    assert jitted.traces == 2


def test_sizes_that_were_equal_so_far_may_part(device):
    jitted = rlx.jit(lambda x, y: (x.sum(), y.sum()), device=device)
    for first, second in ((3, 3), (4, 4), (5, 6), (7, 8), (9, 9)):
        found = jitted(np.ones(first, np.float32), np.ones(second, np.float32))
        assert (float(found[0]), float(found[1])) == (first, second)
    assert jitted.traces == 3


def test_a_call_like_the_last_one_takes_its_version_and_another_does_not(device):
    f = rlx.jit(lambda x, y=1: x * 2 + y, device=device)
    three, two = np.float32([1, 2, 3]), np.float32([5, 6])
    calls = [
        ((three,), {}),
        ((three[::-1],), {}),
        ((two,), {}),
        ((three.astype(np.int32),), {}),
        ((three,), {}),
        ((three, three), {}),
        ((three,), {"y": three}),
        ((three, 7), {}),
        ((three,), {}),
        ((three[:, None],), {}),
        ((two,), {}),
    ]
    for args, kwargs in calls:
        x, y = args[0], args[1] if len(args) > 1 else kwargs.get("y", 1)
        found = f(*args, **kwargs)
        np.testing.assert_array_equal(found, x * 2 + y)
        assert found.dtype == x.dtype


def test_a_new_value_of_a_handle_is_seen_by_a_call_like_the_last_one(device):
    w = rlx.put(np.ones(2, F32))
    f = rlx.jit(lambda x: x * w, device=device)
    x = np.float32([3, 4])
    np.testing.assert_array_equal(f(x), [3, 4])
    w.set(np.float32([10, 100]))
    np.testing.assert_array_equal(f(x), [30, 400])


def test_attributes_of_a_callable_do_not_stand_for_those_of_its_jit(device):
    class Scaled:
        def __init__(self):
            self._find, self._trace, self._version, self.report = 2, None, None, None

        def __call__(self, x):
            return x * self._find

    np.testing.assert_array_equal(rlx.jit(Scaled(), device=device)(np.float32([3, 4])), [6, 8])
