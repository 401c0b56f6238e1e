"""One random graph on both devices, fused and not, against its f64 values.

Three comparisons per graph and binding:
  1. unfused with every value exported: each op, on the operands that were really computed, within its record's bound;
  2. fused, with what the graph exports: within the bound carried through the whole graph (`judging`), on one thread and on two;
  3. the reference device: the same.
States are followed: what a run leaves is checked, then every executable goes on from the same numbers.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import rlx
from rlx.backends.cpu.run.thread_pool import set_threads
from rlx.core.device_array import host_copy
from rlx.core.dtype import cast_array
from rlx.ir.graph import Ref
from tests.conformance.checking import agree
from tests.fuzz.judging import Judge
from tests.fuzz.made import Made


class Trial:
    """A graph, what its leaves hold, and how far from f64 its values may be at each binding."""

    def __init__(self, case: Made) -> None:
        self.case = case
        self.skipped: Counter[str] = Counter()
        self.leaves: list[dict[str, Any]] = []
        self.judges: list[Judge] = []
        states = {name: array for name, array in case.arrays(0).items() if name in case.graph.states}
        for binding in range(len(case.bindings)):
            leaves = case.arrays(binding) | {name: case.arrays(0)[name] for name in case.graph.params} | states
            judge = Judge(case, leaves, case.bindings[binding])
            self.leaves.append(leaves)
            self.judges.append(judge)
            for name, ref in case.graph.updates.items():
                states[name] = cast_array(judge.values[ref], case.graph.shape(ref).dtype)

    def started(self, graph: rlx.Graph, device: str, **options: Any) -> rlx.Executable:
        """Compiled, params set."""
        exe = rlx.compile(graph, device, **options)
        for name, entry in exe.session.entries.items():
            if entry.kind == "param":
                exe.set_param(name, self.leaves[0][name])
        return exe

    def feed(self, exe: rlx.Executable, binding: int) -> dict[str, Any]:
        """The inputs of a binding; the states are set."""
        for name, entry in exe.session.entries.items():
            if entry.kind == "state":
                exe.session.set_state(name, self.leaves[binding][name])
        return {name: self.leaves[binding][name] for name in exe.inputs}

    def check_states(self, exe: rlx.Executable, binding: int, where: str) -> None:
        for name, ref in self.case.graph.updates.items():
            self.judges[binding].check(ref, exe.state(name), f"{where}: state {name}", self.skipped)

    def check_each_op(self) -> None:
        """Unfused, everything exported: every op on what its operands really were."""
        case = self.case
        graph, refs = everything(case)
        exe = self.started(graph, "cpu", fuse=False)
        for binding, judge in enumerate(self.judges):
            outputs = exe.run(self.feed(exe, binding))
            found: dict[Ref, Any] = dict(zip(refs, outputs.values(), strict=True))
            for node in graph.nodes:
                if node.op.definition.leaf:
                    found[node.ref] = (
                        node.op["value"].array if node.op.name == "constant" else self.leaves[binding][node.op["name"]]
                    )
            for node in case.steps():
                if node.op.name == "fused" and any(shape.dtype.is_low_float for shape in node.results):
                    continue  # unfused, the values inside round to 16 bits one by one: that is the judge's to see
                operands = [None if ref is None else found[ref] for ref in node.inputs]
                results = [found[ref] for ref in node.outputs]
                agree(node.op.bind(case.bindings[binding]), operands, results, f"%{node.id} {node.op}", drawn=False)
            for ref in case.exported:
                judge.check(ref, found[ref], f"unfused {ref}", self.skipped)
            self.check_states(exe, binding, "unfused")

    def check_whole(self, device: str) -> None:
        """Fused as the pipeline likes, or by the reference: outputs and states."""
        case = self.case
        exe = self.started(case.graph, device)
        for binding, judge in enumerate(self.judges):
            outputs = {name: host_copy(array) for name, array in exe.run(self.feed(exe, binding)).items()}
            for ref, array in zip(case.exported, outputs.values(), strict=True):
                judge.check(ref, array, f"{device} fused {ref} {case.graph.node(ref).op.name}", self.skipped)
            self.check_states(exe, binding, device)
            if device == "cpu":
                self._check_one_thread(exe, binding, outputs)

    def _check_one_thread(self, exe: rlx.Executable, binding: int, outputs: dict[str, Any]) -> None:
        after = exe.session.snapshot()
        set_threads(1)
        for name, array in exe.run(self.feed(exe, binding)).items():
            assert array.tobytes() == outputs[name].tobytes(), f"{name} has other bits on one thread"
        for name, array in after.items():
            assert exe.state(name).tobytes() == array.tobytes(), f"state {name} has other bits on one thread"
        set_threads(2)


def everything(case: Made) -> tuple[rlx.Graph, list[Ref]]:
    """The same graph with every computed value exported."""
    refs = [ref for node in case.steps() for ref in node.outputs]
    graph = rlx.Graph(case.graph.name + "_all")
    vars(graph).update({**vars(case.graph), "name": graph.name, "_hash": None})
    graph.output_refs = {f"v{i}": ref for i, ref in enumerate(refs)}
    return graph, refs
