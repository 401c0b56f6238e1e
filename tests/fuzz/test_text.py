"""Damaged texts and files: an RlxError with line, column and a fix, or a graph that is valid and prints again. Nothing else, and soon."""

from __future__ import annotations

import random
import re
import time
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import rlx
from rlx.core.errors import RlxError
from rlx.ir.graph import Graph
from rlx.ir.op import OPS
from rlx.ir.parse_lir import Lir
from rlx.ir.verify import verify
from tests.conformance.checking import build, shapes_of
from tests.fuzz.mutation import damaged, mutated
from tests.small_llama import small_llama

SHORT, LONG = range(1500), range(1500, 40000)  # texts
CHUNK, LONG_CHUNK = 250, 1750  # in each test
CODE_OF_TEXTS = re.compile(r"RLX[123]\d\d")
GOLDEN = Path(__file__).parents[1] / "golden"


@cache
def texts() -> tuple[str, ...]:
    """Every op of the registry but those that call a function, which has no text; the golden graphs, a model at HIR, MIR and LIR."""
    found = []
    for record in OPS:
        if record.level == "mir" and not record.leaf and not isinstance(record.cases, str) and "function" not in record.attrs:
            row = next(iter(record.cases()))
            found.append(str(build(record, shapes_of(row.arrays(seed=1, dtype=row.dtypes[0])), row.attrs).graph))
    for path in sorted(GOLDEN.glob("*.rlx")):
        found.append(path.read_text().partition("// after\n")[0])
    model = small_llama(batch=2)
    found += [str(model), str(model.into_mir().graph)] * 4
    found += [str(rlx.compile(small_llama(batch=2)).lir), str(rlx.compile(small_llama(batch=2), "reference").lir)] * 8
    return tuple(found)


def check(text: str) -> str:
    """The code of the error, or `valid`."""
    start = time.process_time()
    try:
        found = rlx.graphs.parse(text)
    except RlxError as error:
        assert CODE_OF_TEXTS.fullmatch(error.code) and error.fix
        assert re.match(r"line \d+, column \d+: ", error.message), error.message
        return error.code
    finally:
        assert time.process_time() - start < 2.0
    for part in _parts(found):
        verify(part)
    assert rlx.graphs.parse(str(found)) == found
    return "valid"


def _parts(found: Graph | Lir) -> list[Graph]:
    if isinstance(found, Graph):
        return [found]
    return [found.graph, *(_parts(found.prepare) if found.prepare is not None else ())]


def run(numbers: range) -> None:
    seen = set()
    for number in numbers:
        chance = random.Random(number)
        text = mutated(chance.choice(texts()), chance)
        try:
            seen.add(check(text))
        except Exception as error:
            error.add_note(f"text {number}:\n{text[:4000]}")
            raise
    assert {"RLX301", "valid"} <= seen, seen


@pytest.mark.parametrize("first", SHORT[::CHUNK])
def test_damaged_text(first: int) -> None:
    run(range(first, first + CHUNK))


@pytest.mark.long
@pytest.mark.parametrize("first", LONG[::LONG_CHUNK])
def test_more_damaged_text(first: int) -> None:
    run(range(first, first + LONG_CHUNK))


def test_undamaged_texts_are_valid() -> None:
    assert {check(text) for text in texts()} == {"valid"}


def small() -> rlx.Graph:
    g = rlx.Graph("file")
    x = g.input("x", (rlx.Dim("n", 1, 9), 4))
    g.set_outputs(
        {"y": g.gelu(x @ g.param("w", (4, 3))) + g.constant(np.arange(3 * 20, dtype=np.float32).reshape(20, 3)).sum(axes=0)}
    )
    return g


@pytest.mark.parametrize("kind", ["module", "executable"])
def test_a_damaged_file_is_refused(tmp_path: Path, kind: str) -> None:
    """Whatever byte is hit: the magic, the version, the checksum itself, text, constants, code."""
    place = tmp_path / "whole"
    if kind == "module":
        rlx.GraphModule.from_graph(small()).save(place)
    else:
        exe = rlx.compile(small(), "cpu")
        exe.set_param("w", np.ones((4, 3), np.float32))
        exe.save(place, params=True)
    load = rlx.load if kind == "module" else rlx.load_executable
    load(place)
    whole = place.read_bytes()
    chance = random.Random(kind)
    for number in range(300):
        broken = damaged(whole, chance)
        if broken == whole:
            continue
        place.write_bytes(broken)
        with pytest.raises(RlxError) as raised:
            load(place)
        assert raised.value.code == "RLX303", f"{number}: {raised.value}"
