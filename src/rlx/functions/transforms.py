"""Transforms of functions as users call them: emitted in place inside a trace, compiled when called on arrays."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar, cast, overload

from rlx.core.dim import Size
from rlx.core.errors import check_function
from rlx.functions.jit import Jitted
from rlx.functions.jit_versions import Transformed
from rlx.ir.value import Value
from rlx.runtime.parameters import ArgumentNumbers
from rlx.runtime.tracebacks import hide_own_frames, hiding_own_frames
from rlx.trace.references import Ref
from rlx.trace.tracer import is_traced
from rlx.transforms.jacobian import jacfwd_values, jacrev_values
from rlx.transforms.reference_derivatives import vmapped_with_references
from rlx.transforms.vmap import vmap_values

P = ParamSpec("P")
R = TypeVar("R")


def compiled_on_arrays(emitted: Callable[P, R], static_argnums: ArgumentNumbers = None) -> Transformed[P, R]:
    """Wraps a function on Values so that it compiles itself through `jit` when called on arrays, outside of any trace."""
    jitted = Jitted(emitted, "cpu", None, {}, static=(static_argnums, None), branches=True)

    @functools.wraps(emitted)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return (emitted if is_traced(emitted, (args, kwargs)) else jitted)(*args, **kwargs)
        except Exception as error:
            hide_own_frames(error)
            raise

    return cast(Transformed[P, R], call)


@overload
def vmap(
    function: Transformed[P, R],
    in_axes: Any = 0,
    out_axes: Any = 0,
    axis_name: str | None = None,
    *,
    axis_size: Size | str | None = None,
) -> Transformed[P, R]: ...
@overload
def vmap(
    function: Callable[P, R],
    in_axes: Any = 0,
    out_axes: Any = 0,
    axis_name: str | None = None,
    *,
    axis_size: Size | str | None = None,
) -> Transformed[P, R]: ...
def vmap(
    function: Callable[..., Any],
    in_axes: Any = 0,
    out_axes: Any = 0,
    axis_name: str | None = None,
    *,
    axis_size: Size | str | None = None,
) -> Transformed[..., Any]:
    """A function of one example applied to many, as `jax.vmap`.

    `in_axes` is where each argument has its batch axis: an axis for all, or containers like the arguments' with an axis or None
    (shared by all examples) for each part; keyword arguments are batched along axis 0. `out_axes` says the same about results. What
    the function closes over is shared. Works inside `rlx.jit` and other transforms, and nests. With `axis_name="i"` the function may
    combine examples: `rlx.lax.psum(x, "i")`, `pmean`, `pmax`, `pmin`, `axis_index`, `all_gather`.

    >>> import numpy as np, rlx
    >>> dot = rlx.vmap(lambda x, y: (x * y).sum(), in_axes=(0, None))
    >>> dot(np.float32([[1, 2], [3, 4]]), np.float32([10, 1]))
    Array([12., 34.], dtype=float32)
    """
    check_function(function, "vmap")
    mapped: Callable[..., Any] = compiled_on_arrays(vmap_values(function, in_axes, out_axes, axis_size, axis_name))

    @hiding_own_frames
    @functools.wraps(function)
    def many(*args: Any, **kwargs: Any) -> Any:
        if any(type(arg) is Ref for arg in args):
            return vmapped_with_references(vmap, function, in_axes, out_axes, args, axis_name)
        return mapped(*args, **kwargs)

    return cast(Transformed[..., Any], many)


@overload
def jacfwd(
    function: Transformed[Concatenate[Value, P], Value] | Callable[Concatenate[Value, P], Value],
    argnums: Literal[0] = 0,
    holomorphic: bool = False,
) -> Transformed[Concatenate[Value, P], Value]: ...
@overload
def jacfwd(function: Callable[..., Any], argnums: int | Sequence[int] = 0, holomorphic: bool = False) -> Transformed[..., Any]: ...
def jacfwd(function: Callable[..., Any], argnums: int | Sequence[int] = 0, holomorphic: bool = False) -> Transformed[..., Any]:
    """The Jacobian of a function, all columns at once (forward mode, for few inputs), as `jax.jacfwd`.

    For each array the function returns, containers like the arguments `argnums` names, with axes of the result, then of the argument.
    The arguments are real, the results may be complex; with `holomorphic` both are complex.

    >>> import numpy as np, rlx
    >>> rlx.jacfwd(lambda x: x * x)(np.float32([1, 2]))
    Array([[2., 0.],
           [0., 4.]], dtype=float32)
    """
    check_function(function, "jacfwd")
    return compiled_on_arrays(jacfwd_values(function, argnums, holomorphic))


@overload
def jacrev(
    function: Transformed[Concatenate[Value, P], Value] | Callable[Concatenate[Value, P], Value],
    argnums: Literal[0] = 0,
    holomorphic: bool = False,
) -> Transformed[Concatenate[Value, P], Value]: ...
@overload
def jacrev(function: Callable[..., Any], argnums: int | Sequence[int] = 0, holomorphic: bool = False) -> Transformed[..., Any]: ...
def jacrev(function: Callable[..., Any], argnums: int | Sequence[int] = 0, holomorphic: bool = False) -> Transformed[..., Any]:
    """The Jacobian of a function, all rows at once (reverse mode, for few outputs), as `jax.jacrev`.

    The results are real, the arguments may be complex (dy/dRe - i·dy/dIm); with `holomorphic` both are complex.

    >>> import numpy as np, rlx
    >>> rlx.jacrev(lambda x: x * x)(np.float32([1, 3]))
    Array([[2., 0.],
           [0., 6.]], dtype=float32)
    """
    check_function(function, "jacrev")
    return compiled_on_arrays(jacrev_values(function, argnums, holomorphic))


def hessian(function: Callable[..., Any], argnums: int | Sequence[int] = 0, holomorphic: bool = False) -> Transformed[..., Any]:
    """The matrix of second derivatives, forward over reverse, as `jax.hessian`: `jacfwd(jacrev(function))`.

    For each array the function returns, containers like the arguments `argnums` names, and in each of these the same once more.

    >>> import numpy as np, rlx
    >>> rlx.hessian(lambda x: (x * x * x).sum())(np.float32([1, 2]))
    Array([[ 6.,  0.],
           [ 0., 12.]], dtype=float32)
    """
    check_function(function, "hessian")
    return compiled_on_arrays(jacfwd_values(jacrev_values(function, argnums, holomorphic), argnums, holomorphic))
