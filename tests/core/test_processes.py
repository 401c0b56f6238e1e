"""Which process of many this is: what was given, and what launchers put into the environment."""

from __future__ import annotations

import pytest

from rlx.core.errors import RlxError
from rlx.core.processes import ProcessGroup, find_processes

SLURM = {"SLURM_STEP_NUM_TASKS": "4", "SLURM_PROCID": "3", "SLURM_JOB_ID": "123456"}
MPI = {"OMPI_COMM_WORLD_SIZE": "3", "OMPI_COMM_WORLD_RANK": "0"}
POD = {"KUBERNETES_SERVICE_HOST": "10.0.0.1", "JOB_COMPLETION_INDEX": "2"}


@pytest.mark.parametrize(
    "nodes, host", [("gpu7", "gpu7"), ("gpu[03-05,9],cpu1", "gpu03"), ("a,b[1-2]", "a"), ("rack1-n[8,9]-ib", "rack1-n8-ib")]
)
def test_slurm(nodes, host):
    assert find_processes({**SLURM, "SLURM_STEP_NODELIST": nodes}) == ProcessGroup(f"{host}:43456", 4, 3)


def test_a_batch_script_and_a_single_task_are_one_process():
    assert find_processes({"SLURM_JOB_ID": "5", "SLURM_NTASKS": "4", "SLURM_PROCID": "0"}) is None
    assert find_processes({**SLURM, "SLURM_STEP_NUM_TASKS": "1", "SLURM_STEP_NODELIST": "a"}) is None
    assert find_processes({"PATH": "/bin"}) is None


@pytest.mark.parametrize(
    "uri, address",
    [
        ("1531576320.0;tcp://10.96.0.1,10.148.0.1:34911", "10.96.0.1:56320"),
        ("7.0;tcp://10.96.0.2:34911", "10.96.0.2:40007"),
        ("1314521088.0;tcp6://[fe80::b9b:ac5d,2620:10d::2]:43370", "[fe80::b9b:ac5d]:41088"),
    ],
)
def test_open_mpi(uri, address):
    group = find_processes({**MPI, "OMPI_MCA_orte_hnp_uri": uri})
    assert group == ProcessGroup(address, 3, 0) and "[" not in group.host


def test_open_mpi_that_does_not_say_where_it_runs_needs_a_coordinator():
    with pytest.raises(RlxError, match="--coordinator") as caught:
        find_processes(MPI)
    assert caught.value.code == "RLX406" and "HOST:PORT" in caught.value.fix
    assert find_processes(MPI, coordinator="a:9") == ProcessGroup("a:9", 3, 0)


def test_kubernetes(monkeypatch):
    monkeypatch.setattr("socket.getfqdn", lambda: "train-workers-0-2.train.team.svc.cluster.local")
    found = find_processes(POD, processes=4)
    assert found == ProcessGroup("train-workers-0-0.train.team.svc.cluster.local:40000", 4, 2)
    assert find_processes(POD) is None  # an Indexed Job of pods that have nothing to do with each other


def test_what_is_given_wins():
    given = {"coordinator": "h:1", "processes": 2, "process": 1}
    assert find_processes({**SLURM, "SLURM_STEP_NODELIST": "a"}, **given) == ProcessGroup("h:1", 2, 1)


@pytest.mark.parametrize("address", ["", "host", "host:", ":80", "host:0", "host:70000", "host:x"])
def test_a_coordinator_is_a_host_and_a_port(address):
    with pytest.raises(RlxError) as caught:
        ProcessGroup(address, 2, 0)
    assert caught.value.code == "RLX406"


@pytest.mark.parametrize("count, index", [(0, 0), (2, 2), (2, -1)])
def test_processes_are_counted_from_0(count, index):
    with pytest.raises(RlxError, match="of"):
        ProcessGroup("a:1", count, index)
