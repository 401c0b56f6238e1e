"""The engine: prompts in, text out. It puts together runner, sampler, text and drafts, and keeps caches from one prompt to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from rlx.core.errors import RlxError
from rlx.generate.defaults import default_sampling
from rlx.generate.drafters import Drafter
from rlx.generate.prefix import Prefixes
from rlx.generate.prompts import as_prompts, token_ids
from rlx.generate.results import Generation, Piece
from rlx.generate.runner import Runner, checked_capacity
from rlx.generate.sampling import Sampling
from rlx.generate.stream import Stream
from rlx.generate.template import chat_ids
from rlx.models import Model
from rlx.runtime.locks import RunLock

__all__ = ["Engine"]

Array = npt.NDArray[Any]
Prompt = str | Sequence[int] | npt.NDArray[np.integer[Any]]


class Engine:
    """Generates with one model.

    `context`: tokens a sequence can have; None: what the model was trained on. `draft` makes guesses that the model judges, for one
    sequence at a time: up to `draft_tokens` in a round, None: as many as pay (`DraftLength`). Up to `batch` prompts of a list run together.
    Threads wait for each other and get their own texts; a model may have several engines.

    >>> from rlx.models import open_model
    >>> engine = Engine(open_model("smollm2"), context=2048)  # doctest: +SKIP
    >>> str(engine.generate("The capital of France is", max_tokens=2))  # doctest: +SKIP
    ' Paris.'
    """

    def __init__(
        self,
        model: Model,
        *,
        context: int | None = None,
        chunk: int = 512,
        batch: int = 8,
        draft: Drafter | None = None,
        draft_tokens: int | None = None,
    ) -> None:
        if model.family.embeds:
            message = f"{model.source.path}: {model.config.architecture} gives embeddings, not text"
            raise RlxError("RLX702", message, fix="model.embed(texts), or a model that generates", at=None)
        self.model, self.draft, self.draft_tokens, self.batch = model, draft, draft_tokens, batch
        self.context, self.chunk = context, chunk
        self.sampling = default_sampling(model)
        self.lock = RunLock()  # held for a whole text, or token by token where the caller sees each
        self._idle: dict[int, Prefixes] = {}  # by batch size: caches that no text is being written with

    # -- what people call -------------------------------------------------------------------------------------------
    @overload
    def generate(
        self,
        prompt: Prompt,
        sampling: Sampling | None = None,
        *,
        stream: Callable[[Piece], None] | None = None,
        overflow: str = "error",
        special: bool = False,
        **settings: Any,
    ) -> Generation: ...
    @overload
    def generate(
        self,
        prompt: Sequence[Prompt],
        sampling: Sampling | None = None,
        *,
        stream: Callable[[Piece], None] | None = None,
        overflow: str = "error",
        special: bool = False,
        **settings: Any,
    ) -> list[Generation]: ...
    def generate(
        self,
        prompt: Prompt | Sequence[Prompt],
        sampling: Sampling | None = None,
        *,
        stream: Callable[[Piece], None] | None = None,
        overflow: str = "error",
        special: bool = False,
        **settings: Any,
    ) -> Generation | list[Generation]:
        """The text after a prompt, which is a text or ids: a Generation; of a list of them, a list. Settings are those of `Sampling`.

        `stream` is called with each Piece. `overflow`: what happens when the context is full: "error" (a prompt and max_tokens that do
        not fit are refused), "stop" (the text ends there), "shift" (the older half is forgotten, the rest evaluated anew).
        `special`: texts like `<|im_end|>` in a prompt are the tokens of that name.
        """
        prompts = as_prompts(prompt)
        encoded = [self.encode(one, special=special) for one in prompts]
        chosen = (sampling or self.sampling).with_settings(**settings)
        step = 1 if self.draft is not None else self.batch
        found: list[Generation] = []
        for start in range(0, len(encoded), step):
            job = Stream(self, encoded[start : start + step], chosen, overflow, first_row=start)
            self._finish(job, stream)
            found += job.results
        return found if prompts is prompt else found[0]

    def stream(
        self,
        prompt: Prompt,
        sampling: Sampling | None = None,
        *,
        overflow: str = "error",
        special: bool = False,
        **settings: Any,
    ) -> Stream:
        """Iterate over pieces of text as they come; then `.result` is the Generation."""
        chosen = (sampling or self.sampling).with_settings(**settings)
        return Stream(self, [self.encode(prompt, special=special)], chosen, overflow)

    def chat(
        self,
        messages: Sequence[Mapping[str, Any]] | str,
        sampling: Sampling | None = None,
        *,
        stream: Callable[[Piece], None] | None = None,
        overflow: str = "error",
        template: Mapping[str, Any] | None = None,
        **settings: Any,
    ) -> Generation:
        """The answer to a conversation: messages of `role` and `content`, or one text of the user. The template reads `template` too."""
        answer = self.stream_chat(messages, sampling, overflow=overflow, template=template, **settings)
        self._finish(answer, stream)
        return answer.result

    def stream_chat(
        self,
        messages: Sequence[Mapping[str, Any]] | str,
        sampling: Sampling | None = None,
        *,
        overflow: str = "error",
        template: Mapping[str, Any] | None = None,
        **settings: Any,
    ) -> Stream:
        """The same, piece by piece."""
        conversation = [{"role": "user", "content": messages}] if isinstance(messages, str) else messages
        chosen = (sampling or self.sampling).with_settings(**settings)
        found, notes = self.model.chat_template, []
        if found is None:
            notes.append("the model has no chat template: ChatML was used")
            chosen = chosen.with_settings(stop=(*chosen.stop, "<|im_end|>"))
        ids = chat_ids(self.model.tokenizer, found, conversation, **(template or {}))
        return Stream(self, [ids], chosen, overflow, strip=True, notes=notes)

    def encode(self, prompt: Prompt, *, special: bool = False) -> list[int]:
        """The ids of a prompt; a text begins with the token its model expects there."""
        if not isinstance(prompt, str):
            ids = token_ids(prompt)
        else:
            tokenizer = self.model.tokenizer
            ids = tokenizer.encode(prompt, add_special=False, special=special)
            if tokenizer.add_bos and tokenizer.bos is not None and ids[:1] != [tokenizer.bos]:
                ids = [tokenizer.bos, *ids]
            if not prompt:
                raise RlxError("RLX903", "the prompt is empty", fix="at least one character")
        if not ids:
            raise RlxError("RLX903", "the prompt has no tokens", fix="at least one token")
        return ids

    def _finish(self, job: Stream, told: Callable[[Piece], None] | None) -> None:
        """Read a stream to its end. Others wait for a whole text; where somebody is told of each piece, for a token at a time."""
        if told is None:
            with self.lock:
                for _ in job.pieces():
                    pass
        else:
            for piece in job.pieces():
                told(piece)

    # -- what streams use -------------------------------------------------------------------------------------------
    @property
    def capacity(self) -> int:
        """Tokens a sequence can have."""
        return checked_capacity(self.model, self.context)

    def runner(self, batch: int = 1) -> Runner:
        """The runner that the next text of a batch size is written with, made when first needed."""
        prefixes = self.take(batch)
        self.give_back(prefixes)
        return prefixes.runner

    def take(self, batch: int) -> Prefixes:
        """A runner that no other text is being written with, with what it still has of earlier prompts."""
        idle = self._idle.pop(batch, None)
        if idle is not None:
            return idle
        hidden = self.draft is not None and self.draft.wants_hidden
        return Prefixes(Runner(self.model, batch=batch, capacity=self.context, chunk=self.chunk, hidden=hidden))

    def give_back(self, prefixes: Prefixes) -> None:
        """The text has ended: the next one goes on with these caches. One is kept of single sequences, and one of batches.

        Takes no lock: a stream that is left half read gives back when it is collected, wherever that happens.
        """
        batch = prefixes.runner.batch
        for size in [size for size in tuple(self._idle) if batch > 1 and size > 1]:
            self._idle.pop(size, None)
        self._idle[batch] = prefixes
