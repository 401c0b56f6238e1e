"""`python -m bench.overhead`: instructions of one call of a tiny executable, counted by valgrind: the same on a busy machine.

What is counted is everything around the kernels: checking inputs, binding sizes, entering native code, handing out results. A run of few
calls is taken from a run of many, so starting Python and compiling do not count, nor does the garbage collector, which comes or not.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

RECORD = Path(__file__).resolve().parent / "history" / "overhead.json"
ALLOWED = 0.10
FEW, MANY = 200, 1200

CHILD = """
import gc, sys, numpy as np, rlx
g = rlx.Graph("tiny")
x = g.input("x", (4,), "f32")
g.set_outputs({{"y": x + x}})
exe = rlx.compile(g)
x = np.ones(4, np.float32)
{setup}
gc.disable()
for _ in range(int(sys.argv[1])):
    {call}
"""
PATHS = {
    "call, result handed out": ("", "exe(x=x)"),
    "call, result written into an array": ("out = {'y': np.empty(4, np.float32)}; given = {'x': x}", "exe.run(given, out=out)"),
}


def instructions(setup: str, call: str, count: int) -> int:
    """Of a whole process that calls so many times."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.executable, "-c", CHILD.format(setup=setup, call=call)]
    environment = {**os.environ, "PYTHONHASHSEED": "0", "RLX_THREADS": "1"}
    done = subprocess.run([*command, str(count)], capture_output=True, text=True, env=environment, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or found is None:
        raise SystemExit(f"valgrind failed:\n{done.stderr[-2000:]}")
    return int(found[1])


def per_call(setup: str, call: str) -> float:
    """Instructions of one call. A first process fills the disk cache: compiling would count in one of the other two alone."""
    instructions(setup, call, 1)
    return (instructions(setup, call, MANY) - instructions(setup, call, FEW)) / (MANY - FEW)


def main() -> int:
    """Count and compare with the record; `--record` writes it."""
    if shutil.which("valgrind") is None:
        print("overhead: not counted, valgrind is not installed")
        return 0
    counted = {name: round(per_call(*path)) for name, path in PATHS.items()}
    if "--record" in sys.argv[1:]:
        RECORD.parent.mkdir(exist_ok=True)
        RECORD.write_text(json.dumps(counted, indent=1) + "\n")
    before = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    for name, count in counted.items():
        print(f"overhead: {name}: {count} instructions" + (f", recorded {before[name]}" if name in before else ""))
    return int(any(count > before.get(name, count) * (1 + ALLOWED) for name, count in counted.items()))


if __name__ == "__main__":
    sys.exit(main())
