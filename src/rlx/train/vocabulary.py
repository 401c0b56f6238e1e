"""Vocabularies for training from scratch: the 256 bytes, and byte pairs merged by how often they stand together (Sennrich et al. 2016)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rlx.core.errors import RlxError
from rlx.core.files import read_regular, written_whole
from rlx.formats.tokenizer import tokenizers_package

_FORMAT = "rlx.vocabulary.1"
WORDS = r" ?[^\W\d_]+| ?\d+| ?[^\s\w]+|_+|\s+(?=\s\S)|\s+"
"""How a text is split: a word takes the space before it along."""
_WORD = re.compile(WORDS)
Pair = tuple[int, int]


@dataclass(frozen=True)
class Vocabulary:
    """Ids 0…255 are the bytes; each further one is two earlier ones, in the order they were merged.

    >>> vocabulary = Vocabulary.learn(b"the cat and the hat and the bat", 259)
    >>> vocabulary.decode(vocabulary.encode(b"the bat")), len(vocabulary.encode(b"the bat")) < 7
    (b'the bat', True)
    """

    merges: tuple[Pair, ...] = ()
    _words: dict[str, list[int]] = field(default_factory=dict, repr=False, compare=False)  # encoded before

    def __len__(self) -> int:
        return 256 + len(self.merges)

    @cached_property
    def pieces(self) -> tuple[bytes, ...]:
        """The bytes of each id."""
        found = [bytes([byte]) for byte in range(256)]
        for left, right in self.merges:
            found.append(found[left] + found[right])
        return tuple(found)

    @cached_property
    def piece_bytes(self) -> npt.NDArray[np.int64]:
        """How many bytes each id stands for."""
        return np.array([len(piece) for piece in self.pieces])

    @cached_property
    def _ranks(self) -> dict[Pair, int]:
        return {pair: 256 + number for number, pair in enumerate(self.merges)}

    # -- use
    def encode(self, text: bytes) -> npt.NDArray[np.uint32]:
        """The ids of a text; any bytes will do."""
        if not self.merges:
            return np.frombuffer(text, np.uint8).astype(np.uint32)
        found: list[int] = []
        for word in _split(text):
            known = self._words.get(word)
            if known is None:
                known = self._words[word] = self._merged(list(_bytes(word)))
            found += known
        return np.array(found, np.uint32)

    def decode(self, ids: Iterable[int]) -> bytes:
        """The text of ids."""
        return b"".join(self.pieces[index] for index in ids)

    def _merged(self, ids: list[int]) -> list[int]:
        """Merge the pair that was learnt first, until none is left."""
        while len(ids) > 1:
            first = min(pairwise(ids), key=lambda pair: self._ranks.get(pair, len(self)))
            if first not in self._ranks:
                break
            ids = _replace(ids, first, self._ranks[first])
        return ids

    # -- learning
    @staticmethod
    def learn(text: bytes, size: int) -> Vocabulary:
        """A vocabulary of `size` ids from a text; smaller when no pair stands in it twice. Ties go to the lower ids.

        The package `tokenizers` learns it from words of 256 letters, one a byte: their ids are the bytes.
        """
        tokenizers = tokenizers_package()
        alphabet = [chr(byte) for byte in range(256)]
        trainer = tokenizers.trainers.BpeTrainer(vocab_size=size, min_frequency=2, initial_alphabet=alphabet, show_progress=False)
        learnt = tokenizers.Tokenizer(tokenizers.models.BPE())
        learnt.train_from_iterator((_bytes(word).decode("latin-1") for word in _split(text)), trainer)
        ids = learnt.get_vocab()
        merges = json.loads(learnt.to_str())["model"]["merges"]
        return Vocabulary(tuple((ids[left], ids[right]) for left, right in merges))

    # -- files
    def save(self, path: Path) -> None:
        """Write it to the side, then in place."""
        with written_whole(path) as file:
            file.write(json.dumps({"format": _FORMAT, "merges": self.merges}).encode())

    @staticmethod
    def load(path: Path) -> Vocabulary:
        """Read it, checked: a merge names ids before its own."""
        data = read_regular(path)
        try:
            found = json.loads(data)
            merges = tuple((int(left), int(right)) for left, right in found["merges"])
            whole = found["format"] == _FORMAT and all(0 <= max(pair) < 256 + n and min(pair) >= 0 for n, pair in enumerate(merges))
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
            whole = False
        if not whole:
            raise RlxError(
                "RLX303", f"{path} is not a vocabulary", fix="remove it; training learns it again from the text", at=None
            )
        return Vocabulary(merges)


def _split(text: bytes) -> list[str]:
    return _WORD.findall(text.decode("utf-8", "surrogateescape"))


def _bytes(word: str) -> bytes:
    return word.encode("utf-8", "surrogateescape")


def _replace(ids: list[int], pair: Pair, new: int) -> list[int]:
    """Every `pair` in a list, from the left, by one id."""
    found: list[int] = []
    at = 0
    while at < len(ids):
        if at + 1 < len(ids) and (ids[at], ids[at + 1]) == pair:
            found.append(new)
            at += 2
        else:
            found.append(ids[at])
            at += 1
    return found
