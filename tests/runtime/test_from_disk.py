"""What a compile from the disk cache does: counted, since a time depends on what else runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import rlx
from rlx.core.shape import Shape
from rlx.ir.graph import Node
from rlx.ir.op import Op
from rlx.runtime import compile as compile_file

BUILD_AND_COMPILE = """
import gc, json
import rlx

small = rlx.Graph("small")
small.set_outputs({"y": small.input("x", (8,), "f32") + 1.0})
rlx.compile(small, device="cpu")
young = len(gc.get_objects(generation=0)) + len(gc.get_objects(generation=1))
inside, older, young_when_compiling = [False], 0, 0

def count(phase, information):
    global older, young_when_compiling
    if phase == "start":
        older += information["generation"] > 0
        young_when_compiling += inside[0]

gc.callbacks.append(count)
graph = rlx.Graph("chain")
x = graph.input("x", (rlx.Dim("n"), 64), "f32")
for layer in range(24):
    x = graph.gelu(x @ graph.param(f"w{layer}", (64, 64), "f32") + graph.param(f"b{layer}", (64,), "f32"))
graph.set_outputs({"y": x})
inside[0] = True
found = rlx.compile(graph, device="cpu")
inside[0] = False
gc.callbacks.remove(count)
how = next(entry.message for entry in found.report if entry.kind == "cache")
print(json.dumps({"young": young, "older": older, "while compiling": young_when_compiling, "how": how}))
"""


def test_no_full_collection_falls_into_a_compile_from_disk_and_none_looks_at_what_imports_made(tmp_path: Path) -> None:
    environment = {**os.environ, "RLX_CACHE": "1", "RLX_CACHE_DIR": str(tmp_path)}
    for _ in range(2):
        command = [sys.executable, "-c", BUILD_AND_COMPILE]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["how"] == "loaded from disk"
    assert found["older"] == 0  # while the graph is built and compiled
    assert found["while compiling"] <= 1  # at its end, of what it has just made
    assert found["young"] < 10_000  # what the first compile made; the objects of modules are 40,000


def chain() -> rlx.Graph:
    graph = rlx.Graph("chain")
    x = graph.input("x", ("n", 8), "f32")
    graph.set_outputs({"y": graph.exp(x @ graph.param("w", (8, 8), "f32")) + x})
    return graph


def test_shapes_are_not_inferred_again_for_a_program_that_is_loaded(cache_dir, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compile_file, "_memory", {})
    rlx.compile(chain(), device="cpu")
    graph, inferred, infer = chain(), [], Op.infer

    def counting(op: Op, *arguments: object) -> tuple[Shape, ...]:
        inferred.append(op.name)
        return infer(op, *arguments)

    for kept in (True, False):
        if not kept:
            monkeypatch.setattr(compile_file, "_memory", {})
        with monkeypatch.context() as counted:
            counted.setattr(Op, "infer", counting)
            found = rlx.compile(graph, device="cpu")
        assert inferred == []
        found.set_param("w", np.zeros((8, 8), np.float32))
        np.testing.assert_array_equal(found(x=np.ones((3, 8), np.float32)), np.full((3, 8), 2.0, np.float32))


def test_wrong_shapes_are_found_where_a_right_graph_was_stored(cache_dir, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compile_file, "_memory", {})
    rlx.compile(chain(), device="cpu")
    wrong = chain()
    last = wrong.nodes[-1]
    wrong.nodes[-1] = Node(last.id, last.op, last.inputs, (Shape((7, 8), "f32"),), last.name, last.origin)
    session = rlx.Session("cpu")
    with pytest.raises(rlx.RlxError, match=r"RLX302.*inference gives"):
        rlx.compile(wrong, session=session)
    with pytest.raises(rlx.RlxError):
        session.set_param("w", np.zeros((8, 8), np.float32))  # nothing of it was declared
