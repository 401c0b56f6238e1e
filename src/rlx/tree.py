"""Nested containers of arrays (`rlx.tree.map(f, params)`), with the names of `jax.tree`."""

from rlx.trace.tree import functions as _functions
from rlx.trace.tree.registry import static as static

all = _functions.tree_all
broadcast = _functions.tree_broadcast
flatten = _functions.tree_flatten
flatten_with_path = _functions.tree_flatten_with_path
leaves = _functions.tree_leaves
leaves_with_path = _functions.tree_leaves_with_path
map = _functions.tree_map
map_with_path = _functions.tree_map_with_path
reduce = _functions.tree_reduce
reduce_associative = _functions.tree_reduce_associative
structure = _functions.tree_structure
transpose = _functions.tree_transpose
unflatten = _functions.tree_unflatten
