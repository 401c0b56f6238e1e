"""Small models made in the test: an attention model and a recurrent one, each with its formula in NumPy, and a tokenizer of bytes."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from rlx.formats.tokenizer import Tokenizer
from rlx.models import Config, Family, Flow, Model, Weight
from rlx.runtime.session import Session

VOCABULARY, WIDTH, HEADS, CONTEXT = 300, 16, 2, 96
EOS, BOS, TURN, END = 256, 257, 258, 259
SPECIAL = {"<eos>": EOS, "<bos>": BOS, "<turn>": TURN, "<end>": END}


class ByteEngine:
    """Every byte is a token; special texts are looked for where they are allowed."""

    encode_special_tokens = True

    @dataclass
    class Encoded:
        ids: list[int]

        def __len__(self) -> int:
            return len(self.ids)

    def encode_batch_fast(self, texts: list[str], add_special_tokens: bool = False) -> list[Encoded]:
        return [self.encode(text, add_special_tokens) for text in texts]

    def encode(self, text: str, add_special_tokens: bool = False) -> Encoded:
        ids: list[int] = []
        while text:
            name = next((name for name in SPECIAL if text.startswith(name)), None)
            if name is not None and not self.encode_special_tokens:
                ids.append(SPECIAL[name])
                text = text[len(name) :]
            else:
                ids += text[0].encode()
                text = text[1:]
        return self.Encoded(ids)


def byte_tokenizer(**more: Any) -> Tokenizer:
    pieces = [bytes([value]) for value in range(256)] + [name.encode() for name in SPECIAL]
    pieces += [b"<pad>"] * (VOCABULARY - len(pieces))
    settings: dict[str, Any] = {"bos": BOS, "eos": frozenset({EOS}), "add_bos": False, "add_eos": False, "names": SPECIAL}
    return Tokenizer(pieces, frozenset(SPECIAL.values()), engine=ByteEngine(), **{**settings, **more})


@dataclass
class TinySource:
    """What a model asks of a file."""

    weights: dict[str, Weight]
    tokenizer: Tokenizer = field(default_factory=byte_tokenizer)
    path: Path = Path("tiny")
    generation: dict[str, Any] = field(default_factory=dict)

    def release_pages(self) -> None: ...


def _model(
    arrays: dict[str, np.ndarray], build: Any, session: Session | None, recurrent: bool, draft: Any = None, **source: Any
) -> Model:
    weights = {name: Weight(array.shape, None, lambda array=array: array, array.nbytes) for name, array in arrays.items()}
    family = Family((), (), None, None, None, build, draft=draft, recurrent=recurrent)  # type: ignore[arg-type]
    config = Config("tiny", 1, WIDTH, arrays["output"].shape[0], CONTEXT)
    return Model(TinySource(weights, **source), family, config, session or Session("cpu"))  # type: ignore[arg-type]


def attention_arrays(seed: int = 0, vocabulary: int = VOCABULARY) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)

    def draw(*dims: int) -> np.ndarray:
        return (random.standard_normal(dims) * dims[-1] ** -0.5).astype(np.float32)

    names = {f"blk.{n}.attn_{name}": draw(WIDTH, WIDTH) * 2 for n in range(2) for name in ("q", "k", "v", "output")}
    places = random.standard_normal((CONTEXT, WIDTH)).astype(np.float32) * 0.3
    return {"token_embd": draw(vocabulary, WIDTH) * 4, "position": places, **names, "output": draw(vocabulary, WIDTH) * 3}


def attention_model(seed: int = 0, vocabulary: int = VOCABULARY, session: Session | None = None, **source: Any) -> Model:
    """One layer of attention on embeddings of tokens and places; a head that drafts is another layer on its hidden and the next token."""

    def layer(flow: Flow, x: Any) -> Any:
        q, k, v = (flow.linear(x, f"attn_{name}") for name in ("q", "k", "v"))
        return x + flow.linear(flow.attention(q, k, v, heads=HEADS, kv_heads=HEADS, head_dim=WIDTH // HEADS), "attn_output")

    def build(flow: Flow, config: Config) -> None:
        x = flow.embed() + flow.module.gather(flow.param("position"), flow.positions, axis=0)
        with flow.scope("blk.0"):
            x = layer(flow, x)
        flow.logits(flow.last(x))

    def draft(flow: Flow, config: Config) -> None:
        hidden = flow.module.input("hidden", (flow.shapes.batch, flow.shapes.seq, WIDTH), "f32")
        with flow.scope("blk.1"):
            x = layer(flow, hidden + flow.embed())
        flow.logits(flow.last(x))

    return _model(attention_arrays(seed, vocabulary), build, session, False, draft, **source)


def attention_hidden(x: np.ndarray, arrays: dict[str, np.ndarray], number: int) -> np.ndarray:
    """A layer in NumPy, f64, without caches."""
    size, mixed = WIDTH // HEADS, []
    q, k, v = (x @ arrays[f"blk.{number}.attn_{name}"].T for name in ("q", "k", "v"))
    for head in range(HEADS):
        part = slice(head * size, (head + 1) * size)
        scores = q[:, part] @ k[:, part].T / np.sqrt(size)
        scores[np.triu_indices(len(x), 1)] = -np.inf
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        mixed.append(weights / weights.sum(-1, keepdims=True) @ v[:, part])
    return x + np.concatenate(mixed, -1) @ arrays[f"blk.{number}.attn_output"].T


def attention_logits(ids: list[int], seed: int = 0, vocabulary: int = VOCABULARY) -> np.ndarray:
    """The model by its formula: f64[length, vocabulary]."""
    arrays = {name: array.astype(np.float64) for name, array in attention_arrays(seed, vocabulary).items()}
    return attention_hidden(arrays["token_embd"][ids] + arrays["position"][: len(ids)], arrays, 0) @ arrays["output"].T


def head_guesses(ids: list[int], count: int, seed: int = 0, vocabulary: int = VOCABULARY) -> list[int]:
    """What the head drafts after ids, greedily, by its formula."""
    arrays = {name: array.astype(np.float64) for name, array in attention_arrays(seed, vocabulary).items()}
    seen = arrays["token_embd"][ids[:-1]] + arrays["position"][: len(ids) - 1]
    hidden, tokens = attention_hidden(seen, arrays, 0), list(ids[1:])
    for _ in range(count):
        after = attention_hidden(hidden + arrays["token_embd"][tokens], arrays, 1)
        tokens.append(int(np.argmax(after[-1] @ arrays["output"].T)))
        hidden = np.concatenate([hidden, after[-1:]])
    return tokens[len(ids) - 1 :]


def recurrent_arrays(seed: int = 0, vocabulary: int = VOCABULARY) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    table = random.standard_normal((vocabulary, WIDTH)).astype(np.float32)
    return {"token_embd": table, "output": random.standard_normal((vocabulary, WIDTH)).astype(np.float32) * 0.5}


def recurrent_model(seed: int = 0, vocabulary: int = VOCABULARY, session: Session | None = None, **source: Any) -> Model:
    """A state that is the sum of all embeddings so far; its cosine gives the logits."""

    def build(flow: Flow, config: Config) -> None:
        module, batch = flow.module, flow.shapes.batch
        x = module.where(flow.real.reshape(batch, flow.shapes.seq, 1), flow.embed(), 0.0)
        with flow.scope("blk.0"):
            state = flow.state("state", (WIDTH,))
        sums = module.cumsum(x, axis=1) + state.reshape(batch, 1, WIDTH)
        module.update(state, state + x.sum(axes=1))
        flow.logits(module.cos(flow.last(sums)))

    return _model(recurrent_arrays(seed, vocabulary), build, session, True, **source)


def recurrent_logits(ids: list[int], seed: int = 0, vocabulary: int = VOCABULARY) -> np.ndarray:
    arrays = {name: array.astype(np.float64) for name, array in recurrent_arrays(seed, vocabulary).items()}
    return np.cos(np.cumsum(arrays["token_embd"][ids], axis=0)) @ arrays["output"].T


def greedy(logits: Any, ids: list[int], count: int, context: int = CONTEXT, **model: Any) -> list[int]:
    """The likeliest token after the others, again and again, by the formula."""
    text = list(ids)
    for _ in range(count):
        text.append(int(np.argmax(logits(text, **model)[-1])))
    return text[len(ids) :]
