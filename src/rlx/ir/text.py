"""Printing graphs: one line per node, readable and complete. `parse(render(graph)) == graph`."""

from __future__ import annotations

import hashlib
import json
import os
import re
import struct
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Symbol
from rlx.core.dtype import DType
from rlx.core.errors import RlxError, as_path
from rlx.core.files import naming, read_regular, written_whole
from rlx.ir.attributes import ArrayValue
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.host_function import HostFunction
from rlx.ir.op import OpDef

INLINE_ELEMENTS = 16  # constants up to this size are printed inline


def render(graph: Graph, *, origins: bool = True, names: bool = True, inline: int = INLINE_ELEMENTS, indent: str = "") -> str:
    """Renders a graph as text."""
    inner = indent + "  "
    lines = [f"{graph.level} @{_identifier(graph.name)} {{"]
    lines += [f"{inner}sym {symbol_text(symbol)}" for symbol in sorted(graph.symbols.values())]
    lines += [f"{inner}assume {fact}" for fact in graph.assumptions]
    for node in graph.nodes:
        lines.append(inner + node_text(node, inner, inline) + (_comment(node, origins) if names else ""))
    lines += [f"{inner}update {json.dumps(name)} = {ref_text(graph, ref)}" for name, ref in graph.updates.items()]
    outputs = ", ".join(f"{_identifier(name)}={ref_text(graph, ref)}" for name, ref in graph.output_refs.items())
    lines.append(f"{inner}return {outputs}".rstrip())
    return "\n".join([*lines, indent + "}"])


def symbol_text(symbol: Symbol) -> str:
    """`seq in 1..8192`; no upper bound prints as `1..`."""
    return f"{symbol.name} in {symbol.minimum}..{'' if symbol.maximum is None else symbol.maximum}"


def ref_text(graph: Graph, ref: Ref) -> str:
    """`%3`, or `%3.1` for a node of several results."""
    return f"%{ref.node}.{ref.index}" if len(graph.nodes[ref.node].results) > 1 else f"%{ref.node}"


def node_text(node: Node, indent: str = "", inline: int = INLINE_ELEMENTS) -> str:
    """Renders one node, without its comment."""
    record = node.op.definition
    arguments = ["_" if ref is None else str(ref) for ref in node.inputs]
    if record.leaf and "name" in node.op.attrs:
        arguments.append(json.dumps(node.op.attrs["name"]))
    for name, attr in record.attrs.items():
        value = node.op.attrs[name]
        if value is not None and not _is_implied(record, name, value):
            text = attribute_text(value, attr.kind, indent, inline)
            arguments.append(text if name == "value" and record.leaf else f"{name}={text}")
    count = f":{len(node.results)}" if len(node.results) != 1 else ""
    types = ", ".join(str(shape) for shape in node.results)
    return f"%{node.id}{count} = {record.name}({', '.join(arguments)}) : " + (f"({types})" if count else types)


def _is_implied(record: OpDef, name: str, value: Any) -> bool:
    """Whether an attribute is implied: stated elsewhere on the line for a leaf, the default for other ops."""
    if record.leaf:
        return name in ("name", "shape")
    default = record.attrs[name].default
    return type(value) is type(default) and bool(value == default)


def _comment(node: Node, origins: bool) -> str:
    parts = []
    if node.name is not None and not node.op.definition.leaf:
        parts.append(json.dumps(node.name))
    if origins and str(node.origin):
        parts.append(str(node.origin))
    return "  // " + " ".join(parts) if parts else ""


def _identifier(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_][\w.\-:/]*", name) else json.dumps(name)


def attribute_text(value: Any, kind: str, indent: str = "", inline: int = INLINE_ELEMENTS) -> str:
    """Renders an attribute as the parser reads it back by its kind."""
    if value is None:
        return "none"
    if isinstance(value, ArrayValue):
        return array_text(value, inline)
    if isinstance(value, Graph):
        return render(value, origins=False, inline=inline, indent=indent)
    if kind in ("tag", "dtype"):
        return str(value)
    if isinstance(value, HostFunction):
        return json.dumps(value.name)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        items = [attribute_text(item, kind, indent, inline) for item in value]
        return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value) if isinstance(value, str) else str(value)


def array_text(value: ArrayValue, inline: int) -> str:
    """Renders an array: inline numbers for small ones (bytes if numbers would lose bits), else the digest."""
    array = value.array
    if array.size > inline:
        return f"#{value.digest}"
    numbers = (
        [_number(item) for item in array.ravel().tolist()]
        if array.dtype.kind in "biufc"
        else [_number(float(item)) for item in array.ravel()]
    )
    text = f"[{', '.join(numbers)}]"
    if array_from_numbers(numbers, array.shape, DType.of(array.dtype)).tobytes() != array.tobytes():
        return f'x"{array.tobytes().hex()}"'
    return text


def _number(item: object) -> str:
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, complex):
        return f"{item.real!r}|{item.imag!r}"
    return repr(item)


def array_from_numbers(numbers: Iterable[str], dims: tuple[int, ...], dtype: DType) -> npt.NDArray[Any]:
    """Builds the array of printed numbers; raises ValueError or OverflowError if one does not fit the dtype."""
    texts = list(numbers)
    if dtype.is_bool:
        if not set(texts) <= {"true", "false"}:
            raise ValueError("a bool is true or false")
        return np.array([text == "true" for text in texts], np.bool_).reshape(dims)
    if dtype.is_integer:
        return np.array([int(text) for text in texts], dtype.numpy).reshape(dims)
    parts = [text.partition("|") for text in texts]
    if dtype.is_complex:
        return np.array([complex(float(real), float(imaginary or 0)) for real, _, imaginary in parts], dtype.numpy).reshape(dims)
    wide = np.array([float(text) for text in texts], np.float64)
    with np.errstate(all="ignore"):
        array = wide.astype(dtype.numpy)
        lost = np.isfinite(wide) & ~np.isfinite(array.astype(np.float64))
    if lost.any():
        raise OverflowError(f"{wide[lost][0]} is too large for {dtype}")
    return np.asarray(array.reshape(dims))


def fingerprint(graph: Graph) -> str:
    """Hashes (SHA-256) everything that affects a graph's meaning: no origins, no inner names; constants by content."""
    return hashlib.sha256(render(graph, origins=False, names=False, inline=0).encode()).hexdigest()


# -- saving modules: one versioned file with the text of a level and its constants as raw bytes. No pickle -----------


MAGIC = b"RLXFILE\0"
VERSION = 1


def write_file(path: str | os.PathLike[str], header: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
    """Writes a file atomically: header as JSON, arrays as raw bytes at 64-byte boundaries, a checksum of everything."""
    with written_whole(as_path(path, "save")) as file:
        for piece in _pieces(header, arrays):
            file.write(piece)


def pack_file(header: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> bytes:
    """Serializes header and arrays to the bytes of a file."""
    return b"".join(_pieces(header, arrays))


def _pieces(header: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> Iterator[bytes | memoryview]:
    """Yields a file piece by piece: large arrays are hashed and written without a copy."""
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
    """Reads header and arrays of a file; a damaged file raises an error with the reason."""
    return unpack_file(read_regular(as_path(path, "load")), os.fspath(path))


def unpack_file(blob: bytes, what: str) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Reads header and arrays from the bytes that `pack_file` made."""
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
    """The constants of a parsed text, by digest."""
    return {value.digest: value for value in (ArrayValue(array) for array in arrays.values())}
