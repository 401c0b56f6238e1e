"""GGUF files: against the format's own package, both ways, and files that are damaged on purpose."""

import struct
import time

import gguf
import numpy as np
import pytest

from rlx.core.errors import RlxError
from rlx.core.quant_scheme import QuantScheme
from rlx.formats.gguf import read_gguf
from rlx.formats.gguf_writer import QuantizedTensor, write_gguf
from rlx.layouts.gguf_blocks import random_rows

METADATA = {
    "general.architecture": "llama",
    "llama.block_count": 3,
    "llama.rope.freq_base": 10000.0,
    "general.quantized": True,
    "x.negative": -5,
    "x.large": 2**40,
    "tokenizer.ggml.tokens": ["<s>", "a", "é", "▁of", ""],
    "tokenizer.ggml.scores": np.array([0.5, -1, 2, 3, 4], np.float32),
    "tokenizer.ggml.token_type": np.array([3, 1, 1, 1, 6], np.int32),
}


def tensors():
    random = np.random.default_rng(0)
    return {
        "f32": random.standard_normal((3, 5)).astype(np.float32),
        "f16": random.standard_normal((2, 3, 4)).astype(np.float16),
        "i32": np.arange(7, dtype=np.int32),
        "scalar": np.array(2.5, np.float32),
        "empty": np.zeros((0, 4), np.float32),
        "q8": QuantizedTensor(QuantScheme.gguf("Q8_0"), random_rows("Q8_0", 6, 64)),
        "q4k": QuantizedTensor(QuantScheme.gguf("Q4_K"), random_rows("Q4_K", 2, 3, 512)),
    }


@pytest.fixture
def path(tmp_path):
    write_gguf(tmp_path / "m.gguf", METADATA, tensors())
    return tmp_path / "m.gguf"


def test_what_is_written_is_read(path):
    file, wanted = read_gguf(path), tensors()
    assert file.architecture == "llama" and file.version == 3
    for key, value in METADATA.items():
        np.testing.assert_array_equal(file.metadata[key], value)
    assert list(file.tensors) == list(wanted)
    for name, tensor in wanted.items():
        stored = file.tensors[name]
        if isinstance(tensor, QuantizedTensor):
            assert stored.dims == tensor.dims and stored.scheme == tensor.scheme
            np.testing.assert_array_equal(stored.raw(), tensor.rows)
        else:
            np.testing.assert_array_equal(stored.array(), tensor)
            assert stored.array().dtype == tensor.dtype


def test_the_formats_own_reader_agrees(tmp_path):
    """It knows neither rank 0 nor size 0."""
    kept = {name: tensor for name, tensor in tensors().items() if name not in ("scalar", "empty")}
    write_gguf(tmp_path / "m.gguf", METADATA, kept)
    reader = gguf.GGUFReader(tmp_path / "m.gguf")
    assert reader.fields["llama.block_count"].contents() == 3
    assert reader.fields["tokenizer.ggml.tokens"].contents() == METADATA["tokenizer.ggml.tokens"]
    file = read_gguf(tmp_path / "m.gguf")
    for tensor in reader.tensors:
        stored = file.tensor(tensor.name)
        assert stored.dims == tuple(int(size) for size in tensor.shape[::-1])
        wanted = gguf.quants.dequantize(np.asarray(tensor.data), tensor.tensor_type) if stored.dtype.is_float else tensor.data
        np.testing.assert_array_equal(stored.dequantized() if stored.dtype.is_float else stored.array(), wanted)


def test_a_file_of_the_formats_own_writer_is_read(tmp_path):
    writer = gguf.GGUFWriter(tmp_path / "m.gguf", "qwen2")
    writer.add_uint64("a.u64", 2**63)
    writer.add_array("a.list", [1, 2, 3])
    writer.add_token_list(["x", "y"])
    array = np.random.default_rng(1).standard_normal((4, 64)).astype(np.float32)
    writer.add_tensor("t", array)
    writer.add_tensor("q", gguf.quants.quantize(array, gguf.GGMLQuantizationType.Q5_1), raw_dtype=gguf.GGMLQuantizationType.Q5_1)
    for step in (writer.write_header_to_file, writer.write_kv_data_to_file, writer.write_tensors_to_file, writer.close):
        step()
    file = read_gguf(tmp_path / "m.gguf")
    assert file.architecture == "qwen2" and file.metadata["a.u64"] == 2**63 and list(file.metadata["a.list"]) == [1, 2, 3]
    np.testing.assert_array_equal(file.tensor("t").array(), array)
    assert file.tensor("q").kind == "gguf_q5_1" and np.abs(file.tensor("q").dequantized() - array).max() < 0.2


