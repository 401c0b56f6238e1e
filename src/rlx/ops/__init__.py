"""The MIR ops, one record each. Importing this package registers them all; this list is the order of `docs/ops.md`.

The functions of `jax.ops` are reached here too, as `rlx.ops.segment_sum`; they live in `rlx.frontends.segments`.
"""

from typing import TYPE_CHECKING, Any

from rlx.ops import leaves
from rlx.ops.elementwise import unary, binary, select, transcendental, special, bits
from rlx.ops.movement import shape, parts, sizes, pad
from rlx.ops.indexing import gather, dynamic_slice, order, search
from rlx.ops.reduction import reduce, softmax, cumulative
from rlx.ops.norm import norm
from rlx.ops.contraction import matmul
from rlx.ops.attention import attention, rope, page_write, paged_attention
from rlx.ops import random, sampling, loss
from rlx.ops.control import fused
from rlx.ops.indexing import scatter
from rlx.ops.conv import conv, transpose, backward as conv_backward, pool, resize
from rlx.ops.attention import axial_rope
from rlx.ops.norm import channels
from rlx.ops.control import scan, branch, while_loop
from rlx.ops.contraction import grouped
from rlx.ops.elementwise import complex
from rlx.ops.fft import fft, signal
from rlx.ops.linalg import solve, triangular_solve, cholesky, lu, qr, eigen, singular, least_squares, complex_matrices
from rlx.ops.quantized import byte_product, quantize, byte_layers, fake_quantize, learned_step, blocked_cast, dequant
from rlx.ops.contraction import packed, packed_rows
from rlx.ops.conv import packed as packed_conv
from rlx.ops.recurrence import selective_scan, gated_delta_net
from rlx.ops.control import custom_fn
from rlx.ops.attention import backward
from rlx.ops.norm import backward as norm_backward
from rlx.ops.recurrence import backward as recurrence_backward
from rlx.ops.control import stop_gradient, callback, named_axis

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
