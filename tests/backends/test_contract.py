"""Every built-in device does what `Backend` promises: the conformance program, run in this process.

`rlx.backends.conformance` is also what another device's author runs. Here it replaces loops over the records' cases of its own in the
tests of kernels: the CPU's kernels run alone at every instruction set of `TARGETS`, with canaries between the slots of the arena.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from rlx.backends.base import Array, Backend
from rlx.backends.conformance import __main__ as program
from rlx.backends.conformance.cases import records, rows_of
from rlx.backends.conformance.modes import CaseOutcome, alone, compiled, outcomes
from rlx.backends.conformance.supported import DECOMPOSED, YES, support
from rlx.backends.cpu.backend import CpuBackend
from rlx.backends.cpu.target import Target
from rlx.backends.reference.backend import Evaluation, ReferenceBackend, ReferenceRunner
from rlx.backends.registry import find_backend
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, Op, OpDef
from rlx.ir.parse_lir import Lir
from tests.backends.cpu.levels import TARGETS

EVERY = pytest.mark.parametrize("record", records(), ids=lambda record: record.name)


def fine(found: Sequence[CaseOutcome], state: str = "ok") -> None:
    """Nothing is refused, nothing is wrong."""
    other = [f"{outcome.state}: {outcome.detail}" for outcome in found if outcome.state != state]
    assert not other, "\n".join(other)


# -- the built-in devices ---------------------------------------------------------------------------------------
@EVERY
def test_the_reference(record: OpDef) -> None:
    fine(compiled(find_backend("reference"), rows_of(record)))


@EVERY
def test_the_cpu(record: OpDef) -> None:
    """Through all passes, on as many threads as there are and on another number."""
    fine(compiled(find_backend("cpu"), rows_of(record)))


# a pointwise op is the same region with passes and without; tests/backends/cpu/kernels/region/test_records.py has them at every level
KERNELS = [record for record in records() if not record.is_pointwise]


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.cpu)
@pytest.mark.parametrize("record", KERNELS, ids=lambda record: record.name)
def test_kernels_of_the_cpu_alone(record: OpDef, target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RLX_CANARIES", "1")
    fine(alone(CpuBackend(target), rows_of(record)))


def test_null_plans_everything() -> None:
    for record in records():
        fine(outcomes(find_backend("null"), "test", record), "planned")


def transformed(device: str, mode: str, record: OpDef) -> None:
    found = outcomes(find_backend(device), mode, record)
    fine([outcome for outcome in found if outcome.state != "not supported"])
    assert all(
        outcome.detail.startswith(("no vjp: ", "no operand to batch")) for outcome in found if outcome.state == "not supported"
    )


SOME = ("gelu", "div", "softmax", "matmul", "reduce_max", "selective_scan", "gated_delta_net", "gather", "argmax", "rms_norm")


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("mode", ["grad", "vmap"])
def test_transforms_on_the_reference(mode: str, name: str) -> None:
    transformed("reference", mode, OPS[name])


@pytest.mark.parametrize("mode", ["grad", "vmap"])
@pytest.mark.parametrize("name", ["gelu", "softmax", "gather", "argmax"])
def test_transforms_on_the_cpu(mode: str, name: str) -> None:
    transformed("cpu", mode, OPS[name])


@pytest.mark.long
@pytest.mark.parametrize("mode", ["grad", "vmap"])
@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_all_transforms(device: str, mode: str) -> None:
    for record in records():
        transformed(device, mode, record)


# -- the program ------------------------------------------------------------------------------------------------
class Toy(ReferenceBackend):
    """A device by the reference that has no `gelu`, computes `exp` slightly wrong and writes past the results of `log`."""

    name = "toy"

    def claims(self, op: Op, operands: Any, results: Any) -> str | None:
        return {"gelu": "its author was in a hurry", "softmax": "it has no kernel"}.get(op.name)

    def lower(self, graph: Graph, options: Any, report: Any) -> Lir:
        from rlx.core.errors import RlxError

        if any(node.op.name == "gelu" for node in graph.nodes):
            raise RlxError("RLX403", "gelu on toy: its author was in a hurry")
        return super().lower(graph, options, report)

    def compile(self, lir: Lir, options: Any, report: Any) -> Evaluation:
        return Wrong(lir, options)

    def compile_as_planned(self, graph: Graph) -> Evaluation:
        plain = super().compile_as_planned(graph)
        return Wrong(plain.lir, plain.options)


class Wrong(Evaluation):
    def runners(self, inputs: Sequence[str], outputs: Sequence[str]) -> tuple[ReferenceRunner, None]:
        return WrongRunner(self), None


class WrongRunner(ReferenceRunner):
    def run(self, sizes: Mapping[str, int], inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        super().run(sizes, inputs, outputs)
        names = {node.op.name for node in self.graph.nodes}
        for array in outputs:
            if "exp" in names and array.size and array.dtype == np.float32:
                array *= np.float32(1 + 1e-5)
            if "log" in names and array.size:
                longer = np.lib.stride_tricks.as_strided(array.reshape(-1), (array.size + 1,), (array.itemsize,))
                longer[-1] = 1
            if "neg" in names and array.size:
                inputs[0][...] = 0


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Backend:
    made = Toy()
    monkeypatch.setattr(program, "find_backend", lambda name: made)
    return made


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    status = program.main(arguments)
    return status, capsys.readouterr().out.splitlines()


def test_what_is_right_ends_with_a_summary(toy: Backend, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = said(capsys, "--device", "toy", "--op", "tanh")
    count = len(rows_of(OPS["tanh"]))
    assert status == 0 and lines[-1] == f"toy: {count} cases, {count} ok, 0 not supported, 0 wrong"
    status, lines = said(capsys, "--device", "toy", "--op", "tanh", "--dtype", "bf16")
    assert status == 0 and 0 < int(lines[-1].split()[1]) < count and all("bf16" in line for line in lines[:-1])


def test_several_ops_are_run_one_after_the_other(toy: Backend, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = said(capsys, "--device", "toy", "--op", "tanh", "--op", "abs")
    count = sum(len(rows_of(OPS[name])) for name in ("tanh", "abs"))
    assert status == 0 and lines[-1] == f"toy: {count} cases, {count} ok, 0 not supported, 0 wrong"
    assert program.main(["--device", "null", "--op", "tanh", "--op", "input"]) == 2
    assert "input: no cases" in capsys.readouterr().err


def test_a_reason_is_printed_and_is_no_failure(toy: Backend, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = said(capsys, "--device", "toy", "--op", "gelu")
    count = len(rows_of(OPS["gelu"]))
    assert status == 0 and "not supported: gelu on toy: its author was in a hurry" in lines[0]
    assert lines[-1] == f"toy: {count} cases, 0 ok, {count} not supported, 0 wrong"


@pytest.mark.parametrize(
    ("name", "why"), [("exp", "outside the bound, worst"), ("log", "wrote past output"), ("neg", "changed input")]
)
def test_wrong_numbers_and_writing_elsewhere_are_failures(
    name: str, why: str, toy: Backend, capsys: pytest.CaptureFixture[str]
) -> None:
    status, lines = said(capsys, "--device", "toy", "--op", name)
    assert status == 1 and any("FAIL" in line and why in line for line in lines), lines
    assert not lines[-1].endswith(" 0 wrong")


def test_wrong_gradients_and_batches_are_failures(toy: Backend, capsys: pytest.CaptureFixture[str]) -> None:
    for mode in ("grad", "vmap"):
        status, lines = said(capsys, "--device", "toy", "--op", "exp", "--mode", mode, "--dtype", "f32")
        assert status == 1 and any("FAIL" in line for line in lines), (mode, lines)
    status, lines = said(capsys, "--device", "toy", "--op", "argmax", "--mode", "grad")
    assert status == 0 and "no vjp: integer output" in lines[0]


def test_perf_says_how_long_each_case_takes(capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = said(capsys, "--device", "cpu", "--op", "matmul", "--mode", "perf", "--dtype", "f32")
    assert status == 0 and all("GFLOP/s" in line and "GB/s" in line for line in lines[:-1]) and len(lines) > 3


def test_support_asks_and_runs_nothing(toy: Backend, capsys: pytest.CaptureFixture[str]) -> None:
    assert {found.answer for found in support(toy, OPS["tanh"])} == {YES}
    assert {found.answer for found in support(toy, OPS["softmax"])} == {DECOMPOSED}
    status, lines = said(capsys, "--device", "toy", "--op", "gelu", "--mode", "support")
    assert status == 0 and all("no: its author was in a hurry" in line for line in lines[:-1])
    dtypes = [found.dtype for found in support(toy, OPS["gelu"])]
    assert dtypes[:4] == ["f64", "f32", "f16", "bf16"] and "f8e4m3" not in dtypes and "c64" not in dtypes


def test_what_it_is_not_given_right(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["--device", "abacus"]) == 2
    assert "RLX404" in capsys.readouterr().err
    assert program.main(["--device", "null", "--op", "gelo"]) == 2
    assert "gelu" in capsys.readouterr().err


BARE = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("llvmlite", "pytest", "typer"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
from rlx.backends.conformance.__main__ import main
for mode in ("test", "grad", "vmap", "perf", "support"):
    assert main(["--device", "reference", "--op", "gelu", "--mode", mode]) == 0, mode
"""


def test_it_needs_neither_llvm_nor_pytest_nor_typer() -> None:
    done = subprocess.run([sys.executable, "-c", BARE], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
