"""Softmax cross entropy against torch, value and gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ops.loss import softmax_cross_entropy_backward, softmax_cross_entropy_with_logits
from tests.ops.running import decomposed, draw, infer, run, symbolic


@pytest.mark.parametrize("ignore_index", [None, -100, 3])
@pytest.mark.parametrize("apply", [run, decomposed], ids=["reference", "decomposed"])
def test_loss_and_gradient_are_torch(ignore_index: int | None, apply: Any) -> None:
    logits, dy = draw((9, 7), "f64", seed=1), draw((9,), "f64", seed=2)
    labels = np.array([0, 6, 3, 3, 1, -100, 2, 5, 4] if ignore_index == -100 else [0, 6, 3, 3, 1, 2, 2, 5, 4], np.int64)
    given = torch.tensor(logits, requires_grad=True)
    kept = {} if ignore_index is None else {"ignore_index": ignore_index}
    wanted = torch.nn.functional.cross_entropy(given, torch.tensor(labels), reduction="none", **kept)  # type: ignore[arg-type]
    (gradient,) = torch.autograd.grad(wanted, given, torch.tensor(dy))
    attrs = {"ignore_index": ignore_index}
    np.testing.assert_allclose(apply(softmax_cross_entropy_with_logits, logits, labels, **attrs), wanted.detach(), atol=1e-12)
    found = apply(softmax_cross_entropy_backward, logits, labels, dy, **attrs)
    np.testing.assert_allclose(found, gradient, atol=1e-12)


def test_labels_follow_the_index_rule() -> None:
    logits = draw((4, 5), seed=1)
    found = run(softmax_cross_entropy_with_logits, logits, np.array([-1, 99, -99, 2], np.int32))
    wanted = run(softmax_cross_entropy_with_logits, logits, np.array([4, 4, 0, 2], np.int32))
    np.testing.assert_array_equal(found, wanted)


def test_large_logits_stay_finite() -> None:
    logits = np.array([[1e30, 0, -1e30], [-np.inf, 0, 0]], np.float32)
    found = run(softmax_cross_entropy_with_logits, logits, np.array([0, 1], np.int32))
    np.testing.assert_allclose(found, [0, np.log(2)], rtol=1e-6)


@pytest.mark.parametrize("decompose", [False, True])
def test_symbolic_rows_and_classes(decompose: bool) -> None:
    rows, classes = Dim("rows"), Dim("classes")
    logits, labels = Shape((rows, classes)), Shape((rows,), "i32")
    sizes = {"rows": 4, "classes": 6}
    symbolic(softmax_cross_entropy_with_logits, [logits, labels], sizes, {"ignore_index": 1}, decompose)
    symbolic(softmax_cross_entropy_backward, [logits, labels, Shape((rows,))], sizes, {}, decompose)


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ((Shape((2, 3, 4)), Shape((2,), "i32")), "logits are f32[2, 3, 4]"),
        ((Shape((2, 3)), Shape((2,))), "labels are f32[2]"),
        ((Shape((2, 3)), Shape((3,), "i32")), "rows of logits and labels: 2 and 3 differ"),
        ((Shape((2, 3), "i32"), Shape((2,), "i32")), "logits are i32[2, 3]"),
    ],
)
def test_errors_say_both_facts(shapes: Any, message: str) -> None:
    with pytest.raises(RlxError) as raised:
        infer(softmax_cross_entropy_with_logits, *shapes)
    assert message in str(raised.value) and "fix:" in str(raised.value)
