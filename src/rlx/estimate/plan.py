"""A run before it is run: memory, work, traffic between devices and time of one step on one device of a mesh."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

from rlx.core.errors import RlxError
from rlx.core.quant_scheme import QuantScheme
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.core.sharding import Mesh, P, ShardingTable, preset_table
from rlx.estimate.chips import Chip, StepTime, step_time
from rlx.estimate.memory import Fusion, LiveBuffer, fuse, memory_timelines
from rlx.estimate.placement import Placement, place
from rlx.estimate.sharding_rules import KEPT_WHOLE
from rlx.ir.graph import Graph
from rlx.ir.op import Op
from rlx.ir.pattern import op
from rlx.layouts.weight_layout import WeightLayout
from rlx.passes.canonicalize import cse, dce
from rlx.passes.entry import LEFT_TO_XLA, Context, Options, Pass
from rlx.passes.pipeline import passes_of, run_passes
from rlx.train.config import TrainingConfig
from rlx.train.language_model import LlamaShape
from rlx.train.step import StepSettings, step_graph

# -- the graph of a training step as XLA sees it, made without JAX ---------------------------------------------------


class _SeenByXla:
    """A stand-in for the device `xla` that runs its passes, decomposes composite ops and merges equal nodes, without JAX."""

    name = "xla"

    def claims(self, op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]) -> str | None:
        """Accepts primitive ops, and composite ops that have a memory rule in the estimator."""
        return None if op.definition.decompose is None or op.definition.name in KEPT_WHOLE else "it is composite"

    def layout_for(self, weights: tuple[Shape, ...], scheme: QuantScheme | None) -> WeightLayout | None:
        return None

    def passes(self, listed: Sequence[Pass], options: Options) -> Sequence[Pass]:
        """The passes of the device `xla` up to the plan, then CSE and DCE as XLA applies them after lowering."""
        chosen: list[Pass] = []
        for one in listed:
            if one.name not in LEFT_TO_XLA and not one.whole:
                chosen.append(one)
            if one.name == "legalize":
                chosen += [Pass("share", cse), Pass("leave out", dce)]
        return chosen

    def commands(self, options: Options) -> Any:
        """Raises: the estimator plans no commands."""
        raise NotImplementedError


def as_xla_sees_it(graph: Graph, precision: str) -> Graph:
    """Lowers a step to the ops that XLA compiles."""
    device, options, report = _SeenByXla(), Options(precision=precision), Report()
    seen, _ = run_passes(graph, Context(device, options, report, passes=passes_of(device, options, report)))
    return seen


_BUILT_WHOLE = 4
"""Models with more layers are extrapolated from two that have fewer: all layers cost the same."""
_FEWER = (2, 4)
"""Layer counts of the two models, even, so that the middle of the backward pass is between two layers."""
_ATTENTION = op("attention")


@dataclass(frozen=True)
class MemoryPlan:
    """Estimated bytes on one device at the memory peak of a step."""

    params: float
    optimizer: float
    """Bytes of moments, averages, gradient sums and counters."""
    inputs: float
    temporary: Mapping[str, float]
    """Bytes by kind: gradients, activations, gathered, workspace."""

    @property
    def resident(self) -> float:
        """Bytes of params and optimizer state, which stay from step to step."""
        return self.params + self.optimizer

    @property
    def total(self) -> float:
        """Bytes of params, optimizer state, inputs and temporaries."""
        return self.resident + self.inputs + sum(self.temporary.values())


@dataclass(frozen=True)
class RunPlan:
    """The estimated memory, time and exchanges of a training step on one device."""

    shape: LlamaShape
    mesh: Mesh
    sharding: str
    chip: Chip
    precision: str
    tokens: int
    """Tokens of one step on all devices."""
    memory: MemoryPlan
    memory_when_late: MemoryPlan
    """The memory if the matmuls of exchanged gradients run last, as XLA orders them on a CPU."""
    time: StepTime
    exchanges: Mapping[tuple[str, str], float]
    """Bytes of one device by collective and axes."""
    largest: tuple[tuple[str, float], ...]
    whole_rows: tuple[str, ...]
    """Axes of the mesh that cut batches, but not activations."""

    @property
    def fits(self) -> bool:
        """Whether the step fits into the chip's memory."""
        return self.memory.total <= self.chip.memory_bytes

    @property
    def model_flops(self) -> float:
        """FLOPs of a step on all devices: 6 per weight and token, 12·layers·width·length for attention (Chowdhery et al. 2022)."""
        shape = self.shape
        weights = shape.parameters - shape.vocabulary * shape.width
        return (6.0 * weights + 12.0 * shape.layers * shape.width * shape.positions) * self.tokens

    @property
    def mfu(self) -> float:
        """Model FLOPs utilization: the model's FLOPs over the 16-bit peak of all devices in the same time."""
        return self.model_flops / (self.time.total * self.mesh.size * self.chip.bf16_flops)

    @property
    def tokens_per_second(self) -> float:
        """Tokens per second of all devices together."""
        return self.tokens / self.time.total

    def check_fits(self, advice: str) -> None:
        """Raises RLX514 if the step does not fit; the error names the missing bytes and `advice`."""
        if not self.fits:
            need, have = (f"{size / 1e9:.1f} GB" for size in (self.memory.total, self.chip.memory_bytes))
            missing = f"{(self.memory.total - self.chip.memory_bytes) / 1e9:.1f} GB too much"
            message = f"a step needs {need} on each {self.chip.name}, which has {have}: {missing}"
            raise RlxError("RLX514", message, fix=advice, at=None)


