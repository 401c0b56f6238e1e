"""`x.at[...]` with every `mode=`, at positions inside and outside, known and traced, beside JAX."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import rlx
import rlx.numpy as rnp

MODES = (None, "clip", "drop", "fill", "promise_in_bounds")
LINE = np.arange(1, 5, dtype=np.float32)
MATRIX = np.arange(1, 13, dtype=np.float32).reshape(3, 4)
PLACES = np.int32([0, 7, -1, -9, 0])
CHANGES = ("set", "add", "subtract", "multiply", "divide", "power", "min", "max")


def same(found: Any, expected: Any, note: str = "") -> None:
    def compare(mine: Any, other: Any) -> None:
        mine = np.asarray(mine)
        assert mine.dtype == other.dtype, (note, mine.dtype, other.dtype)
        np.testing.assert_allclose(mine, other, rtol=2e-6, err_msg=note)

    jax.tree.map(compare, found, jax.tree.map(np.asarray, expected))


def indices(i: Any) -> Iterator[Any]:
    """Indices of MATRIX: one axis, the other, both, beside slices and new axes."""
    yield from (i, (slice(None), i), (i, i - 1), (i[0], i), (i, 1), (slice(0, 2), i), (None, i), (i[1],), (i[3], 1))


def everything(names: Any, m: Any, i: Any, modes: tuple[str | None, ...] = MODES) -> list[Any]:
    found = []
    m = names.asarray(m)
    for mode in modes:
        for index in indices(i):
            found.append(m.at[index].get(mode=mode))
            found += [getattr(m.at[index], change)(2.5, mode=mode) for change in ("add", "max")]
        found += [getattr(m.at[i], change)(m[:1] / 4, mode=mode) for change in CHANGES]
        found.append(m.at[i, 2].get(mode=mode, fill_value=-3))
        found.append(m.at[i, 2].get(mode=mode, fill_value=-3, wrap_negative_indices=False))
        found.append(m.at[i].add(1.0, mode=mode, wrap_negative_indices=False, unique_indices=False))
    return found


@pytest.mark.parametrize("mode", MODES[:-1])
def test_traced_positions(mode: str | None) -> None:
    found, expected = (
        lib.jit(lambda m, i, names=names: everything(names, m, i, (mode,)))(MATRIX, PLACES)
        for lib, names in ((rlx, rnp), (jax, jnp))
    )
    for number, pair in enumerate(zip(found, expected, strict=True)):
        same(*pair, note=f"{mode} {number}")


def test_known_positions_on_arrays() -> None:
    for mode in MODES:
        for place in (PLACES, [0, 7]):
            mine, other = rnp.asarray(LINE).at[np.asarray(place)], jnp.asarray(LINE).at[np.asarray(place)]
            same([mine.get(mode=mode), mine.set(9, mode=mode)], [other.get(mode=mode), other.set(9, mode=mode)])


@pytest.mark.parametrize("mode", ["clip", "drop", "fill"])
def test_one_position_outside(mode: str) -> None:
    for place in (7, -9, np.int32(5), -1):
        mine, other = rnp.asarray(LINE).at[place], jnp.asarray(LINE).at[place]
        same([mine.get(mode=mode), mine.add(9, mode=mode)], [other.get(mode=mode), other.add(9, mode=mode)], f"{place}")


def test_one_position_outside_without_a_mode_is_an_error() -> None:
    with pytest.raises(rlx.RlxError, match="RLX115"):
        rnp.asarray(LINE).at[7].add(1.0)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "int32", "int8", "uint8", "bool", "complex64"])
def test_what_is_filled_in(dtype: str) -> None:
    x = rnp.asarray(LINE).astype(dtype), jnp.asarray(LINE).astype(dtype)
    for fill in ({}, {"fill_value": 1}):
        for mode in ("fill", "clip"):
            mine, other = (each.at[PLACES].get(mode=mode, **fill) for each in x)
            np.testing.assert_array_equal(np.asarray(mine.astype("complex64")), np.asarray(other.astype("complex64")))
            assert str(mine.dtype) == str(other.dtype)


@pytest.mark.parametrize("mode", MODES)
def test_gradients(mode: str | None) -> None:
    def loss(names: Any) -> Any:
        def total(m: Any, values: Any, i: Any) -> Any:
            changed = [getattr(m.at[i], change)(values, mode=mode) for change in ("set", "add", "subtract")]
            read = names.nan_to_num(m.at[i, :2].get(mode=mode, fill_value=0.5)) ** 2
            return sum((part**2).sum() for part in [*changed, read])

        return total

    # JAX drops the gradient of what a position outside read, unless a mode is given; ours is that of the number read.
    # Of several values set at one place it names no winner.
    places = {"clip": np.int32([0, 9, -2]), "drop": np.int32([0, 7, -2, -9, 2])}
    place = places.get(mode or "", np.int32([0, -2, 2]) if mode != "fill" else places["drop"])
    values = np.linspace(1, 2, 20, dtype=np.float32).reshape(5, 4)[: len(place)]
    found = rlx.jit(rlx.grad(loss(rnp), argnums=(0, 1)))(MATRIX, values, place)
    same(found, jax.jit(jax.grad(loss(jnp), argnums=(0, 1)))(MATRIX, values, place))


def test_each_example_at_its_own_positions() -> None:
    batch = np.int32([[0, 7], [-1, -9], [3, 2]])
    for mode in MODES:
        found, expected = (
            lib.vmap(lambda i, n=names, mode=mode: n.asarray(LINE).at[i].add(2.0, mode=mode))(batch)
            for lib, names in ((rlx, rnp), (jax, jnp))
        )
        same(found, expected, str(mode))


# -- dtypes -----------------------------------------------------------------------------------------------------
DTYPE_CHANGES = [
    ("int32", "add", 1.5),
    ("int32", "multiply", 1.5),
    ("int32", "subtract", 0.5),
    ("int32", "max", 2.5),
    ("int32", "divide", 2),
    ("int32", "power", 2),
    ("int32", "subtract", np.uint8(3)),
    ("int32", "subtract", True),
    ("uint8", "add", -1),
    ("uint8", "subtract", 3),
    ("uint8", "add", 300),
    ("bool", "add", 2),
    ("bool", "max", True),
    ("float32", "add", 1j),
    ("float16", "add", np.float32(0.001)),
    ("bfloat16", "add", np.float32(0.001)),
]


@pytest.mark.filterwarnings("ignore:scatter inputs have incompatible types:FutureWarning")
@pytest.mark.filterwarnings("ignore:.*Casting complex values to real:UserWarning")
@pytest.mark.filterwarnings("ignore:.*Casting complex values to real")
@pytest.mark.parametrize(("dtype", "change", "value"), DTYPE_CHANGES)
def test_values_of_another_dtype_combine_before_they_are_cast(dtype: str, change: str, value: Any) -> None:
    x = np.int32([3, 1, 0])
    mine, other = (getattr(names.asarray(x).astype(dtype).at[np.int32([0, 0])], change)(value) for names in (rnp, jnp))
    assert str(mine.dtype) == str(other.dtype)
    np.testing.assert_array_equal(np.asarray(mine.astype("float32")), np.asarray(other.astype("float32")))


def test_a_mask_and_values_of_another_dtype() -> None:
    x = np.int32([1, 2, 3, 4])
    found = rlx.jit(lambda x: [x.at[x > 2].add(1.5), x.at[x > 2].subtract(2), x.at[x > 2].divide(2)])(x)
    np.testing.assert_array_equal(found[0], [1, 2, 4, 5])
    np.testing.assert_array_equal(found[1], [1, 2, 1, 2])
    np.testing.assert_array_equal(found[2], [1, 2, 1.5, 2])


# -- apply, empty arrays, hints -----------------------------------------------------------------------------------
@pytest.mark.parametrize("mode", MODES)
def test_apply_as_often_as_a_position_comes(mode: str | None) -> None:
    place = np.int32([0, 0, 7, -9, 2])
    mine, other = (lib.jit(lambda x, i: x.at[i].apply(lambda v: v * 10 + 1, mode=mode))(LINE, place) for lib in (rlx, jax))
    same(mine, other, str(mode))
    same(rnp.asarray(LINE).at[1:3].apply(rnp.sqrt), jnp.asarray(LINE).at[1:3].apply(jnp.sqrt))


def test_empty_arrays_and_positions() -> None:
    for mode in ("drop", "fill", "clip"):
        for x, place in ((np.zeros((0, 3), "f4"), [1]), (LINE, np.zeros(0, "i4"))):
            mine, other = (names.asarray(x).at[np.asarray(place)].add(1.0, mode=mode) for names in (rnp, jnp))
            same(mine, other, mode)
    same(rnp.zeros(0).at[np.int32([1])].get(mode="fill"), np.float32([np.nan]))  # JAX refuses this one


def test_wrong_hints_are_refused() -> None:
    with pytest.raises(rlx.RlxError, match=r"RLX109.*mode='wrap'"):
        rnp.asarray(LINE).at[0].set(1.0, mode="wrap")
    with pytest.raises(rlx.RlxError, match=r"RLX109.*'mod'"):
        rnp.asarray(LINE).at[0].set(1.0, mod="clip")


# -- take, take_along_axis ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int32", "uint8", "bool", "complex64"])
def test_take_fills_what_is_outside(dtype: str) -> None:
    def taken(names: Any, m: Any, i: Any) -> list[Any]:
        x = names.asarray(m).astype(dtype)
        found = [names.take(x, i, mode=mode, axis=axis) for mode in (None, "fill", "clip", "wrap") for axis in (None, 1)]
        found += [names.take_along_axis(x[:1], i[None], 1, mode=mode) for mode in (None, "fill", "clip")]
        found += [names.take(x, i, fill_value=1), names.take_along_axis(x, i[:, None], 0, fill_value=1)]
        return [each.astype("complex64") for each in found]

    mine, other = (lib.jit(lambda m, i, names=names: taken(names, m, i))(MATRIX, PLACES) for lib, names in ((rlx, rnp), (jax, jnp)))
    for number, pair in enumerate(zip(mine, other, strict=True)):
        same(*pair, note=str(number))


def test_gradients_of_what_take_filled() -> None:
    def slope(lib: Any, names: Any) -> Any:
        def loss(m: Any) -> Any:
            return names.nansum(names.take(m, PLACES, axis=1) ** 2) + names.nansum(names.take_along_axis(m, PLACES[None], 1) ** 3)

        return lib.grad(loss)(MATRIX)

    same(slope(rlx, rnp), slope(jax, jnp))


def test_modes_that_take_does_not_have() -> None:
    with pytest.raises(rlx.RlxError, match=r"RLX109.*mode='drop'"):
        rnp.take(LINE, PLACES, mode="drop")
    with pytest.raises(rlx.RlxError, match=r"RLX109.*mode='wrap'"):
        rnp.take_along_axis(LINE, PLACES, 0, mode="wrap")
