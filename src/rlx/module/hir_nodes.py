"""HIR as the original reads it: ids h0, h1, …, nodes, and the family of their ops for `match` statements.

A node of the original has one result, so a block of two results is two nodes here: `SharedLinearPair(slot=0)` and `(slot=1)`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

from rlx.core.enums import MaskKind
from rlx.core.errors import RlxError
from rlx.core.quant_scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.attributes import ArrayValue
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import Op
from rlx.ir.value import Value


class HirNodeId(Value):
    """The id of a HIR node, which is a Value too: `h + 1` adds a node.

    >>> import rlx
    >>> hir = rlx.compat.HirModule("m")
    >>> x, w = hir.input("x", rlx.Shape((2, 4))), hir.param("w", rlx.Shape((4, 3)))
    >>> y = hir.linear(x, w)
    >>> y, y.index, y.type
    (h2, 2, f32[2, 3])
    """

    __slots__ = ()

    @property
    def index(self) -> int:
        """Its position among the module's nodes."""
        return sum(len(node.results) for node in self.graph.nodes[: self.ref.node]) + self.ref.index

    def __repr__(self) -> str:
        return f"h{self.index}"


class HirOp:
    """What a HIR node computes: the block ops with the original's fields, leaves, and `Mir(op)` for every tensor op.

    >>> import rlx
    >>> hir = rlx.compat.HirModule("m")
    >>> y = hir.linear(hir.input("x", rlx.Shape((2, 4))), hir.param("w", rlx.Shape((4, 3))), None, "gelu")
    >>> match hir.node(y).op:
    ...     case HirOp.Linear(activation=activation, has_bias=False):
    ...         print(activation)
    gelu
    """

    block: ClassVar[str] = ""

    @property
    def label(self) -> str:
        """The label a node of it has unless it is named."""
        return self.block

    @staticmethod
    def of(node: Node, result: int = 0) -> HirOp:
        """The op of one result of a node."""
        kind = KINDS.get(node.op.name, HirOp.Mir)
        attrs = node.op.attrs
        known: dict[str, Any] = {
            **attrs,
            "op": node.op,
            "has_bias": len(node.refs) == 3,
            "slot": result,
            "mask": attrs.get("mask_kind"),
            "carry_state": node.op.name == "hir.gated_delta_net_carry",
        }
        for name, instead in (("num_kv_heads", "num_heads"), ("n_rot", "head_dim")):
            if name in attrs and attrs[name] is None:
                known[name] = attrs[instead]
        return kind(**{field.name: known[field.name] for field in fields(kind)})  # type: ignore[arg-type]

    # the kinds, assigned below
    Input: ClassVar[type[Input]]
    Param: ClassVar[type[Param]]
    Constant: ClassVar[type[Constant]]
    Linear: ClassVar[type[Linear]]
    LinearFused: ClassVar[type[LinearFused]]
    SharedLinearPair: ClassVar[type[SharedLinearPair]]
    SwiGLU: ClassVar[type[SwiGLU]]
    ResidualRmsNorm: ClassVar[type[ResidualRmsNorm]]
    Attention: ClassVar[type[Attention]]
    DepthwiseConv1dCausal: ClassVar[type[DepthwiseConv1dCausal]]
    DequantMatMul: ClassVar[type[DequantMatMul]]
    GatedDeltaNet: ClassVar[type[GatedDeltaNet]]
    RoPE: ClassVar[type[RoPE]]
    RmsNorm: ClassVar[type[RmsNorm]]
    LlamaDecoderBlock: ClassVar[type[LlamaDecoderBlock]]
    Qwen35MtpHead: ClassVar[type[Qwen35MtpHead]]
    Mir: ClassVar[type[Mir]]


@dataclass(frozen=True)
class Input(HirOp):
    """A tensor given at each run."""

    block = "input"
    name: str


@dataclass(frozen=True)
class Param(HirOp):
    """A weight."""

    block = "param"
    name: str


@dataclass(frozen=True)
class Constant(HirOp):
    """An array known while building."""

    block = "constant"
    value: ArrayValue


@dataclass(frozen=True)
class Linear(HirOp):
    """activation(x @ w + b)."""

    block = "linear"
    activation: str | None
    has_bias: bool


@dataclass(frozen=True)
class LinearFused(HirOp):
    """activation(x @ w + b) as one fused op."""

    block = "linear_fused"
    activation: str | None


@dataclass(frozen=True)
class SharedLinearPair(HirOp):
    """One of two products of the same x."""

    block = "shared_linear_pair"
    slot: int

    @property
    def label(self) -> str:
        """With the slot."""
        return f"{self.block}[{self.slot}]"


@dataclass(frozen=True)
class SwiGLU(HirOp):
    """A gated feed-forward layer."""

    block = "swiglu_ffn"


@dataclass(frozen=True)
class ResidualRmsNorm(HirOp):
    """rms_norm(x + residual)."""

    block = "residual_rms_norm"
    eps: float


@dataclass(frozen=True)
class Attention(HirOp):
    """Attention."""

    block = "attention"
    num_heads: int
    head_dim: int
    mask: MaskKind


@dataclass(frozen=True)
class DepthwiseConv1dCausal(HirOp):
    """A causal convolution of each channel."""

    block = "depthwise_conv1d_causal"
    kernel_size: int


@dataclass(frozen=True)
class DequantMatMul(HirOp):
    """x @ dequantized(w)."""

    block = "dequant_matmul"
    scheme: QuantScheme

    @property
    def label(self) -> str:
        """With the scheme."""
        return f"{self.block}({self.scheme})"


