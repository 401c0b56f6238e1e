"""Calls of reductions, statistics, products, transforms, polynomials and linear algebra."""

from __future__ import annotations

import numpy as np

from tests.frontends.numpy.table import Row, Sample, n, row, rows, v, x

_T = (2, 3, 4)

REDUCTIONS: list[Row] = [
    *rows("sum prod mean", x(*_T), axis=(0, 2), on="fidc", tolerance_=4),
    *rows("sum prod max min amax amin any all mean std var ptp", x(*_T)),
    *rows("sum prod max min amax amin any all", x(*_T), axis=1, keepdims=True, on="iu"),
    *rows("sum prod any all", x(0, 3), axis=0),
    *rows("sum max min mean", x(*_T, edges=True), axis=1),
    *rows("sum prod max min mean std var ptp amax amin", x(3, 5), axis=1, grad_=True),
    *rows("std var", x(*_T), axis=1, ddof=1, keepdims=True, on="fic"),
    *rows("any all", x(3, 4), axis=0, on="bc"),
    *rows("argmax argmin", x(*_T), axis=1, on="fi"),
    *rows("argmax argmin", x(*_T), on="f"),
    *rows("argmax argmin", x(3, 4, edges=True), axis=1),
    *rows("cumsum cumprod", x(*_T), axis=1, on="fi"),
    *rows("cumsum cumprod", x(3, 4), on="f", grad_=True),
    *rows("cumulative_sum cumulative_prod", x(3, 4), axis=1, include_initial=True),
    row("count_nonzero", x(3, 4), axis=1, on="fib"),
    row("average", x(3, 4), axis=1, weights=None),
    row("average", x(3, 4), 1, x(4, low=0.5), grad_=True, numpy_=lambda a, axis, w: np.average(a, axis, w)),
    row("logsumexp", x(3, 4), axis=1, numpy_=lambda a, axis: np.log(np.exp(a).sum(axis)), jax_=False),
    *rows("nansum nanprod nanmax nanmin nanmean nanstd nanvar nancumsum nancumprod", x(3, 6, edges=False), axis=1),
    *rows("nansum nanprod nanmax nanmin nanmean nanstd nanvar", v([[1.0, np.nan, 2], [np.nan, -1, 3]]), axis=1),
    *rows("nanargmax nanargmin", v([[1.0, np.nan, 2], [np.nan, -1, 3]]), axis=1),
    *rows("nancumsum nancumprod", v([1.0, np.nan, 2])),
]

