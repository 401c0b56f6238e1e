"""Nested containers with the names of `jax.tree_util`: the functions of `rlx.tree`, keys of paths, and registering of classes."""

from rlx.trace.tree.containers import DictKey as DictKey
from rlx.trace.tree.containers import FlattenedIndexKey as FlattenedIndexKey
from rlx.trace.tree.containers import GetAttrKey as GetAttrKey
from rlx.trace.tree.containers import KeyPath as KeyPath
from rlx.trace.tree.containers import SequenceKey as SequenceKey
from rlx.trace.tree.containers import keystr as keystr
from rlx.trace.tree.functions import all_leaves as all_leaves
from rlx.trace.tree.functions import tree_all as tree_all
from rlx.trace.tree.functions import tree_broadcast as tree_broadcast
from rlx.trace.tree.functions import tree_flatten as tree_flatten
from rlx.trace.tree.functions import tree_flatten_with_path as tree_flatten_with_path
from rlx.trace.tree.functions import tree_leaves as tree_leaves
from rlx.trace.tree.functions import tree_leaves_with_path as tree_leaves_with_path
from rlx.trace.tree.functions import tree_map as tree_map
from rlx.trace.tree.functions import tree_map_with_path as tree_map_with_path
from rlx.trace.tree.functions import tree_reduce as tree_reduce
from rlx.trace.tree.functions import tree_reduce_associative as tree_reduce_associative
from rlx.trace.tree.functions import tree_structure as tree_structure
from rlx.trace.tree.functions import tree_transpose as tree_transpose
from rlx.trace.tree.functions import tree_unflatten as tree_unflatten
from rlx.trace.tree.functions import treedef_children as treedef_children
from rlx.trace.tree.functions import treedef_is_leaf as treedef_is_leaf
from rlx.trace.tree.functions import treedef_tuple as treedef_tuple
from rlx.trace.tree.registry import Partial as Partial
from rlx.trace.tree.registry import register_dataclass as register_dataclass
from rlx.trace.tree.registry import register_pytree_node as register_pytree_node
from rlx.trace.tree.registry import register_pytree_node_class as register_pytree_node_class
from rlx.trace.tree.registry import register_pytree_with_keys as register_pytree_with_keys
from rlx.trace.tree.registry import register_pytree_with_keys_class as register_pytree_with_keys_class
from rlx.trace.tree.registry import register_static as register_static
from rlx.trace.tree.treedef import TreeDef as TreeDef

PyTreeDef = TreeDef
