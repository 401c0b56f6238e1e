"""Derivatives of functions as users call them: emitted in place inside a trace, compiled when called on arrays."""

from __future__ import annotations

import functools
import inspect
import operator
import weakref
from collections.abc import Callable, Mapping, Sequence
from types import MethodType
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, TypeVar, overload

import numpy.typing as npt

from rlx.core.errors import RlxError, check_function
from rlx.functions.checkpoint import Halved, Pullback, Pushforward
from rlx.functions.jit import Jitted
from rlx.functions.jit_versions import Transformed
from rlx.functions.transforms import compiled_on_arrays
from rlx.ir.array_methods import Array
from rlx.ir.value import Value
from rlx.runtime.array import as_arrays
from rlx.runtime.tracebacks import hiding_own_frames
from rlx.trace.references import Ref
from rlx.trace.tracer import is_traced
from rlx.trace.tree import map_leaves
from rlx.transforms import custom
from rlx.transforms import traced_derivatives as functions
from rlx.transforms.reference_derivatives import FunctionPullback, vjp_of_references

P = ParamSpec("P")
A = TypeVar("A")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
T = TypeVar("T")
Rule = TypeVar("Rule", bound=Callable[..., Any])
Values = Callable[..., Value]


@overload
def grad(  # type: ignore[overload-overlap]
    function: Transformed[Concatenate[T, P], Any],
    argnums: Literal[0] = 0,
    has_aux: Literal[False] = False,
    holomorphic: bool = False,
) -> Transformed[Concatenate[T, P], T]: ...
@overload
def grad(
    function: Callable[Concatenate[Value, P], Any],
    argnums: Literal[0] = 0,
    has_aux: Literal[False] = False,
    holomorphic: bool = False,
) -> Transformed[Concatenate[Value, P], Value]: ...
@overload
def grad(
    function: Callable[Concatenate[T, P], Any], argnums: Literal[0] = 0, has_aux: Literal[False] = False, holomorphic: bool = False
) -> Transformed[Concatenate[T, P], T]: ...
@overload
def grad(
    function: Callable[Concatenate[T, P], tuple[Any, A]],
    argnums: Literal[0] = 0,
    *,
    has_aux: Literal[True],
    holomorphic: bool = False,
) -> Transformed[Concatenate[T, P], tuple[T, A]]: ...
@overload
def grad(
    function: Callable[..., Any], argnums: Sequence[int], has_aux: Literal[False] = False, holomorphic: bool = False
) -> Transformed[..., tuple[Any, ...]]: ...
@overload
def grad(
    function: Callable[..., Any], argnums: int | Sequence[int], has_aux: bool = False, holomorphic: bool = False
) -> Transformed[..., Any]: ...
def grad(
    function: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False
) -> Transformed[..., Any]:
    """A function that gives the gradient of a scalar function, as `jax.grad`.

    Gradients have the containers of the arguments `argnums` names. With `has_aux` the function returns (loss, aux) and the gradient
    comes as (gradient, aux). Works inside `rlx.jit` and other transforms, and nests. By a complex argument it is dL/dRe - i·dL/dIm, as
    in JAX: descend along its conjugate. With `holomorphic` the function maps complex numbers to a complex scalar, and f'(z) comes.

    >>> import numpy as np, rlx
    >>> rlx.grad(lambda x: (x * x).sum())(np.float32([1, 2]))
    Array([2., 4.], dtype=float32)
    """
    check_function(function, "grad")
    return compiled_on_arrays(functions.grad_values(function, argnums, has_aux, holomorphic))


