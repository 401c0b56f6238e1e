"""What `xla` compiles a graph to: one JAX function, compiled once for each set of sizes it is run with."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.export

from rlx.backends.base import Parts
from rlx.backends.plain import PlainArtifact, PlainRunner
from rlx.backends.xla.arrays import XlaArray, collectives_in
from rlx.backends.xla.site import Check, Checks
from rlx.backends.xla.tracing import how, trace_graph
from rlx.core.cache import Recent
from rlx.core.errors import count_of
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.graph import Graph, Node
from rlx.passes.prepared_analysis import Derivation, derivations

COMPILED_AT_MOST = 64
"""Programs that an artifact keeps, one for each set of sizes: the oldest goes when one more is compiled."""

Arrays = dict[str, Any]
Results = tuple[list[Any], Arrays, list[Any]]
"""Outputs in their order, updates by name, and the flags of the checks."""


def graph_function(
    graph: Graph, sizes: Mapping[str, int], checks: Checks, trap: bool
) -> Callable[[Arrays, Arrays, list[Any]], Results]:
    """Wraps a graph as a function of the arrays it updates, those it only reads, and its inputs."""

    def run(updated: Arrays, kept: Arrays, inputs: list[Any]) -> Results:
        checks.flags.clear()
        leaves = {**updated, **kept, **dict(zip(graph.inputs, inputs, strict=True))}
        outputs, updates = trace_graph(graph, leaves, sizes, checks, trap)
        return list(outputs.values()), updates, list(checks.flags.values())

    run.__name__ = run.__qualname__ = "".join(letter if letter.isalnum() else "_" for letter in graph.name)
    return run


@dataclass
class CompiledProgram:
    """An XLA program for one set of sizes: a function of arrays, and the errors behind its flags."""

    run: Callable[[Arrays, Arrays, list[Any]], Results]
    checks: tuple[Check, ...]
    host_errors: list[BaseException]
    waits: bool
    """Whether a run is over only when the program is: something may have failed."""
    seconds: float = 0.0


Stored = dict[tuple[tuple[str, int], ...], tuple[bytes, tuple[Check, ...]]]
"""Exported programs by their sizes, and what their flags mean."""


@dataclass(frozen=True)
class XlaArtifact(PlainArtifact):
    """An XLA artifact: a graph after the passes, and the programs that were compiled from it."""

    report: Report = field(default_factory=Report, compare=False)
    stored: Stored = field(default_factory=dict, repr=False)
    platform: str = ""
    programs: Recent[tuple[Any, ...], CompiledProgram] = field(default_factory=lambda: Recent(COMPILED_AT_MOST), compare=False)
    shapes: dict[tuple[tuple[str, int], ...], Any] = field(default_factory=dict, compare=False, repr=False)
    """The types of arguments by the sizes they were compiled for."""

    made_for = "XLA"

    @property
    def graph(self) -> Graph:
        """The graph that is run by XLA."""
        return self.lir.graph

    @property
    def host_calls(self) -> tuple[str, ...]:  # type: ignore[override]
        """The Python functions that the programs call."""
        prepare = () if self.lir.prepare is None else called_by(self.lir.prepare.graph)
        return tuple(dict.fromkeys((*called_by(self.graph), *prepare)))

    def summary(self) -> dict[str, str]:
        """Summary in words: one program for each set of sizes."""
        count = sum(not node.op.definition.leaf for node in self.graph.nodes)
        return {"main": f"{count_of(count, 'op')}, compiled by XLA for each set of sizes, {COMPILED_AT_MOST} at most"}

    def pack(self) -> Parts | None:
        """Packs the graph and its programs as `jax.export` writes them; None if one calls Python."""
        from rlx.backends.xla.backend import pack_artifact

        return None if self.host_calls else pack_artifact(self)

    @property
    def prepared(self) -> dict[str, Shape]:  # type: ignore[override]
        """The shapes of values that depend on params alone, by name."""
        graph = None if self.lir.prepare is None else self.lir.prepare.graph
        return {} if graph is None else {name: graph.shape(ref) for name, ref in graph.output_refs.items()}

    @property
    def derivations(self) -> dict[str, Derivation]:  # type: ignore[override]
        """What each prepared value is computed from."""
        return {} if self.lir.prepare is None else derivations(self.lir.prepare.graph, "xla", self.options.trap_nan)

    def runners(self, inputs: Sequence[str], outputs: Sequence[str]) -> tuple[XlaRunner, XlaPreparation | None]:
        """The runners of main, and of prepare where something depends on params alone."""
        return XlaRunner(self), XlaPreparation(self) if self.prepared else None

    # -- compiling
    @property
    def compiler_options(self) -> dict[str, Any] | None:
        """XLA's options: by default it may leave out a rounding to bf16 or f16 between two ops."""
        return None if self.options.excess_precision else {"xla_allow_excess_precision": False}

    def compiled(self, sizes: Mapping[str, int], updated: Arrays, kept: Arrays, inputs: list[Any]) -> CompiledProgram:
        """The program for these sizes and arrays, compiled at their first use."""
        key = (*sizes.items(), *(array.sharding for array in (*updated.values(), *kept.values(), *inputs)))
        program = self.programs.get(key)
        if program is None:
            program = self._compile(sizes, updated, kept, inputs)
            if len(self.programs) == COMPILED_AT_MOST:
                before = sum(entry.kind == "dropped" for entry in self.report.entries)
                self.report.add("xla", "dropped", f"the program used longest ago for a new one; {before + 1} so far")
            self.programs[key] = program
            text = ", ".join(f"{name} = {size}" for name, size in sizes.items()) or "its sizes"
            many = f"program {len(self.programs)} of at most {COMPILED_AT_MOST}"
            self.report.add("xla", "compiled", f"for {text} in {program.seconds:.2f} s; {many}")
        return program

    def _compile(self, sizes: Mapping[str, int], updated: Arrays, kept: Arrays, inputs: list[Any]) -> CompiledProgram:
        """Compiles with donated states and updated params: XLA reuses their memory for the new values, unless a run may fail."""
        start = time.perf_counter()
        arguments = (updated, kept, inputs)
        function, checks, errors = self._function(sizes, arguments)
        with jax.enable_x64(True):
            fails = bool(checks) or bool(self.host_calls)
            kept_so = {name: array.sharding for name, array in updated.items()}
            donated = () if fails else (0,)
            jitted = jax.jit(
                function, donate_argnums=donated, out_shardings=(None, kept_so, None), compiler_options=self.compiler_options
            )
            program = jitted.lower(*arguments).compile()
        self.shapes[tuple(sorted(sizes.items()))] = struct_of(arguments)
        if len(self.shapes) > COMPILED_AT_MOST:
            del self.shapes[next(iter(self.shapes))]
        return CompiledProgram(program, checks, errors, fails, time.perf_counter() - start)

    def _function(self, sizes: Mapping[str, int], arguments: Any) -> tuple[Any, tuple[Check, ...], list[BaseException]]:
        """The program as a function of its arguments, the errors of its flags, and the list that collects Python's exceptions."""
        from rlx.backends.xla.backend import exported_call

        blob, known = self.stored.get(tuple(sorted(sizes.items())), (None, ()))
        if blob is not None and self.platform == jax.default_backend():
            call = exported_call(blob, arguments)
            if call is not None:
                return call, known, []
        checks = Checks()
        function = graph_function(self.graph, sizes, checks, self.options.trap_nan)
        with jax.enable_x64(True):
            jax.eval_shape(function, *arguments)
        return function, tuple(checks.flags), checks.host_errors

    # -- for storing, and for listings
    def collectives(self) -> dict[str, int]:
        """Counts each kind of collective in the programs compiled so far; joined ones count once."""
        counts: Counter[str] = Counter()
        for program in self.programs.values():
            text = program.run.as_text()  # type: ignore[attr-defined]
            counts.update({kind: count for kind, (count, _) in collectives_in(text).items()})
        return dict(sorted(counts.items()))

    def known_sizes(self) -> list[tuple[dict[str, int], Any]]:
        """The sizes that programs were compiled for; those of a graph without symbols are known before it runs."""
        if not self.graph.symbols and not self.shapes:
            return [({}, self.argument_types({}))]
        return [(dict(sizes), shapes) for sizes, shapes in self.shapes.items()]

    def argument_types(self, sizes: Mapping[str, int]) -> tuple[Arrays, Arrays, list[Any]]:
        """The types of the program's arguments for these sizes."""
        graph = self.graph

        def types(nodes: Mapping[str, Node]) -> Arrays:
            return {name: _struct(node.shape.bind(sizes)) for name, node in nodes.items()}

        owned = types({**graph.params, **graph.states})
        updated = {name: owned.pop(name) for name in graph.updates}
        return updated, owned, list(types(graph.inputs).values())

    def exported(self, sizes: Mapping[str, int], shapes: Any) -> tuple[Any, tuple[Check, ...]]:
        """The program for these sizes in the form of `jax.export`, and the errors of its flags."""
        function, checks, _ = self._function(sizes, shapes)
        with jax.enable_x64(True):
            return jax.export.export(jax.jit(function))(*shapes), checks

    def stablehlo(self, sizes: Mapping[str, int]) -> str:
        """The StableHLO of the program for these sizes, as JAX passes it to XLA."""
        shapes = self.argument_types(sizes)
        function, _, _ = self._function(sizes, shapes)
        with jax.enable_x64(True):
            text: str = jax.jit(function).lower(*shapes).as_text()
        return text


