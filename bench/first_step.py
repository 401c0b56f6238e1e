"""A child process of the suite `functions`: `python -m bench.first_step rlx|jax PORT RESULT` prints seconds and writes the step's numbers.

Timed is the first call of a program's step: tracing, compiling and the run. Before it, both compile `x + x`.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from bench.models.ports import BY_NAME, Noise, leaves, load


def main() -> None:
    """Run the first step of a program."""
    _, library, name, path = sys.argv
    module = load(name, library)
    jax = module.jax  # either library, by the name the program uses
    np.asarray(jax.jit(lambda x: x + x)(np.zeros(8, np.float32)))
    port = BY_NAME[name]
    arguments = jax.tree.map(module.jnp.asarray, port.arguments(Noise()))
    start = time.perf_counter()
    found = getattr(module, port.step)(*arguments)
    numbers = leaves(module, found)
    seconds = time.perf_counter() - start
    np.save(path, numbers)
    print(seconds)


if __name__ == "__main__":
    main()
