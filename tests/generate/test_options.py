"""Options that do not exist or cannot be: refused at once, by name, before a file is opened or a text tokenized."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rlx
from rlx.core.errors import RlxError
from rlx.formats.tokenizer import Tokenizer
from rlx.generate import Engine
from rlx.generate.api import LanguageModel
from tests.generate.engine.small_llama import small_llama
from tests.generate.test_engine import TEMPLATE, ids_of
from tests.generate.tiny import CONTEXT, VOCABULARY, attention_logits, attention_model, byte_tokenizer, greedy

LOAD = [
    ({"lora": "x"}, "load_model has no option 'lora'"),
    ({"lora": "x", "banana": 3}, "load_model has no option 'lora'"),
    ({"quant_mod": "exact"}, "did you mean 'quant_mode'"),
    ({"profil": "x"}, "did you mean 'profile'"),
    ({"quant_mode": "exakt"}, "quant_mode 'exakt'"),
    ({"precision": "f99"}, "f99"),
    ({"strict": "yes"}, "strict is 'yes'"),
    ({"cache_dtype": "q8_0"}, "Engine(model, cache_dtype=…)"),
    ({"context": 100}, "Engine(model, context=…)"),
    ({"device": "gpux"}, "'gpux' is not a device"),
]


@pytest.mark.parametrize(("options", "words"), LOAD, ids=[str(options) for options, _ in LOAD])
def test_load_model_refuses_options_before_it_looks_for_the_file(options: dict[str, Any], words: str) -> None:
    with pytest.raises(RlxError) as raised:
        rlx.load_model(Path("no such file.gguf"), **options)
    assert words in str(raised.value) and raised.value.code in ("RLX406", "RLX404")
    assert raised.value.location is not None and raised.value.location.file == __file__


ENGINE = [
    ({"contxt": 5}, "did you mean 'context'"),
    ({"banana": 5}, "Engine has no option 'banana'"),
    ({"context": CONTEXT + 1}, f"a context of {CONTEXT + 1} tokens"),
    ({"context": 100_000}, "a context of 100000 tokens"),
    ({"context": 0}, "the context is 0"),
    ({"context": -5}, "the context is -5"),
    ({"context": "4k"}, "the context is '4k'"),
    ({"context": 8.5}, "the context is 8.5"),
    ({"batch": 0}, "batch is 0"),
    ({"batch": "8"}, "batch is '8'"),
    ({"chunk": -1}, "chunk is -1"),
    ({"chunk_beside": None}, "chunk_beside is None"),
    ({"memory": -1}, "memory is -1"),
    ({"memory": "2GB"}, "memory is '2GB'"),
    ({"draft_tokens": 0}, "draft_tokens is 0"),
    ({"draft": "lookup"}, "draft is 'lookup'"),
    ({"prefix_cache": "no"}, "prefix_cache is 'no'"),
    ({"deterministic": 1}, "deterministic is 1"),
    ({"cache_dtype": "q4_0"}, "cache_dtype is 'q4_0'"),
    ({"cache_dtype": 16}, "cache_dtype is 16"),
]


@pytest.mark.parametrize(("options", "words"), ENGINE, ids=[str(options) for options, _ in ENGINE])
def test_an_engine_refuses_options_when_it_is_made(options: dict[str, Any], words: str) -> None:
    with pytest.raises(RlxError) as raised:
        Engine(attention_model(), **options)
    assert words in str(raised.value) and raised.value.code in ("RLX901", "RLX902")
    assert raised.value.location is not None and raised.value.location.file == __file__


def test_an_engine_of_a_path_says_how_to_open_it() -> None:
    with pytest.raises(RlxError, match=r"the model is 'smollm2'.*\n.*\n.*load_model"):
        Engine("smollm2")  # type: ignore[arg-type]


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> LanguageModel:
    """One that fails when a text is tokenized."""
    tiny = attention_model()

    def fail(self: Tokenizer, text: str, **_: Any) -> list[int]:
        raise AssertionError("tokenized before the options were checked")

    monkeypatch.setattr(Tokenizer, "encode", fail)
    return LanguageModel(tiny.source, tiny.family, tiny.config, tiny.session)


def test_ids_outside_the_vocabulary_are_refused_before_anything_runs() -> None:
    """Those of a prompt, and of logit_bias: not in the step of everybody."""
    engine = Engine(attention_model())
    for call in (engine.generate, engine.submit):
        with pytest.raises(RlxError, match=f"the prompt has the id {VOCABULARY}, the model has ids 0 to") as raised:
            call([3, VOCABULARY])
        assert raised.value.code == "RLX903"
        with pytest.raises(RlxError, match="logit_bias has the id 10000, the model has ids 0 to"):
            call("a", logit_bias={10000: 1.0})
    assert engine.stats().steps == 0


CALLS: list[tuple[Callable[[LanguageModel], Any], str]] = [
    (lambda model: model.generate("a", temprature=1), "did you mean 'temperature'"),
    (lambda model: model.generate("a", overfow="shift"), "did you mean 'overflow'"),
    (lambda model: model.generate("a", overflow="shft"), "overflow is 'shft'"),
    (lambda model: model.generate("a", max_tokens=-1), "max_tokens is -1"),
    (lambda model: model.generate("a", stream=5), "stream is 5"),
    (lambda model: model.stream("a", specal=True), "did you mean 'special'"),
    (lambda model: model.chat("a", tool=[]), "did you mean 'tools'"),
    (lambda model: model.chat("a", enable_thinkin=True), "did you mean 'enable_thinking'"),
    (lambda model: model.chat("a", banana=1), "no sampling setting 'banana'"),
    (lambda model: model.engine.submit("a", prority=1), "did you mean 'priority'"),
]


@pytest.mark.parametrize(("call", "words"), CALLS, ids=[words for _, words in CALLS])
def test_a_call_refuses_options_before_it_tokenizes(model: LanguageModel, call: Callable[..., Any], words: str) -> None:
    with pytest.raises(RlxError) as raised:
        call(model)
    assert words in str(raised.value) and raised.value.code == "RLX902"


def test_embed_refuses_options() -> None:
    model = rlx.load_model("minilm")
    for call in (model.embed, model.engine.embed):
        with pytest.raises(RlxError, match="did you mean 'batch'"):
            call(["a"], bach=3)


# -- engines of one model ------------------------------------------------------------------------------------------
def test_engines_of_one_model_have_caches_of_their_own_dtype() -> None:
    """Each gives what it gives alone, in turns; a closed one gives its pages back."""
    dtypes = (None, "q8_0", "bf16", "f32", "f16")
    settings: dict[str, Any] = {"max_tokens": 12, "ignore_eos": True}
    alone = {dtype: Engine(small_llama(), cache_dtype=dtype).generate("to be", **settings).ids for dtype in dtypes}
    model = small_llama()
    engines = {dtype: Engine(model, cache_dtype=dtype) for dtype in dtypes}
    for _ in range(2):
        for dtype, engine in engines.items():
            assert engine.generate("to be", **settings).ids == alone[dtype], dtype
    states = [entry for entry in model.session.entries.values() if entry.kind == "state"]
    before = sum(entry.array.nbytes for entry in states)
    for engine in engines.values():
        engine.close()
    after = sum(entry.array.nbytes for entry in states)
    assert after < before / 50


def test_a_cache_dtype_that_the_device_does_not_have_is_refused() -> None:
    pytest.importorskip("jax")
    from rlx.runtime.session import Session

    with pytest.raises(RlxError, match="cache_dtype is 'q8_0'; on xla keys and values are f32"):
        Engine(attention_model(session=Session("xla")), cache_dtype="q8_0")


# -- tools and thinking --------------------------------------------------------------------------------------------
TOOL = {"type": "function", "function": {"name": "now", "parameters": {"type": "object", "properties": {}}}}
WITH_TOOLS = (
    "{% if tools %}{% for t in tools %}[{{ t.function.name }}]{% endfor %}{% endif %}"
    "{% if enable_thinking is defined %}{{ 'T' if enable_thinking else 'F' }}{% endif %}" + TEMPLATE
)


def test_chat_gives_tools_and_thinking_to_the_template() -> None:
    engine = Engine(attention_model(tokenizer=byte_tokenizer(chat_template=WITH_TOOLS)))
    settings = {"max_tokens": 4, "temperature": 0, "ignore_eos": True}
    for given, begin in (({"tools": [TOOL]}, "[now]"), ({"enable_thinking": False}, "F"), ({}, "")):
        prompt = [*ids_of(begin), 258, *ids_of("u:hi"), 259, 258, *ids_of("a:")]
        found = engine.chat("hi", **settings, **given)
        assert list(found.ids) == greedy(attention_logits, prompt, 4) and found.prompt_tokens == len(prompt)
        assert "".join(engine.stream_chat("hi", **settings, **given)) == found.text


def test_marks_of_calls_are_part_of_the_text() -> None:
    """Special tokens that the template writes, so that a call can be told from text; an end token is none."""
    template = "<eos>" + WITH_TOOLS  # which names <turn>, <end> and <eos>
    engine = Engine(attention_model(tokenizer=byte_tokenizer(chat_template=template)))
    shown = {"max_tokens": 1, "temperature": 0, "ignore_eos": True, "logit_bias": {258: 1e9}}
    assert engine.chat("hi", tools=[TOOL], **shown).text == "<turn>"
    assert engine.chat("hi", **shown).text == ""
    assert engine.chat("hi", tools=[TOOL], **{**shown, "logit_bias": {256: 1e9}}).text == ""


@pytest.mark.parametrize("given", [{"tools": [TOOL]}, {"enable_thinking": True}], ids=str)
def test_what_a_template_does_not_read_is_refused(given: dict[str, Any]) -> None:
    engine = Engine(attention_model(tokenizer=byte_tokenizer(chat_template=TEMPLATE)))
    with pytest.raises(RlxError, match=f"template does not read '{next(iter(given))}'") as raised:
        engine.chat("hi", **given)
    assert raised.value.code == "RLX904"


@pytest.mark.parametrize("ids", [[1.5], ["a"], [None], [-1], 5, None], ids=str)
def test_decoding_what_is_no_id_is_an_error(ids: Any) -> None:
    with pytest.raises(RlxError) as raised:
        byte_tokenizer().decode(ids)
    assert raised.value.code == "RLX903"
