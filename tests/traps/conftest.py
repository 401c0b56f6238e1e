"""Every trap is sprung on both devices."""

from __future__ import annotations

import pytest


@pytest.fixture(params=["reference", "cpu"])
def device(request: pytest.FixtureRequest) -> str:
    return request.param
