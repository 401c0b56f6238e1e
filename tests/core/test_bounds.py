"""What is proved of symbolic sizes holds for every binding (by trying them all), and what compilers need is proved."""

from __future__ import annotations

import itertools
import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlx.core.dim import (
    Dim,
    Relation,
    Size,
    bounds,
    ceildiv,
    evaluate,
    floordiv,
    interval,
    maximum,
    minimum,
    proves_at_most,
    round_up,
)

RANGES = {"a": (0, 6), "b": (1, 7), "c": (2, 5)}
SYMBOLS = [Dim(name, low, high) for name, (low, high) in RANGES.items()]
FREE = Dim("n")  # no upper bound
BINDINGS = [
    dict(zip(RANGES, numbers, strict=True)) for numbers in itertools.product(*(range(lo, hi + 1) for lo, hi in RANGES.values()))
]


@st.composite
def sizes(draw: st.DrawFn, depth: int = 3) -> Size:
    """Any size: sums, products, quotients by numbers and by symbols, smaller and larger of two."""
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        return draw(st.one_of(st.sampled_from(SYMBOLS), st.integers(-9, 9)))
    left, right = draw(sizes(depth=depth - 1)), draw(sizes(depth=depth - 1))
    match draw(st.sampled_from("+-*//mMr")):
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "m":
            return minimum(left, right)
        case "M":
            return maximum(left, right)
        case "r":
            return round_up(left, draw(st.integers(1, 5)))
        case _:
            return floordiv(left, draw(st.one_of(st.integers(1, 5), st.sampled_from(SYMBOLS[1:]))))


def values(size: Size) -> list[int]:
    return [evaluate(size, binding) for binding in BINDINGS]


@given(sizes())
def test_bounds_hold_at_every_binding(size: Size) -> None:
    low, high = interval(size)
    found = values(size)
    assert low <= min(found) and max(found) <= high, str(size)


@given(sizes(depth=2), sizes(depth=2))
def test_what_is_proved_holds_at_every_binding(left: Size, right: Size) -> None:
    proof = proves_at_most(left, right)
    if proof is not None:
        assert all((a <= b) is proof for a, b in zip(values(left), values(right), strict=True)), f"{left} <= {right}: {proof}"


@given(
    sizes(depth=2), sizes(depth=2), st.lists(st.tuples(st.sampled_from(["<=", "=="]), sizes(depth=1), sizes(depth=1)), max_size=3)
)
def test_what_is_proved_under_assumptions_holds_where_they_do(left: Size, right: Size, facts: list[tuple[str, Size, Size]]) -> None:
    assumed = [Relation(*fact) for fact in facts]
    proof = proves_at_most(left, right, assumed)
    for binding in BINDINGS if proof is not None else ():
        if all(fact.holds(binding) for fact in assumed):
            assert (evaluate(left, binding) <= evaluate(right, binding)) is proof, f"{left} <= {right} at {binding}: {proof}"


@given(st.integers(-3, 3), st.integers(-3, 3), st.integers(-3, 3), st.integers(-9, 9))
def test_bounds_of_a_product_of_sums_are_exact(p: int, q: int, r: int, s: int) -> None:
    """Linear in each symbol: the ends are reached at corners, so nothing is lost."""
    a, b, c = SYMBOLS
    size = p * a * b + q * b * c + r * c + s
    assert bounds(size) == (min(values(size)), max(values(size)))


@pytest.mark.parametrize("n", [FREE, Dim("k", 1, 4096), Dim("z", 0)], ids=str)
@pytest.mark.parametrize("step", [2, 3, 16])
def test_quotients(n: Dim, step: int) -> None:
    part = n // step
    assert proves_at_most(part, n) is True
    assert proves_at_most(step * part, n) is True
    assert proves_at_most(n - step * part, step - 1) is True
    assert proves_at_most(0, n % step) is True
    assert proves_at_most(n, round_up(n, step)) is True
    assert proves_at_most(round_up(n, step), n + step - 1) is True
    assert proves_at_most(round_up(n, step), n + step - 2) is None
    assert proves_at_most(part, n // 2) is True
    assert proves_at_most(n, step * part) is None  # at multiples only
    assert proves_at_most(ceildiv(n, step) * step * 5, 5 * n + 5 * step) is True


def test_several_at_once() -> None:
    m, n = Dim("m"), Dim("n")
    assert proves_at_most(m * (n // 2) * 2, m * n) is True
    assert proves_at_most(2 * (n // 2) + 3 * (m // 3), n + m) is True
    assert proves_at_most(4 * ((n // 2) // 2), n) is True
    assert proves_at_most(n * m, round_up(n, 16) * round_up(m, 8)) is True
    assert proves_at_most(n % m, m - 1) is True
    assert proves_at_most(m * (n // m), n) is True
    assert proves_at_most(n, n * m) is True  # m is at least 1
    assert proves_at_most(n, n * n) is True
    assert proves_at_most(n * n, n) is None
    assert proves_at_most(n + m + 1, n) is False


def test_smaller_and_larger() -> None:
    m, n = Dim("m"), Dim("n")
    assert proves_at_most(minimum(m, n), m) is True
    assert proves_at_most(m, maximum(m, n)) is True
    assert proves_at_most(minimum(m, n) + maximum(m, n), m + n) is True
    assert proves_at_most(minimum(m, 16) * 2, m + m) is True
    assert proves_at_most(n - minimum(m, n), n) is True
    assert proves_at_most(0, n - minimum(m, n)) is True
    assert minimum(n // 2, n) is not n and bool(minimum(n // 2, n) == n // 2)  # decided, not left as a min


def test_facts_add_up() -> None:
    a, b, c = Dim("a"), Dim("b"), Dim("c")
    facts = [Relation("<=", a, b), Relation("<=", b, c)]
    assert proves_at_most(a, c) is None
    assert proves_at_most(a, c, facts) is True
    assert proves_at_most(c + 1, a, facts) is False


def test_unbounded_ends_stay_infinite() -> None:
    n = Dim("n", 3)
    assert interval(n) == (3, math.inf)
    assert interval(5 - n) == (-math.inf, 2)
    assert bounds(n - Dim("m")) == (-(2**62), None)


def test_proofs_are_fast() -> None:
    """Even of a sum of many quotients, where the choices are given up; the second time they are remembered."""
    names = [Dim(f"d{i}") for i in range(8)]
    total: Size = 0
    for i, name in enumerate(names):
        total = total + round_up(name, 2 + i) * names[i - 1] - name // 3 + minimum(name, names[i - 1])
    start = time.process_time()
    proves_at_most(0, total)
    proves_at_most(total, 0)
    assert time.process_time() - start < 2.0
    start = time.process_time()
    for _ in range(100):
        proves_at_most(0, total)
    assert time.process_time() - start < 0.1
