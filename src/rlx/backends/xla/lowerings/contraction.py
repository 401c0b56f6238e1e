"""Products and reductions."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from rlx.backends.xla.lowerings.movement import filled, positions_in
from rlx.backends.xla.site import Lowering, LoweringSite
from rlx.core.dtype import DType

TAKE_AS_STORED = frozenset({"matmul", "dot_general", "grouped_matmul", "grouped_matmul_backward_weight"})
"""Ops that read 16-bit floats as they are: a product of two of them is exact in f32, in which XLA sums."""

_FULL = lax.Precision.HIGHEST


def summed_in(x: Any) -> Any:
    """The dtype of the accumulator for products of these numbers."""
    return DType.of(x.dtype).compute.numpy


def matmul(x: Any, y: Any) -> Any:
    """x @ y with its sums in full precision."""
    return jnp.matmul(x, y, precision=_FULL, preferred_element_type=summed_in(x))


def _dot_general(at: LoweringSite, x: Any, y: Any) -> Any:
    contract, batch = (at["lhs_contract"], at["rhs_contract"]), (at["lhs_batch"], at["rhs_batch"])
    return lax.dot_general(x, y, (contract, batch), precision=_FULL, preferred_element_type=summed_in(x))


# -- experts
def rows_by_expert(at: LoweringSite, x: Any, w: Any, experts: Any) -> Any:
    """Multiplies each row by the matrix of its expert: rows in the order of their experts, so that each matrix is read once."""
    count = w.shape[0]
    positions, outside = positions_in(at, experts, count)
    if x.shape[0] == 0:
        return jnp.zeros(at.dims, summed_in(x))
    if x.shape[0] <= count or not jnp.issubdtype(x.dtype, jnp.floating):
        chosen = jnp.take(w, positions, axis=0, mode="clip")
        products = matmul(x[:, None, :], chosen)[:, 0]
    else:
        order = jnp.argsort(positions, stable=True)
        back = jnp.argsort(order, stable=True)
        products = _in_groups(x[order], w, jnp.bincount(positions, length=count).astype(jnp.int32))[back]
    return filled(products, outside[:, None]) if at["mode"] == "fill" else products


def _in_groups(x: Any, w: Any, sizes: Any) -> Any:
    return lax.ragged_dot(x, w, sizes, precision=_FULL, preferred_element_type=summed_in(x))


def _weight_gradients(at: LoweringSite, x: Any, dy: Any, experts: Any) -> Any:
    """Computes xᵀ·dy summed over the rows of each expert; a row whose expert is outside adds nothing: its one-hot is all zero."""
    chosen = jax.nn.one_hot(experts, at["num_experts"], dtype=x.dtype)
    return jnp.einsum("me,mk,mn->ekn", chosen, x, dy, precision=_FULL, preferred_element_type=summed_in(x))


def _total(function: Any) -> Lowering:
    """Reduces by sum or product in the dtype of the result, 16-bit floats in f32."""
    return lambda at, x: function(x, axis=at["axes"], keepdims=at["keep_dim"], dtype=x.dtype)


def _extreme(function: Any, largest: bool) -> Lowering:
    def lower(at: LoweringSite, x: Any) -> Any:
        if x.dtype == jnp.bool_:
            first: Any = not largest
        elif jnp.issubdtype(x.dtype, jnp.integer):
            info = np.iinfo(x.dtype)
            first = info.min if largest else info.max
        else:
            first = -np.inf if largest else np.inf
        return function(x, axis=at["axes"], keepdims=at["keep_dim"], initial=np.asarray(first).astype(x.dtype))

    return lower


def _any_or_all(function: Any) -> Lowering:
    return lambda at, x: function(x, axis=at["axes"], keepdims=at["keep_dim"])


def _running(function: Any, identity: int) -> Lowering:
    def lower(at: LoweringSite, x: Any) -> Any:
        axis = at["axis"] % x.ndim
        if x.shape[axis] == 0:
            return x
        x = jnp.flip(x, axis) if at["reverse"] else x
        if at["exclusive"]:
            first = jnp.full((*x.shape[:axis], 1, *x.shape[axis + 1 :]), identity, x.dtype)
            x = jnp.concatenate([first, jnp.take(x, np.arange(x.shape[axis] - 1), axis=axis)], axis)
        sums = function(x, axis=axis, dtype=x.dtype)
        return jnp.flip(sums, axis) if at["reverse"] else sums

    return lower


LOWERINGS: dict[str, Lowering] = {
    "matmul": lambda at, x, y: matmul(x, y),
    "dot_general": _dot_general,
    "grouped_matmul": rows_by_expert,
    "grouped_matmul_backward_weight": _weight_gradients,
    "reduce_sum": _total(jnp.sum),
    "reduce_prod": _total(jnp.prod),
    "reduce_max": _extreme(jnp.max, True),
    "reduce_min": _extreme(jnp.min, False),
    "reduce_any": _any_or_all(jnp.any),
    "reduce_all": _any_or_all(jnp.all),
    "cumsum": _running(jnp.cumsum, 0),
    "cumprod": _running(jnp.cumprod, 1),
}
