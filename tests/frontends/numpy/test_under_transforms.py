"""Functions in `vmap`, with symbolic sizes, and reached through NumPy's own names."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
import rlx.numpy as rnp

A = np.random.default_rng(3).normal(size=(4, 7)).astype(np.float32)

OF_ROWS = {
    "median": (rnp.median, np.median),
    "quantile": (lambda x: rnp.quantile(x, 0.3), lambda x: np.quantile(x, 0.3)),
    "searchsorted": (lambda x: rnp.searchsorted(rnp.sort(x), x), lambda x: np.searchsorted(np.sort(x), x)),
    "digitize": (lambda x: rnp.digitize(x, rnp.sort(x)), lambda x: np.digitize(x, np.sort(x))),
    "interp": (lambda x: rnp.interp(x, rnp.sort(x), x), lambda x: np.interp(x, np.sort(x), x)),
    "unique": (lambda x: rnp.unique(rnp.floor(x), size=7), None),
    "histogram": (lambda x: rnp.histogram(x, 4)[0], lambda x: np.histogram(x, 4)[0]),
    "bincount": (lambda x: rnp.bincount(abs(x).astype("i32"), length=5), lambda x: np.bincount(abs(x).astype(int), minlength=5)),
    "convolve": (lambda x: rnp.convolve(x, x[:3]), lambda x: np.convolve(x, x[:3])),
    "correlate": (lambda x: rnp.correlate(x, x[:3], "same"), lambda x: np.correlate(x, x[:3], "same")),
    "rfft": (rnp.fft.rfft, np.fft.rfft),
    "fftshift": (rnp.fft.fftshift, np.fft.fftshift),
    "norm": (rnp.linalg.norm, np.linalg.norm),
    "gradient": (rnp.gradient, np.gradient),
    "trapezoid": (rnp.trapezoid, np.trapezoid),
    "diff": (rnp.diff, np.diff),
    "vander": (lambda x: rnp.vander(x, 3), lambda x: np.vander(x, 3)),
    "polyval": (lambda x: rnp.polyval(x[:3], x), lambda x: np.polyval(x[:3], x)),
    "isin": (lambda x: rnp.isin(x, x[:2]), lambda x: np.isin(x, x[:2])),
    "put": (lambda x: rnp.put(x, np.array([0, 2]), 5.0, inplace=False), None),
    "lexsort": (lambda x: rnp.lexsort((x, rnp.floor(x))), lambda x: np.lexsort((x, np.floor(x)))),
    "cov": (lambda x: rnp.cov(x, x * 2), lambda x: np.cov(x, x * 2)),
    "unwrap": (lambda x: rnp.unwrap(x * 4), lambda x: np.unwrap(x * 4)),
}


def on_host(name: str, row: np.ndarray) -> np.ndarray:
    ours, theirs = OF_ROWS[name]
    return np.asarray(ours(row) if theirs is None else theirs(row))


def test_every_example_of_vmap_is_what_numpy_finds_for_it() -> None:
    found = rlx.jit(rlx.vmap(lambda x: {name: ours(x) for name, (ours, _) in OF_ROWS.items()}))(A)
    wrong = []
    for name, batch in found.items():
        expected = np.stack([on_host(name, row) for row in A])
        if not np.allclose(np.asarray(batch), expected, rtol=1e-3, atol=1e-3):
            wrong.append(name)
    assert not wrong


SYMBOLIC = [name for name in OF_ROWS if name not in ("unique", "put")]


@pytest.mark.long
@pytest.mark.parametrize("names", [SYMBOLIC[::2], SYMBOLIC[1::2]])
def test_one_program_for_every_length(names: list[str]) -> None:
    run = rlx.jit(lambda x: {name: OF_ROWS[name][0](x) for name in names}, dims={"x": (rlx.Dim("n", min=4),)})
    wrong = []
    for size in (5, 6, 9):
        line = np.random.default_rng(size).normal(size=size).astype(np.float32)
        for name, found in run(line).items():
            expected = on_host(name, line)
            if found.shape != expected.shape or not np.allclose(found, expected, rtol=1e-3, atol=1e-3):
                wrong.append((name, size))
    assert not wrong


def test_numpys_own_functions_on_values() -> None:
    def run(x):
        return (
            np.linalg.norm(x, axis=1),
            np.fft.rfft(x, axis=0),
            np.median(x, axis=0),
            np.quantile(x, 0.25, axis=1),
            np.diff(x, axis=0),
            np.interp(x[0], np.arange(7, dtype=np.float32), x[1]),
            np.select([x > 1, x < -1], [x, -x], 0.0),
            np.fft.fftshift(x, axes=1),
            np.convolve(x[0], x[1]),
            np.isin(x, x[0]),
        )

    for mine, other in zip(rlx.jit(run)(A), run(A), strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-4, atol=1e-5)
