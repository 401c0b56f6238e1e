"""Writing a model in other types: tensors are read as rows and written quantized, with only a piece in memory at a time."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.backends.registry import find_backend
from rlx.core.counted import counted
from rlx.core.errors import RlxError
from rlx.formats.gguf import DENSE_TYPES, GgufFile, read_gguf
from rlx.formats.gguf_recipes import ModelFacts, TypeRecipe, recipe_of, types_of
from rlx.formats.gguf_writer import StreamedTensor, write_gguf
from rlx.formats.quantizers import quantize_rows
from rlx.formats.stored import StoredTensor, product

Array = npt.NDArray[Any]
Progress = Callable[[str, int], None]
"""Called with a tensor's name and how many of its elements were just written."""

_PIECE = 1 << 22  # elements in memory at a time
_QUANTIZATION_VERSION = 2  # of the block layouts
_FLOATS = ("F32", "F16", "BF16", "F64")


@dataclass(frozen=True)
class SourceTensor:
    """A tensor to be written: its dims, ggml's name of its current type, and its rows `[start, stop)` in f32.

    `stored` are its bytes, if it can be copied unchanged.
    """

    dims: tuple[int, ...]
    kind: str
    rows: Callable[[int, int], npt.NDArray[np.float32]]
    stored: StoredTensor | None = None

    @staticmethod
    def of(tensor: StoredTensor) -> SourceTensor:
        """A tensor of a file."""
        kind = tensor.scheme.detail if tensor.scheme is not None else _DENSE_NAMES[tensor.dtype.name]
        count = product(tensor.dims[:-1])

        def rows(start: int, stop: int) -> npt.NDArray[np.float32]:
            if tensor.scheme is not None:
                return find_backend("cpu").dequantized(tensor.scheme, tensor.raw().reshape(count, -1)[start:stop])
            return tensor.array().reshape(count, -1)[start:stop].astype(np.float32)

        return SourceTensor(tensor.dims, kind, rows, tensor)


_DENSE_NAMES = {dtype: name for name, dtype in DENSE_TYPES.items()}


@dataclass(frozen=True)
class Change:
    """The old and new type of a tensor."""

    name: str
    dims: tuple[int, ...]
    before: str
    after: str

    @property
    def is_second_rounding(self) -> bool:
        """Whether a tensor that was quantized already is quantized to another type."""
        return self.before not in DENSE_TYPES and self.after not in DENSE_TYPES and self.before != self.after


def quantize_gguf(
    source: str | Path,
    out: str | Path,
    recipe: str | TypeRecipe,
    *,
    force: bool = False,
    pure: bool = False,
    progress: Progress | None = None,
    warn: Callable[[str], None] | None = None,
) -> list[Change]:
    """Write a GGUF file, or the files of a split, in the types of a recipe such as `q4_k_m`, as one file.

    Already quantized tensors are dequantized first, and lose accuracy a second time: `warn` is called with a text that says so before
    anything is written; without it, the text is a Python warning. `pure` gives every matrix the recipe's main type.
    """
    chosen = recipe_of(recipe) if isinstance(recipe, str) else recipe
    file = read_gguf(source)
    check_target(file, Path(out), force)
    metadata = {key: value for key, value in file.encoded.items() if not key.startswith("split.") and key != "general.alignment"}
    tensors = {name: SourceTensor.of(tensor) for name, tensor in file.tensors.items()}
    chosen, facts = chosen.all_base() if pure else chosen, ModelFacts.of(file.metadata)
    again = [change for change in planned_changes(tensors, chosen, facts) if change.is_second_rounding]
    if again:
        (warn or _warn)(_second_rounding(again))
    return quantize_file(tensors, metadata, out, chosen, facts, progress)


def _second_rounding(changes: Sequence[Change]) -> str:
    kinds = ", ".join(sorted({change.before for change in changes}))
    what = f"{counted(len(changes), 'tensor')} {'is' if len(changes) == 1 else 'are'} quantized already ({kinds})"
    return f"{what}: quantizing again loses accuracy a second time; a file in F32, F16 or BF16 is a better source"


def _warn(text: str) -> None:
    warnings.warn(text, stacklevel=3)  # at the line that calls `quantize_gguf`


def check_target(file: GgufFile, out: Path, force: bool) -> None:
    """Refuse to overwrite the source, and any other file unless forced."""
    if any(tensor.file.path.exists() and out.exists() and tensor.file.path.samefile(out) for tensor in file.tensors.values()):
        raise RlxError("RLX706", f"{out} is the source file", fix="write to another file", at=None)
    if out.exists() and not force:
        raise RlxError("RLX706", f"{out} exists", fix="use another name, or --force to replace it", at=None)


def quantize_file(
    tensors: Mapping[str, SourceTensor],
    metadata: Mapping[str, Any],
    out: str | Path,
    recipe: TypeRecipe,
    facts: ModelFacts,
    progress: Progress | None = None,
) -> list[Change]:
    """Write tensors from any source as a GGUF file in the types of a recipe. The file is written atomically."""
    changes = planned_changes(tensors, recipe, facts)
    streams = {
        change.name: StreamedTensor(change.dims, change.after, _pieces(change.name, tensors[change.name], change.after, progress))
        for change in changes
    }
    numbers = {"general.file_type": np.uint32(recipe.file_type), "general.quantization_version": np.uint32(_QUANTIZATION_VERSION)}
    write_gguf(out, {**metadata, **numbers}, streams)
    return changes


def planned_changes(tensors: Mapping[str, SourceTensor], recipe: TypeRecipe, facts: ModelFacts) -> list[Change]:
    """The type that each tensor gets by a recipe."""
    kinds = types_of(recipe, {name: tensor.dims for name, tensor in tensors.items()}, facts)
    changes: list[Change] = []
    for name, tensor in tensors.items():
        kind = kinds[name] if tensor.kind in _FLOATS or tensor.kind not in DENSE_TYPES else tensor.kind
        kind = kind or ("F32" if len(tensor.dims) < 2 and tensor.kind in _FLOATS else tensor.kind)
        changes.append(Change(name, tensor.dims, tensor.kind, kind))
    return changes


def _pieces(name: str, tensor: SourceTensor, kind: str, progress: Progress | None) -> Callable[[], Iterator[Array]]:
    """The bytes of a tensor in a type, some rows at a time."""

    def made() -> Iterator[Array]:
        if tensor.stored is not None and kind == tensor.kind:
            yield tensor.stored.raw()
            _tell(progress, name, product(tensor.dims))
        else:
            count, width = product(tensor.dims[:-1]), tensor.dims[-1] if tensor.dims else 1
            step = max(_PIECE // max(width, 1), 1)
            for start in range(0, count, step):
                rows = tensor.rows(start, min(start + step, count))
                yield rows if kind == "F32" else quantize_rows(kind, rows, what=f"tensor {name!r}")
                _tell(progress, name, rows.size)
        if tensor.stored is not None:
            tensor.stored.file.release_pages()

    return made


def _tell(progress: Progress | None, name: str, count: int) -> None:
    if progress is not None:
        progress(name, count)
