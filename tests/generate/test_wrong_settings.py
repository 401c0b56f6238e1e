"""Settings and prompts as a new user may get them wrong: an error that names the setting, what came, what it takes, and the user's line."""

import numpy as np
import pytest

from rlx import RlxError
from rlx.generate import Sampling
from rlx.generate.api import LanguageModel
from tests.generate.tiny import attention_model

WRONG_SETTINGS = [
    {"temperature": "hot"},
    {"temperature": None},
    {"temperature": -1},
    {"temperature": float("nan")},
    {"temperature": True},
    {"temperature": [0.5]},
    {"temperature": 1j},
    {"top_k": 1.5},
    {"top_k": "5"},
    {"top_k": -1},
    {"top_k": None},
    {"top_k": float("inf")},
    {"top_p": 0},
    {"top_p": 1.5},
    {"top_p": "0.9"},
    {"top_p": np.array([0.5, 0.6])},
    {"min_p": -0.1},
    {"min_p": "x"},
    {"repetition_penalty": 0},
    {"repetition_penalty": "1"},
    {"presence_penalty": float("inf")},
    {"frequency_penalty": "a"},
    {"penalty_window": 1.5},
    {"penalty_window": -1},
    {"max_tokens": "5"},
    {"max_tokens": 2.5},
    {"max_tokens": -1},
    {"max_tokens": True},
    {"seed": -1},
    {"seed": 1.5},
    {"seed": "1"},
    {"seed": True},
    {"logprobs": "yes"},
    {"logprobs": 1},
    {"ignore_eos": None},
    {"top_logprobs": "3"},
    {"prompt_logprobs": -1},
    {"prompt_logprobs": True},
    {"top_logprobs": -1},
    {"stop": 5},
    {"stop": [""]},
    {"stop": [5]},
    {"stop": b"x"},
    {"stop": None},
    {"stop_ids": 5},
    {"stop_ids": "5"},
    {"stop_ids": [1.5]},
    {"stop_ids": [-1]},
    {"stop_ids": ["a"]},
    {"logit_bias": [1]},
    {"logit_bias": {"a": 1}},
    {"logit_bias": {1: "x"}},
    {"logit_bias": {1: float("nan")}},
    {"logit_bias": {-1: 1.0}},
    {"logit_bias": None},
]


@pytest.mark.parametrize("settings", WRONG_SETTINGS, ids=str)
def test_a_wrong_setting_is_named_with_the_users_line(settings) -> None:
    ((name, _),) = settings.items()
    for make in (Sampling, Sampling().with_settings):
        with pytest.raises(RlxError) as caught:
            make(**settings)
        assert caught.value.code == "RLX902"
        assert name in str(caught.value) or (name == "stop" and "stop string" in str(caught.value))
        assert caught.value.location is not None and caught.value.location.file == __file__, str(caught.value)


def test_numbers_of_numpy_and_whole_floats_are_taken() -> None:
    found = Sampling(
        temperature=np.float32(0.5), top_k=np.int64(3), max_tokens=4.0, seed=np.uint32(7), logit_bias={np.int32(3): -np.inf}
    )
    assert (found.temperature, found.top_k, found.max_tokens, found.seed) == (0.5, 3, 4, 7)
    assert found.logit_bias == {3: -np.inf} and isinstance(found.max_tokens, int) and isinstance(found.top_k, int)


def test_a_misspelled_setting_names_the_one_that_is_meant() -> None:
    with pytest.raises(RlxError, match="did you mean 'temperature'"):
        Sampling().with_settings(temprature=1.0)


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    tiny = attention_model()
    return LanguageModel(tiny.source, tiny.family, tiny.config, tiny.session)


WRONG_PROMPTS = {
    "a fraction": [1.5],
    "a bool": [True, False],
    "a negative id": [-1],
    "an id beyond the vocabulary": [10_000],
    "nothing": "",
    "no ids": [],
    "none": None,
    "a number": 5,
    "bytes": b"abc",
    "a dict": {"a": 1},
    "texts and numbers": ["a", 1],
    "a lone surrogate": "a\ud800b",
    "a lone surrogate in a list": ["a", "\udc00"],
    "an array of two axes": np.ones((2, 2), np.int32),
    "floats in an array": np.ones(3),
    "a list with none": [None],
    "a list with an empty list": [[]],
}


@pytest.mark.parametrize("case", WRONG_PROMPTS)
def test_a_prompt_that_is_none(model, case) -> None:
    with pytest.raises(RlxError) as caught:
        model.generate(WRONG_PROMPTS[case], max_tokens=1)
    assert caught.value.code == "RLX903", str(caught.value)


def test_ids_come_as_lists_tuples_and_arrays(model) -> None:
    wanted = model.generate([65, 66], max_tokens=3).ids
    assert model.generate((65, 66), max_tokens=3).ids == wanted
    assert model.generate(np.array([65, 66], np.int64), max_tokens=3).ids == wanted
    assert [one.ids for one in model.generate([[65, 66], "AB"], max_tokens=3)] == [wanted, wanted]


@pytest.mark.parametrize("messages", [[{"role": "user", "content": "a\ud800"}], "\udfff", [], [5], None, 5])
def test_a_conversation_that_is_none(model, messages) -> None:
    with pytest.raises(RlxError) as caught:
        model.chat(messages, max_tokens=1)
    assert caught.value.code == "RLX903", str(caught.value)


@pytest.mark.parametrize("overflow", ["no", None, 5, ["error"]])
def test_an_overflow_policy_that_is_none(model, overflow) -> None:
    with pytest.raises(RlxError, match="overflow") as caught:
        model.generate("a", max_tokens=1, overflow=overflow)
    assert caught.value.code == "RLX902"
