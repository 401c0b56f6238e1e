"""Training: optimizers, schedules, the compiled step, checkpoints and data."""

from rlx.train.data import TokenStream, byte_tokens
from rlx.train.optimizers import SGD, Adam, AdamW, Lion, Optimizer
from rlx.train.schedules import Schedule, constant, cosine, linear
from rlx.train.step import Training, compile_training

__all__ = [
    "SGD",
    "Adam",
    "AdamW",
    "Lion",
    "Optimizer",
    "Schedule",
    "TokenStream",
    "Training",
    "byte_tokens",
    "compile_training",
    "constant",
    "cosine",
    "linear",
]
