"""Random graphs of `tests/fuzz` on `xla`, each at two bindings, states followed: within the bound carried through the graph."""

from __future__ import annotations

import pytest

from tests.fuzz.running import Trial
from tests.fuzz.test_graphs import made

SHORT, LONG = range(20), range(20, 560)
CHUNK, LONG_CHUNK = 10, 90


def run(seeds: range) -> None:
    for seed in seeds:
        case = made(seed)
        try:
            Trial(case).check_whole("xla")
        except Exception as error:
            error.add_note(f"seed {seed}\n{case.graph}")
            raise


@pytest.mark.parametrize("first", SHORT[::CHUNK])
def test_graphs(first: int) -> None:
    run(range(first, first + CHUNK))


@pytest.mark.long
@pytest.mark.parametrize("first", LONG[::LONG_CHUNK])
def test_many_graphs(first: int) -> None:
    run(range(first, first + LONG_CHUNK))
