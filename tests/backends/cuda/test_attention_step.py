"""A step of decode in one kernel: rope, the caches' new rows and attention, against the reference device and the caches' rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rlx
from rlx.backends.cuda.backend import CudaBackend
from rlx.backends.cuda.driver_interface import GpuTarget
from rlx.backends.cuda.fake_driver import FakeDriver
from rlx.backends.cuda.triton_compile import compile_here
from rlx.core.enums import MaskKind
from rlx.core.report import Report
from rlx.passes.entry import Options
from tests.backends.cuda.device import NEEDS_TRITON, noted_reads

pytestmark = NEEDS_TRITON

KEYS, HEADS, KV_HEADS, DIM = 300, 6, 2, 8


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setenv("RLX_CUDA", "interpret")


def step_graph(
    batch: int = 2,
    kind: str = "f32",
    layout: str = "packed",
    rope: dict[str, Any] | None = None,
    shared: bool = False,
    tables: int = 2,
    beyond: int | None = None,
    computed: bool = False,
    **how: Any,
) -> rlx.Graph:
    """One token of each row: `start` is where its key goes, `position` is its own, `length` how many keys there are."""
    g = rlx.Graph("step")
    q, k, v = (g.input(name, (batch, 1, count * DIM), kind) for name, count in zip("qkv", (HEADS, KV_HEADS, KV_HEADS), strict=True))
    start, position = (g.input(name, (batch,), "i32") for name in ("start", "position"))
    length = g.input("length", (batch,), "i32") if beyond is None else position + beyond
    if rope is not None:
        half = (rope.get("n_rot") or DIM) // 2
        dims = (KEYS, half) if tables == 2 else (batch, 1, half)
        cos, sin = (g.input(name, dims, "f32") for name in ("cos", "sin"))
        cos, sin = (cos * 0.5, sin * 0.5) if computed else (cos, sin)
        places = [g.reshape(position, (batch, 1))] if tables == 2 else []
        q, k = (g.rope(each, cos, sin, *places, head_dim=DIM, **rope) for each in (q, k))
    dims = (batch, KEYS, KV_HEADS * DIM)
    if layout == "bhsd":
        dims = (batch, KV_HEADS, KEYS, DIM)
        q, k, v = (
            g.transpose(g.reshape(each, (batch, 1, count, DIM)), (0, 2, 1, 3))
            for each, count in ((q, HEADS), (k, KV_HEADS), (v, KV_HEADS))
        )
    caches = {}
    for name, new in (("keys", k), ("values", v)):
        old = g.state(name, dims, kind)
        caches[name] = g.dynamic_update_slice(old, new, start, axes=2 if layout == "bhsd" else 1)
        g.update(old, caches[name])
    y = g.attention(
        q, caches["keys"], caches["values"], q_position=position, kv_length=length,
        num_heads=HEADS, num_kv_heads=KV_HEADS, head_dim=DIM, layout=layout, **({"causal": True} | how),
    )  # fmt: skip
    outputs = {"y": y}
    if shared:
        outputs["kept"] = caches["keys"]
    g.set_outputs(outputs)
    return g


def run_both(graph: rlx.Graph, steps: list[dict[str, list[int]]], kind: str = "f32") -> tuple[list, list, Any]:
    """Outputs and states of steps on the fake GPU and on the reference device."""
    found, programs = {}, []
    for device in ("cuda", "reference"):
        random = np.random.default_rng(3)
        exe = rlx.compile(graph, device)
        shapes = {name: tuple(map(int, node.shape.dims)) for name, node in graph.states.items()}
        for name, dims in shapes.items():
            exe.session.set_state(name, random.normal(size=dims).astype(np.float32).astype(graph.states[name].shape.dtype.numpy))
        results = []
        for given in steps:
            inputs = {name: np.asarray(value, np.int32) for name, value in given.items()}
            for name, node in graph.inputs.items():
                if name not in inputs:
                    dims = tuple(map(int, node.shape.dims))
                    inputs[name] = random.normal(size=dims).astype(np.float32).astype(node.shape.dtype.numpy)
            results.append({name: np.asarray(value).astype(np.float64) for name, value in exe.run(inputs).items()})
        results.append({name: np.asarray(exe.session.state(name)).astype(np.float64) for name in shapes})
        found[device] = results
        programs.append(getattr(exe._runner, "program", None))
    return found["cuda"], found["reference"], programs[0]


def names_of(program: Any) -> list[str]:
    return [step.kernel.name for step in program.steps]


STEPS = [
    {"start": [0, 299], "position": [0, 299], "length": [1, 300]},
    {"start": [250, 400], "position": [250, 250], "length": [100, 300]},  # fewer keys than the position; written elsewhere, clamped
]


@pytest.mark.parametrize(
    "how",
    [
        {"rope": {}},
        {"rope": {"interleaved": True, "n_rot": 4}, "layout": "bhsd", "batch": 1},
        {"rope": {"n_rot": 6}, "tables": 3, "layout": "bhsd", "batch": 1},
        {"layout": "bhsd", "softcap": 5.0, "batch": 1},
        {"rope": {}, "mask_kind": MaskKind.SlidingWindow(40), "batch": 1},
        {"rope": {}, "shared": True, "batch": 1},
    ],
    ids=["rope", "interleaved", "tables", "no rope", "window", "cache is an output"],
)
def test_steps_equal_the_reference(how: dict[str, Any]) -> None:
    steps = STEPS if how.get("batch", 2) == 2 else [{name: value[1:] for name, value in one.items()} for one in STEPS]
    found, wanted, program = run_both(step_graph(**how), steps)
    for one, other in zip(found, wanted, strict=True):
        for name in other:
            np.testing.assert_allclose(one[name], other[name], rtol=2e-5, atol=2e-5, err_msg=name)
    assert [name for name in names_of(program) if name != "copy"] == ["attention_step", "attention_join"]
    assert names_of(program).count("copy") == (2 if how.get("shared") else 0)


def test_a_step_in_bf16_rounds_as_the_ops_do() -> None:
    found, wanted, _ = run_both(step_graph(kind="bf16", rope={}), STEPS)
    np.testing.assert_array_equal(found[-1]["keys"], wanted[-1]["keys"])
    np.testing.assert_array_equal(found[-1]["values"], wanted[-1]["values"])
    np.testing.assert_allclose(found[1]["y"], wanted[1]["y"], rtol=2e-2, atol=2e-2)


def reads_of_a_step(graph: rlx.Graph, monkeypatch, **numbers: list[int]) -> list[tuple[tuple[int, ...], set[str]]]:
    """The dims of each operand of the step's kernel, with when it is read; what is written as well counts once."""
    with noted_reads(monkeypatch) as reads:
        program = run_both(graph, [numbers])[2]
    step = next(step for step in program.steps if step.kernel.name == "attention_step")
    return [(operand.place.layout.dims, reads["attention_step", place]) for place, operand in enumerate(step.operands)]


