"""load_model: a model that generates, chats and embeds."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, overload

from rlx.backends.registry import find_backend
from rlx.core.errors import RlxError, with_known_options
from rlx.core.sharding import Mesh, P
from rlx.generate.engine import Engine, Stream
from rlx.generate.engine.embedding import Array, Embedder
from rlx.generate.engine.engine import Prompt
from rlx.generate.results import Generation
from rlx.generate.template import start_worker
from rlx.hub import find_model
from rlx.models.family import Profile
from rlx.models.model import Model, open_model
from rlx.models.source import HfSource
from rlx.runtime.compile import make_options
from rlx.runtime.device_calls import mesh_session


@dataclass(repr=False)
class LanguageModel(Model):
    """An opened model that generates, chats and embeds. Thread-safe: texts of several callers are computed together, and each gets its own.

    >>> import rlx
    >>> model = rlx.load_model("smollm2")
    >>> for text in model.stream("Once upon a time", max_tokens=16):  # doctest: +SKIP
    ...     print(text, end="", flush=True)
    """

    _engine: Engine | None = field(default=None, init=False, repr=False, compare=False)
    _embedder: Embedder | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def engine(self) -> Engine:
        """The model's engine, which generates or embeds; created on first use, shared by all threads."""
        with self.session.lock:
            if self._engine is None:
                self._engine = Engine(self)
            return self._engine

    @property
    def embedder(self) -> Embedder:
        """The model's embedder; created on first use, shared by all threads."""
        with self.session.lock:
            if self._embedder is None:
                self._embedder = Embedder(self)
            return self._embedder

    @overload
    def generate(self, prompt: Prompt, **options: Any) -> Generation: ...
    @overload
    def generate(self, prompt: Sequence[Prompt], **options: Any) -> list[Generation]: ...
    def generate(self, prompt: Prompt | Sequence[Prompt], **options: Any) -> Generation | list[Generation]:
        """Returns the text after a prompt: `Engine.generate`."""
        return self.engine.generate(prompt, **options)

    def stream(self, prompt: Prompt, **options: Any) -> Stream:
        """Yields pieces of text as they are generated: `Engine.stream`."""
        return self.engine.stream(prompt, **options)

    def chat(self, messages: Sequence[Mapping[str, Any]] | str, **options: Any) -> Generation:
        """Returns the answer to a conversation: `Engine.chat`."""
        return self.engine.chat(messages, **options)

    @with_known_options("embed", "RLX902")
    def embed(
        self, texts: str | Sequence[str | Sequence[int]], *, batch: int = 32, truncate: bool = False, priority: int = 0
    ) -> Array:
        """Returns vectors of texts, `f32[count, width]`, for an embedding model: `Engine.embed`."""
        every = [texts] if isinstance(texts, str) else texts
        return self.engine.embed(every, batch=batch, truncate=truncate, priority=priority)


def load_model(
    path: str | Path,
    *,
    device: str | None = None,
    mesh: Mesh | None = None,
    sharding: Mapping[str, P] | str | None = None,
    profile: Profile | str | Path | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    download: bool = False,
    **options: Any,
) -> LanguageModel:
    """Open a GGUF file, a Hugging Face folder, or a model by name (docs/models.md). Only headers are read until it is first used.

    With `download=True`, a model that is not on this machine is downloaded first; otherwise that is RLX708.
    `device` is a name of `rlx.devices()`; with a `mesh` it runs on all its devices (device "xla"), its weights cut as `sharding` says: a
    table of patterns, or a preset ("tensor" unless stated). Options are those of `rlx.compile`, for all its graphs
    (`quant_mode="exact"`); a profile is a file of them, `NAME.rlx.toml`.
    `progress(what, done, total)` is called during long steps.

    >>> import rlx
    >>> str(rlx.load_model("smollm2").generate("The capital of France is", max_tokens=2))  # doctest: +SKIP
    ' Paris.'
    """
    _check_options(options)
    if device is not None:
        find_backend(device)
    path = find_model(path, download=download, progress=progress)
    model = open_model(path, LanguageModel, profile=profile, options=options, progress=progress)
    template = model.source.settings.get("tokenizer.chat_template")
    if isinstance(template, str) or (isinstance(model.source, HfSource) and not model.family.embeds):
        start_worker(template)
    dims = {name: weight.dims for name, weight in model.source.weights.items()}
    model.session = mesh_session(device, mesh, "tensor" if sharding is None else sharding, dims)
    return model


_OWN = ("device", "mesh", "sharding", "profile", "progress", "download")
"""Options of `load_model` beside those of `rlx.compile`."""


def _check_options(options: Mapping[str, Any]) -> None:
    """Refuses unknown options of `load_model`, and values that `rlx.compile` would refuse, before a file is read."""
    try:
        make_options(options, "load_model", _OWN)
    except RlxError:
        engines = inspect.signature(Engine).parameters
        for name in options:
            if name in engines:
                fix = f"pass it to the engine: rlx.generate.Engine(model, {name}=…)"
                raise RlxError("RLX406", f"load_model has no option {name!r}", fix=fix) from None
        raise
