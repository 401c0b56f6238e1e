"""Runs on a device with memory of its own: what crosses between it and the host, and when. The device is `far_device.Far`."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import rlx
from tests.backends.far_device import Far, FarRunner, Neighbour, crossed, crossing, memory
from tests.backends.far_graphs import WEIGHTS, counter, expected, layer, random

pytestmark = pytest.mark.usefixtures("far")


# -- runs --------------------------------------------------------------------------------------------------------
def test_params_are_uploaded_once_inputs_in_each_run_and_results_stay():
    exe = layer()
    with crossing(upload=2):
        exe.session.set_params(WEIGHTS)
    for n in (3, 1, 5):
        x = random(n, 4, seed=n)
        with crossing(upload=1):
            y = exe.run({"x": x})["y"]
        assert isinstance(y, rlx.DeviceArray) and y.shape == (n, 4) and y.dtype == np.float32 and y.device == "far"
        assert (y.ndim, y.size, y.nbytes, len(y)) == (2, 4 * n, 16 * n, n)
        with crossing(download=1):
            found = np.asarray(y)
        np.testing.assert_allclose(found, expected(x), rtol=1e-6)
        with crossing(download=1):
            assert (y.download() == found).all()


def test_an_output_fed_back_as_an_input_makes_no_transfer():
    exe = layer()
    exe.session.set_params(WEIGHTS)
    wanted = x = random(2, 4)
    y, repeated = exe.run({"x": x})["y"], FarRunner.repeated
    with crossing():
        for _ in range(9):
            y = exe(y)
    assert FarRunner.repeated == repeated + 8, "the runner's short way is taken when nothing has to be uploaded"
    for _ in range(10):
        wanted = expected(wanted)
    np.testing.assert_allclose(np.asarray(y), wanted, rtol=1e-5)


def test_states_never_leave_the_device_between_runs():
    exe, other = counter(), counter("reference")
    steps = [random(3, seed=seed) for seed in range(10)]
    for each in (exe, other):
        each.set_param("w", np.float32([1, 2, 3]))
    exe.run({"x": steps[0]})  # the first value of the state is uploaded
    with crossing(upload=9):
        results = [exe.run({"x": x})["y"] for x in steps[1:]]
    wanted = [other.run({"x": x})["y"] for x in steps]
    for found, each in zip(results, wanted[1:], strict=True):
        np.testing.assert_array_equal(np.asarray(found), each)
    with crossing(download=1):
        np.testing.assert_array_equal(exe.state("total"), other.state("total"))


def test_an_array_put_there_by_hand_is_used_as_it_is():
    exe = layer()
    exe.session.set_params(WEIGHTS)
    x = random(2, 4)
    there = exe.session.to_device(x)
    assert exe.session.to_device(there) is there
    with crossing():
        y = exe(there)
    np.testing.assert_allclose(np.asarray(y), expected(x), rtol=1e-6)
    assert rlx.Session("cpu").to_device(x) is x


def test_numbers_lists_and_arrays_of_any_layout_are_uploaded():
    g = rlx.Graph("sum")
    g.set_outputs({"y": g.input("x", (2, 3)) + g.input("a", ())})
    exe, x = rlx.compile(g, "far"), random(3, 2)
    np.testing.assert_array_equal(np.asarray(exe(x.T, 2)), x.T + np.float32(2))
    np.testing.assert_array_equal(np.asarray(exe([[1, 2, 3], [4, 5, 6]], np.float32(1))), [[2, 3, 4], [5, 6, 7]])


def test_a_scalar_converts_and_an_array_says_what_it_is():
    g = rlx.Graph("total")
    g.set_outputs({"y": g.sum(g.input("x", (3,)))})
    y = rlx.compile(g, "far")(np.float32([1, 2, 4]))
    assert float(y) == 7.0 and int(y) == 7 and bool(y) and repr(y) == "<DeviceArray f32[] on far>"
    assert np.asarray(y, np.float64).dtype == np.float64
    with pytest.raises(TypeError, match="rank 0"):
        len(y)
    with pytest.raises(ValueError, match="ambiguous"):
        bool(rlx.Session("far").to_device(np.ones(2)))
    with pytest.raises(ValueError, match="copied"):
        np.asarray(y, copy=False)


def test_memory_goes_back_with_the_last_array():
    exe = layer()
    exe.session.set_params(WEIGHTS)
    gc.collect()
    before = len(memory)
    kept = [exe(random(2, 4)) for _ in range(3)]
    assert len(memory) == before + 3
    del kept
    gc.collect()
    assert len(memory) == before


# -- errors ------------------------------------------------------------------------------------------------------
def test_an_array_of_another_device_is_an_error():
    there = rlx.Session("far").to_device(random(2, 4))
    other = layer("cpu")
    other.session.set_params(WEIGHTS)
    with pytest.raises(rlx.RlxError, match=r"input 'x' is an array on 'far', expected one in host memory") as caught:
        other.run({"x": there})
    assert caught.value.code == "RLX515" and "np.asarray" in str(caught.value)
    with pytest.raises(rlx.RlxError) as caught:
        other.set_param("b", rlx.Session("far").to_device(random(4)))
    assert caught.value.code == "RLX515"
    state = counter("cpu")
    with pytest.raises(rlx.RlxError) as caught:
        state.session.set_state("total", rlx.Session("far").to_device(random(3)))
    assert caught.value.code == "RLX515"
    with pytest.raises(rlx.RlxError) as caught:
        other.run({"x": random(2, 4)}, out={"y": there})
    assert caught.value.code == "RLX507"

    class OtherArrays(type(Far.arrays)):
        name = "farther"

    foreign = OtherArrays().upload(random(2, 4))
    with pytest.raises(rlx.RlxError, match=r"on 'farther', expected one on 'far'"):
        layer().run({"x": foreign})
    np.testing.assert_allclose(other(np.asarray(there)), expected(np.asarray(there)), rtol=1e-5)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({}, "RLX502"),
        ({"x": np.ones((2, 5), np.float32)}, "RLX503"),
        ({"x": np.ones((2, 4), np.float64)}, "RLX504"),
        ({"x": np.ones((2, 4), np.float32), "z": 1}, "RLX501"),
        ({"x": object()}, "RLX504"),
        ([1], "RLX501"),
    ],
)
def test_wrong_inputs_are_the_errors_they_are_on_the_host(given, code):
    exe = layer()
    exe.session.set_params(WEIGHTS)
    with pytest.raises(rlx.RlxError) as caught:
        exe.run(given)
    assert caught.value.code == code


def test_shape_and_dtype_of_a_device_array_are_checked():
    exe = layer()
    exe.session.set_params(WEIGHTS)
    for array, code in ((np.ones((2, 4), np.int32), "RLX504"), (random(2, 5), "RLX503"), (random(4), "RLX503")):
        with pytest.raises(rlx.RlxError) as caught:
            exe.run({"x": exe.session.to_device(array)})
        assert caught.value.code == code


# -- out and donate ----------------------------------------------------------------------------------------------
def test_out_takes_arrays_of_the_device():
    exe, x = layer(), random(2, 4)
    exe.session.set_params(WEIGHTS)
    out, there = exe.session.to_device(np.zeros((2, 4), np.float32)), exe.session.to_device(x)
    with crossing():
        for _ in range(2):
            assert exe.run({"x": there}, out={"y": out})["y"] is out
    np.testing.assert_allclose(np.asarray(out), expected(x), rtol=1e-6)
    for wrong, told in (
        (np.zeros((2, 4), np.float32), r"f32\[2, 4\] on the host, expected f32\[2, 4\] on far"),
        (exe.session.to_device(np.zeros((3, 4), np.float32)), r"f32\[3, 4\] on far"),
        (exe.session.to_device(np.zeros((2, 4), np.int32)), r"i32\[2, 4\] on far"),
        (None, "NoneType"),
        (there, "shares memory with an input"),
    ):
        with pytest.raises(rlx.RlxError, match=told) as caught:
            exe.run({"x": there}, out={"y": wrong})
        assert caught.value.code == "RLX507"


def test_two_results_in_one_array_are_refused():
    g = rlx.Graph("two")
    x = g.input("x", (3,))
    g.set_outputs({"a": x + 1.0, "b": x * 2.0})
    exe = rlx.compile(g, "far")
    out = exe.session.to_device(random(3))
    with pytest.raises(rlx.RlxError, match=r"out\['a'\] and out\['b'\] share memory"):
        exe.run({"x": random(3)}, out={"a": out, "b": out.reshape((3,))})


def test_a_donated_array_holds_the_result():
    exe, x = layer(), random(2, 4)
    exe.session.set_params(WEIGHTS)
    there, before = exe.session.to_device(x), crossed["empty"]
    y = exe.run({"x": there}, donate=["x"])["y"]
    assert y.handle is there.handle and crossed["empty"] == before
    np.testing.assert_allclose(np.asarray(y), expected(x), rtol=1e-6)
    y = exe.run({"x": x}, donate=["x"])["y"]  # what was uploaded is donated
    assert crossed["empty"] == before
    np.testing.assert_allclose(np.asarray(y), expected(x), rtol=1e-6)
    with pytest.raises(rlx.RlxError) as caught:
        exe.run({"x": x.tolist()}, donate=["x"])
    assert caught.value.code == "RLX507"
    with pytest.raises(rlx.RlxError) as caught:
        exe.run({"x": x}, donate=["z"])
    assert caught.value.code == "RLX501"


def test_a_donated_array_that_is_read_otherwise_is_refused():
    g = rlx.Graph("sum")
    g.set_outputs({"y": g.input("a", (3,)) + g.input("b", (3,))})
    exe = rlx.compile(g, "far")
    there = exe.session.to_device(random(3))
    with pytest.raises(rlx.RlxError, match="shares memory"):
        exe.run({"a": there, "b": there}, donate=["a"])


# -- DLPack ------------------------------------------------------------------------------------------------------
def test_another_librarys_array_on_the_device_is_used_without_a_copy():
    exe, x = layer(), random(2, 4)
    exe.session.set_params(WEIGHTS)
    neighbour, bias = Neighbour(exe.session.to_device(x)), Neighbour(exe.session.to_device(WEIGHTS["b"] + 1))
    with crossing():
        y = exe(neighbour)
        exe.set_param("b", bias)
        z = exe(neighbour)
    np.testing.assert_allclose(np.asarray(y), expected(x), rtol=1e-6)
    np.testing.assert_allclose(np.asarray(z), np.tanh(x @ WEIGHTS["w"] + WEIGHTS["b"] + 1), rtol=1e-6)
    with pytest.raises(rlx.RlxError) as caught:
        exe.run({"x": neighbour}, donate=["x"])
    assert caught.value.code == "RLX507"


def test_a_result_is_exported_without_a_copy():
    exe = layer()
    exe.session.set_params(WEIGHTS)
    y = exe(random(2, 4))
    with crossing():
        handle, shape, dtype = y.__dlpack__()
    assert handle is y.handle and (shape, dtype) == ((2, 4), np.float32) and y.__dlpack_device__() == (12, 7)


def test_another_librarys_array_on_the_host_is_uploaded():
    torch = pytest.importorskip("torch")
    exe, x = layer(), random(2, 4)
    exe.session.set_params({name: torch.from_numpy(value) for name, value in WEIGHTS.items()})
    with crossing(upload=1):
        y = exe(torch.from_numpy(x))
    np.testing.assert_allclose(np.asarray(y), expected(x), rtol=1e-6)
