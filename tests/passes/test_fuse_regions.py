"""Regions never depend on each other in a circle."""

from __future__ import annotations

import numpy as np
import pytest

import rlx


@pytest.mark.timeout(60)
def test_a_group_that_begins_before_and_ends_after_another_makes_no_circle() -> None:
    """p₁, q₁, then p₂ of both and q₂ of both: the groups {p₁, p₂} and {q₁, q₂} would each need the other first. It went on forever."""
    g = rlx.Graph("circle")
    x, y = g.input("x", (4,), "f32"), g.input("y", (8,), "f32")
    p1 = x + 1.0
    q1 = y + 2.0
    p2 = p1 * g.narrow(q1, axis=0, start=2, length=4)
    q2 = q1 * g.concat(p1, p1, axis=0)
    g.set_outputs({"p": p2, "q": q2})
    found = rlx.compile(g).run({"x": np.arange(4, dtype=np.float32), "y": np.arange(8, dtype=np.float32)})
    one, two = np.arange(4.0) + 1, np.arange(8.0) + 2
    assert found["p"].tolist() == (one * two[2:6]).tolist()
    assert found["q"].tolist() == (two * np.concatenate([one, one])).tolist()


@pytest.mark.timeout(60)
def test_nor_does_one_that_is_reached_through_an_older_group() -> None:
    """The same, with r between p₁ and q₂: r is older than q₁ and q₂, but must wait for p₂."""
    g = rlx.Graph("longer circle")
    x, y, z = g.input("x", (4,), "f32"), g.input("y", (16,), "f32"), g.input("z", (8,), "f32")
    p1 = x + 1.0
    r = g.concat(p1, p1, axis=0) * z
    q1 = y + 2.0
    p2 = p1 * g.narrow(q1, axis=0, start=2, length=4)
    q2 = q1 * g.concat(r, r, axis=0)
    g.set_outputs({"p": p2, "q": q2})
    arrays = {"x": np.arange(4.0), "y": np.arange(16.0), "z": np.arange(8.0) - 3}
    found = rlx.compile(g).run({name: array.astype(np.float32) for name, array in arrays.items()})
    one, two = arrays["x"] + 1, arrays["y"] + 2
    three = np.concatenate([one, one]) * arrays["z"]
    assert found["p"].tolist() == (one * two[2:6]).tolist()
    assert found["q"].tolist() == (two * np.concatenate([three, three])).tolist()
