"""Printing, parsing, fingerprints, verification."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import rlx
from rlx.core.errors import RlxError
from rlx.ir.attributes import ArrayValue
from rlx.ir.graph import Ref
from rlx.ir.op import OPS
from rlx.ir.verify import verify


def sample_graph() -> rlx.Graph:
    """A graph with every kind of line: symbols, assumption, leaves, constants, several results, a body, updates."""
    batch, seq = rlx.Dim("batch", 1, 64), rlx.Dim("seq", 1, 128)
    g = rlx.Graph("everything")
    ids = g.input("ids", (batch, seq), "i32")
    table = g.param("embed", (100, 16), "f32")
    g.param("packed", (256, 16), "f32", scheme="gguf_q8_0")
    counter = g.state("counter", (batch,), "f32", init=2.5)
    g.assume(seq <= 100)
    x = g.gather(table, ids, axis=0)
    large = g.constant(np.arange(16 * 16, dtype=np.float32).reshape(16, 16))
    odd = g.constant(np.array([np.nan, -0.0, np.inf, 1e-40], np.float32))
    y = g.gelu(x @ large, name="my gelu") + 2
    values, indices = g.top_k(y, k=4)
    z = g.sum(values, axes=(1, 2)) + odd.sum() + counter
    g.update("counter", z)
    g.set_outputs({"indices": indices, "z": z, "reshaped": y.reshape(batch * seq, -1)})
    return g


def test_parse_of_print_is_the_graph():
    g = sample_graph()
    verify(g)
    text = str(g)
    again = rlx.graphs.parse(text)
    assert again == g
    assert str(rlx.graphs.parse(str(again))) == str(again)
    assert 'state("counter", init=2.5) : f32[batch]' in text
    assert "assume seq <= 100" in text
    assert 'update "counter"' in text


def test_constants_survive_bit_for_bit():
    for dtype in ("f32", "f64", "f16", "bf16", "f8e4m3", "i64", "u64", "u8", "bool", "c64"):
        raw = np.random.default_rng(1).integers(0, 2 if dtype == "bool" else 256, 64).astype(np.uint8)
        array = raw.view(rlx.DType.of(dtype).numpy)
        g = rlx.Graph("constants")
        g.set_outputs({"c": g.constant(array[:8])})
        found = next(iter(rlx.graphs.parse(str(g)).constants().values())).array
        assert found.tobytes() == array[:8].tobytes(), dtype


def test_large_constant_needs_its_table():
    text = "mir @x {\n  %0 = constant(#00112233445566778899aabbccddeeff) : f32[99]\n  return y=%0\n}"
    with pytest.raises(RlxError) as error:
        rlx.graphs.parse(text)
    assert error.value.code == "RLX301" and "constants=" in str(error.value)
    value = ArrayValue(np.arange(99, dtype=np.float32))
    assert rlx.graphs.parse(text.replace("00112233445566778899aabbccddeeff", value.digest), {value.digest: value}).outputs


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("mir @x {", "the end of the text"),
        ("mir @x {\n %0 = nothing() : f32[]\n}", "RLX113"),
        ('mir @x {\n %0 = input("a") : f33[]\n}', "RLX103"),
        ('mir @x {\n %1 = input("a") : f32[]\n}', "expected node %0"),
        ('mir @x {\n %0 = input("a") : f32[n]\n}', "not a declared symbol"),
        ("mir @x { ? }", "not a token"),
    ],
)
def test_bad_text_says_where(text, what):
    with pytest.raises(RlxError) as error:
        rlx.graphs.parse(text)
    assert what in str(error.value)
    assert f"line {1 + text.count(chr(10), 0, -2)}, column " in str(error.value)


NODES = 'mir @x {\n  sym n in 1..9\n  %0 = input("a") : f32[2, n]\n  %1 = softmax(%0, axis=1) : f32[2, n]\n  return y=%1\n}'


@pytest.mark.parametrize(
    ("old", "new", "where", "what"),
    [
        (" : f32[2, n]\n  return", " : f32[3, n]\n  return", "line 4, column 3", "inference gives"),
        ("axis=1", "axis=-1", "line 4, column 3", "not in its canonical form"),
        ("axis=1", "axis=2", "line 4, column 3", "out of range"),
        ("axis=1", "axis=1, axis=1", "line 4, column 28", "given twice"),
        ("axis=1", "axis=true", "line 4, column 25", "expected an int"),
        ("softmax(%0,", "softmax(%1,", "line 4, column 3", "earlier node"),
        ("softmax(%0,", "softmax(%0 ", "line 4, column 20", "expected ')'"),
        ("  return y=%1\n", "", "line 5, column 1", "return"),
        ("y=%1", "y=%1, y=%0", "line 5, column 16", "second output"),
        ("y=%1", "y=%1.1", "line 5, column 12", "not a value"),
        ("sym n in 1..9", "sym n in 1..9 sym n in 1..9", "line 2, column 21", "declared twice"),
        ("sym n in 1..9", "sym n in 9..1", "line 2, column 7", "bounds"),
        ("f32[2, n]\n  %1", "f32[floordiv(n, 0), n]\n  %1", "line 3, column 25", "divided by 0"),
        ('"a"', '"\\q"', "line 3, column 14", "JSON"),
        ("softmax", "llama", "line 4, column 8", "no op"),
        ("softmax(%0, axis=1)", "constant([300]) : u8[] //", "line 4, column 17", "300"),
        ("softmax(%0, axis=1)", "constant([1.5]) : i32[] //", "line 4, column 17", "1.5"),
        ("softmax(%0, axis=1)", "constant([1e60]) : f32[] //", "line 4, column 17", "too large"),
        ("softmax(%0, axis=1)", 'constant(x"02") : bool[] //', "line 4, column 17", "bool"),
        ("softmax(%0, axis=1)", "constant([1.0, 2.0]) : f32[3] //", "line 4, column 17", "not the contents of f32[3]"),
    ],
)
def test_a_text_that_would_make_a_wrong_graph_is_refused(old, new, where, what):
    assert rlx.graphs.parse(NODES).outputs
    assert old in NODES
    with pytest.raises(RlxError) as error:
        rlx.graphs.parse(NODES.replace(old, new))
    assert where in str(error.value) and what in str(error.value), str(error.value)


def test_nested_sizes_do_not_exhaust_the_stack():
    deep = "floordiv(" * 5000 + "n" + ", 2)" * 5000
    with pytest.raises(RlxError) as error:
        rlx.graphs.parse(NODES.replace("f32[2, n]", f"f32[{deep}]"))
    assert error.value.code == "RLX301" and "levels" in str(error.value)


def test_the_name_of_a_node_with_a_body_survives():
    """It stands in the comment behind the body, lines below the node's first word."""
    g = rlx.Graph("named")
    x = g.input("x", (3,))
    g.set_outputs({"y": g.elementwise_region(x, body=lambda a: (a * a,))[0]})
    node = g.nodes[-1]
    g.nodes[-1] = type(node)(node.id, node.op, node.inputs, node.results, "my region", node.origin)
    assert "my region" in str(g)
    assert rlx.graphs.parse(str(g)) == g


