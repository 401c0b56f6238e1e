"""Callbacks: how often, in which order and on what they run; in jit, under every transform, in loops and branches, and eagerly."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import jax
import numpy as np
import pytest
from jax.experimental import io_callback as jax_io_callback

import rlx
from rlx.core.errors import RlxError
from rlx.ir.op import OPS

Array = Any
DEVICES = ("cpu", "reference")
XS = np.float32([1, 2, 3])


def floats(*numbers: float) -> Array:
    return np.array(numbers, np.float32)


class Seen(list[Any]):
    """A function that notes what it is called with."""

    def __call__(self, *arrays: Array) -> None:
        self.append(tuple(array.tolist() for array in arrays) if len(arrays) != 1 else arrays[0].tolist())


@pytest.fixture
def seen() -> Iterator[Seen]:
    yield Seen()


# -- once in each run -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("device", DEVICES)
def test_a_callback_runs_in_each_run_not_when_traced(seen: Seen, device: str) -> None:
    @rlx.jit(device=device)
    def f(x: rlx.Value) -> rlx.Value:
        rlx.debug.callback(seen, x * 2)
        return x + 1

    for number in (1.0, 2.0, 2.0):
        f(floats(number))
    assert seen == [[2.0], [4.0], [4.0]]
    assert f.traces == 1


def test_results_that_nobody_reads_and_equal_calls_stay(seen: Seen) -> None:
    def noted(x: Array) -> Array:
        seen(x)
        return x

    @rlx.jit
    def f(x: rlx.Value) -> rlx.Value:
        for _ in range(2):
            rlx.io_callback(noted, x, x)
        return x

    f(floats(5))
    assert seen == [[5.0], [5.0]]


def test_a_pure_callback_that_nobody_reads_does_not_run(seen: Seen) -> None:
    def noted(x: Array) -> Array:
        seen(x)
        return x

    @rlx.jit
    def f(x: rlx.Value) -> rlx.Value:
        rlx.pure_callback(noted, x, x)
        return x

    f(floats(5))
    assert seen == []


def test_an_effect_of_constants_or_params_alone_runs_in_each_run(seen: Seen) -> None:
    weight = rlx.put(floats(3))

    @rlx.jit
    def f(x: rlx.Value) -> rlx.Value:
        rlx.debug.callback(seen, weight * x.astype("f32").sum() * 0 + weight)
        rlx.debug.callback(seen, OPS["exp"](weight.__rlx_value__(x.graph)))
        rlx.debug.callback(seen, np.float32(1) + np.float32(1))
        return x

    for _ in range(2):
        f(floats(1))
    assert [np.round(x, 2).tolist() for x in seen] == [[3.0], [20.09], 2.0] * 2


def test_order_is_that_of_the_program(seen: Seen) -> None:
    @rlx.jit
    def f(x: rlx.Value) -> rlx.Value:
        big = (x.reshape(1, 3) * np.ones((40, 1), np.float32)) @ np.ones((3, 50), np.float32)
        rlx.debug.callback(seen, big.sum(), ordered=True)
        for number in range(5):
            rlx.io_callback(seen, None, x[0] * number, ordered=bool(number % 2))
        rlx.debug.callback(seen, x[1])
        return big

    f(XS)
    assert seen == [12000.0, 0.0, 1.0, 2.0, 3.0, 4.0, 2.0]


def test_a_program_may_be_nothing_but_an_effect(seen: Seen) -> None:
    f = rlx.jit(lambda x: rlx.debug.callback(seen, x))
    assert f(floats(1, 2)) is None
    assert seen == [[1.0, 2.0]]


def test_arrays_may_be_kept() -> None:
    kept: list[Array] = []
    f = rlx.jit(lambda x: rlx.debug.callback(kept.append, x * 2))
    for number in (1.0, 2.0, 3.0):
        f(floats(number))
    np.testing.assert_array_equal(np.concatenate(kept), floats(2, 4, 6))


def test_new_sizes_do_not_trace_again(seen: Seen) -> None:
    f = rlx.jit(lambda x: rlx.pure_callback(lambda a: a[::-1], x, x) * 2)
    for size in (3, 4, 2, 7):
        x = np.arange(size, dtype=np.float32)
        np.testing.assert_array_equal(f(x), x[::-1] * 2)
    assert f.traces == 2


# -- eager ------------------------------------------------------------------------------------------------------
def test_outside_of_a_trace_they_run_at_once(seen: Seen, capsys: pytest.CaptureFixture[str]) -> None:
    rlx.debug.callback(seen, XS)
    rlx.debug.print("{} and {name}", XS, name="x")
    assert rlx.io_callback(seen, None, XS) is None
    found = rlx.pure_callback(lambda a: {"sum": a.sum(), "max": a.max()}, dict.fromkeys(("sum", "max"), np.float32(0)), XS)
    assert found == {"sum": 6.0, "max": 3.0} and found["sum"].dtype == np.float32
    assert seen == [[1.0, 2.0, 3.0]] * 2
    assert capsys.readouterr().out == "[1. 2. 3.] and x\n"


# -- containers and types ---------------------------------------------------------------------------------------
class Pair(NamedTuple):
    first: Any
    second: Any


@pytest.mark.parametrize("device", DEVICES)
def test_containers_of_arguments_and_results(device: str) -> None:
    def swapped(pair: Pair, scale: int, *, shift: Array) -> dict[str, Any]:
        assert scale == 3 and isinstance(pair, Pair)
        return {"a": (pair.second * scale, pair.first + shift), "b": [pair.first.sum() > 0]}

    def f(x: Any, y: Any) -> Any:
        declared = {"a": (rlx.ShapeDtypeStruct(y.shape, y.dtype), x), "b": [jax.ShapeDtypeStruct((), bool)]}
        call = lambda pair, scale, shift: swapped(pair, scale, shift=shift)  # noqa: E731
        return rlx.pure_callback(call, declared, Pair(x, y), 3, x)

    found = rlx.jit(f, device=device)(floats(1, 2), np.int32([4]))
    np.testing.assert_array_equal(found["a"][0], np.int32([12]))
    np.testing.assert_array_equal(found["a"][1], floats(2, 4))
    assert found["b"][0] == True and found["b"][0].dtype == bool  # noqa: E712


@pytest.mark.parametrize("dtype", ["f64", "f32", "f16", "bf16", "i64", "i8", "u16", "bool", "c64", "c128"])
def test_every_dtype_reaches_the_function_as_it_is(dtype: str) -> None:
    kind = rlx.DType.of(dtype).numpy
    given: list[Any] = []

    def same(a: Array) -> Array:
        given.append(a.dtype)
        return a

    x = np.array([0, 1, 1], kind)
    for device in DEVICES:
        np.testing.assert_array_equal(rlx.jit(lambda x: rlx.pure_callback(same, x, x), device=device)(x), x)
    assert given == [kind, kind]


def test_a_low_precision_policy_leaves_callbacks_in_f32() -> None:
    kinds: list[Any] = []
    f = rlx.jit(lambda x, w: rlx.debug.callback(lambda a: kinds.append(a.dtype), x @ w) or x @ w, precision="always_f16")
    f(np.ones((2, 3), np.float32), np.ones((3, 2), np.float32))
    assert kinds == [np.float32]


# -- errors -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("device", DEVICES)
def test_an_exception_is_the_cause_of_an_error_with_the_users_line(device: str) -> None:
    def broken(x: Array) -> None:
        raise KeyError("no such luck")

    f = rlx.jit(lambda x: rlx.debug.callback(broken, x), device=device)  # here
    for _ in range(2):
        with pytest.raises(RlxError, match="the callback 'broken' raised KeyError: 'no such luck'") as raised:
            f(XS)
        assert raised.value.code == "RLX516" and isinstance(raised.value.__cause__, KeyError)
        assert raised.value.location is not None and "# here" in raised.value.location.source()
    with pytest.raises(RlxError, match="RLX516") as raised:
        rlx.debug.callback(broken, XS)
    assert isinstance(raised.value.__cause__, KeyError)


@pytest.mark.parametrize("device", DEVICES)
def test_a_failed_run_changes_no_state(device: str) -> None:
    fails = [True]

    def sometimes(x: Array) -> tuple[Array, ...]:
        if fails[0]:
            raise ValueError("not yet")
        return ()

    g = rlx.Graph("g")
    x, count = g.input("x", (2,)), g.state("count", (2,))
    g.update("count", count + x)
    g.debug_callback(x, function=sometimes)
    g.set_outputs([x * 2])
    exe = rlx.compile(g, device)
    exe.session.init_state()
    with pytest.raises(RlxError, match="not yet"):
        exe(floats(1, 2))
    np.testing.assert_array_equal(exe.session.state("count"), floats(0, 0))
    fails[0] = False
    exe(floats(1, 2))
    np.testing.assert_array_equal(exe.session.state("count"), floats(1, 2))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(
    "result, message",
    [
        (lambda a: a[:2], "f32\\[2\\]"),
        (lambda a: a * 1j, "c64\\[3\\]"),
        (lambda a: (a, a), r"returned PyTreeDef\(\(\*, \*\)\)"),
        (lambda a: None, r"returned PyTreeDef\(None\)"),
    ],
)
def test_results_of_another_type_are_an_error(device: str, result: Callable[..., Any], message: str) -> None:
    f = rlx.jit(lambda x: rlx.pure_callback(result, x, x), device=device)
    with pytest.raises(RlxError, match=message) as raised:
        f(XS)
    assert raised.value.code == "RLX516"


def test_a_symbolic_result_of_another_size_is_an_error() -> None:
    f = rlx.jit(lambda x: rlx.pure_callback(lambda a: a[:1], x, x), dims={"x": ("n",)})
    with pytest.raises(RlxError, match=r"returned shape \(1,\), the result has \(3,\)") as raised:
        f(XS)
    assert raised.value.code == "RLX516"


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: rlx.debug.print("{} {}", 1), "1 values and no names"),
        (lambda: rlx.debug.print("{x}", y=1), "'x'"),
        (lambda: rlx.debug.print("{}", 1, 2), "no field for argument 1"),
        (lambda: rlx.debug.print("nothing", y=1), "no field for y"),
        (lambda: rlx.debug.print("{", 1), "expected '}'"),
        (lambda: rlx.debug.print(3), "the format of debug.print is 3"),
        (lambda: rlx.debug.callback(3, XS), "debug_callback of 3, which is not a function"),
        (lambda: rlx.pure_callback(abs, 3.0, XS), "3.0 has no shape and dtype"),
        (lambda: rlx.pure_callback(abs, "f32", XS), "'f32' has no shape and dtype"),
        (lambda: rlx.jit(lambda x: rlx.pure_callback(abs, x, x, vmap_method="often"))(XS), "'often' is not a VmapMethod"),
    ],
)
def test_wrong_arguments_are_told_where_they_are_written(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(RlxError) as raised:
        call()
    assert message in str(raised.value)


def test_a_program_with_a_callback_is_reported_and_neither_stored_nor_saved(tmp_path: Path) -> None:
    g = rlx.Graph("printing")
    x = g.input("x", (2,))
    g.debug_callback(x, function=lambda a: ())
    g.set_outputs([x * 2])
    exe = rlx.compile(g, "cpu", strict=True)
    assert "debug_callback runs in Python, on the calling thread" in str(exe.report)
    assert "not stored, it holds registered ops or callbacks" in str(exe.report) or "it calls Python" in str(exe.report)
    with pytest.raises(RlxError, match=r"calls Python \(debug_callback\); only compiled code can be saved"):
        exe.save(tmp_path / "printing.rlx")


def test_the_text_names_a_function_that_this_process_reads_back() -> None:
    g = rlx.Graph("g")
    x = g.input("x", (2, rlx.Dim("n")))
    g.debug_callback(x, function=print, ordered=True)
    found = g.pure_callback(x, function=lambda a: (a,), results=[x.type], vmap_method="sequential")
    g.set_outputs(list(found))
    assert rlx.graphs.parse(str(g)) == g
    other = str(g).replace('"print#', '"print#9')
    with pytest.raises(RlxError, match="is not in this process"):
        rlx.graphs.parse(other)


# -- printing, beside JAX ---------------------------------------------------------------------------------------
def printed(capsys: pytest.CaptureFixture[str], run: Callable[[], Any]) -> str:
    capsys.readouterr()
    run()
    jax.effects_barrier()
    return capsys.readouterr().out


def both(capsys: pytest.CaptureFixture[str], program: Callable[[Any, Any], Callable[..., Any]], *arrays: Array) -> str:
    """What a program prints, written for either library; the same, as lines."""
    mine = printed(capsys, lambda: program(rlx, rlx.lax)(*arrays))
    theirs = printed(capsys, lambda: program(jax, jax.lax)(*arrays))
    assert mine == theirs
    return mine


def test_print_formats_as_jax(capsys: pytest.CaptureFixture[str]) -> None:
    def program(library: Any, _: Any) -> Callable[..., Any]:
        def f(x: Any) -> Any:
            show = partial(library.debug.print, ordered=True)
            show("{} {:.3f} {{}} {name!s:>4} {last}", x, x.sum(), name="ab", last=x[0] > 0)
            show("no values")
            return x

        return library.jit(f)

    assert both(capsys, program, XS) == "[1. 2. 3.] 6.000 {}   ab True\nno values\n"


def test_print_in_a_scan_a_branch_and_a_loop(capsys: pytest.CaptureFixture[str]) -> None:
    def program(library: Any, lax: Any) -> Callable[..., Any]:
        show = partial(library.debug.print, ordered=True)

        def step(carry: Any, x: Any) -> Any:
            show("row {}", x)
            big = lambda c: show("large {}", c) or c  # noqa: E731
            carry = lax.cond(x > 1.5, big, lambda c: c, carry + x)
            return carry, None

        def more(c: Any) -> Any:
            show("still {}", c)
            show("a round")
            return c - 4.0

        return library.jit(lambda xs: lax.while_loop(lambda c: c > 0.0, more, lax.scan(step, np.float32(0), xs)[0]))

    assert len(both(capsys, program, XS).splitlines()) == 9


TRANSFORMS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "value_and_grad": lambda library, f, x: library.value_and_grad(f)(x),
    "grad": lambda library, f, x: library.grad(f)(x),
    "jvp": lambda library, f, x: library.jvp(f, (x,), (x,)),
    "vjp": lambda library, f, x: library.vjp(f, x)[1](np.float32(1)),
    "linearize": lambda library, f, x: library.linearize(f, x)[1](x),
    "jit grad": lambda library, f, x: library.jit(library.grad(f))(x),
    "hessian": lambda library, f, x: library.jvp(library.grad(f), (x,), (x,)),
    "jacfwd": lambda library, f, x: library.jacfwd(f)(x),
    "jacrev": lambda library, f, x: library.jacrev(f)(x),
}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_a_derivative_prints_the_function_s_values_once(capsys: pytest.CaptureFixture[str], name: str) -> None:
    def f(x: rlx.Value) -> rlx.Value:
        rlx.debug.print("top {}", x)

        def step(carry: rlx.Value, row: rlx.Value) -> tuple[rlx.Value, None]:
            rlx.debug.print("row {}", row)
            inner = rlx.lax.cond(row > 1.5, lambda c: rlx.debug.print("large") or c * row, lambda c: c + row, carry)
            return inner, None

        return rlx.lax.scan(step, np.float32(1), x)[0]

    wanted = "top [1. 2. 3.]\nrow 1.0\nrow 2.0\nlarge\nrow 3.0\nlarge\n"
    assert printed(capsys, lambda: TRANSFORMS[name](rlx, f, XS)) == wanted


@pytest.mark.parametrize("name", ["value_and_grad", "jvp", "vjp", "linearize"])
def test_checkpoints_limited_loops_and_custom_rules_print_once(capsys: pytest.CaptureFixture[str], name: str) -> None:
    @rlx.checkpoint
    def kept(x: Any) -> Any:
        rlx.debug.print("checkpoint {}", x.sum())
        return OPS["sin"](x)

    @rlx.custom_jvp
    def ruled(x: Any) -> Any:
        rlx.debug.print("never in a derivative")
        return x * x

    @ruled.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        rlx.debug.print("rule {}", primals[0].sum())
        return primals[0] * primals[0], 2.0 * primals[0] * tangents[0]

    def f(x: Any) -> Any:
        def body(carry: Any) -> Any:
            rlx.debug.print("round {}", carry[1])
            return carry[0] * 2.0, carry[1] + 1.0

        first = kept(x).sum()
        last = rlx.lax.while_loop(lambda c: c[1] < 3.0, body, (first, np.float32(0)), max_iterations=4)[0]
        return last + ruled(x).sum()

    wanted = "checkpoint 6.0\nround 0.0\nround 1.0\nround 2.0\nrule 6.0\n"
    assert printed(capsys, lambda: TRANSFORMS[name](rlx, f, XS)) == wanted


def test_a_rule_of_reverse_mode_prints_where_it_runs(capsys: pytest.CaptureFixture[str]) -> None:
    @rlx.custom_vjp
    def f(x: Any) -> Any:
        return x * 2.0

    def backward(_: Any, g: Any) -> Any:
        rlx.debug.print("cotangent {}", g)
        return (g * 2.0,)

    f.defvjp(lambda x: (rlx.debug.print("forward {}", x) or x * 2.0, None), backward)
    loop = lambda x: rlx.lax.scan(lambda c, _: (f(c), None), x, length=2)[0]  # noqa: E731
    out = printed(capsys, lambda: rlx.grad(loop)(np.float32(1)))
    assert out == "forward 1.0\nforward 2.0\ncotangent 1.0\ncotangent 2.0\n"


def test_what_an_io_callback_returned_is_not_asked_for_twice() -> None:
    counts = iter(range(100))

    def number(_: Array) -> Array:
        return np.float32(next(counts))

    def f(x: Any) -> Any:
        return (x * rlx.lax.stop_gradient(rlx.io_callback(number, np.float32(0), rlx.lax.stop_gradient(x.sum())))).sum()

    next(counts)
    np.testing.assert_array_equal(rlx.grad(f)(XS), floats(1, 1, 1))
    loop = lambda x: rlx.lax.scan(lambda c, row: (c + f(row.reshape(1)), None), np.float32(0), x)[0]  # noqa: E731
    with pytest.raises(RlxError, match="io_callback is part of, and needs its results: it would run twice"):
        rlx.grad(loop)(XS)


@pytest.mark.parametrize("name", ["pure_callback", "io_callback"])
def test_functions_of_the_user_have_no_derivative_but_one_can_be_given(name: str) -> None:
    call = getattr(rlx, name)
    with pytest.raises(RlxError, match=f"{name} has no vjp: Python is not differentiated"):
        rlx.grad(lambda x: call(np.sin, x, x).sum())(XS)
    with pytest.raises(RlxError, match=f"{name} has no jvp"):
        rlx.jvp(lambda x: call(np.sin, x, x), (XS,), (XS,))

    @rlx.custom_vjp
    def sine(x: Any) -> Any:
        return call(np.sin, x, x)

    sine.defvjp(lambda x: (sine(x), x), lambda x, g: (g * OPS["cos"](x),))
    np.testing.assert_allclose(rlx.grad(lambda x: sine(x).sum())(XS), np.cos(XS), rtol=1e-6)


# -- vmap -------------------------------------------------------------------------------------------------------
def test_vmap_prints_each_example_and_shared_values_once(capsys: pytest.CaptureFixture[str]) -> None:
    def program(library: Any, lax: Any) -> Callable[..., Any]:
        def f(x: Any, y: Any) -> Any:
            library.debug.print("x {} {}", x, y, ordered=True)
            library.debug.print("y {}", y, ordered=True)
            return x * y

        return library.vmap(f, in_axes=(0, None))

    assert both(capsys, program, XS, np.float32(2)) == "x 1.0 2.0\nx 2.0 2.0\nx 3.0 2.0\ny 2.0\n"


def test_under_vmap_an_example_prints_in_the_branch_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: Any) -> Any:
        y = rlx.lax.cond(x > 1.5, lambda x: rlx.debug.print("large {}", x) or x * 2, lambda x: x, x)

        def less(c: Any) -> Any:
            rlx.debug.print("down from {}", c)
            return c - 2.0

        return rlx.lax.while_loop(lambda c: c > 2.0, less, y)

    found: list[Array] = []
    out = printed(capsys, lambda: found.append(rlx.vmap(f)(XS)))
    np.testing.assert_array_equal(found[0], floats(1, 2, 2))
    lines = out.splitlines()
    assert lines == ["large 2.0", "large 3.0", "down from 4.0", "down from 6.0", "down from 4.0"]


@pytest.mark.parametrize(
    "method, shapes", [("sequential", [(2,), (2,)] * 3), ("expand_dims", [(3, 2), (1, 2)]), ("broadcast_all", [(3, 2)] * 2)]
)
def test_vmap_methods_are_jax_s(method: str, shapes: list[tuple[int, ...]]) -> None:
    x, y = np.arange(6, dtype=np.float32).reshape(3, 2), floats(10, 20)

    def program(library: Any) -> tuple[Array, list[tuple[int, ...]]]:
        given: list[tuple[int, ...]] = []

        def add(a: Array, b: Array) -> Array:
            given.extend((np.shape(a), np.shape(b)))
            return np.asarray(a) + np.asarray(b)

        declared = rlx.ShapeDtypeStruct((2,), "f32") if library is rlx else jax.ShapeDtypeStruct((2,), np.float32)
        call = lambda a, b: library.pure_callback(add, declared, a, b, vmap_method=method)  # noqa: E731
        return np.asarray(library.vmap(call, in_axes=(0, None))(x, y)), given

    (mine, given), (theirs, given_theirs) = program(rlx), program(jax)
    np.testing.assert_array_equal(mine, theirs)
    assert given == given_theirs == shapes


def test_a_pure_callback_that_does_not_say_how_it_is_batched_is_an_error() -> None:
    with pytest.raises(RlxError, match="the callback 'sin' does not say how it is batched"):
        rlx.vmap(lambda x: rlx.pure_callback(np.sin, x, x))(XS)


def test_io_callbacks_under_vmap_run_in_order_as_jax_s(seen: Seen) -> None:
    def program(library: Any, call: Any) -> tuple[Array, list[Any]]:
        given: list[Any] = []

        def double(a: Array) -> Array:
            given.append(float(a))
            return np.float32(a * 2)

        f = library.jit(library.vmap(lambda x: call(double, np.float32(0), x)))
        return np.asarray(f(XS)), given

    (mine, given), (theirs, given_theirs) = program(rlx, rlx.io_callback), program(jax, jax_io_callback)
    np.testing.assert_array_equal(mine, theirs)
    assert given == given_theirs


def test_the_same_numbers_with_and_without_prints() -> None:
    """Effects change no value and no derivative, whatever transforms are around them."""

    def f(x: Any, shown: bool) -> Any:
        def step(c: Any, row: Any) -> Any:
            if shown:
                rlx.debug.callback(lambda *_: None, c, row)
            return OPS["sin"](c * row), c

        last, rows = rlx.lax.scan(step, x.sum(), x)
        return last * rows.sum()

    x = np.stack([XS, XS * 0.5])
    for transform in (rlx.vmap, lambda f: rlx.vmap(rlx.grad(f)), lambda f: rlx.vmap(lambda x: rlx.jvp(rlx.grad(f), (x,), (x,))[1])):
        plain, noted = (transform(lambda x, shown=shown: f(x, shown))(x) for shown in (False, True))
        np.testing.assert_array_equal(plain, noted)


def test_a_callback_runs_on_the_calling_thread_and_may_run_programs() -> None:
    inner = rlx.jit(lambda x: (x @ x).sum())
    threads: list[int] = []

    def nested(a: Array) -> Array:
        threads.append(threading.get_ident())
        return inner(a)

    big = np.ones((128, 128), np.float32)
    f = rlx.jit(lambda x: rlx.pure_callback(nested, np.float32(0), x @ x) + (x @ x).sum())
    assert f(big) == 128.0**5 + 128.0**3  # exact in f32
    assert set(threads) == {threading.get_ident()}


def test_a_graph_with_an_effect_is_inspected_bound_and_batched(seen: Seen) -> None:
    g = rlx.Graph("g")
    x = g.input("x", (2,))
    g.debug_callback(x, function=lambda a: seen(a) or ())
    g.set_outputs({"y": x * 2})
    assert "debug_callback" in str(rlx.GraphModule.from_graph(g).inspect())
    many = rlx.autodiff.vmap(g)
    np.testing.assert_array_equal(rlx.compile(many, "cpu")(x=floats(1, 2, 3, 4).reshape(2, 2)), [[2, 4], [6, 8]])
    assert seen == [[1.0, 2.0], [3.0, 4.0]]
    seen.clear()
    rlx.compile(rlx.autodiff.jvp(g, "x"), "cpu").run({"x": floats(1, 2), "tangent_x": floats(1, 1)})
    rlx.compile(rlx.autodiff.vjp(g, "x"), "cpu").run({"x": floats(3, 4), "d_y": floats(1, 1)})
    rlx.compile(rlx.autodiff.jacrev(g, "x"), "cpu")(floats(5, 6))
    assert seen == [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
