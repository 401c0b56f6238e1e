"""Calibration: observers turn the arrays of a value over some batches into the range its integers cover."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from rlx.core.aligned import Array
from rlx.core.errors import RlxError
from rlx.ir.graph import Graph, Ref
from rlx.ir.pattern import ValueMap
from rlx.quant.layers import Layer, find_layers, plain_graph, with_outputs
from rlx.runtime.compile import compile_module
from rlx.runtime.executable import Executable
from rlx.runtime.session import Session


class Observer(Protocol):
    """A calibration method: observes finite arrays, then returns the range to cover.

    >>> class Fixed:
    ...     def observe(self, array): ...
    ...     def range(self): return -1.0, 1.0
    >>> observer: Observer = Fixed()  # as `rlx.quant.calibrate(…, observer=Fixed)` takes it
    >>> observer.range()
    (-1.0, 1.0)
    """

    def observe(self, array: Array) -> None:
        """Observes one more array (f32 or f64, not empty, finite)."""
        ...

    def range(self) -> tuple[float, float]:
        """The minimum and maximum to cover."""
        ...


@dataclass
class MinMax:
    """Observes the full range of values.

    >>> observer = MinMax()
    >>> observer.observe(np.array([-1.0, 3.0])); observer.observe(np.array([0.5]))
    >>> observer.range()
    (-1.0, 3.0)
    """

    low: float = float("inf")
    high: float = float("-inf")

    def observe(self, array: Array) -> None:
        """Widens the range to the array's minimum and maximum."""
        self.low, self.high = min(self.low, float(array.min())), max(self.high, float(array.max()))

    def range(self) -> tuple[float, float]:
        """The observed minimum and maximum."""
        return self.low, self.high


@dataclass
class MovingAverage:
    """Averages each batch's minimum and maximum, the newest with weight 1 - decay: an outlier batch counts little.

    >>> average = MovingAverage(decay=0.5)
    >>> for top in (1.0, 3.0):
    ...     average.observe(np.array([0.0, top]))
    >>> average.range()
    (0.0, 2.0)
    """

    decay: float = 0.9
    low: float | None = None
    high: float | None = None

    def observe(self, array: Array) -> None:
        """Updates both averages; the first array initializes them."""
        low, high = float(array.min()), float(array.max())
        self.low = low if self.low is None else self.decay * self.low + (1 - self.decay) * low
        self.high = high if self.high is None else self.decay * self.high + (1 - self.decay) * high

    def range(self) -> tuple[float, float]:
        """The averaged minimum and maximum."""
        assert self.low is not None and self.high is not None
        return self.low, self.high


_BINS = 2048


