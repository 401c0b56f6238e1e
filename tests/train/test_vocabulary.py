"""Byte pairs: learnt as the definition says, and every text comes back."""

import sys
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlx.core.errors import RlxError
from rlx.train.vocabulary import Vocabulary, _split_text

TEXT = b"the cat sat on the mat, and the rat that sat on the cat ate the hat. " * 3 + "naïve — ☃\n\n  x_y 12 345\t".encode()


def learnt_by_definition(text, size):
    """Count every pair anew for every merge."""
    words = Counter(tuple(word.encode("utf-8", "surrogateescape")) for word in _split_text(text))
    merges = []
    while len(merges) < size - 256:
        counts = Counter()
        for word, count in words.items():
            for pair in pairwise(word):
                counts[pair] += count
        best = min(counts, key=lambda pair: (-counts[pair], pair), default=None)
        if best is None or counts[best] < 2:
            break
        merges.append(best)
        merged = Counter()
        for word, count in words.items():
            out, at = [], 0
            while at < len(word):
                two = word[at : at + 2] == best
                out.append(255 + len(merges) if two else word[at])
                at += 2 if two else 1
            merged[tuple(out)] += count
        words = merged
    return tuple(merges)


@pytest.mark.parametrize("size", [257, 260, 300, 1000])
def test_merges_are_those_of_the_definition(size):
    vocabulary = Vocabulary.learn(TEXT, size)
    assert vocabulary.merges == learnt_by_definition(TEXT, size)
    assert len(vocabulary) <= size


@given(st.binary(max_size=80))
def test_every_text_comes_back(text):
    vocabulary = Vocabulary.learn(TEXT, 300)
    for known in (vocabulary, Vocabulary()):
        ids = known.encode(text)
        assert known.decode(ids) == text
        assert int(known.piece_bytes[ids].sum()) == len(text)


def test_what_was_learnt_is_short():
    vocabulary = Vocabulary.learn(TEXT, 300)
    assert len(vocabulary.encode(b" the cat sat")) == 3
    assert vocabulary.encode(b"").tolist() == [] and Vocabulary().encode(b"ab").tolist() == [97, 98]


def test_it_is_saved_and_read(tmp_path):
    vocabulary = Vocabulary.learn(TEXT, 280)
    vocabulary.save(tmp_path / "v.json")
    assert Vocabulary.load(tmp_path / "v.json") == vocabulary
    assert [path.name for path in tmp_path.iterdir()] == ["v.json"]


def test_without_tokenizers_learning_says_what_to_install_and_bytes_and_files_still_work(tmp_path, monkeypatch):
    Vocabulary.learn(TEXT, 280).save(tmp_path / "v.json")
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(RlxError, match="need the package tokenizers") as error:
        Vocabulary.learn(TEXT, 280)
    assert error.value.code == "RLX803" and error.value.fix == "pip install 'rlx[formats]'"
    for known in (Vocabulary(), Vocabulary.load(tmp_path / "v.json")):
        assert known.decode(known.encode(TEXT)) == TEXT


WRONG = ["", "[]", "{}", '{"format": "x", "merges": []}']
WRONG += [f'{{"format": "rlx.vocabulary.1", "merges": {merges}}}' for merges in ("[[1, 256]]", "[[-1, 2]]", "[1]")]


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_vocabulary_is_refused(text, tmp_path):
    (tmp_path / "v.json").write_text(text)
    with pytest.raises(RlxError, match="is not a vocabulary"):
        Vocabulary.load(tmp_path / "v.json")
