"""The hub's cache on disk: locks, links and refs, as huggingface_hub writes them."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rlx.core.files import writing, written_whole

_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Downloaded models; backup programs may skip this folder.\n"


def try_lock(number: int) -> bool:
    """Tries to lock a file as the filelock package does, so that both programs wait for each other."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:  # a file system without locks: two downloads are slower, not wrong
        return True
    return True


@contextmanager
def hold_lock(path: Path, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Holds a download's lock file; `waiting()` is called once if another process holds it. The file stays for other waiters."""
    path.parent.mkdir(parents=True, exist_ok=True)
    told = False
    while True:
        number = os.open(path, os.O_RDWR | os.O_CREAT, 0o664)
        try:
            if try_lock(number) and os.fstat(number).st_nlink > 0:  # else it was removed in between
                yield
                return
        finally:
            os.close(number)
        if not told:
            told = True
            waiting()
        time.sleep(0.1)


def lock_path(folder: Path, digest: str) -> Path:
    """Returns the path of the lock file of a blob in a repository's folder."""
    return folder.parent / ".locks" / folder.name / f"{digest}.lock"


def link(blob: Path, pointer: Path) -> None:
    """Links a blob under a file's name in a snapshot: by a relative link, or by moving the file where links fail."""
    if pointer.exists():
        return
    with writing(pointer):
        pointer.parent.mkdir(parents=True, exist_ok=True)
        pointer.unlink(missing_ok=True)  # a broken link
        try:
            pointer.symlink_to(os.path.relpath(blob, pointer.parent))
        except OSError:
            blob.replace(pointer)


def write_ref(folder: Path, revision: str, commit: str) -> None:
    """Writes the commit of a revision, and the tag by which backup programs recognize a cache."""
    if revision != commit:
        ref = folder / "refs" / revision
        ref.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(ref) as file:
            file.write(commit.encode())
    tag = folder.parent / "CACHEDIR.TAG"
    if not tag.exists():
        with suppress(OSError):
            tag.write_text(_TAG)
