"""Rope: the frequencies of a model's rotary position embedding (RoPE), with the scalings for longer contexts.

linear: all frequencies divided. llama3: only low frequencies. yarn (Peng et al., 2023): a ramp between the two, and slightly sharper
scores. dynamic: a larger base once the context is longer than trained. longrope: a factor for each frequency, one list for short contexts
and one for long.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rlx.core.errors import RlxError

MOST_DIMS = 1 << 16  # per head; more is rejected


@dataclass(frozen=True)
class Rope:
    """RoPE's settings: it rotates a head's first `dims` elements by angle = position · frequency.

    >>> Rope.make(4, 10000.0).frequencies
    (1.0, 0.01)
    """

    dims: int
    base: float
    frequencies: tuple[float, ...]
    scale: float = 1.0  # of both tables
    interleaved: bool = False  # pairs (2i, 2i + 1), not (i, i + dims/2)
    long_frequencies: tuple[float, ...] = ()  # longrope: of contexts beyond trained_context
    dynamic: float = 0.0  # dynamic: the factor
    trained_context: int = 0

    def __str__(self) -> str:
        """The settings as text, without frequencies."""
        parts = [f"{self.dims} dims, base {self.base:g}"]
        plain = tuple(float(f) for f in _plain(self.dims, self.base))
        parts += ["scaled frequencies"] * (self.frequencies != plain) + ["interleaved"] * self.interleaved
        parts += [f"other frequencies beyond {self.trained_context} tokens"] * bool(self.long_frequencies)
        parts += [f"scaled beyond {self.trained_context} tokens"] * bool(self.dynamic)
        return ", ".join(parts)

    @staticmethod
    def make(
        dims: int, base: float, scaling: Mapping[str, Any] | None = None, *, context: int = 0, interleaved: bool = False
    ) -> Rope:
        """Builds RoPE from Hugging Face's `rope_scaling` or `rope_parameters`."""
        if not 2 <= dims <= MOST_DIMS or dims % 2:
            message = f"RoPE rotates {dims} elements of each head (head_dim, or a part of it)"
            raise RlxError("RLX702", message, fix=f"an even number, at most {MOST_DIMS}", at=None)
        if not 1 < base < math.inf:
            raise RlxError("RLX701", f"RoPE with base {base}", fix="a number above 1", at=None)
        plain = tuple(float(f) for f in _plain(dims, base))
        rope = Rope(dims, base, plain, interleaved=interleaved)
        kind = _kind(scaling or {})
        if kind not in SCALINGS:
            raise RlxError("RLX702", f"RoPE scaling: rope_type is {kind!r}", fix=f"supported: {', '.join(SCALINGS)}", at=None)
        unknown = [key for key, value in (scaling or {}).items() if key not in FIELDS and value is not None]
        if unknown:
            raise RlxError("RLX702", f"rope scaling {kind!r} with {unknown[0]!r}", fix=f"supported: {', '.join(FIELDS)}", at=None)
        return SCALINGS[kind](rope, scaling or {}, context)

    @staticmethod
    def kind(scaling: Mapping[str, Any]) -> str:
        """The scaling's name in Hugging Face's RoPE settings; "default": none."""
        return _kind(scaling)

    @staticmethod
    def setting(scaling: Mapping[str, Any], key: str, default: float | None = None) -> float:
        """Reads a positive number from Hugging Face's RoPE settings."""
        if not isinstance(scaling, Mapping):
            raise RlxError("RLX701", f"the RoPE settings are {str(scaling)[:60]}", fix="names and values", at=None)
        value = scaling.get(key)
        value = default if value is None else value
        if value is None:
            raise RlxError(
                "RLX703", f"rope scaling {_kind(scaling)!r} without {key!r}", fix=f"it has {', '.join(scaling)}", at=None
            )
        if not isinstance(value, (int, float)) or not 0 < value < math.inf:
            raise RlxError("RLX701", f"rope scaling {_kind(scaling)!r}: {key} is {value!r}", fix="a number above 0", at=None)
        return float(value)

    def divide(self, factors: Sequence[float]) -> Rope:
        """Divides each RoPE frequency by its own factor (`rope_freqs` of a GGUF file)."""
        if len(factors) != len(self.frequencies):
            raise RlxError("RLX703", f"{len(factors)} factors for {len(self.frequencies)} frequencies", at=None)
        if not all(0 < factor < math.inf for factor in factors):
            raise RlxError("RLX701", f"frequencies divided by {min(factors)} … {max(factors)}", fix="factors above 0", at=None)
        return replace(self, frequencies=tuple(f / float(g) for f, g in zip(self.frequencies, factors, strict=True)))


def _plain(dims: int, base: float) -> Any:
    return 1.0 / base ** (np.arange(0, dims, 2, dtype=np.float64) / dims)


