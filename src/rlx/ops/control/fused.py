"""`fused`: one op for everything fusion makes. Its meaning is its body; inlining the body undoes it.

The builders below make the known kinds by tracing a body of ordinary ops, so each has its reference, its gradient and
its kernels from what it is made of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rlx.core.dim import exact_division
from rlx.core.dtype import DTypeLike
from rlx.core.enums import Activation, MaskKind
from rlx.core.errors import RlxError
from rlx.core.precision import CastConfig
from rlx.ir.evaluate import evaluate_body
from rlx.ir.graph import Graph, Ref
from rlx.ir.tolerance import OfBody
from rlx.ops.record import OPS, Array, Attr, Call, Case, Op, OpKind, Sample, Shape, Size, Value, case, define, sample

Traced = Callable[..., "Value | Sequence[Value]"]


# -- the record -------------------------------------------------------------------------------------------------
def _body_results(call: Call) -> tuple[Shape, ...]:
    body: Graph = call.body
    wanted = {name: node.shape for name, node in body.inputs.items()}
    if len(wanted) != len(call.given):
        raise call.error("RLX101", f"the body has {len(wanted)} inputs, got {len(call.given)} operands")
    for (name, inside), given in zip(wanted.items(), call.given, strict=True):
        if inside.dtype is not given.dtype or inside.rank != given.rank:
            raise call.error("RLX102", f"operand {given} for the body's input {name} : {inside}")
        for mine, other in zip(inside.dims, given.dims, strict=True):
            call.check_same(mine, other, f"sizes of the body's input {name} and its operand:")
    return tuple(body.shape(ref) for ref in body.output_refs.values())


def inline(*xs: Value, kind: str = "", body: Graph) -> tuple[Value, ...]:
    """Emits the nodes of a `fused` body on the operands."""
    graph = xs[0].graph if xs else None
    if graph is None:
        raise RlxError("RLX101", f"fused {kind!r} has no operand to tell its graph by")
    inlined: dict[Ref, Ref] = dict(zip((node.ref for node in body.inputs.values()), (x.ref for x in xs), strict=True))
    for node in body.nodes:
        if not node.op.is_input:
            inputs = [None if ref is None else inlined[ref] for ref in node.inputs]
            made = graph.add_node(node.op, inputs, results=node.results, name=node.name)
            inlined.update(zip(node.outputs, made.outputs, strict=True))
    return tuple(Value(graph, inlined[ref]) for ref in body.output_refs.values())


def _terms(op: Op, operands: Sequence[Array | None]) -> int:
    """The length of the longest sum in a fused body: the contraction or reduction whose rounding errors add up."""
    body: Graph = op["body"]
    sizes: list[Size] = [1]
    for node in body.nodes:
        if node.op.name == "matmul":
            sizes.append(body.shape(node.refs[0]).dims[-1])
        elif node.op.definition.kind is OpKind.Reduction and node.refs:
            sizes.append(exact_division(body.shape(node.refs[0]).num_elements, node.shape.num_elements) or 1)
            sizes.append(body.shape(node.refs[0]).dims[-1] if body.shape(node.refs[0]).rank else 1)
    return max(size for size in sizes if isinstance(size, int))


def body_cost(body: Graph) -> Size:
    """Operations of one run of a body."""
    total: Size = 0
    for node in body.nodes:
        if node.op.definition.cost is not None:
            shapes = [None if ref is None else body.shape(ref) for ref in node.inputs]
            total = total + node.op.definition.cost(Call(node.op, shapes, body.assumptions), node.results)
    return total


def _body_case(note: str, kind: str, make: Traced, *operands: Sample) -> Case:
    shapes = {f"x{i}": Shape(s.dims, s.dtype) for i, s in enumerate(operands)}
    return case(*operands, note=note, kind=kind, body=make_body(kind, shapes, make))


def _fused_cases() -> list[Case]:
    return [
        _body_case(
            "a product with bias and activation",
            "contraction",
            lambda x, w, b: OPS["gelu"](x @ w + b),
            sample(5, 7),
            sample(7, 3),
            sample(3),
        ),
        _body_case("odd: bias of one element", "contraction", lambda x, w, b: x @ w + b, sample(2, 3, 4), sample(4, 5), sample(1)),
        _body_case(
            "odd: two results, one operand broadcast",
            "region",
            lambda x, y: (x + y, OPS["exp"](x) * y),
            sample(4, 1, 6),
            sample(3, 1),
        ),
        _body_case(
            "a reduction in the middle", "region", lambda x: x / (x * x).sum(axes=(1,), keep_dim=True), sample(3, 9, low=1, high=2)
        ),
        _body_case("size 0", "region", lambda x: x + 1.0, sample(0, 3)),
    ]


fused = define(
    "fused",
    "xs*",
    infer=_body_results,
    reference=lambda *xs, kind, body, wide=False: evaluate_body(body, xs, wide=wide),
    decompose=inline,
    kind=OpKind.Compute,
    results=("results*",),
    attrs={
        "kind": Attr("str", help="what made it"),
        "body": Attr("graph", help="what it computes: operands in the order of its inputs"),
    },
    doc="The body's outputs, computed by one kernel; the tuple has one Value for each output of the body.",
    tolerance=OfBody(ulps=16.0, factor=4.0, scale="max", length=_terms),
    cost=lambda call, results: body_cost(call.body),
    vjp=lambda call, operands, results, seeds: call.pull(call.body, operands, seeds, call.wanted),
    jvp=lambda call, operands, results, tangents: call.push(call.body, operands, tangents)[1],
    cases=_fused_cases,
)


# -- tracing a body ---------------------------------------------------------------------------------------------
def make_body(name: str, inputs: Mapping[str, Shape], make: Traced, assumptions: Sequence[Any] = ()) -> Graph:
    """Traces `make(*inputs)` into a frozen graph with these inputs."""
    body = Graph(name, "mir")
    body.assumptions = list(assumptions)
    values = [Value(body, body.add_node(OPS["input"].op(name=key, shape=shape)).ref) for key, shape in inputs.items()]
    made = make(*values)
    outputs = [made] if isinstance(made, Value) else list(made)
    body.set_output_refs({f"y{i}": value.ref for i, value in enumerate(outputs)})
    return body.freeze()


def fuse(kind: str, operands: Mapping[str, Value | None], make: Callable[..., Any]) -> tuple[Value, ...]:
    """Emits a `fused` node of `make(**operands)`; operands that are None are omitted, and `make` gets None for them."""
    given = {name: value for name, value in operands.items() if value is not None}
    absent = {name: None for name in operands if name not in given}

    def trace(*values: Value) -> Any:
        return make(**dict(zip(given, values, strict=True)), **absent)

    graph = next(iter(given.values())).graph
    body = make_body(kind, {name: value.type for name, value in given.items()}, trace, graph.assumptions)
    return fused(*given.values(), kind=kind, body=body)


def activate(x: Value, activation: Activation | str | None) -> Value:
    """Applies an activation by kind; returns the value itself for none."""
    return x if activation is None else OPS[Activation.parse(activation)](x)


# -- the known kinds --------------------------------------------------------------------------------------------
def cast_epilogue(value: Value, cast_to: CastConfig | DTypeLike | None) -> tuple[Value, ...]:
    """Results of a GEMM epilogue: the value, its cast, or the elements and block scales of a scaled cast."""
    config = CastConfig.of(value.dtype if cast_to is None else cast_to)
    if config.sf_block is None:
        return (value if config.is_noop(value.dtype) else value.astype(config.out_dtype),)
    attrs = {"out_dtype": config.out_dtype, "sf_block": config.sf_block, "round_sf": config.round_sf}
    return OPS["blocked_cast"](value, **attrs)


def fused_matmul_bias_act(
    x: Value, w: Value, b: Value, activation: Activation | str | None = None, cast_to: CastConfig | DTypeLike | None = None
) -> Any:
    """Emits activation(x @ w + b) with an optional cast in one node: a Value, or (elements, scales) for a cast with scales."""

    def make(x: Value, w: Value, b: Value) -> tuple[Value, ...]:
        return cast_epilogue(activate(x @ w + b, activation), cast_to)

    results = fuse("fused_matmul_bias_act", {"x": x, "w": w, "b": b}, make)
    return results[0] if len(results) == 1 else results


def _swiglu(x: Value, gate_first: bool) -> Value:
    half = exact_division(x.shape[-1], 2) if x.rank else None
    if half is None:
        raise RlxError("RLX102", f"swiglu of {x.type}: the last size does not halve", fix="[…, 2N]: up and gate side by side")
    first, second = OPS["split"](x, sizes=(half, half), axis=-1)
    up, gate = (second, first) if gate_first else (first, second)
    return up * OPS["silu"](gate)


def fused_swiglu(x: Value, gate_first: bool = False, cast_to: CastConfig | DTypeLike | None = None) -> Any:
    """Emits up·silu(gate) of `[…, 2N]`, up in the low half unless gate_first; the cast is as in `fused_matmul_bias_act`."""
    results = fuse("fused_swiglu", {"x": x}, lambda x: cast_epilogue(_swiglu(x, gate_first), cast_to))
    return results[0] if len(results) == 1 else results


def fused_residual_rms_norm(x: Value, residual: Value, gamma: Value, beta: Value | None = None, eps: float = 1e-6) -> Value:
    """Emits rms_norm(x + residual) along the last axis as one node."""

    def make(x: Value, residual: Value, gamma: Value, beta: Value | None) -> Any:
        return OPS["rms_norm"](x + residual, gamma, beta, axis=-1, eps=eps)

    operands = {"x": x, "residual": residual, "gamma": gamma, "beta": beta}
    (value,) = fuse("fused_residual_rms_norm", operands, make)
    return value


def fused_residual_layer_norm(x: Value, residual: Value, gamma: Value, beta: Value | None = None, eps: float = 1e-5) -> Value:
    """Emits layer_norm(x + residual) along the last axis as one node."""

    def make(x: Value, residual: Value, gamma: Value, beta: Value | None) -> Any:
        return OPS["layer_norm"](x + residual, gamma, beta, axes=(-1,), eps=eps)

    operands = {"x": x, "residual": residual, "gamma": gamma, "beta": beta}
    (value,) = fuse("fused_residual_layer_norm", operands, make)
    return value


def require_elementwise(body: Graph) -> None:
    """Raises unless a body has only elementwise ops."""
    for node in body.nodes:
        if not (node.op.definition.leaf or node.op.definition.is_pointwise or node.op.name == "cast"):
            message = f"{node.op.name} in an elementwise region"
            raise RlxError("RLX105", message, fix="activations, binaries, comparisons, where, clamp and cast")


def elementwise_region(values: Sequence[Value], make: Traced) -> tuple[Value, ...]:
    """Emits `make(*values)`, which has only elementwise ops, as one region; returns one Value for each result."""
    graph = values[0].graph
    body = make_body("elementwise_region", {f"x{i}": v.type for i, v in enumerate(values)}, make, graph.assumptions)
    require_elementwise(body)
    return fused(*values, kind="elementwise_region", body=body)


def _attention_block(
    hidden: Value,
    qkv_w: Value,
    out_w: Value,
    mask: Value | None,
    qkv_b: Value | None,
    out_b: Value | None,
    cos: Value | None,
    sin: Value | None,
    *,
    num_heads: int,
    head_dim: int,
) -> Value:
    width = num_heads * head_dim
    qkv = hidden @ qkv_w
    qkv = qkv if qkv_b is None else qkv + qkv_b
    q, k, v = OPS["split"](qkv, sizes=(width, width, width), axis=-1)
    if cos is not None and sin is not None:
        n_rot = 2 * int(cos.shape[-1])
        q, k = (OPS["rope"](x, cos, sin, head_dim=head_dim, n_rot=n_rot) for x in (q, k))
    kind = MaskKind.parse("none") if mask is None else MaskKind.Custom if mask.dtype.is_bool else MaskKind.Bias
    mixed = OPS["attention"](q, k, v, mask, num_heads=num_heads, head_dim=head_dim, mask_kind=kind)
    result: Value = mixed @ out_w
    return result if out_b is None else result + out_b


def fused_attention_block(
    hidden: Value,
    qkv_w: Value,
    out_w: Value,
    mask: Value | None = None,
    qkv_b: Value | None = None,
    out_b: Value | None = None,
    cos: Value | None = None,
    sin: Value | None = None,
    *,
    num_heads: int,
    head_dim: int,
) -> Value:
    """Emits attention(rope(hidden @ qkv_w + qkv_b)) @ out_w + out_b as one node.

    qkv_w is `[E, 3·H·D]`; the mask is a bool validity `[B, S]` or a float bias broadcastable to `[B, H, S, S]`.
    """
    operands = {
        "hidden": hidden,
        "qkv_w": qkv_w,
        "out_w": out_w,
        "mask": mask,
        "qkv_b": qkv_b,
        "out_b": out_b,
        "cos": cos,
        "sin": sin,
    }

    def make(**inputs: Any) -> Value:
        return _attention_block(**inputs, num_heads=num_heads, head_dim=head_dim)

    (value,) = fuse("fused_attention_block", operands, make)
    return value


def fused_transformer_layer(
    hidden: Value,
    qkv_w: Value,
    qkv_b: Value,
    out_w: Value,
    out_b: Value,
    ln1_g: Value,
    ln1_b: Value,
    fc1_w: Value,
    fc1_b: Value,
    fc2_w: Value,
    fc2_b: Value,
    ln2_g: Value,
    ln2_b: Value,
    mask: Value | None = None,
    *,
    num_heads: int,
    head_dim: int,
    eps: float = 1e-5,
    activation: Activation | str = "gelu",
) -> Value:
    """Emits a post-norm encoder layer: h = norm(hidden + attention), norm(h + activation(h @ fc1) @ fc2)."""
    operands = {
        "hidden": hidden,
        "qkv_w": qkv_w,
        "qkv_b": qkv_b,
        "out_w": out_w,
        "out_b": out_b,
        "ln1_g": ln1_g,
        "ln1_b": ln1_b,
        "fc1_w": fc1_w,
        "fc1_b": fc1_b,
        "fc2_w": fc2_w,
        "fc2_b": fc2_b,
        "ln2_g": ln2_g,
        "ln2_b": ln2_b,
        "mask": mask,
    }

    def make(**i: Any) -> Any:
        mixed = _attention_block(
            i["hidden"],
            i["qkv_w"],
            i["out_w"],
            i["mask"],
            i["qkv_b"],
            i["out_b"],
            None,
            None,
            num_heads=num_heads,
            head_dim=head_dim,
        )
        norm = OPS["layer_norm"]
        h = norm(i["hidden"] + mixed, i["ln1_g"], i["ln1_b"], axes=(-1,), eps=eps)
        inner = activate(h @ i["fc1_w"] + i["fc1_b"], activation)
        return norm(h + (inner @ i["fc2_w"] + i["fc2_b"]), i["ln2_g"], i["ln2_b"], axes=(-1,), eps=eps)

    (value,) = fuse("fused_transformer_layer", operands, make)
    return value
