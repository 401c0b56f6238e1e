"""The engine: prompts of many callers in, their texts out. Each step runs the model once, on tokens of all of them (decision 0018)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Mapping
from collections.abc import Sequence as Rows
from types import NoneType
from typing import Any, TypeGuard, cast, overload

import numpy as np
import numpy.typing as npt

from rlx.core.errors import RlxError, check_count, check_is, did_you_mean, with_known_options
from rlx.generate.drafters import Drafter
from rlx.generate.engine.core import EngineCore, check_overflow
from rlx.generate.engine.embedding import Array, EmbeddingCall, EmbeddingCore
from rlx.generate.engine.schedule import BLOCK, StepLimits
from rlx.generate.engine.sequence import Stream
from rlx.generate.results import EngineStats, Generation, Piece
from rlx.generate.runner import checked_capacity
from rlx.generate.sampling_settings import Sampling, chat_sampling, default_sampling, end_ids
from rlx.generate.template import chat_ids
from rlx.generate.text import as_prompts, token_ids
from rlx.models import Model

Prompt = str | Rows[int] | npt.NDArray[np.integer[Any]]
Messages = Rows[Mapping[str, Any]]
_CACHES = ("f32", "f16", "bf16", "q8_0")


class Engine:
    """Generates with one model, for many callers at once; with a model that gives embeddings, embeds.

    `context`: tokens a sequence can have; None: what the model was trained on. `memory`: bytes for keys and values of all sequences;
    a share of what is free, such as 0.25, up to 8 sequences of full length; None: 8 of them, or what fits a quarter of what is free,
    but at least one. `cache_dtype`: their type, f32, f16, bf16 or q8_0; None:
    the model's. `batch` sequences run together; a step takes up to `chunk` tokens of prompts, `chunk_beside` while somebody is being
    answered. `prefix_cache`: beginnings of earlier prompts and texts are not computed again. `draft` makes guesses that the model
    judges: up to `draft_tokens` in a round, None: as many as pay.

    Callers may be threads or coroutines. A request gets the same bytes alone and among others, unless `deterministic` is False. The
    thread that waits for its text steps for all; `start()` gives the engine a thread of its own.

    >>> from rlx.models import open_model
    >>> engine = Engine(open_model("smollm2"), context=2048)  # doctest: +SKIP
    >>> str(engine.generate("The capital of France is", max_tokens=2))  # doctest: +SKIP
    ' Paris.'
    """

    @with_known_options("Engine", "RLX902")
    def __init__(
        self,
        model: Model,
        *,
        context: int | None = None,
        chunk: int = 512,
        chunk_beside: int = 128,
        batch: int = 64,
        memory: int | float | None = None,
        prefix_cache: bool = True,
        draft: Drafter | None = None,
        draft_tokens: int | None = None,
        deterministic: bool = True,
        cache_dtype: str | None = None,
    ) -> None:
        check_is(model, Model, "RLX902", "the model", "rlx.load_model(…)")
        for name, size in {"batch": batch, "chunk": chunk, "chunk_beside": chunk_beside}.items():
            check_count(size, "RLX902", name)
        if draft_tokens is not None:
            check_count(draft_tokens, "RLX902", "draft_tokens")
        if memory is not None and not (isinstance(memory, float) and 0 < memory < 1):
            check_count(memory, "RLX902", "memory", "bytes, 1 or more; or a share of what is free, below 1.0")
        for name, flag in {"prefix_cache": prefix_cache, "deterministic": deterministic}.items():
            check_is(flag, bool, "RLX902", name, "True or False")
        check_is(draft, (Drafter, NoneType), "RLX902", "draft", "a Drafter: LookupDrafter(), ModelDrafter(…), …")
        if cache_dtype not in (None, *_CACHES):
            raise RlxError("RLX902", f"cache_dtype is {cache_dtype!r:.60}", fix=f"one of {', '.join(_CACHES)}")
        checked_capacity(model, context)
        self.model, self.batch = model, batch
        self.sampling, self.chat_sampling = default_sampling(model), chat_sampling(model)
        limits = StepLimits(batch, chunk, min(chunk, chunk_beside), BLOCK if model.recurrent else None)
        self._closed = False
        self._embedding = EmbeddingCore(model) if model.family.embeds else None  # generating models build it on first use
        self._generating = (
            None
            if model.family.embeds
            else EngineCore(
                model,
                limits,
                context=context,
                memory=memory,
                prefix_cache=prefix_cache,
                draft=draft,
                draft_tokens=draft_tokens,
                deterministic=deterministic,
                cache_dtype=cache_dtype,
            )
        )

    # -- what people call -------------------------------------------------------------------------------------------
    def submit(
        self,
        prompt: Prompt | Messages,
        sampling: Sampling | None = None,
        *,
        n: int = 1,
        priority: int = 0,
        caller: Hashable = None,
        overflow: str = "error",
        special: bool = False,
        template: Mapping[str, Any] | None = None,
        cache_salt: Hashable = None,
        **settings: Any,
    ) -> Stream:
        """Submits a text, ids, or a conversation (messages with `role` and `content`); returns a Stream at once. From any thread.

        `n` answers share the prompt's pages. A higher `priority` goes first; among equals the `caller` (any name) who has been served the
        fewest tokens. Settings are those of `Sampling`; the others are those of `generate` and `chat`.
        Only prompts of one `cache_salt` share what is computed of their beginnings.

        >>> engine.submit("Once upon a time", max_tokens=8).result.finish  # doctest: +SKIP
        'length'
        """
        own = self.chat_sampling if _is_conversation(prompt) else self.sampling
        chosen = _choose_settings(Engine.submit, sampling or own, settings, overflow)
        how: dict[str, Any] = {"n": n, "priority": priority, "caller": caller, "overflow": overflow, "cache_salt": cache_salt}
        if _is_conversation(prompt):
            return self._conversation(prompt, chosen, template, **how)
        return self._submit([self.encode(cast(Prompt, prompt), special=special)], chosen, **how)

    def submit_async(self, prompt: Prompt | Messages, sampling: Sampling | None = None, **options: Any) -> Stream:
        """Submits like `submit`, for coroutines: `async for piece in engine.submit_async(…)`. A thread of the engine runs steps."""
        self.start()
        return self.submit(prompt, sampling, **options)

    def start(self) -> None:
        """Starts a thread that runs the engine's steps: for programs whose callers do not wait for their texts one by one."""
        self._stepping.start()

    def prepare(self) -> None:
        """Compiles, loads and packs the model now, not at the first request."""
        self._stepping.prepare()

    def close(self) -> None:
        """Ends all streams, and the engine's thread; nothing can be submitted any more."""
        with self.model.session.lock:
            self._closed = True
            cores = (self._generating, self._embedding)
        for core in cores:
            if core is not None:
                core.close()

    def stats(self) -> EngineStats:
        """Returns the engine's counts: sequences, pages, prefix hits, tokens.

        >>> engine.stats().pages_share  # doctest: +SKIP
        0.25
        """
        return self._stepping.stats()

    @property
    def capacity(self) -> int:
        """The limit of tokens in a sequence of this engine."""
        return self._stepping.capacity

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
        prompt: Rows[Prompt],
        sampling: Sampling | None = None,
        *,
        stream: Callable[[Piece], None] | None = None,
        overflow: str = "error",
        special: bool = False,
        **settings: Any,
    ) -> list[Generation]: ...
    def generate(
        self,
        prompt: Prompt | Rows[Prompt],
        sampling: Sampling | None = None,
        *,
        stream: Callable[[Piece], None] | None = None,
        overflow: str = "error",
        special: bool = False,
        **settings: Any,
    ) -> Generation | list[Generation]:
        """Generates the text after a prompt (a text or ids): a Generation, or a list for a list. Settings are those of `Sampling`.

        `stream` is called with each Piece. `overflow`: what happens when the context is full: "error" (a prompt and max_tokens that do
        not fit are refused), "stop" (the text ends there), "shift" (the older half is forgotten, the rest evaluated anew).
        `special`: texts like `<|im_end|>` in a prompt are the tokens of that name.
        """
        chosen = _choose_settings(Engine.generate, sampling or self.sampling, settings, overflow)
        _check_callback(stream)
        prompts = as_prompts(prompt)
        encoded = [self.encode(one, special=special) for one in prompts]
        results = _read_to_end(self._submit(encoded, chosen, overflow=overflow), stream)
        return results if prompts is prompt else results[0]

    def stream(
        self, prompt: Prompt, sampling: Sampling | None = None, *, overflow: str = "error", special: bool = False, **settings: Any
    ) -> Stream:
        """Submits a prompt; returns a Stream that yields pieces of text. After the last one, `.result` is the Generation."""
        chosen = _choose_settings(Engine.stream, sampling or self.sampling, settings, overflow)
        return self._submit([self.encode(prompt, special=special)], chosen, overflow=overflow)

    def chat(
        self,
        messages: Messages | str,
        sampling: Sampling | None = None,
        *,
        stream: Callable[[Piece], None] | None = None,
        overflow: str = "error",
        tools: Rows[Mapping[str, Any]] | None = None,
        enable_thinking: bool | None = None,
        template: Mapping[str, Any] | None = None,
        continue_final_message: bool = False,
        **settings: Any,
    ) -> Generation:
        """Answers a conversation: messages of `role` and `content`, or one text of the user. The template reads `template` too.

        `tools` are described to the model by its template, as JSON schemas of functions; calls come as the text that the model
        writes, with its marks. `enable_thinking` is read by templates of models that can think, or not. With
        `continue_final_message` the answer goes on with the last message, which is the assistant's.
        """
        _check_callback(stream)
        answer = self.stream_chat(
            messages,
            sampling,
            overflow=overflow,
            tools=tools,
            enable_thinking=enable_thinking,
            template=template,
            continue_final_message=continue_final_message,
            **settings,
        )
        return _read_to_end(answer, stream)[0]

    def stream_chat(
        self,
        messages: Messages | str,
        sampling: Sampling | None = None,
        *,
        overflow: str = "error",
        tools: Rows[Mapping[str, Any]] | None = None,
        enable_thinking: bool | None = None,
        template: Mapping[str, Any] | None = None,
        continue_final_message: bool = False,
        **settings: Any,
    ) -> Stream:
        """Answers a conversation like `chat`, piece by piece."""
        chosen = _choose_settings(Engine.stream_chat, sampling or self.chat_sampling, settings, overflow)
        conversation = [{"role": "user", "content": messages}] if isinstance(messages, str) else messages
        variables: dict[str, Any] = {"tools": tools, "enable_thinking": enable_thinking}
        if continue_final_message:
            variables["continue_final_message"] = True
        given = {name: value for name, value in variables.items() if value is not None}
        self._check_template_reads(given)
        if tools:
            chosen = chosen.with_settings(shown_ids=(*chosen.shown_ids, *self._call_marks()))
        return self._conversation(conversation, chosen, {**(template or {}), **given}, overflow=overflow)

    def _check_template_reads(self, given: Mapping[str, Any]) -> None:
        """Refuses options that the model's template does not read: tools, enable_thinking."""
        for name in ("tools", "enable_thinking"):
            if given.get(name) not in (None, []) and name not in (self.model.chat_template or ""):
                message = f"the model's chat template does not read {name!r}"
                fix = "describe the tools in a system message, or use `rlx serve`, which does" if name == "tools" else ""
                raise RlxError("RLX904", message, fix=fix or "leave it out: this model does not support it", at=None)

    def _call_marks(self) -> tuple[int, ...]:
        """Returns the special tokens in the model's template that mark tool calls: all but those that end an answer."""
        names, template = self.model.tokenizer.names, self.model.chat_template or ""
        return tuple(number for name, number in names.items() if name in template and number not in end_ids(self.model))

    def embed(self, texts: Rows[str | Rows[int]], *, truncate: bool = False, **how: Any) -> Array:
        """Embeds texts or ids: a vector for each, f32[count, width]. A model that generates gives its last token's state.

        Up to `batch` texts (32) are computed at once. `priority` and `caller` are those of `submit`: calls take turns, batch by batch, and
        each gets the same bytes alone and among others. A text longer than the context is an error, or truncated with `truncate`.

        >>> Engine(open_model("minilm")).embed(["a cat", "a kitten"]).shape  # doctest: +SKIP
        (2, 384)
        """
        return self.submit_embed(texts, truncate=truncate, **how).vectors

    def submit_embed(self, texts: Rows[str | Rows[int]], *, truncate: bool = False, **how: Any) -> EmbeddingCall:
        """Submits texts to embed: `call.vectors` waits, `await call.gathered()` does so in coroutines, `call.cancel()` ends it."""
        with self.model.session.lock:
            if self._embedding is None:
                self._embedding = EmbeddingCore(self.model)
                if self._closed:
                    self._embedding.close()
        return self._embedding.submit(self._embedding.embedder.encode_all(texts, truncate=truncate), **how)

    def encode(self, prompt: Prompt, *, special: bool = False, most: int | None = None) -> list[int]:
        """Tokenizes a prompt; a text begins with the token its model expects there. A text of more than `most` ids is RLX901."""
        if not isinstance(prompt, str):
            ids = token_ids(prompt)
        else:
            tokenizer = self.model.tokenizer
            ids = tokenizer.encode(prompt, add_special=False, special=special, most=most)
            if tokenizer.add_bos and tokenizer.bos is not None and ids[:1] != [tokenizer.bos]:
                ids = [tokenizer.bos, *ids]
            if not prompt:
                raise RlxError("RLX903", "the prompt is empty", fix="at least one character")
        if not ids:
            raise RlxError("RLX903", "the prompt has no tokens", fix="at least one token")
        return ids

    @property
    def _core(self) -> EngineCore:
        """The generating core; an embedding model has none."""
        if self._generating is None:
            message = f"{self.model.source.path}: {self.model.config.architecture} gives embeddings, not text"
            raise RlxError("RLX702", message, fix="model.embed(texts), or a model that generates", at=None)
        return self._generating

    @property
    def _stepping(self) -> EngineCore | EmbeddingCore:
        """The core that runs the model's steps: the generating or the embedding one."""
        return self._generating or cast(EmbeddingCore, self._embedding)

    def _conversation(self, messages: Messages, sampling: Sampling, template: Mapping[str, Any] | None, **how: Any) -> Stream:
        chat_template, notes = self.model.chat_template, []
        if chat_template is None:
            notes.append("the model has no chat template: ChatML was used")
            sampling = sampling.with_settings(stop=(*sampling.stop, "<|im_end|>"))
        ids = chat_ids(self.model.tokenizer, chat_template, messages, **(template or {}))
        goes_on = bool((template or {}).get("continue_final_message"))
        return self._submit([ids], sampling, notes=notes, strip=not goes_on, **how)

    def _submit(self, prompts: Rows[list[int]], sampling: Sampling, *, notes: Rows[str] = (), **how: Any) -> Stream:
        request, sequences = self._core.submit(prompts, sampling, **how)
        grammar = sequences[0].sampler.grammar if sequences else None
        more = [] if grammar is None else [str(note) for note in grammar.notes]
        return Stream(self._core, request, sequences, [*notes, *more])


