"""`jax.scipy`'s functions, made of the ops there are; `rlx.scipy` is what users import."""
