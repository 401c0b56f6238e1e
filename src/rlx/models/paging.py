"""Keys and values in pages: what a graph needs of them. The tables say which pages a sequence has; decision 0018 has the contract."""

from __future__ import annotations

import numpy as np

from rlx.core.dim import Dim
from rlx.core.enums import MaskKind
from rlx.ir.value import Value
from rlx.models.shapes import PAGE, Shapes
from rlx.module.modules import GraphModule

_Q8_GROUP = 32
"""Numbers that share a scale in q8_0."""


class Paging:
    """The inputs of a paged graph, and attention over its pages.

    Tokens are rows: `[batch, seq]` of them, of which only `count` in each row of the batch are real. A token that is not real has
    the sequence -1: it is not written, and its result means nothing.
    """

    def __init__(self, module: GraphModule, shapes: Shapes, start: Value, count: Value) -> None:
        self.module, self.shapes = module, shapes
        self.sequence = module.input("sequence", (shapes.batch,), "i32")
        self.tables = module.input("tables", (Dim("sequences"), Dim("blocks")), "i32")
        self.wanted = module.input("wanted", (Dim("wanted"),), "i32")
        self.start = start
        self.rows = shapes.batch * shapes.seq
        if isinstance(shapes.seq, Dim) or shapes.seq > 1:
            places = module.iota((shapes.batch, shapes.seq), axis=1)
            real = places < count.reshape(shapes.batch, 1)
            self.start = module.where(real, places + start.reshape(shapes.batch, 1), np.int32(0)).reshape(self.rows)
            rows = module.expand(self.sequence.reshape(shapes.batch, 1), (shapes.batch, shapes.seq))
            self.sequence = module.where(real, rows, np.int32(-1)).reshape(self.rows)

    def wanted_rows(self, x: Value) -> Value:
        """The tokens whose logits are asked for, `[wanted, 1, E]`."""
        return self.module.gather(x.reshape(self.rows, 1, x.shape[-1]), self.wanted, axis=0)

    def attention(
        self,
        scope: str,
        q: Value,
        k: Value,
        v: Value,
        *,
        num_heads: int,
        num_kv_heads: int,
        head_dim: int,
        mask_kind: MaskKind,
        score_scale: float | None,
        softcap: float | None,
    ) -> Value:
        """Write the new keys and values `[B, S, H·D]` into the pages of a layer, and attend to all of their sequences."""
        pools: dict[str, Value] = {}
        for name, new in (("k", k), ("v", v)):
            rows, path = new.reshape(self.rows, num_kv_heads, head_dim), f"{self.shapes.prefix}{scope}.{name}"
            if self.shapes.cache_dtype == "q8_0":
                pools[name], pools[f"{name}_scales"] = self._write_q8(path, rows, transposed=name == "k")
            else:
                pools[name] = self._write(path, rows, transposed=name == "k")
        mixed = self.module.paged_attention(
            q.reshape(self.rows, num_heads, head_dim),
            pools["k"],
            pools["v"],
            self.start,
            self.sequence,
            self.tables,
            pools.get("k_scales"),
            pools.get("v_scales"),
            num_heads=num_heads,
            mask_kind=mask_kind,
            score_scale=score_scale,
            softcap=softcap,
        )
        return mixed.astype(q.dtype).reshape(*q.shape)

    def _pool(self, name: str, rows: Value, dtype: str, transposed: bool, per: int = 1) -> Value:
        """The state of all pages of a layer; `per`: numbers along the head dim that share one of its."""
        heads, width = rows.shape[1], rows.shape[2] // per
        return self.module.state(name, (Dim("pages"), heads, *((width, PAGE) if transposed else (PAGE, width))), dtype)

    def _write(self, name: str, rows: Value, *, transposed: bool) -> Value:
        """The pages with new rows in their places."""
        module, pool = self.module, self._pool(name, rows, self.shapes.cache_dtype or "f32", transposed)
        new = module.page_write(pool, rows, self.start, self.sequence, self.tables, transposed=transposed)
        module.update(pool, new)
        return new

    def _write_q8(self, name: str, rows: Value, *, transposed: bool) -> tuple[Value, Value]:
        """The same in q8_0: bytes, and a scale for each 32 of them."""
        module = self.module
        pool = self._pool(name, rows, "i8", transposed)
        scales = self._pool(f"{name}_scales", rows, "f16", transposed, _Q8_GROUP)
        new, factors = module.page_write_q8(pool, scales, rows, self.start, self.sequence, self.tables, transposed=transposed)
        module.update(pool, new)
        module.update(scales, factors)
        return new, factors
