"""Flow: the helper that models are written with. It builds one graph of a model on the public builder.

It declares weights by name as the file stores them, keeps the scope (`blk.3`), and handles what generation needs: positions, padding,
caches. Anything else a family builds on `flow.module`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlx.core.dim import Dim, Size
from rlx.core.enums import Activation, MaskKind
from rlx.core.errors import RlxError
from rlx.ir.value import Value
from rlx.models.rope import Rope
from rlx.models.weights import FileWeights, Weight
from rlx.module.modules import GraphModule

# -- shapes: selects one of a model's graphs -------------------------------------------------------------------------


PAGE = 32
"""Tokens per page of keys and values."""


MOST_ROWS = 1 << 16
"""The most tokens of a step: the symbol's bound, the same for all graphs."""


@dataclass(frozen=True)
class Shapes:
    """The shapes of one graph of a model: its sizes, and its outputs. Sizes are ints or symbols.

    >>> Shapes.decode().seq, Shapes.prefill(512).seq
    (1, seq)
    """

    batch: Size = 1
    seq: Size = 1
    capacity: Size | None = None  # capacity of the caches; None: no caches, one run has all tokens
    logits: str = "last"  # or "all"; "embedding": the last token's state, of length 1, instead of logits
    hidden: bool = False
    draft: bool = False  # the graph of the multi-token prediction head, which also takes `hidden`
    cache_dtype: str | None = None  # None: the model's, f32 unless a profile says otherwise
    prefix: str = ""  # prefix of the states' names
    in_pages: bool = False  # keys and values are in pages, not in caches of `capacity`

    @staticmethod
    def decode(context: int = 1 << 20, **more: Any) -> Shapes:
        """Shapes of one token after earlier ones in the cache."""
        return Shapes(seq=1, capacity=Dim("capacity", max=context), **more)

    @staticmethod
    def prefill(chunk: int, context: int = 1 << 20, **more: Any) -> Shapes:
        """Shapes of up to `chunk` tokens after earlier ones in the cache."""
        return Shapes(seq=Dim("seq", max=chunk), capacity=Dim("capacity", max=context), **more)

    @staticmethod
    def paged(recurrent: bool = False, seq: Size | None = None, *, cache_dtype: str | None = None, **more: Any) -> Shapes:
        """Tokens of many sequences with keys and values in pages (decision 0018): each token is a row, or in a recurrent model
        each sequence, padded to `seq`. Pages of another dtype than the model's are states with other names.

        >>> Shapes.paged().prefix, Shapes.paged(cache_dtype="q8_0").prefix
        ('paged.', 'paged.q8_0.')
        """
        rows = Dim("sequences") if recurrent else Dim("rows", max=MOST_ROWS)
        prefix, length = "paged." if cache_dtype is None else f"paged.{cache_dtype}.", 1 if seq is None else seq
        return Shapes(batch=rows, seq=length, cache_dtype=cache_dtype, prefix=prefix, in_pages=True, **more)


# -- keys and values in pages: what a graph needs of them. The tables say which pages a sequence has; decision 0018 has the contract


_Q8_GROUP = 32
"""Numbers per scale in q8_0."""


