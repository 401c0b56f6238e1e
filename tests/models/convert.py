"""Hugging Face folders of decoders written as GGUF files, with the names and orders of numbers that llama.cpp's files have."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.torch import load_file

from rlx.formats.gguf_writer import write_gguf

Array = npt.NDArray[Any]
LAYER = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm",
    "self_attn.qkv_proj": "attn_qkv",
    "mlp.gate_up_proj": "ffn_up",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
    "mlp.gate": "ffn_gate_inp",
    "block_sparse_moe.gate": "ffn_gate_inp",
    "post_attention_layernorm": "ffn_norm",
}
GEMMA_LAYER = {
    "post_attention_layernorm": "post_attention_norm",
    "pre_feedforward_layernorm": "ffn_norm",
    "post_feedforward_layernorm": "post_ffw_norm",
}
GPT2_LAYER = {
    "ln_1": "attn_norm",
    "attn.c_attn": "attn_qkv",
    "attn.c_proj": "attn_output",
    "ln_2": "ffn_norm",
    "mlp.c_fc": "ffn_up",
    "mlp.c_proj": "ffn_down",
}
EXPERT = {"gate_proj": "gate", "up_proj": "up", "down_proj": "down", "w1": "gate", "w3": "up", "w2": "down"}
ENDS = {
    "model.embed_tokens": "token_embd",
    "model.norm": "output_norm",
    "lm_head": "output",
    "transformer.wte": "token_embd",
    "transformer.wpe": "position_embd",
    "transformer.ln_f": "output_norm",
}
NAMES = {
    "llama": "llama",
    "mistral": "llama",
    "mixtral": "llama",
    "qwen2": "qwen2",
    "qwen3": "qwen3",
    "qwen3_moe": "qwen3moe",
    "gemma": "gemma",
    "gemma2": "gemma2",
    "gemma3_text": "gemma3",
    "phi3": "phi3",
    "gpt2": "gpt2",
}


def interleaved(rows: Array, heads: int) -> Array:
    """Rows of each head reordered so that numbers which are turned together lie side by side."""
    halves = rows.reshape(heads, 2, -1, *rows.shape[1:])
    return np.ascontiguousarray(np.swapaxes(halves, 1, 2)).reshape(rows.shape)


def to_gguf(folder: Path, path: Path, store: Callable[[str, Array], Any] = lambda name, array: array) -> None:
    """Write the model of a folder as one GGUF file; `store(name, array)` says in which type a matrix is stored."""
    config = json.loads((folder / "config.json").read_text())
    kind = NAMES[config["model_type"]]
    tensors = {name: tensor.float().numpy() for name, tensor in load_file(folder / "model.safetensors").items()}
    found: dict[str, Array] = {}
    experts: dict[str, dict[int, Array]] = {}
    for name, array in tensors.items():
        body, ending = name.rsplit(".", 1)
        if body in ENDS:
            found[f"{ENDS[body]}.{ending}"] = array + 1 if kind.startswith("gemma") and "norm" in body else array
        elif ".experts." in body:
            layer, expert, part = body.split(".")[2], int(body.split(".")[-2]), body.split(".")[-1]
            experts.setdefault(f"blk.{layer}.ffn_{EXPERT[part]}_exps.weight", {})[expert] = array
        else:
            _layer(found, config, kind, body, ending, array)
    found |= {name: np.stack([parts[number] for number in range(len(parts))]) for name, parts in experts.items()}
    metadata, factors = settings(config, kind)
    stored = {name: store(name, array) if array.ndim > 1 else array for name, array in found.items()}
    write_gguf(path, metadata | vocabulary(config["vocab_size"]), {**stored, **factors})


def _layer(found: dict[str, Array], config: Mapping[str, Any], kind: str, body: str, ending: str, array: Array) -> None:
    """A tensor of one layer under its name there."""
    _, _, number, part = body.split(".", 3)
    if kind == "gpt2":
        found[f"blk.{number}.{GPT2_LAYER[part]}.{ending}"] = array.T.copy() if array.ndim == 2 else array
        return
    ours = {**LAYER, **(GEMMA_LAYER if kind in ("gemma2", "gemma3") else {})}[part]
    if kind == "llama" and ours in ("attn_q", "attn_k"):
        array = interleaved(array, config["num_attention_heads" if ours == "attn_q" else "num_key_value_heads"])
    if kind.startswith("gemma") and "norm" in part:
        array = array + 1
    found[f"blk.{number}.{ours}.{ending}"] = array


def settings(config: Mapping[str, Any], kind: str) -> tuple[dict[str, Any], dict[str, Array]]:
    """Metadata, and the factors of frequencies that are tensors there."""
    if kind == "gpt2":
        given: dict[str, Any] = {
            "context_length": config["n_positions"],
            "embedding_length": config["n_embd"],
            "block_count": config["n_layer"],
            "feed_forward_length": 4 * config["n_embd"],
            "attention.head_count": config["n_head"],
            "attention.layer_norm_epsilon": config["layer_norm_epsilon"],
        }
        return {"general.architecture": kind, **{f"{kind}.{key}": value for key, value in given.items()}}, {}
    heads = config["num_attention_heads"]
    head_dim = config.get("head_dim") or config["hidden_size"] // heads
    rope = config["rope_parameters"].get("full_attention", config["rope_parameters"])
    given = {
        "context_length": config["max_position_embeddings"],
        "embedding_length": config["hidden_size"],
        "block_count": config["num_hidden_layers"],
        "feed_forward_length": config["intermediate_size"],
        "attention.head_count": heads,
        "attention.head_count_kv": config["num_key_value_heads"],
        "attention.layer_norm_rms_epsilon": config["rms_norm_eps"],
        "attention.key_length": head_dim,
        "attention.value_length": head_dim,
        "rope.freq_base": rope["rope_theta"],
        "rope.dimension_count": int(head_dim * rope.get("partial_rotary_factor", 1.0)),
    }
    if "num_experts_per_tok" in config:
        given |= {"expert_count": config["num_local_experts"], "expert_used_count": config["num_experts_per_tok"]}
        given["expert_feed_forward_length"] = config.get("moe_intermediate_size", config["intermediate_size"])
    for theirs, ours in (
        ("attn_logit_softcapping",) * 2,
        ("final_logit_softcapping",) * 2,
        ("sliding_window", "attention.sliding_window"),
    ):
        if config.get(theirs) is not None:
            given[ours] = config[theirs]
    if kind == "gemma3":
        given["attention.sliding_window_pattern"] = config["layer_types"].index("full_attention") + 1
    more, factors = scaling(config, rope, head_dim)
    return {"general.architecture": kind, **{f"{kind}.{key}": value for key, value in {**given, **more}.items()}}, factors


def scaling(config: Mapping[str, Any], rope: Mapping[str, Any], head_dim: int) -> tuple[dict[str, Any], dict[str, Array]]:
    """The rotary embedding's scaling."""
    context = config["max_position_embeddings"]
    match rope["rope_type"]:
        case "linear":
            return {"rope.scaling.type": "linear", "rope.scaling.factor": float(rope["factor"])}, {}
        case "yarn":
            length = {"rope.scaling.original_context_length": rope["original_max_position_embeddings"]}
            return {"rope.scaling.type": "yarn", "rope.scaling.factor": float(rope["factor"]), **length}, {}
        case "llama3":
            low, high = (rope["original_max_position_embeddings"] / rope[f"{end}_freq_factor"] for end in ("low", "high"))
            waves = 2 * math.pi * rope["rope_theta"] ** (np.arange(0, head_dim, 2) / head_dim)
            between = np.clip(
                (rope["original_max_position_embeddings"] / waves - rope["low_freq_factor"])
                / (rope["high_freq_factor"] - rope["low_freq_factor"]),
                0,
                1,
            )
            smooth = 1 / ((1 - between) / rope["factor"] + between)
            factors = np.where(waves < high, 1, np.where(waves > low, rope["factor"], smooth))
            return {}, {"rope_freqs.weight": factors.astype(np.float32)}
        case "longrope":
            trained = config["original_max_position_embeddings"]
            factor = math.sqrt(1 + math.log(context / trained) / math.log(trained))
            lists = {f"rope_factors_{name}.weight": np.array(rope[f"{name}_factor"], np.float32) for name in ("long", "short")}
            return {"rope.scaling.original_context_length": trained, "rope.scaling.attn_factor": factor}, lists
    return {}, {}


def vocabulary(size: int) -> dict[str, Any]:
    """A tokenizer that llama.cpp accepts: the words t3, t4, …"""
    return {
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": ["<unk>", "<s>", "</s>", *(f"t{number}" for number in range(3, size))],
        "tokenizer.ggml.scores": np.zeros(size, np.float32),
        "tokenizer.ggml.token_type": np.array([2, 3, 3] + [1] * (size - 3), np.int32),
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.add_bos_token": False,
    }
