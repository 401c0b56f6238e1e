"""Which ops a device runs in which dtypes: from `claims` and from legalizing the op, without running anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlx.backends.base import Array, Backend, ProgramRunner
from rlx.backends.conformance.cases import build
from rlx.core.dtype import ALL, DType
from rlx.core.errors import RlxError
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.emit import normalize
from rlx.ir.evaluate import evaluate_op, shape_of
from rlx.ir.graph import Graph
from rlx.ir.op import Op, OpDef
from rlx.ir.tolerance import Case, first_of, widest
from rlx.ir.verify import verify
from rlx.passes.entry import OPTIONAL, Options

YES, DECOMPOSED = "yes", "via decomposition"


@dataclass(frozen=True)
class Support:
    """Support of an op in one dtype: "yes", "via decomposition", or the reason why not. If its cases differ, the worst of them."""

    op: str
    dtype: str
    answer: str


def support(backend: Backend, record: OpDef, dtype: str | None = None) -> list[Support]:
    """Lists every dtype that the op accepts for its values (those that its cases draw as f32), and how the device runs it."""
    assert callable(record.cases)
    queries: dict[str, list[_Query]] = {}
    for case in record.cases():
        for kind in _kinds(case):
            query = _query(record, case, kind) if dtype is None or kind == dtype else None
            if query is not None:
                queries.setdefault(kind, []).append(query)
    return [Support(record.name, one.name, _answer(backend, record, queries[one.name])) for one in ALL if one.name in queries]


@dataclass(frozen=True)
class _Query:
    """A case in one dtype, as passes see it: value operands in one type."""

    case: Case
    op: Op
    operands: tuple[Shape | None, ...]
    results: tuple[Shape, ...]


def _kinds(case: Case) -> list[str]:
    """The dtypes to try: all of them if the case draws values, else its own."""
    samples = [sample for sample in case.operands if sample is not None]
    return (
        [one.name for one in ALL] if any(sample.dtype == "f32" for sample in samples) else [samples[0].dtype if samples else "f32"]
    )


def _query(record: OpDef, case: Case, kind: str) -> _Query | None:
    """The case with its values drawn in a dtype; None if its op does not accept that."""
    given = [None if s is None else Shape(s.dims, kind if s.dtype == "f32" else s.dtype) for s in case.operands]
    try:
        normalize(record.op(**case.attrs), given).infer(given)
        shapes = tuple(_in_one_type(record, given))
        op = normalize(record.op(**case.attrs), shapes)
        return _Query(case, op, shapes, tuple(op.infer(shapes)))
    except RlxError:
        return None


def _in_one_type(record: OpDef, shapes: Sequence[Shape | None]) -> list[Shape | None]:
    values = [i for i, shape in enumerate(shapes) if shape is not None and record.operand(i).role == "value"]
    if record.compute_dtype is None or not values:
        return list(shapes)
    common = record.compute_dtype(*(shape.dtype for i in values if (shape := shapes[i]) is not None))
    if common is None:
        return list(shapes)
    return [Shape(shape.dims, common) if i in values and shape is not None else shape for i, shape in enumerate(shapes)]


def _answer(backend: Backend, record: OpDef, cases: Sequence[_Query]) -> str:
    """How the device runs some cases: lowers those that it does not claim, all together."""
    others = [query for query in cases if backend.claims(query.op, query.operands, query.results) is not None]
    if not others:
        return YES
    graph = Graph(record.name)
    for number, query in enumerate(others):
        build(record, query.operands, query.case.attrs, graph=graph, prefix=f"r{number}_")
    return _refusal(backend, record, graph) or DECOMPOSED


def _refusal(backend: Backend, record: OpDef, graph: Graph) -> str | None:
    """Why a device cannot lower a graph, without optional passes."""
    try:
        backend.lower(graph, Options(fuse=False, skip=OPTIONAL), Report())
    except RlxError as error:
        return error.message.removeprefix(f"{record.name} on {backend.name}: ")
    return None


# -- A graph compiled for a device and run on NumPy arrays, using only the protocol ----------------------------------


_GUARD = 256
_FILL = 0xA5


class Guarded:
    """A host array with guard bytes on both sides."""

    def __init__(self, dims: Sequence[int], dtype: Any) -> None:
        dtype = np.dtype(dtype)
        size = int(np.prod(dims, dtype=np.int64)) * dtype.itemsize
        self._memory = np.full(size + 2 * _GUARD + 64, _FILL, np.uint8)
        self._start = _GUARD + (-self._memory.ctypes.data - _GUARD) % 64
        self._stop = self._start + size
        self.array: Array = self._memory[self._start : self._stop].view(dtype).reshape(dims)

    def check(self, what: str) -> None:
        """Raises if something was written outside the array."""
        if (self._memory[: self._start] != _FILL).any():
            raise AssertionError(f"wrote before {what}")
        if (self._memory[self._stop :] != _FILL).any():
            raise AssertionError(f"wrote past {what}")


class DeviceProgram:
    """A graph of inputs and outputs on a device. `alone`: each op with its kernel, without any pass.

    Raises what the device raises: RLX403 if it does not support an op.
    """

    def __init__(self, backend: Backend, graph: Graph, alone: bool = False) -> None:
        verify(graph)
        self.backend = backend
        self.inputs, self.outputs = (tuple(graph.inputs), {name: graph.shape(ref) for name, ref in graph.output_refs.items()})
        report = Report()
        options = Options()
        if alone:
            self.artifact = backend.compile_as_planned(graph)
        else:
            self.artifact = backend.compile(backend.lower(graph, options, report), options, report)

    def runner(self) -> ProgramRunner:
        """A runner with its prepared values, before the first run."""
        main, prepare = self.artifact.runners(self.inputs, tuple(self.outputs))
        if prepare is not None:
            made = {name: self._empty(shape) for name, shape in self.artifact.prepared.items()}
            prepare.make(made)
            for name, array in made.items():
                main.attach(name, array)
        return main

    def run(self, given: Mapping[str, Array]) -> dict[str, Array]:
        """The outputs; in host memory, checks that nothing outside them and no input has changed."""
        arrays = self.backend.arrays
        inputs = [arrays.upload(given[name]) for name in self.inputs]
        if not arrays.is_host:
            outputs = [self._empty(shape) for shape in self.outputs.values()]
            self.runner().run({}, inputs, outputs)
            return dict(zip(self.outputs, map(arrays.download, outputs), strict=True))
        guarded = {name: Guarded(_sizes(shape), shape.dtype.numpy) for name, shape in self.outputs.items()}
        self.runner().run({}, inputs, [memory.array for memory in guarded.values()])
        for name, memory in guarded.items():
            memory.check(f"output {name}")
        for name, array in zip(self.inputs, inputs, strict=True):
            if array.tobytes() != np.ascontiguousarray(given[name]).tobytes():
                raise AssertionError(f"changed input {name}")
        return {name: memory.array for name, memory in guarded.items()}

    def prepared_run(self, given: Mapping[str, Array]) -> Any:
        """A function without arguments that runs once on these inputs, without any setup: for timing."""
        arrays, runner = self.backend.arrays, self.runner()
        inputs = [arrays.upload(given[name]) for name in self.inputs]
        outputs = [self._empty(shape) for shape in self.outputs.values()]
        sizes: dict[str, int] = {}

        def run() -> None:
            if not runner.again(inputs, outputs):
                runner.run(sizes, inputs, outputs)

        return run

    def _empty(self, shape: Shape) -> Any:
        return self.backend.arrays.empty(_sizes(shape), DType.of(shape.dtype))


def _sizes(shape: Shape) -> list[int]:
    return [int(size) for size in shape.dims]


# -- compares results of an op with its record: within the record's bound of the f64 reference, or bit-equal ---------


LARGEST = {"f16": 65504.0}  # the largest finite f16; the other floats hold every value of the cases


def agree(op: Op, operands: Sequence[Any], found: Sequence[Any], what: str, *, drawn: bool = True) -> float:
    """Checks that the results of an op (symbols bound) on these operands are within its record's bound; else AssertionError.

    Operands that are not `drawn` at random may be equal, so that all rounding errors have the same sign: then the worst-case bound is
    used. Returns the largest error relative to its bound.
    """
    tolerance = op.definition.tolerance
    assert tolerance is not None, f"{op.name} states no bound"
    tolerance = tolerance.typical() if drawn else tolerance
    wide = evaluate_op(op, operands, wide=True)
    narrow = evaluate_op(op, operands)
    bounds = tolerance.bounds(op, operands, wide, [shape_of(array) for array in narrow])
    worst = 0.0
    for index, (array, expected, stored, bound) in enumerate(zip(found, wide, narrow, bounds, strict=True)):
        where = f"{what}: result {index}"
        if array.dtype != stored.dtype or array.shape != stored.shape:
            raise AssertionError(f"{where}: {array.dtype}{array.shape} is not {stored.dtype}{stored.shape}")
        rounds = DType.of(stored.dtype).category in ("float", "complex", "f8")
        if (
            tolerance.bits_known or not rounds
        ):  # movement, selection, ints, bools: rounded at most once, so the stored bits are known
            same_numbers(array, stored, where)
        else:
            worst = max(worst, within(array, expected, bound, where))
    return worst


def same_numbers(found: Any, expected: Any, where: str) -> None:
    """Equal, NaN where NaN is."""
    left, right = widest(found), widest(expected)
    wrong = ~((left == right) | (np.isnan(left) & np.isnan(right))) if left.dtype.kind in "fc" else left != right
    if np.any(wrong):
        raise AssertionError(f"{where}: {np.count_nonzero(wrong)} of {wrong.size} differ, first {first_of(wrong, found, expected)}")


def within(found: Any, expected: Any, bound: Any, where: str) -> float:
    """Within an absolute bound, element by element; NaN and infinities where the reference has them. Returns the worst ratio."""
    left, right = widest(found), widest(expected)
    with np.errstate(all="ignore"):
        same = (left == right) | (np.isnan(left) & np.isnan(right))
        error = np.abs(left - right)
        fine = same | (error <= bound)
        largest = LARGEST.get(DType.of(found.dtype).name)
        if largest is not None:
            over = np.isinf(left) & (np.sign(left) == np.sign(right)) & (np.abs(right) + bound >= largest)
            same, fine = same | over, fine | over
        ratio = float(np.nanmax(np.where(same, 0.0, error / np.maximum(bound, 1e-300)), initial=0.0))
    if not np.all(fine):
        count = np.count_nonzero(~fine)
        first = first_of(~fine, found, expected)
        raise AssertionError(f"{where}: {count} of {fine.size} outside the bound, worst {ratio:.3g} times, first {first}")
    return ratio


def same_bits(left: Sequence[Any], right: Sequence[Any], what: str) -> None:
    """Checks byte equality."""
    for index, (a, b) in enumerate(zip(left, right, strict=True)):
        if a.tobytes() != b.tobytes():
            raise AssertionError(f"{what}: result {index} has different bits")