class Paging:
    """The inputs of a paged graph, and attention over its pages.

    Tokens are rows: `[batch, seq]` of them, of which only `count` in each row of the batch are real. A padding token has the
    sequence -1: its key and value are not written, and its result is undefined.
    """

    def __init__(self, module: GraphModule, shapes: Shapes, start: Value, count: Value) -> None:
        self.module, self.shapes = module, shapes
        self.sequence = module.input("sequence", (shapes.batch,), "i32")
        self.tables = module.input("tables", (Dim("sequences"), Dim("blocks")), "i32")
        self.wanted = module.input("wanted", (Dim("wanted"),), "i32")
        self.start = start
        self.rows = shapes.batch * shapes.seq
        if isinstance(shapes.seq, Dim) or shapes.seq > 1:
            offsets = module.iota((shapes.batch, shapes.seq), axis=1)
            real = offsets < count.reshape(shapes.batch, 1)
            self.start = module.where(real, offsets + start.reshape(shapes.batch, 1), np.int32(0)).reshape(self.rows)
            rows = module.expand(self.sequence.reshape(shapes.batch, 1), (shapes.batch, shapes.seq))
            self.sequence = module.where(real, rows, np.int32(-1)).reshape(self.rows)

    def wanted_rows(self, x: Value) -> Value:
        """Selects the tokens whose logits the caller requests, `[wanted, 1, E]`."""
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
        """Writes new keys and values `[B, S, H·D]` into a layer's pages, and attends to each token's sequence."""
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
        """Declares the state of a layer's pages; `per`: elements of the head dim that share one number of the state."""
        heads, width = rows.shape[1], rows.shape[2] // per
        return self.module.state(name, (Dim("pages"), heads, *((width, PAGE) if transposed else (PAGE, width))), dtype)

    def _write(self, name: str, rows: Value, *, transposed: bool) -> Value:
        """Scatters new rows into the pages."""
        module, pool = self.module, self._pool(name, rows, self.shapes.cache_dtype or "f32", transposed)
        new = module.page_write(pool, rows, self.start, self.sequence, self.tables, transposed=transposed)
        module.update(pool, new)
        return new

    def _write_q8(self, name: str, rows: Value, *, transposed: bool) -> tuple[Value, Value]:
        """Scatters new rows into q8_0 pages: bytes, and a scale for each 32 of them."""
        module = self.module
        pool = self._pool(name, rows, "i8", transposed)
        scales = self._pool(f"{name}_scales", rows, "f16", transposed, _Q8_GROUP)
        new, factors = module.page_write_q8(pool, scales, rows, self.start, self.sequence, self.tables, transposed=transposed)
        module.update(pool, new)
        module.update(scales, factors)
        return new, factors


