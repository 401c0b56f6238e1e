"""A tokenizer: text to ids by an engine of the package `tokenizers`, and text from ids, also piece by piece.

`gguf_tokenizer` and `json_tokenizer` read one from a file. Decoding needs no package: every id stands for some bytes.
"""

from __future__ import annotations

import codecs
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import Any, overload

from rlx.core.errors import RlxError

__all__ = ["Pieces", "Tokenizer", "check_text", "tokenizers_package"]


class Pieces(Sequence[bytes]):
    """What each id stands for, worked out when it is asked for: a text needs few of a hundred thousand.

    >>> pieces = Pieces(3, lambda number: b"abc"[: number + 1])
    >>> pieces[1], pieces[1:], pieces == [b"a", b"ab", b"abc"]
    (b'ab', [b'ab', b'abc'], True)
    """

    def __init__(self, count: int, bytes_of: Callable[[int], bytes]) -> None:
        self._numbers, self._bytes_of = range(count), bytes_of

    @overload
    def __getitem__(self, place: int) -> bytes: ...

    @overload
    def __getitem__(self, place: slice) -> list[bytes]: ...

    def __getitem__(self, place: int | slice) -> bytes | list[bytes]:
        if isinstance(place, slice):
            return [self._bytes_of(number) for number in self._numbers[place]]
        return self._bytes_of(self._numbers[place])

    def __len__(self) -> int:
        return len(self._numbers)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)


@dataclass(frozen=True)
class Tokenizer:
    """Text to ids and back.

    `encode(text)` reads special tokens in the text as plain text unless `special=True`: what users write cannot end a turn.
    """

    pieces: Sequence[bytes]  # what each id stands for
    special: frozenset[int]  # ids that stand for no text
    bos: int | None
    eos: frozenset[int]
    add_bos: bool
    add_eos: bool
    engine: Any = field(repr=False, compare=False)  # a tokenizers.Tokenizer
    chat_template: str | None = None
    strips_space: bool = False  # the first piece of a text begins with a space that was not in it
    names: Mapping[str, int] = field(default_factory=dict, repr=False)  # special tokens by text
    file: str = "the tokenizer"  # where it comes from, for errors
    # `engine` has one setting for all
    _lock: Any = field(default_factory=threading.Lock, init=False, repr=False, compare=False)

    def __repr__(self) -> str:
        return f"<Tokenizer of {len(self.pieces)} tokens, {len(self.special)} of them special, bos {self.bos}, eos {sorted(self.eos)}>"

    @property
    def vocabulary(self) -> int:
        """How many ids there are."""
        return len(self.pieces)

    def encode(self, text: str, *, add_special: bool = True, special: bool = False) -> list[int]:
        """The ids of a text, with the tokens a model expects at its ends."""
        check_text(text)
        with self._lock:
            self.engine.encode_special_tokens = not special
            try:
                ids: list[int] = self.engine.encode(text, add_special_tokens=False).ids
            except (KeyboardInterrupt, SystemExit):
                raise
            except BaseException as error:  # the package's panics are no Exceptions
                raise RlxError(
                    "RLX701", f"{self.file}: its tokenizer fails on a text: {str(error)[:200]}", at=None
                ) from error
        if add_special and self.add_bos and self.bos is not None and ids[:1] != [self.bos]:
            ids = [self.bos, *ids]
        if add_special and self.add_eos and self.eos:
            ids = [*ids, min(self.eos)]
        return ids

    def piece(self, number: int) -> bytes:
        """What an id stands for; nothing for one beyond the vocabulary: models have rows there, to fill their tables."""
        try:
            right = index(number) >= 0
        except TypeError:  # a fraction, a text
            right = False
        if not right:
            raise RlxError(
                "RLX903", f"{number!r:.60} is not a token id", fix=f"integers from 0 to {self.vocabulary - 1}"
            )
        return self.pieces[number] if number < len(self.pieces) else b""

    def decode(self, ids: Iterable[int], *, special: bool = False) -> str:
        """The text of some ids; bytes that are no UTF-8 become U+FFFD."""
        return "".join(self.stream(ids, special=special))

    def stream(self, ids: Iterable[int], *, special: bool = False) -> Iterator[str]:
        """The text of ids as they come; a character whose bytes are spread over ids comes with its last one."""
        if not isinstance(ids, Iterable):
            raise RlxError("RLX903", f"the ids are {ids!r:.60}", fix="a list of token ids")
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        first = True
        for number in ids:
            if number in self.special and not special:
                continue
            piece = self.piece(number)
            if first and self.strips_space and number not in self.special:
                piece, first = piece.removeprefix(b" "), False
            yield decoder.decode(piece)
        yield decoder.decode(b"", final=True)


def check_text(text: object) -> None:
    """RLX903 for what has no bytes: what is no str, and half of a surrogate pair, which broken decoding leaves behind."""
    if not isinstance(text, str):
        raise RlxError("RLX903", f"{text!r:.60} is {type(text).__name__}, not a text", fix="a str")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        message = f"the lone surrogate {text[error.start]!a} at character {error.start} is no text"
        raise RlxError(
            "RLX903", message, fix="decode the bytes with errors='replace', or leave the character out"
        ) from None


def tokenizers_package() -> Any:
    """The package `tokenizers`, imported when first used; RLX803 where it is not installed."""
    try:
        import tokenizers
    except ImportError:
        raise RlxError(
            "RLX803", "tokens of a text need the package tokenizers", fix="pip install 'rlx[formats]'", at=None
        ) from None
    return tokenizers
