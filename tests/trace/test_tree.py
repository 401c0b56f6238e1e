"""`rlx.tree` and `rlx.tree_util` beside JAX's, on many trees; what differs from JAX is said here by name."""

from __future__ import annotations

import dataclasses
import pickle
from collections import Counter, OrderedDict, defaultdict, namedtuple
from typing import Any, NamedTuple

import attrs
import jax
import jax.tree_util as jax_util
import numpy as np
import pytest

import rlx
from rlx import RlxError, tree, tree_util


class Point(NamedTuple):
    x: Any
    y: Any


Other = namedtuple("Other", "x y")


@tree_util.register_dataclass
@jax_util.register_dataclass
@dataclasses.dataclass
class Layer:
    w: Any
    b: Any = None
    heads: int = dataclasses.field(default=2, metadata={"static": True})


class Pair:
    def __init__(self, one, two, name="pair"):
        self.one, self.two, self.name = one, two, name

    def __eq__(self, other):
        return vars(self) == vars(other)

    def __repr__(self):
        return f"Pair({self.one}, {self.two}, {self.name})"


class Keyed(Pair):
    pass


for util in (tree_util, jax_util):
    util.register_pytree_node(Pair, lambda pair: ((pair.one, pair.two), pair.name), lambda name, parts: Pair(*parts, name))
    util.register_pytree_with_keys(
        Keyed,
        lambda pair, util=util: (((util.GetAttrKey("one"), pair.one), (util.DictKey("two"), pair.two)), pair.name),
        lambda name, parts: Keyed(*parts, name),
    )

TREES = [
    1,
    None,
    (),
    [],
    {},
    [None, ()],
    (1,),
    [1, (2, 3), []],
    {"b": 1, "a": 2},
    {"a": {"d": [1, None], "c": (2,)}, "A": 3},
    {3: 1, 1: {2: 2}},
    {(1, "b"): 1, (0, "c"): 2},
    OrderedDict(b=1, a=[2, 3]),
    defaultdict(list, b=1, a=2),
    Point(1, [2, 3]),
    Point({"z": 1, "y": Point(2, None)}, ()),
    Layer(1, [2, 3], heads=4),
    {"layers": [Layer(1, 2), Layer(3, None)], "head": Pair(4, {"k": 5}, "named")},
    Keyed(Keyed(1, [2]), 3),
    tree_util.Partial(max, 1, key=2),
    ["text", 2.5, object],
]
TREES_OF_BOTH = [one for one in TREES if not isinstance(one, tree_util.Partial)]


@pytest.mark.parametrize("one", TREES_OF_BOTH, ids=repr)
def test_as_jax(one):
    leaves, structure = tree.flatten(one)
    expected_leaves, expected = jax.tree.flatten(one)
    assert leaves == tree.leaves(one) == tree_util.tree_leaves(one) == expected_leaves
    assert (structure.num_leaves, structure.num_nodes) == (expected.num_leaves, expected.num_nodes)
    assert structure == tree.structure(one) and hash(structure) == hash(tree.structure(one))
    numbers = list(range(len(leaves)))
    assert tree.unflatten(structure, numbers) == jax.tree.unflatten(expected, numbers)
    assert tree.unflatten(structure, leaves) == one
    assert tree.map(str, one) == rlx.tree.map(str, one) == jax.tree.map(str, one)
    assert tree.map(lambda a, b: [a, b], one, one) == jax.tree.map(lambda a, b: [a, b], one, one)
    assert tree.all(one) == jax.tree.all(one)
    assert tree.reduce(lambda a, b: f"{a}{b}", one, "") == jax.tree.reduce(lambda a, b: f"{a}{b}", one, "")
    assert tree_util.treedef_is_leaf(structure) == jax_util.treedef_is_leaf(expected)
    assert tree.broadcast(7, one) == jax.tree.broadcast(7, one)
    assert [part.num_leaves for part in structure.children()] == [part.num_leaves for part in expected.children()]


