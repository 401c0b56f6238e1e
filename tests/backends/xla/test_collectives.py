"""What devices exchange is counted from the text of a program, however XLA writes it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import rlx
from rlx.backends.xla.arrays import collectives_in

JOINED = """
  %all-reduce.3 = (f32[8,16]{1,0}, f32[16]{0}, /*index=2*/f64[]) all-reduce(%a, %b, %c), channel_id=1, to_apply=%add
  %all-reduce.4 = f32[4]{0} all-reduce(%d), channel_id=2, to_apply=%add
  %all-to-all = (f32[1,4]{1,0}, f32[1,4]{1,0}) all-to-all(%e, %f), channel_id=3
"""


def test_an_artifact_counts_exchanges_that_xla_joined():
    g = rlx.Graph("nothing")
    g.set_outputs({"y": g.input("x", (2,)) * 2.0})
    code = rlx.compile(g, "xla").code
    code.programs["first"] = code.programs["second"] = SimpleNamespace(run=SimpleNamespace(as_text=lambda: JOINED))
    assert code.collectives() == {"all-reduce": 4, "all-to-all": 2}


@pytest.mark.parametrize(
    "line, expected",
    [
        ("(f32[8]{0}, f32[4]{0}) all-reduce-start(%a, %b)", ("all-reduce", 48)),
        ("(f32[2,4]{1,0}, f32[8,4]{1,0}) all-gather-start(%a)", ("all-gather", 128)),
        ("((f32[2]{0}, bf16[2]{0}), (f32[8]{0}, bf16[8]{0})) all-gather-start(%a, %b)", ("all-gather", 48)),
        ("(f32[8]{0}, f32[8]{0}, u32[], u32[]) collective-permute-start(%a)", ("collective-permute", 32)),
        ("((f32[8]{0}), f32[2]{0}) reduce-scatter-start(%a)", ("reduce-scatter", 8)),
        ("(f32[8,128]{1,0:T(8,128)}, f32[128]{0:T(128)}) all-reduce(%a, %b)", ("all-reduce", 4608)),
        ("f32[8,128]{1,0:T(8,128)S(1)} all-gather(%a)", ("all-gather", 4096)),
        ("(s8[3]{0}, pred[5]{0}, c64[2]{0}, f8e4m3fn[4]{0}) all-to-all(%a, %b, %c, %d)", ("all-to-all", 28)),
    ],
)
def test_bytes_of_results(line, expected):
    kind, size = expected
    assert collectives_in(f"  %x = {line}, channel_id=7") == {kind: (1, size)}


def test_what_only_reads_a_collective_is_not_one():
    assert collectives_in("  %x = f32[8]{0} fusion(%all-reduce.3), calls=%all-gather(%y)") == {}
