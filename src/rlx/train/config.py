"""The configuration of `rlx train`: a TOML file as frozen dataclasses. Every key has its type, bounds and a line of help for the docs."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from rlx.core.errors import RlxError
from rlx.core.files import read_regular
from rlx.core.precision import POLICIES
from rlx.core.sharding import Mesh
from rlx.train.language_model import LlamaShape
from rlx.train.optimizers import SGD, Adam, AdamW, Lion, Optimizer, Schedule

Section = TypeVar("Section")
_KINDS = {int: "an integer", float: "a number", bool: "true or false", str: "text", tuple[str, ...]: "text, or a list of texts"}


def _key(
    default: Any, what: str, *, least: float | None = None, below: float | None = None, one_of: tuple[str, ...] = (), only: str = ""
) -> Any:
    """Declares a key of a section: default, help, and accepted values. `only` names the optimizers that have it."""
    bounds = {"what": what, "least": least, "below": below, "one_of": one_of, "only": tuple(only.split())}
    return field(default=default, metadata=bounds)


@dataclass(frozen=True)
class ModelSettings:
    """The shape of the Llama."""

    layers: int = _key(4, "decoder layers", least=1)
    width: int = _key(256, "size of the residual stream", least=2)
    heads: int = _key(8, "query heads", least=1)
    kv_heads: int = _key(4, "key and value heads; divides `heads`", least=1)
    ffn: int = _key(704, "size inside the gated feed-forward", least=1)
    vocabulary: str = _key("pairs", "`bytes`, or `pairs`: byte pairs learned from the training text", one_of=("bytes", "pairs"))
    vocabulary_size: int = _key(1024, "number of ids for `pairs`, including the 256 bytes", least=257)
    rope_theta: float = _key(10_000.0, "base frequency of RoPE", least=1)
    norm_eps: float = _key(1e-5, "epsilon of the norms", least=0)


@dataclass(frozen=True)
class Data:
    """Where the text is."""

    paths: tuple[str, ...] = _key(MISSING, "a text file, a folder (all its `.txt` files, by name), or a list of them")
    validation: float = _key(0.05, "fraction of the text, at its end, held out for validation", least=0, below=1)


@dataclass(frozen=True)
class Steps:
    """Number of steps, batch size, precision."""

    steps: int = _key(1000, "optimizer steps", least=1)
    batch: int = _key(8, "rows per batch", least=1)
    length: int = _key(128, "tokens per row", least=2)
    accumulate: int = _key(1, "number of batches whose gradients are averaged for one step", least=1)
    seed: int = _key(0, "seed of the initial weights, the data order, and the sampled text", least=0)
    clip_norm: float = _key(1.0, "maximum norm of the gradient; larger ones are scaled down; 0: no clipping", least=0)
    ema: float = _key(
        0.0, "decay of running averages of the weights, which are then used for validation and sampling; 0: none", least=0, below=1
    )
    precision: str = _key("always_f32", "precision policy of the compiler", one_of=tuple(policy.name for policy in POLICIES))
    loss_scale: float = _key(0.0, "initial loss scale, for f16; steps that overflow are skipped and halve it; 0: none", least=0)


@dataclass(frozen=True)
class Optimization:
    """The optimizer and its peak learning rate."""

    kind: str = _key("adamw", "the optimizer", one_of=("sgd", "adam", "adamw", "lion"))
    rate: float = _key(1e-3, "peak learning rate", least=0)
    weight_decay: float = _key(
        0.0, "weight decay of matrices; added to the gradient (sgd, adam) or decoupled (adamw, lion)", least=0
    )
    beta1: float = _key(0.9, "decay of the first moment", least=0, below=1, only="adam adamw lion")
    beta2: float = _key(0.95, "decay of the second moment", least=0, below=1, only="adam adamw lion")
    eps: float = _key(1e-8, "added to the square root of the second moment", least=0, only="adam adamw")
    momentum: float = _key(0.0, "momentum", least=0, below=1, only="sgd")
    nesterov: bool = _key(False, "Nesterov momentum", only="sgd")


@dataclass(frozen=True)
class Rates:
    """The learning rate schedule."""

    shape: str = _key("cosine", "after warm-up", one_of=("constant", "linear", "cosine"))
    warmup: int = _key(0, "steps over which the learning rate rises to its peak", least=0)
    floor: float = _key(0.0, "learning rate at the last step, for linear and cosine", least=0)


@dataclass(frozen=True)
class Validation:
    """Validation on the held-out text."""

    every: int = _key(100, "steps between validations; there is always one at the end; 0: only that one", least=0)
    rows: int = _key(0, "rows of held-out text per validation; 0: all of it", least=0)


@dataclass(frozen=True)
class Checkpointing:
    """Checkpoints, from which an interrupted run resumes."""

    every: int = _key(100, "steps between checkpoints; there is always one at the end; 0: only that one", least=0)
    keep: int = _key(2, "how many of the newest checkpoints to keep; 0: all", least=0)
    folder: str = _key("", "folder of the checkpoints; empty: `checkpoints` in the output folder")


@dataclass(frozen=True)
class OutputSettings:
    """Where results go."""

    folder: str = _key("run", "folder for `metrics.jsonl`, `loss.png`, `vocabulary.json`, `model.safetensors` and the checkpoints")
    plot: bool = _key(True, "draw `loss.png` (if matplotlib is installed: `pip install matplotlib`)")


@dataclass(frozen=True)
class SampleSettings:
    """The text sampled at the end."""

    tokens: int = _key(200, "length of the sample; 0: none", least=0)
    prompt: str = _key("\n", "text to continue")
    temperature: float = _key(0.8, "below 1 likely tokens become likelier; 0 always takes the likeliest", least=0)
    top_k: int = _key(0, "sample only from this many of the likeliest tokens; 0: all", least=0)


@dataclass(frozen=True)
class DeviceSettings:
    """On what it trains."""

    name: str = _key("", "a name of `rlx.devices()`; empty: `cpu`, or `xla` with a mesh")
    mesh: str = _key("", "axes of devices and their sizes, such as `fsdp=4 model=2`; empty: one device")
    sharding: str = _key("fsdp", "how params are cut over the mesh: fsdp, tensor, sequence, expert, or several joined by +")


@dataclass(frozen=True)
class TrainingConfig:
    """A whole training run. Paths are relative to `base`, the folder of the file.

    >>> config = TrainingConfig.parse('[data]\\npaths = "book.txt"\\n[model]\\nlayers = 2\\n')
    >>> config.model.layers, config.data.paths, config.training.steps
    (2, ('book.txt',), 1000)
    """

    data: Data
    model: ModelSettings = field(default_factory=ModelSettings)
    training: Steps = field(default_factory=Steps)
    optimizer: Optimization = field(default_factory=Optimization)
    schedule: Rates = field(default_factory=Rates)
    validation: Validation = field(default_factory=Validation)
    checkpoints: Checkpointing = field(default_factory=Checkpointing)
    output: OutputSettings = field(default_factory=OutputSettings)
    sample: SampleSettings = field(default_factory=SampleSettings)
    device: DeviceSettings = field(default_factory=DeviceSettings)
    base: Path = Path()

    @staticmethod
    def load(path: str | Path) -> TrainingConfig:
        """Reads a configuration file."""
        path = Path(path)
        try:
            text = read_regular(path).decode()
        except (RlxError, UnicodeDecodeError) as error:
            raise RlxError("RLX801", f"{path}: {getattr(error, 'message', error)}", fix="name a TOML file", at=None) from None
        return TrainingConfig.parse(text, str(path), path.parent)

    @staticmethod
    def parse(text: str, name: str = "the configuration", base: Path = Path()) -> TrainingConfig:
        """Parses TOML; unknown keys and bad values are errors that name the line."""
        try:
            settings = tomllib.loads(text)
        except (ValueError, RecursionError) as error:  # TOMLDecodeError is one, and so is a number of 5000 digits
            raise RlxError(
                "RLX801", f"{name} is not TOML: {error}", fix="[section] lines with key = value below them", at=None
            ) from None
        return _ConfigReader(text, name).config(settings, base)

    # -- for the rest of the package
    def shape(self, vocabulary: int) -> LlamaShape:
        """Returns the model's shape for a vocabulary of this many ids."""
        m = self.model
        sizes = (vocabulary, m.layers, m.width, m.heads, m.kv_heads, m.ffn, self.training.length)
        return LlamaShape(*sizes, theta=m.rope_theta, eps=m.norm_eps)

    def rates(self) -> Schedule:
        """Builds the learning rate schedule."""
        s = self.schedule
        return Schedule(self.optimizer.rate, s.warmup, 0 if s.shape == "constant" else self.training.steps, s.floor, s.shape)

    def rule(self) -> Optimizer:
        """Builds the optimizer with its schedule."""
        o, rates = self.optimizer, self.rates()
        match o.kind:
            case "sgd":
                return SGD(rates, o.weight_decay, momentum=o.momentum, nesterov=o.nesterov)
            case "lion":
                return Lion(rates, o.weight_decay, betas=(o.beta1, o.beta2))
            case _:
                return (AdamW if o.kind == "adamw" else Adam)(rates, o.weight_decay, betas=(o.beta1, o.beta2), eps=o.eps)

    def placement(self) -> dict[str, Any]:
        """Returns device, mesh and sharding as `compile_training` takes them."""
        mesh = Mesh.parse(self.device.mesh) if self.device.mesh else None
        return {"device": self.device.name or None, "mesh": mesh, "sharding": None if mesh is None else self.device.sharding}

    @property
    def folder(self) -> Path:
        """The output folder."""
        return self.base / self.output.folder

    @property
    def checkpoint_folder(self) -> Path:
        """The folder of the checkpoints."""
        return self.base / self.checkpoints.folder if self.checkpoints.folder else self.folder / "checkpoints"

    def flat(self) -> dict[str, Any]:
        """Lists every key as `section.key` with its value: what a checkpoint records about its run."""
        return {
            f"{name}.{key.name}": getattr(getattr(self, name), key.name)
            for name, kind in sections().items()
            for key in fields(kind)
        }


