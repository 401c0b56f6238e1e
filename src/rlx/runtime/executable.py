"""Executable: validates, binds, runs. All checks come before the native call; a failed run changes nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rlx.backends.base import Runner
from rlx.core.dim import Size, evaluate
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.lir import Lir
from rlx.runtime.binding import Binder
from rlx.runtime.failure import explain
from rlx.runtime.locks import RunLock
from rlx.runtime.memory import Memory
from rlx.runtime.prepared import Prepared
from rlx.runtime.profile import Line, Profile
from rlx.runtime.session import Session, aligned_empty

if TYPE_CHECKING:
    from rlx.runtime.native import NativeCode

Array = npt.NDArray[Any]
_POOLED = 4  # results kept per output for reuse


@dataclass
class Bound:
    """One set of sizes: symbol values and the shapes of the outputs."""

    sizes: dict[str, int]
    outputs: tuple[tuple[int, ...], ...]


class Executable:
    """A compiled graph.

    `run({...})` gives a dict by output name; calling it gives an array or a tuple. Results are owned by the caller; their memory is used
    again once the caller has dropped them.
    """

    def __init__(
        self,
        graph: Graph,
        session: Session,
        runner: Runner,
        prepared: Prepared | None,
        report: Report,
        lower: Callable[[], Lir],
        code: NativeCode | None = None,
    ) -> None:
        self.graph = graph
        self.session = session
        self.report = report
        self.code = code  # what `save` writes; None on devices without native code
        self._runner, self._prepared = runner, prepared
        if prepared is not None:
            prepared.add_user(self)
        self._generation, self._stale = 0, False  # of the prepared values attached; stale: an attempt to renew them was cut short
        self._lower = lower
        self._lock = RunLock()
        self._inputs = {name: node.shape for name, node in graph.inputs.items()}
        self._dtypes = {name: shape.dtype.numpy for name, shape in self._inputs.items()}
        self._outputs = {name: graph.shape(ref) for name, ref in graph.outputs.items()}
        self._params = tuple(graph.params)
        self._states = tuple(graph.states)
        self._updated_params = tuple(name for name in graph.updates if name in graph.params)
        self._session_lock = session.lock if self._states or self._updated_params else self._lock  # taken twice it costs nothing
        self._binder = Binder(graph.symbols, graph.assumptions)
        self._bound: dict[tuple[Any, ...], Bound] = {}
        self._versions: dict[str, int] = {}
        self._pools: dict[str, list[Array]] = {name: [] for name in self._outputs}

    @cached_property
    def lir(self) -> Lir:
        """The optimized graph with plan and schedule (lowered again when the code came from the disk cache)."""
        return self._lower()

    # -- running
    def run(self, inputs: Mapping[str, Any] | None = None, *, out: Mapping[str, Array] | None = None) -> dict[str, Array]:
        """Run on arrays by input name; `out` gives arrays to write results into.

        Calls from several threads wait for each other; `clone()` gives an executable that does not wait for this one.
        """
        with self._lock, self._session_lock:
            arrays = self._take(inputs or {})
            try:
                self._ready()
                bound = self._bind(arrays)
                results = self._results(bound, out, arrays)
                self._announce_updates()
                self._runner.run(bound.sizes, arrays, results)
            except RlxError as error:
                explain(error, self.graph, self._leaf_arrays(arrays))
                raise
            return dict(zip(self._outputs, results, strict=True))

    def clone(self) -> Executable:
        """The same code in the same session with working memory of its own, to run on another thread at the same time.

        Params, states and what is prepared from params are shared; runs that read or change states still take turns.

        >>> from rlx import Graph, compile
        >>> g = Graph("double"); x = g.input("x", (2,), "f32"); g.set_outputs({"y": x + x})
        >>> compile(g, "reference").clone()(x=np.ones(2, np.float32))
        array([2., 2.], dtype=float32)
        """
        return Executable(self.graph, self.session, self._runner.clone(), self._prepared, self.report, self._lower, self.code)

    def save(self, path: str | os.PathLike[str], *, params: bool = False, states: bool = False) -> None:
        """Write the native code and all that is needed to run it; `rlx.load_executable(path)` reads it without compiling.

        The file runs on CPUs that have the features this one was compiled for. With `params` and `states` their present values go
        along. Programs that call Python are refused.
        """
        from rlx.runtime.save import save_executable

        save_executable(self, path, params=params, states=states)

    def __call__(self, *arguments: Any, **inputs: Any) -> Array | tuple[Array, ...]:
        """Run on inputs by position or name; one output comes as an array, several as a tuple."""
        if len(arguments) > len(self._inputs):
            raise RlxError("RLX501", f"{len(arguments)} inputs given, the executable has {len(self._inputs)}")
        given = {**dict(zip(self._inputs, arguments, strict=False)), **inputs}
        results = tuple(self.run(given).values())
        return results[0] if len(results) == 1 else results

    def profile(self, inputs: Mapping[str, Any] | None = None, *, runs: int = 5, limits: bool = True) -> Profile:
        """Time every command: the median of some runs, with operations and bytes per second. States advance as in any run.

        With `limits` the machine's own are measured (once, in less than a second) and each kernel's share of them is shown.
        """
        with self._lock, self._session_lock:
            arrays = self._take(inputs or {})
            self._ready()
            bound = self._bind(arrays)
            results = self._results(bound, None, arrays)
            self._announce_updates()
            found = [self._runner.profiled(bound.sizes, arrays, results) for _ in range(max(runs, 1))]
        rows = [(*times[0][:2], median(row[2] for row in times), *times[0][3:]) for times in zip(*found, strict=True)]
        return Profile(tuple(Line(*row) for row in rows), _machine_limits() if limits and self.code is not None else None)

    def leaves(self, inputs: Mapping[str, Any]) -> tuple[dict[str, Array], dict[str, int]]:
        """Every input, param and state by name as a run would read it, and the sizes of the symbols."""
        with self._lock, self._session_lock:
            arrays = self._take(inputs)
            self._ready()
            return self._leaf_arrays(arrays), dict(self._bind(arrays).sizes)

    def _leaf_arrays(self, arrays: Sequence[Array]) -> dict[str, Array]:
        entries = self.session.entries
        owned = {name: array for name in self._params + self._states if (array := entries[name].array) is not None}
        return {**dict(zip(self._inputs, arrays, strict=True)), **owned}

    # -- params and states
    def set_param(self, name: str, array: Any) -> None:
        """Set a param in the session."""
        self.session.set_param(name, array)

    def set_params(self, arrays: Mapping[str, Any]) -> None:
        """Set several params in the session."""
        self.session.set_params(arrays)

    def param(self, name: str) -> Array:
        """A copy of a param."""
        return self.session.param(name)

    def state(self, name: str) -> Array:
        """A copy of a state."""
        return self.session.state(name)

    # -- reading
    @property
    def inputs(self) -> dict[str, Shape]:
        """Inputs by name."""
        return dict(self._inputs)

    @property
    def outputs(self) -> dict[str, Shape]:
        """Outputs by name."""
        return dict(self._outputs)

    @property
    def memory(self) -> Memory:
        """Bytes by kind and in all, before running, as expressions of the symbols; call it with sizes for numbers."""
        plan = self.code.memory if self.code is not None else {"arena": self.lir.arena, "scratch": self.lir.scratch}
        working: Size = 0
        for name, size in plan.items():
            working = working + size * (self._runner.threads if "scratch" in name else 1)
        constants = sum(value.array.nbytes for value in self.graph.constants().values())
        prepared = self._prepared.shapes.values() if self._prepared is not None else ()
        return Memory({
            "params": _bytes(node.shape for node in self.graph.params.values()), "prepared": _bytes(prepared),
            "states": _bytes(node.shape for node in self.graph.states.values()), "constants": constants, "working": working,
            "outputs": _bytes(self._outputs.values()), "inputs": _bytes(self._inputs.values()),
        })  # fmt: skip

    def __repr__(self) -> str:
        inputs = ", ".join(f"{name}: {shape}" for name, shape in self._inputs.items())
        outputs = ", ".join(f"{name}: {shape}" for name, shape in self._outputs.items())
        return f"<Executable {self.graph.name} on {self.session.device}: ({inputs}) -> ({outputs})>"

    # -- the steps of a run
    def _take(self, inputs: Mapping[str, Any]) -> list[Array]:
        """Arrays in declared order, each of the declared dtype, dense."""
        arrays = []
        for name, dtype in self._dtypes.items():
            try:
                value = inputs[name]
            except KeyError:
                raise RlxError("RLX502", f"input {name!r} ({self._inputs[name]}) is missing") from None
            if type(value) is not np.ndarray:
                value = self._as_array(name, value)
            if value.dtype != dtype:
                shape = self._inputs[name]
                raise RlxError(
                    "RLX504",
                    f"input {name!r} is declared {shape}, the array is {_dtype_name(value)}",
                    fix=f"{name}.astype({str(shape.dtype)!r})",
                )
            if not value.flags.c_contiguous:
                value = np.ascontiguousarray(value)
            arrays.append(value)
        if len(inputs) != len(arrays):
            unknown = next(name for name in inputs if name not in self._dtypes)
            raise RlxError("RLX501", f"{unknown!r} is not an input", fix=f"the inputs: {', '.join(self._dtypes) or 'none'}")
        return arrays

    def _as_array(self, name: str, value: Any) -> Array:
        """NumPy scalars, DLPack and __array__ objects, Python numbers and lists in the declared dtype."""
        if isinstance(value, np.generic):
            return np.asarray(value)
        if hasattr(value, "__array__"):
            return np.asarray(value)
        if hasattr(value, "__dlpack__"):
            return np.from_dlpack(value)
        if isinstance(value, (bool, int, float, complex, list, tuple)):
            return np.asarray(value).astype(self._dtypes[name])
        raise RlxError("RLX504", f"input {name!r} is {type(value).__name__}", fix="pass a NumPy array or something that becomes one")

    def _bind(self, arrays: Sequence[Array]) -> Bound:
        """Symbol values and output shapes; known for shapes seen before."""
        entries = self.session.entries
        key = (*(array.shape for array in arrays), *(entries[name].array.shape for name in self._states))  # type: ignore[union-attr]
        bound = self._bound.get(key)
        if bound is None:
            declared = {**self._inputs, **{name: entries[name].shape for name in self._states}}
            sizes = self._binder.bind(declared, dict(zip(declared, key, strict=True)))
            bound = Bound(sizes, tuple(tuple(evaluate(size, sizes) for size in shape.dims) for shape in self._outputs.values()))
            self._bound[key] = bound
        return bound

    def _ready(self) -> None:
        """Attach memory that changed, and compute anew what depends on params that changed.

        A version is noted after what belongs to it is done: an interrupt in between only means doing it again.
        """
        changed = False
        entries = self.session.entries
        for name in self._states + self._params:
            entry = entries[name]
            if entry.array is None:
                self._first_value(name)
            version = entry.version
            if self._versions.get(name) != version:
                changed = changed or entry.kind == "param"
                assert entry.array is not None
                self._runner.attach(name, entry.array)
                self._versions[name] = version
        if self._prepared is not None and (changed or not self._generation or self._stale):
            self._stale = True
            generation = self._prepared.refresh(entries, self._params)
            for name, array in self._prepared.arrays.items():
                self._runner.attach(name, array)
            self._generation, self._stale = generation, False

    def _announce_updates(self) -> None:
        """New versions for params this run changes: other executables that prepared something from them do so again."""
        for name in self._updated_params:
            entry = self.session.entries[name]
            entry.version += 1
            self._versions[name] = entry.version

    def _first_value(self, name: str) -> None:
        entry = self.session.entries[name]
        if entry.kind == "param":
            raise RlxError("RLX505", f"param {name!r} ({entry.shape}) is not set")
        if entry.shape.is_static:
            array = aligned_empty((int(size) for size in entry.shape.dims), entry.shape.dtype.numpy)
            array[...] = entry.init
            entry.array = array
            entry.version += 1
            return
        names = ", ".join(sorted(f"{symbol.name}=…" for symbol in entry.shape.symbols()))
        raise RlxError("RLX509", f"state {name!r} ({entry.shape}) has no memory yet", fix=f"session.init_state({names})")

    def _results(self, bound: Bound, out: Mapping[str, Array] | None, arrays: Sequence[Array]) -> list[Array]:
        results = []
        for (name, shape), dims in zip(self._outputs.items(), bound.outputs, strict=True):
            given = out.get(name) if out is not None else None
            if given is not None:
                results.append(self._checked(name, given, dims, shape.dtype, arrays))
            else:
                results.append(self._from_pool(name, dims, shape.dtype))
        if out is not None and (unknown := set(out) - set(self._outputs)):
            raise RlxError("RLX507", f"{min(unknown)!r} is not an output", fix=f"the outputs: {', '.join(self._outputs)}")
        return results

    def _checked(self, name: str, given: Any, dims: tuple[int, ...], dtype: DType, arrays: Sequence[Array]) -> Array:
        if (
            not isinstance(given, np.ndarray)
            or given.shape != dims
            or given.dtype != dtype.numpy
            or not given.flags.c_contiguous
            or not given.flags.writeable
        ):
            what = f"{_dtype_name(given)}{list(given.shape)}" if isinstance(given, np.ndarray) else type(given).__name__
            raise RlxError("RLX507", f"out[{name!r}] is {what}, expected a dense writable {dtype}{list(dims)}")
        if any(np.may_share_memory(given, array) for array in arrays):
            raise RlxError("RLX507", f"out[{name!r}] shares memory with an input", fix="pass an array of its own")
        result: Array = given
        return result

    def _from_pool(self, name: str, dims: tuple[int, ...], dtype: DType) -> Array:
        """An array nobody else holds, neither itself nor a view of its memory: one of the pool, else a new one."""
        pool = self._pools[name]
        for index in range(len(pool)):
            if sys.getrefcount(pool[index]) == 2 and sys.getrefcount(pool[index].base) == 2 and pool[index].shape == dims:
                return pool[index]
        array = aligned_empty(dims, dtype.numpy)
        if len(pool) >= _POOLED:
            pool.pop(0)
        pool.append(array)
        return array


@lru_cache(maxsize=1)
def _machine_limits() -> tuple[float, float]:
    from rlx.runtime.machine import measure

    speed = measure(0.4)
    return speed.gflops, speed.gigabytes


def _bytes(shapes: Iterable[Shape]) -> Size:
    total: Size = 0
    for shape in shapes:
        total = total + shape.size_bytes
    return total


def _dtype_name(array: Array) -> str:
    try:
        return str(DType.of(array.dtype))
    except RlxError:
        return str(array.dtype)
