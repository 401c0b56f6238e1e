"""The run loop: every unit once, dependences kept, failures, host calls, profile, float mode, other targets."""

import ctypes
import os
import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from rlx.backends.cpu.compile.codegen import Loaded, compile_object, load_object
from rlx.backends.cpu.emit.builder import Module
from rlx.backends.cpu.emit.values import F32, I64, PTR
from rlx.backends.cpu.run import waiting
from rlx.backends.cpu.run.commands import BARRIER, HOST, HOST_FAILED, LONG_RUNS, Argument, CommandTable, NativeCommand
from rlx.backends.cpu.run.job import HostCall, Job, split_status
from rlx.backends.cpu.run.run_loop import float_mode, set_float_mode
from rlx.backends.cpu.run.thread_pool import Pool
from rlx.backends.cpu.run.thread_pool_code import native_text
from rlx.backends.cpu.run.waiting import platform_of
from rlx.backends.cpu.target import Target

IS_X86 = Target.host().is_x86
FLUSH = 0x8040 | 0x1F80 if IS_X86 else 1 << 24  # MXCSR with FTZ and DAZ; FPCR with FZ
MODES = 0xFFC0 if IS_X86 else 1 << 24  # all but the flags of what has happened
needs_mode = pytest.mark.skipif(not (IS_X86 or Target.host().is_aarch64), reason="no mode of this CPU is known")


def kernels() -> Loaded:
    """Kernels that only serve to watch the run loop."""
    module = Module(Target.host())

    k = module.kernel("count")  # args: counts
    for unit in k.range(k.begin, k.end):
        k.fetch_add(k.argument(0, PTR), unit, 1)

    k = module.kernel("watch")  # args: own stamps, own counts, errors, run, pauses, n, then n × (stamps, units)
    stamps, counts, errors = (k.argument(i, PTR) for i in range(3))
    run, pauses, predecessors = (k.argument(i) for i in range(3, 6))
    for unit in k.range(k.begin, k.end):
        for number in k.range(predecessors):
            earlier = k.pointer_from(k.load(k.parameters[0], number * 2 + 6, I64))
            for other in k.range(k.load(k.parameters[0], number * 2 + 7, I64)):
                with k.when(k.load(earlier, other, I64) != run):
                    k.fetch_add(errors, 0, 1)
        for _ in k.range((unit * 7 + run * 13) % (pauses + 1)):
            k.pause()
        k.store(run, stamps, unit)
        k.fetch_add(counts, unit, 1)

    k = module.kernel("fail_at")  # args: counts, unit that fails, op, status
    for unit in k.range(k.begin, k.end):
        k.fetch_add(k.argument(0, PTR), unit, 1)
        with k.when(unit == k.argument(1)):
            k.compare_exchange(k.argument(3, PTR), 0, 0, (k.argument(2) << 32) | 7)

    k = module.kernel("halve")  # args: x, y
    for unit in k.range(k.begin, k.end):
        k.store(k.load(k.argument(0, PTR), unit, F32) * 0.5, k.argument(1, PTR), unit)

    k = module.kernel("copy_args")  # args: out, then three
    for number in range(3):
        k.store(k.argument(number + 1), k.argument(0, PTR), number)

    k = module.kernel("run_lengths")  # args: out
    for unit in k.range(k.begin, k.end):
        k.fetch_add(k.argument(0, PTR), unit, k.end - k.begin)

    k = module.kernel("which_scratch")  # args: out
    for unit in k.range(k.begin, k.end):
        k.store(k.address_of(k.scratch), k.argument(0, PTR), unit)
        for _ in k.range(200):
            k.pause()

    k = module.function("dims", [("symbols", PTR), ("out", PTR)])
    for number in range(2):
        symbol = k.load(k.parameters[0], number, I64)
        k.store(symbol, k.parameters[1], number)
    k.store(k.load(k.parameters[0], 0, I64) * 8, k.parameters[1], 2)

    k = module.function("get_mode", [], I64)
    k.ret(float_mode(k))
    k = module.function("set_mode", [("mode", I64)])
    set_float_mode(k, k.parameters[0])
    return load_object(compile_object(module.text(), Target.host()))


CODE = kernels()


