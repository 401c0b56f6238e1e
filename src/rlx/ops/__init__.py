"""The MIR ops, one record each. Importing this package registers them all; this list is the order of `docs/ops.md`.

The functions of `jax.ops` are reached here too, as `rlx.ops.segment_sum`; they live in `rlx.frontends.segments`.
"""

from typing import TYPE_CHECKING, Any

from rlx.ops import inference as leaves
from rlx.ops.elementwise import unary, binary, select, transcendental, special, bits
from rlx.ops.movement import shape, parts, sizes, pad
from rlx.ops.indexing import gather, dynamic_slice, order, search
from rlx.ops.reduction import reduce, softmax, cumulative
from rlx.ops.norm import norm
from rlx.ops.contraction import matmul
from rlx.ops.attention import attention, rope, page_write, paged_attention
from rlx.ops import random
from rlx.ops import random as sampling
from rlx.ops import loss
from rlx.ops.control import fused
from rlx.ops.indexing import scatter
from rlx.ops.conv import conv
from rlx.ops.conv import backward as transpose
from rlx.ops.conv import backward as conv_backward
from rlx.ops.conv import pool
from rlx.ops.conv import pool as resize
from rlx.ops.attention import rope as axial_rope
from rlx.ops.norm import channels
from rlx.ops.control import scan, branch, while_loop
from rlx.ops.contraction import grouped
from rlx.ops.elementwise import complex
from rlx.ops.fft import fft, signal
from rlx.ops.linalg import solve
from rlx.ops.linalg import triangular_solve
from rlx.ops.linalg import cholesky
from rlx.ops.linalg import lu
from rlx.ops.linalg import qr
from rlx.ops.linalg import singular as eigen
from rlx.ops.linalg import singular
from rlx.ops.linalg import least_squares
from rlx.ops.linalg import complex_matrices
from rlx.ops.quantized import byte_layers as byte_product
from rlx.ops.quantized import quantize
from rlx.ops.quantized import byte_layers
from rlx.ops.quantized import fake_quantize
from rlx.ops.quantized import fake_quantize as learned_step
from rlx.ops.quantized import blocked_cast
from rlx.ops.quantized import dequant
from rlx.ops.contraction import packed, packed_rows
from rlx.ops.conv import packed as packed_conv
from rlx.ops.recurrence import selective_scan, gated_delta_net
from rlx.ops.control import custom_fn
from rlx.ops.attention import attention as backward
from rlx.ops.norm import backward as norm_backward
from rlx.ops.recurrence import backward as recurrence_backward
from rlx.ops.control import control as stop_gradient
from rlx.ops.control import callback
from rlx.ops.control import named_axis

__all__ = ["segment_max", "segment_min", "segment_prod", "segment_sum"]

if TYPE_CHECKING:
    from rlx.frontends.segments import segment_max as segment_max
    from rlx.frontends.segments import segment_min as segment_min
    from rlx.frontends.segments import segment_prod as segment_prod
    from rlx.frontends.segments import segment_sum as segment_sum
else:

    def __getattr__(name: str) -> Any:
        if name in __all__:
            from rlx.frontends import segments

            return getattr(segments, name)
        raise AttributeError(f"module 'rlx.ops' has no attribute {name!r}")
