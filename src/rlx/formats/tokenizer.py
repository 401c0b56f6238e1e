"""Tokenizers: from a GGUF's vocabulary or a folder's `tokenizer.json`, on the package `tokenizers`; and text from ids, also piece by piece.

Three kinds of vocabulary are known: bytes merged in pairs (GPT-2 and most since), SentencePiece's merges by score (Llama 2, Gemma, Phi-3),
and word pieces (BERT). Decoding needs no package: every id stands for some bytes.
"""

from __future__ import annotations

import codecs
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, overload

import numpy as np

from rlx.core.errors import RlxError
from rlx.core.files import naming, read_regular
from rlx.formats.gguf import GgufFile
from rlx.formats.safetensors import read_json
from rlx.formats.score_merges import score_merges
from rlx.formats.split_patterns import patterns_of

__all__ = ["Tokenizer"]

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
SPACE = "▁"
_BYTE = re.compile("<0x([0-9A-Fa-f]{2})>")
_MOST_HOLES = 1 << 16  # ids without a token


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
    _lock: Any = field(
        default_factory=threading.Lock, init=False, repr=False, compare=False
    )  # `engine` has one setting for all

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
        if number < 0:
            raise RlxError("RLX903", f"{number} is no id", fix=f"ids are 0 to {self.vocabulary - 1}")
        return self.pieces[number] if number < len(self.pieces) else b""

    def decode(self, ids: Iterable[int], *, special: bool = False) -> str:
        """The text of some ids; bytes that are no UTF-8 become U+FFFD."""
        return "".join(self.stream(ids, special=special))

    def stream(self, ids: Iterable[int], *, special: bool = False) -> Iterator[str]:
        """The text of ids as they come; a character whose bytes are spread over ids comes with its last one."""
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

    @staticmethod
    def from_gguf(file: GgufFile) -> Tokenizer:
        """The tokenizer in a GGUF's metadata."""
        with naming(file.path):
            return _from_gguf(file)

    @staticmethod
    def from_folder(folder: str | Path) -> Tokenizer:
        """The tokenizer in `tokenizer.json` and `tokenizer_config.json`."""
        with naming(Path(folder) / "tokenizer.json"):
            return _from_json(Path(folder))


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


# -- from GGUF ----------------------------------------------------------------------------------------------------
def _from_gguf(file: GgufFile) -> Tokenizer:
    kind = str(file.get("tokenizer.ggml.model"))
    makers = {"gpt2": _from_merges, "llama": _from_scores, "bert": _from_words}
    if kind not in makers:
        message = f"{file.path}: tokenizer {kind!r}"
        raise RlxError(
            "RLX702", message, fix=f"read are: {', '.join(makers)}; or give a folder with tokenizer.json", at=None
        )
    return makers[kind](_Vocabulary(file))


