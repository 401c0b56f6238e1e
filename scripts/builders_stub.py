"""Writes src/rlx/module/builders/methods.pyi, what type checkers read of the methods that are made from records.

`python scripts/builders_stub.py`. The build of a wheel and of an editable install (scripts/build_hook.py) and mypy in this tree
(scripts/mypy_plugin.py) do so too, and git ignores the file.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import sys
import textwrap
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src"
TARGET = SOURCE / "rlx" / "module" / "builders" / "methods.pyi"
STANDARD = {
    "Any": "typing",
    "ArrayLike": "numpy.typing",
    "Callable": "collections.abc",
    "Sequence": "collections.abc",
}  # where the names in annotations come from that RLX does not define


def home(name: str) -> str:
    """The module that defines a name of an annotation."""
    defined = re.compile(rf"^(?:class )?{name}\b(?:\(|:| =)", re.MULTILINE)
    for module in [each for key, each in sys.modules.items() if key.startswith("rlx.") and inspect.ismodule(each)]:
        if hasattr(module, name) and defined.search(inspect.getsource(module)):
            return module.__name__
    raise LookupError(f"no module of rlx defines {name}, which a builder's annotation names")


def hir_signature(block: str) -> str:
    """The first line of a method of HirModule: the original's words, with the types of the record."""
    from rlx.compat.hir import words_of
    from rlx.ir.op import OPS

    record, (operands, attributes) = OPS[f"hir.{block}"], words_of(block)
    types = ["Value | None" if operand.optional else "Value" for operand in record.operands[: len(operands)]]
    types += [record.attrs[word.rstrip("?")].type_text for word in attributes]
    words = [*zip([*operands, *attributes], types, strict=True), ("out_shape?", "ShapeLike")]
    parameters: list[str] = []
    for word, kind in reversed(words):  # a default must not stand before an argument without one
        absent = " | None" if word[-1] == "?" and not kind.endswith("None") else ""
        default = " = None" if word[-1] == "?" and all(" = " in each for each in parameters) else ""
        parameters.insert(0, f"{word.rstrip('?')}: {kind}{absent}{default}")
    result = "HirNodeId" if len(record.results) == 1 else f"tuple[{', '.join(['HirNodeId'] * len(record.results))}]"
    return f"def {block}(self, {', '.join(parameters)}, *, name: str | None = None) -> {result}:"


def method(first_line: str, documentation: str) -> str:
    """A method without its body."""
    return textwrap.indent(f'{first_line}\n    """{documentation}"""\n', "    ")


def stub() -> str:
    """The text of the file."""
    from rlx.compat.hir import ARGUMENTS, HirModule
    from rlx.ir.op import OPS
    from rlx.module.builders.by_record import BLOCKS, OpMethods, block_signature, documentation, method_names, record_of, signature
    from rlx.module.graph import Builders

    by_hand = {name for owner in Builders.__mro__ if owner is not OpMethods for name in vars(owner)}
    records = {name: record for name in method_names() if (record := record_of(name)) is not None and name not in by_hand}
    blocks = {name: OPS[f"hir.{name}"] for name in BLOCKS}
    classes = {
        "OpMethods(BuilderBase)": [method(signature(record, name), documentation(record)) for name, record in records.items()],
        "BlockMethods": [method(block_signature(record, name), documentation(record)) for name, record in blocks.items()],
        "HirMethods": [method(hir_signature(block), getattr(HirModule, block).__doc__) for block in ARGUMENTS],
    }
    text = "\n".join(line for name, methods in classes.items() for line in (f"class {name}:", *methods))
    names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)} - vars(builtins).keys()
    imports = [f"from {STANDARD.get(name) or home(name)} import {name}" for name in sorted(names)]
    return "\n".join([*imports, "", text])


def write_stub() -> None:
    """Writes the file where it is not current."""
    sys.path.insert(0, str(SOURCE))
    try:
        text = stub()
    finally:
        sys.path.remove(str(SOURCE))
    if not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text:
        TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_stub()
