"""`Ref`: an array that is read and written in place, and how functions that write to one are traced.

A reference belongs to the graph that was being traced when it was made. Its values there are Values like any other, so a function that
makes references and returns what they hold is pure. Where a traced function reaches a reference from outside, `OuterRef` is raised; what
traces the function then hands the reference's value in as an input, takes its last value out as a result, and writes that back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NoReturn, TypeAlias

import numpy as np

from rlx.core.dim import Size
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.ir.emit import constant, into, traced_graph
from rlx.ir.graph import Graph
from rlx.ir.value import Value
from rlx.trace.tree import leaves_of


class OuterRef(BaseException):
    """Raised where a traced function reaches a reference from outside of it. Code that traces catches it; user code should not."""

    def __init__(self, ref: Ref) -> None:
        super().__init__(
            "a reference from outside of a function that is traced where references cannot be; pass its value, ref[...]"
        )
        self.ref = ref


Held: TypeAlias = tuple[tuple[Graph | None, dict[int, Any]], ...]
_HELD: ContextVar[Held] = ContextVar("values of outer references", default=())


class Ref:
    """An array that is read and written in place, as `jax.Ref`; made by `rlx.new_ref`.

    >>> import rlx, rlx.numpy as rnp
    >>> total = rlx.new_ref(rnp.zeros(3))
    >>> @rlx.jit
    ... def count():
    ...     total[1] += 1.0
    >>> count()
    >>> total
    Ref([0., 1., 0.], dtype=float32)
    """

    __array_ufunc__ = None

    def __init__(self, value: Any) -> None:
        self._home = traced_graph()
        self._value = value
        self._frozen = False

    # -- reading and writing ----------------------------------------------------------------------------------------
    def read(self) -> Value:
        """Reads the full array."""
        held = self._find_held()
        return self._value if held is None else held[id(self)]

    def write(self, value: Any) -> None:
        """Replaces the full array by one of its shape and dtype."""
        held = self._find_held()
        if held is None:
            self._value = value
        else:
            held[id(self)] = value

    def _find_held(self) -> dict[int, Any] | None:
        """Finds the dict in which the current trace holds the reference's value; None if the reference itself holds it."""
        if self._frozen:
            raise RlxError("RLX105", "a frozen reference is used", fix="the array that rlx.freeze returned")
        graph = traced_graph()
        held: Held = _HELD.get()
        for owner, values in reversed(held):
            if owner is graph and id(self) in values:
                return values
        if graph is self._home:
            return None
        if graph is None:
            message = "a reference that a traced function made is used outside of it"
            raise RlxError("RLX107", message, fix="return its value, ref[...] or rlx.freeze(ref)")
        raise OuterRef(self)

    def freeze(self) -> Value:
        """Returns the last value; the reference cannot be used afterwards."""
        if traced_graph() is not self._home:
            raise RlxError("RLX105", "a reference from outside of a traced function is frozen in it", fix="freeze it outside")
        value, self._frozen = self.read(), True
        return value

    def __getitem__(self, index: Any) -> Value:
        value = self.read()
        return value if index is Ellipsis else value[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self.write(self.read().at[index].set(value))

    # -- what it is -------------------------------------------------------------------------------------------------
    @property
    def shape(self) -> tuple[Any, ...]:
        """The array's shape."""
        return self._value.shape

    @property
    def dtype(self) -> DType | np.dtype[Any]:
        """The array's dtype."""
        return self._value.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> Size:
        """The number of elements."""
        return self._value.size

    def unsafe_buffer_pointer(self) -> int:
        """The address of the array's first element now; a write puts the array elsewhere."""
        return int(np.asarray(self.read()).ctypes.data)

    def __repr__(self) -> str:
        value: Any = self.read()
        return f"Ref<{value!r}>" if isinstance(value, Value) else repr(value).replace("Array", "Ref", 1)

    def __str__(self) -> str:
        return repr(self)

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise RlxError("RLX101", f"a reference of {self.dtype}{list(self.shape)} is used as an array", fix="ref[...], its value")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __matmul__ = __neg__ = _refuse


def refs_of(*trees: Any) -> list[Ref]:
    """The references among leaves, without duplicates."""
    return list(dict.fromkeys(leaf for leaf in leaves_of(trees) if isinstance(leaf, Ref)))


@contextmanager
def holding(refs: Sequence[Ref], values: Sequence[Any]) -> Iterator[Callable[[], list[Any]]]:
    """Sets the values of outer references while a function is traced; the yielded function returns their values at that time."""
    graph = traced_graph()
    held = {id(ref): value for ref, value in zip(refs, values, strict=True)}
    token = _HELD.set((*_HELD.get(), (graph, held)))
    try:
        yield lambda: [_as_value(held[id(ref)], graph) for ref in refs]
    finally:
        _HELD.reset(token)


def _as_value(value: Any, graph: Graph | None) -> Any:
    if graph is None or isinstance(value, Value):
        return value if graph is None else into(graph, value)
    return constant(graph, np.asarray(value))


def thread_references(
    run: Callable[[Sequence[Ref], list[Any]], tuple[Any, Sequence[Any]]],
    refs: Sequence[Ref] = (),
    plain: Callable[[], Any] | None = None,
    note: Callable[[Ref], None] | None = None,
) -> Any:
    """Runs `run(references, their values) -> (result, their last values)`, writes the last values back and returns the result.

    Where `run` reaches further references, they are noted and added, and it runs again. Without references, returns `plain()` if given.
    """
    reached = list(refs)
    while True:
        values = [ref.read() for ref in reached]
        try:
            if not reached and plain is not None:
                return plain()
            result, last = run(reached, values)
            break
        except OuterRef as outer:
            if outer.ref in reached:
                fix = "pass the reference as an argument"
                raise RlxError("RLX107", "a transformed function closes over a reference", fix=fix) from None
            reached.append(outer.ref)
            if note is not None:
                note(outer.ref)
    for ref, value in zip(reached, last, strict=True):
        ref.write(value)
    return result
