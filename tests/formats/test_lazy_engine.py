"""Engines of the tokens that occur in a text find what the engine of all tokens finds."""

import itertools
import random

import numpy as np
import pytest

from rlx.formats import tokenizer as lazy_engine
from rlx.formats.gguf import read_gguf
from rlx.formats.gguf_tokenizer import BYTE, CONTROL, NORMAL, USER_DEFINED, gguf_tokenizer
from rlx.formats.gguf_writer import write_gguf
from rlx.formats.tokenizer import SPACE

SPECIALS = ["<s>", "</s>", "<unk>"]
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


def grown(draw, letters, count):
    """Words, each of two earlier ones."""
    words = list(letters)
    while len(words) < count:
        word = draw.choice(words) + draw.choice(words)
        if len(word) <= 12 and word not in words:
            words.append(word)
    return words


def by_scores(path, draw, prefix):
    words = grown(draw, [SPACE, *"abcdé."], 300)
    kinds = [CONTROL, CONTROL, 2, *[BYTE] * 256, *[NORMAL] * len(words), USER_DEFINED]
    scores = [0.0] * 259 + [-float(draw.randrange(100)) for _ in words] + [0.0]  # many are equal
    metadata = {"model": "llama", "tokens": [*SPECIALS, *BYTES, *words, "ab<>"], "scores": np.array(scores, np.float32)}
    metadata |= {"token_type": np.array(kinds, np.int32), "unknown_token_id": 2, "bos_token_id": 0}
    metadata |= {"add_space_prefix": prefix}
    return written(path, metadata)


def by_list(path, draw):
    letters = [*"abcd.", "Ġ", "Ã", "©", "Â"]
    words = grown(draw, letters, 200)
    merges = [f"{word[:at]} {word[at:]}" for word in words[len(letters) :] for at in range(1, len(word))]
    draw.shuffle(merges)
    merges += merges[:3]  # of equal ones the last counts
    metadata = {"model": "gpt2", "tokens": [*SPECIALS, *words], "merges": merges, "pre": "gpt-2"}
    return written(path, metadata | {"token_type": np.array([CONTROL] * 3 + [NORMAL] * len(words), np.int32)})


def written(path, metadata):
    named = {f"tokenizer.ggml.{key}": value for key, value in metadata.items()}
    write_gguf(path, {"general.architecture": "llama", **named}, {})
    return lambda: gguf_tokenizer(read_gguf(path))


KINDS = {
    "scores": lambda path, draw: by_scores(path, draw, True),
    "scores without a space": lambda path, draw: by_scores(path, draw, False),
    "a list": by_list,
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_ids_are_those_of_the_engine_of_all_tokens(kind, tmp_path, monkeypatch):
    draw = random.Random(kind)
    make = KINDS[kind](tmp_path / "t.gguf", draw)
    lazy = make()
    monkeypatch.setattr(lazy_engine, "_LOOKUPS", -1)
    whole = make()
    parts = ["a", "b", "c", "d", "é", ".", " ", "  ", "ab", "cab", "<s>", "</s>", "ab<>", "ab<", "中", "\n", "z", SPACE]
    for length in (0, 1, 2, 5, 20, 60):
        for special in (False, True):
            for _ in range(12):
                text = "".join(draw.choices(parts, k=length))
                assert lazy.encode(text, special=special) == whole.encode(text, special=special), text
    assert lazy.engine._whole is None and whole.engine._whole is not None


def test_merges_by_score_are_what_the_definition_says(tmp_path):
    """Of all neighbours the pair whose union scores best is merged first, of equal ones the leftmost."""
    tokenizer = by_scores(tmp_path / "t.gguf", random.Random(5), True)()
    file = read_gguf(tmp_path / "t.gguf")
    tokens, scores = file.get("tokenizer.ggml.tokens"), file.get("tokenizer.ggml.scores")
    ids = {text: number for number, text in enumerate(tokens)}

    def merged(text):
        pieces = list(SPACE + text.replace(" ", SPACE))
        while True:
            pairs = [
                (-scores[ids[a + b]], ids[a], ids[b], place)
                for place, (a, b) in enumerate(itertools.pairwise(pieces))
                if a + b in ids
            ]
            if not pairs:
                return [ids[piece] for piece in pieces]
            place = min(pairs)[3]
            pieces[place : place + 2] = ["".join(pieces[place : place + 2])]

    draw = random.Random(6)
    for _ in range(20):
        text = "".join(draw.choices("abcdé. ", k=30))
        assert tokenizer.encode(text, add_special=False) == merged(text), text


def test_the_engine_of_all_tokens_is_made_when_enough_text_has_come(tmp_path):
    tokenizer = by_scores(tmp_path / "t.gguf", random.Random(7), True)()
    tokenizer.encode("abc")
    assert tokenizer.engine._whole is None
    tokenizer.encode("abc " * 200_000)
    assert tokenizer.engine._whole is not None


def test_a_vocabulary_of_262144_is_ready_soon(tmp_path):
    """By counting: no engine of more tokens than the text can have is made."""
    words = [SPACE, *(f"{SPACE}t{number}" for number in range(262_143 - 259))]
    tokens = [*SPECIALS, *BYTES, *words]
    kinds = [CONTROL, CONTROL, 2, *[BYTE] * 256, *[NORMAL] * len(words)]
    metadata = {"model": "llama", "tokens": tokens, "scores": -np.arange(len(tokens), dtype=np.float32)}
    make = written(tmp_path / "t.gguf", metadata | {"token_type": np.array(kinds, np.int32), "unknown_token_id": 2})
    tokenizer = make()
    made = []
    maker = tokenizer.engine._make
    tokenizer.engine._make = lambda ids: made.append(len(ids)) or maker(ids)
    assert tokenizer.encode("The harbour was quiet.", add_special=False)
    assert len(made) == 1 and made[0] < 300
