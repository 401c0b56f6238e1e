"""One server for all tests here; each endpoint's tests talk to it through the API's own client."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

for package in ("starlette", "uvicorn", "msgspec", "prometheus_client", "httpx"):
    pytest.importorskip(package)

from tests.serve.serving import TEMPLATES, TestServer, echo, running, tiny  # noqa: E402


@pytest.fixture(scope="session")
def server() -> Iterator[TestServer]:
    with running(tiny(), *(echo(name, template) for name, template in TEMPLATES.items())) as server:
        yield server


@pytest.fixture(scope="session")
def openai(server):
    package = pytest.importorskip("openai")
    with package.OpenAI(base_url=f"{server.url}/v1", api_key="none", max_retries=0) as client:
        yield client


@pytest.fixture(scope="session")
def http(server):
    import httpx

    with httpx.Client(base_url=server.url, timeout=30) as client:
        yield client
