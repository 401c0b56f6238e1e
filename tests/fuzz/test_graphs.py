"""Random graphs from seeds: fused, unfused and by the reference, at two bindings, on one thread and two (`running` tells how).

A failure names its seed and shows the graph; `python -m tests.fuzz SEED` runs that one alone. Every seventh graph is compiled for the
oldest CPU of the family. Most are compiled without the code generator's optimizations, which takes a quarter of the time: kernels come
vectorized and unrolled from their emitters, and those are what is tried here. Every fifth graph, and half of the long run, has them.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

import numpy as np
import pytest

from rlx.backends.cpu.compile.codegen import compile_object
from rlx.backends.cpu.run.thread_pool import set_threads
from rlx.ir.op import OPS
from tests.fuzz.emit_cases import is_hosted
from tests.fuzz.emitters import EMITTERS
from tests.fuzz.generator import generate
from tests.fuzz.made import Made
from tests.fuzz.running import Trial

SHORT, LONG = range(160), range(160, 5260)
CHUNK, LONG_CHUNK = 10, 100  # graphs in each test
NAMES = sorted(EMITTERS)


def made(seed: int) -> Made:
    """The graph of a seed; two ops in turn are in focus, so that all appear."""
    return generate(seed, [NAMES[(2 * seed + i) % len(NAMES)] for i in range(2)])


def run_one(seed: int, *, optimized: bool = True) -> Counter[str]:
    """Raise unless the graph of the seed is right; what was compared, and what had no meaning to compare."""
    case = made(seed)
    with pytest.MonkeyPatch.context() as patch:
        if seed % 7 == 3:
            patch.setenv("RLX_CPU", "baseline")
        if not optimized:
            patch.setattr("rlx.backends.cpu.compile.build.compile_object", partial(compile_object, opt=0))
        set_threads(2)
        try:
            trial = Trial(case)
            trial.check_whole("reference")
            trial.check_each_op()
            trial.check_whole("cpu")
        except Exception as error:
            error.add_note(f"seed {seed}; again with: python -m tests.fuzz {seed}\n{case.graph}")
            raise
        finally:
            set_threads(None)
    return trial.skipped


def run(seeds: range, optimized_every: int) -> None:
    found: Counter[str] = Counter()
    for seed in seeds:
        found += run_one(seed, optimized=seed % optimized_every == 0)
    print(f"seeds {seeds}: {dict(found)}")
    # most comparisons have a meaning; a generator that drifts into nonsense shows here
    assert found["compared"] >= 4 * (found["ill-conditioned"] + found["not finite"]), found


@pytest.mark.parametrize("first", SHORT[::CHUNK])
def test_graphs(first: int) -> None:
    run(range(first, first + CHUNK), optimized_every=5)


@pytest.mark.long
@pytest.mark.parametrize("first", LONG[::LONG_CHUNK])
def test_many_graphs(first: int) -> None:
    run(range(first, first + LONG_CHUNK), optimized_every=2)


def test_the_short_run_covers_the_ops(capsys: pytest.CaptureFixture[str]) -> None:
    """≥ 12 ops a graph; every op of the registry in some graph, each with its count; symbols, states, bodies, size 0."""
    counts: Counter[str] = Counter()
    features: Counter[str] = Counter()
    for seed in SHORT:
        case = made(seed)
        graph = case.graph
        counts.update(node.op.name for node in case.steps())
        features["symbols"] += bool(graph.symbols)
        features["states"] += bool(graph.updates)
        features["params"] += bool(graph.params)
        features["bodies"] += any(node.op.name in ("scan", "if", "while", "custom_fn") for node in graph.nodes)
        sizes = [size for node in graph.nodes for shape in node.results for size in shape.dims]
        features["size 0"] += any(isinstance(size, int) and size == 0 for size in sizes)
        features["shared values"] += any(len(users) > 1 for users in graph.users().values())
        features["exported and read"] += any(ref in graph.users() for ref in case.exported)
        assert not case.notes, f"seed {seed}: {case.notes}"
    wanted = {record.name for record in OPS if record.level == "mir" and not record.leaf and not is_hosted(record)}
    covered = wanted & set(counts)
    with capsys.disabled():
        share = len(covered) / len(wanted)
        print(
            f"\n{len(SHORT)} graphs, {sum(counts.values()) / len(SHORT):.1f} ops each, {len(covered)} of {len(wanted)} ops ({share:.0%})"
        )
        print(f"graphs with {dict(features)}")
        print(", ".join(f"{name} {count}" for name, count in counts.most_common()))
    assert sum(counts.values()) >= 12 * len(SHORT)
    assert covered == wanted, sorted(wanted - covered)
    for name in ("symbols", "states", "params", "shared values", "exported and read"):
        assert features[name] >= len(SHORT) // 4, name
    assert features["bodies"] >= 20 and features["size 0"] >= 8


def test_a_seed_gives_the_same_graph_again() -> None:
    first, second = made(5), made(5)
    assert first.graph == second.graph
    for name, array in first.arrays(1).items():
        np.testing.assert_array_equal(array, second.arrays(1)[name])
