"""llama.cpp's `samplers`: which are used, and in which order. Temperature may come first or last; another order is refused by name."""

from __future__ import annotations

from typing import Any

from rlx.generate.sampling_settings import Sampling
from rlx.serve.errors import ApiError

_OURS = ("penalties", "temperature", "top_k", "top_p", "min_p")
_OFF: dict[str, dict[str, Any]] = {
    "penalties": {"repetition_penalty": 1.0, "presence_penalty": 0.0, "frequency_penalty": 0.0},
    "temperature": {"temperature": 1.0},
    "top_k": {"top_k": 0},
    "top_p": {"top_p": 1.0},
    "min_p": {"min_p": 0.0},
}
"""What a sampler is set to that is not in the list."""
_LETTERS = {
    "e": "penalties", "d": "dry", "s": "top_n_sigma", "k": "top_k", "y": "typ_p", "p": "top_p", "m": "min_p", "x": "xtc",
    "t": "temperature", "a": "adaptive_p", "i": "infill",
}  # fmt: skip
_SPELLED = {"temp": "temperature", "top-k": "top_k", "top-p": "top_p", "min-p": "min_p", "nucleus": "top_p"}
_NEVER_ON = ("dry", "xtc", "typ_p", "typ-p", "typical", "typical_p", "top_n_sigma", "top-n-sigma", "adaptive_p")
"""Samplers that are not here: a request that sets one of them to do something is refused by that setting."""


def in_order(sampling: Sampling, samplers: str | list[str]) -> Sampling:
    """The settings with those samplers only; an order in which they would do something else is refused.

    >>> in_order(Sampling(temperature=0.5, top_k=40, top_p=0.9), ["temperature", "top_k"]).top_p
    1.0
    """
    names = [_LETTERS.get(one, one) for one in samplers] if isinstance(samplers, str) else samplers
    listed = [_SPELLED.get(one, one) for one in names]
    for name in listed:
        if name not in _OURS and name not in _NEVER_ON:
            known = ", ".join((*_OURS, *_NEVER_ON))
            raise ApiError(400, f"samplers has {name[:40]!r}; there are {known}", param="samplers")
    if sampling.temperature == 0.0 and "temperature" in listed:
        listed = [name for name in listed if name in ("penalties", "temperature")]  # nothing else has a choice left
    absent = {name: value for one in _OURS if one not in listed for name, value in _OFF[one].items()}
    chosen = sampling.with_settings(**absent)
    works = [name for name in listed if name in _OURS and _does_something(chosen, name)]
    ours = [name for name in _OURS if name in works]
    last = sorted(ours, key="temperature".__eq__)
    if works not in (ours, last):
        problem = f"samplers: {', '.join(works)} is no order of this server; {' or '.join(map(', '.join, (ours, last)))}"
        raise ApiError(400, problem, param="samplers", code="unsupported_parameter")
    return chosen.with_settings(temperature_last=works == last != ours)


def _does_something(sampling: Sampling, name: str) -> bool:
    return any(getattr(sampling, setting) != value for setting, value in _OFF[name].items())
