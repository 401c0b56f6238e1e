"""Functions with rules of their own, written once for RLX and JAX: `m` is OURS or JAX."""

from __future__ import annotations

import functools
from types import SimpleNamespace

import jax
import jax.numpy as jnp

import rlx
import rlx.numpy as rnp

OURS = SimpleNamespace(
    sin=rnp.sin,
    cos=rnp.cos,
    exp=rnp.exp,
    log1p=rnp.log1p,
    sum=lambda x: x.sum(),
    scan=rlx.lax.scan,
    custom_vjp=rlx.custom_vjp,
    custom_jvp=rlx.custom_jvp,
    grad=rlx.grad,
    value_and_grad=rlx.value_and_grad,
    vjp=rlx.vjp,
    jvp=rlx.jvp,
    vmap=rlx.vmap,
    jit=rlx.jit,
    checkpoint=rlx.checkpoint,
    stop_gradient=rlx.lax.stop_gradient,
    jacfwd=rlx.jacfwd,
    jacrev=rlx.jacrev,
    where=rnp.where,
)


def unrolled(step, carry, xs):
    """A scan in JAX, step after step: `lax.scan` of a rule that calls its own function drops the inner rule in second derivatives."""
    ys = []
    for row in xs:
        carry, y = step(carry, row)
        ys.append(y)
    return carry, jnp.stack(ys)


JAX = SimpleNamespace(
    sin=jnp.sin,
    cos=jnp.cos,
    exp=jnp.exp,
    log1p=jnp.log1p,
    sum=jnp.sum,
    scan=unrolled,
    custom_vjp=jax.custom_vjp,
    custom_jvp=jax.custom_jvp,
    grad=jax.grad,
    value_and_grad=jax.value_and_grad,
    vjp=jax.vjp,
    jvp=jax.jvp,
    vmap=jax.vmap,
    jit=jax.jit,
    checkpoint=jax.checkpoint,
    stop_gradient=jax.lax.stop_gradient,
    jacfwd=jax.jacfwd,
    jacrev=jax.jacrev,
    where=jnp.where,
)


# -- functions with rules, written once for both ---------------------------------------------------------------------
def stable_log1pexp(m):
    """The example of JAX's documentation: the rule calls the function it belongs to."""

    @m.custom_jvp
    def log1pexp(x):
        return m.log1p(m.exp(x))

    @log1pexp.defjvp
    def log1pexp_jvp(primals, tangents):
        (x,), (t,) = primals, tangents
        return log1pexp(x), (1 - 1 / (1 + m.exp(x))) * t

    return log1pexp


def jvp_of_its_own_value(m):
    """The tangent is made of the function's value: f' = 3 f."""

    @m.custom_jvp
    def f(x):
        return m.exp(x) + x

    @f.defjvp
    def f_jvp(primals, tangents):
        (x,), (t,) = primals, tangents
        value = f(x)
        return value, 3.0 * value * t

    return f


def vjp_of_its_own_value(m):
    """fwd calls the function, bwd uses its value: f' = 5 f; the value of derivatives of it goes through the rule again."""

    @m.custom_vjp
    def f(x):
        return m.sin(x) * x

    def fwd(x):
        value = f(x)
        return value, (x, value)

    def bwd(kept, g):
        x, value = kept
        return (g * 5.0 * value * x,)

    f.defvjp(fwd, bwd)
    return f


def vjp_whose_backward_calls_it(m):
    @m.custom_vjp
    def f(x):
        return m.sin(x)

    f.defvjp(lambda x: (m.sin(x), x), lambda x, g: (g * f(x) * f(x * 0.5),))
    return f


def vjp_whose_forward_differs(m):
    """fwd's own code is what a second derivative of the value sees: its slope is 2x there, not the rule's 7."""

    @m.custom_vjp
    def f(x):
        return x * x

    f.defvjp(lambda x: (x * x, None), lambda _, g: (g * 7.0,))
    return f


def jvp_whose_value_differs(m):
    """The rule's value stands for the function's where it is differentiated."""

    @m.custom_jvp
    def f(x):
        return x * x

    f.defjvp(lambda primals, tangents: (primals[0] ** 3 + 1.0, 7.0 * tangents[0]))
    return f


def sine_and_cosine(m):
    """Two functions whose rules call each other."""

    @m.custom_jvp
    def sine(x):
        return m.sin(x)

    @m.custom_jvp
    def cosine(x):
        return m.cos(x)

    sine.defjvp(lambda primals, tangents: (sine(primals[0]), 2.0 * cosine(primals[0]) * tangents[0]))
    cosine.defjvp(lambda primals, tangents: (cosine(primals[0]), -3.0 * sine(primals[0]) * tangents[0]))
    return sine


def mutual_vjp(m):
    @m.custom_vjp
    def f(x):
        return m.sin(x)

    @m.custom_vjp
    def h(x):
        return m.cos(x)

    f.defvjp(lambda x: (f(x), h(x)), lambda kept, g: (g * kept * 2.0,))
    h.defvjp(lambda x: (h(x), f(x)), lambda kept, g: (-g * kept * 3.0,))
    return f


def rule_with_other_arguments(m):
    """The rule calls the function at other points and with other sizes."""

    @m.custom_jvp
    def f(x):
        return m.sin(x) * 2.0

    @f.defjvp
    def f_jvp(primals, tangents):
        (x,), (t,) = primals, tangents
        return f(x), (f(x * 0.5) + m.sum(f(x.reshape(-1)[:1]))) * t

    return f


def power_with_static_argument(m):
    @functools.partial(m.custom_vjp, nondiff_argnums=(1,))
    def power(x, n):
        return x**n

    power.defvjp(lambda x, n: (power(x, n), x), lambda n, x, g: (g * (n * power(x, n - 1) if n > 0 else 0.0 * x),))
    return lambda x: power(x, 3)


def derivative_within_a_rule(m):
    """The rule differentiates another function with a rule of its own."""
    inner = jvp_of_its_own_value(m)

    @m.custom_jvp
    def f(x):
        return m.sin(x)

    f.defjvp(lambda primals, tangents: (f(primals[0]), m.jvp(inner, primals, tangents)[1] + 0.1 * f(primals[0]) * tangents[0]))
    return f


RULES = [
    stable_log1pexp,
    jvp_of_its_own_value,
    vjp_of_its_own_value,
    vjp_whose_backward_calls_it,
    vjp_whose_forward_differs,
    jvp_whose_value_differs,
    sine_and_cosine,
    mutual_vjp,
    rule_with_other_arguments,
    power_with_static_argument,
    derivative_within_a_rule,
]
FORWARD = [
    stable_log1pexp,
    jvp_of_its_own_value,
    jvp_whose_value_differs,
    sine_and_cosine,
    rule_with_other_arguments,
    derivative_within_a_rule,
]
