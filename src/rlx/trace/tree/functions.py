"""The functions of `rlx.tree` and `rlx.tree_util`, with the names and results of JAX's."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from rlx.core.errors import RlxError
from rlx.trace.tree.containers import KeyPath
from rlx.trace.tree.registry import Template, container_of
from rlx.trace.tree.treedef import IsLeaf, Tree, TreeDef, flatten_to_treedef, leaves_with_path, tuple_of

T = TypeVar("T")
_UNSPECIFIED: Any = object()


def tree_flatten(tree: Tree, is_leaf: IsLeaf | None = None) -> tuple[list[Any], TreeDef]:
    """The leaves of a tree in order (dicts by sorted key), and its structure.

    >>> from rlx import tree
    >>> tree.flatten({"b": [1, 2], "a": None})
    ([1, 2], PyTreeDef({'a': None, 'b': [*, *]}))
    """
    return flatten_to_treedef(tree, is_leaf)


def tree_leaves(tree: Tree, is_leaf: IsLeaf | None = None) -> list[Any]:
    """The leaves of a tree in order; `is_leaf` says which containers count as one.

    >>> from rlx import tree
    >>> tree.leaves({"b": 1, "a": [2, 3]}), tree.leaves([(1, 2), 3], is_leaf=lambda x: isinstance(x, tuple))
    ([2, 3, 1], [(1, 2), 3])
    """
    return flatten_to_treedef(tree, is_leaf)[0]


def tree_structure(tree: Tree, is_leaf: IsLeaf | None = None) -> TreeDef:
    """The structure of a tree, without its leaves.

    >>> from rlx import tree
    >>> tree.structure({"w": 1, "b": (2,)})
    PyTreeDef({'b': (*,), 'w': *})
    """
    return flatten_to_treedef(tree, is_leaf)[1]


def tree_unflatten(treedef: TreeDef, leaves: Iterable[Any]) -> Tree:
    """The tree of a structure and its leaves.

    >>> from rlx import tree
    >>> leaves, structure = tree.flatten({"w": 1, "b": 2})
    >>> tree.unflatten(structure, [leaf * 10 for leaf in leaves])
    {'b': 20, 'w': 10}
    """
    return treedef.unflatten(leaves)


def tree_map(f: Callable[..., Any], tree: T, *rest: Tree, is_leaf: IsLeaf | None = None) -> T:
    """A tree of what `f` gives for each leaf, together with what the other trees have in its place.

    >>> from rlx import tree
    >>> tree.map(lambda x, y: x + y, {"w": 1, "b": [2]}, {"w": 10, "b": [20]})
    {'w': 11, 'b': [22]}
    """
    if not rest:
        return Template(tree, is_leaf).filled([f(leaf) for leaf in flatten_to_treedef(tree, is_leaf)[0]])
    leaves, structure = flatten_to_treedef(tree, is_leaf)
    columns = [structure.flatten_up_to(other) for other in rest]
    return Template(tree, is_leaf).filled([f(*row) for row in zip(leaves, *columns, strict=True)])


def tree_all(tree: Tree, *, is_leaf: IsLeaf | None = None) -> bool:
    """Whether all leaves are true.

    >>> from rlx import tree
    >>> tree.all([True, {"a": 1}]), tree.all([True, 0])
    (True, False)
    """
    return all(tree_leaves(tree, is_leaf))


def tree_reduce(
    function: Callable[[Any, Any], Any], tree: Tree, initializer: Any = _UNSPECIFIED, is_leaf: IsLeaf | None = None
) -> Tree:
    """`functools.reduce` over the leaves.

    >>> from rlx import tree
    >>> tree.reduce(lambda total, x: total + x, {"a": 1, "b": [2, 3]})
    6
    """
    leaves = tree_leaves(tree, is_leaf)
    if initializer is not _UNSPECIFIED:
        return functools.reduce(function, leaves, initializer)
    return functools.reduce(function, leaves)


def tree_reduce_associative(
    operation: Callable[[Any, Any], Any], tree: Tree, *, identity: Any = _UNSPECIFIED, is_leaf: IsLeaf | None = None
) -> Tree:
    """The first half of the leaves combined with the second, each combined so itself: fewer steps in a row than `reduce` has.

    >>> from rlx import tree
    >>> tree.reduce_associative(lambda a, b: f"({a}+{b})", ["a", "b", "c", "d"])
    '((a+b)+(c+d))'
    """
    leaves = tree_leaves(tree, is_leaf)
    if not leaves:
        if identity is _UNSPECIFIED:
            raise RlxError("RLX105", "reduce_associative of a tree without leaves", fix="identity=…")
        return identity

    def halves(part: list[Any]) -> Any:
        middle = len(part) // 2
        return part[0] if middle == 0 else operation(halves(part[:middle]), halves(part[middle:]))

    return halves(leaves)


def tree_transpose(outer_treedef: TreeDef, inner_treedef: TreeDef | None, pytree_to_transpose: Tree) -> Tree:
    """An outer tree of inner trees as an inner tree of outer trees.

    >>> from rlx import tree
    >>> tree.transpose(tree.structure([0, 0]), tree.structure({"a": 0}), [{"a": 1}, {"a": 2}])
    {'a': [1, 2]}
    """
    parts = outer_treedef.flatten_up_to(pytree_to_transpose)
    if inner_treedef is None:
        if not parts:
            raise RlxError("RLX105", "transpose of a tree without leaves", fix="inner_treedef=…")
        inner_treedef = tree_structure(parts[0])
    rows = [inner_treedef.flatten_up_to(part) for part in parts]
    columns = zip(*rows, strict=True) if rows else [()] * inner_treedef.num_leaves
    return inner_treedef.unflatten([outer_treedef.unflatten(column) for column in columns])


def tree_broadcast(prefix_tree: Tree, full_tree: Tree, is_leaf: IsLeaf | None = None) -> Tree:
    """A tree like `full_tree`: each leaf of the prefix in the place of everything below it.

    >>> from rlx import tree
    >>> tree.broadcast({"a": 1, "b": 2}, {"a": [0, 0], "b": 0})
    {'a': [1, 1], 'b': 2}
    """
    leaves, structure = flatten_to_treedef(prefix_tree, is_leaf)
    spread = []
    for leaf, part in zip(leaves, structure.flatten_up_to(full_tree), strict=True):
        spread += [leaf] * len(tree_leaves(part, is_leaf))
    return Template(full_tree, is_leaf).filled(spread)


# -- with paths ---------------------------------------------------------------------------------------------------
def tree_leaves_with_path(
    tree: Tree, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False
) -> list[tuple[KeyPath, Any]]:
    """The leaves in order, each with the keys that lead to it.

    >>> from rlx import tree
    >>> tree.leaves_with_path({"w": [1]})
    [((DictKey(key='w'), SequenceKey(idx=0)), 1)]
    """
    return leaves_with_path(tree, is_leaf, is_leaf_takes_path)


def tree_flatten_with_path(
    tree: Tree, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False
) -> tuple[list[tuple[KeyPath, Any]], TreeDef]:
    """The leaves with their paths, and the structure.

    >>> from rlx import tree
    >>> tree.flatten_with_path((1,))
    ([((SequenceKey(idx=0),), 1)], PyTreeDef((*,)))
    """
    leaves = leaves_with_path(tree, is_leaf, is_leaf_takes_path)
    return leaves, flatten_to_treedef(tree, _same_ends(leaves, is_leaf))[1]


def tree_map_with_path(
    f: Callable[..., Any], tree: T, *rest: Tree, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False
) -> T:
    """As `map`, `f` getting the path of a leaf first.

    >>> from rlx import tree, tree_util
    >>> tree.map_with_path(lambda path, x: f"{tree_util.keystr(path)}: {x}", {"w": [1, 2]})
    {'w': ["['w'][0]: 1", "['w'][1]: 2"]}
    """
    leaves = leaves_with_path(tree, is_leaf, is_leaf_takes_path)
    ends = _same_ends(leaves, is_leaf)
    structure = flatten_to_treedef(tree, ends)[1]
    columns = [structure.flatten_up_to(other) for other in rest]
    results = [f(path, leaf, *others) for (path, leaf), *others in zip(leaves, *columns, strict=True)]
    return Template(tree, _same_ends(leaves, is_leaf)).filled(results)


def _same_ends(leaves: list[tuple[KeyPath, Any]], is_leaf: Callable[..., bool] | None) -> IsLeaf | None:
    """Builds an `is_leaf` for one walk in the same order, which stops at these leaves."""
    if is_leaf is None:
        return None
    waiting = [leaf for _, leaf in reversed(leaves)]

    def ends(node: Any) -> bool:
        if waiting and waiting[-1] is node:
            waiting.pop()
            return True
        return False

    return ends


# -- structures ---------------------------------------------------------------------------------------------------
def treedef_is_leaf(treedef: TreeDef) -> bool:
    """Whether a structure has a single node: a leaf, or (as in JAX) an empty container.

    >>> from rlx import tree
    >>> treedef_is_leaf(tree.structure(1)), treedef_is_leaf(tree.structure([1]))
    (True, False)
    """
    return treedef.num_nodes == 1


def treedef_children(treedef: TreeDef) -> list[TreeDef]:
    """The structures of the outermost container's children.

    >>> from rlx import tree
    >>> treedef_children(tree.structure([1, {"a": 2}]))
    [PyTreeDef(*), PyTreeDef({'a': *})]
    """
    return treedef.children()


def treedef_tuple(treedefs: Iterable[TreeDef]) -> TreeDef:
    """The structure of a tuple of trees with these structures.

    >>> from rlx import tree
    >>> treedef_tuple([tree.structure(1), tree.structure([2])])
    PyTreeDef((*, [*]))
    """
    return tuple_of(list(treedefs))


def all_leaves(iterable: Iterable[Any], is_leaf: IsLeaf | None = None) -> bool:
    """Whether none of the items is a container.

    >>> all_leaves([1, "a"]), all_leaves([1, [2]])
    (True, False)
    """
    return all((is_leaf is not None and is_leaf(item)) or container_of(item) is None for item in iterable)
