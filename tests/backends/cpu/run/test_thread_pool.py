"""The pool: who gets it, what it costs when idle, and how it goes through fork, interrupts and exit."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rlx.backends.cpu.run import thread_pool as threads_module
from rlx.backends.cpu.run.job import Job
from rlx.backends.cpu.run.thread_pool import Pool, available_threads, cpu_quota, run, set_threads, thread_count
from rlx.core.errors import RlxError

posix_only = pytest.mark.skipif(os.name == "nt", reason="fork and signals")

# Also the beginning of every script below.
PRELUDE = """
import os, signal, sys, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a shell ignore it
import numpy as np
from rlx.backends.cpu.emit.builder import PTR, Module, Target
from rlx.backends.cpu.compile.codegen import compile_object, load_object
from rlx.backends.cpu.run.commands import BARRIER, HOST, Argument, CommandTable, NativeCommand
from rlx.backends.cpu.run.job import HostCall, Job, split_status
from rlx.backends.cpu.run.thread_pool import run, set_threads, thread_count

module = Module(Target.host())
k = module.kernel("count")  # args: counts, pauses
for unit in k.range(k.begin, k.end):
    for _ in k.range(k.argument(1)):
        k.pause()
    k.fetch_add(k.argument(0, PTR), unit, 1)
code = load_object(compile_object(module.text(), Target.host()))

def counting(units, pauses, threads, commands=1):
    counts = np.zeros(units, np.int64)
    command = NativeCommand("count", 0, [Argument.buffer(0), Argument.immediate(pauses)], BARRIER)
    job = Job(CommandTable.build([command] * commands, [units], 1), code.address, threads)
    job.buffers[0] = counts.ctypes.data
    return job, counts
"""


def script(body: str, **environment: str) -> str:
    """Run a script in a process of its own; it must end by itself, and well."""
    source = Path(threads_module.__file__).parents[4]
    settings = os.environ | {"PYTHONPATH": str(source)} | environment
    command = [sys.executable, "-c", PRELUDE + body]
    done = subprocess.run(command, env=settings, timeout=60, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def two_threads() -> Iterator[None]:
    set_threads(2)
    yield
    set_threads(None)


names: dict[str, Any] = {}
exec(PRELUDE, names)


def counting(units: int, threads: int, pauses: int = 0, commands: int = 1) -> tuple[Job, np.ndarray]:
    made: tuple[Job, np.ndarray] = names["counting"](units, pauses, threads, commands)
    return made


# -- callers
def test_concurrent_callers_take_turns(two_threads: None) -> None:
    jobs = [counting(13, 1 + number % 2, pauses=20) for number in range(6)]

    def call(job: Job) -> None:
        for _ in range(300):
            assert run(job) == 0

    callers = [threading.Thread(target=call, args=(job,)) for job, _ in jobs]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert all((counts == 300).all() for _, counts in jobs)


def test_the_number_of_threads_changes_while_jobs_run(two_threads: None) -> None:
    job, counts = counting(13, 4, pauses=20)
    stop = threading.Event()
    runs = 0

    def call() -> None:
        nonlocal runs
        while not stop.is_set():
            assert run(job) == 0
            runs += 1

    caller = threading.Thread(target=call)
    caller.start()
    for number in range(30):
        set_threads(1 + number % 4)
    stop.set()
    caller.join()
    assert runs > 0 and (counts == runs).all()


def test_threads_are_named_daemons_and_end() -> None:
    pool = Pool()
    pool.set_threads(3)
    before = set(threading.enumerate())
    job, counts = counting(8, 3)
    pool.run(job)
    workers = set(threading.enumerate()) - before
    assert {worker.name for worker in workers} == {"rlx-1", "rlx-2"} and all(worker.daemon for worker in workers)
    pool.close()
    assert not any(worker.is_alive() for worker in workers)
    pool.run(job)
    assert (counts == 2).all() and set(threading.enumerate()) <= before


def test_a_job_with_one_thread_starts_no_pool() -> None:
    pool = Pool()
    pool.set_threads(2)
    before = threading.active_count()
    job, counts = counting(8, 1)
    assert pool.run(job) == 0 and (counts == 1).all() and threading.active_count() == before
    pool.close()


# -- the process around it
def test_an_idle_pool_costs_nothing() -> None:
    body = """
set_threads(4)
job, counts = counting(64, 100, 4)
for _ in range(50): run(job)
time.sleep(0.1)
used = time.process_time()
time.sleep(0.6)
print("used", time.process_time() - used)
"""
    assert float(script(body).split()[-1]) < 0.05


def test_exit_while_workers_sleep_and_while_they_spin() -> None:
    body = "set_threads(3)\njob, counts = counting(64, 100, 3)\nrun(job)\n"
    script(body)
    script(body + "time.sleep(0.3)\n")


def test_exit_with_a_daemon_that_runs_jobs() -> None:
    script("""
