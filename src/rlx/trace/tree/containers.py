"""What counts as a container, and how each kind is taken apart and put together again.

Containers are None (an empty one), lists, tuples, NamedTuples, dicts, OrderedDicts, defaultdicts, dataclasses, attrs classes and registered
classes. Everything else is a leaf.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

Apart = tuple[Any, Sequence[Any]]  # the description of a container, and its children
Maker = Callable[[list[Any]], Any]


class Container:
    """One kind of container. Its description is all of it but the children: two with equal descriptions have the same structure."""

    __slots__ = ("type",)
    always = True  # False: only where it holds an array

    def __init__(self, kind: type) -> None:
        self.type = kind

    def apart(self, node: Any) -> Apart:
        """Splits a container into its description and its children, in the order of the leaves."""
        raise NotImplementedError

    def together(self, description: Any, children: Sequence[Any]) -> Any:
        """Rebuilds a container from its description and its children."""
        raise NotImplementedError

    def maker(self, node: Any, description: Any) -> Maker:
        """Returns a function that puts children into a container like a given one."""
        return partial(self.together, description)

    def keys(self, description: Any, count: int) -> Sequence[Any]:
        """The key of each child, from the description."""
        return [SequenceKey(index) for index in range(count)]

    def keys_of(self, node: Any, description: Any, count: int) -> Sequence[Any]:
        """The key of each child of a given container."""
        return self.keys(description, count)

    def text(self, description: Any, children: Sequence[str]) -> str:
        """Renders a container in the text of a structure."""
        return f"{self.type.__name__}({', '.join(children)})"

    def describe(self, description: Any, count: int) -> str:
        """Names a container for messages."""
        return f"a {self.type.__name__} of {count}"


def _custom_node(kind: str, description: Any, children: Sequence[str]) -> str:
    """Renders a container other than a list, a tuple, a dict or None as JAX does: `CustomNode(Point[(1,)], [*, *])`."""
    return f"CustomNode({kind}[{description}], [{', '.join(children)}])"


class Nothing(Container):
    """None, a container of nothing."""

    __slots__ = ()

    def apart(self, node: Any) -> Apart:
        return None, ()

    def together(self, description: Any, children: Sequence[Any]) -> Any:
        return None

    def text(self, description: Any, children: Sequence[str]) -> str:
        return "None"

    def describe(self, description: Any, count: int) -> str:
        return "None"


class Items(Container):
    """Lists, tuples, and classes derived from them."""

    __slots__ = ()

    def apart(self, node: Any) -> Apart:
        return None, node

    def together(self, description: Any, children: Sequence[Any]) -> Any:
        return self.type(children)

    def maker(self, node: Any, description: Any) -> Maker:
        return self.type

    def text(self, description: Any, children: Sequence[str]) -> str:
        inside = ", ".join(children)
        if self.type is list:
            return f"[{inside}]"
        if self.type is tuple:
            return f"({inside},)" if len(children) == 1 else f"({inside})"
        return f"{self.type.__name__}([{inside}])"


class NamedItems(Container):
    """NamedTuples."""

    __slots__ = ()

    def apart(self, node: Any) -> Apart:
        return None, node

    def together(self, description: Any, children: Sequence[Any]) -> Any:
        return self.type(*children)

    def keys(self, description: Any, count: int) -> Sequence[Any]:
        return [GetAttrKey(name) for name in self.type._fields]  # type: ignore[attr-defined]

    def text(self, description: Any, children: Sequence[str]) -> str:
        return _custom_node("namedtuple", self.type.__name__, children)

    def describe(self, description: Any, count: int) -> str:
        return f"a {self.type.__name__}"


def _sorted_by_type(keys: Iterable[Any]) -> tuple[Any, ...]:
    """Sorts keys that have no common order by the names of their types; those of a type without an order stay as they came."""
    given = tuple(keys)
    try:
        return tuple(sorted(given, key=lambda key: (type(key).__qualname__, key)))
    except Exception:
        return given


def _dict_of(keys: Sequence[Any], children: Sequence[Any]) -> dict[Any, Any]:
    return dict(zip(keys, children))  # noqa: B905  (as many, and this runs at each call)


def _dict_in_order(keys: Sequence[tuple[Any, int]], children: Sequence[Any]) -> dict[Any, Any]:
    """Builds a dict from keys, each with the index of its child, and the children."""
    return {key: children[index] for key, index in keys}


class Entries(Container):
    """Dicts: the same keys are the same structure in whatever order they were inserted; leaves come by sorted key."""

    __slots__ = ()

    def apart(self, node: Any) -> Apart:
        try:
            keys = tuple(sorted(node))
        except Exception:  # keys compare as they like
            keys = _sorted_by_type(node)
        return keys, list(map(node.__getitem__, keys))

    def together(self, description: Any, children: Sequence[Any]) -> Any:
        return dict(zip(description, children, strict=True))

    def maker(self, node: Any, description: Any) -> Maker:
        if tuple(node) == description:
            return partial(_dict_of, description)
        return partial(_dict_in_order, [(key, description.index(key)) for key in node])

    def keys(self, description: Any, count: int) -> Sequence[Any]:
        return [DictKey(key) for key in description]

    def text(self, description: Any, children: Sequence[str]) -> str:
        return "{" + ", ".join(f"{key!r}: {child}" for key, child in zip(description, children, strict=True)) + "}"

    def describe(self, description: Any, count: int) -> str:
        return f"a {self.type.__name__} with the keys {list(description)}" if description else "an empty dict"


class OrderedEntries(Entries):
    """OrderedDicts: the order of the keys is part of the structure."""

    __slots__ = ()

    def apart(self, node: Any) -> Apart:
        return tuple(node), list(node.values())

    def together(self, description: Any, children: Sequence[Any]) -> Any:
        return self.type(zip(description, children, strict=True))

    def maker(self, node: Any, description: Any) -> Maker:
        return partial(self.together, description)

    def text(self, description: Any, children: Sequence[str]) -> str:
        return _custom_node(self.type.__name__, description, children)


class DefaultEntries(Entries):
    """Defaultdicts: what makes a missing value is part of the structure."""

    __slots__ = ()

    def apart(self, node: Any) -> Apart:
        keys, children = super().apart(node)
        return (node.default_factory, keys), children

    def together(self, description: Any, children: Sequence[Any]) -> Any:
        return self.type(description[0], zip(description[1], children, strict=True))

    def maker(self, node: Any, description: Any) -> Maker:
        entries = super().maker(node, description[1])
        return lambda children: self.type(description[0], entries(children))

    def keys(self, description: Any, count: int) -> Sequence[Any]:
        return super().keys(description[1], count)

    def text(self, description: Any, children: Sequence[str]) -> str:
        return _custom_node(self.type.__name__, description, children)

    def describe(self, description: Any, count: int) -> str:
        return super().describe(description[1], count)


def field_names(kind: type) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields of a dataclass or an attrs class: those with children, and the static ones (`metadata={"static": True}`)."""
    fields: Iterable[Any] = kind.__attrs_attrs__ if hasattr(kind, "__attrs_attrs__") else dataclasses.fields(kind)
    data: list[str] = []
    static: list[str] = []
    for field in fields:
        (static if (field.metadata or {}).get("static") else data).append(field.name)
    return tuple(data), tuple(static)


