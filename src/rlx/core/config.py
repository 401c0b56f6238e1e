"""Every flag of the system: its environment variable, default, and one line on what it does."""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Flag:
    """An environment variable."""

    name: str
    default: str
    help: str

    def read(self) -> str:
        """The value in force."""
        return os.environ.get(self.name, self.default)

    def on(self) -> bool:
        """True unless unset, empty, 0 or off."""
        return self.read().lower() not in ("", "0", "off", "false", "no")


VERIFY = Flag("RLX_VERIFY", "0", "verify the graph after every pass")
THREADS = Flag("RLX_THREADS", "", "threads of the CPU backend; empty: what affinity and cgroup allow")
CACHE = Flag("RLX_CACHE", "1", "0 turns the disk cache of compiled programs off")
CACHE_DIR = Flag("RLX_CACHE_DIR", "", "folder of the disk cache; empty: the user's cache folder")
CACHE_MEGABYTES = Flag("RLX_CACHE_MB", "512", "size at which the least recently used cache entries go")
DUMP = Flag("RLX_DUMP", "", "folder that receives every stage of each compilation: IR, LLVM IR, assembly")
CANARIES = Flag("RLX_CANARIES", "0", "1 puts known bytes between the slots of the arena and checks them after every command; slow")
CPU = Flag("RLX_CPU", "", "target CPU: empty for the host, 'baseline' for the oldest of its family")

FLAGS: tuple[Flag, ...] = (VERIFY, THREADS, CACHE, CACHE_DIR, CACHE_MEGABYTES, DUMP, CANARIES, CPU)
