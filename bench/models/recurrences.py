"""The recurrences of the suite `scan`: their definition in f64 NumPy, and how one writes them in JAX and torch.

    selective scan     st = exp(delta·A)·st + delta·B·x;  y = Σ C·st
    gated delta net    S *= exp(g);  d = (v - Sᵀk)·beta;  S += k⊗d;  o = Sᵀq/√n

In chunks of c steps the delta net is products of matrices. With G the running sum of g in the chunk and S₀ the state before it,

    (I + L)·U = beta·(V - exp(G)·K·S₀)         L[t, i] = beta_t·exp(G_t - G_i)·(k_t·k_i) for i < t
    O = (exp(G)·Q·S₀ + P·U)/√n                 P[t, i] = exp(G_t - G_i)·(q_t·k_i) for i <= t
    S = exp(G_c)·S₀ + (exp(G_c - G)·K)ᵀ·U
"""

from __future__ import annotations

import numpy as np

CHUNK = 64


def scan_reference(x, delta, A, B, C):
    """In f64, step by step."""
    x, delta, A, B, C = (array.astype(np.float64) for array in (x, delta, A, B, C))
    state = np.zeros((x.shape[0], *A.shape))
    rows = []
    for t in range(x.shape[1]):
        state = np.exp(delta[:, t, :, None] * A) * state + (delta[:, t] * x[:, t])[..., None] * B[:, t, None]
        rows.append((state * C[:, t, None]).sum(-1))
    return np.stack(rows, 1)


def delta_reference(q, k, v, g, beta):
    """In f64, step by step."""
    q, k, v, g, beta = (array.astype(np.float64) for array in (q, k, v, g, beta))
    batch, steps, heads, size = q.shape
    state = np.zeros((batch, heads, size, size))
    rows = []
    for t in range(steps):
        state *= np.exp(g[:, t])[..., None, None]
        change = (v[:, t] - (k[:, t, :, None] @ state)[:, :, 0]) * beta[:, t, :, None]
        state += k[:, t, :, :, None] * change[:, :, None]
        rows.append((q[:, t, :, None] @ state)[:, :, 0] / np.sqrt(size))
    return np.stack(rows, 1)


# -- JAX --------------------------------------------------------------------------------------------------------
def jax_scan_rows(jax, x, delta, A, B, C):
    """lax.scan, the state as `[b, h, n]`."""

    def step(state, row):
        x, delta, B, C = row
        state = jax.numpy.exp(delta[..., None] * A) * state + (delta * x)[..., None] * B[:, None]
        return state, (state * C[:, None]).sum(-1)

    rows = tuple(jax.numpy.moveaxis(each, 1, 0) for each in (x, delta, B, C))
    _, ys = jax.lax.scan(step, jax.numpy.zeros((x.shape[0], *A.shape)), rows)
    return jax.numpy.moveaxis(ys, 0, 1)


def jax_scan_columns(jax, x, delta, A, B, C):
    """lax.scan, the state as `[b, n, h]`: vectors over channels."""
    turned = A.T

    def step(state, row):
        x, delta, B, C = row
        state = jax.numpy.exp(delta[:, None] * turned) * state + (delta * x)[:, None] * B[..., None]
        return state, (state * C[..., None]).sum(1)

    rows = tuple(jax.numpy.moveaxis(each, 1, 0) for each in (x, delta, B, C))
    _, ys = jax.lax.scan(step, jax.numpy.zeros((x.shape[0], *turned.shape)), rows)
    return jax.numpy.moveaxis(ys, 0, 1)


def jax_delta_steps(jax, q, k, v, g, beta):
    """lax.scan over steps."""
    size = q.shape[-1]

    def step(state, row):
        q, k, v, g, beta = row
        state = state * jax.numpy.exp(g)[..., None, None]
        change = (v - (state * k[..., None]).sum(-2)) * beta[..., None]
        state = state + k[..., None] * change[..., None, :]
        return state, (state * q[..., None]).sum(-2) / np.float32(np.sqrt(size))

    rows = tuple(jax.numpy.moveaxis(each, 1, 0) for each in (q, k, v, g, beta))
    start = jax.numpy.zeros((q.shape[0], q.shape[2], size, size))
    return jax.numpy.moveaxis(jax.lax.scan(step, start, rows)[1], 0, 1)


