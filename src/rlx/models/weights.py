"""Weight: a tensor of a file as a model reads it, and how a format's tensors become ours.

A model's matrix has a row for each output, `[out, in]`. Quantized, F16 and BF16 matrices keep their type, as packed params; everything
else is f32.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.aligned import Array
from rlx.core.errors import RlxError
from rlx.core.quant_scheme import QuantScheme
from rlx.formats.gguf import StoredTensor

PACKED_FLOATS = {"f16": QuantScheme.gguf("F16"), "bf16": QuantScheme.gguf("BF16")}


@dataclass(frozen=True)
class Weight:
    """A model's tensor: logical dims, its scheme if packed, and a function that loads the form `Session.set_param` takes.

    >>> matrix = np.arange(6, dtype=np.float32).reshape(3, 2)
    >>> weight = Weight((3, 2), None, lambda: matrix, matrix.nbytes)
    >>> weight.rows(1, 3).load()
    array([[2., 3.],
           [4., 5.]], dtype=float32)
    """

    dims: tuple[int, ...]
    scheme: QuantScheme | None
    load: Callable[[], Array]
    nbytes: int

    def dense(self) -> Weight:
        """The weight with its values in f32, whatever the stored type."""
        scheme, dims = self.scheme, self.dims
        if scheme is None:
            return self

        def load() -> Array:
            from rlx.layouts.gguf_blocks import dequantize_rows

            return dequantize_rows(scheme.detail, self.load()).reshape(dims)

        return Weight(dims, None, load, 4 * int(np.prod(dims, dtype=np.int64)))

    def rows(self, start: int, stop: int) -> Weight:
        """A slice of a matrix: some of its outputs."""
        count = self.dims[0]
        if not 0 <= start <= stop <= count:
            raise RlxError("RLX703", f"rows {start}…{stop} of a tensor with {count}", at=None)
        share = self.nbytes * (stop - start) // max(count, 1)
        return Weight((stop - start, *self.dims[1:]), self.scheme, lambda: self.load()[start:stop], share)


def stored_weight(tensor: StoredTensor) -> Weight:
    """A stored tensor as a weight, unchanged; vectors are converted to f32."""
    scheme = tensor.scheme or (PACKED_FLOATS.get(tensor.dtype.name) if len(tensor.dims) > 1 else None)
    if scheme is None:
        # as stored in the file
        load = tensor.array if tensor.dtype.name == "f32" and tensor.scheme is None else tensor.dequantized
        return Weight(tensor.dims, None, load, 4 * int(np.prod(tensor.dims, dtype=np.int64)))
    if tensor.scheme is not None:
        return Weight(tensor.dims, scheme, tensor.raw, tensor.nbytes)
    size = tensor.dtype.size
    return Weight(tensor.dims, scheme, lambda: tensor.raw().reshape(*tensor.dims[:-1], tensor.dims[-1] * size), tensor.nbytes)


class FileWeights(dict[str, Weight]):
    """A file's weights by our names; `theirs` are the file's names, also of missing ones."""

    theirs: Mapping[str, str] = MappingProxyType({})

    def dense(self) -> FileWeights:
        """The same weights, all in f32."""
        dense = FileWeights({name: weight.dense() for name, weight in self.items()})
        dense.theirs = self.theirs
        return dense


# -- how a Hugging Face tensor becomes one of ours -----------------------------------------------------------------
@dataclass(frozen=True)
class RowSlice:
    """A table entry for some rows (outputs) of a tensor that concatenates several matrices.

    >>> {"blk.0.attn_k": RowSlice("layers.0.qkv.weight", 64, 96)}["blk.0.attn_k"].stop
    96
    """

    name: str
    start: int
    stop: int


@dataclass(frozen=True)
class Mapped:
    """A table entry for a tensor transformed in f32 (`1 + γ`, a transposed matrix, `-exp(A)`).

    A 16-bit matrix stays 16-bit for matmuls, unless it is `dense` because the model splits it.

    >>> Mapped("layers.0.norm.weight", lambda gamma: 1 + gamma).change(np.zeros(2, np.float32))
    array([1., 1.], dtype=float32)
    """

    name: str
    change: Callable[[Array], Array]
    dense: bool = False


@dataclass(frozen=True)
class Joined:
    """A table entry that stacks tensors of one shape on a new first axis: experts.

    >>> Joined(tuple(f"layers.0.experts.{number}.up.weight" for number in range(2))).names[1]
    'layers.0.experts.1.up.weight'
    """

    names: tuple[str, ...]


Entry = str | RowSlice | Mapped | Joined


def per_layer(layers: int | range, table: Mapping[str, Entry]) -> dict[str, Entry]:
    """Expands a table's entries for each layer: `{}` is the layer number, in our names and in the file's.

    >>> per_layer(2, {"blk.{}.attn_norm": "layers.{}.norm.weight"})
    {'blk.0.attn_norm': 'layers.0.norm.weight', 'blk.1.attn_norm': 'layers.1.norm.weight'}
    """
    numbers = range(layers) if isinstance(layers, int) else layers
    return {ours.replace("{}", str(number)): _with_number(theirs, number) for number in numbers for ours, theirs in table.items()}


def _with_number(entry: Entry, number: int) -> Entry:
    def fill(name: str) -> str:
        return name.replace("{}", str(number))

    match entry:
        case str():
            return fill(entry)
        case RowSlice(name, start, stop):
            return RowSlice(fill(name), start, stop)
        case Mapped():
            return replace(entry, name=fill(entry.name))
        case Joined(names):
            return Joined(tuple(fill(name) for name in names))


def names_of(entry: Entry) -> tuple[str, ...]:
    """The tensor names that a table entry reads."""
    return entry.names if isinstance(entry, Joined) else (entry,) if isinstance(entry, str) else (entry.name,)


def resolve(entry: Entry, tensors: Mapping[str, StoredTensor]) -> Weight | None:
    """Builds the weight of a table entry; None if the file has no such tensor."""
    names = names_of(entry)
    if any(name not in tensors for name in names):
        return None
    match entry:
        case RowSlice(name, start, stop):
            return stored_weight(tensors[name]).rows(start, stop)
        case Mapped(name, change, dense):
            return _compute(tensors[name], change, dense)
        case Joined(_):
            parts = [stored_weight(tensors[name]) for name in names]
            first = parts[0]
            if any(part.dims != first.dims or part.scheme != first.scheme for part in parts):
                raise RlxError(
                    "RLX702",
                    f"{names[0]!r} and the other experts differ in shape or type",
                    fix="all experts must have the same shape and type",
                    at=None,
                )
            total = sum(part.nbytes for part in parts)
            return Weight((len(parts), *first.dims), first.scheme, lambda: np.stack([part.load() for part in parts]), total)
        case _:
            return stored_weight(tensors[names[0]])


UNUSED: Mapping[str, str] = {  # name patterns, and why such a tensor is not needed
    r"rotary_emb\.inv_freq$": "computed from the settings",
    r"attn_rot_embd$": "computed from the settings",
    r"^rope_(freqs|factors_long|factors_short)\.": "read with the RoPE settings",
    r"position_ids$": "0, 1, 2, …",
    r"\.(activation|input|output|k|v|kv|q)_scale$": "activations and caches are not in 8 bits",
}


def refuse_unused(names: Sequence[str], unused: Mapping[str, str], path: Path, architecture: str) -> None:
    """Raises RLX702 for unread tensors: the file is another model than its settings declare, or has an unsupported part."""
    patterns = re.compile("|".join((*UNUSED, *unused)))
    left = [name for name in names if not patterns.search(name)]
    if left:
        more = f" and {len(left) - 3} more" if len(left) > 3 else ""
        message = f"{path}: {architecture} has no place for {', '.join(map(repr, left[:3]))}{more}"
        packed = "quantized with GPTQ or AWQ, which is not supported; " if any(name.endswith(".qweight") for name in left) else ""
        fix = f"{packed}settings and tensors must belong to the same model; ignoring these tensors would change it"
        raise RlxError("RLX702", message, fix=fix, at=None)


def _compute(tensor: StoredTensor, change: Callable[[Array], Array], dense: bool) -> Weight:
    """Transforms a tensor in f32; derives the result's dims from an empty tensor. 16-bit floats may keep their type."""
    twin = np.lib.stride_tricks.as_strided(np.ones((), np.float32), tensor.dims, (0,) * len(tensor.dims))
    dims = change(twin).shape
    scheme = PACKED_FLOATS.get(tensor.dtype.name) if len(dims) > 1 and not dense else None
    if scheme is None:
        count = 4 * int(np.prod(dims, dtype=np.int64))
        return Weight(dims, None, lambda: np.ascontiguousarray(change(tensor.dequantized()), np.float32), count)

    def load() -> Array:
        changed = np.ascontiguousarray(change(tensor.array()).astype(tensor.dtype.numpy))
        return changed.view(np.uint8).reshape(*dims[:-1], dims[-1] * tensor.dtype.size)

    return Weight(dims, scheme, load, tensor.nbytes)