class _Vocabulary:
    """The `tokenizer.ggml.*` of a file, checked."""

    def __init__(self, file: GgufFile) -> None:
        self.file = file
        self.tokens = self.texts("tokens")
        plain = [NORMAL] * len(self.tokens)
        self.types: list[int] = plain if self.get("token_type", None) is None else self.numbers("token_type", np.int64)

    def get(self, key: str, *default: Any) -> Any:
        return self.file.get(f"tokenizer.ggml.{key}", *default)

    def wrong(self, key: str, wanted: str) -> RlxError:
        """Of a key that holds something else."""
        return RlxError(
            "RLX701", f"{self.file.path}: tokenizer.ggml.{key} is {str(self.get(key))[:60]}", fix=wanted, at=None
        )

    def texts(self, key: str) -> list[str]:
        """A list of texts."""
        found = self.get(key)
        if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
            raise self.wrong(key, "a list of texts")
        return found

    def numbers(self, key: str, dtype: Any) -> list[Any]:
        """A number for each token."""
        found = self.get(key)
        if not isinstance(found, np.ndarray) or len(found) != len(self.tokens):
            raise self.wrong(key, f"a number for each of {len(self.tokens)} tokens")
        listed: list[Any] = found.astype(dtype).tolist()
        return listed

    def flag(self, key: str, default: bool) -> bool:
        """A yes or a no."""
        found = self.get(key, default)
        if not isinstance(found, (bool, int)):
            raise self.wrong(key, "true or false")
        return bool(found)

    def id(self, key: str) -> int | None:
        """The number of a token with a meaning; none where the file names none, or one that it does not have."""
        found = self.get(f"{key}_token_id", None)
        if found is not None and not isinstance(found, int):
            raise self.wrong(f"{key}_token_id", "the number of a token")
        return found if found is not None and 0 <= found < len(self.tokens) else None

    def byte(self, text: str) -> bytes:
        """What a token like `<0x0A>` stands for."""
        found = _BYTE.fullmatch(text)
        if found is None:
            raise RlxError(
                "RLX701",
                f"{self.file.path}: the token {text!r} is said to be a byte",
                fix="bytes are written <0x0A>",
                at=None,
            )
        return bytes([int(found[1], 16)])

    @cached_property
    def control(self) -> frozenset[int]:
        kinds = {CONTROL, UNKNOWN, UNUSED}
        return frozenset(number for number, kind in enumerate(self.types) if kind in kinds)

    @cached_property
    def ids(self) -> dict[str, int]:
        """Numbers by token; of equal ones the first."""
        found = dict(zip(self.tokens, range(len(self.tokens)), strict=True))
        return (
            found
            if len(found) == len(self.tokens)
            else dict(zip(reversed(self.tokens), reversed(range(len(self.tokens))), strict=True))
        )

    @property
    def added(self) -> list[tuple[str, bool]]:
        """Tokens that are matched before all others: (text, special), longest first where one begins another."""
        kinds = {CONTROL: True, USER_DEFINED: False}
        return [
            (text, kinds[kind]) for text, kind in zip(self.tokens, self.types, strict=True) if kind in kinds and text
        ]

    def complete(self, engine: Any, pieces: Sequence[bytes], **more: Any) -> Tokenizer:
        """Special tokens, template and flags on what a kind has made."""
        from tokenizers import AddedToken

        engine.add_special_tokens(
            [AddedToken(text, normalized=False, special=True) for text, special in self.added if special]
        )
        engine.add_tokens([AddedToken(text, normalized=False) for text, special in self.added if not special])
        ends = frozenset(number for key in ("eos", "eot", "eom") if (number := self.id(key)) is not None)
        template = self.file.get("tokenizer.chat_template", None)
        names = {self.tokens[number]: number for number in self.control}
        settings: dict[str, Any] = {
            "bos": self.id("bos"),
            "eos": ends,
            "add_bos": self.flag("add_bos_token", False),
            "add_eos": self.flag("add_eos_token", False),
            "names": names,
            "chat_template": template if isinstance(template, str) else None,
            "file": str(self.file.path),
        }
        return Tokenizer(pieces, self.control, engine=engine, **{**settings, **more})


def _from_merges(vocabulary: _Vocabulary) -> Tokenizer:
    """Bytes, written as printable letters, merged in the order of a list; texts are split by a pattern first."""
    tokenizers = _package()
    tokens, types, ids = vocabulary.tokens, vocabulary.types, vocabulary.ids
    pre = str(vocabulary.get("pre", "default"))
    patterns = patterns_of(pre)
    if patterns is None:
        message = f"{vocabulary.file.path}: tokenizer.ggml.pre is {pre!r}, and how that splits a text is not known"
        raise RlxError(
            "RLX702",
            message,
            fix="give a folder with tokenizer.json, or add the pattern to formats/split_patterns.py",
            at=None,
        )
    texts = vocabulary.texts("merges")
    merges = [(left, right) for left, space, right in [text.partition(" ") for text in texts] if space]
    if len(merges) != len(texts):
        raise RlxError("RLX701", f"{vocabulary.file.path}: a merge without a space in it", at=None)
    whole = pre in _WHOLE_WORDS_FIRST
    try:
        model = tokenizers.models.BPE(ids, merges, ignore_merges=whole)
    except Exception:  # the package raises bare Exceptions: some merge is of no token, or makes none
        merges = [pair for pair in merges if pair[0] in ids and pair[1] in ids and "".join(pair) in ids]
        model = tokenizers.models.BPE(ids, merges, ignore_merges=whole)
    engine = tokenizers.Tokenizer(model)
    steps = [tokenizers.pre_tokenizers.Split(tokenizers.Regex(pattern), "isolated") for pattern in patterns]
    byte_level = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    engine.pre_tokenizer = tokenizers.pre_tokenizers.Sequence([*steps, byte_level])

    def piece(number: int) -> bytes:
        return tokens[number].encode() if types[number] in (CONTROL, USER_DEFINED) else _bytes_of(tokens[number])

    add = vocabulary.flag("add_bos_token", pre == "llama-bpe")
    return vocabulary.complete(engine, Pieces(len(tokens), piece), add_bos=add)


