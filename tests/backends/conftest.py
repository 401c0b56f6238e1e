"""The device `far`, for tests that ask for it."""

from __future__ import annotations

import pytest

import rlx
from tests.backends.test_other_packages import install


@pytest.fixture
def far(tmp_path_factory, monkeypatch):
    """Registers `far_device.Far` as a package does."""
    folder = tmp_path_factory.mktemp("far")
    install(folder, "far_package", "", "far = tests.backends.far_device:Far")
    monkeypatch.syspath_prepend(folder)
    assert rlx.devices()["far"] == "available"
