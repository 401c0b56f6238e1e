"""The disk cache of compiled programs: private to the user, checked, bounded.

Its entries are native code that runs with the user's rights, so nothing that others could have written is ever read: the folder and each
entry must be owned by the user or by root and writable by nobody else. A read-only folder is read and never changed.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
import threading
import time
import warnings
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, TypeVar, overload

from rlx.core import config
from rlx.core.errors import PACKAGE_FOLDER, RlxError

_T = TypeVar("_T")
_DIGEST = 32
_ABANDONED = 3600.0  # seconds after which an unfinished file is removed
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


# -- names of entries
@lru_cache(maxsize=1)
def source_hash() -> str:
    """Hashes the compiler's own sources: no version reads the cache entries of another one."""
    digest = hashlib.blake2b()
    for base, folders, files in os.walk(PACKAGE_FOLDER):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for file in sorted(file for file in files if file.endswith((".py", ".pyc"))):
            path = os.path.join(base, file)
            with open(path, "rb", buffering=0) as opened:
                content = opened.read()
            digest.update(f"{os.path.relpath(path, PACKAGE_FOLDER)} {len(content)}\n".encode())
            digest.update(content)
    return digest.hexdigest()


def key(*parts: str) -> str:
    """Hashes everything that affects the code into the name of a cache entry."""
    return hashlib.sha256("\n".join((*parts, source_hash())).encode()).hexdigest()


# -- the folder
def folder() -> Path | None:
    """The cache folder, made private; None if the cache is off or others could write there."""
    if not config.CACHE.on():
        return None
    _largest_bytes()
    path = config.CACHE_DIR.folder() or _user_cache()
    why = (
        "the home folder is unknown; set RLX_CACHE_DIR, or RLX_CACHE=0 to silence this warning" if path is None else _against(path)
    )
    if why is not None:
        warnings.warn(f"rlx: the disk cache is off: {why}", stacklevel=2)
        return None
    return path


def _against(path: Path) -> str | None:
    """Returns why a cache folder is not used; creates it if missing. A symlink is checked as well: its owner controls where it leads."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        states = path.lstat(), path.stat()
    except (OSError, ValueError) as error:
        return str(error)
    return next((f"{path} {why}" for why in map(_reason_for_distrust, states) if why is not None), None)


def _reason_for_distrust(state: os.stat_result) -> str | None:
    """Returns why a cache file cannot be trusted: others own it, or can write it."""
    if not hasattr(os, "geteuid"):
        return None
    if state.st_uid not in (os.geteuid(), 0):
        return f"is owned by user {state.st_uid}"
    if not stat.S_ISLNK(state.st_mode) and state.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "is writable by others"
    return None


def _user_cache() -> Path | None:
    """The user's cache folder, by the system's conventions; None without a home folder."""
    stated = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME", "")
    if os.path.isabs(stated) and sys.platform != "darwin":
        return Path(stated) / "rlx"
    home = config.home_folder()
    if not home:
        return None
    return Path(home, *{"win32": (), "darwin": ("Library", "Caches")}.get(sys.platform, (".cache",)), "rlx")


# -- entries
def read(name: str, decode: Callable[[bytes], _T]) -> _T | None:
    """Reads and decodes a cache entry; removes one that cannot be decoded."""
    blob = load(name)
    if blob is None:
        return None
    try:
        return decode(blob)
    except Exception as error:  # whatever is wrong with it: it is rebuilt
        if isinstance(error, RlxError) and error.code != "RLX303":
            raise  # not caused by the entry: a flag, a session
        drop(name, f"{type(error).__name__}: {error!s:.200}")
        return None


def load(name: str) -> bytes | None:
    """Loads and checks a cache entry; removes a damaged one, ignores one that others could have written."""
    base = folder()
    if base is None:
        return None
    path = base / f"{name}.rlxc"
    blob = _trusted_bytes(path)
    if blob is None:
        return None
    if len(blob) < _DIGEST or _checksum(name, blob[_DIGEST:]) != blob[:_DIGEST]:
        _remove(path)
        return None
    with suppress(OSError):  # a read-only folder, or the entry was just evicted: the bytes read are complete
        os.utime(path)
    return blob[_DIGEST:]


def _trusted_bytes(path: Path) -> bytes | None:
    """Reads a regular file that nobody else could have written."""
    try:
        number = os.open(path, os.O_RDONLY | _NO_LINKS)
    except OSError:
        if path.is_symlink():
            warnings.warn(f"rlx: ignoring {path} in the disk cache: it is a link", stacklevel=2)
        return None
    state = os.fstat(number)
    why = _reason_for_distrust(state) if stat.S_ISREG(state.st_mode) else "is not a file"
    if why is not None:
        os.close(number)
        warnings.warn(f"rlx: ignoring {path} in the disk cache: it {why}", stacklevel=2)
        return None
    with os.fdopen(number, "rb") as opened, suppress(OSError):
        return opened.read()
    return None


def _checksum(name: str, blob: bytes) -> bytes:
    """Hashes content and name of a cache entry: an entry under another's name counts as damaged."""
    return hashlib.sha256(name.encode() + b"\n" + blob).digest()


