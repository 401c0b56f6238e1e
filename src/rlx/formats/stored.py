"""StoredTensor: a tensor in a file, mapped and not yet read, whatever the format."""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.scheme import QuantScheme

__all__ = ["MappedFile", "StoredTensor"]

Array = npt.NDArray[Any]


class MappedFile:
    """The bytes of a file, mapped read-only: opening a large one reads nothing."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            with self.path.open("rb") as file:
                self.size = file.seek(0, 2)
                self.mapping: mmap.mmap | bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if self.size else b""
        except OSError as error:
            raise RlxError("RLX303", f"{self.path}: {error.strerror or error}", fix="give the path of a file that exists") from None
        self.bytes = memoryview(self.mapping)

    def array(self, offset: int, count: int) -> npt.NDArray[np.uint8]:
        """Some bytes as an array that keeps the mapping alive."""
        return np.frombuffer(self.bytes, np.uint8, count, offset)

    def release_pages(self) -> None:
        """Let the system drop what was read: the next use reads it again. For weights that were packed elsewhere."""
        if isinstance(self.mapping, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            self.mapping.madvise(mmap.MADV_DONTNEED)


@dataclass(frozen=True)
class StoredTensor:
    """A tensor of a file: its name, dims in row-major order, and either a dtype or a quantization scheme.

    A quantized one is rows `[…, out, in]` whose last axis is stored in blocks.
    """

    name: str
    dims: tuple[int, ...]
    dtype: DType
    scheme: QuantScheme | None
    file: MappedFile
    offset: int
    nbytes: int

    @property
    def kind(self) -> str:
        """How it is stored, in words: `f16`, `gguf_q4k`."""
        return str(self.scheme) if self.scheme is not None else self.dtype.name

    def raw(self) -> npt.NDArray[np.uint8]:
        """The stored bytes; of a quantized tensor `[…, out, bytes of a row]`."""
        data = self.file.array(self.offset, self.nbytes)
        if self.scheme is None:
            return data
        rows = self.dims[:-1]
        return data.reshape(*rows, self.nbytes // max(product(rows), 1))

    def array(self) -> Array:
        """The numbers, mapped without a copy; quantized ones are RLX702."""
        if self.scheme is not None:
            message = f"tensor {self.name!r} is stored as {self.scheme}"
            raise RlxError("RLX702", message, fix="raw() gives its bytes, dequantized() its numbers")
        return self.file.array(self.offset, self.nbytes).view(self.dtype.numpy).reshape(self.dims)

    def dequantized(self) -> npt.NDArray[np.float32]:
        """The numbers in f32, whatever they are stored as: a dense copy, so for small tensors and for tests."""
        if self.scheme is None:
            return self.array().astype(np.float32)
        from rlx.ops.gguf_blocks import dequantize_rows

        return dequantize_rows(self.scheme.detail, self.raw()).reshape(self.dims)


def product(sizes: Sequence[int]) -> int:
    """Of exact integers."""
    total = 1
    for size in sizes:
        total *= size
    return total
