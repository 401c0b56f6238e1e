"""Random graphs: fused, unfused and by the reference, at two bindings, on one thread and two.

Three comparisons per graph and binding:
  1. unfused with every value exported: each op, on the operands that were really computed, within its record's bound;
  2. fused, with what the graph exports: within the bound carried through the whole graph (`judging`);
  3. the reference device: the same.
States are followed for two runs. Every seventh graph is compiled for the oldest CPU of the family. The seed is in the test's name.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.backends.cpu.threads import set_threads
from rlx.ir.graph import Ref
from tests.conformance.checking import agree
from tests.fuzz.emitters import EMITTERS
from tests.fuzz.generator import Made, generate
from tests.fuzz.judging import Judge
from tests.meta.test_records import FIRST_OPS

SHORT, LONG = 60, 3000
NAMES = sorted(EMITTERS)
# ops of the first step that are in no random graph
LEFT_OUT = {
    **dict.fromkeys(("input", "param", "constant", "state"), "a leaf: in every graph"),
    "sample": "chooses by comparing sums: its cases and tests/traps/test_sampling.py pin it exactly",
}


def made(seed: int) -> Made:
    """The graph of a seed; three ops in turn are in focus, so that all appear."""
    return generate(seed, [NAMES[(3 * seed + i) % len(NAMES)] for i in range(3)])


def everything(case: Made) -> tuple[rlx.Graph, list[Ref]]:
    """The same graph with every computed value exported."""
    refs = [ref for node in case.steps() for ref in node.outputs]
    graph = rlx.Graph(case.graph.name + "_all")
    vars(graph).update({**vars(case.graph), "name": graph.name, "_hash": None})
    graph.outputs = {f"v{i}": ref for i, ref in enumerate(refs)}
    return graph, refs


def start(exe: rlx.Executable, arrays: dict[str, Any]) -> rlx.Executable:
    for name, entry in exe.session.entries.items():
        if entry.kind == "param":
            exe.set_param(name, arrays[name])
        else:
            exe.session.set_state(name, arrays[name])
    return exe


def inputs_of(exe: rlx.Executable, arrays: dict[str, Any]) -> dict[str, Any]:
    return {name: arrays[name] for name in exe.inputs}


def with_states(exe: rlx.Executable, arrays: dict[str, Any]) -> dict[str, Any]:
    return {**arrays, **exe.session.snapshot()}


def check_each_op(case: Made, skipped: Counter[str]) -> None:
    """Unfused, everything exported: every op on what its operands really were."""
    graph, refs = everything(case)
    arrays = case.arrays(0)
    exe = start(rlx.compile(graph, "cpu", fuse=False), arrays)
    for binding in (0, 1):
        leaves = with_states(exe, case.arrays(binding) | {n: a for n, a in arrays.items() if n in exe.session.entries})
        judge = Judge(case, leaves, case.bindings[binding])
        outputs = exe.run(inputs_of(exe, case.arrays(binding)))
        found: dict[Ref, Any] = dict(zip(refs, outputs.values(), strict=True))
        for node in graph.nodes:
            if node.op.definition.leaf:
                found[node.ref] = node.op["value"].array if node.op.name == "constant" else leaves[node.op["name"]]
        for node in case.steps():
            if node.op.name == "fused" and any(shape.dtype.is_low_float for shape in node.results):
                continue  # unfused, the values inside round to 16 bits one by one: that is the judge's to see
            operands = [None if ref is None else found[ref] for ref in node.inputs]
            agree(node.op.bind(case.bindings[binding]), operands, [found[ref] for ref in node.outputs], f"%{node.id} {node.op}")
        for ref in case.exported:
            judge.check(ref, found[ref], f"unfused {ref}", skipped)
        check_states(case, exe, judge, "unfused", skipped)


def check_states(case: Made, exe: rlx.Executable, judge: Judge, where: str, skipped: Counter[str]) -> None:
    for name, ref in case.graph.updates.items():
        judge.check(ref, exe.state(name), f"{where}: state {name}", skipped)


def check_whole(case: Made, device: str, skipped: Counter[str], **options: Any) -> None:
    """Fused as the pipeline likes, or by the reference: outputs and states, run after run."""
    arrays = case.arrays(0)
    exe = start(rlx.compile(case.graph, device, **options), arrays)
    for binding in (0, 1):
        given = inputs_of(exe, case.arrays(binding))
        leaves = with_states(exe, case.arrays(binding) | {n: a for n, a in arrays.items() if n in exe.session.entries})
        before = exe.session.snapshot()
        outputs = {name: array.copy() for name, array in exe.run(given).items()}
        judge = Judge(case, leaves, case.bindings[binding])
        for ref, array in zip(case.exported, outputs.values(), strict=True):
            judge.check(ref, array, f"{device} fused {ref} {case.graph.node(ref).op.name}", skipped)
        check_states(case, exe, judge, device, skipped)
        if device == "cpu":
            after = exe.session.snapshot()
            exe.session.restore(before)
            set_threads(1)
            for name, array in exe.run(given).items():
                assert array.tobytes() == outputs[name].tobytes(), f"{name} has other bits on one thread"
            for name, array in after.items():
                assert exe.state(name).tobytes() == array.tobytes(), f"state {name} has other bits on one thread"
            set_threads(2)


def run_one(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    case = made(seed)
    if seed % 7 == 3:
        monkeypatch.setenv("RLX_CPU", "baseline")
    skipped: Counter[str] = Counter()
    set_threads(2)
    try:
        check_whole(case, "reference", skipped)
        check_each_op(case, skipped)
        check_whole(case, "cpu", skipped)
    except Exception as error:
        error.add_note(f"seed {seed}:\n{case.graph}")
        raise
    finally:
        set_threads(None)
    print(f"seed {seed}: {len(case.steps())} ops, {dict(skipped)}")
    # most comparisons have a meaning; a generator that drifts into nonsense shows here
    assert skipped["compared"] >= 2 * (skipped["ill-conditioned"] + skipped["not finite"]), skipped


@pytest.mark.parametrize("seed", range(SHORT))
def test_graph(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    run_one(seed, monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(SHORT, SHORT + LONG))
def test_many_graphs(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    run_one(seed, monkeypatch)


def test_the_short_run_covers_the_ops(capsys: pytest.CaptureFixture[str]) -> None:
    """≥ 12 ops a graph, every op of the first step in some graph, each with its count; graphs with symbols, states, size 0."""
    counts: Counter[str] = Counter()
    features: Counter[str] = Counter()
    for seed in range(SHORT):
        case = made(seed)
        counts.update(node.op.name for node in case.steps())
        features["symbols"] += bool(case.graph.symbols)
        features["states"] += bool(case.graph.updates)
        features["params"] += bool(case.graph.params)
        features["size 0"] += any(
            size == 0 for node in case.graph.nodes for shape in node.results for size in shape.dims if isinstance(size, int)
        )
        features["shared values"] += any(len(users) > 1 for users in case.graph.users().values())
        features["exported and read"] += any(ref in case.graph.users() for ref in case.exported)
        assert not case.notes, case.notes
    wanted = {name for name in FIRST_OPS if name not in LEFT_OUT}
    with capsys.disabled():
        covered = f"{len(wanted & set(counts))} of {len(wanted)} ops"
        print(f"\n{SHORT} graphs, {sum(counts.values()) / SHORT:.1f} ops each, {covered}; {dict(features)}")
        print(", ".join(f"{name} {count}" for name, count in counts.most_common()))
    assert sum(counts.values()) >= 12 * SHORT
    assert wanted <= set(counts), sorted(wanted - set(counts))
    for name in ("symbols", "states", "params", "shared values", "exported and read"):
        assert features[name] >= SHORT // 4, name
    assert features["size 0"] >= 2


def test_a_seed_gives_the_same_graph_again() -> None:
    first, second = made(5), made(5)
    assert first.graph == second.graph
    for name, array in first.arrays(1).items():
        np.testing.assert_array_equal(array, second.arrays(1)[name])
