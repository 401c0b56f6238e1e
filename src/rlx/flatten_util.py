"""`jax.flatten_util`: a tree of arrays as one vector, and back."""

from rlx.frontends.pytree_vectors import ravel_pytree

__all__ = ["ravel_pytree"]
