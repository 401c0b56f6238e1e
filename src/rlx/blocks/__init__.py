"""HIR block ops and their lowering to MIR. Importing this package registers them all."""

from rlx.blocks import attend, linear, llama, mtp  # noqa: F401
from rlx.blocks.block import BLOCKS, BlockLowering, check_count, emit_block
from rlx.blocks.cache import KvCache
from rlx.blocks.lower import lower_to_mir
from rlx.blocks.mtp import Qwen35MtpWeights

__all__ = ["BLOCKS", "BlockLowering", "KvCache", "Qwen35MtpWeights", "check_count", "emit_block", "lower_to_mir"]
