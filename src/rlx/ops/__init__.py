"""The MIR ops, one record each. Importing this package registers them all; this list is the order of `docs/ops.md`."""

from rlx.ops import leaves, elementwise, shape, pad, index, order, reduce, norm, contract
from rlx.ops import attention, rope, random, loss, fused
from rlx.ops import scatter, conv, conv_backward, pool, norm_extra, grouped, complex, fft, fft_signal, linalg
from rlx.ops import quantize, byte_product, fake_quantize, dequant, interleave
from rlx.ops import control, recurrence, custom
from rlx.ops import batch_table
from rlx.ops import (
    attention_backward,
    norm_backward,
    elementwise_rules,
    movement_rules,
    reduce_rules,
    contract_rules,
    control_rules,
)
from rlx.ops import recurrence_backward, body_rules
