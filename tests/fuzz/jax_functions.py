"""Lines of random JAX programs: one function each, as text that runs with the names of JAX or with ours.

A template's fields are filled by `jax_program_text.Writer`: `{f}` is a float variable, `{n}` one of any real number type, `{i}` an
integer, `{b}` a bool, `{c}` complex, `{m}` a matrix, `{v}` a vector, `{a}` any. `{x}` is that variable again, `{axis}` one of its axes,
`{other}` a variable of its dtype, `{index}` an index into its first axis, traced or not. A line that JAX rejects is not kept. Nothing
takes the maximum of windows of rank 0: XLA ends the process at its gradient.
"""

from __future__ import annotations

ELEMENTWISE_FLOAT = """
jnp.sin jnp.cos jnp.tan jnp.arcsin jnp.arccos jnp.arctan jnp.sinh jnp.cosh jnp.tanh jnp.arcsinh jnp.arccosh jnp.arctanh jnp.exp
jnp.exp2 jnp.expm1 jnp.log jnp.log2 jnp.log10 jnp.log1p jnp.sqrt jnp.cbrt jnp.floor jnp.ceil jnp.trunc jnp.rint jnp.fabs jnp.sinc
jnp.i0 jnp.deg2rad jnp.rad2deg jnp.nan_to_num jnp.isneginf jnp.isposinf jnp.spacing lax.rsqrt lax.logistic lax.erf lax.erfc
lax.lgamma lax.digamma lax.bessel_i0e lax.bessel_i1e nn.relu nn.gelu nn.silu nn.sigmoid nn.softplus nn.softmax nn.log_softmax
nn.elu nn.selu nn.celu nn.leaky_relu nn.hard_tanh nn.relu6 nn.hard_sigmoid nn.hard_swish nn.soft_sign nn.log_sigmoid nn.logsumexp
nn.standardize nn.mish nn.squareplus nn.sparse_plus
""".split()  # noqa: SIM905
ELEMENTWISE_ANY = """
jnp.abs jnp.sign jnp.square jnp.negative jnp.positive jnp.reciprocal jnp.isnan jnp.isinf jnp.isfinite jnp.real jnp.imag jnp.conj jnp.angle
jnp.logical_not jnp.ravel jnp.ones_like jnp.zeros_like jnp.round jnp.iscomplex jnp.isreal lax.stop_gradient jnp.atleast_2d jnp.transpose
jnp.flip jnp.array jnp.copy jnp.squeeze jnp.triu jnp.tril
""".split()  # noqa: SIM905
BINARY = """
jnp.add jnp.subtract jnp.multiply jnp.divide jnp.true_divide jnp.floor_divide jnp.remainder jnp.mod jnp.fmod jnp.power jnp.float_power
jnp.maximum jnp.minimum jnp.fmax jnp.fmin jnp.arctan2 jnp.hypot jnp.logaddexp jnp.logaddexp2 jnp.copysign jnp.heaviside jnp.equal
jnp.not_equal jnp.less jnp.less_equal jnp.greater jnp.greater_equal jnp.logical_and jnp.logical_or jnp.logical_xor jnp.nextafter jnp.outer
jnp.inner jnp.kron jnp.matmul jnp.dot jnp.vdot jnp.isclose jnp.array_equal jnp.append lax.add lax.sub lax.mul lax.div lax.max lax.min
lax.pow lax.rem lax.atan2 lax.complex
""".split()  # noqa: SIM905
# Where these are near 0, their error is a part of what they are computed from, whose size is about 1: sin(pi x) / (pi x), logarithms.
ABSOLUTE = ("jnp.sinc", "lax.lgamma", "lax.digamma", "jnp.logaddexp", "jnp.logaddexp2")
INTEGER = """
jnp.bitwise_and jnp.bitwise_or jnp.bitwise_xor jnp.left_shift jnp.right_shift jnp.gcd jnp.lcm
""".split()  # noqa: SIM905
REDUCTIONS = """
jnp.sum jnp.prod jnp.mean jnp.std jnp.var jnp.max jnp.min jnp.any jnp.all jnp.argmax jnp.argmin jnp.nansum jnp.nanmean jnp.nanmax jnp.nanmin
jnp.nanprod jnp.nanstd jnp.nanvar jnp.nanargmax jnp.nanargmin jnp.median jnp.ptp jnp.count_nonzero jnp.cumsum jnp.cumprod jnp.nancumsum
jnp.sort jnp.argsort jnp.diff jnp.average jnp.linalg.norm nn.softmax nn.logsumexp nn.log_softmax nn.standardize
""".split()  # noqa: SIM905
WINDOWS = """
lax.cumsum lax.cumprod lax.cummax lax.cummin lax.cumlogsumexp
""".split()  # noqa: SIM905

