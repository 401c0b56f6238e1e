"""The processes of a run on many hosts, as plain data: how many, which of them this is, and where the first one listens."""

from __future__ import annotations

import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass

from rlx.core.errors import RlxError

_LOWEST_PORT, _PORTS = 40_000, 20_000
_FIX = "--coordinator HOST:PORT --processes N --process I, the first two the same for all"


@dataclass(frozen=True)
class ProcessGroup:
    """One of `count` processes; `coordinator` is HOST:PORT of process 0, where the others find it.

    >>> group = ProcessGroup("10.0.0.1:1234", 4, 2)
    >>> group.host, group.port
    ('10.0.0.1', 1234)
    """

    coordinator: str
    count: int
    index: int

    def __post_init__(self) -> None:
        host, _, port = self.coordinator.rpartition(":")
        if not host or not port.isdecimal() or not 0 < int(port) < 65535:
            raise RlxError("RLX406", f"the coordinator is {self.coordinator!r:.60}", fix="HOST:PORT of process 0")
        if self.count < 1 or not 0 <= self.index < self.count:
            raise RlxError("RLX406", f"process {self.index} of {self.count}", fix="processes are counted from 0")

    @property
    def host(self) -> str:
        """The host of process 0."""
        return self.coordinator.rpartition(":")[0].strip("[]")

    @property
    def port(self) -> int:
        """The port of the coordinator; the watchdog takes the next one."""
        return int(self.coordinator.rpartition(":")[2])


def find_processes(
    environment: Mapping[str, str], *, coordinator: str | None = None, processes: int | None = None, process: int | None = None
) -> ProcessGroup | None:
    """Finds the processes of this run: by the arguments, else by variables of SLURM, Open MPI or Kubernetes; None for one process.

    >>> find_processes({}), find_processes({}, coordinator="a:1", processes=2, process=1)
    (None, ProcessGroup(coordinator='a:1', count=2, index=1))
    >>> find_processes({"SLURM_STEP_NUM_TASKS": "4", "SLURM_PROCID": "3", "SLURM_STEP_NODELIST": "n[07-10]", "SLURM_JOB_ID": "5"})
    ProcessGroup(coordinator='n07:40005', count=4, index=3)
    """
    group = _slurm(environment) or _open_mpi(environment) or _kubernetes(environment) or (None, None, None)
    if (coordinator, processes, process) == (None, None, None) and (group[1] is None or group[1] < 2):
        return None
    pairs = zip((coordinator, processes, process), group, strict=True)
    address, count, index = (given if given is not None else known for given, known in pairs)
    for name, value in (("--coordinator", address), ("--processes", count), ("--process", index)):
        if value is None:
            raise RlxError("RLX406", f"several processes without {name}, and nothing in the environment says it", fix=_FIX)
    assert address is not None and count is not None and index is not None
    return ProcessGroup(str(address), int(count), int(index))


Known = tuple[str | None, int | None, int | None]
"""Coordinator, number of processes, and which of them this is, as far as an environment says it."""


def _slurm(environment: Mapping[str, str]) -> Known | None:
    """Reads the variables of an `srun` task. The port is derived from the job, so that jobs on one host do not collide."""
    count, index = _read_number(environment, "SLURM_STEP_NUM_TASKS"), _read_number(environment, "SLURM_PROCID")
    nodes = environment.get("SLURM_STEP_NODELIST", "")
    if count is None or index is None or not nodes:
        return None
    return f"{_first_host(nodes)}:{_port(environment.get('SLURM_JOB_ID', ''))}", count, index


def _open_mpi(environment: Mapping[str, str]) -> Known | None:
    """Reads the variables of an `mpirun` process. Open MPI 4 gives the host of `mpirun`, which runs process 0; later versions do not."""
    count, index = _read_number(environment, "OMPI_COMM_WORLD_SIZE"), _read_number(environment, "OMPI_COMM_WORLD_RANK")
    if count is None or index is None:
        return None
    launcher = re.match(r"(\d+)\.\d+;tcp(?:6://\[([^,\]]+)|://([^,:]+))", environment.get("OMPI_MCA_orte_hnp_uri", ""))
    if launcher is None:
        return None, count, index
    host = f"[{launcher[2]}]" if launcher[2] else launcher[3]
    return f"{host}:{_port(launcher[1])}", count, index


def _kubernetes(environment: Mapping[str, str]) -> Known | None:
    """Reads the variables of a pod of an Indexed Job, alone or in a JobSet: its name ends with its index. The count is not given."""
    index = _read_number(environment, "JOB_COMPLETION_INDEX")
    if index is None or "KUBERNETES_SERVICE_HOST" not in environment:
        return None
    name, dot, domain = socket.getfqdn().partition(".")
    base, _, number = name.rpartition("-")
    if number != str(index):
        return None, None, index
    return f"{base}-0{dot}{domain}:{_LOWEST_PORT}", None, index


def _read_number(environment: Mapping[str, str], name: str) -> int | None:
    text = environment.get(name, "")
    return int(text) if text.isdecimal() else None


def _port(job: str) -> int:
    """Derives a port that every process of a job computes alike."""
    return _LOWEST_PORT + int(job or 0) % _PORTS


def _first_host(nodes: str) -> str:
    """Parses the first host of SLURM's list: `a[03-05,9],b` begins with a03."""
    match = re.match(r"([^\[,]+)(?:\[(\d+)[^\]]*\]([^,]*))?", nodes)
    return nodes if match is None else f"{match[1]}{match[2] or ''}{match[3] or ''}"
