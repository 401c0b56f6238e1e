"""Tiny random recurrent models made by transformers, their logits, and the same models as GGUF files in llama.cpp's order of numbers."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
import transformers
from safetensors.numpy import load_file, save_file

from rlx.formats.gguf_writer import write_gguf
from tests.models.convert import vocabulary
from tests.models.running import Running, close
from tests.models.tiny_models import CONTEXT, VOCABULARY, token_ids

Array = npt.NDArray[Any]
WIDTH = 32
QWEN35: dict[str, Any] = {
    "vocab_size": VOCABULARY,
    "hidden_size": WIDTH,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "linear_key_head_dim": 8,
    "linear_value_head_dim": 8,
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 4,
    "max_position_embeddings": CONTEXT,
    "layer_types": ["linear_attention", "full_attention"],
    "rms_norm_eps": 1e-6,
}
MOE = {"num_experts": 5, "num_experts_per_tok": 2, "moe_intermediate_size": 24, "shared_expert_intermediate_size": 40}
MAMBA = {"vocab_size": VOCABULARY, "hidden_size": WIDTH, "state_size": 6, "num_hidden_layers": 2, "use_bias": True}


@cache
def reference(name: str) -> Any:
    """transformers' model with random numbers in all its tensors."""
    make = {
        "qwen35": lambda: transformers.Qwen3_5ForCausalLM(transformers.Qwen3_5TextConfig(**QWEN35)),
        "qwen35moe": lambda: transformers.Qwen3_5MoeForCausalLM(transformers.Qwen3_5MoeTextConfig(**QWEN35, **MOE)),
        "mamba": lambda: transformers.MambaForCausalLM(transformers.MambaConfig(**MAMBA)),
    }
    return randomized(make[name])


