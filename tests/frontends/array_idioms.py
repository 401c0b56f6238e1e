"""Idioms on arrays: NumPy's functions and methods, torch's spellings, indices, dtypes, linear algebra and networks."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import rlx
import rlx.numpy as rnp
from rlx import lax, nn
from tests.frontends.idiom_table import X, raises, refused, same, traced, works

ROWS = np.array([1, 0, 1])

# -- NumPy's functions ------------------------------------------------------------------------------------------
traced("jit(lambda x: np.sin(x)) numpy ufunc on Value", np.sin)
traced("np.sum(x, axis=0) on Value", lambda x: np.sum(x, axis=0))
traced(
    "np.where / np.concatenate / np.einsum on Value",
    lambda x: (np.where(x > 0, x, 0), np.concatenate([x, x]), np.einsum("ij,kj->ik", x, x)),
)
traced("np.concatenate", lambda x: np.concatenate([x, 2 * x], axis=1))
traced("np.einsum", lambda x: np.einsum("ij->j", x))
traced("np.linalg.norm", np.linalg.norm)
traced("zeros_like/ones_like np", lambda x: np.zeros_like(x) + 2 * np.ones_like(x))
traced("np.arange/np.zeros constants in jit", lambda x: x + np.arange(3) + np.zeros(3))
traced("np.arange int const * Value", lambda x: np.arange(3) * x)
traced("np.random inside jit (const)", lambda x: x + np.random.default_rng(0).standard_normal(3).astype(np.float32))
traced(
    "np.stack, np.split, np.mean, np.dot, np.matmul, np.transpose, np.reshape",
    lambda x: (
        np.stack([x, x]),
        np.split(x, 3, axis=1),
        np.mean(x),
        np.dot(x, x.T),
        np.matmul(x, x.T),
        np.transpose(x),
        np.reshape(x, (3, 2)),
    ),
)


@works("f64 numpy const + f32 Value")
def _():
    found = rlx.jit(lambda x: x + np.float64([1, 2, 3]))(X)
    same(found, X + np.float64([1, 2, 3]))
    assert found.dtype == np.float64  # as NumPy: an array of f64 is one because its owner said so


@works("jnp.sin(x) on Value")
def _():
    same(rlx.jit(lambda x: rnp.sin(x))(X), np.sin(X))
    for function in (jnp.sin, torch.sin):
        with pytest.raises(TypeError) as caught:
            rlx.jit(lambda x, function=function: function(x))(X)
        assert any("rlx.numpy" in note for note in caught.value.__notes__)


@works("rlx.numpy / rlx.np module")
def _():
    same(rlx.numpy.tanh(X), np.tanh(X))
    with pytest.raises(AttributeError, match=r"rlx\.numpy"):
        rlx.np


refused("rlx.sin free function", lambda: rlx.sin(X), r"rlx\.numpy\.sin", AttributeError)

# -- methods ----------------------------------------------------------------------------------------------------
traced("x.sin() method", lambda x: x.sin(), np.sin(X))
traced("x.sum(axis=1, keepdims=True)", lambda x: x.sum(axis=1, keepdims=True))
refused("x.sum(dim=1, keepdim=True) torch", lambda: rlx.jit(lambda x: x.sum(dim=1, keepdim=True))(X), "axis=")
traced("x.sum(1)", lambda x: x.sum(1))
traced("x.mean(-1)", lambda x: x.mean(-1))
traced("x.std / x.var", lambda x: (x.std(axis=0), x.var(), x.var(axis=1, ddof=1)))
traced("x.T", lambda x: x.T)
traced("x.reshape(-1)", lambda x: x.reshape(-1))
traced("x.reshape(3,2)", lambda x: x.reshape(3, 2))
traced("x.transpose(1,0)", lambda x: x.transpose(1, 0))
traced("x.max(), x.argmax(-1), x.min()", lambda x: (x.max(), x.argmax(-1), x.min()))
traced(
    "x.softmax(-1) / log_softmax",
    lambda x: (x.softmax(-1), x.log_softmax(-1)),
    (np.exp(X) / np.exp(X).sum(-1, keepdims=True), X - np.log(np.exp(X).sum(-1, keepdims=True))),
)
traced("x.flatten(), x.squeeze(), x.swapaxes", lambda x: (x.flatten(), x[None].squeeze(), x.swapaxes(0, 1)))
traced(
    "torch: x.view, x.unsqueeze, x.permute, x.size(0)",
    lambda x: (x.view(3, 2), x.unsqueeze(0), x.permute(1, 0), x + x.size(0), x.size),
    (X.reshape(3, 2), X[None], X.T, X + 2, 6),
)
traced("x.unsqueeze", lambda x: (x.unsqueeze(-1), x.unsqueeze(1)), (X[..., None], X[:, None]))
traced("x.permute", lambda x: (x.permute(1, 0), x.permute((1, 0))), (X.T, X.T))
traced(
    "x.clip(0,1) / x.clamp",
    lambda x: (x.clip(0, 1), x.clamp(0, 1), x.clamp(min=0), x.clamp(max=1)),
    (np.clip(X, 0, 1), np.clip(X, 0, 1), np.maximum(X, 0), np.minimum(X, 1)),
)
traced("x.clip(0, 1)", lambda x: x.clip(0, 1))
traced("x.relu(), x.exp(), x.log()", lambda x: (x.relu(), x.exp(), x.exp().log()), (np.maximum(X, 0), np.exp(X), X))
traced("x.flatten(), x.ravel()", lambda x: (x.flatten(), x.ravel()))
traced(
    "sort/argsort/topk/cumsum",
    lambda x: (rnp.sort(x), rnp.argsort(x), lax.top_k(x, 2), x.cumsum(1)),
    (np.sort(X), np.argsort(X), (np.float32([[3, 1], [4, 0.5]]), np.int32([[2, 0], [0, 1]])), np.cumsum(X, 1)),
)
traced("top_k", lambda x: lax.top_k(x, 1), (X.max(-1, keepdims=True), X.argmax(-1)[:, None]))
traced("mean axis tuple", lambda x: x[None].mean(axis=(0, 2)))
traced("x.T on 3D", lambda x: x.reshape(1, 2, 3).T)

# -- indices ----------------------------------------------------------------------------------------------------
traced("x[:,None] + x[None] broadcasting, np.newaxis", lambda x: x[:, None] + x[None] + x[:, np.newaxis])
traced("x[...,0]", lambda x: x[..., 0])
traced("x[idx] integer array index", lambda x: (x[ROWS], x[ROWS, np.array([0, 2, 1])]))
traced("x.at[0].set(1)", lambda x: x.at[0].set(1), np.concatenate([np.ones((1, 3)), X[1:]]))
traced("x[::-1]", lambda x: (x[::-1], x[:, ::-2]))
traced("for row in x", lambda x: sum(row * (i + 1) for i, row in enumerate(x)))


@works("x[x>2] boolean mask")
def _():
    same(rnp.asarray(X)[X > 2], X[X > 2])  # on arrays the size is known
    same(rlx.jit(lambda x: x[X > 2])(X), X[X > 2])  # and with a mask that is
    with pytest.raises(rlx.RlxError, match="where"):
        rlx.jit(lambda x: x[x > 2])(X)


@works("in-place x[0]=1, x+=1")
def _():
    def added(x):
        x += 1
        return x

    given = X.copy()
    same(rlx.jit(added)(given), X + 1)
    same(given, X)

    def stored(x):
        x[0] = 1

    with pytest.raises(rlx.RlxError, match=r"\.at\["):
        rlx.jit(stored)(X)


raises("out of bounds index x[5]", lambda: rlx.jit(lambda x: x[5])(X), "(?s)5.*fix")

# -- dtypes -----------------------------------------------------------------------------------------------------


def casts(name, *dtypes, expected):
    @works(name)
    def _():
        for dtype in dtypes:
            found = rlx.jit(lambda x, dtype=dtype: x.astype(dtype))(X)
            assert found.dtype == np.dtype(expected), (dtype, found.dtype)
            same(found.astype(np.float32), X.astype(expected).astype(np.float32))


casts("x.astype(jnp/np.float16)", np.float16, jnp.float16, rnp.float16, expected="float16")
casts("x.astype('float16')", "float16", expected="float16")
casts("x.astype('bfloat16')", "bfloat16", jnp.bfloat16, expected=jnp.bfloat16)
casts("x.astype(rlx.f16)/rlx.float32", rlx.DType.of("f16"), "f16", rnp.float16, expected="float16")


@works("x.astype(int)")
def _():
    found = rlx.jit(lambda x: x.astype(int))(X)
    assert found.dtype.kind == "i"
    same(found, X.astype(int))


@works("x.shape, x.ndim, x.dtype, x.size, len(x)")
def _():
    seen = []

    def look(x):
        seen.extend([x.shape, x.ndim, x.dtype == np.float32, x.size, len(x)])
        return x

    rlx.jit(look)(X)
    assert seen == [(2, 3), 2, True, 6, 2]


@works("np.asarray(graph output dtype bf16)")
def _():
    found = np.asarray(rlx.jit(lambda x: x.astype("bf16"))(X))
    assert found.dtype == jnp.bfloat16
    same(found.astype(np.float32), X)


@works("rnp.asarray(x, dtype=rnp.bfloat16)")
def _():
    found = rnp.asarray(X, dtype=rnp.bfloat16)
    assert found.dtype == rnp.bfloat16
    same(found.astype(np.float32), X)


@works("complex")
def _():
    given = (X + 1j * X[::-1]).astype(np.complex64)
    same(rlx.jit(lambda z: (z * z.conj()).real + abs(z))(given), (given * given.conj()).real + abs(given))


@works("f32 * python int large")
def _():
    found = rlx.jit(lambda x: x * 16777217)(X)
    assert found.dtype == np.float32
    same(found, X * np.float32(16777217))


@works("int div")
def _():
    i = np.int32([[7, -7, 3]])
    same(rlx.jit(lambda i: (i // 2, i % 2, i / 2))(i), (i // 2, i % 2, i / 2))


@works("bool sum")
def _():
    found = rlx.jit(lambda x: (x > 0).sum())(X)
    assert found == 4 and found.dtype.kind == "i"


@works("i64 default from np.arange")
def _():
    found = rlx.jit(lambda i: i * 2)(np.arange(3))
    assert found.dtype == np.int64
    same(found, np.arange(3) * 2)


# -- operators --------------------------------------------------------------------------------------------------
traced("x ** 2, x**0.5, 2**x, x//2, x%2, -x, abs(x)", lambda x: (x**2, abs(x) ** 0.5, 2**x, x // 2, x % 2, -x, abs(x)))
traced("np_array @ Value, np_array + Value", lambda x: (X.T @ x, X + x))
traced("x & y logical, ~mask", lambda x: ((x > 0) & (x < 3), (x > 0) | (x < -3), ~(x > 0)))

# -- arrays of others -------------------------------------------------------------------------------------------


@works("f64 input")
def _():
    found = rlx.jit(lambda x: x * 2)(np.float64(X))
    assert found.dtype == np.float64
    same(found, 2 * X)


@works("int python list input")
def _():
    same(rnp.sum(rnp.array([1, 2, 3])), 6)
    same(rlx.jit(lambda v: sum(v))([1, 2, 3]), 6)  # a list is a tree of three numbers, as in JAX


@works("torch tensor input")
def _():
    same(rlx.jit(lambda x: x * 2)(torch.from_numpy(X)), 2 * X)


@works("jax array input")
def _():
    same(rlx.jit(lambda x: x * 2)(jnp.asarray(X)), 2 * X)


@works("closure over np weights")
def _():
    w = np.float32([[1, 2], [3, 4], [5, 6]])
    same(rlx.jit(lambda x: x @ w)(X), X @ w)


@works("from torch/jax: rlx.from_torch / from_jax / from_onnx", refused=True)
def _():
    same(rnp.asarray(torch.from_numpy(X)), X)
    same(rnp.from_dlpack(torch.from_numpy(X)), X)
    for name in ("from_torch", "from_jax", "from_onnx"):
        with pytest.raises(AttributeError, match=r"rlx\.(numpy\.asarray|load)"):
            getattr(rlx, name)


# -- rlx.numpy, rlx.nn, rlx.lax ---------------------------------------------------------------------------------
traced(
    "rnp.stack, rnp.split, rnp.tile, rnp.repeat",
    lambda x: (rnp.stack([x, x], axis=1), rnp.split(x, [1], axis=1), rnp.tile(x, (2, 1)), rnp.repeat(x, 2, axis=0)),
    (np.stack([X, X], axis=1), np.split(X, [1], axis=1), np.tile(X, (2, 1)), np.repeat(X, 2, axis=0)),
)
traced(
    "rnp.tril, rnp.triu, rnp.eye, rnp.zeros, rnp.full",
    lambda x: (rnp.tril(x), rnp.triu(x, 1), x + rnp.eye(2, 3), rnp.zeros((2, 2)), rnp.full((2,), 7.0)),
    (np.tril(X), np.triu(X, 1), X + np.eye(2, 3), np.zeros((2, 2)), np.full(2, 7.0)),
)


@works("nn.one_hot(i, n)")
def _():
    same(rlx.jit(lambda i: nn.one_hot(i, 4))(np.int32([0, 3, 9])), np.eye(4, dtype=np.float32)[[0, 3, 0]] * [[1], [1], [0]])


@works("rnp.linalg.cholesky, solve, inv, eigh, svd, qr")
def _():
    a = (X @ X.T + 2 * np.eye(2)).astype(np.float32)

    @rlx.jit
    def factors(a):
        q, r = rnp.linalg.qr(a)
        values, vectors = rnp.linalg.eigh(a)
        u, s, vh = rnp.linalg.svd(a)
        products = (q @ r, (vectors * values) @ vectors.T, (u * s) @ vh)
        return rnp.linalg.cholesky(a), rnp.linalg.solve(a, a[0]), rnp.linalg.inv(a), *products

    expected = np.linalg.cholesky(a), np.linalg.solve(a, a[0]), np.linalg.inv(a), a, a, a
    same(factors(a), expected, tolerance=1e-4)


@works("rnp.searchsorted, rnp.bincount(length=)")
def _():
    edges, at, counted = np.float32([0, 1, 2]), np.float32([0.5, 1.0, 5]), np.int32([0, 2, 2, 1])
    found = rlx.jit(lambda e, v, i: (rnp.searchsorted(e, v), rnp.bincount(i, length=4)))(edges, at, counted)
    same(found, (np.searchsorted(edges, at), np.bincount(counted, minlength=4)))


@works("jax.nn.dot_product_attention(q, k, v, is_causal=True)")
def _():
    q, k, v = np.random.default_rng(0).standard_normal((3, 1, 4, 2, 8)).astype(np.float32)
    found = rlx.jit(lambda q, k, v: nn.dot_product_attention(q, k, v, is_causal=True))(q, k, v)
    same(found, jax.nn.dot_product_attention(q, k, v, is_causal=True))


@works("lax.dynamic_slice, dynamic_update_slice")
def _():
    def moved(x, i):
        return lax.dynamic_update_slice(x, lax.dynamic_slice(x, (i, 0), (1, 3)) * 2, (0, 0))

    same(rlx.jit(moved)(X, np.int32(1)), np.stack([2 * X[1], X[1]]))


@works("torch.nn like: rlx.nn")
def _():
    same(rlx.jit(lambda x: nn.gelu(nn.relu(x)))(X), jax.nn.gelu(jax.nn.relu(X)))
