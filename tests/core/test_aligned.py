"""Memory of arrays: where it starts, what lies side by side, and when it goes."""

from __future__ import annotations

import gc
import mmap
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from rlx.core import aligned
from rlx.core.aligned import aligned_copy, aligned_empty, aligned_zeros, filled_over_time, weights_empty
from rlx.core.errors import RlxError

BYTES = np.dtype(np.uint8)
LARGE = 2 << 20
needs_slabs = pytest.mark.skipif(not hasattr(mmap, "MADV_HUGEPAGE"), reason="the system has no advice on large pages")


@pytest.fixture
def slabs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Slabs that nothing else in the process takes from."""
    monkeypatch.setattr(aligned, "_SLABS", aligned._Slabs())
    yield
    gc.collect()


def mapped(address: int) -> bool:
    """Whether the process has memory there."""
    lines = Path("/proc/self/maps").read_text().splitlines()
    ranges = [[int(end, 16) for end in line.split()[0].split("-")] for line in lines]
    return any(first <= address < last for first, last in ranges)


@pytest.mark.parametrize("make", [aligned_empty, aligned_zeros, filled_over_time, weights_empty])
@pytest.mark.parametrize("dims", [(), (0,), (1,), (3, 5), (7, 0, 2), (1000, 1001), (3, 1000, 1001)])
@pytest.mark.parametrize("dtype", [np.uint8, np.float16, np.float64])
def test_arrays_start_on_a_cache_line(make: object, dims: tuple[int, ...], dtype: type) -> None:
    array = make(dims, np.dtype(dtype))  # type: ignore[operator]
    assert array.shape == dims and array.dtype == dtype and array.flags.c_contiguous and array.flags.writeable
    assert not array.size or array.ctypes.data % 64 == 0
    array[...] = 3
    assert np.count_nonzero(array == 3) == np.prod(dims)


def test_a_copy_is_dense_and_its_own() -> None:
    source = np.arange(12.0).reshape(3, 4).T
    copy = aligned_copy(source)
    source[0, 0] = 99
    assert copy.flags.c_contiguous and copy.tolist() == [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]]


@needs_slabs
@pytest.mark.usefixtures("slabs")
def test_small_weights_lie_side_by_side_and_do_not_overlap() -> None:
    sizes = [1, 64, 65, 100_000, 3, 1_600_000]
    arrays = [weights_empty((size,), BYTES) for size in sizes]
    starts = [array.ctypes.data - arrays[0].ctypes.data for array in arrays]
    assert starts == [0, 64, 128, 256, 100_288, 100_352] and arrays[0].ctypes.data % LARGE == 0
    for value, array in enumerate(arrays):
        array[:] = value
    assert [set(array.tolist()) for array in arrays] == [{0}, {1}, {2}, {3}, {4}, {5}]


@needs_slabs
@pytest.mark.usefixtures("slabs")
def test_a_large_weight_has_a_slab_of_its_own_and_the_small_go_on_in_theirs() -> None:
    size = aligned._SLAB // 2 + 5
    first, large, second = weights_empty((64,), BYTES), weights_empty((size,), BYTES), weights_empty((64,), BYTES)
    assert large.ctypes.data % LARGE == 0 and second.ctypes.data == first.ctypes.data + 64
    large[-1] = 1


@needs_slabs
@pytest.mark.usefixtures("slabs")
def test_a_full_slab_is_followed_by_another() -> None:
    arrays = [weights_empty((aligned._SLAB // 3,), BYTES)[: 10 << 20] for _ in range(7)]
    assert len({array.ctypes.data // LARGE for array in arrays}) == 7
    for value, array in enumerate(arrays):
        array[:] = value
    assert [int(array.min()) for array in arrays] == [int(array.max()) for array in arrays] == list(range(7))


@needs_slabs
@pytest.mark.usefixtures("slabs")
def test_a_slab_goes_with_its_last_array() -> None:
    first, second = weights_empty((1 << 20,), BYTES), weights_empty((1 << 20,), BYTES)
    address = first.ctypes.data
    del first
    gc.collect()
    second[:] = 1  # the slab is still there
    assert mapped(address)
    del second
    gc.collect()
    assert not mapped(address)
    assert weights_empty((8,), BYTES).size == 8  # and a new one is made


@needs_slabs
@pytest.mark.usefixtures("slabs")
@pytest.mark.skipif(sys.platform != "linux", reason="/proc says what is resident")
def test_the_pages_of_an_array_go_back_though_its_slab_stays() -> None:
    kept, dropped, after = (weights_empty((size,), BYTES) for size in (100, 20 << 20, 100))
    for value, array in enumerate((kept, dropped, after)):
        array[:] = value + 1
    before = resident()
    view = dropped.view(np.float32).reshape(5, -1)[1:]
    del dropped, array
    assert before - resident() < LARGE and view[0, 0].tobytes() == bytes([2] * 4)  # a view is enough
    del view
    assert before - resident() > 19 << 20
    assert set(kept.tolist()) == {1} and set(after.tolist()) == {3}  # what shares a page with it stays


@needs_slabs
@pytest.mark.usefixtures("slabs")
@pytest.mark.skipif(sys.platform != "linux", reason="/proc says what is resident")
def test_weights_of_any_size_take_no_more_than_themselves() -> None:
    sizes = [12_255_232, 4_456_448, 2_228_224, 2_228_224, 4_456_448, 12_255_232, 12_255_232] * 3
    before = resident()
    arrays = [weights_empty((size,), BYTES) for size in sizes]
    for array in arrays:
        array[:] = 1
    assert sum(sizes) <= resident() - before < sum(sizes) + 2 * LARGE


@needs_slabs
@pytest.mark.usefixtures("slabs")
def test_where_a_slab_is_not_granted_a_weight_has_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    granted = aligned._anonymous

    def little(count: int) -> mmap.mmap:
        if count > 16 << 20:
            raise OSError(12, "Cannot allocate memory")
        return granted(count)

    monkeypatch.setattr(aligned, "_anonymous", little)
    arrays = [weights_empty((size,), BYTES) for size in (1 << 20, 5 << 20, 3)]
    assert [array.size for array in arrays] == [1 << 20, 5 << 20, 3]
    with pytest.raises(RlxError, match="RLX514"):
        weights_empty((20 << 20,), BYTES)


@needs_slabs
@pytest.mark.usefixtures("slabs")
def test_threads_get_memory_of_their_own() -> None:
    found: list[np.ndarray] = []

    def take() -> None:
        found.extend(weights_empty((4096,), BYTES) for _ in range(200))

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({array.ctypes.data for array in found}) == 800


@needs_slabs
@pytest.mark.usefixtures("slabs")
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_weights_are_in_large_pages_where_the_system_gives_them() -> None:
    if re.search(r"\[never\]", Path("/sys/kernel/mm/transparent_hugepage/enabled").read_text()):
        pytest.skip("this system gives no large pages")
    arrays = [weights_empty((1_600_000,), BYTES) for _ in range(15)]  # each smaller than a page
    for array in arrays:
        array[:] = 1
    text, address = Path("/proc/self/smaps").read_text(), arrays[0].ctypes.data
    _, *parts = re.split(r"(?m)^([0-9a-f]+)-([0-9a-f]+) .*$", text)
    ranges = zip(parts[0::3], parts[1::3], parts[2::3], strict=True)
    ours = next(body for first, last, body in ranges if int(first, 16) <= address < int(last, 16))
    large = re.search(r"AnonHugePages: +(\d+) kB", ours)
    assert large is not None and int(large[1]) >= 20 << 10  # of 24 MB


def resident() -> int:
    """Bytes of the process that have memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * mmap.PAGESIZE


@pytest.mark.skipif(sys.platform != "linux", reason="/proc says what is resident")
def test_arrays_filled_over_time_take_no_huge_page_for_their_first_bytes() -> None:
    before = resident()
    arrays = [filled_over_time((8 * LARGE,), BYTES) for _ in range(32)]
    for array in arrays:
        array[:4096] = 1
    assert resident() - before < 32 * LARGE // 4
    assert all(array[:4096].all() and not array[4096:8192].any() for array in arrays)


@needs_slabs
def test_arrays_filled_side_by_side_reach_their_huge_pages_one_after_the_other() -> None:
    """Those of sixty caches in one step took 0.1 s of it."""
    arrays = [filled_over_time((8 * LARGE,), BYTES) for _ in range(60)]
    starts = sorted(array.ctypes.data % LARGE for array in arrays)
    gaps = [later - start for start, later in zip(starts, [*starts[1:], starts[0] + LARGE], strict=True)]
    assert max(gaps) < 3 * LARGE / len(arrays)
