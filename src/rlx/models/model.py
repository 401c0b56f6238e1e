"""Model: an opened model file: its graphs, and its weights in a session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rlx.core.errors import RlxError
from rlx.core.files import naming
from rlx.models.family import Config, Family, Profile, family_of
from rlx.models.flow import Shapes
from rlx.models.source import GgufSource, HfSource, check_unread, open_source
from rlx.runtime.compile import Recipe, described
from rlx.runtime.session import Session
from rlx.runtime.threads import set_threads

if TYPE_CHECKING:
    from rlx.formats.tokenizer import Tokenizer
    from rlx.module.modules import GraphModule
    from rlx.runtime.executable import Executable

M = TypeVar("M", bound="Model")


@dataclass
class Model:
    """An opened model. `session` holds the weights after `compile` was called once.

    >>> from rlx.models import open_model
    >>> model = open_model("smollm2")
    >>> model.config.layers, model.config.width
    (30, 576)
    """

    source: GgufSource | HfSource
    family: Family
    config: Config
    session: Session = field(default_factory=Session)
    options: dict[str, Any] = field(default_factory=dict)  # options of every compilation
    cache_dtype: str = "f32"  # dtype of keys and values, unless a graph's shapes set it
    progress: Callable[[str, int, int], None] | None = None  # called with: what, bytes done, bytes total
    _executables: dict[tuple[Shapes, bool], Executable] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __repr__(self) -> str:
        config = self.config
        size = f"{config.layers} layers, width {config.width}, vocabulary {config.vocab_size}, context {config.context_length}"
        return f"<{type(self).__name__} {config.architecture} from {str(self.source.path)!r}: {size}>"

    # -- what it is
    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer in the model's file."""
        return self.source.tokenizer

    @property
    def chat_template(self) -> str | None:
        """The chat template in the model's file."""
        return self.tokenizer.chat_template

    @property
    def recurrent(self) -> bool:
        """Whether the model has states that a smaller `start` cannot rewind."""
        return self.family.recurrent

    # -- graphs
    def graph(self, shapes: Shapes, *, dense: bool = False) -> GraphModule:
        """Builds one graph of the model, or of its multi-token prediction head: a module to compile or extend.

        With `dense` every weight is an f32 param, whatever its type in the file: training needs f32 matrices.

        >>> graph = open_model("smollm2").graph(Shapes(batch=2, seq=16, logits="all"), dense=True)
        >>> graph.outputs["logits"].shape
        (2, 16, 49152)
        """
        from rlx.models.flow import Flow

        weights = self.source.weights
        with naming(self.source.path):
            flow = Flow(self.config.architecture, weights.dense() if dense else weights, self._complete(shapes))
            self._builder(shapes)(flow, self.config)
            return flow.module

    def values(self, graph: GraphModule) -> dict[str, Any]:
        """The file's values of a graph's params, for `Training.set_params` and `Session.set_params`.

        Params of your own layers, which the file does not have, are left out.

        >>> model = open_model("minilm")
        >>> values = model.values(model.graph(Shapes(batch=1, seq=8), dense=True))
        >>> values["token_embd"].shape, values["token_embd"].dtype
        ((30522, 384), dtype('float32'))
        """
        values = {}
        with naming(self.source.path):
            for name, node in graph.params.items():
                if name in self.source.weights:
                    weight = self.source.weights[name]
                    values[name] = (weight.dense() if node.op["scheme"] is None else weight).load()
        self.source.release_pages()
        return values

    def compile(self, shapes: Shapes, **options: Any) -> Executable:
        """Compiles a graph in the model's session and sets its weights. If the code is cached, the graph is not built."""
        with self.session.lock:
            executable = self.session.compile(self.recipe(shapes) or self.graph(shapes), **{**self.options, **options})
            self.set_params()
        return executable

    def executable(self, shapes: Shapes, *, batch_invariant: bool = False) -> Executable:
        """The shared executable of a graph, compiled on first use. `batch_invariant`: each row has the same bits in every batch."""
        key = (shapes, batch_invariant)
        with self.session.lock:
            if key not in self._executables:
                options = {"batch_invariant": True} if batch_invariant else {}
                self._executables[key] = self.compile(shapes, **options)
            return self._executables[key]

    def recipe(self, shapes: Shapes) -> Recipe | None:
        """The recipe of a graph, named by everything that determines it: settings, shapes, and the weights' names, dims and schemes.

        None for a family outside this package: its code can change without the cache noticing.
        """
        build, settings = self._builder(shapes), type(self.config)
        if not all(getattr(code, "__module__", "").startswith("rlx.models.") for code in (build, settings)):
            return None
        weights = {name: (weight.dims, weight.scheme) for name, weight in self.source.weights.items()}
        made_of = described((self.config, self._complete(shapes), weights))
        return Recipe(f"{build.__module__}.{build.__qualname__} {made_of}", lambda: self.graph(shapes))

    def _builder(self, shapes: Shapes) -> Callable[..., None]:
        build = self.family.draft if shapes.draft else self.family.build
        if build is None:
            message = f"{self.source.path}: {self.config.architecture} has no multi-token prediction head"
            raise RlxError("RLX702", message, fix="Qwen3.5 has one; for others use a smaller draft model", at=None)
        return build

    def _complete(self, shapes: Shapes) -> Shapes:
        return replace(shapes, cache_dtype=shapes.cache_dtype or self.cache_dtype)

    def set_params(self) -> None:
        """Sets the session's params that have no value yet, one by one, and releases the file's pages."""
        missing = [name for name, entry in self.session.entries.items() if entry.kind == "param" and not entry.is_set]
        total, done = sum(self.source.weights[name].nbytes for name in missing), 0
        for name in missing:
            weight = self.source.weights[name]
            with naming(self.source.path):
                self.session.set_param(name, weight.load())
            done += weight.nbytes
            if self.progress is not None:
                self.progress("loading", done, total)
        if missing:
            self.source.release_pages()


def open_model(
    path: str | Path,
    kind: type[M] = Model,  # type: ignore[assignment]
    *,
    profile: Profile | str | Path | None = None,
    options: Mapping[str, Any] | None = None,
    **more: Any,
) -> M:
    """Opens a GGUF file or a Hugging Face folder. Only headers are read before the first use.

    Options apply to every compilation; they override the profile's.

    >>> open_model("smollm2").config.context_length
    8192
    """
    chosen = Profile.read(profile) if isinstance(profile, (str, Path)) else profile or Profile()
    if chosen.threads:
        set_threads(chosen.threads)
    source = open_source(path)
    family = family_of(source)
    with naming(source.path):
        if isinstance(source, GgufSource):
            config = family.from_gguf(source)
            check_unread(source, embeds=family.embeds)
        else:
            source.check(family.settings.get(source.architecture))
            config = family.from_hf(source)
        source.read_weights(family.hf_names(config) if family.hf else {}, family.unused)
    every = {**chosen.options(), **(options or {})}
    cache = chosen.cache_dtype
    if cache == "auto":
        cache = "f16" if every.get("quant_mode", "fast") == "fast" and _rounds(source) else "f32"
    return kind(source, family, config, options=every, cache_dtype=cache, **more)


def _rounds(source: GgufSource | HfSource) -> bool:
    """Whether fast mode quantizes the model's activations: if most of its weights are stored in blocks of integers."""
    weights = source.weights.values()
    blocks = sum(weight.nbytes for weight in weights if weight.scheme is not None and weight.scheme.block_size() > 1)
    return 2 * blocks > sum(weight.nbytes for weight in weights)