@pytest.fixture(scope="module", params=["futex", "futex, sleepy", "pthread", "pthread, sleepy"])
def pool(request: pytest.FixtureRequest) -> Iterator[Pool]:
    """Four threads, on whatever cores there are. The sleepy ones hardly spin, so every wait is also tried asleep."""
    platform, sleepy = request.param.removesuffix(", sleepy"), request.param.endswith("sleepy")
    if platform != platform_of(Target.host()) and os.name == "nt":
        pytest.skip("not on Windows")
    made = Pool(platform)
    with pytest.MonkeyPatch.context() as patch:
        if sleepy:
            for name in ("PAUSES_PER_LOOK", "SPIN_NANOSECONDS", "YIELD_NANOSECONDS"):
                patch.setattr(waiting, name, 2)
        made.run(Job(table([], [], 0), CODE.address))  # compiles
    made.set_threads(4)
    yield made
    made.close()


def table(commands: list[NativeCommand], dims: list[int], n_buffers: int = 1) -> CommandTable:
    return CommandTable.build(commands, dims, n_buffers)


# -- arguments and sizes
def test_arguments_are_resolved(pool: Pool) -> None:
    out = np.zeros(3, np.int64)
    arguments = [Argument.buffer(0), Argument.size(1), Argument.buffer(1, 2), Argument.immediate(-5)]
    job = Job(table([NativeCommand("copy_args", 0, arguments)], [1, 11, 24], 2), CODE.address)
    job.buffers[:] = out.ctypes.data, 1000
    assert pool.run(job) == 0
    assert out.tolist() == [11, 1024, -5]


def test_the_offset_minus_one_and_the_status_address(pool: Pool) -> None:
    out = np.zeros(3, np.int64)
    arguments = [Argument.buffer(0), Argument.buffer(1), Argument.status(), Argument.size(0)]
    job = Job(table([NativeCommand("copy_args", 0, arguments)], [1], 2), CODE.address)
    job.buffers[:] = out.ctypes.data, 1000
    assert pool.run(job) == 0
    assert out.tolist() == [1000, job.status.ctypes.data, 1]


@pytest.mark.parametrize("threads", [1, 2])
def test_sizes_come_from_symbols_anew_in_each_run(pool: Pool, threads: int) -> None:
    counts = np.zeros(100, np.int64)
    commands = [NativeCommand("count", 0, [Argument.buffer(0, 2)])]
    job = Job(CommandTable.build(commands, [0, 0, 0], 1, 2, "dims"), CODE.address, threads)
    job.buffers[0] = counts.ctypes.data
    for units in (3, 20, 0, 7):
        counts[:] = 0
        job.symbols[:] = units, 9
        assert pool.run(job) == 0
        assert counts.tolist() == [0] * units + [1] * units + [0] * (100 - 2 * units)
        assert job.dims.tolist() == [units, 9, 8 * units]


@pytest.mark.parametrize(
    ("runs", "units", "shares"),
    [
        (2, 40, [[5, 5]] * 4),
        (2, 41, [[6, 5], [6, 5], [6, 5], [6, 2]]),
        (1, 41, [[11], [11], [11], [8]]),
        (2, 8, [[1, 1]] * 4),
        (4, 6, [[1, 1], [1, 1], [1, 1], []]),
        (1, 3, [[1], [1], [1]]),
        (2, 1, [[1]]),
    ],
)
def test_a_threads_share_is_claimed_in_long_runs(pool: Pool, runs: int, units: int, shares: list[list[int]]) -> None:
    lengths = np.zeros(units, np.int64)
    job = Job(table([NativeCommand("run_lengths", 0, [Argument.buffer(0)], LONG_RUNS, chunk=runs)], [units]), CODE.address, 4)
    job.buffers[0] = lengths.ctypes.data
    assert pool.run(job) == 0
    assert lengths.tolist() == [length for share in shares for length in share for _ in range(length)]  # each unit once


