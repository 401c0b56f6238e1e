"""HTTP for downloads, on the standard library: JSON, and files that resume and are checked."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import socket
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import IO, Any, TypeVar
from urllib.parse import urljoin, urlsplit

from rlx.core.errors import RlxError

TIMEOUT = 30.0  # seconds for a connection, and for each piece of an answer
SLOWEST = 1000  # bytes per second over TIMEOUT; less counts as a broken connection
TRIES = 5  # failures in a row, each after less than 30 kB
BACKOFF = 1.0  # seconds before the second try; doubled after each failure
LONGEST_WAIT = 300.0  # a server that asks for more is an error
LARGEST_JSON = 64 << 20
_AGAIN = (408, 425, 429, 500, 502, 503, 504)

T = TypeVar("T")


@dataclass(frozen=True)
class RemoteFile:
    """A file to download: its address, its size, and the hash it must have (64 digits: sha256; 40: the sha1 of git's blob)."""

    name: str
    url: str
    size: int
    digest: str

    def hashing(self) -> Any:
        """Returns a running hash of the kind of the file's digest."""
        return hash_of(self.digest, self.size)


def hash_of(digest: str, size: int) -> Any:
    """Returns a new hash of the kind of `digest`, for a file of `size` bytes."""
    if len(digest) == 64:
        return hashlib.sha256()
    return hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)