def _struct(shape: Shape) -> Any:
    return jax.ShapeDtypeStruct(tuple(int(size) for size in shape.dims), shape.dtype.numpy)


def struct_of(arguments: Any) -> Any:
    """The shapes and dtypes of arrays as JAX structs, without the arrays."""
    return jax.tree.map(lambda array: jax.ShapeDtypeStruct(array.shape, array.dtype), arguments)


def _kinds(inputs: Sequence[Any]) -> list[Any]:
    """The sizes, dtypes and shardings of arrays, which tell one program from another."""
    return [(array.shape, array.dtype, array.handle.sharding) for array in inputs]


def _placed_input(name: str, array: XlaArray) -> Any:
    """Places an input where the program wants it: over a mesh, sharded by rows or as the table says."""
    arrays: Any = array.arrays
    if arrays.table is None:
        return array.handle
    wanted = arrays.sharding(arrays.table.input_spec(name, array.shape))
    return array.handle if array.handle.sharding == wanted else jax.device_put(array.handle, wanted)


def called_by(graph: Graph) -> tuple[str, ...]:
    """The parts of a graph that run in Python: callbacks, and records with no lowering."""
    names: dict[str, None] = {}
    for node in graph.nodes:
        if node.op.definition.leaf:
            continue
        if node.op.definition.calls_user or how(node.op) == "on the host":
            names[node.op.definition.host or "NumPy"] = None
        for _, body in node.op.graphs():
            names.update(dict.fromkeys(called_by(body)))
    return tuple(names)