class Fields(Container):
    """Dataclasses and attrs classes. Static fields are part of the description.

    Put together without a call of `__init__`, so that no code of the class meets leaves it was not written for.
    `always` is False for hashable classes that are not registered: those are containers only where they hold an array.
    """

    __slots__ = ("always", "data", "static")

    def __init__(self, kind: type, data: Sequence[str], static: Sequence[str], always: bool) -> None:
        super().__init__(kind)
        self.data, self.static, self.always = tuple(data), tuple(static), always

    def apart(self, node: Any) -> Apart:
        return tuple([getattr(node, name) for name in self.static]), [getattr(node, name) for name in self.data]

    def together(self, description: Any, children: Sequence[Any]) -> Any:
        kind: Any = self.type
        made = kind.__new__(kind)
        for name, value in zip((*self.data, *self.static), (*children, *description), strict=True):
            object.__setattr__(made, name, value)
        return made

    def keys(self, description: Any, count: int) -> Sequence[Any]:
        return [GetAttrKey(name) for name in self.data]

    def text(self, description: Any, children: Sequence[str]) -> str:
        return _custom_node(self.type.__name__, description, children)

    def describe(self, description: Any, count: int) -> str:
        static = ", ".join(f"{name}={value!r}" for name, value in zip(self.static, description, strict=True))
        return f"a {self.type.__name__}" + (f" with {static}" if static else "")


