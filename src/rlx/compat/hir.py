"""HirModule: a builder of blocks in the words and the order of the original; ids are Values, so tensor ops work on them too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rlx.blocks import emit_block
from rlx.blocks.block import lower_block
from rlx.compat.hir_nodes import HirNode, HirNodeId, HirNodeMut
from rlx.core.dtype import DTypeLike
from rlx.core.enums import FusionPolicy, MaskKind
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.graph import Graph as BaseGraph
from rlx.ir.graph import Ref
from rlx.ir.op import OPS, Op, OpDef
from rlx.ir.value import Value
from rlx.module.emitter import ShapeLike, with_shape
from rlx.module.graph import Graph
from rlx.module.label_scopes import named, relabel
from rlx.module.levels import GraphStage, Module
from rlx.module.modules import GraphModule

T = TypeVar("T")

ARGUMENTS = {
    "linear": "x weight bias? | activation?",
    "linear_fused": "x weight bias | activation?",
    "shared_linear_pair": "x w_first w_second |",
    "swiglu_ffn": "x up_w gate_w down_w |",
    "residual_rms_norm": "x residual gamma beta | eps",
    "rms_norm": "x gamma beta | eps",
    "attention": "q k v mask | num_heads head_dim mask_kind?",
    "rope": "x cos sin | head_dim n_rot?",
    "depthwise_conv1d_causal": "input weight left_pad | kernel_size",
    "dequant_matmul": "x w scale zp | scheme",
    "gated_delta_net": "q k v g beta | state_size",
    "gated_delta_net_carry": "q k v g beta state | state_size",
    "llama_decoder_block": "x ln1_g ln1_b q_w k_w v_w o_w ln2_g ln2_b gate_w up_w down_w cos sin mask? | "
    "num_heads head_dim num_kv_heads eps mask_kind",
    "qwen35_mtp_head": "h_pre_norm input_ids cos sin last_token_idx embed_w hnorm_w hnorm_b enorm_w enorm_b eh_w fa_attn_norm_w "
    "fa_attn_norm_b fa_q_gate_w fa_k_w fa_v_w fa_q_norm_w fa_q_norm_b fa_k_norm_w fa_k_norm_b fa_o_w fa_post_norm_w fa_post_norm_b "
    "fa_gate_w fa_up_w fa_down_w head_norm_w head_norm_b lm_head_w | "
    "num_heads num_kv_heads head_dim n_rot n_embd n_ff mtp_vocab eps",
}
"""The Rust RLX's arguments of each block in order, operands and attributes: `?` marks an optional one, as `out_shape` is."""


class BlockArguments(NamedTuple):
    """The arguments of a block call: operands, attributes and out_shape."""

    operands: list[Any]
    attributes: dict[str, Any]
    out_shape: ShapeLike | None


def words_of(block: str) -> tuple[list[str], list[str]]:
    """The argument names of a block's operands and attributes in the original."""
    operands, _, attributes = ARGUMENTS[block].partition("|")
    return operands.split(), attributes.split()


def bind(block: str, operands: list[str], attributes: list[str], args: Sequence[Any], named: dict[str, Any]) -> BlockArguments:
    """Binds a block call's arguments by position or by the original's names."""
    words = [word.rstrip("?") for word in (*operands, *attributes, "out_shape")]
    given = dict(zip(words, args, strict=False))
    fix = ", ".join(words)
    if len(args) > len(words):
        raise RlxError("RLX101", f"{block} takes {len(words)} arguments, got {len(args)}", fix=fix)
    for word in named:
        if word not in words or word in given:
            raise RlxError("RLX105", f"{block} got {word}, {'twice' if word in given else 'which it does not take'}", fix=fix)
    given |= named
    missing = [word for word in (*operands, *attributes) if word[-1] != "?" and word not in given]
    if missing:
        raise RlxError("RLX101", f"{block} lacks {', '.join(missing)}", fix=fix)
    attrs = {word: given[word] for word in words[len(operands) : -1] if word in given}
    if "mask_kind" in attrs:
        attrs["mask_kind"] = MaskKind.parse(attrs["mask_kind"])
    return BlockArguments([given.get(word) for word in words[: len(operands)]], attrs, given.get("out_shape"))


