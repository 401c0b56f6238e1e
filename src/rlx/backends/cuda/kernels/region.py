"""Regions: elementwise code and reductions over one iteration space, as one kernel.

A region is rows × columns: columns run over the reduced axes, rows over the others. Complete rows stay in registers where they fit;
longer ones are walked in chunks, once for each level of reductions (max, then the sum of exponentials, then the quotients). Without a
reduction there are only rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rlx.backends.cuda.elementwise import EMIT, refusal
from rlx.backends.cuda.kernel_data import CudaLowering, CudaTensor, Launch
from rlx.backends.cuda.kernels.tiles import flat_elements, region_size
from rlx.backends.cuda.register_types import Folding, carried, cast, divided, literal, loaded, stored
from rlx.backends.cuda.text import Axes, KernelText, aligned_strides, fits_32_bits, is_zero, merged_axes, power_of_two
from rlx.core.dim import Size, ceildiv, product
from rlx.core.dtype import DType
from rlx.ir.graph import Graph, Node, Ref, single_op_graph
from rlx.ir.op import Op
from rlx.ir.pattern import op as op_named

TILE = 2048  # elements that a block of four warps holds
LONGEST_ROW = 16384  # elements of a row in registers
CHUNK = 1024  # columns of a row that does not fit, or whose length is a symbol


@dataclass(frozen=True)
class RegionBlocks:
    """The tile of a block of a region; `chunked`: rows are longer, and walked tile by tile."""

    rows: int
    columns: int
    chunked: bool
    warps: int


def region_blocks(rows: Size, columns: Size | None, across: bool, size: int) -> RegionBlocks:
    """Chooses a region's tile by its rows and columns, None without reductions; `across`: neighbors in memory are rows.

    `size`: the most bytes of a number that is read or written.

    >>> region_blocks(8192, 8192, False, 4)
    RegionBlocks(rows=1, columns=8192, chunked=False, warps=8)
    """
    if columns is None:
        flat, warps = flat_elements(rows, size), region_size("flat_warps", 4)
        return RegionBlocks(min(power_of_two(rows), flat) if isinstance(rows, int) else flat, 1, False, warps)
    if across:  # enough rows for whole lines
        block_rows = min(power_of_two(rows), 64) if isinstance(rows, int) else 64
        longest = TILE // block_rows
    else:
        block_rows, longest = 0, LONGEST_ROW
    if not isinstance(columns, int) or columns > longest:
        wide = max(1, min(longest, CHUNK))
        return RegionBlocks(max(block_rows, 1), wide, True, _warps(max(block_rows, 1) * wide))
    wide = power_of_two(columns)
    if not block_rows:
        most = max(region_size("rows", 1), TILE // wide)
        block_rows = min(power_of_two(rows), most) if isinstance(rows, int) else most
    return RegionBlocks(block_rows, wide, False, _warps(block_rows * wide))


def _warps(tile: int) -> int:
    return region_size("row_warps", 4 if tile <= TILE else 8 if tile <= 4 * TILE else 16)


class RowQuotients:
    """Division by a reciprocal that is computed once, and a correction of its rounding: a third of a division's instructions.

    The divisor is brought near 1 by a power of two first, so that its reciprocal is not denormal. What is not finite needs no
    correction. The same as a division, but for the last bit where an operand or the result is denormal.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, str, str]] = {}

    def write(self, k: KernelText, over: str, under: str) -> str:
        """Emits the quotient of a tile by a column of f32."""
        if under not in self._known:
            small, large = (f"(tl.abs({under}) {sign} {2.0**power!r})" for sign, power in (("<", -60), (">", 64)))
            scale = k.let(f"tl.where({small}, {2.0**64!r}, tl.where({large}, {2.0**-64!r}, 1.0))")
            near = k.let(f"{under} * {scale}")
            self._known[under] = near, k.let(f"tl.div_rn(tl.full((1, 1), 1.0, tl.float32), {near})"), scale
        near, reciprocal, scale = self._known[under]
        first = k.let(f"{over} * {reciprocal}")
        rest = k.let(f"tl.fma(-{first}, {near}, {over})")
        finite = f'tl.abs({rest}) < float("inf")'
        return f"tl.where({finite}, tl.fma({rest}, {reciprocal}, {first}), {first}) * {scale}"


