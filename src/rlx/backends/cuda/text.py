"""KernelText: the source of a Triton function under construction; and the index arithmetic it needs.

An iteration space is sizes of axes with the strides of each operand along them; neighboring axes are walked as one where they can be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rlx.backends.cuda.kernel_data import CudaTensor, KernelSource, Launch, hand_written_digest, triton_type
from rlx.core.dim import Size, product


@dataclass(frozen=True)
class Axes:
    """Sizes of a kernel's loop axes, and for each operand its strides along them."""

    dims: tuple[Size, ...]
    strides: Mapping[int, tuple[Size, ...]]


def aligned_strides(dims: Sequence[Size], strides: Sequence[Size], whole: Sequence[Size]) -> tuple[Size, ...]:
    """The strides of a tensor along the axes it is broadcast to: aligned at the last, 0 where it repeats.

    >>> aligned_strides((1, 3), (3, 1), (2, 5, 3))
    (0, 0, 1)
    """
    missing = len(whole) - len(dims)
    assert missing >= 0, (dims, whole)
    own = [0 if isinstance(size, int) and size == 1 else stride for size, stride in zip(dims, strides, strict=True)]
    return (*(0,) * missing, *own)


def merged_axes(chosen: Sequence[int], dims: Sequence[Size], strides: Mapping[int, Sequence[Size]]) -> Axes:
    """Merges neighboring axes that every operand steps through evenly into one.

    >>> merged_axes((0, 1), (2, 3), {0: (3, 1), 1: (0, 0)})
    Axes(dims=(6,), strides={0: (1,), 1: (0,)})
    """
    sizes: list[Size] = []
    steps: dict[int, list[Size]] = {operand: [] for operand in strides}
    for axis in chosen:
        size = dims[axis]
        if isinstance(size, int) and size == 1:
            continue
        own = {operand: row[axis] for operand, row in strides.items()}
        if sizes and all(_follows(steps[operand][-1], size, own[operand]) for operand in strides):
            sizes[-1] = sizes[-1] * size
            for operand, stride in own.items():
                steps[operand][-1] = stride
            continue
        sizes.append(size)
        for operand, stride in own.items():
            steps[operand].append(stride)
    return Axes(tuple(sizes), {operand: tuple(row) for operand, row in steps.items()})


def _follows(outer: Size, size: Size, inner: Size) -> bool:
    """Whether the stride of the outer axis is the extent of the inner one."""
    return bool(outer == inner * size)


def is_zero(size: Size) -> bool:
    """Whether a size or stride is 0 for every binding."""
    return isinstance(size, int) and size == 0


