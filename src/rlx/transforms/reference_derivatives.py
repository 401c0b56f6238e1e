"""`vjp` by references and by integers, gradients that are added to references, and `vmap` over references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlx.core.errors import RlxError
from rlx.trace.references import Ref
from rlx.trace.tree import leaves_of, map_leaves

__all__ = [
    "BoundPullback",
    "DidntWant",
    "DontWant",
    "FunctionPullback",
    "GradRef",
    "GradValue",
    "TakesReferences",
    "vjp_of_arguments",
    "vmapped_with_references",
    "without_derivative",
]


class _Word:
    """A word of a pullback's arguments or results."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))


class GradValue(_Word):
    """For an argument of `with_refs`: its gradient is returned.

    >>> import rlx
    >>> _, pullback = rlx.vjp(lambda x: x * x, 3.0)
    >>> pullback.with_refs(rlx.ad.GradValue())(1.0)[0].item()
    6.0
    """


class DontWant(_Word):
    """For an argument of `with_refs`: its gradient is not computed for the caller, who gets `DidntWant()`."""


class DidntWant(_Word):
    """In the place of a gradient that was not wanted."""


class GradRef(_Word):
    """In the place of a gradient that was added to a reference."""


class TakesReferences:
    """A pullback whose gradients can be added to references."""

    def with_refs(self, *targets: Any) -> BoundPullback:
        """The pullback with a place for each argument's gradient: a `Ref` it is added to, `GradValue()` or `DontWant()`."""
        return BoundPullback(self, targets)  # type: ignore[arg-type]


class BoundPullback:
    """A pullback with a place for each gradient."""

    def __init__(self, pullback: Callable[[Any], tuple[Any, ...]], targets: Sequence[Any]) -> None:
        for target in leaves_of(tuple(targets)):
            if not isinstance(target, (Ref, GradValue, DontWant)):
                fix = "a Ref, rlx.ad.GradValue() or rlx.ad.DontWant()"
                raise RlxError("RLX602", f"with_refs with {target!r:.60}", fix=fix)
        self._pullback, self._targets = pullback, tuple(targets)

    def __call__(self, cotangents: Any) -> tuple[Any, ...]:
        """One entry for each argument: its gradient, or what became of it."""
        pull = self._pullback
        gradients = pull.gradients(cotangents) if isinstance(pull, _ByReference) else pull(cotangents)
        if len(gradients) != len(self._targets):
            message = f"with_refs of {len(self._targets)} entries for {len(gradients)} arguments"
            raise RlxError("RLX602", message, fix="one for each argument")
        return tuple(_delivered(target, one) for target, one in zip(self._targets, gradients, strict=True))


def _delivered(target: Any, gradient: Any) -> Any:
    if isinstance(target, Ref):
        target.write(target.read() + gradient)
        return GradRef()
    if isinstance(target, DontWant):
        return DidntWant()
    return gradient


class FunctionPullback(TakesReferences):
    """A pullback inside a trace."""

    def __init__(self, function: Callable[[Any], tuple[Any, ...]]) -> None:
        self._function = function

    def __call__(self, cotangents: Any) -> tuple[Any, ...]:
        """One gradient for each argument."""
        return self._function(cotangents)


# -- arguments that are references or integers ----------------------------------------------------------------------
def without_derivative(primals: Sequence[Any]) -> list[int]:
    """The numbers of arguments that are references, or hold nothing but integers and bools."""
    return [number for number, primal in enumerate(primals) if isinstance(primal, Ref) or _is_whole(primal)]


def _is_whole(primal: Any) -> bool:
    leaves = leaves_of(primal)
    return bool(leaves) and all(_kind(leaf) in "biu" for leaf in leaves)


def _kind(leaf: Any) -> str:
    if isinstance(leaf, (bool, int)):
        return "i"
    dtype = getattr(leaf, "dtype", None)
    if isinstance(dtype, np.dtype):
        return dtype.kind
    return "i" if getattr(dtype, "is_integer", False) or getattr(dtype, "is_bool", False) else "f"


