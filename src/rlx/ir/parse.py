"""Reading the text form: a small recursive-descent parser, driven by the kinds of the ops' attributes."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from rlx.core.dim import Dim, Relation, Symbol, floordiv, from_symbol, maximum, minimum
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.attributes import ArrayValue
from rlx.ir.graph import Graph, Origin, Ref
from rlx.ir.op import OPS
from rlx.ir.text import array_from_numbers

_TOKEN = re.compile(
    r"""(?P<space>[ \t]+)|(?P<newline>\n)|(?P<comment>//[^\n]*)|(?P<bytes>x"[0-9a-f]*")|(?P<string>"(?:[^"\\]|\\.)*")
    |(?P<digest>\#[0-9a-f]+)
    |(?P<ref>%\d+(?:\.\d+)?)|(?P<range>\.\.)|(?P<number>-?\d+(?:\.(?!\.)\d*)?(?:[eE][-+]?\d+)?|-?(?:inf|nan)\b)
    |(?P<word>[A-Za-z_][\w.\-:/]*)|(?P<mark>==|<=|[-+*(){}\[\],=:@|])""",
    re.VERBOSE,
)


class Parser:
    """Reads the text form. Words carry their line for messages."""

    def __init__(self, text: str, constants: dict[str, ArrayValue] | None = None) -> None:
        self.tokens: list[tuple[str, str, int]] = []
        self.names: dict[int, str] = {}  # line -> quoted name in its comment
        self.position = 0
        self.constants = constants or {}
        line, at = 1, 0
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                raise RlxError("RLX301", f"line {line}: {text[at : at + 20]!r} is not a token", at=None)
            kind, word = str(match.lastgroup), match[0]
            if kind == "newline":
                line += 1
            elif kind == "comment":
                named = re.match(r'//\s*("(?:[^"\\]|\\.)*")', word)
                if named:
                    self.names[line] = json.loads(named[1])
            elif kind != "space":
                self.tokens.append((kind, word, line))
            at = match.end()

    # -- tokens
    def peek(self) -> str:
        """The next token, empty at the end."""
        return self.tokens[self.position][1] if self.position < len(self.tokens) else ""

    def kind(self) -> str:
        """The kind of the next token."""
        return self.tokens[self.position][0] if self.position < len(self.tokens) else "end"

    @property
    def line(self) -> int:
        """The line of the next token."""
        return self.tokens[min(self.position, len(self.tokens) - 1)][2] if self.tokens else 1

    def next(self) -> str:
        """Take a token."""
        if self.position >= len(self.tokens):
            raise RlxError("RLX301", f"line {self.line}: the text ends too early", at=None)
        self.position += 1
        return self.tokens[self.position - 1][1]

    def take(self, word: str) -> bool:
        """Take the token if it is `word`."""
        if self.peek() == word:
            self.position += 1
            return True
        return False

    def expect(self, word: str) -> None:
        """Take `word` or fail."""
        if not self.take(word):
            raise self.error(f"expected {word!r}")

    def error(self, what: str) -> RlxError:
        """A message with the line."""
        found = repr(self.peek()) if self.peek() else "the end of the text"
        return RlxError("RLX301", f"line {self.line}: {what}, found {found}", at=None)

    # -- pieces
    def identifier(self) -> str:
        """A plain or quoted name."""
        if self.kind() == "string":
            return str(json.loads(self.next()))
        if self.kind() != "word":
            raise self.error("expected a name")
        return self.next()

    def integer(self) -> int:
        """An int."""
        try:
            return int(self.next())
        except ValueError:
            self.position -= 1
            raise self.error("expected an int") from None

    def ref(self) -> Ref:
        """`%3` or `%3.1`."""
        if self.kind() != "ref":
            raise self.error("expected a value such as %3")
        node, _, index = self.next()[1:].partition(".")
        return Ref(int(node), int(index or 0))

    def size(self, symbols: dict[str, Symbol]) -> Any:
        """A polynomial."""
        total: Any = self._term(symbols, -1 if self.take("-") else 1)
        while True:
            if self.take("+"):
                total = total + self._term(symbols, 1)
            elif self.take("-"):
                total = total + self._term(symbols, -1)
            elif self.kind() == "number" and self.peek().startswith("-"):
                total = total + self._term(symbols, 1)
            else:
                return total

    def _term(self, symbols: dict[str, Symbol], sign: int) -> Any:
        value: Any = sign * self._factor(symbols)
        while self.take("*"):
            value = value * self._factor(symbols)
        return value

    def _factor(self, symbols: dict[str, Symbol]) -> Any:
        if self.kind() == "number":
            return self.integer()
        word = self.identifier()
        functions = {"floordiv": floordiv, "min": minimum, "max": maximum}
        if word in functions and self.take("("):
            left = self.size(symbols)
            self.expect(",")
            right = self.size(symbols)
            self.expect(")")
            return functions[word](left, right)
        if word not in symbols:
            raise self.error(f"{word!r} is not a declared symbol")
        return from_symbol(symbols[word])

    def shape(self, symbols: dict[str, Symbol]) -> Shape:
        """`f32[2, seq]`."""
        dtype = DType.of(self.identifier())
        dims = []
        self.expect("[")
        while not self.take("]"):
            dims.append(self.size(symbols))
            if not self.take(","):
                self.expect("]")
                break
        return Shape(dims, dtype)

    def many(self, one: Any) -> tuple[Any, ...]:
        """`(a, b)`."""
        self.expect("(")
        items = []
        while not self.take(")"):
            items.append(one())
            if not self.take(","):
                self.expect(")")
                break
        return tuple(items)

    def attribute(self, kind: str, symbols: dict[str, Symbol]) -> Any:
        """A value of a kind."""
        if self.peek() == "none" and kind != "tag":
            self.next()
            return None
        match kind:
            case "int" | "axis":
                return self.integer()
            case "size":
                return self.size(symbols)
            case "float":
                return float(self.next())
            case "bool":
                return self.next() == "true"
            case "str":
                return json.loads(self.next())
            case "dtype":
                return DType.of(self.identifier())
            case "shape":
                return self.shape(symbols)
            case "ints" | "axes":
                return self.many(self.integer)
            case "sizes":
                return self.many(lambda: self.size(symbols))
            case "floats":
                return self.many(lambda: float(self.next()))
            case "strs":
                return self.many(lambda: json.loads(self.next()))
            case "graph":
                return self.graph(symbols).freeze()
            case "array":
                return self.array
            case _:
                return self._tag()

    def _tag(self) -> str:
        """A bare word with an optional bracketed number, e.g. sliding_window(4), int8/32."""
        text = self.next()
        if self.peek() == "(":
            text += "".join(self.next() for _ in range(3))
        return text

    def array(self, shape: Shape) -> ArrayValue:
        """A constant, its type known."""
        dims = tuple(int(size) for size in shape.dims if not isinstance(size, Dim))
        if self.kind() == "digest":
            digest = self.next()[1:]
            found = self.constants.get(digest) or ArrayValue.alive(digest)
            if found is None:
                raise RlxError("RLX301", f"the constant #{digest} is not at hand", fix="parse(text, constants=graph.constants())", at=None)
            return found
        if self.kind() == "bytes":
            return ArrayValue(np.frombuffer(bytes.fromhex(self.next()[2:-1]), shape.dtype.numpy).reshape(dims))
        self.expect("[")
        numbers = []
        while not self.take("]"):
            number = self.next()
            if self.take("|"):
                number += "|" + self.next()
            numbers.append(number)
            self.take(",")
        return ArrayValue(array_from_numbers(numbers, dims, shape.dtype))

    # -- graphs
    def graph(self, outer: dict[str, Symbol] | None = None) -> Graph:
        """A whole graph."""
        level = self.identifier()
        self.expect("@")
        graph = Graph(self.identifier(), level)
        self.expect("{")
        symbols: dict[str, Symbol] = dict(outer or {})
        while not self.take("}"):
            line = self.line
            if self.take("sym"):
                symbol = self._symbol()
                symbols[symbol.name] = symbol
                graph.symbols[symbol.name] = symbol
            elif self.take("assume"):
                graph.assumptions.append(self._fact(symbols))
            elif self.take("update"):
                name = self.identifier()
                self.expect("=")
                graph.updates[name] = self.ref()
            elif self.take("return"):
                while self.peek() != "}":
                    name = self.identifier()
                    self.expect("=")
                    graph.outputs[name] = self.ref()
                    self.take(",")
            else:
                self._node(graph, symbols, line)
        return graph

    def _symbol(self) -> Symbol:
        name = self.identifier()
        if self.next() != "in":
            raise self.error("expected 'in'")
        low = self.integer()
        self.expect("..")
        high = self.integer() if self.kind() == "number" else None
        return Symbol(name, low, high)

    def _fact(self, symbols: dict[str, Symbol]) -> Any:
        left = self.size(symbols)
        kind = self.next()
        return Relation(kind, left, self.size(symbols))

    def _node(self, graph: Graph, symbols: dict[str, Symbol], line: int) -> None:
        target = self.ref()
        count = self.integer() if self.take(":") else 1
        self.expect("=")
        record = OPS[self.identifier()]
        inputs: list[Ref | None] = []
        attrs: dict[str, Any] = {}
        array_at: int | None = None
        self.expect("(")
        while not self.take(")"):
            if self.kind() == "ref":
                inputs.append(self.ref())
            elif self.take("_"):
                inputs.append(None)
            elif record.leaf and self.kind() == "string" and "name" in record.attrs:
                attrs["name"] = json.loads(self.next())
            elif record.name == "constant":
                array_at = self.position
                self._skip_array()
            else:
                name = self.identifier()
                self.expect("=")
                if name not in record.attrs:
                    raise self.error(f"{record.name} has no attribute {name!r}")
                attrs[name] = self.attribute(record.attrs[name].kind, symbols)
            self.take(",")
        self.expect(":")
        shapes = self.many(lambda: self.shape(symbols)) if count > 1 else (self.shape(symbols),)
        if array_at is not None:
            end, self.position = self.position, array_at
            attrs["value"] = self.array(shapes[0])
            self.position = end
        if record.leaf and "shape" in record.attrs:
            attrs["shape"] = shapes[0]
        if target.node != len(graph.nodes):
            raise self.error(f"expected node %{len(graph.nodes)}, found %{target.node}")
        op = record.op(**attrs)
        graph.add_node(op, inputs, results=shapes, name=self.names.get(line), origin=Origin())

    def _skip_array(self) -> None:
        if self.kind() in ("digest", "bytes"):
            self.next()
            return
        while not self.take("]"):
            self.next()


def parse_graph(text: str, constants: dict[str, ArrayValue] | None = None) -> Graph:
    """The graph that prints as `text`."""
    parser = Parser(text, constants)
    graph = parser.graph()
    if parser.peek():
        raise parser.error("expected the end")
    return graph
