"""Arrays of the device for other libraries and theirs for us: without a copy, alive as long as either side holds them."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from rlx.backends.cuda.fake_driver import FakeDriver
from rlx.backends.cuda.memory import CudaArrays, address_in
from rlx.core.dtype import DType


@pytest.fixture
def arrays() -> CudaArrays:
    return CudaArrays(FakeDriver())


@pytest.mark.parametrize("dtype", ["f32", "f64", "f16", "i8", "i64", "u16", "bool", "c64"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 0), (2, 3, 4)])
def test_numpy_reads_an_array_in_place(arrays, dtype, shape):
    source = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(DType.of(dtype).numpy)
    mine = arrays.upload(source)
    theirs = np.from_dlpack(mine)
    assert theirs.dtype == source.dtype and theirs.shape == shape
    np.testing.assert_array_equal(theirs, source)
    if theirs.size:
        assert theirs.ctypes.data == address_in(mine)


def test_the_memory_lives_as_long_as_the_other_library_holds_it(arrays):
    theirs = np.from_dlpack(arrays.upload(np.arange(5, dtype=np.int32)))
    gc.collect()
    assert arrays.driver.held == 20
    np.testing.assert_array_equal(theirs, np.arange(5))
    del theirs
    gc.collect()
    assert arrays.driver.held == 0


def test_an_array_of_another_library_is_taken_over_without_a_copy(arrays):
    theirs = arrays.upload(np.arange(8, dtype=np.float32))  # as another library in the same memory would have it
    mine = arrays.from_dlpack(theirs)
    assert address_in(mine) == address_in(theirs) and mine.shape == (8,) and mine.dtype == np.float32
    del theirs
    gc.collect()
    assert arrays.driver.held == 32
    np.testing.assert_array_equal(arrays.download(mine), np.arange(8))
    del mine
    gc.collect()
    assert arrays.driver.held == 0


def test_what_is_not_dense_aligned_or_there_goes_by_way_of_the_host(arrays):
    memory = np.zeros(64, np.float32)
    start = (-memory.ctypes.data % 16) // 4
    assert arrays.from_dlpack(memory[start : start + 8]) is not None
    assert arrays.from_dlpack(memory[start : start + 8 : 2]) is None
    assert arrays.from_dlpack(memory[start + 1 : start + 5]) is None

    class Elsewhere:
        def __dlpack_device__(self):
            return (2, 0)

    assert arrays.from_dlpack(Elsewhere()) is None


def test_bf16_crosses_and_floats_of_8_bits_say_that_they_cannot(arrays):
    mine = arrays.upload(np.ones(3, DType.of("bf16").numpy))
    again = arrays.from_dlpack(mine)
    assert again.dtype == DType.of("bf16").numpy
    with pytest.raises(ValueError, match="f8e4m3"):
        arrays.upload(np.ones(3, DType.of("f8e4m3").numpy)).__dlpack__()


def test_another_library_is_told_our_stream_and_gets_its_memory_back_when_we_are_done(arrays, monkeypatch):
    """Its kernels come before ours, and ours before it uses the memory for something else."""
    asked = []
    theirs = arrays.upload(np.arange(4, dtype=np.float32))

    class Theirs:
        def __dlpack_device__(self):
            return theirs.__dlpack_device__()

        def __dlpack__(self, *, stream=None):
            asked.append(stream)
            return theirs.__dlpack__()

    monkeypatch.setattr(FakeDriver, "stream_handle", 17)
    monkeypatch.setattr(FakeDriver, "synchronize", lambda self: asked.append("wait"))
    mine = arrays.from_dlpack(Theirs())
    assert asked == [17, "wait"]  # the second is ours, as the one who lends
    del mine
    gc.collect()
    assert asked == [17, "wait", "wait"]


def test_memory_that_was_lent_is_ours_again_when_the_device_is_done(arrays, monkeypatch):
    finished = []
    monkeypatch.setattr(FakeDriver, "finish", lambda self: finished.append(self.held))
    theirs = np.from_dlpack(arrays.upload(np.arange(4, dtype=np.float32)))
    assert not finished
    del theirs
    gc.collect()
    assert finished == [16] and arrays.driver.held == 0