def _choose_settings(call: Callable[..., Any], sampling: Sampling, settings: Mapping[str, Any], overflow: str) -> Sampling:
    """Applies the settings of a call before anything is tokenized; a misspelled one may mean an option of the call."""
    check_overflow(overflow)
    unknown = [name for name in settings if name not in Sampling.__dataclass_fields__]
    own = [name for name, each in inspect.signature(call).parameters.items() if each.kind is each.KEYWORD_ONLY] if unknown else []
    for name in unknown:
        hint = did_you_mean(name, own)
        if hint:
            raise RlxError("RLX902", f"{call.__name__} has no option {name!r}", fix=hint)
    return sampling.with_settings(**settings)


def _check_callback(stream: Callable[[Piece], None] | None) -> None:
    if stream is not None and not callable(stream):
        raise RlxError("RLX902", f"stream is {stream!r:.60}", fix="a function of a Piece; `.stream(…)` gives an iterator")


def _is_conversation(prompt: Prompt | Messages) -> TypeGuard[Messages]:
    return isinstance(prompt, (list, tuple)) and bool(prompt) and all(isinstance(one, Mapping) for one in prompt)


def _read_to_end(stream: Stream, told: Callable[[Piece], None] | None) -> list[Generation]:
    """Reads a stream to its end; Ctrl-C cancels it, even if a traceback holds it."""
    try:
        if told is not None:
            for piece in stream.pieces():
                told(piece)
        return stream.results
    except BaseException:
        stream.cancel()
        raise
