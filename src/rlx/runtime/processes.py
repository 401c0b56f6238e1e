"""A run of many processes: they meet, a watchdog watches them, and an error in one ends all.

The watchdog is a thread in each process, which ends the process when another one is lost. Every process keeps a connection to process 0,
on the port after the coordinator's, and both ends send a byte every two seconds. A process that closes its connection without a farewell,
or is silent for twelve seconds, is lost; process 0 tells the others which. JAX notices too, but later (its heartbeat has 15 seconds), and
then aborts the process with a stack trace: the watchdog reports first what happened.
"""

from __future__ import annotations

import os
import selectors
import socket
import struct
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from rlx.backends.registry import joined_processes
from rlx.core.errors import RlxError
from rlx.core.processes import ProcessGroup

LOST_EXIT_STATUS = 75
"""The exit status of a process when another was lost: EX_TEMPFAIL of `sysexits.h`, a temporary failure, so run it again."""

_CHECK, _BEAT, _SILENCE, _MEETING = 0.2, 2.0, 12.0, 300.0  # seconds
_ALIVE, _DONE, _FAILED = b"a", b"d", b"f"  # kinds of messages; a failure carries its number and text


@dataclass
class _Peer:
    """A socket of the watchdog: to process 0, or on process 0 to one of the others."""

    number: int
    socket: socket.socket
    name: str
    heard: float = field(default_factory=time.monotonic)
    waiting: bytearray = field(default_factory=bytearray)
    done: bool = False


class Watchdog:
    """Watches the other processes of a run until `leave`; calls `ended(error)` when one is lost, by default to print and exit."""

    def __init__(self, group: ProcessGroup, ended: Callable[[RlxError], None] | None = None) -> None:
        self.group = group
        self._ended = ended or end_process
        self._sending, self._leaving = threading.Lock(), threading.Event()
        self._peers = _accept(group) if group.index == 0 else [_connect(group)]
        self._thread = threading.Thread(target=self._watch, name="rlx watchdog", daemon=True)
        self._thread.start()

    # -- what the process says
    def leave(self) -> None:
        """Sends "done" to the other processes, and waits until all of them have sent it."""
        self._leaving.set()
        if self.group.index:  # process 0 sends it last
            self._tell(_DONE)
        self._thread.join()

    def fail(self, why: str) -> None:
        """Tells the other processes that this one ends with an error, and ignores messages from now on."""
        self._ended = lambda error: None
        self._tell(_failure(self.group.index, why))

    def _tell(self, message: bytes, but: _Peer | None = None) -> None:
        with self._sending:
            for peer in self._peers:
                if peer is not but:
                    with suppress(OSError):  # reading detects a lost peer
                        peer.socket.sendall(message)

    # -- the thread
    def _watch(self) -> None:
        last, watched = 0.0, list(self._peers)
        with selectors.DefaultSelector() as selector:  # `select` ends at 1,024 connections
            for peer in watched:
                selector.register(peer.socket, selectors.EVENT_READ, peer)
            while watched or not self._leaving.is_set():
                now = time.monotonic()
                if now - last >= _BEAT:
                    self._tell(_ALIVE)
                    last = now
                ready = {key.data.number for key, _ in selector.select(_CHECK)}
                for peer in tuple(watched):
                    error = self._read(peer) if peer.number in ready else self._silent(peer)
                    if error is not None:
                        self._end(peer, error)
                        return
                    if peer.done:
                        selector.unregister(peer.socket)
                        watched.remove(peer)
        self._tell(_DONE)

    def _read(self, peer: _Peer) -> tuple[int, str] | None:
        """Reads messages of a peer; returns the number of a lost process and the reason, or None."""
        try:
            received = peer.socket.recv(65536)
        except OSError as error:
            received, reason = b"", str(error.strerror)
        else:
            reason = "its connection was closed"
        if not received:
            return peer.number, f"is lost: {reason}"
        peer.heard = time.monotonic()
        peer.waiting += received
        while peer.waiting:
            kind = bytes(peer.waiting[:1])
            if kind == _FAILED:
                if len(peer.waiting) < 7 or len(peer.waiting) < 7 + struct.unpack_from(">H", peer.waiting, 5)[0]:
                    return None
                number, size = struct.unpack_from(">IH", peer.waiting, 1)
                return number, peer.waiting[7 : 7 + size].decode(errors="replace")
            peer.done |= kind == _DONE
            del peer.waiting[:1]
        return None

    def _silent(self, peer: _Peer) -> tuple[int, str] | None:
        seconds = time.monotonic() - peer.heard
        return None if seconds < _SILENCE else (peer.number, f"is lost: silent for {seconds:.0f} s")

    def _end(self, peer: _Peer, found: tuple[int, str]) -> None:
        """Ends this process because another was lost; process 0 first forwards the failure to the others."""
        number, how = found
        if self.group.index == 0:
            self._tell(_failure(number, how), but=peer)
        where = f" ({peer.name})" if peer.number == number else ""
        fix = "start all processes again: the run resumes from its last checkpoint"
        self._ended(RlxError("RLX805", f"process {number} of {self.group.count}{where} {how}", fix=fix, at=None))


