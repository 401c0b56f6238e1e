"""TreeDef: the structure of nested containers, without their leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias

from rlx.core.errors import RlxError
from rlx.trace.tree.containers import Container, KeyPath, keystr
from rlx.trace.tree.registry import LEAF_TYPES, container_of, container_of_type

IsLeaf = Callable[[Any], bool]
Tree: TypeAlias = Any  # nested containers, or a leaf
LEAF: Final = "*"
Spec = Any  # LEAF, or (container, description, specs of the children)


class TreeDef:
    """The structure of a tree: hashable, comparable, and able to put leaves into it.

    >>> from rlx import tree
    >>> one = tree.structure({"b": 1, "a": [2, None]})
    >>> one, one.num_leaves, one.unflatten("xy")
    (PyTreeDef({'a': [*, None], 'b': *}), 2, {'a': ['x', None], 'b': 'y'})
    >>> one == tree.structure({"a": [0, None], "b": 0})
    True
    """

    __slots__ = ("_spec",)

    def __init__(self, spec: Spec) -> None:
        self._spec = spec

    @property
    def num_leaves(self) -> int:
        """The number of leaves."""
        return _leaf_count(self._spec)

    @property
    def num_nodes(self) -> int:
        """The number of leaves and containers."""
        return _node_count(self._spec)

    def unflatten(self, leaves: Iterable[Any]) -> Tree:
        """The containers around these leaves; dicts by sorted key."""
        given = list(leaves)
        if len(given) != self.num_leaves:
            raise RlxError("RLX114", f"{len(given)} leaves for {self}, which has {self.num_leaves}", fix="one for each")
        return _together(self._spec, iter(given))

    def flatten_up_to(self, tree: Any) -> list[Any]:
        """The subtrees of a tree at the leaves of this structure: leaves or containers."""
        subtrees: list[Any] = []
        _up_to(self._spec, tree, (), subtrees)
        return subtrees

    def children(self) -> list[TreeDef]:
        """The structures of the outermost container's children."""
        return [] if self._spec is LEAF else [TreeDef(child) for child in self._spec[2]]

    def node_data(self) -> tuple[type, Any] | None:
        """The outermost container's type and static data; None for a leaf."""
        return None if self._spec is LEAF else (self._spec[0].type, self._spec[1])

    def compose(self, inner: TreeDef) -> TreeDef:
        """This structure with `inner` in the place of each leaf."""
        return TreeDef(_compose(self._spec, inner._spec))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TreeDef) and bool(self._spec == other._spec)

    def __hash__(self) -> int:
        try:
            return hash(self._spec)
        except TypeError:
            return hash(_hashable(self._spec, ()))

    def __repr__(self) -> str:
        return f"PyTreeDef({_describe(self._spec)})"

    def __reduce__(self) -> Any:
        return _from_pickle, (_to_pickle(self._spec),)


# -- taking apart -------------------------------------------------------------------------------------------------
def flatten_to_treedef(tree: Any, is_leaf: IsLeaf | None = None) -> tuple[list[Any], TreeDef]:
    """Flattens a tree to its leaves in order, and its structure."""
    leaves: list[Any] = []
    spec = _spec(tree, leaves) if is_leaf is None else _spec_until(tree, leaves, is_leaf)
    return leaves, TreeDef(spec)


def _spec(tree: Any, leaves: list[Any]) -> Spec:
    container = container_of(tree)
    if container is None:
        leaves.append(tree)
        return LEAF
    description, children = container.apart(tree)
    if LEAF_TYPES.issuperset(map(type, children)):
        leaves += children
        return container, description, (LEAF,) * len(children)
    return container, description, tuple([_spec(child, leaves) for child in children])


def _spec_until(tree: Any, leaves: list[Any], is_leaf: IsLeaf) -> Spec:
    container = None if is_leaf(tree) else container_of(tree)
    if container is None:
        leaves.append(tree)
        return LEAF
    description, children = container.apart(tree)
    return container, description, tuple([_spec_until(child, leaves, is_leaf) for child in children])


def leaves_with_path(tree: Any, is_leaf: Callable[..., bool] | None, takes_path: bool) -> list[tuple[KeyPath, Any]]:
    """Flattens a tree to its leaves in order, each with the keys that lead to it."""
    pairs: list[tuple[KeyPath, Any]] = []

    def look(node: Any, path: KeyPath) -> None:
        ends = is_leaf is not None and (is_leaf(path, node) if takes_path else is_leaf(node))
        container = None if ends else container_of(node)
        if container is None:
            pairs.append((path, node))
            return
        description, children = container.apart(node)
        for key, child in zip(container.keys_of(node, description, len(children)), children, strict=True):
            look(child, (*path, key))

    look(tree, ())
    return pairs


# -- putting together ---------------------------------------------------------------------------------------------
def _together(spec: Spec, leaves: Any) -> Any:
    if spec is LEAF:
        return next(leaves)
    container, description, children = spec
    return container.together(description, [_together(child, leaves) for child in children])


