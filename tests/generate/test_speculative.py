"""Speculative decoding: the text of plain decoding, greedy and drawn, the model's distribution, and drafts that are what drafters say."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import special, stats

from rlx.core.errors import RlxError
from rlx.generate.drafters import MOST, Draft, Drafter, HeadDrafter, LookupDrafter, ModelDrafter, verify_draft
from rlx.generate.engine import Engine
from rlx.generate.runner import Runner
from rlx.generate.sampler import Distribution, Sampler
from rlx.generate.sampling_settings import Sampling
from rlx.models import Model
from tests.generate.tiny import attention_logits, attention_model, greedy, head_guesses, recurrent_logits, recurrent_model

FORMULAS = {attention_model: attention_logits, recurrent_model: recurrent_logits}
MODELS = pytest.mark.parametrize("make", FORMULAS, ids=lambda make: make.__name__)
RANDOM = np.random.default_rng(0)


class FixedDrafter(Drafter):
    """Guesses drawn from fixed distributions, whatever came before."""

    def __init__(self, distributions):
        self.distributions = distributions

    def propose(self, ids, hidden, count, sampling, random):
        draft = Draft()
        for distribution in self.distributions[:count]:
            draft.add(distribution.draw(random))
        return draft


def drafters(target):
    """One of each kind; the models that draft are others than the target."""
    yield "lookup", LookupDrafter()
    yield "attention", ModelDrafter(attention_model(seed=1), target)
    yield "recurrent", ModelDrafter(recurrent_model(seed=1), target)
    yield "same", ModelDrafter(attention_model() if target.family.draft is not None else recurrent_model(), target)
    if target.family.draft is not None:
        yield "head", HeadDrafter(target)


# -- the rule ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "settings", [{"temperature": 1.0}, {"temperature": 0.7, "top_k": 4}, {"temperature": 1.2, "top_p": 0.8}], ids=str
)
@pytest.mark.parametrize("guess", ["close", "far", "certain"])
def test_a_judged_token_has_the_models_distribution(settings, guess):
    """Two drafted tokens, so three tokens at most; each has its own p, whatever q was."""
    size, rounds = 6, 3000
    logits = np.random.default_rng(1).standard_normal((3, size)).astype(np.float32)
    sampler = Sampler(Sampling(**settings, seed=5))
    wanted = [sampler.distribution(row).at(np.arange(size)).astype(np.float64) for row in logits]
    apart = np.random.default_rng(2).standard_normal((3, size)) * {"close": 0.3, "far": 3, "certain": 1}[guess]
    others = special.softmax(logits + apart, axis=-1)
    counts, reached = np.zeros((3, size)), np.zeros(3)
    for _ in range(rounds):
        draft, ahead = Draft(), sampler.random_ahead()
        for place in range(2):
            q = Distribution(others[place]) if guess != "certain" else Distribution.certain(int(np.argmax(others[place])))
            draft.add(q.draw(ahead))
        for place, choice in enumerate(verify_draft(draft, logits, sampler)):
            counts[place, choice.id] += 1
            reached[place] += 1
        sampler.history.clear()
        sampler._counts.clear()
    assert reached[0] == rounds and reached[2] > 0
    for place in range(3):
        seen = wanted[place] > 0
        assert not counts[place, ~seen].any()
        assert stats.chisquare(counts[place, seen], reached[place] * wanted[place][seen] / wanted[place][seen].sum()).pvalue > 1e-3


@MODELS
@pytest.mark.parametrize("kind", ["fixed", "chosen length", "attention", "recurrent"])
def test_whole_texts_have_the_models_distribution(make, kind):
    """All texts of three tokens out of four, enumerated, against what speculation draws."""
    size, length, rounds = 4, 3, 800
    target, prompt = make(vocabulary=size), [1, 2, 0]
    small = {"attention": attention_model, "recurrent": recurrent_model}
    fixed = FixedDrafter([Distribution(np.array([0.1, 0.2, 0.3, 0.4])), Distribution(np.array([0.7, 0.1, 0.1, 0.1]))])
    drafter = ModelDrafter(small[kind](seed=1, vocabulary=size), target) if kind in small else fixed
    engine = Engine(target, draft=drafter, draft_tokens=None if kind == "chosen length" else 2)
    texts = list(itertools.product(range(size), repeat=length))
    wanted = []
    for text in texts:
        logits = FORMULAS[make]([*prompt, *text], vocabulary=size)[len(prompt) - 1 : -1] / 1.5
        wanted.append(np.prod(special.softmax(logits, axis=-1)[np.arange(length), text]))
    draws = dict.fromkeys(texts, 0)
    for seed in range(10_000, 10_000 + rounds):
        draws[engine.generate(prompt, temperature=1.5, seed=seed, max_tokens=length, ignore_eos=True).ids] += 1
    order = np.argsort(wanted)[::-1]
    expected, found = np.array(wanted)[order] * rounds, np.array(list(draws.values()))[order]
    often = int((expected >= 5).sum())  # the rest is one class
    expected = np.append(expected[:often], expected[often:].sum())
    found = np.append(found[:often], found[often:].sum())
    assert stats.chisquare(found, expected * found.sum() / expected.sum()).pvalue > 1e-3


# -- greedy --------------------------------------------------------------------------------------------------------
@MODELS
@pytest.mark.parametrize("settings", [{}, {"presence_penalty": 3.0, "frequency_penalty": 0.5}], ids=["plain", "penalties"])
def test_greedy_text_is_the_same_token_by_token(make, settings):
    prompt = list(b"to be or not to be or not to ")
    target = make()
    plain = Engine(make()).generate(prompt, max_tokens=30, ignore_eos=True, **settings)
    if not settings:
        assert list(plain.ids) == greedy(FORMULAS[make], prompt, 30)
    for kind, drafter in drafters(target):
        for tokens in (1, 5, None):
            engine = Engine(target, draft=drafter, draft_tokens=tokens)
            found = engine.generate(prompt, max_tokens=30, ignore_eos=True, **settings)
            assert found.ids == plain.ids, kind
            record = found.speculation
            assert len(found.ids) <= 1 + record.rounds + record.accepted <= len(found.ids) + (tokens or MOST)
            assert engine.generate(prompt, max_tokens=9, ignore_eos=True, **settings).ids == plain.ids[:9]


@MODELS
def test_a_perfect_drafter_is_always_accepted(make):
    target = make()
    found = Engine(target, draft=ModelDrafter(make(), target), draft_tokens=3).generate("Hello", max_tokens=21, ignore_eos=True)
    record = found.speculation
    assert record.accepted == record.drafted and record.rounds == 5 and record.share == 1.0  # 1 + 5·(3 + 1)


def test_a_wrong_drafter_is_never_accepted():
    wrong = FixedDrafter([Distribution.certain(299)] * 4)
    target = recurrent_model()
    found = Engine(target, draft=wrong).generate("Hello", max_tokens=10, ignore_eos=True)
    assert found.speculation.accepted == 0 and list(found.ids) == greedy(recurrent_logits, list(b"Hello"), 10)


@MODELS
@pytest.mark.parametrize(
    "settings",
    [{}, {"top_p": 0.9, "min_p": 0.05}, {"top_k": 3, "presence_penalty": 1.0}, {"logprobs": True, "min_tokens": 30}],
    ids=str,
)
def test_a_drawn_text_is_the_plain_one_of_its_seed(make, settings):
    target, plain = make(), Engine(make())
    prompt = list(b"to be or not to be or not to ")
    how = {"max_tokens": 40, "temperature": 0.8, "ignore_eos": True, **settings}
    wanted = [plain.generate(prompt, seed=seed, **how) for seed in range(3)]
    assert len({one.ids for one in wanted}) > 1
    for kind, drafter in drafters(target):
        for tokens in (3, None):
            engine = Engine(target, draft=drafter, draft_tokens=tokens)
            for seed, one in enumerate(wanted):
                found = engine.generate(prompt, seed=seed, **how)
                assert (found.ids, found.text) == (one.ids, one.text), (kind, tokens, seed)
                mine, theirs = ([choice.logprob for choice in each.logprobs] for each in (found, one))
                np.testing.assert_allclose(mine, theirs, atol=1e-5)  # the recurrent model's sums depend on where its state is kept


def test_a_drafter_that_never_pays_is_asked_seldom():
    target = attention_model()
    wrong = FixedDrafter([Distribution.certain(299)] * MOST)
    found = Engine(target, draft=wrong).generate("Hello", max_tokens=80, ignore_eos=True)
    assert list(found.ids) == greedy(attention_logits, list(b"Hello"), 80)
    assert found.speculation.rounds == 79 and found.speculation.drafted < 40


def test_everything_is_compiled_before_the_first_token(monkeypatch):
    """Rounds take no time of setup: graphs of both models, and the one that judges, are there when the prompt has been read."""
    compiled, compile_one = [], Model.compile
    monkeypatch.setattr(Model, "compile", lambda model, shapes, **how: compiled.append(shapes) or compile_one(model, shapes, **how))
    target = attention_model()
    engine = Engine(target, draft=ModelDrafter(attention_model(seed=1), target), draft_tokens=3)
    pieces = engine.stream("Hello", max_tokens=12, ignore_eos=True).pieces()
    next(pieces)
    before = len(compiled)
    assert len(list(pieces)) > 1 and len(compiled) == before


# -- contexts and ends ---------------------------------------------------------------------------------------------
@MODELS
def test_drafts_stay_within_the_context(make):
    target = make()
    engine = Engine(target, context=32, draft=ModelDrafter(make(), target), draft_tokens=6)
    found = engine.generate("x" * 20, ignore_eos=True)
    assert found.finish == "context" and list(found.ids) == greedy(FORMULAS[make], list(b"x" * 20), 13)


def test_a_text_that_ends_inside_a_round():
    target = attention_model()
    text = greedy(attention_logits, list(b"Hello"), 12)
    place = next(n for n in range(3, 12) if text[n] not in text[:n])
    found = Engine(target, draft=ModelDrafter(attention_model(), target), draft_tokens=6).generate("Hello", stop_ids=(text[place],))
    assert list(found.ids) == text[:place] and found.finish == "stop"


# -- drafters ------------------------------------------------------------------------------------------------------
def test_lookup_finds_the_latest_occurrence_of_the_longest_run():
    drafter, sampling = LookupDrafter(), Sampling()
    ids = [1, 2, 3, 4, 9, 9, 1, 2, 3, 5, 8, 7, 1, 2, 3]
    assert drafter.propose(ids, None, 3, sampling, RANDOM).tokens == [5, 8, 7]
    assert drafter.propose([*ids, 4], None, 3, sampling, RANDOM).tokens == [9, 9, 1]
    assert drafter.propose([*ids, 6], None, 3, sampling, RANDOM).tokens == []
    assert drafter.propose([5, 6, 5, 6], None, 3, sampling, RANDOM).tokens == [5, 6]  # another text; runs may reach into the end
    assert drafter.propose([3], None, 3, sampling, RANDOM).tokens == []


def test_the_head_drafts_by_its_formula():
    model = attention_model()
    runner, drafter = Runner(model, hidden=True), HeadDrafter(model)
    text = list(b"a text the model has seen, in two parts")
    for seen in (20, 24, 12, len(text)):  # on, on, back, on
        runner.truncate(0, min(seen - 1, runner.lengths[0]))
        runner.prefill([text[runner.lengths[0] : seen - 1]]) if runner.lengths[0] < seen - 1 else None
        draft = drafter.propose(text[:seen], runner.hidden[0], 4, Sampling(), RANDOM)
        assert draft.tokens == head_guesses(text[:seen], 4)


def test_a_model_draws_its_guesses_from_its_own_distribution():
    target = attention_model(vocabulary=8)
    drafter, sampling = ModelDrafter(attention_model(seed=3, vocabulary=8), target), Sampling(temperature=0.8, top_k=5)
    for seed in range(20):
        draft, numbers = (drafter.propose([1, 2, 3], None, 3, sampling, np.random.default_rng(seed)), np.random.default_rng(seed))
        for place, token in enumerate(draft.tokens):
            logits = attention_logits([1, 2, 3, *draft.tokens[:place]], seed=3, vocabulary=8)[-1]
            best = np.sort(np.argsort(-logits)[:5])
            ends = special.softmax(logits[best] / 0.8).cumsum()
            assert token == best[np.searchsorted(ends, numbers.random(), side="right")]


def test_a_draft_with_the_samplers_numbers_agrees_as_often_as_the_probabilities_do():
    """Two distributions over a line: draws with one number agree where their intervals overlap; with two, where both are likely."""
    logits = np.random.default_rng(0).standard_normal((2, 40)).astype(np.float32) * 3
    logits[1] = logits[0] + 0.2 * logits[1]
    p, q = special.softmax(logits.astype(np.float64), axis=-1)
    ends_p, ends_q = p.cumsum(), q.cumsum()
    overlap = np.maximum(np.minimum(ends_p, ends_q) - np.maximum(ends_p - p, ends_q - q), 0).sum()
    sampler, rounds = Sampler(Sampling(temperature=1.0, seed=1)), 4000
    agreed = 0
    for _ in range(rounds):
        draft = Draft()
        draft.add(Distribution(q).draw(sampler.random_ahead()))
        agreed += len(verify_draft(draft, np.stack([logits[0], logits[0]]), sampler)) - 1
    assert overlap > 2 * (p * q).sum() and abs(agreed / rounds - overlap) < 4 * np.sqrt(overlap * (1 - overlap) / rounds)


def test_a_draft_model_with_other_tokens():
    other = attention_model()
    pieces = list(other.tokenizer.pieces)
    pieces[7] = b"seven"
    object.__setattr__(other.tokenizer, "pieces", pieces)
    with pytest.raises(RlxError, match="differ from the model's from id 7 of 300"):
        ModelDrafter(other, attention_model())