def test_cached_keys_are_read_before_the_wait_where_positions_are_given(monkeypatch) -> None:
    step = reads_of_a_step(step_graph(rope={}, batch=1), monkeypatch, start=[250], position=[250], length=[251])
    caches = [when for dims, when in step if dims == (1, KEYS, KV_HEADS * DIM) and when]
    angles = [when for dims, when in step if dims == (KEYS, DIM // 2)]
    assert caches == angles == [{"before"}, {"before"}], step  # the angles of q are those of k
    assert {"after"} in [when for dims, when in step if dims == (1, 1, HEADS * DIM)]


def test_a_length_that_follows_from_the_position_is_no_kernel() -> None:
    graph = step_graph(rope={}, batch=1, beyond=1)
    found, wanted, program = run_both(graph, [{"start": [250], "position": [250]}, {"start": [299], "position": [299]}])
    for one, other in zip(found, wanted, strict=True):
        for name in other:
            np.testing.assert_allclose(one[name], other[name], rtol=2e-5, atol=2e-5, err_msg=name)
    assert names_of(program) == ["attention_step", "attention_join"]


def test_angles_that_the_graph_computes_are_read_behind_the_wait(monkeypatch) -> None:
    """The caches are read before it all the same."""
    graph, numbers = step_graph(rope={}, batch=1, computed=True), {"start": [250], "position": [250], "length": [251]}
    found, wanted, _ = run_both(graph, [numbers])
    np.testing.assert_allclose(found[0]["y"], wanted[0]["y"], rtol=2e-5, atol=2e-5)
    step = reads_of_a_step(graph, monkeypatch, **numbers)
    assert [when for dims, when in step if dims == (1, KEYS, KV_HEADS * DIM) and when] == [{"before"}, {"before"}], step
    assert [when for dims, when in step if dims == (KEYS, DIM // 2)] == [{"after"}, {"after"}], step


@pytest.mark.parametrize("change", ["rope read twice", "two tokens", "two writers"])
def test_other_graphs_keep_their_kernels(change: str, monkeypatch) -> None:
    """A rope that another op reads too stays apart; several tokens are no step; a cache written twice is not read early."""
    g = rlx.Graph("step")
    count = 2 if change == "two tokens" else 1
    q = g.input("q", (1, count, HEADS * DIM))
    k, v = (g.input(name, (1, count, KV_HEADS * DIM)) for name in "kv")
    position = g.input("position", (1,), "i32")
    cos, sin = (g.input(name, (KEYS, DIM // 2)) for name in ("cos", "sin"))
    q = g.rope(q, cos, sin, g.iota((1, count), axis=1), head_dim=DIM)
    outputs = {}
    caches = []
    for name, new in (("keys", k), ("values", v)):
        old = g.state(name, (1, KEYS, KV_HEADS * DIM), "f32")
        changed = g.dynamic_update_slice(old, new * 2.0, position + 3, axes=1) if change == "two writers" else old
        caches.append(g.dynamic_update_slice(changed, new, position, axes=1))
        g.update(old, caches[-1])
    if change == "rope read twice":
        outputs["q"] = q
    outputs["y"] = g.attention(q, *caches, q_position=position, num_heads=HEADS, num_kv_heads=KV_HEADS, head_dim=DIM, causal=True)
    g.set_outputs(outputs)
    with noted_reads(monkeypatch) as reads:
        found, wanted, program = run_both(g, [{"position": [260]}])
    for one, other in zip(found, wanted, strict=True):
        for name in other:
            np.testing.assert_allclose(one[name], other[name], rtol=2e-5, atol=2e-5, err_msg=name)
    names = names_of(program)
    assert ("attention_step" in names) == (change != "two tokens")
    if change == "rope read twice":
        assert "rope" in names
    if change == "two writers":
        assert {frozenset(when) for (name, _), when in reads.items() if name == "attention_step"} == {frozenset({"after"})}


@pytest.mark.parametrize("how", [{"rope": {}, "kind": "bf16"}, {"layout": "bhsd", "rope": {"interleaved": True}}])
def test_its_kernels_compile_for_a_gpu(how: dict[str, Any]) -> None:
    backend = CudaBackend(FakeDriver())
    code = backend.compile(backend.lower(step_graph(**how), Options(), Report()), Options(), Report())
    for kernel in code.programs[0].kernels:
        assert compile_here(kernel, GpuTarget(90)).global_scratch == 0