set_threads(2)
job, counts = counting(64, 1000, 2)
def forever():
    while True: run(job)
threading.Thread(target=forever, daemon=True).start()
while counts[0] < 10: time.sleep(0.05)
""")


@posix_only
def test_a_forked_child_runs_jobs() -> None:
    assert "child fine" in script("""
set_threads(2)
job, counts = counting(64, 100, 2)
for round in range(20):
    run(job)
    child = os.fork()
    if child == 0:
        counts[:] = 0
        for _ in range(50): assert run(job) == 0
        assert (counts == 50).all() and threading.active_count() == 2
        set_threads(3)
        assert run(job) == 0
        if round == 19: print("child fine", flush=True)
        sys.exit(0)
    assert os.waitpid(child, 0)[1] == 0
assert (counts == 20).all()
""")


@posix_only
def test_fork_while_another_thread_runs_a_job() -> None:
    script("""
set_threads(2)
long, _ = counting(8, 2_000_000, 2)
job, counts = counting(64, 100, 2)
run(job)
counts[:] = 0
runner = threading.Thread(target=run, args=(long,))
runner.start()
time.sleep(0.05)
child = os.fork()
if child == 0:
    assert run(job) == 0 and (counts == 1).all()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
runner.join()
""")


@posix_only
@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_comes_after_the_job_is_complete(threads: int) -> None:
    assert "complete" in script(f"""
set_threads(2)
job, counts = counting(4, 1000, {threads})
run(job)
job, counts = counting(4, 3_000_000, {threads})
threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    run(job)
    time.sleep(1)
except KeyboardInterrupt:
    assert (counts == 1).all()
    counts[:] = 0
    assert run(counting(4, 10, 2)[0]) == 0
    print("complete")
""")


@posix_only
def test_an_interrupt_before_a_host_call_fails_the_job() -> None:
    assert "told" in script("""
set_threads(2)
counts = np.zeros(4, np.int64)
call = HostCall(lambda args, begin, end: None)
arguments = [Argument.buffer(0), Argument.immediate(3_000_000)]
commands = [NativeCommand("count", 0, arguments), NativeCommand("host", 0, arguments, BARRIER | HOST, 5),
            NativeCommand("count", 0, arguments, BARRIER)]
address_of = lambda name: call.address if name == "host" else code.address(name)
job = Job(CommandTable.build(commands, [4], 1), address_of, 2)
job.buffers[0] = counts.ctypes.data
run(counting(4, 10, 2)[0])
threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
status = run(job)
assert split_status(status)[0] == 5 and (counts == 1).all()
assert isinstance(call.take_error(), KeyboardInterrupt)
print("told")
""")


def test_sleeping_workers_get_their_affinity_back() -> None:
    if not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2:
        pytest.skip("needs two CPUs")
    script("""
usual = os.sched_getaffinity(0)
set_threads(2)
job, counts = counting(64, 2000, 2)
run(job)
worker, = (thread for thread in threading.enumerate() if thread.name == "rlx-1")
time.sleep(0.2)
assert len(os.sched_getaffinity(worker.native_id)) == len(usual) - 1
for _ in range(100):
    run(job)
    if os.sched_getaffinity(worker.native_id) == usual: break
else: raise AssertionError
time.sleep(0.2)
chosen = usual - os.sched_getaffinity(worker.native_id)
os.sched_setaffinity(worker.native_id, chosen)
for _ in range(20): run(job)
assert os.sched_getaffinity(worker.native_id) == chosen
""")


# -- how many
def test_the_environment_sets_the_number() -> None:
    body = """
