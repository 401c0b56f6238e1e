"""The engine on small models: the formula's own texts, streams, batches, reuse of prefixes, full contexts, conversations, Ctrl-C."""

from __future__ import annotations

import signal
from dataclasses import replace

import numpy as np
import pytest
from scipy import special

from rlx.core.errors import RlxError
from rlx.generate.engine import Engine
from rlx.generate.engine.schedule import BLOCK
from rlx.generate.engine.step_runner import PagedRunner
from rlx.generate.sampling_settings import Sampling
from tests.generate.tiny import (
    CONTEXT,
    EOS,
    attention_logits,
    attention_model,
    byte_tokenizer,
    greedy,
    recurrent_logits,
    recurrent_model,
)

KINDS = {"attention": (attention_model, attention_logits), "recurrent": (recurrent_model, recurrent_logits)}
EACH = pytest.mark.parametrize("kind", KINDS)
PROMPTS = ["Hello", "a much longer prompt, of 43 characters here", "é"]


def ids_of(text: str) -> list[int]:
    return list(text.encode())


@EACH
def test_greedy_is_the_formulas_text(kind):
    make, formula = KINDS[kind]
    engine = Engine(make())
    for prompt in PROMPTS:
        found = engine.generate(prompt, max_tokens=20, ignore_eos=True)
        assert list(found.ids) == greedy(formula, ids_of(prompt), 20)
        assert found.finish == "length" and found.prompt_tokens == len(ids_of(prompt))
        assert found.text == byte_tokenizer().decode(found.ids)
        assert list(engine.generate(ids_of(prompt), max_tokens=20, ignore_eos=True).ids) == list(found.ids)


@EACH
def test_a_batch_gives_what_single_prompts_give(kind):
    make, formula = KINDS[kind]
    engine = Engine(make(), batch=2)
    pieces: dict[int, str] = {}
    found = engine.generate(
        PROMPTS, max_tokens=12, stream=lambda piece: pieces.update({piece.row: pieces.get(piece.row, "") + piece.text})
    )
    for row, prompt in enumerate(PROMPTS):
        wanted = greedy(formula, ids_of(prompt), 12)
        wanted = wanted[: wanted.index(EOS)] if EOS in wanted else wanted
        assert list(found[row].ids) == wanted
        assert pieces.get(row, "") == found[row].text
    again = engine.generate(list(reversed(PROMPTS)), max_tokens=12)
    assert [row.ids for row in again] == [row.ids for row in reversed(found)]
    assert isinstance(engine.generate([ids_of("x")], max_tokens=1), list)


@EACH
def test_rows_that_end_early_leave_the_others_alone(kind):
    make, formula = KINDS[kind]
    ends = greedy(formula, ids_of("Hello"), 3)[2]
    wanted = [greedy(formula, ids_of(prompt), 16) for prompt in PROMPTS]
    wanted = [row[: row.index(ends)] if ends in row else row for row in wanted]
    found = Engine(make()).generate(PROMPTS, max_tokens=16, stop_ids=(ends,), ignore_eos=True)
    assert [list(row.ids) for row in found] == wanted
    assert len({len(row.ids) for row in found}) > 1 and found[0].finish == "stop"


def test_the_models_end_and_generation_config():
    wanted = greedy(attention_logits, ids_of("Hi"), 10)
    end = wanted[4]
    first = wanted.index(end)
    model = attention_model(generation={"eos_token_id": [EOS, end]})
    found = Engine(model).generate("Hi", max_tokens=10)
    assert list(found.ids) == wanted[:first] and found.finish == "stop"
    assert len(Engine(model).generate("Hi", max_tokens=10, ignore_eos=True).ids) == 10
    model = attention_model(generation={"do_sample": True, "temperature": 0.6, "top_k": 20, "top_p": 0.95})
    assert Engine(model).sampling == Sampling(temperature=0.6, top_k=20, top_p=0.95)
    assert Engine(attention_model(generation={"temperature": 0.6})).sampling == Sampling()
    with pytest.raises(RlxError, match="its own settings say top_p is 7"):
        Engine(attention_model(generation={"do_sample": True, "top_p": 7}))


