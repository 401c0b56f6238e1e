"""The device `xla` does what the records say: rows of many ops in one program, since XLA compiles slowly; all of them in the long run."""

from __future__ import annotations

import pytest

from rlx.backends.conformance.cases import Row, records, rows_of
from rlx.backends.conformance.modes import compiled, outcomes
from rlx.backends.conformance.supported import support
from rlx.backends.registry import find_backend
from rlx.backends.xla.lowerings import LOWERINGS
from rlx.ir.op import OPS, OpDef

GROUPS = 6


def quick_row(record: OpDef) -> Row:
    """The first row whose note says what is odd about it, else the first."""
    rows = rows_of(record)
    return next((row for row in rows if "odd" in row.case.note or "broadcast" in row.case.note), rows[0])


@pytest.mark.parametrize("group", range(GROUPS))
def test_a_row_of_every_record(group: int) -> None:
    rows = [quick_row(record) for record in records()[group::GROUPS]]
    wrong = [outcome.detail for outcome in compiled(find_backend("xla"), rows) if outcome.state != "ok"]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", ["gelu", "scan", "cholesky"])
def test_gradients(name: str) -> None:
    found = outcomes(find_backend("xla"), "grad", OPS[name], "f32")
    assert not [outcome.detail for outcome in found if outcome.state == "FAIL"]
    assert any(outcome.state == "ok" for outcome in found)


def test_every_row_is_supported() -> None:
    backend = find_backend("xla")
    answers = [found for record in records() for found in support(backend, record)]
    assert [found for found in answers if found.answer != "yes"] == []


def test_only_eig_needs_numpy_in_a_run() -> None:
    backend = find_backend("xla")
    host = {record.name for record in records() if backend.support(record) == "on the host"}
    assert host == {"eig"}


@pytest.mark.parametrize("name", ["page_write", "page_write_q8", "paged_attention"])
def test_every_row_of_pages(name: str) -> None:
    found = outcomes(find_backend("xla"), "test", OPS[name])
    assert not [outcome.detail for outcome in found if outcome.state != "ok"] and len(found) > 5


def test_every_lowering_is_of_an_op() -> None:
    assert [name for name in LOWERINGS if name not in OPS] == []


@pytest.mark.long
@pytest.mark.parametrize("mode", ["test", "grad", "vmap"])
def test_all_rows(mode: str) -> None:
    backend = find_backend("xla")
    found = [outcome for record in records() for outcome in outcomes(backend, mode, record)]
    assert not [outcome.detail for outcome in found if outcome.state == "FAIL"]
