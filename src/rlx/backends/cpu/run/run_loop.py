"""The run loop in native code: evaluate a job's sizes and arguments, then walk its commands on one or more threads.

Every participating thread walks the command table in order; thread 0 is the caller. The units of a command are claimed
a chunk at a time from an atomic counter, or by shares (LONG_RUNS). Single commands (see commands.py) are run only by
thread 0.

**Barriers.** There is one number, `done`: how many units, of all commands together, are complete. It is the sum of what
each thread counts for itself (`ThreadProgress`). Each thread keeps `before`, the units of all commands it has passed, and
`required`, the value of `before` at the latest barrier, and starts nothing until done ≥ required.

**Why this is correct.* Let c be a command with a barrier and E the units of all commands before it. A thread reaches a
unit of c, or of a later command, only past c's barrier. So when `done` first reaches E, only units before c have been
counted, and as there are E of them, all are complete. A thread that adds up the counts one after the other finds at most
what is complete when it reads the last, so this holds for the first that passes c, and for the others because it has. (Thread
0 counts its own single commands separately in `own`, and waits for done + own ≥ required: the same sum.)

*Why it cannot hang.* A thread waits at c only after it has claimed from every earlier parallel command until nothing
was left. So each unit it waits for is held by a thread that is running it now, or is a single command of thread 0;
and thread 0 itself waits only for units that others are running, and adds `own` before it touches a parallel command.
A unit of an ordered stage may wait for smaller ones of its command: units are claimed in order, so the smallest unfinished one waits
for nobody, and after a failure, when units are claimed without being run, none of them waits.

**What it saves.* Nobody waits for a thread that holds no unit: a worker that is late, asleep or descheduled delays
nobody. A chain of single commands costs the others nothing and thread 0 one look each. A barrier costs a thread one
write to its own cache line and a wait.

***Loops and branches.** With control commands (see commands.py) a thread walks a *trace*: commands in the order they
are reached, some of them many times. All threads walk the same trace, so everything above holds with "command" read as
"position in the trace"; three things ensure it.

*Units by number.* `before` numbers every unit of the trace. The units of a LOOPED command reached at `before` are
[before, before + units), and its counter is moved on by compare-and-exchange, never reset: a late thread finds the
counter past its own numbers and takes nothing, and cannot take a unit of a later round for one of its own.

**Private arguments.* Each thread patches its own copy of the arguments as it enters a round. So nobody waits for
addresses, and a unit that is running keeps its own however late it is.

*Decisions of thread 0.* Rounds known from sizes are counted by each thread for itself. A BRANCH is decided by thread 0,
after a barrier, and published with the full state of the position after it: a thread that gets there while it is
the latest goes the same way; one that is even later continues from the latest. Thread 0 waits for nobody in this, and a
thread waits only for thread 0. After a failure a BRANCH is not taken, which ends a `while`.

`ControlFlow` implements these three.

***Failure.** A kernel that fails writes status (the first writer wins) before its units count as done. So after the
next barrier every thread sees it, and claims units without running them, which keeps the counts right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.values import I8, I32, I64, PTR, Operand, Type, Value, Variable
from rlx.backends.cpu.run.commands import (
    BARRIER,
    BRANCH,
    CONTROL,
    HOST,
    HOST_DONE,
    HOST_FAILED,
    JUMP,
    LONG_RUNS,
    LOOP,
    LOOPED,
    NEXT_ROUND,
    CommandField,
    ControlField,
    JobField,
    ProgressField,
    RecordField,
)
from rlx.backends.cpu.run.job import LAYOUT, ArrayLayout
from rlx.backends.cpu.run.waiting import EVERYONE, SLEEPERS, Waiting, emit_wait

# -- how a thread follows control commands: its round counters, its own arguments, and the decisions of thread 0 -----
#
# `commands.py` defines the commands; the head of this file explains why this is correct.


class ControlFlow:
    """The control state of one thread. A job without control commands does not touch it."""

    def __init__(self, k: Function, job: Value, thread: Value) -> None:
        self.k = k
        self.commands, self.dims = k.load(job, JobField.COMMANDS, PTR), k.load(job, JobField.DIMS, PTR)
        self.shared_args, self.n_args = k.load(job, JobField.ARGS, PTR), k.load(job, JobField.N_ARGS, I64)
        self.status, self.patches = k.load(job, JobField.STATUS, PTR), k.load(job, JobField.PATCHES, PTR)
        self.flow = k.load(job, JobField.FLOW, PTR)
        self.decisions = k.var(0)
        loops, stride = k.var(0), k.var(0)
        there = k.address_of(self.flow) != 0
        with k.when(there):
            loops.set(k.load(self.flow, ControlField.N_LOOPS, I64))
            stride.set(k.load(self.flow, ControlField.STRIDE, I64))
        self.loops = loops.get()
        own = (self.loops + (ControlField.COUNTERS + 7)) // 8 * 8 + thread * stride.get()
        self.counters = k.pointer(self.flow, own, I64)
        self.args = k.pointer(self.counters, self.loops, I64)
        with k.when(there):
            with k.when(thread == 0):
                k.store_atomic(0, self.flow, ControlField.DECISIONS)
            for loop in k.range(self.loops):
                k.store(-1, self.counters, loop, I64)
            self._copy_args()

    def _copy_args(self) -> None:
        for index in self.k.range(self.n_args):
            self.k.store(self.k.load(self.shared_args, index, I64), self.args, index)

    def follow(self, number: Value, position: Variable, decide: Callable[[Callable[[], None]], None]) -> None:
        """Executes the control command at `number`; `position` is already past it. `decide` makes or copies a decision."""
        k = self.k
        command = k.pointer(self.commands, number * len(CommandField), I64)
        flags, target = k.load(command, CommandField.FLAGS, I64), k.load(command, CommandField.TARGET, I64)
        with k.when((flags & LOOP) != 0):
            self._enter(command, target, position)
        with k.when((flags & NEXT_ROUND) != 0):
            self._next_round(target, position)
        with k.when((flags & JUMP) != 0):
            position.set(target)
        with k.when((flags & BRANCH) != 0):
            self.decisions.set(self.decisions.get() + 1)

            def choose() -> None:
                address = k.load(self.args, k.load(command, CommandField.FIRST, I64), PTR)
                healthy = k.load_atomic(self.status, 0) == 0
                holds = (k.load(address, 0, I8) != 0) & healthy
                position.set(k.select(holds, position.get(), target))

            decide(choose)

    def _rounds(self, command: Value) -> Value:
        return self.k.load(self.dims, self.k.load(command, CommandField.UNITS, I64), I64)

    def _enter(self, command: Value, target: Value, position: Variable) -> None:
        k, rounds = self.k, self._rounds(command)
        with k.when(rounds > 0):
            k.store(0, self.counters, k.load(command, CommandField.OP, I64), I64)
            self._move(command, k.index(0), rounds - 1)
        with k.otherwise():
            position.set(target)

    def _next_round(self, target: Value, position: Variable) -> None:
        """Starts the next round of a loop or leaves it; `target` is the position of its LOOP command."""
        k = self.k
        command = k.pointer(self.commands, target * len(CommandField), I64)
        rounds, loop = self._rounds(command), k.load(command, CommandField.OP, I64)
        following = k.load(self.counters, loop, I64) + 1
        with k.when(following < rounds):
            k.store(following, self.counters, loop)
            self._move(command, k.index(1), k.index(-1))
            position.set(target + 1)
        with k.otherwise():
            k.store(-1, self.counters, loop, I64)
            self._move(command, 1 - rounds, k.index(0))

    def _move(self, command: Value, forwards: Value, backwards: Value) -> None:
        """Advances the arguments of a loop by this many strides."""
        k, first = self.k, self.k.load(command, CommandField.FIRST, I64)
        for patch in k.range(first, first + k.load(command, CommandField.CHUNK, I64)):
            argument, stride, reverse = (k.load(self.patches, patch * 4 + part, I64) for part in range(3))
            distance = k.load(self.dims, stride, I64) * k.select(reverse != 0, backwards, forwards)
            k.store(k.load(self.args, argument, I64) + distance, self.args, argument)

    # -- decisions
    def decision(self) -> Value:
        """The number of this thread's latest decision."""
        return self.decisions.get()

    def publish(self, before: Variable, position: Variable) -> None:
        """Thread 0: publish the latest decision. A reader that sees a half-written one reads again."""
        k, flow = self.k, self.flow
        version = k.load(flow, ControlField.VERSION, I64)
        k.store_atomic(version + 1, flow, ControlField.VERSION)
        k.fence()
        for field, value in (
            (ControlField.DECISIONS, self.decisions),
            (ControlField.BEFORE, before),
            (ControlField.POSITION, position),
        ):
            k.store_atomic(value.get(), flow, field, I64, "monotonic")
        for loop in k.range(self.loops):
            k.store_atomic(k.load(self.counters, loop, I64), flow, loop + ControlField.COUNTERS, I64, "monotonic")
        k.store_atomic(version + 2, flow, ControlField.VERSION)

    def adopt(self, before: Variable, position: Variable) -> None:
        """Another thread: jumps to the target of the latest decision; if that is not the expected one, copies its state."""
        k, flow = self.k, self.flow
        number = k.var(0)
        with self._consistent():
            number.set(k.load_atomic(flow, ControlField.DECISIONS, I64, "monotonic"))
            position.set(k.load_atomic(flow, ControlField.POSITION, I64, "monotonic"))
            before.set(k.load_atomic(flow, ControlField.BEFORE, I64, "monotonic"))
            with k.when(number.get() != self.decisions.get()):
                for loop in k.range(self.loops):
                    counter = k.load_atomic(flow, loop + ControlField.COUNTERS, I64, "monotonic")
                    k.store(counter, self.counters, loop)
        with k.when(number.get() != self.decisions.get()):
            self._refresh()
        self.decisions.set(number.get())

    @contextmanager
    def _consistent(self) -> Iterator[None]:
        """Wraps reads of what thread 0 publishes: repeats them until nothing changed in the meantime."""
        k = self.k
        with k.loop() as reads:
            version = k.load_atomic(self.flow, ControlField.VERSION)
            yield
            k.fence()
            again = k.load_atomic(self.flow, ControlField.VERSION)
            reads.stop((again == version) & ((again & 1) == 0))
            k.pause()

    def _refresh(self) -> None:
        """Recomputes all arguments from the loop counters."""
        k = self.k
        self._copy_args()
        count = k.load(self.flow, ControlField.N_PATCHES, I64)
        for patch in k.range(count):
            argument, stride, reverse, loop = (k.load(self.patches, patch * 4 + part, I64) for part in range(4))
            counter = k.load(self.counters, loop, I64)
            with k.when(counter >= 0):
                rounds = self._rounds_of(loop)
                round_number = k.select(reverse != 0, rounds - 1 - counter, counter)
                moved = k.load(self.args, argument, I64) + k.load(self.dims, stride, I64) * round_number
                k.store(moved, self.args, argument)

    def _rounds_of(self, loop: Value) -> Value:
        """The number of rounds of a loop: looks up its LOOP command, which only late threads do."""
        k, rounds, position = self.k, self.k.var(0), self.k.var(0)
        with k.loop() as search:
            command = k.pointer(self.commands, position.get() * len(CommandField), I64)
            is_loop = (k.load(command, CommandField.FLAGS, I64) & LOOP) != 0
            with k.when(is_loop):
                rounds.set(self._rounds(command))
            search.stop(is_loop & (k.load(command, CommandField.OP, I64) == loop))
            position.set(position.get() + 1)
        return rounds.get()


