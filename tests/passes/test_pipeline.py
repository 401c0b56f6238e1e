"""THE list: which entries each device runs, and what a caller adds to it."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from rlx.backends.registry import find_backend
from rlx.ir.op import OPS
from rlx.ir.pattern import Rules, op, rewrites
from rlx.passes.entry import OPTIONAL, Options
from rlx.passes.pipeline import PIPELINE, passes_of

ALWAYS = ["unfuse", "select dequant", "promotions", "precision", "plan"]


def names(device, **options):
    return [one.name for one in passes_of(find_backend(device), Options(**options))]


def test_what_can_be_left_out_is_what_only_makes_a_graph_faster():
    assert tuple(one.name for one in PIPELINE if one.optional and not one.name.endswith(" again")) == OPTIONAL


def test_the_list_holds_everything_and_ends_with_the_plan():
    assert [one.name for one in PIPELINE][-3:] == ["bodies", "split_prepare", "plan"]
    assert all(one.docs for one in PIPELINE)


def test_the_reference_runs_what_is_always_needed():
    assert [one.name for one in PIPELINE if one.needed == "always"] == ALWAYS
    assert names("reference", precision="auto_mixed_bf16") == ALWAYS
    assert names("reference", store_params="bf16") == ALWAYS
    assert names("reference") == ["select dequant", "promotions", "plan"]


def test_what_cpu_and_null_run(monkeypatch):
    monkeypatch.setenv("RLX_CANARIES", "0")
    everything = [one.name for one in PIPELINE]
    assert names("cpu") == everything
    assert names("null") == [name for name in everything if name != "split_prepare"]
    monkeypatch.setenv("RLX_CANARIES", "1")
    assert names("cpu") == [*everything, "canaries"]


def test_what_a_device_leaves_out_and_adds_is_in_the_report(monkeypatch):
    monkeypatch.setenv("RLX_CANARIES", "1")
    assert "split_prepare: 'null' does without" in str(rlx.compile(logs(), "null").report)
    assert "passes: added: canaries, by 'cpu'" in str(rlx.compile(logs(), "cpu").report)


def test_every_optional_pass_can_be_skipped_on_the_cpu():
    g = rlx.Graph("g")
    x = g.input("x", ("n", 8))
    g.set_outputs({"y": g.softmax(x @ g.param("w", (8, 8)), axis=-1) + 1.0})
    values = {"x": np.arange(24, dtype=np.float32).reshape(3, 8) / 7}
    weight = np.cos(np.arange(64, dtype=np.float32)).reshape(8, 8)
    found = []
    for skip in ((), ("split_prepare",), OPTIONAL):
        exe = rlx.compile(g, skip=skip)
        exe.set_param("w", weight)
        found.append(exe.run(values)["y"])
    scores = values["x"].astype(np.float64) @ weight.astype(np.float64)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    for one in found:
        np.testing.assert_allclose(one, powers / powers.sum(-1, keepdims=True) + 1, atol=1e-5)


# -- a caller's passes -------------------------------------------------------------------------------------------
def logs(name="logs"):
    """y = exp(log(x))"""
    g = rlx.Graph(name)
    x = g.input("x", (3,))
    g.set_outputs({"y": g.exp(g.log(x))})
    return g


@rewrites(op("exp", op("log", "x", alone=True)))
def exp_of_log(at, x):
    """exp(log(x))  ->  x"""
    return x


def tidy(graph, context):
    """exp(log(x))  ->  x"""
    return Rules(exp_of_log).apply(graph, "tidy", context.uses(graph))


NEGATIVE = {"x": np.array([-1, 2, 3], np.float32)}  # log gives NaN: exp(log(x)) and x differ


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize("place", [{}, {"after": "cse"}, {"before": "plan"}, {"before": "fuse regions"}])
def test_a_pass_of_the_caller_rewrites_the_graph(device, place):
    assert np.isnan(rlx.compile(logs(), device).run(NEGATIVE)["y"][0])
    exe = rlx.compile(logs(), device, passes=[rlx.Pass("tidy", tidy, **place)], fuse="before" not in place)
    np.testing.assert_array_equal(exe.run(NEGATIVE)["y"], NEGATIVE["x"])
    assert any(entry.kind == "added" and "tidy" in entry.message for entry in exe.report)


def test_a_function_is_a_pass_under_its_own_name_and_sees_the_graph_as_built_first_of_all():
    seen = []

    def first(graph, context):
        seen.append([node.op.name for node in graph.nodes])
        return graph

    exe = rlx.compile(logs(), "cpu", passes=[first, rlx.Pass("second", tidy, version=1)])
    assert seen == [["input", "log", "exp"]]
    np.testing.assert_array_equal(exe.run(NEGATIVE)["y"], NEGATIVE["x"])
    added = [entry.message for entry in exe.report if entry.kind == "added"]
    assert added[-2:] == ["first, as given to compile", "second, version 1, as given to compile"]


def test_passes_of_one_place_run_in_the_order_given_and_may_name_each_other():
    order = []

    def noting(name):
        return lambda graph, context: order.append(name) or graph

    given = [
        rlx.Pass("a", noting("a"), after="cse"),
        rlx.Pass("b", noting("b"), after="cse"),
        rlx.Pass("c", noting("c"), before="a"),
        rlx.Pass("d", noting("d"), after="b"),
    ]
    rlx.compile(logs(), "reference", passes=given)
    assert order == ["c", "a", "b", "d"]


def test_a_pass_goes_through_bodies_too():
    seen = []
    exe = rlx.compile(scanned(), passes=[lambda graph, context: seen.append(graph.name) or graph])
    assert len(seen) == 2, seen
    assert exe(x=np.ones((4, 3), np.float32)).shape == (3,)


def scanned():
    g = rlx.Graph("loop")
    x = g.input("x", (4, 3))
    body = rlx.Graph("body")
    carry, row = body.input("carry", (3,)), body.input("row", (3,))
    body.set_outputs({"carry": carry + body.exp(row)})
    first = g.constant(np.zeros(3, np.float32))
    g.set_outputs({"y": OPS["scan"](first, x, body=body.freeze(), num_carry=1, num_bcast=0, num_xs=1, length=4)[0]})
    return g


def test_the_gradient_of_a_function_compiles_with_a_pass():
    def loss(x):
        return (x * 1.0 * x).sum()

    calls = []

    def watching(graph, context):
        calls.append(graph)
        return graph

    found = rlx.jit(rlx.grad(loss), passes=[watching])(np.array([1, 2], np.float32))
    np.testing.assert_array_equal(found, [2, 4])
    assert calls


def test_lower_takes_passes():
    assert "log" in str(rlx.graphs.lower(logs(), "cpu").lir)
    assert "log" not in str(rlx.graphs.lower(logs(), "cpu", passes=[rlx.Pass("tidy", tidy)]).lir.graph).partition("\n")[2]


def cached(exe):
    return next(entry.message for entry in exe.report if entry.kind == "cache")


def test_name_version_and_place_are_in_the_cache_key_and_without_a_version_nothing_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("RLX_CACHE_DIR", str(tmp_path))
    g = logs("kept")

    def compiled(*passes):
        return cached(rlx.compile(g, "cpu", passes=list(passes)))

    one = rlx.Pass("tidy", tidy, version="1", after="cse")
    assert compiled() == "compiled and stored"
    assert compiled(one) == "compiled and stored"
    assert compiled(one).startswith("loaded")
    assert compiled().startswith("loaded")
    for other in (("tidy", "2", "cse"), ("neat", "1", "cse"), ("tidy", "1", "fold")):
        name, version, after = other
        assert compiled(rlx.Pass(name, tidy, version=version, after=after)) == "compiled and stored", other
    before = sorted(path.name for path in tmp_path.rglob("*") if path.is_file())
    for _ in range(2):
        assert compiled(rlx.Pass("tidy", tidy)) == "compiled; not stored, pass 'tidy' has no version"
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == before


def test_an_executable_with_a_pass_is_saved_and_loaded(tmp_path):
    exe = rlx.compile(logs(), "cpu", passes=[rlx.Pass("tidy", tidy, version="1")])
    exe.save(tmp_path / "x.rlxe")
    again = rlx.load_executable(tmp_path / "x.rlxe")
    np.testing.assert_array_equal(again.run(NEGATIVE)["y"], NEGATIVE["x"])
    with pytest.raises(rlx.RlxError, match="code of pass 'tidy' is not in the file"):
        _ = again.lir


def test_trap_nan_still_looks_at_values_behind_a_pass_that_gives_no_map():
    exe = rlx.compile(logs(), "cpu", passes=[lambda graph, context: graph], trap_nan=True)
    with pytest.raises(rlx.RlxError, match="RLX510"):
        exe.run(NEGATIVE)


def drops_output(graph, context):
    made = rlx.Graph("other")
    made.set_outputs({"z": made.input("x", (3,))})
    return made


def changes_type(graph, context):
    made = rlx.Graph("other")
    made.set_outputs({"y": made.input("x", (3,)).astype("f16")})
    return made


def changes_input(graph, context):
    made = rlx.Graph("other")
    made.set_outputs({"y": made.input("w", (3,))})
    return made


def breaks(graph, context):
    from dataclasses import replace

    made = graph.at_level("mir")
    made.nodes = [*made.nodes[:-1], replace(made.nodes[-1], results=(rlx.Shape((4,), "f32"),))]
    return made


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda graph, context: None, "pass 'bad' returned NoneType, not a graph"),
        (lambda graph, context: (graph, [1]), "pass 'bad' returned tuple, not a graph"),
        (drops_output, "pass 'bad' changed the output 'y'"),
        (changes_type, "pass 'bad' changed the output 'y': f32[3] before, f16[3] after"),
        (changes_input, "pass 'bad' changed the input 'x'"),
        (breaks, "pass 'bad' made a graph that is not valid"),
    ],
)
def test_a_pass_that_breaks_the_graph_is_named(function, said):
    for device in ("cpu", "reference"):
        with pytest.raises(rlx.RlxError) as error:
            rlx.compile(logs(), device, passes=[rlx.Pass("bad", function)])
        assert error.value.code == "RLX406" and said in str(error.value)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: rlx.compile(logs(), passes=[3]), "passes has 3 in it"),
        (lambda: rlx.compile(logs(), passes=tidy), "passes"),
        (lambda: rlx.Pass("bad", 3), "pass 'bad' has 3 for a function"),
        (lambda: rlx.Pass(3, tidy), "the name of a pass"),
        (lambda: rlx.Pass("bad", tidy, version=1.5), "version of pass 'bad'"),
        (lambda: rlx.Pass("bad", tidy, after="cse", before="dce"), "pass 'bad' goes after 'cse' and before 'dce'"),
        (lambda: rlx.Pass("bad", tidy, needed="now and then"), "pass 'bad' is needed 'now and then'"),
        (lambda: rlx.compile(logs(), passes=[rlx.Pass("bad", tidy, after="csee")]), "after 'csee', which is not a pass"),
        (lambda: rlx.compile(logs(), passes=[rlx.Pass("bad", tidy, before="x")]), "before 'x', which is not a pass"),
        (lambda: rlx.compile(logs(), passes=[rlx.Pass("bad", tidy, after="plan")]), "after 'plan', which ends the list"),
        (lambda: rlx.compile(logs(), passes=[rlx.Pass("cse", tidy)]), "there is a pass 'cse' already"),
    ],
)
def test_what_is_no_pass_is_an_error_that_names_it(make, said):
    with pytest.raises(rlx.RlxError) as error:
        make()
    assert error.value.code == "RLX406" and said in str(error.value)


def test_an_exception_in_a_pass_says_which_pass_it_was():
    def fails(graph, context):
        raise ValueError("nothing works")

    with pytest.raises(ValueError, match="nothing works") as error:
        rlx.compile(logs(), passes=[rlx.Pass("bad", fails)])
    assert any("pass 'bad'" in note for note in error.value.__notes__)
