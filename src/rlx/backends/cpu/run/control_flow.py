"""How a thread follows control commands: its round counters, its own arguments, and the decisions of thread 0.

See commands.py for what the commands mean and run_loop.py for why this is correct.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.types import I8, I64, PTR
from rlx.backends.cpu.emit.values import Value, Variable
from rlx.backends.cpu.run.commands import BRANCH, JUMP, LOOP, NEXT_ROUND, CommandField, ControlField, JobField


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

    def follow(self, number: Value, place: Variable, decide: Callable[[Callable[[], None]], None]) -> None:
        """Execute the control command at `number`; `place` is already past it. `decide` makes or copies a decision."""
        k = self.k
        command = k.pointer(self.commands, number * len(CommandField), I64)
        flags, target = k.load(command, CommandField.FLAGS, I64), k.load(command, CommandField.TARGET, I64)
        with k.when((flags & LOOP) != 0):
            self._enter(command, target, place)
        with k.when((flags & NEXT_ROUND) != 0):
            self._next_round(target, place)
        with k.when((flags & JUMP) != 0):
            place.set(target)
        with k.when((flags & BRANCH) != 0):
            self.decisions.set(self.decisions.get() + 1)

            def choose() -> None:
                address = k.load(self.args, k.load(command, CommandField.FIRST, I64), PTR)
                healthy = k.load_atomic(self.status, 0) == 0
                holds = (k.load(address, 0, I8) != 0) & healthy
                place.set(k.select(holds, place.get(), target))

            decide(choose)

    def _rounds(self, command: Value) -> Value:
        return self.k.load(self.dims, self.k.load(command, CommandField.UNITS, I64), I64)

    def _enter(self, command: Value, target: Value, place: Variable) -> None:
        k, rounds = self.k, self._rounds(command)
        with k.when(rounds > 0):
            k.store(0, self.counters, k.load(command, CommandField.OP, I64), I64)
            self._move(command, k.index(0), rounds - 1)
        with k.otherwise():
            place.set(target)

    def _next_round(self, target: Value, place: Variable) -> None:
        """`target` is the position of the LOOP."""
        k = self.k
        command = k.pointer(self.commands, target * len(CommandField), I64)
        rounds, loop = self._rounds(command), k.load(command, CommandField.OP, I64)
        following = k.load(self.counters, loop, I64) + 1
        with k.when(following < rounds):
            k.store(following, self.counters, loop)
            self._move(command, k.index(1), k.index(-1))
            place.set(target + 1)
        with k.otherwise():
            k.store(-1, self.counters, loop, I64)
            self._move(command, 1 - rounds, k.index(0))

    def _move(self, command: Value, forwards: Value, backwards: Value) -> None:
        """Add this many strides to the arguments that a loop advances."""
        k, first = self.k, self.k.load(command, CommandField.FIRST, I64)
        for patch in k.range(first, first + k.load(command, CommandField.CHUNK, I64)):
            argument, stride, reverse = (k.load(self.patches, patch * 4 + part, I64) for part in range(3))
            distance = k.load(self.dims, stride, I64) * k.select(reverse != 0, backwards, forwards)
            k.store(k.load(self.args, argument, I64) + distance, self.args, argument)

    # -- decisions
    def expected(self) -> Value:
        """The number of the decision this thread is at."""
        return self.decisions.get()

    def publish(self, before: Variable, place: Variable) -> None:
        """Thread 0: publish the latest decision. A reader that sees a half-written one reads again."""
        k, flow = self.k, self.flow
        version = k.load(flow, ControlField.VERSION, I64)
        k.store_atomic(version + 1, flow, ControlField.VERSION)
        k.fence()
        for field, value in ((ControlField.DECISIONS, self.decisions), (ControlField.BEFORE, before), (ControlField.PLACE, place)):
            k.store_atomic(value.get(), flow, field, I64, "monotonic")
        for loop in k.range(self.loops):
            k.store_atomic(k.load(self.counters, loop, I64), flow, loop + ControlField.COUNTERS, I64, "monotonic")
        k.store_atomic(version + 2, flow, ControlField.VERSION)

    def adopt(self, before: Variable, place: Variable) -> None:
        """Another thread: go where the latest decision went; if that is not the expected one, take over its state."""
        k, flow = self.k, self.flow
        number = k.var(0)
        with self._consistent():
            number.set(k.load_atomic(flow, ControlField.DECISIONS, I64, "monotonic"))
            place.set(k.load_atomic(flow, ControlField.PLACE, I64, "monotonic"))
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
        """Around reads of what thread 0 publishes: repeated until nothing changed in the meantime."""
        k = self.k
        with k.loop() as reads:
            version = k.load_atomic(self.flow, ControlField.VERSION)
            yield
            k.fence()
            again = k.load_atomic(self.flow, ControlField.VERSION)
            reads.stop((again == version) & ((again & 1) == 0))
            k.pause()

    def _refresh(self) -> None:
        """Recompute all arguments from the counters."""
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
        """The rounds of a loop by its number: looks up its LOOP command, which only late threads do."""
        k, found, place = self.k, self.k.var(0), self.k.var(0)
        with k.loop() as search:
            command = k.pointer(self.commands, place.get() * len(CommandField), I64)
            is_loop = (k.load(command, CommandField.FLAGS, I64) & LOOP) != 0
            with k.when(is_loop):
                found.set(self._rounds(command))
            search.stop(is_loop & (k.load(command, CommandField.OP, I64) == loop))
            place.set(place.get() + 1)
        return found.get()
