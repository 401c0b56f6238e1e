"""Python branches on traced values, outside `jit`: the right code for each call, as in JAX, and no trace for a path that is known."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import jax
import jax.lax
import numpy as np
import pytest

import rlx
import rlx.numpy
from rlx.core.errors import RlxError

Fn = Callable[..., Any]
TRANSFORMS = (
    "grad",
    "value_and_grad",
    "vjp",
    "jvp",
    "linearize",
    "jacfwd",
    "jacrev",
    "hessian",
    "vmap",
    "custom_vjp",
    "custom_jvp",
)
OURS = SimpleNamespace(np=rlx.numpy, lax=rlx.lax, jit=rlx.jit, **{name: getattr(rlx, name) for name in TRANSFORMS})
THEIRS = SimpleNamespace(np=jax.numpy, lax=jax.lax, jit=jax.jit, **{name: getattr(jax, name) for name in TRANSFORMS})


def f32(*numbers: float) -> np.ndarray[Any, Any]:
    """An array."""
    return np.float32(numbers)


# -- functions of one array with branches; all have shape [2], and several paths -----------------------------------
def on_a_sum(lib: Any) -> Fn:
    """`if` on a reduction."""
    return lambda x: (3.0 * x**2).sum() if x.sum() < 3 else (-4 * x).sum()


def on_elements(lib: Any) -> Fn:
    """Conditions joined by `and` and `or`, with `elif`."""

    def f(x: Any) -> Any:
        if x[0] > 0 and x[1] > 0:
            return (x * x).sum()
        if x[0] > 2 or x[1] < -2:
            return lib.np.exp(x * 0.1).sum()
        return lib.np.sin(x).sum()

    return f


def doubled_until_large(lib: Any) -> Fn:
    """A `while` whose number of rounds depends on the data."""

    def f(x: Any) -> Any:
        while lib.np.abs(x).sum() < 100:
            x = x * 2 + lib.np.sin(x)
        return (x * x).sum()

    return f


def newton(lib: Any) -> Fn:
    """A loop that ends at a tolerance."""

    def f(x: Any) -> Any:
        y, rounds = x * 0 + 1.0, 0
        while (lib.np.abs(y * y - lib.np.abs(x) - 1) > 1e-3).any() and rounds < 20:
            y, rounds = 0.5 * (y + (lib.np.abs(x) + 1) / y), rounds + 1
        return (y * rounds).sum()

    return f


def int_of_it(lib: Any) -> Fn:
    """A number of Python's, a range and an index of a list."""

    def f(x: Any) -> Any:
        n = int(lib.np.clip(lib.np.abs(x[0]), 0, 4))
        total = x.sum()
        for i in range(lib.np.asarray(n % 3 + 1)):
            total = total + x[i % 2] ** (i + 2)
        return total * [1.0, 2.0, 3.0, 4.0, 5.0][lib.np.int32(n)]

    return f


def the_larger_one(lib: Any) -> Fn:
    """Python's `max`, `sorted` and `abs` compare values."""
    return lambda x: max(x[0], x[1]) * 3 + sorted([x[0], x[1], 0.5 * x[0]])[0] ** 2


def masked(lib: Any) -> Fn:
    """The length of a mask's result depends on the data."""
    return lambda x: (x[x > 0] ** 2).sum() + x[lib.np.nonzero(x < 0)[0]].sum() * 3


def sized(lib: Any) -> Fn:
    """Sizes that are computed: of a slice, of new arrays, of repetitions."""

    def f(x: Any) -> Any:
        n = lib.np.int32(lib.np.abs(x[0]))
        parts = x[: lib.np.int32(n % 2) + 1], lib.np.ones(n) * x[0], lib.np.arange(n) * x[1]
        return lib.np.concatenate(parts).sum() + (lib.np.repeat(x, lib.np.int32(lib.np.abs(x))) ** 2).sum()

    return f


