"""`vjp` by references, gradients that are added to references, and `vmap` over references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from rlx.core.errors import RlxError
from rlx.trace.references import Ref
from rlx.trace.tree import leaves_of


class _Word:
    """Base of the markers in a pullback's arguments or results."""

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
    """Marker for a gradient that was not wanted."""


class GradRef(_Word):
    """Marker for a gradient that was added to a reference."""


class TakesReferences:
    """A pullback whose gradients can be added to references."""

    def with_refs(self, *targets: Any) -> BoundPullback:
        """Returns the pullback with a target for each argument's gradient: a `Ref` it is added to, `GradValue()` or `DontWant()`."""
        return BoundPullback(self, targets)  # type: ignore[arg-type]


class BoundPullback:
    """A pullback with a target for each gradient."""

    def __init__(self, pullback: Callable[[Any], tuple[Any, ...]], targets: Sequence[Any]) -> None:
        for target in leaves_of(tuple(targets)):
            if not isinstance(target, (Ref, GradValue, DontWant)):
                fix = "a Ref, rlx.ad.GradValue() or rlx.ad.DontWant()"
                raise RlxError("RLX602", f"with_refs with {target!r:.60}", fix=fix)
        self._pullback, self._targets = pullback, tuple(targets)

    def __call__(self, cotangents: Any) -> tuple[Any, ...]:
        """Returns one entry for each argument: its gradient, or the marker of what became of it."""
        pull = self._pullback
        gradients = pull.gradients(cotangents) if isinstance(pull, _ByReference) else pull(cotangents)
        if len(gradients) != len(self._targets):
            message = f"with_refs of {len(self._targets)} entries for {len(gradients)} arguments"
            raise RlxError("RLX602", message, fix="one for each argument")
        return tuple(_deliver(target, one) for target, one in zip(self._targets, gradients, strict=True))


def _deliver(target: Any, gradient: Any) -> Any:
    if isinstance(target, Ref):
        target.write(target.read() + gradient)
        return GradRef()
    if isinstance(target, DontWant):
        return DidntWant()
    return gradient


class FunctionPullback(TakesReferences):
    """The pullback of a function inside a trace."""

    def __init__(self, function: Callable[[Any], tuple[Any, ...]]) -> None:
        self._function = function

    def __call__(self, cotangents: Any) -> tuple[Any, ...]:
        """Returns the gradients of all arguments, one for each."""
        return self._function(cotangents)


# -- arguments that are references ----------------------------------------------------------------------------------
class _ByReference(TakesReferences):
    """The pullback of a function some of whose arguments are references."""

    def __init__(self, pullback: Callable[[Any], tuple[Any, ...]]) -> None:
        self._pullback = pullback

    def gradients(self, cotangents: Any) -> tuple[Any, ...]:
        """The gradients, one for each argument."""
        return self._pullback(cotangents)

    def __call__(self, cotangents: Any) -> NoReturn:
        """Raises: a function of references needs gradient targets, by `with_refs`."""
        message = "the gradient by a reference must be accumulated into a reference"
        raise RlxError("RLX602", message, fix="pullback.with_refs(ref, …)(cotangents)")


def vjp_of_references(
    vjp: Callable[..., tuple[Any, ...]], function: Callable[..., Any], primals: Sequence[Any], has_aux: bool
) -> tuple[Any, ...]:
    """`vjp` where arguments are references; their gradient is that by their value at the start."""
    references = [number for number, primal in enumerate(primals) if isinstance(primal, Ref)]

    def of_values(*values: Any) -> tuple[Any, Any]:
        args = [Ref(value) if number in references else value for number, value in enumerate(values)]
        result = function(*args)
        out, aux = result if has_aux else (result, None)
        return out, (aux, [args[number].read() for number in references])

    start = [primal.read() if isinstance(primal, Ref) else primal for primal in primals]
    value, pullback, (aux, last) = vjp(of_values, *start, has_aux=True)
    for number, after in zip(references, last, strict=True):
        primals[number].write(after)
    wrapped = _ByReference(pullback)
    return (value, wrapped, aux) if has_aux else (value, wrapped)


# -- vmap -----------------------------------------------------------------------------------------------------------
def vmapped_with_references(
    vmap: Callable[..., Callable[..., Any]], function: Callable[..., Any], in_axes: Any, out_axes: Any, args: Any, axis_name: Any
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
    result, last = run(*(arg.read() if isinstance(arg, Ref) else arg for arg in args))
    for number, value in zip(numbers, last, strict=True):
        args[number].write(value)
    return result
