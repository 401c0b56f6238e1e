"""The folder of a trained model: weights, config.json and tokenizer.json, which `rlx.load_model` and transformers open."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.files import written_whole
from rlx.formats.safetensors import write_safetensors
from rlx.formats.tokenizer import bytes_to_letters
from rlx.train.language_model import LlamaShape
from rlx.train.vocabulary import WORDS, Vocabulary

_NAMES = {
    "embedding": "model.embed_tokens",
    "norm": "model.norm",
    "head": "lm_head",
    "norm1": "input_layernorm",
    "q": "self_attn.q_proj",
    "k": "self_attn.k_proj",
    "v": "self_attn.v_proj",
    "o": "self_attn.o_proj",
    "norm2": "post_attention_layernorm",
    "gate": "mlp.gate_proj",
    "up": "mlp.up_proj",
    "down": "mlp.down_proj",
}


def stored_name(name: str) -> str:
    """Returns the name of a param's tensor in transformers' Llama.

    >>> stored_name("layers.3.q"), stored_name("head")
    ('model.layers.3.self_attn.q_proj.weight', 'lm_head.weight')
    """
    before, _, last = name.rpartition(".")
    return f"{f'model.{before}.' if before else ''}{_NAMES[last]}.weight"


def config_of(shape: LlamaShape) -> dict[str, Any]:
    """Builds the contents of config.json for a trained Llama."""
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": shape.vocabulary,
        "hidden_size": shape.width,
        "intermediate_size": shape.ffn,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.kv_heads,
        "head_dim": shape.head_dim,
        "max_position_embeddings": shape.positions,
        "rms_norm_eps": shape.eps,
        "rope_theta": shape.theta,
        "hidden_act": "silu",
        "tie_word_embeddings": False,
        "bos_token_id": None,
        "eos_token_id": None,
        "dtype": "float32",
    }


def tokenizer_of(vocabulary: Vocabulary) -> dict[str, Any]:
    """Builds the contents of tokenizer.json: the same ids, of the same words."""
    letters = [bytes_to_letters(piece) for piece in vocabulary.pieces]
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    split = {"type": "Split", "pattern": {"Regex": WORDS}, "behavior": "Isolated", "invert": False}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [split, byte_level]},
        "post_processor": None,
        "decoder": byte_level,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": {text: number for number, text in enumerate(letters)},
            "merges": [[letters[left], letters[right]] for left, right in vocabulary.merges],
        },
    }


def write_model(folder: Path, shape: LlamaShape, vocabulary: Vocabulary, params: Mapping[str, npt.NDArray[Any]]) -> None:
    """Writes a Hugging Face model folder, the weights last: each matrix has a row for each output."""
    for name, content in {"config.json": config_of(shape), "tokenizer.json": tokenizer_of(vocabulary)}.items():
        with written_whole(folder / name) as file:
            file.write(json.dumps(content, ensure_ascii=False).encode())
    tensors = {stored_name(name): np.ascontiguousarray(value if name == "embedding" else value.T) for name, value in params.items()}
    write_safetensors(folder / "model.safetensors", tensors, {"format": "pt", "shape": json.dumps(vars(shape))})
