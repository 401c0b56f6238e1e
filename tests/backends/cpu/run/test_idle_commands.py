"""Commands that would copy memory to itself have no units: nobody claims any."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import rlx
from rlx.backends.cpu.run.commands import CommandField
from rlx.backends.cpu.run.runner import CpuRunner

CAPACITY, WIDTH = 40_000, 8


def units_of(name: str, title: str) -> list[int]:
    """The units of the commands of a kernel in the executables of a graph."""
    found = []
    for runner in (item for item in gc.get_objects() if isinstance(item, CpuRunner) and item.sizes is not None):
        table = runner.program.table
        if not any(title == owned for kind, owned in runner.program.buffers if kind == "input"):
            continue
        names = [table.kernels[number] for number in table.commands[:, CommandField.KERNEL]]
        units = runner.job.dims[runner.job.commands[:, CommandField.UNITS]]
        found += [int(count) for kernel, count in zip(names, units, strict=True) if kernel.startswith(name)]
    return found


@pytest.mark.parametrize("keeps", [False, True], ids=["in place", "the old value is read later"])
def test_a_state_that_is_updated_in_place_is_not_claimed_unit_by_unit(keeps: bool) -> None:
    title = f"row_{keeps}"
    g = rlx.Graph("cache")
    row, at = g.input(title, (1, WIDTH), "f32"), g.input("at", (), "i32")
    cache = g.state("cache", (CAPACITY, WIDTH), "f32")
    new = g.dynamic_update_slice(cache, row, at, axes=(0,))
    g.update("cache", new)
    outputs = {"new": g.sum(new, axes=(0,))}
    if keeps:
        outputs["old"] = g.sum(cache * g.sum(new, axes=(0, 1)), axes=(0,))
    g.set_outputs(outputs)
    executable = rlx.compile(g, "cpu")
    for number in range(3):
        found = executable.run({title: np.full((1, WIDTH), number + 1, np.float32), "at": np.int32(number)})
        np.testing.assert_array_equal(found["new"], np.full(WIDTH, (number + 1) * (number + 2) / 2))
    units = units_of("update_rest", title)
    assert len(units) == 1
    assert (units[0] > 1) is keeps