class KernelText:
    """Triton text of one kernel, line by line; symbolic sizes are read from the launch's part of the block of sizes.

    The first lines let the next kernel of the graph start and wait for the one before (programmatic dependent launch), unless
    `waits_later`: then whoever writes the kernel calls `wait` after the loads that need no other kernel.
    """

    def __init__(self, name: str, *, waits_later: bool = False) -> None:
        self.name = name
        self.lines: list[str] = []
        self.depth = 1
        self.operands: list[int] = []
        self.tensors: list[CudaTensor] = []
        self.numbers: list[Size] = []
        self.helpers: dict[str, str] = {}
        self.written: list[bool] = []
        self.entry: list[str] = []
        self.functions = ""
        self._used: dict[str, None] = {}  # the pointers and sizes that the function under construction uses
        self.as_written = False  # nothing is contracted to fused multiply-adds but what the text writes so
        self._names = 0
        self.line("launch_dependents()")
        if not waits_later:
            self.wait()

    # -- lines
    def line(self, text: str) -> None:
        """Writes one statement."""
        self.lines.append("    " * self.depth + text)

    def let(self, expression: str, hint: str = "t") -> str:
        """Assigns an expression to a new name."""
        self._names += 1
        name = f"{hint}_{self._names}"  # sizes and pointers have no underscore: no name is used twice
        self.line(f"{name} = {expression}")
        return name

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """`with text.block("for i in range(n)"):` indents what is written inside."""
        self.line(f"{head}:")
        self.depth += 1
        yield
        self.depth -= 1

    def wait(self) -> None:
        """Writes the wait for the previous kernel: from here on memory that other kernels of the graph write may be accessed."""
        self.line("wait_for_previous()")

    def helper(self, name: str, source: str) -> str:
        """Adds a function that the kernel calls, once before it."""
        self.helpers[name] = source
        return name

    def call(self, function: str, **arguments: Any) -> None:
        """Writes a call of `file.function` of `HAND_WRITTEN`. Arguments: text (pointers, names), sizes, numbers, None, tuples."""
        self.functions = hand_written_digest()
        self.line(f"{function}(")
        for name, value in arguments.items():
            self.line(f"    {name}={self.argument(value)},")
        self.line(")")

    def argument(self, value: Any) -> str:
        """Formats a call's argument as text."""
        if isinstance(value, str):
            return value
        if isinstance(value, tuple):
            return f"({''.join(f'{self.argument(part)}, ' for part in value).strip()})"
        return repr(value) if value is None or isinstance(value, bool | float) else self.size(value)

    @contextmanager
    def function(self, name: str, parameters: str) -> Iterator[list[str]]:
        """`with k.function("epilogue", "sums, m, n") as operands:` writes a function that is handed to the one that the kernel calls.

        Its last parameter is `operands`: after the block, the names of the pointers and sizes that it uses.
        """
        outside, used = (self.lines, self.depth, self._used), dict[str, None]()
        self.lines, self.depth, self._used = [], 1, used
        operands: list[str] = []
        yield operands
        operands += used
        unpacked = [f"    {', '.join(operands)}, = operands"] if operands else []
        self.helpers[name] = "\n".join([f"@jit\ndef {name}({parameters}, operands):", *unpacked, *self.lines]) + "\n"
        self.lines, self.depth, self._used = outside

    # -- operands
    def pointer(self, operand: int, tensor: CudaTensor, *, written: bool = False) -> str:
        """The name of an operand's pointer: of one that is read, or of one that is (also) written."""
        if operand not in self.operands:
            self.operands.append(operand)
            self.tensors.append(tensor)
            self.written.append(False)
            static = isinstance(tensor.offset, int) and tensor.offset == 0
            start = "" if static else f" + {self.size(tensor.offset)}"
            self.entry.append(f"    x{len(self.operands) - 1} = p{len(self.operands) - 1}{start}")
        number = self.operands.index(operand)
        self.written[number] |= written
        self._used[f"x{number}"] = None
        return f"x{number}"

    def size(self, size: Size) -> str:
        """Formats a size as text: a number, or the name of one that is read from the block of sizes."""
        if isinstance(size, int):
            return str(size)
        if size not in self.numbers:
            self.numbers.append(size)
        name = f"s{self.numbers.index(size)}"
        self._used[name] = None
        return name

    def offset(self, positions: Sequence[str], strides: Sequence[Size]) -> str:
        """Emits an offset: Σ position · stride."""
        terms = []
        for position, stride in zip(positions, strides, strict=True):
            if isinstance(stride, int) and stride == 0:
                continue
            terms.append(position if isinstance(stride, int) and stride == 1 else f"{position} * {self.size(stride)}")
        return " + ".join(terms) if terms else "0"

    def tile_offset(self, positions: Sequence[str], strides: Sequence[Size]) -> str:
        """Emits an offset in the shape of all positions together, for masked accesses: an axis of stride 0 is not left out."""
        terms = [self.offset([position], [stride]) for position, stride in zip(positions, strides, strict=True)]
        return " + ".join(f"{place} * 0" if term == "0" else term for place, term in zip(positions, terms, strict=True))

    def positions(self, flat: str, dims: Sequence[Size]) -> list[str]:
        """The coordinates of a flat row-major index."""
        coordinates: list[str] = []
        for place in range(len(dims) - 1, -1, -1):
            size = dims[place]
            if isinstance(size, int) and size == 1:
                coordinates.append("0")
                continue
            if all(isinstance(other, int) and other == 1 for other in dims[:place]):
                coordinates.append(flat)
                flat = "0"
                continue
            coordinates.append(self.let(f"{flat} % {self.size(size)}", "c"))
            flat = self.let(f"{flat} // {self.size(size)}", "c")
        return coordinates[::-1]

    # -- the complete kernel
    def launch(self, grid: Sequence[Size], *, warps: int = 4, stages: int = 2, name: str = "") -> Launch:
        """Finishes the kernel and returns its launch on a grid."""
        pointers = tuple(triton_type(tensor.dtype) for tensor in self.tensors)
        aligned = tuple(tensor.aligned for tensor in self.tensors)
        parameters = [f"p{index}" for index in range(len(pointers))] + (["sizes"] if self.numbers else [])
        head = [*self.helpers.values(), f"def {self.name}({', '.join(parameters)}):"]
        head += [f"    s{index} = tl.load(sizes + {index})" for index in range(len(self.numbers))]
        text = "\n".join([*head, *self.entry, *self.lines]) + "\n"
        kernel = KernelSource(
            self.name, text, pointers, aligned, bool(self.numbers), warps, stages, self.as_written, self.functions
        )
        whole = (*grid, *(1,) * (3 - len(grid)))
        operands, written = tuple(self.operands), tuple(self.written)
        return Launch(name or self.name, operands, written, kernel, tuple(self.numbers), whole)


def power_of_two(count: int) -> int:
    """The least power of two that is not below a count.

    >>> power_of_two(5), power_of_two(8), power_of_two(0)
    (8, 8, 1)
    """
    return 1 << max(count - 1, 0).bit_length()


def block_of(size: Size, most: int) -> int:
    """The block size for an extent: the power of two that covers it, at most `most`."""
    return min(power_of_two(size), most) if isinstance(size, int) else most


def fits_32_bits(tensors: Sequence[CudaTensor | None]) -> bool:
    """Whether every index into these tensors, and into a grid over them, fits 32 bits."""
    for tensor in tensors:
        if tensor is None:
            continue
        reach: Size = product(tensor.dims)
        for size, stride in zip(tensor.dims, tensor.strides, strict=True):
            reach = reach + size * (stride if not isinstance(stride, int) else abs(stride))
        if not isinstance(reach, int) or reach >= 1 << 30:
            return False
    return True
