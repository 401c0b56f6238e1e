"""A short program for each row of docs/coming-from-jax.md and each hint of `rlx.<name>`: what they say to write, written.

Programs see `rlx`, `jnp`, `lax`, `np`, `f` (doubles), `x` (three ones) and `path` (a file that is not there yet).
"""

ROWS = {
    '`jax.config.update("jax_enable_x64", True)`': """
assert jnp.asarray(np.zeros(2)).dtype == np.float64 and jnp.asarray([1.0]).dtype == np.float32
try: rlx.config.update("jax_enable_x64", True)
except rlx.RlxError as error: assert "delete the line" in str(error)
else: raise AssertionError
""",
    "`jax.random.normal(key)`: these numbers": "assert rlx.random.normal(rlx.random.key(0), (3,)).shape == (3,)",
    "`jax.random.key(0)` of dtype `key<fry>`": "assert rlx.random.key(0).dtype == np.uint32 and rlx.random.key(0).shape == (2,)",
    "`jax.make_jaxpr(f)(x)` prints a jaxpr": """
assert "mul(" in str(rlx.make_jaxpr(f)(x))
lowered = rlx.jit(f).lower(x)
assert all(str(text()) for text in (lowered.hir, lowered.mir, lowered.lir, lowered.llvm, lowered.cost))
""",
    "a new shape compiles again": """
g = rlx.jit(f)
for size in (2, 3, 4, 5): g(np.ones(size, np.float32))
assert g.traces <= 2
""",
    "`if x > 0` under `grad`, `vjp`, `jvp` outside `jit` runs op by op": """
slope = rlx.grad(lambda y: y * y if y > 0 else -y)
assert float(slope(3.0)) == 6 and float(slope(-3.0)) == -1
""",
    "`jit` of arrays inside another trace": """
inside = rlx.jit(f)
assert float(rlx.grad(lambda y: (inside(x) * y).sum())(1.0)) == 6
""",
    "`vjp`, `jvp`, `linearize` of integer arguments or results": """
_, pullback = rlx.vjp(lambda y, i: y[i], x, 1)
assert pullback(np.float32(1))[1].dtype == np.int32
""",
    "a Python integer outside an integer array's dtype, `u8 + (-1)`, `u8 < 300`": """
try: jnp.ones(2, jnp.uint8) + (-1)
except rlx.RlxError as error: assert error.code == "RLX110"
else: raise AssertionError
""",
    "f32 numbers below 1.2e-38 (subnormals)": "assert float(rlx.jit(lambda y: y * 1)(np.float32(1e-40))) > 0",
    "bf16 and f16 under `jit`, on the CPU": """
low = jnp.linspace(0, 1, 64).astype(jnp.bfloat16)
chain = lambda y: (y * 1.7 + y) * y
assert (rlx.jit(chain, excess_precision=False)(low) == chain(low)).all()
""",
    "gradient of `logsumexp`, `logaddexp`, `cumlogsumexp` where all terms are -inf; of the last two where terms are inf": """
assert (np.asarray(rlx.grad(lambda y: rlx.nn.logsumexp(y))(jnp.full(3, -jnp.inf))) == 0).all()
""",
    "gradient of `x**0.0` at 0, the exponent a constant": "assert float(rlx.grad(lambda y: y**0.0)(0.0)) == 0",
    "the sign of a zero: `maximum`, `max`, `clip`, pooling of 0 and -0; `sign(-0.0)`, `relu(-0.0)`": """
assert jnp.maximum(0.0, -0.0) == 0 and rlx.nn.relu(jnp.float32(-0.0)) == 0 and jnp.sort(jnp.float32([0, -0.0]))[0] == 0
""",
    "`linalg.inv`, `solve` of a singular matrix": """
try: jnp.linalg.inv(jnp.zeros((2, 2)))
except rlx.RlxError as error: assert error.code == "RLX511"
else: raise AssertionError
""",
    "a donated array is deleted; reading it raises": """
assert float(rlx.jit(f, donate_argnums=0)(np.ones(3, np.float32))[0]) == 2
""",
    "results are `jax.Array`": "assert isinstance(rlx.jit(f)(x), rlx.Array)",
    "`block_until_ready()`": "assert float(rlx.jit(f)(x).block_until_ready()[0]) == 2",
    "an index out of bounds is clamped or dropped": """
assert float(rlx.jit(lambda i: jnp.arange(3.0)[i])(7)) == 2
try: jnp.arange(3.0)[5]
except IndexError: pass
else: raise AssertionError
""",
    "`jnp.round`": "assert float(rlx.grad(lambda y: jnp.round(y))(np.float32(1.2))) == 0",
    "complex gradients: `optax` wants `jax.tree.map(jnp.conj, g)` first": """
params = {"w": jnp.asarray([1 + 1j])}
grads = rlx.grad(lambda p: (abs(p["w"]) ** 2).sum())(params)
adam = rlx.train.SGD(0.25)
updates, _ = adam.update(grads, adam.init(params), params)
assert abs(rlx.train.apply_updates(params, updates)["w"][0]) < 1.4
""",
    "`optax.adam(1e-3)`": """
adam, params = rlx.train.Adam(1e-3), {"w": x}
updates, _ = adam.update({"w": x}, adam.init(params), params)
assert abs(float(updates["w"][0]) + 1e-3) < 1e-6
""",
    "gradient of `x[i]`, an array `i` out of bounds, no `mode=`": """
gradient = rlx.grad(lambda y, i: y[i])(x, jnp.asarray(7))
assert [float(each) for each in gradient] == [0, 0, 1]
""",
    "`jax.pmap(f)`": "assert rlx.vmap(f)(x).shape == (3,)",
    "`jax.shard_map`, `jax.sharding`, `jax.make_mesh`": """
assert float(rlx.vmap(lambda y: lax.psum(y, "i"), axis_name="i")(x)[0]) == 3
assert x.devices() == {"cpu"} and "cpu" in str(x.sharding)
""",
    "`jax.device_put(x, device)` on another device": 'assert float(rlx.jit(f, device="reference")(x)[0]) == 2',
    "`jax.scipy.optimize`, `.fft`, `.interpolate`, `.ndimage`, `.sparse`": """
assert jnp.fft.fft(x).shape == (3,) and float(jnp.interp(0.5, jnp.arange(3.0), jnp.arange(3.0))) == 0.5
assert rlx.train.Adam and rlx.grad and rlx.lax.while_loop
""",
    "`jax.scipy.stats.truncnorm`, `jax.scipy.special.sici`, `jax.scipy.linalg.schur` and others not in `rlx.scipy`": """
assert abs(float(rlx.scipy.stats.norm.cdf(0.0)) - 0.5) < 1e-6
""",
    "`isinstance(x, jax.Array)`, annotations `jax.Array`": """
def g(y: rlx.Array) -> rlx.Array:
    assert isinstance(y, rlx.Array)
    return y * 2
assert isinstance(rlx.jit(g)(x), rlx.Array)
""",
    "`precision=lax.Precision.HIGHEST`": 'assert float(rlx.jit(lambda a: a @ a, precision="auto_mixed_bf16")(jnp.ones((2, 2)))[0, 0]) == 2',
    "`grad(f)`, `vmap(f)`, `checkpoint(f)` of an f that closes over a `Ref`, a rule of `custom_vjp` that writes to one": """
total = rlx.new_ref(0.0)
rlx.vjp(lambda y: y * 3.0, 1.0)[1].with_refs(total)(1.0)
assert float(total[...]) == 3
""",
    "`lax.gather`, `lax.scatter`": """
i = jnp.asarray([0, 2])
assert x[i].shape == jnp.take(x, i).shape == (2,) and float(x.at[i].add(1.0).sum()) == 5
""",
    "`jax.debug_nans(True)`": """
try: rlx.jit(lambda y: jnp.log(y), trap_nan=True)(-x)
except rlx.RlxError: pass
else: raise AssertionError
""",
    "`jax.clear_caches()`": "assert float(rlx.jit(f)(x)[0]) == 2",
    "`jax.live_arrays()`, `jax.profiler`": "assert rlx.jit(f).lower(x).compile().executable.profile",
    "`jax.custom_gradient`, `jax.custom_batching`": """
g = rlx.custom_vjp(f)
g.defvjp(lambda y: (f(y), None), lambda _, dy: (dy * 7,))
assert float(rlx.grad(lambda y: g(y).sum())(x)[0]) == 7
""",
    "`jax.export`": """
rlx.jit(f).lower(x).compile().executable.save(path)
assert rlx.load_executable(path)
""",
    "`jax.image.resize`": "assert rlx.jit(lambda a: jnp.repeat(a, 2))(x).shape == (6,)",
    "`jax.dtypes.canonicalize_dtype(d)`": "assert jnp.dtype(np.float64) == np.float64",
    "`jax.core`, `jax.extend`, `jax.interpreters`, Pallas": "assert rlx.register_op and rlx.make_jaxpr(f)(x).graph.outputs",
    "optax": """
import optax
assert 0 < float(optax.cosine_decay_schedule(1.0, 10)(3)) < 1
adam, params = optax.adam(1e-3), {"w": np.ones(3, np.float32)}
gradient = rlx.tree.map(np.asarray, rlx.grad(lambda p: (p["w"] ** 2).sum())(params))
updates, _ = adam.update(gradient, adam.init(params), params)
assert abs(float(np.asarray(optax.apply_updates(params, updates)["w"])[0]) - 0.999) < 1e-5
""",
    "equinox": "assert rlx.nn.Linear(3, 2, key=rlx.random.key(0))(x).shape == (2,)",
    "flax": 'assert rlx.tree.map(jnp.asarray, {"params": {"kernel": np.ones(3)}})["params"]["kernel"].shape == (3,)',
}