STATISTICS: list[Row] = [
    *rows("median nanmedian", x(3, 5), axis=1, on="fid"),
    *rows("median nanmedian", v([[1.0, np.nan, 2], [4, -1, 3]]), axis=1, keepdims=True),
    *rows("median", x(2, 3, 4), axis=(0, 2), grad_=True),
    *(
        row(name, x(3, 6), v([0.0, 0.1, 0.5, 0.77, 1.0], dtype="float32"), axis=1, method=method)
        for name in ("quantile", "nanquantile")
        for method in ("linear", "lower", "higher", "midpoint", "nearest")
    ),
    row("quantile", x(7), 0.3, grad_=True),
    row("nanquantile", v([[1.0, np.nan, 2], [np.nan, np.nan, np.nan]]), 0.5, axis=1),
    row("quantile", v([[1.0, np.nan, 2], [3, 1, 2]]), 0.5, axis=1),
    *rows("percentile nanpercentile", x(3, 6), v([10.0, 50.0], dtype="float32"), axis=0, keepdims=True),
    row("bincount", n(9, high=5), traced_=False),
    row("bincount", n(9, high=5), x(9), 7, traced_=False),
    row("bincount", n(9, high=5), ours_={"length": 6}, numpy_=lambda a: np.bincount(a, minlength=6)),
    row("histogram", x(40), jax_=True),
    row("histogram", x(40), 5, (-1.0, 2.0)),
    row(
        "histogram",
        x(40),
        v([-2.0, 0.0, 0.5, 2.0]),
        None,
        x(40, low=0),
        True,
        numpy_=lambda a, e, r, w, d: np.histogram(a, e, r, d, w),
    ),
    row("histogram_bin_edges", x(9), 4),
    row("histogram2d", x(20), x(20), 4),
    row("histogram2d", x(20), x(20), [3, 4], density=True),
    row("histogramdd", x(20, 3), 3),
    row("cov", x(3, 7), tolerance_=4),
    row("cov", x(3, 7), x(3, 7), rowvar=False, bias=True, tolerance_=4),
    row(
        "cov", x(5), fweights=np.array([1, 2, 1, 3, 1]), aweights=np.array([0.5, 1, 2, 1, 1], np.float32), traced_=False, jax_=False
    ),
    row("cov", x(3, 7), grad_=True),
    row("corrcoef", x(3, 7), on="fd", tolerance_=4),
    row("corrcoef", x(3, 7), on="c", tolerance_=4),
    row("interp", x(3, 4), v([-2.0, -1, 0.5, 2]), x(4), grad_=True),
    row("interp", x(7, low=-5, high=5), v([-2.0, -1, 0.5, 2]), x(4), -7.0, 9.0, tolerance_=4),
    row("interp", x(7, low=-9, high=9), v([0.5, 1, 2.5]), x(3), period=3.0, tolerance_=10, jax_=True),
    row("gradient", x(3, 5), on="fi"),
    row("gradient", x(6), 0.5, grad_=True),
    row("gradient", x(3, 4), v([0.0, 1, 3, 4]), axis=1),
    row("diff", x(3, 5), on="fib"),
    row("diff", x(3, 5), 2, axis=0, grad_=True),
    row("diff", x(3, 5), 1, -1, 1.0, x(3, 2)),
    row("trapezoid", x(3, 5), on="fi"),
    row("trapezoid", x(3, 5), v([0.0, 1, 3]), axis=0, grad_=True),
    *(row("convolve", x(7), x(3), mode, on="fc") for mode in ("full", "same", "valid")),
    *rows("convolve correlate", x(7), x(3), "same", on="i", jax_=False),
    *(row("correlate", x(7), x(4), mode, on="fc") for mode in ("full", "same", "valid")),
    *(row(name, x(3), x(6), mode) for name in ("convolve", "correlate") for mode in ("full", "same", "valid")),
    *rows("convolve correlate", x(6), x(3), grad_=True),
    row("unwrap", x(3, 8, low=-9, high=9), tolerance_=4),
    row("unwrap", x(9, low=-9, high=9), period=4, on="i"),
]

PRODUCTS: list[Row] = [
    row("matmul", x(2, 3, 4), x(4, 2), on="fic", grad_=False),
    row("matmul", x(3, 4), x(4), grad_=True),
    row("dot", x(3, 4), x(2, 4, 3)),
    *rows("vdot inner", x(4), x(4), on="fc"),
    row("inner", x(2, 4), x(3, 4), grad_=True),
    row("outer", x(3), x(4), grad_=True),
    row("tensordot", x(2, 3, 4), x(4, 3, 2), axes=((1, 2), (1, 0)), grad_=True),
    row("kron", x(2, 3), x(3, 2), grad_=True),
    row("cross", x(4, 3), x(3), grad_=True),
    row("vecdot", x(2, 4), x(4), on="fc"),
    row("matvec", x(2, 3, 4), x(4)),
    row("vecmat", x(3), x(2, 3, 4), on="fc"),
    row("trace", x(3, 4), on="fi"),
    row("diagonal", x(3, 4, 2), 1, 0, 1),
    row("diag", x(3), -1, grad_=True),
    row("diag", x(3, 4), 1),
    row("diagflat", x(2, 2), 1),
    row("einsum", "ij,jk,k->i", x(3, 4), x(4, 5), x(5), grad_=True),
    row("einsum", "...ii->...i", x(2, 3, 3)),
]

