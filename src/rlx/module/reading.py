"""What a module answers for its graph, at every level."""

from __future__ import annotations

from collections.abc import Mapping

from rlx.core.dim import Relation, Size, Symbol
from rlx.core.shape import Shape
from rlx.ir.attributes import ArrayValue
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.value import Value


class ReadsGraph:
    """The reading names of a graph; a subclass says of which."""

    def _read(self) -> Graph:
        raise NotImplementedError

    @property
    def outputs(self) -> Mapping[str, Value]:
        """The outputs by name, as Values to build on."""
        return self._read().outputs

    @property
    def updates(self) -> dict[str, Ref]:
        """What states and params become after a run, by name."""
        return self._read().updates

    @property
    def inputs(self) -> dict[str, Node]:
        """The inputs by name."""
        return self._read().inputs

    @property
    def params(self) -> dict[str, Node]:
        """The params by name."""
        return self._read().params

    @property
    def states(self) -> dict[str, Node]:
        """The states by name."""
        return self._read().states

    @property
    def symbols(self) -> dict[str, Symbol]:
        """Every symbol it uses, by name."""
        return self._read().symbols

    @property
    def assumptions(self) -> list[Relation]:
        """What is stated about symbolic sizes."""
        return self._read().assumptions

    def nodes(self) -> list[Node]:
        """All nodes, in order."""
        return list(self._read().nodes)

    def node(self, node: int | Ref | Value) -> Node:
        """A node by id, Ref or Value."""
        return self._read().node(node.ref if isinstance(node, Value) else node)

    def shape(self, ref: Ref | Value) -> Shape:
        """The shape of a value."""
        return self._read().shape(ref.ref if isinstance(ref, Value) else ref)

    def users(self) -> dict[Ref, list[Node]]:
        """For each value, the nodes that read it."""
        return self._read().users()

    def constants(self) -> dict[str, ArrayValue]:
        """Every constant array by digest."""
        return self._read().constants()

    def fingerprint(self) -> str:
        """SHA-256 over everything that changes meaning."""
        return self._read().fingerprint()

    def bind(self, sizes: Mapping[str, Size]) -> Graph:
        """The graph with symbols replaced by sizes."""
        return self._read().bind(sizes)

    def __len__(self) -> int:
        return len(self._read())
