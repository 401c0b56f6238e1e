"""`python -m tests.fuzz.jax_programs [--seed N] [--count 1000]`: random programs in JAX and here, compared; exits 1 where results differ.

Without `--seed` the seed is one that nobody chose, and it is printed. A program that JAX rejects does not count. One that JAX runs and RLX
rejects is "refused"; at most 2 % may be. Results have JAX's structure, shapes, dtypes and numbers.

A number that differs is judged by what JAX itself gives when the inputs move by some units in the last place, without compilation, and in
f32 where they have 16 bits; and when the results of functions whose error is absolute (`jax_functions.ABSOLUTE`: JAX's sinc(1) is -2.8e-8)
move by a unit in the last place of 1, or are 0 where they are within eight. Where JAX's own results scatter, eight times that is allowed.
Where they jump (a tie, a rounded number), the element is unstable, and not counted as equal.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import time
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

import rlx
import rlx.numpy
from rlx import lax, nn
from tests.fuzz.jax_functions import lines
from tests.fuzz.jax_program_text import JAX_NAMES, TRANSFORMS, Program, Writer

OUR_NAMES = {"jax": rlx, "jnp": rlx.numpy, "lax": lax, "nn": nn}
F32 = 2e-7  # a little above the unit in the last place of f32
SUBNORMAL = float(np.finfo(np.float32).tiny)  # JAX's CPU code takes smaller f32 for 0: docs/coming-from-jax.md
JUMP = 1e-2  # JAX's own results differ by more than this part of the largest number: the element is unstable


@dataclass
class Verdict:
    """What became of a program: equal, wrong, refused, unstable, or skipped (JAX rejects it)."""

    kind: str
    why: str = ""


def run(program: Program, names: dict[str, Any], arguments: dict[str, Any], absolute: str = "") -> list[Any]:
    """The program's results as NumPy arrays, in order."""
    space = dict(names) | arguments
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        exec(compile(program.text(absolute), f"<program {program.seed}>", "exec"), space)
    return [np.asarray(leaf) for leaf in leaves(space["result"])]


def leaves(tree: Any) -> list[Any]:
    """The leaves of nested tuples and lists."""
    if isinstance(tree, (tuple, list)):
        return [leaf for part in tree for leaf in leaves(part)]
    return [tree]


def in_jax(program: Program, arguments: dict[str, Any]) -> list[Any]:
    return run(program, JAX_NAMES, {name: jnp.asarray(value) for name, value in arguments.items()})


def here(program: Program) -> list[Any]:
    return run(program, OUR_NAMES, {name: rlx.numpy.asarray(value) for name, value in program.arguments.items()})


def wide(array: Any) -> Any:
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def epsilon(dtype: Any) -> float:
    return float(ml_dtypes.finfo(dtype).eps) if dtype.kind not in "c" else float(np.finfo(dtype).eps)


def is_inexact(dtype: Any) -> bool:
    return bool(jnp.issubdtype(dtype, jnp.inexact))


def close(expected: Any, actual: Any, coarsest: float, scatter: Any = 0.0) -> Any:
    """Element by element: the same number within rounding and JAX's own scatter."""
    with np.errstate(all="ignore"):
        left, right = wide(expected), wide(actual)
        same = (left == right) | (np.isnan(left) & np.isnan(right))
        if not is_inexact(expected.dtype):
            return same
        finite = np.abs(left[np.isfinite(left)])
        size = np.abs(left) + (float(finite.max()) if finite.size else 0.0)
        units = 64 if coarsest < 1e-6 else 12 if coarsest < 1e-3 else 6
        allowed = units * max(coarsest, epsilon(expected.dtype)) * size + 8 * scatter + SUBNORMAL
        return same | (np.abs(left - right) <= allowed)


