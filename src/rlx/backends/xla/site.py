"""What a lowering is given of its node, and the checks that a program makes while it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import jax.numpy as jnp

from rlx.core.errors import Location, RlxError
from rlx.core.shape import Shape
from rlx.ir.op import Op

Lowering = Callable[..., Any]
"""A function of a LoweringSite and one jax.Array for each operand (None where it is missing), which returns an array or a tuple of them."""


@dataclass(frozen=True)
class Check:
    """The error that a run raises where a flag of the program is false."""

    code: str
    message: str
    fix: str | None = None
    location: Location | None = None

    def error(self) -> RlxError:
        """The error to raise."""
        return RlxError(self.code, self.message, fix=self.fix, at=self.location)


class Checks:
    """Flags that an XLA program computes beside its results: a compiled program cannot raise, its runner can."""

    def __init__(self) -> None:
        self.flags: dict[Check, Any] = {}
        self.host_errors: list[BaseException] = []
        """What Python functions raised while a program ran: XLA reports only that one failed."""

    def require(self, condition: Any, check: Check) -> None:
        """Adds a flag: the run fails unless all of the condition holds."""
        flag = jnp.all(condition)
        self.flags[check] = self.flags[check] & flag if check in self.flags else flag

    @contextmanager
    def inside(self) -> Iterator[dict[Check, Any]]:
        """Collects the flags of a body separately: the body returns them, and they are required outside."""
        outer, self.flags = self.flags, {}
        inner = self.flags
        try:
            yield inner
        finally:
            self.flags = outer


@dataclass(frozen=True)
class LoweringSite:
    """A node being lowered to JAX: its op with sizes bound, the shapes of its results, and where checks are noted."""

    op: Op
    results: tuple[Shape, ...]
    checks: Checks
    location: Location | None = None
    operands: tuple[Shape | None, ...] = ()
    body: Callable[..., tuple[Any, ...]] = field(default=lambda *_: (), repr=False)
    """`at.body(graph, operands)`: the results of a body on arrays."""

    def __getitem__(self, name: str) -> Any:
        return self.op.attrs[name]

    @property
    def dtype(self) -> Any:
        """The NumPy dtype of the first result."""
        return self.results[0].dtype.numpy

    @property
    def dims(self) -> tuple[int, ...]:
        """The sizes of the first result."""
        return tuple(int(size) for size in self.results[0].dims)

    def require(self, condition: Any, code: str, message: str, fix: str | None = None) -> None:
        """Makes the run fail with this error unless all of the condition holds."""
        self.checks.require(condition, Check(code, message, fix, self.location))


def plain(function: Callable[..., Any]) -> Lowering:
    """Wraps a JAX function of operands alone as a lowering."""
    return lambda at, *operands: function(*operands)
