"""Damaged files: bits and number fields of any format, JSON that stays JSON, and files whose checksums are made to fit again."""

from __future__ import annotations

import copy
import hashlib
import json
import random
import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from rlx.formats.gguf import read_gguf
from rlx.formats.gguf_writer import write_gguf
from rlx.ir.text import pack_file, unpack_file
from rlx.train.sharded_checkpoint import read_checkpoint, write_checkpoint
from tests.fuzz.mutation import mutated

EXTREMES = (0, 1, 2**7, 2**15 - 1, 2**31 - 1, 2**31, 2**32 - 1, 2**40, 2**62, 2**63 - 1, 2**63, 2**64 - 1)
NUMBERS: tuple[Any, ...] = (
    0,
    1,
    -1,
    2,
    3,
    7,
    255,
    10**6,
    2**31,
    2**32,
    2**40,
    2**63,
    2**64,
    -(2**63),
    10**30,
    0.0,
    0.5,
    -0.5,
    1e-300,
    1e300,
    float("nan"),
    float("inf"),
    -float("inf"),
    True,
    False,
)
STRANGERS: tuple[Any, ...] = (None, "", "x", "0", "\ud800", "é\0", [], {}, [1], ["x"], {"x": 1}, [[1], [2]], {"content": 5}, [None])
LENGTHS = (100, 5_000, 60_000)
NESTED = "NESTED "  # and a number: lists in lists, so deep that they are made in the text only


# -- bytes -----------------------------------------------------------------------------------------------------------
def damaged_bytes(data: bytes, chance: random.Random, header: int | None = None) -> bytes:
    """The bytes after one or two accidents; most of them in the first `header` bytes, where the lengths and counts stand."""
    found = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2))):
        size = len(found)
        if not size:
            return bytes(found)
        within = min(size, header) if header is not None and chance.random() < 0.8 else size
        place, length = chance.randrange(within), chance.choice((1, 2, 4, 8, 64, 1000))
        match chance.randrange(9):
            case 0 | 1:
                found[place] ^= 1 << chance.randrange(8)
            case 2 | 3:
                _set_number(found, place, chance)
            case 4:
                del found[place:]
            case 5:
                del found[place : place + length]
            case 6:
                found[place:place] = found[place : place + length]
            case 7:
                other = chance.randrange(size)
                found[place : place + length], found[other : other + length] = (
                    found[other : other + length],
                    found[place : place + length],
                )
            case _:
                found[place : place + length] = bytes([chance.choice((0, 255, 65))]) * min(length, size - place)
    return bytes(found)


def _set_number(found: bytearray, place: int, chance: random.Random) -> None:
    """A field of 4 or 8 bytes holds an extreme."""
    size = chance.choice((4, 8))
    place -= place % chance.choice((1, 4))
    raw = struct.pack("<Q", chance.choice(EXTREMES))[:size]
    found[place : place + size] = raw[: max(len(found) - place, 0)]


# -- JSON ------------------------------------------------------------------------------------------------------------
Place = tuple[Any, ...]


def places(value: Any, here: Place = ()) -> list[Place]:
    """Where each value stands; of long lists some."""
    found = [here]
    pairs: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = list(enumerate(value))[:12] + list(enumerate(value))[-3:]
    for key, part in pairs:
        found += places(part, (*here, key))
    return found


def changed_json(value: Any, chance: random.Random) -> Any:
    """A copy with one to three values deleted, of another type or size, nested deep, or in each other's place."""
    found = {"top": copy.deepcopy(value)}
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        known = places(found)[1:]
        if not known:
            break
        _change(found, chance.choice(known), chance.choice(known), chance)
    return found.get("top", {})


def _change(tree: Any, place: Place, other: Place, chance: random.Random) -> None:
    *path, key = place
    within = tree
    for part in path:
        within = within[part]
    old = within[key]
    match chance.randrange(12):
        case 0 | 1:
            del within[key]
        case 2 | 3:
            within[key] = chance.choice(NUMBERS)
        case 4 | 5:
            within[key] = copy.deepcopy(chance.choice(STRANGERS))
        case 6:
            within[key] = chance.choice(("a", "ab ", "▁", "<s>", "{", "\x00", "(a|a)*")) * chance.choice(LENGTHS)
        case 7:
            within[key] = f"{NESTED}{chance.choice((20, 900, 5_000, 100_000))}"
        case 8 if not isinstance(old, (dict, list)) or len(old) < 9:
            within[key] = [copy.deepcopy(old)] * chance.choice((0, 2, 40))
        case 8:
            within[key] = list(old) * 2
        case 9:
            within[key] = copy.deepcopy(_found(tree, other))
        case 10 if isinstance(old, dict):
            old[chance.choice(("", "x", "__metadata__", "type", "é" * 300))] = chance.choice(NUMBERS)
        case 11 if isinstance(old, (int, float)) and not isinstance(old, bool):
            within[key] = chance.choice((-old, old + 1, old - 1, old * 2, old * 1000, str(old), float(old) + 0.5))
        case _:
            within[key] = None


