"""Public names are written out for type checkers, and what they return has a type."""

from __future__ import annotations

import ast
import inspect
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rlx

SOURCE = Path(rlx.__file__).parent
PACKAGES = ("autodiff", "generate", "models", "quant", "train", "tree", "tree_util")
UNTYPED = ("Any", "Callable[..., Any]", "tuple[Any, Any]")


def returned(what: Any) -> str:
    return str(getattr(what, "__annotations__", {}).get("return"))


def functions(name: str, thing: Any) -> Iterator[tuple[str, Any]]:
    """Functions of a public name: itself, those of a module's `__all__`, the public methods and properties of a class."""
    if inspect.ismodule(thing):
        for inner in thing.__all__:
            yield from functions(f"{name}.{inner}", getattr(thing, inner))
    elif inspect.isclass(thing):
        for owner in thing.__mro__:
            for inner, member in vars(owner).items() if owner.__module__.startswith("rlx.") else ():
                member = getattr(member, "fget", None) or getattr(member, "func", None) or member
                member = getattr(member, "__func__", member)
                if inspect.isfunction(member) and (not inner.startswith("_") or inner == "__call__"):
                    yield f"{name}.{inner}", member
    elif inspect.isfunction(thing):
        yield name, thing


def test_no_public_function_returns_plain_any() -> None:
    untyped = {
        f"{name} -> {returned(function)}"
        for public in rlx.__all__
        for name, function in functions(public, getattr(rlx, public))
        if returned(function) in UNTYPED and not typing.get_overloads(function)
        if function.__name__ != "_call"  # the overloads of these stand in `Transformed`
    }
    assert untyped == set()


def test_names_for_checkers_are_those_that_load() -> None:
    tree = ast.parse((SOURCE / "__init__.py").read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    imported = {alias.asname or alias.name for node in block.body for alias in node.names}  # type: ignore[attr-defined]
    assert imported == set(rlx.__all__) == set(rlx._PUBLIC)


@pytest.mark.parametrize("name", ["", *PACKAGES])
def test_all_is_written_out(name: str) -> None:
    path = SOURCE / name / "__init__.py" if (SOURCE / name).is_dir() else SOURCE / f"{name}.py"
    assigned = [
        node.value
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    ]
    (names,) = map(ast.literal_eval, assigned)
    module = getattr(rlx, name) if name else rlx
    assert all(hasattr(module, public) for public in names)
