"""A driver without a GPU: host memory, launches by Triton's interpreter, and checks that a GPU would not make.

`RLX_CUDA=interpret` chooses it. It is for tests: a block takes milliseconds. Blocks run one after the other, on plain addresses. The
interpreter of Triton's package takes torch tensors; here the same builder and semantics are given pointers of their own, so neither torch
nor an environment variable is needed. What its builder cannot do is added: CUDA's library of functions by the ops' references, reductions
by NumPy, dependent launches as a check.

A kernel may touch its operands only, and of these before it waits only what nothing in its graph writes.
"""

from __future__ import annotations

import ast
import threading
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from types import CodeType, SimpleNamespace
from typing import Any

import numpy as np

from rlx.backends.cuda.driver_interface import Array, GpuTarget, GraphNode, Span
from rlx.backends.cuda.kernel_data import ALIGNMENT, HAND_WRITTEN, KernelSource
from rlx.core.aligned import not_enough
from rlx.ir.op import OPS


class KernelFault(AssertionError):
    """A kernel touched memory that is not its own, or broke a rule of dependent launches."""


class AccessRules:
    """Checks the memory accesses of the running block, and whether it has waited for the kernel before it.

    Of memory that the launch itself writes, a block may read before it waits what no block of the launch stores to: that is known at
    the end of the launch.
    """

    def __init__(self) -> None:
        self.begin((), (), ())

    def begin(self, reads: tuple[Span, ...], writes: tuple[Span, ...], changed: tuple[Span, ...]) -> None:
        """Begins a launch; `changed` is the memory that other kernels of its graph write."""
        self.reads, self.writes, self.changed = reads, writes, changed
        self.has_waited = False
        self.early: list[tuple[Any, int]] = []
        self.stored: list[tuple[Any, int]] = []

    def waited(self) -> None:
        """Records that the block waits for the kernel before it."""
        self.has_waited = True

    def check_load(self, addresses: Any, size: int) -> None:
        """Checks the addresses that a block loads."""
        if addresses.size == 0:
            return
        if not self.has_waited:
            if _any_inside(addresses, size, self.changed):
                raise KernelFault("reads memory that another kernel of the graph writes before it waits for it")
            if _any_inside(addresses, size, self.writes):
                self.early.append((addresses, size))
        if not _all_inside(addresses, size, (*self.reads, *self.writes)):
            raise KernelFault(f"reads outside its operands: {_outside(addresses, size, (*self.reads, *self.writes))}")

    def check_prefetch(self, addresses: Any, size: int) -> None:
        """Checks the addresses that a block prefetches: at any time, in full vectors of its operands."""
        if size % ALIGNMENT or bool((addresses % np.uint64(ALIGNMENT)).any()):
            raise KernelFault(f"asks for {size} bytes that are not whole vectors")
        if not _all_inside(addresses, size, (*self.reads, *self.writes)):
            raise KernelFault(f"asks for memory outside its operands: {_outside(addresses, size, self.reads)}")

    def check_store(self, addresses: Any, size: int) -> None:
        """Checks the addresses that a block stores."""
        if addresses.size == 0:
            return
        if not self.has_waited:
            raise KernelFault("writes before it waits for the kernel before it")
        if not _all_inside(addresses, size, self.writes):
            raise KernelFault(f"writes outside its results: {_outside(addresses, size, self.writes)}")
        self.stored.append((addresses, size))

    def end(self) -> None:
        """Ends a launch: checks that nothing that it stored was read before a wait."""
        for addresses, size in self.stored if self.early else ():
            first = np.sort(addresses)
            for read, width in self.early:
                before = np.searchsorted(first, read + np.uint64(width)) - 1  # the last store that begins before its end
                if bool(((before >= 0) & (first[before] + np.uint64(size) > read)).any()):
                    raise KernelFault("reads memory that its own launch writes before it waits for it")


def _all_inside(addresses: Any, size: int, spans: Sequence[Span]) -> bool:
    low, high = int(addresses.min()), int(addresses.max()) + size
    if any(begin <= low and high <= end for begin, end in spans):
        return True
    inside = np.zeros(addresses.shape, bool)
    for begin, end in spans:
        inside |= (addresses >= begin) & (addresses + np.uint64(size) <= end)
    return bool(inside.all())