# -- what the threads of a job have done and taken, each in cache lines of its own -----------------------------------
#
# On many cores a line that all of them write to goes around once for every write, about 0.1 µs each time: a counter of claims or of
# completed units, shared by sixteen, costs as much as a small product. So each thread has a record:
#
# DONE      how many units it has completed, of all commands. Only the thread itself writes it; who waits at a barrier adds up
# the records of all
# CLAIMED   the first unit of its share that nobody has claimed, of commands claimed by shares (LONG_RUNS). Units are numbered
# over all commands, so the number only grows, and of a later command a late thread finds nothing left. A thread that is
# through with its own share claims from the others'
#
# A thread begins with the same share in every command of every job, its home, whenever it comes: what it has packed, it reads, from
# memory
# that is near (see `thread_pool.py`) or from its own cache. Two with one home would only share it.
#
# A thread that has waited long sleeps on the job's signal DONE, whose number is moved on for sleepers alone. No wake-up is lost: the
# sleeper counts itself, reads that number and then the records; the other writes its record and then reads the count of sleepers.


def clear_progress(k: Function, job: Value) -> None:
    """Clears the progress records before a run: no unit is done, none is claimed."""
    records = k.load(job, JobField.PROGRESS, PTR)
    for thread in k.range(k.load(job, JobField.N_THREADS, I64)):
        for field in (ProgressField.DONE, ProgressField.CLAIMED):
            k.store(0, records, thread * ProgressField.STRIDE + field, I64)
    k.store(0, job, JobField.DONE, I64)


