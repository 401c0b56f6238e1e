"""The records' cases on the CPU beyond the table of tests/backends/test_contract.py, against the f64 reference within the record's bound.

The rows of one op are compiled together, each on inputs of its own, through rlx.compile. They run with their sizes as symbols, through one
executable at several bindings, 0 among them where the op's rule allows it; a part of the rows, on two threads and on one, also with the
code of older CPUs, and compiled for CPUs with AVX-512. What the CPU refuses is listed here with the reason, and nothing else may be
refused; what has no kernel of its own, and what has no symbolic form, is listed too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.backends.cpu.backend import CpuBackend
from rlx.backends.cpu.run.thread_pool import set_threads
from rlx.backends.cpu.target import Target
from rlx.backends.registry import find_backend
from rlx.core.errors import RlxError
from rlx.core.report import Report
from rlx.ir.evaluate import evaluate_op
from rlx.ir.op import OPS, Op, OpDef
from rlx.ir.tolerance import Case
from rlx.module.modules import as_mir_graph
from rlx.passes.entry import Options
from tests.backends.cpu.levels import BELOW, COMPILED_FOR, folded, one_lane_stores
from tests.conformance.checking import Built, agree, build, draw_at, same_bits, second, shapes_of, symbolic

RECORDS = [record for record in OPS if record.level == "mir" and not record.leaf]
Row = tuple[int, Case, str]  # its number, the case, the dtype of its values

# (op, dtype of an operand or * for all) -> words of the RLX403 that says why the CPU has no code for it
REFUSED: dict[tuple[str, str], str] = {}

# ops without a kernel of their own, or without one for some rows: the CPU runs what they are made of
DECOMPOSED: dict[str, str] = {
    **dict.fromkeys(
        ("softmax", "log_softmax", "reduce_log_sum_exp", "layer_norm", "rms_norm", "group_norm", "layer_norm_2d", "batch_norm"),
        "one region",
    ),
    **dict.fromkeys(("softmax_cross_entropy_with_logits", "softmax_cross_entropy_backward"), "regions around take_along_axis"),
    "dot_general": "transposes around one matmul",
    "over_axis": "what it reads: `vmap` batches it away, and outside of one it is over one example",
    "concat": "mixed dtypes are cast first",
    "pack": "panels of another width than the machine's",
    **dict.fromkeys(
        ("packed_matmul", "packed_pair_matmul"),
        "panels of another width, of a batch, or for a row; the pair stands inside a contraction",
    ),
    **dict.fromkeys(("packed_grouped_matmul", "packed_conv"), "panels of another width than the machine's"),
    "matmul": "complex numbers: four products of real ones",
    **dict.fromkeys(("gather", "take_along_axis"), "c128: both parts by themselves"),
    "attention_backward": "the gradient of a bias that is broadcast: products and regions, in chunks of rows where they are many",
    **dict.fromkeys(
        ("conv_transpose", "conv2d_backward_input", "conv2d_backward_weight", "q_conv2d", "pool"),
        "windows as views, then products or reductions",
    ),
    "lora_matmul": "matmuls",
    "q_matmul": "q_product, its factors and zero points operands",
    **dict.fromkeys(("layer_norm_backward", "rms_norm_backward"), "regions"),
    **dict.fromkeys(("rfft", "irfft", "fftn", "ifftn", "stft", "psd", "fft_conv1d"), "ffts, and what cuts and joins their numbers"),
    **dict.fromkeys(("fft", "complex"), "low floats and ints are cast first"),
    **dict.fromkeys(
        ("dense_solve", "batched_dense_solve"), "complex equations are twice as many real ones; low floats are cast first"
    ),
    **dict.fromkeys(("cholesky", "triangular_solve", "lu", "qr"), "low floats and ints are cast first"),
    **dict.fromkeys(("quantize", "dequantize", "fake_quantize", "fake_quantize_backward", "fake_quantize_lsq"), "one region"),
    **dict.fromkeys(("fake_quantize_lsq_backward_scale", "fake_quantize_lsq_backward_x"), "one region"),
    **dict.fromkeys(("resize", "resize_nearest_2x", "axial_rope_2d"), "gathers and products"),
    "custom_fn": "its forward body",
    "sinc": "one region",
    **dict.fromkeys(("pinv", "lstsq", "matrix_rank"), "svd on the host, then products"),
}


@pytest.fixture(autouse=True)
def two_threads():
    """Two threads whatever the machine has; the default again afterwards."""
    set_threads(2)
    yield
    set_threads(None)


def rows_of(record: OpDef) -> list[Row]:
    return [(number, row, dtype) for number, row in enumerate(record.cases()) for dtype in row.dtypes]  # type: ignore[operator]


def refusal(record: OpDef, row: Case, dtype: str) -> str | None:
    """The written reason for which the CPU may refuse a row."""
    kinds = {dtype if sample.dtype == "f32" else sample.dtype for sample in row.operands if sample is not None} | {"*"}
    return next((REFUSED[record.name, kind] for kind in sorted(kinds) if (record.name, kind) in REFUSED), None)


def expect_refusal(graph: rlx.Graph, reason: str) -> None:
    with pytest.raises(RlxError) as raised:
        rlx.compile(graph, "cpu")
    assert raised.value.code == "RLX403" and reason in str(raised.value)


def has_meaning(op: Op, operands: Sequence[Any]) -> bool:
    """Whether the reference has a result for operands without elements: the largest of no numbers is none."""
    try:
        evaluate_op(op, operands)
    except (RlxError, ValueError):
        return False
    return True


class Sheet:
    """Rows of one op in one graph, and what goes wrong with them: the test fails with all of it, not with the first."""

    def __init__(self, record: OpDef) -> None:
        self.record = record
        self.graph = rlx.Graph(record.name)
        self.rows: list[tuple[Row, Built, list[Any]]] = []
        self.wrong: list[str] = []

    def add(self, row: Row, built: Built, operands: Sequence[Any] = ()) -> None:
        self.rows.append((row, built, list(operands)))

    def compile(self) -> rlx.Executable:
        try:
            return rlx.compile(self.graph, "cpu")
        except Exception as error:
            error.add_note(f"rows of {self.record.name}: {[f'{row[0]}-{row[2]}' for row, *_ in self.rows]}")
            raise

    def check(self, row: Row, op: Op, operands: Sequence[Any], found: Sequence[Any], where: str) -> None:
        if any(array is not None and array.size == 0 for array in operands) and not has_meaning(op, operands):
            return
        try:
            agree(op, operands, found, f"{self.record.name}, row {row[0]} ({row[1].note}) in {row[2]}{where}")
        except AssertionError as error:
            self.wrong.append(str(error))

    def finish(self) -> None:
        assert not self.wrong, "\n".join(self.wrong)


def run_static(record: OpDef, rows: Iterable[Row], seed: int, where: str = "") -> None:
    """Each row against the reference; on one thread the same bits as on two."""
    sheet = Sheet(record)
    for row in rows:
        number, case, dtype = row
        operands = case.arrays(seed=seed, dtype=dtype)
        reason = refusal(record, case, dtype)
        if reason is not None:
            expect_refusal(build(record, shapes_of(operands), case.attrs).graph, reason)
            continue
        sheet.add(row, build(record, shapes_of(operands), case.attrs, graph=sheet.graph, prefix=f"r{number}_{dtype}_"), operands)
    exe = sheet.compile()
    given = {name: array for _, built, operands in sheet.rows for name, array in built.feed(operands).items()}
    outputs = {name: array.copy() for name, array in exe.run(given).items()}
    for row, built, operands in sheet.rows:
        sheet.check(row, built.op, operands, built.results(outputs), where)
    set_threads(1)
    same_bits(list(outputs.values()), list(exe.run(given).values()), f"{record.name}, one thread and two")
    sheet.finish()


def rows_for_levels(record: OpDef) -> list[Row]:
    """One row of the op in f32, or what it has, and one in a 16-bit float; what has a rest after whole vectors."""
    return [
        (number, row, dtype)
        for number, row, dtype in rows_of(record)
        if (number == 0 and dtype in (row.dtypes[0], "f16", "bf16")) or "odd length" in row.note or "tail" in row.note
    ]


def in_turn(records: Sequence[OpDef], others: Iterable[Any]) -> list[Any]:
    """Each record with one of the others in turn; the rest of the pairs are long."""
    choices = list(others)
    return [
        pytest.param(
            record,
            other,
            id=f"{record.name}-{getattr(other, 'cpu', other)}",
            marks=[] if number % len(choices) == position else [pytest.mark.long],
        )
        for number, record in enumerate(records)
        for position, other in enumerate(choices)
    ]


@pytest.mark.parametrize(("record", "level"), in_turn(RECORDS, BELOW))
def test_cases_at_lower_levels(record: OpDef, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the code of older CPUs, which this one runs too: of one of them for each op, of all in the long run."""
    monkeypatch.setenv("RLX_CPU", level)
    assert find_backend("cpu").target == BELOW[level]  # type: ignore[attr-defined]
    run_static(record, rows_for_levels(record), seed=2, where=f", {level}")


