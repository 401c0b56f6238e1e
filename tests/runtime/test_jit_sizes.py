"""rlx.jit at any sequence of sizes: the value is NumPy's, or an error where NumPy has one, and no call harms a later one."""

from __future__ import annotations

import functools
import threading

import numpy as np
import pytest

import rlx
from rlx.core.errors import RlxError
from rlx.functions.jit_versions import VERSIONS
from rlx.ir.op import OPS

F32 = np.float32


def array(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).standard_normal(shape).astype(F32)


def check(jitted, numpy, *arrays):
    """The value of NumPy; where NumPy refuses, an RLX error."""
    try:
        wanted = numpy(*arrays)
    except (ValueError, IndexError):
        with pytest.raises(RlxError):
            jitted(*arrays)
        return
    found = jitted(*arrays)
    assert np.shape(found) == np.shape(wanted)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)


def both(function, **options):
    return rlx.jit(function, device="reference", **options), function


def test_a_call_that_fails_does_not_harm_later_sizes():
    jitted, numpy = both(lambda x, y: x + y)
    for first, second in ((3, 3), (3, 5), (4, 4), (4, 5), (6, 6), (2, 3), (7, 7)):
        check(jitted, numpy, array(first), array(second, seed=1))


def test_one_against_many_after_equal_sizes_and_equal_sizes_after_that():
    jitted, numpy = both(lambda x, y: x + y)
    for first, second in ((3, 3), (1, 3), (4, 4), (4, 1), (1, 1), (5, 5), (1, 7), (0, 0), (0, 1), (1, 0), (6, 6)):
        check(jitted, numpy, array(first), array(second, seed=1))


def test_sizes_that_parted_may_belong_together_again():
    """After 5 against 1 both axes are symbols of their own, of which a sum is not known to fit; equal ones share a symbol again."""
    jitted, numpy = both(lambda x, y: x + y)
    for first, second in ((3, 3), (5, 1), (4, 4), (6, 6), (7, 7), (9, 1)):
        check(jitted, numpy, array(first), array(second, seed=1))
    assert jitted.traces == 3


def test_a_size_of_zero_after_others():
    jitted, numpy = both(lambda x: x * 2 + 1)
    for size in (3, 5, 0, 7, 0, 1):
        check(jitted, numpy, array(size))
    assert jitted.traces == 3


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x[2],
        lambda x: x[:5],
        lambda x: x[-2:],
        lambda x: x[1:-1],
        lambda x: x.reshape(2, -1),
        lambda x: x.reshape(-1, 3),
        lambda x: x.reshape(3, 2),
        lambda x: x[::2],
        lambda x: x[None, :3] * 2,
    ],
)
def test_what_cannot_be_traced_with_symbols_is_traced_for_the_sizes_that_came(function):
    jitted, numpy = both(function)
    for size in (6, 12, 4, 3, 6, 1, 0, 12, 18):
        check(jitted, numpy, array(size))


def test_the_report_says_why_a_version_is_for_some_sizes_alone():
    jitted = rlx.jit(lambda x: x[2], device="reference")
    for size in (3, 5, 4):
        jitted(array(size))
    (first, second) = jitted.report.of("static")
    assert "x: f32[5]" in str(first) and "specialized to these sizes" in str(first) and "3 <= x_dim0" in str(first)
    assert "x: f32[4]" in str(second) and "3 <= x_dim0" in str(second)


def test_the_report_names_axes_as_the_user_knows_them():
    jitted = rlx.jit(lambda params, x, *rest, scale: x @ params["w"] + rest[1] * scale, device="reference")
    for size in (3, 4):
        jitted({"w": array(2, 5)}, array(size, 2), array(1), array(size, 5), scale=array(5))
    assert {str(entry) for entry in jitted.report.of("symbolic")} == {
        "jit: symbolic: axis 0 of x arrived with a second size and becomes the symbol x_dim0",
        "jit: symbolic: axis 0 of rest[1] arrived with a second size and becomes the symbol x_dim0",
    }
    assert "params.w: f32[2, 5]" in str(jitted.report)


