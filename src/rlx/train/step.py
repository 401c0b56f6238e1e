"""compile_training: one executable that does forward, backward, clipping, the optimizer and averages; one native call per step."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import NoneType, TracebackType
from typing import IO, Any

import numpy as np

from rlx import autodiff
from rlx.core.aligned import Array
from rlx.core.errors import RlxError, check_is
from rlx.core.files import read_regular, writing, written_whole
from rlx.core.shape import Shape
from rlx.core.sharding import Mesh, P
from rlx.ir.pattern import Rewriter
from rlx.ir.value import Value, as_dtype
from rlx.module.graph import Graph
from rlx.module.modules import GraphModule
from rlx.runtime.device_calls import mesh_session, module_sharding
from rlx.runtime.executable import Executable
from rlx.runtime.session import Session
from rlx.train.optimizers import Optimizer
from rlx.train.sharded_checkpoint import PendingSave, load_training, save_training
from rlx.train.transformations import clip_factor, norm_of
from rlx.transforms.rules.derivative import differentiable

Arrays = Mapping[str, Any]
_GROW_EVERY, _LARGEST_SCALE = 2000, 2.0**24
_SUM = "train.sum."


@dataclass(frozen=True)
class StepSettings:
    """Settings of a training step besides the optimizer's update."""

    clip_norm: float | None = None
    accumulate: int = 1
    loss_scale: float | None = None
    ema: float | None = None
    guard: bool = False

    def __post_init__(self) -> None:
        if self.accumulate < 1:
            raise RlxError("RLX105", f"accumulate is {self.accumulate}", fix="1 or more")
        if self.ema is not None and not 0 <= self.ema < 1:
            raise RlxError("RLX105", f"ema is {self.ema}", fix="a decay from 0 to below 1")


