"""The fake driver finds what a GPU would not say: accesses out of bounds, misaligned pointers, kernels that do not wait."""

from __future__ import annotations

import numpy as np
import pytest

from rlx.backends.cuda.driver_interface import GraphNode
from rlx.backends.cuda.fake_driver import FakeDriver, KernelFault
from rlx.backends.cuda.kernel_data import KernelSource
from rlx.core.errors import RlxError
from tests.backends.cuda.device import NEEDS_TRITON

pytestmark = NEEDS_TRITON

START = "    launch_dependents()\n    wait_for_previous()\n    i = tl.program_id(0) * 8 + tl.arange(0, 8)\n"


def kernel(body: str, *, head: str = START, pointers: tuple[str, ...] = ("fp32", "fp32")) -> KernelSource:
    parameters = ", ".join(f"p{place}" for place in range(len(pointers)))
    text = f"def probe({parameters}):\n{head}{body}"
    return KernelSource("probe", text, pointers, (True,) * len(pointers))


def launch(source: KernelSource, *, grid: int = 1, count: int = 8, shift: int = 0, fill: float = 1.0) -> np.ndarray:
    """Run a kernel of (read, written) arrays of some length."""
    driver = FakeDriver()
    size = 4 * count
    x, y = driver.allocate(size, "x"), driver.allocate(size, "y")
    driver.write(x, np.full(count, fill, np.float32))
    node = GraphNode(source, driver.load(source), (grid, 1, 1), (x + shift, y), ((x, x + size),), ((y, y + size),))
    driver.launch(driver.graph([node]))
    found = np.empty(count, np.float32)
    driver.read(y, found)
    driver.free(x)
    driver.free(y)
    assert driver.held == 0
    return found


def test_a_kernel_runs_block_by_block():
    found = launch(kernel("    tl.store(p1 + i, tl.load(p0 + i) + i)\n"), grid=2, count=16)
    np.testing.assert_array_equal(found, 1 + np.arange(16, dtype=np.float32))


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("    tl.store(p1 + i, tl.load(p0 + i + 1))\n", "reads outside its operands"),
        ("    tl.store(p1 + i - 1, tl.load(p0 + i))\n", "writes outside its results"),
        ("    tl.store(p0 + i, tl.load(p0 + i))\n", "writes outside its results"),
    ],
)
def test_an_access_beside_the_operands_is_a_fault(body: str, fault: str):
    with pytest.raises(KernelFault, match=fault):
        launch(kernel(body))


def test_a_mask_keeps_it_inside():
    found = launch(kernel("    m = i < 5\n    tl.store(p1 + i, tl.load(p0 + i, mask=m), mask=m)\n"), count=5)
    np.testing.assert_array_equal(found, np.ones(5, np.float32))


@pytest.mark.parametrize(
    ("head", "body", "fault"),
    [
        ("    i = tl.arange(0, 8)\n", "    v = tl.load(p0 + i)\n", "ends without waiting"),
        ("    i = tl.arange(0, 8)\n", "    tl.store(p1 + i, tl.load(p0 + i))\n", "writes before it waits"),
        (
            "    i = tl.arange(0, 8)\n",
            "    v = tl.load(p1 + i)\n    wait_for_previous()\n    tl.store(p1 + i, v)\n",
            "its own launch writes before it waits for it",
        ),
    ],
)
def test_the_rules_of_dependent_launches(head: str, body: str, fault: str):
    with pytest.raises(KernelFault, match=fault):
        launch(kernel(body, head=head))


def test_what_nobody_writes_may_be_read_before_the_wait():
    early = kernel("    v = tl.load(p0 + i)\n    wait_for_previous()\n    tl.store(p1 + i, v)\n", head="    i = tl.arange(0, 8)\n")
    np.testing.assert_array_equal(launch(early), np.ones(8, np.float32))


def test_beside_what_its_own_launch_writes_a_block_may_read_before_the_wait():
    early = kernel(
        "    v = tl.load(p1 + 4 + i)\n    wait_for_previous()\n    tl.store(p1 + i, tl.load(p0 + i), mask=i < 4)\n",
        head="    i = tl.arange(0, 4)\n",
    )
    np.testing.assert_array_equal(launch(early)[:4], np.ones(4, np.float32))


def test_what_another_kernel_of_the_graph_writes_is_not_read_before_the_wait():
    driver = FakeDriver()
    x, y = driver.allocate(32, "x"), driver.allocate(32, "y")
    first = kernel("    tl.store(p0 + i, 1.0)\n", pointers=("fp32",))
    early = kernel("    v = tl.load(p0 + i)\n    wait_for_previous()\n    tl.store(p1 + i, v)\n", head="    i = tl.arange(0, 8)\n")
    nodes = [
        GraphNode(first, driver.load(first), (1, 1, 1), (x,), (), ((x, x + 32),)),
        GraphNode(early, driver.load(early), (1, 1, 1), (x, y), ((x, x + 32),), ((y, y + 32),)),
    ]
    with pytest.raises(KernelFault, match="another kernel of the graph writes"):
        driver.launch(driver.graph(nodes))


@pytest.mark.parametrize("change", ["v.to(tl.int64)", "v[None, :]"])
def test_a_value_that_a_loop_carries_keeps_its_type(change: str):
    """Triton's compiler refuses such a loop."""
    loop = f"    v = i * 2\n    for n in range(0, 2):\n        v = {change}\n    tl.store(p1 + i, tl.load(p0 + i))\n"
    with pytest.raises(KernelFault, match="changes the type"):
        launch(kernel(loop))


def test_a_misaligned_pointer_and_an_empty_grid_are_faults():
    plain = kernel("    tl.store(p1 + i, tl.load(p0 + i))\n")
    with pytest.raises(KernelFault, match="not aligned"):
        launch(plain, shift=4)
    with pytest.raises(KernelFault, match="grid"):
        launch(plain, grid=0)


def test_out_of_memory_is_an_error_with_numbers_and_the_driver_goes_on():
    driver = FakeDriver(memory=1000)
    kept = driver.allocate(600, "first")
    with pytest.raises(RlxError, match="second takes 600 bytes") as caught:
        driver.allocate(600, "second")
    assert caught.value.code == "RLX514"
    driver.free(kept)
    driver.free(driver.allocate(600, "second"))


def test_writes_past_an_allocation_are_found_when_it_is_freed():
    driver = FakeDriver()
    address = driver.allocate(16, "short")
    driver._pieces[address][-1] = 0
    with pytest.raises(KernelFault, match="beside an allocation"):
        driver.free(address)


def test_new_memory_is_not_zero():
    driver, found = FakeDriver(), np.zeros(4, np.uint8)
    driver.read(driver.allocate(4, "new"), found)
    assert (found == 0xA5).all()


@pytest.mark.parametrize(("value", "stored"), [(1.00390625, 1.0), (1.01171875, 1.015625), (1e-40, 9.183549615799121e-41)])
def test_rounding_to_bf16_is_to_the_nearest_even(value: float, stored: float):
    """Triton's own interpreter cuts digits off instead, and drops denormals."""
    source = kernel("    tl.store(p1 + i, tl.load(p0 + i).to(tl.bfloat16).to(tl.float32))\n")
    assert launch(source, fill=value)[0] == np.float32(stored)
