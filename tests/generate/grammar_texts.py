"""What tests of grammars share: small tokenizers of every kind, texts written by random weights, and random JSON schemas."""

from __future__ import annotations

import json
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import tokenizers
from tokenizers import decoders, models, pre_tokenizers, trainers

from rlx.formats.gguf import read_gguf
from rlx.formats.gguf_tokenizer import BYTE, CONTROL, NORMAL, gguf_tokenizer
from rlx.formats.gguf_writer import write_gguf
from rlx.formats.tokenizer import Tokenizer, folder_tokenizer
from rlx.generate.grammar_state import grammar_state
from rlx.generate.sampler import Sampler
from rlx.generate.sampling_settings import Sampling

CORPUS = [
    json.dumps({"name": "Ada Lovelace", "age": 36, "tags": ["red", "green", "blue"], "size": -1.5e3, "is": [True, None]}),
    'the value of {"items": [{"id": 12, "id": 345}, {"price": 9.99, "ok": false}], "next": null} is 2024-05-06T07:08:09Z',
    "user@example.org 127.0.0.1 naïve café Straße 日本語 🙂",
    *string.printable,
]
SPECIAL = ["<|end|>", "<|start|>", "<|stop|>"]


# -- tokenizers of every kind -------------------------------------------------------------------------------------------
def merges_folder(folder: Path) -> Tokenizer:
    """Bytes merged in pairs, as tokenizer.json."""
    engine = tokenizers.Tokenizer(models.BPE())
    engine.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    engine.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=420, special_tokens=SPECIAL, initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()), show_progress=False
    )
    engine.train_from_iterator(CORPUS * 3, trainer)
    engine.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text('{"eos_token": "<|end|>"}')
    return folder_tokenizer(folder)


def _gguf(folder: Path, kind: str, tokens: list[str], types: list[int], **more: Any) -> Tokenizer:
    metadata = {"general.architecture": "llama", "tokenizer.ggml.model": kind, "tokenizer.ggml.tokens": tokens}
    metadata["tokenizer.ggml.token_type"] = np.array(types, np.int32)
    write_gguf(folder / "t.gguf", metadata | {f"tokenizer.ggml.{key}": value for key, value in more.items()}, {})
    return gguf_tokenizer(read_gguf(folder / "t.gguf"))


def merges_gguf(folder: Path) -> Tokenizer:
    """The same, as GGUF."""
    merges_folder(folder)
    found = json.loads((folder / "tokenizer.json").read_text())["model"]
    tokens = sorted(found["vocab"], key=found["vocab"].get)
    types = [CONTROL if token in SPECIAL else NORMAL for token in tokens]
    merges = [" ".join(pair) for pair in found["merges"]]
    return _gguf(folder, "gpt2", tokens, types, merges=merges, pre="gpt-2", eos_token_id=0, bos_token_id=1)


def _words() -> list[str]:
    return sorted({word for line in CORPUS for word in line.replace('"', ' " ').split()} - set(string.printable))


def scores_gguf(folder: Path) -> Tokenizer:
    """SentencePiece: pieces with scores, ▁ for spaces, bytes for the rest."""
    letters = [letter for letter in string.printable[:95] if letter != " "]
    pieces = ["▁", *letters, *(f"▁{word}"[:n] for word in _words() for n in range(2, len(word) + 2)), '":', '",', '{"']
    pieces = list(dict.fromkeys(pieces))
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *pieces]
    types = [CONTROL] * 3 + [BYTE] * 256 + [NORMAL] * len(pieces)
    scores = np.array([0.0] * 259 + [-float(number) for number in range(len(pieces))], np.float32)
    return _gguf(folder, "llama", tokens, types, scores=scores, bos_token_id=1, eos_token_id=2, unknown_token_id=0)


def unigram_folder(folder: Path) -> Tokenizer:
    """SentencePiece's other model, as tokenizer.json."""
    letters = [letter for letter in string.printable[:95] if letter != " "]
    pieces = [("<unk>", 0.0), ("</s>", 0.0), *((f"<0x{byte:02X}>", -20.0) for byte in range(256)), ("▁", -3.0)]
    pieces += [(letter, -6.0) for letter in letters]
    pieces += [(piece, -4.0) for piece in dict.fromkeys([*(f"▁{word}" for word in _words()), '":', '",', '{"'])]
    engine = tokenizers.Tokenizer(models.Unigram(pieces, 0, True))
    engine.pre_tokenizer = pre_tokenizers.Metaspace()
    engine.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Metaspace()])
    engine.add_special_tokens(["<unk>", "</s>"])
    engine.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text('{"eos_token": "</s>"}')
    return folder_tokenizer(folder)


def words_gguf(folder: Path) -> Tokenizer:
    """Word pieces: a text is lower case, its spaces are lost."""
    letters = [letter for letter in string.printable[:95] if letter != " "]
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *(f"▁{letter}" for letter in letters), *letters, "▁red", "▁the", "ing"]
    types = [CONTROL] * 4 + [NORMAL] * (len(tokens) - 4)
    return _gguf(folder, "bert", tokens, types, unknown_token_id=1, cls_token_id=2, seperator_token_id=3)


KINDS: dict[str, Callable[[Path], Tokenizer]] = {
    maker.__name__: maker for maker in (merges_folder, merges_gguf, scores_gguf, unigram_folder, words_gguf)
}


# -- texts --------------------------------------------------------------------------------------------------------------
class RandomWeights:
    """A recurrent model: its state is the sum of embeddings so far, the logits are a product with its cosine."""

    def __init__(self, vocabulary: int, seed: int) -> None:
        random = np.random.default_rng(seed)
        self.table = random.standard_normal((vocabulary, 16)).astype(np.float32)
        self.output = random.standard_normal((vocabulary, 16)).astype(np.float32) * np.float32(0.5)
        self.state = np.zeros(16, np.float32)

    def logits(self) -> np.ndarray:
        return self.output @ np.cos(self.state)

    def feed(self, token: int) -> None:
        self.state += self.table[token]


def written(
    tokenizer: Tokenizer, seed: int, *, model_seed: int = 0, hurry: float = 3.0, **settings: Any
) -> tuple[bytes, str, list[int]]:
    """A text that random weights write: its bytes, why it ended, its ids. `hurry` makes what closes strings and brackets likelier."""
    closing = {number: hurry for number, piece in enumerate(tokenizer.pieces) if piece in (b'"', b"}", b"]", b'"}')}
    sampling = Sampling(**{"temperature": 1.0, "seed": seed, "max_tokens": 400, "logit_bias": closing, **settings})
    state = grammar_state(sampling, tokenizer, tokenizer.eos)
    assert state is not None and sampling.max_tokens is not None
    sampler, model = Sampler(sampling, grammar=state), RandomWeights(len(tokenizer.pieces), model_seed)
    ids: list[int] = []
    finish = "length"
    while len(ids) < sampling.max_tokens and finish == "length":
        token = sampler.choose(model.logits()).id
        sampler.accept(token)
        model.feed(token)
        if token in tokenizer.eos:
            finish = "stop"
        else:
            ids.append(token)
    return b"".join(tokenizer.pieces[token] for token in ids), finish, ids
