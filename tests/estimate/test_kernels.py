"""Kernels and buffers of one layer against numbers computed by hand."""

from __future__ import annotations

from functools import cache

import pytest

from rlx.core.sharding import Mesh
from rlx.estimate import find_chip
from rlx.estimate.chips import MEMORY_FRACTION, Kernel, Products, kernel_seconds, kernels_of
from rlx.estimate.memory import fuse, memory_timelines
from rlx.estimate.placement import Placement, place
from rlx.estimate.plan import as_xla_sees_it, run_shape, sharding_table, step_settings
from rlx.train.config import TrainingConfig
from rlx.train.step import step_graph

ROWS, LENGTH, WIDTH, HEADS, KV_HEADS, FFN, VOCABULARY = 2, 256, 32, 4, 2, 48, 288
TOKENS, HEAD, CHUNK = ROWS * LENGTH, WIDTH // HEADS, 128
SCORES = ROWS * HEADS * LENGTH * LENGTH
Q, K = TOKENS * WIDTH * 4, TOKENS * HEAD * KV_HEADS * 4
"""Bytes of queries, and of keys or values, in f32."""


@cache
def placed(layers: int) -> Placement:
    config = TrainingConfig.parse(
        f'[data]\npaths = "x"\n[model]\nlayers = {layers}\nwidth = {WIDTH}\nheads = {HEADS}\nkv_heads = {KV_HEADS}\nffn = {FFN}\n'
        f"vocabulary_size = {VOCABULARY}\n[training]\nbatch = {ROWS}\nlength = {LENGTH}\n"
        'precision = "auto_mixed_bf16"\n'
    )
    steps = config.training
    shape = run_shape(config).training(steps.batch, steps.length)
    graph = as_xla_sees_it(step_graph(shape, "loss", config.rule(), step_settings(config)), steps.precision)
    return place(graph, sharding_table(config, Mesh((1,), ("fsdp",)), "fsdp"))


def kernels(name: str) -> list[Kernel]:
    placement = placed(1)
    (node,) = (node for node in placement.graph.nodes if node.op.definition.name == name)
    return kernels_of(placement, fuse(placement, 0), node)


def total(found: list[Kernel]) -> tuple[float, float, int]:
    """Operations, bytes, and how many kernels multiply."""
    return (
        sum(one.flops * one.count for one in found),
        sum(one.moved * one.count for one in found),
        sum(one.count for one in found if one.flops),
    )


def test_attention_writes_scores_and_shares_and_reads_both():
    flops, moved, products = total(kernels("attention"))
    assert flops == 2 * (2 * SCORES * HEAD) and products == 2
    copies = (Q + K + K + Q) * 3 // 2  # of q, k, v and the result: one side in 16 bits, one in f32
    assert moved == 4 * 4 * SCORES + copies + (Q + K) + (K + Q)
    assert not any(one.in_16_bits for one in kernels("attention"))


def test_the_gradient_of_attention_goes_over_the_scores_of_every_chunk():
    flops, moved, products = total(kernels("attention_backward"))
    chunks = LENGTH // CHUNK
    assert flops == 5 * (2 * SCORES * HEAD) and products == 5 * chunks
    copies, cleared = (Q + K + K + Q + Q + K + K) * 3 // 2, Q + K + K
    # scores and dp are written; top and sum read; shares read two and write one, so do the scores' gradients; dq, dk, dv read one each
    passes = (2 + 1 + 1 + 3 + 3 + 1 + 1 + 1) * 4 * SCORES
    operands = 3 * (Q + chunks * K)  # of scores, dp and dq: a chunk's rows, and all keys
    sums = 2 * (Q + chunks * (1 + HEADS // KV_HEADS) * K)  # each head of a group writes what is then added
    assert moved == copies + cleared + passes + operands + sums


def test_a_kernel_takes_its_products_or_its_traffic_and_its_start():
    chip = find_chip("h200")
    bytes_per_second = chip.memory_bandwidth * MEMORY_FRACTION
    assert kernel_seconds(Kernel(1e9), chip) == pytest.approx(1e9 / bytes_per_second + chip.kernel_seconds)
    product = Kernel(1e6, 1e12, 4096, in_16_bits=True)
    assert kernel_seconds(product, chip) == pytest.approx(1e12 / chip.in_16_bits.rate(4096) + chip.kernel_seconds)
    assert kernel_seconds(Kernel(1e6, 1e12, 4096), chip) > 5 * kernel_seconds(product, chip)  # f32


def test_products_over_short_sums_are_slower():
    reached = Products(peak=100.0, fraction=0.8, ramp=64)
    assert reached.rate(64) == pytest.approx(40) and reached.rate(192) == pytest.approx(60)
    assert Products(100.0, 0.75, 0).rate(8) == 75


def test_products_of_the_same_rows_are_merged_up_to_a_size():
    placement = placed(1)
    columns = {WIDTH, 2 * HEAD, FFN}
    rows = TOKENS * WIDTH * 2
    smallest = min(rows + WIDTH * n * 2 + TOKENS * n * 4 for n in columns)

    def joined(most: int) -> list[list[int]]:
        found = fuse(placement, most)
        forward = [refs for refs in found.joined if placement.graph.shape(refs[0]).dims[0] == ROWS]
        assert all(found.bytes(ref) == 2 * placement.bytes(ref) for refs in forward for ref in refs)  # in f32
        return [[int(placement.graph.shape(ref).dims[-1]) for ref in refs] for refs in forward]

    assert joined(smallest - 1) == []
    assert joined(smallest) == [[WIDTH, 2 * HEAD, 2 * HEAD]]  # one small product takes the others along
    assert [WIDTH, 2 * HEAD, 2 * HEAD] in joined(64 << 20) and [FFN, FFN] in joined(64 << 20)


def test_what_xla_keeps_for_the_backward_pass():
    placement = placed(2)
    timeline, _ = memory_timelines(placement, fuse(placement, 0))
    signs = [one for one in timeline.buffers if one.what.startswith("signs of")]
    assert [one.bytes for one in signs] == [TOKENS * FFN] * 2 and all(one.first < one.last for one in signs)
    sums = [one for one in timeline.buffers if one.what.startswith("sums of")]
    assert [one.bytes for one in sums] == [Q + 2 * K] * 2
    assert sums[0].first == sums[0].last == sums[1].first < sums[1].last  # cleared together
    # the residual stream, read element by element alone, is kept in f32
    forward = [one for one in timeline.buffers if one.first < signs[-1].first]
    stream = [one.bytes for one in forward if one.what.startswith("add llama_decoder_block")]
    assert stream == [TOKENS * WIDTH * 4] * 3
    # the loss computes in f32 what it keeps in 16 bits
    assert not [one for one in timeline.buffers if f"f32[{TOKENS}, {VOCABULARY}]" in one.what]


def test_places_where_most_can_be_in_memory():
    timeline, _ = memory_timelines(placed(2), fuse(placed(2), 0))
    assert len(timeline.places) == 4
    assert max(sum(one.bytes for one in place) for place in timeline.places) == timeline.peak
    scores = [any(one.what.startswith("scores of") for one in place) for place in timeline.places]
    assert scores[0] and not scores[1] and scores[2]