def _found(tree: Any, place: Place) -> Any:
    for part in place:
        try:
            tree = tree[part]
        except (LookupError, TypeError):
            return None
    return tree


def dumped(value: Any, chance: random.Random) -> str:
    """As JSON's text; sometimes a key comes twice, sometimes the text is damaged as any text."""
    if chance.random() < 0.1:
        objects = [place for place in places(value) if isinstance(_found(value, place), dict) and _found(value, place)]
        if objects:
            within = _found(value, chance.choice(objects))
            within["DOUBLE OF " + str(chance.choice(list(within)))] = chance.choice((*NUMBERS, "x"))
    text = json.dumps(value).replace('"DOUBLE OF ', '"')
    text = re.sub(f'"{NESTED}([0-9]+)"', lambda found: "[" * int(found[1]) + "]" * int(found[1]), text)
    return mutated(text, chance) if chance.random() < 0.1 else text


def damaged_json(path: Path, chance: random.Random) -> None:
    """A JSON file, changed in place."""
    if chance.random() < 0.15:
        path.write_bytes(damaged_bytes(path.read_bytes(), chance))
        return
    path.write_bytes(dumped(changed_json(json.loads(path.read_text()), chance), chance).encode("utf-8", "surrogatepass"))


# -- safetensors -----------------------------------------------------------------------------------------------------
def split_safetensors(data: bytes) -> tuple[Any, bytes]:
    """Header and data of a whole file."""
    (size,) = struct.unpack_from("<Q", data)
    return json.loads(data[8 : 8 + size]), data[8 + size :]


def damaged_safetensors(data: bytes, chance: random.Random) -> bytes:
    """Any bytes, or the header's JSON with a length that fits."""
    (size,) = struct.unpack_from("<Q", data)
    if chance.random() < 0.4:
        return damaged_bytes(data, chance, 8 + size)
    header, rest = split_safetensors(data)
    text = dumped(changed_json(header, chance), chance).encode("utf-8", "surrogatepass")
    length = chance.choice(EXTREMES) if chance.random() < 0.05 else len(text)
    return struct.pack("<Q", length) + text + rest


def resealed_checkpoint(path: Path, chance: random.Random) -> None:
    """A checkpoint with other tensors or another position, and checksums that fit them."""
    arrays, text = read_checkpoint(path)
    what = chance.randrange(3)
    if what == 0:
        changed = changed_json(text, chance)
        text = {str(key): str(value)[:10_000] for key, value in changed.items()} if isinstance(changed, dict) else {}
    else:
        name = chance.choice(list(arrays))
        if what == 1:
            arrays[name] = _other_array(arrays[name], chance)
        else:
            arrays[chance.choice(("x", chance.choice(list(arrays))))] = arrays.pop(name)
    write_checkpoint(path, arrays, {key: value for key, value in text.items() if key != "format"})


# -- GGUF ------------------------------------------------------------------------------------------------------------
def damaged_gguf(path: Path, chance: random.Random) -> None:
    """Any bytes, or the metadata and tensors of a file that is well formed."""
    if chance.random() < 0.4:
        data = path.read_bytes()
        begin = min((tensor.offset for tensor in read_gguf(path).tensors.values()), default=len(data))
        path.write_bytes(damaged_bytes(data, chance, begin))
        return
    file = read_gguf(path)
    plain = {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in file.metadata.items()}
    tensors: dict[str, Any] = dict(file.tensors)
    if chance.random() < 0.3:
        _change_tensor(tensors, chance)
    if chance.random() < 0.8:
        changed = changed_json(plain, chance)
        plain = changed if isinstance(changed, dict) else {}
    kept = dict(file.metadata)
    metadata = {key: kept[key] if key in kept and _same(kept[key], value) else _storable(value) for key, value in plain.items()}
    side = path.with_suffix(".new")
    write_gguf(side, {key: value for key, value in metadata.items() if value is not None}, tensors)
    side.replace(path)


