"""Tokenizers: small vocabularies worked out by hand, and llama.cpp's own vectors for every kind a supported family has."""

import re
import subprocess
import sys
import tarfile
import tracemalloc

import numpy as np
import pytest
import tokenizers

from rlx.core.errors import RlxError
from rlx.formats.gguf import read_gguf
from rlx.formats.gguf_tokenizer import BYTE, CONTROL, NORMAL, gguf_tokenizer
from rlx.formats.gguf_writer import write_gguf
from rlx.formats.tokenizer import folder_tokenizer


def made(tmp_path, kind, tokens, types, **more):
    metadata = {"general.architecture": "llama", "tokenizer.ggml.model": kind, "tokenizer.ggml.tokens": tokens}
    metadata["tokenizer.ggml.token_type"] = np.array(types, np.int32)
    write_gguf(tmp_path / "t.gguf", metadata | {f"tokenizer.{key}": value for key, value in more.items()}, {})
    return gguf_tokenizer(read_gguf(tmp_path / "t.gguf"))


@pytest.fixture
def merged(tmp_path):
    """Bytes and three merges: l+o, lo+w, Ġ+low; Ã and © are the letters of the two bytes of é."""
    tokens = ["<|end|>", "l", "o", "w", "Ġ", "lo", "low", "Ġlow", "Ã", "©", "<", "|", "e", "n", "d", ">"]
    return made(
        tmp_path,
        "gpt2",
        tokens,
        [CONTROL, *[NORMAL] * 15],
        **{
            "ggml.merges": ["l o", "lo w", "Ġ low"],
            "ggml.pre": "gpt-2",
            "ggml.eos_token_id": 0,
            "ggml.bos_token_id": 0,
            "ggml.add_bos_token": True,
        },
    )


def test_bytes_are_merged_in_order(merged):
    assert merged.encode("low low", add_special=False) == [6, 7]
    assert merged.encode("wolé") == [0, 3, 2, 1, 8, 9]
    assert merged.decode([0, 3, 2, 1, 8, 9]) == "wolé" and merged.eos == {0}


def test_special_tokens_in_a_text_are_text_unless_asked_for(merged):
    assert merged.encode("low<|end|>", add_special=False) == [6, 10, 11, 12, 13, 14, 11, 15]
    assert merged.encode("low<|end|>", add_special=False, special=True) == [6, 0]
    assert merged.decode([6, 0]) == "low" and merged.decode([6, 0], special=True) == "low<|end|>"


def test_a_character_spread_over_ids_comes_whole(merged):
    assert list(merged.stream([6, 8, 9, 6])) == ["low", "", "é", "low", ""]
    assert merged.decode([8, 6]) == "�low" and merged.decode([6, 8]) == "low�"


def test_the_pair_that_scores_best_is_merged_first(tmp_path):
    """b+c scores above a+b, so abc is a, bc."""
    tokens = ["<unk>", "<s>", "</s>", "a", "b", "c", "▁", "ab", "bc", "▁a", "<0xC3>", "<0xA9>"]
    tokenizer = made(
        tmp_path,
        "llama",
        tokens,
        [CONTROL, CONTROL, CONTROL, *[NORMAL] * 7, BYTE, BYTE],
        **{
            "ggml.scores": np.array([0, 0, 0, -9, -9, -9, -9, -3, -2, -1, 0, 0], np.float32),
            "ggml.bos_token_id": 1,
            "ggml.eos_token_id": 2,
            "ggml.unknown_token_id": 0,
        },
    )
    assert tokenizer.encode("abc") == [1, 9, 8] and tokenizer.decode([1, 9, 8]) == "abc"
    assert tokenizer.encode("cab é", add_special=False) == [6, 5, 7, 6, 10, 11]
    assert tokenizer.decode([6, 5, 7, 6, 10, 11]) == "cab é"


def test_word_pieces(tmp_path):
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "▁play", "ing", "▁,", "▁cafe"]
    tokenizer = made(
        tmp_path,
        "bert",
        tokens,
        [CONTROL] * 4 + [NORMAL] * 4,
        **{"ggml.unknown_token_id": 1, "ggml.cls_token_id": 2, "ggml.seperator_token_id": 3},
    )
    assert tokenizer.encode("Playing, Café xyz") == [2, 4, 5, 6, 7, 1, 3]


def test_a_folder_that_pads_and_truncates_gives_whole_texts_between_its_marks(tmp_path):
    """Sentence-transformers saves its padding to 128 and its limit in tokenizer.json; both are the caller's matter, not the text's."""
    words = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "a": 4, "##b": 5}
    engine = tokenizers.Tokenizer(tokenizers.models.WordPiece(words, unk_token="[UNK]"))
    engine.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]"])
    engine.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    engine.post_processor = tokenizers.processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    engine.enable_padding(length=8)
    engine.enable_truncation(4)
    engine.save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "tokenizer_config.json").write_text('{"cls_token": "[CLS]", "sep_token": "[SEP]"}')
    tokenizer = folder_tokenizer(tmp_path)
    assert tokenizer.encode("ab a ab") == [2, 4, 5, 4, 4, 5, 3]
    assert tokenizer.encode("ab", add_special=False) == [4, 5]


