"""The set of executables gives the bits that are written down, at every level of x86-64 and for any number of threads.

The bits of a level are the same on every CPU: no kernel uses instructions whose results are the CPU's own (reciprocal
estimates), and none calls the C library. Beside the code they depend on LLVM's release and, in `fourier_transforms`,
on the last bits of NumPy's complex exponential, which makes the tables of short transforms: the C library computes it,
in another way on CPUs without FMA. These sizes give the same tables both ways.
"""

from __future__ import annotations

import pytest

from tests.golden.executables import EXECUTABLES, bits

EVERY_DAY = "x86_64-avx2"
FEW = ("contraction_shared_operand", "gguf_q4_0", "softmax_over_axes", "reductions")
"""What the other levels compute every day: what is quickly compiled and differs most from level to level."""
LEVELS = ("x86_64", EVERY_DAY, "x86_64-avx512")


def compare(level: str, names: tuple[str, ...] = (), threads: tuple[int, ...] = (1, 2)) -> None:
    """What is computed now against what is written down; what one run compiles, the next takes from the cache."""
    if level not in bits.levels():
        pytest.skip(f"this CPU does not run {level}")
    kept = bits.recorded()[level]
    for count in threads:
        found = bits.computed(level, count, names)
        other = {name: said for name, said in found.items() if kept.get(name) != said}
        assert not other, "\n".join(
            [
                f"{len(other)} executables have other bits than bits.json says, at {level} with {count} threads:",
                *(f"  {name}" + (f": {said}" if ":" in said else "") for name, said in other.items()),
                "A change of bits must be meant: find what made it, and say in the commit what changed and why.",
                f"Then `{bits.WRITE}` writes the file anew.",
            ]
        )


def test_the_bits_of_every_day() -> None:
    compare(EVERY_DAY)


@pytest.mark.parametrize("level", [level for level in LEVELS if level != EVERY_DAY])
def test_a_few_at_other_levels(level: str) -> None:
    compare(level, FEW, threads=(2,))


@pytest.mark.long
@pytest.mark.parametrize("level", LEVELS)
def test_every_level(level: str) -> None:
    compare(level, threads=(1, 2, 3))


def test_the_file_has_every_executable_at_every_level() -> None:
    assert len(EXECUTABLES) == 40
    assert {level: list(kept) for level, kept in bits.recorded().items()} == {level: sorted(EXECUTABLES) for level in LEVELS}
