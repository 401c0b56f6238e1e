"""`rlx.scipy` beside `jax.scipy`: values in f32 and f64, eager and under `jit`, and gradients."""

from __future__ import annotations

import jax
import jax.scipy
import numpy as np
import pytest
import scipy.special

import rlx
import rlx.numpy as rnp
import rlx.scipy as rsp

SOURCE = np.random.default_rng(0)
X, Y, P = SOURCE.uniform(0.1, 5, 20), SOURCE.uniform(0.1, 5, 20), SOURCE.uniform(0.01, 0.99, 20)
A, B, V, T = (SOURCE.standard_normal(shape) for shape in ((4, 4), (4, 3), (4,), (2, 4, 4)))
SYMMETRIC = A @ A.T + 4 * np.eye(4)
TRIANGLE = A + 4 * np.eye(4)


def compare(function, *arrays, gradient=True, symmetric=False, rtol=1e-5):
    """`function(the library's scipy, *arrays)` in both: eager in f32, under `jit` in f64, then its gradient by the first array."""
    for dtype, tolerance in ((np.float64, 1e-10), (np.float32, rtol)):
        given = [np.asarray(array, dtype) for array in arrays]
        with jax.enable_x64(dtype is np.float64):
            expected = [np.asarray(leaf) for leaf in jax.tree.leaves(function(jax.scipy, *given))]
        ours = (lambda *xs: function(rsp, *xs)) if dtype is np.float32 else rlx.jit(lambda *xs: function(rsp, *xs))
        for found, wanted in zip(map(np.asarray, rlx.tree.leaves(ours(*given))), expected, strict=True):
            assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
            scale = np.abs(wanted[np.isfinite(wanted)]).max(initial=1.0)
            np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance * scale)
    if gradient:

        def total(library, tree):
            return lambda *xs: sum((leaf * leaf).sum() for leaf in tree.leaves(function(library, *xs)))

        with jax.enable_x64(True):
            wanted = np.asarray(jax.grad(total(jax.scipy, jax.tree))(*arrays))
        found = np.asarray(rlx.grad(total(rsp, rlx.tree))(*arrays))
        if symmetric:  # where one triangle is read, only this part is defined
            found, wanted = found + found.T, wanted + wanted.T
        known = np.isfinite(wanted)
        np.testing.assert_allclose(found[known], wanted[known], rtol=1e-8, atol=1e-9)


# -- special --------------------------------------------------------------------------------------------------------
SPECIAL = {
    "beta": (X, Y),
    "betaln": (X, Y),
    "boxcox": (X, Y),
    "boxcox1p": (X, Y),
    "comb": (X + 5, Y),
    "digamma": (X,),
    "entr": (X,),
    "erf": (X,),
    "erfc": (X,),
    "erfinv": (P,),
    "expit": (X,),
    "factorial": (X,),
    "gamma": (X - 2.55,),
    "gammainc": (X, Y),
    "gammaincc": (X, Y),
    "gammaln": (X,),
    "gammasgn": (X - 2.55,),
    "i0": (X,),
    "i0e": (X,),
    "i1": (X,),
    "i1e": (X,),
    "kl_div": (X, Y),
    "log_ndtr": (X - 9,),
    "log_softmax": (X,),
    "logit": (P,),
    "logsumexp": (X,),
    "ndtr": (X - 3,),
    "ndtri": (P,),
    "poch": (X, Y),
    "rel_entr": (X, Y),
    "softmax": (X,),
    "xlog1py": (X, Y),
    "xlogy": (X, Y),
    "zeta": (X + 1.1, Y),
}


@pytest.mark.parametrize("name", SPECIAL)
def test_special(name):
    compare(lambda library, *xs: getattr(library.special, name)(*xs), *SPECIAL[name], rtol=3e-5)


