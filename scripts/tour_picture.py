"""The memory timeline of a plan as a PNG, drawn with nothing but zlib: rectangles, lines, and a small font of our own."""

from __future__ import annotations

import struct
import sys
import zlib
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from rlx.core.dim import evaluate
from rlx.ir.parse_lir import Lir

# Seven rows of five dots each.
GLYPHS = {
    "0": ".###. #...# #..## #.#.# ##..# #...# .###.",
    "1": "..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.",
    "2": ".###. #...# ....# ..##. .#... #.... #####",
    "3": "####. ....# ....# .###. ....# ....# ####.",
    "4": "...#. ..##. .#.#. #..#. ##### ...#. ...#.",
    "5": "##### #.... ####. ....# ....# #...# .###.",
    "6": "..##. .#... #.... ####. #...# #...# .###.",
    "7": "##### ....# ...#. ..#.. ..#.. .#... .#...",
    "8": ".###. #...# #...# .###. #...# #...# .###.",
    "9": ".###. #...# #...# .#### ....# ...#. .##..",
    "a": "..... ..... .###. ....# .#### #...# .####",
    "b": "#.... #.... ####. #...# #...# #...# ####.",
    "c": "..... ..... .#### #.... #.... #.... .####",
    "d": "....# ....# .#### #...# #...# #...# .####",
    "e": "..... ..... .###. #...# ##### #.... .###.",
    "f": "..##. .#..# .#... ###.. .#... .#... .#...",
    "g": "..... .#### #...# #...# .#### ....# .###.",
    "h": "#.... #.... ####. #...# #...# #...# #...#",
    "i": "..#.. ..... .##.. ..#.. ..#.. ..#.. .###.",
    "j": "...#. ..... ..##. ...#. ...#. #..#. .##..",
    "k": "#.... #.... #..#. #.#.. ##... #.#.. #..#.",
    "l": ".##.. ..#.. ..#.. ..#.. ..#.. ..#.. .###.",
    "m": "..... ..... ##.#. #.#.# #.#.# #.#.# #.#.#",
    "n": "..... ..... ####. #...# #...# #...# #...#",
    "o": "..... ..... .###. #...# #...# #...# .###.",
    "p": "..... ..... ####. #...# ####. #.... #....",
    "q": "..... .#### #...# #...# .#### ....# ....#",
    "r": "..... ..... #.##. ##..# #.... #.... #....",
    "s": "..... ..... .#### #.... .###. ....# ####.",
    "t": ".#... .#... ####. .#... .#... .#..# ..##.",
    "u": "..... ..... #...# #...# #...# #..## .##.#",
    "v": "..... ..... #...# #...# #...# .#.#. ..#..",
    "w": "..... ..... #...# #.#.# #.#.# #.#.# .#.#.",
    "x": "..... ..... #...# .#.#. ..#.. .#.#. #...#",
    "y": "..... #...# #...# #...# .#### ....# .###.",
    "z": "..... ..... ##### ...#. ..#.. .#... #####",
    "K": "#...# #..#. #.#.. ##... #.#.. #..#. #...#",
    "B": "####. #...# #...# ####. #...# #...# ####.",
    "_": "..... ..... ..... ..... ..... ..... #####",
    ".": "..... ..... ..... ..... ..... .##.. .##..",
    " ": "..... ..... ..... ..... ..... ..... .....",
    ":": "..... .##.. .##.. ..... .##.. .##.. .....",
    "+": "..... ..#.. ..#.. ##### ..#.. ..#.. .....",
    ",": "..... ..... ..... ..... .##.. ..#.. .#...",
    "=": "..... ..... ##### ..... ##### ..... .....",
}
COLORS = [
    (120, 170, 220),
    (240, 180, 110),
    (140, 200, 140),
    (220, 140, 150),
    (180, 160, 215),
    (200, 180, 130),
    (130, 200, 205),
    (215, 205, 120),
]
INK, PALE = (40, 40, 40), (225, 225, 225)


class Picture:
    """A white canvas of pixels."""

    def __init__(self, width: int, height: int) -> None:
        self.pixels = np.full((height, width, 3), 255, np.uint8)

    def box(self, left: int, top: int, right: int, bottom: int, color: tuple[int, int, int], edge: bool = False) -> None:
        """A filled rectangle, with a dark edge if wanted."""
        self.pixels[top:bottom, left:right] = INK if edge else color
        if edge:
            self.pixels[top + 1 : bottom - 1, left + 1 : right - 1] = color

    def text(self, left: int, top: int, words: str, up: bool = False) -> None:
        """Words from left to right, or from `top` upwards."""
        for number, letter in enumerate(words):
            dots = np.array([[dot == "#" for dot in row] for row in GLYPHS.get(letter, GLYPHS["."]).split()])
            if up:
                dots = np.rot90(dots)
            x, y = (left, top - 6 * number - 5) if up else (left + 6 * number, top)
            rows, columns = dots.shape
            if x < 0 or y < 0 or y + rows > self.pixels.shape[0] or x + columns > self.pixels.shape[1]:
                continue
            self.pixels[y : y + rows, x : x + columns][dots] = INK

    def png(self) -> bytes:
        """The bytes of the file, every pixel twice as large."""
        large = self.pixels.repeat(2, 0).repeat(2, 1)
        height, width, _ = large.shape
        rows = b"".join(b"\0" + row.tobytes() for row in large)

        def chunk(kind: bytes, data: bytes) -> bytes:
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def pixels_of(png: bytes) -> bytes:
    """What a picture of ours shows, whatever zlib made of it."""
    size = struct.unpack(">I", png[33:37])[0]
    return zlib.decompress(png[41 : 41 + size])


def memory_timeline(lir: Lir, sizes: dict[str, int]) -> Picture:
    """Commands from left to right, bytes of the arena from bottom to top, a box for each buffer while it is alive."""
    step, left, top, height, foot = 34, 44, 16, 190, 122
    offsets = [evaluate(offset, sizes) for offset in lir.offsets()]
    arena = max(evaluate(lir.arena, sizes), 1)
    count = len(lir.commands)
    picture = Picture(left + step * count + 12, top + height + foot)
    bound = ", ".join(f"{name}={value}" for name, value in sizes.items())
    picture.text(left, 4, f"the arena: {bound}")

    def level(size: int) -> int:
        return top + height - round(height * size / arena)

    for quarter in range(5):
        y = level(arena * quarter // 4)
        picture.box(left, y, left + step * count, y + 1, PALE)
        label = f"{arena * quarter / 4 / 1024:.0f}KB"
        picture.text(left - 6 * len(label) - 4, y - 3, label)
    for index, buffer in enumerate(lir.buffers):
        if buffer.kind != "arena":
            continue
        start = offsets[buffer.slot]
        size = evaluate(buffer.size, sizes)
        high = level(start + size)
        box = (left + step * buffer.first + 2, high, left + step * (buffer.last + 1) - 1, max(level(start), high + 3))
        picture.box(*box, COLORS[index % len(COLORS)], edge=True)
        if box[3] - box[1] >= 11:
            picture.text(box[0] + 4, (box[1] + box[3]) // 2 - 3, f"b{index}")
    for number, command in enumerate(lir.commands):
        x = left + step * number + step // 2
        picture.text(x - 3 * len(str(number)), top + height + 5, str(number))
        picture.text(x - 3, top + height + 16 + 6 * min(len(command.kernel), 17), command.kernel[:17], up=True)
    picture.box(left, top, left + 1, top + height + 1, INK)
    picture.box(left, top + height, left + step * count, top + height + 1, INK)
    return picture
