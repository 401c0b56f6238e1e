"""Executable: validates, binds, runs. All checks come before the native call; a failed run changes nothing."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any

from rlx.backends.base import Artifact, Limits, Placed, ProgramRunner
from rlx.backends.registry import find_backend
from rlx.core.aligned import Array
from rlx.core.cache import Recent
from rlx.core.device_array import on_host
from rlx.core.dim import evaluate
from rlx.core.errors import RlxError, check_is
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.parse_lir import Lir
from rlx.runtime.device_calls import DeviceInputs, DeviceResults
from rlx.runtime.interface import Interface
from rlx.runtime.locks import RunLock
from rlx.runtime.parameters import Memory, planned_memory
from rlx.runtime.prepared_values import Prepared, PreparedValue
from rlx.runtime.run_arrays import Binder, BoundSizes, GivenInputs, Results
from rlx.runtime.session import Session, SessionEntry
from rlx.runtime.tracebacks import explain, too_large

# -- profile: where the time of a run goes, command by command -------------------------------------------------------


_MOST_RUNS = 1_000_000  # of one profile: each keeps its times


@dataclass(frozen=True)
class ProfileLine:
    """One command of a run profile."""

    kernel: str
    origin: str
    seconds: float
    operations: int
    bytes: int

    def __str__(self) -> str:
        seconds = max(self.seconds, 1e-9)
        rates = f"{self.operations / seconds / 1e9:8.1f} GFLOP/s {self.bytes / seconds / 1e9:7.1f} GB/s"
        return f"{self.seconds * 1e6:10.1f} µs {rates}  {self.kernel}  {self.origin}"


@dataclass(frozen=True)
class RunProfile:
    """All commands in order; prints as a table, and by kernel with `by_kernel()`.

    With `limits`, measured on the device, each kernel shows its roofline share: the minimum time for its arithmetic and bytes, over
    the measured time. A share can exceed 100 %: operands in a cache are read faster than from memory.
    """

    lines: tuple[ProfileLine, ...]
    limits: Limits | None = None

    @staticmethod
    def of_runs(runs: Sequence[Sequence[tuple[str, str, float, int, int]]], limits: Limits | None) -> RunProfile:
        """The profile with each command's median time over several runs."""
        from statistics import median

        rows = [(*times[0][:2], median(row[2] for row in times), *times[0][3:]) for times in zip(*runs, strict=True)]
        return RunProfile(tuple(ProfileLine(*row) for row in rows), limits)

    @property
    def seconds(self) -> float:
        """The seconds of all commands."""
        return sum(line.seconds for line in self.lines)

    @property
    def operations(self) -> int:
        """The arithmetic operations of all commands."""
        return sum(line.operations for line in self.lines)

    @property
    def bytes(self) -> int:
        """Bytes of operands read and written by all commands."""
        return sum(line.bytes for line in self.lines)

    def by_kernel(self) -> dict[str, tuple[int, float]]:
        """Count and seconds of each kernel, the slowest first."""
        kernels: dict[str, tuple[int, float]] = {}
        for line in self.lines:
            count, seconds = kernels.get(line.kernel, (0, 0.0))
            kernels[line.kernel] = (count + 1, seconds + line.seconds)
        return dict(sorted(kernels.items(), key=lambda item: -item[1][1]))

    def share_of_limit(self, kernel: str) -> float | None:
        """A kernel's roofline share: the minimum time for its arithmetic and bytes, over the measured time."""
        if self.limits is None:
            return None
        own = [line for line in self.lines if line.kernel == kernel]
        limits = self.limits
        least = sum(max(line.operations / limits.gflops, line.bytes / limits.gigabytes) * 1e-9 for line in own)
        return least / max(sum(line.seconds for line in own), 1e-12)

    def _share(self, kernel: str) -> str:
        share = self.share_of_limit(kernel)
        return "" if share is None else f"  {100 * share:4.0f} % of the limit"

    def __str__(self) -> str:
        summary = [
            f"{seconds * 1e6:10.1f} µs {100 * seconds / max(self.seconds, 1e-12):5.1f} %  {count:4} × {kernel}{self._share(kernel)}"
            for kernel, (count, seconds) in self.by_kernel().items()
        ]
        if self.limits is not None:
            summary.append(f"limits measured here: {self.limits}")
            summary += [] if self.limits.warning is None else [f"careful: {self.limits.warning}"]
        return "\n".join([*(str(line) for line in self.lines), f"{self.seconds * 1e6:10.1f} µs total", "", *summary])


