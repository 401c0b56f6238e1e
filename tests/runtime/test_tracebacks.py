"""Errors of traced functions: their tracebacks end at the user's line, and what is not possible names the way."""

import traceback
from pathlib import Path

import numpy as np
import pytest

import rlx

F32 = np.float32
X = F32([1, 2, 3])
PACKAGE = str(Path(rlx.__file__).parent)


@pytest.fixture(autouse=True)
def filtered(monkeypatch):
    monkeypatch.delenv("RLX_TRACEBACK", raising=False)


def frames(error):
    return list(traceback.extract_tb(error.__traceback__))


def wrong_shape(x):
    return (x @ np.ones((4, 5), F32)).sum()  # the line


def own_error(x):
    raise ValueError("mine")  # the line


def out_of_range(x):
    return x[10].sum()  # the line


ENTRIES = {
    "jit": lambda f: rlx.jit(f)(X),
    "jit static": lambda f: rlx.jit(lambda x, n: f(x), static_argnums=1)(X, 2),
    "lower": lambda f: rlx.jit(f).lower(X),
    "eval_shape": lambda f: rlx.eval_shape(f, X),
    "grad": lambda f: rlx.grad(f)(X),
    "vmap": lambda f: rlx.vmap(lambda x: f(x[None][0] + X))(np.ones((2, 3), F32)),
    "jit of grad of vmap": lambda f: rlx.jit(rlx.grad(lambda x: rlx.vmap(f)(x).sum()))(np.ones((2, 3), F32)),
    "vjp": lambda f: rlx.vjp(f, X),
    "jvp": lambda f: rlx.jvp(f, (X,), (X,)),
    "linearize": lambda f: rlx.linearize(f, X),
    "jvp of grad": lambda f: rlx.jvp(rlx.grad(f), (X,), (X,)),
    "hessian": lambda f: rlx.hessian(f)(X),
    "checkpoint": lambda f: rlx.checkpoint(f)(X),
    "custom_vjp": lambda f: with_rule(f)(X),
}


def with_rule(f):
    made = rlx.custom_vjp(f)
    made.defvjp(lambda x: (f(x), None), lambda _, g: (g,))
    return made


@pytest.mark.parametrize("function", [wrong_shape, own_error, out_of_range], ids=lambda f: f.__name__)
@pytest.mark.parametrize("entry", ENTRIES)
def test_a_traceback_has_the_users_lines_alone_and_ends_at_theirs(entry, function):
    with pytest.raises((rlx.RlxError, ValueError)) as caught:
        ENTRIES[entry](function)
    found = frames(caught.value)
    assert not [frame for frame in found if frame.filename.startswith(PACKAGE)]
    assert found[-1].name == function.__name__ and found[-1].line.endswith("# the line")


def test_full_tracebacks_are_a_flag_away(monkeypatch):
    monkeypatch.setenv("RLX_TRACEBACK", "full")
    with pytest.raises(rlx.RlxError) as caught:
        rlx.jit(wrong_shape)(X)
    assert frames(caught.value)[-1].filename.startswith(PACKAGE)


def test_an_error_keeps_its_cause():
    def f(x):
        try:
            {}["missing"]
        except KeyError as error:
            raise ValueError("mine") from error

    with pytest.raises(ValueError, match="mine") as caught:
        rlx.jit(f)(X)
    assert isinstance(caught.value.__cause__, KeyError)


def test_a_failure_inside_the_package_keeps_its_frames(monkeypatch):
    code = compile("def broken(*given, **options): raise RuntimeError('a bug')", f"{PACKAGE}/made_up.py", "exec")
    scope = {}
    exec(code, scope)
    monkeypatch.setattr("rlx.functions.jit.compile_module", scope["broken"])
    with pytest.raises(RuntimeError) as caught:
        rlx.jit(lambda x: x)(X)
    assert [frame for frame in frames(caught.value) if frame.filename.startswith(PACKAGE)]


def test_an_error_of_a_run_ends_where_the_function_was_called():
    with pytest.raises(rlx.RlxError, match="RLX110") as caught:
        rlx.jit(lambda x, n: x.astype("i32") + n)(X, 2**70)
    assert [frame.filename for frame in frames(caught.value)] == [__file__]


# -- what is not there before a run -----------------------------------------------------------------------------
def item_assigned(x):
    x[0, 1:] = 1
    return x


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda x: x if x.sum() > 0 else -x, ("rlx.lax.cond", "where", "truth value")),
        (lambda x: x if (x > 0).all() and True else -x, ("rlx.lax.cond", "where")),
        (lambda x: [x for _ in range(x.sum())], ("return it", "rlx.debug.print", "static")),
        (lambda x: x * float(x.sum()), ("return it", "rlx.debug.print", "is not a number")),
        (lambda x: x * int(x.sum()), ("return it", "rlx.debug.print")),
        (lambda x: x * complex(x.sum()), ("return it", "rlx.debug.print")),
        (lambda x: x * x.sum().item(), ("return it", "rlx.debug.print")),
        (lambda x: x.tolist(), ("return it", "rlx.debug.print")),
        (item_assigned, ("x = x.at[0, 1:].set(…)", "immutable", "x[0, 1:] = 1")),
    ],
)
def test_what_needs_numbers_while_tracing_is_an_error_that_names_the_way(function, words):
    with pytest.raises(rlx.RlxError, match="RLX108") as caught:
        rlx.jit(function)(X)
    for word in (*words, "test_tracebacks.py"):
        assert word in str(caught.value)


def test_np_asarray_of_a_value_names_the_way():
    with pytest.raises(rlx.RlxError, match=r"RLX108.*not an array"):
        rlx.jit(lambda x: np.asarray(x))(X)


def test_in_place_operators_bind_a_new_value():
    def f(x):
        x += 1
        return x

    given = X.copy()
    np.testing.assert_array_equal(rlx.jit(f)(given), X + 1)
    np.testing.assert_array_equal(given, X)


def test_print_shows_the_abstract_value(capsys):
    rlx.jit(lambda x: (print(x), x)[1])(X)
    assert "f32[3]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("call", "code", "words"),
    [
        (lambda: rlx.grad(lambda x: x * 2)(X), "RLX603", "return one float scalar"),
        (lambda: rlx.grad(lambda x: (x * 2).sum())(np.arange(3)), "RLX602", "argnums=…"),
        (lambda: rlx.grad(lambda x: (x * 2).sum(), argnums=1)(X), "RLX602", "pass it by position"),
        (lambda: rlx.grad(lambda x: {"loss": x.sum()})(X), "RLX603", "return one float scalar"),
    ],
)
def test_gradients_that_do_not_exist_say_what_to_do(call, code, words):
    with pytest.raises(rlx.RlxError, match=code) as caught:
        call()
    assert words in str(caught.value)