@dataclass
class Training:
    """A compiled training step. `step(batch)` runs it; params, moments and counters live in `session`.

    >>> import numpy as np, rlx
    >>> g = rlx.Graph("square"); w = g.param("w", ()); g.set_outputs({"loss": w * w})
    >>> training = rlx.train.compile_training(g, "loss", rlx.train.SGD(lr=0.25), device="reference")
    >>> training.set_params({"w": np.float32(2)})
    >>> float(training.step({})["loss"]), float(training.param("w"))
    (4.0, 1.0)
    """

    session: Session
    executable: Executable  # the step, or with accumulation the last microbatch of a round
    adding: Executable | None  # the one that only accumulates gradients
    settings: StepSettings
    params: tuple[str, ...]
    states: tuple[str, ...]
    # the same two again, in a session and with options
    _compile: Callable[..., tuple[Executable, Executable | None]] = field(repr=False)
    _round: int = field(default=0, repr=False)
    _pending: PendingSave | None = field(default=None, repr=False)  # a checkpoint that a thread is writing

    def __repr__(self) -> str:
        device, parts = self.session.device, len(self.params)
        return f"<Training of {self.executable.interface.name} on {device}: {parts} params, {len(self.states)} states, {self.settings}>"

    def set_params(self, arrays: Arrays) -> None:
        """Sets the initial weights."""
        self.session.set_params(arrays)

    def step(self, batch: Arrays) -> dict[str, Array]:
        """Runs one step (or, with accumulation, one microbatch of it): loss, grad_norm, lr, and the module's other outputs."""
        self._round = (self._round + 1) % self.settings.accumulate
        return (self.executable if self._round == 0 or self.adding is None else self.adding).run(batch)

    def param(self, name: str) -> Array:
        """Copies a param's current value; with `ema`, `training.averaged(name)` returns its average."""
        array: Array = self.session.param(name)  # a dense param
        return array

    def averaged(self, name: str) -> Array:
        """Copies the running average of a param."""
        return self.session.state(f"ema.{name}")

    @property
    def steps(self) -> int:
        """The number of completed steps."""
        return int(self.session.state("train.step")) if self._begun else 0

    @property
    def _begun(self) -> bool:
        """Whether the states have values: they get them in the first step, or from a checkpoint."""
        return all(self.session.entries[name].is_set for name in self.states)

    def explain(self, batches: Sequence[Arrays]) -> RlxError | None:
        """Repeats a step (with accumulation, its microbatches) op by op on copies; returns the error that names op and line of the
        first NaN or infinity, None if all values stay finite. With `guard` or loss scaling, the params are from before the step."""
        session = Session(self.session.device)
        step, adding = self._compile(session, trap_nan=True)
        session.set_params({name: self.session.param(name) for name in self.params})
        for name in self.states:
            value = self.session.state(name)
            session.set_state(name, np.zeros_like(value) if name.startswith(_SUM) else value)
        try:
            for number, batch in enumerate(batches, 1):
                (step if adding is None or number == self.settings.accumulate else adding).run(batch)
        except RlxError as error:
            if error.code != "RLX510":
                raise
            return error
        return None

    def forget_round(self) -> None:
        """Drops the accumulated gradients of an incomplete round of microbatches."""
        self._round = 0
        for name in self.states:
            if name.startswith(_SUM):
                self.session.set_state(name, np.zeros_like(self.session.state(name)))

    # -- checkpoints
    def save(self, path: str | Path, *, wait: bool = True, **position: Any) -> None:
        """Writes every param and state, and the position in the data, to one safetensors file with checksums, atomically.

        Over a mesh it is a folder: the pieces of every device, and an index of the slices they are. With `wait=False` a thread writes it
        while training goes on; what goes wrong there is raised by the next `save`, or by `finish_saving`. Before the first step there is
        no state to save: RLX402. If it cannot be written (RLX304), the old one stays.
        """
        if not self._begun:
            message = f"{path}: cannot save before the first step: counters and moments have no values yet"
            raise RlxError(
                "RLX402", message, fix="call training.step(batch) first; the initial weights are what you passed to set_params"
            )
        self.finish_saving()
        self._pending = save_training(self, path, {"round": self._round, **position})
        if wait:
            self.finish_saving()

    def finish_saving(self) -> None:
        """Waits for the checkpoint that is being written, if one is."""
        pending, self._pending = self._pending, None
        if pending is not None:
            pending.wait()

    def load(self, path: str | Path) -> dict[str, str]:
        """Resumes bit-for-bit from a checkpoint, or on another mesh; returns its position. If it is rejected, nothing changes.

        A checkpoint of an earlier version has no checksums: it is read, with a warning.
        """
        text = load_training(self, path)
        self._round = int(text.get("round", "0"))
        return {name: value for name, value in text.items() if name not in ("format", "round")}