def moved(program: Program, random: np.random.Generator, units: int) -> dict[str, Any]:
    """The arguments with each inexact number moved by some units in its last place."""

    def one(value: Any) -> Any:
        if not is_inexact(np.asarray(value).dtype):
            return value
        signs = random.choice([-1.0, 1.0], np.shape(value))
        return (wide(value) * (1 + signs * units * epsilon(value.dtype))).astype(value.dtype)

    return {name: one(value) for name, value in program.arguments.items()}


def nudged(units: float) -> Any:
    """A function that moves numbers by some units in the last place of 1, or to 0, if units is 0, those within eight; gradients stay."""

    def move(value: Any) -> Any:
        unit = jnp.finfo(value.dtype).eps
        delta = units * unit if units else jnp.where(jnp.abs(value) <= 8 * unit, -value, 0)
        return value + jax.lax.stop_gradient(delta).astype(value.dtype)

    return move


def in_f32(program: Program) -> dict[str, Any]:
    """The arguments with 16-bit floats as f32."""
    arrays = {name: np.asarray(value) for name, value in program.arguments.items()}
    return {
        name: value.astype(np.float32) if is_inexact(value.dtype) and epsilon(value.dtype) > F32 else value
        for name, value in arrays.items()
    }


def scatter_of(program: Program, expected: list[Any]) -> tuple[list[Any], list[Any]]:
    """By how much JAX's results move with the last bits of the inputs or with compilation, and which elements jump."""
    random = np.random.default_rng(program.seed)
    size = float(program.has_absolute_errors)  # of what rounding errors are a part of, beside the results
    spreads = [np.zeros(array.shape) for array in expected]
    jumps = [np.zeros(array.shape, bool) for array in expected]
    runs = [in_jax(program, moved(program, random, units)) for units in (1, 1, 1, 1, 2, 2, 3, 3)]
    if program.has_absolute_errors:
        inputs = {name: jnp.asarray(value) for name, value in program.arguments.items()}
        runs += [run(program, JAX_NAMES | {"nudged": nudged(units)}, inputs, "nudged") for units in (0, 1, -1)]
    with jax.disable_jit(), contextlib.suppress(Exception):  # JAX rejects some programs only without compilation
        runs.append(in_jax(program, program.arguments))
    if program.coarsest > F32:  # what JAX's own rounding of each op in 16 bits does
        with contextlib.suppress(Exception):
            runs.append(in_jax(program, in_f32(program)))
    runs = [[each for each in again if each.dtype != jax.dtypes.float0] for again in runs]
    for again in runs:
        for index, (one, other) in enumerate(zip(expected, again, strict=True)):
            with np.errstate(all="ignore"):
                left, right = wide(one), wide(other)
                away = np.abs(left - right)
                known = np.isfinite(left) & np.isfinite(right)
                largest = float(np.abs(left[known]).max()) if known.any() else 0.0
                both = known | (left == right) | (np.isnan(left) & np.isnan(right))
                if is_inexact(one.dtype):
                    unit = 64 * epsilon(one.dtype)
                    jumps[index] |= ~both | (known & (away > max(max(JUMP, unit) * largest, unit * size)))
                else:
                    jumps[index] |= left != right
                spreads[index] = np.maximum(spreads[index], np.where(known, away, 0.0))
    return spreads, jumps


def judge(program: Program) -> Verdict:
    """Runs a program in both libraries and compares."""
    try:
        expected = in_jax(program, program.arguments)
    except Exception as error:
        return Verdict("skipped", type(error).__name__)
    try:
        actual = here(program)
    except Exception as error:
        return Verdict("refused", f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:160])
    return compare(program, expected, actual)


