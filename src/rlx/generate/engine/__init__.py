"""The engine for many callers: schedule, run, postprocess (decision 0018)."""

from rlx.generate.engine.engine import Engine
from rlx.generate.engine.sequence import Stream
from rlx.generate.results import EngineStats, SlotStats

__all__ = ["Engine", "EngineStats", "SlotStats", "Stream"]
