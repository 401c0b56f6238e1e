"""An attribute that is computed when it is first read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class CachedAttribute(Generic[T]):
    """`functools.cached_property` without the lock it takes before Python 3.12, which is most of its time on small objects.

    Two threads that read it first may both compute it; what they compute is equal.

    >>> class Square:
    ...     side = 3
    ...     @CachedAttribute
    ...     def area(self) -> int:
    ...         return self.side ** 2
    >>> Square().area
    9
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute, self._name, self.__doc__ = compute, compute.__name__, compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> CachedAttribute[T]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> T | CachedAttribute[T]:
        if instance is None:
            return self
        found = instance.__dict__[self._name] = self._compute(instance)
        return found
