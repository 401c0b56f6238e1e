"""The checkpoint file: safetensors, with a checksum of every tensor and of the position in its metadata."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.files import naming
from rlx.formats.safetensors import read_metadata, read_safetensors, write_safetensors

Array = npt.NDArray[Any]
FORMAT, OLD_FORMAT = "rlx.training.2", "rlx.training.1"  # the old one has no checksums
_SUMS = "checksums"
_POSITION = ""  # the key of the position's checksum: not a valid tensor name


def write_checkpoint(path: str | Path, arrays: Mapping[str, Array], position: Mapping[str, str]) -> None:
    """Write a checkpoint atomically."""
    text = {"format": FORMAT, **position}
    sums = {name: _checksum(name, array) for name, array in arrays.items()} | {_POSITION: _text_checksum(text)}
    write_safetensors(path, arrays, {**text, _SUMS: json.dumps(sums)})


def read_checkpoint(path: str | Path) -> tuple[dict[str, Array], dict[str, str]]:
    """Tensors and position, verified: a checksum mismatch is RLX701. A file in the old format is not checked.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "c.safetensors"
    >>> write_checkpoint(path, {"w": np.ones(2, np.float32)}, {"row": "5"})
    >>> read_checkpoint(path)
    ({'w': array([1., 1.], dtype=float32)}, {'format': 'rlx.training.2', 'row': '5'})
    """
    text, stored = read_metadata(path), read_safetensors(path)
    with naming(path):
        if text.get("format") not in (FORMAT, OLD_FORMAT):
            raise RlxError("RLX703", f"{path} is not a training checkpoint: its format is {text.get('format')!r:.60}", at=None)
        arrays = {name: np.array(tensor.array()) for name, tensor in stored.items()}
        if text["format"] == FORMAT:
            _check(path, arrays, text)
        return arrays, text


def _check(path: str | Path, arrays: Mapping[str, Array], text: dict[str, str]) -> None:
    sums = json.loads(text.pop(_SUMS))
    found = {name: _checksum(name, array) for name, array in arrays.items()} | {_POSITION: _text_checksum(text)}
    wrong = sorted(name for name in sums.keys() | found.keys() if sums.get(name) != found.get(name))
    if wrong:
        what = f"tensor {wrong[-1]!r}" if wrong[-1] else "the position"
        message = f"{path}: the checksum of {what} differs" + (f", and of {len(wrong) - 1} more" if wrong[1:] else "")
        raise RlxError("RLX701", message, fix="resume from an earlier checkpoint: this one is damaged", at=None)


def _checksum(name: str, array: Array) -> str:
    """The checksum of a tensor's name, type, dims and values."""
    found = hashlib.sha256(f"{name} {DType.of(array.dtype)}{list(array.shape)}".encode("utf-8", "surrogatepass"))
    found.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
    return found.hexdigest()


def _text_checksum(text: Mapping[str, str]) -> str:
    return hashlib.sha256(json.dumps(sorted(text.items())).encode()).hexdigest()