@pytest.mark.parametrize("one", TREES_OF_BOTH, ids=repr)
def test_paths_as_jax(one):
    found, structure = tree.flatten_with_path(one)
    expected, _ = jax.tree.flatten_with_path(one)
    assert [leaf for _, leaf in found] == [leaf for _, leaf in expected] and structure == tree.structure(one)
    for simple, separator in ((False, ""), (True, "."), (True, "/"), (False, ", ")):
        ours = [tree_util.keystr(path, simple=simple, separator=separator) for path, _ in found]
        assert ours == [jax_util.keystr(path, simple=simple, separator=separator) for path, _ in expected]
    assert found == tree.leaves_with_path(one)
    ours = tree.map_with_path(lambda path, a, b: (tree_util.keystr(path), a, b), one, one)
    assert ours == jax.tree.map_with_path(lambda path, a, b: (jax_util.keystr(path), a, b), one, one)


@pytest.mark.parametrize("one", TREES_OF_BOTH, ids=repr)
@pytest.mark.parametrize(
    "is_leaf", [lambda x: x is None, lambda x: isinstance(x, (tuple, Layer)), lambda x: isinstance(x, dict), lambda x: True]
)
def test_is_leaf_as_jax(one, is_leaf):
    assert tree.leaves(one, is_leaf=is_leaf) == jax.tree.leaves(one, is_leaf=is_leaf)
    assert tree.map(repr, one, is_leaf=is_leaf) == jax.tree.map(repr, one, is_leaf=is_leaf)
    found, structure = tree.flatten_with_path(one, is_leaf=is_leaf)
    expected, _ = jax.tree.flatten_with_path(one, is_leaf=is_leaf)
    assert [(tree_util.keystr(path), leaf) for path, leaf in found] == [(jax_util.keystr(path), leaf) for path, leaf in expected]
    assert structure.unflatten([leaf for _, leaf in found]) == one
    assert tree.map_with_path(lambda path, x: x, one, is_leaf=is_leaf) == one


def test_is_leaf_can_take_the_path():
    one = {"a": [1, [2]], "b": [3]}

    def ends(path, node):
        return len(path) == 1 and path[0].key == "a"

    assert tree.leaves_with_path(one, is_leaf=ends, is_leaf_takes_path=True) == [
        ((tree_util.DictKey("a"),), [1, [2]]),
        ((tree_util.DictKey("b"), tree_util.SequenceKey(0)), 3),
    ]
    mapped = tree.map_with_path(lambda path, x: len(path), one, is_leaf=ends, is_leaf_takes_path=True)
    assert mapped == {"a": 1, "b": [2]}


@pytest.mark.parametrize("one", TREES, ids=repr)
def test_structures_differ_unless_trees_are_alike(one):
    structure = tree.structure(one)
    alike = [other for other in TREES if tree.structure(other) == structure]
    assert all(len(tree.leaves(other)) == structure.num_leaves for other in alike)
    expected = [other for other in TREES_OF_BOTH if jax.tree.structure(other) == jax.tree.structure(one)]
    if not isinstance(one, tree_util.Partial):
        assert [id(other) for other in alike] == [id(other) for other in expected]
    assert pickle.loads(pickle.dumps(structure)) == structure if not isinstance(one, tree_util.Partial) else True


def test_names_of_jax():
    missing = {name for name in jax.tree.__all__ if not hasattr(tree, name)} if hasattr(jax.tree, "__all__") else set()
    assert missing == set()
    public = {name for name in dir(jax_util) if name[0] != "_"}
    left_out = {"KeyEntry", "default_registry", "flatten_one_level", "flatten_one_level_with_keys", "is_tree_node"}
    assert public - set(dir(tree_util)) <= left_out
    assert {name for name in dir(jax.tree) if name[0] != "_"} <= set(dir(tree))


def test_dicts_of_the_same_keys_are_the_same_structure_and_keep_their_order():
    one, other = {"b": 1, "a": 2}, {"a": 10, "b": 20}
    assert tree.structure(one) == tree.structure(other) and tree.leaves(one) == [2, 1]
    assert list(tree.map(lambda a, b: a + b, one, other).items()) == [("b", 21), ("a", 12)]
    assert list(defaultdict(int, tree.map(str, defaultdict(int, b=1, a=2)))) == ["b", "a"]
    assert tree.structure(OrderedDict(b=1, a=2)) != tree.structure(OrderedDict(a=1, b=2))
    assert tree.structure(defaultdict(int, a=1)) != tree.structure(defaultdict(list, a=1))