def test_special_tokens_that_end_a_turn_by_their_name():
    wanted = greedy(attention_logits, ids_of("Hi"), 10)
    place = next(n for n in range(2, 10) if wanted[n] not in wanted[:n])
    model = attention_model(tokenizer=byte_tokenizer(names={"<|im_end|>": wanted[place], "<turn>": wanted[0]}))
    found = Engine(model).generate("Hi", max_tokens=10)
    assert list(found.ids) == wanted[:place] and found.finish == "stop"


def test_streams_and_stop_strings():
    engine = Engine(attention_model())
    whole = engine.generate("Hello", max_tokens=30, ignore_eos=True).text
    stream = engine.stream("Hello", max_tokens=30, ignore_eos=True)
    assert "".join(stream) == whole == stream.result.text
    stop = whole[4:6]
    place = whole.find(stop)
    stream = engine.stream("Hello", max_tokens=30, stop=stop, ignore_eos=True)
    assert "".join(stream) == whole[:place]
    assert stream.result.finish == "stop" and stream.result.stop == stop


def test_logprobs_are_of_the_model():
    found = Engine(attention_model()).generate("Hello", max_tokens=5, top_logprobs=3, temperature=1.0, seed=3, ignore_eos=True)
    assert len(found.logprobs) == len(found.ids) == 5
    logits = special.log_softmax(attention_logits([*ids_of("Hello"), *found.ids]), axis=-1)[4:]
    for place, choice in enumerate(found.logprobs):
        assert choice.id == found.ids[place] and choice.logprob == pytest.approx(logits[place, choice.id], abs=2e-3)
        assert [token for token, _ in choice.top] == np.argsort(-logits[place])[:3].tolist()


