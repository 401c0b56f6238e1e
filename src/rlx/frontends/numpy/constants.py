"""Numbers with a name."""

from __future__ import annotations

import math

__all__ = ["e", "euler_gamma", "inf", "nan", "newaxis", "pi"]

e, pi, inf, nan, newaxis = math.e, math.pi, math.inf, math.nan, None
euler_gamma = 0.5772156649015329
