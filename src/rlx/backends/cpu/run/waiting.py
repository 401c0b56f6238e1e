"""How a native thread waits for a number to grow: spin, then yield, then sleep.

The platform provides three functions, a clock and a thread id; everything else is the same everywhere:

    void rlx_wait(ptr word, i64 seen)     sleep unless the low 32 bits at `word` differ from `seen`; may return early
    void rlx_wake(ptr word, i64 count)    wake up to `count` threads that sleep at `word`, or more
    void rlx_yield()                      give up the core
    i64  rlx_now()                        a monotonic clock in nanoseconds
    i64  rlx_self()                       the id of this thread

A **signal** is two cache lines: a number that only grows while someone waits for it, and, 64 bytes later, how many
threads sleep on it. The count of sleepers is what keeps a hot signal free of system calls. Three functions use it:

    i64  rlx_wait_for(ptr signal, i64 target)     returns the number once it is at least `target`
    void rlx_signal(ptr signal, i64 amount)       adds to the number and wakes all sleepers
    void rlx_wake_from_here(ptr signal)           records the CPU of this thread, for future sleepers

No wake-up is lost: the sleeper counts itself and then reads the number again; the signaler changes the number and
then reads the count. All four are sequentially consistent, so at least one sees the other. Little-endian targets
only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.values import I8, I32, I64, PTR, Value
from rlx.backends.cpu.target import Target

Platform = Literal["futex", "pthread", "windows"]

SLEEPERS = 8
"""The offset of the count of sleepers, in words from the number."""
WAKER = 9
"""The offset of the CPU of the usual waker, plus one; 0: unknown."""
EVERYONE = 0x7FFFFFFF
"""The `count` that wakes all."""

PAUSES_PER_LOOK = 64
"""How often a spinning thread reads the clock."""
SPIN_NANOSECONDS = 50_000
"""How long it keeps its core: a yield gives it to another process for milliseconds, and most waits are shorter."""
YIELD_NANOSECONDS = 150_000
"""How long, from the start, it checks again after each yield, before it sleeps."""


@dataclass(frozen=True)
class Waiting:
    """Native functions that wait for and wake threads, defined in one module. `globals` is text to put before the module's.

    `reset` is called once after loading, and in a forked child, where a lock may be held by a thread that no longer exists.
    """

    wait: Function
    wake: Function
    give_way: Function
    now: Function
    self: Function
    wait_for: Function
    signal: Function
    wake_from_here: Function
    reset: Function
    globals: str


def platform_of(target: Target) -> Platform:
    """The wait primitive of a target: futex on Linux, WaitOnAddress on Windows, condition variables elsewhere."""
    if "windows" in target.triple:
        return "windows"
    if "linux" in target.triple and (target.is_x86 or target.is_aarch64):
        return "futex"
    return "pthread"


def define_waiting(module: Module, platform: Platform | None = None) -> Waiting:
    """Defines the functions of `Waiting` in a module; `platform` overrides the choice, for tests."""
    chosen = platform or platform_of(module.target)
    sleeping, waking = _PLATFORMS[chosen]
    wait = module.function("rlx_wait", [("word", PTR), ("seen", I64)], internal=True)
    sleeping(wait, *wait.parameters)
    wake = module.function("rlx_wake", [("word", PTR), ("count", I64)], internal=True)
    waking(wake, *wake.parameters)
    wake_from_here = module.function("rlx_wake_from_here", [("signal", PTR)], internal=True)
    reset = module.function("rlx_reset", [])
    if chosen == "futex":
        _note_cpu(wake_from_here)
    if chosen == "pthread":
        _pthread_reset(reset)
    now, give_way = _define_now(module), _define_give_way(module)
    return Waiting(
        wait,
        wake,
        give_way,
        now,
        _define_self(module),
        _define_wait_for(module, wait, give_way, now),
        _define_signal(module, wake),
        wake_from_here,
        reset,
        _PTHREAD_GLOBALS if chosen == "pthread" else "",
    )


# -- signals
def _define_give_way(module: Module) -> Function:
    give_way = module.function("rlx_yield", [], internal=True)
    give_way.call_external("SwitchToThread" if _is_windows(module.target) else "sched_yield", I32)
    return give_way


def _define_wait_for(module: Module, wait: Function, give_way: Function, now: Function) -> Function:
    k = module.function("rlx_wait_for", [("signal", PTR), ("target", I64)], I64, internal=True)
    signal, target = k.parameters
    emit_wait(k, signal, target, lambda order: k.load_atomic(signal, 0, I64, order), wait, give_way, now)
    return k


def emit_wait(
    k: Function, signal: Value, target: Value, measure: Callable[[str], Value], wait: Function, give_way: Function, now: Function
) -> None:
    """Waits until `measure(order)` is at least `target`, and returns it; whoever makes it grow wakes the sleepers of `signal`."""

    def leave_if_reached() -> None:
        number = measure("acquire")
        with k.when(number >= target):
            k.ret(number)

    leave_if_reached()
    with k.loop():
        start = k.var(0)
        with k.loop() as spinning:
            for _ in k.range(PAUSES_PER_LOOK):
                _pause(k)
                leave_if_reached()
            time = k.call(now)
            with k.when(start.get() == 0):
                start.set(time)
            waited = time - start.get()
            with k.when(waited > SPIN_NANOSECONDS):
                k.call(give_way)
            spinning.stop(waited > YIELD_NANOSECONDS)
        k.fetch_add(signal, SLEEPERS, 1, I64, "seq_cst")
        seen = k.load_atomic(signal, 0, I64, "seq_cst")  # before the measure: a later change of it prevents the sleep
        with k.when(measure("seq_cst") < target):
            k.call(wait, signal, seen)
        k.fetch_add(signal, SLEEPERS, -1, I64, "seq_cst")
        leave_if_reached()


def _define_signal(module: Module, wake: Function) -> Function:
    k = module.function("rlx_signal", [("signal", PTR), ("amount", I64)], internal=True)
    signal, amount = k.parameters
    k.fetch_add(signal, 0, amount, I64, "seq_cst")
    with k.when(k.load_atomic(signal, SLEEPERS, I64, "seq_cst") > 0):
        k.call(wake, signal, EVERYONE)
    return k


def _pause(k: Function) -> None:
    """Emits a pause of about 20–60 ns. On AArch64 the `yield` hint usually does nothing, `isb` waits."""
    if k.target.is_aarch64:
        k.intrinsic("llvm.aarch64.isb", None, [k.constant(15, I32)])
    else:
        k.pause()


# -- futex: FUTEX_WAIT_PRIVATE is 128, FUTEX_WAKE_PRIVATE 129
_MASK_WORDS = 16
"""An affinity mask for 1024 CPUs; with more, the system rejects it and affinity stays unchanged."""


def _futex_wait(k: Function, word: Value, seen: Value) -> None:
    """Sleep, but not on the waker's CPU: its bit is removed from this thread's affinity until it wakes.

    In a virtual machine, the scheduler takes a CPU that has been idle for some milliseconds for one preempted by the host, and
    queues the woken thread behind its waker, which keeps running: it starts after 1–4 ms instead of 0.1 (measured on KVM).
    """
    waker = k.load_atomic(word, WAKER, I64, "monotonic") - 1
    usual, away, now = (k.alloca(I64, _MASK_WORDS) for _ in range(3))
    moved = k.var(0)
    with k.when((waker >= 0) & (waker < _MASK_WORDS * 64)), k.when(_affinity(k, "get", usual) == 0):
        for item in k.range(_MASK_WORDS):
            k.store(k.load(usual, item, I64), away, item)
        bits = k.load(away, waker >> 6, I64)
        k.store(bits & ~(k.index(1) << (waker & 63)), away, waker >> 6)
        moved.set(k.select(_affinity(k, "set", away) == 0, 1, 0))  # fails if no CPU is left
    _futex(k, word, 128, seen)
    with k.when(moved.get() != 0), k.when(_affinity(k, "get", now) == 0):
        changed = k.var(0)  # changed by someone else while this thread slept: keep it
        for item in k.range(_MASK_WORDS):
            changed.set(changed.get() | (k.load(now, item, I64) ^ k.load(away, item, I64)))
        with k.when(changed.get() == 0):
            _affinity(k, "set", usual)


def _note_cpu(k: Function) -> None:
    cpu = k.convert(k.call_external("sched_getcpu", I32), I64)
    k.store_atomic(cpu + 1, k.parameters[0], WAKER, I64, "monotonic")


def _affinity(k: Function, verb: str, mask: Value) -> Value:
    return k.call_external(f"sched_{verb}affinity", I32, k.constant(0, I32), k.constant(_MASK_WORDS * 8, I64), mask)


def _futex_wake(k: Function, word: Value, count: Value) -> None:
    _futex(k, word, 129, count)


def _futex(k: Function, word: Value, operation: int, value: Value) -> None:
    number = 202 if k.target.is_x86 else 98
    no_timeout = k.constant(0, I64)
    k.call_external("syscall", I64, k.constant(number, I64), word, k.constant(operation, I64), value, no_timeout)


# -- condition variables: one mutex and one condition for all words, so waking wakes all, and they check again
def _pthread_wait(k: Function, word: Value, seen: Value) -> None:
    mutex, condition = Value(k, PTR, "@rlx_mutex"), Value(k, PTR, "@rlx_condition")
    k.call_external("pthread_mutex_lock", I32, mutex)
    with k.when(k.load_atomic(word, 0, I32, "seq_cst") == k.convert(seen, I32)):
        k.call_external("pthread_cond_wait", I32, condition, mutex)
    k.call_external("pthread_mutex_unlock", I32, mutex)


def _pthread_wake(k: Function, word: Value, count: Value) -> None:
    mutex, condition = Value(k, PTR, "@rlx_mutex"), Value(k, PTR, "@rlx_condition")
    k.call_external("pthread_mutex_lock", I32, mutex)
    k.call_external("pthread_cond_broadcast", I32, condition)
    k.call_external("pthread_mutex_unlock", I32, mutex)


def _pthread_reset(k: Function) -> None:
    k.call_external("pthread_mutex_init", I32, Value(k, PTR, "@rlx_mutex"), Value(k, PTR, "null"))
    k.call_external("pthread_cond_init", I32, Value(k, PTR, "@rlx_condition"), Value(k, PTR, "null"))


_PTHREAD_GLOBALS = """
@rlx_mutex = internal global [16 x i64] zeroinitializer, align 64
@rlx_condition = internal global [16 x i64] zeroinitializer, align 64
"""


# -- Windows
def _windows_wait(k: Function, word: Value, seen: Value) -> None:
    compare = k.alloca(I64, 1)
    k.store(seen, compare, 0)
    k.call_external("WaitOnAddress", I32, word, compare, k.constant(4, I64), k.constant(-1, I32))


def _windows_wake(k: Function, word: Value, count: Value) -> None:
    k.call_external("WakeByAddressAll", None, word)


_Body = Callable[[Function, Value, Value], None]
_PLATFORMS: dict[Platform, tuple[_Body, _Body]] = {
    "futex": (_futex_wait, _futex_wake),
    "pthread": (_pthread_wait, _pthread_wake),
    "windows": (_windows_wait, _windows_wake),
}


# -- the clock and the thread
def _define_now(module: Module) -> Function:
    k = module.function("rlx_now", [], I64, internal=True)
    if _is_windows(module.target):
        ticks, rate = _windows_counter(k, "QueryPerformanceCounter"), _windows_counter(k, "QueryPerformanceFrequency")
        seconds = ticks.udiv(rate)  # seconds separately: ticks times 10⁹ would overflow within the hour
        k.ret(seconds * 1_000_000_000 + ((ticks - seconds * rate) * 1_000_000_000).udiv(rate))
    else:
        time = k.alloca(I64, 2)
        monotonic = 6 if "apple" in module.target.triple else 1
        k.call_external("clock_gettime", I32, k.constant(monotonic, I32), time)
        k.ret(k.load(time, 0, I64) * 1_000_000_000 + k.load(time, 1, I64))
    return k


def _define_self(module: Module) -> Function:
    k = module.function("rlx_self", [], I64, internal=True)
    if _is_windows(module.target):
        k.ret(k.convert(k.call_external("GetCurrentThreadId", I32), I64, signed=False))
    else:
        k.ret(k.call_external("pthread_self", I64))
    return k


def _windows_counter(k: Function, name: str) -> Value:
    room = k.alloca(I8, 8)
    k.call_external(name, I32, room)
    return k.load(room, 0, I64)


def _is_windows(target: Target) -> bool:
    return "windows" in target.triple
