"""The driver of an NVIDIA GPU, by the `cuda-bindings` package: one context, one stream, graphs of kernel nodes.

All work is submitted in one stream, so copies, allocations and graphs happen in the order of the calls. Kernels of a graph follow
each other by programmatic edges where the GPU has them: one starts while the one before it ends, and waits inside for what it reads.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from rlx.backends.cuda.cublaslt import WORKSPACE, ProductLibrary, find_library
from rlx.backends.cuda.driver_interface import Array, GpuTarget, GraphNode
from rlx.backends.cuda.kernel_data import KernelSource
from rlx.backends.cuda.triton_compile import Cubin, compile_ahead, compiled, triton_version
from rlx.core.aligned import not_enough
from rlx.core.errors import RlxError

_PLAIN_SHARED = 48 << 10  # bytes of shared memory that need no permission
_SCRATCH_POINTERS = 2  # parameters that Triton adds behind those of the source
_FIX = "pip install 'rlx[cuda]' on a machine with an NVIDIA GPU and its driver; or use device='cpu'"


@dataclass(frozen=True)
class _Loaded:
    """A kernel loaded in the context of the GPU."""

    function: Any
    cubin: Cubin


@dataclass
class _CudaGraph:
    """A CUDA graph ready to launch, and its nodes, for updates."""

    executable: Any
    nodes: list[Any]


class CudaDriver:
    """The CUDA driver of the GPU with a number."""

    checks = False

    def __init__(self, number: int = 0) -> None:
        self.api = _bindings()
        try:
            self._call("cuInit", 0)
        except Exception as error:  # the library is missing, or has no GPU
            raise _unavailable(f"no NVIDIA driver answers: {error}") from error
        count = self._call("cuDeviceGetCount")
        if number >= count:
            raise _unavailable(f"GPU {number} of {count}")
        self.dlpack_device = (2, number)
        self.device = self._call("cuDeviceGet", number)
        self.context = self._call("cuDevicePrimaryCtxRetain", self.device)
        self._current = threading.local()
        self._enter()
        attribute = self.api.CUdevice_attribute
        major = self._attribute(attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
        minor = self._attribute(attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
        self.target = GpuTarget(10 * major + minor)
        if self.target.capability < 80:
            raise _unavailable(f"the GPU is {self.target}; kernels are compiled for sm_80 and later")
        self.stream = self._call("cuStreamCreate", self.api.CUstream_flags.CU_STREAM_NON_BLOCKING)
        self.stream_handle: int | None = int(self.stream)
        self._keep_freed_memory()
        self._loaded: dict[str, _Loaded] = {}
        self._programmatic = self.target.dependent_launch
        self._workspace = 0

    # -- calls
    def _call(self, name: str, *arguments: Any) -> Any:
        """Calls a function of the driver API: returns its result, or raises an RLX error with the driver's own message."""
        status, *found = getattr(self.api, name)(*arguments)
        if status != self.api.CUresult.CUDA_SUCCESS:
            raise _DriverError(name, status)
        return found[0] if len(found) == 1 else tuple(found)

    def _enter(self) -> None:
        """Makes the context current on this thread, once."""
        if not getattr(self._current, "set", False):
            self._call("cuCtxSetCurrent", self.context)
            self._current.set = True

    def _attribute(self, which: Any) -> int:
        return int(self._call("cuDeviceGetAttribute", which, self.device))

    def _keep_freed_memory(self) -> None:
        """Configures the memory pool so that freed memory stays with the process for the next array."""
        pool = self._call("cuDeviceGetDefaultMemPool", self.device)
        which = self.api.CUmemPool_attribute.CU_MEMPOOL_ATTR_RELEASE_THRESHOLD
        self._call("cuMemPoolSetAttribute", pool, which, self.api.cuuint64_t(2**63))

    def describe(self) -> dict[str, str]:
        """Describes the GPU: name, memory, versions."""
        self._enter()
        name = self._call("cuDeviceGetName", 128, self.device).split(b"\0")[0].decode()
        free, total = self._call("cuMemGetInfo")
        version = int(self._call("cuDriverGetVersion"))
        processors = self._attribute(self.api.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
        return {
            "GPU": f"{name} ({self.target}, {processors} multiprocessors)",
            "GPU memory": f"{total / 2**30:.1f} GiB, {free / 2**30:.1f} free",
            "CUDA driver": f"{version // 1000}.{version % 1000 // 10}",
            "Triton": triton_version() or "not installed: only kernels from the cache run",
            "dependent launches": "yes" if self._programmatic else "no",
        }

    # -- memory
    def allocate(self, size: int, what: str) -> int:
        """Allocates from the memory pool of the device."""
        self._enter()
        try:
            return int(self._call("cuMemAllocAsync", size, self.stream))
        except _DriverError as error:
            if error.status != self.api.CUresult.CUDA_ERROR_OUT_OF_MEMORY:
                raise
            raise not_enough(size, f"{what} on the GPU") from error

    def free(self, address: int) -> None:
        """Frees memory in the order of the stream."""
        self._enter()
        self._call("cuMemFreeAsync", self.api.CUdeviceptr(address), self.stream)

    def write(self, address: int, array: Array) -> None:
        """Copies host memory to the device; the array may change once this returns."""
        dense = np.ascontiguousarray(array)
        if dense.nbytes:
            self._enter()
            target = self.api.CUdeviceptr(address)
            self._call("cuMemcpyHtoDAsync", target, dense.ctypes.data, dense.nbytes, self.stream)
            if dense is not array:
                self.synchronize()

    def read(self, address: int, array: Array) -> None:
        """Copies device memory to the host, after everything before it."""
        self._enter()
        if array.nbytes:
            source = self.api.CUdeviceptr(address)
            self._call("cuMemcpyDtoHAsync", array.ctypes.data, source, array.nbytes, self.stream)
        self.synchronize()

    def copy(self, target: int, source: int, size: int) -> None:
        """Copies device memory to device memory."""
        if size:
            self._enter()
            places = self.api.CUdeviceptr(target), self.api.CUdeviceptr(source)
            self._call("cuMemcpyDtoDAsync", *places, size, self.stream)

    # -- products by a library
    @cached_property
    def products(self) -> ProductLibrary | None:
        """cuBLASLt, where it is installed; loaded when a program first has a product for it."""
        self._enter()
        return find_library()

    def _product(self, node: GraphNode) -> Any:
        """Captures a cuBLASLt product in the stream as a graph."""
        assert self.products is not None and node.library is not None and self.stream_handle is not None
        if not self._workspace:
            self._workspace = self.allocate(WORKSPACE, "the workspace of cuBLASLt")
        self._call("cuStreamBeginCapture", self.stream, self.api.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED)
        try:
            self.products.multiply(node.library, node.library_addresses, self._workspace, self.stream_handle)
        finally:
            captured = self._call("cuStreamEndCapture", self.stream)
        return captured

    # -- kernels
    def prepare(self, kernels: Sequence[KernelSource]) -> None:
        """Compiles the kernels that are not on disk, in several processes."""
        compile_ahead([kernel for kernel in kernels if kernel.key not in self._loaded], self.target)

    def machine_code(self, kernel: KernelSource) -> Cubin:
        """The cubin of a kernel."""
        return compiled(kernel, self.target)

    def load(self, kernel: KernelSource) -> _Loaded:
        """Loads a kernel once, compiled or from disk."""
        if kernel.key not in self._loaded:
            self._enter()
            cubin = compiled(kernel, self.target)
            if cubin.global_scratch:
                raise RlxError("RLX403", f"kernel {kernel.name} wants {cubin.global_scratch} bytes of scratch", at=None)
            module = self._call("cuModuleLoadData", cubin.code)
            function = self._call("cuModuleGetFunction", module, cubin.name.encode())
            if cubin.shared > _PLAIN_SHARED:
                which = self.api.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
                self._call("cuFuncSetAttribute", function, which, cubin.shared)
            self._loaded[kernel.key] = _Loaded(function, cubin)
        return self._loaded[kernel.key]

    def _parameters(self, node: GraphNode) -> tuple[Any, Any]:
        """The parameters of a kernel node, and the memory of its arguments: alive until the call that copies them is done."""
        values = (ctypes.c_void_p * (len(node.addresses) + _SCRATCH_POINTERS))(*node.addresses, 0, 0)
        width = ctypes.sizeof(ctypes.c_void_p)
        pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(values) + width * i for i in range(len(values))))
        made = self.api.CUDA_KERNEL_NODE_PARAMS()
        made.func = node.function.function
        made.gridDimX, made.gridDimY, made.gridDimZ = node.grid
        made.blockDimX, made.blockDimY, made.blockDimZ = 32 * node.function.cubin.warps, 1, 1
        made.sharedMemBytes = node.function.cubin.shared
        made.kernelParams = ctypes.addressof(pointers)
        return made, (values, pointers)

    def graph(self, nodes: Sequence[GraphNode]) -> _CudaGraph:
        """Creates a graph as a chain of kernel nodes; with full edges where the driver refuses programmatic ones."""
        self._enter()
        try:
            return self._chain(nodes, self._programmatic)
        except _DriverError:
            if not self._programmatic:
                raise
            self._programmatic = False
            return self._chain(nodes, False)

    def _chain(self, nodes: Sequence[GraphNode], programmatic: bool) -> _CudaGraph:
        graph = self._call("cuGraphCreate", 0)
        made: list[Any] = []
        for node in nodes:
            if node.library is not None:
                made.append(self._call("cuGraphAddChildGraphNode", graph, None, 0, self._product(node)))
                continue
            parameters, kept = self._parameters(node)
            made.append(self._call("cuGraphAddKernelNode", graph, None, 0, parameters))
            del kept
        add = "cuGraphAddDependencies_v2" if hasattr(self.api, "cuGraphAddDependencies_v2") else "cuGraphAddDependencies"
        kernels = [node.library is None for node in nodes]
        for (first, starts), (second, waits) in pairwise(zip(made, kernels, strict=True)):
            edge = self.api.CUgraphEdgeData()
            if programmatic and starts and waits:
                edge.from_port = 1  # active once every block has let its dependents start, or has ended
                edge.type = 1  # programmatic
            self._call(add, graph, [first], [second], [edge], 1)
        return _CudaGraph(self._call("cuGraphInstantiate", graph, 0), made)

    def update(self, graph: _CudaGraph, place: int, node: GraphNode) -> None:
        """Updates the arguments of one node of a graph."""
        self._enter()
        if node.library is not None:
            captured = self._product(node)
            self._call("cuGraphExecChildGraphNodeSetParams", graph.executable, graph.nodes[place], captured)
            return
        parameters, kept = self._parameters(node)
        self._call("cuGraphExecKernelNodeSetParams", graph.executable, graph.nodes[place], parameters)
        del kept

    def launch(self, graph: _CudaGraph) -> None:
        """Launches a graph in the stream."""
        self._enter()
        self._call("cuGraphLaunch", graph.executable, self.stream)

    def synchronize(self) -> None:
        """Waits for the stream."""
        self._enter()
        self._call("cuStreamSynchronize", self.stream)

    def finish(self) -> None:
        """Waits for the context: torch, JAX and CuPy share it."""
        self._enter()
        self._call("cuCtxSynchronize")


class _DriverError(RlxError):
    """An error that the driver API returned."""

    def __init__(self, name: str, status: Any) -> None:
        super().__init__("RLX517", f"{name} of the CUDA driver failed: {getattr(status, 'name', status)}", at=None)
        self.status = status


def _unavailable(why: str) -> RlxError:
    return RlxError("RLX404", f"device 'cuda' is not available: {why}", fix=_FIX, at=None)


def _bindings() -> Any:
    """The Python bindings of the driver API."""
    try:
        from cuda.bindings import driver
    except ImportError as error:
        raise _unavailable(f"the package cuda-bindings cannot be imported: {error}") from error
    return driver
