"""The suites, by the name given on the command line.

Each name is a module here with a function `workloads(settings)` that yields them one at a time. Nothing is imported
before a suite is imported: the libraries read their thread counts when they load.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench.harness import Settings, Workload

SUITES = {
    "gemm": "matrix products of f32, large, small, thin and odd",
    "llama": "a Llama of 28 M weights, prefill and decode",
    "encoder": "a sentence encoder of MiniLM's shape, batch 1 and 8",
    "gguf": "whole models from GGUF files against llama.cpp, prefill and decode",
    "speculative": "speculative decoding against plain decoding of the same model",
    "serve": "many clients of one model against llama.cpp's server: throughput and latencies",
    "packed": "products with GGUF weights of 4096 x 4096, one row and 128",
    "bytes": "i8 products with i32 accumulators, against f32",
    "conv": "the layers of ResNet-50 and ConvNeXt-T, batch 1 and 8",
    "region": "softmax, layer norm and gelu on 64 MB, outputs reused",
    "train": "a training step of that Llama, 8 rows of 128 tokens, AdamW",
    "linalg": "cholesky, solve and qr, 64 to 1024, f32 and f64",
    "scan": "a selective scan and a gated delta net of 1024 steps",
    "functions": "the steps of examples/jax_ports, cold and warm, and eager a + b",
    "xla": "the device xla against the same Llama written in JAX",
    "compile": "from tracing to the first call, cold and from disk",
}


def workloads(suite: str, settings: Settings) -> Iterator[Workload]:
    """The workloads of a suite, each built on demand."""
    return importlib.import_module(f"bench.suites.{suite}").workloads(settings)
