"""Packed params end to end: set as bytes or parts, read by products, tables and blocks, on both devices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import rlx
from rlx import Graph, GraphModule, RlxError, Session
from rlx.layouts.gguf_blocks import ELEMENTS, random_rows

gguf = pytest.importorskip("gguf")
RANDOM = np.random.default_rng(0)
DEVICES = ("reference", "cpu")
BLOCKS = [str(rlx.QuantScheme.gguf(name)) for name in ELEMENTS if name != "Q8_K"]  # which the package does not read
PLAIN = ("int8/32", "int8_asym/32", "int4/32", "fp8_e4m3", "fp8_e5m2", "nvfp4")
E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6])


def draw(*dims: int) -> Any:
    return RANDOM.standard_normal(dims).astype(np.float32)


def made(scheme: str, k: int, n: int, *lead: int) -> tuple[Any, Any]:
    """What `set_param` takes, and the weight `[…, k, n]` it stands for, by the package or the formula."""
    if scheme.startswith("gguf"):
        name = rlx.QuantScheme.parse(scheme).detail
        rows = random_rows(name, *lead, n, k, seed=3)
        numbers = gguf.dequantize(rows.reshape(-1, rows.shape[-1]), gguf.GGMLQuantizationType[name]).reshape(*lead, n, k)
        return rows, numbers.swapaxes(-1, -2)
    kind = scheme.partition("/")[0]
    blocks = (*lead, -(-k // (16 if kind == "nvfp4" else 32)), n)
    scale = RANDOM.uniform(0.01, 0.1, blocks).astype(np.float32)
    spread = np.arange(k) // (16 if kind == "nvfp4" else 32)
    if kind in ("int4", "nvfp4"):
        q = RANDOM.integers(0, 16, (*lead, k * n))
        even = np.concatenate((q, np.zeros((*lead, k * n % 2), int)), -1)
        halves = (even[..., ::2] | even[..., 1::2] << 4).astype(np.uint8)
        q = q.reshape(*lead, k, n)
        if kind == "nvfp4":
            low, whole = scale.astype(ml_dtypes.float8_e4m3fn), np.float32(0.5)
            return {"w": halves, "scale": low, "global_scale": whole}, E2M1[q] * low.astype(np.float64)[..., spread, :] * whole
        zp = RANDOM.integers(0, 16, blocks).astype(np.float32)
        return (halves, scale, zp), (q - zp[..., spread, :]) * scale[..., spread, :].astype(np.float64)
    if kind.startswith("fp8"):
        low = RANDOM.uniform(-4, 4, (*lead, k, n)).astype(ml_dtypes.float8_e4m3fn if kind == "fp8_e4m3" else ml_dtypes.float8_e5m2)
        column = RANDOM.uniform(0.1, 1, (*lead, n)).astype(np.float32)
        return (low, column), low.astype(np.float64) * column[..., None, :]
    q = RANDOM.integers(-128, 128, (*lead, k, n)).astype(np.int8)
    if kind == "int8":
        return {"scale": scale, "w": q}, q * scale[..., spread, :].astype(np.float64)
    zp = RANDOM.integers(-9, 9, blocks).astype(np.float32)
    return {"w": q, "scale": scale, "zp": zp}, (q - zp[..., spread, :]) * scale[..., spread, :].astype(np.float64)


def in_memory(exe: Any) -> int:
    """Planned for params, as they are set or packed."""
    return int(exe.memory.parts["params"] + exe.memory.parts["prepared"])


def kept(exe: Any, name: str) -> int:
    """Bytes of a param in memory, as it was set and packed."""
    arrays = [*exe.session.entries[name].leaves(name).values(), *(value.array for value in exe._values.values())]
    return sum(array.nbytes for array in arrays)


def close(found: Any, wanted: Any, rtol: float = 1e-5) -> None:
    np.testing.assert_allclose(found, wanted, rtol=rtol, atol=rtol * max(np.abs(wanted).max(initial=0), 1e-30))


# -- products ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("scheme", [*BLOCKS, *PLAIN])
def test_products_of_any_number_of_rows(scheme: str) -> None:
    """One executable for M = 1 and more; an odd number of columns."""
    given, weight = made(scheme, 256, 19)
    for device in DEVICES:
        g = Graph("product")
        g.set_outputs({"y": g.input("x", ("rows", 256)) @ g.param("w", (256, 19), scheme=scheme)})
        exe = rlx.compile(g, device, quant_mode="exact")
        exe.set_param("w", given)
        for rows in (1, 2, 33):
            x = draw(rows, 256)
            close(exe(x=x), x.astype(np.float64) @ weight)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("scheme", ["gguf_q4k", "gguf_q6k", "gguf_q8_0", "gguf_iq3_s", *PLAIN])
def test_rows_by_expert(device: str, scheme: str) -> None:
    given, weight = made(scheme, 256, 10, 3)
    g = Graph("experts")
    x, experts = g.input("x", ("rows", 256)), g.input("e", ("rows",), "i32")
    g.set_outputs({"y": g.grouped_matmul(x, g.param("w", (3, 256, 10), scheme=scheme), experts)})
    exe = rlx.compile(g, device, quant_mode="exact")
    exe.set_param("w", given)
    for rows in (1, 7):
        data, chosen = draw(rows, 256), RANDOM.integers(0, 3, rows).astype(np.int32)
        close(exe(x=data, e=chosen), np.einsum("mk,mkn->mn", data.astype(np.float64), weight[chosen]))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("scheme", ["gguf_q4k", "gguf_q6k", "gguf_q8_0", "gguf_q4_1", "gguf_f16"])
def test_an_embedding_and_the_head_share_one_param(device: str, scheme: str) -> None:
    """Gathered by token and multiplied: one param, stored once."""
    given, weight = made(scheme, 256, 16)
    g = Graph("tied")
    ids, table = g.input("ids", ("seq",), "i32"), g.param("table", (256, 16), scheme=scheme)
    h = g.transpose(g.gather(table, ids, axis=1), (1, 0))
    g.set_outputs({"h": h, "logits": h @ table})
    exe = rlx.compile(g, device, quant_mode="exact")
    exe.set_param("table", given)
    assert in_memory(exe) == given.nbytes
    chosen = np.array([12, 0, 5, 5], np.int32)
    found = exe.run({"ids": chosen})
    assert kept(exe, "table") == given.nbytes
    np.testing.assert_array_equal(found["h"], weight.T[chosen].astype(np.float32))
    close(found["logits"], weight.T[chosen].astype(np.float64) @ weight)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("scheme", ["gguf_q6k", "gguf_iq2_s"])
def test_a_table_by_rows_is_the_head_turned(device: str, scheme: str) -> None:
    """The other way to write it: `table[ids]` and `h @ table.T`."""
    given, weight = made(scheme, 256, 16)
    g = Graph("tied")
    ids, table = g.input("ids", ("seq",), "i32"), g.param("table", (16, 256), scheme=scheme)
    h = g.gather(table, ids, axis=0)
    g.set_outputs({"h": h, "logits": h @ table.T})
    exe = rlx.compile(g, device, quant_mode="exact")
    exe.set_param("table", given)
    chosen = np.array([15, 0, 5], np.int32)
    found = exe.run({"ids": chosen})
    np.testing.assert_array_equal(found["h"], weight.T[chosen].astype(np.float32))
    close(found["logits"], weight.T[chosen].astype(np.float64) @ weight)
    assert kept(exe, "table") == given.nbytes


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("scheme", ["gguf_q4k", "gguf_iq4_nl", *PLAIN])
def test_tables_by_rows(device: str, scheme: str) -> None:
    by_rows = scheme.startswith("gguf")
    given, weight = made(scheme, 256, 6) if by_rows else made(scheme, 6, 256)
    table = weight.T if by_rows else weight
    g = Graph("table")
    g.set_outputs({"y": g.gather(g.param("w", (6, 256), scheme=scheme), g.input("i", ("n",), "i64"), 0)})
    exe = rlx.compile(g, device)
    exe.set_param("w", given)
    close(exe(i=np.array([5, 0, 0])), table[[5, 0, 0]], 1e-6)


# -- blocks -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("policy", ["direct", "fusable"])
def test_blocks_take_packed_weights(policy: str) -> None:
    """Any weight of a block may be packed: the same numbers as with the weights unpacked, in the same block."""
    weights = {name: made("gguf_q4k" if name != "down" else "gguf_q6k", 256, 256) for name in ("up", "gate", "down", "w")}
    x, bias, results = draw(3, 256), draw(256), []
    for packed in (True, False):
        module = GraphModule.hir("blocks").with_fusion_policy(rlx.compat.FusionPolicy(policy))
        schemes = {name: ("gguf_q6k" if name == "down" else "gguf_q4k") if packed else None for name in weights}
        up, gate, down, w = (module.param(name, (256, 256), scheme=scheme) for name, scheme in schemes.items())
        given = module.input("x", ("rows", 256))
        outputs = {
            "ffn": module.swiglu_ffn(given, up, gate, down),
            "linear": module.linear(given, w, module.param("b", (256,)), activation="gelu"),
            "mixed": module.linear(given, w, None),
        }
        if packed:
            outputs["dequant"] = module.dequant_matmul(given, w, scheme="gguf_q4k")
        module.set_outputs(outputs)
        exe = rlx.compile(module, quant_mode="exact")
        exe.set_params({"b": bias, **{name: given if packed else dense.copy() for name, (given, dense) in weights.items()}})
        results.append(exe.run({"x": x}))
    for name, dense in results[1].items():
        close(results[0][name], dense, 1e-4)
    close(results[0]["dequant"], x.astype(np.float64) @ weights["w"][1])


def test_a_decoder_block_takes_packed_weights() -> None:
    names = ("q_w", "k_w", "v_w", "o_w", "gate_w", "up_w", "down_w")
    weights = {name: made("gguf_q8_0" if name in ("v_w", "down_w") else "gguf_q4_1", 64, 64) for name in names}
    x, results = draw(2, 5, 64), []
    for packed in (True, False):
        module = GraphModule.hir("decoder")
        values = {
            name: module.param(
                name, (64, 64), scheme=("gguf_q8_0" if name in ("v_w", "down_w") else "gguf_q4_1") if packed else None
            )
            for name in names
        }
        norm = module.param("g", (64,))
        tables = [module.input(name, (8, 8)) for name in ("cos", "sin")]
        q, k, v, o, gate, up, down = values.values()
        given = module.input("x", (2, 5, 64))
        y = module.llama_decoder_block(given, norm, None, q, k, v, o, norm, None, gate, up, down, *tables, num_heads=4, head_dim=16)
        module.set_outputs({"y": y})
        exe = rlx.compile(module, quant_mode="exact")
        chosen = {name: given if packed else dense.copy() for name, (given, dense) in weights.items()}
        exe.set_params({"g": np.ones(64, np.float32), **chosen})
        angles = np.arange(8)[:, None] * 10.0 ** -np.arange(8)
        results.append(exe.run({"x": x, "cos": np.cos(angles).astype(np.float32), "sin": np.sin(angles).astype(np.float32)})["y"])
    close(results[0], results[1], 1e-4)


# -- the session ------------------------------------------------------------------------------------------------
def product_graph(scheme: str | None, k: int = 64, n: int = 5, rows: int = 1) -> Graph:
    g = Graph("product")
    g.set_outputs({"y": g.input("x", (rows, k)) @ g.param("w", (k, n), scheme=scheme)})
    return g


@pytest.mark.parametrize("scheme", ["gguf_q8_0", *PLAIN])
def test_params_are_given_back(scheme: str) -> None:
    exe = rlx.compile(product_graph(scheme))
    given, _ = made(scheme, 64, 5)
    exe.set_param("w", given)
    found = exe.param("w")
    if not isinstance(given, (dict, tuple)):
        np.testing.assert_array_equal(found, given)
        return
    wanted = given if isinstance(given, dict) else dict(zip(found, given, strict=True))
    assert set(found) == set(wanted)
    for part, array in found.items():
        np.testing.assert_array_equal(array, wanted[part])
    assert exe.memory.parts["params"] == sum(array.nbytes for array in found.values())


def test_executables_of_a_session_share_one_order() -> None:
    """Prefill and decode read the same bytes; they come back as they were given, also to a program that reads them so."""
    session = Session("cpu")
    exes = [session.compile(product_graph("gguf_q4k", 256, 16, rows=rows)) for rows in (1, 40)]
    given, weight = made("gguf_q4k", 256, 16)
    session.set_param("w", given)
    entry = session.entries["w"]
    for exe, rows in zip(exes, (1, 40), strict=True):
        exe(x=draw(rows, 256))
    (one,), (other,) = (exe._values.values() for exe in exes)
    assert entry.array is None and one is other and one.array.nbytes == given.nbytes
    exes[0](x=draw(1, 256))
    assert list(exes[0]._values.values()) == [one]
    np.testing.assert_array_equal(session.param("w"), given)
    experts = Graph("weights")
    experts.set_outputs({"y": experts.gather(experts.param("w", (256, 16), scheme="gguf_q4k"), experts.input("i", (2,), "i32"), 1)})
    found = session.compile(experts)(i=np.array([3, 0], np.int32))
    np.testing.assert_array_equal(found, weight[:, [3, 0]].astype(np.float32))
    changed, _ = made("gguf_q4k", 256, 16)
    session.set_param("w", changed[::-1])
    exes[0](x=draw(1, 256))
    np.testing.assert_array_equal(session.param("w"), changed[::-1])


def test_int4_without_zero_points_and_fp8_with_one_scale() -> None:
    (halves, scale, _), _ = made("int4/32", 64, 5)
    exe = rlx.compile(product_graph("int4/32"))
    exe.set_param("w", (halves, scale))
    np.testing.assert_array_equal(exe.param("w")["zp"], np.full((2, 5), 8, np.float32))
    (low, _), _ = made("fp8_e4m3", 64, 5)
    exe = rlx.compile(product_graph("fp8_e4m3"))
    exe.set_param("w", {"w": low, "scale": np.float32(0.5)})
    x = draw(1, 64)
    close(exe(x=x), x.astype(np.float64) @ (low.astype(np.float64) * 0.5))


REFUSED = [
    ("gguf_q8_0", np.zeros((5, 67), np.uint8), "RLX503", "as u8[5, 68], the array has shape [5, 67]"),
    ("gguf_q8_0", np.zeros((5, 68), np.int8), "RLX504", "as u8[5, 68], the array is i8[5, 68]"),
    ("gguf_q8_0", np.zeros((64, 5), np.float32), "RLX504", "the array is f32[64, 5]"),
    ("int8/32", np.zeros((64, 5), np.int8), "RLX513", "scale is not given"),
    ("int8/32", {"w": np.zeros((64, 5), np.int8), "zero": 1}, "RLX513", "no part 'zero'"),
    ("int8/32", (1, 2, 3), "RLX513", "in 2 parts, 3 are given"),
    ("int8/32", (np.zeros((64, 5), np.int8), np.ones((2, 4), np.float32)), "RLX503", "scale of param 'w'"),
    ("nvfp4", (np.zeros(160, np.uint8), np.zeros((4, 5), ml_dtypes.float8_e4m3fn)), "RLX513", "global_scale is not given"),
]


@pytest.mark.parametrize(("scheme", "given", "code", "fact"), REFUSED)
def test_what_a_scheme_does_not_store_is_refused(scheme: str, given: Any, code: str, fact: str) -> None:
    exe = rlx.compile(product_graph(scheme), "reference")
    with pytest.raises(RlxError) as caught:
        exe.set_param("w", given)
    assert caught.value.code == code and fact in str(caught.value) and "'w'" in str(caught.value) and caught.value.fix


def test_a_clash_of_schemes_is_an_error() -> None:
    session = Session("cpu")
    session.compile(product_graph("gguf_q8_0"))
    for other in ("gguf_q4_0", None):
        with pytest.raises(RlxError, match=r"(?s)\[RLX506\] 'w' has scheme gguf_q8_0 in the session and"):
            session.compile(product_graph(other))
    table = Graph("table")
    table.set_outputs({"y": table.gather(table.param("w", (64, 5), scheme="int8/32"), table.input("i", (1,), "i32"), 0)})
    with pytest.raises(RlxError, match=r"\[RLX506\] 'w' has scheme"):
        session.compile(table)


def test_two_orders_in_one_session_are_an_error() -> None:
    session = Session("cpu")
    session.compile(product_graph("gguf_q8_0", 64, 64 * 2))
    table = Graph("table")
    table.set_outputs({"y": table.gather(table.param("w", (64, 128), scheme="gguf_q8_0"), table.input("i", (1,), "i32"), 0)})
    with pytest.raises(RlxError, match=r"\[RLX506\] 'w' has storage"):
        session.compile(table)


def test_other_readers_are_named() -> None:
    g = Graph("other")
    with pytest.raises(RlxError, match=r"\[RLX112\] exp of the packed param 'w'"):
        g.exp(g.param("w", (64, 32), scheme="gguf_q8_0"))
    for make, words in ((lambda w: w, "an output"), (lambda w: w.T, "an output"), (lambda w: w.graph.exp(w.T), "transpose")):
        g = Graph("other")
        g.set_outputs({"w": make(g.param("w", (64, 32), scheme="gguf_q8_0"))})
        with pytest.raises(RlxError, match=rf"\[RLX112\] {words} of the packed param 'w'"):
            rlx.compile(g)


def test_a_part_must_not_be_a_leaf_of_its_own() -> None:
    g = Graph("product")
    g.set_outputs({"y": g.input("x", (1, 64)) @ g.param("w", (64, 5), scheme="int8/32"), "scale": g.param("w.scale", (2,)) + 1})
    with pytest.raises(RlxError, match=r"\[RLX109\] 'w.scale' is a part of the packed param 'w'"):
        rlx.compile(g)


def test_a_param_that_is_set_again_counts() -> None:
    exe = rlx.compile(product_graph("gguf_q8_0"), quant_mode="exact")
    with pytest.raises(RlxError, match="RLX505"):
        exe(x=draw(1, 64))
    for seed in (1, 2):
        rows = random_rows("Q8_0", 5, 64, seed=seed)
        exe.set_param("w", rows)
        x = draw(1, 64)
        close(exe(x=x), x @ gguf.dequantize(rows, gguf.GGMLQuantizationType.Q8_0).T.astype(np.float64))


@pytest.mark.parametrize("scheme", ["gguf_q6k", "int8_asym/32"])
def test_saved_with_its_params(scheme: str, tmp_path: Path) -> None:
    exe = rlx.compile(product_graph(scheme, 256))
    exe.set_param("w", made(scheme, 256, 5)[0])
    x = draw(1, 256)
    exe.save(tmp_path / "packed.rlxe", params=True)
    np.testing.assert_array_equal(rlx.load_executable(tmp_path / "packed.rlxe")(x=x), exe(x=x))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("scheme", ["gguf_q4k", "int4/32"])
@pytest.mark.parametrize("mode", ["fast", "exact"])
def test_check_reads_packed_params(device: str, scheme: str, mode: str) -> None:
    exe = rlx.compile(product_graph(scheme, 256), device, quant_mode=mode)
    exe.set_param("w", made(scheme, 256, 5)[0])
    report = rlx.check(exe, {"x": draw(1, 256)})
    assert report.ok, str(report)


def test_the_report_says_which_way_a_product_takes() -> None:
    for mode, words in (("fast", "activations rounded to integers of 8 bits or more"), ("exact", "activations unchanged")):
        exe = rlx.compile(product_graph("gguf_q8_0"), quant_mode=mode)
        assert f"gguf_q8_0 [64, 5]: {words}" in str(exe.report)


@pytest.mark.parametrize("rows", [1, 4, 33])
@pytest.mark.parametrize("scheme", ["gguf_q4k", "gguf_q6k", "gguf_q8_0", "gguf_iq4_nl", "gguf_mxfp4", "int4/32"])
def test_nan_in_rounded_activations_is_nan_in_its_row(scheme: str, rows: int) -> None:
    exe = rlx.compile(product_graph(scheme, 256, 64, rows), quant_mode="fast")
    exe.set_param("w", made(scheme, 256, 64)[0])
    x = draw(rows, 256)
    sound = exe(x=x)
    x[-1, 130] = np.nan
    found = exe(x=x)
    assert np.isnan(found[-1]).all()
    np.testing.assert_array_equal(found[:-1], sound[:-1])


@pytest.mark.parametrize("scheme", ["gguf_q4k", "gguf_q6k", "gguf_q8_0", "gguf_q4_1"])
def test_the_fast_mode_is_near_the_exact_one(scheme: str) -> None:
    """A gated feed-forward of three packed weights. A step is max|x| / 127, so the error of one product is max / (127·√12) of x's
    RMS: 0.7 % for 256 normal numbers, and 2 % for gated ones, whose largest is some eight times their RMS."""
    found = []
    for mode in ("fast", "exact"):
        module = GraphModule.hir("ffn")
        weights = [module.param(name, (256, 256), scheme=scheme) for name in ("up", "gate", "down")]
        module.set_outputs({"y": module.swiglu_ffn(module.input("x", ("rows", 256)), *weights)})
        exe = rlx.compile(module, quant_mode=mode)
        for index, name in enumerate(("up", "gate", "down")):
            exe.set_param(name, random_rows(rlx.QuantScheme.parse(scheme).detail, 256, 256, seed=index))
        x = np.random.default_rng(1).standard_normal((7, 256)).astype(np.float32) * 0.05
        found.append(exe(x=x).astype(np.float64))
    assert np.sqrt(np.mean((found[0] - found[1]) ** 2) / np.mean(found[1] ** 2)) < 0.03


def test_modes_are_named() -> None:
    with pytest.raises(RlxError, match=r"\[RLX406\] quant_mode 'quick'"):
        rlx.compile(product_graph("gguf_q8_0"), quant_mode="quick")
