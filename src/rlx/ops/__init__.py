"""The MIR ops, one record each. Importing this package registers them all; this list is the order of `docs/ops.md`.

The functions of `jax.ops` are reached here too, as `rlx.ops.segment_sum`; they live in `rlx.frontends.segments`.
"""

from typing import TYPE_CHECKING, Any

from rlx.ops import inference
from rlx.ops.elementwise import unary, binary, transcendental, bits, complex
from rlx.ops.movement import shape, parts, pad
from rlx.ops.indexing import gather, dynamic_slice, order, scatter
from rlx.ops import reduction, norm
from rlx.ops.contraction import matmul, grouped, packed, packed_rows
from rlx.ops.attention import attention, rope, paged
from rlx.ops import random, loss
from rlx.ops.conv import conv, backward, pool
from rlx.ops.conv import packed as packed_conv
from rlx.ops.control import fused, scan, while_loop, control, custom_fn, callback
from rlx.ops import fft
from rlx.ops.linalg import solve, factorizations, singular, complex_matrices
from rlx.ops.quantized import byte_layers, quantize, fake_quantize, blocked_cast, dequant
from rlx.ops import recurrence

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
