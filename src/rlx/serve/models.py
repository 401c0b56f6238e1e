"""The models of a server: by name and alias, each with its engine."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from rlx.generate.engine import Engine
from rlx.models.model import Model
from rlx.serve.errors import ApiError
from rlx.serve.tools import Dialect, dialect_of
from rlx.serve.tools.parts import ThinkTags, tags_of

_MOST_COUNTED = 1 << 17
"""The limit of endpoints that only count or list tokens, if the context is shorter."""


@dataclass
class ServedModel:
    """A model on the server: its name, its engine, and the tool dialect of its template."""

    name: str
    model: Model
    engine: Engine
    aliases: tuple[str, ...] = ()
    created: int = field(default_factory=lambda: int(time.time()))

    @property
    def embeds(self) -> bool:
        """Whether the model returns embeddings, not text."""
        return self.model.family.embeds

    @property
    def context(self) -> int:
        """The model's context length in tokens."""
        return self.engine.capacity

    @property
    def count_limit(self) -> int:
        """The limit of tokens for endpoints that only count or list them."""
        return max(self.context, _MOST_COUNTED)

    @cached_property
    def dialect(self) -> tuple[Dialect, bool]:
        """The model's tool dialect, and whether its template describes tools."""
        return dialect_of(self.model.chat_template)

    @cached_property
    def tags(self) -> ThinkTags | None:
        """The tags around the model's thoughts, if it thinks."""
        return tags_of(self.model.chat_template, self.model.tokenizer)

    def generator(self) -> Engine:
        """Returns the model's engine, for generation; an embedding model is refused."""
        if self.embeds:
            raise ApiError(400, f"the model {self.name!r} returns embeddings, not text; use /v1/embeddings", param="model")
        return self.engine


def served(
    model: Model,
    name: str,
    *,
    context: int | None = None,
    slots: int = 64,
    aliases: tuple[str, ...] = (),
    kv_memory: int | float | None = None,
) -> ServedModel:
    """Builds a ServedModel and its engine."""
    limits: dict[str, Any] = {"context": context, "batch": slots, "memory": kv_memory}
    limits = {} if model.family.embeds else limits
    return ServedModel(name, model, Engine(model, **limits), aliases)


def name_of(path: str | Path) -> str:
    """Returns the name under which a model is served: that of an installed one, or of its file or folder.

    >>> name_of("smollm2"), name_of("/models/Qwen3-0.6B-Q8_0.gguf"), name_of("models/Qwen3-0.6B/")
    ('smollm2', 'Qwen3-0.6B-Q8_0', 'Qwen3-0.6B')
    """
    return Path(path).name.removesuffix(".gguf")


class ModelList:
    """All models of a server; requests without a model use the first."""

    def __init__(self, models: list[ServedModel]) -> None:
        self.models = models
        self._by_name = {name: one for one in reversed(models) for name in (one.name, *one.aliases)}

    def find(self, name: str | None) -> ServedModel:
        """Returns the model of a name or alias; 404 for any other."""
        if name is None:
            return self.models[0]
        model = self._by_name.get(name)
        if model is None:
            there = ", ".join(repr(one) for one in self._by_name)
            message = f"the model {name[:100]!r} is not served here; served are {there}. LoRA adapters are not supported"
            raise ApiError(404, message, param="model", code="model_not_found")
        return model

    def names(self) -> list[tuple[str, ServedModel]]:
        """Returns each name and alias with its model, in order."""
        return [(name, one) for one in self.models for name in (one.name, *one.aliases)]

    def close(self) -> None:
        """Ends the engines of all models."""
        for one in self.models:
            one.engine.close()