@pytest.mark.parametrize("name", [name for name, inputs in SPECIAL.items() if len(inputs) > 1])
def test_gradients_by_the_second_argument(name):
    with jax.enable_x64(True):
        expected = jax.grad(lambda x, y: getattr(jax.scipy.special, name)(x, y).sum(), 1)(*SPECIAL[name])
    found = rlx.grad(lambda x, y: getattr(rsp.special, name)(x, y).sum(), 1)(*SPECIAL[name])
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_betainc():
    compare(lambda library, x, a, b: library.special.betainc(a, b, x), P, X, Y)


@pytest.mark.parametrize("argument", [0, 1])
def test_gradients_of_betainc_by_its_shapes(argument):
    """JAX has none: central differences of SciPy's values."""
    shapes = [X, Y]
    step = 1e-5 * (np.arange(2) == argument)[:, None]
    up, down = (scipy.special.betainc(*(np.asarray(shapes) + sign * step), P) for sign in (1, -1))
    found = rlx.grad(lambda a, b: rsp.special.betainc(a, b, P).sum(), argument)(*shapes)
    np.testing.assert_allclose(found, (up - down) / 2e-5, rtol=1e-6, atol=1e-8)


EDGES = np.array([-np.inf, -2.0, -0.5, -0.0, 0.0, 0.5, 1.0, 3.0, np.inf, np.nan])


@pytest.mark.parametrize("name", ["gammainc", "gammaincc", "xlogy", "xlog1py", "rel_entr"])
def test_edges_of_two(name):
    first, second = (each.ravel() for each in np.meshgrid(EDGES, EDGES))
    if name.startswith("gamma"):  # a of 0 and infinity, where libraries differ
        first, second = first[(first != 0) & np.isfinite(first)], second[(first != 0) & np.isfinite(first)]
    with jax.enable_x64(True):
        expected = getattr(jax.scipy.special, name)(first, second)
    np.testing.assert_allclose(getattr(rsp.special, name)(first, second), expected, rtol=1e-12)


@pytest.mark.parametrize("name", ["entr", "gammasgn", "factorial"])
def test_edges_of_one(name):
    edges = EDGES[np.isfinite(EDGES)]
    with jax.enable_x64(True):
        expected = getattr(jax.scipy.special, name)(edges)
    np.testing.assert_allclose(getattr(rsp.special, name)(edges), expected, rtol=1e-12)


def test_incomplete_functions_far_out():
    a, x = np.float64([1e-3, 0.5, 30, 200, 1e4, 1e4]), np.float64([5, 1e-8, 60, 150, 9.9e3, 1.01e4])
    np.testing.assert_allclose(rsp.special.gammaincc(a, x), scipy.special.gammaincc(a, x), rtol=1e-10)
    b = np.float64([0.3, 400, 2, 1e3, 1e4, 0.5])
    share = np.float64([0.9, 1e-3, 0.95, 0.2, 0.5, 1e-12])
    np.testing.assert_allclose(rsp.special.betainc(a, b, share), scipy.special.betainc(a, b, share), rtol=1e-9)


def test_polygamma_of_orders():
    orders = np.int32([0, 1, 2, 5])
    expected = jax.scipy.special.polygamma(orders, np.float32(1.5))
    np.testing.assert_allclose(rsp.special.polygamma(orders, np.float32(1.5)), expected, rtol=1e-5)
    np.testing.assert_allclose(rsp.special.polygamma(3, X), scipy.special.polygamma(3, X), rtol=1e-10)


def test_multigammaln_and_bernoulli():
    np.testing.assert_allclose(rsp.special.multigammaln(X + 2, 3), scipy.special.multigammaln(X + 2, 3), rtol=1e-12)
    np.testing.assert_allclose(rsp.special.bernoulli(10), scipy.special.bernoulli(10), rtol=1e-6)


def test_logsumexp_with_signs_weights_and_axes():
    weights = SOURCE.standard_normal(A.shape)
    for options in ({}, {"axis": 0}, {"axis": -1, "keepdims": True}):
        compare(lambda m, a, b, options=options: m.special.logsumexp(a, b=b, return_sign=True, **options), A, weights)
        compare(lambda m, a, options=options: m.special.logsumexp(a, **options), A)


