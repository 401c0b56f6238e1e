"""Vocabularies for training from scratch: the 256 bytes, and byte pairs merged by how often they stand together (Sennrich et al. 2016)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

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
    """Byte-pair vocabulary: ids 0…255 are the bytes; each further one merges two earlier ones, in the order they were learned.

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
        pieces = [bytes([byte]) for byte in range(256)]
        for left, right in self.merges:
            pieces.append(pieces[left] + pieces[right])
        return tuple(pieces)

    @cached_property
    def piece_bytes(self) -> npt.NDArray[np.int64]:
        """The number of bytes of each id."""
        return np.array([len(piece) for piece in self.pieces])

    @cached_property
    def _ranks(self) -> dict[Pair, int]:
        return {pair: 256 + number for number, pair in enumerate(self.merges)}

    # -- use
    def encode(self, text: bytes) -> npt.NDArray[np.uint32]:
        """Encodes a text, which can be any bytes, to ids."""
        if not self.merges:
            return np.frombuffer(text, np.uint8).astype(np.uint32)
        numbers: list[int] = []
        for word in _split_text(text):
            known = self._words.get(word)
            if known is None:
                known = self._words[word] = self._merge(list(_bytes(word)))
            numbers += known
        return np.array(numbers, np.uint32)

    def decode(self, ids: Iterable[int]) -> bytes:
        """Decodes ids to a text."""
        return b"".join(self.pieces[index] for index in ids)

    def _merge(self, ids: list[int]) -> list[int]:
        """Merges the pair that was learned first, until none is left."""
        while len(ids) > 1:
            first = min(pairwise(ids), key=lambda pair: self._ranks.get(pair, len(self)))
            if first not in self._ranks:
                break
            ids = _replace(ids, first, self._ranks[first])
        return ids

    # -- learning
    @staticmethod
    def learn(text: bytes, size: int) -> Vocabulary:
        """Learns a vocabulary of `size` ids from a text; smaller when no pair occurs in it twice. Ties go to the lower ids.

        The package `tokenizers` learns it from words of 256 letters, one a byte: their ids are the bytes.
        """
        tokenizers = tokenizers_package()
        alphabet = [chr(byte) for byte in range(256)]
        trainer = tokenizers.trainers.BpeTrainer(vocab_size=size, min_frequency=2, initial_alphabet=alphabet, show_progress=False)
        learnt = tokenizers.Tokenizer(tokenizers.models.BPE())
        learnt.train_from_iterator((_bytes(word).decode("latin-1") for word in _split_text(text)), trainer)
        ids = learnt.get_vocab()
        merges = json.loads(learnt.to_str())["model"]["merges"]
        return Vocabulary(tuple((ids[left], ids[right]) for left, right in merges))

    # -- files
    def save(self, path: Path) -> None:
        """Writes the vocabulary to a file, atomically."""
        with written_whole(path) as file:
            file.write(json.dumps({"format": _FORMAT, "merges": self.merges}).encode())

    @staticmethod
    def load(path: Path) -> Vocabulary:
        """Reads and checks a vocabulary: a merge names ids before its own."""
        data = read_regular(path)
        try:
            content = json.loads(data)
            merges = tuple((int(left), int(right)) for left, right in content["merges"])
            valid = content["format"] == _FORMAT and all(
                0 <= max(pair) < 256 + n and min(pair) >= 0 for n, pair in enumerate(merges)
            )
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
            valid = False
        if not valid:
            raise RlxError(
                "RLX303", f"{path} is not a vocabulary", fix="remove it; training learns it again from the text", at=None
            )
        return Vocabulary(merges)


def _split_text(text: bytes) -> list[str]:
    return _WORD.findall(text.decode("utf-8", "surrogateescape"))


def _bytes(word: str) -> bytes:
    return word.encode("utf-8", "surrogateescape")


def _replace(ids: list[int], pair: Pair, new: int) -> list[int]:
    """Replaces every `pair` in a list, from the left, by one id."""
    replaced: list[int] = []
    at = 0
    while at < len(ids):
        if at + 1 < len(ids) and (ids[at], ids[at + 1]) == pair:
            replaced.append(new)
            at += 2
        else:
            replaced.append(ids[at])
            at += 1
    return replaced


