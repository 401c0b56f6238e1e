"""Records that the CPU reaches by decomposition: one executable for all sizes, errors of a run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rlx.backends.cpu.kernels import KERNELS
from rlx.backends.cpu.kernels.control import CONTROL_OPS
from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.emit import emit
from rlx.ir.evaluate import evaluate_op
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, OpDef
from rlx.runtime.compile import compile_module
from tests.ops.running import draw, place
from tests.ops.test_tabled_records import RECORDS


def compiled(record: OpDef, shapes: list[Shape | None], attrs: dict[str, Any]) -> tuple[Any, Any]:
    graph = Graph("test")
    given = [None if shape is None else place(graph, f"x{i}", shape.dims, shape.dtype.name) for i, shape in enumerate(shapes)]
    found = emit(record, given, dict(attrs), graph=graph)
    values = found if isinstance(found, tuple) else (found,)
    op = graph.node(values[0].ref).op
    graph.set_output_refs({f"y{i}": value.ref for i, value in enumerate(values)})
    return compile_module(graph, device="cpu"), op


def answers(exe: Any, arrays: list[Any]) -> list[Any]:
    return list(exe.run({f"x{i}": a for i, a in enumerate(arrays) if a is not None}).values())


def test_every_record_has_a_kernel_or_a_decomposition() -> None:
    """Or is called on the host: its record says so, or its function is Python's."""
    hosted = {record.name for record in RECORDS if record.host or "function" in record.attrs}
    known = {*KERNELS, *CONTROL_OPS, *hosted}
    assert not [record.name for record in RECORDS if record.name not in known and record.decompose is None]


BATCH, SIZE = Dim("batch", min=1, max=8), Dim("size", min=4, max=64)
SYMBOLIC = [
    ("conv", [Shape((BATCH, 4, SIZE, 9)), Shape((6, 2, 3, 3)), Shape((6,))], {"padding": 1, "stride": (2, 1), "groups": 2}),
    ("conv_transpose", [Shape((BATCH, 3, SIZE)), Shape((3, 2, 3))], {"stride": 2}),
    ("pool", [Shape((BATCH, 2, SIZE))], {"kind": "mean", "kernel_size": 3, "stride": 2, "padding": 1}),
    ("resize", [Shape((BATCH, 2, SIZE))], {"size": SIZE * 2, "mode": "linear"}),
    ("group_norm", [Shape((BATCH, 6, SIZE)), Shape((6,))], {"num_groups": 3}),
    ("grouped_matmul", [Shape((SIZE, 5)), Shape((3, 5, 4)), Shape((SIZE,), "i32")], {}),
    ("scatter_add", [Shape((SIZE, 5)), Shape((SIZE,), "i32")], {"out_dim": BATCH}),
    ("batched_dense_solve", [Shape((BATCH, 4, 4)), Shape((BATCH, 4, SIZE))], {}),
    ("fake_quantize", [Shape((BATCH, SIZE))], {"axis": 0}),
]


@pytest.mark.parametrize(("name", "shapes", "attrs"), SYMBOLIC, ids=[row[0] for row in SYMBOLIC])
def test_one_executable_for_all_sizes(name: str, shapes: list[Shape], attrs: dict[str, Any]) -> None:
    needed = [*shapes, Shape((BATCH,))] if name == "scatter_add" else shapes
    graph = Graph("test")
    given = [place(graph, f"x{i}", shape.dims, shape.dtype.name) for i, shape in enumerate(needed)]
    found = emit(OPS[name], given[: len(shapes)], dict(attrs), graph=graph)
    value = found[0] if isinstance(found, tuple) else found
    extra = {"extra": (given[-1] + 1.0).ref} if len(needed) > len(shapes) else {}
    graph.set_output_refs({"y": value.ref, **extra})
    exe = compile_module(graph, device="cpu")
    for sizes in ({"batch": 1, "size": 4}, {"batch": 3, "size": 11}, {"batch": 2, "size": 64}):
        arrays = [draw(shape.bind(sizes).dims, shape.dtype.name, 0 if shape.dtype.is_integer else -1, 1) for shape in needed]
        if name == "batched_dense_solve":
            arrays[0] = arrays[0] + 4 * np.eye(4, dtype=np.float32)
        op = graph.node(value.ref).op.bind(sizes)
        wanted = evaluate_op(op, arrays[: len(shapes)])[0]
        answer = exe.run({f"x{i}": a for i, a in enumerate(arrays)})["y"]
        np.testing.assert_allclose(answer, wanted, rtol=1e-4, atol=1e-4)


def test_a_singular_matrix_is_an_error_of_the_run() -> None:
    exe, _ = compiled(OPS["dense_solve"], [Shape((2, 2)), Shape((2,))], {})
    good = answers(exe, [np.eye(2, dtype=np.float32), np.ones(2, np.float32)])[0]
    np.testing.assert_array_equal(good, [1, 1])
    with pytest.raises(RlxError, match=r"\[RLX511\] .*singular"):
        answers(exe, [np.ones((2, 2), np.float32), np.ones(2, np.float32)])
    np.testing.assert_array_equal(answers(exe, [np.eye(2, dtype=np.float32), np.ones(2, np.float32)])[0], good)
