"""What counting reaches: byte n-grams with Witten-Bell smoothing, in nats per byte, on the split that `rlx train` makes.

    python scripts/ngram_baseline.py book.txt [--validation 0.05] [--orders 1 2 3 4 5 6]

The model of order n mixes all shorter ones: p(b|c) = (count(cb) + kinds(c)·p(b|c without its first byte)) / (count(c) + kinds(c)), where
kinds(c) is how many different bytes followed c; below the shortest context all 256 bytes are alike (Witten & Bell 1991).
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from pathlib import Path

from rlx.train.vocabulary import Corpus


def nats_per_byte(training: bytes, held_back: bytes, order: int) -> float:
    """The mean of -log p over what is held back; its context begins with the end of what was trained on."""
    followed: list[dict[bytes, Counter[int]]] = [{} for _ in range(order)]
    for length, table in enumerate(followed):
        for at in range(length, len(training)):
            table.setdefault(training[at - length : at], Counter())[training[at]] += 1
    text = training[len(training) - order :] + held_back
    total = 0.0
    for at in range(order, len(text)):
        chance = 1 / 256
        for length, table in enumerate(followed):
            seen = table.get(text[at - length : at])
            if seen is None:
                break
            chance = (seen[text[at]] + len(seen) * chance) / (seen.total() + len(seen))
        total -= math.log(chance)
    return total / len(held_back)


def main() -> None:
    """Print one line per order."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--validation", type=float, default=0.05)
    parser.add_argument("--orders", type=int, nargs="+", default=[1, 2, 3, 4, 5, 6])
    options = parser.parse_args()
    corpus = Corpus.read([options.file], options.validation, 1, None)
    training, held_back = corpus.training.tobytes(), corpus.held_back.tobytes()
    for order in options.orders:
        print(f"order {order}: {nats_per_byte(training, held_back, order):.3f} nats per byte", flush=True)


if __name__ == "__main__":
    main()
