"""docs/scale.md is what its script writes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import scale_page  # noqa: E402


def test_tables_without_predictions_are_up_to_date():
    page = scale_page.PAGE.read_text()
    assert scale_page.CHECKED in page and all(f"| {chip.source} |" in page for chip in scale_page.CHIPS.values())


@pytest.mark.long
def test_the_page_is_up_to_date():
    assert scale_page.page() == scale_page.PAGE.read_text()