@dataclass
class Histogram:
    """A histogram of magnitudes, separate for negative values; if data exceeds the range, both range and bin width double.

    >>> histogram = Histogram()
    >>> histogram.observe(np.array([-1.0, 0.5, 2.0]))
    >>> histogram.top, histogram.counts.sum(1).tolist()
    (2.0, [1.0, 2.0])
    """

    top: float = 0.0
    counts: Array = field(default_factory=lambda: np.zeros((2, _BINS)))  # [negative and other, bin]

    def observe(self, array: Array) -> None:
        """Counts the magnitudes of an array."""
        sizes, negative = np.abs(array).ravel(), array.ravel() < 0
        largest = float(sizes.max())
        if self.top == 0.0:
            self.counts[1, 0] += 0 if largest else sizes.size  # only zeros so far
            self.top = largest
            if largest == 0.0:
                return
        while self.top < largest:
            pairs = self.counts.reshape(2, _BINS // 2, 2).sum(2)
            self.counts = np.concatenate([pairs, np.zeros_like(pairs)], axis=1)
            self.top *= 2
        for side, chosen in enumerate((sizes[negative], sizes[~negative])):
            bins = np.minimum((chosen * (_BINS / self.top)).astype(np.int64), _BINS - 1)
            self.counts[side] += np.bincount(bins, minlength=_BINS)

    def centers(self) -> Array:
        """The center of each bin."""
        return (np.arange(_BINS) + 0.5) * (self.top / _BINS)

    def limits(self) -> tuple[float, float]:
        """The outer edges of the outermost non-empty bins."""
        edges = []
        for side in range(2):
            filled = np.flatnonzero(self.counts[side])
            edges.append((int(filled[-1]) + 1) * (self.top / _BINS) if filled.size else 0.0)
        return -edges[0], edges[1]


@dataclass
class Percentile:
    """Covers `percent` of the values; the others are clipped equally at both ends.

    >>> observer = Percentile(percent=99.0)
    >>> observer.observe(np.concatenate([np.linspace(-1, 1, 1000), [9.0]]))
    >>> round(observer.range()[1], 1)
    1.0
    """

    percent: float = 99.99
    histogram: Histogram = field(default_factory=Histogram)

    def __post_init__(self) -> None:
        if not 0 < self.percent <= 100:
            raise RlxError("RLX105", f"a percentile of {self.percent}", fix="more than 0, at most 100: Percentile(99.9)")

    def observe(self, array: Array) -> None:
        """Counts the values of an array."""
        self.histogram.observe(array)

    def range(self) -> tuple[float, float]:
        """The edges of the bins with the two quantiles."""
        counts, width = self.histogram.counts, self.histogram.top / _BINS
        line = np.concatenate([counts[0, ::-1], counts[1]])  # from the most negative bin to the largest
        edges = (np.arange(2 * _BINS + 1) - _BINS) * width
        below, total = np.cumsum(line), line.sum()
        cut = total * (1 - self.percent / 100) / 2
        low = int(np.searchsorted(below, cut, side="right"))
        high = int(np.searchsorted(below, total - cut, side="left"))
        return float(edges[low]), float(edges[high + 1])


_SHRINKS = np.linspace(1.0, 0.05, 96)


@dataclass
class MeanSquare:
    """Chooses the range whose 256 steps give the least squared error: a trade-off between clipping and finer steps.

    >>> observer = MeanSquare()
    >>> observer.observe(np.concatenate([np.linspace(-1, 1, 100_000), [9.0]]))
    >>> observer.range()[1] < 9.0
    True
    """

    histogram: Histogram = field(default_factory=Histogram)

    def observe(self, array: Array) -> None:
        """Counts the values of an array."""
        self.histogram.observe(array)

    def range(self) -> tuple[float, float]:
        """The range of least error: moves both ends towards 0 together, then each separately."""
        low, high = self.histogram.limits()
        low, high = min(((low * float(f), high * float(f)) for f in _SHRINKS), key=lambda ends: self._error(*ends))
        high = min((high * float(factor) for factor in _SHRINKS), key=lambda end: self._error(low, end))
        low = min((low * float(factor) for factor in _SHRINKS), key=lambda end: self._error(end, high))
        return low, high

    def _error(self, low: float, high: float) -> float:
        """The squared error of all counted values, each taken as the center of its bin."""
        centers = self.histogram.centers()
        values = np.stack([-centers, centers])
        step = max((high - low) / 255, float(np.finfo(np.float32).tiny))
        rounded = np.clip(np.rint(values / step) * step, low, high)
        return float((self.histogram.counts * np.square(values - rounded)).sum())


OBSERVERS: dict[str, Callable[[], Observer]] = {
    "min_max": MinMax,
    "moving_average": MovingAverage,
    "percentile": Percentile,
    "mean_square": MeanSquare,
}
"""Functions that make a new observer, by name."""


def observer_factory(observer: str | Callable[[], Observer]) -> Callable[[], Observer]:
    """Returns a function that makes observers, from a name or such a function: `lambda: Percentile(99.9)`."""
    if callable(observer):
        return observer
    if observer not in OBSERVERS:
        raise RlxError("RLX105", f"{observer!r} is not an observer", fix=f"{', '.join(OBSERVERS)}, or a function that makes one")
    return OBSERVERS[observer]


# -- calibrate: the range of every layer's input over some batches, from one executable ------------------------------


@dataclass(frozen=True, eq=False)
class Calibration:
    """The observed ranges of a graph's layer inputs, with the graph and its params, as `quantize` needs them.

    >>> import rlx
    >>> g = rlx.Graph("one"); x = g.input("x", (8, 4)); g.set_outputs({"y": x @ g.param("w", (4, 2))})
    >>> random = np.random.default_rng(0)
    >>> weights, data = {"w": random.standard_normal((4, 2), np.float32)}, random.standard_normal((8, 4), np.float32)
    >>> calibration = rlx.quant.calibrate(g, [data], params=weights, device="reference")
    >>> [layer.name for layer in calibration.layers], calibration.batches
    (['w'], 1)
    """

    graph: Graph = field(repr=False)
    value_map: ValueMap = field(repr=False)  # from the caller's module to its plain graph
    layers: tuple[Layer, ...]
    session: Session = field(repr=False)
    ranges: Mapping[Ref, tuple[float, float]]
    sample: Mapping[str, Array] = field(repr=False)  # the first batch
    batches: int

    def range_of(self, layer: Layer) -> tuple[float, float]:
        """The observed range of a layer's input, or an error if there is none."""
        if layer.x not in self.ranges:
            message = f"the input of {layer.name!r} was not observed in {self.batches} batches: it had no elements"
            raise RlxError("RLX622", message, fix=f"use batches that are not empty, or skip={layer.name!r}", at=None)
        return self.ranges[layer.x]

    def __repr__(self) -> str:
        return f"<Calibration of {self.graph.name}: {len(self.layers)} layers, {self.batches} batches>"

    def __str__(self) -> str:
        rows = [
            f"{layer.name}: {self.ranges[layer.x][0]:.6g} to {self.ranges[layer.x][1]:.6g}"
            for layer in self.layers
            if layer.x in self.ranges
        ]
        return "\n".join([f"{self.batches} batches", *rows])


def calibrate(
    module: Any,
    batches: Iterable[Mapping[str, Any] | Any],
    *,
    params: Mapping[str, Any] | None = None,
    observer: str | Callable[[], Observer] = "min_max",
    device: str = "cpu",
) -> Calibration:
    """Runs batches through a graph and observes the input of every layer that can be quantized.

    module: a Graph or module with its `params`, or an Executable, whose session has them. batches: dicts of input arrays; plain arrays
    if there is one input. observer: min_max, moving_average, percentile, mean_square, or a function that makes one for each value.

    >>> from rlx import Graph
    >>> g = Graph("one"); x = g.input("x", (2, 2)); g.set_outputs({"y": x @ g.param("w", (2, 3))})
    >>> data = [np.array([[0, 1], [2, 3]], np.float32), np.array([[-1, 0], [0, 5]], np.float32)]
    >>> print(calibrate(g, data, params={"w": np.ones((2, 3), np.float32)}, device="reference"))
    2 batches
    w: -1 to 5
    """
    graph, value_map = plain_graph(module)
    layers = find_layers(graph)
    observed = list(dict.fromkeys(layer.x for layer in layers if layer.reason is None))
    if not observed:
        reasons = "; ".join(f"{layer.name}: {layer.reason}" for layer in layers) or "it has no matmul and no conv"
        raise RlxError("RLX623", f"nothing to quantize in graph {graph.name!r}: {reasons}")
    session = module.session if isinstance(module, Executable) else Session(device)
    exe = compile_module(with_outputs(graph, observed, f"{graph.name}.observed"), session=session)
    if params is not None:
        session.set_params(params)
    observers = {ref: observer_factory(observer)() for ref in observed}
    names = {ref: next(layer.name for layer in layers if layer.x == ref) for ref in observed}
    seen, sample, count = _observe(exe, batches, observers, names)
    ranges = {ref: observers[ref].range() for ref in observed if ref in seen}
    return Calibration(graph, value_map, tuple(layers), session, ranges, sample, count)


def _observe(
    exe: Executable, batches: Iterable[Mapping[str, Any] | Any], observers: Mapping[Ref, Observer], names: Mapping[Ref, str]
) -> tuple[set[Ref], dict[str, Array], int]:
    """Passes every batch's values to their observers; returns which had elements, the first batch, and the number of batches."""
    seen: set[Ref] = set()
    sample: dict[str, Array] = {}
    count = 0
    for count, batch in enumerate(batches, 1):
        inputs = _by_name(batch, exe)
        sample = sample or {name: np.array(array) for name, array in inputs.items()}
        for ref, array in zip(observers, map(np.asarray, exe.run(inputs).values()), strict=True):
            if array.size:
                observers[ref].observe(_check_finite(array, names[ref], count))
                seen.add(ref)
    if count == 0:
        fix = "pass an iterable of input dicts with at least one in it: a few hundred examples are enough"
        raise RlxError("RLX621", "there are no batches", fix=fix)
    return seen, sample, count


def _by_name(batch: Mapping[str, Any] | Any, exe: Executable) -> Mapping[str, Any]:
    if isinstance(batch, Mapping):
        return batch
    if len(exe.inputs) != 1:
        message = f"a batch is a {type(batch).__name__}, but the graph has {len(exe.inputs)} inputs"
        raise RlxError("RLX621", message, fix=f"a dict of arrays by name: {', '.join(exe.inputs)}")
    return {next(iter(exe.inputs)): batch}


def _check_finite(array: Array, name: str, batch: int) -> Array:
    wide = array if array.dtype in (np.float32, np.float64) else array.astype(np.float32)
    if not np.isfinite(wide).all():
        what = "NaN" if np.isnan(wide).any() else "infinity"
        message = f"the input of {name!r} has {what} in batch {batch}"
        raise RlxError("RLX621", message, fix="check the data; rlx.compile(…, trap_nan=True) names the op", at=None)
    return wide