class ThreadProgress:
    """The progress records of a job's threads, in the walk of one of them."""

    def __init__(self, k: Function, waiting: Waiting, job: Value, thread: Value, home: Value) -> None:
        self.k, self.waiting, self.job, self.thread = k, waiting, job, thread
        self.records, self.threads = k.load(job, JobField.PROGRESS, PTR), k.load(job, JobField.N_THREADS, I64)
        self.home = home.urem(self.threads)
        self.own = k.var(0)  # this thread's units

    def add(self, units: Operand) -> None:
        """Adds to the number of complete units of this thread."""
        k = self.k
        self.own.set(self.own.get() + units)
        k.store_atomic(self.own.get(), self.records, self.thread * ProgressField.STRIDE + ProgressField.DONE, I64, "seq_cst")
        signal = k.pointer(self.job, JobField.DONE, I64)
        with k.when(k.load_atomic(signal, SLEEPERS, I64, "seq_cst") > 0):
            k.fetch_add(signal, 0, 1, I64, "seq_cst")
            k.call(self.waiting.wake, signal, EVERYONE)

    def wait_for(self, units: Value) -> None:
        """Waits until so many units are complete."""
        signal = self.k.pointer(self.job, JobField.DONE, I64)
        self.k.call(_define_wait_for_units(self.k.module, self.waiting), self.records, self.threads, signal, units)

    def claim_shares(self, start: Value, units: Value, runs: Value, run: Callable[[Value, Value], None]) -> None:
        """Claims units from number `start` on: the runs of the thread's home in order, then the remaining units of other homes.

        So each thread reads memory as one contiguous stream.
        """
        k = self.k
        size = _divide_up(units, self.threads)
        step = _divide_up(size, runs)
        for turn in k.range(self.threads):
            after = self.home + turn
            share = k.select(after < self.threads, after, after - self.threads)
            first, last = (start + k.minimum(number * size, units) for number in (share, share + 1))
            claimed = share * ProgressField.STRIDE + ProgressField.CLAIMED
            with k.loop() as claims:
                seen = k.load_atomic(self.records, claimed, I64)
                begin = k.maximum(seen, first)
                claims.stop(begin >= last)
                end = k.minimum(begin + step, last)
                _, mine = k.compare_exchange(self.records, claimed, seen, end)
                with k.when(mine):
                    run(begin - start, end - start)