def _outside(addresses: Any, size: int, spans: Sequence[Span]) -> str:
    worst = [int(a) for a in addresses if not any(b <= int(a) and int(a) + size <= e for b, e in spans)][:1]
    near = ", ".join(f"{worst[0] - begin:+d} of {end - begin} bytes" for begin, end in spans) if worst else ""
    return f"{size} bytes at {near}"


def _any_inside(addresses: Any, size: int, spans: Sequence[Span]) -> bool:
    return any(bool(((addresses < end) & (addresses + np.uint64(size) > begin)).any()) for begin, end in spans)


class _Assignments(ast.NodeTransformer):
    """x = value  ->  x = to_tensor(value): numbers become scalars of Triton's types, as its compiler makes them.

    In a loop, or under a condition, x = carried(x, value) where x was assigned before: its type must stay what it is, as the compiler
    demands of values that a loop carries.
    """

    def __init__(self) -> None:
        self.before: set[str] = set()  # names that a loop or a condition finds assigned
        self.assigned: set[str] = set()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.before, self.assigned = set(), set()
        node.decorator_list = []
        self.generic_visit(node)
        return node

    def _nested(self, node: Any) -> Any:
        if isinstance(node, ast.For) and "static_range" in ast.dump(node.iter):
            self.generic_visit(node)  # unrolled: nothing is carried
            return node
        outer, known = self.before, set(self.assigned)
        for branch in (node.body, node.orelse):
            self.before, self.assigned = known, set(known)  # what is assigned inside first does not leave it
            branch[:] = [self.visit(each) for each in branch]
        self.before, self.assigned = outer, known
        return node

    visit_For = visit_If = _nested

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        self.generic_visit(node)
        (target,) = node.targets
        names = [each.id for each in (target.elts if isinstance(target, ast.Tuple) else [target]) if isinstance(each, ast.Name)]
        value: ast.expr = ast.Call(ast.Name("to_tensor", ast.Load()), [node.value], [])
        if any(name in self.before for name in names):
            olds = [ast.Name(name, ast.Load()) if name in self.before else ast.Constant(None) for name in names]
            old = ast.Tuple(list(olds), ast.Load()) if isinstance(target, ast.Tuple) else olds[0]
            value = ast.Call(ast.Name("carried", ast.Load()), [old, value], [])
        node.value = value
        self.assigned.update(names)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.Assign:
        assert isinstance(node.target, ast.Name)
        changed = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        return self.visit_Assign(ast.Assign([node.target], changed))


class Interpreted:
    """An interpreted kernel: a Python function, and the types of its pointers."""

    def __init__(self, kernel: KernelSource) -> None:
        import triton.language as tl

        scope = _namespace() | (_hand_written() if kernel.functions else {})
        exec(_translated(kernel.text, f"<{kernel.name} {kernel.key}>"), scope)
        self.function: Callable[..., None] = scope[kernel.name]
        types = [*kernel.pointers, *(["i64"] if kernel.sizes else [])]
        self.types = [tl.pointer_type(_element(name)) for name in types]


def _translated(text: str, file: str) -> CodeType:
    """Translates Triton functions to Python; their lines keep their numbers."""
    tree = ast.parse(text)
    tree.body = [_Assignments().visit(each) if isinstance(each, ast.FunctionDef) else each for each in tree.body]
    return compile(ast.fix_missing_locations(tree), file, "exec")


@lru_cache(maxsize=1)
def _hand_written() -> dict[str, SimpleNamespace]:
    """The interpreted functions of `HAND_WRITTEN`, by file."""
    namespaces = {}
    for path in HAND_WRITTEN.glob("*.py"):
        scope: dict[str, Any] = {}
        exec(_translated(path.read_text(), str(path)), scope)
        namespaces[path.stem] = SimpleNamespace(**scope)
        scope.update(_namespace())  # in place of what the file imports
    return namespaces


@lru_cache(maxsize=1024)
def interpreted(kernel: KernelSource) -> Interpreted:
    """Translates a kernel for the interpreter, once."""
    return Interpreted(kernel)


def _element(name: str) -> Any:
    import triton.language as tl

    named = {"fp64": tl.float64, "fp32": tl.float32, "fp16": tl.float16, "bf16": tl.bfloat16}
    named |= {"fp8e4nv": tl.float8e4nv, "fp8e5": tl.float8e5}
    return named[name] if name in named else getattr(tl, f"{'uint' if name[0] == 'u' else 'int'}{name[1:]}")


