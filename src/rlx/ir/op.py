"""Ops: the record with everything about one op, and the immutable value a node stores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rlx.core.cache import CachedAttribute
from rlx.core.dim import Dim, Relation, Size, proves_at_most, same, symbols
from rlx.core.dtype import DType
from rlx.core.enums import OpKind
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.attributes import REQUIRED, Attr, bind_attribute

if TYPE_CHECKING:
    from rlx.ir.tolerance import Case, Tolerance


DERIVATIVES = ("vjp_body", "jvp_body")
"""Attributes that are bodies of derivatives: they run where one is taken."""


@dataclass(frozen=True)
class Operand:
    """An operand of an op. `role` decides the dtype of literals: value (promotes), index (i32), mask (bool)."""

    name: str
    role: str = "value"
    optional: bool = False
    variadic: bool = False

    @staticmethod
    def parse(text: str) -> tuple[Operand, ...]:
        """From a signature such as `x, indices:index, mask:mask?, rest*`."""
        operands = []
        for part in text.replace(" ", "").split(","):
            if not part:
                continue
            bare = part.rstrip("?*")
            name, _, role = bare.partition(":")
            operands.append(Operand(name, role or "value", part.endswith("?"), part.endswith("*")))
        return tuple(operands)


class Call:
    """One use of an op during shape inference: attributes, operand shapes, known facts, and errors that name the op."""

    def __init__(self, op: Op, shapes: Sequence[Shape | None], assumptions: Sequence[Relation] = ()) -> None:
        self.op, self.shapes, self.assumptions = op, tuple(shapes), tuple(assumptions)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.op.attrs[name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def given(self) -> tuple[Shape, ...]:
        """The shapes of the operands that are present."""
        return tuple(shape for shape in self.shapes if shape is not None)

    def shape(self, index: int) -> Shape | None:
        """The shape of operand `index`, None if it is missing."""
        return self.shapes[index] if index < len(self.shapes) else None

    def same(self, left: Size, right: Size) -> bool:
        """Whether two sizes are equal for every binding, under the graph's assumptions."""
        return same(left, right, self.assumptions)

    def check_same(self, left: Size, right: Size, what: str, fix: str | None = None) -> None:
        """Raise unless two sizes are equal; if that is undecidable, the error suggests an assumption."""
        if self.same(left, right):
            return
        text = f"{self.describe()}: {what} {left} and {right} differ"
        if isinstance(left, Dim) or isinstance(right, Dim):
            raise RlxError(
                "RLX202", f"{text} for some sizes", fix=fix or f"graph.assume({left} == {right}), or make them one symbol"
            )
        raise RlxError("RLX102", text, fix=fix)

    def check_at_most(self, left: Size, right: Size, what: str, code: str = "RLX115", fix: str | None = None) -> None:
        """Raise unless `left <= right` for every binding; if that is undecidable, the error suggests an assumption."""
        proof = proves_at_most(left, right, self.assumptions)
        if proof is False:
            raise self.error(code, f"{what}: {left} is more than {right}", fix=fix)
        if proof is None:
            message = f"{what}: {left} <= {right} does not follow from the bounds of the symbols"
            raise self.error("RLX202", message, fix=f"graph.assume({left} <= {right})")

    def describe(self) -> str:
        """The op and its operands, for messages."""
        shapes = [str(shape) if shape is not None else "nothing" for shape in self.shapes]
        return self.op.name + (" of " + " and ".join(shapes) if shapes else "")

    def error(self, code: str, message: str, fix: str | None = None) -> RlxError:
        """An error that begins with the op and its operands."""
        return RlxError(code, f"{self.describe()}: {message}", fix=fix)


Infer = Callable[[Call], "Shape | tuple[Shape, ...]"]


