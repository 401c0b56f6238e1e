"""Writing GGUF v3: atomic, so a reader never sees a partial file."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.files import written_whole
from rlx.core.quant_scheme import QuantScheme
from rlx.formats.gguf import ALIGNMENT, ARRAY, DENSE_TYPES, GGML_TYPES, MAGIC, NUMBERS, STRING, StoredTensor, product

_TYPE_NUMBERS = {name: number for number, name in GGML_TYPES.items()}
_DENSE_NAMES = {dtype: name for name, dtype in DENSE_TYPES.items()}
_NUMBER_KINDS = {np.dtype("?" if kind == "?" else f"<{kind}"): number for number, kind in NUMBERS.items()}


class QuantizedTensor:
    """The bytes of a quantized tensor, `[…, out, bytes of a row]`, with its logical dims."""

    def __init__(self, scheme: QuantScheme, rows: npt.NDArray[np.uint8]) -> None:
        self.scheme, self.rows = scheme, rows
        if rows.dtype != np.uint8 or rows.shape[-1] % scheme.block_bytes():
            message = f"rows of {rows.shape[-1]} {rows.dtype}, blocks of {scheme} are {scheme.block_bytes()} bytes"
            raise RlxError("RLX103", message, fix="uint8 rows of whole blocks")
        self.dims = (*rows.shape[:-1], rows.shape[-1] // scheme.block_bytes() * scheme.block_size())


@dataclass(frozen=True)
class StreamedTensor:
    """A tensor whose bytes are produced in pieces while the file is written. `kind` is ggml's name of its type."""

    dims: tuple[int, ...]
    kind: str
    pieces: Callable[[], Iterable[npt.NDArray[Any]]]

    @property
    def nbytes(self) -> int:
        """The total size of the pieces in bytes."""
        if self.kind in DENSE_TYPES:
            return product(self.dims) * DType.of(DENSE_TYPES[self.kind]).size
        scheme = QuantScheme.gguf(self.kind)
        return product(self.dims) // scheme.block_size() * scheme.block_bytes()


Tensor = npt.NDArray[Any] | QuantizedTensor | StoredTensor | StreamedTensor


def write_gguf(path: str | Path, metadata: Mapping[str, Any], tensors: Mapping[str, Tensor], alignment: int = ALIGNMENT) -> None:
    """Write a file. Metadata: str, bool, int (u32, or i64 if it does not fit), float (f32), NumPy scalars and arrays, lists of str;
    a memoryview is an encoded value of another file (`GgufFile.encoded`).

    A tensor is an array, `QuantizedTensor` bytes, a tensor of another file, which is copied unchanged, or a `StreamedTensor`.
    """
    entries = [(name, _describe(name, tensor)) for name, tensor in tensors.items()]
    aligned = {"general.alignment": alignment} if alignment != ALIGNMENT else {}
    with written_whole(path) as file:
        _write(file, {**metadata, **aligned}, entries, alignment)


Described = tuple[str, StreamedTensor]


def _describe(name: str, tensor: Tensor) -> StreamedTensor:
    """The dims, ggml type and bytes of a tensor."""
    if isinstance(tensor, StreamedTensor):
        return tensor
    if isinstance(tensor, StoredTensor):
        kind = tensor.scheme.detail if tensor.scheme is not None else _DENSE_NAMES[tensor.dtype.name]
        return StreamedTensor(tensor.dims, kind, lambda: (tensor.raw(),))
    if isinstance(tensor, QuantizedTensor):
        return StreamedTensor(tensor.dims, tensor.scheme.detail, lambda: (tensor.rows,))
    dtype = DType.of(tensor.dtype).name
    if dtype not in _DENSE_NAMES:
        raise RlxError("RLX103", f"tensor {name!r} is {dtype}", fix=f"one of {', '.join(_DENSE_NAMES)}")
    return StreamedTensor(tensor.shape, _DENSE_NAMES[dtype], lambda: (np.ascontiguousarray(tensor).reshape(-1).view(np.uint8),))


def _write(file: BinaryIO, metadata: Mapping[str, Any], entries: Sequence[Described], alignment: int) -> None:
    file.write(MAGIC + struct.pack("<IQQ", 3, len(entries), len(metadata)))
    for key, value in metadata.items():
        file.write(_string(key))
        file.write(value if isinstance(value, memoryview) else _value(key, value))
    offset = 0
    for name, tensor in entries:
        file.write(_string(name) + struct.pack(f"<I{len(tensor.dims)}Q", len(tensor.dims), *tensor.dims[::-1]))
        file.write(struct.pack("<IQ", _TYPE_NUMBERS[tensor.kind], offset))
        offset += -(-tensor.nbytes // alignment) * alignment
    for name, tensor in entries:
        file.write(bytes(-file.tell() % alignment))
        start = file.tell()
        for piece in tensor.pieces():
            file.write(np.ascontiguousarray(piece).reshape(-1).data)
        if file.tell() - start != tensor.nbytes:
            message = (
                f"tensor {name!r}, {tensor.kind}{list(tensor.dims)}: {file.tell() - start} bytes written, expected {tensor.nbytes}"
            )
            raise RlxError("RLX103", message, fix="the pieces of a StreamedTensor must be all its rows, in order")
    file.write(bytes(-file.tell() % alignment))


def _string(text: str) -> bytes:
    data = text.encode("utf-8", "surrogateescape")
    return struct.pack("<Q", len(data)) + data


def _value(key: str, value: Any) -> bytes:
    """Encodes a metadata value with its type."""
    if isinstance(value, str):
        return struct.pack("<I", STRING) + _string(value)
    if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
        return struct.pack("<IIQ", ARRAY, STRING, len(value)) + b"".join(_string(item) for item in value)
    number = _number(value)
    if number is None or number.dtype not in _NUMBER_KINDS:
        raise RlxError(
            "RLX103", f"metadata {key!r} is {type(value).__name__}", fix="str, a number, a NumPy array, or a list of str"
        )
    kind = _NUMBER_KINDS[number.dtype]
    if number.ndim == 0:
        return struct.pack("<I", kind) + number.tobytes()
    return struct.pack("<IIQ", ARRAY, kind, product(number.shape)) + np.ascontiguousarray(number).tobytes()


def _number(value: Any) -> npt.NDArray[Any] | None:
    """Converts a metadata number to an array of its stored type."""
    if isinstance(value, bool):
        return np.array(value)
    if isinstance(value, int):
        return np.array(value, "<u4" if 0 <= value < 2**32 else "<i8")
    if isinstance(value, float):
        return np.array(value, "<f4")
    if isinstance(value, (np.generic, np.ndarray)):
        array = np.asarray(value)
        return array.astype(array.dtype.newbyteorder("<")) if array.dtype.kind in "biuf" else None
    if isinstance(value, (list, tuple)) and value and all(isinstance(item, (int, float)) for item in value):
        return np.array(value, "<f4" if any(isinstance(item, float) for item in value) else "<i4")
    return None
