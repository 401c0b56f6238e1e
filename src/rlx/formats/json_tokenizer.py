"""The tokenizer in a folder's `tokenizer.json`, read by the package `tokenizers`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rlx.core.errors import RlxError
from rlx.core.files import naming, read_regular
from rlx.formats.safetensors import read_json
from rlx.formats.token_bytes import BYTE_TOKEN, SPACE, bytes_without_letter, letters_to_bytes
from rlx.formats.tokenizer import Tokenizer, tokenizers_package

_MOST_HOLES = 1 << 16  # ids without a token


def folder_tokenizer(folder: str | Path) -> Tokenizer:
    """The tokenizer in `tokenizer.json` and `tokenizer_config.json`."""
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
    """Of a folder without tokenizer.json: ids go in and come out, they stand for no text, and texts are RLX703."""

    fix: str = ""

    @staticmethod
    def of(folder: Path) -> MissingTokenizer:
        """Says what the folder has instead."""
        there = [name for name in _OTHER_TOKENIZERS if (folder / name).exists()]
        has = f"it has {', '.join(there)}" if there else "and no other tokenizer"
        fix = _OTHER_TOKENIZERS[there[0]] if there else "download it too; without it, prompts are token ids"
        message = f"{folder} has no tokenizer.json, {has}"
        return MissingTokenizer((), frozenset(), None, frozenset(), False, False, None, file=message, fix=fix)

    def encode(self, text: str, **_: Any) -> list[int]:
        """There is no way."""
        raise self._error()

    def stream(self, ids: Iterable[int], **_: Any) -> Iterator[str]:
        """There is no way."""
        raise self._error()

    def _error(self) -> RlxError:
        return RlxError("RLX703", self.file, fix=self.fix, at=None)


def _from_json(folder: Path) -> Tokenizer:
    tokenizers = tokenizers_package()
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
        *_bound(description, pieces),
    )


_KEEPING = {"Prepend", "Replace", "ByteLevel", "Metaspace", "Split", "Digits", "Sequence", "NFC"}
"""Steps before a model that drop nothing of a text."""
_COMPOSED = 3
"""Bytes of a text for each that is left after NFC, at most: three letters of Hangul, of three bytes each, become a syllable of three."""


def _bound(description: Mapping[str, Any], pieces: list[bytes]) -> tuple[int | None, bytes]:
    """Bytes of a text that an id can stand for, and bytes that none does; None where nothing bounds them: where an unknown word is one id,
    or spaces are dropped."""
    model, steps = description.get("model") or {}, list(_steps(description))
    vocabulary, kinds = model.get("vocab") or {}, {step.get("type") for step in steps}
    by_letters = "ByteLevel" in kinds
    by_bytes = bool(model.get("byte_fallback")) and all(f"<0x{byte:02X}>" in vocabulary for byte in range(256))
    drops = any(step.get("behavior") == "Removed" or step.get("type") not in _KEEPING for step in steps)
    drops = drops or any(one.get("lstrip") or one.get("rstrip") for one in description.get("added_tokens", ()))
    replaced = [step for step in steps if step.get("type") == "Replace"]
    drops = drops or any(step.get("pattern") != {"String": " "} or step.get("content") != SPACE for step in replaced)
    if model.get("type") != "BPE" or drops or not (by_letters or by_bytes):
        return None, b""
    dropped = bytes_without_letter(vocabulary) if by_letters else b""
    if "NFC" in kinds and dropped:  # what it drops is not what a text has
        return None, b""
    return max(map(len, pieces), default=1) * (_COMPOSED if "NFC" in kinds else 1), dropped


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
