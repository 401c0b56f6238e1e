"""Public names are written out for type checkers, and what they return has a type."""

from __future__ import annotations

import ast
import importlib
import inspect
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import pytest

import rlx

SOURCE = Path(rlx.__file__).parent
PACKAGES = ("autodiff", "compat", "generate", "graphs", "models", "quant", "train")
UNTYPED = ("Any", "Callable[..., Any]", "tuple[Any, Any]")


def returned(what: Any) -> str:
    return str(getattr(what, "__annotations__", {}).get("return"))


def functions(name: str, thing: Any) -> Iterator[tuple[str, Any]]:
    """Functions of a public name: itself, those of a module's `__all__`, the public methods and properties of a class."""
    if inspect.ismodule(thing):
        for inner in getattr(thing, "__all__", [inner for inner in vars(thing) if not inner.startswith("_")]):
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
        for public in rlx._PUBLIC
        for name, function in functions(public, getattr(rlx, public))
        if returned(function) in UNTYPED and not typing.get_overloads(function)
        if function.__name__ != "_call"  # the overloads of these stand in `Transformed`
    }
    assert untyped == set()


def test_names_for_checkers_are_those_that_load() -> None:
    tree = ast.parse((SOURCE / "__init__.pyi").read_text())
    imported = {alias.asname for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert set(rlx.__all__) < imported == set(rlx._PUBLIC)
    assert {name for name in rlx._PUBLIC if not hasattr(rlx, name)} == set()


def test_names_that_all_leaves_out_are_jax_s() -> None:
    """`docs/decisions/0028-public-names.md`: they are there for programs that come from JAX, under the path that JAX has them at."""
    others = rlx._PUBLIC.keys() - set(rlx.__all__)
    for name in others:
        assert hasattr(jax, name) or importlib.import_module(f"jax.{name}"), name


MOVED = {
    "rlx.compat": """Activation AutoMixedPrecision BinaryOp CastConfig CompareOp FusionPolicy GraphStage HirModule HirNode HirNodeId HirOp
        LirModule LowerError MaskKind MirModule MultiOutputHandle OpKind ReduceOp""",
    "rlx.graphs": "lower parse sym unregister_op verify",
    "rlx.lax": "associative_scan cond fori_loop map scan stop_gradient switch while_loop",
}


@pytest.mark.parametrize("home", MOVED)
def test_a_name_that_moved_is_an_error_that_says_where(home: str) -> None:
    for name in MOVED[home].split():
        with pytest.raises(AttributeError, match=f"no attribute '{name}'; use {home}.{name}$"):
            getattr(rlx, name)
        assert getattr(importlib.import_module(home), name)


@pytest.mark.parametrize("name", PACKAGES)
def test_all_is_written_out(name: str) -> None:
    path = SOURCE / name / "__init__.py" if (SOURCE / name).is_dir() else SOURCE / f"{name}.py"
    assigned = [
        node.value
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    ]
    (names,) = map(ast.literal_eval, assigned)
    assert all(hasattr(getattr(rlx, name), public) for public in names)
