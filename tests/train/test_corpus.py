"""Text files as tokens: what is held back is the end of the text, whole lines and whole characters."""

import numpy as np
import pytest

from rlx.core.errors import RlxError
from rlx.train.vocabulary import Corpus, Vocabulary, read_text

LINES = b"".join(b"line %d of the text\n" % number for number in range(200))


@pytest.fixture
def book(tmp_path):
    (tmp_path / "book.txt").write_bytes(LINES)
    return tmp_path / "book.txt"


@pytest.mark.parametrize("vocabulary", [None, 300])
def test_both_parts_are_the_text(book, vocabulary):
    corpus = Corpus.read([book], 0.1, 16, vocabulary)
    kept, held = (corpus.vocabulary.decode(part) for part in (corpus.training, corpus.held_back))
    assert kept + held == LINES and kept.endswith(b"\n") and abs(len(held) / len(LINES) - 0.1) < 0.02
    assert corpus.vocabulary.merges == (Vocabulary.learn(kept, 300).merges if vocabulary else ())


def test_a_character_is_not_cut(tmp_path):
    for size in range(40, 50):
        text = ("☃" * size).encode()
        (tmp_path / "snow.txt").write_bytes(text)
        corpus = Corpus.read([tmp_path / "snow.txt"], 0.3, 4, None)
        assert bytes(corpus.held_back).decode() + bytes(corpus.training).decode() == text.decode()


def test_windows_cover_what_is_held_back_without_a_gap(book):
    corpus = Corpus.read([book], 0.2, 16, None)
    ids, labels = corpus.windows(16)
    assert len(ids) == (len(corpus.held_back) - 1) // 16
    np.testing.assert_array_equal(ids.ravel(), corpus.held_back[: ids.size])
    np.testing.assert_array_equal(labels.ravel(), corpus.held_back[1 : ids.size + 1])
    some, _ = corpus.windows(16, 5)
    assert len(some) == 5 and {row.tobytes() for row in some} < {row.tobytes() for row in ids}


def test_folders_and_lists(tmp_path, book):
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "two.txt").write_bytes(b"two")
    (tmp_path / "b" / "one.txt").write_bytes(b"one")
    (tmp_path / "b" / "empty.txt").write_bytes(b"")
    (tmp_path / "b" / "three.md").write_bytes(b"three")
    assert bytes(read_text([tmp_path / "b"])) == b"one\ntwo"
    assert bytes(read_text([tmp_path / "b" / "three.md", tmp_path / "b"])) == b"three\none\ntwo"
    assert isinstance(read_text([book]), np.memmap)


def test_what_cannot_be_read_is_named(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "short.txt").write_bytes(b"short")
    wrong = {"nothing.txt": "No such file", "empty": "has no .txt files", "short.txt": "tokens to train on, but a row takes 16"}
    for path, words in wrong.items():
        with pytest.raises(RlxError, match=words) as error:
            Corpus.read([tmp_path / path], 0.1, 16, None)
        assert error.value.code == "RLX802"
    (tmp_path / "short.txt").write_bytes(b"a longer text, of which too little is held back")
    with pytest.raises(RlxError, match="to hold back"):
        Corpus.read([tmp_path / "short.txt"], 0.1, 16, None)
    assert len(Corpus.read([tmp_path / "short.txt"], 0.0, 16, None).held_back) == 0