def _define_wait_for_units(module: Module, waiting: Waiting) -> Function:
    def emit(k: Function) -> None:
        records, threads, signal, target = k.parameters

        def measure(order: str) -> Value:
            total = k.var(0)
            for thread in k.range(threads):
                done = thread * ProgressField.STRIDE + ProgressField.DONE
                total.set(total.get() + k.load_atomic(records, done, I64, order))
            return total.get()

        emit_wait(k, signal, target, measure, waiting.wait, waiting.give_way, waiting.now)

    parameters = [("records", PTR), ("threads", I64), ("signal", PTR), ("target", I64)]
    return module.shared("rlx_wait_for_units", parameters, emit, I64)


def _divide_up(count: Value, parts: Value) -> Value:
    """The maximum size of each part of a division: ceiling division."""
    return (count + (parts - 1)).udiv(parts)


@dataclass(frozen=True)
class RunLoop:
    """The native functions that walk a job's commands, defined in one module.

    `prepare(job)` evaluates sizes and arguments, clears counters and status, and returns how many threads are useful, 0 for a run
    that must not proceed;
    `walk_alone(job)` runs every command on this thread, `walk(job, thread, home)` together with others: `thread` numbers those that
    came, `home` the share this one begins with.
    """

    prepare: Function
    walk_alone: Function
    walk: Function


