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


def stub() -> str:
    """The text of the file."""
    from rlx.module.builders.by_record import OpMethods, documentation, method_names, record_of, signature
    from rlx.module.graph import Builders

    by_hand = {name for owner in Builders.__mro__ if owner is not OpMethods for name in vars(owner)}
    methods = []
    for name in method_names():
        record = record_of(name)
        if record is not None and name not in by_hand:
            text = textwrap.indent(f'{signature(record, name)}\n    """{documentation(record)}"""\n', "    ")
            methods.append(text)
    names = {node.id for node in ast.walk(ast.parse("class _:\n" + "".join(methods))) if isinstance(node, ast.Name)}
    names -= {*vars(builtins), "Value"}
    imports = [f"from {STANDARD.get(name) or home(name)} import {name}" for name in sorted(names)]
    head = ["from rlx.ir.value import Value", "from rlx.module.emitter import BuilderBase", *imports]
    return "\n".join([*head, "", "class OpMethods(BuilderBase):", *methods])


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
