"""Modules of `rlx.nn`: against torch's layers, under every transform, trained, saved and loaded."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import rlx
import rlx.numpy as rnp
from rlx import nn, random
from rlx.core.errors import RlxError
from rlx.formats.safetensors import write_safetensors
from rlx.train import AdamW, apply_updates

KEY = random.key(0)
DATA = np.random.default_rng(0)


def draw(*dims: int) -> Any:
    return DATA.standard_normal(dims).astype(np.float32)


def filled(module: Any) -> Any:
    """The module with random arrays everywhere, so that gains and biases count."""
    return rlx.tree.map(lambda x: rnp.asarray(draw(*x.shape)), module)


def into_torch(theirs: Any, ours: Any, names: dict[str, str] | None = None) -> Any:
    named = {(names or {}).get(name, name): torch.tensor(np.asarray(x)) for name, x in ours.named_parameters().items()}
    theirs.load_state_dict(named)
    return theirs


# -- against torch ------------------------------------------------------------------------------------------------
LAYERS: dict[str, tuple[Any, Any, tuple[int, ...]]] = {
    "linear": (nn.Linear(4, 3, key=KEY), torch.nn.Linear(4, 3), (2, 5, 4)),
    "linear without bias": (nn.Linear(4, 3, use_bias=False, key=KEY), torch.nn.Linear(4, 3, bias=False), (4,)),
    "layer norm": (nn.LayerNorm(6), torch.nn.LayerNorm(6), (3, 6)),
    "layer norm of two axes": (nn.LayerNorm((2, 6), eps=1e-3), torch.nn.LayerNorm((2, 6), eps=1e-3), (3, 2, 6)),
    "layer norm without bias": (nn.LayerNorm(6, use_bias=False), torch.nn.LayerNorm(6, bias=False), (3, 6)),
    "plain layer norm": (
        nn.LayerNorm(6, use_weight=False, use_bias=False),
        torch.nn.LayerNorm(6, elementwise_affine=False),
        (3, 6),
    ),
    "rms norm": (nn.RMSNorm(6, eps=1e-6), torch.nn.RMSNorm(6, eps=1e-6), (2, 3, 6)),
    "conv1d": (nn.Conv(1, 4, 6, 3, stride=2, padding=1, groups=2, key=KEY), torch.nn.Conv1d(4, 6, 3, 2, 1, groups=2), (2, 4, 9)),
    "conv2d": (
        nn.Conv(2, 3, 5, (3, 2), dilation=(1, 2), use_bias=False, key=KEY),
        torch.nn.Conv2d(3, 5, (3, 2), dilation=(1, 2), bias=False),
        (3, 7, 8),
    ),
    "conv, same padding": (nn.Conv(2, 3, 5, 3, padding="SAME", key=KEY), torch.nn.Conv2d(3, 5, 3, padding="same"), (2, 3, 6, 6)),
}


@pytest.mark.parametrize("name", LAYERS)
def test_layers_are_torchs(name: str) -> None:
    made, theirs, shape = LAYERS[name]
    ours = filled(made)
    x = draw(*shape)
    wanted = into_torch(theirs, ours)(torch.tensor(x)).detach().numpy()
    np.testing.assert_allclose(np.asarray(ours(x)), wanted, rtol=2e-5, atol=2e-5)
    np.testing.assert_allclose(rlx.jit(lambda m, x: m(x))(ours, x), wanted, rtol=2e-5, atol=2e-5)


def test_embedding() -> None:
    table = nn.Embedding(7, 4, key=KEY)
    ids = np.int32([[1, 6], [0, 1]])
    np.testing.assert_array_equal(np.asarray(table(ids)), np.asarray(table.weight)[ids])
    x = draw(3, 4)
    np.testing.assert_allclose(np.asarray(table.attend(x)), x @ np.asarray(table.weight).T, rtol=1e-5)
    slope = rlx.grad(lambda t: t(ids).sum())(table)
    np.testing.assert_array_equal(np.asarray(slope.weight)[:, 0], [1, 2, 0, 0, 0, 0, 1])


@pytest.mark.parametrize("causal", [False, True])
def test_attention_is_torchs(causal: bool) -> None:
    ours = filled(nn.MultiHeadAttention(2, 6, causal=causal, use_bias=True, key=KEY))
    theirs = torch.nn.MultiheadAttention(6, 2, batch_first=True)
    parts = [getattr(ours, f"{name}_proj") for name in "qkv"]
    for name, place in (("weight", theirs.in_proj_weight), ("bias", theirs.in_proj_bias)):
        place.data = torch.tensor(np.concatenate([np.asarray(getattr(part, name)) for part in parts]))
    theirs.out_proj.weight.data = torch.tensor(np.asarray(ours.o_proj.weight))
    theirs.out_proj.bias.data = torch.tensor(np.asarray(ours.o_proj.bias))
    x = draw(3, 5, 6)
    mask = torch.triu(torch.ones(5, 5, dtype=torch.bool), 1) if causal else None
    wanted = theirs(*[torch.tensor(x)] * 3, attn_mask=mask, need_weights=False)[0].detach().numpy()
    np.testing.assert_allclose(np.asarray(ours(x)), wanted, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(np.asarray(ours(x[0])), wanted[0], rtol=1e-4, atol=1e-4)


def test_attention_to_a_context_with_shared_heads_and_a_mask() -> None:
    ours = filled(nn.MultiHeadAttention(4, 8, num_kv_heads=2, context_size=5, key=KEY))
    x, context = draw(2, 3, 8), draw(2, 6, 5)
    mask = DATA.random((2, 1, 3, 6)) > 0.3
    mask[..., 0] = True

    def heads(layer: Any, x: Any, count: int) -> Any:
        return torch.tensor(x @ np.asarray(layer.weight).T).reshape(2, -1, count, 2).transpose(1, 2)

    q, k, v = heads(ours.q_proj, x, 4), heads(ours.k_proj, context, 2), heads(ours.v_proj, context, 2)
    found = torch.nn.functional.scaled_dot_product_attention(q, k, v, torch.tensor(mask), enable_gqa=True)
    wanted = found.transpose(1, 2).reshape(2, 3, 8).numpy() @ np.asarray(ours.o_proj.weight).T
    np.testing.assert_allclose(np.asarray(ours(x, context, mask=mask)), wanted, rtol=1e-4, atol=1e-4)


def test_block_is_its_formula() -> None:
    block = filled(nn.TransformerBlock(8, 2, norm=nn.RMSNorm, key=KEY))
    x = draw(2, 4, 8)
    middle = x + block.attention(block.attention_norm(x))
    wanted = middle + block.mlp(block.mlp_norm(middle))
    np.testing.assert_allclose(rlx.jit(lambda b, x: b(x))(block, x), np.asarray(wanted), rtol=1e-4, atol=1e-4)


def test_first_weights() -> None:
    layer = nn.Linear(100, 300, key=KEY)
    for array in (layer.weight, layer.bias):
        assert array is not None
        assert 0.095 < float(abs(array).max()) <= 0.1 and abs(float(array.mean())) < 0.01
    half = nn.TransformerBlock(8, 2, dtype="bf16", key=KEY)
    assert {str(x.dtype) for x in half.named_parameters().values()} == {"bfloat16"}
    assert str(half(rnp.ones((2, 8), "bf16")).dtype) == "bfloat16"


# -- trees --------------------------------------------------------------------------------------------------------
class Small(nn.Module):
    """Two layers and a number, as a user writes it."""

    layers: list[nn.Linear]
    scale: Any
    width: int = rlx.tree.static()

    def __init__(self, width: int, *, key: Any) -> None:
        first, second = random.split(key)
        self.layers = [nn.Linear(3, width, key=first), nn.Linear(width, 2, use_bias=False, key=second)]
        self.scale, self.width = rnp.asarray(2.0), width

    def __call__(self, x: Any) -> Any:
        return self.scale * self.layers[1](nn.tanh(self.layers[0](x)))


def test_parameters_by_path() -> None:
    model = Small(4, key=KEY)
    assert {name: x.shape for name, x in model.named_parameters().items()} == {
        "layers.0.weight": (4, 3),
        "layers.0.bias": (4,),
        "layers.1.weight": (2, 4),
        "scale": (),
    }
    assert repr(model.layers[0]) == "Linear(weight=f32[4, 3], bias=f32[4])"
    assert dataclasses.is_dataclass(Small)
    with pytest.raises(RlxError, match="no field 'scal'"):
        model.replace(scal=1.0)
    assert model.replace(scale=rnp.asarray(1.0)).layers is model.layers


def test_modules_under_transforms() -> None:
    model, x = Small(4, key=KEY), draw(5, 3)
    wanted = np.asarray(model(x))
    np.testing.assert_allclose(rlx.jit(lambda m, x: m(x))(model, x), wanted, rtol=1e-5)
    np.testing.assert_allclose(rlx.vmap(lambda x: model(x))(x), wanted, rtol=1e-5)
    slope = rlx.grad(lambda m: (m(x) ** 2).sum())(model)
    assert isinstance(slope, Small) and slope.width == 4
    np.testing.assert_allclose(float(slope.scale), (wanted**2).sum(), rtol=1e-4)
    models = rlx.vmap(lambda k: Small(4, key=k))(random.split(KEY, 3))
    each = rlx.vmap(lambda m: m(x))(models)
    np.testing.assert_allclose(np.asarray(each[1]), np.asarray(Small(4, key=random.split(KEY, 3)[1])(x)), rtol=1e-5)


def test_a_scan_over_blocks() -> None:
    x, keys = draw(2, 4, 8), random.split(KEY, 3)
    stacked = rlx.vmap(lambda k: nn.TransformerBlock(8, 2, key=k))(keys)
    found = rlx.jit(lambda blocks, x: rlx.lax.scan(lambda x, block: (block(x), None), x, blocks)[0])(stacked, x)
    for i in range(3):
        x = nn.TransformerBlock(8, 2, key=keys[i])(x)
    np.testing.assert_allclose(found, np.asarray(x), rtol=1e-4, atol=1e-5)


def test_dropout_takes_a_key() -> None:
    x = np.ones((50, 40), np.float32)
    drop = nn.Dropout(0.25)
    assert drop(x) is x
    found = np.asarray(drop(x, key=KEY))
    assert abs((found == 0).mean() - 0.25) < 0.05 and set(np.unique(found)) == {0, np.float32(1 / 0.75)}
    np.testing.assert_array_equal(rlx.jit(lambda x, k: drop(x, key=k))(x, KEY), found)
    assert (np.asarray(drop(x, key=random.key(1))) != found).any()
    model = nn.Sequential([nn.Linear(40, 8, key=KEY), nn.relu, drop])
    assert len(model) == 3 and model[2] is drop
    assert (np.asarray(model(x, key=KEY)) != np.asarray(model(x))).any()


# -- training -----------------------------------------------------------------------------------------------------
class Bigram(nn.Module):
    """A tiny causal transformer over ids."""

    table: nn.Embedding
    places: nn.Embedding
    block: nn.TransformerBlock
    norm: nn.LayerNorm

    def __init__(self, ids: int, length: int, size: int, *, key: Any) -> None:
        keys = random.split(key, 3)
        self.table = nn.Embedding(ids, size, key=keys[0])
        self.places = nn.Embedding(length, size, key=keys[1])
        self.block = nn.TransformerBlock(size, 2, dropout=0.1, key=keys[2])
        self.norm = nn.LayerNorm(size)

    def __call__(self, ids: Any, *, key: Any = None) -> Any:
        x = self.table(ids) + self.places(rnp.arange(ids.shape[-1]))
        return self.table.attend(self.norm(self.block(x, key=key)))


@pytest.mark.long
def test_a_tiny_transformer_learns() -> None:
    model = Bigram(11, 8, 16, key=KEY)
    optimizer = AdamW(lr=0.03)
    state = optimizer.init(model)
    text = np.tile(np.arange(11), 20)
    rows = np.stack([text[i : i + 9] for i in range(16)]).astype(np.int32)

    def loss(model: Any, key: Any) -> Any:
        return nn.cross_entropy(model(rows[:, :-1], key=key), rows[:, 1:]).mean()

    @rlx.jit
    def step(model: Any, state: Any, key: Any) -> Any:
        value, slope = rlx.value_and_grad(loss)(model, key)
        updates, state = optimizer.update(slope, state, model)
        return apply_updates(model, updates), state, value

    losses = []
    for i in range(40):
        model, state, value = step(model, state, random.fold_in(KEY, i))
        losses.append(float(value))
    assert isinstance(model, Bigram)
    assert losses[-1] < 0.5 < 2 < losses[0]
    assert (np.asarray(model(rows[:1, :-1])).argmax(-1) == rows[:1, 1:]).mean() > 0.9


# -- files --------------------------------------------------------------------------------------------------------
def test_saved_and_loaded(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    model = Small(4, key=KEY)
    nn.save(path, model)
    again = nn.load(path, Small(4, key=random.key(9)))
    for name, array in model.named_parameters().items():
        np.testing.assert_array_equal(np.asarray(array), np.asarray(again.named_parameters()[name]))
    narrow = nn.load(path, rlx.tree.map(lambda x: x.astype("f16"), model))
    assert str(narrow.scale.dtype) == "float16"
    from safetensors.torch import load_file

    theirs = torch.nn.Linear(3, 4)
    theirs.load_state_dict({name: load_file(path)[f"layers.0.{name}"] for name in ("weight", "bias")})
    np.testing.assert_array_equal(theirs.weight.detach().numpy(), np.asarray(model.layers[0].weight))


def test_files_that_do_not_fit(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    layer = nn.Linear(2, 3, key=KEY)
    weight, bias = np.zeros((3, 2), np.float32), np.zeros(3, np.float32)
    for arrays, message in (
        ({"weight": weight}, "without 'bias'"),
        ({"weight": weight, "bias": bias, "gain": bias}, "with 'gain', which the model does not have"),
        ({"weight": weight.T, "bias": bias}, r"'weight' has shape \[2, 3\], the model's has \[3, 2\]"),
        ({"w": weight, "b": bias}, "without 'bias', 'weight' and with 'b', 'w'"),
    ):
        write_safetensors(path, arrays)
        with pytest.raises(RlxError, match=message) as raised:
            nn.load(path, layer)
        assert raised.value.code == "RLX703" and str(path) in str(raised.value)


def test_what_modules_refuse() -> None:
    for build, message in (
        (lambda: nn.MultiHeadAttention(3, 8, key=KEY), "3 heads"),
        (lambda: nn.Conv(1, 3, 4, 3, groups=2, key=KEY), "2 groups"),
        (lambda: nn.LayerNorm(4)(draw(2, 3)), "LayerNorm of"),
        (lambda: nn.Linear(4, 3, key=random.split(KEY, 2)), "the key is"),
    ):
        with pytest.raises(RlxError, match=message):
            build()  # type: ignore[no-untyped-call]
