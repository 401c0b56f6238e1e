"""A user's program for type checkers: `test_types.py` has it checked with the installed package, and runs it up to the graphs."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, assert_type

import numpy as np
import numpy.typing as npt

import rlx
import rlx.numpy as rnp
from rlx.generate import Generation, LanguageModel, Stream
from rlx.trace.tracer import Handle
from rlx.train import AdamW, Training, compile_training, cosine

Array = rlx.Array
NumPyArray = npt.NDArray[Any]
F32 = npt.NDArray[np.float32]
x: F32 = np.ones(3, np.float32)
rows: F32 = np.ones((2, 3), np.float32)


# -- compiled functions
@rlx.jit
def energy(x: rlx.Value) -> rlx.Value:
    return (x * x).sum()


@rlx.jit(device="reference", dims={"x": ("rows",)})
def halves(x: rlx.Value, scale: float = 1.0) -> tuple[rlx.Value, rlx.Value]:
    return x * scale, x[1:]


@rlx.jit
def twice(x: rlx.Value) -> rlx.Value:
    return assert_type(energy(x), rlx.Value) * 2


@rlx.jit
def on_arrays(x: Array, power: int) -> Array:
    return x**power


@rlx.jit(static_argnums=1, donate_argnames=("x",), inline=True)
def repeated(x: rlx.Value, times: int) -> rlx.Value:
    for _ in range(times):
        x = x * 2
    return x


def cubes(x: rlx.Value) -> rlx.Value:
    return (x * x * x).sum()


class Layer:
    @rlx.jit
    def forward(self, x: rlx.Value) -> rlx.Value:
        return x

    @partial(rlx.jit, static_argnums=0)
    def scaled(self, x: rlx.Value) -> rlx.Value:
        return x * 2


def loss(params: dict[str, rlx.Value], x: rlx.Value) -> rlx.Value:
    return (x * params["w"]).mean()


def loss_and_logits(params: dict[str, rlx.Value], x: rlx.Value) -> tuple[rlx.Value, rlx.Value]:
    return loss(params, x), x


assert_type(energy(x), Array)
assert_type(repeated(x.copy(), 3), Array)
assert_type(repeated.executable, rlx.Executable)
lowered = repeated.lower(rlx.ShapeDtypeStruct((3,), np.float32), 3)
assert_type(lowered.hir(), str)
compiled = lowered.compile()
assert_type(rlx.eval_shape(cubes, x), rlx.ShapeDtypeStruct)
saved = rlx.checkpoint(cubes, policy=rlx.checkpoint_policies.save_only_these_names("h"))
assert_type(saved(x), Array)
rlx.hessian(cubes)(x)
rlx.lax.fori_loop(0, 3, lambda i, v: v * 2, x)
rlx.lax.switch(1, [cubes, cubes], x)
rlx.lax.map(cubes, rows)
rlx.lax.associative_scan(lambda a, b: a + b, x)
assert_type(energy.report, rlx.Report)
assert_type(energy.traces, int)
assert_type(halves(x, scale=2.0), tuple[Array, Array])
assert_type(on_arrays(rlx.numpy.asarray(x), 2), Array)
assert_type(Layer().forward(x), Array)
assert_type(rlx.put(x), Handle)
assert_type(rlx.put({"w": x}), dict[str, Handle])

# -- functions of arrays
key = rlx.random.key(0)
assert_type({"w": rlx.random.normal(key, (3, 4)), "b": rnp.zeros(4)}, dict[str, Array])
assert_type([rnp.exp(x), rlx.nn.gelu(x), rlx.lax.exp(x), rlx.scipy.special.erf(x)], list[Array])
assert_type(rlx.scipy.signal.convolve(x, x), Array)
assert_type(rlx.scipy.linalg.lu_factor(np.eye(3)), tuple[Array, Array])
assert_type(rlx.lax.top_k(x, 2), tuple[Array, Array])
assert_type(rlx.lax.reduce_sum(x, axes=(0,)), Array)
assert_type(rnp.modf(x), tuple[Array, Array])
assert_type(rnp.split(x, 3), list[Array])
assert_type(rnp.concatenate([rnp.ones(1), x]), Array)
assert_type(rnp.linalg.slogdet(np.eye(2)).logabsdet, Array)
q, r = rnp.linalg.qr(np.eye(2))
assert_type(q, Array)
assert_type(rnp.linalg.qr(np.eye(2), mode="r"), Array)
assert_type(rnp.linalg.svd(np.eye(2)).S, Array)
assert_type(rnp.linalg.svd(np.eye(2), compute_uv=False), Array)
assert_type(rlx.scipy.linalg.lu(np.eye(2))[0], Array)
assert_type(rnp.nonzero(x)[0], Array)
print(rnp.unique(x).sum(), rnp.atleast_2d(x).shape, rlx.lax.sort(x).max())
averaged: Array = rnp.average(x, axis=0)
assert_type(rnp.fft.fft(x), Array)
one, two = rlx.random.split(key)
assert_type(one, Array)
assert_type(rlx.freeze(rlx.new_ref(x)), Array)

# -- derivatives and batches
params = {"w": x}
assert_type(rlx.grad(energy)(x), Array)
assert_type(rlx.grad(loss)(params, x), dict[str, Array])
assert_type(rlx.grad(loss_and_logits, has_aux=True)(params, x), tuple[dict[str, Array], Array])
assert_type(rlx.grad(loss, argnums=(0, 1))(params, x), tuple[Any, ...])
assert_type(rlx.value_and_grad(loss)(params, x), tuple[Array, dict[str, Array]])
assert_type(rlx.vmap(rlx.grad(cubes))(rows), Array)
assert_type(rlx.jit(rlx.vmap(rlx.grad(cubes)))(rows), Array)
assert_type(rlx.jit(rlx.grad(loss))(params, x), dict[str, Array])
assert_type(rlx.jacfwd(rlx.grad(cubes))(x), Array)
assert_type(rlx.jvp(rlx.grad(cubes), (x,), (x,))[1], Array)
assert_type(rlx.jvp(energy, (x,), (x,)), tuple[Array, Array])
assert_type(rlx.checkpoint(loss)(params, x), Array)
value, pullback = rlx.vjp(energy, x)
assert_type(value, Array)
assert_type(pullback(value), tuple[Array, ...])
value, slope = rlx.linearize(energy, x)
assert_type(slope(x), Array)
print(rlx.grad(lambda x: (x * x).sum())(x), rlx.vmap(lambda x, y: (x * y).sum(), in_axes=(0, None))(rows, x))


@rlx.custom_vjp
def clipped(x: rlx.Value) -> rlx.Value:
    return x * 1


clipped.defvjp(lambda x: (x * 1, None), lambda _, g: (g,))
assert_type(clipped(x), Array)


@rlx.custom_jvp
def square(x: rlx.Value) -> rlx.Value:
    return x * x


@square.defjvp
def square_rule(primals: tuple[rlx.Value], tangents: tuple[rlx.Value]) -> tuple[rlx.Value, rlx.Value]:
    return square(*primals), tangents[0] * 3


def add(carry: rlx.Value, row: rlx.Value) -> tuple[rlx.Value, rlx.Value]:
    return carry + row, carry


def body(xs: rlx.Value) -> rlx.Value:
    last, rows = rlx.lax.scan(add, np.float32(0), xs)
    assert_type(rows, rlx.Value)
    assert_type(rlx.lax.while_loop(lambda c: c < 5.0, cubes, last), rlx.Value)
    assert_type(rlx.lax.stop_gradient(last), rlx.Value)
    return rlx.lax.cond(last > 0, square, clipped, last)


assert_type(rlx.jit(body)(x), Array)


# -- graphs
graph = rlx.Graph("mlp")
h = graph.input("x", (rlx.Dim("rows"), 3))
assert_type(graph.gelu(h @ graph.param("w", (3, 2))), rlx.Value)
graph.set_outputs({"loss": (h * h).sum()})
exe = rlx.compile(graph, "cpu", strict=True)
assert_type(exe, rlx.Executable)
assert_type(exe.run({"x": x}), dict[str, NumPyArray])
print(exe(x=x).shape, exe.param("w").sum(), exe.report)
assert_type(rlx.graphs.lower(graph), rlx.compat.LirModule)
assert_type(rlx.load(Path("mlp.rlx")), rlx.GraphModule)
assert_type(rlx.load_executable("mlp.exe"), rlx.Executable)
assert_type(rlx.Session("cpu").compile(graph), rlx.Executable)
assert_type(rlx.check(exe, {"x": x}).ok, bool)
assert_type(rlx.devices(), dict[str, str])
assert_type(rlx.autodiff.grad(graph, "x"), rlx.GraphModule)
assert_type(rlx.quant.quantize(exe, rlx.quant.calibrate(exe, [x])).compile(), rlx.Executable)

# -- models
model = rlx.load_model("smollm2", quant_mode="exact")
assert_type(model, LanguageModel)
answer = model.generate("The capital of France is", max_tokens=8)
assert_type(answer, Generation)
assert_type(answer.text, str)
assert_type(model.generate([1, 2, 3]), Generation)
assert_type(model.generate(["one", "two"], temperature=0.0), list[Generation])
assert_type(model.chat("Why is the sky blue?"), Generation)
assert_type(model.chat([{"role": "user", "content": "Why?"}]), Generation)
assert_type(model.stream("Once upon a time"), Stream)
assert_type(list(model.stream("Once")), list[str])
assert_type(rlx.load_model("minilm").embed(["a cat", "a kitten"]), F32)
assert_type(model.tokenizer.encode("a text"), list[int])

# -- training
training = compile_training(graph, "loss", AdamW(lr=cosine(0.01, 100)), clip_norm=1.0)
assert_type(training, Training)
assert_type(training.step({"x": x})["loss"], NumPyArray)
assert_type(training.param("w"), NumPyArray)
assert_type(training.session, rlx.Session)
assert_type(training.executable, rlx.Executable)
assert_type(rlx.train.byte_tokens("text.txt"), npt.NDArray[np.uint8])

on_lines: Callable[[rlx.Value], rlx.Value] = energy  # it may stand where the function it is made of may
