"""Llamas with random weights as Hugging Face folders of safetensors: made once, without transformers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bench.models import gguf_files
from bench.models.gguf_files import Size
from rlx.core.dtype import DType
from rlx.formats.safetensors import write_safetensors

SIZES = {"50M": Size("52M", 640, 10, 10, 5, 1536, vocab=8000), "500M": gguf_files.SIZES["530M"]}
CONTEXT = 4096
_DTYPES = {"bf16": "bfloat16", "f32": "float32"}


def model_folder(size: str, dtype: str, folder: Path | None = None) -> Path:
    """The folder of a size and a dtype, written when it is not there."""
    path = (folder or gguf_files.FOLDER) / f"llama-{SIZES[size].name}-{dtype}"
    if not (path / "model.safetensors").exists():  # which is written last
        path.mkdir(parents=True, exist_ok=True)
        (path / "config.json").write_text(json.dumps(_config(SIZES[size], dtype), indent=1))
        (path / "tokenizer.json").write_text(json.dumps(_tokenizer(SIZES[size])))
        write_safetensors(path / "model.safetensors", dict(_tensors(SIZES[size], dtype)))
    return path


def _tensors(size: Size, dtype: str) -> Iterator[tuple[str, np.ndarray]]:
    """Matrices `[out, in]` of deviation 1/√in, so that activations stay of ordinary size, and norms of ones."""
    random, kv = np.random.default_rng(0), size.kv_heads * size.head_dim
    shapes = {
        **{f"self_attn.{name}_proj": (size.width, size.width) for name in "qo"},
        **{f"self_attn.{name}_proj": (kv, size.width) for name in "kv"},
        **{f"mlp.{name}_proj": (size.hidden, size.width) for name in ("gate", "up")},
        "mlp.down_proj": (size.width, size.hidden),
        "input_layernorm": (size.width,),
        "post_attention_layernorm": (size.width,),
    }
    table = (size.vocab, size.width)
    every = {"model.embed_tokens": table, "lm_head": table, "model.norm": (size.width,)}
    every |= {f"model.layers.{layer}.{name}": dims for layer in range(size.layers) for name, dims in shapes.items()}
    for name, dims in every.items():
        if len(dims) == 1:
            numbers = np.ones(dims, np.float32)
        else:
            numbers = random.standard_normal(dims, np.float32) * np.float32(dims[-1] ** -0.5)
        yield f"{name}.weight", numbers.astype(DType.of(dtype).numpy, copy=False)


def _config(size: Size, dtype: str) -> dict[str, Any]:
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": size.vocab,
        "hidden_size": size.width,
        "intermediate_size": size.hidden,
        "num_hidden_layers": size.layers,
        "num_attention_heads": size.heads,
        "num_key_value_heads": size.kv_heads,
        "max_position_embeddings": CONTEXT,
        "rms_norm_eps": 1e-5,
        "rope_theta": 10000.0,
        "hidden_act": "silu",
        "tie_word_embeddings": False,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "torch_dtype": _DTYPES[dtype],
    }


def _tokenizer(size: Size) -> dict[str, Any]:
    """Made-up words between spaces."""
    words = {f"t{number}": number for number in range(size.vocab)}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": words, "unk_token": "t0"},
    }