@overload
def value_and_grad(  # type: ignore[overload-overlap]
    function: Transformed[Concatenate[T, P], R], argnums: Literal[0] = 0, has_aux: bool = False, holomorphic: bool = False
) -> Transformed[Concatenate[T, P], tuple[R, T]]: ...
@overload
def value_and_grad(  # type: ignore[overload-overlap]
    function: Callable[Concatenate[Value, P], R], argnums: Literal[0] = 0, has_aux: bool = False, holomorphic: bool = False
) -> Transformed[Concatenate[Value, P], tuple[R, Value]]: ...
@overload
def value_and_grad(  # type: ignore[overload-overlap]
    function: Callable[Concatenate[T, P], R], argnums: Literal[0] = 0, has_aux: bool = False, holomorphic: bool = False
) -> Transformed[Concatenate[T, P], tuple[R, T]]: ...
@overload
def value_and_grad(
    function: Callable[..., Any], argnums: int | Sequence[int], has_aux: bool = False, holomorphic: bool = False
) -> Transformed[..., Any]: ...
def value_and_grad(
    function: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False
) -> Transformed[..., Any]:
    """As `grad`, together with what the function returns: (value, gradient).

    >>> import numpy as np, rlx
    >>> rlx.value_and_grad(lambda x: (x * x).sum())(np.float32([1, 2]))
    (Array(5., dtype=float32), Array([2., 4.], dtype=float32))
    """
    check_function(function, "value_and_grad")
    return compiled_on_arrays(functions.value_and_grad_values(function, argnums, has_aux, holomorphic))


_COMPILED: weakref.WeakKeyDictionary[Any, dict[Any, Jitted[..., Any]]] = weakref.WeakKeyDictionary()


def _compile_once(
    function: Any, kind: str, emitted: Callable[..., Any], make: type[Jitted[..., Any]] = Jitted
) -> Callable[..., Any]:
    """Caches the compiled form of `emitted(function, …)`, made once for each function and dropped with it.

    The cached form has only a weak reference to the function, or it would keep its own key alive. What has no weak references or no hash
    is compiled for this one call.
    """
    owner, key = (function.__self__, (kind, function.__func__)) if isinstance(function, MethodType) else (function, (kind, None))
    try:
        known = _COMPILED.setdefault(owner, {})
    except TypeError:
        return make(lambda *args: emitted(function, *args), "cpu", None, {}, branches=True)
    if key not in known:
        reference = weakref.WeakMethod(function) if isinstance(function, MethodType) else weakref.ref(function)
        known[key] = make(lambda *args: emitted(reference(), *args), "cpu", None, {}, branches=True)
    return known[key]


