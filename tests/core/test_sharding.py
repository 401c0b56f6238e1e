"""Meshes, specs and tables: plain data that says what cannot be cut."""

from __future__ import annotations

import pytest

import rlx
from rlx import Mesh, P
from rlx.core.sharding import ShardingTable, preset_table


def refused(call, *parts: str) -> None:
    with pytest.raises(rlx.RlxError) as caught:
        call()
    assert caught.value.code == "RLX406" and all(part in str(caught.value) for part in parts), caught.value


def test_meshes_that_are_none():
    refused(lambda: Mesh((2, 4), ("data",)), "one name")
    refused(lambda: Mesh((2, 2), ("data", "data")), "one name")
    refused(lambda: Mesh((2, 0), ("data", "model")), "at least 1")
    refused(lambda: Mesh((), ()), "one name")


def test_specs_that_do_not_fit():
    mesh = Mesh((2, 4), ("data", "model"))
    table = ShardingTable(mesh, {"*.up": P(None, "model"), "both": P(("data", "model")), "odd": P("rows")})
    assert table.spec("a.up", (3, 8)) == P(None, "model") and table.spec("both", (16,)) == P(("data", "model"))
    refused(lambda: table.spec("a.up", (3, 6)), "axis 1 of 'a.up' has 6 elements", "into 4")
    refused(lambda: table.spec("both", (12,)), "into 8")
    refused(lambda: table.spec("a.up", (8,)), "1 axes")
    refused(lambda: table.spec("odd", (8,)), "no axis 'rows'", "data, model")
    refused(lambda: P(3), "an entry of P")


def test_the_first_pattern_counts_and_inputs_are_cut_by_rows():
    mesh = Mesh((2, 2, 2), ("data", "fsdp", "model"))
    table = ShardingTable(mesh, {"layers.0.*": P("model"), "layers.*": P("fsdp")})
    assert table.spec("layers.0.w", (4,)) == P("model") and table.spec("layers.1.w", (4,)) == P("fsdp")
    assert table.input_spec("x", (8, 3)) == P(("data", "fsdp")) and table.input_spec("x", (6, 3)) == P()
    assert table.input_spec("count", ()) == P()


def test_presets():
    mesh = Mesh((2, 4), ("fsdp", "model"))
    params = {"layers.0.q": (16, 32), "layers.0.o": (32, 16), "norm": (16,), "bias": (3,), "head": (16, 30)}
    assert preset_table("tensor", mesh, params) == {
        "layers.0.q": P(None, "model"),
        "layers.0.o": P("model"),
        "norm": P(),
        "bias": P(),
        "head": P(),
    }
    both = preset_table("fsdp+tensor", mesh, params)
    assert both["layers.0.q"] == P("fsdp", "model") and both["head"] == P(None, "fsdp") and both["bias"] == P()
    experts = preset_table("expert", Mesh((4,), ("expert",)), {"experts_up": (8, 16, 32), "router": (16, 8)})
    assert experts == {"experts_up": P("expert"), "router": P()}
    sequence = preset_table("sequence", Mesh((2, 4), ("data", "sequence")), {})
    assert sequence == {"ids": P(("data",), "sequence"), "labels": P(("data", "sequence"))}
    refused(lambda: preset_table("pipeline", mesh, params), "'pipeline'", "fsdp, tensor, sequence, expert")
    refused(lambda: preset_table("expert", mesh, {"w": (4, 4, 4)}), "no axis 'expert'")


@pytest.mark.parametrize(
    "preset, rows, expected",
    [
        ("tensor", 64, P("model")),
        ("tensor", 30, P()),
        ("fsdp", 64, P("fsdp")),
        ("fsdp", 30, P("fsdp")),
        ("fsdp", 31, P()),
        ("fsdp+tensor", 64, P(("model", "fsdp"))),
        ("tensor+fsdp", 64, P(("model", "fsdp"))),
        ("fsdp+tensor", 36, P("model")),
        ("fsdp+tensor", 30, P("fsdp")),
        ("fsdp+tensor", 31, P()),
        ("fsdp+tensor", 4, P("model")),
        ("sequence", 64, P()),
    ],
)
def test_a_token_table_is_cut_by_its_rows_alone(preset, rows, expected):
    """Cut by columns along fsdp, it would take the rows of a batch away from all activations."""
    mesh = Mesh((2, 4, 1), ("fsdp", "model", "sequence"))
    for name in ("embedding", "model.embed", "token_embd"):
        assert preset_table(preset, mesh, {name: (rows, 16)})[name] == expected


def test_a_module_says_how_it_is_cut():
    module = rlx.GraphModule.define("m", lambda m: m.linear(m.input("x", (2, 4)), m.param("up", (4, 8))))
    assert module.shard({"up": (None, "model")}).sharding == {"up": P(None, "model")}
    assert module.shard("fsdp").sharding == "fsdp"


def test_the_host_is_one_device():
    with pytest.raises(rlx.RlxError) as caught:
        rlx.Session("cpu", sharding=ShardingTable(Mesh((2,), ("data",)))).arrays
    assert caught.value.code == "RLX403"