_WHOLE_WORDS_FIRST = {"llama-bpe", "llama3", "llama-v3"}
"""A word that is a token is taken whole, even where the merges would not make it."""


def _from_scores(vocabulary: _Vocabulary) -> Tokenizer:
    """SentencePiece: spaces become ▁, and of all neighbours the pair whose union scores best is merged first."""
    tokenizers = _package()
    tokens, types, ids = vocabulary.tokens, vocabulary.types, vocabulary.ids
    scores = vocabulary.numbers("scores", np.float64)
    made = (text for text, number in ids.items() if types[number] in (NORMAL, USER_DEFINED))
    merges = score_merges(ids, made, lambda text: scores[ids[text]], _MOST_CHARACTERS)
    unknown = vocabulary.id("unknown")
    model = tokenizers.models.BPE(
        ids, merges, byte_fallback=True, fuse_unk=True, unk_token=None if unknown is None else tokens[unknown]
    )
    engine = tokenizers.Tokenizer(model)
    prefix = vocabulary.flag("add_space_prefix", True)
    steps = [tokenizers.normalizers.Prepend(SPACE)] if prefix else []
    engine.normalizer = tokenizers.normalizers.Sequence([*steps, tokenizers.normalizers.Replace(" ", SPACE)])
    single = {number: vocabulary.byte(tokens[number]) for number, kind in enumerate(types) if kind == BYTE}

    def piece(number: int) -> bytes:
        return single[number] if number in single else tokens[number].replace(SPACE, " ").encode()

    return vocabulary.complete(
        engine, Pieces(len(tokens), piece), strips_space=prefix, add_bos=vocabulary.flag("add_bos_token", True)
    )


_MOST_CHARACTERS = 1 << 26
"""Of all merges that scores make: ten times those of the largest vocabularies."""


def _from_words(vocabulary: _Vocabulary) -> Tokenizer:
    """Word pieces: GGUF marks the beginning of a word with ▁, where BERT marks what goes on with ##."""
    tokenizers = _package()
    words = [
        text if kind == CONTROL else text[1:] if text.startswith(SPACE) else f"##{text}"
        for text, kind in zip(vocabulary.tokens, vocabulary.types, strict=True)
    ]
    ids = {text: number for number, text in reversed(list(enumerate(words)))}
    unknown = vocabulary.id("unknown")
    engine = tokenizers.Tokenizer(
        tokenizers.models.WordPiece(ids, unk_token="[UNK]" if unknown is None else words[unknown])
    )
    engine.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True)
    engine.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    pieces = [text.replace(SPACE, " ").encode() for text in vocabulary.tokens]
    ends = vocabulary.id("seperator")  # the key is spelled so
    around = {
        "bos": vocabulary.id("cls"),
        "eos": frozenset(() if ends is None else (ends,)),
        "add_bos": True,
        "add_eos": True,
    }
    return vocabulary.complete(engine, pieces, strips_space=True, **around)