def compile_training(
    module: Any,
    loss: str | None,
    optimizer: Optimizer,
    *,
    session: Session | None = None,
    device: str | None = None,
    mesh: Mesh | None = None,
    sharding: Mapping[str, P] | str | None = None,
    wrt: Sequence[str] | None = None,
    clip_norm: float | None = None,
    accumulate: int = 1,
    loss_scale: float | None = None,
    ema: float | None = None,
    guard: bool = False,
    **options: Any,
) -> Training:
    """Compiles a training step of a module whose output `loss` is a float scalar.

    With a `mesh` it runs on all its devices (device "xla"): `sharding` says how params are cut, by a preset ("fsdp", "tensor", "sequence",
    "expert", several joined by +) or a table of patterns; moments and averages are cut as their params, batches by rows.

    `wrt` are the params to train (default: every dense float or complex param). With `guard` a step whose loss or gradients are not
    finite leaves params, moments and averages unchanged (so does loss scaling). Options are passed to `rlx.compile`, such as `precision=`.

    >>> import numpy as np, rlx
    >>> g = rlx.Graph("line")
    >>> x, y = g.input("x", (8, 1)), g.input("y", (8, 1))
    >>> error = x @ g.param("w", (1, 1)) - y
    >>> g.set_outputs({"loss": (error * error).mean()})
    >>> training = compile_training(g, "loss", rlx.train.SGD(lr=0.5), device="reference")
    >>> training.set_params({"w": np.zeros((1, 1), np.float32)})
    >>> data = np.linspace(-1, 1, 8, dtype=np.float32)[:, None]
    >>> losses = [float(training.step({"x": data, "y": 3 * data})["loss"]) for _ in range(30)]
    >>> round(losses[0], 2), losses[-1] < 1e-3
    (3.86, True)
    """
    check_is(optimizer, Optimizer, "RLX105", "the optimizer", "rlx.train.AdamW(lr=…), SGD, Adam or Lion")
    check_is(loss, (str, NoneType), "RLX105", "loss", "the name of an output")
    settings = StepSettings(clip_norm, accumulate, loss_scale, ema, guard)
    if sharding is not None and mesh is None:
        raise RlxError("RLX406", "sharding without a mesh", fix="mesh=rlx.Mesh((8,), ('fsdp',))")
    plain = _lower_module(module)
    if session is None:
        dims = {name: node.shape.dims for name, node in _graph_of(plain).params.items()}
        session = mesh_session(device, mesh, module_sharding(module) if sharding is None else sharding, dims)
    names = tuple(wrt) if wrt is not None else _trainable(_graph_of(plain))

    def compiled(session: Any, **more: Any) -> tuple[Any, Any | None]:
        step, *rest = (
            session.compile(_StepBuilder(plain, loss, optimizer, settings, names, last).finish(), **{**options, **more})
            for last in ((True,) if accumulate == 1 else (True, False))
        )
        return step, rest[0] if rest else None

    step, adding = compiled(session)
    return Training(session, step, adding, settings, tuple(step.graph.params), tuple(step.graph.states), compiled)


def step_graph(module: Any, loss: str, optimizer: Optimizer, settings: StepSettings, last: bool = True) -> Graph:
    """Builds the graph of a step; with accumulation, of its last microbatch or of one that only adds up gradients."""
    plain = _lower_module(module)
    return _StepBuilder(plain, loss, optimizer, settings, _trainable(_graph_of(plain)), last).finish()


def _wide(value: Any) -> Any:
    """Casts 16-bit floats to f32, in which a step computes and stores moments, sums and averages."""
    return as_dtype(value, value.dtype.compute)


