"""Files that are not supported models: what they are, and what to do with them."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rlx.core.errors import RlxError

SAFE = "transformers' AutoModelForCausalLM.from_pretrained(folder).save_pretrained(new_folder) writes safetensors"
BEGINNINGS = {
    b"PK\x03\x04": ("a PyTorch checkpoint", f"pickled code is not run; {SAFE}"),
    b"\x80\x02": ("a PyTorch checkpoint of an earlier release", f"pickled code is not run; {SAFE}"),
    b"\x80\x04": ("a pickle", f"pickled code is not run; {SAFE}"),
    b"lmgg": ("a GGML file, from before GGUF", "download the model as GGUF"),
    b"tjgg": ("a GGJT file, from before GGUF", "download the model as GGUF"),
    b"fmgg": ("a GGMF file, from before GGUF", "download the model as GGUF"),
    b"24ka": ("a checkpoint of llama2.c", "llama2.c's export.py writes a Hugging Face folder with --hf"),
    b"\x89HDF": ("an HDF5 file", "download the model as safetensors"),
    b"\x1f\x8b": ("a gzip archive", "unpack it"),
    b"version https://git-lfs": ("a Git LFS pointer, not the file", "git lfs pull fetches the file"),
}
ENDINGS = {
    ".safetensors": ("a weights file without its config", "pass the folder, which also has config.json and tokenizer.json"),
    ".json": ("settings", "pass the folder they are in"),
    ".onnx": ("an ONNX model", "download the model as safetensors or GGUF"),
}
MERGE = "merge it into its model with peft's merge_and_unload(), and save that"
ADAPTERS = ("adapter_config.json", "adapter_model.safetensors", "adapter_model.bin")
OTHER_GGUF = {  # by general.type
    "adapter": ("a LoRA adapter", "merge it into its model with llama.cpp's llama-export-lora, which writes one file"),
    "mmproj": ("a projector for images", "pass the language model's file: RLX reads text models"),
    "imatrix": ("an importance matrix", "it is made for quantizing; pass the model's file"),
}
RUN_FILES = ("metrics.jsonl", "checkpoints", "model.safetensors")
PICKLED = ("pytorch_model*.bin", "*.pt", "*.pth", "consolidated*.pth")
ELSE = {"tf_model.h5": "TensorFlow", "flax_model.msgpack": "Flax", "model.onnx": "ONNX"}


def refuse_other_file(path: Path) -> None:
    """RLX702 for a file that is recognized as something else."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        begin = file.read(64)
    if begin.startswith(b"GGUF"):
        return
    found = next((what for start, what in BEGINNINGS.items() if begin.startswith(start)), None) or ENDINGS.get(path.suffix.lower())
    if found is None and _is_llama2c(begin, path.stat().st_size):
        found = BEGINNINGS[b"24ka"]
    if found is not None:
        raise RlxError("RLX702", f"{path} is {found[0]}", fix=f"{found[1]}; supported: GGUF files, Hugging Face folders", at=None)


def refuse_other_gguf(path: Path, metadata: Mapping[str, Any]) -> None:
    """RLX702 for a GGUF file that says it is not a model."""
    kind = metadata.get("general.type", "model")
    if kind == "model":
        return
    what, fix = OTHER_GGUF.get(str(kind), (f"of the type {kind!r:.40}", "pass the model's own file"))
    raise RlxError("RLX702", f"{path} is {what}, not a model (general.type is {kind!r:.40})", fix=fix, at=None)


def refuse_adapter(folder: Path, *, beside: bool) -> None:
    """RLX702 for a folder with a LoRA adapter, alone or `beside` a model, where transformers would apply it."""
    name = next((name for name in ADAPTERS if (folder / name).exists()), None)
    if name is None:
        return
    if not beside:
        raise RlxError("RLX702", f"{folder} is a LoRA adapter, not a model", fix=MERGE, at=None)
    message = f"{folder} has a LoRA adapter ({name}) beside its model; adapters are not applied"
    raise RlxError("RLX702", message, fix=f"{MERGE}; or move the adapter's files away to use the model without it", at=None)


def refuse_training_run(folder: Path) -> None:
    """RLX703 for the output of `rlx train`, as long as it is not finished."""
    if not (folder / "vocabulary.json").exists() or not any((folder / name).exists() for name in RUN_FILES):
        return
    message = f"{folder} is the output of `rlx train`, without a finished model: it has no config.json"
    fix = "`rlx train` with the run's file goes on where it stopped, and writes the model at its end"
    raise RlxError("RLX703", message, fix=fix, at=None)


def _is_llama2c(begin: bytes, size: int) -> bool:
    """Whether a file begins with llama2.c's seven sizes, and its length matches them."""
    if len(begin) < 28:
        return False
    sizes: tuple[int, ...] = struct.unpack_from("<7i", begin)
    width, inner, layers, heads, kv_heads, vocabulary, context = sizes
    if min(width, inner, layers, heads, kv_heads, abs(vocabulary), context) < 1 or width % heads:
        return False
    keys = width // heads * kv_heads
    numbers = abs(vocabulary) * width + layers * (2 * width + 2 * width * width + 2 * width * keys + 3 * width * inner) + width
    return numbers * 4 <= size <= (numbers + context * (width // heads) + abs(vocabulary) * width) * 4 + 28


def refuse_other_folder(folder: Path) -> None:
    """RLX702 for a folder without supported weights: names what it has instead."""
    if (folder / "model.safetensors").exists() or (folder / "model.safetensors.index.json").exists():
        return
    pickled = _names(folder, PICKLED)
    if pickled:
        message = f"{folder} has its weights only in {pickled[0]}, a PyTorch checkpoint"
        raise RlxError("RLX702", message, fix=f"pickled code is not run; {SAFE}", at=None)
    other = next(((name, what) for name, what in ELSE.items() if (folder / name).exists()), None)
    if other is not None:
        raise RlxError("RLX702", f"{folder} has only {other[0]}: {other[1]}", fix="download the model's model.safetensors", at=None)
    there = _names(folder, ("*.safetensors", "*"))[:6]
    message = f"{folder} has no model.safetensors and no model.safetensors.index.json; it has {', '.join(there) or 'nothing'}"
    raise RlxError("RLX703", message, fix="download the weights too, under these names", at=None)


def _names(folder: Path, patterns: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(path.name for pattern in patterns for path in sorted(folder.glob(pattern))))
