"""rlx.graphs.parse and rlx.load: modules from text and files, at every level."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from rlx.core.errors import RlxError, check_is
from rlx.core.files import naming
from rlx.ir.attributes import ArrayValue
from rlx.ir.graph import Graph
from rlx.ir.parse_lir import Lir, parse_text
from rlx.ir.text import constants_of, read_file, write_file

if TYPE_CHECKING:
    from rlx.module.modules import GraphModule


def parse(text: str, constants: dict[str, ArrayValue] | None = None) -> Graph | Lir:
    """Parses the text of a graph (HIR, MIR) or LIR.

    >>> from rlx import Graph
    >>> g = Graph("double"); x = g.input("x", (4,), "f32"); g.set_outputs({"y": x + x})
    >>> parse(str(g)) == g
    True
    """
    check_is(text, str, "RLX301", "the text", "parse(str(graph)); rlx.load(path) reads a file")
    return parse_text(text, constants)


def save_text(path: str | os.PathLike[str], thing: Graph | Lir) -> None:
    """Writes a graph or LIR with its constants to a file."""
    graphs: list[Any] = []
    part: Any = thing
    while part is not None:
        graphs.append(part if isinstance(part, Graph) else part.graph)
        part = getattr(part, "prepare", None)
    constants = {digest: value.array for graph in graphs for digest, value in graph.constants().items()}
    write_file(path, {"kind": "module", "text": str(thing)}, constants)


def load_text(path: str | os.PathLike[str]) -> Graph | Lir:
    """Reads a file that `save_text` wrote."""
    header, arrays = read_file(path)
    if header.get("kind") != "module":
        raise RlxError(
            "RLX303", f"{path} holds a {header.get('kind')}, not a module", fix="rlx.load_executable reads compiled programs"
        )
    if not isinstance(header.get("text"), str):
        raise RlxError("RLX303", f"{path} holds no text of a module", fix="save it again with this version")
    with naming(path, "RLX303"):
        return parse(header["text"], constants_of(arrays))


def load(path: str | os.PathLike[str]) -> GraphModule:
    """Loads the module that `module.save(path)` wrote.

    >>> import tempfile, rlx
    >>> module = rlx.GraphModule.mir("double"); x = module.input("x", (4,)); module.set_outputs({"y": x + x})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     module.save(f"{folder}/double.rlx")
    ...     load(f"{folder}/double.rlx").into_graph() == module.into_graph()
    True
    """
    from rlx.module.modules import GraphModule

    module = load_text(path)
    if isinstance(module, Lir):
        return GraphModule.from_lir(module)
    return GraphModule.from_graph(module)