def drop(name: str, why: str) -> None:
    """Removes an unusable cache entry, with a warning."""
    base = folder()
    if base is not None:
        warnings.warn(f"rlx: rebuilding an entry of the disk cache: {why}", stacklevel=2)
        _remove(base / f"{name}.rlxc")


def store(name: str, blob: bytes) -> str:
    """Writes a cache entry atomically, then evicts the oldest ones over the limit. Returns why it was not stored, if so."""
    base = folder()
    if base is None:
        return "the cache is off"
    if not os.access(base, os.W_OK):
        return f"cannot write the cache: {base} is read-only"
    if _DIGEST + len(blob) > _largest_bytes():
        return f"the cache holds {_largest_bytes() >> 20} MB (RLX_CACHE_MB), less than this entry"
    why_not = ""
    side: Path | None = None
    try:
        # for the user alone, and for this call alone
        number, made = tempfile.mkstemp(prefix=f"{name[:16]}.", suffix=".part", dir=base)
        side = Path(made)
        with os.fdopen(number, "wb") as opened:
            opened.write(_checksum(name, blob) + blob)
        side.replace(base / f"{name}.rlxc")
    except OSError as error:
        if side is not None:
            _remove(side)
        warnings.warn(f"rlx: could not write the disk cache: {error}", stacklevel=2)
        why_not = f"cannot write the cache: {error}"
    _shrink(base)
    return why_not


def entries(base: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Lists the files of the cache with their states, unfinished ones included; skips files that vanish in the meantime."""
    try:
        paths = [path for path in base.iterdir() if path.suffix in (".rlxc", ".part")]
    except OSError:
        return
    for path in paths:
        try:
            yield path, path.lstat()
        except OSError:
            continue


def _shrink(base: Path) -> None:
    aged = []
    for path, state in entries(base):
        if path.suffix == ".part" and state.st_mtime < time.time() - _ABANDONED:
            _remove(path)
        else:
            aged.append((state.st_mtime_ns, state.st_size, path))
    total, bound = sum(size for _, size, _ in aged), _largest_bytes()
    for _, size, path in sorted(entry for entry in aged if entry[2].suffix == ".rlxc"):
        if total <= bound:
            return
        _remove(path)
        total -= size


def _largest_bytes() -> int:
    return (config.CACHE_MEGABYTES.integer(0) or 0) << 20


def _remove(path: Path) -> None:
    with suppress(OSError):  # already gone, or in a read-only folder
        path.unlink()


# -- recent: a bounded LRU cache -------------------------------------------------------------------------------------


K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """A thread-safe LRU cache of values by key.

    At most `entries` values, whose sizes by `weigh` sum to at most `limit` (the newest one stays whatever its size).

    >>> known = Recent(2)
    >>> for number in (1, 2, 1, 3):
    ...     known[number] = number * number
    >>> known.get(1), known.get(2), len(known)
    (1, None, 2)
    """

    def __init__(self, entries: int, limit: int = 0, weigh: Callable[[V], int] = lambda value: 0) -> None:
        self._most, self._limit, self._weigh = entries, limit, weigh
        self._values: OrderedDict[K, V] = OrderedDict()
        self._weight = 0
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        """Returns the value of a key and marks it most recently used; None if it is missing."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def __setitem__(self, key: K, value: V) -> None:
        """Stores a value, and evicts the least recently used ones beyond the limits."""
        with self._lock:
            self._drop(key)
            self._values[key] = value
            self._weight += self._weigh(value)
            while len(self._values) > 1 and (len(self._values) > self._most or self._weight > self._limit):
                self._drop(next(iter(self._values)))

    def _drop(self, key: K) -> None:
        if key in self._values:
            self._weight -= self._weigh(self._values.pop(key))

    def values(self) -> list[V]:
        """The cached values, the most recently used last."""
        with self._lock:
            return list(self._values.values())

    def clear(self) -> None:
        """Removes all cached values."""
        with self._lock:
            self._values.clear()
            self._weight = 0

    def __len__(self) -> int:
        return len(self._values)


# -- an attribute that is computed when it is first read -------------------------------------------------------------


T = TypeVar("T")


class CachedAttribute(Generic[T]):
    """`functools.cached_property` without the lock it takes before Python 3.12, which is most of its time on small objects.

    Two threads that read it first may both compute it; what they compute is equal.

    >>> class Square:
    ...     side = 3
    ...     @CachedAttribute
    ...     def area(self) -> int:
    ...         return self.side ** 2
    >>> Square().area
    9
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute, self._name, self.__doc__ = compute, compute.__name__, compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> CachedAttribute[T]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> T | CachedAttribute[T]:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._compute(instance)
        return value
