"""Memory: how many bytes an executable takes, known before it runs, as a function of the symbols."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rlx.core.dim import Size, evaluate, symbols
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.runtime.interface import Interface
from rlx.runtime.symbol_binding import check_sizes


@dataclass(frozen=True)
class Memory:
    """Bytes by kind, each a number or an expression of the symbols; `exe.memory` prints it, `exe.memory(seq=128)` evaluates it.

    params, prepared, states and constants live in the session and the executable; arena and scratch are working memory; outputs are
    the results of one run. Inputs belong to the caller and are not counted in `peak`. Sizes are exact, even if too large to run.

    >>> from rlx.core.dim import Dim
    >>> memory = Memory({"arena": 64 * Dim("n"), "outputs": 8, "inputs": 4})
    >>> print(memory.peak, memory.peak_bytes(n=2), memory(n=2))
    64*n + 8 136 {'arena': 128, 'outputs': 8, 'inputs': 4}
    """

    parts: Mapping[str, Size]

    @property
    def peak(self) -> Size:
        """All bytes except the inputs'."""
        total: Size = 0
        for name, size in self.parts.items():
            if name != "inputs":
                total = total + size
        return total

    def peak_bytes(self, **sizes: int) -> int:
        """All bytes except the inputs', for given symbol values."""
        return evaluate(self.peak, self._checked(sizes))

    def __call__(self, **sizes: int) -> dict[str, int]:
        """Bytes by kind for given symbol values."""
        numbers = self._checked(sizes)
        return {name: evaluate(size, numbers) for name, size in self.parts.items()}

    def _checked(self, sizes: Mapping[str, int]) -> dict[str, int]:
        known = {symbol for size in self.parts.values() for symbol in symbols(size)}
        numbers = check_sizes(known, sizes)
        wanted = sorted({symbol.name for symbol in known})
        missing = [name for name in wanted if name not in numbers]
        if missing:
            given = ", ".join(f"{name}={value}" for name, value in sizes.items()) or "none"
            raise RlxError(
                "RLX205",
                f"memory depends on {', '.join(wanted)}; given: {given}",
                fix=f"pass {', '.join(f'{n}=…' for n in missing)}",
            )
        return numbers

    def __str__(self) -> str:
        width = max(len(name) for name in (*self.parts, "peak"))
        return "\n".join(f"{name:{width}}  {size} bytes" for name, size in (*self.parts.items(), ("peak", self.peak)))


def bytes_of(shapes: Iterable[Shape]) -> Size:
    """The bytes of arrays of these shapes."""
    total: Size = 0
    for shape in shapes:
        total = total + shape.size_bytes
    return total


def planned_memory(
    interface: Interface, working: Mapping[str, Size], threads: int, params: Iterable[Shape], prepared: Iterable[Shape]
) -> Memory:
    """The memory of an executable: what its plan takes, scratch for each thread, and the arrays of its interface."""
    total: Size = 0
    for name, size in working.items():
        total = total + size * (threads if "scratch" in name else 1)
    return Memory(
        {
            "params": bytes_of(params),
            "prepared": bytes_of(prepared),
            "states": bytes_of(entry.shape for entry in interface.states.values()),
            "constants": interface.constant_bytes,
            "working": total,
            "outputs": bytes_of(interface.outputs.values()),
            "inputs": bytes_of(interface.inputs.values()),
        }
    )
