"""A tokenizer: text to ids by an engine of the package `tokenizers`, and text from ids, also piece by piece.

`gguf_tokenizer` and `json_tokenizer` read one from a file. Decoding needs no package: every id stands for some bytes.
"""

from __future__ import annotations

import codecs
import copy
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import Any, overload

from rlx.core.errors import RlxError
from rlx.formats.lazy_engine import LazyEngine


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
    longest: int | None = None  # bytes of a text that an id can stand for; None: any number, as of an unknown word
    dropped: bytes = b""  # those of a text that no id stands for
    _lock: Any = field(default_factory=threading.Lock, init=False, repr=False, compare=False)
    _engines: dict[bool, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __repr__(self) -> str:
        return (
            f"<Tokenizer of {len(self.pieces)} tokens, {len(self.special)} of them special, bos {self.bos}, eos {sorted(self.eos)}>"
        )

    @property
    def vocabulary(self) -> int:
        """How many ids there are."""
        return len(self.pieces)

    def encode(
        self, text: str, *, add_special: bool = True, special: bool = False, most: int | None = None, name: str = "the prompt"
    ) -> list[int]:
        """The ids of a text, with the tokens a model expects at its ends. Threads may encode at the same time.

        More ids than `most` are RLX901, with the text's name: by its length where that decides, before anything is encoded.
        """
        check_text(text)
        if most is not None:
            self.check_length((text,), most, name)
        try:
            if most is not None and len(text) > _BEGINNING * most:
                self._check_beginning(self._engine(special), text[: _BEGINNING * most], most, name)
            found = _encoded(self._engine(special), text)
        except RlxError:
            raise
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # the package's panics are no Exceptions
            raise RlxError("RLX701", f"{self.file}: its tokenizer fails on a text: {str(error)[:200]}", at=None) from error
        count = len(found) + (self.add_bos + self.add_eos) * add_special
        if most is not None and count > most:  # before they are a list
            raise _too_long(f"{name} has {count} tokens", most)
        ids: list[int] = found.ids
        if add_special and self.add_bos and self.bos is not None and ids[:1] != [self.bos]:
            ids = [self.bos, *ids]
        if add_special and self.add_eos and self.eos:
            ids = [*ids, min(self.eos)]
        return ids

    def _check_beginning(self, engine: Any, beginning: str, most: int, name: str) -> None:
        """RLX901 where the beginning of a long text has far too many ids: its end would cost seconds.

        The cut may split one word, which is why twice as many are allowed.
        """
        count = len(_encoded(engine, beginning))
        if count > 2 * most + _BEGINNING:
            raise _too_long(f"{name} has {count} tokens in its first {len(beginning)} characters", most)

    def check_length(self, parts: Iterable[str], most: int, name: str = "the prompt") -> None:
        """RLX901 where parts of a text, each encoded by itself, are more than `most` ids by their lengths alone."""
        if self.longest is None:
            return
        sizes = [len(part.encode("utf-8", "replace").translate(None, self.dropped)) for part in parts]
        least = sum(-(-size // self.longest) for size in sizes)
        if least > most:
            raise _too_long(f"{name} has {sum(sizes)} bytes, at least {least} tokens", most)

    def prepare(self) -> None:
        """Make now what long conversations need, not when the first one comes."""
        engine = self._engine(True)
        if isinstance(engine, LazyEngine):
            engine.prepare()

    def _engine(self, special: bool) -> Any:
        """The engine that reads special tokens in a text as such, or as plain text: each of the two has its setting for good."""
        with self._lock:
            found = self._engines.get(special)
            if found is None:
                found = copy.deepcopy(self.engine) if self._engines else self.engine
                found.encode_special_tokens = not special
                self._engines[special] = found
        return found

    def piece(self, number: int) -> bytes:
        """What an id stands for; nothing for one beyond the vocabulary: models have rows there, to fill their tables."""
        try:
            right = index(number) >= 0
        except TypeError:  # a fraction, a text
            right = False
        if not right:
            raise RlxError("RLX903", f"{number!r:.60} is not a token id", fix=f"integers from 0 to {self.vocabulary - 1}")
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


_LONG = 2048
_BEGINNING = 8  # characters per token: more of a text than that is first counted up to there
"""Characters from which on a text is encoded without the interpreter's lock: a shorter one holds it for a millisecond or two."""


def _encoded(engine: Any, text: str) -> Any:
    """The encoding. Of the package's methods only those for several texts let other threads run."""
    if len(text) < _LONG:
        return engine.encode(text, add_special_tokens=False)
    return engine.encode_batch_fast([text], add_special_tokens=False)[0]


def _too_long(what: str, most: int) -> RlxError:
    """The error of a text that does not fit."""
    message = f"{what}, the context has room for {most}"
    return RlxError("RLX901", message, fix="shorten the prompt, or raise the context", at=None)


def check_text(text: object) -> None:
    """RLX903 for what has no bytes: what is no str, and half of a surrogate pair, which broken decoding leaves behind."""
    if not isinstance(text, str):
        raise RlxError("RLX903", f"{text!r:.60} is {type(text).__name__}, not a text", fix="a str")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        message = f"the lone surrogate {text[error.start]!a} at character {error.start} is no text"
        raise RlxError("RLX903", message, fix="decode the bytes with errors='replace', or leave the character out") from None


def tokenizers_package() -> Any:
    """The package `tokenizers`, imported when first used; RLX803 where it is not installed."""
    try:
        import tokenizers
    except ImportError:
        raise RlxError(
            "RLX803", "tokens of a text need the package tokenizers", fix="pip install 'rlx[formats]'", at=None
        ) from None
    return tokenizers
