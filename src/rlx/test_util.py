"""`jax.test_util`: derivatives of a function against differences of its values."""

from rlx.frontends.check_grads import check_grads, check_jvp, check_vjp

__all__ = ["check_grads", "check_jvp", "check_vjp"]
