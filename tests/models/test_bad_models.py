"""Files whose settings and tensors do not fit: refused with the names and both facts, never believed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from rlx.core.errors import RlxError
from rlx.formats.gguf import read_gguf
from rlx.formats.gguf_writer import write_gguf
from rlx.models import Shapes, open_model
from tests.models.convert import to_gguf
from tests.models.tiny_models import save

Change = Callable[[dict[str, Any]], object]
SHAPES = Shapes(batch=1, seq=2)


def refused(path: Path, code: str, *words: str) -> None:
    with pytest.raises(RlxError) as raised:
        open_model(path).graph(SHAPES)
    assert raised.value.code == code, str(raised.value)
    assert all(word in str(raised.value) for word in words), str(raised.value)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A folder of each name, made once."""
    made: dict[str, Path] = {}

    def folder(name: str) -> Path:
        if name not in made:
            made[name] = save(name, tmp_path_factory.mktemp("folder"))
        return made[name]

    return folder


def changed(folder: Path, new: Path, change: Change | None = None, drop: str | None = None) -> Path:
    """A copy of a folder with other settings, or without a tensor."""
    config = json.loads((folder / "config.json").read_text())
    if change is not None:
        change(config)
    (new / "config.json").write_text(json.dumps(config))
    tensors = load_file(folder / "model.safetensors")
    save_file({name: array for name, array in tensors.items() if name != drop}, new / "model.safetensors")
    return new


FOLDERS: list[tuple[str, Change, str, tuple[str, ...]]] = [
    ("llama", lambda c: c.pop("hidden_size"), "RLX703", ("hidden_size",)),
    ("llama", lambda c: c.pop("num_hidden_layers"), "RLX703", ("num_hidden_layers",)),
    ("llama", lambda c: c.pop("rms_norm_eps"), "RLX703", ("rms_norm_eps",)),
    ("llama", lambda c: c.update(hidden_size="wide"), "RLX701", ("hidden_size", "wide")),
    ("llama", lambda c: c.update(num_attention_heads=2.5), "RLX701", ("num_attention_heads", "2.5")),
    ("llama", lambda c: c.update(num_hidden_layers=10**9), "RLX701", ("num_hidden_layers", "1000000000")),
    ("llama", lambda c: c.update(num_hidden_layers=3), "RLX703", ("model.layers.2.input_layernorm.weight", "blk.2.attn_norm")),
    ("llama", lambda c: c.update(num_key_value_heads=3), "RLX701", ("4 heads", "3 kv heads")),
    ("llama", lambda c: c.update(num_attention_heads=0, head_dim=None), "RLX701", ("0 heads",)),
    ("llama", lambda c: c.update(num_key_value_heads=1), "RLX701", ("blk.0.attn_k", "[32, 64]", "[16, 64]")),
    ("llama", lambda c: c.update(vocab_size=97), "RLX701", ("token_embd", "[96, 64]", "[97, 64]")),
    ("llama", lambda c: c.update(head_dim=7), "RLX702", ("7 elements", "head_dim")),
    ("llama", lambda c: c.update(hidden_act="warp"), "RLX702", ("hidden_act", "warp", "silu")),
    ("llama", lambda c: c.update(rope_parameters=[1]), "RLX701", ("RoPE",)),
    ("llama", lambda c: c["rope_parameters"].update(rope_type="spiral"), "RLX702", ("spiral", "yarn")),
    ("llama", lambda c: c["rope_parameters"].update(factor=None), "RLX703", ("factor",)),
    (
        "llama",
        lambda c: c.update(architectures=["WarpForCausalLM"]),
        "RLX704",
        ("WarpForCausalLM", "Qwen3ForCausalLM", "docs/models.md"),
    ),
    ("mixtral", lambda c: c.update(num_local_experts=7), "RLX703", ("experts.5.w1", "blk.0.ffn_gate_exps")),
    ("mixtral", lambda c: c.update(num_local_experts=4), "RLX702", ("experts.4.w1.weight", "has no place for")),
    ("mixtral", lambda c: c.update(num_experts_per_tok=6), "RLX701", ("6 of 5 experts",)),
    ("gemma3", lambda c: c.update(layer_types=["full_attention"]), "RLX701", ("1 of 3 layers",)),
    ("gpt2", lambda c: c.update(n_head=5), "RLX701", ("5 heads", "64")),
    ("gpt2", lambda c: c.update(n_positions=65), "RLX701", ("position_embd", "[64, 64]", "[65, 64]")),
]


