"""What to change in a run, from its plan: why it does not fit, or what it waits for."""

from __future__ import annotations

import math

from rlx.estimate.plan import RunPlan

_FULL = 0.9
"""How much of the memory a plan may fill without a word: XLA needs room for its own choices."""


def advice(plan: RunPlan) -> list[str]:
    """The changes that matter, the most important first; none where nothing stands out.

    Said of a plan that does not fit: what its memory is made of, and which setting makes that smaller.
    """
    found = []
    if plan.memory.total > _FULL * plan.chip.memory_bytes:
        found += _smaller(plan)
    if plan.whole_rows:
        axes = " and ".join(plan.whole_rows)
        found.append(
            f"every device of {axes} computes all rows: the token table's columns are cut by it; "
            "cut the table by its rows alone: module.shard({'embedding': rlx.P(('model', 'fsdp')), …})"
        )
    if plan.precision == "always_f32":
        ratio = plan.chip.bf16_flops / plan.chip.f32_flops
        found.append(f'precision = "auto_mixed_bf16": products in 16 bits are up to {ratio:.0f} times as fast')
    time = plan.time
    if time.hidden > time.compute:
        found.append(
            f"weights and gradients are on their way for {time.hidden:.3g} s, kernels run for {time.compute:.3g} s: "
            "more rows a device, or accumulate over fewer exchanges with a smaller fsdp and more model"
        )
    if time.exposed > 0.25 * time.total:
        found.append(
            f"devices wait {time.exposed:.3g} s of {time.total:.3g} s for activations: a smaller model or sequence axis, "
            f"at most {plan.chip.domain} devices, which {plan.chip.name} joins by its own links"
        )
    return found


def _smaller(plan: RunPlan) -> list[str]:
    """What makes memory smaller."""
    memory, capacity = plan.memory, plan.chip.memory_bytes
    found = []
    if memory.resident > 0.4 * capacity:
        parts = math.ceil(memory.resident / (0.4 * capacity))
        found.append(
            f"weights and moments take {memory.resident / 1e9:.1f} GB: cut them {parts} times as fine (a larger fsdp or model axis)"
        )
    kinds = memory.temporary
    if kinds.get("activations", 0) + kinds.get("workspace", 0) > 0.3 * capacity:
        size = (kinds.get("activations", 0) + kinds.get("workspace", 0)) / 1e9
        found.append(f"activations take {size:.1f} GB: halve batch and double accumulate, or a shorter length")
    if kinds.get("gradients", 0) > 0.3 * capacity:
        size = kinds["gradients"] / 1e9
        found.append(f"gradients before they are summed take {size:.1f} GB: a larger model axis makes each smaller")
    if kinds.get("gathered", 0) > 0.3 * capacity:
        found.append(f"gathered weights take {kinds['gathered'] / 1e9:.1f} GB: a model axis leaves them cut")
    return found or ["a larger mesh, or a smaller batch with a larger accumulate"]