def test_what_is_not_known_is_refused(tmp_path):
    with pytest.raises(RlxError, match=r"RLX702[\s\S]*'rwkv'[\s\S]*gpt2, llama, bert"):
        made(tmp_path, "rwkv", ["a"], [NORMAL])
    with pytest.raises(RlxError, match=r"RLX702.*'new-style'"):
        made(tmp_path, "gpt2", ["a"], [NORMAL], **{"ggml.merges": ["a a"], "ggml.pre": "new-style"})


def test_a_byte_that_is_none(tmp_path):
    with pytest.raises(RlxError, match=r"RLX701.*the token '<0x>' is said to be a byte"):
        made(tmp_path, "llama", ["<unk>", "<0x>"], [CONTROL, BYTE], **{"ggml.scores": np.zeros(2, np.float32)})


@pytest.mark.parametrize("dtype", [np.int16, np.int64, np.float32])
def test_kinds_of_tokens_that_are_none_are_no_kind(tmp_path, dtype):
    """Byte by byte, 257 would be NORMAL + 256, and −253 CONTROL."""
    kinds = [CONTROL, NORMAL, 0, 7, 100, 257, 259, -253, -1]
    tokens = [chr(97 + number) for number in range(len(kinds))]
    metadata = {"general.architecture": "llama", "tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": tokens}
    metadata |= {"tokenizer.ggml.token_type": np.array(kinds, dtype)}
    metadata |= {"tokenizer.ggml.scores": np.zeros(len(kinds), np.float32)}
    write_gguf(tmp_path / "t.gguf", metadata, {})
    tokenizer = gguf_tokenizer(read_gguf(tmp_path / "t.gguf"))
    assert tokenizer.special == {0} and tokenizer.decode(range(1, len(kinds))) == "".join(tokens[1:])


def test_a_vocabulary_takes_a_table_of_ids_and_little_more(tmp_path):
    """Of 20 000 tokens: besides the file's own lists a dict with its numbers, 60 to 110 bytes each, a score of 8 and a kind of 1."""
    count = 20_000
    tokens = ["<unk>", "<s>", "</s>", *(f"▁{number:x}" for number in range(count - 3))]
    metadata = {"general.architecture": "llama", "tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": tokens}
    metadata |= {"tokenizer.ggml.token_type": np.array([CONTROL] * 3 + [NORMAL] * (count - 3), np.int32)}
    metadata |= {"tokenizer.ggml.scores": -np.arange(count, dtype=np.float32)}
    write_gguf(tmp_path / "t.gguf", metadata, {})
    file = read_gguf(tmp_path / "t.gguf")
    table = {str(number): number for number in range(count)}
    tables = sys.getsizeof(table) + sum(map(sys.getsizeof, table.values()))
    gguf_tokenizer(file)  # imports
    tracemalloc.start()
    tokenizer = gguf_tokenizer(file)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert tokenizer.decode([3, 4]) and taken < tables + 16 * count


SUPPORTED = [
    "bert-bge",
    "gpt-2",
    "llama-bpe",
    "llama-spm",
    "phi-3",
    "qwen2",
    "qwen35",
    "starcoder",
    "refact",
    "command-r",
    "falcon",
    "mpt",
]


@pytest.fixture(scope="session")
def vectors(tmp_path_factory):
    """The vocabularies and expected ids in the source package of llama-cpp-python."""
    folder = tmp_path_factory.mktemp("vectors")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    command = [*pip, "download", "--no-deps", "--no-binary", "llama-cpp-python", "llama-cpp-python==0.3.36", "--dest", folder]
    subprocess.run(command, check=True, timeout=540)
    (package,) = folder.glob("*.tar.gz")
    with tarfile.open(package) as archive:
        for member in archive:
            if re.search(r"/models/ggml-vocab-[^/]*$", member.name):
                member.name = member.name.rsplit("/", 1)[1]
                archive.extract(member, folder, filter="data")
    return folder


@pytest.mark.long
@pytest.mark.parametrize("name", SUPPORTED)
def test_the_vectors_of_llama_cpp(vectors, name):
    path = vectors / f"ggml-vocab-{name}.gguf"
    texts = (path.parent / f"{path.name}.inp").read_bytes().decode().split("\n__ggml_vocab_test__\n")
    lines = (path.parent / f"{path.name}.out").read_text().split("\n")
    tokenizer = gguf_tokenizer(read_gguf(path))
    assert len(texts) > 40
    for text, line in zip(texts, lines, strict=False):
        wanted = [int(word) for word in line.split()]
        assert tokenizer.encode(text, add_special=False) == wanted, repr(text)
        if name != "bert-bge":  # which lowers letters
            assert tokenizer.decode(wanted) == text
