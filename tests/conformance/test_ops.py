"""The conformance table: every case of every record, on the CPU, against the f64 reference within the record's bound.

Each row is compiled alone. A row is run on two threads and on one, which must give the same bits; with its sizes as symbols, through one
executable at two bindings; a part of the rows also on the oldest CPU of the family. What the CPU refuses is listed here with the reason,
and nothing else may be refused; what has no kernel of its own is listed too.
"""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from rlx.backends.base import find_backend
from rlx.backends.cpu.threads import set_threads
from rlx.core.errors import RlxError
from rlx.core.report import Report
from rlx.ir.case import Case
from rlx.ir.op import OPS, OpDef
from rlx.passes.context import Options
from tests.conformance.checking import agree, build, draw_at, feed, same_bits, second, shapes_of, symbolic
from tests.meta.test_records import FIRST_OPS

# The committed ops of the first step. Those of the second have tests of their own in tests/ops and tests/backends; they join this
# table once it is settled which of their sizes may be symbols.
RECORDS = [record for record in OPS if record.level == "mir" and not record.leaf and record.name in FIRST_OPS]
# In double precision the reference cannot judge these: its own rounding of the exponent, about x² units in the last place, exceeds the
# bound in the tail. tests/backends/cpu/test_math.py judges them against more than double precision.
NO_YARDSTICK = {("gelu", "f64"), ("gelu_approx", "f64")}
ROWS = [
    pytest.param(record, row, dtype, id=f"{record.name}-{number}-{dtype}")
    for record in RECORDS
    for number, row in enumerate(record.cases())  # type: ignore[operator]
    for dtype in row.dtypes
    if (record.name, dtype) not in NO_YARDSTICK
]

# (op, dtype of an operand or * for all) -> words of the RLX403 that says why the CPU has no code for it
REFUSED: dict[tuple[str, str], str] = {
    ("matmul", "c64"): "a product of c64 and c64",
}
# ops whose kernels are being written: their rows may be refused with RLX403, and must be right as soon as they run
COMING: dict[str, str] = {}

# ops without a kernel of their own, or without one for some rows: the CPU runs what they are made of
DECOMPOSED: dict[str, str] = {
    **dict.fromkeys(
        ("softmax", "log_softmax", "reduce_log_sum_exp", "layer_norm", "rms_norm", "group_norm", "layer_norm_2d", "batch_norm"),
        "one region",
    ),
    **dict.fromkeys(("softmax_cross_entropy_with_logits", "softmax_cross_entropy_backward"), "regions around take_along_axis"),
    "dot_general": "transposes around one matmul",
    "concat": "mixed dtypes are cast first",
    "pack": "panels of another width than the machine's",
    **dict.fromkeys(
        ("packed_matmul", "packed_pair_matmul"), "panels of another width, of a batch, or for a row; the pair stands inside a contraction"
    ),
    "rope_backward": "rope with the opposite angle",
    **dict.fromkeys(
        ("conv", "conv_transpose", "conv2d_backward_input", "conv2d_backward_weight", "q_conv2d", "pool"),
        "windows as views, then products or reductions",
    ),
    **dict.fromkeys(("lora_matmul", "grouped_matmul", "q_matmul"), "matmuls"),
    **dict.fromkeys(("quantize", "dequantize", "fake_quantize", "fake_quantize_backward", "fake_quantize_lsq"), "one region"),
    **dict.fromkeys(("fake_quantize_lsq_backward_scale", "fake_quantize_lsq_backward_x"), "one region"),
    **dict.fromkeys(("resize", "resize_nearest_2x", "axial_rope_2d"), "gathers and products"),
    "custom_fn": "its forward body",
}


@pytest.fixture(autouse=True)
def two_threads():
    """Two threads whatever the machine has; the default again afterwards."""
    set_threads(2)
    yield
    set_threads(None)


def refusal(record: OpDef, row: Case, dtype: str) -> str | None:
    """The written reason for which the CPU may refuse a row."""
    kinds = {dtype if sample.dtype == "f32" else sample.dtype for sample in row.operands if sample is not None} | {"*"}
    return next((REFUSED[record.name, kind] for kind in sorted(kinds) if (record.name, kind) in REFUSED), None)


def expect_refusal(graph: rlx.Graph, reason: str) -> None:
    with pytest.raises(RlxError) as raised:
        rlx.compile(graph, "cpu")
    assert raised.value.code == "RLX403" and reason in str(raised.value)


def compiled(record: OpDef, graph: rlx.Graph) -> rlx.Executable | None:
    """The executable; None where the op's kernel is still to come."""
    try:
        return rlx.compile(graph, "cpu")
    except RlxError as error:
        if record.name in COMING and error.code == "RLX403" and "has no kernel" in str(error):
            return None
        raise


@pytest.mark.parametrize(("record", "row", "dtype"), ROWS)
def test_case(record: OpDef, row: Case, dtype: str) -> None:
    operands = row.arrays(seed=1, dtype=dtype)
    built = build(record, shapes_of(operands), row.attrs)
    reason = refusal(record, row, dtype)
    if reason is not None:
        return expect_refusal(built.graph, reason)
    exe = compiled(record, built.graph)
    if exe is None:
        return
    found = tuple(array.copy() for array in exe.run(feed(operands)).values())
    agree(built.op, operands, found, f"{record.name}: {row.note}")
    set_threads(1)
    same_bits(found, tuple(exe.run(feed(operands)).values()), "one thread and two")


