"""HirModule: a builder of blocks in the words and the order of the original; ids are Values, so tensor ops work on them too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from rlx.blocks import emit_block, lower_to_mir
from rlx.core.dtype import DTypeLike
from rlx.core.enums import Activation, FusionPolicy, MaskKind
from rlx.core.errors import RlxError
from rlx.core.quant_scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.emit import emit
from rlx.ir.graph import Graph as BaseGraph
from rlx.ir.graph import Ref
from rlx.ir.op import OPS, Op, OpDef
from rlx.ir.pattern import Rewriter
from rlx.ir.value import Value
from rlx.module.emitter import ShapeLike, with_shape
from rlx.module.graph import Graph
from rlx.module.hir_nodes import HirNode, HirNodeId, HirNodeMut
from rlx.module.label_scopes import named, relabel
from rlx.module.levels import GraphStage, MirModule, Module

_LLAMA = """x ln1_g ln1_b q_w k_w v_w o_w ln2_g ln2_b gate_w up_w down_w cos sin mask
    num_heads head_dim num_kv_heads eps mask_kind out_shape"""
_MTP = """h_pre_norm input_ids cos sin last_token_idx embed_w hnorm_w hnorm_b enorm_w enorm_b eh_w fa_attn_norm_w
    fa_attn_norm_b fa_q_gate_w fa_k_w fa_v_w fa_q_norm_w fa_q_norm_b fa_k_norm_w fa_k_norm_b fa_o_w fa_post_norm_w
    fa_post_norm_b fa_gate_w fa_up_w fa_down_w head_norm_w head_norm_b lm_head_w
    num_heads num_kv_heads head_dim n_rot n_embd n_ff mtp_vocab eps out_shape"""

T = TypeVar("T")


class HirModule(Module):
    """A graph of blocks and tensor ops, and the policy its blocks lower by. `out_shape` may be left out; it is checked where given.

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
        """The same nodes at HIR, where blocks can be added; its Values are new ones."""
        rewriter = Rewriter(graph, "wrap", level="hir")
        for node in graph.nodes:
            rewriter.copy(node)
        return HirModule(Graph.adopt(rewriter.finish()[0]))

    # -- leaves and outputs -------------------------------------------------------------------------------------
    def input(self, name: str, shape: ShapeLike) -> HirNodeId:
        """A tensor given at each run."""
        return self._id(self.graph.input(name, shape))

    def input_batch_seq(self, name: str, batch: object, seq: object, hidden: object, dtype: DTypeLike = "f32") -> HirNodeId:
        """An input `[batch, seq, hidden]`; sizes are ints, Dims or names of symbols."""
        return self.input(name, Shape.batch_seq(batch, seq, hidden, dtype))

    def param(self, name: str, shape: ShapeLike) -> HirNodeId:
        """A weight."""
        return self._id(self.graph.param(name, shape))

    def set_outputs(self, ids: Sequence[Value]) -> None:
        """Declare the outputs; each takes its node's name, else `output_<i>`."""
        self.graph.set_outputs(list(ids))

    @property
    def outputs(self) -> list[HirNodeId]:
        """The ids of the outputs."""
        return [HirNodeId(self.graph, ref) for ref in self.graph.output_refs.values()]

    # -- products -----------------------------------------------------------------------------------------------
    def linear(
        self,
        x: Value,
        weight: Value,
        bias: Value | None = None,
        activation: Activation | str | None = None,
        out_shape: ShapeLike | None = None,
    ) -> HirNodeId:
        """activation(x @ weight + bias)."""
        return self._block("linear", (x, weight, bias), {"activation": activation}, out_shape)[0]

    def linear_fused(
        self, x: Value, weight: Value, bias: Value, activation: Activation | str | None = None, out_shape: ShapeLike | None = None
    ) -> HirNodeId:
        """activation(x @ weight + bias) as one fused op."""
        return self._block("linear_fused", (x, weight, bias), {"activation": activation}, out_shape)[0]

    def shared_linear_pair(
        self, x: Value, w_first: Value, w_second: Value, out_shape: ShapeLike | None = None
    ) -> tuple[HirNodeId, HirNodeId]:
        """x @ w_first and x @ w_second."""
        first, second = self._block("shared_linear_pair", (x, w_first, w_second), {}, out_shape)
        return first, second

    def swiglu_ffn(self, x: Value, up_w: Value, gate_w: Value, down_w: Value, out_shape: ShapeLike | None = None) -> HirNodeId:
        """(silu(x @ gate_w)·(x @ up_w)) @ down_w."""
        return self._block("swiglu_ffn", (x, up_w, gate_w, down_w), {}, out_shape)[0]

    def dequant_matmul(
        self,
        x: Value,
        w: Value,
        scale: Value | None,
        zp: Value | None,
        scheme: QuantScheme | str,
        out_shape: ShapeLike | None = None,
    ) -> HirNodeId:
        """x @ dequantized(w)."""
        return self._block("dequant_matmul", (x, w, scale, zp), {"scheme": scheme}, out_shape)[0]

    # -- around attention ---------------------------------------------------------------------------------------
    def rms_norm(self, x: Value, gamma: Value, beta: Value | None, eps: float, out_shape: ShapeLike | None = None) -> HirNodeId:
        """rms_norm of the last axis."""
        return self._block("rms_norm", (x, gamma, beta), {"eps": eps}, out_shape)[0]

    def residual_rms_norm(
        self, x: Value, residual: Value, gamma: Value, beta: Value | None, eps: float, out_shape: ShapeLike | None = None
    ) -> HirNodeId:
        """rms_norm(x + residual)."""
        return self._block("residual_rms_norm", (x, residual, gamma, beta), {"eps": eps}, out_shape)[0]

    def attention(
        self,
        q: Value,
        k: Value,
        v: Value,
        mask: Value | None,
        num_heads: int,
        head_dim: int,
        mask_kind: MaskKind | str | None = None,
        out_shape: ShapeLike | None = None,
    ) -> HirNodeId:
        """softmax(q·kᵀ·scale + mask)·v for each head."""
        attrs = {"num_heads": num_heads, "head_dim": head_dim, "mask_kind": MaskKind.parse(mask_kind)}
        return self._block("attention", (q, k, v, mask), attrs, out_shape)[0]

    def rope(
        self, x: Value, cos: Value, sin: Value, head_dim: int, n_rot: int | None = None, out_shape: ShapeLike | None = None
    ) -> HirNodeId:
        """Rotary position embedding of the first n_rot dims of each head."""
        return self._block("rope", (x, cos, sin), {"head_dim": head_dim, "n_rot": n_rot}, out_shape)[0]

    def depthwise_conv1d_causal(
        self, input: Value, weight: Value, left_pad: Value, kernel_size: int, out_shape: ShapeLike | None = None
    ) -> HirNodeId:
        """Each channel of `[B, S, C]` with its own taps `[C, 1, 1, K]` over left_pad `[B, K-1, C]` and the input."""
        operands, attrs = (input, weight, left_pad), {"kernel_size": kernel_size}
        return self._block("depthwise_conv1d_causal", operands, attrs, out_shape)[0]

    def gated_delta_net(
        self, q: Value, k: Value, v: Value, g: Value, beta: Value, state_size: int, out_shape: ShapeLike | None = None
    ) -> HirNodeId:
        """o of a gated delta net that begins with an empty state."""
        return self._block("gated_delta_net", (q, k, v, g, beta), {"state_size": state_size}, out_shape)[0]

    def gated_delta_net_carry(
        self, q: Value, k: Value, v: Value, g: Value, beta: Value, state: Value, state_size: int, out_shape: ShapeLike | None = None
    ) -> tuple[HirNodeId, HirNodeId]:
        """(o, the state after the last step) of a gated delta net."""
        operands, attrs = (q, k, v, g, beta, state), {"state_size": state_size}
        o, after = self._block("gated_delta_net_carry", operands, attrs, out_shape)
        return o, after

    # -- whole layers -------------------------------------------------------------------------------------------
    def llama_decoder_block(self, *inputs: Any, **named_inputs: Any) -> HirNodeId:
        """One decoder layer.

        x, ln1_g, ln1_b, q_w, k_w, v_w, o_w, ln2_g, ln2_b, gate_w, up_w, down_w, cos, sin, mask?, num_heads, head_dim,
        num_kv_heads, eps, mask_kind, out_shape
        """
        return self._layer("llama_decoder_block", _LLAMA.split(), inputs, named_inputs)

    def transformer_block(self, *inputs: Any, **named_inputs: Any) -> HirNodeId:
        """`llama_decoder_block` under another label."""
        found = self.llama_decoder_block(*inputs, **named_inputs)
        relabel(self.graph, found, "/".join((*self.graph.scope, "transformer_block")))
        return found

    def qwen35_mtp_head(self, *inputs: Any, **named_inputs: Any) -> HirNodeId:
        """The multi-token-prediction head.

        h_pre_norm, input_ids, cos, sin, last_token_idx, embed_w, hnorm_w, hnorm_b, enorm_w, enorm_b, eh_w,
        fa_attn_norm_w, fa_attn_norm_b, fa_q_gate_w, fa_k_w, fa_v_w, fa_q_norm_w, fa_q_norm_b, fa_k_norm_w, fa_k_norm_b,
        fa_o_w, fa_post_norm_w, fa_post_norm_b, fa_gate_w, fa_up_w, fa_down_w, head_norm_w, head_norm_b, lm_head_w,
        num_heads, num_kv_heads, head_dim, n_rot, n_embd, n_ff, mtp_vocab, eps, out_shape
        """
        return self._layer("qwen35_mtp_head", _MTP.split(), inputs, named_inputs)

    def _layer(self, op: str, words: Sequence[str], inputs: Sequence[Any], named_inputs: Mapping[str, Any]) -> HirNodeId:
        """A block of many arguments, by position or by the original's words; the operands stand before num_heads."""
        if len(inputs) > len(words):
            raise RlxError("RLX101", f"{op} takes {len(words)} arguments, got {len(inputs)}", fix=", ".join(words))
        given = dict(zip(words, inputs, strict=False))
        for word in named_inputs:
            if word not in words or word in given:
                problem = "twice" if word in given else "which it does not take"
                raise RlxError("RLX105", f"{op} got {word}, {problem}", fix=", ".join(words))
        given.update(named_inputs)
        missing = [word for word in words if word not in given and word not in ("mask", "out_shape")]
        if missing:
            raise RlxError("RLX101", f"{op} lacks {', '.join(missing)}", fix=", ".join(words))
        split = words.index("num_heads")
        attrs = {word: given[word] for word in words[split:-1]}
        if "mask_kind" in attrs:
            attrs["mask_kind"] = MaskKind.parse(attrs["mask_kind"])
        return self._block(op, [given.get(word) for word in words[:split]], attrs, given.get("out_shape"))[0]

    # -- any op, scopes -----------------------------------------------------------------------------------------
    def mir(self, op: Op | OpDef | str, inputs: Sequence[Any], shape: ShapeLike | None = None, **attrs: Any) -> Value | Any:
        """Any tensor op; several results come as a tuple. A shape is checked against the inferred one."""
        if isinstance(op, Op):
            op, attrs = op.definition, {**op.attrs, **attrs}
        record = op if isinstance(op, OpDef) else OPS[op]
        found = emit(record, inputs, attrs, graph=self.graph)
        if isinstance(found, tuple):
            return tuple(self._id(value) for value in found)
        return self._id(with_shape(record.name, found, shape))

    def named(self, name: str, build: Callable[[HirModule], T]) -> T:
        """`build(hir)` in a scope; the block it returns takes the scope's path as its label."""
        return named(self.graph, name, lambda: build(self))

    # -- policy and lowering ------------------------------------------------------------------------------------
    @property
    def fusion_policy(self) -> FusionPolicy:
        """How blocks lower."""
        assert self.policy is not None
        return self.policy

    @fusion_policy.setter
    def fusion_policy(self, policy: FusionPolicy | str) -> None:
        self.policy = FusionPolicy(FusionPolicy.parse(policy))

    def with_fusion_policy(self, policy: FusionPolicy | str) -> HirModule:
        """The same graph under another policy."""
        return HirModule(self.graph, FusionPolicy(FusionPolicy.parse(policy)))

    def lower_to_mir(self, policy: FusionPolicy | str | None = None) -> MirModule:
        """Blocks replaced by tensor ops, by the module's policy unless another is given."""
        graph, values = lower_to_mir(self.graph, policy or self.fusion_policy)
        return MirModule(Graph.adopt(graph), values)

    def lower_for_autodiff(self) -> MirModule:
        """Blocks replaced by primitives, which transforms read."""
        return self.lower_to_mir(FusionPolicy.for_autodiff())

    # -- reading ------------------------------------------------------------------------------------------------
    def nodes(self) -> list[HirNode]:
        """All nodes, in order of their ids."""
        return [HirNode.of(self.graph, ref) for ref in self._refs()]

    def node(self, id: HirNodeId | int) -> HirNode:
        """A node by id."""
        return HirNode.of(self.graph, self._ref(id))

    def node_mut(self, id: HirNodeId | int) -> HirNodeMut:
        """A node whose name and shape can be set."""
        return HirNodeMut(self.graph, self._ref(id))

    def is_empty(self) -> bool:
        """Whether nothing was built yet."""
        return not self.graph.nodes

    def len(self) -> int:
        """How many nodes it has."""
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

    def _id(self, value: Value) -> HirNodeId:
        return HirNodeId(value.graph, value.ref)

    def _block(
        self, op: str, inputs: Sequence[Any], attrs: Mapping[str, Any], out_shape: ShapeLike | None
    ) -> tuple[HirNodeId, ...]:
        found = emit_block(self.graph, op, inputs, attrs, None)
        results: tuple[Value, ...] = found if isinstance(found, tuple) else (found,)
        with_shape(op, results[0], out_shape)
        return tuple(self._id(value) for value in results)
