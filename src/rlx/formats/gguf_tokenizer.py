"""The tokenizer in a GGUF's metadata, built on the package `tokenizers`.

Three kinds of vocabulary are known: bytes merged in pairs (GPT-2 and most since), SentencePiece's merges by score (Llama 2, Gemma, Phi-3),
and word pieces (BERT).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from rlx.core.errors import RlxError
from rlx.core.files import naming
from rlx.formats.gguf import GgufFile
from rlx.formats.tokenizer import (
    BYTE_TOKEN,
    SPACE,
    LazyEngine,
    Pieces,
    Tokenizer,
    bytes_to_letters,
    bytes_without_letter,
    letters_to_bytes,
    listed_merges,
    patterns_of,
    score_merges,
    tokenizers_package,
)

_SENTENCEPIECE_IDS = {"unknown": 0, "bos": 1, "eos": 2}
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)


def gguf_tokenizer(file: GgufFile) -> Tokenizer:
    """Builds the tokenizer described by a GGUF's metadata."""
    with naming(file.path):
        return _of_kind(file)


def _of_kind(file: GgufFile) -> Tokenizer:
    kind = str(file.get("tokenizer.ggml.model"))
    makers = {"gpt2": _from_merges, "llama": _from_scores, "bert": _from_words}
    if kind not in makers:
        message = f"{file.path}: tokenizer {kind!r}"
        raise RlxError("RLX702", message, fix=f"read are: {', '.join(makers)}; or give a folder with tokenizer.json", at=None)
    return makers[kind](_Vocabulary(file))