def randomized(make: Callable[[], Any]) -> Any:
    """Random numbers in all tensors, the same in each run; computed in the eager way."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = make()
    model.set_attn_implementation("eager")
    generator = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for place, parameter in model.named_parameters():
            numbers = torch.randn(parameter.shape, generator=generator)
            if place.endswith(("A_log", "dt_bias", "dt_proj.bias")) or parameter.ndim == 1:
                parameter += 0.2 * numbers
            else:
                parameter.copy_(numbers * (0.3 if "embed" in place else 1.5 / parameter.shape[-1] ** 0.5))
    return model.eval()


def logits(model: Any, row: Sequence[int] | Array) -> Array:
    """Of every token of one row, computed all at once."""
    with torch.no_grad():
        found: Array = model(torch.tensor(np.asarray(row, np.int64))[None], use_cache=False).logits[0].numpy()
    return found


def add_head(folder: Path) -> dict[str, Array]:
    """A head of multi-token prediction with random numbers added to a Qwen3.5 folder; gives its tensors."""
    random, tensors = np.random.default_rng(7), load_file(folder / "model.safetensors")
    layer = {
        name.replace("model.layers.1.", "mtp.layers.0."): array for name, array in tensors.items() if "model.layers.1." in name
    }
    head = {name: random.normal(0, 0.2, array.shape).astype(np.float32) for name, array in layer.items()}
    norms = ("norm", "pre_fc_norm_embedding", "pre_fc_norm_hidden")
    head |= {f"mtp.{name}.weight": random.normal(0, 0.2, WIDTH).astype(np.float32) for name in norms}
    head["mtp.fc.weight"] = random.normal(0, 0.2, (WIDTH, 2 * WIDTH)).astype(np.float32)
    save_file({**tensors, **head}, folder / "model.safetensors", {"format": "pt"})
    return head


# -- what every recurrent family does --------------------------------------------------------------------------------
LENGTHS, MORE = (19, 7, 1), 4


def follow_ragged_rows(running: Running) -> None:
    """Rows of three lengths at once, padded at the end, then four tokens more for each."""
    ids, longest = token_ids(len(LENGTHS), max(LENGTHS) + MORE), max(LENGTHS)
    running.fresh(len(LENGTHS))
    found = running.feed(running.prefill, ids[:, :longest], [0, 0, 0], LENGTHS)
    following = []
    for step in range(MORE):
        tokens = [[ids[row, length + step]] for row, length in enumerate(LENGTHS)]
        following.append(running.feed(running.decode, tokens, np.array(LENGTHS) + step, [1, 1, 1]))
    for row, length in enumerate(LENGTHS):
        expected = logits(running.oracle, ids[row, : length + MORE])
        assert np.abs(expected).max() > 0.5
        close(found[row, :length], expected[:length])
        close(np.stack([step[row] for step in following]), expected[length:])


def follow_chunks(running: Running) -> None:
    """Chunks of several sizes, each padded; some are shorter than the convolution."""
    ids, start = token_ids(1, 37, seed=1), 0
    expected = logits(running.oracle, ids[0])
    running.fresh(1)
    for size in (11, 1, 2, 14, 9):
        padded = np.pad(ids[:, start : start + size], ((0, 0), (0, 3)), constant_values=5)
        close(running.feed(running.prefill, padded, [start], [size])[0, :size], expected[start : start + size])
        start += size


# -- as GGUF --------------------------------------------------------------------------------------------------------
QWEN35_LAYER = {
    "input_layernorm.weight": "attn_norm.weight",
    "post_attention_layernorm.weight": "post_attention_norm.weight",
    "linear_attn.in_proj_qkv.weight": "attn_qkv.weight",
    "linear_attn.in_proj_z.weight": "attn_gate.weight",
    "linear_attn.in_proj_a.weight": "ssm_alpha.weight",
    "linear_attn.in_proj_b.weight": "ssm_beta.weight",
    "linear_attn.conv1d.weight": "ssm_conv1d.weight",
    "linear_attn.A_log": "ssm_a",
    "linear_attn.dt_bias": "ssm_dt.bias",
    "linear_attn.norm.weight": "ssm_norm.weight",
    "linear_attn.out_proj.weight": "ssm_out.weight",
    **{f"self_attn.{name}_proj.weight": f"attn_{name}.weight" for name in "qkv"},
    "self_attn.o_proj.weight": "attn_output.weight",
    **{f"self_attn.{name}_norm.weight": f"attn_{name}_norm.weight" for name in "qk"},
    **{f"mlp.{name}_proj.weight": f"ffn_{name}.weight" for name in ("gate", "up", "down")},
}
QWEN35_ENDS = {
    "model.embed_tokens.weight": "token_embd.weight",
    "model.norm.weight": "output_norm.weight",
    "lm_head.weight": "output.weight",
    "mtp.fc.weight": "blk.2.nextn.eh_proj.weight",
    "mtp.norm.weight": "blk.2.nextn.shared_head_norm.weight",
    "mtp.pre_fc_norm_embedding.weight": "blk.2.nextn.enorm.weight",
    "mtp.pre_fc_norm_hidden.weight": "blk.2.nextn.hnorm.weight",
}


def tiled(array: Array, size: int, axis: int = 0) -> Array:
    """Value heads, `size` numbers each along one axis, from neighbours that share a key to an order that repeats over the keys."""
    keys, values = QWEN35["linear_num_key_heads"], QWEN35["linear_num_value_heads"]
    moved = np.moveaxis(array, axis, 0)
    groups = moved.reshape(keys, values // keys, size, *moved.shape[1:]).swapaxes(0, 1).reshape(moved.shape)
    return np.ascontiguousarray(np.moveaxis(groups, 0, axis))


def qwen35_to_gguf(folder: Path, path: Path) -> None:
    """With the head that drafts as a third layer."""
    size, keys = QWEN35["linear_key_head_dim"], 2 * QWEN35["linear_num_key_heads"] * QWEN35["linear_key_head_dim"]
    found: dict[str, Array] = {}
    for name, array in load_file(folder / "model.safetensors").items():
        if "norm" in name and "linear_attn" not in name:
            array = array + 1
        if name.endswith(("in_proj_qkv.weight", "conv1d.weight")):
            array = np.concatenate([array[:keys], tiled(array[keys:], size)]).reshape(len(array), -1)
        elif name.endswith(("in_proj_z.weight", "in_proj_a.weight", "in_proj_b.weight", "A_log", "dt_bias")):
            array = tiled(-np.exp(array) if name.endswith("A_log") else array, size if "in_proj_z" in name else 1)
        elif name.endswith("linear_attn.out_proj.weight"):
            array = tiled(array, size, axis=1)
        place, _, part = name.removeprefix("model.layers.").removeprefix("mtp.layers.").partition(".")
        number = 2 if name.startswith("mtp.layers") else place
        found[QWEN35_ENDS.get(name) or f"blk.{number}.{QWEN35_LAYER[part]}"] = array
    given = {
        "block_count": 3,
        "nextn_predict_layers": 1,
        "context_length": CONTEXT,
        "embedding_length": WIDTH,
        "feed_forward_length": 48,
        "attention.head_count": 4,
        "attention.head_count_kv": 2,
        "attention.key_length": 16,
        "attention.value_length": 16,
        "attention.layer_norm_rms_epsilon": 1e-6,
        "full_attention_interval": 2,
        "rope.dimension_count": 4,
        "rope.freq_base": 10000.0,
        "rope.dimension_sections": np.array([1, 1, 0, 0], np.int32),
        "ssm.conv_kernel": 4,
        "ssm.inner_size": 32,
        "ssm.state_size": 8,
        "ssm.time_step_rank": 4,
        "ssm.group_count": 2,
    }
    _write(path, "qwen35", given, found)


def mamba_to_gguf(folder: Path, path: Path) -> None:
    """Without the biases of the outer matrices, which llama.cpp does not know."""
    mixer = {"in_proj": "ssm_in", "conv1d": "ssm_conv1d", "x_proj": "ssm_x", "dt_proj": "ssm_dt", "out_proj": "ssm_out"}
    ends = {"backbone.embeddings.weight": "token_embd.weight", "backbone.norm_f.weight": "output_norm.weight"}
    found: dict[str, Array] = {}
    for name, array in load_file(folder / "model.safetensors").items():
        if name in ends:
            found[ends[name]] = array
            continue
        _, _, number, part = name.split(".", 3)
        if part == "norm.weight":
            found[f"blk.{number}.attn_norm.weight"] = array
        elif part in ("mixer.A_log", "mixer.D"):
            found[f"blk.{number}.ssm_{part[6].lower()}"] = -np.exp(array) if part.endswith("A_log") else array
        else:
            _, theirs, ending = part.split(".")
            found[f"blk.{number}.{mixer[theirs]}.{ending}"] = array.squeeze()
    given = {
        "block_count": 2,
        "context_length": CONTEXT,
        "embedding_length": WIDTH,
        "feed_forward_length": 0,
        "attention.head_count": 0,
        "ssm.conv_kernel": 4,
        "ssm.inner_size": 2 * WIDTH,
        "ssm.state_size": 6,
        "ssm.time_step_rank": 2,
        "attention.layer_norm_rms_epsilon": 1e-5,
    }
    _write(path, "mamba", given, found)


def _write(path: Path, kind: str, given: dict[str, Any], tensors: dict[str, Array]) -> None:
    metadata = {"general.architecture": kind, **{f"{kind}.{key}": value for key, value in given.items()}, **vocabulary(VOCABULARY)}
    write_gguf(path, metadata, {name: np.ascontiguousarray(array, np.float32) for name, array in tensors.items()})


def settings(folder: Path) -> dict[str, Any]:
    """A folder's config.json."""
    found: dict[str, Any] = json.loads((folder / "config.json").read_text())
    return found
