"""Recipes: which tensor of a model gets which type when a file is quantized.

A recipe is a type for most tensors and a few rules for those that benefit from more bits: the values of attention, the down projection,
the output layer. They are llama.cpp's mixtures of the same names.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.backends.registry import find_backend
from rlx.core.aligned import Array
from rlx.core.errors import RlxError, count_of
from rlx.core.quant_scheme import QuantScheme
from rlx.formats.gguf import DENSE_TYPES, GgufFile, StoredTensor, product, read_gguf
from rlx.formats.gguf_writer import StreamedTensor, write_gguf
from rlx.formats.quantizers import quantize_rows

Dims = tuple[int, ...]


@dataclass(frozen=True)
class ModelFacts:
    """The model properties that a recipe's rules read."""

    layers: int = 0
    heads_per_value: int = 1  # query heads per kv head
    experts: int = 0

    @staticmethod
    def of(metadata: Mapping[str, Any]) -> ModelFacts:
        """Reads the properties from a GGUF's metadata; a file without these keys is a model without layers."""
        family = str(metadata.get("general.architecture", ""))

        def number(key: str, default: int) -> int:
            value = np.asarray(metadata.get(f"{family}.{key}", default)).reshape(-1)  # some have one per layer
            return int(value[0]) if value.size else default

        heads = number("attention.head_count", 1)
        value_heads = number("attention.head_count_kv", heads)
        return ModelFacts(number("block_count", 0), heads // value_heads if value_heads else 0, number("expert_count", 0))


@dataclass(frozen=True)
class TensorPlace:
    """The position of a tensor among those of its role: number `index` of `count`."""

    index: int
    count: int
    facts: ModelFacts


Condition = Callable[[TensorPlace], bool]
Rules = tuple[tuple[Condition, str], ...]


def _always(place: TensorPlace) -> bool:
    return True


def _first(count: int) -> Condition:
    return lambda place: place.index < count


def _first_part(parts: int) -> Condition:
    return lambda place: place.index < place.count // parts


def _ends_and_every_third(place: TensorPlace) -> bool:
    """Selects the first and last eighth of the layers, and every third layer in between."""
    eighth = place.count // 8
    return place.index < eighth or place.index >= 7 * place.count // 8 or (place.index - eighth) % 3 == 2


def _shared_values(place: TensorPlace) -> bool:
    """Whether four or more query heads share a kv head: a small tensor with a large effect on quality."""
    return place.facts.heads_per_value >= 4


@dataclass(frozen=True)
class TypeRecipe:
    """Types by role: a role's first matching rule decides, else `base`. `eight` is the type of the attention output in models with eight
    experts, where it is small relative to the rest."""

    name: str
    base: str
    file_type: int  # general.file_type
    value: Rules = ()
    down: Rules = ()
    out: Rules = ()
    embedding: str = ""
    eight: str = ""
    experts: str = ""  # only experts get this type; base is for everything else, including the output
    pure: bool = field(default=False)  # base for all

    def all_base(self) -> TypeRecipe:
        """A recipe with the same type for every quantized tensor."""
        return TypeRecipe(self.name, self.experts or self.base, self.file_type, pure=True)


def _recipe(name: str, base: str, file_type: int, **rules: Any) -> TypeRecipe:
    return TypeRecipe(name, base, file_type, **rules)


_MORE_BITS: Rules = ((_ends_and_every_third, "Q6_K"),)
_IQ4: dict[str, Any] = {"value": ((_shared_values, "Q5_K"),), "down": ((_first_part(8), "Q5_K"),), "eight": "Q5_K"}

RECIPES: dict[str, TypeRecipe] = {
    recipe.name: recipe
    for recipe in (
        _recipe("f32", "F32", 0),
        _recipe("f16", "F16", 1),
        _recipe("bf16", "BF16", 32),
        _recipe("q8_0", "Q8_0", 7),
        _recipe("q4_0", "Q4_0", 2),
        _recipe("q4_1", "Q4_1", 3),
        _recipe("q5_0", "Q5_0", 8),
        _recipe("q5_1", "Q5_1", 9),
        _recipe(
            "q2_k",
            "Q2_K",
            10,
            value=((_shared_values, "Q4_K"), (_always, "Q3_K")),
            down=((_always, "Q3_K"),),
            out=((_always, "Q3_K"),),
            eight="Q5_K",
        ),
        _recipe("q3_k_s", "Q3_K", 11, eight="Q5_K"),
        _recipe(
            "q3_k_m",
            "Q3_K",
            12,
            value=((_first(2), "Q5_K"), (_always, "Q4_K")),
            down=((_first_part(16), "Q5_K"), (_always, "Q4_K")),
            out=((_always, "Q4_K"),),
            eight="Q5_K",
        ),
        _recipe(
            "q3_k_l", "Q3_K", 13, value=((_always, "Q5_K"),), down=((_always, "Q5_K"),), out=((_always, "Q5_K"),), eight="Q3_K"
        ),
        _recipe("q4_k_s", "Q4_K", 14, value=((_first(4), "Q5_K"),), down=((_first_part(8), "Q5_K"),), eight="Q5_K"),
        _recipe("q4_k_m", "Q4_K", 15, value=_MORE_BITS, down=_MORE_BITS, eight="Q5_K"),
        _recipe("q5_k_s", "Q5_K", 16),
        _recipe("q5_k_m", "Q5_K", 17, value=_MORE_BITS, down=_MORE_BITS),
        _recipe("q6_k", "Q6_K", 18),
        _recipe("iq4_nl", "IQ4_NL", 25, **_IQ4),
        _recipe("iq4_xs", "IQ4_XS", 30, **_IQ4),
        _recipe("tq1_0", "TQ1_0", 36, embedding="Q4_K"),
        _recipe("tq2_0", "TQ2_0", 37, embedding="Q4_K"),
        _recipe("mxfp4_moe", "Q8_0", 38, experts="MXFP4"),
    )
}


def recipe_of(name: str) -> TypeRecipe:
    """Returns the recipe with this name, in any case."""
    recipe = RECIPES.get(name.lower())
    if recipe is None:
        raise RlxError("RLX706", f"{name!r} is not a type to quantize to", fix=f"one of {', '.join(RECIPES)}", at=None)
    return recipe


# -- roles --------------------------------------------------------------------------------------------------------
_ROLES = (
    ("output", r"output\.weight"),
    ("embedding", r"(per_layer_)?token_embd\.weight"),
    ("value", r".*(attn_qkv|attn_kv_b|attn_v)\.weight"),
    ("key", r".*attn_k\.weight"),
    ("out", r".*attn_output\.weight"),
    ("down", r".*ffn_down.*"),
)

_KEPT = re.compile(
    r"_norm\.weight|ffn_gate_inp\.weight|ffn_gate_tid2eid|altup|laurel|per_layer_model_proj|^position_embd\.|^token_types\.|ssm_conv1d"
    r"|shortconv\.conv\.weight|indexer\.[kq]_proj|time_mix_(first|w[012]|v[012]|a[012]|g[12]|decay_w[12]|lerp_fused)\.weight"
    r"|attn_rel_b|\.position_embd|sam\.(pos_embd|neck\.|net_)|\.rel_pos|\.patch_(embd|merger)|a\.rvq\.codebook|mm\.a\.code_embd"
)
"""Tables and small matrices, which lose accuracy with few bits and save almost nothing."""


def _role(name: str) -> str:
    return next((role for role, pattern in _ROLES if re.fullmatch(pattern, name)), "other")


def _is_quantized(name: str, dims: Dims) -> bool:
    """Whether a recipe quantizes a tensor: a matrix named as a weight, or a stack of them; leading axes of size 1 do not count."""
    while dims and dims[0] == 1:
        dims = dims[1:]
    return len(dims) >= 2 and name.endswith("weight") and _KEPT.search(name) is None


def types_of(recipe: TypeRecipe, tensors: Mapping[str, Dims], facts: ModelFacts) -> dict[str, str | None]:
    """Chooses the type of each tensor by name and dims; None for a tensor that stays unchanged."""
    tied = "output.weight" not in tensors
    values = sorted((name for name in tensors if _role(name) == "value"), key=lambda name: (_layer(name, -1), name))
    types: dict[str, str | None] = {}
    for name, dims in tensors.items():
        if not _is_quantized(name, dims):
            types[name] = None
            continue
        role = _role(name)
        if role == "embedding" and tied:
            role = "output"
        place = (
            TensorPlace(values.index(name), len(values), facts)
            if role == "value"
            else TensorPlace(_layer(name, 0), facts.layers, facts)
        )
        types[name] = _fit_type(_choose_type(recipe, role, dims, place), dims[-1])
    return types


def _layer(name: str, default: int) -> int:
    match = re.match(r"blk\.(\d+)\.", name)
    return int(match[1]) if match else default


def _choose_type(recipe: TypeRecipe, role: str, dims: Dims, place: TensorPlace) -> str:
    if recipe.pure or recipe.base in ("F32", "F16", "BF16"):
        return recipe.base
    if recipe.experts:
        return recipe.experts if role != "output" and len(dims) > 2 and dims[0] > 1 else recipe.base
    if role == "output":
        return "Q8_0" if recipe.base == "Q8_0" or not _divides(recipe.base, dims[-1]) else "Q6_K"
    if role == "embedding":
        return recipe.embedding or recipe.base
    eight = {"value": "Q8_0", "key": "Q8_0", "out": recipe.eight or recipe.base} if place.facts.experts == 8 else {}
    return eight.get(role) or _choose_by_layer(recipe, role, place)


def _choose_by_layer(recipe: TypeRecipe, role: str, place: TensorPlace) -> str:
    """The type of the recipe's first rule that applies to this layer of a role, else the base type."""
    rules: Rules = getattr(recipe, role) if role in ("value", "down", "out") else ()
    kind = next((kind for holds, kind in rules if holds(place)), recipe.base)
    if role == "value" and kind in ("Q3_K", "Q4_K") and place.facts.layers == 80 and place.facts.heads_per_value >= 8:
        return "Q5_K"  # 70B models: eight query heads share a kv head
    return kind


def _divides(kind: str, row: int) -> bool:
    """Whether a row consists of full blocks of a type."""
    return row % QuantScheme.gguf(kind).block_size() == 0


_SMALLER = {
    "Q2_K": "Q4_0",
    "Q3_K": "Q4_0",
    "TQ1_0": "Q4_0",
    "TQ2_0": "Q4_0",
    "Q4_K": "Q5_0",
    "Q5_K": "Q5_1",
    "Q6_K": "Q8_0",
    "IQ4_XS": "IQ4_NL",
}
"""The replacement with blocks of 32 for rows that 256 does not divide."""


def _fit_type(kind: str, row: int) -> str:
    """The type, its replacement if its block does not divide the rows, or F16 if 32 does not divide the rows either."""
    if kind == "F32" or _divides(kind, row):
        return kind
    smaller = _SMALLER.get(kind, kind)
    return smaller if _divides(smaller, row) else "F16"


# -- writing a model in other types: tensors are read as rows and written quantized, with only a piece in memory at a time


Progress = Callable[[str, int], None]
"""A callback with a tensor's name and the number of its elements just written."""

_PIECE = 1 << 22  # elements in memory at a time
_QUANTIZATION_VERSION = 2  # of the block layouts
_FLOATS = ("F32", "F16", "BF16", "F64")


@dataclass(frozen=True)
class SourceTensor:
    """A tensor to quantize: its dims, ggml's name of its current type, and a function that returns rows `[start, stop)` in f32.

    `stored` are its bytes, if it can be copied unchanged.
    """

    dims: tuple[int, ...]
    kind: str
    rows: Callable[[int, int], npt.NDArray[np.float32]]
    stored: StoredTensor | None = None

    @staticmethod
    def of(tensor: StoredTensor) -> SourceTensor:
        """Wraps a tensor of a GGUF file."""
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
    """The old and new type of a tensor in a quantization."""

    name: str
    dims: tuple[int, ...]
    before: str
    after: str

    @property
    def is_second_rounding(self) -> bool:
        """Whether the tensor was quantized already, to another type."""
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
    """Quantizes a GGUF file, or the files of a split, by a recipe such as `q4_k_m`, into one file.

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
    what = f"{count_of(len(changes), 'tensor')} {'is' if len(changes) == 1 else 'are'} quantized already ({kinds})"
    return f"{what}: quantizing again loses accuracy a second time; a file in F32, F16 or BF16 is a better source"


def _warn(text: str) -> None:
    warnings.warn(text, stacklevel=3)  # at the line that calls `quantize_gguf`


def check_target(file: GgufFile, out: Path, force: bool) -> None:
    """Refuses to overwrite the source, and any other file unless forced."""
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
    """Quantizes tensors of any source by a recipe and writes them atomically as a GGUF file."""
    changes = planned_changes(tensors, recipe, facts)
    streams = {
        change.name: StreamedTensor(change.dims, change.after, _pieces(change.name, tensors[change.name], change.after, progress))
        for change in changes
    }
    numbers = {"general.file_type": np.uint32(recipe.file_type), "general.quantization_version": np.uint32(_QUANTIZATION_VERSION)}
    write_gguf(out, {**metadata, **numbers}, streams)
    return changes


def planned_changes(tensors: Mapping[str, SourceTensor], recipe: TypeRecipe, facts: ModelFacts) -> list[Change]:
    """The old and new type of each tensor under a recipe."""
    kinds = types_of(recipe, {name: tensor.dims for name, tensor in tensors.items()}, facts)
    changes: list[Change] = []
    for name, tensor in tensors.items():
        kind = kinds[name] if tensor.kind in _FLOATS or tensor.kind not in DENSE_TYPES else tensor.kind
        kind = kind or ("F32" if len(tensor.dims) < 2 and tensor.kind in _FLOATS else tensor.kind)
        changes.append(Change(name, tensor.dims, tensor.kind, kind))
    return changes


def _pieces(name: str, tensor: SourceTensor, kind: str, progress: Progress | None) -> Callable[[], Iterator[Array]]:
    """Yields the bytes of a tensor in a type, some rows at a time."""

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
