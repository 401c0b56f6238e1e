"""Targets by name and by what the CPU has: which instruction sets are used, and why others are not."""

from __future__ import annotations

import errno
import sys
from dataclasses import replace

import pytest

from rlx.backends.cpu.compile.native_code import check_runs_here
from rlx.backends.cpu.target import Target, arm_features, instruction_sets, refusal_of_tiles, unused_sets
from tests.backends.cpu.levels import HOST

AMX, LOOPS, AVX512 = (Target.named(name) for name in ("x86_64-amx", "x86_64-amx-loops", "x86_64-avx512"))
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has this permission")


def test_tiles_are_a_feature_of_the_target() -> None:
    assert AMX.has_tiles("int8") and AMX.has_tiles("bf16") and LOOPS.has_tiles("int8")
    assert not AVX512.has_tiles("int8") and not Target.named("aarch64").has_tiles("bf16")


def test_dot_products_are_there_for_vectors_of_all_sizes_or_of_none() -> None:
    """Activations are laid out once, for kernels of several sizes; a server told to do without VNNI still has AVX-VNNI."""
    server = replace(AVX512, vector_bytes=64, features="+avx512f,+avx512vl,-avx512vnni,+avxvnni")
    assert [server.has_dot_products(sums) for sums in (4, 8, 16)] == [False, False, False]
    with_vnni = replace(server, features=server.features.replace("-avx512vnni", "+avx512vnni"))
    assert [with_vnni.has_dot_products(sums) for sums in (4, 8, 16)] == [True, True, True]
    laptop = replace(server, vector_bytes=32, features="-avx512f,-avx512vnni,+avxvnni")
    assert [laptop.has_dot_products(sums) for sums in (4, 8, 16)] == [True, True, False]


def test_a_cpu_without_tiles_is_not_asked() -> None:
    assert refusal_of_tiles("+avx512f,-amx-tile", lambda: pytest.fail("asked")) is None


@linux
def test_permission_is_asked_for_and_may_be_refused() -> None:
    assert refusal_of_tiles("+avx2,+amx-tile", lambda: 0) is None
    reason = refusal_of_tiles("+avx2,+amx-tile", lambda: errno.EPERM)
    assert reason is not None and "refuses" in reason and "not permitted" in reason


@linux
def test_the_question_itself_does_no_harm() -> None:
    """Kernels and CPUs without tiles answer with an error, not with a crash."""
    reason = refusal_of_tiles("+amx-tile")
    assert reason is None or "the system refuses them" in reason


def test_what_is_not_used_is_told_with_the_reason() -> None:
    there = AMX.features + ",+avx512fp16"
    assert unused_sets(replace(AMX, features=there), there) == {"no kernel uses it": "avx512fp16"}
    without = replace(AMX, features=there.replace("+amx-", "-amx-"))
    told = unused_sets(without, there, "the system refuses them: Operation not permitted")
    assert told == {"no kernel uses it": "avx512fp16", "the system refuses them: Operation not permitted": "amx-int8, amx-bf16"}
    assert unused_sets(AVX512, there) == {"not at this level": "avx512bf16, avx512fp16, amx-int8, amx-bf16"}
    assert unused_sets(AVX512, AVX512.features) == {}


@pytest.mark.skipif(not HOST.has("avx512bf16") or HOST.vector_bytes < 64, reason="this machine has no AVX512-BF16")
def test_loops_need_no_cpu_with_tiles() -> None:
    check_runs_here(replace(LOOPS, triple=HOST.triple), "it")


@pytest.mark.parametrize(
    "sets, found",
    [
        ((0x8FB, 0), ["neon"]),  # Cortex-A72
        ((0x119FFB, 0), ["neon", "lse", "fullfp16", "rcpc", "dotprod"]),  # Neoverse N1
        ((0xECFFFFFB, 0x7F877FFF), ["neon", "lse", "fullfp16", "rcpc", "dotprod", "sve", "sve2", "i8mm", "bf16"]),
    ],
    ids=["cortex-a72", "neoverse-n1", "everything"],
)
def test_arm_features_are_what_the_kernel_tells(sets: tuple[int, int], found: list[str]) -> None:
    """The sets of bits that QEMU gives processes on these CPUs."""
    features = arm_features(sets)
    assert [item[1:] for item in features.split(",") if item[0] == "+"] == found
    assert "-" not in features or "-i8mm" in features


def test_arm_levels_have_dot_products_and_matrices() -> None:
    plain, dots, matrices = (Target.named(name) for name in ("aarch64", "aarch64-dotprod", "aarch64-i8mm"))
    assert [level.has_dot_products(8) for level in (plain, dots, matrices)] == [False, True, True]
    assert [level.has_byte_matrices for level in (plain, dots, matrices, AVX512)] == [False, False, True, False]
    told = unused_sets(dots, arm_features((0xECFFFFFB, 0x7F877FFF)))
    assert told == {"no kernel uses it": "fullfp16", "not at this level": "i8mm, bf16, sve, sve2"}
    assert instruction_sets(matrices) == ["neon", "fullfp16", "dotprod", "i8mm", "bf16"]


@pytest.mark.parametrize(
    "triple, name",
    [("x86_64-unknown-linux-gnu", "x86_64"), ("aarch64-unknown-linux-gnu", "aarch64"), ("arm64-apple-darwin24", "aarch64-apple")],
)
def test_the_baseline_is_the_oldest_cpu_of_the_hosts_family(triple: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("llvmlite.binding.get_process_triple", lambda: triple)
    assert Target.baseline() == Target.named(name)
