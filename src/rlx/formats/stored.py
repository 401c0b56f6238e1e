"""StoredTensor: a tensor in a memory-mapped file, not yet read, whatever the format."""

from __future__ import annotations

import mmap
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.files import naming, open_regular
from rlx.core.quant_scheme import QuantScheme

Array = npt.NDArray[Any]
_MOST_DIMS, _MOST_ELEMENTS = 32, 1 << 59  # of 16 bytes each: the limit of the address space


class MappedFile:
    """The bytes of a file, mapped read-only: opening a large one reads nothing.

    Its size is checked when it is opened and when a tensor is fetched. A file truncated while a tensor is being read kills the process
    (SIGBUS): write a new version to another file and rename it, as every writer here does.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        with open_regular(self.path) as file, naming(self.path, "RLX303"):
            empty = not os.fstat(file.fileno()).st_size
            self.mapping: mmap.mmap | bytes = b"" if empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.size = len(self.mapping)
        self.bytes = memoryview(self.mapping)
        self.check_size()

    def check_size(self) -> None:
        """Reject a file that was truncated since it was mapped: reading pages beyond its end kills the process."""
        if isinstance(self.mapping, mmap.mmap) and (now := self.mapping.size()) < self.size:
            message = f"{self.path} had {self.size} bytes when it was opened, now {now} bytes"
            raise RlxError(
                "RLX701", message, fix="open it again once it is complete; replace files in use, do not rewrite them", at=None
            )

    def array(self, offset: int, count: int) -> npt.NDArray[np.uint8]:
        """A range of bytes as an array that keeps the mapping alive."""
        self.check_size()
        return np.frombuffer(self.bytes, np.uint8, count, offset)

    def release_pages(self) -> None:
        """Release the pages that were read: the next use reads them again. For weights that were repacked."""
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

    def __post_init__(self) -> None:
        """Reject dims that no array can have, even if one of them is 0 and no byte is stored."""
        if len(self.dims) > _MOST_DIMS or product([max(size, 1) for size in self.dims]) >= _MOST_ELEMENTS:
            message = f"{self.file.path}: tensor {self.name!r} has dims {str(list(self.dims))[:80]}"
            raise RlxError("RLX701", message, fix=f"at most {_MOST_DIMS} dims, and fewer than 2**59 elements", at=None)

    @property
    def kind(self) -> str:
        """The stored type as text: `f16`, `gguf_q4k`."""
        return str(self.scheme) if self.scheme is not None else self.dtype.name

    def raw(self) -> npt.NDArray[np.uint8]:
        """The stored bytes; of a quantized tensor `[…, out, bytes of a row]`."""
        data = self.file.array(self.offset, self.nbytes)
        if self.scheme is None:
            return data
        rows = self.dims[:-1]
        return data.reshape(*rows, self.nbytes // max(product(rows), 1))

    def array(self) -> Array:
        """The values, mapped without a copy; RLX702 for a quantized tensor."""
        if self.scheme is not None:
            message = f"tensor {self.name!r} is stored as {self.scheme}"
            raise RlxError("RLX702", message, fix="raw() returns its bytes, dequantized() its values")
        return self.file.array(self.offset, self.nbytes).view(self.dtype.numpy).reshape(self.dims)

    def dequantized(self) -> npt.NDArray[np.float32]:
        """The values in f32, whatever the stored type: a dense copy, so for small tensors and tests."""
        if self.scheme is None:
            return self.array().astype(np.float32)
        from rlx.ops.quantized.gguf_rows import dequantize_rows

        return dequantize_rows(self.scheme.detail, self.raw()).reshape(self.dims)


def product(sizes: Sequence[int]) -> int:
    """The product of integers, exact."""
    total = 1
    for size in sizes:
        total *= size
    return total
