"""`python -m tests.fuzz SEED…`: the random graphs of these seeds, printed and run."""

from __future__ import annotations

import sys

from tests.fuzz.test_graphs import made, run_one

for seed in map(int, sys.argv[1:]):
    print(made(seed).graph)
    print(f"seed {seed}: {dict(run_one(seed))}")
