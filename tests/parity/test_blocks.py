"""Whole blocks on both devices against torch in f64: the Llama block with and without a cache, the MTP head, a BERT encoder.

The bound on the error of an f32 model of depth d with inner sizes up to K is stated once, in `near`: 8·d·√K·2⁻²³ of the largest number.
Every native run is repeated on one thread and must give the same bits.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest
import torch

import rlx
from rlx.backends.cpu.run.thread_pool import set_threads
from rlx.core.dim import Dim
from rlx.module import GraphModule, Qwen35MtpWeights
from tests.blocks.torch_models import LLAMA, llama_row, mtp_row, tensors
from tests.parity.torch_encoder import encode

HEADS, KV, SIZE, EMBED, FFN, EPS, TABLE, N_ROT = 6, 2, 16, 48, 136, 1e-5, 16, 12
SHAPES = {
    "ln1_g": (EMBED,),
    "ln1_b": (EMBED,),
    "q_w": (EMBED, HEADS * SIZE),
    "k_w": (EMBED, KV * SIZE),
    "v_w": (EMBED, KV * SIZE),
    "o_w": (HEADS * SIZE, EMBED),
    "ln2_g": (EMBED,),
    "ln2_b": (EMBED,),
    "gate_w": (EMBED, FFN),
    "up_w": (EMBED, FFN),
    "down_w": (FFN, EMBED),
}
ATTRS: dict[str, Any] = {"num_heads": HEADS, "head_dim": SIZE, "num_kv_heads": KV, "eps": EPS}
BATCH = 3


@pytest.fixture(params=["reference", "cpu"])
def device(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(autouse=True)
def two_threads():
    set_threads(2)
    yield
    set_threads(None)


def near(found: Any, expected: Any, depth: int = 8, inner: int = FFN) -> None:
    """Within 8·depth·√inner·2⁻²³ of the largest number: `depth` products and norms in a row, sums of `inner` terms."""
    assert found.dtype == np.float32 and found.shape == expected.shape
    bound = 8 * depth * np.sqrt(inner) * 2.0**-23 * np.abs(expected).max()
    worst = np.abs(found - expected).max()
    assert worst <= bound, f"error {worst:.3g}, bound {bound:.3g}"


def run(exe: rlx.Executable, inputs: dict[str, Any]) -> dict[str, Any]:
    """A run on two threads; natively the same bits on one."""
    states = exe.session.snapshot([n for n, e in exe.session.entries.items() if e.kind == "state" and e.array is not None])
    found = {name: array.copy() for name, array in exe.run(inputs).items()}
    if exe.session.device == "cpu":
        after = exe.session.snapshot(list(states))
        exe.session.restore(states)
        set_threads(1)
        again = exe.run(inputs)
        for name, array in found.items():
            assert again[name].tobytes() == array.tobytes(), f"{name} has other bits on one thread"
        for name, array in after.items():
            assert exe.state(name).tobytes() == array.tobytes(), f"state {name} has other bits on one thread"
        set_threads(2)
    return found


def draw(dims: tuple[int, ...], seed: int, scale: float = 1.0) -> Any:
    return (np.random.default_rng(seed).standard_normal(dims) * scale).astype(np.float32)


# -- the Llama block --------------------------------------------------------------------------------------------
def llama_arrays(n_rot: int = N_ROT) -> dict[str, Any]:
    made = {}
    for seed, (name, dims) in enumerate(SHAPES.items()):
        made[name] = (
            draw(dims, seed, 0.1) + (1 if name.endswith("_g") else 0) if len(dims) == 1 else draw(dims, seed, dims[0] ** -0.5)
        )
    angles = np.arange(TABLE)[:, None] / 10000.0 ** (np.arange(n_rot // 2) / (n_rot // 2))
    made |= {"cos": np.cos(angles).astype(np.float32), "sin": np.sin(angles).astype(np.float32)}
    return {name: array.astype(np.float32) for name, array in made.items()}


def llama_expected(x: Any, arrays: dict[str, Any], positions: Any = None) -> Any:
    t = tensors(arrays)
    seq = x.shape[1]
    rows = []
    for b in range(x.shape[0]):
        places = torch.arange(seq) if positions is None else torch.tensor(positions[b]).long()
        given = torch.tensor(x[b].astype(np.float64))
        rows.append(llama_row(given, t, t["cos"], t["sin"], places, HEADS, KV, SIZE, EPS, torch.ones(seq, seq).tril() > 0))
    return torch.stack(rows).numpy()


def params(module: GraphModule, arrays: dict[str, Any]) -> list[Any]:
    return [module.param(name, arrays[name].shape) for name in (*LLAMA, "cos", "sin")]


@pytest.mark.parametrize("policy", ["Direct", "Fusable"])
@pytest.mark.parametrize("n_rot", [N_ROT, SIZE])
def test_llama_block(device, policy, n_rot):
    """Batch 3, sequence 7 and 1, six query heads on two kv heads, part of a head turned, through one symbolic executable."""
    arrays = llama_arrays(n_rot)
    module = GraphModule.hir("llama").with_fusion_policy(getattr(rlx.compat.FusionPolicy, policy))
    x = module.input("x", ("batch", Dim("seq", 1, TABLE), EMBED))
    module.set_outputs({"y": module.llama_decoder_block(x, *params(module, arrays), **ATTRS)})
    exe = rlx.compile(module, device)
    exe.set_params(arrays)
    for batch, seq in ((BATCH, 7), (BATCH, 1), (1, 1), (2, TABLE), (BATCH, 7)):
        value = draw((batch, seq, EMBED), 100 + seq)
        near(run(exe, {"x": value})["y"], llama_expected(value, arrays))


@pytest.mark.parametrize("seq", [7, 1])
def test_llama_block_with_static_sizes_and_positions(device, seq):
    arrays = llama_arrays()
    module = GraphModule.hir("llama")
    x, positions = module.input("x", (BATCH, seq, EMBED)), module.input("positions", (BATCH, seq), "i32")
    module.set_outputs({"y": module.llama_decoder_block(x, *params(module, arrays), positions=positions, **ATTRS)})
    exe = rlx.compile(module, device)
    exe.set_params(arrays)
    value = draw((BATCH, seq, EMBED), 7)
    places = np.random.default_rng(seq).integers(0, TABLE, (BATCH, seq)).astype(np.int32)
    near(run(exe, {"x": value, "positions": places})["y"], llama_expected(value, arrays, places))


def cached(arrays: dict[str, Any], seq: Any) -> GraphModule:
    module = GraphModule.hir("cached")
    x, length = module.input("x", ("batch", seq, EMBED)), module.input("length", ("batch",), "i32")
    cache = module.kv_cache("layer", length, kv_heads=KV, capacity=TABLE, head_dim=SIZE)
    module.set_outputs({"y": module.llama_decoder_block(x, *params(module, arrays), cache=cache, **ATTRS)})
    return module


@pytest.mark.parametrize("executables", ["one", "two"])
def test_llama_prefill_then_decode_with_ragged_lengths(device, executables):
    """Prefill of four tokens, of which rows keep 2, 3 and 4; then token by token, each row at its own length.

    One symbolic executable does both, or two that share their session.
    """
    arrays = llama_arrays()
    session = rlx.Session(device)
    prefill = session.compile(cached(arrays, Dim("seq", 1, TABLE)))
    decode = prefill if executables == "one" else session.compile(cached(arrays, 1))
    session.set_params(arrays)
    session.init_state(batch=BATCH)
    for name in ("layer.k", "layer.v"):  # what was never written must not be seen
        session.set_state(name, np.full((BATCH, KV, TABLE, SIZE), np.nan, np.float32))
    whole = draw((BATCH, 11, EMBED), 5)
    expected = llama_expected(whole, arrays)
    found = run(prefill, {"x": whole[:, :4], "length": np.zeros(BATCH, np.int32)})["y"]
    near(found, expected[:, :4])
    done = np.array([2, 3, 4], np.int32)
    for _ in range(7):
        token = np.stack([whole[b, done[b]] for b in range(BATCH)])[:, None]
        found = run(decode, {"x": token, "length": done})["y"]
        near(found, np.stack([expected[b, done[b]] for b in range(BATCH)])[:, None])
        done = done + 1
    if executables == "one":  # a chunk of several tokens after a ragged past
        done = np.array([2, 3, 4], np.int32)
        chunk = np.stack([whole[b, done[b] : done[b] + 3] for b in range(BATCH)])
        near(run(prefill, {"x": chunk, "length": done})["y"], np.stack([expected[b, done[b] : done[b] + 3] for b in range(BATCH)]))


# -- the MTP head -----------------------------------------------------------------------------------------------
E, N_FF, VOCAB, MTP = 40, 88, 50, 37
HEAD: dict[str, Any] = {
    "num_heads": HEADS,
    "num_kv_heads": KV,
    "head_dim": SIZE,
    "n_rot": N_ROT,
    "n_embd": E,
    "n_ff": N_FF,
    "mtp_vocab": MTP,
    "eps": EPS,
}
MATRICES = {
    "embed_w": (VOCAB, E),
    "eh_w": (2 * E, E),
    "q_gate_w": (E, HEADS * 2 * SIZE),
    "k_w": (E, KV * SIZE),
    "v_w": (E, KV * SIZE),
    "o_w": (HEADS * SIZE, E),
    "gate_w": (E, N_FF),
    "up_w": (E, N_FF),
    "down_w": (N_FF, E),
    "lm_head_w": (E, MTP),
}


def mtp_arrays() -> dict[str, Any]:
    made = {}
    for seed, each in enumerate(fields(Qwen35MtpWeights)):
        dims = MATRICES.get(each.name, (SIZE,) if each.name.startswith(("q_norm", "k_norm")) else (E,))
        scale = dims[0] ** -0.5 if len(dims) == 2 and each.name != "embed_w" else 1.0 if len(dims) == 2 else 0.1
        made[each.name] = draw(dims, seed, scale) + (1 if each.name.endswith("_g") else 0)
    tables = {name: llama_arrays()[name] for name in ("cos", "sin")}
    return {name: array.astype(np.float32) for name, array in (made | tables).items()}


def test_mtp_head(device):
    """Batch 3, sequence 7 and 1, grouped kv heads, partial rope, the last token of each row at another place."""
    arrays = mtp_arrays()
    module = GraphModule.hir("mtp")
    batch, seq = Dim("batch", 1, 8), Dim("seq", 1, TABLE)
    hidden, ids = module.input("h", (batch, seq, E)), module.input("ids", (batch, seq), "i32")
    last = module.input("last", (batch,), "i32")
    owned = {name: module.param(name, array.shape) for name, array in arrays.items()}
    weights = Qwen35MtpWeights(**{each.name: owned[each.name] for each in fields(Qwen35MtpWeights)})
    module.set_outputs({"y": module.qwen35_mtp_head(hidden, ids, owned["cos"], owned["sin"], last, weights=weights, **HEAD)})
    exe = rlx.compile(module, device)
    exe.set_params(arrays)
    t = tensors(arrays)
    for length in (7, 1, 12):
        x = draw((BATCH, length, E), length)
        tokens = np.random.default_rng(length).integers(0, VOCAB, (BATCH, length)).astype(np.int32)
        places = np.array([length - 1, 0, length // 2], np.int32)
        found = run(exe, {"h": x, "ids": tokens, "last": places})["y"]
        expected = []
        for b in range(BATCH):
            row = torch.tensor(x[b].astype(np.float64)), torch.tensor(tokens[b]).long(), int(places[b])
            expected.append(mtp_row(*row, t, t["cos"], t["sin"], HEADS, KV, SIZE, EPS).numpy())
        near(found, np.stack(expected)[:, None], depth=10)


# -- the encoder ------------------------------------------------------------------------------------------------
WIDTH, WIDE, LAYERS, ROOM = 48, 104, 2, 24


def encoder_arrays() -> dict[str, Any]:
    dims: dict[str, tuple[int, ...]] = {
        "word": (60, WIDTH),
        "position": (ROOM, WIDTH),
        "type": (2, WIDTH),
        "embed.g": (WIDTH,),
        "embed.b": (WIDTH,),
    }
    for i in range(LAYERS):
        dims |= {f"{i}.{n}.w": (WIDTH, WIDTH) for n in "qkvo"} | {f"{i}.{n}.b": (WIDTH,) for n in "qkvo"}
        dims |= {f"{i}.fc1.w": (WIDTH, WIDE), f"{i}.fc1.b": (WIDE,), f"{i}.fc2.w": (WIDE, WIDTH), f"{i}.fc2.b": (WIDTH,)}
        dims |= {f"{i}.ln{n}.{p}": (WIDTH,) for n in "12" for p in "gb"}
    dims |= {"pool.w": (WIDTH, WIDTH), "pool.b": (WIDTH,)}
    made = {}
    for seed, (name, shape) in enumerate(dims.items()):
        scale = shape[0] ** -0.5 if name.endswith(".w") else 0.1 if len(shape) == 1 else 1.0
        made[name] = (draw(shape, seed, scale) + (1 if name.endswith(".g") else 0)).astype(np.float32)
    return made


def encoder(arrays: dict[str, Any], batch: Any, seq: Any, heads: int, policy: str) -> GraphModule:
    m = GraphModule.hir("encoder").with_fusion_policy(getattr(rlx.compat.FusionPolicy, policy))
    ids, kinds = m.input("ids", (batch, seq), "i32"), m.input("kinds", (batch, seq), "i32")
    valid = m.input("valid", (batch, seq), "bool")
    p = {name: m.param(name, array.shape) for name, array in arrays.items()}
    x = m.gather(p["word"], ids, axis=0) + m.narrow(p["position"], 0, 0, seq) + m.gather(p["type"], kinds, axis=0)
    x = m.layer_norm(x, p["embed.g"], p["embed.b"], eps=EPS)
    for i in range(LAYERS):
        q, k, v = (m.linear(x, p[f"{i}.{n}.w"], p[f"{i}.{n}.b"]) for n in "qkv")
        mixed = m.attention(q, k, v, valid, num_heads=heads, head_dim=WIDTH // heads, mask_kind="custom")
        x = m.layer_norm(x + m.linear(mixed, p[f"{i}.o.w"], p[f"{i}.o.b"]), p[f"{i}.ln1.g"], p[f"{i}.ln1.b"], eps=EPS)
        inner = m.linear(x, p[f"{i}.fc1.w"], p[f"{i}.fc1.b"], activation="gelu")
        x = m.layer_norm(x + m.linear(inner, p[f"{i}.fc2.w"], p[f"{i}.fc2.b"]), p[f"{i}.ln2.g"], p[f"{i}.ln2.b"], eps=EPS)
    first = m.narrow(x, 1, 0, 1).reshape(batch, WIDTH)
    m.set_outputs({"hidden": x, "pooled": m.tanh(m.linear(first, p["pool.w"], p["pool.b"]))})
    return m


@pytest.mark.parametrize("policy", ["Direct", "Fusable"])
@pytest.mark.parametrize("symbolic", [True, False])
def test_bert_encoder(device, policy, symbolic):
    arrays = encoder_arrays()
    batch, seq = (Dim("batch", 1, 8), Dim("seq", 1, ROOM)) if symbolic else (BATCH, 7)
    exe = rlx.compile(encoder(arrays, batch, seq, 4, policy), device)
    exe.set_params(arrays)
    for rows, length in ((BATCH, 7), (BATCH, 1), (1, ROOM)) if symbolic else ((BATCH, 7),):
        random = np.random.default_rng(length)
        ids, kinds = (
            random.integers(0, 60, (rows, length)).astype(np.int32),
            random.integers(0, 2, (rows, length)).astype(np.int32),
        )
        valid = np.arange(length)[None] < np.maximum(length - 2 * np.arange(rows), 1)[:, None]
        found = run(exe, {"ids": ids, "kinds": kinds, "valid": valid})
        hidden, pooled = encode(arrays, ids, kinds, valid, LAYERS, 4, EPS)
        near(found["hidden"], hidden, depth=12, inner=WIDE)
        near(found["pooled"], pooled, depth=14, inner=WIDE)
