"""Small pictures of digits, drawn with NumPy: the data of the programs beside this file."""

import numpy as np

FONT = ("75557", "26227", "71747", "71717", "55711", "74717", "74757", "71122", "75757", "75717")
"""Each digit as five rows of three points; a row is an octal number."""


def digits(count, seed):
    """Pictures of 8 x 8, shifted, of various brightness and with noise, as rows of 64 numbers; and their labels."""
    rng = np.random.default_rng(seed)
    glyphs = np.array([[[int(row) >> bit & 1 for bit in (2, 1, 0)] for row in digit] for digit in FONT], np.float32)
    labels = rng.integers(0, 10, count)
    images = 0.1 * rng.standard_normal((count, 8, 8)).astype(np.float32)
    for i in range(count):
        top, left = rng.integers(0, (4, 6))
        images[i, top : top + 5, left : left + 3] += rng.uniform(0.6, 1.0) * glyphs[labels[i]]
    return images.reshape(count, 64), labels.astype(np.int32)