def _same(kept: Any, value: Any) -> bool:
    return bool(kept.tolist() == value) if isinstance(kept, np.ndarray) else type(kept) is type(value) and kept == value


def _storable(value: Any) -> Any:
    """The nearest value that GGUF has; None where it has none."""
    if isinstance(value, (bool, float)):
        return value
    if isinstance(value, int):
        return value if -(2**63) <= value < 2**63 else np.uint64(value) if 0 <= value < 2**64 else None
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list) and value:
        for kind in (str, bool, int, float):
            if all(type(part) is kind for part in value):
                if kind is str:
                    return [part.encode("utf-8", "replace").decode() for part in value]
                return np.array(value) if kind is not int or all(-(2**63) <= part < 2**63 for part in value) else None
    return None


def _change_tensor(tensors: dict[str, Any], chance: random.Random) -> None:
    """One is missing, another's, of other dims, empty, or of another type."""
    name, other = chance.choice(list(tensors)), chance.choice(list(tensors))
    array = tensors[name].dequantized()
    changes: list[Callable[[], Any]] = [
        lambda: tensors[other],
        lambda: array.T.copy(),
        lambda: array.reshape(-1),
        lambda: array[:0],
        lambda: array.astype(np.float16),
        lambda: array.astype(np.int8),
        lambda: array[..., None],
        lambda: np.float32(1).reshape(()),
        lambda: array * np.float32(np.nan),
        lambda: array[:1],
        lambda: np.concatenate([array, array]),
        lambda: array.astype(np.float64),
    ]
    if chance.random() < 0.25:
        del tensors[name]
    elif chance.random() < 0.15:
        tensors[name + ".x"] = tensors.pop(name)
    else:
        tensors[name] = chance.choice(changes)()


# -- RLX's own files -------------------------------------------------------------------------------------------------
def resealed(data: bytes, chance: random.Random, kept: tuple[str, ...] = ()) -> bytes:
    """Header, table or text changed, and the checksum made to fit: what an honest checksum does not catch.

    Arrays whose names begin with one of `kept` stay as they are: native code that was changed is a program that was changed.
    """
    header, arrays = unpack_file(data, "whole")
    arrays = dict(arrays)
    names = [name for name in arrays if not name.startswith(kept)] if kept else list(arrays)
    nested_files = [name for name in arrays if name.startswith("program.")]
    texts = [key for key, value in header.items() if isinstance(value, str) and len(value) > 40]
    what = chance.randrange(6)
    if what == 0 and texts:
        key = chance.choice(texts)
        header = {**header, key: mutated(header[key], chance)}
    elif what == 1 and nested_files:
        name = chance.choice(nested_files)
        arrays[name] = np.frombuffer(resealed(arrays[name].tobytes(), chance, ("object.",)), np.uint8)
    elif what == 2 and names:
        name = chance.choice(names)
        arrays[name] = _other_array(arrays[name], chance)
    elif what == 3 and names:
        del arrays[chance.choice(list(arrays))]
    elif what == 4:
        return _table_changed(pack_file(header, arrays), chance)
    else:
        header = changed_json(header, chance)
        header = header if isinstance(header, dict) else {"kind": header}
    try:
        return pack_file(header, arrays)
    except (ValueError, RecursionError):  # a header that JSON cannot hold
        return data[:-1]


def _other_array(array: Any, chance: random.Random) -> Any:
    if chance.random() < 0.5 or not array.size:
        return np.zeros(chance.choice([(), (0,), (3,), (2, 2)]), chance.choice(["f4", "i8", "u1", "?"]))
    raw = bytearray(array.tobytes())
    _set_number(raw, chance.randrange(len(raw)), chance)
    return np.frombuffer(bytes(raw[: array.nbytes]), np.uint8).view(array.dtype).reshape(array.shape)


def _table_changed(data: bytes, chance: random.Random) -> bytes:
    """The table of arrays, or all of the JSON, changed; then sealed again."""
    magic, (version, length) = data[:8], struct.unpack_from("<IQ", data, 8)
    content = json.loads(data[52 : 52 + length])
    content["arrays"] = changed_json(content["arrays"], chance)
    if chance.random() < 0.2:
        content = changed_json(content, chance)
    text = dumped(content, chance).encode("utf-8", "surrogatepass")
    rest = text + data[52 + length :]
    size = chance.choice(EXTREMES) if chance.random() < 0.1 else len(text)
    return magic + struct.pack("<IQ", version, size) + hashlib.sha256(rest).digest() + rest