def jax_delta_chunks(jax, q, k, v, g, beta):
    """lax.scan over chunks."""
    np_like = jax.numpy
    batch, steps, heads, size = q.shape

    def chunked(x):
        parts = x.reshape(batch, steps // CHUNK, CHUNK, heads, *x.shape[3:])
        return np_like.moveaxis(parts, 3, 1)  # [b, H, chunks, c, …]

    q, k, v, g, beta = (chunked(x) for x in (q, k, v, g, beta))
    total = np_like.cumsum(g, -1)
    lower = np.tri(CHUNK, dtype=bool)
    fade = np_like.exp(np_like.where(lower, total[..., :, None] - total[..., None, :], -np.inf))
    inner = np_like.where(np.tri(CHUNK, k=-1, dtype=bool), (k @ k.swapaxes(-1, -2)) * fade * beta[..., None], 0)
    right = np_like.concatenate((v * beta[..., None], k * (beta * np_like.exp(total))[..., None]), -1)
    solved = jax.scipy.linalg.solve_triangular(inner + np.eye(CHUNK, dtype=np.float32), right, lower=True, unit_diagonal=True)
    fresh, reads = np_like.split(solved, 2, -1)
    pairs = (q @ k.swapaxes(-1, -2)) * fade
    starts = q * np_like.exp(total)[..., None]
    ends = k * np_like.exp(total[..., -1:] - total)[..., None]

    def step(state, part):
        fresh, reads, pairs, starts, ends, shrink = part
        change = fresh - reads @ state
        return state * np_like.exp(shrink)[..., None, None] + ends.swapaxes(-1, -2) @ change, starts @ state + pairs @ change

    parts = tuple(np_like.moveaxis(x, 2, 0) for x in (fresh, reads, pairs, starts, ends, total[..., -1]))
    _, found = jax.lax.scan(step, np_like.zeros((batch, heads, size, size)), parts)
    found = np_like.moveaxis(found, 0, 2).reshape(batch, heads, steps, size) / np.float32(np.sqrt(size))
    return found.swapaxes(1, 2)


# -- torch ------------------------------------------------------------------------------------------------------
def torch_scan(torch, x, delta, A, B, C):
    """A loop whose state is updated in place."""
    state = torch.zeros(x.shape[0], *A.shape)
    ys = torch.empty_like(x)
    driven = delta * x
    for t in range(x.shape[1]):
        state.mul_(torch.exp(delta[:, t, :, None] * A)).addcmul_(driven[:, t, :, None], B[:, t, None])
        torch.matmul(state, C[:, t, :, None], out=ys[:, t, :, None])
    return ys


def torch_delta_chunks(torch, q, k, v, g, beta):
    """A loop over chunks."""
    batch, steps, heads, size = q.shape

    def chunked(x):
        return x.reshape(batch, steps // CHUNK, CHUNK, heads, *x.shape[3:]).movedim(3, 1)

    q, k, v, g, beta = (chunked(x) for x in (q, k, v, g, beta))
    total = g.cumsum(-1)
    fade = (total[..., :, None] - total[..., None, :]).tril().exp().tril()
    inner = ((k @ k.mT) * fade * beta[..., None]).tril(-1)
    right = torch.cat((v * beta[..., None], k * (beta * total.exp())[..., None]), -1)
    solved = torch.linalg.solve_triangular(inner + torch.eye(CHUNK), right, upper=False, unitriangular=True)
    fresh, reads = solved.split(size, -1)
    pairs = (q @ k.mT) * fade
    starts = q * total.exp()[..., None]
    ends = k * (total[..., -1:] - total).exp()[..., None]
    state = torch.zeros(batch, heads, size, size)
    found = []
    for i in range(steps // CHUNK):
        change = fresh[:, :, i] - reads[:, :, i] @ state
        found.append(starts[:, :, i] @ state + pairs[:, :, i] @ change)
        state = state * total[:, :, i, -1, None, None].exp() + ends[:, :, i].mT @ change
    return (torch.cat(found, 2) / size**0.5).transpose(1, 2)


# -- the causal convolution in front of a recurrence: x [b, s, c], w [c, 1, 1, k], left [b, k - 1, c]
def causal_reference(x, w, left):
    """In f64, tap by tap."""
    padded, taps = np.concatenate((left, x), 1).astype(np.float64), w.shape[-1]
    return sum(padded[:, tap : tap + x.shape[1]] * w[:, 0, 0, tap] for tap in range(taps))


def jax_causal(jax, x, w, left):
    """One convolution with the channels last."""
    rows = jax.numpy.concatenate((left, x), 1)
    taps = jax.numpy.transpose(w[:, 0], (2, 1, 0))  # [k, 1, c]
    return jax.lax.conv_general_dilated(
        rows, taps, (1,), "VALID", dimension_numbers=("NWC", "WIO", "NWC"), feature_group_count=x.shape[2]
    )


def torch_causal(torch, x, w, left):
    """One convolution with the channels in the middle, as torch has it, and back."""
    rows = torch.cat((left, x), 1).transpose(1, 2)
    return torch.nn.functional.conv1d(rows, w[:, 0], groups=x.shape[2]).transpose(1, 2).contiguous()
