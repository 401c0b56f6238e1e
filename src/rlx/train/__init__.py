"""Training: optimizers, schedules, the compiled step, checkpoints and data."""

from rlx.train.optimizers import SGD, Adam, AdamW, Lion, Optimizer, OptimizerState, Schedule, constant, cosine, linear
from rlx.train.step import Training, compile_training
from rlx.train.transformations import GradientTransformation, apply_updates, chain, clip_by_global_norm, global_norm
from rlx.train.vocabulary import TokenStream, byte_tokens

__all__ = [
    "SGD", "Adam", "AdamW", "GradientTransformation", "Lion", "Optimizer", "OptimizerState", "Schedule", "TokenStream",
    "Training", "apply_updates", "byte_tokens", "chain", "clip_by_global_norm", "compile_training", "constant", "cosine",
    "global_norm", "linear",
]  # fmt: skip
