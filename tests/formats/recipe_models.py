"""Models for recipes: names and dims of tensors, and the metadata that rules ask for."""

import re
from itertools import groupby

MODELS = {
    "plain": {"layers": 19, "width": 256, "value": 256, "inner": 256},
    "shared values, tied": {"layers": 8, "width": 256, "value": 64, "inner": 512, "tied": True},
    "odd rows": {"layers": 9, "width": 160, "value": 80, "inner": 256},
    "eight experts": {"layers": 8, "width": 256, "value": 128, "inner": 256, "experts": 8},
    "four experts": {"layers": 17, "width": 256, "value": 64, "inner": 256, "experts": 4},
    "eighty layers": {"layers": 80, "width": 256, "value": 32, "inner": 256},
}


def model_tensors(layers, width, value, inner, experts=0, tied=False):
    """Metadata, and dims by name."""
    heads = 8
    metadata = {
        "general.architecture": "llama",
        "llama.block_count": layers,
        "llama.context_length": 128,
        "llama.embedding_length": width,
        "llama.feed_forward_length": inner,
        "llama.attention.head_count": heads,
        "llama.attention.head_count_kv": heads * value // width,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "llama.rope.dimension_count": width // heads,
        "llama.vocab_size": 64,
        "tokenizer.ggml.model": "no_vocab",
    }
    if experts:
        metadata |= {"llama.expert_count": experts, "llama.expert_used_count": 2}
    dims = {"token_embd.weight": (64, width), "output_norm.weight": (width,)}
    if not tied:
        dims["output.weight"] = (64, width)
    stack, suffix = ((experts,), "_exps") if experts else ((), "")
    for layer in range(layers):
        inside = {
            "attn_norm": (width,),
            "attn_q": (width, width),
            "attn_k": (value, width),
            "attn_v": (value, width),
            "attn_output": (width, width),
            "ffn_norm": (width,),
            f"ffn_gate{suffix}": (*stack, inner, width),
            f"ffn_up{suffix}": (*stack, inner, width),
            f"ffn_down{suffix}": (*stack, width, inner),
        }
        if experts:
            inside["ffn_gate_inp"] = (experts, width)
        dims |= {f"blk.{layer}.{name}.weight": size for name, size in inside.items()}
    return metadata, dims


def grouped(types):
    """Types by name without the layer, as runs over the layers: `Q6_K*2 Q4_K*6`."""
    found = {}
    for name, kind in types.items():
        found.setdefault(re.sub(r"^blk\.\d+\.|\.weight$", "", name), []).append(kind)
    return {name: " ".join(f"{kind}*{len(list(run))}" for kind, run in groupby(kinds)) for name, kinds in sorted(found.items())}
