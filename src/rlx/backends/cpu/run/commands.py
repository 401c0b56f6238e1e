"""Commands as plain data: the table that native code walks, its arguments and control commands.

**A command** is a kernel, its arguments, and its number of units. With the flag BARRIER it starts after every earlier
command is complete; without it, it may run concurrently with all commands back to the latest barrier. A command with at most one
unit, and a HOST call, is *single*: only the calling thread runs it, in order with its other single commands.

**Arguments** are resolved before the walk into one array of i64; each descriptor is (kind, entry, offset):

    0 size       dims[entry]
    1 buffer     buffers[entry] + dims[offset], or buffers[entry] if offset is −1
    2 immediate  entry itself, such as an op id
    3 status     the address of the job's status word, for kernels that can fail

***Control commands** run no kernel: they change the position in the table. Every thread follows them, `TARGET` is a position:

    LOOP     rounds = dims[UNITS]: if 0, go to TARGET. OP is the loop's number, FIRST and CHUNK its patches
    NEXT     one more round: back to just after the LOOP at TARGET, or on if all are done
    BRANCH   on if the byte at argument FIRST is not zero, else to TARGET
    JUMP     to TARGET

A *patch* (argument, stride, backwards, loop) adds round·dims[stride] to an argument of a command inside the loop, or the
same counted from the last round: a row of an operand is addressed, not copied. Commands inside loops are LOOPED.

`run_loop.py` has the native code and its proof of correctness; a `Job` is a table with addresses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rlx.core.aligned import not_enough

Words = NDArray[np.int64]

BARRIER = 1
"""Command flag: every earlier command is complete before this one starts."""
HOST = 2
"""Command flag: a callback into Python, `i64 callback(ptr args, i64 begin, i64 end, ptr scratch)`; see HostCall."""
LOOPED = 4
"""Command flag: it may run more than once, so its units are claimed by number and each thread has its own arguments."""
LONG_RUNS = 8
"""Command flag: each thread has its own share of the units, claimed in CHUNK runs; a thread that is done takes runs of the others."""
LOOP, NEXT_ROUND, BRANCH, JUMP = 0x100, 0x200, 0x400, 0x800
"""Command flags: control commands, see above."""
CONTROL = LOOP | NEXT_ROUND | BRANCH | JUMP
HOST_DONE = int.from_bytes(b"RLX done", "little")
"""What a host callback returns on success: a number that a callback aborted by an exception does not return."""
REFUSED = -1
"""The status of a run that did nothing because its arrays do not match their records."""
HOST_FAILED = 0xFFFF
"""The code in status when a host callback returned anything else."""


class JobField(IntEnum):
    """Words of a Job (i64 each). DONE and DECIDED are signals (see waiting.py), private to the run loop.

    ARRAYS to CHECKED: arrays whose addresses the run reads itself, see `Job.take_arrays`. PROGRESS: the records of the threads.
    """

    N_COMMANDS, COMMANDS, ARG_DESC, ARGS, N_ARGS, BUFFERS, DIMS, SYMBOLS = range(8)
    DIMS_FN, STATUS, PROFILE, SCRATCH, SCRATCH_STRIDE, N_THREADS, FLOW, PATCHES = range(8, 16)
    DONE = 16
    DECIDED = 32
    ARRAYS, RECORDS, N_ARRAYS, N_INPUTS, CHECKED, PROGRESS = range(48, 54)


class PoolField(IntEnum):
    """Words of a pool (i64 each). The first three are signals: jobs so far, workers done with this one, whose turn.

    `thread_pool_code.py` reads and writes them.
    """

    EPOCH, LEFT, TURN = 0, 16, 32
    GATE, TICKET = 48, 56
    JOB, WORKERS, STOP, OWNER = 64, 65, 66, 67


POOL_WORDS = 72


JOB_WORDS = 56


class ProgressField(IntEnum):
    """Words of the record of a thread at PROGRESS, each in a pair of cache lines of its own; see `run_loop.py`."""

    DONE, CLAIMED, STRIDE = 0, 16, 32


class ControlField(IntEnum):
    """Words at FLOW (0 in a job without control commands), private to the run loop.

    VERSION to POSITION and the counters at COUNTERS are the latest decision of thread 0, for late threads;
    after them each thread has STRIDE words: its round counters (−1: not in the loop), then its arguments.
    """

    VERSION, DECISIONS, BEFORE, POSITION, N_LOOPS, N_PATCHES, STRIDE, COUNTERS = range(8)


class RecordField(IntEnum):
    """Words of the record of an array: its buffer (−1: none), its required properties, and the address of its data.

    KIND, DTYPE and DIMS are addresses in this process, FLAGS the required flags; BYTES is the length of its data.
    """

    BUFFER, KIND, DTYPE, RANK, DIMS, FLAGS, BYTES, DATA = range(8)


class CommandField(IntEnum):
    """Words of a Command. UNITS is an index into dims; NEXT is the counter units are claimed from; CHUNK 0 means 1."""

    KERNEL, FIRST, UNITS, FLAGS, NEXT, OP, CHUNK, TARGET = range(8)


class Argument(NamedTuple):
    """One argument descriptor, as in the table."""

    kind: int
    entry: int
    offset: int

    @staticmethod
    def size(entry: int) -> Argument:
        """The argument dims[entry]."""
        return Argument(0, entry, -1)

    @staticmethod
    def buffer(entry: int, offset: int = -1) -> Argument:
        """The argument buffers[entry], plus dims[offset] bytes unless offset is −1."""
        return Argument(1, entry, offset)

    @staticmethod
    def immediate(value: int) -> Argument:
        """An argument that is a constant."""
        return Argument(2, value, -1)

    @staticmethod
    def status() -> Argument:
        """The argument that is the address of the job's status word."""
        return Argument(3, 0, -1)


