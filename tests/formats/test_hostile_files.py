"""Files that hang, kill or surprise who opens them: pipes, cut files, endless tokens, tokenizers that do not fit. Errors name the file."""

from __future__ import annotations

import json
import os
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tokenizers

import rlx
from rlx.core.errors import RlxError
from rlx.formats.gguf import read_gguf
from rlx.formats.gguf_tokenizer import NORMAL, gguf_tokenizer
from rlx.formats.gguf_writer import write_gguf
from rlx.formats.safetensors import read_safetensors, write_safetensors
from rlx.formats.tokenizer import folder_tokenizer, score_merges
from rlx.models import Profile
from rlx.train.config import TrainingConfig
from rlx.train.step import MetricsLog, read_metrics
from rlx.train.vocabulary import Vocabulary

READERS = {
    "gguf": read_gguf,
    "safetensors": read_safetensors,
    "model": rlx.load_model,
    "module": rlx.load,
    "executable": rlx.load_executable,
    "vocabulary": lambda path: Vocabulary.load(Path(path)),
    "training": TrainingConfig.load,
}


def refused(path: Path, read: Any, *codes: str) -> RlxError:
    """The error that names the file, met soon."""
    begun = time.process_time()
    with pytest.raises(RlxError) as raised:
        read(path)
    assert raised.value.code in codes, str(raised.value)
    assert path.name in str(raised.value) and time.process_time() - begun < 5
    return raised.value


# -- what is no file ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("reader", list(READERS))
@pytest.mark.parametrize("kind", ["pipe", "folder", "socket", "device"])
def test_what_is_no_file_is_refused_at_once(reader: str, kind: str, tmp_path: Path) -> None:
    """A pipe without a writer waits for ever when it is opened as a file."""
    path = tmp_path / "it"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(str(path))
    else:
        path.symlink_to("/dev/zero")
    refused(path, READERS[reader], "RLX303", "RLX801")


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_pipe_in_a_model_folder_is_refused(name: str, tmp_path: Path) -> None:
    settings = {"architectures": ["LlamaForCausalLM"]}
    (tmp_path / "config.json").write_text(json.dumps(settings))
    (tmp_path / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / name)
    with pytest.raises(RlxError, match=name):
        (folder_tokenizer if name == "tokenizer.json" else rlx.load_model)(tmp_path)


# -- a file that is cut while it is mapped -------------------------------------------------------------------------------
CUT = """
import sys
from rlx.core.errors import RlxError
from rlx.formats.gguf import read_gguf
from rlx.formats.safetensors import read_safetensors
tensors = read_gguf(sys.argv[1]).tensors if sys.argv[1].endswith("gguf") else read_safetensors(sys.argv[1])
open(sys.argv[1], "r+b").truncate(500)
try:
    tensors["w"].dequantized()
except RlxError as error:
    print(error)
"""