def test_fingerprint_is_stable_across_processes():
    code = "import sys; sys.path.insert(0, 'tests/ir'); from test_text import sample_graph; print(sample_graph().fingerprint())"
    found = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() for _ in range(2)
    }
    assert found == {sample_graph().fingerprint()}


def test_fingerprint_sees_one_byte_of_a_constant():
    prints = set()
    for last in (0, 1):
        g = rlx.Graph("c")
        array = np.zeros(1000, np.uint8)
        array[-1] = last
        g.set_outputs({"y": g.constant(array)})
        prints.add(g.fingerprint())
    assert len(prints) == 2


def test_fingerprint_changes_with_any_attribute():
    def build(axis=1, eps=1e-5, name="x", out="y", dims=(2, 3), dtype="f32"):
        g = rlx.Graph("g")
        x = g.input(name, dims, dtype)
        g.set_outputs({out: g.rms_norm(g.softmax(x, axis=axis), g.constant(np.ones(3, np.float32)), axis=-1, eps=eps)})
        return g.fingerprint()

    base = build()
    assert build() == base
    for change in ({"axis": 0}, {"eps": 1e-6}, {"name": "z"}, {"out": "w"}, {"dims": (4, 3)}, {"dtype": "f64"}):
        assert build(**change) != base, change


def test_save_and_load(tmp_path):
    from rlx.module.parse_and_load import load_text, save_text

    g = sample_graph()
    save_text(tmp_path / "g.rlx", g)
    assert load_text(tmp_path / "g.rlx") == g
    blob = bytearray((tmp_path / "g.rlx").read_bytes())
    blob[-1] ^= 1
    (tmp_path / "bad.rlx").write_bytes(blob)
    for bad, what in ((tmp_path / "bad.rlx", "damaged"), (tmp_path / "missing.rlx", "No such file")):
        with pytest.raises(RlxError) as error:
            load_text(bad)
        assert error.value.code == "RLX303" and what in str(error.value)


def test_verifier_names_the_broken_rule():
    def fresh():
        g = rlx.Graph("broken")
        x = g.input("x", (2, 3), "f32")
        g.set_outputs({"y": x + 1.0})
        return g

    g = fresh()
    g.add_node(OPS["abs"].op(), [Ref(99)], results=[rlx.Shape((2, 3))])
    with pytest.raises(RlxError, match="earlier node"):
        verify(g)
    g = fresh()
    g.add_node(OPS["abs"].op(), [Ref(0)], results=[rlx.Shape((2, 4))])
    with pytest.raises(RlxError, match="inference gives"):
        verify(g)
    g = fresh()
    g.output_refs["z"] = Ref(7)
    with pytest.raises(RlxError, match="does not exist"):
        verify(g)
    g = fresh()
    g.updates["nobody"] = Ref(0)
    with pytest.raises(RlxError, match="neither a state nor a param"):
        verify(g)


def test_symbol_with_two_bounds_is_refused():
    g = rlx.Graph("g")
    g.input("x", (rlx.Dim("n", 1, 4),), "f32")
    with pytest.raises(RlxError) as error:
        g.input("y", (rlx.Dim("n", 1, 5),), "f32")
    assert error.value.code == "RLX201" and "1..4" in str(error.value) and "1..5" in str(error.value)


def test_a_choice_with_a_number_of_its_own_survives():
    """`sliding_window(4)` has an int in brackets, `ema(0.9)` has not."""
    g = rlx.Graph("tags")
    x, scale = g.input("x", (4, 7)), g.input("s", ())
    g.set_outputs({"y": g.fake_quantize(x, scale, scale_mode="ema(0.9)")[0]})
    assert "ema(0.9)" in str(g)
    assert rlx.graphs.parse(str(g)) == g
