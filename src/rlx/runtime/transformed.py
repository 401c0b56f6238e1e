"""The return type of `jit` and the transforms: a function that can be called on arrays as well as on Values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, ParamSpec, TypeAlias, TypeVar, overload

from rlx.ir.array_methods import Array
from rlx.ir.value import Value

P = ParamSpec("P")
R = TypeVar("R", covariant=True)
ValueTree: TypeAlias = "Value | int | float | Sequence[ValueTree] | Mapping[Any, ValueTree] | None"
"""Values and plain numbers in containers; an Array among them is none of these."""


class Transformed(Generic[P, R]):
    """A function for type checkers: it keeps its annotated signature.

    Where the annotations say Value it can be called on arrays instead, outside a trace; its result then has arrays in place of Values.
    The overloads cover the usual containers of Values; deeper ones are `Any`.

        @rlx.jit
        def double(x: rlx.Value) -> rlx.Value:
            return x + x

        double(np.ones(3))  # an array; of a Value, in another traced function, a Value
    """

    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...
    @overload
    def __call__(self: Transformed[..., Value], *args: Any, **kwargs: Any) -> Array: ...
    @overload
    def __call__(self: Transformed[..., tuple[Value, Value]], *args: Any, **kwargs: Any) -> tuple[Array, Array]: ...
    @overload
    def __call__(self: Transformed[..., tuple[Value, ...]], *args: Any, **kwargs: Any) -> tuple[Array, ...]: ...
    @overload
    def __call__(self: Transformed[..., list[Value]], *args: Any, **kwargs: Any) -> list[Array]: ...
    @overload
    def __call__(self: Transformed[..., dict[str, Value]], *args: Any, **kwargs: Any) -> dict[str, Array]: ...
    @overload
    def __call__(
        self: Transformed[..., tuple[Value, dict[str, Value]]], *args: Any, **kwargs: Any
    ) -> tuple[Array, dict[str, Array]]: ...
    @overload
    def __call__(
        self: Transformed[..., tuple[dict[str, Value], Value]], *args: Any, **kwargs: Any
    ) -> tuple[dict[str, Array], Array]: ...
    @overload
    def __call__(self: Transformed[..., Sequence[ValueTree] | Mapping[Any, ValueTree]], *args: Any, **kwargs: Any) -> Any: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        raise NotImplementedError
