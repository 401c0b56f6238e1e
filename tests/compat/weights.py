"""Weights of the two whole-layer blocks, with the shapes they are declared by."""

from __future__ import annotations

from typing import Any

from tests.compat.running import draw

HEADS, SIZE, E, FF, S, V = 2, 4, 8, 6, 5, 7
LLAMA = {
    "x": (1, S, E),
    "ln1_g": (E,),
    "ln1_b": (E,),
    **dict.fromkeys(("q_w", "k_w", "v_w", "o_w"), (E, E)),
    "ln2_g": (E,),
    "ln2_b": (E,),
    "gate_w": (E, FF),
    "up_w": (E, FF),
    "down_w": (FF, E),
    "cos": (S, SIZE // 2),
    "sin": (S, SIZE // 2),
}
MTP = {
    "h_pre_norm": (1, S, E),
    "input_ids": (1, S),
    "cos": (S, SIZE // 2),
    "sin": (S, SIZE // 2),
    "last_token_idx": (1,),
    "embed_w": (V, E),
    **{f"{name}_{part}": (E,) for name in ("hnorm", "enorm") for part in "wb"},
    "eh_w": (2 * E, E),
    "fa_attn_norm_w": (E,),
    "fa_attn_norm_b": (E,),
    "fa_q_gate_w": (E, 2 * E),
    "fa_k_w": (E, E),
    "fa_v_w": (E, E),
    **{f"fa_{name}_norm_{part}": (SIZE,) for name in "qk" for part in "wb"},
    "fa_o_w": (E, E),
    "fa_post_norm_w": (E,),
    "fa_post_norm_b": (E,),
    "fa_gate_w": (E, FF),
    "fa_up_w": (E, FF),
    "fa_down_w": (FF, E),
    "head_norm_w": (E,),
    "head_norm_b": (E,),
    "lm_head_w": (E, V),
}


def arrays(shapes: dict[str, tuple[int, ...]]) -> dict[str, Any]:
    """Numbers for each; β of a norm are zero, ids are positions."""
    found: dict[str, Any] = {}
    for seed, (name, dims) in enumerate(shapes.items()):
        found[name] = draw(*dims, seed=seed) * (0 if name.endswith("_b") else 1)
    if "input_ids" in found:
        found |= {"input_ids": (draw(1, S) * 0 + range(S)).astype("i4"), "last_token_idx": draw(1).astype("i4") * 0 + 3}
    return found
