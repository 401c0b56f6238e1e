"""Idioms of JAX, NumPy and torch users: each works as in the library it comes from, or is an error that names the way."""

from __future__ import annotations

import pytest

from tests.frontends import array_idioms, program_idioms
from tests.frontends.idiom_table import IDIOMS

assert array_idioms and program_idioms  # importing them fills the table


@pytest.mark.parametrize("name", IDIOMS)
def test_idiom(name):
    IDIOMS[name].check()


def test_nearly_all_work():
    refused = [name for name, row in IDIOMS.items() if row.refused]
    assert len(IDIOMS) == 143
    assert len(refused) <= 0.05 * len(IDIOMS), refused
