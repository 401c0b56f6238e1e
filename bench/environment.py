"""The same threads for everyone: set before any library is imported, because most read it only once."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

_FAMILIES = ("OMP_", "GOMP_", "KMP_", "MKL_", "OPENBLAS_", "GOTO_", "BLIS_", "DNNL_", "ONEDNN_", "GGML_", "XLA_", "TF_XLA_")
"""How variables begin that choose threads, instructions or kernels of peers: OPENBLAS_CORETYPE, MKL_ENABLE_INSTRUCTIONS, …"""
_SINGLE = ("ATEN_CPU_CAPABILITY", "NPY_DISABLE_CPU_FEATURES", "NPY_ENABLE_CPU_FEATURES", "ORT_DISABLE_CPU_FEATURES")


def allow_threads(count: int) -> dict[str, str]:
    """Give every library `count` threads, on `count` physical cores; no other setting of peers stands.

    The affinity bounds the ones without a setting of their own (XLA sizes its pool by it). Returns the variables that were cleared, which
    a line on stderr names.
    """
    cleared = clear_settings_of_peers()
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RLX_THREADS"):
        os.environ[variable] = str(count)
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "22")  # spin 2^22 cycles between calls, not 2^28 into others' turns
    if hasattr(os, "sched_setaffinity"):
        cores = _one_cpu_per_core(sorted(os.sched_getaffinity(0)))
        os.sched_setaffinity(0, cores[:count])
    return cleared


def clear_settings_of_peers() -> dict[str, str]:
    """Take variables out of the environment that make peers slower or faster than they are by themselves, and say which."""
    ours = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_THREAD_TIMEOUT")  # set below
    found = {
        name: value
        for name, value in sorted(os.environ.items())
        if (name.startswith(_FAMILIES) and name not in ours) or name in _SINGLE
    }
    for name in found:
        del os.environ[name]
    if found:
        listed = ", ".join(f"{name}={value}" for name, value in found.items())
        print(f"cleared for the measurement: {listed}", file=sys.stderr)
    return found


def _one_cpu_per_core(cpus: list[int]) -> list[int]:
    """The CPUs with the first of each core in front and their siblings last."""
    first, siblings, seen = [], [], set()
    for cpu in cpus:
        listed = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        core = listed.read_text() if listed.exists() else str(cpu)
        (siblings if core in seen else first).append(cpu)
        seen.add(core)
    return first + siblings


def processor_seconds() -> float | None:
    """CPU seconds spent by all processes of the machine so far, where the system says it."""
    try:
        fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    except OSError:
        return None
    user, nice, system, _idle, _wait, *rest = (int(field) for field in fields)
    return (user + nice + system + sum(rest[:2])) / os.sysconf("SC_CLK_TCK")


def own_seconds() -> float:
    """CPU seconds spent by this process and by its children, those that have ended and those that run."""
    spent = os.times()
    return time.process_time() + spent.children_user + spent.children_system + _running_children_seconds()


def _running_children_seconds() -> float:
    """Where the system says it; one that has ended meanwhile, or is not yet waited for, has no more to say."""
    ticks = 0
    for listed in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            for child in listed.read_text().split():
                fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
                ticks += sum(map(int, fields[11:15]))  # its own time and that of its children that have ended
    return ticks / os.sysconf("SC_CLK_TCK")


def processor_name() -> str:
    """The model name of the CPU, or the architecture where the system does not say it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else os.uname().machine