def offline() -> bool:
    """Returns whether environment variables of the hub forbid the network."""
    values = (os.environ.get(name, "") for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"))
    return any(value.strip().upper() in ("1", "ON", "YES", "TRUE") for value in values)


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Redirect handler: sends the token to its own origin only, and refuses redirects from https to http."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: http.client.HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        scheme = urlsplit(newurl).scheme
        if scheme not in ("http", "https") or (req.type == "https" and scheme == "http"):
            raise RlxError("RLX709", f"{req.host} redirects to {newurl:.200}, which is not secure", at=None)
        new = super().redirect_request(req, fp, code, msg, headers, newurl)
        if new is not None:
            new.remove_header("Proxy-authorization")
            self.client.sign(new)
        return new


class Client:
    """HTTP requests to one server, with its token. `explain(error)` converts a final HTTP error to an RlxError."""

    def __init__(self, base: str, token: str | None, explain: Callable[[urllib.error.HTTPError], RlxError]) -> None:
        self.base, self.token, self.explain = base, token, explain
        self.reached = False  # a server has answered: later failures may be temporary
        self.opener = urllib.request.build_opener(_Redirects(self))

    def sign(self, request: urllib.request.Request) -> None:
        """Adds the token to a request if it goes to the token's server."""
        if self.token and _origin(request.full_url) == _origin(self.base):
            request.add_unredirected_header("Authorization", f"Bearer {self.token}")

    def open(self, url: str, headers: dict[str, str]) -> http.client.HTTPResponse:
        """Sends a request once."""
        if offline():
            problem = f"HF_HUB_OFFLINE forbids the network: {urlsplit(url).netloc} was not contacted"
            raise RlxError("RLX709", problem, fix="unset HF_HUB_OFFLINE, or copy the model here", at=None)
        request = urllib.request.Request(url, headers={"User-Agent": "rlx", **headers})
        self.sign(request)
        answer: http.client.HTTPResponse = self.opener.open(request, timeout=TIMEOUT)
        self.reached = True
        return answer

    def retrying(self, work: Callable[[], T], received: Callable[[], int] = lambda: 0) -> T:
        """Calls `work`, again when a connection breaks or the server is busy."""
        failures, before = 0, received()
        while True:
            wait = None
            try:
                return work()
            except urllib.error.HTTPError as error:
                self.reached = True
                problem, wait = f"{error.code} {error.reason}", _retry_after(error)
                if error.code not in _AGAIN or (wait or 0) > LONGEST_WAIT:
                    raise self.explain(error) from None
            except (OSError, http.client.HTTPException) as error:
                cause = getattr(error, "reason", error)
                problem = str(cause) or type(cause).__name__
                final = isinstance(cause, (socket.gaierror, ConnectionRefusedError)) and not self.reached
                if final or isinstance(cause, ssl.SSLCertVerificationError):
                    failures = TRIES
            failures = 1 if received() - before > SLOWEST * TIMEOUT and failures < TRIES else failures + 1
            before = received()
            if failures >= TRIES:
                fix = "check the network and proxy; run the same command to resume"
                raise RlxError("RLX709", f"{urlsplit(self.base).netloc}: {problem}", fix=fix, at=None)
            time.sleep(BACKOFF * 2 ** (failures - 1) if wait is None else wait)

    def data(self, url: str, headers: dict[str, str] | None = None, limit: int = LARGEST_JSON) -> tuple[bytes, str | None]:
        """Requests a small answer; returns it, and the address of the next page."""

        def once() -> tuple[bytes, str | None]:
            with self.open(url, headers or {}) as answer:
                body = b"".join(_pieces(answer, limit + 1))
                if len(body) > limit:
                    raise RlxError("RLX709", f"{url:.200}: an answer of more than {limit} bytes", at=None)
                return body, _next_page(answer.headers.get("Link"), url)

        return self.retrying(once)

    def json(self, url: str) -> tuple[Any, str | None]:
        """Requests and parses JSON; returns it, and the address of the next page."""
        body, following = self.data(url)
        try:
            return json.loads(body), following
        except (ValueError, RecursionError):
            raise RlxError("RLX709", f"{url:.200}: the answer is not JSON", fix="check HF_ENDPOINT", at=None) from None

    def beginning(self, url: str, start: int, end: int) -> bytes:
        """Requests the first bytes of a file, by a range request, or from a full one if the server does not support ranges."""

        def once() -> bytes:
            with self.open(url, {"Range": f"bytes={start}-{end - 1}"}) as answer:
                skipped = 0 if answer.status == 206 else start
                return b"".join(_pieces(answer, skipped + end - start))[skipped:]

        return self.retrying(once)

    def fetch(self, file: RemoteFile, target: Path, advance: Callable[[int], None]) -> None:
        """Downloads a file to `target` and checks its hash; bytes that exist already are not requested again."""
        for attempt in (1, 2):
            digest = self._fetch(file, target, advance)
            if digest == file.digest:
                return
            target.unlink(missing_ok=True)
            if attempt == 1:
                advance(-file.size)
        message = f"{file.name}: the content has the hash {digest}, expected {file.digest}"
        raise RlxError("RLX709", message, fix="the server or a proxy changed the file: try another network", at=None)

    def _fetch(self, file: RemoteFile, target: Path, advance: Callable[[int], None]) -> str:
        with target.open("r+b" if target.exists() else "w+b", buffering=0) as out:
            have, running = 0, file.hashing()
            while have <= file.size and (part := out.read(1 << 20)):
                have += len(part)
                running.update(part)
            if have > file.size:
                have, running = 0, file.hashing()
            advance(have)

            def restart() -> None:
                nonlocal have, running
                advance(-have)
                have, running = 0, file.hashing()

            def once() -> None:
                nonlocal have
                try:
                    answer = self.open(file.url, {"Range": f"bytes={have}-"} if have else {})
                except urllib.error.HTTPError as error:
                    if error.code != 416:
                        raise
                    restart()
                    raise ConnectionError("the server refuses to resume") from None
                with answer:
                    if answer.status != 206:
                        restart()  # a whole file, though a part was asked for
                    elif not str(answer.headers.get("Content-Range")).startswith(f"bytes {have}-"):
                        raise ConnectionError(f"range {answer.headers.get('Content-Range')} instead of {have}-")
                    out.truncate(have)
                    out.seek(have)
                    for part in _pieces(answer, file.size - have):
                        _write_all(out, part, target, file.size - have)
                        running.update(part)
                        have += len(part)
                        advance(len(part))
                if have < file.size:
                    raise ConnectionError(f"the connection ended after {have} of {file.size} bytes")

            if have < file.size:
                self.retrying(once, lambda: have)
        return str(running.hexdigest())


def _pieces(answer: http.client.HTTPResponse, count: int) -> Iterator[bytes]:
    """Yields at most `count` bytes of an HTTP answer; one that is too slow counts as a broken connection."""
    window, since = 0, time.monotonic()
    while count > 0 and (part := answer.read1(min(1 << 20, count))):
        yield part
        count -= len(part)
        window += len(part)
        if (now := time.monotonic()) - since > TIMEOUT:
            if window < SLOWEST * TIMEOUT:
                raise ConnectionError(f"slower than {SLOWEST} bytes per second")
            window, since = 0, now


def _write_all(out: IO[bytes], part: bytes, target: Path, missing: int) -> None:
    """Writes all bytes of a download, or raises RLX304; what was written stays for a later resume."""
    view = memoryview(part)
    try:
        while view:
            view = view[out.write(view) :]
    except OSError as error:
        fix = f"free {missing / 1e9:.1f} GB there; run the same command to resume"
        message = f"{target.parent}: {error.strerror or error}, with {missing} bytes still to come"
        raise RlxError("RLX304", message, fix=fix, at=None) from error


def _retry_after(error: urllib.error.HTTPError) -> float | None:
    """Parses the seconds that the server asks to wait: a number, or a date."""
    text = error.headers.get("Retry-After", "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError):
        return None


def _next_page(link: str | None, url: str) -> str | None:
    """Parses the header `<address>; rel="next"`; returns an address on the same server only."""
    for part in (link or "").split(","):
        address, _, about = part.strip().partition(">;")
        if 'rel="next"' in about:
            following = urljoin(url, address.lstrip("<"))
            return following if _origin(following) == _origin(url) else None
    return None
