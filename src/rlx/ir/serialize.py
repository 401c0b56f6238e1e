"""Saving modules: one versioned file with the text of a level and its constants as raw bytes. No pickle."""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.argument_checks import as_path
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.files import naming, read_regular, written_whole
from rlx.ir.attributes import ArrayValue

MAGIC = b"RLXFILE\0"
VERSION = 1


def write_file(path: str | os.PathLike[str], header: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
    """Header as JSON, arrays as raw bytes at 64-byte boundaries, a checksum of everything; written atomically."""
    with written_whole(as_path(path, "save")) as file:
        for piece in _pieces(header, arrays):
            file.write(piece)


def pack_file(header: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> bytes:
    """The bytes of a file."""
    return b"".join(_pieces(header, arrays))


def _pieces(header: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> Iterator[bytes | memoryview]:
    """A file piece by piece: large arrays are hashed and written without a copy."""
    table = []
    offset = 0
    for name, array in arrays.items():
        table.append(
            {"name": name, "dtype": str(DType.of(array.dtype)), "dims": list(array.shape), "offset": offset, "bytes": array.nbytes}
        )
        offset += -(-array.nbytes // 64) * 64
    text = json.dumps({"header": header, "arrays": table}).encode()
    checksum = hashlib.sha256(text)
    pieces: list[bytes | memoryview] = []
    for array in arrays.values():
        raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
        pieces += [raw, bytes(-array.nbytes % 64)]
    for piece in pieces:
        checksum.update(piece)
    yield MAGIC + struct.pack("<IQ", VERSION, len(text)) + checksum.digest()
    yield text
    yield from pieces


def read_file(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Header and arrays; a damaged file is an error with the reason."""
    return unpack_file(read_regular(as_path(path, "load")), os.fspath(path))


def unpack_file(blob: bytes, what: str) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """The inverse of pack_file."""
    head = len(MAGIC) + 12 + 32
    if len(blob) < head or not blob.startswith(MAGIC):
        raise RlxError("RLX303", f"{what} is not an RLX file", fix="files of module.save and exe.save begin with RLXFILE")
    version, length = struct.unpack("<IQ", blob[len(MAGIC) : len(MAGIC) + 12])
    if version != VERSION:
        raise RlxError("RLX303", f"{what} has version {version}, this RLX reads {VERSION}", fix="save it again with this version")
    if hashlib.sha256(blob[head:]).digest() != blob[len(MAGIC) + 12 : head]:
        raise RlxError("RLX303", f"{what} is damaged: the checksum differs", fix="copy or save it again")
    with naming(what, "RLX303"):
        content = json.loads(blob[head : head + length])
        arrays = {entry["name"]: _array(memoryview(blob)[head + length :], entry) for entry in content["arrays"]}
        return dict(content["header"]), arrays


def _array(data: memoryview, entry: dict[str, Any]) -> npt.NDArray[Any]:
    raw = data[entry["offset"] : entry["offset"] + entry["bytes"]]
    return np.frombuffer(raw, DType.of(entry["dtype"]).numpy).reshape(entry["dims"])


def constants_of(arrays: dict[str, npt.NDArray[Any]]) -> dict[str, ArrayValue]:
    """The side table of a parsed text."""
    return {value.digest: value for value in (ArrayValue(array) for array in arrays.values())}