class _StepBuilder:
    """Builds the graph of one training step."""

    def __init__(
        self,
        module: GraphModule,
        loss: str | None,
        optimizer: Optimizer,
        settings: StepSettings,
        names: tuple[str, ...],
        last: bool,
    ) -> None:
        self.optimizer, self.settings, self.names, self.last = optimizer, settings, names, last
        self.loss = loss or next(iter(_graph_of(module).output_refs))
        if settings.loss_scale is not None:
            module, loss = _scale_loss(module, loss, settings.loss_scale)
        self.graph = _graph_of(autodiff.grad_with_loss(module, list(self.names), output=loss))
        self.outputs = dict(self.graph.outputs)
        self.good: Any = None

    def finish(self) -> Graph:
        """Builds the complete graph of the step."""
        gradients = {name: _wide(self.outputs.pop(f"grad_{name}")) for name in self.names}
        if self.settings.loss_scale is not None:
            gradients = self._unscale(gradients)
        if self.settings.accumulate > 1:
            gradients = self._sum(gradients)
        if self.last:
            self._step(gradients)
        self.graph.set_outputs(self.outputs)
        return self.graph

    def _state(self, name: str, like: Any = None, init: float = 0.0, dtype: str = "f32") -> Any:
        return self.graph.state(name, Shape((), dtype) if like is None else like.type, init=init)

    def _leaf(self, kind: str, name: str) -> Any:
        ref = self.graph.leaf(kind, name)
        assert ref is not None
        return Value(self.graph, ref)

    def _update(self, name: str, old: Any, new: Any) -> None:
        """Emits the updates; a skipped step leaves every value unchanged."""
        self.graph.update(name, new if self.good is None else self.graph.where(self.good, new, old))

    def _sum(self, gradients: dict[str, Any]) -> dict[str, Any]:
        """Emits the sum of gradients over the microbatches of a round; reset to 0 after the last."""
        sums = {}
        for name, gradient in gradients.items():
            so_far = self._state(f"{_SUM}{name}", gradient)
            total = so_far + gradient / float(self.settings.accumulate)
            # total·0 would keep a NaN
            zero = self.graph.expand(self.graph.constant(0.0, gradient.dtype), gradient.shape)
            self.graph.update(f"{_SUM}{name}", zero if self.last else total)
            sums[name] = total
        return sums

    def _unscale(self, gradients: dict[str, Any]) -> dict[str, Any]:
        """Emits unscaled gradients, and the new loss scale, depending on whether this microbatch's gradients are finite."""
        graph, scale, start = self.graph, self._leaf("state", "train.scale"), self.settings.loss_scale
        unscaled = {name: gradient / scale for name, gradient in gradients.items()}
        good = _finite(graph, unscaled.values())
        run = self._state("train.good_steps", dtype="i32")
        grown = graph.where(run + 1 >= _GROW_EVERY, graph.min(scale * 2.0, _LARGEST_SCALE), scale)
        graph.update("train.scale", graph.where(good, grown, graph.max(scale * 0.5, 1.0)))
        graph.update("train.good_steps", graph.where(good & (run + 1 < _GROW_EVERY), run + 1, graph.constant(0, "i32")))
        self.outputs["loss_scale"] = scale
        for name in [name for name in self.outputs if name.startswith("scaled_")]:
            del self.outputs[name]
        assert start is not None
        return unscaled

    def _step(self, gradients: dict[str, Any]) -> None:
        graph, optimizer = self.graph, self.optimizer
        count = self._state("train.step", dtype="i32")
        done = graph.cast(count, "f32")
        rate = optimizer.schedule.rate(graph, done)
        norm = norm_of(graph, list(gradients.values()))
        if (
            self.settings.guard or self.settings.loss_scale is not None
        ):  # the norm covers every gradient and every microbatch of a round
            self.good = _finite(graph, [norm, graph.cast(self.outputs[self.loss], "f32")])
        if self.settings.clip_norm is not None:
            factor = clip_factor(graph, norm, self.settings.clip_norm)
            gradients = {name: gradient * factor for name, gradient in gradients.items()}
        for name, gradient in gradients.items():
            param = self._leaf("param", name)
            wide = _wide(param)
            decay = optimizer.decay_of(name, param.shape)
            new = optimizer.step(graph, wide, gradient, rate, done + 1.0, decay, _Slots(self, name, wide))
            self._update(name, param, as_dtype(new, param.dtype))
            if self.settings.ema is not None:
                average = self._state(f"ema.{name}", wide)
                warm = graph.where(count == 0, 0.0, self.settings.ema)
                self._update(f"ema.{name}", average, warm * average + (1.0 - warm) * new)
        self._update("train.step", count, count + 1)
        self.outputs |= {"grad_norm": norm, "lr": rate}


class _Slots:
    """The optimizer slots of one param, as states of the step's graph."""

    def __init__(self, builder: _StepBuilder, name: str, param: Any) -> None:
        self._builder, self._name, self._param = builder, name, param
        self._known: dict[str, Any] = {}

    def get(self, slot: str) -> Any:
        if slot not in self._known:
            self._known[slot] = self._builder._state(self._full(slot), self._param)
        return self._known[slot]

    def set(self, slot: str, value: Any) -> None:
        """Sets a slot's value after the step."""
        self._builder._update(self._full(slot), self.get(slot), value)

    def _full(self, slot: str) -> str:
        return f"{self._builder.optimizer.name}.{slot}.{self._name}"