class _Vocabulary:
    """The checked `tokenizer.ggml.*` metadata of a GGUF file."""

    def __init__(self, file: GgufFile) -> None:
        self.file = file
        self._special: dict[str, int | None] = {}
        self.tokens = self.texts("tokens")
        self.types = bytes([NORMAL]) * len(self.tokens) if self.get("token_type", None) is None else self._kinds()

    def get(self, key: str, *default: Any) -> Any:
        return self.file.get(f"tokenizer.ggml.{key}", *default)

    def wrong(self, key: str, wanted: str) -> RlxError:
        """The error for a tokenizer key with a value of another type."""
        return RlxError("RLX701", f"{self.file.path}: tokenizer.ggml.{key} is {str(self.get(key))[:60]}", fix=wanted, at=None)

    def texts(self, key: str) -> list[str]:
        """Reads a list of texts."""
        value = self.get(key)
        if not isinstance(value, list) or not {*map(type, value)} <= {str}:
            raise self.wrong(key, "a list of texts")
        return value

    def numbers(self, key: str) -> np.ndarray[Any, Any]:
        """Reads a number for each token."""
        value = self.get(key)
        if not isinstance(value, np.ndarray) or len(value) != len(self.tokens):
            raise self.wrong(key, f"a number for each of {len(self.tokens)} tokens")
        return value

    def _kinds(self) -> bytes:
        """Reads the kind of each token, one byte; 0 is an unknown kind."""
        kinds = self.numbers("token_type")
        return np.where((kinds >= NORMAL) & (kinds <= BYTE), kinds, 0).astype(np.uint8).tobytes()

    def of_kind(self, *kinds: int) -> list[int]:
        """The ids of the tokens of some kinds."""
        listed: list[int] = np.flatnonzero(np.isin(np.frombuffer(self.types, np.uint8), kinds)).tolist()
        return listed

    def flag(self, key: str, default: bool) -> bool:
        """Reads a bool."""
        value = self.get(key, default)
        if not isinstance(value, (bool, int)):
            raise self.wrong(key, "true or false")
        return bool(value)

    def id(self, key: str) -> int | None:
        """The id of a special token such as BOS.
        If the file has no valid id, it is SentencePiece's own; other kinds of vocabularies have none."""
        if key not in self._special:
            self._special[key] = self._checked_id(key)
        return self._special[key]

    def _checked_id(self, key: str) -> int | None:
        number, count = self.get(f"{key}_token_id", None), len(self.tokens)
        if number is not None and not isinstance(number, int):
            raise self.wrong(f"{key}_token_id", "the number of a token")
        if number is not None and 0 <= number < count:
            return number
        usual = _SENTENCEPIECE_IDS.get(key, count) if self.get("model", None) == "llama" else count
        taken = usual if usual < count else None
        if number is not None:
            instead = "none is used" if taken is None else f"{taken} is used, SentencePiece's own"
            message = f"tokenizer.ggml.{key}_token_id is {number}, the vocabulary has {count} tokens: {instead}"
            warnings.warn(f"rlx: {self.file.path}: {message}", stacklevel=2)
        return taken

    def byte(self, text: str) -> bytes:
        """The byte that a token like `<0x0A>` stands for."""
        match = BYTE_TOKEN.fullmatch(text)
        if match is None:
            raise RlxError(
                "RLX701", f"{self.file.path}: the token {text!r} is said to be a byte", fix="bytes are written <0x0A>", at=None
            )
        return bytes([int(match[1], 16)])

    @cached_property
    def control(self) -> frozenset[int]:
        return frozenset(self.of_kind(CONTROL, UNKNOWN, UNUSED))

    @cached_property
    def ids(self) -> dict[str, int]:
        """The id of each token text; the first of equal ones."""
        ids = dict(zip(self.tokens, range(len(self.tokens)), strict=True))
        return (
            ids
            if len(ids) == len(self.tokens)
            else dict(zip(reversed(self.tokens), reversed(range(len(self.tokens))), strict=True))
        )

    @cached_property
    def added(self) -> list[tuple[str, bool]]:
        """Special tokens that are matched first: (text, special), longest first where one is a prefix of another."""
        numbers = self.of_kind(CONTROL, USER_DEFINED)
        return [(text, self.types[number] == CONTROL) for number in numbers if (text := self.tokens[number])]

    def with_added(self, engine: Any) -> Any:
        """Adds to an engine the tokens that are matched first."""
        token = tokenizers_package().AddedToken
        engine.add_special_tokens([token(text, normalized=False, special=True) for text, special in self.added if special])
        engine.add_tokens([token(text, normalized=False) for text, special in self.added if not special])
        return engine

    def complete(self, engine: Any, pieces: Sequence[bytes], **more: Any) -> Tokenizer:
        """Adds special tokens, template and flags to an engine."""
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
    """Builds a byte-level BPE engine: bytes as printable letters, merged by rank, after a split by a pattern."""
    tokenizers = tokenizers_package()
    tokens, types, ids = vocabulary.tokens, vocabulary.types, vocabulary.ids
    pre = str(vocabulary.get("pre", "default"))
    patterns = patterns_of(pre)
    if patterns is None:
        message = f"{vocabulary.file.path}: tokenizer.ggml.pre is {pre!r}, and how that splits a text is not known"
        raise RlxError(
            "RLX702", message, fix="give a folder with tokenizer.json, or add the pattern to formats/split_patterns.py", at=None
        )
    texts = vocabulary.texts("merges")
    if not all(" " in text for text in texts):
        raise RlxError("RLX701", f"{vocabulary.file.path}: a merge without a space in it", at=None)
    ranks = dict(zip(texts, range(len(texts)), strict=True))
    steps = [tokenizers.pre_tokenizers.Split(tokenizers.Regex(pattern), "isolated") for pattern in patterns]
    byte_level = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)

    def engine_of(some: Mapping[str, int]) -> Any:
        merges = listed_merges(some, ranks)
        engine = tokenizers.Tokenizer(tokenizers.models.BPE(some, merges, ignore_merges=pre in _WHOLE_WORDS_FIRST))
        engine.pre_tokenizer = tokenizers.pre_tokenizers.Sequence([*steps, byte_level])
        return vocabulary.with_added(engine)

    added = [text for text, _ in vocabulary.added]
    engine = LazyEngine(engine_of, ids, added, lambda text: [bytes_to_letters(text.encode())])

    def piece(number: int) -> bytes:
        return tokens[number].encode() if types[number] in (CONTROL, USER_DEFINED) else letters_to_bytes(tokens[number])

    add = vocabulary.flag("add_bos_token", pre == "llama-bpe")
    longest = max([*map(len, tokens), *(len(text.encode()) for text in added)], default=1)  # a letter is a byte
    bound = {"longest": longest, "dropped": bytes_without_letter(ids)}
    return vocabulary.complete(engine, Pieces(len(tokens), piece), add_bos=add, **bound)


_WHOLE_WORDS_FIRST = {"llama-bpe", "llama3", "llama-v3"}
"""Models in which a word that is a token stays one token, even if the merges would not produce it."""


