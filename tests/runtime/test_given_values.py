"""What a caller may give as inputs, params and states: everything else is an error that names it, and nothing is cast with loss."""

import numpy as np
import pytest

import rlx
from rlx import Graph, RlxError


def doubled(dtype: str = "f32"):
    g = Graph("doubled")
    x = g.input("x", (2,), dtype)
    g.set_outputs({"y": x + x * g.param("w", (), dtype)})
    exe = rlx.compile(g, "reference")
    exe.set_param("w", np.ones((), rlx.core.dtype.DType.of(dtype).numpy))
    return exe


MASKED = np.ma.array([1.0, 2.0], mask=[True, False], dtype=np.float32)
WRONG_INPUTS = {
    "masked array": (MASKED, "RLX504", "masked"),
    "masked scalar": (np.ma.masked, "RLX504", "masked"),
    "none": (None, "RLX504", "None"),
    "text": ("1 2", "RLX504", "'1 2'"),
    "bytes": (b"12", "RLX504", "b'12'"),
    "text in a list": (["a", "b"], "RLX504", "'a'"),
    "ragged lists": ([[1.0], [1.0, 2.0]], "RLX504", "list"),
    "a dict": ({"a": 1}, "RLX504", "dict"),
    "a set": ({1, 2}, "RLX504", "set"),
    "objects": (np.array([object(), 2]), "RLX504", "object"),
    "a function": (lambda: 1, "RLX504", "function"),
    "complex numbers": ([1j, 2], "RLX504", "complex"),
    "a float64 array": (np.ones(2), "RLX504", "f64"),
    "strings in an array": (np.array(["a", "b"]), "RLX504", "<U1"),
    "times": (np.array(["2020-01-01", "2020-01-02"], "M8[D]"), "RLX504", "datetime64"),
}


@pytest.mark.parametrize("case", WRONG_INPUTS)
def test_an_input_that_is_no_array_of_the_declared_dtype(case) -> None:
    value, code, words = WRONG_INPUTS[case]
    with pytest.raises(RlxError) as caught:
        doubled().run({"x": value})
    assert caught.value.code == code
    assert "'x'" in str(caught.value) and words in str(caught.value) and "test_given_values.py" in str(caught.value)


OUT_OF_RANGE = [
    ("i32", [2**70, 1], "RLX504"),
    ("i32", [2**40, 1], "RLX504"),
    ("u8", [300, 1], "RLX504"),
    ("u8", [-1, 1], "RLX504"),
    ("i32", [1.5, 2], "RLX504"),
    ("i64", [2**63, 1], "RLX504"),
    ("i8", [True, 200], "RLX504"),
    ("f64", [10**400, 1], "RLX504"),
]


@pytest.mark.parametrize(("dtype", "value", "code"), OUT_OF_RANGE)
def test_numbers_that_the_declared_dtype_does_not_hold(dtype, value, code) -> None:
    with pytest.raises(RlxError) as caught:
        doubled(dtype).run({"x": value})
    assert caught.value.code == code and f"declared {dtype}" in str(caught.value)


TAKEN = [
    ("f32", [1, 2], [1, 2]),
    ("f32", (1.5, 2), [1.5, 2]),
    ("f64", [2**70, 1], [2.0**70, 1]),
    ("u8", [100, 1], [100, 1]),
    ("i32", [True, 2], [1, 2]),
    ("f32", [np.float32(1), np.float32(2)], [1, 2]),
    ("u64", [2**63 - 1, 0], [2**63 - 1, 0]),
]


@pytest.mark.parametrize(("dtype", "value", "wanted"), TAKEN)
def test_numbers_in_lists_take_the_declared_dtype(dtype, value, wanted) -> None:
    found = doubled(dtype).run({"x": value})["y"]
    np.testing.assert_array_equal(found, np.array(wanted, found.dtype) * 2)


