"""Large graphs: compiling grows with the number of nodes, not with its square, and deep ones need no deep stack."""

import copy
import gc
import math
import pickle
import time

import numpy as np
import pytest

import rlx
import rlx.numpy as rnp
from rlx.core import this_process as garbage_collection
from rlx.core.this_process import pause_collection
from rlx.passes import fuse_regions


def chain(count):
    graph = rlx.Graph("chain")
    x, y = graph.input("x", (8,), "f32"), graph.input("y", (8,), "f32")
    graph.set_outputs({"r": repeated(x, y, count)})
    return graph


def repeated(x, y, count):
    for _ in range(count // 2):
        x = x * y
        x = x + y
    return x


def layers(count):
    """A param, a product, elementwise work and a residual for each seven nodes."""
    graph = rlx.Graph("layers")
    x = graph.input("x", (4, 8), "f32")
    for number in range(count // 7):
        w = graph.param(f"w{number}", (8, 8), "f32")
        x = x + graph.exp(graph.relu(x @ w) * 0.5 + 1.0)
    graph.set_outputs({"r": x})
    return graph


def updates(count):
    """As of an optimizer: independent work on many arrays, twice as many results."""
    graph = rlx.Graph("updates")
    outputs = {}
    for number in range(count // 9):
        p, d, m = (graph.input(f"{name}{number}", (4, 4), "f32") for name in "pdm")
        mean = m * 0.9 + d * 0.1
        outputs |= {f"m{number}": mean, f"p{number}": p - mean / graph.sqrt(mean * mean + 1e-8)}
    graph.set_outputs(outputs)
    return graph


def seconds_of(graph):
    """Processor time from a graph to its plan."""
    start = time.process_time()
    rlx.graphs.lower(graph)
    return time.process_time() - start


@pytest.mark.parametrize("make", [chain, layers, updates])
def test_passes_and_plan_grow_gently(make, monkeypatch):
    monkeypatch.setenv("RLX_VERIFY", "0")
    seconds_of(make(100))  # loads what is loaded when it is used
    exponent = math.log(seconds_of(make(2400)) / seconds_of(make(300))) / math.log(8)
    assert exponent < 1.5, "8 times the nodes take more than 22 times as long: what is quadratic?"


def test_a_region_ends_at_its_bound_and_the_result_is_the_same():
    count = 2 * fuse_regions.MOST_MEMBERS + 100
    exe = rlx.compile(chain(count))
    x, y = np.linspace(-1, 1, 8, dtype=np.float32), np.linspace(0.1, 0.9, 8, dtype=np.float32)
    np.testing.assert_array_equal(exe(x, y), repeated(x, y, count))
    regions = [node for node in rlx.graphs.lower(chain(count)).lir.graph.nodes if node.op.name == "fused"]
    sizes = [sum(not node.op.definition.leaf for node in region.op["body"].nodes) for region in regions]
    assert sum(sizes) == count and max(sizes) == fuse_regions.MOST_MEMBERS
    assert any("256" in str(entry) and entry.stage == "fuse regions" for entry in exe.report.entries)


def test_a_merge_whose_proof_takes_too_long_is_refused(monkeypatch):
    """A node reads an old value, and one to which a long way of sums leads that does not begin there."""
    graph = rlx.Graph("far")
    old = graph.exp(graph.input("x", (4, 4), "f32"))
    way = graph.input("z", (4, 4), "f32")
    for axis in (0, 1) * 10:
        way = graph.cumsum(way, axis=axis)
    graph.set_outputs({"r": old + way})
    kernels = [node.op.name for node in rlx.graphs.lower(graph).lir.graph.nodes]
    monkeypatch.setattr(fuse_regions, "MOST_VISITED", 10)
    refused = [node.op.name for node in rlx.graphs.lower(graph).lir.graph.nodes]
    assert len(refused) == len(kernels) + 1
    x, z = np.eye(4, dtype=np.float32), np.ones((4, 4), np.float32)
    wanted = z
    for axis in (0, 1) * 10:
        wanted = np.cumsum(wanted, axis)
    np.testing.assert_allclose(rlx.compile(graph)(x, z), np.exp(x) + wanted, rtol=1e-6)


@pytest.mark.parametrize("depth", [1200, pytest.param(20_000, marks=pytest.mark.long)])
def test_deep_graphs_need_no_recursion(depth):
    graph = chain(depth)
    assert pickle.loads(pickle.dumps(graph)) == graph == copy.deepcopy(graph)
    assert rlx.graphs.parse(str(graph)) == graph
    frozen = copy.deepcopy(graph).freeze()
    assert hash(frozen) == hash(copy.deepcopy(frozen)) and frozen.fingerprint() == graph.fingerprint()
    x = np.full(8, 0.5, np.float32)
    np.testing.assert_array_equal(rlx.compile(graph)(x, x), repeated(x, x, depth))
    np.testing.assert_array_equal(rlx.compile(graph, device="reference")(x, x), repeated(x, x, depth))


@pytest.mark.parametrize("depth", [1200, pytest.param(20_000, marks=pytest.mark.long)])
def test_derivatives_and_batches_of_deep_functions_need_no_recursion(depth):
    def function(x, y):
        return repeated(x, y, depth)

    x = np.full(8, 0.5, np.float32)
    slope = rlx.jit(rlx.grad(lambda a, b: rnp.sum(function(a, b))))(x, x)
    np.testing.assert_allclose(slope, np.float32(0.5) ** (depth // 2), rtol=1e-4, atol=1e-30)
    _, tangent = rlx.jit(lambda a, b: rlx.jvp(function, (a, b), (a, b)))(x, x)
    value, wanted = 0.5, 0.5
    for _ in range(depth // 2):  # of x * y + y, where both move by 0.5
        value, wanted = value * 0.5 + 0.5, wanted * 0.5 + value * 0.5 + 0.5
    np.testing.assert_allclose(tangent, wanted, rtol=1e-5)
    batched = rlx.jit(rlx.vmap(function))(np.stack([x, x]), np.stack([x, x]))
    np.testing.assert_array_equal(batched, np.stack([repeated(x, x, depth)] * 2))


def test_small_collections_do_not_look_at_what_the_first_compilation_imports(monkeypatch):
    monkeypatch.setattr(garbage_collection, "_imported", False)
    with pause_collection():
        kept = [[number] for number in range(1000)]
    assert gc.isenabled() and gc.get_freeze_count() < 1000
    old = {id(each) for each in gc.get_objects(generation=2)}
    assert all(id(each) in old for each in kept)
    with pause_collection():
        later = [[number] for number in range(1000)]
    assert not {id(each) for each in later} & {id(each) for each in gc.get_objects(generation=2)}


def test_the_collector_stands_still_while_compiling_and_goes_on_after():
    assert gc.isenabled()
    with pause_collection(), pause_collection():
        assert not gc.isenabled()
    assert gc.isenabled()
    gc.disable()
    try:
        with pause_collection():
            assert not gc.isenabled()
        assert not gc.isenabled(), "the program itself has switched it off"
    finally:
        gc.enable()