def make_method(block: str) -> Callable[..., Any]:
    """Makes the method of HirModule that builds a block; it returns one id for each result."""

    def method(self: HirModule, *args: Any, name: str | None = None, **named: Any) -> HirNodeId | tuple[HirNodeId, ...]:
        given = bind(block, *words_of(block), args, named)
        made = emit_block(self.graph, block, given.operands, given.attributes, name)
        results = made if isinstance(made, tuple) else (made,)
        with_shape(block, results[0], given.out_shape)
        ids = tuple(as_id(value) for value in results)
        return ids if isinstance(made, tuple) else ids[0]

    method.__name__, method.__qualname__ = block, f"HirModule.{block}"
    method.__doc__ = f"{OPS[f'hir.{block}'].doc}\n\n{ARGUMENTS[block]} out_shape?"
    return method


def as_id(value: Value) -> HirNodeId:
    """Converts a value to its HIR node id."""
    return HirNodeId(value.graph, value.ref)


if TYPE_CHECKING:
    from rlx.module.builders.methods import HirMethods as HirMethods
else:

    class HirMethods:
        """A method for each block."""


class HirModule(HirMethods, Module):
    """A graph of blocks and tensor ops, and the policy its blocks lower by. `out_shape` may be left out; it is checked where given.

    Every other builder of a GraphModule is a method here too: `hir.relu(x)`, `hir.scope("layers")`.

    >>> hir = HirModule("mlp")
    >>> x, w, b = hir.input("x", Shape((2, 4))), hir.param("w", Shape((4, 3))), hir.param("b", Shape((3,)))
    >>> hir.set_outputs([hir.linear(x, w, b, "gelu", Shape((2, 3)))])
    >>> hir.outputs, [node.name for node in hir.nodes()]
    ([h3], ['x', 'w', 'b', 'linear'])
    >>> [node.op.name for node in hir.lower_to_mir().graph.nodes]
    ['input', 'param', 'param', 'fused']
    """

    def __init__(self, name: str | Graph, fusion_policy: FusionPolicy = FusionPolicy.Direct) -> None:
        graph = name if isinstance(name, BaseGraph) else Graph(name, "hir")
        super().__init__(graph=graph, level=GraphStage.HIR, policy=fusion_policy)

    @staticmethod
    def new(name: str) -> HirModule:
        """An empty module."""
        return HirModule(name)

    @staticmethod
    def wrap_mir_graph(graph: BaseGraph) -> HirModule:
        """Copies a MIR graph to HIR, where blocks can be added; its Values are new ones."""
        return HirModule(GraphModule.wrap_mir_graph(graph)._graph())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(GraphModule(self), name)

    # -- leaves and outputs -------------------------------------------------------------------------------------
    def input(self, name: str, shape: ShapeLike, dtype: DTypeLike | None = None) -> HirNodeId:
        """Declares a tensor passed to each run."""
        return as_id(self.graph.input(name, shape, dtype))

    def input_batch_seq(self, name: str, batch: object, seq: object, hidden: object, dtype: DTypeLike = "f32") -> HirNodeId:
        """Declares an input `[batch, seq, hidden]`; sizes are ints, Dims or names of symbols."""
        return self.input(name, Shape.batch_seq(batch, seq, hidden, dtype))

    def param(self, name: str, shape: ShapeLike, dtype: DTypeLike | None = None) -> HirNodeId:
        """Declares a weight."""
        return as_id(self.graph.param(name, shape, dtype))

    def set_outputs(self, ids: Value | Sequence[Value]) -> None:
        """Declares the outputs; each takes its node's name, else `output_<i>`."""
        self.graph.set_outputs(ids)

    @property
    def outputs(self) -> list[HirNodeId]:
        """The ids of the outputs."""
        return [HirNodeId(self.graph, ref) for ref in self.graph.output_refs.values()]

    # -- blocks that are not records, any op, scopes ------------------------------------------------------------
    def transformer_block(self, *inputs: Any, **named_inputs: Any) -> HirNodeId:
        """`llama_decoder_block` under another label."""
        layer: HirNodeId = self.llama_decoder_block(*inputs, **named_inputs)
        relabel(self.graph, layer, "/".join((*self.graph.scope, "transformer_block")))
        return layer

    def mir(self, op: Op | OpDef | str, inputs: Sequence[Any], shape: ShapeLike | None = None, **attrs: Any) -> Value | Any:
        """Emits any tensor op; several results come as a tuple. A shape is checked against the inferred one."""
        made = GraphModule(self).hir_mir(op, inputs, shape, **attrs)
        return tuple(as_id(value) for value in made) if isinstance(made, tuple) else as_id(made)

    def named(self, name: str, build: Callable[[HirModule], T]) -> T:
        """Runs `build(hir)` in a scope; the block it returns takes the scope's path as its label."""
        return named(self.graph, name, lambda: build(self))

    # -- policy -------------------------------------------------------------------------------------------------
    @property
    def fusion_policy(self) -> FusionPolicy:
        """The policy by which blocks lower."""
        assert self.policy is not None
        return self.policy

    @fusion_policy.setter
    def fusion_policy(self, policy: FusionPolicy | str) -> None:
        self.policy = FusionPolicy(FusionPolicy.parse(policy))

    def with_fusion_policy(self, policy: FusionPolicy | str) -> HirModule:
        """The same graph under another policy."""
        return HirModule(self.graph, FusionPolicy(FusionPolicy.parse(policy)))

    # -- reading ------------------------------------------------------------------------------------------------
    def nodes(self) -> list[HirNode]:
        """All nodes, in order of their ids."""
        return [HirNode.of(self.graph, ref) for ref in self._refs()]

    def node(self, id: HirNodeId | int) -> HirNode:
        """The node with this id."""
        return HirNode.of(self.graph, self._ref(id))

    def node_mut(self, id: HirNodeId | int) -> HirNodeMut:
        """A view of a node that allows setting its name and shape."""
        return HirNodeMut(self.graph, self._ref(id))

    def is_empty(self) -> bool:
        """Whether the module has no nodes."""
        return not self.graph.nodes

    def len(self) -> int:
        """The number of nodes."""
        return len(self)

    def __len__(self) -> int:
        return sum(len(node.results) for node in self.graph.nodes)

    def __bool__(self) -> bool:
        return True

    def _refs(self) -> list[Ref]:
        return [ref for node in self.graph.nodes for ref in node.outputs]

    def _ref(self, id: HirNodeId | int) -> Ref:
        refs = self._refs()
        index = id.index if isinstance(id, HirNodeId) else id
        if not 0 <= index < len(refs):
            raise RlxError("RLX115", f"node h{index} of {len(refs)}", fix="an id that a builder of this module gave")
        return refs[index]