def _compose(spec: Spec, inner: Spec) -> Spec:
    if spec is LEAF:
        return inner
    container, description, children = spec
    return container, description, tuple(_compose(child, inner) for child in children)


# -- comparing ----------------------------------------------------------------------------------------------------
def _up_to(spec: Spec, tree: Any, path: KeyPath, subtrees: list[Any]) -> None:
    if spec is LEAF:
        subtrees.append(tree)
        return
    container: Container
    container, description, children = spec
    if container_of_type(type(tree)) is not container:
        raise _mismatch(path, container.describe(description, len(children)), _what(tree))
    mine, inside = container.apart(tree)
    if mine != description or len(inside) != len(children):
        raise _mismatch(path, container.describe(description, len(children)), container.describe(mine, len(inside)))
    for key, child, part in zip(container.keys_of(tree, mine, len(inside)), children, inside, strict=True):
        _up_to(child, part, (*path, key), subtrees)


def _what(tree: Any) -> str:
    """Describes a container or a leaf, for messages."""
    container = container_of(tree)
    if container is None:
        return f"a leaf of type {type(tree).__name__}"
    description, children = container.apart(tree)
    return container.describe(description, len(children))


def _mismatch(path: KeyPath, expected: str, got: str) -> RlxError:
    where = f"at {keystr(path)}: " if path else ""
    return RlxError("RLX114", f"trees differ: {where}expected {expected}, got {got}", fix="trees of the same structure")


def difference(expected: TreeDef, actual: TreeDef) -> str:
    """Describes the first difference of two structures; empty if they are equal."""
    return _difference(expected._spec, actual._spec, ())


def _difference(expected: Spec, actual: Spec, path: KeyPath) -> str:
    if expected is LEAF and actual is LEAF:
        return ""
    same = expected is not LEAF and actual is not LEAF and expected[:2] == actual[:2] and len(expected[2]) == len(actual[2])
    if not same:
        texts = ["a leaf" if spec is LEAF else spec[0].describe(spec[1], len(spec[2])) for spec in (expected, actual)]
        return f"{f'at {keystr(path)}: ' if path else ''}expected {texts[0]}, got {texts[1]}"
    keys = expected[0].keys(expected[1], len(expected[2]))
    texts = [_difference(one, two, (*path, key)) for key, one, two in zip(keys, expected[2], actual[2], strict=True)]
    return next((text for text in texts if text), "")


# -- looking ------------------------------------------------------------------------------------------------------
def _leaf_count(spec: Spec) -> int:
    return 1 if spec is LEAF else sum(_leaf_count(child) for child in spec[2])


def _node_count(spec: Spec) -> int:
    return 1 if spec is LEAF else 1 + sum(_node_count(child) for child in spec[2])


def _describe(spec: Spec) -> str:
    if spec is LEAF:
        return LEAF
    container, description, children = spec
    return container.text(description, [_describe(child) for child in children])


def _hashable(spec: Spec, path: KeyPath) -> Spec:
    """Converts static data to a hashable key: a dict, list or set, which has no hash, becomes its type."""
    if spec is LEAF:
        return spec
    container, description, children = spec
    try:
        hash(description)
    except TypeError:
        if not isinstance(description, (dict, list, set, tuple)) or _holds_an_array(description):
            where = keystr(path)
            message = f"static data of {container.type.__name__}{f' at {where}' if where else ''} is not hashable"
            raise RlxError("RLX105", message, fix="static data with a hash, such as tuples; arrays as children") from None
        description = type(description)
    keys = container.keys(spec[1], len(children))
    return (container, description, tuple(_hashable(child, (*path, key)) for key, child in zip(keys, children, strict=True)))


def _holds_an_array(data: Any) -> bool:
    """Whether static data contains an array, and so cannot be compared by `==`."""
    if isinstance(data, dict):
        data = data.values()
    if isinstance(data, (list, tuple, set, type({}.values()))):
        return any(_holds_an_array(each) for each in data)
    return hasattr(data, "__array__") or hasattr(data, "__dlpack__")


def _to_pickle(spec: Spec) -> Any:
    """Converts a structure for pickle: types in place of containers."""
    return spec if spec is LEAF else (spec[0].type, spec[1], tuple(_to_pickle(child) for child in spec[2]))


def _from_pickle(stored: Any) -> TreeDef:
    return TreeDef(_spec_of(stored))


def _spec_of(stored: Any) -> Spec:
    if stored == LEAF:
        return LEAF
    kind, description, children = stored
    return container_of_type(kind), description, tuple(_spec_of(child) for child in children)


def tuple_of(structures: Sequence[TreeDef]) -> TreeDef:
    """The structure of a tuple of trees with these structures."""
    container: Container | None = container_of_type(tuple)
    return TreeDef((container, None, tuple(structure._spec for structure in structures)))
