"""Qwen3.5 against transformers: prompts at once, in chunks and in ragged batches, then token by token; from both formats.

Its head that drafts is held against a formula in NumPy, written from the head's description.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch
from safetensors.numpy import save_file

import rlx
from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.generate.drafters import HeadDrafter
from rlx.generate.engine import Engine
from rlx.models import Model, Shapes, open_model
from tests.models.recurrent_models import (
    QWEN35,
    WIDTH,
    add_head,
    follow_chunks,
    follow_ragged_rows,
    logits,
    qwen35_to_gguf,
    reference,
    settings,
)
from tests.models.running import Running, close, llama_cpp, normalized
from tests.models.tiny_models import CONTEXT, token_ids

Array = npt.NDArray[Any]
LENGTHS = (19, 7, 1)
BATCH, SEQ, CAPACITY = Dim("batch", max=4), Dim("seq", max=CONTEXT), Dim("capacity", max=CONTEXT)
HEAD = Shapes(batch=BATCH, seq=SEQ, capacity=CAPACITY, logits="all", hidden=True, draft=True)


@dataclass
class Folder:
    path: Path
    head: dict[str, Array]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    path = tmp_path_factory.mktemp("qwen35")
    reference("qwen35").save_pretrained(path)
    return Folder(path, add_head(path))


@pytest.fixture(scope="module")
def running(folder: Folder) -> Iterator[Running]:
    yield Running.of(reference("qwen35"), folder.path)


def test_ragged_batch_then_token_by_token(running: Running) -> None:
    follow_ragged_rows(running)


def test_prompt_in_chunks(running: Running) -> None:
    follow_chunks(running)


def test_graph_without_caches(folder: Folder) -> None:
    """All tokens at once, no states; also where the settings lie one level deeper, as in models that read images too."""
    whole = settings(folder.path)
    whole = {
        "architectures": ["Qwen3_5ForConditionalGeneration"],
        "text_config": {k: v for k, v in whole.items() if k != "architectures"},
    }
    (folder.path / "config.json").rename(folder.path / "kept.json")
    try:
        (folder.path / "config.json").write_text(json.dumps(whole))
        model = open_model(folder.path)
    finally:
        (folder.path / "kept.json").rename(folder.path / "config.json")
    graph, ids = model.compile(Shapes(batch=2, seq=9, logits="all")), token_ids(2, 9, seed=5)
    assert not graph.graph.states
    found = graph(tokens=ids, count=np.array([9, 4], np.int32))
    close(found[0], logits(reference("qwen35"), ids[0]))
    close(found[1, :4], logits(reference("qwen35"), ids[1, :4]))


def test_gguf(folder: Folder, tmp_path: Path) -> None:
    """There the value heads lie in another order, γ has its 1, and the head that drafts is a layer."""
    qwen35_to_gguf(folder.path, tmp_path / "model.gguf")
    running = Running.of(reference("qwen35"), tmp_path / "model.gguf", decodes=False)
    ids = token_ids(1, 20, seed=2)
    running.fresh(1)
    expected = logits(running.oracle, ids[0])
    close(running.feed(running.prefill, ids, [0], [20])[0], expected)
    close(normalized(expected[-1]), llama_cpp(tmp_path / "model.gguf", ids[0]))
    close(drafted(running.model, ids), drafted(open_model(folder.path), ids))


@pytest.mark.parametrize("stacked", [False, True])
def test_experts(stacked: bool, tmp_path: Path) -> None:
    """The variant with experts: a token's own, and one for all tokens; stored one by one, or all of a layer in one tensor."""
    oracle = reference("qwen35moe")
    oracle.save_pretrained(tmp_path)
    if stacked:
        own = oracle.state_dict()
        assert "model.layers.0.mlp.experts.gate_up_proj" in own
        save_file({name: tensor.numpy() for name, tensor in own.items()}, tmp_path / "model.safetensors", {"format": "pt"})
    running = Running.of(oracle, tmp_path, decodes=False)
    ids = token_ids(1, 11, seed=3)
    running.fresh(1)
    close(running.feed(running.prefill, ids, [0], [11])[0], logits(oracle, ids[0]))


