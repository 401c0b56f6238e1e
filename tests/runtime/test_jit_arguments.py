"""Static and donated arguments of jitted functions, methods, keywords, and what else people pass."""

from dataclasses import dataclass
from functools import partial

import jax
import numpy as np
import pytest

import rlx

F32 = np.float32
X = np.arange(1, 7, dtype=F32).reshape(2, 3)


@pytest.fixture(params=["reference", "cpu"])
def device(request):
    return request.param


def scaled(x, power, names=("a", "b"), *, double=False):
    """Only with real Python values: a range, a comparison, a lookup."""
    for _ in range(power):
        x = x * len(names)
    return x + x if double else x


# -- static -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "options",
    [
        {"static_argnums": 1, "static_argnames": ("names", "double")},
        {"static_argnums": (1, 2), "static_argnames": "double"},
        {"static_argnames": ["power", "names", "double"]},
        {"static_argnums": (-2, -1), "static_argnames": ("double",)},
    ],
    ids=str,
)
def test_static_arguments_are_python_values_however_they_are_passed(options, device):
    f = rlx.jit(scaled, device=device, **options)
    np.testing.assert_array_equal(f(X, 3), X * 8)
    np.testing.assert_array_equal(f(X, power=2), X * 4)
    np.testing.assert_array_equal(f(X, 2, ("a", "b", "c")), X * 9)
    np.testing.assert_array_equal(f(X, 1, names=("a",), double=True), X * 2)
    assert f.traces == 4


def test_a_static_value_traces_once_for_each_type_and_value(device):
    f = rlx.jit(lambda x, n: x * n if isinstance(n, int) else x + n, static_argnums=1, device=device)
    for n, wanted in [(2, X * 2), (2, X * 2), (2.0, X + 2), (True, X), (1, X), (3, X * 3), (2, X * 2)]:
        np.testing.assert_array_equal(f(X, n), wanted)
    assert f.traces == 5


def test_static_arguments_meet_new_sizes_as_others_do(device):
    f = rlx.jit(lambda x, n: x.sum() * n, static_argnums=1, device=device)
    for rows in (2, 3, 4, 7):
        for n in (2, 3):
            np.testing.assert_allclose(f(np.ones((rows, 3), F32), n), rows * 3 * n)
    assert f.traces == 4


@dataclass(frozen=True)
class Settings:
    width: int
    name: str = "gelu"


def test_a_frozen_dataclass_is_a_static_argument(device):
    f = rlx.jit(lambda x, settings: x * settings.width, static_argnames="settings", device=device)
    np.testing.assert_array_equal(f(X, settings=Settings(3)), X * 3)
    np.testing.assert_array_equal(f(X, Settings(3)), X * 3)
    np.testing.assert_array_equal(f(X, Settings(4)), X * 4)


def test_a_static_argument_inside_another_trace_is_a_python_value(device):
    inner = rlx.jit(scaled, static_argnums=(1, 2), device=device)
    np.testing.assert_array_equal(rlx.jit(lambda x: inner(x, 2) + 1, device=device)(X), X * 4 + 1)
    np.testing.assert_allclose(rlx.grad(lambda x: inner(x, 2).sum())(X), np.full_like(X, 4))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"static_argnums": 4}, "static_argnums has 4, but scaled has 3 positional arguments: x, power, names"),
        ({"static_argnums": -4}, "static_argnums has -4"),
        ({"static_argnums": "power"}, "static_argnums has 'p"),
        ({"static_argnums": (True,)}, "static_argnums has True"),
        ({"static_argnames": "powr"}, "static_argnames has 'powr', not an argument of scaled"),
        ({"donate_argnums": 9}, "donate_argnums has 9"),
        ({"donate_argnames": 3}, "donate_argnames has 3"),
        ({"static_argnums": 0, "donate_argnames": "x"}, "x of scaled is static and donated"),
    ],
    ids=str,
)
def test_arguments_that_do_not_exist_are_refused_when_the_function_is_wrapped(options, words):
    with pytest.raises(rlx.RlxError, match="RLX105") as caught:
        rlx.jit(scaled, **options)
    assert words in str(caught.value) and "test_jit_arguments.py" in str(caught.value)


def test_a_misspelled_name_of_an_argument_gets_a_suggestion():
    with pytest.raises(rlx.RlxError, match="did you mean 'power'"):
        rlx.jit(scaled, static_argnames="powr")


@pytest.mark.parametrize(
    ("value", "words"),
    [([1, 2], "a tuple instead of a list"), ({"a": 1}, "frozen dataclass"), (X, "arrays are traced"), ((1, [2]), "tuple")],
    ids=str,
)
def test_a_static_argument_without_a_hash_is_an_error_with_a_way_out(value, words):
    f = rlx.jit(scaled, static_argnums=1)
    with pytest.raises(rlx.RlxError, match="RLX105") as caught:
        f(X, value)
    assert words in str(caught.value) and "the static argument 1 of scaled" in str(caught.value)


def test_a_function_with_any_number_of_arguments_takes_numbers_from_the_front(device):
    f = rlx.jit(lambda *xs: xs[0] * xs[2], static_argnums=2, device=device)
    np.testing.assert_array_equal(f(X, X, 3), X * 3)
    with pytest.raises(rlx.RlxError, match="count from the front"):
        rlx.jit(lambda *xs: xs[0], static_argnums=-1)


# -- methods ----------------------------------------------------------------------------------------------------
class Model:
    def __init__(self, weight):
        self.weight = weight

    @rlx.jit
    def plain(self, x, bias=0.0):
        return x * self.weight + bias

    @partial(rlx.jit, static_argnums=0)
    def first_static(self, x, *, bias=0.0):
        return x * self.weight + bias

    @partial(rlx.jit, static_argnums=(0, 2))
    def power(self, x, n):
        return x**n * self.weight

    @staticmethod
    @rlx.jit
    def static(x):
        return x + 1

    @classmethod
    @partial(rlx.jit, static_argnums=0)
    def of_class(cls, x):
        return x * len(cls.__name__)


