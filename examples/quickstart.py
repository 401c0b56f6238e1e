"""The first five minutes: build a graph, compile it, run it at two sizes, and see what the compiler did."""

import numpy as np

import rlx

batch = rlx.Dim("batch")
g = rlx.Graph("mlp")
x = g.input("x", (batch, 64), "f32")
w1, b1 = g.param("w1", (64, 128), "f32"), g.param("b1", (128,), "f32")
w2 = g.param("w2", (128, 10), "f32")
logits = g.gelu(x @ w1 + b1) @ w2
g.set_outputs({"p": g.softmax(logits, axis=-1)})
print(g)

exe = rlx.compile(g)  # device="cpu": native code; "reference": NumPy
random = np.random.default_rng(0)
for name, shape in {"w1": (64, 128), "b1": (128,), "w2": (128, 10)}.items():
    exe.set_param(name, random.standard_normal(shape, dtype=np.float32) / 8)

for rows in (3, 500):  # one executable, any batch
    p = exe(x=random.standard_normal((rows, 64), dtype=np.float32))
    print(f"batch {rows}: {p.shape}, rows sum to {p.sum(axis=1).min():.6f} … {p.sum(axis=1).max():.6f}")

print(exe.report)
