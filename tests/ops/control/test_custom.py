"""custom_fn and registered ops: values, names, host calls, and errors that say which name or count is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.backends.cpu.backend import CpuBackend
from rlx.backends.cpu.compile.program import pack_program
from rlx.backends.cpu.kernels.region.region import lower_elementwise
from rlx.core.errors import RlxError
from rlx.core.report import Report
from rlx.ir.attributes import Attr
from rlx.ir.op import OPS
from rlx.ir.verify import verify
from rlx.module import Graph
from rlx.ops.control.custom_values import USER_KERNELS, register_op, unregister_op
from rlx.passes.entry import Options
from tests.ops.running import decomposed, draw, run

DEVICES = pytest.mark.parametrize("device", ["reference", "cpu"])


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    before = set(USER_KERNELS)
    yield
    for name in set(USER_KERNELS) - before:
        unregister_op(name)


# -- custom_fn --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("row", OPS["custom_fn"].cases(), ids=lambda row: row.note)  # type: ignore[operator]
def test_cases(row: Any) -> None:
    found, wanted = (evaluate(OPS["custom_fn"], *row.arrays(), **row.attrs) for evaluate in (run, decomposed))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)


@DEVICES
def test_the_value_is_the_forward_body(device: str) -> None:
    g = Graph("custom")
    x, n, w = g.input("x", ("rows", 3)), g.input("n", ("rows",), "i32"), g.input("w", (3,))

    def forward(x: Any, n: Any) -> Any:
        return g.round(x) * w, n + 1, x.sum(1)

    def gradient(x: Any, n: Any, d_output_0: Any, d_output_2: Any) -> Any:
        return d_output_0 * w + d_output_2.reshape(-1, 1)

    def tangent(x: Any, n: Any, tangent_0: Any, primal_output_0: Any) -> Any:
        return tangent_0 * primal_output_0, tangent_0.sum(1)

    found = g.custom_fn_multi([x, n], forward, gradient, tangent)
    assert found.n_outputs() == 3 and found.output(g, 1).dtype.name == "i32"
    g.set_outputs({f"y{i}": value for i, value in enumerate(found)})
    verify(g)
    assert rlx.graphs.parse(str(g)) == g
    op = g.node(found[0].ref).op
    assert list(op["vjp_body"].inputs)[:3] == ["x", "n", "primal_output_0"] and op["num_captured"] == 1
    arrays = {"x": draw((4, 3), seed=1), "n": np.int32([1, 2, 3, 4]), "w": draw((3,), seed=2)}
    answers = rlx.compile(g, device).run(arrays)
    np.testing.assert_allclose(answers["y0"], np.round(arrays["x"]) * arrays["w"], rtol=1e-6)
    np.testing.assert_array_equal(answers["y1"], arrays["n"] + 1)
    np.testing.assert_allclose(answers["y2"], arrays["x"].sum(1), rtol=1e-5)


def _body(inputs: dict[str, Any], *outputs: str) -> Graph:
    g = Graph("body")
    values = {name: g.input(name, *((shape,) if not isinstance(shape, str) else ((4,), shape))) for name, shape in inputs.items()}
    g.set_outputs([values[name] * 1 for name in outputs])
    return g


_X = {"x": (4,)}
_ALL = {**_X, "primal_output": (4,), "d_output": (4,)}


@pytest.mark.parametrize(
    ("vjp", "jvp", "message"),
    [
        (_body({**_X, "primal_output": (4,)}, "x"), None, "the vjp_body has no input 'd_output'; its inputs are x, primal_output"),
        (_body({**_X, "d_output": (4,)}, "x"), None, "the vjp_body has no input 'primal_output'"),
        (_body({**_ALL, "d_output_1": (4,)}, "x"), None, "an input 'd_output_1' that stands for nothing"),
        (_body({**_ALL, "y": (4,)}, "x"), None, "2 inputs for primals (x, y), there are 1 primals"),
        (_body({"primal_output": (4,), "d_output": (4,)}, "d_output"), None, "0 inputs for primals (none)"),
        (
            _body(_ALL, "x", "d_output"),
            None,
            "the vjp_body returns 2 values, one gradient for each float or complex primal: 1 (x0)",
        ),
        (_body({**_ALL, "d_output": (3,)}, "x"), None, "input d_output of the vjp_body is f32[3], expected f32[4]"),
        (None, _body(_X, "x"), "the jvp_body has no input 'tangent_0'; its inputs are x"),
        (None, _body({**_X, "tangent_0": (4,), "tangent_1": (4,)}, "x"), "an input 'tangent_1' that stands for nothing"),
        (None, _body({**_X, "tangent_0": (4,)}, "x", "x"), "the jvp_body returns 2 values"),
    ],
)
def test_errors_say_which_name_or_count(vjp: Graph | None, jvp: Graph | None, message: str) -> None:
    g = Graph("errors")
    with pytest.raises(RlxError) as raised:
        g.custom_fn([g.input("x", (4,))], lambda x: x * 2, vjp, jvp)
    assert message in str(raised.value)


def test_functions_with_the_wrong_parameters_are_named() -> None:
    g = Graph("errors")
    x = g.input("x", (4,))
    with pytest.raises(RlxError, match=r"gradient has 2 parameters for primals \(a, b\), there are 1 primals"):

        def gradient(a: Any, b: Any, d_output: Any) -> Any:
            return d_output

        g.custom_fn([x], lambda x: x * 2, gradient)
    with pytest.raises(RlxError, match="the fwd_body returns 2 values"):
        g.custom_fn([x], lambda x: (x, x))
    with pytest.raises(RlxError, match="output 2 of a custom_fn with 2 results"):
        g.custom_fn_multi([x], lambda x: (x, x)).output(g, 2)


def test_integer_primals_have_no_gradient() -> None:
    g = Graph("ints")
    x, n = g.input("x", (4,)), g.input("n", (4,), "i32")
    g.custom_fn([x, n], lambda x, n: x * n, vjp_body=lambda x, n, d_output: d_output * n)
    with pytest.raises(RlxError, match="returns 2 values, one gradient for each float or complex primal: 1"):
        g.custom_fn([x, n], lambda x, n: x * n, vjp_body=lambda x, n, d_output: (d_output, d_output))


# -- registered ops ---------------------------------------------------------------------------------------------
def _affine(**kernels: Any) -> Any:
    return register_op(
        "affine",
        "x, y?",
        infer=lambda call: call.given[0],
        attrs={"scale": Attr("float", 2.0)},
        reference=lambda x, y=None, *, scale: x * scale + (0 if y is None else y),
        **kernels,
    )


def _python(x: Any, y: Any = None, *, scale: float) -> Any:
    return np.asarray(x * np.float32(scale) + (0 if y is None else y), np.float32)


@DEVICES
@pytest.mark.parametrize("symbolic", [False, True])
def test_a_python_kernel_is_a_host_call(device: str, symbolic: bool) -> None:
    _affine(kernels={"cpu": _python})
    g = Graph("host")
    x = g.input("x", ("n" if symbolic else 5, 3))
    turned = g.custom("affine", x.T, scale=3.0)  # a view: the kernel sees strides
    g.set_outputs({"y": g.custom("affine", turned, g.exp(x.T)) + 1})
    assert rlx.graphs.parse(str(g)) == g
    exe = rlx.compile(g, device)
    for rows in (5, 2) if symbolic else (5,):
        array = draw((rows, 3), seed=rows)
        np.testing.assert_allclose(exe(x=array), (array * 6 + np.exp(array)).T + 1, rtol=1e-5)
    if device == "cpu":
        assert "affine runs in Python, on the calling thread" in str(exe.report)


def test_a_host_call_inside_a_loop() -> None:
    _affine(kernels={"cpu": _python})
    g = Graph("host")
    xs = g.input("xs", (6, 3))
    (last,), (ys,) = g.scan_general(
        lambda c, x: (g.custom("affine", c, x, scale=0.5), c * x), g.constant(np.zeros(3, np.float32)), xs
    )
    g.set_outputs({"last": last, "ys": ys})
    arrays = {"xs": draw((6, 3), seed=1)}
    wanted, found = (rlx.compile(g, device).run(arrays) for device in ("reference", "cpu"))
    for name, array in wanted.items():
        np.testing.assert_allclose(found[name], array, rtol=1e-5)


def test_what_a_python_kernel_raises_comes_out() -> None:
    def broken(x: Any, y: Any = None, *, scale: float) -> Any:
        raise ValueError("no such luck")

    _affine(kernels={"cpu": broken})
    g = Graph("host")
    g.set_outputs([g.custom("affine", g.input("x", (3,)))])
    exe = rlx.compile(g)
    for _ in range(2):
        with pytest.raises(ValueError, match="no such luck"):
            exe(x=np.ones(3, np.float32))


def test_a_kernel_that_returns_the_wrong_shape_is_told() -> None:
    _affine(kernels={"cpu": lambda x, y=None, *, scale: x[:1]})
    g = Graph("host")
    g.set_outputs([g.custom("affine", g.input("x", (3,)))])
    with pytest.raises(ValueError, match=r"the kernel of affine returned shape \(1,\), the result has \(3,\)"):
        rlx.compile(g)(x=np.ones(3, np.float32))


def test_a_program_with_a_host_call_is_not_stored() -> None:
    _affine(kernels={"cpu": _python})
    g = Graph("host")
    g.set_outputs([g.custom("affine", g.input("x", (3,)))])
    backend = CpuBackend.shared()
    program = backend.build(backend.lower(g, Options(), Report()), Report())
    with pytest.raises(RlxError, match=r"Python kernels \(affine\) cannot be stored"):
        pack_program(program)


def test_native_kernels_and_decompositions() -> None:
    register_op("twice", "x", infer=lambda call: call.given[0], reference=lambda x: x + x, decompose=lambda x: x + x)

    def lower(op: Any, inputs: Any, outputs: Any, target: Any) -> Any:
        return lower_elementwise(OPS["neg"].op(), inputs, outputs, target)

    register_op("negated", "x", infer=lambda call: call.given[0], reference=lambda x: -x, native={"cpu": lower})
    g = Graph("native")
    g.set_outputs([g.custom("negated", g.custom("twice", g.input("x", (3,))))])
    exe = rlx.compile(g)
    np.testing.assert_array_equal(exe(x=np.float32([1, 2, 3])), [-2, -4, -6])
    assert "runs in Python" not in str(exe.report)


def test_no_kernel_is_an_error_that_says_so() -> None:
    _affine()
    g = Graph("none")
    g.set_outputs([g.custom("affine", g.input("x", (3,)))])
    with pytest.raises(RlxError, match="affine on cpu: it has no kernel"):
        rlx.compile(g)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: register_op("add", "x", infer=lambda c: c.given[0], reference=abs, replace=True),
            "'add' is a built-in op already",
        ),
        (lambda: register_op("no good", "x", infer=lambda c: c.given[0], reference=abs), "'no good' is not a name"),
        (lambda: (_affine(), _affine()), "'affine' is a registered op already"),
        (lambda: Graph("g").custom("unheard_of"), "'unheard_of' is not a registered op"),
        (lambda: unregister_op("unheard_of"), "'unheard_of' is not a registered op"),
    ],
)
def test_names(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(RlxError) as raised:
        make()
    assert message in str(raised.value)


def test_an_op_may_be_replaced() -> None:
    _affine(kernels={"cpu": _python})
    g = Graph("old")
    g.set_outputs([g.custom("affine", g.input("x", (2,)))])
    np.testing.assert_array_equal(rlx.compile(g)(x=np.ones(2, np.float32)), [2, 2])
    _affine(kernels={"cpu": lambda x, y=None, *, scale: x * 0}, replace=True)
    g = Graph("new")
    g.set_outputs([g.custom("affine", g.input("x", (2,)))])
    np.testing.assert_array_equal(rlx.compile(g)(x=np.ones(2, np.float32)), [0, 0])