# -- FP8 folders: matrices in 8-bit floats with one scale, one per row, or one per block; dequantized to f32 ---------
#
# The scales of a matrix `X.weight` are in `X.weight_scale_inv` or `X.weight_scale`: either way, values are multiplied by them.
# Other quantization methods are rejected by name.


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
    """A tensor of 8-bit floats, with a scale per block of the last two axes."""

    scales: StoredTensor
    block: tuple[int, int]

    def dequantized(self) -> npt.NDArray[np.float32]:
        """The values times their scales, one row of blocks after the other."""
        rows, columns = self.dims[-2:]
        numbers, scales = self.array().reshape(-1, rows, columns), self.scales.dequantized()
        scales = np.broadcast_to(scales.reshape(-1, *_two(scales.shape)), (len(numbers), *self._grid))
        values = np.empty(numbers.shape, np.float32)
        for matrix, (matrix_numbers, scale) in enumerate(zip(numbers, scales, strict=True)):
            for number, row in enumerate(scale):
                part = slice(number * self.block[0], (number + 1) * self.block[0])
                values[matrix, part] = matrix_numbers[part].astype(np.float32) * np.repeat(row, self.block[1])[:columns]
        return values.reshape(self.dims)

    @property
    def _grid(self) -> tuple[int, int]:
        rows, columns = (-(-size // block) for size, block in zip(self.dims[-2:], self.block, strict=True))
        return rows, columns


def _two(dims: tuple[int, ...]) -> tuple[int, int]:
    """The dims of a scale tensor as a grid: (1, 1) for a number, (n, 1) for a list with one scale per row."""
    return (1, 1) if not dims else (dims[0], 1) if len(dims) == 1 else (dims[-2], dims[-1])


def with_scales(tensors: Mapping[str, StoredTensor], settings: Mapping[str, Any], path: Path) -> dict[str, StoredTensor]:
    """Pairs a folder's 8-bit tensors with their scales; other quantization methods are RLX702."""
    config = _config(settings, path)
    scaled = dict(tensors)
    for name, tensor in tensors.items():
        if not tensor.dtype.name.startswith("f8"):
            continue
        scale_name = next((name + ending for ending in ENDINGS if name + ending in tensors), None)
        if scale_name is not None:
            scaled[name] = _with_scale(tensor, tensors[scale_name], config, path)
            del scaled[scale_name]
        elif config is not None:
            message = f"{path}: {name!r} is in 8-bit floats but there is no {name + ENDINGS[0]!r}"
            raise RlxError("RLX703", message, fix="a folder with the scales of all its 8-bit matrices", at=None)
    return scaled


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


def _with_scale(tensor: StoredTensor, scales: StoredTensor, config: Mapping[str, Any] | None, path: Path) -> ScaledTensor:
    """Checks that there is a scale for each block of the declared size, for each row, or for the full matrix."""
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
