"""What Python asks about traced values: `if x > 0`, `int(n)`. The arrays of the call that is traced answer, by the ops' references."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rlx.ir.evaluate import evaluate_op
from rlx.ir.graph import Graph, Node, Ref

if TYPE_CHECKING:
    from rlx.ir.value import Value

Array = npt.NDArray[Any]
Place = tuple[Graph, Ref]


class _Unknown(Exception):
    """Raised where a value depends on something that has no number yet."""


@dataclass(frozen=True)
class AskedValue:
    """One question that Python asked about a value of a trace."""

    questions: Questions
    graph: Graph
    ref: Ref
    truth: bool  # else its number or its elements

    def answer(self, arrays: CallValues) -> Hashable:
        """The answer to the question for a call, as a key."""
        return self.key(arrays.of(self.graph, self.ref))

    def key(self, array: Array) -> Hashable:
        """The key that answers compare by: the truth, or the elements to the bit."""
        return bool(array.any()) if self.truth else (array.dtype.str, array.shape, array.tobytes())


class Questions:
    """The questions that Python asked in one trace, and the enclosing graph's values that inputs of bodies stand for."""

    def __init__(self, root: Graph, arrays: Mapping[str, Any]) -> None:
        self.root = root
        self.paths: dict[str, str] = {}  # of the inputs, by their names in the graph
        self.asked: list[tuple[AskedValue, Hashable]] = []
        self._stands: dict[tuple[int, Ref], Place] = {}
        self._bodies: list[Graph] = []  # kept, since they are known by their ids
        self._now: CallValues | None = self.evaluation(arrays)

    def evaluation(self, arrays: Mapping[str, Any]) -> CallValues:
        """Evaluates the values of this trace for the arrays of a call."""
        return CallValues(self, arrays)

    def bind(self, body: Graph, refs: Sequence[Ref], values: Sequence[Value | None]) -> None:
        """Binds the inputs of a body to the values they stand for; None for one that has no number."""
        self._bodies.append(body)
        for ref, value in zip(refs, values, strict=True):
            if value is not None:
                self._bodies.append(value.graph)
                self._stands[id(body), ref] = value.graph, value.ref

    def stands_for(self, graph: Graph, ref: Ref) -> Place | None:
        """The value that an input of a body stands for."""
        return self._stands.get((id(graph), ref))

    def array(self, value: Value, truth: bool) -> Array | None:
        """Returns the array of a value in the traced call, and records the question; None if it has none."""
        if self._now is None:
            return None
        try:
            array = self._now.of(value.graph, value.ref)
        except _Unknown:
            return None
        question = AskedValue(self, value.graph, value.ref, truth)
        self.asked.append((question, question.key(array)))
        return array

    @contextmanager
    def unanswered(self) -> Iterator[None]:
        """Answers no question while a function of `jit` is inlined in the trace, as in a trace of its own."""
        before, self._now = self._now, None
        try:
            yield
        finally:
            self._now = before

    def close(self) -> None:
        """Ends the trace: drops the values that were computed for answers."""
        self._now = None


class CallValues:
    """Evaluates values of one trace on the arrays of one call; each node when it is first needed."""

    def __init__(self, questions: Questions, arrays: Mapping[str, Any]) -> None:
        self._questions, self._arrays = questions, arrays
        self._known: dict[tuple[int, Ref], Array] = {}

    def of(self, graph: Graph, ref: Ref) -> Array:
        """Returns the array of a value. Not recursive: a Python loop makes long chains."""
        waiting: list[Place] = [(graph, ref)]
        while waiting:
            here, wanted = waiting[-1]
            if (id(here), wanted) in self._known:
                waiting.pop()
                continue
            node = here.node(wanted)
            operands = self._operands(here, node, wanted)
            missing = [operand for operand in operands if (id(operand[0]), operand[1]) not in self._known]
            if missing:
                waiting += missing
            else:
                self._evaluate(here, node, [self._known[id(body), each] for body, each in operands])
        return self._known[id(graph), ref]

    def _operands(self, graph: Graph, node: Node, ref: Ref) -> list[Place]:
        """The values that a node reads; for an input of a body, the value it stands for."""
        if not node.op.definition.leaf:
            return [(graph, each) for each in node.refs]
        stands = self._questions.stands_for(graph, ref)
        return [] if stands is None else [stands]

    def _evaluate(self, graph: Graph, node: Node, operands: list[Array]) -> None:
        if node.op.definition.leaf:
            results: tuple[Array, ...] = (operands[0] if operands else self._leaf(graph, node),)
        elif node.op.has_effect or node.op.definition.reference is None:
            raise _Unknown
        else:
            left = iter(operands)
            given = [None if each is None else next(left) for each in node.inputs]
            results = evaluate_op(node.op, given, node.results)
        for ref, array in zip(node.outputs, results, strict=True):
            self._known[id(graph), ref] = array

    def _leaf(self, graph: Graph, node: Node) -> Array:
        """The array of a leaf: a constant, an argument of the call, or a param of the traced function."""
        if node.op.is_constant:
            return node.op["value"].array
        if graph is not self._questions.root:
            raise _Unknown
        name = self._questions.paths.get(node.op["name"], node.op["name"])
        for source in (self._arrays, getattr(graph, "lifted", {})):
            if name in source:
                return np.asarray(source[name])
        handle = getattr(graph, "handles", {}).get(name)
        if handle is None:
            raise _Unknown
        return np.asarray(handle.value)


def questions_of(graph: Graph) -> Questions | None:
    """The `Questions` of the trace that a graph belongs to; None where nothing is answered, as inside `jit`."""
    while graph.parent is not None:
        graph = graph.parent
    return graph.questions


def ask(value: Value, truth: bool = False) -> Array | None:
    """Returns the array of a traced value in the traced call; None where it has none."""
    questions = questions_of(value.graph)
    return None if questions is None else questions.array(value, truth)


def known_int(value: Value) -> int | None:
    """Returns the integer of a traced scalar, such as a size that the program computes; None where it has none."""
    answer = ask(value)
    return None if answer is None else int(answer)


def known_array(value: Value) -> Array | None:
    """Returns the array of a value of the outermost graph, which no derivative or batch is taken by; None where it has none."""
    questions = questions_of(value.graph)
    return questions.array(value, False) if questions is not None and value.graph is questions.root else None
