"""The compilation target: triple, CPU, features, vector width."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from rlx.backends.cpu.emit.values import Type, type_of
from rlx.backends.cpu.topology import apply

# -- what a 64-bit Arm CPU can do, as Linux tells every process in its auxiliary vector ------------------------------
#
# LLVM reads /proc/cpuinfo instead, whose list it knows in part, and which shows the wrong CPU under an emulator or in some containers.


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
    """LLVM's list of Arm features from both sets of bits, those of this process unless given: `+` for present, `-` for absent."""
    first, second = _read() if sets is None else sets
    words = {_HWCAP: first, _HWCAP2: second}
    return ",".join(f"{'+' if words[key] >> bit & 1 else '-'}{name}" for name, (key, bit) in _BITS.items())


def _read() -> tuple[int, int]:
    library = ctypes.CDLL(None)
    library.getauxval.restype, library.getauxval.argtypes = ctypes.c_ulong, [ctypes.c_ulong]
    return int(library.getauxval(_HWCAP)), int(library.getauxval(_HWCAP2))


# -- permission to use the tile registers of AMX: Linux lets a process use them only after it has asked --------------
#
# The state of the registers is 8 KB per thread, so the kernel allocates it on first use, and only for processes that asked. Permission
# holds for all threads of the process and those of its children.


_ARCH_PRCTL, _REQUEST_PERMISSION, _TILE_DATA = 158, 0x1023, 18


def refusal_of_tiles(features: str, request: Callable[[], int] | None = None) -> str | None:
    """Why a CPU with these features must not use AMX tiles; None if it may, or has none. `request` asks the system: an errno."""
    if "+amx-tile" not in features.split(","):
        return None
    if not sys.platform.startswith("linux"):
        return "only Linux is known to grant them"
    code = (request or _request)()
    return None if code == 0 else f"the system refuses them: {os.strerror(code)}"


def _request() -> int:
    """Requests permission for AMX tiles from the kernel; returns 0 or an errno."""
    library = ctypes.CDLL(None, use_errno=True)
    arguments = (ctypes.c_long(number) for number in (_ARCH_PRCTL, _REQUEST_PERMISSION, _TILE_DATA))
    return 0 if library.syscall(*arguments) == 0 else ctypes.get_errno()


TUNED = ("prefetch_distance", "k_block")
"""The fields of a target that `rlx tune` optimizes."""