def _same(rope: Rope, scaling: Mapping[str, Any], context: int) -> Rope:
    return rope


def _linear(rope: Rope, scaling: Mapping[str, Any], context: int) -> Rope:
    return replace(rope, frequencies=tuple(f / Rope.setting(scaling, "factor") for f in rope.frequencies))


def _llama3(rope: Rope, scaling: Mapping[str, Any], context: int) -> Rope:
    factor, low, high = (Rope.setting(scaling, key) for key in ("factor", "low_freq_factor", "high_freq_factor"))
    trained = _trained_length(scaling, context)

    def one(frequency: float) -> float:
        turns = trained * frequency / (2 * math.pi)  # within the trained context
        blend = min(max((turns - low) / (high - low), 0.0), 1.0)
        return frequency * (blend + (1 - blend) / factor)

    return replace(rope, frequencies=tuple(one(f) for f in rope.frequencies))


def _yarn(rope: Rope, scaling: Mapping[str, Any], context: int) -> Rope:
    trained = _trained_length(scaling, context)
    factor = Rope.setting(scaling, "factor", context / trained)

    def place(turns: float) -> float:
        """The index of the frequency with this many rotations in the trained context."""
        return rope.dims * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(rope.base))

    low, high = (place(Rope.setting(scaling, key, turns)) for key, turns in (("beta_fast", 32.0), ("beta_slow", 1.0)))
    if scaling.get("truncate", True):
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, rope.dims - 1)
    span = max(high - low, 0.001)
    blends = [min(max((index - low) / span, 0.0), 1.0) for index in range(rope.dims // 2)]  # 0: as trained, 1: divided
    frequencies = tuple(f * (1 - b) + f / factor * b for f, b in zip(rope.frequencies, blends, strict=True))

    def sharper(strength: float) -> float:
        return 0.1 * strength * math.log(factor) + 1.0 if factor > 1 else 1.0

    scale = sharper(1.0)
    if scaling.get("mscale") and scaling.get("mscale_all_dim"):
        scale = sharper(Rope.setting(scaling, "mscale")) / sharper(Rope.setting(scaling, "mscale_all_dim"))
    return replace(rope, frequencies=frequencies, scale=Rope.setting(scaling, "attention_factor", scale))


def _dynamic(rope: Rope, scaling: Mapping[str, Any], context: int) -> Rope:
    return replace(rope, dynamic=Rope.setting(scaling, "factor"), trained_context=context)


def _longrope(rope: Rope, scaling: Mapping[str, Any], context: int) -> Rope:
    trained = _trained_length(scaling, context)
    factor = Rope.setting(scaling, "factor", context / trained)
    scale = math.sqrt(1 + math.log(factor) / math.log(trained)) if factor > 1 else 1.0
    short, long = (rope.divide(_factors(scaling, key)).frequencies for key in ("short_factor", "long_factor"))
    return replace(
        rope,
        frequencies=short,
        long_frequencies=long,
        scale=Rope.setting(scaling, "attention_factor", scale),
        trained_context=trained,
    )


# -- fields of a scaling ----------------------------------------------------------------------------------------------
def _trained_length(scaling: Mapping[str, Any], context: int) -> int:
    """The trained context in tokens, at least two."""
    return max(int(Rope.setting(scaling, "original_max_position_embeddings", context)), 2)


def _factors(scaling: Mapping[str, Any], key: str) -> Sequence[float]:
    """Reads a list with one factor for each frequency, which `Rope.divide` checks."""
    factors: Any = scaling.get(key)
    if not isinstance(factors, (list, np.ndarray)) or not all(isinstance(factor, (int, float, np.floating)) for factor in factors):
        message = f"rope scaling {_kind(scaling)!r}: {key} is {str(factors)[:60]}"
        raise RlxError("RLX703" if factors is None else "RLX701", message, fix="a list of numbers", at=None)
    return [Rope.setting({**scaling, key: float(factor)}, key) for factor in factors]


def _kind(scaling: Mapping[str, Any]) -> str:
    return str(scaling.get("rope_type") or scaling.get("type") or "default")


FIELDS = (
    "rope_type",
    "type",
    "rope_theta",
    "factor",
    "original_max_position_embeddings",
    "low_freq_factor",
    "high_freq_factor",
    "beta_fast",
    "beta_slow",
    "mscale",
    "mscale_all_dim",
    "attention_factor",
    "truncate",
    "short_factor",
    "long_factor",
    "partial_rotary_factor",
    "finetuned",  # describes the training; the values are the same
    "mrope_section",
    "mrope_interleaved",  # for images: in text all sections share one position
)
SCALINGS = {
    "default": _same,
    "none": _same,
    "linear": _linear,
    "llama3": _llama3,
    "yarn": _yarn,
    "dynamic": _dynamic,
    "longrope": _longrope,
    "su": _longrope,
}
