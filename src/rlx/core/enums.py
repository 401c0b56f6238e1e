"""Enums that ops and options take by value or by name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import ClassVar

from rlx.core.errors import RlxError


class Choice(StrEnum):
    """An enum whose members equal their lower-case names, so `"gelu"` works wherever `Activation.Gelu` does."""

    @classmethod
    def parse(cls, value: object) -> str:
        """The canonical name for a member or a string in any spelling (`GeluApprox`, `gelu_approx`)."""
        text = value.value if isinstance(value, Enum) else str(value)
        plain = re.sub(r"[_\s]", "", str(text)).lower()
        for member in cls:
            if member.value.replace("_", "") == plain:
                return str(member.value)
        names = ", ".join(member.value for member in cls)
        raise RlxError("RLX105", f"{value!r} is not a {cls.__name__}", fix=f"one of: {names}")


class Activation(Choice):
    """Elementwise functions of one operand.

    >>> [Activation.parse(name) for name in ("GeluApprox", "gelu_approx", Activation.Relu)]
    ['gelu_approx', 'gelu_approx', 'relu']
    """

    Gelu = "gelu"
    GeluApprox = "gelu_approx"
    Silu = "silu"
    Relu = "relu"
    Sigmoid = "sigmoid"
    Tanh = "tanh"
    Exp = "exp"
    Log = "log"
    Sqrt = "sqrt"
    Rsqrt = "rsqrt"
    Neg = "neg"
    Abs = "abs"
    Sin = "sin"
    Cos = "cos"
    Tan = "tan"
    Atan = "atan"
    Round = "round"
    Erf = "erf"
    Log1p = "log1p"
    Expm1 = "expm1"
    Floor = "floor"
    Ceil = "ceil"
    Sign = "sign"
    Softplus = "softplus"
    Elu = "elu"
    Relu2 = "relu2"
    HardSwish = "hard_swish"
    Not = "not"
    IsNan = "is_nan"


class BinaryOp(Choice):
    """Elementwise functions of two operands.

    >>> BinaryOp.FloorDiv == "floor_div"
    True
    """

    Add = "add"
    Sub = "sub"
    Mul = "mul"
    Div = "div"
    Max = "max"
    Min = "min"
    Pow = "pow"
    FloorDiv = "floor_div"
    Mod = "mod"
    Atan2 = "atan2"
    And = "and"
    Or = "or"
    Xor = "xor"
    Shl = "shl"
    Shr = "shr"


class CompareOp(Choice):
    """Comparisons.

    >>> [op.value for op in CompareOp]
    ['eq', 'ne', 'lt', 'le', 'gt', 'ge']
    """

    Eq = "eq"
    Ne = "ne"
    Lt = "lt"
    Le = "le"
    Gt = "gt"
    Ge = "ge"


class ReduceOp(Choice):
    """Reductions over axes.

    >>> ReduceOp.parse("LogSumExp")
    'log_sum_exp'
    """

    Sum = "sum"
    Mean = "mean"
    Max = "max"
    Min = "min"
    Prod = "prod"
    Any = "any"
    All = "all"
    LogSumExp = "log_sum_exp"


class FusionPolicy(Choice):
    """How HIR blocks lower: to fused ops, or to primitives that transforms can read.

    >>> FusionPolicy.for_autodiff().value
    'fusable'
    """

    Direct = "direct"
    Fusable = "fusable"

    @staticmethod
    def for_autodiff() -> FusionPolicy:
        """The fusion policy of a graph that is differentiated."""
        return FusionPolicy.Fusable


class OpKind(Choice):
    """Kinds of ops that a precision policy distinguishes.

    >>> from rlx.ir.op import OPS
    >>> OPS["matmul"].kind.value, OPS["softmax"].kind.value, OPS["reshape"].kind.value
    ('compute', 'reduction', 'data_movement')
    """

    Compute = "compute"
    Reduction = "reduction"
    Elementwise = "elementwise"
    DataMovement = "data_movement"
    Boundary = "boundary"


@dataclass(frozen=True)
class MaskKind:
    """Which keys a query sees.

    >>> MaskKind.SlidingWindow(128), MaskKind.parse("causal") == MaskKind.Causal
    (sliding_window(128), True)
    """

    kind: str
    window: int = 0

    @staticmethod
    def SlidingWindow(window: int) -> MaskKind:
        """Causal, and only the `window` most recent keys."""
        if window < 1:
            raise RlxError("RLX105", f"sliding window of {window} keys", fix="at least 1: the query's own key")
        return MaskKind("sliding_window", int(window))

    @staticmethod
    def parse(value: object) -> MaskKind:
        """Parses a mask kind from a MaskKind, None or a name: none, causal, sliding_window(w), custom, bias."""
        if isinstance(value, MaskKind):
            return value
        text = "none" if value is None else re.sub(r"\s", "", str(value)).lower()
        match = re.fullmatch(r"sliding_?window\((\d+)\)", text)
        if match:
            return MaskKind.SlidingWindow(int(match[1]))
        if text in ("none", "causal", "custom", "bias"):
            return MaskKind(text)
        raise RlxError("RLX105", f"{value!r} is not a mask kind", fix="none, causal, sliding_window(w), custom or bias")

    @property
    def is_causal(self) -> bool:
        """Whether the mask kind itself hides later keys."""
        return self.kind in ("causal", "sliding_window")

    @property
    def has_operand(self) -> bool:
        """Whether attention with this kind takes a mask tensor as an operand."""
        return self.kind in ("custom", "bias")

    def __str__(self) -> str:
        return f"sliding_window({self.window})" if self.kind == "sliding_window" else self.kind

    __repr__ = __str__

    # the members without a parameter, assigned below
    Causal: ClassVar[MaskKind]
    Custom: ClassVar[MaskKind]
    Bias: ClassVar[MaskKind]


MaskKind.Causal = MaskKind("causal")
MaskKind.Custom = MaskKind("custom")
MaskKind.Bias = MaskKind("bias")
setattr(MaskKind, "None", MaskKind("none"))
