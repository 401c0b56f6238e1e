"""The machine's topology from a folder that stands for /sys: cores, memory nodes, last-level caches, default threads."""

from __future__ import annotations

from pathlib import Path

import pytest

from rlx.backends.cpu.run.thread_pool import available_threads
from rlx.backends.cpu.topology import Topology, as_ranges


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


def siblings(root: Path, **lists: str) -> Topology:
    """Of CPUs 0 to 3, whose lists of siblings are these texts."""
    for cpu, text in lists.items():
        write(root / f"sys/devices/system/cpu/{cpu}/topology/thread_siblings_list", text)
    return Topology.read(root, range(4))


@pytest.mark.parametrize("text", ["", "x", "-", "-3", "2-", "2-x", "0-3:1/2x", "²", ",,", "1-0", "9", "0x1", "\x00"])
def test_a_list_that_says_nothing_leaves_a_cpu_alone(tmp_path: Path, text: str) -> None:
    assert siblings(tmp_path, cpu0=text).cores == ((0,), (1,), (2,), (3,))


@pytest.mark.parametrize(
    ("text", "core"), [("0-1", (0, 1)), ("0,2", (0, 2)), (" 0 - 1 , 3", (0, 1, 3)), ("0-999999999999,x", (0, 1, 2, 3))]
)
def test_lists_of_cpus(tmp_path: Path, text: str, core: tuple[int, ...]) -> None:
    assert siblings(tmp_path, cpu0=text).cores[0] == core


def test_lists_that_contradict_each_other_name_no_cpu_twice(tmp_path: Path) -> None:
    found = siblings(tmp_path, cpu0="0-1", cpu1="1-2", cpu2="2", cpu3="0-3")
    assert found.cores == ((0, 1), (2,), (3,)) and found.cpus == {0, 1, 2, 3}


def test_a_sibling_that_is_offline_has_no_folder(tmp_path: Path) -> None:
    """Linux takes it from the lists of the others and from every affinity."""
    found = siblings(tmp_path, cpu0="0,2", cpu2="0,2", cpu3="3")
    assert Topology.read(tmp_path, {0, 2, 3}).cores == ((0, 2), (3,)) and found.cores == ((0, 2), (1,), (3,))


@pytest.mark.parametrize(("level", "size"), [("", ""), ("three", "1M"), ("3", "big"), ("3", "K"), ("-3", "-8M"), ("3", "")])
def test_a_cache_that_is_described_otherwise_has_no_bytes(tmp_path: Path, level: str, size: str) -> None:
    write(tmp_path / "sys/devices/system/cpu/cpu0/cache/index3/level", level)
    write(tmp_path / "sys/devices/system/cpu/cpu0/cache/index3/size", size)
    found = Topology.read(tmp_path, range(2))
    assert found.last_level_bytes == (1 << 20 if size == "1M" else 0) and len(found.cores) == 2


def test_files_that_are_no_text(tmp_path: Path) -> None:
    for name in ("cpu/cpu0/topology/thread_siblings_list", "cpu/cpu0/cache/index0/level", "node/node0/cpulist"):
        path = tmp_path / "sys/devices/system" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"\xff\xfe0-1")
    (tmp_path / "sys/devices/system/node/node1/cpulist").mkdir(parents=True)  # nor a file
    found = Topology.read(tmp_path, range(2))
    assert found.cores == ((0,), (1,)) and found.nodes == ((0, 1),)


def test_a_node_without_cpus_is_none(tmp_path: Path) -> None:
    """Memory alone, as of an expansion card."""
    root = machine(tmp_path, 4, 1, nodes=2)
    write(root / "sys/devices/system/node/node2/cpulist", "")
    assert Topology.read(root, range(4)).nodes == ((0, 1), (2, 3))


@pytest.mark.parametrize(("threads", "counts"), [(1, [1, 0]), (2, [1, 1]), (3, [2, 1]), (8, [4, 4]), (11, [6, 5]), (16, [8, 8])])
def test_nodes_have_threads_by_their_cores_in_order(tmp_path: Path, threads: int, counts: list[int]) -> None:
    topology = Topology.read(machine(tmp_path, 8, 2, nodes=2), range(16))
    homes = topology.homes(threads)
    assert list(homes) == [node for node, count in zip(topology.nodes, counts, strict=True) for _ in range(count)]


def test_a_node_with_fewer_cores_has_fewer_threads(tmp_path: Path) -> None:
    root = machine(tmp_path, 8, 1, nodes=2)
    homes = Topology.read(root, {0, 1, 2, 3, 4}).homes(5)
    assert homes == ((0, 1, 2, 3),) * 4 + ((4,),)


def test_with_one_node_threads_may_go_anywhere(tmp_path: Path) -> None:
    assert Topology.read(machine(tmp_path, 8, 2), range(16)).homes(3) == ((), (), ())
    assert Topology.read(tmp_path, range(4)).homes(4) == ((),) * 4


@pytest.mark.parametrize("cpulist", ["0-1", "1", "0-99", "7"])
def test_every_thread_has_a_home_whatever_nodes_list(tmp_path: Path, cpulist: str) -> None:
    """Nodes that overlap, that leave CPUs out, or that cut a core in two."""
    root = machine(tmp_path, 4, 2, nodes=2)
    write(root / "sys/devices/system/node/node1/cpulist", cpulist)
    topology = Topology.read(root, range(8))
    assert all(home in topology.nodes for home in topology.homes(6)) and len(topology.homes(6)) == 6


def test_what_doctor_says_of_two_nodes_with_siblings(tmp_path: Path) -> None:
    root = machine(tmp_path, 8, 2, nodes=2)
    write(root / "sys/devices/system/cpu/online", "0-15")
    write(root / "sys/devices/system/cpu/offline", "16-19,31")
    assert Topology.read(root, range(16)).describe(root) == {
        "cores": "8, 2 CPUs each; CPUs 16-19,31 are offline",
        "memory nodes": "2: CPUs 0-3,8-11; CPUs 4-7,12-15",
    }
    some = Topology.read(root, {0, 1, 8}).describe(root)
    assert some["cores"] == "2, 1 or 2 CPUs each; CPUs 2-7,9-15 are not allowed to this process; CPUs 16-19,31 are offline"
    assert some["memory nodes"] == "1"


def test_what_doctor_says_where_nothing_is_described(tmp_path: Path) -> None:
    assert Topology.read(tmp_path, range(2)).describe(tmp_path) == {"cores": "2", "memory nodes": "1"}


@pytest.mark.parametrize("cpus", [set(), {3}, {0, 1}, {0, 2, 4}, {5, 6, 7, 9, 10, 63}])
def test_ranges_are_what_linux_lists(cpus: set[int], tmp_path: Path) -> None:
    write(tmp_path / "sys/devices/system/node/node0/cpulist", as_ranges(cpus))
    assert not cpus or Topology.read(tmp_path, range(64)).nodes == (tuple(sorted(cpus)),)