def _from_scores(vocabulary: _Vocabulary) -> Tokenizer:
    """Builds a SentencePiece engine: spaces become ▁, and the adjacent pair whose merged piece scores best is merged first."""
    tokenizers = tokenizers_package()
    tokens, types, ids = vocabulary.tokens, vocabulary.types, vocabulary.ids
    scores = vocabulary.numbers("scores").astype(np.float64).data  # of which one number is a float
    unknown = vocabulary.id("unknown")
    prefix = vocabulary.flag("add_space_prefix", True)
    steps = [tokenizers.normalizers.Prepend(SPACE)] if prefix else []

    def engine_of(some: Mapping[str, int]) -> Any:
        made = (text for text, number in some.items() if types[number] in (NORMAL, USER_DEFINED))
        merges = score_merges(some, made, lambda text: scores[some[text]], _MOST_CHARACTERS)
        model = tokenizers.models.BPE(
            some, merges, byte_fallback=True, fuse_unk=True, unk_token=None if unknown is None else tokens[unknown]
        )
        engine = tokenizers.Tokenizer(model)
        engine.normalizer = tokenizers.normalizers.Sequence([*steps, tokenizers.normalizers.Replace(" ", SPACE)])
        return vocabulary.with_added(engine)

    added, lengths = [text for text, _ in vocabulary.added], np.fromiter(map(len, ids), np.int64, len(ids))
    longest = int(lengths.max(initial=0))

    def written(text: str) -> list[str]:
        """The text as SentencePiece reads it: with a space at the beginning, and after each token that may be matched first."""
        ends = {place + len(one) for one in added if one in text for place in _places(one, text)} if prefix else ()
        parts = [text, *(text[end : end + longest] for end in ends)]
        return [SPACE * prefix + part.replace(" ", SPACE) for part in parts]

    single = {number: vocabulary.byte(tokens[number]) for number in vocabulary.of_kind(BYTE)}
    always = [tokens[number] for number in sorted({*single, *(() if unknown is None else (unknown,))})]
    merged = int((lengths**2).sum())  # at least the characters of all merges
    lazy = merged <= _MOST_CHARACTERS and not _merges_markers(ids, None if unknown is None else tokens[unknown])
    engine = LazyEngine(engine_of, ids, [*always, *added], written) if lazy else engine_of(ids)

    def piece(number: int) -> bytes:
        return single[number] if number in single else tokens[number].replace(SPACE, " ").encode()

    return vocabulary.complete(
        engine,
        Pieces(len(tokens), piece),
        strips_space=prefix,
        add_bos=vocabulary.flag("add_bos_token", True),
        longest=max(len(text.encode()) for text in tokens) if len(single) == 256 else None,
    )


def _merges_markers(ids: Mapping[str, int], unknown: str | None) -> bool:
    """Whether a token is merged from tokens that stand for bytes, or from the unknown one."""
    if any("<0x" in text and len(text) > 6 and BYTE_TOKEN.search(text) for text in ids):
        return True
    return unknown is not None and sum(unknown in text for text in ids) > 1


def _places(part: str, text: str) -> Iterator[int]:
    """The offsets of a part in a text, overlapping ones too."""
    offset = text.find(part)
    while offset >= 0:
        yield offset
        offset = text.find(part, offset + 1)


_MOST_CHARACTERS = 1 << 26
"""The most characters of all merges made by scores: ten times those of the largest vocabularies."""


def _from_words(vocabulary: _Vocabulary) -> Tokenizer:
    """Builds a WordPiece engine: GGUF marks the first piece of a word with ▁, BERT marks the others with ##."""
    tokenizers = tokenizers_package()
    words = [
        text if kind == CONTROL else text[1:] if text.startswith(SPACE) else f"##{text}"
        for text, kind in zip(vocabulary.tokens, vocabulary.types, strict=True)
    ]
    ids = {text: number for number, text in reversed(list(enumerate(words)))}
    unknown = vocabulary.id("unknown")
    engine = tokenizers.Tokenizer(tokenizers.models.WordPiece(ids, unk_token="[UNK]" if unknown is None else words[unknown]))
    engine.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True)
    engine.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    pieces = [text.replace(SPACE, " ").encode() for text in vocabulary.tokens]
    ends = vocabulary.id("seperator")  # the key is spelled so
    around = {"bos": vocabulary.id("cls"), "eos": frozenset(() if ends is None else (ends,)), "add_bos": True, "add_eos": True}
    return vocabulary.complete(engine, pieces, strips_space=True, **around)