class NativeCommand(NamedTuple):
    """One command as plain data: a kernel by name, its arguments, and the index of its number of units in dims."""

    kernel: str
    units: int
    arguments: Sequence[Argument] = ()
    flags: int = 0
    op: int = 0
    chunk: int = 0
    target: int = 0  # control commands: a position in the table
    first: int = 0  # control commands: the first patch of a LOOP, the argument of a BRANCH


class Patch(NamedTuple):
    """One argument that a loop advances by dims[stride] bytes each round."""

    argument: int
    stride: int
    backwards: int
    loop: int


@dataclass(frozen=True, eq=False)
class CommandTable:
    """The commands of a program as arrays without addresses: stored as they are, they become a Job once code is loaded."""

    kernels: tuple[str, ...]
    commands: Words
    """[n, 8] as CommandField; KERNEL is an index into `kernels`."""
    arguments: Words
    """[m, 3] as Argument."""
    dims: Words
    """The initial sizes: constants, and room for what `dims_function` evaluates."""
    n_buffers: int
    n_symbols: int = 0
    dims_function: str = ""
    patches: Words = field(default_factory=lambda: np.zeros((0, 4), np.int64))
    """[p, 4] as Patch, grouped by loop."""

    @property
    def n_loops(self) -> int:
        """The number of loops."""
        loops = self.commands[self.commands[:, CommandField.FLAGS] & LOOP != 0]
        return int(loops[:, CommandField.OP].max()) + 1 if len(loops) else 0

    @staticmethod
    def build(
        commands: Sequence[NativeCommand],
        dims: Sequence[int],
        n_buffers: int,
        n_symbols: int = 0,
        dims_function: str = "",
        patches: Sequence[Patch] = (),
    ) -> CommandTable:
        """Builds the table of some commands."""
        names: dict[str, int] = {}
        rows = np.zeros((len(commands), len(CommandField)), np.int64)
        arguments: list[Argument] = []
        for row, command in zip(rows, commands, strict=True):
            if command.flags & CONTROL:
                row[CommandField.FIRST], row[CommandField.TARGET] = command.first, command.target
            else:
                row[CommandField.KERNEL] = names.setdefault(command.kernel, len(names))
                row[CommandField.FIRST] = len(arguments)
            row[CommandField.UNITS] = command.units
            row[CommandField.FLAGS] = command.flags
            row[CommandField.OP] = command.op
            row[CommandField.CHUNK] = command.chunk
            arguments.extend(command.arguments)
        described = np.array(arguments, np.int64).reshape(-1, 3)
        moved = np.array(patches, np.int64).reshape(-1, 4)
        return CommandTable(tuple(names), rows, described, np.array(dims, np.int64), n_buffers, n_symbols, dims_function, moved)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """The command table as arrays, for a file."""
        names = "\n".join((self.dims_function, *self.kernels)).encode()
        return {
            "names": np.frombuffer(names, np.uint8),
            "counts": np.array([self.n_buffers, self.n_symbols], np.int64),
            "commands": self.commands,
            "arguments": self.arguments,
            "dims": self.dims,
            "patches": self.patches,
        }

    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray[Any]]) -> CommandTable:
        """Reads the command table from the arrays of `to_arrays`."""
        dims_function, *kernels = arrays["names"].tobytes().decode().split("\n")
        if not all(name.isascii() and name.isprintable() for name in (dims_function, *kernels)):
            raise ValueError("a function name is empty")  # LLVM aborts the process on an empty name
        n_buffers, n_symbols = (int(count) for count in arrays["counts"])
        return CommandTable(
            tuple(name for name in kernels if name),
            arrays["commands"],
            arrays["arguments"],
            arrays["dims"],
            n_buffers,
            n_symbols,
            dims_function,
            arrays["patches"],
        )


def aligned_words(count: int, what: str = "a command table") -> Words:
    """Zeroed i64 words that start on a cache line."""
    try:
        room = np.zeros(count + 8, np.int64)
    except (MemoryError, ValueError) as error:  # ValueError: too large for NumPy
        raise not_enough(count * 8, what) from error
    skip = (-room.ctypes.data % 64) // 8
    return room[skip : skip + count]
