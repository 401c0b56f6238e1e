"""Servers asked over HTTP: ours in this process, llama.cpp's in its own, the clients in another, as they would be.

`python -m bench.http_side URL` is that other process: a line of JSON on stdin is a round (requests and how many clients), the line that
answers it its records.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from bench.llama_server import LlamaServer
from bench.load import Record, Request, drive


class HttpClients:
    """The other process, for one server; a round is driven there."""

    def __init__(self, address: str) -> None:
        words = [sys.executable, "-m", "bench.http_side", address]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def drive(self, requests: Sequence[Request], clients: int) -> list[Record]:
        """A round."""
        assert self.process.stdin is not None and self.process.stdout is not None
        asked = {"requests": [asdict(request) for request in requests], "clients": clients}
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        return [Record(**record) for record in json.loads(self.process.stdout.readline())]

    def close(self) -> None:
        """The clients leave."""
        self.process.terminate()
        self.process.wait()


class HttpSide:
    """A model of ours served over HTTP."""

    def __init__(self, model: Any, engine: Any) -> None:
        from rlx.serve.main import ServeSettings, bind, make_server
        from rlx.serve.models import ModelList, ServedModel
        from rlx.serve.state import ServerState

        settings = ServeSettings((), port=0, grace=1.0)
        bound = bind(settings)
        self.server = make_server(ServerState(ModelList([ServedModel("model", model, engine)])), settings)
        self.thread = threading.Thread(target=lambda: self.server.run(sockets=[bound]), daemon=True)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)
        self.clients = HttpClients(f"127.0.0.1:{bound.getsockname()[1]}")

    def drive(self, requests: Sequence[Request], clients: int) -> list[Record]:
        """A round."""
        return self.clients.drive(requests, clients)

    def close(self) -> None:
        """The clients leave, the server ends and closes its engine."""
        self.clients.close()
        self.server.should_exit = True
        self.thread.join()


class PeerHttpSide:
    """llama.cpp's server, asked over HTTP by the same clients."""

    def __init__(self, server: LlamaServer) -> None:
        self.server = server
        self.clients = HttpClients(server.address)

    def drive(self, requests: Sequence[Request], clients: int) -> list[Record]:
        """A round."""
        return self.clients.drive(requests, clients)

    def close(self) -> None:
        """The clients leave, then the server ends."""
        self.clients.close()
        self.server.close()


def answer(address: str, request: Request, arrived: Callable[[], None]) -> int:
    """One streamed completion, greedy, of fixed length; gives the tokens that its usage counts."""
    body = {
        "prompt": request.prompt,
        "max_tokens": request.answer,
        "temperature": 0,
        "top_k": 1,
        "ignore_eos": True,
        "stream": True,
    }
    sent = json.dumps({**body, "stream_options": {"include_usage": True}}).encode()
    host, port = address.split(":")
    head = f"POST /v1/completions HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {len(sent)}\r\n\r\n"
    tokens = 0
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(head.encode() + sent)
        for line in _lines(connection):
            if line.startswith(b"data: {"):
                data = json.loads(line[6:])
                tokens = (data.get("usage") or {}).get("completion_tokens", tokens)
                if data["choices"] and data["choices"][0]["text"]:
                    arrived()
    return tokens


def _lines(connection: socket.socket) -> Iterator[bytes]:
    """The lines of a streamed answer, between them those of the chunked encoding.

    Plain sockets, because the clients have the same two cores as the engine: `http.client` takes as long for a token as the server.
    """
    rest = connection.recv(1 << 16)
    if not rest.startswith(b"HTTP/1.1 200 "):
        raise RuntimeError(rest[:300].decode())
    while rest:
        *lines, last = rest.split(b"\n")
        yield from lines
        received = connection.recv(1 << 16)
        rest = last + received if received else b""


def main(address: str) -> None:
    """Rounds, until nobody asks any more."""
    for line in sys.stdin:
        asked = json.loads(line)
        requests = [Request(**request) for request in asked["requests"]]
        records = drive(lambda request, arrived: answer(address, request, arrived), requests, asked["clients"])
        print(json.dumps([asdict(record) for record in records]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
