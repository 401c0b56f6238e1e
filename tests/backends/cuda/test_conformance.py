"""The records' own cases on the fake driver: quick ones always, all of them in the long run."""

from __future__ import annotations

import pytest

from rlx.backends.conformance import outcomes
from rlx.backends.conformance.cases import records
from rlx.backends.cuda.backend import CudaBackend
from rlx.backends.cuda.fake_driver import FakeDriver
from rlx.ir.op import OPS
from tests.backends.cuda.device import NEEDS_TRITON

pytestmark = NEEDS_TRITON

QUICK = (
    *("add", "pow", "floor_div", "cast", "where", "gelu_approx", "softplus", "next_after", "gcd"),
    *("reduce_max", "reduce_mean", "softmax", "layer_norm"),
    *("concat", "pad", "roll", "gather", "take_along_axis", "dynamic_update_slice", "scatter"),
    *("matmul", "eigh", "scan"),
)


def check(name: str) -> None:
    found = outcomes(CudaBackend(FakeDriver()), "test", OPS[name])
    wrong = [f"{outcome.row}: {outcome.detail}" for outcome in found if outcome.state != "ok"]
    assert found and not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", QUICK)
def test_an_op(name: str) -> None:
    check(name)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted({record.name for record in records()} - set(QUICK)))
def test_every_other_op(name: str) -> None:
    check(name)
