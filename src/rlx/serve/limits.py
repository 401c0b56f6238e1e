"""Limits and safety: keys, sizes, rates, host names and origins."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import secrets
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rlx.core.errors import RlxError
from rlx.serve.engine_request import CALLER, GROUP
from rlx.serve.errors import ApiError, as_api_error, error_body
from rlx.serve.sse import ClientLeft


def name_in(host: str) -> str:
    """Returns the name in a Host header, without its port.

    >>> name_in("Localhost:8080"), name_in("[::1]:8080"), name_in("example.com.")
    ('localhost', '::1', 'example.com')
    """
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return (host.partition(":")[0] if host.count(":") == 1 else host).rstrip(".")


def is_loopback(name: str) -> bool:
    """Returns whether a host name or an address is this machine's loopback, without a DNS query.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0"), is_loopback("localhost.example")
    (True, True, False, False)
    """
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class HostNames:
    """The host names that a server listening at `bound` serves: that one, allowed ones, and loopback.

    A server that other machines reach accepts any address, and with keys any name.

    >>> names = HostNames("127.0.0.1", ["box.lan"])
    >>> [names.allow(host) for host in ("localhost:8080", "box.lan", "10.0.0.1", "evil.example")]
    [True, True, False, False]
    """

    def __init__(self, bound: str = "127.0.0.1", allowed: Iterable[str] = (), *, has_keys: bool = False) -> None:
        names = {name_in(name) for name in allowed}
        self.local = is_loopback(bound)
        self.any = "*" in names or (has_keys and not self.local)
        self.names = names | {name_in(bound)}

    def allow(self, host: str | None) -> bool:
        """Returns whether a request with this Host header is served; browsers always send one."""
        if host is None or self.any:
            return True
        name = name_in(host)
        return is_loopback(name) or name in self.names or (not self.local and _is_address(name))


# -- limits ----------------------------------------------------------------------------------------------------------
log = logging.getLogger("rlx.serve")
_OPEN = ("/", "/health")  # paths that need no key


def read_groups(texts: Sequence[str], keys: int) -> tuple[frozenset[int], ...]:
    """Parses groups of API keys by their numbers, from 1, in command-line order.

    >>> read_groups(["1,3", "2,4"], keys=5) == (frozenset({1, 3}), frozenset({2, 4}))
    True
    >>> read_groups(["all"], keys=2) == (frozenset({1, 2}),)
    True
    """
    groups = []
    for text in texts:
        numbers = range(1, keys + 1) if text.strip() == "all" else [_key_number(part, text, keys) for part in text.split(",")]
        groups.append(frozenset(numbers))
    for number in range(1, keys + 1):
        if sum(number in group for group in groups) > 1:
            raise RlxError("RLX907", f"--share-prefixes: key {number} is in two groups", fix="one group for a key", at=None)
    return tuple(groups)


def _key_number(part: str, text: str, keys: int) -> int:
    if part.strip().isdecimal() and 1 <= int(part) <= keys:
        return int(part)
    message = f"--share-prefixes {text}: {part.strip()[:40]!r} is not the number of a key; there are {keys} keys"
    raise RlxError("RLX907", message, fix="numbers of keys from 1, as in 1,3, or all", at=None)


@dataclass(frozen=True)
class ServeLimits:
    """Limits of a server, in seconds and bytes; `per_key` 0: no limit for each key."""

    keys: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()  # of pages elsewhere that may use the server from a browser
    body: int = 8 << 20
    queue: int = 256  # requests that run or wait
    per_key: int = 0
    timeout: float = 600.0  # of a whole answer
    body_timeout: float = 30.0
    connections: int = 1024  # open at once
    hosts: tuple[str, ...] = ()  # names it answers to beside its own; "*": any
    groups: tuple[frozenset[int], ...] = ()  # keys by number, from 1, that share what is computed of prompts


class Guard:
    """ASGI middleware of the application: request ids, keys, host names, origins, and the number of concurrent requests."""

    def __init__(self, app: ASGIApp, limits: ServeLimits, names: HostNames | None = None) -> None:
        self.app, self.limits = app, limits
        self.names = names or HostNames(allowed=limits.hosts)
        self.draining = False  # new requests are refused; running ones continue
        self.running = 0
        self.by_key: Counter[str] = Counter()
        self._digests = {hashlib.sha256(key.encode()).digest(): f"key {number}" for number, key in enumerate(limits.keys, 1)}
        self._groups = {f"key {number}": f"group {index}" for index, group in enumerate(limits.groups) for number in group}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or answers with the reason for its refusal."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        request_id = f"req_{secrets.token_hex(12)}"
        more = [(b"x-request-id", request_id.encode()), (b"request-id", request_id.encode())]
        origin = headers.get("origin")
        if origin is not None and (origin in self.limits.origins or "*" in self.limits.origins):
            more += [(b"access-control-allow-origin", origin.encode("latin-1")), (b"vary", b"Origin")]
        status = 0

        async def send_more(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                ends = [(b"connection", b"close")] if self.draining else []
                message["headers"] = [*message.get("headers", ()), *more, *ends]
            await send(message)

        began, counted = time.monotonic(), None
        try:
            if scope["method"] == "OPTIONS" and origin is not None:
                self._check_host(scope["path"], headers.get("host"))
                await self._preflight(origin, send_more)
                return
            self._check_host(scope["path"], headers.get("host"))
            self._check_origin(origin, headers)
            key = self._authenticate(scope["path"], headers)
            CALLER.set(key)
            GROUP.set(self._groups.get(key, key))
            if scope["method"] == "POST":
                counted = self._count(key)
            await self.app(scope, receive, send_more)
        except ApiError as error:
            await _send_error(error, scope["path"], send_more)
        except ClientLeft:
            status = 499
        finally:
            if counted is not None:
                self.running -= 1
                self.by_key[counted] -= 1
            seconds = time.monotonic() - began
            log.info("%s %s %s %.3fs %s", scope["method"], scope["path"], status, seconds, request_id)

    def _check_host(self, path: str, host: str | None) -> None:
        """Refuses other host names that resolve to this machine (DNS rebinding): the browser treats them as the same origin."""
        if path != "/health" and not self.names.allow(host):
            name = name_in(host or "")[:100]
            message = f"this server does not serve the host name {name!r}; --allowed-host {name} allows it"
            raise ApiError(403, message, code="host_not_allowed")

    def _check_origin(self, origin: str | None, headers: dict[str, str]) -> None:
        """Refuses requests that pages of other origins send through a visitor's browser."""
        if origin is None or origin in self.limits.origins or "*" in self.limits.origins:
            return
        if urlsplit(origin).netloc != headers.get("host"):
            raise ApiError(403, f"pages from {origin[:100]} may not use this server; --cors allows an origin")

    async def _preflight(self, origin: str, send: Send) -> None:
        if origin not in self.limits.origins and "*" not in self.limits.origins:
            raise ApiError(403, f"pages from {origin[:100]} may not use this server; --cors allows an origin")
        headers = [
            (b"access-control-allow-methods", b"GET, POST, OPTIONS"),
            (b"access-control-allow-headers", b"*, authorization, content-type, x-api-key"),
            (b"access-control-max-age", b"600"),
        ]
        await send({"type": "http.response.start", "status": 204, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    def _authenticate(self, path: str, headers: dict[str, str]) -> str:
        """Returns the name of the request's API key; all keys are compared in constant time."""
        if not self._digests:
            return "anyone"
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        given = bearer.strip() if scheme.lower() == "bearer" else headers.get("x-api-key", "")
        digest = hashlib.sha256(given.encode("latin-1", "replace")).digest()
        matches = [name for known, name in self._digests.items() if hmac.compare_digest(known, digest)]
        if matches:
            return matches[0]
        if path in _OPEN:
            return "anyone"
        said = "the API key is not valid" if given else "an API key is required: Authorization: Bearer KEY, or x-api-key: KEY"
        raise ApiError(401, said, code="invalid_api_key")

    def _count(self, key: str) -> str:
        if self.draining:
            raise ApiError(503, "the server is shutting down", retry_after=5)
        if self.running >= self.limits.queue:
            message = f"{self.running} requests run or wait already; the limit is {self.limits.queue}"
            raise ApiError(429, message, code="queue_full", retry_after=1)
        if self.limits.per_key and self.by_key[key] >= self.limits.per_key:
            message = f"{self.by_key[key]} requests of this key run already; the limit is {self.limits.per_key}"
            raise ApiError(429, message, code="too_many_requests_of_key", retry_after=1)
        self.running += 1
        self.by_key[key] += 1
        return key


async def _send_error(error: ApiError, path: str, send: Send) -> None:
    body = json.dumps(error_body(as_api_error(error), path)).encode()
    headers = [(name.encode(), value.encode()) for name, value in error.headers.items()]
    headers += [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