def define_run_loop(module: Module, waiting: Waiting) -> RunLoop:
    """Defines the functions of `RunLoop` in a module."""
    return RunLoop(_define_prepare(module), _define_walk_alone(module, waiting), _define_walk(module, waiting))


def _define_prepare(module: Module) -> Function:
    k = module.function("rlx_prepare", [("job", PTR)], I64, internal=True)
    job = k.parameters[0]
    dims, dims_function = k.load(job, JobField.DIMS, PTR), k.load(job, JobField.DIMS_FN, I64)
    symbols = k.load(job, JobField.SYMBOLS, PTR)
    with k.when((dims_function != 0) & (k.address_of(symbols) != 0)):
        k.call_pointer(k.pointer_from(dims_function), None, symbols, dims)
    status = k.load(job, JobField.STATUS, PTR)
    k.store(0, status, 0, I64)

    args, buffers = k.load(job, JobField.ARGS, PTR), k.load(job, JobField.BUFFERS, PTR)
    with k.when(~read_arrays(k, job, buffers)):
        k.ret(0)
    descriptors = k.load(job, JobField.ARG_DESC, PTR)
    for number in k.range(k.load(job, JobField.N_ARGS, I64)):
        kind, index, offset = (k.load(descriptors, number * 3 + part, I64) for part in range(3))
        value = k.var(index)
        with k.when(kind == 0):
            value.set(k.load(dims, index, I64))
        with k.when(kind == 1):
            value.set(k.load(buffers, index, I64))
            with k.when(offset >= 0):
                value.set(value.get() + k.load(dims, offset, I64))
        with k.when(kind == 3):
            value.set(k.address_of(status))
        k.store(value.get(), args, number)

    clear_progress(k, job)
    k.store(0, job, JobField.DECIDED, I64)
    commands, most = k.load(job, JobField.COMMANDS, PTR), k.var(1)
    for number in k.range(k.load(job, JobField.N_COMMANDS, I64)):
        command = _Command(k, commands, dims, number)
        k.store(0, command.at, CommandField.NEXT, I64)
        most.set(k.maximum(most.get(), k.select(command.single, 1, command.units)))
    k.ret(k.minimum(most.get(), k.load(job, JobField.N_THREADS, I64)))
    return k


def _define_walk_alone(module: Module, waiting: Waiting) -> Function:
    k = module.function("rlx_walk_alone", [("job", PTR)], internal=True)
    job = k.parameters[0]
    walk = _Walk(k, waiting, job, k.constant(0, I64))
    for command in walk.each_command():
        with k.when(command.control):
            walk.flow.follow(command.number, walk.position, lambda choose: choose())
        with k.otherwise():
            walk.stamp(command, 0)
            walk.run_complete(command)
            walk.stamp(command, 1)
    return k


