"""`rlx.new_ref` beside `jax.new_ref`: the same programs in both libraries."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import rlx
import rlx.numpy as rnp
from rlx import RlxError


def both(program):
    """What a program of (library, its numpy) gives in both, leaf by leaf."""
    expected = jax.tree.leaves(program(jax, jnp))
    found = rlx.tree.leaves(program(rlx, rnp))
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-6)
        assert np.asarray(one).dtype == np.asarray(other).dtype


def test_reads_and_writes_by_index():
    def program(m, np_):
        ref = m.new_ref(np_.arange(12.0).reshape(3, 4))
        ref[1] = ref[0]
        ref[2, 3] = ref[1, 2]
        ref[0, :3] = ref[:, 1]
        ref[np_.array([1, 2, 1]), np_.array([0, 0, 1])] = ref[np_.array([0, 0, 1]), np_.array([1, 2, 3])]
        ref[..., 1] += 5.0
        return ref[...], m.ref.swap(ref, 0, np_.zeros(4)), m.ref.get(ref, (0, 1)), m.freeze(ref)

    both(program)


def test_functions_of_ref():
    def program(m, np_):
        ref = m.new_ref(np_.zeros(3))
        m.ref.addupdate(ref, 1, 2.0)
        m.ref.set(ref, 0, 7.0)
        return ref[...]

    both(program)


def test_a_compiled_function_closes_over_references():
    def program(m, np_):
        total, steps, calls = m.new_ref(np_.zeros(3)), m.new_ref(0), []

        @m.jit
        def count(x):
            calls.append(1)
            total[1] += x
            steps[...] += 1
            return total[...].sum()

        seen = [count(1.0), count(2.0), count(3.0)]
        assert len(calls) <= 4  # traced again when a reference is reached, not in each call
        return seen, total[...], steps[...]

    both(program)


def test_references_are_arguments():
    def program(m, np_):
        one, other = m.new_ref(np_.ones(2)), m.new_ref(np_.zeros(2))

        @m.jit
        def move(source, target, x):
            target[...] = source[...] * x
            source[0] = 9.0

        move(one, other, 3.0)
        move(other, one, 2.0)
        return one[...], other[...]

    both(program)


def test_static_arguments_beside_references():
    ref = rlx.new_ref(rnp.zeros(2))
    add = rlx.jit(lambda r, how: r.__setitem__(..., r[...] + (1.0 if how == "up" else -1.0)), static_argnames="how")
    add(ref, how="up"), add(ref, how="up"), add(ref, how="down")
    np.testing.assert_array_equal(ref[...], [1, 1])


def test_a_jitted_function_inside_another():
    def program(m, np_):
        ref = m.new_ref(1.0)
        inner = m.jit(lambda: ref.__setitem__(..., ref[...] * 3))

        @m.jit
        def outer(x):
            inner()
            ref[...] += x
            inner()

        outer(2.0)
        outer(0.0)
        return ref[...]

    both(program)


def test_loops_and_branches():
    """By hand: JAX refuses a while loop whose condition reads a reference."""
    total, many = rlx.new_ref(0.0), rlx.new_ref(rnp.zeros(3))

    def step(carry, x):
        total[...] += x
        many[1] += total[...]
        return carry + 1, total[...]

    def add(place, what):
        many[place] += what
        return what

    steps, sums = rlx.lax.scan(step, 0, rnp.arange(4.0))
    rlx.lax.fori_loop(0, 3, lambda i, c: c + add(0, 2.0) * 0, 0.0)
    looped = rlx.lax.while_loop(lambda i: i < total[...], lambda i: add(2, i) + 1.5, 0.0)
    chosen = rlx.jit(lambda flag: rlx.lax.cond(flag, lambda: add(0, 10.0), lambda: add(1, 20.0)))
    assert (int(steps), float(looped), float(chosen(rnp.asarray(True))), float(chosen(rnp.asarray(False)))) == (4, 6.0, 10.0, 20.0)
    np.testing.assert_array_equal(sums, [0, 1, 3, 6])
    np.testing.assert_array_equal(many[...], [6 + 10, 10 + 20, 1.5 + 3 + 4.5])


def test_scan_with_references_as_in_jax():
    def program(m, np_):
        total = m.new_ref(0)

        def step(carry, x):
            total[...] += x
            return carry, x * 2

        return m.lax.scan(step, (), np_.arange(10)), total[...]

    both(program)


def test_gradients_of_functions_with_references_inside():
    def program(m, np_):
        def inner(x):
            ref = m.new_ref(x)
            ref[...] = ref[...] + np_.sin(ref[...])
            return ref[...] ** 2

        def looped(x):
            ref = m.new_ref(np_.zeros(3))

            def step(carry, i):
                ref[i] = carry
                return carry * x, None

            m.lax.scan(step, x, np_.arange(3))
            return (ref[...] * np_.array([1.0, 10.0, 100.0])).sum()

        return m.grad(inner)(3.0), m.grad(m.jit(inner))(3.0), m.vmap(m.grad(looped))(np_.arange(3.0)), m.jit(inner)(2.0)

    both(program)


def test_vmap_over_references():
    def program(m, np_):
        def distance(x, y, out):
            out[...] = ((x - y) ** 2).sum()
            return x[0]

        rows, out = np_.arange(12.0).reshape(3, 4), m.new_ref(np_.zeros((3, 3)))
        return m.vmap(m.vmap(distance, (0, None, 0)), (None, 0, 0))(rows, rows, out), out[...]

    both(program)


def test_vjp_by_references():
    """By hand: JAX 0.10.2 fails at derivatives by references."""

    def f(ref, x):
        ref[...] = rnp.sin(ref[...]) * x
        return ref[...] ** 2

    ref, by_ref, by_x = rlx.new_ref(2.0), rlx.new_ref(100.0), rlx.new_ref(1.0)
    value, pullback = rlx.vjp(f, ref, 3.0)
    assert pullback.with_refs(by_ref, by_x)(1.0) == (rlx.ad.GradRef(), rlx.ad.GradRef())
    pullback.with_refs(by_ref, rlx.ad.DontWant())(1.0)
    sin, cos = np.sin(2), np.cos(2)
    found = [value, ref[...], by_ref[...], by_x[...]]
    np.testing.assert_allclose(found, [9 * sin**2, 3 * sin, 100 + 2 * 18 * sin * cos, 1 + 6 * sin**2], rtol=1e-5)


def test_a_pullback_without_references_returns_values():
    def program(m, np_):
        _, pullback = m.vjp(np_.sin, 1.0)
        return pullback.with_refs(m.ad.GradValue())(1.0), pullback(2.0)

    both(program)


def test_places_of_gradients():
    reference = rlx.new_ref(0.0)
    _, pullback = rlx.vjp(lambda x, y, z: x * y * z, 2.0, 3.0, 5.0)
    by_x, by_y, by_z = pullback.with_refs(reference, rlx.ad.DontWant(), rlx.ad.GradValue())(1.0)
    assert (by_x, by_y, float(by_z), float(reference[...])) == (rlx.ad.GradRef(), rlx.ad.DidntWant(), 6, 15)


def test_vjp_by_integers_has_zeros():
    """Of JAX's dtype `float0` there, of the integer's own here."""

    def program(m, np_):
        _, pullback = m.vjp(lambda x, i: x[i], np_.arange(4.0), 3)
        by_x, by_i = pullback(1.0)
        assert np.shape(by_i) == ()
        return by_x

    both(program)


def test_gradients_accumulate_over_a_scan():
    def program(m, np_):
        weights, rows = np_.ones((3, 2)), np_.arange(12.0).reshape(4, 3)
        total = m.new_ref(np_.zeros_like(weights))

        def step(_, row):
            loss, pullback = m.vjp(lambda w: ((row @ w) ** 2).sum(), weights)
            pullback.with_refs(total)(np_.ones_like(loss))
            return (), loss

        _, losses = m.lax.scan(step, (), rows)
        return m.freeze(total), losses

    both(program)


def test_printed_and_lowered():
    ref = rlx.new_ref(rnp.zeros(2))
    assert str(ref) == str(jax.new_ref(jnp.zeros(2))) == "Ref([0., 0.], dtype=float32)"
    assert (ref.shape, ref.dtype, ref.ndim, ref.size) == ((2,), np.float32, 1, 2)
    assert "f32[2]" in str(rlx.make_jaxpr(lambda: ref[...] * 2)())
    np.testing.assert_array_equal(ref[...], [0, 0])


# -- what is refused ------------------------------------------------------------------------------------------------
def test_a_reference_is_no_array():
    ref = rlx.new_ref(1.0)
    with pytest.raises(RlxError):
        rnp.sin(ref)
    with pytest.raises(RlxError, match="used as an array"):
        ref + 1
    with pytest.raises(RlxError, match="reference to a reference"):
        rlx.new_ref(ref)


def test_a_frozen_reference_is_refused():
    ref = rlx.new_ref(1.0)
    rlx.freeze(ref)
    with pytest.raises(RlxError, match="frozen"):
        ref[...]


def test_a_reference_does_not_leave_the_trace_that_made_it():
    _, made = rlx.jit(lambda x: (x + 1, rlx.new_ref(x)))(rnp.ones(2))
    with pytest.raises(RlxError, match="made is used outside"):
        made[...]


def test_an_outer_reference_is_not_frozen_in_a_trace():
    with pytest.raises(RlxError, match="frozen in it"):
        rlx.jit(lambda ref: rlx.freeze(ref))(rlx.new_ref(1.0))


def test_vmap_and_grad_refuse_to_close_over_references():
    ref = rlx.new_ref(0.0)
    for transformed in (rlx.vmap(lambda x: ref.__setitem__(..., x)), rlx.grad(lambda x: (x * ref[...]).sum())):
        with pytest.raises(RlxError, match="closes over a reference"):
            transformed(rnp.arange(3.0))


def test_a_reference_s_gradient_needs_a_reference():
    _, pullback = rlx.vjp(lambda ref: ref[...] ** 2, rlx.new_ref(2.0))
    with pytest.raises(RlxError, match="accumulated into a reference"):
        pullback(1.0)
    with pytest.raises(RlxError, match="with_refs of 2 entries for 1"):
        pullback.with_refs(rlx.ad.GradValue(), rlx.ad.GradValue())(1.0)