@pytest.mark.parametrize("given", [[np.ones(2, np.float32)], np.ones(2, np.float32), (1, 2), 3, "x", {"x"}])
def test_inputs_that_are_no_dict_say_how_to_pass_them(given) -> None:
    exe = doubled()
    for run in (exe.run, exe.profile, exe.leaves):
        with pytest.raises(RlxError, match=r"run\(\{'x': …\}\)") as caught:
            run(given)
        assert caught.value.code == "RLX501"
    native = rlx.compile(exe.graph)
    native.set_param("w", np.ones((), np.float32))
    native.run({"x": np.ones(2, np.float32)})
    with pytest.raises(RlxError, match="must be a dict"):  # also after a run that this one might be like
        native.run(given)


@pytest.mark.parametrize(
    ("given", "hint"),
    [({"X": 1}, "did you mean 'x'"), ({"x": [1, 2], "xx": 1}, "the inputs: x"), ({"x": 1, 1: 2}, "the inputs: x")],
)
def test_a_misspelled_input_names_the_one_that_is_there(given, hint) -> None:
    with pytest.raises(RlxError, match=hint) as caught:
        doubled().run(given)
    assert caught.value.code == ("RLX501" if "x" in given else "RLX502")


def test_a_missing_input_is_named() -> None:
    with pytest.raises(RlxError, match="input 'x'") as caught:
        doubled().run({})
    with pytest.raises(RlxError, match="input 'x'"):
        doubled().run({"other": 1})
    assert caught.value.code == "RLX502"


def test_a_value_of_a_graph_is_no_input() -> None:
    with pytest.raises(RlxError, match="a value of a graph"):
        doubled().run({"x": Graph("other").input("x", (2,))})


WRONG_PARAMS = {
    "masked array": np.ma.array(np.float32(1), mask=True),
    "none": None,
    "text": "1",
    "an object": object(),
    "ragged lists": [[1], [1, 2]],
}


@pytest.mark.parametrize("case", WRONG_PARAMS)
def test_a_param_that_is_no_array(case) -> None:
    exe = doubled()
    with pytest.raises(RlxError, match="param 'w'"):
        exe.set_param("w", WRONG_PARAMS[case])
    assert exe.param("w") == 1


def test_a_masked_state_is_refused() -> None:
    g = Graph("state")
    s = g.state("s", (2,))
    g.set_outputs({"y": s + 1})
    exe = rlx.compile(g, "reference")
    with pytest.raises(RlxError, match=r"state 's'.*masked"):
        exe.session.set_state("s", MASKED)


def test_a_masked_argument_of_a_jitted_function_is_refused() -> None:
    with pytest.raises(RlxError, match="masked"):
        rlx.jit(lambda x: x + x, device="reference")(MASKED)


LITERALS = {
    "beside a tensor of ints": lambda g: g.input("x", (2,), "i32") + 2**70,
    "beside a small int": lambda g: g.input("x", (2,), "i8") * 200,
    "alone": lambda g: g.constant(2**70),
    "alone with a dtype": lambda g: g.constant(2**70, "i64"),
    "in a list": lambda g: g.constant([1, 2**70]),
    "beyond floats": lambda g: g.input("x", (2,)) + 10**400,
    "masked": lambda g: g.input("x", (2,)) + MASKED,
    "masked constant": lambda g: g.constant(MASKED),
    "text": lambda g: g.constant("a"),
    "ragged": lambda g: g.constant([[1], [1, 2]]),
}


@pytest.mark.parametrize("case", LITERALS)
def test_a_literal_that_does_not_fit(case) -> None:
    with pytest.raises(RlxError) as caught:
        LITERALS[case](Graph("literals"))
    assert caught.value.code == "RLX110"
    assert "test_given_values.py" in str(caught.value)


def test_a_large_integer_beside_floats_is_a_float() -> None:
    g = Graph("floats")
    g.set_outputs({"y": g.input("x", (2,), "f64") + 2**70})
    assert rlx.compile(g, "reference")(np.zeros(2)).tolist() == [2.0**70, 2.0**70]
