"""CpuRunner: a loaded program with its arena. One native call per run."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rlx.backends.base import Array
from rlx.backends.cpu.compile.codegen import Loaded, load_object
from rlx.backends.cpu.compile.program import Program
from rlx.backends.cpu.run.commands import CONTROL, HOST_FAILED, REFUSED, CommandField, JobField, RecordField, aligned_words
from rlx.backends.cpu.run.job import LAYOUT, HostCall, Job, address_of, split_status
from rlx.backends.cpu.run.thread_pool import run as run_job
from rlx.backends.cpu.run.thread_pool import thread_count
from rlx.core.errors import RlxError
from rlx.ir.parse_lir import Lir

# -- canaries (RLX_CANARIES=1): known bytes after every slot of the arena; a kernel that writes past its slot is named
#
# Commands then run one by one, so that the first overwritten byte identifies the writer. Slots of loop and branch bodies lie inside one
# slot of the enclosing graph; only the end of that one is checked, and a program with such commands runs in one call.


if TYPE_CHECKING:
    from rlx.backends.cpu.compile.program import Program

PADDING = 64
_BYTES = np.frombuffer(b"a canary sings between two slots of memory; it must not fall still"[:PADDING], np.uint8)


def pad_slots(lir: Lir) -> Lir:
    """The memory plan with space for a canary after every slot."""
    return replace(lir, slots=tuple(size + PADDING for size in lir.slots))


def run_with_canaries(job: Job, program: Program, arena: npt.NDArray[Any]) -> int:
    """Runs a job and returns its status; raises RLX512 if a canary was overwritten."""
    memory = arena.view(np.uint8)
    starts = [int(job.dims[index]) for index in program.canaries]
    for start in starts:
        memory[start : start + PADDING] = _BYTES
    flags = job.commands[:, CommandField.FLAGS]
    if np.any(flags & CONTROL):
        status = run_job(job)
        _check_canaries(memory, starts, "a command of this program (it has loops or branches, so it ran as a whole)")
        return status
    first, count = int(job.words[JobField.COMMANDS]), len(job.commands)
    try:
        job.words[JobField.N_COMMANDS] = 1
        for number in range(count):
            job.words[JobField.COMMANDS] = first + number * len(CommandField) * 8
            status = run_job(job)
            kernel, origin = program.operations[int(job.commands[number, CommandField.OP])]
            _check_canaries(memory, starts, f"command {number}, {kernel} ({origin}),")
            if status:
                return status
    finally:
        job.words[JobField.COMMANDS], job.words[JobField.N_COMMANDS] = first, count
    return 0


def _check_canaries(memory: npt.NDArray[np.uint8], starts: Sequence[int], who: str) -> None:
    for slot, start in enumerate(starts):
        canary = memory[start : start + PADDING]
        if not np.array_equal(canary, _BYTES):
            wrong = int(np.flatnonzero(canary != _BYTES)[0])
            raise RlxError("RLX512", f"{who} wrote {wrong + 1} or more bytes past the end of slot {slot} of the arena", at=None)


C_CONTIGUOUS, WRITEABLE = 0x1, 0x400  # as NumPy numbers them
_EVALUATES_SIZES = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
_FAILURES = {508: "got an index outside its axis", 510: "produced NaN or infinity", 511: "got a singular matrix"}


class CpuRunner:
    """Runs one CPU executable: holds its code, tables, constants, arena and scratch."""

    def __init__(self, program: Program, loaded: Loaded | None = None, allowed: Callable[[], None] | None = None) -> None:
        """`allowed` raises if this machine cannot run the code, which may have been compiled for another one."""
        self.program = program
        self._allowed = allowed
        self.loaded = loaded or load_object(*program.objects)
        self.threads = thread_count()
        self._watched = bool(program.canaries)
        self._hosts = {name: HostCall(stage) for name, stage in program.hosts.items()}
        self.job = Job(program.table, self._address, self.threads)
        self.sizes: Mapping[str, int] | None = None
        self._held: dict[str, Array] = {}
        kinds = program.buffers
        self._inputs = {name: i for i, (kind, name) in enumerate(kinds) if kind == "input"}
        self._outputs = {name: i for i, (kind, name) in enumerate(kinds) if kind == "output"}
        self._owned = {name: i for i, (kind, name) in enumerate(kinds) if kind in ("param", "state")}
        self._arena = np.array([i for i, (kind, _) in enumerate(kinds) if kind == "arena"], np.intp)
        for index, (kind, name) in enumerate(kinds):
            if kind == "constant":
                array = np.ascontiguousarray(program.constants[name])
                self._held[f"constant {name}"] = array
                self.job.buffers[index] = array.ctypes.data
        function = program.table.dims_function
        self._evaluate = _EVALUATES_SIZES(self.loaded.address(function)) if function else None
        self._sizes_at = address_of(self.job.symbols), address_of(self.job.dims)
        self._order([], 0)

    def _address(self, name: str) -> int:
        """The address of a kernel: a host call's entry, or native code."""
        return self._hosts[name].address if name in self._hosts else self.loaded.address(name)

    def clone(self) -> CpuRunner:
        """A runner of the same code with its own arena."""
        other = CpuRunner(self.program, self.loaded, self._allowed)
        other._order(self._slots, self._n_inputs)
        return other

    def uses(self, name: str) -> bool:
        return name in self._owned

    def order(self, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        """Sets the order in which `run` gets inputs and outputs."""
        self._order([*(self._inputs.get(name, -1) for name in inputs), *(self._outputs[name] for name in outputs)], len(inputs))

    def _order(self, slots: list[int], n_inputs: int) -> None:
        self._slots, self._n_inputs = slots, n_inputs
        self._known = False
        if LAYOUT is not None:
            self._ids = self.job.take_arrays(slots, n_inputs).data

    def attach(self, name: str, array: Array) -> None:
        if name in self._owned:
            self._held[name] = array
            self.job.buffers[self._owned[name]] = array.ctypes.data

    def detach(self, name: str) -> None:
        """Detaches the memory of a param, state or prepared value."""
        if self._held.pop(name, None) is not None:
            self.job.buffers[self._owned[name]] = 0

    def release(self) -> None:
        """Releases arena, scratch and everything attached; constants stay."""
        self._held = {name: array for name, array in self._held.items() if name.startswith("constant ")}
        self.job.buffers[list(self._owned.values())] = 0
        self.sizes, self._known = None, False  # the next run allocates memory again

    def fits(self, sizes: Mapping[str, int]) -> bool:
        """Whether no size for these symbol values exceeds 2**63; sizes of the last run do not change."""
        self._check_machine()
        if self._evaluate is None:
            return True
        symbols = np.array([sizes[name] for name in self.program.symbols], np.int64)
        ignored = np.empty_like(self.job.dims)  # alive while native code writes to it
        return not self._evaluate(symbols.ctypes.data, ignored.ctypes.data)

    def _check_machine(self) -> None:
        """Checks the machine once, before the program's code first runs."""
        if self._allowed is not None:
            self._allowed()
            self._allowed = None

    def resize(self, sizes: Mapping[str, int]) -> None:
        """Evaluates every size for new symbol values, and grows arena and scratch if needed."""
        self._check_machine()
        job = self.job
        self.sizes = None  # until everything is done: an interrupt must not leave old sizes with new symbol values
        for index, name in enumerate(self.program.symbols):
            job.symbols[index] = sizes[name]
        if self._evaluate is not None:
            self._evaluate(*self._sizes_at)
        arena_words = int(job.dims[self.program.arena]) // 8
        if self._arena.size:
            memory = self._held.get("arena")
            if memory is None or memory.size < arena_words:
                memory = aligned_words(arena_words, f"working memory for {_list(sizes)}")
                self._held["arena"] = memory
            job.buffers[self._arena] = memory.ctypes.data
        units = job.dims[job.commands[:, CommandField.UNITS]]
        threads = self.threads if units.size and int(units.max()) > 1 else 1
        stride = -(-int(job.dims[self.program.scratch]) // 64) * 64
        scratch = self._held.get("scratch")
        if scratch is None or scratch.size * 8 < stride * self.threads:
            scratch = aligned_words(stride * self.threads // 8, f"scratch memory of {self.threads} threads for {_list(sizes)}")
            self._held.pop("scratch", None)  # an interrupt must not leave the address of one and the memory of another
            job.words[JobField.SCRATCH] = scratch.ctypes.data
            self._held["scratch"] = scratch
        job.words[JobField.SCRATCH_STRIDE] = stride
        job.words[JobField.N_THREADS] = threads
        job.threads = threads
        job.words[JobField.DIMS_FN] = 0  # evaluated here, once per binding
        self.sizes = sizes

    def run(self, sizes: Mapping[str, int], inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """Runs the job on these arrays in one native call."""
        arrays = (*inputs, *outputs)
        self._known = self._known and sizes is self.sizes
        if sizes is not self.sizes:
            self.resize(sizes)
        job = self.job
        job.words[JobField.CHECKED] = 0
        for index, (slot, array) in enumerate(zip(self._slots, arrays, strict=True)):
            if LAYOUT is not None:
                self._ids[index] = id(array)
            elif slot >= 0:
                job.buffers[slot] = address_of(array)
        status = run_with_canaries(job, self.program, self._held["arena"]) if self._watched else run_job(job)
        if status:
            self._raise(status)
        if not self._known and LAYOUT is not None and not self._watched:
            self._remember(arrays)
        job.words[JobField.CHECKED] = 1

    @property
    def parts(self) -> tuple[tuple[str, ...], ...]:
        """Groups of outputs that are computed together: each group can be computed without the others."""
        return tuple(names for names, _ in self.program.parts) or (tuple(self._outputs),)

    def make(self, outputs: Mapping[str, Array]) -> None:
        """Computes the outputs of some parts of a program without inputs; the commands of the others are left out."""
        parts = [commands for names, commands in self.program.parts if names and outputs.keys() >= set(names)]
        self.order((), tuple(outputs))
        self.job.select(sorted(number for commands in parts for number in commands) if self.program.parts else None)
        try:
            self.run({}, (), tuple(outputs.values()))
        finally:
            self.job.select(None)

    def _remember(self, arrays: Sequence[Array]) -> None:
        """Records the properties of this run's arrays, for `again`."""
        self._dims = [np.array(array.shape, np.int64) for array in arrays]
        for index, (array, dims, record) in enumerate(zip(arrays, self._dims, self.job.records, strict=True)):
            record[RecordField.KIND] = id(np.ndarray)
            record[RecordField.DTYPE], record[RecordField.DIMS] = id(array.dtype), dims.ctypes.data
            record[RecordField.RANK], record[RecordField.BYTES] = array.ndim, array.nbytes
            record[RecordField.FLAGS] = C_CONTIGUOUS if index < self._n_inputs else C_CONTIGUOUS | WRITEABLE
        self._dtypes = [array.dtype for array in arrays]  # alive while their addresses are in the records
        self._known = True

    def again(self, inputs: Sequence[object], outputs: Sequence[object]) -> bool:
        """Runs on objects that may be arrays like those of the last run; False, without any effect, if they are not."""
        if not self._known:
            return False
        ids, index = self._ids, 0
        for array in inputs:
            ids[index] = id(array)
            index += 1
        for array in outputs:
            ids[index] = id(array)
            index += 1
        status = run_job(self.job)
        if status == REFUSED:
            return False
        if status:
            self._raise(status)
        return True

    def profiled(
        self, sizes: Mapping[str, int], inputs: Sequence[Array], outputs: Sequence[Array]
    ) -> list[tuple[str, str, float, int, int]]:
        """Runs once with timestamps: (kernel, origin, seconds, operations, bytes) of every command."""
        self.job.set_profiling(True)
        try:
            self.run(sizes, inputs, outputs)
            stamps = self.job.profile.copy()
        finally:
            self.job.set_profiling(False)
        dims = self.job.dims
        rows = []
        for (kernel, origin), (work, moved), (start, end) in zip(self.program.operations, self.program.costs, stamps, strict=True):
            rows.append((kernel, origin, (int(end) - int(start)) * 1e-9, int(dims[work]), int(dims[moved])))
        return rows

    def _raise(self, status: int) -> None:
        op, code = split_status(status)
        kernel, origin = self.program.operations[op]
        if code == HOST_FAILED:
            table = self.program.table
            error = self._hosts[table.kernels[int(table.commands[op, CommandField.KERNEL])]].take_error()
            if isinstance(error, RlxError) and error.location is None:
                error.message += f" ({origin})"
            raise error
        raise RlxError(f"RLX{code}", f"{kernel.removeprefix('trap ')} ({origin}) {_FAILURES[code]}", at=None)


def _list(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in sizes.items()) or "fixed sizes"
