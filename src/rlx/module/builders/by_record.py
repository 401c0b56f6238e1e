"""A method for each op and block, made from its record when it is first used: the signature is the record's operands and attributes.

Type checkers read `methods.pyi`, which scripts/builders_stub.py writes from the same signatures.
"""

from __future__ import annotations

import keyword
import linecache
import os
from typing import TYPE_CHECKING, Any

from rlx.core.dtype import DType
from rlx.ir.attributes import REQUIRED
from rlx.ir.op import OPS, OpDef
from rlx.module.emitter import BuilderBase, flat
from rlx.ops.control.custom_values import USER_KERNELS

ALIASES = {"mm": "matmul"} | {f"{op}_": op for op in ("reshape", "transpose", "expand", "gather", "cast", "softmax", "sum", "mean")}
"""Names of the Rust RLX, in which an underscore marks the variant that infers its shape; here all methods infer shapes."""

BY_HAND = {"if", "while"}  # `cond` and `while_loop`
BLOCKS = (
    *("linear", "linear_fused", "shared_linear_pair", "swiglu_ffn", "dequant_matmul", "rope", "residual_rms_norm"),
    "depthwise_conv1d_causal",
)
"""Blocks whose method has the record's arguments; the others are in `blocks.py`."""
FOLDER = os.path.dirname(__file__)


def record_of(name: str) -> OpDef | None:
    """The record of the op that a builder method emits."""
    if name.startswith("_"):
        return None
    stem = ALIASES.get(name) or (name[:-1] if keyword.iskeyword(name[:-1]) else name)
    for op in (stem, f"reduce_{stem}"):
        if op in OPS and (op == stem or OPS[op].family == "reduce"):
            record = OPS[op]
            return record if record.level == "mir" and not record.leaf and not {op} & (BY_HAND | USER_KERNELS.keys()) else None
    return None


def method_names() -> list[str]:
    """The names of all builder methods that are made from op records."""
    names = [record.name for record in OPS]
    names += [name.removeprefix("reduce_") for name in names if OPS[name].family == "reduce"]
    names = [f"{name}_" if keyword.iskeyword(name) else name for name in names]
    return [*(name for name in names if record_of(name) is not None), *ALIASES]


def signature(record: OpDef, name: str) -> str:
    """The `def` line of an op's builder method.

    Attributes may be positional unless an operand is optional, or one with a default stands before one without.
    """
    variadic = any(operand.variadic for operand in record.operands)
    optional = [operand.optional for operand in record.operands]
    defaults = [attr.default is not REQUIRED for attr in record.attrs.values()]
    parameters = []
    for operand in record.operands:
        text = f"{operand.name}: Tensor" + (" | None = None" if operand.optional else "")
        parameters.append(f"*{text}" if operand.variadic else text)
    attributes = attribute_parameters(record)
    if variadic:
        parameters += attributes
    elif any(optional) or defaults != sorted(defaults):
        parameters += ["*", *attributes]
    else:
        parameters += [*attributes, "*"]
    return first_line(record, name, parameters)


def block_signature(record: OpDef, name: str) -> str:
    """The `def` line of a block's method: operands after the first may be left out, as a LowerError counts them."""
    first, *rest = (operand.name for operand in record.operands)
    operands = [f"{first}: Tensor", *(f"{operand}: Tensor | None = None" for operand in rest)]
    return first_line(record, name, [*operands, "out_shape: ShapeLike | None = None", "*", *attribute_parameters(record)])


def first_line(record: OpDef, name: str, parameters: list[str]) -> str:
    """Formats a `def` line with the parameters between self and name, and the results."""
    count = "..." if record.results[0].endswith("*") else ", ".join(["Value"] * (len(record.results) - 1))
    result = f"tuple[Value, {count}]" if count else "Value"
    return f"def {name}({', '.join(['self', *parameters, 'name: str | None = None'])}) -> {result}:"


def attribute_parameters(record: OpDef) -> list[str]:
    """The op's attributes as parameters with types and defaults."""
    parameters = []
    for key, attr in record.attrs.items():
        default = attr.default.name if isinstance(attr.default, DType) else repr(attr.default)
        parameters.append(f"{key}: {attr.type_text}" + ("" if attr.default is REQUIRED else f" = {default}"))
    return parameters


def body(record: OpDef) -> str:
    """The source line of the call that emits the op's node."""
    emit = "_one" if record.results == ("result",) else "_many"
    return f"return self.{emit}({record.name!r}, {arguments(record)}, name)"


def block_body(record: OpDef) -> str:
    """The source line of the call that emits a block, or past HIR the op of its name."""
    call = f"self._block_or_op({record.name.removeprefix('hir.')!r}, {arguments(record)}, name, out_shape)"
    return f"return {call}[0]" if record.results == ("result",) else f"return {call}"


def arguments(record: OpDef) -> str:
    """The operands and attributes of the emitting call, as source text."""
    operands = [f"*flat({operand.name})" if operand.variadic else operand.name for operand in record.operands]
    attributes = ", ".join(f"{key!r}: {key}" for key in record.attrs)
    return f"({''.join(f'{operand}, ' for operand in operands)}), {{{attributes}}}"


def documentation(record: OpDef) -> str:
    """The docstring of a builder method: the record's text and the meaning of its attributes."""
    helps = [f"{key}: {attr.help}" for key, attr in record.attrs.items() if attr.help]
    return "\n\n".join([record.doc, *(["\n".join(helps)] if helps else [])])


def make_method(owner: str, record: OpDef, name: str, head: str, call: str) -> Any:
    """Compiles the builder method of an op from source text, so that a call costs as much as a handwritten one."""
    text, file = f"{head}\n    {call}\n", os.path.join(FOLDER, f"<{owner}.{name}>")
    scope: dict[str, Any] = {"flat": flat, "__name__": __name__}
    exec(compile(text, file, "exec"), scope)
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file  # for tracebacks and inspect.getsource
    method = scope[name]
    method.__doc__, method.__qualname__ = documentation(record), f"{owner}.{name}"
    return method


class ByRecord(type):
    """A class that makes its missing methods from op records on first use."""

    def __getattr__(cls, name: str) -> Any:
        record = record_of(name)
        if record is None:
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}", name=name, obj=cls)
        method = make_method("OpMethods", record, name, signature(record, name), body(record))
        setattr(OpMethods, name, method)
        return method

    def __dir__(cls) -> list[str]:
        return sorted({*super().__dir__(), *method_names()})


class BlockMethod:
    """A descriptor that makes a block's method on first use."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, module: object, owner: type) -> Any:
        record = OPS[f"hir.{self.name}"]
        method = make_method("BlockMethods", record, self.name, block_signature(record, self.name), block_body(record))
        setattr(BlockMethods, self.name, method)
        return method.__get__(module, owner)


if TYPE_CHECKING:
    from rlx.module.builders.methods import BlockMethods as BlockMethods
    from rlx.module.builders.methods import OpMethods as OpMethods
else:

    class OpMethods(BuilderBase, metaclass=ByRecord):
        """Operands first, then attributes; `name` names the node."""

        def __getattr__(self, name: str) -> Any:
            if record_of(name) is None:
                return super().__getattr__(name)
            return getattr(type(self), name).__get__(self)

    class BlockMethods:
        """A method for each block whose arguments are those of its record: the block at HIR, past it the op of its name."""

    for _name in BLOCKS:
        setattr(BlockMethods, _name, BlockMethod(_name))
