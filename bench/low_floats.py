"""f16 and bf16 under jit: how many bits equal those of the ops one by one, ours and JAX's, and what rounding each op costs.

`python -m bench.low_floats` prints a row for each chain. The default keeps f32 inside a fused kernel; `excess_precision=False` rounds.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from bench.environment import allow_threads

Chain = Callable[[Any, Any, Any], Any]
CHAINS: dict[str, Chain] = {
    "x·y + x": lambda np_, x, y: x * y + x,
    "polynomial": lambda np_, x, y: ((x * 0.3 + 1.7) * x - y) * x + 0.1,
    "tanh gate": lambda np_, x, y: np_.tanh(x) * y + x * 0.5,
    "exp ratio": lambda np_, x, y: np_.exp(x) / (1.0 + np_.exp(y)),
    "gelu by hand": lambda np_, x, y: 0.5 * x * (1.0 + np_.tanh(0.7978845608 * (x + 0.044715 * x * x * x))) - y,
}
"""Functions of a library such as `rlx.numpy` and two arrays."""
LOW = {"bf16": ml_dtypes.bfloat16, "f16": np.float16}
_COUNT = 1 << 20
_CALLS = 25


def operands(dtype: str, count: int = _COUNT) -> tuple[Any, Any]:
    """Two arrays of normally distributed numbers."""
    drawn = np.random.default_rng(0).standard_normal((2, count), np.float32).astype(LOW[dtype])
    return drawn[0], drawn[1]


def bits(array: Any) -> np.ndarray[Any, Any]:
    """The numbers as they are stored."""
    return np.asarray(array).view(np.uint16)


def equal(one: Any, other: Any) -> float:
    """The percentage of elements with the same bits."""
    return 100 * float((bits(one) == bits(other)).mean())


def row(name: str, dtype: str) -> str:
    """One chain: bits equal to eager, and the time of the best call."""
    import jax
    import jax.numpy as jnp

    import rlx
    import rlx.numpy as rnp

    chain, (x, y) = CHAINS[name], operands(dtype)
    ours, theirs = (rnp.asarray(x), rnp.asarray(y)), (jnp.asarray(x), jnp.asarray(y))
    eager = chain(rnp, *ours)
    fused = rlx.jit(lambda x, y: chain(rnp, x, y))
    rounded = rlx.jit(lambda x, y: chain(rnp, x, y), excess_precision=False)
    in_jax = equal(jax.jit(lambda x, y: chain(jnp, x, y))(*theirs), chain(jnp, *theirs))
    seconds = [best(call) for call in (lambda: fused(*ours), lambda: rounded(*ours), lambda: chain(rnp, *ours))]
    shares = f"{equal(fused(*ours), eager):.1f} | {equal(rounded(*ours), eager):.1f} | {in_jax:.1f}"
    return f"| {name}, {dtype} | {shares} | {seconds[1] / seconds[0]:.1f} | {seconds[2] / seconds[0]:.1f} |"


def best(call: Callable[[], Any]) -> float:
    """Seconds of the fastest call."""
    found = []
    for _ in range(_CALLS):
        start = time.perf_counter()
        call()
        found.append(time.perf_counter() - start)
    return min(found)


def main() -> None:
    """The table."""
    allow_threads(1)
    os.environ["JAX_PLATFORMS"] = "cpu"
    print("| chain | jit = eager, % of bits | with excess_precision=False | JAX's jit = eager | time, × jit | eager, × jit |")
    print("|---|---|---|---|---|---|")
    for dtype in LOW:
        for name in CHAINS:
            print(row(name, dtype), flush=True)


if __name__ == "__main__":
    main()