def run_shape(config: TrainingConfig) -> LlamaShape:
    """The model shape of a run; the text is not read, so a byte-pair vocabulary has its configured size."""
    return config.shape(256 if config.model.vocabulary == "bytes" else config.model.vocabulary_size)


def step_settings(config: TrainingConfig) -> StepSettings:
    """The settings of a training step besides the optimizer's update, as `rlx train` uses them."""
    steps = config.training
    return StepSettings(steps.clip_norm or None, steps.accumulate, steps.loss_scale or None, steps.ema or None, guard=True)


def sharding_table(config: TrainingConfig, mesh: Mesh, sharding: str | Mapping[str, P]) -> ShardingTable:
    """The sharding of a run, after a check that batch, length and heads divide over the mesh."""
    shape = run_shape(config)
    specs = preset_table(sharding, mesh, shape.param_dims()) if isinstance(sharding, str) else sharding
    rows, steps = mesh.parts(mesh.batch_axes), config.training
    if steps.batch % rows:
        axes = " and ".join(mesh.batch_axes)
        fix = f"batch = {math.ceil(steps.batch / rows) * rows}, or a mesh whose {axes} divide it"
        raise RlxError("RLX406", f"batches of {steps.batch} rows over {rows} devices of {axes}", fix=fix, at=None)
    positions = mesh.axes.get("sequence", 1)
    if steps.length % positions:
        fix = f"length = {math.ceil(steps.length / positions) * positions}"
        raise RlxError("RLX406", f"rows of {steps.length} tokens over {positions} devices of sequence", fix=fix, at=None)
    heads = mesh.axes.get("model", 1)
    if shape.heads % heads:
        fix = f"a size of model that divides {shape.heads}"
        raise RlxError("RLX406", f"{shape.heads} heads over {heads} devices of model", fix=fix, at=None)
    return ShardingTable(mesh, specs)


def plan_run(config: TrainingConfig, mesh: Mesh, chip: Chip, sharding: str | Mapping[str, P] | None = None) -> RunPlan:
    """The plan of a configured run on a mesh of chips.

    >>> from rlx.estimate.chips import find_chip
    >>> config = TrainingConfig.parse('[data]\\npaths = "book.txt"')
    >>> plan = plan_run(config, Mesh((8,), ("fsdp",)), find_chip("v5e"))
    >>> plan.fits, plan.memory.params == plan.shape.parameters * 4 / 8
    (True, True)
    """
    chosen = config.device.sharding if sharding is None else sharding
    layers = config.model.layers
    if layers <= _BUILT_WHOLE:
        return _measure(config, mesh, chip, chosen)
    fewer = [replace(config, model=replace(config.model, layers=count)) for count in _FEWER]
    small, larger = (_measure(each, mesh, chip, chosen) for each in fewer)
    return _extrapolate(small, larger, layers)