def sorted_out(lib: Any) -> Fn:
    """Functions whose number of results depends on the data."""
    return lambda x: lib.np.unique(x > 1).size * x.sum() + (x[lib.np.where(x > 1)] ** 3).sum() + x[lib.np.argwhere(x < 0)].sum()


def rounded(lib: Any) -> Fn:
    """`item`, and equality."""
    return lambda x: (x * lib.np.round(x[0]).item()).sum() if x[0] != x[1] else (x**3).sum()


def through_a_custom_vjp(lib: Any) -> Fn:
    """Branches in the function, in `fwd`, and in `bwd` on a residual."""
    f = lib.custom_vjp(lambda x: (x * 2).sum() if x[0] > 0 else (x * 3).sum())

    def fwd(x: Any) -> Any:
        return ((x * 2).sum(), (x, x * 2)) if x[0] > 0 else ((x * 3).sum(), (x, x * 3))

    f.defvjp(fwd, lambda kept, g: (kept[1] * g * (5.0 if kept[0].sum() > 1 else 7.0),))
    return lambda x: f(x) * 2 if x[1] > -1 else f(x * 2)


def through_a_custom_jvp(lib: Any) -> Fn:
    """Branches in the function and in its rule."""
    f = lib.custom_jvp(lambda x: (x * 2).sum() if x[0] > 0 else (x * 3).sum())

    @f.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        (x,), (t,) = primals, tangents
        return f(x), (t * (5.0 if x[0] > 0 else 7.0)).sum()

    return lambda x: f(x) * 2


def beside_a_vmap(lib: Any) -> Fn:
    """A condition inside `vmap` on a value that is not batched."""
    return lambda x: lib.vmap(lambda y: y * x.sum() if x[0] > 0 else y - x.sum() ** 2)(lib.np.arange(3.0)).sum()


def with_an_inner_gradient(lib: Any) -> Fn:
    """A gradient inside, of a function with a branch, and a branch on that gradient."""

    def f(x: Any) -> Any:
        slope = lib.grad(lambda y: (y**3).sum() if y.sum() > 0 else (y**2).sum())(x)
        return (slope * x).sum() if slope[0] > 1 else (slope**2).sum()

    return f


SCALARS: dict[str, Callable[[Any], Fn]] = {
    each.__name__: each
    for each in (
        on_a_sum,
        on_elements,
        doubled_until_large,
        newton,
        int_of_it,
        the_larger_one,
        masked,
        sized,
        sorted_out,
        rounded,
        through_a_custom_vjp,
        through_a_custom_jvp,
        beside_a_vmap,
        with_an_inner_gradient,
    )
}
POINTS = [f32(0.5, 1.0), f32(3.0, 4.0), f32(-1.5, 2.5), f32(1.0, -3.0), f32(2.0, 2.0), f32(-0.25, -0.5)]
CALLS: dict[str, Callable[[Any, Fn], Fn]] = {
    "grad": lambda lib, f: lib.grad(f),
    "value_and_grad": lambda lib, f: lib.value_and_grad(f),
    "vjp": lambda lib, f: lambda x: lib.vjp(f, x)[1](np.float32(2)),
    "jvp": lambda lib, f: lambda x: lib.jvp(f, (x,), (f32(1, 2),)),
    "linearize": lambda lib, f: lambda x: lib.linearize(f, x)[1](f32(1, 2)),
    "jacfwd": lambda lib, f: lib.jacfwd(f),
    "jacrev": lambda lib, f: lib.jacrev(f),
    "hessian": lambda lib, f: lib.hessian(f),
    "grad of grad": lambda lib, f: lib.grad(lambda x: (lib.grad(f)(x) ** 2).sum()),
}
QUICK = ("grad", "linearize")
FORWARD = {"jvp", "linearize", "jacfwd", "hessian", "grad of grad"}  # JAX's custom_vjp has no forward mode


