"""`jax.ad_checkpoint`'s names: `checkpoint`, `checkpoint_name`, policies, and what a gradient keeps."""

from rlx import checkpoint_policies
from rlx.functions.checkpoint import checkpoint, checkpoint_name, print_saved_residuals, remat, saved_residuals

__all__ = ["checkpoint", "checkpoint_name", "checkpoint_policies", "print_saved_residuals", "remat", "saved_residuals"]
