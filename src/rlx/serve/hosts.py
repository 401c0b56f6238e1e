"""The names a server answers to. A page of another name that resolves to this machine ("DNS rebinding") gets nothing."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address


def name_in(host: str) -> str:
    """The name in a Host header, without its port.

    >>> name_in("Localhost:8080"), name_in("[::1]:8080"), name_in("example.com.")
    ('localhost', '::1', 'example.com')
    """
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return (host.partition(":")[0] if host.count(":") == 1 else host).rstrip(".")


def is_loopback(name: str) -> bool:
    """Whether a name or an address means this machine, whoever is asked.

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
    """Which names a server listening at `bound` answers to: that one, those allowed, and loopback.

    Where it is reachable from elsewhere, any address is one of its own, and with keys so is any name.

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
        """Whether a request with this Host header is served; browsers always send one."""
        if host is None or self.any:
            return True
        name = name_in(host)
        return is_loopback(name) or name in self.names or (not self.local and _is_address(name))