@lru_cache(maxsize=8)
def _graphs(config: TrainingConfig) -> tuple[Graph, ...]:
    """The graph of a training step; with gradient accumulation also that of a microbatch that only accumulates."""
    steps, shape, settings = config.training, run_shape(config), step_settings(config)
    graphs = []
    for last in (True,) if steps.accumulate == 1 else (True, False):
        graph = step_graph(shape.training(steps.batch, steps.length), "loss", config.rule(), settings, last)
        graphs.append(as_xla_sees_it(graph, steps.precision))
    return tuple(graphs)


@dataclass(frozen=True)
class _Placed:
    """A graph sharded over a mesh of equal chips, with the live buffers at each candidate memory peak."""

    placement: Placement
    fusion: Fusion
    places: tuple[tuple[LiveBuffer, ...], ...]


@lru_cache(maxsize=4)
def _place_graphs(config: TrainingConfig, mesh: Mesh, specs: tuple[tuple[str, P], ...], merged_bytes: int) -> tuple[_Placed, ...]:
    placements = []
    for graph in _graphs(config):
        placement = place(graph, ShardingTable(mesh, dict(specs)))
        fusion = fuse(placement, merged_bytes)
        places = tuple(place for timeline in memory_timelines(placement, fusion) for place in timeline.places)
        placements.append(_Placed(placement, fusion, places))
    return tuple(placements)


def _measure(config: TrainingConfig, mesh: Mesh, chip: Chip, sharding: str | Mapping[str, P]) -> RunPlan:
    table = sharding_table(config, mesh, sharding)
    steps, shape = config.training, run_shape(config)
    built = _place_graphs(config, mesh, tuple(table.patterns.items()), chip.merged_bytes)
    placed, places = [one.placement for one in built], built[0].places
    times = [step_time(one.placement, one.fusion, chip) for one in built]
    counts = [1, steps.accumulate - 1][: len(times)]
    exchanges: dict[tuple[str, str], float] = defaultdict(float)
    for one, count in zip(placed, counts, strict=True):
        for exchange in one.exchanges:
            axes = " × ".join(name for name in mesh.axis_names if name in exchange.axes and mesh.axes[name] > 1)
            if axes:
                exchanges[exchange.kind, axes] += exchange.bytes * count
    first = placed[0]
    return _Measured(
        shape=shape,
        mesh=mesh,
        sharding=sharding if isinstance(sharding, str) else "a table",
        chip=chip,
        precision=steps.precision,
        tokens=steps.batch * steps.length * steps.accumulate,
        memory=_resident(first),
        memory_when_late=_resident(first),
        time=_add_times(times, counts),
        exchanges=exchanges,
        largest=_largest(first, places),
        whole_rows=_whole_rows(first),
        places=tuple(_by_kind(moment) for moment in places),
    ).settled()


@dataclass(frozen=True)
class _Measured(RunPlan):
    """A plan with the memory at each candidate peak, from which plans with more layers are extrapolated."""

    places: tuple[Mapping[str, float], ...] = ()

    def settled(self) -> _Measured:
        """The plan with the largest of the candidate peaks, for both orders of the matmuls."""
        count = len(self.places) // 2
        early, late = (max(places, key=lambda kinds: sum(kinds.values())) for places in (self.places[:count], self.places[count:]))
        memory = self.memory
        return replace(self, memory=replace(memory, temporary=early), memory_when_late=replace(memory, temporary=late))


def _resident(placement: Placement) -> MemoryPlan:
    graph = placement.graph
    params, states, inputs = (
        float(sum(placement.bytes(node.ref) for node in nodes.values())) for nodes in (graph.params, graph.states, graph.inputs)
    )
    return MemoryPlan(params, states, inputs, {})


