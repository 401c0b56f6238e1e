"""The names of the Rust RLX: modules of the three levels, ids and nodes of HIR, and enumerations of ops, masks, kinds and policies.

>>> from rlx.compat import HirModule
>>> hir = HirModule("m")
>>> hir.linear(hir.input("x", (2, 4)), hir.param("w", (4, 3)))
h2
"""

from rlx.compat.hir import HirModule, lower_llama_decoder_block, lower_qwen35_mtp_head
from rlx.compat.hir_nodes import HirNode, HirNodeId, HirOp
from rlx.core.enums import Activation, BinaryOp, CompareOp, FusionPolicy, MaskKind, OpKind, ReduceOp
from rlx.core.errors import LowerError
from rlx.core.precision import CastConfig
from rlx.module.levels import GraphStage, LirModule, MirModule
from rlx.ops.control.custom_values import MultiOutputHandle
from rlx.passes.precision import AutoMixedPrecision

__all__ = [
    "Activation",
    "AutoMixedPrecision",
    "BinaryOp",
    "CastConfig",
    "CompareOp",
    "FusionPolicy",
    "GraphStage",
    "HirModule",
    "HirNode",
    "HirNodeId",
    "HirOp",
    "LirModule",
    "LowerError",
    "MaskKind",
    "MirModule",
    "MultiOutputHandle",
    "OpKind",
    "ReduceOp",
    "lower_llama_decoder_block",
    "lower_qwen35_mtp_head",
]
