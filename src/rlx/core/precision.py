"""Precision policies: which kinds of ops are stored in 16 bits, and how a scaled cast rounds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rlx.core.dtype import DType, DTypeLike
from rlx.core.enums import Choice, OpKind
from rlx.core.errors import RlxError


class Precision(Choice):
    """The floats a policy chooses from.

    >>> Precision.BF16.dtype, Precision.of("F16") is Precision.F16
    (bf16, True)
    """

    F32 = "f32"
    F16 = "f16"
    BF16 = "bf16"

    @property
    def dtype(self) -> DType:
        """The element type."""
        return DType.of(self.value)

    @staticmethod
    def of(value: object) -> Precision:
        """Converts a Precision, a dtype, or a name in any spelling."""
        return Precision(Precision.parse(value.name if isinstance(value, DType) else value))


@dataclass(frozen=True)
class PrecisionPolicy:
    """Which precision each kind of op has. Boundaries (inputs, params, states, outputs) always keep the user's dtype.

    >>> PrecisionPolicy.AutoMixedConservative.precision_for(OpKind.Compute).dtype
    f16
    >>> PrecisionPolicy.Custom({"compute": "bf16"}).precision_for("reduction").dtype
    f32
    """

    name: str = "always_f32"
    kinds: tuple[tuple[str, Precision], ...] = ()  # sorted; a missing kind is f32

    @staticmethod
    def Custom(kinds: Mapping[OpKind | str, Precision | str]) -> PrecisionPolicy:
        """A precision for each kind; kinds that are not listed stay f32, and so do boundaries whatever is listed."""
        chosen = {OpKind.parse(kind): Precision.of(precision) for kind, precision in kinds.items()}
        chosen.pop(OpKind.Boundary, None)
        return PrecisionPolicy("custom", tuple(sorted(chosen.items())))

    @staticmethod
    def parse(value: object) -> PrecisionPolicy:
        """Parses a policy from a policy, None, a name in any spelling, a mapping of kinds, or what `str` made of a policy."""
        if isinstance(value, PrecisionPolicy):
            return value
        if value is None:
            return PrecisionPolicy.AlwaysF32
        if isinstance(value, Mapping):
            return PrecisionPolicy.Custom(value)
        plain = re.sub(r"[_\s]", "", str(value)).lower()
        listed = re.fullmatch(r"custom\((.*)\)", str(value).strip())
        if listed:
            pairs = [part.split(":") for part in listed[1].split(",") if part.strip()]
            return PrecisionPolicy.Custom({kind.strip(): precision.strip() for kind, precision in pairs})
        for policy in POLICIES:
            if policy.name.replace("_", "") == plain:
                return policy
        names = ", ".join(policy.name for policy in POLICIES)
        raise RlxError("RLX406", f"{value!r} is not a precision policy", fix=f"one of: {names}, or a dict of kinds")

    def precision_for(self, kind: OpKind | str) -> Precision:
        """The precision of ops of a kind."""
        return dict(self.kinds).get(OpKind.parse(kind), Precision.F32)

    @property
    def is_noop(self) -> bool:
        """Whether every kind stays f32."""
        return all(precision is Precision.F32 for _, precision in self.kinds)

    def __str__(self) -> str:
        listed = ", ".join(f"{kind}: {precision.value}" for kind, precision in self.kinds)
        return f"custom({listed})" if self.name == "custom" else self.name

    # the policies without a parameter, assigned below
    AlwaysF32: ClassVar[PrecisionPolicy]
    AlwaysF16: ClassVar[PrecisionPolicy]
    AutoMixedConservative: ClassVar[PrecisionPolicy]
    AutoMixed: ClassVar[PrecisionPolicy]
    AutoMixedBf16: ClassVar[PrecisionPolicy]


def _make_policy(name: str, precision: Precision, *kinds: OpKind) -> PrecisionPolicy:
    return PrecisionPolicy(name, tuple(sorted((kind.value, precision) for kind in kinds)))


_INNER = (OpKind.Compute, OpKind.Reduction, OpKind.Elementwise, OpKind.DataMovement)
PrecisionPolicy.AlwaysF32 = PrecisionPolicy("always_f32")
PrecisionPolicy.AlwaysF16 = _make_policy("always_f16", Precision.F16, *_INNER)
PrecisionPolicy.AutoMixedConservative = _make_policy(
    "auto_mixed_conservative", Precision.F16, OpKind.Compute, OpKind.Elementwise, OpKind.DataMovement
)
PrecisionPolicy.AutoMixed = _make_policy("auto_mixed", Precision.F16, *_INNER)
PrecisionPolicy.AutoMixedBf16 = _make_policy("auto_mixed_bf16", Precision.BF16, *_INNER)
POLICIES = (
    PrecisionPolicy.AlwaysF32,
    PrecisionPolicy.AlwaysF16,
    PrecisionPolicy.AutoMixedConservative,
    PrecisionPolicy.AutoMixed,
    PrecisionPolicy.AutoMixedBf16,
)


def _is_block(value: object) -> bool:
    """Whether a block of scale factors is two positive integers."""
    sizes = value if isinstance(value, (tuple, list)) else ()
    return len(sizes) == 2 and all(hasattr(size, "__index__") and size >= 1 for size in sizes)


@dataclass(frozen=True)
class CastConfig:
    """A scaled cast: elements of `out_dtype`, and for each block of (rows, cols) of them a scale factor.

    `sf_block` None means no scale: a plain cast. `round_sf` rounds scales up to powers of two, so that dividing by one is exact.
    Epilogues take it as `cast_to`; `blocked_cast` is the op, and `blocked_dequantize` its inverse.

    >>> CastConfig.plain("bf16").is_noop("bf16"), CastConfig("f8e4m3", sf_block=(1, 32)).is_noop("f8e4m3")
    (True, False)
    """

    out_dtype: DType
    sf_block: tuple[int, int] | None = None
    round_sf: bool = False

    def __init__(self, out_dtype: DTypeLike, sf_block: tuple[int, int] | None = None, round_sf: bool = False) -> None:
        if sf_block is not None and not _is_block(sf_block):
            message = f"a scale factor for each block of {sf_block}"
            raise RlxError("RLX105", message, fix="(rows, cols), each at least 1, or None for a cast without scales")
        object.__setattr__(self, "out_dtype", DType.of(out_dtype))
        object.__setattr__(self, "sf_block", None if sf_block is None else (int(sf_block[0]), int(sf_block[1])))
        object.__setattr__(self, "round_sf", bool(round_sf))

    @staticmethod
    def of(value: CastConfig | DTypeLike) -> CastConfig:
        """Converts a config, or a dtype for a plain cast."""
        return value if isinstance(value, CastConfig) else CastConfig.plain(value)

    @staticmethod
    def plain(dtype: DTypeLike) -> CastConfig:
        """The config of a cast without scales."""
        return CastConfig(dtype)

    def is_noop(self, in_dtype: DTypeLike) -> bool:
        """Whether the cast changes nothing: the same dtype and no scales."""
        return self.sf_block is None and DType.of(in_dtype) is self.out_dtype
