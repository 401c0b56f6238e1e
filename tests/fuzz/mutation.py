"""Damaged text: words dropped, doubled, swapped, replaced, numbers changed, the end cut off."""

from __future__ import annotations

import random
import re

_WORD = re.compile(r'\s+|"[^"\n]*"|%\d+|[A-Za-z_]\w*|-?\d+|.', re.DOTALL)
_NUMBER = re.compile(r"-?\d+")
_STRANGERS = [
    "0",
    "-1",
    "99",
    "1",
    "none",
    "true",
    "nan",
    "inf",
    "f32",
    "bool",
    "c64",
    "%0",
    "%9",
    "%0.1",
    "(",
    ")",
    "[",
    "]",
    ",",
    "=",
    ":",
    "{",
    "}",
    "n",
    "-",
    "*",
    '"x"',
    '"',
    '"\\q"',
    "axis",
    "#00",
    'x"00"',
    'x"0"',
    "1e400",
    "..",
    "3.5",
    "_",
    "@",
    "floordiv",
    "floordiv(3, 0)",
    "//",
    "sym",
    "return",
    "plan",
    "5000000000000",
    "9" * 5000,
    "\\",
    "\x00",
    "é",
    "²",
    "٣",
]


def mutated(text: str, chance: random.Random) -> str:
    """The text after one to three accidents."""
    words = _WORD.findall(text)
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        place, other = chance.randrange(len(words)), chance.randrange(len(words))
        match chance.randrange(7):
            case 0:
                del words[place]
            case 1:
                words.insert(place, words[place])
            case 2:
                words[place], words[other] = words[other], words[place]
            case 3:
                words[place] = chance.choice(_STRANGERS)
            case 4:
                numbers = [at for at, word in enumerate(words) if _NUMBER.fullmatch(word) and len(word) < 20]
                if numbers:
                    at = chance.choice(numbers)
                    number = int(words[at])
                    words[at] = str(chance.choice([0, 1, 2, 3, -1, -5, number + 1, number * 2, number - 1, 10**12]))
            case 5:
                words = words[:place]
            case _:
                words[place] = words[other]
        words = words or [" "]
    return "".join(words)


def damaged(data: bytes, chance: random.Random) -> bytes:
    """The bytes with some flipped, cut out, doubled or cut off."""
    found = bytearray(data)
    place = chance.randrange(len(found))
    length = chance.choice([1, 1, 2, 8, 64])
    match chance.randrange(4):
        case 0:
            found[place] ^= 1 << chance.randrange(8)
        case 1:
            del found[place : place + length]
        case 2:
            found[place:place] = found[place : place + length]
        case _:
            del found[place:]
    return bytes(found)
