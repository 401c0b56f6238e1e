"""The chips a run can be planned for: published peaks, and the fraction of them that a training step reaches."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from rlx.core.errors import RlxError


@dataclass(frozen=True)
class Chip:
    """One accelerator. Rates are per second and per chip; bandwidths between chips count one direction.

    >>> find_chip("h200").memory_bytes
    141000000000
    """

    name: str
    memory_bytes: int
    bf16_flops: float
    """Peak of products of 16-bit floats, without sparsity."""
    f32_flops: float
    """Peak of products of f32 in full precision: on TPUs six passes of bf16."""
    memory_bandwidth: float
    link_bandwidth: float
    """Between chips of one domain: all links of a chip together."""
    domain: int
    """Chips that these links join: a pod of a torus, the GPUs of a server."""
    torus_axes: int
    """Axes of the torus; 0: a switch, where every pair of chips has the full bandwidth."""
    network_bandwidth: float
    """Between domains."""
    kernel_seconds: float
    """What starting one kernel costs."""
    topology: str
    """How `jax.experimental.topologies` calls it; empty: it has no name there."""
    source: str

    @property
    def is_tpu(self) -> bool:
        """Whether it is a TPU."""
        return self.torus_axes > 0

    @property
    def merged_bytes(self) -> int:
        """Up to which size XLA merges products that read the same rows: 60 MB were merged, 77 MB were not."""
        return 0 if self.is_tpu else 64 << 20

    @property
    def in_16_bits(self) -> Products:
        """Products of 16-bit floats."""
        return Products(self.bf16_flops, *(_ON_TPU if self.is_tpu else _ON_GPU_IN_16_BITS))

    @property
    def in_f32(self) -> Products:
        """Products of f32 in full precision."""
        return Products(self.f32_flops, *(_ON_TPU if self.is_tpu else _ON_GPU_IN_F32))


@dataclass(frozen=True)
class Products:
    """How fast matrices are multiplied."""

    peak: float
    fraction: float
    """What is reached of the peak where the inner size is long."""
    ramp: int
    """The inner size at which half of that is reached: a tile's first operands and its result take as long as so many steps."""

    def rate(self, inner: int) -> float:
        """Operations in a second, of products that sum over `inner`."""
        return self.peak * self.fraction * inner / (inner + self.ramp)


_ON_TPU = (0.75, 0)
"""Fraction and ramp of products: assumed."""
_ON_GPU_IN_16_BITS = (0.80, 300)
"""On an H200 cuBLAS reached 0.80 of the peak at 8192³, and 0.69 to 0.71 where 2048 are summed (bench/history/cuda.json)."""
_ON_GPU_IN_F32 = (0.60, 32)
"""Assumed."""
MEMORY_FRACTION = 0.85
"""What a kernel reaches of the memory's bandwidth: a copy on an H200 reached 0.90."""
LINK_FRACTION = 0.8
"""What a ring of many chips reaches of its links."""

_TPU = "Google Cloud TPU documentation, system architecture of "
_TERA, _GIGA = 1e12, 1e9

CHIPS: dict[str, Chip] = {
    chip.name: chip
    for chip in (
        Chip(
            "v5e",
            16 << 30,
            197 * _TERA,
            197 / 6 * _TERA,
            819 * _GIGA,
            200 * _GIGA,
            256,
            2,
            3.125 * _GIGA,
            1e-6,
            "v5e",
            _TPU + "v5e: 197 TFLOP/s, 16 GB at 819 GB/s, links 1600 Gbit/s, pod of 256, 6.4 Tbit/s of network a pod",
        ),
        Chip(
            "v5p",
            95 << 30,
            459 * _TERA,
            459 / 6 * _TERA,
            2765 * _GIGA,
            600 * _GIGA,
            8960,
            3,
            6.25 * _GIGA,
            1e-6,
            "v5p",
            _TPU + "v5p: 459 TFLOP/s, 95 GB at 2765 GB/s, links 4800 Gbit/s, pod of 8960",
        ),
        Chip(
            "v6e",
            32 << 30,
            918 * _TERA,
            918 / 6 * _TERA,
            1640 * _GIGA,
            400 * _GIGA,
            256,
            2,
            12.5 * _GIGA,
            1e-6,
            "v6e",
            _TPU + "v6e: 918 TFLOP/s, 32 GB at 1640 GB/s, links 3200 Gbit/s, pod of 256, 25.6 Tbit/s of network a pod",
        ),
        Chip(
            "h100",
            80 * 10**9,
            989 * _TERA,
            67 * _TERA,
            3350 * _GIGA,
            450 * _GIGA,
            8,
            0,
            50 * _GIGA,
            3e-6,
            "",
            "NVIDIA H100 data sheet (SXM): 989 TFLOP/s without sparsity, 80 GB at 3.35 TB/s, NVLink 900 GB/s both ways; "
            "DGX H100: 8 × 400 Gbit/s",
        ),
        Chip(
            "h200",
            141 * 10**9,
            989 * _TERA,
            67 * _TERA,
            4800 * _GIGA,
            450 * _GIGA,
            8,
            0,
            50 * _GIGA,
            3e-6,
            "",
            "NVIDIA H200 data sheet (SXM): as H100 with 141 GB at 4.8 TB/s; DGX H200: 8 × 400 Gbit/s",
        ),
        Chip(
            "b200",
            180 * 10**9,
            2250 * _TERA,
            80 * _TERA,
            8000 * _GIGA,
            900 * _GIGA,
            8,
            0,
            50 * _GIGA,
            3e-6,
            "",
            "NVIDIA Blackwell architecture brief (HGX B200): 2250 TFLOP/s without sparsity; "
            "DGX B200 data sheet: 1440 GB and 64 TB/s for 8, NVLink 1.8 TB/s both ways, 8 × 400 Gbit/s",
        ),
    )
}
"""Published numbers by name."""


def find_chip(name: str) -> Chip:
    """A chip by its name."""
    if name not in CHIPS:
        near = difflib.get_close_matches(name, CHIPS, 1)
        fix = f"one of: {', '.join(CHIPS)}" + (f"; did you mean {near[0]}?" if near else "")
        raise RlxError("RLX406", f"{name!r:.60} is not a chip that is known", fix=fix)
    return CHIPS[name]