@dataclass(frozen=True, eq=False)
class OpDef:
    """Everything about one op. A facet that cannot exist is a string with the reason.

    `vjp`, `jvp` and `batch` are rules (`transforms/rules` says what these are given), or a reason; left out they follow from the
    decomposition, which a record without them therefore has.
    """

    name: str
    operands: tuple[Operand, ...]
    attrs: Mapping[str, Attr]
    infer: Infer
    reference: Callable[..., Any] | None
    kind: OpKind
    doc: str
    level: str = "mir"
    family: str = ""
    results: tuple[str, ...] = ("result",)  # ("parts*",): as many as the attributes say, always a tuple
    normalize: Callable[[Call], Op] | None = None  # canonical attributes for these operands, e.g. a reshape without -1
    compute_dtype: Callable[..., DType | None] | None = None  # value operands are cast to it; None: each keeps its own
    decompose: Callable[..., Any] | None = None
    tolerance: Tolerance | None = None
    cost: Callable[[Call, tuple[Shape, ...]], Size] | None = None  # floating point operations
    cases: Callable[[], Sequence[Case]] | str = "no cases"
    vjp: Callable[..., Any] | str | None = None
    jvp: Callable[..., Any] | str | None = None
    batch: Callable[..., Any] | str | None = None
    saving: Callable[..., Any] | None = (
        None  # emits the op so that it keeps its vjp's residuals: see transforms/rules/derivative.py
    )
    view: Callable[..., Any] | None = None  # how the result aliases operand 0, for movement that copies nothing
    keeps_f32: str = ""  # why no precision policy lowers it
    packed_operand: int | None = None  # the operand that may be a packed param
    can_fail: bool = False  # it can fail at run time with any attributes: a singular matrix
    effect: bool = False  # it runs for what it does: never removed, shared or computed ahead (docs/decisions/0014)
    moves_elements: bool = False  # elements of operand 0 at other places: rounding may come before or after
    integer_form: str | None = None  # of a layer with weights: its op on 8-bit numbers, "" where there is none
    grid: str | None = None  # operand 0 goes "into" integers, "from" them, or "onto" their grid; its scale is operand 1
    host: str = ""  # what runs it where a device has no kernel of its own, its reference being what is called
    leaf: bool = False
    label: Callable[[Op], str] | None = None  # HIR: the label its nodes carry

    @CachedAttribute
    def arity(self) -> tuple[int, int | None]:
        """The smallest and the largest number of operands."""
        least = sum(not (operand.optional or operand.variadic) for operand in self.operands)
        return least, None if any(operand.variadic for operand in self.operands) else len(self.operands)

    @property
    def is_pointwise(self) -> bool:
        """Whether each result element depends on one element of each operand (up to broadcasting)."""
        return self.family in ("activation", "binary", "compare", "select")

    @CachedAttribute
    def calls_user(self) -> bool:
        """Whether one of the attributes is a function of the user."""
        return any(attr.kind == "function" for attr in self.attrs.values())

    def has(self, facet: str) -> bool:
        """Whether the op has a `vjp`, `jvp` or `batch`: by a rule, or by the decomposition."""
        rule = getattr(self, facet)
        return callable(rule) or (rule is None and self.decompose is not None)

    def operand(self, index: int) -> Operand:
        """The operand at an index; a variadic one repeats."""
        return self.operands[min(index, len(self.operands) - 1)]

    def op(self, **attrs: Any) -> Op:
        """Builds the op value with these attributes, checked and defaulted."""
        unknown = [name for name in attrs if name not in self.attrs]
        if unknown:
            takes = ", ".join(self.attrs) or "none"
            raise RlxError("RLX105", f"{self.name} has no attribute {unknown[0]!r}", fix=f"its attributes: {takes}")
        complete = {}
        for name, attr in self.attrs.items():
            value = attrs.get(name, attr.default)
            if value is REQUIRED:
                raise RlxError("RLX105", f"{self.name} needs the attribute {name!r}", fix=f"{name}=… ({attr.help or attr.kind})")
            complete[name] = attr.normalize(value, f"{name} of {self.name}")
        return Op(self, complete)

    def __call__(self, *operands: Any, **attrs: Any) -> Any:
        """Emit a node on Values: `sigmoid(x)`. Returns a Value, or a tuple for several results."""
        from rlx.ir.emit import emit

        name = attrs.pop("name", None)
        return emit(self, operands, attrs, name=name)

    def __repr__(self) -> str:
        return f"<op {self.name}>"


