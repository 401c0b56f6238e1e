"""Public entry points with what a new user may pass by mistake: always an RLX error with the user's line, never a bare exception."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rlx
from rlx import Dim, Graph, RlxError, Session, Shape

X = np.ones(2, np.float32)
WRONG: list[Any] = [
    None,
    5,
    1.5,
    "x",
    "",
    b"x",
    True,
    [],
    {},
    (),
    object(),
    float("nan"),
    2**70,
    -1,
    np.float32(1),
    np.ones(2),
    [None],
    "softmaxx",
]


def graph() -> Graph:
    g = Graph("g")
    g.set_outputs({"y": g.input("x", ("n", 4)) * 2})
    return g


def loss() -> Graph:
    g = Graph("g")
    g.set_outputs({"loss": g.sum(g.param("w", (2,)), axes=(0,))})
    return g


def value() -> Any:
    return Graph("g").input("x", ("n", 4))


def executable() -> rlx.Executable:
    g = Graph("g")
    x, w, s = g.input("x", ("n", 4)), g.param("w", (4,)), g.state("s", (4,))
    g.update(s, s + 1)
    g.set_outputs({"y": x * w + s})
    exe = rlx.compile(g, "reference")
    exe.set_param("w", np.ones(4, np.float32))
    return exe


def with_state(target: Any, new: Any) -> None:
    g = Graph("g")
    g.state("s", (2,))
    g.update(target, new)


FACETS = [
    "operands",
    "infer",
    "reference",
    "attrs",
    "kernels",
    "native",
    "kind",
    "doc",
    "results",
    "tolerance",
    "can_fail",
    "vjp",
    "jvp",
    "batch",
    "cases",
    "decompose",
    "cost",
    "normalize",
    "compute_dtype",
    "saving",
    "view",
    "unheard_of",
]


def registered(**wrong: Any) -> None:
    """An op with one wrong facet; what is taken is forgotten again."""
    facets = {"name": "test_wrong_facet", "operands": "x", "infer": lambda call: call.given[0], "reference": lambda x: x, **wrong}
    name, operands = facets.pop("name"), facets.pop("operands")
    rlx.register_op(name, operands, **facets)
    rlx.graphs.unregister_op(name)


def run_twice(out: Any) -> None:
    """The second run takes the short way."""
    exe, x = executable(), np.ones((2, 4), np.float32)
    exe.run({"x": x})
    exe.run({"x": x}, out=out)


def wrong_key(wrong: Any) -> Any:
    return wrong if wrong.__hash__ is not None else (str(wrong),)


CALLS: dict[str, Callable[[Any], Any]] = {
    "compile": rlx.compile,
    "compile for a device": lambda wrong: rlx.compile(graph(), wrong),
    "compile in a session": lambda wrong: rlx.compile(graph(), session=wrong),
    "lower": rlx.graphs.lower,
    "lower for a device": lambda wrong: rlx.graphs.lower(graph(), wrong),
    **{
        name: lambda wrong, name=name: rlx.compile(graph(), "reference", **{name: wrong})
        for name in ("trap_nan", "quant_mode", "policy")
    },
    "verify": rlx.graphs.verify,
    "parse": rlx.graphs.parse,
    "load": rlx.load,
    "load_executable": rlx.load_executable,
    "load_model": rlx.load_model,
    "save": lambda wrong: rlx.compile(graph(), "reference").save(wrong),
    "Graph": lambda wrong: str(Graph(wrong)),
    "Dim": Dim,
    "min of a Dim": lambda wrong: Dim("n", min=wrong),
    "max of a Dim": lambda wrong: Dim("n", max=wrong),
    "Shape": Shape,
    "a size": lambda wrong: Shape([wrong]),
    "dtype of a shape": lambda wrong: Shape((2,), wrong),
    "device of a session": lambda wrong: Session(wrong).compile(graph()),
    "name of an input": lambda wrong: Graph("g").input(wrong, (2,)),
    "shape of an input": lambda wrong: Graph("g").input("x", wrong),
    "dtype of an input": lambda wrong: Graph("g").input("x", (2,), wrong),
    "scheme of a param": lambda wrong: Graph("g").param("x", (32, 32), scheme=wrong),
    "init of a state": lambda wrong: Graph("g").state("x", (2,), init=wrong),
    "constant": lambda wrong: Graph("g").constant(wrong),
    "dtype of a constant": lambda wrong: Graph("g").constant(1.0, wrong),
    "outputs": lambda wrong: graph().set_outputs(wrong),
    "an output": lambda wrong: graph().set_outputs({"y": wrong}),
    "update": lambda wrong: with_state(wrong, X),
    "the new value of a state": lambda wrong: with_state("s", wrong),
    "index": lambda wrong: value()[wrong],
    "reshape": lambda wrong: value().reshape(wrong),
    "astype": lambda wrong: value().astype(wrong),
    "axes": lambda wrong: value().sum(wrong),
    "axis": lambda wrong: graph().softmax(X, axis=wrong),
    "operand": lambda wrong: graph().softmax(wrong, axis=0),
    "name of a value": lambda wrong: graph().exp(value(), name=wrong),
    "name of a param": lambda wrong: executable().set_param(wrong, X),
    "param": lambda wrong: executable().set_param("w", wrong),
    "params": lambda wrong: executable().set_params(wrong),
    "read a param": lambda wrong: executable().param(wrong),
    "read a state": lambda wrong: executable().state(wrong),
    "state": lambda wrong: executable().session.set_state("s", wrong),
    "init_state": lambda wrong: executable().session.init_state(wrong),
    "snapshot": lambda wrong: executable().session.snapshot(wrong),
    "restore": lambda wrong: executable().session.restore(wrong),
    "run": lambda wrong: executable().run(wrong),
    "call": lambda wrong: executable()(wrong),
    "grad": rlx.grad,
    "argnums": lambda wrong: rlx.grad(lambda x: (x * x).sum(), wrong)(X),
    "vjp": lambda wrong: rlx.vjp(wrong, X),
    "jvp": lambda wrong: rlx.jvp(wrong, (X,), (X,)),
    "primals": lambda wrong: rlx.jvp(lambda x: x * x, wrong, (X, X)),
    "vmap": rlx.vmap,
    "jacfwd": rlx.jacfwd,
    "jit": rlx.jit,
    "unregister_op": rlx.graphs.unregister_op,
    "register_op": lambda wrong: registered(name=wrong),
    **{f"{facet} of register_op": lambda wrong, facet=facet: registered(**{facet: wrong}) for facet in FACETS},
    "check": rlx.check,
    "inputs of check": lambda wrong: rlx.check(executable(), wrong),
    "out": lambda wrong: executable().run({"x": np.ones((2, 4), np.float32)}, out=wrong),
    "out of the second run": lambda wrong: run_twice(out=wrong),
    "an array of out": lambda wrong: run_twice(out={"y": wrong}),
    "a name of out": lambda wrong: run_twice(out={"y": np.empty((2, 4), np.float32), wrong_key(wrong): X, "z": X}),
    "runs of profile": lambda wrong: executable().profile({"x": np.ones((2, 4), np.float32)}, runs=wrong, limits=False),
    "learning rate": lambda wrong: rlx.train.SGD(lr=wrong),
    "weight decay": lambda wrong: rlx.train.AdamW(weight_decay=wrong),
    "betas": lambda wrong: rlx.train.AdamW(betas=wrong),
    "a beta": lambda wrong: rlx.train.Lion(betas=(0.9, wrong)),
    "compile_training": lambda wrong: rlx.train.compile_training(wrong, "loss", rlx.train.SGD(0.1)),
    "loss": lambda wrong: rlx.train.compile_training(graph(), wrong, rlx.train.SGD(0.1)),
    "optimizer": lambda wrong: rlx.train.compile_training(loss(), "loss", wrong),
    "calibration": lambda wrong: rlx.quant.quantize(graph(), wrong),
}


@pytest.mark.parametrize("call", CALLS)
def test_wrong_arguments_are_rlx_errors(call, tmp_path, monkeypatch) -> None:
    """Where a value happens to be taken, nothing is raised at all: `5` is a shape, a number is a literal."""
    monkeypatch.chdir(tmp_path)
    raised = 0
    for wrong in WRONG:
        try:
            CALLS[call](wrong)
        except RlxError as error:
            raised += 1
            assert error.location is None or error.location.file == __file__, str(error)
    assert raised, "every wrong value was taken"


def test_out_that_is_wrong_is_named_and_nothing_is_run() -> None:
    exe, x = executable(), np.ones((2, 4), np.float32)
    for out in ([], "y", 3, np.empty((2, 4), np.float32)):
        with pytest.raises(RlxError, match=rf"RLX507.*out is a {type(out).__name__}"):
            exe.run({"x": x}, out=out)
    with pytest.raises(RlxError, match=r"RLX507.*out\['y'\] is NoneType"):
        exe.run({"x": x}, out={"y": None})
    with pytest.raises(RlxError, match=r"RLX507.*\(1,\) is not an output"):
        exe.run({"x": x}, out={(1,): x, "z": x})
    np.testing.assert_array_equal(exe.run({"x": x})["y"], x)  # the state has not advanced


@pytest.mark.parametrize("runs", [0, -1, 2**70, "3", 1.5, True, None])
def test_profile_takes_a_number_of_runs_that_ends(runs) -> None:
    with pytest.raises(RlxError, match=r"RLX406.*runs is"):
        executable().profile({"x": np.ones((2, 4), np.float32)}, runs=runs)


def test_a_failed_registration_leaves_the_op_that_was_there() -> None:
    facets = {"infer": lambda call: call.given[0], "reference": lambda x: x}
    rlx.register_op("test_kept", "x", **facets)
    try:
        with pytest.raises(RlxError, match=r"RLX105.*has no facet 'vpj'"):
            rlx.register_op("test_kept", "x", replace=True, vpj=lambda: None, **facets)
        g = Graph("g")
        g.set_outputs([g.custom("test_kept", g.input("x", (2,)))])
        np.testing.assert_array_equal(rlx.compile(g, "reference")(X), X)
    finally:
        rlx.graphs.unregister_op("test_kept")


@pytest.mark.parametrize("transform", [rlx.jit, rlx.grad, rlx.vmap])
def test_a_function_of_no_parameters_called_with_an_argument_says_so(transform) -> None:
    with pytest.raises(TypeError, match="takes 0 positional arguments but 1 was given"):
        transform(lambda: 1.0)(X)


@pytest.mark.parametrize("transform", [rlx.jit, rlx.grad, rlx.value_and_grad, lambda f: rlx.vmap(f, in_axes=(0, None)), rlx.jacfwd])
def test_a_number_of_more_than_64_bits_is_rlx110(transform) -> None:
    with pytest.raises(RlxError, match=r"RLX110.*does not fit i64"):
        transform(lambda x, k: (x * k).sum())(X, 2**70)
