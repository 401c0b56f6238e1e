"""What a module is: a dataclass that is a tree, whose arrays are its parameters."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, TypeVar, dataclass_transform

from rlx.core.errors import RlxError, did_you_mean
from rlx.frontends.dispatch import ArrayLike
from rlx.frontends.numpy.dtypes import dtype_of
from rlx.ir.array_methods import Array
from rlx.trace.tree import flatten
from rlx.trace.tree.registry import static

__all__ = ["Lambda", "Module"]

Self = TypeVar("Self", bound="Module")


@dataclass_transform(eq_default=False, field_specifiers=(static, dataclasses.field))
class Module:
    """A layer or a model: every class derived from it is a dataclass, and so a tree.

    Fields that are arrays or modules (or lists, tuples and dicts of them) are parameters; fields with `rlx.tree.static()` are settings,
    part of the program. Modules go through `jit`, `grad`, `vmap` and `scan` like any tree, and optimizers of `rlx.train` update them.

    >>> import rlx, rlx.numpy as rnp
    >>> class Scale(rlx.nn.Module):
    ...     factor: rlx.Array
    ...     power: int = rlx.tree.static(default=1)
    ...     def __call__(self, x):
    ...         return x * self.factor**self.power
    >>> model = Scale(rnp.asarray(3.0), power=2)
    >>> model(2.0), rlx.grad(lambda model: model(2.0))(model)
    (Array(18., dtype=float32), Scale(factor=f32[], power=2))
    """

    _own_init = False  # whether the class, or one it is derived from, has a constructor that is not made of its fields

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._own_init = "__init__" in cls.__dict__ or cls._own_init
        dataclasses.dataclass(init=not cls._own_init, repr=False, eq=False)(cls)

    def __eq__(self, other: object) -> bool:
        return self is other  # and no hash: a module is always a tree, never a setting

    def __repr__(self) -> str:
        fields = ", ".join(f"{field.name}={_shown(getattr(self, field.name))}" for field in dataclasses.fields(self))  # type: ignore[arg-type]
        return f"{type(self).__name__}({fields})"

    def named_parameters(self) -> dict[str, Any]:
        """All parameters by path, such as `layers.0.weight`.

        >>> import rlx
        >>> list(rlx.nn.Linear(2, 3, key=rlx.random.key(0)).named_parameters())
        ['weight', 'bias']
        """
        return dict(flatten(self))

    def replace(self: Self, **changes: Any) -> Self:
        """A copy with other values in some fields.

        >>> import rlx
        >>> rlx.nn.Dropout(0.5).replace(rate=0.1)
        Dropout(rate=0.1)
        """
        known = [field.name for field in dataclasses.fields(self)]  # type: ignore[arg-type]
        made = object.__new__(type(self))
        for name in known:
            object.__setattr__(made, name, changes.pop(name) if name in changes else getattr(self, name))
        if changes:
            name = next(iter(changes))
            raise RlxError(
                "RLX109", f"{type(self).__name__} has no field {name!r}", fix=did_you_mean(name, known) or ", ".join(known)
            )
        return made


def _shown(value: Any) -> str:
    """Arrays by their type, containers by what is in them."""
    if isinstance(value, (list, tuple)):
        inside = ", ".join(map(_shown, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' * (len(value) == 1)})"
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return f"{dtype_of(value)}{list(value.shape)}"
    name = getattr(value, "__name__", None)
    return name if callable(value) and name and not isinstance(value, Module) else repr(value)


class Lambda(Module):
    """A function as a module without parameters.

    >>> import rlx
    >>> rlx.nn.Lambda(rlx.nn.relu)(-1.0)
    Array(0., dtype=float32)
    """

    function: Callable[..., Any] = static()

    def __call__(self, x: ArrayLike, *, key: ArrayLike | None = None) -> Array:
        """The function of x; the key is not used."""
        return self.function(x)
