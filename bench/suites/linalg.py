"""Factorizations and systems of equations, 64 to 1024, f32 and f64: cholesky, solve with 1 and n right-hand sides, qr.

SciPy twice: its public function on row-major arrays, as people call it, and the LAPACK routine below it on column-major ones, without
checks. Its OpenBLAS has as many threads as everyone (`--threads`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench import arrays, ours, peers
from bench.harness import Contender, Settings, Workload

SIZES = (64, 128, 256, 512, 1024)
QUICK = (64, 256, 1024)
TOLERANCE = {"f32": 1e-3, "f64": 1e-11}
NUMPY = {"f32": np.float32, "f64": np.float64}


@dataclass(frozen=True)
class Problem:
    """One problem for each contender; `lapack` takes the routines of one dtype by name and column-major arrays."""

    name: str
    inputs: str
    flops: Callable[[int], float]
    ours: Callable[..., Any]
    scipy: Callable[..., Any]
    lapack: Callable[..., Any]
    jax: Callable[..., Any]


def _lapack_qr(routine: Callable[[str], Any], a: np.ndarray) -> Any:
    room = 64 * len(a)  # for its blocks, as scipy.linalg.qr asks for
    packed, tau, _, _ = routine("geqrf")(a, lwork=room)
    return routine("orgqr")(packed, tau, lwork=room)[0], packed


PROBLEMS = (
    Problem(
        "cholesky",
        "p",
        lambda n: n**3 / 3,
        lambda g, p: g.cholesky(p),
        lambda scipy, p: scipy.cholesky(p, lower=True, check_finite=False),
        lambda routine, p: routine("potrf")(p, lower=1)[0],
        lambda jax, p: jax.numpy.linalg.cholesky(p, symmetrize_input=False),
    ),
    *(
        Problem(
            f"solve, {sides}",
            f"a{name}",
            cost,
            lambda g, a, b: g.dense_solve(a, b),
            lambda scipy, a, b: scipy.solve(a, b, check_finite=False),
            lambda routine, a, b: routine("gesv")(a, b)[2],
            lambda jax, a, b: jax.numpy.linalg.solve(a, b),
        )
        for name, sides, cost in (
            ("v", "1 right-hand side", lambda n: 2 * n**3 / 3 + 2 * n**2),
            ("b", "n right-hand sides", lambda n: 2 * n**3 / 3 + 2 * n**3),
        )
    ),
    Problem(
        "qr",
        "a",
        lambda n: 8 * n**3 / 3,
        lambda g, a: g.qr(a),
        lambda scipy, a: scipy.qr(a, mode="economic", check_finite=False),
        _lapack_qr,
        lambda jax, a: jax.numpy.linalg.qr(a),
    ),
)


def workloads(settings: Settings) -> Iterator[Workload]:
    """One workload per problem, size and dtype."""
    for problem in PROBLEMS:
        for dtype in NUMPY:
            for n in QUICK if settings.quick else SIZES:
                yield _workload(problem, n, dtype)


def _given(n: int, dtype: str) -> dict[str, np.ndarray]:
    """A well-conditioned matrix whose pivots are not on its diagonal, a positive definite one, one and n right-hand sides."""
    random = np.random.default_rng(0)
    a = (random.standard_normal((n, n)) + 2 * n**0.5 * np.eye(n))[random.permutation(n)]
    drawn = {"a": a, "p": a @ a.T / n + np.eye(n), "v": random.standard_normal(n), "b": random.standard_normal((n, n))}
    return {name: arrays.aligned(array.astype(NUMPY[dtype])) for name, array in drawn.items()}


def _joined(found: Any) -> np.ndarray:
    """All results in one array; of qr, whose lower triangle LAPACK leaves in place, q and r."""
    if not isinstance(found, tuple | list):
        return np.asarray(found)
    q, r = found
    return np.stack([np.asarray(q), np.triu(np.asarray(r))])


def _workload(problem: Problem, n: int, dtype: str) -> Workload:
    given = {name: array for name, array in _given(n, dtype).items() if name in problem.inputs}

    def reference() -> np.ndarray:
        wide = [array.astype(np.float64) for array in given.values()]
        return _joined(problem.scipy(peers.need("scipy.linalg"), *wide))

    return Workload(
        f"{problem.name}, {n} x {n}, {dtype}",
        flops=problem.flops(n),
        bytes_from_memory=0.0,
        reference=reference,
        contenders=[
            ("rlx", lambda: ours.factorization(problem.ours, given, dtype)),
            ("scipy.linalg", lambda: _calling("scipy.linalg", lambda: _scipy(problem, given))),
            ("LAPACK", lambda: _calling("LAPACK", lambda: _lapack(problem, given, dtype))),
            ("XLA", lambda: _calling("XLA", lambda: _xla(problem, given, dtype))),
        ],
        tolerance=TOLERANCE[dtype],
    )


def _calling(name: str, prepare: Callable[[], Callable[[], Any]]) -> Contender:
    """A contender that makes its result anew at each call."""
    function, last = prepare(), [None]

    def call() -> None:
        last[0] = function()

    return Contender(name, call, lambda: _joined(last[0]))


def _scipy(problem: Problem, given: dict[str, np.ndarray]) -> Callable[[], Any]:
    scipy = peers.need("scipy.linalg")
    return lambda: problem.scipy(scipy, *given.values())


def _lapack(problem: Problem, given: dict[str, np.ndarray], dtype: str) -> Callable[[], Any]:
    scipy, letter = peers.need("scipy.linalg"), {"f32": "s", "f64": "d"}[dtype]
    routines = {name: getattr(scipy.lapack, letter + name) for name in ("potrf", "gesv", "geqrf", "orgqr")}
    turned = [np.asfortranarray(array) for array in given.values()]
    return lambda: problem.lapack(routines.__getitem__, *turned)


def _xla(problem: Problem, given: dict[str, np.ndarray], dtype: str) -> Callable[[], Any]:
    jax = peers.need("jax")
    with jax.enable_x64(dtype == "f64"):
        tensors = [jax.numpy.asarray(array) for array in given.values()]
        compiled = jax.jit(lambda *values: problem.jax(jax, *values)).lower(*tensors).compile()
    return lambda: jax.block_until_ready(compiled(*tensors))