# -- what kernels call ---------------------------------------------------------------------------------------------
def _namespace() -> dict[str, Any]:
    import triton.language as tl

    return {
        "tl": tl,
        "libdevice": _Library(),
        "to_tensor": _to_tensor,
        "carried": _carried,
        "launch_dependents": lambda: None,
        "wait_for_previous": _RULES.waited,
        "prefetch": _prefetch,
        "range": _counted,
    }


def _to_tensor(value: Any) -> Any:
    """Converts numbers to scalars of Triton's types; returns functions, types and None as they are."""
    from triton.language import constexpr
    from triton.runtime.interpreter import interpreter_semantic

    if isinstance(value, tuple):
        return tuple(map(_to_tensor, value))
    value = value.value if isinstance(value, constexpr) else value
    return interpreter_semantic.to_tensor(value, False) if isinstance(value, bool | int | float) else value


def _counted(*bounds: Any) -> Iterator[Any]:
    """A loop's range in the type of its bounds: in 64 bits where one of these is read from the block of sizes."""
    import triton.language as tl

    wide = any(getattr(bound, "dtype", None) == tl.int64 for bound in bounds)
    for number in range(*map(int, bounds)):
        yield _tensor(np.int64(number), tl.int64) if wide else number


def _prefetch(pointers: Any, size: Any) -> None:
    """Interprets a prefetch: loads nothing, but checks that the addresses are valid."""
    _RULES.check_prefetch(pointers.handle.data.reshape(-1), int(size))


def _carried(before: Any, value: Any) -> Any:
    """Checks the next value of a name that a loop carries, or values of names."""
    if isinstance(before, tuple):
        return tuple(after if old is None else _carried(old, after) for old, after in zip(before, value, strict=True))
    if before.type != value.type:
        raise KernelFault(f"a loop or condition changes the type of a value from {before.type} to {value.type}")
    return value


_BY_NUMPY = {
    "fast_dividef": np.divide,
    "rint": np.rint,
    "trunc": np.trunc,
    "fmod": np.fmod,
    "pow": np.power,
    "copysign": np.copysign,
}
_RECORDS = {"normcdfinv": "ndtri", "normcdf": "ndtr"}


class _Library:
    """The interpreter's libdevice: each function is the reference of the op that is computed by it."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = _BY_NUMPY.get(name) or OPS[_RECORDS.get(name, name)].reference
        assert function is not None
        return partial(_elementwise, function)


def _elementwise(function: Callable[..., Any], *operands: Any) -> Any:
    import triton.language as tl
    from triton.runtime.interpreter import TensorHandle

    arrays = [operand.handle.data for operand in operands]
    found = np.asarray(function(*np.broadcast_arrays(*arrays))).astype(arrays[0].dtype)
    scalar = operands[0].dtype.scalar
    shape = next((list(operand.type.shape) for operand in operands if operand.type.is_block()), None)
    kind = scalar if shape is None else tl.block_type(scalar, list(found.shape))
    return tl.tensor(TensorHandle(found, scalar), kind)


# -- reductions and scans by NumPy, where their combination has a name ------------------------------------------------
_UFUNCS: dict[str, np.ufunc] = {
    "combine_sum": np.add,
    "combine_prod": np.multiply,
    "combine_max": np.maximum,
    "combine_min": np.minimum,
    "combine_larger": np.fmax,
    "combine_max_int": np.maximum,
    "combine_min_int": np.minimum,
}


def _reduce(operand: Any, axis: int, combine: Any, keep_dims: bool = False) -> Any:
    from triton.runtime.interpreter import ReduceOps

    ufunc = _UFUNCS.get(getattr(combine, "__name__", ""))
    if ufunc is None:
        return ReduceOps(axis, _Combining(combine), keep_dims).apply(operand)
    return _reduce_by(ufunc, operand, axis, keep_dims)


def _reduce_by(ufunc: np.ufunc, operand: Any, axis: int, keep_dims: bool = False) -> Any:
    data = operand.handle.data
    return _tensor(ufunc.reduce(data, axis=axis, keepdims=keep_dims, dtype=data.dtype), operand.dtype.scalar)


def _scan(operand: Any, axis: int, combine: Any, reverse: bool = False) -> Any:
    from triton.runtime.interpreter import ScanOps

    ufunc = _UFUNCS.get(getattr(combine, "__name__", ""))
    if ufunc is None:
        return ScanOps(axis, _Combining(combine), reverse).apply(operand)
    data = np.flip(operand.handle.data, axis) if reverse else operand.handle.data
    found = ufunc.accumulate(data, axis=axis, dtype=data.dtype)
    return _tensor(np.flip(found, axis) if reverse else found, operand.dtype.scalar)


class _Combining:
    """A combination as the interpreter expects it: an object whose `fn` is called."""

    def __init__(self, function: Any) -> None:
        self.fn = function


def _tensor(data: Any, scalar: Any) -> Any:
    import triton.language as tl
    from triton.runtime.interpreter import TensorHandle

    data = np.asarray(data)
    if not data.shape:
        return tl.tensor(TensorHandle(data.reshape(1), scalar), scalar)
    return tl.tensor(TensorHandle(np.ascontiguousarray(data), scalar), tl.block_type(scalar, list(data.shape)))


# -- memory ----------------------------------------------------------------------------------------------------------
_RULES = AccessRules()
_ONE_AT_A_TIME = threading.Lock()
"""Triton's language is changed for the whole process while a kernel runs."""