@pytest.mark.parametrize("threads", [2, 7, 8, 9, 13])
def test_more_threads_than_shares_take_every_unit_once(threads: int) -> None:
    crowd, sizes = Pool(), [2, 40, 257, 3000]
    crowd.set_threads(threads)
    counts = np.zeros((len(sizes), 3000), np.int64)
    commands = [
        NativeCommand("count", i, [Argument.buffer(i)], LONG_RUNS | i % 2, 0, runs) for i, runs in enumerate((1, 16, 200, 16))
    ]
    job = Job(table(commands, sizes, len(sizes)), CODE.address, threads)
    job.buffers[:] = [row.ctypes.data for row in counts]
    for _ in range(200):
        assert crowd.run(job) == 0
    crowd.close()
    for row, units in zip(counts, sizes, strict=True):
        assert (row[:units] == 200).all() and (row[units:] == 0).all()


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_long_runs_end_after_a_failure_and_the_next_command_does_nothing(pool: Pool, threads: int) -> None:
    counts = np.zeros((2, 400), np.int64)
    arguments = [Argument.buffer(0), Argument.immediate(11), Argument.immediate(5), Argument.status()]
    then = NativeCommand("count", 0, [Argument.buffer(1)], LONG_RUNS | BARRIER, chunk=8)
    commands = [NativeCommand("fail_at", 0, arguments, LONG_RUNS, chunk=8), then]
    job = Job(table(commands, [400], 2), CODE.address, threads)
    job.buffers[:] = [row.ctypes.data for row in counts]
    for _ in range(50):
        counts[:] = 0
        assert pool.run(job) == (5 << 32) | 7
        assert counts.max() <= 1 and counts[0, 11] == 1 and not counts[1].any()


def test_a_table_survives_being_stored() -> None:
    commands = [NativeCommand("a", 0, [Argument.size(1)], BARRIER, 5, 3), NativeCommand("b", 1), NativeCommand("a", 0, flags=HOST)]
    made = CommandTable.build(commands, [1, 2], 3, 4, "dims")
    again = CommandTable.from_arrays(made.to_arrays())
    assert (again.kernels, again.dims_function, again.n_buffers, again.n_symbols) == (("a", "b"), "dims", 3, 4)
    for name in ("commands", "arguments", "dims"):
        np.testing.assert_array_equal(getattr(again, name), getattr(made, name))


# -- units
@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize("chunk", [0, 1, 3, 1000])
def test_every_unit_is_run_once(pool: Pool, threads: int, chunk: int) -> None:
    sizes = [1, 2, 5, 64, 257]
    counts = np.zeros((len(sizes), 300), np.int64)
    commands = [NativeCommand("count", i, [Argument.buffer(i)], i % 2, 0, chunk) for i in range(len(sizes))]
    job = Job(table(commands, sizes, len(sizes)), CODE.address, threads)
    job.buffers[:] = [row.ctypes.data for row in counts]
    for _ in range(500):
        assert pool.run(job) == 0
    for row, units in zip(counts, sizes, strict=True):
        assert (row[:units] == 500).all() and (row[units:] == 0).all()


def test_threads_have_scratch_of_their_own(pool: Pool) -> None:
    out = np.zeros(64, np.int64)
    job = Job(table([NativeCommand("which_scratch", 0, [Argument.buffer(0)])], [64]), CODE.address, 4, scratch=100)
    job.buffers[0] = out.ctypes.data
    seen = set()
    for _ in range(300):
        pool.run(job)
        seen |= set(out.tolist())
    assert len(seen) > 1
    first = job.words[11]
    assert seen <= {first + 128 * thread for thread in range(4)} and first % 64 == 0


def test_no_commands_and_no_units(pool: Pool) -> None:
    assert pool.run(Job(table([], [], 0), CODE.address, 2)) == 0
    commands = [NativeCommand("count", 0), NativeCommand("count", 1, flags=BARRIER)]
    assert pool.run(Job(table(commands, [0, -3]), CODE.address, 2)) == 0