FFT: list[Row] = [
    *(row(f"fft.{name}", x(3, 8), on="fcd", tolerance_=8) for name in ("fft", "ifft", "irfft", "hfft")),
    *(row(f"fft.{name}", x(3, 7), on="fi", tolerance_=8) for name in ("rfft", "ihfft")),
    *(row(f"fft.{name}", x(3, 5), 6, 0, "ortho", tolerance_=8) for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")),
    *(row(f"fft.{name}", x(3, 5), n=4, norm="forward", tolerance_=8) for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")),
    *(row(f"fft.{name}", x(2, 3, 4), on="fc", tolerance_=8) for name in ("fftn", "ifftn", "fft2", "ifft2", "irfftn", "irfft2")),
    *(row(f"fft.{name}", x(2, 3, 4), tolerance_=8) for name in ("rfftn", "rfft2")),
    *(
        row(f"fft.{name}", x(2, 3, 4), s=(4, 5), axes=(0, 1), norm="ortho", tolerance_=8)
        for name in ("fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2", "rfft2", "irfft2")
    ),
    *(row(f"fft.{name}", 7, 0.5, traced_=False) for name in ("fftfreq", "rfftfreq")),
    *(row(f"fft.{name}", x(3, 4), on="f") for name in ("fftshift", "ifftshift")),
    *(row(f"fft.{name}", x(3, 5), axes=1, grad_=True) for name in ("fftshift", "ifftshift")),
    *(row(f"fft.{name}", x(6), grad_=True, tolerance_=8) for name in ("fft", "ifft", "rfft", "irfft", "fftn", "hfft", "ihfft")),
]

POLYNOMIALS: list[Row] = [
    row("polyval", x(4), x(2, 3), on="fi", tolerance_=4),
    row("polyval", x(4), x(5), grad_=True, tolerance_=4),
    *rows("polyadd polysub", x(3), x(5), on="fi", grad_=False),
    row("polymul", x(3), x(4), grad_=True),
    row("polydiv", x(5), v([2.0, -1.0, 0.5]), numpy_=lambda a, c: _divided(*np.polydiv(a, c), len(a)), tolerance_=20),
    row("polyder", x(5), 2),
    row("polyder", x(5), on="i", jax_=False),
    row("polyint", x(4), 2, v([1.0, 2.0]), numpy_=lambda p, m, k: np.polyint(p, m, list(k))),
    row("polyint", x(4), grad_=True),
    row("poly", x(3), grad_=True),
    row("poly", v([[2.0, 1], [1, 3]]), jax_=False),
    row("roots", v([2.0, -6.0]), traced_=False, jax_=False),
    row("roots", v([0.0, 1.0, -3.0, 2.0, 0.0]), traced_=False, jax_=False, tolerance_=10),
    row("polyfit", x(9), x(9), 3, tolerance_=200, jax_=False),
    row("polyfit", x(9), x(9, 2), 2, tolerance_=200, jax_=False),
]


def _divided(quotient: np.ndarray, rest: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    return quotient, np.concatenate([np.zeros(size - len(rest), rest.dtype), rest])


def spd(*shape: int) -> Sample:
    """Symmetric positive definite matrices."""
    made = np.random.default_rng(7).normal(size=shape)
    return v(made @ np.swapaxes(made, -1, -2) + shape[-1] * np.eye(shape[-1]))


def plain(*shape: int) -> Sample:
    """Matrices that are far from singular."""
    return v(np.random.default_rng(8).normal(size=shape) + shape[-1] * np.eye(*shape[-2:]))


def _complex(*shape: int) -> np.ndarray:
    random = np.random.default_rng(9)
    return random.normal(size=shape) + 1j * random.normal(size=shape) + 2 * np.eye(*shape[-2:])


_HERMITIAN = _complex(2, 4, 4) @ np.conj(np.swapaxes(_complex(2, 4, 4), -1, -2))

LINALG: list[Row] = [
    row("linalg.cholesky", v(_HERMITIAN), on="c"),
    row("linalg.cholesky", v(_HERMITIAN), upper=True, on="c"),
    *rows("linalg.det linalg.slogdet", v(_complex(2, 4, 4)), on="c", tolerance_=4),
    row("linalg.det", v(_complex(2, 3, 3)), on="c", tolerance_=4),
    *rows("linalg.solve", v(_complex(4, 4)), x(4), on="c", tolerance_=4),
    *rows("linalg.inv", v(_complex(4, 4)), on="c", tolerance_=4),
    row("linalg.cholesky", spd(2, 5, 5), on="fd"),
    row("linalg.cholesky", spd(4, 4), grad_=True, tolerance_=4),
    row("linalg.cholesky", spd(4, 4), upper=True),
    row("linalg.qr", plain(5, 3), on="fd", grad_=False),
    row("linalg.qr", plain(5, 3), mode="complete"),
    row("linalg.qr", plain(5, 3), mode="r"),
    row("linalg.qr", plain(4, 4), grad_=True, tolerance_=20),
    row("linalg.eigvalsh", spd(2, 4, 4), on="fd", tolerance_=4),
    row("linalg.eigvalsh", spd(4, 4), grad_=True, tolerance_=10),
    row("linalg.svdvals", plain(2, 5, 3), on="fd", tolerance_=4),
    row("linalg.svdvals", plain(4, 3), grad_=True, tolerance_=10),
    row("linalg.solve", plain(4, 4), x(4), on="fd", tolerance_=4),
    row("linalg.solve", plain(2, 4, 4), x(4, 3), tolerance_=4),
    row("linalg.solve", plain(4, 4), x(2, 4, 3), tolerance_=4),
    row("linalg.solve", plain(4, 4), x(4, 2), grad_=True, tolerance_=10),
    row("linalg.inv", plain(2, 4, 4), on="fd", tolerance_=4),
    row("linalg.inv", plain(3, 3), grad_=True, tolerance_=10),
    *(row("linalg.det", plain(2, size, size), on="fd", tolerance_=4) for size in (1, 2, 3, 5)),
    row("linalg.det", plain(4, 4), grad_=True, tolerance_=20),
    row("linalg.slogdet", plain(2, 5, 5), on="fd"),
    row("linalg.slogdet", v([[0.0, 2.0], [3.0, 1.0]])),
    *(row("linalg.norm", x(3, 4), ord=order) for order in (None, "fro", 1, -1, np.inf, -np.inf)),
    *(row("linalg.norm", x(3, 4), ord=order, tolerance_=4) for order in ("nuc", 2, -2)),
    *(row("linalg.norm", x(3, 4), ord=order, axis=1, keepdims=True, on="fc") for order in (None, 1, 2, 3, 0, np.inf, -np.inf)),
    row("linalg.norm", x(2, 3, 4)),
    row("linalg.norm", x(2, 3, 4), ord=1, axis=(0, 2)),
    row("linalg.norm", x(3, 4), axis=1, grad_=True),
    row("linalg.vector_norm", x(2, 3, 4), axis=(0, 2), ord=3),
    row("linalg.vector_norm", x(2, 3), on="fc"),
    row("linalg.matrix_norm", x(2, 3, 4), keepdims=True),
    row("linalg.matrix_norm", x(2, 3, 4), ord="nuc", tolerance_=4),
    row("linalg.cond", plain(4, 4), tolerance_=10),
    *(row("linalg.cond", plain(4, 4), p=p, tolerance_=10) for p in (1, np.inf, "fro")),
    row("linalg.pinv", plain(5, 3), tolerance_=4, on="fd"),
    row("linalg.lstsq", plain(6, 3), x(6, 2), tolerance_=10, jax_=False),
    row("linalg.matrix_rank", v([[1.0, 2, 3], [2, 4, 6], [0, 1, 1]])),
    row("linalg.matrix_rank", v([[1.0, 2, 3], [2, 4, 6], [0, 1, 1]]), tol=1e-3, jax_=False),
    *(row("linalg.matrix_power", plain(3, 3), power, tolerance_=10) for power in (0, 1, 5, -2)),
    row("linalg.matrix_power", x(3, 3), 3, on="i"),
    row("linalg.multi_dot", [x(3, 4), x(4, 2), x(2, 5), x(5)], tolerance_=4),
    row("linalg.multi_dot", [x(4), x(4, 3)], grad_=True),
    row("linalg.matmul", x(2, 3, 4), x(4, 2)),
    row("linalg.matrix_transpose", x(2, 3, 4)),
    row("linalg.outer", x(3), x(4), on="fc"),
    row("linalg.cross", x(4, 3), x(4, 3)),
    row("linalg.diagonal", x(2, 3, 4), offset=1),
    row("linalg.trace", x(2, 3, 4), offset=-1, on="fi"),
    row("linalg.tensordot", x(3, 4), x(4, 3), axes=1),
    row("linalg.vecdot", x(2, 4), x(2, 4), axis=-1, on="fc"),
    row("linalg.tensorinv", v(np.random.default_rng(3).normal(size=(4, 6, 8, 3))), tolerance_=50, on="fd"),
    row("linalg.tensorsolve", v(np.eye(6).reshape(2, 3, 6) * 2), x(2, 3)),
]

ROWS = [*REDUCTIONS, *STATISTICS, *PRODUCTS, *FFT, *POLYNOMIALS, *LINALG]