@overload
def vjp(function: Values, *primals: Value) -> tuple[Value, Callable[[Value], tuple[Value, ...]]]: ...
@overload
def vjp(function: Values, *primals: npt.ArrayLike) -> tuple[Array, Callable[[npt.ArrayLike], tuple[Array, ...]]]: ...
@overload
def vjp(
    function: Callable[..., tuple[Any, A]], *primals: Any, has_aux: Literal[True]
) -> tuple[Any, Callable[[Any], tuple[Any, ...]], A]: ...
@overload
def vjp(function: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]: ...
@hiding_own_frames
def vjp(function: Callable[..., Any], *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """The value of a function and its pullback: cotangents of the value to a tuple of gradients, one for each argument, as `jax.vjp`.

    On arrays the function runs once; the pullback keeps its residuals (`pullback.residuals`: the values that the way back reads, as
    they are now) and runs the backward half alone, as often as it is called. With `has_aux` the function returns (value, aux) and
    the result is (value, pullback, aux).

    >>> import numpy as np, rlx
    >>> value, pullback = rlx.vjp(lambda x: x * x, np.float32([1, 2]))
    >>> value, pullback(np.float32([1, 10]))
    (Array([1., 4.], dtype=float32), (Array([ 2., 40.], dtype=float32),))
    """
    check_function(function, "vjp")
    if any(isinstance(primal, Ref) for primal in primals):
        return vjp_of_references(vjp, function, primals, has_aux)
    if is_traced(function, primals):
        value, pullback, *rest = functions.vjp_values(function, *primals, has_aux=has_aux)
        return value, FunctionPullback(pullback), *rest
    if has_aux:
        joint = functools.partial(functions.vjp_joint, has_aux=True)
        (value, aux), point = _compile_once(function, "vjp with aux", joint, Halved)(*primals)
        return value, Pullback(*point), aux
    value, point = _compile_once(function, "vjp", functions.vjp_joint, Halved)(*primals)
    return value, Pullback(*point)


@overload
def jvp(function: Values, primals: Sequence[Value], tangents: Sequence[Any]) -> tuple[Value, Value]: ...
@overload
def jvp(function: Values, primals: Sequence[npt.ArrayLike], tangents: Sequence[Any]) -> tuple[Array, Array]: ...
@overload
def jvp(function: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]: ...
@hiding_own_frames
def jvp(function: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    """The value of a function and its derivative in a direction, as `jax.jvp`.

    >>> import numpy as np, rlx
    >>> rlx.jvp(lambda x: x * x, (np.float32([1, 2]),), (np.float32([1, 1]),))
    (Array([1., 4.], dtype=float32), Array([2., 4.], dtype=float32))
    """
    check_function(function, "jvp")
    if not isinstance(primals, (list, tuple)) or not isinstance(tangents, (list, tuple)) or len(primals) != len(tangents):
        raise RlxError("RLX105", "jvp takes a tuple of primals and one of as many tangents", fix="jvp(f, (x,), (dx,))")
    if is_traced(function, (primals, tangents)):
        return functions.jvp_values(function, primals, tangents)
    return _compile_once(function, "jvp", functions.jvp_values)(tuple(primals), tuple(tangents))


@overload
def linearize(function: Values, *primals: Value) -> tuple[Value, Callable[..., Value]]: ...
@overload
def linearize(function: Values, *primals: npt.ArrayLike) -> tuple[Array, Callable[..., Array]]: ...
@overload
def linearize(function: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]: ...
@hiding_own_frames
def linearize(function: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """The value of a function at a point, and the linear function of tangents there.

    On arrays the function runs once; the linear function keeps its residuals and runs the linear half alone, as often as it is called.

    >>> import numpy as np, rlx
    >>> value, slope = rlx.linearize(lambda x: x * x, np.float32([1, 2]))
    >>> slope(np.float32([1, 1])), slope(np.float32([0, 3]))
    (Array([2., 4.], dtype=float32), Array([ 0., 12.], dtype=float32))
    """
    check_function(function, "linearize")
    if is_traced(function, primals):
        return functions.linearize_values(function, *primals)
    value, point = _compile_once(function, "linearize", functions.linearize_joint, Halved)(*primals)
    return value, Pushforward(*point)


def _by_position(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[Any, ...]:
    """Binds arguments as derivative rules get them: all by position, defaults filled in."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        signature = None
    if signature is None:
        if kwargs:
            raise RlxError(
                "RLX105", f"{', '.join(kwargs)} of a custom function without a signature", fix="pass arguments by position"
            )
        return args
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    if bound.kwargs:
        name = getattr(function, "__name__", "the function")
        message = f"{', '.join(bound.kwargs)} of {name} can be passed by name alone, and rules take arguments by position"
        raise RlxError("RLX105", message, fix=f"def {name}(…) without * before it")
    return bound.args


class custom_vjp(Transformed[P, R_co]):
    """A function with a gradient of its own, as `jax.custom_vjp`: `defvjp(fwd, bwd)`.

    `fwd(*args)` returns (output, residuals); `bwd(residuals, cotangents)` a tuple with one gradient (or None) for each argument.
    Arguments that `nondiff_argnums` names are handed to `bwd` first, and have no gradient. Rules may call the function they belong to.
    Complex cotangents and gradients are as in JAX: a holomorphic f multiplies by f'(z). Where it is differentiated its value is the
    output of `fwd`, and a derivative of that derivative goes through `fwd`'s own code.

    >>> import numpy as np, rlx
    >>> @rlx.custom_vjp
    ... def clipped(x):
    ...     return x * 1
    >>> clipped.defvjp(lambda x: (x * 1, None), lambda _, g: (g.max() * 0 + 7,))
    >>> rlx.grad(lambda x: clipped(x).sum())(np.float32(2))
    Array(7., dtype=float32)
    """

    def __init__(self, function: Callable[P, R_co], nondiff_argnums: Sequence[int] = ()) -> None:
        functools.update_wrapper(self, function)
        self._function, self._static = function, tuple(nondiff_argnums)
        self._rules: tuple[Callable[..., Any], Callable[..., Any]] | None = None

    def defvjp(self, fwd: Callable[..., Any], bwd: Callable[..., Any]) -> None:
        """Sets the functions that compute the gradient."""
        self._rules = fwd, bwd

    @hiding_own_frames
    def _call(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the value; inside a transform, with the custom gradient."""
        args = _by_position(self._function, args, kwargs)
        if self._rules is None:
            raise RlxError("RLX601", f"{self.__name__} has no rule yet", fix=f"{self.__name__}.defvjp(fwd, bwd)")  # type: ignore[attr-defined]
        if not is_traced(self._function, args):
            return self._function(*as_arrays(args))  # type: ignore[call-arg]
        return custom.custom_vjp_values(self._function, *self._rules, self._static, args)

    if not TYPE_CHECKING:  # they read the overloads of `Transformed`
        __call__ = _call


class custom_jvp(Transformed[P, R_co]):
    """A function with a tangent of its own, as `jax.custom_jvp`: `defjvp(rule)`.

    `rule(primals, tangents)` returns (output, tangent), both tuples having one entry for each argument; reverse mode transposes it.
    A rule may call the function it belongs to. Where the function is differentiated its value is the rule's output.

    >>> import numpy as np, rlx
    >>> @rlx.custom_jvp
    ... def square(x):
    ...     return x * x
    >>> @square.defjvp
    ... def square_jvp(primals, tangents):
    ...     return square(*primals), 3 * tangents[0]
    >>> rlx.grad(lambda x: square(x).sum())(np.float32([1, 2]))
    Array([3., 3.], dtype=float32)
    """

    def __init__(self, function: Callable[P, R_co], nondiff_argnums: Sequence[int] = ()) -> None:
        functools.update_wrapper(self, function)
        self._function, self._static = function, tuple(nondiff_argnums)
        self._rule: Callable[..., Any] | None = None

    def defjvp(self, rule: Rule) -> Rule:
        """Sets the rule that computes the tangent; returns it, so that this can be used as a decorator."""
        self._rule = rule
        return rule

    def defjvps(self, *rules: Callable[..., Any] | None) -> None:
        """Sets one tangent rule for each argument: `rule(tangent, value, *args)`; None for one that does not contribute."""

        def rule(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
            if len(rules) != len(primals):
                raise RlxError(
                    "RLX101", f"{len(rules)} rules of defjvps for {len(primals)} arguments", fix="one, or None, for each"
                )
            value = self._call(*primals)
            parts = [one(tangent, value, *primals) for one, tangent in zip(rules, tangents, strict=True) if one is not None]
            return value, functools.reduce(operator.add, parts) if parts else map_leaves(lambda leaf: leaf * 0, value)

        self._rule = rule

    @hiding_own_frames
    def _call(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the value; inside a transform, with the custom tangent."""
        args = _by_position(self._function, args, kwargs)
        if self._rule is None:
            raise RlxError("RLX601", f"{self.__name__} has no rule yet", fix=f"{self.__name__}.defjvp(rule)")  # type: ignore[attr-defined]
        if not is_traced(self._function, args):
            return self._function(*as_arrays(args))  # type: ignore[call-arg]
        return custom.custom_jvp_values(self._function, self._rule, self._static, args)

    if not TYPE_CHECKING:  # they read the overloads of `Transformed`
        __call__ = _call
