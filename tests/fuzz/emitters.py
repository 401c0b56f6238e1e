"""Which ops random graphs are made of, and how often: every op of the registry."""

from __future__ import annotations

from tests.fuzz import emit_cases, emit_control, emit_elementwise, emit_movement, emit_products
from tests.fuzz.registry import EMITTERS

__all__ = ["EMITTERS", "KINDS", "SHARES"]

MODULES = (emit_cases, emit_control, emit_elementwise, emit_movement, emit_products)  # each registers its own
FROM_CASES = emit_cases.register()
ELEMENTWISE = [
    "gelu", "gelu_approx", "silu", "sigmoid", "tanh", "sin", "cos", "atan", "erf", "softplus", "elu", "hard_swish", "exp", "expm1",
    "neg", "abs", "relu",
    "relu2", "log", "sqrt", "rsqrt", "log1p", "tan", "round", "floor", "ceil", "sign", "is_nan", "not", "and", "or", "xor", "shl", "shr",
    "floor_div", "mod",
    "eq", "ne", "lt", "le", "gt", "ge", "cast", *["add", "sub", "mul", "max", "min", "where", "div"] * 4, "pow", "atan2", "clamp",
    "cast", "cast",
]  # fmt: skip
CONTRACTIONS = [
    *["matmul"] * 3, "dot_general", "packed_matmul", "packed_pair_matmul", "fused", "attention", "rope", "rope_backward",
    *["gated", "shared products", "residual norm", "softmax product"] * 2,
]  # fmt: skip
REDUCTIONS = [
    "reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_log_sum_exp", "reduce_any", "reduce_all", "reduce_prod", "cumprod",
    "cumsum", "softmax", "softmax", "log_softmax", "layer_norm", "rms_norm", "softmax_cross_entropy_with_logits",
    "softmax_cross_entropy_backward", "dropout",
]  # fmt: skip
MOVEMENT = [
    "reshape", "transpose", "transpose", "expand", "narrow", "slice", "concat", "split", "pad", "flip", "roll", "iota", "size_value",
    "gather",
    "take_along_axis", "dynamic_slice", "dynamic_update_slice", "top_k", "sort", "argsort", "argmax", "argmin", "random_uniform",
    "random_normal", "sample",
]  # fmt: skip
BODIES = ["scan", "if", "while", "custom_fn"]
KINDS = [ELEMENTWISE, CONTRACTIONS, REDUCTIONS, MOVEMENT, FROM_CASES, BODIES]
SHARES = [0.36, 0.14, 0.2, 0.2, 0.06, 0.04]
