"""What a 64-bit Arm CPU can do, as Linux tells every process in its auxiliary vector.

LLVM reads /proc/cpuinfo instead, whose list it knows in part, and which shows the wrong CPU under an emulator or in some containers.
"""

from __future__ import annotations

import ctypes

_HWCAP, _HWCAP2 = 16, 26
"""The keys of both sets of bits in the vector."""
_BITS = {
    "neon": (_HWCAP, 1),
    "lse": (_HWCAP, 8),
    "fullfp16": (_HWCAP, 10),
    "rcpc": (_HWCAP, 15),
    "dotprod": (_HWCAP, 20),
    "sve": (_HWCAP, 22),
    "sve2": (_HWCAP2, 1),
    "i8mm": (_HWCAP2, 13),
    "bf16": (_HWCAP2, 14),
}
"""LLVM's name → where the kernel says that the CPU has it and that programs may use it."""


def arm_features(sets: tuple[int, int] | None = None) -> str:
    """LLVM's list of features from both sets of bits, those of this process unless given: `+` for what is there, `-` for what is not."""
    first, second = _read() if sets is None else sets
    found = {_HWCAP: first, _HWCAP2: second}
    return ",".join(f"{'+' if found[key] >> bit & 1 else '-'}{name}" for name, (key, bit) in _BITS.items())


def _read() -> tuple[int, int]:
    library = ctypes.CDLL(None)
    library.getauxval.restype, library.getauxval.argtypes = ctypes.c_ulong, [ctypes.c_ulong]
    return int(library.getauxval(_HWCAP)), int(library.getauxval(_HWCAP2))
