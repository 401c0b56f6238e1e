"""GGUF, llama.cpp's file format: memory-mapped, only the header is parsed; a split file is read as one.

The format (v2 and v3, little endian): magic, version, counts, key-value pairs, tensor descriptions, then data aligned to
`general.alignment`. Dims are stored innermost first; here they are row-major. Every count, length and offset is validated against the
file before use.
"""

from __future__ import annotations

import mmap
import os
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.aligned import Array
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.files import naming, open_regular
from rlx.core.quant_scheme import QuantScheme

# -- storedTensor: a tensor in a memory-mapped file, not yet read, whatever the format -------------------------------


_MOST_DIMS, _MOST_ELEMENTS = 32, 1 << 59  # of 16 bytes each: the limit of the address space


class MappedFile:
    """The bytes of a tensor file, mapped read-only: opening a large file reads nothing.

    The size is checked when the file is opened and when a tensor is fetched. Truncating the file while a tensor is being read kills
    the process (SIGBUS): write a new version to another file and rename it, as every writer here does.
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
        """Rejects a file that was truncated since it was mapped: reading pages beyond its end kills the process."""
        if isinstance(self.mapping, mmap.mmap) and (now := self.mapping.size()) < self.size:
            message = f"{self.path} had {self.size} bytes when it was opened, now {now} bytes"
            raise RlxError(
                "RLX701", message, fix="open it again once it is complete; replace files in use, do not rewrite them", at=None
            )

    def array(self, offset: int, count: int) -> npt.NDArray[np.uint8]:
        """A range of the file's bytes as an array that keeps the mapping alive."""
        self.check_size()
        return np.frombuffer(self.bytes, np.uint8, count, offset)

    def release_pages(self) -> None:
        """Releases the file's pages in memory, after weights were repacked: the next use reads them again."""
        if isinstance(self.mapping, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            self.mapping.madvise(mmap.MADV_DONTNEED)


@dataclass(frozen=True)
class StoredTensor:
    """A tensor of a file: its name, dims in row-major order, and either a dtype or a quantization scheme.

    A quantized tensor has rows `[…, out, in]`, whose last axis is stored in blocks.
    """

    name: str
    dims: tuple[int, ...]
    dtype: DType
    scheme: QuantScheme | None
    file: MappedFile
    offset: int
    nbytes: int

    def __post_init__(self) -> None:
        """Rejects dims that no array can have, even if one of them is 0 and no byte is stored."""
        if len(self.dims) > _MOST_DIMS or product([max(size, 1) for size in self.dims]) >= _MOST_ELEMENTS:
            message = f"{self.file.path}: tensor {self.name!r} has dims {str(list(self.dims))[:80]}"
            raise RlxError("RLX701", message, fix=f"at most {_MOST_DIMS} dims, and fewer than 2**59 elements", at=None)

    @property
    def kind(self) -> str:
        """The stored type as text: `f16`, `gguf_q4k`."""
        return str(self.scheme) if self.scheme is not None else self.dtype.name

    def raw(self) -> npt.NDArray[np.uint8]:
        """The stored bytes; `[…, out, bytes of a row]` for a quantized tensor."""
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
        from rlx.layouts.gguf_blocks import dequantize_rows

        return dequantize_rows(self.scheme.detail, self.raw()).reshape(self.dims)


def product(sizes: Sequence[int]) -> int:
    """The exact product of integers."""
    total = 1
    for size in sizes:
        total *= size
    return total


MAGIC = b"GGUF"
VERSIONS = (2, 3)
ALIGNMENT = 32
MOST_DIMS = 4

# ggml's numbers of tensor types
GGML_TYPES: dict[int, str] = {
    0: "F32",
    1: "F16",
    2: "Q4_0",
    3: "Q4_1",
    6: "Q5_0",
    7: "Q5_1",
    8: "Q8_0",
    10: "Q2_K",
    11: "Q3_K",
    12: "Q4_K",
    13: "Q5_K",
    14: "Q6_K",
    15: "Q8_K",
    16: "IQ2_XXS",
    17: "IQ2_XS",
    18: "IQ3_XXS",
    19: "IQ1_S",
    20: "IQ4_NL",
    21: "IQ3_S",
    22: "IQ2_S",
    23: "IQ4_XS",
    24: "I8",
    25: "I16",
    26: "I32",
    27: "I64",
    28: "F64",
    29: "IQ1_M",
    30: "BF16",
    34: "TQ1_0",
    35: "TQ2_0",
    39: "MXFP4",
}
DENSE_TYPES: dict[str, str] = {
    "F32": "f32",
    "F16": "f16",
    "BF16": "bf16",
    "F64": "f64",
    "I8": "i8",
    "I16": "i16",
    "I32": "i32",
    "I64": "i64",
}

# value types of key-value pairs: struct formats of the numbers, then string and array
NUMBERS: dict[int, str] = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
STRING, ARRAY = 8, 9


@dataclass(frozen=True)
class GgufFile:
    """The contents of a GGUF file, or of all parts of a split file.

    >>> import tempfile, numpy as np
    >>> from rlx.formats.gguf_writer import write_gguf
    >>> path = Path(tempfile.mkdtemp()) / "small.gguf"
    >>> write_gguf(path, {"general.architecture": "llama"}, {"w": np.ones((2, 3), np.float32)})
    >>> file = read_gguf(path)
    >>> file.architecture, file.tensors["w"].dims, float(file.tensors["w"].array().sum())
    ('llama', (2, 3), 6.0)
    """

    path: Path
    version: int
    metadata: Mapping[str, Any]
    tensors: Mapping[str, StoredTensor]
    encoded: Mapping[str, memoryview] = field(default_factory=dict, repr=False)
    """The metadata as stored, type and value: a writer copies it without loss."""

    def __repr__(self) -> str:
        return f"<GgufFile {str(self.path)!r}: version {self.version}, {len(self.metadata)} settings, {len(self.tensors)} tensors>"

    @property
    def architecture(self) -> str:
        """The value of `general.architecture`."""
        return str(self.get("general.architecture"))

    def get(self, key: str, *default: Any) -> Any:
        """Returns a metadata value; without a default, a missing key is RLX703."""
        if key in self.metadata:
            return self.metadata[key]
        if default:
            return default[0]
        prefix = key.split(".")[0]
        near = ", ".join(sorted(name for name in self.metadata if name.startswith(prefix))[:12])
        raise RlxError(
            "RLX703", f"{self.path}: no metadata {key!r}", fix=f"the file has {near or 'no key of that family'}", at=None
        )

    def tensor(self, name: str) -> StoredTensor:
        """Returns a tensor; a missing one is RLX703."""
        if name not in self.tensors:
            some = ", ".join(list(self.tensors)[:6])
            raise RlxError("RLX703", f"{self.path}: no tensor {name!r}", fix=f"it has {len(self.tensors)}: {some}, …", at=None)
        return self.tensors[name]


def read_gguf(path: str | Path) -> GgufFile:
    """Opens a GGUF file; the first part of a split opens all parts."""
    with naming(path):
        return _read_all(path)


def read_gguf_header(path: str | Path) -> tuple[GgufFile, int]:
    """Reads the header of one GGUF file, which may be a part of a split; also returns the offset of its end."""
    with naming(path):
        reader = _HeaderReader(MappedFile(path))
        return reader.read(), reader.place


def _read_all(path: str | Path) -> GgufFile:
    first = _HeaderReader(MappedFile(path)).read()
    count = first.metadata.get("split.count", 1)
    if not isinstance(count, int):
        raise RlxError("RLX701", f"{first.path}: split.count is {str(count)[:60]}", fix="the number of parts", at=None)
    if count <= 1:
        return first
    match = re.fullmatch(r"(.*)-(\d{5})-of-(\d{5})\.gguf", first.path.name)
    if match is None or int(match[3]) != count or int(match[2]) != 1:
        raise RlxError(
            "RLX701", f"{first.path}: part of a split of {count}", fix="open the first part, NAME-00001-of-0000N.gguf", at=None
        )
    tensors = dict(first.tensors)
    for number in range(2, count + 1):
        part = _HeaderReader(MappedFile(first.path.with_name(f"{match[1]}-{number:05}-of-{match[3]}.gguf"))).read()
        if part.metadata.get("split.no") != number - 1:
            raise RlxError("RLX701", f"{part.path}: split.no is {part.metadata.get('split.no')}, expected {number - 1}", at=None)
        twice = tensors.keys() & part.tensors.keys()
        if twice:
            raise RlxError("RLX701", f"{part.path}: tensor {min(twice)!r} is also in an earlier part", at=None)
        tensors |= part.tensors
    expected = first.metadata.get("split.tensors.count")
    if expected is not None and expected != len(tensors):
        raise RlxError("RLX701", f"{first.path}: the parts have {len(tensors)} tensors, the first declares {expected}", at=None)
    return GgufFile(first.path, first.version, first.metadata, tensors, first.encoded)


class _HeaderReader:
    """Parses one GGUF header, front to back."""

    def __init__(self, file: MappedFile) -> None:
        self.file, self.data, self.place = file, file.bytes, 0

    def read(self) -> GgufFile:
        """Parses the full header."""
        if bytes(self.data[:4]) != MAGIC:
            begin = bytes(self.data[:4])
            raise RlxError("RLX303", f"{self.file.path} begins with {begin!r}, not {MAGIC!r}", fix="pass a GGUF file", at=None)
        self.place = 4
        version = self.number("I", "the version")
        if version not in VERSIONS:
            swapped = int.from_bytes(version.to_bytes(4, "little"), "big") in VERSIONS
            what = "is big endian" if swapped else f"has version {version}"
            raise RlxError("RLX702", f"{self.file.path} {what}", fix="supported: little-endian, version 2 and 3", at=None)
        tensor_count, pair_count = self.number("Q", "the number of tensors"), self.number("Q", "the number of keys")
        self.check_count(pair_count, 13, "keys")
        metadata: dict[str, Any] = {}
        encoded: dict[str, memoryview] = {}
        for _ in range(pair_count):
            key = self.string("a key")
            if key in metadata:
                raise self.error_at(f"duplicate key {key!r}")
            start = self.place
            metadata[key] = self.value(self.number("I", f"the type of {key}"), key)
            encoded[key] = self.data[start : self.place]
        self.check_count(tensor_count, 24, "tensors")
        described = [self.description() for _ in range(tensor_count)]
        return GgufFile(self.file.path, version, metadata, self.place_tensors(described, metadata), encoded)

    # -- pieces
    def error_at(self, what: str) -> RlxError:
        """Builds an error that names the offset in the file."""
        return RlxError("RLX701", f"{self.file.path}: {what}, at byte {self.place} of {self.file.size}", at=None)

    def check_count(self, count: int, least: int, what: str) -> None:
        """Rejects a count that the rest of the file cannot hold before allocating anything."""
        if count * least > self.file.size - self.place:
            raise self.error_at(f"{count} {what} do not fit into the rest of the file")

    def take(self, size: int, what: str) -> int:
        """Advances by `size` bytes; returns the offset where they start."""
        start = self.place
        if size > self.file.size - start:
            raise self.error_at(f"{what} takes {size} bytes, but the file ends before that")
        self.place = start + size
        return start

    def number(self, kind: str, what: str) -> Any:
        """Reads one number."""
        return struct.unpack_from(f"<{kind}", self.data, self.take(struct.calcsize(f"<{kind}"), what))[0]

    def string(self, what: str) -> str:
        """Reads a length and UTF-8; invalid UTF-8 is replaced, since tokens can contain any bytes."""
        size = self.number("Q", f"the length of {what}")
        start = self.take(size, what)
        return str(self.data[start : start + size], "utf-8", "replace")

    def value(self, kind: int, key: str, depth: int = 0) -> Any:
        """Reads a metadata value of the given type."""
        if kind in NUMBERS:
            return self.number(NUMBERS[kind], key)
        if kind == STRING:
            return self.string(key)
        if kind != ARRAY or depth > 2:
            raise self.error_at(f"{key} has the unknown type {kind}" if kind != ARRAY else f"{key} is nested too deeply")
        inner, count = self.number("I", f"the type of {key}"), self.number("Q", f"the length of {key}")
        if inner in NUMBERS:
            dtype = np.dtype("?" if NUMBERS[inner] == "?" else f"<{NUMBERS[inner]}")
            self.check_count(count, dtype.itemsize, f"numbers of {key}")
            start = self.take(count * dtype.itemsize, key)
            return np.frombuffer(self.data, dtype, count, start).copy()
        self.check_count(count, 8, f"entries of {key}")
        return self.strings(count, key) if inner == STRING else [self.value(inner, key, depth + 1) for _ in range(count)]

    def strings(self, count: int, key: str) -> list[str]:
        """Reads an array of strings: a vocabulary has 100 000, so this loop is kept minimal."""
        data, offset, end = self.file.mapping, self.place, self.file.size
        texts: list[str] = []
        add, unpack = texts.append, struct.Struct("<Q").unpack_from
        for _ in range(count):
            start = offset + 8
            if start > end or (stop := start + unpack(data, offset)[0]) > end:
                self.place = offset
                raise self.error_at(f"entry {len(texts)} of {key} extends beyond the end of the file")
            add(data[start:stop].decode("utf-8", "replace"))
            offset = stop
        self.place = offset
        return texts

    def description(self) -> tuple[str, tuple[int, ...], int, int]:
        """Reads name, dims, type and offset of a tensor."""
        name = self.string("a tensor's name")
        rank = self.number("I", f"the rank of tensor {name!r}")
        if rank > MOST_DIMS:
            raise self.error_at(f"tensor {name!r} has {rank} dims, at most {MOST_DIMS} are allowed")
        dims = tuple(self.number("Q", f"a dim of tensor {name!r}") for _ in range(rank))
        return (
            name,
            dims[::-1],
            self.number("I", f"the type of tensor {name!r}"),
            self.number("Q", f"the offset of tensor {name!r}"),
        )

    def place_tensors(
        self, described: list[tuple[str, tuple[int, ...], int, int]], metadata: Mapping[str, Any]
    ) -> dict[str, StoredTensor]:
        """Builds the tensors after a check that each is inside the file."""
        alignment = metadata.get("general.alignment", ALIGNMENT)
        if not isinstance(alignment, int) or alignment < 1 or alignment & (alignment - 1) or alignment > 1 << 20:
            raise self.error_at(f"general.alignment is {alignment!r}, not a power of two")
        base = -(-self.place // alignment) * alignment
        tensors: dict[str, StoredTensor] = {}
        for name, dims, number, offset in described:
            if name in tensors:
                raise self.error_at(f"duplicate tensor {name!r}")
            if number not in GGML_TYPES:
                known = " ".join(GGML_TYPES.values())
                raise RlxError(
                    "RLX702", f"{self.file.path}: tensor {name!r} has ggml type {number}", fix=f"supported types: {known}", at=None
                )
            tensors[name] = self.tensor(name, dims, GGML_TYPES[number], base + offset, alignment)
        return tensors

    def tensor(self, name: str, dims: tuple[int, ...], kind: str, start: int, alignment: int) -> StoredTensor:
        """Checks one tensor's description and builds the tensor."""
        scheme = None if kind in DENSE_TYPES else QuantScheme.gguf(kind)
        dtype = DType.of(DENSE_TYPES.get(kind, "f32"))
        block, size = (1, dtype.size) if scheme is None else (scheme.block_size(), scheme.block_bytes())
        if (dims[-1] if dims else 1) % block:
            raise self.error_at(f"tensor {name!r} is {kind} with rows of {dims[-1] if dims else 1}, not a multiple of {block}")
        nbytes = product(dims) // block * size
        if start % alignment:
            raise self.error_at(f"tensor {name!r} begins at byte {start}, not a multiple of {alignment}")
        if start + nbytes > self.file.size:
            raise self.error_at(f"tensor {name!r} ({kind}{list(dims)}) ends at byte {start + nbytes}")
        return StoredTensor(name, dims, dtype, scheme, self.file, start, nbytes)
