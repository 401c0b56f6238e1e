"""Interface: a graph as its caller sees it. Everything a run needs, so that cached code runs without the graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rlx.core.dim import Relation, Size, Symbol
from rlx.core.quant_scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.graph import Graph, SizeReader
from rlx.runtime.session import SessionEntry, declarations


@dataclass(frozen=True)
class Interface:
    """Inputs, outputs, params and states of a graph, its assumptions about sizes, and the bytes of its constants.

    >>> from rlx.core.dim import Dim; from rlx.ir.op import OPS
    >>> graph = Graph("same"); x = graph.add_node(OPS["input"].op(name="x", shape=Shape((Dim("n", max=8), 2), "f32")))
    >>> graph.set_output_refs({"y": x.ref})
    >>> interface = Interface.of(graph)
    >>> print(interface.outputs["y"], Interface.read(interface.plain()) == interface)
    f32[n, 2] True
    """

    name: str
    inputs: Mapping[str, Shape]
    outputs: Mapping[str, Shape]
    params: Mapping[str, SessionEntry]  # declared, without values
    states: Mapping[str, SessionEntry]
    updates: tuple[str, ...]  # the params and states that a run changes
    symbols: Mapping[str, Symbol]
    assumptions: tuple[Relation, ...]
    constant_bytes: int

    @staticmethod
    def of(graph: Graph) -> Interface:
        """The interface of a graph."""
        declared = declarations(graph)
        return Interface(
            graph.name,
            {name: node.shape for name, node in graph.inputs.items()},
            {name: graph.shape(ref) for name, ref in graph.output_refs.items()},
            {name: declared[name] for name in graph.params},
            {name: declared[name] for name in graph.states},
            tuple(graph.updates),
            dict(graph.symbols),
            tuple(graph.assumptions),
            sum(value.array.nbytes for value in graph.constants().values()),
        )

    def entries(self) -> dict[str, SessionEntry]:
        """New session entries for the params and states."""
        known = (*self.params.items(), *self.states.items())
        return {
            name: SessionEntry(entry.kind, entry.shape, entry.scheme, entry.init, storage=entry.storage) for name, entry in known
        }

    # -- as JSON data
    def plain(self) -> dict[str, Any]:
        """The interface as JSON data."""
        return {
            "name": self.name,
            "inputs": {name: _plain_shape(shape) for name, shape in self.inputs.items()},
            "outputs": {name: _plain_shape(shape) for name, shape in self.outputs.items()},
            "params": {name: _plain_entry(entry) for name, entry in self.params.items()},
            "states": {name: _plain_entry(entry) for name, entry in self.states.items()},
            "updates": list(self.updates),
            "symbols": [[symbol.name, symbol.minimum, symbol.maximum] for symbol in self.symbols.values()],
            "assumptions": [[fact.kind, _plain_size(fact.left), _plain_size(fact.right)] for fact in self.assumptions],
            "constant_bytes": self.constant_bytes,
        }

    @staticmethod
    def read(plain: Mapping[str, Any]) -> Interface:
        """Reads an interface from the JSON data of `plain`."""
        reader = _InterfaceReader({name: Symbol(name, minimum, maximum) for name, minimum, maximum in plain["symbols"]})
        return Interface(
            plain["name"],
            {name: reader.shape(shape) for name, shape in plain["inputs"].items()},
            {name: reader.shape(shape) for name, shape in plain["outputs"].items()},
            {name: reader.entry("param", entry) for name, entry in plain["params"].items()},
            {name: reader.entry("state", entry) for name, entry in plain["states"].items()},
            tuple(plain["updates"]),
            reader.symbols,
            tuple(Relation(kind, reader.size(left), reader.size(right)) for kind, left, right in plain["assumptions"]),
            plain["constant_bytes"],
        )


def _plain_size(size: Size) -> int | str:
    return size if isinstance(size, int) else str(size)


def _plain_shape(shape: Shape) -> list[int | str]:
    return [shape.dtype.name, *map(_plain_size, shape.dims)]


def _plain_entry(entry: SessionEntry) -> list[Any]:
    stored = {part: _plain_shape(shape) for part, shape in entry.storage.items()}
    return [_plain_shape(entry.shape), None if entry.scheme is None else str(entry.scheme), float(entry.init), stored]


class _InterfaceReader(SizeReader):
    """Reads shapes and session entries from JSON data."""

    def shape(self, plain: list[Any]) -> Shape:
        return Shape(map(self.size, plain[1:]), plain[0])

    def entry(self, kind: str, plain: list[Any]) -> SessionEntry:
        shape, scheme, init, stored = plain
        storage = {part: self.shape(each) for part, each in stored.items()}
        return SessionEntry(kind, self.shape(shape), None if scheme is None else QuantScheme.parse(scheme), init, storage=storage)
