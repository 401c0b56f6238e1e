"""Token streams: crops of the data, the same for the same seed and step."""

import numpy as np
import pytest

from rlx.core.errors import RlxError
from rlx.train.vocabulary import TokenStream, byte_tokens


def test_batches_are_crops_and_labels_are_one_place_on():
    tokens = np.random.default_rng(0).integers(0, 50, 500).astype(np.uint16)
    text = tokens.astype(np.int32).tobytes()
    for batch, _ in zip(TokenStream(tokens, 5, 12, seed=3), range(20), strict=False):
        assert batch["ids"].dtype == batch["labels"].dtype == np.int32
        for row, labels in zip(batch["ids"], batch["labels"].reshape(5, 12), strict=True):
            assert np.concatenate([row, labels[-1:]]).tobytes() in text
            np.testing.assert_array_equal(row[1:], labels[:-1])


def test_a_stream_goes_on_where_it_was():
    tokens = np.arange(1000)
    whole = [next(stream)["ids"] for stream in [TokenStream(tokens, 3, 7)] for _ in range(6)]
    rest = TokenStream(tokens, 3, 7, step=4)
    np.testing.assert_array_equal(next(rest)["ids"], whole[4])
    np.testing.assert_array_equal(next(rest)["ids"], whole[5])
    assert any((TokenStream(tokens, 3, 7, seed=1).at(0)["ids"] != whole[0]).ravel())


def test_every_place_is_drawn():
    seen = {int(start) for step in range(60) for start in TokenStream(np.arange(12), 4, 3).at(step)["ids"][:, 0]}
    assert seen == set(range(9))


def test_what_is_held_back_is_never_trained_on():
    train, held = TokenStream(np.arange(1000), 8, 5).split(0.1)
    assert max(int(train.at(step)["labels"].max()) for step in range(200)) < 900
    assert min(int(held.at(step)["ids"].min()) for step in range(200)) >= 900


def test_bytes_of_a_file(tmp_path):
    (tmp_path / "text").write_bytes(b"hello world")
    assert bytes(byte_tokens(tmp_path / "text")[:5]) == b"hello"


@pytest.mark.parametrize("tokens", [np.zeros((2, 9), int), np.zeros(9), np.zeros(4, int)])
def test_what_is_no_stream_is_refused(tokens):
    with pytest.raises(RlxError, match="RLX105"):
        TokenStream(tokens, 2, 4)
