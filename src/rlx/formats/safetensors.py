"""safetensors: a JSON header and raw data, memory-mapped; with an index, the files of a folder are read as one.

The format is a length, JSON with name → dtype, shape and byte range, and the data. All ranges are validated before use.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from rlx.core.dtype import DType, cast_array
from rlx.core.errors import RlxError
from rlx.core.files import naming, read_regular, written_whole
from rlx.formats.gguf import MappedFile, StoredTensor, product
from rlx.frontends.dispatch import as_array
from rlx.frontends.numpy.dtypes import dtype_of
from rlx.runtime.array import ConcreteArray
from rlx.trace.tree import flatten
from rlx.trace.tree.functions import tree_structure, tree_unflatten

_DTYPES = {
    "F64": "f64",
    "F32": "f32",
    "F16": "f16",
    "BF16": "bf16",
    "F8_E4M3": "f8e4m3",
    "F8_E5M2": "f8e5m2",
    "I64": "i64",
    "I32": "i32",
    "I16": "i16",
    "I8": "i8",
    "U64": "u64",
    "U32": "u32",
    "U16": "u16",
    "U8": "u8",
    "BOOL": "bool",
    "C64": "c64",
}
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}
_LARGEST_HEADER = 100 << 20
INDEX = "model.safetensors.index.json"


def read_safetensors(path: str | Path) -> dict[str, StoredTensor]:
    """Reads the tensors of one safetensors file, mapped.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a.safetensors"
    >>> write_safetensors(path, {"w": np.arange(6, dtype=np.float32).reshape(2, 3)})
    >>> read_safetensors(path)["w"].array()[1]
    array([3., 4., 5.], dtype=float32)
    """
    with naming(path):
        return _read(MappedFile(path))[0]


def read_metadata(path: str | Path) -> dict[str, str]:
    """Reads the `__metadata__` of a safetensors file."""
    with naming(path):
        return _read(MappedFile(path))[1]


def read_sharded(folder: str | Path) -> dict[str, StoredTensor]:
    """Reads the tensors of a folder: from `model.safetensors`, or from the files in its index."""
    folder = Path(folder)
    if not (folder / INDEX).exists():
        return read_safetensors(folder / "model.safetensors")
    index = read_json(folder / INDEX)
    names_of = index.get("weight_map")
    if not isinstance(names_of, dict) or not all(isinstance(name, str) for name in names_of.values()):
        raise RlxError("RLX701", f"{folder / INDEX}: no weight_map from names to files", at=None)
    tensors: dict[str, StoredTensor] = {}
    for name in sorted(set(names_of.values())):
        if Path(name).name != name:
            raise RlxError("RLX701", f"{folder / INDEX}: {name!r} is not the name of a file in the folder", at=None)
        shard = read_safetensors(folder / name)
        missing = sorted(key for key, shard_name in names_of.items() if shard_name == name and key not in shard)
        if missing:
            raise RlxError("RLX703", f"{folder / name}: no tensor {missing[0]!r}, which the index puts there", at=None)
        tensors |= shard
    return tensors


def read_json(path: Path) -> dict[str, Any]:
    """Reads a JSON file that holds an object."""
    value = _json(path)
    if not isinstance(value, dict):
        raise RlxError("RLX701", f"{path} contains a {type(value).__name__}, not an object", at=None)
    return value


def read_json_list(path: Path) -> list[dict[str, Any]]:
    """Reads a JSON file that holds a list of objects."""
    value = _json(path)
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise RlxError("RLX701", f"{path} does not contain a list of objects", at=None)
    return value


def _json(path: Path) -> Any:
    data = read_regular(path)
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise RlxError("RLX701", f"{path}: {error}", at=None) from None


def _read(file: MappedFile) -> tuple[dict[str, StoredTensor], dict[str, str]]:
    if file.size < 8:
        raise RlxError("RLX701", f"{file.path}: {file.size} bytes, the header takes at least 8", at=None)
    (size,) = struct.unpack_from("<Q", file.bytes)
    if size > min(file.size - 8, _LARGEST_HEADER):
        raise RlxError("RLX701", f"{file.path}: a header of {size} bytes in a file of {file.size}", at=None)
    try:
        header = json.loads(bytes(file.bytes[8 : 8 + size]))
    except (ValueError, RecursionError) as error:
        raise RlxError("RLX701", f"{file.path}: the header is not JSON: {error}", at=None) from None
    if not isinstance(header, dict):
        raise RlxError("RLX701", f"{file.path}: the header is a {type(header).__name__}, not an object", at=None)
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise RlxError("RLX701", f"{file.path}: __metadata__ is {str(metadata)[:80]}", fix="names and texts", at=None)
    return {name: _tensor(file, 8 + size, name, entry) for name, entry in header.items()}, metadata


def _tensor(file: MappedFile, base: int, name: str, entry: Any) -> StoredTensor:
    """Checks one tensor's header entry and builds the tensor."""
    try:
        kind, dims, (begin, end) = entry["dtype"], entry["shape"], entry["data_offsets"]
    except (KeyError, TypeError, ValueError):
        raise RlxError("RLX701", f"{file.path}: tensor {name!r} is described by {str(entry)[:80]}", at=None) from None
    if not isinstance(kind, str) or kind not in _DTYPES:
        raise RlxError(
            "RLX702", f"{file.path}: tensor {name!r} has dtype {kind!r:.80}", fix=f"supported dtypes: {' '.join(_DTYPES)}", at=None
        )
    numbers = [*dims, begin, end] if isinstance(dims, list) else [None]
    if not all(type(number) is int and 0 <= number < 2**63 for number in numbers):
        raise RlxError("RLX701", f"{file.path}: tensor {name!r} has shape {dims!r} and offsets {begin!r}, {end!r}", at=None)
    dtype = DType.of(_DTYPES[kind])
    nbytes = product(dims) * dtype.size
    if end - begin != nbytes:
        message = f"{file.path}: tensor {name!r} ({kind}{dims}) takes {nbytes} bytes, its offsets {begin}, {end} span {end - begin}"
        raise RlxError("RLX701", message, at=None)
    if base + end > file.size:
        raise RlxError("RLX701", f"{file.path}: tensor {name!r} ends at byte {base + end} of {file.size}", at=None)
    return StoredTensor(name, tuple(dims), dtype, None, file, base + begin, nbytes)


