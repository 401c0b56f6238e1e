"""Sizes whose product passes 2**63, and memory that cannot be had: an error with the numbers, and nothing has changed."""

import numpy as np
import pytest

import rlx
from rlx import Dim, Graph, RlxError
from rlx.core.dim import floordiv
from rlx.runtime.executable import Executable

A, B, C = Dim("a"), Dim("b"), Dim("c")
LARGE = {"a": 2_500_000, "b": 2_500_000, "c": 2_500_000}  # 1.6e19 elements
DEVICES = ("cpu", "reference")


def outer_product() -> Graph:
    """Three short vectors, and every product of their numbers."""
    g = Graph("outer")
    x, y, z = g.input("x", (A,)), g.input("y", (B,)), g.input("z", (C,))
    g.set_outputs({"y": x.reshape((A, 1, 1)) * y.reshape((1, B, 1)) * z.reshape((1, 1, C))})
    return g


def summed() -> Graph:
    """The same, reduced: nothing large is ever stored."""
    g = Graph("summed")
    x, y, z = g.input("x", (A,)), g.input("y", (B,)), g.input("z", (C,))
    g.set_outputs({"y": (x.reshape((A, 1, 1)) * y.reshape((1, B, 1)) * z.reshape((1, 1, C))).sum()})
    return g


def accumulated() -> Graph:
    """The same with an intermediate result in the arena."""
    g = Graph("accumulated")
    x, y, z = g.input("x", (A,)), g.input("y", (B,)), g.input("z", (C,))
    g.set_outputs({"y": g.cumsum(x.reshape((A, 1, 1)) * y.reshape((1, B, 1)) * z.reshape((1, 1, C)), axis=2).sum()})
    return g


def given(**sizes: int) -> dict[str, np.ndarray]:
    return {name: np.ones(size, np.float32) for name, size in zip("xyz", sizes.values(), strict=True)}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("build", [outer_product, summed, accumulated])
def test_a_product_of_symbols_beyond_2_63_is_an_error_with_the_numbers(build, device) -> None:
    exe = rlx.compile(build(), device)
    small = given(a=2, b=3, c=4)
    before = exe.run(small)["y"]
    with pytest.raises(RlxError, match="2500000, 2500000, 2500000") as caught:
        exe.run(given(**LARGE))
    assert caught.value.code == "RLX208"
    assert str(2_500_000**3) in str(caught.value), "the number of elements"
    assert "test_large_sizes.py" in str(caught.value), "the user's line"
    np.testing.assert_array_equal(exe.run(small)["y"], before)


def test_sizes_that_wrap_to_a_small_number_are_refused() -> None:
    """2**21 · 2**21 · 2**22 elements are 0 modulo 2**64: memory of a wrapped size would hold nothing."""
    exe = rlx.compile(accumulated())
    with pytest.raises(RlxError, match=str(2**64)):
        exe.run(given(a=2**21, b=2**21, c=2**22))


@pytest.mark.parametrize("device", DEVICES)
def test_more_memory_than_there_is_says_how_many_bytes(device) -> None:
    exe = rlx.compile(outer_product(), device)
    small = given(a=2, b=3, c=4)
    before = exe.run(small)["y"]
    with pytest.raises(RlxError) as caught:
        exe.run(given(a=30_000, b=30_000, c=300_000))
    assert caught.value.code == "RLX514"
    assert str(4 * 30_000 * 30_000 * 300_000) in str(caught.value)
    np.testing.assert_array_equal(exe.run(small)["y"], before)


def test_an_arena_larger_than_memory_says_how_many_bytes_and_changes_no_state() -> None:
    g = Graph("counted")
    x, y, z = g.input("x", (A,)), g.input("y", (B,)), g.input("z", (C,))
    g.update(count := g.state("count", ()), count + 1)
    g.set_outputs({"y": g.cumsum(x.reshape((A, 1, 1)) * y.reshape((1, B, 1)) * z.reshape((1, 1, C)), axis=2).sum()})
    exe = rlx.compile(g)
    exe.run(given(a=2, b=3, c=4))
    with pytest.raises(RlxError, match="working memory for a = 30000") as caught:
        exe.run(given(a=30_000, b=30_000, c=300_000))
    assert caught.value.code == "RLX514"
    assert exe.state("count") == 1
    exe.run(given(a=2, b=3, c=4))
    assert exe.state("count") == 2