def test_methods_are_jitted_for_each_instance():
    two, three = Model(F32(2)), Model(F32(3))
    for model, weight in ((two, 2), (three, 3), (two, 2)):
        np.testing.assert_array_equal(model.plain(X), X * weight)
        np.testing.assert_array_equal(model.plain(X, bias=1.0), X * weight + 1)
        np.testing.assert_array_equal(model.first_static(X, bias=X), X * weight + X)
        np.testing.assert_array_equal(model.power(X, 2), X**2 * weight)
        np.testing.assert_array_equal(rlx.jit(model.plain)(X), X * weight)
    np.testing.assert_array_equal(Model.static(X), X + 1)
    np.testing.assert_array_equal(two.of_class(X), X * 5)


# -- donated ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("options", [{"donate_argnums": 0}, {"donate_argnames": "state"}, {"donate_argnums": (0,)}], ids=str)
def test_results_lie_in_donated_arrays(options):
    step = rlx.jit(lambda state, gradient: state * 0.5 + gradient, **options)
    state, gradient = np.full(1000, 2, F32), np.ones(1000, F32)
    new = step(state, gradient)
    assert np.shares_memory(new, state) and not np.shares_memory(new, gradient)
    np.testing.assert_array_equal(new, np.full(1000, 2))
    again = step(new, gradient)
    assert np.shares_memory(again, new)
    np.testing.assert_array_equal(again, np.full(1000, 2))
    np.testing.assert_array_equal(step(state=np.full(1000, 4, F32), gradient=gradient), np.full(1000, 3))


def test_donated_containers_are_trained_in_place():
    def step(params, x):
        loss, gradient = rlx.value_and_grad(lambda p: ((x @ p["w"] + p["b"]) ** 2).mean())(params)
        return {name: params[name] - 0.1 * gradient[name] for name in params}, loss

    params = {"w": np.ones((5, 3), F32), "b": np.zeros(3, F32)}
    plain = rlx.jit(step)
    donating = rlx.jit(step, donate_argnums=0)
    x = np.random.default_rng(0).normal(size=(4, 5)).astype(F32)
    kept, given = {k: v.copy() for k, v in params.items()}, {k: v.copy() for k, v in params.items()}
    for _ in range(5):
        kept, wanted = plain(kept, x)
        given, loss = donating(given, x)
        np.testing.assert_array_equal(loss, wanted)
    for name in params:
        np.testing.assert_array_equal(given[name], kept[name])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: np.ones(20, F32)[::2], "not dense"),
        (lambda: np.ones(20, F32)[:10], "is a view of a larger array"),
        (lambda: np.broadcast_to(F32(1), 10).copy().view(), None),
    ],
)
def test_arrays_that_do_not_qualify_are_not_donated_and_the_report_says_so(make, words):
    f = rlx.jit(lambda x: x * 2, donate_argnums=0)
    for _ in range(2):
        x = make()
        kept = x.copy()
        np.testing.assert_array_equal(f(x), kept * 2)
        if words:
            np.testing.assert_array_equal(x, kept)
    entries = f.report.of("not donated")
    assert [words in entry.message for entry in entries] == ([True] if words else [])


def test_a_read_only_array_and_one_passed_twice_are_not_donated():
    f = rlx.jit(lambda x, y: x * 2 + y, donate_argnums=0)
    x = np.ones(10, F32)
    np.testing.assert_array_equal(f(x, x), np.full(10, 3))
    np.testing.assert_array_equal(x, 1)
    x.flags.writeable = False
    np.testing.assert_array_equal(f(x, np.ones(10, F32)), np.full(10, 3))
    assert {entry.message for entry in f.report.of("not donated")} == {
        "x: its array shares memory with another input or a state",
        "x: its array is read-only",
    }


def test_a_donated_argument_that_no_result_can_use_is_in_the_report():
    f = rlx.jit(lambda x: x.sum(), donate_argnums=0)
    assert f(np.ones(10, F32)) == 10
    assert [entry.message for entry in f.report.of("not donated")] == [
        "x: no result of its dtype and size is written after its last read"
    ]


# -- what else people pass --------------------------------------------------------------------------------------
def test_arrays_of_other_libraries_and_python_numbers(device):
    torch = pytest.importorskip("torch")
    f = rlx.jit(lambda x: x * 2, device=device)
    for x in (torch.ones(3), jax.numpy.ones(3), np.ones(3), np.float64(2), 3.0, 3, 2j, np.ones(3, np.int64)):
        np.testing.assert_array_equal(f(x), np.asarray(x) * 2)
    assert f(np.ones(3)).dtype == np.float64


def test_lists_are_containers_of_numbers_as_in_jax(device):
    f = lambda xs: (xs[0] * 2, len(xs))  # noqa: E731
    found, wanted = rlx.jit(f, device=device)([1, 2.5, 3]), jax.jit(f)([1, 2.5, 3])
    assert tuple(map(int, found)) == tuple(map(int, wanted))


def test_clear_cache_forgets_versions_and_traces_again(device):
    f = rlx.jit(lambda x: x + 1, device=device)
    f(X), f(X)
    assert f.traces == 1
    f.clear_cache()
    with pytest.raises(rlx.RlxError, match="has not been called"):
        _ = f.executable
    np.testing.assert_array_equal(f(X), X + 1)
    assert f.traces == 2


def test_inline_is_accepted(device):
    np.testing.assert_array_equal(rlx.jit(lambda x: x + 1, device=device, inline=True)(X), X + 1)
