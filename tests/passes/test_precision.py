"""Precision policies: what is lowered, what stays, and how near the results are to f64."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import rlx
from rlx.core.enums import OpKind
from rlx.core.precision import POLICIES, CastConfig, Precision, PrecisionPolicy
from rlx.passes.entry import Context, Options
from rlx.passes.precision import AutoMixedPrecision, near_constant

DEVICES = ("cpu", "reference")
SIX = (*POLICIES, PrecisionPolicy.Custom({"compute": "bf16", "elementwise": "f16"}))
EPS = {"f32": 2.0**-23, "f16": 2.0**-10, "bf16": 2.0**-7}


class Backend:
    name = "none"

    def claims(self, op, operands, results):
        return None

    def layout_for(self, weights, scheme):
        return f"{'panel' if len(weights) == 1 else 'pair'}16"


def coarsest(policy):
    """The eps of the coarsest precision a policy uses."""
    return max([EPS[precision.value] for _, precision in policy.kinds], default=EPS["f32"])


def draw(*dims, seed=0, scale=1.0):
    return (np.random.default_rng([seed, *dims]).standard_normal(dims) * scale).astype(np.float32)


def lowered(graph, policy, **options):
    context = Context(Backend(), Options(**options))
    found, mapping = AutoMixedPrecision(PrecisionPolicy.parse(policy))(graph, context)
    rlx.graphs.verify(found)
    assert all(ref in mapping for node in graph.nodes for ref in node.outputs)
    return found, context.report


def dtypes(graph, name):
    return [node.shape.dtype.name for node in graph.nodes if node.op.name == name]


def run(graph, device, inputs, params=None, **options):
    exe = rlx.compile(graph, device, **options)
    exe.set_params(params or {})
    return exe.run(inputs)


# -- the policies themselves ------------------------------------------------------------------------------------
def test_precision_for_every_kind():
    rows = {
        "always_f32": ("f32", "f32", "f32", "f32"),
        "always_f16": ("f16", "f16", "f16", "f16"),
        "auto_mixed_conservative": ("f16", "f32", "f16", "f16"),
        "auto_mixed": ("f16", "f16", "f16", "f16"),
        "auto_mixed_bf16": ("bf16", "bf16", "bf16", "bf16"),
    }
    kinds = (OpKind.Compute, OpKind.Reduction, OpKind.Elementwise, OpKind.DataMovement)
    for policy in POLICIES:
        assert tuple(policy.precision_for(kind).value for kind in kinds) == rows[policy.name]
        assert policy.precision_for(OpKind.Boundary) is Precision.F32
    custom = PrecisionPolicy.Custom({OpKind.Compute: Precision.BF16})
    assert custom.precision_for("compute").dtype is rlx.DType.of("bf16")
    assert custom.precision_for("elementwise") is Precision.F32


def test_policies_are_values_and_parse_from_what_they_print():
    for policy in SIX:
        assert PrecisionPolicy.parse(str(policy)) == policy
        assert Options(precision=policy) == Options(precision=str(policy))
        hash(policy)
    assert PrecisionPolicy.parse("AutoMixedBf16") is PrecisionPolicy.AutoMixedBf16
    with pytest.raises(rlx.RlxError, match="RLX406"):
        PrecisionPolicy.parse("half")


def test_boundaries_keep_their_dtype_whatever_a_custom_policy_lists():
    policy = PrecisionPolicy.Custom({"boundary": "f16", "compute": "f16"})
    assert policy == PrecisionPolicy.Custom({"compute": "f16"})
    assert policy.precision_for("boundary") is Precision.F32


def test_cast_config():
    assert CastConfig.plain("f16").is_noop("f16") and not CastConfig.plain("f16").is_noop("f32")
    scaled = CastConfig("f8e4m3", sf_block=(1, 32), round_sf=True)
    assert not scaled.is_noop("f8e4m3") and scaled == CastConfig("f8e4m3", (1, 32), True)
    with pytest.raises(rlx.RlxError):
        CastConfig("f16", sf_block=(0, 1))


# -- what the pass does -----------------------------------------------------------------------------------------
def test_always_f32_changes_nothing():
    g = rlx.Graph("same")
    x = g.input("x", (4, 4), "f32")
    g.set_outputs({"y": g.gelu(x @ x)})
    found, report = lowered(g, "always_f32")
    assert found is g and not report.entries


def test_casts_are_shared_nodes_and_outputs_come_back():
    g = rlx.Graph("shared")
    x = g.input("x", (4, 4), "f32")
    g.set_outputs({"y": x @ x + x, "x": x})
    found, report = lowered(g, "auto_mixed_bf16")
    assert dtypes(found, "cast") == ["bf16", "f32"]
    assert found.shape(found.output_refs["y"]).dtype.name == found.shape(found.output_refs["x"]).dtype.name == "f32"
    assert len(report.of("cast")) == 2


def test_a_cast_of_the_user_is_never_changed():
    g = rlx.Graph("casts")
    x, n = g.input("x", (4,), "f32"), g.input("n", (4,), "i32")
    low = (x * 2).astype("bf16") * 3  # the user's own bf16
    g.set_outputs({"low": low, "int": (x * 2).astype("i32"), "wide": n.astype("f32")})
    found, _ = lowered(g, "always_f16")
    written = [node for node in found.nodes if node.op.name == "cast" and not node.origin.made_by]
    kept = [(found.shape(node.refs[0]).dtype.name, node.op["to"].name) for node in written]
    assert kept == [("f32", "bf16"), ("f32", "i32"), ("i32", "f32")]
    assert found.shape(found.output_refs["low"]).dtype.name == "bf16"


def test_ints_bools_and_f64_are_untouched():
    g = rlx.Graph("others")
    i, b, d = g.input("i", (4,), "i32"), g.input("b", (4,), "bool"), g.input("d", (4,), "f64")
    g.set_outputs({"i": i + 1, "b": g.not_(b), "d": g.exp(d) * d})
    found, _ = lowered(g, "always_f16")
    assert not dtypes(found, "cast")
    assert str(found) == str(g)


def test_comparisons_and_orderings_read_what_is_there():
    """Rounding before a comparison makes ties that are not there."""
    g = rlx.Graph("compares")
    x = g.input("x", (3, 9), "f32")
    g.set_outputs({"below": x < 1.0, "first": g.argmax(x, axis=1), "best": g.top_k(x, k=2)[0]})
    found, _ = lowered(g, "always_f16")
    assert not dtypes(found, "cast")


def test_positions_and_angles_keep_f32():
    """What comes from integers and constants alone is no data: 257 is not a bf16."""
    g = rlx.Graph("angles")
    x = g.input("x", (300,), "f32")
    angle = g.iota(shape=(300,)).astype("f32") * 0.1
    g.set_outputs({"y": x * g.cos(angle)})
    found, _ = lowered(g, "auto_mixed_bf16")
    assert dtypes(found, "cos") == ["f32"] and dtypes(found, "mul") == ["f32", "bf16"]


def test_losses_and_sampling_stay_f32():
    g = rlx.Graph("loss")
    x, labels = g.input("x", (4, 8), "f32"), g.input("labels", (4,), "i32")
    logits = x @ g.param("w", (8, 10), "f32")
    g.set_outputs({"loss": g.softmax_cross_entropy_with_logits(logits, labels)})
    found, report = lowered(g, "always_f16")
    assert dtypes(found, "softmax_cross_entropy_with_logits") == ["f32"] and dtypes(found, "matmul") == ["f16"]
    assert any("a loss" in entry.message for entry in report.of("kept"))


def test_states_keep_their_dtype_and_are_not_cast_whole():
    g = rlx.Graph("cache")
    x, at = g.input("x", (1, 1, 8), "f32"), g.input("at", (1,), "i32")
    cache = g.state("cache", (1, 16, 8), "f32")
    kept = g.dynamic_update_slice(cache, x * 2, at, axes=(1,))
    g.set_outputs({"y": g.attention(x, kept, kept, kv_length=at, num_heads=2, head_dim=4)})
    g.update(cache, kept)
    found, _ = lowered(g, "auto_mixed_bf16")
    assert dtypes(found, "dynamic_update_slice") == ["f32"]
    assert not [n for n in found.nodes if n.op.name == "cast" and found.shape(n.refs[0]).dims == (1, 16, 8)]
    found = run(g, "cpu", {"x": draw(1, 1, 8), "at": np.array([0], np.int32)}, precision="auto_mixed_bf16")
    assert np.isfinite(found["y"]).all()


def test_the_update_of_a_param_is_computed_in_f32():
    g = rlx.Graph("step")
    x = g.input("x", (4, 8), "f32")
    w = g.param("w", (8, 8), "f32")
    y = x @ w
    g.set_outputs({"y": y})
    g.update(w, w - 0.1 * (x.T @ y))
    found, _ = lowered(g, "auto_mixed_bf16")
    assert dtypes(found, "matmul") == ["bf16", "bf16"] and dtypes(found, "sub") == ["f32"]


def test_bodies_are_entered_and_carries_keep_their_dtype():
    g = rlx.Graph("loop")
    h, xs, w = g.input("h", (4, 8), "f32"), g.input("xs", (5, 4, 8), "f32"), g.param("w", (8, 8), "f32")

    def step(carry, x):
        new = g_tanh(carry @ w + x)
        return new, new

    def g_tanh(value):
        from rlx.ir.value import one

        return one("tanh", value)

    last, ys = rlx.lax.scan(step, h, xs)
    g.set_outputs({"last": last, "ys": ys})
    found, _ = lowered(g, "auto_mixed_bf16")
    (scan,) = [node for node in found.nodes if node.op.name == "scan"]
    body = scan.op["body"]
    assert dtypes(body, "matmul") == ["bf16"] and dtypes(body, "tanh") == ["bf16"]
    assert {body.shape(ref).dtype.name for ref in body.output_refs.values()} == {"f32"}
    assert sorted(leaf.shape.dtype.name for leaf in body.inputs.values()) == [
        "bf16",
        "f32",
        "f32",
    ]  # the weight is cast once, outside
    arrays, weight = {"h": draw(4, 8), "xs": draw(5, 4, 8)}, draw(8, 8, scale=0.3)
    exact, wide = arrays["h"].astype(np.float64), []
    for x in arrays["xs"].astype(np.float64):
        exact = np.tanh(exact @ weight.astype(np.float64) + x)
        wide.append(exact)
    for device in DEVICES:
        out = run(g, device, arrays, {"w": weight}, precision="auto_mixed_bf16")
        np.testing.assert_allclose(out["ys"], np.stack(wide), atol=8 * EPS["bf16"])
        assert out["last"].dtype == np.float32


def test_constants_do_not_become_zero_or_infinite():
    numbers = np.array([-1e9, 1e-12, -1e-12, 0.0, -np.inf, 1.5, 1e30], np.float32)
    f16 = near_constant(numbers, rlx.DType.of("f16"))
    assert list(f16[[0, 3, 4, 5, 6]].astype(np.float64)) == [-65504.0, 0.0, -np.inf, 1.5, 65504.0]
    assert f16[1] > 0 > f16[2]
    assert np.isnan(near_constant(np.array([np.nan], np.float32), rlx.DType.of("bf16")))[0]


# -- numbers ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("policy,dtype", [("always_f16", np.float16), ("auto_mixed_bf16", ml_dtypes.bfloat16)])
def test_x_times_the_identity_rounds_exactly_once(device, policy, dtype):
    x = draw(7, 33, scale=100)
    g = rlx.Graph("identity")
    g.set_outputs({"y": g.input("x", x.shape, "f32") @ g.param("i", (33, 33), "f32")})
    out = run(g, device, {"x": x}, {"i": np.eye(33, dtype=np.float32)}, precision=policy)["y"]
    assert out.dtype == np.float32
    np.testing.assert_array_equal(out, x.astype(dtype).astype(np.float32))


def mlp(g, x, w1, b1, w2):
    return g.gelu(x @ w1 + b1) @ w2 + x


def attention_block(g, x, w1, b1, w2):
    q, k, v = ((x @ w1 + b1)[..., i * 16 : i * 16 + 16] for i in range(3))
    return x + g.attention(q, k, v, num_heads=2, head_dim=8, mask_kind="causal") @ w2


def norm(g, x, w1, b1, w2):
    return g.softmax(g.rms_norm(x, w2[0], axis=-1) * 2.0, axis=1) + g.layer_norm(x, w2[0], w2[1])


def loss(g, x, w1, b1, w2):
    labels = g.constant(np.array([3, 0, 5, 1, 1], np.int32))
    return g.softmax_cross_entropy_with_logits((x[0] @ w1)[:, :10], labels)


GRAPHS = {
    "mlp": (mlp, (16, 24), (24, 16)),
    "attention": (attention_block, (16, 48), (16, 16)),
    "norm": (norm, (16, 4), (2, 16)),
    "loss": (loss, (16, 12), (1, 1)),
}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("policy", SIX, ids=lambda policy: policy.name)
@pytest.mark.parametrize("name", GRAPHS)
def test_every_policy_is_near_f64(name, policy, device):
    make, first, second = GRAPHS[name]
    arrays = {"w1": draw(*first, seed=1, scale=0.25), "b1": draw(first[1], seed=2), "w2": draw(*second, seed=3, scale=0.25)}
    x = draw(1, 5, 16) if name == "attention" else draw(2, 5, 16)

    def build(dtype):
        g = rlx.Graph(name)
        given = g.input("x", x.shape, dtype)
        g.set_outputs({"y": make(g, given, *(g.param(n, a.shape, dtype) for n, a in arrays.items()))})
        return g

    wide = {n: a.astype(np.float64) for n, a in arrays.items()}
    exact = run(build("f64"), "reference", {"x": x.astype(np.float64)}, wide)["y"]
    found = run(build("f32"), device, {"x": x}, arrays, precision=policy)["y"]
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, exact, rtol=0, atol=16 * coarsest(policy) * np.abs(exact).max())


# -- weights stored low -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("store,dtype", [("bf16", ml_dtypes.bfloat16), (Precision.F16, np.float16)])
def test_store_params_rounds_weights_and_nothing_else(device, store, dtype):
    table, w, other = draw(9, 8, seed=1), draw(8, 40, seed=2), draw(8, 40, seed=3)
    ids = np.array([[0, 3, 8, 3]], np.int32)
    g = rlx.Graph("stored")
    x = g.gather(g.param("table", table.shape, "f32"), g.input("ids", ids.shape, "i32"), axis=0)
    g.set_outputs({"y": x @ g.param("w", w.shape, "f32"), "z": x @ g.param("other", other.shape, "f32")})
    params = {"table": table, "w": w, "other": other}
    out = run(g, device, {"ids": ids}, params, store_params=store)
    low = {name: array.astype(dtype).astype(np.float64) for name, array in params.items()}
    np.testing.assert_allclose(out["y"], low["table"][ids] @ low["w"], rtol=0, atol=1e-5)
    np.testing.assert_allclose(out["z"], low["table"][ids] @ low["other"], rtol=0, atol=1e-5)


def test_store_params_packs_low_panels_and_computes_in_f32():
    g = rlx.Graph("panels")
    x = g.input("x", (4, 8), "f32")
    w = [g.param(f"w{i}", (8, 16), "f32") for i in range(2)]
    g.set_outputs({f"y{i}": x @ weight for i, weight in enumerate(w)})
    lir = rlx.graphs.lower(g, "cpu", store_params="bf16").lir
    prepared = [lir.prepare.graph.shape(ref).dtype.name for ref in lir.prepare.graph.output_refs.values()]
    assert prepared == ["bf16"]  # one set of panels of both weights
    assert {n.shape.dtype.name for n in lir.graph.nodes if n.op.name == "packed_matmul"} == {"f32"}


# -- no pass over memory for a cast -----------------------------------------------------------------------------
def llama_block():
    g = rlx.Graph.hir("block")
    x = g.input("x", rlx.Shape((1, 16, 64), "f32"))
    cos, sin = (g.constant(draw(16, 8, seed=i)) for i in range(2))
    sizes = {"n1": (64,), "q": (64, 64), "k": (64, 32), "v": (64, 32), "o": (64, 64), "n2": (64,)}
    sizes |= {"gate": (64, 96), "up": (64, 96), "down": (96, 64)}
    p = {name: g.param(name, rlx.Shape(dims, "f32")) for name, dims in sizes.items()}
    y = g.llama_decoder_block(
        x,
        p["n1"],
        None,
        p["q"],
        p["k"],
        p["v"],
        p["o"],
        p["n2"],
        None,
        p["gate"],
        p["up"],
        p["down"],
        cos,
        sin,
        num_heads=4,
        head_dim=16,
        num_kv_heads=2,
        eps=1e-5,
        mask_kind="causal",
    )
    g.set_outputs({"y": y})
    return g


@pytest.mark.parametrize("policy", ["auto_mixed_bf16", "auto_mixed", "auto_mixed_conservative"])
def test_a_llama_block_has_no_cast_of_its_own_but_at_the_boundary(policy):
    """Casts stand in the bodies of regions and contractions; only the input may be cast by a command."""
    lir = rlx.graphs.lower(llama_block(), "cpu", precision=policy).lir
    alone = [node for node in lir.graph.nodes if node.op.name == "cast"]
    assert all(lir.graph.node(node.refs[0]).op.name == "input" for node in alone) and len(alone) <= 1
    plain = rlx.graphs.lower(llama_block(), "cpu").lir
    assert len(lir.commands) <= len(plain.commands) + 1


def test_the_policy_is_part_of_the_cache_key_and_reaches_jit():
    double = rlx.jit(lambda x: x * 3.0, precision="auto_mixed_bf16")
    x = draw(5)
    np.testing.assert_allclose(double(x), x * 3, rtol=2 * EPS["bf16"])
    assert (double(x) != x * 3).any()
    np.testing.assert_array_equal(rlx.jit(lambda x: x * 3.0)(x), x * 3)
