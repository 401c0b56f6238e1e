"""How much memory a contender takes, each in a process of its own: `python -m bench.footprint train torch`.

The number is the largest resident size up to the end of some calls, compiling included, minus the resident size once its library is
imported. The weights it was given are dropped when it has taken them over.
"""

from __future__ import annotations

import argparse
import importlib
import json
import subprocess
import sys
from pathlib import Path

from bench.environment import allow_threads
from bench.harness import Settings, Unavailable

CALLS = 3
IMPORTS = {
    "rlx": (
        "rlx.runtime.compile",
        "rlx.train",
        "rlx.backends.cpu.backend",
        "rlx.backends.cpu.compile.lowering",
        "llvmlite.binding",
    ),
    "torch": ("torch", "bench.models.llama_torch"),
    "torch.compile": ("torch", "torch._dynamo", "torch._inductor.compile_fx", "bench.models.llama_torch"),
    "XLA": ("jax", "jax.numpy", "bench.models.llama_jax"),
}


def footprint(suite: str, contender: str, settings: Settings) -> int:
    """Bytes that one contender of the suite's first workload takes, found out in a fresh process."""
    command = [sys.executable, "-m", "bench.footprint", suite, contender, "--threads", str(settings.threads)]
    done = subprocess.run([*command, *(["--quick"] if settings.quick else [])], capture_output=True, text=True)
    if done.returncode:
        raise Unavailable((done.stderr.strip().splitlines() or ["no message"])[-1][:160])
    return int(json.loads(done.stdout.splitlines()[-1])["bytes"])


def main() -> None:
    """Measure one contender in this process and print it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("suite")
    parser.add_argument("contender", choices=IMPORTS)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    allow_threads(options.threads)
    suite = importlib.import_module(f"bench.suites.{options.suite}")
    for module in IMPORTS[options.contender]:
        importlib.import_module(module)
    before = resident("VmRSS")
    contender = suite.build(options.contender, Settings(threads=options.threads, quick=options.quick, torch_compile=True))
    for _ in range(CALLS):
        contender.call()
    print(json.dumps({"contender": options.contender, "bytes": resident("VmHWM") - before}))


def resident(field: str) -> int:
    """Bytes: `VmRSS` now, `VmHWM` at most so far."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        raise Unavailable("the system does not tell the resident size") from None
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{field}:")) * 1024


if __name__ == "__main__":
    main()