class Flow:
    """Builds one graph of a model: tokens in, logits out, caches as states.

    >>> weights = {"token_embd": Weight((8, 4), None, lambda: np.ones((8, 4), np.float32), 128)}
    >>> flow = Flow("tiny", weights, Shapes(batch=2, seq=3))
    >>> flow.logits(flow.last(flow.embed()), "token_embd")
    >>> {name: str(value.type) for name, value in flow.module.outputs.items()}
    {'logits': 'f32[2, 8]'}
    """

    def __init__(self, name: str, weights: Mapping[str, Weight], shapes: Shapes) -> None:
        self.module = GraphModule.hir(name)
        self.weights, self.shapes = weights, shapes
        self._scope: list[str] = []
        self._params: dict[str, Value] = {}
        self._gathered: set[str] = set()  # embedding tables: declared with a row for each token
        self._tables: dict[Rope, tuple[Value, Value]] = {}
        self.outputs: dict[str, Value] = {}
        batch, seq = shapes.batch, shapes.seq
        self.tokens = self.module.input("tokens", (batch, seq), "i32")
        self.count = self.module.input("count", (batch,), "i32")
        self.start: Value | None = None
        self.paging: Paging | None = None
        if shapes.capacity is not None or shapes.in_pages:
            self.start = self.module.input("start", (batch,), "i32")
            if shapes.in_pages:
                self.paging = Paging(self.module, shapes, self.start, self.count)

    # -- names ------------------------------------------------------------------------------------------------------
    @contextmanager
    def scope(self, name: str) -> Iterator[None]:
        """Opens a scope in which weights and states are looked up under `name.`."""
        self._scope.append(name)
        try:
            with self.module.scope(name):
                yield
        finally:
            self._scope.pop()

    def layers(self, count: int, name: str = "blk") -> Iterator[int]:
        """Iterates over the layer numbers, each in its scope."""
        for number in range(count):
            with self.scope(f"{name}.{number}"):
                yield number

    def path(self, name: str) -> str:
        """The full name of a weight: with the scope if it exists there, else unchanged."""
        scoped = ".".join([*self._scope, name])
        return scoped if scoped in self.weights or name not in self.weights else name

    def has(self, name: str) -> bool:
        """Whether the file has a weight with this name."""
        return self.path(name) in self.weights

    # -- weights ----------------------------------------------------------------------------------------------------
    def weight(self, name: str, dims: Sequence[Size | None] | None = None) -> Weight:
        """The weight with this name; a missing one is RLX703, one whose dims contradict the settings RLX701."""
        path = self.path(name)
        if path not in self.weights:
            theirs = self.weights.theirs.get(path, path) if isinstance(self.weights, FileWeights) else path
            named = f"{path!r}" if theirs == path else f"{theirs!r} (here {path!r})"
            raise RlxError("RLX703", f"the model needs the tensor {named}", fix=f"the file has {_some(self.weights)}", at=None)
        weight = self.weights[path]
        if dims is not None and (
            len(dims) != len(weight.dims) or any(d not in (None, w) for d, w in zip(dims, weight.dims, strict=True))
        ):
            expected = ", ".join("…" if size is None else str(size) for size in dims)
            message = f"the tensor {path!r} is {list(weight.dims)}, but the model's settings say [{expected}]"
            raise RlxError("RLX701", message, fix="settings and tensors of one model", at=None)
        return weight

    def param(self, name: str, *dims: Size | None) -> Value:
        """Declares a dense weight as a param, in its stored form."""
        weight, path = self.weight(name, dims or None), self.path(name)
        if weight.scheme is not None:
            raise RlxError("RLX702", f"{path!r} is stored as {weight.scheme}", fix="a tensor in f32", at=None)
        return self._declare(path, weight.dims, weight)

    def _declare(self, path: str, dims: tuple[int, ...], weight: Weight) -> Value:
        if path not in self._params:
            self._params[path] = self.module.param(path, dims, "f32", scheme=weight.scheme)
        return self._params[path]

    def matrix(self, name: str, *dims: Size | None) -> Value:
        """Declares a matmul weight `[in, out]`, or experts `[E, in, out]`; `dims` are the file's, with a row for each output."""
        weight, path = self.weight(name, dims or None), self.path(name)
        *outer, rows, width = weight.dims
        if weight.scheme is None or path in self._gathered:  # as in the file, multiplied transposed
            return self._declare(path, weight.dims, weight).transpose(*range(len(outer)), len(outer) + 1, len(outer))
        return self._declare(path, (*outer, width, rows), weight)

    # -- layers -----------------------------------------------------------------------------------------------------
    def embed(self, name: str = "token_embd", ids: Value | None = None, *, dims: tuple[int, int] | None = None) -> Value:
        """Looks up the rows of an embedding table by token."""
        weight, path = self.weight(name, dims), self.path(name)
        self._gathered.add(path)
        return self.module.gather(self._declare(path, weight.dims, weight), self.tokens if ids is None else ids, axis=0)

    def linear(self, x: Value, name: str, size: Size | None = None, *, activation: Activation | str | None = None) -> Value:
        """Emits activation(x @ w + b), with b if the file has `name.bias`; `size` is the output width."""
        weight = self.matrix(name, size, x.shape[-1])
        bias = self.param(f"{name}.bias", weight.shape[-1]) if self.has(f"{name}.bias") else None
        return self.module.linear(x, weight, bias, activation=activation)

    def linear_parts(self, x: Value, name: str, sizes: Sequence[int]) -> tuple[Value, ...]:
        """Emits `linear` with a weight that concatenates several matrices, and returns the result of each."""
        return self.module.split(self.linear(x, name, sum(sizes)), sizes, axis=-1)

    def rms_norm(self, x: Value, name: str, eps: float) -> Value:
        """Emits rms_norm along the last axis with the file's γ."""
        return self.module.rms_norm(x, self.param(name, x.shape[-1]), eps=eps)

    def layer_norm(self, x: Value, name: str, eps: float) -> Value:
        """Emits layer_norm along the last axis, with β if the file has one."""
        beta = self.param(f"{name}.bias", x.shape[-1]) if self.has(f"{name}.bias") else None
        return self.module.layer_norm(x, self.param(name, x.shape[-1]), beta, eps=eps)

    def head_norm(self, x: Value, name: str, head_dim: int, eps: float) -> Value:
        """Emits rms_norm of each head of `[B, S, H·D]`."""
        batch, seq, width = x.shape
        heads = x.reshape(batch, seq, width // head_dim, head_dim)
        return self.rms_norm(heads, name, eps).reshape(batch, seq, width)

    def gated_ffn(
        self, x: Value, activation: str = "silu", *, gate: str = "ffn_gate", up: str = "ffn_up", down: str = "ffn_down"
    ) -> Value:
        """Emits (activation(x @ gate)·(x @ up)) @ down; without a gate in the file, it is the first half of `up`."""
        width = x.shape[-1]
        if not self.has(gate):
            inner = self.weight(up, (None, width)).dims[0] // 2
            gates, ups = self.linear_parts(x, up, (inner, inner))
            return self.linear(self.module.activation(activation, gates) * ups, down, width)
        inner = self.weight(up, (None, width)).dims[0]
        if activation == "silu" and not any(self.has(f"{name}.bias") for name in (gate, up, down)):
            matrices = self.matrix(up), self.matrix(gate, inner, width), self.matrix(down, width, inner)
            return self.module.swiglu_ffn(x, *matrices)
        return self.linear(self.linear(x, gate, inner, activation=activation) * self.linear(x, up), down, width)

    def ffn(self, x: Value, activation: str, *, up: str = "ffn_up", down: str = "ffn_down") -> Value:
        """Emits activation(x @ up) @ down."""
        return self.linear(self.linear(x, up, activation=activation), down, x.shape[-1])

    def experts(self, x: Value, used: int, activation: str = "silu", *, normalized: bool = True) -> Value:
        """Emits a mixture of experts: gated feed-forward by the top `used` experts of each token, scored by the router `ffn_gate_inp`.

        Experts are weighted by the router's softmax over all of them, or if `normalized` over the selected ones. Each token becomes one
        row per selected expert, and each row is multiplied only by its expert's weights.
        """
        module, (batch, seq), width = self.module, (self.shapes.batch, self.shapes.seq), x.shape[-1]
        count, rows = self.weight("ffn_gate_inp").dims[0], batch * seq * used
        if not 1 <= used <= count:
            raise RlxError("RLX701", f"each token uses {used} of {count} experts", fix="at least 1, at most all", at=None)
        weights, chosen = module.top_k(module.softmax(self.linear(x, "ffn_gate_inp"), axis=-1), used)
        if normalized:
            weights = weights / module.reduce_sum(weights, axes=-1, keep_dim=True)
        chosen = chosen.reshape(rows)

        def product(y: Value, name: str, size: Size | None = None) -> Value:
            return module.grouped_matmul(y, self.matrix(name, count, size, y.shape[-1]), chosen)

        each = module.expand(x.reshape(batch, seq, 1, width), (batch, seq, used, width)).reshape(rows, width)
        inner = module.activation(activation, product(each, "ffn_gate_exps")) * product(each, "ffn_up_exps")
        mixed = product(inner, "ffn_down_exps", width).reshape(batch, seq, used, width)
        return module.reduce_sum(mixed * weights.reshape(batch, seq, used, 1), axes=2)

    # -- positions --------------------------------------------------------------------------------------------------
    @property
    def positions(self) -> Value:
        """i32[batch, seq]: the position of each token in its sequence."""
        batch, seq = self.shapes.batch, self.shapes.seq
        offsets = self.module.iota((batch, seq), axis=1)
        return offsets if self.start is None else offsets + self.start.reshape(batch, 1)

    @property
    def real(self) -> Value:
        """bool[batch, seq]: which tokens are not padding."""
        batch, seq = self.shapes.batch, self.shapes.seq
        return self.module.iota((batch, seq), axis=1) < self.count.reshape(batch, 1)

    def rope(self, x: Value, rope: Rope, head_dim: int) -> Value:
        """Emits RoPE: rotates the first `rope.dims` of each head of x `[B, S, H·D]` by the token's position."""
        if rope not in self._tables:
            with self.module.outside():  # all layers share them
                self._tables[rope] = self._rope_tables(rope)
        cos, sin = self._tables[rope]
        return self.module.rope(x, cos, sin, head_dim=head_dim, n_rot=rope.dims, interleaved=rope.interleaved)

    def _rope_tables(self, rope: Rope) -> tuple[Value, Value]:
        module, (batch, seq) = self.module, (self.shapes.batch, self.shapes.seq)
        changes = rope.long_frequencies or rope.dynamic
        frequencies = self._by_length(rope) if changes else module.constant(np.array(rope.frequencies, np.float32))
        angles = self.positions.astype("f32").reshape(batch, seq, 1) * frequencies
        return module.cos(angles) * np.float32(rope.scale), module.sin(angles) * np.float32(rope.scale)

    def _by_length(self, rope: Rope) -> Value:
        """RoPE frequencies `[batch, 1, dims/2]` that depend on the current length of each row."""
        module, trained = self.module, float(rope.trained_context)
        lengths = self.count if self.start is None else self.start + self.count
        lengths = lengths.astype("f32").reshape(self.shapes.batch, 1, 1)
        if rope.long_frequencies:
            short, long = (module.constant(np.array(f, np.float32)) for f in (rope.frequencies, rope.long_frequencies))
            return module.where(lengths > trained, long, short)
        beyond = module.max(lengths, np.float32(trained))
        grown = (rope.dynamic * beyond / trained - (rope.dynamic - 1)) ** (rope.dims / (rope.dims - 2)) * rope.base
        exponents = module.constant(np.arange(0, rope.dims, 2, dtype=np.float32) / -rope.dims)
        return module.exp(exponents * module.log(grown))

    # -- attention --------------------------------------------------------------------------------------------------
    def attention(
        self,
        q: Value,
        k: Value,
        v: Value,
        *,
        heads: int,
        kv_heads: int,
        head_dim: int,
        window: int | None = None,
        scale: float | None = None,
        softcap: float | None = None,
    ) -> Value:
        """Emits causal attention of `[B, S, H·D]` to the cached keys of the scope and the new ones."""
        module, (batch, seq) = self.module, (self.shapes.batch, self.shapes.seq)
        kind = MaskKind.SlidingWindow(window) if window else MaskKind.Causal
        how: dict[str, Any] = {
            "num_heads": heads,
            "num_kv_heads": kv_heads,
            "head_dim": head_dim,
            "mask_kind": kind,
            "score_scale": scale,
            "softcap": softcap,
        }
        if self.start is None:
            return module.attention(q, k, v, **how)
        if self.paging is not None:
            return self.paging.attention(".".join(self._scope), q, k, v, **how)

        def heads_first(x: Value, count: int) -> Value:
            return x.reshape(batch, seq, count, head_dim).transpose(0, 2, 1, 3)

        if self.shapes.capacity is not None:
            module.assume(seq <= self.shapes.capacity)
        caches = []
        for name, new in (("k", k), ("v", v)):
            old = self.state(name, (kv_heads, self.shapes.capacity, head_dim), self.shapes.cache_dtype or "f32")
            rows = heads_first(new, kv_heads)
            rows = rows if rows.dtype == old.dtype else rows.astype(old.dtype)
            caches.append(module.dynamic_update_slice(old, rows, self.start, axes=(2,)))
            module.update(old, caches[-1])
        ends = self.start + (module.size_value(seq) if isinstance(seq, Dim) else seq)
        mixed = module.attention(heads_first(q, heads), *caches, positions=self.start, lengths=ends, layout="bhsd", **how)
        return mixed.astype(q.dtype).transpose(0, 2, 1, 3).reshape(batch, seq, heads * head_dim)

    def attention_both_ways(self, q: Value, k: Value, v: Value, *, heads: int, head_dim: int, bias: Value | None = None) -> Value:
        """Emits an encoder's bidirectional attention over all real tokens, with an optional `bias` added to the scores."""
        mask, kind = (self.real, MaskKind.Custom) if bias is None else (bias, MaskKind.Bias)
        return self.module.attention(q, k, v, mask, num_heads=heads, head_dim=head_dim, mask_kind=kind)

    # -- recurrence -------------------------------------------------------------------------------------------------
    @property
    def steps(self) -> Value | None:
        """The number of real tokens of each row, so that recurrent states stop at the last one; None: all tokens are real."""
        return None if self.start is None or (isinstance(self.shapes.seq, int) and self.shapes.seq == 1) else self.count

    def causal_conv(self, x: Value, name: str) -> Value:
        """Emits a causal depthwise convolution of `[B, S, C]` with taps `[C, K]`; the state `conv` saves the last K - 1 real inputs."""
        module, (batch, _, channels) = self.module, x.shape
        earlier = self.weight(name, (channels, None)).dims[-1] - 1
        if self.start is None:
            before = module.expand(module.constant(np.float32(0)), (batch, earlier, channels))
        else:
            before = self.state("conv", (earlier, channels))
            seen = module.concat(before, x, axis=1)
            if self.steps is None:
                module.update(before, module.narrow(seen, axis=1, start=1, length=earlier))
            else:
                offsets = module.iota((1, earlier, 1), axis=1) + self.steps.reshape(batch, 1, 1)
                module.update(before, module.take_along_axis(seen, offsets, axis=1))
        taps = self.param(name).reshape(channels, 1, 1, earlier + 1)
        mixed = module.depthwise_conv1d_causal(x, taps, before, kernel_size=earlier + 1)
        return mixed + self.param(f"{name}.bias") if self.has(f"{name}.bias") else mixed

    def state(self, name: str, dims: tuple[Size | None, ...], dtype: str = "f32") -> Value:
        """Declares a state of the scope, `[batch, *dims]`, initially zero."""
        path = self.shapes.prefix + ".".join([*self._scope, name])
        return self.module.state(path, (self.shapes.batch, *dims), dtype)

    # -- results ----------------------------------------------------------------------------------------------------
    def last(self, x: Value) -> Value:
        """Selects the last real token of each row, `[B, 1, E]`; all tokens for `logits="all"`; the requested ones of a paged graph."""
        if self.shapes.hidden:
            self.outputs["hidden"] = x
        if self.paging is not None:
            return self.paging.wanted_rows(x)
        if self.shapes.logits == "all" or (isinstance(self.shapes.seq, int) and self.shapes.seq == 1):
            return x
        return self.module.take_along_axis(x, (self.count - 1).reshape(self.shapes.batch, 1, 1), axis=1)

    def logits(self, x: Value, name: str = "output", *, softcap: float | None = None, scale: float = 1.0) -> None:
        """Emits x @ the output layer, or the embedding table without one; for `logits="embedding"` returns x normalized."""
        if self.shapes.logits == "embedding":
            self.finish(embedding=self.unit_length(x.reshape(x.shape[0], x.shape[-1]).astype("f32")))
            return
        product = self.linear(x, name if self.has(name) else "token_embd")
        if scale != 1.0:
            product = product * scale
        if softcap:
            product = self.module.tanh(product / softcap) * softcap
        if self.shapes.logits == "last":
            product = product.reshape(product.shape[0], product.shape[-1])
        self.finish(logits=product.astype("f32"))

    def unit_length(self, rows: Value) -> Value:
        """Divides rows `[B, E]` by their L2 norms."""
        length = self.module.sqrt(self.module.reduce_sum(rows * rows, axes=-1, keep_dim=True))
        return rows / self.module.max(length, 1e-12)

    def finish(self, **outputs: Value) -> None:
        """Declares the graph's outputs."""
        self.module.set_outputs({**self.outputs, **outputs})


def _some(names: Mapping[str, Any]) -> str:
    return ", ".join(list(names)[:8]) + (", …" if len(names) > 8 else "")