@pytest.mark.parametrize("ending", ["gguf", "safetensors"])
def test_a_file_cut_after_it_was_mapped_is_an_error_and_not_a_signal(ending: str, tmp_path: Path) -> None:
    path, tensors = tmp_path / f"cut.{ending}", {"w": np.ones((1 << 10, 16), np.float32)}
    write_gguf(path, {}, tensors) if ending == "gguf" else write_safetensors(path, tensors)
    done = subprocess.run([sys.executable, "-c", CUT, str(path)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done
    assert "RLX701" in done.stdout and path.name in done.stdout and " 500 " in done.stdout


# -- tokenizers --------------------------------------------------------------------------------------------------------
def scored(path: Path, tokens: list[str], more: dict[str, Any] | None = None) -> Path:
    metadata: dict[str, Any] = {
        "general.architecture": "llama",
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.scores": np.zeros(len(tokens), np.float32),
        "tokenizer.ggml.token_type": np.full(len(tokens), NORMAL, np.int32),
    }
    write_gguf(path, metadata | {f"tokenizer.ggml.{key}": value for key, value in (more or {}).items()}, {})
    return path


@pytest.mark.parametrize("long", [["a" * 300_000], ["ab" * 150_000, "a" * 200_000]], ids=["one", "two"])
def test_a_token_of_300_000_letters_loads_soon(long: list[str], tmp_path: Path) -> None:
    path = scored(tmp_path / "long.gguf", ["<unk>", "<s>", "</s>", "▁", "a", "b", "ab", *long])
    begun = time.process_time()
    tokenizer = gguf_tokenizer(read_gguf(path))
    assert tokenizer.decode(tokenizer.encode("abba", add_special=False)) == "abba"
    assert time.process_time() - begun < 5


def test_a_chain_of_tokens_whose_merges_would_fill_the_memory_is_refused(tmp_path: Path) -> None:
    path = scored(tmp_path / "chain.gguf", ["a" * length for length in range(1, 900)])
    refused(path, lambda path: gguf_tokenizer(read_gguf(path)), "RLX701")


def test_merges_by_score_are_those_of_every_split() -> None:
    """By the definition, on random pieces short and long."""
    random = np.random.default_rng(0)
    pieces = {"".join(random.choice(list("ab"), size)) for size in [*range(1, 12)] * 20 + [70, 71, 90]}
    pieces |= {left + right for left in sorted(pieces)[:9] for right in sorted(pieces, key=len)[-9:]}
    ids = {text: number for number, text in enumerate(sorted(pieces))}
    score = {text: float(random.integers(5)) for text in ids}
    wanted = sorted(
        (-score[text], ids[text[:at]], ids[text[at:]], text[:at], text[at:])
        for text in ids
        for at in range(1, len(text))
        if text[:at] in ids and text[at:] in ids
    )
    assert any(len(left + right) > 64 for *_, left, right in wanted)
    assert score_merges(ids, ids, score.__getitem__, 10**9) == [(left, right) for *_, left, right in wanted]


def test_ids_beyond_the_tokenizer_stand_for_no_text(tmp_path: Path) -> None:
    """A model's table may have more rows than its tokenizer has tokens."""
    tokenizer = gguf_tokenizer(read_gguf(scored(tmp_path / "t.gguf", ["▁", "a", "b"])))
    assert tokenizer.decode([1, 3, 10**6, 2]) == "ab"
    with pytest.raises(RlxError, match="RLX903"):
        tokenizer.decode([-1])


WRONG = {
    "scores": np.zeros(2, np.float32),
    "token_type": np.zeros(9, np.int32),
    "tokens": "abc",
    "bos_token_id": "first",
    "add_bos_token": np.zeros(3, np.bool_),
}


@pytest.mark.parametrize("key", list(WRONG))
def test_a_vocabulary_of_other_types_or_lengths_is_refused(key: str, tmp_path: Path) -> None:
    path = scored(tmp_path / "wrong.gguf", ["▁", "a", "b"], {key: WRONG[key]})
    assert key in refused(path, lambda path: gguf_tokenizer(read_gguf(path)), "RLX701").message


def words(folder: Path) -> dict[str, Any]:
    """A whole tokenizer.json, as data."""
    engine = tokenizers.Tokenizer(tokenizers.models.WordPiece({"[UNK]": 0, "[CLS]": 1, "a": 2, "##b": 3}, unk_token="[UNK]"))
    engine.add_special_tokens(["[UNK]", "[CLS]"])
    engine.pre_tokenizer, engine.decoder = tokenizers.pre_tokenizers.Whitespace(), tokenizers.decoders.WordPiece()
    engine.post_processor = tokenizers.processors.TemplateProcessing("[CLS] $A", special_tokens=[("[CLS]", 1)])
    found: dict[str, Any] = json.loads(engine.to_str())
    return found


def test_a_panic_of_the_package_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    """Its post-processor names a token it does not describe: the package panics, which is no Exception."""
    found = words(tmp_path)
    del found["post_processor"]["special_tokens"]["[CLS]"]
    (tmp_path / "tokenizer.json").write_text(json.dumps(found))
    with pytest.raises(RlxError, match=r"RLX701.*tokenizer\.json"):
        folder_tokenizer(tmp_path)


def test_a_text_that_the_files_tokenizer_fails_on_names_the_file(tmp_path: Path) -> None:
    found = words(tmp_path)
    found["model"]["unk_token"] = "nowhere"
    (tmp_path / "tokenizer.json").write_text(json.dumps(found))
    with pytest.raises(RlxError, match=r"RLX701.*tokenizer\.json"):
        folder_tokenizer(tmp_path).encode("xyz")


def test_ids_with_holes_are_read_and_ids_without_end_refused(tmp_path: Path) -> None:
    found = words(tmp_path)
    found["model"]["vocab"]["far"] = 300
    (tmp_path / "tokenizer.json").write_text(json.dumps(found))
    tokenizer = folder_tokenizer(tmp_path)
    assert tokenizer.vocabulary == 301 and tokenizer.decode(tokenizer.encode("far", add_special=False)) == " far"
    found["model"]["vocab"]["far"] = 2**31
    (tmp_path / "tokenizer.json").write_text(json.dumps(found))
    with pytest.raises(RlxError, match=r"RLX701.*tokenizer\.json"):
        folder_tokenizer(tmp_path)


# -- other readers -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("shape", [[0, 2**62], [2**40, 0, 2**40], [1] * 64 + [0]], ids=["wide", "both", "deep"])
def test_dims_that_no_array_has_are_refused_also_where_nothing_is_stored(shape: list[int], tmp_path: Path) -> None:
    text = json.dumps({"w": {"dtype": "F32", "shape": shape, "data_offsets": [0, 0]}}).encode()
    (tmp_path / "m.safetensors").write_bytes(len(text).to_bytes(8, "little") + text)
    refused(tmp_path / "m.safetensors", read_safetensors, "RLX701")


@pytest.mark.parametrize(("dims", "kind"), [([0, 2**62], 0), ([2**63, 0], 0), ([], 2)], ids=["wide", "signed", "one block"])
def test_dims_that_no_tensor_of_a_gguf_file_has_are_refused(dims: list[int], kind: int, tmp_path: Path) -> None:
    described = struct.pack(f"<Q1sI{len(dims)}QIQ", 1, b"w", len(dims), *dims, kind, 0)
    (tmp_path / "m.gguf").write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + described + bytes(100))
    refused(tmp_path / "m.gguf", read_gguf, "RLX701")


def test_a_split_whose_count_is_a_text_is_refused(tmp_path: Path) -> None:
    write_gguf(tmp_path / "split.gguf", {"split.count": "two"}, {})
    refused(tmp_path / "split.gguf", read_gguf, "RLX701")


@pytest.mark.parametrize("metadata", ["[]", '{"format": 5}', '{"format": {"x": 1}}'])
def test_metadata_that_is_no_text_is_refused(metadata: str, tmp_path: Path) -> None:
    text = f'{{"__metadata__": {metadata}}}'.encode()
    (tmp_path / "m.safetensors").write_bytes(len(text).to_bytes(8, "little") + text)
    refused(tmp_path / "m.safetensors", read_safetensors, "RLX701")


def test_errors_in_a_modules_text_name_its_file(tmp_path: Path) -> None:
    from rlx.ir.text import write_file

    write_file(tmp_path / "m.rlx", {"kind": "module", "text": "mir @m {"}, {})
    assert "line 1" in refused(tmp_path / "m.rlx", rlx.load, "RLX301").message
    write_file(tmp_path / "e.rlxe", {"kind": "executable", "graph": 5}, {})
    refused(tmp_path / "e.rlxe", rlx.load_executable, "RLX303")


def test_an_executable_whose_saved_param_has_another_shape_is_refused(tmp_path: Path) -> None:
    """Native code trusts the declared shape: 4 numbers of a saved array of 2 would be read."""
    from rlx.ir.text import read_file, write_file

    g = rlx.Graph("scaled")
    g.set_outputs({"y": g.input("x", (4,)) * g.param("w", (4,))})
    exe = rlx.compile(g)
    exe.set_param("w", np.ones(4, np.float32))
    exe.save(tmp_path / "e.rlxe", params=True)
    header, arrays = read_file(tmp_path / "e.rlxe")
    write_file(tmp_path / "e.rlxe", header, {**arrays, "param.w": np.ones(2, np.float32)})
    assert "'w'" in refused(tmp_path / "e.rlxe", rlx.load_executable, "RLX303").message


@pytest.mark.parametrize("change", ["names", "target"])
def test_an_executable_of_functions_without_names_or_of_no_machine_is_refused(change: str, tmp_path: Path) -> None:
    """LLVM aborts the process where it is asked for a function of no name."""
    from rlx.ir.text import pack_file, read_file, unpack_file, write_file

    g = rlx.Graph("double")
    x = g.input("x", (4,))
    g.set_outputs({"y": x + x})
    rlx.compile(g).save(tmp_path / "e.rlxe")
    header, arrays = read_file(tmp_path / "e.rlxe")
    if change == "names":
        inner, parts = unpack_file(arrays["program.0"].tobytes(), "program")
        parts["table.names"] = np.frombuffer(b"\0" + parts["table.names"].tobytes()[1:], np.uint8)
        arrays["program.0"] = np.frombuffer(pack_file(inner, parts), np.uint8)
    else:
        header["manifest"]["target"]["features"] = None
    write_file(tmp_path / "e.rlxe", header, arrays)
    refused(tmp_path / "e.rlxe", rlx.load_executable, "RLX303")


def test_lines_of_metrics_that_are_none_are_passed_over(tmp_path: Path) -> None:
    lines = ['{"step": 1, "loss": 2.0}', '{"loss": 1}', "[1]", "7", '{"step": "x"}', '{"step": NaN}', "[" * 100_000, '{"st']
    (tmp_path / "metrics.jsonl").write_text("\n".join(lines))
    assert [line["step"] for line in read_metrics(tmp_path / "metrics.jsonl")] == [1]
    with MetricsLog(tmp_path / "metrics.jsonl", 5) as log:
        assert log.validated == {}


@pytest.mark.parametrize("text", ["threads = " + "9" * 5000, "skip = " + "[" * 5000], ids=["digits", "depth"])
def test_toml_beyond_all_bounds_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "p.rlx.toml").write_text(text)
    refused(tmp_path / "p.rlx.toml", Profile.read, "RLX707")
    refused(tmp_path / "p.rlx.toml", TrainingConfig.load, "RLX801")


