"""File access: only regular files are read, errors name the file, and files are written atomically."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from rlx.core.errors import RlxError

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """Opens a regular file for reading. Anything else (a folder, a pipe, a device) raises RLX303 immediately: opening a pipe would block.

    >>> try:
    ...     open_regular(".")
    ... except RlxError as error:
    ...     print(error.code, error.message)
    RLX303 . is a folder, not a file
    """
    try:
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        what = getattr(error, "strerror", None) or error
        raise RlxError("RLX303", f"{os.fspath(path)}: {what}", fix="pass the path of an existing file") from None
    mode = os.fstat(number).st_mode
    if not stat.S_ISREG(mode):
        os.close(number)
        what = next((name for is_it, name in _KINDS if is_it(mode)), "something else")
        raise RlxError("RLX303", f"{os.fspath(path)} is {what}, not a file", fix="pass the path of a file")
    return os.fdopen(number, "rb")


def read_regular(path: str | os.PathLike[str]) -> bytes:
    """Reads all bytes of a regular file."""
    with open_regular(path) as file, naming(path, "RLX303"):
        return file.read()


@contextmanager
def naming(path: str | os.PathLike[str], code: str = "RLX701") -> Iterator[None]:
    """Turns any error raised inside into an RlxError that names the file: readers of a file's parts trust their input, and other packages
    raise their own errors, some of which are not Exceptions.

    >>> try:
    ...     with naming("model.gguf"):
    ...         {}["weights"]
    ... except RlxError as error:
    ...     print(error.code, error.message)
    RLX701 model.gguf is inconsistent: KeyError: 'weights'
    """
    name = os.fspath(path)
    try:
        yield
    except RlxError as error:
        if name not in error.message:
            error.message = f"{name}: {error.message}"
            error.args = (error.message,)
        raise
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except OSError as error:
        raise RlxError("RLX303", f"{name}: {error.strerror or error}", at=None) from error
    except BaseException as error:
        what = f"{type(error).__name__}: {error}"
        raise RlxError(code, f"{name} is inconsistent: {what[:300]}", at=None) from error


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[None]:
    """Converts system errors raised inside to RLX304, naming the file."""
    try:
        yield
    except OSError as error:
        before = "the previous file is unchanged" if os.path.exists(path) else "no partial file was left"
        message = f"{os.fspath(path)} could not be written: {error.strerror or error}"
        raise RlxError("RLX304", message, fix=f"free disk space or choose another place; {before}", at=None) from error


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A temporary file to write, renamed into place once it is on disk: readers see the old file or the new one, whatever fails in
    between. A full disk, or a folder that is not writable, is RLX304.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a"
    >>> with written_whole(path) as file:
    ...     _ = file.write(b"all of it")
    >>> path.read_bytes(), [part.name for part in path.parent.iterdir()]
    (b'all of it', ['a'])
    """
    target = Path(path)
    side = target.with_name(f".{target.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        with writing(target):
            with side.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            side.replace(target)
            _flush_folder(target.parent)
    finally:
        _remove(side)


def _flush_folder(folder: Path) -> None:
    """Flushes the folder of a new file, so that its name is on disk too; systems that cannot do it do not need it."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _remove(side: Path) -> None:
    with suppress(OSError):  # the folder itself is gone or read-only: nothing more to do
        side.unlink(missing_ok=True)