job, counts = counting(64, 100, 8)
run(job)
print(thread_count(), threading.active_count(), set(counts.tolist()))
"""
    assert script(body, RLX_THREADS="1").split() == ["1", "1", "{1}"]
    assert script(body, RLX_THREADS="3").split() == ["3", "3", "{1}"]


def test_what_is_set_counts_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RLX_THREADS", "5")
    assert thread_count() == 5
    set_threads(2)
    assert thread_count() == 2
    set_threads(None)
    assert thread_count() == 5
    monkeypatch.setenv("RLX_THREADS", "")
    assert thread_count() == available_threads() >= 1


@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5"])
def test_nonsense_in_the_environment_is_an_error(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("RLX_THREADS", text)
    with pytest.raises(RlxError, match=f"RLX_THREADS={text}"):
        thread_count()


def test_set_threads_wants_one_or_more() -> None:
    with pytest.raises(RlxError, match="RLX406"):
        set_threads(0)


CGROUPS = {
    "v2, limited": ("0::/app", {"app/cpu.max": "150000 100000"}, 1.5),
    "v2, free": ("0::/app", {"app/cpu.max": "max 100000"}, None),
    "v2, limited above": ("0::/a/b", {"a/cpu.max": "100000 100000", "a/b/cpu.max": "max 100000"}, 1.0),
    "v2, the least counts": ("0::/a/b", {"a/cpu.max": "300000 100000", "a/b/cpu.max": "50000 100000"}, 0.5),
    "v2, seen from a container": ("0::/../../x", {"cpu.max": "200000 100000"}, 2.0),
    "v2, mounted as unified": ("0::/app", {"unified/app/cpu.max": "200000 100000"}, 2.0),
    "v1, limited": (
        "5:memory:/m\n4:cpu,cpuacct:/app\n0::/",
        {"cpu,cpuacct/app/cpu.cfs_quota_us": "250000", "cpu,cpuacct/app/cpu.cfs_period_us": "100000"},
        2.5,
    ),
    "v1, free": ("1:cpu:/", {"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, None),
    "v1, only the root is mounted": (
        "1:cpu:/docker/abc",
        {"cpu/cpu.cfs_quota_us": "100000", "cpu/cpu.cfs_period_us": "50000"},
        2.0,
    ),
    "none": ("", {}, None),
}


@pytest.mark.parametrize("name", CGROUPS)
def test_cgroup_quotas(tmp_path: Path, name: str) -> None:
    membership, files, expected = CGROUPS[name]
    for path, text in {"proc/self/cgroup": membership, **{f"sys/fs/cgroup/{p}": t for p, t in files.items()}}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text + "\n" if text else "")
    assert cpu_quota(tmp_path) == expected
    if expected is not None:
        assert 1 <= available_threads(tmp_path) <= max(1, round(expected + 0.49))


def test_native_code_comes_from_the_disk_cache(cache_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled by the first process only; where the cache is off, by every one."""
    pool = Pool()
    job, counts = counting(1, 1)
    assert pool.run(job) == 0 and counts.tolist() == [1] and len(list(cache_dir.glob("*.rlxc"))) == 1
    monkeypatch.setattr(threads_module, "compile_object", lambda *_: pytest.fail("compiled again"))
    assert Pool().run(job) == 0 and counts.tolist() == [2]
    monkeypatch.setenv("RLX_CACHE", "0")
    with pytest.raises(pytest.fail.Exception, match="compiled again"):
        Pool().run(job)


# -- what it costs: python tests/backends/cpu/run/test_thread_pool.py
def measure() -> None:
    def best(job: Job, repeat: int, pause: float = 0.0) -> float:
        times = []
        for _ in range(9):
            time.sleep(pause)
            start = time.perf_counter_ns()
            for _ in range(repeat):
                run(job)
            times.append((time.perf_counter_ns() - start) / repeat / 1000)
        return min(times)

    set_threads(2)
    print(f"{os.getloadavg()[0]:8.2f}     other load on {os.cpu_count()} CPUs")
    print(f"{best(counting(1, 1)[0], 20000):8.2f} µs  a run of one command, one thread")
    print(f"{best(counting(2, 2)[0], 20000):8.2f} µs  a run of one command of two units, two threads")
    one, many = best(counting(2, 2, 100)[0], 2000), best(counting(2, 2, 100, 101)[0], 200)
    alone = (best(counting(1, 1, 100, 101)[0], 200) - best(counting(1, 1, 100)[0], 2000)) / 100
    print(f"{(many - one) / 100 - alone:8.2f} µs  a barrier with its claims, beside {alone:.2f} µs of work each")
    whole, halves = best(counting(1, 1, 80000)[0], 1), counting(80, 2, 1000)[0]
    print(f"{best(halves, 1) - whole / 2:8.2f} µs  more than half of {whole:.0f} µs, two threads, hot")
    for pause in (0.001, 0.02):
        print(f"{best(halves, 1, pause) - whole / 2:8.2f} µs  the same after {pause * 1000:.0f} ms of sleep")


if __name__ == "__main__":
    measure()


def test_arrays_are_known_again_by_code_of_another_process(cache_dir: Path) -> None:
    """What is cached has no addresses in it: a second process, whose types lie elsewhere, also has its arrays checked natively."""
    program = (
        "import numpy as np, rlx\n"
        "g = rlx.Graph('g'); x = g.input('x', (4,)); g.set_outputs({'y': x + 1.0})\n"
        "exe, given, out = rlx.compile(g, 'cpu'), np.ones(4, np.float32), np.empty(4, np.float32)\n"
        "exe.run({'x': given}, out={'y': out})\n"
        "print(exe._runner.again([given], [out]), exe._runner.again([given[:2]], [out]))\n"
    )
    settings = {**os.environ, "RLX_CACHE": "1", "RLX_CACHE_DIR": str(cache_dir)}
    for _ in range(2):
        found = subprocess.run([sys.executable, "-c", program], env=settings, capture_output=True, text=True, check=True)
        assert found.stdout.split() == ["True", "False"], found.stdout
