"""Which types are containers: those of Python, dataclasses, attrs classes, and the classes users register."""

from __future__ import annotations

import dataclasses
import functools
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeAlias, TypeVar

from rlx.core.errors import RlxError
from rlx.trace.tree.containers import (
    ConstructedFields,
    Container,
    DefaultEntries,
    Entries,
    Fields,
    GetAttrKey,
    Items,
    NamedItems,
    Nothing,
    OrderedEntries,
    Registered,
    field_names,
)

Class = TypeVar("Class", bound=type)
AnyField: TypeAlias = Any  # a field of any type
_DICT = Entries(dict)
# None for a type of leaves
CONTAINERS: dict[type, Container | None] = {
    type(None): Nothing(type(None)),
    list: Items(list),
    tuple: Items(tuple),
    dict: _DICT,
    OrderedDict: OrderedEntries(OrderedDict),
    defaultdict: DefaultEntries(defaultdict),
}
LEAF_TYPES: set[type] = set()  # types seen so far that are leaves: to tell at once that no child is a container
_GIVEN = set(CONTAINERS)  # containers of Python, and the registered ones


def container_of_type(kind: type) -> Container | None:
    """How a type is flattened; None for a type of leaves. A class derived from a container is one of its own."""
    try:
        return CONTAINERS[kind]
    except KeyError:
        container = CONTAINERS[kind] = _find_container(kind)
        if container is None:
            LEAF_TYPES.add(kind)
        return container


def container_of(node: Any) -> Container | None:
    """How this object is flattened; None for a leaf."""
    try:
        container = CONTAINERS[type(node)]
    except KeyError:
        container = container_of_type(type(node))
    return container if container is None or container.always or _holds_array(container, node) else None


def _find_container(kind: type) -> Container | None:
    if issubclass(kind, OrderedDict):
        return OrderedEntries(kind)
    if issubclass(kind, defaultdict):
        return DefaultEntries(kind)
    if issubclass(kind, dict):
        return _DICT
    if issubclass(kind, (list, tuple)):
        return NamedItems(kind) if hasattr(kind, "_fields") else Items(kind)
    if _is_array_type(kind):
        return None
    if dataclasses.is_dataclass(kind) or hasattr(kind, "__attrs_attrs__"):
        return Fields(kind, *field_names(kind), always=kind.__hash__ is None)
    return None


def _is_array_type(kind: type) -> bool:
    return hasattr(kind, "__array__") or hasattr(kind, "__dlpack__") or hasattr(kind, "__rlx_value__")


def _holds_array(container: Container, node: Any) -> bool:
    """Whether an array, or an object with the shape and dtype of one, is among the leaves."""
    for child in container.apart(node)[1]:
        inner = container_of_type(type(child))
        if inner is not None:
            if _holds_array(inner, child):
                return True
        elif _is_array_type(type(child)) or (hasattr(child, "shape") and hasattr(child, "dtype")):
            return True
    return False


# -- registering --------------------------------------------------------------------------------------------------
def _add(container: Container) -> None:
    kind = container.type
    if kind in _GIVEN:
        raise RlxError("RLX109", f"{kind.__qualname__} is a container already", fix="register each class once")
    _GIVEN.add(kind)
    LEAF_TYPES.discard(kind)
    CONTAINERS[kind] = container


def _check_class(given: Any, what: str) -> None:
    if not isinstance(given, type):
        raise RlxError("RLX105", f"{what} of {given!r:.60}, which is not a class", fix=f"{what}(MyClass, …)")


def register_pytree_node(
    nodetype: type,
    flatten_func: Callable[[Any], tuple[Iterable[Any], Any]],
    unflatten_func: Callable[[Any, Any], Any],
    flatten_with_keys_func: Callable[[Any], tuple[Iterable[tuple[Any, Any]], Any]] | None = None,
) -> None:
    """Make a class a container: `flatten_func(x)` gives (children, static data), `unflatten_func(static data, children)` an object.

    >>> class Pair:
    ...     def __init__(self, a, b):
    ...         self.a, self.b = a, b
    >>> register_pytree_node(Pair, lambda pair: ((pair.a, pair.b), None), lambda _, children: Pair(*children))
    >>> from rlx import tree
    >>> tree.leaves({"p": Pair(1, [2, 3])})
    [1, 2, 3]
    """
    _check_class(nodetype, "register_pytree_node")
    _add(Registered(nodetype, flatten_func, unflatten_func, flatten_with_keys_func))