STATIC = {
    "input": lambda g: g.input("x", (2**40, 2**40)),
    "one size": lambda g: g.input("x", (2**70,)),
    "param": lambda g: g.param("w", (2**31, 2**31), "f64"),
    "state": lambda g: g.state("s", (2**31, 2**31), "f64"),
    "broadcast": lambda g: g.expand(g.input("x", (1, 2**32)), (2**32, 2**32)),
    "outer product": lambda g: g.input("x", (2**31, 1)) * g.input("y", (1, 2**31)).astype("f64"),
    "iota": lambda g: g.iota((2**40, 2**40), axis=0),
    "pad": lambda g: g.pad(g.input("x", (4,)), (2**62,), (2**62,)),
}


@pytest.mark.parametrize("case", STATIC)
def test_a_static_tensor_beyond_2_63_bytes_is_refused_while_building(case) -> None:
    with pytest.raises(RlxError) as caught:
        STATIC[case](Graph("static"))
    assert caught.value.code == "RLX208"
    assert "test_large_sizes.py" in str(caught.value)


def stateful() -> Executable:
    g = Graph("stateful")
    first, second = g.state("first", (A,)), g.state("second", (A, B))
    g.update(first, first + 1)
    g.update(second, second + 1)
    g.set_outputs({"y": first})
    return rlx.compile(g)


@pytest.mark.parametrize(
    ("sizes", "code"),
    [({"a": 2**40, "b": 2**40}, "RLX208"), ({"a": 2**20, "b": 2**25}, "RLX514"), ({"a": 2**70, "b": 1}, "RLX208")],
)
def test_init_state_of_too_much_changes_no_state(sizes, code) -> None:
    exe = stateful()
    exe.session.init_state(a=2, b=3)
    exe.run()
    with pytest.raises(RlxError) as caught:
        exe.session.init_state(**sizes)
    assert caught.value.code == code
    assert "second" in str(caught.value) or "first" in str(caught.value)
    np.testing.assert_array_equal(exe.state("first"), [1, 1])
    assert exe.state("second").shape == (2, 3)


def test_memory_is_told_exactly_beyond_2_63() -> None:
    memory = rlx.compile(outer_product(), "reference").memory
    assert memory.peak_bytes(**LARGE) >= 4 * 2_500_000**3


@pytest.mark.parametrize("size", [-1, 1.5, "3", None, True])
def test_memory_refuses_what_is_not_a_size(size) -> None:
    memory = rlx.compile(outer_product(), "reference").memory
    with pytest.raises(RlxError, match="a"):
        memory.peak_bytes(a=size, b=1, c=1)
    with pytest.raises(RlxError, match="a"):
        memory(a=size, b=1, c=1)


def test_memory_names_the_symbol_that_is_not_there() -> None:
    memory = rlx.compile(outer_product(), "reference").memory
    with pytest.raises(RlxError, match="sequence"):
        memory.peak_bytes(a=1, b=1, c=1, sequence=3)


@pytest.mark.parametrize("device", DEVICES)
def test_a_size_divided_by_a_symbol_that_is_zero(device) -> None:
    n, m = Dim("n"), Dim("m", min=0)
    g = Graph("quotient")
    x, y = g.input("x", (n,)), g.input("y", (m,))
    g.set_outputs({"y": g.iota((floordiv(n, m),), axis=0), "z": x.sum() + y.sum()})
    exe = rlx.compile(g, device)
    assert exe.run({"x": np.ones(7, np.float32), "y": np.ones(2, np.float32)})["y"].shape == (3,)
    with pytest.raises(RlxError):
        exe.run({"x": np.ones(7, np.float32), "y": np.ones(0, np.float32)})


def test_the_bytes_of_a_profile_may_pass_2_63_where_no_size_does() -> None:
    """A loop's work is counted for its report alone."""
    from rlx.backends.cpu.compile.command_table import SizeTable

    table = SizeTable()
    assert table.initial() == []
    table.reported_index(2**80)
    assert table.initial() == [2**63 - 1]
    with pytest.raises(RlxError, match="RLX208"):
        table.index(2**80)


def test_what_the_check_of_sizes_writes_to_is_alive() -> None:
    """Native code writes every size somewhere: memory that is free again by then would be another array's."""
    exe = rlx.compile(summed())
    runner = exe._runner
    native, met = runner._evaluate, []

    def evaluate(symbols: int, out: int) -> int:
        fresh = np.empty_like(runner.job.dims)  # takes the place of one that was just let go
        met.append(fresh.ctypes.data == out)
        return native(symbols, out)

    runner._evaluate = evaluate
    exe.run(given(a=2, b=3, c=4))
    assert met and not any(met)