def test_splits_are_one_file(tmp_path):
    wanted = {"a": np.ones((2, 2), np.float32), "b": np.zeros(3, np.float32)}
    for number, name in enumerate(wanted):
        split = {"split.no": np.uint16(number), "split.count": np.uint16(2), "split.tensors.count": np.int32(2)}
        write_gguf(tmp_path / f"m-{number + 1:05}-of-00002.gguf", {**METADATA, **split}, {name: wanted[name]})
    file = read_gguf(tmp_path / "m-00001-of-00002.gguf")
    for name, array in wanted.items():
        np.testing.assert_array_equal(file.tensor(name).array(), array)
    with pytest.raises(RlxError, match="open the first part"):
        read_gguf(tmp_path / "m-00002-of-00002.gguf")
    (tmp_path / "m-00002-of-00002.gguf").unlink()
    with pytest.raises(RlxError, match=r"00002-of-00002.*No such file"):
        read_gguf(tmp_path / "m-00001-of-00002.gguf")


def test_a_large_file_opens_at_once(tmp_path):
    """A gigabyte of data and a vocabulary of 150 000; sparse, so it costs no disk."""
    tokens = [f"token {i}" for i in range(150_000)]
    write_gguf(tmp_path / "m.gguf", {**METADATA, "tokenizer.ggml.tokens": tokens}, {"w": np.zeros((0, 1 << 15), np.float32)})
    data = bytearray((tmp_path / "m.gguf").read_bytes())
    place = data.index(struct.pack("<IQQ", 2, 1 << 15, 0))  # rank, dims
    data[place + 12 : place + 20] = struct.pack("<Q", 1 << 13)
    with (tmp_path / "m.gguf").open("wb") as file:
        file.write(data)
        file.truncate(len(data) + (1 << 30))
    start = time.process_time()
    file = read_gguf(tmp_path / "m.gguf")
    seconds = time.process_time() - start
    assert file.tensor("w").dims == (1 << 13, 1 << 15) and seconds < 0.5, seconds


def test_missing_things_are_named(path):
    file = read_gguf(path)
    with pytest.raises(RlxError, match=r"RLX703.*no tensor 'blk.0.attn_q.weight'"):
        file.tensor("blk.0.attn_q.weight")
    with pytest.raises(RlxError, match=r"RLX703.*'llama.context_length'[\s\S]*llama.block_count"):
        file.get("llama.context_length")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: b"GGML" + d[4:], "RLX303.*not b'GGUF'"),
        (lambda d: d[:4] + struct.pack("<I", 9) + d[8:], "RLX702.*version 9"),
        (lambda d: d[:4] + struct.pack(">I", 3) + d[8:], "RLX702.*big endian"),
        (lambda d: d[:8] + struct.pack("<Q", 2**60) + d[16:], "RLX701.*tensors do not fit"),
        (lambda d: d[:16] + struct.pack("<Q", 2**60) + d[24:], "RLX701.*keys do not fit"),
        (lambda d: d[:-300], "RLX701.*tensor .*ends at byte"),
        (lambda d: d[:40], "RLX701"),
        (lambda d: b"", "RLX303"),
    ],
)
def test_damage_is_refused_with_the_reason(path, change, message):
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(RlxError, match=message):
        read_gguf(path)


def test_mutated_files_neither_crash_nor_hang(path):
    """Either the file is refused, or every tensor it then describes can be read."""
    data = path.read_bytes()
    random = np.random.default_rng(7)
    refused = 0
    for _ in range(250):
        changed = bytearray(data)
        for _ in range(int(random.integers(1, 4))):
            kind, place = int(random.integers(4)), int(random.integers(len(data) if random.random() < 0.2 else 900))
            if kind == 0:
                changed[place % len(changed)] = int(random.integers(256))
            elif kind == 1:
                changed[place : place + 8] = struct.pack("<Q", (0, 255, 2**31, 2**63 - 1, 2**64 - 1)[random.integers(5)])
            elif kind == 2:
                del changed[place : place + int(random.integers(1, 64))]
            else:
                del changed[place:]
        path.write_bytes(changed)
        start = time.process_time()
        try:
            file = read_gguf(path)
            for tensor in file.tensors.values():
                tensor.raw().sum()
        except RlxError as error:
            refused += 1
            assert error.code in ("RLX303", "RLX701", "RLX702", "RLX703")
        assert time.process_time() - start < 2
    assert refused > 100
