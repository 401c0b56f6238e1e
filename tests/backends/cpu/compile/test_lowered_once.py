"""A compile lowers each distinct op on distinct tensors once: what passes claim is what the plan takes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.backends.cpu.compile import lowering


@pytest.fixture
def lowered(monkeypatch: pytest.MonkeyPatch) -> Counter[Any]:
    """How often each (op, operands, results) is lowered."""
    calls: Counter[Any] = Counter()
    find = lowering.find_kernel

    def counting(name: str) -> Any:
        family = find(name)

        def lower(op: Any, inputs: Any, outputs: Any, target: Any) -> Any:
            assert family is not None
            calls[op, inputs, outputs] += 1
            return family(op, inputs, outputs, target)

        return None if family is None else lower

    monkeypatch.setattr(lowering, "find_kernel", counting)
    return calls


def layers(scheme: str | None, count: int = 3) -> rlx.Graph:
    """Equal layers: a gated product with a residual, a norm, a projection."""
    g = rlx.Graph("layers")
    x = g.input("x", (rlx.Dim("n"), 256))
    how: dict[str, Any] = {} if scheme is None else {"scheme": scheme}
    for layer in range(count):
        gate, up, down = (g.param(f"{layer}.{name}", (256, 256), **how) for name in ("gate", "up", "down"))
        rms = g.rms_norm(x, g.param(f"{layer}.norm", (256,)))
        x = x + (g.silu(rms @ gate) * (rms @ up)) @ down
    g.set_outputs({"y": x, "first": x[0]})
    return g


@pytest.mark.parametrize("scheme", [None, "gguf_q4k", "gguf_f16"])
@pytest.mark.parametrize("options", [{}, {"batch_invariant": True}, {"trap_nan": True}])
def test_each_distinct_op_is_lowered_once(scheme: str | None, options: dict[str, Any], lowered: Counter[Any]) -> None:
    exe = rlx.compile(layers(scheme), "cpu", **options)
    contractions = [key for key in lowered if "matmul" in key[0].name or key[0].is_fused]
    assert contractions and exe.lir.commands
    assert max(lowered.values()) == 1, lowered.most_common(3)


def test_bodies_of_loops_share_the_table(lowered: Counter[Any]) -> None:
    weight = np.eye(8, dtype=np.float32)

    def program(x: Any) -> Any:
        first, _ = rlx.lax.scan(lambda carry, row: (carry @ weight, row), x, rlx.numpy.ones((3, 8)))
        return first + x @ weight

    assert (rlx.jit(program, device="cpu")(np.ones((4, 8), np.float32)) == 2).all()
    assert lowered and max(lowered.values()) == 1, lowered.most_common(3)