def test_a_seed_gives_the_same_text_again():
    engine = Engine(attention_model())
    texts = [engine.generate("Hello", max_tokens=12, temperature=1.0, seed=seed).ids for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


def test_penalties_see_the_prompt():
    wanted = greedy(attention_logits, ids_of("Hello"), 1)[0]
    engine = Engine(attention_model())
    prompt = [*ids_of("Hello")[:0], wanted, *ids_of("Hello")]
    first = greedy(attention_logits, prompt, 1)[0]
    logits = attention_logits(prompt)[-1].copy()
    logits[sorted(set(prompt))] -= 100
    assert engine.generate(prompt, max_tokens=1, presence_penalty=100.0, ignore_eos=True).ids == (int(np.argmax(logits)),)
    assert engine.generate(prompt, max_tokens=1, ignore_eos=True).ids == (first,)


# -- prefixes ------------------------------------------------------------------------------------------------------
def test_prefixes_are_reused():
    engine = Engine(attention_model())
    first = engine.generate("The system says: one", max_tokens=3, ignore_eos=True)
    assert first.reused_tokens == 0
    second = engine.generate("The system says: two", max_tokens=3, ignore_eos=True)
    assert second.reused_tokens == len("The system says: ") and second.timings.prefilled_tokens == 3
    assert list(second.ids) == greedy(attention_logits, ids_of("The system says: two"), 3)
    again = engine.generate("The system says: two", max_tokens=3, ignore_eos=True)
    assert again.reused_tokens == len("The system says: two") - 1 and again.ids == second.ids


def test_recurrent_states_are_reused_from_the_last_block_on():
    model = recurrent_model()
    model.config = replace(model.config, context_length=1024)
    engine, text = Engine(model), [number % 200 for number in range(3 * BLOCK + 9)]
    first = engine.generate(text[: 2 * BLOCK + 5], max_tokens=4, ignore_eos=True)
    assert first.reused_tokens == 0
    longer = engine.generate(text, max_tokens=4, ignore_eos=True)
    assert longer.reused_tokens == 2 * BLOCK and list(longer.ids) == greedy(recurrent_logits, text, 4)
    again = engine.generate(text, max_tokens=4, ignore_eos=True)
    assert again.reused_tokens == 3 * BLOCK and again.ids == longer.ids
    other = engine.generate([7, *text], max_tokens=4, ignore_eos=True)
    assert other.reused_tokens == 0 and list(other.ids) == greedy(recurrent_logits, [7, *text], 4)


def test_states_are_kept_of_answers_too():
    """The next turn of a conversation begins with the last answer."""
    model = recurrent_model()
    model.config = replace(model.config, context_length=1024)
    engine, text = Engine(model), [number % 200 for number in range(BLOCK - 9)]
    first = engine.generate(text, max_tokens=40, ignore_eos=True)
    turn = [*text, *first.ids, 5, 6]
    found = engine.generate(turn, max_tokens=4, ignore_eos=True)
    assert found.reused_tokens == BLOCK and list(found.ids) == greedy(recurrent_logits, turn, 4)


# -- the context ---------------------------------------------------------------------------------------------------
@EACH
def test_prompts_beyond_the_context(kind):
    engine = Engine(KINDS[kind][0](), context=32)
    with pytest.raises(RlxError, match="the prompt has 33 tokens, the context has room for 32") as raised:
        engine.generate("x" * 33)
    assert raised.value.code == "RLX901"
    with pytest.raises(RlxError, match="the prompt has 30 tokens, max_tokens is 4; the context has room for 32"):
        engine.generate("x" * 30, max_tokens=4)
    assert engine.generate("x" * 30, max_tokens=3, ignore_eos=True).finish == "length"  # the last token needs no room


@EACH
def test_a_full_context_ends_the_text(kind):
    make, formula = KINDS[kind]
    engine = Engine(make(), context=32)
    for overflow, most in (("stop", 50), ("error", None)):
        found = engine.generate("x" * 30, max_tokens=most, overflow=overflow, ignore_eos=True)
        assert found.finish == "context" and list(found.ids) == greedy(formula, ids_of("x" * 30), 3)


@EACH
@pytest.mark.parametrize("batch", [1, 2])
def test_shifting_evaluates_what_is_kept_anew(kind, batch):
    """After a shift the model has seen exactly the kept tokens, at the first positions."""
    make, formula = KINDS[kind]
    engine = Engine(make(), context=32)
    text = ids_of("the beginning of a text, ")
    cached, wanted = list(text), []
    wanted.append(int(np.argmax(formula(cached)[-1])))
    while len(wanted) < 40:
        if len(cached) == 32:
            cached = [*cached, wanted[-1]][-16:-1]
        cached.append(wanted[-1])
        wanted.append(int(np.argmax(formula(cached)[-1])))
    prompts = [text, ids_of("short")][:batch]
    found = engine.generate(prompts, max_tokens=40, overflow="shift", ignore_eos=True)
    assert list(found[0].ids) == wanted and found[0].finish == "length"
    assert len(found[-1].ids) == 40


def test_a_long_prompt_is_shifted_too():
    engine = Engine(attention_model(), context=32)
    found = engine.generate("y" * 20 + "x" * 30, max_tokens=2, overflow="shift", ignore_eos=True)
    assert found.prompt_tokens == 16 and list(found.ids) == greedy(attention_logits, ids_of("x" * 16), 2)


# -- conversations -------------------------------------------------------------------------------------------------
TEMPLATE = (
    "{% for m in messages %}<turn>{{ m.role[0] }}:{{ m.content }}<end>{% endfor %}{% if add_generation_prompt %}<turn>a:{% endif %}"
)


def test_chat_goes_through_the_template():
    model = attention_model(tokenizer=byte_tokenizer(chat_template=TEMPLATE))
    engine = Engine(model)
    messages = [{"role": "user", "content": "hi"}]
    found = engine.chat(messages, max_tokens=6, temperature=0, ignore_eos=True)
    prompt = [258, *ids_of("u:hi"), 259, 258, *ids_of("a:")]
    assert list(found.ids) == greedy(attention_logits, prompt, 6) and found.prompt_tokens == len(prompt) and not found.notes
    assert engine.chat("hi", max_tokens=6, temperature=0, ignore_eos=True).ids == found.ids
    longer = [*messages, {"role": "assistant", "content": "yes"}, {"role": "user", "content": "ok"}]
    assert engine.chat(longer, max_tokens=1).reused_tokens == len(prompt)


def test_chat_goes_on_with_the_last_message():
    engine = Engine(attention_model(tokenizer=byte_tokenizer(chat_template=TEMPLATE)))
    messages = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yes"}]
    settings = {"max_tokens": 6, "temperature": 0, "ignore_eos": True, "continue_final_message": True}
    prompt = [258, *ids_of("u:hi"), 259, 258, *ids_of("a:yes")]
    assert list(engine.chat(messages, **settings).ids) == greedy(attention_logits, prompt, 6)
    assert "".join(engine.stream_chat(messages, **settings)) == engine.chat(messages, **settings).text


def test_chat_without_a_template_says_so():
    found = Engine(attention_model()).chat("hi", max_tokens=2)
    assert found.notes == ("the model has no chat template: ChatML was used",)
    assert found.prompt_tokens == len("<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n")


# -- wrong and interrupted -----------------------------------------------------------------------------------------
def test_prompts_of_nothing():
    engine = Engine(attention_model())
    for prompt in ("", [], [[]], [""], ["a", ""]):
        with pytest.raises(RlxError) as raised:
            engine.generate(prompt, max_tokens=1)
        assert raised.value.code == "RLX903"
    with pytest.raises(RlxError, match="overflow is 'wrap'"):
        engine.generate("a", overflow="wrap")
    with pytest.raises(RlxError, match="no sampling setting 'topk'"):
        engine.generate("a", topk=3)
    assert engine.generate("a", max_tokens=0).ids == ()


@EACH
def test_ctrl_c_leaves_everything_whole(kind, monkeypatch):
    make, formula = KINDS[kind]
    engine = Engine(make())
    calls = []
    original = PagedRunner.run

    def run(self, *arguments):
        calls.append(1)
        if len(calls) == 6:
            signal.raise_signal(signal.SIGINT)
        return original(self, *arguments)

    stream = engine.stream("Hello", max_tokens=20, ignore_eos=True)
    with monkeypatch.context() as patch:
        patch.setattr(PagedRunner, "run", run)
        with pytest.raises(KeyboardInterrupt):
            list(stream)
    assert stream.result.finish == "interrupted" and list(stream.result.ids) == greedy(formula, ids_of("Hello"), 6)
    assert list(engine.generate("Hello", max_tokens=9, ignore_eos=True).ids) == greedy(formula, ids_of("Hello"), 9)


def test_a_stream_that_is_left_early():
    engine = Engine(attention_model())
    for _ in engine.stream("Hello", max_tokens=50, ignore_eos=True):
        break
    assert list(engine.generate("Hello", max_tokens=9, ignore_eos=True).ids) == greedy(attention_logits, ids_of("Hello"), 9)


def test_a_model_of_vectors_gives_no_text():
    model = attention_model()
    model.family = replace(model.family, embeds=True)
    with pytest.raises(RlxError, match="tiny gives embeddings, not text"):
        Engine(model).generate("Hello")


def test_timings_add_up():
    found = Engine(attention_model()).generate("Hello", max_tokens=10, ignore_eos=True)
    times = found.timings
    assert times.prefilled_tokens == 5 and times.decoded_tokens == 9
    assert times.first_token >= times.setup + times.prefill - 1e-4 and times.prefill_rate > 0 and times.decode_rate > 0
    assert CONTEXT > 20


@pytest.mark.parametrize(("name", "value"), [("temperature", "hot"), ("temperature", [1]), ("top_k", 1.5), ("top_p", True)])
def test_a_files_own_sampling_of_another_type_names_the_file(name, value):
    model = attention_model(generation={"do_sample": True, name: value})
    with pytest.raises(RlxError, match=f"RLX902.*tiny.*{name}"):
        Engine(model)


def test_tokens_beyond_the_tokenizer_are_generated_without_text():
    """The model has 300 rows, the tokenizer 10 tokens."""
    whole = attention_model()
    short = attention_model(tokenizer=replace(whole.tokenizer, pieces=list(whole.tokenizer.pieces[:10])))
    found = Engine(short, context=32).generate([1, 2, 3], max_tokens=8, ignore_eos=True)
    assert list(found.ids) == greedy(attention_logits, [1, 2, 3], 8) and max(found.ids) >= 10