TEMPLATES = """
# movement
jnp.reshape({a}, (-1,))
{a}.reshape(-1, 1)
jnp.swapaxes({m}, 0, -1)
jnp.moveaxis({m}, 0, -1)
jnp.expand_dims({a}, {axis})
jnp.roll({a}, {shift}, axis={axis})
jnp.tile({a}, 2)
jnp.repeat({a}, 2, axis={axis})
jnp.rot90({m})
jnp.concatenate([{a}, {other}], axis=0)
jnp.stack([{a}, {x}], axis={axis})
jnp.split({a}, {half}, axis=0)[0]
jnp.pad({a}, 1)
jnp.pad({a}, 1, mode='{pad}')
jnp.broadcast_to({a}, (2, *{x}.shape))
jnp.diag({a})
jnp.diagonal({m})
jnp.trace({m})
jnp.fliplr({m})
jnp.hstack([{a}, {x}])
jnp.vstack([{a}, {x}])
jnp.meshgrid({a}, {x})[0]
lax.pad({a}, {zero}, [({lo}, {hi}, {inner})] * {x}.ndim)
lax.rev({a}, (0,))
lax.broadcast({a}, (2,))
lax.collapse({m}, 0)
lax.slice_in_dim({a}, 0, None, 2)
jnp.insert({a}, 1, 0, axis=0)
jnp.delete({a}, 0, axis=0)
jnp.column_stack([{a}, {x}])
jnp.astype({a}, jnp.{dtype})
{a}.astype(jnp.{dtype})
lax.convert_element_type({a}, jnp.{dtype})
lax.expand_dims({a}, (0,))
lax.concatenate([{a}, {x}], 0)
# selection and order
jnp.where({b}, {n}, 1)
jnp.where({n} > 0, {x}, {other})
jnp.clip({n}, {low}, 1)
lax.clamp({low}, {f}, {high})
jnp.select([{n} > 0, {x} < {low}], [{x}, {other}], 2)
lax.select({n} > 0, {x}, {other})
lax.top_k({n}, {few})[0]
lax.top_k({n}, {few})[1]
jnp.searchsorted(jnp.sort({n}.ravel()), {other})
jnp.unique({n}, size=4, fill_value=0)
jnp.nonzero({a}, size=3, fill_value=0)[0]
jnp.bincount({i}.ravel() % 5, length=5)
jnp.interp({f}, jnp.arange(5.0), jnp.arange(5.0) ** 2)
jnp.digitize({n}, jnp.array([-1, 0, 1]))
jnp.quantile({f}, 0.3, axis={axis})
jnp.percentile({f}, 70.0)
jnp.partition({n}, 0)[..., :1]
jnp.lexsort(({n}.ravel(), {x}.ravel()))
lax.sort({n}, dimension={axis})
jnp.isin({n}, jnp.array([0, 1]))
jnp.piecewise({f}, [{x} > 0], [lambda v: v * 2, 0.5])
jnp.extract({b}, {n}, size=3, fill_value=0)
jnp.compress(jnp.array([True, False]), {a}, axis=0)
jnp.choose(jnp.array([0, 1]), [{n}.ravel()[:2], -{x}.ravel()[:2]], mode='clip')
jnp.histogram({f}, bins=4, range=(-2.0, 2.0))[0]
jnp.ediff1d({n})
jnp.trapezoid({f})
jnp.unwrap({f})
# products
{m} @ {m}.T
jnp.einsum('ij,kj->ik', {m}, {x})
jnp.einsum('ij->j', {m})
jnp.einsum('ij,ij->', {m}, {x})
jnp.tensordot({m}, {x}, axes=([0, 1], [0, 1]))
jnp.dot({m}.T, {x})
lax.dot_general({m}, {x}, (((1,), (1,)), ((), ())))
jnp.vander({v}, 3)
jnp.convolve({v}, jnp.array([1, 2, 1]).astype({x}.dtype))
jnp.correlate({v}, {x})
jnp.cov({m})
jnp.polyval({v}, {f})
jnp.cross({m}[:, :3], {x}[:, :3] * 2)
jnp.linalg.multi_dot([{m}, {x}.T, {x}])
jnp.linalg.matrix_power({m} @ {x}.T, 2)
jnp.vecdot({m}, {x})
jnp.linalg.outer({v}, {x})
# linear algebra on well conditioned matrices
jnp.linalg.det({spd})
jnp.linalg.inv({spd})
jnp.linalg.solve({spd}, {square}[:, 0])
jnp.linalg.cholesky({spd})
jnp.linalg.slogdet({spd})[1]
jnp.linalg.eigvalsh({spd})
jnp.linalg.svd({spd}, compute_uv=False)
jnp.linalg.pinv({spd})
jnp.abs(jnp.linalg.qr({spd})[1])
jnp.linalg.norm({m})
jnp.linalg.norm({m}, axis=1)
jnp.linalg.trace({m})
jnp.fft.fft({v})
jnp.fft.ifft({c})
jnp.fft.rfft({f})
jnp.fft.fftshift({a})
# elements
{a}[{index}]
{a}[{index}]
{a}[-1]
{a}[::-1]
{a}[..., None]
{a}[1:]
{a}[:, {index}]
{a}[jnp.array([0, -1, {inside}])]
{a}[jnp.array([[0], [{inside}]])]
{a}[..., 0]
{a}[jnp.argmax({x}.ravel()) % {x}.shape[0]]
jnp.take({a}, {index}, axis=0)
jnp.take({a}, jnp.array([0, 7, -9]), axis=0, mode='{mode}')
jnp.take({a}, jnp.array([0, 9]), axis={axis})
jnp.take_along_axis({n}, jnp.argsort({x}, axis={axis}), axis={axis})
jnp.take_along_axis({n}, jnp.array([0, 8]).reshape((2,) + (1,) * ({x}.ndim - 1)), axis=0)
{a}.at[{index}].get(mode='{mode}')
{a}.at[jnp.array([1, 9])].get(mode='fill', fill_value=3)
{n}.at[{index}].set(2)
{n}.at[{index}].add({x}[0])
{n}.at[{index}].multiply(3)
{n}.at[{index}].min(0)
{n}.at[{index}].max(1)
{n}.at[jnp.array([0, 7, -9])].add(1, mode='{mode}')
{n}.at[jnp.array([0, 0, 1])].add(2)
{n}.at[1:].set(0)
{n}.at[..., 0].add(1)
{n}.at[{index}].divide(2)
{n}.at[{index}].power(2)
{n}.at[jnp.array([{inside}, {inside}])].multiply(2)
{f}.at[{index}].apply(jnp.sin)
lax.dynamic_slice({a}, ({index},) + (0,) * ({x}.ndim - 1), (1,) + {x}.shape[1:])
lax.dynamic_index_in_dim({a}, {index})
lax.dynamic_slice_in_dim({a}, {index}, 2)
lax.dynamic_update_slice({a}, {x}[:1], ({index},) + (0,) * ({x}.ndim - 1))
lax.dynamic_update_index_in_dim({a}, {x}[0], {index}, 0)
lax.index_in_dim({a}, 0)
jnp.fill_diagonal({m}, 1, inplace=False)
jnp.put_along_axis({n}, jnp.zeros((1,) * {x}.ndim, int), 2, axis=0, inplace=False)
# windows
lax.reduce_window({f}.reshape({x}.shape or (1,)), -jnp.inf, lax.max, (2,) * ({x}.ndim or 1), ({lo} + 1,) * ({x}.ndim or 1), '{padding}')
lax.reduce_window({f}, 0.0, lax.add, (2,) * {x}.ndim, (1,) * {x}.ndim, '{padding}', base_dilation=(2,) * {x}.ndim)
lax.conv_general_dilated({f}.reshape(1, 1, -1), jnp.ones((1, 1, 2), {x}.dtype), ({lo} + 1,), '{padding}')
nn.one_hot({i}, 4)
nn.glu({f}, axis={axis})
nn.dot_product_attention({q}, {q2}, {q} * 2)
# control flow; `{t}` is an earlier variable of any kind, closed over
lax.scan(lambda c, r: (c + r.sum().astype(c.dtype), r * 2), {zero}, {n})[1]
lax.scan(lambda c, r: (c + r.sum().astype(c.dtype), c), {zero}, {n})[0]
lax.scan(lambda c, r: (c * 0.5 + {f}.sum(), c), jnp.zeros_like({x}.sum()), None, length=3)[0]
lax.scan(lambda c, k: (c + {f}[k], c * 2), jnp.zeros_like({x}[0]), jnp.arange({x}.shape[0]))[0]
lax.fori_loop(0, 3, lambda k, v: v * 0.5 + 1, {f})
lax.fori_loop(0, 2, lambda k, v: v + {f}[k].sum(), {x}.sum())
lax.while_loop(lambda v: jnp.sum(jnp.abs(v)) > 1, lambda v: v * 0.5, {f})
lax.while_loop(lambda v: v[0] < 3, lambda v: (v[0] + 1, v[1] * 0.5), (0, {f}))[1]
lax.cond({f}.sum() > 0, lambda v: v * 2, lambda v: -v, {x})
lax.cond({pred}, lambda: {f} * 2, lambda: jnp.sin({x}))
lax.switch({index} % 3, [lambda v: v, lambda v: v * 2, jnp.cos], {f})
lax.map(lambda r: r * 2 + {f}.sum(), {x})
lax.associative_scan(jnp.add, {n})
lax.associative_scan(lambda p, q: p * q, {f}, reverse=True)
lax.reduce({f}, 0.0, lax.add, (0,))
jnp.vectorize(lambda p, q: p + q)({f}, {x})
jnp.apply_along_axis(lambda r: r.sum(), {axis}, {f})
# transforms that close over other values
jax.jit(lambda p: p * {t})({f})
jax.jit(lambda p: jnp.sin(p) + {t})(jnp.ones(3, {f}.dtype))
jax.vmap(lambda r: r * {s})({f})
jax.vmap(lambda r: jnp.sum(r) + {s})(jnp.arange(6.0).reshape(2, 3))
jax.jvp(lambda p: jnp.sin(p) * {s}, ({f},), ({x} * 0.5,))[1]
jax.jvp(lambda p: p * p * {s}, (jnp.arange(3.0),), (jnp.ones(3),))[1]
jax.grad(lambda p: jnp.sum(jnp.tanh(p) * {s}))({f})
jax.grad(lambda p: jnp.sum(p * {s}))(jnp.arange(3.0))
jax.vjp(lambda p: p * jnp.cos({s}), {f})[1]({x})[0]
jax.checkpoint(lambda p: jnp.exp(-p * p) * {s})({f})
jax.linearize(lambda p: jnp.sin(p) * {s}, {f})[1]({x})
jax.value_and_grad(lambda p: jnp.sum(p ** 2) * {s})({f})[1]
jax.jacfwd(lambda p: p ** 2 * {s})({v})
jax.vmap(lambda p, k: p[k], in_axes=(None, 0))({f}, jnp.array([0, {inside}]))
jax.vmap(jax.grad(lambda p: jnp.sin(p) * {s}))({v})
twice({f})
twice({f}) * {s}
cube({f})
jax.grad(lambda p: jnp.sum(twice(p)))({f})
jax.grad(lambda p: jnp.sum(cube(p) * {s}))({f})
jax.vmap(twice)({f})
jax.grad(lambda p: p[{index}].sum() ** 2)({f})
jax.vmap(lambda p: p - lax.pmean(p, 'rows'), axis_name='rows')({f})
jax.vmap(lambda p: lax.psum(p, 'rows') * {s}, axis_name='rows')({f})
"""

PRELUDE = """
@jax.custom_vjp
def twice(v):
    return v * 2
twice.defvjp(lambda v: (v * 2, jnp.cos(v)), lambda kept, g: (g * kept * 3,))

@jax.custom_jvp
def cube(v):
    return v * v * v
@cube.defjvp
def _cube_rule(primals, tangents):
    return cube(*primals), 5 * primals[0] * tangents[0]
"""


def lines() -> list[str]:
    """All lines, each as often as it should be drawn."""
    drawn = [f"{name}({{f}})" for name in ELEMENTWISE_FLOAT] + [f"{name}({{a}})" for name in ELEMENTWISE_ANY]
    drawn += [f"{name}({{n}}, {{other}})" for name in BINARY] + [f"{name}({{i}}, {{other}})" for name in INTEGER]
    drawn += [f"{name}({{n}}, axis={{axis}})" for name in REDUCTIONS] + [f"{name}({{n}})" for name in REDUCTIONS]
    drawn += [f"{name}({{n}}, axis={{first}}, reverse={{flag}})" for name in WINDOWS]
    return drawn + [line for line in TEMPLATES.splitlines() if line and not line.startswith("#")]