SYMBOLIC = [
    pytest.param(record, row, row.dtypes[0], id=f"{record.name}-{number}-{row.dtypes[0]}")
    for record in RECORDS
    for number, row in enumerate(record.cases())  # type: ignore[operator]
    if record.name != "pack" and symbolic(record, row, row.dtypes[0]) is not None and refusal(record, row, row.dtypes[0]) is None
]
# ops none of whose cases has a symbolic form
STATIC = {
    "fused": "a body is traced for its operands' shapes; passes make symbolic ones, which tests/golden and tests/fuzz run",
    "pack": "weights have static sizes: the layout pass packs params only",
}


@pytest.mark.parametrize(("record", "row", "dtype"), SYMBOLIC)
def test_symbolic_case(record: OpDef, row: Case, dtype: str) -> None:
    built = symbolic(record, row, dtype)
    assert built is not None
    exe = compiled(record, built.graph)
    if exe is None:
        return
    for bind in (second, int, second):  # growing, shrinking: nothing may be left over from the sizes before
        numbers = {size: bind(size) for size in built.sizes}
        operands = draw_at(row, built, numbers, dtype)
        bound = {dim.symbol.name: numbers[size] for size, dim in built.sizes.items()}  # type: ignore[union-attr]
        extra = {name: np.zeros(bound[name.removeprefix("size_")], np.uint8) for name in exe.inputs if name.startswith("size_")}
        found = tuple(array.copy() for array in exe.run({**feed(operands), **extra}).values())
        agree(built.op.bind(bound), operands, found, f"{record.name}: {row.note}, {bound}")


def test_every_op_has_a_symbolic_case() -> None:
    covered = {row.values[0].name for row in SYMBOLIC} | {name for name, kind in REFUSED if kind == "*"}
    missing = {record.name for record in RECORDS} - covered
    assert missing == set(STATIC), f"without a symbolic case: {sorted(missing)}"


# one row of each op in f32, or what it has, and one in a 16-bit float
BASELINE = [
    pytest.param(record, row, dtype, id=f"{record.name}-{number}-{dtype}")
    for record in RECORDS
    for number, row in enumerate(record.cases())  # type: ignore[operator]
    for dtype in row.dtypes
    if (number == 0 and dtype in (row.dtypes[0], "f16", "bf16")) or "odd length" in row.note or "tail" in row.note
    if (record.name, dtype) not in NO_YARDSTICK
]


@pytest.mark.parametrize(("record", "row", "dtype"), BASELINE)
def test_case_on_the_oldest_cpu(record: OpDef, row: Case, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RLX_CPU", "baseline")
    operands = row.arrays(seed=2, dtype=dtype)
    built = build(record, shapes_of(operands), row.attrs)
    reason = refusal(record, row, dtype)
    if reason is not None:
        return expect_refusal(built.graph, reason)
    assert not find_backend("cpu").target.has("sse3")  # type: ignore[attr-defined]
    exe = compiled(record, built.graph)
    if exe is None:
        return
    found = tuple(exe.run(feed(operands)).values())
    agree(built.op, operands, found, f"{record.name} on the baseline: {row.note}")


def test_what_the_cpu_decomposes_and_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    """The table of ops without a kernel of their own; a kernel that goes missing or comes changes it."""
    backend = find_backend("cpu")
    decomposed: dict[str, set[str]] = {}
    refused: dict[str, set[str]] = {}
    for record in RECORDS:
        for row in record.cases():  # type: ignore[operator]
            for dtype in row.dtypes:
                operands = row.arrays(seed=1, dtype=dtype)
                built = build(record, shapes_of(operands), row.attrs)
                node = built.graph.nodes[-1]
                reason = backend.claims(node.op, tuple(shapes_of(operands)), node.results)  # type: ignore[attr-defined]
                if reason is None:
                    continue
                try:
                    backend.lower(built.graph, Options(), Report())
                    decomposed.setdefault(record.name, set()).add(reason)
                except RlxError as error:
                    assert error.code == "RLX403", f"{record.name}: {error}"
                    refused.setdefault(record.name, set()).add(str(error).splitlines()[0].removeprefix("[RLX403] "))
    with capsys.disabled():
        print("\nop                                 on the cpu")
        for name in sorted(decomposed):
            print(f"{name:34} decomposed ({DECOMPOSED.get(name, 'not listed')}): {'; '.join(sorted(decomposed[name]))}")
        for name in sorted(refused):
            print(f"{name:34} refused: {'; '.join(sorted(refused[name]))}")
    expected = {name for name in DECOMPOSED if name in FIRST_OPS}
    assert set(decomposed) == expected, f"listed and found differ: {sorted(set(decomposed) ^ expected)}"
    listed = ({name for name, _ in REFUSED} | set(COMING)) & set(FIRST_OPS)
    assert set(refused) == listed, f"listed and found differ: {sorted(set(refused) ^ listed)}"