if not TYPE_CHECKING:
    for _block in ARGUMENTS:
        setattr(HirMethods, _block, make_method(_block))


# -- blocks in a graph of one's own ---------------------------------------------------------------------------------
def lower_llama_decoder_block(g: Graph, inputs: Sequence[Value | None], *args: Any, **named: Any) -> Value:
    """Emits `llama_decoder_block` as tensor ops from its inputs: num_heads, head_dim, num_kv_heads, eps, mask, out_shape.

    >>> g = Graph("g")
    >>> x, v, w, t = g.input("x", (1, 3, 8)), g.param("v", (8,)), g.param("w", (8, 8)), g.param("t", (3, 2))
    >>> lower_llama_decoder_block(g, [x, v, None, w, w, w, w, v, None, w, w, w, t, t], 2, 4, 2, 1e-5, "causal").type
    f32[1, 3, 8]
    """
    return _lower("llama_decoder_block", g, inputs, args, named)


def lower_qwen35_mtp_head(g: Graph, inputs: Sequence[Value | None], *args: Any, **named: Any) -> Value:
    """The head as tensor ops: num_heads, num_kv_heads, head_dim, n_rot, n_embd, n_ff, mtp_vocab, eps, out_shape.

    >>> g = Graph("g")
    >>> x, ids, last = g.input("x", (1, 3, 8)), g.input("ids", (1, 3), "i32"), g.input("last", (1,), "i32")
    >>> t, v, n, w, e, q = (g.param(name, dims) for name, dims in zip("tvnweq", ((3, 2), 8, 4, (8, 8), (16, 8), (8, 16))))
    >>> attention = [v, None, q, w, w, n, None, n, None, w, v, None]
    >>> inputs = [x, ids, t, t, last, w, v, None, v, None, e, *attention, w, w, w, v, None, w]
    >>> lower_qwen35_mtp_head(g, inputs, 2, 2, 4, 4, 8, 8, 8, 1e-6).type
    f32[1, 1, 8]
    """
    return _lower("qwen35_mtp_head", g, inputs, args, named)


def _lower(block: str, g: Graph, inputs: Sequence[Value | None], args: Sequence[Any], named: dict[str, Any]) -> Value:
    named = {"mask_kind" if word == "mask" else word: value for word, value in named.items()}
    given = bind(block, [], words_of(block)[1], args, named)
    out_shape = given.out_shape
    assert out_shape is None or isinstance(out_shape, Shape)
    return lower_block(block, g, inputs, given.attributes, out_shape)
