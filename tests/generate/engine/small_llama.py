"""A small Llama made in the test, with its matrices in any GGUF type."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rlx.core.quant_scheme import QuantScheme
from rlx.layouts.gguf_blocks import random_rows
from rlx.models import Model, Rope, Weight
from rlx.models.decoder import DecoderConfig
from rlx.models.llama import FAMILY
from rlx.runtime.session import Session
from tests.generate.tiny import VOCABULARY, TinySource

WIDTH, INNER, HEADS, KV_HEADS, HEAD_DIM, LAYERS = 256, 512, 4, 2, 64, 2


def small_llama(kind: str = "F32", *, options: dict[str, Any] | None = None, experts: int = 0, **config: Any) -> Model:
    """Random weights; vectors and the embedding table are f32."""
    random = np.random.default_rng(5)
    weights: dict[str, Weight] = {}

    def dense(name: str, *dims: int) -> None:
        numbers = random.standard_normal(dims) * (dims[-1] ** -0.5 if len(dims) > 1 else 0.1) + (len(dims) == 1)
        array = numbers.astype(np.float32)
        weights[name] = Weight(dims, None, lambda: array, array.nbytes)

    def matrix(name: str, *dims: int) -> None:
        if kind == "F32":
            dense(name, *dims)
            return
        array = random_rows(kind, *dims, seed=len(weights))
        weights[name] = Weight(dims, QuantScheme.gguf(kind), lambda: array, array.nbytes)

    dense("token_embd", VOCABULARY, WIDTH)
    for layer in range(LAYERS):
        for name, rows in (("q", HEADS), ("k", KV_HEADS), ("v", KV_HEADS)):
            matrix(f"blk.{layer}.attn_{name}", rows * HEAD_DIM, WIDTH)
        matrix(f"blk.{layer}.attn_output", WIDTH, HEADS * HEAD_DIM)
        dense(f"blk.{layer}.attn_norm", WIDTH)
        dense(f"blk.{layer}.ffn_norm", WIDTH)
        if experts:
            dense(f"blk.{layer}.ffn_gate_inp", experts, WIDTH)
        shapes = (("gate", INNER, WIDTH), ("up", INNER, WIDTH), ("down", WIDTH, INNER))
        for name, out, width in shapes:
            if experts:
                matrix(f"blk.{layer}.ffn_{name}_exps", experts, out, width)
            else:
                matrix(f"blk.{layer}.ffn_{name}", out, width)
    dense("output_norm", WIDTH)
    matrix("output", VOCABULARY, WIDTH)
    rope = Rope.make(HEAD_DIM, 10000.0, {}, context=1024)
    settings = DecoderConfig(
        "llama",
        LAYERS,
        WIDTH,
        VOCABULARY,
        1024,
        HEADS,
        KV_HEADS,
        HEAD_DIM,
        1e-5,
        rope,
        experts=experts,
        experts_used=2 if experts else 0,
    )
    return Model(
        TinySource(weights),  # type: ignore[arg-type]
        FAMILY,
        replace(settings, **config),
        Session("cpu"),
        options=options or {},
    )
