"""Chunks of keys are combined some query rows at a time: how many commands' units that makes, and that no row is left out."""

import pytest

from rlx.backends.cpu.emit.kernel import Lowering, Tensor
from rlx.backends.cpu.kernels.attention.decode import COMBINED_ROWS
from rlx.backends.cpu.kernels.attention.forward import lower
from rlx.core.dim import Dim, Size
from rlx.core.shape import Shape
from tests.backends.cpu.kernels.attention.test_forward import SPLITS, check
from tests.backends.cpu.levels import HOST
from tests.backends.cpu.lowered import op_for


def combining_units(batch: Size, heads: int, keys: Size) -> Size:
    tensors = [Tensor.dense(Shape((batch, heads, count, 8))) for count in (1, keys, keys)]
    op = op_for("attention", tensors, num_heads=heads, head_dim=8, layout="bhsd")
    lowering = lower(op, tuple(tensors), (tensors[0],), HOST)
    assert isinstance(lowering, Lowering) and lowering.stages[-1].name == "attention_combine"
    return lowering.stages[-1].units


def test_the_heads_of_one_token_are_one_unit() -> None:
    """A command of one unit is the calling thread's: the others wait once, for what follows."""
    assert combining_units(1, 32, 4000) == 1 and combining_units(1, 2, Dim("keys", max=4000)) == 1
    assert combining_units(1, 33, 4000) == 2 and combining_units(16, 32, 4000) == 16


@pytest.mark.parametrize("heads", [1, COMBINED_ROWS - 1, COMBINED_ROWS, COMBINED_ROWS + 1, 3 * COMBINED_ROWS + 5])
@pytest.mark.parametrize(("batch", "group", "queries"), [(1, 1, 1), (3, 1, 1), (2, 3, 2)])
def test_every_row_is_combined_once(heads: int, batch: int, group: int, queries: int) -> None:
    check((batch, heads * group, heads, queries, 1100, 8), mask_kind="causal", splits=SPLITS)