def test_a_question_about_a_size_is_answered_for_each_size():
    """`x.shape[0] == 3` cannot hold for a symbol; for size 3 the function goes the other way."""

    def function(x):
        if x.shape[0] == 3:
            return x * 10
        if x.shape[0] != 4 and x.shape != (5,):
            return x * 2 if x.shape[0] % 2 == 0 else -x
        return x + 1

    jitted, numpy = both(function)
    for size in (7, 9, 3, 8, 4, 5, 6, 3, 11):
        check(jitted, numpy, array(size))


def test_a_question_whether_two_sizes_are_equal_is_answered_for_each_call():
    jitted, numpy = both(lambda x, y: x + y if x.shape == y.shape else x[:1] * y)
    for first, second in ((3, 3), (3, 4), (5, 5), (4, 6), (6, 6), (2, 2), (7, 8)):
        check(jitted, numpy, array(first), array(second, seed=1))


def test_sizes_that_a_transform_assumes_equal_need_not_have_been_so():
    """vmap of two axes that are symbols of their own assumes them equal; a call where they are not is refused as at first sight."""
    jitted = rlx.jit(lambda x, y: rlx.vmap(lambda a, b: a * b)(x, y[: x.shape[0]]) if y.shape[0] != 9 else y, device="reference")
    for first, second in ((3, 3), (4, 4), (5, 9), (6, 6)):
        x, y = array(first), array(second, seed=1)
        np.testing.assert_allclose(jitted(x, y), x * y if second != 9 else y, rtol=1e-6)
    with pytest.raises(RlxError):
        rlx.jit(rlx.vmap(lambda a, b: a * b), device="reference")(array(3), array(4))


def test_several_threads_may_call_one_function_with_many_sizes():
    jitted, wrong = rlx.jit(lambda x: x[:3] * 2, device="reference"), []

    def work(seed):
        random = np.random.default_rng(seed)
        for _ in range(25):
            x = random.standard_normal(int(random.integers(0, VERSIONS + 30))).astype(F32)
            if not np.array_equal(jitted(x), x[:3] * 2):
                wrong.append(x.shape)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and len(jitted._entries) <= VERSIONS


def test_python_that_needs_a_number_gets_one():
    def function(x):
        total = x[0]
        for index in range(1, x.shape[0]):
            total = total + x[index] * index
        return total / len(x.shape)

    jitted, numpy = both(function)
    for size in (3, 5, 2, 4):
        check(jitted, numpy, array(size))