@pytest.mark.parametrize("target", COMPILED_FOR, ids=lambda target: target.cpu)
@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_kernels_for_avx512(record: OpDef, target: Target) -> None:
    """Where the machine cannot run AVX-512, kernels are compiled for it; nowhere may they hold the store that LLVM gets wrong."""
    sheet = Sheet(record)
    for row in rows_for_levels(record):
        number, case, dtype = row
        if refusal(record, case, dtype) is None:
            operands = case.arrays(seed=2, dtype=dtype)
            build(record, shapes_of(operands), case.attrs, graph=sheet.graph, prefix=f"r{number}_{dtype}_")
    texts: list[str] = []
    report = Report(watch=lambda stage, thing: texts.extend(thing) if stage.startswith("llvm ") else None)
    backend = CpuBackend(target)
    lir = backend.lower(as_mir_graph(sheet.graph), Options(), report)
    programs = backend.build_all((lir,) if lir.prepare is None else (lir, lir.prepare), report)
    assert all(program.objects for program in programs) or not texts
    for text in texts:
        assert not one_lane_stores(folded(text, target)), text


# ops none of whose cases has a symbolic form
STATIC = {
    "fused": "a body is traced for its operands' shapes; passes make symbolic ones, which tests/golden and tests/fuzz run",
    "pack": "the cases' layouts are checked by tests/traps/test_sizes.py with symbolic sizes; here the width is part of the op",
    **dict.fromkeys(("if", "while", "custom_fn"), "their bodies are traced for static shapes; tests/fuzz has symbolic ones"),
}


