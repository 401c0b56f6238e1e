"""Model: a file opened as a family's model: its graphs, and its weights in a session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from rlx.backends.cpu.threads import set_threads
from rlx.core.errors import RlxError
from rlx.models.family import Config, Family, family_of
from rlx.models.flow import Flow, Shapes
from rlx.models.profile import Profile
from rlx.models.source import GgufSource, HfSource, open_source
from rlx.module.modules import GraphModule
from rlx.runtime.session import Session

__all__ = ["Model", "open_model"]

M = TypeVar("M", bound="Model")


@dataclass
class Model:
    """A model of a file. `session` holds its weights, once a graph was compiled by `compile`."""

    source: GgufSource | HfSource
    family: Family
    config: Config
    session: Session = field(default_factory=Session)
    options: dict[str, Any] = field(default_factory=dict)  # of every compilation
    cache_dtype: str = "f32"  # of keys and values, where a graph's shapes do not say
    progress: Callable[[str, int, int], None] | None = None  # told: what, bytes done, bytes in all

    # -- what it is
    @property
    def tokenizer(self) -> Any:
        """The file's tokenizer."""
        return self.source.tokenizer

    @property
    def chat_template(self) -> str | None:
        """The file's template of conversations."""
        return self.tokenizer.chat_template  # type: ignore[no-any-return]

    @property
    def recurrent(self) -> bool:
        """Whether it has states that do not go back by a smaller `start`."""
        return self.family.recurrent

    # -- graphs
    def graph(self, shapes: Shapes) -> GraphModule:
        """One graph of the model, or of its head that drafts."""
        build = self.family.draft if shapes.draft else self.family.build
        if build is None:
            message = f"{self.source.path}: {self.config.architecture} has no head that drafts"
            raise RlxError("RLX702", message, fix="Qwen3.5 has one; else a smaller model drafts", at=None)
        shapes = replace(shapes, cache_dtype=shapes.cache_dtype or self.cache_dtype)
        flow = Flow(self.config.architecture, self.source.weights, shapes)
        build(flow, self.config)
        return flow.module

    def compile(self, shapes: Shapes, **options: Any) -> Any:
        """A graph compiled in the model's session, with its weights set."""
        executable = self.session.compile(self.graph(shapes), **{**self.options, **options})
        self.set_params()
        return executable

    def set_params(self) -> None:
        """Set the session's params that have no value yet, one by one; source pages are dropped after."""
        missing = [name for name, entry in self.session.entries.items() if entry.kind == "param" and not entry.is_set]
        total, done = sum(self.source.weights[name].nbytes for name in missing), 0
        for name in missing:
            weight = self.source.weights[name]
            self.session.set_param(name, weight.load())
            done += weight.nbytes
            if self.progress is not None:
                self.progress("loading", done, total)
        if missing:
            self.source.release_pages()


def open_model(
    path: str | Path, kind: type[M] = Model, *,  # type: ignore[assignment]
    profile: Profile | str | Path | None = None, options: Mapping[str, Any] | None = None, **more: Any,
) -> M:  # fmt: skip
    """Open a GGUF file or a Hugging Face folder. Nothing but headers is read until it is first used.

    Options are those of every compilation; a profile's come before them.
    """
    chosen = Profile.read(profile) if isinstance(profile, (str, Path)) else profile or Profile()
    if chosen.threads:
        set_threads(chosen.threads)
    source = open_source(path)
    family = family_of(source)
    config = family.from_gguf(source) if isinstance(source, GgufSource) else family.from_hf(source)
    source.read_weights({} if isinstance(source, GgufSource) else family.hf_names(config))
    every = {**chosen.options(), **(options or {})}
    cache = chosen.cache_dtype
    if cache == "auto":
        cache = "f16" if every.get("quant_mode", "fast") == "fast" and _rounds(source) else "f32"
    return kind(source, family, config, options=every, cache_dtype=cache, **more)


def _rounds(source: GgufSource | HfSource) -> bool:
    """Whether fast mode rounds activations of this model: most of its weights are stored in blocks of integers."""
    weights = source.weights.values()
    blocks = sum(weight.nbytes for weight in weights if weight.scheme is not None and weight.scheme.block_size() > 1)
    return 2 * blocks > sum(weight.nbytes for weight in weights)
