"""`rlx.nn.initializers`: names, shapes and deviations of `jax.nn.initializers`."""

from __future__ import annotations

import inspect

import jax
import numpy as np
import pytest

import rlx
from rlx.core.errors import RlxError
from rlx.nn import initializers

KEY = rlx.random.key(3)


def test_names_and_arguments_are_those_of_jax() -> None:
    import rlx.nn.initializers as module

    assert module is initializers
    for name in dir(jax.nn.initializers):
        if name.startswith("_") or name == "Initializer":
            continue
        ours, theirs = (inspect.signature(getattr(each, name)) for each in (initializers, jax.nn.initializers))
        assert list(ours.parameters) == [each for each in theirs.parameters if each != "out_sharding"], name
        for each, parameter in ours.parameters.items():
            assert parameter.default == theirs.parameters[each].default, (name, each)


@pytest.mark.parametrize("name", ["glorot_normal", "glorot_uniform", "he_normal", "he_uniform", "lecun_normal", "lecun_uniform"])
def test_deviations_are_those_of_jax(name: str) -> None:
    shape = (3, 40, 50)
    others = [{"in_axis": 0, "out_axis": (1, 2)}, {"batch_axis": 0}] if name == "he_uniform" else []
    for arguments in ({}, *others):
        ours = np.asarray(getattr(initializers, name)(**arguments)(KEY, shape))
        theirs = np.asarray(getattr(jax.nn.initializers, name)(**arguments)(jax.random.key(0), shape))
        np.testing.assert_allclose(ours.std(), theirs.std(), rtol=0.05)
        np.testing.assert_allclose(abs(ours).max(), abs(theirs).max(), rtol=0.05)
        assert abs(ours.mean()) < 0.05 * ours.std()


def test_fixed_and_plain_ones() -> None:
    assert np.asarray(initializers.zeros(KEY, (2, 3), "f16")).tolist() == np.zeros((2, 3)).tolist()
    assert np.asarray(initializers.ones(KEY, (2,))).tolist() == [1, 1]
    assert np.asarray(initializers.constant(7, "i32")(KEY, (2,))).tolist() == [7, 7]
    assert initializers.normal(dtype="bf16")(KEY, (2,)).dtype == rlx.numpy.bfloat16
    np.testing.assert_allclose(np.asarray(initializers.normal(0.5)(KEY, (10_000,))).std(), 0.5, rtol=0.05)
    x = np.asarray(initializers.uniform(2.0)(KEY, (10_000,)))
    assert 0 <= x.min() < 0.01 and 1.99 < x.max() < 2
    x = np.asarray(initializers.truncated_normal(0.5, lower=-1.0)(KEY, (10_000,)))
    assert -0.5 <= x.min() < -0.49 and 0.95 < x.max() <= 1
    fan = initializers.variance_scaling(1.0, "fan_geo_avg", "normal")(KEY, (40, 90))
    np.testing.assert_allclose(np.asarray(fan).std(), 3600**-0.25, rtol=0.05)


@pytest.mark.parametrize(("shape", "axis"), [((6, 4), -1), ((4, 6), -1), ((2, 3, 5), 1), ((2, 3, 9), -1)])
def test_orthogonal(shape: tuple[int, ...], axis: int) -> None:
    w = np.asarray(initializers.orthogonal(2.0, axis)(KEY, shape))
    assert w.shape == shape
    matrix = np.moveaxis(w, axis, -1).reshape(-1, shape[axis]) / 2
    gram = matrix @ matrix.T if len(matrix) <= shape[axis] else matrix.T @ matrix
    np.testing.assert_allclose(gram, np.eye(len(gram)), atol=2e-6)


def test_delta_orthogonal() -> None:
    w = np.array(initializers.delta_orthogonal()(KEY, (3, 4, 2, 5)))
    middle = w[1, 1].copy()
    np.testing.assert_allclose(middle @ middle.T, np.eye(2), atol=1e-6)
    w[1, 1] = 0
    assert not w.any()


def test_inside_jit() -> None:
    initial = initializers.he_normal()
    jitted = rlx.jit(lambda key: initial(key, (5, 6)))(KEY)
    np.testing.assert_allclose(jitted, np.asarray(initial(KEY, (5, 6))), rtol=1e-6)


def test_errors() -> None:
    for build in (
        lambda: initializers.he_normal()(KEY, (5,)),
        lambda: initializers.variance_scaling(1.0, "fan", "normal"),  # type: ignore[arg-type]
        lambda: initializers.variance_scaling(1.0, "fan_in", "gaussian"),  # type: ignore[arg-type]
        lambda: initializers.orthogonal()(KEY, (5,)),
        lambda: initializers.delta_orthogonal()(KEY, (3, 5, 2)),
    ):
        with pytest.raises(RlxError):
            build()
