"""What `jit(f).lower(...)` returns: a traced function before it is compiled, its listings and its cost estimate."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from rlx.backends.registry import find_backend
from rlx.core.dim import Size
from rlx.core.errors import RlxError
from rlx.core.report import Report
from rlx.core.shape import ShapeDtypeStruct
from rlx.functions.jit_versions import Static, Version, as_array, is_array
from rlx.ir.parse_lir import Lir, place_bytes
from rlx.ops.control.fused import body_cost
from rlx.runtime.compile import lower, make_options
from rlx.runtime.executable import Executable
from rlx.runtime.tracebacks import hiding_own_frames
from rlx.trace.tracer import TracedFunction
from rlx.trace.tree import flatten, leaves_of, rebuild, structure

Arguments = tuple[tuple[Any, ...], dict[str, Any]]


class Lowered:
    """A function traced for specific argument shapes and dtypes. `print` it to see what was traced.

    `hir()` is the graph as traced, `mir()` the graph after all passes, `lir()` the same with its memory and schedule, `llvm()` and
    `asm()` the code of its kernels; `cost()` estimates flops and bytes, `compile()` returns a callable.
    """

    def __init__(
        self, name: str, traced: TracedFunction, given: Arguments, make: Callable[[], Version], device: str, options: dict[str, Any]
    ) -> None:
        self._name, self._traced, self._given, self._make = name, traced, given, make
        self._device, self._options = device, options

    @property
    def traced(self) -> TracedFunction:
        """The function as it was traced."""
        return self._traced

    @property
    def out_info(self) -> Any:
        """What the function returns, with a `ShapeDtypeStruct` for each array."""
        graph, fixed = self._traced.graph, self._traced.fixed
        types = {int(name.removeprefix("out.")): graph.shape(ref) for name, ref in graph.output_refs.items()}
        count = len(leaves_of(self._traced.out_tree))
        leaves = [
            fixed[index] if index in fixed else ShapeDtypeStruct(types[index].dims, types[index].dtype) for index in range(count)
        ]
        return rebuild(self._traced.out_tree, leaves)

    def hir(self) -> str:
        """The graph as it was traced, before any pass."""
        return str(self._traced.graph.at_level("hir"))

    def mir(self) -> str:
        """The graph after all passes: what is fused, cast and laid out."""
        return str(self._lir.graph.at_level("mir"))

    def lir(self) -> str:
        """The graph after all passes, with the memory plan and the schedule."""
        return str(self._lir)

    def llvm(self) -> str:
        """The LLVM IR of the kernels, after LLVM's passes."""
        return self._listing(".optimized.ll")

    def asm(self) -> str:
        """The assembly of the kernels."""
        return self._listing(".s")

    def as_text(self, level: str = "hir") -> str:
        """The text of one level: "hir", "mir", "lir", "llvm" or "asm"."""
        levels = {"hir": self.hir, "mir": self.mir, "lir": self.lir, "llvm": self.llvm, "asm": self.asm}
        if level not in levels:
            raise RlxError("RLX406", f"as_text of {level!r:.60}", fix=f"one of: {', '.join(levels)}")
        return levels[level]()

    def cost(self) -> dict[str, Size]:
        """Floating point operations, and bytes that commands read and write; expressions where sizes are symbols.

        Excludes work that depends on params alone, which is done once.
        """
        moved: Size = 0
        for command in self._lir.commands:
            for operand in command.operands:
                moved = moved if operand is None else moved + place_bytes(operand)
        return {"flops": body_cost(self._lir.graph), "bytes": moved}

    def compile(self) -> CompiledFunction:
        """A function for arrays of these shapes and dtypes; it is never traced again."""
        return CompiledFunction(self._name, self._make(), self._given)

    def __str__(self) -> str:
        return self.hir()

    def __repr__(self) -> str:
        return f"<Lowered {self._name} for {self._device}: {len(self._traced.graph.nodes)} nodes>"

    @cached_property
    def _lir(self) -> Lir:
        return lower(self._traced.graph, self._device, **self._options).lir

    def _listing(self, ending: str) -> str:
        if ending not in self._listings:
            raise RlxError(
                "RLX403",
                f"the device {self._device!r} compiles nothing with LLVM",
                fix="jit(f) for the device 'cpu'; hir(), mir() and lir() are there for every device",
            )
        return self._listings[ending]

    @cached_property
    def _listings(self) -> dict[str, str]:
        """The device's assembly or IR of all programs together, by file ending."""
        backend, report = find_backend(self._device), Report()
        listings: dict[str, str] = {}

        def keep(stage: str, thing: object) -> None:
            if stage.startswith("llvm "):
                for ending, text in backend.listings(stage, thing).items():
                    listings[ending] = listings.get(ending, "") + text

        report.watch = keep
        backend.compile(self._lir, make_options(self._options), report)
        return listings


class CompiledFunction:
    """A function compiled for fixed argument shapes and dtypes. Static arguments are part of it: omit them in calls."""

    def __init__(self, name: str, version: Version, given: Arguments) -> None:
        self._name, self._version = name, version
        args, kwargs = given
        self._structure = structure(
            (
                tuple(arg for arg in args if type(arg) is not Static),
                {name: arg for name, arg in kwargs.items() if type(arg) is not Static},
            )
        )
        self._numbers = [number for number, arg in enumerate(args) if type(arg) is not Static]
        traced = version.traced.inputs
        self._fixed = {path: leaf for path, leaf in flatten(given) if path not in traced and type(leaf) is not Static}

    @property
    def executable(self) -> Executable:
        """The executable that a call runs."""
        return self._version.executable

    @property
    def report(self) -> Report:
        """The compiler's report on this function."""
        return self.executable.report

    def as_text(self) -> str:
        """The graph after all passes, with the memory plan and the schedule."""
        return str(self.executable.lir)

    @hiding_own_frames
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the function on these arguments."""
        if structure((args, kwargs)) != self._structure:
            message = f"{self._name} was compiled for {self._structure}, called with {structure((args, kwargs))}"
            raise RlxError("RLX114", message, fix="the arguments it was lowered with, without static ones")
        arrays: dict[str, Any] = {}
        for short, leaf in flatten((args, kwargs)):
            path = self._path(short)
            if path not in self._fixed and is_array(leaf):
                arrays[path] = as_array(leaf)
            elif path not in self._fixed or leaf != self._fixed[path]:
                wanted = f"{self._fixed[path]!r:.60}" if path in self._fixed else "an array"
                message = f"{self._version.names[path]} of {self._name} is {leaf!r:.60}, compiled for {wanted}"
                raise RlxError("RLX105", message, fix="lower it again for this value")
        return self._version.run(arrays)

    def _path(self, path: str) -> str:
        """The path of a leaf among all arguments, static ones included."""
        group, _, rest = path.partition(".")
        head, dot, inner = rest.partition(".")
        return f"0.{self._numbers[int(head)]}{dot}{inner}" if group == "0" else path

    def __repr__(self) -> str:
        return f"<CompiledFunction {self._name}: {self.executable!r}>"
