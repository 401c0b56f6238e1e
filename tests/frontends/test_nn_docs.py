"""docs/random.md and docs/nn.md: their programs run; cross-entropy keeps the digits of small losses."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

import rlx

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("page", ["random", "nn"])
def test_programs_run(page: str) -> None:
    found: dict[str, Any] = {}
    for program in re.findall(r"```python\n(.*?)```", (DOCS / f"{page}.md").read_text(), re.DOTALL):
        exec(compile(program, f"docs/{page}.md", "exec"), found)
    if page == "nn":
        assert float(found["value"]) < 0.2


def test_names_of_the_page_are_all_there() -> None:
    text = (DOCS / "random.md").read_text()
    assert not [name for name in rlx.random.__all__ if f"`{name}`" not in text]


def test_cross_entropy_keeps_the_digits_of_small_losses_that_jax_does() -> None:
    """The sum is subtracted from logits that had their maximum subtracted, not from the logits."""
    logits = np.float32([[10, 0], [104, 95]])
    wanted = -np.asarray(jax.nn.log_softmax(logits))[:, 0]
    np.testing.assert_allclose(np.asarray(rlx.nn.cross_entropy(logits, np.int32([0, 0]))), wanted, rtol=1e-6)
    square = np.log(np.exp(np.float64(logits)).sum(1)) ** 2
    found = np.asarray(rlx.nn.cross_entropy(logits, np.int32([0, 0]), z_loss=0.1))
    np.testing.assert_allclose(found, wanted + 0.1 * square, rtol=1e-5)
