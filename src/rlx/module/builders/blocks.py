"""Builders of the HIR blocks. A name that is both a block and an op is the block at HIR and the op at MIR.

Weights are `[in, out]`, any of them may be a packed param, any β may be None. `out_shape` is inferred; one that is
passed is checked. A wrong number of inputs is a LowerError.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rlx.blocks import KvCache, Qwen35MtpWeights, emit_block
from rlx.core.dim import Size
from rlx.core.dtype import DTypeLike
from rlx.core.enums import MaskKind
from rlx.core.errors import LowerError, RlxError
from rlx.core.shape import Shape
from rlx.ir.op import OPS
from rlx.ir.value import Value
from rlx.module.builders.by_record import BlockMethods
from rlx.module.emitter import ShapeLike, Tensor, many, with_shape
from rlx.module.graph import Builders
from rlx.module.label_scopes import relabel
from rlx.module.levels import LevelRules


class Blocks(BlockMethods, Builders):
    """Methods that build blocks; a subclass declares its level."""

    @property
    def rules(self) -> LevelRules:
        """The operations that the module's stage supports."""
        raise NotImplementedError

    def _require_blocks(self, what: str) -> None:
        """Raises unless the stage has blocks."""
        raise NotImplementedError

    def _block_or_op(
        self,
        op: str,
        operands: Sequence[Any],
        attrs: Mapping[str, Any],
        name: str | None,
        out_shape: ShapeLike | None,
        block: str | None = None,
    ) -> tuple[Value, ...]:
        """Emits the block at HIR, else the op of that name if there is one."""
        if not self.rules.blocks and op in OPS:
            return super()._block_or_op(op, operands, attrs, name, out_shape)
        return self._emit_block(block or op, operands, attrs, name, out_shape)

    def _emit_block(
        self, block: str, inputs: Sequence[Any], attrs: Mapping[str, Any], name: str | None, out_shape: ShapeLike | None = None
    ) -> tuple[Value, ...]:
        """Emits a block and returns all its results; checks the first against `out_shape`."""
        self._require_blocks(f"the block {block}")
        results = many(emit_block(self._target(inputs), block, inputs, attrs, name))
        with_shape(block, results[0], out_shape)
        return results

    def rms_norm(
        self,
        x: Tensor,
        gamma: Tensor,
        beta: Tensor | None = None,
        *,
        axis: int = -1,
        eps: float = 1e-6,
        name: str | None = None,
        out_shape: ShapeLike | None = None,
    ) -> Value:
        """Emits rms_norm; the block normalizes the last axis."""
        if not self.rules.blocks:
            return self._one("rms_norm", (x, gamma, beta), {"axis": axis, "eps": eps}, name)
        if axis != -1 and not (isinstance(x, Value) and axis == x.rank - 1):
            message = f"the block rms_norm along axis {axis}"
            raise RlxError("RLX105", message, fix="hir_mir('rms_norm', (x, gamma), axis=…) builds the op on any axis")
        return self._emit_block("rms_norm", (x, gamma, beta), {"eps": eps}, name, out_shape)[0]

    def kv_cache(
        self, name: str, length: Value, *, kv_heads: int, capacity: Size, head_dim: int, dtype: DTypeLike = "f32"
    ) -> KvCache:
        """Declares the states `<name>.k` and `<name>.v` `[B, kv_heads, capacity, head_dim]` beside a length i32[B]."""
        shape = Shape((length.shape[0], kv_heads, capacity, head_dim), dtype)
        return KvCache(self.state(f"{name}.k", shape), self.state(f"{name}.v", shape), length)

    def llama_decoder_block(
        self,
        *inputs: Tensor | None,
        num_heads: int,
        head_dim: int,
        num_kv_heads: int | None = None,
        eps: float = 1e-5,
        mask_kind: MaskKind | str | None = "causal",
        interleaved: bool = False,
        causal: bool = False,
        mask: Tensor | None = None,
        positions: Tensor | None = None,
        cache: KvCache | None = None,
        out_shape: ShapeLike | None = None,
        name: str | None = None,
    ) -> Value:
        """Emits one decoder layer; with a cache, also the updates of its states.

        inputs: x, ln1_g, ln1_b, q_w, k_w, v_w, o_w, ln2_g, ln2_b, gate_w, up_w, down_w, cos, sin, and mask for the mask
        kinds custom and bias.
        """
        kind = MaskKind.parse(mask_kind)
        expected = 15 if kind.has_operand else 14
        operands = [*inputs, *([mask] if mask is not None else [])]
        if len(operands) != expected:
            raise LowerError("llama_decoder_block", expected, len(operands))
        operands += [None] * (15 - len(operands))
        attrs = {
            "num_heads": num_heads,
            "head_dim": head_dim,
            "num_kv_heads": num_kv_heads,
            "eps": eps,
            "mask_kind": kind,
            "interleaved": interleaved,
            "causal": causal,
        }
        if cache is None:
            return self._emit_block("llama_decoder_block", (*operands, positions), attrs, name, out_shape)[0]
        for part in (cache.k, cache.v):
            if not part.graph.node(part.ref).op.is_state:
                message = f"the cache {part!r} of llama_decoder_block is not a state"
                raise RlxError("RLX105", message, fix="kv_cache(…) makes states; block(…) returns (x, k, v) for other values")
        operands += [positions, cache.k, cache.v, cache.length]
        result, k, v = self._emit_block("llama_decoder_block", operands, attrs, name)
        self.update(cache.k, k)
        self.update(cache.v, v)
        return result

    def transformer_block(self, *inputs: Tensor | None, **options: Any) -> Value:
        """`llama_decoder_block` under another label."""
        layer = self.llama_decoder_block(*inputs, **options)
        relabel(layer.graph, layer, "/".join((*layer.graph.scope, "transformer_block")))
        return layer

    def qwen35_mtp_head(
        self,
        *inputs: Tensor | None,
        weights: Qwen35MtpWeights | None = None,
        num_heads: int,
        head_dim: int,
        n_rot: int,
        n_embd: int,
        n_ff: int,
        mtp_vocab: int,
        num_kv_heads: int | None = None,
        eps: float = 1e-6,
        out_shape: ShapeLike | None = None,
        name: str | None = None,
    ) -> Value:
        """Emits the multi-token prediction head: 29 inputs, or 5 (h_pre_norm, ids, cos, sin, last_token_idx) and weights."""
        operands = (*inputs, *(weights.inputs() if weights is not None else ()))
        if len(operands) != 29:
            raise LowerError("qwen35_mtp_head", 29, len(operands))
        attrs = {
            "num_heads": num_heads,
            "num_kv_heads": num_kv_heads,
            "head_dim": head_dim,
            "n_rot": n_rot,
            "n_embd": n_embd,
            "n_ff": n_ff,
            "mtp_vocab": mtp_vocab,
            "eps": eps,
        }
        return self._emit_block("qwen35_mtp_head", operands, attrs, name, out_shape)[0]