def same(ours: Any, theirs: Any) -> None:
    """The same numbers in the same containers."""
    mine, others = jax.tree.leaves(jax.tree.map(np.asarray, ours)), jax.tree.leaves(theirs)
    for one, other in zip(mine, others, strict=True):
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("how", [how if how in QUICK else pytest.param(how, marks=pytest.mark.long) for how in CALLS])
@pytest.mark.parametrize("name", SCALARS)
def test_each_call_takes_its_own_branch(name: str, how: str) -> None:
    """The same shapes, all paths, alternating: every number is JAX's."""
    if name == "through_a_custom_vjp" and how in FORWARD:
        return
    mine, other = CALLS[how](OURS, SCALARS[name](OURS)), CALLS[how](THEIRS, SCALARS[name](THEIRS))
    for x in [*POINTS, *reversed(POINTS)]:
        same(mine(x), other(x))


def test_a_path_that_is_known_is_not_traced_again() -> None:
    """The function runs once for each path; both branches, alternating, and the sizes apart."""
    runs = []

    def f(x: Any) -> Any:
        runs.append(None)
        return (x * x).sum() if x.sum() > 0 else (x * 3).sum()

    slope = rlx.grad(f)
    for _ in range(3):
        np.testing.assert_allclose(slope(f32(1, 2)), [2, 4])
        np.testing.assert_allclose(slope(f32(-1, -2)), [3, 3])
    assert len(runs) == 2
    for _ in range(2):
        np.testing.assert_allclose(slope(f32(1, 2, 3)), [2, 4, 6])
        np.testing.assert_allclose(slope(f32(-1, -2, -3)), [3, 3, 3])
        np.testing.assert_allclose(slope(f32(-1, -2)), [3, 3])
    assert len(runs) <= 6  # a size that changes is first tried as a symbol


def test_a_function_without_branches_has_symbolic_sizes_as_before() -> None:
    """Nothing is asked: the third size runs the code of the second."""
    runs = []

    def f(x: Any) -> Any:
        runs.append(None)
        return (x * x).sum()

    slope = rlx.grad(f)
    for n in (2, 3, 4, 5):
        np.testing.assert_allclose(slope(np.ones(n, np.float32)), 2 * np.ones(n))
    assert len(runs) == 2


def test_more_paths_than_are_kept() -> None:
    """A hundred trip counts, twice: each call gets its own number."""
    slope = rlx.grad(lambda x: functools.reduce(lambda y, _: y + x, range(int(x) % 70), x * 0))
    for n in [*range(1, 100), *range(1, 100, 7)]:
        assert float(slope(np.float32(n))) == n % 70


def test_nan_takes_the_branch_of_false() -> None:
    """Comparisons with NaN are false, and the path is that of the answer."""
    for lib in (OURS, THEIRS):
        slope = lib.grad(lambda x: x * 2 if x > 0 else x * 3)
        assert [float(slope(v)) for v in (1.0, np.nan, -1.0, np.nan, 1.0)] == [2, 3, 3, 3, 2]


def test_a_branch_on_an_argument_that_is_not_differentiated() -> None:
    """Arrays, integers and Python's numbers; such an array is an array of NumPy on request."""

    def f(lib: Any) -> Fn:
        def loss(w: Any, x: Any, n: Any, flag: Any) -> Any:
            for _ in range(n):
                w = w * 2
            if flag > 0:
                w = w + np.asarray(x).max()
            return (w * x).sum() if x[0] > 0 else w.sum()

        return lib.grad(loss)

    w = f32(1, 2)
    for x, n, flag in [(f32(1, 2), 2, 1), (f32(-1, 2), 2, 1), (f32(1, 3), 1, np.float32(0)), (f32(1, 2), 2, 1)]:
        same(f(OURS)(w, x, n, flag), f(THEIRS)(w, x, n, flag))


def test_what_is_differentiated_does_not_become_an_array_of_numpy() -> None:
    """It would lose its derivative without a word; JAX refuses too."""
    for api in (rlx, jax):
        with pytest.raises((RlxError, jax.errors.TracerArrayConversionError)):
            api.grad(lambda x: (np.asarray(x) * x).sum())(f32(1, 2))


