"""Job: a command table with addresses, which native code runs; and host calls."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.backends.cpu.run.commands import (
    BARRIER,
    CONTROL,
    HOST_DONE,
    JOB_WORDS,
    CommandField,
    CommandTable,
    ControlField,
    JobField,
    ProgressField,
    RecordField,
    Words,
    aligned_words,
)


class Job:
    """A command table with addresses: one run at a time. Fill `symbols` and `buffers`, then pass it to `thread_pool.run`.

    The arrays are the native memory itself. `scratch` is bytes per thread; `threads` = 1 keeps the job off the pool.
    """

    __slots__ = (
        "_all",
        "_flow",
        "_patches",
        "_profile",
        "_progress",
        "_scratch",
        "address",
        "args",
        "arguments",
        "buffers",
        "commands",
        "dims",
        "ids",
        "records",
        "status",
        "symbols",
        "threads",
        "words",
    )

    def __init__(self, table: CommandTable, address_of: Callable[[str], int], threads: int = 1, scratch: int = 0) -> None:
        self.threads = threads
        self._all: Words | None = None
        self.commands: Words = aligned_words(table.commands.size).reshape(table.commands.shape)
        self.commands[:] = table.commands
        kernels = np.array([address_of(name) for name in table.kernels] or [0], np.int64)
        self.commands[:, CommandField.KERNEL] = kernels[table.commands[:, CommandField.KERNEL]]
        straight = (table.commands[:, CommandField.FLAGS] & CONTROL) == 0
        self.commands[straight, CommandField.CHUNK] = np.maximum(table.commands[straight, CommandField.CHUNK], 1)
        self.arguments = np.ascontiguousarray(table.arguments)
        self.args = aligned_words(len(table.arguments))
        self.buffers = np.zeros(table.n_buffers, np.int64)
        self.symbols = np.zeros(table.n_symbols, np.int64)
        self.dims = table.dims.copy()
        self.status = aligned_words(1)
        stride = -(-scratch // 64) * 8
        self._scratch = aligned_words(stride * threads)
        self._profile = np.zeros((0, 2), np.int64)
        self._progress = aligned_words(ProgressField.STRIDE * threads)
        self.words = aligned_words(JOB_WORDS)
        controlled = not bool(straight.all())
        own = -(-(table.n_loops + len(table.arguments)) // 8) * 8  # whole cache lines
        shared = -(-(ControlField.COUNTERS + table.n_loops) // 8) * 8
        self._flow = aligned_words(shared + own * threads if controlled else 0)
        self._patches = np.ascontiguousarray(table.patches)
        if controlled:
            self._flow[ControlField.N_LOOPS] = table.n_loops
            self._flow[ControlField.N_PATCHES] = len(table.patches)
            self._flow[ControlField.STRIDE] = own
        fields = {
            JobField.N_COMMANDS: len(self.commands),
            JobField.COMMANDS: self.commands.ctypes.data,
            JobField.ARG_DESC: self.arguments.ctypes.data,
            JobField.ARGS: self.args.ctypes.data,
            JobField.N_ARGS: len(self.arguments),
            JobField.BUFFERS: self.buffers.ctypes.data,
            JobField.DIMS: self.dims.ctypes.data,
            JobField.SYMBOLS: self.symbols.ctypes.data,
            JobField.DIMS_FN: address_of(table.dims_function) if table.dims_function else 0,
            JobField.STATUS: self.status.ctypes.data,
            JobField.SCRATCH: self._scratch.ctypes.data,
            JobField.SCRATCH_STRIDE: stride * 8,
            JobField.N_THREADS: threads,
            JobField.FLOW: self._flow.ctypes.data if controlled else 0,
            JobField.PATCHES: self._patches.ctypes.data,
            JobField.PROGRESS: self._progress.ctypes.data,
        }
        for name, value in fields.items():
            self.words[name] = value
        self.address: int = self.words.ctypes.data

    def take_arrays(self, buffers: Sequence[int], n_inputs: int) -> Words:
        """Lets runs read addresses of buffers (−1: none) from array objects, inputs first. Returns the words to write their ids
        to; `records` [n, 7] are their required properties, checked while the word CHECKED is not 0."""
        self.ids, self.records = aligned_words(len(buffers)), np.zeros((len(buffers), len(RecordField)), np.int64)
        self.records[:, RecordField.BUFFER] = buffers
        self.words[JobField.ARRAYS], self.words[JobField.RECORDS] = self.ids.ctypes.data, self.records.ctypes.data
        self.words[JobField.N_ARRAYS], self.words[JobField.N_INPUTS] = len(buffers), n_inputs
        return self.ids

    def select(self, rows: Sequence[int] | None) -> None:
        """Selects the commands that run from here on, in order, or all of them again. A barrier before a skipped one moves on."""
        if self._all is None:
            self._all = self.commands
        self.commands = self._all
        if rows is not None:
            self.commands = aligned_words(len(rows) * len(CommandField)).reshape(len(rows), len(CommandField))
            self.commands[:] = self._all[list(rows)]
            for command, begin, end in zip(self.commands, (-1, *rows[:-1]), rows, strict=True):
                passed = self._all[begin + 1 : end + 1, CommandField.FLAGS] & BARRIER
                command[CommandField.FLAGS] |= BARRIER if passed.any() else 0
        self.words[JobField.COMMANDS], self.words[JobField.N_COMMANDS] = self.commands.ctypes.data, len(self.commands)

    @property
    def profile(self) -> Words:
        """Timestamps [n, 2]: start and end of each command of the last run in nanoseconds; empty while profiling is off."""
        return self._profile

    def set_profiling(self, on: bool) -> None:
        """Turns timestamps on or off. While on, a command ends when all its units are complete."""
        self._profile = np.zeros((len(self.commands) if on else 0, 2), np.int64)
        self.words[JobField.PROFILE] = self._profile.ctypes.data if on else 0


class HostCall:
    """A Python function `(args address, begin, end)` as a host command, callable at `address` while this object lives.

    Its exception is saved, and the job fails with HOST_FAILED. An interrupt that arrived while native code ran is raised
    by Python when the callback begins, before anything here can catch it: `take_error` then returns KeyboardInterrupt.
    """

    def __init__(self, function: Callable[[int, int, int], None]) -> None:
        self._error: BaseException | None = None

        def entry(args: int, begin: int, end: int, scratch: int) -> int:
            try:
                function(args, begin, end)
            except BaseException as error:
                self._error = error
                return 0
            return HOST_DONE

        number, pointer = ctypes.c_int64, ctypes.c_void_p
        self._entry = ctypes.CFUNCTYPE(number, pointer, number, number, pointer)(entry)
        self.address: int = ctypes.cast(self._entry, pointer).value or 0

    def take_error(self) -> BaseException:
        """After a failure, returns the exception of the host function."""
        error, self._error = self._error, None
        return error or KeyboardInterrupt()


def split_status(status: int) -> tuple[int, int]:
    """Splits a nonzero job status into (op id, code)."""
    return status >> 32, status & 0xFFFFFFFF


# -- what native code reads from NumPy arrays: the address of their data, and whether they look as expected -----------


Array = npt.NDArray[Any]


def address_of(array: Array) -> int:
    """The address of a NumPy array's first element, through the documented interface, which builds a dict each time (1 µs)."""
    address: int = array.__array_interface__["data"][0]
    return address


