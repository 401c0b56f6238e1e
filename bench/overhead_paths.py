"""The calls that `python -m bench.overhead` counts: tiny executables, so that nearly everything is around the kernels.

As a program, `python -m bench.overhead_paths` counts them when valgrind runs it, else only makes them, which fills the disk cache.
"""

from __future__ import annotations

import gc
import itertools
from collections.abc import Callable

import numpy as np

import rlx
from bench import callgrind
from rlx.runtime.executable import Executable

TIMES = 500

Call = Callable[[], object]


def doubling(size: int | str) -> Executable:
    """y = x + x."""
    g = rlx.Graph("double")
    x = g.input("x", (size,), "f32")
    g.set_outputs({"y": x + x})
    return rlx.compile(g)


def handed_out() -> Call:
    """The result is an array of the executable's own pool."""
    exe, x = doubling(4), np.ones(4, np.float32)
    return lambda: exe(x=x)


def written() -> Call:
    """The result goes into an array of the caller."""
    exe, given, out = doubling(4), {"x": np.ones(4, np.float32)}, {"y": np.empty(4, np.float32)}
    return lambda: exe.run(given, out=out)["y"]


def symbolic() -> Call:
    """A size that is known when called, the same each time."""
    exe, x = doubling("n"), np.ones(4, np.float32)
    return lambda: exe(x=x)


def changing() -> Call:
    """A size that is another one in each call: bound and evaluated anew."""
    exe, turns = doubling("n"), itertools.cycle((np.ones(4, np.float32), np.ones(3, np.float32)))
    return lambda: exe(x=next(turns))


def decoding() -> Call:
    """A token's row goes into a cache at its length, which grows by one, and the cache is read. Once full, the last row is replaced."""
    batch, capacity = rlx.Dim("batch"), rlx.Dim("capacity")
    g = rlx.Graph("decode")
    x, w = g.input("x", (batch, 1, 2), "f32"), g.param("w", (2,), "f32")
    cache, length = g.state("cache", (batch, capacity, 2), "f32"), g.state("length", (), "i32")
    new = g.dynamic_update_slice(cache, x, length, axes=(1,))
    g.update("cache", new)
    g.update("length", length + 1)
    g.set_outputs({"y": g.sum(new, axes=1) * w})
    exe = rlx.compile(g)
    exe.set_param("w", np.ones(2, np.float32))
    exe.session.init_state(batch=1, capacity=2)
    row = np.ones((1, 1, 2), np.float32)
    return lambda: exe(x=row)


def centring() -> Executable:
    """y = x - sum(x * x): two commands, as the second needs all of the first."""
    g = rlx.Graph("centre")
    x = g.input("x", (4,), "f32")
    g.set_outputs({"y": x - g.sum(x * x, axes=0)})
    return rlx.compile(g)


def two_commands() -> Call:
    """A program of two commands with a barrier between them."""
    exe, x = centring(), np.ones(4, np.float32)
    return lambda: exe(x=x)


def jitted() -> Call:
    """A traced Python function."""
    function, x = rlx.jit(lambda x: x + x), np.ones(4, np.float32)
    return lambda: function(x)


PATHS: dict[str, Callable[[], Call]] = {
    "result handed out": handed_out,
    "result written into an array": written,
    "symbolic size": symbolic,
    "symbolic size that changes": changing,
    "decode step with states": decoding,
    "two commands": two_commands,
    "jitted function": jitted,
}


def main() -> None:
    """Count every path. The garbage collector is off: it comes or not."""
    calls = {name: make() for name, make in PATHS.items()}
    gc.disable()
    for name, call in calls.items():
        callgrind.count(name, call, TIMES)


if __name__ == "__main__":
    main()