@pytest.mark.parametrize("name", ["qwen35", "mamba"])
def test_bf16_folder(name: str, tmp_path: Path) -> None:
    """Matrices are computed with as they are stored; what recurrences and convolutions take apart is f32."""
    stored = copy.deepcopy(reference(name)).to(torch.bfloat16)
    stored.save_pretrained(tmp_path)
    model, ids = open_model(tmp_path, options={"quant_mode": "exact"}), token_ids(1, 8, seed=11)
    found = model.compile(Shapes(seq=8, logits="all"))(tokens=ids, count=np.array([8], np.int32))
    close(found[0], logits(stored.float(), ids[0]))


# -- the head that drafts -------------------------------------------------------------------------------------------
def norm(x: Array, gamma: Array) -> Array:
    """rms norm; γ is stored less 1."""
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + QWEN35["rms_norm_eps"]) * (1 + gamma)


def turned(x: Array, count: int = 4) -> Array:
    """Heads `[S, H, D]` with their first `count` numbers turned by the position, halves against each other."""
    angles = np.arange(len(x))[:, None, None] * 10000.0 ** (-np.arange(0, count, 2) / count)
    first, second, rest = x[..., : count // 2], x[..., count // 2 : count], x[..., count:]
    cos, sin = np.cos(angles), np.sin(angles)
    return np.concatenate([first * cos - second * sin, second * cos + first * sin, rest], -1)


def head_formula(head: dict[str, Array], hidden: Array, tokens: Array) -> tuple[Array, Array]:
    """Logits and hidden of one row, in f64: e and h normed, side by side through fc; gated attention; swiglu; norm; the output layer."""
    weights = {name: array.astype(np.float64) for name, array in head.items()}
    model = {name: tensor.numpy().astype(np.float64) for name, tensor in reference("qwen35").state_dict().items()}
    length, heads, kv_heads, size = len(tokens), 4, 2, 16

    def part(name: str) -> Array:
        return weights[f"mtp.layers.0.{name}.weight"]

    token = norm(model["model.embed_tokens.weight"][tokens], weights["mtp.pre_fc_norm_embedding.weight"])
    x = np.concatenate([token, norm(hidden, weights["mtp.pre_fc_norm_hidden.weight"])], -1) @ weights["mtp.fc.weight"].T
    inner = norm(x, part("input_layernorm"))
    query, gate = np.split((inner @ part("self_attn.q_proj").T).reshape(length, heads, 2 * size), 2, axis=-1)
    key, value = ((inner @ part(f"self_attn.{name}_proj").T).reshape(length, kv_heads, size) for name in "kv")
    query, key = turned(norm(query, part("self_attn.q_norm"))), turned(norm(key, part("self_attn.k_norm")))
    key, value = (np.repeat(each, heads // kv_heads, axis=1) for each in (key, value))
    scores = np.einsum("qhd,khd->hqk", query, key) / np.sqrt(size)
    scores = np.where(np.tri(length, dtype=bool), scores, -np.inf)
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    mixed = np.einsum("hqk,khd->qhd", shares / shares.sum(-1, keepdims=True), value) / (1 + np.exp(-gate))
    x = x + mixed.reshape(length, heads * size) @ part("self_attn.o_proj").T
    inner = norm(x, part("post_attention_layernorm"))
    gated = inner @ part("mlp.gate_proj").T
    x = x + (gated / (1 + np.exp(-gated)) * (inner @ part("mlp.up_proj").T)) @ part("mlp.down_proj").T
    last = norm(x, weights["mtp.norm.weight"])
    return last @ model["lm_head.weight"].T, last


def drafted(model: Model, ids: Array) -> Array:
    """The head's logits on random hidden."""
    graph = model.compile(HEAD)
    model.session.init_state(batch=len(ids), capacity=CONTEXT)
    hidden = np.random.default_rng(9).normal(size=(*ids.shape, WIDTH)).astype(np.float32)
    counts = np.full(len(ids), ids.shape[1], np.int32)
    found: Array = graph.run({"tokens": ids, "start": np.zeros(len(ids), np.int32), "count": counts, "hidden": hidden})["logits"]
    return found


def test_head_is_its_formula_in_ragged_batches_and_token_by_token(folder: Folder) -> None:
    """The cache of its own: rows of three lengths, then three tokens more of each."""
    model, more = open_model(folder.path), 3
    prefill = model.compile(HEAD)
    decode = model.compile(Shapes(batch=BATCH, seq=1, capacity=CAPACITY, hidden=True, draft=True))
    assert set(prefill.graph.states) == {"blk.2.k", "blk.2.v"}
    ids = token_ids(len(LENGTHS), max(LENGTHS) + more, seed=4)
    hidden = np.random.default_rng(4).normal(size=(*ids.shape, WIDTH)).astype(np.float32)
    model.session.init_state(batch=len(LENGTHS), capacity=CONTEXT)
    start = np.zeros(len(LENGTHS), np.int32)
    longest = max(LENGTHS)
    first = prefill.run(
        {"tokens": ids[:, :longest], "start": start, "count": np.array(LENGTHS, np.int32), "hidden": hidden[:, :longest]}
    )
    rows, steps = np.arange(len(LENGTHS)), []
    for step in range(more):
        places = np.array(LENGTHS, np.int32) + step
        inputs = {
            "tokens": ids[rows, places][:, None],
            "start": places,
            "count": start + 1,
            "hidden": hidden[rows, places][:, None],
        }
        steps.append(decode.run(inputs))
    for row, length in enumerate(LENGTHS):
        expected, last = head_formula(folder.head, hidden[row, : length + more], ids[row, : length + more])
        close(first["logits"][row, :length], expected[:length])
        close(first["hidden"][row, :length], last[:length])
        close(np.stack([step["logits"][row] for step in steps]), expected[length:])
        close(np.stack([step["hidden"][row, 0] for step in steps]), last[length:])


def test_hidden_is_what_the_output_layer_reads(folder: Folder) -> None:
    """The head was trained on the model's normed hidden."""
    model, ids = open_model(folder.path), token_ids(1, 6, seed=6)
    graph = model.compile(Shapes(seq=6, hidden=True))
    oracle = reference("qwen35")
    with torch.no_grad():
        expected = oracle.model(torch.tensor(ids.astype(np.int64)), use_cache=False).last_hidden_state.numpy()
    close(graph.run({"tokens": ids, "count": np.array([6], np.int32)})["hidden"], expected)


def test_speculation_with_the_head_gives_what_plain_decoding_gives(folder: Folder, tmp_path: Path) -> None:
    """Greedy: where a guess is refused, recurrent states go back by a snapshot."""
    qwen35_to_gguf(folder.path, tmp_path / "model.gguf")
    model, ids = rlx.load_model(tmp_path / "model.gguf"), token_ids(1, 9, seed=8)[0].tolist()
    engine = Engine(model, draft=HeadDrafter(model), draft_tokens=2, chunk=16)
    found = engine.generate(ids, temperature=0.0, max_tokens=12, ignore_eos=True)
    for _ in range(12):
        ids.append(int(logits(reference("qwen35"), ids)[-1].argmax()))
    assert list(found.ids) == ids[9:]
    assert found.speculation.drafted > found.speculation.accepted


def test_a_file_without_a_head_says_so(tmp_path: Path) -> None:
    reference("qwen35").save_pretrained(tmp_path)
    with pytest.raises(RlxError, match="no multi-token prediction head"):
        open_model(tmp_path).graph(HEAD)
