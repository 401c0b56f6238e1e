"""RLX in the workloads, written against its public API like a user's program."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from bench import arrays, peers
from bench.harness import Contender
from bench.models.encoder import EncoderConfig
from bench.models.llama import LlamaConfig


def _rlx() -> ModuleType:
    return peers.need("rlx")


def product(x: np.ndarray, weights: list[np.ndarray], weight_is_param: bool):
    """`x @ weights[i]`: with a param, one executable per weight (they share their code); else one for all."""
    rlx = _rlx()
    (m, k), n = x.shape, weights[0].shape[1]
    graph = rlx.Graph("product")
    left = graph.input("x", rlx.Shape((m, k), "f32"))
    leaf = graph.param if weight_is_param else graph.input
    graph.set_outputs({"y": graph.matmul(left, leaf("w", rlx.Shape((k, n), "f32")))})
    out = {"y": arrays.empty((m, n))}
    if not weight_is_param:
        executable = rlx.compile(graph, device="cpu")
        return lambda i: executable.run({"x": x, "w": weights[i]}, out=out), lambda: out["y"]

    executables = []
    for weight in weights:
        executable = rlx.compile(graph, device="cpu")
        executable.set_param("w", weight)
        executables.append(executable)
    return lambda i: executables[i].run({"x": x}, out=out), lambda: out["y"]


def _on_ids(graph, weights: dict[str, np.ndarray], ids: np.ndarray, output: str, width: int) -> Contender:
    """A graph from `ids[batch, length]` to one output of so many numbers for each, compiled for just these sizes."""
    executable = _rlx().compile(graph, device="cpu")
    executable.set_params(weights)
    inputs = {"ids": ids.astype(np.int32)}
    out = {output: arrays.empty((*ids.shape, width))}
    return Contender("rlx", lambda: executable.run(inputs, out=out), lambda: out[output])


def llama_prefill(config: LlamaConfig, weights: dict[str, np.ndarray], ids: np.ndarray) -> Contender:
    """All positions at once, without a cache; logits of every position."""
    return _on_ids(prefill_module(config, weights, *ids.shape), weights, ids, "logits", config.vocab)


def llama_decode(config: LlamaConfig, weights: dict[str, np.ndarray], ids: np.ndarray, capacity: int) -> Contender:
    """The last token of `ids` after all the others, whose keys and values lie in a cache of fixed capacity.

    Two executables share weights and caches: one fills the cache, the other is timed. Each call writes the same row.
    """
    rlx = _rlx()
    batch, length = ids.shape
    past = length - 1
    session = rlx.Session("cpu")

    fill, decode = (session.compile(cached_module(config, weights, batch, count, capacity)) for count in (past, 1))
    session.set_params(weights)
    fill.run({"ids": ids[:, :past].astype(np.int32), "length": np.zeros(batch, np.int32)})
    step = {"ids": ids[:, past:].astype(np.int32), "length": np.full(batch, past, np.int32)}
    out = {"logits": arrays.empty((batch, 1, config.vocab))}
    return Contender("rlx", lambda: decode.run(step, out=out), lambda: out["logits"])


def prefill_module(config: LlamaConfig, weights: dict[str, np.ndarray], batch, length):
    """The decoder on `[batch, length]` tokens, sizes or symbols, without a cache."""
    rlx = _rlx()
    module = rlx.Graph.hir("llama_prefill")
    tokens = module.input("ids", rlx.Shape((batch, length), "i32"))
    module.set_outputs({"logits": _llama(rlx, module, config, weights, tokens)})
    return module


def cached_module(config: LlamaConfig, weights: dict[str, np.ndarray], batch, count, capacity: int):
    """The decoder on `count` new tokens behind those in a cache."""
    rlx = _rlx()
    module = rlx.Graph.hir("llama_cached")
    tokens = module.input("ids", rlx.Shape((batch, count), "i32"))
    filled = module.input("length", rlx.Shape((batch,), "i32"))
    sizes = {"kv_heads": config.kv_heads, "capacity": capacity, "head_dim": config.head_dim}
    caches = [module.kv_cache(f"layers.{i}", filled, **sizes) for i in range(config.layers)]
    module.set_outputs({"logits": _llama(rlx, module, config, weights, tokens, caches)})
    return module


def _llama(rlx, module, config: LlamaConfig, weights: dict[str, np.ndarray], tokens, caches=None):
    """The decoder as block ops; weights `[in, out]` under the names they have in `weights`."""

    def param(name: str):
        return module.param(name, rlx.Shape(weights[name].shape, "f32"))

    cos, sin = (module.constant(table) for table in config.rope_tables())
    x = module.gather(param("embedding"), tokens, axis=0)
    for i in range(config.layers):
        layer = [param(f"{i}.{name}") for name in ("norm1", "q", "k", "v", "o", "norm2", "gate", "up", "down")]
        norm1, q, k, v, o, norm2, gate, up, down = layer
        x = module.llama_decoder_block(
            x,
            norm1,
            None,
            q,
            k,
            v,
            o,
            norm2,
            None,
            gate,
            up,
            down,
            cos,
            sin,
            num_heads=config.heads,
            head_dim=config.head_dim,
            num_kv_heads=config.kv_heads,
            eps=config.eps,
            mask_kind="causal",
            **({"cache": caches[i]} if caches else {}),
        )
    x = module.rms_norm(x, param("norm"), None, eps=config.eps)
    return module.linear(x, param("head"))


def training_module(config: LlamaConfig, weights: dict[str, np.ndarray], ids: np.ndarray):
    """The loss of the decoder on `ids` without their last column, which are the labels without their first."""
    rlx = _rlx()
    rows, length = ids.shape[0], ids.shape[1] - 1
    module = rlx.Graph.hir("llama_training")
    tokens, labels = module.input("ids", (rows, length), "i32"), module.input("labels", (rows * length,), "i32")
    logits = _llama(rlx, module, config, weights, tokens).reshape(rows * length, config.vocab)
    module.set_outputs({"loss": module.softmax_cross_entropy_with_logits(logits, labels).mean()})
    return module


def llama_training(config: LlamaConfig, weights: dict[str, np.ndarray], ids: np.ndarray) -> Contender:
    """Forward, backward and AdamW in one call; the result is the loss of the first step."""
    rlx = _rlx()
    module = training_module(config, weights, ids)
    training = rlx.train.compile_training(module, "loss", rlx.train.AdamW(lr=1e-4))
    training.set_params(weights)
    batch = {"ids": ids[:, :-1].astype(np.int32), "labels": ids[:, 1:].astype(np.int32).reshape(-1)}
    first: list[float] = []
    return Contender("rlx", lambda: first.append(float(training.step(batch)["loss"])), lambda: np.array(first[:1]))


def encoder(config: EncoderConfig, weights: dict[str, np.ndarray], ids: np.ndarray) -> Contender:
    """The encoder on fixed sizes."""
    return _on_ids(encoder_graph(config, weights, *ids.shape), weights, ids, "hidden", config.hidden)


def encoder_graph(config: EncoderConfig, weights: dict[str, np.ndarray], batch, length):
    """A BERT encoder of tensor ops: post-norm layers, exact gelu, no mask; sizes or symbols."""
    rlx = _rlx()
    graph = rlx.Graph("encoder")
    tokens = graph.input("ids", rlx.Shape((batch, length), "i32"))

    def param(name: str):
        return graph.param(name, rlx.Shape(weights[name].shape, "f32"))

    def linear(x, name: str):
        return graph.matmul(x, param(name)) + param(f"{name}.bias")

    def norm(x, name: str):
        return graph.layer_norm(x, param(name), param(f"{name}.bias"), axes=(-1,), eps=config.eps)

    x = graph.gather(param("embedding"), tokens, axis=0) + param("positions")[:length] + param("types")[0]
    x = norm(x, "norm")
    for i in range(config.layers):
        q, k, v = (linear(x, f"{i}.{name}") for name in "qkv")
        mixed = graph.attention(q, k, v, num_heads=config.heads, head_dim=config.head_dim, mask_kind="none")
        x = norm(x + linear(mixed, f"{i}.o"), f"{i}.norm1")
        x = norm(x + linear(graph.gelu(linear(x, f"{i}.up")), f"{i}.down"), f"{i}.norm2")
    graph.set_outputs({"hidden": x})
    return graph


def elementwise(make, inputs: dict[str, np.ndarray], params: dict[str, np.ndarray]) -> Contender:
    """`make(graph, *values)` on inputs and params by name, into an output that stays."""
    rlx = _rlx()
    graph = rlx.Graph("region")
    values = [graph.input(name, rlx.Shape(array.shape, "f32")) for name, array in inputs.items()]
    values += [graph.param(name, rlx.Shape(array.shape, "f32")) for name, array in params.items()]
    graph.set_outputs({"y": make(graph, *values)})
    executable = rlx.compile(graph, device="cpu")
    executable.set_params(params)
    out = {"y": arrays.empty(next(iter(inputs.values())).shape)}
    return Contender("rlx", lambda: executable.run(inputs, out=out), lambda: out["y"])


def recurrence(op: str, inputs: dict[str, np.ndarray], state_size: int, out_shape: tuple[int, ...]) -> Contender:
    """selective_scan or gated_delta_net on its operands in order."""
    rlx = _rlx()
    graph = rlx.Graph(op)
    values = [graph.input(name, rlx.Shape(array.shape, "f32")) for name, array in inputs.items()]
    graph.set_outputs({"y": getattr(graph, op)(*values, state_size=state_size)})
    executable = rlx.compile(graph, device="cpu")
    out = {"y": arrays.empty(out_shape)}
    return Contender("rlx", lambda: executable.run(inputs, out=out), lambda: out["y"])


def factorization(make, inputs: dict[str, np.ndarray], dtype: str) -> Contender:
    """`make(graph, *values)`, one result or two, into outputs that stay; two are shown as one array."""
    rlx = _rlx()
    graph = rlx.Graph("factorization")
    found = make(graph, *(graph.input(name, rlx.Shape(array.shape, dtype)) for name, array in inputs.items()))
    graph.set_outputs(dict(zip("qr", found, strict=True)) if isinstance(found, tuple) else {"y": found})
    executable = rlx.compile(graph, device="cpu")
    out = {name: np.empty_like(array) for name, array in executable.run(inputs).items()}
    return Contender("rlx", lambda: executable.run(inputs, out=out), lambda: np.squeeze(np.stack([*out.values()])))


def causal_convolution(given: dict[str, np.ndarray], taps: int, written_out: bool = False) -> Contender:
    """depthwise_conv1d_causal on x `[B, S, C]` behind what was before it; or the same written out as a product for each tap."""
    rlx = _rlx()
    module = rlx.Graph.hir("causal")
    x, left = (module.input(name, rlx.Shape(given[name].shape, "f32")) for name in ("x", "left"))
    w = module.param("w", rlx.Shape(given["w"].shape, "f32"))
    if written_out:
        padded, columns = module.concat(left, x, axis=1), w.reshape(w.shape[0], taps)
        terms = [padded[:, tap : tap + x.shape[1]] * columns[:, tap] for tap in range(taps)]
        y = sum(terms[1:], start=terms[0])
    else:
        y = module.depthwise_conv1d_causal(x, w, left, kernel_size=taps)
    module.set_outputs({"y": y})
    executable = rlx.compile(module, device="cpu")
    executable.set_params({"w": given["w"]})
    inputs, out = {"x": given["x"], "left": given["left"]}, {"y": arrays.empty(given["x"].shape)}
    name = "rlx, shifted products" if written_out else "rlx"
    return Contender(name, lambda: executable.run(inputs, out=out), lambda: out["y"])


def window(
    kind: str, x: np.ndarray, w: np.ndarray, bias: np.ndarray, settings: dict[str, int], out_shape: tuple[int, ...]
) -> Contender:
    """A convolution, its weight and bias as params, or the pool of a kind."""
    rlx = _rlx()
    graph = rlx.Graph(kind)
    images = graph.input("x", rlx.Shape(x.shape, "f32"))
    params = {"w": w, "bias": bias} if kind == "conv" else {}
    given = [graph.param(name, rlx.Shape(array.shape, "f32")) for name, array in params.items()]
    made = graph.conv(images, *given, **settings) if kind == "conv" else graph.pool(images, kind, **settings)
    graph.set_outputs({"y": made})
    executable = rlx.compile(graph, device="cpu")
    executable.set_params(params)
    out = {"y": arrays.empty(out_shape)}
    return Contender("rlx", lambda: executable.run({"x": x}, out=out), lambda: out["y"])
