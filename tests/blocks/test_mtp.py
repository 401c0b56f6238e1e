"""The Qwen3.5 multi-token-prediction head against torch: both policies, batch above 1, symbolic sizes."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest
import torch

from rlx.core.enums import FusionPolicy
from rlx.core.errors import LowerError, RlxError
from rlx.core.shape import Shape
from rlx.ir.evaluate import evaluate_graph
from rlx.ir.verify import verify
from rlx.module import GraphModule, Qwen35MtpWeights
from tests.blocks.torch_models import mtp_row, tensors
from tests.ops.running import draw

HEADS, KV, SIZE, E, FFN, VOCAB, MTP, N_ROT, TABLE = 4, 2, 6, 10, 14, 30, 21, 4, 9
ATTRS: dict[str, Any] = {
    "num_heads": HEADS,
    "num_kv_heads": KV,
    "head_dim": SIZE,
    "n_rot": N_ROT,
    "n_embd": E,
    "n_ff": FFN,
    "mtp_vocab": MTP,
    "eps": 1e-4,
}
MATRICES = {
    "embed_w": (VOCAB, E),
    "eh_w": (2 * E, E),
    "q_gate_w": (E, HEADS * 2 * SIZE),
    "k_w": (E, KV * SIZE),
    "v_w": (E, KV * SIZE),
    "o_w": (HEADS * SIZE, E),
    "gate_w": (E, FFN),
    "up_w": (E, FFN),
    "down_w": (FFN, E),
    "lm_head_w": (E, MTP),
}


def arrays_of_head(beta: bool) -> dict[str, Any]:
    made = {}
    for index, field in enumerate(fields(Qwen35MtpWeights)):
        name = field.name
        dims = MATRICES.get(name, (SIZE,) if name.startswith(("q_norm", "k_norm")) else (E,))
        if beta or not name.endswith("_b"):
            made[name] = draw(dims, seed=index, low=-0.6, high=0.6)
    return made | {"cos": draw((TABLE, N_ROT // 2), seed=70), "sin": draw((TABLE, N_ROT // 2), seed=71)}


@pytest.mark.parametrize("policy", [FusionPolicy.Direct, FusionPolicy.Fusable])
@pytest.mark.parametrize("beta", [True, False])
@pytest.mark.parametrize("symbolic", [True, False])
@pytest.mark.parametrize("seq", [7, 1])
def test_head_is_torch(policy: FusionPolicy, beta: bool, symbolic: bool, seq: int) -> None:
    arrays = arrays_of_head(beta)
    module = GraphModule.hir("mtp").with_fusion_policy(policy)
    dims: tuple[Any, Any] = ("batch", "seq") if symbolic else (3, seq)
    hidden, ids = module.input("h", (*dims, E)), module.input("ids", dims, "i32")
    last = module.input("last", dims[:1], "i32")
    if symbolic:
        module.assume(hidden.shape[1] <= TABLE)  # type: ignore[operator]
    params = {name: module.param(name, array.shape) for name, array in arrays.items()}
    packed = Qwen35MtpWeights(**{field.name: params.get(field.name) for field in fields(Qwen35MtpWeights)})
    first = (hidden, ids, params["cos"], params["sin"], last)
    y = module.qwen35_mtp_head(*first, weights=packed, **ATTRS)
    assert y.type == Shape((dims[0], 1, MTP))
    assert module.qwen35_mtp_head(*first, *packed.inputs(), **ATTRS).type == y.type
    module.set_outputs({"y": y})
    graph = module.into_graph()
    verify(graph, "mir")
    x, tokens = draw((3, seq, E), seed=80), draw((3, seq), "i32", 0, VOCAB - 1, seed=81)
    places = np.array([seq - 1, 0, -1], np.int32)
    found = evaluate_graph(
        graph, {"h": x, "ids": tokens, "last": places, **arrays}, {"batch": 3, "seq": seq} if symbolic else None
    )["y"]
    t = dict.fromkeys(field.name for field in fields(Qwen35MtpWeights)) | tensors(arrays)
    for b in range(3):
        row = (torch.tensor(x[b].astype(np.float64)), torch.tensor(tokens[b]).long(), int(places[b]) % seq)
        wanted = mtp_row(*row, t, t["cos"], t["sin"], HEADS, KV, SIZE, 1e-4)
        np.testing.assert_allclose(found[b, 0], wanted, atol=2e-4)


def test_messages() -> None:
    arrays = arrays_of_head(True)
    module = GraphModule.hir("mtp")
    params = {name: module.param(name, array.shape) for name, array in arrays.items()}
    packed = Qwen35MtpWeights(**{field.name: params[field.name] for field in fields(Qwen35MtpWeights)})
    hidden, ids, last = (module.input("h", (2, 3, E)), module.input("ids", (2, 3), "i32"), module.input("last", (2,), "i32"))
    first = (hidden, ids, params["cos"], params["sin"], last)
    with pytest.raises(LowerError) as raised:
        module.qwen35_mtp_head(*first, *packed.inputs()[:-1], **ATTRS)
    assert (raised.value.op, raised.value.expected, raised.value.got) == ("qwen35_mtp_head", 29, 28)
    with pytest.raises(RlxError, match=r"lm_head_w is f32\[10, 21\], expected \[10, 22\]"):
        module.qwen35_mtp_head(*first, weights=packed, **{**ATTRS, "mtp_vocab": 22})
    with pytest.raises(RlxError, match="4 query heads on 3 kv heads"):
        module.qwen35_mtp_head(*first, weights=packed, **{**ATTRS, "num_kv_heads": 3})
    with pytest.raises(RlxError, match=r"last_token_idx is i32\[2, 3\]"):
        module.qwen35_mtp_head(*first[:4], ids, weights=packed, **ATTRS)