def body_of(op: Op, inputs: Sequence[CudaTensor | None], outputs: Sequence[CudaTensor]) -> Graph:
    """Wraps one node as a graph."""
    shapes = [None if tensor is None else tensor.shape for tensor in inputs]
    return single_op_graph(op, shapes, [tensor.shape for tensor in outputs])


def label_of(body: Graph, several: str) -> str:
    """A kernel's name in reports: its op where the body is one, else what it is made of."""
    names = [node.op.name for node in body.nodes if not node.op.definition.leaf]
    return names[0] if len(names) == 1 else several


_DIVISION = op_named("div")


def lower_region(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers a `fused` op whose body is elementwise nodes and reductions over one set of axes."""
    return lower_body(op["body"], inputs, outputs)


def lower_one(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers one elementwise op or reduction as a region."""
    return lower_body(body_of(op, inputs, outputs), inputs, outputs)


class RegionRefused(Exception):
    """Raised with the reason why a body is not one kernel."""


def lower_body(body: Graph, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    if not body.output_refs:
        return CudaLowering(())  # nobody reads it
    try:
        region = _Region(body, inputs, outputs)
        launch = region.write()
    except RegionRefused as reason:
        return str(reason)
    return CudaLowering((launch,), in_place=region.in_place())


@dataclass(frozen=True)
class _Kind:
    """The axes along which a value varies, and the number of reductions before it."""

    columns: bool
    level: int


class _Region:
    """A region kernel under construction."""

    def __init__(self, body: Graph, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> None:
        self.body, self.inputs, self.outputs = body, inputs, outputs
        self.leaf = {node.ref: place for place, node in enumerate(body.inputs.values())}
        self.reduced: tuple[int, ...] = ()
        self.dims = self._dims()
        self.kinds: dict[Ref, _Kind] = {}
        for node in body.nodes:
            self._classify(node)
        everything = [tensor for tensor in (*inputs, *outputs) if tensor is not None]
        self.index = "tl.int32" if fits_32_bits(everything) else "tl.int64"
        self.names: dict[Ref, str] = {}
        self.quotients = RowQuotients()

    # -- the iteration space
    def _dims(self) -> tuple[Size, ...]:
        """The dims of the region: those before reductions, or of its results."""
        folded = [node for node in self.body.nodes if node.op.definition.family == "reduce"]
        for node in folded:
            shape = self.body.shape(node.refs[0])
            axes = tuple(axis % shape.rank for axis in node.op["axes"]) if shape.rank else ()
            if self.reduced and axes != self.reduced:
                raise RegionRefused("reductions over different axes")
            if len(folded) > 1 and not node.op["keep_dim"]:
                raise RegionRefused("a reduction that drops its axes inside a region")
            self.reduced = axes
        if folded:
            return self.body.shape(folded[0].refs[0]).dims
        shapes = [self.body.shape(ref) for ref in self.body.output_refs.values()]
        return max(shapes, key=lambda shape: shape.rank).dims

    def _classify(self, node: Node) -> None:
        op = node.op
        if node.ref in self.leaf:
            tensor = self.inputs[self.leaf[node.ref]]
            assert tensor is not None
            strides = aligned_strides(tensor.dims, tensor.strides, self.dims)
            varies = any(not is_zero(strides[axis]) for axis in self.reduced)
            self.kinds[node.ref] = _Kind(varies, 0)
            return
        if op.is_constant:
            if node.shape.num_elements != 1:
                raise RegionRefused("an array inside a region")
            self.kinds[node.ref] = _Kind(False, 0)
            return
        kinds = [self.kinds[ref] for ref in node.refs]
        level = max((kind.level for kind in kinds), default=0)
        if op.definition.family == "reduce":
            if not Folding.is_one(node):
                raise RegionRefused(f"{op.name} inside a region")
            dtype = self.body.shape(node.refs[0]).dtype
            if dtype.is_complex or dtype.category == "f8":
                raise RegionRefused(f"{op.name} of {dtype}")
            self.kinds[node.ref] = _Kind(False, level + 1)
            return
        reason = refusal(op.name, [self.body.shape(ref).dtype for ref in node.refs] + [node.shape.dtype])
        if reason is not None:
            raise RegionRefused(reason)
        self.kinds[node.ref] = _Kind(any(kind.columns for kind in kinds), level)

    @property
    def levels(self) -> int:
        """The largest number of reductions before a value of the region."""
        return max((kind.level for kind in self.kinds.values()), default=0)

    # -- the kernel
    def _merge_axes(self) -> RegionBlocks:
        """Merges the rows and columns into few axes, with the strides of each operand, and chooses the tile of a block."""
        others = [axis for axis in range(len(self.dims)) if axis not in self.reduced]
        strides = {
            operand: aligned_strides(tensor.dims, tensor.strides, self.dims)
            for operand, tensor in enumerate(self.inputs)
            if tensor is not None and operand in self.leaf.values()
        }
        for number, (tensor, ref) in enumerate(zip(self.outputs, self.body.output_refs.values(), strict=True)):
            strides[len(self.inputs) + number] = self._output_strides(tensor, ref)
        self.rows = merged_axes(others, self.dims, strides)
        self.columns = merged_axes(self.reduced, self.dims, strides)
        across = bool(self.reduced) and self.reduced[-1] != len(self.dims) - 1 and len(self.rows.dims) > 0
        columns = product(self.columns.dims) if self.reduced else None
        size = max(tensor.dtype.size for tensor in (*self.inputs, *self.outputs) if tensor is not None)
        return region_blocks(product(self.rows.dims), columns, across, size)

    def write(self) -> Launch:
        """Writes the complete kernel of the region."""
        tile = self._merge_axes()
        self.block_rows, self.block_columns, self.chunked = tile.rows, tile.columns, tile.chunked
        k = self.k = KernelText("region")
        k.as_written = True  # as other devices round, so that a·b − c is 0 where a·b rounds to c
        row_count = product(self.rows.dims)
        k.line(f"row = tl.program_id(0).to({self.index}) * {self.block_rows} + tl.arange(0, {self.block_rows})")
        is_even = isinstance(row_count, int) and row_count % self.block_rows == 0
        self.row_mask = "" if is_even else k.let(f"row < {k.size(row_count)}", "m")
        self.row_offsets = self._offsets("row", self.rows)
        if not self.reduced:
            self._results()
        elif self.chunked:
            self._sweeps()
        else:
            self._begin_columns("0")
            for level in range(self.levels + 1):
                self._reductions(level)
            self._results()
        self._row_results()
        return k.launch((ceildiv(row_count, self.block_rows),), warps=tile.warps, name=label_of(self.body, "region"))

    def _offsets(self, index: str, axes: Axes) -> dict[int, str]:
        """Writes the offset of a row or column of each operand."""
        positions = self.k.positions(index, axes.dims)
        return {
            operand: self.k.let(self.k.offset(positions, own), "o") if any(not is_zero(s) for s in own) else "0"
            for operand, own in axes.strides.items()
        }

    def _output_strides(self, tensor: CudaTensor, ref: Ref) -> tuple[Size, ...]:
        """The strides of a result along the region's axes; a reduced one has none along those."""
        if self.kinds[ref].columns or not self.reduced or len(tensor.dims) == len(self.dims):
            own = aligned_strides(tensor.dims, tensor.strides, self.dims)
            if self.reduced and not self.kinds[ref].columns:
                wide = any(not (isinstance(tensor.dims[a], int) and tensor.dims[a] == 1) for a in self.reduced)
                if wide and len(tensor.dims) == len(self.dims):
                    return own
                return tuple(0 if axis in self.reduced else stride for axis, stride in enumerate(own))
            return own
        left = iter(tensor.strides)
        return tuple(0 if axis in self.reduced else next(left) for axis in range(len(self.dims)))

    # -- columns
    def _begin_columns(self, start: str) -> None:
        """Writes the column numbers and mask from `start` on."""
        k, count = self.k, product(self.columns.dims)
        first = "" if start == "0" else f"{start} + "
        k.line(f"column = ({first}tl.arange(0, {self.block_columns})).to({self.index})")
        whole = isinstance(count, int) and count > 0 and count % self.block_columns == 0
        self.column_mask = "" if whole else k.let(f"column < {k.size(count)}", "m")
        self.column_offsets = self._offsets("column", self.columns)

    def _sweeps(self) -> None:
        """Writes a loop over chunks of columns for each level of reductions."""
        for level in range(self.levels + 1):
            folds = [node for node in self.body.nodes if self._folds_at(node, level)]
            full = [ref for ref in self.body.output_refs.values() if self.kinds[ref].columns]
            ends = level == self.levels
            if not folds and not (ends and full):
                continue
            targets = [node.refs[0] for node in folds] + (full if ends else [])
            self._rows_before(targets)
            shape = f"({self.block_rows}, {self.block_columns})"
            accumulators = {node.ref: self.k.let(Folding.of(node).identities(shape), "a") for node in folds}
            outside = dict(self.names)
            columns = self.k.size(product(self.columns.dims))
            with self.k.block(f"for start in range(0, {columns}, {self.block_columns})"):
                self._begin_columns("start")
                for node in folds:
                    name, value = accumulators[node.ref], self._masked(node)
                    self.k.line(f"{name} = {Folding.of(node).combined(name, value)}")
                if ends:
                    self._results()
            self.names = outside
            for node in folds:
                self.names[node.ref] = self.k.let(self._folded(node, accumulators[node.ref]), "r")

    def _folds_at(self, node: Node, level: int) -> bool:
        return node.op.definition.family == "reduce" and self.kinds[node.ref].level == level + 1

    def _rows_before(self, targets: Sequence[Ref]) -> None:
        """Writes what the targets need that does not vary along columns, once before the loop."""
        waiting, seen = list(targets), set[Ref]()
        needed: set[Ref] = set()
        while waiting:
            ref = waiting.pop()
            if ref in seen or ref in self.names:
                continue
            seen.add(ref)
            if self.kinds[ref].columns:
                waiting += self.body.node(ref).refs
            else:
                needed.add(ref)
        for node in self.body.nodes:
            if node.ref in needed:
                self._value(node.ref)

    # -- reductions
    def _masked(self, node: Node) -> str:
        """The operand of a reduction in its dtype, with the identity in masked columns."""
        k, ref, fold = self.k, node.refs[0], Folding.of(node)
        source = self.body.shape(ref).dtype
        value = self._value(ref)
        if node.shape.dtype.is_bool:
            value = k.let(f"{value}.to(tl.uint8)" if source.is_bool else f"({value} != 0).to(tl.uint8)")
        else:
            value = k.let(cast(k, value, source, node.shape.dtype))
        shape = f"({self.block_rows}, {self.block_columns})"
        if self.column_mask:
            return k.let(f"tl.where({self.column_mask}[None, :], {value}, {fold.identities(shape)})")
        return k.let(f"tl.broadcast_to({value}, {shape})")

    def _folded(self, node: Node, tile: str) -> str:
        """Reduces a tile to one column."""
        fold = Folding.of(node)
        folded = self.k.let(f"tl.reduce({tile}, 1, {fold.function(self.k)}, keep_dims=True)", "r")
        if node.op.name == "reduce_mean":
            shape = self.body.shape(node.refs[0])
            count = self.k.size(product(shape.dims[axis] for axis in self.reduced))
            return divided(folded, f"tl.full((1,), {count}, {carried(fold.dtype)})", fold.dtype)
        return f"({folded} != 0)" if node.shape.dtype.is_bool else f"{folded}.to({carried(fold.dtype)})"

    def _reductions(self, level: int) -> None:
        """Writes the reductions of a level over full rows."""
        for node in self.body.nodes:
            if self._folds_at(node, level):
                self.names[node.ref] = self.k.let(self._folded(node, self._masked(node)), "r")

    # -- values
    def _value(self, ref: Ref) -> str:
        """The name of a value, which is written at first use."""
        if ref in self.names:
            return self.names[ref]
        node, k = self.body.node(ref), self.k
        if ref in self.leaf:
            name = self._load(self.leaf[ref], self.kinds[ref].columns)
        elif node.op.is_constant:
            name = k.let(literal(node.op["value"].array.reshape(-1)[0], node.shape.dtype))
        else:
            operands = [self._value(source) for source in node.refs]
            dtypes = [self.body.shape(source).dtype for source in node.refs]
            if node.op.definition.family == "reduce":  # over no axis
                name = k.let(cast(k, operands[0], dtypes[0], node.shape.dtype))
            elif _DIVISION.made_by(node) and self._divides_rows(node):
                name = k.let(self.quotients.write(k, *operands))
            else:
                name = k.let(EMIT[node.op.name](k, operands, node.op.attrs, dtypes[-1]))
        self.names[ref] = name
        return name

    def _divides_rows(self, node: Node) -> bool:
        """Whether complete rows, held at once, are each divided by one number."""
        over, under = (self.kinds[ref] for ref in node.refs)
        dtype = self.body.shape(node.refs[1]).dtype
        return over.columns and not under.columns and not self.chunked and dtype.is_float and dtype.name != "f64"

    def _tile(self, operand: int, columns: bool, written: bool = False) -> tuple[str, str]:
        """The address of an operand in this tile, and its mask; what is written is masked along every axis of the tile."""
        tensor = (*self.inputs, *self.outputs)[operand]
        assert tensor is not None
        pointer, row = self.k.pointer(operand, tensor, written=written), self.row_offsets[operand]
        if not self.reduced:
            masked = self.row_mask if row != "0" or written else ""
            return (f"{pointer} + {row}" if row != "0" else pointer), masked
        parts, masks = [pointer], []
        column = self.column_offsets[operand] if columns else "0"
        if row != "0":
            parts.append(f"{row}[:, None]")
        if column != "0":
            parts.append(f"{column}[None, :]")
        if self.row_mask and (row != "0" or written):
            masks.append(f"{self.row_mask}[:, None]")
        if columns and self.column_mask and (column != "0" or written):
            masks.append(f"{self.column_mask}[None, :]")
        return " + ".join(parts), " & ".join(masks)

    def _load(self, operand: int, columns: bool) -> str:
        tensor = self.inputs[operand]
        assert tensor is not None
        address, mask = self._tile(operand, columns)
        masked = f", mask={mask}" if mask else ""
        return self.k.let(loaded(f"tl.load({address}{masked})", tensor.dtype), "v")

    # -- results
    def _results(self) -> None:
        """Stores results that vary along columns. Computes all before the first store, since one may share an operand's memory."""
        ready = []
        for place, ref in enumerate(self.body.output_refs.values()):
            if self.kinds[ref].columns or not self.reduced or self._spans_columns(place):
                ready.append((place, self._value(ref)))
        for place, value in ready:
            address, mask = self._tile(len(self.inputs) + place, columns=True, written=True)
            shape = f"({self.block_rows}, {self.block_columns})" if self.reduced else f"({self.block_rows},)"
            self._store(address, value, self.outputs[place].dtype, shape, mask)

    def _spans_columns(self, place: int) -> bool:
        """Whether a result has the reduced axes although its value does not vary along them."""
        return any(not is_zero(stride) for stride in self.columns.strides[len(self.inputs) + place])

    def _row_results(self) -> None:
        """Stores results of reductions."""
        if not self.reduced:
            return
        for place, ref in enumerate(self.body.output_refs.values()):
            if self.kinds[ref].columns or self._spans_columns(place):
                continue
            value = self._value(ref)
            address, mask = self._tile(len(self.inputs) + place, columns=False, written=True)
            self._store(address, value, self.outputs[place].dtype, f"({self.block_rows}, 1)", mask)

    def _store(self, address: str, value: str, dtype: DType, shape: str, mask: str) -> None:
        masked = f", mask={mask}" if mask else ""
        spread = f"tl.broadcast_to({stored(value, dtype)}, {shape})"
        where = f"{address} + tl.full({shape}, 0, tl.int32)"
        self.k.line(f"tl.store({where}, {spread}{masked})")

    def in_place(self) -> tuple[tuple[int, int], ...]:
        """Pairs (input, output) where every element is read for the last time before it is written, by the same block."""
        pairs = []
        for position, (result, ref) in enumerate(zip(self.outputs, self.body.output_refs.values(), strict=True)):
            if self.reduced and (not self.kinds[ref].columns or (self.chunked and self.levels != self.kinds[ref].level)):
                continue
            for number, tensor in enumerate(self.inputs):
                if (
                    tensor is not None
                    and tensor.dtype is result.dtype
                    and tensor.is_dense
                    and result.is_dense
                    and len(tensor.dims) == len(self.dims) == len(result.dims)
                    and all(bool(a == b) and bool(a == c) for a, b, c in zip(tensor.dims, result.dims, self.dims, strict=True))
                ):
                    pairs.append((number, position))
        return tuple(pairs)
