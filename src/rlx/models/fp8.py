"""FP8 folders: matrices in 8-bit floats with one scale, one per row, or one per block; dequantized to f32.

The scales of a matrix `X.weight` are in `X.weight_scale_inv` or `X.weight_scale`: either way, values are multiplied by them.
Other quantization methods are rejected by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.errors import RlxError
from rlx.formats.gguf import StoredTensor

ENDINGS = ("_scale_inv", "_scale")
FIX = "the model in full precision, in FP8 with scales, or as a GGUF file (its quantizations stay packed)"
HARMLESS = {"quant_method", "activation_scheme", "modules_to_not_convert", "ignored_layers", "dequantize", "weight_block_size"}
ONLY = {
    "fmt": ("e4m3", "float8_e4m3fn"),
    "expert_dtype": ("fp8",),
    "kv_cache_scheme": (None,),
    "scale_fmt": (None, "float", "ue8m0"),
}


@dataclass(frozen=True)
class ScaledTensor(StoredTensor):
    """8-bit float values, with a scale per block of the last two axes."""

    scales: StoredTensor
    block: tuple[int, int]

    def dequantized(self) -> npt.NDArray[np.float32]:
        """The values times their scales, one row of blocks after the other."""
        rows, columns = self.dims[-2:]
        numbers, scales = self.array().reshape(-1, rows, columns), self.scales.dequantized()
        scales = np.broadcast_to(scales.reshape(-1, *_two(scales.shape)), (len(numbers), *self._grid))
        found = np.empty(numbers.shape, np.float32)
        for matrix, (given, scale) in enumerate(zip(numbers, scales, strict=True)):
            for number, row in enumerate(scale):
                part = slice(number * self.block[0], (number + 1) * self.block[0])
                found[matrix, part] = given[part].astype(np.float32) * np.repeat(row, self.block[1])[:columns]
        return found.reshape(self.dims)

    @property
    def _grid(self) -> tuple[int, int]:
        rows, columns = (-(-size // block) for size, block in zip(self.dims[-2:], self.block, strict=True))
        return rows, columns


def _two(dims: tuple[int, ...]) -> tuple[int, int]:
    """The dims of scales as a grid of blocks: a list has one for each row."""
    return (1, 1) if not dims else (dims[0], 1) if len(dims) == 1 else (dims[-2], dims[-1])


def with_scales(tensors: Mapping[str, StoredTensor], settings: Mapping[str, Any], path: Path) -> dict[str, StoredTensor]:
    """A folder's tensors, 8-bit ones together with their scales; other quantization methods are RLX702."""
    config = _config(settings, path)
    found = dict(tensors)
    for name, tensor in tensors.items():
        if not tensor.dtype.name.startswith("f8"):
            continue
        place = next((name + ending for ending in ENDINGS if name + ending in tensors), None)
        if place is not None:
            found[name] = _scaled(tensor, tensors[place], config, path)
            del found[place]
        elif config is not None:
            message = f"{path}: {name!r} is in 8-bit floats but there is no {name + ENDINGS[0]!r}"
            raise RlxError("RLX703", message, fix="a folder with the scales of all its 8-bit matrices", at=None)
    return found


def _config(settings: Mapping[str, Any], path: Path) -> Mapping[str, Any] | None:
    """The folder's `quantization_config`, which must be FP8; None if there is none."""
    config = settings.get("quantization_config") or settings.get("compression_config")
    if not config:
        return None
    if not isinstance(config, Mapping):
        raise RlxError("RLX701", f"{path}: quantization_config is {str(config)[:60]}", fix="names and values", at=None)
    unnamed = "bitsandbytes" if config.get("load_in_4bit") or config.get("load_in_8bit") else "an unnamed method"
    method = str(config.get("quant_method") or unnamed)
    if method != "fp8":
        raise RlxError("RLX702", f"{path}: quantized with {method}, which is not supported", fix=FIX, at=None)
    for key, value in config.items():
        if key not in HARMLESS and value not in ONLY.get(key, (None, False)):
            raise RlxError("RLX702", f"{path}: quantization_config: {key} is {str(value)[:60]}", fix=FIX, at=None)
    return config


def _scaled(tensor: StoredTensor, scales: StoredTensor, config: Mapping[str, Any] | None, path: Path) -> ScaledTensor:
    """Checks that there is a scale for each block of the declared size, for each row, or for the whole matrix."""
    block = (config or {}).get("weight_block_size")
    if scales.dtype.name not in ("f32", "f16", "bf16") or len(tensor.dims) < 2:
        message = f"{path}: {tensor.name!r} {list(tensor.dims)} has scales of {scales.dtype.name}"
        raise RlxError("RLX702", message, fix="a matrix with scales of f32, f16 or bf16", at=None)
    rows, columns = tensor.dims[-2:]
    grid = _two(scales.dims)
    sizes = {(1, 1): (rows, columns), (rows, 1): (1, columns)}
    if isinstance(block, (list, tuple)) and len(block) == 2 and all(type(size) is int and size > 0 for size in block):
        sizes[-(-rows // block[0]), -(-columns // block[1])] = (block[0], block[1])
    if grid not in sizes or scales.dims[:-2] not in ((), tensor.dims[:-2]):
        message = f"{path}: {tensor.name!r} is {list(tensor.dims)}, its scales are {list(scales.dims)}, blocks are {block}"
        raise RlxError("RLX701", message, fix="a scale for each block, each row, or the matrix", at=None)
    return ScaledTensor(**vars(tensor), scales=scales, block=sizes[grid])
