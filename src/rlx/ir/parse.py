"""Reading the text form: a small recursive-descent parser, driven by the kinds of the ops' attributes.

Every node is checked as by the verifier, with the line and column in the message; anything duplicate, missing or truncated is an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from rlx.core.dim import Dim, Relation, Symbol, floordiv, from_symbol, maximum, minimum
from rlx.core.dtype import BY_NAME, DType
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.attributes import ArrayValue
from rlx.ir.emit import normalize
from rlx.ir.graph import LEVELS, Graph, Node, Origin, Ref
from rlx.ir.host_function import HostFunction
from rlx.ir.op import OPS, Op, OpDef
from rlx.ir.text import array_from_numbers
from rlx.ir.verify import verify_node, verify_operands, verify_results

# -- the tokens of the text form with their positions, and errors that name the position -----------------------------


_TOKEN = re.compile(
    r"""(?P<space>[ \t\r]+)|(?P<newline>\n)|(?P<comment>//[^\n]*)|(?P<bytes>x"[0-9a-f]*")|(?P<string>"(?:[^"\\\n]|\\.)*")
    |(?P<digest>\#[0-9a-f]+)
    |(?P<ref>%[0-9]+(?:\.[0-9]+)?)|(?P<range>\.\.)|(?P<number>-?[0-9]+(?:\.(?!\.)[0-9]*)?(?:[eE][-+]?[0-9]+)?|-?(?:inf|nan)\b)
    |(?P<word>[^\W0-9][\w.\-:/]*)|(?P<mark>==|<=|[-+*(){}\[\],=:@|])""",
    re.VERBOSE,
)
_NAME = re.compile(r'//\s*("(?:[^"\\]|\\.)*")')
_PLURALS = {"ints": "int", "axes": "axis", "sizes": "size", "floats": "float", "strs": "str", "shapes": "shape"}
MOST_NESTED = 64  # nested bodies, nested quotients: real graphs stay far below
_MOST_DIGITS = 40


class Token(NamedTuple):
    """A token with its line and column, both counted from 1."""

    kind: str
    text: str
    line: int
    column: int


class TextError(RlxError):
    """An error at a position of a text."""


class Tokens:
    """The tokens of a text, consumed one by one."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.names: dict[int, str] = {}  # line -> quoted name in its comment
        self.position = 0
        self.depth = 0
        self.tokens: list[Token] = []
        line, start, at = 1, 0, 0
        for match in _TOKEN.finditer(text):
            if match.start() != at:
                break
            kind, word = str(match.lastgroup), match[0]
            if kind == "comment":
                named = _NAME.match(word)
                if named:
                    self.names[line] = self._unquote(Token("string", named[1], line, at - start + 1))
            elif kind not in ("space", "newline"):
                self.tokens.append(Token(kind, word, line, at - start + 1))
            at = match.end()
            if kind == "newline":
                line, start = line + 1, at
        if at < len(text):
            token = Token("mark", text[at : at + 20], line, at - start + 1)
            raise self.error_at(token, f"{token.text!r} is not a token")
        self.tokens.append(Token("end", "", line, at - start + 1))

    # -- one by one ---------------------------------------------------------------------------------------------
    @property
    def here(self) -> Token:
        """The next token; the last one is the end of the text."""
        return self.tokens[self.position]

    def peek(self) -> str:
        """The text of the next token, empty at the end."""
        return self.tokens[self.position].text

    def kind(self) -> str:
        """The kind of the next token."""
        return self.tokens[self.position].kind

    def next(self) -> str:
        """Consumes the next token."""
        token = self.tokens[self.position]
        if token.kind == "end":
            raise self.error("the text ends too early")
        self.position += 1
        return token.text

    def take(self, word: str) -> bool:
        """Consumes the next token if it is `word`."""
        if self.tokens[self.position].text == word:  # never a string: those have quotes
            self.position += 1
            return True
        return False

    def expect(self, word: str) -> None:
        """Consumes `word`, or raises."""
        if not self.take(word):
            raise self.error(f"expected {word!r}")

    # -- errors -------------------------------------------------------------------------------------------------
    def error(self, what: str, code: str = "RLX301", fix: str | None = None) -> TextError:
        """An error at the next token, which is not the expected one."""
        actual = repr(self.peek()) if self.kind() != "end" else "the end of the text"
        return self.error_at(self.here, f"{what}, found {actual}", code, fix)

    def error_at(self, token: Token, what: str, code: str = "RLX301", fix: str | None = None) -> TextError:
        """An error at a token; the line is shown below the message."""
        source = self.text.split("\n")[token.line - 1].strip()
        shown = f"\n  in: {source if len(source) <= 120 else source[:117] + '...'}" if source else ""
        return TextError(code, f"line {token.line}, column {token.column}: {what}{shown}", fix=fix, at=None)

    @contextmanager
    def errors_at(self, token: Token) -> Iterator[None]:
        """Adds this position to errors raised inside."""
        try:
            yield
        except TextError:
            raise
        except RlxError as error:
            raise self.error_at(token, error.message, error.code, error.fix) from error

    @contextmanager
    def one_deeper(self) -> Iterator[None]:
        """Enters one nesting level, up to a limit: a text must not exhaust the interpreter's stack."""
        if self.depth >= MOST_NESTED:
            raise self.error(f"nested more than {MOST_NESTED} levels deep")
        self.depth += 1
        yield
        self.depth -= 1

    # -- words --------------------------------------------------------------------------------------------------
    def identifier(self) -> str:
        """Parses a plain or quoted name."""
        if self.kind() == "string":
            return self.string()
        if self.kind() != "word":
            raise self.error("expected a name")
        return self.next()

    def string(self) -> str:
        """Parses a quoted string."""
        if self.kind() != "string":
            raise self.error("expected a string in quotes")
        token = self.here
        self.position += 1
        return self._unquote(token)

    def _unquote(self, token: Token) -> str:
        try:
            return str(json.loads(token.text))
        except ValueError:
            raise self.error_at(token, f"{token.text} is not a string as JSON writes it") from None

    def integer(self) -> int:
        """Parses an int."""
        text = self.peek()
        if self.kind() != "number" or not text.lstrip("-").isdigit() or len(text) > _MOST_DIGITS:
            raise self.error("expected an int")
        return int(self.next())

    def number(self) -> float:
        """Parses a float, or an int in place of one."""
        if self.kind() != "number":
            raise self.error("expected a number")
        return float(self.next())

    def truth(self) -> bool:
        """Parses `true` or `false`."""
        if self.peek() not in ("true", "false"):
            raise self.error("expected true or false")
        return self.next() == "true"

    def items(self, one: Callable[[], Any], opening: str = "(", closing: str = ")") -> tuple[Any, ...]:
        """Parses `(a, b)`, with an optional trailing comma."""
        self.expect(opening)
        items: list[Any] = []
        while not self.take(closing):
            items.append(one())
            if not self.take(","):
                self.expect(closing)
                break
        return tuple(items)


_FUNCTIONS = {"floordiv": floordiv, "min": minimum, "max": maximum}
Symbols = dict[str, Symbol]


class Parser(Tokens):
    """Parses the text form of graphs."""

    def __init__(self, text: str, constants: dict[str, ArrayValue] | None = None) -> None:
        super().__init__(text)
        self.constants = constants or {}

    # -- pieces -------------------------------------------------------------------------------------------------
    def ref(self) -> Ref:
        """Parses a reference to a value: `%3` or `%3.1`."""
        if self.kind() != "ref" or len(self.peek()) > 20:
            raise self.error("expected a value such as %3")
        node, _, index = self.next()[1:].partition(".")
        return Ref(int(node), int(index or 0))

    def size(self, symbols: Symbols) -> Any:
        """Parses a symbolic size, a polynomial."""
        token, following = self.here, self.tokens[min(self.position + 1, len(self.tokens) - 1)]
        if token.kind == "number" and following.text in (",", "]", ")"):  # most sizes are just a number
            return self.integer()
        with self.one_deeper(), self.errors_at(self.here):
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

    def _term(self, symbols: Symbols, sign: int) -> Any:
        value: Any = sign * self._factor(symbols)
        while self.take("*"):
            value = value * self._factor(symbols)
        return value

    def _factor(self, symbols: Symbols) -> Any:
        if self.kind() == "number":
            return self.integer()
        word = self.identifier()
        if word in _FUNCTIONS and self.peek() == "(":
            sides = self.items(lambda: self.size(symbols))
            if len(sides) != 2:
                raise self.error(f"{word} takes two sizes")
            return _FUNCTIONS[word](*sides)
        if word not in symbols:
            self.position -= 1
            raise self.error(f"{word!r} is not a declared symbol", fix=f"declare it above: sym {word} in 1..")
        return from_symbol(symbols[word])

    def dtype(self) -> DType:
        """Parses a dtype by its own name."""
        if self.peek() not in BY_NAME:
            raise self.error("expected a dtype", "RLX103", f"one of: {' '.join(BY_NAME)}")
        return BY_NAME[self.next()]

    def shape(self, symbols: Symbols) -> Shape:
        """Parses a shape such as `f32[2, seq]`."""
        token = self.here
        dtype = self.dtype()
        dims = self.items(lambda: self.size(symbols), "[", "]")
        with self.errors_at(token):
            return Shape(dims, dtype)

    def attribute(self, kind: str, symbols: Symbols) -> Any:
        """Parses an attribute value of a kind."""
        if self.peek() == "none" and kind != "tag":
            self.next()
            return None
        if kind in _PLURALS:
            return self.items(lambda: self._one_attribute(_PLURALS[kind], symbols))
        return self._one_attribute(kind, symbols)

    def _one_attribute(self, kind: str, symbols: Symbols) -> Any:
        match kind:
            case "int" | "axis":
                return self.integer()
            case "size":
                return self.size(symbols)
            case "float":
                return self.number()
            case "bool":
                return self.truth()
            case "str":
                return self.string()
            case "dtype":
                return self.dtype()
            case "shape":
                return self.shape(symbols)
            case "function":
                return self._function()
            case "graph":
                return self.graph(symbols).freeze()
            case _:
                return self._tag()

    def _function(self) -> HostFunction:
        """Looks up a user's function by the name it has in this process."""
        token, name = self.here, self.string()
        function = HostFunction.alive(name)
        if function is None:
            raise self.error_at(
                token, f"the function {name!r} is not in this process", fix="build the graph here: code is not in the text"
            )
        return function

    def _tag(self) -> str:
        """Parses a tag: a bare word with an optional number in parentheses, e.g. sliding_window(4), ema(0.9), int8/32."""
        text = self.identifier()
        if not self.take("("):
            return text
        if self.kind() != "number":
            raise self.error("expected a number")
        text += f"({self.next()})"
        self.expect(")")
        return text

    def array(self, shape: Shape) -> ArrayValue:
        """Parses a constant array whose type is known."""
        token = self.here
        dims = tuple(int(size) for size in shape.dims if not isinstance(size, Dim))
        if len(dims) != shape.rank:
            raise self.error_at(token, f"a constant of symbolic shape {shape}", fix="constants have static shapes")
        if self.kind() == "digest":
            digest = self.next()[1:]
            value = self.constants.get(digest) or ArrayValue.alive(digest)
            if value is None:
                raise self.error_at(
                    token, f"the constant #{digest} is not available", fix="parse(text, constants=graph.constants())"
                )
            return value
        try:
            if self.kind() == "bytes":
                raw = bytes.fromhex(self.next()[2:-1])
                if shape.dtype.is_bool and set(raw) - {0, 1}:
                    raise ValueError("a bool is 00 or 01")
                return ArrayValue(np.frombuffer(raw, shape.dtype.numpy).reshape(dims))
            return ArrayValue(array_from_numbers(self.items(self._array_number, "[", "]"), dims, shape.dtype))
        except (ValueError, OverflowError, TypeError) as error:
            raise self.error_at(token, f"not the contents of {shape}: {error}") from None

    def _array_number(self) -> str:
        number = self.next() if self.kind() == "number" or self.peek() in ("true", "false") else ""
        if not number:
            raise self.error("expected a number")
        if self.take("|"):
            if self.kind() != "number":
                raise self.error("expected an imaginary part")
            number += "|" + self.next()
        return number

    # -- graphs -------------------------------------------------------------------------------------------------
    def graph(self, outer: Symbols | None = None) -> Graph:
        """Parses a complete graph."""
        with self.one_deeper():
            start = self.here
            if self.peek() not in LEVELS:
                raise self.error(f"expected a level ({', '.join(LEVELS)})")
            level = self.next()
            self.expect("@")
            graph = Graph(self.identifier(), level)
            self.expect("{")
            symbols: Symbols = dict(outer or {})
            while not self.take("return"):
                self._line(graph, symbols)
            self._outputs(graph)
            with self.errors_at(start):
                verify_results(graph)
            return graph

    def _line(self, graph: Graph, symbols: Symbols) -> None:
        """Parses any line of a graph but the return."""
        start = self.here
        if self.take("sym"):
            self._symbol(graph, symbols)
        elif self.take("assume"):
            graph.assumptions.append(self._fact(symbols))
        elif self.take("update"):
            name = self.identifier()
            if name in graph.updates:
                raise self.error_at(start, f"a second update of {name!r}", fix="one update for each state")
            self.expect("=")
            graph.updates[name] = self._result(graph)
        elif self.kind() == "ref":
            self._node(graph, symbols)
        else:
            raise self.error("expected a node, sym, assume, update or return")

    def _outputs(self, graph: Graph) -> None:
        """Parses the outputs after `return`, and the end of the graph."""
        while not self.take("}"):
            start = self.here
            name = self.identifier()
            if name in graph.output_refs:
                raise self.error_at(start, f"a second output {name!r}", fix="output names are unique")
            self.expect("=")
            graph.output_refs[name] = self._result(graph)
            if not self.take(","):
                self.expect("}")
                return

    def _result(self, graph: Graph) -> Ref:
        """Parses a reference to an existing value."""
        token, ref = self.here, self.ref()
        if not (ref.node < len(graph.nodes) and ref.index < len(graph.nodes[ref.node].results)):
            raise self.error_at(token, f"{token.text} is not a value of a node above")
        return ref

    def _symbol(self, graph: Graph, symbols: Symbols) -> None:
        token = self.here
        name = self.identifier()
        self.expect("in")
        low = self.integer()
        self.expect("..")
        high = self.integer() if self.kind() == "number" else None
        symbol = Symbol(name, low, high)
        with self.errors_at(token):
            from_symbol(symbol)
            if name in graph.symbols or symbols.get(name, symbol) != symbol:
                raise RlxError("RLX201", f"symbol {name} is declared twice")
        symbols[name] = graph.symbols[name] = symbol

    def _fact(self, symbols: Symbols) -> Relation:
        left = self.size(symbols)
        if self.peek() not in ("==", "<="):
            raise self.error("expected == or <=")
        return Relation(self.next(), left, self.size(symbols))

    # -- nodes --------------------------------------------------------------------------------------------------
    def _node(self, graph: Graph, symbols: Symbols) -> None:
        start, target = self.here, self.ref()
        if target != Ref(len(graph.nodes)):
            raise self.error_at(
                start, f"expected node %{len(graph.nodes)}, found {start.text}", fix="nodes are numbered in order from %0"
            )
        count = self.integer() if self.take(":") else 1
        self.expect("=")
        with self.errors_at(self.here):
            record = OPS[self.identifier()]
        inputs, attrs, array_at = self._arguments(record, symbols)
        self.expect(":")
        results = self.items(lambda: self.shape(symbols)) if count != 1 else (self.shape(symbols),)
        if len(results) != count:
            raise self.error_at(start, f"{count} results are declared, {len(results)} given")
        if array_at is not None:
            end, self.position = self.position, array_at
            attrs["value"] = self.array(results[0])
            self.position = end
        if record.leaf and "shape" in record.attrs:
            attrs["shape"] = results[0]
        name = self.names.get(self.tokens[self.position - 1].line)  # in the trailing comment
        with self.errors_at(start):
            _add(graph, record.op(**attrs), inputs, results, name)

    def _arguments(self, record: OpDef, symbols: Symbols) -> tuple[list[Ref | None], dict[str, Any], int | None]:
        """Parses operands and attributes; returns also the position of a constant's contents (parsed once its type is known)."""
        inputs: list[Ref | None] = []
        attrs: dict[str, Any] = {}
        array_at: int | None = None

        def one() -> None:
            nonlocal array_at
            start = self.here
            if self.kind() == "ref":
                inputs.append(self.ref())
            elif self.take("_"):
                inputs.append(None)
            elif record.name == "constant" and array_at is None:
                array_at = self.position
                self._skip_array()
            else:
                quoted = record.leaf and self.kind() == "string" and "name" in record.attrs
                name = "name" if quoted else self.identifier()
                if not quoted:
                    self.expect("=")
                if name in attrs:
                    raise self.error_at(start, f"{name!r} of {record.name} is given twice")
                if name not in record.attrs or record.attrs[name].kind == "array":
                    takes = ", ".join(record.attrs) or "none"
                    raise self.error_at(start, f"{record.name} has no attribute {name!r}", fix=f"its attributes: {takes}")
                attrs[name] = self.attribute(record.attrs[name].kind, symbols)

        self.items(one)
        return inputs, attrs, array_at

    def _skip_array(self) -> None:
        if self.kind() in ("digest", "bytes"):
            self.next()
            return
        self.items(self._array_number, "[", "]")


def _add(graph: Graph, op: Op, inputs: list[Ref | None], results: tuple[Shape, ...], name: str | None) -> None:
    """Appends a parsed node, if the builders could have made it."""
    try:
        node = graph.add_node(op, inputs, results=results, name=name, origin=Origin())
        verify_operands(graph, node)
        _check_canonical(graph, node)
        verify_node(graph, node)
    except RlxError:
        raise
    except Exception as error:  # an op's rules rely on its builder's checks; if they raise anything, the text is wrong
        raise RlxError("RLX302", f"{op} does not fit its operands ({type(error).__name__}: {error})") from error


def _check_canonical(graph: Graph, node: Node) -> None:
    """Checks that attributes are as the builder writes them: non-negative axes, and so on."""
    if node.op.definition.leaf:
        return
    shapes = [None if ref is None else graph.shape(ref) for ref in node.inputs]
    wanted = normalize(node.op, shapes, graph.assumptions)
    if wanted != node.op:
        raise RlxError("RLX302", f"{node.op} is not in its canonical form", fix=f"write {wanted}")


def parse_graph(text: str, constants: dict[str, ArrayValue] | None = None) -> Graph:
    """Parses the text of a graph."""
    parser = Parser(text, constants)
    graph = parser.graph()
    if parser.kind() != "end":
        raise parser.error("expected the end")
    return graph
