"""Nested containers of arrays (`rlx.tree.map(f, params)`), with the names of `jax.tree`."""

from rlx.trace.tree.functions import tree_all as all
from rlx.trace.tree.functions import tree_broadcast as broadcast
from rlx.trace.tree.functions import tree_flatten as flatten
from rlx.trace.tree.functions import tree_flatten_with_path as flatten_with_path
from rlx.trace.tree.functions import tree_leaves as leaves
from rlx.trace.tree.functions import tree_leaves_with_path as leaves_with_path
from rlx.trace.tree.functions import tree_map as map
from rlx.trace.tree.functions import tree_map_with_path as map_with_path
from rlx.trace.tree.functions import tree_reduce as reduce
from rlx.trace.tree.functions import tree_reduce_associative as reduce_associative
from rlx.trace.tree.functions import tree_structure as structure
from rlx.trace.tree.functions import tree_transpose as transpose
from rlx.trace.tree.functions import tree_unflatten as unflatten
from rlx.trace.tree.registry import static

__all__ = [
    "all",
    "broadcast",
    "flatten",
    "flatten_with_path",
    "leaves",
    "leaves_with_path",
    "map",
    "map_with_path",
    "reduce",
    "reduce_associative",
    "static",
    "structure",
    "transpose",
    "unflatten",
]
