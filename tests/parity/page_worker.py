"""Runs the cells of one page in order with one library and writes what each assigned, returned and printed.

python -m tests.parity.page_worker PAGE jax|rlx OUT.pickle [--other-seed]
"""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
import os
import pickle
import re
import signal
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from tests.parity.page_cells import cells_of, with_our_imports

CELL_SECONDS = 120
LARGEST = 2_000_000
"""Elements of the largest array that is written out; of larger ones a part."""


def main(page: str, library: str, out: str, *options: str) -> None:
    os.environ["MPLBACKEND"] = "Agg"
    warnings.simplefilter("ignore")
    if library == "jax":
        import jax

        if "--other-seed" in options:
            _change_seeds(jax)
    np.random.seed(0)
    runner = Runner(library, page)
    with open(out, "wb") as file:
        cells = [runner.run(index, text) for index, text in enumerate(cells_of(Path(page)))]
        pickle.dump(cells, file)


def _change_seeds(jax: Any) -> None:
    """Every key of JAX starts from another seed: what differs then depends on random numbers (or on the clock)."""
    for module, name in ((jax.random, "key"), (jax.random, "PRNGKey")):
        original = getattr(module, name)
        setattr(module, name, lambda seed, *args, _made=original, **kwargs: _made(seed + 7919, *args, **kwargs))


class Runner:
    """The namespace of a page, and what each cell did to it."""

    def __init__(self, library: str, page: str) -> None:
        self.library, self.page = library, page
        self.texts: list[str] = []
        self.names: dict[str, Any] = {"__name__": "__main__"}
        main_module = type(sys)("__main__")
        main_module.__dict__.update(self.names)
        self.names = main_module.__dict__
        sys.modules["__main__"] = main_module

    def run(self, index: int, text: str) -> dict[str, Any]:
        found: dict[str, Any] = {"ok": False, "error": "", "values": {}, "last": None, "printed": "", "excepts": False}
        printed = io.StringIO()
        try:
            self.texts.append(text)
            tree = ast.parse(text)
            found["excepts"] = any(isinstance(node, ast.ExceptHandler) for node in ast.walk(tree))
            assigned = assigned_names(tree)
            if self.library == "rlx":
                tree = with_our_imports(tree)
            name = f"<{Path(self.page).name} cell {index}>"
            linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            signal.signal(signal.SIGALRM, _too_long)
            signal.alarm(CELL_SECONDS)
            with contextlib.redirect_stdout(printed):
                exec(compile(tree, name, "exec"), self.names)
                if isinstance(last, ast.Expr):
                    value = eval(compile(ast.Expression(last.value), name, "eval"), self.names)
                    found["last"] = describe(value)
                self._wait()
            found["values"] = {name: describe(self.names[name]) for name in assigned if name in self.names}
            found["ok"] = True
        except BaseException as error:
            found["error"] = f"{type(error).__name__}: {error}"
            found["trace"] = traceback.format_exc()[-3000:]
        finally:
            signal.alarm(0)
        found["printed"], found["text"] = printed.getvalue(), text
        found["debug_prints"] = bool(re.search(r"debug\.(print|callback)", "\n".join(self.texts)))
        return found

    def _wait(self) -> None:
        """Until what callbacks print has been printed."""
        if self.library == "jax":
            import jax

            jax.effects_barrier()


def _too_long(*_: Any) -> None:
    raise TimeoutError(f"over {CELL_SECONDS} s")


def assigned_names(tree: ast.Module) -> list[str]:
    """Names that a cell assigns at its top level (also in its loops and branches), functions and classes aside."""
    found: dict[str, None] = {}

    def visit(node: ast.AST) -> None:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Lambda, ast.AsyncFunctionDef)):
            return
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            return
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = None
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(tree)
    return list(found)


def describe(value: Any, depth: int = 0) -> tuple[Any, ...]:
    """A value in words that both libraries share: arrays, Python's own values, containers; of others the name of their class."""
    if depth > 8:
        return ("other", "deep")
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return ("python", value)
    if isinstance(value, np.dtype) or (isinstance(value, type) and issubclass(value, np.generic)):
        return ("python", str(np.dtype(value)))
    if isinstance(value, dict):
        return ("dict", [(describe(key, depth + 1), describe(one, depth + 1)) for key, one in value.items()])
    if isinstance(value, (list, tuple, set, frozenset)):
        kind = type(value).__name__ if type(value) in (list, tuple, set, frozenset) else f"named {type(value).__name__}"
        items = sorted(value, key=str) if isinstance(value, (set, frozenset)) else value
        return ("items", kind, [describe(one, depth + 1) for one in items][:10000])
    if isinstance(value, type) or callable(value):
        return ("callable",)
    array = as_array(value)
    if array is not None:
        return array
    module = type(value).__module__
    if module == "__main__" and hasattr(value, "__dict__"):
        inside = [(describe(key), describe(one, depth + 1)) for key, one in vars(value).items()]
        return ("object", type(value).__name__, inside)
    return ("other", f"{module.split('.')[0]}.{type(value).__name__}")


def as_array(value: Any) -> tuple[Any, ...] | None:
    """("array", dtype, shape, values in NumPy's own types)."""
    if not (hasattr(value, "dtype") and hasattr(value, "shape") and hasattr(value, "__array__")):
        return None
    name = str(value.dtype)
    if name.startswith("key<"):
        return ("array", "key", tuple(value.shape), None)
    try:
        array = np.asarray(value)
    except Exception:
        return ("other", "traced")
    if array.dtype == object:
        return ("other", "object array")
    shape = array.shape
    if array.size > LARGEST:
        array = array.reshape(-1)[:LARGEST]
    if array.dtype.kind not in "?biufc":
        array = array.astype(np.float32) if array.dtype.kind == "V" or "float" in name else array.astype(str)
    return ("array", name, shape, np.array(array))


if __name__ == "__main__":
    main(*sys.argv[1:])