def _by_kind(buffers: tuple[LiveBuffer, ...]) -> dict[str, float]:
    totals: dict[str, float] = dict.fromkeys(("gradients", "activations", "gathered", "workspace"), 0.0)
    for buffer in buffers:
        totals[buffer.kind] += buffer.bytes
    return totals


def _add_times(times: list[StepTime], counts: list[int]) -> StepTime:
    pairs = list(zip(times, counts, strict=True))
    return StepTime(*(sum(getattr(time, field.name) * count for time, count in pairs) for field in fields(StepTime)))


def _largest(placement: Placement, places: tuple[tuple[LiveBuffer, ...], ...]) -> tuple[tuple[str, float], ...]:
    """The five largest buffers, each size once instead of once per layer."""
    totals: dict[str, float] = {}
    for moment in places:
        for buffer in moment:
            totals[f"{buffer.what} ({buffer.kind})"] = buffer.bytes
    for name, node in placement.graph.params.items():
        totals[f"{name} {node.shape} (param, and each moment)"] = placement.bytes(node.ref)
    texts: dict[float, str] = {}
    for what, size in sorted(totals.items(), key=lambda item: -item[1]):
        texts.setdefault(size, what)
    return tuple((what, size) for size, what in list(texts.items())[:5])


def _whole_rows(placement: Placement) -> tuple[str, ...]:
    """Batch axes of the mesh that do not shard the rows of attention."""
    table = placement.table.mesh
    cutting: set[str] = set()
    for node in placement.graph.nodes:
        if _ATTENTION.made_by(node):
            cutting |= set(placement.cuts[node.ref][0])
    return tuple(name for name in table.batch_axes if table.axes[name] > 1 and name not in cutting)


def _extrapolate(small: RunPlan, larger: RunPlan, layers: int) -> RunPlan:
    """Extrapolates a plan linearly from two models with fewer layers."""
    assert isinstance(small, _Measured) and isinstance(larger, _Measured)
    steps = (layers - small.shape.layers) / (larger.shape.layers - small.shape.layers)

    def line(a: float, b: float) -> float:
        return a + (b - a) * steps

    def lines(a: Mapping[str, float], b: Mapping[str, float]) -> dict[str, float]:
        """Extrapolates gradients and activations linearly; workspace and gathered weights are those of one layer."""
        fixed = {kind: b[kind] for kind in ("gathered", "workspace")}
        gradients = line(a["gradients"], b["gradients"])
        rest = line(sum(a.values()), sum(b.values())) - gradients - sum(fixed.values())
        return {"gradients": gradients, "activations": max(0.0, rest), **fixed}

    memory = MemoryPlan(
        line(small.memory.params, larger.memory.params),
        line(small.memory.optimizer, larger.memory.optimizer),
        line(small.memory.inputs, larger.memory.inputs),
        {},
    )
    times = (
        line(getattr(small.time, part), getattr(larger.time, part)) for part in ("flops", "traffic", "compute", "hidden", "exposed")
    )
    exchanges = {key: line(small.exchanges.get(key, 0.0), size) for key, size in larger.exchanges.items()}
    return replace(
        larger,
        shape=replace(larger.shape, layers=layers),
        memory=memory,
        time=StepTime(*times),
        exchanges=exchanges,
        places=tuple(lines(a, b) for a, b in zip(small.places, larger.places, strict=True)),
    ).settled()


# -- what to change in a run, from its plan: why it does not fit, or what it waits for -------------------------------


_FULL = 0.9
"""The fraction of memory that a plan may fill without advice: XLA needs room for its own choices."""