@pytest.mark.parametrize(("name", "change", "code", "words"), FOLDERS, ids=[f"{name} {words[0]}" for name, _, _, words in FOLDERS])
def test_a_folder_whose_settings_are_wrong(
    name: str, change: Change, code: str, words: tuple[str, ...], saved: Callable[[str], Path], tmp_path: Path
) -> None:
    refused(changed(saved(name), tmp_path, change), code, *words)


@pytest.mark.parametrize("tensor", ["model.embed_tokens.weight", "model.layers.1.self_attn.v_proj.weight", "model.norm.weight"])
def test_a_folder_without_a_tensor(tensor: str, saved: Callable[[str], Path], tmp_path: Path) -> None:
    refused(changed(saved("llama"), tmp_path, drop=tensor), "RLX703", tensor)


@pytest.mark.parametrize("name", ["llama", "mixtral", "qwen2", "qwen2 windows", "gemma3", "phi3", "gpt2"])
def test_any_setting_of_another_kind_is_refused_or_harmless(name: str, saved: Callable[[str], Path], tmp_path: Path) -> None:
    """Each setting replaced by what it cannot be: an error of ours, or a model; nothing else, and not for long."""
    folder = changed(saved(name), tmp_path)
    config = json.loads((folder / "config.json").read_text())
    for key, value in ((key, value) for key in places(config) for value in (None, -1, 10**12, 0.5, "x", ["x"], {"x": 1})):
        wrong = json.loads((saved(name) / "config.json").read_text())
        within = wrong
        for part in key[:-1]:
            within = within[part]
        within[key[-1]] = value
        (folder / "config.json").write_text(json.dumps(wrong))
        try:
            open_model(folder)
        except RlxError as error:
            assert error.code.startswith("RLX70"), (key, value)


def places(settings: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Where each setting stands, those of rope one or two levels deeper."""
    for key, value in settings.items():
        yield (key,)
        if isinstance(value, dict):
            yield from ((key, *deeper) for deeper in places(value))


GGUFS: list[tuple[Change, str, tuple[str, ...]]] = [
    (lambda m: m.pop("llama.embedding_length"), "RLX703", ("llama.embedding_length",)),
    (lambda m: m.update({"llama.block_count": 2**31}), "RLX701", ("block_count", "2147483648")),
    (lambda m: m.update({"llama.block_count": 3}), "RLX703", ("blk.2.attn_norm",)),
    (lambda m: m.update({"llama.attention.head_count": 0}), "RLX701", ("0 heads",)),
    (lambda m: m.update({"llama.attention.head_count": np.array([4, 2], np.int32)}), "RLX701", ("head_count", "[4 2]")),
    (lambda m: m.update({"llama.attention.head_count_kv": 1}), "RLX701", ("blk.0.attn_k", "[32, 64]", "[16, 64]")),
    (lambda m: m.update({"llama.rope.scaling.type": "spiral"}), "RLX702", ("spiral",)),
    (lambda m: m.update({"llama.context_length": "long"}), "RLX701", ("context_length", "long")),
    (lambda m: m.update({"general.architecture": "warp"}), "RLX704", ("warp", "gemma3", "docs/models.md")),
]


@pytest.mark.parametrize(("change", "code", "words"), GGUFS, ids=[words[0] for _, _, words in GGUFS])
def test_a_gguf_file_whose_settings_are_wrong(
    change: Change, code: str, words: tuple[str, ...], saved: Callable[[str], Path], tmp_path: Path
) -> None:
    to_gguf(saved("llama"), tmp_path / "right.gguf")
    file = read_gguf(tmp_path / "right.gguf")
    metadata = dict(file.metadata)
    change(metadata)
    write_gguf(tmp_path / "wrong.gguf", metadata, file.tensors)
    refused(tmp_path / "wrong.gguf", code, *words)


def test_a_gguf_file_without_its_table(saved: Callable[[str], Path], tmp_path: Path) -> None:
    to_gguf(saved("llama"), tmp_path / "right.gguf")
    file = read_gguf(tmp_path / "right.gguf")
    write_gguf(tmp_path / "wrong.gguf", file.metadata, {name: t for name, t in file.tensors.items() if name != "token_embd.weight"})
    refused(tmp_path / "wrong.gguf", "RLX703", "token_embd.weight")
