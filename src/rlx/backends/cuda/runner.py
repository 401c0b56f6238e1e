"""Runners: a program with its memory on a device. Runs are asked for and return before they are done."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from rlx.backends.cuda.driver_interface import Driver
from rlx.backends.cuda.graph import BucketRun, bucket_of
from rlx.backends.cuda.memory import DeviceBytes, address_in
from rlx.backends.cuda.program import CudaProgram
from rlx.core.device_array import DeviceArray
from rlx.core.dim import LARGEST_SIZE, evaluate
from rlx.ir.parse_lir import Buffer

_BUCKETS = 16  # graphs kept per runner


class CudaRunner:
    """A program on a device: one graph for each bucket of sizes, one arena as large as the largest of them needs."""

    threads = 1

    def __init__(self, program: CudaProgram, driver: Driver, inputs: Sequence[str] = (), outputs: Sequence[str] = ()) -> None:
        self.program, self.driver = program, driver
        self._inputs, self._outputs = tuple(inputs), tuple(outputs)
        self._owned = {buffer.name for buffer in program.buffers if buffer.kind in ("param", "state")}
        self._attached: dict[str, DeviceArray] = {}
        self._constants: dict[str, DeviceBytes] = {}
        self._runs: dict[tuple[tuple[str, int], ...], BucketRun] = {}
        self._arena: DeviceBytes | None = None
        self._last: tuple[Any, ...] | None = None
        self._fixed: list[int] | None = None  # addresses of buffers that stay from run to run
        place = {(buffer.kind, buffer.name): index for index, buffer in enumerate(program.buffers)}
        self._places = [place.get(("input", name)) for name in self._inputs]
        self._places += [place.get(("output", name)) for name in self._outputs]

    def clone(self) -> CudaRunner:
        """The same program with its own arena."""
        return CudaRunner(self.program, self.driver, self._inputs, self._outputs)

    def uses(self, name: str) -> bool:
        """Whether the program has such a param, state or prepared value."""
        return name in self._owned

    def attach(self, name: str, array: DeviceArray) -> None:
        """The memory of a param, a state or a prepared value."""
        self._attached[name] = array
        self._fixed = None

    def detach(self, name: str) -> None:
        """Let go of what was attached under a name."""
        self._attached.pop(name, None)
        self._fixed = None

    def release(self) -> None:
        """Release the arena, the graphs and everything attached."""
        self._attached.clear()
        self._fixed = None
        self._runs.clear()
        self._arena = None
        self._last = None

    def fits(self, sizes: Mapping[str, int]) -> bool:
        """Whether every buffer has fewer than 2**63 bytes."""
        everything = (*(buffer.size for buffer in self.program.buffers), *self.program.numbers, self.program.arena)
        return all(evaluate(size, sizes) <= LARGEST_SIZE for size in everything)

    def run(self, sizes: Mapping[str, int], inputs: Sequence[DeviceArray], outputs: Sequence[DeviceArray]) -> None:
        """Ask for one run."""
        if self._fixed is None:
            self._fixed = [self._address(buffer) for buffer in self.program.buffers]
        addresses = self._fixed.copy()
        for place, array in zip(self._places, (*inputs, *outputs), strict=True):
            if place is not None:
                addresses[place] = array.handle.address
        self._bucket(sizes).run(sizes, addresses)
        self._last = dict(sizes), [(array.shape, array.dtype) for array in (*inputs, *outputs)]

    def _address(self, buffer: Buffer) -> int:
        """Of what is attached and of constants; the bucket knows the arena, a run inputs and outputs."""
        if buffer.kind == "constant":
            return self._constant(buffer.name)
        return address_in(self._attached[buffer.name]) if buffer.kind in ("param", "state") else 0

    def _constant(self, name: str) -> int:
        if name not in self._constants:
            array = self.program.constants[name]
            self._constants[name] = DeviceBytes(self.driver, array.nbytes, "a constant of the program")
            self.driver.write(self._constants[name].address, array)
        return self._constants[name].address

    def _bucket(self, sizes: Mapping[str, int]) -> BucketRun:
        """The graph for some sizes, laid out when they first occur."""
        key = tuple(sorted(sizes.items()))
        for run in self._runs.values():
            if run.sizes == sizes:
                return run
        largest = bucket_of(self.program, sizes)
        key = tuple(sorted(largest.items()))
        if key not in self._runs:
            if len(self._runs) >= _BUCKETS:
                self._runs.pop(next(iter(self._runs)))
            self._runs[key] = self._laid_out(largest)
        return self._runs[key]

    def _laid_out(self, largest: Mapping[str, int]) -> BucketRun:
        needed = evaluate(self.program.arena, largest)
        if self._arena is None or self._arena.size < needed:
            self._runs.clear()  # their addresses are those of the old arena
            self._arena = None
            sizes = ", ".join(f"{name} = {value}" for name, value in largest.items()) or "fixed sizes"
            self._arena = DeviceBytes(self.driver, max(needed, 256), f"the arena of {self.program.name!r} for {sizes}")
        block = DeviceBytes(self.driver, max(8 * len(self.program.numbers), 8), "the block of sizes")
        return BucketRun(self.program, self.driver, largest, self._arena, block)

    def again(self, inputs: Sequence[object], outputs: Sequence[object]) -> bool:
        """Run on device arrays like those of the last run; False where they are not."""
        if self._last is None:
            return False
        given = [*inputs, *outputs]
        if not all(isinstance(array, DeviceArray) for array in given):
            return False
        sizes, like = self._last
        arrays: list[DeviceArray] = [array for array in given if isinstance(array, DeviceArray)]
        if [(array.shape, array.dtype) for array in arrays] != like:
            return False
        results = arrays[len(inputs) :]
        spans = [(address_in(array), address_in(array) + array.nbytes, array) for array in arrays]
        for result in results:
            begin, end = address_in(result), address_in(result) + result.nbytes
            if any(other is not result and begin < stop and start < end for start, stop, other in spans):
                return False
        self.run(sizes, arrays[: len(inputs)], results)
        return True

    def profiled(
        self, sizes: Mapping[str, int], inputs: Sequence[DeviceArray], outputs: Sequence[DeviceArray]
    ) -> list[tuple[str, str, float, int, int]]:
        """The whole run as one line: what a kernel takes inside a graph is not told apart yet."""
        self.driver.synchronize()
        start = time.perf_counter()
        self.run(sizes, inputs, outputs)
        self.driver.synchronize()
        moved = sum(array.nbytes for array in (*inputs, *outputs))
        return [(self.program.name, "", time.perf_counter() - start, 0, moved)]

    # -- prepare
    @property
    def parts(self) -> tuple[tuple[str, ...], ...]:
        """All outputs together."""
        return (tuple(buffer.name for buffer in self.program.buffers if buffer.kind == "output"),)

    def make(self, outputs: Mapping[str, DeviceArray]) -> None:
        """Compute the outputs of a program without inputs."""
        self._order(tuple(outputs))
        self.run({}, (), tuple(outputs.values()))

    def _order(self, outputs: tuple[str, ...]) -> None:
        """The order in which `run` gets outputs."""
        place = {buffer.name: index for index, buffer in enumerate(self.program.buffers) if buffer.kind == "output"}
        self._outputs, self._places = outputs, [place[name] for name in outputs]
