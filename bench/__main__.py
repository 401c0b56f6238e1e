"""The command line: `python -m bench gemm llama --quick`."""

from __future__ import annotations

import argparse
import json
import sys
import warnings

from bench.environment import allow_threads, processor_name
from bench.suites import SUITES, workloads


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the command line; this imports nothing that starts a thread."""
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description="Times RLX against each peer and the machine's limit, interleaved in one run. Only ratios count.",
        epilog="suites: " + "; ".join(f"{name}: {what}" for name, what in SUITES.items()),
    )
    parser.add_argument("suites", nargs="+", choices=SUITES, metavar="SUITE", help=", ".join(SUITES))
    parser.add_argument("--quick", action="store_true", help="fewer workloads and shorter turns")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of tables")
    parser.add_argument("--record", action="store_true", help="keep the ratios in bench/history/, which bench.check compares with")
    parser.add_argument("--threads", type=int, default=2, help="threads for everyone (default 2)")
    parser.add_argument("--seconds", type=float, help="of calls per contender and workload (default 1; quick 0.3)")
    parser.add_argument("--patience", type=float, help="seconds to wait per workload for other processes (20; quick 5)")
    parser.add_argument("--only", default="", help="contenders to run, by the start of their names: rlx,torch,XLA")
    parser.add_argument("--torch-compile", action="store_true", help="also torch.compile, which compiles for long")
    parser.add_argument("--llama-bench", default="", help="llama-bench of a native build of llama.cpp, for the suite gguf")
    parser.add_argument("--tracebacks", action="store_true", help="print the traceback of a contender that failed")
    return parser.parse_args(arguments)


def main() -> int:
    """Run the given suites; the exit status is 1 if one of our results is wrong."""
    options = parse()
    cleared = allow_threads(options.threads)
    warnings.filterwarnings("ignore", category=UserWarning)
    from bench import peers, table
    from bench.harness import Settings, run_all
    from bench.history import record
    from bench.limits import LimitMeter

    settings = Settings(
        threads=options.threads,
        seconds=options.seconds or (0.3 if options.quick else 1.0),
        patience=options.patience if options.patience is not None else (5.0 if options.quick else 20.0),
        quick=options.quick,
        torch_compile=options.torch_compile,
        only=tuple(name for name in options.only.split(",") if name),
        tracebacks=options.tracebacks,
        llama_bench=options.llama_bench,
    )
    meter = LimitMeter(settings.threads)
    for _ in range(5):
        meter.sample()
    if not options.json:
        listed = ", ".join(f"{name} {release}" for name, release in peers.versions().items())
        print(f"{processor_name()}, {settings.threads} threads; {listed}\n")

    outcomes, said = {}, set()
    for suite in dict.fromkeys(options.suites):
        outcomes[suite] = []
        for outcome in run_all(workloads(suite, settings), meter, settings):
            outcomes[suite].append(outcome)
            if not options.json:
                print(table.text(outcome, meter.limits, said), flush=True)
        if not options.json:
            print(f"{suite}: {table.summary(outcomes[suite]) or 'rlx took no part'}\n")

    limits = meter.limits
    document = {
        "processor": processor_name(),
        "threads": settings.threads,
        "cleared": cleared,
        "versions": peers.versions(),
        "limits": {
            "gflops": limits.gflops,
            "integer_gops": limits.integer_gops,
            "gigabytes_per_second": limits.gigabytes,
            "gflops_spread": 0.0 if limits.measured is None else limits.measured.gflops_spread,
            "gigabytes_per_second_spread": 0.0 if limits.measured is None else limits.measured.gigabytes_spread,
        },
        "suites": {suite: [table.plain(o, limits) for o in each] for suite, each in outcomes.items()},
    }
    if options.json:
        print(json.dumps(document, indent=1))
    else:
        print(f"limits of this run: {limits.measured}, {limits.integer_gops:.0f} GOP/s int8")
        if limits.measured is not None and limits.measured.warning is not None:
            print(f"careful: {limits.measured.warning}")
    if options.record:
        print(f"recorded in {record(document)}", file=sys.stderr)
    every = [(o, t) for each in outcomes.values() for o in each for t in o.timings]
    return int(any(t.ours and t.error > o.workload.tolerance for o, t in every))


if __name__ == "__main__":
    sys.exit(main())
