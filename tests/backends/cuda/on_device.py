"""On a machine with a GPU: `python -m tests.backends.cuda.on_device`. The op table, random graphs, models and training, by many processes.

Most of the time goes into compiling, so each process has one thread and its own context on the GPU; cubins are shared on disk. It needs
NumPy, ml_dtypes and what the device itself needs; neither pytest nor llvmlite. A line for each failure, then a summary as JSON; the
exit status is 1 if anything is wrong. What is not done when the time is up is counted as such.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

SANITIZED = ("softmax", "matmul", "gather", "scatter", "attention", "cumsum", "sort", "layer_norm")
CHUNK = 10  # graphs of a job


@dataclass
class Done:
    """What a job found: how many of what kind, and a line for each that is wrong."""

    kind: str
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


# -- jobs -----------------------------------------------------------------------------------------------------------
def op(name: str) -> Done:
    """The rows of one record."""
    from rlx.backends.conformance import outcomes
    from rlx.backends.registry import find_backend
    from rlx.ir.op import OPS

    found = Done("ops")
    for outcome in outcomes(find_backend("cuda"), "test", OPS[name]):
        found.counts[outcome.state] += 1
        if outcome.state == "FAIL":
            found.wrong.append(f"{outcome.row}: {outcome.detail!s:.300}")
    return found


def graphs(first: int) -> Done:
    """Some of the graphs of the fuzz tests."""
    from tests.fuzz.emitters import EMITTERS
    from tests.fuzz.generator import generate
    from tests.fuzz.running import Trial

    names, found = sorted(EMITTERS), Done("graphs")
    for seed in range(first, first + CHUNK):
        try:
            Trial(generate(seed, [names[(2 * seed + i) % len(names)] for i in range(2)])).check_whole("cuda")
            found.counts["ok"] += 1
        except Exception as error:  # whatever a driver raises: the next graph may still run
            found.counts["FAIL"] += 1
            found.wrong.append(f"graph {seed}: {type(error).__name__}: {error!s:.300}")
    return found


def model(name: str) -> Done:
    """A decode step of a small Llama, a prefill of one at several sizes, or 200 steps of training."""
    largest = {"decode": decode, "prefill": prefill, "training": training}[name]()
    bound = {"decode": 1e-5, "prefill": 1e-4, "training": 2e-3}[name]
    right = largest <= bound
    found = Done("models", Counter({"ok" if right else "FAIL": 1}))
    if not right:
        found.wrong.append(f"{name}: an error of {largest:.3g}, at most {bound}")
    return found


def decode() -> float:
    """The largest error of three steps, relative to the logits."""
    from bench.cuda_decode import check

    return check("cuda")


def prefill() -> float:
    """The largest error over some lengths, relative to the logits of the reference."""
    import numpy as np

    import rlx
    from rlx.module.modules import as_mir_graph
    from tests.small_llama import random_params, small_llama

    made = small_llama(layers=2)
    exes = {device: rlx.compile(made, device) for device in ("cuda", "reference")}
    for exe in exes.values():
        exe.session.set_params(random_params(as_mir_graph(made)))
    worst = 0.0
    for length in (1, 3, 17, 50, 64):
        ids = np.random.default_rng(length).integers(0, 64, (2, length)).astype(np.int32)
        found, wanted = (np.asarray(exe.run({"ids": ids})["logits"]).astype(np.float64) for exe in exes.values())
        worst = max(worst, float(np.abs(found - wanted).max() / np.abs(wanted).max()))
    return worst


def training() -> float:
    """The largest relative difference of a loss from the curve of the reference."""
    from tests.backends.cuda.training import losses, recorded

    curve = recorded()
    return max(abs(a - b) / abs(b) for a, b in zip(losses("cuda", len(curve)), curve, strict=True))


JOBS: dict[str, Callable[[Any], Done]] = {"op": op, "graphs": graphs, "model": model}


def start_process() -> None:
    """One thread each: kernels are compiled by the process that needs them."""
    import rlx.backends.cuda.triton_compile as compilers

    compilers._WORTH = 1 << 30


def perform(job: tuple[str, Any]) -> Done:
    """A job; what it raises is one thing that is wrong."""
    kind, what = job
    try:
        return JOBS[kind](what)
    except Exception as error:
        return Done({"op": "ops", "model": "models"}.get(kind, kind), Counter(FAIL=1), [f"{what}: {error!s:.300}"])


# -- the whole ------------------------------------------------------------------------------------------------------
def jobs(count: int, only: list[str] | None) -> list[tuple[str, Any]]:
    """Longest first: models, ops, then graphs."""
    from rlx.backends.conformance.cases import records

    if only:
        return [("op", name) for name in only]
    names = sorted({record.name for record in records()})
    return [
        *(("model", name) for name in ("training", "prefill", "decode")),
        *(("op", name) for name in names),
        *(("graphs", first) for first in range(0, count, CHUNK)),
    ]


def sanitized(seconds: float) -> dict[str, Any]:
    """compute-sanitizer over a few ops, where there is one."""
    if shutil.which("compute-sanitizer") is None:
        return {"run": "no: compute-sanitizer is not installed"}
    own = [sys.executable, "-m", "tests.backends.cuda.on_device", "--processes", "1", "--ops", *SANITIZED]
    command = ["compute-sanitizer", "--target-processes", "all", "--error-exitcode", "9", *own]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=max(seconds, 30))
    except subprocess.TimeoutExpired:
        return {"run": f"not done within {seconds:.0f} s"}
    errors = [line for line in answer.stdout.splitlines() if line.startswith("=========")]
    return {"run": "yes", "status": answer.returncode, "last": errors[-3:]}


def run_all(waiting: list[tuple[str, Any]], processes: int, deadline: float) -> dict[str, Any]:
    """Every job, until the time is up."""
    counts: dict[str, Counter[str]] = {}
    wrong: list[str] = []
    done = 0
    with multiprocessing.get_context("spawn").Pool(processes, start_process) as pool:
        found = pool.imap_unordered(perform, waiting)
        while done < len(waiting):
            try:
                one = found.next(timeout=max(deadline - time.monotonic(), 0.1))
            except multiprocessing.TimeoutError:
                break
            done += 1
            counts.setdefault(one.kind, Counter()).update(one.counts)
            wrong += one.wrong
            for line in one.wrong:
                print(line, flush=True)
        pool.terminate()
    summary: dict[str, Any] = {kind: dict(count) for kind, count in sorted(counts.items())}
    return {**summary, "wrong": wrong, "jobs not done": len(waiting) - done}


def main() -> int:
    """Run what the arguments say."""
    parser = argparse.ArgumentParser(prog="python -m tests.backends.cuda.on_device", description=__doc__)
    parser.add_argument("--graphs", type=int, default=2000)
    parser.add_argument("--processes", type=int, default=min(os.cpu_count() or 1, 16))
    parser.add_argument("--seconds", type=float, default=450)
    parser.add_argument("--ops", nargs="+", help="the rows of these ops alone")
    options = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    start = time.monotonic()
    room = 0.0 if options.ops else min(60.0, options.seconds / 6)
    summary = run_all(jobs(options.graphs, options.ops), options.processes, start + options.seconds - room)
    if not options.ops:
        summary["sanitizer"] = sanitized(start + options.seconds - time.monotonic())
    summary["seconds"] = round(time.monotonic() - start, 1)
    print(json.dumps(summary))
    return 1 if summary["wrong"] or summary.get("sanitizer", {}).get("status") == 9 else 0


if __name__ == "__main__":
    sys.exit(main())
