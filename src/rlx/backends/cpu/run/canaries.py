"""Canaries (RLX_CANARIES=1): known bytes after every slot of the arena; a kernel that writes past its slot is named.

Commands then run one by one, so that the first overwritten byte identifies the writer. Slots of loop and branch bodies lie inside one
slot of the enclosing graph; only the end of that one is checked, and a program with such commands runs as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rlx.backends.cpu.run.commands import CONTROL, CommandField, JobField
from rlx.backends.cpu.run.job import Job
from rlx.backends.cpu.run.thread_pool import run as run_job
from rlx.core.errors import RlxError
from rlx.ir.parse_lir import Lir

if TYPE_CHECKING:
    from rlx.backends.cpu.compile.program import Program

PADDING = 64
_BYTES = np.frombuffer(b"a canary sings between two slots of memory; it must not fall still"[:PADDING], np.uint8)


def padded(lir: Lir) -> Lir:
    """The plan with room for a canary after every slot."""
    return replace(lir, slots=tuple(size + PADDING for size in lir.slots))


def run_watched(job: Job, program: Program, arena: npt.NDArray[Any]) -> int:
    """Run a job and return its status; raise RLX512 if a canary was overwritten."""
    memory = arena.view(np.uint8)
    starts = [int(job.dims[index]) for index in program.canaries]
    for start in starts:
        memory[start : start + PADDING] = _BYTES
    flags = job.commands[:, CommandField.FLAGS]
    if np.any(flags & CONTROL):
        status = run_job(job)
        _check(memory, starts, "a command of this program (it has loops or branches, so it ran as a whole)")
        return status
    first, count = int(job.words[JobField.COMMANDS]), len(job.commands)
    try:
        job.words[JobField.N_COMMANDS] = 1
        for number in range(count):
            job.words[JobField.COMMANDS] = first + number * len(CommandField) * 8
            status = run_job(job)
            kernel, origin = program.operations[int(job.commands[number, CommandField.OP])]
            _check(memory, starts, f"command {number}, {kernel} ({origin}),")
            if status:
                return status
    finally:
        job.words[JobField.COMMANDS], job.words[JobField.N_COMMANDS] = first, count
    return 0


def _check(memory: npt.NDArray[np.uint8], starts: Sequence[int], who: str) -> None:
    for slot, start in enumerate(starts):
        found = memory[start : start + PADDING]
        if not np.array_equal(found, _BYTES):
            wrong = int(np.flatnonzero(found != _BYTES)[0])
            raise RlxError("RLX512", f"{who} wrote {wrong + 1} or more bytes past the end of slot {slot} of the arena", at=None)
