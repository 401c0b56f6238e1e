"""A hub on loopback: the routes that clients of the Hugging Face hub and of an Ollama registry use, with faults to order."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, unquote, urlsplit

SHA = "0123456789abcdef0123456789abcdef01234567"


def git_sha1(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class LoopbackHub:
    """Repositories by name; `faults` are called with each request's handler, and answer it themselves if they return true."""

    def __init__(self) -> None:
        self.repos: dict[str, dict[str, bytes]] = {}
        self.rows: list[dict] = []  # extra rows of every listing
        self.manifests: dict[str, bytes] = {}
        self.blobs: dict[str, bytes] = {}
        self.page = 1000
        self.faults: list = []
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self.sent = 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *words):
                pass

            def do_GET(self):
                outer.answer(self)

            do_HEAD = do_GET

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.host = self.url.removeprefix("http://")

    def answer(self, handler) -> None:
        self.requests.append((handler.command, handler.path, dict(handler.headers)))
        for fault in list(self.faults):
            if fault(handler):
                return
        path = unquote(urlsplit(handler.path).path)
        query = parse_qs(urlsplit(handler.path).query)
        words = path.strip("/").split("/")
        repo = "/".join(words[2:4]) if words[:2] == ["api", "models"] else "/".join(words[:2])
        if words[0] == "v2":
            return self.registry(handler, words)
        if repo not in self.repos:
            return self.status(handler, 404, {"X-Error-Code": "RepoNotFound"})
        if words[0] == "api" and words[4:5] == ["revision"]:
            siblings = [{"rfilename": name} for name in self.repos[repo]]
            return self.json(handler, {"id": repo, "sha": SHA, "siblings": siblings, "private": False, "tags": [],
                                       "downloads": 0, "likes": 0})  # fmt: skip
        if words[0] == "api" and words[4:5] == ["tree"]:
            rows = [*self.rows, *(self.row(name, content) for name, content in self.repos[repo].items())]
            start = int(query.get("cursor", ["0"])[0])
            more = start + self.page < len(rows)
            link = {"Link": f'<{self.url}{path}?recursive=true&cursor={start + self.page}>; rel="next"'} if more else {}
            return self.json(handler, rows[start : start + self.page], link)
        if words[2:3] == ["resolve"]:
            name = "/".join(words[4:])
            if name not in self.repos[repo]:
                return self.status(handler, 404, {"X-Error-Code": "EntryNotFound"})
            content, row = self.repos[repo][name], self.row(name, self.repos[repo][name])
            etag = row["lfs"]["oid"] if "lfs" in row else row["oid"]
            about = {"ETag": f'"{row["oid"]}"', "X-Repo-Commit": SHA, "X-Linked-Size": str(len(content))}
            return self.body(handler, content, {**about, "X-Linked-ETag": f'"{etag}"'})
        return self.status(handler, 404)

    def row(self, name: str, content: bytes) -> dict:
        row = {"type": "file", "path": name, "size": len(content), "oid": git_sha1(content)}
        if name.endswith((".gguf", ".safetensors")):
            row["lfs"] = {"oid": sha256(content), "size": len(content), "pointerSize": 130}
        return row

    def registry(self, handler, words: list[str]) -> None:
        """`v2/OWNER/MODEL/manifests/TAG`, `v2/OWNER/MODEL/blobs/sha256:DIGEST`."""
        store = self.manifests if words[3] == "manifests" else self.blobs
        key = "/".join(words[1:3] + words[4:]) if words[3] == "manifests" else words[4]
        if key not in store:
            return self.status(handler, 404)
        return self.body(handler, store[key], {})

    def status(self, handler, code: int, headers: dict[str, str] | None = None) -> bool:
        handler.send_response(code)
        for name, value in {"Content-Length": "0", **(headers or {})}.items():
            handler.send_header(name, value)
        handler.end_headers()
        return True

    def json(self, handler, content, headers: dict[str, str] | None = None) -> None:
        self.body(handler, json.dumps(content).encode(), headers or {}, ranges=False)

    def body(self, handler, content: bytes, headers: dict[str, str], *, ranges=True, cut=None, delay=0.0, piece=1 << 16) -> bool:
        """A whole answer, or the range asked for; `cut` ends the connection after so many bytes, `delay` waits before each piece."""
        start, wanted = 0, handler.headers.get("Range")
        if ranges and wanted:
            first, _, last = wanted.removeprefix("bytes=").partition("-")
            start, end = int(first), min(int(last) + 1 if last else len(content), len(content))
            if start >= len(content):
                return self.status(handler, 416)
            headers = {**headers, "Content-Range": f"bytes {start}-{end - 1}/{len(content)}"}
            handler.send_response(206)
            content = content[start:end]
        else:
            handler.send_response(200)
        for name, value in {**headers, "Content-Length": str(len(content)), "Accept-Ranges": "bytes"}.items():
            handler.send_header(name, value)
        handler.end_headers()
        if handler.command == "HEAD":
            return True
        content = content if cut is None else content[:cut]
        try:
            for begin in range(0, len(content), piece):
                time.sleep(delay)
                handler.wfile.write(content[begin : begin + piece])
                handler.wfile.flush()
                self.sent += len(content[begin : begin + piece])
        except OSError:
            handler.close_connection = True
        if cut is not None:
            handler.close_connection = True
            handler.connection.shutdown(2)
        return True

    def asked(self, text: str) -> list[tuple[str, str, dict[str, str]]]:
        """The requests whose path has this text."""
        return [one for one in self.requests if text in one[1]]


@contextmanager
def loopback():
    hub = LoopbackHub()
    thread = threading.Thread(target=hub.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        hub.server.shutdown()
        hub.server.server_close()
        thread.join()


def path_of(name: str) -> str:
    return quote(name)
