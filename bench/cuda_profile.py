"""Times of single kernels on a GPU: each kind in a chain of its own, as often as the step has it; and the tiles of products."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.backends.cuda.backend import CudaBackend
from rlx.backends.cuda.driver_interface import Driver, GraphNode
from rlx.backends.cuda.kernels.tiles import ProductSizes, Tile, candidates, tile_of, trying
from rlx.backends.cuda.program import CudaProgram, DeviceProgramStep, build_program
from rlx.core.report import Report
from rlx.ir.graph import Graph
from rlx.passes.entry import Options

BEYOND_CACHE = 256 << 20  # bytes of weights that a chain of one product reads, so that none of them stays in the cache


def microseconds(driver: Driver, nodes: Sequence[GraphNode], least: float = 0.01) -> float:
    """One node of a chain, from launches that take at least some seconds; the best of three."""
    graph = driver.graph(nodes)
    driver.launch(graph)
    driver.synchronize()
    best, count = float("inf"), 1
    for _ in range(3):
        while True:
            start = time.perf_counter()
            for _ in range(count):
                driver.launch(graph)
            driver.synchronize()
            taken = time.perf_counter() - start
            if taken >= least or count >= 512:
                break
            count *= 2
        best = min(best, taken / count / len(nodes) * 1e6)
    return best


def profiled(exe: Any, inputs: Any, gigabytes: float) -> list[dict[str, Any]]:
    """For each kernel of a step: how often it runs, its microseconds in a chain of its kind, and the share of the read limit."""
    runner, kept = exe._runner, exe.run(inputs)  # nodes write into these results until the end
    (run,) = runner._runs.values()
    groups: dict[tuple[str, Any], list[tuple[GraphNode, DeviceProgramStep]]] = {}
    for part in run.parts:
        for node, step in zip(part.nodes, part.steps, strict=True):
            groups.setdefault((node.kernel.key, node.grid), []).append((node, step))
    rows = []
    for (_, grid), members in groups.items():
        nodes = [node for node, _ in members]
        each = microseconds(runner.driver, nodes)
        step = members[0][1]
        read = sum(high - low for low, high in nodes[0].reads if high - low >= 1 << 20)
        rows.append(
            {
                "kernel": f"{step.name} ({step.kernel.name})",
                "grid": grid[0] * grid[1] * grid[2],
                "warps": step.kernel.warps,
                "count": len(nodes),
                "us": round(each, 2),
                "us of the step": round(each * len(nodes), 1),
                "MB": round(read / 1e6, 1),
                "share of the limit": round(read / 1e3 / gigabytes / each, 2),
            }
        )
    rows.sort(key=lambda row: -row["us of the step"])
    for row in rows:
        print("  ".join(f"{value}" for value in row.values()), flush=True)
    del kept
    return rows


# -- tiles of products
def _program(backend: CudaBackend, graph: Graph) -> CudaProgram:
    return build_program(backend.lower(graph, Options(), Report()))


def _weights(step: Any) -> tuple[int, ...] | None:
    """The dims of the weights that a step multiplies with."""
    if not isinstance(step, DeviceProgramStep) or step.name not in ("contraction", "packed_matmul"):
        return None
    for operand in step.operands:
        dims = tuple(operand.place.layout.dims)
        matrix = len(dims) == 2 or (len(dims) == 3 and dims[0] == 2)
        if matrix and not operand.written and all(isinstance(size, int) and size >= 2 for size in dims):
            sizes = tuple(int(str(size)) for size in dims)
            if min(sizes[-2:]) >= 64:
                return sizes
    return None


def products_in(program: CudaProgram, batch: int) -> dict[ProductSizes, tuple[int, ...]]:
    """The products of a decode step by shape, with the dims of their weights."""
    found = {}
    for step in program.steps:
        dims = _weights(step)
        if dims is not None and isinstance(step, DeviceProgramStep):
            rows = 1 << max(batch - 1, 0).bit_length()
            size = max(operand.place.dtype.size for operand in step.operands if operand.place.layout.dims == dims)
            found[ProductSizes(rows, dims[-2], dims[-1], 2 if len(dims) == 3 else 1, size)] = dims
    return found


def _steps_of(program: CudaProgram, dims: tuple[int, ...]) -> list[DeviceProgramStep]:
    """The step that multiplies with weights of these dims, and the one that adds up its shares."""
    steps = [step for step in program.steps if isinstance(step, DeviceProgramStep)]
    place = next(number for number, step in enumerate(steps) if _weights(step) == dims)
    joins = len(steps) > place + 1 and steps[place + 1].kernel.name == "contraction_join"
    return steps[place : place + 1 + joins]


class _Memory:
    """Memory for one product: several copies of its weights, and its other operands; all filled with small random numbers."""

    def __init__(self, driver: Driver, dims: tuple[int, ...], dtype: Any) -> None:
        self.driver, self.held = driver, list[int]()
        block = np.random.default_rng(0).standard_normal(1 << 22) * 0.02
        self.blocks: dict[Any, tuple[int, int]] = {}
        self.numbers = block
        size = int(np.prod(dims)) * dtype.size
        self.weights = [self.filled(size, dtype) for _ in range(max(2, -(-BEYOND_CACHE // size)))]

    def filled(self, count: int, dtype: Any) -> int:
        """New memory; the numbers are copied on the device."""
        address = self.driver.allocate(count, "an operand of a product")
        self.held.append(address)
        if not dtype.is_float:
            return address
        if dtype not in self.blocks:
            made = self.numbers.astype(np.float32).astype(dtype.numpy)
            self.blocks[dtype] = self.driver.allocate(made.nbytes, "random numbers"), made.nbytes
            self.held.append(self.blocks[dtype][0])
            self.driver.write(self.blocks[dtype][0], made)
        source, size = self.blocks[dtype]
        for start in range(0, count, size):
            self.driver.copy(address + start, source, min(size, count - start))
        return address

    def free(self) -> None:
        """All of it."""
        for address in self.held:
            self.driver.free(address)


def _chain(memory: _Memory, program: CudaProgram, steps: Sequence[DeviceProgramStep], dims: tuple[int, ...]) -> list[GraphNode]:
    """The steps on each copy of the weights, one after the other."""
    driver, own, nodes = memory.driver, dict[int, int](), list[GraphNode]()
    for weights in memory.weights:
        for step in steps:
            addresses, reads, writes = [], [], []
            for operand in step.operands:
                buffer = program.buffers[operand.buffer]
                assert isinstance(buffer.size, int)
                if tuple(operand.place.layout.dims) == dims and not operand.written:
                    address = weights
                else:
                    if operand.buffer not in own:
                        own[operand.buffer] = memory.filled(buffer.size, operand.place.dtype)
                    address = own[operand.buffer]
                addresses.append(address + operand.offset)
                (writes if operand.written else reads).append((address, address + buffer.size))
            x, y, z = (int(str(side)) for side in step.grid)
            loaded = driver.load(step.kernel)
            nodes.append(GraphNode(step.kernel, loaded, (x, y, z), tuple(addresses), tuple(reads), tuple(writes)))
    return nodes


def _weight_type(program: CudaProgram, dims: tuple[int, ...]) -> Any:
    step = _steps_of(program, dims)[0]
    return next(operand.place.dtype for operand in step.operands if tuple(operand.place.layout.dims) == dims)


def print_best_tiles(graph: Graph, gigabytes: float) -> dict[ProductSizes, Tile]:
    """Each product of a decode step by each of its tiles; prints entries of the table, with the best others in a comment."""
    backend = CudaBackend.shared()
    driver = backend.driver
    batch = int(next(iter(graph.inputs.values())).shape.dims[0])
    shapes = products_in(_program(backend, graph), batch)
    trials: dict[ProductSizes, list[tuple[Tile, CudaProgram]]] = {}
    for shape in shapes:
        tiles = dict.fromkeys([tile for tile in (tile_of(shape),) if tile is not None] + candidates(shape))
        for tile in tiles:
            with trying({shape: tile}):
                trials.setdefault(shape, []).append((tile, _program(backend, graph)))
    steps = [step for shape, tried in trials.items() for _, made in tried for step in _steps_of(made, shapes[shape])]
    try:
        driver.prepare([step.kernel for step in steps])
    except Exception as error:  # those that can be compiled are; the others are named below
        print(f"# {type(error).__name__}: {error!s:.200}", flush=True)
    best = {}
    for shape, tried in trials.items():
        dims, times = shapes[shape], list[tuple[float, Tile]]()
        memory = _Memory(driver, dims, _weight_type(tried[0][1], dims))
        for tile, program in tried:
            own = _steps_of(program, dims)
            try:
                times.append((microseconds(driver, _chain(memory, program, own, dims)) * len(own), tile))
            except Exception as error:  # a tile that the compiler or the GPU refuses: the next may run
                print(f"# {shape} {tile}: {error!s:.200}", flush=True)
        memory.free()
        first = times[0]
        times.sort(key=lambda pair: pair[0])
        read = int(np.prod(dims)) * shape.size
        share = read / 1e3 / gigabytes / times[0][0]
        print(f"    {shape}: {times[0][1]},  # {times[0][0]:.2f} us, {share:.0%}", flush=True)
        print(f"    #   today {first[1]}: {first[0]:.2f} us", flush=True)
        print("    #   then " + ", ".join(f"{tile}: {each:.2f}" for each, tile in times[1:5]), flush=True)
        best[shape] = times[0][1]
    return best
