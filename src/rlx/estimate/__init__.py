"""What a training run needs on a mesh of chips, before any is rented: `rlx plan`. docs/decisions/0021-plan.md says how it is computed."""

from __future__ import annotations

from rlx.estimate.chips import CHIPS, Chip, find_chip
from rlx.estimate.plan import MemoryPlan, RunPlan, advice, plan_run

__all__ = ["CHIPS", "Chip", "MemoryPlan", "RunPlan", "advice", "find_chip", "plan_run"]
