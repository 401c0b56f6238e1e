"""A thread has a home: the share it begins with in every job, and where memory is divided, the CPUs of one node."""

import os
import threading
from collections.abc import Iterator

import numpy as np
import pytest

import rlx
from rlx.backends.cpu.compile.codegen import Loaded, compile_object, load_object
from rlx.backends.cpu.emit.builder import Module
from rlx.backends.cpu.emit.values import I64, PTR
from rlx.backends.cpu.run.commands import BARRIER, LONG_RUNS, Argument, CommandField, CommandTable, NativeCommand
from rlx.backends.cpu.run.job import Job
from rlx.backends.cpu.run.runner import CpuRunner
from rlx.backends.cpu.run.thread_pool import Pool
from rlx.backends.cpu.target import Target
from rlx.backends.cpu.topology import Topology
from rlx.module import GraphModule

THREADS = 4


def kernels() -> Loaded:
    """`meet` runs a unit on each thread: none leaves before all have come."""
    module = Module(Target.host())
    k = module.kernel("meet")  # args: threads by unit, how many have come, how many must
    for unit in k.range(k.begin, k.end):
        k.store(k.call_external("pthread_self", I64), k.argument(0, PTR), unit)
        k.fetch_add(k.argument(1, PTR), 0, 1)
        with k.loop() as waiting:
            waiting.stop(k.load_atomic(k.argument(1, PTR), 0, I64) >= k.argument(2))
            k.call_external("sched_yield", I64)
    return load_object(compile_object(module.text(), Target.host()))


pytestmark = pytest.mark.skipif(os.name == "nt", reason="pthread_self and sched_yield")
CODE = kernels() if os.name != "nt" else None


class Meeting:
    """Commands of one unit a thread, each waiting for all."""

    def __init__(self, commands: int) -> None:
        assert CODE is not None
        self.who, self.come = np.zeros((commands, THREADS), np.int64), np.zeros((commands, 8), np.int64)
        listed = [
            NativeCommand(
                "meet",
                0,
                [Argument.buffer(2 * number), Argument.buffer(2 * number + 1), Argument.immediate(THREADS)],
                LONG_RUNS | BARRIER,
                chunk=1,
            )
            for number in range(commands)
        ]
        self.job = Job(CommandTable.build(listed, [THREADS], 2 * commands), CODE.address, THREADS)
        self.job.buffers[:] = [row.ctypes.data for pair in zip(self.who, self.come, strict=True) for row in pair]

    def run(self, pool: Pool) -> list[list[int]]:
        self.come[:] = 0
        assert pool.run(self.job) == 0
        return [list(row) for row in self.who.tolist()]


@pytest.fixture
def pool() -> Iterator[Pool]:
    made = Pool()
    made.set_threads(THREADS)
    yield made
    made.close()


def test_a_thread_begins_with_the_same_share_in_every_command_of_every_job(pool: Pool) -> None:
    meetings = [Meeting(1), Meeting(5)]
    first = meetings[0].run(pool)[0]
    assert len(set(first)) == THREADS and first[0] == threading.get_ident()
    for round in range(40):
        assert all(who == first for who in meetings[round % 2].run(pool))


def test_another_caller_takes_the_first_share_and_the_workers_keep_theirs(pool: Pool) -> None:
    meeting = Meeting(2)
    first, found = meeting.run(pool)[0], []
    caller = threading.Thread(target=lambda: found.extend(meeting.run(pool)))
    caller.start()
    caller.join()
    assert len(found) == 2 and all(who[1:] == first[1:] and who[0] not in first for who in found)


# -- memory nodes
def two_nodes() -> tuple[Topology, list[set[int]]]:
    """This process's CPUs as two nodes: the first alone, and the others."""
    if not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2:
        pytest.skip("needs two CPUs")
    first, *others = sorted(os.sched_getaffinity(0))
    cores = tuple((cpu,) for cpu in (first, *others))
    return Topology(cores, ((first,), tuple(others)), 0), [{first}, set(others)]


def workers(before: set[threading.Thread]) -> list[threading.Thread]:
    return sorted(set(threading.enumerate()) - before, key=lambda thread: thread.name)


def test_workers_stay_on_the_cpus_of_their_node() -> None:
    topology, (_, others) = two_nodes()
    before, usual, pool = set(threading.enumerate()), os.sched_getaffinity(0), Pool(topology=topology)
    pool.set_threads(THREADS)
    meeting = Meeting(1)
    meeting.run(pool)
    expected = [set(cpus) for cpus in topology.homes(THREADS)]
    found = workers(before)
    assert len(found) == THREADS - 1 and expected[-1] == others
    for thread, cpus in zip(found, expected[1:], strict=True):
        assert thread.native_id is not None
        held = os.sched_getaffinity(thread.native_id)  # asleep, a worker leaves the CPU of its caller to that, if it has another
        assert held and held <= cpus
    assert os.sched_getaffinity(0) == usual  # the caller goes where it likes
    meeting.run(pool)
    pool.close()


def test_with_one_node_no_worker_is_bound() -> None:
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("needs an affinity")
    cpus = tuple(sorted(os.sched_getaffinity(0)))
    before, pool = set(threading.enumerate()), Pool(topology=Topology(tuple((cpu,) for cpu in cpus), (cpus,), 0))
    pool.set_threads(THREADS)
    Meeting(1).run(pool)
    for thread in workers(before):
        assert thread.native_id is not None
        assert len(os.sched_getaffinity(thread.native_id)) >= len(cpus) - 1
    pool.close()


def test_a_worker_whose_cpus_are_gone_works_elsewhere() -> None:
    """CPUs may be taken from a process after its topology was read."""
    pool = Pool(topology=Topology(((8000,), (8001,)), ((8000,), (8001,)), 0))
    pool.set_threads(THREADS)
    who = Meeting(1).run(pool)[0]
    assert len(set(who)) == THREADS
    pool.close()


# -- what is packed by a thread is read by it
def commands(runner: object) -> tuple[np.ndarray, np.ndarray]:
    assert isinstance(runner, CpuRunner)
    return runner.job.commands, runner.job.dims


@pytest.mark.parametrize("scheme", [None, "gguf_q8_0", "gguf_q4k", "gguf_iq2_xxs"])
def test_a_weight_is_packed_and_read_in_the_same_shares(scheme: str | None) -> None:
    """Both commands divide the columns of a weight among the threads in order: share i of one is share i of the other."""
    module = GraphModule.hir("decode")
    weight = module.param("w", (512, 4096), scheme=scheme)
    module.set_outputs({"y": module.linear(module.input("x", (1, 512)), weight, None)})
    exe = rlx.compile(module, device="cpu")
    assert exe._prepared is not None
    packing, _ = commands(exe._prepared._runner)
    running, dims = commands(exe._runner)
    product = running[np.argmax(dims[running[:, CommandField.UNITS]])]
    assert len(packing) == 1 and packing[0, CommandField.FLAGS] & LONG_RUNS
    assert product[CommandField.FLAGS] & LONG_RUNS
