"""On a machine with a GPU: `python -m tests.backends.cuda.on_device [graphs]`. Random graphs and a small Llama against the reference.

It needs NumPy, ml_dtypes and what the device itself needs; neither pytest nor llvmlite. Prints a line for each failure and a summary;
the exit status is 1 if anything is wrong.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from bench.cuda_decode import check
from tests.fuzz.emitters import EMITTERS
from tests.fuzz.generator import generate
from tests.fuzz.running import Trial

NAMES = sorted(EMITTERS)


def main(count: int = 200) -> int:
    """The first `count` graphs of the fuzz tests, and three decode steps."""
    failed, found, start = 0, Counter[str](), time.perf_counter()
    error = check("cuda")
    print(f"decode of a small Llama: largest error {error:.2g} of the logits", flush=True)
    failed += not error < 1e-5
    for seed in range(count):
        try:
            trial = Trial(generate(seed, [NAMES[(2 * seed + i) % len(NAMES)] for i in range(2)]))
            trial.check_whole("cuda")
            found += trial.skipped
        except Exception as error:  # whatever a driver raises: the next graph may still run
            failed += 1
            print(f"seed {seed}: {type(error).__name__}: {error!s:.300}", flush=True)
    print(f"{count} graphs: {dict(found)}, {failed} wrong, {time.perf_counter() - start:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
