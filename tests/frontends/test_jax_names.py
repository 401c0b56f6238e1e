"""Names outside of `jax.numpy` that programs written for JAX use."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections import OrderedDict, defaultdict
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree as jax_ravel_pytree

import rlx
import rlx.numpy as rnp
from rlx import RlxError, make_jaxpr
from rlx.ad_checkpoint import print_saved_residuals
from rlx.flatten_util import ravel_pytree


# -- make_jaxpr -----------------------------------------------------------------------------------------------------
def test_make_jaxpr_prints_the_traced_graph():
    program, shape = make_jaxpr(rlx.grad(lambda x: rnp.sin(x).sum()), return_shape=True)(np.ones(3, np.float32))
    assert "cos(" in str(program) and "f32[3]" in repr(program)
    assert shape == rlx.ShapeDtypeStruct((3,), "f32")
    assert [one.shape for one in program.in_avals + program.out_avals] == [(3,), (3,)]


def test_make_jaxpr_takes_static_arguments_and_shapes():
    program = make_jaxpr(lambda x, n: x**n, static_argnums=1)(rlx.ShapeDtypeStruct((2,), "f32"), 3)
    assert program.out_avals == [rlx.ShapeDtypeStruct((2,), "f32")]


def test_the_program_is_its_own_jaxpr():
    program = make_jaxpr(rnp.sin)(1.0)
    assert str(program.jaxpr) == str(program)


# -- trees ----------------------------------------------------------------------------------------------------------
class Pair(NamedTuple):
    x: float
    y: float


class Scaled:
    def __init__(self, factor, name):
        self.factor, self.name = factor, name


@dataclasses.dataclass
class Layer:
    weight: float
    name: str


for library in (jax, rlx):
    library.tree_util.register_pytree_node(Scaled, lambda s: ((s.factor,), s.name), lambda name, one: Scaled(*one, name))
    library.tree_util.register_dataclass(Layer, ["weight"], ["name"])


@pytest.mark.parametrize(
    "node",
    [Pair(1, (2,)), Scaled(1, "s"), Layer(1, "w"), OrderedDict(b=1, a=[None]), defaultdict(int, b=1, a=2)],
    ids=lambda node: type(node).__name__,
)
def test_structures_print_as_in_jax(node):
    assert str(rlx.tree.structure(node)) == str(jax.tree.structure(node))


# -- segments -------------------------------------------------------------------------------------------------------
SEGMENTS = ["segment_sum", "segment_prod", "segment_max", "segment_min"]


@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.uint8])
@pytest.mark.parametrize("name", SEGMENTS)
def test_segments(name, dtype):
    data = (np.random.default_rng(0).standard_normal((7, 3)) * 4).astype(np.int32).astype(dtype)
    ids = np.int32([0, 2, -1, 2, 4, 9, 0])
    expected = getattr(jax.ops, name)(data, ids, num_segments=5)
    for found in (
        getattr(rlx.ops, name)(data, ids, num_segments=5),
        rlx.jit(lambda d, i: getattr(rlx.ops, name)(d, i, num_segments=5))(data, ids),
    ):
        assert np.asarray(found).dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", ["segment_sum", "segment_max", "segment_min"])  # JAX has none of segment_prod
def test_gradients_of_segments(name):
    data, ids = np.float32([1.5, -2, 3, 0.5, 7]), np.int32([1, 0, 1, 3, 9])
    weights = np.float32([1, 10, 100, 1000])

    def loss(m, np_):
        return lambda d: (np_.where(np_.isfinite(found := getattr(m.ops, name)(d, ids, 4)), found, 0) * weights).sum()

    np.testing.assert_allclose(rlx.grad(loss(rlx, rnp))(data), jax.grad(loss(jax, jnp))(data), rtol=1e-6)


def test_segments_without_a_number():
    np.testing.assert_array_equal(rlx.ops.segment_sum(np.float32([1, 2, 3]), np.int32([0, 3, 0])), [4, 0, 0, 2])
    with pytest.raises(RlxError, match="num_segments"):
        rlx.jit(lambda i: rlx.ops.segment_sum(np.float32([1, 2]), i))(np.int32([0, 1]))


# -- ravel_pytree ---------------------------------------------------------------------------------------------------
def test_ravel_pytree():
    tree = {"b": np.float32([[1, 2], [3, 4]]), "a": [np.float32(5), np.int32([6])]}
    flat, unravel = ravel_pytree(tree)
    expected, _ = jax_ravel_pytree(tree)
    assert flat.dtype == expected.dtype
    np.testing.assert_array_equal(flat, expected)
    back = unravel(flat * 2)
    assert back["a"][1].dtype == np.int32 and back["b"].shape == (2, 2)
    np.testing.assert_array_equal(back["b"], tree["b"] * 2)
    gradient = rlx.grad(lambda v: (unravel(v)["b"] ** 2).sum())(flat)
    np.testing.assert_array_equal(gradient, [0, 0, 2, 4, 6, 8])
    with pytest.raises(RlxError, match="6 elements"):
        unravel(flat[:2])


def test_ravel_pytree_in_a_traced_function():
    found = rlx.jit(lambda t: ravel_pytree(t)[0] * 2)({"x": np.float32([1, 2]), "y": np.float32(3)})
    np.testing.assert_array_equal(found, [2, 4, 6])


# -- what a gradient keeps ------------------------------------------------------------------------------------------
def test_saved_residuals_are_printed(capsys):
    print_saved_residuals(lambda w, b: rnp.sin(w @ b).sum(), np.ones((3, 2), np.float32), b=np.ones(2, np.float32))
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["f32[3,2] from the argument w", "f32[2] from the argument b"]
    assert len(lines) == 3 and lines[2].startswith("f32[3] output of cos from test_jax_names.py")


# -- check_grads ----------------------------------------------------------------------------------------------------
def test_check_grads():
    rlx.test_util.check_grads(lambda x, y: rnp.sin(x) * y["w"], (np.float64(2), {"w": np.float64([1, 3])}), order=2)

    @rlx.custom_jvp
    def wrong(x):
        return x * x

    wrong.defjvp(lambda primals, tangents: (wrong(*primals), tangents[0] * primals[0]))
    for mode in ("fwd", "rev"):
        with pytest.raises(AssertionError, match="differences"):
            rlx.test_util.check_grads(wrong, (np.float64(3),), order=1, modes=[mode])


# -- one device -----------------------------------------------------------------------------------------------------
def test_device_calls():
    x = rlx.device_put({"w": np.float64([1, 2]), "n": 3}, rlx.local_devices()[0])
    assert isinstance(x["w"], rlx.Array) and x["w"].dtype == np.float64 and x["n"].dtype == np.int32
    assert x["w"].devices() == {"cpu"} and x["w"].sharding.device_set == {"cpu"}
    assert rlx.device_put(x["w"], x["w"].sharding) is x["w"]
    assert type(rlx.device_get(x)["w"]) is np.ndarray
    assert (rlx.device_count(), rlx.process_index(), rlx.default_backend()) == (1, 0, "cpu")
    with pytest.raises(RlxError, match="RLX401"):
        rlx.device_put(x, "gpu")


def test_shape_dtype_struct_like():
    assert rlx.ShapeDtypeStruct.like(np.ones((2, 3), np.float32)) == rlx.ShapeDtypeStruct((2, 3), "f32")
    assert rlx.ShapeDtypeStruct.like(rnp.ones(2, "bf16")).dtype.name == "bfloat16"


# -- contexts and settings ------------------------------------------------------------------------------------------
def test_disable_jit_runs_the_function_on_arrays():
    seen = []

    @rlx.jit
    def double(x):
        seen.append(isinstance(x, rlx.Array) and not isinstance(x, rlx.Value))
        return x * 2 if x.sum() > 0 else x

    with rlx.disable_jit():
        np.testing.assert_array_equal(double(np.float32([1, 2])), [2, 4])
    assert seen == [True]
    with rlx.disable_jit(False), pytest.raises(RlxError, match="RLX108"):
        double(np.float32([1, 2]))


def test_named_scope_is_a_context_and_a_decorator():
    @rlx.jit
    @rlx.named_scope("block")
    def f(x):
        with rlx.named_scope("inner"):
            return x + 1

    np.testing.assert_array_equal(f(np.float32([1])), [2])


def test_settings_of_jax():
    rlx.config.update("jax_enable_x64", False)
    rlx.config.update("jax_platforms", "cpu")
    for name, value, way in (
        ("jax_enable_x64", True, "float64"),
        ("jax_debug_nans", True, "trap_nan"),
        ("jax_disable_jit", True, "disable_jit"),
        ("jax_num_cpu_devices", 8, "one device"),
        ("jax_enable_x46", True, "jax_enable_x64"),
    ):
        with pytest.raises(RlxError, match=way):
            rlx.config.update(name, value)


# -- modules --------------------------------------------------------------------------------------------------------
def test_modules_of_jax_load_when_they_are_first_used():
    program = "import sys, rlx; assert 'numpy' not in sys.modules and 'rlx.ops' not in sys.modules; rlx.ops.segment_sum"
    subprocess.run([sys.executable, "-c", program], check=True)
    lines = (
        "from rlx.experimental import io_callback",
        "from rlx.typing import Array, ArrayLike, DTypeLike",
        "from rlx.test_util import check_grads",
        "from rlx.flatten_util import ravel_pytree",
        "from rlx.ad_checkpoint import checkpoint_name, print_saved_residuals",
        "from rlx import make_jaxpr, device_put, named_scope, disable_jit",
    )
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True)


def test_types_to_annotate_with():
    assert isinstance(rnp.ones(2), rlx.typing.Array) and isinstance(2.5, rlx.typing.ArrayLike)
    assert not isinstance([1, 2], rlx.typing.ArrayLike)
