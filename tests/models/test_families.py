"""Each family against transformers: all logits of ragged batches, of prompts in chunks, and of tokens one by one; from both formats."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path

import gguf
import numpy as np
import pytest
import torch

from rlx.core.quant_scheme import QuantScheme
from rlx.formats.gguf_writer import QuantizedTensor
from tests.models.convert import to_gguf
from tests.models.running import TOLERANCE, Running, close, llama_cpp, normalized
from tests.models.tiny_models import CONFIGS, logits, reference, save, token_ids

LENGTHS = (31, 18, 1)
MORE = 4


@pytest.fixture(scope="module", params=list(CONFIGS))
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    yield Running.of(reference(request.param), save(request.param, tmp_path_factory.mktemp("folder")))


def test_ragged_batch_then_token_by_token(running: Running) -> None:
    """Rows of three lengths at once, padded at the end, then four tokens more for each."""
    ids = token_ids(len(LENGTHS), max(LENGTHS) + MORE)
    running.fresh(len(LENGTHS))
    found = running.feed(running.prefill, ids[:, : max(LENGTHS)], [0, 0, 0], LENGTHS)
    following = []
    for step in range(MORE):
        tokens = [[ids[row, length + step]] for row, length in enumerate(LENGTHS)]
        following.append(running.feed(running.decode, tokens, np.array(LENGTHS) + step, [1, 1, 1]))
    for row, length in enumerate(LENGTHS):
        expected = logits(running.oracle, ids[row, : length + MORE], [length] + [1] * MORE)
        assert np.abs(expected).max() > 0.5
        close(found[row, :length], expected[:length])
        close(np.stack([step[row] for step in following]), expected[length:])


def test_prompt_in_chunks(running: Running) -> None:
    """Chunks of several sizes, the last one padded."""
    ids, chunks, start = token_ids(1, 37, seed=1), (11, 1, 16, 9), 0
    expected = logits(running.oracle, ids[0], chunks)
    running.fresh(1)
    for size in chunks:
        padded = np.pad(ids[:, start : start + size], ((0, 0), (0, 3)))
        close(running.feed(running.prefill, padded, [start], [size])[0, :size], expected[start : start + size])
        start += size


# what a GGUF file cannot say: dynamic scaling, a window in some layers only, experts' weights that do not sum to 1
GGUF_NAMES = [name for name in CONFIGS if name not in ("llama dynamic", "qwen2 windows", "qwen3moe, one dense layer")]


@pytest.mark.parametrize("name", GGUF_NAMES)
def test_gguf(name: str, tmp_path: Path) -> None:
    """The same model as a GGUF file; llama.cpp reads that file as we do."""
    to_gguf(save(name, tmp_path / "folder"), tmp_path / "model.gguf")
    running = Running.of(reference(name), tmp_path / "model.gguf", decodes=False)
    ids, chunks = token_ids(1, 30, seed=2), (26, 1, 1, 1, 1)
    expected = logits(running.oracle, ids[0], chunks)
    running.fresh(1)
    close(running.feed(running.prefill, ids[:, :26], [0], [26])[0], expected[:26])
    for place in range(26, 30):
        close(running.feed(running.prefill, ids[:, place : place + 1], [place], [1])[0], expected[place : place + 1])
    if name != "mistral":  # llama.cpp has no window there
        by_table = name.startswith(("gemma", "gpt2"))  # its gelu is a table in f16
        close(normalized(expected[25]), llama_cpp(tmp_path / "model.gguf", ids[0, :26]), 2e-2 if by_table else TOLERANCE)


@pytest.mark.parametrize(("name", "mode"), [("llama", "fast"), ("mixtral", "exact"), ("gpt2", "exact")])
def test_bf16_folder(name: str, mode: str, tmp_path: Path) -> None:
    """Matrices stored in bf16 are computed with as they are; the oracle has the same numbers in f32."""
    oracle = copy.deepcopy(reference(name))
    for parameter in oracle.parameters():  # not the frequencies of rope, which are not stored
        parameter.data = parameter.data.to(torch.bfloat16).float()
    running = Running.of(oracle, save(name, tmp_path, torch.bfloat16), decodes=False, quant_mode=mode)
    ids = token_ids(1, 12, seed=3)
    running.fresh(1)
    close(running.feed(running.prefill, ids, [0], [12])[0], logits(oracle, ids[0], [12]), TOLERANCE if mode == "exact" else 1e-3)


@pytest.mark.parametrize("mode", ["exact", "fast"])
def test_quantized_experts(mode: str, tmp_path: Path) -> None:
    """Experts, their router and the table in 8 bits: the oracle has the numbers they stand for."""
    kind = gguf.GGMLQuantizationType.Q8_0
    oracle = copy.deepcopy(reference("mixtral"))
    for parameter in oracle.parameters():
        if parameter.ndim > 1:
            parameter.data = torch.tensor(gguf.quants.dequantize(gguf.quants.quantize(parameter.detach().numpy(), kind), kind))
    oracle.save_pretrained(tmp_path)
    to_gguf(
        tmp_path,
        tmp_path / "model.gguf",
        lambda name, array: QuantizedTensor(QuantScheme.gguf("Q8_0"), gguf.quants.quantize(array, kind)),
    )
    running = Running.of(oracle, tmp_path / "model.gguf", decodes=False, quant_mode=mode)
    ids, chunks = token_ids(1, 12, seed=4), (11, 1)
    expected = logits(oracle, ids[0], chunks)
    running.fresh(1)
    first, last = (
        running.feed(running.prefill, ids[:, :11], [0], [11])[0],
        running.feed(running.prefill, ids[:, 11:], [11], [1])[0],
    )
    found = np.concatenate([first, last])
    if mode == "exact":
        close(found, expected)
    else:  # activations are rounded to 8 bits: about 1 % of a standard deviation, except where that changes a token's experts
        assert np.median(np.abs(found - expected)) < 0.03 * expected.std()