def test_dtypes_of_special_functions():
    for dtype in (rnp.bfloat16, np.float16, np.int32):
        one = np.ones(2, dtype)
        for name in ("gammainc", "xlogy", "betaln"):
            found = getattr(rsp.special, name)(one, one)
            assert str(found.dtype) == str(getattr(jax.scipy.special, name)(one, one).dtype)


# -- linalg ---------------------------------------------------------------------------------------------------------
LINALG = {
    "solve_triangular lower": (lambda m, a, b: m.solve_triangular(a, b, lower=True), TRIANGLE, B),
    "solve_triangular unit": (lambda m, a, b: m.solve_triangular(a, b, trans=1, unit_diagonal=True), A, V),
    "solve_triangular T": (lambda m, a, b: m.solve_triangular(a, b, trans="T"), TRIANGLE, V),
    "solve_triangular stack": (lambda m, a, b: m.solve_triangular(a, b), T + 4 * np.eye(4), T[..., :2]),
    "solve": (lambda m, a, b: m.solve(a, b), A, V),
    "lu": (lambda m, a: m.lu(a), A),
    "lu permuted": (lambda m, a: m.lu(a, permute_l=True), A),
    "lu_factor": (lambda m, a: m.lu_factor(a)[0], A),
    **{f"lu_solve {n}": (lambda m, a, b, n=n: m.lu_solve(m.lu_factor(a), b, trans=n), A, B) for n in range(3)},
    "qr": (lambda m, a: [abs(each) for each in m.qr(a, mode="economic")], B),
    "svd": (lambda m, a: m.svd(a, compute_uv=False), B),
    "expm": (lambda m, a: m.expm(a), A),
    "expm large": (lambda m, a: m.expm(a), 6 * A),
    "expm stack": (lambda m, a: m.expm(a), T),
    "block_diag": (lambda m, a, b: m.block_diag(a, b, 2.0), V, B),
    "toeplitz": (lambda m, c: m.toeplitz(c), V),
    "toeplitz row": (lambda m, c, r: m.toeplitz(c, r), V, 2 * V[:3]),
    "hankel": (lambda m, c: m.hankel(c), V),
    "hankel row": (lambda m, c, r: m.hankel(c, r), V, 2 * V[:3]),
    "circulant": (lambda m, c: m.circulant(c), V),
    "companion": (lambda m, c: m.companion(c), V),
    "inv": (lambda m, a: m.inv(a), A),
    "det": (lambda m, a: m.det(a), A),
}


@pytest.mark.parametrize("name", LINALG)
def test_linalg(name):
    function, *inputs = LINALG[name]
    compare(lambda library, *xs: function(library.linalg, *xs), *inputs, rtol=2e-4)


OF_SYMMETRIC = {
    "cholesky": (lambda m, a: m.cholesky(a), SYMMETRIC),
    "cholesky lower": (lambda m, a: m.cholesky(a, lower=True), SYMMETRIC),
    "cho_solve": (lambda m, a, b: m.cho_solve(m.cho_factor(a), b), SYMMETRIC, B),
    "cho_solve lower": (lambda m, a, b: m.cho_solve(m.cho_factor(a, lower=True), b), SYMMETRIC, V),
    "solve pos": (lambda m, a, b: m.solve(a, b, assume_a="pos"), SYMMETRIC, V),
    "eigh": (lambda m, a: m.eigh(a)[0], SYMMETRIC),
    "eigvals": (lambda m, a: m.eigh(a, eigvals_only=True, lower=False), SYMMETRIC),
}


@pytest.mark.parametrize("name", OF_SYMMETRIC)
def test_linalg_of_symmetric_matrices(name):
    function, *inputs = OF_SYMMETRIC[name]
    compare(lambda library, *xs: function(library.linalg, *xs), *inputs, symmetric=True, rtol=1e-4)


def test_linalg_without_gradients():
    compare(lambda m, a: m.linalg.polar(a), A, gradient=False, rtol=1e-4)
    for name in ("hilbert", "hadamard", "dft"):
        expected = getattr(jax.scipy.linalg, name)(4)
        found = np.asarray(getattr(rsp.linalg, name)(4))
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, atol=1e-6)


