"""The disk cache of compiled programs: private to the user, checked, bounded."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import warnings
from functools import lru_cache
from pathlib import Path

from rlx.core import config
from rlx.core.errors import PACKAGE_FOLDER


@lru_cache(maxsize=1)
def source_hash() -> str:
    """A hash of the compiler's own sources: another version never reads this one's entries."""
    digest = hashlib.sha256()
    for path in sorted(Path(PACKAGE_FOLDER).rglob("*.py")):
        status = path.stat()
        digest.update(f"{path.relative_to(PACKAGE_FOLDER)} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def key(*parts: str) -> str:
    """The name of an entry: everything that changes the code."""
    return hashlib.sha256("\n".join((*parts, source_hash())).encode()).hexdigest()


def native_key(target: object, *parts: str) -> str:
    """The name of an entry of native code: beside what it was made of, the machine, the compiler, and how memory is laid out."""
    from llvmlite import binding

    return key(*parts, repr(target), repr(binding.llvm_version_info), config.CANARIES.read())


def folder() -> Path | None:
    """The cache folder, made private; None when the cache is off or the folder is not the user's alone."""
    if not config.CACHE.on():
        return None
    chosen = config.CACHE_DIR.read()
    path = Path(chosen) if chosen else _user_cache() / "rlx"
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = path.stat()
    except OSError as error:
        warnings.warn(f"rlx: the disk cache is off: {error}", stacklevel=2)
        return None
    if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)):
        warnings.warn(f"rlx: the disk cache is off: {path} can be written by others", stacklevel=2)
        return None
    return path


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home()))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))


def load(name: str) -> bytes | None:
    """An entry, checked; a damaged one is dropped."""
    base = folder()
    if base is None:
        return None
    path = base / f"{name}.rlxc"
    try:
        blob = path.read_bytes()
    except OSError:
        return None
    if len(blob) < 32 or hashlib.sha256(blob[32:]).digest() != blob[:32]:
        path.unlink(missing_ok=True)
        return None
    os.utime(path)
    return blob[32:]


def store(name: str, blob: bytes) -> None:
    """Write an entry to the side and rename it; then drop the least recently used ones over the bound."""
    base = folder()
    if base is None:
        return
    side = base / f"{name}.{os.getpid()}.part"
    try:
        side.write_bytes(hashlib.sha256(blob).digest() + blob)
        side.replace(base / f"{name}.rlxc")
        _shrink(base)
    except OSError as error:
        warnings.warn(f"rlx: could not write the disk cache: {error}", stacklevel=2)


def _shrink(base: Path) -> None:
    bound = int(config.CACHE_MEGABYTES.read()) << 20
    entries = sorted((path.stat().st_mtime_ns, path.stat().st_size, path) for path in base.glob("*.rlxc"))
    total = sum(size for _, size, _ in entries)
    for _, size, path in entries:
        if total <= bound:
            return
        path.unlink(missing_ok=True)
        total -= size
