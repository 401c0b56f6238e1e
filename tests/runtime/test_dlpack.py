"""Arrays of other libraries over DLPack, on devices in host memory: inputs are read where they lie, results are theirs without a copy."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from rlx.backends.plain import HostArrays

torch = pytest.importorskip("torch")
jax = pytest.importorskip("jax")

DTYPES = ["f32", "f64", "f16", "i64", "u8", "c64"]
DEVICES = ["cpu", "reference"]


class OnlyDlpack:
    """What a library has that knows nothing of NumPy."""

    def __init__(self, tensor) -> None:
        self._tensor = tensor

    def __dlpack__(self, **request):
        return self._tensor.__dlpack__(**request)

    def __dlpack_device__(self):
        return self._tensor.__dlpack_device__()


def double(dtype: str, device: str = "cpu") -> rlx.Executable:
    g = rlx.Graph("double")
    x = g.input("x", ("n", 2), dtype)
    g.set_outputs({"y": x + x})
    return rlx.compile(g, device)


def numbers(dtype: str, rows: int = 3) -> np.ndarray:
    return np.arange(rows * 2).reshape(rows, 2).astype(rlx.DType.of(dtype).numpy)


def address_read(exe: rlx.Executable, given: object) -> int:
    """Where a run reads its input."""
    return exe._given.take({"x": given})[0].ctypes.data


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_torch_tensor_is_read_where_it_lies(dtype, device):
    exe, tensor = double(dtype, device), torch.from_numpy(numbers(dtype))
    for given in (tensor, OnlyDlpack(tensor)):
        assert address_read(exe, given) == tensor.data_ptr()
        np.testing.assert_array_equal(exe(given), numbers(dtype) * 2)


@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if dtype not in ("f64", "i64")])  # JAX has these on request
def test_a_jax_array_is_read_where_it_lies(dtype):
    exe, array = double(dtype), jax.numpy.asarray(numbers(dtype))
    assert address_read(exe, array) == array.unsafe_buffer_pointer()
    np.testing.assert_array_equal(exe(array), numbers(dtype) * 2)


def test_a_tensor_that_is_not_dense_is_copied():
    tensor = torch.arange(12, dtype=torch.float32).reshape(2, 6).T[:, :2]
    assert not tensor.is_contiguous()
    np.testing.assert_array_equal(double("f32")(tensor), tensor.numpy() * 2)


@pytest.mark.parametrize("dtype", DTYPES)
def test_results_are_taken_over_without_a_copy(dtype):
    exe = double(dtype)
    y = exe(numbers(dtype))
    tensor = torch.from_dlpack(y)
    assert tensor.data_ptr() == y.ctypes.data
    np.testing.assert_array_equal(tensor.numpy(), numbers(dtype) * 2)
    if dtype not in ("f64", "i64"):
        array = jax.numpy.from_dlpack(y)
        assert array.unsafe_buffer_pointer() == y.ctypes.data
        np.testing.assert_array_equal(np.asarray(array), numbers(dtype) * 2)


@pytest.mark.parametrize("taken", [torch.from_dlpack, jax.numpy.from_dlpack, torch.from_numpy])
def test_memory_taken_over_is_not_written_by_later_runs(taken):
    exe = double("f32")
    first = taken(exe(numbers("f32")))
    for rows in (3, 3, 3, 3, 3, 3):
        exe(numbers("f32", rows) + 100)
    np.testing.assert_array_equal(np.asarray(first), numbers("f32") * 2)


def test_a_tensor_that_wants_a_gradient_is_refused_with_its_reason():
    with pytest.raises(rlx.RlxError, match="requires grad") as caught:
        double("f32")(torch.ones(3, 2, requires_grad=True))
    assert caught.value.code == "RLX504"


@pytest.mark.parametrize("device", DEVICES)
def test_params_and_states_of_tensors_are_copies(device):
    g = rlx.Graph("counter")
    total = g.state("total", (2,))
    g.update(total, total + g.param("w", (2,)))
    g.set_outputs({"y": total})
    exe = rlx.compile(g, device)
    w, start = torch.tensor([1.0, 2.0]), torch.tensor([5.0, 5.0])
    exe.set_param("w", w)
    exe.session.set_state("total", OnlyDlpack(start))
    w[:], start[:] = 0, 0
    exe.run()
    np.testing.assert_array_equal(exe.state("total"), [6, 7])
    np.testing.assert_array_equal(exe.param("w"), [1, 2])


def test_the_hosts_arrays_import_what_is_in_host_memory():
    arrays, tensor = HostArrays(), torch.arange(3)
    assert arrays.from_dlpack(tensor).ctypes.data == tensor.data_ptr()
    assert arrays.from_dlpack(torch.ones(2, dtype=torch.bfloat16)) is None, "NumPy takes no bf16 over DLPack"
    given = np.arange(4)
    assert arrays.shares(given, given[2:]) and not arrays.shares(given, given.copy())
