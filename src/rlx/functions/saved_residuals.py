"""What a gradient keeps between the way forward and the way back, listed and printed as `jax.ad_checkpoint` does."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from rlx.core.argument_checks import check_function
from rlx.core.dtype import DType
from rlx.core.shape_struct import ShapeDtypeStruct
from rlx.functions.checkpoint import Halved
from rlx.ir.graph import Graph, Node
from rlx.transforms import traced_derivatives as functions


def saved_residuals(function: Callable[..., Any], *args: Any, **kwargs: Any) -> list[tuple[ShapeDtypeStruct, str]]:
    """What a gradient of a function keeps on the way forward: shape and dtype of each array, and where it comes from.

    >>> import numpy as np, rlx
    >>> from rlx.ad_checkpoint import saved_residuals
    >>> saved_residuals(lambda x: (x * x).sum(), np.float32([1, 2]))
    [(ShapeDtypeStruct(shape=(2,), dtype=float32), 'from the argument x')]
    """
    check_function(function, "saved_residuals")
    on_one = functools.partial(functions.vjp_joint, lambda given: function(*given[0], **given[1]))
    halved = Halved(on_one, "cpu", None, {})
    halved((args, kwargs))
    entry: Any = halved.latest
    known: Graph = entry.halves.known
    names = _names(function)
    found = []
    for source in entry.halves.leaves.values():
        ref = known.inputs[source].ref if source in known.inputs else known.leaf("param", source)
        assert ref is not None
        shape = known.shape(ref)
        found.append((ShapeDtypeStruct(shape.dims, shape.dtype), f"from {_argument(entry.paths.get(source, source), names)}"))
    for name, ref in known.output_refs.items():
        if name.startswith("residual."):
            shape = known.shape(ref)
            found.append((ShapeDtypeStruct(shape.dims, shape.dtype), _origin(known.node(ref))))
    return found


def print_saved_residuals(function: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Print what a gradient of a function keeps on the way forward, a line for each array.

    >>> import numpy as np
    >>> from rlx.ad_checkpoint import print_saved_residuals
    >>> print_saved_residuals(lambda x: (x * x).sum(), np.float32([1, 2]))
    f32[2] from the argument x
    """
    for struct, text in saved_residuals(function, *args, **kwargs):
        print(f"{DType.of(struct.dtype)}[{','.join(map(str, struct.shape))}] {text}")


def _names(function: Callable[..., Any]) -> list[str]:
    """The names of a function's positional parameters, as far as they are known."""
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def _argument(path: str, names: list[str]) -> str:
    """An input by the name of its parameter: `0.0.0.1.w` is the entry w of the second one, `0.0.1.b` the keyword argument b."""
    if not path.startswith("0.0."):
        return "a constant"
    kind, first, *inside = path.removeprefix("0.0.").split(".")
    name = names[int(first)] if kind == "0" and int(first) < len(names) else first
    return f"the argument {name}" + "".join(f"[{part}]" for part in inside)


def _origin(node: Node) -> str:
    return f"output of {node.op.name}" + (f" from {node.origin.location}" if node.origin.location else "")
