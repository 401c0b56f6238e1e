"""What is threaded through the pipeline: options, report, backend."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from types import NoneType
from typing import Any, Protocol

from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.given import check_is
from rlx.core.precision import Precision, PrecisionPolicy
from rlx.core.report import Report
from rlx.core.shape import Shape
from rlx.ir.graph import Graph, Node
from rlx.ir.op import Op
from rlx.ir.rewrite import ValueMap


class Claims(Protocol):
    """What passes ask of a backend."""

    name: str

    def claims(self, op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]) -> str | None:
        """None when the backend has a kernel for this op as it stands, else the reason it has not."""
        ...

    def pack_width(self, dtype: DType) -> int:
        """Columns of a weight panel of this dtype; 1 where weights are read as they are, and nothing is packed."""
        ...


OPTIONAL = ("fold", "cse", "fuse attention", "fuse contraction", "fuse regions", "layout", "interleave")
"""Passes a graph can do without: they only make it faster."""


@dataclass(frozen=True)
class Options:
    """How to compile. Plain data: part of the cache key, and written with saved executables.

    `precision` takes a PrecisionPolicy or its name, `store_params` a Precision; both are kept by name.

    `strict` takes the program at its word: what it does not say is RLX405, with the user's line. That is each kind of
    `rlx.core.report.CHOICES`: a cast by promotion or by a precision policy, a param stored in another dtype, a copy that a kernel
    needs in every run, a kernel that does not take the op as it stands, activations rounded by quant_mode="fast", Python called in
    a run, and with `rlx.jit` a version for some sizes alone. Weights in a device's layout are no such choice: the same numbers, laid
    out once.
    """

    fuse: bool = True
    assert_fusion_clean: bool = False
    fold_elements: int = 1 << 16
    strict: bool = False  # silent choices are errors
    trap_nan: bool = False  # stop at the first NaN or infinity; nothing is fused or runs in place
    precision: str = "always_f32"
    store_params: str = "f32"
    quant_mode: str = (
        "fast"  # products of packed weights: "fast" rounds activations to 8 bits per block, "exact" does not
    )
    skip: tuple[str, ...] = ()  # passes left out, of those that only make a graph faster

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = getattr(self, entry.name)
            if entry.type == "bool" and not isinstance(value, bool):
                raise RlxError("RLX406", f"{entry.name} is {value!r:.60}", fix="True or False")
            if entry.name in ("quant_mode", "store_params"):
                check_is(value, (str, Precision, NoneType), "RLX406", entry.name, f"a name, such as {entry.default!r}")
        if self.quant_mode not in ("fast", "exact"):
            fix = "'fast' (8-bit activations in products of packed weights) or 'exact'"
            raise RlxError("RLX406", f"quant_mode {self.quant_mode!r}", fix=fix)
        unknown = [name for name in self.skip if name not in OPTIONAL]
        if unknown:
            raise RlxError("RLX406", f"pass {unknown[0]!r} cannot be left out", fix=f"one of: {', '.join(OPTIONAL)}")
        object.__setattr__(self, "skip", tuple(self.skip))
        object.__setattr__(self, "precision", str(PrecisionPolicy.parse(self.precision)))
        object.__setattr__(self, "store_params", Precision.of(self.store_params or "f32").value)

    @property
    def key(self) -> str:
        """Everything that was chosen, for names of cache entries."""
        return repr(sorted(asdict(self).items()))

    @property
    def policy(self) -> PrecisionPolicy:
        """The precision of each kind of op."""
        return PrecisionPolicy.parse(self.precision)


@dataclass
class Context:
    """Options in, report out."""

    backend: Claims
    options: Options = field(default_factory=Options)
    report: Report = field(default_factory=Report)
    claimed: dict[Any, str | None] = field(default_factory=dict)  # the backend's answers so far
    packed: set[str] = field(default_factory=set)  # params that hold the packed numbers of a scheme

    def fused(self, stage: str, what: str, node: Node) -> None:
        """Note a fusion."""
        self.report.add(stage, "fused", what, node.origin)

    def not_fused(self, stage: str, reason: str, what: str, node: Node) -> None:
        """Note a fusion that could have been, and why it is not; an error under assert_fusion_clean."""
        self.report.add(stage, "not fused", f"{reason}: {what}", node.origin)
        if self.options.assert_fusion_clean:
            raise RlxError("RLX405", f"{what} did not fuse: {reason}", at=node.origin.location)


PassResult = tuple[Graph, ValueMap]
