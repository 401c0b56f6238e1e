"""Leaves: where values enter a graph."""

from __future__ import annotations

from rlx.core.dtype import DType
from rlx.core.enums import OpKind
from rlx.core.quant_scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.attributes import Attr
from rlx.ir.op import Call, OpDef, define

_NO_TRANSFORM = "a leaf"


def _leaf(name: str, doc: str, **attrs: Attr) -> OpDef:
    return define(
        name,
        "",
        infer=lambda call: call.op.attrs["shape"],
        kind=OpKind.Boundary,
        doc=doc,
        leaf=True,
        attrs={"name": Attr("str"), "shape": Attr("shape"), **attrs},
        cases="a leaf has no operands",
        vjp=_NO_TRANSFORM,
        jvp=_NO_TRANSFORM,
        batch=_NO_TRANSFORM,
    )


Input = _leaf("input", "A tensor given at each run.")
Param = _leaf(
    "param",
    "A weight owned by the session. With a scheme it is packed: its shape is logical, its storage the scheme's bytes.",
    scheme=Attr("tag", None, parse=QuantScheme.parse, annotation="QuantScheme | str"),
)
State = _leaf("state", "A tensor owned by the session that lives from run to run.", init=Attr("float", 0.0))


def _constant(call: Call) -> Shape:
    array = call.op.attrs["value"].array
    return Shape.make(array.shape, DType.of(array.dtype))


Constant = define(
    "constant",
    "",
    infer=_constant,
    kind=OpKind.Boundary,
    doc="An array known while building.",
    leaf=True,
    attrs={"value": Attr("array")},
    cases="a leaf has no operands",
    vjp=_NO_TRANSFORM,
    jvp=_NO_TRANSFORM,
    batch=_NO_TRANSFORM,
)
