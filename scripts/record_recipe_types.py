"""Record which types llama.cpp gives the tensors of a few small models: tests/formats/recipe_types.json.

python scripts/record_recipe_types.py            (needs llama-cpp-python; figures are of release 0.3.36)
"""

from __future__ import annotations

import ctypes
import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

import gguf
import llama_cpp

from rlx.formats.gguf_recipes import RECIPES
from rlx.formats.gguf_writer import write_gguf
from tests.formats.recipe_models import MODELS, grouped, model_tensors


def types(source: Path, out: Path, file_type: int) -> dict[str, str]:
    """What llama.cpp's own quantizer writes, in the order of layers."""
    settings = llama_cpp.llama_model_quantize_default_params()
    settings.ftype = file_type
    if llama_cpp.llama_model_quantize(str(source).encode(), str(out).encode(), ctypes.byref(settings)):
        raise SystemExit(f"llama.cpp refuses file type {file_type} for {source}")
    found = {tensor.name: tensor.tensor_type.name for tensor in gguf.GGUFReader(out).tensors}
    return {
        name: found[name] for name in sorted(found, key=lambda name: [int(digits) for digits in re.findall(r"^blk\.(\d+)\.", name)])
    }


def main() -> None:
    """All models and recipes."""
    recorded: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for model, sizes in MODELS.items():
            metadata, tensors = model_tensors(**sizes)
            source, out = Path(folder) / "source.gguf", Path(folder) / "out.gguf"
            write_gguf(source, metadata, {name: np.ones(dims, np.float32) for name, dims in tensors.items()})
            recorded[model] = {name: grouped(types(source, out, recipe.file_type)) for name, recipe in RECIPES.items()}
    lines = [
        f"{json.dumps(model)}: {{\n"
        + ",\n".join(f"{json.dumps(name)}: {json.dumps(found)}" for name, found in recipes.items())
        + "\n}"
        for model, recipes in recorded.items()
    ]
    (ROOT / "tests/formats/recipe_types.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
