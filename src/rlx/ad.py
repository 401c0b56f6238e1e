"""What `with_refs` of a pullback takes and gives, as `jax.ad`."""

from rlx.transforms.reference_derivatives import DidntWant, DontWant, GradRef, GradValue

__all__ = ["DidntWant", "DontWant", "GradRef", "GradValue"]