@dataclass(frozen=True)
class Target:
    """One instruction set. `features` is LLVM's comma-separated list; everything a kernel needs is derived from it."""

    triple: str
    cpu: str
    features: str
    vector_bytes: int
    prefetch_distance: int = 1792
    """Prefetch distance of packed weights, in bytes; 0: no prefetch. Any value is correct; `rlx tune` finds the best."""
    k_block: int = 384
    """K block size of products (accumulators go to memory in between), for panels of 64 bytes per step."""
    batch_invariant: bool = False
    """Of the program, not of the machine: products sum along k in order, whatever the number of rows."""
    tiles_as_loops: bool = False
    """Operations on tiles are loops over memory, for CPUs without such registers: the same kernels can then be tested on any."""

    @staticmethod
    def host() -> Target:
        """This machine, with all its features and its tuned parameters."""
        return _host()

    @staticmethod
    def baseline() -> Target:
        """The oldest machine of the host's family (x86-64: SSE2, no FMA): every kernel must also be correct on it."""
        return Target.named(_oldest(_process_triple()))

    @staticmethod
    def named(name: str) -> Target:
        """A target by name, for cross-compiling: "x86_64", "x86_64-avx2", "x86_64-avx512", "aarch64-i8mm" …."""
        try:
            return TARGETS[name]
        except KeyError:
            raise KeyError(f"unknown target {name!r}; known: {', '.join(TARGETS)}") from None

    def with_sizes(self, sizes: Mapping[str, int]) -> Target:
        """This target with other values of TUNED fields, by name."""
        tuned = {**{name: getattr(self, name) for name in TUNED}, **sizes}
        return replace(self, **tuned)

    @cached_property
    def enabled(self) -> frozenset[str]:
        """The names of the features that are on."""
        return frozenset(item[1:] for item in self.features.split(",") if item.startswith("+"))

    @property
    def required(self) -> frozenset[str]:
        """The features a CPU must have to run the code."""
        return self.enabled - frozenset(_TILE_SETS) if self.tiles_as_loops else self.enabled

    def has(self, feature: str) -> bool:
        """True when the target has an LLVM feature such as "avx2" or "f16c"; AArch64 always has "fma"."""
        return feature in self.enabled or (self.is_aarch64 and feature == "fma")

    @cached_property
    def is_x86(self) -> bool:
        """True for x86-64."""
        return self.triple.startswith(("x86_64", "amd64"))

    @cached_property
    def is_aarch64(self) -> bool:
        """True for 64-bit Arm."""
        return self.triple.startswith(("aarch64", "arm64"))

    @cached_property
    def vector_registers(self) -> int:
        """How many vector registers a kernel can use."""
        return 32 if self.is_aarch64 or self.has("avx512f") else 16

    def has_dot_products(self, sums: int) -> bool:
        """Whether an instruction adds products of four bytes to each of so many 32-bit sums: VNNI's `vpdpbusd`, or Arm's `sdot`.

        With vectors of 64 bytes it does for all sizes or for none: kernels of several sizes read the same activations. VNNI
        also multiplies two 16-bit values.
        """
        if self.is_aarch64:
            return sums in (4, 8) and self.has("dotprod")
        if not self.is_x86 or sums not in (4, 8, 16):
            return False
        wide = self.has("avx512vnni") and self.has("avx512f" if sums == 16 else "avx512vl")
        return wide or (sums < 16 and self.vector_bytes < 64 and self.has("avxvnni"))

    def has_bf16_products(self, sums: int) -> bool:
        """Whether `vdpbf16ps` adds products of bf16 values to vectors of so many f32 sums."""
        return self.is_x86 and self.has("avx512bf16") and (sums == 16 or (sums in (4, 8) and self.has("avx512vl")))

    @property
    def has_byte_matrices(self) -> bool:
        """Whether `smmla` multiplies two rows of eight bytes by two columns: Arm's i8mm."""
        return self.is_aarch64 and self.has("dotprod") and self.has("i8mm")

    def has_tiles(self, kind: str) -> bool:
        """Whether AMX multiplies tiles of "int8" or "bf16"."""
        return self.is_x86 and self.has("amx-tile") and self.has(f"amx-{kind}")

    @property
    def stream_locality(self) -> int:
        """LLVM's locality for prefetches of data that is read once: past the caches, 0, or as near as all else, 3.

        On Intel's servers a prefetch past the second cache waits in one of the first one's few buffers until it is there: reading a
        weight so takes nearly twice as long.
        """
        return 3 if self.is_x86 and self.cpu in _INTEL_SERVERS else 0

    def lanes(self, dtype: str | Type) -> int:
        """How many elements of a dtype one vector register holds."""
        kind = type_of(dtype) if isinstance(dtype, str) else dtype
        return self.vector_bytes // kind.size


_INTEL_SERVERS = frozenset(
    {
        *("skylake-avx512", "cascadelake", "cooperlake", "icelake-server", "sapphirerapids", "emeraldrapids"),
        *("graniterapids", "graniterapids-d", "diamondrapids", "sierraforest", "clearwaterforest"),
    }
)
"""Names of CPUs whose last cache does not include the second one."""
_FAR = 4096
"""The prefetch distance there."""
_TILE_SETS = ("amx-tile", "amx-int8", "amx-bf16")
_X86_SETS = (
    "sse4.2",
    "avx",
    "f16c",
    "fma",
    "avx2",
    "avxvnni",
    "avx512f",
    "avx512vl",
    "avx512vnni",
    "avx512bf16",
    "avx512fp16",
    "amx-int8",
    "amx-bf16",
)
_ARM_SETS = ("neon", "fullfp16", "dotprod", "i8mm", "bf16", "sve", "sve2")


def instruction_sets(target: Target) -> list[str]:
    """The features of a target that matter to kernels."""
    return [name for name in (_X86_SETS if target.is_x86 else _ARM_SETS) if target.has(name)]


