"""Random sources and what draws from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.value import Value
from rlx.module.emitter import Tensor
from rlx.ops.random_source import Rng, as_setting, key_of

if TYPE_CHECKING:
    from rlx.module.builders.table import Builders


def rng(self: Builders, name: str, seed: int = 0) -> Rng:
    """A source of random numbers: a u64 state that counts runs, its update, and a key made of seed and name.

    >>> from rlx.module import Graph
    >>> g = Graph("g")
    >>> x = g.input("x", (2, 3))
    >>> g.set_outputs([g.rng("dropout", seed=1).dropout(x, rate=0.1)])
    >>> list(g.updates)
    ['dropout']
    """
    if isinstance(seed, bool) or not 0 <= seed < 2**64:
        raise RlxError("RLX105", f"seed {seed!r}", fix="an int from 0 to 2**64 - 1")
    counter = self.state(name, Shape((), "u64"))
    self.update(name, counter + 1)
    return Rng(self.constant(key_of(seed, name)), counter)


def sample(
    self: Builders,
    logits: Tensor,
    key: Tensor,
    counter: Tensor,
    temperature: Tensor | None = None,
    top_k: Tensor | None = None,
    top_p: Tensor | None = None,
    min_p: Tensor | None = None,
    *,
    stream: int = 0,
    name: str | None = None,
) -> Value:
    """One id for each row of logits `[B, V]`; the settings are scalars or `[B]`, and numbers of them are f32."""
    settings = (as_setting(temperature), top_k, as_setting(top_p), as_setting(min_p))
    return self._one("sample", (logits, key, counter, *settings), {"stream": stream}, name)