def test_the_truth_of_several_elements_is_an_error() -> None:
    """As that of an array."""
    for api in (rlx, jax):
        with pytest.raises(ValueError, match="truth"):
            api.grad(lambda x: x.sum() if x > 0 else -x.sum())(f32(1, 2))


def test_exceptions_of_a_branch_are_raised_for_the_calls_that_take_it() -> None:
    """Also where another branch of the same shapes is compiled; and again on the next call."""

    def f(x: Any) -> Any:
        if x.sum() < 0:
            raise ValueError("negative")
        return (x * x).sum()

    slope = rlx.grad(f)
    for _ in range(2):
        np.testing.assert_allclose(slope(f32(1, 2)), [2, 4])
        with pytest.raises(ValueError, match="negative"):
            slope(f32(-1, -2))


@pytest.mark.parametrize(
    "call",
    [
        lambda f: rlx.jit(f)(2.0),
        lambda f: rlx.jit(rlx.grad(f))(2.0),
        lambda f: rlx.grad(rlx.jit(f))(2.0),
        lambda f: rlx.grad(lambda x: rlx.jit(f)(x) * x)(2.0),
        lambda f: rlx.vmap(f)(f32(1, 2)),
        lambda f: rlx.vmap(rlx.grad(f))(f32(1, 2)),
        lambda f: rlx.grad(lambda x: rlx.vmap(f)(x).sum())(f32(1, 2)),
        lambda f: rlx.grad(lambda x: rlx.lax.scan(lambda c, r: (c + f(r), None), 0.0, x)[0])(f32(1, 2)),
        lambda f: rlx.eval_shape(f, 2.0),
        lambda f: rlx.jit(f).lower(2.0),
    ],
    ids=["jit", "jit of grad", "grad of jit", "jit in grad", "vmap", "vmap of grad", "vmap in grad", "scan", "shape", "lower"],
)
@pytest.mark.parametrize("ask", [lambda x: x > 0, float, int, lambda x: range(x.astype("int32")), lambda x: x.item()])
def test_where_values_have_no_number_a_question_is_an_error(call: Fn, ask: Fn) -> None:
    """Inside `jit`, of an example of `vmap`, of a row of a scan."""

    def f(x: Any) -> Any:
        return x * 2 if ask(x) else x * 3

    with pytest.raises(RlxError, match="RLX108"):
        call(f)


def test_a_branch_after_a_jitted_function_inside_a_gradient() -> None:
    """Nothing is answered inside of the jitted function; after it everything is, also what it computed."""

    def made(lib: Any) -> Fn:
        inner = lib.jit(lambda y, x: y * x + 1)
        return lib.grad(lambda x: lib.grad(lambda y: inner(y, x) * 2 if inner(y, x) > 3 else inner(y, x))(x) * x)  # type: ignore[no-any-return]

    for lib in (OURS, THEIRS):
        assert [float(made(lib)(v)) for v in (1.0, 2.0, 1.0, 3.0)] == [2, 8, 2, 12]


def test_an_array_that_a_function_closes_over() -> None:
    """Large ones, which are params, and handles of `rlx.put`, whose new value takes another branch."""
    large = np.full(100_000, 2.0, np.float32)
    slope = rlx.grad(lambda x: (x * 2).sum() if (x.sum() * large).sum() > 0 else (x * 3).sum())
    assert [float(slope(np.float32(v))) for v in (1, -1, 1)] == [2, 3, 2]
    handle = rlx.put(np.float32([1.0]))
    slope = rlx.grad(lambda x: x * 2 if (x * handle).sum() > 0 else x * 3)
    assert float(slope(np.float32(1))) == 2
    handle.set(np.float32([-1.0]))
    assert float(slope(np.float32(1))) == 3


def test_a_value_that_left_its_trace_has_no_truth() -> None:
    """The numbers belonged to that call."""
    left: list[Any] = []
    rlx.grad(lambda x: (left.append(x), x * x)[1])(2.0)
    for ask in (bool, float, int):
        with pytest.raises(RlxError, match="RLX111"):
            ask(left[0])
