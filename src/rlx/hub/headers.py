"""A model before its download: a copy with the headers of its files and holes where weights will be."""

from __future__ import annotations

import struct
from pathlib import Path

from rlx.core.errors import RlxError
from rlx.formats.gguf import read_gguf_header
from rlx.hub.choice import WEIGHTS_INDEX
from rlx.hub.client import RemoteFile
from rlx.hub.pull import Download

_STEPS = (1 << 20, 4 << 20, 16 << 20, 64 << 20)  # how much of a GGUF file is asked for, until its header is whole
_MOST_FILES = 8  # of weights: each costs a request or two
_LARGEST_SETTINGS = 1 << 20  # tokenizers are not needed


def skeleton(download: Download, folder: Path) -> Path | None:
    """The path to open; None if the headers are too large or in too many files. Opening it says whether RLX can run the model."""
    weights = [file for file in download.files if file.name.endswith(".safetensors")]
    if not weights:
        parts = [one for one in download.files if one.name.lower().endswith(".gguf") or download.blob(one) == download.model]
        if len(parts) > _MOST_FILES:
            return None
        paths = [_gguf(download, file, folder) for file in parts]
        return next((path for path in paths[:1] if all(paths)), None)
    if len(weights) > _MOST_FILES:
        return None
    for file in download.files:
        if file.name.endswith(".json") and (file.size < _LARGEST_SETTINGS or file.name == WEIGHTS_INDEX):
            place = folder / file.name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(download.client.beginning(file.url, 0, file.size))
    for file in weights:
        start = download.client.beginning(file.url, 0, min(file.size, 1 << 18))
        size = 8 + struct.unpack("<Q", start[:8].ljust(8, b"\0"))[0]
        if len(start) < size <= min(file.size, _STEPS[-1]):
            start += download.client.beginning(file.url, len(start), size)
        _write(folder / file.name, start[:size], file.size)
    return folder


def _gguf(download: Download, file: RemoteFile, folder: Path) -> Path | None:
    """The header of a GGUF file, asked for in larger and larger steps."""
    path = folder / (file.name.rpartition("/")[2] if file.name.lower().endswith(".gguf") else "model.gguf")
    start = b""
    for end in (min(step, file.size) for step in _STEPS):
        start += download.client.beginning(file.url, len(start), end)
        _write(path, start, file.size)
        try:
            if read_gguf_header(path)[1] <= len(start):
                return path
        except RlxError:  # cut off: it goes on with zeros
            if end == file.size:
                raise
    return None


def _write(path: Path, start: bytes, size: int) -> None:
    with path.open("wb") as file:
        file.write(start)
        file.truncate(size)