def _active(pointers: Any, mask: Any) -> tuple[Any, int]:
    """The addresses that a load or store accesses where its mask is true, and the bytes at each."""
    size = max(1, pointers.get_element_ty().primitive_bitwidth // 8)
    data = pointers.data
    chosen = data if mask is None else data[np.broadcast_to(mask.data, data.shape)]
    return chosen.reshape(-1), size


class _Guarded:
    """The interpreter's builder with checked memory accesses, while kernels run."""

    def __enter__(self) -> None:
        from triton.runtime import interpreter

        self.builder = builder = interpreter.interpreter_builder
        kind = type(builder)

        def load(pointers: Any, mask: Any, other: Any, *rest: Any) -> Any:
            _RULES.check_load(*_active(pointers, mask))
            return kind.create_masked_load(builder, pointers, mask, other, *rest)

        def store(pointers: Any, value: Any, mask: Any, *rest: Any) -> Any:
            _RULES.check_store(*_active(pointers, mask))
            return kind.create_masked_store(builder, pointers, value, mask, *rest)

        def atomic(operation: Any, pointers: Any, value: Any, mask: Any, *rest: Any) -> Any:
            _RULES.check_store(*_active(pointers, mask))
            return kind.create_atomic_rmw(builder, operation, pointers, value, mask, *rest)

        self.replaced = {
            "create_masked_load": load,
            "create_masked_store": store,
            "create_atomic_rmw": atomic,
            "cast_impl": _converted,
            "create_fp_to_fp": _converted,
            "create_splat": _splat,
            "create_dot": _dot,
            "create_fma": _fma,
        }
        for name, function in self.replaced.items():
            setattr(builder, name, function)

    def __exit__(self, *error: object) -> None:
        for name in self.replaced:
            delattr(self.builder, name)


def _converted(source: Any, to: Any, rounding: Any = None) -> Any:
    """Converts between types as the GPU does: to the nearest, ties to even, denormals preserved."""
    from triton.runtime.interpreter import TensorHandle

    numbers = source.data.view(_low_float(source.dtype.scalar) or source.data.dtype)
    low = _low_float(to.scalar)
    if low is not None:
        if numbers.dtype == np.float64 or numbers.dtype.kind in "iub":
            numbers = numbers.astype(np.float32)
        return TensorHandle(numbers.astype(low).view(f"u{low.itemsize}"), to.scalar)
    if numbers.dtype.kind == "V":
        numbers = numbers.astype(np.float32)
    return TensorHandle(numbers.astype(_plain(to.scalar)), to.scalar)


def _splat(kind: Any, scalar: Any) -> Any:
    """Broadcasts a scalar in its own type: Triton's interpreter converts bools to integers."""
    from triton.runtime.interpreter import TensorHandle

    return TensorHandle(np.full(kind.shape, scalar.data.reshape(-1)[0], scalar.data.dtype), scalar.dtype.scalar)


def _dot(a: Any, b: Any, total: Any, *precision: Any) -> Any:
    """Multiplies tiles in the type of the accumulator: Triton's interpreter multiplies the bits of bf16."""
    from triton.runtime.interpreter import TensorHandle

    left, right = (tile.data.view(_low_float(tile.dtype.scalar) or tile.data.dtype) for tile in (a, b))
    wide = total.data.dtype
    return TensorHandle(np.matmul(left.astype(wide), right.astype(wide)) + total.data, total.dtype.scalar)


def _fma(x: Any, y: Any, z: Any) -> Any:
    """Computes x·y + z rounded once, as far as a wider type allows."""
    from triton.runtime.interpreter import TensorHandle

    dtype = z.data.dtype
    wide = np.longdouble if dtype == np.float64 else np.float64
    return TensorHandle((x.data.astype(wide) * y.data.astype(wide) + z.data.astype(wide)).astype(dtype), z.dtype.scalar)


def _low_float(kind: Any) -> Any:
    """NumPy's dtype of a float that the interpreter holds as bits."""
    import ml_dtypes

    named = {"bf16": ml_dtypes.bfloat16, "fp8e4nv": ml_dtypes.float8_e4m3fn, "fp8e5": ml_dtypes.float8_e5m2}
    return np.dtype(named[kind.name]) if kind.name in named else None


def _plain(kind: Any) -> Any:
    from triton.runtime.interpreter import _get_np_dtype

    return _get_np_dtype(kind)


def run_blocks(
    kernel: KernelSource,
    grid: tuple[int, int, int],
    addresses: Sequence[int],
    reads: tuple[Span, ...],
    writes: tuple[Span, ...],
    changed: tuple[Span, ...],
) -> None:
    """Interprets every block of a launch, in order; `changed` is the memory that other kernels of its graph write."""
    import triton.language as tl
    from triton.runtime import interpreter

    made = interpreted(kernel)
    pointers = [
        tl.tensor(interpreter.TensorHandle(np.array([address], np.uint64), kind), kind)
        for address, kind in zip(addresses, made.types, strict=True)
    ]
    with _ONE_AT_A_TIME:
        _RULES.begin(reads, writes, changed)
        _run(made, kernel, grid, pointers)


def _run(made: Interpreted, kernel: KernelSource, grid: tuple[int, int, int], pointers: Sequence[Any]) -> None:
    """Runs a function with Triton's language patched as the interpreter needs it."""
    import triton.language as tl
    from triton.runtime import interpreter

    patched = interpreter._patch_lang(made.function)
    patched.set_attr(tl, "reduce", _reduce)
    patched.set_attr(tl, "associative_scan", _scan)
    patched.set_attr(tl, "sum", partial(_reduce_by, np.add))
    patched.set_attr(tl, "cdiv", lambda count, size: (count + (size - 1)) // size)
    patched.set_attr(tl.tensor, "__index__", lambda self: int(self.handle.data.reshape(-1)[0]))
    builder = interpreter.interpreter_builder
    builder.set_grid_dim(*grid)
    try:
        with _Guarded(), np.errstate(all="ignore"):
            for x in range(grid[0]):
                for y in range(grid[1]):
                    for z in range(grid[2]):
                        builder.set_grid_idx(x, y, z)
                        _RULES.has_waited = False
                        made.function(*pointers)
                        if not _RULES.has_waited:
                            raise KernelFault("a block ends without waiting for the kernel before it")
            _RULES.end()
    except Exception as error:
        error.add_note(f"in block {builder.grid_idx} of {grid} of\n{kernel.text}")
        raise
    finally:
        patched.restore()


_ROOM = 256  # bytes before and after each allocation that must keep their content
_FILL = 0xA5


@dataclass
class _FakeGraph:
    """A graph of the fake driver: a chain of nodes."""

    nodes: list[GraphNode]

    def writers(self) -> Counter[Span]:
        """The number of nodes that write each span."""
        return Counter(span for node in self.nodes for span in set(node.writes))


class FakeDriver:
    """Driver that interprets kernels on host memory, in separate pieces with guarded ends, filled with a pattern at first."""

    checks = True
    dlpack_device = (1, 0)
    stream_handle: int | None = None
    products: Any = None

    def __init__(self, capability: int = 90, memory: int = 1 << 32) -> None:
        self.target = GpuTarget(capability)
        self.memory = memory
        self.held = 0
        self.launches = 0
        self._pieces: dict[int, Array] = {}
        self._starts: list[int] = []

    def describe(self) -> dict[str, str]:
        """Describes the fake GPU."""
        return {"GPU": f"none: kernels for {self.target} run by Triton's interpreter on the host"}

    # -- memory
    def allocate(self, size: int, what: str) -> int:
        """Allocates a piece of host memory with guards."""
        if self.held + size > self.memory:
            raise not_enough(size, what)
        room = np.full(size + 2 * _ROOM + 256, _FILL, np.uint8)
        address = int(room.ctypes.data) + _ROOM
        address += -address % 256
        self._pieces[address] = room[address - room.ctypes.data - _ROOM :][: size + 2 * _ROOM]
        self._starts = sorted(self._pieces)
        self.held += size
        return address

    def free(self, address: int) -> None:
        """Checks the guards of a piece, then frees it."""
        piece = self._pieces.pop(address)
        self._starts = sorted(self._pieces)
        self.held -= piece.size - 2 * _ROOM
        if (piece[:_ROOM] != _FILL).any() or (piece[-_ROOM:] != _FILL).any():
            raise KernelFault("a kernel wrote beside an allocation")

    def _bytes(self, address: int, size: int) -> Array:
        """The host bytes of an address range, which is within one piece."""
        place = bisect_right(self._starts, address) - 1
        start = self._starts[place] if place >= 0 else 0
        piece = self._pieces.get(start)
        offset = address - start
        if piece is None or offset + size > piece.size - 2 * _ROOM:
            raise KernelFault(f"{size} bytes at {address:#x} are no allocated memory")
        return piece[_ROOM + offset : _ROOM + offset + size]

    def write(self, address: int, array: Array) -> None:
        """Copies host memory into a piece."""
        dense = np.ascontiguousarray(array)
        if dense.nbytes:
            self._bytes(address, dense.nbytes)[...] = dense.reshape(-1).view(np.uint8)

    def read(self, address: int, array: Array) -> None:
        """Copies a piece into host memory."""
        if array.nbytes:
            array.reshape(-1).view(np.uint8)[...] = self._bytes(address, array.nbytes)

    def copy(self, target: int, source: int, size: int) -> None:
        """Copies between pieces."""
        if size:
            self._bytes(target, size)[...] = self._bytes(source, size)

    # -- kernels
    def prepare(self, kernels: Sequence[KernelSource]) -> None:
        """Does nothing: kernels are translated when they are loaded."""

    def machine_code(self, kernel: KernelSource) -> None:
        """None: the interpreter reads the source."""

    def load(self, kernel: KernelSource) -> Any:
        """Translates a kernel for the interpreter."""
        return interpreted(kernel)

    def graph(self, nodes: Sequence[GraphNode]) -> _FakeGraph:
        """Creates a graph of nodes, after checking them."""
        for node in nodes:
            self._check(node)
        return _FakeGraph(list(nodes))

    def _check(self, node: GraphNode) -> None:
        if min(node.grid) < 1 or node.grid[0] >= 1 << 31 or max(node.grid[1:]) >= 1 << 16:
            raise KernelFault(f"a grid of {node.grid} blocks")
        for address, aligned in zip(node.addresses, node.kernel.aligned, strict=False):
            if aligned and address % ALIGNMENT:
                raise KernelFault(f"{node.kernel.name}: {address:#x} is not aligned to {ALIGNMENT} bytes")
        for begin, end in (*node.reads, *node.writes):
            if begin != end:
                self._bytes(begin, end - begin)

    def update(self, graph: _FakeGraph, place: int, node: GraphNode) -> None:
        """Replaces a node of the graph."""
        self._check(node)
        graph.nodes[place] = node

    def launch(self, graph: _FakeGraph) -> None:
        """Runs every node of the graph, block by block."""
        writers = graph.writers()
        for node in graph.nodes:
            self.launches += 1
            if node.library is not None:
                self.products.multiply(node.library, node.library_addresses, 0, 0)
                continue
            changed = tuple(span for span, count in writers.items() if count > (span in node.writes))
            run_blocks(node.kernel, node.grid, node.addresses, node.reads, node.writes, changed)

    def synchronize(self) -> None:
        """Does nothing: launches have already finished."""

    def finish(self) -> None:
        """Does nothing: the device has no other work."""