@lru_cache(maxsize=4)
def measured_limits(device: str) -> Limits | None:
    """The peak rates of a device, measured once as for `rlx doctor` and the benchmarks."""
    return find_backend(device).limits(0.4)


def check_runs(runs: int) -> None:
    """Validates the number of runs of a profile."""
    check_is(runs, int, "RLX406", "runs", f"an integer from 1 to {_MOST_RUNS}")
    if not 1 <= runs <= _MOST_RUNS:
        raise RlxError("RLX406", f"runs is {runs!r:.60}", fix=f"an integer from 1 to {_MOST_RUNS}")


_BOUND = 256  # cached sets of shapes, of the latest runs


class Executable:
    """A compiled graph.

    `run({...})` gives a dict by output name; calling it gives an array or a tuple. The caller owns the results; once the caller has
    dropped them, later runs reuse their memory. Results are NumPy arrays, or `rlx.DeviceArray`s on a device with its own memory.

    >>> import numpy as np, rlx
    >>> g = rlx.Graph("scale"); x = g.input("x", ("n",)); g.set_outputs({"y": x * g.param("w", ())})
    >>> exe = rlx.compile(g, "reference")
    >>> exe.set_param("w", np.float32(3))
    >>> exe.run({"x": np.float32([1, 2])}), exe(np.float32([4]))
    ({'y': array([3., 6.], dtype=float32)}, array([12.], dtype=float32))
    """

    def __init__(
        self,
        interface: Interface,
        graph: Callable[[], Graph],
        session: Session,
        runner: ProgramRunner,
        prepared: Prepared | None,
        report: Report,
        lower: Callable[[], Lir],
        code: Artifact,
    ) -> None:
        self.interface = interface
        self._graph = graph
        self.session = session
        self.report = report
        self.code = code  # what `save` writes
        self._runner, self._prepared = runner, prepared
        self._values: dict[str, PreparedValue] = {}  # the attached prepared values
        self._stale = prepared is not None  # whether params changed, or renewing values was interrupted
        self._lower = lower
        self._inputs = dict(interface.inputs)
        self._outputs = dict(interface.outputs)
        self._names = tuple(self._outputs)
        arrays = session.arrays
        self._is_host = arrays.is_host
        self._given = GivenInputs(self._inputs) if self._is_host else DeviceInputs(self._inputs, arrays)
        self._results = Results(self._outputs) if self._is_host else DeviceResults(self._outputs, arrays)
        self._pooled = self._results.pooled  # looked up once: a run is short
        self._params = tuple(interface.params)
        self._states = tuple(interface.states)
        self._updated_params = tuple(name for name in interface.updates if name in interface.params)
        self._owned = self._states + self._params
        self._place_of = {name: index for index, name in enumerate(self._owned)}
        changes = self._states or self._updated_params  # whether a run changes the session, and needs its lock
        self._lock = session.lock if changes else RunLock()
        self._binder = Binder(interface.symbols, interface.assumptions)
        self._bound: Recent[tuple[Any, ...], BoundSizes] = Recent(_BOUND)
        self._last: BoundSizes | None = None  # of the latest run, if the next one may reuse them
        self._versions: list[int] = []  # of states and params whose memory is attached
        self._seen = -1  # `SessionEntry.changes` when `_versions` was current

    @staticmethod
    def of_code(
        interface: Interface,
        graph: Callable[[], Graph],
        session: Session,
        report: Report,
        lower: Callable[[], Lir],
        artifact: Artifact,
    ) -> Executable:
        """An executable for code that was compiled or loaded, with its own working memory."""
        main, prepare = artifact.runners(tuple(interface.inputs), tuple(interface.outputs))
        prepared = None if prepare is None else Prepared(prepare, artifact, session, tuple(interface.params))
        return Executable(interface, graph, session, main, prepared, report, lower, artifact)

    @cached_property
    def graph(self) -> Graph:
        """The compiled graph, built on first access if the code came from a cache."""
        return self._graph()

    @cached_property
    def lir(self) -> Lir:
        """The optimized graph with plan and schedule, lowered again if the code came from the disk cache."""
        return self._lower()

    # -- running
    def run(
        self, inputs: Mapping[str, Any] | None = None, *, out: Mapping[str, Any] | None = None, donate: Iterable[str] = ()
    ) -> dict[str, Array]:
        """Run on arrays by input name; `out` gives arrays to write results into.

        A device with its own memory receives copies of inputs that are not there yet. Its results are `rlx.DeviceArray`s, which
        `np.asarray` copies to the host and another run takes without a copy. `out` takes such arrays there.

        `donate` names inputs whose memory may be used for results: the caller must not use these arrays afterwards, even if the run
        fails. A result of the same dtype and size is written into a donated array if the plan reads the input for the last time
        before it writes the result (`exe.code.donations` lists these pairs). Otherwise donation has no effect. Results are the same
        either way. A donated array must be writable and dense, cover its full allocation, and share memory with no other array.

        Calls from several threads wait for each other; `clone()` gives an executable that does not wait for this one.

        >>> import numpy as np, rlx
        >>> g = rlx.Graph("step"); x = g.input("x", (2,)); g.set_outputs({"y": g.exp(x)})
        >>> exe, x = rlx.compile(g), np.zeros(2, np.float32)
        >>> np.shares_memory(x, exe.run({"x": x}, donate=["x"])["y"])
        True
        """
        results = self._results_of({} if inputs is None else inputs, out, donate)
        if len(results) == 1:
            return {self._names[0]: results[0]}
        return dict(zip(self._names, results))  # noqa: B905  as many as there are names; a run is short

    def _results_of(
        self, inputs: Mapping[str, Any], out: Mapping[str, Any] | None = None, donate: Iterable[str] = ()
    ) -> list[Placed]:
        with self._lock:
            results = None if donate else self._again(inputs, out)
            return self._run(inputs, out, donate) if results is None else results

    def _again(self, inputs: Mapping[str, Any], out: Any) -> list[Placed] | None:
        """Runs with the last run's sizes if the runner accepts the inputs; else returns None before any effect."""
        last = self._last
        if last is None or (type(inputs) is not dict and not isinstance(inputs, Mapping)):
            return None
        if out is not None and ((type(out) is not dict and not isinstance(out, Mapping)) or len(out) != len(self._outputs)):
            return None
        if len(inputs) != len(self._inputs):
            return None
        if SessionEntry.changes != self._seen and not self._is_unchanged():
            return None
        try:
            # loops and `partial`: Python makes a function of a comprehension, and cells of what a lambda uses
            arrays, results = [], []
            for name in self._inputs:
                arrays.append(inputs[name])
            if out is None:
                for expected in last.outputs:
                    results.append(self._pooled(*expected))
            else:
                for name in self._names:
                    results.append(out[name])
        except KeyError:
            return None
        try:
            return results if self._runner.again(arrays, results) else None
        except RlxError as error:
            explain(error, self.graph, partial(self._given_arrays, arrays))
            raise

    def _run(self, inputs: Mapping[str, Any], out: Mapping[str, Any] | None, donate: Iterable[str]) -> list[Placed]:
        """Runs on any inputs: converts them, binds symbols, allocates results, runs the commands."""
        self._last = None
        arrays = self._given.take(inputs)
        try:
            self._ready()
            bound = self._bind(arrays)
            donated = self._donate(inputs, arrays, out, donate) if donate else {}
            results = self._results.take(bound.outputs, out, arrays, donated)
            self._announce_updates()
            self._runner.run(bound.sizes, arrays, results)
        except RlxError as error:
            explain(error, self.graph, partial(self._given_arrays, arrays))
            raise
        # the new versions of updated params are to be announced in each run; a device's runner is given what is there already
        if not self._updated_params and (self._is_host or all(map(operator.is_, arrays, map(inputs.get, self._inputs)))):
            self._last = bound
        return results

    def clone(self) -> Executable:
        """The same code in the same session with working memory of its own, to run on another thread at the same time.

        Params, states and what is prepared from params are shared; runs that read or change states still take turns.

        >>> import numpy as np
        >>> from rlx import Graph, compile
        >>> g = Graph("double"); x = g.input("x", (2,), "f32"); g.set_outputs({"y": x + x})
        >>> compile(g, "reference").clone()(x=np.ones(2, np.float32))
        array([2., 2.], dtype=float32)
        """
        own = self.session, self._runner.clone(), self._prepared
        return Executable(self.interface, lambda: self.graph, *own, self.report, self._lower, self.code)

    def save(self, path: str | os.PathLike[str], *, params: bool = False, states: bool = False) -> None:
        """Write the native code and all that is needed to run it; `rlx.load_executable(path)` reads it without compiling.

        The file runs on CPUs that have the features this one was compiled for. With `params` and `states` the file contains their
        current values. A program that calls Python is an error.
        """
        from rlx.runtime.save import save_executable

        save_executable(self, path, params=params, states=states)

    def __call__(self, *arguments: Any, **inputs: Any) -> Array | Any:
        """Run on inputs by position or name; one output comes as an array, several as a tuple."""
        if len(arguments) > len(self._inputs):
            raise RlxError("RLX501", f"{len(arguments)} inputs given, the executable has {len(self._inputs)}")
        if arguments:
            inputs = {**dict(zip(self._inputs, arguments, strict=False)), **inputs}
        results = self._results_of(inputs)
        return results[0] if len(results) == 1 else tuple(results)

    def profile(self, inputs: Mapping[str, Any] | None = None, *, runs: int = 5, limits: bool = True) -> RunProfile:
        """Time every command: the median of some runs, with operations and bytes per second. States advance as in any run.

        With `limits` the machine's peak rates are measured (once, in less than a second), and each kernel's share of them is shown.
        """
        check_runs(runs)
        with self._lock:
            arrays = self._given.take({} if inputs is None else inputs)
            self._ready()
            bound = self._bind(arrays)
            results = self._results.take(bound.outputs, None, arrays)
            self._announce_updates()
            profiles = [self._runner.profiled(bound.sizes, arrays, results) for _ in range(runs)]
        return RunProfile.of_runs(profiles, measured_limits(self.session.device) if limits else None)

    def prepare(self) -> None:
        """Does the work before the first run: attaches params and states, and computes the values that depend on params alone."""
        with self._lock:
            self._ready()

    def free_working_memory(self) -> None:
        """Frees working memory and the pool of result arrays; the next run allocates them again. Params and states stay."""
        with self._lock:
            self._last = None
            self._versions, self._seen, self._stale = [], -1, self._prepared is not None
            self._runner.release()
            if isinstance(self._results, Results):
                self._results.clear()

    def leaves(self, inputs: Mapping[str, Any]) -> tuple[dict[str, Array], dict[str, int]]:
        """Every input, param and state by name as a run would read it, in host memory, and the symbols' values."""
        with self._lock:
            arrays = self._given.take(inputs)
            self._ready()
            return self._leaf_arrays(arrays), dict(self._bind(arrays).sizes)

    def _given_arrays(self, arrays: Sequence[Placed]) -> dict[str, Array]:
        """Every input, param and state as the user set it, in host memory."""
        return {**self._leaf_arrays(arrays), **self.session.values_as_set(self._params)}

    def _leaf_arrays(self, arrays: Sequence[Placed]) -> dict[str, Array]:
        leaves = self.session.leaves(self._params + self._states)
        return {name: on_host(array) for name, array in (*zip(self._inputs, arrays, strict=True), *leaves.items())}

    # -- params and states
    def set_param(self, name: str, array: Any) -> None:
        """Set a param in the session."""
        self.session.set_param(name, array)

    def set_params(self, arrays: Mapping[str, Any]) -> None:
        """Set several params in the session."""
        self.session.set_params(arrays)

    def param(self, name: str) -> Array | Any:
        """A copy of a param; a packed param in the form that its scheme stores."""
        return self.session.param(name)

    def state(self, name: str) -> Array:
        """A copy of a state."""
        return self.session.state(name)

    # -- reading
    @property
    def inputs(self) -> dict[str, Shape]:
        """The declared shape of each input by name."""
        return dict(self._inputs)

    @property
    def outputs(self) -> dict[str, Shape]:
        """The declared shape of each output by name."""
        return dict(self._outputs)

    @property
    def memory(self) -> Memory:
        """Bytes by kind and in total before a run, as expressions of the symbols; call it with sizes for numbers."""
        prepared = self._prepared
        held = [name for name in self._params if prepared and prepared.holds(name) and not self._runner.uses(name)]
        stored = [shape for name in self._params for shape in self.session.entries[name].stored_shapes(name in held)]
        made = prepared.shapes.values() if prepared is not None else ()
        return planned_memory(self.interface, self.code.memory, self._runner.threads, stored, made)

    def __repr__(self) -> str:
        inputs = ", ".join(f"{name}: {shape}" for name, shape in self._inputs.items())
        outputs = ", ".join(f"{name}: {shape}" for name, shape in self._outputs.items())
        return f"<Executable {self.interface.name} on {self.session.device}: ({inputs}) -> ({outputs})>"

    # -- the steps of a run
    def _bind(self, arrays: Sequence[Placed]) -> BoundSizes:
        """Binds symbols to the shapes of a run; caches symbol values and output shapes per set of shapes."""
        shapes = [array.shape for array in arrays]
        if self._states:
            entries = self.session.entries
            shapes += [entries[name].array.shape for name in self._states]  # type: ignore[union-attr]
        key = tuple(shapes)
        bound = self._bound.get(key)
        if bound is None:
            declared = {**self._inputs, **{name: self.session.entries[name].shape for name in self._states}}
            sizes = self._binder.bind(declared, dict(zip(declared, key, strict=True)))
            if not self._runner.fits(sizes):
                raise too_large(self.graph, self.memory.parts, sizes)
            results = (
                (name, tuple(evaluate(size, sizes) for size in shape.dims), shape.dtype) for name, shape in self._outputs.items()
            )
            bound = BoundSizes(sizes, [(name, dims, dtype.numpy) for name, dims, dtype in results])
            self._bound[key] = bound
        return bound

    def _ready(self) -> None:
        """Attaches changed memory to the runner, and recomputes values prepared from changed params.

        A version is recorded after its work is complete, so that an interrupt in between only causes the work to be repeated.
        """
        if not self._is_unchanged():
            self._last = None  # its sizes may belong to other states
            versions = [self.session.entries[name].version for name in self._owned]
            self._attach(versions)
            self._versions = versions
        if self._prepared is not None and self._stale:
            values = self._prepared.renew(self, self._values)
            for name, value in values.items():
                self._runner.attach(name, value.array)
            self._values = values
        self._stale = False

    def _is_unchanged(self) -> bool:
        """Whether the attached states and params are current; compares each version only after a change of any entry."""
        changes = SessionEntry.changes
        if changes != self._seen:
            entries = self.session.entries
            if [entries[name].version for name in self._owned] != self._versions:
                return False
            self._seen = changes
        return True

    def _attach(self, versions: list[int]) -> None:
        """Attaches the memory of changed states and params to the runner, and records their versions in `versions`."""
        known = self._versions or [-1] * len(versions)
        for index, name in enumerate(self._owned):
            entry = self.session.entries[name]
            if not entry.is_set:
                self.session.give_first_value(name)
            versions[index] = entry.version
            if known[index] != versions[index]:
                self._stale = self._stale or entry.kind == "param"
                with self.session.lock:
                    read = entry.read_by(name, self._runner.uses)
                for leaf, array in read.items():
                    self._runner.attach(leaf, array)

    def _announce_updates(self) -> None:
        """Increments the versions of params that this run updates, so that other executables prepare again."""
        for name in self._updated_params:
            entry = self.session.entries[name]
            entry.note_change()
            self._versions[self._place_of[name]] = entry.version

    def _donate(
        self, inputs: Mapping[str, Any], arrays: Sequence[Placed], out: Mapping[str, Any] | None, donate: Iterable[str]
    ) -> dict[str, Placed]:
        """Maps each output that reuses the memory of a donated input to that input's array."""
        states = [array for name in self._states if (array := self.session.entries[name].array) is not None]
        donated_inputs = self._given.donated(inputs, arrays, donate, states)
        donated: dict[str, Placed] = {}
        for source, target in self.code.donations:
            if source in donated_inputs and target not in donated and target not in (out or ()):
                donated[target] = donated_inputs.pop(source)
        return donated
