"""safetensors files: against the format's own package, both ways, sharded folders, and damage."""

import json
import struct
import time

import ml_dtypes
import numpy as np
import pytest
import safetensors.numpy

from rlx.core.errors import RlxError
from rlx.formats.safetensors import INDEX, read_metadata, read_safetensors, read_sharded, write_safetensors


def tensors():
    random = np.random.default_rng(0)
    made = {kind: random.standard_normal((3, 4)).astype(kind) for kind in ("f4", "f2", "f8")}
    made |= {kind: random.integers(0, 99, (5,)).astype(kind) for kind in ("i8", "i4", "i2", "i1", "u1")}
    return {**made, "flags": np.array([True, False]), "scalar": np.array(3, np.float32), "none": np.zeros((0, 3), np.float32)}


def test_both_ways_with_the_formats_own_package(tmp_path):
    wanted = tensors()
    write_safetensors(tmp_path / "ours.safetensors", wanted, {"who": "us"})
    safetensors.numpy.save_file(wanted, tmp_path / "theirs.safetensors")
    theirs = safetensors.numpy.load_file(tmp_path / "ours.safetensors")
    for path in ("ours", "theirs"):
        found = read_safetensors(tmp_path / f"{path}.safetensors")
        assert found.keys() == wanted.keys() == theirs.keys()
        for name, array in wanted.items():
            np.testing.assert_array_equal(found[name].array(), array)
            np.testing.assert_array_equal(theirs[name], array)
            assert found[name].array().dtype == array.dtype
    assert read_metadata(tmp_path / "ours.safetensors") == {"who": "us"}


def test_low_floats(tmp_path):
    array = np.array([1.5, -2, 448], ml_dtypes.float8_e4m3fn)
    write_safetensors(tmp_path / "a.safetensors", {"a": array, "b": array.astype(ml_dtypes.bfloat16)})
    found = read_safetensors(tmp_path / "a.safetensors")
    np.testing.assert_array_equal(found["a"].dequantized(), [1.5, -2, 448])
    assert found["b"].kind == "bf16"
    np.testing.assert_array_equal(found["b"].dequantized(), [1.5, -2, 448])


def test_shards_are_one(tmp_path):
    parts = {"model-1.safetensors": {"a": np.ones(2, np.float32)}, "model-2.safetensors": {"b": np.zeros(3, np.float32)}}
    for name, content in parts.items():
        write_safetensors(tmp_path / name, content)
    places = {tensor: name for name, content in parts.items() for tensor in content}
    (tmp_path / INDEX).write_text(json.dumps({"weight_map": places}))
    assert read_sharded(tmp_path).keys() == {"a", "b"}
    (tmp_path / INDEX).write_text(json.dumps({"weight_map": {**places, "c": "model-2.safetensors"}}))
    with pytest.raises(RlxError, match=r"RLX703.*no tensor 'c'"):
        read_sharded(tmp_path)
    (tmp_path / INDEX).write_text(json.dumps({"weight_map": {"a": "../../etc/passwd"}}))
    with pytest.raises(RlxError, match=r"RLX701.*not the name of a file in the folder"):
        read_sharded(tmp_path)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"dtype": "F4", "shape": [2], "data_offsets": [0, 8]}, "RLX702.*'F4'"),
        ({"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}, "RLX701.*takes 8 bytes"),
        ({"dtype": "F32", "shape": [2**62, 2**62], "data_offsets": [0, 8]}, "RLX701"),
        ({"dtype": "F32", "shape": [-2], "data_offsets": [8, 0]}, "RLX701"),
        ({"dtype": "F32", "shape": [True, 2], "data_offsets": [0, 8]}, "RLX701"),
        ({"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}, "RLX701.*ends at byte"),
        ({"dtype": "F32", "shape": "x", "data_offsets": [0, 16]}, "RLX701"),
        ("nothing", "RLX701"),
    ],
)
def test_damage_is_refused_with_the_reason(tmp_path, entry, message):
    text = json.dumps({"t": entry}).encode()
    (tmp_path / "a.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + bytes(8))
    with pytest.raises(RlxError, match=message):
        read_safetensors(tmp_path / "a.safetensors")


def test_mutated_files_neither_crash_nor_hang(tmp_path):
    path = tmp_path / "a.safetensors"
    write_safetensors(path, tensors())
    data = path.read_bytes()
    random = np.random.default_rng(3)
    refused = 0
    for _ in range(250):
        changed = bytearray(data)
        place = int(random.integers(len(data) if random.random() < 0.2 else 600))
        kind = int(random.integers(4))
        if kind == 0:
            changed[place] = int(random.integers(256))
        elif kind == 1:
            changed[place : place + 1] = str(int(random.integers(10**9))).encode()
        elif kind == 2:
            changed[0:8] = struct.pack("<Q", int(random.integers(2**63)))
        else:
            del changed[place:]
        path.write_bytes(changed)
        start = time.process_time()
        try:
            for tensor in read_safetensors(path).values():
                tensor.raw().sum()
        except RlxError as error:
            refused += 1
            assert error.code in ("RLX303", "RLX701", "RLX702", "RLX703")
        assert time.process_time() - start < 2
    assert refused > 100
