"""A small model running: its two graphs, and llama.cpp as another reader of the same file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from rlx.core.dim import Dim
from rlx.models import Model, Shapes, open_model
from tests.models.tiny_models import CONTEXT, VOCABULARY

TOLERANCE = 1e-4
BATCH, SEQ, CAPACITY = Dim("batch", max=4), Dim("seq", max=CONTEXT), Dim("capacity", max=CONTEXT)
PREFILL = Shapes(batch=BATCH, seq=SEQ, capacity=CAPACITY, logits="all")
DECODE = Shapes(batch=BATCH, seq=1, capacity=CAPACITY)


@dataclass
class Running:
    """A model with the two graphs of generation."""

    oracle: Any
    model: Model
    prefill: Any
    decode: Any = None

    @staticmethod
    def of(oracle: Any, path: Path, *, decodes: bool = True, **options: Any) -> Running:
        model = open_model(path, options=options)
        return Running(oracle, model, model.compile(PREFILL), model.compile(DECODE) if decodes else None)

    def feed(self, graph: Any, tokens: Any, start: Any, count: Any) -> npt.NDArray[Any]:
        """One run of a graph."""
        inputs = {"tokens": tokens, "start": start, "count": count}
        found: npt.NDArray[Any] = graph(**{name: np.asarray(value, np.int32) for name, value in inputs.items()})
        return found

    def fresh(self, batch: int) -> None:
        self.model.session.init_state(batch=batch, capacity=CONTEXT)


def close(got: npt.NDArray[Any], expected: npt.NDArray[Any], tolerance: float = TOLERANCE) -> None:
    np.testing.assert_allclose(got, expected, rtol=0, atol=tolerance)


def normalized(row: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Logarithms of probabilities."""
    return row - np.log(np.exp(row.astype(np.float64)).sum())


def llama_cpp(path: Path, ids: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """llama.cpp's logarithms of the next token's probabilities, computed in f32 throughout."""
    library = pytest.importorskip("xllamacpp")
    params = library.CommonParams()
    params.model.path, params.n_ctx, params.n_parallel, params.warmup, params.verbosity = (str(path), CONTEXT, 1, False, 0)
    params.cpuparams.n_threads, params.no_extra_bufts = 1, True
    params.cache_type_k = params.cache_type_v = library.ggml_type.GGML_TYPE_F32
    params.flash_attn_type = library.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    request = {"prompt": ids.tolist(), "n_predict": 1, "temperature": 0.0, "n_probs": VOCABULARY, "cache_prompt": False}
    answer = library.Server(params).handle_completions(request)
    scores = {entry["id"]: entry["logprob"] for entry in answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"]}
    return np.array([scores[number] for number in range(VOCABULARY)])
