"""Quantization schemes: how the values of a packed param are stored."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rlx.core.errors import RlxError, check_is

# block size in elements, bytes per block
_GGUF: dict[str, tuple[int, int]] = {
    "Q4_0": (32, 18),
    "Q4_1": (32, 20),
    "Q5_0": (32, 22),
    "Q5_1": (32, 24),
    "Q8_0": (32, 34),
    "Q2_K": (256, 84),
    "Q3_K": (256, 110),
    "Q4_K": (256, 144),
    "Q5_K": (256, 176),
    "Q6_K": (256, 210),
    "Q8_K": (256, 292),
    "IQ4_NL": (32, 18),
    "IQ4_XS": (256, 136),
    "IQ2_XXS": (256, 66),
    "IQ2_XS": (256, 74),
    "IQ2_S": (256, 82),
    "IQ3_XXS": (256, 98),
    "IQ3_S": (256, 110),
    "IQ1_S": (256, 50),
    "IQ1_M": (256, 56),
    "TQ1_0": (256, 54),
    "TQ2_0": (256, 66),
    "MXFP4": (32, 17),
    "F16": (1, 2),
    "BF16": (1, 2),
}


@dataclass(frozen=True)
class QuantScheme:
    """A storage scheme of a packed param.

    >>> str(QuantScheme.gguf("Q4_K")), str(QuantScheme.parse("int8/32"))
    ('gguf_q4k', 'int8/32')
    """

    kind: str  # "gguf", "int8", "int8_asym", "int4", "fp8_e4m3", "fp8_e5m2", "nvfp4"
    detail: str = ""  # the ggml type name
    block: int = 0

    @staticmethod
    def gguf(name: str) -> QuantScheme:
        """The scheme of a ggml tensor type, by ggml's own name."""
        if name.upper() not in _GGUF:
            raise RlxError("RLX105", f"{name!r} is not a GGUF tensor type", fix=f"one of: {' '.join(_GGUF)}")
        return QuantScheme("gguf", name.upper(), _GGUF[name.upper()][0])

    @staticmethod
    def parse(text: str | QuantScheme) -> QuantScheme:
        """The scheme that prints as `text`."""
        if isinstance(text, QuantScheme):
            return text
        check_is(text, str, "RLX105", "the quantization scheme", "e.g. 'gguf_q4k', 'int8/32'")
        if text.startswith("gguf_"):
            for name in _GGUF:
                if _gguf_label(name) == text:
                    return QuantScheme.gguf(name)
        match = re.fullmatch(r"(int8|int8_asym|int4)/(\d+)", text)
        if match and int(match[2]) > 0:
            return QuantScheme(match[1], block=int(match[2]))
        if text in ("fp8_e4m3", "fp8_e5m2"):
            return QuantScheme(text)
        if text == "nvfp4":
            return QuantScheme("nvfp4", block=16)
        raise RlxError(
            "RLX105", f"{text!r} is not a quantization scheme", fix="e.g. gguf_q4k, gguf_q8_0, int8/32, int4/64, fp8_e4m3, nvfp4"
        )

    def is_gguf(self) -> bool:
        """Stored in ggml's block format."""
        return self.kind == "gguf"

    def block_size(self) -> int:
        """Elements that share a scale (0: one scale per column or tensor)."""
        return self.block

    def block_bytes(self) -> int:
        """Bytes of one block; includes the scales only for GGUF."""
        if self.is_gguf():
            return _GGUF[self.detail][1]
        return {"int8": self.block, "int8_asym": self.block, "int4": self.block // 2, "nvfp4": 8}.get(self.kind, 1)

    def bits_per_element(self) -> float:
        """Stored bits per element, scales outside the block not counted."""
        return 8 * self.block_bytes() / max(self.block, 1)

    def has_scale(self) -> bool:
        """Whether scales are separate operands."""
        return not self.is_gguf()

    def has_zero_point(self) -> bool:
        """Whether zero points are separate operands."""
        return self.kind in ("int8_asym", "int4")

    def __str__(self) -> str:
        if self.is_gguf():
            return _gguf_label(self.detail)
        return f"{self.kind}/{self.block}" if self.kind in ("int8", "int8_asym", "int4") else self.kind


def _gguf_label(name: str) -> str:
    return "gguf_" + re.sub(r"_k$", "k", name.lower())


def Int8Block(block: int) -> QuantScheme:
    """Symmetric 8-bit blocks along k."""
    return QuantScheme("int8", block=block)


def Int8BlockAsym(block: int) -> QuantScheme:
    """8-bit blocks with zero points."""
    return QuantScheme("int8_asym", block=block)


def Int4Block(block: int) -> QuantScheme:
    """4-bit blocks, two to a byte."""
    return QuantScheme("int4", block=block)


Fp8E4m3 = QuantScheme("fp8_e4m3")
Fp8E5m2 = QuantScheme("fp8_e5m2")
Nvfp4Block = QuantScheme("nvfp4", block=16)


# -- packed params as compiled graphs read them: the names of their parts --------------------------------------------


def part_name(name: str, part: str) -> str:
    """Names the param that stores one part of a packed param; the packed numbers keep its name."""
    return name if part == "w" else f"{name}.{part}"