def test_keys_without_an_order_among_them():
    one, other = {"a": 1, 1: 2, (0,): 3}, {(0,): 30, "a": 10, 1: 20}
    assert tree.structure(one) == tree.structure(other)
    assert tree.map(lambda a, b: (a, b), one, other) == {"a": (1, 10), 1: (2, 20), (0,): (3, 30)}
    strange = {1j: 1, 2j: 2}
    assert tree.map(str, strange) == {1j: "1", 2j: "2"}
    sizes = {rlx.Dim("b"): 1, rlx.Dim("a"): 2}  # symbols, of which neither is known to be smaller
    assert tree.map(str, sizes) == {rlx.Dim("b"): "1", rlx.Dim("a"): "2"}


def test_classes_derived_from_containers():
    class Items(list):
        pass

    assert type(tree.map(str, Items([1, 2]))) is Items and tree.map(str, Items([1])) == ["1"]
    assert tree.structure(Items([1])) != tree.structure([1])
    assert tree.map(lambda x: x + 1, Counter("aab")) == {"a": 3, "b": 2}
    assert tree.structure(Point(1, 2)) != tree.structure(Other(1, 2))


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        ({"a": [1, 2]}, {"a": (1, 2)}, "at ['a']: expected a list of 2, got a tuple of 2"),
        ({"a": [1, 2]}, {"a": [1]}, "at ['a']: expected a list of 2, got a list of 1"),
        ({"a": 1, "b": 2}, {"a": 1}, "expected a dict with the keys ['a', 'b'], got a dict with the keys ['a']"),
        ([Point(1, [2])], [Point(1, 2)], "at [0].y: expected a list of 1, got a leaf of type int"),
        ([None], [1], "at [0]: expected None, got a leaf of type int"),
        ([Layer(1, heads=1)], [Layer(1, heads=2)], "at [0]: expected a Layer with heads=1, got a Layer with heads=2"),
        (Keyed(1, [2]), Keyed(1, {}), "at ['two']: expected a list of 1, got an empty dict"),
        ([Pair(1, 2, "a")], [Pair(1, 2, "b")], "at [0]: expected a Pair of 2 with 'a', got a Pair of 2 with 'b'"),
    ],
)
def test_a_mismatch_says_where_and_what(one, other, message):
    with pytest.raises(ValueError):
        jax.tree.map(lambda a, b: a, one, other)
    with pytest.raises(RlxError, match="RLX114") as error:
        tree.map(lambda a, b: a, one, other)
    assert message in str(error.value)


def test_wrong_use_is_an_error():
    structure = tree.structure([1, 2])
    for leaves in ([1], [1, 2, 3]):
        with pytest.raises(RlxError, match=rf"RLX114.*{len(leaves)} leaves"):
            structure.unflatten(leaves)
    with pytest.raises(RlxError, match=r"RLX109.*Pair is a container already"):
        tree_util.register_pytree_node(Pair, lambda x: ((), None), lambda a, c: None)
    with pytest.raises(RlxError, match="RLX109"):
        tree_util.register_pytree_node(dict, lambda x: ((), None), lambda a, c: None)
    with pytest.raises(RlxError, match=r"RLX105.*not a class"):
        tree_util.register_pytree_node(1, lambda x: ((), None), lambda a, c: None)
    with pytest.raises(RlxError, match=r"RLX105.*not a dataclass"):
        tree_util.register_dataclass(type("Plain", (), {}))
    with pytest.raises(RlxError, match="both, or neither"):
        tree_util.register_dataclass(Layer, data_fields=["w"])
    fresh = dataclasses.make_dataclass("Fresh", ["w", "b"])
    with pytest.raises(RlxError, match="b must be in one list"):
        tree_util.register_dataclass(fresh, data_fields=["w"], meta_fields=[])
    with pytest.raises(RlxError, match="identity"):
        tree.reduce_associative(max, [])
    with pytest.raises(RlxError, match=r"RLX105.*static data of Pair at .*is not hashable"):
        hash(tree.structure([1, Pair(1, 2, [np.ones(2)])]))