def register_pytree_with_keys(
    nodetype: type,
    flatten_with_keys: Callable[[Any], tuple[Iterable[tuple[Any, Any]], Any]],
    unflatten_func: Callable[[Any, Any], Any],
    flatten_func: Callable[[Any], tuple[Iterable[Any], Any]] | None = None,
) -> None:
    """As `register_pytree_node`, with children that have keys: `flatten_with_keys(x)` gives ((key, child) pairs, static data).

    >>> class Named:
    ...     def __init__(self, w):
    ...         self.w = w
    >>> register_pytree_with_keys(Named, lambda x: (((GetAttrKey("w"), x.w),), None), lambda _, children: Named(*children))
    >>> from rlx import tree
    >>> tree.leaves_with_path(Named(1))
    [((GetAttrKey(name='w'),), 1)]
    """
    _check_class(nodetype, "register_pytree_with_keys")

    def without_keys(node: Any) -> tuple[Iterable[Any], Any]:
        pairs, description = flatten_with_keys(node)
        return [child for _, child in pairs], description

    _add(Registered(nodetype, flatten_func or without_keys, unflatten_func, flatten_with_keys))


def register_pytree_node_class(cls: Class) -> Class:
    """A decorator: make a class with the methods `tree_flatten` and `tree_unflatten` (a class method) a container.

    >>> @register_pytree_node_class
    ... class Box:
    ...     def __init__(self, inside):
    ...         self.inside = inside
    ...     def tree_flatten(self):
    ...         return (self.inside,), None
    ...     @classmethod
    ...     def tree_unflatten(cls, _, children):
    ...         return cls(*children)
    >>> from rlx import tree
    >>> tree.map(lambda x: x + 1, Box(1)).inside
    2
    """
    register_pytree_node(cls, lambda node: node.tree_flatten(), cls.tree_unflatten)  # type: ignore[attr-defined]
    return cls


def register_pytree_with_keys_class(cls: Class) -> Class:
    """As `register_pytree_node_class`, with a method `tree_flatten_with_keys` that gives (key, child) pairs.

    >>> @register_pytree_with_keys_class
    ... class Keyed:
    ...     def __init__(self, w):
    ...         self.w = w
    ...     def tree_flatten_with_keys(self):
    ...         return ((GetAttrKey("w"), self.w),), None
    ...     @classmethod
    ...     def tree_unflatten(cls, _, children):
    ...         return cls(*children)
    >>> from rlx import tree
    >>> tree.leaves(Keyed(1))
    [1]
    """
    without = (lambda node: node.tree_flatten()) if hasattr(cls, "tree_flatten") else None
    unflatten = cls.tree_unflatten  # type: ignore[attr-defined]
    register_pytree_with_keys(cls, lambda node: node.tree_flatten_with_keys(), unflatten, without)
    return cls