class XlaRunner(PlainRunner):
    """Runs the programs of an artifact on the arrays attached to it; a run returns before the device is done."""

    artifact: XlaArtifact
    memory: dict[str, Any]

    def __init__(self, artifact: XlaArtifact) -> None:
        super().__init__(artifact)
        self._updated = tuple(self.graph.updates)
        self._read = tuple(name for name in (*self.graph.params, *self.graph.states) if name not in self.graph.updates)
        self._inputs = tuple(self.graph.inputs)
        self._last: tuple[list[Any], CompiledProgram] | None = None  # the inputs of the last run, and its program

    def attach(self, name: str, array: Any) -> None:
        super().attach(name, array)
        self._last = None

    def release(self) -> None:
        super().release()
        self._last = None

    def run(self, sizes: Mapping[str, int], inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        """Runs the program; results and updates replace the handles of their arrays; a run that fails replaces none."""
        arguments = updated, kept, given = self._arrays(inputs)
        like = _kinds(inputs)
        program = self._last[1] if self._last is not None and self._last[0] == like else None
        if program is None:
            program = self.artifact.compiled(sizes, updated, kept, given)
        self._finish(program, arguments, outputs)
        self._last = like, program

    def again(self, inputs: Sequence[Any], outputs: Sequence[Any]) -> bool:
        """Runs on arrays of the device like those of the last run."""
        if self._last is None:
            return False
        for array in inputs:
            if type(array) is not XlaArray or array.handle is None:
                return False
        for array in outputs:
            if type(array) is not XlaArray:
                return False
        if _kinds(inputs) != self._last[0]:
            return False
        self._finish(self._last[1], self._arrays(inputs), outputs)
        return True

    def _arrays(self, inputs: Sequence[Any]) -> tuple[Arrays, Arrays, list[Any]]:
        memory = self.memory
        updated = {name: memory[name].handle for name in self._updated}
        kept = {name: memory[name].handle for name in self._read}
        return (updated, kept, [_placed_input(name, array) for name, array in zip(self._inputs, inputs, strict=True)])

    def _finish(self, program: CompiledProgram, arguments: tuple[Any, ...], outputs: Sequence[Any]) -> None:
        try:
            results, updates, flags = program.run(*arguments)
            if program.waits:
                jax.block_until_ready((results, updates))
        except jax.errors.JaxRuntimeError:
            if program.host_errors:
                raise program.host_errors.pop() from None
            raise
        for check, flag in zip(program.checks, flags, strict=True):
            if not flag:
                raise check.error()
        for place, array in zip(outputs, results, strict=True):
            place.handle = array
        for name, array in updates.items():
            self.memory[name].handle = array

    def profiled(
        self, sizes: Mapping[str, int], inputs: Sequence[Any], outputs: Sequence[Any]
    ) -> list[tuple[str, str, float, int, int]]:
        """The profile of the complete program in one line: XLA does not report times of its parts."""
        updated, kept, given = self._arrays(inputs)
        program = self.artifact.compiled(sizes, updated, kept, given)
        cost = program.run.cost_analysis() or {}  # type: ignore[attr-defined]
        start = time.perf_counter()
        self.run(sizes, inputs, outputs)
        jax.block_until_ready([array.handle for array in outputs])
        seconds = time.perf_counter() - start
        return [(self.graph.name, "", seconds, int(cost.get("flops", 0)), int(cost.get("bytes accessed", 0)))]


# -- preparation
def independent_parts(graph: Graph) -> tuple[tuple[str, ...], ...]:
    """Groups of the outputs of a graph that share a param or a computation."""
    parts: list[tuple[list[str], set[int]]] = []
    for name, ref in graph.output_refs.items():
        names, nodes = [name], needed_by(graph, {ref.node})
        apart = []
        for other in parts:
            if nodes.isdisjoint(other[1]):
                apart.append(other)
            else:
                names, nodes = [*other[0], *names], nodes | other[1]
        parts = [*apart, (names, nodes)]
    return tuple(tuple(names) for names, _ in parts)


def needed_by(graph: Graph, nodes: set[int]) -> set[int]:
    """Nodes and everything they are computed from, except constants."""
    needed: set[int] = set()
    todo = list(nodes)
    while todo:
        node = graph.nodes[todo.pop()]
        if node.id not in needed and not node.op.is_constant:
            needed.add(node.id)
            todo += [ref.node for ref in node.refs]
    return needed


class XlaPreparation(PlainRunner):
    """Computes prepared values part by part, each part by an XLA program of its own."""

    memory: dict[str, Any]

    def __init__(self, artifact: Any) -> None:
        super().__init__(artifact)
        self.graph = artifact.lir.prepare.graph
        self.compiler_options = artifact.compiler_options
        self.parts = independent_parts(self.graph)

    def make(self, outputs: Mapping[str, Any]) -> None:
        """Computes the values of some parts into their arrays."""
        wanted = {name: self.graph.output_refs[name] for name in outputs}
        nodes = needed_by(self.graph, {ref.node for ref in wanted.values()})
        leaves = {name: self.memory[name].handle for name, node in self.graph.params.items() if node.id in nodes}

        def compute(given: dict[str, Any]) -> dict[str, Any]:
            values, _ = trace_graph(self.graph, given, {}, Checks(), only=nodes)
            return {name: values[name] for name in outputs}

        with jax.enable_x64(True):
            values = jax.jit(compute, compiler_options=self.compiler_options)(leaves)
        for name, place in outputs.items():
            place.handle = values[name]