# -- writing -----------------------------------------------------------------------------------------------------------
FULL = """
import resource, sys
import numpy as np
import rlx
from rlx.core.errors import RlxError
from rlx.formats.gguf_writer import write_gguf
from rlx.formats.safetensors import write_safetensors
from rlx.ir.text import write_file
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
tensors = {"w": np.ones(4000, np.float32)}
try:
    {"gguf": lambda: write_gguf(sys.argv[2], {}, tensors), "safetensors": lambda: write_safetensors(sys.argv[2], tensors),
     "rlx": lambda: write_file(sys.argv[2], {}, tensors)}[sys.argv[1]]()
except RlxError as error:
    print(error)
"""


@pytest.mark.parametrize("kind", ["gguf", "safetensors", "rlx"])
def test_a_full_disk_is_an_error_and_the_old_file_stays(kind: str, tmp_path: Path) -> None:
    """A limit on the size of files stands for a disk that is full."""
    path = tmp_path / "old"
    path.write_bytes(b"the old one")
    done = subprocess.run([sys.executable, "-c", FULL, kind, str(path)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "RLX304" in done.stdout and str(path) in done.stdout, done
    assert path.read_bytes() == b"the old one" and os.listdir(tmp_path) == ["old"]


def test_a_folder_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RlxError, match=r"RLX304.*nowhere"):
        write_safetensors(tmp_path / "nowhere" / "t.safetensors", {})