def _define_walk(module: Module, waiting: Waiting) -> Function:
    k = module.function("rlx_walk", [("job", PTR), ("thread", I64), ("home", I64)], internal=True)
    job, thread, home = k.parameters
    walk, caller, progress = _Walk(k, waiting, job, thread), thread == 0, ThreadProgress(k, waiting, job, thread, home)
    before, required, own = k.var(0), k.var(0), k.var(0)  # own: units of single commands not yet added to `done`

    def decide(choose: Callable[[], None]) -> None:
        """Thread 0 decides a control command once everything before is complete, and publishes; the other threads copy it."""
        with k.when(caller):
            progress.wait_for(before.get() - own.get())
            choose()
            walk.flow.publish(before, walk.position)
            k.call(waiting.signal, k.pointer(job, JobField.DECIDED, I64), 1)
        with k.otherwise():
            k.call(waiting.wait_for, k.pointer(job, JobField.DECIDED, I64), walk.flow.decision())
            walk.flow.adopt(before, walk.position)
        required.set(before.get())

    for command in walk.each_command():
        with k.when(command.control):
            walk.flow.follow(command.number, walk.position, decide)
        with k.otherwise():
            _walk_command(walk, command, caller, progress, before, required, own)
    return k


def _walk_command(
    walk: _Walk, command: _Command, caller: Value, progress: ThreadProgress, before: Variable, required: Variable, own: Variable
) -> None:
    """Runs one kernel command of a walk together with other threads."""
    k = walk.k
    required.set(k.select((command.flags & BARRIER) != 0, before.get(), required.get()))
    start = before.get()
    after = start + command.units
    before.set(after)
    with k.when(command.single), k.when(caller):
        progress.wait_for(required.get() - own.get())
        walk.stamp(command, 0)
        walk.run_complete(command)
        walk.stamp(command, 1)
        own.set(own.get() + command.units)
    with k.otherwise():
        with k.when(own.get() > 0):
            progress.add(own.get())
            own.set(0)
        progress.wait_for(required.get())
        walk.stamp(command, 0)
        taken = walk.run_share(command, start, progress)
        with k.when(taken > 0):
            progress.add(taken)
        with k.when(walk.profile != 0):
            progress.wait_for(after)
        walk.stamp(command, 1)


class _Command:
    """The words of one command, loaded once."""

    def __init__(self, k: Function, commands: Value, dims: Value, number: Value) -> None:
        self.number = number
        self.at = k.pointer(commands, number * len(CommandField), I64)
        self.flags = k.load(self.at, CommandField.FLAGS, I64)
        self.units = k.maximum(k.load(dims, k.load(self.at, CommandField.UNITS, I64), I64), 0)
        self.host = (self.flags & HOST) != 0
        self.control = (self.flags & CONTROL) != 0
        self.looped = (self.flags & LOOPED) != 0
        self.single = (self.units <= 1) | self.host | self.control