def compare(program: Program, expected: list[Any], actual: list[Any]) -> Verdict:
    """Structure, shapes and dtypes first; then the numbers."""
    if len(expected) != len(actual):
        return Verdict("wrong", f"{len(expected)} results in JAX, {len(actual)} here")
    kept = [index for index, one in enumerate(expected) if one.dtype != jax.dtypes.float0]  # tangents of integers
    expected, actual = [expected[index] for index in kept], [actual[index] for index in kept]
    for index, (one, other) in enumerate(zip(expected, actual, strict=True)):
        if (one.shape, one.dtype) != (other.shape, other.dtype):
            return Verdict("wrong", f"result {index}: {one.dtype}{list(one.shape)} in JAX, {other.dtype}{list(other.shape)} here")
    if all(close(one, other, program.coarsest).all() for one, other in zip(expected, actual, strict=True)):
        return Verdict("equal")
    spreads, jumps = scatter_of(program, expected)
    for index, (one, other, spread, jump) in enumerate(zip(expected, actual, spreads, jumps, strict=True)):
        wrong = ~close(one, other, program.coarsest, spread) & ~jump
        if wrong.any():
            place = tuple(int(i) for i in np.argwhere(wrong)[0])
            return Verdict("wrong", f"result {index}{list(place)}: {one[place]} in JAX, {other[place]} here")
    return Verdict("unstable")


def program_of(seed: int) -> Program:
    return Writer(seed).write()


@dataclass
class Summary:
    """Counts of a run, what was covered, and the programs that failed."""

    counts: Counter[str]
    covered: set[str]
    failures: list[tuple[Program, Verdict]]

    @property
    def judged(self) -> int:
        return sum(self.counts[kind] for kind in ("equal", "unstable", "wrong", "refused"))

    @property
    def passed(self) -> bool:
        return self.counts["wrong"] == 0 and self.counts["refused"] <= 0.02 * self.judged and self.judged > 0


def fuzz(seed: int, count: int, seconds: float = float("inf"), show: bool = False) -> Summary:
    """Programs of consecutive seeds until `count` of them were judged."""
    summary, start, number = Summary(Counter(), set(), []), time.monotonic(), 0
    while summary.judged < count and time.monotonic() - start < seconds:
        program = program_of(seed * 1_000_003 + number)
        verdict = judge(program)
        number += 1
        summary.counts[verdict.kind] += 1
        if verdict.kind in ("equal", "unstable"):
            summary.covered |= program.functions() | {program.transform}
        if verdict.kind in ("wrong", "refused"):
            summary.failures.append((program, verdict))
            if show:
                print(f"-- {verdict.kind} {program.seed} [{program.transform}]: {verdict.why}")
                print("\n".join(program.body), flush=True)
        if number % 50 == 0:
            jax.clear_caches()
    return summary


def report(summary: Summary) -> None:
    """Counts, coverage, and the failures grouped by their cause."""
    table = {name for line in lines() for name in Program(0, {}, [line]).functions()}
    print(f"{summary.judged} programs: {dict(summary.counts)}")
    functions, transforms = len(summary.covered & table), len(summary.covered & set(TRANSFORMS))
    print(f"coverage: {functions} of {len(table)} functions, {transforms} of {len(TRANSFORMS)} transforms")
    print("not covered:", " ".join(sorted(table - summary.covered)) or "nothing")
    for (kind, why), number in Counter((verdict.kind, verdict.why) for _, verdict in summary.failures).most_common():
        seeds = [program.seed for program, verdict in summary.failures if (verdict.kind, verdict.why) == (kind, why)]
        print(f"{number} {kind}: {why} (seeds {' '.join(map(str, seeds[:3]))})")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "little"))
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--show", action="store_true", help="print each failing program")
    parser.add_argument("--program", type=int, help="print and run the program of one seed")
    options = parser.parse_args()
    if options.program is not None:
        program = program_of(options.program)
        print({name: (value.dtype, value) for name, value in program.arguments.items()}, program.text())
        verdict = judge(program)
        print(verdict)
        if verdict.kind == "refused":
            try:
                here(program)
            except Exception:
                traceback.print_exc()
        return int(verdict.kind in ("wrong", "refused"))
    print(f"seed {options.seed}, jax {jax.__version__}")
    summary = fuzz(options.seed, options.count, options.seconds, options.show)
    report(summary)
    return 0 if summary.passed else 1


if __name__ == "__main__":
    sys.exit(main())
