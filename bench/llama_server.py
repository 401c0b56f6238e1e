"""llama.cpp's server, as the package xllamacpp carries it, in a process of its own: `python -m bench.llama_server FILE`.

It has as many slots as there are clients, each with room for the longest request, and the threads that everyone has; everything else (flash
attention, f16 caches, continuous batching, its cache of prompts) is as it is by default. Its clients run in the same process and call its
handler of completions, as ours call the engine: no side pays for HTTP (where both do, `bench.http_side` asks it at its address). A line of
JSON on stdin is a round, the line that answers it its records.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.harness import Unavailable
from bench.load import Answer, Record, Request, drive


class LlamaServer:
    """The process, started here; `drive` runs a round in it."""

    def __init__(self, path: Path, slots: int, context: int, threads: int) -> None:
        command = [sys.executable, "-m", "bench.llama_server", str(path)]
        command += ["--slots", str(slots), "--context", str(context), "--threads", str(threads)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.address = str(self._answer()["address"])

    def drive(self, requests: Sequence[Request], clients: int) -> list[Record]:
        """What `bench.load.drive` gives, from there."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"clients": clients, "requests": [asdict(each) for each in requests]}))
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return [Record(**record) for record in self._answer()["records"]]

    def close(self) -> None:
        """It ends with its input."""
        with suppress(OSError):
            self.process.communicate(timeout=30)

    def _answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found: dict[str, Any] = json.loads(line) if line else {"failed": f"it ended with status {self.process.wait()}"}
        if "failed" in found:
            raise Unavailable(found["failed"])
        return found


def answers_of(server: Any) -> Answer:
    """Requests as this server takes them: ids as the prompt, greedy, of fixed length, streamed."""

    def answer(request: Request, arrived: Callable[[], None]) -> int:
        last: list[dict[str, Any]] = []

        def chunk(event: dict[str, Any]) -> None:
            last[:] = [event]
            if event.get("choices") and event["choices"][0]["text"]:
                arrived()

        server.handle_completions(
            {
                "prompt": request.prompt,
                "max_tokens": request.answer,
                "ignore_eos": True,
                "stream": True,
                "temperature": 0.0,
                "top_k": 1,
            },
            chunk,
        )
        if not last or "usage" not in last[0]:
            raise RuntimeError(str(last)[:160])
        return int(last[0]["usage"]["completion_tokens"])

    return answer


def serve(path: Path, slots: int, context: int, threads: int) -> Any:
    """The server in this process."""
    from bench import peers

    package = peers.need("xllamacpp")
    settings = package.CommonParams()
    settings.model.path = str(path)
    settings.n_parallel, settings.n_ctx = slots, slots * context
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = threads
    settings.verbosity = 0
    return package.Server(settings)


def main() -> None:
    """Serve rounds until the input ends."""
    parser = argparse.ArgumentParser(prog="python -m bench.llama_server", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--slots", type=int, default=1)
    parser.add_argument("--context", type=int, default=1024)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    told = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the library prints is no answer

    def tell(**what: Any) -> None:
        print(json.dumps(what), file=told, flush=True)

    try:
        server = serve(options.file, options.slots, options.context, options.threads)
    except Exception as failure:
        return tell(failed=f"{type(failure).__name__}: {failure}".split("\n")[0][:160])
    answer = answers_of(server)
    tell(address=server.listening_address.removeprefix("http://"))
    for line in sys.stdin:
        asked = json.loads(line)
        found = drive(answer, [Request(**each) for each in asked["requests"]], asked["clients"])
        tell(records=[asdict(record) for record in found])
    os._exit(0)  # its threads have nothing to finish


if __name__ == "__main__":
    main()
