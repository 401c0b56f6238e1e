"""Every public item of the original in the parts this project covers, and where the tests show it.

A line of a test that ends in `# item: NAME` is how NAME is written here; the test around it checks what it gives.
`docs/coming-from-rust.md` is generated from these lines (`make docs`).
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

_BLOCKS = """linear linear_fused shared_linear_pair swiglu_ffn residual_rms_norm attention depthwise_conv1d_causal dequant_matmul
    gated_delta_net gated_delta_net_carry rope rms_norm"""
_GROUPS = {
    "Lowerings": ("", "lower_llama_decoder_block lower_qwen35_mtp_head"),
    "GraphStage": ("GraphStage.", "Hir Mir Lir"),
    "GraphModule": (
        "GraphModule.",
        f"""define hir mir from_hir from_graph from_mir from_lir block fusion_policy with_fusion_policy set_outputs
        set_hir_outputs finish_hir input param {_BLOCKS} hir_mir named stage name lower into_hir into_mir into_lir into_graph
        as_hir as_hir_mut as_mir as_lir as_graph inspect deref deref_mut from(Graph) from(MirModule) from(HirModule)
        into(Graph) to_string debug GraphModule""",
    ),
    "Graph": (
        "Graph.",
        """selective_scan gated_delta_net gated_delta_net_carry scan scan_trajectory scan_checkpointed scan_with_xs
        scan_with_bcasts_and_xs scan_backward scan_backward_with_checkpoints scan_backward_xs
        scan_backward_xs_with_checkpoints custom_fn custom_fn_multi""",
    ),
    "MultiOutputHandle": ("MultiOutputHandle", " .source .sub_shapes .offsets .n_outputs .output"),
    "HirNodeId": ("HirNodeId", " .index .to_string"),
    "HirOp": (
        "HirOp",
        """ .Input .Param .Constant .Linear .LinearFused .SharedLinearPair .SwiGLU .ResidualRmsNorm .Attention
        .DepthwiseConv1dCausal .DequantMatMul .GatedDeltaNet .RoPE .RmsNorm .LlamaDecoderBlock .Qwen35MtpHead .Mir""",
    ),
    "HirNode": ("HirNode", " .id .op .inputs .shape .name"),
    "HirModule": (
        "HirModule",
        " .name .outputs .fusion_policy .new .input .input_batch_seq .param "
        + " ".join(f".{block}" for block in _BLOCKS.split())
        + """ .llama_decoder_block .transformer_block .qwen35_mtp_head .mir .named .set_outputs .with_fusion_policy .len
        .is_empty .nodes .node .node_mut .lower_to_mir .lower_for_autodiff .wrap_mir_graph .labels .to_string""",
    ),
    "LowerError": ("LowerError", " "),
    "Precision": ("Precision", " .F32 .F16 .BF16 .dtype"),
    "CastConfig": ("CastConfig", " .out_dtype .sf_block .round_sf .plain .is_noop"),
    "OpKind": ("OpKind", " .Compute .Reduction .Elementwise .DataMovement .Boundary"),
    "PrecisionPolicy": (
        "PrecisionPolicy",
        " .AlwaysF32 .AlwaysF16 .AutoMixedConservative .AutoMixed .AutoMixedBf16 .Custom .default .precision_for",
    ),
    "AutoMixedPrecision": ("AutoMixedPrecision.", "policy new run name"),
    "Op": ("Op.", "kind"),
}


def all_items() -> dict[str, list[str]]:
    """The items by group; a group whose names begin with a dot has itself as its first."""
    found = {}
    for group, (prefix, names) in _GROUPS.items():
        own = [prefix] if names.startswith(" ") else []
        found[group] = own + [prefix + name for name in names.split()]
    return found


def shown_items(folder: Path = Path(__file__).parent) -> dict[str, str]:
    """Each item and the code that shows it."""
    found: dict[str, str] = {}
    for path in sorted(folder.glob("test_*.py")):
        text = path.read_text()
        for number, line in enumerate(text.splitlines(), 1):
            marked = re.fullmatch(r"\s*(.+?)\s+# item: (.+)", line)
            if marked:
                code = _whole(text, number) if marked[1][0] in ")]}" else marked[1]
                for name in marked[2].split(", "):
                    assert name not in found, f"{name} is shown twice"
                    found[name] = _of(name, code.rstrip(",:").removeprefix("case "))
    return found


def _of(item: str, code: str) -> str:
    """The part of a line that is the item's: its call, else what reads it, else the line."""
    word, code = item.rsplit(".", 1)[-1], re.sub(r'^"\w+": ', "", code)
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except SyntaxError:
        return code  # the head of a block
    calls = [node for node in nodes if isinstance(node, ast.Call) and _word(node.func) == word]
    reads = [node for node in nodes if _word(node) == word]
    return next((ast.get_source_segment(code, node) or "" for node in (*calls, *reads)), code.removeprefix("assert "))


def _word(node: ast.AST) -> str | None:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else None


def _whole(text: str, number: int) -> str:
    """What ends on a line, from where it begins, on one line: a statement, or a call in one."""
    ending = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.expr, ast.Assign, ast.Assert, ast.Expr)) and node.end_lineno == number
    ]
    largest = min(ending, key=lambda node: (node.lineno, node.col_offset))
    code = " ".join((ast.get_source_segment(text, largest) or "").split())
    return re.sub(r",? ([)\]}])", r"\1", re.sub(r"([(\[{]) ", r"\1", code))


def page() -> str:
    """docs/coming-from-rust.md."""
    shown = shown_items()
    lines = [
        "# Coming from the Rust RLX",
        "",
        "Generated by `make docs` from `tests/compat`: every public item of the original in the parts covered here, and how it is",
        "written in Python. Each line is part of a test that checks what it gives.",
        "What is different on purpose: [differences](differences.md).",
        "",
    ]
    for group, names in all_items().items():
        lines += [f"## {group}", "", "| item | here |", "|---|---|"]
        lines += [f"| `{name}` | `{shown[name].replace('|', '∣')}` |" for name in names]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"
