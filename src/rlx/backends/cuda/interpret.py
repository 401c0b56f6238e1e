"""Runs kernels on the host by Triton's interpreter, one block after the other, on plain addresses.

The interpreter of Triton's package takes torch tensors; here the same builder and semantics are given pointers of their own, so neither
torch nor an environment variable is needed. What its builder cannot do is added: CUDA's library of functions by the ops' references,
reductions by NumPy, dependent launches as a check.
"""

from __future__ import annotations

import ast
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np

from rlx.backends.cuda.access_rules import AccessRules, KernelFault
from rlx.backends.cuda.driver_interface import Span
from rlx.backends.cuda.kernel_data import KernelSource
from rlx.ir.op import OPS


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
        self.generic_visit(node)
        return node

    def _nested(self, node: Any) -> Any:
        outer, known = self.before, set(self.assigned)
        self.before = known
        self.generic_visit(node)
        self.before, self.assigned = outer, known  # what is assigned inside first does not leave it
        return node

    visit_For = visit_If = _nested

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        self.generic_visit(node)
        (target,) = node.targets
        assert isinstance(target, ast.Name)
        value: ast.expr = ast.Call(ast.Name("to_tensor", ast.Load()), [node.value], [])
        if target.id in self.before:
            value = ast.Call(ast.Name("carried", ast.Load()), [ast.Name(target.id, ast.Load()), value], [])
        node.value = value
        self.assigned.add(target.id)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.Assign:
        assert isinstance(node.target, ast.Name)
        changed = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        return self.visit_Assign(ast.Assign([node.target], changed))


class Interpreted:
    """A kernel as a Python function, and the types of its pointers."""

    def __init__(self, kernel: KernelSource) -> None:
        import triton.language as tl

        tree = ast.fix_missing_locations(_Assignments().visit(ast.parse(kernel.text)))
        scope = _namespace()
        exec(compile(tree, f"<{kernel.name} {kernel.key}>", "exec"), scope)
        self.function: Callable[..., None] = scope[kernel.name]
        types = [*kernel.pointers, *(["i64"] if kernel.sizes else [])]
        self.types = [tl.pointer_type(_element(name)) for name in types]


@lru_cache(maxsize=1024)
def interpreted(kernel: KernelSource) -> Interpreted:
    """A kernel, translated once."""
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
        "jit": lambda function: function,
        "libdevice": _Library(),
        "to_tensor": _to_tensor,
        "carried": _carried,
        "launch_dependents": lambda: None,
        "wait_for_previous": _RULES.waited,
        "prefetch": _prefetch,
        "range": _counted,
    }


def _to_tensor(value: Any) -> Any:
    from triton.runtime.interpreter import interpreter_semantic

    return interpreter_semantic.to_tensor(value, False)


def _counted(*bounds: Any) -> Iterator[Any]:
    """Loops count in the type of their bounds: in 64 bits where one of these is read from the block of sizes."""
    import triton.language as tl

    wide = any(getattr(bound, "dtype", None) == tl.int64 for bound in bounds)
    for number in range(*map(int, bounds)):
        yield _tensor(np.int64(number), tl.int64) if wide else number


def _prefetch(pointers: Any, size: Any) -> None:
    """Nothing is read, but what is asked for must be there."""
    _RULES.check_prefetch(pointers.handle.data.reshape(-1), int(size))


def _carried(before: Any, value: Any) -> Any:
    """The next value of a name that a loop carries."""
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
    """CUDA's functions, each by the reference of the op that is computed by it."""

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
    found = ufunc.reduce(operand.handle.data, axis=axis, keepdims=keep_dims, dtype=operand.handle.data.dtype)
    return _tensor(found, operand.dtype.scalar)


def _scan(operand: Any, axis: int, combine: Any, reverse: bool = False) -> Any:
    from triton.runtime.interpreter import ScanOps

    ufunc = _UFUNCS.get(getattr(combine, "__name__", ""))
    if ufunc is None:
        return ScanOps(axis, _Combining(combine), reverse).apply(operand)
    data = np.flip(operand.handle.data, axis) if reverse else operand.handle.data
    found = ufunc.accumulate(data, axis=axis, dtype=data.dtype)
    return _tensor(np.flip(found, axis) if reverse else found, operand.dtype.scalar)


class _Combining:
    """A combination as the interpreter wants it: an object whose `fn` is called."""

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
    """The addresses that a load or store touches, and the bytes at each."""
    size = max(1, pointers.get_element_ty().primitive_bitwidth // 8)
    data = pointers.data
    chosen = data if mask is None else data[np.broadcast_to(mask.data, data.shape)]
    return chosen.reshape(-1), size


class _Guarded:
    """The interpreter's builder with checked memory, while kernels run."""

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
    """A conversion between types as the GPU does it: to the nearest, ties to even, denormals kept."""
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
    """A scalar repeated, in its own type: Triton's interpreter makes integers of bools."""
    from triton.runtime.interpreter import TensorHandle

    return TensorHandle(np.full(kind.shape, scalar.data.reshape(-1)[0], scalar.data.dtype), scalar.dtype.scalar)


def _dot(a: Any, b: Any, total: Any, *precision: Any) -> Any:
    """A product of tiles in the type of its sum: Triton's interpreter multiplies the bits of bf16."""
    from triton.runtime.interpreter import TensorHandle

    left, right = (tile.data.view(_low_float(tile.dtype.scalar) or tile.data.dtype) for tile in (a, b))
    wide = total.data.dtype
    return TensorHandle(np.matmul(left.astype(wide), right.astype(wide)) + total.data, total.dtype.scalar)


def _fma(x: Any, y: Any, z: Any) -> Any:
    """x·y + z rounded once, as far as a wider type goes."""
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
    """Every block of a launch, in order; `changed` is what other kernels of its graph write."""
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
    """With Triton's language as the interpreter has it."""
    import triton.language as tl
    from triton.runtime import interpreter

    patched = interpreter._patch_lang(made.function)
    patched.set_attr(tl, "reduce", _reduce)
    patched.set_attr(tl, "associative_scan", _scan)
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
