"""HIR as the original reads it: ids h0, h1, …, nodes, and the family of their ops for `match` statements.

A node of the original has one result, so a block of two results is two nodes here: `SharedLinearPair(slot=0)` and `(slot=1)`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, make_dataclass, replace
from typing import Any

from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.graph import Graph, Node, Ref
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
        """The node's position among the module's nodes."""
        return sum(len(node.results) for node in self.graph.nodes[: self.ref.node]) + self.ref.index

    def __repr__(self) -> str:
        return f"h{self.index}"


class HirKinds(type):
    """A namespace that makes a frozen dataclass for each kind of op on first access."""

    def __getattr__(cls, name: str) -> Any:
        if name not in FIELDS:
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}", name=name, obj=cls)
        kind = make_dataclass(name, FIELDS[name].split(), bases=(HirOp,), namespace={"__module__": __name__}, frozen=True)
        setattr(HirOp, name, kind)
        return kind

    def __dir__(cls) -> list[str]:
        return sorted({*super().__dir__(), *FIELDS})


class HirOp(metaclass=HirKinds):
    """The op of a HIR node: the block ops with the original's fields, leaves, and `Mir(op)` for every tensor op.

    >>> import rlx
    >>> hir = rlx.compat.HirModule("m")
    >>> y = hir.linear(hir.input("x", rlx.Shape((2, 4))), hir.param("w", rlx.Shape((4, 3))), None, "gelu")
    >>> match hir.node(y).op:
    ...     case HirOp.Linear(activation=activation, has_bias=False):
    ...         print(activation)
    gelu
    """

    @staticmethod
    def of(node: Node, result: int = 0) -> HirOp:
        """The op of one result of a node."""
        name, attrs, record = node.op.name, node.op.attrs, node.op.definition
        known: dict[str, Any] = {
            **attrs,
            "op": node.op,
            "has_bias": len(node.refs) == 3,
            "slot": result,
            "mask": attrs.get("mask_kind"),
            "carry_state": name.endswith("_carry"),
        }
        for attr, instead in (("num_kv_heads", "num_heads"), ("n_rot", "head_dim")):
            if attr in attrs and attrs[attr] is None:
                known[attr] = attrs[instead]
        has_kind = record.level == "hir" or record.leaf
        kind, names = KINDS.get(name.removeprefix("hir."), KINDS["mir"]) if has_kind else KINDS["mir"]
        made: HirOp = getattr(HirOp, kind)(**{field: known[field] for field in names.split()})
        return made


KINDS = {
    "input": ("Input", "name"),
    "param": ("Param", "name"),
    "constant": ("Constant", "value"),
    "linear": ("Linear", "activation has_bias"),
    "linear_fused": ("LinearFused", "activation"),
    "shared_linear_pair": ("SharedLinearPair", "slot"),
    "swiglu_ffn": ("SwiGLU", ""),
    "residual_rms_norm": ("ResidualRmsNorm", "eps"),
    "attention": ("Attention", "num_heads head_dim mask"),
    "depthwise_conv1d_causal": ("DepthwiseConv1dCausal", "kernel_size"),
    "dequant_matmul": ("DequantMatMul", "scheme"),
    "gated_delta_net": ("GatedDeltaNet", "state_size carry_state"),
    "gated_delta_net_carry": ("GatedDeltaNet", "state_size carry_state"),
    "rope": ("RoPE", "head_dim n_rot"),
    "rms_norm": ("RmsNorm", "eps"),
    "llama_decoder_block": ("LlamaDecoderBlock", "num_heads head_dim num_kv_heads eps mask"),
    "qwen35_mtp_head": ("Qwen35MtpHead", "num_heads num_kv_heads head_dim n_rot n_embd n_ff mtp_vocab eps"),
    "mir": ("Mir", "op"),
}
"""The original's kind of each leaf and block, and its fields: attributes of our records, and what `HirOp.of` reads off a node."""
FIELDS = dict(KINDS.values())


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
        """The HIR node of a value."""
        return HirNode(*_parts(graph, ref))


def _parts(graph: Graph, ref: Ref) -> tuple[HirNodeId, HirOp, tuple[HirNodeId, ...], Shape, str]:
    node = graph.node(ref)
    op = HirOp.of(node, ref.index)
    own = node.op.definition.label
    label = node.origin.label or ("mir" if own is None else own(node.op))
    if isinstance(op, HirOp.SharedLinearPair) and own is not None and label.endswith(own(node.op)):
        label += f"[{ref.index}]"
    inputs = tuple(HirNodeId(graph, each) for each in node.refs)
    return HirNodeId(graph, ref), op, inputs, node.results[ref.index], node.name or label


class HirNodeMut(HirNode):
    """A HIR node whose `name` and `shape` can be set; a leaf's new shape is inferred through all nodes that depend on it."""

    def __init__(self, graph: Graph, ref: Ref) -> None:
        vars(self).update(zip((field.name for field in fields(HirNode)), _parts(graph, ref), strict=True))

    def __setattr__(self, name: str, value: Any) -> None:
        graph, ref = self.id.graph, self.id.ref
        if graph.frozen:
            raise RlxError("RLX111", f"graph {graph.name!r} is frozen")
        if name == "name":
            graph.nodes[ref.node] = _rename(graph, graph.node(ref), value)
        elif name == "shape":
            graph.nodes[:] = _reshape(graph, ref, value)
        else:
            raise RlxError("RLX111", f"the {name} of {self.id}", fix="a rewrite changes ops and inputs: build the graph anew")
        graph._hash = None
        vars(self)[name] = value


def _rename(graph: Graph, node: Node, name: str) -> Node:
    if not node.op.definition.leaf or "name" not in node.op.attrs:
        return replace(node, name=name)
    kind, old = node.op.name, node.op.attrs["name"]
    if any(graph.leaf(each, name) for each in ("input", "param", "state") if (each, name) != (kind, old)):
        raise RlxError("RLX109", f"the graph has a leaf named {name!r} already", fix="a name of its own")
    graph._leaves = {(each, name if (each, known) == (kind, old) else known): ref for (each, known), ref in graph._leaves.items()}
    return replace(node, op=node.op.with_attrs(name=name), name=name)


def _reshape(graph: Graph, ref: Ref, shape: Shape) -> list[Node]:
    """Rebuilds nodes with a new shape for one: propagates a leaf's shape, and checks that any other equals the inferred one."""
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
