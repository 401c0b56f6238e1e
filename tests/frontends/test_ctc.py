"""`rlx.nn.ctc_loss` against torch's, with its gradient; labels that repeat, are empty, or do not fit."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import torch

import rlx
from rlx.core.errors import RlxError

DATA = np.random.default_rng(0)


def paddings(lengths: Any, size: int) -> Any:
    return (np.arange(size) >= np.asarray(lengths)[:, None]).astype(np.float32)


@pytest.mark.parametrize("blank", [0, 4])
def test_loss_and_gradient_are_torchs(blank: int) -> None:
    logits = DATA.standard_normal((5, 9, 5)).astype(np.float32) * 2
    labels = (DATA.integers(1, 5, (5, 3)) + blank) % 5
    labels[labels == blank] = (blank + 1) % 5
    labels[0] = labels[0, 0]
    times, lengths = np.array([9, 7, 9, 4, 3]), np.array([3, 2, 0, 3, 1])
    theirs = torch.tensor(logits, requires_grad=True)
    wanted = torch.nn.functional.ctc_loss(
        theirs.log_softmax(-1).transpose(0, 1),
        torch.tensor(labels),
        torch.tensor(times),
        torch.tensor(lengths),
        blank=blank,
        reduction="none",
    )
    wanted.sum().backward()

    def loss(x: Any) -> Any:
        return rlx.nn.ctc_loss(x, paddings(times, 9), labels, paddings(lengths, 3), blank_id=blank)

    np.testing.assert_allclose(np.asarray(loss(logits)), wanted.detach().numpy(), rtol=1e-5)
    assert theirs.grad is not None
    np.testing.assert_allclose(rlx.grad(lambda x: loss(x).sum())(logits), theirs.grad.numpy(), atol=1e-5)


def test_sums_over_all_alignments() -> None:
    """Every string of four steps that reads as the labels once repeats and blanks are taken out."""
    logits = DATA.standard_normal((1, 4, 3)).astype(np.float32)
    shares = np.exp(logits[0]) / np.exp(logits[0]).sum(-1, keepdims=True)
    for labels in ([1, 2], [2, 2]):
        total = 0.0
        for path in itertools.product(range(3), repeat=4):
            read = [step for i, step in enumerate(path) if step and (i == 0 or step != path[i - 1])]
            total += np.prod([shares[i, step] for i, step in enumerate(path)]) if read == labels else 0.0
        found = rlx.nn.ctc_loss(logits, paddings([4], 4), np.int32([labels]), paddings([len(labels)], len(labels)))
        np.testing.assert_allclose(np.asarray(found), [-np.log(total)], rtol=1e-5)


def test_too_little_time_is_infinite_and_has_no_gradient() -> None:
    logits = np.zeros((1, 2, 3), np.float32)

    def loss(x: Any) -> Any:
        return rlx.nn.ctc_loss(x, paddings([2], 2), np.int32([[1, 1]]), paddings([2], 2))  # a blank has no room between

    assert np.asarray(loss(logits)).tolist() == [np.inf]
    assert not rlx.grad(lambda x: loss(x).sum())(logits).any()


def test_errors() -> None:
    logits, none = np.zeros((2, 4, 3), np.float32), np.zeros((2, 4), np.float32)
    with pytest.raises(RlxError, match="integer labels"):
        rlx.nn.ctc_loss(logits, none, np.zeros((2, 4), np.float32), none)
    with pytest.raises(RlxError, match=r"logit_paddings of shape \[2, 3\]"):
        rlx.nn.ctc_loss(logits, none[:, :3], np.ones((2, 4), np.int32), none)
