"""Every flag of the system: its environment variable, default, and one line on what it does."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from rlx.core.errors import RlxError

_ON, _OFF = ("1", "on", "true", "yes"), ("", "0", "off", "false", "no")


@dataclass(frozen=True)
class Flag:
    """An environment variable; a value it does not accept raises RLX406 with its name."""

    name: str
    default: str
    help: str

    def read(self) -> str:
        """The current value of the environment variable."""
        return os.environ.get(self.name, self.default).strip()

    def on(self) -> bool:
        """Whether an on/off flag is on."""
        value = self.read().lower()
        if value not in _ON and value not in _OFF:
            raise self.refuse("1 (on, true, yes) or 0 (off, false, no)")
        return value in _ON

    def integer(self, minimum: int) -> int | None:
        """An integer of at least `minimum`; None if the flag is empty."""
        value = self.read()
        if not value:
            return None
        if not (value.isascii() and value.isdigit() and len(value) <= 18 and int(value) >= minimum):
            raise self.refuse(f"an integer, at least {minimum}")
        return int(value)

    def folder(self) -> Path | None:
        """A path, `~` expanded; None if the flag is empty."""
        value = self.read()
        if not value:
            return None
        user, slash, rest = value.partition("/")
        if not user.startswith("~"):
            return Path(value)
        home = home_folder() if user == "~" else os.path.expanduser(user)
        if not os.path.isabs(home):
            raise self.refuse("a folder path; the home folder of this `~` is unknown")
        return Path(home + slash + rest)

    def refuse(self, takes: str) -> RlxError:
        """Returns the error for a value that the flag does not accept."""
        return RlxError("RLX406", f"{self.name}={self.read():.60} in the environment", fix=f"{self.name} takes {takes}")


def home_folder() -> str:
    """The user's home folder: from HOME, or the system's user database; empty if neither knows."""
    stated = os.environ.get("HOME", "")
    if os.path.isabs(stated):
        return stated
    if sys.platform == "win32":
        home = os.path.expanduser("~")
    else:
        import pwd

        try:
            home = pwd.getpwuid(os.geteuid()).pw_dir
        except KeyError:
            return ""
    return home if os.path.isabs(home) else ""


VERIFY = Flag("RLX_VERIFY", "0", "verify the graph after every pass")
THREADS = Flag(
    "RLX_THREADS", "", "threads of a process that calls no `rlx.set_threads`; empty: as many as affinity and cgroup allow"
)
CACHE = Flag("RLX_CACHE", "1", "0 disables the disk cache of compiled programs")
CACHE_DIR = Flag("RLX_CACHE_DIR", "", "folder of the disk cache, `~` for the home folder; empty: the user's cache folder")
CACHE_MEGABYTES = Flag("RLX_CACHE_MB", "512", "size limit of the disk cache; evicts the least recently used entries")
DUMP = Flag("RLX_DUMP", "", "folder to write every stage of each compilation to: IR, LLVM IR, assembly")
CANARIES = Flag("RLX_CANARIES", "0", "1 puts known bytes between the slots of the arena and checks them after every command; slow")
TRACEBACK = Flag("RLX_TRACEBACK", "", "full keeps RLX's own frames in the tracebacks of traced functions")
CPU = Flag(
    "RLX_CPU",
    "",
    "target CPU: empty for the host, 'baseline' for the oldest CPU of its family, or a level such as 'x86_64-avx2' or 'aarch64-i8mm'",
)
CUDA = Flag("RLX_CUDA", "", "GPU of the device cuda: its number, or 'interpret' to run kernels by Triton's interpreter")

FLAGS: tuple[Flag, ...] = (VERIFY, THREADS, CACHE, CACHE_DIR, CACHE_MEGABYTES, DUMP, CANARIES, TRACEBACK, CPU, CUDA)
