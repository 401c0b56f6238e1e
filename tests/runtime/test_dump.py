"""RLX_DUMP: every stage of a compilation is a file."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from rlx.passes.pipeline import PIPELINE


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("RLX_DUMP", str(tmp_path))
    return tmp_path


def build():
    g = rlx.Graph("dumped")
    x = g.input("x", ("n", 4), "f32")
    g.set_outputs({"y": g.gelu(x @ g.param("w", (4, 3), "f32") + 1.0)})
    return g


def test_every_stage_is_written_in_order(folder):
    graph = build()
    exe = rlx.compile(graph)
    (made,) = folder.iterdir()
    assert made.name == f"dumped-{graph.fingerprint()[:8]}"
    names = sorted(path.name for path in made.iterdir())
    stages = ["built", *(one.name for one in PIPELINE)]
    stages.insert(stages.index("plan"), "prepare")
    after = len(stages) - 1
    expected = [f"{number:02}-{name.replace(' ', '_')}.rlx" for number, name in enumerate(stages)] + ["report.txt"]
    for number, part in ((after + 1, "main"), (after + 2, "prepare")):
        expected += [f"{number:02}-{part}.{end}" for end in ("ll", "optimized.ll", "s")]
    assert names == sorted(expected)
    assert rlx.graphs.parse((made / "00-built.rlx").read_text()) == graph
    assert str(rlx.graphs.parse((made / f"{after:02}-plan.rlx").read_text())).splitlines()[-1] == str(exe.lir).splitlines()[-1]
    assert "define void @matmul" in (made / f"{after + 1:02}-main.ll").read_text()
    assert ".text" in (made / f"{after + 1:02}-main.s").read_text()
    assert "time: pass plan" in (made / "report.txt").read_text()
    assert any(entry.kind == "dump" and str(made) in entry.message for entry in exe.report)


def test_a_graph_in_the_cache_is_dumped_all_the_same(folder, monkeypatch):
    monkeypatch.setenv("RLX_DUMP", "")
    rlx.compile(build())
    assert list(folder.iterdir()) == []
    monkeypatch.setenv("RLX_DUMP", str(folder))
    exe = rlx.compile(build())
    assert len(list(folder.iterdir())) == 1
    exe.set_param("w", np.ones((4, 3), np.float32))
    assert exe(x=np.zeros((2, 4), np.float32)).shape == (2, 3)