class ConstructedFields(Fields):
    """Registered dataclasses, put together by their constructor."""

    __slots__ = ()

    def together(self, description: Any, children: Sequence[Any]) -> Any:
        return self.type(**dict(zip((*self.data, *self.static), (*children, *description), strict=True)))


class Registered(Container):
    """Classes with registered functions that flatten and rebuild them."""

    __slots__ = ("_flatten", "_flatten_with_keys", "_unflatten")

    def __init__(
        self,
        kind: type,
        flatten: Callable[[Any], tuple[Iterable[Any], Any]],
        unflatten: Callable[[Any, Any], Any],
        flatten_with_keys: Callable[[Any], tuple[Iterable[tuple[Any, Any]], Any]] | None = None,
    ) -> None:
        super().__init__(kind)
        self._flatten, self._unflatten, self._flatten_with_keys = flatten, unflatten, flatten_with_keys

    def apart(self, node: Any) -> Apart:
        children, description = self._flatten(node)
        return description, tuple(children)

    def together(self, description: Any, children: Sequence[Any]) -> Any:
        return self._unflatten(description, tuple(children))

    def keys(self, description: Any, count: int) -> Sequence[Any]:
        return [FlattenedIndexKey(index) for index in range(count)]

    def keys_of(self, node: Any, description: Any, count: int) -> Sequence[Any]:
        if self._flatten_with_keys is None:
            return self.keys(description, count)
        return [key for key, _ in self._flatten_with_keys(node)[0]]

    def text(self, description: Any, children: Sequence[str]) -> str:
        return _custom_node(self.type.__name__, description, children)

    def describe(self, description: Any, count: int) -> str:
        return f"a {self.type.__name__} of {count} with {description!r:.60}"


# -- keys: how a child is reached from its container, and paths of them as text --------------------------------------


KeyPath = tuple[Any, ...]


@dataclass(frozen=True)
class DictKey:
    """A key of a dict.

    >>> str(DictKey("w"))
    "['w']"
    """

    key: Hashable

    def __str__(self) -> str:
        return f"[{self.key!r}]"


@dataclass(frozen=True)
class SequenceKey:
    """An index of a list or tuple.

    >>> str(SequenceKey(1))
    '[1]'
    """

    idx: int

    def __str__(self) -> str:
        return f"[{self.idx!r}]"


@dataclass(frozen=True)
class GetAttrKey:
    """A field of a NamedTuple, a dataclass or an attrs class.

    >>> str(GetAttrKey("w"))
    '.w'
    """

    name: str

    def __str__(self) -> str:
        return f".{self.name}"


@dataclass(frozen=True)
class FlattenedIndexKey:
    """A child of a registered class that says nothing about its keys.

    >>> str(FlattenedIndexKey(0))
    '[<flat index 0>]'
    """

    key: int

    def __str__(self) -> str:
        return f"[<flat index {self.key!r}>]"


def plain(key: Any) -> str:
    """A key without brackets and quotes."""
    for name in ("key", "idx", "name"):
        if hasattr(key, name):
            return str(getattr(key, name))
    return str(key)


def keystr(keys: Iterable[Any], *, simple: bool = False, separator: str = "") -> str:
    """A path as text; `simple` leaves out brackets and quotes, `separator` stands between the keys.

    >>> path = (DictKey("layers"), SequenceKey(0), GetAttrKey("w"))
    >>> keystr(path), keystr(path, simple=True, separator=".")
    ("['layers'][0].w", 'layers.0.w')
    """
    return separator.join(plain(key) if simple else str(key) for key in keys)