class _Walk:
    """Shared by `walk_alone` and `walk`: a job's fields in registers, and how a command runs."""

    def __init__(self, k: Function, waiting: Waiting, job: Value, thread: Value) -> None:
        self.k, self.waiting, self.thread = k, waiting, thread
        self.count, self.commands = k.load(job, JobField.N_COMMANDS, I64), k.load(job, JobField.COMMANDS, PTR)
        self.args, self.dims = k.load(job, JobField.ARGS, PTR), k.load(job, JobField.DIMS, PTR)
        self.status, self.threads = k.load(job, JobField.STATUS, PTR), k.load(job, JobField.N_THREADS, I64)
        self.profile = k.select(thread == 0, k.load(job, JobField.PROFILE, I64), 0)
        offset = thread * k.load(job, JobField.SCRATCH_STRIDE, I64)
        self.scratch = k.pointer(k.load(job, JobField.SCRATCH, PTR), offset, I8)
        self.flow = ControlFlow(k, job, thread)
        self.position = k.var(0)

    def each_command(self) -> Iterator[_Command]:
        """Loops over the commands in execution order."""
        k = self.k
        with k.loop() as steps:
            number = self.position.get()
            steps.stop(number >= self.count)
            self.position.set(number + 1)
            yield _Command(k, self.commands, self.dims, number)

    def stamp(self, command: _Command, end: int) -> None:
        """Adds the time to the profile, if there is one and this is thread 0: ends minus starts is the time of all rounds."""
        with self.k.when(self.profile != 0):
            profile, entry = self.k.pointer_from(self.profile), command.number * 2 + end
            self.k.store(self.k.load(profile, entry, I64) + self.k.call(self.waiting.now), profile, entry)

    def run_complete(self, command: _Command) -> None:
        """Runs all units of a command in one call, unless there are none or the job has failed."""
        k = self.k
        with k.when((command.units > 0) & (k.load_atomic(self.status, 0) == 0)):
            with k.when(command.host):
                answer = self.call(command, 0, command.units, I64)
                with k.when(answer != HOST_DONE):
                    op = k.load(command.at, CommandField.OP, I64)
                    k.compare_exchange(self.status, 0, 0, (op << 32) | HOST_FAILED)
                set_float_mode(k)  # Python may have changed it
            with k.otherwise():
                self.call(command, 0, command.units)

    def run_share(self, command: _Command, start: Value, progress: ThreadProgress) -> Value:
        """Claims and runs units until none is left; returns how many this thread ran. After a failure, it only claims.

        `start` numbers the first unit, for commands that are claimed by shares or reached more than once.
        """
        k = self.k
        healthy = k.load_atomic(self.status, 0) == 0
        chunk = k.load(command.at, CommandField.CHUNK, I64)
        step = k.select(healthy, chunk, command.units)
        taken = k.var(0)

        def run(begin: Value, end: Value) -> None:
            with k.when(healthy):
                self.call(command, begin, end)
            taken.set(taken.get() + end - begin)

        with k.when((command.flags & LONG_RUNS) != 0):
            progress.claim_shares(start, command.units, chunk, run)
        with k.otherwise():
            with k.when(command.looped):
                self._claim_by_number(command, start, step, run)
            with k.otherwise(), k.loop() as claims:
                claims.stop(k.load_atomic(command.at, CommandField.NEXT, I64, "monotonic") >= command.units)
                begin = k.fetch_add(command.at, CommandField.NEXT, step, I64, "monotonic")
                claims.stop(begin >= command.units)
                run(begin, k.minimum(begin + step, command.units))
        return taken.get()

    def _claim_by_number(self, command: _Command, start: Value, step: Value, run: Callable[[Value, Value], None]) -> None:
        """Claims units from number `start` on, from a counter that is never reset."""
        k = self.k
        with k.loop() as claims:
            seen = k.load_atomic(command.at, CommandField.NEXT, I64)
            first = k.maximum(seen, start)
            claims.stop(first >= start + command.units)
            last = k.minimum(first + step, start + command.units)
            _, mine = k.compare_exchange(command.at, CommandField.NEXT, seen, last)
            with k.when(mine):
                run(first - start, last - start)

    def call(self, command: _Command, begin: Operand, end: Operand, result: Type | None = None) -> Value:
        """Calls the kernel on units [begin, end)."""
        k = self.k
        kernel, first = k.load(command.at, CommandField.KERNEL, PTR), k.load(command.at, CommandField.FIRST, I64)
        args = k.pointer(k.select(command.looped, self.flow.args, self.args), first, I64)
        return k.call_pointer(kernel, result, args, k.index(begin), k.index(end), self.scratch)


# -- rounding and denormals
def float_mode(k: Function) -> Value:
    """Loads the thread's floating-point control word."""
    if k.target.is_x86:
        room = k.alloca(I32, 1)
        k.intrinsic("llvm.x86.sse.stmxcsr", None, [room])
        return k.convert(k.load(room, 0, I32), I64)
    if k.target.is_aarch64:
        return k.intrinsic("llvm.aarch64.get.fpcr", I64, [])
    return k.constant(0, I64)


