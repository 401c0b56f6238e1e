"""Distributions of `jax.scipy.stats`, each with its densities and probabilities: `stats.norm.logpdf(x, loc, scale)`."""

from rlx.frontends.scipy.distributions import *  # noqa: F403
from rlx.frontends.scipy.distributions import __all__ as __all__
