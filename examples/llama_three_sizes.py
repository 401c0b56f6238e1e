"""A small Llama with symbolic batch and sequence: its three levels, one compilation, three sizes, and the report."""

import time

import numpy as np

import rlx

LAYERS, HIDDEN, HEADS, KV_HEADS, FFN, VOCAB, CONTEXT = 2, 64, 4, 2, 160, 256, 512
HEAD = HIDDEN // HEADS


def build() -> rlx.GraphModule:
    """Token ids in, logits out; weights are params of the module."""
    batch, seq = rlx.Dim("batch", max=64), rlx.Dim("seq", max=CONTEXT)
    m = rlx.Graph.hir("llama")
    ids = m.input("ids", (batch, seq), "i32")
    cos, sin = m.param("cos", (CONTEXT, HEAD // 2), "f32"), m.param("sin", (CONTEXT, HEAD // 2), "f32")
    x = m.gather(m.param("embed", (VOCAB, HIDDEN), "f32"), ids, axis=0)
    for layer in range(LAYERS):

        def weight(name: str, *dims: int, layer: int = layer) -> rlx.Value:
            return m.param(f"layers.{layer}.{name}", dims, "f32")

        x = m.llama_decoder_block(
            x,
            weight("ln1", HIDDEN),
            None,
            weight("q", HIDDEN, HIDDEN),
            weight("k", HIDDEN, KV_HEADS * HEAD),
            weight("v", HIDDEN, KV_HEADS * HEAD),
            weight("o", HIDDEN, HIDDEN),
            weight("ln2", HIDDEN),
            None,
            weight("gate", HIDDEN, FFN),
            weight("up", HIDDEN, FFN),
            weight("down", FFN, HIDDEN),
            cos,
            sin,
            num_heads=HEADS,
            num_kv_heads=KV_HEADS,
            head_dim=HEAD,
            mask_kind="causal",
        )
    x = m.rms_norm(x, m.param("norm", (HIDDEN,), "f32"))
    m.set_outputs({"logits": m.linear(x, m.param("head", (HIDDEN, VOCAB), "f32"))})
    return m


def weights(exe: rlx.Executable, seed: int = 0) -> None:
    """Random weights, and the tables of the rotary embedding."""
    random = np.random.default_rng(seed)
    angles = np.arange(CONTEXT)[:, None] / 10000.0 ** (np.arange(0, HEAD, 2) / HEAD)
    for name, node in exe.graph.params.items():
        dims = [int(size) for size in node.shape.dims]
        if name in ("cos", "sin"):
            value = getattr(np, name)(angles).astype(np.float32)
        else:
            value = (
                np.ones(dims, np.float32) if len(dims) == 1 else (random.standard_normal(dims) * dims[0] ** -0.5).astype(np.float32)
            )
        exe.set_param(name, value)


def main() -> None:
    """Show every stage, then run."""
    module = build()
    print("=== HIR: what was written\n", module, sep="")
    print("\n=== MIR: blocks lowered to tensor ops\n", module.into_mir(), sep="")
    print("\n=== LIR for the CPU: fused, planned, scheduled\n", rlx.graphs.lower(module, "cpu"), sep="")

    exe = rlx.compile(module)
    weights(exe)
    reference = rlx.compile(module, "reference")
    weights(reference)
    print("\n=== One executable, three sizes")
    for batch, seq in ((1, 5), (3, 32), (2, 200)):
        ids = np.random.default_rng(seq).integers(0, VOCAB, (batch, seq), dtype=np.int32)
        logits = exe(ids=ids)
        start = time.perf_counter()
        logits = exe(ids=ids)
        seconds = time.perf_counter() - start
        error = np.abs(logits - reference(ids=ids)).max()
        print(f"batch {batch}, sequence {seq:3}: logits {logits.shape}, {seconds * 1e3:6.2f} ms, off the reference by {error:.1e}")
    print("\n=== Report\n", exe.report, sep="")


if __name__ == "__main__":
    main()