PROGRAMS = {
    "add": (2, lambda x, y: x + y),
    "outer": (2, lambda x, y: x[:, None] * y[None, :]),
    "rows": (2, lambda x, y: x * 2 + y.reshape(-1, 1)),
    "first of each": (2, lambda x, y: x[:2] + y[:2]),
    "ends": (2, lambda x, y: x[1:] - x[:-1] + y[:1]),
    "three": (3, lambda x, y, z: (x + y) * z),
    "pairs": (2, lambda x, y: x.reshape(2, -1) * y[0]),
    "product": (2, lambda x, y: x @ y),
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("seed", range(3))
def test_any_sequence_of_sizes_gives_what_numpy_gives(name, seed):
    count, function = PROGRAMS[name]
    jitted, numpy = both(function)
    random = np.random.default_rng([seed, *name.encode()])
    for step in range(14):
        size = int(random.choice([0, 1, 2, 3, 4, 6]))
        alike = random.random() < 0.5
        sizes = [size if alike else int(random.choice([0, 1, 2, 3, size])) for _ in range(count)]
        check(jitted, numpy, *(array(each, seed=step) for each in sizes))


@pytest.mark.parametrize("seed", range(4))
def test_any_sequence_of_matrices_gives_what_numpy_gives(seed):
    """Several dims change at once, shrink to 1 and 0, and broadcast."""
    random = np.random.default_rng(seed)
    added, product = both(lambda x, y: x + y), both(lambda x, y: x @ y)
    for step in range(10):
        m, k, n = (int(random.choice([0, 1, 2, 3, 5])) for _ in range(3))
        check(*added, array(m, n, seed=step), array(*(size if random.random() < 0.6 else 1 for size in (m, n)), seed=step + 1))
        check(*product, array(m, k, seed=step), array(k, n, seed=step + 1))


def test_natively_too():
    jitted = rlx.jit(lambda x, y: (x + y)[:4] * 2)
    for first, second in ((3, 3), (1, 3), (6, 6), (5, 6), (0, 0), (8, 1), (7, 7)):
        check(jitted, lambda x, y: (x + y)[:4] * 2, array(first), array(second, seed=1))


def test_versions_are_bounded_and_those_used_last_stay():
    jitted = rlx.jit(lambda x: x[2] * 2, device="reference")
    for size in range(3, VERSIONS + 20):
        jitted(array(size))
    traces = jitted.traces
    assert len(jitted._entries) == VERSIONS and len(jitted.report.entries) <= 8 * VERSIONS
    jitted(array(VERSIONS + 10))
    assert jitted.traces == traces
    check(jitted, lambda x: x[2] * 2, array(3))
    assert jitted.traces == traces + 1


def test_versions_of_many_static_arguments_are_bounded():
    jitted = rlx.jit(lambda x, how: x * 2 if how else x, device="reference")
    for number in range(VERSIONS + 5):
        jitted(array(2), f"way {number}")
    assert len(jitted._entries) == VERSIONS and len(jitted._entries._kinds) == VERSIONS


def test_dims_with_a_name_that_is_no_argument_are_refused():
    with pytest.raises(RlxError) as caught:
        rlx.jit(lambda x, weight: x @ weight, dims={"wieght": ("rows", None)})
    assert caught.value.code == "RLX105" and "'wieght'" in str(caught.value) and "x, weight" in str(caught.value)
    inside = rlx.jit(lambda params, **more: params["w"] * 2, device="reference", dims={"params.w": ("rows",), "anything": (None,)})
    for size in (3, 4):
        assert inside({"w": array(size)}).shape == (size,)
    assert inside.traces == 1
    with pytest.raises(RlxError, match="2 entries for x, which has rank 1"):
        rlx.jit(lambda x: x, dims={"x": ("rows", "columns")})(array(3))
    with pytest.raises(RlxError, match=r"'params\.u'"):
        rlx.jit(lambda params: params["w"] * 2, device="reference", dims={"params.u": ("rows",)})({"w": array(3)})


def test_declared_dims_are_not_given_up_silently():
    jitted = rlx.jit(lambda x: x[2], device="reference", dims={"x": ("rows",)})
    with pytest.raises(RlxError, match="rows"):
        jitted(array(5))


def test_an_error_of_the_function_comes_as_it_is_and_harms_nothing():
    def function(x, fail=False):
        if fail:
            raise KeyError("mine")
        return x * 2

    jitted = rlx.jit(function, device="reference")
    for size in (3, 4):
        with pytest.raises(KeyError, match="mine"):
            jitted(array(size), fail=True)
        check(jitted, function, array(size))


def test_functions_without_a_name_or_signature_and_methods():
    np.testing.assert_array_equal(rlx.jit(functools.partial(OPS["add"], 1.0), device="reference")(F32([1, 2])), [2, 3])

    class Model:
        scale = 3

        @rlx.jit(device="reference")
        def apply(self, x):
            return x * self.scale

        def __call__(self, x):
            return x + self.scale

    np.testing.assert_array_equal(Model().apply(F32([1, 2])), [3, 6])
    np.testing.assert_array_equal(rlx.jit(Model(), device="reference")(F32([1, 2])), [4, 5])


def test_static_arguments_without_a_hash_are_refused_with_their_name():
    with pytest.raises(RlxError, match="is not hashable"):
        rlx.jit(lambda x, names: x, device="reference")(F32([1]), {"a", "b"})


def test_static_arguments_that_are_equal_but_of_other_types_are_different():
    jitted = rlx.jit(lambda x, flag: x * 2 if flag is True else x * 3, device="reference")
    assert jitted(F32([1]), True)[0] == 2
    assert jitted(F32([1]), flag=False)[0] == 3
    assert jitted(F32([1]), None)[0] == 3
    assert jitted(F32([1]), "yes")[0] == 3
