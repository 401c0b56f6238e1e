"""The public Graph with typed builders, and the modules of the three levels."""

from rlx.blocks import KvCache, Qwen35MtpWeights
from rlx.module.graph import Graph
from rlx.module.inspect import Inspection
from rlx.module.modules import GraphModule, GraphStage, HirModule, LirModule, MirModule

__all__ = [
    "Graph",
    "GraphModule",
    "GraphStage",
    "HirModule",
    "Inspection",
    "KvCache",
    "LirModule",
    "MirModule",
    "Qwen35MtpWeights",
]
