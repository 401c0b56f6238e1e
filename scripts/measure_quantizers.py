"""Measure the quantizers: the error each GGUF type leaves, beside llama.cpp's own where its library is given, and the speed.

    python scripts/measure_quantizers.py [path/to/libggml-base.so]

The library is part of the PyPI package llama-cpp-python (llama_cpp/lib); figures of release 0.3.36 are in tests/formats/test_quantizers.py
and docs/gguf.md. Errors are relative: the root of Σ(x - stored)² / Σx².
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import gguf

from rlx.core.quant_scheme import QuantScheme
from rlx.formats.quantizers import WRITTEN, quantize_rows
from rlx.runtime.threads import set_threads
from tests.formats.quantizer_samples import relative_error, samples

Quantizer = Callable[[str, Any], Any]


def ggml_quantizer(library: str) -> Quantizer:
    """llama.cpp's quantizer, without an importance matrix."""
    ggml = ctypes.CDLL(library)
    ggml.ggml_quantize_chunk.restype = ctypes.c_size_t
    ggml.ggml_quantize_chunk.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * 3, ctypes.c_void_p]

    def quantize(name: str, x: Any) -> Any:
        scheme, number = QuantScheme.gguf(name), int(gguf.GGMLQuantizationType[name])
        out = np.zeros((len(x), x.shape[1] // scheme.block_size() * scheme.block_bytes()), np.uint8)
        ggml.ggml_quantize_init(number)
        assert ggml.ggml_quantize_chunk(number, x.ctypes.data, out.ctypes.data, 0, len(x), x.shape[1], None) == out.nbytes
        return out

    return quantize


def speed(name: str, quantize: Quantizer, x: Any) -> float:
    """Millions of weights in a second of one core, the best of three: CPU time, so that a busy machine counts little."""
    best = np.inf
    for _ in range(3):
        start = time.process_time()
        quantize(name, x)
        best = min(best, time.process_time() - start)
    return float(x.size / best / 1e6)


def main() -> None:
    """Print a row for each type."""
    set_threads(1)
    theirs = ggml_quantizer(sys.argv[1]) if len(sys.argv) > 1 else None
    sources = samples()
    large = np.random.default_rng(0).standard_normal((512, 2048)).astype(np.float32)
    columns = [f"{source}: ours" + (" theirs ratio" if theirs else "") for source in sources]
    print("type bits |", " | ".join(columns), "| M weights/s of a core: ours" + (" theirs" if theirs else ""))
    for name in WRITTEN:
        cells = []
        for x in sources.values():
            ours = relative_error(name, x, quantize_rows(name, x))
            other = relative_error(name, x, theirs(name, x)) if theirs else np.nan
            cells.append(f"{ours:.5f}" + (f" {other:.5f} {ours / other if other else 1:.3f}" if theirs else ""))
        speeds = f"{speed(name, quantize_rows, large):.0f}" + (f" {speed(name, theirs, large):.0f}" if theirs else "")
        print(f"{name:7} {QuantScheme.gguf(name).bits_per_element():.3f} |", " | ".join(cells), "|", speeds, flush=True)


if __name__ == "__main__":
    main()
