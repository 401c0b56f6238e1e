"""`python -m bench.where encoder llama`: where the time of each of our workloads goes, kernel by kernel, beside the machine's limits.

For each workload the best call, what of it was outside of kernels, and the kernels that take most of it: the median of each, and as a share
of it the time its arithmetic and bytes would need at the limits measured in between. Caches are faster than memory, and integers are
multiplied faster than floats: a share above 100 % is no mistake.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from bench.environment import allow_threads
from bench.harness import OURS, Quiet, Settings, Workload
from bench.suites import workloads

SHOWN = 8  # kernels of a workload
SECONDS = 2.0  # of calls
ROUNDS = (5, 200)  # of a profile: as many as take so long, within these

Run = tuple[Any, dict[str, Any]]  # an executable and its inputs


@contextmanager
def watched() -> Iterator[list[Run]]:
    """The executables that run meanwhile, with copies of their inputs."""
    from rlx.runtime.executable import Executable

    plain, seen = Executable.run, []

    def run(self: Any, inputs: Any = None, *arguments: Any, **options: Any) -> Any:
        seen.append((self, {name: value.copy() for name, value in (inputs or {}).items()}))
        return plain(self, inputs, *arguments, **options)

    Executable.run = run  # type: ignore[method-assign]
    try:
        yield seen
    finally:
        Executable.run = plain  # type: ignore[method-assign]


def describe(workload: Workload, limits: Any) -> list[str]:
    """The lines about one workload."""
    build = next(build for name, build in workload.contenders if name.startswith(OURS))
    contender, quiet, calls = build(), Quiet(SECONDS), []
    with watched() as runs:
        contender.call()
    while len(calls) < 3 or sum(calls) < SECONDS:
        quiet.wait()
        for _ in range(3):
            start = time.perf_counter()
            contender.call()
            calls.append(time.perf_counter() - start)
        limits.sample()
    found = limits.limits
    least = found.seconds(workload.flops, workload.bytes_from_memory)
    if not runs:
        return [f"{workload.name}: {min(calls) * 1e3:.2f} ms, nothing ran by way of an executable"]
    executable, inputs = runs[-1]
    rounds = int(min(max(SECONDS / min(calls), ROUNDS[0]), ROUNDS[1]))
    profile = replace(executable.profile(inputs, runs=rounds, limits=False), limits=found.measured)
    outside = max(0.0, min(calls) - profile.seconds)
    lines = [f"{workload.name}: {min(calls) * 1e3:.2f} ms, limit {least * 1e3:.2f}; outside of kernels {outside * 1e3:.2f}"]
    for kernel, (count, seconds) in list(profile.by_kernel().items())[:SHOWN]:
        part, share = 100 * seconds / profile.seconds, profile.share_of_limit(kernel)
        lines.append(f"  {seconds * 1e3:9.3f} ms {part:5.1f} %  {count:4} x {kernel:28} {100 * share:4.0f} % of the limit")
    return lines


def main() -> int:
    """Go through the workloads of the suites asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.where", description="Where the time of our workloads goes, kernel by kernel."
    )
    parser.add_argument(
        "suites", nargs="+", choices=("gemm", "region", "encoder", "llama", "train", "scan", "gguf"), metavar="SUITE"
    )
    parser.add_argument("--quick", action="store_true", help="fewer workloads")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    allow_threads(options.threads)
    from bench.limits import LimitMeter

    limits = LimitMeter(options.threads)
    for suite in options.suites:
        for workload in workloads(suite, Settings(threads=options.threads, quick=options.quick)):
            print("\n".join(describe(workload, limits)) + "\n", flush=True)
    print(f"limits: {limits.limits.measured}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
