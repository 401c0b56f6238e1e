"""Attention: blocks of queries walk the keys with a running softmax; few queries split the keys among blocks, and a second kernel joins.

A row of a block is a query of one of the heads that share a key and value head, so these are read once for all of them. Weights of the
softmax are multiplied with the values in two parts of 16 bits where the values have 16: the result is rounded once.
"""

from __future__ import annotations

from dataclasses import replace

from rlx.backends.cuda.kernel_data import CudaLowering, CudaTensor, Launch, Lower
from rlx.backends.cuda.kernels.attention_problem import CudaAttention
from rlx.backends.cuda.kernels.attention_split import FEW, MANY_KEYS, parts_of, split
from rlx.backends.cuda.kernels.flash import flash_attention, suits_flash
from rlx.backends.cuda.text import KernelText, power_of_two
from rlx.core.dim import LARGEST_SIZE
from rlx.ir.op import Op


def _whole(problem: CudaAttention) -> Launch:
    """Each block walks all keys that its queries see."""
    if suits_flash(problem):
        return flash_attention(problem)
    rows = max(16, min(power_of_two(problem.rows), 64)) if isinstance(problem.rows, int) else 64
    keys = max(16, min(power_of_two(problem.keys), 64)) if isinstance(problem.keys, int) else 64
    k = KernelText("attention")
    count = problem.begin(k, rows, 1)
    q, names = problem.load_queries(k), problem.start(k, rows)
    with k.block(f"for start in range((low // {keys}) * {keys}, high, {keys})"):
        problem.step(k, q, keys, names)
    problem.store(k, names[2], names[0])
    return k.launch((count,), warps=4, stages=2)


def lower_attention(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """By the number of rows: all keys in a block, or keys split among blocks."""
    tensors = (*inputs, *(None,) * (6 - len(inputs)))
    q, k, v = tensors[:3]
    assert q is not None and k is not None and v is not None
    if q.dtype.name == "f64" or not q.dtype.is_float or {k.dtype, v.dtype, outputs[0].dtype} != {q.dtype}:
        return f"attention of {q.dtype} and {k.dtype}"
    if op["head_dim"] > 256:
        return f"heads of {op['head_dim']}: at most 256"
    problem = CudaAttention(op, tensors, outputs[0])
    if isinstance(problem.keys, int) and problem.keys == 0:
        return "no keys"
    long = not isinstance(problem.keys, int) or problem.keys >= MANY_KEYS
    if len(inputs) < 6:
        return _renumbered(op, inputs, outputs)
    known = isinstance(problem.rows, int)
    if not long or (known and problem.rows > FEW):
        return CudaLowering((_whole(problem),))
    partial, stats = parts_of(problem)
    rows = max(16, power_of_two(problem.rows)) if isinstance(problem.rows, int) else FEW
    stages = split(problem, partial, stats, rows)
    if not known:
        few = [replace(stage, only=(problem.rows, 1, FEW)) for stage in stages]
        whole = replace(_whole(problem), only=(problem.rows, FEW + 1, LARGEST_SIZE))
        return CudaLowering((*few, whole), temporaries=(partial, stats))
    return CudaLowering(stages, temporaries=(partial, stats))


def _renumbered(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Operands that are left out at the end count as missing: stages name the operands that there are."""
    missing = 6 - len(inputs)
    found = lower_attention(op, (*inputs, *(None,) * missing), outputs)
    if isinstance(found, str):
        return found

    def moved(operand: int) -> int:
        return operand if operand < len(inputs) else operand - missing

    stages = tuple(
        replace(stage, operands=tuple(map(moved, stage.operands)), reads=tuple(map(moved, stage.reads))) for stage in found.stages
    )
    return replace(found, stages=stages)


LOWER: dict[str, Lower] = {"attention": lower_attention}
"""The ops of this file by name."""
