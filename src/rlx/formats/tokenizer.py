"""A tokenizer: text to ids by an engine of the package `tokenizers`, and text from ids, also piece by piece.

`gguf_tokenizer` and `json_tokenizer` read one from a file. Decoding needs no package: every id stands for some bytes.
"""

from __future__ import annotations

import codecs
import copy
import re
import threading
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from operator import index
from pathlib import Path
from typing import Any, overload

from rlx.core.errors import RlxError
from rlx.core.files import naming, read_regular
from rlx.formats.safetensors import read_json

# -- BPE merges: which two pieces make a third, and in which order they are merged, by SentencePiece's scores or by a list


Merge = tuple[str, str]
_SHORT = 64  # characters; almost no piece of a real vocabulary has more


def score_merges(ids: Mapping[str, int], made: Iterable[str], score: Callable[[str], float], most: int) -> list[Merge]:
    """Every pair of pieces whose concatenation is in `made`, the best score first; ties by id.

    The time is linear in the total length of the pieces, because sorting finds the prefixes and suffixes that are pieces. If the
    pairs have more than `most` characters in total, a ValueError is raised before they are allocated.

    >>> score_merges({"a": 0, "b": 1, "ab": 2, "aab": 3, "aa": 4}, ["ab", "aab", "aa"], {"ab": -1.0, "aab": -3.0, "aa": -2.0}.get, 100)
    [('a', 'b'), ('a', 'a'), ('a', 'ab'), ('aa', 'b')]
    """
    split = _Splits(ids)
    ranked: list[tuple[float, int, int, str, str]] = []
    characters = 0
    for text in made:
        for left, right in split.short(text) if len(text) <= _SHORT else split.long(text):
            characters += len(text)
            if characters > most:
                raise ValueError(f"the possible merges of its pieces have more than {most} characters")
            ranked.append((-score(text), ids[left], ids[right], left, right))
    return [(left, right) for *_, left, right in sorted(ranked)]


def listed_merges(ids: Mapping[str, int], ranks: Mapping[str, int]) -> list[Merge]:
    """The merges of a list (`left right` by rank) whose three pieces are all in the vocabulary, in order.

    >>> listed_merges({"a": 0, "b": 1, "ab": 2, "bb": 3}, {"ab b": 0, "b b": 1, "a b": 2})
    [('b', 'b'), ('a', 'b')]
    """
    if len(ids) * _SHORT < len(ranks):  # of few pieces: by what each may be made of
        split = _Splits(ids)
        pairs = (pair for text in ids for pair in (split.short(text) if len(text) <= _SHORT else split.long(text)))
        known = [(ranks[f"{left} {right}"], left, right) for left, right in pairs if f"{left} {right}" in ranks]
        return [(left, right) for _, left, right in sorted(known) if " " not in left]
    listed = ((left, right) for left, _, right in (text.partition(" ") for text in sorted(ranks, key=ranks.__getitem__)))
    return [(left, right) for left, right in listed if left in ids and right in ids and left + right in ids]


class _Splits:
    """Computes the ways to split a text into two pieces of a vocabulary."""

    def __init__(self, ids: Mapping[str, int]) -> None:
        self.ids = ids

    def short(self, text: str) -> list[Merge]:
        """Splits a short text by trying every position."""
        ids = self.ids
        return [(text[:at], text[at:]) for at in range(1, len(text)) if text[:at] in ids and text[at:] in ids]

    def long(self, text: str) -> list[Merge]:
        """Splits a long text by the pieces that are its prefixes, and those that are its suffixes."""
        rests = {len(piece): piece[::-1] for piece in self.ends[text[::-1]]}
        return [(left, rests[len(text) - len(left)]) for left in self.begins[text] if len(text) - len(left) in rests]

    @cached_property
    def begins(self) -> dict[str, tuple[str, ...]]:
        """The prefixes of each long piece that are pieces."""
        return {text: prefixes for text, prefixes in _begun_by(self.ids) if len(text) > _SHORT}

    @cached_property
    def ends(self) -> dict[str, tuple[str, ...]]:
        """The suffixes of each long piece that are pieces (reversed)."""
        return {text: suffixes for text, suffixes in _begun_by(text[::-1] for text in self.ids) if len(text) > _SHORT}