def register_dataclass(
    nodetype: Class,
    data_fields: Sequence[str] | None = None,
    meta_fields: Sequence[str] | None = None,
    drop_fields: Sequence[str] = (),
) -> Class:
    """Make a dataclass a container for good: `data_fields` hold its children, `meta_fields` are static.

    It is put together by its constructor, which is left to fill `drop_fields`.

    Without lists: fields with `metadata={"static": True}` are static. Dataclasses that are not registered are containers too, put together
    without their constructor; but those with a hash (`frozen=True`) only where they hold an array.

    >>> import dataclasses
    >>> @register_dataclass
    ... @dataclasses.dataclass(frozen=True)
    ... class Scale:
    ...     factor: float
    ...     name: str = dataclasses.field(metadata={"static": True})
    >>> from rlx import tree
    >>> tree.structure(Scale(2.0, "x"))
    PyTreeDef(CustomNode(Scale[('x',)], [*]))
    """
    _check_class(nodetype, "register_dataclass")
    if (data_fields is None) is not (meta_fields is None):
        raise RlxError("RLX105", "register_dataclass with one of data_fields and meta_fields", fix="both, or neither")
    is_dataclass = dataclasses.is_dataclass(nodetype)
    if data_fields is None or meta_fields is None:
        if not is_dataclass:
            message = f"register_dataclass of {nodetype.__qualname__}, which is not a dataclass"
            raise RlxError("RLX105", message, fix="@dataclass below it, or data_fields=… and meta_fields=…")
        data_fields, meta_fields = (
            [name for name in names if name in _given_fields(nodetype) and name not in drop_fields]
            for names in field_names(nodetype)
        )
    named = {*data_fields, *meta_fields}
    if is_dataclass and (wrong := named ^ (_given_fields(nodetype) - set(drop_fields))):
        message = f"register_dataclass of {nodetype.__qualname__}: {', '.join(sorted(wrong))} must be in one list and a field"
        raise RlxError("RLX105", message, fix="name each field of __init__ once, in data_fields, meta_fields or drop_fields")
    _add(ConstructedFields(nodetype, data_fields, meta_fields, always=True))
    return nodetype


def _given_fields(kind: Any) -> set[str]:
    return {field.name for field in dataclasses.fields(kind) if field.init}


def register_static(cls: Class) -> Class:
    """A decorator: objects of this class are static data, compared and hashed, and have no leaves.

    >>> @register_static
    ... class Mode(str):
    ...     pass
    >>> from rlx import tree
    >>> tree.leaves([1, Mode("train")])
    [1]
    """
    register_pytree_node(cls, lambda node: ((), node), lambda node, _: node)
    return cls


def static(**kwargs: Any) -> AnyField:
    """A static field of a dataclass: `dataclasses.field` with `metadata={"static": True}`.

    >>> import dataclasses
    >>> @dataclasses.dataclass
    ... class Layer:
    ...     w: float
    ...     heads: int = static(default=4)
    >>> from rlx import tree
    >>> tree.leaves(Layer(1.0))
    [1.0]
    """
    metadata = {**(kwargs.pop("metadata", None) or {}), "static": True}
    return dataclasses.field(metadata=metadata, **kwargs)


class Partial(functools.partial[Any]):
    """`functools.partial` that is a container: its arguments are children, its function is static. So it can be passed to jitted functions.

    >>> from rlx import tree
    >>> tree.map(lambda x: x + 1, Partial(max, 1, 5))(3)
    6
    """


register_pytree_with_keys(
    Partial,
    lambda node: (((GetAttrKey("args"), node.args), (GetAttrKey("keywords"), node.keywords)), node.func),
    lambda function, children: Partial(function, *children[0], **children[1]),
)


# -- a tree that is filled with other leaves again and again


_Part = Any  # None for a leaf, or what makes a container of its children, and their parts (or their number, if all are leaves)


class Template:
    """The containers of a tree, ready to be filled with other leaves; dicts keep the insertion order they have in it."""

    __slots__ = ("_part",)

    def __init__(self, tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> None:
        self._part = _part(tree, is_leaf)

    def filled(self, leaves: Iterable[Any]) -> Any:
        """Fills the containers with leaves; takes as many as it needs from an iterator."""
        return _fill(self._part, iter(leaves))


def _part(tree: Any, is_leaf: Callable[[Any], bool] | None) -> _Part:
    container = None if is_leaf is not None and is_leaf(tree) else container_of(tree)
    if container is None:
        return None
    description, children = container.apart(tree)
    make = container.maker(tree, description)
    if is_leaf is None and LEAF_TYPES.issuperset(map(type, children)):
        return make, len(children)
    return make, [_part(child, is_leaf) for child in children]


def _fill(part: _Part, leaves: Iterator[Any]) -> Any:
    if part is None:
        return next(leaves)
    make, inside = part
    if type(inside) is int:
        return make(list(islice(leaves, inside)))
    return make([_fill(one, leaves) for one in inside])