HINTS = {
    "np": "rlx.numpy.zeros(3)",
    "from_torch": "rlx.numpy.asarray([1.0]); rlx.load_model",
    "from_jax": "import jax.numpy\nassert rlx.numpy.asarray(jax.numpy.ones(3)).shape == (3,)",
    "from_onnx": "rlx.load_model; rlx.numpy.asarray([1.0])",
    "pmap": "rlx.vmap(f)(x)",
    "shard_map": "rlx.vmap(f)(x)",
    "make_mesh": "rlx.vmap(f)(x)",
    "sharding": "x.sharding, x.devices()",
    "default_device": 'rlx.jit(f, device="reference")(x)',
    "debug_nans": "rlx.jit(f, trap_nan=True)(x)",
    "debug_infs": "rlx.jit(f, trap_nan=True)(x)",
    "enable_x64": "assert jnp.ones(3, dtype=rlx.numpy.float64).dtype == np.float64",
    "effects_barrier": """
seen = []
rlx.jit(lambda y: rlx.debug.callback(seen.append, y))(1.0)
assert len(seen) == 1
""",
    "clear_caches": "rlx.jit(f)(x)",
    "export": "rlx.jit(f).lower(x).compile().executable.save(path); rlx.load_executable(path)",
    "profiler": "rlx.jit(f).lower(x).compile().executable.profile",
    "custom_gradient": "rlx.custom_vjp(f)",
    "named_call": 'with rlx.named_scope("a"): f(x)',
    "dtypes": "assert rlx.numpy.issubdtype(rlx.numpy.bfloat16, rlx.numpy.floating)",
    "dlpack": "rlx.numpy.from_dlpack(np.ones(3))",
    "typeof": "assert rlx.eval_shape(lambda x: x, x).shape == (3,)",
    "extend": "rlx.make_jaxpr(f)(x).graph; rlx.register_op",
    "stages": "rlx.jit(f).lower(x).compile()",
    "image": "rlx.numpy.repeat(x, 2)",
    "errors": "assert issubclass(rlx.RlxError, Exception)",
    "hvp": """
assert (rlx.jvp(rlx.grad(lambda y: (y * y).sum()), (x,), (x,))[1] == 2 * x).all()
rlx.autodiff.hvp
""",
    "jacobian": "assert rlx.jacrev(f)(x).shape == (3, 3)",
    "tree_map": "assert float(rlx.tree.map(f, {'a': 1.0})['a']) == 2",
}