def _begun_by(texts: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Maps each text to those other texts that are its prefixes: in sorted order each comes before it."""
    open_: list[str] = []
    for text in sorted(texts):
        while open_ and not text.startswith(open_[-1]):
            open_.pop()
        yield text, tuple(piece for piece in open_ if piece)
        open_.append(text)


# -- an engine of `tokenizers` that is made of what a text needs: a hundred thousand tokens take seconds, those of a prompt millisec


_LOOKUPS = 1 << 22
"""The number of substring lookups before the engine of all tokens is built: they take about as long as building it."""


class LazyEngine:
    """A tokenizer engine built from the tokens that one text can contain; encodes like the engine of all tokens.

    A merge joins adjacent pieces, so every token of a text, and every intermediate merge, is a substring of the normalized text. An
    engine of the substrings that are tokens, with their ids and the merges between them in order, therefore returns the same ids.
    When such engines have cost as much as the engine of all tokens, that engine is built and used from then on.
    """

    encode_special_tokens = False

    def __init__(
        self,
        make: Callable[[Mapping[str, int]], Any],
        ids: Mapping[str, int],
        always: Iterable[str],
        written: Callable[[str], Iterable[str]],
    ) -> None:
        """`make` makes an engine of some tokens; `always` are tokens that are not substrings; `written`: forms of a text to search."""
        self._make, self._ids, self._written = make, ids, written
        self._always = {text: ids[text] for text in always if text in ids}
        self._lock = threading.Lock()  # of the two below
        self._lengths = sorted({*map(len, ids)} - {0})
        self._left = _LOOKUPS
        self._whole: Any = None

    def __deepcopy__(self, memo: Any) -> LazyEngine:
        """A copy with its own setting for special tokens."""
        return LazyEngine(self._make, self._ids, self._always, self._written)

    def encode(self, text: str, add_special_tokens: bool = False) -> Any:
        """Returns the encoding of a text by the `tokenizers` package."""
        return self._engine(text).encode(text, add_special_tokens=add_special_tokens)

    def encode_batch_fast(self, texts: Sequence[str], add_special_tokens: bool = False) -> Any:
        """Encodes several texts, while other threads run."""
        return [self._engine(text).encode_batch_fast([text], add_special_tokens=add_special_tokens)[0] for text in texts]

    def prepare(self) -> None:
        """Makes the engine of all tokens now."""
        with self._lock:
            self._whole = self._whole or self._set(self._make(self._ids))

    def _engine(self, text: str) -> Any:
        """Returns an engine that has all tokens of a text."""
        if self._whole is None:
            if len(text) * len(self._lengths) <= self._left:
                ways = [way for written in self._written(text) for way in {written, self._without_unknown(written)}]
                with self._lock:
                    self._left -= sum(map(len, ways)) * len(self._lengths) + _PER_TOKEN * len(self._always)
                if self._left >= 0:
                    return self._set(self._make(self._always | self._within(ways)))
            self.prepare()
        return self._whole

    def _set(self, engine: Any) -> Any:
        engine.encode_special_tokens = self.encode_special_tokens
        return engine

    def _without_unknown(self, way: str) -> str:
        """Removes characters that are not tokens: an engine may drop them, and then merge the characters around them."""
        ids = self._ids
        return "".join(letter for letter in way if letter in ids)

    def _within(self, ways: Iterable[str]) -> dict[str, int]:
        """The tokens that are substrings of a text."""
        ids, within = self._ids, dict[str, int]()
        for way in ways:
            for length in self._lengths:
                if length > len(way):
                    break
                for start in range(len(way) - length + 1):
                    part = way[start : start + length]
                    if part in ids:
                        within[part] = ids[part]
        return within


_PER_TOKEN = 32
"""The cost of one token in building an engine, in substring lookups."""


class Pieces(Sequence[bytes]):
    """The bytes of each token id, decoded on first access: a text needs few of a hundred thousand.

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
    """Converts text to token ids and back.

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
        """The number of token ids."""
        return len(self.pieces)

    def encode(
        self, text: str, *, add_special: bool = True, special: bool = False, most: int | None = None, name: str = "the prompt"
    ) -> list[int]:
        """The ids of a text, with the tokens that the model expects at its ends. Threads may encode at the same time.

        More ids than `most` are RLX901, with the text's name; if the length of the text suffices to decide, nothing is encoded.
        """
        check_text(text)
        if most is not None:
            self.check_length((text,), most, name)
        encoding = self._encode(text, special, most, name)
        count = len(encoding) + (self.add_bos + self.add_eos) * add_special
        if most is not None and count > most:  # before they are a list
            raise prompt_too_long(f"{name} has {count} tokens", most)
        ids: list[int] = encoding.ids
        if add_special and self.add_bos and self.bos is not None and ids[:1] != [self.bos]:
            ids = [self.bos, *ids]
        if add_special and self.add_eos and self.eos:
            ids = [*ids, min(self.eos)]
        return ids

    def _encode(self, text: str, special: bool, most: int | None, name: str) -> Any:
        """Encodes a text by the engine, after a length check of the beginning of a very long one."""
        try:
            if most is not None and len(text) > _BEGINNING * most:
                self._check_beginning(self._engine(special), text[: _BEGINNING * most], most, name)
            return _run_engine(self._engine(special), text)
        except (RlxError, KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # the package's panics are not Exceptions
            raise RlxError("RLX701", f"{self.file}: its tokenizer fails on a text: {str(error)[:200]}", at=None) from error

    def _check_beginning(self, engine: Any, beginning: str, most: int, name: str) -> None:
        """Raises RLX901 if the beginning of a long text has far too many ids: encoding the rest would cost seconds.

        The cut may split a word, so the beginning may have twice as many ids.
        """
        count = len(_run_engine(engine, beginning))
        if count > 2 * most + _BEGINNING:
            raise prompt_too_long(f"{name} has {count} tokens in its first {len(beginning)} characters", most)

    def check_length(self, parts: Iterable[str], most: int, name: str = "the prompt") -> None:
        """Raises RLX901 if parts of a text, each encoded separately, exceed `most` ids by their lengths alone."""
        if self.longest is None:
            return
        sizes = [len(part.encode("utf-8", "replace").translate(None, self.dropped)) for part in parts]
        least = sum(-(-size // self.longest) for size in sizes)
        if least > most:
            raise prompt_too_long(f"{name} has {sum(sizes)} bytes, at least {least} tokens", most)

    def prepare(self) -> None:
        """Builds the engines that long conversations need before the first one comes."""
        engine = self._engine(True)
        if isinstance(engine, LazyEngine):
            engine.prepare()

    def _engine(self, special: bool) -> Any:
        """The engine that matches special tokens in a text, or the one that reads them as plain text."""
        with self._lock:
            engine = self._engines.get(special)
            if engine is None:
                engine = copy.deepcopy(self.engine) if self._engines else self.engine
                engine.encode_special_tokens = not special
                self._engines[special] = engine
        return engine

    def piece(self, number: int) -> bytes:
        """The bytes of an id; empty beyond the vocabulary, where models have padding rows in their tables."""
        try:
            right = index(number) >= 0
        except TypeError:  # a fraction, a text
            right = False
        if not right:
            raise RlxError("RLX903", f"{number!r:.60} is not a token id", fix=f"integers from 0 to {self.vocabulary - 1}")
        return self.pieces[number] if number < len(self.pieces) else b""

    def decode(self, ids: Iterable[int], *, special: bool = False) -> str:
        """The text of some ids; bytes that are not UTF-8 become U+FFFD."""
        return "".join(self.stream(ids, special=special))

    def stream(self, ids: Iterable[int], *, special: bool = False) -> Iterator[str]:
        """Yields the text of ids as they come; a character whose bytes span several ids comes with the last one."""
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
"""The length in characters from which a text is encoded without the GIL: a shorter one holds the GIL for a millisecond or two."""


def _run_engine(engine: Any, text: str) -> Any:
    """Encodes a text, a long one by the batch method of the package: only batch methods release the GIL."""
    if len(text) < _LONG:
        return engine.encode(text, add_special_tokens=False)
    return engine.encode_batch_fast([text], add_special_tokens=False)[0]


def prompt_too_long(what: str, most: int) -> RlxError:
    """The RLX901 error for a text with more ids than fit."""
    message = f"{what}, the context has room for {most}"
    return RlxError("RLX901", message, fix="shorten the prompt, or raise the context", at=None)


def check_text(text: object) -> None:
    """Raises RLX903 for a value that is not a str, or a str with a lone surrogate, which broken decoding leaves behind."""
    if not isinstance(text, str):
        raise RlxError("RLX903", f"{text!r:.60} is {type(text).__name__}, not a text", fix="a str")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        message = f"the lone surrogate {text[error.start]!a} at character {error.start} is not text"
        raise RlxError("RLX903", message, fix="decode the bytes with errors='replace', or leave the character out") from None


def tokenizers_package() -> Any:
    """Imports the package `tokenizers` on first use; RLX803 if it is not installed."""
    try:
        import tokenizers
    except ImportError:
        raise RlxError(
            "RLX803", "tokens of a text need the package tokenizers", fix="pip install 'rlx[formats]'", at=None
        ) from None
    return tokenizers


# -- pre-tokenizer patterns of each family, as published, by GGUF's names for them (`tokenizer.ggml.pre`) ------------


_ENDINGS = "'s|'t|'re|'ve|'m|'ll|'d"
_SPACES = r"\s+(?!\S)|\s+"
_GPT2 = rf"{_ENDINGS}| ?\p{{L}}+| ?\p{{N}}+| ?[^\s\p{{L}}\p{{N}}]+|{_SPACES}"


def _modern(digits: str, letters: str = r"\p{L}", others: str = r"\p{L}\p{N}") -> str:
    """The pre-tokenizer pattern of Llama 3 and similar models: contractions, words with a leading symbol, line breaks."""
    return rf"(?i:{_ENDINGS})|[^\r\n\p{{L}}\p{{N}}]?[{letters}]+|{digits}| ?[^\s{others}]+[\r\n]*|\s*[\r\n]+|{_SPACES}"


_DIGITS_ALONE = (r"\p{N}", _GPT2)
_PATTERNS: dict[str, tuple[str, ...]] = {
    "gpt-2": (_GPT2,),
    "llama-bpe": (_modern(r"\p{N}{1,3}"),),
    "qwen2": (_modern(r"\p{N}"),),
    "qwen35": (_modern(r"\p{N}", r"\p{L}\p{M}", r"\p{L}\p{M}\p{N}"),),
    "smollm": _DIGITS_ALONE,
    "starcoder": _DIGITS_ALONE,
    "refact": _DIGITS_ALONE,
    "command-r": _DIGITS_ALONE,
    "falcon": (r"[\p{P}\$\+<=>\^~\|`]+", _GPT2, r"[0-9][0-9][0-9]"),
    "default": (r"[\p{P}\$\+<=>\^~\|]+", _GPT2, r"\p{N}+", r"[0-9][0-9][0-9]"),
}
_SAME = {
    "llama3": "llama-bpe",
    "llama-v3": "llama-bpe",
    "dbrx": "llama-bpe",
    "smaug-bpe": "llama-bpe",
    "mpt": "gpt-2",
    "olmo": "gpt-2",
    "gpt-neox": "gpt-2",
    "phi-2": "gpt-2",
    "modern-bert": "gpt-2",
    "jina-es": "gpt-2",
    "exaone": "gpt-2",
    "deepseek-r1-qwen": "qwen2",
    "stablelm2": "qwen2",
    "megrez": "qwen2",
    "codeshell": "starcoder",
}


def patterns_of(name: str) -> tuple[str, ...] | None:
    """The pre-tokenizer patterns of a family, each applied to the pieces of the previous one; None for an unknown name."""
    return _PATTERNS.get(_SAME.get(name, name))


# -- how the tokens of a vocabulary write bytes: GPT-2's letters, SentencePiece's `▁` and `<0x0A>` -------------------


SPACE = "▁"
BYTE_TOKEN = re.compile("<0x([0-9A-Fa-f]{2})>")


@lru_cache(maxsize=1)
def _byte_letters() -> dict[int, int | str]:
    """GPT-2's letters to bytes, for `str.translate`: printable ones map to themselves, the others are 256, 257, … in order."""
    printable = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    rest = [byte for byte in range(256) if byte not in printable]
    return (
        dict.fromkeys(rest, "\uffff") | {byte: byte for byte in printable} | {256 + index: byte for index, byte in enumerate(rest)}
    )


@lru_cache(maxsize=1)
def _letters_of_bytes() -> dict[int, int]:
    """Bytes, as latin-1, to GPT-2's letters, for `str.translate`."""
    return {byte: letter for letter, byte in _byte_letters().items() if isinstance(byte, int)}


def bytes_to_letters(text: bytes) -> str:
    """Converts bytes to GPT-2's printable letters.

    >>> bytes_to_letters(" low".encode())
    'Ġlow'
    """
    return text.decode("latin-1").translate(_letters_of_bytes())


def bytes_without_letter(vocabulary: Container[str]) -> bytes:
    """The bytes whose GPT-2 letters are not tokens: a tokenizer drops them from a text.

    >>> bytes_without_letter([bytes_to_letters(bytes([value])) for value in range(254)])
    b'\\xfe\\xff'
    """
    return bytes(value for value in range(256) if bytes_to_letters(bytes([value])) not in vocabulary)


def letters_to_bytes(text: str) -> bytes:
    """Converts a token in GPT-2's letters to bytes; a text with other characters is encoded as UTF-8."""
    try:
        return text.translate(_byte_letters()).encode("latin-1")
    except UnicodeEncodeError:
        return text.encode()


# -- the tokenizer in a folder's `tokenizer.json`, read by the package `tokenizers` ----------------------------------


_MOST_HOLES = 1 << 16  # ids without a token


def folder_tokenizer(folder: str | Path) -> Tokenizer:
    """Loads the tokenizer of a folder from `tokenizer.json` and `tokenizer_config.json`."""
    folder = Path(folder)
    if not (folder / "tokenizer.json").exists():
        return MissingTokenizer.of(folder)
    with naming(folder / "tokenizer.json"):
        return _from_json(folder)


_SAVES = "transformers.AutoTokenizer.from_pretrained(folder).save_pretrained(folder) writes it"
_OTHER_TOKENIZERS = {  # what a folder may have instead, and how it is converted
    "tokenizer.model": f"{_SAVES} from tokenizer.model (pip install sentencepiece)",
    "tekken.json": "transformers.integrations.mistral.convert_tekken_tokenizer('tekken.json').save_pretrained(folder) writes it",
    "vocab.json": f"{_SAVES} from vocab.json and merges.txt",
    "vocab.txt": f"{_SAVES} from vocab.txt",
    "spiece.model": f"{_SAVES} from spiece.model (pip install sentencepiece)",
}


@dataclass(frozen=True, repr=False)
class MissingTokenizer(Tokenizer):
    """The tokenizer of a folder without tokenizer.json: ids have no text, and encoding a text raises RLX703."""

    fix: str = ""

    @staticmethod
    def of(folder: Path) -> MissingTokenizer:
        """Builds one whose error names the files that the folder has instead."""
        there = [name for name in _OTHER_TOKENIZERS if (folder / name).exists()]
        has = f"it has {', '.join(there)}" if there else "and no other tokenizer"
        fix = _OTHER_TOKENIZERS[there[0]] if there else "download it too; without it, prompts are token ids"
        message = f"{folder} has no tokenizer.json, {has}"
        return MissingTokenizer((), frozenset(), None, frozenset(), False, False, None, file=message, fix=fix)

    def encode(self, text: str, **_: Any) -> list[int]:
        """Raises RLX703."""
        raise self._error()

    def stream(self, ids: Iterable[int], **_: Any) -> Iterator[str]:
        """Raises RLX703."""
        raise self._error()

    def _error(self) -> RlxError:
        return RlxError("RLX703", self.file, fix=self.fix, at=None)


def _from_json(folder: Path) -> Tokenizer:
    path = folder / "tokenizer.json"
    description = read_json(path)
    engine = _load_engine(path)
    settings = read_json(folder / "tokenizer_config.json") if (folder / "tokenizer_config.json").exists() else {}
    special = {entry["content"]: entry["id"] for entry in description.get("added_tokens", ()) if entry.get("special")}
    pieces = _json_pieces(engine, description)

    def id_of(key: str) -> int | None:
        value = settings.get(key)
        text = value.get("content") if isinstance(value, dict) else value
        return engine.token_to_id(text) if isinstance(text, str) else None

    bos, eos = id_of("bos_token"), id_of("eos_token")
    around = engine.encode("", add_special_tokens=True).ids  # what the file's own post-processor puts around a text
    if eos is None and len(around) > 1:
        eos = around[-1]
    if bos is None and around:
        bos = around[0]
    template = settings.get("chat_template")
    if template is None and (folder / "chat_template.jinja").exists():
        template = read_regular(folder / "chat_template.jinja").decode()
    longest, dropped = _bound_bytes(description, pieces)
    return Tokenizer(
        pieces,
        frozenset(special.values()),
        bos,
        frozenset(() if eos is None else (eos,)),
        add_bos=bool(around) and around[0] == bos,
        add_eos=len(around) > 1 or around == [eos],
        engine=engine,
        chat_template=template if isinstance(template, str) else None,
        strips_space=any(step.get("type") in ("Prepend", "Metaspace") for step in _steps(description)),
        names=special,
        file=str(path),
        longest=longest,
        dropped=dropped,
    )


def _load_engine(path: Path) -> Any:
    """Loads the engine of a tokenizer.json, which encodes texts without truncation or padding."""
    tokenizers = tokenizers_package()
    try:
        engine = tokenizers.Tokenizer.from_file(str(path))
    except Exception as error:  # the package raises bare Exceptions
        raise RlxError("RLX701", f"{path}: {str(error)[:300]}", at=None) from None
    engine.no_padding()
    engine.no_truncation()
    return engine


_KEEPING = {"Prepend", "Replace", "ByteLevel", "Metaspace", "Split", "Digits", "Sequence", "NFC"}
"""Normalizers and pre-tokenizers that do not drop any text."""
_COMPOSED = 3
"""The most bytes of a text per byte after NFC: three Hangul letters of three bytes each become a syllable of three bytes."""


def _bound_bytes(description: Mapping[str, Any], pieces: list[bytes]) -> tuple[int | None, bytes]:
    """The most bytes of a text that one id can stand for, and the bytes that no id has.
    None if nothing bounds them: if an unknown word is one id, or spaces are dropped."""
    model, steps = description.get("model") or {}, list(_steps(description))
    vocabulary, kinds = model.get("vocab") or {}, {step.get("type") for step in steps}
    by_letters = "ByteLevel" in kinds
    by_bytes = bool(model.get("byte_fallback")) and all(f"<0x{byte:02X}>" in vocabulary for byte in range(256))
    if model.get("type") != "BPE" or not (by_letters or by_bytes) or _drops_text(description, steps):
        return None, b""
    dropped = bytes_without_letter(vocabulary) if by_letters else b""
    if "NFC" in kinds and dropped:  # what it drops is not what a text has
        return None, b""
    return max(map(len, pieces), default=1) * (_COMPOSED if "NFC" in kinds else 1), dropped


def _drops_text(description: Mapping[str, Any], steps: Iterable[Mapping[str, Any]]) -> bool:
    """Whether a tokenizer step, or a token that strips the spaces around it, may drop a part of a text."""
    if any(entry.get("lstrip") or entry.get("rstrip") for entry in description.get("added_tokens", ())):
        return True
    for step in steps:
        if step.get("behavior") == "Removed" or step.get("type") not in _KEEPING:
            return True
        if step.get("type") == "Replace" and (step.get("pattern") != {"String": " "} or step.get("content") != SPACE):
            return True
    return False


def _steps(description: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Every normalizer and pre-tokenizer of a tokenizer.json, nested ones included."""
    pending = [description.get("normalizer"), description.get("pre_tokenizer")]
    while pending:
        step = pending.pop()
        if isinstance(step, dict):
            yield step
            pending += [*step.get("normalizers", ()), *step.get("pretokenizers", ())]


def _json_pieces(engine: Any, description: Mapping[str, Any]) -> list[bytes]:
    """The bytes of each id, by the decoder that tokenizer.json declares."""
    kinds = str(description.get("decoder"))
    added = {entry["id"]: entry["content"] for entry in description.get("added_tokens", ())}
    texts = {number: text for text, number in engine.get_vocab(with_added_tokens=True).items()}
    count = max(texts, default=-1) + 1
    if count > 2 * len(texts) + _MOST_HOLES:
        raise RlxError("RLX701", f"an id is {count - 1}, there are {len(texts)} tokens", fix="ids in one row, from 0", at=None)
    pieces = []
    for number in range(count):
        text = texts.get(number, "")
        if number in added:
            pieces.append(added[number].encode())
        elif "ByteLevel" in kinds:
            pieces.append(letters_to_bytes(text))
        elif "WordPiece" in kinds:
            pieces.append(text.removeprefix("##").encode() if text.startswith("##") else f" {text}".encode())
        elif byte := BYTE_TOKEN.fullmatch(text):
            pieces.append(bytes([int(byte[1], 16)]))
        else:
            pieces.append(text.replace(SPACE, " ").encode())
    return pieces
