"""strict=True: what the program does not say is an error, with the line it is about."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

import rlx
from rlx.core.report import CHOICES, INFORMATION, Report
from rlx.ops.control.custom_values import register_op, unregister_op
from tests.small_llama import random_params, small_llama

SOURCE = Path(rlx.__file__).parent


def graph_of(build):
    g = rlx.Graph("strict")
    g.set_outputs({"y": build(g)})
    return g


def packed(g):
    return g.input("x", (2, 32)) @ g.param("w", (32, 8), scheme=rlx.QuantScheme.gguf("Q8_0"))


def product(g):
    return g.input("x", (4, 8)) @ g.param("w", (8, 16))


REFUSED = {
    "promotion": (lambda g: g.input("x", (3,), "i32") + g.input("z", (3,)), {}, "add of i32[3], f32[3] computes in f32", "astype"),
    "integers to floats": (lambda g: g.exp(g.input("x", (3,), "i32")), {}, "exp of i32[3] computes in f32", "astype"),
    "a product the kernel does not take": (
        lambda g: g.input("x", (4, 8), "c64") @ g.input("z", (8, 8), "c64"),
        {},
        "decomposed: matmul: a product of c64",
        "docs/ops.md",
    ),
    "a copy": (
        lambda g: g.transpose(g.input("x", (4, 6)), perm=(1, 0)).reshape((4, 6)),
        {},
        "copy: reshape reads f32[6, 4] made dense",
        "dense",
    ),
    "a precision policy": (product, {"precision": "auto_mixed_bf16"}, "cast: ", "astype"),
    "params stored low": (product, {"store_params": "bf16"}, "stored: param w in bf16", "declare the param"),
    "activations rounded": (packed, {}, "fast: gguf_q8_0 [32, 8]: activations rounded", "quant_mode='exact'"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_silent_choice_is_an_error_with_the_users_line(kind):
    build, options, message, fix = REFUSED[kind]
    graph = graph_of(build)
    rlx.compile(graph, **options)
    with pytest.raises(rlx.RlxError) as error:
        rlx.compile(graph, strict=True, **options)
    assert error.value.code == "RLX405" and message in error.value.message and fix in error.value.fix, str(error.value)
    assert error.value.location is not None and error.value.location.file == __file__


@pytest.mark.parametrize("device", ["reference", "null", "cpu"])
def test_promotion_is_refused_on_every_device(device):
    graph = graph_of(REFUSED["promotion"][0])
    with pytest.raises(rlx.RlxError, match="RLX405"):
        rlx.compile(graph, device, strict=True)
    with pytest.raises(rlx.RlxError, match="RLX405"):
        rlx.graphs.lower(graph, device, strict=True)


def test_what_was_compiled_before_is_refused_all_the_same():
    graph = graph_of(REFUSED["promotion"][0])
    for _ in range(2):
        rlx.compile(graph)
        with pytest.raises(rlx.RlxError, match="RLX405"):
            rlx.compile(graph, strict=True)


def test_python_in_a_run_is_refused():
    def twice(x):
        return x * 2

    register_op("strict_twice", "x", infer=lambda call: call.given[0], reference=twice, kernels={"cpu": twice})
    try:
        graph = graph_of(lambda g: g.custom("strict_twice", g.input("x", (3,))))
        assert rlx.compile(graph).report.of("host call")
        with pytest.raises(rlx.RlxError, match="strict_twice runs in Python") as error:
            rlx.compile(graph, strict=True)
        assert error.value.code == "RLX405"
    finally:
        unregister_op("strict_twice")


FINE = {
    "a product with a weight, packed once": product,
    "an op defined by others": lambda g: g.softmax(g.input("x", (3, 4))),
    "a number in the array's dtype": lambda g: g.input("x", (3,), "i32") * 2,
    "a cast that is written": lambda g: g.input("x", (3,), "i32").astype("f32") + g.input("z", (3,)),
    "constants folded, ops fused": lambda g: g.gelu(g.input("x", (3, 4)) * (g.constant(np.float32(2)) + 1.0)),
    "a view": lambda g: g.input("x", ("n", 4)).transpose((1, 0)) + 1.0,
}


@pytest.mark.parametrize("kind", FINE)
def test_what_the_program_says_compiles(kind):
    exe = rlx.compile(graph_of(FINE[kind]), strict=True)
    assert not [entry for entry in exe.report if entry.kind in CHOICES]


def test_packed_weights_compile_where_activations_are_read_as_they_are():
    rlx.compile(graph_of(packed), strict=True, quant_mode="exact")


def test_a_llama_compiles_and_gives_the_same_bits():
    ids = np.arange(10, dtype=np.int32).reshape(2, 5)
    found = []
    for strict in (False, True):
        exe = rlx.compile(small_llama(), strict=strict)
        exe.set_params(random_params(exe.graph))
        found.append(exe(ids))
    np.testing.assert_array_equal(*found)


# -- jit
def test_a_version_for_some_sizes_alone_is_refused():
    def last(x):
        return x[2] * 2.0  # holds for sizes above 2 alone, which no symbol says

    plain, strict = rlx.jit(last, device="reference"), rlx.jit(last, device="reference", strict=True)
    for jitted in (plain, strict):
        np.testing.assert_array_equal(jitted(np.arange(4, dtype=np.float32)), 4)
    plain(np.arange(5, dtype=np.float32))
    assert plain.report.of("static")
    with pytest.raises(rlx.RlxError, match="specialized to these sizes") as error:
        strict(np.arange(5, dtype=np.float32))
    assert error.value.code == "RLX405" and "dims=" in error.value.fix
    np.testing.assert_array_equal(strict(np.arange(4, dtype=np.float32)), 4)  # what was there still runs


def test_sizes_that_become_symbols_are_fine():
    double = rlx.jit(lambda x: x + x, device="reference", strict=True)
    for n in (2, 3, 4):
        assert double(np.ones(n, np.float32)).shape == (n,)
    assert double.traces == 2


def test_a_cast_in_a_traced_function_is_refused():
    mixed = rlx.jit(lambda x, y: x + y, device="reference", strict=True)
    with pytest.raises(rlx.RlxError, match="RLX405"):
        mixed(np.ones(2, np.int32), np.ones(2, np.float32))


# -- the two lists
def kinds_of(path: Path) -> dict[str, int]:
    """Every kind that a file adds to a report, and the line."""
    found = {}
    for node in ast.walk(ast.parse(path.read_text())):
        if (
            not isinstance(node, ast.Call)
            or not isinstance(node.func, ast.Attribute)
            or node.func.attr != "add"
            or len(node.args) < 3
        ):
            continue
        owner = ast.unparse(node.func.value)
        if not owner.endswith("report"):
            continue
        for kind in (node.args[1].body, node.args[1].orelse) if isinstance(node.args[1], ast.IfExp) else (node.args[1],):
            assert isinstance(kind, ast.Constant), f"{path}:{node.lineno}: a kind that cannot be read here"
            found[kind.value] = node.lineno
    return found


def test_every_kind_of_entry_is_a_choice_or_information():
    used = {kind: f"{path}:{line}" for path in SOURCE.rglob("*.py") for kind, line in kinds_of(path).items()}
    assert not CHOICES.keys() & INFORMATION.keys()
    assert {kind: place for kind, place in used.items() if kind not in CHOICES and kind not in INFORMATION} == {}
    assert (CHOICES.keys() | INFORMATION.keys()) - used.keys() == set(), "listed, and nobody uses it"


@pytest.mark.parametrize("kind", CHOICES)
def test_each_choice_is_refused_by_a_strict_report_and_noted_by_another(kind):
    Report().add("stage", kind, "message")
    report = Report(strict=True)
    with pytest.raises(rlx.RlxError, match="RLX405"):
        report.add("stage", kind, "message")
    assert not report.entries


@pytest.mark.parametrize("kind", INFORMATION)
def test_information_is_noted_by_a_strict_report(kind):
    report = Report(strict=True)
    report.add("stage", kind, "message")
    assert [entry.kind for entry in report] == [kind]
