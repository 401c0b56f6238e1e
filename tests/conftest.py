"""Settings shared by all tests: a private cache, the verifier after every pass, and the `long` marker."""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# One cache for the whole run: the first process makes it and its test workers inherit the variable.
OWNS_CACHE = "PYTEST_XDIST_WORKER" not in os.environ
if OWNS_CACHE:
    os.environ["RLX_CACHE_DIR"] = tempfile.mkdtemp(prefix="rlx-tests-")
os.environ["RLX_VERIFY"] = "1"
os.environ["RLX_TRACEBACK"] = "full"  # a failing test shows where in the package it failed

settings.register_profile("short", max_examples=30, deadline=None, derandomize=True)
settings.register_profile("long", max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run the tests marked `long`")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("long" if config.getoption("--long") else "short")
    if config.getoption("--long"):
        os.environ["RLX_TEST_EVERY_LEVEL"] = "1"  # kernel tests on every instruction set the machine runs


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--long"):
        for item in items:
            if "long" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="long; run with --long"))


def pytest_unconfigure(config: pytest.Config) -> None:
    if OWNS_CACHE:
        shutil.rmtree(os.environ["RLX_CACHE_DIR"], ignore_errors=True)


@pytest.fixture
def cache_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the test's own, where hits and misses are counted."""
    monkeypatch.setenv("RLX_CACHE_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture(autouse=True, scope="session")
def every_kind_of_line_round_trips(pytestconfig: pytest.Config) -> Iterator[None]:
    """Whatever any test lowers is printed and parsed at MIR and LIR, and must come back equal.

    Graphs whose lines differ from earlier ones in numbers alone are left out, but for `--long`: that takes a quarter of a compilation.
    """
    from rlx.backends.cpu.backend import CpuBackend
    from rlx.backends.reference.backend import ReferenceBackend
    from rlx.ir.parse import parse_graph
    from rlx.ir.parse_lir import parse_text

    every_graph = pytestconfig.getoption("--long")
    seen: set[str] = set()

    def round_trips(parse, found):
        text = str(found)
        lines = set(re.sub(r"(?<![\w.])\d+", "0", text).splitlines())
        if every_graph or not lines <= seen:
            assert parse(text) == found
            seen.update(lines)

    patch = pytest.MonkeyPatch()
    for backend in (CpuBackend, ReferenceBackend):
        original = backend.lower

        def lower(self, graph, options, report, original=original):
            lir = original(self, graph, options, report)
            round_trips(parse_graph, graph)
            round_trips(parse_text, lir)
            return lir

        patch.setattr(backend, "lower", lower)
    yield
    patch.undo()


@pytest.fixture(autouse=True, scope="session")
def no_kernel_stores_one_narrowed_lane_under_a_mask() -> Iterator[None]:
    """Whatever kernel any test compiles, on any CPU: LLVM 22.1 would store too many bytes where there is AVX-512."""
    from rlx.backends.cpu.compile import build
    from tests.backends.cpu.levels import one_lane_stores

    original = build.compile_object

    def compile_object(text, target, *options):
        assert not one_lane_stores(text), text
        return original(text, target, *options)

    patch = pytest.MonkeyPatch()
    patch.setattr(build, "compile_object", compile_object)
    yield
    patch.undo()
