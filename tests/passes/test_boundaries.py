"""Every boundary between two commands has its reason in the report."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rlx
from rlx.core.report import Report
from rlx.ir.parse_lir import Lir
from rlx.passes.boundaries import boundaries
from rlx.passes.entry import Options
from tests.small_llama import small_llama


def lines(graph: Any, **options: Any) -> list[str]:
    return [entry.message for entry in rlx.compile(graph, **options).report.of("boundary")]


def affine() -> rlx.Graph:
    """As in the row of the list: exp apart, softmax out of the product, + 1 after sort."""
    g = rlx.Graph("affine")
    x = g.input("x", (64, 32))
    product = g.exp(x) @ g.param("v", (32, 16))
    g.set_outputs({"y": g.sort(g.softmax(product, axis=-1), axis=-1) + 1.0})
    return g


def test_report_explains_every_cut_between_commands():
    """A graph with six commands explained one cut."""
    assert lines(affine()) == [
        "exp -> packed_matmul: a product reads its operands from memory",
        "packed_matmul -> reduce_max+sub+exp+reduce_sum+div: a reduction needs complete rows, and a product computes tiles of them",
        "reduce_max+sub+exp+reduce_sum+div -> sort: sort has a kernel of its own",
        "sort -> add: sort has a kernel of its own",
    ]


def test_reasons_between_elementwise_groups():
    g = rlx.Graph("groups")
    x = g.input("x", (8, 16))
    g.set_outputs({"a": g.transpose(g.exp(x), (1, 0)) * 2.0})
    assert lines(g) == ["exp -> mul: transpose between them: they do not visit the same elements in the same order"]
    g = rlx.Graph("two axes")
    x = g.input("x", (8, 16))
    by_row = g.reduce_sum(x, axes=(1,), keep_dim=True)
    g.set_outputs({"b": g.reduce_max(x * by_row, axes=(0,), keep_dim=True)})
    assert lines(g) == ["reduce_sum+mul -> reduce_max: they reduce along axes [1] and [0]"]
    g = rlx.Graph("circle")
    x = g.input("x", (8, 8))
    first = g.exp(x)
    g.set_outputs({"c": first + g.sort(first, axis=0)})
    assert "exp -> add: sort reads the first, and the second reads it" in lines(g)


def test_reasons_behind_a_product():
    g = rlx.Graph("output")
    product = g.matmul(g.input("x", (4, 8)), g.input("w", (8, 16)))
    g.set_outputs({"p": product, "y": g.exp(product)})
    assert lines(g) == ["matmul -> exp: the result of the product is an output, which is stored unchanged"]
    g = rlx.Graph("twice")
    product = g.matmul(g.input("x", (4, 8)), g.input("w", (8, 16)))
    g.set_outputs({"y": g.exp(product), "z": g.sort(product, axis=-1)})
    assert "matmul -> exp: the result of the product is read 2 times, so it is kept in memory" in lines(g)
    assert set(lines(g, fuse=False)) >= {"matmul -> exp: the option fuse=False, or trap_nan=True"}


def test_boundaries_in_bodies_of_loops_are_explained_too():
    body = rlx.jit(lambda x: rlx.lax.fori_loop(0, 50, lambda i, c: rlx.numpy.sort(c) * 0.5, x))
    body(np.ones((4, 8), np.float32))
    assert [entry.message for entry in body.report.of("boundary")] == ["sort -> mul: sort has a kernel of its own"]


def pairs_of_plan(lir: Lir) -> set[tuple[int, int]]:
    """By the plan: (writer, reader) of each buffer that a later command reads."""
    written: dict[int, int] = {}
    found = set()
    for command in lir.commands:
        count = len(command.operands) - command.writes
        for place in command.operands[:count]:
            if place is not None and place.buffer in written:
                found.add((written[place.buffer], command.node))
        for place in command.operands[count:]:
            if place is not None:
                written[place.buffer] = command.node
    return {(writer, reader) for writer, reader in found if writer != reader}


@pytest.mark.parametrize("make", [affine, lambda: small_llama(2).into_mir().graph])
def test_each_pair_of_the_plan_is_among_the_boundaries(make):
    from rlx.backends.registry import find_backend

    lir = find_backend("cpu").lower(make(), Options(), Report())
    found = {
        (each.writer.id, each.reader.id) for each in boundaries(lir.graph, {command.node for command in lir.commands}, Options())
    }
    assert found and pairs_of_plan(lir) <= found


@pytest.mark.parametrize("options", [{}, {"precision": "auto_mixed_bf16"}, {"excess_precision": False}])
def test_no_boundary_of_a_model_is_left_to_the_last_reason(options: dict[str, Any]):
    found = lines(small_llama(2), **{"precision": "auto_mixed", **options})
    assert found and not any("no proof" in line for line in found)


def test_fused_says_bytes_where_megabytes_would_be_zero():
    """It said "0.00 MB of traffic saved"."""
    g = rlx.Graph("small")
    g.set_outputs({"y": g.exp(g.input("x", (8, 8))) * 2.0})
    (fused,) = rlx.compile(g).report.of("fused")
    assert fused.message == "exp mul; 512 bytes of traffic saved"  # 256 bytes written once and read once