def set_float_mode(k: Function, mode: Value | None = None) -> None:
    """Stores the control word; by default round-to-nearest, with denormals, without traps, as kernels expect."""
    if k.target.is_x86:
        room = k.alloca(I32, 1)
        k.store(k.constant(0x1F80, I32) if mode is None else k.convert(mode, I32), room, 0)
        k.intrinsic("llvm.x86.sse.ldmxcsr", None, [room])
    elif k.target.is_aarch64:
        k.intrinsic("llvm.aarch64.set.fpcr", None, [k.constant(0, I64) if mode is None else mode])


# -- native code that reads the addresses of Python's arrays and optionally checks the arrays -------------------------
#
# Checks that take microseconds in Python take nanoseconds here: is it an array, of this dtype and shape, dense, writable, not overlapping
# with the others? If any check fails, the run does nothing, and Python finds out what is wrong.


def read_arrays(k: Function, job: Value, buffers: Value) -> Value:
    """Loads the addresses of buffers that are arrays; returns whether the run can proceed. See `Job.take_arrays`."""
    fits = k.var(1)
    if LAYOUT is not None:
        ids, records = k.load(job, JobField.ARRAYS, PTR), k.load(job, JobField.RECORDS, PTR)
        count, checked = k.load(job, JobField.N_ARRAYS, I64), k.load(job, JobField.CHECKED, I64) != 0
        for number in k.range(count):
            array, record = k.load(ids, number, PTR), _record(k, records, number)
            with k.when(checked):
                fits.set(fits.get() & _fits(k, LAYOUT, array, record))
            with k.when(fits.get() != 0):
                data, buffer = k.load(k.pointer(array, LAYOUT.data, I8), 0, I64), k.load(record, RecordField.BUFFER, I64)
                k.store(data, record, RecordField.DATA)
                with k.when(buffer >= 0):
                    k.store(data, buffers, buffer)
        with k.when(checked & (fits.get() != 0)):
            inputs = k.load(job, JobField.N_INPUTS, I64)
            for output in k.range(inputs, count):
                for other in k.range(output):
                    apart = _apart(k, _record(k, records, output), _record(k, records, other))
                    fits.set(fits.get() & k.select(apart, 1, 0))
    return fits.get() != 0


def _record(k: Function, records: Value, number: Value) -> Value:
    return k.pointer(records, number * len(RecordField), I64)


def _fits(k: Function, layout: ArrayLayout, array: Value, record: Value) -> Value:
    """Compares an array object with its record: 1 if it matches, else 0. For other objects only the type is read."""

    def read(field: int, kind: object = I64) -> Value:
        return k.load(k.pointer(array, field, I8), 0, kind)  # type: ignore[arg-type]

    result = k.var(0)
    with k.when(read(layout.kind) == k.load(record, RecordField.KIND, I64)):
        rank, flags = k.convert(read(layout.rank, I32), I64), k.convert(read(layout.flags, I32), I64)
        required = k.load(record, RecordField.FLAGS, I64)
        alike = (rank == k.load(record, RecordField.RANK, I64)) & (read(layout.dtype) == k.load(record, RecordField.DTYPE, I64))
        with k.when(alike & ((flags & required) == required)):
            result.set(1)
            sizes, known = read(layout.dims, PTR), k.load(record, RecordField.DIMS, PTR)
            for axis in k.range(rank):
                same = k.load(sizes, axis, I64) == k.load(known, axis, I64)
                result.set(result.get() & k.select(same, 1, 0))
    return result.get()


def _apart(k: Function, first: Value, second: Value) -> Value:
    """Whether two arrays do not overlap."""
    start, length = (k.load(first, field, I64) for field in (RecordField.DATA, RecordField.BYTES))
    other, extent = (k.load(second, field, I64) for field in (RecordField.DATA, RecordField.BYTES))
    return (start + length <= other) | (other + extent <= start)
