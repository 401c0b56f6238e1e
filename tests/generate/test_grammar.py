"""Grammars as values, their states token by token, and what is wrong with bad ones."""

from __future__ import annotations

import gc
import json
import re
import subprocess
import sys
import weakref
from typing import Any

import numpy as np
import pytest

from rlx.core.errors import RlxError
from rlx.formats.tokenizer import Tokenizer
from rlx.generate import json_schema, lark, regex
from rlx.generate.drafters import Draft, verify_draft
from rlx.generate.grammar import Grammar, as_grammar
from rlx.generate.grammar_state import MOST_FORCED, GrammarState, fill_masks, grammar_state
from rlx.generate.sampler import Sampler, log_softmax
from rlx.generate.sampling_settings import Sampling
from tests.generate.grammar_texts import KINDS, written
from tests.generate.tiny import EOS, VOCABULARY, byte_tokenizer

pytest.importorskip("llguidance")
BYTES = byte_tokenizer()


def begun(grammar: Any, tokenizer: Tokenizer = BYTES, **settings: Any) -> GrammarState:
    state = grammar_state(Sampling(grammar=grammar, **settings), tokenizer, tokenizer.eos)
    assert state is not None
    return state


def allowed(state: GrammarState) -> set[int]:
    return set(np.flatnonzero(np.unpackbits(state.bits().view(np.uint8), bitorder="little")).tolist())


