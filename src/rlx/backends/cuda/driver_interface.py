"""Driver: everything this backend asks of the machine, on one page. Two implement it.

`cuda_driver.CudaDriver` calls the driver API of an NVIDIA GPU. `fake_driver.FakeDriver` has host memory and runs each launch by Triton's
interpreter; it checks what a GPU would not say: bounds, alignment, and what a kernel touches before the one before it is done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy.typing as npt

from rlx.backends.cuda.kernel_data import KernelSource, LibraryProduct

if TYPE_CHECKING:
    from rlx.backends.cuda.cublaslt import ProductLibrary
    from rlx.backends.cuda.triton_compile import Cubin

Array = npt.NDArray[Any]
Span = tuple[int, int]
"""Addresses from the first on, up to and without the second."""


@dataclass(frozen=True)
class GpuTarget:
    """The GPU architecture that code is compiled for: the compute capability, 90 for an H100 or H200."""

    capability: int

    @property
    def dependent_launch(self) -> bool:
        """Whether a kernel may start before the one before it has ended (programmatic dependent launch)."""
        return self.capability >= 90

    def __str__(self) -> str:
        return f"sm_{self.capability}"


@dataclass(frozen=True)
class GraphNode:
    """One launch in a graph: a loaded kernel, its grid, and its arguments.

    `reads` and `writes` are the spans it is given; a driver that can check does so. With `library` it is that product by the driver's
    library, on the same operands.
    """

    kernel: KernelSource
    function: Any
    grid: tuple[int, int, int]
    addresses: tuple[int, ...]
    reads: tuple[Span, ...]
    writes: tuple[Span, ...]
    library: LibraryProduct | None = None

    @property
    def library_addresses(self) -> tuple[int, ...]:
        """The addresses of a node's operands for the library's product."""
        return () if self.library is None else tuple(self.addresses[place] for place in self.library.operands)


class Driver(Protocol):
    """Interface of a GPU, or of what stands in for one. Copies and graphs run in the order of the calls."""

    target: GpuTarget
    dlpack_device: tuple[int, int]
    """What DLPack calls its memory: (2, number) for a GPU, (1, 0) for the host's."""
    stream_handle: int | None
    """The stream that everything is asked for in, as other libraries are told of it; None where there is none."""
    checks: bool
    """Whether it looks at the spans of nodes, which change with the sizes: then those are updated too."""

    @property
    def products(self) -> ProductLibrary | None:
        """The driver's library of products, where there is one: a node of a graph may be a product by it."""
        ...

    def describe(self) -> Mapping[str, str]:
        """Describes the GPU in words, row by row."""
        ...

    # -- memory
    def allocate(self, size: int, what: str) -> int:
        """Allocates memory at a multiple of 256 bytes; RLX514 where there is not enough."""
        ...

    def free(self, address: int) -> None:
        """Frees memory once all work submitted so far is done."""
        ...

    def write(self, address: int, array: Array) -> None:
        """Copies a dense host array to an address."""
        ...

    def read(self, address: int, array: Array) -> None:
        """Copies into a dense host array, after all work submitted so far."""
        ...

    def copy(self, target: int, source: int, size: int) -> None:
        """Copies between addresses of the device."""
        ...

    # -- kernels
    def prepare(self, kernels: Sequence[KernelSource]) -> None:
        """Compiles kernels that a program is about to load, in parallel."""
        ...

    def machine_code(self, kernel: KernelSource) -> Cubin | None:
        """The machine code of a kernel for a stored program; None where the source is enough."""
        ...

    def load(self, kernel: KernelSource) -> Any:
        """Loads a kernel, compiled or from the cache, ready to launch."""
        ...

    def graph(self, nodes: Sequence[GraphNode]) -> Any:
        """Creates a graph from a chain of launches, for any number of runs."""
        ...

    def update(self, graph: Any, place: int, node: GraphNode) -> None:
        """Updates the addresses of one node of a graph."""
        ...

    def launch(self, graph: Any) -> None:
        """Launches a graph after all work submitted so far; returns before it is done."""
        ...

    def synchronize(self) -> None:
        """Waits until all submitted work is done."""
        ...

    def finish(self) -> None:
        """Waits until everything on the device is done, including the work of other libraries."""
        ...