def test_expm_needs_more_squarings_than_allowed():
    assert np.isnan(np.asarray(rsp.linalg.expm(1000 * A, max_squarings=2))).all()


# -- signal ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("name", ["convolve", "correlate", "fftconvolve", "convolve2d", "correlate2d"])
def test_signal(name, mode):
    pairs = [] if name.endswith("2d") else [((9,), (4,)), ((3,), (5,))]
    for one, other in [*pairs, ((6, 5), (3, 2))]:
        inputs = SOURCE.standard_normal(one), SOURCE.standard_normal(other)
        compare(lambda m, a, b: getattr(m.signal, name)(a, b, mode=mode), *inputs, rtol=1e-4)


# -- stats ----------------------------------------------------------------------------------------------------------
SHAPES = {
    "bernoulli": (0.3,),
    "beta": (1.5, 2.5),
    "binom": (4.0, 0.3),
    "chi2": (3.0,),
    "gamma": (1.7,),
    "geom": (0.3,),
    "nbinom": (2.5, 0.4),
    "pareto": (2.0,),
    "poisson": (1.7,),
    "t": (2.5,),
}
POINTS = {"k": np.array([-1.0, 0.0, 1.0, 2.0, 3.0]), "q": np.array([0.01, 0.2, 0.5, 0.9, 0.99])}
LINE = np.array([-1.5, -0.2, 0.05, 0.3, 0.9, 1.7, 4.0])
DISTRIBUTIONS = sorted(set(rsp.stats.__all__) - {"dirichlet", "multivariate_normal"})


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_distributions(name):
    ours, theirs = getattr(rsp.stats, name), getattr(jax.scipy.stats, name)
    for function in vars(ours):
        if not hasattr(theirs, function):
            continue
        inverse, discrete = function in ("ppf", "isf"), "logpmf" in vars(ours)
        x = POINTS["q"] if inverse else POINTS["k"] if discrete else LINE

        where = {"loc": 1} if discrete else {"loc": 0.25, "scale": 1.5}

        def call(library, x, *shapes, function=function, where=where):
            return getattr(getattr(library.stats, name), function)(x, *shapes, **where)

        hard = inverse and name in ("gumbel_l", "gumbel_r", "norm")  # JAX's rule fails, or JAX's dtype is f64
        shapes = SHAPES.get(name, ())
        if hard:
            np.testing.assert_allclose(call(rsp, x, *shapes), call(jax.scipy, x, *shapes), rtol=1e-6, atol=1e-6)
        else:
            compare(call, x, *shapes, gradient=not discrete and function in ("logpdf", "cdf", "logsf"), rtol=1e-4)


def test_distributions_of_vectors():
    compare(lambda m, x, mean, cov: m.stats.multivariate_normal.logpdf(x, mean, cov), B.T @ np.ones((4, 4)), V, SYMMETRIC)
    compare(lambda m, x: m.stats.multivariate_normal.pdf(x, V.astype(x.dtype), SYMMETRIC.astype(x.dtype)), 2 * V)
    compare(lambda m, x: m.stats.multivariate_normal.logpdf(x, 0.5, 2.0), V)
    compare(lambda m, x, a: m.stats.dirichlet.logpdf(x, a), np.array([0.2, 0.3, 0.5]), np.array([1.0, 2.0, 3.0]))


# -- names ----------------------------------------------------------------------------------------------------------
def test_modules_import_as_in_jax():
    import rlx.scipy.linalg
    from rlx.scipy.special import logsumexp
    from rlx.scipy.stats import norm

    assert rlx.scipy.special.logsumexp is logsumexp and rlx.scipy.stats.norm is norm
    assert rlx.scipy.linalg.cho_solve is rsp.linalg.cho_solve


@pytest.mark.parametrize("name", ["optimize", "fft", "interpolate", "ndimage", "sparse", "integrate"])
def test_modules_that_are_missing_say_what_to_use(name):
    with pytest.raises(AttributeError, match=r"has no attribute .*; use "):
        getattr(rsp, name)