# -- token streams: batches from one long array of ids, determined by the seed and the step --------------------------


@dataclass
class TokenStream:
    """Batches of random crops that depend only on the step number: to resume, only `step` has to be saved.

    Each batch has `ids` i32 `[rows, length]` and `labels` i32 `[rows·length]`, the ids shifted by one.

    >>> stream = TokenStream(np.arange(100), rows=2, length=4, seed=1)
    >>> first = next(stream)
    >>> first["ids"].shape, bool((first["labels"].reshape(2, 4) == first["ids"] + 1).all())
    ((2, 4), True)
    """

    tokens: npt.NDArray[Any]  # may be a memory map
    rows: int
    length: int
    seed: int = 0
    step: int = 0

    def __repr__(self) -> str:
        return f"<TokenStream of {len(self.tokens)} tokens: {self.rows} rows of {self.length}, seed {self.seed}, step {self.step}>"

    def __post_init__(self) -> None:
        if self.tokens.ndim != 1 or self.tokens.dtype.kind not in "iu" or len(self.tokens) <= self.length:
            message = f"tokens {self.tokens.dtype}{list(self.tokens.shape)} for rows of {self.length}"
            raise RlxError("RLX105", message, fix="a 1-d array of integers, longer than a row")

    def __iter__(self) -> Iterator[dict[str, npt.NDArray[np.int32]]]:
        return self

    def __next__(self) -> dict[str, npt.NDArray[np.int32]]:
        batch = self.at(self.step)
        self.step += 1
        return batch

    def at(self, step: int) -> dict[str, npt.NDArray[np.int32]]:
        """Returns the batch of a step."""
        rows = self._rows(step, slice(None))
        return {"ids": np.ascontiguousarray(rows[:, :-1]), "labels": np.ascontiguousarray(rows[:, 1:]).reshape(-1)}

    def _rows(self, step: int, wanted: slice) -> npt.NDArray[np.int32]:
        """Reads some rows of a step, each with the token after its last; no others are read."""
        random = np.random.Generator(np.random.Philox(key=[self.seed, step]))
        starts = random.integers(0, len(self.tokens) - self.length, self.rows)[wanted]
        return np.stack([self.tokens[start : start + self.length + 1] for start in starts]).astype(np.int32)

    def dims(self) -> dict[str, tuple[int, ...]]:
        """Returns the dims of a batch."""
        return {"ids": (self.rows, self.length), "labels": (self.rows * self.length,)}

    def part(self, name: str, step: int, slices: tuple[slice, ...]) -> npt.NDArray[np.int32]:
        """Returns a slice of `ids` or `labels` of a step and reads only its rows: what one host reads of a batch.

        >>> stream = TokenStream(np.arange(100), rows=4, length=5)
        >>> bool((stream.part("labels", 3, (slice(7, 18),)) == stream.at(3)["labels"][7:18]).all())
        True
        """
        if name == "ids":
            rows, columns = slices
            return np.ascontiguousarray(self._rows(step, rows)[:, :-1][:, columns])
        (flat,) = slices
        first = flat.start // self.length
        labels = self._rows(step, slice(first, -(-flat.stop // self.length)))[:, 1:]
        return labels.reshape(-1)[flat.start - first * self.length :][: flat.stop - flat.start]

    def split(self, part: float) -> tuple[TokenStream, TokenStream]:
        """Splits tokens into the training tokens, and the last `part` of them, held out."""
        cut = round(len(self.tokens) * (1 - part))
        halves = self.tokens[:cut], self.tokens[cut:]
        first, second = (TokenStream(tokens, self.rows, self.length, self.seed + number) for number, tokens in enumerate(halves))
        return first, second


def byte_tokens(path: str | Path) -> npt.NDArray[np.uint8]:
    """Memory-maps the bytes of a file as ids.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".txt") as file:
    ...     _ = file.write(b"abc"); file.flush()
    ...     byte_tokens(file.name).tolist()
    [97, 98, 99]
    """
    return np.memmap(path, np.uint8, "r")


# -- text files as tokens: the training part, and the last part, which is held out for validation --------------------


_CUT_SEARCH = 4096  # how far the split may move to put it at a line break


@dataclass(frozen=True)
class Corpus:
    """Training tokens, held-out tokens, and their vocabulary."""

    vocabulary: Vocabulary
    training: npt.NDArray[Any]
    held_back: npt.NDArray[Any]

    def windows(self, length: int, rows: int = 0) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Cuts the held-out tokens into contiguous rows of `ids` and `labels`; with `rows`, that many spread evenly."""
        count = max(len(self.held_back) - 1, 0) // length
        whole = self.held_back[: count * length + 1].astype(np.int32)
        ids, labels = whole[:-1].reshape(count, length), whole[1:].reshape(count, length)
        chosen = np.linspace(0, count - 1, rows).astype(int) if 0 < rows < count else slice(None)
        return np.ascontiguousarray(ids[chosen]), np.ascontiguousarray(labels[chosen])

    @staticmethod
    def read(paths: Iterable[Path], share: float, length: int, vocabulary: Vocabulary | int | None) -> Corpus:
        """Reads files and folders. `vocabulary` is an existing one, the size of one to learn, or None for bytes."""
        text = read_text(paths)
        cut = _cut(text, share)
        training, held_out = text[:cut], text[cut:]
        if isinstance(vocabulary, int):
            vocabulary = Vocabulary.learn(training.tobytes(), vocabulary)
        if vocabulary is None or not vocabulary.merges:
            corpus = Corpus(Vocabulary(), training, held_out)  # bytes are their own ids, and a mapped file stays mapped
        else:
            dtype = np.uint16 if len(vocabulary) <= 1 << 16 else np.uint32
            corpus = Corpus(vocabulary, *(vocabulary.encode(part.tobytes()).astype(dtype) for part in (training, held_out)))
        for what, tokens, needed in (("train on", corpus.training, True), ("hold back", corpus.held_back, share > 0)):
            if needed and len(tokens) <= length:
                fix = "more text, a smaller `length` in [training]" + (
                    "" if what == "train on" else ", or a larger fraction in [data]"
                )
                raise RlxError("RLX802", f"{len(tokens)} tokens to {what}, but a row takes {length} + 1", fix=fix, at=None)
        return corpus


def read_text(paths: Iterable[Path]) -> npt.NDArray[np.uint8]:
    """Concatenates the bytes of files, separated by line breaks; a single file is memory-mapped."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            listed = sorted(file for file in path.rglob("*.txt") if file.is_file())
            if not listed:
                raise RlxError("RLX802", f"{path} has no .txt files", fix="pass a folder with text files, or the files", at=None)
            files += listed
        else:
            files.append(path)
    try:
        parts = [np.memmap(file, np.uint8, "r") for file in files if file.stat().st_size]
    except OSError as error:
        raise RlxError(
            "RLX802", f"{error.filename}: {error.strerror}", fix="paths are relative to the configuration", at=None
        ) from None
    if not parts:
        raise RlxError("RLX802", f"{', '.join(map(str, files))}: no text", fix="use files that are not empty", at=None)
    line_end = np.frombuffer(b"\n", np.uint8)
    return parts[0] if len(parts) == 1 else np.concatenate([piece for part in parts for piece in (part, line_end)][:-1])


def _cut(text: npt.NDArray[np.uint8], share: float) -> int:
    """Finds where the held-out part begins: after a line break if one is near, never inside a UTF-8 character."""
    cut = round(len(text) * (1 - share))
    if not 0 < cut < len(text):
        return cut
    near = bytes(text[cut : cut + min(_CUT_SEARCH, (len(text) - cut) // 4)])
    if (end := near.find(b"\n")) >= 0:
        return cut + end + 1
    while cut < len(text) and text[cut] & 0xC0 == 0x80:
        cut += 1
    return cut