def test_transpose_and_the_rest():
    rows = [{"a": 1, "b": (2, 3)}, {"a": 4, "b": (5, 6)}]
    outer, inner = tree.structure([0, 0]), tree.structure(rows[0])
    expected = jax.tree.transpose(jax.tree.structure([0, 0]), jax.tree.structure(rows[0]), rows)
    assert tree.transpose(outer, inner, rows) == tree.transpose(outer, None, rows) == expected
    with pytest.raises(RlxError, match="RLX114"):
        tree.transpose(outer, inner, [{"a": 1}, {"a": 2}])
    assert outer.compose(inner) == tree.structure(rows)
    assert repr(outer.compose(inner)) == "PyTreeDef([{'a': *, 'b': (*, *)}, {'a': *, 'b': (*, *)}])"
    assert tree_util.treedef_tuple([outer, inner]) == tree.structure(([0, 0], rows[0]))
    assert tree_util.all_leaves([1, "a"]) and not tree_util.all_leaves([1, None])
    assert inner.node_data() == (dict, ("a", "b")) and tree.structure(1).node_data() is None
    for count in range(1, 9):
        leaves = list(range(count))
        ours = tree.reduce_associative(lambda a, b: (f"{a}", f"{b}"), leaves)
        assert ours == jax.tree.reduce_associative(lambda a, b: (f"{a}", f"{b}"), leaves)


# -- what JAX has to be told --------------------------------------------------------------------------------------
@dataclasses.dataclass
class Plain:
    w: Any
    inner: Any = None
    name: str = tree.static(default="plain")


@dataclasses.dataclass(frozen=True)
class Frozen:
    w: Any
    size: int = 3


@attrs.define
class Defined:
    w: Any
    name: str = attrs.field(default="attrs", metadata={"static": True})


@attrs.frozen
class DefinedFrozen:
    w: Any


def test_dataclasses_and_attrs_classes_without_registration():
    one = {"plain": Plain(1, Plain([2, 3])), "attrs": Defined(4)}
    assert tree.leaves(one) == [4, 1, 2, 3]
    found = tree.map(lambda x: x * 10, one)
    assert found == {"plain": Plain(10, Plain([20, 30])), "attrs": Defined(40)}
    assert repr(tree.structure(one["attrs"])) == "PyTreeDef(CustomNode(Defined[('attrs',)], [*]))"
    paths = [tree_util.keystr(path) for path, _ in tree.leaves_with_path(one)]
    assert paths == ["['attrs'].w", "['plain'].w", "['plain'].inner.w[0]", "['plain'].inner.w[1]"]
    assert tree.structure(Plain(1, name="a")) != tree.structure(Plain(1, name="b"))


@pytest.mark.parametrize("kind", [Frozen, DefinedFrozen])
def test_hashable_classes_are_containers_only_where_they_hold_arrays(kind):
    assert tree.leaves(kind(1)) == [kind(1)]
    array = np.ones(2)
    assert tree.leaves(kind([kind(array)]))[0] is array
    assert tree.map(lambda x, y: y, kind([array]), kind([2])).w == [2]  # the second is read as the first is
    assert tree.leaves(kind(jax.ShapeDtypeStruct((2,), np.float32)))[0].shape == (2,)


def test_arrays_and_values_are_leaves_whatever_they_are_made_of():
    @dataclasses.dataclass
    class OwnArray:
        inside: Any

        def __array__(self, dtype=None, copy=None):
            return np.asarray(self.inside)

    own = OwnArray([1, 2])
    assert tree.leaves([own]) == [own]


def test_a_dataclass_is_put_together_without_its_code():
    @dataclasses.dataclass
    class Checked:
        w: Any
        doubled: Any = dataclasses.field(init=False)

        def __post_init__(self):
            self.doubled = self.w + self.w

    found = tree.map(str, Checked(1))
    assert (found.w, found.doubled) == ("1", "2")


def test_slots():
    @dataclasses.dataclass(slots=True)
    class Slotted:
        w: Any

    assert tree.map(str, Slotted(1)) == Slotted("1")


def test_registering_after_use():
    class Late:
        def __init__(self, w):
            self.w = w

    late = Late(1)
    assert tree.leaves([late]) == [late]
    tree_util.register_pytree_node(Late, lambda x: ((x.w,), None), lambda _, parts: Late(*parts))
    assert tree.leaves([late]) == [1]


def test_static_classes_and_partial():
    @tree_util.register_static
    class Mode(str):
        pass

    assert tree.leaves([Mode("a"), 1]) == [1]
    assert tree.structure(Mode("a")) != tree.structure(Mode("b"))
    bound = tree_util.Partial(lambda a, b, c: (a, b, c), 1, c=3)
    assert tree.leaves(bound) == [1, 3] and tree.map(lambda x: x * 2, bound)(5) == (2, 5, 6)
