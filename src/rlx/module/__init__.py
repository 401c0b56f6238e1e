"""The public Graph with typed builders, and the modules of the three levels."""

from rlx.blocks import KvCache, Qwen35MtpWeights
from rlx.module.graph import Graph
from rlx.module.inspect import Inspection
from rlx.module.levels import GraphStage, LirModule, MirModule
from rlx.module.modules import GraphModule

__all__ = ["Graph", "GraphModule", "GraphStage", "Inspection", "KvCache", "LirModule", "MirModule", "Qwen35MtpWeights"]
