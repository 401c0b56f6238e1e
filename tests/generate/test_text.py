"""Text as it comes: whole characters, and nothing of a stop string."""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path

import numpy as np
import pytest

from rlx.generate.text import TextStream
from tests.generate.tiny import END, byte_tokenizer

TEXT = "naïve 日本語 🙂🏽 \u0301 <sto"


def test_characters_come_whole():
    stream = TextStream(byte_tokenizer())
    pieces = [stream.feed(byte) for byte in TEXT.encode()]
    assert "�" not in "".join(pieces) and "".join(pieces) + stream.finish() == TEXT == stream.text
    assert pieces[:4] == ["n", "a", "", "ï"]


def test_bytes_that_are_no_character():
    stream = TextStream(byte_tokenizer())
    assert stream.feed(0xE6) == "" and stream.feed(0x97) == ""
    assert stream.finish() == "�" and stream.text == "�"
    stream = TextStream(byte_tokenizer())
    assert stream.feed(0xFF) + stream.feed(ord("a")) == "�a"


@pytest.mark.parametrize("stops", [("stop",), ("<stop>", "sto"), ("日本",), ("aaab", "aab"), ("🙂",), ("語 ",)])
@pytest.mark.parametrize(
    "text", ["the stop here", "st sto stor <stop>", "x日本語 y", "aaaaaab", "no end at st", "a🙂b", "sstop", ""]
)
def test_stop_strings_are_never_given_out_in_part(text, stops):
    places = [text.find(stop) for stop in stops if stop in text]
    stream = TextStream(byte_tokenizer(), stops)
    given = ""
    for byte in text.encode():
        given += stream.feed(byte)
        assert text.startswith(given)
        if stream.stopped:
            break
    given += stream.finish()
    # the first stop that is complete ends the text; what came before it is given out
    ends = sorted((text.find(stop) + len(stop), text.find(stop)) for stop in stops if stop in text)
    assert given == stream.text == (text[: ends[0][1]] if places else text)
    assert (stream.stopped is not None) == bool(places)


def test_stop_strings_in_one_large_piece():
    stream = TextStream(byte_tokenizer_of([b"one two STOP three"]), ("STOP",))
    assert stream.feed(0) == "one two " and stream.stopped == "STOP" and stream.finish() == ""


def byte_tokenizer_of(pieces):
    from dataclasses import replace

    return replace(byte_tokenizer(), pieces=pieces, special=frozenset())


def test_special_tokens_are_no_text():
    stream = TextStream(byte_tokenizer())
    assert stream.feed(END) == "" and stream.feed(ord("x")) == "x"


def test_the_space_of_sentencepiece():
    pieces = [b" Hello", b" world"]
    tokenizer = byte_tokenizer_of(pieces)
    from dataclasses import replace

    spaced = replace(tokenizer, strips_space=True)
    for strip, wanted in ((True, "Hello world"), (False, " Hello world")):
        stream = TextStream(spaced, strip=strip)
        assert stream.feed(0) + stream.feed(1) == wanted
    stream = TextStream(tokenizer, strip=True)  # a tokenizer that adds none
    assert stream.feed(0) == " Hello"


def test_all_ways_to_cut_a_text_into_pieces():
    text = "ab<e>cd"
    for cuts in itertools.product([0, 1], repeat=len(text) - 1):
        parts, last = [], 0
        for place, cut in enumerate(cuts, 1):
            if cut:
                parts.append(text[last:place].encode())
                last = place
        parts.append(text[last:].encode())
        stream = TextStream(byte_tokenizer_of(parts), ("<e>",))
        given = ""
        for token in range(len(parts)):
            given += stream.feed(token)
            if stream.stopped:
                break
        assert given + stream.finish() == "ab"


def test_special_texts_in_a_prompt_are_text_unless_asked_for() -> None:
    """Also where the characters would merge to the very token: SentencePiece, with all parts of `<s>` in its vocabulary."""
    from rlx.formats.gguf import read_gguf
    from rlx.formats.gguf_tokenizer import gguf_tokenizer
    from rlx.formats.gguf_writer import write_gguf

    tokens = ["<unk>", "<s>", "</s>", "<", "s", ">", "<s", "s>", "/", "a", "▁", "▁<"]
    metadata = {
        "general.architecture": "llama",
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.scores": np.array([-float(n) for n in range(len(tokens))], np.float32),
        "tokenizer.ggml.token_type": np.array([2, 3, 3] + [1] * 9, np.int32),
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.unknown_token_id": 0,
    }
    path = Path(tempfile.mkdtemp()) / "tokenizer.gguf"
    write_gguf(path, metadata, {"x.weight": np.zeros(4, np.float32)})
    tokenizer = gguf_tokenizer(read_gguf(path))
    for text in ("<s>", "a<s>a</s>", "</s>", "<s><s>"):
        plain = tokenizer.encode(text, add_special=False)
        assert not tokenizer.special & set(plain) and tokenizer.decode(plain) == text
    assert tokenizer.encode("<s>a</s>", add_special=False, special=True)[0] == 1
    assert tokenizer.encode("<s>", special=True) == [1]  # not two