def write_safetensors(path: str | Path, tensors: Mapping[str, npt.NDArray[Any]], metadata: Mapping[str, str] | None = None) -> None:
    """Writes a safetensors file atomically and flushes it to disk: readers see the old file or the new one."""
    header: dict[str, Any] = {"__metadata__": dict(metadata)} if metadata else {}
    offset = 0
    for name, array in tensors.items():
        dtype = DType.of(array.dtype).name
        if dtype not in _NAMES:
            raise RlxError("RLX103", f"tensor {name!r} is {dtype}", fix=f"one of {', '.join(_NAMES)}")
        header[name] = {"dtype": _NAMES[dtype], "shape": list(array.shape), "data_offsets": [offset, offset + array.nbytes]}
        offset += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with written_whole(path) as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for array in tensors.values():
            file.write(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)


# -- the parameters of modules, and of any tree, as safetensors: named by path ---------------------------------------


Tree = TypeVar("Tree")


def save(path: str | Path, model: Any) -> None:
    """Writes the arrays of a module, or of any tree, to a safetensors file, each under its path (`layers.0.weight`).

    >>> import rlx, tempfile
    >>> path = tempfile.mkdtemp() + "/model.safetensors"
    >>> rlx.nn.save(path, rlx.nn.Linear(2, 3, key=rlx.random.key(0)))
    >>> rlx.nn.load(path, rlx.nn.Linear(2, 3, key=rlx.random.key(1)))
    Linear(weight=f32[3, 2], bias=f32[3])
    """
    write_safetensors(path, {name: as_array(leaf)._array for name, leaf in flatten(model)}, {"format": "pt"})


def load(path: str | Path, like: Tree) -> Tree:
    """Loads a tree of the structure of `like` from a safetensors file: arrays by path, in the dtypes of `like`.

    The file must have exactly the arrays of `like`, in the same shapes; otherwise an error names those that differ.

    >>> import rlx, tempfile
    >>> path = tempfile.mkdtemp() + "/params.safetensors"
    >>> rlx.nn.save(path, {"w": rlx.numpy.ones(2)})
    >>> rlx.nn.load(path, {"w": rlx.numpy.zeros(2)})
    {'w': Array([1., 1.], dtype=float32)}
    """
    stored, wanted = read_safetensors(path), flatten(like)
    names = [name for name, _ in wanted]
    missing, extra = sorted(set(names) - stored.keys()), sorted(stored.keys() - set(names))
    if missing or extra:
        parts = [f"without {_list_names(missing)}"] if missing else []
        parts += [f"with {_list_names(extra)}, which the model does not have"] if extra else []
        raise RlxError("RLX703", f"{path}: a file {' and '.join(parts)}", fix="a model built with the same settings")
    leaves = []
    for name, leaf in wanted:
        shape = tuple(np.shape(leaf) if not hasattr(leaf, "shape") else leaf.shape)
        if stored[name].dims != shape:
            message = f"{path}: {name!r} has shape {list(stored[name].dims)}, the model's has {list(shape)}"
            raise RlxError("RLX703", message, fix="a model built with the same settings")
        leaves.append(ConcreteArray(cast_array(np.array(stored[name].array()), DType.of(dtype_of(leaf)))))
    tree: Tree = tree_unflatten(tree_structure(like), leaves)
    return tree


def _list_names(names: list[str]) -> str:
    shown = ", ".join(map(repr, names[:3]))
    return shown + (f" and {len(names) - 3} more" if len(names) > 3 else "")