@dataclass(frozen=True, eq=False)
class Op:
    """An op with its attributes: an immutable value."""

    definition: OpDef
    attrs: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The op's name in text."""
        return self.definition.name

    @property
    def is_input(self) -> bool:
        """Whether the op is a graph input, given at each run."""
        return self.definition.name == "input"

    @property
    def is_param(self) -> bool:
        """Whether the op is a param, such as a weight."""
        return self.definition.name == "param"

    @property
    def is_state(self) -> bool:
        """Whether the op is a state, a tensor that persists between runs."""
        return self.definition.name == "state"

    @property
    def is_constant(self) -> bool:
        """Whether the op is a constant, an array known while building."""
        return self.definition.name == "constant"

    @property
    def is_fused(self) -> bool:
        """Whether the op is a fused kernel with a body of ops."""
        return self.definition.name == "fused"

    @CachedAttribute
    def _key(self) -> tuple[Any, ...]:
        return (self.definition.name, *((name, _exact(value)) for name, value in self.attrs.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Op) and (self is other or self._key == other._key)

    @CachedAttribute
    def _hash(self) -> int:
        return hash(self._key)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return _op_of, (self.name, dict(self.attrs))  # the record is code: pickled by name

    def __getitem__(self, name: str) -> Any:
        return self.attrs[name]

    def with_attrs(self, **changes: Any) -> Op:
        """The same op with some attributes changed."""
        return Op(self.definition, {**self.attrs, **changes})

    def bind(self, sizes: Mapping[str, Size]) -> Op:
        """Replace symbols in attributes by sizes."""
        changed = {name: bind_attribute(value, sizes) for name, value in self.attrs.items()}
        return Op(self.definition, changed)

    def infer(self, shapes: Sequence[Shape | None], assumptions: Sequence[Relation] = ()) -> tuple[Shape, ...]:
        """Infers result shapes from operand shapes."""
        result = self.definition.infer(Call(self, shapes, assumptions))
        return result if isinstance(result, tuple) else (result,)

    def graphs(self) -> Iterator[tuple[str, Any]]:
        """Attributes that are graphs: bodies and branches."""
        for name, value in self.attrs.items():
            if self.definition.attrs[name].kind == "graph" and value is not None:
                yield name, value

    @CachedAttribute
    def has_effect(self) -> bool:
        """Whether the op, or a node of a body that its value depends on, has a side effect."""
        bodies = (body for role, body in self.graphs() if role not in DERIVATIVES)
        return self.definition.effect or any(body.has_effect for body in bodies)

    def symbols(self) -> frozenset[Any]:
        """Every symbol in the attributes."""
        return self._symbols

    @CachedAttribute
    def _symbols(self) -> frozenset[Any]:
        symbols: frozenset[Any] = frozenset()
        for value in self.attrs.values():
            symbols |= _attribute_symbols(value)
        return symbols

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(f'{k}={v}' for k, v in self.attrs.items())})"


def _exact(value: Any) -> Any:
    """Builds a key of attribute values in which 1, 1.0 and True differ, and NaN equals NaN."""
    if isinstance(value, (bool, int)):
        return type(value).__name__, value
    if isinstance(value, float):
        return "float", value.hex()
    if isinstance(value, tuple):
        return tuple(_exact(item) for item in value)
    return value


def _attribute_symbols(value: Any) -> frozenset[Any]:
    if isinstance(value, Dim):
        return symbols(value)
    if isinstance(value, Shape):
        return value.symbols()
    if isinstance(value, tuple):
        return frozenset().union(*(_attribute_symbols(item) for item in value)) if value else frozenset()
    if hasattr(value, "nodes"):  # a body: it shares the symbols of the enclosing graph
        return frozenset(value.symbols.values())
    return frozenset()


class Registry:
    """All op records by name."""

    def __init__(self) -> None:
        self.records: dict[str, OpDef] = {}
        self._loaded = False

    def add(self, record: OpDef) -> OpDef:
        """Register one record."""
        if record.name in self.records:
            raise ValueError(f"op {record.name} is defined twice")
        self.records[record.name] = record
        return record

    def _load(self) -> None:
        if not self._loaded:
            self._loaded = True
            import rlx.blocks
            import rlx.ops

            _ = (rlx.ops, rlx.blocks)

    def __getitem__(self, name: str) -> OpDef:
        if name not in self.records:
            self._load()
        if name not in self.records:
            from difflib import get_close_matches

            near = get_close_matches(name, self.records, 3)
            fix = f"did you mean {' or '.join(near)}?" if near else "`rlx ops` lists them, docs/ops.md too"
            raise RlxError("RLX113", f"there is no op {name!r}", fix=fix)
        return self.records[name]

    def __iter__(self) -> Iterator[OpDef]:
        self._load()
        return iter(self.records.values())

    def __contains__(self, name: str) -> bool:
        self._load()
        return name in self.records


OPS = Registry()


def define(
    name: str,
    operands: str,
    *,
    infer: Infer,
    reference: Callable[..., Any] | None = None,
    kind: OpKind = OpKind.Elementwise,
    doc: str,
    attrs: Mapping[str, Attr] | None = None,
    no_gradient: str | None = None,
    **facets: Any,
) -> OpDef:
    """Make a record and register it: the only way to add an op. `no_gradient` says why it has neither a vjp nor a jvp.

    What the records of a family share is bound by `functools.partial`; a record states what is its own.
    """
    if no_gradient is not None:
        facets |= {"vjp": no_gradient, "jvp": no_gradient}
    return OPS.add(OpDef(name, Operand.parse(operands), dict(attrs or {}), infer, reference, kind, doc, **facets))


def _op_of(name: str, attrs: Mapping[str, Any]) -> Op:
    return Op(OPS[name], attrs)


def is_weak(value: object) -> bool:
    """Whether a literal is weak: Python numbers and np.float64 scalars take the tensor's dtype."""
    return isinstance(value, (bool, int, float, complex)) and not (
        isinstance(value, np.generic) and not isinstance(value, np.float64)
    )
