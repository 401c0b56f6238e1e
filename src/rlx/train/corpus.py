"""Text files as tokens: the training part, and the last part, which is held out for validation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.errors import RlxError
from rlx.train.vocabulary import Vocabulary

_CUT_SEARCH = 4096  # how far the split may move to put it at a line break


@dataclass(frozen=True)
class Corpus:
    """Training tokens, held-out tokens, and their vocabulary."""

    vocabulary: Vocabulary
    training: npt.NDArray[Any]
    held_back: npt.NDArray[Any]

    def windows(self, length: int, rows: int = 0) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """The held-out tokens as contiguous rows of `ids` and `labels`; with `rows`, that many spread evenly."""
        count = max(len(self.held_back) - 1, 0) // length
        whole = self.held_back[: count * length + 1].astype(np.int32)
        ids, labels = whole[:-1].reshape(count, length), whole[1:].reshape(count, length)
        chosen = np.linspace(0, count - 1, rows).astype(int) if 0 < rows < count else slice(None)
        return np.ascontiguousarray(ids[chosen]), np.ascontiguousarray(labels[chosen])

    @staticmethod
    def read(paths: Iterable[Path], share: float, length: int, vocabulary: Vocabulary | int | None) -> Corpus:
        """Read files and folders. `vocabulary` is an existing one, the size of one to learn, or None for bytes."""
        text = read_text(paths)
        cut = _cut(text, share)
        kept, held = text[:cut], text[cut:]
        if isinstance(vocabulary, int):
            vocabulary = Vocabulary.learn(kept.tobytes(), vocabulary)
        if vocabulary is None or not vocabulary.merges:
            found = Corpus(Vocabulary(), kept, held)  # bytes are their own ids, and a mapped file stays mapped
        else:
            dtype = np.uint16 if len(vocabulary) <= 1 << 16 else np.uint32
            found = Corpus(vocabulary, *(vocabulary.encode(part.tobytes()).astype(dtype) for part in (kept, held)))
        for what, tokens, needed in (("train on", found.training, True), ("hold back", found.held_back, share > 0)):
            if needed and len(tokens) <= length:
                fix = "more text, a smaller `length` in [training]" + (
                    "" if what == "train on" else ", or a larger fraction in [data]"
                )
                raise RlxError("RLX802", f"{len(tokens)} tokens to {what}, but a row takes {length} + 1", fix=fix, at=None)
        return found


def read_text(paths: Iterable[Path]) -> npt.NDArray[np.uint8]:
    """The concatenated bytes of files, separated by line breaks; a single file is memory-mapped."""
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
    """Where the held-out part begins: after a line break if one is near, never inside a UTF-8 character."""
    cut = round(len(text) * (1 - share))
    if not 0 < cut < len(text):
        return cut
    near = bytes(text[cut : cut + min(_CUT_SEARCH, (len(text) - cut) // 4)])
    if (end := near.find(b"\n")) >= 0:
        return cut + end + 1
    while cut < len(text) and text[cut] & 0xC0 == 0x80:
        cut += 1
    return cut