def end_process(error: RlxError) -> None:
    """Prints the error and exits at once, without waiting for the lost process."""
    with suppress(OSError):
        sys.stdout.flush()
    os.write(2, f"{error}\n".encode())
    os._exit(LOST_EXIT_STATUS)


def _failure(number: int, why: str) -> bytes:
    text = why.encode()[:4000]
    return _FAILED + struct.pack(">IH", number, len(text)) + text


def _accept(group: ProcessGroup) -> list[_Peer]:
    """Accepts connections from all other processes; each sends its number and host name."""
    peers: dict[int, _Peer] = {}
    family = socket.AF_INET6 if socket.has_dualstack_ipv6() else socket.AF_INET
    with socket.create_server(("", group.port + 1), family=family, dualstack_ipv6=family is socket.AF_INET6) as server:
        deadline = time.monotonic() + _MEETING
        while len(peers) < group.count - 1:
            server.settimeout(max(deadline - time.monotonic(), 0.01))
            try:
                connection, _ = server.accept()
                connection.settimeout(10.0)
                number, size = struct.unpack(">IH", _exactly(connection, 6))
                name = _exactly(connection, size).decode(errors="replace")
            except TimeoutError:
                missing = sorted(set(range(1, group.count)) - peers.keys())
                message = f"process {', '.join(map(str, missing[:8]))} of {group.count} did not come within {_MEETING:.0f} s"
                raise RlxError("RLX805", message, fix="start all of them; all name the same --coordinator", at=None) from None
            except OSError:
                continue  # another program, such as a port scan
            peers[number] = _Peer(number, connection, name)
    return list(peers.values())


def _connect(group: ProcessGroup) -> _Peer:
    """Connects to process 0 as soon as it listens."""
    deadline = time.monotonic() + _MEETING
    while True:
        try:
            connection = socket.create_connection((group.host, group.port + 1), timeout=10.0)
            break
        except OSError as error:
            if time.monotonic() > deadline:
                message = f"process 0 does not listen at {group.host}:{group.port + 1}: {error.strerror or error}"
                raise RlxError("RLX805", message, fix="start all processes; check the host and a firewall", at=None) from None
            time.sleep(0.1)
    name = socket.gethostname().encode()[:200]
    connection.sendall(struct.pack(">IH", group.index, len(name)) + name)
    return _Peer(0, connection, group.host)


def _exactly(connection: socket.socket, size: int) -> bytes:
    received = b""
    while len(received) < size:
        part = connection.recv(size - len(received))
        if not part:
            raise OSError("closed")
        received += part
    return received


# -- the run: processes meet, and an error in one ends all ------------------------------------------------------------


_VERDICT = 3.0  # seconds in which the watchdog finds out which process was lost


@contextmanager
def many_processes(group: ProcessGroup) -> Iterator[None]:
    """Inside, the device `xla` has the devices of all processes, and all of them do the same.

    If a process is lost or fails, all others end with RLX805, because none of them could continue. An error inside is printed and
    sent to the others, and this process ends. `rlx train --coordinator …` opens this context around `compile_training(…, mesh=…)`.
    """
    watchdog = Watchdog(group)
    try:
        with joined_processes(group):
            yield
            watchdog.leave()
    except BaseException as error:
        _end(watchdog, error)


def _end(watchdog: Watchdog, error: BaseException) -> None:
    """Reports this process's error to the others and exits at once, since JAX would wait for them."""
    if not isinstance(error, (RlxError, KeyboardInterrupt)):
        time.sleep(_VERDICT)
    text = str(error) if isinstance(error, RlxError) else "".join(traceback.format_exception(error))
    watchdog.fail(f"ended: {error}" if str(error) else f"ended: {type(error).__name__}")
    sys.stdout.flush()
    print(text, file=sys.stderr, flush=True)
    os._exit(1)