def advice(plan: RunPlan) -> list[str]:
    """Suggests configuration changes, the most important first; empty if nothing stands out.

    For a plan that does not fit, names what its memory consists of, and the setting that reduces it.
    """
    lines = []
    if plan.memory.total > _FULL * plan.chip.memory_bytes:
        lines += _smaller(plan)
    if plan.whole_rows:
        axes = " and ".join(plan.whole_rows)
        lines.append(
            f"every device of {axes} computes all rows: the token table's columns are cut by it; "
            "cut the table by its rows alone: module.shard({'embedding': rlx.P(('model', 'fsdp')), …})"
        )
    if plan.precision == "always_f32":
        ratio = plan.chip.bf16_flops / plan.chip.f32_flops
        lines.append(f'precision = "auto_mixed_bf16": products in 16 bits are up to {ratio:.0f} times as fast')
    time = plan.time
    if time.hidden > time.compute:
        lines.append(
            f"weights and gradients are on their way for {time.hidden:.3g} s, kernels run for {time.compute:.3g} s: "
            "more rows a device, or accumulate over fewer exchanges with a smaller fsdp and more model"
        )
    if time.exposed > 0.25 * time.total:
        lines.append(
            f"devices wait {time.exposed:.3g} s of {time.total:.3g} s for activations: a smaller model or sequence axis, "
            f"at most {plan.chip.domain} devices, which {plan.chip.name} joins by its own links"
        )
    return lines


def _smaller(plan: RunPlan) -> list[str]:
    """Suggests changes that reduce the memory of a step."""
    memory, capacity = plan.memory, plan.chip.memory_bytes
    lines = []
    if memory.resident > 0.4 * capacity:
        parts = math.ceil(memory.resident / (0.4 * capacity))
        lines.append(
            f"weights and moments take {memory.resident / 1e9:.1f} GB: cut them {parts} times as fine (a larger fsdp or model axis)"
        )
    kinds = memory.temporary
    if kinds.get("activations", 0) + kinds.get("workspace", 0) > 0.3 * capacity:
        size = (kinds.get("activations", 0) + kinds.get("workspace", 0)) / 1e9
        lines.append(f"activations take {size:.1f} GB: halve batch and double accumulate, or a shorter length")
    if kinds.get("gradients", 0) > 0.3 * capacity:
        size = kinds["gradients"] / 1e9
        lines.append(f"gradients before they are summed take {size:.1f} GB: a larger model axis makes each smaller")
    if kinds.get("gathered", 0) > 0.3 * capacity:
        lines.append(f"gathered weights take {kinds['gathered'] / 1e9:.1f} GB: a model axis leaves them cut")
    return lines or ["a larger mesh, or a smaller batch with a larger accumulate"]


# -- meshes as the command line takes them: `fsdp=64 model=8`, or sizes alone, whose names the sharding says ---------


_AXIS = {"fsdp": "fsdp", "tensor": "model", "sequence": "sequence", "expert": "expert"}
"""The mesh axis of each sharding preset."""


def mesh_of(text: str, sharding: str) -> Mesh:
    """Parses a mesh for `rlx plan`: one size for each preset of the sharding, preceded by one for `data`.

    >>> mesh_of("64x8", "fsdp+tensor")
    Mesh(shape=(64, 8), axis_names=('fsdp', 'model'))
    >>> mesh_of("4x64", "fsdp")
    Mesh(shape=(4, 64), axis_names=('data', 'fsdp'))
    """
    if "=" in text:
        return Mesh.parse(text)
    if not re.fullmatch(r"\d{1,9}(x\d{1,9})*", text):
        raise RlxError("RLX406", f"{text!r:.60} is not a mesh", fix="sizes: 64x8; or axes: fsdp=64 model=8", at=None)
    sizes = [int(size) for size in text.split("x")]
    names = [_AXIS.get(preset, preset) for preset in sharding.split("+")]
    if len(sizes) == len(names) + 1:
        names = ["data", *names]
    if len(sizes) != len(names):
        message = f"a mesh of {len(sizes)} sizes, {sharding!r} cuts by {len(names)} axes: {', '.join(names)}"
        fix = f"{'x'.join(['8'] * len(names))}, or axes by name: {' '.join(f'{name}=8' for name in names)}"
        raise RlxError("RLX406", message, fix=fix, at=None)
    return Mesh(sizes, names)