_UNUSED = frozenset({"avx512fp16", "bf16", "fullfp16", "sve", "sve2"})
"""What no kernel uses."""


def unused_sets(target: Target, features: str | None = None, refusal: str | None = None) -> dict[str, str]:
    """CPU features that code for a target does not use: reason → names. The CPU's features are detected unless given."""
    if features is None:
        features = _detected_features()
        refusal = refusal_of_tiles(features)
    there = instruction_sets(replace(target, features=features))
    tiles = [name for name in there if name in _TILE_SETS and refusal is not None]
    left_out = [name for name in there if not target.has(name) and name not in tiles]
    reasons = {
        "no kernel uses it": [name for name in there if name in _UNUSED and name not in left_out],
        "not at this level": left_out,
        refusal or "": tiles,
    }
    return {why: ", ".join(names) for why, names in reasons.items() if names}


_AVX2 = "+sse2,+sse3,+ssse3,+sse4.1,+sse4.2,+popcnt,+avx,+avx2,+fma,+f16c,+bmi,+bmi2,+lzcnt,+movbe"
_AVX512 = _AVX2 + ",+avx512f,+avx512vl,+avx512bw,+avx512dq,+avx512cd,+avx512vnni"
_AMX = _AVX512 + ",+avx512bf16,+amx-tile,+amx-int8,+amx-bf16"
_LINUX = "x86_64-unknown-linux-gnu"
_ARM_LINUX = "aarch64-unknown-linux-gnu"
_DOTPROD = "+neon,+lse,+rcpc,+fullfp16,+dotprod"
TARGETS = {
    "x86_64": Target(_LINUX, "x86-64", "+sse,+sse2", 16),
    "x86_64-sse4": Target(_LINUX, "x86-64-v2", "+sse2,+sse3,+ssse3,+sse4.1,+sse4.2,+popcnt", 16),
    "x86_64-avx2": Target(_LINUX, "x86-64-v3", _AVX2, 32),
    "x86_64-avx512": Target(_LINUX, "x86-64-v4", _AVX512, 64),
    "x86_64-amx": Target(_LINUX, "sapphirerapids", _AMX, 64, prefetch_distance=_FAR),
    "x86_64-amx-loops": Target(_LINUX, "x86-64-v4", _AMX, 64, tiles_as_loops=True),
    "aarch64": Target(_ARM_LINUX, "generic", "+neon", 16),
    "aarch64-dotprod": Target(_ARM_LINUX, "cortex-a76", _DOTPROD, 16),
    "aarch64-i8mm": Target(_ARM_LINUX, "neoverse-n2", _DOTPROD + ",+i8mm,+bf16,-sve,-sve2", 16),
    "aarch64-apple": Target("arm64-apple-macosx", "apple-m1", "+neon,+fullfp16,+dotprod", 16),
}


def _process_triple() -> str:
    from llvmlite import binding

    return str(binding.get_process_triple())


def _oldest(triple: str) -> str:
    """The name of the oldest CPU that runs code for a triple."""
    if triple.startswith(("aarch64", "arm64")):
        return "aarch64-apple" if "apple" in triple else "aarch64"
    return "x86_64"


def _detected_features() -> str:
    from llvmlite import binding

    if _process_triple().startswith("aarch64") and sys.platform == "linux":
        return arm_features()
    try:
        return str(binding.get_host_cpu_features().flatten())
    except RuntimeError:  # LLVM cannot detect them on this system: the CPU's name implies the features
        return ""


@lru_cache(maxsize=1)
def _host() -> Target:
    from llvmlite import binding

    features = _detected_features()
    if refusal_of_tiles(features) is not None:
        features = features.replace("+amx-", "-amx-")
    enabled = set(features.split(","))
    vector_bytes = 64 if {"+avx512f", "+avx512vl"} <= enabled else 32 if "+avx2" in enabled else 16
    host = Target(_process_triple(), binding.get_host_cpu_name(), features, vector_bytes)
    return apply(host.with_sizes({"prefetch_distance": _FAR}) if host.cpu in _INTEL_SERVERS else host)