class _ByReference(TakesReferences):
    """The pullback of a function of references and integers among others."""

    def __init__(
        self, pullback: Callable[[Any], tuple[Any, ...]], primals: Sequence[Any], moving: Sequence[int]
    ) -> None:
        self._pullback, self._primals, self._moving = pullback, primals, moving

    def gradients(self, cotangents: Any) -> tuple[Any, ...]:
        """One for each argument; of integers zeros without bytes, as in JAX."""
        found = iter(self._pullback(cotangents))
        return tuple(
            next(found) if number in self._moving else map_leaves(_no_gradient, primal)
            for number, primal in enumerate(self._primals)
        )

    def __call__(self, cotangents: Any) -> tuple[Any, ...]:
        """One gradient for each argument, which must not be a reference."""
        if any(isinstance(primal, Ref) for primal in self._primals):
            message = "the gradient by a reference must be accumulated into a reference"
            raise RlxError("RLX602", message, fix="pullback.with_refs(ref, …)(cotangents)")
        return self.gradients(cotangents)


def _no_gradient(leaf: Any) -> Any:
    return np.zeros(np.shape(leaf) if isinstance(leaf, (bool, int)) else leaf.shape, [("float0", "V")])


def vjp_of_arguments(
    vjp: Callable[..., tuple[Any, ...]], function: Callable[..., Any], primals: Sequence[Any], has_aux: bool
) -> tuple[Any, ...]:
    """`vjp` where arguments are references, whose gradient is that by their value at the start, or integers, which have none."""
    still = [number for number in without_derivative(primals) if not isinstance(primals[number], Ref)]
    moving = [number for number in range(len(primals)) if number not in still]

    def of_values(*values: Any) -> tuple[Any, Any]:
        args = list(primals)
        for number, value in zip(moving, values, strict=True):
            args[number] = Ref(value) if isinstance(primals[number], Ref) else value
        found = function(*args)
        out, aux = found if has_aux else (found, None)
        return out, (aux, [args[number].read() for number in moving if isinstance(primals[number], Ref)])

    start = [primals[number].read() if isinstance(primals[number], Ref) else primals[number] for number in moving]
    value, pullback, (aux, last) = vjp(of_values, *start, has_aux=True)
    for ref, after in zip((p for p in primals if isinstance(p, Ref)), last, strict=True):
        ref.write(after)
    wrapped = _ByReference(pullback, primals, moving)
    return (value, wrapped, aux) if has_aux else (value, wrapped)


# -- vmap -----------------------------------------------------------------------------------------------------------
def vmapped_with_references(
    vmap: Callable[..., Callable[..., Any]],
    function: Callable[..., Any],
    in_axes: Any,
    out_axes: Any,
    args: Any,
    axis_name: Any,
) -> Any:
    """`vmap` where positional arguments are references: each example reads and writes its own part of them."""
    axes = list(in_axes) if isinstance(in_axes, (tuple, list)) else [in_axes] * len(args)
    numbers = [number for number, arg in enumerate(args) if isinstance(arg, Ref)]
    if any(axes[number] is None for number in numbers):
        raise RlxError("RLX612", "a reference is shared by all examples", fix="in_axes that names an axis of it")

    def example(*values: Any) -> tuple[Any, list[Any]]:
        inside = [Ref(value) if number in numbers else value for number, value in enumerate(values)]
        return function(*inside), [inside[number].read() for number in numbers]

    places = [axes[number] for number in numbers]
    run = vmap(example, in_axes=tuple(axes), out_axes=(out_axes, places), axis_name=axis_name)
    found, last = run(*(arg.read() if isinstance(arg, Ref) else arg for arg in args))
    for number, value in zip(numbers, last, strict=True):
        args[number].write(value)
    return found