# -- dependences
def random_table(random: np.random.Generator) -> tuple[CommandTable, list[int]]:
    """A table whose flags keep random dependences: a barrier wherever a predecessor is not before the latest one."""
    n = int(random.integers(2, 40))
    mostly_single = random.random() < 0.5
    sizes = [int(random.choice([0, 1, 1, 1, 1, 2, 9] if mostly_single else [1, 2, 3, 8, 40])) for _ in range(n)]
    pauses = int(random.choice([0, 20, 300]))
    commands, latest = [], 0
    for number in range(n):
        few = random.integers(0, min(number, 4) + 1)
        before = sorted(random.choice(number, few, replace=False).tolist()) if number else []
        barrier = any(other >= latest for other in before) or random.random() < 0.1
        latest = number if barrier else latest
        arguments = [Argument.buffer(3 * number + part) for part in range(3)]
        arguments += [Argument.size(0), Argument.immediate(pauses), Argument.immediate(len(before))]
        for other in before:
            arguments += [Argument.buffer(3 * other), Argument.size(3 + other)]
        chunk = int(random.integers(0, 4))
        commands.append(NativeCommand("watch", 3 + number, arguments, BARRIER * barrier, number, chunk))
    return CommandTable.build(commands, [0, 0, 0, *sizes], 3 * n, 2, "dims"), sizes


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("seed", range(8))
def test_a_command_sees_all_it_depends_on(pool: Pool, threads: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    for _ in range(6):
        made, sizes = random_table(random)
        stamps, counts = np.zeros((len(sizes), 64), np.int64), np.zeros((len(sizes), 64), np.int64)
        errors = np.zeros(1, np.int64)
        job = Job(made, CODE.address, threads)
        job.buffers[0::3] = [row.ctypes.data for row in stamps]
        job.buffers[1::3] = [row.ctypes.data for row in counts]
        job.buffers[2::3] = errors.ctypes.data
        job.set_profiling(bool(random.integers(2)))
        for run in range(1, 21):
            job.symbols[0] = run
            assert pool.run(job) == 0
            assert errors[0] == 0
        for row, units in zip(counts, sizes, strict=True):
            assert (row[:units] == 20).all() and (row[units:] == 0).all()


# -- failure
@pytest.mark.parametrize("threads", [1, 2, 4])
def test_after_a_failure_nothing_behind_the_next_barrier_runs(pool: Pool, threads: int) -> None:
    counts = np.zeros((4, 64), np.int64)
    failing = [Argument.buffer(1), Argument.immediate(5), Argument.immediate(42), Argument.status()]
    commands = [
        NativeCommand("count", 0, [Argument.buffer(0)]),
        NativeCommand("fail_at", 1, failing, BARRIER, op=42),
        NativeCommand("count", 0, [Argument.buffer(2)], BARRIER),
        NativeCommand("count", 2, [Argument.buffer(3)]),
    ]
    job = Job(table(commands, [10, 8, 1], 4), CODE.address, threads)
    job.buffers[:] = [row.ctypes.data for row in counts]
    for _ in range(200):
        counts[:] = 0
        assert split_status(pool.run(job)) == (42, 7)
        assert (counts[0, :10] == 1).all() and counts[1, 5] == 1
        assert counts[2:].sum() == 0
    failing_unit = job.arguments[np.flatnonzero(job.arguments[:, 1] == 5)[0]]
    failing_unit[1] = 99
    counts[:] = 0
    assert pool.run(job) == 0
    assert counts.sum() == 10 + 8 + 10 + 1


def test_the_first_failure_wins(pool: Pool) -> None:
    counts = np.zeros(64, np.int64)
    commands = [
        NativeCommand("fail_at", 0, [Argument.buffer(0), Argument.immediate(0), Argument.immediate(op), Argument.status()])
        for op in (3, 4)
    ]
    job = Job(table(commands, [2]), CODE.address, 2)
    job.buffers[0] = counts.ctypes.data
    assert {split_status(pool.run(job)) for _ in range(50)} <= {(3, 7), (4, 7)}
    job.words[13] = 1
    assert split_status(pool.run(job)) == (3, 7)


# -- host calls
def host_table(call: HostCall) -> tuple[CommandTable, Callable[[str], int]]:
    commands = [
        NativeCommand("count", 0, [Argument.buffer(0)]),
        NativeCommand("host", 1, [Argument.buffer(0), Argument.size(0)], BARRIER | HOST, op=6),
        NativeCommand("count", 0, [Argument.buffer(0)], BARRIER),
    ]
    return table(commands, [50, 3]), lambda name: call.address if name == "host" else CODE.address(name)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_host_call_runs_between_its_barriers_on_the_calling_thread(pool: Pool, threads: int) -> None:
    counts = np.zeros(50, np.int64)
    seen = []

    def body(args: int, begin: int, end: int) -> None:
        address, size = np.ctypeslib.as_array(ctypes.cast(args, ctypes.POINTER(ctypes.c_int64)), (2,)).tolist()
        assert (address, size) == (counts.ctypes.data, 50)
        seen.append((threading.current_thread(), begin, end, set(counts.tolist())))
        counts[:] += 10

    call = HostCall(body)
    job = Job(*host_table(call), threads)
    job.buffers[0] = counts.ctypes.data
    for run in range(20):
        counts[:] = 0
        assert pool.run(job) == 0
        assert set(counts.tolist()) == {12}
        assert seen[run] == (threading.current_thread(), 0, 3, {1})


@pytest.mark.parametrize("threads", [1, 2])
def test_a_host_call_that_raises_fails_the_job(pool: Pool, threads: int) -> None:
    counts = np.zeros(50, np.int64)

    def body(args: int, begin: int, end: int) -> None:
        raise ValueError("no")

    call = HostCall(body)
    job = Job(*host_table(call), threads)
    job.buffers[0] = counts.ctypes.data
    assert split_status(pool.run(job)) == (6, HOST_FAILED)
    assert isinstance(call.take_error(), ValueError)
    assert set(counts.tolist()) == {1}


def test_a_job_run_by_a_host_call_stays_on_its_thread(pool: Pool) -> None:
    counts = np.zeros(50, np.int64)
    inner = Job(table([NativeCommand("count", 0, [Argument.buffer(0)])], [50]), CODE.address, 4)
    inner.buffers[0] = counts.ctypes.data
    call = HostCall(lambda args, begin, end: None if pool.run(inner) == 0 else 1 / 0)
    job = Job(*host_table(call), 4)
    job.buffers[0] = counts.ctypes.data
    for _ in range(10):
        assert pool.run(job) == 0
    assert set(counts.tolist()) == {30}


# -- profile
@pytest.mark.parametrize("threads", [1, 2, 4])
def test_time_stamps_follow_the_commands(pool: Pool, threads: int) -> None:
    out = np.zeros(64, np.int64)
    commands = [NativeCommand("which_scratch", i % 3, [Argument.buffer(0)], BARRIER) for i in range(9)]
    job = Job(table(commands, [1, 16, 0]), CODE.address, threads)
    job.buffers[0] = out.ctypes.data
    assert job.profile.shape == (0, 2)
    job.set_profiling(True)
    for _ in range(20):
        assert pool.run(job) == 0
        stamps = job.profile.ravel().tolist()
        assert stamps == sorted(stamps) and stamps[0] > 0
        if threads == 1:
            assert all(end - start > 1000 for start, end in job.profile[1::3].tolist())
    last = job.profile.copy()
    job.set_profiling(False)
    assert pool.run(job) == 0 and job.profile.size == 0 and last.size


# -- floating-point mode
@needs_mode
@pytest.mark.parametrize("threads", [1, 4])
def test_denormals_are_kept_and_the_callers_mode_comes_back(pool: Pool, threads: int) -> None:
    get_mode = ctypes.PYFUNCTYPE(ctypes.c_int64)(CODE.address("get_mode"))
    set_mode = ctypes.PYFUNCTYPE(None, ctypes.c_int64)(CODE.address("set_mode"))
    x, y = np.full(1000, 2e-38, np.float32), np.zeros(1000, np.float32)
    job = Job(table([NativeCommand("halve", 0, [Argument.buffer(0), Argument.buffer(1)])], [1000], 2), CODE.address, threads)
    job.buffers[:] = x.ctypes.data, y.ctypes.data
    usual = get_mode()
    set_mode(FLUSH)
    try:
        status, after = pool.run(job), get_mode()
    finally:
        set_mode(usual)
    assert status == 0 and after & MODES == FLUSH & MODES
    assert (y.view(np.uint32) == np.float32(1e-38).view(np.uint32)).all()


# -- results and targets
def test_the_same_bits_for_any_number_of_threads(pool: Pool) -> None:
    x = np.random.default_rng(0).standard_normal(501).astype(np.float32)
    results = []
    for threads in (1, 2, 3, 4):
        y = np.zeros_like(x)
        commands = [NativeCommand("halve", 0, [Argument.buffer(i % 2), Argument.buffer(1)], BARRIER) for i in range(6)]
        job = Job(table(commands, [501], 2), CODE.address, threads)
        job.buffers[:] = x.ctypes.data, y.ctypes.data
        assert pool.run(job) == 0
        results.append(y.tobytes())
    assert len(set(results)) == 1


WINDOWS = Target("x86_64-pc-windows-msvc", "x86-64", "+sse,+sse2", 16)
TARGETS = [Target.named("x86_64"), Target.named("aarch64"), Target.named("aarch64-apple"), WINDOWS]


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.triple)
def test_it_compiles_for_other_targets(target: Target) -> None:
    assert len(compile_object(native_text(target), target)) > 1000
