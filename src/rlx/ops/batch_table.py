"""How each op is batched: its rule, the name of the rule saying what kind of op it is. The facet `batch` of every record.

A rule is `batch(call, operands, axes) -> (results, axes)`; `rlx.transforms.rules.batching` says what that means.
"""

from __future__ import annotations

from rlx.ir.op import OPS, complete
from rlx.ops.contraction.batching import (
    batch_conv,
    batch_dense_solve,
    batch_dot_general,
    batch_grouped_matmul,
    batch_matmul,
    batch_packed,
)
from rlx.ops.control.batching import batch_custom_fn, batch_if, batch_scan, batch_while
from rlx.ops.indexing.batching import (
    batch_dynamic_slice,
    batch_dynamic_update_slice,
    batch_gather,
    batch_scatter,
    batch_take_along_axis,
)
from rlx.ops.movement.batching import batch_expand, batch_pad, batch_reshape, batch_roll, batch_slice, batch_transpose
from rlx.ops.quantized.dequant_batching import (
    batch_dequant_gather,
    batch_dequant_grouped,
    batch_dequant_matmul,
    batch_dequant_moe,
    batch_interleaved_gather,
    batch_interleaved_grouped,
    batch_interleaved_matmul,
)
from rlx.ops.quantized.quantize_batching import by_channels
from rlx.transforms.rules.batch_formulas import (
    Rule,
    along_axes,
    in_rows,
    leading,
    pointwise,
    rows_of_x,
)
from rlx.transforms.rules.batching import by_parts

RULES: tuple[tuple[Rule, str], ...] = (
    # operands that broadcast
    (pointwise, "fft_conv1d"),
    # shape and movement
    (batch_reshape, "reshape"),
    (batch_transpose, "transpose"),
    (batch_expand, "expand"),
    (batch_slice, "slice"),
    (batch_pad, "pad"),
    (along_axes, "narrow split concat flip"),
    (batch_roll, "roll"),
    # positions
    (batch_gather, "gather"),
    (batch_take_along_axis, "take_along_axis"),
    (batch_scatter, "scatter"),
    (batch_dynamic_slice, "dynamic_slice"),
    (batch_dynamic_update_slice, "dynamic_update_slice"),
    (by_parts, "scatter_add gather_backward"),
    # along axes
    (along_axes, "argsort sort top_k argmax argmin"),
    (along_axes, "fftn ifftn"),
    (leading, "fft rfft irfft stft psd"),
    # contractions
    (batch_matmul, "matmul"),
    (batch_dot_general, "dot_general"),
    (leading, "pack"),
    (batch_packed, "packed_matmul packed_pair_matmul"),
    (rows_of_x, "lora_matmul q_matmul q_product"),
    (batch_grouped_matmul, "grouped_matmul packed_grouped_matmul"),
    (batch_dense_solve, "dense_solve"),
    (leading, "batched_dense_solve"),
    # rows, images, tokens, sequences: independent along axis 0; the numbers are operands that all rows share
    (batch_conv, "conv conv_transpose"),
    (in_rows(1), "conv2d_backward_input"),
    (by_parts, "conv2d_backward_weight"),
    (in_rows(1, 2), "q_conv2d"),
    (in_rows(), "pool max_pool2d_backward resize_nearest_2x resize"),
    # quantization
    (by_channels("x"), "quantize dequantize fake_quantize_backward fake_quantize_lsq fake_quantize_lsq_backward_x"),
    (by_channels("x", "scale", reduces=True), "fake_quantize"),
    (by_channels("scale", reduces=True), "fake_quantize_lsq_backward_scale"),
    (batch_dequant_matmul, "dequant_matmul"),
    (batch_dequant_grouped, "dequant_grouped_matmul"),
    (batch_dequant_gather, "dequant_gather"),
    (batch_dequant_moe, "dequant_moe_weights"),
    (leading, "interleave"),
    (batch_interleaved_matmul, "interleaved_matmul"),
    (batch_interleaved_grouped, "interleaved_grouped_matmul"),
    (batch_interleaved_gather, "interleaved_gather"),
    # bodies
    (batch_scan, "scan"),
    (batch_if, "if"),
    (batch_while, "while"),
    (batch_custom_fn, "custom_fn"),
    (by_parts, "fused"),
)

for _rule, _names in RULES:
    for _name in _names.split():
        complete(OPS[_name], batch=_rule)
