"""The engine for many callers: schedule, run, postprocess (decision 0018)."""

from rlx.generate.engine.engine import Engine
from rlx.generate.engine.stats import EngineStats, SlotStats
from rlx.generate.engine.stream import Stream

__all__ = ["Engine", "EngineStats", "SlotStats", "Stream"]