def sections() -> dict[str, Any]:
    """Returns the dataclass of each section of a configuration."""
    return {name: kind for name, kind in get_type_hints(TrainingConfig).items() if name != "base"}


def reference() -> str:
    """Formats every section and key as Markdown tables, for docs/training.md."""
    lines = []
    for name, kind in sections().items():
        lines += [f"**`[{name}]`** {kind.__doc__}", "", "| key | default | what it is |", "|---|---|---|"]
        for key in fields(kind):
            default = "required" if key.default is MISSING else f"`{_toml(key.default)}`"
            choices = f": {', '.join(f'`{choice}`' for choice in key.metadata['one_of'])}" if key.metadata["one_of"] else ""
            only = f" ({', '.join(key.metadata['only'])})" if key.metadata["only"] else ""
            lines.append(
                f"| `{key.name}` | {default} | {key.metadata['what']}{only}{choices if key.name != 'vocabulary' else ''} |"
            )
        lines.append("")
    return "\n".join(lines)


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\n", "\\n") + '"'
    return f"{value:g}" if isinstance(value, float) else str(value).lower()


@dataclass(frozen=True)
class _ConfigReader:
    """Checks parsed TOML against the dataclasses."""

    text: str
    name: str

    def config(self, settings: Mapping[str, Any], base: Path) -> TrainingConfig:
        """Checks all sections and builds the TrainingConfig."""
        known = sections()
        for name, value in settings.items():
            if name not in known:
                raise self._error(f"unknown section [{name}]", _choose("sections", name, known), name)
            if not isinstance(value, dict):
                raise self._error(
                    f"{name} is {value!r} but must be a section", f"[{name}] on its own line, its keys below", "", name
                )
        config = TrainingConfig(
            **{name: self._section(name, kind, settings.get(name, {})) for name, kind in known.items()}, base=base
        )
        self._consistent(config, settings)
        return config

    def _section(self, name: str, kind: type[Section], given: Mapping[str, Any]) -> Section:
        keys: dict[str, Field[Any]] = {key.name: key for key in fields(kind)}  # type: ignore[arg-type]
        types = get_type_hints(kind)
        for key in given:
            if key not in keys:
                raise self._error(f"[{name}] has no key {key!r}", _choose(f"keys of [{name}]", key, keys), name, key)
        for key, declared in keys.items():
            if declared.default is MISSING and key not in given:
                raise self._error(f"[{name}] has no {key}", f"{key} = … : {declared.metadata['what']}", name)
        return kind(**{key: self._value(name, key, value, types[key], keys[key].metadata) for key, value in given.items()})

    def _value(self, name: str, key: str, value: Any, kind: Any, bounds: Mapping[str, Any]) -> Any:
        value, fits = _convert(value, kind)
        if not fits:
            raise self._error(f"{key} in [{name}] is {value!r}", f"{_KINDS[kind]}: {bounds['what']}", name, key)
        least, below, choices = bounds["least"], bounds["below"], bounds["one_of"]
        if (least is not None and value < least) or (below is not None and value >= below):
            upper = f" and below {below:g}" if below is not None else ""
            raise self._error(f"{key} in [{name}] is {value}", f"at least {least:g}{upper}: {bounds['what']}", name, key)
        if choices and value not in choices:
            raise self._error(f"{key} in [{name}] is {value!r}", f"one of {', '.join(choices)}", name, key)
        return value

    def _consistent(self, config: TrainingConfig, settings: Mapping[str, Any]) -> None:
        """Checks conditions that involve two keys."""
        kind = config.optimizer.kind
        for key in fields(Optimization):
            only = key.metadata["only"]
            if only and kind not in only and key.name in settings.get("optimizer", {}):
                raise self._error(f"{key.name} with kind {kind!r}", f"only {', '.join(only)} have it", "optimizer", key.name)
        for section, blamed, make in (("schedule", "warmup", config.rates), ("model", "width", lambda: config.shape(256))):
            try:
                make()
            except RlxError as error:
                raise self._error(error.message, error.fix, section, blamed) from None

    def _error(self, message: str, fix: str, section: str, key: str = "") -> RlxError:
        line = self._line(section, key)
        return RlxError("RLX801", f"{self.name}{f', line {line}' if line else ''}: {message}", fix=fix, at=None)

    def _line(self, section: str, key: str) -> int | None:
        """Finds the line of a key, else of its section; tomllib does not report it."""
        inside, header = "", None
        for number, line in enumerate(self.text.splitlines(), 1):
            if opened := re.match(r"\s*\[\s*([\w.-]+)\s*\]", line):
                inside = opened[1]
                header = number if inside == section and header is None else header
            elif assigned := re.match(r"\s*([\w.-]+)\s*=", line):
                name = f"{inside}.{assigned[1]}" if inside else assigned[1]
                if key and name in (f"{section}.{key}", key if not section else ""):
                    return number
        return header


def _convert(value: Any, kind: Any) -> tuple[Any, bool]:
    """Converts a TOML value to a field's type; returns also whether it fits: a text is a list of one, an integer a number."""
    if kind == tuple[str, ...]:
        value = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else value
        return value, isinstance(value, tuple) and bool(value) and all(isinstance(part, str) for part in value)
    if kind is float:
        value = float(value) if type(value) is int else value
        return value, type(value) is float and value - value == 0
    return value, type(value) is kind


def _choose(what: str, given: str, known: Mapping[str, Any]) -> str:
    near = difflib.get_close_matches(given, known, 1)
    return f"{what}: {', '.join(known)}" + (f"; did you mean {near[0]}?" if near else "")
