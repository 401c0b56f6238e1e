"""Symbolic sizes: canonical form, arithmetic against plain integers, bounds, exact division."""

from __future__ import annotations

import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlx.core.dim import Dim, Relation, bounds, ceildiv, evaluate, exact_division, maximum, minimum, round_up, same
from rlx.core.errors import RlxError

A, B, C = Dim("a", 1, 50), Dim("b", 1, 50), Dim("c", 1, 50)
VALUES = st.fixed_dictionaries({"a": st.integers(1, 50), "b": st.integers(1, 50), "c": st.integers(1, 50)})
LEAVES = st.one_of(st.sampled_from([A, B, C]), st.integers(-9, 9))
BINARY = {"+": operator.add, "-": operator.sub, "*": operator.mul}


@st.composite
def expressions(draw, depth=3):
    """A size expression and the same computation on ints, as a function of the symbols' values."""
    if depth == 0 or draw(st.booleans()):
        leaf = draw(LEAVES)
        return leaf, (lambda v, leaf=leaf: v[str(leaf)] if isinstance(leaf, Dim) else leaf)
    name = draw(st.sampled_from([*BINARY, "//", "min", "max"]))
    left, left_value = draw(expressions(depth=depth - 1))
    right, right_value = draw(expressions(depth=depth - 1))
    if name in BINARY:
        function = BINARY[name]
        return function(left, right), (lambda v: function(left_value(v), right_value(v)))
    if name == "//":
        divisor = draw(st.integers(1, 9))
        return ceildiv(left, divisor), (lambda v: -(-left_value(v) // divisor))
    symbolic, plain = (minimum, min) if name == "min" else (maximum, max)
    return symbolic(left, right), (lambda v: plain(left_value(v), right_value(v)))


@given(expressions(), VALUES)
def test_arithmetic_agrees_with_integers(expression, values):
    size, expected = expression
    assert evaluate(size, values) == expected(values)


@given(expressions(), VALUES)
def test_bounds_hold(expression, values):
    size, expected = expression
    low, high = bounds(size)
    number = expected(values)
    assert low <= number
    assert high is None or number <= high


@given(expressions(), expressions())
def test_sum_commutes_in_canonical_form(one, other):
    left, right = one[0] + other[0], other[0] + one[0]
    assert bool(left == right)
    assert hash(left) == hash(right)


@given(expressions(depth=2), st.sampled_from([A, B, A * B, 2 * A, A + B, A - 3]))
def test_exact_division_undoes_multiplication(expression, divisor):
    size = expression[0]
    quotient = exact_division(size * divisor, divisor)
    assert quotient is not None
    assert bool(quotient == size)


def test_exact_division_refuses_remainders():
    assert exact_division(A + 1, A) is None
    assert exact_division(3 * A, 2) is None
    assert exact_division(A * A - B * B, A - B) == A + B


def test_symbol_is_never_one_and_cancels_to_int():
    assert A - A == 0 and isinstance(A - A, int)
    assert not (Dim("x") == 1)
    assert (2 * A * B) // (A * B) == 2


def test_text_is_canonical():
    assert str(4 + A * 2) == "2*a + 4"
    assert str(A * A - B) == "a*a - b"
    assert str(round_up(A, 16)) == "16*floordiv(a + 15, 16)"


def test_bounds_decide_min_and_max():
    assert minimum(A, 100) is A
    assert maximum(A, 100) == 100
    assert bool(A <= 50)
    with pytest.raises(RlxError) as error:
        bool(A <= 20)
    assert error.value.code == "RLX202" and "graph.assume(a <= 20)" in str(error.value)


def test_equality_gives_a_fact_for_assume():
    fact = A == B
    assert not fact
    assert isinstance(fact, Relation) and fact.holds({"a": 3, "b": 3}) and not fact.holds({"a": 3, "b": 4})
    assert same(2 * A * C, 2 * B * C, [fact])
    assert not same(A * A, B * C, [fact])


def test_misuse_says_what_to_do():
    with pytest.raises(RlxError) as error:
        range(A)  # type: ignore[arg-type]
    assert error.value.code == "RLX108"
    for name in ("2x", "min", ""):
        with pytest.raises(RlxError):
            Dim(name)
    with pytest.raises(RlxError):
        Dim("x", 5, 4)
    assert bool(A)
    with pytest.raises(RlxError):
        bool(A - 1)


def test_bounds_of_a_negative_atom():
    """floordiv(a - 50, 3) is negative: a product with it must not be bounded as if it were not."""
    assert bounds((A - 50) // 3) == (-17, 0)
    assert bounds(((A - 50) // 3) * B) == (-850, 0)