@pytest.fixture(scope="module", params=KINDS)
def tokenizer(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    return KINDS[request.param](tmp_path_factory.mktemp("tokens"))


# -- values ---------------------------------------------------------------------------------------------------------------
def test_grammars_are_values() -> None:
    assert regex("a") == regex("a") != lark("a") and hash(regex("a")) == hash(regex("a"))
    assert Sampling(grammar={"regex": "a"}).grammar == regex("a") == Sampling(grammar=regex("a")).grammar
    assert as_grammar({"json_schema": True}) == json_schema(True) == Grammar("json_schema", "true")
    assert as_grammar("json") == json_schema({"type": "object"}) and as_grammar(None) is None
    assert Sampling().with_settings(grammar={"lark": "start: /a/"}).grammar == lark("start: /a/")
    assert json_schema('{"type": "string"}').text == json_schema({"type": "string"}).text


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("xml", "grammar is 'xml'"),
        (7, "grammar is 7"),
        ({}, "grammar is {}"),
        ({"regex": "a", "lark": "b"}, "grammar is "),
        ({"regexp": "a"}, "no grammar of kind 'regexp'[\\s\\S]*did you mean 'regex'"),
        ({"regex": 3}, "regex is 3"),
        ({"lark": None}, "lark is None"),
        ({"json_schema": 4}, "the JSON schema is 4"),
        ({"json_schema": '{"type": }'}, "not valid JSON: Expecting value in line 1, column 10"),
        ({"json_schema": {"enum": [{1, 2}]}}, "cannot be written as JSON: {1, 2} is set"),
        ({"json_schema": {"const": float("nan")}}, "cannot be written as JSON"),
        ({"json_schema": "[" * 100_000}, "nested too deeply"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_values_that_are_no_grammars(value: Any, words: str) -> None:
    with pytest.raises(RlxError, match=f"RLX905[\\s\\S]*{words}"):
        Sampling(grammar=value)


@pytest.mark.parametrize(
    ("grammar", "words"),
    [
        (regex("a(b"), r"the pattern 'a\(b', at character 1: unclosed group"),
        (regex("ab(?=c)"), "at character 2: look-around"),
        (regex(r"(a)\1"), "backreferences"),
        (lark("start: foo"), "line 1, column 8: unknown name"),
        (lark('start: "a"\nfoo: %%'), "line 2, column 7: "),
        (lark("nothing: /a/"), "start"),
        (json_schema({"properties": {"x": {"not": {}}}}, strict=True), "at #/properties/x/not: the keyword 'not' is not supported"),
        (json_schema({"items": {"uniqueItems": True}}, strict=True), "at #/items/uniqueItems: the keyword 'uniqueItems'"),
        (json_schema({"anyOf": [{"type": "strin"}]}), "at #/anyOf/0/type: there is no type 'strin'"),
        (json_schema({"type": "string", "format": "poem"}, strict=True), "at #/format: there is no format 'poem'"),
        (json_schema({"properties": {"a/b": {"$ref": "#/$defs/q"}}}), r"at #/properties/a~1b/\$ref: there is no '#/\$defs/q'"),
        (json_schema({"type": "string", "pattern": "("}), r"at #/pattern: the pattern '\(': unclosed group"),
        (json_schema({"oneOf": [{"type": "integer"}, {"type": "number"}]}, strict=True), "at #/oneOf: the cases of oneOf overlap"),
        (json_schema(False), "schema is false"),
        (
            json_schema({"type": "object", "required": ["a"], "additionalProperties": False}),
            "at #/required: .*required property 'a'",
        ),
        (json_schema({"$ref": "https://example.org/s.json"}), "example.org"),
        (json_schema('"text"'), "JSON schema"),
        (json_schema({"$ref": "#"}), "no text matches"),
        (lark("start: start"), "no text matches"),
        (regex("(" * 5000 + "a" + ")" * 5000), "nested"),
        (json_schema('{"items": ' * 400 + "{}" + "}" * 400), "recursion limit"),
        (regex("\ud800"), "surrogates"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_bad_grammars_say_where(grammar: Grammar, words: str) -> None:
    with pytest.raises(RlxError, match=f"RLX905[\\s\\S]*{words}"):
        begun(grammar)


def test_without_the_package() -> None:
    script = """
import sys
sys.modules["llguidance"] = None
import rlx.generate as g
from rlx.generate.grammar_state import llguidance_package
print(g.Sampling(grammar=g.regex("a")).grammar.kind)
llguidance_package()
"""
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert found.stdout == "regex\n" and "RLX803" in found.stderr and "pip install 'rlx[grammar]'" in found.stderr


def test_a_sampler_without_the_state_of_its_grammar_is_refused() -> None:
    with pytest.raises(RlxError, match=r"RLX902[\s\S]*grammar"):
        Sampler(Sampling(grammar=regex("a")))


# -- states ---------------------------------------------------------------------------------------------------------------
def test_a_state_token_by_token() -> None:
    state = begun(regex("abc(d|ef?)"))
    assert state.forced() == [*b"abc"] and not state.may_end
    for token, rest in zip(b"abc", (b"bc", b"c", b""), strict=True):
        state.accept(token)
        assert state.forced() == [*rest]
    assert allowed(state) == {*b"de"} and not state.may_end
    state.accept(ord("e"))
    assert allowed(state) == {ord("f"), EOS} and state.may_end and not state.is_finished
    state.accept(ord("f"))
    assert allowed(state) == {EOS} and state.may_end and state.is_finished and state.forced() == []
    state.accept(EOS)
    with pytest.raises(RlxError, match=r"RLX905[\s\S]*cannot follow"):
        state.accept(ord("a"))
    state.rollback(3)
    assert allowed(state) == {*b"de"} and not state.may_end
    state.accept(ord("e"))
    state.accept(EOS)
    state.rollback(1)
    assert state.may_end and not state.is_finished and allowed(state) == {ord("f"), EOS}
    state.rollback(4)
    assert state.forced() == [*b"abc"]
    with pytest.raises(RlxError, match="1 tokens are taken back, of 0"):
        state.rollback(1)


def test_a_refused_token_changes_nothing() -> None:
    state = begun(regex("a(b|c)"))
    for token in (ord("x"), EOS, VOCABULARY + 5):
        with pytest.raises(RlxError, match="RLX905"):
            state.accept(token)
    state.accept(ord("a"))
    assert allowed(state) == {*b"bc"}


def test_clones_go_their_own_ways() -> None:
    state = begun(regex("a(b|c)d"))
    state.accept(ord("a"))
    other = state.clone()
    state.accept(ord("b"))
    other.accept(ord("c"))
    other.rollback(2)
    assert state.forced() == [ord("d")] and other.forced() == [ord("a")]


def test_how_much_of_a_draft_can_follow() -> None:
    state = begun(regex("(a|b)cde?"))
    assert state.valid([*b"acd", EOS]) == 4 and state.valid([*b"acx"]) == 2 and state.valid([*b"xcd"]) == 0
    assert state.valid([]) == 0 and state.valid([ord("a"), EOS]) == 1
    state.accept(ord("a"))
    assert state.forced() == [*b"cd"] and state.valid([*b"cde"]) == 3 and state.valid([ord("c"), ord("e")]) == 1


def test_masks_of_every_width() -> None:
    state = begun(regex("[a-y]+"))
    for width in (90, 97, 98, 250, VOCABULARY, VOCABULARY + 100):
        logits = np.random.default_rng(width).standard_normal(width).astype(np.float32)
        masked = state.mask(logits)
        for token in range(width):
            wanted = logits[token] if token in {*b"abcdefghijklmnopqrstuvwxy"} else -np.inf
            assert masked[token] == wanted


def test_masks_of_a_batch_are_the_masks_of_each() -> None:
    grammars = [regex("[a-f]+"), regex("abc"), json_schema({"type": "integer"}), regex("(x|y)z"), regex("[a-f]+")]
    states, singles = [begun(grammar) for grammar in grammars], [begun(grammar) for grammar in grammars]
    fill_masks(states)
    fill_masks(states[:1])
    fill_masks([])
    for state, single in zip(states, singles, strict=True):
        assert allowed(state) == allowed(single)


def test_a_sampler_takes_only_what_can_follow_and_keeps_logprobs() -> None:
    logits = np.random.default_rng(3).standard_normal(VOCABULARY).astype(np.float32)
    for settings in ({}, {"temperature": 1.0, "seed": 1}, {"temperature": 1.0, "top_p": 0.5, "top_k": 3, "seed": 2}):
        sampling = Sampling(grammar=regex("[k-p]"), top_logprobs=2, **settings)
        sampler = Sampler(sampling, grammar=grammar_state(sampling, BYTES, BYTES.eos))
        choice = sampler.choose(logits)
        assert choice.id in {*b"klmnop"}
        assert choice.logprob == log_softmax(logits)[choice.id]
        if not settings:
            assert choice.id == max(b"klmnop", key=lambda token: logits[token])
        sampler.accept(choice.id)
        assert sampler.choose(logits).id == EOS


def test_few_and_many_candidates_have_the_same_distribution() -> None:
    """Few are picked out of the logits, many are masked."""
    logits = np.random.default_rng(5).standard_normal(VOCABULARY).astype(np.float32) * 2
    for pattern in ("[a-d]", "[ -~]"):
        state = begun(regex(pattern))
        sampling = Sampling(temperature=0.7, grammar=regex(pattern), repetition_penalty=1.3, logit_bias={98: 1.0})
        found = Sampler(sampling, [97, 97], state).distribution(logits).at(np.arange(VOCABULARY))
        changed = logits.astype(np.float64)
        changed[98] += 1
        changed[97] = changed[97] / 1.3 if changed[97] > 0 else changed[97] * 1.3
        weights = np.where([token in allowed(state) for token in range(VOCABULARY)], np.exp(changed / 0.7), 0.0)
        np.testing.assert_allclose(found, weights / weights.sum(), atol=1e-6)


def test_a_bias_that_forbids_all_is_an_error() -> None:
    sampling = Sampling(grammar=regex("[ab]"), logit_bias={97: -np.inf, 98: -np.inf})
    sampler = Sampler(sampling, grammar=grammar_state(sampling, BYTES, BYTES.eos))
    with pytest.raises(RlxError, match=r"RLX905[\s\S]*logit_bias"):
        sampler.choose(np.zeros(VOCABULARY, np.float32))


def test_ignore_eos_writes_as_long_as_the_grammar_lets_it() -> None:
    assert EOS in allowed(begun(regex("a{0,3}")))
    state = begun(regex("a{0,3}"), ignore_eos=True)
    for _ in range(3):
        assert allowed(state) == {ord("a")}
        state.accept(ord("a"))
    assert allowed(state) == {EOS} and state.is_finished


def test_no_end_tokens_at_all() -> None:
    state = begun(regex("a|bc"), byte_tokenizer(eos=frozenset()))
    assert allowed(state) & set(range(VOCABULARY)) == {*b"ab"}
    state.accept(ord("a"))
    assert state.is_finished and state.may_end


def test_special_tokens_are_no_text() -> None:
    state = begun(regex("(?s:.*)"))
    assert allowed(state) & {256, 257, 258, 259} == {EOS}
    assert begun(lark('start: "<bos>x"')).forced() == [*b"<bos>x"]


def test_drafts_are_judged_by_the_grammar() -> None:
    """A draft of `ax` for `a(b|c)`: the a is taken, the x is not."""
    sampling = Sampling(temperature=1.0, seed=0, grammar=regex("(a|d)(b|c)"))
    logits = np.random.default_rng(0).standard_normal((3, VOCABULARY)).astype(np.float32)
    logits[0, ord("a")] = 50.0
    draft = Draft()
    draft.add(ord("a"))
    draft.add(ord("x"))
    sampler = Sampler(sampling, grammar=grammar_state(sampling, BYTES, BYTES.eos))
    choices = [choice.id for choice in verify_draft(draft, logits, sampler)]
    assert choices[0] == ord("a") and len(choices) == 2 and choices[1] in {*b"bc"}


def test_a_draft_may_go_on_behind_an_end() -> None:
    """What is judged behind an end token is not used; it is an end again."""
    sampling = Sampling(grammar=regex("a*"))
    logits = np.zeros((4, VOCABULARY), np.float32)
    logits[0, ord("a")] = logits[1, EOS] = 9.0
    draft = Draft()
    for token in (ord("a"), EOS, ord("a")):
        draft.add(token)
    sampler = Sampler(sampling, grammar=grammar_state(sampling, BYTES, BYTES.eos))
    assert [choice.id for choice in verify_draft(draft, logits, sampler)] == [ord("a"), EOS, EOS]
    assert sampler.grammar is not None
    sampler.grammar.rollback(1)
    assert sampler.grammar.is_finished and allowed(sampler.grammar) == {EOS}
    sampler.grammar.rollback(1)
    assert not sampler.grammar.is_finished and allowed(sampler.grammar) == {ord("a"), EOS}


def test_what_is_made_of_a_tokenizer_lives_as_long_as_it() -> None:
    tokenizer = byte_tokenizer()
    states = [begun(regex("a+"), tokenizer), begun(regex("b+"), tokenizer)]
    assert states[0]._tokens is states[1]._tokens
    gone = weakref.ref(tokenizer), weakref.ref(states[0]._tokens)
    del tokenizer, states
    gc.collect()
    assert gone[0]() is None and gone[1]() is None


# -- texts, with every kind of tokenizer ----------------------------------------------------------------------------------
PATTERNS = [
    r"[a-z]{3,9}",
    r"(red|green|blue)( and (red|green))?",
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}",
    r"[A-Za-z ,.]{0,30}\.",
    r"(naïve|日本|🙂){1,3}",
    r"-?(0|[1-9][0-9]{0,5})(\.[0-9]{1,4})?",
    r'\{"a": "[^"\\]{2,8}"\}',
    r"[^a-z]{4}",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_texts_match_their_pattern(tokenizer: Tokenizer, pattern: str) -> None:
    words = tokenizer.bos is not None and tokenizer.pieces[tokenizer.bos] == b"[CLS]"
    if words and re.search(r"[^\x00-\x7f]", pattern):
        pattern = "( the| red)(ing){2}"
    for seed in range(4):
        text, finish, ids = written(tokenizer, seed, grammar=regex(pattern), max_tokens=150)
        assert finish == "stop"
        assert re.fullmatch(pattern, text.decode()), (text, ids)


def test_forced_text_is_written_as_the_tokenizer_would(tokenizer: Tokenizer) -> None:
    """Where only one text can follow, its ids spell it; where the tokenizer keeps the text, they are the tokenizer's own."""
    text = '{"name": "the red value"}'
    state = begun(regex(f"x|{re.escape(text)}"), tokenizer)
    ids: list[int] = []
    first = next(n for n, piece in enumerate(tokenizer.pieces) if piece == b"{" and n not in tokenizer.special)
    state.accept(first)
    ids.append(first)
    while not state.is_finished:
        forced = state.forced()
        if not forced:  # the last token may be part of a longer one
            forced = [min(allowed(state))]
        state.accept(forced[0])
        ids.append(forced[0])
    assert b"".join(tokenizer.pieces[number] for number in ids) == text.encode()
    assert len(ids) < len(text)


def test_forced_tokens_one_by_one_are_those_of_the_whole(tokenizer: Tokenizer) -> None:
    state = begun(lark('start: /[ab]/ " the red value of {\\"items\\": [1, 2]}"'), tokenizer)
    first = next(n for n, piece in enumerate(tokenizer.pieces) if piece == b"a" and n not in tokenizer.special)
    state.accept(first)
    whole = state.forced()
    assert whole
    for place, token in enumerate(whole):
        assert state.forced() == whole[place:]
        state.accept(token)
    state.rollback(len(whole) - 1)
    assert state.forced() == whole[1:]


ARITHMETIC = """
start: sum
sum: product (("+" | "-") product)*
product: atom (("*" | "/") atom)*
atom: NUMBER | "(" sum ")"
NUMBER: /[1-9][0-9]{0,2}/
"""


def parsed(text: str) -> str:
    """What is left of a text after a sum of this grammar: recursive descent."""

    def atom(rest: str) -> str:
        if rest.startswith("("):
            rest = parsed(rest[1:])
            assert rest.startswith(")")
            return rest[1:]
        found = re.match(r"[1-9][0-9]{0,2}", rest)
        assert found
        return rest[found.end() :]

    rest = atom(text)
    while rest[:1] in {"+", "-", "*", "/"}:
        rest = atom(rest[1:])
    return rest


def test_texts_of_a_context_free_grammar(tokenizer: Tokenizer) -> None:
    finished = 0
    for seed in range(6):
        text, finish, _ = written(tokenizer, seed, grammar=lark(ARITHMETIC), max_tokens=120)
        if finish == "stop":
            finished += 1
            assert parsed(text.decode()) == ""
    assert finished >= 3


def test_no_token_is_taken_that_the_grammar_refuses(tokenizer: Tokenizer) -> None:
    """The mask agrees with the grammar's own judgement of every single token, at every place of a text."""
    random = np.random.default_rng(0)
    for pattern in ("[a-c]{2,6}x?", r"\{\"k\": (true|null|[0-9]+)\}"):
        state = begun(regex(pattern), tokenizer)
        for _ in range(8):
            can = allowed(state)
            for token in range(len(tokenizer.pieces)):
                follows = state.valid([token]) == 1
                assert follows == (token in can), (token, tokenizer.pieces[token])
            if state.is_finished:
                break
            token = int(random.choice(sorted(can)))
            state.accept(token)
            if token in tokenizer.eos:
                break


# -- grammars that leave no choice for long --------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("grammar", "text"),
    [
        (regex("a{9000}(b|c)"), "a" * 9000),
        (json_schema({"const": "the quick, é漢字 " * 600}), json.dumps("the quick, é漢字 " * 600, ensure_ascii=False)),
        (lark("start: a0\n" + "".join(f"a{n}: a{n + 1} a{n + 1}\n" for n in range(12)) + 'a12: "q"'), "q" * 4096),
    ],
    ids=["regex", "schema", "lark"],
)
def test_a_long_forced_text_is_made_into_tokens_piece_by_piece(
    grammar: Grammar, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    original = type(BYTES).encode

    def encode(self: Tokenizer, text: str, **how: Any) -> list[int]:
        sizes.append(len(text))
        return original(self, text, **how)

    monkeypatch.setattr(type(BYTES), "encode", encode)
    state, found = begun(grammar), []
    while forced := state.forced():
        assert len(forced) <= MOST_FORCED
        for token in forced:
            state.accept(token)
        found += forced
    assert bytes(found).decode() == text and max(sizes) <= 4097
    plans = {id(plan): len(plan) for plan, _, _ in state._trail if plan}
    assert sum(plans.values()) < 4 * len(found), "the plan is not kept anew for every token"
    state.rollback(len(found) - 5)
    assert state.forced(3) == found[5:8] and state.may_end is False


def test_a_grammar_has_a_longest_text() -> None:
    with pytest.raises(RlxError, match=r"RLX905.*1048600 characters, at most 1048576"):
        begun(regex("a" * 1048600))
