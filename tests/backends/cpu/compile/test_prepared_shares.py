"""Weights are packed as they are read: both are divided into one contiguous share for each thread."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import rlx
from rlx.backends.cpu.compile.program import Program
from rlx.backends.cpu.run.commands import LONG_RUNS, CommandField
from rlx.layouts.gguf_blocks import random_rows

SCHEMES = ("gguf_q8_0", "gguf_q4k", "gguf_q6k", "gguf_f16")


def product(scheme: str, k: int, n: int) -> rlx.Executable:
    graph = rlx.Graph("product")
    x = graph.input("x", (1, k))
    graph.set_outputs({"y": x @ graph.param("w", (k, n), scheme=scheme)})
    return rlx.compile(graph, "cpu")


def rows(program: Program, kernel: str) -> Iterator[tuple[int, int]]:
    """Flags and units of the commands of a kernel."""
    table = program.table
    for row in table.commands:
        if table.kernels[row[CommandField.KERNEL]].startswith(kernel):
            yield int(row[CommandField.FLAGS]), int(table.dims[row[CommandField.UNITS]])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_packing_is_divided_as_the_product_that_streams_the_weight(scheme: str) -> None:
    main, prepare = product(scheme, 2048, 4096).code.programs
    [(packing, made)] = rows(prepare, "pack")
    [(streaming, read)] = rows(main, "packed_matmul")
    assert packing & LONG_RUNS and streaming & LONG_RUNS
    assert min(made, read) >= 64  # enough for shares of many threads


def test_a_program_with_inputs_is_divided_as_its_kernels_say() -> None:
    graph = rlx.Graph("copy")
    graph.set_outputs({"y": graph.input("x", (512, 512)).transpose(1, 0) + 1.0})
    [main] = rlx.compile(graph, "cpu").code.programs
    assert not any(flags & LONG_RUNS for flags, _ in rows(main, ""))


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("n", [8, 40, 1000])
def test_weights_packed_by_any_number_of_threads_are_the_same(threads: int, n: int) -> None:
    exe = product("gguf_q8_0", 512, n)
    stored, x = random_rows("Q8_0", n, 512, seed=1), np.ones((1, 512), np.float32)
    exe.set_param("w", stored)
    found = []
    try:
        for count in (1, threads):
            rlx.set_threads(count)
            exe.set_param("w", stored)
            found.append(np.array(exe(x)))
    finally:
        rlx.set_threads(None)
    np.testing.assert_array_equal(*found)


def test_units_that_wait_for_smaller_ones_are_claimed_in_order_while_weights_are_prepared() -> None:
    graph = rlx.Graph("inverse")
    w = graph.param("w", (256, 256))
    graph.set_outputs({"y": graph.input("x", (2, 256)) @ rlx.numpy.linalg.inv(w)})
    _, prepare = rlx.compile(graph, "cpu").code.programs
    names = [prepare.table.kernels[row[CommandField.KERNEL]] for row in prepare.table.commands]
    [factor] = [
        name for name in names if name.startswith("dense_solve_") and not name.startswith(("dense_solve_load", "dense_solve_end"))
    ]
    [(flags, units)] = rows(prepare, factor)
    assert units > 1 and not flags & LONG_RUNS
