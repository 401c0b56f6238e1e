"""HIR block ops and their lowering to MIR. Importing this package registers them all."""

from rlx.blocks import attend, linear, llama, mtp  # noqa: F401
from rlx.blocks.block import BLOCKS, BlockLowering, check_count, emit_block
from rlx.blocks.cache import KvCache
from rlx.blocks.llama import lower_llama_decoder_block
from rlx.blocks.lower import lower_to_mir
from rlx.blocks.mtp import Qwen35MtpWeights, lower_qwen35_mtp_head

__all__ = [
    "BLOCKS",
    "BlockLowering",
    "KvCache",
    "Qwen35MtpWeights",
    "check_count",
    "emit_block",
    "lower_llama_decoder_block",
    "lower_qwen35_mtp_head",
    "lower_to_mir",
]