@dataclass(frozen=True)
class ArrayLayout:
    """Offsets of the fields of a NumPy array object, in bytes from its `id`: pointers, except the 32-bit `rank` and `flags`."""

    kind: int
    """The object's type."""
    data: int
    rank: int
    dims: int
    dtype: int
    flags: int

    def describes(self, array: Array) -> bool:
        """Whether the layout agrees with NumPy's documented interface."""
        address, pointer = id(array), ctypes.c_size_t.from_address
        if pointer(address + self.kind).value != id(type(array)) or pointer(address + self.data).value != address_of(array):
            return False
        rank, flags = (ctypes.c_int32.from_address(address + offset).value for offset in (self.rank, self.flags))
        if rank != array.ndim or flags != array.flags.num or pointer(address + self.dtype).value != id(array.dtype):
            return False
        return rank == 0 or tuple((ctypes.c_int64 * rank).from_address(pointer(address + self.dims).value)) == array.shape


def _find_layout() -> ArrayLayout | None:
    """The order of the fields in NumPy's C headers, which every extension relies on. Used only if right for some test arrays."""
    if sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_void_p) != 8:
        return None
    head = object.__basicsize__
    layout = ArrayLayout(head - 8, head, head + 8, head + 16, head + 40, head + 48)
    if np.ndarray.__basicsize__ < layout.flags + 4:
        return None
    samples: list[Array] = [
        np.zeros(3),
        np.zeros((4, 5), np.int8)[1:],
        np.zeros(()),
        np.zeros((2, 6))[:, ::2],
        np.zeros((1, 0, 2), bool),
    ]
    return layout if all(layout.describes(array) for array in samples) else None


LAYOUT: ArrayLayout | None = _find_layout()
"""None if unknown: then Python gets the addresses and checks the arrays."""
