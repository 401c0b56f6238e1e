"""A device of another package with a weight layout of its own: chosen by the pass, kept by the session alone, read back to the bit."""

from __future__ import annotations

from pathlib import Path

from tests.backends.test_other_packages import install, run

TOY = '''
import numpy as np

from rlx.backends.plain import OneCommandEach, Plain, PlainArtifact, PlainRunner
from rlx.core.report import Report
from rlx.ir.evaluate import evaluate_graph
from rlx.layouts.weight_layout import WeightLayout
from rlx.passes.entry import Options
from rlx.passes.prepared_analysis import derivations
from rlx.plan.schedule import plan


class Reversed(WeightLayout):
    """The columns of a dense matrix from the last to the first, behind a column of zeros."""

    name = "toy.reversed"

    def packed_shape(self, call, weight):
        return weight.with_dims((*weight.dims[:-1], weight.dims[-1] + 1))

    def matrix(self, call, packed, n):
        call.check_same(packed.dims[-1], n + 1, "columns and packed columns,")
        return (*packed.dims[:-1], n)

    def pack(self, weight):
        return np.concatenate([np.zeros_like(weight[..., :1]), weight[..., ::-1]], -1)

    def unpack(self, packed, n):
        return (packed[..., :0:-1],)


class Toy(Plain):
    name = "toy"

    layouts = {"toy.reversed": Reversed()}

    def layout_for(self, weights, scheme):
        return self.layouts["toy.reversed"] if len(weights) == 1 and scheme is None else None

    def passes(self, listed, options):
        return listed

    def compile(self, lir, options, report):
        return ToyArtifact(lir, options, tuple(report.entries))

    def compile_as_planned(self, graph):
        return ToyArtifact(plan(graph.freeze(), OneCommandEach(self.name), Report()), Options())


class ToyArtifact(PlainArtifact):
    host_calls = ("NumPy",)

    @property
    def prepared(self):
        graph = self.lir.prepare.graph
        return {name: graph.shape(ref) for name, ref in graph.output_refs.items()}

    @property
    def derivations(self):
        return derivations(self.lir.prepare.graph, "toy", False)

    def runners(self, inputs, outputs):
        return ToyRunner(self), ToyPreparation(self) if self.lir.prepare is not None else None


class ToyRunner(PlainRunner):
    def run(self, sizes, inputs, outputs):
        leaves = {**self.memory, **dict(zip(self.graph.inputs, inputs, strict=True))}
        found = evaluate_graph(self.graph, leaves, sizes)
        for name, target in zip(self.graph.outputs, outputs, strict=True):
            np.copyto(target, found[name])


class ToyPreparation(PlainRunner):
    def __init__(self, artifact):
        super().__init__(artifact)
        self.graph = artifact.lir.prepare.graph
        self.parts = (tuple(self.graph.outputs),)

    def make(self, outputs):
        found = evaluate_graph(self.graph, self.memory, {})
        for name, target in outputs.items():
            np.copyto(target, found[name])
'''

PROGRAM = """
from rlx.ir.text import render

def numbers(*dims, seed=0):
    return np.random.default_rng(seed).integers(-8, 9, dims).astype(np.float32)

g = rlx.Graph("both")
x, e = g.input("x", (4, 6)), g.input("e", (4,), "i32")
w, experts = g.param("w", (6, 5)), g.param("experts", (3, 6, 7), "bf16")
g.set_outputs({"y": x @ w, "z": g.grouped_matmul(x.astype("bf16"), experts, e)})
session = rlx.Session("toy")
exe = session.compile(g)
text = render(exe.lir.graph) + render(exe.lir.prepare.graph)
assert text.count("layout=toy.reversed") == 4 and "packed_matmul" in text and "packed_grouped_matmul" in text, text
written = render(exe.lir.prepare.graph, origins=False)
assert render(rlx.graphs.parse(written), origins=False) == written

given = {"w": numbers(6, 5), "experts": numbers(3, 6, 7, seed=1).astype(experts.dtype.numpy)}
session.set_params(given)
data, chosen = numbers(4, 6, seed=2), np.int32([0, 2, 1, 1])
for change in (0, 1):
    found = exe.run({"x": data, "e": chosen})
    assert (found["y"] == data @ (given["w"] + change)).all()
    wanted = np.einsum("mk,mkn->mn", data, given["experts"].astype(np.float32)[chosen])
    assert (found["z"] == wanted.astype(experts.dtype.numpy)).all()
    assert all(entry.array is None for entry in session.entries.values()), "packed, and dropped"
    assert session.param("w").tobytes() == (given["w"] + change).tobytes()
    assert session.param("experts").tobytes() == given["experts"].tobytes()
    session.set_param("w", given["w"] + 1)
assert rlx.check(exe, {"x": data, "e": chosen}).ok

# the reference runs a graph in that layout; the CPU has no kernel for it, and it cannot be taken apart
h = rlx.Graph("packed")
packed = h.pack(h.input("w", (6, 5)), layout="toy.reversed")
h.set_outputs({"y": h.packed_matmul(h.input("x", (4, 6)), packed, layout="toy.reversed", n=5)})
assert (rlx.compile(h, "reference")(x=data, w=given["w"]) == data @ given["w"]).all()
try:
    rlx.compile(h, "cpu")
except rlx.RlxError as error:
    assert error.code == "RLX403" and "toy.reversed" in str(error), error
else:
    raise AssertionError("a layout of another device was compiled")
for name, code in (("toy.other", "RLX105"), ("nobody.panels", "RLX404")):
    try:
        h.pack(h.input(name, (6, 5)), layout=name)
    except rlx.RlxError as error:
        assert error.code == code and name.split(".")[0] in str(error), error
    else:
        raise AssertionError("no such layout")
"""


def test_a_device_of_another_package_has_a_layout_of_its_own(tmp_path: Path) -> None:
    install(tmp_path, "toy_device", TOY, "toy = toy_device:Toy")
    run(tmp_path, PROGRAM)


WITHOUT_LLVM = """
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "llvmlite":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
g = rlx.Graph("packed")
x, w = g.input("x", (2, 3)), g.input("w", (3, 5))
rows = g.input("rows", (3, 34), "u8")
panels = g.packed_matmul(x, g.pack(w, layout="panel16"), layout="panel16", n=5)
table = g.pack(rows, layout="rows8_q8_0")
g.set_outputs({"y": panels, "rows": g.packed_gather(table, g.input("i", (1,), "i32"), layout="rows8_q8_0", n=3)})
again = rlx.graphs.parse(str(g))
found = rlx.compile(again, "reference").run({
    "x": np.ones((2, 3), np.float32), "w": np.ones((3, 5), np.float32), "rows": np.zeros((3, 34), np.uint8), "i": np.int32([2])})
assert (found["y"] == 3).all() and found["rows"].shape == (1, 32)
assert not any(name.split(".")[0] == "llvmlite" for name in sys.modules)
"""


def test_texts_with_the_cpus_layouts_parse_and_run_on_the_reference_without_llvm(tmp_path: Path) -> None:
    run(tmp_path, WITHOUT_LLVM)
