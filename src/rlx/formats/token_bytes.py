"""How the tokens of a vocabulary write bytes: GPT-2's letters, SentencePiece's `▁` and `<0x0A>`."""

from __future__ import annotations

import re
from collections.abc import Container
from functools import lru_cache

SPACE = "▁"
BYTE_TOKEN = re.compile("<0x([0-9A-Fa-f]{2})>")


@lru_cache(maxsize=1)
def _byte_letters() -> dict[int, int | str]:
    """For `str.translate`: GPT-2's letters to bytes. Printable ones stand for themselves, the others are 256, 257, … in order."""
    printable = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    rest = [byte for byte in range(256) if byte not in printable]
    return (
        dict.fromkeys(rest, "\uffff") | {byte: byte for byte in printable} | {256 + index: byte for index, byte in enumerate(rest)}
    )


@lru_cache(maxsize=1)
def _letters_of_bytes() -> dict[int, int]:
    """For `str.translate`: bytes, as latin-1, to GPT-2's letters."""
    return {byte: letter for letter, byte in _byte_letters().items() if isinstance(byte, int)}


def bytes_to_letters(text: bytes) -> str:
    """How GPT-2 writes some bytes.

    >>> bytes_to_letters(" low".encode())
    'Ġlow'
    """
    return text.decode("latin-1").translate(_letters_of_bytes())


def bytes_without_letter(vocabulary: Container[str]) -> bytes:
    """The bytes whose letters are no tokens: of a text that has them, a tokenizer drops them.

    >>> bytes_without_letter([bytes_to_letters(bytes([value])) for value in range(254)])
    b'\\xfe\\xff'
    """
    return bytes(value for value in range(256) if bytes_to_letters(bytes([value])) not in vocabulary)


def letters_to_bytes(text: str) -> bytes:
    """What a token of letters stands for; a text with other characters stands for itself."""
    try:
        return text.translate(_byte_letters()).encode("latin-1")
    except UnicodeEncodeError:
        return text.encode()
