"""The machine's topology from a folder that stands for /sys: cores, memory nodes, last-level caches, default threads."""

from __future__ import annotations

from pathlib import Path

import pytest

from rlx.backends.cpu.run.thread_pool import available_threads
from rlx.backends.cpu.topology import Topology


def machine(root: Path, cores: int, siblings: int, nodes: int = 1) -> Path:
    """A tree with so many cores; CPU `c + i · cores` is sibling i of core c, and a node is a run of cores."""
    cpus, each = cores * siblings, cores // nodes
    for cpu in range(cpus):
        core = cpu % cores
        folder = root / f"sys/devices/system/cpu/cpu{cpu}"
        write(folder / "topology/thread_siblings_list", ",".join(str(core + i * cores) for i in range(siblings)))
        node = core // each
        shared = ",".join(f"{i * cores + node * each}-{i * cores + node * each + each - 1}" for i in range(siblings))
        for index, (level, size, who) in enumerate(((1, "48K", str(cpu)), (2, "2048K", str(cpu)), (3, "105M", shared))):
            for name, text in (("level", str(level)), ("size", size), ("shared_cpu_list", who)):
                write(folder / f"cache/index{index}/{name}", text)
        write(root / f"sys/devices/system/node/node{node}/cpulist", shared)
    return root


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n")


def test_siblings_are_one_core(tmp_path: Path) -> None:
    found = Topology.read(machine(tmp_path, 16, 2), range(32))
    assert len(found.cores) == 16 and found.cores[3] == (3, 19)
    assert found.nodes == (tuple(range(32)),) and found.last_level_bytes == 105 << 20


def test_nodes_and_their_caches(tmp_path: Path) -> None:
    found = Topology.read(machine(tmp_path, 8, 1, nodes=2), range(8))
    assert found.nodes == ((0, 1, 2, 3), (4, 5, 6, 7)) and found.last_level_bytes == 2 * 105 << 20


def test_only_the_cpus_that_may_be_used_count(tmp_path: Path) -> None:
    found = Topology.read(machine(tmp_path, 8, 2, nodes=2), {1, 9, 2})
    assert found.cores == ((1, 9), (2,)) and found.nodes == ((1, 2, 9),) and found.last_level_bytes == 105 << 20


def test_without_a_description_every_cpu_is_a_core(tmp_path: Path) -> None:
    found = Topology.read(tmp_path, range(4))
    assert found.cores == ((0,), (1,), (2,), (3,)) and found.nodes == ((0, 1, 2, 3),) and found.last_level_bytes == 0


@pytest.mark.parametrize(("quota", "threads"), [("max 100000", 16), ("350000 100000", 4), ("2000000 100000", 16)])
def test_threads_by_default_are_the_cores_within_the_quota(tmp_path: Path, quota: str, threads: int) -> None:
    root = machine(tmp_path, 16, 2)
    write(root / "proc/self/cgroup", "0::/box")
    write(root / "sys/fs/cgroup/box/cpu.max", quota)
    assert available_threads(root, range(32)) == threads
