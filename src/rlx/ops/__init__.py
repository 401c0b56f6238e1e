"""The MIR ops, one record each. Importing this package registers them all; this list is the order of `docs/ops.md`."""

from rlx.ops import leaves, elementwise, shape, pad, index, order, reduce, norm, contract  # noqa: F401, I001
from rlx.ops import attention, rope, random, loss, fused  # noqa: F401
from rlx.ops import scatter, conv, conv_backward, pool, norm_extra, grouped, complex, fft, fft_signal, linalg  # noqa: F401
from rlx.ops import quantize, fake_quantize, dequant  # noqa: F401
from rlx.ops import control, recurrence, custom  # noqa: F401