def run_symbolic(record: OpDef, bindings: Sequence[Any], least: int | None = None, most_rows: int = 1000) -> int:
    """The rows in one graph, their sizes symbols, at bindings that grow and shrink: nothing may be left over from the sizes before."""
    sheet = Sheet(record)
    for number, case, dtype in rows_of(record):
        if dtype != case.dtypes[0] or refusal(record, case, dtype) is not None or number >= most_rows:
            continue
        if symbolic(record, case, dtype, least=least) is not None:
            built = symbolic(record, case, dtype, sheet.graph, f"r{number}_", least)
            assert built is not None
            sheet.add((number, case, dtype), built)
    if not sheet.rows:
        return 0
    exe = sheet.compile()
    for bind in bindings:
        everything = {size: dim for _, built, _ in sheet.rows for size, dim in built.sizes.items()}
        numbers = {size: bind(size) for size in everything}
        bound = {f"s{size}": number for size, number in numbers.items()}
        given = {name: np.zeros(bound[name.removeprefix("size_")], np.uint8) for name in exe.inputs if name.startswith("size_")}
        drawn = []
        for (_, case, dtype), built, _ in sheet.rows:
            drawn.append(draw_at(case, built, {size: numbers[size] for size in built.sizes}, dtype))
            given |= built.feed(drawn[-1])
        outputs = exe.run(given)
        for (row, built, _), operands in zip(sheet.rows, drawn, strict=True):
            sheet.check(row, built.op.bind(bound), operands, built.results(outputs), f" at {bound}")
    sheet.finish()
    return len(sheet.rows)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_symbolic_cases(record: OpDef) -> None:
    rows = run_symbolic(record, (second, int, second)) if record.name != "pack" else 0
    assert (rows == 0) == (record.name in STATIC), f"{rows} symbolic rows"


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_sizes_that_become_zero(record: OpDef, pytestconfig: pytest.Config) -> None:
    """A symbol that may be 0 is 0: no kernel divides by it, reads what is not there, or leaves old numbers behind."""
    bindings = (int, lambda size: 0, second, lambda size: 0 if size % 2 else size, int)
    run_symbolic(record, bindings, least=0, most_rows=6 if pytestconfig.getoption("--long") else 3)


def test_what_the_cpu_decomposes(capsys: pytest.CaptureFixture[str]) -> None:
    """The table of ops without a kernel of their own; a kernel that goes missing or comes changes it."""
    backend = find_backend("cpu")
    decomposed: dict[str, set[str]] = {}
    for record in RECORDS:
        for _, row, dtype in rows_of(record):
            shapes = shapes_of(row.arrays(seed=1, dtype=dtype))
            node = build(record, shapes, row.attrs).graph.nodes[-1]
            reason = backend.claims(node.op, tuple(shapes), node.results)  # type: ignore[attr-defined]
            if reason is not None and refusal(record, row, dtype) is None:
                decomposed.setdefault(record.name, set()).add(reason)
    with capsys.disabled():
        print("\nop                                 on the cpu")
        for name in sorted(decomposed):
            print(f"{name:34} decomposed ({DECOMPOSED.get(name, 'not listed')}): {'; '.join(sorted(decomposed[name]))}")
        for (name, kind), reason in sorted(REFUSED.items()):
            print(f"{name:34} refused for {kind}: {reason}")
    assert set(decomposed) == set(DECOMPOSED), f"listed and found differ: {sorted(set(decomposed) ^ set(DECOMPOSED))}"
