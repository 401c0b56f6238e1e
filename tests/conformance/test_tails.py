"""Rows that end one element after whole vectors, in 16-bit floats: all of them are written, and nothing past the result."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import rlx
from rlx.ir.op import OPS
from rlx.ir.tolerance import Case, case, sample
from tests.backends.cpu.levels import BELOW
from tests.conformance.checking import agree, build, feed, shapes_of

FLOATS = ("bf16", "f16")


def attention(width: int) -> Case:
    packed = [sample(2, 5, 2 * width) for _ in range(3)]
    return case(*packed, num_heads=2, head_dim=width, mask_kind="causal", dtypes=FLOATS)


def decoding(width: int) -> Case:
    return case(sample(2, 1, width), *(sample(2, 7, width) for _ in range(2)), num_heads=1, head_dim=width, dtypes=FLOATS)


def rope(width: int) -> Case:
    """One pair more than whole vectors, and one element that does not turn."""
    table = [sample(9, width, low=-1, high=1) for _ in range(2)]
    return case(sample(2, 3, 2 * width + 1), *table, head_dim=2 * width + 1, n_rot=2 * width, dtypes=FLOATS)


def interleaved_rope(width: int) -> Case:
    table = [sample(9, width, low=-1, high=1) for _ in range(2)]
    return case(sample(2, 3, 2 * width), *table, head_dim=2 * width, interleaved=True, dtypes=FLOATS)


def scan(width: int) -> Case:
    step, shared = sample(2, 4, width, low=0.1, high=1), [sample(2, 4, 3) for _ in range(2)]
    return case(sample(2, 4, width), step, sample(width, 3, low=-1, high=0), *shared, state_size=3, dtypes=FLOATS)


def delta_net(width: int) -> Case:
    gates = sample(2, 4, 2, low=-1, high=0), sample(2, 4, 2, low=0, high=1)
    heads = [sample(2, 4, 2, width, low=-0.5, high=0.5) for _ in range(3)]
    return case(*heads, *gates, state_size=width, dtypes=FLOATS)


def unary(width: int) -> Case:
    return case(sample(3, width), dtypes=FLOATS)


ROWS: list[tuple[str, Callable[[int], Case]]] = [
    ("attention", attention),
    ("attention", decoding),
    ("rope", rope),
    ("rope", interleaved_rope),
    ("selective_scan", scan),
    ("gated_delta_net", delta_net),
    ("cumsum", lambda width: case(sample(3, width), axis=1, dtypes=FLOATS)),
    ("gelu", unary),
    ("softmax", unary),
    ("cast", lambda width: case(sample(3, width, low=-100, high=100), to="i8", dtypes=FLOATS)),
    ("matmul", lambda width: case(sample(3, 5), sample(5, width), dtypes=FLOATS)),
]


@pytest.mark.parametrize("level", ["", *BELOW])
@pytest.mark.parametrize("width", [1, 17, 33])
@pytest.mark.parametrize(("name", "row"), ROWS, ids=lambda value: value if isinstance(value, str) else value.__name__)
def test_a_tail_of_one_element(
    name: str, row: Callable[[int], Case], width: int, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if level:
        monkeypatch.setenv("RLX_CPU", level)
    made = row(width)
    for dtype in made.dtypes:
        operands = made.arrays(seed=4, dtype=dtype)
        built = build(OPS[name], shapes_of(operands), made.attrs)
        exe = rlx.compile(built.graph, "cpu")
        plain = exe.run(feed(operands))
        room = {key: np.full(array.size + 64, 7, array.dtype) for key, array in plain.items()}
        exe.run(feed(operands), out={key: room[key][: array.size].reshape(array.shape) for key, array in plain.items()})
        agree(built.op, operands, list(plain.values()), f"{name} of {dtype}")
        for key, array in plain.items():
            assert room[key][: array.size].tobytes() == array.tobytes()
            assert (room[key][array.size :] == 7).all(), f"{name} of {dtype} wrote past {key}"
