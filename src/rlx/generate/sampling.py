"""Sampling: how the next token is chosen, as one frozen value."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from rlx.core.errors import RlxError

__all__ = ["Sampling"]

_RANGES: dict[str, tuple[Callable[[float], bool], str]] = {
    **dict.fromkeys(("temperature", "top_k", "penalty_window", "top_logprobs", "max_tokens"), (lambda value: value >= 0, "0 or more")),
    "top_p": (lambda value: 0 < value <= 1, "above 0, up to 1; 1 is off"),
    "min_p": (lambda value: 0 <= value <= 1, "from 0 to 1; 0 is off"),
    "repetition_penalty": (lambda value: value > 0, "above 0; 1 is off"),
    **dict.fromkeys(("presence_penalty", "frequency_penalty"), (lambda value: True, "a finite number; 0 is off")),
}


@dataclass(frozen=True)
class Sampling:
    """Settings of a generation. The steps, in this order; each is off at its default but the draw:

    1. `logit_bias` is added to the logits of its ids.
    2. Penalties, over the last `penalty_window` tokens of prompt and text (None: all). A token seen c > 0 times: its logit is divided
       (if positive, else multiplied) by `repetition_penalty`, then `presence_penalty` + c·`frequency_penalty` is subtracted.
    3. `temperature` divides the logits; 0 takes the largest logit and ends here.
    4. `top_k`: the k largest stay, of equal ones those with the smaller ids.
    5. `top_p`: of what stayed, made to sum to 1, the fewest largest whose sum reaches p.
    6. `min_p`: those at least min_p times as likely as the likeliest.
    7. The draw, by a generator of `seed` (None: a new one each time).

    `logprobs` and `top_logprobs` are of the model's own distribution, before all steps.

    >>> Sampling(temperature=0.7, top_p=0.9, seed=1).top_p
    0.9
    """

    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    penalty_window: int | None = None
    logit_bias: Mapping[int, float] = field(default_factory=dict)
    seed: int | None = None
    logprobs: bool = False
    top_logprobs: int = 0  # that many likeliest tokens beside the chosen one; logprobs are given too
    stop: str | tuple[str, ...] = ()  # texts that end the generation; they are not part of it
    stop_ids: tuple[int, ...] = ()  # tokens that end it, beside the model's own
    max_tokens: int | None = None  # None: until the model ends or the context is full
    ignore_eos: bool = False  # the model's own ends do not end it

    def __post_init__(self) -> None:
        object.__setattr__(self, "stop", (self.stop,) if isinstance(self.stop, str) else tuple(self.stop))
        object.__setattr__(self, "stop_ids", tuple(int(number) for number in self.stop_ids))
        for name, (accepts, takes) in _RANGES.items():
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and accepts(value)):
                raise RlxError("RLX902", f"{name} is {value}", fix=takes)
        if "" in self.stop:
            raise RlxError("RLX902", "a stop string is empty", fix="leave it out")

    @property
    def penalizes(self) -> bool:
        """Whether earlier tokens count."""
        return self.repetition_penalty != 1.0 or self.presence_penalty != 0.0 or self.frequency_penalty != 0.0

    @property
    def is_greedy(self) -> bool:
        """Whether the largest logit is taken."""
        return self.temperature == 0.0

    def with_settings(self, **settings: Any) -> Sampling:
        """Some settings replaced; an unknown one is an error that lists them."""
        known = [entry.name for entry in fields(self)]
        for name in settings:
            if name not in known:
                raise RlxError("RLX902", f"there is no sampling setting {name!r}", fix=f"the settings: {', '.join(known)}")
        return replace(self, **settings)