@dataclass(frozen=True)
class GatedDeltaNet(HirOp):
    """A gated delta net; with carry_state its second result is the state."""

    block = "gated_delta_net"
    state_size: int
    carry_state: bool

    @property
    def label(self) -> str:
        """With the carry."""
        return f"{self.block}_carry" if self.carry_state else self.block


@dataclass(frozen=True)
class RoPE(HirOp):
    """Rotary position embedding."""

    block = "rope"
    head_dim: int
    n_rot: int


@dataclass(frozen=True)
class RmsNorm(HirOp):
    """rms_norm of the last axis."""

    block = "rms_norm"
    eps: float


@dataclass(frozen=True)
class LlamaDecoderBlock(HirOp):
    """A decoder layer."""

    block = "llama_decoder_block"
    num_heads: int
    head_dim: int
    num_kv_heads: int
    eps: float
    mask: MaskKind


@dataclass(frozen=True)
class Qwen35MtpHead(HirOp):
    """A multi-token-prediction head."""

    block = "qwen35_mtp_head"
    num_heads: int
    num_kv_heads: int
    head_dim: int
    n_rot: int
    n_embd: int
    n_ff: int
    mtp_vocab: int
    eps: float


@dataclass(frozen=True)
class Mir(HirOp):
    """A tensor op."""

    block = "mir"
    op: Op


_LEAVES = (Input, Param, Constant)
_BLOCKS = (
    *(Linear, LinearFused, SharedLinearPair, SwiGLU, ResidualRmsNorm, Attention, DepthwiseConv1dCausal, DequantMatMul),
    *(GatedDeltaNet, RoPE, RmsNorm, LlamaDecoderBlock, Qwen35MtpHead),
)
KINDS: dict[str, type[HirOp]] = {
    **{kind.block: kind for kind in _LEAVES},
    **{f"hir.{kind.block}": kind for kind in _BLOCKS},
    "hir.gated_delta_net_carry": GatedDeltaNet,
}
for _kind in (*_LEAVES, *_BLOCKS, Mir):
    setattr(HirOp, _kind.__name__, _kind)


@dataclass
class HirNode:
    """One HIR node: its name is its own, or the label it was built under. `node_mut` gives one whose name and shape can be set.

    >>> import rlx
    >>> hir = rlx.compat.HirModule("m")
    >>> hir.node(hir.input("x", rlx.Shape((2, 4))))
    HirNode(id=h0, op=Input(name='x'), inputs=(), shape=f32[2, 4], name='x')
    """

    id: HirNodeId
    op: HirOp
    inputs: tuple[HirNodeId, ...]
    shape: Shape
    name: str

    @staticmethod
    def of(graph: Graph, ref: Ref) -> HirNode:
        """The node of a value."""
        return HirNode(*_parts(graph, ref))


def _parts(graph: Graph, ref: Ref) -> tuple[HirNodeId, HirOp, tuple[HirNodeId, ...], Shape, str]:
    node = graph.node(ref)
    op = HirOp.of(node, ref.index)
    own = node.op.definition.label
    label = node.origin.label or op.label
    if isinstance(op, SharedLinearPair) and own is not None and label.endswith(own(node.op)):
        label = label.removesuffix(own(node.op)) + op.label
    inputs = tuple(HirNodeId(graph, each) for each in node.refs)
    return HirNodeId(graph, ref), op, inputs, node.results[ref.index], node.name or label


class HirNodeMut(HirNode):
    """A node whose `name` and `shape` can be set; a new shape of a leaf is inferred through everything built on it."""

    def __init__(self, graph: Graph, ref: Ref) -> None:
        vars(self).update(zip((field.name for field in fields(HirNode)), _parts(graph, ref), strict=True))

    def __setattr__(self, name: str, value: Any) -> None:
        graph, ref = self.id.graph, self.id.ref
        if graph.frozen:
            raise RlxError("RLX111", f"graph {graph.name!r} is frozen")
        if name == "name":
            graph.nodes[ref.node] = _renamed(graph, graph.node(ref), value)
        elif name == "shape":
            graph.nodes[:] = _reshaped(graph, ref, value)
        else:
            raise RlxError("RLX111", f"the {name} of {self.id}", fix="a rewrite changes ops and inputs: build the graph anew")
        graph._hash = None
        vars(self)[name] = value


def _renamed(graph: Graph, node: Node, name: str) -> Node:
    if not node.op.definition.leaf or "name" not in node.op.attrs:
        return replace(node, name=name)
    kind, old = node.op.name, node.op.attrs["name"]
    if any(graph.leaf(each, name) for each in ("input", "param", "state") if (each, name) != (kind, old)):
        raise RlxError("RLX109", f"the graph has a leaf named {name!r} already", fix="a name of its own")
    graph._leaves = {(each, name if (each, known) == (kind, old) else known): ref for (each, known), ref in graph._leaves.items()}
    return replace(node, op=node.op.with_attrs(name=name), name=name)


def _reshaped(graph: Graph, ref: Ref, shape: Shape) -> list[Node]:
    """The nodes with another shape of one: a leaf's is followed through all others, any other must be the inferred one."""
    node = graph.node(ref)
    if not (node.op.definition.leaf and "shape" in node.op.attrs):
        if shape != node.results[ref.index]:
            message = f"{node.op.name} gives {node.results[ref.index]}, not {shape}"
            raise RlxError("RLX102", message, fix="change the shape of the inputs it is built on")
        return list(graph.nodes)
    made: list[Node] = []
    for each in graph.nodes:
        op = each.op.with_attrs(shape=shape) if each.id == node.id else each.op
        given = [None if one is None else made[one.node].results[one.index] for one in each.inputs]
        made.append(replace(each, op=op, results=tuple(op.infer(given, graph.assumptions))))
    for symbols in (result.symbols() for each in made for result in each.results):
        graph._declare(symbols)
    return made