def _lower_module(module: Any) -> GraphModule:
    """Lowers a module to MIR, in primitives; returns a new one, so that the given one is not changed."""
    graph_module = module if isinstance(module, GraphModule) else GraphModule.from_graph(module)
    return graph_module.lower_for_autodiff() if graph_module.as_hir() is not None else graph_module


def _graph_of(module: GraphModule) -> Graph:
    graph = module.as_graph()
    if graph is None:
        raise RlxError("RLX402", f"training a module at stage {module.stage}", fix="train a HIR or MIR module")
    return graph


def _trainable(graph: Graph) -> tuple[str, ...]:
    return tuple(
        name for name, node in graph.params.items() if differentiable(node.shape.dtype) and node.op.attrs.get("scheme") is None
    )


def _finite(graph: Any, values: Any) -> Any:
    """Emits whether all values are finite: a NaN or an infinity anywhere makes x·0 NaN."""
    total = sum((value * 0.0).sum() for value in values)
    return total == 0.0


def _scale_loss(module: GraphModule, loss: str | None, start: float) -> tuple[GraphModule, str]:
    """Adds an output to a module: its loss times the scale."""
    rewriter = Rewriter(_graph_of(module), "loss scale")
    for node in _graph_of(module).nodes:
        rewriter.copy(node)
    graph = Graph.adopt(rewriter.finish()[0])
    name = loss or next(iter(graph.output_refs))
    scale = graph.state("train.scale", Shape((), "f32"), init=start)
    outputs = {key: Value(graph, ref) for key, ref in graph.output_refs.items()}
    graph.set_outputs({**outputs, f"scaled_{name}": outputs[name] * scale})
    return GraphModule.from_graph(graph), f"scaled_{name}"


# -- metrics.jsonl: one JSON object per line, written during training; a resumed run drops the lines after its checkpoint


def read_metrics(path: str | Path) -> list[dict[str, Any]]:
    """Reads all complete lines of metrics.jsonl; a partial line, left by a killed run, is skipped."""
    lines = []
    data = read_regular(path) if Path(path).exists() else b""
    for line in data.splitlines():
        try:
            values = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(values, dict) and _is_number(values.get("step")):
            lines.append(values)
    return lines


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


class MetricsLog:
    """Writes metrics.jsonl; lines up to step `begin` are preserved. Without a path (another process writes it) nothing is written.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "metrics.jsonl"
    >>> for begin in (0, 1):
    ...     with MetricsLog(path, begin) as log:
    ...         log.add(step=begin + 1, loss=2.5)
    ...         log.add(step=begin + 2, loss=2.25)
    >>> [line["step"] for line in read_metrics(path)]
    [1, 2, 3]
    """

    def __init__(self, path: Path | None, begin: int) -> None:
        self._path = path
        self._file: IO[str] | None = None
        self.validated: dict[int, dict[str, float]] = {}
        if path is not None:
            self._open(path, begin)

    def _open(self, path: Path, begin: int) -> None:
        lines = [line for line in read_metrics(path) if line["step"] <= begin] if begin else []
        held = [line for line in lines if _is_number(line.get("validation_loss")) and _is_number(line.get("nats_per_byte"))]
        self.validated = {line["step"]: {"loss": line["validation_loss"], "nats_per_byte": line["nats_per_byte"]} for line in held}
        with written_whole(path) as file:
            file.write("".join(json.dumps(line) + "\n" for line in lines).encode())
        with writing(path):
            self._file = path.open("a")

    def add(self, **values: Any) -> None:
        """Writes one line of metrics, flushed; JSON has no NaN or infinity, so they become null."""
        if self._path is None or self._file is None:
            return
        plain = {name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in values.items()}
        with writing(self._path):
            self._file.write(json.dumps(plain) + "\n")
            self._file.flush()

    def __enter__(self) -> MetricsLog:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._file is not None:
            self._file.close()