# -- from a folder -------------------------------------------------------------------------------------------------
def _from_json(folder: Path) -> Tokenizer:
    tokenizers = _package()
    path = folder / "tokenizer.json"
    description = read_json(path)
    try:
        engine = tokenizers.Tokenizer.from_file(str(path))
    except Exception as error:  # the package raises bare Exceptions
        raise RlxError("RLX701", f"{path}: {str(error)[:300]}", at=None) from None
    engine.no_padding()
    engine.no_truncation()
    settings = read_json(folder / "tokenizer_config.json") if (folder / "tokenizer_config.json").exists() else {}
    special = frozenset(entry["id"] for entry in description.get("added_tokens", ()) if entry.get("special"))
    pieces = _json_pieces(engine, description)
    names = {entry["content"]: entry["id"] for entry in description.get("added_tokens", ()) if entry.get("special")}

    def named(key: str) -> int | None:
        value = settings.get(key)
        text = value.get("content") if isinstance(value, dict) else value
        return engine.token_to_id(text) if isinstance(text, str) else None

    bos, eos = named("bos_token"), named("eos_token")
    around = engine.encode("", add_special_tokens=True).ids  # what the file's own post-processor puts around a text
    eos = around[-1] if eos is None and len(around) > 1 else eos
    template = settings.get("chat_template")
    if template is None and (folder / "chat_template.jinja").exists():
        template = read_regular(folder / "chat_template.jinja").decode()
    prefixed = any(step.get("type") in ("Prepend", "Metaspace") for step in _steps(description))
    return Tokenizer(
        pieces,
        special,
        around[0] if around and bos is None else bos,
        frozenset(() if eos is None else (eos,)),
        bool(around) and around[0] == (bos if bos is not None else around[0]),
        len(around) > 1 or around == [eos],
        engine,
        template if isinstance(template, str) else None,
        prefixed,
        names,
        str(path),
    )


def _steps(description: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Every normalizer and pre-tokenizer."""
    pending = [description.get("normalizer"), description.get("pre_tokenizer")]
    while pending:
        step = pending.pop()
        if isinstance(step, dict):
            yield step
            pending += [*step.get("normalizers", ()), *step.get("pretokenizers", ())]


def _json_pieces(engine: Any, description: Mapping[str, Any]) -> list[bytes]:
    """The bytes of each id, by what the file's decoder does."""
    kinds = str(description.get("decoder"))
    added = {entry["id"]: entry["content"] for entry in description.get("added_tokens", ())}
    texts = {number: text for text, number in engine.get_vocab(with_added_tokens=True).items()}
    count = max(texts, default=-1) + 1
    if count > 2 * len(texts) + _MOST_HOLES:
        raise RlxError(
            "RLX701", f"an id is {count - 1}, there are {len(texts)} tokens", fix="ids in one row, from 0", at=None
        )
    pieces = []
    for number in range(count):
        text = texts.get(number, "")
        if number in added:
            pieces.append(added[number].encode())
        elif "ByteLevel" in kinds:
            pieces.append(_bytes_of(text))
        elif "WordPiece" in kinds:
            pieces.append(text.removeprefix("##").encode() if text.startswith("##") else f" {text}".encode())
        elif byte := _BYTE.fullmatch(text):
            pieces.append(bytes([int(byte[1], 16)]))
        else:
            pieces.append(text.replace(SPACE, " ").encode())
    return pieces


# -- bytes as letters ----------------------------------------------------------------------------------------------
@lru_cache(maxsize=1)
def _byte_letters() -> dict[int, int | str]:
    """For `str.translate`: GPT-2's letters to bytes. Printable ones stand for themselves, the others are 256, 257, … in order."""
    printable = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    rest = [byte for byte in range(256) if byte not in printable]
    return (
        dict.fromkeys(rest, "\uffff")
        | {byte: byte for byte in printable}
        | {256 + index: byte for index, byte in enumerate(rest)}
    )


def _bytes_of(text: str) -> bytes:
    """What a token of letters stands for; a text with other characters stands for itself."""
    try:
        return text.translate(_byte_letters()).encode("latin-1")
    except UnicodeEncodeError:
        return text.encode()


def _package() -> Any:
    try:
        import tokenizers
    except ImportError:
        raise RlxError(
            "RLX702", "text needs the package tokenizers", fix="pip install 'rlx[formats]'", at=None
        ) from None
    return tokenizers
