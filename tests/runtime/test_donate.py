"""run(..., donate=…): results in the memory of inputs, the same results, and arrays that are refused."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from rlx.ir.emit import emit
from rlx.ir.graph import Graph
from rlx.ir.op import OPS
from tests.ops.running import place

RANDOM = np.random.default_rng(0)


def drawn(*dims):
    return RANDOM.standard_normal(dims).astype(np.float32)


def compiled(build, device="cpu", **options):
    g = rlx.Graph("donating")
    g.set_outputs(build(g))
    return rlx.compile(g, device, **options)


def copies(inputs):
    return {name: np.array(array) for name, array in inputs.items()}


LIES = {
    "one command that works in place": (lambda g: {"y": g.exp(g.input("x", ("n", 16))) * 2.0}, {"x": drawn(3, 16)}, True),
    "read for the last time by an earlier command": (
        lambda g: {"y": (g.input("x", (4, 8)) @ g.constant(drawn(8, 32))) @ g.constant(drawn(32, 8))},
        {"x": drawn(4, 8)},
        True,
    ),
    "another shape of the same bytes": (lambda g: {"y": g.exp(g.input("x", (4, 6))).reshape((24,))}, {"x": drawn(4, 6)}, True),
    "a product reads rows after it wrote others": (
        lambda g: {"y": g.input("x", (8, 8)) @ g.constant(drawn(8, 8))},
        {"x": drawn(8, 8)},
        False,
    ),
    "a transpose": (lambda g: {"y": g.input("x", (8, 8)).T + 0.0}, {"x": drawn(8, 8)}, False),
    "a sum with its own transpose": (lambda g: {"y": (v := g.input("x", (8, 8))) + v.T}, {"x": drawn(8, 8)}, False),
    "read again by a later command": (
        lambda g: {"y": g.exp(v := g.input("x", (8, 8))), "z": v @ g.constant(drawn(8, 8))},
        {"x": drawn(8, 8)},
        None,
    ),
    "a smaller result": (lambda g: {"y": g.input("x", (8, 8)).sum(axes=(0,))}, {"x": drawn(8, 8)}, False),
    "another dtype": (lambda g: {"y": g.input("x", (8,)).astype("i32")}, {"x": drawn(8)}, False),
    "the input itself": (lambda g: {"y": g.input("x", (8,))}, {"x": drawn(8)}, None),
}


@pytest.mark.parametrize("kind", LIES)
def test_a_result_lies_in_a_donated_input_where_that_is_safe(kind):
    build, inputs, lies = LIES[kind]
    exe = compiled(build)
    wanted = copies(exe.run(inputs))
    for _ in range(2):
        given = copies(inputs)
        found = exe.run(given, donate=["x"])
        for name, array in wanted.items():
            np.testing.assert_array_equal(found[name], array)
        if lies is not None:
            assert any(np.shares_memory(given["x"], array) for array in found.values()) == lies, exe.code.donations


def test_two_donated_inputs_serve_two_results():
    exe = compiled(lambda g: {"a": g.exp(g.input("x", (16,))), "b": g.sin(g.input("z", (16,)))})
    given = {"x": drawn(16), "z": drawn(16)}
    wanted = {"a": np.exp(given["x"]), "b": np.sin(given["z"])}
    found = exe.run(given, donate=("x", "z"))
    assert not np.shares_memory(found["a"], found["b"])
    for name, array in wanted.items():
        np.testing.assert_allclose(found[name], array, rtol=1e-5)


def test_a_loop_runs_in_one_array():
    exe = compiled(lambda g: {"x": g.input("x", ("n",)) * 0.5 + 1.0})
    x, wanted = drawn(1000), None
    address, wanted = x.ctypes.data, x.copy()
    for _ in range(5):
        x = exe.run({"x": x}, donate=("x",))["x"]
        wanted = wanted * np.float32(0.5) + np.float32(1)
        assert x.ctypes.data == address
    np.testing.assert_allclose(x, wanted, rtol=1e-6)


def test_results_of_a_pool_can_be_donated_and_are_not_given_out_twice():
    exe = compiled(lambda g: {"y": g.exp(g.input("x", (64,)))})
    first = exe(drawn(64))
    second = exe.run({"x": first}, donate=("x",))["y"]
    kept = second.copy()
    for _ in range(6):
        assert not np.shares_memory(exe(drawn(64)), second)
    np.testing.assert_array_equal(second, kept)


def test_inputs_are_not_written_without_donate():
    exe = compiled(lambda g: {"y": g.exp(g.input("x", (16,)))})
    x = drawn(16)
    kept = x.copy()
    exe.run({"x": x}, donate=("x",))
    x = kept.copy()
    for _ in range(3):
        exe.run({"x": x})
    np.testing.assert_array_equal(x, kept)


def test_out_comes_first():
    exe = compiled(lambda g: {"y": g.exp(g.input("x", (16,)))})
    x, target = drawn(16), np.empty(16, np.float32)
    kept = x.copy()
    assert exe.run({"x": x}, out={"y": target}, donate=("x",))["y"] is target
    np.testing.assert_array_equal(x, kept)


def test_nothing_is_in_place_where_every_value_is_looked_at():
    assert compiled(lambda g: {"y": g.exp(g.input("x", (16,)))}, trap_nan=True).code.donations == ()


@pytest.mark.parametrize("device", ["reference", "null"])
def test_devices_without_it_take_the_promise_and_leave_the_array(device):
    exe = compiled(lambda g: {"y": g.exp(g.input("x", (16,)))}, device)
    x = drawn(16)
    found = exe.run({"x": x}, donate=("x",))["y"]
    assert not np.shares_memory(found, x)
    np.testing.assert_array_equal(found, exe.run({"x": x})["y"])


def test_a_saved_executable_knows_it(tmp_path):
    exe = compiled(lambda g: {"y": g.exp(g.input("x", (16,)))})
    exe.save(tmp_path / "exp.rlxe")
    loaded, x = rlx.load_executable(tmp_path / "exp.rlxe"), drawn(16)
    assert np.shares_memory(loaded.run({"x": x}, donate=("x",))["y"], x)


# -- refused
def read_only():
    x = drawn(8)
    x.setflags(write=False)
    return {"x": x, "z": drawn(8)}


def shared():
    x = drawn(8)
    return {"x": x, "z": x}


REFUSED = {
    "not an input": (lambda: {"x": drawn(8), "z": drawn(8)}, ["y"], "RLX501"),
    "nearly an input": (lambda: {"x": drawn(8), "z": drawn(8)}, ["X"], "RLX501"),
    "a name alone": (lambda: {"x": drawn(8), "z": drawn(8)}, "x", "RLX109"),
    "read-only": (read_only, ["x"], "RLX507"),
    "with gaps": (lambda: {"x": drawn(16)[::2], "z": drawn(8)}, ["x"], "RLX507"),
    "a part": (lambda: {"x": drawn(16)[:8], "z": drawn(8)}, ["x"], "RLX507"),
    "a part of bytes": (lambda: {"x": np.zeros(64, np.uint8)[:32].view(np.float32), "z": drawn(8)}, ["x"], "RLX507"),
    "memory of Python's": (lambda: {"x": np.frombuffer(bytearray(32), np.float32), "z": drawn(8)}, ["x"], "RLX507"),
    "twice": (shared, ["x"], "RLX507"),
    "a list": (lambda: {"x": [1.0] * 8, "z": drawn(8)}, ["x"], "RLX507"),
    "missing": (lambda: {"z": drawn(8)}, ["x"], "RLX502"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_be_donated_is_refused_and_nothing_is_changed(kind):
    make, donate, code = REFUSED[kind]
    g = rlx.Graph("donating")
    seen = g.state("seen", (), "f32")
    g.update(seen, seen + 1.0)
    g.set_outputs({"y": g.input("x", (8,)) + g.input("z", (8,))})
    exe = rlx.compile(g)
    exe(drawn(8), drawn(8))
    given = make()
    kept = copies(given)
    with pytest.raises(rlx.RlxError) as error:
        exe.run(given, donate=donate)
    assert error.value.code == code, str(error.value)
    assert exe.state("seen") == 1
    for name, array in kept.items():
        np.testing.assert_array_equal(given[name], array)


def test_the_memory_of_a_state_is_not_donated():
    g = rlx.Graph("donating")
    seen = g.state("seen", (8,), "f32")
    g.update(seen, seen + 1.0)
    g.set_outputs({"y": g.input("x", (8,)) * 2.0})
    exe = rlx.compile(g)
    x = drawn(8)
    exe.session.use_states({"seen": x})
    with pytest.raises(rlx.RlxError, match="shares memory with another input or a state"):
        exe.run({"x": x}, donate=("x",))


# -- every op
def case_of(record, row):
    """A graph of one op on inputs, and arrays for them."""
    graph = Graph(record.name)
    arrays = row.arrays()
    shapes = [
        None if array is None else place(graph, f"x{i}", array.shape, rlx.DType.of(array.dtype).name)
        for i, array in enumerate(arrays)
    ]
    made = emit(record, shapes, dict(row.attrs), graph=graph)
    values = made if isinstance(made, tuple) else (made,)
    graph.set_output_refs({f"y{i}": value.ref for i, value in enumerate(values)})
    return graph, {f"x{i}": array for i, array in enumerate(arrays) if array is not None}


def check_case(record, row):
    graph, inputs = case_of(record, row)
    exe = rlx.compile(graph)
    if not exe.code.donations:
        return 0
    wanted = copies(exe.run(inputs))
    for name in {source for source, _ in exe.code.donations}:
        given = {each: np.array(array, order="C") for each, array in inputs.items()}
        found = exe.run(given, donate=[name])
        assert any(np.shares_memory(given[name], array) for array in found.values()) or given[name].size == 0
        for output, array in wanted.items():
            np.testing.assert_array_equal(found[output], array, err_msg=f"{record.name}: {row.note}")
    return 1


RECORDS = {record.name: record for record in OPS if callable(record.cases) and not record.name.startswith("hir.")}
IN_PLACE = (
    "exp",
    "add",
    "where",
    "softmax",
    "rms_norm",
    "rope",
    "scatter",
    "scatter_add",
    "dynamic_update_slice",
    "cumsum",
    "sort",
)
"""What runs every day: elementwise, rows, and kernels of their own that write into an operand."""


def check_record(name, rows):
    done = 0
    for row in rows:
        try:
            done += check_case(RECORDS[name], row)
        except rlx.RlxError as error:
            assert error.code in ("RLX403", "RLX511"), error
    return done


def test_ops_that_work_in_place_give_the_same_with_donated_inputs():
    assert sum(check_record(name, RECORDS[name].cases()[:1]) for name in IN_PLACE) >= 4


@pytest.mark.long
@pytest.mark.parametrize("name", RECORDS)
def test_every_case_of_every_op_gives_the_same_with_donated_inputs(name):
    check_record(name, RECORDS[name].cases())
