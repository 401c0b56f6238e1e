"""llama-bench of a native build of llama.cpp: what it measures of one model, in a process of its own."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from bench.harness import Unavailable

REPETITIONS = 3


class LlamaBench:
    """The program, for one file and a number of threads."""

    def __init__(self, program: str, model: Path, threads: int) -> None:
        self.program, self.model, self.threads = program, model, threads

    def command(self, count: int, depth: int) -> list[str]:
        """Prefill of `count` tokens, or one token generated after `depth` others."""
        work = ["-p", "0", "-n", "1", "-d", str(depth)] if count == 1 else ["-p", str(count), "-n", "0"]
        common = ["-t", str(self.threads), "-r", str(REPETITIONS), "-o", "json"]
        return [self.program, "-m", str(self.model), *work, *common]

    def seconds(self, count: int, depth: int) -> float:
        """The best of some repetitions."""
        try:
            done = subprocess.run(self.command(count, depth), capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError) as failure:
            raise Unavailable(f"{self.program}: {failure}") from failure
        return best_seconds(done.stdout)


def best_seconds(text: str) -> float:
    """Of the program's JSON: its repetitions are in nanoseconds."""
    found: Any = json.loads(text)
    return float(min(found[-1]["samples_ns"])) * 1e-9
