"""/v1/completions through OpenAI's client: texts and ids, several prompts, echo, the older logprobs."""

from __future__ import annotations

import pytest

from tests.generate.tiny import attention_logits, greedy

openai_package = pytest.importorskip("openai")


def text_of(ids) -> str:
    return bytes(number if number < 256 else 63 for number in ids).decode("utf-8", "replace")


def ask(client, prompt="abc", model="tiny", **settings):
    return client.completions.create(model=model, prompt=prompt, **settings)


def test_it_is_greedy_by_default_and_ends_after_16_tokens(openai):
    found = ask(openai, extra_body={"ignore_eos": True})
    wanted = greedy(attention_logits, list(b"abc"), 16)
    assert found.usage.completion_tokens == 16 and found.choices[0].finish_reason == "length"
    assert found.choices[0].text == ask(openai, prompt=list(b"abc"), extra_body={"ignore_eos": True}).choices[0].text
    if all(number < 256 for number in wanted):
        assert found.choices[0].text == text_of(wanted)


@pytest.mark.parametrize("stream", [False, True])
def test_several_prompts_and_texts(openai, stream):
    prompts = ["one", [2, 3], "three"]
    each = [ask(openai, prompt=prompt, max_tokens=5).choices[0].text for prompt in prompts]
    made = ask(openai, prompt=prompts, n=2, max_tokens=5, stream=stream)
    if stream:
        texts = dict.fromkeys(range(6), "")
        for chunk in made:
            for choice in chunk.choices:
                texts[choice.index] += choice.text
        found = list(texts.values())
    else:
        found = [choice.text for choice in made.choices]
        assert made.usage.prompt_tokens == 3 + 2 + 5
    assert found == [text for text in each for _ in range(2)]


@pytest.mark.parametrize("stream", [False, True])
def test_echo(openai, stream):
    made = ask(openai, model="echo", prompt="Hello ", echo=True, max_tokens=3, stream=stream)
    text = "".join(chunk.choices[0].text for chunk in made) if stream else made.choices[0].text
    assert text == "Hello Hel"


def test_logprobs(openai):
    for stream in (False, True):
        made = ask(openai, max_tokens=3, logprobs=2, stream=stream, extra_body={"ignore_eos": True})
        choices = [choice for chunk in made for choice in chunk.choices] if stream else made.choices
        parts = [choice.logprobs for choice in choices if choice.logprobs]
        tokens = [token for part in parts for token in part.tokens]
        assert len(tokens) == 3
        assert all(len(top) == 2 for part in parts for top in part.top_logprobs)
    logits = attention_logits(list(b"abc"))[-1]
    assert parts[0].token_logprobs[0] == pytest.approx(logits.max() - _logsumexp(logits), abs=1e-4)


def read(made, stream):
    """The four lists and the text of each choice."""
    found = {}
    for choice in (choice for chunk in made for choice in chunk.choices) if stream else made.choices:
        text, lists = found.get(choice.index, ("", {}))
        for name, part in choice.logprobs.model_dump().items() if choice.logprobs else ():
            lists.setdefault(name, []).extend(part)
        found[choice.index] = text + choice.text, lists
    return [found[place] for place in sorted(found)]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("ids", [False, True])
@pytest.mark.parametrize("most", [0, 1])
def test_echo_with_logprobs_scores_a_text(openai, stream, ids, most):
    """As lm-eval asks: contexts with their continuations, as texts or ids, of which one more token is written, or none."""
    texts = ["abcd, efg", "hello world", "x"]
    prompts = [list(text.encode()) for text in texts] if ids else texts
    made = ask(openai, prompt=prompts, echo=True, logprobs=1, max_tokens=most, temperature=0, stream=stream)
    for text, (echoed, lists) in zip(texts, read(made, stream), strict=True):
        assert echoed.startswith(text) and len(lists["tokens"]) == len(text) + most
        assert lists["text_offset"][: len(text)] == list(range(len(text)))
        assert lists["token_logprobs"][0] is None and lists["top_logprobs"][0] is None
        logits = attention_logits(list(text.encode()))
        for place in range(1, len(text)):
            row = logits[place - 1] - _logsumexp(logits[place - 1])
            assert lists["tokens"][place] == text[place]
            assert lists["token_logprobs"][place] == pytest.approx(row[ord(text[place])], abs=2e-4)
            assert list(lists["top_logprobs"][place].values()) == pytest.approx([row.max()], abs=2e-4)


def test_an_end_token_is_in_what_is_scored(openai):
    """Whoever scores drops the last token, which was written: an end counts as one."""
    settings = {"max_tokens": 1, "logit_bias": {"256": 100}, "logprobs": 1}
    made = ask(openai, prompt="abc", echo=True, **settings)
    assert made.choices[0].text == "abc" and made.choices[0].logprobs.tokens == ["a", "b", "c", "<eos>"]
    assert ask(openai, prompt="abc", **settings).choices[0].logprobs is None


def test_prompt_logprobs_in_vllms_words(openai):
    made = ask(openai, prompt=["abc", "de"], max_tokens=1, extra_body={"prompt_logprobs": 2})
    logits = attention_logits(list(b"abc"))[0]
    best = sorted(range(len(logits)), key=lambda token: -logits[token])[:2]
    first, second, third = made.choices[0].model_extra["prompt_logprobs"]
    assert first is None and len(made.choices[1].model_extra["prompt_logprobs"]) == 2
    assert set(second) == {str(token) for token in {*best, ord("b")}}
    assert [second[str(token)]["rank"] for token in best] == [1, 2]
    assert second[str(ord("b"))]["decoded_token"] == "b"
    assert second[str(ord("b"))]["logprob"] == pytest.approx(logits[ord("b")] - _logsumexp(logits), abs=2e-4)
    assert len(third) in (2, 3) and made.choices[0].logprobs is None
    with pytest.raises(openai_package.BadRequestError, match="cannot be combined with stream"):
        ask(openai, prompt="abc", stream=True, extra_body={"prompt_logprobs": 2})


def _logsumexp(logits):
    from scipy.special import logsumexp

    return float(logsumexp(logits))


def test_usage_of_a_stream(openai):
    chunks = list(ask(openai, max_tokens=4, stream=True, stream_options={"include_usage": True}))
    assert chunks[-1].usage.completion_tokens <= 4 and chunks[-1].choices == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"prompt": []}, {"prompt": [300]}, {"prompt": ["a", 3]}, {"prompt": ""}, {"best_of": 3}, {"suffix": "x"},
        {"extra_body": {"prompt_logprobs": 21}}, {"logprobs": 21}, {"n": 0}, {"prompt": ["a"] * 65}, {"prompt": "x" * 300},
        {"prompt": [[]]}, {"extra_body": {"top_a": 1}}, {"prompt": [-1]},
    ],
)  # fmt: skip
def test_what_cannot_be_obeyed_is_refused(openai, wrong):
    with pytest.raises(openai_package.BadRequestError):
        ask(openai, **wrong)
